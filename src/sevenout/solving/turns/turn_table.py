"""Optimal play of a game of turns from a file.

The file holds the expected value of every score card and tally, rounded to a millionth. Solving one
turn on a card is then cheap, and needs neither NumPy nor a compiler.
"""

import json
import sys
from array import array
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError, shown
from sevenout.model import Model, explore, state_name
from sevenout.model.graph import components
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome
from sevenout.rules.outcome import followed
from sevenout.solving.goal import Goal
from sevenout.solving.policies.option_values import Option

if TYPE_CHECKING:
    from sevenout.solving.turns.turnplay import TurnOptimum

PARTS = 10**6
"""Values in the file are integers in this fraction of a point."""
BYTES = 4
"""Bytes of a value in the file."""


def ways_on(turn: Model, rules: Game, start: int) -> dict[int, str]:
    """The rolls and endings that a decision can lead to, by name."""
    n = len(turn.states)
    names: dict[int, str] = {}
    paths: dict[int, tuple[str, ...]] = {start: ()}
    for node in (queue := [start]):  # the loop adds nodes
        for m in range(turn.first[node], turn.first[node + 1]):
            target = turn.targets[m]
            path = (*paths[node], turn.menus[node][m - turn.first[node]])
            if target in paths:
                continue
            paths[target] = path
            if target < n and turn.menus[target]:
                queue.append(target)
            else:
                then: Any = turn.states[target] if target < n else turn.outcomes[target - n]
                kept = rules.plan(then) if isinstance(rules, KeepRoll) else ""
                names[target] = kept or ", ".join(path)
    return names


def written(best: "TurnOptimum", scores: Mapping[Any, Any], of: str) -> bytes:
    """The file of a game: a line of JSON, then the differences of the values by byte planes.

    `scores` are the probabilities of final scores; `of` describes the games behind them.
    """
    solver = best.best.floats
    names = [state_name(card) for card in solver.cards.cards]
    n = len(names)
    if len({*names}) < n:
        raise RulesError(
            "two score cards have the same name; give each part of a card a name of its own"
        )
    told = {
        "reached": dict(zip(names, map(hex, solver.cards.reached), strict=False)),
        "scores": [[str(score), float(share)] for score, share in scores.items()],
        "of": of,
    }
    values = [round(value * PARTS) for value in solver.values[: solver.offsets[n]].tolist()]
    steps = array("i", (b - a for a, b in zip([0, *values], values, strict=False)))
    raw = _little(steps).tobytes()
    planes = b"".join(raw[k::BYTES] for k in range(BYTES))
    return json.dumps(told, separators=(",", ":")).encode() + b"\n" + planes


def _little(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class TurnTable:
    """Optimal play of a game of turns, from a file made by `written`.

    Attributes:
        bound: the error bound of a value, in points.
        scores: the probability of each final score under optimal play.
    """

    bound = Fraction(1, PARTS)

    def __init__(self, game: ByTurns, goal: Goal, content: bytes) -> None:
        line, _, planes = content.partition(b"\n")
        told = json.loads(line)
        raw = bytearray(len(planes))
        size = len(planes) // BYTES
        for k in range(BYTES):
            raw[k::BYTES] = planes[k * size : (k + 1) * size]
        self._values = array("i", accumulate(_little(array("i", bytes(raw)))))
        self._place: dict[str, tuple[int, int]] = {}
        at = 0
        for name, mask in told["reached"].items():
            reached = int(mask, 16)
            self._place[name] = at, reached
            at += reached.bit_count()
        self.scores = {Fraction(score): share for score, share in told["scores"]}
        self.of: str = told["of"]
        self.game, self.goal, self.turn = game, goal, explored(game.turn)
        self._play = lru_cache(maxsize=64)(self._played)

    def to_come(self, card: Any, tally: int) -> float:
        """The expected value still to come on a score card.

        Raises:
            RulesError: there is no such card.
        """
        at, reached = self._place.get(state_name(card), (0, 0))
        if not reached >> tally & 1:
            raise RulesError(f"the game is never in state {shown((card, tally))}")
        return self._values[at + (reached & ((1 << tally) - 1)).bit_count()] / PARTS

    def plans(self, state: Any) -> tuple[Option, ...]:
        """The plans up to the next roll or the end of the turn, best first."""
        card, tally, inner = state
        if isinstance(inner, Outcome):
            return self._options(dict(self._entries(card, tally, inner)))
        values = self._play(card, tally)
        ways = ways_on(self.turn, self.game.turn, self.turn.asked[inner])
        return self._options({name: values[node] for node, name in ways.items()})

    def costs(self, state: Any, option: str) -> Fraction:
        """The regret of a plan; 0 if it may be due to rounding."""
        may = {each.name: each.margin for each in self.plans(state)}
        if option not in may:
            there = ", ".join(may)[:200]
            raise RulesError(f"{shown(option)} is not an option here; the options are: {there}")
        return may[option] if may[option] > 2 * self.bound else Fraction(0)

    def _options(self, found: Mapping[str, float]) -> tuple[Option, ...]:
        sense = self.goal.sense
        best = max(value * sense for value in found.values())
        options = [
            Option(name, Fraction(value), Fraction(best - value * sense))
            for name, value in found.items()
        ]
        return tuple(sorted(options, key=lambda option: option.margin))

    def _entries(self, card: Any, tally: int, ending: Outcome) -> Iterator[tuple[str, float]]:
        """Each entry of an ending, with its value including what is to come."""
        for entry, follows in self.game.choices((card, tally, ending)).items():
            then, counts, _ = followed(follows)
            wanted = self.goal.counters
            now = sum(float(n) * float(wanted.get(name, 0)) for name, n in dict(counts).items())
            if isinstance(then, Outcome):
                yield entry, now + float(self.goal.value(then))
            else:
                yield entry, now + self.to_come(*getattr(then, "state", then)[:2])

    def _played(self, card: Any, tally: int) -> list[float]:
        """The value of each node of the turn on a card, then of each ending."""
        turn, sense = self.turn, self.goal.sense
        ends = [
            sense * max(sense * value for _, value in self._entries(card, tally, ending))
            for ending in turn.outcomes
        ]
        values = [0.0] * len(turn.states) + ends
        for s, row, shares in order_of(self.game.turn):
            if shares:
                values[s] = sum(values[t] * p for t, p in zip(row, shares, strict=True))
            else:
                values[s] = sense * max(sense * values[t] for t in row)
        return values


@lru_cache(maxsize=8)
def explored(turn: Game) -> Model:
    """The explored turn, cached."""
    return explore(turn)


@lru_cache(maxsize=8)
def order_of(turn: Game) -> list[tuple[int, tuple[int, ...], tuple[float, ...]]]:
    """The nodes of a turn, last first, with their targets and, for rolls, probabilities."""
    model = explored(turn)
    rows = [
        tuple(model.targets[model.first[s] : model.first[s + 1]]) for s in range(len(model.states))
    ]
    found = []
    for s, *_ in reversed([*components([list(row) for row in rows])]):
        shares: tuple[float, ...] = ()
        if not model.menus[s]:
            weights = model.rollables[model.rolled[s]].law.weights
            shares = tuple(weight / sum(weights) for weight in weights)
        found.append((s, rows[s], shares))
    return found
