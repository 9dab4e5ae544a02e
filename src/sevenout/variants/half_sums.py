"""All sums of half the tokens: listed, or counted with polynomials.

`SumHalves` lists them. With few and large weights, naturals of a given total weight may not exist,
so the whole part of a sum is not free, and residues (`residues`) prove nothing. The same holds if
set sizes are bounded. Each half keeps all its sums, with the filled sets or their sizes; equal sums
are merged with their multiplicity. Meeting in the middle is due to Horowitz and Sahni (1974).

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

from sevenout.extras import require
from sevenout.variants.bundles import Bundle, CellGroup, Direction, TokenGroup
from sevenout.variants.family import (
    ANY,
    CRAPS,
    NATURAL,
    POINT,
    ROLES,
    SAFE_INT64,
    TooManyVariantsError,
    inclusion_exclusion,
)
from sevenout.variants.residues import clusters

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

MAX_COUNTS = 1 << 26
"""The most coefficients in the rows of both halves: 512 MB."""

# rows multiplied at a time: their windows stay in the cache
ROWS_PER_PRODUCT = 2048

SetSizes = tuple[int, int, int]
"""The numbers of craps, naturals and points; 0 and 1 if only emptiness matters."""


@dataclass(frozen=True)
class SumsBySizes:
    """The sums of some tokens, by the sizes of the sets that they fill.

    Attributes:
        by_sizes: sizes -> (distinct sums in ascending order, number of assignments for each).
    """

    by_sizes: "dict[SetSizes, tuple[NDArray[Any], NDArray[Any]]]"

    def __len__(self) -> int:
        return sum(len(sums) for sums, _ in self.by_sizes.values())


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
        require("numpy")

    @cached_property
    def halves(self) -> tuple[SumsBySizes, SumsBySizes]:
        """The two halves."""
        first, second = _half_groups(self.bundle)
        return sums_of(self.bundle, first), sums_of(self.bundle, second)

    def pairs(self, cells: CellGroup) -> "Iterator[tuple[tuple[NDArray[Any], NDArray[Any]], ...]]":
        """The pairs of both halves' sums that satisfy the constraints together."""
        first, second = self.halves
        for first_sizes, first_sums in first.by_sizes.items():
            for second_sizes, second_sums in second.by_sizes.items():
                if self._is_allowed(cells, first_sizes, second_sizes):
                    yield first_sums, second_sums

    def _is_allowed(self, cells: CellGroup, first: SetSizes, second: SetSizes) -> bool:
        """Whether the sets have allowed sizes, or none that is required stays empty."""
        family = self.bundle.family
        if family.has_size_bounds:
            sizes = map(sum, zip(cells.sizes, first, second, strict=True))
            bounds = zip(sizes, family.size_bounds, strict=True)
            return all(low <= size <= high for size, (low, high) in bounds)
        filled = cells.filled
        for role, in_first, in_second in zip(ROLES, first, second, strict=True):
            filled |= role * (in_first or in_second)
        return not family.required & ~filled

    def nearest(self, cells: CellGroup, units: int, direction: Direction) -> int | None:
        """The largest sum up to `units`, or the smallest from it on; None for none."""
        import numpy as np

        nearest: list[int] = []
        for (first, _), (second, _) in self.pairs(cells):
            if direction < 0:
                partner = np.searchsorted(second, units - first, "right") - 1
            else:
                partner = np.searchsorted(second, units - first, "left")
            # a sum may have no partner in this direction
            has_partner = (partner >= 0) & (partner < len(second))
            if has_partner.any():
                sums = first[has_partner] + second[partner[has_partner]]
                nearest.append(int(sums.max() if direction < 0 else sums.min()))
        if not nearest:
            return None
        return max(nearest) if direction < 0 else min(nearest)

    def count(self, cells: CellGroup, low: int, high: int) -> int:
        """The number of a member's assignments with sums from `low` to `high`, inclusive."""
        import numpy as np

        total = 0
        for (first, first_counts), (second, counts) in self.pairs(cells):
            before = _counts_before(counts)
            begin = np.searchsorted(second, low - first, "left")
            end = np.searchsorted(second, high - first, "right")
            total += int((first_counts * (before[end] - before[begin])).sum())
        return total


