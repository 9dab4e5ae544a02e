"""Optimal play with a proved bound, for models too large for fractions.

*Policy.* Value iteration in floats finds a policy: Bellman updates in place (Gauss-Seidel), over
one strongly connected component at a time (topological value iteration, Dai and Goldsmith 2007). A
component without a cycle takes one sweep.

*Proof.* The values V of the policy are refined in scaled integers of two words: the residual is
exact, the correction is solved for in floats (iterative refinement, Wilkinson 1963). If Bellman's
operator changes V by at most r, the optimum is within rh of V, for a ranking h that falls by at
least 1 on every move (compare Chatterjee, Quatmann et al. 2025). The ranking is twice the expected
length of the longest game. For the proof see docs/explanation/optimal-play.md.

*Long games.* A game that ends with probability 1/n per roll takes some 30 n sweeps. One sparse LU
decomposition (SuperLU, Demmel et al. 1999) takes equal time for all n, but fills up in large
models: so sweeps solve most games, and `solve_at_once` the small ones that last long.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.errors import EndlessGameError, RulesError
from sevenout.extras import compiled
from sevenout.solving.goal import Arena

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOW_BITS, HIGH_BITS = 40, 60
"""Bits of the lower word, and of a sum of upper words; both fit in 64."""

MIN_BITS = 20
"""The least number of fractional bits."""

ENOUGH_BITS = 80
"""Fractional bits that suffice."""

MAX_REFINEMENTS = 12
"""Refinements; each gains some 40 bits, so more would mean that they don't settle."""

NODES_AT_ONCE = 50_000
"""Nodes whose moves are valued at once, to bound the memory of temporary arrays."""

MIN_PRECISION = 1_000
"""Errors below 1 / MIN_PRECISION of the largest value are acceptable."""

DIRECT_NODES = 50_000
"""The most nodes to solve at once: larger models fill up their decomposition."""

MANY_MOVES = 5_000
"""Games of more mean moves are solved at once: sweeps would be many."""

MAX_IMPROVEMENTS = 30
"""Policies met on the way to the longest game; they settle within a few."""

MAX_SWEEPS = 20_000
"""Of a component; its values need not have settled, since the proof refines them."""


class Words:
    """Scaled integers in two words: high * 2**bits + low, with 0 <= low < 2**bits.

    How it works. Values need some 80 bits, and NumPy has 64. A sum may leave the lower word out of
    range; `carried` moves what is too much up, once for many sums.

    Attributes:
        high: upper words.
        low: lower words, of the same shape.
        bits: of a lower word.

    `carried` and `times` change them in place, as large games have millions.
    """

    def __init__(self, high: "NDArray[np.int64]", low: "NDArray[np.int64]", bits: int) -> None:
        self.high, self.low, self.bits = high, low, bits

    def carried(self) -> "Words":
        """The same numbers, with the lower word in range."""
        # An arithmetic shift rounds down, so a negative lower word borrows from the upper one.
        self.high += self.low >> self.bits
        self.low &= (1 << self.bits) - 1
        return self

    @classmethod
    def of(cls, numbers: "list[int]", bits: int) -> "Words":
        """Python's integers."""
        return cls(
            np.array([x >> bits for x in numbers], np.int64),
            np.array([x & ((1 << bits) - 1) for x in numbers], np.int64),
            bits,
        )

    @classmethod
    def rounded(cls, floats: "NDArray[np.float64]", bits: int) -> "Words":
        """Floats, rounded to integers."""
        # Both steps are exact in floats: they only scale by powers of two and take differences.
        high = np.floor(floats / 2.0**bits)
        low = np.rint(floats - high * 2.0**bits).astype(np.int64)
        return cls(high.astype(np.int64), low, bits).carried()

    def __getitem__(self, index: Any) -> "Words":
        # A slice is a view: only copies may go on to `times` or `carried`, which change them.
        return Words(self.high[index], self.low[index], self.bits)

    def __add__(self, other: "Words") -> "Words":
        return Words(self.high + other.high, self.low + other.low, self.bits).carried()

    def __sub__(self, other: "Words") -> "Words":
        return Words(self.high - other.high, self.low - other.low, self.bits).carried()

    def times(self, factor: "NDArray[np.int64] | NDArray[np.int8]") -> "Words":
        """Each times an integer, not carried."""
        self.high *= factor
        self.low *= factor
        return self

    def summed(self, first: "NDArray[np.int64]") -> "Words":
        """The sums of the non-empty runs that begin at `first`, not carried."""
        high, low = np.add.reduceat(self.high, first), np.add.reduceat(self.low, first)
        return Words(high, low, self.bits)

    def as_floats(self) -> "NDArray[np.float64]":
        """As floats; small numbers exactly."""
        return np.ldexp(self.high.astype(np.float64), self.bits) + self.low

    def integer(self, index: int) -> int:
        """One number as Python's integer."""
        return (int(self.high[index]) << self.bits) + int(self.low[index])


