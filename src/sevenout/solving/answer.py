"""Answers: the results of a solved game, with choices or without.

*One answer.* Every result is that of an absorbing Markov chain. A game without choices is its own
chain; a game with choices is first played optimally, and its answer is that of the chain of optimal
play. So `Answer` computes everything from `chain`. Its kinds differ in where the chain comes from:
a `Solution` is given one, `Optimum` and `MixedOptimum` follow their policy.

*Without a chain.* The chain of a game of turns would be too large. Its answer shares only the sheet
with the others: it is a `HasSheet`, which keeps the rules that were solved.

*Two ways to solve.* Elimination works in fractions. Lifting works in floats, and proves its digits
in integers: seconds, where the fractions of a long cycle would take hours. `solve_chain` chooses;
both give the probability of each outcome and the mean of each counter.
"""

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, get_args, overload

from sevenout.catalogue import Entry
from sevenout.documents import Block, Certified, Column, Fact, Facts, HasPage, Page, Table
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.numbers import exactly, readable_fraction
from sevenout.errors import RulesError, shown
from sevenout.extras import is_installed, require
from sevenout.files import write
from sevenout.model import Chain
from sevenout.rolling import Law
from sevenout.rolling.distribution import status_of, sum_by_key
from sevenout.rules import Game, Outcome, Progressive
from sevenout.solving.bet_result import BetResult
from sevenout.solving.elimination import EliminatedChain
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.rolling import Source
    from sevenout.rolling.generating_functions import CounterLaw
    from sevenout.simulation import Tally
    from sevenout.solving.counter_distributions import JointLaw, LatticeLaw
    from sevenout.solving.lifting import LiftedChain

Method = Literal["auto", "elimination", "lifting", "certified"]

OutcomeEvent = str | Callable[[Outcome], bool]
"""The label of an outcome, or a condition on the outcome."""

LARGE_COMPONENT = 400
"""From this many states in a cycle, lifting beats elimination."""

LARGE_EXACT = 20_000
"""From this many states, `auto` certifies digits: exact fractions would be too long to read."""

DIGITS = 50
"""Decimal digits that a certified solution proves by default."""

MAX_STATES_OF_A_PAGE = 100
"""Up to this many states, a page has the distributions of counters: they take no time."""

WRITERS: dict[str, Callable[[Page], bytes | str]] = {
    ".pdf": Page.pdf,
    ".html": Page.html,
    ".json": Page.json,
    ".txt": str,
}
"""By the ending of a file's name, what turns a page into the contents of the file."""


class HasSheet(HasPage):
    """What all answers share, with a chain or without: the rules that were solved, and a sheet.

    Attributes:
        subject: the rules or the entry of the catalogue; None if only a model was solved, or one
            player against a policy: neither has a sheet.
        goal_arguments: the goal as arguments of `sevenout.best`; empty for the game's own.
    """

    subject: Game | Entry | None = None
    goal_arguments: Mapping[str, Any] = {}

    @public
    def sheet(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        date: str = "",
        simulate: int | None = None,
        seed: int = 1,
    ) -> Page:
        """The sheet of the game, written to a file if one is named; see `sevenout.sheet`.

        >>> import sevenout as so
        >>> so.solve("craps").sheet().title
        'Craps'

        Args:
            path: a file; its ending says how it is written: .pdf, .html, .json or .txt.
            date: the sheet's date; the clock is never read.
            simulate: the number of games of a simulation that confirms it; None for none.
            seed: the seed of the worked rounds and the simulation.

        Raises:
            RulesError: another ending, or an answer about a model alone.
            FileError: the file can't be written.
        """
        # The sheet stands on top of what solves; only the front door knows both.
        from sevenout import sheet

        ending = ".txt" if path is None else Path(path).suffix.lower()
        if ending not in WRITERS:
            raise RulesError(f"{shown(str(path))}; name a file that ends in {', '.join(WRITERS)}")
        if self.subject is None:
            raise RulesError(
                "only rules have a sheet, and this answer is of a model alone, or against a "
                "policy; solve the game itself"
            )
        goal = self.goal_arguments or None
        page = sheet(self.subject, date=date, simulate=simulate, seed=seed, goal=goal)
        if path is not None:
            write(path, WRITERS[ending](page))
        return page


