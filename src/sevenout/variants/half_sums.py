"""All sums of half the tokens: listed, or counted with polynomials.

`SumHalves` lists them. With few and large weights, naturals of a given total weight may not exist,
so the whole part of a sum is not free, and residues (`residues`) prove nothing. The same holds if
set sizes are bounded. Each half keeps all its sums, with the filled sets or their sizes; equal sums
are merged with their multiplicity.

`PolynomialHalves` counts the assignments below a threshold where sums are too many to list. A row
is a residue of one half; its coefficients count assignments by the whole part of their sum. With
both halves' rows sorted, the pairs at or below t + ρ/modulus have whole parts of at most t − 1, or
of t with residues within ρ. The second kind needs one running sum of rows, read once for each row
of the other half.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any

from sevenout.extras import needs
from sevenout.variants.bundles import Bundle, BundleGroup, Slot
from sevenout.variants.family import ANY, CRAPS, NATURAL, POINT, TooManyVariantsError, signed
from sevenout.variants.residues import LIMB, clusters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

# a sum and its multiplicity take 16 bytes, and twice as much while two halves are paired
MAX_SUMS = 3_000_000

FEW_SUMS = 20_000
"""The most half-sums of a light family that are listed."""

HEAVY = 100_000
"""Above this sum of weights, naturals are too rare for residues."""

LIGHT = 20_000
"""Below this sum of weights, residues are faster even for small families."""

MAX_CELLS = 1 << 26
"""The most coefficients in the rows of both halves: 512 MB."""

# rows multiplied at a time: their windows stay in the cache
BLOCK = 2048

State = tuple[int, int, int]
"""The numbers of craps, naturals and points; 0 and 1 if only emptiness matters."""


@dataclass(frozen=True)
class StateSums:
    """The sums of some tokens, by state.

    Attributes:
        parts: state -> (distinct sums in ascending order, number of assignments for each).
    """

    parts: "dict[State, tuple[NDArray[Any], NDArray[Any]]]"

    def __len__(self) -> int:
        return sum(len(sums) for sums, _ in self.parts.values())


@dataclass(frozen=True)
class SumHalves:
    """A bundle as two halves of sums, in units of 1/modulus above the base.

    Attributes:
        bundle: whose sums they are.

    Raises:
        TooManyVariantsError: a half would have more than 3,000,000 sums.
        MissingError: NumPy is not installed.
    """

    bundle: Bundle

    def __post_init__(self) -> None:
        needs("numpy")

    @cached_property
    def halves(self) -> tuple[StateSums, StateSums]:
        """The two halves."""
        first, second = _sides(self.bundle)
        return sums_of(self.bundle, first), sums_of(self.bundle, second)

    def pairs(self, slot: Slot) -> "Iterator[tuple[tuple[NDArray[Any], NDArray[Any]], ...]]":
        """The pairs of parts that satisfy the constraints."""
        a, b = self.halves
        for left, left_sums in a.parts.items():
            for right, right_sums in b.parts.items():
                if self._is_allowed(slot, left, right):
                    yield left_sums, right_sums

    def _is_allowed(self, slot: Slot, left: State, right: State) -> bool:
        family = self.bundle.family
        if family.has_size_bounds:
            sizes = map(sum, zip(slot.sizes, left, right, strict=True))
            return all(lo <= k <= hi for k, (lo, hi) in zip(sizes, family.bounds, strict=True))
        filled = slot.filled
        for role, in_left, in_right in zip((CRAPS, NATURAL, POINT), left, right, strict=True):
            filled |= role * (in_left or in_right)
        return not family.required & ~filled

    def nearest(self, slot: Slot, units: int, side: int) -> int | None:
        """The largest sum up to `units`; for side 1, the smallest from it on."""
        import numpy as np

        best: list[int] = []
        for (a, _), (b, _) in self.pairs(slot):
            partner = np.searchsorted(b, units - a, "right" if side < 0 else "left") - (side < 0)
            # a sum of a may have no partner on this side in b
            ok = (partner >= 0) & (partner < len(b))
            if ok.any():
                sums = a[ok] + b[partner[ok]]
                best.append(int(sums.max() if side < 0 else sums.min()))
        if not best:
            return None
        return max(best) if side < 0 else min(best)

    def count(self, slot: Slot, low: int, high: int) -> int:
        """The number of a cell's assignments from `low` to `high`, inclusive."""
        import numpy as np

        total = 0
        for (a, times), (b, ways) in self.pairs(slot):
            # the assignments below each sum of b, so that an interval is a difference
            before = np.concatenate((np.zeros(1, ways.dtype), np.cumsum(ways)))
            first = np.searchsorted(b, low - a, "left")
            last = np.searchsorted(b, high - a, "right")
            total += int((times * (before[last] - before[first])).sum())
        return total


