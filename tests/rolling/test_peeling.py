"""All ranked pairs: two ways to count them, and each proved equal in distribution."""

from collections import Counter
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.errors import RulesError
from sevenout.rolling import (
    Law,
    best_pair,
    leave_off,
    parse_dice,
    peel,
    ranked_pairs,
    red_number,
    red_numbers,
    sensitivity,
    tatham,
    totals_and_red,
)
from sevenout.rolling.peeling import pair_classes
from sevenout.rolling.ranked import grid

UNEVEN = [(2, 2), (2, 3), (2, 6), (3, 3), (3, 5), (4, 4), (4, 6), (4, 8), (5, 5), (6, 6), (6, 8),
          (4, 20), (6, 16)]  # fmt: skip


def by_any_order(target, rows, columns):
    """All grids by peeling lines in any order, one at a time: the same grid many times over."""
    found = set()
    cells = [[0] * columns for _ in range(rows)]
    law = parse_dice(target).totals.law
    left = {t: w * rows * columns // law.denominator for t, w in zip(law, law.weights, strict=True)}

    def peel_one(i, j):
        if i == rows or j == columns:
            found.add(peel(cells).levels)
            return
        for value in list(left):
            if left[value] >= columns - j:
                left[value] -= columns - j
                cells[i][j:] = [value] * (columns - j)
                peel_one(i + 1, j)
                left[value] += columns - j
            if left[value] >= rows - i:
                left[value] -= rows - i
                for k in range(i, rows):
                    cells[k][j] = value
                peel_one(i, j + 1)
                left[value] += rows - i

    peel_one(0, 0)
    return found


def by_all_arrangements(target, rows, columns):
    """All grids by trying every arrangement of the totals: no idea of peeling but in the check."""
    law = parse_dice(target).totals.law
    left = dict(zip(law, law.weights, strict=True))
    cells, found = [], set()

    def fill():
        if len(cells) == rows * columns:
            pair = peel([cells[i : i + columns] for i in range(0, len(cells), columns)])
            if pair is not None:
                found.add(pair.levels)
            return
        for value in list(left):
            if left[value]:
                left[value] -= 1
                cells.append(value)
                fill()
                cells.pop()
                left[value] += 1

    fill()
    return found


@pytest.mark.parametrize(("rows", "columns"), UNEVEN)
def test_the_formula(rows, columns):
    pairs = ranked_pairs(f"d{rows}+d{columns}")
    assert len(pairs) == len(set(pairs)) == (columns - rows + 2) * 3 ** (rows - 2)


@pytest.mark.parametrize(
    ("target", "rows", "columns"),
    [("2d2", 2, 2), ("d2+d4", 2, 4), ("2d3", 3, 3), ("2d4", 4, 4), ("d3+d4", 3, 4),
     ("2d6", 6, 6), ("2d6", 4, 9), ("2d2", 4, 4), ("2d3", 3, 6), ("3d2", 2, 4)],
)  # fmt: skip
def test_the_count_by_peeling_in_any_order(target, rows, columns):
    pairs = ranked_pairs(target, rows, columns)
    assert {pair.levels for pair in pairs} == by_any_order(target, rows, columns)
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (2, 4), (3, 3)])
def test_the_count_by_all_arrangements(rows, columns):
    target = f"d{rows}+d{columns}"
    found = by_all_arrangements(target, rows, columns)
    assert {pair.levels for pair in ranked_pairs(target)} == found


def test_the_classes_of_two_dice():
    pairs = ranked_pairs("2d6")
    assert [len(pairs), len(pair_classes(pairs)), len(pair_classes(pairs, reflect=True))] == [
        162,
        81,
        41,
    ]


@pytest.mark.parametrize(
    ("target", "sides"),
    [("2d6", (6, 6)), ("d4+d6", (4, 6)), ("2d6", (4, 9)), ("2d5", (5, 5)), ("d3+d8", (3, 8))],
)
def test_every_pair_has_the_law_of_its_target(target, sides):
    law = parse_dice(target).totals.law
    for pair in ranked_pairs(target, *sides):
        assert pair.law == law
        assert peel(pair.grid) == pair
        for total in law:
            rest = Law.of_probabilities({t: p for t, p in law.items() if t != total})
            if total in pair.removable:
                assert leave_off(pair.dice, total).totals.law == rest