class Answer(HasSheet):
    """The results that follow from a chain, whatever it is of: a game, or optimal play.

    Each result is computed when it is first asked for.

    >>> import sevenout as so
    >>> craps, turn = so.solve(so.games["craps"]), so.best(so.games("pig-turn"))
    >>> [str(answer.distribution("rolls").mean) for answer in (craps, turn)]
    ['557/165', '232610839/60466176']
    >>> craps.started_at(4).p("point"), craps.policy
    (Fraction(1, 3), {})

    Attributes:
        chain: the chain of the game, or of optimal play.
        policy: the choice in each decision state; empty if no player decides.
        solved_chain: the chain's solution by one of the two methods, with its error bounds.
        outcomes: the probability of each outcome.
        labels: the probability of each outcome label.
        mean_rolls: the mean number of rolls until the game is settled.
        bets: each bet's result, by name.
    """

    @property
    @abstractmethod
    def chain(self) -> Chain:
        """The chain of the game, or of optimal play."""

    @property
    def policy(self) -> Mapping[Any, Any]:
        """The choice in each decision state; empty if no player decides."""
        return {}

    @cached_property
    def solved_chain(self) -> "EliminatedChain | LiftedChain":
        """The chain's solution by one of the two methods, with its error bounds."""
        return solve_chain(self.chain)

    @cached_property
    def solution(self) -> "Solution":
        """The answer about the chain alone, without the policy."""
        return Solution(self.chain, solved_chain=self.solved_chain)

    @property
    def outcomes(self) -> Mapping[Outcome, Fraction]:
        """The probability of each outcome."""
        return self.solved_chain.outcomes

    @cached_property
    def labels(self) -> dict[str, Fraction]:
        """The probability of each outcome label."""
        return sum_by_key((outcome.label, p) for outcome, p in self.outcomes.items())

    def p(self, event: OutcomeEvent) -> Fraction:
        """The probability of a label, or of a condition on the outcome.

        Raises:
            RulesError: neither an outcome nor the rules have that label.
        """
        if _is_condition(event):
            return sum((p for o, p in self.outcomes.items() if event(o)), Fraction(0))
        # What the rules list and no play leads to is impossible, not unknown.
        if isinstance(event, str) and event in (*self.labels, *self.chain.listed_labels):
            return self.labels.get(event, Fraction(0))
        raise RulesError(f"no outcome {shown(event)}; the outcomes are: {', '.join(self.labels)}")

    @property
    def mean_rolls(self) -> Fraction:
        """The mean number of rolls until the game is settled."""
        return self.solved_chain.mean("rolls")

    def mean(self, counter: str) -> Fraction:
        """The mean of a counter at the end; faster than its distribution.

        Raises:
            RulesError: no such counter.
        """
        self.chain.check_counter(counter)
        return self.solved_chain.mean(counter)

    @overload
    def distribution(
        self, counter: Literal["rolls"] = "rolls", /, *, condition: OutcomeEvent | None = None
    ) -> "CounterLaw": ...

    @overload
    def distribution(
        self, counter: str, /, *, condition: OutcomeEvent | None = None
    ) -> "CounterLaw | LatticeLaw": ...

    @overload
    def distribution(
        self, counter: str, counter_2: str, /, *counters: str, condition: OutcomeEvent | None = None
    ) -> "JointLaw": ...

    def distribution(
        self, *counters: str, condition: OutcomeEvent | None = None
    ) -> "CounterLaw | LatticeLaw | JointLaw":
        """The distribution of a counter, or the joint distribution of several.

        A `CounterLaw` for whole, non-negative increments, a `LatticeLaw` for others, such as money,
        and a `JointLaw` for several counters.

        Args:
            counters: "rolls" (the default), or counters of the game.
            condition: a label, or a condition on the outcome.

        Raises:
            RulesError: no such counter or label, or a condition of probability 0.
        """
        from sevenout.solving.counter_distributions import (
            JointLaw,
            counter_law,
            counts_up,
            lattice_law,
        )

        for counter in counters:
            self.chain.check_counter(counter)
        holds = self._predicate(condition)
        if len(counters) > 1:
            return JointLaw(self.chain, counters, holds)
        counter = counters[0] if counters else "rolls"
        if counts_up(self.chain, counter):
            return counter_law(self.chain, counter, holds)
        return lattice_law(self.chain, counter, holds)

    def _predicate(self, event: OutcomeEvent | None) -> Callable[[Outcome], bool]:
        """An event as a condition on the outcome; every outcome meets None."""
        if event is None:
            return lambda outcome: True
        if _is_condition(event):
            return event
        self.p(event)  # raises for what is no label
        return lambda outcome: outcome.label == event

    def label_probabilities(self, state: Any) -> dict[str, Fraction]:
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
        started = self.chain.started_at(state)
        # A part of a chain that was certified for its size is small enough to be exact.
        return Solution(started, "lifting" if _method_for(started) == "certified" else "auto")

    @cached_property
    def bets(self) -> dict[str, BetResult]:
        """Each bet's result, by name."""
        return {bet: self._bet_result(bet) for bet in self.chain.bets}

    def bet(self, name: str | None = None) -> BetResult:
        """The result of a bet; the name is optional if there is only one.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        return self.bets[self.chain.bet_named(name)]

    def _bet_result(self, bet: str) -> BetResult:
        """The result of a bet, from the probabilities of the outcomes."""
        # Outcomes that pay a bet alike are one row of its return table.
        law = sum_by_key((outcome.pay(bet), p) for outcome, p in self.outcomes.items())
        rolls = self.mean(self.chain.rolls_until(bet))
        solved = self.solved_chain
        return BetResult(bet, self.chain.stake(bet), law, rolls, solved.bound, solved.rolls_bound)

    def covariance(self, bet: str, other_bet: str) -> Fraction:
        """The covariance of the profits of two bets, each per unit staked.

        Raises:
            RulesError: no such bet.
        """
        result, other_result = self.bet(bet), self.bet(other_bet)
        products = (o.profit(bet) * o.profit(other_bet) * p for o, p in self.outcomes.items())
        mean_product = sum(products, Fraction(0)) / (result.stake * other_result.stake)
        return mean_product - result.mean * other_result.mean

    @public
    def gradient(
        self, value: Callable[[Outcome], Any] | None = None
    ) -> "dict[Source, tuple[Fraction, ...]]":
        """The derivative of a mean in each face's probability; see `sensitivity.gradient`.

        The policy is kept fixed.

        Args:
            value: the value of each outcome; None for the mean number of rolls.
        """
        from sevenout.solving.sensitivity import gradient

        return gradient(self, value)

    def simulate(self, games: int, seed: int = 1) -> "Tally":
        """Play the game, or optimal play, roll by roll; see `sevenout.simulate`.

        >>> import sevenout as so
        >>> so.best(so.games("pig-turn")).simulate(1_000).games
        1000
        """
        # The sampler stands on top of what solves; only the front door knows both.
        from sevenout import simulate

        return simulate(self.chain, games, seed)


class Solution(Answer):
    """The answer of a game without choices: its own chain, solved by a chosen method.

    Attributes:
        digits: decimal digits to prove if certified.
        method: "elimination" and "lifting" are exact, "certified" has a proved bound.
        bound: 0 if exact; else the error bound of each probability.
        rolls_bound: the error bound of the mean number of rolls.
        solved_chain: the chain's solution, made at once.
    """

    def __init__(
        self,
        chain: Chain,
        method: Method = "auto",
        digits: int = DIGITS,
        solved_chain: "EliminatedChain | LiftedChain | None" = None,
    ) -> None:
        if method not in get_args(Method):
            raise RulesError(
                f"method={shown(method)}; give {', '.join(map(repr, get_args(Method)))}"
            )
        if type(digits) is not int or digits < 1:
            raise RulesError(f"digits={shown(digits)}; give 1 or more")
        self._chain, self.digits = chain, digits
        # Solved at once, so that a chain that a method can't solve is refused here.
        self.solved_chain = solved_chain or solve_chain(chain, method, digits)

    @property
    def chain(self) -> Chain:
        """The chain that was solved."""
        return self._chain

    @property
    def method(self) -> str:
        """How it was solved: "elimination", "lifting" or "certified"."""
        return self.solved_chain.method

    @property
    def bound(self) -> Fraction:
        """0 if exact; else the error bound of each probability."""
        return self.solved_chain.bound

    @property
    def rolls_bound(self) -> Fraction:
        """The error bound of the mean number of rolls."""
        return self.solved_chain.rolls_bound

    @property
    def status(self) -> str:
        """Either "exact", or "certified" with its bound, rounded up."""
        return status_of(self.bound)

    @property
    def method_in_words(self) -> str:
        """How it was solved, in words that complete "the probabilities were found ...".

        >>> from sevenout.rules import PointGame
        >>> from sevenout.solving import solve
        >>> solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)).method_in_words
        'by elimination on its absorbing Markov chain in rational arithmetic (Kemeny and Snell \
1960)'
        """
        if self.method == "elimination":
            return (
                "by elimination on its absorbing Markov chain in rational arithmetic (Kemeny and "
                "Snell 1960)"
            )
        lifted = "by solving its absorbing Markov chain in floating point, lifted by exact integer "
        if self.method == "lifting":
            return f"{lifted}residuals to the exact fractions (Wan 2006)"
        return f"{lifted}residuals to digits with a proved error bound (Wan 2006; {self.status})"

    def as_die(self) -> Law:
        """The settled game as a die, to be rolled in another game.

        >>> from sevenout.rules import PointGame, Streak
        >>> from sevenout.solving import solve
        >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
        >>> solve(Streak(solve(craps).as_die())).mean("won")
        Fraction(182024, 63001)

        Raises:
            RulesError: the solution is not exact.
        """
        if self.bound:
            raise RulesError(
                "a certified solution can't be rolled as a die; solve with method='lifting'"
            )
        return Law.of_probabilities(self.outcomes)

    def certificate(
        self,
        *claims: str,
        terms: Mapping[str, int] | None = None,
        title: str = "game",
        rules: Game | None = None,
        policy: Callable[[Any], str] | None = None,
        awards: Mapping[str, Progressive] | None = None,
    ) -> "Certificate":
        """The certificate of the results, for an independent checker.

        >>> from sevenout.rules import PointGame
        >>> from sevenout.solving import solve
        >>> craps = solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
        >>> craps.certificate("pass", "rolls").header["claims"][0]["value"]
        '-7/495'

        For a chain with long cycles it proves `digits` digits instead of fractions.

        Args:
            claims: bets and counters (their means), labels, or "pass >= 1" (their probabilities);
                default every bet and the rolls.
            terms: for a counter, the number of terms of its distribution to claim: P(N = 0) and so
                on.
            title: the game's name in print.
            rules: the game. If it is data, the certificate has its declaration in place of its
                states, and the checker expands it.
            policy: what the player does in the `rules`, a game with choices; it goes into the
                certificate.
            awards: progressive awards by bet. The mean profit with an award in the long run is
                claimed too; that of an award with a limit is not.

        Raises:
            RulesError: no such claim or row of an award, rules or a policy that were not solved, or
                a game too slow to end for floats.
            TooMuchWorkError: too many values.
        """
        from sevenout.certify import award_claims
        from sevenout.solving.certificates import certificate

        if policy is not None and rules is None:
            raise RulesError("policy= is given without the game that it is for; add rules=")

        # Fractions of a long cycle would fill the file; its checker accepts proved digits.
        digits = None if self.method == "elimination" else self.digits
        claimed_awards = award_claims(self.chain, awards or {})
        return certificate(
            self.chain,
            claims,
            terms=terms,
            title=title,
            digits=digits,
            rules=rules,
            policy=policy,
            awards=claimed_awards,
        )

    def to_dict(self) -> dict[str, Any]:
        """The exact results as data: outcomes, mean rolls, bets and counters, with the bound."""
        counters = [law.to_dict() for law in self.counter_laws.values()]
        counters += [{"counter": c, "mean": exactly(m)} for c, m in self._falling_means.items()]
        return {
            "status": self.status,
            "bound": exactly(self.bound),
            "fingerprint": self.chain.fingerprint,
            "states": len(self.chain.states),
            "outcomes": {label: exactly(p) for label, p in self.labels.items()},
            "mean_rolls": exactly(self.mean_rolls),
            "mean_rolls_bound": exactly(self.rolls_bound),
            "bets": [bet.to_dict() for bet in self.bets.values()],
        } | ({"counters": counters} if counters else {})

    @cached_property
    def counter_laws(self) -> dict[str, "CounterLaw"]:
        """The distribution of each of the game's own counters, for a small game only.

        >>> from sevenout.catalogue import games
        >>> from sevenout.solving import solve
        >>> solve(games["hazard-turn"]).counter_laws["won"].pmf(0)
        Fraction(63001, 245025)
        """
        # A page should not wait for what nobody asked for.
        if self.bound or len(self.chain.states) > MAX_STATES_OF_A_PAGE:
            return {}
        from sevenout.solving.counter_distributions import counter_law, counts_up

        chain = self.chain
        return {c: counter_law(chain, c) for c in chain.own_counters if counts_up(chain, c)}

    @property
    def _falling_means(self) -> dict[str, Fraction]:
        """The mean of each of the game's own counters that may fall; none if certified."""
        from sevenout.solving.counter_distributions import counts_up

        if self.bound:
            return {}
        return {c: self.mean(c) for c in self.chain.own_counters if not counts_up(self.chain, c)}

    def page(self, *, moments: bool = True) -> Page:
        """A page: return tables and figures of bets, or the outcomes; counters of a small game.

        Args:
            moments: include each bet's variance, skewness and kurtosis.
        """
        laws: list[Block] = [law.page() for law in self.counter_laws.values()]
        means = [Fact(f"mean {c}", m, FRACTION, DECIMAL) for c, m in self._falling_means.items()]
        if means:
            laws.append(Facts(*means))
        if self.chain.bets:
            return Page("", *(bet.page(moments=moments) for bet in self.bets.values()), *laws)
        columns = ["outcome", Column("probability", FRACTION, DECIMAL)]
        # The probability of a label is a sum over outcomes, at most all of them.
        bound = self.bound * len(self.outcomes)
        rows = [(k, Certified(p, bound) if bound else p) for k, p in self.labels.items()]
        return Page("", Table(columns, rows, caption="Outcomes"), *laws)

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{label} {readable_fraction(p)}" for label, p in self.labels.items())
        return f"<Solution ({self.status}): {outcomes}>"


