"""Exact solution of a component whose cycles all pass through one state, such as a turn's start.

The method is in docs/explanation/optimal-play.md. Let v be the value of this *feedback vertex*, and
f(v) its value after one round of optimal choices; the solution has f(v) = v. Newton's iteration is
policy iteration (Puterman and Brumelle 1979). With two opposed players f is not convex, but it
rises more slowly than v. So the sign of f(v) - v shows the side of the solution, and a step out of
the known interval is replaced by bisection.

Feedback vertex sets are hard to find in general (Karp 1972); depth-first search finds such a single
one, at its root. Units are 2^-64, rounded down; a value is too low by less than 2 of them for each
node on the way.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import gcd, inf, lcm, log2
from operator import add, mul
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq

if TYPE_CHECKING:
    from sevenout.solving.solvers.decision_problem import Arena
    from sevenout.solving.solvers.policy_iteration import PolicyIteration

ROUNDS = 30
"""Policy improvements before fractions are used."""
ONE = 1 << 64
"""The unit is 1 / ONE."""


MOST_BITS = 2e10
"""Total bits of a model's denominators up to which `auto` chooses fractions."""
BITS_A_SECOND = 5e8


class NodeKind(NamedTuple):
    """The common properties of nodes, all but their targets.

    Attributes:
        sense: 0 at a roll; at a decision 1 to maximise, -1 to minimise.
        parts: the weights of a roll, empty if all are 1; or the gain of each option.
        total: the sum of the weights.
        gain: at a roll, the sum of gains times weights.
    """

    sense: int
    parts: tuple[Any, ...]
    total: int
    gain: Any

    def scaled(self, scale: int) -> "NodeKind":
        """The same with gains in units of 1 / scale, rounded down."""
        gains = self.parts
        if self.sense:
            gains = tuple([floor(gain, scale) for gain in gains])
        return self._replace(parts=gains, gain=floor(self.gain, scale))