@dataclass(frozen=True, eq=False)
class Arrays:
    """An arena's arrays: n nodes, m moves, k components.

    Node s has the moves first[s] to first[s + 1] - 1.

    Attributes:
        first: n + 1 offsets into the moves.
        targets: m nodes, or outcomes from n on.
        weights: m integer weights; 1 for an option.
        totals: n total weights of the rolls; 1 at a decision.
        shares: m weights over their totals, as floats.
        turns: m signs; -1 if the turn passes.
        gains: m values of counters, as floats.
        steps: n values of the rolls themselves, as floats.
        senses: n signs: 1 to maximise, -1 to minimise, 0 at a roll.
        order: the n nodes, component after component, from the outcomes back.
        bounds: k + 1 offsets into the order.
        cyclic: k flags: whether a component needs more than one sweep.
    """

    first: "NDArray[np.int64]"
    targets: "NDArray[np.int32]"
    weights: "NDArray[np.int64]"
    totals: "NDArray[np.int64]"
    shares: "NDArray[np.float64]"
    turns: "NDArray[np.int8]"
    gains: "NDArray[np.float64]"
    steps: "NDArray[np.float64]"
    senses: "NDArray[np.int8]"
    order: "NDArray[np.int32]"
    bounds: "NDArray[np.int64]"
    cyclic: "NDArray[np.int8]"

    @classmethod
    def of(cls, arena: Arena) -> "Arrays":
        """The arrays of an arena."""
        model = arena.model
        first = np.frombuffer(model.first, np.int64)
        targets = np.frombuffer(model.targets, np.int32)
        tagged = np.frombuffer(model.tag_index, np.int32)
        rolled = np.frombuffer(model.rollable_index, np.int32)
        weights = np.ones(len(targets), np.int64)
        totals = np.ones(len(first) - 1, np.int64)
        sizes = np.diff(first)
        for index, law in enumerate(arena.weights):
            # Arrays hold 64 bits, and the choice of `low` and `bits` starts from this sum.
            if sum(law) >= 2**62:
                raise RulesError("weights too large for a certified bound; use the exact method")
            nodes = np.flatnonzero(rolled == index)
            totals[nodes] = sum(law)
            moves = first[nodes][:, None] + np.arange(len(law))
            weights[moves] = np.array(law, np.int64)
        order, bounds, cyclic = _components(first, targets)
        return cls(
            first=first,
            targets=targets,
            weights=weights,
            totals=totals,
            shares=weights / np.repeat(totals, sizes),
            turns=np.where(model.passing, -1, 1).astype(np.int8)[tagged],
            gains=np.array([float(gain) for gain in arena.gains])[tagged],
            steps=np.where(rolled >= 0, float(arena.roll), 0.0),
            senses=np.array(arena.senses, np.int8),
            order=order,
            bounds=bounds,
            cyclic=cyclic,
        )

    def with_choices(self, moves: "NDArray[np.int64]") -> "Arrays":
        """The same with one option at each decision, in node order; without weights."""
        is_decision = self.senses != 0
        sizes = np.where(is_decision, 1, np.diff(self.first))
        first = np.concatenate([[0], np.cumsum(sizes)])
        start = self.first[:-1].copy()
        start[is_decision] = moves
        chosen_moves = np.repeat(start - first[:-1], sizes) + np.arange(first[-1])
        return replace(
            self,
            first=first,
            targets=self.targets[chosen_moves],
            weights=np.zeros(0, np.int64),  # only exact sums need them, and they see all options
            shares=np.where(np.repeat(is_decision, sizes), 1.0, self.shares[chosen_moves]),
            turns=self.turns[chosen_moves],
            gains=self.gains[chosen_moves],
        )


