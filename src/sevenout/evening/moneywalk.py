"""An evening of one bet: its money is a walk on the integers, carried on round by round.

The weights of the amounts are a polynomial; a round multiplies it by the polynomial of the bet and
takes off what has come to an end. In whole integers while they are short; beyond, each weight is
rounded down at every step, and what is missing from the sum bounds every error.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, gcd, lcm
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.evening.eveningplan import Plan
from sevenout.rules.casino.ends import TIME
from sevenout.rules.casino.onebet import FlatBetting, OneBet
from sevenout.solve.distributions.totals import BITS

EXACT_WORK = 5_000_000_000
"""A walk that moves this many bits is still carried on in whole integers."""
CERTIFIED_WORK = 2_000_000_000
"""A walk of this many amounts, over all its rounds, is still carried on."""


class Walk(NamedTuple):
    """An evening of one bet on the integers: money in units, and the weight of each step.

    Attributes:
        unit: of the money.
        start: the money at the start.
        steps: the weight of each profit.
        stake: what is staked on each bet, in units of the bankroll.
        cost: the least money that pays the next bet: its stake, and all it may lose.
        low: the most money with which a stop loss is reached; None for none.
        top: the least money that reaches the target; None for none.
        rounds: how many there are at most; None for no limit.
        timed: whether the time is up after these, so that no other bet is wanted.
    """

    unit: Fraction
    start: int
    steps: Mapping[int, int]
    stake: Fraction
    cost: int
    low: int | None = None
    top: int | None = None
    rounds: int | None = None
    timed: bool = False

    @classmethod
    def of(cls, plan: Plan) -> "Walk":
        """The walk of an evening of one bet.

        Raises:
            RulesError: the bankroll does not pay for the first bet.
        """
        felt, bets = plan.bettor.felt, plan.bettor.strategy
        assert isinstance(felt, OneBet)
        assert isinstance(bets, FlatBetting)
        if bets.amount > plan.bankroll:
            raise RulesError(
                f"a bankroll of {plan.bankroll} does not pay for the first bet: {bets.bet}"
            )
        money, stake = Fraction(plan.bankroll), Fraction(bets.amount) / felt.risk
        moves = {x * stake: felt.law[x] for x in felt.law}
        scale = lcm(money.denominator, *(x.denominator for x in moves))
        unit = Fraction(gcd(int(money * scale), *(int(x * scale) for x in moves)), scale)
        ends = plan.ends
        low, top = ends.columns(unit)
        rounds = min([n for n in (ends.rolls, ends.rounds) if n is not None], default=None)
        return cls(
            unit=unit,
            start=int(money / unit),
            steps={int(x / unit): int(p * felt.law.denominator) for x, p in moves.items()},
            stake=stake,
            cost=int(-(-bets.amount // unit)),
            low=low,
            top=top,
            rounds=rounds,
            timed=rounds is not None and ends.rolled(None, rolls=rounds) == TIME,
        )

    @property
    def denominator(self) -> int:
        """The sum of the weights of the steps."""
        return sum(self.steps.values())

    @property
    def above(self) -> int:
        """The least money with which no stop loss is reached."""
        return 0 if self.low is None else max(0, self.low + 1)


class MoneyRound(NamedTuple):
    """After a round: polynomials in money, in units, with weights out of `scale`.

    Attributes:
        alive: who goes on; after the last round, who comes to its end.
        ruined, lost, reached: who has left in ruin, by the stop loss, with the target.
        scale: what the weights are out of.
        playing: the probability that the round was played.
    """

    alive: Any
    ruined: Any
    lost: Any
    reached: Any
    scale: int
    playing: Fraction

    def weights(self) -> list[tuple[int, int]]:
        """The weight of each amount of money."""
        everyone = self.alive + self.ruined + self.lost + self.reached
        return [(k, int(w)) for k, w in enumerate(everyone.coeffs()) if w]


def amounts(walk: Walk, rounds: int) -> Iterator[int]:
    """The amounts that the money can come to after each round: bit k stands for k units."""
    alive, stopped, least = 1 << walk.start, 0, max(walk.cost, walk.above)
    for _ in range(rounds):
        after = 0
        for step in walk.steps:
            after |= alive << step if step >= 0 else alive >> -step
        alive = after >> least << least
        if walk.top is not None:
            alive &= (1 << walk.top) - 1
        stopped |= after ^ alive
        yield alive | stopped


def whole_rounds(walk: Walk, rounds: int) -> int:
    """After how many of these rounds the walk is still in reach in whole integers."""
    return bisect_left(range(rounds), True, key=lambda n: _work(walk, n + 1)[0] > EXACT_WORK)


def _work(walk: Walk, rounds: int) -> tuple[int, int]:
    """How many bits the walk moves in whole integers, and over how many amounts of money."""
    width = (walk.top or walk.start + max(*walk.steps, 0) * rounds) + max(*walk.steps, 0) + 1
    return width * len(walk.steps) * rounds**2 * walk.denominator.bit_length() // 2, width


def in_reach(walk: Walk, rounds: int) -> bool:
    """Whether this many rounds can be carried on, exactly or certified."""
    work, width = _work(walk, rounds)
    return work <= EXACT_WORK or width * rounds <= CERTIFIED_WORK


def carried(walk: Walk, rounds: int) -> Iterator[MoneyRound]:
    """The walk after each round.

    Raises:
        RulesError: too many of them.
    """
    from flint import fmpz_poly

    if not in_reach(walk, rounds):
        raise RulesError(
            f"a session of {rounds:,} rounds with {_work(walk, rounds)[1]:,} amounts of money is "
            "too large; take fewer rounds, a nearer target or a rounder bankroll"
        )
    whole = _work(walk, rounds)[0] <= EXACT_WORK
    denominator = walk.denominator if whole else 1 << BITS
    one = 1 if whole else 1 << BITS
    down, top, above = min(*walk.steps, 0), walk.top, walk.above
    alive = fmpz_poly([0] * walk.start + [one])
    ruined, lost, reached = fmpz_poly([]), fmpz_poly([]), fmpz_poly([])
    scale = one
    for n in range(1, rounds + 1):
        playing = Fraction(int(alive(1)), scale)
        after = fmpz_poly([])  # money, less the largest loss
        for size, weight in walk.steps.items():
            share = weight if whole else (weight << BITS) // walk.denominator
            after += alive.left_shift(size - down) * share
        if whole:
            scale *= denominator
            ruined, reached = ruined * denominator, reached * denominator
            lost *= denominator
        else:
            after = after // denominator
        after = after.right_shift(-down)
        if above:
            lost += after.truncate(above)
            after = after.right_shift(above).left_shift(above)
        if top is not None:
            reached += after.right_shift(top).left_shift(top)
            after = after.truncate(top)
        if not (walk.timed and n == walk.rounds):
            ruined += after.truncate(walk.cost)
            after = after.right_shift(walk.cost).left_shift(walk.cost)
        alive = after
        yield MoneyRound(alive, ruined, lost, reached, scale, playing)


def quantiles(walk: Walk, rounds: int, wanted: Sequence[Fraction], slip: Fraction) -> Iterator[Any]:
    """The range of each quantile of the money after each round, in units; the least and the most
    amount that the error bound leaves.

    Args:
        walk: of the evening.
        rounds: how many.
        wanted: the probabilities.
        slip: how far the distribution of one bet may be from the truth.
    """
    whole_ones = enumerate(carried(walk, whole_rounds(walk, rounds)), 1)
    both = zip(carried(walk, rounds), amounts(walk, rounds), strict=True)
    for n, (now, possible) in enumerate(both, 1):
        found = _ranges(now, ends_of(possible), wanted, n * slip)
        if any(low != high for low, high in found):  # where it is a tie integers may decide
            other = next((each for k, each in whole_ones if k == n), now)
            found = _ranges(other, ends_of(possible), wanted, n * slip)
        yield found


def ends_of(possible: int) -> tuple[int, int]:
    """The least and the largest amount, in units."""
    return (possible & -possible).bit_length() - 1, possible.bit_length() - 1


def _ranges(
    now: MoneyRound, ends: tuple[int, int], wanted: Sequence[Fraction], slip: Fraction
) -> list[tuple[int, int]]:
    held = now.weights()
    below = list(accumulate(weight for _, weight in held))
    more = ceil(slip * now.scale)
    less = more + now.scale - below[-1]
    found = []
    for q in wanted:
        level = ceil(q * now.scale)
        low, high = bisect_left(below, level - less), bisect_left(below, level + more)
        found.append(
            (
                held[low][0] if level > less and q < 1 else ends[q == 1],
                held[high][0] if high < len(held) and 0 < q < 1 else ends[q > 0],
            )
        )
    return found
