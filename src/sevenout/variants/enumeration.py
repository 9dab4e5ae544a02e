"""The census: every variant of a family, with its figures.

Each column is a sum over tokens. A cell's sums are built token by token, with one NumPy addition
per variant and column and no loop over variants.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from sevenout.budgets.estimates import afford
from sevenout.errors import shown
from sevenout.extras import require
from sevenout.numerals import Number, exact
from sevenout.variants.family import (
    CRAPS,
    NATURAL,
    POINT,
    ROLES,
    SAFE_INT64,
    Cell,
    Family,
    Token,
    TooManyVariantsError,
    family_of,
)
from sevenout.variants.variant import DiceLike, Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[Any]

# a column of 64-bit integers of as many takes 400 MB, and a sum two of them
MAX_VARIANTS = 50_000_000


@dataclass(frozen=True)
class Histogram:
    """The number of variants with each win probability.

    Attributes:
        numerators: the distinct win probabilities, ascending, times `denominator`.
        counts: the number of variants with each.
        denominator: their common denominator.
    """

    numerators: "Column"
    counts: "NDArray[np.int64]"
    denominator: int

    def __len__(self) -> int:
        return len(self.numerators)

    def items(self) -> Iterator[tuple[Fraction, int]]:
        """Pairs of a win probability and its count, ascending."""
        for numerator, n in zip(self.numerators.tolist(), self.counts.tolist(), strict=True):
            yield Fraction(numerator, self.denominator), n

    def __getitem__(self, p_win: Number) -> int:
        """The number of variants with a win probability.

        >>> from sevenout.variants import Family, census
        >>> histogram = census(Family("2d6")).histogram
        >>> len(histogram), histogram[Fraction(1, 2)], histogram[Fraction(244, 495)]
        (11476, 1521, 31)

        Raises:
            RulesError: a float, or text that is not a number.
        """
        import numpy as np

        numerator = exact(p_win) * self.denominator
        if numerator.denominator != 1:
            return 0
        index = int(np.searchsorted(self.numerators, int(numerator)))
        if index == len(self.numerators) or int(self.numerators[index]) != numerator:
            return 0
        return int(self.counts[index])


@dataclass(frozen=True)
class Census:
    """Every variant of a family, numbered in the order of the columns.

    Columns are arrays with an entry for each variant, cell after cell; each is computed on demand.

    Attributes:
        family: the family that is listed.
        _valid_by_shape: the valid assignments of cells, by the kinds of their tokens.

    Raises:
        TooManyVariantsError: more than 50,000,000 variants.
    """

    family: Family
    _valid_by_shape: "dict[Any, NDArray[np.int64]]" = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.family.size > MAX_VARIANTS:
            raise TooManyVariantsError(
                f"{self.family} has {self.family.size:,} variants; a census has room for "
                f"{MAX_VARIANTS:,}: constrain the family, or use fairest and count"
            )

    @cached_property
    def denominator(self) -> int:
        """The common denominator of all win probabilities."""
        return self.family.denominator * self.unit

    @cached_property
    def unit(self) -> int:
        """The common denominator of the points' contributions to the win probability, times D.

        D is the common denominator of the totals' probabilities.
        """
        f = self.family
        pairs = {(w, v) for w in f.weights for v in f.weights}
        return lcm(1, *(Fraction(w * w, w + v).denominator for w, v in pairs))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, in the order of the columns."""
        return tuple(self.family.cells())

    def __len__(self) -> int:
        return self.family.size

    @cached_property
    def numerators(self) -> "Column":
        """Win probabilities times `denominator`, as exact integers.

        They are 64-bit if that is proved to suffice, otherwise Python integers.
        """

        def contribution(i: int, out: int, role: int) -> int:
            weight = self.family.weights[i]
            if role == POINT:
                return weight * weight * self.unit // (weight + out)
            return weight * self.unit if role == NATURAL else 0

        return self.column(contribution, self.denominator)

    @cached_property
    def histogram(self) -> Histogram:
        """The number of variants with each win probability."""
        import numpy as np

        numerators = self.numerators
        # counting by value is faster than sorting; the counts take at most 32 MB
        if self.denominator < 1 << 22:
            counts = np.bincount(numerators, minlength=1)
            values = np.flatnonzero(counts)
            return Histogram(values, counts[values], self.denominator)
        values, counts = np.unique(numerators, return_counts=True)
        return Histogram(values, counts, self.denominator)

    def mean_rolls(self) -> "Column":
        """The mean numbers of rolls, as floats rounded from exact integers."""
        points, scale = self._mean_parts()
        return (1 + points / scale).astype(float)

    def var_rolls(self) -> "Column":
        """The variances of the number of rolls, rounded from exact integers."""
        points, scale = self._mean_parts()
        total, square = self.family.denominator, scale * scale

        def contribution(i: int, out: int, role: int) -> int:
            if role != POINT:
                return 0
            weight = self.family.weights[i]
            return 2 * weight * total * square // (weight + out) ** 2

        # a point's part is below 2 D, and the square of the mean's part below n^2 < 2 n D
        bound = 2 * total * len(self.family.totals) * square
        squares = self.column(contribution, bound)
        # the square of the means needs as many digits
        if squares.dtype == object:
            points = points.astype(object)
        exact: Column = squares - points * scale - points * points
        rounded: Column = (exact / square).astype(float)
        return rounded

    def _mean_parts(self) -> "tuple[Column, int]":
        """The mean numbers of rolls after the first, as integers, and their common denominator."""
        weights = set(self.family.weights)
        scale = lcm(*(w + v for w in weights for v in weights))

        def contribution(i: int, out: int, role: int) -> int:
            weight = self.family.weights[i]
            return weight * scale // (weight + out) if role == POINT else 0

        return self.column(contribution, scale * len(self.family.totals)), scale

    def columns(self) -> "dict[str, Column]":
        """All columns of the table; see `COLUMNS` in `variant_table`."""
        import numpy as np

        n = len(self.family.totals)
        # a set of totals is the bits of a 64-bit integer
        if n > 62:
            raise TooManyVariantsError(f"{n} totals; the table has room for 62")
        numerators = self.numerators
        divisor = np.gcd(numerators, self.denominator)
        craps, naturals = self._set_masks(CRAPS), self._set_masks(NATURAL)
        n_craps = np.bitwise_count(craps).astype(np.int8)
        n_naturals = np.bitwise_count(naturals).astype(np.int8)
        out = self.column_by_cell([self.family.totals[cell.out] for cell in self.cells])
        out_index = self.column_by_cell([cell.out for cell in self.cells])
        classes, sizes = self.classes
        return {
            "craps_mask": craps,
            "naturals_mask": naturals,
            "out": out,
            "out_in_naturals": (naturals >> out_index & 1).astype(bool),
            "p_num": (numerators // divisor),
            "p_den": (self.denominator // divisor),
            "p_win": (numerators / self.denominator).astype(float),
            "edge": ((self.denominator - 2 * numerators) / self.denominator).astype(float),
            "mean_rolls": self.mean_rolls(),
            "var_rolls": self.var_rolls(),
            "n_craps": n_craps,
            "n_naturals": n_naturals,
            "n_points": (n - n_craps - n_naturals).astype(np.int8),
            "class": classes,
            "class_size": sizes[classes],
        }

    def _set_masks(self, own_role: int) -> "Column":
        """The totals in one of the sets, as bits."""
        return self.column(lambda i, _, role: (role == own_role) << i, 1 << len(self.family.totals))

    @cached_property
    def classes(self) -> "tuple[NDArray[np.int32], NDArray[np.int32]]":
        """Each variant's symmetry class, numbered from 0, and its size.

        A class is closed under swaps of interchangeable totals that stay in the family. Two
        variants are in one class if, among interchangeable totals, equally many are craps,
        naturals and points, and if their outs are interchangeable and in the same set.
        """
        import numpy as np

        # a key has, for each kind of totals, the numbers of its craps and naturals, as digits
        strides: dict[int, tuple[int, int]] = {}
        kind_of_total: dict[int, int] = {}
        stride = 1
        for k, indices in enumerate(self.family.interchangeable):
            base = len(indices) + 1
            strides |= dict.fromkeys(indices, (stride, stride * base))
            kind_of_total |= dict.fromkeys(indices, k)
            stride *= base * base
        bound = stride * 2 * len(self.family.interchangeable)

        def contribution(i: int, out: int, role: int) -> int:
            return 0 if role == POINT else strides[i][role == NATURAL]

        # the highest digit: the kind of the out, and whether it is a craps or a natural
        outs = []
        for cell in self.cells:
            role = next(token.roles for token in cell.fixed if cell.out in token.members)
            outs.append(2 * kind_of_total[cell.out] + role - CRAPS)
        keys = self.column(contribution, bound) + stride * self.column_by_cell(outs)
        # counting by key is faster than sorting, while the counts take little memory
        if bound < 1 << 24:
            sizes = np.bincount(keys, minlength=bound)
            number_of_key = np.cumsum(sizes > 0, dtype=np.int32) - 1
            return number_of_key[keys].astype(np.int32), sizes[sizes > 0].astype(np.int32)
        _, numbers, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        return numbers.astype(np.int32), sizes.astype(np.int32)

    def variant(self, index: int) -> Variant:
        """The variant with a number (from 0).

        >>> from sevenout.variants import Family, census
        >>> all_of_them = census(Family("2d6"))
        >>> all_of_them.variant(0).p_win() * all_of_them.denominator == all_of_them.numerators[0]
        True

        Raises:
            IndexError: no number from 0 to the number of variants less 1.
            TypeError: no whole number.
        """
        index = operator.index(index)  # NumPy's integers too, such as the argmax of a column
        if not 0 <= index < len(self):
            raise IndexError(f"variant {shown(index)}; give a number from 0 to {len(self) - 1:,}")
        cell, chosen = self._assignment(index)
        variant = self.family.variant(cell, chosen)
        assert variant is not None
        return variant

    def _assignment(self, index: int) -> tuple[Cell, list[int]]:
        """The cell of a variant, and the sets of its free tokens."""
        cells = iter(self.cells)
        cell = next(cells)
        while index >= len(self._valid(cell)):
            index -= len(self._valid(cell))
            cell = next(cells)
        # the digits of the number, the first token fastest as in `_outer_sums`
        code, chosen = int(self._valid(cell)[index]), []
        for token in cell.tokens:
            roles = [role for role in ROLES if role & token.roles]
            code, digit = divmod(code, len(roles))
            chosen.append(roles[digit])
        return cell, chosen

    def column(self, contribution: Callable[[int, int, int], int], bound: int) -> "Column":
        """A sum over all totals, for every variant.

        Args:
            contribution: (index of the total, weight of the out, role) -> what the total adds.
            bound: an upper bound of the sums; decides whether 64 bits suffice.
        """
        import numpy as np

        self._must_fit(bound)
        weights = self.family.weights
        dtype: type = np.int64 if bound < SAFE_INT64 else object
        parts = []
        for cell in self.cells:
            out = weights[cell.out]
            base = sum(contribution(i, out, t.roles) for t in cell.fixed for i in t.members)
            choices = [
                [sum(contribution(i, out, r) for i in t.members) for r in ROLES if r & t.roles]
                for t in cell.tokens
            ]
            parts.append(_outer_sums(base, choices, dtype)[self._valid(cell)])
        return np.concatenate(parts) if parts else np.zeros(0, dtype)

    def column_by_cell(self, values: list[int]) -> "NDArray[np.int64]":
        """The column of a value by cell, repeated for each variant of the cell."""
        import numpy as np

        sizes = [len(self._valid(cell)) for cell in self.cells]
        return np.repeat(np.array(values, np.int64), sizes)

    def _valid(self, cell: Cell) -> "NDArray[np.int64]":
        """The indices of a cell's assignments whose sets have allowed sizes."""
        import numpy as np

        shape = _sizes(cell.fixed), tuple((t.roles, len(t.members)) for t in cell.tokens)
        if shape in self._valid_by_shape:
            return self._valid_by_shape[shape]
        # the three sizes of an assignment in one integer, 20 bits for each
        shifts = {CRAPS: 0, NATURAL: 20, POINT: 40}
        choices = [
            [len(token.members) << shifts[r] for r in ROLES if r & token.roles]
            for token in cell.tokens
        ]
        fixed = sum(k << s for k, s in zip(_sizes(cell.fixed), shifts.values(), strict=True))
        sizes = _outer_sums(fixed, choices, np.int64)
        is_valid = np.ones(len(sizes), bool)
        for shift, (low, high) in zip(shifts.values(), self.family.size_bounds, strict=True):
            size = sizes >> shift & 0xFFFFF
            is_valid &= (low <= size) & (size <= high)
        self._valid_by_shape[shape] = np.flatnonzero(is_valid)
        return self._valid_by_shape[shape]

    def _must_fit(self, bound: int) -> None:
        """Refuse a family whose census needs too much memory; `bound` is on its integers."""
        # bytes per variant: three arrays, of integers or of pointers to Python's
        bytes_each = 24 if bound < SAFE_INT64 else 120
        afford(
            f"a census of {self.family.size:,} variants",
            memory=bytes_each * self.family.size,
            instead="constrain the family, or use fairest and count",
        )


def census(family: Family | DiceLike) -> Census:
    """Every variant of a family, with its exact win probability.

    >>> everything = census(Family("2d6"))
    >>> len(everything), len(everything.numerators), everything.denominator
    (1254044, 1254044, 997920)

    Raises:
        TooManyVariantsError: more than 50,000,000 variants.
    """
    require("numpy")
    return Census(family_of(family))


def _outer_sums(base: int, choices: list[list[int]], dtype: Any) -> "Column":
    """All sums of one number from each list, the first running fastest."""
    import numpy as np

    sums = np.array([base], dtype)
    for terms in choices:
        sums = (np.array(terms, dtype)[:, None] + sums[None, :]).reshape(-1)
    return sums


def _sizes(tokens: tuple[Token, ...]) -> tuple[int, ...]:
    """The numbers of craps, naturals and points that fixed tokens make."""
    return tuple(sum(len(t.members) for t in tokens if t.roles == role) for role in ROLES)
