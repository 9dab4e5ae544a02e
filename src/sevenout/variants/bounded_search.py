"""Choices of open numbers: searched by branch and bound, counted, and how plain they are.

The search is in integers, many choices at a time. A sum adds a function of each number. Numbers
that change the sums most come first. A value is tried only if the remaining numbers, between their
extremes in the range that the order allows, can bring every sum into its bounds. The cost is
estimated from a sample of choices (Knuth 1975, Estimating the efficiency of backtrack programs).

`ways` counts the choices that keep an order by variable elimination. Numbers are added one at a
time; a table counts the choices by those numbers that later ones are compared with, and the others
are summed out.

The roughness of a table is a cost; the least is the plainest. A table costs a point for each
different pay of a bet. Round open numbers, a single digit followed by zeros, are free. Others cost
one point if they end in 5, two for another whole number or a half, and four for another fraction.
Each pair of pays against players' expectations costs three: a rarer total should pay no less than a
commoner one, and an earlier roll no less than the next. Open values that are not pays cost for
their figures only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import ceil, floor, lcm, prod
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.rules.gamefiles.filevalues import Place
from sevenout.rules.gamefiles.open_parameters import Above, Opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


LIMB = 1 << 62
"""The bound of sums in 64 bits: the sum of two of them has no overflow."""
CHUNK = 1 << 17
"""Choices followed together; with ten numbers and sums they take some 10 MB."""
SAMPLE = 3_000
"""Choices per level followed in an estimate."""
MAX_COUNT_CELLS = 2_000_000
"""The most cells of the table in which ordered choices are counted."""

PLAINEST_FIRST = (
    "Plainest first: a point for each different pay of a bet; 1 for an open number that ends in 5, "
    "2 for another of several figures or a half, 4 for another fraction; 3 for each pair in which "
    "a rarer total or a sooner roll pays less."
)
CROOKED = 3
"""The cost of a pair of pays against expectation."""
BET_PARTS = 3
"""The parts of a place that lead to a bet."""


@dataclass(frozen=True)
class WeightedSum:
    """Σ f(name, value), and its bounds, inclusive.

    Attributes:
        terms: for each number, the contribution of each value.
        lower: the lower bound; None for none.
        upper: the upper bound; None for none.
        rises: whether it never falls as a number rises.
    """

    terms: Mapping[str, Sequence[Fraction]]
    lower: Fraction | None
    upper: Fraction | None
    rises: bool = True

    @property
    def is_bounded(self) -> bool:
        """Whether it has a bound."""
        return self.lower is not None or self.upper is not None


@dataclass
class Block:
    """Choices for the first few numbers.

    Attributes:
        ranks: for each chosen number, the rank of its value in each choice.
        sums: for each sum, its value so far, in units of 1/scale.
        cost: the roughness so far.
    """

    ranks: "list[NDArray[np.int32]]"
    sums: "list[NDArray[Any]]"
    cost: "NDArray[np.int32]"

    def __len__(self) -> int:
        return len(self.cost)

    def take(self, rows: Any) -> "Block":
        """Some of the choices."""
        return Block([r[rows] for r in self.ranks], [s[rows] for s in self.sums], self.cost[rows])


class BoundedSearch:
    """A search for open numbers.

    Numbers are chosen in the order of `names`, and a block of choices goes down one number at a
    time. Values are ranks among all values of all numbers, so that the order compares integers.

    Attributes:
        names: the numbers, those that change the sums most first.
        file_order: the same in the file's order, which decides ties between tables.
        all: every value, ascending.
        ranks: for each number, the ranks of its values.
        floats, rough: each value as a float, and its roughness.
        order: the closed order: (more, less) by place in `names`, and whether strictly.
        at_least, at_most: for (chosen, next) in the order and each rank of the chosen number, the
            first or last value that is left to the next one.
        terms: for each sum and number, the contributions as integers.
        lower, upper: the bounds of each sum, as integers; None for none.
        scales: the unit of each sum is 1/scale.

    Args:
        values: the open numbers and their values, ascending.
        order: the constraints between them.
        sums: the sums and their bounds.
        roughness: the cost of a number's value and of a pair.
    """

    def __init__(
        self,
        values: Mapping[str, Sequence[Fraction]],
        order: Sequence[Above],
        sums: Sequence[WeightedSum],
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
        self.all = sorted({x for name in values for x in values[name]})
        place = {x: k for k, x in enumerate(self.all)}
        self.ranks = [np.array([place[x] for x in values[n]], np.int32) for n in self.names]
        self.floats = np.array([*map(float, self.all)])
        self.rough = np.array([*map(rough, self.all)], np.int32)
        self.roughness = roughness
        self.order = closed(order, self.names)
        self._bounds()
        self._scale()

    def _bounds(self) -> None:
        """For each ordered pair, the values that one rank leaves the other."""
        import numpy as np

        rank = np.arange(len(self.all))
        self.at_least: dict[tuple[int, int], Any] = {}
        self.at_most: dict[tuple[int, int], Any] = {}
        for (more, less), strictly in self.order.items():
            own, other = self.ranks[more], self.ranks[less]
            self.at_least[less, more] = own.searchsorted(rank, "right" if strictly else "left")
            self.at_most[more, less] = other.searchsorted(rank, "left" if strictly else "right") - 1

    def _scale(self) -> None:
        """The sums as integers, in 64 bits if possible."""
        import numpy as np

        self.terms: list[list[Any]] = []
        self.lower: list[int | None] = []
        self.upper: list[int | None] = []
        self.scales: list[int] = []
        for total in self.sums:
            scale = lcm(1, *(w.denominator for n in self.names for w in total.terms[n]))
            rows = [[int(w * scale) for w in total.terms[n]] for n in self.names]
            # whole units beyond a bound are outside it, so it may be rounded inwards
            lower = None if total.lower is None else ceil(total.lower * scale)
            upper = None if total.upper is None else floor(total.upper * scale)
            reach = sum(max(map(abs, row)) for row in rows)
            reach += max((abs(b) for b in (lower, upper) if b is not None), default=0)
            # a sum and the distance to its bound
            dtype: Any = np.int64 if 2 * reach < LIMB else object
            self.terms.append([np.array(row, dtype) for row in rows])
            self.lower.append(lower)
            self.upper.append(upper)
            self.scales.append(scale)

    @property
    def is_long(self) -> bool:
        """Whether a sum needs more than 64 bits."""
        return any(row[0].dtype == object for row in self.terms if row)

    @cached_property
    def _empty(self) -> Block:
        import numpy as np

        sums = [np.zeros(1, w[0].dtype if w else np.int64) for w in self.terms]
        return Block([], sums, np.zeros(1, np.int32))

    def blocks(self) -> Iterator[Block]:
        """All choices within the bounds, block by block."""
        # without numbers there is one choice, the empty one, with sums of 0
        bounds = zip(self.lower, self.upper, strict=True)
        if self.names or all((a is None or a <= 0) and (b is None or b >= 0) for a, b in bounds):
            yield from self._below(self._empty)

    def _below(self, block: Block) -> Iterator[Block]:
        if len(block.ranks) == len(self.names):
            if len(block):
                yield block
            return
        first, count = self._ranges(block)
        ends = count.cumsum()
        begin = 0
        while begin < len(count) and ends[-1]:
            # as many rows as have CHUNK choices together, and one at least
            before = int(ends[begin - 1]) if begin else 0
            end = max(begin + 1, int(ends.searchsorted(before + CHUNK, "right")))
            rows = slice(begin, end)
            yield from self._below(self._extended(block.take(rows), first[rows], count[rows]))
            begin = end

    def _allowed(self, block: Block, i: int) -> tuple[Any, Any]:
        """The first and last values that the order leaves a number."""
        import numpy as np

        chosen = len(block.ranks)
        first: Any = np.zeros(len(block), np.int64)
        last: Any = np.full(len(block), len(self.ranks[i]) - 1, np.int64)
        for j in self._nearest(chosen, i):
            if (j, i) in self.at_least:
                first = np.maximum(first, self.at_least[j, i][block.ranks[j]])
            if (j, i) in self.at_most:
                last = np.minimum(last, self.at_most[j, i][block.ranks[j]])
        return first, last

    def _nearest(self, chosen: int, i: int) -> list[int]:
        """The chosen numbers that bound a number, without redundancy."""
        order = self.order
        above = [j for j in range(chosen) if (j, i) in order]
        below = [j for j in range(chosen) if (i, j) in order]

        def follows(more: int, less: int, j: int, k: int) -> bool:
            if (more, less) not in order or ((less, more) in order and j < k):
                # of several equal numbers one is kept
                return False
            # j bounds i through k already, unless only the direct pair is strict
            whole = (j, i) if j == more else (i, j)
            own = (k, i) if k == less else (i, k)
            return order[more, less] or order[own] or not order[whole]

        return [j for j in above if not any(follows(j, k, j, k) for k in above)] + [
            j for j in below if not any(follows(k, j, j, k) for k in below)
        ]

    def _ranges(self, block: Block) -> tuple[Any, Any]:
        """For each choice, the next number's first value and number of values."""
        import numpy as np

        i = len(block.ranks)
        first, last = self._allowed(block, i)
        bounded = [c for c, total in enumerate(self.sums) if total.rises and total.is_bounded]
        possible: Any = np.ones(len(block), bool)
        # the least and the greatest sums without the next number
        low = [s.copy() for s in block.sums]
        high = [s.copy() for s in block.sums]
        for j in range(i + 1, len(self.names)):
            least, most = self._allowed(block, j)
            possible &= least <= most
            # an impossible range would index beyond the values; such a choice is dropped below
            least, most = least.clip(0, len(self.ranks[j]) - 1), most.clip(0)
            for c in bounded:
                low[c] += self.terms[c][j][least]
                high[c] += self.terms[c][j][most]
        # the contributions rise with the values, so the values in bounds are a run
        for c in bounded:
            value = self.terms[c][i]
            if (bound := self.lower[c]) is not None:
                first = np.maximum(first, value.searchsorted(bound - high[c], "left"))
            if (bound := self.upper[c]) is not None:
                last = np.minimum(last, value.searchsorted(bound - low[c], "right") - 1)
        return first, np.where(possible, (last - first + 1).clip(0), 0)

    def _extended(self, block: Block, first: Any, count: Any) -> Block:
        """The choices extended by each next value."""
        import numpy as np

        i = len(block.ranks)
        rows = np.repeat(np.arange(len(block)), count)
        before = count.cumsum() - count
        value = np.arange(len(rows)) - before[rows] + first[rows]
        block = block.take(rows)
        rank = self.ranks[i][value]
        cost = block.cost
        if self.roughness is not None:
            cost = cost + self.roughness.added(self, i, rank, block.ranks)
        sums = [s + w[i][value] for s, w in zip(block.sums, self.terms, strict=True)]
        longer = Block([*block.ranks, rank], sums, cost)
        keep: Any = np.ones(len(longer), bool)
        for c, total in enumerate(self.sums):
            # such sums leave no run of values, so each is compared
            if not total.rises:
                low = sum(int(w.min()) for w in self.terms[c][i + 1 :])
                high = sum(int(w.max()) for w in self.terms[c][i + 1 :])
                if (bound := self.upper[c]) is not None:
                    keep &= sums[c] + low <= bound
                if (bound := self.lower[c]) is not None:
                    keep &= sums[c] + high >= bound
        return longer if keep.all() else longer.take(np.flatnonzero(keep))

    def value(self, block: Block, row: int) -> dict[str, Fraction]:
        """The numbers of one choice."""
        return {n: self.all[int(r[row])] for n, r in zip(self.names, block.ranks, strict=True)}

    def estimate(self) -> float:
        """The estimated number of choices, partial ones included."""
        import numpy as np

        # a fixed seed: the same search is refused or not, whenever it is asked for
        rng = np.random.default_rng(1)
        block = self._empty
        total, weight = 0.0, 1.0
        for _ in self.names:
            first, count = self._ranges(block)
            many = int(count.sum())
            total += weight * many
            if not many:
                break
            # a sample of whole subtrees, before their choices are written out
            if many > 8 * SAMPLE:
                share = min(1.0, 8 * SAMPLE / many)
                rows = np.flatnonzero(rng.random(len(count)) < share)
                if not len(rows):
                    rows = np.array([int(count.argmax())])
                weight *= many / max(1, int(count[rows].sum()))
                block, first, count = block.take(rows), first[rows], count[rows]
            block = self._extended(block, first, count)
            if len(block) > SAMPLE:
                weight *= len(block) / SAMPLE
                block = block.take(rng.choice(len(block), SAMPLE, replace=False))
        return total


