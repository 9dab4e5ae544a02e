"""Bearing off at backgammon, alone for the fewest rolls, or as a race."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import comb
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.catalogue.craps_family.table.craps_table import TWO_DICE
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Law, Rollable
from sevenout.rules import Game, passed, settle, win

Board = tuple[int, ...]
"""The number of checkers on each point of the home board, the ace point first."""

HOME = 6
SECONDS, BYTES = 5e-5, 2_100
"""The measured seconds and bytes per state."""
MEAN_PIPS = Fraction(49, 6)
"""The mean pips of a roll, with doubles counted twice."""
PIPS = TWO_DICE.hands
"""Two dice, in order."""


def boards(checkers: int) -> Iterator[Board]:
    """Every board with this number of checkers.

    >>> len(list(boards(3)))
    56
    """
    for points in combinations_with_replacement(range(HOME), checkers):
        yield tuple(points.count(point) for point in range(HOME))


def plays(board: Board, roll: tuple[int, int]) -> tuple[Board, ...]:
    """The boards to which a roll can be played in full.

    In bearing off every die can be played: a die larger than the rearmost point bears off from it,
    an exact one bears off, and a smaller one moves a checker.

    >>> plays((0, 1, 1, 0, 0, 0), (1, 2))
    ((2, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    """
    low, high = roll
    orders = [(low,) * 4] if low == high else [(low, high), (high, low)]
    found: dict[Board, None] = {}
    for order in orders:
        reached: dict[Board, None] = {board: None}
        for die in order:
            reached = {then: None for at in reached for then in _moved(at, die)}
        found |= reached
    return tuple(found)


@lru_cache(1 << 19)  # called for each die on each board
def _moved(board: Board, die: int) -> tuple[Board, ...]:
    """Every play of one die; an empty board stays empty."""
    return tuple(_moves(board, die)) if any(board) else (board,)


def _moves(board: Board, die: int) -> Iterator[Board]:
    rear = max(point for point, checkers in enumerate(board) if checkers)
    for point in range(min(die - 1, rear), rear + 1):
        if board[point]:
            then = list(board)
            then[point] -= 1
            if point + 1 > die:
                then[point - die] += 1
            yield tuple(then)


@lru_cache(1 << 16)
def named(board: Board) -> str:
    """The points of a board's checkers.

    >>> named((2, 0, 0, 0, 1, 0)), named((0,) * 6)
    ('1-1-5', 'off')
    """
    points = [str(point + 1) for point in range(HOME) for _ in range(board[point])]
    return "-".join(points) or "off"


@dataclass(frozen=True)
class BearOff(Game):
    """Bearing off alone; a state is a board, with the roll to play."""

    start: Any
    coordinates = ("board", "roll")

    def rolls(self, state: Any) -> Rollable:
        return PIPS

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        board, roll = state
        if not roll:
            return {}
        return {named(then): _alone(then) for then in plays(board, roll)}

    def step(self, state: Any, roll: tuple[int, int]) -> Any:
        return state[0], roll


@lru_cache(1 << 16)
def _alone(board: Board) -> Any:
    return (board, ()) if any(board) else settle("off")


@dataclass(frozen=True)
class EveryBearOff(BearOff):
    """Bearing off from a random board with this number of checkers."""

    checkers: int = 1

    def afford(self) -> None:
        """Refuse too many boards."""
        states = (comb(self.checkers + HOME, HOME) - 1) * (1 + len(PIPS.law))
        afford(
            f"every board of up to {self.checkers} checkers, {states:,} states,",
            seconds=states * SECONDS,
            memory=states * BYTES,
            instead="take one board (bear-off), or fewer checkers",
        )

    def rolls(self, state: Any) -> Rollable:
        """The board, then two dice."""
        return _drawn(self.checkers) if state == self.start else PIPS

    def step(self, state: Any, roll: Any) -> Any:
        """The board, or one roll."""
        return (roll, ()) if state == self.start else (state[0], roll)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        return {} if state == self.start else super().choices(state)


def _drawn(checkers: int) -> Law:
    return Law({board: 1 for n in range(1, checkers + 1) for board in boards(n)})


@dataclass(frozen=True)
class BearOffRace(Game):
    """A bear-off race; a state is (mine, yours, the roll to play)."""

    start: Any
    coordinates = ("mine", "yours", "roll")

    def rolls(self, state: Any) -> Rollable:
        return PIPS

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        mine, yours, roll = state
        if not roll:
            return {}
        return {
            named(then): passed((yours, then, ())) if any(then) else win("off")
            for then in plays(mine, roll)
        }

    def step(self, state: Any, roll: tuple[int, int]) -> Any:
        mine, yours, _ = state
        return mine, yours, roll


def bear_off(board: tuple[int, ...] = (1, 1, 1, 1, 1, 1)) -> BearOff:
    """Bearing off alone, in as few rolls as possible. `board` says how many checkers are on each
    point of the home board, the ace point first. Two dice are rolled, doubles count four times, and
    each die moves a checker down by as many points. A checker is borne off by the number of its
    point, or by a larger one if it is the rearmost; a roll is played in full.

    The mean number of rolls times 49/6, the mean pips of a roll, is the effective pip count.
    """
    return BearOff((_board(board), ()))


def every_bear_off(checkers: int = 4) -> EveryBearOff:
    """Bearing off from every board of this many checkers or fewer, in one model; the board is
    drawn, each of them as likely. The value of a board is given where it is an option.
    """
    if not 1 <= checkers <= 15:
        raise RulesError(f"checkers={shown(checkers)}; a side has 1 to 15")
    return EveryBearOff("drawn", checkers)


def bear_off_race(
    board: tuple[int, ...] = (1, 1, 1, 0, 0, 0), other: tuple[int, ...] = (1, 1, 1, 0, 0, 0)
) -> BearOffRace:
    """Two players bear off in turn, and the first to finish wins. `board` is that of the player who
    begins, `other` the second player's.
    """
    return BearOffRace((_board(board), _board(other), ()))


def _board(board: Board) -> Board:
    if len(board) > HOME or not all(n >= 0 for n in board) or not 1 <= sum(board) <= 15:
        raise RulesError(
            f"board={shown(board)}; give the number of checkers on each of 6 points, 1 to 15 in all"
        )
    return (*board, *(0,) * (HOME - len(board)))


def epc(rolls: Fraction) -> Fraction:
    """The effective pip count: the mean rolls times the mean pips of a roll.

    >>> epc(Fraction(6))
    Fraction(49, 1)
    """
    return rolls * MEAN_PIPS


def most_off(game: Game) -> Policy:
    """Bear off the most checkers, then occupy the most points, then clear the rear."""

    def policy(state: Any) -> str:
        *_, roll = state
        then = min(plays(state[0], roll), key=lambda to: (sum(to), -sum(map(bool, to)), to[::-1]))
        return named(then)

    return policy


entry = partial(
    Entry,
    family="Backgammon",
    source="W. Trice, Backgammon Boot Camp (2004); GNU Backgammon, one-sided database",
    policies={"most-off": most_off},
)
PLAYED = ("A roll is played in full, its dice in either order.",)

# fmt: off
ENTRIES = [
    entry("bear-off", "Backgammon, bearing off alone", bear_off, least="rolls", readings=PLAYED),
    entry("bear-off-every", "Backgammon, bearing off from any board", every_bear_off, least="rolls",
          readings=(*PLAYED, "The draw of the board counts as a roll.")),
    entry("bear-off-race", "Backgammon, bearing off in a race",
          bear_off_race, most="pass > 0", players=2,
          readings=(*PLAYED, "No cube and no gammons: each has borne off a checker before.")),
]
# fmt: on
