"""A game in progress at the terminal, and its moves so far."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents.numbers import decimal, many, signed
from sevenout.errors import NotationError
from sevenout.questions.named_policies import points_of
from sevenout.rolling.throw import Faces, parse_throw
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard
from sevenout.rules.position import Position

if TYPE_CHECKING:
    from sevenout.cli.playing.opponent import Players


class PlayedMove(NamedTuple):
    """A move.

    Attributes:
        before: the state before it, in words.
        who: the side that moved; "" with a single player.
        faces: the roll; None for an answer.
        said: the option, or the coach's comment.
    """

    before: str
    who: str
    faces: Faces | None = None
    said: str = ""
    mine: bool = False
    rolls: bool = False


class PlayedTable:
    def __init__(self, game: Game, players: "Players") -> None:
        self.game, self.players, self.position = game, players, Position(game)
        self.total_rolls = self.longest = 0
        self.labels: Counter[str] = Counter()
        self.profits: dict[str, Fraction] = {}
        self.histograms: dict[str, Counter[Any]] = {}
        self.full: list[ScoreCard] = []

    def ready(self) -> None:
        """Begin a new game if the last one is settled."""
        if self.position.settled:
            self.position = Position(self.game)

    @property
    def card(self) -> ScoreCard | None:
        if not isinstance(self.game, ByTurns):
            return None
        return ScoreCard.of(self.position, points_of(self.players.chosen))

    @property
    def cards(self) -> dict[str, Any]:
        """The score cards of all games as data; None for an open box."""
        if not isinstance(self.game, ByTurns):
            return {}
        cards = [*self.full, *([self.card] if self.card and self.card.counts else [])]
        return {
            "score cards": [
                {row.name: None if row.amount is None else str(row.amount) for row in card.rows}
                for card in cards
            ]
        }

    @property
    def to_roll(self) -> bool:
        """Whether the player at the terminal rolls next."""
        position = self.position
        waits = position.settled or position.options or not self.players.mine(position)
        return not waits

    @property
    def prompt(self) -> str:
        options = self.position.options
        if not options:
            return "roll"
        if any(option.startswith("put back") for option in options):
            return f"{self.stands}: keep which, such as keep {options[-1].split()[-1]}, or keep all"
        return " or ".join(options) if len(options) < 7 else f"{', '.join(options[:7])}, ..."

    def play(self, line: str, random: Random) -> PlayedMove:
        """Roll the dice, or play a typed roll or answer.

        Raises:
            NotationError: not a roll of the game's dice, and not an option.
        """
        from sevenout.cli.playing.opponent import kept
        from sevenout.questions.turn_states import meant

        if not self.position.options:
            faces = line[4:].strip() if line[:4].lower() == "roll" else line
            faces = "" if faces.lower() == "r" else faces
            return self._rolled(parse_throw(faces) if faces else None, random)
        if not line and "roll" in self.position.options:
            line = "roll"  # as Enter does elsewhere
        if not (plan := kept(line.lower(), self.position)):
            option = meant(line, self.position.options)
            plan = option, (option,)
        said, answers = plan
        weighed = self.players.weigh(self.position, said) if self.players.coached else said
        return self._answered(answers, weighed)

    def other(self, random: Random) -> PlayedMove:
        """The move of the other side."""
        if not self.position.options:
            return self._rolled(None, random)
        option = self.players.answer(self.position, random)
        return self._answered((option,), option)

    def _rolled(self, faces: Faces | None, random: Random) -> PlayedMove:
        before, who = self.stands, self.players.who(self.position)
        turn = turn_of(self.game)
        if isinstance(turn, KeepRoll):  # all the dice that are not kept, at once
            to_come = turn.count - len(_inner(self.position.state)[1])
            if faces is not None and len(faces) != to_come:
                raise NotationError(f"{len(faces)} faces are given; write {to_come}")
            each = [None] * to_come if faces is None else [(face,) for face in faces]
            faces = sum((self._one(face, random) for face in each), ())
        else:
            faces = self._one(faces, random)
        self._count()
        return PlayedMove(before, who, faces)

    def _one(self, faces: Faces | None, random: Random) -> Faces:
        if faces is None:
            return self.position.throw(random)
        self.position.roll(faces)
        return faces

    def _answered(self, options: Iterable[str], said: str) -> PlayedMove:
        before, who = self.stands, self.players.who(self.position)
        mine = self.players.mine(self.position)
        for option in options:
            self.position.choose(option)
        self._count()
        rolls = options == ("roll",)
        return PlayedMove(before, who, said=said, mine=mine, rolls=rolls)

    @property
    def stands(self) -> str:
        """The state of the game, in words."""
        from sevenout.model.naming import in_words
        from sevenout.papers.wording import state_in_words

        turn = turn_of(self.game)
        if isinstance(turn, KeepRoll):
            return turn.said(_inner(self.position.state))
        named = partial(in_words, names=self.game.coordinates)
        return said_once(state_in_words(self.game, self.position.state, named))

    def _count(self) -> None:
        if self.position.settled:
            settled = self.players.seen(self.position)
            self.total_rolls += self.position.rolls
            self.longest = max(self.longest, self.position.rolls)
            self.labels[settled.label] += 1
            self.full += [self.card] if self.card else []
            for counter, n in own(self.position).items():
                self.histograms.setdefault(counter, Counter())[n] += 1
            for bet, pay in settled.pays:
                self.profits[bet] = self.profits.get(bet, Fraction(0)) + pay.profit

    def statistics(self, bet: str | None = None) -> dict[str, Any]:
        """The results of the finished games, for one bet or all."""
        games = self.labels.total()
        rolled = 0 if self.position.settled else self.position.rolls
        mean = f"{self.total_rolls / games:.4f}" if games else "none yet"
        return {
            "games": games,
            "rolls": self.total_rolls,
            "rolls per game": mean,
            "longest game": self.longest,
            **{said_once(label): n for label, n in self.labels.most_common()},
            **{
                f"net, {name}": signed(profit)
                for name, profit in self.profits.items()
                if bet in (None, name)
            },
            **{
                f"{n} {counter}": seen
                for counter, histogram in self.histograms.items()
                for n, seen in sorted({0: games - histogram.total(), **histogram}.items())
                if seen
            },
            **({"cost of choices": decimal(self.players.cost)} if self.players.coached else {}),
            **({"unfinished": many(rolled, "roll")} if rolled else {}),
        }


def turn_of(game: Game) -> Game:
    """The turn of a game of turns; any other game is its own turn."""
    return game.turn if isinstance(game, ByTurns) else game


def _inner(state: Any) -> Any:
    """The state of the dice that are kept and rolled."""
    return state if isinstance(state, Outcome) or isinstance(state[0], str) else state[2]


def own(position: Position) -> dict[str, Any]:
    """The counters of a game, without its rolls."""
    return {name: n for name, n in position.counts if not name.startswith("rolls")}


def said_once(text: str) -> str:
    """The outcomes of games on the same rolls, once if they are equal.

    >>> said_once("natural · natural"), said_once("natural · push")
    ('natural', 'natural · push')
    """
    for joint in (" · ", ", "):
        said = set(text.split(joint))
        if len(said) == 1:
            return said.pop()
    return text
