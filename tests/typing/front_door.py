"""How a user's program looks to a type checker; `test_typing.py` says what it must find."""

from collections import Counter
from typing import TYPE_CHECKING, assert_type

import sevenout as so
from sevenout.rolling import Dice, dice, tatham
from sevenout.simulation import Tally, simulate

assert_type(so.dice("2d6"), so.Dice)
assert_type(so.dice(Counter([1, 1, 2])), Dice)
assert_type(dice(tatham()), Dice)
assert_type(so.dice([so.d6, so.Die([1, 2])]), Dice)

craps = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
assert_type(so.simulate(craps, games=10, seed=1), Tally)
assert_type(simulate(craps, 10), Tally)
assert_type(so.solve(craps), so.Solution)

if TYPE_CHECKING:
    so.dice(6)  # E: dice
    so.simulate("craps", games=10)  # E: simulate
    so.simulate(craps)  # E: simulate
