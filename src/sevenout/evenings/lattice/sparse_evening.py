"""The distribution of an evening without NumPy, with a roll as a sparse map.

A cell is (row, money) or (end, money), explored from the first. The error bound is that of
`rollbyroll`: for n rolls of at most k products, a relative n·(k + 3)·2⁻⁵³, plus the mass beyond the
most money.
"""

from array import array
from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import fsum, sqrt
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.evenings.eveningplan import SMALL, Plan
from sevenout.evenings.eveningresult import EveningResult
from sevenout.evenings.lattice.playout import Standing
from sevenout.evenings.lattice.rollbyroll import LONGEST, OVER, SHARES, Place, planned
from sevenout.evenings.lattice.rollstep import Step
from sevenout.evenings.lattice.sparse_map import Floats, Map, sparse_map
from sevenout.rolling.distribution import Finite
from sevenout.rules.casino.ends import ENDS, RUIN, STOPS, TIME
from sevenout.rules.casino.felt import NOTHING, Money

ENTRY = 1e-5
"""Seconds to explore an entry of the map in a browser."""
WIDTHS = 5
"""The initial limit on the money: this many standard deviations above the bankroll."""
NO_ROLLS = 2_000
"""The number of rolls assumed for the spread of an unlimited evening."""
BEYOND_MOST = 0
"""The code of money beyond the limit."""
BEYOND = 1e-11
"""The limit is raised while more probability than this lies beyond it."""


def in_cells(plan: Plan) -> EveningResult:
    """How an evening ends, with an error bound."""
    plan.positions.complete()
    spread = sqrt((plan.ends.rolls or NO_ROLLS) * max(map(float, _squares(plan)), default=0.0))
    while True:
        walk = _Walk(plan, plan.bankroll + int(WIDTHS * spread) + 1)
        walk.run()
        if walk.beyond <= BEYOND:
            small = plan.ends.rolls is None and walk.on <= SMALL
            return plan.exactly(walk.told()) if small else walk.told()
        spread *= 1.5


def _squares(plan: Plan) -> list[Fraction]:
    """The mean squared gain of a roll in each row."""
    ways = plan.bettor.felt.ways
    return [
        sum((Fraction(step.gain) ** 2 * step.weight for step in steps), Fraction(0)) / ways
        for steps in plan.positions.steps
    ]


class _Cells:
    """The reachable cells and the entries of the map.

    Attributes:
        playing: the cells (row, money) in play, the first one first.
        ends: the other cells: the end, the money, and the bets left.
        entries: (from, to, to on the last roll, weight); ends are numbered down from -1.
        each: for each cell in play, the stakes settled, the bets and the bets refused by a roll.
    """

    def __init__(self, plan: Plan, most: Money) -> None:
        self.plan, self.most = plan, most
        self.standing = Standing(plan.bettor.felt, plan.ends.standing)
        self.playing: dict[tuple[int, Money], int] = {plan.positions.first: 0}
        self.ends: dict[Place, int] = {}
        self.entries: list[tuple[int, int, int, int]] = []
        self.each: list[tuple[float, float, float]] = []
        self.joined: dict[tuple[int, tuple[Step, ...]], list[Step]] = {}
        todo = [plan.positions.first]
        for row, money in todo:
            todo += self._explore(row, money)
            if len(self.entries) % 64 == 0:
                afford(
                    f"the distribution of an evening of {plan.name}",
                    seconds=len(self.entries) * ENTRY,
                    instead="bet in larger units, or bring less money",
                )

    def _steps(self, row: int, money: Money) -> list[Step]:
        """The steps of a row with this money, equivalent steps joined with averaged counts."""
        steps = tuple(self.plan.positions.steps_at(row, money))
        if (row, steps) not in self.joined:
            found: dict[Any, list[Step]] = {}
            for step in steps:
                stands = self.standing.left(step.stands)
                found.setdefault((step.to, step.gain, stands), []).append(step)
            self.joined[row, steps] = [
                alike[0]._replace(
                    weight=sum(step.weight for step in alike),
                    settled=sum(step.weight * step.settled for step in alike),
                    bets=sum(step.weight * step.bets for step in alike),
                    refused=sum(step.weight * step.refused for step in alike),
                    stands=stands,
                )
                for (_, _, stands), alike in found.items()
            ]
        return self.joined[row, steps]

    def _explore(self, row: int, money: Money) -> list[tuple[int, Money]]:
        """Add the entries of a cell; return the new cells."""
        found, here, ways = (
            self.plan.positions,
            self.playing[row, money],
            self.plan.bettor.felt.ways,
        )
        fresh: list[tuple[int, Money]] = []
        settled: Money = 0
        bets = refused = 0
        for step in self._steps(row, money):
            to, left = found.follow(step, money)
            last = self._end(found.ends.known(step.to, left, last=True), left, step.stands)
            if to < 0:
                target = self._end(to, left, step.stands)
            elif left > self.most:
                target = self._end(BEYOND_MOST, self.most, NOTHING)
            else:
                if (to, left) not in self.playing:
                    fresh.append((to, left))
                target = self.playing.setdefault((to, left), len(self.playing))
            self.entries.append((here, target, last, step.weight))
            settled += step.settled
            bets += step.bets
            refused += 0 if to in STOPS else step.refused
        self.each.append((float(settled / ways), bets / ways, refused / ways))
        return fresh

    def _end(self, end: int, money: Money, stands: Any) -> int:
        """The number of an end, with the bets left if the time is up."""
        key = end, money, stands if end == TIME else NOTHING
        return -1 - self.ends.setdefault(key, len(self.ends))