def sums_of(bundle: Bundle, groups: Sequence[TokenGroup]) -> SumsBySizes:
    """All sums of some groups, in units of 1/modulus.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.bundles import bundles_of
    >>> bundle = bundles_of(Family("2d6"))[0]
    >>> len(sums_of(bundle, bundle.groups[:2]))
    18
    """
    import numpy as np

    # no multiplicity exceeds 3^tokens
    count_dtype: Any = np.int64 if 3**bundle.n_tokens < SAFE_INT64 else object
    by_sizes: dict[SetSizes, tuple[NDArray[Any], NDArray[Any]]] = {
        (0, 0, 0): (np.zeros(1, _sum_dtype(bundle)), np.ones(1, count_dtype))
    }
    for group in groups:
        extended: dict[SetSizes, list[tuple[NDArray[Any], NDArray[Any]]]] = defaultdict(list)
        for sizes, (sums, counts) in by_sizes.items():
            for added, total, ways in group_choices(bundle, group):
                new_sizes = _sizes_after(bundle, sizes, added)
                if new_sizes is not None:
                    extended[new_sizes].append((sums + total, counts * ways))
        # merged after each group: equal sums would multiply with every further one
        by_sizes = {sizes: merge_equal(columns) for sizes, columns in extended.items()}
        if sum(len(sums) for sums, _ in by_sizes.values()) > MAX_SUMS:
            raise TooManyVariantsError(
                f"{bundle.family} makes more than {MAX_SUMS:,} half-sums; constrain the family"
            )
    return SumsBySizes(by_sizes)


def _sum_dtype(bundle: Bundle) -> Any:
    """The type of sums: 64-bit integers if all fit, else Python's, which are slower."""
    import numpy as np

    # no sum exceeds D
    return np.int64 if (bundle.family.denominator + 1) * bundle.modulus < SAFE_INT64 else object


def _counts_before(counts: "NDArray[Any]") -> "NDArray[Any]":
    """The assignments before each sum, and all of them: those of a range are a difference."""
    import numpy as np

    return np.concatenate((np.zeros(1, counts.dtype), np.cumsum(counts)))


def expected_sums(bundle: Bundle) -> int:
    """An upper bound of a half's sums."""
    return int(prod(_size_choices(group) for group in bundle.groups) ** 0.5) + 1


def lists_sums(bundles: Sequence[Bundle]) -> bool:
    """Whether all sums of a family's bundles are listed, instead of residues."""
    if not bundles:
        return False
    family = bundles[0].family
    has_few_sums = family.denominator > LIGHT and max(map(expected_sums, bundles)) <= FEW_SUMS
    # without them the whole part of a sum is not free
    has_free_naturals = any(group.free_weight for bundle in bundles for group in bundle.groups)
    is_heavy = family.denominator > HEAVY
    return family.has_size_bounds or is_heavy or has_few_sums or not has_free_naturals


def expected_choices(bundle: Bundle) -> int:
    """The choices of both halves within the set sizes."""
    total = 0
    for groups in _half_groups(bundle):
        choices = Counter[SetSizes]({(0, 0, 0): 1})
        for group in groups:
            extended: Counter[SetSizes] = Counter()
            for added, n in Counter(sizes for sizes, *_ in group_choices(bundle, group)).items():
                for sizes, so_far in choices.items():
                    new_sizes = _sizes_after(bundle, sizes, added)
                    if new_sizes is not None:
                        extended[new_sizes] += so_far * n
            choices = extended
        total += choices.total()
    return total


def _half_groups(bundle: Bundle) -> tuple[list[TokenGroup], list[TokenGroup]]:
    """The groups in two halves of similar size."""
    halves: tuple[list[TokenGroup], list[TokenGroup]] = ([], [])
    sizes = [1, 1]
    # the largest first, each to the smaller half: the halves differ little in the end
    for group in sorted(bundle.groups, key=lambda group: -_size_choices(group)):
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append(group)
        sizes[smaller] *= _size_choices(group)
    return halves


def _size_choices(group: TokenGroup) -> int:
    """The number of choices of how many of a group's tokens go into each set."""
    return comb(group.count + group.kind.roles.bit_count() - 1, group.count)


