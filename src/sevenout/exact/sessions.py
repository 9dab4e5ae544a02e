"""A gambler's session: one bet, made over and over, until ruin, a target or a number of rounds.

Money lies on a lattice, so a session is a walk on integers. With a number of rounds the walk is
carried on round by round; without, it is an absorbing chain and is solved as one. Both are exact
while their integers are short, and certified beyond: by rounding down, as in `totals`, or by the
chain's solver.

References: W. Feller, *An Introduction to Probability Theory*, vol. 1, 3rd ed. (1968), ch. XIV,
for the gambler's ruin; S. Ethier, *The Doctrine of Chances* (2010), ch. 7; H. Cramér's bound for
the risk of ruin without an end, as in S. Asmussen and H. Albrecher, *Ruin Probabilities* (2010),
ch. IV.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import Any

from sevenout.dice import Law, Rollable
from sevenout.dice.distribution import Finite, decided, probability, summed
from sevenout.errors import RulesError, shown
from sevenout.exact.bets import BetResult
from sevenout.exact.evening import Plan
from sevenout.exact.evenings import Ended
from sevenout.exact.solution import solve
from sevenout.exact.totals import BITS, TAIL, profits
from sevenout.exact.walk import Evening, Walk, amounts, evenings, whole_rounds
from sevenout.numerals import Number, exact
from sevenout.page import Page
from sevenout.page.kinds import ROUNDED
from sevenout.page.numbers import exact_figures
from sevenout.rules import Game, Outcome
from sevenout.rules.felt import whole
from sevenout.rules.onebet import FlatBetting, OneBet

Profits = BetResult | Mapping[Fraction, Fraction]
"""A bet, or the law of its profit per unit staked."""


@dataclass(frozen=True, eq=False)
class SessionResult(Ended):
    """How a session ends: by ruin, with the target, or after its rounds.

    Attributes:
        stake, target, rounds: the session, in the units of the bankroll.
        mean_rounds: how many bets are made on average (if certified, within rounds × bound).
    """

    stake: Fraction
    target: Fraction | None
    rounds: int | None
    mean_rounds: Fraction

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts, others as numbers."""
        return {
            **exact_figures(self, "stake", "target"),
            "rounds": self.rounds,
            **super().to_dict(),
            "mean_rounds": self.said(self.mean_rounds),
        }

    def figures(self) -> list[tuple[str, Any, Any]]:
        """What is said of a session: (what, figure, how it is printed)."""
        return [*super().figures(), ("mean bets", self.mean_rounds, ROUNDED), self.proof]

    def page(self) -> Page:
        """How the session ends."""
        return Page("", self.facts())


def one_bet(
    dice: Rollable | Game,
    bankroll: Number,
    *,
    stake: Number = 1,
    target: Number | None = None,
    rounds: int | None = None,
    bet: str = "pass",
) -> Plan:
    """A session as an evening: at a table where each roll is a round of the bet.

    Its `game` is a game of games, whose die is the bet; `session` has the same answers sooner.

    >>> from sevenout.games import catalogue
    >>> craps = catalogue["craps"]
    >>> played = solve(one_bet(craps, bankroll=2, target=4).game)
    >>> played.p("target") == session(solve(craps).bet(), 2, target=4).reached
    True

    Args:
        dice: the bet: a game, or the law of one.
        bankroll: what the gambler brings.
        stake: what is staked on each bet; whatever the rules stake, it is scaled to this.
        target: stop at this or more; None for never.
        rounds: stop after so many bets; None for never. One of the two must be given.
        bet: which bet of the game is made.

    Raises:
        RulesError: no bet, no bankroll for it, a target already reached, or no end in sight.
    """
    outcomes: Any = solve(dice).outcomes if isinstance(dice, Game) else getattr(dice, "law", {})
    if not outcomes or not all(isinstance(outcome, Outcome) for outcome in outcomes):
        raise RulesError(f"{shown(dice)} is no bet; give a game, or the law of its outcomes")
    law: dict[Fraction, Fraction] = {}
    for outcome, p in outcomes.items():
        pay = outcome.pay(bet)
        share = pay.profit / pay.stake
        law[share] = law.get(share, Fraction(0)) + p
    return _evening(OneBet(Law.of(law), dice, bet), bankroll, exact(stake), target, rounds)


def _evening(
    table: OneBet, bankroll: Number, stake: Fraction, target: Number | None, rounds: int | None
) -> Plan:
    if stake <= 0:
        raise RulesError(f"a stake of {stake}; give more than 0")
    if target is None and rounds is None:
        raise RulesError("a session with neither target nor rounds; give one, or it may not end")
    cost = whole(Fraction(table.risk) * stake)
    if cost > exact(bankroll):
        raise RulesError(f"a bet that may cost {cost} from a bankroll of {bankroll}; bring more")
    strategy = FlatBetting(table.bet, cost)
    return Plan.of(strategy, bankroll, target=target, rounds=rounds, house=table, name=table.bet)