def sums_of(bundle: Bundle, groups: Sequence[BundleGroup]) -> StateSums:
    """All sums of some groups, in units of 1/modulus.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.bundles import bundles
    >>> bundle = bundles(Family("2d6"))[0]
    >>> len(sums_of(bundle, bundle.groups[:2]))
    18
    """
    import numpy as np

    # no sum exceeds D, and no multiplicity 3^tokens; beyond 62 bits Python's integers are slower
    exact = (bundle.family.denominator + 1) * bundle.modulus < LIMB
    key: Any = np.int64 if exact else object
    kind: Any = np.int64 if 3**bundle.tokens < LIMB else object
    parts: dict[State, tuple[NDArray[Any], NDArray[Any]]] = {
        (0, 0, 0): (np.zeros(1, key), np.ones(1, kind))
    }
    for group in groups:
        longer: dict[State, list[tuple[NDArray[Any], NDArray[Any]]]] = defaultdict(list)
        for state, (sums, ways) in parts.items():
            for then, total, times in group_choices(bundle, group):
                new = _after(bundle, state, then)
                if new is not None:
                    longer[new].append((sums + total, ways * times))
        # merged after each group: equal sums would multiply with every further one
        parts = {state: merged(sums) for state, sums in longer.items()}
        if sum(len(sums) for sums, _ in parts.values()) > MAX_SUMS:
            raise TooManyVariantsError(
                f"{bundle.family} makes more than {MAX_SUMS:,} half-sums; constrain the family"
            )
    return StateSums(parts)


def expected_sums(bundle: Bundle) -> int:
    """An upper bound of a half's sums."""
    return int(prod(_choices(group) for group in bundle.groups) ** 0.5) + 1


def lists_sums(parts: Sequence[Bundle]) -> bool:
    """Whether all sums of a family's bundles are listed, instead of residues."""
    if not parts:
        return False
    family = parts[0].family
    few = family.denominator > LIGHT and max(map(expected_sums, parts)) <= FEW_SUMS
    # without free naturals the whole part of a sum is not free
    stiff = not any(group.free for bundle in parts for group in bundle.groups)
    return family.has_size_bounds or family.denominator > HEAVY or few or stiff


def expected_choices(bundle: Bundle) -> int:
    """The choices of both halves within the set sizes."""
    total = 0
    for side in _sides(bundle):
        states = Counter[State]({(0, 0, 0): 1})
        for group in side:
            longer: Counter[State] = Counter()
            for then, ways in Counter(t for t, *_ in group_choices(bundle, group)).items():
                for state, so_far in states.items():
                    new = _after(bundle, state, then)
                    if new is not None:
                        longer[new] += so_far * ways
            states = longer
        total += states.total()
    return total


def _sides(bundle: Bundle) -> tuple[list[BundleGroup], list[BundleGroup]]:
    """The groups in two halves of similar size."""
    sides: tuple[list[BundleGroup], list[BundleGroup]] = ([], [])
    sizes = [1, 1]
    for group in sorted(bundle.groups, key=lambda group: -_choices(group)):
        side = int(sizes[1] < sizes[0])
        sides[side].append(group)
        sizes[side] *= _choices(group)
    return sides


def _choices(group: BundleGroup) -> int:
    return comb(group.count + group.kind.roles.bit_count() - 1, group.count)


def group_choices(
    bundle: Bundle, group: BundleGroup, kept: int = ANY
) -> Iterator[tuple[State, int, int]]:
    """(craps, naturals, points), the sum, and the number of assignments."""
    kind, roles = group.kind, group.kind.roles & kept
    point = int((kind.point(bundle.out) - group.offset(bundle.out) / group.count) * bundle.modulus)
    natural = int((kind.natural - group.offset(bundle.out) / group.count) * bundle.modulus)
    for points in range(group.count + 1 if roles & POINT else 1):
        rest = group.count - points
        # the rest has nowhere to go: such a token must be a point
        if not roles & (CRAPS | NATURAL) and rest:
            continue
        least = 0 if roles & CRAPS else rest
        for naturals in range(least, rest + 1 if roles & NATURAL else 1):
            state = (
                kind.members * (rest - naturals),
                kind.members * naturals,
                kind.members * points,
            )
            total = points * point + naturals * natural
            yield state, total, comb(group.count, points) * comb(rest, naturals)


def _after(bundle: Bundle, state: State, then: State) -> State | None:
    """The state after more tokens; None if a set is larger than its bound."""
    if not bundle.family.has_size_bounds:
        return tuple(int(a > 0 or b > 0) for a, b in zip(state, then, strict=True))  # type: ignore[return-value]
    sizes = tuple(a + b for a, b in zip(state, then, strict=True))
    if any(k > high for k, (_, high) in zip(sizes, bundle.family.bounds, strict=True)):
        return None
    return sizes  # type: ignore[return-value]


