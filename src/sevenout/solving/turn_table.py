"""The options in a turn from the values of cards, and optimal play of a game of turns from a file.

The file holds the expected value of every score card and tally, rounded to a millionth. Solving one
turn on a card is then cheap, and needs neither NumPy nor a compiler.
"""

import json
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping
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
from sevenout.rules.outcome import Ask, unwrap
from sevenout.solving.best_play import Option, cost_of
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from sevenout.solving.turn_optimum import TurnOptimum

PARTS_PER_POINT = 10**6
"""Values in the file are integers in this fraction of a point."""
VALUE_BYTES = 4
"""Bytes of a value in the file."""


class TurnOptions:
    """The options in a turn, from the value of every entry: in fractions or in floats.

    How it works. The entries of a card value the endings, and then the nodes are valued from the
    endings back. The turn is small, and the same for all cards, so this takes milliseconds.

    Attributes:
        turn: the model of one turn.
        rules: of the turn.
        sense: 1 to maximize, -1 to minimize.
        entry_values: by card, tally and ending, the value of each entry with what is to come.
        values: by card and tally, the value of each node of the turn, then of each ending.
    """

    def __init__(
        self,
        turn: Model,
        rules: Game,
        sense: int,
        entry_values: Callable[[Any, int, Outcome], Mapping[str, Any]],
    ) -> None:
        self.turn, self.rules, self.sense = turn, rules, sense
        self.entry_values = entry_values
        # A page shows a few cards, and each of them for many dice.
        self.values = lru_cache(maxsize=64)(self._values)

    def options(self, card: Any, tally: int, inner: Any) -> tuple[Option, ...]:
        """The options in a state of the turn, best first.

        Raises:
            RulesError: it is not a decision state.
        """
        if isinstance(inner, Outcome):
            return self._ranked(self.entry_values(card, tally, inner))
        turn, node = self.turn, self.turn.decision_node(inner)
        values = self.values(card, tally)
        options = zip(turn.menus[node], turn.targets_of(node), strict=True)
        return self._ranked({name: values[target] for name, target in options})

    def combined_options(self, card: Any, tally: int, inner: Any) -> tuple[Option, ...]:
        """The choices up to the next roll or the end of the turn, best first; errors alike."""
        if isinstance(inner, Outcome):
            return self.options(card, tally, inner)
        choices = combined_choices(self.turn, self.rules, self.turn.decision_node(inner))
        values = self.values(card, tally)
        return self._ranked({name: values[node] for node, name in choices.items()})

    def _ranked(self, values: Mapping[str, Any]) -> tuple[Option, ...]:
        """The options from best to worst, each with what it costs."""
        best = max(value * self.sense for value in values.values())
        options = [
            Option(name, Fraction(value), Fraction(best - value * self.sense))
            for name, value in values.items()
        ]
        return tuple(sorted(options, key=lambda option: option.cost))

    def _values(self, card: Any, tally: int) -> list[Any]:
        """The value of each node of the turn that is played on a card."""
        endings = [
            self._best_of(self.entry_values(card, tally, e).values()) for e in self.turn.outcomes
        ]
        if not all(isinstance(value, Fraction) for value in endings):
            return self._backwards(endings, truediv)
        # in whole numbers of one unit, which are faster than fractions
        unit = lcm(*(value.denominator for value in endings)) * turn_denominator(self.turn)
        values = self._backwards([int(value * unit) for value in endings], floordiv)
        return [Fraction(value, unit) for value in values]

    def _backwards(self, endings: list[Any], divide: Callable[[Any, int], Any]) -> list[Any]:
        """The value of each node, then of each ending, from those of the endings."""
        values: list[Any] = [None] * len(self.turn.states) + endings
        for s, row, weights in turn_order(self.turn):
            after = [values[t] for t in row]
            if weights:
                values[s] = divide(sum(map(mul, after, weights)), sum(weights))
            else:
                values[s] = self._best_of(after)
        return values

    def _best_of(self, values: Iterable[Any]) -> Any:
        return max(values) if self.sense > 0 else min(values)


