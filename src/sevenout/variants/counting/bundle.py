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
from itertools import combinations, product
from math import comb, lcm

from sevenout.variants.family import Family
from sevenout.variants.total_sets import CRAPS, NATURAL, POINT, Cell, Token
from sevenout.variants.variant import Variant


@dataclass(frozen=True, slots=True, order=True)
class TokenKind:
    """A kind of tokens with equal effect.

    Attributes:
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
        step: the contribution of each token moved.
        free: the contribution of one not moved, as a natural; 0 if it can't be one.
        most: the most tokens that can be moved.
    """

    kind: TokenKind
    count: int
    step: Fraction
    free: int
    most: int

    @classmethod
    def of(cls, kind: TokenKind, count: int, out: int) -> "BundleGroup":
        """The group of `count` tokens, for an out of weight `out`."""
        point = kind.point(out)
        if not kind.roles & POINT:
            return cls(kind, count, Fraction(), kind.natural, 0)
        if kind.roles == NATURAL | POINT:
            return cls(kind, count, kind.natural - point, 0, count)
        return cls(kind, count, point, kind.natural * bool(kind.roles & NATURAL), count)

    def offset(self, out: int) -> Fraction:
        """The group's contribution with nothing moved and no free natural."""
        if self.kind.roles == NATURAL | POINT:
            return self.count * self.kind.point(out)
        return Fraction()

    @property
    def into(self) -> int:
        """The set that moved tokens go to."""
        return NATURAL if self.kind.roles == NATURAL | POINT else POINT

    @property
    def stay(self) -> int:
        """The sets of the others, as bits: craps, or naturals if free."""
        return self.kind.roles & ~self.into


@dataclass(frozen=True)
class Slot:
    """Cells that differ only in the names of totals.

    Attributes:
        base: the contribution of fixed tokens, and of groups with nothing moved.
        have: the sets that the fixed tokens fill, as bits.
        sizes: the number of totals that the fixed tokens put in each set.
    """

    base: Fraction
    have: int
    sizes: tuple[int, int, int]
    cells: tuple[tuple[Cell, tuple[tuple[Token, ...], ...]], ...]


@dataclass(frozen=True)
class Bundle:
    """Cells with equal out weight and equal groups."""

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
        moves = [g.most * step for g, step in zip(self.groups, self.steps, strict=True)]
        free = sum(g.free * g.count for g in self.groups) * self.modulus
        return sum(min(m, 0) for m in moves), sum(max(m, 0) for m in moves) + free

    @cached_property
    def tokens(self) -> int:
        """The number of tokens."""
        return sum(group.count for group in self.groups)

    @cached_property
    def bits(self) -> int:
        """Bits for the largest possible number of assignments."""
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
        if self.family.need & ~(slot.have | self._fills(moved, naturals, free)):
            return 0
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
                filled = cell.have
                for role in chosen:
                    filled |= role
                variant = self.family.variant(cell, chosen)
                if variant is not None and not self.family.need & ~filled:
                    yield variant

    def _assign(
        self, at: int, moved: Sequence[int], naturals: int, tokens: Sequence[tuple[Token, ...]]
    ) -> Iterator[dict[Token, int]]:
        if at == len(self.groups):
            if naturals == 0:
                yield {}
            return
        rest = sum(
            g.free * (g.count - x)
            for g, x in zip(self.groups[at + 1 :], moved[at + 1 :], strict=True)
        )
        group, x = self.groups[at], moved[at]
        into, stay = group.into, group.stay & ~NATURAL
        most = group.count - x if group.free else 0
        for k in range(most + 1):
            left = naturals - k * group.free
            if not 0 <= left <= rest:
                continue
            for picked in combinations(tokens[at], x):
                others = [token for token in tokens[at] if token not in picked]
                for won in combinations(others, k):
                    head = {token: into if token in picked else stay for token in tokens[at]}
                    head.update(dict.fromkeys(won, NATURAL))
                    for tail in self._assign(at + 1, moved, left, tokens):
                        yield head | tail


def bundles(family: Family) -> list[Bundle]:
    """The cells of a family in bundles.

    >>> [(b.out, len(b.groups), sum(len(s.cells) for s in b.slots)) for b in bundles(Family("2d6"))]
    [(1, 6, 4), (2, 6, 4), (3, 6, 4), (4, 6, 4), (5, 6, 4), (6, 5, 2)]
    """
    found: dict[tuple[int, tuple[tuple[TokenKind, int], ...]], dict[object, list[object]]] = (
        defaultdict(lambda: defaultdict(list))
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
        found[out, key][frozenset(fixed.items())].append((cell, members))
    result = []
    for (out, key), slots in sorted(found.items(), key=lambda item: item[0]):
        groups = tuple(BundleGroup.of(kind, count, out) for kind, count in key)
        offset = sum((group.offset(out) for group in groups), Fraction())
        result.append(
            Bundle(family, out, groups, tuple(_slot(f, out, offset, c) for f, c in slots.items()))
        )
    return result


def _slot(fixed: object, out: int, offset: Fraction, cells: list[object]) -> Slot:
    base, have, sizes = offset, 0, [0, 0, 0]
    assert isinstance(fixed, frozenset)
    for (kind, role), count in fixed:
        have |= role
        sizes[(CRAPS, NATURAL, POINT).index(role)] += count * kind.members
        base += count * kind.adds(role, out)
    return Slot(base, have, (sizes[0], sizes[1], sizes[2]), tuple(cells))  # type: ignore[arg-type]


def kind_of(family: Family, token: Token) -> TokenKind:
    """The kind of a token."""
    return TokenKind(family.weights[token.members[0]], len(token.members), token.roles)


def digits(groups: Sequence[BundleGroup]) -> Iterator[tuple[int, ...]]:
    """Every choice of numbers to move."""
    return product(*(range(group.most + 1) for group in groups))
