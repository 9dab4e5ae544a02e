"""Test vectors: games event by event, with their results, for another program.

Of a game of bets, first come the shortest games for each row of each pay table. Then come games
that together make every move in every state, along shortest paths, and games rolled from a seed.
The expected results come from playing each through the rules, and must agree with the solver's
tables.

Of a game of turns, some games are played optimally, with the decisions. Some are played at random,
to reach every box with every kind of hand. In others all dice are alike again and again, for rules
about a second such hand.

Both are written in one form, with a line for each game. It has the events as `records` writes
them, the outcome, the profit of each bet (or the score), and what each counter shows at the end.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents import Table
from sevenout.errors import shown
from sevenout.rules import KeepRoll, Outcome, keepable_sets
from sevenout.rules.game import Frozen
from sevenout.rules.position import Position
from sevenout.verify.counts import DataError
from sevenout.verify.records import (
    EVENT_SEPARATOR,
    Book,
    LoggedMove,
    NodeSeat,
    TurnBook,
    faces_text,
)

if TYPE_CHECKING:
    from sevenout.solving.turn_optimum import TurnOptimum

MAX_MOVES = 12_000
"""The most moves covered; in a larger game, those nearest to the start."""
GAMES, SEED = 1_000, 1
"""The random games, and their seed."""
MAX_EVENTS = 400
"""The most events of a random game; longer games are left out."""
# each score card of a game played optimally is solved anew: 0.2 s of a processor, 13 cards a game
BEST_GAMES, RANDOM_GAMES, ALIKE_GAMES = 5, 200, 50
"""The games of turns played optimally, at random, and with all dice alike."""


class PayRow(NamedTuple):
    """A row of a pay table: a bet, an event, the profit in money, and the money at risk."""

    bet: str
    event: str
    profit: Fraction
    risk: Fraction


class GameVector(NamedTuple):
    """One game and its result.

    Attributes:
        why: its purpose, in words.
        rolls: its events, as `records` writes them.
        outcome: its end, as the first player sees it.
        counters: what each counter shows at the end.
    """

    why: str
    rolls: str
    outcome: Outcome
    counters: Mapping[str, Fraction] = Frozen({})


class VectorSet(Sequence[GameVector]):
    """The vectors of a game, whatever its kind; in a file they are numbered from 1.

    Attributes:
        book: the game, for reading and writing its records.
    """

    book: Any

    @property
    @abstractmethod
    def _vectors(self) -> tuple[GameVector, ...]:
        """The vectors, made on demand."""

    def __len__(self) -> int:
        return len(self._vectors)

    def __getitem__(self, index: Any) -> Any:
        return self._vectors[index]

    def csv(self) -> str:
        """CSV: number, purpose, rolls, outcome, the profit of each bet, and the counters."""
        columns = "vector", "why", "rolls", "outcome", *self.book.bets, *self.book.counters
        rows: list[Sequence[object]] = []
        for number, (why, rolls, outcome, counters) in enumerate(self, 1):
            results = [str(outcome.profit(bet)) for bet in self.book.bets]
            results += map(str, counters.values())
            rows.append([number, why, rolls, " ".join(outcome.label.split()), *results])
        return Table(columns, rows).csv()


@dataclass(frozen=True, eq=False)
class Vectors(VectorSet):
    """Test vectors of a game of bets; they are made on demand.

    >>> from sevenout.catalogue import games
    >>> vectors = Vectors(Book(games["craps"]), games=10)
    >>> for row, n in vectors.rows.items():
    ...     print(row.event, row.profit, "|", vectors[n].rolls)
    craps -1 | 1 1
    natural 1 | 1 6
    point 1 | 1 3; 1 3
    seven out -1 | 1 3; 1 6
    >>> len(vectors), vectors.covered == vectors.move_count
    (81, True)

    Attributes:
        book: the game as tables of moves.
        games: the number of games with random rolls; those of over 400 events are left out.
        seed: of the random games.
        awards: by bet, the rows that win its progressive award.
    """

    book: Book
    games: int = GAMES
    seed: int = SEED
    awards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.games) is not int or self.games < 0:
            raise DataError(f"games={shown(self.games)}; give 0 or more random games")
        rows = {(bet, pay.event) for outcome in self.book.endings for bet, pay in outcome.pays}
        for bet, events in self.awards.items():
            if bet not in self.book.bets:
                raise DataError(f"awards: the game has no bet {shown(bet)}")
            for event in events:
                if (bet, event) not in rows:
                    raise DataError(f"awards: {shown(bet)} has no row {shown(event)}")

    @cached_property
    def _vectors(self) -> tuple[GameVector, ...]:
        """The shortest games, those that cover the moves, and the random ones."""
        return (*self._shortest[0], *self._covering(), *self._random())

    @property
    def rows(self) -> dict[PayRow, int]:
        """The index of the vector that shows each row of a pay table."""
        return self._shortest[1]

    def wins_award(self, bet: str, event: str) -> bool:
        """Whether a row of a pay table wins the progressive award of its bet."""
        return event in self.awards.get(bet, ())

    @property
    def move_count(self) -> int:
        """The number of moves of the game: every roll and every option in every state."""
        return sum(map(len, self.book.targets))

    @cached_property
    def covered(self) -> int:
        """The number of moves that the vectors make."""
        return len({m for vector in self for m in self.book.read(vector.rolls).moves})

    @cached_property
    def _shortest(self) -> tuple[list[GameVector], dict[PayRow, int]]:
        """The shortest game to each row of a pay table, and the index of each row's game."""
        book, n = self.book, len(self.book.targets)
        index_by_end: dict[NodeSeat, int] = {}
        vectors: list[GameVector] = []
        rows: dict[PayRow, int] = {}
        # ends come by the length of their shortest game, so the first with a row is its shortest
        for node, seat in book.last_moves:
            if node < n:
                continue
            for bet, pay in book.as_first_player(book.outcomes[node - n], seat).pays:
                row = PayRow(bet, pay.event, pay.profit, pay.risk)
                if row in rows:
                    continue
                # one game may show a row of each bet
                if (node, seat) not in index_by_end:
                    index_by_end[node, seat] = len(vectors)
                    vectors.append(self._vector("", book.shortest_path((node, seat))))
                rows[row] = index_by_end[node, seat]
        purposes: dict[int, list[str]] = {}
        for row, k in rows.items():
            also = " and the award" if self.wins_award(row.bet, row.event) else ""
            purposes.setdefault(k, []).append(f"{row.bet}: {row.event} {row.profit}{also}")
        for k, vector in enumerate(vectors):
            vectors[k] = vector._replace(why=f"shortest, {'; '.join(purposes[k])}")
        order = {bet: i for i, bet in enumerate(book.bets)}
        return vectors, dict(sorted(rows.items(), key=lambda item: order[item[0].bet]))

    def _covering(self) -> Iterator[GameVector]:
        """Games that make the moves that no shortest game makes, along shortest paths."""
        book, n = self.book, len(self.book.targets)
        covered = {m for v in self._shortest[0] for m in book.read(v.rolls).moves}
        moves_left = MAX_MOVES
        for source in book.last_moves:
            if source[0] >= n:
                continue
            for move, target in book.moves_from(source):
                if move in covered:
                    continue
                if moves_left == 0:
                    return
                moves = (*book.shortest_path(source), move, *book.shortest_ending(target)[0])
                moves_left -= 1
                covered.update(moves)
                yield self._vector(f"move {move.branch + 1} of state {move.node + 1}", moves)

    def _random(self) -> Iterator[GameVector]:
        """Games with random rolls and random choices."""
        random = Random(self.seed)
        for _ in range(self.games):
            position = Position(self.book.game)
            events: list[str] = []
            while not position.settled and len(events) <= MAX_EVENTS:
                if position.options:
                    option = random.choice(position.options)
                    position.choose(option)
                    # a semicolon would end the event in the record
                    events.append(" ".join(option.replace(";", ",").split()))
                else:
                    events.append(faces_text(position.throw(random)))
            # one that is too long is left out, and the next one rolled
            if position.settled:
                yield self._with_counters(
                    f"random, seed {self.seed}",
                    EVENT_SEPARATOR.join(events),
                    self._outcome(position),
                )

    def _outcome(self, position: Position) -> Outcome:
        """The end of a position that is settled, as the first player sees it."""
        assert position.settled is not None
        return self.book.as_first_player(position.settled, position.seat)

    def _vector(self, why: str, moves: tuple[LoggedMove, ...]) -> GameVector:
        """The game of these moves by the rules, which must agree with the tables."""
        book = self.book
        position = Position(book.game)
        for move in moves:
            if book.menus[move.node]:
                position.choose(position.options[move.branch])
            else:
                position.roll(book.faces(move))
        line = book.record_text(moves)
        # two ways to the outcome: through the rules, and through the tables
        if position.settled is None or self._outcome(position) != book.outcome(book.read(line)):
            raise DataError(f"the rules and their tables disagree about {line}")
        return self._with_counters(why, line, self._outcome(position))

    def _with_counters(self, why: str, line: str, outcome: Outcome) -> GameVector:
        """A vector with what its counters show."""
        if not self.book.counters:
            return GameVector(why, line, outcome)
        return GameVector(why, line, outcome, self.book.counter_totals(self.book.read(line).moves))


