"""Equivalence of variants.

The permutations that keep each total's weight and the family's constraints act on the sets and the
out together. For 2d6 they swap 2 with 12, 3 with 11, ..., each pair on its own: 32 elements. There
are three notions of equality, from fine to coarse:

1. *same class*: some such permutation takes one variant to the other;
2. *same distribution*: the result and the number of rolls have the same joint distribution. This
   holds exactly if the outs have equal weight, equally many points have each weight, and the
   naturals' weights have equal sums (proof in docs/explanation/variants.md);
3. *same win probability*.

Orbits are counted by the Cauchy-Frobenius (Burnside) lemma in closed form. Over the permutations of
m totals, the mean of x^(number of cycles) is C(x + m − 1, m). The mean of (number of fixed totals)
· x^(number of cycles) is x · C(x + m − 2, m − 1), the fixed total being the out.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from math import comb, factorial, prod
from typing import Any

from sevenout.documents import Column, HasPage, Page, Table
from sevenout.documents.kinds import COUNT
from sevenout.errors import RulesError
from sevenout.rolling.distribution import group_by_key
from sevenout.variants.enumeration import Census, census
from sevenout.variants.family import (
    ANY,
    CRAPS,
    NATURAL,
    POINT,
    ROLES,
    Family,
    family_of,
    inclusion_exclusion,
    role_of,
)
from sevenout.variants.interval_counts import between
from sevenout.variants.variant import DiceLike, Variant

Totals = tuple[int, ...]
Roles = tuple[int, ...]
"""The set of each of some totals, as a bit, and whether it is the out."""

OUT = 8
"""The bit of the out, beside the bits of the sets."""


@dataclass(frozen=True)
class Classes(HasPage):
    """The classes of a family under swaps of equally likely totals.

    If swaps break a constraint (the canonical labelling, symmetric rules), the classes are those of
    the family without it that meet the family. Figures that have no closed form come from a census,
    which is made once.

    Attributes:
        family: the family whose variants are classed.
    """

    family: Family

    @cached_property
    def interchangeable_totals(self) -> tuple[Totals, ...]:
        """The totals, by those that may be permuted among themselves; lightest first."""
        totals = self.family.totals
        return tuple(tuple(totals[i] for i in indices) for indices in self.family.interchangeable)

    @property
    def group_order(self) -> int:
        """The number of permutations that keep weights and constraints.

        >>> classes(Family("2d6")).group_order
        32
        """
        return prod(factorial(len(totals)) for totals in self.interchangeable_totals)

    @cached_property
    def n_orbits(self) -> int:
        """The number of classes: in closed form, or by census if sizes are bounded.

        >>> classes(Family("2d6")).n_orbits, classes(Family("2d20")).n_orbits
        (124752, 35952102235744780)
        """
        # the closed form needs sets of any size, and a family that swaps leave as it is
        if (
            self.family.has_size_bounds
            or self.family.symmetric
            or self.family.labelling == "canonical"
        ):
            return len(self._census.classes[1])
        terms = inclusion_exclusion(self.family.required)
        return sum(sign * self._orbits_within(sets) for sign, sets in terms)

    def _orbits_within(self, sets: int) -> int:
        """The number of orbits of the variants that use only these sets."""
        family = self.family
        out_roles = {"either": CRAPS | NATURAL, "craps": CRAPS, "naturals": NATURAL}[family.out_in]
        roles = [family.allowed_roles[indices[0]] & sets for indices in family.interchangeable]
        sizes = [len(indices) for indices in family.interchangeable]
        counts = [_multisets(r.bit_count(), size) for r, size in zip(roles, sizes, strict=True)]
        orbits = 0
        for k, totals in enumerate(self.interchangeable_totals):
            if family.outs is not None and totals[0] not in family.outs:
                continue
            # the out is the fixed total; those interchangeable with it are permuted freely
            with_out = _multisets(roles[k].bit_count(), sizes[k] - 1)
            with_out *= (roles[k] & out_roles).bit_count()
            orbits += with_out * prod(counts[:k] + counts[k + 1 :])
        return orbits

    @cached_property
    def n_mirror_orbits(self) -> int:
        """The number of classes under the mirror image alone.

        >>> classes(Family("2d6")).n_mirror_orbits
        627202

        Raises:
            RulesError: the mirror image changes probabilities or leaves the family.
        """
        family = self.family
        n, outs = len(family.totals), family.outs
        may_be_out = tuple(outs is None or total in outs for total in family.totals)
        properties = (family.weights, family.allowed_roles, may_be_out)
        if any(by_total != by_total[::-1] for by_total in properties) or (
            family.labelling == "canonical"
        ):
            raise RulesError(f"{family}: its mirror image is not the same family")
        # the mirror moves every total, so no variant's out is its own image
        if n % 2 == 0:
            return family.size // 2
        # Burnside: the mean of all variants and of those that are their own image
        middle = frozenset([family.totals[n // 2]])
        outs = middle if outs is None else middle & outs
        return (family.size + family.with_attributes(symmetric=True, outs=outs).size) // 2

    @cached_property
    def n_laws(self) -> int:
        """The number of joint distributions of result and rolls (by census)."""
        import numpy as np

        # the out, the naturals, and the numbers of points of each weight, as digits of one integer
        weights, counts = self.family.weights, Counter(self.family.weights)
        strides, stride = dict[int, int](), 1
        for weight in sorted(counts):
            strides[weight] = stride
            stride *= counts[weight] + 1
        out_stride = stride * (self.family.denominator + 1)

        def contribution(i: int, out: int, role: int) -> int:
            if role == POINT:
                return strides[weights[i]]
            return stride * weights[i] if role == NATURAL else 0

        bound = out_stride * (max(weights) + 1)
        digits = self._census.column(contribution, bound)
        outs = self._census.column_by_cell([weights[cell.out] for cell in self._census.cells])
        return len(np.unique(digits + outs.astype(digits.dtype) * out_stride))

    @cached_property
    def n_p_wins(self) -> int:
        """The number of win probabilities (by census)."""
        return len(self._census.histogram)

    def class_key(self, variant: Variant) -> tuple[Roles, ...]:
        """A key of the class: the sorted roles of interchangeable totals.

        >>> key = classes(Family("2d6")).class_key
        >>> key(Variant([2, 3, 12], [7, 11], 7)) == key(Variant([2, 11, 12], [3, 7], 7))
        True

        Raises:
            RulesError: the variant has other totals than the family.
        """
        return tuple(tuple(sorted(roles, reverse=True)) for roles in self._roles_of(variant))

    def law_key(self, variant: Variant) -> tuple[Any, ...]:
        """A key of the distribution: the weights of the out, each point, and all naturals."""
        ways = self.family.ways
        points = Counter(ways[total] for total in variant.points(ways))
        naturals = sum(ways[total] for total in variant.naturals)
        return ways[variant.out], tuple(sorted(points.items())), naturals

    def class_size(self, variant: Variant) -> int:
        """The size of a variant's class (in the family without its labelling).

        >>> same = classes(Family("2d6"))
        >>> same.class_size(Variant([2, 3, 12], [7, 11], 7))
        2

        Raises:
            RulesError: the variant has other totals than the family.
        """
        # the orbit-stabiliser theorem
        fixing = prod(factorial(len(totals)) for totals in self.stabiliser(variant))
        return self.group_order // fixing

    def _roles_of(self, variant: Variant) -> list[list[int]]:
        """The roles of the totals, grouped as `interchangeable_totals`.

        Raises:
            RulesError: the variant has other totals than the family.
        """
        for total in (*variant.craps, *variant.naturals, variant.out):
            if total not in self.family.ways:
                raise RulesError(f"{variant}: {self.family} has no total {total}; leave it out")
        return [
            [_role(variant, total) for total in totals] for totals in self.interchangeable_totals
        ]

    def stabiliser(self, variant: Variant) -> tuple[Totals, ...]:
        """The totals whose permutations among themselves leave a variant unchanged.

        >>> classes(Family("2d6")).stabiliser(Variant([2, 3, 12], [7, 11], 7))
        ((2, 12), (4, 10), (5, 9), (6, 8))

        Raises:
            RulesError: it has other totals than the family.
        """
        stabiliser: list[Totals] = []
        for totals, roles in zip(self.interchangeable_totals, self._roles_of(variant), strict=True):
            by_role = group_by_key(zip(roles, totals, strict=True))
            stabiliser += (tuple(same) for same in by_role.values() if len(same) > 1)
        return tuple(stabiliser)

    def members(self, variant: Variant) -> Iterator[Variant]:
        """The variants of a variant's class, each once.

        >>> [str(v) for v in classes(Family("2d6")).members(Variant([2, 3, 12], [7, 11], 7))]
        ['2,3,12/7,11/7', '2,11,12/3,7/7']

        Raises:
            RulesError: it has other totals than the family.
        """
        arrangements = [list(_arrangements(roles)) for roles in self._roles_of(variant)]
        all_totals = list(chain.from_iterable(self.interchangeable_totals))
        for arranged in product(*arrangements):
            sets: dict[int, list[int]] = {role: [] for role in ROLES}
            out = variant.out
            for total, role in zip(all_totals, chain.from_iterable(arranged), strict=True):
                sets[role & ANY].append(total)
                out = total if role & OUT else out
            yield Variant(sets[CRAPS], sets[NATURAL], out)

    def equally_likely(self, p_win: Fraction) -> "EquallyLikely":
        """The variants with one win probability, by distribution and class.

        >>> classes(Family("2d6")).equally_likely(Fraction(244, 495))
        <31 variants with 244/495: 6 distributions, 13 classes>
        """
        laws: dict[tuple[Any, ...], dict[tuple[Roles, ...], list[Variant]]] = {}
        for variant in between(self.family, p_win, p_win):
            by_class = laws.setdefault(self.law_key(variant), {})
            by_class.setdefault(self.class_key(variant), []).append(variant)
        return EquallyLikely(
            p_win, tuple(tuple(map(tuple, by_class.values())) for by_class in laws.values())
        )

    @cached_property
    def _census(self) -> Census:
        return census(self.family)

    def page(self) -> Page:
        """The number of classes for each notion of equality."""
        equality = {
            "variants": "nothing but the naming differs",
            "mirror_classes": "one is the mirror image of the other",
            "classes": f"one of {self.group_order:,} swaps of equally likely totals relates them",
            "laws": "result and number of rolls have the same joint distribution",
            "p_wins": "they win equally often",
        }
        counted = self.to_dict()
        rows = [(words, counted[k]) for k, words in equality.items() if counted[k] is not None]
        head = f"variants of {self.family} are the same if"
        return Page("", Table([head, Column("classes", COUNT)], rows))

    def to_dict(self) -> dict[str, Any]:
        """The counts as data; null if not available."""
        attributes = {"mirror_classes": "n_mirror_orbits", "laws": "n_laws", "p_wins": "n_p_wins"}
        counted: dict[str, int | None] = {}
        for name, attribute in attributes.items():
            try:
                counted[name] = getattr(self, attribute)
            except RulesError:
                counted[name] = None
        return {
            "family": str(self.family),
            "variants": self.family.size,
            "group_order": self.group_order,
            "classes": self.n_orbits,
            **counted,
        }


@dataclass(frozen=True, repr=False)
class EquallyLikely:
    """Variants with one win probability.

    >>> alike = classes(Family("2d6")).equally_likely(Fraction(244, 495))
    >>> len(alike.laws), len(alike.classes)
    (6, 13)

    Attributes:
        p_win: the win probability of all of them.
        laws: for each joint distribution of result and rolls, its classes, each a tuple of
            variants.
    """

    p_win: Fraction
    laws: tuple[tuple[tuple[Variant, ...], ...], ...]

    @property
    def classes(self) -> tuple[tuple[Variant, ...], ...]:
        """The classes of all distributions."""
        return tuple(chain.from_iterable(self.laws))

    def __repr__(self) -> str:
        variants = sum(map(len, self.classes))
        return (
            f"<{variants} variants with {self.p_win}: {len(self.laws)} distributions, "
            f"{len(self.classes)} classes>"
        )


def classes(family: Family | DiceLike) -> Classes:
    """The classes of a family under swaps of equally likely totals.

    >>> same = classes(Family("2d6"))
    >>> same.n_orbits, same.n_laws, same.n_p_wins
    (124752, 31998, 11476)
    """
    return Classes(family_of(family))


def _multisets(kinds: int, size: int) -> int:
    """The mean of kinds^(number of cycles) over permutations of `size` things."""
    return comb(kinds + size - 1, size) if kinds else int(size == 0)


def _role(variant: Variant, total: int) -> int:
    """The set that a total is in, and whether it is the out, as bits."""
    return role_of(variant, total) | OUT * (total == variant.out)


def _arrangements(roles: list[int]) -> Iterator[Roles]:
    """The distinct orders of some roles, the given one first."""
    if not roles:
        yield ()
        return
    for first in dict.fromkeys(roles):
        others = list(roles)
        others.remove(first)
        for arrangement in _arrangements(others):
            yield (first, *arrangement)
