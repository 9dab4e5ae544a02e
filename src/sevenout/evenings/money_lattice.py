"""Evenings in floats with an error bound: positions × money, roll by roll.

Money lies on a lattice of equal steps. A cell is a row of `positions` with an amount of money. Rows
reachable with any money are *open*, and equally wide; a row reachable only with little money, or
with money of its own, is *narrow*. Each end with each amount is an absorbing cell.

A roll is a linear map of the cells. One roll of the dice acts alike on a row for a whole range of
money. So the map consists of *runs*: consecutive cells, where they lead, and one weight.
Equivalent rows are merged first (`lumped`), and so are equivalent rolls.

The error. A roll sums at most k positive products, so its relative error is at most (k + 2)·2⁻⁵³ in
any order of addition (Higham, *Accuracy and Stability of Numerical Algorithms*, 3.1). That of n
rolls is n times as much. An end adds its own sum, and one addition per roll. This, plus the mass
beyond the last column and the mass cut off, is the error bound.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.evenings.evening_result import Course
from sevenout.evenings.money_polynomials import OVER, SHARES
from sevenout.evenings.positions import PlayedOutPositions, Positions, Step
from sevenout.evenings.run_map import RunMap, Sums, fan_in
from sevenout.model.equivalence import coarsest_lumping
from sevenout.rolling.distribution import FiniteDistribution
from sevenout.rules.casino.ends import ENDS, LOSS, RUIN, STOPS, TIME, WIN, at_last
from sevenout.rules.casino.felt import NOTHING, Money, Stands

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CODES = (*(code for code in ENDS if code != TIME), TIME)
"""The ends in the order of their cells; time is last, since it has cells for each `stands`."""
ENDED = CODES[:-1]
BEYOND = 0
"""The code of money beyond the last column."""
BEYOND_MOST = 1e-11
"""The lattice grows while more probability than this lies beyond it."""
LARGE = 200_000
"""Above this many cells, columns that hold next to nothing are cut off."""
NEXT_TO_NOTHING = 1e-19
"""Far below the rounding of a roll; a larger cut would end evenings without a limit too soon."""
LONGEST = 2_000_000
"""The most rolls of an unlimited evening before giving up."""
SETTLED = 1e-14
"""Bets are played out until they stand with at most this probability; the rest is in the bound."""
LONGEST_PLAYED_OUT = 20_000
"""The most rolls for that; a bet that is off may stand for ever."""
ENTRY = 3e-10
"""Seconds per roll of an entry of the map, before equivalent steps are joined."""
CELL = 32.0
"""Bytes of a cell: now, then, visits, and room for sums over them."""
MANY = 10**15
"""A number of rolls beyond any budget."""
NATS, ENDLESS_NATS = 24, 80
"""All but e⁻²⁴ of the evenings stay within the first width; without a limit, all but e⁻⁸⁰."""


def course_in_floats(
    positions: Positions,
    name: str,
    rolls: int | None,
    left: Callable[[Stands], Stands] | None = None,
) -> tuple[Course, int]:
    """The course of an evening, and the number of cells in which it goes on.

    Args:
        positions: all of them, completed.
        name: of the strategy, for errors.
        rolls: roughly those of the longest evenings; None if only money ends them.
        left: maps the bets after the last roll to those played out; None if they count as staked.

    Raises:
        RulesError: the strategy never bets and nothing else ends the evening, or it is too long.
        TooMuchWorkError: more than the budget allows.
    """
    width = enough_columns(positions, rolls)
    while True:  # the width is a guess; the mass beyond it is in the bound
        must_afford(positions, name, width, rolls)
        lattice = MoneyLattice(positions, width, left)
        course, beyond = _course(positions, lattice)
        if beyond <= BEYOND_MOST:
            return course, lattice.playing
        width *= 2


def solvency(
    positions: Positions, name: str, starts: Mapping[Money, int]
) -> tuple[dict[Money, float], Fraction]:
    """The probability that the player isn't ruined in time, by bankroll, and its error bound.

    One pass serves all bankrolls. The value of a cell is the probability from there; before a roll
    it is the mean of the values after it. So the map of a roll is applied backwards, with sources
    and targets exchanged, from the last roll to the first.

    Args:
        positions: completed, of the largest bankroll, with a limit on rolls.
        name: of the strategy, for errors.
        starts: by bankroll, the row of the first bets.

    Raises:
        TooMuchWorkError: more than the budget allows.
    """
    rolls = positions.ends.rolls or 0
    width = enough_columns(positions, rolls)
    while True:
        must_afford(positions, name, 2 * width, rolls)
        lattice = MoneyLattice(positions, width)
        # money beyond the last column is counted as lost, then as safe: the truth is between
        least, most = (_backward(lattice, rolls, beyond, starts) for beyond in (0.0, 1.0))
        gap = max(most[bankroll] - least[bankroll] for bankroll in starts)
        if gap <= BEYOND_MOST:
            summed = fan_in(lattice.source, lattice.length, 0, lattice.playing)
            return least, Fraction(gap) + Fraction(rolls * (summed + 2), 2**53)
        width *= 2


def lumped(
    positions: Positions, left: Callable[[Stands], Stands] | None = None
) -> tuple[list[int], list[int]]:
    """The first row of each class of equivalent rows, and for each row the first of its class.

    Rows start in one class if they have the same money, if any, and their steps pay the same with
    the same probabilities. `coarsest_lumping` splits the classes until their steps lead to the same
    classes. `left` gives what must agree about the bets after a roll. Four hours of pressed place
    bets take 1.4 s of CPU with it, and 3.5 s without.
    """
    rows = positions.rows
    if positions.mirrored:  # equivalent rows were merged during exploration
        return list(range(len(rows))), list(range(len(rows)))
    labels: dict[Any, int] = {}  # of a step, but for the row that it leads to
    before: list[list[tuple[int, int]]] = [[] for _ in rows]
    nodes: dict[tuple[int, int], int] = {}  # a row, entered by a kind of step
    cells: dict[Any, int] = {}
    first = []
    for row, position in enumerate(rows):
        sent: dict[int, int] = {}
        for low, high, step in positions.moves(row):
            stands = left(step.stands) if left else None
            end = step.to if step.to < 0 else None
            short = low if positions.short_moves[row] else 0
            kind = step.gain, step.settled, step.bets, step.refused, stands, end, short, high
            label = labels.setdefault(kind, len(labels))
            sent[label] = sent.get(label, 0) + step.weight
            if end is None:
                node = nodes.get((step.to, label))
                if node is None:
                    node = nodes[step.to, label] = len(before)
                    before.append([])
                    before[step.to].append((node, 1))
                before[node].append((row, step.weight))
        first.append(cells.setdefault((position.money, frozenset(sent.items())), len(cells)))
    first += [len(cells) + label for _, label in nodes]
    heads: dict[int, int] = {}
    classes = [
        heads.setdefault(cell, row)
        for row, cell in enumerate(coarsest_lumping(first, before)[: len(rows)])
    ]
    return list(heads.values()), classes


class MoneyLattice:
    """The cells of an evening, and the runs of the map of a roll.

    The cells are numbered: open rows by money, narrow rows, ends by money, then money beyond the
    last column. The constructor decides which rows are open (`_lay_out`) and then lays the runs: a
    step of a row is cut at the last column (`_spread`) and at the stops (`_run`).

    Attributes:
        unit, least: column k is the amount `least + k * unit`.
        width, wide: the columns of an open row, and of an end.
        open, narrow: the rows; `columns` has the first column and the one past the last of each,
            and `base` the cell of its column 0, if it had one.
        playing, cells: the number of cells that are not ends, and of all.
        start: the first cell.
        stands: the bets that may stand when the time is up, each with a block of cells.
        source, target, last, length, weight: by run, its first cell, where it leads, where it leads
            on the last roll, its number of cells, and its probability.
        settled, bets, refused: by run, the stakes settled, their number, and the bets refused.
        bounds: the first cell of each row, open rows first, and one past the last.
        bases: the cell of column 0 of each row, if it had one.
        money: the column of each cell of the narrow rows.
    """

    def __init__(
        self, positions: Positions, width: int, left: Callable[[Stands], Stands] | None = None
    ) -> None:
        positions.complete()
        self.positions, self._left = positions, left
        self.unit, bankroll = positions.unit, Fraction(positions.bankroll)
        self.least = bankroll % self.unit
        floor, self._top = positions.ends.columns(self.unit, self.least)
        self._floor = -1 if floor is None else floor
        self._columns_of: dict[Money, int] = {}
        self._sizes: dict[Money, int] = {}
        self._heads, self._classes = lumped(positions, left)
        steps = [move.step for row in self._heads for move in positions.moves(row)]
        largest = max((abs(self._size(gain)) for gain in {step.gain for step in steps}), default=0)
        bets_left = dict.fromkeys([NOTHING, *(left(step.stands) for step in steps if left)])
        self.stands = tuple(bets_left)
        self._stands = {stands: index for index, stands in enumerate(self.stands)}
        self._lay_out(width)
        self.wide = self.width + largest + 1  # a last win may go beyond the columns in play
        self.cells = self.playing + (len(CODES) + len(self.stands)) * self.wide
        # `must_afford` counts a narrow row as one cell: how wide it is was not known
        afford(
            f"an evening of {self.cells:,} positions with money",
            memory=self.cells * CELL,
            instead="ask for fewer rolls, or bet in larger units",
        )
        self._runs: list[tuple[int, int, int, int]] = []
        self._taken: list[Step] = []
        for row in self._heads:
            low, end = self.columns[row]
            low = max(low, self._floor + 1, self._lowest[row])
            for first, beyond, step in self._joined(row, low, end):
                self._spread(row, first, beyond, step)
        runs = np.array(self._runs, dtype=np.int64).reshape(-1, 4).T
        self.source, self.target, self.last, self.length = runs
        ends = (self.target - self.playing) // self.wide
        stopped = np.isin(ends, [CODES.index(code) for code in STOPS])
        taken, ways = self._taken, positions.bettor.felt.ways
        self.weight = np.array([step.weight / ways for step in taken])
        self.settled = np.array([float(step.settled) for step in taken])
        self.bets = np.array([step.bets for step in taken])
        # a player who leaves at a stop wants no more bets
        self.refused = np.where(stopped, 0, [step.refused for step in taken])
        spans = [np.arange(*self.columns[row]) for row in self.narrow]
        self.money = np.concatenate([np.arange(0), *spans])
        order = (*self.open, *self.narrow)
        firsts = [self.base[row] + self.columns[row][0] for row in order]
        self.bounds = np.array([*firsts, self.playing])
        self.bases = np.array([self.base[row] for row in order], dtype=np.int64)
        self.start = self.cell(positions.start, positions.bankroll)
        del self._runs, self._taken  # lists of millions, which the arrays replace

    def _column(self, money: Money) -> int:
        """The column of an amount, or the first above it."""
        column = self._columns_of.get(money)
        if column is None:
            column = self._columns_of[money] = -int((self.least - money) // self.unit)
        return column

    def cell(self, row: int, money: Money) -> int:
        """The cell of a row with an amount of money."""
        return self.base[self._classes[row]] + self._column(money)

    def _size(self, gain: Money) -> int:
        """An amount in columns."""
        if gain not in self._sizes:
            self._sizes[gain] = int(gain / self.unit)
        return self._sizes[gain]

    def _lay_out(self, width: int) -> None:
        """Which rows are open, and each row's columns and cell of column 0."""
        positions = self.positions
        highest: dict[int, Money | None] = {}  # the most money of a class
        self._lowest: dict[int, int] = {}
        for row, most in enumerate(positions.highest_money()):
            head, own = self._classes[row], positions.rows[row].money
            amount = most if own is None else own
            before, low = highest.setdefault(head, amount), self._column(positions.felt_money(row))
            self._lowest[head] = min(self._lowest.get(head, low), low)
            highest[head] = None if None in (amount, before) else max(amount or 0, before or 0)
        columns: dict[int, tuple[int, int]] = {}
        # the most money is None where it is unbounded, and -1 where nobody arrives
        for row in self._heads:
            own, most = positions.rows[row].money, highest[row]
            if own is not None:
                columns[row] = self._column(own), self._column(own) + 1
            elif most is not None and most >= 0:
                low = self._lowest[row]
                columns[row] = low, max(low, int((most - self.least) // self.unit) + 1)
            elif most is not None:
                columns[row] = 0, 0  # unreachable
        # the ends are as wide as an open row and a win, so no row may be wider than an open one
        narrow_width = max([0, *(end for _, end in columns.values())])
        enough = max(width, narrow_width)
        self.width = max(enough if self._top is None else min(enough, self._top), narrow_width)
        self.open = [row for row in self._heads if row not in columns]
        self.narrow = [row for row in self._heads if row in columns]
        self.columns = columns | dict.fromkeys(self.open, (0, self.width))
        self.base = {row: index * self.width for index, row in enumerate(self.open)}
        self.playing = len(self.open) * self.width
        for row in self.narrow:
            low, end = columns[row]
            self.base[row] = self.playing - low
            self.playing += end - low

    def _end(self, code: int, column: int) -> int:
        """The cell of an end."""
        if code == BEYOND:
            return self.playing + (len(CODES) - 1 + len(self.stands)) * self.wide + column
        return self.playing + CODES.index(code) * self.wide + column

    def _last(self, step: Step, column: int) -> int:
        """The cell of the end after the last roll."""
        code = at_last(step.to)
        stands = self._stands[step.stands] * self.wide if self._left and code == TIME else 0
        return self._end(code, column) + stands

    def _joined(self, row: int, low: int, end: int) -> Iterator[tuple[int, int, Step]]:
        """The columns and the step of each move of a row, equivalent moves joined."""
        positions, left, classes = self.positions, self._left, self._classes
        has_short = bool(positions.short_moves[row])
        steps: dict[tuple[Any, ...], Step] = {}
        weights: dict[tuple[Any, ...], int] = {}
        for least, high, step in positions.moves(row):
            first = max(low, self._column(least)) if has_short else low
            beyond = end if high is None else min(end, self._column(high))
            if first >= beyond:
                continue
            to = classes[step.to] if step.to >= 0 else step.to
            stands = left(step.stands) if left else NOTHING
            key = first, beyond, to, step.gain, step.settled, step.bets, step.refused, stands
            weights[key] = weights.get(key, 0) + step.weight
            steps[key] = step
        for key, weight in weights.items():
            first, beyond, to, *_, stands = key
            yield first, beyond, steps[key]._replace(weight=weight, to=to, stands=stands)

    def _spread(self, row: int, low: int, end: int, step: Step) -> None:
        """The runs of a step from one column to before another."""
        gain, to = self._size(step.gain), step.to
        if to < 0:
            self._run(row, low, end, self._end(to, low + gain), step)
            return
        bound = self.columns[to][1] - gain  # the first column that leads beyond the last of `to`
        for first, stop, target in (
            (low, min(end, bound), self.base[to] + low + gain),
            (max(low, bound), end, self._end(BEYOND, max(low, bound) + gain)),
        ):
            if first < stop:
                self._run(row, first, stop, target, step)

    def _run(self, row: int, low: int, end: int, target: int, step: Step) -> None:
        """A run, cut where a stop is reached; stops take precedence over any other end."""
        gain, top = self._size(step.gain), self._top
        lost = min(end, self._floor + 1 - gain)
        won = end if top is None else max(low, top - gain)
        for first, stop, code in (
            (low, lost, LOSS),
            (max(low, lost), min(end, won), None),
            (max(low, won), end, WIN),
        ):
            if first >= stop:
                continue
            if code is None:
                leads = target + first - low, self._last(step, first + gain)
            else:
                leads = (self._end(code, first + gain),) * 2
            self._runs.append((self.base[row] + first, *leads, stop - first))
            self._taken.append(step)

    def amount(self, column: int) -> Fraction:
        """The money of a column."""
        return self.least + column * self.unit

    def amounts(self, cells: "Floats") -> "Floats":
        """The probability of each column among the cells in play."""
        rows = cells[: len(self.open) * self.width].reshape(len(self.open), self.width)
        columns: Floats = rows.sum(axis=0)
        if len(self.money):
            narrow = cells[len(self.open) * self.width : self.playing]
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

    def row_of(self, cells: "Ints") -> "Ints":
        """The index of the row, open rows first, that each cell in play belongs to."""
        rows: Ints = np.searchsorted(self.bounds, cells, side="right") - 1
        return rows


class LatticeWalk:
    """An evening in floats, roll by roll.

    `_roll` applies the map of a roll to `now`. The cells of a row that can hold anything are its
    window. In a large lattice, cells at the ends of a window that hold next to nothing are cut off,
    and what they hold is counted in the bound.

    Attributes:
        lattice: of the cells.
        limit: the most rolls; None if only money ends the evening.
        now: the probability of each cell.
        then: the buffer of the next roll; its cells in play are zeros.
        columns: the probability of each column among the cells in play.
        visits: by cell, how often an evening is expected to be there.
        windows: by row, its window; the ends of the evening count as one more row.
        rolls: the rolls so far.
        cut: the probability cut off; `beyond` adds that past the last column, after the walk.
        refused: the mean number of bets refused, after the walk.
        playing, ruined, fan: what `EveningResult` shows of each roll.
    """

    def __init__(self, lattice: MoneyLattice, rolls: int | None) -> None:
        self.lattice, self.limit = lattice, rolls
        self.now, self.then = np.zeros(lattice.cells), np.zeros(lattice.cells)
        self.now[lattice.start] = 1
        self.visits = self.now[: lattice.playing].copy()
        self.columns = lattice.amounts(self.now)
        empty = [0] * len(lattice.bounds)
        start = int(lattice.row_of(np.array([lattice.start]))[0])
        self.windows = empty, empty.copy()
        self.windows[0][start], self.windows[1][start] = lattice.start, lattice.start + 1
        self.rolls, self.cut = 0, 0.0
        self.playing, self.ruined = [1.0], [0.0]
        self.fan = [self._quantiles(self.now, self.columns)]
        self._stride = max(1, (rolls or 1) // 500)  # a picture has no more columns

    def run(self) -> None:
        """All rolls, or until hardly any evening goes on."""
        lattice = self.lattice
        parts = lattice.length, lattice.weight, lattice.cells, lattice.bounds
        move = RunMap(lattice.source, lattice.target, *parts)
        move.expect(self.limit or 0)
        while self.limit is None or self.rolls < self.limit - 1:
            self._roll(move)
            self._record(self.now, self.columns)
            if self.limit is None and self.playing[-1] < OVER:
                break
            if self.limit is None and self.rolls >= LONGEST:
                raise RulesError("the evening may last too long; give rolls or hours too")
        # after the last roll no bet is wanted, so the visits that it starts from don't count
        rolled = self.visits if self.limit is None else self.visits - self.now[: lattice.playing]
        self.refused = float(self.taken(rolled) @ lattice.refused)
        if self.limit is not None:
            self._roll(RunMap(lattice.source, lattice.last, *parts))
            self._record(self.now, lattice.stood(self.now).sum(axis=0))
        self.beyond = lattice.beyond(self.now) + self.cut

    def _roll(self, move: RunMap) -> None:
        """One roll of all evenings."""
        lattice, playing = self.lattice, self.lattice.playing
        before, after = self.now, self.then
        after[playing:] = before[playing:]  # ends keep their probability
        self.columns = np.zeros(lattice.width)
        sums = Sums(self.visits, self.columns, lattice.bases)
        # cutting cells off saves time in a large lattice only
        negligible = NEXT_TO_NOTHING if playing > LARGE else 0.0
        old = self.windows
        self.windows, cut = move.add(before, after, old, sums, negligible)
        move.clear(before[:playing], old)
        self.now, self.then = after, before
        self.cut += cut
        self.rolls += 1

    def _record(self, now: "Floats", alive: "Floats") -> None:
        """Note the figures of a roll."""
        self.playing.append(float(alive.sum()))
        self.ruined.append(float(self.lattice.ended(now, RUIN).sum()))
        if self.limit is not None and self.rolls % self._stride == 0:
            self.fan.append(self._quantiles(now, alive))

    def _quantiles(self, now: "Floats", alive: "Floats") -> tuple[Fraction, ...]:
        lattice = self.lattice
        columns = np.zeros(lattice.wide)
        columns[: len(alive)] = alive
        for code in ENDED:
            columns += lattice.ended(now, code)
        below = np.cumsum(columns)
        indices = np.searchsorted(below, [float(q) * below[-1] for q in SHARES])
        return tuple(lattice.amount(min(k, lattice.wide - 1)) for k in indices.tolist())

    def taken(self, visits: "Floats") -> "Floats":
        """How often each run is taken, from the visits to each cell."""
        lattice = self.lattice
        order = np.argsort(lattice.source, kind="stable")  # so that no sum spans other runs
        ends = np.column_stack((lattice.source, lattice.source + lattice.length))[order].ravel()
        taken: Floats = np.zeros(len(order))
        taken[order] = np.add.reduceat(np.append(visits, 0.0), ends)[::2] if len(ends) else 0
        taken *= lattice.weight
        return taken


def _backward(
    lattice: MoneyLattice, rolls: int, beyond: float, starts: Mapping[Money, int]
) -> dict[Money, float]:
    """The value of each start, with `beyond` as the value of money past the last column."""
    values = np.ones(lattice.cells)
    lattice.ended(values, RUIN)[:] = 0.0
    values[-lattice.wide :] = beyond
    parts = lattice.source, lattice.length, lattice.weight, lattice.cells
    maps = [RunMap(to, *parts) for to in (lattice.last, lattice.target)]
    maps[1].expect(rolls)
    for roll in range(rolls):
        before = np.zeros(lattice.cells)
        maps[min(roll, 1)].add(values, before)
        before[lattice.playing :] = values[lattice.playing :]
        values = before
    return {
        bankroll: float(values[lattice.cell(row, bankroll)]) for bankroll, row in starts.items()
    }


def _course(positions: Positions, lattice: MoneyLattice) -> tuple[Course, float]:
    """The course, and the probability beyond the last column or cut off."""
    endless = positions.ends.rolls is None
    walk = LatticeWalk(lattice, positions.ends.rolls)
    walk.run()
    inner = fan_in(lattice.target, lattice.length, 0, lattice.playing)
    outer = max(
        fan_in(to, lattice.length, lattice.playing, lattice.cells)
        for to in (lattice.target, lattice.last)
    )
    # see the module's docstring: products and sums of all rolls, then of the ends
    slip = Fraction(walk.rolls * (inner + 3) + outer + 3, 2**53) + Fraction(walk.beyond)
    if endless:  # evenings that still go on may end anywhere
        slip += Fraction(walk.playing[-1])
    alive, shift, late_handle, late_bets, late_slip = _stood(positions, lattice, walk.now)
    money: dict[Fraction, Fraction] = {}
    ends: dict[str, Fraction] = {}
    for code, least, columns in [
        (TIME, lattice.least + shift, alive),
        *((code, lattice.least, lattice.ended(walk.now, code)) for code in ENDED),
    ]:
        for k in np.flatnonzero(columns).tolist():
            amount = least + k * lattice.unit
            money[amount] = money.get(amount, Fraction(0)) + Fraction(float(columns[k]))
        if (total := fsum(columns)) and not (code == TIME and endless):
            ends[ENDS[code]] = Fraction(total)
    taken = walk.taken(walk.visits)
    visited = np.unique(lattice.row_of(np.flatnonzero(walk.visits)))
    rows = (*lattice.open, *lattice.narrow)
    course = Course(
        money=FiniteDistribution(money, slip + late_slip),
        ends=ends,
        playing=walk.playing,
        ruined=walk.ruined,
        mean_rolls=Fraction(float(walk.visits.sum())),
        handle=Fraction(float(taken @ lattice.settled) + late_handle),
        mean_bets=Fraction(float(taken @ lattice.bets) + late_bets),
        refused=Fraction(walk.refused) + positions.unmade_first_bets,
        fan=walk.fan,
        visited={positions.rows[rows[index]].seat.bets for index in visited.tolist()},
    )
    return course, walk.beyond


def _stood(
    positions: Positions, lattice: MoneyLattice, cells: "Floats"
) -> "tuple[Floats, Fraction, float, float, Fraction]":
    """The money of players who stay to the end, with their bets counted.

    Returns its distribution, the shift of column 0, the stakes and number of bets played out, and
    the added error bound.
    """
    nothing = Fraction(0), 0.0, 0.0, Fraction(0)
    if positions.ends.rolls is None:
        return lattice.amounts(cells), *nothing
    stood = lattice.stood(cells)
    if positions.ends.standing == "staked":
        return stood[0], *nothing
    followed = PlayedOutPositions(positions.bettor.felt, lattice.stands)
    profits = PlayedOutProfits(followed, lattice.unit)
    after = np.zeros(lattice.wide + profits.table.shape[1] - 1)
    handle = bets = 0.0
    for stands, columns in zip(lattice.stands, stood, strict=True):
        after += np.convolve(columns, profits.of(stands))
        share = float(columns.sum())
        handle += share * float(sum(amount for _, amount in stands[1]))
        bets += share * len(stands[1])
    slip = profits.slip + Fraction(2 * lattice.wide + len(stood), 2**53)
    return after, profits.least_profit, handle, bets, slip


class PlayedOutProfits:
    """The distributions of the profits of several positions, played out until all bets are settled.

    The map of a roll is iterated until hardly a bet stands: the profits from a position are those
    from the next one, shifted by what the roll pays. `FinalBets.law` solves each position exactly,
    which takes an evening of many positions longer than all else: 4.5 s of CPU for the 582 of the
    three-point Molly, whose whole evening takes 1.9 s this way.

    Attributes:
        followed, unit: the positions, and the unit of money.
        table: by position and column, the probability of the profit.
        least: the profit of column 0, in units.
        slip: the error bound of each distribution: rounding, and what still stands.
    """

    def __init__(self, followed: PlayedOutPositions, unit: Fraction) -> None:
        self.followed, self.unit = followed, unit
        many = len(followed.nodes)
        edges = [(*edge, int(gain / unit)) for *edge, gain in followed.edges]
        columns = np.array(edges, dtype=np.int64).reshape(-1, 4)
        source, target, weight, gain = columns.T
        low, high = np.zeros(many, dtype=np.int64), np.zeros(many, dtype=np.int64)
        for bound, best in ((low, np.minimum), (high, np.maximum)):
            while True:  # as often as the longest sequence of rolls that pay
                before = bound.copy()
                best.at(bound, source, gain + bound[target])
                if (before == bound).all():
                    break
        self.least = int(low.min())
        wide = int(high.max()) - self.least + 1
        # shift the distribution of the next position by the gain, where columns exist
        start, stop = np.maximum(0, -gain), np.minimum(wide, wide - gain)
        to, origin = source * wide + start + gain, target * wide + start
        move = RunMap(origin, to, stop - start, weight / followed.felt.ways, many * wide)
        empty = followed.nodes.get(NOTHING)
        now = np.zeros(many * wide)
        rolls, missing = 0, 1.0
        while missing > SETTLED and rolls < LONGEST_PLAYED_OUT:
            # what still stands is missing from the table
            previous, now = now, np.zeros(many * wide)
            move.add(previous, now)
            rolls += 1
            if empty is not None:
                now[empty * wide - self.least] = 1
            self.table = now.reshape(many, wide)
            missing = max(0.0, float((1 - self.table.sum(axis=1)).max()))
        most_summed = int(np.bincount(source).max()) if len(source) else 0
        rounded = Fraction(rolls * (most_summed + 2) + wide, 2**53)
        self.slip = 2 * rounded + Fraction(missing)  # the missing mass is rounded too

    def of(self, stands: Stands) -> "Floats":
        """The distribution of a position: the profits from `least` on."""
        profits: Floats = self.table[self.followed.number_of(stands)]
        return profits

    @property
    def least_profit(self) -> Fraction:
        """The profit of column 0."""
        return self.least * self.unit


# --- how much money, and what it costs ------------------------------------------------------------


def must_afford(positions: Positions, name: str, width: int, rolls: int | None) -> None:
    """Refuse an evening that would take too long; a walk over w amounts takes about w² / σ² rolls.

    `rolls` are roughly the most; None if only money ends the evening.

    Raises:
        RulesError: the strategy never bets, and nothing else ends the evening.
        TooMuchWorkError: more than the budget allows.
    """
    ways, scale = positions.bettor.felt.ways, float(positions.unit) ** 2
    squares = [
        sum(step.weight / ways * float(step.gain) ** 2 for step in steps) / scale
        for steps in positions.steps
    ]
    ends = rolls is not None and any(step.to < 0 for steps in positions.steps for step in steps)
    if positions.ends.rolls is None and not max(squares) and not ends:
        raise RulesError(f"{name} never bets, so the evening never ends; give rolls or hours")
    # without a limit: eight times the mean exit time of a walk of this spread
    rolls = min(rolls or int(8 * width**2 / max(squares)), MANY)
    widths = [
        width if row.money is None and most is None else 1
        for row, most in zip(positions.rows, positions.highest_money(), strict=True)
    ]
    entries = sum(len(steps) * w for steps, w in zip(positions.steps, widths, strict=True))
    afford(
        f"the distribution of {rolls:,} rolls of {name}",
        seconds=rolls * entries * ENTRY,
        memory=sum(widths) * CELL,
        instead="ask for fewer rolls, or bet in larger units",
    )


# where a press wins more than a float holds the guess is low: its caller doubles it
@np.errstate(over="ignore", invalid="ignore")
def enough_columns(positions: Positions, rolls: int | None) -> int:
    """Columns of money enough for nearly all evenings.

    By Chernoff's bound, for any t > 0 all but e⁻²⁴ have less than (ln E[e^(t·won)] + 24) / t after
    a roll. This takes the least over several t, roll by roll.
    """
    rows, unit = positions.rows, positions.unit
    brought, scale = int(positions.bankroll / unit), float(unit)
    ways = positions.bettor.felt.ways
    _, top = positions.ends.columns(unit)
    if top is not None:  # nobody plays on with the target
        return top + 1
    queue = [positions.start] if rows[positions.start].money is None else []
    number = dict.fromkeys(queue, 0)  # rows reachable with enough money
    for row in queue:
        for step in positions.steps[row]:
            if step.to >= 0 and step.to not in number:
                number[step.to] = len(number)
                queue.append(step.to)
    edges = [
        (number[row], number[step.to], step.weight / ways, float(step.gain) / scale)
        for row in number
        for step in positions.steps[row]
        if step.to >= 0
    ]
    if not edges or positions.start not in number:
        return brought + 2
    source, target, weight, gain = (np.array(column) for column in zip(*edges, strict=True))
    times = min(rolls or 100, MANY)
    # the growth per roll settles within a few hundred rolls, and fewer are enough of a guess
    counted = min(times, 400 if len(edges) < 5000 else 100)
    nats = ENDLESS_NATS if positions.ends.rolls is None else NATS
    reach, spread = max(0.0, float(max(gain))) * times, 1.0
    for t in (0.0, 2.5, 4.0, 5.5, 8.0):  # t = 0 measures the spread, in units of which t then is
        grown = weight * np.exp(t / spread * gain)
        shares, high, log, second = np.zeros(len(number)), 0.0, 0.0, 0.0
        shares[number[positions.start]] = 1
        for _ in range(counted):
            flow = shares[source] * grown
            second += float((flow * gain**2).sum()) if not t else 0.0
            shares = np.bincount(target, flow, minlength=len(number)).astype(np.float64)
            total = float(shares.sum())
            if total <= 0 or not np.isfinite(total):  # all have left, or the bound is useless
                break
            log += float(np.log(total))
            high, shares = max(high, log), shares / total
        if not t:
            spread = max(1.0, sqrt(second * times / counted))
        elif np.isfinite(log):
            reach = min(reach, spread * (high * times / counted + nats) / t)
    return brought + int(reach) + 2
