"""The money of a session as a walk on the integers, carried on round by round.

The weights of the amounts are a polynomial; a round multiplies it by the polynomial of the bet and
takes off what is ruined or has reached the target. In whole integers while they are short; beyond,
each weight is rounded down at every step, and what is missing from the sum bounds every error.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

from sevenout.dice import Law
from sevenout.errors import RulesError
from sevenout.exact.evening import Plan
from sevenout.exact.totals import BITS

EXACT_WORK = 5_000_000_000
"""A walk that moves so many bits is still carried on in whole integers."""
CERTIFIED_WORK = 2_000_000_000
"""A walk of so many amounts, over all its rounds, is still carried on."""


class Walk(NamedTuple):
    """A session on the integers: money in units, and the weight of each step."""

    unit: Fraction
    start: int
    steps: Mapping[int, int]
    stake: Fraction
    target: Fraction | None

    @classmethod
    def of(cls, law: Law, plan: Plan, stake: Fraction) -> "Walk":
        """The walk of an evening of one bet, from the law of its profit per unit staked."""
        money = Fraction(plan.bankroll)
        goal = None if plan.ceiling is None else Fraction(plan.ceiling)
        moves = {x * stake: law[x] for x in law}
        scale = lcm(money.denominator, *(x.denominator for x in moves))
        unit = Fraction(gcd(int(money * scale), *(int(x * scale) for x in moves)), scale)
        steps = {int(x / unit): int(p * law.denominator) for x, p in moves.items()}
        return cls(unit, int(money / unit), steps, stake, goal)

    @property
    def bankroll(self) -> Fraction:
        """The money at the start."""
        return self.start * self.unit

    @property
    def denominator(self) -> int:
        """The sum of the weights of the steps."""
        return sum(self.steps.values())

    @property
    def least(self) -> int:
        """The least money, in units, that pays the next bet: its stake, and all it may lose."""
        return max(int(-(-self.stake // self.unit)), -min(self.steps))

    @property
    def most(self) -> int | None:
        """The least money, in units, that reaches the target."""
        return None if self.target is None else int(-(-self.target // self.unit))


class Evening(NamedTuple):
    """After a round: polynomials in money, in units, with weights out of `scale`."""

    alive: Any
    ruined: Any
    reached: Any
    scale: int
    playing: Fraction
    """The probability that the round was played."""


def amounts(walk: Walk, rounds: int) -> Iterator[int]:
    """The amounts that the money can come to after each round: bit k stands for k units."""
    alive, stopped, top = 1 << walk.start, 0, walk.most
    playing = ((1 << top) if top is not None else 0) - (1 << walk.least)
    for _ in range(rounds):
        after = 0
        for step in walk.steps:
            after |= alive << step if step >= 0 else alive >> -step
        alive = after >> walk.least << walk.least if top is None else after & playing
        stopped |= after ^ alive
        yield alive | stopped


def whole_rounds(walk: Walk, rounds: int) -> int:
    """After how many of these rounds the session is still in reach in whole integers."""
    return bisect_left(range(rounds), True, key=lambda n: _work(walk, n + 1)[0] > EXACT_WORK)


def _work(walk: Walk, rounds: int) -> tuple[int, int]:
    """How many bits the walk moves in whole integers, and over how many amounts of money."""
    width = (walk.most or walk.start + max(*walk.steps, 0) * rounds) + max(*walk.steps, 0) + 1
    return width * len(walk.steps) * rounds**2 * walk.denominator.bit_length() // 2, width


def evenings(walk: Walk, rounds: int) -> Iterator[Evening]:
    """The session after each round."""
    from flint import fmpz_poly

    down = min(*walk.steps, 0)
    work, width = _work(walk, rounds)
    if work > EXACT_WORK and width * rounds > CERTIFIED_WORK:
        raise RulesError(
            f"a session of {rounds:,} rounds among {width:,} amounts of money; take fewer rounds, "
            "a nearer target or a rounder bankroll"
        )
    whole = work <= EXACT_WORK
    denominator = walk.denominator if whole else 1 << BITS
    one = 1 if whole else 1 << BITS
    top = walk.most
    alive = fmpz_poly([0] * walk.start + [one])
    ruined, reached, scale = fmpz_poly([]), fmpz_poly([]), one
    for _ in range(rounds):
        playing = Fraction(int(alive(1)), scale)
        after = fmpz_poly([])  # money, less the largest loss
        for size, weight in walk.steps.items():
            share = weight if whole else (weight << BITS) // walk.denominator
            after += alive.left_shift(size - down) * share
        if whole:
            scale *= denominator
            ruined, reached = ruined * denominator, reached * denominator
        else:
            after = after // denominator
        after = after.right_shift(-down)
        ruined += after.truncate(walk.least)
        if top is not None:
            reached += after.right_shift(top).left_shift(top)
            after = after.truncate(top)
        alive = after.right_shift(walk.least).left_shift(walk.least)
        yield Evening(alive, ruined, reached, scale, playing)
