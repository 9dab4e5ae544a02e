"""What is said of options and policies: what they are worth, and what they cost."""

from fractions import Fraction
from typing import Any, NamedTuple


class Option(NamedTuple):
    """What the player may do in a state.

    Attributes:
        name: what he does.
        value: what it is worth, if all is played best afterwards.
        margin: what it costs, compared with the best: 0 or more.
    """

    name: str
    value: Fraction
    margin: Fraction


class Mistake(NamedTuple):
    """Where a policy does what is not best.

    Attributes:
        state: where.
        did: what the policy does there.
        best: what is best.
        cost: what the mistake costs each time, if all is played best afterwards.
    """

    state: Any
    did: str
    best: str
    cost: Fraction


class Followed(NamedTuple):
    """What a policy is worth to the player who follows it.

    >>> Followed(Fraction(8), Fraction(0), Fraction(1, 7)).cost
    Fraction(1, 7)

    Attributes:
        value: what the game is worth to him; of two players, against the best.
        bound: 0 if exact; else the value is within this of the truth.
        cost: what that is short of the best.
    """

    value: Fraction
    bound: Fraction
    cost: Fraction
