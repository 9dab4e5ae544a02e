"""Races: chutes and ladders, and the battles of Risk."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Die, Roll, Rollable, parse_dice
from sevenout.rules import Game, settle
from sevenout.rules.game import Frozen
from sevenout.rules.race_games import Race

# --- chutes and ladders ---


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


# --- risk: a battle to the end ---


Armies = tuple[int, int]


def losses(roll: Roll, attack: int) -> Armies:
    """The armies lost by attacker and defender; ties go to the defender.

    >>> losses(parse_dice("5d6").roll([6, 2, 2, 5, 2]), 3)
    (1, 1)
    """
    ours = sorted(roll.faces[:attack], reverse=True)
    theirs = sorted(roll.faces[attack:], reverse=True)
    lost = sum(mine <= yours for mine, yours in zip(ours, theirs, strict=False))
    return lost, min(len(ours), len(theirs)) - lost


@cache
def _dice(attack: int, defend: int) -> Rollable:
    return parse_dice(f"{attack + defend}d6").read(partial(losses, attack=attack))


@dataclass(frozen=True)
class Battle(Game):
    """A battle; a state is (attacking, defending) armies.

    >>> Battle((3, 2)).step((3, 2), (0, 2)).label
    'attacker wins'
    """

    start: Hashable

    def rolls(self, state: Armies) -> Rollable:
        """Up to three dice against up to two."""
        attack, defend = state
        return _dice(min(attack, 3), min(defend, 2))

    def step(self, state: Armies, lost: Armies) -> Any:
        attack, defend = state[0] - lost[0], state[1] - lost[1]
        if not attack:
            return settle("defender wins")
        return (attack, defend) if defend else settle("attacker wins")


def risk(attackers: int = 5, defenders: int = 5) -> Battle:
    """A battle at Risk, fought until one side has no armies left. The attacker rolls a die for each
    army, up to three, and the defender up to two. The highest die of each side is compared, and
    then the second highest, and the lower loses an army. A tie is the defender's. The army that
    must stay behind in the attacker's country is not counted among them.
    """
    for name, armies in (("attackers", attackers), ("defenders", defenders)):
        if not 1 <= armies <= 500:
            raise RulesError(f"{name}={shown(armies)}; an army has 1 to 500")
    return Battle((attackers, defenders))


entry = partial(Entry, family="Risk", bet="")

# fmt: off
ENTRIES += [
    entry("risk-battle", "Risk, a battle", risk,
          source="J. A. Osborne, Markov Chains for the RISK Board Game Revisited, Math. "
          "Magazine 76 (2003)"),
]
# fmt: on
