"""The rules of a game of turns as integers, whose SHA-256 names them on papers."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sevenout.certify.claim import text
from sevenout.model import state_name
from sevenout.rules import KeepRoll
from sevenout.solving.turns.turn_values import TurnSolver


def turn_rules_sha256(solver: TurnSolver) -> str:
    """The SHA-256 of the dice, the turn, the readings and the cards of a game of turns."""
    digest = sha256()
    for row in _rows(solver):
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode())
    return digest.hexdigest()


def _rows(solver: TurnSolver) -> Iterator[dict[str, Any]]:
    """The dice and the ends; the turn from its ends back; the readings; the cards."""
    cards = solver.cards
    final = [cards.score(dict(cards.game.final(total))) for total in range(cards.cap + 1)]
    worth = [[solver.goal.value(outcome) + x for x in final] for outcome in cards.outcomes]
    yield {
        "rollables": [
            {"rolls": list(map(state_name, r.law)), "weights": list(r.law.weights)}
            for r in solver.turn.rollables
        ],
        "endings": [ending.label for ending in cards.endings],
        "outcomes": [
            {"name": outcome.label, "worth": list(map(text, row))}
            for outcome, row in zip(cards.outcomes, worth, strict=True)
        ],
        "tally": [cards.counter, cards.cap],
    }
    yield from _nodes(solver)
    for read in cards.reads:
        yield {"classes": read.classes.tolist(), "pays": list(map(text, read.rewards))}
    yield from _cards(solver)


def _nodes(solver: TurnSolver) -> Iterator[dict[str, Any]]:
    turn, nodes, game = solver.turn, solver.kernel.nodes, solver.cards.game.turn
    n, many = len(turn.states), len(turn.outcomes)
    place = {n + k: k for k in range(many)} | {s: many + i for i, s in enumerate(nodes)}
    for s in nodes:
        state: Any = turn.states[s]
        name = game.said(state) if isinstance(game, KeepRoll) else state_name(state)
        row: dict[str, Any] = {"node": name}
        if turn.menus[s]:
            row["options"] = list(turn.menus[s])
        else:
            row["roll"] = turn.rolled[s]
        yield row | {"to": [place[t] for t in turn.targets[turn.first[s] : turn.first[s + 1]]]}


def _cards(solver: TurnSolver) -> Iterator[dict[str, Any]]:
    cards = solver.cards
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
