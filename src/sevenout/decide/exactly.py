"""Optimal play as fractions: policy iteration, one strongly connected component after the other.

Floats guess a policy (value iteration); its value is then solved for over the rationals, and every
option of every question is compared with it. If none is better, that is the proof: the values are
a fixed point of Bellman's equation, and where every policy ends there is only one. If some are,
they are taken and the policy is solved for again (Howard 1960). Of two opposed players, the second
answers each policy of the first as best he can before the first improves his own (Hoffman and Karp
1966; Rao, Chandrasekaran and Nair 1973).

A state outside every cycle needs none of this: what follows is known, and the best is taken.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from operator import mul
from typing import Any

from flint import fmpq

from sevenout.decide.arena import LARGEST, Arena
from sevenout.decide.knots import Knot, knotted
from sevenout.errors import RulesError
from sevenout.exact.elimination import Elimination

SWEEPS, NEAR = 200, 1e-8
"""How far a policy is guessed: what floats leave undecided costs a round of fractions."""


class PolicyIteration:
    """The optimum of an arena over the rationals; turns don't pass in it.

    Attributes:
        values: the value of each node, then of each outcome, less the arena's shift, as far as it
            is worked out: a rational (flint), or a numerator and a denominator; see `value`.
        picks: for each question, the move that is chosen; the first of those that are best.
        rounds: how many policies were solved for, in the component that took the most.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        model = arena.model
        self.n = len(model.states)
        self.first, self.targets, self.tagged = model.first, model.targets, model.tagged
        self.senses = arena.senses
        self.gains = [_flint(gain) for gain in arena.gains]
        self.laws = [(() if set(law) == {1} else law, sum(law)) for law in arena.weights]
        self.unit = lcm(*(x.denominator for x in (*arena.gains, arena.roll)))
        self.values: list[Any] = [fmpq(0)] * self.n + [_flint(end) for end in arena.ends]
        self.picks: dict[int, int] = {}
        self.rounds = 1
        self.means: list[Fraction] = []
        self._counted: dict[tuple[int, bytes], int] = {}
        near = 0.0
        for block in reversed(arena.blocks):
            if len(block) == 1 and not self._loops(block[0]):
                self._direct(block[0])
            else:
                self._iterate(block, near)
                near = self.about(block[-1])

    def value(self, s: int) -> Any:
        """The value of a node or an outcome, in lowest terms."""
        value = self.values[s]
        if type(value) is tuple:
            value = self.values[s] = fmpq(*value)
        return value

    def about(self, s: int) -> float:
        """The same as the nearest float, however long it is."""
        top, bottom = self._parts(s)
        return top / bottom

    def _parts(self, s: int) -> tuple[int, int]:
        value = self.values[s]
        return value if type(value) is tuple else (int(value.p), int(value.q))

    def counted(self, s: int) -> int:
        """Which of the `means` is that of what is counted on a roll, the roll itself with it."""
        rolled = self.arena.model.rolled[s]
        tags = self.tagged[self.first[s] : self.first[s + 1]]
        found = self._counted.setdefault((rolled, tags.tobytes()), len(self.means))
        if found == len(self.means):
            weights = self.arena.weights[rolled]
            gains = [self.arena.gains[tag] for tag in tags]
            total = sum(map(mul, gains, weights), Fraction(0))
            self.means.append(total / sum(weights) + self.arena.roll)
        return found

    def _moves(self, s: int) -> range:
        return range(self.first[s], self.first[s + 1])

    def _loops(self, s: int) -> bool:
        return any(self.targets[m] == s for m in self._moves(s))

    def _follows(self, move: int) -> Any:
        """The worth of a move, from the values as they are."""
        return self.value(self.targets[move]) + self.gains[self.tagged[move]]

    def _direct(self, s: int) -> None:
        sense = self.senses[s]
        if sense:
            best = self._best(s, sense)
            self.picks[s] = best
            self.values[s] = self._follows(best)
        else:
            weights = self.arena.weights[self.arena.model.rolled[s]]
            total: Any = 0
            for move, weight in zip(self._moves(s), weights, strict=True):
                total += self._follows(move) * weight
            self.values[s] = fmpq(total) / sum(weights) + _flint(self.arena.roll)

    def _best(self, s: int, sense: int) -> int:
        moves = self._moves(s)
        worths = [self._follows(move) * sense for move in moves]
        return moves[worths.index(max(worths))]

    def _iterate(self, block: list[int], near: float) -> None:
        """Policy iteration on a block.

        Args:
            block: its nodes.
            near: about what its values may be; 0 will do.
        """
        senses, traps = self.senses, self.arena.model.traps
        asked = [s for s in block if senses[s]]
        evaluate: Callable[[], None] = partial(self._evaluate, block)
        better_than, first_of = self._better, self._first
        if not traps.isdisjoint(block):
            self._lead_out(block)
        elif found := knotted(block, self.first, self.targets):
            knot = Knot(self, *found)
            knot.guess(near)
            evaluate, better_than, first_of = knot.evaluate, knot.better, knot.first
        else:
            self._guess(block, asked)
        rounds = 0
        while True:
            rounds += 1
            evaluate()
            better = {s: move for s in asked if (move := better_than(s)) is not None}
            # The second player answers before the first improves.
            mine = self.arena.goal.sense
            answers = {s: move for s, move in better.items() if senses[s] != mine}
            if not better:
                break
            self.picks |= answers or better
        self.rounds = max(self.rounds, rounds)
        self._must_fit(block)
        # It ends, whichever of the best is picked: to stay for ever costs.
        self.picks |= {s: first_of(s) for s in asked}

    def _better(self, s: int) -> int | None:
        """The best move of a question, if it is better than the one that was chosen."""
        sense = self.senses[s]
        best = self._best(s, sense)
        return best if self._follows(best) * sense > self.value(s) * sense else None

    def _first(self, s: int) -> int:
        """The first move of a question that is worth as much as the question itself."""
        value = self.value(s)
        return next(move for move in self._moves(s) if self._follows(move) == value)

    def _must_fit(self, block: list[int]) -> None:
        for s in block:
            top, bottom = self._parts(s)
            if top.bit_length() - bottom.bit_length() > LARGEST.bit_length():
                raise RulesError("a mean beyond 10^300; count in a larger unit")

    def _evaluate(self, block: list[int]) -> None:
        """Solve for the values of a block under the moves that are chosen."""
        place = {s: i for i, s in enumerate(block)}
        out = len(block)
        rows: list[dict[int, int]] = []
        rewards: list[Any] = []
        for s in block:
            row: dict[int, int] = {}
            if self.senses[s]:
                weighted: list[tuple[int, int]] = [(self.picks[s], 1)]
                reward: Any = fmpq(0)
            else:
                weights = self.arena.weights[self.arena.model.rolled[s]]
                weighted = list(zip(self._moves(s), weights, strict=True))
                reward = _flint(self.arena.roll) * sum(weights)
            for move, weight in weighted:
                inside = place.get(self.targets[move], out)
                row[inside] = row.get(inside, 0) + weight
                worth = self._follows(move) if inside == out else self.gains[self.tagged[move]]
                reward += worth * weight
            rows.append(row)
            rewards.append(reward)
        for s, value in zip(
            block, Elimination(rows, fmpq(1)).values(rewards, [fmpq(0)]), strict=True
        ):
            self.values[s] = fmpq(value)

    def _guess(self, block: list[int], asked: Sequence[int]) -> None:
        """A policy from value iteration in floats (Gauss and Seidel); it need not be right."""
        senses, rolled = self.senses, self.arena.model.rolled
        gains = [float(gain) for gain in self.arena.gains]
        step = float(self.arena.roll)
        plan = []
        for s in block:
            moves = [(self.targets[m], gains[self.tagged[m]]) for m in self._moves(s)]
            law = () if senses[s] else self.arena.weights[rolled[s]]
            total = sum(law)
            plan.append((s, senses[s], moves, [w / total for w in law]))
        approx = {t: self.about(t) for _, _, moves, _ in plan for t, _ in moves}
        approx |= dict.fromkeys(block, 0.0)
        for _ in range(SWEEPS):
            change, scale = 0.0, 1.0
            for s, sense, moves, shares in plan:
                worths = [approx[t] + gain for t, gain in moves]
                if sense:
                    value = max(worths) if sense > 0 else min(worths)
                else:
                    value = step + sum(x * p for x, p in zip(worths, shares, strict=True))
                change = max(change, abs(value - approx[s]))
                scale = max(scale, abs(value))
                approx[s] = value
            if change < NEAR * scale:
                break
        ways = {s: moves for s, _, moves, _ in plan}
        for s in asked:
            ranked = [(approx[t] + gain) * senses[s] for t, gain in ways[s]]
            self.picks[s] = self._moves(s)[ranked.index(max(ranked))]

    def _lead_out(self, block: list[int]) -> None:
        """A policy that surely ends, where others need not: nearer to the way out at each step."""
        inside = set(block)
        done: set[int] = set()
        left = list(block)
        while left:
            stay = []
            for s in left:
                ways = [
                    m
                    for m in self._moves(s)
                    if self.targets[m] not in inside or self.targets[m] in done
                ]
                if not ways:
                    stay.append(s)
                    continue
                if self.senses[s]:
                    self.picks[s] = ways[0]
                done.add(s)
            left = stay


def _flint(x: Any) -> Any:
    return fmpq(x.numerator, x.denominator)
