"""The coach of a game of turns: the best option, and the cost of the others."""

from fractions import Fraction
from typing import Any
from urllib.parse import quote

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import DECIMAL
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import TooMuchWorkError
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import choose, optimum
from sevenout.lab.addresses.turns_by_hand import Turns
from sevenout.lab.widgets.parts import Hero, KeyFigure
from sevenout.lab.widgets.view import Saved
from sevenout.rules import ByTurns
from sevenout.solving.best_play import Option
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.turn_table import TurnTable, table_bytes

PLANS = 8
COMPARED = 20_000
"""Games simulated when the score's distribution doesn't fit in a page's memory."""
TABLES: dict[str, TurnTable] = {}
"""Precomputed optimal play by game, read from files."""


def give(name: str, content: bytes) -> None:
    """Let the coach look up a game in a file."""
    chosen = choose(name)
    assert isinstance(chosen.game, ByTurns)
    goal = goal_of_turns(chosen.game, **(chosen.goal or {}))
    TABLES[name] = TurnTable(chosen.game, goal, content)


def table_of(name: str) -> bytes:
    """The file in which the coach looks up a game."""
    best_play: Any = optimum(name)
    return table_bytes(best_play, *scores_of(best_play))


def scores_of(best: Any) -> tuple[dict[Any, Any], str]:
    """The probability of each final score, and the games it is of."""
    if isinstance(best, TurnTable):
        return best.scores, best.of
    try:
        return best.law.row, "games played best"
    except TooMuchWorkError:
        # A fixed seed gives every player the same comparison.
        law = best.best.simulate(COMPARED, seed=1)
        return law.row, f"{COMPARED:,} simulated games played best"


class Coach:
    """Optimal play of a game; silent if it isn't available."""

    def __init__(self, text: str, game: Turns, shown: bool = True) -> None:
        self.shown = shown
        try:
            self.best: Any = optimum(text)
        except ImportError:
            # The static edition has no NumPy; its worker hands over a file instead.
            self.best = TABLES.get(text)
        self.costs = [self.sure(choice.state, choice.did) for choice in game.choices]

    @property
    def cost(self) -> Fraction | None:
        return sum(self.costs, Fraction(0)) if self.best else None

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options, best first; empty if the coach is silent."""
        return tuple(self.best.plans(state)) if self.best and self.shown else ()

    def move(self, game: Turns) -> str:
        options = () if game.position.settled else self.options(game.position.state)
        return options[0].name if options else ""

    def beaten(self, score: int) -> tuple[Fraction, str]:
        """The share of games with a lower score, and the games it is of."""
        scores, of = scores_of(self.best)
        return Fraction(sum(p for points, p in scores.items() if points < score)), of

    def sure(self, state: Any, option: str) -> Fraction:
        """The cost of an option; 0 if it may be rounding."""
        return self.best.costs(state, option) if self.best else Fraction(0)

    def words(self, state: Any) -> dict[str, str]:
        return {
            o.name: f"costs {decimal(cost, 3)}" if (cost := self.sure(state, o.name)) else "best"
            for o in self.options(state)
        }

    def said(self, base: Address, game: Turns) -> list[Any]:
        """The best options as links; and as a table."""
        if not self.best:
            return [h.p(".soft")["A coach needs NumPy and LLVM, which are not here."]]
        if not self.shown:
            return []
        state = game.position.state
        options, words = self.options(state), self.words(state)
        columns = [Column("option"), Column("expected", DECIMAL), Column("costs", DECIMAL)]
        rows = [(o.name, o.value, self.sure(state, o.name)) for o in options]
        return [
            h.p(".hint")["Points still to come on average, if you play best afterwards."],
            h.ul(".links-list")[
                (
                    h.li[
                        h.a(href=str(after(base, o.name)))[o.name],
                        h.span(".soft")[f" {decimal(o.value, 3)}, {words[o.name]}"],
                    ]
                    for o in options[:PLANS]
                )
            ],
            Saved(Table(columns, rows)),
        ]

    def hero(self, game: Turns) -> Any:
        """The score, and the expected final score under optimal play."""
        figures = [KeyFigure(f"{game.score:,}", game.goal, big=True)]
        words = ""
        if self.best and not game.position.settled:
            ahead = self.best.plans(game.position.state)[0].value
            figures.append(
                KeyFigure(decimal(game.score + ahead, 2), "on average, if you play best from here")
            )
        elif self.best:
            share, of = self.beaten(game.score)
            figures.append(KeyFigure(percent(share, 1), f"of {of} score less"))
        if self.cost is not None:
            words = f"Your choices have cost {decimal(self.cost, 2)} points."
            words = words if self.cost else "Every choice was the best."
            if game.position.settled:
                words = f"Better than {percent(share, 1)} of {of}. {words}"
        return Hero(*figures, words=words if game.choices else "")


def after(base: Address, did: str) -> Address:
    before = base.get("did")
    return base.to(did="|".join(filter(None, [before, quote(did, safe=" ")])))
