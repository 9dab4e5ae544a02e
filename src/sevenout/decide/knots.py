"""A block all of whose cycles pass through one state, such as the beginning of a turn.

Cut there, the block has no cycle: from the last states back, the worth of each is a + b v, where v
is the unknown worth of the knot, and at the knot itself v = a + b v. So a policy is solved for by
additions alone. In integers, all of a block over one denominator: no greatest common divisor is
asked for but that of the knot. (A feedback vertex set of one state; in general they are hard to
find, Karp 1972, and a search in depth shows whether there is one of this kind.)

Of many policies, Newton's iteration on v = max (a + b v) finds the best: it is policy iteration
(Puterman and Brumelle 1979).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sevenout.decide.exactly import PolicyIteration

ROUNDS, NEAR = 30, 1e-3
"""How far a policy is guessed in floats; a wrong guess costs a round of integers."""


def knotted(
    block: Sequence[int], first: Sequence[int], targets: Sequence[int]
) -> tuple[list[int], int] | None:
    """A block's nodes, those that follow before those they follow, and where it is to be cut.

    >>> knotted([2, 1, 0], [0, 2, 4, 5], [1, 2, 0, 2, 0])
    ([2, 1, 0], 0)

    Returns:
        None if one cut does not do, or none was found that does.
    """
    inside, done = set(block), set[int]()
    order: list[int] = []
    knot = root = block[-1]
    inside.discard(root)  # what is left is new
    path = [(root, iter(targets[first[root] : first[root + 1]]))]
    known = set(block)
    cut = False
    while path:
        s, then = path[-1]
        for t in then:
            if t in inside:
                inside.discard(t)
                path.append((t, iter(targets[first[t] : first[t + 1]])))
                break
            if t in known and t not in done:
                if cut and t != knot:
                    return None
                knot, cut = t, True
        else:
            path.pop()
            done.add(s)
            order.append(s)
    return order, knot


class Knot:
    """The policies of a block with a knot, in floats and in integers.

    Args:
        solver: what is solved; values outside the block are known.
        order: the nodes, those that follow first.
        knot: where the block is cut.
    """

    def __init__(self, solver: "PolicyIteration", order: list[int], knot: int) -> None:
        self.solver, self.order, self.knot = solver, order, knot
        first, targets = solver.first, solver.targets
        self.then = {s: targets[first[s] : first[s + 1]] for s in order}
        self.outside = {t for then in self.then.values() for t in then}.difference(order)
        rolled = solver.arena.model.rolled
        self.laws = {s: solver.laws[rolled[s]] for s in order if rolled[s] >= 0}
        self.rolled = rolled
        self.counted = {s: solver.counted(s) for s in self.laws}

    def guess(self, near: float) -> None:
        """Pick what floats find best.

        Args:
            near: about the worth of the knot, to begin with.
        """
        solver, knot, laws, then = self.solver, self.knot, self.laws, self.then
        first, tagged, senses, picks = solver.first, solver.tagged, solver.senses, solver.picks
        counted, rolled = self.counted, self.rolled
        # As shares: the weights of a game of games may have hundreds of digits.
        shares = [([w / n for w in weights], 1 if weights else n) for weights, n in solver.laws]
        gains = [float(gain) for gain in solver.arena.gains]
        means = [float(mean) for mean in solver.means]
        worth = {t: solver.about(t) for t in self.outside}
        slope = dict.fromkeys(self.outside, 0.0)
        worth_of, slope_of = worth.__getitem__, slope.__getitem__
        for _ in range(ROUNDS):
            worth[knot], slope[knot] = near, 1.0
            found = rate = 0.0
            for s in self.order:
                if s in laws:
                    weights, total = shares[rolled[s]]
                    value = sum(_weighed(map(worth_of, then[s]), weights)) / total
                    value += means[counted[s]]
                    change = sum(_weighed(map(slope_of, then[s]), weights)) / total
                else:
                    at, sense = first[s], senses[s]
                    found_best, best = float("-inf"), at
                    for m, t in enumerate(then[s], at):
                        x = (worth[t] + gains[tagged[m]]) * sense
                        if x > found_best:
                            found_best, best = x, m
                    picks[s] = best
                    value, change = found_best * sense, slope[then[s][best - at]]
                if s == knot:
                    found, rate = value, change
                else:
                    worth[s], slope[s] = value, change
            if rate >= 1:  # it ends with a chance that is nothing beside 1
                return
            step = (found - near) / (1 - rate)
            near += step
            if not abs(step) > NEAR * max(1.0, abs(near)):
                return

    def evaluate(self) -> None:
        """Solve for the values of the block under the moves that are picked."""
        solver, knot, laws, then = self.solver, self.knot, self.laws, self.then
        first, tagged, picks, counted = solver.first, solver.tagged, solver.picks, self.counted
        power = self._power()
        known = {t: solver.value(t) for t in self.outside}
        shared = lcm(solver.unit, *(int(value.q) for value in known.values()))
        scale = shared * power
        a = {t: int(value.p) * (scale // int(value.q)) for t, value in known.items()}
        b = dict.fromkeys(known, 0)
        a[knot], b[knot] = 0, power
        gains = [_scaled(gain, scale) for gain in solver.arena.gains]
        means = {which: _scaled(solver.means[which], scale) for which in set(counted.values())}
        a_of, b_of = a.__getitem__, b.__getitem__
        top = rate = 0
        for s in self.order:
            if s in laws:
                weights, total = laws[s]
                value = sum(_weighed(map(a_of, then[s]), weights)) // total
                value += means[counted[s]]
                change = sum(_weighed(map(b_of, then[s]), weights)) // total
            else:
                pick = picks[s]
                t = then[s][pick - first[s]]
                value, change = a[t] + gains[tagged[pick]], b[t]
            if s == knot:
                top, rate = value, change
            else:
                a[s], b[s] = value, change
        left = power - rate
        common = gcd(top, left)
        top, left = top // common, left // common
        # The knot is worth top / (shared * left); all that follow, over scale * left:
        self.tops = {t: x * left + b[t] * top for t, x in a.items()}
        self.gains = [gain * left for gain in gains]
        bottom = scale * left
        for s in self.order:
            solver.values[s] = self.tops[s], bottom

    def better(self, s: int) -> int | None:
        """The best move of a question, if it is better than the one that is picked."""
        solver, tops, gains = self.solver, self.tops, self.gains
        at, tagged, sense = solver.first[s], solver.tagged, solver.senses[s]
        best, most = None, tops[s] * sense
        for m, t in enumerate(self.then[s], at):
            worth = (tops[t] + gains[tagged[m]]) * sense
            if worth > most:
                best, most = m, worth
        return best

    def first(self, s: int) -> int:
        """The first move of a question that is worth as much as the question itself."""
        tops, tagged, at = self.tops, self.solver.tagged, self.solver.first[s]
        worths = (tops[t] + self.gains[tagged[m]] for m, t in enumerate(self.then[s], at))
        return at + next(i for i, worth in enumerate(worths) if worth == tops[s])

    def _power(self) -> int:
        """What all chances of the way to the knot, or out of the block, are whole parts of."""
        depth = dict.fromkeys(self.outside, 0)
        depth[self.knot] = deepest = 0
        first, picks, depth_of = self.solver.first, self.solver.picks, depth.__getitem__
        for s in self.order:
            then = self.then[s]
            if s in self.laws:
                deep = 1 + max(map(depth_of, then))
            else:
                deep = depth[then[picks[s] - first[s]]]
            deepest = max(deepest, deep)
            if s != self.knot:
                depth[s] = deep
        power: int = lcm(*(total for _, total in self.laws.values())) ** deepest
        return power


def _weighed(values: "map[Any]", weights: Sequence[float]) -> "map[Any]":
    return map(mul, values, weights) if weights else values


def _scaled(x: Fraction, scale: int) -> int:
    return x.numerator * (scale // x.denominator)
