"""The best of many tables, by floats and, for ties, integers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal

from sevenout.variants.design.bounded_search import Block, BoundedSearch
from sevenout.variants.design.forms import BetForm
from sevenout.variants.design.wanted import Wanted

Wish = Literal["plain", "edge", "calm", "top"]
WISHES: tuple[Wish, ...] = ("plain", "edge", "calm", "top")
CLOSE = 1e-9
"""The relative difference that floats can't resolve."""

Key = tuple[Fraction, Fraction, int]
"""Score, distance from the target edges, and cost; less is better."""


@dataclass(frozen=True)
class Ranking:
    """The figures of a search's tables, and the best of them.

    Attributes:
        walk: the search; its k-th sum is the mean of the k-th bet.
        wanted: the target edges.
        wish: the criterion that ranks tables.
    """

    walk: BoundedSearch
    forms: Sequence[BetForm]
    wanted: Mapping[str, Wanted]
    wish: Wish = "plain"

    def means(self, block: Block, k: int) -> Any:
        """The mean profit of the k-th bet, in floats."""
        return (block.sums[k] / self.walk.scales[k]).astype(float) + float(self.forms[k].mean)

    def variances(self, block: Block, k: int) -> Any:
        """The variance of its profit, in floats."""
        import numpy as np

        form, walk = self.forms[k], self.walk
        square: Any = np.full(len(block), float(form.square))
        for i, name in enumerate(walk.names):
            if p := form.chances.get(name):
                square = square + float(p) * (walk.floats[block.ranks[i]] / float(form.stake)) ** 2
        return (square - self.means(block, k) ** 2).clip(0)

    def leaders(
        self, block: Block, top: int, worst: tuple[float, float] | None
    ) -> list[tuple[Key, int]]:
        """The best tables and their rows; ties go to the nearer edge, then plainer."""
        import numpy as np

        score, near, off = self._floats(block)
        doubt = 0.0 if self.wish == "plain" else off
        rows: Any = np.arange(len(block))
        for _ in range(2):
            if worst is not None:
                s, n = score[rows], near[rows]
                keep = s <= worst[0] + doubt
                if self.wish in ("plain", "edge"):  # floats resolve their ties
                    keep &= (s < worst[0] - doubt) | (n <= worst[1] + off)
                rows = rows[keep]
            if len(rows) > top:
                last = rows[np.lexsort((near[rows], score[rows]))[top - 1]]
                worst = float(score[last]), float(near[last])
        few = block.take(rows)
        exact = self._exact(few)
        ranks = [np.unique(each, return_inverse=True)[1] for each, _ in exact]
        values = [few.ranks[self.walk.names.index(name)] for name in self.walk.given]
        keys: Any = (*reversed(values), few.cost, *reversed(ranks))
        best = np.lexsort(keys)[:top].tolist()
        (scores, finer), (nears, unit) = exact
        return [
            ((Fraction(scores[i], finer), Fraction(nears[i], unit), int(few.cost[i])), int(rows[i]))
            for i in best
        ]

    def _floats(self, block: Block) -> tuple[Any, Any, float]:
        """Each table's score and distance, and their error bound."""
        import numpy as np

        near: Any = np.zeros(len(block))
        size: Any = np.zeros(len(block))
        score: Any = np.zeros(len(block))
        for k, form in enumerate(self.forms):
            mean = self.means(block, k)
            size = size + mean**2
            aim = self.wanted[form.bet].edge.middle
            if aim is not None:
                near = near + abs(mean + float(form.added + aim))
            if self.wish == "calm":
                score = score + self.variances(block, k)
            elif self.wish == "top":
                score = score - self.walk.floats[self._highest(block, form)] / float(form.stake)
        if self.wish == "plain":
            score = block.cost.astype(float)
        off = CLOSE * (1 + float((size + abs(score)).max(initial=0)))
        return (near if self.wish == "edge" else score), near, off

    def _exact(self, block: Block) -> tuple[tuple[Any, int], tuple[Any, int]]:
        """The score and distance as integers, with divisors."""
        import numpy as np

        walk, forms = self.walk, self.forms
        aims = [self.wanted[form.bet].edge.middle for form in forms]
        ends = [x for x in (*aims, *(x for f in forms for x in (f.mean, f.added))) if x is not None]
        unit = lcm(1, *walk.scales[: len(forms)], *(x.denominator for x in ends))
        near: Any = np.zeros(len(block), object)
        own = [
            block.sums[k].astype(object) * (unit // walk.scales[k]) + int(form.mean * unit)
            for k, form in enumerate(forms)
        ]
        for aim, form, mean in zip(aims, forms, own, strict=True):
            if aim is not None:
                near = near + abs(mean + int((form.added + aim) * unit))
        if self.wish == "edge":
            return (near, unit), (near, unit)
        if self.wish == "plain":
            return (block.cost.astype(object), 1), (near, unit)
        score: Any = np.zeros(len(block), object)
        if self.wish == "calm":
            squares = [
                (i, [form.chances[n] * (x / form.stake) ** 2 for x in walk.all])
                for form in forms
                for i, n in enumerate(walk.names)
                if n in form.chances
            ]
            fixed = sum((form.square for form in forms), Fraction())
            all_of_them = [fixed, *(x for _, each in squares for x in each)]
            finer = lcm(unit**2, *(x.denominator for x in all_of_them))
            for i, each in squares:
                score = score + np.array([int(x * finer) for x in each], object)[block.ranks[i]]
            score = score - sum(mean * mean for mean in own) * (finer // unit**2)
            return (score + int(fixed * finer), finer), (near, unit)
        finer = lcm(1, *((x / form.stake).denominator for form in forms for x in walk.all))
        for form in forms:
            paid = np.array([int(x / form.stake * finer) for x in walk.all], object)
            score = score - paid[self._highest(block, form)]
        return (score, finer), (near, unit)

    def _highest(self, block: Block, form: BetForm) -> Any:
        """The highest pay of a bet, by rank."""
        import numpy as np

        names = zip(self.walk.names, block.ranks, strict=True)
        return np.maximum.reduce([rank for name, rank in names if name in form.chances])
