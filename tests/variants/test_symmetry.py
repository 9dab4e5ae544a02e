"""Classes: by formula, by brute force, and what lies beyond swaps."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest

from sevenout.errors import RulesError
from sevenout.solving import solve
from sevenout.variants import Family, Variant, census, classes


def orbits_by_brute_force(family):
    """Union of images under every permutation of the group, one variant at a time."""
    blocks = classes(family).interchangeable_totals
    group = [
        dict(zip((t for b in blocks for t in b), (t for p in chosen for t in p), strict=True))
        for chosen in product(*(list(permutations(block)) for block in blocks))
    ]
    left, orbits = set(family), []
    while left:
        variant = next(iter(left))
        orbit = {
            Variant((g[t] for t in variant.craps), (g[t] for t in variant.naturals), g[variant.out])
            for g in group
        }
        orbits.append(orbit)
        left -= orbit
    return orbits, len(group)


@pytest.mark.parametrize(
    "family",
    [
        Family("2d3"),
        Family("2d4"),
        Family("3d2"),
        Family("d5"),
        Family("d2+d4"),
        Family("2d4", outs=[2, 5]),
        Family("2d4", craps=[2, 3, 4], out_in="craps"),
        Family("2d3", n_craps=(0, None)),
        Family({1: 2, 2: 2, 3: 2, 4: 1, 5: 1}),
    ],
    ids=str,
)
def test_orbits_both_ways(family):
    orbits, order = orbits_by_brute_force(family)
    found = classes(family)
    assert (found.n_orbits, found.group_order) == (len(orbits), order)
    for orbit in orbits[::7]:
        variant = min(orbit, key=str)
        assert set(found.members(variant)) == orbit
        assert found.class_size(variant) == len(orbit)
        assert len({found.class_key(member) for member in orbit}) == 1
        assert len({member.p_win(family.dice) for member in orbit}) == 1
        fixed = 1
        for part in found.stabiliser(variant):
            fixed *= len(list(permutations(part)))
        assert fixed * len(orbit) == order
    assert len({found.class_key(variant) for variant in family}) == len(orbits)


@pytest.mark.parametrize(
    "family",
    [
        Family("2d4", n_craps=2),
        Family("2d4", symmetric=True),
        Family("2d4", craps=[2, 3, 4], n_craps=2),
        Family("2d4", outs=[2, 5], n_points=(2, 3)),
        Family({1: 2, 2: 1, 3: 1, 4: 2}, points=[2, 3, 4], labelling="canonical"),
        Family({1: 3, 2: 1, 3: 1, 4: 3}, outs=[1, 2], out_in="craps", symmetric=True),
    ],
    ids=str,
)
def test_orbits_where_there_is_no_formula(family):
    orbits, _ = orbits_by_brute_force(family)
    assert classes(family).n_orbits == len(orbits)


@pytest.mark.parametrize(
    "family",
    [Family("2d4", points=[4, 5, 6]), Family("2d4", outs=[2, 5]), Family("2d4", craps=[2, 3, 4])],
    ids=str,
)
def test_the_tables_classes_keep_the_constraints(family):
    found = classes(family)
    everything = census(family)
    numbers, sizes = everything.classes
    assert len(sizes) == found.n_orbits
    for i in range(0, len(numbers), 7):
        assert sizes[numbers[i]] == found.class_size(everything.variant(i))


def test_an_empty_family_has_no_classes():
    found = classes(Family("2d4", naturals=[]))
    assert (found.n_orbits, found.n_laws, found.n_p_wins) == (0, 0, 0)


def pairs_by_burnside(n):
    """n totals in mirrored pairs of equal weight: the sum over the pairs that are swapped."""
    k = n // 2
    fixed = sum(
        comb(k, s) * 2 * (n - 2 * s) * (3 ** (n - s - 1) - 2 ** (n - s) + 1)
        for s in range(k + 1)
        if n > 2 * s
    )
    assert fixed % 2**k == 0
    return fixed // 2**k


@pytest.mark.parametrize("dice", ["2d2", "2d5", "2d6", "3d6", "2d12", "2d20"])
def test_burnside_over_every_swap(dice):
    family = Family(dice)
    assert classes(family).n_orbits == pairs_by_burnside(len(family.totals))


def test_the_articles_question():
    found = classes(Family("2d6"))
    assert (found.n_orbits, found.n_mirror_orbits, found.group_order) == (124_752, 627_202, 32)
    assert (found.n_laws, found.n_p_wins) == (31_998, 11_476)
    craps = Variant([2, 3, 12], [7, 11], 7)
    assert {str(v) for v in found.members(craps)} == {"2,3,12/7,11/7", "2,11,12/3,7/7"}
    slice_ = classes(Family("2d6", labelling="canonical"))
    twelve = slice_.equally_likely(Fraction(5039, 10080))
    assert [sum(map(len, law)) for law in twelve.laws] == [10, 2]
    assert len(twelve.classes) == 4
    assert {found.class_size(one[0]) for one in twelve.classes} == {8, 16}
    whole = found.equally_likely(Fraction(5039, 10080))
    assert sum(map(len, whole.classes)) == 104


def test_census_classes_are_the_orbits():
    family = Family("2d4")
    everything = census(family)
    numbers, sizes = everything.classes
    found = classes(family)
    by_number = defaultdict(set)
    for i, number in enumerate(numbers.tolist()):
        by_number[number].add(found.class_key(everything.variant(i)))
        assert sizes[number] == found.class_size(everything.variant(i))
    assert all(len(keys) == 1 for keys in by_number.values())
    assert len(by_number) == found.n_orbits


@pytest.mark.parametrize("dice", ["2d3", "d2+d3", "d4", "d5{1,2,2,3,3}"])
def test_laws_are_joint_laws(dice):
    """Two variants have one law key exactly when result and rolls agree, roll by roll."""
    family = Family(dice)
    found = classes(family)
    laws = defaultdict(set)
    for variant in family:
        laws[joint_law(variant, dice)].add(found.law_key(variant))
    assert all(len(keys) == 1 for keys in laws.values())
    assert len(laws) == found.n_laws


def joint_law(variant, dice, rolls=24):
    """P(win on roll n), P(lose on roll n), for more rolls than there are geometric parts."""
    game = variant.game(dice)
    law = game.dice.totals.law
    first_win = sum(law[t] for t in variant.naturals)
    first_loss = sum(law[t] for t in variant.craps)
    terms = [(first_win, first_loss)]
    waiting = {p: law[p] for p in game.points}
    for _ in range(rolls):
        terms.append(
            (
                sum(w * law[p] for p, w in waiting.items()),
                sum(w * law[variant.out] for w in waiting.values()),
            )
        )
        waiting = {p: w * (1 - law[p] - law[variant.out]) for p, w in waiting.items()}
    return tuple(terms)


def test_joint_law_is_the_chains():
    variant = Variant([2, 3, 12], [7, 11], 7)
    rolls = solve(variant.game()).distribution("rolls")
    for n, (won, lost) in enumerate(joint_law(variant, "2d6", 6), 1):
        assert rolls.pmf(n) == won + lost


def test_no_mirror():
    with pytest.raises(RulesError, match="mirror"):
        _ = classes(Family("d4{1,1,2,3}")).n_mirror_orbits
    with pytest.raises(RulesError, match="mirror"):
        _ = classes(Family("2d4", labelling="canonical")).n_mirror_orbits


@pytest.mark.parametrize("dice", ["2d3", "2d4", "3d2", "d6"])
def test_mirror_by_brute_force(dice):
    family = Family(dice)
    low, high = family.totals[0], family.totals[-1]

    def mirrored(variant):
        turn = low + high
        return Variant(
            (turn - t for t in variant.craps),
            (turn - t for t in variant.naturals),
            turn - variant.out,
        )

    pairs = {min(str(v), str(mirrored(v))) for v in family}
    assert classes(family).n_mirror_orbits == len(pairs)


@pytest.mark.parametrize(
    "figure",
    [
        lambda of, one: of.class_size(one),
        lambda of, one: list(of.members(one)),
        lambda of, one: of.class_key(one),
        lambda of, one: of.stabiliser(one),
    ],
)
def test_a_variant_of_other_totals_has_no_class(figure):
    with pytest.raises(RulesError, match="2d6 has no total 16; leave it out"):
        figure(classes(Family("2d6")), Variant([2, 3, 16], [7, 11], 7))
