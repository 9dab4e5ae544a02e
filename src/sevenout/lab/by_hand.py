"""Games played by hand: the address holds the acts, and a seed fixes the dice.

    did=pass=5|roll*9|hold|roll*1

puts 5 chips on the bet `pass`, rolls nine times, chooses `hold`, and rolls again. The past is
computed again from these acts. `Session` plays any game again and again, `TurnSession` one game of
turns, whose acts are the player's moves alone.
"""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.lab.address import ROLL_ACT, game_subject, solution_of
from sevenout.model import state_name
from sevenout.papers.wording import state_in_words
from sevenout.rules import ByTurns, FlatGame, Game, Hand, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard
from sevenout.rules.position import Position
from sevenout.solving.metrics import Metrics

MAX_ROLLS = 3_000
COME_OUT = "come-out"
"""The state of the craps family, or the first part of it, before there is a point."""
MAX_EXACT_BETS = 60
"""Up to this many bets their interval is exact, by convolution; beyond, it is normal."""
CHIPS_ACT = re.compile(r"(.+)=(\d{1,5})", re.DOTALL)


# --- any game, again and again --------------------------------------------------------------------


@dataclass(frozen=True)
class TableRoll:
    """A roll at the table.

    Attributes:
        faces: the faces of the dice.
        call: the roll as the dealer calls it.
        settled: the outcome, if the game is settled.
        next_state: the state that follows, in words.
        point: the point that is on then; None if it is off, "" if the game has no puck.
    """

    faces: tuple[Hashable, ...]
    call: str
    settled: Outcome | None
    next_state: str
    point: Any

    @property
    def result(self) -> str:
        """The label of the outcome, or else the state that follows."""
        return self.settled.label if self.settled else self.next_state


