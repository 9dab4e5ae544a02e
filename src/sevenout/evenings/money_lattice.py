"""Evenings in floats with an error bound: positions × money, roll by roll.

Money lies on a lattice of equal steps. A cell is a row of `positions` with an amount of money. Rows
reachable with any money are *open*, and equally wide; a row reachable only with little money, or
with money of its own, is *narrow*. Each end with each amount is an absorbing cell.

A roll is a linear map of the cells. One roll of the dice acts alike on a row for a whole range of
money. So the map consists of *runs*: consecutive cells, where they lead, and one weight.
Equivalent rows are merged first (`row_classes`), and so are equivalent rolls.

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
from sevenout.evenings.evening_result import EveningFigures, fan_rolls_of
from sevenout.evenings.money_polynomials import MAX_UNFINISHED, QUANTILE_SHARES
from sevenout.evenings.positions import FinalBets, PlayedOutPositions, Positions, Step
from sevenout.evenings.run_map import RunMap, Sums, fan_in
from sevenout.model.equivalence import coarsest_lumping
from sevenout.rolling.distribution import FiniteDistribution
from sevenout.rules.casino.ends import ENDS, LOSS, RUIN, STOPS, TIME, WIN, Ends, at_last
from sevenout.rules.casino.felt import NOTHING, Money, Stands

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

FinalBetsMap = Callable[[Stands], Stands]
"""Maps the bets after the last roll to those that are played out."""

CODES = (*(code for code in ENDS if code != TIME), TIME)
"""The ends in the order of their cells; time is last, since it has cells for each `stands`."""
ENDED = CODES[:-1]
"""The ends but time."""
BEYOND = 0
"""The code of money beyond the last column."""
MAX_BEYOND = 1e-11
"""The lattice grows while more probability than this lies beyond it."""
LARGE_LATTICE = 200_000
"""Above this many cells, columns that hold next to nothing are cut off."""
NEGLIGIBLE = 1e-19
"""Far below the rounding of a roll; a larger cut would end evenings without a limit too soon."""
MAX_ENDLESS_ROLLS = 2_000_000
"""The most rolls of an unlimited evening before giving up."""
MAX_UNSETTLED = 1e-14
"""Bets are played out until they stand with at most this probability; the rest is in the bound."""
MAX_PLAYED_OUT_ROLLS = 20_000
"""The most rolls for that; a bet that is off may stand for ever."""
SECONDS_PER_ENTRY = 3e-10
"""Seconds per roll of an entry of the map, before equivalent steps are joined."""
BYTES_PER_CELL = 32.0
"""Bytes of a cell: the two vectors of a walk, its visits, and room for sums over them."""
UNAFFORDABLE_ROLLS = 10**15
"""A number of rolls beyond any budget."""
NATS, ENDLESS_NATS = 24, 80
"""All but e⁻²⁴ of the evenings stay within the first width; without a limit, all but e⁻⁸⁰."""


def figures_in_floats(positions: Positions, name: str) -> tuple[EveningFigures, int]:
    """The figures of an evening, and the number of cells in which it goes on.

    Args:
        positions: of the evening; they are completed, and their unit fits the last bets.
        name: of the strategy, for errors.

    Raises:
        RulesError: the strategy never bets and nothing else ends the evening, or it is too long.
        TooMuchWorkError: more than the budget allows.
    """
    positions.complete()
    map_of_final_bets = None
    if positions.ends.standing != "staked":
        final_bets = FinalBets(positions.bettor.felt, positions.ends.standing)
        positions.refine_unit_for(final_bets)
        map_of_final_bets = final_bets.bets_to_play_out
    rolls = about_max_rolls(positions.ends)
    width = enough_columns(positions, rolls)
    while True:  # the width is a guess; the mass beyond it is in the bound
        must_afford(positions, name, width, rolls)
        lattice = MoneyLattice(positions, width, map_of_final_bets)
        figures, uncounted = _walked_figures(positions, lattice)
        if uncounted <= MAX_BEYOND:
            return figures, lattice.playing
        width *= 2


def about_max_rolls(ends: Ends) -> int | None:
    """About the rolls of the longest evenings; None if only money ends them.

    >>> about_max_rolls(Ends(bets=5)), about_max_rolls(Ends(ceiling=20))
    (120, None)
    """
    if ends.rolls is not None:
        return ends.rolls
    # a hand of 200 rolls has probability 1e-11, and bets take 8 rolls each at worst
    limits = []
    if ends.shooters:
        limits.append(200 * ends.shooters)
    if ends.bets:
        limits.append(8 * ends.bets + 80)
    return min(limits, default=None)


def solvency(
    positions: Positions, name: str, starts: Mapping[Money, int]
) -> tuple[dict[Money, float], Fraction]:
    """By bankroll, the probability that the player isn't ruined in time; and its error bound.

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
        low, high = (_values_at_start(lattice, rolls, beyond, starts) for beyond in (0.0, 1.0))
        gap = max(high[bankroll] - low[bankroll] for bankroll in starts)
        if gap <= MAX_BEYOND:
            max_terms = fan_in(lattice.source, lattice.length, 0, lattice.playing)
            return low, Fraction(gap) + Fraction(rolls * (max_terms + 2), 2**53)
        width *= 2


