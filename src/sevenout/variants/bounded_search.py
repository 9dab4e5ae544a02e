"""Values for open numbers: searched by branch and bound, counted, and ranked by roughness.

An *assignment* gives each open number a value. The search is in integers, and extends many partial
assignments at a time. A sum adds a function of each number. Numbers that change the sums most come
first. A value is tried only if the remaining numbers, between their extremes in the range that the
order allows, can bring every sum into its bounds. The cost is estimated from a sample of partial
assignments (Knuth 1975, Estimating the efficiency of backtrack programs).

`count_assignments` counts those that keep an order by variable elimination (Dechter 1999, Bucket
elimination). Numbers are added one at a time; a table counts the assignments by those numbers that
later ones are compared with, and the others are summed out.

The roughness of a table is a cost; the least is the plainest. A table costs a point for each
different pay of a bet. Round open numbers, a single digit followed by zeros, are free. Others cost
one point for a multiple of 5, two for another whole number or a half, four for another fraction.
Each inversion, a pair of pays against players' expectations, costs three: a rarer total should pay
no less than a commoner one, and an earlier roll no less than the next. Open values that are not
pays cost for their digits only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import ceil, floor, lcm, prod
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.rules.gamefiles.filevalues import KeyPath
from sevenout.rules.gamefiles.open_parameters import Greater, Opened
from sevenout.variants.family import SAFE_INT64

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


CHUNK = 1 << 17
"""Assignments extended together; with ten numbers and sums they take some 10 MB."""
SAMPLE = 3_000
"""Partial assignments per level followed in an estimate."""
MAX_COUNT_CELLS = 2_000_000
"""The most cells of the table in which ordered assignments are counted."""

PLAINEST_FIRST = (
    "Plainest first: a point for each different pay of a bet; none for a round open number (one "
    "digit, then zeros), 1 for another multiple of 5, 2 for another whole number or a half, 4 for "
    "another fraction; 3 for each pair in which a rarer total or a sooner roll pays less."
)
INVERSION_COST = 3
"""The cost of a pair of pays against expectation."""
TABLE_KEYS = 3
"""The leading keys of a pay's address, such as ("line", 0, "bets"), that don't name its roll."""


@dataclass(frozen=True)
class BoundedSum:
    """A sum of functions of one open number each, Σ f(name, value), and its bounds, inclusive.

    Attributes:
        terms: for each number, the contribution of each value.
        lower: the lower bound; None for none.
        upper: the upper bound; None for none.
        is_monotone: whether it never falls as a number rises.
    """

    terms: Mapping[str, Sequence[Fraction]]
    lower: Fraction | None
    upper: Fraction | None
    is_monotone: bool = True

    @property
    def is_bounded(self) -> bool:
        """Whether it has a bound."""
        return self.lower is not None or self.upper is not None


@dataclass
class Assignments:
    """Values for the first few numbers, or for all of them: one assignment in each row.

    Attributes:
        ranks: for each assigned number, a column with the rank of its value.
        sums: for each sum, a column with its value so far, in units of 1/scale.
        cost: the roughness so far.
    """

    ranks: "list[NDArray[np.int32]]"
    sums: "list[NDArray[Any]]"
    cost: "NDArray[np.int32]"

    def __len__(self) -> int:
        return len(self.cost)

    def take(self, rows: Any) -> "Assignments":
        """The assignments of some rows."""
        ranks, sums = ([column[rows] for column in columns] for columns in (self.ranks, self.sums))
        return Assignments(ranks, sums, self.cost[rows])


def _is_implied(order: Mapping[tuple[int, int], bool], i: int, j: int, k: int) -> bool:
    """Whether the bound of i by j follows from that by k, as j is above k and k above i."""
    # of several equal numbers one is kept
    if (j, k) not in order or ((k, j) in order and j < k):
        return False
    # j bounds i through k already, unless only the direct pair is strict
    return order[j, k] or order[k, i] or not order[j, i]


class BoundedSearch:
    """A search for values of open numbers.

    Numbers are assigned in the order of `names`, one at a time for many partial assignments. Values
    are ranks among all values of all numbers, so that the order compares integers.

    Args:
        values: the open numbers and their values, ascending.
        order: the constraints between them.
        sums: the sums and their bounds.
        roughness: the cost of a number's value and of a pair.

    Attributes:
        sums, roughness: as given.
        names: the numbers, those that change the sums most first.
        file_order: the same in the file's order, which decides ties between tables.
        sorted_values: every value of any number, ascending; its rank is its index here.
        ranks: for each number, the ranks of its values.
        float_values, digit_costs: by rank, the value as a float, and the cost of its digits.
        order: the closed order: (more, less) by index in `names`, and whether strictly.
        at_least, at_most: for (assigned, next) in the order and each rank of the assigned number,
            the index of the first or last value that is left to the next one.
        terms: for each sum and number, the contributions as integers.
        lower, upper: the bounds of each sum, as integers; None for none.
        scales: the unit of each sum is 1/scale.
    """

    def __init__(
        self,
        values: Mapping[str, Sequence[Fraction]],
        order: Sequence[Greater],
        sums: Sequence[BoundedSum],
        roughness: "Roughness | None" = None,
    ) -> None:
        import numpy as np

        self.sums = sums
        # the widest first: bounds cut most choices off near the root
        spread = {
            name: max((max(s.terms[name]) - min(s.terms[name]) for s in sums), default=Fraction())
            for name in values
        }
        self.file_order = tuple(values)
        self.names = sorted(values, key=lambda name: -spread[name])
        self.sorted_values = sorted({x for name in values for x in values[name]})
        rank_of = {x: k for k, x in enumerate(self.sorted_values)}
        self.ranks = [np.array([rank_of[x] for x in values[n]], np.int32) for n in self.names]
        self.float_values = np.array([*map(float, self.sorted_values)])
        self.digit_costs = np.array([*map(digit_cost, self.sorted_values)], np.int32)
        self.roughness = roughness
        self.order = transitive_closure(order, self.names)
        self._bound_by_order()
        self._scale_sums()

    def _bound_by_order(self) -> None:
        """For each ordered pair, the values that each rank of one number leaves the other."""
        import numpy as np

        rank = np.arange(len(self.sorted_values))
        self.at_least: dict[tuple[int, int], Any] = {}
        self.at_most: dict[tuple[int, int], Any] = {}
        for (more, less), strictly in self.order.items():
            first = self.ranks[more].searchsorted(rank, "right" if strictly else "left")
            end = self.ranks[less].searchsorted(rank, "left" if strictly else "right")
            self.at_least[less, more], self.at_most[more, less] = first, end - 1

    def _scale_sums(self) -> None:
        """The sums as integers, in 64 bits if possible."""
        import numpy as np

        self.terms: list[list[Any]] = []
        self.lower: list[int | None] = []
        self.upper: list[int | None] = []
        self.scales: list[int] = []
        for total in self.sums:
            scale = lcm(1, *(w.denominator for n in self.names for w in total.terms[n]))
            terms = [[int(w * scale) for w in total.terms[n]] for n in self.names]
            # whole units beyond a bound are outside it, so it may be rounded inwards
            lower = None if total.lower is None else ceil(total.lower * scale)
            upper = None if total.upper is None else floor(total.upper * scale)
            largest = sum(max(map(abs, row)) for row in terms)
            largest += max((abs(b) for b in (lower, upper) if b is not None), default=0)
            # a sum and the distance to its bound
            dtype: Any = np.int64 if 2 * largest < SAFE_INT64 else object
            self.terms.append([np.array(row, dtype) for row in terms])
            self.lower.append(lower)
            self.upper.append(upper)
            self.scales.append(scale)

    @property
    def is_long(self) -> bool:
        """Whether a sum needs more than 64 bits."""
        return any(row[0].dtype == object for row in self.terms if row)

    @cached_property
    def _root(self) -> Assignments:
        """The one assignment of no numbers, from which the search begins."""
        import numpy as np

        sums = [np.zeros(1, w[0].dtype if w else np.int64) for w in self.terms]
        return Assignments([], sums, np.zeros(1, np.int32))

    def assignments(self) -> Iterator[Assignments]:
        """All assignments within the bounds, up to `CHUNK` or so at a time."""
        # without numbers there is one assignment, the empty one, with sums of 0
        bounds = zip(self.lower, self.upper, strict=True)
        if self.names or all((a is None or a <= 0) and (b is None or b >= 0) for a, b in bounds):
            yield from self._completions(self._root)

    def _completions(self, partial: Assignments) -> Iterator[Assignments]:
        """The complete assignments within the bounds that extend partial ones."""
        if len(partial.ranks) == len(self.names):
            if len(partial):
                yield partial
            return
        first, count = self._ranges(partial)
        ends = count.cumsum()
        begin = 0
        while begin < len(count) and ends[-1]:
            # as many rows as have CHUNK extensions together, and one at least
            before = int(ends[begin - 1]) if begin else 0
            end = max(begin + 1, int(ends.searchsorted(before + CHUNK, "right")))
            rows = slice(begin, end)
            extended = self._extend(partial.take(rows), first[rows], count[rows])
            yield from self._completions(extended)
            begin = end

    def _range_in_order(self, partial: Assignments, i: int) -> tuple[Any, Any]:
        """The first and last values that the order leaves a number."""
        import numpy as np

        assigned = len(partial.ranks)
        first: Any = np.zeros(len(partial), np.int64)
        last: Any = np.full(len(partial), len(self.ranks[i]) - 1, np.int64)
        for j in self._direct_bounds(assigned, i):
            if (j, i) in self.at_least:
                first = np.maximum(first, self.at_least[j, i][partial.ranks[j]])
            if (j, i) in self.at_most:
                last = np.minimum(last, self.at_most[j, i][partial.ranks[j]])
        return first, last

    def _direct_bounds(self, assigned: int, i: int) -> list[int]:
        """The assigned numbers that bound the i-th, without those that bound it through others."""
        below = {(less, more): strictly for (more, less), strictly in self.order.items()}
        direct: list[int] = []
        for order in (self.order, below):
            bounds = [j for j in range(assigned) if (j, i) in order]
            direct += [j for j in bounds if not any(_is_implied(order, i, j, k) for k in bounds)]
        return direct

    def _ranges(self, partial: Assignments) -> tuple[Any, Any]:
        """For each partial assignment, the next number's first value and number of values."""
        import numpy as np

        i = len(partial.ranks)
        first, last = self._range_in_order(partial, i)
        bounded = [c for c, total in enumerate(self.sums) if total.is_monotone and total.is_bounded]
        possible: Any = np.ones(len(partial), bool)
        # the least and the greatest sums without the next number
        low = [s.copy() for s in partial.sums]
        high = [s.copy() for s in partial.sums]
        for j in range(i + 1, len(self.names)):
            lowest, highest = self._range_in_order(partial, j)
            possible &= lowest <= highest
            # an empty range would index beyond the values; such an assignment is dropped below
            lowest, highest = lowest.clip(0, len(self.ranks[j]) - 1), highest.clip(0)
            for c in bounded:
                low[c] += self.terms[c][j][lowest]
                high[c] += self.terms[c][j][highest]
        # the contributions rise with the values, so the values in bounds are a run
        for c in bounded:
            terms = self.terms[c][i]
            if (bound := self.lower[c]) is not None:
                first = np.maximum(first, terms.searchsorted(bound - high[c], "left"))
            if (bound := self.upper[c]) is not None:
                last = np.minimum(last, terms.searchsorted(bound - low[c], "right") - 1)
        return first, np.where(possible, (last - first + 1).clip(0), 0)

    def _extend(self, partial: Assignments, first: Any, count: Any) -> Assignments:
        """Each partial assignment, once for each of `count` values of the next number."""
        import numpy as np

        i = len(partial.ranks)
        rows = np.repeat(np.arange(len(partial)), count)
        before = count.cumsum() - count
        index = np.arange(len(rows)) - before[rows] + first[rows]
        partial = partial.take(rows)
        rank = self.ranks[i][index]
        cost = partial.cost
        if self.roughness is not None:
            cost = cost + self.roughness.added_cost(self, i, rank, partial.ranks)
        sums = [s + w[i][index] for s, w in zip(partial.sums, self.terms, strict=True)]
        longer = Assignments([*partial.ranks, rank], sums, cost)
        keep: Any = np.ones(len(longer), bool)
        for c, total in enumerate(self.sums):
            # such sums leave no run of values, so each is compared
            if not total.is_monotone:
                low = sum(int(w.min()) for w in self.terms[c][i + 1 :])
                high = sum(int(w.max()) for w in self.terms[c][i + 1 :])
                if (bound := self.upper[c]) is not None:
                    keep &= sums[c] + low <= bound
                if (bound := self.lower[c]) is not None:
                    keep &= sums[c] + high >= bound
        return longer if keep.all() else longer.take(np.flatnonzero(keep))

    def values_of(self, assignments: Assignments, row: int) -> dict[str, Fraction]:
        """The numbers of one assignment."""
        columns = zip(self.names, assignments.ranks, strict=True)
        return {name: self.sorted_values[int(ranks[row])] for name, ranks in columns}

    def estimated_assignments(self) -> float:
        """The estimated number of assignments, partial ones included."""
        import numpy as np

        # a fixed seed: the same search is refused or not, whenever it is asked for
        rng = np.random.default_rng(1)
        partial = self._root
        total, weight = 0.0, 1.0
        for _ in self.names:
            first, count = self._ranges(partial)
            extensions = int(count.sum())
            total += weight * extensions
            if not extensions:
                break
            # a sample of whole subtrees, before their assignments are written out
            if extensions > 8 * SAMPLE:
                rows = np.flatnonzero(rng.random(len(count)) < 8 * SAMPLE / extensions)
                if not len(rows):
                    rows = np.array([int(count.argmax())])
                weight *= extensions / max(1, int(count[rows].sum()))
                partial, first, count = partial.take(rows), first[rows], count[rows]
            partial = self._extend(partial, first, count)
            if len(partial) > SAMPLE:
                weight *= len(partial) / SAMPLE
                partial = partial.take(rng.choice(len(partial), SAMPLE, replace=False))
        return total