class PlayedTurn(NamedTuple):
    """A turn as it was played.

    Attributes:
        steps: the dice after each roll and the decision: "1 3 3 5 6: keep 3 3".
        entry: the box in which it was entered.
        paid: the points of the entry.
        total: the score after it.
        final_points: the points that the end of the game adds.
    """

    steps: tuple[str, ...]
    entry: str
    paid: Fraction
    total: Fraction
    final_points: Fraction


def best_turns(optimum: "TurnOptimum", random: Random) -> Iterator[PlayedTurn]:
    """The turns of a game played optimally."""

    def decide(position: Position) -> str:
        return optimum.combined_options(position.state)[0].name

    return play_turns(optimum, decide, lambda position: faces_text(position.throw(random)))


def play_turns(
    optimum: "TurnOptimum",
    decide: Callable[[Position], str],
    throw: Callable[[Position], str],
) -> Iterator[PlayedTurn]:
    """The turns of a game.

    Args:
        optimum: the game and its goal.
        decide: the option, or for dice that are kept the plan: "keep 2 2".
        throw: rolls, and returns the faces.
    """
    position, turn = Position(optimum.game), optimum.game.turn
    steps: list[str] = []
    score_before = Fraction(0)
    while not position.settled:
        inner = position.state[2]
        if not position.options:
            rolled = throw(position)
            # dice that are kept are written with the decision: all of them, after the roll
            if not isinstance(turn, KeepRoll):
                steps.append(rolled)
            continue
        option = decide(position)
        if not isinstance(inner, Outcome):
            if isinstance(turn, KeepRoll):
                steps.append(f"{optimum.hand(inner)}: {option}")
                for single_option in turn.keep(inner, option.removeprefix("keep "))[1]:
                    position.choose(single_option)
            else:
                steps.append(option)
                position.choose(option)
            continue
        position.choose(option)
        total, final_points = _score_and_final_points(optimum, position)
        yield PlayedTurn((*steps, inner.label), option, total - score_before, total, final_points)
        score_before, steps = total, []


