"""Variants and their names; families and their constraints."""

from contextlib import suppress
from fractions import Fraction
from itertools import islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout import budget
from sevenout.errors import NotationError, RulesError, SevenoutError, TooMuchWorkError
from sevenout.model import explore
from sevenout.rolling import Law, parse_dice
from sevenout.rules import PointGame
from sevenout.solving import solve
from sevenout.variants import (
    NAME,
    Family,
    TooManyVariantsError,
    Variant,
    VariantTable,
    between,
    census,
    classes,
    count,
    fairest,
    parse_variant,
    variant_game,
    variant_name,
)
from sevenout.variants.variant import set_name, weights_of


@st.composite
def any_variants(draw):
    totals = draw(st.sets(st.integers(-20, 60), min_size=2, max_size=20))
    craps = draw(st.sets(st.sampled_from(sorted(totals))))
    return Variant(craps, totals - craps, draw(st.sampled_from(sorted(totals))))


@given(any_variants())
def test_names_round_trip(variant):
    name = variant_name(variant)
    assert parse_variant(name) == variant
    assert str(parse_variant(f" {name} ")) == name
    assert NAME.fullmatch(name)
    assert not set(name) - set("0123456789,-/none")


@given(st.text(alphabet="0123456789,-/ @dnoe", max_size=20))
def test_any_text_is_a_variant_or_an_error(text):
    if NAME.fullmatch(text.strip()):
        with suppress(SevenoutError):  # a set that contradicts itself
            variant = parse_variant(text)
            assert parse_variant(variant_name(variant)) == variant
    else:
        with pytest.raises(NotationError, match="is not a variant"):
            parse_variant(text)


def test_every_name_of_a_family_is_its_own():
    family = Family("2d4")
    names = {variant_name(variant) for variant in family}
    assert len(names) == family.size


@pytest.mark.parametrize("name", ["2,3,12/7,11/7", "2-4,12/7,11/12", "none/7/7", "-3,5/4/4"])
def test_canonical_names_stay(name):
    assert str(parse_variant(name)) == name


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", NotationError),
        ("2,3,12/7,11", NotationError),
        ("2,3,12/7,11/7/2", NotationError),
        ("2;3/7/7", NotationError),
        ("2,2/7/7", NotationError),
        ("5-3/7/7", NotationError),
        ("2,3/3,7/7", RulesError),
        ("2,3/7/8", RulesError),
        ("craps", NotationError),
        ("1-9999999999/7/7", NotationError),
        ("1" * 5000 + "/7/7", NotationError),
        ("\u0662/7/7", NotationError),
    ],
)
def test_bad_names(text, error):
    with pytest.raises(error):
        parse_variant(text)


def test_games_of_names():
    assert variant_game("2,3,12/7,11/7") == PointGame([7, 11], [2, 3, 12], 7)
    assert variant_game("3/7/3@d4+d6", "2d6").dice == parse_dice("d4+d6")
    with pytest.raises(RulesError, match="13"):
        variant_game("2,13/7/7")


@pytest.mark.parametrize("dice", ["2d4", "d4+d6", "d5{1,2,2,3,7}"])
def test_closed_forms_equal_the_chain(dice):
    family = Family(dice)
    step = max(1, family.size // 40)
    for variant in islice(family, 0, None, step):
        solution = solve(variant.game(dice))
        assert solution.p("natural") + solution.labels.get("point", 0) == variant.p_win(dice)
        rolls = solution.distribution("rolls")
        assert rolls.mean == variant.mean_rolls(dice)
        assert rolls.variance == variant.var_rolls(dice)
        assert variant.edge(dice) == solution.bet().edge


def test_craps_is_craps():
    craps = parse_variant("2,3,12/7,11/7")
    assert craps.p_win() == Fraction(244, 495)
    assert craps in Family("2d6")
    assert craps not in Family("2d6", labelling="canonical")
    assert explore(craps.game()) == explore(PointGame([7, 11], [2, 3, 12], 7))


def test_dice_in_every_form():
    weights = {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}
    law = {total: Fraction(w, 9) for total, w in weights.items()}
    forms = ["2d3", parse_dice("2d3"), parse_dice("2d3").totals.law, weights, law, Law(weights)]
    assert all(weights_of(form) == weights for form in forms)
    assert len({Family(form).size for form in forms}) == 1
    for bad in (7, {1: "x"}, {1: 0.5, 2: 0.5}, "3x6", "d3{H,T,-}", {"a": 1, "b": 2}, {1: -1}):
        with pytest.raises(SevenoutError):
            weights_of(bad)


@given(st.sets(st.integers(-30, 30)))
def test_set_names_say_every_total(totals):
    name = set_name(totals)
    if totals:
        assert parse_variant(f"{name}/99/99").craps == totals
    else:
        assert name == "none"


CONSTRAINTS = [
    {"craps": [2, 3, 4], "outs": [2, 5]},
    {"naturals": [5], "out_in": "naturals"},
    {"points": [3, 4, 6], "n_points": 2},
    {"symmetric": True, "n_craps": (2, 4)},
    {"labelling": "canonical", "out_in": "craps"},
    {"n_craps": (0, 1), "n_naturals": (0, 2)},
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
def test_a_family_is_its_definition(constraint):
    """Against filtering every assignment there is, one by one."""
    free = Family("2d4", n_craps=(0, None), n_naturals=(0, None))
    family = Family("2d4", **constraint)
    listed = list(family)
    assert len(listed) == len(set(listed)) == family.size
    assert {v for v in free if _meets(v, free.totals, constraint)} == set(listed)
    assert all(v in family for v in listed)
    assert sum(v in family for v in free) == family.size


def _meets(variant, totals, constraint):
    points = set(totals) - variant.craps - variant.naturals
    sets = {"craps": variant.craps, "naturals": variant.naturals, "points": points}
    for name, members in sets.items():
        if name in constraint and not members <= set(constraint[name]):
            return False
        bounds = constraint.get(f"n_{name}", (1, None))
        low, high = bounds if isinstance(bounds, tuple) else (bounds, bounds)
        if not low <= len(members) <= (len(totals) if high is None else high):
            return False
        if constraint.get("symmetric") and {10 - t for t in members} != members:
            return False
    if variant.out not in constraint.get("outs", totals):
        return False
    out_in = constraint.get("out_in")
    if out_in and variant.out not in sets[out_in]:
        return False
    if constraint.get("labelling") == "canonical":
        least = [min(sets[name]) for name in ("craps", "naturals", "points")]
        return least == sorted(least)
    return True


def test_the_articles_blocks():
    """The slice: the sets in the order of their least totals, out of either of the first two."""
    slice_ = Family("2d4", labelling="canonical")
    for variant in slice_:
        assert min(variant.craps) < min(variant.naturals) < min(variant.points("2d4"))


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"craps": [13]}, "13 in craps"),
        ({"outs": [1]}, "1 in outs"),
        ({"n_craps": (3, 2)}, r"n_craps=\(3, 2\)"),
        ({"n_points": 0}, "n_points=0"),
        ({"n_craps": [1, 2]}, r"n_craps=\[1, 2\]"),
        ({"n_craps": (1, "x")}, "n_craps="),
        ({"n_craps": (1, 2, 3)}, "n_craps="),
        ({"n_craps": (None, 2)}, "n_craps="),
        ({"craps": 7}, r"such as \[2, 3\]"),
        ({"out_in": "points"}, "out_in='points'"),
        ({"labelling": "first"}, "labelling='first'"),
        ({"dice": "d6{1,1,2,3,4,5}", "symmetric": True}, "mirrored"),
    ],
)
def test_wrong_constraints(arguments, match):
    with pytest.raises(RulesError, match=match):
        Family(**arguments)