def transitive_closure(
    order: Sequence[Greater], names: Sequence[str]
) -> dict[tuple[int, int], bool]:
    """The transitive closure of an order: (more, less) by index in `names`, and whether strictly.

    Raises:
        RulesError: a number would be larger than itself.
    """
    index = {name: i for i, name in enumerate(names)}
    pairs: dict[tuple[int, int], bool] = {}
    for more, less, strictly in order:
        if more in index and less in index:
            key = index[more], index[less]
            pairs[key] = pairs.get(key, False) or strictly
    # Warshall (1962): pairs through the k-th name
    for k in range(len(names)):
        for i in range(len(names)):
            for j in range(len(names)):
                if (i, k) in pairs and (k, j) in pairs:
                    strictly = pairs[i, k] or pairs[k, j]
                    pairs[i, j] = pairs.get((i, j), False) or strictly
    for i, name in enumerate(names):
        # larger or equal to itself is no constraint, and dropped
        if pairs.pop((i, i), False):
            raise RulesError(f"the order says that {name} is larger than itself; leave a pair out")
    return pairs


def count_assignments(
    values: Mapping[str, Sequence[Fraction]], order: Sequence[Greater]
) -> tuple[int, bool]:
    """The number of assignments that keep the order, and whether it is exact or an upper bound.

    >>> numbers = {name: range(1, 11) for name in "abc"}
    >>> count_assignments(numbers, [Greater("a", "b", True), Greater("b", "c", True)])
    (120, True)
    """
    import numpy as np

    tied = {name for pair in order for name in pair[:2]}
    names = [name for name in values if name in tied]
    free = prod(len(values[name]) for name in values if name not in tied)
    ranks = {x: k for k, x in enumerate(sorted({x for name in names for x in values[name]}))}
    # Python's integers: a count of many numbers exceeds 64 bits
    table: Any = np.ones((), object)
    axes: list[str] = []

    def ranks_on_axis(name: str) -> Any:
        """The ranks of a number's values, along its own axis of the table."""
        column = np.array([ranks[x] for x in values[name]])
        return column.reshape([-1 if axis == name else 1 for axis in axes])

    for k, name in enumerate(names):
        if table.size * len(values[name]) > MAX_COUNT_CELLS:
            return prod(map(len, values.values())), False
        table = np.broadcast_to(table[..., None], (*table.shape, len(values[name])))
        axes.append(name)
        for more, less, strictly in order:
            if name in (more, less) and more in axes and less in axes and more != less:
                larger, smaller = ranks_on_axis(more), ranks_on_axis(less)
                table = table * (larger > smaller if strictly else larger >= smaller)
        # a number that no later one is compared with is summed out
        later = {n for pair in order for n in pair[:2] if set(pair[:2]) & set(names[k + 1 :])}
        summed = tuple(i for i, n in enumerate(axes) if n not in later)
        table = np.asarray(table.sum(axis=summed), object) if summed else table
        axes = [n for n in axes if n in later]
    return int(table) * free, True


