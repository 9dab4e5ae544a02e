"""How many variants have one given win probability: pairs of half-sums that add up to it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sevenout.variants.bundle import Bundle, Slot
from sevenout.variants.cells import CRAPS, NATURAL, POINT, ROLES
from sevenout.variants.residues import Half, Halves, Mode, uniform, without_points


def sought(bundle: Bundle, slot: Slot, value: Fraction) -> int | None:
    """A value (win probability times D) in units of 1/modulus above the base, if it can be met."""
    units = (value - slot.base) * bundle.modulus
    return int(units) if units.denominator == 1 and units >= 0 else None


def partners(halves: Halves, units: int) -> Iterator[tuple[int, int]]:
    """The pairs of keys that may add up to a sum, modulo one (within the slack, if any)."""
    keys = halves.b.sorted_keys
    for a, first, last in zip(*halves.windows(units, units), strict=True):
        for j in range(int(first), int(last)):
            yield int(a), int(keys[j % len(keys)])


def ways_to_make(halves: Halves, slot: Slot, units: int) -> int:
    """How many assignments of one cell make a sum, and leave no set empty that must not be."""
    bundle = halves.bundle
    empty = [role for role in ROLES if role & bundle.family.need & ~slot.have]
    modes: tuple[Mode, ...] = ("all",)
    modes += ("no naturals",) if NATURAL in empty else ()
    modes += ("no craps",) if CRAPS in empty else ()
    ways = dict.fromkeys(modes, 0)
    memo: dict[tuple[str, int, Mode], dict[int, int]] = {}
    for a, b in partners(halves, units):
        for mode in modes:
            ways[mode] += _coefficient(
                bundle,
                units,
                _recall(memo, ("a", a, mode), halves.a),
                _recall(memo, ("b", b, mode), halves.b),
            )
    total = ways["all"] - sum(ways[mode] for mode in modes[1:])
    return total + corrections(bundle, empty, units, exactly=True)


def corrections(bundle: Bundle, empty: list[int], units: int, *, exactly: bool) -> int:
    """The rest of the inclusion and exclusion: every token a point, or no token a point.

    Args:
        bundle: the bundle.
        empty: the sets that must not be empty and that nothing fills yet.
        units: a sum, in units of 1/modulus above the base.
        exactly: count the assignments with that sum, or else those with at most that sum.
    """
    total = 0
    for drop in product((0, 1), repeat=len(empty)):
        dropped = [role for role, d in zip(empty, drop, strict=True) if d]
        if not dropped or (len(dropped) == 1 and dropped[0] != POINT):
            continue
        total += (-1) ** len(dropped) * _without(bundle, set(dropped), units, exactly)
    return total


def _without(bundle: Bundle, dropped: set[int], units: int, exactly: bool) -> int:
    if dropped == {CRAPS, NATURAL, POINT}:
        return int(not bundle.groups and (units == 0 if exactly else units >= 0))
    if POINT not in dropped:
        moved = uniform(bundle, POINT)
        naturals = range(1)
    elif len(dropped) == 2:
        role = CRAPS if NATURAL in dropped else NATURAL
        moved = uniform(bundle, role)
        free = sum(g.free * g.count for g in bundle.groups) * (role == NATURAL)
        naturals = range(free, free + 1)
    else:
        moved = without_points(bundle)
        naturals = range(sum(g.free * g.count for g in bundle.groups) + 1)
    if moved is None:
        return 0
    left, rest = divmod(units - bundle.total(moved), bundle.modulus)
    if (exactly and rest) or left < naturals.start:
        return 0
    if len(naturals) == 1:
        return int(left == naturals.start or not exactly)
    packed = 1
    for group in bundle.groups:
        if group.free:
            for _ in range(group.count):
                packed += packed << (bundle.bits * group.free)
    mask = (1 << bundle.bits) - 1
    if exactly:
        return packed >> (bundle.bits * left) & mask
    return sum(packed >> (bundle.bits * w) & mask for w in range(min(left, naturals.stop) + 1))


def _recall(
    memo: dict[tuple[str, int, Mode], dict[int, int]], at: tuple[str, int, Mode], half: Half
) -> dict[int, int]:
    if at not in memo:
        memo[at] = half.polynomials(at[1], at[2])
    return memo[at]


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
