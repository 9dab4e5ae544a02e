"""The parts of a family: sets of totals, tokens, and cells."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

CRAPS, NATURAL, POINT = 1, 2, 4
ROLES = (CRAPS, NATURAL, POINT)
ANY = CRAPS | NATURAL | POINT


def signed(need: int) -> Iterator[tuple[int, int]]:
    """Inclusion and exclusion over required sets: signs, and the sets left.

    >>> list(signed(NATURAL))
    [(1, 7), (-1, 5)]
    """
    needed = [role for role in ROLES if role & need]
    for drop in product((0, 1), repeat=len(needed)):
        yield (-1) ** sum(drop), ANY & ~sum(r for r, d in zip(needed, drop, strict=True) if d)


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
    """

    out: int
    fixed: tuple[Token, ...]
    tokens: tuple[Token, ...]

    @property
    def have(self) -> int:
        """The sets that the fixed tokens fill, as bits."""
        bits = 0
        for token in self.fixed:
            bits |= token.roles
        return bits

    @property
    def reach(self) -> int:
        """The sets that its tokens may fill, as bits."""
        bits = self.have
        for token in self.tokens:
            bits |= token.roles
        return bits