def floor(x: Any, scale: int) -> int:
    """A fraction in units of 1 / scale, rounded down.

    >>> floor(fmpq(-1, 3), 10)
    -4
    """
    return int(x.numerator * scale // x.denominator)


class NoKnotError(Exception):
    """A cycle avoids the feedback vertex."""


class Knot:
    """The optimal policy of a component with a feedback vertex, its last node.

    Args:
        solver: the solver; values outside the component are known.
        block: the nodes, successors first.
    """

    def __init__(self, solver: "PolicyIteration", block: Sequence[int]) -> None:
        self.solver, self.block, self.knot = solver, block, block[-1]
        self.followed: list[tuple[int, int]] = []
        self.power = 1

    def solve(self, hint: int) -> None:
        """Find the optimal picks and the feedback vertex's value; other nodes only if needed.

        Args:
            hint: an approximate value of the feedback vertex, in units.

        Raises:
            NoKnotError: there are other cycles.
        """
        solver, knot, near = self.solver, self.knot, self.solver.near
        low = high = None  # bounds in units
        for _ in range(ROUNDS):
            near[knot] = hint
            least = self._rounded()
            found = near[knot]
            self._leave()
            aim = self._about()
            error = 2 * len(self.block) + 3
            if least > error + abs(aim - hint):
                solver.tie(self, self._value())
                return
            if aim == hint:
                break
            if found > hint:
                low = hint
            elif found + error < hint:
                high = hint
            if low is not None and high is not None and not low < aim < high:
                aim = (low + high) // 2
            hint = aim
        self.fill()

    def nearest(self) -> int:
        """A known value of an exit near the feedback vertex, in units; 0 if there is none."""
        near = self.solver.near
        for s in reversed(self.block):
            for t in self.solver.rows[s]:
                if near[t] is not None:
                    return int(near[t])
        return 0

    def _rounded(self) -> Any:
        solver = self.solver
        try:
            return self._play(solver.near, solver.rounded)
        except TypeError:  # unknown values are None
            solver.round_down(self.block)
        try:
            return self._play(solver.near, solver.rounded)
        except TypeError:
            solver.forget(self.block)
            raise NoKnotError from None

    def _play(self, value: list[Any], laws: Sequence[NodeKind] | Mapping[int, NodeKind]) -> Any:
        """Choose optimally backwards from the last states, and update the feedback vertex.

        Returns:
            The least lead of a decision's best option.
        """
        solver = self.solver
        kinds, rows, first, picks = solver.kinds, solver.rows, solver.first, solver.picks
        value_of = value.__getitem__
        least: Any = float("inf")
        for s in self.block:
            sense, parts, total, gain = laws[kinds[s]]
            after: Any = map(value_of, rows[s])
            if not sense:
                value[s] = sum(map(mul, after, parts) if parts else after, gain) // total
                continue
            options = list(map(add, after, parts))
            best = max(options) if sense > 0 else min(options)
            pick = options.index(best)
            value[s], picks[s] = best, first[s] + pick
            if len(options) == 2:
                lead = abs(options[0] - options[1])
            elif len(options) > 1:
                del options[pick]
                lead = abs(best - (max(options) if sense > 0 else min(options)))
            else:
                continue
            if lead < least:  # noqa: PLR1730  `min` takes twice as long
                least = lead
        return least

    def _leave(self) -> None:
        """The probability of each exit under the picks, and the gain before it."""
        solver, knot, followed = self.solver, self.knot, []
        kinds, rows, laws, picks = solver.kinds, solver.rows, solver.laws, solver.picks
        if self.followed and all(picks[s] == pick for s, pick in self.followed):
            return
        power = self.power
        chances: dict[int, int] = defaultdict(int, {knot: power})  # in units of 1 / power
        gained: Any = 0
        for s in reversed(self.block):
            if s not in chances:
                continue
            here = chances.pop(s)
            sense, parts, total, gain = laws[kinds[s]]
            if sense:
                pick = picks[s]
                followed.append((s, pick))
                at = pick - solver.first[s]
                chances[rows[s][at]] += here
                gained += here * parts[at]
                continue
            share, rest = divmod(here, total)
            if rest:
                finer = total // gcd(rest, total)
                power *= finer
                gained *= finer
                for t in chances:
                    chances[t] *= finer
                share = here * finer // total
            gained += share * gain
            if parts:
                for t, weight in zip(rows[s], parts, strict=True):
                    chances[t] += share * weight
            else:
                for t in rows[s]:
                    chances[t] += share
        self.power, self.followed, self.gained = power, followed, gained
        self.out = power - chances.pop(knot, 0)
        self.ways = chances

    def _about(self) -> int:
        """The feedback vertex's value under the picks, to one unit."""
        near = self.solver.near
        left = sum([chance * near[t] for t, chance in self.ways.items()])
        about: int = (left + self.gained * ONE // self.solver.unit) // self.out
        return about

    def _value(self) -> Any:
        """The feedback vertex's value under the picks, as a fraction."""
        unit = self.solver.unit
        ways = [(chance, *self.solver.lowest(t)) for t, chance in self.ways.items()]
        shared = _shared([bottom for _, _, bottom in ways], unit)
        left = sum([chance * top * (shared // bottom) for chance, top, bottom in ways])
        return fmpq(left + self.gained * (shared // unit), shared * self.out)

    def fill(self) -> None:
        """The value of every node as a fraction, and its best pick, the first of equals."""
        solver, knot, block = self.solver, self.knot, self.block
        kinds = {solver.kinds[s] for s in block}
        # All probabilities from the feedback vertex on are multiples of 1 / power.
        power = lcm(*{solver.laws[k].total for k in kinds}) ** self._deepest()
        outside: set[int] = set().union(*[solver.rows[s] for s in block])
        known = {t: solver.lowest(t) for t in outside.difference(block)}
        shared = _shared((bottom for _, bottom in known.values()), solver.unit)
        gain = solver.solved
        sides: dict[bool, Any] = {}  # values of the vertex that are too small, or too large
        while True:
            self._leave()
            value = self._value()
            if len(sides) == 2 and not sides[True] < value < sides[False]:
                value = sum(sides.values()) / 2
            top, bottom = int(value.p), int(value.q)
            scale = lcm(shared, bottom) * power
            for t, (over, under) in known.items():
                gain[t] = over * (scale // under)
            gain[knot] = here = top * (scale // bottom)
            self._play(gain, {k: solver.sorts[k].scaled(scale) for k in kinds})
            change = gain[knot] - here
            if not change:
                break
            sides[change > 0] = value
        solver.fill(block, gain, scale)
        solver.near[knot] = floor(value, ONE)

    def _deepest(self) -> int:
        """The most rolls from the feedback vertex to itself or out of the block."""
        solver, depth = self.solver, defaultdict[int, int](int)
        for s in self.block:
            rolled = not solver.laws[solver.kinds[s]].sense
            here = max([depth[t] for t in solver.rows[s]]) + rolled
            if s != self.knot:
                depth[s] = here
        return here


def _shared(bottoms: Iterable[int], unit: int) -> int:
    """A small common denominator."""
    for bottom in sorted(set(bottoms), reverse=True):
        if unit % bottom:
            unit = lcm(unit, bottom)
    return unit


def bits_of(arena: "Arena") -> float:
    """A rough, high estimate of the bits of all denominators of an arena.

    It is infinite if a component needs more than one cut. A denominator has the bits of the weights
    on the longest way to the end, and of every component nearer to the end, since each adds
    factors. With two scores there are as many components as pairs, though one way to the end meets
    few.
    """
    bits: list[float] = [-1.0] * len(arena.model.states) + [0.0] * len(arena.ends)
    more = [log2(sum(weights)) for weights in arena.weights]
    rows, rolled, senses = arena.rows, arena.model.rolled, arena.senses
    total, followed, longest = 0.0, 0.0, bits.__getitem__
    for block in reversed(arena.blocks):
        knot, inside = block[-1], set(block)
        bits[knot] = 0.0
        outside = [bits[t] for s in block for t in rows[s] if t not in inside]
        for s in block:
            after = rows[s]
            if min(map(longest, after)) < 0:
                return inf
            bits[s] = max(map(longest, after)) + (0.0 if senses[s] else more[rolled[s]])
            total += max(bits[s], followed)
        if len(block) > 1 or knot in rows[knot]:
            followed += bits[knot] - max(outside, default=0.0)
    return total
