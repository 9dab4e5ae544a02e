"""A session at the table. A seed fixes the dice, so the past is computed again."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from sevenout.errors import NotationError, shown
from sevenout.lab.addresses.chosen import choose, solved
from sevenout.model import state_name
from sevenout.report.sections.rules_in_words import state_in_words
from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.position import Position
from sevenout.solve.bets.metrics import Metrics

MOST_ROLLS = 3_000
MOST_CHANGES = 60
EXACT_BETS = 60
"""Up to this many bets the band is exact, by convolution; beyond, it is normal."""


@dataclass(frozen=True)
class TableRoll:
    """A roll.

    Attributes:
        seen: what the game sees of the faces.
        settled: the outcome, if the game is settled.
        after: the state that follows, in words.
        point: the point that is on then; None if it is off, "" if the game has no puck.
    """

    faces: tuple[Hashable, ...]
    seen: str
    settled: Outcome | None
    after: str
    point: Any


class Session:
    """A game played again and again; its rolls are kept."""

    def __init__(self, text: str, seed: int, answers: tuple[str, ...]) -> None:
        self.text, self.game = text, choose(text).game
        self.nests = isinstance(self.game.rolls(self.game.start), Game)
        self.random, self.answers = Random(seed), list(answers)
        self.position = Position(self.game)
        self.events: list[TableRoll] = []
        self.waits: dict[int, tuple[Any, tuple[str, ...]]] = {}
        self.moves: list[str] = []
        self.ends: list[Outcome] = []
        self._made: list[tuple[int, int]] = []
        self._answer()

    def after(self, rolls: int) -> list[TableRoll]:
        """The first rolls; fewer if the player has to choose first."""
        while len(self.events) < rolls and len(self.events) not in self.waits:
            self._roll()
        return self.events[:rolls]

    def moves_of(self, rolls: int) -> tuple[str, ...]:
        """The moves up to this many rolls: an answer, or "" for a roll."""
        return tuple(self.moves[: self._made[rolls][0]])

    def ends_of(self, rolls: int) -> list[Outcome]:
        """The outcomes up to this many rolls, by a roll or an answer."""
        return self.ends[: self._made[rolls][1]]

    def _roll(self) -> None:
        self.moves.append("")
        faces = self.position.throw(self.random)
        seen = in_words(self.position.history[-1].roll)
        settled = self.position.settled
        if settled:
            self.ends.append(settled)
            self.position = Position(self.game)
        state = self.position.state
        after = self._words(state)
        point = None if settled else point_of(state)
        if choose(self.text).goal is not None:
            point = ""
        self.events.append(TableRoll(faces, seen, settled, after, point))
        self._answer()

    def _answer(self) -> None:
        while self.position.options and self.answers:
            option = self.answers.pop(0)
            if option not in self.position.options:
                raise NotationError(
                    f"no option {shown(option)}; the options are: "
                    f"{', '.join(self.position.options)}"
                )
            self.moves.append(option)
            if settled := self.position.choose(option):
                self.ends.append(settled)
                self.events[-1:] = [replace(last, settled=settled) for last in self.events[-1:]]
                self.position = Position(self.game)
        self._made.append((len(self.moves), len(self.ends)))
        if self.position.options:
            self.waits[len(self.events)] = self.position.state, self.position.options

    def _words(self, state: Any) -> str:
        deep = self.nests and isinstance(state, tuple) and len(state) == 2
        return state_in_words(Flat(self.game) if deep else self.game, state, state_name)


@lru_cache(maxsize=16)
def session(text: str, seed: int, answers: tuple[str, ...]) -> Session:
    return Session(text, seed, answers)


def chips_of(text: str) -> dict[str, list[tuple[int, int]]]:
    """The chips on each bet: (from which game on, how many).

    >>> chips_of("0:pass:5,12:pass:25")
    {'pass': [(0, 5), (12, 25)]}
    """
    found: dict[str, list[tuple[int, int]]] = {}
    parts = [part for part in text.split(",") if part]
    if len(parts) > MOST_CHANGES:
        raise NotationError(f"{len(parts)} changes of chips; a session has {MOST_CHANGES}")
    for part in parts:
        first, _, rest = part.partition(":")
        bet, _, many = rest.rpartition(":")
        if not (first.isdecimal() and many.isdecimal() and len(first) < 6 and len(many) < 6):
            raise NotationError(f"chips={shown(part)}; write 12:pass:5 for 5 from game 12 on")
        found.setdefault(bet.replace("%2C", ","), []).append((int(first), int(many)))
    return found


def chips_at(changes: list[tuple[int, int]], game: int) -> int:
    on = [many for first, many in sorted(changes, key=lambda c: c[0]) if first <= game]
    return on[-1] if on else 0


def nets(
    ends: list[Outcome], bet: str, stake: Fraction, changes: list[tuple[int, int]]
) -> list[Fraction]:
    """The net result of a bet after each game, in chips."""
    total, found = Fraction(0), []
    for game, settled in enumerate(ends):
        total += settled.profit(bet) / stake * chips_at(changes, game)
        found.append(total)
    return found


@lru_cache(maxsize=4096)
def band(text: str, bet: str, games: int) -> tuple[Fraction, Fraction]:
    """The central 95 % interval of a bet's result after this many games, in stakes."""
    metrics = Metrics(solved(text).bet(bet))
    how: Any = "convolution" if games <= EXACT_BETS else "normal"
    interval = metrics.interval(games, method=how)
    return (interval.low - 1) * games, (interval.high - 1) * games


def in_words(seen: Any) -> str:
    """A roll as the dealer calls it.

    >>> in_words((8, True)), in_words((7, False)), in_words(11)
    ('hard 8', '7', '11')
    """
    total, hard = _called(seen)
    return f"hard {total}" if hard and total not in (2, 12) else str(total)


def _called(seen: Any) -> tuple[Any, bool]:
    if hasattr(seen, "faces") and hasattr(seen, "total"):
        return (seen.total, seen.hard) if seen.total is not None else (seen.faces, False)
    match seen:
        case (total, bool() as hard):
            return total, hard
        case tuple():
            parts = [_called(part) for part in seen if part is not None]
            return (parts[0][0], any(hard for _, hard in parts)) if parts else ("", False)
    return seen, False


def point_of(state: Any) -> Any:
    """The point of a state; None if it is off.

    >>> point_of("come-out"), point_of(8), point_of((6, 2)), point_of(("come-out", (4, 1)))
    (None, 8, 6, 4)
    """
    match state:
        case None | str() | Outcome() | bool() | Mapping():
            return None
        case (int(), bool()):
            return None
        case (int() as point, int()):
            return point
        case tuple():
            return next((p for part in state if (p := point_of(part)) is not None), None)
        case int():
            return state
    return None
