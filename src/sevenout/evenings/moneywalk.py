"""An evening of one bet as a random walk on the integers, computed round by round.

The distribution of the money is a polynomial. Each round multiplies it by that of the bet and
removes the evenings that end. Beyond short integers each weight is rounded down, and the missing
mass bounds every error.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, gcd, lcm
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.evenings.eveningplan import Plan
from sevenout.rules.casino.ends import TIME
from sevenout.rules.casino.onebet import FlatBetting, OneBet
from sevenout.solving.distributions.totals import BITS

EXACT_WORK = 5_000_000_000
"""The most bits that a walk in integers moves."""
CERTIFIED_WORK = 2_000_000_000
"""The most amounts of money, over all rounds, of a certified walk."""


class Walk(NamedTuple):
    """An evening of one bet on the integers; money is in units.

    Attributes:
        stake: of each bet, not in units but as the bankroll is given.
        cost: the least money that pays for the next bet and its greatest loss.
        low: the most money that triggers the stop loss; None if there is none.
        top: the least money that reaches the target; None if there is none.
        timed: whether the evening ends after the last round, so that no other bet is wanted.
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
        """The walk of an evening of one bet."""
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
        """The least money above the stop loss."""
        return 0 if self.low is None else max(0, self.low + 1)


class MoneyRound(NamedTuple):
    """After a round: polynomials in units of money, with weights out of `scale`.

    Attributes:
        alive: evenings that go on; after the last round, those that end then.
        ruined, lost, reached: evenings ended by ruin, the stop loss, the target.
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
    """The possible amounts of money after each round: bit k stands for k units."""
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
    """How many of these rounds can be computed in integers."""
    return bisect_left(range(rounds), True, key=lambda n: _work(walk, n + 1)[0] > EXACT_WORK)


def _work(walk: Walk, rounds: int) -> tuple[int, int]:
    """The bits moved in integers, and the number of amounts of money."""
    width = (walk.top or walk.start + max(*walk.steps, 0) * rounds) + max(*walk.steps, 0) + 1
    return width * len(walk.steps) * rounds**2 * walk.denominator.bit_length() // 2, width


def in_reach(walk: Walk, rounds: int) -> bool:
    """Whether this many rounds can be computed, exactly or certified."""
    work, width = _work(walk, rounds)
    return work <= EXACT_WORK or width * rounds <= CERTIFIED_WORK


def carried(walk: Walk, rounds: int) -> Iterator[MoneyRound]:
    """The walk after each round."""
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
        after = fmpz_poly([])  # shifted up by the largest loss
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
    """After each round, the range of each quantile, in units, that the error bound allows.

    `slip` bounds the error of the distribution of one bet.
    """
    whole_ones = enumerate(carried(walk, whole_rounds(walk, rounds)), 1)
    both = zip(carried(walk, rounds), amounts(walk, rounds), strict=True)
    for n, (now, possible) in enumerate(both, 1):
        found = _ranges(now, ends_of(possible), wanted, n * slip)
        if any(low != high for low, high in found):  # exact integers may break a tie
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