def test_what_can_be_left_off():
    assert {pair.removable for pair in ranked_pairs("2d6")} == {(7,)}
    offered = {total for pair in ranked_pairs("d4+d6") for total in pair.removable}
    assert offered == {5, 6, 7}
    assert (5, 6, 7) in {pair.removable for pair in ranked_pairs("d4+d6")}


def test_tatham_is_one_of_them():
    for sides in range(2, 8):
        assert peel(grid(tatham(sides))) in ranked_pairs(f"2d{sides}")


@pytest.mark.parametrize("sides", range(2, 7))
def test_every_pair_has_one_red_number_but_for_the_removable_face(sides):
    target = f"2d{sides}"
    law = parse_dice(target).read(lambda roll: (roll.total, roll.faces[0])).law
    less = Law.of_probabilities({pair: p for pair, p in law.items() if pair[0] != sides + 1})
    for pair in ranked_pairs(target):
        numbered = list(red_numbers(pair, target))
        assert len(numbered) == sides  # the offset of the face N + 1 is free
        for each in numbered:
            assert totals_and_red(each.dice).law == law
        one = leave_off(numbered[0].dice, sides + 1)
        assert totals_and_red(one).law == less


def arcs(pair):
    """Whether the offsets on each die, the removable face left out, are neighbours on a circle."""
    for die, reds in zip(pair.dice.dice, pair.reds, strict=True):
        kept = [
            r for face, r in zip(die.faces, reds, strict=True) if face.value != pair.removable[0]
        ]
        around = sorted(kept)
        gaps = [
            (b - a) % pair.red_sides for a, b in zip(around, around[1:] + around[:1], strict=True)
        ]
        if len(set(kept)) < len(kept) or sum(gap > 1 for gap in gaps) > 1:
            return False
    return True


def test_red_numbers_are_places_on_a_circle():
    assert all(arcs(red_number(pair, "2d6")) for pair in ranked_pairs("2d6"))


@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (4, 6), (4, 8)])
def test_uneven_red_numbers(rows, columns):
    """The die of fewer sides can always be red; the other, if no middle total is on a long line."""
    target = f"d{rows}+d{columns}"
    pairs = ranked_pairs(target)
    for red, count in ((0, len(pairs)), (1, 3 * 3 ** (rows - 2))):
        law = parse_dice(target).read(lambda roll, red=red: (roll.total, roll.faces[red])).law
        numbered = [red_number(pair, target, red) for pair in pairs]
        assert sum(pair is not None for pair in numbered) == count
        assert all(totals_and_red(pair.dice).law == law for pair in numbered if pair)


def test_the_long_die_is_not_red_where_the_middle_total_is_on_the_short_one():
    for pair in ranked_pairs("d4+d6"):
        short = {face.value for face in pair.dice.dice[0].faces}
        assert (red_number(pair, "d4+d6", 1) is None) == (6 in short)


def test_there_may_be_no_red_number():
    assert not any(red_number(pair, "2d6") for pair in ranked_pairs("2d6", 4, 9))


def test_faults_disturb_all_pairs_for_2d6_alike():
    fragilities = {pair.fragility for pair in ranked_pairs("2d6")}
    assert {str(f) for f in fragilities} == {"35/36"}


@pytest.mark.parametrize(
    ("target", "sides"), [("2d6", (6, 6)), ("d4+d6", (4, 6)), ("2d6", (4, 9)), ("2d2", (4, 4))]
)
def test_fragility_on_the_grid_is_that_of_the_sensitivities(target, sides):
    for pair in ranked_pairs(target, *sides)[::3]:
        assert pair.fragility == sensitivity(pair.dice.totals).fragility


def test_the_best_pair():
    pairs = ranked_pairs("2d2", 4, 4)
    best = best_pair(pairs)
    assert best.fragility == min(pair.fragility for pair in pairs)
    assert 6 in best_pair(ranked_pairs("d4+d6"), without=6).removable
    with pytest.raises(RulesError, match="none of 162 ranked pairs that can lose 8"):
        best_pair(ranked_pairs("2d6"), without=8)


def test_three_equal_dice_are_impossible():
    """The best face of all wins once in N rolls; no total of three or more dice is so common."""
    for count, sides in product(range(3, 7), range(2, 13)):
        assert max(parse_dice(f"{count}d{sides}").totals.law.values()) * sides < 1