def _score_and_final_points(
    optimum: "TurnOptimum", position: Position
) -> tuple[Fraction, Fraction]:
    """The score so far, and the part of it added by the end of the game."""

    def points(counts: Mapping[str, Any]) -> Fraction:
        weights = optimum.goal.counters
        return sum((Fraction(counts.get(c, 0)) * n for c, n in weights.items()), Fraction(0))

    counts = dict(position.counts)
    if not position.settled:
        return points(counts), Fraction(0)
    name, cap = optimum.game.tally or ("", 0)
    final_points = points(optimum.game.final_counts(int(min(cap, counts.get(name, 0)))))
    return points(counts) - final_points, final_points


@dataclass(frozen=True, eq=False)
class TurnVectors(VectorSet):
    """Test vectors of a game of turns, played optimally and at random from a seed.

    Attributes:
        optimum: the game, its goal and its optimal play.
        seed: of the dice, and of the random decisions.
    """

    optimum: "TurnOptimum"
    seed: int = SEED

    @cached_property
    def book(self) -> TurnBook:
        """The game, for reading its records."""
        return TurnBook(self.optimum.game, self.optimum.goal)

    @cached_property
    def turns_by_game(self) -> tuple[tuple[str, tuple[PlayedTurn, ...]], ...]:
        """The turns of each game, with its purpose."""
        random = Random(self.seed)
        players: list[tuple[str, Callable[[Random], Iterator[PlayedTurn]], int]] = [
            ("played optimally", partial(best_turns, self.optimum), BEST_GAMES),
            ("played at random", self._random_turns, RANDOM_GAMES),
        ]
        if isinstance(self.optimum.game.turn, KeepRoll):
            players.append(("all dice alike", self._alike_turns, ALIKE_GAMES))
        return tuple(
            (why, tuple(turns_of_game(random)))
            for why, turns_of_game, games in players
            for _ in range(games)
        )

    @cached_property
    def _vectors(self) -> tuple[GameVector, ...]:
        """Each game as a record, and its outcome by the rules."""
        vectors = []
        for why, turns in self.turns_by_game:
            events = [event for turn in turns for event in (*turn.steps, turn.entry)]
            line = EVENT_SEPARATOR.join(events)
            vectors.append(GameVector(why, line, self.book.replay(line)[0]))
        return tuple(vectors)

    def _random_turns(self, random: Random) -> Iterator[PlayedTurn]:
        """The turns of a game with random decisions."""

        def decide(position: Position) -> str:
            inner = position.state[2]
            if isinstance(self.optimum.game.turn, KeepRoll) and not isinstance(inner, Outcome):
                kept = random.choice(list(keepable_sets(inner[1])))
                if kept == inner[1]:
                    return "keep all"
                return f"keep {faces_text(kept) or 'none'}"
            return random.choice(position.options)

        return play_turns(self.optimum, decide, lambda position: faces_text(position.throw(random)))

    def _alike_turns(self, random: Random) -> Iterator[PlayedTurn]:
        """The turns of a game in which all dice of a turn are alike."""

        def decide(position: Position) -> str:
            if isinstance(position.state[2], Outcome):
                return random.choice(position.options)
            return "keep all"

        def throw(position: Position) -> str:
            held = position.state[2][1]
            # each further die as the first one
            if held:
                position.roll(held[0])
                return ""
            return faces_text(position.throw(random))

        return play_turns(self.optimum, decide, throw)

    def scores(self) -> str:
        """CSV of the points of every hand in every box of the first card."""
        game = self.optimum.game
        boxes = list(game.entries(game.card))
        rows = [
            [hand.label, *(str(pays[box]) if box in pays else "" for box in boxes)]
            for hand, pays in self.optimum.first_pays().items()
        ]
        return Table(["hand", *boxes], rows).csv()
