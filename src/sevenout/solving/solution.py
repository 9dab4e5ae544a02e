"""Solve a game without choices."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from sevenout.documents import Block, Certified, Column, Fact, Facts, Page, Table
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.numbers import short
from sevenout.errors import RulesError, shown
from sevenout.extras import has, needs
from sevenout.model import Chain
from sevenout.rolling import Law
from sevenout.rolling.distribution import status_of, summed
from sevenout.rules import Game, Outcome, Progressive
from sevenout.solving.answer import Answer
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.solvers.elimination_cost import afford_elimination

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.rolling.generating_functions import CounterLaw

Method = Literal["auto", "elimination", "lifting", "certified"]
LARGE_BLOCK = 400
"""From this many states in a cycle, lifting beats elimination."""
FEW = 100
"""Up to this many states, the distributions of counters are computed at once."""
LARGE_EXACT = 20_000
"""From this many states, `auto` certifies digits: exact fractions would be too long to read."""


class Solution(Answer):
    """The results for a game; each is computed on demand.

    Attributes:
        method: "elimination" and "lifting" are exact, "certified" has a proved bound.
        digits: decimal digits to prove if certified.
        bound: 0 if exact; else the error bound of each probability.
        rolls_bound: the error bound of the mean number of rolls.
    """

    def __init__(self, chain: Chain, method: Method = "auto", digits: int = 50) -> None:
        if method not in get_args(Method):
            raise RulesError(
                f"method={shown(method)}; give {', '.join(map(repr, get_args(Method)))}"
            )
        if not isinstance(digits, int) or digits < 1:
            raise RulesError(f"digits={shown(digits)}; give 1 or more")
        self._chain, self.digits = chain, digits
        self.method = _choose(chain) if method == "auto" else method
        self.bound = self.rolls_bound = Fraction(0)
        if self.method == "elimination":
            return
        needs("numpy")
        needs("scipy", "fast")
        from sevenout.solving.solvers.lifting import lift
        from sevenout.solving.solvers.refinement import CantRefineError

        try:
            lifted = lift(chain, digits if self.method == "certified" else None)
        except CantRefineError:
            if method != "auto":
                raise
            self.method = "elimination"
            return
        self.bound, self.rolls_bound = lifted.bound, lifted.rolls_bound
        self.__dict__["outcomes"] = dict(zip(chain.outcomes, lifted.outcomes, strict=True))
        self._lifted = lifted.means

    @property
    def solution(self) -> "Solution":
        """The solution itself."""
        return self

    @property
    def chain(self) -> Chain:
        """The chain that was solved."""
        return self._chain

    @property
    def status(self) -> str:
        """Either "exact", or "certified" with its bound, rounded up."""
        return status_of(self.bound)

    @property
    def how(self) -> str:
        """How it was solved, in words that complete "the probabilities were found ...".

        >>> from sevenout.rules import PointGame
        >>> from sevenout.solving import solve
        >>> solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)).how
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

    @cached_property
    def _elimination(self) -> Any:
        from flint import fmpq

        from sevenout.solving.solvers.elimination import Elimination

        afford_elimination(self.chain)
        return Elimination(self.chain.weights, fmpq(1), self.chain.blocks)

    @cached_property
    def _visits(self) -> list[Any]:
        """The expected visits of each state over the chain's denominator (flint)."""
        from flint import fmpq

        return list(self._elimination.visits({0: fmpq(1)}))

    @cached_property
    def outcomes(self) -> dict[Outcome, Fraction]:
        """The probability of each outcome."""
        from sevenout.rolling.generating_functions import fraction

        n = len(self.chain.states)
        flow: list[Any] = [0] * len(self.chain.outcomes)
        for visit, row in zip(self._visits, self.chain.weights, strict=True):
            for target, weight in row.items():
                if target >= n:
                    flow[target - n] += visit * weight
        return {o: fraction(p) for o, p in zip(self.chain.outcomes, flow, strict=True)}

    @cached_property
    def labels(self) -> dict[str, Fraction]:
        """The probability of each outcome label."""
        return summed((outcome.label, p) for outcome, p in self.outcomes.items())

    def p(self, event: str | Callable[[Outcome], bool]) -> Fraction:
        if callable(event):
            return sum((p for o, p in self.outcomes.items() if event(o)), Fraction(0))
        # What the rules list and no play leads to is impossible, not unknown.
        if isinstance(event, str) and event in (*self.labels, *self.chain.listed):
            return self.labels.get(event, Fraction(0))
        raise RulesError(f"no outcome {shown(event)}; the outcomes are: {', '.join(self.labels)}")

    @cached_property
    def mean_rolls(self) -> Fraction:
        """The mean number of rolls until the game is settled."""
        from sevenout.rolling.generating_functions import fraction

        if self.method != "elimination":
            return self._lifted["rolls"]()
        moves = fraction(sum(self._visits) * self.chain.denominator)
        return moves + self._advanced("rolls")

    def mean(self, counter: str) -> Fraction:
        self._must_count(counter)
        return self.mean_rolls if counter == "rolls" else self._advanced(counter)

    def _advanced(self, counter: str) -> Fraction:
        """The mean of what the moves count."""
        from sevenout.rolling.generating_functions import fraction

        unit = self.chain.units[counter]
        if self.method != "elimination":
            lost = self._lifted.get(f"-{counter}", Fraction)()
            return (self._lifted[counter]() - lost) / unit
        total: Any = 0
        for visit, row in zip(self._visits, self.chain.rows, strict=True):
            for weight, _, counts in row:
                n = dict(counts).get(counter, 0)
                if n:
                    total += visit * (weight * int(n * unit))
        return fraction(total) / unit

    def distribution(
        self, *counters: str, given: str | Callable[[Outcome], bool] | None = None
    ) -> Any:
        from sevenout.solving.distributions.generating_function import counter_law, counts_up

        for counter in counters:
            self._must_count(counter)
        holds = self._condition(given)
        if len(counters) > 1:
            from sevenout.solving.distributions.joint_distribution import JointLaw

            return JointLaw(self.chain, counters, holds)
        counter = counters[0] if counters else "rolls"
        if counts_up(self.chain, counter):
            return counter_law(self.chain, counter, holds)
        from sevenout.solving.distributions.lattice_law import lattice_law

        return lattice_law(self.chain, counter, holds)

    def _condition(
        self, given: str | Callable[[Outcome], bool] | None
    ) -> Callable[[Outcome], bool] | None:
        if not isinstance(given, str):
            return given
        self.p(given)
        return lambda outcome: outcome.label == given

    def _must_count(self, counter: str) -> None:
        if counter not in self.chain.counters:
            counters = ", ".join(self.chain.counters)
            raise RulesError(f"the game has no counter {shown(counter)}; it has: {counters}")

    def started_at(self, state: Any) -> "Solution":
        started = self.chain.started_at(state)
        return Solution(started, "lifting" if _choose(started) == "certified" else "auto")

    @cached_property
    def bets(self) -> dict[str, BetResult]:
        """Each bet's result, by name."""
        return {bet: self._bet(bet) for bet in self.chain.bets}

    def bet(self, name: str | None = None) -> BetResult:
        return self.bets[self.chain.bet_named(name)]

    def _bet(self, name: str) -> BetResult:
        law = summed((outcome.pay(name), p) for outcome, p in self.outcomes.items())
        rolls = self.mean(self.chain.rolls_until(name))
        return BetResult(name, self.chain.stake(name), law, rolls, self.bound)

    def covariance(self, one: str, other: str) -> Fraction:
        """The covariance of the profits of two bets, each per unit staked."""
        a, b = self.bet(one), self.bet(other)
        product = sum(
            (o.profit(one) * o.profit(other) * p for o, p in self.outcomes.items()), Fraction(0)
        )
        return product / (a.stake * b.stake) - a.mean * b.mean

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
        return Law.of(self.outcomes)

    def certificate(
        self,
        *claims: str,
        terms: Mapping[str, int] | None = None,
        game: str = "game",
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
            game: its name in print.
            rules: the game. If it is data, the certificate has its declaration in place of its
                states, and the checker expands it.
            policy: what the player does in a game with choices; it goes into the certificate.
            awards: progressive awards by bet, of a game without choices. The mean profit with an
                award in the long run is claimed too.

        Raises:
            RulesError: no such claim, or a game too slow to end for floats.
            TooMuchWorkError: too many values.
        """
        from sevenout.certify import award_claims
        from sevenout.solving.value_certificate import certificate

        digits = None if self.method == "elimination" else self.digits
        made = award_claims(self.chain, awards or {})
        return certificate(
            self.chain, claims, terms, game, digits, rules=rules, policy=policy, awards=made
        )

    def to_dict(self) -> dict[str, Any]:
        from sevenout.documents.numbers import exactly

        counters = [law.to_dict() for law in self.laws.values()]
        counters += [{"counter": c, "mean": exactly(m)} for c, m in self._falling.items()]
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
    def laws(self) -> dict[str, "CounterLaw"]:
        """The distribution of each of the game's own counters, for a small game only.

        >>> from sevenout.catalogue import games
        >>> from sevenout.solving import solve
        >>> solve(games["hazard-turn"]).laws["won"].pmf(0)
        Fraction(63001, 245025)
        """
        chain = self.chain
        if self.bound or len(chain.states) > FEW:
            return {}
        from sevenout.solving.distributions.generating_function import counts_up

        own = [c for c in chain.counters if not c.startswith("rolls")]
        return {c: self.distribution(c) for c in own if counts_up(chain, c)}

    @property
    def _falling(self) -> dict[str, Fraction]:
        """The mean of each counter that may fall."""
        from sevenout.solving.distributions.generating_function import counts_up

        if self.bound:
            return {}
        own = [c for c in self.chain.counters if not c.startswith("rolls")]
        return {c: self.mean(c) for c in own if not counts_up(self.chain, c)}

    def page(self) -> Page:
        """A page: return tables and figures of bets, or the outcomes; counters of a small game."""
        laws: list[Block] = [law.page() for law in self.laws.values()]
        if self._falling:
            facts = (Fact(f"mean {c}", m, FRACTION, DECIMAL) for c, m in self._falling.items())
            laws.append(Facts(*facts))
        if self.chain.bets:
            return Page("", *(bet.page() for bet in self.bets.values()), *laws)
        columns = ["outcome", Column("probability", FRACTION, DECIMAL)]
        bound = self.bound * len(self.outcomes)
        rows = [(k, Certified(p, bound) if bound else p) for k, p in self.labels.items()]
        return Page("", Table(columns, rows, caption="Outcomes"), *laws)

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{label} {short(p)}" for label, p in self.labels.items())
        return f"<Solution ({self.status}): {outcomes}>"


def _choose(chain: Chain) -> Method:
    if len(chain.states) < LARGE_BLOCK or chain.denominator >= 2**24:
        return "elimination"
    largest = max(map(len, chain.blocks))
    if largest < LARGE_BLOCK or not (has("numpy") and has("scipy")):
        return "elimination"
    return "lifting" if len(chain.states) < LARGE_EXACT else "certified"
