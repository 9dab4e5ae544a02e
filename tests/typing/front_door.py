"""How a user's program looks to a type checker; `test_typing.py` says what it must find."""

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, assert_type

import sevenout as so
from sevenout.model import Model
from sevenout.rolling import Dice, UnboundedLaw, dice, tatham
from sevenout.rules import ByTurns, HiddenGame
from sevenout.simulation import Tally, simulate
from sevenout.solving import Optimum
from sevenout.solving.mixed_optimum import MixedOptimum
from sevenout.solving.turn_optimum import TurnOptimum

assert_type(so.dice("2d6"), so.Dice)
assert_type(so.dice(Counter([1, 1, 2])), Dice)
assert_type(dice(tatham()), Dice)
assert_type(so.dice([so.d6, so.Die([1, 2])]), Dice)
assert_type(so.law("2d6"), so.Law | UnboundedLaw)
assert_type(so.law({1: 2, 2: 1}), so.Law)
assert_type(so.law([1, 1, 2]), so.Law)
assert_type(so.d6.explode(), UnboundedLaw)
assert_type(so.d6.explode(depth=2), so.Law)
assert_type(so.highest("d8!", "d6!"), so.Law | UnboundedLaw)
assert_type(so.pool("2d6").highest(1).sum(), so.Law)
assert_type(2 @ so.d6, so.Law)
assert_type(so.d6 + so.d8, so.Dice)
assert_type(so.d6 + 4, so.Dice)
assert_type(so.d6 + so.law([1, 2]), so.Law)
assert_type(so.dice("2d6") - so.d4, so.Dice)
assert_type((2 @ so.d6) + so.d8, so.Law)
assert_type(so.law([1, 2]) * 2, so.Law)
assert_type(7 // so.d6, so.Law)
assert_type(abs(so.law([1, 2]) - 3), so.Law)
assert_type((so.d6 > so.d8).p(), Fraction)
assert_type((so.d6 == 6).p(), Fraction)
assert_type(so.law([1, 2]) == so.law([1, 2]), bool)
assert_type(so.d6 + so.d8.explode(), UnboundedLaw)
assert_type((so.d6 < so.d8.explode()).p(), Fraction)
assert_type(so.d6.map(lambda face: 2 @ so.d6 if face == 6 else face), so.Law)
assert_type(so.d6.reroll([1, 2], depth=1), so.Law)
assert_type(so.d6.given(range(2, 5)), so.Law)
assert_type(so.d6.p({5, 6}), Fraction)
assert_type(so.law("2d6").p(lambda total: total > 7), Fraction)
assert_type(so.law([1, 2]).quantile("1/2"), int | Fraction)
assert_type(so.mixture({so.d6: 2, so.d8: 1}), so.Law)
assert_type(so.mixture("d6", so.d8), so.Law)
assert_type(so.repeat(lambda last, face: max(last, face - 1), "d6", 3, start=0), so.Law)
assert_type(so.pool("3d6").by_face(lambda n, face, k: n + k, start=0), so.Law)
assert_type(so.each("d6", "d8").map(max), so.Law)
assert_type(so.explore("craps"), Model)
assert_type(so.explore(so.games["craps"]), Model)

craps = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
assert_type(so.simulate(craps, games=10, seed=1), Tally)
assert_type(simulate(craps, 10), Tally)
assert_type(so.solve(craps), so.Solution)
assert_type(so.solve("craps"), so.Solution)
assert_type(so.solve(so.games.entry("craps")), so.Solution)
assert_type(so.simulate("craps", 10), Tally)
assert_type(so.games["craps"], so.Game)


def answers(game: so.Game, turns: ByTurns, hidden: HiddenGame) -> None:
    """The kind of game decides the kind of answer."""
    assert_type(so.best(game), Optimum)
    assert_type(so.best(turns), TurnOptimum)
    assert_type(so.best(hidden), MixedOptimum)
    assert_type(so.best("pig"), Optimum | TurnOptimum | MixedOptimum)
    so.best("pig-turn").simulate(10)
    so.best("pig-turn").sheet("pig.pdf")


if TYPE_CHECKING:
    so.dice(6)  # E: dice
    so.simulate(7, games=10)  # E: simulate
    so.simulate(craps)  # E: simulate
    so.slove(craps)  # E: slove
    so.solve(craps).distributoin("rolls")  # E: a method that there isn't
    so.best(craps, "pass", "again")  # E: most and least by name
    so.d6.highest(4)  # E: a pool has it
    so.law(craps)  # E: no distribution
    so.pool(6)  # E: no dice
    so.solve(craps).p(7)  # E: no label
    so.d6 + "4"  # E: no number
    so.d6 * 1.5  # E: a float
    so.d6 > 1.5  # noqa: B015  # E: a float
    so.d6**so.d6  # E: a power is a number
    so.d6 @ 2  # E: the number comes first
    1.5 @ so.d6  # E: a whole number
    so.d6.map(6)  # E: a function or a mapping
    so.d6.explode(depth="2")  # E: a number
    so.law("2d6").quantile([1, 2])  # E: one probability
    so.pool("3d6").by_face(3)  # E: a function
    so.pool("3d6").sort_pair(">", so.law("2d6"))  # E: a pool
    so.mixture(6)  # E: parts
    so.repeat(3, "d6", 2, start=0)  # E: a function
    so.explore(6)  # E: a game
    so.Die(6)  # E: faces
