"""The number of variants with a given win probability."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from sevenout.variants.counting.bundle import Bundle, Slot
from sevenout.variants.counting.residues import Half, Halves
from sevenout.variants.total_sets import signed


def sought(bundle: Bundle, slot: Slot, value: Fraction) -> int | None:
    """A win probability in units of 1/modulus above the base; None if impossible."""
    units = (value - slot.base) * bundle.modulus
    return int(units) if units.denominator == 1 and units >= 0 else None


def partners(halves: Halves, units: int) -> Iterator[tuple[int, int]]:
    """The pairs of keys that may give a sum modulo one, within the slack."""
    keys = halves.b.sorted_keys
    for a, first, last in zip(*halves.windows(units, units), strict=True):
        for j in range(int(first), int(last)):
            yield int(a), int(keys[j % len(keys)])


def ways_to_make(halves: Halves, slot: Slot, units: int) -> int:
    """The number of a cell's valid assignments with a sum."""
    bundle = halves.bundle
    chosen = list(signed(bundle.family.need & ~slot.have))

    @cache
    def ways(half: Half, key: int) -> list[dict[int, int]]:
        rows = list(half.rows(key))
        return [half.polynomials(rows, kept) for _, kept in chosen]

    total = 0
    for a, b in partners(halves, units):
        for (sign, _), left, right in zip(
            chosen, ways(halves.a, a), ways(halves.b, b), strict=True
        ):
            total += sign * _coefficient(bundle, units, left, right)
    return total


def _coefficient(bundle: Bundle, units: int, a: dict[int, int], b: dict[int, int]) -> int:
    total = 0
    for ra, pa in a.items():
        for rb, pb in b.items():
            whole, rest = divmod(units - ra - rb, bundle.modulus)
            if not rest and whole >= 0:
                bits = bundle.bits * (whole + 1)
                mask = (1 << bits) - 1
                total += ((pa & mask) * (pb & mask) & mask) >> (bundle.bits * whole)
    return total
