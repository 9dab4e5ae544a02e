"""Compute the distribution over the cells of an evening roll by roll, by LLVM or NumPy.

In compiled code each row has a window: its cells that hold anything. In a large lattice, negligible
cells at its ends are cut off and counted in the error bound, and two threads share the rows. Each
cell is the same sum whichever thread adds it, so the result does not depend on them.
"""

import ctypes
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.evenings.lattice.linear_operator import linear_map
from sevenout.evenings.lattice.moneylattice import MoneyLattice
from sevenout.extras import has

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

LARGE, NEXT_TO_NOTHING = 200_000, 1e-19
"""Above this many cells, end cells that hold at most the second number are cut off."""


class Carrier:
    """A distribution over the cells of a lattice, moved on by NumPy.

    Attributes:
        now: the probability of each cell.
        columns: that of each column among the cells in play.
        visits: expected visits to each piece; pieces lie between ends of runs.
        cut: the probability cut off.
    """

    def __init__(self, cells: MoneyLattice) -> None:
        import numpy as np

        self.cells = cells
        self.now = np.zeros(cells.cells)
        self.now[cells.start] = 1
        ends = np.concatenate((cells.rows, cells.source, cells.source + cells.length))
        self.pieces = np.unique(ends)
        self.visits = np.zeros(len(self.pieces) - 1)
        self.cut = 0.0
        self._begin()

    def _begin(self) -> None:
        cells = self.cells
        self._map = linear_map(cells.source, cells.target, cells.length, cells.weight, cells.cells)
        self._look()

    def _look(self) -> None:
        import numpy as np

        self.columns = self.cells.amounts(self.now)
        playing = np.append(self.now[: self.cells.playing], 0)
        self._held = np.add.reduceat(playing, self.pieces)[:-1]

    def roll(self) -> None:
        """One roll."""
        self.visits += self._held
        then = self._map(self.now)
        self._keep(then)
        self.now = then
        self._look()

    def _keep(self, then: "Floats") -> None:
        """Ends keep their probability."""
        then[self.cells.playing :] += self.now[self.cells.playing :]

    def last(self) -> "Floats":
        """The cells after one more roll, the last."""
        cells = self.cells
        self.visits += self._held
        then = linear_map(cells.source, cells.last, cells.length, cells.weight, cells.cells)(
            self.now
        )
        self._keep(then)
        return then

    def taken(self) -> "Floats":
        """How often each run is taken."""
        import numpy as np

        cells = self.cells
        ends = np.column_stack((cells.source, cells.source + cells.length)).ravel()
        bounds = np.searchsorted(self.pieces, ends)
        found: Floats = np.add.reduceat(np.append(self.visits, (0, 0)), bounds)[::2]
        return found * cells.weight

    def met(self) -> "Ints":
        """The rows that were visited."""
        import numpy as np

        row = np.searchsorted(self.cells.rows, self.pieces[:-1], side="right") - 1
        return np.unique(row[self.visits > 0])


