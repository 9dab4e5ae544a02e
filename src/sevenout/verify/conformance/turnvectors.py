"""Test vectors of a game of turns: whole games, turn by turn.

Some games are played optimally, with the decisions. Some are played at random, to reach every box
with every kind of hand. In others all dice are alike again and again, for rules about a second such
hand. All are played through the rules, on dice from a seed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.rules import KeepRoll, Outcome, keeps
from sevenout.rules.position import Position
from sevenout.verify.conformance.vectors import Vector, as_csv, as_json
from sevenout.verify.logs.book import APART

if TYPE_CHECKING:
    from sevenout.solving.turns.turnplay import TurnOptimum

BEST, ANYHOW, ALIKE = 20, 200, 50
"""The number of games of each kind."""
FORMAT = "sevenout vectors of turns"


class PlayedTurn(NamedTuple):
    """A turn as it was played.

    Attributes:
        steps: the dice after each roll and the decision: "1 3 3 5 6: keep 3 3".
        paid: the points of the entry.
        more: the points that the end of the game adds.
    """

    steps: tuple[str, ...]
    entry: str
    paid: Fraction
    total: Fraction
    more: Fraction


def best_turns(optimum: "TurnOptimum", random: Random) -> Iterator[PlayedTurn]:
    """The turns of a game played optimally."""

    def answer(position: Position) -> str:
        return optimum.plans(position.state)[0].name

    return turns(optimum, answer, lambda position: _said(position.throw(random)))


def turns(
    optimum: "TurnOptimum",
    answer: Callable[[Position], str],
    throw: Callable[[Position], str],
) -> Iterator[PlayedTurn]:
    """The turns of a game.

    Args:
        optimum: the game and its goal.
        answer: the option, or for dice that are kept the plan: "keep 2 2".
        throw: rolls, and returns the faces.
    """
    position, turn = Position(optimum.game), optimum.game.turn
    steps: list[str] = []
    before = Fraction(0)
    while not position.settled:
        inner = position.state[2]
        if not position.options:
            rolled = throw(position)
            if not isinstance(turn, KeepRoll):
                steps.append(rolled)
            continue
        did = answer(position)
        if not isinstance(inner, Outcome):
            if isinstance(turn, KeepRoll):
                steps.append(f"{optimum.hand(inner)}: {did}")
                for option in turn.keep(inner, did.removeprefix("keep "))[1]:
                    position.choose(option)
            else:
                steps.append(did)
                position.choose(did)
            continue
        position.choose(did)
        total, more = _counted(optimum, position)
        yield PlayedTurn((*steps, inner.label), did, total - before, total, more)
        before, steps = total, []


def _said(faces: Any) -> str:
    return " ".join(map(str, faces))


def _counted(optimum: "TurnOptimum", position: Position) -> tuple[Fraction, Fraction]:
    """The score so far, and the part of it added by the end of the game."""
    counts, wanted = dict(position.counts), optimum.goal.counters
    total = sum((Fraction(counts.get(c, 0)) * n for c, n in wanted.items()), Fraction(0))
    if not position.settled:
        return total, Fraction(0)
    name, cap = optimum.game.tally or ("", 0)
    last = optimum.game.final(int(min(cap, counts.get(name, 0))))
    more = sum((Fraction(last.get(c, 0)) * n for c, n in wanted.items()), Fraction(0))
    return total - more, more


@dataclass(frozen=True, eq=False)
class TurnVectors:
    """Test vectors of a game of turns, played optimally and at random from a seed."""

    optimum: "TurnOptimum"
    seed: int = 1

    @cached_property
    def all(self) -> tuple[tuple[str, tuple[PlayedTurn, ...]], ...]:
        """Each game with its purpose; its number is its place, from 1."""
        random = Random(self.seed)
        made = [("played best", tuple(best_turns(self.optimum, random))) for _ in range(BEST)]
        made += [("played anyhow", tuple(self._anyhow(random))) for _ in range(ANYHOW)]
        if isinstance(self.optimum.game.turn, KeepRoll):
            made += [("all dice alike", tuple(self._alike(random))) for _ in range(ALIKE)]
        return tuple(made)

    def _anyhow(self, random: Random) -> Iterator[PlayedTurn]:
        def answer(position: Position) -> str:
            inner = position.state[2]
            if isinstance(self.optimum.game.turn, KeepRoll) and not isinstance(inner, Outcome):
                kept = random.choice(list(keeps(inner[1])))
                return f"keep {'all' if kept == inner[1] else _said(kept) or 'none'}"
            return random.choice(position.options)

        return turns(self.optimum, answer, lambda position: _said(position.throw(random)))

    def _alike(self, random: Random) -> Iterator[PlayedTurn]:
        def answer(position: Position) -> str:
            if isinstance(position.state[2], Outcome):
                return random.choice(position.options)
            return "keep all"

        def throw(position: Position) -> str:
            held = position.state[2][1]
            if held:
                position.roll(held[0])
                return ""
            return _said(position.throw(random))

        return turns(self.optimum, answer, throw)

    def _rows(self) -> Iterator[list[Any]]:
        for number, (why, played) in enumerate(self.all, 1):
            for n, turn in enumerate(played, 1):
                row = [turn.entry, str(turn.paid), str(turn.total)]
                yield [number, why, n, "; ".join(turn.steps), *row]
                if turn.more:
                    yield [number, why, "", "", "at the end", turn.more, turn.total + turn.more]

    def csv(self) -> str:
        """CSV, a turn per line."""
        return as_csv([HEAD, *self._rows()])

    def json(self, game: str = "") -> str:
        """JSON, a game per line."""
        games = [
            {
                "number": number,
                "why": why,
                "turns": [
                    {"steps": turn.steps, "entry": turn.entry, "pays": str(turn.paid)}
                    for turn in played
                ],
                "at the end": str(played[-1].more),
                "in all": str(played[-1].total + played[-1].more),
            }
            for number, (why, played) in enumerate(self.all, 1)
        ]
        head = {"format": FORMAT, "version": 1, "game": game, "seed": self.seed}
        return as_json(head | {"vectors": games})

    @cached_property
    def expected(self) -> tuple[Vector, ...]:
        """Each game as a record, and its outcome by the rules."""
        from sevenout.verify.logs.turnlog import TurnBook

        book, found = TurnBook(self.optimum.game, self.optimum.goal), []
        for why, played in self.all:
            line = APART.join(event for turn in played for event in (*turn.steps, turn.entry))
            found.append(Vector(why, line, book.outcome(book.told(line))))
        return tuple(found)

    def scores(self) -> str:
        """CSV of the points of every hand in every box of the first card."""
        game = self.optimum.game
        boxes = list(game.entries(game.card))
        rows = [
            [hand.label, *(str(pays[box]) if box in pays else "" for box in boxes)]
            for hand, pays in self.optimum.pays().items()
        ]
        return as_csv([["hand", *boxes], *rows])


HEAD = ["vector", "why", "turn", "dice and what is kept", "entry", "pays", "in all"]
