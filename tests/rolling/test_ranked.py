"""Tatham's pair: every table of his page, and what holds for dice of any number of sides."""

import pickle
from collections import Counter
from copy import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.catalogue import games
from sevenout.errors import EndlessGameError, RulesError, SevenoutError
from sevenout.model import explore
from sevenout.rolling import (
    Dice,
    Die,
    Face,
    Law,
    Reading,
    RedNumber,
    as_two_dice,
    leave_off,
    parse_dice,
    repainted,
    tatham,
    totals_and_red,
)
from sevenout.rolling.ranked import grid, ways_to_roll
from sevenout.rules import Game, PointGame, lose, win
from sevenout.simulation import simulate
from sevenout.solving import solve

EVEN = "2·(1) 4···(2) 6·····(3) 8·····(4) 10···(5) 12·(6)"
ODD = "3··(+1) 5····(+2) 7······ 9····(-2) 11··(-1) blank"

BY_RANK = """
     7  5  9  3 11  0
 6   7  6  6  6  6  6
 8   7  8  8  8  8  8
 4   7  5  9  4  4  4
10   7  5  9 10 10 10
 2   7  5  9  3 11  2
12   7  5  9  3 11 12
"""

WITHOUT_7 = """
     5  9  3 11  0
 6   6  6  6  6  6
 8   8  8  8  8  8
 4   5  9  4  4  4
10   5  9 10 10 10
 2   5  9  3 11  2
12   5  9  3 11 12
"""

BY_VALUE = """
     0  3  5  7  9 11
 2   2  3  5  7  9 11
 4   4  4  5  7  9  4
 6   6  6  6  7  6  6
 8   8  8  8  7  8  8
10  10 10  5  7  9 10
12  12  3  5  7  9 11
"""

RED = """
     0  3  5  7  9 11
 2   1  2  3  4  5  6
 4   2  3  4  5  6  1
 6   3  4  5  6  1  2
 8   4  5  6  1  2  3
10   5  6  1  2  3  4
12   6  1  2  3  4  5
"""

SIDES = range(2, 41)


def table(text):
    """The cells of a printed table, by the faces that head its row and column (0 is the blank)."""
    head, *rows = [list(map(int, line.split())) for line in text.strip().splitlines()]
    return {
        (row[0], column): cell for row in rows for column, cell in zip(head, row[1:], strict=True)
    }


def shown(dice):
    """The totals of two ranked dice by the values of their faces."""
    return {(roll.faces[0].value, roll.faces[1].value or 0): roll.total for roll in dice.law}


def printed(face):
    """A face as the page prints an even one: its value, dots, and red number."""
    return "blank" if face.value is None else f"{face.value}{'·' * face.rank}"


def annotated(dice, offsets):
    def red(face):
        sign = "+" if offsets and face.red > 0 else ""
        return f"({sign}{face.red})" if face.red else ""

    return [printed(face) + red(face) for face in dice.faces]


def test_the_dice_are_as_printed():
    even, odd = tatham(6).dice
    assert annotated(even, offsets=False) == EVEN.split()
    assert sorted(annotated(odd, offsets=True)) == sorted(ODD.split())


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        (BY_RANK, tatham(6)),
        (BY_VALUE, tatham(6)),
        (WITHOUT_7, tatham(6, without=7)),
    ],
)
def test_the_grids_are_as_printed(text, dice):
    assert shown(dice) == table(text)


def test_the_red_grid_is_as_printed():
    """In the sorted grid the 7 still has its place on the circle, +3; on the dice it has none."""
    even, odd = tatham(6).dice
    odd = Die([Face(f.value, f.rank, 3 if f.value == 7 else f.red) for f in odd.faces])
    red = RedNumber(6)
    assert table(RED) == {
        (row.value, column.value or 0): red((row, column))
        for row in even.faces
        for column in odd.faces
    }


