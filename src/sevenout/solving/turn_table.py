"""The options in a turn from the values of cards, and optimal play of a game of turns from a file.

The file holds the expected value of every score card and tally, rounded to a millionth. Solving one
turn on a card is then cheap, and needs neither NumPy nor a compiler.
"""

import json
import sys
from array import array
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from operator import floordiv, mul, truediv
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError, shown
from sevenout.model import Model, explore, state_name
from sevenout.model.graph import strongly_connected_components
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome
from sevenout.rules.outcome import unwrap
from sevenout.solving.best_play import Option, cost_of
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from sevenout.solving.turn_optimum import TurnOptimum

PARTS = 10**6
"""Values in the file are integers in this fraction of a point."""
BYTES = 4
"""Bytes of a value in the file."""


class TurnOptions:
    """The options in a turn, from the value of every entry: in fractions or in floats.

    How it works. The entries of a card value the endings, and then the nodes are valued from the
    endings back. The turn is small, and the same for all cards, so this takes milliseconds.

    Attributes:
        turn: the model of one turn.
        rules: of the turn.
        sense: 1 to maximize, -1 to minimize.
        entries: the value of each entry of an ending on a card, with what is to come.
        values: the value of each node of the turn on a card with a tally, then of each ending.
    """

    def __init__(
        self,
        turn: Model,
        rules: Game,
        sense: int,
        entries: Callable[[Any, int, Outcome], Mapping[str, Any]],
    ) -> None:
        self.turn, self.rules, self.sense, self.entries = turn, rules, sense, entries
        # A page looks at a few cards, and at each of them for many dice.
        self.values = lru_cache(maxsize=64)(self._values)

    def options(self, card: Any, tally: int, inner: Any) -> tuple[Option, ...]:
        """The options in a state of the turn, best first."""
        if isinstance(inner, Outcome):
            return self._ranked(self.entries(card, tally, inner))
        turn, node = self.turn, self.turn.node_by_key[inner]
        values, first = self.values(card, tally), turn.first[node]
        return self._ranked(
            {name: values[turn.targets[first + k]] for k, name in enumerate(turn.menus[node])}
        )

    def combined_options(self, card: Any, tally: int, inner: Any) -> tuple[Option, ...]:
        """The choices up to the next roll or the end of the turn, best first."""
        if isinstance(inner, Outcome):
            return self.options(card, tally, inner)
        values = self.values(card, tally)
        ways = ways_on(self.turn, self.rules, self.turn.node_by_key[inner])
        return self._ranked({name: values[node] for node, name in ways.items()})

    def _ranked(self, values: Mapping[str, Any]) -> tuple[Option, ...]:
        best = max(value * self.sense for value in values.values())
        options = [
            Option(name, Fraction(value), Fraction(best - value * self.sense))
            for name, value in values.items()
        ]
        return tuple(sorted(options, key=lambda option: option.margin))

    def _values(self, card: Any, tally: int) -> list[Any]:
        turn, sense = self.turn, self.sense
        values: list[Any] = [None] * len(turn.states)
        for ending in turn.outcomes:
            entries = self.entries(card, tally, ending).values()
            values.append(sense * max(sense * value for value in entries))
        ends = values[len(turn.states) :]
        exact = all(isinstance(value, Fraction) for value in ends)
        unit, divide = 1, truediv
        # in whole numbers of one unit, which are faster than fractions
        if exact:
            unit, divide = lcm(*(value.denominator for value in ends)) * turn_unit(turn), floordiv
            values[len(turn.states) :] = [int(value * unit) for value in ends]
        for s, row, weights in turn_order(turn):
            after = [values[t] for t in row]
            if weights:
                values[s] = divide(sum(map(mul, after, weights)), sum(weights))
            else:
                values[s] = sense * max(sense * value for value in after)
        return [Fraction(value, unit) for value in values] if exact else values


@lru_cache(maxsize=8)
def turn_order(turn: Model) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The nodes of a turn, each after those that it leads to: targets, and weights of a roll."""
    rows = [turn.targets[start:end].tolist() for start, end in pairwise(turn.first)]
    order = []
    for node, *_ in reversed([*strongly_connected_components(rows)]):
        weights: tuple[int, ...] = ()
        if not turn.menus[node]:
            weights = turn.rollables[turn.rollable_index[node]].law.weights
        order.append((node, tuple(rows[node]), weights))
    return order


@lru_cache(maxsize=8)
def turn_unit(turn: Model) -> int:
    """The values of all nodes are whole in 1 / this of a unit in which those of the endings are."""
    units = dict.fromkeys(range(len(turn.states), len(turn.states) + len(turn.outcomes)), 1)
    for s, row, weights in turn_order(turn):
        units[s] = lcm(*(units[t] for t in row)) * (sum(weights) or 1)
    return lcm(*units.values())


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
    solver = best.best.solver
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
        self.game, self.goal, self.turn = game, goal, explore(game.turn)
        self._options = TurnOptions(self.turn, game.turn, goal.sense, self._entries)

    def to_come(self, card: Any, tally: int) -> float:
        """The expected value still to come on a score card.

        Raises:
            RulesError: there is no such card.
        """
        place, reached = self._place.get(state_name(card), (0, 0))
        if not reached >> tally & 1:
            raise RulesError(f"the game is never in state {shown((card, tally))}")
        return self._values[place + (reached & ((1 << tally) - 1)).bit_count()] / PARTS

    def combined_options(self, state: Any) -> tuple[Option, ...]:
        """The choices up to the next roll or the end of the turn, best first."""
        return self._options.combined_options(*state)

    def cost(self, state: Any, option: str) -> Fraction:
        """The regret of an option; 0 if it may be due to rounding."""
        return cost_of(option, self.combined_options(state), self.bound)

    def _entries(self, card: Any, tally: int, ending: Outcome) -> dict[str, float]:
        """The value of each entry of an ending, including what is to come."""
        entries = {}
        for entry, follows in self.game.choices((card, tally, ending)).items():
            then, counts, _ = unwrap(follows)
            gains = self.goal.counters
            value = sum(float(n) * float(gains.get(name, 0)) for name, n in dict(counts).items())
            if isinstance(then, Outcome):
                value += float(self.goal.value(then))
            else:
                value += self.to_come(*getattr(then, "state", then)[:2])
            entries[entry] = value
        return entries