class Session:
    """A game played again and again.

    >>> from sevenout.catalogue import games
    >>> session = Session(games["craps"], 3, ["pass=5", "roll*1", "pass=25", "roll*7"])
    >>> [outcome.label for outcome, _ in session.finished_games], [*map(int, session.nets("pass"))]
    (['natural', 'natural', 'seven out', 'natural'], [5, 30, 5, 30])

    Args:
        game: its rules.
        seed: of the dice.
        acts: what the player did, in order.
        chips: the chips on each bet at first.

    Attributes:
        random: rolls the dice.
        position: the game in progress.
        first_state: the state in which each game begins.
        acts: the acts, with as many rolls as were made before the player had to choose.
        chips: the chips on each bet now.
        rolls: the rolls so far.
        finished_games: of each settled game the outcome, and the chips that were on each bet.
        typed_moves: what a player at the terminal types: an option, or "" for a roll.
        is_nested: whether the game is rolled by playing another game.

    Raises:
        NotationError: an act that can't be done; the message names it.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        acts: Iterable[str] = (),
        chips: Mapping[str, int] | None = None,
    ) -> None:
        self.game, self.random, self.position = game, Random(seed), Position(game)
        self.is_nested = isinstance(game.rolls(game.start), Game)
        self.first_state = self.position.state
        self.chips: dict[str, int] = dict(chips or {})
        self.rolls: list[TableRoll] = []
        self.finished_games: list[tuple[Outcome, dict[str, int]]] = []
        self.typed_moves: list[str] = []
        self.acts: list[str] = []
        for act in acts:
            self.do(act)

    @property
    def options(self) -> tuple[str, ...]:
        """The options to choose from; empty if the dice are to be rolled."""
        return self.position.options

    @property
    def blank_roll(self) -> TableRoll:
        """The table before the first roll: blank dice, and the puck if there is one."""
        point = point_of(self.first_state, self.first_state)
        return TableRoll(("",) * dice_of(self.game), "", None, "", point)

    def do(self, act: str) -> None:
        """Choose an option, put chips on a bet, or roll until the player must choose."""
        options, rolls = self.options, ROLL_ACT.fullmatch(act)
        if act in options:
            self.typed_moves.append(act)
            if settled := self.position.choose(act):
                # A slice, because a choice before the first roll has no roll to settle.
                self.rolls[-1:] = [replace(last, settled=settled) for last in self.rolls[-1:]]
                self._settle(settled)
        elif chips := CHIPS_ACT.fullmatch(act):
            self.chips[chips[1]] = int(chips[2])
        elif rolls and not options:
            earlier = len(self.rolls)
            while len(self.rolls) < min(earlier + int(rolls[1]), MAX_ROLLS) and not self.options:
                self._roll()
            act = f"roll*{len(self.rolls) - earlier}"
        else:
            listed = ", ".join(options[:12])
            advice = f"the options are: {listed}" if options else "write roll*1 to roll"
            raise NotationError(f"did={shown(act)}; {advice}")
        self.acts.append(act)

    def _roll(self) -> None:
        """Roll the dice once, and settle the game if the roll ends it."""
        self.typed_moves.append("")
        faces = self.position.throw(self.random)
        # Read first, because a new game after a settled one has no history.
        call, settled = roll_in_words(self.position.history[-1].roll), self.position.settled
        if settled:
            self._settle(settled)
        state = self.position.state
        point = point_of(self.first_state, state)
        self.rolls.append(TableRoll(faces, call, settled, self._state_text(state), point))

    def _settle(self, settled: Outcome) -> None:
        """Note the end of a game, and begin the next."""
        self.finished_games.append((settled, dict(self.chips)))
        self.position = Position(self.game)

    def _state_text(self, state: Any) -> str:
        """A state in words; of a game of games, that of its inner game."""
        # A game of games has its state alone, or with that of the inner game.
        in_inner_game = self.is_nested and isinstance(state, tuple) and len(state) == 2
        return state_in_words(
            FlatGame(self.game) if in_inner_game else self.game, state, state_name
        )

    def stakes(self, bet: str) -> list[int]:
        """The chips on a bet in each game."""
        return [chips.get(bet, 0) for _, chips in self.finished_games]

    def nets(self, bet: str) -> list[Fraction]:
        """The net result of a bet after each game, in chips."""
        pays = ((outcome.pay(bet), chips.get(bet, 0)) for outcome, chips in self.finished_games)
        return [*accumulate(pay.profit / pay.stake * chips for pay, chips in pays)]


# Few, because each keeps all rolls of its session.
@lru_cache(maxsize=16)
def cached_session(notation: str, seed: int, acts: tuple[str, ...], bet: str) -> Session:
    """The session of an address, which begins with a chip on a bet; "" for none."""
    return Session(game_subject(notation).game, seed, acts, {bet: 1} if bet else {})


@lru_cache(maxsize=4096)
def central_interval(notation: str, bet: str, games: int) -> tuple[Fraction, Fraction]:
    """The central 95 % interval of a bet's result after this many games, in stakes."""
    metrics = Metrics(solution_of(notation).bet(bet))
    method: Any = "convolution" if games <= MAX_EXACT_BETS else "normal"
    interval = metrics.interval(games, method=method)
    return (interval.low - 1) * games, (interval.high - 1) * games


def roll_in_words(roll: Any) -> str:
    """A roll, as the game sees it, in the dealer's words.

    >>> roll_in_words((8, True)), roll_in_words((7, False)), roll_in_words(11)
    ('hard 8', '7', '11')
    """
    total, hard = _total_and_hard(roll)
    # 2 and 12 come only as pairs, so a dealer doesn't call them hard.
    return f"hard {total}" if hard and total not in (2, 12) else str(total)