def test_the_painted_d10_is_the_d5():
    even, odd = tatham(6, without=7).dice
    d10 = repainted(odd, 2)
    assert len(d10.faces) == 10
    pair = Dice([even, d10], total=tatham(6).total, hard=tatham(6).hard)
    assert totals_and_red(pair).law == totals_and_red(tatham(6, without=7)).law


def without(law, total):
    return Law.of_probabilities({pair: p for pair, p in law.items() if pair[0] != total})


@pytest.mark.parametrize("sides", SIDES)
def test_totals_and_red_numbers_are_those_of_two_dice(sides):
    two = parse_dice(f"2d{sides}")
    law = two.read(lambda roll: (roll.total, roll.faces[0])).law
    pair = tatham(sides)
    assert pair.totals.law == two.totals.law
    assert totals_and_red(pair).law == law
    assert pair.ways.law == two.ways.law
    less = tatham(sides, without=sides + 1)
    assert totals_and_red(less).law == without(law, sides + 1)
    assert len(grid(less)) * len(grid(less)[0]) == sides * (sides - 1)


@pytest.mark.parametrize("sides", SIDES)
def test_the_theorem_step_by_step(sides):
    """A face wins as often as its rank says, against neighbours on a circle; red is their arc."""
    even, odd = tatham(sides).dice
    place = {face: k for die in (even, odd) for k, face in enumerate(die.faces)}
    for mine, others in ((even, odd), (odd, even)):
        for face in mine.faces:
            beaten = [other for other in others.faces if other.rank < face.rank]
            assert not [other for other in others.faces if other.rank == face.rank]
            assert (
                len(beaten) == face.rank == (ways_to_roll(face.value, sides) if face.value else 0)
            )
            around = sorted(place[other] for other in beaten)
            gaps = [(b - a) % sides for a, b in zip(around, around[1:] + around[:1], strict=True)]
            assert sum(gap > 1 for gap in gaps) <= 1  # an arc, or the whole circle
            if face.value:
                # the even faces are the hours 1 to N, the odd ones and the blank 0 to N - 1
                reds = {(place[face] + place[other] + 1 - 1) % sides + 1 for other in beaten}
                first, last = max(1, face.value - sides), min(sides, face.value - 1)
                assert reds == set(range(first, last + 1))


@pytest.mark.parametrize("sides", range(2, 21))
def test_only_one_total_can_be_left_off(sides):
    pair = tatham(sides)
    law = pair.totals.law
    for total in law:
        if sides == 2 and total != 3:
            continue  # a die would have one face left and the other still two: see below
        rest = Law.of_probabilities({t: p for t, p in law.items() if t != total})
        assert (leave_off(pair, total).totals.law == rest) == (total == sides + 1)


def test_leaving_off_another_total_is_refused():
    with pytest.raises(
        RulesError, match=r"8 can't be taken out .* 2d6; the only total that can is 7"
    ):
        tatham(6, without=8)
    with pytest.raises(RulesError, match=r"no face of .* shows 13"):
        leave_off(tatham(6), 13)
    with pytest.raises(RulesError, match="2d6 are not ranked dice"):
        leave_off(parse_dice("2d6"), 6)
    with pytest.raises(RulesError, match="1 sides"):
        tatham(1)
    with pytest.raises(RulesError, match="no red number"):
        totals_and_red(parse_dice("2d6"))
    with pytest.raises(RulesError, match="a grid of 3 dice"):
        grid(parse_dice("3d6"))
    with pytest.raises(RulesError, match="times=0"):
        repainted(Die.standard(6), 0)


def test_ranked_dice_are_values():
    pair = tatham(6)
    assert pair == tatham(6)
    assert hash(pair) == hash(tatham(6))
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert pair != tatham(6, without=7)


def test_ranked_dice_without_a_red_number_have_no_hard_way():
    assert set(parse_dice("2d3{2^1,4^3,6^5}").ways.law) == {(2, False), (4, False), (6, False)}