def group_choices(
    bundle: Bundle, group: TokenGroup, allowed: int = ANY
) -> Iterator[tuple[SetSizes, int, int]]:
    """The choices of how many of a group's tokens go into each set.

    Args:
        bundle: the bundle, whose units the sums have.
        group: one of its groups.
        allowed: the sets that tokens may go into, as bits.

    Yields:
        the sizes of the sets, the sum, and the number of assignments.
    """
    kind, roles = group.kind, group.kind.roles & allowed
    offset = group.offset(bundle.out) / group.count
    as_point = int((kind.as_point(bundle.out) - offset) * bundle.modulus)
    as_natural = int((kind.as_natural - offset) * bundle.modulus)
    for points in range(group.count + 1 if roles & POINT else 1):
        others = group.count - points
        # these tokens have no other set than the points
        if not roles & (CRAPS | NATURAL) and others:
            continue
        min_naturals = 0 if roles & CRAPS else others
        for naturals in range(min_naturals, others + 1 if roles & NATURAL else 1):
            craps = others - naturals
            sizes = (kind.members * craps, kind.members * naturals, kind.members * points)
            total = points * as_point + naturals * as_natural
            yield sizes, total, comb(group.count, points) * comb(others, naturals)


def _sizes_after(bundle: Bundle, sizes: SetSizes, added: SetSizes) -> SetSizes | None:
    """The sizes after more tokens; None if a set is larger than its bound."""
    if not bundle.family.has_size_bounds:
        return tuple(int(a > 0 or b > 0) for a, b in zip(sizes, added, strict=True))  # type: ignore[return-value]
    new_sizes = tuple(a + b for a, b in zip(sizes, added, strict=True))
    if any(k > high for k, (_, high) in zip(new_sizes, bundle.family.size_bounds, strict=True)):
        return None
    return new_sizes  # type: ignore[return-value]


