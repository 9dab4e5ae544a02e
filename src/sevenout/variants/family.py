"""Families of variants: point games on given dice, under constraints.

A family is a disjoint union of *cells*. A cell fixes the out and its set, and leaves a free choice
of set for every other total or mirrored pair, called a *token*. Constraints limit the choices of
tokens; a canonical labelling is a sum over more cells. So counts and probabilities that are
computed by cell hold for every family.

A set of totals is a bit (`CRAPS`, `NATURAL`, `POINT`), and a choice of sets is their sum.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import chain, combinations, product
from math import prod
from operator import and_
from typing import Any, Literal

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Die, Rollable
from sevenout.rolling.distribution import group_by_key
from sevenout.variants.variant import DiceLike, Variant, as_rollable, totals_of, weights_of

CRAPS, NATURAL, POINT = 1, 2, 4
ROLES = (CRAPS, NATURAL, POINT)
ANY = CRAPS | NATURAL | POINT

SizeBounds = int | tuple[int, int | None] | None
"""The size of a set: exactly n, or (at least, at most)."""

OutIn = Literal["either", "naturals", "craps"]
Labelling = Literal["all", "canonical"]

SAFE_INT64 = 1 << 62
"""The bound of sums in arrays of 64 bits: the sum of two of them has no overflow."""
# with more, going through the 180,000 cells of the article's labelling takes over ten minutes
MAX_TOTALS = 300
SECONDS_PER_TOKEN = 1.2e-5
"""Seconds per token of a cell."""


class TooManyVariantsError(RulesError):
    """A family too large for memory or time."""


def role_of(variant: Variant, total: int) -> int:
    """The set that a total is in, as a bit.

    >>> role_of(Variant([2, 3, 12], [7, 11], 7), 11) == NATURAL
    True
    """
    if total in variant.craps:
        return CRAPS
    return NATURAL if total in variant.naturals else POINT


def inclusion_exclusion(required: int) -> Iterator[tuple[int, int]]:
    """The terms of inclusion and exclusion over required sets: a sign, and the sets still allowed.

    >>> list(inclusion_exclusion(NATURAL))
    [(1, 7), (-1, 5)]
    """
    roles = [role for role in ROLES if role & required]
    for excluded in chain.from_iterable(combinations(roles, n) for n in range(len(roles) + 1)):
        yield (-1) ** len(excluded), ANY & ~sum(excluded)


@dataclass(frozen=True, slots=True)
class Token:
    """Totals that go into one set together.

    Attributes:
        members: indices into the family's totals.
        roles: the allowed sets, as bits.
    """

    members: tuple[int, ...]
    roles: int


@dataclass(frozen=True, slots=True)
class Cell:
    """All variants with one out, in one set.

    Attributes:
        out: the index of the out.
        fixed: tokens with one allowed set, including the out's.
        tokens: the others, each with two or three allowed sets.
    """

    out: int
    fixed: tuple[Token, ...]
    tokens: tuple[Token, ...]

    @property
    def filled(self) -> int:
        """The sets that the fixed tokens fill, as bits."""
        bits = 0
        for token in self.fixed:
            bits |= token.roles
        return bits

    @property
    def fillable(self) -> int:
        """The sets that its tokens may fill, as bits."""
        bits = self.filled
        for token in self.tokens:
            bits |= token.roles
        return bits


@dataclass(frozen=True, init=False)
class Family:
    """All variants on given dice that satisfy the constraints.

    It is immutable. What it needs of the dice (`ways`, `weights`, ...) is computed once, on demand.

    >>> Family("2d6").size, Family("2d6", labelling="canonical").size
    (1254044, 229858)
    >>> Family("2d6", outs=[7], craps=[2, 3, 12], naturals=[7, 11], out_in="naturals").size
    14

    Args:
        dice: text, dice, a distribution, or a mapping from total to weight.
        craps, naturals, points: the totals allowed in each set, as a list or as text such as
            "2-4,12"; any by default.
        outs: the totals allowed as the out.
        out_in: the required set of the out.
        n_craps, n_naturals, n_points: the number of totals in each set; at least 1 by default.
        symmetric: whether every set is its own mirror image (the lowest total with the highest,
            ...).
        labelling: "canonical" keeps variants whose craps have the smallest total of all, and whose
            naturals the smallest of the rest. So each partition of the totals into three sets is
            labelled once, in the order of their smallest members.

    Attributes:
        craps, naturals, points, outs: the allowed totals; None for any.
        size_bounds: the least and the greatest size of craps, naturals and points.

    Raises:
        RulesError: a total that the dice can't roll, an unknown word, bounds out of order, or a
            mirror that changes probabilities.
        TooManyVariantsError: dice of more than 300 totals.
    """

    dice: Rollable
    craps: frozenset[int] | None
    naturals: frozenset[int] | None
    points: frozenset[int] | None
    outs: frozenset[int] | None
    out_in: OutIn
    size_bounds: tuple[tuple[int, int], ...]
    symmetric: bool
    labelling: Labelling

    def __init__(
        self,
        dice: DiceLike = "2d6",
        *,
        craps: Iterable[int] | str | None = None,
        naturals: Iterable[int] | str | None = None,
        points: Iterable[int] | str | None = None,
        outs: Iterable[int] | str | None = None,
        out_in: OutIn = "either",
        n_craps: SizeBounds = None,
        n_naturals: SizeBounds = None,
        n_points: SizeBounds = None,
        symmetric: bool = False,
        labelling: Labelling = "all",
    ) -> None:
        set_attribute = partial(object.__setattr__, self)
        set_attribute("dice", as_rollable(dice))
        _must_have_few_totals(self.dice)
        set_attribute("out_in", out_in)
        set_attribute("symmetric", symmetric)
        set_attribute("labelling", labelling)
        allowed = {"craps": craps, "naturals": naturals, "points": points, "outs": outs}
        for name, totals in allowed.items():
            set_attribute(name, None if totals is None else self._rollable_totals(name, totals))
        sizes = {"n_craps": n_craps, "n_naturals": n_naturals, "n_points": n_points}
        size_bounds = tuple(self._size_bounds(name, size) for name, size in sizes.items())
        set_attribute("size_bounds", size_bounds)
        if out_in not in ("either", "naturals", "craps"):
            raise RulesError(f"out_in={shown(out_in)}; give 'either', 'naturals' or 'craps'")
        if labelling not in ("all", "canonical"):
            raise RulesError(f"labelling={shown(labelling)}; give 'all' or 'canonical'")
        if not isinstance(symmetric, bool):
            raise RulesError(f"symmetric={shown(symmetric)}; give True or False")
        # a set and its mirror image must be as likely, or a mirrored pair is no single token
        if symmetric and self.weights != self.weights[::-1]:
            raise RulesError(
                "symmetric=True, but mirrored totals of these dice are not equally likely"
            )

    @cached_property
    def ways(self) -> dict[int, int]:
        """The weight of each total, by ascending total."""
        return weights_of(self.dice)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The totals of the dice, ascending."""
        return tuple(self.ways)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weight of each total, in lowest terms."""
        return tuple(self.ways.values())

    @cached_property
    def denominator(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @cached_property
    def allowed_roles(self) -> tuple[int, ...]:
        """For each total, the allowed sets, as bits."""
        allowed = {CRAPS: self.craps, NATURAL: self.naturals, POINT: self.points}
        return tuple(
            sum(role for role, totals in allowed.items() if totals is None or total in totals)
            for total in self.totals
        )

    @cached_property
    def interchangeable(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the totals, by equal weight and allowed sets; lightest first.

        Permuting the totals of one entry keeps probabilities and all constraints except
        `symmetric` and the labelling.
        """
        may_be_out = [self.outs is None or total in self.outs for total in self.totals]
        keys = zip(self.weights, self.allowed_roles, may_be_out, strict=True)
        indices = group_by_key((key, i) for i, key in enumerate(keys))
        return tuple(tuple(indices[key]) for key in sorted(indices))

    @cached_property
    def required(self) -> int:
        """The sets that must not be empty, as bits."""
        return sum(role for role, (low, _) in zip(ROLES, self.size_bounds, strict=True) if low)

    @property
    def has_size_bounds(self) -> bool:
        """Whether set sizes are bounded."""
        n = len(self.totals)
        return any(low > 1 or high < n for low, high in self.size_bounds)

    def cells(self) -> Iterator[Cell]:
        """The disjoint cells of the family."""
        roles = {"either": (CRAPS, NATURAL), "craps": (CRAPS,), "naturals": (NATURAL,)}[self.out_in]
        for out, total in enumerate(self.totals):
            if self.outs is not None and total not in self.outs:
                continue
            for role in roles:
                for allowed in self._labelled_roles():
                    cell = self._cell(out, role, allowed)
                    # a cell that can't fill a required set holds no variant
                    if cell and not self.required & ~cell.fillable:
                        yield cell

    def _labelled_roles(self) -> Iterator[list[int]]:
        """The allowed sets of each total.

        The canonical labelling is a disjoint union, by the first total that is not a craps.
        """
        if self.labelling == "all":
            yield list(self.allowed_roles)
            return
        n = len(self.totals)
        for first in range(1, n):
            # the totals before the first that is not craps are craps, and that one is a natural
            forced = [CRAPS] * first + [NATURAL] + [ANY] * (n - first - 1)
            yield [a & b for a, b in zip(forced, self.allowed_roles, strict=True)]

    def _cell(self, out: int, role: int, allowed: list[int]) -> Cell | None:
        """The cell of an out in a set; None if a total has no allowed set left."""
        n = len(allowed)
        # the out is in one set only, so its token is fixed
        allowed[out] &= role
        if self.symmetric:
            # with an odd number of totals the one in the middle is its own mirror image
            pairs = [(i, n - 1 - i) if i != n - 1 - i else (i,) for i in range((n + 1) // 2)]
            tokens = [Token(pair, allowed[pair[0]] & allowed[pair[-1]]) for pair in pairs]
        else:
            tokens = [Token((i,), allowed[i]) for i in range(n)]
        if not all(token.roles for token in tokens):
            return None
        fixed = tuple(token for token in tokens if token.roles in ROLES)
        return Cell(out, fixed, tuple(token for token in tokens if token.roles not in ROLES))

    def with_attributes(self, **attributes: Any) -> "Family":
        """The family with other attributes."""
        # the attributes are checked already, so `__init__` is passed by
        family = object.__new__(Family)
        for field in fields(self):
            value = attributes.get(field.name, getattr(self, field.name))
            object.__setattr__(family, field.name, value)
        return family

    def must_be_affordable(self) -> None:
        """Refuse a family whose cells would exceed the budget.

        Raises:
            TooMuchWorkError: the estimate is over the budget.
        """
        n = len(self.totals)
        cells = 2 * n * (n - 1 if self.labelling == "canonical" else 1)
        afford(
            f"going through {self}",
            seconds=SECONDS_PER_TOKEN * n * cells,
            instead="constrain the family",
        )

    @cached_property
    def size(self) -> int:
        """The exact number of variants, by inclusion and exclusion over empty sets.

        Raises:
            TooMuchWorkError: too many totals for the budget.
        """
        self.must_be_affordable()
        # cells that differ only in the names of totals have equally many variants
        size_by_shape: dict[object, int] = {}
        total = 0
        for cell in self.cells():
            key = (
                cell.filled,
                *(
                    frozenset(Counter((t.roles, len(t.members)) for t in tokens).items())
                    for tokens in (cell.fixed if self.has_size_bounds else (), cell.tokens)
                ),
            )
            if key not in size_by_shape:
                size_by_shape[key] = self._cell_size(cell)
            total += size_by_shape[key]
        return total

    def _cell_size(self, cell: Cell) -> int:
        """The number of variants in a cell."""
        if self.has_size_bounds:
            shapes = self._shapes(cell)
            return sum(ways for shape, ways in shapes.items() if self._fits(shape))
        # where sizes are free, only emptiness matters: inclusion and exclusion over empty sets
        return sum(
            sign * prod((token.roles & allowed).bit_count() for token in cell.tokens)
            for sign, allowed in inclusion_exclusion(self.required & ~cell.filled)
        )

    def _shapes(self, cell: Cell) -> dict[tuple[int, int, int], int]:
        """The number of a cell's assignments by set sizes.

        Sizes above the bounds are left out.
        """
        (_, max_craps), (_, max_naturals), (_, max_points) = self.size_bounds
        shapes: dict[tuple[int, int, int], int] = {(0, 0, 0): 1}
        for token in cell.fixed + cell.tokens:
            extended: Counter[tuple[int, int, int]] = Counter()
            k = len(token.members)
            for (craps, naturals, points), ways in shapes.items():
                if token.roles & CRAPS and craps + k <= max_craps:
                    extended[craps + k, naturals, points] += ways
                if token.roles & NATURAL and naturals + k <= max_naturals:
                    extended[craps, naturals + k, points] += ways
                if token.roles & POINT and points + k <= max_points:
                    extended[craps, naturals, points + k] += ways
            shapes = extended
        return shapes

    def _fits(self, shape: tuple[int, ...]) -> bool:
        return all(low <= k <= high for k, (low, high) in zip(shape, self.size_bounds, strict=True))

    def __iter__(self) -> Iterator[Variant]:
        """The variants, one at a time, cell by cell."""
        for cell in self.cells():
            choices = [[r for r in ROLES if r & token.roles] for token in cell.tokens]
            for chosen in product(*choices):
                variant = self.variant(cell, chosen)
                if variant is not None:
                    yield variant

    def variant(self, cell: Cell, chosen: Iterable[int]) -> Variant | None:
        """The variant of a cell and roles; None if sizes are out of bounds."""
        sets: dict[int, list[int]] = {role: [] for role in ROLES}
        for token in cell.fixed:
            sets[token.roles] += [self.totals[i] for i in token.members]
        for token, role in zip(cell.tokens, chosen, strict=True):
            sets[role] += [self.totals[i] for i in token.members]
        if not self._fits(tuple(len(sets[role]) for role in ROLES)):
            return None
        return Variant(sets[CRAPS], sets[NATURAL], self.totals[cell.out])

    def __contains__(self, variant: object) -> bool:
        if not isinstance(variant, Variant) or not (
            variant.craps | variant.naturals <= set(self.totals)
        ):
            return False
        role = role_of(variant, variant.out)
        roles = [role_of(variant, total) for total in self.totals]
        if self.outs is not None and variant.out not in self.outs:
            return False
        if self.out_in != "either" and role != {"craps": CRAPS, "naturals": NATURAL}[self.out_in]:
            return False
        if not all(map(and_, roles, self.allowed_roles)):
            return False
        if self.symmetric and roles != roles[::-1]:
            return False
        if self.labelling == "canonical":
            others = [role for role in roles if role != CRAPS]
            # the lowest total is a craps, and the lowest of the others a natural
            if roles[0] != CRAPS or others[:1] != [NATURAL]:
                return False
        return self._fits(tuple(roles.count(r) for r in ROLES))

    def __str__(self) -> str:
        # a long list of dice would fill the line of every message
        short = isinstance(self.dice, Dice) and len(str(self.dice)) <= 60
        name = str(self.dice) if short else f"{len(self.totals)} totals"
        parts = [name] if self.labelling == "all" else [name, "canonical"]
        for field in ("craps", "naturals", "points", "outs"):
            allowed = getattr(self, field)
            if allowed is not None:
                parts.append(f"{field} among {','.join(map(str, sorted(allowed)))}")
        if self.out_in != "either":
            parts.append(f"out in the {self.out_in}")
        if self.symmetric:
            parts.append("symmetric")
        n = len(self.totals)
        for field, (low, high) in zip(
            ("craps", "naturals", "points"), self.size_bounds, strict=True
        ):
            if (low, high) != (1, n):
                parts.append(f"{low} to {high} {field}")
        return ", ".join(parts)

    def _rollable_totals(self, name: str, allowed: Iterable[int] | str) -> frozenset[int]:
        """A set of totals, each of which the dice can roll; `name` is the argument's."""
        totals = totals_of(name, allowed)
        for total in sorted(totals):
            if total not in self.ways:
                span = f"{shown(self.totals[0])} to {shown(self.totals[-1])}"
                raise RulesError(
                    f"{shown(total)} in {name}: the dice can't roll it; they roll {span}"
                )
        return totals

    def _size_bounds(self, name: str, size: SizeBounds) -> tuple[int, int]:
        """The least and the greatest size of a set, as far as the dice have totals.

        Raises:
            RulesError: not a size or two, or out of order.
        """
        # without a point no game has a second roll; craps or naturals may be empty
        smallest, n = int(name == "n_points"), len(self.totals)
        if size is None:
            size = (1, None)
        match size if isinstance(size, tuple) else (size, size):
            case (int(low), int() | None as upper):
                high = max(low, n) if upper is None else upper
                if smallest <= low <= high:
                    return low, min(high, n)
        raise RulesError(
            f"{name}={shown(size)}; give a size, or (least, most), each {smallest} or more"
        )


def family_of(family: "Family | DiceLike") -> Family:
    """A family; for dice, all their variants.

    >>> family_of("2d6") == Family("2d6")
    True

    Raises:
        RulesError: neither a family nor dice.
    """
    return family if isinstance(family, Family) else Family(family)


def _must_have_few_totals(dice: Rollable) -> None:
    """Refuse dice with too many totals before computing them.

    Two sets of numbers have at least |A| + |B| - 1 different sums.
    """
    if isinstance(dice, Dice | Die):
        faces = [die.faces for die in dice.dice] if isinstance(dice, Dice) else [dice.faces]
        # a bound that needs no addition of the dice
        totals = 1 + sum(len(set(die_faces)) - 1 for die_faces in faces)
    else:
        totals = len(weights_of(dice))
    if totals > MAX_TOTALS:
        raise TooManyVariantsError(
            f"{shown(str(dice))[1:-1]}: {totals:,} totals or more; a family has room for "
            f"{MAX_TOTALS:,}: take fewer or smaller dice"
        )
