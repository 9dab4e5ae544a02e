"""All sums of half the tokens, for small families, bounded sizes and heavy totals.

With few and large weights, naturals of a given total weight may not exist, so the whole part is not
free. The same holds if set sizes are bounded. Each half keeps all its sums, with the filled sets or
their sizes; equal sums are merged with their multiplicity.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import TYPE_CHECKING, Any

from sevenout.extras import needs
from sevenout.variants.counting.bundle import Bundle, BundleGroup, Slot
from sevenout.variants.counting.residues import LIMB
from sevenout.variants.family import TooManyVariantsError
from sevenout.variants.total_sets import ANY, CRAPS, NATURAL, POINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_SUMS = 3_000_000

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
class Sparse:
    """A bundle as two halves of sums, in units of 1/modulus above the base.

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
                if self._meets(slot, left, right):
                    yield left_sums, right_sums

    def _meets(self, slot: Slot, left: State, right: State) -> bool:
        family = self.bundle.family
        if family.sized:
            sizes = map(sum, zip(slot.sizes, left, right, strict=True))
            return all(lo <= k <= hi for k, (lo, hi) in zip(sizes, family.bounds, strict=True))
        filled = slot.have
        for role, here, there in zip((CRAPS, NATURAL, POINT), left, right, strict=True):
            filled |= role * (here or there)
        return not family.need & ~filled

    def nearest(self, slot: Slot, units: int, side: int) -> int | None:
        """The largest sum up to `units`; for side 1, the smallest from it on."""
        import numpy as np

        found: list[int] = []
        for (a, _), (b, _) in self.pairs(slot):
            wanted = units - a
            at = np.searchsorted(b, wanted, "right" if side < 0 else "left") - (side < 0)
            ok = (at >= 0) & (at < len(b))
            if ok.any():
                sums = a[ok] + b[at[ok]]
                found.append(int(sums.max() if side < 0 else sums.min()))
        return (max(found) if side < 0 else min(found)) if found else None

    def count(self, slot: Slot, low: int, high: int) -> int:
        """The number of a cell's assignments from `low` to `high`, inclusive."""
        import numpy as np

        total = 0
        for (a, times), (b, ways) in self.pairs(slot):
            before = np.concatenate((np.zeros(1, ways.dtype), np.cumsum(ways)))
            first = np.searchsorted(b, low - a, "left")
            last = np.searchsorted(b, high - a, "right")
            total += int((times * (before[last] - before[first])).sum())
        return total


def sums_of(bundle: Bundle, groups: Sequence[BundleGroup]) -> StateSums:
    """All sums of some groups, in units of 1/modulus.

    >>> from sevenout.variants import Family
    >>> from sevenout.variants.counting.bundle import bundles
    >>> bundle = bundles(Family("2d6"))[0]
    >>> len(sums_of(bundle, bundle.groups[:2]))
    18
    """
    import numpy as np

    exact = (bundle.family.denominator + 1) * bundle.modulus < LIMB
    few = 3**bundle.tokens < LIMB
    key: Any = np.int64 if exact else object
    kind: Any = np.int64 if few else object
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
        parts = {state: merged(found) for state, found in longer.items()}
        if sum(len(sums) for sums, _ in parts.values()) > MAX_SUMS:
            raise TooManyVariantsError(
                f"{bundle.family} makes more than {MAX_SUMS:,} half-sums; constrain the family"
            )
    return StateSums(parts)


def expected_sums(bundle: Bundle) -> int:
    """An upper bound of a half's sums."""
    return int(prod(_choices(group) for group in bundle.groups) ** 0.5) + 1


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
        if not roles & (CRAPS | NATURAL) and rest:
            continue
        least = 0 if roles & CRAPS else rest
        for naturals in range(least, rest + 1 if roles & NATURAL else 1):
            state = tuple(kind.members * k for k in (rest - naturals, naturals, points))
            total = points * point + naturals * natural
            yield state, total, comb(group.count, points) * comb(rest, naturals)  # type: ignore[misc]


def _after(bundle: Bundle, state: State, then: State) -> State | None:
    if not bundle.family.sized:
        return tuple(int(a > 0 or b > 0) for a, b in zip(state, then, strict=True))  # type: ignore[return-value]
    sizes = tuple(a + b for a, b in zip(state, then, strict=True))
    if any(k > high for k, (_, high) in zip(sizes, bundle.family.bounds, strict=True)):
        return None
    return sizes  # type: ignore[return-value]


def merged(
    found: "list[tuple[NDArray[Any], NDArray[Any]]]",
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """The distinct sums, ascending, and their multiplicities."""
    import numpy as np

    sums = np.concatenate([sums for sums, _ in found])
    ways = np.concatenate([ways for _, ways in found])
    order = np.argsort(sums, kind="stable")
    sums, ways = sums[order], ways[order]
    starts = np.flatnonzero(np.concatenate(([True], sums[1:] != sums[:-1])))
    return sums[starts], np.add.reduceat(ways, starts)