def merge_equal(
    columns: "list[tuple[NDArray[Any], NDArray[Any]]]",
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """The distinct sums of several columns, ascending, and the number of assignments for each."""
    import numpy as np

    sums = np.concatenate([sums for sums, _ in columns])
    counts = np.concatenate([counts for _, counts in columns])
    order = np.argsort(sums, kind="stable")
    sums, counts = sums[order], counts[order]
    starts = np.flatnonzero(np.concatenate(([True], sums[1:] != sums[:-1])))
    return sums[starts], np.add.reduceat(counts, starts)


@dataclass(frozen=True)
class ResidueRows:
    """A half's ascending residues and their polynomials.

    Attributes:
        residues: in units of 1/modulus of the bundle.
        counts: counts[i, t] assignments have the sum t + residues[i]/modulus.
    """

    residues: "Ints"
    counts: "Ints"


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
    def half_groups(self) -> tuple[tuple[TokenGroup, ...], tuple[TokenGroup, ...]]:
        """The groups of each half: light totals apart from heavy ones."""
        bundle = self.bundle
        # the coefficients are 64-bit integers: with Python's the rows would not fit the memory
        if 3**bundle.n_tokens >= 1 << 63:
            raise TooManyVariantsError(
                f"{bundle.family} has 3^{bundle.n_tokens} assignments for one out; counting has "
                "room for 63 bits: constrain the family"
            )
        first, second = min(_splits(bundle), key=lambda split: sum(map(_max_counts, split)))
        cells = _max_counts(first) + _max_counts(second)
        if cells > MAX_COUNTS:
            raise TooManyVariantsError(
                f"{bundle.family} needs a table of {cells:,} counts; there is room for "
                f"{MAX_COUNTS:,}: constrain the family"
            )
        return first, second

    def at_most(self, thresholds: Sequence[tuple[CellGroup, int]]) -> list[int]:
        """For each (cell group, units), the assignments of a member with at most that sum."""
        # inclusion and exclusion over the sets that may not be empty
        totals = [0] * len(thresholds)
        for sign, allowed in inclusion_exclusion(ANY):
            indices = [
                i
                for i, (cells, _) in enumerate(thresholds)
                if allowed | self.bundle.family.required & ~cells.filled == ANY
            ]
            units = [thresholds[i][1] for i in indices]
            for i, count in zip(indices, self._count_within(allowed, units), strict=True):
                totals[i] += sign * count
        return totals

    def _count_within(self, allowed: int, thresholds: Sequence[int]) -> list[int]:
        """The same if tokens go into the `allowed` sets only, any of which may stay empty."""
        if not thresholds:
            return []
        # with a set missing there are few sums, and no free naturals for polynomials
        if allowed == ANY:
            first, second = (rows_of(self.bundle, groups) for groups in self.half_groups)
            running_sums = RunningSums(first, second, self.bundle.modulus)
            return [running_sums.at_most(units) for units in thresholds]
        sums = [sums_within(self.bundle, groups, allowed) for groups in self.half_groups]
        return [_pairs_at_most(sums[0], sums[1], units) for units in thresholds]


class RunningSums:
    """One half's rows with the other's running sums.

    Attributes:
        smaller: the half with fewer coefficients, read row by row.
        larger: the other half, summed up.
        modulus: the residues' denominator.
        running: running[j, t] assignments of the larger half's first j rows have the whole part t.
        up_to_whole: the number of the larger half's assignments with a whole part of at most t,
            whatever the residue.
    """

    def __init__(self, first: ResidueRows, second: ResidueRows, modulus: int) -> None:
        import numpy as np

        self.smaller, self.larger = sorted((first, second), key=lambda rows: rows.counts.size)
        self.modulus = modulus
        counts = self.larger.counts
        self.running = np.zeros((len(counts) + 1, counts.shape[1]), np.int64)
        np.cumsum(counts, axis=0, out=self.running[1:])
        self.up_to_whole = np.cumsum(self.running[-1])

    def at_most(self, units: int) -> int:
        """The number of pairs with at most this sum."""
        import numpy as np

        if units < 0:
            return 0
        t, rho = divmod(units, self.modulus)
        counts, width = self.smaller.counts, self.running.shape[1]
        # residues above rho become negative, with 1 more in the whole part, to leave two cases
        within = int(np.searchsorted(self.smaller.residues, rho, "right"))
        residues = self.smaller.residues.copy()
        residues[within:] -= self.modulus
        ends = np.searchsorted(self.larger.residues, rho - residues, "right")
        total = 0
        # the rows of each case, and the whole part that is left for both polynomials
        for case, whole in ((slice(0, within), t), (slice(within, len(residues)), t - 1)):
            total += self._pairs_up_to(case, whole - 1)
            low, high = max(0, whole - width + 1), min(whole, counts.shape[1] - 1)
            if low > high:
                continue
            for start in range(case.start, case.stop, ROWS_PER_PRODUCT):
                rows = slice(start, min(start + ROWS_PER_PRODUCT, case.stop))
                window = self.running[ends[rows], whole - high : whole - low + 1][:, ::-1]
                total += _exact_sum(np.einsum("ij,ij->i", counts[rows, low : high + 1], window))
        return total

    def _pairs_up_to(self, rows: slice, t: int) -> int:
        """The number of pairs with whole parts that add up to at most t."""
        if t < 0:
            return 0
        column = self.smaller.counts[rows].sum(axis=0).tolist()
        up_to_whole = self.up_to_whole.tolist()
        last = len(up_to_whole) - 1
        return sum(n * up_to_whole[min(t - i, last)] for i, n in enumerate(column[: t + 1]))


def rows_of(bundle: Bundle, groups: Sequence[TokenGroup]) -> ResidueRows:
    """The rows of some groups.

    Polynomials are multiplied without whole parts, which are applied when rows are merged. Merging
    pays only while residues coincide, when the common denominator is below the number of rows.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.bundles import bundles_of
    >>> bundle = bundles_of(Family("2d6"))[0]
    >>> rows_of(bundle, bundle.groups[:1]).counts.tolist()
    [[1, 1], [1, 0]]
    """
    import numpy as np

    dtype: type = np.int64 if bundle.modulus < SAFE_INT64 else object
    residues: Ints = np.zeros(1, dtype)
    whole = np.zeros(1, np.int64)
    counts, period = np.ones((1, 1), np.int64), 1
    for group in groups:
        step = int(group.step * bundle.modulus)
        sums = [residues + x * step % bundle.modulus for x in range(group.n_choices)]
        wholes = [
            whole + x * step // bundle.modulus + (s >= bundle.modulus)
            for x, s in zip(range(group.n_choices), sums, strict=True)
        ]
        residues = np.concatenate(sums) % bundle.modulus
        whole = np.concatenate(wholes).astype(np.int64)
        counts = _multiply(counts, group)
        period = lcm(period, group.step.denominator)
        # residues coincide only if there are more of them than their period has
        if period < len(residues):
            residues, counts = _sorted_rows(residues, whole, counts)
            starts = np.flatnonzero(np.concatenate(([True], residues[1:] != residues[:-1])))
            residues, counts = residues[starts], np.add.reduceat(counts, starts, axis=0)
            whole = np.zeros(len(residues), np.int64)
    if whole.any() or (residues[1:] < residues[:-1]).any():
        residues, counts = _sorted_rows(residues, whole, counts)
    return ResidueRows(residues, counts)


def _multiply(counts: "Ints", group: TokenGroup) -> "Ints":
    """The rows times a group's polynomials, one for each number of moved tokens."""
    import numpy as np

    rows, width = counts.shape
    spread = group.free_weight * group.count
    product = np.zeros((group.n_choices, rows, width + spread), np.int64)
    # the rows times (1 + z^weight)^unmoved; each token less that is moved is one factor more
    power = product[group.max_moved]
    power[:, :width] = counts
    for _ in range(group.count - group.max_moved):
        power[:, group.free_weight :] += power[:, : width + spread - group.free_weight].copy()
    for x in range(group.max_moved - 1, -1, -1):
        product[x] = product[x + 1]
        if group.free_weight:
            product[x][:, group.free_weight :] += product[x + 1][
                :, : width + spread - group.free_weight
            ]
    for x in range(1, group.max_moved):
        product[x] *= comb(group.count, x)
    return product.reshape(-1, width + spread)


def _sorted_rows(residues: "Ints", whole: "Ints", counts: "Ints") -> "tuple[Ints, Ints]":
    """Rows sorted by residue, with whole parts applied."""
    import numpy as np

    order = np.argsort(residues, kind="stable")
    residues, whole = residues[order], whole[order]
    width = counts.shape[1]
    shifted = np.zeros((len(order), width + int(whole.max())), np.int64)
    # a slice for each whole part; there are few
    for part in np.unique(whole).tolist():
        rows = np.flatnonzero(whole == part)
        shifted[rows, part : part + width] = counts[order[rows]]
    return residues, shifted


def sums_within(bundle: Bundle, groups: Sequence[TokenGroup], allowed: int) -> "tuple[Ints, Ints]":
    """The ascending sums if tokens go into the `allowed` sets only, and their multiplicities."""
    import numpy as np

    sums: Ints = np.zeros(1, _sum_dtype(bundle))
    counts = np.ones(1, np.int64)
    for group in groups:
        choices = group_choices(bundle, group, allowed)
        columns = [(sums + total, counts * ways) for _, total, ways in choices]
        sums, counts = merge_equal(columns) if columns else (sums[:0], counts[:0])
    return sums, counts


def _pairs_at_most(first: "tuple[Ints, Ints]", second: "tuple[Ints, Ints]", units: int) -> int:
    """The number of pairs of assignments with at most this sum."""
    import numpy as np

    (first_sums, first_counts), (second_sums, second_counts) = first, second
    end = np.searchsorted(second_sums, units - first_sums, "right")
    return _exact_sum(first_counts * _counts_before(second_counts)[end])


def _exact_sum(values: "Ints") -> int:
    """The sum of non-negative 63-bit integers, as a Python int."""
    # in two parts: the sum of a million of them would overflow
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def _splits(bundle: Bundle) -> Iterator[tuple[tuple[TokenGroup, ...], tuple[TokenGroup, ...]]]:
    """Splits into a cluster with light or heavy groups, and the rest."""
    for cluster, _ in clusters(bundle):
        clustered = tuple(bundle.groups[i] for i in cluster)
        others = tuple(g for i, g in enumerate(bundle.groups) if i not in cluster)
        # groups are sorted by weight, so a prefix is the light ones
        for k in range(len(others) + 1):
            yield clustered + others[:k], others[k:]
            yield clustered + others[k:], others[:k]


def _max_counts(groups: Sequence[TokenGroup]) -> int:
    """An upper bound of the counts in the rows of some groups."""
    period = lcm(1, *(group.step.denominator for group in groups))
    rows = min(period, prod(group.n_choices for group in groups))
    return int(rows * (1 + sum(group.count * group.kind.as_natural for group in groups)))
