"""Optimal play in fractions: policy iteration by strongly connected component.

For the method and its proof see docs/explanation/optimal-play.md (Howard 1960; for two opposed
players Hoffman and Karp 1966; Rao, Chandrasekaran and Nair 1973). A state outside every cycle
simply takes the best option.

The first policy is one that ends almost surely, and only strictly better moves replace others. If a
player could stay for ever (`Model.traps`), and a change makes a policy stay, its gains there are
positive on average and the value is unbounded: an error. Otherwise every policy met ends, and the
last is the best of those that end (Bertsekas and Tsitsiklis 1991).

*A feedback vertex.* In most games all cycles of a component pass through one state, such as a
turn's start; then `FeedbackComponent` solves it. Let v be the value of this feedback vertex, and
f(v) its value after one round of optimal choices; the solution has f(v) = v. Newton's iteration is
policy iteration (Puterman and Brumelle 1979). Solitaire Pig to 100 takes 90 ms from its rules, and
750 ms by policy iteration proper, on one core. With two opposed players f is not convex, but it
rises more slowly than v. So the sign of f(v) - v shows the side of the solution, and a step out of
the known interval is replaced by bisection.

Feedback vertex sets are hard to find in general (Karp 1972); depth-first search finds such a single
one, at its root. Units are 2^-64, rounded down; a value is too low by less than 2 of them for each
node on the way.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import gcd, inf, lcm, log2
from operator import add, mul
from threading import RLock
from typing import Any, NamedTuple

from flint import fmpq

from sevenout.errors import EndlessGameError, RulesError
from sevenout.rolling.generating_functions import to_flint
from sevenout.solving.elimination import Elimination
from sevenout.solving.goal import MAX_AMOUNT, Arena, some_states

MAX_TRIALS = 30
"""Trials of a feedback vertex in units, before fractions are used."""
ONE = 1 << 64
"""The unit is 1 / ONE."""
MAX_BITS = 2e10
"""Total bits of a model's denominators up to which `auto` chooses fractions."""
BITS_PER_SECOND = 5e8


