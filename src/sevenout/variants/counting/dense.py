"""Counts below a threshold, from half-sums modulo one with polynomials.

A row is a residue of one half; its coefficients count assignments by the whole part of their sum.
With both halves' rows sorted, the pairs at or below t + ρ/modulus have whole parts of at most t −
1, or of t with residues within ρ. The second kind needs one running sum of rows, read once for each
row of the other half.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, lcm, prod
from typing import TYPE_CHECKING

from sevenout.variants.counting.bundle import Bundle, BundleGroup, Slot
from sevenout.variants.counting.residues import LIMB, clusters
from sevenout.variants.counting.sparse import group_choices, merged
from sevenout.variants.family import TooManyVariantsError
from sevenout.variants.total_sets import ANY, signed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

MAX_CELLS = 1 << 26
BLOCK = 2048


@dataclass(frozen=True)
class ResidueRows:
    """A half's ascending residues and their polynomials.

    Attributes:
        residues: in units of 1/modulus of the bundle.
        ways: ways[i, t] assignments have the sum t + residues[i]/modulus.
    """

    residues: "Ints"
    ways: "Ints"


@dataclass(frozen=True)
class Dense:
    """A bundle as two halves of rows.

    Raises:
        TooManyVariantsError: rows that exceed memory, or counts that exceed 63 bits.
    """

    bundle: Bundle

    @cached_property
    def sides(self) -> tuple[tuple[BundleGroup, ...], tuple[BundleGroup, ...]]:
        """The groups of each half: light totals apart from heavy ones."""
        bundle = self.bundle
        if 3**bundle.tokens >= 1 << 63:
            raise TooManyVariantsError(
                f"{bundle.family} has 3^{bundle.tokens} assignments for one out; counting has room "
                "for 63 bits: constrain the family"
            )
        first, second = min(_splits(bundle), key=lambda split: sum(map(_cells, split)))
        cells = _cells(first) + _cells(second)
        if cells > MAX_CELLS:
            raise TooManyVariantsError(
                f"{bundle.family} needs a table of {cells:,} counts; there is room for "
                f"{MAX_CELLS:,}: constrain the family"
            )
        return first, second

    def at_most(self, thresholds: Sequence[tuple[Slot, int]]) -> list[int]:
        """For each (slot, units), the assignments of a cell with at most that sum."""
        totals = [0] * len(thresholds)
        for sign, kept in signed(ANY):
            todo = [
                i
                for i, (slot, _) in enumerate(thresholds)
                if kept | self.bundle.family.need & ~slot.have == ANY
            ]
            chosen = [thresholds[i][1] for i in todo]
            for i, count in zip(todo, self._count(kept, chosen), strict=True):
                totals[i] += sign * count
        return totals

    def _count(self, kept: int, thresholds: Sequence[int]) -> list[int]:
        """The same with only the sets `kept`, possibly empty."""
        if not thresholds:
            return []
        if kept == ANY:
            a, b = (rows_of(self.bundle, side) for side in self.sides)
            tables = RunningSums(a, b, self.bundle.modulus)
            return [tables.at_most(units) for units in thresholds]
        one, other = (plain_sums(self.bundle, side, kept) for side in self.sides)
        return [_pairs_at_most(one, other, units) for units in thresholds]


class RunningSums:
    """One half's rows with the other's running sums."""

    def __init__(self, a: ResidueRows, b: ResidueRows, modulus: int) -> None:
        import numpy as np

        if a.ways.size > b.ways.size:
            a, b = b, a  # read the smaller table, and sum up the larger
        self.a, self.b, self.modulus = a, b, modulus
        self.running = np.zeros((len(b.ways) + 1, b.ways.shape[1]), np.int64)
        np.cumsum(b.ways, axis=0, out=self.running[1:])
        self.whole = np.cumsum(self.running[-1])

    def at_most(self, units: int) -> int:
        """The number of pairs with at most this sum."""
        import numpy as np

        if units < 0:
            return 0
        t, rho = divmod(units, self.modulus)
        a, width = self.a, self.running.shape[1]
        # residues of a above rho become negative, with 1 more in the whole part, to leave two cases
        within = int(np.searchsorted(a.residues, rho, "right"))
        residues = a.residues.copy()
        residues[within:] -= self.modulus
        last = np.searchsorted(self.b.residues, rho - residues, "right")
        total = 0
        for above, rows in ((0, slice(0, within)), (1, slice(within, len(residues)))):
            here = t - above  # the whole part left for both polynomials
            low, top = max(0, here - width + 1), min(here, a.ways.shape[1] - 1)
            total += self._below(rows, here - 1)
            for start in range(rows.start, rows.stop, BLOCK) if low <= top else ():
                block = slice(start, min(start + BLOCK, rows.stop))
                window = self.running[last[block], here - top : here - low + 1][:, ::-1]
                total += _sum(np.einsum("ij,ij->i", a.ways[block, low : top + 1], window))
        return total

    def _below(self, rows: slice, t: int) -> int:
        """The number of pairs with whole parts that add up to at most t."""
        if t < 0:
            return 0
        column = self.a.ways[rows].sum(axis=0).tolist()
        whole = self.whole.tolist()
        return sum(
            ways * whole[min(t - i, len(whole) - 1)] for i, ways in enumerate(column[: t + 1])
        )


def rows_of(bundle: Bundle, groups: Sequence[BundleGroup]) -> ResidueRows:
    """The rows of some groups.

    Polynomials are multiplied without whole parts, which are applied when rows are merged. Merging
    pays only while residues coincide, when the common denominator is below the number of rows.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.counting.bundle import bundles
    >>> bundle = bundles(Family("2d6"))[0]
    >>> rows_of(bundle, bundle.groups[:1]).ways.tolist()
    [[1, 1], [1, 0]]
    """
    import numpy as np

    dtype: type = np.int64 if bundle.modulus < LIMB else object
    residues: Ints = np.zeros(1, dtype)
    whole = np.zeros(1, np.int64)
    ways, period = np.ones((1, 1), np.int64), 1
    for group in groups:
        step = int(group.step * bundle.modulus)
        sums = [residues + x * step % bundle.modulus for x in range(group.most + 1)]
        wholes = [
            whole + x * step // bundle.modulus + (s >= bundle.modulus)
            for x, s in zip(range(group.most + 1), sums, strict=True)
        ]
        residues = np.concatenate(sums) % bundle.modulus
        whole = np.concatenate(wholes).astype(np.int64)
        ways = _multiplied(ways, group)
        period = lcm(period, group.step.denominator)
        if period < len(residues):
            residues, ways = _in_order(residues, whole, ways)
            starts = np.flatnonzero(np.concatenate(([True], residues[1:] != residues[:-1])))
            residues, ways = residues[starts], np.add.reduceat(ways, starts, axis=0)
            whole = np.zeros(len(residues), np.int64)
    if whole.any() or (residues[1:] < residues[:-1]).any():
        residues, ways = _in_order(residues, whole, ways)
    return ResidueRows(residues, ways)


def _multiplied(ways: "Ints", group: BundleGroup) -> "Ints":
    """The rows times the polynomials of moved tokens."""
    import numpy as np

    rows, width = ways.shape
    spread = group.free * group.count
    product = np.zeros((group.most + 1, rows, width + spread), np.int64)
    power = product[group.most]  # the polynomial of (1 + z^free)^stay, from the least stay up
    power[:, :width] = ways
    for _ in range(group.count - group.most):
        power[:, group.free :] += power[:, : width + spread - group.free].copy()
    for x in range(group.most - 1, -1, -1):
        product[x] = product[x + 1]
        if group.free:
            product[x][:, group.free :] += product[x + 1][:, : width + spread - group.free]
    for x in range(1, group.most):
        product[x] *= comb(group.count, x)
    return product.reshape(-1, width + spread)


def _in_order(residues: "Ints", whole: "Ints", ways: "Ints") -> "tuple[Ints, Ints]":
    """Rows sorted by residue, with whole parts applied."""
    import numpy as np

    order = np.argsort(residues, kind="stable")
    residues, whole = residues[order], whole[order]
    width = ways.shape[1]
    shifted = np.zeros((len(order), width + int(whole.max())), np.int64)
    for w in np.unique(whole).tolist():
        of = np.flatnonzero(whole == w)
        shifted[of, w : w + width] = ways[order[of]]
    return residues, shifted


def plain_sums(bundle: Bundle, groups: Sequence[BundleGroup], kept: int) -> "tuple[Ints, Ints]":
    """The ascending sums with only the sets `kept`, and multiplicities."""
    import numpy as np

    dtype: type = np.int64 if (bundle.family.denominator + 1) * bundle.modulus < LIMB else object
    sums: Ints = np.zeros(1, dtype)
    ways = np.ones(1, np.int64)
    for group in groups:
        choices = group_choices(bundle, group, kept)
        longer = [(sums + total, ways * times) for _, total, times in choices]
        sums, ways = merged(longer) if longer else (sums[:0], ways[:0])
    return sums, ways


def _pairs_at_most(a: "tuple[Ints, Ints]", b: "tuple[Ints, Ints]", units: int) -> int:
    import numpy as np

    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(b[1])))
    last = np.searchsorted(b[0], units - a[0], "right")
    return _sum(a[1] * before[last])


def _sum(values: "Ints") -> int:
    """The sum of non-negative 63-bit integers, as a Python int."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def _splits(bundle: Bundle) -> Iterator[tuple[tuple[BundleGroup, ...], tuple[BundleGroup, ...]]]:
    """Splits into a cluster with light or heavy groups, and the rest."""
    for cluster, _ in clusters(bundle):
        inside = tuple(bundle.groups[i] for i in cluster)
        rest = tuple(g for i, g in enumerate(bundle.groups) if i not in cluster)
        for k in range(len(rest) + 1):
            yield inside + rest[:k], rest[k:]
            yield inside + rest[k:], rest[:k]


def _cells(groups: Sequence[BundleGroup]) -> int:
    """An upper bound of the counts in the rows of some groups."""
    period = lcm(1, *(group.step.denominator for group in groups))
    rows = min(period, prod(group.most + 1 for group in groups))
    return int(rows * (1 + sum(group.count * group.kind.natural for group in groups)))
