"""The order of random bits: which bit of `philox` belongs to which game.

The games of a block are rolled in step: all unfinished games roll once, then again, and so on.

States with the same tree form *parties*. In the chain's order each state joins the last party of
its tree, or opens another if that one has `CROWD` states. Before each roll the games form a line by
party (in order of opening), then by state, then by arrival. At each roll:

1. Take the states of a party that have `FEW` games or more. If they have `COHORT` games or more in
   all, they toss their tree's coins together. Each node of the tree, in order, takes the next draw
   of the block (also if no game visits it). The i-th game at a node, in line, follows the i-th bit
   of its draw. Refused games stay in their states. After all parties, each that can still toss
   together does so again.
2. The other games, in line, are lone. The j-th lone game takes bits 32·j to 32·j + 31 of the next
   draw, and if it needs more, the same bits of the following draws. A refused game restarts at the
   root with its next bit. The roll takes as many draws as its longest lone game.

Games that reach a slot arrive in the order of their nodes, and those of an earlier turn first. The
result does not depend on the engine or on the number of games played at once.
"""

from collections.abc import Iterator
from typing import Final

BLOCK: Final = 1 << 22
"""Games in a block; the last block of a run may have fewer."""
COHORT: Final = 256
"""A party with this many games tosses its coins together."""
FEW: Final = 16
"""A state with fewer games does not toss with its party."""
CROWD: Final = 64
"""The most states of a party."""
MAX_GAMES: Final = BLOCK << 32
"""The most games that block numbers allow."""


def blocks(first: int, games: int) -> Iterator[tuple[int, int]]:
    """The number and size of each block, from block `first`.

    >>> [number for number, games in blocks(first=7, games=BLOCK + 1)]
    [7, 8]
    """
    while games > 0:
        yield first, min(BLOCK, games)
        first, games = first + 1, games - BLOCK
