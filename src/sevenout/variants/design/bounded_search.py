"""Branch and bound for open numbers, in integers, many choices at a time.

A sum adds a function of each number. Numbers that change the sums most come first. A value is tried
only if the remaining numbers, between their extremes in the range that the order allows, can bring
every sum into its bounds. The cost is estimated from a sample of choices (Knuth 1975, Estimating
the efficiency of backtrack programs).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.rules.gamefiles.open_parameters import Above
from sevenout.variants.design.plainness import Roughness, rough

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIMB = 1 << 62
CHUNK = 1 << 17
"""Choices followed together."""
SAMPLE = 3_000
"""Choices per level followed in an estimate."""


@dataclass(frozen=True)
class WeightedSum:
    """Σ f(name, value), and its bounds, inclusive.

    Attributes:
        terms: for each number, the contribution of each value.
        least, most: the bounds; None for none.
        rises: whether it never falls as a number rises.
    """

    terms: Mapping[str, Sequence[Fraction]]
    least: Fraction | None
    most: Fraction | None
    rises: bool = True

    @property
    def is_bounded(self) -> bool:
        """Whether it has a bound."""
        return self.least is not None or self.most is not None


@dataclass
class Block:
    """Choices for the first few numbers.

    Attributes:
        ranks: the rank of each chosen number's value.
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
        roughness: Roughness | None = None,
    ) -> None:
        import numpy as np

        self.sums = sums
        spread = {n: max((_spread(s.terms[n]) for s in sums), default=0) for n in values}
        self.given = tuple(values)
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
        self.least: list[int | None] = []
        self.most: list[int | None] = []
        self.scales: list[int] = []
        for each in self.sums:
            scale = lcm(1, *(w.denominator for n in self.names for w in each.terms[n]))
            rows = [[int(w * scale) for w in each.terms[n]] for n in self.names]
            least = None if each.least is None else ceil(each.least * scale)
            most = None if each.most is None else floor(each.most * scale)
            reach = sum(max(map(abs, row)) for row in rows)
            reach += max((abs(b) for b in (least, most) if b is not None), default=0)
            dtype: Any = np.int64 if 2 * reach < LIMB else object
            self.terms.append([np.array(row, dtype) for row in rows])
            self.least.append(least)
            self.most.append(most)
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
        bounds = zip(self.least, self.most, strict=True)
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
            done = int(ends[begin - 1]) if begin else 0
            end = max(begin + 1, int(ends.searchsorted(done + CHUNK, "right")))
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
                return False  # keep one of several equal numbers
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
        bounded = [c for c, each in enumerate(self.sums) if each.rises and each.is_bounded]
        possible: Any = np.ones(len(block), bool)
        low = [s.copy() for s in block.sums]  # bounds of the sums without the next number
        high = [s.copy() for s in block.sums]
        for j in range(i + 1, len(self.names)):
            least, most = self._allowed(block, j)
            possible &= least <= most
            least, most = least.clip(0, len(self.ranks[j]) - 1), most.clip(0)
            for c in bounded:
                low[c] += self.terms[c][j][least]
                high[c] += self.terms[c][j][most]
        for c in bounded:
            value = self.terms[c][i]
            if (bound := self.least[c]) is not None:
                first = np.maximum(first, value.searchsorted(bound - high[c], "left"))
            if (bound := self.most[c]) is not None:
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
        made = Block([*block.ranks, rank], sums, cost)
        keep: Any = np.ones(len(made), bool)
        for c, each in enumerate(self.sums):
            if not each.rises:
                low = sum(int(w.min()) for w in self.terms[c][i + 1 :])
                high = sum(int(w.max()) for w in self.terms[c][i + 1 :])
                if (bound := self.most[c]) is not None:
                    keep &= sums[c] + low <= bound
                if (bound := self.least[c]) is not None:
                    keep &= sums[c] + high >= bound
        return made if keep.all() else made.take(np.flatnonzero(keep))

    def value(self, block: Block, row: int) -> dict[str, Fraction]:
        """The numbers of one choice."""
        return {n: self.all[int(r[row])] for n, r in zip(self.names, block.ranks, strict=True)}

    def estimate(self) -> float:
        """The estimated number of choices, partial ones included."""
        import numpy as np

        rng = np.random.default_rng(1)
        block = self._empty
        total, weight = 0.0, 1.0
        for _ in self.names:
            first, count = self._ranges(block)
            many = int(count.sum())
            total += weight * many
            if not many:
                break
            if many > 8 * SAMPLE:  # a sample of whole subtrees
                share = min(1.0, 8 * SAMPLE / many)
                kept = np.flatnonzero(rng.random(len(count)) < share)
                if not len(kept):
                    kept = np.array([int(count.argmax())])
                weight *= many / max(1, int(count[kept].sum()))
                block, first, count = block.take(kept), first[kept], count[kept]
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
    for k in range(len(names)):
        for i in range(len(names)):
            for j in range(len(names)):
                if (i, k) in pairs and (k, j) in pairs:
                    strictly = pairs[i, k] or pairs[k, j]
                    pairs[i, j] = pairs.get((i, j), False) or strictly
    for i, name in enumerate(names):
        if pairs.pop((i, i), False):
            raise RulesError(f"the order says that {name} is larger than itself; leave a pair out")
    return pairs


def _spread(value: Sequence[Fraction]) -> Fraction:
    return max(value) - min(value)
