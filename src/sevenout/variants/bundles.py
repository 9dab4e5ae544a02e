"""Bundles of cells that pose the same arithmetic problem.

Tokens of equal weight form *groups*. A choice is the number of a group's tokens moved to the
points, or to the naturals if a token can be a natural or a point but no craps. In units of 1/D, D
the sum of the weights,

    D · P(win)  =  base  +  Σ moved_i · step_i  +  (sum of the naturals' weights among the rest),

where only the steps have a fractional part.
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


def limit(exact: Fraction, side: Direction, strict: bool) -> int:
    """The last integer on one side of a fraction, itself included unless `strict`.

    >>> limit(Fraction(7, 2), -1, True), limit(Fraction(4), -1, True), limit(Fraction(4), 1, False)
    (3, 3, 4)
    """
    if side < 0:
        return ceil(exact) - 1 if strict else floor(exact)
    return floor(exact) + 1 if strict else ceil(exact)


@dataclass(frozen=True, slots=True, order=True)
class TokenKind:
    """A kind of tokens with equal effect.

    Attributes:
        weight: of each of its totals, in ways.
        members: the number of totals in the token.
        roles: the sets that it may go into, as bits.
    """

    weight: int
    members: int
    roles: int

    @property
    def natural(self) -> int:
        """The token's contribution as a natural."""
        return self.members * self.weight

    def adds(self, role: int, out: int) -> Fraction:
        """The token's contribution in a set, for an out of this weight."""
        return self.point(out) if role == POINT else Fraction(self.natural * (role == NATURAL))

    def point(self, out: int) -> Fraction:
        """The token's contribution as a point, for an out of this weight."""
        return Fraction(self.members * self.weight**2, self.weight + out)


@dataclass(frozen=True)
class BundleGroup:
    """Tokens of one kind.

    Attributes:
        kind: of its tokens.
        count: the number of its tokens.
        step: the contribution of each token moved.
        free: the contribution of one not moved, as a natural; 0 if it can't be one.
        max_moved: the most tokens that can be moved.
    """

    kind: TokenKind
    count: int
    step: Fraction
    free: int
    max_moved: int

    @classmethod
    def of(cls, kind: TokenKind, count: int, out: int) -> "BundleGroup":
        """The group of `count` tokens, for an out of weight `out`."""
        point = kind.point(out)
        # craps or natural: nothing moves, and only naturals contribute
        if not kind.roles & POINT:
            return cls(kind, count, Fraction(), kind.natural, 0)
        # natural or point: as points they are in the base, and a move makes a natural of one
        if kind.roles == NATURAL | POINT:
            return cls(kind, count, kind.natural - point, 0, count)
        return cls(kind, count, point, kind.natural * bool(kind.roles & NATURAL), count)

    def offset(self, out: int) -> Fraction:
        """The group's contribution with nothing moved and no free natural."""
        if self.kind.roles == NATURAL | POINT:
            return self.count * self.kind.point(out)
        return Fraction()

    @property
    def choices(self) -> int:
        """The number of ways to choose how many tokens are moved: none, one, ..."""
        return self.max_moved + 1

    @property
    def into(self) -> int:
        """The set that moved tokens go to."""
        return NATURAL if self.kind.roles == NATURAL | POINT else POINT

    @property
    def stay(self) -> int:
        """The sets of the others, as bits: craps, or naturals if free."""
        return self.kind.roles & ~self.into


GroupKey = tuple[tuple[TokenKind, int], ...]
"""The kinds of a bundle's free tokens, with their numbers."""

FixedKey = frozenset[tuple[tuple[TokenKind, int], int]]
"""The kinds of a slot's fixed tokens with their sets, and their numbers."""

CellTokens = tuple[Cell, tuple[tuple[Token, ...], ...]]
"""A cell with its tokens by group."""


@dataclass(frozen=True)
class Slot:
    """Cells that differ only in the names of totals.

    Attributes:
        base: the contribution of fixed tokens, and of groups with nothing moved.
        filled: the sets that the fixed tokens fill, as bits.
        sizes: the number of totals that the fixed tokens put in each set.
        cells: its cells, each with its tokens by group.
    """

    base: Fraction
    filled: int
    sizes: tuple[int, int, int]
    cells: tuple[CellTokens, ...]


