"""Test vectors: games roll by roll, with their results, for another program.

First come the shortest games for each row of each pay table. Then come games that together make
every move in every state, along shortest paths, and games rolled from a seed. The
expected results come from playing each through the rules, and must agree with the solver's tables.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from io import StringIO
from random import Random
from typing import Any, NamedTuple

from sevenout.documents.csv_table import guarded
from sevenout.rules import Outcome
from sevenout.rules.position import Position
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.logs.book import APART, At, Book, LoggedMove, said

MOST_MOVES = 12_000
"""The most moves covered; in a larger game, those nearest to the start."""
GAMES, SEED = 1_000, 1
LONGEST = 400
"""The most events of a random game; longer games are left out."""
FORMAT = "sevenout vectors"


class PayRow(NamedTuple):
    """A row of a pay table: a bet, what happened, and the profit in money."""

    bet: str
    event: str
    profit: Fraction


class Vector(NamedTuple):
    """One game and its result.

    Attributes:
        rolls: its events, as `book` writes them.
        outcome: its end, as the first player sees it.
        counted: what each counter shows at the end.
    """

    why: str
    rolls: str
    outcome: Outcome
    counted: Mapping[str, Fraction] = {}


@dataclass(frozen=True, eq=False)
class Vectors:
    """Test vectors of a game.

    >>> from sevenout.games import catalogue
    >>> vectors = Vectors(Book(catalogue["craps"]), games=10)
    >>> for row, n in vectors.rows.items():
    ...     print(row.event, row.profit, "|", vectors.all[n].rolls)
    craps -1 | 1 1
    natural 1 | 1 6
    point 1 | 1 3; 1 3
    seven out -1 | 1 3; 1 6
    >>> len(vectors.all), vectors.covered == vectors.moves
    (81, True)

    Attributes:
        games: the number of random games.
        awards: by bet, the rows that win its progressive award.
    """

    book: Book
    games: int = GAMES
    seed: int = SEED
    awards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def all(self) -> tuple[Vector, ...]:
        """The vectors; the number of each is its place, from 1."""
        return (*self._shortest[0], *self._covering, *self._random())

    @property
    def rows(self) -> dict[PayRow, int]:
        """The place of the vector that shows each row of a pay table."""
        return self._shortest[1]

    def wins_award(self, bet: str, event: str) -> bool:
        """Whether a row of a pay table wins the progressive award of its bet."""
        return event in self.awards.get(bet, ())

    @property
    def moves(self) -> int:
        """The number of moves of the game: every roll and every option in every state."""
        return sum(map(len, self.book.to))

    @cached_property
    def covered(self) -> int:
        """The number of moves that the vectors make."""
        return len({m for vector in self.all for m in self.book.told(vector.rolls).moves})

    @cached_property
    def _shortest(self) -> tuple[list[Vector], dict[PayRow, int]]:
        book, n = self.book, len(self.book.to)
        vectors: dict[At, int] = {}
        made: list[Vector] = []
        rows: dict[PayRow, int] = {}
        for at in book.ways:
            if at[0] < n:
                continue
            for bet, pay in book.seen(book.outcomes[at[0] - n], at[1]).pays:
                row = PayRow(bet, pay.event, pay.profit)
                if row in rows:
                    continue
                if at not in vectors:
                    vectors[at] = len(made)
                    made.append(self._vector("", book.way(at)))
                rows[row] = vectors[at]
        shown: dict[int, list[str]] = {}
        for row, k in rows.items():
            also = " and the award" if self.wins_award(row.bet, row.event) else ""
            shown.setdefault(k, []).append(f"{row.bet}: {row.event} {row.profit}{also}")
        named = [v._replace(why=f"shortest, {'; '.join(shown[k])}") for k, v in enumerate(made)]
        order = {bet: i for i, bet in enumerate(book.bets)}
        return named, dict(sorted(rows.items(), key=lambda item: order[item[0].bet]))

    @property
    def _covering(self) -> Iterator[Vector]:
        book, n = self.book, len(self.book.to)
        done = {m for v in self._shortest[0] for m in book.told(v.rolls).moves}
        left = MOST_MOVES
        for at in book.ways:
            if at[0] >= n:
                continue
            for move, then in book.around(at):
                if move in done:
                    continue
                if left == 0:
                    return
                moves = (*book.way(at), move, *book.finish(then)[0])
                left -= 1
                done.update(moves)
                yield self._vector(f"move {move.place + 1} of state {move.node + 1}", moves)

    def _random(self) -> Iterator[Vector]:
        random = Random(self.seed)
        made = 0
        while made < self.games:
            position = Position(self.book.game)
            events: list[str] = []
            while not position.settled and len(events) <= LONGEST:
                if position.options:
                    option = random.choice(position.options)
                    position.choose(option)
                    events.append(" ".join(option.replace(";", ",").split()))
                else:
                    events.append(said(position.throw(random)))
            made += 1
            if position.settled:
                yield self._counted(
                    f"random, seed {self.seed}", APART.join(events), self._settled(position)
                )

    def _settled(self, position: Position) -> Outcome:
        assert position.settled is not None
        return self.book.seen(position.settled, position.seat)

    def _vector(self, why: str, moves: tuple[LoggedMove, ...]) -> Vector:
        """The game of these moves by the rules, which must agree with the tables."""
        book = self.book
        position = Position(book.game)
        for move in moves:
            if book.menus[move.node]:
                position.choose(position.options[move.place])
            else:
                position.roll(book.faces(move))
        line = book.said(moves)
        if position.settled is None or self._settled(position) != book.outcome(book.told(line)):
            raise DataError(f"the rules and their tables disagree about {line}")
        return self._counted(why, line, self._settled(position))

    def _counted(self, why: str, line: str, outcome: Outcome) -> Vector:
        if not self.book.counters:
            return Vector(why, line, outcome)
        return Vector(why, line, outcome, self.book.counted(self.book.told(line).moves))

    # --- as files -------------------------------------------------------------------------------

    def csv(self) -> str:
        """CSV: number, purpose, rolls, outcome, the profit of each bet, and the counters."""
        columns = "vector", "why", "rolls", "outcome", *self.book.bets, *self.book.counters
        rows: list[Iterable[Any]] = [columns]
        for number, (why, rolls, outcome, counted) in enumerate(self.all, 1):
            paid = [str(outcome.profit(bet)) for bet in self.book.bets]
            paid += map(str, counted.values())
            rows.append([number, why, rolls, " ".join(outcome.label.split()), *paid])
        return as_csv(rows)

    def to_dict(self, game: str = "") -> dict[str, Any]:
        """Plain data: for each vector its events, each bet's profit and risk, and the counters."""
        rules = [
            {
                "number": number,
                "why": why,
                "rolls": rolls.split(APART),
                "outcome": outcome.label,
                "bets": {
                    bet: {"event": p.event, "profit": str(p.profit), "at risk": str(p.risk)}
                    | ({"award": True} if self.wins_award(bet, p.event) else {})
                    for bet, p in outcome.pays
                },
            }
            | ({"counters": {name: str(n) for name, n in counted.items()}} if counted else {})
            for number, (why, rolls, outcome, counted) in enumerate(self.all, 1)
        ]
        stakes = {bet: str(Fraction(self.book.body.stakes.get(bet, 1))) for bet in self.book.bets}
        return {
            "format": FORMAT,
            "version": 1,
            "game": game,
            "stakes": stakes,
            "moves": self.moves,
            "covered": self.covered,
            "seed": self.seed,
            "vectors": rules,
        }

    def json(self, game: str = "") -> str:
        """JSON, a vector per line."""
        return as_json(self.to_dict(game))


def as_json(data: dict[str, Any]) -> str:
    """A file of vectors, one per line at its end."""
    lines = [json.dumps(each, ensure_ascii=False) for each in data["vectors"]]
    head = {key: value for key, value in data.items() if key != "vectors"}
    text = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{text},\n "vectors": [\n' + ",\n".join(lines) + "\n]}\n"


def as_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV; no text begins as a spreadsheet's formula."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return out.getvalue()
