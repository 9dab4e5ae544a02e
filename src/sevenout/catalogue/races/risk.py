"""Risk: a battle to the end."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import Roll, Rollable, parse_dice
from sevenout.rules import Game, settle

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
ENTRIES = [
    entry("risk-battle", "Risk, a battle", risk,
          source="J. A. Osborne, Markov Chains for the RISK Board Game Revisited, Math. "
          "Magazine 76 (2003)"),
]
# fmt: on
