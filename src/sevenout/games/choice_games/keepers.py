"""Threes and Midnight: some dice are kept of each roll, and the others are rolled again."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sevenout.dice import Rollable, parse_dice
from sevenout.errors import RulesError, shown
from sevenout.games.decision import Decision
from sevenout.model.model import Policy
from sevenout.rules import Game, counted, keeps, settle

Hand = tuple[int, ...]


@cache
def hands(dice: int) -> Rollable:
    """So many dice, read as a hand."""
    return parse_dice(f"{dice}d6").hands


@dataclass(frozen=True)
class Threes(Game):
    """Threes. A state is how many dice are rolled and what they count for, if they have been: a 3
    is written 0. The score is counted on the way.

    >>> Threes(5).choices((2, (0, 6)))["keep 1 of 2"]
    (1, ())
    """

    dice_kept: int
    coordinates = ("dice", "shown")
    counters = ("points",)

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All the dice."""
        return (self.dice_kept, ())

    def rolls(self, state: tuple[int, Hand]) -> Rollable:
        """The dice that are not kept."""
        return worths(state[0])

    def choices(self, state: tuple[int, Hand]) -> Mapping[str, Any]:
        """How many dice are kept, the lowest of them."""
        dice, hand = state
        options: dict[str, Any] = {}
        for kept in range(1, len(hand) + 1):
            then = (dice - kept, ()) if kept < dice else settle("all kept")
            points = sum(hand[:kept])
            options[f"keep {kept} of {dice}"] = counted(then, points=points) if points else then
        return options

    def step(self, state: tuple[int, Hand], hand: Hand) -> Any:
        return state[0], hand


@cache
def worths(dice: int) -> Rollable:
    """So many dice, read as what they count for at Threes, in order."""
    return hands(dice).read(_worth)


def _worth(hand: Hand) -> Hand:
    return tuple(sorted(0 if face == 3 else face for face in hand))


@dataclass(frozen=True)
class Midnight(Game):
    """Midnight. A state is the qualifiers still to be kept, the total of the other dice that are
    kept, how many dice are rolled, and the hand that they show, if any.

    >>> list(Midnight(6, (1, 4)).choices(((4,), 18, 2, (4, 6))))
    ['1 highest', '2 highest', '4', '4 and 1 highest']
    """

    dice_kept: int
    needed: Hand
    coordinates = ("needed", "total", "dice", "shown")
    counters = ("points",)

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All the dice."""
        return (self.needed, 0, self.dice_kept, ())

    def rolls(self, state: Any) -> Rollable:
        """The dice that are not kept."""
        return hands(state[2])

    def choices(self, state: Any) -> Mapping[str, Any]:
        """Which of the faces that are needed are kept, and how many of the other dice."""
        needed, total, dice, hand = state
        options: dict[str, Any] = {}
        for kept in keeps(tuple(face for face in needed if face in hand)):
            rest = list(hand)
            for face in kept:
                rest.remove(face)
            for more in range(not kept, len(rest) + 1):
                then = total + sum(rest[len(rest) - more :])
                missing = tuple(face for face in needed if face not in kept)
                left = dice - len(kept) - more
                options[said(kept, more)] = self._kept(missing, then, left)
        return options

    def step(self, state: Any, hand: Hand) -> Any:
        needed, total, dice, _ = state
        return needed, total, dice, hand

    def _kept(self, missing: Hand, total: int, left: int) -> Any:
        if left:
            return (missing, total, left, ())
        return settle("no score") if missing else counted(settle(str(total)), points=total)


def said(kept: Hand, more: int) -> str:
    """What is kept at Midnight: faces that are needed, and the highest of the other dice.

    >>> said((4, 1), 2), said((), 1)
    ('1-4 and 2 highest', '1 highest')
    """
    needed = "-".join(map(str, sorted(kept)))
    return " and ".join(filter(None, [needed, f"{more} highest" if more else ""]))


def threes(dice: int = 5) -> Threes:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. The score is the total of the faces, but a 3 counts 0; the least is best.
    """
    return Threes(_dice(dice, 1))


def midnight(dice: int = 6, needed: tuple[int, ...] = (1, 4)) -> Midnight:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. With the faces that are needed among them, a 1 and a 4 unless others are `needed`, the
    score is the total of the other dice; without, it is nothing.
    """
    if len(set(needed)) < len(needed) or not all(1 <= face <= 6 for face in needed):
        raise RulesError(f"needed={shown(needed)}; name different faces from 1 to 6")
    return Midnight(_dice(dice, max(len(needed), 1)), tuple(sorted(needed)))


def _dice(dice: int, least: int) -> int:
    if not least <= dice <= 8:
        raise RulesError(f"dice={shown(dice)}; roll {least} to 8")
    return dice


def low(_: Game, most: int) -> Policy:
    """Keep every die that counts so much or less; with none, the lowest."""

    def policy(state: Any) -> str:
        dice, hand = state
        return f"keep {max(sum(worth <= most for worth in hand), 1)} of {dice}"

    return policy


def qualify_first(_: Game) -> Policy:
    """Keep what is needed, and every 6 once nothing is; with neither, the highest die."""

    def policy(state: Any) -> str:
        needed, _, _, hand = state
        kept = tuple(face for face in needed if face in hand)
        sixes = hand.count(6) - kept.count(6) if len(kept) == len(needed) else 0
        return said(kept, sixes if kept else max(sixes, 1))

    return policy


KEEP = "One die or more is kept of each roll, and is never rolled again."

# fmt: off
DECISIONS = [
    Decision("threes", "Threes", threes, family="Threes", least="points",
             source="Wikipedia, Threes", policies={"keep-to-1": low},
             readings=(KEEP, "Of so many dice the lowest are kept; others never pay."),
             value="504205555/80621568"),
    Decision("midnight", "Midnight", midnight, family="Midnight", most="points",
             source="Wikipedia, Midnight (game)", policies={"qualify-first": qualify_first},
             readings=(KEEP, "A 1 and a 4 beyond the first count in the total.",
                       "Of the dice that are not needed the highest are kept; others never pay.")),
]
# fmt: on
