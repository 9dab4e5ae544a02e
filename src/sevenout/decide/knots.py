"""A block all of whose cycles pass through one state, such as the beginning of a turn.

Cut there, the block has no cycle. Let v be what the knot is worth: then from the last states back
the worth of each is known, and that of the knot itself is f(v) = a + b v for a policy, and the best
of these for the best. So a policy is solved for by additions alone, and if f(v) = v where the best
is done everywhere, that is the proof. In integers, all of a block over one denominator: no greatest
common divisor is asked for but that of the knot. (A feedback vertex set of one state; in general
they are hard to find, Karp 1972, and a search in depth shows whether there is one of this kind.)

Newton's iteration on v = f(v) finds the best policy: it is policy iteration (Puterman and Brumelle
1979). Of two opposed players f is no more convex, but it still rises more slowly than v, so that
f(v) - v says on which side of the truth v is; a step beyond what is known goes half way instead.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import floordiv, mul, truediv
from typing import TYPE_CHECKING, Any

from flint import fmpq

if TYPE_CHECKING:
    from sevenout.decide.exactly import PolicyIteration

ROUNDS, NEAR = 30, 1e-3
"""How far a policy is guessed in floats; a wrong guess costs a round of integers."""

ASKED, NEW = -1, 1 << 62


def cut(
    block: Sequence[int], rows: Sequence[Sequence[int]], kinds: Sequence[int], depth: list[int]
) -> tuple[int, int] | None:
    """Where a block is to be cut, and the most rolls from there on.

    >>> cut([2, 1, 0], [[1, 2], [0, 2], [0, 3]], [0, ASKED, ASKED], [NEW, NEW, NEW, 0])
    (0, 1)

    Args:
        block: its nodes, those that follow before those they follow.
        rows: for each node, where its moves lead.
        kinds: of rolls; `ASKED` at a question.
        depth: 0 at what is solved, `NEW` at the block; overwritten there.

    Returns:
        None if one cut does not do, or none was found that does.
    """
    knot = None
    deepest, depth_of = 0, depth.__getitem__
    for s in block:
        deep = max(map(depth_of, rows[s]))
        if deep == NEW:
            back = {t for t in rows[s] if depth[t] == NEW}
            if knot is not None or len(back) > 1:
                return None
            knot = back.pop()
            depth[knot] = 0
            deep = max(map(depth_of, rows[s]))
        deep += kinds[s] != ASKED
        deepest = max(deepest, deep)
        if s != knot:
            depth[s] = deep
    return None if knot is None else (knot, deepest)


class Knot:
    """The policies of a block with a knot, in floats and in integers.

    Args:
        solver: what is solved; values outside the block are known.
        block: the nodes, those that follow first.
        knot: where the block is cut.
        deepest: the most rolls from there on, up to the knot or out of the block.
    """

    def __init__(
        self, solver: "PolicyIteration", block: Sequence[int], knot: int, deepest: int
    ) -> None:
        self.solver, self.block, self.knot, self.worth = solver, block, knot, solver.worth
        self.kinds = {solver.kinds[s] for s in block}.difference([ASKED])
        outside: set[int] = set().union(*[solver.rows[s] for s in block])
        self.known = {t: solver.lowest(t) for t in outside.difference(block)}
        # All chances of the way from the knot on are whole parts of this.
        self.power = lcm(*{sum(solver.rolls[k].weights) for k in self.kinds}) ** deepest

    def solve(self, near: float) -> None:
        """The best picks and their values.

        Args:
            near: about the worth of the knot, to begin with.
        """
        self._guess(near)
        knot, power = self.knot, self.power
        shared = self.solver.unit
        for bottom in sorted({bottom for _, bottom in self.known.values()}, reverse=True):
            if shared % bottom:
                shared = lcm(shared, bottom)
        unit = shared * power
        known = {t: top * (unit // bottom) for t, (top, bottom) in self.known.items()}
        sides: dict[bool, Any] = {}  # worths of the knot that are too little, or too much
        while True:
            self._scale(known, unit, 1)
            order = self._followed()
            self.worth[knot] = 0
            value = self._follow(order, self.worth, self.laws, self.gains)
            worth = fmpq(value, shared * (power - self._rate(order, power)))
            if len(sides) == 2 and not sides[True] < worth < sides[False]:
                worth = sum(sides.values()) / 2
            top, bottom = int(worth.p), int(worth.q)
            finer = lcm(shared, bottom) // shared
            self._scale(known, unit * finer, finer)
            self.worth[knot] = here = top * (unit * finer // bottom)
            change = self._play() - here
            if not change:
                break
            sides[change > 0] = worth
        self.solver.fill(self.block, self.worth, unit * finer)

    def _scale(self, known: Mapping[int, int], scale: int, finer: int) -> None:
        """Work in integers, over one denominator, so much finer than that of what is known."""
        for t, top in known.items():
            self.worth[t] = top * finer
        self.over: Callable[[Any, Any], Any] = floordiv
        self.laws: dict[int, tuple[Sequence[float], int, Any]] = {}
        for k in self.kinds:
            weights, mean = self.solver.rolls[k]
            total = sum(weights)
            self.laws[k] = () if total == len(weights) else weights, total, _scaled(mean, scale)
        self.gains: list[Any] = [_scaled(gain, scale) for gain in self.solver.arena.gains]

    def _guess(self, near: float) -> None:
        """Pick what floats find best."""
        worth = self.worth
        for t, (top, bottom) in self.known.items():
            worth[t] = top / bottom
        self.over = truediv
        self.laws = {k: self.solver.shares[k] for k in self.kinds}
        self.gains = [float(gain) for gain in self.solver.arena.gains]
        for _ in range(ROUNDS):
            worth[self.knot] = near
            change = self._play() - near
            rate = self._rate(self._followed(), 1.0)
            if rate >= 1:  # it ends with a chance that is nothing beside 1
                return
            near += change / (1 - rate)
            if not abs(change) > NEAR * max(1.0, abs(near)) * (1 - rate):
                return

    def _play(self) -> Any:
        """Do what is best from the last states back; what the knot, as it is, makes of itself."""
        solver, worth, knot, over = self.solver, self.worth, self.knot, self.over
        laws, gains, kinds, rows = self.laws, self.gains, solver.kinds, solver.rows
        first, tagged, senses, picks = solver.first, solver.tagged, solver.senses, solver.picks
        worth_of = worth.__getitem__
        for s in self.block:
            if kinds[s] == ASKED:
                at = first[s]
                options = [worth[t] + gains[tagged[m]] for m, t in enumerate(rows[s], at)]
                value = max(options) if senses[s] > 0 else min(options)
                picks[s] = at + options.index(value)
            else:
                weights, total, mean = laws[kinds[s]]
                after = map(worth_of, rows[s])
                value = over(sum(map(mul, after, weights) if weights else after), total) + mean
            if s == knot:
                found = value
            else:
                worth[s] = value
        return found

    def _followed(self) -> list[int]:
        """The nodes that come up from the knot on where the picks are followed."""
        solver, up, order = self.solver, {self.knot}, []
        for s in reversed(self.block):
            if s in up:
                order.append(s)
                asked = solver.kinds[s] == ASKED
                up.update([solver.targets[solver.picks[s]]] if asked else solver.rows[s])
        return order[::-1]

    def _rate(self, order: Sequence[int], unit: Any) -> Any:
        """How likely the knot comes up again, in some unit."""
        free = {k: (weights, total, 0) for k, (weights, total, _) in self.laws.items()}
        chances = defaultdict(int, {self.knot: unit})
        return self._follow(order, chances, free, [0] * len(self.gains))

    def _follow(self, order: Sequence[int], worth: Any, laws: Any, gains: Any) -> Any:
        """What the picks make of the knot."""
        solver, over = self.solver, self.over
        for s in order:
            if solver.kinds[s] == ASKED:
                pick = solver.picks[s]
                value = worth[solver.targets[pick]] + gains[solver.tagged[pick]]
            else:
                weights, total, mean = laws[solver.kinds[s]]
                after = map(worth.__getitem__, solver.rows[s])
                value = over(sum(map(mul, after, weights) if weights else after), total) + mean
            if s != self.knot:
                worth[s] = value
        return value


def _scaled(x: Fraction, scale: int) -> int:
    return x.numerator * (scale // x.denominator)