def row_classes(
    positions: Positions, final_bets: FinalBetsMap | None = None
) -> tuple[list[int], list[int]]:
    """The first row of each class of equivalent rows, and for each row the first of its class.

    Rows start in one class if they have the same money, if any, and their steps pay the same with
    the same probabilities. `coarsest_lumping` splits the classes until their steps lead to the same
    classes. `final_bets` gives what must agree about the bets after a roll. Merged, four hours of
    pressed place bets take 1.4 s of CPU, instead of 3.5 s.
    """
    rows = positions.rows
    if positions.mirrored:  # equivalent rows were merged during exploration
        return list(range(len(rows))), list(range(len(rows)))
    step_labels: dict[Any, int] = {}  # of a step, but for the row that it leads to
    predecessors: list[list[tuple[int, int]]] = [[] for _ in rows]
    nodes: dict[tuple[int, int], int] = {}  # a row, entered by a kind of step
    labels: dict[Any, int] = {}
    initial = []
    for row, position in enumerate(rows):
        weights: dict[int, int] = {}
        for low, high, step in positions.moves(row):
            stands = final_bets(step.stands) if final_bets else None
            end = step.to if step.to < 0 else None
            short = low if positions.short_moves[row] else 0
            kind = step.gain, step.settled, step.bets, step.refused, stands, end, short, high
            label = step_labels.setdefault(kind, len(step_labels))
            weights[label] = weights.get(label, 0) + step.weight
            if end is None:
                node = nodes.get((step.to, label))
                if node is None:
                    node = nodes[step.to, label] = len(predecessors)
                    predecessors.append([])
                    predecessors[step.to].append((node, 1))
                predecessors[node].append((row, step.weight))
        initial.append(labels.setdefault((position.money, frozenset(weights.items())), len(labels)))
    initial += [len(labels) + label for _, label in nodes]
    first_rows: dict[int, int] = {}
    classes = [
        first_rows.setdefault(label, row)
        for row, label in enumerate(coarsest_lumping(initial, predecessors)[: len(rows)])
    ]
    return list(first_rows.values()), classes


