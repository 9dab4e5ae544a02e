"""Sparse elimination on an absorbing chain, over any number ring.

Let W be the total weight out of a state and w(s, t) the weight from s to t. Expected visits solve
v = b + vQ with Q = w/W, expected rewards x = c + Qx; both need one factorisation of diag(W) - w.
Pivots are sums (Grassmann, Taksar and Heyman 1985), so floats and balls keep their digits. See
docs/explanation/exact.md.

The ring needs +, * and /: `Fraction`, `flint.fmpq`, `flint.arb`, floats, rational functions, dual
numbers.

*Cost.* Each roll multiplies the denominator by that of the dice. A cycle of n states contributes a
determinant with the digits of n denominators. Sums have the denominators of all distinct cycles.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import log10
from typing import Any, Literal

from sevenout.budgets.estimates import afford, allowed
from sevenout.model import Chain
from sevenout.model.graph import strongly_connected_components
from sevenout.rules import Outcome

ADVICE = "ask for the certified method"
"""What the error of an unaffordable elimination says to do instead."""

SMALL = 400
"""Chains of fewer states are never refused: the estimate would take as long as the answer."""

SECONDS_PER_BIT = 1.5e-8
"""For a chain without long cycles; 3e-9 was measured for a row of 5,000 states."""
SECONDS_PER_PRODUCT = 3.5e-6
"""For each product of moves in the elimination of a cycle, besides those for its bits."""
SECONDS_PER_PRODUCT_BIT = 6e-9
"""For each bit of such a product. With both, rings, random moves and grids of 300 to 1,600 states
took 0.3 to 1 of the estimate."""
BITS_PER_BYTE = 6
"""The bits of fractions in a byte of memory: less than 8, as each number has a header."""


class EliminatedChain:
    """A chain solved in fractions.

    Attributes:
        chain: the chain.
        method: "elimination".
        bound: 0, as every result is exact.
        rolls_bound: 0.
        outcomes: the probability of each outcome.
    """

    method: Literal["elimination"] = "elimination"
    bound = rolls_bound = Fraction(0)

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    @cached_property
    def _visits(self) -> list[Any]:
        """The expected visits of each state over the chain's denominator (flint)."""
        from flint import fmpq

        afford_elimination(self.chain)
        elimination = Elimination(self.chain.weights, fmpq(1), self.chain.components)
        return elimination.visits({0: fmpq(1)})

    @cached_property
    def outcomes(self) -> dict[Outcome, Fraction]:
        """The probability of each outcome."""
        from sevenout.rolling.generating_functions import to_fraction

        n = len(self.chain.states)
        flows: list[Any] = [0] * len(self.chain.outcomes)
        for visit, row in zip(self._visits, self.chain.weights, strict=True):
            for target, weight in row.items():
                if target >= n:
                    flows[target - n] += visit * weight
        return {o: to_fraction(p) for o, p in zip(self.chain.outcomes, flows, strict=True)}

    def mean(self, counter: str) -> Fraction:
        """The mean of a counter."""
        from sevenout.rolling.generating_functions import to_fraction

        unit = self.chain.units[counter]
        total: Any = 0
        for visit, row in zip(self._visits, self.chain.rows, strict=True):
            for weight, _, counts in row:
                increment = dict(counts).get(counter, 0)
                if increment:
                    total += visit * (weight * int(increment * unit))
        mean = to_fraction(total) / unit
        if counter != "rolls":
            return mean
        # Every move is a roll, unless its counts take that back.
        return to_fraction(sum(self._visits) * self.chain.denominator) + mean


Row = Mapping[int, Any]
"""The weights out of a state, by target; targets from the number of states on are outcomes."""

Pivot = tuple[int, Any, Row, Row]
"""A state; its pivot; the weights to the states of its component that are eliminated later; the
weights from those."""


