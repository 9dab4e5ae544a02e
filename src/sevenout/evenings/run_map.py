"""A linear map of long vectors, given in runs: what one roll does to the cells of an evening.

A run is a number of consecutive cells, where they lead, and one weight. What a roll does to a
position is the same for a whole range of money, so an evening with millions of cells has some
thousands of runs. The cells fall into rows, and each row has a *window*, the cells that can hold
anything: a run is clipped to the window of the row that it starts in.

The loops over slices, `add_runs` and `clear`, are plain functions. In most evenings a slice is
long, and NumPy's calls cost little. With many rows they are most of the time; there numba, if it is
installed, compiles the same functions. Both ways add the same products in much the same order.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sevenout.extras import compiled, is_installed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Windows = tuple[Any, Any]
"""By row, the first cell that can hold anything, and one past the last; no more than the first in
an empty row. Lists or arrays: Python is faster with lists, and numba needs arrays.
"""
MIN_LONG = 24
"""Without numba, shorter runs are spread into cells: a call of NumPy costs as much as 30 cells."""
PATIENCE = 300_000
"""Slices for which numba is loaded: Python takes a second for them, numba 0.7 s to be loaded."""


class Sums(NamedTuple):
    """What is summed up over the rolls and the rows.

    Attributes:
        visits: by cell, the sum over all images so far.
        columns: by column, the sum over the rows of the latest image.
        bases: by row that is summed, the cell of column 0.
    """

    visits: "Floats"
    columns: "Floats"
    bases: "Ints"


class RunMap:
    """The map that adds to each target cell the weight times its source, run by run.

    Each product is rounded at most once, and each sum once per term.

    >>> swap, result = RunMap([0, 2, 0], [1, 0, 2], [2, 1, 1], [1.0, 0.5, 0.5], 3), np.zeros(3)
    >>> swap.add(np.array([1.0, 4.0, 8.0]), result)
    (([0], [3]), 0.0)
    >>> result.tolist()
    [4.0, 1.0, 4.5]

    How it works. `add` applies the map: slice by slice for long runs, and for all cells of short
    runs at once. After `PATIENCE` slices, or at once if that many are expected, numba applies it
    and treats all runs alike.

    Args:
        source, target: the first cell of each run, and where it leads.
        length, weight: of each run.
        size: of the vectors.
        bounds: the first cell of each row; by default there is one row.

    Attributes:
        size, bounds: the arguments.
        runs: by run, in order of targets, its first cell, one past its last, where the first one
            leads, its weight, and the row in which it starts.
        groups: the rows to which runs lead, and the first run that leads to each.
        long_runs, long_groups: the same for long runs, as lists.
        short_cells, short_weights: the cells of short runs with their weights, in order of targets.
        short_targets: the cells to which they lead, each once, in order.
        first_sources: by short target, the index of the first of `short_cells` that leads to it.
        short_target_rows: by short target, its row.
        short_windows: by row to which short runs lead, its number, first target and last + 1.
        work: about how many slices take as long in Python as the map.
        patience: the work until numba is loaded.

    Raises:
        IndexError: a run that is not within the vectors.
    """

    def __init__(  # noqa: PLR0917  the columns of a table of runs, and the vectors' size
        self,
        source: Any,
        target: Any,
        length: Any,
        weight: Any,
        size: int,
        bounds: "Sequence[int] | Ints" = (0,),
    ) -> None:
        order = np.argsort(target, kind="stable")  # a row is complete before the next begins
        source, target, length = (
            np.asarray(column, dtype=np.int64)[order] for column in (source, target, length)
        )
        for first in (source, target):
            if (first < 0).any() or (first + length > size).any():
                raise IndexError(f"a run that is not within {size} cells")
        self.size, self.bounds = size, np.asarray(bounds)
        weight = np.asarray(weight, dtype=np.float64)[order]
        self.runs = (source, source + length, target, weight, self._row_of(source))
        self.groups = self._grouped(target)
        is_long = length >= MIN_LONG  # a call of NumPy pays for them
        self.long_runs = tuple(column[is_long].tolist() for column in self.runs)
        self.long_groups = tuple(column.tolist() for column in self._grouped(target[is_long]))
        self._scratch = np.empty(max(length, default=0))
        self._spread(*(column[~is_long] for column in (source, target, length, weight)))
        self.work = len(self.long_runs[0]) + len(self.short_windows) + len(self.short_cells) // 100
        self.patience = PATIENCE

    def _spread(self, source: "Ints", target: "Ints", length: "Ints", weight: "Floats") -> None:
        """Spread the short runs into cells, and sort these by their targets."""
        offsets = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        cells, targets = (np.repeat(first, length) + offsets for first in (source, target))
        by_target = np.argsort(targets, kind="stable")
        self.short_cells = cells[by_target]
        self.short_weights = np.repeat(weight, length)[by_target]
        self.short_targets, self.first_sources = np.unique(targets[by_target], return_index=True)
        self.short_target_rows = self._row_of(self.short_targets)
        rows, begins = self._grouped(self.short_targets)
        firsts, lasts = self.short_targets[begins[:-1]], self.short_targets[begins[1:] - 1]
        columns = (column.tolist() for column in (rows, firsts, lasts + 1))
        self.short_windows = list(zip(*columns, strict=True))

    def expect(self, times: int) -> None:
        """Load numba at once if that pays for this many applications of the map."""
        if self.work * times > PATIENCE:
            self.patience = 0

    def _row_of(self, cells: "Ints") -> "Ints":
        """The row of each cell."""
        rows: Ints = np.searchsorted(self.bounds, cells, side="right") - 1
        return rows

    def _grouped(self, targets: "Ints") -> "tuple[Ints, Ints]":
        """The rows of sorted targets, and the index of the first in each, and of the end."""
        rows, firsts = np.unique(self._row_of(targets), return_index=True)
        return rows, np.append(firsts, len(targets))

    def add(
        self,
        vector: "Floats",
        result: "Floats",
        windows: Windows | None = None,
        sums: Sums | None = None,
        negligible: float = 0.0,
    ) -> tuple[Windows, float]:
        """Add the image of a vector, whose windows are given, to a result.

        Cells at the ends of a window that hold no more than `negligible` are cut off. What is left
        is added to the sums.

        Returns:
            the windows of the image, and how much was cut off.
        """
        row_count = len(self.bounds)
        low, high = ([0] * row_count, [self.size] * row_count) if windows is None else windows
        sums = sums or Sums(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64))
        # Slow so far: loading numba is worth its time.
        if self.patience <= 0 and is_installed("numba"):
            return self._add_compiled(vector, result, (low, high), sums, negligible)
        self.patience -= self.work
        lows, highs = [0] * row_count, [0] * row_count
        cut = add_runs(
            vector,
            result,
            self._scratch,
            self.long_runs,
            self.long_groups,
            (low, high),
            (lows, highs),
            (sums.visits, sums.columns, sums.bases),
            negligible,
        )
        held = vector[self.short_cells]
        if held.any():  # mostly not in the first rolls
            image = np.add.reduceat(self.short_weights * held, self.first_sources)
            result[self.short_targets] += image
            self._add_to_sums(image, sums)
            for row, first, stop in self.short_windows:
                is_empty = lows[row] >= highs[row]
                lows[row] = first if is_empty else min(lows[row], first)
                highs[row] = max(highs[row], stop)
        return (lows, highs), cut

    def _add_compiled(
        self, vector: "Floats", result: "Floats", windows: Windows, sums: Sums, negligible: float
    ) -> tuple[Windows, float]:
        """`add` in compiled code."""
        row_count = len(self.bounds)
        new_windows = np.zeros(row_count, dtype=np.int64), np.zeros(row_count, dtype=np.int64)
        cut = compiled(add_runs)(
            vector,
            result,
            self._scratch,
            self.runs,
            self.groups,
            (np.asarray(windows[0]), np.asarray(windows[1])),
            new_windows,
            (sums.visits, sums.columns, sums.bases),  # numba compiles a named tuple as another type
            negligible,
        )
        return new_windows, cut

    def clear(self, vector: "Floats", windows: Windows) -> None:
        """Empty a vector whose windows are given."""
        if self.patience <= 0 and is_installed("numba"):
            compiled(clear)(vector, tuple(np.asarray(part) for part in windows))
        else:
            vector[:] = 0.0  # a single call, for mostly short vectors

    def _add_to_sums(self, image: "Floats", sums: Sums) -> None:
        """Add the image of the short runs to the sums."""
        count = int(np.searchsorted(self.short_target_rows, len(sums.bases)))
        if count:
            targets, rows = self.short_targets[:count], self.short_target_rows[:count]
            sums.visits[targets] += image[:count]
            np.add.at(sums.columns, targets - sums.bases[rows], image[:count])


def add_runs(  # noqa: PLR0917  numba takes no keywords
    vector: "Floats",
    result: "Floats",
    scratch: "Floats",
    runs: tuple[Any, ...],
    groups: tuple[Any, Any],
    windows: Windows,
    new_windows: Windows,
    sums: "tuple[Floats, Floats, Ints]",
    negligible: float,
) -> float:
    """Row by row, add the runs that lead there, cut off the ends, and sum up while it is cached.

    The windows of the result are written to `new_windows`.

    Returns:
        how much was cut off.
    """
    source, end, target, weight, source_row = runs
    rows, first_run = groups
    low, high = windows
    new_low, new_high = new_windows
    visits, columns, bases = sums
    cut = 0.0
    for group in range(len(rows)):
        row = rows[group]
        begin, beyond = len(result), 0
        for run in range(first_run[group], first_run[group + 1]):
            origin = source_row[run]
            first, stop = max(source[run], low[origin]), min(end[run], high[origin])
            if first < stop:
                product = scratch[: stop - first]  # an expression would allocate it anew
                np.multiply(vector[first:stop], weight[run], product)
                to = target[run] + first - source[run]
                image = result[to : to + stop - first]
                np.add(image, product, image)
                begin, beyond = min(begin, to), max(beyond, to + stop - first)
        if begin >= beyond:
            continue
        if row < len(bases):  # a row in play, not an end: ends keep what little they get
            while begin < beyond and result[begin] <= negligible:
                cut += result[begin]
                result[begin] = 0.0
                begin += 1
            while begin < beyond and result[beyond - 1] <= negligible:
                beyond -= 1
                cut += result[beyond]
                result[beyond] = 0.0
            image = result[begin:beyond]
            counted = visits[begin:beyond]
            np.add(counted, image, counted)
            summed = columns[begin - bases[row] : beyond - bases[row]]
            np.add(summed, image, summed)
        new_low[row], new_high[row] = begin, beyond
    return cut


def clear(vector: "Floats", windows: Windows) -> None:
    """Empty the windows of a vector."""
    low, high = windows
    for row in range(len(low)):
        if low[row] < high[row]:
            vector[low[row] : high[row]] = 0.0


def fan_in(target: Any, length: Any, first: int, end: int) -> int:
    """The most runs that lead to one cell in `range(first, end)`.

    >>> fan_in([1, 0, 2], [2, 1, 1], 0, 3), fan_in([1, 0, 2], [2, 1, 1], 0, 2)
    (2, 1)
    """
    target = np.asarray(target)
    cells = np.concatenate((target, target + np.asarray(length)))
    order = np.argsort(cells, kind="stable")
    # +1 where a run begins and -1 past its end: the running sum counts the runs over a cell
    cells, run_counts = cells[order], np.where(order < len(target), 1, -1).cumsum()
    # the count is right after the last change at a cell
    is_last = np.append(cells[1:] != cells[:-1], True)[: len(cells)]
    counts = run_counts[is_last & (cells >= first) & (cells < end)]
    return int(counts.max(initial=0))
