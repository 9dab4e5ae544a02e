"""The distribution of an evening, computed roll by roll.

A roll is a linear map on positions × money (`moneylattice`). Small evenings use integers, others
floats. A roll sums at most k positive products, so its relative error is at most (k + 2)·2⁻⁵³ in
any order of addition (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). That of n rolls
is n times as much. An end adds its own sum, and one addition per roll. This, plus the mass beyond
the last column, is the error bound.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.evenings.eveningplan import Plan
from sevenout.evenings.eveningresult import QUANTILES, EveningResult
from sevenout.evenings.lattice.carrier import carried
from sevenout.evenings.lattice.linear_operator import fan_in
from sevenout.evenings.lattice.moneylattice import CODES, MoneyLattice
from sevenout.evenings.lattice.playout import Standing
from sevenout.rolling.distribution import Finite, probability
from sevenout.rules.casino.ends import ENDS, RUIN, STOPS, TIME
from sevenout.rules.casino.felt import NOTHING, Bets, Money, Stands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

EXACT_MOVES = 20_000
"""The most moves, over all rolls, of an evening computed in integers."""
OVER = 1e-16
"""An unlimited evening is over when it goes on with at most this probability."""
ENDED = tuple(code for code in CODES if code != TIME)
LONGEST = 2_000_000
"""The most rolls of an unlimited evening before giving up."""
SHARES = [float(probability(q)) for q in QUANTILES]
Place = tuple[int, Money, Stands]
"""A row or end, the money, and the bets left when the time is up."""


def in_integers(plan: Plan) -> EveningResult | None:
    """How a small evening ends, exactly; None if it is not small."""
    walk = _IntegerWalk(plan)
    last = plan.ends.rolls or 0
    for n in range(1, last + 1):
        walk.moves += walk.ahead()
        if walk.moves > EXACT_MOVES:
            return None
        walk.roll(last=n == last)
    return walk.result()


class _IntegerWalk:
    """Integer weights of the places of an evening after the rolls so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.found, self.ways = plan, plan.positions, plan.bettor.felt.ways
        self.standing = Standing(plan.bettor.felt, plan.ends.standing)
        self.now: dict[Place, int] = {(*self.found.first, NOTHING): 1}
        self.ended: dict[Place, int] = {}
        self.scale, self.moves = 1, 0
        self.playing, self.ruined = [1.0], [0.0]
        self.fan = [_quantiles(self.now.items())]
        self.rolls = self.handle = self.bets = Fraction(0)
        self.refused = Fraction(self.found.lacking)
        self.met: set[int] = set()

    def ahead(self) -> int:
        """The moves of the next roll."""
        return sum(len(self.found.steps_at(row, money)) for row, money, _ in self.now)

    def roll(self, *, last: bool) -> None:
        """Move the weights on by one roll."""
        then: dict[Place, int] = {}
        ended = {place: weight * self.ways for place, weight in self.ended.items()}
        settled: Money = 0
        decided = missed = 0
        for (row, money, _), weight in self.now.items():
            self.met.add(row)
            for step in self.found.steps_at(row, money):
                to, left = self.found.follow(step, money, last=last)
                key = to, left, self.standing.left(step.stands) if to == TIME else NOTHING
                where = then if to >= 0 or to == TIME else ended
                where[key] = where.get(key, 0) + weight * step.weight
                settled += weight * step.weight * step.settled
                decided += weight * step.weight * step.bets
                missed += 0 if last or to in STOPS else weight * step.weight * step.refused
        self.rolls += Fraction(sum(self.now.values()), self.scale)
        self.now, self.ended, self.scale = then, ended, self.scale * self.ways
        self.handle += Fraction(settled, self.scale)
        self.bets += Fraction(decided, self.scale)
        self.refused += Fraction(missed, self.scale)
        ruined = sum(weight for (end, *_), weight in ended.items() if end == RUIN)
        self.playing.append(float(Fraction(sum(then.values()), self.scale)))
        self.ruined.append(float(Fraction(ruined, self.scale)))
        self.fan.append(_quantiles([*then.items(), *ended.items()]))

    def result(self) -> EveningResult:
        """The result, with the bets on the felt played out or taken down."""
        plan, money, ends = self.plan, dict[Fraction, Fraction](), dict[str, int]()
        for (to, left, stands), weight in [*self.now.items(), *self.ended.items()]:
            self.handle += sum(amount for _, amount in stands[1]) * Fraction(weight, self.scale)
            self.bets += len(stands[1]) * Fraction(weight, self.scale)
            for profit, p in self.standing.law(stands).items():
                money[left + profit] = money.get(left + profit, Fraction(0)) + weight * p
            ends[ENDS[to]] = ends.get(ENDS[to], 0) + weight
        return EveningResult(
            money=Finite({amount: w / self.scale for amount, w in money.items()}),
            ends={end: Fraction(w, self.scale) for end, w in ends.items()},
            playing=self.playing,
            ruined=self.ruined,
            mean_rolls=self.rolls,
            handle=self.handle,
            bets=self.bets,
            refused=self.refused,
            fan=self.fan,
            **planned(plan, [self.found.rows[row].seat.bets for row in self.met]),
        )