def brute_three(sides):
    """Whether three dice can be ranked, by peeling faces off a box, one at a time, in any order."""
    target = parse_dice("+".join(f"d{n}" for n in sides)).totals.law
    start = tuple(zip(target, target.weights, strict=True))
    seen = set()

    def can(box, left):
        if not left:
            return True
        if (box, left) in seen:
            return False
        seen.add((box, left))
        for k, n in enumerate(box):
            size = box[0] * box[1] * box[2] // n if n else 0
            smaller = (*box[:k], n - 1, *box[k + 1 :])
            for value, w in left:
                if size and w >= size:
                    rest = Counter(dict(left))
                    rest[value] -= size
                    if can(smaller, tuple(sorted((+rest).items()))):
                        return True
        return False

    return can(tuple(sides), start)


def test_three_small_dice_by_brute_force():
    assert not any(brute_three((n, n, n)) for n in (2, 3, 4, 5))
    assert brute_three((1, 3, 3))  # a die of one side is no third die


def test_no_pair_and_bad_input():
    assert ranked_pairs("3d6", 6, 6) == ()
    assert ranked_pairs("2d6", 3, 12) == ()
    assert peel([[1, 2], [2, 1]]) is None
    for wrong, message in [
        (lambda: ranked_pairs("3d6"), "3d6 is 3 dice"),
        (lambda: ranked_pairs("2d6", 0, 6), "0 and 6 sides"),
        (
            lambda: ranked_pairs("2d4", 8, 8, max_pairs=10),
            "d8 and d8 have more than 10 ranked pairs",
        ),
        (lambda: ranked_pairs("3d6", 6, 36, max_trials=10_000), "too many peelings"),
        (lambda: red_number(ranked_pairs("2d6")[0], "2d6", 2), "2d6 has no die 2"),
        (lambda: red_number(ranked_pairs("2d6")[0], "2d5"), "are not those of 2d5"),
        (lambda: red_number(ranked_pairs("2d2")[0], "d2{0,1}+d2{2,3}"), "the red die is d2"),
    ]:
        with pytest.raises(RulesError, match=message.replace("{", r"\{")):
            wrong()


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_a_grid_made_by_ranks_peels_and_one_in_its_order_is_the_same(rows, columns, data):
    """Any ranks at all give a grid that peels; the order of rows and columns is no matter."""
    ranks = data.draw(st.permutations(range(rows + columns)))
    values = data.draw(
        st.lists(st.integers(2, 5), min_size=rows + columns, max_size=rows + columns)
    )

    def cell(i, j):
        return values[max(i, rows + j, key=lambda k: ranks[k])]

    r, c = data.draw(st.permutations(range(rows))), data.draw(st.permutations(range(columns)))
    plain = peel([[cell(i, j) for j in range(columns)] for i in range(rows)])
    assert plain == peel([[cell(i, j) for j in c] for i in r])
    assert Counter(v for row in plain.grid for v in row) == Counter(
        cell(i, j) for i in range(rows) for j in range(columns)
    )


def test_the_images_of_a_pair_with_a_red_number_keep_it() -> None:
    """Exchanged dice roll the same; reflected, total t and red r become 14 - t and 7 - r."""
    for pair in islice(ranked_pairs("2d6"), 0, None, 20):
        for numbered in red_numbers(pair, "2d6"):
            rolls = totals_and_red(numbered.dice).law
            exchanged, reflected = numbered.exchanged(), numbered.reflected()
            assert totals_and_red(exchanged.dice).law == rolls
            images = {(14 - total, 7 - red): p for (total, red), p in rolls.items()}
            assert dict(totals_and_red(reflected.dice).law.items()) == images
            assert (exchanged.exchanged(), reflected.reflected()) == (numbered, numbered)
            assert exchanged in red_numbers(pair.exchanged(), "2d6")
            assert reflected in red_numbers(pair.reflected(), "2d6")


def test_pairs_with_red_numbers_have_classes() -> None:
    numbered = [red for pair in ranked_pairs("2d6") for red in red_numbers(pair, "2d6")]
    assert len(pair_classes(numbered)) == len(numbered) // 2


def test_a_ragged_grid_is_refused() -> None:
    with pytest.raises(RulesError, match="row 2 of the grid has 1 totals, and row 1 has 2"):
        peel([[2, 3], [4]])


def test_sides_that_are_not_given_are_those_of_the_target():
    assert ranked_pairs("2d6", rows=4, columns=9) != ()
    assert {pair.sides for pair in ranked_pairs("2d2", rows=4)} == {(4, 2)}
    assert {pair.sides for pair in ranked_pairs("2d2", columns=4)} == {(2, 4)}
