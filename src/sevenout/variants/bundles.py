"""Bundles of cells that pose the same arithmetic problem.

Tokens of equal weight and equal allowed sets form a *token group*. A choice is the number of its
tokens moved to the points, or to the naturals if a token can be a natural or a point but no craps.
In units of 1/D, D the sum of the weights,

    D · P(win)  =  base  +  Σ moved_i · step_i  +  (sum of the naturals' weights among the rest),

where only the steps have a fractional part. A *bundle* is all cells of a family with the same
groups and the same weight of the out. Those with the same base are a *cell group*: their variants
differ only in the names of totals.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import ceil, comb, floor, lcm
from typing import Literal

from sevenout.variants.family import CRAPS, NATURAL, POINT, Cell, Family, Token
from sevenout.variants.variant import Variant

Direction = Literal[-1, 1]
"""Below a target, or above it."""


def nearest_integer(number: Fraction, direction: Direction, strict: bool) -> int:
    """The nearest integer below or above a number, itself included unless `strict`.

    >>> nearest_integer(Fraction(7, 2), -1, True), nearest_integer(Fraction(4), -1, True)
    (3, 3)
    >>> nearest_integer(Fraction(4), 1, False)
    4
    """
    if direction < 0:
        return ceil(number) - 1 if strict else floor(number)
    return floor(number) + 1 if strict else ceil(number)


@dataclass(frozen=True, slots=True, order=True)
class TokenKind:
    """A kind of tokens: those that contribute the same in each set.

    Attributes:
        weight: the weight of each of its totals, in ways.
        members: the number of totals in the token.
        roles: the sets that it may go into, as bits.
    """

    weight: int
    members: int
    roles: int

    @property
    def as_natural(self) -> int:
        """The token's contribution as a natural."""
        return self.members * self.weight

    def contribution(self, role: int, out: int) -> Fraction:
        """The token's contribution in a set, for an out of this weight."""
        if role == POINT:
            return self.as_point(out)
        return Fraction(self.as_natural if role == NATURAL else 0)

    def as_point(self, out: int) -> Fraction:
        """The token's contribution as a point, for an out of this weight."""
        return Fraction(self.members * self.weight**2, self.weight + out)


@dataclass(frozen=True)
class TokenGroup:
    """Tokens of one kind.

    Attributes:
        kind: the kind of its tokens.
        count: the number of its tokens.
        step: the contribution of each token moved.
        free_weight: the contribution of one not moved, as a natural; 0 if it can't be one.
        max_moved: the number of tokens that can be moved.
    """

    kind: TokenKind
    count: int
    step: Fraction
    free_weight: int
    max_moved: int

    @classmethod
    def of(cls, kind: TokenKind, count: int, out: int) -> "TokenGroup":
        """The group of `count` tokens, for an out of weight `out`."""
        # craps or natural: nothing moves, and only naturals contribute
        if not kind.roles & POINT:
            return cls(kind, count, Fraction(), kind.as_natural, 0)
        as_point = kind.as_point(out)
        # natural or point: as points they are in the base, and a move makes a natural of one
        if kind.roles == NATURAL | POINT:
            return cls(kind, count, kind.as_natural - as_point, 0, count)
        free_weight = kind.as_natural if kind.roles & NATURAL else 0
        return cls(kind, count, as_point, free_weight, count)

    def offset(self, out: int) -> Fraction:
        """The group's contribution if nothing is moved and no other token is a natural."""
        if self.kind.roles == NATURAL | POINT:
            return self.count * self.kind.as_point(out)
        return Fraction()

    @property
    def n_choices(self) -> int:
        """The number of choices of how many tokens are moved: none, one, ..."""
        return self.max_moved + 1

    @property
    def moved_role(self) -> int:
        """The set that moved tokens go to."""
        return NATURAL if self.kind.roles == NATURAL | POINT else POINT

    @property
    def unmoved_roles(self) -> int:
        """The sets that the other tokens may be in, as bits."""
        return self.kind.roles & ~self.moved_role


GroupKey = tuple[tuple[TokenKind, int], ...]
"""The kinds of a bundle's free tokens, with their numbers."""