class _Walk:
    """An evening, roll by roll.

    A vector holds the cells in play, the ends, and the visits to the former.
    """

    def __init__(self, plan: Plan, most: Money) -> None:
        self.plan = plan
        self.cells = cells = _Cells(plan, most)
        self.on, self.size = len(cells.playing), len(cells.playing) + len(cells.ends)
        money = [*(money for _, money in cells.playing), *(money for _, money, _ in cells.ends)]
        self.amounts = sorted(set(money))
        column = {amount: k for k, amount in enumerate(self.amounts)}
        ones = [1.0] * self.size
        where = [column[amount] for amount in money]
        self.columns = sparse_map(range(self.size), where, ones, len(column))
        ruined = [self.on + k for (end, *_), k in cells.ends.items() if end == RUIN]
        kinds = [0] * self.on + [1] * len(ruined)
        self.kinds = sparse_map([*range(self.on), *ruined], kinds, [1.0] * len(kinds), 2)
        self.played = 0

    def _map(self, *, last: bool) -> tuple[Map, int, int]:
        """The map of a roll, and the most entries into a cell and into an end."""
        ways, entries, on, size = self.plan.bettor.felt.ways, self.cells.entries, self.on, self.size
        targets = [entry[2 if last else 1] for entry in entries]
        targets = [to if to >= 0 else on - 1 - to for to in targets]
        fan_in = [0] * size
        for to in targets:
            fan_in[to] += 1
        stay = [*range(on, size + on)]  # ends and visits stay
        move = sparse_map(
            [*(entry[0] for entry in entries), *stay, *range(on)],
            [*targets, *stay, *range(size, size + on)],
            [*(entry[3] / ways for entry in entries), *[1.0] * (len(stay) + on)],
            size + on,
        )
        return move, max(fan_in[:on], default=0), max(fan_in[on:], default=0)

    def run(self) -> None:
        """Roll by roll to the end."""
        rolls = self.plan.ends.rolls
        move, self.inner, self.outer = self._map(last=False)
        now = array("d", bytes(8 * (self.size + self.on)))
        now[0] = 1.0
        self.playing, self.ruined, self.fan = [1.0], [0.0], [self._quantiles(now)]
        stride = max(1, (rolls or 1) // 500)
        while rolls is None or self.played < rolls - 1:
            now = move(now)
            self._see(now, stride)
            if rolls is None and self.playing[-1] < OVER:
                break
            if rolls is None and self.played >= LONGEST:
                raise RulesError("the evening may last too long; give rolls or hours too")
        self.refused = self._mean(now, 2)
        if rolls is not None:
            move, _, outer = self._map(last=True)
            self.outer = max(self.outer, outer)
            now = move(now)
            self._see(now, stride)
        self.last = now
        beyond = [k for (end, *_), k in self.cells.ends.items() if end == BEYOND_MOST]
        self.beyond = sum(now[self.on + k] for k in beyond)

    def _see(self, now: Floats, stride: int) -> None:
        """Record the figures of a roll."""
        self.played += 1
        alive, ruined = self.kinds(now)
        if self.played == self.plan.ends.rolls:  # players who stay to the end
            ends = self.cells.ends.items()
            alive = fsum(now[self.on + k] for (end, *_), k in ends if end == TIME)
        self.playing.append(alive)
        self.ruined.append(ruined)
        if self.plan.ends.rolls is not None and self.played % stride == 0:
            self.fan.append(self._quantiles(now))

    def _quantiles(self, now: Floats) -> tuple[Fraction, ...]:
        below = [*accumulate(self.columns(now))]
        places = (bisect_left(below, q * below[-1]) for q in SHARES)
        return tuple(Fraction(self.amounts[min(k, len(below) - 1)]) for k in places)

    def _mean(self, now: Floats, which: int) -> float:
        """The sum over all rolls of the stakes settled, the bets, or the bets refused."""
        visits = now[self.size :]
        return fsum(n * each[which] for n, each in zip(visits, self.cells.each, strict=True))

    def told(self) -> EveningResult:
        """The result."""
        plan, endless = self.plan, self.plan.ends.rolls is None
        slip = Fraction(self.played * (self.inner + 3) + self.outer + 3, 2**53)
        slip += Fraction(self.beyond) + (Fraction(self.playing[-1]) if endless else 0)
        law: dict[Fraction, Fraction] = {}
        ends: dict[str, Fraction] = {}
        handle, bets = Fraction(self._mean(self.last, 0)), Fraction(self._mean(self.last, 1))
        for (end, money, stands), k in self.cells.ends.items():
            p = Fraction(self.last[self.on + k])
            if not p or end == BEYOND_MOST:
                continue
            ends[ENDS[end]] = ends.get(ENDS[end], Fraction(0)) + p
            handle += p * sum(amount for _, amount in stands[1])
            bets += p * len(stands[1])
            for profit, share in self.cells.standing.law(stands).items():
                left = Fraction(money + profit)
                law[left] = law.get(left, Fraction(0)) + p * share
        stood = {row for (row, _), k in self.cells.playing.items() if self.last[self.size + k]}
        return EveningResult(
            money=Finite(law, slip),
            ends=ends,
            playing=self.playing,
            ruined=self.ruined,
            mean_rolls=Fraction(fsum(self.last[self.size :])),
            handle=handle,
            bets=bets,
            refused=Fraction(self.refused) + plan.positions.lacking,
            fan=self.fan,
            **planned(plan, [plan.positions.rows[row].seat.bets for row in stood]),
        )