@lru_cache(maxsize=8)
def turn_order(turn: Model) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The nodes of a turn, each after those that it leads to.

    Each comes with its targets, and with their weights if it is a roll; a decision has none.
    """
    rows = [turn.targets[start:end].tolist() for start, end in pairwise(turn.first_move)]
    order = []
    for node, *_ in reversed(strongly_connected_components(rows)):
        weights: tuple[int, ...] = ()
        if not turn.menus[node]:
            weights = turn.rollables[turn.rollable_index[node]].law.weights
        order.append((node, tuple(rows[node]), weights))
    return order


@lru_cache(maxsize=8)
def turn_denominator(turn: Model) -> int:
    """A common denominator of the values of all nodes, if those of the endings are integers."""
    denominators = dict.fromkeys(range(len(turn.states), len(turn.states) + len(turn.outcomes)), 1)
    for s, row, weights in turn_order(turn):
        denominators[s] = lcm(*(denominators[t] for t in row)) * (sum(weights) or 1)
    return lcm(*denominators.values())


def combined_choices(turn: Model, rules: Game, start: int) -> dict[int, str]:
    """The rolls and endings that a decision can lead to by several choices in a row, with names.

    The name is what is kept of the dice, or all choices on the shortest path.
    """
    n = len(turn.states)
    names: dict[int, str] = {}
    paths: dict[int, tuple[str, ...]] = {start: ()}
    for node in (queue := [start]):  # the loop adds nodes: breadth first
        targets = turn.targets_of(node)
        for option, target in zip(turn.menus[node], targets, strict=True):
            if target in paths:
                continue
            path = paths[target] = (*paths[node], option)
            if target < n and turn.menus[target]:
                queue.append(target)
                continue
            then: Any = turn.states[target] if target < n else turn.outcomes[target - n]
            kept = rules.plan(then) if isinstance(rules, KeepRoll) else ""
            names[target] = kept or ", ".join(path)
    return names


def table_bytes(optimum: "TurnOptimum", scores: Mapping[Any, Any], source: str) -> bytes:
    """The file of a game: a line of JSON, then the differences of the values by byte planes.

    `scores` are the probabilities of final scores; `source` describes the games behind them.

    Raises:
        RulesError: two score cards have the same name.
    """
    solver = optimum.best.solver
    names = [state_name(card) for card in solver.cards.cards]
    n = len(names)
    if len({*names}) < n:
        raise RulesError(
            "two score cards have the same name; give each part of a card a name of its own"
        )
    head = {
        # The masks of the outcomes stand after those of the cards, and are left out.
        "reached": dict(zip(names, map(hex, solver.cards.total_masks), strict=False)),
        "scores": [[str(score), float(share)] for score, share in scores.items()],
        "of": source,
    }
    card_values = solver.values[: solver.first_cells[n]].tolist()
    values = [round(value * PARTS_PER_POINT) for value in card_values]
    steps = array("i", (b - a for a, b in pairwise([0, *values])))
    raw = _as_little_endian(steps).tobytes()
    # Upper bytes of small differences are nearly all equal, so planes of them pack well.
    planes = b"".join(raw[k::VALUE_BYTES] for k in range(VALUE_BYTES))
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + planes


def _as_little_endian(numbers: "array[int]") -> "array[int]":
    # The file is read where it was not written: in a browser.
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class TurnTable:
    """Optimal play of a game of turns, from a file made by `table_bytes`.

    Attributes:
        bound: the error bound of a value, in points.
        scores: the probability of each final score under optimal play.
        source: the games that the scores are of, in words.
        game: the rules.
        goal: the objective.
        turn: the model of one turn.
    """

    bound = Fraction(1, PARTS_PER_POINT)

    def __init__(self, game: ByTurns, goal: Goal, content: bytes) -> None:
        self.game, self.goal, self.turn = game, goal, explore(game.turn)
        line, _, planes = content.partition(b"\n")
        head = json.loads(line)
        self.scores = {Fraction(score): share for score, share in head["scores"]}
        self.source: str = head["of"]
        self._values = _values_of(planes)
        # by card: the index of its first value, and its possible totals as bits
        self._cells_by_card: dict[str, tuple[int, int]] = {}
        cell = 0
        for name, mask in head["reached"].items():
            totals = int(mask, 16)
            self._cells_by_card[name] = cell, totals
            cell += totals.bit_count()
        self._options = TurnOptions(self.turn, game.turn, goal.sense, self._entry_values)

    def to_come(self, card: Any, tally: int) -> float:
        """The expected value still to come on a score card.

        Raises:
            RulesError: there is no such card.
        """
        first_cell, totals = self._cells_by_card.get(state_name(card), (0, 0))
        if type(tally) is not int or tally < 0 or not totals >> tally & 1:
            raise RulesError(f"the game is never in state {shown((card, tally))}")
        smaller_totals = totals & ((1 << tally) - 1)
        return self._values[first_cell + smaller_totals.bit_count()] / PARTS_PER_POINT

    def combined_options(self, state: Any) -> tuple[Option, ...]:
        """The choices up to the next roll or the end of the turn, best first.

        Raises:
            RulesError: it is not a decision state.
        """
        if not isinstance(state, tuple) or len(state) != 3:
            raise impossible_state(state)
        return self._options.combined_options(*state)

    def cost(self, state: Any, option: str) -> Fraction:
        """The regret of an option; 0 if it may be due to rounding."""
        return cost_of(option, self.combined_options(state), self.bound)

    def _entry_values(self, card: Any, tally: int, ending: Outcome) -> dict[str, float]:
        """The value of each entry of an ending, including what is to come."""
        values, gains = {}, self.goal.counters
        for entry, successor in self.game.choices((card, tally, ending)).items():
            then, counts, _ = unwrap(successor)
            value = sum(float(n) * float(gains.get(name, 0)) for name, n in dict(counts).items())
            if isinstance(then, Outcome):
                value += float(self.goal.value(then))
            else:
                # The next turn may begin with a choice.
                state: Any = then.state if isinstance(then, Ask) else then
                next_card, total, _ = state
                value += self.to_come(next_card, total)
            values[entry] = value
        return values


def impossible_state(state: Any) -> RulesError:
    """The error for what is no state of a game of turns."""
    return RulesError(
        f"the game is never in state {shown(state)}; give (card, tally, state of the turn)"
    )


def _values_of(planes: bytes) -> "array[int]":
    """The values in the byte planes of a file, in parts of a point."""
    raw = bytearray(len(planes))
    size = len(planes) // VALUE_BYTES
    for k in range(VALUE_BYTES):
        raw[k::VALUE_BYTES] = planes[k * size : (k + 1) * size]
    # Values were rounded before they were subtracted, so the sums don't drift.
    return array("i", accumulate(_as_little_endian(array("i", bytes(raw)))))