class CompiledCarrier(Carrier):
    """The same in compiled code."""

    def _begin(self) -> None:
        import numpy as np

        cells = self.cells
        rows, last = cells.rows, cells.playing  # the ends are a last row, without a window
        order = np.argsort(cells.target, kind="stable")
        source, target, length = (x[order] for x in (cells.source, cells.target, cells.length))
        of = np.searchsorted(rows, np.stack((source, target)), side="right") - 1
        self.runs = [source, target, length, *np.ascontiguousarray(of), cells.weight[order]]
        self.low = np.append(rows[:-1], last)
        self.high = self.low.copy()
        at = int(np.searchsorted(rows, cells.start, side="right")) - 1
        self.low[at], self.high[at] = cells.start, cells.start + 1
        self.then = np.zeros(cells.cells)
        self.emptied = np.zeros_like(self.low), np.zeros_like(self.high)
        self.first = np.searchsorted(self.pieces, rows)
        self.limit = NEXT_TO_NOTHING if last > LARGE else 0.0
        self._share(2 if last > LARGE else 1)
        self._look()

    def _share(self, threads: int) -> None:
        """Divide the rows among threads by the cells that lead to them."""
        import numpy as np

        to = self.runs[4]
        done = np.cumsum(np.append(0, self.runs[2]))
        shares = [done[-1] * k // threads for k in range(1, threads)]
        cuts = to[np.searchsorted(done[1:], shares)].tolist()
        self.rows = [*pairwise([0, *cuts, len(self.cells.rows) - 1])]
        self.parts = [*pairwise([0, *np.searchsorted(to, cuts).tolist(), len(to)])]
        self._each = map if threads == 1 else ThreadPoolExecutor(threads).map

    def roll(self) -> None:
        """One roll."""
        cells, then = self.cells, self.then
        self.visits += self._held
        then[cells.playing :] = self.now[cells.playing :]
        low, high = self.emptied
        low[:], high[:] = cells.cells, 0
        arrays = (self.now, then, *self.runs, self.low, self.high, low, high)
        carry = _carry()[0]
        # each part holds the arrays: after an interrupt the other thread may outlive the carrier
        deque(self._each(lambda part: carry(*_places(arrays), *part), self.parts))
        self.now, self.then = then, self.now
        self.emptied, self.low, self.high = (self.low, self.high), low, high
        self._look()

    def _look(self) -> None:
        import numpy as np

        cells, windows = self.cells, (self.low, self.high, *self.emptied)
        self._held = np.zeros(len(self.visits))
        look = _look()[0]

        def part(rows: tuple[int, int]) -> "tuple[Floats, Floats]":
            columns, found = np.zeros(cells.width), np.array([self.limit, 0.0])
            held = columns, self.first, self.pieces, self._held, found
            look(*_places((self.now, self.then, cells.origin, *windows, *held)), *rows)
            return columns, found

        seen = [*self._each(part, self.rows)]
        self.columns = np.sum([columns for columns, _ in seen], axis=0)
        self.cut += float(sum(found[1] for _, found in seen))


def _places(arrays: "tuple[Any, ...]") -> list[int]:
    return [array.ctypes.data for array in arrays]


@lru_cache(maxsize=1)
def _carry() -> tuple[Any, object]:
    """Add each run's share to the next distribution, and find its windows."""
    from sevenout import llvm

    say, (pointers, (start, stop)), done = _function("carry", 12, 2)
    kinds = (*(llvm.f64,) * 2, *(llvm.i64,) * 5, llvm.f64, *(llvm.i64,) * 4)
    law, then, source, target, length, row, to, weight, low, high, first, beyond = map(
        say.table, pointers, kinds
    )
    b = say.b
    with say.count(start, stop) as run:
        at, share = row[run], weight[run]
        begin = _most(say, source[run], low[at])
        end = _least(say, b.add(source[run], length[run]), high[at])
        with say.when(say.less(begin, end)):
            place, many = b.add(target[run], b.sub(begin, source[run])), b.sub(end, begin)
            here, there = law.since(begin), then.since(place)
            with say.count(0, many) as k:
                there[k] = b.fadd(there[k], b.fmul(share, here[k]))
            first[to[run]] = _least(say, first[to[run]], place)
            beyond[to[run]] = _most(say, beyond[to[run]], b.add(place, many))
    compiled: tuple[Any, object] = done()
    return compiled


@lru_cache(maxsize=1)
def _look() -> tuple[Any, object]:
    """Sum columns and pieces; narrow the windows and clear the old ones."""
    from sevenout import llvm

    say, (pointers, numbers), done = _function("look", 12, 2)
    kinds = (*(llvm.f64,) * 2, *(llvm.i64,) * 5, llvm.f64, *(llvm.i64,) * 2, *(llvm.f64,) * 2)
    law, old, origin, low, high, left, right, columns, first, pieces, held, found = map(
        say.table, pointers, kinds
    )
    b = say.b
    with say.count(numbers[0], numbers[1]) as row:
        with say.count(left[row], right[row]) as k:
            old[k] = llvm.f64(0.0)
        for end, step, cell in ((low, 1, 0), (high, -1, -1)):
            with say.forever() as leave:
                leave(say.b.not_(say.less(low[row], high[row])))
                at = b.add(end[row], llvm.value(cell))
                leave(b.fcmp_ordered(">", law[at], found[0]))
                found[1] = b.fadd(found[1], law[at])
                law[at] = llvm.f64(0.0)
                end.add(row, step)
        begin, many = low[row], b.sub(high[row], low[row])
        here, there = law.since(begin), columns.since(b.sub(begin, origin[row]))
        with say.count(0, many) as k:
            there[k] = b.fadd(there[k], here[k])
        with say.count(first[row], first[b.add(row, llvm.value(1))]) as piece:
            least = _most(say, pieces[piece], low[row])
            most = _least(say, pieces[b.add(piece, llvm.value(1))], high[row])
            total = say.variable(llvm.f64(0.0), llvm.f64, "total")
            with say.count(least, most) as k:
                total.set(b.fadd(total.get(), law[k], flags=("reassoc",)))
            held[piece] = total.get()
    compiled: tuple[Any, object] = done()
    return compiled


def _function(name: str, pointers: int, numbers: int) -> tuple[Any, Any, Any]:
    """A function of non-overlapping arrays and of integers."""
    from llvmlite import ir

    from sevenout import llvm

    module = ir.Module(name)
    arguments = [ir.PointerType()] * pointers + [llvm.i64] * numbers
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), arguments), name)
    for pointer in function.args[:pointers]:
        pointer.add_attribute("noalias")
    say = llvm.Language(function)

    def done() -> tuple[Any, object]:
        say.finish()
        kinds = [ctypes.c_void_p] * pointers + [ctypes.c_int64] * numbers
        return llvm.compiled(module, name, *kinds)

    return say, (function.args[:pointers], function.args[pointers:]), done


def _least(say: Any, one: Any, other: Any) -> Any:
    return say.b.select(say.less(one, other), one, other)


def _most(say: Any, one: Any, other: Any) -> Any:
    return say.b.select(say.less(one, other), other, one)


def carried(cells: MoneyLattice) -> Carrier:
    """The faster carrier available."""
    return (CompiledCarrier if has("llvmlite") else Carrier)(cells)
