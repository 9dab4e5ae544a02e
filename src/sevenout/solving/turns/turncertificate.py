"""Certificates of games of turns: the rules as integers, small enough for a checker to solve.

Half a million cards with totals come from some 12,000 cards, a turn of 1,700 nodes and a few
hundred readings. So the certificate lists no values, only the rules, each item after those that it
leads to. The checker solves them in integers (`certify/check.py`).
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from math import ceil, lcm
from typing import Any

from sevenout.certify import ProofFile
from sevenout.certify.certificate import VERSION
from sevenout.certify.claim import text
from sevenout.model import explore, state_name
from sevenout.rules import ByTurns, KeepRoll
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.turns.scorecards import Cards
from sevenout.solving.turns.turn_values import TurnSolver


@dataclass(frozen=True, eq=False)
class TurnCertificate(ProofFile):
    """The input of `check.py`, made by `TurnOptimum.certificate`.

    Attributes:
        bound: the error bound of `value`; 0 for a fraction.
    """

    game: str
    solved: TurnSolver
    value: Fraction
    bound: Fraction

    @cached_property
    def _outcome_values(self) -> list[list[Fraction]]:
        """The value of each outcome with each total, reachable or not."""
        cards, goal = self.solved.cards, self.solved.goal
        finals = [cards.score(dict(cards.game.final(total))) for total in range(cards.cap + 1)]
        return [[goal.value(outcome) + final for final in finals] for outcome in cards.outcomes]

    @cached_property
    def _unit(self) -> int:
        """The common denominator of the separate amounts in the file."""
        cards = self.solved.cards
        amounts = {x for row in self._outcome_values for x in row}
        amounts |= {x for read in cards.reads for x in read.rewards}
        amounts |= {x for entries in cards.entries for entry in entries for x in entry.pays}
        return lcm(*(amount.denominator for amount in amounts))

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        solved, cards = self.solved, self.solved.cards
        return {
            "format": "sevenout certificate of turns",
            "version": VERSION,
            "game": self.game,
            "of": solved.goal.name.partition(" ")[2],
            "want": "most" if solved.goal.sense > 0 else "least",
            "rollables": [
                {"rolls": list(map(state_name, r.law)), "weights": list(r.law.weights)}
                for r in solved.turn.rollables
            ],
            "endings": [ending.label for ending in cards.endings],
            "outcomes": [
                {"name": outcome.label, "worth": list(map(text, row))}
                for outcome, row in zip(cards.outcomes, self._outcome_values, strict=True)
            ],
            "tally": [cards.counter, cards.cap],
            "nodes": len(solved.kernel.nodes),
            "readings": len(cards.reads),
            "cards": len(cards.cards),
            **self._claimed(),
        }

    def _claimed(self) -> dict[str, Any]:
        """The value, and units so fine that rounding changes no digit."""
        unit = self._unit
        if not self.bound:
            return {"unit": unit, "rounded": False, "value": text(self.value), "within": 0}
        digits = 0
        while self.bound * 10 ** (digits + 1) <= 1:
            digits += 1
        turns = len(self.solved.cards.levels)
        fine: int = 1 << (4 * turns * 10**digits).bit_length()
        units = round(self.value * 10**digits)
        sign, shown = "-" if units < 0 else "", str(abs(units)).zfill(digits + 1)
        value = f"{sign}{shown[:-digits]}.{shown[-digits:]}" if digits else str(units)
        within = f"2e-{digits}" if self.bound <= 1 else 2 * ceil(self.bound)
        return {"unit": unit * fine, "rounded": True, "value": value, "within": within}

    @cached_property
    def rules_sha256(self) -> str:
        """The SHA-256 of the rules in the file, without the name and the value."""
        told = {"game", *self._claimed()}
        lines = self.data()
        head = {key: x for key, x in next(lines).items() if key not in told}
        digest = sha256()
        for line in (head, *lines):
            digest.update(json.dumps(line, ensure_ascii=False, sort_keys=True).encode())
        return digest.hexdigest()

    def data(self) -> Iterator[dict[str, Any]]:
        """Each line: the header, the turn from its endings back, the readings, the cards."""
        yield self.header
        yield from self._nodes()
        for read in self.solved.cards.reads:
            yield {"classes": read.classes.tolist(), "pays": list(map(text, read.rewards))}
        yield from self._cards()

    def _nodes(self) -> Iterator[dict[str, Any]]:
        turn, nodes, game = self.solved.turn, self.solved.kernel.nodes, self.solved.cards.game.turn
        n, many = len(turn.states), len(turn.outcomes)
        place = {n + k: k for k in range(many)} | {s: many + i for i, s in enumerate(nodes)}
        for s in nodes:
            state: Any = turn.states[s]
            said = game.said(state) if isinstance(game, KeepRoll) else state_name(state)
            row: dict[str, Any] = {"node": said}
            if turn.menus[s]:
                row["options"] = list(turn.menus[s])
            else:
                row["roll"] = turn.rolled[s]
            yield row | {"to": [place[t] for t in turn.targets[turn.first[s] : turn.first[s + 1]]]}

    def _cards(self) -> Iterator[dict[str, Any]]:
        cards = self.solved.cards
        order = [s for level in cards.levels for s in level]
        place = {s: len(cards.outcomes) + i for i, s in enumerate(order)}
        place |= {~k: k for k in range(len(cards.outcomes))}
        for s in order:
            yield {
                "card": state_name(cards.cards[s]),
                "entries": [
                    {
                        "entry": entry.name,
                        "reading": entry.read,
                        "to": [place[t] for t in entry.targets],
                        "tally": list(entry.advances),
                        "pays": list(map(text, entry.pays)),
                    }
                    for entry in cards.entries[s]
                    if entry.targets
                ],
            }

    def __repr__(self) -> str:
        return f"<TurnCertificate of {self.game}: {self.solved.goal.name}>"


def turn_difference(lines: Iterable[bytes], game: ByTurns) -> str:
    """Where a checked certificate differs from this game; empty if nowhere.

    >>> from sevenout.solving.optimal_play import best
    >>> from sevenout.catalogue.choice_games.yahtzee import Yahtzee
    >>> class OneBox(Yahtzee):
    ...     card = (frozenset({"yahtzee"}), False)
    >>> turn_difference(best(OneBox()).certificate().lines(), OneBox())
    ''
    """
    found = [json.loads(line) for line in lines]
    if not {"want", "of"} <= set(found[0]):
        return "line 1: this is not a certificate of a game of turns"
    goal = goal_of_turns(game, **{found[0]["want"]: found[0]["of"]})
    turn = explore(game.turn)
    solver = TurnSolver(Cards(game, goal, turn.outcomes), turn, exact=False)
    made = TurnCertificate("", solver, Fraction(0), Fraction(0))
    for n, (one, two) in enumerate(zip_longest(found, made.data()), 1):
        if one is None or two is None or _rules(one) != _rules(two):
            return f"line {n}: this is not what the rules of the game say"
    return ""


def _rules(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in CLAIMED}


CLAIMED = ("game", "unit", "rounded", "value", "within")
"""The header's keys besides the game."""
