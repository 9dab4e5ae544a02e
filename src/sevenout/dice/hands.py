"""Dice as a hand: what they show, whichever die shows it.

Five dice have 7,776 rolls and 252 hands. The dice are laid down one after another, and only the
hand so far is remembered: the multinomial coefficients come about by themselves, in any ring, and
for dice that differ as well.
"""

from bisect import insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from sevenout.cost import afford
from sevenout.dice.law import Reading, Rollable
from sevenout.dice.sums import Ring
from sevenout.errors import RulesError


@dataclass(frozen=True)
class Sorted:
    """The faces of a roll in order.

    >>> from sevenout.dice.notation import parse_dice
    >>> Sorted()(parse_dice("4d6").roll([5, 1, 6, 1]))
    (1, 1, 5, 6)
    """

    def __call__(self, roll: Any) -> Hashable:
        """The hand."""
        return tuple(sorted(roll.faces))


@dataclass(frozen=True)
class Hands(Reading):
    """The reading of dice as a hand."""

    law = Rollable.law  # from `weigh`, since the dice are not to be rolled out

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each hand."""
        sources = self.sources
        kinds = {face for source in sources for face in source.faces}
        try:
            sorted(kinds)  # type: ignore[type-var]
        except TypeError:
            raise RulesError("faces that have no order make no hand; number them") from None
        hands = min(comb(len(kinds) + len(sources) - 1, len(sources)), 10**18)
        afford(
            f"every hand of {len(sources)} dice",
            seconds=hands * len(kinds) * len(sources) * 1e-6,
            memory=hands * (200.0 + 8 * len(sources)),
            instead="roll fewer dice",
        )
        laid: dict[Any, Any] = {(): 1}
        for source, row in zip(sources, weights, strict=True):
            longer = Ring()
            for hand, w in laid.items():
                for face, v in zip(source.faces, row, strict=True):
                    held = list(hand)
                    insort(held, face)
                    longer.add(tuple(held), w * v)
            laid = longer
        return laid
