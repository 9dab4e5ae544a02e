"""Optimal play in fractions: policy iteration by strongly connected component.

Value iteration in floats guesses the first policy. For the method and its proof see
docs/explanation/optimal-play.md (Howard 1960; for two opposed players Hoffman and Karp 1966; Rao,
Chandrasekaran and Nair 1973). A state outside every cycle simply takes the best option.

If a player could stay for ever (`Model.traps`), the first policy is one that ends almost surely,
and only strictly better moves replace others. If a change then makes a policy stay, its gains there
are positive on average and the value is unbounded: an error. Otherwise every policy met ends, and
the last is the best of those that end (Bertsekas and Tsitsiklis 1991).
"""

from array import array
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from operator import mul
from threading import RLock
from typing import Any

from flint import fmpq

from sevenout.errors import EndlessGameError, RulesError
from sevenout.solving.solvers.decision_problem import LARGEST, Arena, some_states
from sevenout.solving.solvers.elimination import Elimination
from sevenout.solving.solvers.feedback_vertex import ONE, Knot, NodeKind, NoKnotError, floor

SWEEPS, NEAR = 200, 1e-8
"""Sweeps and tolerance of the guess; each wrong guess costs a round in fractions."""
FILLING = RLock()
"""One thread at a time computes values: they share a buffer."""


