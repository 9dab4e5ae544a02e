"""Shut the Box: shut tiles that add up to the roll."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import TWO_DICE
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Rollable, d6
from sevenout.rules import Game, ask, counted, settle

Tiles = tuple[int, ...]

ONE_DIE = ("never", "low sum", "high shut", "always", "only")
"""When one die may be rolled; see `shut_the_box`."""
SHUT = ("any", "two", "dice")
SCORES = ("sum", "digits")
PIPS = TWO_DICE.read(lambda roll: tuple(sorted(roll.faces)))
ONE = d6.read(lambda face: (face,))
LOW = 6
"""The largest low tile, and the largest low sum of open tiles."""


@dataclass(frozen=True)
class ShutTheBox(Game):
    """Shut the Box; a state is the open tiles, with the dice or the roll.

    >>> list(ShutTheBox(9).choices(("shut", (1, 2, 3, 4, 9), (7,))))
    ['3+4', '1+2+4']
    """

    tiles: int
    one_die: str = "low sum"
    shut: str = "any"
    score: str = "sum"
    coordinates = ("", "open", "roll")

    @property
    def start(self) -> Any:  # type: ignore[override]
        return ("open", tuple(range(1, self.tiles + 1)))

    def rolls(self, state: Any) -> Rollable:
        """One die or two dice."""
        one = state[0] == "one die" or self.one_die == "only"
        if self.shut == "dice":
            return ONE if one else PIPS
        return ONE if one else TOTAL

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The number of dice; then the tiles to shut."""
        kind, tiles, *rolled = state
        if kind == "open":
            both = {"one die": ("one die", tiles), "two dice": ("two dice", tiles)}
            return both if self._one_may_do(tiles) else {}
        if kind != "shut":
            return {}
        return {
            "+".join(map(str, chosen)): self._after(tuple(t for t in tiles if t not in chosen))
            for chosen in self._ways(tiles, rolled[0])
        }

    def step(self, state: Any, rolled: Tiles) -> Any:
        _, tiles = state
        if not any(True for _ in self._ways(tiles, rolled)):
            return self._over(tiles)
        return ("shut", tiles, rolled)

    def _ways(self, tiles: Tiles, rolled: Tiles) -> Iterator[Tiles]:
        """The sets of tiles that may be shut."""
        total = sum(rolled)
        most = {"any": len(tiles), "two": 2, "dice": 2}[self.shut]
        for size in range(1, most + 1):
            for chosen in combinations(tiles, size):
                if sum(chosen) == total and (self.shut != "dice" or size == 1 or chosen == rolled):
                    yield chosen

    def _one_may_do(self, tiles: Tiles) -> bool:
        match self.one_die:
            case "low sum":
                return sum(tiles) <= LOW
            case "high shut":
                return max(tiles) <= LOW
            case never_or_always:
                return never_or_always == "always"

    def _after(self, tiles: Tiles) -> Any:
        if not tiles:
            return settle("shut")
        return ask(("open", tiles)) if self._one_may_do(tiles) else ("open", tiles)

    def _over(self, tiles: Tiles) -> Any:
        points = sum(tiles) if self.score == "sum" else int("".join(map(str, tiles)))
        return counted(settle("open"), points=points)


TOTAL = TWO_DICE.read(lambda roll: (roll.total,))
"""Two dice, read as their total."""


def shut_the_box(
    tiles: int = 9, one_die: str = "low sum", shut: str = "any", score: str = "sum"
) -> ShutTheBox:
    """Tiles 1 to `tiles` are open. Two dice are rolled, and open tiles that add up to the roll are
    shut. When none do, the game ends, and the tiles still open are the score; the fewer the better,
    and with all tiles shut it is 0.

    One die may be rolled instead of two: `never`, `always`, at `low sum` (the open tiles add up to
    6 or less) or at `high shut` (all tiles above 6 are shut). With `only` there is one die.
    The tiles to shut are `any`, at most `two`, or those of the `dice`: the two tiles that the dice
    show or the one of their total.
    The score is the `sum` of the open tiles, or their `digits` read as a number.
    """
    if not 1 <= tiles <= 12:
        raise RulesError(f"tiles={shown(tiles)}; a box has 1 to 12")
    for name, value, known in (
        ("one_die", one_die, ONE_DIE),
        ("shut", shut, SHUT),
        ("score", score, SCORES),
    ):
        if value not in known:
            raise RulesError(f"{name}={shown(value)}; give {', '.join(map(repr, known))}")
    return ShutTheBox(tiles, one_die, shut, score)


def most_tiles_first(game: Game) -> Policy:
    """Shut the most tiles; ties go to the highest tile."""
    return partial(_shut, game, 1)


def fewest_tiles_first(game: Game) -> Policy:
    """Shut the fewest tiles; ties go to the highest tile."""
    return partial(_shut, game, -1)


def _shut(game: Game, sense: int, state: Any) -> str:
    options = list(game.choices(state))
    if state[0] == "open":
        return options[0]  # one die, if allowed
    ways = [tuple(map(int, option.split("+"))) for option in options]
    return options[ways.index(max(ways, key=lambda way: (sense * len(way), way[-1])))]


entry = partial(
    Entry,
    family="Shut the Box",
    source="D. Pritchard, The Family Book of Games (1983); Wikipedia, Shut the box",
    readings=(
        "One die at choice once the open tiles add up to 6 or less; also: never, once 7, 8 and 9 "
        "are shut, always, or with one die alone (one_die=).",
        "Any tiles that add up to the roll; also: at most two, or those the dice show (shut=).",
        "The open tiles are added up; also: read as a number (score=).",
        "A player who can shut tiles must.",
    ),
    policies={"fewest-tiles-first": fewest_tiles_first, "most-tiles-first": most_tiles_first},
)

# fmt: off
ENTRIES = [
    entry("shut-the-box", "Shut the Box, all shut", shut_the_box, most="shut",
          value="956177159/9795520512"),
    entry("shut-the-box-two-dice", "Shut the Box, always two dice, all shut",
          shut_the_box, {"one_die": "never"}, most="shut", value="466473281/6530347008"),
    entry("shut-the-box-score", "Shut the Box, the least score", shut_the_box, least="points"),
    entry("shut-the-box-6", "Shut the Box, six tiles and one die",
          shut_the_box, {"tiles": 6, "one_die": "only"}, most="shut", value="145/1944"),
    entry("shut-the-box-10", "Shut the Box, ten tiles", shut_the_box, {"tiles": 10}, most="shut"),
    entry("shut-the-box-12", "Shut the Box, twelve tiles",
          shut_the_box, {"tiles": 12}, most="shut"),
]
# fmt: on