@pytest.mark.parametrize(
    "family",
    [Family("2d6", craps=[2], naturals=[2]), Family("2d4", n_craps=9), Family("d2")],
    ids=str,
)
def test_an_impossible_family_is_empty(family):
    assert family.size == 0
    assert list(family) == []


def test_more_than_there_are_is_impossible():
    assert Family("2d4", n_craps=(9, None)) == Family("2d4", n_craps=9)


def count_all(family):
    return count(family, 0, 1)


def first(family):
    return next(between(family, 0, 1))


NO_DICE = [None, 3, 2.5, ["2d6"], "2x6", "d300,000", object(), {}, {2: "x"}]


@pytest.mark.parametrize("ask", [fairest, census, count_all, classes, first, Family, VariantTable])
@pytest.mark.parametrize("nonsense", NO_DICE)
def test_what_is_no_family_is_said_in_one_line(ask, nonsense):
    with pytest.raises(SevenoutError) as raised:
        ask(nonsense)
    assert len(str(raised.value).splitlines()) == 1
    assert len(str(raised.value)) < 400


def test_dice_will_do_for_a_family():
    assert fairest("2d4") == fairest(Family("2d4"))
    assert count_all("2d4") == len(census("2d4")) == classes("2d4").to_dict()["variants"] == 8_428
    assert str(first("2d4")) in map(str, Family("2d4"))
    assert VariantTable("2d4").query(top=0).matched == 8_428


@pytest.mark.parametrize(
    ("craps", "naturals", "out"),
    [(3, [7], 7), (None, [7], 7), ([2.5], [7], 7), (["2"], [7], 7), ([2], [7], "7"), ("x", "7", 7)],
)
def test_what_are_no_totals_is_said(craps, naturals, out):
    with pytest.raises(SevenoutError) as raised:
        Variant(craps, naturals, out)
    assert len(str(raised.value)) < 400


def test_totals_as_text():
    assert Variant("2-3,12", "7,11", 7) == Variant([2, 3, 12], [7, 11], 7)
    assert Family("2d6", craps="2,3,12", outs="7") == Family("2d6", craps=[2, 3, 12], outs=[7])


@pytest.mark.parametrize(
    ("dice", "constraints"),
    [
        ("1000d6", {}),
        ("2d10000", {}),
        ("d1000", {}),
        ("2d40", {}),
        ("2d40", {"n_craps": 3, "n_naturals": 4}),
        ("10d6", {}),
        ("10d10", {}),
        ("2d30", {"labelling": "canonical"}),
        ("d300", {"labelling": "canonical"}),
    ],
)
def test_what_would_take_too_long_is_refused_at_once(dice, constraints):
    with pytest.raises((TooManyVariantsError, TooMuchWorkError)) as raised:
        fairest(Family(dice, **constraints))
    assert len(str(raised.value)) < 400


def test_a_budget_is_kept():
    with budget(seconds=0.05), pytest.raises(TooMuchWorkError, match="the search of 2d20 would"):
        fairest("2d20")


def test_sizes_are_counted_without_the_variants():
    assert Family("2d40", n_craps=3, n_naturals=4).size == 7 * comb(79, 3) * comb(76, 4)
