"""The points' contributions modulo one, as sums of two sorted halves.

Naturals of any total weight can be found, so the whole part of a variant's sum is nearly free. The
search is for fractional parts: sums Σ moved_i · step_i modulo one, kept as integers modulo S. If
the common denominator of the steps fits 62 bits, it is S, and the arithmetic is exact. Otherwise S
is as large as fits, steps are rounded, and `Halves.slack` bounds the error of a sum. All sums
within the slack of a value are then decided in exact integers.

Sums of steps whose denominators have only small primes often coincide: 3^15 choices may have 75,600
different sums. They form a *cluster*, whose residues are kept modulo their own denominator Q, which
divides S, so they are always exact. Meeting in the middle is due to Horowitz and Sahni (1974).

The browser's edition has no NumPy, and its page of variants searches families of two or three dice,
whose halves have some dozens of keys: `ListHalf` and `ListHalves` do that in lists. For larger
families they are too slow (2d16 takes 11 times as long as in arrays), and ask for NumPy.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod
from typing import TYPE_CHECKING, Any

from sevenout.extras import is_installed, require
from sevenout.variants.bundles import Bundle
from sevenout.variants.family import SAFE_INT64, TooManyVariantsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Keys = NDArray[np.int64]


# an array of flags for each prefix of the cluster: 1 MB each
MAX_CLUSTER = 1 << 20
# two arrays of 256 MB a half, with their sorted copies
MAX_KEYS = 1 << 25
# with 17 and 19 the halves of 2d12, 3d10 and 2d20 are no smaller
PRIMES = (2, 3, 5, 7, 11, 13)

Moves = tuple[int, ...]
"""How many tokens of each group are moved."""


@dataclass(frozen=True)
class Half:
    """The sums modulo one of some groups of tokens.

    A key is a sum in units of 1/S. The columns of `keys` are the residues of the cluster, and its
    rows the choices of the other groups, those of the last group slowest.

    Attributes:
        bundle: whose groups are summed.
        scale: S.
        cluster: the indices of the groups in the cluster.
        others: the indices of the other groups.
    """

    bundle: Bundle
    scale: int
    cluster: tuple[int, ...]
    others: tuple[int, ...]

    @cached_property
    def period(self) -> int:
        """Q, the common denominator of the cluster's steps."""
        return lcm(1, *(self.bundle.groups[i].step.denominator for i in self.cluster))

    @cached_property
    def reachable(self) -> "list[NDArray[np.bool_]]":
        """For each prefix of the cluster, the residues modulo Q that it reaches."""
        import numpy as np

        empty = np.zeros(self.period, bool)
        empty[0] = True
        prefixes = [empty]
        for i in self.cluster:
            step = int(self.bundle.groups[i].step * self.period) % self.period
            longer = prefixes[-1].copy()
            for x in range(1, self.bundle.groups[i].n_choices):
                longer |= np.roll(prefixes[-1], x * step % self.period)
            prefixes.append(longer)
        return prefixes

    @cached_property
    def residues(self) -> "Keys":
        """The residues modulo Q that the cluster reaches."""
        import numpy as np

        return np.flatnonzero(self.reachable[-1])

    @cached_property
    def keys(self) -> "Keys":
        """The sums modulo S: rows by choice of the others, columns by residue."""
        import numpy as np

        keys: NDArray[np.uint64] = (self.residues * (self.scale // self.period)).astype(np.uint64)
        for i in self.others:
            step = scaled_step(self.bundle, i, self.scale)
            n_choices = self.bundle.groups[i].n_choices
            extended = np.empty((n_choices, len(keys)), np.uint64)
            extended[0] = keys
            for x in range(1, n_choices):
                np.add(keys, np.uint64(x * step % self.scale), out=extended[x])
                # below S, subtracting S wraps around to a huge number, which the minimum drops
                np.minimum(extended[x], extended[x] - np.uint64(self.scale), out=extended[x])
            keys = extended.reshape(-1)
        return keys.view(np.int64)

    @cached_property
    def sorted_keys(self) -> "Keys":
        """The distinct keys, ascending."""
        import numpy as np

        keys = np.sort(self.keys)
        return keys[np.concatenate(([True], keys[1:] != keys[:-1]))]

    def indices_of(self, key: int) -> list[int]:
        """The indices in `keys` of a key."""
        import numpy as np

        indices: list[int] = np.flatnonzero(self.keys == key).tolist()
        return indices

    def choices_with_key(self, key: int) -> Iterator[dict[int, int]]:
        """The moved tokens by group, for every choice with a key."""
        for index in self.indices_of(key):
            row, column = divmod(index, len(self.residues))
            moved: dict[int, int] = {}
            for i in self.others:
                row, moved[i] = divmod(row, self.bundle.groups[i].n_choices)
            for in_cluster in self._cluster_choices(len(self.cluster), int(self.residues[column])):
                yield moved | in_cluster

    def _cluster_choices(self, n: int, residue: int) -> Iterator[dict[int, int]]:
        """The moved tokens of the cluster's first n groups, for every choice with a residue."""
        if n == 0:
            yield {}
            return
        i = self.cluster[n - 1]
        step = int(self.bundle.groups[i].step * self.period)
        for x in range(self.bundle.groups[i].n_choices):
            earlier = (residue - x * step) % self.period
            # only residues that the earlier groups reach have choices: no branch is entered in vain
            if self.reachable[n - 1][earlier]:
                for moved in self._cluster_choices(n - 1, earlier):
                    yield moved | {i: x}


@dataclass(frozen=True)
class Halves:
    """A bundle's sums modulo one, in two halves.

    Attributes:
        bundle: whose sums they are.
        scale: S.
        slack: error bound of a key against S times the exact sum modulo one; 0 if keys are exact.
        cluster_half: the half with the cluster, whose keys are tried one by one.
        other_half: the other, in whose sorted keys their partners are sought.
        size: an upper bound of their keys together.
    """

    bundle: Bundle
    scale: int
    slack: int
    cluster_half: Half
    other_half: Half
    size: int

    def windows(self, low: int, high: int) -> "tuple[Keys, Keys, Keys]":
        """The pairs of keys that may give a sum from `low` to `high`, modulo one.

        Args:
            low: the least sum, in units of 1/modulus above a base.
            high: the greatest.

        Returns:
            keys of the cluster's half, and for each the first and (excluded) last index of its
                partners in the other half's sorted keys; larger indices wrap around.
        """
        import numpy as np

        scale, modulus = self.scale, self.bundle.modulus
        keys, partners = self.cluster_half.sorted_keys, self.other_half.sorted_keys
        slack, width = self._slack_and_width(low, high)
        if width >= scale:
            return keys, np.zeros(len(keys), np.int64), np.full(len(keys), len(partners))
        start = (low % modulus * scale // modulus - keys - slack) % scale
        first = np.searchsorted(partners, start, "left")
        # for most keys the next partner, around the end, is beyond a narrow window
        has_partner = (partners[first % len(partners)] - start) % scale <= width
        keys, start, first = keys[has_partner], start[has_partner], first[has_partner]
        stop = start + width
        last = np.searchsorted(partners, np.minimum(stop, scale - 1), "right")
        # a window over the end goes on at the beginning, with indices beyond the last
        wraps = stop >= scale
        last[wraps] = len(partners) + np.searchsorted(partners, stop[wraps] - scale, "right")
        return keys, first, last

    def _slack_and_width(self, low: int, high: int) -> tuple[int, int]:
        """The slack of a pair, and the width of the window."""
        # two rounded keys, and the rounding of the window's ends
        slack = self.slack + 1 if self.slack else 0
        return slack, -(-(high - low) * self.scale // self.bundle.modulus) + 2 * slack

    def window_width(self, expected_pairs: int) -> int:
        """The number of sums, in units of 1/modulus, that hold this many pairs on average."""
        pairs = len(self.cluster_half.sorted_keys) * len(self.other_half.sorted_keys)
        return max(1, expected_pairs * self.bundle.modulus // pairs)

    def pairs(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The pairs of keys that `windows` finds."""
        partners = self.other_half.sorted_keys
        for key, first, last in zip(*self.windows(low, high), strict=True):
            for j in range(int(first), int(last)):
                yield int(key), int(partners[j % len(partners)])

    def moves(self, pairs: Iterable[tuple[int, int]]) -> Iterator[Moves]:
        """The moves of every choice with one of these pairs of keys."""
        groups = range(len(self.bundle.groups))
        for key, partner in pairs:
            others = list(self.other_half.choices_with_key(partner))
            for in_cluster_half in self.cluster_half.choices_with_key(key):
                for other in others:
                    moved = in_cluster_half | other
                    yield tuple(moved[i] for i in groups)


def halve(bundle: Bundle) -> Halves:
    """Two halves of a bundle, of about equal size.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.bundles import bundles_of
    >>> halves = halve(bundles_of(Family("2d20"))[9])
    >>> halves.slack, len(halves.cluster_half.keys), len(halves.other_half.keys)
    (0, 2268, 2187)

    Raises:
        TooManyVariantsError: a half would have more than 2^25 keys.
    """
    # the cluster with the most choices per sum leaves the fewest keys
    cluster, period = max(
        clusters(bundle), key=lambda c: prod(bundle.groups[i].n_choices for i in c[0]) / c[1]
    )
    exact = bundle.modulus < SAFE_INT64
    # a multiple of Q, so that the cluster's residues are exact in units of 1/S too
    scale = bundle.modulus if exact else SAFE_INT64 // period * period
    others = [i for i in range(len(bundle.groups)) if i not in cluster]
    # each moved token is rounded by at most half a unit
    slack = 0 if exact else (sum(bundle.groups[i].max_moved for i in others) + 1) // 2 + 1
    indices: tuple[list[int], list[int]] = ([], [])
    cluster_choices = prod(bundle.groups[i].n_choices for i in cluster)
    sizes = [min(period, cluster_choices), 1]
    # the largest first, each to the smaller half: the halves differ little in the end
    for i in sorted(others, key=lambda i: -bundle.groups[i].max_moved):
        smaller = int(sizes[1] < sizes[0])
        indices[smaller].append(i)
        sizes[smaller] *= bundle.groups[i].n_choices
    if max(sizes) > MAX_KEYS:
        raise TooManyVariantsError(
            f"{bundle.family} has {max(sizes):,} half-sums; the search has room for {MAX_KEYS:,}: "
            "constrain the family"
        )
    half, halves = (Half, Halves) if is_installed("numpy") else (ListHalf, ListHalves)
    cluster_half = half(bundle, scale, cluster, tuple(indices[0]))
    other_half = half(bundle, scale, (), tuple(indices[1]))
    return halves(bundle, scale, slack, cluster_half, other_half, sum(sizes))


def clusters(bundle: Bundle) -> Iterator[tuple[tuple[int, ...], int]]:
    """Groups whose denominators have only small primes, and their common denominator."""
    # none: the first choice where no two steps share a denominator
    yield (), 1
    for k in range(len(PRIMES)):
        smooth = [
            i
            for i, group in enumerate(bundle.groups)
            if _is_smooth(group.step.denominator, PRIMES[: k + 1])
        ]
        period = lcm(1, *(bundle.groups[i].step.denominator for i in smooth))
        if period <= MAX_CLUSTER:
            yield tuple(smooth), period


def _is_smooth(n: int, primes: Sequence[int]) -> bool:
    """Whether a number has no prime factors but these."""
    for p in primes:
        while n % p == 0:
            n //= p
    return n == 1


def scaled_step(bundle: Bundle, i: int, scale: int) -> int:
    """A step modulo one, rounded to units of 1/S."""
    step = bundle.groups[i].step % 1
    # rounded half up, in integers: floats have too few digits for S
    return (2 * step.numerator * scale + step.denominator) // (2 * step.denominator) % scale


# 2d16 has fewer, and takes 0.3 s of CPU
MAX_LIST_KEYS = 1 << 17


@dataclass(frozen=True)
class ListHalf(Half):
    """A half in lists."""

    @cached_property
    def reachable(self) -> Any:
        prefixes = [bytearray([1]) + bytearray(self.period - 1)]
        for i in self.cluster:
            group = self.bundle.groups[i]
            step = int(group.step * self.period)
            longer = bytearray(self.period)
            for residue in range(self.period):
                if prefixes[-1][residue]:
                    for x in range(group.n_choices):
                        longer[(residue + x * step) % self.period] = 1
            prefixes.append(longer)
        return prefixes

    @cached_property
    def residues(self) -> Any:
        return [residue for residue, is_reached in enumerate(self.reachable[-1]) if is_reached]

    @cached_property
    def keys(self) -> Any:
        keys = [residue * (self.scale // self.period) for residue in self.residues]
        for i in self.others:
            step = scaled_step(self.bundle, i, self.scale)
            moves = [x * step % self.scale for x in range(self.bundle.groups[i].n_choices)]
            keys = [(key + move) % self.scale for move in moves for key in keys]
        return keys

    @cached_property
    def sorted_keys(self) -> Any:
        return sorted(set(self.keys))

    def indices_of(self, key: int) -> list[int]:
        return [index for index, other in enumerate(self.keys) if other == key]


@dataclass(frozen=True)
class ListHalves(Halves):
    """Two halves in lists.

    Raises:
        MissingError: they are too large for lists, and NumPy is not installed.
    """

    def __post_init__(self) -> None:
        if self.size > MAX_LIST_KEYS:
            require("numpy")

    def windows(self, low: int, high: int) -> Any:
        scale, modulus = self.scale, self.bundle.modulus
        keys, partners = self.cluster_half.sorted_keys, self.other_half.sorted_keys
        slack, width = self._slack_and_width(low, high)
        if width >= scale:
            return keys, [0] * len(keys), [len(partners)] * len(keys)
        columns: tuple[list[int], list[int], list[int]] = [], [], []
        for key in keys:
            start = (low % modulus * scale // modulus - key - slack) % scale
            stop = start + width
            last = bisect_right(partners, min(stop, scale - 1))
            if stop >= scale:
                last = len(partners) + bisect_right(partners, stop - scale)
            if last > (first := bisect_left(partners, start)):
                for column, entry in zip(columns, (key, first, last), strict=True):
                    column.append(entry)
        return columns
