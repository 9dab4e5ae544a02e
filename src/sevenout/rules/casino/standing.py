"""Bets that stand after the last roll.

A bet that is played out is settled once, and then comes down.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from sevenout.rules.casino.felt import NOTHING, Felt, FeltRoll, Money, Paid, Stands, Throw

Stood = Literal["staked", "down", "out"]
""""staked" counts stakes, "down" takes down what the house allows and plays out the rest, "out"
plays out all.
"""


def kept(felt: Felt, stands: Stands, counted: Stood) -> Stands:
    """The bets to play out after the last roll.

    >>> from sevenout.catalogue.craps_family.table.craps_felt import House
    >>> kept(House(), (8, (("pass", 1), ("pass odds", 5))), "down")
    (8, (('pass', 1),))
    """
    if counted == "staked":
        return NOTHING
    point, standing = stands[0], dict(stands[1])
    if counted == "down":
        for bet in sorted(standing, key=len, reverse=True):  # odds before their base bets
            if felt.allows(point, standing, bet, 0):
                del standing[bet]
    return (point, tuple(standing.items())) if standing else NOTHING


def played_on(felt: Felt, stands: Stands, throw: Throw) -> tuple[Stands, FeltRoll]:
    """A roll after which settled bets come down."""
    point, standing, paid, out = felt.roll(*stands, throw)
    left = tuple(sorted(once(standing, paid).items()))
    return (point, left), FeltRoll(throw, paid, out)


def once(standing: Mapping[str, Money], paid: Sequence[Paid]) -> dict[str, Money]:
    """The bets after a roll when a settled bet comes down."""
    settled = {each.bet for each in paid}
    return {bet: amount for bet, amount in standing.items() if bet not in settled}
