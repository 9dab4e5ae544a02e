"""What every solved game answers, whether or not a player decides in it.

A game in which no player decides is solved as it is. One with choices is first played optimally,
which leaves a chain; what is true of that chain is asked of both in the same words.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.model import Chain
from sevenout.page import Shown
from sevenout.rules import Outcome

if TYPE_CHECKING:
    from sevenout.dice import Source
    from sevenout.solve.bets.bet_result import BetResult
    from sevenout.solve.solution import Solution


class Answer(Shown):
    """A solved game.

    >>> import sevenout as so
    >>> craps, turn = so.solve(so.catalogue["craps"]), so.best(so.decisions("pig-turn"))
    >>> [str(answer.distribution("rolls").mean) for answer in (craps, turn)]
    ['557/165', '232610839/60466176']
    >>> craps.started_at(4).p("point"), craps.policy
    (Fraction(1, 3), {})
    """

    @property
    def policy(self) -> Mapping[Any, Any]:
        """What is done in each decision state: nothing, where no player decides."""
        return {}

    @property
    @abstractmethod
    def solution(self) -> "Solution":
        """The solution of the chain: the game itself, or the game under optimal play."""

    @property
    def chain(self) -> Chain:
        """The chain: of the game itself, or of the game as it is played optimally."""
        return self.solution.chain

    @property
    def outcomes(self) -> dict[Outcome, Fraction]:
        """The probability of each settled outcome."""
        return self.solution.outcomes

    @property
    def labels(self) -> dict[str, Fraction]:
        """The probability of each outcome label."""
        return self.solution.labels

    def p(self, event: str | Callable[[Outcome], bool]) -> Fraction:
        """The probability of a label, or of a condition on the settled outcome.

        Raises:
            RulesError: no outcome has that label.
        """
        return self.solution.p(event)

    def mean(self, counter: str) -> Fraction:
        """The mean of a counter when all is settled; quicker than its whole distribution."""
        return self.solution.mean(counter)

    def distribution(
        self, *counters: str, given: str | Callable[[Outcome], bool] | None = None
    ) -> Any:
        """The distribution of a counter; of several, their joint distribution.

        A `CounterLaw` where the counter counts up by whole numbers, a `LatticeLaw` where it falls
        or is fractional, as money does, and a `JointLaw` of several.

        Args:
            counters: "rolls", which is meant if none is named, or counters that the game advances.
            given: a label, or a condition on the settled outcome.

        Raises:
            RulesError: no such counter or label, or a condition of probability 0.
        """
        return self.solution.distribution(*counters, given=given)

    def given(self, state: Any) -> dict[str, Fraction]:
        """The probability of each label from a state on: the point is 4, say.

        Raises:
            RulesError: the game never is in that state.
        """
        return self.started_at(state).labels

    def started_at(self, state: Any) -> "Solution":
        """All that is true from a state on.

        Raises:
            RulesError: the game never is in that state.
        """
        return self.solution.started_at(state)

    @property
    def bets(self) -> "dict[str, BetResult]":
        """Each bet's result, by name."""
        return self.solution.bets

    def bet(self, name: str | None = None) -> "BetResult":
        """The result of a bet; the name may be left out if there is only one.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        return self.solution.bet(name)

    def gradient(
        self, value: Callable[[Outcome], Any] | None = None
    ) -> "dict[Source, tuple[Fraction, ...]]":
        """The exact slope of a mean with respect to the probability of each face of each die.

        See `sensitivity.gradient`; of a game that is played optimally, the policy stays as it is.

        Args:
            value: the value of each outcome; None for the mean number of rolls.
        """
        from sevenout.solve.bets.sensitivity import gradient

        return gradient(self.solution, value)
