"""Threes and Midnight."""

from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import d6
from sevenout.rules import Game
from sevenout.rules.game import Frozen
from sevenout.rules.keep_games import KeepScore

Hand = tuple[int, ...]


def said(kept: Hand, more: int) -> str:
    """The dice kept at Midnight, in words.

    >>> said((4, 1), 2), said((), 1)
    ('1-4 and 2 best', '1 best')
    """
    needed = "-".join(map(str, sorted(kept)))
    return " and ".join(filter(None, [needed, f"{more} best" if more else ""]))


def threes(dice: int = 5) -> KeepScore:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. The score is the total of the faces, but a 3 counts 0; the least is best.
    """
    return KeepScore(d6, _dice(dice, 1), values=Frozen({3: 0}), low=True)


def midnight(dice: int = 6, needed: tuple[int, ...] = (1, 4)) -> KeepScore:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. With the faces that are needed among them, a 1 and a 4 unless others are `needed`, the
    score is the total of the other dice; without, it is nothing.
    """
    if len(set(needed)) < len(needed) or not all(1 <= face <= 6 for face in needed):
        raise RulesError(f"needed={shown(needed)}; name different faces from 1 to 6")
    return KeepScore(d6, _dice(dice, max(len(needed), 1)), needed=tuple(sorted(needed)))


def _dice(dice: int, least: int) -> int:
    if not least <= dice <= 8:
        raise RulesError(f"dice={shown(dice)}; roll {least} to 8")
    return dice


def low(_: Game, most: int) -> Policy:
    """Keep every die up to this value, or else the lowest."""

    def policy(state: Any) -> str:
        dice, hand = state
        return f"keep {max(sum(value <= most for value in hand), 1)} of {dice}"

    return policy


def qualify_first(_: Game) -> Policy:
    """Keep needed dice, then every 6, or else the highest die."""

    def policy(state: Any) -> str:
        needed, _, _, hand = state
        kept = tuple(face for face in needed if face in hand)
        sixes = hand.count(6) - kept.count(6) if len(kept) == len(needed) else 0
        return said(kept, sixes if kept else max(sixes, 1))

    return policy


KEEP = "One die or more is kept of each roll, and is never rolled again."

# fmt: off
ENTRIES = [
    Entry("threes", "Threes", threes, family="Threes", least="points",
             source="Wikipedia, Threes", policies={"keep-to-1": low},
             readings=(KEEP, "The lowest dice are kept: keeping higher ones never pays."),
             value="504205555/80621568"),
    Entry("midnight", "Midnight", midnight, family="Midnight", most="points",
             source="Wikipedia, Midnight (game)", policies={"qualify-first": qualify_first},
             readings=(KEEP, "A 1 and a 4 beyond the first count in the total.",
                       "Of the dice that are not needed the highest are kept; others never pay.")),
]
# fmt: on
