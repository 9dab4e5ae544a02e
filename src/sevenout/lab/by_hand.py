"""Games played by hand: the address holds the acts, and a seed fixes the dice.

    did=pass=5|roll*9|hold|roll*1

puts 5 chips on the bet `pass`, rolls nine times, chooses `hold`, and rolls again. The past is
computed again from these acts. `Session` plays any game again and again, `Turns` one game of turns,
whose acts are the player's moves alone.
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
from sevenout.lab.address import ROLLS, choose, solved
from sevenout.model import state_name
from sevenout.papers.wording import state_in_words
from sevenout.rules import ByTurns, Flat, Game, Hand, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard
from sevenout.rules.position import Position
from sevenout.solving.metrics import Metrics

MOST_ROLLS = 3_000
COME_OUT = "come-out"
EXACT_BETS = 60
"""Up to this many bets the band is exact, by convolution; beyond, it is normal."""
CHIPS = re.compile(r"(.+)=(\d{1,5})", re.DOTALL)


# --- any game, again and again --------------------------------------------------------------------


@dataclass(frozen=True)
class TableRoll:
    """A roll.

    Attributes:
        faces: of the dice.
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
    """A game played again and again.

    >>> from sevenout.catalogue import games
    >>> session = Session(games["craps"], 3, ["pass=5", "roll*1", "pass=25", "roll*7"])
    >>> [outcome.label for outcome, _ in session.ends], [*map(int, session.nets("pass"))]
    (['natural', 'natural', 'seven out', 'natural'], [5, 30, 5, 30])

    Args:
        game: its rules.
        seed: of the dice.
        acts: what the player did, in order.
        chips: the chips on each bet at first.

    Attributes:
        position: the game in progress.
        acts: the acts, with as many rolls as were made before the player had to choose.
        chips: the chips on each bet now.
        rolls: the rolls so far.
        ends: the settled games: the outcome, and the chips that were on each bet.
        moves: what a player at the terminal types: an option, or "" for a roll.
        options: those to choose from; empty if the dice are to be rolled.

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
        self.nests = isinstance(game.rolls(game.start), Game)
        self.start = self.position.state
        self.chips: dict[str, int] = dict(chips or {})
        self.rolls: list[TableRoll] = []
        self.ends: list[tuple[Outcome, dict[str, int]]] = []
        self.moves: list[str] = []
        self.acts: list[str] = []
        for act in acts:
            self.do(act)

    @property
    def options(self) -> tuple[str, ...]:
        return self.position.options

    @property
    def opening(self) -> TableRoll:
        """The table before the first roll: blank dice, and the puck if there is one."""
        point = point_of(self.start, self.start)
        return TableRoll(("",) * dice_of(self.game), "", None, "", point)

    def do(self, act: str) -> None:
        """Choose an option, put chips on a bet, or roll until the player must choose."""
        options, rolls = self.options, ROLLS.fullmatch(act)
        if act in options:
            self.moves.append(act)
            if settled := self.position.choose(act):
                # A slice, because a choice before the first roll has no roll to settle.
                self.rolls[-1:] = [replace(last, settled=settled) for last in self.rolls[-1:]]
                self._end(settled)
        elif chips := CHIPS.fullmatch(act):
            self.chips[chips[1]] = int(chips[2])
        elif rolls and not options:
            before = len(self.rolls)
            most = min(before + int(rolls[1]), MOST_ROLLS)
            while len(self.rolls) < most and not self.options:
                self._roll()
            act = f"roll*{len(self.rolls) - before}"
        else:
            listed = ", ".join(options[:12])
            may = f"the options are: {listed}" if options else "write roll*1 to roll"
            raise NotationError(f"did={shown(act)}; {may}")
        self.acts.append(act)

    def _roll(self) -> None:
        self.moves.append("")
        faces = self.position.throw(self.random)
        # Read first, because a new game after a settled one has no history.
        seen, settled = in_words(self.position.history[-1].roll), self.position.settled
        if settled:
            self._end(settled)
        state = self.position.state
        point = point_of(self.start, state)
        self.rolls.append(TableRoll(faces, seen, settled, self._words(state), point))

    def _end(self, settled: Outcome) -> None:
        self.ends.append((settled, dict(self.chips)))
        self.position = Position(self.game)

    def _words(self, state: Any) -> str:
        # A game of games has its state alone, or with that of the inner game.
        deep = self.nests and isinstance(state, tuple) and len(state) == 2
        return state_in_words(Flat(self.game) if deep else self.game, state, state_name)

    def staked(self, bet: str) -> list[int]:
        """The chips on a bet in each game."""
        return [chips.get(bet, 0) for _, chips in self.ends]

    def nets(self, bet: str) -> list[Fraction]:
        """The net result of a bet after each game, in chips."""
        pays = ((outcome.pay(bet), chips.get(bet, 0)) for outcome, chips in self.ends)
        return [*accumulate(pay.profit / pay.stake * chips for pay, chips in pays)]


# Few, because each keeps all rolls of its session.
@lru_cache(maxsize=16)
def session(text: str, seed: int, acts: tuple[str, ...], bet: str) -> Session:
    """The session of an address, which begins with a chip on a bet; "" for none."""
    return Session(choose(text).game, seed, acts, {bet: 1} if bet else {})


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
        return ScoreCard.from_position(self.position, self.goal)

    def scored(self, box: str) -> tuple[int, int]:
        """The points of the dice in a box, and the bonus points they bring."""
        card, _, hand = self.position.state
        counts = self.game.entry_counts(card, box, hand)
        inside = int(self.card.box_points(counts))
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