class CertifiedOptimum:
    """The optimum of an arena, within a proved bound.

    Attributes:
        arena: the problem.
        flat: its arrays; freed in the end.
        n: the number of nodes.
        decisions: the decision nodes.
        bits: values are scaled by 2**bits.
        low: the bits of the lower word.
        values: the value of each node, then of each outcome, less the arena's shift.
        picks: the chosen move of each decision, in node order.
        residual: the bound r, in units of 2**-bits.
        ranking: h for each node.

    Raises:
        EndlessGameError: a player could prolong the game for ever.
        RulesError: amounts or weights too large, or a game too long.
    """

    def __init__(self, arena: Arena) -> None:
        if arena.model.traps:
            raise EndlessGameError(
                "the players can prolong the game forever; such a game needs the exact method, "
                "and a small model"
            )
        self.arena = arena
        self.flat = flat = Arrays.of(arena)
        self.n = len(flat.first) - 1
        self.decisions = np.flatnonzero(flat.senses)
        self._moves = np.flatnonzero(np.repeat(flat.senses != 0, np.diff(flat.first)))
        self._sizes = np.diff(flat.first)[self.decisions]
        self._starts = np.cumsum(self._sizes) - self._sizes
        ends = np.array([float(end) for end in arena.ends])
        guess = np.concatenate([np.zeros(self.n), ends])
        sweep(flat, guess)
        # The ranking comes before the proof: it says whether sweeps or one solution will do.
        self.ranking = self._rank()
        self._direct = self.n <= DIRECT_NODES and self.ranking.max() > MANY_MOVES
        most = max(map(abs, map(float, arena.gains)), default=0.0)
        size = float(np.abs(guess).max()) + most + 1
        if self._direct:  # the guess may be far off
            size += float(np.abs(ends).max()) + (most + float(arena.roll)) * self.ranking.max()
        total = int(flat.totals.max())
        # A weighted sum of lower words, and one of upper words, must fit in HIGH_BITS bits.
        self.low = min(LOW_BITS, HIGH_BITS - total.bit_length())
        self.bits = self.low + HIGH_BITS - int(np.ceil(np.log2(size * total)))
        if min(self.low, self.bits) < MIN_BITS or not np.isfinite(size):
            raise RulesError(
                "amounts or weights too large for a certified bound; use the exact method"
            )
        self._room = 2 ** (HIGH_BITS + 1) // total  # room in upper words, so that no sum overflows
        self.values = Words.rounded(guess * 2.0**self.bits, self.low)
        # The guess holds the outcomes as floats; here they are integers, rounded once.
        exact = Words.of([self._scaled(end) for end in arena.ends], self.low)
        self.values.high[self.n :], self.values.low[self.n :] = exact.high, exact.low
        self._gains = Words.of([self._scaled(gain) for gain in arena.gains], self.low)
        roll = Words.of([self._scaled(arena.roll)], self.low)
        self._steps = roll[np.zeros(self.n, np.int64)].times((flat.senses == 0).astype(np.int64))
        self.picks = self._best()
        self._refine()
        # Long games multiply the residual by their length; a bound of no digit is no answer.
        if self._direct and self.bound(0) * MIN_PRECISION > self._largest():
            raise RulesError(
                "fewer than three digits can be certified, because the game may last about "
                f"{self.ranking[0] / 2:.0e} moves on average; use the exact method"
            )
        del self.flat, self._moves, self._sizes, self._starts, self._steps  # ten times the values

    def _largest(self) -> Fraction:
        largest = Fraction(float(np.abs(self.values.as_floats()).max())) / 2**self.bits
        return largest or Fraction(1)

    def _scaled(self, x: Fraction) -> int:
        return round(x * (1 << self.bits))

    def _rank(self) -> "NDArray[np.float64]":
        flat = self.flat
        # All players prolong the game: its length bounds that of every policy.
        longest = replace(
            flat,
            turns=np.ones_like(flat.turns),
            gains=np.zeros_like(flat.gains),
            steps=np.ones_like(flat.steps),
            senses=np.abs(flat.senses),
        )
        # A decision is a move too: the ranking must fall there as well.
        at_decisions = np.repeat(flat.senses != 0, np.diff(flat.first))
        stepping = replace(longest, gains=np.where(at_decisions, 1.0, 0.0))
        steps = np.zeros(self.n + len(self.arena.ends))
        for tolerance in (1e-4, 1e-7, 1e-10):  # a rough one mostly suffices
            sweep(stepping, steps, tolerance)
            if self._falls(2 * steps):
                return 2 * steps
        if self.n <= DIRECT_NODES:
            lengthen(longest, steps)
            if self._falls(2 * steps):
                return 2 * steps
        raise RulesError(
            f"the game may last too long for a certified bound, about {steps.max():.0e} moves on "
            "average; use the exact method"
        )

    def _falls(self, ranking: "NDArray[np.float64]") -> bool:
        """Whether a ranking falls by 1 or more on every move, despite rounding."""
        flat = self.flat
        after = ranking[flat.targets]
        mean = np.add.reduceat(flat.shares * after, flat.first[:-1])
        worst = np.maximum.reduceat(after, flat.first[:-1])
        # At a decision the ranking must fall for every option, at a roll for their mean.
        spare = ranking[: self.n] - np.where(flat.senses == 0, mean, worst)
        # A sum of k terms errs by at most k + 2 roundings: a fall of 1.5 in floats is 1 in truth.
        rounding = (float(np.diff(flat.first).max()) + 2) * float(ranking.max()) * 2.0**-52
        return rounding < 0.5 and bool((spare >= 1.5).all())

    def _move_values(self, moves: "slice | NDArray[np.int64]") -> Words:
        """The value of some moves under the current values."""
        values = self.values[self.flat.targets[moves]].times(self.flat.turns[moves])
        if not any(self.arena.gains):
            return values.carried()
        return values + self._gains[np.frombuffer(self.arena.model.tag_index, np.int32)[moves]]

    def _best(self) -> "NDArray[np.int64]":
        """The best move of each decision, compared in integers; the first of equals."""
        if not self.decisions.size:
            return self.decisions
        values, starts, sizes = self._options(), self._starts, self._sizes
        # The lower word, never negative, decides only among options with the largest upper word.
        high = np.repeat(np.maximum.reduceat(values.high, starts), sizes)
        low = np.where(values.high == high, values.low, -1)
        best = np.flatnonzero(low == np.repeat(np.maximum.reduceat(low, starts), sizes))
        firsts: NDArray[np.int64] = self._moves[best[np.searchsorted(best, starts)]]
        return firsts

    def _options(self) -> Words:
        """The value of each option, where more is better."""
        sense = np.repeat(self.flat.senses[self.decisions], self._sizes)
        return self._move_values(self._moves).times(sense).carried()

    def _refine(self) -> None:
        flat = self.flat
        enough = max(2.0, 2.0 ** (self.bits - ENOUGH_BITS))
        for _ in range(MAX_REFINEMENTS):
            residual = self._changes()
            is_settled = np.abs(residual).max() <= enough
            if not is_settled:
                correction = np.zeros(self.n + len(self.arena.ends))
                # The linear equations of the policy, with the residual as steps: no node decides.
                fixed = flat.with_choices(self.picks)
                linear = replace(
                    fixed,
                    steps=residual,
                    gains=np.zeros_like(fixed.gains),
                    senses=np.zeros_like(fixed.senses),
                )
                if self._direct:
                    correction[: self.n] = solve_at_once(linear)
                else:
                    sweep(linear, correction, tolerance=1e-12)
                self._correct(correction)
            # Finer values may reveal a better option, and then the residual is of another policy.
            best = self._best()
            is_settled &= (best == self.picks).all()
            self.picks = best
            if is_settled:
                break
        else:
            residual = self._changes()
        # The values of a roll, and of counters, were each rounded to a unit.
        self.residual = int(np.ceil(np.abs(residual).max() * (1 + 2.0**-48))) + 2

    def _changes(self) -> "NDArray[np.float64]":
        """The change by Bellman's operator at each node, if the picks are optimal."""
        some = (
            slice(start, min(start + NODES_AT_ONCE, self.n))
            for start in range(0, self.n, NODES_AT_ONCE)
        )
        return (
            np.concatenate([self._residuals(nodes).as_floats() for nodes in some])
            / self.flat.totals
        )

    def _correct(self, correction: "NDArray[np.float64]") -> None:
        """Add to the values, where later sums fit."""
        if np.abs(correction).max() < 2.0 ** (self.low + HIGH_BITS):
            self.values = self.values + Words.rounded(correction, self.low)
            if np.abs(self.values.high).max() <= self._room:
                return
        raise RulesError("no certified bound was found; use the exact method")

    def _residuals(self, nodes: slice) -> Words:
        """The values of the chosen moves less the nodes' values; at a roll, times its weight."""
        flat, first = self.flat, self.flat.first[nodes.start : nodes.stop + 1]
        moves, starts = slice(first[0], first[-1]), first[:-1] - first[0]
        values = self._move_values(moves)
        span = slice(*np.searchsorted(self.decisions, (nodes.start, nodes.stop)))
        chosen = values[self.picks[span] - first[0]]
        sums = values.times(flat.weights[moves]).summed(starts)
        decisions = self.decisions[span] - nodes.start
        sums.high[decisions], sums.low[decisions] = chosen.high, chosen.low
        return sums + (self._steps[nodes] - self.values[nodes]).times(flat.totals[nodes])

    def value(self, node: int) -> Fraction:
        """The value of a node, less the shift."""
        return Fraction(self.values.integer(node), 1 << self.bits)

    def bound(self, node: int) -> Fraction:
        """The error bound of a node's value."""
        if node >= self.n:
            return Fraction(1, 1 << self.bits)
        return Fraction(self.ranking[node]) * self.residual / (1 << self.bits)


