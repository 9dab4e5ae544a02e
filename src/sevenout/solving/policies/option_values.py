"""Values of options and policies, and costs of mistakes."""

from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.documents import Certified
from sevenout.documents.tables import datum
from sevenout.model import state_name


class Option(NamedTuple):
    """A player's option in a state.

    >>> Option("roll", value=Fraction(65, 3), margin=Fraction(1, 3)).margin
    Fraction(1, 3)

    Attributes:
        name: the option.
        value: its value, if play is optimal afterwards.
        margin: its cost compared with the best option; at least 0.
    """

    name: str
    value: Fraction
    margin: Fraction


class Mistake(NamedTuple):
    """A state where a policy is not optimal.

    >>> Mistake(state=24, did="roll", best="hold", cost=Fraction(2, 3)).cost
    Fraction(2, 3)

    Attributes:
        state: the state.
        did: the policy's option.
        best: the best option.
        cost: the loss of value each time, if play is optimal afterwards.
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
        value: the value of the game; with two players, against optimal play.
        bound: 0 if exact; else the error bound of the value.
        cost: its distance from the optimal value.
    """

    value: Fraction
    bound: Fraction
    cost: Fraction


class Compared(NamedTuple):
    """A policy compared with the optimum.

    Attributes:
        name: the policy.
        followed: its value.
        mistakes: its most costly mistakes.
    """

    name: str
    followed: Followed
    mistakes: list[Mistake]

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text, states as printed."""
        return {
            "name": self.name,
            **{key: datum(value) for key, value in self.followed._asdict().items()},
            "mistakes": [
                m._asdict() | {"state": state_name(m.state), "cost": datum(m.cost)}
                for m in self.mistakes
            ],
        }


def known(value: Fraction, bound: Fraction) -> Fraction | Certified:
    """A value, with its error bound if certified.

    >>> known(Fraction(1, 3), Fraction(0))
    Fraction(1, 3)
    """
    return Certified(value, bound) if bound else value