def session(
    bet: Profits,
    bankroll: Number,
    *,
    stake: Number = 1,
    target: Number | None = None,
    rounds: int | None = None,
) -> SessionResult:
    """How a session of one bet ends, exactly.

    >>> fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> session(fair, 3, target=10).reached, session(fair, 3, target=10).mean_rounds
    (Fraction(3, 10), Fraction(21, 1))
    >>> session(fair, 2, rounds=4).ruin
    Fraction(3, 8)

    Args:
        bet: a bet, or the law of its profit per unit staked.
        bankroll: what the gambler brings.
        stake: what is staked on each bet, in the units of the bankroll.
        target: stop at this or more; None for never.
        rounds: stop after so many bets; None for never. One of the two must be given.

    Nobody bets money that is not there. A bet may cost its stake, or the most that it can lose
    where that is more, as with odds behind the line; less money than that is ruin.

    Raises:
        RulesError: no bankroll for one bet, a target already reached, or no end in sight.
    """
    plan, walk = _planned(bet, bankroll, stake, target, rounds)
    if rounds is None:
        ended = _until_target(plan, walk)
        more = ended.mean_rounds * _slip(bet)
        money = Finite(dict(ended.money.items()), ended.bound + more, ended.money.ends)
        return replace(ended, money=money)
    last: Evening | None = None
    played = Fraction(0)
    possible = 0
    for last, come_to in zip(evenings(walk, rounds), amounts(walk, rounds), strict=True):
        played, possible = played + last.playing, come_to
    assert last is not None
    low, high = _ends(possible)
    ends = {"ruin": last.ruined, "target": last.reached, "rounds": last.alive}
    weights = {end: int(poly(1)) for end, poly in ends.items() if poly}
    everyone = last.alive + last.ruined + last.reached
    law = {
        k * walk.unit: Fraction(int(w), last.scale) for k, w in enumerate(everyone.coeffs()) if w
    }
    bound = 1 - Fraction(sum(weights.values()), last.scale) + rounds * _slip(bet)
    return SessionResult(
        bankroll=walk.bankroll,
        money=Finite(law, bound, (low * walk.unit, high * walk.unit)),
        ends={end: Fraction(weight, last.scale) for end, weight in weights.items()},
        stake=walk.stake,
        target=walk.target,
        rounds=rounds,
        mean_rounds=played,
    )


def fan(
    bet: Profits,
    bankroll: Number,
    *,
    stake: Number = 1,
    target: Number | None = None,
    rounds: int,
    quantiles: Sequence[Number] = ("1/20", "1/4", "1/2", "3/4", "19/20"),
) -> list[tuple[Fraction, ...]]:
    """The quantiles of the money after each round, from none to `rounds`; who has stopped keeps it.

    >>> fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> [tuple(map(int, row)) for row in fan(fair, 10, rounds=2, quantiles=["1/4", "3/4"])]
    [(10, 10), (9, 11), (8, 10)]

    Raises:
        RulesError: as `session`, or a quantile that is no probability.
        UndecidedError: the error bound of a long session leaves several amounts.
    """
    _, walk = _planned(bet, bankroll, stake, target, rounds)
    wanted = [probability(q) for q in quantiles]
    rows = [tuple([walk.bankroll] * len(wanted))]
    whole_ones = enumerate(evenings(walk, whole_rounds(walk, rounds)), 1)
    both = zip(evenings(walk, rounds), amounts(walk, rounds), strict=True)
    for n, (evening, possible) in enumerate(both, 1):
        slip = n * _slip(bet)
        found = _quantiles(evening, _ends(possible), wanted, slip)
        if any(low != high for low, high in found):  # where it is a tie integers may decide
            other = next((e for k, e in whole_ones if k == n), evening)
            found = _quantiles(other, _ends(possible), wanted, slip)
        each = zip(wanted, found, strict=True)
        bound = max(slip, Fraction(1, 1 << TAIL))
        rows.append(tuple(decided(q, k, bound) * walk.unit for q, k in each))
    return rows


def _ends(possible: int) -> tuple[int, int]:
    """The least and the largest amount, in units."""
    return (possible & -possible).bit_length() - 1, possible.bit_length() - 1