def _components(
    first: "NDArray[np.int64]", targets: "NDArray[np.int32]"
) -> "tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int8]]":
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(first) - 1
    source = np.repeat(np.arange(n, dtype=np.int32), np.diff(first))
    inside = targets < n
    source, target = source[inside], targets[inside]
    graph = csr_array((np.ones(len(source), np.int8), (source, target)), shape=(n, n))
    count, labels = connected_components(graph, directed=True, connection="strong")
    # SciPy numbers the components along the moves or against them, though it doesn't say which.
    ranks = labels if (labels[source] >= labels[target]).all() else count - 1 - labels
    # One sweep solves a component without a cycle only if all that follows it is solved.
    assert (ranks[source] >= ranks[target]).all()
    # Later nodes first: exploration numbers them away from the start, so sweeps settle sooner.
    order = np.lexsort((-np.arange(n), ranks)).astype(np.int32)
    sizes = np.bincount(ranks, minlength=count)
    cyclic = sizes > 1
    cyclic[ranks[source[source == target]]] = True
    return order, np.concatenate([[0], np.cumsum(sizes)]), cyclic.astype(np.int8)


def sweep(
    flat: Arrays,
    values: "NDArray[np.float64]",
    tolerance: float = 1e-15,
    max_sweeps: int = MAX_SWEEPS,
) -> None:
    """Solve Bellman's equation in floats.

    Args:
        flat: the model's arrays.
        values: the value of each node, then of each outcome; the nodes' are overwritten.
        tolerance: stop if no value of a component changes by more than this times the largest.
        max_sweeps: the most sweeps of a component.
    """
    compiled(_sweep_components)(
        (flat.bounds, flat.order.view(np.uint32), flat.cyclic),
        # Unsigned, or numba would test each index for a minus.
        (flat.first.view(np.uint64), flat.targets.view(np.uint32), flat.senses),
        (flat.shares, flat.turns, flat.gains, flat.steps),
        values,
        tolerance,
        max_sweeps,
    )