class NodeKind(NamedTuple):
    """The common properties of nodes, all but their targets.

    Attributes:
        sense: 0 at a roll; at a decision 1 to maximise, -1 to minimise.
        parts: the weights of a roll, empty if all are 1; or the gain of each option.
        total: the sum of the weights; 1 at a decision.
        gain: at a roll, the sum of gains times weights; 0 at a decision.
    """

    sense: int
    parts: tuple[int, ...]
    total: int
    gain: int

    def scaled(self, scale: int, unit: int) -> "NodeKind":
        """The same with gains in units of 1 / scale, rounded down, in place of 1 / unit."""
        parts = self.parts
        if self.sense:
            parts = tuple([gain * scale // unit for gain in parts])
        return self._replace(parts=parts, gain=self.gain * scale // unit)


def floor(x: Any, scale: int) -> int:
    """A fraction in units of 1 / scale, rounded down.

    >>> floor(fmpq(-1, 3), 10)
    -4
    """
    return int(x.numerator * scale // x.denominator)


class NoFeedbackVertexError(Exception):
    """A cycle avoids the feedback vertex."""


class FeedbackComponent:
    """The optimal policy of a component with a feedback vertex, its last node.

    How it works. From a trial value of the vertex, one pass over the nodes gives each decision its
    best pick. The picks say with which probability each exit is reached, and so the vertex's own
    value under them: the next trial. Trials are integers in units of 2^-64; the last is exact.

    Attributes:
        solver: the solver; values outside the component are known.
        nodes: the nodes, successors first.
        vertex: the feedback vertex.
        followed_picks: (decision, pick) on the ways from the vertex, when exits were last computed.
        denominator: of the probabilities of the exits, which are integers over it.
        exit_chances: the probability of each exit, times the denominator.
        exit_chance: the probability of leaving before a return, times the denominator.
        exit_gain: the mean gain before an exit, times the denominator, in the solver's units.
    """

    def __init__(self, solver: "PolicyIteration", component: Sequence[int]) -> None:
        self.solver, self.nodes, self.vertex = solver, component, component[-1]
        self.followed_picks: list[tuple[int, int]] = []
        self.denominator = 1

    def solve(self, trial: int) -> None:
        """Find the optimal picks and the feedback vertex's value; other nodes only if needed.

        Args:
            trial: an approximate value of the feedback vertex, in units.

        Raises:
            NoFeedbackVertexError: there are other cycles.
        """
        solver, vertex = self.solver, self.vertex
        rounded_values = solver.rounded_values
        low = high = None  # in units; with two opposed players Newton's steps may leave them
        for _ in range(MAX_TRIALS):
            rounded_values[vertex] = trial
            least_lead = self._play_in_units()
            returned = rounded_values[vertex]
            self._follow_exits()
            next_trial = self._vertex_in_units()
            # Each node on the way rounds down by less than 2 units, and the next trial by 1 more.
            error = 2 * len(self.nodes) + 3
            # Every lead exceeds what rounding can do, so the picks are best at the next trial too.
            if least_lead > error + abs(next_trial - trial):
                solver.store_vertex(self, self._vertex_value())
                return
            # The trial stands still, but some options are too close to tell apart in units.
            if next_trial == trial:
                break
            if returned > trial:
                low = trial
            elif returned + error < trial:
                high = trial
            if low is not None and high is not None and not low < next_trial < high:
                next_trial = (low + high) // 2
            trial = next_trial
        self.fill()

    def nearby_value(self) -> int:
        """A known value of an exit near the feedback vertex, in units; 0 if there is none."""
        rounded_values = self.solver.rounded_values
        # Any exit's value is nearer than 0; those next to the vertex come first.
        for s in reversed(self.nodes):
            for t in self.solver.rows[s]:
                if rounded_values[t] is not None:
                    return int(rounded_values[t])
        return 0

    def _play_in_units(self) -> Any:
        """Play with values in units; those of the exits are rounded when they are first needed."""
        solver = self.solver
        try:
            return self._play(solver.rounded_values, solver.rounded_kinds)
        except TypeError:  # an exit's value is None: known as a fraction, but not yet in units
            solver.round_down(self.nodes)
        try:
            return self._play(solver.rounded_values, solver.rounded_kinds)
        except TypeError:  # a node of the component comes before its successor: another cycle
            solver.forget(self.nodes)
            raise NoFeedbackVertexError from None

    def _play(self, value: list[Any], kinds: Sequence[NodeKind] | Mapping[int, NodeKind]) -> Any:
        """Choose optimally backwards from the last states, and update the feedback vertex.

        Args:
            value: by node, the value; those of the component are overwritten.
            kinds: the kinds of nodes, with gains in the units of the values.

        Returns:
            The least lead of a decision's best option over its second best.
        """
        solver = self.solver
        kind_of_node, rows, first, picks = solver.kinds, solver.rows, solver.first, solver.picks
        value_of = value.__getitem__
        least_lead: Any = inf
        for s in self.nodes:
            sense, parts, total, gain = kinds[kind_of_node[s]]
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
            if lead < least_lead:  # noqa: PLR1730  `min` takes twice as long
                least_lead = lead
        return least_lead

    def _follow_exits(self) -> None:
        """Compute the probability of each exit under the picks, and the gain before it."""
        solver, vertex, followed_picks = self.solver, self.vertex, []
        rows, picks = solver.rows, solver.picks
        # Trials mostly change no pick on the way, and then the probabilities stand.
        if self.followed_picks and all(picks[s] == pick for s, pick in self.followed_picks):
            return
        denominator = self.denominator
        chances: dict[int, int] = defaultdict(int, {vertex: denominator})
        exit_gain = 0
        for s in reversed(self.nodes):
            if s not in chances:
                continue
            chance = chances.pop(s)
            sense, parts, total, gain = solver.node_kinds[solver.kinds[s]]
            if sense:
                pick = picks[s]
                followed_picks.append((s, pick))
                option = pick - solver.first[s]
                chances[rows[s][option]] += chance
                exit_gain += chance * parts[option]
                continue
            share, rest = divmod(chance, total)
            # A larger denominator keeps all numerators whole; it grows by as little as will do.
            if rest:
                factor = total // gcd(rest, total)
                denominator *= factor
                exit_gain *= factor
                for t in chances:
                    chances[t] *= factor
                share = chance * factor // total
            exit_gain += share * gain
            if parts:
                for t, weight in zip(rows[s], parts, strict=True):
                    chances[t] += share * weight
            else:
                for t in rows[s]:
                    chances[t] += share
        self.followed_picks, self.denominator = followed_picks, denominator
        self.exit_chance = denominator - chances.pop(vertex, 0)
        self.exit_chances, self.exit_gain = chances, exit_gain

    def _vertex_in_units(self) -> int:
        """The feedback vertex's value under the picks, to one unit."""
        rounded_values = self.solver.rounded_values
        paid = sum([chance * rounded_values[t] for t, chance in self.exit_chances.items()])
        units: int = (paid + self.exit_gain * ONE // self.solver.unit) // self.exit_chance
        return units

    def _vertex_value(self) -> Any:
        """The feedback vertex's value under the picks, as a fraction."""
        unit = self.solver.unit
        exits = [(chance, *self.solver.lowest_terms(t)) for t, chance in self.exit_chances.items()]
        shared = _common_denominator([bottom for _, _, bottom in exits], unit)
        paid = sum([chance * top * (shared // bottom) for chance, top, bottom in exits])
        return fmpq(paid + self.exit_gain * (shared // unit), shared * self.exit_chance)

    def fill(self) -> None:
        """The value of every node as a fraction, and its best pick, the first of equals."""
        solver, vertex, component = self.solver, self.vertex, self.nodes
        kinds = {solver.kinds[s] for s in component}
        # All probabilities from the feedback vertex on are multiples of 1 / power.
        power: int = lcm(*{solver.node_kinds[k].total for k in kinds}) ** self._max_rolls()
        outside: set[int] = set().union(*[solver.rows[s] for s in component])
        exits = {t: solver.lowest_terms(t) for t in outside.difference(component)}
        shared = _common_denominator((bottom for _, bottom in exits.values()), solver.unit)
        scaled_values = solver.buffer
        sides: dict[bool, Any] = {}  # values of the vertex that are too small, or too large
        while True:
            # The value of the present policy; it is the optimum once no pick improves it.
            self._follow_exits()
            value = self._vertex_value()
            # As in `solve`: a step beyond a known side is replaced by bisection.
            if len(sides) == 2 and not sides[True] < value < sides[False]:
                value = sum(sides.values()) / 2
            # Over this denominator all values of the component are whole, whatever the picks.
            scale = lcm(shared, int(value.q)) * power
            for t, (top, bottom) in exits.items():
                scaled_values[t] = top * (scale // bottom)
            scaled_values[vertex] = start = int(value.p) * (scale // int(value.q))
            scaled_kinds = {k: solver.node_kinds[k].scaled(scale, solver.unit) for k in kinds}
            self._play(scaled_values, scaled_kinds)
            change = scaled_values[vertex] - start
            if not change:
                break
            sides[change > 0] = value
        solver.fill(component, scaled_values, scale)
        solver.rounded_values[vertex] = floor(value, ONE)

    def _max_rolls(self) -> int:
        """The most rolls from the feedback vertex to itself or out of the component."""
        solver, depth = self.solver, defaultdict[int, int](int)
        for s in self.nodes:
            rolled = not solver.node_kinds[solver.kinds[s]].sense
            longest = max([depth[t] for t in solver.rows[s]]) + rolled
            if s != self.vertex:
                depth[s] = longest
        return longest


def _common_denominator(bottoms: Iterable[int], unit: int) -> int:
    """A small common denominator."""
    # Most denominators divide the largest one: a remainder is cheaper than a common multiple.
    for bottom in sorted(set(bottoms), reverse=True):
        if unit % bottom:
            unit = lcm(unit, bottom)
    return unit


def bits_of(arena: "Arena") -> float:
    """A rough, high estimate of the bits of all denominators of an arena.

    It is infinite if a component has no feedback vertex. A denominator has the bits of the weights
    on the longest way to the end, and of every component nearer to the end, since each adds
    factors. With two scores there are as many components as pairs, though one way to the end meets
    few.
    """
    bits: list[float] = [-1.0] * len(arena.model.states) + [0.0] * len(arena.ends)
    roll_bits = [log2(sum(weights)) for weights in arena.weights]
    rows, rollable_index, senses = arena.rows, arena.model.rollable_index, arena.senses
    total, component_bits, bits_at = 0.0, 0.0, bits.__getitem__
    for component in reversed(arena.components):
        vertex, inside = component[-1], set(component)
        bits[vertex] = 0.0
        outside = [bits[t] for s in component for t in rows[s] if t not in inside]
        for s in component:
            after = rows[s]
            # A later successor in the component: another cycle avoids the vertex.
            if min(map(bits_at, after)) < 0:
                return inf
            own_bits = 0.0 if senses[s] else roll_bits[rollable_index[s]]
            bits[s] = max(map(bits_at, after)) + own_bits
            total += max(bits[s], component_bits)
        if len(component) > 1 or vertex in rows[vertex]:
            component_bits += bits[vertex] - max(outside, default=0.0)
    return total


FILL_LOCK = RLock()
"""One thread at a time computes values: they share a buffer."""


class PolicyIteration:
    """The optimum of an arena over the rationals; turns don't pass in it.

    How it works. Components are solved from the outcomes back. A node outside every cycle is a sum
    or its best option; a component with a feedback vertex is a `FeedbackComponent`, and any other
    goes through policy iteration proper (`_iterate`). Fractions are long, so most values are
    computed only when they are asked for.

    Attributes:
        arena: the problem.
        n: the number of nodes.
        first, targets, tag_index, rollable_index: the model's moves; see `Model`.
        rows: the targets of each node's moves.
        senses: 1 at a node that maximises, -1 at one that minimises, 0 at a roll.
        gains: the value of each tag's counters (flint).
        values: the value of each node, then of each outcome, less the arena's shift, where
            computed: a rational (flint), a numerator and a denominator, or the
            `FeedbackComponent` that will compute it; see `value`.
        rounded_values: the same in units of 2^-64, rounded down; None where not needed yet.
        buffer: by node, the integers of one component over a common denominator.
        picks: the chosen move of each decision; the first of the best.
        unit: the common denominator of all gains, which are integers in units of 1 / unit.
        kinds: the kind of each node, an index of `node_kinds` and `rounded_kinds`.
        node_kinds: the kinds, with gains in units of 1 / unit.
        rounded_kinds: the same with gains in units of 2^-64, rounded down.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        model = arena.model
        self.n = n = len(model.states)
        self.targets, self.tag_index = model.targets, model.tag_index
        self.rollable_index = model.rollable_index
        self.first, self.rows = model.first_move, arena.rows
        self.senses = arena.senses
        self.gains = [to_flint(gain) for gain in arena.gains]
        self.values: list[Any] = [None] * n + [to_flint(end) for end in arena.ends]
        self.rounded_values: list[Any] = [None] * len(self.values)
        self.buffer: list[Any] = [0] * len(self.values)
        self.picks: dict[int, int] = {}
        self._lowest: dict[int, tuple[int, int]] = {}
        self._unfilled: deque[FeedbackComponent] = deque()
        self.unit = lcm(*(x.denominator for x in (*arena.gains, arena.roll)))
        self.kinds, self.node_kinds = self._kinds()
        self.rounded_kinds = [kind.scaled(ONE, self.unit) for kind in self.node_kinds]
        surplus = 0
        for component in reversed(arena.components):
            s = component[-1]
            if len(component) == 1 and s not in self.rows[s]:
                self._solve_directly(s)
                continue
            # Where a player could stay, its picks might never leave it.
            if model.traps.isdisjoint(component):
                try:
                    feedback = FeedbackComponent(self, component)
                    exit_value = feedback.nearby_value()
                    # Neighbouring components are alike: the vertex is worth about as much more
                    # than the exit as in the last one.
                    feedback.solve(exit_value + surplus)
                    surplus = self.rounded_values[s] - exit_value
                except NoFeedbackVertexError:
                    self._iterate(component)
            else:
                self._iterate(component)
            if self.rounded_values[s] is None:
                self.rounded_values[s] = floor(self.value(s), ONE)

    def value(self, s: int) -> Any:
        """The value of a node or an outcome, in lowest terms."""
        value = self.values[s]
        if isinstance(value, FeedbackComponent):
            # To fill a component takes the values of those nearer to the end, which came first.
            with FILL_LOCK:
                while isinstance(value := self.values[s], FeedbackComponent):  # earlier nodes first
                    self._unfilled[0].fill()
                    self._unfilled.popleft()
        if type(value) is tuple:
            value = self.values[s] = fmpq(*value)
        return value

    def lowest_terms(self, s: int) -> tuple[int, int]:
        """The value as numerator and denominator."""
        terms = self._lowest.get(s)
        if terms is None:
            value = self.value(s)
            terms = self._lowest[s] = int(value.p), int(value.q)
        return terms

    def store_vertex(self, feedback: FeedbackComponent, value: Any) -> None:
        """Store a solved feedback vertex; other nodes of its component are computed on demand."""
        for s in feedback.nodes:
            self.values[s], self.rounded_values[s] = feedback, None
        self.values[feedback.vertex] = value
        top, bottom = self.lowest_terms(feedback.vertex)
        self._require_float_range(top, bottom)
        self.rounded_values[feedback.vertex] = top * ONE // bottom
        self._unfilled.append(feedback)

    def fill(self, component: Sequence[int], values: Sequence[int], bottom: int) -> None:
        """Store the values of a component, over one denominator."""
        self._require_float_range(max(map(abs, map(values.__getitem__, component))), bottom)
        for s in component:
            self.values[s], self.rounded_values[s] = (values[s], bottom), None

    def round_down(self, component: Sequence[int]) -> None:
        """Compute the known successors of a component in units, rounded down."""
        for t in set().union(*[self.rows[s] for s in component]):
            if self.rounded_values[t] is None and self.values[t] is not None:
                self.rounded_values[t] = floor(self.value(t), ONE)

    def forget(self, component: Sequence[int]) -> None:
        """Mark a component as unsolved."""
        for s in component:
            self.rounded_values[s] = None

    def _kinds(self) -> tuple[list[int], list[NodeKind]]:
        """The kind of each node, and the kinds, with gains in units of 1 / unit."""
        arena, model = self.arena, self.arena.model
        tag_gains = [int(gain * self.unit) for gain in arena.gains]
        roll_gain = int(arena.roll * self.unit)
        tags, size = model.tag_index.tobytes(), model.tag_index.itemsize
        node_tags = [tags[start * size : end * size] for start, end in pairwise(self.first)]
        # The bytes of a node's tags are its key: nodes number thousands, and kinds a few dozen.
        keys = list(zip(self.rollable_index, self.senses, node_tags, strict=True))
        kind_by_key: dict[Any, int] = {}
        kind_of_node = [kind_by_key.setdefault(key, len(kind_by_key)) for key in keys]
        kinds = []
        for rolled, sense, tag_bytes in kind_by_key:
            gains = [tag_gains[tag] for tag in array("i", tag_bytes)]
            if sense:
                kinds.append(NodeKind(sense, tuple(gains), 1, 0))
                continue
            weights = arena.weights[rolled]
            total = sum(weights)
            gain = sum(map(mul, gains, weights), roll_gain * total)
            # A fair die needs no products.
            kinds.append(NodeKind(0, () if total == len(weights) else weights, total, gain))
        return kind_of_node, kinds

    def _moves(self, s: int) -> range:
        return range(self.first[s], self.first[s + 1])

    def _move_value(self, move: int) -> Any:
        """The value of a move under the current values."""
        return self.value(self.targets[move]) + self.gains[self.tag_index[move]]

    def _solve_directly(self, s: int) -> None:
        """Solve a node outside every cycle, whose successors are known."""
        sense = self.senses[s]
        if sense:
            best = self._best(s, sense)
            self.picks[s] = best
            self.values[s] = self._move_value(best)
        else:
            weights = self.arena.weights[self.rollable_index[s]]
            total: Any = 0
            for move, weight in zip(self._moves(s), weights, strict=True):
                total += self._move_value(move) * weight
            self.values[s] = fmpq(total) / sum(weights) + to_flint(self.arena.roll)

    def _best(self, s: int, sense: int) -> int:
        """The best move of a decision under the current values; the first of equals."""
        moves = self._moves(s)
        values = [self._move_value(move) * sense for move in moves]
        return moves[values.index(max(values))]

    def _iterate(self, component: list[int]) -> None:
        """Policy iteration on a component."""
        senses, own_sense = self.senses, self.arena.goal.sense
        decisions = [s for s in component if senses[s]]
        may_stay = not self.arena.model.traps.isdisjoint(component)
        # A guess in floats saves no time: Howard's rounds are few from any policy that ends.
        self._lead_out(component)
        while True:
            if may_stay:
                self._require_exit(component)
            self._evaluate(component)
            better = {s: move for s in decisions if (move := self._improvement(s)) is not None}
            if not better:
                break
            # The second player responds before the first improves.
            responses = {s: move for s, move in better.items() if senses[s] != own_sense}
            self.picks |= responses or better
        for s in component:
            self._require_float_range(*self.lowest_terms(s))
        if not may_stay:  # it ends, whichever best move is picked
            self.picks |= {s: self._first_best(s) for s in decisions}

    def _require_exit(self, component: list[int]) -> None:
        """Refuse a policy that need not leave a component.

        Raises:
            EndlessGameError: it has repeated gains.
        """
        predecessors: dict[int, list[int]] = {}
        leaving = []
        inside = set(component)
        for s in component:
            moves = [self.picks[s]] if self.senses[s] else self._moves(s)
            for t in {self.targets[m] for m in moves}:
                if t in inside:
                    predecessors.setdefault(t, []).append(s)
                else:
                    leaving.append(s)
        while leaving:
            s = leaving.pop()
            if s in inside:
                inside.remove(s)
                leaving += predecessors.get(s, ())
        if inside:
            raise EndlessGameError(
                "the game can be prolonged forever at a profit, in "
                f"{some_states(self.arena.model)}; let an option end it, or minimize something "
                "that keeps growing"
            )

    def _improvement(self, s: int) -> int | None:
        """The best move of a decision, if it is better than the chosen one."""
        sense = self.senses[s]
        best = self._best(s, sense)
        return best if self._move_value(best) * sense > self.value(s) * sense else None

    def _first_best(self, s: int) -> int:
        """The first move whose value equals the value of the state."""
        value = self.value(s)
        return next(move for move in self._moves(s) if self._move_value(move) == value)

    def _require_float_range(self, top: int, bottom: int) -> None:
        """Refuse a value top / bottom that no float can hold."""
        # Floats guess the next component's policy, and pages print it: both end at 10^308.
        if top.bit_length() - bottom.bit_length() > MAX_AMOUNT.bit_length():
            raise RulesError("a mean beyond 10^300; count in a larger unit")

    def _evaluate(self, component: list[int]) -> None:
        """Solve for the values of a component under the chosen moves."""
        index = {s: i for i, s in enumerate(component)}
        out = len(component)
        rows: list[dict[int, int]] = []
        rewards: list[Any] = []
        for s in component:
            row: dict[int, int] = {}
            if self.senses[s]:
                weighted: list[tuple[int, int]] = [(self.picks[s], 1)]
                reward: Any = fmpq(0)
            else:
                weights = self.arena.weights[self.rollable_index[s]]
                weighted = list(zip(self._moves(s), weights, strict=True))
                reward = to_flint(self.arena.roll) * sum(weights)
            for move, weight in weighted:
                inside = index.get(self.targets[move], out)
                row[inside] = row.get(inside, 0) + weight
                gain = self._move_value(move) if inside == out else self.gains[self.tag_index[move]]
                reward += gain * weight
            rows.append(row)
            rewards.append(reward)
        for s, value in zip(
            component, Elimination(rows, fmpq(1)).values(rewards, [fmpq(0)]), strict=True
        ):
            self.values[s] = fmpq(value)

    def _lead_out(self, component: list[int]) -> None:
        """Pick a policy that ends almost surely: each move leads closer to the exit."""
        inside = set(component)
        pending = list(component)
        while pending:
            waiting = []
            for s in pending:
                ways_out = [move for move in self._moves(s) if self.targets[move] not in inside]
                if not ways_out:
                    waiting.append(s)
                    continue
                # Any move nearer to the exit will do: improvements come after.
                if self.senses[s]:
                    self.picks[s] = ways_out[0]
                inside.remove(s)
            pending = waiting
