"""Dice as a hand: the faces in order, whichever die shows them.

Dice are added to the hand one by one, which works in any ring and for unequal dice. Five dice have
7,776 rolls but 252 hands.
"""

from bisect import insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.rolling.law import Reading, Rollable
from sevenout.rolling.totals.sums import folded


def in_order(roll: Any) -> Hashable:
    """The faces of a roll in order: its hand.

    >>> from sevenout.rolling.notation import parse_dice
    >>> in_order(parse_dice("4d6").roll([5, 1, 6, 1]))
    (1, 1, 5, 6)
    """
    return tuple(sorted(roll.faces))


@dataclass(frozen=True)
class Hands(Reading):
    """Dice, read as a hand."""

    law = Rollable.law  # from `weigh`: the rolls are not listed

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        sources = self.sources
        kinds = {face for source in sources for face in source.faces}
        try:
            sorted(kinds)  # type: ignore[type-var]
        except TypeError:
            raise RulesError("the faces of a hand must be sortable; give them numbers") from None
        hands = min(comb(len(kinds) + len(sources) - 1, len(sources)), 10**18)
        afford(
            f"every hand of {len(sources)} dice",
            seconds=hands * len(kinds) * len(sources) * 1e-6,
            memory=hands * (200.0 + 8 * len(sources)),
            instead="roll fewer dice",
        )
        return folded(zip((s.faces for s in sources), weights, strict=True), (), laid)


def laid(hand: tuple[Any, ...], face: Any) -> tuple[Any, ...]:
    """The hand with one more die.

    >>> laid((1, 4), 2)
    (1, 2, 4)
    """
    held = list(hand)
    insort(held, face)
    return tuple(held)