@given(st.integers(2, 30), st.randoms())
def test_the_order_of_the_faces_is_no_matter(sides, chance):
    pair = tatham(sides)
    shuffled = [Die(chance.sample(die.faces, len(die.faces))) for die in pair.dice]
    assert Dice(shuffled, pair.total, pair.hard).ways.law == pair.ways.law


def craps(dice, **more):
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, dice=dice, **more)


def test_craps_is_the_same_game():
    ranked, plain = explore(craps(tatham(6))), explore(craps(parse_dice("2d6")))
    assert ranked.fingerprint == plain.fingerprint
    solution = solve(craps(tatham(6)))
    assert solution.p("natural") + solution.p("point") == Fraction(244, 495)


def on_ranked_dice(game):
    """The same game with Tatham's pair for its 2d6; None if it is played with something else."""
    rolled = getattr(game, "dice", None)
    if getattr(rolled, "source", rolled) != parse_dice("2d6"):
        return None
    if isinstance(game, PointGame):
        more = {"pushes": game.pushes, "rerolls": game.rerolls, "limit": game.limit}
        more |= {"hard": game.hard, "bets": game.bets, "names": game.names}
        return PointGame(game.naturals, game.craps, game.out, **more, dice=tatham(6))
    ranked, two = copy(game), as_two_dice(tatham(6))
    read = Reading(two, rolled.function) if isinstance(rolled, Reading) else two
    object.__setattr__(ranked, "dice", read)
    return ranked


def test_every_game_of_the_catalogue_is_the_same_with_ranked_dice():
    """Those about totals, about hard ways, and even those about the faces of the two dice."""
    kinds = Counter()
    for name in games.without_choices:
        plain = games(name)
        ranked = on_ranked_dice(plain)
        if ranked is not None:
            assert explore(ranked).fingerprint == explore(plain).fingerprint, name
            kinds[type(plain).__name__] += 1
    assert kinds["PointGame"] > 30
    assert kinds["Wager"] > 60
    assert kinds["Checklist"] > 25


def test_craps_simulates_to_its_odds():
    """One false alarm in 15,000, and a seed that raises none."""
    games, wins = 200_000, Fraction(244, 495)
    tally = simulate(craps(tatham(6)), games, seed=7)
    won = sum(n for outcome, n in tally.outcomes.items() if outcome.label in ("natural", "point"))
    assert abs(won - games * wins) < 4 * float(games * wins * (1 - wins)) ** 0.5


def test_the_hard_way_is_the_same_game():
    ranked, plain = craps(tatham(6), hard=True), craps(parse_dice("2d6"), hard=True)
    assert explore(ranked).fingerprint == explore(plain).fingerprint


def test_without_the_seven_craps_is_refused():
    dice = tatham(6, without=7)
    with pytest.raises(RulesError, match=r"the out is 7, but .* can't roll it"):
        craps(dice)


class Seven(Game):
    """Craps written by someone who knows nothing of these dice."""

    dice = tatham(6, without=7)

    def step(self, point, roll):
        match point, roll.total:
            case None, 7 | 11:
                return win("natural")
            case None, 2 | 3 | 12:
                return lose("craps")
            case None, 4:
                return "waits for a 7"
            case None, total:
                return total
            case "waits for a 7", 7:
                return lose("seven out")
            case "waits for a 7", _:
                return point
            case _, total if total == point:
                return win("point")
            case _:
                return point


def test_a_game_that_waits_for_the_seven_is_refused():
    with pytest.raises(EndlessGameError, match="never ends from waits for a 7"):
        explore(Seven())


def test_every_pair_of_faces_has_a_winner():
    for sides in SIDES:
        even, odd = tatham(sides).dice
        ranks = Counter(face.rank for face in even.faces) & Counter(f.rank for f in odd.faces)
        assert not ranks


def test_sides_that_are_no_number_are_named():
    with pytest.raises(SevenoutError, match="sides='6'; give int"):
        tatham("6")
