"""A turn, compiled: its nodes from the endings back, for many score cards at once.

The same loop is compiled for two kinds of number: eight floats side by side, or one integer of a
given number of bits. At each ending the best entry is taken; then each node of the turn is the
weighted sum, the most or the least of nodes before it.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "turn"
LANES = 8
"""Floats that are worked on side by side."""


@dataclass(frozen=True, eq=False)
class Tape:
    """The nodes of a turn in an order in which each follows those that it leads to.

    The slots are the endings, then the nodes; the last is the start.

    Attributes:
        nodes: the turn's nodes in that order.
        endings: how many endings there are.
        kinds: for each node 0 for a roll, 1 for the most, -1 for the least.
        first: for each node, and one past the last, its first source.
        sources: the slots.
        shares: of each source, as floats; 1 for an option.
        factors: of each source, as integers: a node's scale over the source's, times its weight;
            None where one is beyond 64 bits.
        scale: of the start, where that of an ending is 1.
        operations: the most roundings that a value suffers on its way through.
    """

    nodes: tuple[int, ...]
    endings: int
    kinds: "NDArray[np.int8]"
    first: "NDArray[np.int64]"
    sources: "NDArray[np.int32]"
    shares: "NDArray[np.float64]"
    factors: "NDArray[np.int64] | None"
    scale: int
    operations: int

    def play(self, entries: "Entries", floats: bool) -> "NDArray[Any]":
        """The worth of the turn's start, for each score card.

        Args:
            entries: what may be done with each ending.
            floats: work on floats; else on integers.

        Returns:
            Floats of shape (cards,), or words of shape (cards, words).
        """
        import numpy as np

        words = 1 if floats else entries.rows.shape[2]
        wide = LANES if floats else 1
        cards = entries.rows.shape[1]
        kind = np.float64 if floats else np.uint64
        out = np.empty((cards, words), kind)
        work = np.empty((self.endings + len(self.kinds)) * wide * words, kind)
        function, _ = _function(0 if floats else 64 * words)
        scales = self.shares if floats else self.factors
        if scales is None:
            raise ValueError("factors beyond 64 bits")
        arrays: list[NDArray[Any]] = [self.kinds, self.first, self.sources, scales]
        arrays += [entries.classes, entries.paid, entries.first, entries.rows, entries.rewards]
        arrays += [work, out]
        numbers = (self.endings, len(self.kinds), len(entries.first), cards, entries.sense)
        function(*(array.ctypes.data for array in arrays), *numbers)
        return out[:, 0] if floats else out


@dataclass(frozen=True, eq=False)
class Entries:
    """What may be done with each ending of a turn: k entries, e endings.

    Attributes:
        classes: (k, e) the class that each entry puts each ending in; -1 where it is not allowed.
        paid: (k, e) the index of what it pays at once.
        first: (k,) the first row of each entry.
        rows: (rows, cards) or (rows, cards, words): for each class of each entry, the worth of what
            follows; a multiple of `LANES` cards, where they are floats.
        rewards: what may be paid, as floats or words.
        sense: 1 if the most is wanted, -1 if the least.
    """

    classes: "NDArray[np.int16]"
    paid: "NDArray[np.int32]"
    first: "NDArray[np.int64]"
    rows: "NDArray[Any]"
    rewards: "NDArray[Any]"
    sense: int


@lru_cache(maxsize=32)
def _function(bits: int) -> tuple[Callable[..., None], object]:
    from sevenout.llvm import compiled

    pointers = [ctypes.c_void_p] * 11
    return compiled(_module(bits), NAME, *pointers, *[ctypes.c_int64] * 5)


class _Numbers:
    """The kind of number: a vector of floats, or an integer of so many bits."""

    def __init__(self, say: Any, bits: int) -> None:
        from llvmlite import ir

        from sevenout.llvm import f64, i8, i64

        self.b, self.bits, self._byte, self._i64, self._f64 = say.b, bits, i8, i64, f64
        self.floats = not bits
        self.kind = ir.VectorType(f64, LANES) if self.floats else ir.IntType(bits)
        self.one = f64 if self.floats else self.kind
        self.width = LANES if self.floats else 1
        self.bytes = 8 if self.floats else bits // 8
        least = float("-inf") if self.floats else -(1 << (bits - 1))
        most = float("inf") if self.floats else (1 << (bits - 1)) - 1
        self.zero, self.least, self.most = (
            ir.Constant(self.kind, [x] * LANES if self.floats else x)
            for x in (0.0 if self.floats else 0, least, most)
        )

    def _at(self, start: Any, index: Any) -> Any:
        offset = self.b.mul(index, self._i64(self.bytes))
        return self.b.gep(start, [offset], source_etype=self._byte)

    def load(self, start: Any, index: Any) -> Any:
        """The numbers from an index on."""
        return self.b.load(self._at(start, index), align=8, typ=self.kind)

    def store(self, start: Any, index: Any, value: Any) -> None:
        """Keep numbers from an index on."""
        self.b.store(value, self._at(start, index), align=8)

    def spread(self, start: Any, index: Any) -> Any:
        """One number, in every lane."""
        from llvmlite import ir

        from sevenout.llvm import i32

        one = self.b.load(self._at(start, index), align=8, typ=self.one)
        return self._everywhere(one, ir, i32) if self.floats else one

    def _everywhere(self, one: Any, ir: Any, i32: Any) -> Any:
        undefined = ir.Constant(self.kind, ir.Undefined)
        first = self.b.insert_element(undefined, one, i32(0))
        return self.b.shuffle_vector(
            first, undefined, ir.Constant(ir.VectorType(i32, LANES), [0] * LANES)
        )

    def add(self, one: Any, other: Any) -> Any:
        """The sum."""
        return self.b.fadd(one, other) if self.floats else self.b.add(one, other)

    def scaled(self, one: Any, table: Any, index: Any) -> Any:
        """Times a share (floats) or a factor (integers)."""
        if self.floats:
            return self.b.fmul(one, self.spread(table, index))
        address = self.b.gep(table, [self.b.mul(index, self._i64(8))], source_etype=self._byte)
        factor = self.b.load(address, align=8, typ=self._i64)
        return self.b.mul(one, self.b.zext(factor, self.kind))

    def better(self, one: Any, other: Any, sense: Any) -> Any:
        """The larger of two, or the smaller where the sense is negative."""
        b = self.b
        if self.floats:
            above = b.fcmp_ordered(">", one, other)
            most, least = b.select(above, one, other), b.select(above, other, one)
        else:
            above = b.icmp_signed(">", one, other)
            most, least = b.select(above, one, other), b.select(above, other, one)
        return b.select(b.icmp_signed(">", sense, self._i64(0)), most, least)

    def worst(self, sense: Any) -> Any:
        """What anything is better than."""
        return self.b.select(self.b.icmp_signed(">", sense, self._i64(0)), self.least, self.most)


def _module(bits: int) -> Any:
    from llvmlite import ir

    from sevenout.llvm import Language, i8, i16, i32, i64

    module = ir.Module(f"{NAME}{bits}")
    kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()] * 11 + [i64] * 5)
    function = ir.Function(module, kind, NAME)
    for pointer in function.args[:11]:
        pointer.add_attribute("noalias")
    *pointers, endings, nodes, entries, cards, sense = function.args
    kinds, first, sources, scales, classes, paid, starts, rows, rewards, work, out = pointers
    say = Language(function)
    b, number = say.b, _Numbers(say, bits)
    kinds, first = say.table(kinds, i8), say.table(first, i64)
    sources, classes = say.table(sources, i32), say.table(classes, i16)
    paid, starts = say.table(paid, i32), say.table(starts, i64)
    width = i64(number.width)
    with say.count(0, b.sdiv(cards, width)) as chunk:
        card = b.mul(chunk, width)
        with say.count(0, endings) as ending:
            best = say.variable(number.worst(sense), number.kind)
            with say.count(0, entries) as entry:
                at = b.add(b.mul(entry, endings), ending)
                where = classes[at]
                with say.when(b.not_(say.less(where, 0))):
                    row = b.add(b.mul(b.add(starts[entry], where), cards), card)
                    worth = number.add(number.load(rows, row), number.spread(rewards, paid[at]))
                    best.set(number.better(worth, best.get(), sense))
            number.store(work, b.mul(ending, width), best.get())
        with say.count(0, nodes) as node:
            sign, last = kinds[node], first[b.add(node, i64(1))]
            value = say.variable(number.zero, number.kind)
            with b.if_else(say.same(sign, 0)) as (rolled, asked):
                with rolled, say.count(first[node], last) as m:
                    source = number.load(work, b.mul(sources[m], width))
                    value.set(number.add(value.get(), number.scaled(source, scales, m)))
                with asked:
                    value.set(number.worst(sign))
                    with say.count(first[node], last) as m:
                        source = number.load(work, b.mul(sources[m], width))
                        if not number.floats:
                            source = number.scaled(source, scales, m)
                        value.set(number.better(source, value.get(), sign))
            number.store(work, b.mul(b.add(endings, node), width), value.get())
        start = b.mul(b.sub(b.add(endings, nodes), i64(1)), width)
        number.store(out, card, number.load(work, start))
    say.finish()
    return module