def closed(order: Sequence[Above], names: Sequence[str]) -> dict[tuple[int, int], bool]:
    """The transitive closure: (more, less) by place, and whether strictly.

    Raises:
        RulesError: a number would be larger than itself.
    """
    place = {name: i for i, name in enumerate(names)}
    pairs: dict[tuple[int, int], bool] = {}
    for more, less, strictly in order:
        if more in place and less in place:
            key = place[more], place[less]
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


def ways(values: Mapping[str, Sequence[Fraction]], order: Sequence[Above]) -> tuple[int, bool]:
    """The number of choices that keep the order, and whether it is exact.

    >>> numbers = {name: range(1, 11) for name in "abc"}
    >>> ways(numbers, [Above("a", "b", True), Above("b", "c", True)])
    (120, True)
    """
    import numpy as np

    everything = prod(map(len, values.values()))
    tied = {name for pair in order for name in pair[:2]}
    names = [name for name in values if name in tied]
    free = prod(len(values[name]) for name in values if name not in tied)
    ranks = {x: k for k, x in enumerate(sorted({x for name in names for x in values[name]}))}
    # Python's integers: a count of many numbers exceeds 64 bits
    table: Any = np.ones((), object)
    front: list[str] = []

    def along(name: str) -> Any:
        """The ranks of a number's values, along its own axis of the table."""
        own = np.array([ranks[x] for x in values[name]])
        return own.reshape([-1 if other == name else 1 for other in front])

    for k, name in enumerate(names):
        if table.size * len(values[name]) > MAX_COUNT_CELLS:
            # an upper bound, and said to be one
            return everything, False
        table = np.broadcast_to(table[..., None], (*table.shape, len(values[name])))
        front.append(name)
        for more, less, strictly in order:
            if name in (more, less) and more in front and less in front and more != less:
                a, b = (along(n) for n in (more, less))
                table = table * (a > b if strictly else a >= b)
        later = {n for pair in order for n in pair[:2] if set(pair[:2]) & set(names[k + 1 :])}
        gone = tuple(i for i, n in enumerate(front) if n not in later)
        table = np.asarray(table.sum(axis=gone), object) if gone else table
        front = [n for n in front if n in later]
    return int(table) * free, True


