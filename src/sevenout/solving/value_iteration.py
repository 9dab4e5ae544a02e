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

from collections.abc import Sequence
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

MAX_DIRECT_NODES = 50_000
"""The most nodes to solve at once: larger models fill up their decomposition."""

MANY_MOVES = 5_000
"""Games of more mean moves are solved at once: sweeps would be many."""

MAX_IMPROVEMENTS = 30
"""Policies met on the way to the longest game; they settle within a few."""

MAX_SWEEPS = 20_000
"""Of a component; its values need not have settled, since the proof refines them."""


class WideIntegers:
    """Integers in two words: high * 2**bits + low, with 0 <= low < 2**bits.

    How it works. Values need some 80 bits, and NumPy has 64. A sum may leave the lower word out of
    range; `carry` moves the excess to the upper word, once for many sums. `carry` and `times`
    change the words in place, as large games have millions.

    Attributes:
        high: upper words.
        low: lower words, of the same shape.
        bits: of a lower word.
    """

    def __init__(self, high: "NDArray[np.int64]", low: "NDArray[np.int64]", bits: int) -> None:
        self.high, self.low, self.bits = high, low, bits

    def carry(self) -> "WideIntegers":
        """Bring the lower words into range, in place; returns itself."""
        # An arithmetic shift rounds down, so a negative lower word borrows from the upper one.
        self.high += self.low >> self.bits
        self.low &= (1 << self.bits) - 1
        return self

    @classmethod
    def of(cls, numbers: "list[int]", bits: int) -> "WideIntegers":
        """Python's integers."""
        return cls(
            np.array([x >> bits for x in numbers], np.int64),
            np.array([x & ((1 << bits) - 1) for x in numbers], np.int64),
            bits,
        )

    @classmethod
    def rounded(cls, floats: "NDArray[np.float64]", bits: int) -> "WideIntegers":
        """Floats, rounded to integers."""
        # Both steps are exact in floats: they only scale by powers of two and take differences.
        high = np.floor(floats / 2.0**bits)
        low = np.rint(floats - high * 2.0**bits).astype(np.int64)
        return cls(high.astype(np.int64), low, bits).carry()

    def __getitem__(self, index: Any) -> "WideIntegers":
        # A slice is a view: only copies may go on to `times` or `carry`, which change them.
        return WideIntegers(self.high[index], self.low[index], self.bits)

    def __add__(self, other: "WideIntegers") -> "WideIntegers":
        return WideIntegers(self.high + other.high, self.low + other.low, self.bits).carry()

    def __sub__(self, other: "WideIntegers") -> "WideIntegers":
        return WideIntegers(self.high - other.high, self.low - other.low, self.bits).carry()

    def times(self, factor: "NDArray[np.int64] | NDArray[np.int8]") -> "WideIntegers":
        """Multiply each by an integer in place, without a carry; returns itself."""
        self.high *= factor
        self.low *= factor
        return self

    def summed(self, first: "NDArray[np.int64]") -> "WideIntegers":
        """The sums of the non-empty runs that begin at `first`, without a carry."""
        high, low = np.add.reduceat(self.high, first), np.add.reduceat(self.low, first)
        return WideIntegers(high, low, self.bits)

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
        signs: m signs of the values that follow; -1 if the turn passes.
        gains: m gains of the moves, from counters, as floats.
        node_gains: n gains of a visit, from the count of rolls, as floats; 0 at a decision.
        senses: n directions: 1 to maximise, -1 to minimise, 0 at a roll.
        order: the n nodes, component after component, from the outcomes back.
        bounds: k + 1 offsets into the order.
        cyclic: k flags: whether a component needs more than one sweep.
    """

    first: "NDArray[np.int64]"
    targets: "NDArray[np.int32]"
    weights: "NDArray[np.int64]"
    totals: "NDArray[np.int64]"
    shares: "NDArray[np.float64]"
    signs: "NDArray[np.int8]"
    gains: "NDArray[np.float64]"
    node_gains: "NDArray[np.float64]"
    senses: "NDArray[np.int8]"
    order: "NDArray[np.int32]"
    bounds: "NDArray[np.int64]"
    cyclic: "NDArray[np.int8]"

    @classmethod
    def of(cls, arena: Arena) -> "Arrays":
        """The arrays of an arena."""
        model = arena.model
        first = np.frombuffer(model.first_move, np.int64)
        targets = np.frombuffer(model.targets, np.int32)
        tag_index = np.frombuffer(model.tag_index, np.int32)
        rollable_index = np.frombuffer(model.rollable_index, np.int32)
        weights = np.ones(len(targets), np.int64)
        totals = np.ones(len(first) - 1, np.int64)
        sizes = np.diff(first)
        for index, law in enumerate(arena.weights):
            # Arrays hold 64 bits, and the choice of `low_bits` and `bits` starts from this sum.
            if sum(law) >= 2**62:
                raise RulesError("weights too large for a certified bound; use the exact method")
            nodes = np.flatnonzero(rollable_index == index)
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
            signs=np.where(model.passing, -1, 1).astype(np.int8)[tag_index],
            gains=np.array([float(gain) for gain in arena.gains])[tag_index],
            node_gains=np.where(rollable_index >= 0, float(arena.roll), 0.0),
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
        own_first = self.first[:-1].copy()
        own_first[is_decision] = moves
        chosen_moves = np.repeat(own_first - first[:-1], sizes) + np.arange(first[-1])
        return replace(
            self,
            first=first,
            targets=self.targets[chosen_moves],
            weights=np.zeros(0, np.int64),  # only exact sums need them, and they see all options
            shares=np.where(np.repeat(is_decision, sizes), 1.0, self.shares[chosen_moves]),
            signs=self.signs[chosen_moves],
            gains=self.gains[chosen_moves],
        )


class CertifiedOptimum:
    """The optimum of an arena, within a proved bound.

    How it works. Sweeps in floats guess the values, and `_rank` finds the ranking. The guess
    becomes integers (`_choose_bits`, `_scale`). Then `_refine` corrects the values and the policy
    by turns, until Bellman's operator changes no value by more than a few units.

    Attributes:
        arena: the problem.
        arrays: those of the arena; freed in the end.
        n: the number of nodes.
        decisions: the decision nodes.
        bits: values are scaled by 2**bits.
        low_bits: the bits of the lower word.
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
        self.arrays = arrays = Arrays.of(arena)
        self.n = len(arrays.first) - 1
        self.decisions = np.flatnonzero(arrays.senses)
        self._option_moves = np.flatnonzero(np.repeat(arrays.senses != 0, np.diff(arrays.first)))
        self._option_counts = np.diff(arrays.first)[self.decisions]
        self._first_options = np.cumsum(self._option_counts) - self._option_counts
        guess = np.concatenate([np.zeros(self.n), [float(end) for end in arena.ends]])
        sweep(arrays, guess)
        # The ranking comes before the proof: it says whether sweeps or one solution will do.
        self.ranking = self._rank()
        self._is_direct = self.n <= MAX_DIRECT_NODES and self.ranking.max() > MANY_MOVES
        self._choose_bits(guess)
        self._scale(guess)
        self.picks = self._best_moves()
        self._refine()
        self._require_digits()
        # They take ten times the memory of the values.
        del self.arrays, self._node_gains
        del self._option_moves, self._option_counts, self._first_options

    def _choose_bits(self, guess: "NDArray[np.float64]") -> None:
        """Choose the bits of the two words, so that no weighted sum of values overflows."""
        arena = self.arena
        max_gain = max(map(abs, map(float, arena.gains)), default=0.0)
        largest = float(np.abs(guess).max()) + max_gain + 1
        if self._is_direct:  # the guess may be far off
            max_end = float(np.abs(guess[self.n :]).max())
            largest += max_end + (max_gain + float(arena.roll)) * self.ranking.max()
        total = int(self.arrays.totals.max())
        # A weighted sum of lower words, and one of upper words, must fit in HIGH_BITS bits.
        self.low_bits = min(LOW_BITS, HIGH_BITS - total.bit_length())
        self.bits = self.low_bits + HIGH_BITS - int(np.ceil(np.log2(largest * total)))
        if min(self.low_bits, self.bits) < MIN_BITS or not np.isfinite(largest):
            raise RulesError(
                "amounts or weights too large for a certified bound; use the exact method"
            )
        self._max_high = 2 ** (HIGH_BITS + 1) // total  # a sum of larger upper words may overflow

    def _scale(self, guess: "NDArray[np.float64]") -> None:
        """Make integers of the guess, the outcomes' values and the gains."""
        arena = self.arena
        self.values = WideIntegers.rounded(guess * 2.0**self.bits, self.low_bits)
        # The guess holds the outcomes as floats; here they are integers, rounded once.
        ends = self._integers(arena.ends)
        self.values.high[self.n :], self.values.low[self.n :] = ends.high, ends.low
        self._gains = self._integers(arena.gains)
        roll_gains = self._integers([arena.roll])[np.zeros(self.n, np.int64)]
        self._node_gains = roll_gains.times((self.arrays.senses == 0).astype(np.int64))

    def _integers(self, amounts: Sequence[Fraction]) -> WideIntegers:
        scaled = [round(amount * (1 << self.bits)) for amount in amounts]
        return WideIntegers.of(scaled, self.low_bits)

    def _require_digits(self) -> None:
        """Refuse a bound that leaves fewer than three digits.

        Long games multiply the residual by their length.
        """
        largest = Fraction(float(np.abs(self.values.as_floats()).max())) / 2**self.bits
        if self._is_direct and self.bound(0) * MIN_PRECISION > (largest or 1):
            raise RulesError(
                "fewer than three digits can be certified, because the game may last about "
                f"{self.ranking[0] / 2:.0e} moves on average; use the exact method"
            )

    def _rank(self) -> "NDArray[np.float64]":
        """The ranking: twice the moves of the longest game from each node and outcome."""
        arrays = self.arrays
        # All players prolong the game: its length bounds that of every policy.
        longest = replace(
            arrays,
            signs=np.ones_like(arrays.signs),
            gains=np.zeros_like(arrays.gains),
            node_gains=np.ones_like(arrays.node_gains),
            senses=np.abs(arrays.senses),
        )
        # A decision is a move too: the ranking must fall there as well.
        at_decisions = np.repeat(arrays.senses != 0, np.diff(arrays.first))
        counting_moves = replace(longest, gains=np.where(at_decisions, 1.0, 0.0))
        lengths = np.zeros(self.n + len(self.arena.ends))
        for tolerance in (1e-4, 1e-7, 1e-10):  # a rough one mostly suffices
            sweep(counting_moves, lengths, tolerance)
            if self._falls(2 * lengths):
                return 2 * lengths
        if self.n <= MAX_DIRECT_NODES:
            lengthen(longest, lengths)
            if self._falls(2 * lengths):
                return 2 * lengths
        raise RulesError(
            f"the game may last too long for a certified bound, about {lengths.max():.0e} moves on "
            "average; use the exact method"
        )

    def _falls(self, ranking: "NDArray[np.float64]") -> bool:
        """Whether a ranking falls by 1 or more on every move, despite rounding."""
        arrays = self.arrays
        after = ranking[arrays.targets]
        mean = np.add.reduceat(arrays.shares * after, arrays.first[:-1])
        worst = np.maximum.reduceat(after, arrays.first[:-1])
        # At a decision the ranking must fall for every option, at a roll for their mean.
        falls = ranking[: self.n] - np.where(arrays.senses == 0, mean, worst)
        # A sum of k terms errs by at most k + 2 roundings: a fall of 1.5 in floats is 1 in truth.
        rounding = (float(np.diff(arrays.first).max()) + 2) * float(ranking.max()) * 2.0**-52
        return rounding < 0.5 and bool((falls >= 1.5).all())

    def _move_values(self, moves: "slice | NDArray[np.int64]") -> WideIntegers:
        """The value of some moves under the current values."""
        values = self.values[self.arrays.targets[moves]].times(self.arrays.signs[moves])
        if not any(self.arena.gains):
            return values.carry()
        return values + self._gains[np.frombuffer(self.arena.model.tag_index, np.int32)[moves]]

    def _best_moves(self) -> "NDArray[np.int64]":
        """The best move of each decision, compared in integers; the first of equals."""
        if not self.decisions.size:
            return self.decisions
        starts, counts = self._first_options, self._option_counts
        # As the player to choose sees them: more is better.
        senses = np.repeat(self.arrays.senses[self.decisions], counts)
        values = self._move_values(self._option_moves).times(senses).carry()
        # The lower word, never negative, decides only among options with the largest upper word.
        high = np.repeat(np.maximum.reduceat(values.high, starts), counts)
        low = np.where(values.high == high, values.low, -1)
        best = np.flatnonzero(low == np.repeat(np.maximum.reduceat(low, starts), counts))
        first_best: NDArray[np.int64] = self._option_moves[best[np.searchsorted(best, starts)]]
        return first_best

    def _refine(self) -> None:
        """Correct the values and the picks until both settle, and set the residual."""
        tolerance = max(2.0, 2.0 ** (self.bits - ENOUGH_BITS))  # in units
        for _ in range(MAX_REFINEMENTS):
            residual = self._changes()
            is_settled = np.abs(residual).max() <= tolerance
            if not is_settled:
                correction = np.zeros(self.n + len(self.arena.ends))
                # The linear equations of the policy, with the residual as gains: no node decides.
                fixed = self.arrays.with_choices(self.picks)
                linear = replace(
                    fixed,
                    node_gains=residual,
                    gains=np.zeros_like(fixed.gains),
                    senses=np.zeros_like(fixed.senses),
                )
                if self._is_direct:
                    correction[: self.n] = solve_at_once(linear)
                else:
                    sweep(linear, correction, tolerance=1e-12)
                self._correct(correction)
            # Finer values may reveal a better option, and then the residual is of another policy.
            best = self._best_moves()
            is_settled &= (best == self.picks).all()
            self.picks = best
            if is_settled:
                break
        else:
            residual = self._changes()
        # The values of a roll, and of counters, were each rounded to a unit.
        self.residual = int(np.ceil(np.abs(residual).max() * (1 + 2.0**-48))) + 2

    def _changes(self) -> "NDArray[np.float64]":
        """The change by Bellman's operator at each node, in units, if the picks are optimal."""
        changes = []
        for start in range(0, self.n, NODES_AT_ONCE):
            nodes = slice(start, min(start + NODES_AT_ONCE, self.n))
            changes.append(self._weighted_changes(nodes).as_floats())
        return np.concatenate(changes) / self.arrays.totals

    def _correct(self, correction: "NDArray[np.float64]") -> None:
        """Add to the values, where later sums fit."""
        if np.abs(correction).max() < 2.0 ** (self.low_bits + HIGH_BITS):
            self.values = self.values + WideIntegers.rounded(correction, self.low_bits)
            if np.abs(self.values.high).max() <= self._max_high:
                return
        raise RulesError("no certified bound was found; use the exact method")

    def _weighted_changes(self, nodes: slice) -> WideIntegers:
        """The values of the chosen moves less the nodes' values; at a roll, times its weight."""
        arrays, first = self.arrays, self.arrays.first[nodes.start : nodes.stop + 1]
        moves, starts = slice(first[0], first[-1]), first[:-1] - first[0]
        values = self._move_values(moves)
        span = slice(*np.searchsorted(self.decisions, (nodes.start, nodes.stop)))
        chosen = values[self.picks[span] - first[0]]
        sums = values.times(arrays.weights[moves]).summed(starts)
        decisions = self.decisions[span] - nodes.start
        sums.high[decisions], sums.low[decisions] = chosen.high, chosen.low
        return sums + (self._node_gains[nodes] - self.values[nodes]).times(arrays.totals[nodes])

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
    """The order, the bounds and the cyclic flags of the components; see `Arrays`."""
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
    arrays: Arrays,
    values: "NDArray[np.float64]",
    tolerance: float = 1e-15,
    max_sweeps: int = MAX_SWEEPS,
) -> None:
    """Solve Bellman's equation in floats.

    Args:
        arrays: of the problem.
        values: the value of each node, then of each outcome; the nodes' are overwritten.
        tolerance: stop if no value of a component changes by more than this times the largest.
        max_sweeps: the most sweeps of a component.
    """
    compiled(_sweep_components)(
        (arrays.bounds, arrays.order.view(np.uint32), arrays.cyclic),
        # Unsigned, or numba would test each index for a minus.
        (arrays.first.view(np.uint64), arrays.targets.view(np.uint32), arrays.senses),
        (arrays.shares, arrays.signs, arrays.gains, arrays.node_gains),
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
    shares, signs, gains, node_gains = amounts
    for component in range(len(bounds) - 1):
        for _ in range(max_sweeps):
            change, scale = 0.0, 1.0
            for index in range(bounds[component], bounds[component + 1]):
                node = order[index]
                sense = senses[node]
                if sense == 0:
                    value = node_gains[node]
                    for move in range(first[node], first[node + 1]):
                        after = signs[move] * values[targets[move]] + gains[move]
                        value += shares[move] * after
                else:
                    best = -np.inf
                    for move in range(first[node], first[node + 1]):
                        after = (signs[move] * values[targets[move]] + gains[move]) * sense
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
    """The value of each node without choices, if outcomes have the value 0.

    They are all 1e300 if floats can't tell that the game ends.
    """
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    n = len(fixed.node_gains)
    source, inside = np.repeat(np.arange(n), np.diff(fixed.first)), fixed.targets < n
    weights = (fixed.shares * fixed.signs)[inside]
    transitions = csc_array((weights, (source[inside], fixed.targets[inside])), shape=(n, n))
    gains = fixed.node_gains + np.add.reduceat(fixed.shares * fixed.gains, fixed.first[:-1])
    try:
        values: NDArray[np.float64] = splu(csc_array(eye_array(n) - transitions)).solve(gains)
    except RuntimeError:  # singular: the chance to end is lost in rounding
        return np.full(n, 1e300)
    return values


def lengthen(arrays: Arrays, values: "NDArray[np.float64]") -> None:
    """Compute the lengths of the longest game, by policy iteration in floats (Howard 1960).

    All players maximise, and every policy ends.

    Args:
        arrays: of the problem.
        values: the lengths to start from, by node, then outcome; overwritten by the result.
    """
    n = len(arrays.node_gains)
    starts = arrays.first[np.flatnonzero(arrays.senses)]
    previous_picks = None
    for _ in range(MAX_IMPROVEMENTS):
        lengths = values[arrays.targets] + arrays.gains
        longest = np.maximum.reduceat(lengths, arrays.first[:-1])
        # The first of equal options, so that equal policies compare as equal.
        best = np.flatnonzero(lengths == np.repeat(longest, np.diff(arrays.first)))
        picks = best[np.searchsorted(best, starts)]
        if previous_picks is not None and (picks == previous_picks).all():
            return
        previous_picks = picks
        values[:n] = solve_at_once(arrays.with_choices(picks))