def merged(
    parts: "list[tuple[NDArray[Any], NDArray[Any]]]",
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """The distinct sums, ascending, and their multiplicities."""
    import numpy as np

    sums = np.concatenate([sums for sums, _ in parts])
    ways = np.concatenate([ways for _, ways in parts])
    order = np.argsort(sums, kind="stable")
    sums, ways = sums[order], ways[order]
    starts = np.flatnonzero(np.concatenate(([True], sums[1:] != sums[:-1])))
    return sums[starts], np.add.reduceat(ways, starts)


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
class PolynomialHalves:
    """A bundle as two halves of rows.

    Attributes:
        bundle: whose assignments are counted.

    Raises:
        TooManyVariantsError: rows that exceed memory, or counts that exceed 63 bits.
    """

    bundle: Bundle

    @cached_property
    def sides(self) -> tuple[tuple[BundleGroup, ...], tuple[BundleGroup, ...]]:
        """The groups of each half: light totals apart from heavy ones."""
        bundle = self.bundle
        # the coefficients are 64-bit integers: with Python's the rows would not fit the memory
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
        # inclusion and exclusion over the sets that may not be empty
        totals = [0] * len(thresholds)
        for sign, kept in signed(ANY):
            todo = [
                i
                for i, (slot, _) in enumerate(thresholds)
                if kept | self.bundle.family.required & ~slot.filled == ANY
            ]
            chosen = [thresholds[i][1] for i in todo]
            for i, count in zip(todo, self._count(kept, chosen), strict=True):
                totals[i] += sign * count
        return totals

    def _count(self, kept: int, thresholds: Sequence[int]) -> list[int]:
        """The same with only the sets `kept`, possibly empty."""
        if not thresholds:
            return []
        # with a set missing there are few sums, and no free naturals for polynomials
        if kept == ANY:
            a, b = (rows_of(self.bundle, side) for side in self.sides)
            tables = RunningSums(a, b, self.bundle.modulus)
            return [tables.at_most(units) for units in thresholds]
        one, other = (plain_sums(self.bundle, side, kept) for side in self.sides)
        return [_pairs_at_most(one, other, units) for units in thresholds]


class RunningSums:
    """One half's rows with the other's running sums.

    Attributes:
        a: the half with fewer coefficients, read row by row.
        b: the other half.
        modulus: the residues' denominator.
        running: running[j, t] pairs the first j rows of b: the number of their assignments with
            the whole part t.
        whole: the number of b's assignments with a whole part of at most t, whatever the residue.
    """

    def __init__(self, a: ResidueRows, b: ResidueRows, modulus: int) -> None:
        import numpy as np

        # read the smaller table, and sum up the larger
        if a.ways.size > b.ways.size:
            a, b = b, a
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
            part = t - above  # the whole part left for both polynomials
            low, top = max(0, part - width + 1), min(part, a.ways.shape[1] - 1)
            total += self._below(rows, part - 1)
            for start in range(rows.start, rows.stop, BLOCK) if low <= top else ():
                block = slice(start, min(start + BLOCK, rows.stop))
                window = self.running[last[block], part - top : part - low + 1][:, ::-1]
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
    >>> from sevenout.variants.bundles import bundles
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
        sums = [residues + x * step % bundle.modulus for x in range(group.choices)]
        wholes = [
            whole + x * step // bundle.modulus + (s >= bundle.modulus)
            for x, s in zip(range(group.choices), sums, strict=True)
        ]
        residues = np.concatenate(sums) % bundle.modulus
        whole = np.concatenate(wholes).astype(np.int64)
        ways = _multiplied(ways, group)
        period = lcm(period, group.step.denominator)
        # residues coincide only if there are more of them than their period has
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
    product = np.zeros((group.choices, rows, width + spread), np.int64)
    # the rows times (1 + z^free)^stay; each token less that is moved is one more that stays
    power = product[group.max_moved]
    power[:, :width] = ways
    for _ in range(group.count - group.max_moved):
        power[:, group.free :] += power[:, : width + spread - group.free].copy()
    for x in range(group.max_moved - 1, -1, -1):
        product[x] = product[x + 1]
        if group.free:
            product[x][:, group.free :] += product[x + 1][:, : width + spread - group.free]
    for x in range(1, group.max_moved):
        product[x] *= comb(group.count, x)
    return product.reshape(-1, width + spread)


def _in_order(residues: "Ints", whole: "Ints", ways: "Ints") -> "tuple[Ints, Ints]":
    """Rows sorted by residue, with whole parts applied."""
    import numpy as np

    order = np.argsort(residues, kind="stable")
    residues, whole = residues[order], whole[order]
    width = ways.shape[1]
    shifted = np.zeros((len(order), width + int(whole.max())), np.int64)
    # a slice for each whole part; there are few
    for part in np.unique(whole).tolist():
        rows = np.flatnonzero(whole == part)
        shifted[rows, part : part + width] = ways[order[rows]]
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
    # in two parts: the sum of a million of them would overflow
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
    rows = min(period, prod(group.choices for group in groups))
    return int(rows * (1 + sum(group.count * group.kind.natural for group in groups)))
