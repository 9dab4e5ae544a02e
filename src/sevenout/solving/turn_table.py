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
from sevenout.solving.best_play import Option
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from sevenout.solving.turn_optimum import TurnOptimum

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


def table_bytes(best: "TurnOptimum", scores: Mapping[Any, Any], source: str) -> bytes:
    """The file of a game: a line of JSON, then the differences of the values by byte planes.

    `scores` are the probabilities of final scores; `source` describes the games behind them.
    """
    solver = best.best.floats
    names = [state_name(card) for card in solver.cards.cards]
    n = len(names)
    if len({*names}) < n:
        raise RulesError(
            "two score cards have the same name; give each part of a card a name of its own"
        )
    head = {
        "reached": dict(zip(names, map(hex, solver.cards.reached), strict=False)),
        "scores": [[str(score), float(share)] for score, share in scores.items()],
        "of": source,
    }
    values = [round(value * PARTS) for value in solver.values[: solver.offsets[n]].tolist()]
    steps = array("i", (b - a for a, b in zip([0, *values], values, strict=False)))
    raw = _little(steps).tobytes()
    # Upper bytes of small differences are nearly all equal, so planes of them pack well.
    planes = b"".join(raw[k::BYTES] for k in range(BYTES))
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + planes


def _little(numbers: "array[int]") -> "array[int]":
    # The file is little-endian, and read where it was not written: in a browser.
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class TurnTable:
    """Optimal play of a game of turns, from a file made by `table_bytes`.

    Attributes:
        bound: the error bound of a value, in points.
        scores: the probability of each final score under optimal play.
        of: what the scores are taken from, in words.
        game: the rules.
        goal: the objective.
        turn: the model of one turn.
    """

    bound = Fraction(1, PARTS)

    def __init__(self, game: ByTurns, goal: Goal, content: bytes) -> None:
        line, _, planes = content.partition(b"\n")
        head = json.loads(line)
        raw = bytearray(len(planes))
        size = len(planes) // BYTES
        for k in range(BYTES):
            raw[k::BYTES] = planes[k * size : (k + 1) * size]
        # Values were rounded before they were subtracted, so the sums don't drift.
        self._values = array("i", accumulate(_little(array("i", bytes(raw)))))
        self._place: dict[str, tuple[int, int]] = {}
        place = 0
        for name, mask in head["reached"].items():
            reached = int(mask, 16)
            self._place[name] = place, reached
            place += reached.bit_count()
        self.scores = {Fraction(score): share for score, share in head["scores"]}
        self.of: str = head["of"]
        self.game, self.goal, self.turn = game, goal, explored(game.turn)
        self._play = lru_cache(maxsize=64)(self._played)

    def to_come(self, card: Any, tally: int) -> float:
        """The expected value still to come on a score card.

        Raises:
            RulesError: there is no such card.
        """
        place, reached = self._place.get(state_name(card), (0, 0))
        if not reached >> tally & 1:
            raise RulesError(f"the game is never in state {shown((card, tally))}")
        return self._values[place + (reached & ((1 << tally) - 1)).bit_count()] / PARTS

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
        margins = {plan.name: plan.margin for plan in self.plans(state)}
        if option not in margins:
            names = ", ".join(margins)[:200]
            raise RulesError(f"{shown(option)} is not an option here; the options are: {names}")
        return margins[option] if margins[option] > 2 * self.bound else Fraction(0)

    def _options(self, values: Mapping[str, float]) -> tuple[Option, ...]:
        sense = self.goal.sense
        best = max(value * sense for value in values.values())
        options = [
            Option(name, Fraction(value), Fraction(best - value * sense))
            for name, value in values.items()
        ]
        return tuple(sorted(options, key=lambda option: option.margin))

    def _entries(self, card: Any, tally: int, ending: Outcome) -> Iterator[tuple[str, float]]:
        """Each entry of an ending, with its value including what is to come."""
        for entry, follows in self.game.choices((card, tally, ending)).items():
            then, counts, _ = followed(follows)
            values = self.goal.counters
            now = sum(float(n) * float(values.get(name, 0)) for name, n in dict(counts).items())
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
    nodes = []
    for s, *_ in reversed([*components([list(row) for row in rows])]):
        shares: tuple[float, ...] = ()
        if not model.menus[s]:
            weights = model.rollables[model.rolled[s]].law.weights
            shares = tuple(weight / sum(weights) for weight in weights)
        nodes.append((s, rows[s], shares))
    return nodes
