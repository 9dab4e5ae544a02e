"""Can't Stop, alone for the fewest turns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Dice, Die, Rollable
from sevenout.rules import Game, ask, counted, settle

Heights = tuple[int, ...]
"""The progress in each column, from 2 up."""
Pairing = tuple[int, int]

RUNNERS = 3


def pairings(hand: tuple[int, ...]) -> tuple[Pairing, ...]:
    """The pairs of totals into which four dice can be split.

    >>> pairings((1, 2, 2, 5))
    ((3, 7), (4, 6))
    """
    a, b, c, d = hand
    ways = {tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))}
    return tuple(sorted(ways))  # type: ignore[arg-type]


@dataclass(frozen=True)
class CantStop(Game):
    """Can't Stop alone.

    A state is the kind of choice, the safe heights, and the heights of this turn's runners (0 for
    none).

    Args:
        sides: of the four dice.
        shortest: the length of the outermost columns; each column is 2 longer than its outer
            neighbour.
        columns: the number of columns to complete.
    """

    sides: int
    shortest: int
    columns: int
    coordinates = ("", "safe", "runners", "pairs")

    @cached_property
    def lengths(self) -> Heights:
        """The length of each column.

        >>> CantStop(6, 3, 3).lengths
        (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
        """
        last = 2 * self.sides - 2
        return tuple(self.shortest + 2 * min(i, last - i) for i in range(last + 1))

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """Four dice, read as their pairings."""
        return Dice([Die.standard(self.sides)] * 4).hands.read(pairings)

    @property
    def start(self) -> Any:  # type: ignore[override]
        none = (0,) * len(self.lengths)
        return ("roll", none, none)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The totals to climb; then roll or stop."""
        kind, safe, runners, *rolled = state
        if kind == "go on?":
            return {
                "roll": ("roll", safe, runners),
                "stop": counted(("roll", _climbed(safe, runners), (0,) * len(safe)), turns=1),
            }
        if kind == "pair":
            return {
                " and ".join(map(str, totals)): self._after(safe, then)
                for totals, then in self._moves(safe, runners, rolled[0])
            }
        return {}

    def step(self, state: Any, rolled: tuple[Pairing, ...]) -> Any:
        _, safe, runners = state
        if not any(True for _ in self._moves(safe, runners, rolled)):
            return counted(("roll", safe, (0,) * len(safe)), turns=1)
        return ("pair", safe, runners, rolled)

    def _moves(
        self, safe: Heights, runners: Heights, rolled: tuple[Pairing, ...]
    ) -> Iterator[tuple[tuple[int, ...], Heights]]:
        """The totals that may be climbed, with the runners after each."""
        for pair in rolled:
            both = self._climb(safe, runners, pair)
            if both[0] == pair:
                yield both
            else:
                alone = {total: self._climb(safe, runners, (total,)) for total in pair}
                yield from (move for move in alone.values() if move[0])

    def _climb(
        self, safe: Heights, runners: Heights, totals: tuple[int, ...]
    ) -> tuple[tuple[int, ...], Heights]:
        """The totals climbed in order, as far as runners and columns allow."""
        now = list(runners)
        climbed = []
        for total in totals:
            i = total - 2
            at = now[i] or safe[i]
            if at < self.lengths[i] and (now[i] or sum(map(bool, now)) < RUNNERS):
                now[i] = at + 1
                climbed.append(total)
        return tuple(climbed), tuple(now)

    def _after(self, safe: Heights, runners: Heights) -> Any:
        heights = _climbed(safe, runners)
        done = sum(at == top for at, top in zip(heights, self.lengths, strict=True))
        if done >= self.columns:
            return counted(settle("climbed"), turns=1)
        return ask(("go on?", safe, runners))


def _climbed(safe: Heights, runners: Heights) -> Heights:
    return tuple(map(max, safe, runners))


def cant_stop(sides: int = 2, shortest: int = 1, columns: int = 3) -> CantStop:
    """Can't Stop alone, in as few turns as possible. Four dice are rolled and paired, and a runner
    climbs one step in the column of each pair's total; there are three runners. After each roll the
    player rolls again, or stops, and then what the runners have climbed is safe. A roll of which no
    pair can be climbed ends the turn and loses what they have climbed. The columns of the ends are
    `shortest` long and each is 2 longer than its neighbour; `columns` columns must be climbed to
    the top. The game in the box has dice of 6 sides and a shortest column of 3.
    """
    for name, value, least, most in (
        ("sides", sides, 2, 6),
        ("shortest", shortest, 1, 3),
        ("columns", columns, 1, 3),
    ):
        if not least <= value <= most:
            raise RulesError(f"{name}={shown(value)}; give {least} to {most}")
    return CantStop(sides, shortest, columns)


def stop_after(game: Game, steps: int) -> Policy:
    """Climb both pairs if possible; stop after this number of steps."""

    def policy(state: Any) -> str:
        kind, safe, runners, *_ = state
        if kind == "go on?":
            made = sum(now - was for now, was in zip(runners, safe, strict=True) if now)
            return "stop" if made >= steps else "roll"
        options = list(game.choices(state))
        return max(options, key=lambda option: " and " in option)

    return policy


entry = partial(
    Entry,
    family="Can't Stop",
    source="S. Sackson, Can't Stop (1980); J. Glenn, H. Fang and C. P. Kruskal, A Retrograde "
    "Approximation Algorithm for One-Player Can't Stop (2006)",
    least="turns",
    readings=(
        "Both pairs are climbed where both can be; with one runner left, the player says which.",
        "A column that has been climbed to the top in this turn can't be climbed further.",
        "The turn of the last column counts, and ends the game at once.",
    ),
    policies={"stop-after-3": stop_after},
)

# fmt: off
ENTRIES = [
    entry("cant-stop", "Can't Stop, two-sided dice", cant_stop),
    entry("cant-stop-3", "Can't Stop, three-sided dice", cant_stop, {"sides": 3}),
]
# fmt: on