class Elimination:
    """The factorisation of an absorbing chain, to solve for visits and values.

    How it works. The components are solved one after the other, so only the rows within one are
    eliminated. `visits` goes with the flow, from the start to the outcomes; `values` goes back.

    Args:
        rows: the weights out of each state, in a ring.
        one: the ring's one; integer weights are converted before division.
        components: the strongly connected components in topological order, if known.

    Attributes:
        n: the number of states.
        rows: the weights out of each state, without those of states that stay, shape (n,).
        pivots_by_component: the pivots of each component, in topological order.
    """

    def __init__(
        self, rows: Sequence[Row], one: Any = Fraction(1), components: list[list[int]] | None = None
    ) -> None:
        self.n = len(rows)
        self.rows = list(rows)
        self.pivots_by_component: list[list[Pivot]] = []
        if components is None:
            components = strongly_connected_components(rows)
        for component in components:
            if len(component) == 1:
                s = component[0]
                # A state that stays a while only delays its moves: their shares are the same.
                self.rows[s] = others = {t: w for t, w in rows[s].items() if t != s}
                self.pivots_by_component.append([(s, sum(others.values()), {}, {})])
            else:
                self.pivots_by_component.append(_eliminate(component, rows, one))

    def visits(self, start: Mapping[int, Any]) -> list[Any]:
        """The expected visits to each state, divided by its total weight; 0 if never visited.

        The flow along an edge is this times its weight.

        Args:
            start: the initial flow, by state.
        """
        flow: list[Any] = [0] * self.n
        for s, amount in start.items():
            flow[s] = amount
        visits: list[Any] = [0] * self.n
        for pivots in self.pivots_by_component:
            for s, pivot, outgoing, _ in pivots:
                # Most flows are zero, and in some rings a product with zero takes as long as any.
                if outgoing and flow[s] != 0:
                    share = flow[s] / pivot
                    for t, w in outgoing.items():
                        flow[t] = flow[t] + share * w
            for s, pivot, _, incoming in reversed(pivots):
                total = flow[s]
                for t, w in incoming.items():
                    total = total + visits[t] * w
                visits[s] = total / pivot if total != 0 else 0
            # Flow out of the component; flow back into it no longer matters.
            for s, *_ in pivots:
                visit = visits[s]
                if visit != 0:
                    for t, w in self.rows[s].items():
                        if t < self.n:
                            flow[t] = flow[t] + visit * w
        return visits

    def values(self, reward: Sequence[Any], ends: Sequence[Any]) -> list[Any]:
        """The expected reward from each state on.

        Args:
            reward: the reward of each state per visit, times the state's total weight.
            ends: the reward of each outcome.
        """
        value: list[Any] = [0] * self.n + list(ends)
        gain = list(reward)
        for pivots in reversed(self.pivots_by_component):
            inside = {s for s, *_ in pivots}
            for s in inside:
                for t, w in self.rows[s].items():
                    if t not in inside and value[t] != 0:
                        gain[s] = gain[s] + value[t] * w
            for s, pivot, _, incoming in pivots:
                if incoming and gain[s] != 0:
                    share = gain[s] / pivot
                    for t, w in incoming.items():
                        gain[t] = gain[t] + share * w
            for s, pivot, outgoing, _ in reversed(pivots):
                total = gain[s]
                for t, w in outgoing.items():
                    total = total + value[t] * w
                value[s] = total / pivot if total != 0 else 0
        return value[: self.n]


def _eliminate(component: list[int], rows: Sequence[Row], one: Any) -> list[Pivot]:
    """The pivots of one component, by least degree, to keep the fill small."""
    inside = set(component)
    outgoing: dict[int, dict[int, Any]] = {}
    escaping: dict[int, Any] = {}  # by state, the weight that leaves the component
    incoming: dict[int, dict[int, Any]] = {s: {} for s in component}
    for s in component:
        outgoing[s] = {t: one * w for t, w in rows[s].items() if t in inside and t != s}
        escaping[s] = sum(w for t, w in rows[s].items() if t not in inside)
        for t, w in outgoing[s].items():
            incoming[t][s] = w
    # States by degree; a dict keeps their order, so that equal input gives equal pivots.
    queues: dict[int, dict[int, None]] = {}

    def degree(s: int) -> int:
        return len(outgoing[s]) * len(incoming[s])

    queued_degree: dict[int, int] = {}

    def enqueue(s: int) -> None:
        queued_degree[s] = degree(s)
        queues.setdefault(queued_degree[s], {})[s] = None

    for s in component:
        enqueue(s)
    pivots: list[Pivot] = []
    for _ in component:
        # Least degree first: eliminating a state joins all before it with all after it.
        least_degree = min(d for d, queue in queues.items() if queue)
        s = next(iter(queues[least_degree]))
        del queues[least_degree][s]
        successors, predecessors = outgoing.pop(s), incoming.pop(s)
        # A sum of what goes out, never a difference: nothing cancels (Grassmann and others).
        pivot = sum(successors.values()) + escaping[s]
        pivots.append((s, pivot, successors, predecessors))
        neighbours = set(successors) | set(predecessors)
        for t in successors:
            del incoming[t][s]
        for u, w in predecessors.items():
            del outgoing[u][s]
            share = w / pivot
            if escaping[s] != 0:
                escaping[u] = escaping[u] + share * escaping[s]
            row = outgoing[u]
            for t, weight in successors.items():
                # A way back to u itself only delays u, so it may be left out.
                if t != u:
                    row[t] = incoming[t][u] = (
                        row[t] + share * weight if t in row else share * weight
                    )
        for t in neighbours:
            if queued_degree[t] != degree(t):
                del queues[queued_degree[t]][t]
                enqueue(t)
    return pivots