def _quantiles(weights: Iterable[tuple[Place, int]]) -> tuple[Fraction, ...]:
    law: dict[Money, int] = {}
    for (_, amount, _), weight in weights:
        law[amount] = law.get(amount, 0) + weight
    total = sum(law.values())
    money = Finite({Fraction(m): Fraction(w, total) for m, w in law.items()})
    return tuple(money.quantile(q) for q in QUANTILES)


def planned(plan: Plan, stood: Iterable[Bets]) -> dict[str, Any]:
    """The figures that don't depend on chance, from the bets that stood before some roll."""
    felt, rows = plan.bettor.felt, plan.positions.rows
    different = set(stood)
    made = {each for bets in different for each in bets}
    least = min((amount for bet, amount in made if felt.is_flat(bet)), default=None)
    return {
        "name": plan.name,
        "bankroll": Fraction(plan.bankroll),
        "rolls": plan.ends.rolls,
        "hours": plan.hours,
        "pace": plan.pace,
        "names": plan.positions.names,
        "positions": len({row.seat for row in rows}),
        "most_at_risk": Fraction(max(map(felt.cost, different), default=0)),
        "least_bet": None if least is None else Fraction(least),
        "commission": any(felt.fee(*each) for each in made),
        "standing": plan.ends.standing == "staked"
        and any(
            move.step.stands[1]
            for row in range(len(plan.positions.rows))
            for move in plan.positions.moves(row)
        ),
        "clipped": plan.positions.clipped,
    }


def in_floats(plan: Plan, cells: MoneyLattice) -> tuple[EveningResult, float]:
    """How an evening ends, with an error bound; and the mass beyond the last column."""
    found = _Floats(plan, cells)
    found.run()
    return found.told(), found.beyond


