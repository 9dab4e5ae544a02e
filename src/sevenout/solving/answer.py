"""The results that every solved game has, with choices or without.

A game with choices is first played optimally, which gives a chain; results are those of the chain.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Shown
from sevenout.model import Chain
from sevenout.rules import Outcome

if TYPE_CHECKING:
    from sevenout.rolling import Source
    from sevenout.solving.bets.bet_result import BetResult
    from sevenout.solving.solution import Solution


class Answer(Shown):
    """A solved game.

    >>> import sevenout as so
    >>> craps, turn = so.solve(so.games["craps"]), so.best(so.games("pig-turn"))
    >>> [str(answer.distribution("rolls").mean) for answer in (craps, turn)]
    ['557/165', '232610839/60466176']
    >>> craps.started_at(4).p("point"), craps.policy
    (Fraction(1, 3), {})
    """

    @property
    def policy(self) -> Mapping[Any, Any]:
        """The choice in each decision state; empty if no player decides."""
        return {}

    @property
    @abstractmethod
    def solution(self) -> "Solution":
        """The solution of the chain."""

    @property
    def chain(self) -> Chain:
        """The chain of the game, or of optimal play."""
        return self.solution.chain

    @property
    def outcomes(self) -> dict[Outcome, Fraction]:
        """The probability of each outcome."""
        return self.solution.outcomes

    @property
    def labels(self) -> dict[str, Fraction]:
        """The probability of each outcome label."""
        return self.solution.labels

    def p(self, event: str | Callable[[Outcome], bool]) -> Fraction:
        """The probability of a label, or of a condition on the outcome.

        Raises:
            RulesError: no outcome has that label.
        """
        return self.solution.p(event)

    def mean(self, counter: str) -> Fraction:
        """The mean of a counter at the end; faster than its distribution."""
        return self.solution.mean(counter)

    def distribution(
        self, *counters: str, given: str | Callable[[Outcome], bool] | None = None
    ) -> Any:
        """The distribution of a counter, or the joint distribution of several.

        A `CounterLaw` for whole, non-negative increments, a `LatticeLaw` for others, such as money,
        and a `JointLaw` for several counters.

        Args:
            counters: "rolls" (the default), or counters of the game.
            given: a label, or a condition on the outcome.

        Raises:
            RulesError: no such counter or label, or a condition of probability 0.
        """
        return self.solution.distribution(*counters, given=given)

    def given(self, state: Any) -> dict[str, Fraction]:
        """The probability of each label from a state on.

        Raises:
            RulesError: no such state.
        """
        return self.started_at(state).labels

    def started_at(self, state: Any) -> "Solution":
        """The solution with another start.

        Raises:
            RulesError: no such state.
        """
        return self.solution.started_at(state)

    @property
    def bets(self) -> "dict[str, BetResult]":
        """Each bet's result, by name."""
        return self.solution.bets

    def bet(self, name: str | None = None) -> "BetResult":
        """The result of a bet; the name is optional if there is only one.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        return self.solution.bet(name)

    def gradient(
        self, value: Callable[[Outcome], Any] | None = None
    ) -> "dict[Source, tuple[Fraction, ...]]":
        """The derivative of a mean in each face's probability; see `sensitivity.gradient`.

        The policy is kept fixed.

        Args:
            value: the value of each outcome; None for the mean number of rolls.
        """
        from sevenout.solving.bets.sensitivity import gradient

        return gradient(self.solution, value)