def _quantiles(
    evening: Evening, ends: tuple[int, int], wanted: Sequence[Fraction], slip: Fraction
) -> list[tuple[int, int]]:
    """The range of each quantile of the money after a round, in units."""
    everyone = evening.alive + evening.ruined + evening.reached
    held = [(k, int(w)) for k, w in enumerate(everyone.coeffs()) if w]
    below = list(accumulate(weight for _, weight in held))
    more = ceil(slip * evening.scale)
    less = more + evening.scale - below[-1]
    found = []
    for q in wanted:
        level = ceil(q * evening.scale)
        low, high = bisect_left(below, level - less), bisect_left(below, level + more)
        found.append(
            (
                held[low][0] if level > less and q < 1 else ends[q == 1],
                held[high][0] if high < len(held) and 0 < q < 1 else ends[q > 0],
            )
        )
    return found


def risk_of_ruin(
    bet: Profits, bankroll: Number, *, stake: Number = 1, within: Number = "1/1000000000"
) -> tuple[Fraction, Fraction]:
    """The probability that a gambler who never stops is ruined: bounds that hold for certain.

    It is 1 unless the bet favours the gambler. If it does, let 0 < t < 1 with E[t^X] <= 1; from
    money m ruin has probability at most t^(m - r), r the most that a ruined gambler holds (Cramér's
    bound by optional stopping), so a session with a far target is within that of the truth.

    >>> better = {Fraction(1): Fraction(2, 3), Fraction(-1): Fraction(1, 3)}
    >>> low, high = risk_of_ruin(better, 3)
    >>> round(float(low), 8), low <= Fraction(1, 8) <= high
    (0.125, True)

    Args:
        bet: a bet, or the law of its profit per unit staked.
        bankroll: what the gambler brings.
        stake: what is staked on each bet.
        within: how far apart the bounds may be; where the advantage is tiny they are wider.

    Raises:
        RulesError: no bankroll for one stake.
    """
    plan, walk = _planned(bet, bankroll, stake, None, 1)
    mean = sum(Fraction(s * w, walk.denominator) for s, w in walk.steps.items())
    if min(walk.steps) >= 0:
        return Fraction(0), Fraction(0)
    if mean <= 0:
        return Fraction(1), Fraction(1)
    t = _cramer(walk)
    held = walk.least - 1
    far, tail = walk.start + 1, Fraction(1)
    while True:
        tail = t ** int(far - held)
        if tail <= exact(within) or far > 20_000:
            break
        far *= 2
    target = far * walk.unit
    endless = replace(plan, ceiling=whole(target), rounds=None)
    result = _until_target(endless, walk._replace(target=target))
    low = result.ruin - result.bound
    return max(low, Fraction(0)), min(result.ruin + result.bound + tail, Fraction(1))


def _slip(bet: Profits) -> Fraction:
    """How likely a bet of a certified law differs from the true one, at most, coupled with it.

    So much is added to the bound for each bet of a session; 0 for a law that is exact.
    """
    return 2 * len(bet.law) * bet.bound if isinstance(bet, BetResult) else Fraction(0)


def _planned(
    bet: Profits, bankroll: Number, stake: Number, target: Number | None, rounds: int | None
) -> tuple[Plan, Walk]:
    """The evening of a bet of which the law is known, and the walk that its money takes."""
    law = bet.profit if isinstance(bet, BetResult) else Law.of(profits(bet))
    plan = _evening(OneBet(law), bankroll, exact(stake), target, rounds)
    return plan, Walk.of(law, plan, exact(stake))


def _until_target(plan: Plan, walk: Walk) -> SessionResult:
    solution, brought = solve(plan.game), walk.bankroll
    outcomes = list(solution.outcomes.items())
    money = summed((brought + o.profit("evening"), p) for o, p in outcomes)
    return SessionResult(
        bankroll=walk.bankroll,
        money=Finite(money, solution.bound, (min(money), max(money))),
        ends=summed((o.label, p) for o, p in outcomes),
        stake=walk.stake,
        target=walk.target,
        rounds=None,
        mean_rounds=solution.mean_rolls,
    )


def _cramer(walk: Walk) -> Fraction:
    """The least t in (0, 1], in 40 bits, with E[t^step] <= 1 for certain; the mean is positive."""
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shrinks(walk, middle << (BITS - 40)) else (middle, high)
    return Fraction(high, 1 << 40)


def _shrinks(walk: Walk, t: int) -> bool:
    """Whether E[t^step] <= 1, with t and every power of it out of 2^BITS and rounded up."""
    one, most, mean = 1 << BITS, walk.denominator << BITS, 0
    for step, weight in walk.steps.items():
        power, base, n = one, t if step > 0 else -(-one * one // t), abs(step)
        while n and max(power, base) <= most:
            if n & 1:
                power = -(-power * base >> BITS)
            base, n = -(-base * base >> BITS), n >> 1
        mean += weight * (power if not n else most + 1)
        if mean > most:
            return False
    return True
