"""The constants that, with `philox` and `tree`, define which random bit belongs to which game.

The games of a block are played in step: all that are still on roll for the first time, then for the
second time, and so on.

States in which the same coins decide (that have the same tree) stand in *parties*: in the chain's
order each state joins the last party of its tree, or opens another if that has `CROWD` states. The
line is the parties in the order in which they were opened. Before each roll the games are lined up
by state, in that order, and within a state in the order in which they came. At each roll:

1. The states of a party that have `FEW` games or more, if they have `COHORT` or more together, toss
   their tree's coins together. Each node of the tree, in order, takes the next draw of the block (a
   node that no one visits lets its draw go by). The i-th game at a node, in line, follows the i-th
   bit of its draw. The games that the tree refuses stay in their states; when every party has had
   its turn, each that can still toss together has another.
2. The games that are left, in line, are lone. The j-th lone game takes its coins from bits 32·j to
   32·j + 31 of the next draw; one that needs more takes the same bits of the draw after it, and so
   on. One that its tree refuses begins again at the root, without losing a bit. The roll takes as
   many draws as its neediest lone game.

The games of a state that reach a slot come in the order of the nodes that they came from, and those
of an earlier turn before those of a later. Nothing here depends on how many games are played at
once, and by what.
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
"""This many states make a party, at most."""
MAX_GAMES: Final = BLOCK << 32
"""More games than this have no block to be in."""


def blocks(first: int, games: int) -> Iterator[tuple[int, int]]:
    """The blocks of this many games, from block `first` on: the number and the games of each.

    >>> [number for number, games in blocks(first=7, games=BLOCK + 1)]
    [7, 8]
    """
    while games > 0:
        yield first, min(BLOCK, games)
        first, games = first + 1, games - BLOCK