class _Floats:
    """An evening in floats."""

    def __init__(self, plan: Plan, cells: MoneyLattice) -> None:
        self.plan, self.cells = plan, cells
        self.played = 0

    def run(self) -> None:
        """Roll by roll to the end."""
        plan, cells = self.plan, self.cells
        self.carrier = carrier = carried(cells)
        self.playing, self.ruined, self.fan = [1.0], [0.0], []
        self.fan.append(self._quantiles(carrier.now, carrier.columns))
        stride = max(1, (plan.ends.rolls or 1) // 500)
        while plan.ends.rolls is None or self.played < plan.ends.rolls - 1:
            carrier.roll()
            self._see(carrier.now, carrier.columns, stride)
            if plan.ends.rolls is None and self.playing[-1] < OVER:
                break
            if plan.ends.rolls is None and self.played >= LONGEST:
                raise RulesError("the evening may last too long; give rolls or hours too")
        self.refused = float(carrier.taken() @ cells.refused)
        self.last = carrier.now
        if plan.ends.rolls is not None:
            self.last = carrier.last()
            self._see(self.last, cells.stood(self.last).sum(axis=0), stride)
        self.beyond = cells.beyond(self.last) + carrier.cut

    def _see(self, now: "Floats", alive: "Floats", stride: int) -> None:
        """Record the figures of a roll."""
        self.played += 1
        self.playing.append(float(alive.sum()))
        self.ruined.append(float(self.cells.ended(now, RUIN).sum()))
        if self.plan.ends.rolls is not None and self.played % stride == 0:
            self.fan.append(self._quantiles(now, alive))

    def _quantiles(self, now: "Floats", alive: "Floats") -> tuple[Fraction, ...]:
        import numpy as np

        columns = np.zeros(self.cells.wide)
        columns[: len(alive)] = alive
        for code in ENDED:
            columns += self.cells.ended(now, code)
        below = np.cumsum(columns)
        at = np.searchsorted(below, [q * below[-1] for q in SHARES])
        return tuple(self.cells.amount(min(k, self.cells.wide - 1)) for k in at.tolist())

    def told(self) -> EveningResult:
        """The result."""
        plan, cells = self.plan, self.cells
        inner = fan_in(cells.target, cells.length, 0, cells.playing)
        outer = max(
            fan_in(to, cells.length, cells.playing, cells.cells)
            for to in (cells.target, cells.last)
        )
        slip = Fraction(self.played * (inner + 3) + outer + 3, 2**53) + Fraction(self.beyond)
        if plan.ends.rolls is None:
            slip += Fraction(self.playing[-1])
        law: dict[Fraction, Fraction] = {}
        ends: dict[str, Fraction] = {}
        alive, first, late_handle, late_bets, more = self._stood()
        slip += more
        for end, least, columns in [
            ("time", cells.least + first, alive),
            *((ENDS[code], cells.least, cells.ended(self.last, code)) for code in ENDED),
        ]:
            for k, p in enumerate(columns.tolist()):
                if p:
                    money = least + k * cells.unit
                    law[money] = law.get(money, 0) + Fraction(p)
            if (total := fsum(columns)) and not (end == "time" and plan.ends.rolls is None):
                ends[end] = Fraction(total)
        taken = self.carrier.taken()
        return EveningResult(
            money=Finite(law, slip),
            ends=ends,
            playing=self.playing,
            ruined=self.ruined,
            mean_rolls=Fraction(float(self.carrier.visits.sum())),
            handle=Fraction(float(taken @ cells.settled) + late_handle),
            bets=Fraction(float(taken @ cells.bets) + late_bets),
            refused=Fraction(self.refused) + plan.positions.lacking,
            fan=self.fan,
            **planned(plan, [cells.felt[row] for row in self.carrier.met()]),
        )

    def _stood(self) -> "tuple[Floats, Fraction, float, float, Fraction]":
        """The money of players who stay to the end, with their bets counted.

        Returns its distribution, the shift of column 0, the stakes and number of bets played out,
        and the added error bound.
        """
        import numpy as np

        plan, cells = self.plan, self.cells
        if plan.ends.rolls is None:
            return cells.amounts(self.last), Fraction(0), 0.0, 0.0, Fraction(0)
        stood = cells.stood(self.last)
        if plan.ends.standing == "staked":
            return stood[0], Fraction(0), 0.0, 0.0, Fraction(0)
        brought = Standing(plan.bettor.felt, plan.ends.standing).laws(cells.stands, cells.unit)
        after = np.zeros(cells.wide + brought.table.shape[1] - 1)
        handle = bets = 0.0
        for one, law in zip(cells.stands, stood, strict=True):
            after += np.convolve(law, brought.of(one))
            here = float(law.sum())
            handle += here * float(sum(amount for _, amount in one[1]))
            bets += here * len(one[1])
        slip = brought.slip + Fraction(2 * cells.wide + len(stood), 2**53)
        return after, brought.least_profit, handle, bets, slip