def solve_chain(
    chain: Chain, method: Method = "auto", digits: int = DIGITS
) -> "EliminatedChain | LiftedChain":
    """A chain solved by a method, or by the one that suits it.

    Raises:
        RulesError: a chain too slow to end for floats, if lifting was asked for.
    """
    chosen = _method_for(chain) if method == "auto" else method
    if chosen == "elimination":
        return EliminatedChain(chain)
    require("numpy")
    require("scipy", "fast")
    from sevenout.solving.lifting import CantRefineError, LiftedChain

    try:
        return LiftedChain(chain, digits if chosen == "certified" else None)
    except CantRefineError:
        # Fractions take longer, but they don't mind how slowly a game ends.
        if method != "auto":
            raise
        return EliminatedChain(chain)


def _is_condition(event: Any) -> TypeGuard[Callable[[Outcome], bool]]:
    """Whether an event is a condition on an outcome; a class can be called too, but is none."""
    return callable(event) and not isinstance(event, type)


def _method_for(chain: Chain) -> Method:
    """The method that suits a chain's size and its largest cycle."""
    # Lifting works in 64 bits, and can't hold a denominator of more than 24.
    if len(chain.states) < LARGE_COMPONENT or chain.denominator >= 2**24:
        return "elimination"
    # Without cycles elimination is one pass, however many states there are.
    largest = max(map(len, chain.components))
    if largest < LARGE_COMPONENT or not (is_installed("numpy") and is_installed("scipy")):
        return "elimination"
    return "lifting" if len(chain.states) < LARGE_EXACT else "certified"
