"""The interface of every optimum, for pages, commands and the lab.

`Optimum` improves policies state by state; `TurnOptimum` solves a turn backwards for each score
card.
"""

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sevenout.documents import Certified, Page
from sevenout.documents.numbers import decimal
from sevenout.errors import RulesError, shown
from sevenout.solving.goal import Goal
from sevenout.solving.policies.option_values import Compared, Followed, Mistake, Option, known
from sevenout.solving.solved import Solved

if TYPE_CHECKING:
    from sevenout.certify import ProofFile

MISTAKES = 5
"""Mistakes shown for each policy."""


class BestPlay(Solved):
    """Optimal play; see `best`.

    Attributes:
        goal: the objective.
        method: "exact", or "certified" with a proved bound.
        bound: 0 if exact; else the error bound of `value`.
    """

    goal: Goal
    method: Literal["exact", "certified"]
    bound: Fraction
    digits: ClassVar[int] = 9
    """Decimal digits of an exact value, beside its fraction."""
    sight: ClassVar[str] = "Everyone sees all dice"
    """What the players see."""
    each: ClassVar[bool] = False
    """Whether the mistakes of each policy are shown, or only those of the best policy."""
    onwards: ClassVar[str] = ""
    """The point from which values in a state count, if not the start."""

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The value of the game under optimal play, to the first player if there are two.

        The mean or the probability of the goal.
        """

    @abstractmethod
    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first.

        Raises:
            RulesError: it is not a decision state.
        """

    def plans(self, state: Any) -> tuple[Option, ...]:
        """The sequences of choices up to the next roll or the end, best first.

        Raises:
            RulesError: it is not a decision state.
        """
        return self.at(state)

    @abstractmethod
    def bound_at(self, state: Any) -> Fraction:
        """The error bound of the values in a state; 0 if exact.

        Raises:
            RulesError: there is no such state.
        """

    def best_in(self, state: Any) -> frozenset[str]:
        """The options in a state that are optimal within the error bound."""
        near = 2 * self.bound_at(state)
        return frozenset(option.name for option in self.plans(state) if option.margin <= near)

    def does(self, state: Any) -> str:
        """The optimal choices in a state, in words."""
        good = self.best_in(state)
        return " or ".join(option.name for option in self.plans(state) if option.name in good)

    def costs(self, state: Any, option: str) -> Fraction:
        """The cost of an option or a plan; 0 within the error bound.

        Raises:
            RulesError: it is not a decision state, or there is no such option.
        """
        may = {each.name: each.margin for each in (*self.plans(state), *self.at(state))}
        if option not in may:
            there = ", ".join(may)[:200]
            raise RulesError(f"{shown(option)} is not an option here; the options are: {there}")
        return may[option] if may[option] > 2 * self.bound_at(state) else Fraction(0)

    @abstractmethod
    def said(self, state: Any) -> str:
        """A state in words."""

    @abstractmethod
    def follow(self, policy: Any) -> Followed:
        """The value of a policy."""

    @abstractmethod
    def mistakes(self, policy: Any, most: int | None = None) -> list[Mistake]:
        """The most costly reachable mistakes of a policy."""

    def compared(self, policies: Mapping[str, Any]) -> list[Compared]:
        """Named policies, compared with the optimum."""
        return [
            Compared(name, self.follow(policy), self.mistakes(policy, MISTAKES))
            for name, policy in policies.items()
        ]

    @property
    def known(self) -> Fraction | Certified:
        """The value, with its error bound if certified."""
        return known(self.value, self.bound)

    @property
    def unit(self) -> str:
        """What a value measures, and for whom."""
        return self.goal.unit

    @property
    def whose(self) -> str:
        """The player whose values are shown, in words; empty for a single player."""
        return ""

    @property
    def against(self) -> str:
        """The opponent of a policy, in words."""
        return ""

    @property
    @abstractmethod
    def proof(self) -> str:
        """How the value is proved, in words."""

    @property
    @abstractmethod
    def size(self) -> str:
        """The size of the problem, in words."""

    def laws(self) -> list[Page]:
        """The distribution of the result, if it is computed with the policy."""
        return []

    @abstractmethod
    def how(self) -> list[Page]:
        """Pages with the policy."""

    @abstractmethod
    def card_data(self) -> dict[str, Any]:
        """The problem and the policy, as data."""

    def certificate(self, *, game: str = "") -> "ProofFile":
        """The certificate of the value, for an independent checker.

        Raises:
            RulesError: the game is solved in a form that no certificate lists.
        """
        raise RulesError(
            f"{game or 'the game'} has too many cards or positions to list, so no certificate "
            "proves its value; certify a smaller one, such as a single turn"
        )

    def page(self) -> Page:
        """A page: the value with its proof, and the policy."""
        from sevenout.solving.policies.policy_pages import page

        return page(self)

    def to_dict(self) -> dict[str, Any]:
        """Value, bound and policy as data; exact figures as text."""
        from sevenout.solving.policies.policy_pages import data

        return data(self)

    def _followed(self, value: Fraction, bound: Fraction) -> Followed:
        """The value of a policy, and its distance from the optimum."""
        return Followed(value, bound, max((self.value - value) * self.goal.sense, Fraction(0)))

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} ({self.method}): {self.goal.name} = {decimal(self.known, 12)}>"


def at_most(most: Any) -> int:
    """The number of mistakes to return.

    Raises:
        RulesError: it is not a number of mistakes.
    """
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise RulesError(f"most={shown(most)}; give a whole number, 0 or more")
    return most
