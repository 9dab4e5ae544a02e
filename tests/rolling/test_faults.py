"""Faults: exact against finite differences, sampling and the source's claims."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import dice as any_dice
from tests.conftest import laws

from sevenout.errors import RulesError
from sevenout.rolling import (
    Dice,
    Die,
    Fault,
    Law,
    Rerolled,
    chi_square_distance,
    comparison,
    designs,
    distortion,
    faulty_dice,
    faulty_law,
    mean_change,
    one_die,
    parse_dice,
    random_faults,
    sensitivity,
    shares_law,
    tatham,
    total_variation,
    worst,
    worst_together,
)
from sevenout.rolling.faults import find_face
from sevenout.rules import PointGame
from sevenout.solving import solve

F = Fraction
RESULTS_WITHOUT_7 = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]


def column(effects, die, face):
    return [row[effects.faces.index((die, face))] for row in effects.matrix]


# What the source says


def test_25_percent_more_often():
    """An 8 rolled 25 % more often than the 6 is so in the totals, with and without the 7."""
    for dice in (tatham(6), tatham(6, without=7)):
        eight = find_face(dice, 0, "8")._replace(share=F(1, 4))
        law = faulty_law(dice.totals, [eight])
        assert law[8] / law[6] == F(5, 4)
        assert faulty_dice(dice, [eight]).totals.law == law


def test_one_sixth_as_much():
    """A 3 that is likelier on one of 2d6: each of 4 to 9 gains a sixth of that, before the losses
    of the other faces, which leave the 7 exactly as it was."""
    plain, gain = parse_dice("2d6"), F(1, 100)
    share = 6 * gain / (F(5, 6) - gain)  # adds `gain` to the probability of the 3
    law = faulty_law(plain.totals, [Fault(0, 2, share)])
    die = faulty_dice(plain, [Fault(0, 2, share)]).dice[0].law
    assert die[3] == F(1, 6) + gain
    through_the_three = {t: gain / 6 if 4 <= t <= 9 else F(0) for t in range(2, 13)}
    through_others = {
        t: -gain / 30 * sum(1 for f in (1, 2, 4, 5, 6) if 1 <= t - f <= 6) for t in range(2, 13)
    }
    change = {t: law[t] - plain.totals.law[t] for t in range(2, 13)}
    assert change == {t: through_the_three[t] + through_others[t] for t in range(2, 13)}
    assert {t: change[t] / gain for t in range(2, 8)} == {
        2: F(-1, 30), 3: F(-1, 15), 4: F(1, 10), 5: F(1, 15), 6: F(1, 30), 7: 0,
    }  # fmt: skip


def test_the_d30_has_few_faces_at_its_ends_and_many_in_the_middle():
    effects = sensitivity(designs()["relabelled d30"])
    relative = {
        result: max(row) / p
        for (result, p), row in zip(effects.law.items(), effects.matrix, strict=True)
    }
    assert relative[2] == F(29, 30)
    assert relative[8] == F(1, 6)


# Exactness


@given(any_dice, st.data())
def test_one_fault_of_any_size_is_exact(dice, data):
    die = data.draw(st.integers(0, len(dice) - 1))
    face = data.draw(st.integers(0, len(dice.dice[die].faces) - 1))
    share = data.draw(st.fractions(F(-1, 2), 2, max_denominator=20))
    effects = sensitivity(dice.totals)
    k = effects.faces.index((die, face))
    assert effects.faulty_law(k, share) == faulty_law(dice.totals, [Fault(die, face, share)])


@given(any_dice)
def test_sensitivities_conserve_probability(dice):
    effects = sensitivity(dice.totals)
    assert all(sum(column) == 0 for column in zip(*effects.matrix, strict=True))
    for die in range(len(dice)):  # all faces of a die heavier alike change nothing
        own = [k for k, (d, _) in enumerate(effects.faces) if d == die]
        assert all(sum(row[k] for k in own) == 0 for row in effects.matrix)
        assert sum(effects.face_probabilities[k] for k in own) == 1


@pytest.mark.parametrize("name", designs())
def test_sensitivities_are_derivatives(name):
    rollable = designs()[name]
    effects, tiny = sensitivity(rollable), F(1, 10**9)
    for k, (die, face) in enumerate(effects.faces):
        law = faulty_law(rollable, [Fault(die, face, tiny)])
        for p, q, row in zip(
            effects.law.values(), map(law.p, effects.law), effects.matrix, strict=True
        ):
            assert abs((q - p) / tiny - row[k]) < F(1, 10**8)


@given(laws, laws)
def test_distances(p, q):
    assert total_variation(p, q) == total_variation(q, p)
    assert (total_variation(p, q) == 0) == (p == q)
    if set(q) <= set(p):
        assert chi_square_distance(p, q) >= 4 * total_variation(p, q) ** 2  # Cauchy and Schwarz
    else:
        with pytest.raises(RulesError, match="has probability 0 in the distribution"):
            chi_square_distance(p, q)
        with pytest.raises(RulesError, match="has probability 0 in the distribution"):
            distortion(p, q)
    if set(p) == set(q):
        ratio = distortion(p, q)
        assert ratio.times == (q[ratio.high] / p[ratio.high]) / (q[ratio.low] / p[ratio.low]) >= 1


@given(st.fractions(F(-3, 4), 3, max_denominator=12))
def test_the_worst_of_one_face(share):
    dice = tatham(6, without=7)
    places = [(d, f) for d, die in enumerate(dice.dice) for f in range(len(die.faces))]
    laws = {p: faulty_law(dice.totals, [Fault(*p, share)]) for p in places}
    worst_fault, fair = worst(dice.totals, share), dice.totals.law
    assert worst_fault.variation == max(total_variation(fair, law) for law in laws.values())
    assert worst_fault.chi_square == max(chi_square_distance(fair, law) for law in laws.values())
    assert worst_fault.ratio.times == max(distortion(fair, law).times for law in laws.values())
    for measure, fault in zip(
        (total_variation, chi_square_distance), worst_fault.faults, strict=False
    ):
        law = faulty_law(dice.totals, [fault])
        assert measure(fair, law) == (
            worst_fault.variation if measure is total_variation else worst_fault.chi_square
        )


def every_corner(rollable, share):
    """All faces wrong by the share, either way: every way there is, alike faces told apart."""
    places = [(d, f) for d, source in enumerate(rollable.sources) for f in range(len(source.faces))]
    for signs in product((1, -1), repeat=len(places)):
        yield [Fault(d, f, s * share) for (d, f), s in zip(places, signs, strict=True)]


@pytest.mark.parametrize(
    "dice", [Die([1, 1, 1, 2, 2, 3]), tatham(4, without=5).totals, parse_dice("d3+d4").totals]
)
def test_the_worst_of_all_faces_together(dice):
    share = F(1, 3)
    low, high = sorted(dice.law)[:2]
    worst_cases = worst_together(dice, share, (high, low))
    free = worst_together(dice, share)[2]
    laws = [faulty_law(dice, faults) for faults in every_corner(dice, share)]
    ratios = [law[high] / law[low] / (dice.law[high] / dice.law[low]) for law in laws]
    assert worst_cases[0][0] == max(total_variation(dice.law, law) for law in laws)
    assert worst_cases[1][0] == max(chi_square_distance(dice.law, law) for law in laws)
    assert worst_cases[2][0] == max(*ratios, *(1 / r for r in ratios))
    assert free[0] == max(distortion(dice.law, law).times for law in laws)
    measures = total_variation, chi_square_distance
    for (value, faults), measure in zip(worst_cases, measures, strict=False):
        assert value == measure(dice.law, faulty_law(dice, faults))


@given(st.lists(st.fractions(F(-1, 4), F(1, 4), max_denominator=50), min_size=12, max_size=12))
def test_no_fault_within_the_share_is_worse(shares):
    dice = parse_dice("2d6").totals
    faults = [Fault(k // 6, k % 6, share) for k, share in enumerate(shares)]
    law = faulty_law(dice, faults)
    assert total_variation(dice.law, law) <= F(25, 192)
    assert chi_square_distance(dice.law, law) <= F(1580, 14641)
    assert F(57, 77) <= law[8] / law[6] <= F(77, 57)


def test_the_worst_of_2d6_together():
    variation, chi, ratio = worst_together(parse_dice("2d6").totals, F(1, 4), (8, 6))
    assert (variation[0], chi[0], ratio[0]) == (F(25, 192), F(1580, 14641), F(77, 57))
    for wrong, message in [
        (lambda: worst_together(Die.standard(6), F(1)), "share=1"),
        (lambda: worst_together(Die.standard(30), F(1, 4)), "1,073,741,824 corners"),
        (lambda: worst_together(Die.standard(6), F(1, 4), (6, 7)), "7 can't be rolled"),
    ]:
        with pytest.raises(RulesError, match=message):
            wrong()


# The designs


def test_all_designs_have_one_law():
    plain = parse_dice("2d6").totals
    less = Law.of_probabilities({t: p for t, p in plain.law.items() if t != 7})
    for name, rollable in designs().items():
        whole = name in ("2d6", "ranked pair")
        assert rollable.law == (plain.law if whole else less), name


@pytest.mark.parametrize("sides", range(3, 13))
def test_fragility_in_closed_form(sides):
    """Ranked dice are (N + 1) / 2 times as fragile as ordinary ones; d30 and d6 + d5 are alike."""
    n = F(sides)
    fragility = dict(
        zip(
            ("plain", "ranked", "rerolled", "less", "painted", "added", "single"),
            (sensitivity(r).fragility for r in designs(sides).values()),
            strict=True,
        )
    )
    assert fragility["plain"] == (2 * n - 2) / n**2
    assert fragility["ranked"] == (n**2 - 1) / n**2 == fragility["plain"] * (n + 1) / 2
    assert fragility["added"] == fragility["single"] == (2 * n - 3) / (n * (n - 1))
    assert fragility["less"] == 1 - 1 / (n * (n - 1))
    assert fragility["added"] < fragility["rerolled"] < fragility["painted"] < fragility["less"]


def test_the_comparison():
    faulty_designs = comparison(designs(), F(1, 4), rolls=lambda p, q: len(p))
    effects = {effect.name: effect for effect in faulty_designs}
    assert {name: str(effect.fragility) for name, effect in effects.items()} == {
        "2d6": "5/18",
        "ranked pair": "35/36",
        "re-rolled 2d6": "1/3",
        "ranked, 7 left off": "29/30",
        "ranked on d6 and d10": "23/30",
        "d6 + d5, one added": "3/10",
        "relabelled d30": "3/10",
    }
    assert effects["ranked pair"].rolls == 11
    assert effects["relabelled d30"].rolls == 10
    for effect in effects.values():
        assert chi_square_distance(effect.sensitivity.law, effect.faulty) == effect.worst.chi_square
    assert comparison({"d6": Die.standard(6)}, F(1, 4))[0].rolls is None


def test_rerolling_and_one_die():
    plain = parse_dice("2d6").totals
    rerolled = Rerolled(plain, 7)
    assert list(one_die(rerolled.law).faces) == sorted(
        t for t in RESULTS_WITHOUT_7 for _ in range(int(plain.law[t] * 36))
    )
    with pytest.raises(RulesError, match="would never end"):
        Rerolled(Die([7, 7]), 7)


def test_a_game_with_faulty_dice():
    """Craps with an 8 that is too heavy on the even die: exact, and no longer 244/495."""

    def craps(dice):
        return PointGame([7, 11], [2, 3, 12], out=7, dice=dice)

    def wins(dice):
        solution = solve(craps(dice))
        return solution.p("natural") + solution.p("point")

    fault = find_face(tatham(), 0, "8")._replace(share=F(1, 4))
    assert wins(faulty_dice(tatham(), [])) == F(244, 495)
    assert wins(faulty_dice(tatham(), [fault])) != F(244, 495)


# Random faults


def test_the_law_of_shares():
    for deviation in (F(1, 100), F(1, 20), F(1, 10)):
        law = shares_law(deviation)
        assert (law.mean, law.variance) == (0, deviation**2)
        assert min(law) > -1
    for wrong in (0, F(1, 8), -1):
        with pytest.raises(RulesError, match="standard deviation"):
            shares_law(wrong)
    with pytest.raises(RulesError, match="inexact"):
        shares_law(0.05)
    for steps in (0, -1):
        with pytest.raises(RulesError, match=f"steps={steps}; give 1 or more"):
            shares_law(F(1, 20), steps)


def test_shares_are_exact():
    with pytest.raises(RulesError, match="inexact"):
        worst(Die.standard(6), 0.1)
    assert worst(Die.standard(6), "10%") == worst(Die.standard(6), F(1, 10))


def test_random_faults_are_seeded():
    dice, law = tatham(6), shares_law(F(1, 20))
    faults = random_faults(dice, law, seed=7)
    assert len(faults) == 12
    assert faults == random_faults(dice, law, seed=7) != random_faults(dice, law, seed=8)
    assert faulty_law(dice.totals, faults) == faulty_dice(dice, faults).totals.law
    with pytest.raises(RulesError, match="share=-1"):
        random_faults(dice, Law({-1: 1, 1: 1}), seed=1)
    # Python's generator takes -7 for 7, and another seed each time for None
    for seed in (-7, None):
        with pytest.raises(RulesError, match=f"seed={seed}; give 0 or more"):
            random_faults(dice, law, seed=seed)


@pytest.mark.parametrize("name", designs())
def test_the_sampled_mean_is_the_fragility(name):
    """To second order. One false alarm in 15,000 per design, and a seed that raises none; the terms
    of fourth order are less than 5 % at this size of fault."""
    rollable, deviation = designs()[name], F(1, 50)
    mean, error = mean_change(rollable, shares_law(deviation), draws=20_000, seed=5).chi_square
    expected = float(sensitivity(rollable).fragility * deviation**2)
    assert abs(mean - expected) < 4 * error + 0.05 * expected


def test_the_mean_over_few_faults_is_exact_by_enumeration():
    """Faults of a tenth either way on each face of a d4: 16 cases, against the sample."""
    die, cases = Die.standard(4), []
    for signs in range(16):
        faults = [Fault(0, f, F(1 if signs >> f & 1 else -1, 10)) for f in range(4)]
        law = faulty_law(die, faults)
        cases.append((total_variation(die.law, law), chi_square_distance(die.law, law)))
    exact = [float(sum(case[k] for case in cases) / 16) for k in (0, 1)]
    sampled = mean_change(die, Law({F(1, 10): 1, F(-1, 10): 1}), draws=20_000, seed=3)
    for (mean, error), truth in zip(sampled, exact, strict=False):  # 4 sigma: 1 in 15,000
        assert abs(mean - truth) < 4 * error


def test_bad_input_is_named():
    pair = parse_dice("2d6")
    for wrong, message in [
        (lambda: faulty_law(pair, [Fault(2, 0, F(1))]), "no face 0 on die 2"),
        (lambda: faulty_law(pair, [Fault(0, 0, F(-1))]), "share=-1"),
        (lambda: worst(pair.totals, F(-2)), "share=-2"),
        (
            lambda: find_face(pair, 0, "9"),
            "no face shows 9; those of this die show 1, 2, 3, 4, 5, 6",
        ),
        (lambda: find_face(pair, 3, "1"), "die 3 of 2"),
        (lambda: mean_change(pair, shares_law(F(1, 20)), draws=1), "draws=1"),
        (lambda: mean_change(pair, shares_law(F(1, 20)), seed=-1), "seed=-1"),
        (lambda: designs(2), "2 sides"),
        (lambda: distortion(Law({1: 1, 2: 1}), Law({1: 1})), "has probability 0 with this fault"),
    ]:
        with pytest.raises(RulesError, match=message):
            wrong()


def test_a_blank_face_has_a_place():
    assert find_face(tatham(6), 1, "blank").face == 0
    assert Dice(tatham(6).dice).dice[1].faces[0].value is None


def test_a_result_that_can_not_be_is_no_distortion() -> None:
    fair = Law({1: 1, 2: 1})
    with pytest.raises(RulesError, match="3 has probability 0 in the distribution"):
        distortion(fair, Law({1: 1, 2: 1, 3: 1}))
    with pytest.raises(RulesError, match="give more than -1"):
        sensitivity(parse_dice("d2").totals).faulty_law(0, Fraction(-3))