FixedKey = frozenset[tuple[tuple[TokenKind, int], int]]
"""The kinds of a cell group's fixed tokens with their sets, and their numbers."""

CellTokens = tuple[Cell, tuple[tuple[Token, ...], ...]]
"""A cell with its tokens by group."""


@dataclass(frozen=True)
class CellGroup:
    """Cells that differ only in the names of totals.

    Attributes:
        base: the contribution of fixed tokens, and of groups with nothing moved.
        filled: the sets that the fixed tokens fill, as bits.
        sizes: the number of totals that the fixed tokens put in craps, naturals and points.
        members: the cells, each with its tokens by token group.
    """

    base: Fraction
    filled: int
    sizes: tuple[int, int, int]
    members: tuple[CellTokens, ...]


@dataclass(frozen=True)
class Bundle:
    """Cells with equal out weight and equal groups.

    Attributes:
        family: the family of the cells.
        out: the weight of the out, in ways.
        groups: the free tokens, by kind.
        cell_groups: the cells, by their fixed tokens.
    """

    family: Family
    out: int
    groups: tuple[TokenGroup, ...]
    cell_groups: tuple[CellGroup, ...]

    @cached_property
    def modulus(self) -> int:
        """The common denominator of the steps; sums are integers in units of 1/(D · modulus)."""
        return lcm(1, *(group.step.denominator for group in self.groups))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The steps, in units of 1/modulus."""
        return tuple(int(group.step * self.modulus) for group in self.groups)

    @cached_property
    def sum_range(self) -> tuple[int, int]:
        """Bounds of all sums above the base, in units of 1/modulus."""
        # each group's extremes are reached apart; free naturals only add
        moves = [g.max_moved * step for g, step in zip(self.groups, self.steps, strict=True)]
        free = sum(g.free_weight * g.count for g in self.groups) * self.modulus
        return sum(min(m, 0) for m in moves), sum(max(m, 0) for m in moves) + free

    def is_out_of_reach(self, units: int, direction: Direction) -> bool:
        """Whether no sum is `units` or farther in this direction."""
        lowest, highest = self.sum_range
        return units < lowest if direction < 0 else units > highest

    @cached_property
    def n_tokens(self) -> int:
        """The number of free tokens of each cell."""
        return sum(group.count for group in self.groups)

    @cached_property
    def coefficient_bits(self) -> int:
        """Bits for the largest possible number of assignments."""
        # three sets for each token; one bit more, so that sums of coefficients never carry over
        return int(3**self.n_tokens).bit_length() + 1

    def moved_sum(self, moved: Sequence[int]) -> int:
        """The contribution of the moved tokens, in units of 1/modulus."""
        return sum(x * step for x, step in zip(moved, self.steps, strict=True))

    def count_assignments(self, cells: CellGroup, moved: Sequence[int], naturals: int) -> int:
        """The number of one member's assignments with these moves and this weight of naturals.

        Assignments that leave a required set empty are not counted.
        """
        free = sum(g.free_weight * (g.count - x) for g, x in zip(self.groups, moved, strict=True))
        if not 0 <= naturals <= free:
            return 0
        if self.family.required & ~(cells.filled | self._filled(moved, naturals, free)):
            return 0
        # A polynomial in the weight of naturals, packed into one integer (Kronecker substitution):
        # each token that stays is a factor 1 + z^weight.
        packed, ways, bits = 1, 1, self.coefficient_bits
        for group, x in zip(self.groups, moved, strict=True):
            ways *= comb(group.count, x)
            if group.free_weight:
                for _ in range(group.count - x):
                    packed += packed << (bits * group.free_weight)
        coefficient = packed >> (bits * naturals) & ((1 << bits) - 1)
        return ways * coefficient

    def _filled(self, moved: Sequence[int], naturals: int, free: int) -> int:
        """The sets that free tokens fill, as bits, with `free` the weight of those not moved."""
        roles = NATURAL * (naturals > 0) | CRAPS * (naturals < free)
        for group, x in zip(self.groups, moved, strict=True):
            roles |= group.moved_role * (x > 0)
            if not group.free_weight:
                roles |= group.unmoved_roles * (x < group.count)
        return roles

    def variants(self, cells: CellGroup, moved: Sequence[int], naturals: int) -> Iterator[Variant]:
        """The variants that `count_assignments` counts, in all members of a cell group."""
        for cell, groups in cells.members:
            for roles in self._assign(0, moved, naturals, groups):
                chosen = [roles[token] for token in cell.tokens]
                filled = cell.filled
                for role in chosen:
                    filled |= role
                variant = self.family.variant(cell, chosen)
                if variant is not None and not self.family.required & ~filled:
                    yield variant

    def _assign(
        self, i: int, moved: Sequence[int], naturals: int, tokens: Sequence[tuple[Token, ...]]
    ) -> Iterator[dict[Token, int]]:
        """The sets of the tokens of groups from the i-th on, with this weight of naturals."""
        if i == len(self.groups):
            if naturals == 0:
                yield {}
            return
        later_weight = sum(
            g.free_weight * (g.count - x)
            for g, x in zip(self.groups[i + 1 :], moved[i + 1 :], strict=True)
        )
        group, x = self.groups[i], moved[i]
        unmoved_role = group.unmoved_roles & ~NATURAL
        for n_naturals in range(group.count - x + 1 if group.free_weight else 1):
            remaining = naturals - n_naturals * group.free_weight
            # the later groups can't make up for more, so no branch is entered in vain
            if not 0 <= remaining <= later_weight:
                continue
            for moved_tokens in combinations(tokens[i], x):
                unmoved = [token for token in tokens[i] if token not in moved_tokens]
                roles = dict.fromkeys(moved_tokens, group.moved_role)
                roles |= dict.fromkeys(unmoved, unmoved_role)
                for natural_tokens in combinations(unmoved, n_naturals):
                    with_naturals = roles | dict.fromkeys(natural_tokens, NATURAL)
                    for later_roles in self._assign(i + 1, moved, remaining, tokens):
                        yield with_naturals | later_roles


def bundles_of(family: Family) -> list[Bundle]:
    """The cells of a family in bundles.

    >>> [(bundle.out, len(bundle.groups)) for bundle in bundles_of(Family("2d6"))]
    [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 5)]
    """
    # out and groups -> fixed tokens -> cells with their tokens
    cells: dict[tuple[int, GroupKey], dict[FixedKey, list[CellTokens]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for cell in family.cells():
        out = family.weights[cell.out]
        kinds: dict[TokenKind, list[Token]] = defaultdict(list)
        for token in cell.tokens:
            kinds[kind_of(family, token)].append(token)
        key = tuple((kind, len(kinds[kind])) for kind in sorted(kinds))
        fixed = Counter((kind_of(family, token), token.roles) for token in cell.fixed)
        tokens_by_group = tuple(tuple(kinds[kind]) for kind in sorted(kinds))
        cells[out, key][frozenset(fixed.items())].append((cell, tokens_by_group))
    bundles = []
    # by out and groups, so that the same family is always searched in the same order
    for (out, key), cells_by_fixed in sorted(cells.items(), key=lambda item: item[0]):
        groups = tuple(TokenGroup.of(kind, count, out) for kind, count in key)
        offset = sum((group.offset(out) for group in groups), Fraction())
        cell_groups = tuple(
            _cell_group(fixed, out, offset, members) for fixed, members in cells_by_fixed.items()
        )
        bundles.append(Bundle(family, out, groups, cell_groups))
    return bundles


def _cell_group(
    fixed: FixedKey, out: int, offset: Fraction, members: list[CellTokens]
) -> CellGroup:
    """The cell group with these fixed tokens; `offset` is the token groups' part of its base."""
    base, filled, sizes = offset, 0, [0, 0, 0]
    for (kind, role), count in fixed:
        filled |= role
        sizes[(CRAPS, NATURAL, POINT).index(role)] += count * kind.members
        base += count * kind.contribution(role, out)
    return CellGroup(base, filled, (sizes[0], sizes[1], sizes[2]), tuple(members))


def kind_of(family: Family, token: Token) -> TokenKind:
    """The kind of a token."""
    return TokenKind(family.weights[token.members[0]], len(token.members), token.roles)
