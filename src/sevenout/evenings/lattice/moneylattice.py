"""The cells (row, money) of an evening, and the linear map of one roll.

Money lies on a lattice of equal steps. Rows reachable with any money are open, and equally wide. A
row reachable only with little money, or with money of its own, is narrow. Each end with each amount
is an absorbing cell.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.evenings.lattice.lumping import lumped
from sevenout.evenings.lattice.positions import Positions
from sevenout.evenings.lattice.rollstep import Step
from sevenout.rules.casino.ends import ENDS, LOSS, STOPS, TIME, WIN, at_last
from sevenout.rules.casino.felt import NOTHING, Bets, Money, Stands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CODES = (*(code for code in ENDS if code != TIME), TIME)
BEYOND = 0
"""The code of money beyond the last column."""


@dataclass(frozen=True, eq=False)
class MoneyLattice:
    """The numbered cells: open rows by money, narrow rows, ends, then money beyond the last column.

    Attributes:
        unit: the step of the money.
        least: the money of column 0.
        width, wide: the columns of an open row and of an end.
        stands: the bets that may stand when the time is up, each with a block of cells.
        source, target: the first cells of each run, and where they lead.
        last: where they lead on the last roll.
        settled, bets, refused: of each run, the stakes settled, their number, and the bets refused.
        money: the column of each cell of the narrow rows.
        rows: the first cell of each row, and one past the last.
        origin: the cell of column 0 of each row, if it had one.
        felt: the bets in each open and then each narrow row.
    """

    unit: Fraction
    least: Money
    width: int
    wide: int
    open: int
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
    rows: "Ints"
    origin: "Ints"
    felt: tuple[Bets, ...]

    @property
    def playing(self) -> int:
        """The number of cells that are not ends."""
        return self.open * self.width + len(self.money)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.playing + (len(CODES) + len(self.stands)) * self.wide

    def amount(self, column: int) -> Fraction:
        """The money of a column."""
        return self.least + column * self.unit

    def amounts(self, cells: "Floats") -> "Floats":
        """The probability of each column among the cells in play."""
        import numpy as np

        rows = cells[: self.open * self.width].reshape(self.open, self.width)
        columns: Floats = rows.sum(axis=0)
        if len(self.money):
            narrow = cells[self.open * self.width : self.playing]
            columns = columns + np.bincount(self.money, narrow, minlength=self.width)
        return columns

    def beyond(self, cells: "Floats") -> float:
        """The probability of money beyond the last column."""
        return float(cells[-self.wide :].sum())

    def ended(self, cells: "Floats", code: int) -> "Floats":
        """The probability of each column of an end."""
        start = self.playing + CODES.index(code) * self.wide
        return cells[start : start + self.wide]

    def stood(self, cells: "Floats") -> "Floats":
        """The probabilities at the end of the time: (stands, wide)."""
        start = self.playing + CODES.index(TIME) * self.wide
        return cells[start : -self.wide].reshape(len(self.stands), self.wide)


def money_lattice(
    layouts: Positions, width: int, left: Callable[[Stands], Stands] | None = None
) -> MoneyLattice:
    """The lattice of an evening, with open rows of `width` amounts.

    `left` maps the bets after the last roll to those played out; by default, to none.
    """
    layouts.complete()
    return _Builder(layouts, width, left).lattice()


class _Builder:
    """Lays out the rows and the runs of the map."""

    def __init__(
        self, layouts: Positions, width: int, left: Callable[[Stands], Stands] | None
    ) -> None:
        self.layouts, self.left = layouts, left
        self.unit, bankroll = layouts.unit, Fraction(layouts.bankroll)
        self.least = bankroll % self.unit
        floor, self.top = layouts.ends.columns(self.unit, self.least)
        self.under = -1 if floor is None else floor
        self.heads, self.classes = lumped(layouts, left)
        self.sizes: dict[Money, int] = {}
        self.columns_of: dict[Money, int] = {}
        every = [move.step for row in self.heads for move in layouts.moves(row)]
        biggest = max((abs(self.size(gain)) for gain in {step.gain for step in every}), default=0)
        self.stands = {NOTHING: 0}
        for step in every if left else ():
            self.stands.setdefault(left(step.stands) if left else NOTHING, len(self.stands))
        self._lay_out(width)
        self.wide = self.width + biggest + 1
        self.runs: list[tuple[int, int, int, int]] = []
        self.taken: list[Step] = []

    def column(self, money: Money) -> int:
        """The column of an amount, or the first above it."""
        found = self.columns_of.get(money)
        if found is None:
            found = self.columns_of[money] = -int((self.least - money) // self.unit)
        return found

    def size(self, gain: Money) -> int:
        """An amount in columns."""
        if gain not in self.sizes:
            self.sizes[gain] = int(gain / self.unit)
        return self.sizes[gain]

    def _lay_out(self, width: int) -> None:
        """Which rows are open, and each row's columns and cell of column 0."""
        layouts = self.layouts
        highest: dict[int, Money | None] = {}
        self.lowest: dict[int, int] = {}
        for row, most in enumerate(layouts.highest()):  # the most money of a class
            head, own = self.classes[row], layouts.rows[row].money
            now = most if own is None else own
            before, low = highest.setdefault(head, now), self.column(layouts.cost(row))
            self.lowest[head] = min(self.lowest.get(head, low), low)
            highest[head] = None if None in (now, before) else max(now or 0, before or 0)
        columns: dict[int, tuple[int, int]] = {}
        for row in self.heads:
            own, most = layouts.rows[row].money, highest[row]
            if own is not None:
                columns[row] = self.column(own), self.column(own) + 1
            elif most is not None and most >= 0:
                low = self.lowest[row]
                columns[row] = low, max(low, int((most - self.least) // self.unit) + 1)
            elif most is not None:
                columns[row] = 0, 0  # unreachable
        width = max([width, *(end for _, end in columns.values())])
        self.width = width if self.top is None else min(width, self.top)
        self.width = max([self.width, *(end for _, end in columns.values())])
        self.open = [row for row in self.heads if row not in columns]
        self.columns = columns | dict.fromkeys(self.open, (0, self.width))
        self.base = {row: i * self.width for i, row in enumerate(self.open)}
        self.playing = len(self.open) * self.width
        self.narrow = [row for row in self.heads if row in columns]
        for row in self.narrow:
            low, end = columns[row]
            self.base[row] = self.playing - low
            self.playing += end - low

    def end(self, code: int, column: int) -> int:
        """The cell of an end."""
        if code == BEYOND:
            return self.playing + (len(CODES) - 1 + len(self.stands)) * self.wide + column
        return self.playing + CODES.index(code) * self.wide + column

    def time(self, step: Step, column: int) -> int:
        """The cell of the end after the last roll."""
        code = at_last(step.to)
        kept = self.stands[step.stands] * self.wide if self.left and code == TIME else 0
        return self.end(code, column) + kept

    def lattice(self) -> MoneyLattice:
        """The complete lattice."""
        import numpy as np

        layouts = self.layouts
        for row in self.heads:
            low, end = self.columns[row]
            low = max(low, self.under + 1, self.lowest[row])
            for (first, beyond), step in self._joined(row, low, end):
                self._spread(row, first, beyond, step)
        runs = np.array(self.runs, dtype=np.int64).reshape(-1, 4).T
        ends = (runs[1] - self.playing) // self.wide
        stopped = np.isin(ends, [CODES.index(code) for code in STOPS])
        order = (*self.open, *self.narrow)
        spans = [self.columns[row] for row in self.narrow]
        start = self.classes[layouts.start]
        return MoneyLattice(
            unit=self.unit,
            least=self.least,
            width=self.width,
            wide=self.wide,
            open=len(self.open),
            start=self.base[start] + self.column(layouts.bankroll),
            stands=tuple(self.stands),
            source=runs[0],
            target=runs[1],
            last=runs[2],
            length=runs[3],
            weight=np.array([step.weight / layouts.bettor.felt.ways for step in self.taken]),
            settled=np.array([float(step.settled) for step in self.taken]),
            bets=np.array([step.bets for step in self.taken]),
            refused=np.where(stopped, 0, [step.refused for step in self.taken]),
            money=np.concatenate([np.arange(0), *(np.arange(*span) for span in spans)]),
            rows=np.array(
                [self.base[row] + self.columns[row][0] for row in order] + [self.playing]
            ),
            origin=np.array([self.base[row] for row in order] + [0]),
            felt=tuple(layouts.rows[row].seat.bets for row in order),
        )

    def _joined(self, row: int, low: int, end: int) -> Iterator[tuple[tuple[int, int], Step]]:
        """The columns and step of each move, with equivalent moves joined."""
        layouts, left, classes = self.layouts, self.left, self.classes
        shares, same = bool(layouts.short[row]), {}
        weights: dict[tuple[Any, ...], int] = {}
        for least, high, step in layouts.moves(row):
            first = max(low, self.column(least)) if shares else low
            beyond = end if high is None else min(end, self.column(high))
            if first >= beyond:
                continue
            weight, to, gain, settled, bets, refused, _, _, stands = step
            to = classes[to] if to >= 0 else to
            key = first, beyond, to, gain, settled, bets, refused, left(stands) if left else NOTHING
            weights[key] = weights.get(key, 0) + weight
            same[key] = step
        for key, weight in weights.items():
            first, beyond, to, *_, stands = key
            yield (first, beyond), same[key]._replace(weight=weight, to=to, stands=stands)

    def _spread(self, row: int, low: int, end: int, step: Step) -> None:
        """The runs of a step from one column to before another."""
        gain, to = self.size(step.gain), step.to
        if to < 0:
            self._run((row, low, end), self.end(to, low + gain), step)
            return
        bound = self.columns[to][1] - gain  # the first column that leads beyond
        for first, stop, target in (
            (low, min(end, bound), self.base[to] + low + gain),
            (max(low, bound), end, self.end(BEYOND, max(low, bound) + gain)),
        ):
            if first < stop:
                self._run((row, first, stop), target, step)

    def _run(self, span: tuple[int, int, int], target: int, step: Step) -> None:
        """A run, except where a stop is reached."""
        (row, low, end), gain, top = span, self.size(step.gain), self.top
        lost = min(end, self.under + 1 - gain)
        won = end if top is None else max(low, top - gain)
        for first, stop, code in ((low, lost, LOSS), (max(low, lost), min(end, won), None)):
            if first < stop:
                to = target + first - low, self.time(step, first + gain)
                if code is not None:
                    to = (self.end(code, first + gain),) * 2
                self._add(row, first, stop, to, step)
        if won < end:
            self._add(row, max(won, low), end, (self.end(WIN, max(won, low) + gain),) * 2, step)

    def _add(self, row: int, low: int, end: int, to: tuple[int, int], step: Step) -> None:
        self.runs.append((self.base[row] + low, *to, end - low))
        self.taken.append(step)
