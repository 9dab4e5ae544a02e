"""The sum of the highest or lowest few dice of a pool.

Integer weights: icepool's algorithm, outcome by outcome over all dice (Liu, "Icepool: Efficient
Computation of Dice Pool Probabilities", AIIDE 2022). Other rings: die by die, remembering the kept
faces.
"""

from bisect import insort
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.rolling.law import MANY, Law, Reading, Source
from sevenout.rolling.totals.sums import Ring, folded

DEEP = 300
"""Maximum number of faces for icepool, which recurses once per face."""


@dataclass(frozen=True)
class KeepFaces:
    """The sum of the highest (or lowest) few faces of a roll.

    >>> from sevenout.rolling.notation import parse_dice
    >>> KeepFaces(3)(parse_dice("4d6").roll([5, 1, 6, 4]))
    15

    Attributes:
        count: the number of faces to keep.
        lowest: keep the lowest, not the highest.
    """

    count: int
    lowest: bool = False

    def __call__(self, roll: Any) -> Any:
        """The sum of the kept faces."""
        return self.of(roll.faces)

    def of(self, faces: Sequence[Any]) -> Any:
        """The sum of the kept faces, from a sequence of faces."""
        return sum(sorted(faces, reverse=not self.lowest)[: self.count])

    def __str__(self) -> str:
        return f"k{'l' if self.lowest else 'h'}{self.count}"


@dataclass(frozen=True)
class Kept(Reading):
    """Dice, read as the sum of the highest (or lowest) few faces."""

    @cached_property
    def law(self) -> Law:
        """The exact distribution, by counting."""
        import icepool

        keep: Any = self.function
        kinds = Counter(self.sources)
        if len({face for die in kinds for face in die.faces}) > DEEP:
            return Law(self.weigh([die.weights for die in self.sources]))
        _afford_pool(kinds, keep.count)
        laws = {die: die.weigh([die.weights]) for die in kinds}  # type: ignore[attr-defined]
        alike: Counter[Any] = Counter()  # unequal dice may have one distribution
        for die, n in kinds.items():
            alike[icepool.Die(laws[die])] += n
        pool = icepool.Pool(dict(alike))
        few = pool.lowest(keep.count) if keep.lowest else pool.highest(keep.count)
        return Law(dict(few.sum().items()))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        keep: Any = self.function
        sources = self.sources
        # The state: the faces to keep; or, if they are fewer, the faces to drop, and the sum.
        keeping = 2 * keep.count <= len(sources)
        most = keep.count if keeping else len(sources) - keep.count
        top = keeping != keep.lowest
        faces = len({face for source in sources for face in source.faces})
        states = comb(faces + most, most) * (1 if keeping else len(sources) * faces)
        afford(
            f"the {keep.count} to keep of {len(sources)} dice",
            instead="keep fewer, of dice with fewer sides",
            seconds=1e-6 * min(states * sum(len(s.faces) for s in sources), MANY),
        )

        def step(state: Any, face: Any) -> Any:
            total, few = state
            held = list(few)
            insort(held, face)
            if len(held) > most:
                held.pop(0 if top else -1)
            return 0 if keeping else total + face, tuple(held)

        rows = zip((source.faces for source in sources), weights, strict=True)
        read = Ring()
        for (total, few), w in folded(rows, (0, ()), step).items():
            read.add(sum(few) if keeping else total - sum(few), w)
        return read


def _afford_pool(kinds: Counter[Source], count: int) -> None:
    """The state is the face, and the number of dice left of each kind."""
    faces = len({face for die in kinds for face in die.faces})
    plain = [n for die, n in kinds.items() if _numbered(die)]  # a d6 without its 6 is a d5
    others = [n for die, n in kinds.items() if not _numbered(die)]
    left = prod(n + 1 for n in (sum(plain), *others))
    steps = faces * left * count * faces * (1 + max(sum(plain), *others, 0) / 50)
    afford(
        f"the {count} to keep of {kinds.total()} dice",
        seconds=1e-6 * min(steps, MANY),
        instead="keep fewer, of fewer dice",
    )


def _numbered(die: Source) -> bool:
    return die.faces == tuple(range(1, len(die.faces) + 1)) and set(die.weights) == {1}