@dataclass(frozen=True)
class Bundle:
    """Cells with equal out weight and equal groups.

    Attributes:
        family: the family of the cells.
        out: the weight of the out, in ways.
        groups: of the free tokens.
        slots: the cells, by their fixed tokens.
    """

    family: Family
    out: int
    groups: tuple[BundleGroup, ...]
    slots: tuple[Slot, ...]

    @cached_property
    def modulus(self) -> int:
        """The common denominator of the steps; sums are in units of 1/(D · modulus)."""
        return lcm(1, *(group.step.denominator for group in self.groups))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The steps, in units of 1/modulus."""
        return tuple(int(group.step * self.modulus) for group in self.groups)

    @cached_property
    def ends(self) -> tuple[int, int]:
        """Bounds of all sums, in units of 1/modulus."""
        # each group's extremes are reached apart; free naturals only add
        moves = [g.max_moved * step for g, step in zip(self.groups, self.steps, strict=True)]
        free = sum(g.free * g.count for g in self.groups) * self.modulus
        return sum(min(m, 0) for m in moves), sum(max(m, 0) for m in moves) + free

    def falls_short(self, unit: int, side: Direction) -> bool:
        """Whether no sum reaches `unit` from this side's far end."""
        least, greatest = self.ends
        return unit < least if side < 0 else unit > greatest

    @cached_property
    def tokens(self) -> int:
        """The number of tokens."""
        return sum(group.count for group in self.groups)

    @cached_property
    def bits(self) -> int:
        """Bits for the largest possible number of assignments."""
        # three sets for each token; one bit more, so that sums of coefficients never carry over
        return int(3**self.tokens).bit_length() + 1

    def total(self, moved: Sequence[int]) -> int:
        """The contribution of the moved tokens, in units of 1/modulus."""
        return sum(x * step for x, step in zip(moved, self.steps, strict=True))

    def ways(self, slot: Slot, moved: Sequence[int], naturals: int) -> int:
        """The number of a cell's assignments with these moves and this weight of naturals.

        Assignments that leave a required set empty are not counted.
        """
        free = sum(g.free * (g.count - x) for g, x in zip(self.groups, moved, strict=True))
        if not 0 <= naturals <= free:
            return 0
        if self.family.required & ~(slot.filled | self._fills(moved, naturals, free)):
            return 0
        # a polynomial in the weight of naturals, as one integer with `bits` bits for a coefficient
        packed, ways, bits = 1, 1, self.bits
        for group, x in zip(self.groups, moved, strict=True):
            ways *= comb(group.count, x)
            if group.free:
                for _ in range(group.count - x):
                    packed += packed << (bits * group.free)
        return ways * (packed >> (bits * naturals) & ((1 << bits) - 1))

    def _fills(self, moved: Sequence[int], naturals: int, free: int) -> int:
        bits = NATURAL * (naturals > 0) | CRAPS * (naturals < free)
        for group, x in zip(self.groups, moved, strict=True):
            bits |= group.into * (x > 0)
            if not group.free:
                bits |= group.stay * (x < group.count)
        return bits

    def variants(self, slot: Slot, moved: Sequence[int], naturals: int) -> Iterator[Variant]:
        """The variants that `ways` counts, in all cells of the slot."""
        for cell, groups in slot.cells:
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
        rest = sum(
            g.free * (g.count - x)
            for g, x in zip(self.groups[i + 1 :], moved[i + 1 :], strict=True)
        )
        group, x = self.groups[i], moved[i]
        into, stay = group.into, group.stay & ~NATURAL
        most = group.count - x if group.free else 0
        for k in range(most + 1):
            left = naturals - k * group.free
            # the later groups can't make up for more, so no branch is entered in vain
            if not 0 <= left <= rest:
                continue
            for picked in combinations(tokens[i], x):
                others = [token for token in tokens[i] if token not in picked]
                for won in combinations(others, k):
                    head = {token: into if token in picked else stay for token in tokens[i]}
                    head.update(dict.fromkeys(won, NATURAL))
                    for tail in self._assign(i + 1, moved, left, tokens):
                        yield head | tail


def bundles(family: Family) -> list[Bundle]:
    """The cells of a family in bundles.

    >>> [(b.out, len(b.groups), sum(len(s.cells) for s in b.slots)) for b in bundles(Family("2d6"))]
    [(1, 6, 4), (2, 6, 4), (3, 6, 4), (4, 6, 4), (5, 6, 4), (6, 5, 2)]
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
        fixed: Counter[tuple[TokenKind, int]] = Counter()
        for token in cell.fixed:
            fixed[kind_of(family, token), token.roles] += 1
        members = tuple(tuple(kinds[kind]) for kind in sorted(kinds))
        cells[out, key][frozenset(fixed.items())].append((cell, members))
    result = []
    # by out and groups, so that the same family is always searched in the same order
    for (out, key), cells_by_fixed in sorted(cells.items(), key=lambda item: item[0]):
        groups = tuple(BundleGroup.of(kind, count, out) for kind, count in key)
        offset = sum((group.offset(out) for group in groups), Fraction())
        slots = tuple(_slot(fixed, out, offset, own) for fixed, own in cells_by_fixed.items())
        result.append(Bundle(family, out, groups, slots))
    return result


def _slot(fixed: FixedKey, out: int, offset: Fraction, cells: list[CellTokens]) -> Slot:
    base, filled, sizes = offset, 0, [0, 0, 0]
    for (kind, role), count in fixed:
        filled |= role
        sizes[(CRAPS, NATURAL, POINT).index(role)] += count * kind.members
        base += count * kind.adds(role, out)
    return Slot(base, filled, (sizes[0], sizes[1], sizes[2]), tuple(cells))


def kind_of(family: Family, token: Token) -> TokenKind:
    """The kind of a token."""
    return TokenKind(family.weights[token.members[0]], len(token.members), token.roles)