def digit_cost(x: Fraction) -> int:
    """The cost of a number's digits.

    >>> [digit_cost(Fraction(x)) for x in ("3", "40", "25", "12", "3/2", "6/5")]
    [0, 0, 1, 2, 2, 4]
    """
    if x.denominator > 1:
        return 2 if x.denominator == 2 else 4
    digits = str(abs(x.numerator)).rstrip("0")
    if len(digits) < 2:
        return 0
    return 1 if x.numerator % 5 == 0 else 2


@dataclass(frozen=True)
class Roughness:
    """The costs of a game's tables, as the module's docstring defines them.

    Attributes:
        pays_by_bet: the open pays of each bet.
        expected_order: pairs of open pays, of which the first should pay no less.
    """

    pays_by_bet: Mapping[str, frozenset[str]]
    expected_order: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, opened: Opened, chances: Mapping[str, Mapping[str, Fraction]]) -> "Roughness":
        """The roughness of a game's tables.

        Args:
            opened: the game.
            chances: by bet, the probability of being paid each open number.
        """
        pairs = set()
        # what is offered for surrender is no pay of a total
        won = [name for name in opened.pays if name not in opened.offers]
        positions = [(name, keys) for name in won for keys in opened.paths[name]]
        for first, second in permutations(positions, 2):
            (name, keys), (other, _) = first, second
            bet_chances = chances.get(opened.paid_to(keys) or "", {})
            if name != other and _should_pay_no_less(first, second, bet_chances):
                pairs.add((name, other))
        pays = {bet: frozenset(names) - opened.offers for bet, names in chances.items()}
        return cls({bet: names for bet, names in pays.items() if names}, frozenset(pairs))

    def added_cost(self, search: BoundedSearch, i: int, rank: Any, earlier: list[Any]) -> Any:
        """The cost that the i-th number adds to each assignment.

        Args:
            search: the search, for the names and the digits' costs.
            i: the index of the number.
            rank: its rank in each assignment.
            earlier: the ranks of the numbers before it.
        """
        import numpy as np

        name = search.names[i]
        cost = search.digit_costs[rank]
        for names in self.pays_by_bet.values():
            if name not in names:
                continue
            # a point if no earlier number of the bet has the same value
            new = np.ones(len(rank), bool)
            for j, other in enumerate(search.names[:i]):
                if other in names:
                    new &= earlier[j] != rank
            cost = cost + new
        for j, other in enumerate(search.names[:i]):
            if (name, other) in self.expected_order:
                cost = cost + INVERSION_COST * (rank < earlier[j])
            if (other, name) in self.expected_order:
                cost = cost + INVERSION_COST * (rank > earlier[j])
        return cost.astype(np.int32)


def _should_pay_no_less(
    first: tuple[str, KeyPath], second: tuple[str, KeyPath], chances: Mapping[str, Fraction]
) -> bool:
    """Whether players expect the first of two pays, each with its position, to be no smaller."""
    (rarer, rarer_keys), (commoner, commoner_keys) = first, second
    if len(rarer_keys) != len(commoner_keys) or not {rarer, commoner} <= chances.keys():
        return False
    pairs = zip(rarer_keys, commoner_keys, strict=True)
    differing = [(k, *pair) for k, pair in enumerate(pairs) if pair[0] != pair[1]]
    # they differ in their total or in their roll, and in nothing else
    if len(differing) != 1 or differing[0][0] < TABLE_KEYS:
        return False
    _, total, other_total = differing[0]
    # rolls are numbered, totals are texts
    if isinstance(total, int) and isinstance(other_total, int):
        return other_total == total + 1
    return chances[rarer] < chances[commoner]
