"""One turn of Farkle or Zilch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Rollable, parse_dice
from sevenout.rules import Game, ask, counted, settle

Hand = tuple[int, ...]
Scores = tuple[tuple[int, int], ...]
"""The most points of a roll, by number of dice set aside."""
SIX = 6


@dataclass(frozen=True)
class ScoreTable:
    """The scores of sets of dice.

    Attributes:
        kinds: points for three and more of each face, by face and number.
        straight: points for 1-2-3-4-5-6.
        pairs: points for three pairs; four of a kind and a pair count, too.
        triplets: points for two triplets; 0 if they score as two threes of a kind.
        nothing: points for six dice of which nothing scores.
    """

    kinds: tuple[tuple[int, ...], ...]
    straight: int
    pairs: int
    triplets: int = 0
    nothing: int = 0

    def hand(self, dice: Hand) -> int:
        """The most points for dice that all score; 0 if some do not.

        >>> FARKLE.hand((1, 1, 5)), FARKLE.hand((2, 2, 2, 2)), FARKLE.hand((1, 2))
        (250, 1000, 0)
        """
        counts = [dice.count(face) for face in range(1, 7)]
        best = 0
        if len(dice) == SIX:
            if max(counts) == 1:
                best = self.straight
            if all(n % 2 == 0 for n in counts) and max(counts) < SIX:
                best = max(best, self.pairs)
            if sorted(counts)[-2:] == [3, 3]:
                best = max(best, self.triplets)
        singles = (100, 0, 0, 0, 50, 0)
        total = 0
        for n, alone, kinds in zip(counts, singles, self.kinds, strict=True):
            ways = [alone * n] if alone or not n else []
            if n >= 3:
                ways += [kinds[k - 3] + alone * (n - k) for k in range(3, n + 1) if alone or k == n]
            if not ways:
                return best
            total += max(ways)
        return max(best, total)

    def scores(self, rolled: Hand) -> Scores:
        """The scores of a roll.

        >>> FARKLE.scores((1, 2, 2, 2, 3, 5))
        ((1, 100), (2, 150), (3, 200), (4, 300), (5, 350))
        """
        found: dict[int, int] = {}
        for size in range(1, len(rolled) + 1):
            points = max(self.hand(chosen) for chosen in set(combinations(rolled, size)))
            if points:
                found[size] = points
        if not found and len(rolled) == SIX and self.nothing:
            found[SIX] = self.nothing
        return tuple(found.items())


def _same(*points: int) -> tuple[tuple[int, ...], ...]:
    """Three of a kind score 100 times the face, ones 1000; more score as given."""
    return tuple((three, *points) for three in THREE)


THREE = (1000, 200, 300, 400, 500, 600)
FARKLE = ScoreTable(_same(1000, 2000, 3000), straight=1500, pairs=1500, triplets=2500)
ZILCH = ScoreTable(
    tuple((three, 2 * three, 4 * three, 8 * three) for three in THREE),
    straight=1500,
    pairs=1500,
    nothing=500,
)


@cache
def dice_of(table: ScoreTable, dice: int) -> Rollable:
    """Dice, read as their scores."""
    return parse_dice(f"{dice}d6").hands.read(table.scores)


@dataclass(frozen=True)
class Turn(Game):
    """One turn.

    A state is the points so far and the dice to roll; or the points, the dice rolled, and their
    scores.

    >>> turn = Turn(FARKLE, 10_000, 0)
    >>> list(turn.choices((300, 6, ((1, 100), (2, 150))))), list(turn.choices((450, 4)))
    (['set aside 1', 'set aside 2'], ['bank', 'roll'])
    """

    table: ScoreTable = field(repr=False)
    target: int
    least: int
    start = (0, SIX)
    coordinates = ("points", "dice", "offered")

    def rolls(self, state: Any) -> Rollable:
        """The remaining dice, read as their scores."""
        return dice_of(self.table, state[1])

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The dice to set aside; then roll or bank."""
        points, dice, *offered = state
        if offered:
            return {f"set aside {n}": self._after(points + w, dice - n) for n, w in offered[0]}
        if not points or points < self.least:
            return {}
        return {"bank": _banked(points), "roll": state}

    def step(self, state: Any, offered: Scores) -> Any:
        return (*state, offered) if offered else settle("farkle")

    def _after(self, points: int, left: int) -> Any:
        if points >= self.target:
            return _banked(points)
        state = (points, left or SIX)
        return ask(state) if points >= self.least else state


def _banked(points: int) -> Any:
    return counted(settle("banked"), points=points)


def farkle(goal: int = 10_000, least: int = 0) -> Turn:
    """One turn at Farkle. Six dice are rolled; at least one that scores is set aside, and the
    player banks their points or rolls the others on. When all six have scored, all six are rolled
    again. A roll of which nothing scores, a farkle, ends the turn and loses its points.

    A 1 scores 100 and a 5 scores 50; three 1s 1000, three of another face 100 times the face; four
    of a kind 1000, five 2000, six 3000; a straight 1500, three pairs 1500, two triplets 2500. A
    turn banks `least` points or more; one that reaches the goal of the game banks at once.
    """
    return _turn(FARKLE, goal, least)


def zilch(goal: int = 10_000, least: int = 300) -> Turn:
    """One turn at Zilch, as at Farkle, with three differences. Each die beyond three of a kind
    doubles what they score, and two triplets are two threes of a kind. Six dice of which nothing
    scores count 500 and are rolled again. A turn banks `least` points or more.
    """
    return _turn(ZILCH, goal, least)


def _turn(table: ScoreTable, goal: int, least: int) -> Turn:
    if goal < 50:
        raise RulesError(f"goal={shown(goal)}; play to 50 or more")
    if not 0 <= least <= goal:
        raise RulesError(f"least={shown(least)}; bank from 0 up to the goal")
    return Turn(table, goal, least)


def bank_at(_: Game, least: int) -> Policy:
    """Set aside everything that scores; bank at this number of points."""

    def policy(state: Any) -> str:
        points, _, *offered = state
        if offered:
            return f"set aside {offered[0][-1][0]}"
        return "bank" if points >= least else "roll"

    return policy


entry = partial(Entry, family="Farkle", most="points", policies={"bank-300": bank_at})
SAME = (
    "Dice score together only if they were rolled together.",
    "Of several ways to set aside as many dice, the one that scores most is taken.",
    "Four of a kind and a pair are three pairs.",
    "After six scoring dice the player may bank; they need not roll again.",
)

# fmt: off
ENTRIES = [
    entry("farkle-turn", "Farkle, one turn", farkle, source="Wikipedia, Farkle",
          readings=(*SAME, "Four, five and six of a kind score 1000, 2000 and 3000, of any face.",
                    "No least score to bank; 500 is usual for a player's first (least=).")),
    entry("zilch-turn", "Zilch, one turn", zilch, source="Zilch, zilch.playr.co.uk, Rules",
          readings=(*SAME, "The 500 that a third zilch in a row costs are outside the turn.")),
]
# fmt: on
