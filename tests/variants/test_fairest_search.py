"""The clever ways against enumeration, on every small family."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.variants import (
    Family,
    TooManyVariantsError,
    around,
    between,
    census,
    count,
    fairest,
    half_sums,
    interval_counts,
)

HALF = Fraction(1, 2)
SMALL = ["2d2", "2d3", "2d4", "2d5", "d4+d6", "d3+d5", "3d3", "d7", "d2+d3", "d6{1,1,2,3,5,8}"]
CONSTRAINTS = [
    {},
    {"labelling": "canonical"},
    {"symmetric": True},
    {"out_in": "craps"},
    {"out_in": "naturals", "n_craps": (0, None)},
    {"n_craps": 2, "n_naturals": (1, 2)},
    {"n_points": (2, 3)},
    {"n_craps": (0, None), "n_naturals": (0, None)},
    {"symmetric": True, "labelling": "canonical"},
    {"symmetric": True, "n_craps": 2},
]


def laws():
    """A few totals with random weights, some of them equal, some of them heavy."""
    weight = st.one_of(st.integers(1, 6), st.integers(1, 60), st.integers(1, 10**6))
    return st.lists(weight, min_size=3, max_size=5).map(lambda ws: dict(enumerate(ws, 2)))


@st.composite
def families(draw):
    dice = draw(laws())
    totals = list(dice)
    some = st.none() | st.sets(st.sampled_from(totals), min_size=2)
    return Family(
        dice,
        craps=draw(some),
        naturals=draw(some),
        points=draw(some),
        outs=draw(some),
        out_in=draw(st.sampled_from(["either", "naturals", "craps"])),
        n_craps=draw(st.sampled_from([None, None, 1, (0, 2), (0, None)])),
        labelling=draw(st.sampled_from(["all", "all", "canonical"])),
    )


def brute(family):
    """How many variants have each win probability, by the definition alone."""
    ways, found = family.ways, Counter()
    for variant in family:
        out = ways[variant.out]
        points = set(ways) - variant.craps - variant.naturals
        made = sum(Fraction(ways[t] ** 2, ways[t] + out) for t in points)
        found[(sum(ways[t] for t in variant.naturals) + made) / family.denominator] += 1
    return found


def check(family, table=None):
    table = brute(family) if table is None else table
    assert family.size == sum(table.values())
    below = [p for p in table if p < HALF]
    above = [p for p in table if p > HALF]
    for side, found in (("below", below), ("above", above), ("nearest", list(table))):
        if not found:
            with pytest.raises(RulesError, match="no variant has"):
                fairest(family, side=side)
            continue
        best = fairest(family, side=side)
        assert abs(best.p_win - HALF) == min(abs(p - HALF) for p in found)
        assert best.multiplicity == table[best.p_win]
        variants = list(best)
        assert len(set(variants)) == len(variants) == best.multiplicity
        assert all(v in family and v.p_win(family.dice) == best.p_win for v in variants)
        if side == "below":
            assert count(family, best.p_win, HALF, ends="neither") == 0
    assert count(family, 0, 1) == family.size
    if table:
        sides = around(family)
        assert (sides.below is None, sides.above is None) == (not below, not above)
        assert sides.below is None or sides.below.p_win == max(below)
        assert sides.above is None or sides.above.p_win == min(above)
        assert (sides.at.multiplicity if sides.at else 0) == table.get(HALF, 0)
        assert sides.nearest.distance == min(abs(p - HALF) for p in table)


@pytest.mark.parametrize("dice", SMALL)
@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
def test_clever_equals_brute(dice, constraint):
    weights = Family(dice).weights
    if constraint.get("symmetric") and weights != weights[::-1]:
        with pytest.raises(RulesError, match="mirrored"):
            Family(dice, **constraint)
        return
    family = Family(dice, **constraint)
    if family.size > 20_000:
        family = Family(dice, **constraint, outs=family.totals[2:3])
    check(family)


@given(families(), st.fractions(0, 1), st.fractions(0, 1), st.sampled_from(["both", "neither"]))
@settings(max_examples=60, deadline=None)
def test_any_law(family, low, high, ends):
    table = brute(family)
    check(family, table)
    low, high = sorted((low, high))
    if low == high:
        ends = "both"
    inside = {
        p: n for p, n in table.items() if low < p < high or (ends == "both" and p in (low, high))
    }
    assert count(family, low, high, ends=ends) == sum(inside.values())
    found = Counter(v.p_win(family.dice) for v in between(family, low, high, ends=ends))
    assert found == inside


def test_a_small_family_is_never_too_much():
    """Its search was estimated at 60 seconds; there are 8 variants to try."""
    dice = {2: 1, 3: 6944, 4: 1}
    check(Family(dice, naturals={2, 3}, n_naturals=(1, None), labelling="canonical"))


@pytest.mark.parametrize("dice", ["2d6", "2d7", "d4+d8", "d5+d9"])
def test_census_agrees(dice):
    family = Family(dice)
    histogram = census(family).histogram
    table = dict(histogram.items())
    best = max(p for p in table if p < HALF)
    found = fairest(family)
    assert (found.p_win, found.multiplicity) == (best, table[best])
    assert count(family, HALF, HALF) == table.get(HALF, 0)
    for low, high in (("244/495", "1/2"), ("0.3", "0.31"), ("49/100", "99/200")):
        inside = sum(n for p, n in table.items() if Fraction(low) <= p <= Fraction(high))
        assert count(family, low, high) == inside
    assert sum(1 for _ in between(family, "0.4999", "0.5001")) == sum(
        n for p, n in table.items() if abs(p - HALF) <= Fraction(1, 10_000)
    )


@pytest.mark.parametrize("method", ["sparse", "dense"])
@pytest.mark.parametrize("dice", ["2d6", "d4+d6", "3d4", "2d8"])
def test_methods_agree(monkeypatch, method, dice):
    family = Family(dice)
    expected = [count(family, low, "1/2") for low in ("0.25", "0.49", "0.4999")]
    few = {"sparse": 10**9, "dense": 0}[method]
    monkeypatch.setattr(interval_counts, "FEW_SUMS", few)
    monkeypatch.setattr(interval_counts, "MANY_CHOICES", 0)
    assert [count(family, low, "1/2") for low in ("0.25", "0.49", "0.4999")] == expected
    best = fairest(family)
    exact = best.multiplicity
    for module in (interval_counts, half_sums):
        monkeypatch.setattr(module, "HEAVY", 0)  # the search by sparse sums
    assert fairest(family) == best
    assert exact == count(family, best.p_win, best.p_win)


@pytest.mark.parametrize("limb", [1 << 12, 1 << 20])
@pytest.mark.parametrize("dice", ["2d6", "2d8", "3d6", "d4+d6"])
def test_rounded_keys_lose_nothing(monkeypatch, limb, dice):
    """With far too few bits for exact keys the answers are the same: the slack is a bound."""
    from sevenout.variants import residues

    family = Family(dice)
    best = fairest(family)
    expected = best.p_win, best.multiplicity, set(best)
    near = set(islice(between(family, "0.49999", "1/2", ends="low"), 3000))
    monkeypatch.setattr(residues, "SAFE_INT64", limb)
    again = fairest(family)
    assert (again.p_win, again.multiplicity, set(again)) == expected
    assert (
        set(islice(between(family, "0.49999", "1/2", ends="low"), 3000)) == near or len(near) > 2999
    )


KNOWN = [
    # dice, variants, fairest below 1/2, attained by
    ("2d6", 1_254_044, "5669/11340", 80),
    ("2d7", 13_604_500, "12127/24255", 920),
    ("2d8", 142_506_060, "74879/149760", 56),
    ("3d6", 457_067_904, "200927/401856", 64),
    ("2d10", 14_702_055_676, "2651999/5304000", 2_888),
    ("4d6", 146_356_864_500, "230946637045/461893280256", 240),
    ("2d12", 1_443_142_866_092, "6168959/12337920", 56_576),
    ("5d6", 44_055_518_030_160, "13384993328615768927/26769986659581998976", 512),
    ("2d16", 12_765_117_045_882_124, "934556313283/1869112627200", 1_532_416),
    ("2d20", 105_366_391_097_539_899_756, "113257688543663/226515377088000", 945_510_400),
]


def test_the_fairest_on_every_side():
    """1,521 variants are exactly fair, and no search below one half may hide them."""
    sides = around("2d6")
    assert [(str(best.p_win), best.multiplicity) for best in sides.by_side.values()] == [
        ("5669/11340", 80),
        ("1/2", 1_521),
        ("4537/9072", 4),
    ]
    assert sides.nearest is sides.at
    only = around(Family("2d6", points=[4, 10], craps=[2, 3, 12], outs=[7]), "0.99")
    assert only.above is only.at is None
    assert "none" in str(only)
    with pytest.raises(RulesError, match="no variants"):
        around(Family("2d6", craps=[2], naturals=[2]))
    with pytest.raises(TooMuchWorkError, match="the search of 3d20 would take about"):
        around("3d20")  # each search is within the budget, but three and a count are not


FEW_FREE = [
    {"outs": [7], "craps": [2, 3, 12, 79, 80]},
    {"outs": [7], "naturals": [2, 3, 41, 80], "out_in": "craps"},
    {"craps": [2, 3, 12]},
    {"n_craps": 3},
]


@pytest.mark.parametrize("constraint", FEW_FREE, ids=str)
def test_a_hopeless_search_says_so_at_once(constraint):
    with pytest.raises(SevenoutError) as raised:
        fairest(Family("2d40", **constraint))
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(("dice", "size", "p_win", "multiplicity"), KNOWN)
def test_known_answers(dice, size, p_win, multiplicity):
    family = Family(dice)
    best = fairest(family)
    assert (family.size, best.p_win, best.multiplicity) == (size, Fraction(p_win), multiplicity)
    assert all(v in family and v.p_win(dice) == best.p_win for v in best.first(5))
    n = len(family.totals)
    assert family.size == 2 * n * (3 ** (n - 1) - 2**n + 1)


@pytest.mark.parametrize("dice", ["2d6", "2d8", "4d6", "2d16"])
def test_nothing_between_fairest_and_half(dice):
    family = Family(dice)
    best = fairest(family)
    assert count(family, best.p_win, HALF, ends="neither") == 0
    assert count(family, best.p_win, HALF, ends="low") == best.multiplicity


def test_the_articles_figures():
    whole, slice_ = Family("2d6"), Family("2d6", labelling="canonical")
    craps = Fraction(244, 495)
    assert (whole.size, slice_.size) == (1_254_044, 229_858)
    best = fairest(slice_)
    assert (best.p_win, best.multiplicity) == (Fraction(5039, 10080), 12)
    share = Fraction(count(slice_, craps, HALF, ends="neither"), slice_.size)
    assert f"{100 * float(share):.8f}" == "1.62100079"
    assert count(whole, craps, HALF, ends="neither") == 21_529
    assert count(whole, HALF, HALF) == 1_521
    assert count(whole, craps, craps) == 31
    histogram = census(whole).histogram
    assert len(histogram) == 11_476
    assert histogram[HALF] == 1_521
    assert all(variant in whole for variant in islice(slice_, 0, None, 97))


def test_other_targets():
    family = Family("2d6")
    table = dict(census(family).histogram.items())
    for target in (Fraction(1, 3), Fraction(99, 200), Fraction(5669, 11340)):
        assert fairest(family, target).p_win == max(p for p in table if p < target)
        assert fairest(family, target, "above").p_win == min(p for p in table if p > target)
        nearest = fairest(family, target, "nearest")
        assert nearest.distance == min(abs(p - target) for p in table)
    assert fairest(family, Fraction(1, 2), "nearest").multiplicity == 1_521


def test_wide_arithmetic():
    """Steps whose common denominator has far more than 62 bits."""
    primes = [101, 103, 107, 109, 113, 127, 131, 137]
    family = Family(dict(enumerate(primes, 2)), outs=[4])
    table = brute(family)
    check(family, table)
    huge = Family({t: p**6 for t, p in enumerate(primes[:6], 2)})
    check(huge)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda f: fairest(f, 0.5), "float"),
        (lambda f: fairest(f, "3/2"), "from 0 to 1"),
        (lambda f: fairest(f, "x"), "not a number"),
        (lambda f: fairest(f, "1/0"), "not a number"),
        (lambda f: fairest(f, side="best"), "'below'"),
        (lambda f: count(f, "1/2", "1/3"), "smaller first"),
        (lambda f: count(f, "1/2", "1/2", ends="neither"), "ends='neither' leaves nothing"),
        (lambda f: fairest(f, "1e999999999999"), "not a number"),
        (lambda f: fairest(f, "1" * 5000), "not a number"),
        (lambda f: count(f, 0, Decimal("inf")), "not a number"),
        (lambda f: count(f, 0, 1, ends="left"), "ends='left'"),
        (lambda f: list(between(f, 1, 0)), "smaller first"),
    ],
)
def test_errors_name_the_value(call, match):
    with pytest.raises(SevenoutError, match=match) as raised:
        call(Family("2d4"))
    assert "\n" not in str(raised.value)


def test_too_many_is_said():
    sized = Family("2d20", n_craps=(10, 12), n_naturals=(10, 12))
    with pytest.raises(TooManyVariantsError, match="constrain the family"):
        count(sized, "0.49", "0.5")
    with pytest.raises(TooManyVariantsError, match="constrain the family"):
        count(Family("2d40"), "0.49", "0.5")
    with pytest.raises(TooManyVariantsError, match="use fairest"):
        census(Family("2d20"))
