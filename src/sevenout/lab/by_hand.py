"""Games played by hand: a seed fixes the dice, so the past is computed again from the address.

`Session` plays any game again and again, `Turns` one game of turns, whose moves are the player's.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.lab.address import choose, solved
from sevenout.model import state_name
from sevenout.papers.wording import state_in_words
from sevenout.rules import ByTurns, Flat, Game, Hand, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard
from sevenout.rules.position import Position
from sevenout.solving.metrics import Metrics

MOST_ROLLS = 3_000
MOST_CHANGES = 60
COME_OUT = "come-out"
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
        self.start = self.position.state
        self.events: list[TableRoll] = []
        self.waits: dict[int, tuple[Any, tuple[str, ...]]] = {}
        self.moves: list[str] = []
        self.ends: list[Outcome] = []
        self._made: list[tuple[int, int]] = []
        self._answer()

    @property
    def opening(self) -> TableRoll:
        """The table before the first roll: blank dice, and the puck if there is one."""
        point = point_of(self.start, self.start)
        return TableRoll(("",) * dice_of(self.game), "", None, "", point)

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
        # Read first, because a new game after a settled one has no history.
        seen = in_words(self.position.history[-1].roll)
        settled = self.position.settled
        if settled:
            self.ends.append(settled)
            self.position = Position(self.game)
        state = self.position.state
        after = self._words(state)
        point = point_of(self.start, state)
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
                # A slice, because an answer before the first roll has no roll to settle.
                self.events[-1:] = [replace(last, settled=settled) for last in self.events[-1:]]
                self.position = Position(self.game)
        # One entry for each number of rolls, so that any earlier moment can be shown.
        self._made.append((len(self.moves), len(self.ends)))
        if self.position.options:
            self.waits[len(self.events)] = self.position.state, self.position.options

    def _words(self, state: Any) -> str:
        # A game of games has its state alone, or with that of the inner game.
        deep = self.nests and isinstance(state, tuple) and len(state) == 2
        return state_in_words(Flat(self.game) if deep else self.game, state, state_name)


# Few, because each keeps all rolls of its session.
@lru_cache(maxsize=16)
def session(text: str, seed: int, answers: tuple[str, ...]) -> Session:
    return Session(text, seed, answers)


def chips_of(text: str) -> dict[str, list[tuple[int, int]]]:
    """The chips on each bet: (from which game on, how many).

    >>> chips_of("0:pass:5,12:pass:25")
    {'pass': [(0, 5), (12, 25)]}
    """
    moments: dict[str, list[tuple[int, int]]] = {}
    parts = [part for part in text.split(",") if part]
    if len(parts) > MOST_CHANGES:
        raise NotationError(f"{len(parts)} changes of chips; a session has at most {MOST_CHANGES}")
    for part in parts:
        first, _, rest = part.partition(":")
        bet, _, many = rest.rpartition(":")
        # Five digits are enough for the games, since a session has at most 3,000 rolls.
        if not (first.isdecimal() and many.isdecimal() and len(first) < 6 and len(many) < 6):
            raise NotationError(f"chips={shown(part)}; write 12:pass:5 for 5 from game 12 on")
        # Commas separate the changes, so one in the name of a bet is escaped.
        moments.setdefault(bet.replace("%2C", ","), []).append((int(first), int(many)))
    return moments


def chips_at(changes: list[tuple[int, int]], game: int) -> int:
    # Sorting keeps the order of equals, so the later of two changes at a game counts.
    on = [many for first, many in sorted(changes, key=lambda c: c[0]) if first <= game]
    return on[-1] if on else 0


def nets(
    ends: list[Outcome], bet: str, stake: Fraction, changes: list[tuple[int, int]]
) -> list[Fraction]:
    """The net result of a bet after each game, in chips."""
    total, settlements = Fraction(0), []
    for game, settled in enumerate(ends):
        total += settled.profit(bet) / stake * chips_at(changes, game)
        settlements.append(total)
    return settlements


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
    # 2 and 12 come only as pairs, so a dealer doesn't call them hard.
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


def point_of(start: Any, state: Any) -> Any:
    """The point of a state; None if it is off, "" if the game has none.

    >>> point_of("come-out", "come-out"), point_of("come-out", 8), point_of("come-out", (6, 2))
    (None, 8, 6)
    >>> point_of((0, ("come-out",)), (2, (8,))), point_of(0, 3)
    (8, '')

    Args:
        start: the game's first state, whose come-out tells where a state has its point.
        state: one of its states.
    """
    if start == COME_OUT:
        on = state[0] if isinstance(state, tuple) else state
        return None if on == COME_OUT or isinstance(on, Outcome) else on
    if isinstance(start, tuple) and isinstance(state, tuple):
        parts = [
            point for pair in zip(start, state, strict=False) if (point := point_of(*pair)) != ""
        ]
        return next((point for point in parts if point is not None), None) if parts else ""
    return ""


def dice_of(game: Game) -> int:
    """How many dice are rolled first.

    >>> from sevenout.catalogue import games
    >>> dice_of(games["craps"]), dice_of(games.entry("pig").game())
    (2, 1)
    """
    position = Position(game)
    while options := position.options:
        for option in options:
            # An option that settles the game rolls nothing, so the next one is tried.
            if not position.choose(option):
                break
            position.undo()
        else:
            return 0  # no option rolls
    return len(position.throw(Random(0)))


# --- games of turns ----------------------------------------------------------------------------


class Choice(NamedTuple):
    """What the player did.

    Attributes:
        state: the state in which they chose.
        did: the dice that they kept, as "keep 2 2", or the box.
        scored: the points in the box; 0 for dice that were kept.
    """

    state: Any
    did: str
    scored: int


class Turns:
    """A game of turns so far; rolls without a choice are made at once.

    >>> played = Turns("yahtzee", 1, ("keep 5", "keep 5 6", "chance"))
    >>> [choice.scored for choice in played.choices], played.score
    ([0, 0, 18], 18)

    Args:
        did: the player's moves, in order.
    """

    def __init__(self, text: str, seed: int, did: tuple[str, ...]) -> None:
        game = choose(text).game
        assert isinstance(game, ByTurns)
        self.game, self.goal = game, (choose(text).goal or {})["most"]
        self.position, random = Position(game), Random(seed)
        self.choices: list[Choice] = []
        self.typed: list[str] = []
        self.answers: list[str] = []
        self._roll(random)
        for act in did:
            self._do(act)
            self._roll(random)

    @property
    def score(self) -> int:
        return int(dict(self.position.counts).get(self.goal, 0))

    @property
    def dice(self) -> tuple[Any, ...]:
        if self.position.settled:
            return ()
        inner = self.position.state[2]
        if isinstance(inner, Outcome):
            return inner.faces if isinstance(inner, Hand) else (inner.label,)
        return tuple(inner[1]) if isinstance(self.game.turn, KeepRoll) else (inner,)

    @property
    def card(self) -> ScoreCard:
        return ScoreCard.of(self.position, self.goal)

    def scored(self, box: str) -> tuple[int, int]:
        """The points of the dice in a box, and the bonus points they bring."""
        card, _, hand = self.position.state
        counts = self.game.pays(card, box, hand)
        inside = int(self.card.box(counts))
        return inside, int(counts.get(self.goal, 0)) - inside

    def _roll(self, random: Random) -> None:
        if self.position.settled or self.position.options:
            return
        self.typed.append("")
        while not self.position.settled and not self.position.options:
            self.position.throw(random)

    def _do(self, did: str) -> None:
        if self.position.settled:
            raise NotationError(f"{shown(did)} comes after the end of the game; leave it out")
        state = self.position.state
        did, answers = self._meant(did)
        # Before the answers, because filling a box uses up the dice.
        scored = self.scored(did)[0] if isinstance(state[2], Outcome) else 0
        for answer in answers:
            self.position.choose(answer)
            self.answers.append(answer)
        self.typed.append(did)
        self.choices.append(Choice(state, did, scored))

    def _meant(self, did: str) -> tuple[str, tuple[str, ...]]:
        """A move, and the answers that make it."""
        inner, turn = self.position.state[2], self.game.turn
        options = self.position.options
        if isinstance(turn, KeepRoll) and not isinstance(inner, Outcome):
            if did.startswith("keep "):
                return turn.keep(inner, did[5:])
            options = ("keep none", "keep all")  # or any dice between
        elif did in options:
            return did, (did,)
        some = ", ".join(options[:12])
        raise NotationError(f"{shown(did)} is not an option here; the options are: {some}")


@lru_cache(maxsize=16)
def played(text: str, seed: int, did: tuple[str, ...]) -> Turns:
    return Turns(text, seed, did)
