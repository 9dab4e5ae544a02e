"""Decks: cards that are dealt without replacement, as a roll in order or as a pool."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.die import Die, Roll, RollWeights, all_alike, total, total_of
from sevenout.rolling.distribution import T_co, U
from sevenout.rolling.face_walk import Group
from sevenout.rolling.laws import Law, Reading, Rollable, Source, W
from sevenout.rolling.pools import Pool, remembered


@dataclass(frozen=True, repr=False)
class Deck(Generic[T_co]):
    """Cards that are shuffled whole before each deal. `so.deck` makes one.

    >>> cards = Deck((1, 1, 2, 3))
    >>> cards.deal(2).sum(), cards.deal(2).p(4), cards.deal(3).count({1})
    (Law({2: 1, 3: 2, 4: 2, 5: 1}), Fraction(1, 3), Law({2: 1, 1: 1}))

    Attributes:
        cards: what is printed on each card; equal cards are alike.
    """

    cards: tuple[T_co, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.cards, tuple):
            raise RulesError(f"{shown(self.cards)} is not a tuple of cards; write so.deck(...)")

    def __repr__(self) -> str:
        return f"<Deck of {len(self)} cards>"

    def __len__(self) -> int:
        return len(self.cards)

    def deal(self, count: int) -> "Deal[T_co]":
        """Some cards, without replacement.

        Args:
            count: how many, from 0 to all of them.

        Raises:
            RulesError: more cards than the deck has.
        """
        if type(count) is not int or not 0 <= count <= len(self):
            raise RulesError(
                f"can't deal {shown(count)} cards from a deck of {len(self)}; deal 0 to {len(self)}"
            )
        return Deal((), None, self.cards, count)


def deck(cards: Iterable[U] | Mapping[U, int]) -> Deck[U]:
    """A deck from a list of cards, or from how many there are of each.

    >>> deck({"king": 4, "other": 48}).deal(5).count("king").p(lambda kings: kings >= 2)
    Fraction(2257, 54145)

    Args:
        cards: what is printed on the cards, equal cards being alike; or the number of each.

    Raises:
        RulesError: something that is not cards, or a number of them that is not whole.
    """
    if not isinstance(cards, Iterable) or isinstance(cards, bytes):
        raise RulesError(f"cards={shown(cards)}; give a list of cards, or how many of each")
    if isinstance(cards, Mapping):
        for card, n in cards.items():
            if type(n) is not int or n < 0:
                raise RulesError(f"{shown(n)} cards {shown(card)}; give a whole number, 0 or more")
        cards = [card for card, n in cards.items() for _ in range(n)]
    cards = tuple(cards)
    return Deck(cards)


@dataclass(frozen=True, repr=False, eq=False)
class DealtPool(Pool[T_co]):
    """Cards that were dealt, of which only the number of each counts; read like a pool.

    Attributes:
        cards: all cards of the deck.
        cards_dealt: their number.
    """

    cards: tuple[T_co, ...] = ()
    cards_dealt: int = 0

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.cards, self.cards_dealt, self.multiplicities

    def __len__(self) -> int:
        return self.cards_dealt

    def _walk_groups(self, pool_index: int) -> list[Group]:
        return [Group(pool_index, dict(Counter(self.cards)), self.cards_dealt, cards=True)]

    def _with_multiplicities(self, multiplicities: tuple[int, ...]) -> Pool[T_co]:
        return DealtPool((), multiplicities, self.cards, self.cards_dealt)

    @remembered
    def _total(self: "DealtPool") -> Law:
        if total(self.cards) is None:
            raise RulesError(f"the cards {shown(self.cards)} don't add up; read .hands or .count")
        return self.by_face(lambda points, card, n: points + card * n, start=0)


@dataclass(frozen=True, repr=False, eq=False)
class Deal(DealtPool[T_co], Rollable[Roll]):
    """Cards dealt in order from a whole deck: what a game rolls is a `Roll` of them.

    >>> hand = deck(range(1, 7)).deal(2)
    >>> hand.law.p(lambda roll: roll.faces == (6, 1)), hand.totals.law[7]
    (Fraction(1, 30), Fraction(1, 5))
    """

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """One source: the whole deal, as a die with a face for each deal."""
        # card by card: equal cards are dealt once, with their number as weight
        deals: dict[tuple[Hashable, ...], int] = {(): 1}
        stock: Counter[object] = Counter(self.cards)
        afford(
            f"every deal of {self.cards_dealt} cards in order",
            seconds=3e-6 * min(float(len(stock)) ** self.cards_dealt, ESTIMATE_CAP),
            instead="read them without their order: .hands, .sum() or .count(...)",
        )
        for _ in range(self.cards_dealt):
            deals = {
                (*dealt, card): ways * left
                for dealt, ways in deals.items()
                for card, left in (stock - Counter(dealt)).items()
            }
        return (Die(list(deals), list(deals.values())),)

    def weigh(self, weights: Sequence[Sequence[W]]) -> RollWeights[W]:
        faces: tuple[Any, ...] = self.sources[0].faces
        deals = zip(faces, weights[0], strict=True)
        return RollWeights(
            (Roll(cards, total(cards), all_alike(cards)), weight) for cards, weight in deals
        )

    @property
    def totals(self) -> Reading[T_co]:
        """The deal, read as its total."""
        return Reading(self, total_of)