def _total_and_hard(roll: Any) -> tuple[Any, bool]:
    """The total of a roll, or its faces without one, and whether it is hard."""
    if hasattr(roll, "faces") and hasattr(roll, "total"):
        return (roll.total, roll.hard) if roll.total is not None else (roll.faces, False)
    match roll:
        case (total, bool() as hard):
            return total, hard
        case tuple():  # the rolls of several games that are played together
            parts = [_total_and_hard(part) for part in roll if part is not None]
            return (parts[0][0], any(hard for _, hard in parts)) if parts else ("", False)
    return roll, False


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
        point = state[0] if isinstance(state, tuple) else state
        return None if point == COME_OUT or isinstance(point, Outcome) else point
    if isinstance(start, tuple) and isinstance(state, tuple):
        # A game of several games has the point of the first that has one.
        points = [point_of(*pair) for pair in zip(start, state, strict=False)]
        points = [point for point in points if point != ""]
        return next((point for point in points if point is not None), None) if points else ""
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
        move: the dice that they kept, as "keep 2 2", or the box.
        points: the points in the box; 0 for dice that were kept.
    """

    state: Any
    move: str
    points: int


class TurnSession:
    """A game of turns so far; rolls without a choice are made at once.

    >>> session = TurnSession("yahtzee", 1, ("keep 5", "keep 5 6", "chance"))
    >>> [choice.points for choice in session.choices], session.score
    ([0, 0, 18], 18)

    Args:
        notation: the game.
        seed: of the dice.
        moves: the player's moves, in order.

    Attributes:
        game: its rules.
        goal: the name of what is counted, such as "points".
        position: the game in progress.
        choices: what the player did.
        typed_moves: what a player at the terminal types: a move, or "" for a roll.
        chosen_options: the options of the game that make the moves; a move may take several.

    Raises:
        NotationError: the game is none of turns, or a move can't be made; the message names it.
    """

    def __init__(self, notation: str, seed: int, moves: tuple[str, ...]) -> None:
        subject = game_subject(notation)
        if not isinstance(subject.game, ByTurns):
            raise NotationError(f"{subject.title} is no game of turns; play it in a Session")
        self.game, self.goal = subject.game, (subject.goal or {})["most"]
        self.position, random = Position(self.game), Random(seed)
        self.choices: list[Choice] = []
        self.typed_moves: list[str] = []
        self.chosen_options: list[str] = []
        self._roll(random)
        for move in moves:
            self._do(move)
            self._roll(random)

    @property
    def score(self) -> int:
        """What is counted so far."""
        return int(dict(self.position.counts).get(self.goal, 0))

    @property
    def dice(self) -> tuple[Any, ...]:
        """The dice on the table, or what their turn came to; empty after the game."""
        if self.position.settled:
            return ()
        inner = self.position.state[2]
        if isinstance(inner, Outcome):
            return inner.faces if isinstance(inner, Hand) else (inner.label,)
        return tuple(inner[1]) if isinstance(self.game.turn, KeepRoll) else (inner,)

    @property
    def card(self) -> ScoreCard:
        """The boxes, and what was scored in each."""
        return ScoreCard.from_position(self.position, self.goal)

    def box_points(self, box: str) -> tuple[int, int]:
        """The points of the dice in a box, and the bonus points they bring."""
        card, _, hand = self.position.state
        counts = self.game.entry_counts(card, box, hand)
        points = int(self.card.box_points(counts))
        return points, int(counts.get(self.goal, 0)) - points

    def _roll(self, random: Random) -> None:
        """Roll until the player has to choose; at the terminal that is one key."""
        if self.position.settled or self.position.options:
            return
        self.typed_moves.append("")
        while not self.position.settled and not self.position.options:
            self.position.throw(random)

    def _do(self, move: str) -> None:
        """Make a move, and note it with the points that it scores."""
        if self.position.settled:
            raise NotationError(f"{shown(move)} comes after the end of the game; leave it out")
        state = self.position.state
        move, options = self._options_of(move)
        # Before the options, because filling a box uses up the dice.
        points = self.box_points(move)[0] if isinstance(state[2], Outcome) else 0
        for option in options:
            self.position.choose(option)
            self.chosen_options.append(option)
        self.typed_moves.append(move)
        self.choices.append(Choice(state, move, points))

    def _options_of(self, move: str) -> tuple[str, tuple[str, ...]]:
        """A move in its usual form, and the options of the game that make it."""
        inner, turn = self.position.state[2], self.game.turn
        options = self.position.options
        if isinstance(turn, KeepRoll) and not isinstance(inner, Outcome):
            if move.startswith("keep "):
                return turn.keep(inner, move.removeprefix("keep "))
            options = ("keep none", "keep all")  # or any dice between
        elif move in options:
            return move, (move,)
        listed = ", ".join(options[:12])
        raise NotationError(f"{shown(move)} is not an option here; the options are: {listed}")


@lru_cache(maxsize=16)
def cached_turns(notation: str, seed: int, moves: tuple[str, ...]) -> TurnSession:
    """The game of turns of an address."""
    return TurnSession(notation, seed, moves)
