"""A linear map of long vectors, given in runs: what one roll does to the cells of an evening.

A run is a number of consecutive places, where they lead, and one weight. What a roll does to a
position is the same for a whole range of money, so an evening with millions of cells has some
thousands of runs. The places fall into rows, and each row has a *window*, the places that can hold
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
"""By row, the first place that can hold anything, and one past the last; no more than the first in
an empty row. Lists or arrays: Python is faster with lists, and numba needs arrays.
"""
LONG = 24
"""Without numba, shorter runs are spread into places: a call of NumPy costs as much as 30."""
PATIENCE = 300_000
"""Slices for which numba is loaded: Python takes a second for them, numba 0.7 to be loaded."""


class Sums(NamedTuple):
    """What is summed up over the rolls and the rows.

    Attributes:
        visits: by place, the sum over all images so far.
        columns: by column, the sum over the rows of the latest image.
        bases: by row that is summed, the place of column 0.
    """

    visits: "Floats"
    columns: "Floats"
    bases: "Ints"


class RunMap:
    """The map that adds to each target place the weight times its source, run by run.

    Each product is rounded at most once, and each sum once per term.

    >>> swap, result = RunMap([0, 2, 0], [1, 0, 2], [2, 1, 1], [1.0, 0.5, 0.5], 3), np.zeros(3)
    >>> swap.add(np.array([1.0, 4.0, 8.0]), result)
    (([0], [3]), 0.0)
    >>> result.tolist()
    [4.0, 1.0, 4.5]

    How it works. `add` applies the map: slice by slice for long runs, and for all places of short
    runs at once. After `PATIENCE` slices, or at once if that many are expected, numba applies it
    and treats all runs alike.

    Args:
        source, target: the first place of each run, and where it leads.
        length, weight: of each run.
        size: of the vectors.
        bounds: the first place of each row; by default there is one row.

    Attributes:
        size, bounds: the arguments.
        runs: by run, in order of targets, its first place, one past its last, where the first one
            leads, its weight, and the row in which it starts.
        long: the same for long runs, as lists.
        groups: the rows to which runs lead, and the first run that leads to each; `long_groups`
            for long runs.
        places, shares: by place of a short run, the place and its weight, in order of targets.
        targets, firsts: the targets of the short runs, and the index in `places` of the first
            place that leads to each; `target_rows` are their rows.
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
            np.asarray(part, dtype=np.int64)[order] for part in (source, target, length)
        )
        for first in (source, target):
            if (first < 0).any() or (first + length > size).any():
                raise IndexError(f"a run that is not within {size} places")
        self.size, self.bounds = size, np.asarray(bounds)
        weights = np.asarray(weight, dtype=np.float64)[order]
        self.runs = (source, source + length, target, weights, self._row_of(source))
        self.groups = self._grouped(target)
        long = length >= LONG  # a call of NumPy pays for them
        self.long = tuple(part[long].tolist() for part in self.runs)
        self.long_groups = tuple(part.tolist() for part in self._grouped(target[long]))
        self._scratch = np.empty(max(length, default=0))
        starts, stops, lengths = (part[~long] for part in (source, target, length))
        along = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places, to = (np.repeat(first, lengths) + along for first in (starts, stops))
        by_target = np.argsort(to, kind="stable")
        self.places = places[by_target]
        self.shares = np.repeat(weights[~long], lengths)[by_target]
        self.targets, self.firsts = np.unique(to[by_target], return_index=True)
        self.target_rows = self._row_of(self.targets)
        rows, begins = self._grouped(self.targets)
        windows = self.targets[begins[:-1]], self.targets[begins[1:] - 1] + 1
        self.short_windows = list(zip(*(part.tolist() for part in (rows, *windows)), strict=True))
        self.work = len(self.long[0]) + len(self.short_windows) + len(self.places) // 100
        self.patience = PATIENCE

    def expect(self, times: int) -> None:
        """Load numba at once if that pays for this many applications of the map."""
        if self.work * times > PATIENCE:
            self.patience = 0

    def _row_of(self, places: "Ints") -> "Ints":
        rows: Ints = np.searchsorted(self.bounds, places, side="right") - 1
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

        Places at the ends of a window that hold no more than `negligible` are cut off. What is left
        is added to the sums.

        Returns:
            the windows of the image, and how much was cut off.
        """
        many = len(self.bounds)
        low, high = ([0] * many, [self.size] * many) if windows is None else windows
        sums = sums or Sums(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64))
        if self.patience <= 0 and is_installed(
            "numba"
        ):  # slow so far: loading numba is worth its time
            return self._add_compiled(vector, result, (low, high), sums, negligible)
        self.patience -= self.work
        lows, highs = [0] * many, [0] * many
        cut = add_runs(
            vector,
            result,
            self._scratch,
            self.long,
            self.long_groups,
            (low, high),
            (lows, highs),
            (sums.visits, sums.columns, sums.bases),
            negligible,
        )
        places = vector[self.places]
        if places.any():  # mostly not in the first rolls
            image = np.add.reduceat(self.shares * places, self.firsts)
            result[self.targets] += image
            self._count(image, sums)
            for row, first, stop in self.short_windows:
                is_empty = lows[row] >= highs[row]
                lows[row] = first if is_empty else min(lows[row], first)
                highs[row] = max(highs[row], stop)
        return (lows, highs), cut

    def _add_compiled(
        self, vector: "Floats", result: "Floats", windows: Windows, sums: Sums, negligible: float
    ) -> tuple[Windows, float]:
        many = len(self.bounds)
        reached = np.zeros(many, dtype=np.int64), np.zeros(many, dtype=np.int64)
        cut = compiled(add_runs)(
            vector,
            result,
            self._scratch,
            self.runs,
            self.groups,
            (np.asarray(windows[0]), np.asarray(windows[1])),
            reached,
            (sums.visits, sums.columns, sums.bases),  # numba compiles a named tuple as another type
            negligible,
        )
        return reached, cut

    def clear(self, vector: "Floats", windows: Windows) -> None:
        """Empty a vector whose windows are given."""
        if self.patience <= 0 and is_installed("numba"):
            compiled(clear)(vector, tuple(np.asarray(part) for part in windows))
        else:
            vector[:] = 0.0  # a single call, for mostly short vectors

    def _count(self, image: "Floats", sums: Sums) -> None:
        """Add what short runs brought to the sums."""
        many = int(np.searchsorted(self.target_rows, len(sums.bases)))
        if many:
            targets, rows = self.targets[:many], self.target_rows[:many]
            sums.visits[targets] += image[:many]
            np.add.at(sums.columns, targets - sums.bases[rows], image[:many])


def add_runs(  # noqa: PLR0917  numba takes no keywords
    vector: "Floats",
    result: "Floats",
    scratch: "Floats",
    runs: tuple[Any, ...],
    groups: tuple[Any, Any],
    windows: Windows,
    reached: Windows,
    sums: "tuple[Floats, Floats, Ints]",
    negligible: float,
) -> float:
    """Row by row, add the runs that lead there, cut off the ends, and sum up while it is cached."""
    source, end, target, weight, source_row = runs
    rows, first_run = groups
    low, high = windows
    new_low, new_high = reached
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
    """The most runs that lead to one place in `range(first, end)`.

    >>> fan_in([1, 0, 2], [2, 1, 1], 0, 3), fan_in([1, 0, 2], [2, 1, 1], 0, 2)
    (2, 1)
    """
    target = np.asarray(target)
    places = np.concatenate((target, target + np.asarray(length)))
    order = np.argsort(places, kind="stable")
    # +1 where a run begins and -1 past its end: the running sum counts the runs over a place
    places, begun = places[order], np.where(order < len(target), 1, -1).cumsum()
    last = np.append(places[1:] != places[:-1], True)[: len(places)]
    counted = begun[last & (places >= first) & (places < end)]
    return int(counted.max(initial=0))