class MoneyLattice:
    """The cells of an evening, and the runs of the map of a roll.

    How it works. The cells are numbered: open rows by money, narrow rows, ends by money, then money
    beyond the last column. The constructor decides which rows are open (`_lay_out`) and then lays
    the runs: a step of a row is cut at the last column (`_add_step`) and at the stops
    (`_add_runs`).

    Attributes:
        unit, first_amount: column k is `first_amount + k * unit`.
        width, end_width: the columns of an open row, and of an end.
        open_rows, narrow_rows: the rows, by their numbers in `positions`.
        columns_of_row: by row, its first column, and one past its last.
        base_of_row: by row, the cell of its column 0, if it had one.
        playing, cells: the number of cells that are not ends, and of all.
        start: the first cell.
        stands: the bets that may stand when the time is up, each with a block of cells.
        source, target, last_target, length, weight: by run, its first cell, where it leads, where
            it leads on the last roll, its number of cells, and its probability.
        settled, bets, refused: by run, the stakes settled, their number, and the bets refused.
        bounds: the first cell of each row, open rows first, and one past the last.
        bases: the cell of column 0 of each row, if it had one.
        narrow_columns: the column of each cell of the narrow rows.
    """

    def __init__(
        self, positions: Positions, width: int, final_bets: FinalBetsMap | None = None
    ) -> None:
        positions.complete()
        self.positions, self._final_bets = positions, final_bets
        self.unit, bankroll = positions.unit, Fraction(positions.bankroll)
        self.first_amount = bankroll % self.unit
        floor, self._top = positions.ends.columns(self.unit, self.first_amount)
        self._floor = -1 if floor is None else floor
        self._columns_by_amount: dict[Money, int] = {}
        self._columns_by_gain: dict[Money, int] = {}
        self._first_rows, self._classes = row_classes(positions, final_bets)
        steps = [move.step for row in self._first_rows for move in positions.moves(row)]
        gains = {step.gain for step in steps}
        largest = max((abs(self._gain_columns(gain)) for gain in gains), default=0)
        played_out = [final_bets(step.stands) for step in steps] if final_bets else []
        self.stands = tuple(dict.fromkeys([NOTHING, *played_out]))
        self._stands_index = {stands: index for index, stands in enumerate(self.stands)}
        self._lay_out(width)
        self.end_width = self.width + largest + 1  # a last win may go beyond the columns in play
        self.cells = self.playing + (len(CODES) + len(self.stands)) * self.end_width
        # `must_afford` counts a narrow row as one cell: how wide it is was not known
        afford(
            f"an evening of {self.cells:,} positions with money",
            memory=self.cells * BYTES_PER_CELL,
            instead="ask for fewer rolls, or bet in larger units",
        )
        self._make_runs()
        self.start = self.cell(positions.start, positions.bankroll)

    def _make_runs(self) -> None:
        """The runs and their arrays, and the columns of the rows."""
        self._runs: list[tuple[int, int, int, int]] = []
        self._steps_of_runs: list[Step] = []
        for row in self._first_rows:
            low, end = self.columns_of_row[row]
            low = max(low, self._floor + 1, self._lowest[row])
            for first, stop, step in self._joined_moves(row, low, end):
                self._add_step(row, first, stop, step)
        runs = np.array(self._runs, dtype=np.int64).reshape(-1, 4).T
        self.source, self.target, self.last_target, self.length = runs
        ends = (self.target - self.playing) // self.end_width
        is_stop = np.isin(ends, [CODES.index(code) for code in STOPS])
        steps, roll_count = self._steps_of_runs, self.positions.bettor.felt.roll_count
        self.weight = np.array([step.weight / roll_count for step in steps])
        self.settled = np.array([float(step.settled) for step in steps])
        self.bets = np.array([step.bets for step in steps])
        # a player who leaves at a stop requests no more bets
        self.refused = np.where(is_stop, 0, [step.refused for step in steps])
        spans = [np.arange(*self.columns_of_row[row]) for row in self.narrow_rows]
        self.narrow_columns = np.concatenate([np.arange(0), *spans])
        order = (*self.open_rows, *self.narrow_rows)
        firsts = [self.base_of_row[row] + self.columns_of_row[row][0] for row in order]
        self.bounds = np.array([*firsts, self.playing])
        self.bases = np.array([self.base_of_row[row] for row in order], dtype=np.int64)
        del self._runs, self._steps_of_runs  # lists of millions, which the arrays replace

    def _column(self, money: Money) -> int:
        """The column of an amount, or the first above it."""
        column = self._columns_by_amount.get(money)
        if column is None:
            column = self._columns_by_amount[money] = -int((self.first_amount - money) // self.unit)
        return column

    def cell(self, row: int, money: Money) -> int:
        """The cell of a row with an amount of money."""
        return self.base_of_row[self._classes[row]] + self._column(money)

    def _gain_columns(self, gain: Money) -> int:
        """An amount in columns."""
        if gain not in self._columns_by_gain:
            self._columns_by_gain[gain] = int(gain / self.unit)
        return self._columns_by_gain[gain]

    def _lay_out(self, width: int) -> None:
        """Which rows are open, and each row's columns and cell of column 0."""
        positions = self.positions
        # by class: the most money (None where it is unbounded, -1 where nobody arrives), and the
        # lowest column
        highest: dict[int, Money | None] = {}
        self._lowest: dict[int, int] = {}
        for row, max_money in enumerate(positions.highest_money()):
            first, own_money = self._classes[row], positions.rows[row].money
            amount = max_money if own_money is None else own_money
            before = highest.setdefault(first, amount)
            low = self._column(positions.felt_money(row))
            self._lowest[first] = min(self._lowest.get(first, low), low)
            highest[first] = None if None in (amount, before) else max(amount or 0, before or 0)
        columns: dict[int, tuple[int, int]] = {}
        for row in self._first_rows:
            own_money, max_money = positions.rows[row].money, highest[row]
            if own_money is not None:
                columns[row] = self._column(own_money), self._column(own_money) + 1
            elif max_money is not None and max_money >= 0:
                low, high = self._lowest[row], int((max_money - self.first_amount) // self.unit)
                columns[row] = low, max(low, high + 1)
            elif max_money is not None:
                columns[row] = 0, 0  # unreachable
        # the ends are as wide as an open row and a win, so no row may be wider than an open one
        narrow_width = max([0, *(end for _, end in columns.values())])
        enough = max(width, narrow_width)
        self.width = max(enough if self._top is None else min(enough, self._top), narrow_width)
        self.open_rows = [row for row in self._first_rows if row not in columns]
        self.narrow_rows = [row for row in self._first_rows if row in columns]
        self.columns_of_row = columns | dict.fromkeys(self.open_rows, (0, self.width))
        self.base_of_row = {row: index * self.width for index, row in enumerate(self.open_rows)}
        self.playing = len(self.open_rows) * self.width
        for row in self.narrow_rows:
            low, end = columns[row]
            self.base_of_row[row] = self.playing - low
            self.playing += end - low

    def _end_cell(self, code: int, column: int) -> int:
        """The cell of an end."""
        if code == BEYOND:
            return self.playing + (len(CODES) - 1 + len(self.stands)) * self.end_width + column
        return self.playing + CODES.index(code) * self.end_width + column

    def _last_cell(self, step: Step, column: int) -> int:
        """The cell of the end after the last roll."""
        code = at_last(step.to)
        block = self._stands_index[step.stands] if self._final_bets and code == TIME else 0
        return self._end_cell(code, column) + block * self.end_width

    def _joined_moves(self, row: int, low: int, end: int) -> Iterator[tuple[int, int, Step]]:
        """The columns and the step of each move of a row, equivalent moves joined."""
        positions, final_bets, classes = self.positions, self._final_bets, self._classes
        has_short_moves = bool(positions.short_moves[row])
        steps: dict[tuple[Any, ...], Step] = {}
        weights: dict[tuple[Any, ...], int] = {}
        for min_money, high, step in positions.moves(row):
            first = max(low, self._column(min_money)) if has_short_moves else low
            stop = end if high is None else min(end, self._column(high))
            if first >= stop:
                continue
            to = classes[step.to] if step.to >= 0 else step.to
            stands = final_bets(step.stands) if final_bets else NOTHING
            key = first, stop, to, step.gain, step.settled, step.bets, step.refused, stands
            weights[key] = weights.get(key, 0) + step.weight
            steps[key] = step
        for key, weight in weights.items():
            first, stop, to, *_, stands = key
            yield first, stop, steps[key]._replace(weight=weight, to=to, stands=stands)

    def _add_step(self, row: int, low: int, end: int, step: Step) -> None:
        """The runs of a step from one column to before another."""
        gain, to = self._gain_columns(step.gain), step.to
        if to < 0:
            self._add_runs(row, low, end, self._end_cell(to, low + gain), step)
            return
        # the first column that leads beyond the last of `to`
        bound = self.columns_of_row[to][1] - gain
        for first, stop, target in (
            (low, min(end, bound), self.base_of_row[to] + low + gain),
            (max(low, bound), end, self._end_cell(BEYOND, max(low, bound) + gain)),
        ):
            if first < stop:
                self._add_runs(row, first, stop, target, step)

    def _add_runs(self, row: int, low: int, end: int, target: int, step: Step) -> None:
        """A run, cut where a stop is reached; stops take precedence over any other end."""
        gain, top = self._gain_columns(step.gain), self._top
        end_of_losses = min(end, self._floor + 1 - gain)
        first_win = end if top is None else max(low, top - gain)
        for first, stop, code in (
            (low, end_of_losses, LOSS),
            (max(low, end_of_losses), min(end, first_win), None),
            (max(low, first_win), end, WIN),
        ):
            if first >= stop:
                continue
            if code is None:
                targets = target + first - low, self._last_cell(step, first + gain)
            else:
                targets = (self._end_cell(code, first + gain),) * 2
            self._runs.append((self.base_of_row[row] + first, *targets, stop - first))
            self._steps_of_runs.append(step)

    def amount(self, column: int) -> Fraction:
        """The money of a column."""
        return self.first_amount + column * self.unit

    def playing_columns(self, cells: "Floats") -> "Floats":
        """The probability of each column among the cells in play."""
        rows = cells[: len(self.open_rows) * self.width].reshape(len(self.open_rows), self.width)
        columns: Floats = rows.sum(axis=0)
        if len(self.narrow_columns):
            narrow = cells[len(self.open_rows) * self.width : self.playing]
            columns = columns + np.bincount(self.narrow_columns, narrow, minlength=self.width)
        return columns

    def probability_beyond(self, cells: "Floats") -> float:
        """The probability of money beyond the last column."""
        return float(cells[-self.end_width :].sum())

    def end_columns(self, cells: "Floats", code: int) -> "Floats":
        """The probability of each column of an end."""
        start = self.playing + CODES.index(code) * self.end_width
        return cells[start : start + self.end_width]

    def final_columns(self, cells: "Floats") -> "Floats":
        """The probabilities at the end of the time: (stands, columns)."""
        start = self.playing + CODES.index(TIME) * self.end_width
        return cells[start : -self.end_width].reshape(len(self.stands), self.end_width)

    def row_of(self, cells: "Ints") -> "Ints":
        """The index of the row, open rows first, that each cell in play belongs to."""
        rows: Ints = np.searchsorted(self.bounds, cells, side="right") - 1
        return rows


class LatticeWalk:
    """An evening in floats, roll by roll.

    How it works. `_roll` applies the map of a roll to `mass`. The cells of a row that can hold
    anything are its window. In a large lattice, cells at the ends of a window that hold next to
    nothing are cut off, and what they hold is counted in the bound.

    Attributes:
        lattice: the cells and the runs.
        limit: the most rolls; None if only money ends the evening.
        mass: the probability of each cell.
        buffer: that of the next roll; its cells in play are zeros.
        columns: the probability of each column among the cells in play.
        visits: by cell, how often an evening is expected to be there.
        windows: by row, its window; the ends of the evening count as one more row.
        rolls: the rolls so far.
        cut: the probability cut off; `uncounted` adds that past the last column, after the walk.
        refused: the mean number of bets refused, after the walk.
        playing_by_roll, ruin_by_roll, fan, fan_rolls: as in `EveningFigures`.
    """

    def __init__(self, lattice: MoneyLattice, rolls: int | None) -> None:
        self.lattice, self.limit = lattice, rolls
        self.mass, self.buffer = np.zeros(lattice.cells), np.zeros(lattice.cells)
        self.mass[lattice.start] = 1
        self.visits = self.mass[: lattice.playing].copy()
        self.columns = lattice.playing_columns(self.mass)
        empty = [0] * len(lattice.bounds)
        start = int(lattice.row_of(np.array([lattice.start]))[0])
        self.windows = empty, empty.copy()
        self.windows[0][start], self.windows[1][start] = lattice.start, lattice.start + 1
        self.rolls, self.cut = 0, 0.0
        self.playing_by_roll, self.ruin_by_roll = [1.0], [0.0]
        self.fan = [self._quantiles(self.mass, self.columns)]
        self.fan_rolls = fan_rolls_of(rolls)

    def run(self) -> None:
        """All rolls, or until hardly any evening goes on."""
        lattice = self.lattice
        parts = lattice.length, lattice.weight, lattice.cells, lattice.bounds
        move = RunMap(lattice.source, lattice.target, *parts)
        move.expect(self.limit or 0)
        while self.limit is None or self.rolls < self.limit - 1:
            self._roll(move)
            self._record(self.mass, self.columns)
            if self.limit is None and self.playing_by_roll[-1] < MAX_UNFINISHED:
                break
            if self.limit is None and self.rolls >= MAX_ENDLESS_ROLLS:
                raise RulesError("the evening may last too long; give rolls or hours too")
        # after the last roll no bet is requested, so the visits that it starts from don't count
        rolled = self.visits if self.limit is None else self.visits - self.mass[: lattice.playing]
        self.refused = float(self.runs_taken(rolled) @ lattice.refused)
        if self.limit is not None:
            self._roll(RunMap(lattice.source, lattice.last_target, *parts))
            self._record(self.mass, lattice.final_columns(self.mass).sum(axis=0))
        self.uncounted = lattice.probability_beyond(self.mass) + self.cut

    def _roll(self, move: RunMap) -> None:
        """One roll of all evenings."""
        lattice, playing = self.lattice, self.lattice.playing
        before, after = self.mass, self.buffer
        after[playing:] = before[playing:]  # ends keep their probability
        self.columns = np.zeros(lattice.width)
        sums = Sums(self.visits, self.columns, lattice.bases)
        # cutting cells off saves time in a large lattice only
        negligible = NEGLIGIBLE if playing > LARGE_LATTICE else 0.0
        old = self.windows
        self.windows, cut = move.add(before, after, old, sums, negligible)
        move.clear(before[:playing], old)
        self.mass, self.buffer = after, before
        self.cut += cut
        self.rolls += 1

    def _record(self, mass: "Floats", alive: "Floats") -> None:
        """Note the figures of a roll."""
        self.playing_by_roll.append(float(alive.sum()))
        self.ruin_by_roll.append(float(self.lattice.end_columns(mass, RUIN).sum()))
        if self.rolls in self.fan_rolls:
            self.fan.append(self._quantiles(mass, alive))

    def _quantiles(self, mass: "Floats", alive: "Floats") -> tuple[Fraction, ...]:
        """The quantiles of the money of all evenings, those that go on and those that ended."""
        lattice = self.lattice
        columns = np.zeros(lattice.end_width)
        columns[: len(alive)] = alive
        for code in ENDED:
            columns += lattice.end_columns(mass, code)
        below = np.cumsum(columns)
        indices = np.searchsorted(below, [float(q) * below[-1] for q in QUANTILE_SHARES])
        return tuple(lattice.amount(min(k, lattice.end_width - 1)) for k in indices.tolist())

    def runs_taken(self, visits: "Floats") -> "Floats":
        """How often each run is taken, from the visits to each cell."""
        lattice = self.lattice
        order = np.argsort(lattice.source, kind="stable")  # so that no sum spans other runs
        ends = np.column_stack((lattice.source, lattice.source + lattice.length))[order].ravel()
        taken: Floats = np.zeros(len(order))
        taken[order] = np.add.reduceat(np.append(visits, 0.0), ends)[::2] if len(ends) else 0
        taken *= lattice.weight
        return taken


def _values_at_start(
    lattice: MoneyLattice, rolls: int, value_beyond: float, starts: Mapping[Money, int]
) -> dict[Money, float]:
    """The value of each start, with `value_beyond` as the value of money past the last column."""
    values = np.ones(lattice.cells)
    lattice.end_columns(values, RUIN)[:] = 0.0
    values[-lattice.end_width :] = value_beyond
    parts = lattice.source, lattice.length, lattice.weight, lattice.cells
    maps = [RunMap(to, *parts) for to in (lattice.last_target, lattice.target)]
    maps[1].expect(rolls)
    for roll in range(rolls):
        before = np.zeros(lattice.cells)
        maps[min(roll, 1)].add(values, before)
        before[lattice.playing :] = values[lattice.playing :]
        values = before
    return {
        bankroll: float(values[lattice.cell(row, bankroll)]) for bankroll, row in starts.items()
    }


def _walked_figures(positions: Positions, lattice: MoneyLattice) -> tuple[EveningFigures, float]:
    """The figures, and the probability beyond the last column or cut off."""
    endless = positions.ends.rolls is None
    walk = LatticeWalk(lattice, positions.ends.rolls)
    walk.run()
    inner_terms = fan_in(lattice.target, lattice.length, 0, lattice.playing)
    outer_terms = max(
        fan_in(to, lattice.length, lattice.playing, lattice.cells)
        for to in (lattice.target, lattice.last_target)
    )
    # see the module's docstring: products and sums of all rolls, then of the ends
    rounding = Fraction(walk.rolls * (inner_terms + 3) + outer_terms + 3, 2**53)
    slip = rounding + Fraction(walk.uncounted)
    if endless:  # evenings that still go on may end anywhere
        slip += Fraction(walk.playing_by_roll[-1])
    stayed, shift, late_handle, late_bets, late_slip = _final_money(positions, lattice, walk.mass)
    money: dict[Fraction, Fraction] = {}
    ends: dict[str, Fraction] = {}
    for code, amount_of_0, columns in [
        (TIME, lattice.first_amount + shift, stayed),
        *((code, lattice.first_amount, lattice.end_columns(walk.mass, code)) for code in ENDED),
    ]:
        for k in np.flatnonzero(columns).tolist():
            amount = amount_of_0 + k * lattice.unit
            money[amount] = money.get(amount, Fraction(0)) + Fraction(float(columns[k]))
        if (total := fsum(columns)) and not (code == TIME and endless):
            ends[ENDS[code]] = Fraction(total)
    runs_taken = walk.runs_taken(walk.visits)
    visited = np.unique(lattice.row_of(np.flatnonzero(walk.visits)))
    rows = (*lattice.open_rows, *lattice.narrow_rows)
    figures = EveningFigures(
        money=FiniteDistribution(money, slip + late_slip),
        ends=ends,
        playing_by_roll=walk.playing_by_roll,
        ruin_by_roll=walk.ruin_by_roll,
        mean_rolls=Fraction(float(walk.visits.sum())),
        handle=Fraction(float(runs_taken @ lattice.settled) + late_handle),
        mean_bets=Fraction(float(runs_taken @ lattice.bets) + late_bets),
        refused=Fraction(walk.refused) + positions.unmade_first_bets,
        fan=walk.fan,
        fan_rolls=walk.fan_rolls,
        visited={positions.rows[rows[index]].seat.bets for index in visited.tolist()},
    )
    return figures, walk.uncounted


def _final_money(
    positions: Positions, lattice: MoneyLattice, cells: "Floats"
) -> "tuple[Floats, Fraction, float, float, Fraction]":
    """The money of players who stay to the end, with their bets counted.

    Returns its distribution, the shift of column 0, the stakes and number of bets played out, and
    the added error bound.
    """
    nothing = Fraction(0), 0.0, 0.0, Fraction(0)
    if positions.ends.rolls is None:
        return lattice.playing_columns(cells), *nothing
    final_columns = lattice.final_columns(cells)
    if positions.ends.standing == "staked":
        return final_columns[0], *nothing
    played_out = PlayedOutPositions(positions.bettor.felt, lattice.stands)
    profits = PlayedOutProfits(played_out, lattice.unit)
    after = np.zeros(lattice.end_width + profits.table.shape[1] - 1)
    handle = bets = 0.0
    for stands, columns in zip(lattice.stands, final_columns, strict=True):
        after += np.convolve(columns, profits.of(stands))
        share = float(columns.sum())
        handle += share * float(sum(amount for _, amount in stands[1]))
        bets += share * len(stands[1])
    slip = profits.slip + Fraction(2 * lattice.end_width + len(final_columns), 2**53)
    return after, profits.min_profit, handle, bets, slip


class PlayedOutProfits:
    """The distributions of the profits of several positions, played out until all bets are settled.

    The map of a roll is iterated until hardly a bet stands: the profits from a position are those
    from the next one, shifted by what the roll pays. `FinalBets.distribution` solves each position
    exactly, which takes an evening of many positions longer than all else: 4.5 s of CPU for the 582
    of the three-point Molly, whose whole evening takes 1.9 s this way.

    Attributes:
        positions, unit: the positions, and the unit of money.
        table: by position and column, the probability of the profit.
        min_units: the profit of column 0, in units.
        slip: the error bound of each distribution: rounding, and what still stands.
    """

    def __init__(self, positions: PlayedOutPositions, unit: Fraction) -> None:
        self.positions, self.unit = positions, unit
        count = len(positions.nodes)
        edges = [(*edge, int(gain / unit)) for *edge, gain in positions.edges]
        columns = np.array(edges, dtype=np.int64).reshape(-1, 4)
        source, target, weight, gain = columns.T
        low, high = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for bound, best in ((low, np.minimum), (high, np.maximum)):
            while True:  # as often as the longest sequence of rolls that pay
                before = bound.copy()
                best.at(bound, source, gain + bound[target])
                if (before == bound).all():
                    break
        self.min_units = int(low.min())
        width = int(high.max()) - self.min_units + 1
        # shift the distribution of the next position by the gain, where columns exist
        start, stop = np.maximum(0, -gain), np.minimum(width, width - gain)
        to, origin = source * width + start + gain, target * width + start
        move = RunMap(origin, to, stop - start, weight / positions.felt.roll_count, count * width)
        empty = positions.nodes.get(NOTHING)
        now = np.zeros(count * width)
        rolls, missing = 0, 1.0
        while missing > MAX_UNSETTLED and rolls < MAX_PLAYED_OUT_ROLLS:
            # what still stands is missing from the table
            previous, now = now, np.zeros(count * width)
            move.add(previous, now)
            rolls += 1
            if empty is not None:
                now[empty * width - self.min_units] = 1
            self.table = now.reshape(count, width)
            missing = max(0.0, float((1 - self.table.sum(axis=1)).max()))
        most_summed = int(np.bincount(source).max()) if len(source) else 0
        rounded = Fraction(rolls * (most_summed + 2) + width, 2**53)
        self.slip = 2 * rounded + Fraction(missing)  # the missing mass is rounded too

    def of(self, stands: Stands) -> "Floats":
        """The distribution of a position: the profits from `min_profit` on."""
        profits: Floats = self.table[self.positions.number_of(stands)]
        return profits

    @property
    def min_profit(self) -> Fraction:
        """The profit of column 0."""
        return self.min_units * self.unit


# --- how much money, and what it costs ------------------------------------------------------------


def must_afford(positions: Positions, name: str, width: int, rolls: int | None) -> None:
    """Refuse an evening that would take too long; a walk over w amounts takes about w² / σ² rolls.

    `rolls` are roughly the most; None if only money ends the evening.

    Raises:
        RulesError: the strategy never bets, and nothing else ends the evening.
        TooMuchWorkError: more than the budget allows.
    """
    roll_count, unit_squared = positions.bettor.felt.roll_count, float(positions.unit) ** 2
    squares = [  # the mean square of a roll's gain in each row, in units
        sum(step.weight / roll_count * float(step.gain) ** 2 for step in steps) / unit_squared
        for steps in positions.steps
    ]
    can_end = rolls is not None and any(step.to < 0 for steps in positions.steps for step in steps)
    if positions.ends.rolls is None and not max(squares) and not can_end:
        raise RulesError(f"{name} never bets, so the evening never ends; give rolls or hours")
    # without a limit: eight times the mean exit time of a walk of this spread
    rolls = min(rolls or int(8 * width**2 / max(squares)), UNAFFORDABLE_ROLLS)
    widths = [
        width if row.money is None and max_money is None else 1
        for row, max_money in zip(positions.rows, positions.highest_money(), strict=True)
    ]
    entries = sum(len(steps) * w for steps, w in zip(positions.steps, widths, strict=True))
    afford(
        f"the distribution of {rolls:,} rolls of {name}",
        seconds=rolls * entries * SECONDS_PER_ENTRY,
        memory=sum(widths) * BYTES_PER_CELL,
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
    bankroll_column, roll_count = int(positions.bankroll / unit), positions.bettor.felt.roll_count
    _, top = positions.ends.columns(unit)
    if top is not None:  # nobody plays on with the target
        return top + 1
    queue = [positions.start] if rows[positions.start].money is None else []
    index_by_row = dict.fromkeys(queue, 0)  # rows reachable with enough money
    for row in queue:
        for step in positions.steps[row]:
            if step.to >= 0 and step.to not in index_by_row:
                index_by_row[step.to] = len(index_by_row)
                queue.append(step.to)
    edges = []  # (row, next row, probability, gain in units)
    for row, index in index_by_row.items():
        for step in positions.steps[row]:
            if step.to >= 0:
                p, gain_in_units = step.weight / roll_count, float(step.gain) / float(unit)
                edges.append((index, index_by_row[step.to], p, gain_in_units))
    if not edges or positions.start not in index_by_row:
        return bankroll_column + 2
    source, target, weight, gain = (np.array(column) for column in zip(*edges, strict=True))
    times = min(rolls or 100, UNAFFORDABLE_ROLLS)
    # the growth per roll settles within a few hundred rolls, and fewer are enough of a guess
    measured_rolls = min(times, 400 if len(edges) < 5000 else 100)
    nats = ENDLESS_NATS if positions.ends.rolls is None else NATS
    reach, spread = max(0.0, float(max(gain))) * times, 1.0
    for t in (0.0, 2.5, 4.0, 5.5, 8.0):  # t = 0 measures the spread, in units of which t then is
        grown = weight * np.exp(t / spread * gain)
        shares, high, log, second = np.zeros(len(index_by_row)), 0.0, 0.0, 0.0
        shares[index_by_row[positions.start]] = 1
        for _ in range(measured_rolls):
            flow = shares[source] * grown
            second += float((flow * gain**2).sum()) if not t else 0.0
            shares = np.bincount(target, flow, minlength=len(index_by_row)).astype(np.float64)
            total = float(shares.sum())
            if total <= 0 or not np.isfinite(total):  # all have left, or the bound is useless
                break
            log += float(np.log(total))
            high, shares = max(high, log), shares / total
        if not t:
            spread = max(1.0, sqrt(second * times / measured_rolls))
        elif np.isfinite(log):
            reach = min(reach, spread * (high * times / measured_rolls + nats) / t)
    return bankroll_column + int(reach) + 2
