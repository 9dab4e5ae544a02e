"""What stands on the felt when the time is up: counted as staked, taken down, or played out.

A bet that is played out stands until it is settled once, and then comes down.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from sevenout.rules.casino.felt import NOTHING, Felt, FeltRoll, Money, Paid, Stands, Throw

Stood = Literal["staked", "down", "out"]
"""As what is staked; taken "down" where the house allows it, else played out; or played "out"."""


def kept(felt: Felt, stands: Stands, counted: Stood) -> Stands:
    """What is played out of what stands in the end.

    >>> from sevenout.games.craps_family.table.craps_felt import House
    >>> kept(House(), (8, (("pass", 1), ("pass odds", 5))), "down")
    (8, (('pass', 1),))

    Args:
        felt: the table.
        stands: what stands, and on which point.
        counted: how it is counted.
    """
    if counted == "staked":
        return NOTHING
    point, standing = stands[0], dict(stands[1])
    if counted == "down":
        for bet in sorted(standing, key=len, reverse=True):  # the odds before what they lean on
            if felt.allows(point, standing, bet, 0):
                del standing[bet]
    return (point, tuple(standing.items())) if standing else NOTHING


def played_on(felt: Felt, stands: Stands, throw: Throw) -> tuple[Stands, FeltRoll]:
    """What a roll does where each bet is settled once, and no other is made."""
    point, standing, paid, out = felt.roll(*stands, throw)
    left = tuple(sorted(once(standing, paid).items()))
    return (point, left), FeltRoll(throw, paid, out)


def once(standing: Mapping[str, Money], paid: Sequence[Paid]) -> dict[str, Money]:
    """What stands after a roll where each bet is settled once, and then comes down."""
    settled = {each.bet for each in paid}
    return {bet: amount for bet, amount in standing.items() if bet not in settled}