def afford_elimination(chain: Chain) -> None:
    """Check the budget for a chain's fractions.

    Raises:
        TooMuchWorkError: over the budget.
    """
    if len(chain.states) < SMALL:
        return
    n, bits = len(chain.states), chain.denominator.bit_length()
    largest = max(chain.components, key=len)
    if len(largest) >= SMALL:  # elimination adds moves to a cycle, which cost more than its digits
        for seconds in _seconds_of_cycle(largest, chain.weights, bits):
            afford(
                f"the exact elimination of a cycle of {len(largest):,} states",
                seconds=seconds,
                instead=ADVICE,
            )
    # A cheap bound first: the longest path and all cycles together have no more bits.
    seconds, memory = _cost_of_fractions(n, 2 * n * bits)
    if seconds <= allowed().seconds and memory <= allowed().memory:
        return
    bits = _bits_of_fractions(chain)
    seconds, memory = _cost_of_fractions(n, bits)
    afford(
        f"the exact fractions of {n:,} states, of up to {bits * log10(2):.2g} digits,",
        seconds=seconds,
        memory=memory,
        instead=ADVICE,
    )


def _bits_of_fractions(chain: Chain) -> int:
    """The most bits of the denominator of a state's value."""
    n = len(chain.states)
    max_rolls, depth = 0, [0] * n
    cycles: set[tuple[int, ...]] = set()
    for component in chain.components:
        inside = set(component)
        depth_after = max(depth[s] for s in component) + len(component)
        for s in component:
            for target in chain.weights[s]:
                if target < n and target not in inside and depth[target] < depth_after:
                    depth[target] = depth_after
        max_rolls = max(max_rolls, depth_after)
        inner_weights = [
            w for s in component for target, w in chain.weights[s].items() if target in inside
        ]
        # Equal cycles, as of equal turns, have equal determinants, and count once.
        if inner_weights:
            cycles.add((len(component), *sorted(inner_weights)))
    # A value's denominator divides the dice's, once per roll on the way, times all cycles'.
    return chain.denominator.bit_length() * (max_rolls + sum(size for size, *_ in cycles))


def _seconds_of_cycle(component: list[int], rows: Sequence[Row], bits: int) -> Iterator[float]:
    """About the seconds of `_eliminate` until each of its states is eliminated.

    This repeats the order of the states and the moves that are added, without their weights: 0.03 s
    for 1,000 states of two random moves, whose fractions take 2 s.
    """
    inside = set(component)
    successors = {s: (rows[s].keys() & inside) - {s} for s in component}
    predecessors: dict[int, set[int]] = {s: set() for s in component}
    for s, after in successors.items():
        for t in after:
            predecessors[t].add(s)
    queue = [(len(successors[s]) * len(predecessors[s]), s) for s in component]
    heapify(queue)
    eliminated, seconds = 0, 0.0

    def seconds_of_pivot(products: int) -> float:
        # At most the denominators of the states eliminated so far multiply into a weight.
        return products * (SECONDS_PER_PRODUCT + eliminated * bits * SECONDS_PER_PRODUCT_BIT)

    while queue:
        degree, s = heappop(queue)
        # a state whose degree changed is queued again
        if s not in successors or degree != len(successors[s]) * len(predecessors[s]):
            continue
        if degree == (len(successors) - 1) ** 2:  # every state leads to every other
            for remaining in range(len(successors) - 1, 0, -1):
                eliminated += 1
                seconds += seconds_of_pivot(remaining**2)
            yield seconds
            return
        after, before = successors.pop(s), predecessors.pop(s)
        for t in after:
            predecessors[t] |= before
            predecessors[t] -= {s, t}
        for u in before:
            successors[u] |= after
            successors[u] -= {s, u}
        for t in after | before:
            heappush(queue, (len(successors[t]) * len(predecessors[t]), t))
        eliminated += 1
        seconds += seconds_of_pivot(degree)
        yield seconds


def _cost_of_fractions(count: int, bits: int) -> tuple[float, float]:
    """About the seconds and bytes that this many fractions take, of this many bits each."""
    return count * bits * SECONDS_PER_BIT, count * bits / BITS_PER_BYTE
