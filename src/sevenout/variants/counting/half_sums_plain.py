"""Half-sums in lists, without NumPy.

Suitable for small families, such as those of two or three dice, whose halves have some dozens of
keys.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.extras import needs
from sevenout.variants.counting.residues import Half, Halves, Pair, scaled

MAX_KEYS = 1 << 17


@dataclass(frozen=True)
class PlainHalf(Half):
    """A half in lists."""

    @cached_property
    def reach(self) -> Any:
        levels = [bytearray([1]) + bytearray(self.period - 1)]
        for i in self.cluster:
            group = self.bundle.groups[i]
            step = int(group.step * self.period)
            here = bytearray(self.period)
            for residue in range(self.period):
                if levels[-1][residue]:
                    for x in range(group.most + 1):
                        here[(residue + x * step) % self.period] = 1
            levels.append(here)
        return levels

    @cached_property
    def residues(self) -> Any:
        return [residue for residue, on in enumerate(self.reach[-1]) if on]

    @cached_property
    def keys(self) -> Any:
        keys = [residue * (self.scale // self.period) for residue in self.residues]
        for i in self.others:
            step = scaled(self.bundle, i, self.scale)
            moves = [x * step % self.scale for x in range(self.bundle.groups[i].most + 1)]
            keys = [(key + move) % self.scale for move in moves for key in keys]
        return keys

    @cached_property
    def sorted_keys(self) -> Any:
        return sorted(set(self.keys))

    def places(self, key: int) -> list[int]:
        return [place for place, one in enumerate(self.keys) if one == key]


@dataclass(frozen=True)
class PlainHalves(Halves):
    """Two halves in lists.

    Raises:
        MissingError: they are too large for lists, and NumPy is not installed.
    """

    def __post_init__(self) -> None:
        if self.size > MAX_KEYS:
            needs("numpy")

    def windows(self, low: int, high: int) -> Any:
        scale, keys, slack, width = self.scale, self.b.sorted_keys, *self._wide(low, high)
        if width >= scale:
            a = self.a.sorted_keys
            return a, [0] * len(a), [len(keys)] * len(a)
        found: tuple[list[int], list[int], list[int]] = [], [], []
        for a in self.a.sorted_keys:
            start = (low % self.bundle.modulus * scale // self.bundle.modulus - a - slack) % scale
            stop = start + width
            last = bisect_right(keys, min(stop, scale - 1))
            if stop >= scale:
                last = len(keys) + bisect_right(keys, stop - scale)
            if last > (first := bisect_left(keys, start)):
                for column, value in zip(found, (a, first, last), strict=True):
                    column.append(value)
        return found

    def partners(self, units: int) -> int:
        _, first, last = self.windows(units, units)
        pairs: int = sum(last) - sum(first)
        return pairs

    def nearest(self, centre: int, side: int, reach: int | None) -> Iterator[Pair]:
        keys, scale = self.b.sorted_keys, self.scale
        found = []
        for i, a in enumerate(self.a.sorted_keys):
            wanted = (centre - a) % scale
            at = bisect_right(keys, wanted) - 1 if side < 0 else bisect_left(keys, wanted)
            at = 0 if at == len(keys) else at
            found.append(((side * (keys[at] - wanted)) % scale, i, at, 0))
        return (pair for pair in sorted(found) if reach is None or pair[0] <= reach)
