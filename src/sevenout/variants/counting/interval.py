"""Variants with a sum in an interval, one at a time."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sevenout.variants.counting.bundle import Bundle, Slot, digits, kind_of
from sevenout.variants.counting.residues import halve, merge
from sevenout.variants.family import TooManyVariantsError
from sevenout.variants.total_sets import ROLES
from sevenout.variants.variant import Variant

MAX_ENUMERATED = 50_000_000


def pick(bundle: Bundle, slot: Slot, low: int, high: int, *, heavy: bool) -> Iterator[Variant]:
    """The variants with a sum above the base from `low` to `high`, in 1/modulus.

    Raises:
        TooManyVariantsError: the weights are heavy, and the bundle is too large to enumerate.
    """
    if heavy:
        yield from _one_by_one(bundle, slot, low, high)
        return
    m = bundle.modulus
    for moved in _near(bundle, low, high):
        total = bundle.total(moved)
        for naturals in range(max(0, -((total - low) // m)), (high - total) // m + 1):
            if bundle.ways(slot, moved, naturals):
                yield from bundle.variants(slot, moved, naturals)


def _near(bundle: Bundle, low: int, high: int) -> Iterator[tuple[int, ...]]:
    """The moves whose sum modulo one may be in the interval."""
    if high - low + 1 >= bundle.modulus:
        yield from digits(bundle.groups)
        return
    halves = halve(bundle)
    keys = halves.b.sorted_keys
    for a, first, last in zip(*halves.windows(low, high), strict=True):
        rights = list(halves.a.choices(int(a)))
        for j in range(int(first), int(last)):
            lefts = list(halves.b.choices(int(keys[j % len(keys)])))
            for right in rights:
                for left in lefts:
                    yield merge(bundle, left, right)


def _one_by_one(bundle: Bundle, slot: Slot, low: int, high: int) -> Iterator[Variant]:
    family = bundle.family
    if 3**bundle.tokens > MAX_ENUMERATED:
        raise TooManyVariantsError(
            f"{family}: 3^{bundle.tokens} assignments for one out are too many to go "
            "through one by one, and its weights too large to do better; constrain the family"
        )
    out, m = bundle.out, bundle.modulus
    offset = int(m * sum((group.offset(out) for group in bundle.groups), Fraction()))
    for cell, _ in slot.cells:
        kinds = [kind_of(family, token) for token in cell.tokens]
        adds = [
            [(role, int(kind.adds(role, out) * m)) for role in ROLES if role & kind.roles]
            for kind in kinds
        ]
        for chosen in product(*adds):
            if low <= sum(add for _, add in chosen) - offset <= high:
                variant = family.variant(cell, [role for role, _ in chosen])
                if variant is not None:
                    yield variant
