"""The notes on options and policies: what they are worth, and what they cost."""

from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.model import state_name
from sevenout.page import Certified
from sevenout.page.tables import datum


class Option(NamedTuple):
    """What the player may do in a state.

    >>> Option("roll", value=Fraction(65, 3), margin=Fraction(1, 3)).margin
    Fraction(1, 3)

    Attributes:
        name: the chosen option.
        value: the value of it, if all is played optimally afterwards.
        margin: what it costs, compared with the best: 0 or more.
    """

    name: str
    value: Fraction
    margin: Fraction


class Mistake(NamedTuple):
    """Where a policy does what is not best.

    >>> Mistake(state=24, did="roll", best="hold", cost=Fraction(2, 3)).cost
    Fraction(2, 3)

    Attributes:
        state: where.
        did: what the policy does there.
        best: what is best.
        cost: what the mistake costs each time, if all is played optimally afterwards.
    """

    state: Any
    did: str
    best: str
    cost: Fraction


class Followed(NamedTuple):
    """The value of a policy to the player who follows it.

    >>> Followed(Fraction(8), Fraction(0), Fraction(1, 7)).cost
    Fraction(1, 7)

    Attributes:
        value: the value of the game to the player; of two players, against optimal play.
        bound: 0 if exact; else the value is within this of the truth.
        cost: what that is short of the best.
    """

    value: Fraction
    bound: Fraction
    cost: Fraction


class Compared(NamedTuple):
    """A policy beside the best one.

    Attributes:
        name: of the policy.
        followed: the value of it.
        mistakes: the most costly that it makes.
    """

    name: str
    followed: Followed
    mistakes: list[Mistake]

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts, states as they are printed."""
        return {
            "name": self.name,
            **{key: datum(value) for key, value in self.followed._asdict().items()},
            "mistakes": [
                m._asdict() | {"state": state_name(m.state), "cost": datum(m.cost)}
                for m in self.mistakes
            ],
        }


def known(value: Fraction, bound: Fraction) -> Fraction | Certified:
    """A value, as what is known of it.

    >>> known(Fraction(1, 3), Fraction(0))
    Fraction(1, 3)
    """
    return Certified(value, bound) if bound else value
