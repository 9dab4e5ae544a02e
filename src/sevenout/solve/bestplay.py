"""Best play, whatever the kind of game: the questions that every optimum answers.

Pages, sheets, commands and the lab ask these, and need not know which optimum they have. Only what
finds the answers is its own: policies improved state by state (`Optimum`), or a turn played
backwards for each score card (`TurnOptimum`).
"""

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sevenout.errors import RulesError, shown
from sevenout.page import Certified, Page, Shown
from sevenout.page.numbers import decimal
from sevenout.solve.goal import Goal
from sevenout.solve.policies.option_values import Compared, Followed, Mistake, Option, known

if TYPE_CHECKING:
    from sevenout.certify import ProofFile

DEAREST = 5
"""How many mistakes of a policy are shown."""


class BestPlay(Shown):
    """Optimal play; see `best`.

    Attributes:
        goal: what was wanted.
        method: "exact", or "certified" with a proved bound.
        bound: 0 if exact; else `value` is within this of the truth.
    """

    goal: Goal
    method: Literal["exact", "certified"]
    bound: Fraction
    digits: ClassVar[int] = 9
    """Of an exact value, beside its fraction."""
    sight: ClassVar[str] = "Everyone sees all dice"
    """What the players see."""
    each: ClassVar[bool] = False
    """Whether the mistakes of each policy are shown; else those of the best of them."""
    onwards: ClassVar[str] = ""
    """From where on values in a state are meant, if not from the start."""

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The value of the game from its start, played optimally; to the first player, where two
        play.

        It is the mean of what the goal names, or its probability.
        """

    @abstractmethod
    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, as they are asked, the best first.

        Raises:
            RulesError: it is not a decision state.
        """

    def plans(self, state: Any) -> tuple[Option, ...]:
        """What may be done until the dice roll or the game is over, the best first; the same as
        `at`, where one answer does.

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
        """The options in a state that are as good as the best, or too near to tell."""
        near = 2 * self.bound_at(state)
        return frozenset(option.name for option in self.plans(state) if option.margin <= near)

    def does(self, state: Any) -> str:
        """What to do in a state, in words."""
        good = self.best_in(state)
        return " or ".join(option.name for option in self.plans(state) if option.name in good)

    def costs(self, state: Any, option: str) -> Fraction:
        """What an option or a plan costs; 0 where that may be nothing but rounding.

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
        """What a policy is worth, from the start."""

    @abstractmethod
    def mistakes(self, policy: Any, most: int | None = None) -> list[Mistake]:
        """The most costly mistakes that a policy can come to make."""

    def compared(self, policies: Mapping[str, Any]) -> list[Compared]:
        """Policies by name, beside the best one."""
        return [
            Compared(name, self.follow(policy), self.mistakes(policy, DEAREST))
            for name, policy in policies.items()
        ]

    @property
    def known(self) -> Fraction | Certified:
        """The value, as what is known of it."""
        return known(self.value, self.bound)

    @property
    def unit(self) -> str:
        """What a value is, and whose."""
        return self.goal.unit

    @property
    def whose(self) -> str:
        """Whose values in a state are, if not their who plays alone, in words."""
        return ""

    @property
    def against(self) -> str:
        """Against whom a policy plays, where someone else does, in words."""
        return ""

    @property
    @abstractmethod
    def proof(self) -> str:
        """How the value is known, in words."""

    @property
    @abstractmethod
    def size(self) -> str:
        """What was solved, in words."""

    def laws(self) -> list[Page]:
        """The distribution of what the game comes to, where it is worked out with the policy."""
        return []

    @abstractmethod
    def how(self) -> list[Page]:
        """How to play."""

    @abstractmethod
    def card_data(self) -> dict[str, Any]:
        """What was solved, and how to play, as data."""

    @abstractmethod
    def certificate(self, *, game: str = "") -> "ProofFile":
        """The answer with its proof, for an independent checker."""

    def page(self) -> Page:
        """The value with its proof, and how to play."""
        from sevenout.solve.policies.policy_pages import page

        return page(self)

    def to_dict(self) -> dict[str, Any]:
        """As data: value, bound, and how to play; exact figures as texts."""
        from sevenout.solve.policies.policy_pages import data

        return data(self)

    def _followed(self, value: Fraction, bound: Fraction) -> Followed:
        """What a policy is worth, beside the best."""
        return Followed(value, bound, max((self.value - value) * self.goal.sense, Fraction(0)))

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} ({self.method}): {self.goal.name} = {decimal(self.known, 12)}>"


def so_many(most: Any) -> int:
    """How many mistakes are wanted.

    Raises:
        RulesError: no number of mistakes.
    """
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise RulesError(f"most={shown(most)}; give a whole number from 0 on")
    return most
