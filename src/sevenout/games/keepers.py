"""Threes and Midnight: some dice are kept of each roll, and the others are rolled again."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sevenout.chain.model import Policy
from sevenout.dice import Rollable, parse_dice
from sevenout.errors import RulesError, shown
from sevenout.games.decision import Decision
from sevenout.rules import Game, counted, keeps, settle

Hand = tuple[int, ...]


@cache
def hands(dice: int) -> Rollable:
    """So many dice, read as a hand."""
    return parse_dice(f"{dice}d6").hands


def said(kept: Hand) -> str:
    """What is kept, in words.

    >>> said((3, 3, 1))
    'keep 1-3-3'
    """
    return "keep " + "-".join(map(str, sorted(kept)))


@dataclass(frozen=True)
class Threes(Game):
    """Threes. A state is how many dice are rolled, and the hand that they show, if any; the score
    is counted on the way.

    >>> Threes(5).choices((2, (3, 6)))["keep 3-6"].counts
    (('points', 6),)
    """

    dice_kept: int

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All the dice."""
        return (self.dice_kept, ())

    def rolls(self, state: tuple[int, Hand]) -> Rollable:
        """The dice that are not kept."""
        return hands(state[0])

    def choices(self, state: tuple[int, Hand]) -> Mapping[str, Any]:
        """Which dice are kept."""
        dice, hand = state
        return {said(kept): self._kept(dice, kept) for kept in keeps(hand, 1)} if hand else {}

    def step(self, state: tuple[int, Hand], hand: Hand) -> Any:
        """One roll."""
        return state[0], hand

    def _kept(self, dice: int, kept: Hand) -> Any:
        left = dice - len(kept)
        points = sum(face for face in kept if face != 3)
        return counted((left, ()) if left else settle("all kept"), points=points)


@dataclass(frozen=True)
class Midnight(Game):
    """Midnight. A state is the qualifiers still to be kept, the total of the other dice that are
    kept, how many dice are rolled, and the hand that they show, if any.

    >>> Midnight(6, (1, 4)).choices(((4,), 18, 2, (4, 6)))["keep 4-6"].then.label
    '24'
    """

    dice_kept: int
    needed: Hand

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All the dice."""
        return (self.needed, 0, self.dice_kept, ())

    def rolls(self, state: Any) -> Rollable:
        """The dice that are not kept."""
        return hands(state[2])

    def choices(self, state: Any) -> Mapping[str, Any]:
        """Which dice are kept."""
        *_, hand = state
        return {said(kept): self._kept(state, kept) for kept in keeps(hand, 1)} if hand else {}

    def step(self, state: Any, hand: Hand) -> Any:
        """One roll."""
        needed, total, dice, _ = state
        return needed, total, dice, hand

    def _kept(self, state: Any, kept: Hand) -> Any:
        needed, total, dice, _ = state
        missing = tuple(face for face in needed if face not in kept)
        total += sum(kept) - sum(face for face in needed if face in kept)
        left = dice - len(kept)
        if left:
            return (missing, total, left, ())
        return settle("no score") if missing else counted(settle(str(total)), points=total)


def threes(dice: int = 5) -> Threes:
    """Five dice are rolled; at least one is kept, and the others are rolled again, until all are
    kept. The score is the total of the faces, but a 3 counts 0; the least is best.
    """
    return Threes(_dice(dice, 1))


def midnight(dice: int = 6, needed: tuple[int, ...] = (1, 4)) -> Midnight:
    """Six dice are rolled; at least one is kept, and the others are rolled again, until all are
    kept. Whoever has kept a 1 and a 4 scores the total of the other four, 24 at most; whoever has
    not, nothing. Other faces may be `needed`, such as 2 and 4.
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
        worth = {face: 0 if face == 3 else face for face in state[1]}
        kept = [face for face in state[1] if worth[face] <= most]
        return said(tuple(kept or [min(worth, key=lambda face: worth[face])]))

    return policy


def qualify_first(_: Game) -> Policy:
    """Keep what is needed, and every 6 once nothing is; with neither, the highest die."""

    def policy(state: Any) -> str:
        needed, _, _, hand = state
        kept = [face for face in needed if face in hand]
        rest = list(hand)
        for face in kept:
            rest.remove(face)
        if len(kept) == len(needed):
            kept += [face for face in rest if face == 6]
        return said(tuple(kept or [max(rest)]))

    return policy


KEEP = "One die or more is kept of each roll, and is never rolled again."

# fmt: off
DECISIONS = [
    Decision("threes", "Threes", threes, family="Threes", least="points",
             source="Wikipedia, Threes", readings=(KEEP,), policies={"keep-1": low},
             value="504205555/80621568"),
    Decision("midnight", "Midnight", midnight, family="Midnight", most="points",
             source="Wikipedia, Midnight (game)", policies={"qualify-first": qualify_first},
             readings=(KEEP, "A 1 and a 4 beyond the first count in the total.")),
]
# fmt: on
