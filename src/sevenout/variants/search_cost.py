"""The search method and its estimated cost."""

from collections.abc import Iterator
from math import prod

from sevenout.budgets.estimates import afford
from sevenout.extras import has
from sevenout.variants.counting.bundle import Bundle, bundles
from sevenout.variants.counting.nearest_sum import CHOICE
from sevenout.variants.counting.residues import Halves, halve
from sevenout.variants.counting.sparse import expected_choices, expected_sums
from sevenout.variants.family import Family, TooManyVariantsError

FEW_SUMS = 20_000
"""The most half-sums to list."""

HEAVY = 100_000
"""Above this sum of weights, naturals are too rare for residues."""

LIGHT = 20_000
"""Below this sum of weights, residues are faster even for small families."""

KEY, SUM = 4e-8, 2e-7
"""Seconds per half-sum, modulo one and with its whole part."""

PLAIN = 25
"""The slowdown without NumPy."""

ENOUGH = 0.4
"""The share of weights made by naturals at which nearly every choice can be completed."""

SLICES = 12
"""The work of the article's labelling, relative to the whole family."""


def must_be_affordable(family: Family, times: int = 1) -> None:
    """Refuse slow searches early; the family is searched `times` times.

    Raises:
        TooManyVariantsError, TooMuchWorkError: as `fairest`.
    """
    family.must_be_affordable()
    if family.labelling == "canonical":
        times, family = times * SLICES, family.but(labelling="all")
    for seconds in _costs(bundles(family)):
        afford(f"the search of {family}", seconds=times * seconds, instead="constrain the family")


def _costs(parts: list[Bundle]) -> Iterator[float]:
    """The cumulative seconds of a search, bundle by bundle."""
    spent, by_sums = 0.0, sums_do(parts)
    key = KEY if has("numpy") else PLAIN * KEY
    for bundle in parts:
        if by_sums:
            seconds = SUM * expected_choices(bundle)
        else:
            try:
                halves = halve(bundle)
                seconds = key * halves.size + CHOICE * expected_tries(halves)
            except TooManyVariantsError:
                if expected_sums(bundle) > 100 * FEW_SUMS:
                    raise
                seconds = SUM * expected_choices(bundle)
        spent += seconds * (1 + len(bundle.slots))
        yield spent


def expected_tries(halves: Halves) -> float:
    """The expected number of choices before free naturals complete one.

    If naturals make most weights, the first choice suffices. If they make few, a key's choices are
    tried in order until a whole part fits, or there is none.
    """
    bundle, cluster = halves.bundle, halves.a
    weights = 1
    for group in bundle.groups:
        for _ in range(group.count if group.free else 0):
            weights |= weights << group.free
    least, greatest = bundle.ends
    share = weights.bit_count() * bundle.modulus / max(greatest - least, 1)
    alike = prod(bundle.groups[i].most + 1 for i in cluster.cluster) / cluster.period
    return 1 if share > ENOUGH else min(max(alike, 1 / share), bundle.family.size)


def sums_do(parts: list[Bundle]) -> bool:
    """Whether to list all sums instead of residues."""
    if not parts:
        return False
    family = parts[0].family
    light = family.denominator > LIGHT and max(map(expected_sums, parts)) <= FEW_SUMS
    # without free naturals the whole part of a sum is not free
    stiff = not any(group.free for bundle in parts for group in bundle.groups)
    return family.sized or family.denominator > HEAVY or light or stiff
