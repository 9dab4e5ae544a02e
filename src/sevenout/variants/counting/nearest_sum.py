"""The sum nearest to a target, with proof.

Bisection finds, for each sum of one half, its nearest partner in the other. A heap gives these
pairs in order of distance from the target; a pair that no naturals complete is replaced by the next
neighbour. The first pair that can be completed is the best of its bundle, since all nearer ones
have been ruled out. A bundle is left when its nearest pair is farther than the best known.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, floor
from typing import Literal

from sevenout.budgets.estimates import afford
from sevenout.variants.counting.bundle import Bundle, Slot
from sevenout.variants.counting.residues import Halves, Pair, halve, merge
from sevenout.variants.family import TooManyVariantsError

MAX_PAIRS = 200_000

CHOICE, OFTEN = 3e-5, 4_096
"""Seconds per choice tried, and choices between checks of the budget."""

Direction = Literal[-1, 1]


def limit(exact: Fraction, side: Direction, strict: bool) -> int:
    """The last integer on one side of a fraction, itself included unless `strict`.

    >>> limit(Fraction(7, 2), -1, True), limit(Fraction(4), -1, True), limit(Fraction(4), 1, False)
    (3, 3, 4)
    """
    if side < 0:
        return ceil(exact) - 1 if strict else floor(exact)
    return floor(exact) + 1 if strict else ceil(exact)


def beyond(bundle: Bundle, unit: int, side: Direction) -> bool:
    """Whether a bundle's sums all fall short of `unit`."""
    least, greatest = bundle.ends
    return unit < least if side < 0 else unit > greatest


@dataclass(frozen=True)
class SlotTarget:
    """The target in one slot.

    Attributes:
        unit: the last sum on the right side of the target, in units of 1/modulus above the base.
        first: the distance of that sum from the target.
        slack: error bound of the gap between two keys, twice that of one key.
        centre: the key of `unit`, moved by the slack so that no nearer pair is missed.
    """

    halves: Halves
    slot: Slot
    unit: int
    first: Fraction
    slack: int
    centre: int

    @classmethod
    def of(cls, halves: Halves, slot: Slot, search: "Nearest") -> "SlotTarget":
        """The target of a search in a slot."""
        modulus, scale = halves.bundle.modulus, halves.scale
        exact = (search.target - slot.base) * modulus
        unit = limit(exact, search.side, search.strict)
        slack = halves.slack + 1 if halves.slack else 0
        centre = (unit % modulus * scale // modulus - search.side * slack) % scale
        return cls(halves, slot, unit, abs(exact - unit) / modulus, slack, centre)


@dataclass
class Nearest:
    """A search for the smallest distance on one side of a target.

    Attributes:
        target: the win probability, times D.
        side: -1 for sums below the target, 1 for sums above.
        strict: whether equality is excluded.
        distance: the smallest distance found; None at first.
        looked: the number of pairs of half-sums completed or ruled out individually.
        tried: the number of their choices.
    """

    target: Fraction
    side: Direction
    strict: bool = True
    distance: Fraction | None = None
    looked: int = field(default=0)
    tried: int = field(default=0)

    def search(self, bundle: Bundle) -> None:
        """Search a bundle for smaller distances, below one unit (1/D)."""
        halves = halve(bundle)
        for slot in bundle.slots:
            self._search(halves, slot)

    def _search(self, halves: Halves, slot: Slot) -> None:
        goal = SlotTarget.of(halves, slot, self)
        if beyond(halves.bundle, goal.unit, self.side):
            return
        reach = None if self.distance is None else self._reach(goal)
        self._walk(goal, halves.nearest(goal.centre, self.side, reach))

    def _reach(self, goal: SlotTarget) -> int:
        """The largest gap between keys that could improve the result."""
        scale, slack = goal.halves.scale, goal.slack
        if self.distance is None:
            return scale
        nearer = ceil((self.distance - goal.first) * scale) + 2 * slack
        return min(scale, nearer if slack else nearer - 1)

    def _walk(self, goal: SlotTarget, pairs: Iterator[Pair]) -> None:
        """Complete pairs by gap until none can improve the result."""
        keys, a = goal.halves.b.sorted_keys, goal.halves.a.sorted_keys
        scale = goal.halves.scale
        heap: list[Pair] = []
        following = next(pairs, None)
        while heap or following:
            while following and (not heap or following < heap[0]):
                heappush(heap, following)
                following = next(pairs, None)
            gap, i, j, nth = heappop(heap)
            if gap > self._reach(goal):
                return
            self.looked += 1
            if self.looked > MAX_PAIRS:
                raise TooManyVariantsError(
                    f"{goal.halves.bundle.family}: more than {MAX_PAIRS:,} pairs near the target "
                    "can't be completed; constrain the family"
                )
            self._complete(goal, int(a[i]), int(keys[j]))
            if nth + 1 < len(keys):
                then = (j + self.side) % len(keys)
                gap += (self.side * (int(keys[then]) - int(keys[j]))) % scale
                heappush(heap, (gap, i, then, nth + 1))

    def _try(self, bundle: Bundle) -> None:
        """Count a choice, within the budget."""
        self.tried += 1
        if self.tried % OFTEN == 0:
            afford(
                f"the search of {bundle.family}, where few sums near the target can be had,",
                seconds=CHOICE * self.tried,
                instead="constrain the family",
            )

    def _complete(self, goal: SlotTarget, a: int, b: int) -> None:
        """Record a pair's variants within one unit of the target."""
        halves, bundle = goal.halves, goal.halves.bundle
        lefts = list(halves.b.choices(b))
        for right in halves.a.choices(a):
            for left in lefts:
                self._try(bundle)
                moved = merge(bundle, left, right)
                total = bundle.total(moved)
                gap = (self.side * (total - goal.unit)) % bundle.modulus
                distance = goal.first + Fraction(gap, bundle.modulus)
                if self.distance is not None and distance >= self.distance:
                    continue
                naturals = (goal.unit + self.side * gap - total) // bundle.modulus
                if bundle.ways(goal.slot, moved, naturals):
                    self.distance = distance
                    if not halves.slack:
                        return