class PolicyIteration:
    """The optimum of an arena over the rationals; turns don't pass in it.

    Attributes:
        values: the value of each node, then of each outcome, less the arena's shift, where
            computed: a rational (flint), or a numerator and a denominator; see `value`.
        picks: the chosen move of each decision; the first of the best.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        model = arena.model
        self.n = n = len(model.states)
        self.targets, self.tagged, self.rolled = model.targets, model.tagged, model.rolled
        self.first, self.rows = model.first, arena.rows
        self.senses = arena.senses
        self.gains = [_flint(gain) for gain in arena.gains]
        self.values: list[Any] = [None] * n + [_flint(end) for end in arena.ends]
        self.near: list[Any] = [None] * len(self.values)
        self.solved: list[Any] = [0] * len(self.values)
        self.picks: dict[int, int] = {}
        self._lowest: dict[int, tuple[int, int]] = {}
        self._tied: deque[Knot] = deque()
        self.unit = lcm(*(x.denominator for x in (*arena.gains, arena.roll)))
        self.kinds, self.sorts = self._kinds()
        self.laws = [kind.scaled(self.unit) for kind in self.sorts]
        self.rounded = [kind.scaled(ONE) for kind in self.sorts]
        above = 0
        for block in reversed(arena.blocks):
            s = block[-1]
            if len(block) == 1 and s not in self.rows[s]:
                self._direct(s)
                continue
            if model.traps.isdisjoint(block):
                try:
                    knot = Knot(self, block)
                    hint = knot.nearest()
                    knot.solve(hint + above)
                    above = self.near[s] - hint
                except NoKnotError:
                    self._iterate(block)
            else:
                self._iterate(block)
            if self.near[s] is None:
                self.near[s] = floor(self.value(s), ONE)

    def value(self, s: int) -> Any:
        """The value of a node or an outcome, in lowest terms."""
        value = self.values[s]
        if isinstance(value, Knot):
            with FILLING:
                while isinstance(value := self.values[s], Knot):  # earlier nodes first
                    self._tied[0].fill()
                    self._tied.popleft()
        if type(value) is tuple:
            value = self.values[s] = fmpq(*value)
        return value

    def about(self, s: int) -> float:
        """The value as the nearest float, for fractions of any length."""
        top, bottom = self.lowest(s)
        return top / bottom

    def lowest(self, s: int) -> tuple[int, int]:
        """The value as numerator and denominator."""
        found = self._lowest.get(s)
        if found is None:
            value = self.value(s)
            found = self._lowest[s] = int(value.p), int(value.q)
        return found

    def tie(self, knot: Knot, value: Any) -> None:
        """Store a solved feedback vertex; other nodes of its block are computed on demand."""
        for s in knot.block:
            self.values[s], self.near[s] = knot, None
        self.values[knot.knot] = value
        top, bottom = self.lowest(knot.knot)
        self._must_fit(top, bottom)
        self.near[knot.knot] = top * ONE // bottom
        self._tied.append(knot)

    def fill(self, block: Sequence[int], values: Sequence[int], bottom: int) -> None:
        """Store the values of a block, over one denominator."""
        self._must_fit(max(map(abs, map(values.__getitem__, block))), bottom)
        for s in block:
            self.values[s], self.near[s] = (values[s], bottom), None

    def round_down(self, block: Sequence[int]) -> None:
        """Compute the known successors of a block in units, rounded down."""
        for t in set().union(*[self.rows[s] for s in block]):
            if self.near[t] is None and self.values[t] is not None:
                self.near[t] = floor(self.value(t), ONE)

    def forget(self, block: Sequence[int]) -> None:
        """Mark a block as unsolved."""
        for s in block:
            self.near[s] = None

    def _kinds(self) -> tuple[list[int], list[NodeKind]]:
        """The kind of each node, and the kinds."""
        arena, model = self.arena, self.arena.model
        tags, size = model.tagged.tobytes(), model.tagged.itemsize
        texts = [tags[at:end] for at, end in pairwise([at * size for at in self.first])]
        keys = list(zip(self.rolled, self.senses, texts, strict=True))
        known: dict[Any, int] = {}
        found = [known.setdefault(key, len(known)) for key in keys]
        kinds = []
        for what, sense, text in known:
            gains = [arena.gains[tag] for tag in array("i", text)]
            if sense:
                kinds.append(NodeKind(sense, tuple(gains), 1, Fraction(0)))
                continue
            weights = arena.weights[what]
            total = sum(weights)
            gain = sum(map(mul, gains, weights), arena.roll * total)
            kinds.append(NodeKind(0, () if total == len(weights) else weights, total, gain))
        return found, kinds

    def _moves(self, s: int) -> range:
        return range(self.first[s], self.first[s + 1])

    def _follows(self, move: int) -> Any:
        """The value of a move under the current values."""
        return self.value(self.targets[move]) + self.gains[self.tagged[move]]

    def _direct(self, s: int) -> None:
        sense = self.senses[s]
        if sense:
            best = self._best(s, sense)
            self.picks[s] = best
            self.values[s] = self._follows(best)
        else:
            weights = self.arena.weights[self.rolled[s]]
            total: Any = 0
            for move, weight in zip(self._moves(s), weights, strict=True):
                total += self._follows(move) * weight
            self.values[s] = fmpq(total) / sum(weights) + _flint(self.arena.roll)

    def _best(self, s: int, sense: int) -> int:
        moves = self._moves(s)
        values = [self._follows(move) * sense for move in moves]
        return moves[values.index(max(values))]

    def _iterate(self, block: list[int]) -> None:
        """Policy iteration on a block."""
        senses, mine = self.senses, self.arena.goal.sense
        asked = [s for s in block if senses[s]]
        stays = not self.arena.model.traps.isdisjoint(block)
        if stays:
            self._lead_out(block)
        else:
            self._guess(block, asked)
        while True:
            if stays:
                self._must_leave(block)
            self._evaluate(block)
            better = {s: move for s in asked if (move := self._better(s)) is not None}
            if not better:
                break
            # The second player responds before the first improves.
            answers = {s: move for s, move in better.items() if senses[s] != mine}
            self.picks |= answers or better
        for s in block:
            self._must_fit(*self.lowest(s))
        if not stays:  # it ends, whichever best move is picked
            self.picks |= {s: self._first(s) for s in asked}

    def _must_leave(self, block: list[int]) -> None:
        """Refuse a policy that need not leave a block.

        Raises:
            EndlessGameError: it has repeated gains.
        """
        before: dict[int, list[int]] = {}
        leaves = []
        inside = set(block)
        for s in block:
            moves = [self.picks[s]] if self.senses[s] else self._moves(s)
            for t in {self.targets[m] for m in moves}:
                if t in inside:
                    before.setdefault(t, []).append(s)
                else:
                    leaves.append(s)
        while leaves:
            s = leaves.pop()
            if s in inside:
                inside.remove(s)
                leaves += before.get(s, ())
        if inside:
            raise EndlessGameError(
                "the game can be prolonged forever at a profit, in "
                f"{some_states(self.arena.model)}; let an option end it, or minimize something "
                "that keeps growing"
            )

    def _better(self, s: int) -> int | None:
        """The best move of a decision, if it is better than the chosen one."""
        sense = self.senses[s]
        best = self._best(s, sense)
        return best if self._follows(best) * sense > self.value(s) * sense else None

    def _first(self, s: int) -> int:
        """The first move whose value equals the value of the state."""
        value = self.value(s)
        return next(move for move in self._moves(s) if self._follows(move) == value)

    def _must_fit(self, top: int, bottom: int) -> None:
        if top.bit_length() - bottom.bit_length() > LARGEST.bit_length():
            raise RulesError("a mean beyond 10^300; count in a larger unit")

    def _evaluate(self, block: list[int]) -> None:
        """Solve for the values of a block under the chosen moves."""
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
                weights = self.arena.weights[self.rolled[s]]
                weighted = list(zip(self._moves(s), weights, strict=True))
                reward = _flint(self.arena.roll) * sum(weights)
            for move, weight in weighted:
                inside = place.get(self.targets[move], out)
                row[inside] = row.get(inside, 0) + weight
                gain = self._follows(move) if inside == out else self.gains[self.tagged[move]]
                reward += gain * weight
            rows.append(row)
            rewards.append(reward)
        for s, value in zip(
            block, Elimination(rows, fmpq(1)).values(rewards, [fmpq(0)]), strict=True
        ):
            self.values[s] = fmpq(value)

    def _guess(self, block: list[int], asked: Sequence[int]) -> None:
        """A guess of the policy, by value iteration in floats (Gauss-Seidel)."""
        senses, rolled = self.senses, self.rolled
        gains = [float(gain) for gain in self.arena.gains]
        step = float(self.arena.roll)
        plan = []
        for s in block:
            moves = [(self.targets[m], gains[self.tagged[m]]) for m in self._moves(s)]
            law = () if senses[s] else self.arena.weights[rolled[s]]
            total = sum(law)
            plan.append((s, senses[s], moves, [w / total for w in law]))
        approx = dict.fromkeys(block, 0.0)
        outside = {t for _, _, moves, _ in plan for t, _ in moves}.difference(block)
        approx |= {t: self.about(t) for t in outside}
        for _ in range(SWEEPS):
            change, scale = 0.0, 1.0
            for s, sense, moves, shares in plan:
                values = [approx[t] + gain for t, gain in moves]
                if sense:
                    value = max(values) if sense > 0 else min(values)
                else:
                    value = step + sum(x * p for x, p in zip(values, shares, strict=True))
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
        """A policy that ends almost surely: each move leads closer to the exit."""
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
