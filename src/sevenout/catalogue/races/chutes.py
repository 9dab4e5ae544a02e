"""Chutes and ladders."""

from collections.abc import Mapping
from functools import partial

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Die
from sevenout.rules.families.racing import Race
from sevenout.rules.frozen_mapping import Frozen

LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
CHUTES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
"""The ladders and chutes of Milton Bradley's board."""


def chutes(squares: int = 100, jumps: Mapping[int, int] | None = None, spinner: int = 6) -> Race:
    """Chutes and Ladders, alone. The player starts before square 1 and moves by a spinner, 1 to
    `spinner`, up a ladder or down a chute where they land on one. The game ends on square
    `squares`, exactly: a spin that would go beyond it is lost. The board is Milton Bradley's, or
    `jumps` says from where to where.
    """
    if squares < 1 or spinner < 1:
        raise RulesError(f"squares={shown(squares)}, spinner={shown(spinner)}; 1 or more of each")
    board = LADDERS | CHUTES if jumps is None else jumps
    if jumps is None and squares != 100:
        board = {start: end for start, end in board.items() if max(start, end) <= squares}
    for start, end in board.items():
        if not (0 < start < squares and 0 < end <= squares) or end in board:
            raise RulesError(
                f"a jump from {shown(start)} to {shown(end)}; both are squares, and no jump begins "
                "where another ends"
            )
    die = Dice([Die.standard(spinner)])
    return Race(die, squares, Frozen(board), players=1, exact=True)


entry = partial(Entry, family="Chutes and Ladders", bet="")

# fmt: off
ENTRIES = [
    entry("chutes-and-ladders", "Chutes and Ladders", chutes,
          source="S. C. Althoen, L. King and K. Schilling, How Long Is a Game of Snakes and "
          "Ladders? Math. Gazette 77 (1993)"),
]
# fmt: on
