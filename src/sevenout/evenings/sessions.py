"""A gambler's session: one bet, repeated until ruin, a target or a number of bets.

The money is a random walk on the integers, or an absorbing chain if the bets are unlimited. Both
are exact while the integers are short, and certified beyond.

References: W. Feller, *An Introduction to Probability Theory*, vol. 1, 3rd ed. (1968), ch. XIV, for
the gambler's ruin; S. Ethier, *The Doctrine of Chances* (2010), ch. 7; S. Asmussen and H.
Albrecher, *Ruin Probabilities* (2010), ch. IV, for Cramér's bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from sevenout.documents import Fact, Facts, Page
from sevenout.documents.kinds import ROUNDED
from sevenout.documents.numbers import exact_figures
from sevenout.errors import RulesError, printable, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.evening_result import QUANTILES, EveningResult
from sevenout.evenings.money_polynomials import RepeatedBet
from sevenout.numerals import Number, exact, exact_money, int_if_whole
from sevenout.rolling import Law, Rollable
from sevenout.rolling.distribution import checked_probability, decided_quantile, sum_by_key
from sevenout.rules import Game, Outcome
from sevenout.rules.casino.betting import FlatBetting
from sevenout.rules.casino.felt import Money, OneBet
from sevenout.solving import solve
from sevenout.solving.bet_result import BetResult
from sevenout.solving.totals import BITS, TAIL, profits
from sevenout.wrong_arguments import public

Profits = BetResult | Mapping[Fraction, Fraction]
"""A bet, or the distribution of its profit per unit staked."""
MAX_COLUMNS = 20_000
"""The farthest target that stands for never; a chain of more states takes minutes."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SessionResult(EveningResult):
    """How a session ends: an evening of one bet, counted in bets.

    >>> fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> result = session(fair, 3, amount=2, bets=2)
    >>> result.mean_bets, result.handle, dict(result.ends)
    (Fraction(3, 2), Fraction(3, 1), {'ruin': Fraction(1, 2), 'bets': Fraction(1, 2)})

    Attributes:
        amount: of each bet.
        target: the money with which the gambler stops; None if there is no target.
        bets: the most bets; None if unlimited.
    """

    amount: Fraction
    target: Fraction | None
    bets: int | None

    def to_dict(self) -> dict[str, Any]:
        """The session as data, figures as in `as_data`."""
        return {
            **exact_figures(self, "amount", "target"),
            "bets": self.bets,
            **self.end_data(),
            "mean_bets": self.as_data(self.mean_bets),
        }

    def facts(self) -> Facts:
        """The figures of the session, one per line."""
        return Facts(
            *self.end_facts(), Fact("mean bets", self.mean_bets, ROUNDED), self.status_fact
        )

    def page(self) -> Page:
        """How the session ends."""
        return Page("", self.facts())


@public
def one_bet(
    dice: Rollable | Game,
    bankroll: Number,
    *,
    amount: Number = 1,
    target: Number | None = None,
    bets: int | None = None,
    bet: str = "pass",
) -> Plan:
    """A session as the plan of an evening in which each roll is a round of the bet.

    Its `game` rolls the bet as a die; `session` is faster. `dice` is a game, or the distribution of
    its outcomes, and `bet` one of its bets. Other arguments and errors are as in `session`.

    >>> from sevenout.catalogue import games
    >>> craps = games["craps"]
    >>> played = solve(one_bet(craps, bankroll=2, target=4).game)
    >>> played.p("target") == session(solve(craps).bet(), 2, target=4).reached
    True
    """
    outcomes: Any = solve(dice).outcomes if isinstance(dice, Game) else getattr(dice, "law", {})
    if not outcomes or not all(isinstance(outcome, Outcome) for outcome in outcomes):
        raise RulesError(
            f"{shown(dice)} is not a bet; give a game, or the distribution of its outcomes"
        )
    pays = [(outcome.pay(bet), p) for outcome, p in outcomes.items()]
    law = sum_by_key((pay.profit / pay.stake, p) for pay, p in pays)
    table = OneBet(Law.of_probabilities(law), dice, bet)
    return _plan_at(table, bankroll, exact_money(amount), target, bets)