def _sweep_components(  # noqa: PLR0917  numba takes no keywords
    components: tuple[Any, ...],
    graph: tuple[Any, ...],
    amounts: tuple[Any, ...],
    values: "NDArray[np.float64]",
    tolerance: float,
    max_sweeps: int,
) -> None:
    """Update the values of each component until they settle; see `Arrays` for the names."""
    bounds, order, cyclic = components
    first, targets, senses = graph
    shares, turns, gains, steps = amounts
    for component in range(len(bounds) - 1):
        for _ in range(max_sweeps):
            change, scale = 0.0, 1.0
            for index in range(bounds[component], bounds[component + 1]):
                node = order[index]
                sense = senses[node]
                if sense == 0:
                    value = steps[node]
                    for move in range(first[node], first[node + 1]):
                        after = turns[move] * values[targets[move]] + gains[move]
                        value += shares[move] * after
                else:
                    best = -np.inf
                    for move in range(first[node], first[node + 1]):
                        after = (turns[move] * values[targets[move]] + gains[move]) * sense
                        # In numba `max` also looks for NaN, and takes half as long again.
                        if after > best:  # noqa: PLR1730
                            best = after
                    value = best * sense
                gap = abs(value - values[node])
                if gap > change:  # noqa: PLR1730
                    change = gap
                if abs(value) > scale:  # noqa: PLR1730
                    scale = abs(value)
                values[node] = value
            # Without a cycle one sweep is the solution.
            if cyclic[component] == 0 or change <= scale * tolerance:
                break


