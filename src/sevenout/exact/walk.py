"""The money of a session as a walk on the integers, carried on round by round.

The weights of the amounts are a polynomial; a round multiplies it by the polynomial of the bet and
takes off what is ruined or has reached the target. In whole integers while they are short; beyond,
each weight is rounded down at every step, and what is missing from the sum bounds every error.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

from sevenout.dice import Law
from sevenout.errors import RulesError, shown
from sevenout.exact.bets import BetResult
from sevenout.exact.totals import BITS, profits
from sevenout.numerals import Number, exact
from sevenout.rules import Game, settle

EXACT_WORK = 5_000_000_000
"""A walk that moves so many bits is still carried on in whole integers."""
CERTIFIED_WORK = 2_000_000_000
"""A walk of so many amounts, over all its rounds, is still carried on."""

Profits = BetResult | Mapping[Fraction, Fraction]
"""A bet, or the law of its profit per unit staked."""


class Walk(NamedTuple):
    """A session on the integers: money in units, and the weight of each step."""

    unit: Fraction
    start: int
    steps: Mapping[int, int]
    stake: Fraction
    target: Fraction | None

    @classmethod
    def of(cls, bet: Profits, bankroll: Number, stake: Number, target: Number | None) -> "Walk":
        """The walk of a session.

        Raises:
            RulesError: no bet, no bankroll for one bet, or a target already reached.
        """
        money, each = exact(bankroll), exact(stake)
        goal = None if target is None else exact(target)
        law = bet.profit if isinstance(bet, BetResult) else Law.of(profits(bet))
        moves = {x * each: law[x] for x in law}
        cost = max(each, -min(moves))
        if not 0 < each <= money:
            raise RulesError(f"a stake of {each} from a bankroll of {money}")
        if cost > money:
            raise RulesError(f"a bet that may cost {cost} from a bankroll of {money}; bring more")
        if goal is not None and goal <= money:
            raise RulesError(f"the target {goal} is reached already by {money}")
        scale = lcm(money.denominator, *(x.denominator for x in moves))
        unit = Fraction(gcd(int(money * scale), *(int(x * scale) for x in moves)), scale)
        steps = {int(x / unit): int(p * law.denominator) for x, p in moves.items()}
        return cls(unit, int(money / unit), steps, each, goal)

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


def evenings(walk: Walk, rounds: int) -> Iterator[Evening]:
    """The session after each round."""
    from flint import fmpz_poly

    if not isinstance(rounds, int) or rounds < 1:
        raise RulesError(f"rounds={shown(rounds)}; a session has 1 or more")
    rising, down = max(*walk.steps, 0), min(*walk.steps, 0)
    width = (walk.most or walk.start + rising * rounds) + rising + 1
    work = width * len(walk.steps) * rounds**2 * walk.denominator.bit_length() // 2
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


class Ladder(Game):
    """The session without an end in rounds; the state is the money in units."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.dice = Law(walk.steps)
        self.start = walk.start

    def step(self, money: int, roll: int) -> Any:
        then, walk = money + roll, self.walk
        end = "target" if walk.most is not None and then >= walk.most else ""
        if then < walk.least:
            end = "ruin"
        return settle(end, {"session": then * walk.unit}) if end else then