def check_ends(bankroll: Number, target: Number | None, bets: int | None) -> None:
    """Refuse a session that has no end, or whose target is already reached.

    >>> check_ends(20, 30, None)
    """
    if target is None and bets is None:
        raise RulesError("a session without an end; give a target, a number of bets, or both")
    if target is not None and exact_money(target) <= exact_money(bankroll):
        raise RulesError(
            f"the bankroll of {_shown_amount(bankroll)} already reaches the target, "
            f"{_shown_amount(target)}; give a higher target"
        )


def _shown_amount(amount: Number) -> str:
    """An amount for an error: as it is written, but no longer than a line."""
    value = exact_money(amount)
    return shown(value) if isinstance(value, int) else printable(str(value), 60)


def _plan_at(
    table: OneBet, bankroll: Number, amount: Money, target: Number | None, bets: int | None
) -> Plan:
    """The evening at a table of one bet, which is made again and again for the same amount."""
    if amount <= 0:
        raise RulesError(f"an amount of {amount} per bet; give more than 0")
    check_ends(bankroll, target, bets)
    cost = int_if_whole(Fraction(table.risk) * amount)
    if cost > exact_money(bankroll):
        raise RulesError(
            f"a bet may cost {cost}, more than the bankroll of {_shown_amount(bankroll)}; "
            "give a larger bankroll"
        )
    strategy = FlatBetting(table.bet, cost)
    return Plan.of(strategy, bankroll, target=target, bets=bets, house=table, name=table.bet)


@public
def session(
    bet: Profits,
    bankroll: Number,
    *,
    amount: Number = 1,
    target: Number | None = None,
    bets: int | None = None,
) -> SessionResult:
    """How a session of one bet ends, exactly.

    >>> fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> session(fair, 3, target=10).reached, session(fair, 3, target=10).mean_bets
    (Fraction(3, 10), Fraction(21, 1))
    >>> session(fair, 2, bets=4).ruin
    Fraction(3, 8)

    A bet costs its stake, or the most that it can lose if that is more, as with odds behind the
    line. A gambler with less money is ruined.

    Args:
        bet: a bet, or the distribution of its profit per unit staked.
        bankroll: the gambler's money at the start.
        amount: of each bet, in the units of the bankroll.
        target: stop at this amount or more.
        bets: stop after this many bets. Give `target`, `bets` or both.

    Raises:
        RulesError: too small a bankroll for one bet, a target already reached, or no end.
    """
    plan = _plan_of(bet, bankroll, amount, target, bets)
    result = plan.solve()
    figures = {field.name: getattr(result, field.name) for field in fields(result)}
    ceiling = None if plan.ends.ceiling is None else Fraction(plan.ends.ceiling)
    return SessionResult(**figures, amount=exact(amount), target=ceiling, bets=bets)


@public
def fan(
    bet: Profits,
    bankroll: Number,
    *,
    amount: Number = 1,
    target: Number | None = None,
    bets: int,
    quantiles: Sequence[Number] = QUANTILES,
) -> list[tuple[Fraction, ...]]:
    """Quantiles of the money after 0 to `bets` bets; gamblers who stopped keep their money.

    >>> fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> [tuple(map(int, row)) for row in fan(fair, 10, bets=2, quantiles=["1/4", "3/4"])]
    [(10, 10), (9, 11), (8, 10)]

    Raises:
        RulesError: as `session`, or a quantile that is not a probability.
        UndecidedError: several amounts are within the error bound.
    """
    repeated = _repeated_bet(_plan_of(bet, bankroll, amount, target, bets))
    shares = [checked_probability(q) for q in quantiles]
    rows = [(exact(bankroll),) * len(shares)]
    for number, ranges in enumerate(repeated.quantiles(shares, bets), 1):
        bound = max(number * repeated.slip, Fraction(1, 1 << TAIL))
        columns = [decided_quantile(q, ends, bound) for q, ends in zip(shares, ranges, strict=True)]
        rows.append(tuple(repeated.first_amount + column * repeated.unit for column in columns))
    return rows