def solve_at_once(fixed: Arrays) -> "NDArray[np.float64]":
    """The value of each node without choices, if outcomes have the value 0."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    n = len(fixed.steps)
    source, inside = np.repeat(np.arange(n), np.diff(fixed.first)), fixed.targets < n
    parts = (fixed.shares * fixed.turns)[inside]
    moves = csc_array((parts, (source[inside], fixed.targets[inside])), shape=(n, n))
    sums = fixed.steps + np.add.reduceat(fixed.shares * fixed.gains, fixed.first[:-1])
    try:
        values: NDArray[np.float64] = splu(csc_array(eye_array(n) - moves)).solve(sums)
    except RuntimeError:  # singular: the chance to end is lost in rounding
        return np.full(n, 1e300)
    return values


def lengthen(flat: Arrays, values: "NDArray[np.float64]") -> None:
    """The longest game, by policy iteration in floats (Howard 1960).

    All players maximise, and every policy ends.

    Args:
        flat: the arrays.
        values: first values of nodes, then of outcomes; overwritten by the result.
    """
    n = len(flat.steps)
    decisions = np.flatnonzero(flat.senses)
    before = None
    for _ in range(MAX_IMPROVEMENTS):
        gains = values[flat.targets] + flat.gains
        starts = flat.first[decisions]
        most = np.maximum.reduceat(gains, flat.first[:-1])
        # The first of equal options, so that equal policies compare as equal.
        best = np.flatnonzero(gains == np.repeat(most, np.diff(flat.first)))
        picks = best[np.searchsorted(best, starts)]
        if before is not None and (picks == before).all():
            return
        before = picks
        values[:n] = solve_at_once(flat.with_choices(picks))
