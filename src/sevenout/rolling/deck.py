"""Cards drawn without replacement, as a rollable."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling.die import Die
from sevenout.rolling.law import Reading, Rollable, Source
from sevenout.rolling.roll import Roll, all_alike, total, total_of


@dataclass(frozen=True, init=False)
class Deck(Rollable):
    """`draw` cards dealt in order from a deck that is shuffled whole before each deal.

    >>> two = Deck(range(1, 7), draw=2)
    >>> two.totals.law[2] if 2 in two.totals.law else "no pairs in one card of each"
    'no pairs in one card of each'

    Args:
        cards: what is printed on the cards; equal cards are alike.
        draw: cards per deal.

    Raises:
        RulesError: fewer cards than are dealt.
    """

    cards: tuple[Hashable, ...]
    draw: int

    def __init__(self, cards: Iterable[Hashable], draw: int = 2) -> None:
        if not isinstance(cards, Iterable) or type(draw) is not int:
            given = (
                f"draw={shown(draw)}" if isinstance(cards, Iterable) else f"cards={shown(cards)}"
            )
            raise RulesError(f"{given}; give a list of cards and the number to deal")
        cards = tuple(cards)
        if not cards:
            raise RulesError("the deck is empty; give the cards")
        if not 1 <= draw <= len(cards):
            raise RulesError(
                f"can't deal {draw} cards from a deck of {len(cards)}; deal 1 to {len(cards)}"
            )
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "draw", draw)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """One source: the whole deal, as a die with a face for each deal."""
        deals: dict[tuple[Hashable, ...], int] = {(): 1}
        stock = Counter(self.cards)
        for _ in range(self.draw):
            deals = {
                (*dealt, card): ways * left
                for dealt, ways in deals.items()
                for card, left in (stock - Counter(dealt)).items()
            }
        return (Die(deals, deals.values()),)

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        faces: tuple[Any, ...] = self.sources[0].faces
        deals = zip(faces, weights[0], strict=True)
        return {Roll(cards, total(cards), all_alike(cards)): weight for cards, weight in deals}

    @property
    def totals(self) -> Reading:
        """The deal, read as its total."""
        return Reading(self, total_of)
