"""All choices of a row of pays for each group of points, searched by what they are worth.

A choice is left as soon as the best or the worst that the remaining groups could add takes it out
of the range that is sought. What a search will cost is estimated beforehand, where it is not small
in any case: by going down the tree of choices at random (Knuth 1975, Estimating the efficiency of
backtrack programs).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from sevenout.cost import afford
from sevenout.errors import shown
from sevenout.variants.residues import LIMB

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ByPoint = Literal["rising", "not falling", "free"]

PROBES = 400
"""So many ways down the tree of choices tell how large it is, to a factor of two or so."""

STEP, LOOK, SCORE = 1.5e-5, 4e-9, 5e-8
"""Seconds: for a choice that is looked into, for each row looked at there, for each table found."""


@dataclass(frozen=True)
class Tree:
    """All choices of a row for each group, and what each is worth, in whole units.

    A unit is 1/(scale · step) of the stake.

    Attributes:
        worth: worth[g][i] is what row i adds to the mean profit as the row of group g.
        square: square[g][i], the same for the mean square, in units of 1/(scale · step²).
        top: the highest pay of each row, in steps.
        follow: follow[i, j] says whether row j may come next, for the next commoner group.
        scale: the common denominator of the probabilities.
    """

    worth: "list[NDArray[Any]]"
    square: "list[NDArray[Any]]"
    top: "NDArray[Any]"
    follow: "NDArray[np.bool_]"
    scale: int

    @classmethod
    def of(
        cls,
        chances: Sequence[Sequence[Fraction]],
        rows: Sequence[tuple[Fraction, ...]],
        *,
        step: int,
        scale: int,
        most: int,
        by_point: ByPoint,
    ) -> "Tree":
        """The tree over the probabilities of each group, by roll.

        Args:
            chances: for each group of points, the probability of making one on each roll.
            rows: the rows to choose from.
            step: how many steps of pay make one unit of money.
            scale: a common denominator of the probabilities.
            most: at least the mean of all other profits, in units of money.
            by_point: how pays go from group to group.
        """
        import numpy as np

        pays = np.array([[int(pay * step) for pay in row] for row in rows], object)
        highest = int(abs(pays).max()) + step
        # the largest number is below the square of this: the variance, all else than points in it
        small = (2 * scale * (highest + most * step)) ** 2 < LIMB
        dtype: Any = np.int64 if small else object
        pays = pays.astype(dtype)
        parts = [np.array([int(p * scale) for p in row], dtype) for row in chances]
        follow = np.ones((len(rows), len(rows)), bool)
        for pay in pays.T if by_point != "free" else ():
            follow &= pay[:, None] > pay if by_point == "rising" else pay[:, None] >= pay
        return cls(
            [pays @ p for p in parts],
            [pays**2 @ p for p in parts],
            pays.max(axis=1),
            follow,
            scale,
        )

    @cached_property
    def size(self) -> int:
        """How many choices there are."""
        return self._ways(len(self.worth))

    def _ways(self, groups: int) -> int:
        """How many choices there are for the first of the groups."""
        import numpy as np

        if self.follow.all():
            return int(len(self.top) ** groups)
        ways = np.ones(len(self.top), object)
        for _ in range(groups - 1):
            ways = self.follow @ ways
        return int(ways.sum())

    @cached_property
    def rest(self) -> "list[tuple[NDArray[Any], NDArray[Any]]]":
        """For each group and row: the least and the most that the groups after it can add."""
        import numpy as np

        far = 1 << 62
        low = high = np.zeros(len(self.top), self.worth[0].dtype)
        rest = [(low, high)]
        for worth in self.worth[:0:-1]:
            low = np.where(self.follow, worth + low, far).min(axis=1)
            high = np.where(self.follow, worth + high, -far).max(axis=1)
            rest.append((low, high))
        return rest[::-1]

    def walk(
        self, least: int, most: int, chosen: tuple[int, ...] = (), value: int = 0
    ) -> "Iterator[tuple[tuple[int, ...], int, NDArray[np.int64]]]":
        """The choices worth from `least` to `most`.

        Yields:
            the rows of all groups but the last, what they are worth, the rows that the last may
            have.
        """
        found = self._fitting(least, most, chosen, value)
        if len(chosen) == len(self.worth) - 1:
            if len(found):
                yield chosen, value, found
            return
        for i in found.tolist():
            worth = int(self.worth[len(chosen)][i])
            yield from self.walk(least, most, (*chosen, i), value + worth)

    def _fitting(
        self, least: int, most: int, chosen: tuple[int, ...], value: int
    ) -> "NDArray[np.int64]":
        """The rows that may come next, so that the whole can be worth from `least` to `most`."""
        import numpy as np

        low, high = self.rest[len(chosen)]
        worth = self.worth[len(chosen)] + value
        fits = (worth + low <= most) & (worth + high >= least)
        if chosen:
            fits &= self.follow[chosen[-1]]
        return np.flatnonzero(fits)

    def must_be_affordable(self, least: int, most: int) -> None:
        """Refuse a walk that would take longer than the budget allows.

        Raises:
            TooMuchWorkError: the estimate is over the budget.
        """
        rows = len(self.top)
        if self._ways(len(self.worth) - 1) * (STEP + rows * (LOOK + SCORE)) < 1:
            return
        looks, tables = self.estimate(least, most)
        afford(
            f"a search of {shown(self.size)} pay tables",
            seconds=looks * (STEP + rows * LOOK) + tables * SCORE,
            instead="choose a narrower edge, larger steps or an order of the pays",
        )

    def estimate(self, least: int, most: int) -> tuple[float, float]:
        """About how many choices a walk looks into, and how many it finds.

        A way down the tree is drawn, at each step one of those that fit; the product of how many
        fitted is, in the mean, how many nodes there are on that level (Knuth 1975).
        """
        rng = Random(1)
        looks = tables = 0.0
        for _ in range(PROBES):
            chosen: tuple[int, ...] = ()
            value, nodes = 0, 1.0
            while nodes and len(chosen) < len(self.worth):
                looks += nodes
                found = self._fitting(least, most, chosen, value)
                nodes *= len(found)
                if len(found):
                    i = int(found[rng.randrange(len(found))])
                    value += int(self.worth[len(chosen)][i])
                    chosen = (*chosen, i)
            tables += nodes
        return looks / PROBES, tables / PROBES
