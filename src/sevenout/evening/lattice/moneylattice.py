"""Positions × money: the cells of an evening, and the one linear map that a roll is.

A cell is a layout and an amount of money, on a lattice of equal steps; a pinch is a cell of its
own. What ends an evening is a cell too, one for each end and amount, which nothing leaves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.evening.lattice.lumping import lumped
from sevenout.evening.lattice.positions import Positions
from sevenout.evening.lattice.reachable import Step
from sevenout.rules.casino.ends import ENDS, LOSS, STOPS, TIME, WIN, at_last
from sevenout.rules.casino.felt import NOTHING, Bets, Money, Stands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CODES = (*(code for code in ENDS if code != TIME), TIME)


@dataclass(frozen=True, eq=False)
class MoneyLattice:
    """The cells, numbered: first the open rows by money, then the pinches, then the ends, that of
    the time once for each way in which what stands then may be left.

    Attributes:
        unit: the step of the money.
        least: the money of column 0.
        width: how many amounts an open row has.
        wide: how many amounts an end has.
        open, pinches: how many rows there are of each.
        start: the first cell.
        stands: what is left on the felt, for each end of the time.
        source, target: the map, in runs: the first of so many cells in a row, and where they lead.
            The last cell is that of money beyond the last column.
        last: where they lead if the roll is the last.
        length: how many cells each run has.
        weight: how likely the roll of each run is.
        settled, bets, refused: for each run, the stakes settled, of how many bets, and how many
            were refused.
        money: of each pinch, as a column.
        felt: what stands in each open row, and in each pinch.
    """

    unit: Fraction
    least: Money
    width: int
    wide: int
    open: int
    pinches: int
    start: int
    stands: tuple[Stands, ...]
    source: "Ints"
    target: "Ints"
    last: "Ints"
    length: "Ints"
    weight: "Floats"
    settled: "Floats"
    bets: "Ints"
    refused: "Ints"
    money: "Ints"
    felt: tuple[Bets, ...]

    @property
    def playing(self) -> int:
        """How many cells are not ends."""
        return self.open * self.width + self.pinches

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.playing + (len(CODES) - 1 + len(self.stands)) * self.wide + 1

    def amount(self, column: int) -> Fraction:
        """The money of a column."""
        return self.least + column * self.unit

    def taken(self, visits: "Floats") -> "Floats":
        """How often each run is taken, from how often each cell is visited."""
        import numpy as np

        bounds = np.column_stack((self.source, self.source + self.length)).ravel()
        found: Floats = np.add.reduceat(np.append(visits, 0), bounds)[::2]
        return found * self.weight

    def stood_on(self, visits: "Floats") -> list[Bets]:
        """What stood on the felt before some roll, from how often each cell is visited."""
        import numpy as np

        rows = visits[: self.open * self.width].reshape(self.open, self.width)
        met = np.concatenate((rows.any(axis=1), visits[self.open * self.width : self.playing] > 0))
        return [self.felt[i] for i in np.flatnonzero(met)]

    def amounts(self, cells: "Floats") -> "Floats":
        """How likely each column is, among the cells that play."""
        import numpy as np

        rows = cells[: self.open * self.width].reshape(self.open, self.width)
        columns: Floats = rows.sum(axis=0)
        if self.pinches:
            pinches = cells[self.open * self.width : self.playing]
            columns = columns + np.bincount(self.money, pinches, minlength=self.width)
        return columns

    def ended(self, cells: "Floats", code: int) -> "Floats":
        """How likely each column of an end is."""
        start = self.playing + CODES.index(code) * self.wide
        return cells[start : start + self.wide]

    def stood(self, cells: "Floats") -> "Floats":
        """How likely the time is up with each way to be left, and each column: (stands, wide)."""
        start = self.playing + CODES.index(TIME) * self.wide
        return cells[start:-1].reshape(len(self.stands), self.wide)


def money_lattice(
    layouts: Positions, width: int, left: Callable[[Stands], Stands] | None = None
) -> MoneyLattice:
    """The lattice of an evening, its open rows so many amounts wide.

    Args:
        layouts: of the evening.
        width: how many amounts of money, from the least that there can be.
        left: what is left of that which stands after the last roll; nothing, if not said.
    """
    import numpy as np

    layouts.complete()
    unit, bankroll = layouts.unit, Fraction(layouts.bankroll)
    least = bankroll % unit
    floor, top = layouts.ends.columns(unit, least)

    columns_of: dict[Money, int] = {}
    sizes: dict[Money, int] = {}

    def column(money: Money) -> int:
        if money not in columns_of:
            columns_of[money] = int((money - least) / unit)
        return columns_of[money]

    def size(money: Money) -> int:
        if money not in sizes:
            sizes[money] = int(money / unit)
        return sizes[money]

    rows, classes = lumped(layouts, left)
    number = {row: i for i, row in enumerate(r for r in rows if layouts.rows[r].money is None)}
    pinch = {row: i for i, row in enumerate(r for r in rows if layouts.rows[r].money is not None)}
    n = len(number)
    money = np.array(
        [column(m) for row in pinch if (m := layouts.rows[row].money) is not None], dtype=np.int64
    )
    width = max([width, *(money + 1)]) if len(money) else width
    last = width if top is None else min(width, top)
    width = max(last, int(money.max()) + 1) if len(money) else last
    biggest = max((abs(size(s.gain)) for steps in layouts.steps for s in steps), default=0)
    wide = width + biggest + 1
    steps_of = {row: _joined(layouts.steps[row], classes, left) for row in rows}
    stands = {NOTHING: 0}
    for joined in steps_of.values() if left else ():
        for step in joined:
            stands.setdefault(step.stands, len(stands))
    beyond = n * width + len(pinch) + (len(CODES) - 1 + len(stands)) * wide
    place = np.full((n, wide), beyond)
    place[:, :width] = np.arange(n * width).reshape(n, width)
    for row, i in number.items():
        for amount, low in layouts.pinches[row].items():
            if column(amount) < width:
                place[i, column(amount)] = n * width + pinch[classes[low]]
    parts: list[Any] = []
    taken: list[Step] = []
    under = -1 if floor is None else floor
    lowest = max(0, under + 1)

    def end(code: int, columns: Any) -> Any:
        return n * width + len(pinch) + CODES.index(code) * wide + columns

    def time(step: Step, columns: Any) -> Any:
        code = at_last(step.to)
        kept = stands[step.stands] * wide if left and code == TIME else 0
        return end(code, columns) + kept

    for row, i in number.items():
        first = -int(-(Fraction(layouts.safe[row]) - least) // unit)
        columns = np.arange(max(first, lowest), width)
        source = i * width + columns
        for step in steps_of[row] if len(columns) else ():
            then = columns + size(step.gain)
            if step.to < 0:
                target = end(step.to, then)
            else:
                after = int(then[0])
                target = place[number[step.to], after : after + len(columns)]
            both = [target, time(step, then)]
            if floor is not None:
                lost = end(LOSS, np.maximum(then, 0))
                both = [np.where(then <= under, lost, each) for each in both]
            if top is not None:
                both = [np.where(then >= last, end(WIN, then), each) for each in both]
            breaks = np.flatnonzero((np.diff(both[0]) != 1) | (np.diff(both[1]) != 1)) + 1
            cuts = np.concatenate(([0], breaks, [len(columns)]))
            at = cuts[:-1]
            parts.append((source[at], both[0][at], both[1][at], np.diff(cuts)))
            taken += [step] * len(at)
    narrow: list[tuple[int, int, int, int]] = []
    for row, i in pinch.items():
        here = int(money[i])
        for step in steps_of[row]:
            now = here + size(step.gain)
            final = end(step.to, now) if step.to in STOPS else time(step, now)
            if step.to < 0:
                to = end(step.to, now)
            elif step.to in pinch:
                to = n * width + pinch[step.to]
            else:
                to = int(place[number[step.to], now])
            narrow.append((n * width + i, to, final, 1))
            taken.append(step)
    runs = np.concatenate([*parts, np.array(narrow, np.int64).reshape(-1, 4).T], axis=1)
    ends = (runs[1] - n * width - len(pinch)) // wide
    stopped = np.isin(ends, [CODES.index(code) for code in STOPS])
    first_row = classes[layouts.start]
    begun = column(bankroll)
    start = n * width + pinch[first_row] if first_row in pinch else place[number[first_row], begun]

    return MoneyLattice(
        unit=unit,
        least=least,
        width=width,
        wide=wide,
        open=n,
        pinches=len(pinch),
        start=int(start),
        stands=tuple(stands),
        source=runs[0],
        target=runs[1],
        last=runs[2],
        length=runs[3],
        weight=np.array([step.weight / layouts.bettor.felt.ways for step in taken]),
        settled=np.array([float(step.settled) for step in taken]),
        bets=np.array([step.bets for step in taken]),
        refused=np.where(stopped, 0, [step.refused for step in taken]),
        money=money,
        felt=tuple(layouts.rows[row].seat.bets for row in (*number, *pinch)),
    )


def _joined(
    steps: list[Step], classes: list[int], left: Callable[[Stands], Stands] | None
) -> list[Step]:
    """Steps that lead to the same class, pay the same and leave the same, as one."""
    found: dict[tuple[Any, ...], Step] = {}
    for step in steps:
        to = classes[step.to] if step.to >= 0 else step.to
        stands = left(step.stands) if left else NOTHING
        key = (to, step.gain, step.settled, step.bets, step.refused, stands)
        if key in found:
            found[key] = found[key]._replace(weight=found[key].weight + step.weight)
        elif to != step.to or left:
            found[key] = step._replace(to=to, stands=stands)
        else:
            found[key] = step
    return list(found.values())