def rough(x: Fraction) -> int:
    """The cost of a number's figures.

    >>> [rough(Fraction(x)) for x in ("3", "40", "25", "12", "3/2", "6/5")]
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
    """The costs of a game's tables: see above.

    Attributes:
        paid: the open pays of each bet.
        straight: pairs of open pays, of which the first should pay no less.
    """

    paid: Mapping[str, frozenset[str]]
    straight: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, opened: Opened, chances: Mapping[str, Mapping[str, Fraction]]) -> "Roughness":
        """How to reckon the roughness of a game's tables.

        Args:
            opened: the game.
            chances: by bet, the probability of being paid each open number.
        """
        pairs = set()
        won = [name for name in opened.pays if name not in opened.offers]
        spots = [(n, place) for n in won for place in opened.places[n]]
        for (one, p), (other, q) in permutations(spots, 2):
            own = chances.get(opened.paid_to(p) or "")
            if one != other and own is not None and _ahead(p, q, own, one, other):
                pairs.add((one, other))
        # what is offered for surrender is no pay of a total
        paid = {bet: frozenset(own) - opened.offers for bet, own in chances.items()}
        return cls({bet: names for bet, names in paid.items() if names}, frozenset(pairs))

    def added(self, walk: BoundedSearch, i: int, rank: Any, before: list[Any]) -> Any:
        """The cost added by one more number, for each choice."""
        import numpy as np

        name = walk.names[i]
        cost = walk.rough[rank]
        for names in self.paid.values():
            if name not in names:
                continue
            # a point if no earlier number of the bet has the same value
            new = np.ones(len(rank), bool)
            for j, other in enumerate(walk.names[:i]):
                if other in names:
                    new &= before[j] != rank
            cost = cost + new
        for j, other in enumerate(walk.names[:i]):
            if (name, other) in self.straight:
                cost = cost + CROOKED * (rank < before[j])
            if (other, name) in self.straight:
                cost = cost + CROOKED * (rank > before[j])
        return cost.astype(np.int32)


def _ahead(p: Place, q: Place, chances: Mapping[str, Fraction], one: str, other: str) -> bool:
    """Whether one place of a schedule should pay no less than another."""
    differing = [k for k in range(len(p)) if p[k] != q[k]] if len(p) == len(q) else []
    # they differ in their total or in their roll, and in nothing else
    if len(differing) != 1 or differing[0] < BET_PARTS or not {one, other} <= chances.keys():
        return False
    mine, yours = p[differing[0]], q[differing[0]]
    # rolls are numbered, totals are texts
    if isinstance(mine, int) and isinstance(yours, int):
        return yours == mine + 1
    return chances[one] < chances[other]