@public
def risk_of_ruin(
    bet: Profits, bankroll: Number, *, amount: Number = 1, within: Number = "1/1000000000"
) -> tuple[Fraction, Fraction]:
    """Bounds on the probability that a gambler who never stops is ruined.

    It is 1 unless the bet favours the gambler. If it does, take 0 < t < 1 with E[t^X] <= 1. From
    money m, ruin has probability at most t^(m - r), where r is the most that a ruined gambler holds
    (Cramér's bound, by optional stopping). So a session with a far target is that close to the
    truth.

    The bounds are at most `within` apart, which is above 0, or wider for a tiny advantage. Other
    arguments and errors are as in `session`.

    >>> better = {Fraction(1): Fraction(2, 3), Fraction(-1): Fraction(1, 3)}
    >>> low, high = risk_of_ruin(better, 3)
    >>> round(float(low), 8), low <= Fraction(1, 8) <= high
    (0.125, True)
    """
    max_gap = exact(within)
    if max_gap <= 0:
        raise RulesError(f"within={shown(within)}; give more than 0")
    plan = _plan_of(bet, bankroll, amount, None, 1)
    repeated = _repeated_bet(plan)
    if min(repeated.gain_weights) >= 0:  # the bet never loses
        return Fraction(0), Fraction(0)
    # without an advantage ruin is certain: a walk without drift crosses every level
    if sum(gain * weight for gain, weight in repeated.gain_weights.items()) <= 0:
        return Fraction(1), Fraction(1)
    t = _cramer(repeated.gain_weights)
    max_of_ruined = repeated.cost - 1  # one unit less than a bet costs
    column = repeated.start + 1
    while True:
        p_later_ruin = t ** (column - max_of_ruined)
        if p_later_ruin <= max_gap or column > MAX_COLUMNS:
            break
        column *= 2
    far_target = int_if_whole(repeated.first_amount + column * repeated.unit)
    result = plan.until(ceiling=far_target, bets=None).solve()
    low, high = result.ruin - result.bound, result.ruin + result.bound + p_later_ruin
    return max(low, Fraction(0)), min(high, Fraction(1))


def _repeated_bet(plan: Plan) -> RepeatedBet:
    """The repeated bet of a session's plan."""
    assert plan.repeated_bet is not None  # a session is nothing else
    return plan.repeated_bet


def _slip(bet: Profits) -> Fraction:
    """The error that each bet adds to a session's bound; 0 if the distribution is exact.

    It bounds the probability that a bet differs from a true one coupled with it.
    """
    return 2 * len(bet.law) * bet.bound if isinstance(bet, BetResult) else Fraction(0)


def _plan_of(
    bet: Profits, bankroll: Number, amount: Number, target: Number | None, bets: int | None
) -> Plan:
    """The evening of a bet, or of the distribution of its profit."""
    law = bet.profit if isinstance(bet, BetResult) else Law.of_probabilities(profits(bet))
    return _plan_at(OneBet(law, slip=_slip(bet)), bankroll, exact_money(amount), target, bets)


ROOT_BITS = 40
"""Bits of the t of Cramér's bound; a little more than the root gives a little weaker bound."""


def _cramer(gain_weights: Mapping[int, int]) -> Fraction:
    """The least t in (0, 1], in `ROOT_BITS` bits, with E[t^gain] <= 1 for a positive mean gain."""
    low, high = 0, 1 << ROOT_BITS
    while high - low > 1:  # E[t^X] is convex in t, below 1 between the root and 1
        middle = (low + high) // 2
        if _is_at_most_1(gain_weights, middle << (BITS - ROOT_BITS)):
            high = middle
        else:
            low = middle
    return Fraction(high, 1 << ROOT_BITS)


def _is_at_most_1(gain_weights: Mapping[int, int], t: int) -> bool:
    """Whether E[t^gain] <= 1, with t and its powers out of 2^BITS and rounded up."""
    one, limit, total = 1 << BITS, sum(gain_weights.values()) << BITS, 0
    for gain, weight in gain_weights.items():
        power, base, n = one, t if gain > 0 else -(-one * one // t), abs(gain)
        while n and max(power, base) <= limit:  # beyond it one term alone is too large
            if n & 1:
                power = -(-power * base >> BITS)
            base, n = -(-base * base >> BITS), n >> 1
        total += weight * (power if not n else limit + 1)
        if total > limit:
            return False
    return True
