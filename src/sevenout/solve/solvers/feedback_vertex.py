"""A block all of whose cycles pass through one state, such as the beginning of a turn.

Cut there, the block has no cycle. Let v be the value of the feedback vertex: then from the last
states back the value of each is known, and that of the feedback vertex itself is f(v) = a + b v for
a policy, and the best of these for the best. So a policy is solved for by additions alone, and if
f(v) = v where the best is done everywhere, that is the proof. (A feedback vertex set of one state;
in general they are hard to find, Karp 1972, and a search in depth shows whether there is one of
this kind: where it began.)

Newton's iteration on v = f(v) finds the best policy: it is policy iteration (Puterman and Brumelle
1979). Of two opposed players f is no more convex, but it still rises more slowly than v, so that
f(v) - v says on which side of the truth v is; a step beyond what is known goes half way instead.

All of it is done in integers. What is best is found in parts of 2^-64, every division rounded down.
A value is then too low by less than 2 parts for each node on the way to what is known, so that an
option which leads by more than all of them is proved to be the best. For the policy that is found,
the chances with which the block is left give the value of the feedback vertex as a fraction. The
other nodes are worked out if someone asks, or if some options are too near to tell: over one
denominator, so that no greatest common divisor is asked for.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import gcd, inf, lcm, log2
from operator import add, mul
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq

if TYPE_CHECKING:
    from sevenout.solve.solvers.decision_problem import Arena
    from sevenout.solve.solvers.policy_iteration import PolicyIteration

ROUNDS = 30
"""How often a policy is improved before it is done in fractions."""
ONE = 1 << 64
"""The parts that 1 has, where worths are rounded down."""


MOST_BITS = 2e10
"""Of the denominators of a model, up to which `auto` takes fractions."""
BITS_A_SECOND = 5e8


class NodeKind(NamedTuple):
    """What many nodes have in common: all but where they lead.

    Attributes:
        sense: 0 at a roll; at a question 1 where the most is wanted, -1 for the least.
        parts: the weights of a roll, none if all are 1; or the gain of each option.
        total: of the weights.
        gain: of a roll: that of each face times its weight, in sum.
    """

    sense: int
    parts: tuple[Any, ...]
    total: int
    gain: Any

    def scaled(self, scale: int) -> "NodeKind":
        """The same with gains in parts, this many to 1, rounded down."""
        gains = self.parts
        if self.sense:
            gains = tuple([floor(gain, scale) for gain in gains])
        return self._replace(parts=gains, gain=floor(self.gain, scale))


def floor(x: Any, scale: int) -> int:
    """A fraction in parts, this many to 1.

    >>> floor(fmpq(-1, 3), 10)
    -4
    """
    return int(x.numerator * scale // x.denominator)


class NoKnotError(Exception):
    """There is a cycle beside the feedback vertex."""


class Knot:
    """The best policy of a block with a feedback vertex, its last node.

    Args:
        solver: what is solved; values outside the block are known.
        block: the nodes, those that follow before those they follow.
    """

    def __init__(self, solver: "PolicyIteration", block: Sequence[int]) -> None:
        self.solver, self.block, self.knot = solver, block, block[-1]
        self.followed: list[tuple[int, int]] = []
        self.power = 1

    def solve(self, hint: int) -> None:
        """The best picks, and the value of the feedback vertex; other nodes only if they are needed
        for it.

        Args:
            hint: about the value of the feedback vertex, in parts, to begin with.

        Raises:
            NoKnotError: one cut does not do.
        """
        solver, knot, near = self.solver, self.knot, self.solver.near
        low = high = None  # parts that are too few, and too many
        for _ in range(ROUNDS):
            near[knot] = hint
            least = self._rounded()
            found = near[knot]
            self._leave()
            aim = self._about()
            error = 2 * len(self.block) + 3
            if least > error + abs(aim - hint):
                solver.tie(self, self._worth())
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
        """The value of a way out that is near to the feedback vertex, in parts; 0 if none is known
        so far.
        """
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
        except TypeError:  # what is not known is worth None
            solver.round_down(self.block)
        try:
            return self._play(solver.near, solver.rounded)
        except TypeError:
            solver.forget(self.block)
            raise NoKnotError from None

    def _play(self, worth: list[Any], laws: Sequence[NodeKind] | Mapping[int, NodeKind]) -> Any:
        """Do what is best from the last states back, and make of the feedback vertex what comes of
        it.

        Returns:
            By how much the best option of a question leads, where it leads by the least.
        """
        solver = self.solver
        kinds, rows, first, picks = solver.kinds, solver.rows, solver.first, solver.picks
        worth_of = worth.__getitem__
        least: Any = float("inf")
        for s in self.block:
            sense, parts, total, gain = laws[kinds[s]]
            after: Any = map(worth_of, rows[s])
            if not sense:
                worth[s] = sum(map(mul, after, parts) if parts else after, gain) // total
                continue
            options = list(map(add, after, parts))
            best = max(options) if sense > 0 else min(options)
            pick = options.index(best)
            worth[s], picks[s] = best, first[s] + pick
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
        """Where the picks are followed, the chance of each way out, and what is gained before."""
        solver, knot, followed = self.solver, self.knot, []
        kinds, rows, laws, picks = solver.kinds, solver.rows, solver.laws, solver.picks
        if self.followed and all(picks[s] == pick for s, pick in self.followed):
            return
        power = self.power
        chances: dict[int, int] = defaultdict(int, {knot: power})  # in parts, `power` of them to 1
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
        """What the feedback vertex is then worth, in parts; to one of them."""
        near = self.solver.near
        left = sum([chance * near[t] for t, chance in self.ways.items()])
        about: int = (left + self.gained * ONE // self.solver.unit) // self.out
        return about

    def _worth(self) -> Any:
        """The same as a fraction."""
        unit = self.solver.unit
        ways = [(chance, *self.solver.lowest(t)) for t, chance in self.ways.items()]
        shared = _shared([bottom for _, _, bottom in ways], unit)
        left = sum([chance * top * (shared // bottom) for chance, top, bottom in ways])
        return fmpq(left + self.gained * (shared // unit), shared * self.out)

    def fill(self) -> None:
        """The value of every node as a fraction, and its best pick, of several the first."""
        solver, knot, block = self.solver, self.knot, self.block
        kinds = {solver.kinds[s] for s in block}
        # All chances of the way from the feedback vertex are whole parts of this.
        power = lcm(*{solver.laws[k].total for k in kinds}) ** self._deepest()
        outside: set[int] = set().union(*[solver.rows[s] for s in block])
        known = {t: solver.lowest(t) for t in outside.difference(block)}
        shared = _shared((bottom for _, bottom in known.values()), solver.unit)
        worth = solver.worth
        sides: dict[bool, Any] = {}  # worths of the knot that are too little, or too much
        while True:
            self._leave()
            value = self._worth()
            if len(sides) == 2 and not sides[True] < value < sides[False]:
                value = sum(sides.values()) / 2
            top, bottom = int(value.p), int(value.q)
            scale = lcm(shared, bottom) * power
            for t, (over, under) in known.items():
                worth[t] = over * (scale // under)
            worth[knot] = here = top * (scale // bottom)
            self._play(worth, {k: solver.sorts[k].scaled(scale) for k in kinds})
            change = worth[knot] - here
            if not change:
                break
            sides[change > 0] = value
        solver.fill(block, worth, scale)
        solver.near[knot] = floor(value, ONE)

    def _deepest(self) -> int:
        """The most rolls from the feedback vertex on, up to it again or out of the block."""
        solver, depth = self.solver, defaultdict[int, int](int)
        for s in self.block:
            rolled = not solver.laws[solver.kinds[s]].sense
            here = max([depth[t] for t in solver.rows[s]]) + rolled
            if s != self.knot:
                depth[s] = here
        return here


def _shared(bottoms: Iterable[int], unit: int) -> int:
    """A denominator for all, as small as may be."""
    for bottom in sorted(set(bottoms), reverse=True):
        if unit % bottom:
            unit = lcm(unit, bottom)
    return unit


def bits_of(arena: "Arena") -> float:
    """How many bits all the denominators of an arena have, by a rough and high estimate.

    It is infinite where no one cut opens each of the blocks. A denominator has the bits of the
    weights on the longest way to the end, and those of every block that may follow, since each
    brings factors of its own: of two scores there are as many as pairs, though a way to the end
    meets few of them. All blocks that are nearer to the end are counted.
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
