"""Craps played with cards, where the law forbids dice."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.rolling import Deal, deck
from sevenout.rules import PayTable, PointGame

FACES = range(1, 7)


def two_cards(cards: int = 24) -> Deal:
    """Two cards from a freshly shuffled pack with equally many of each face from 1 to 6.

    >>> two_cards(24).totals.law[12]
    Fraction(1, 46)

    Raises:
        RulesError: the number of cards is not a positive multiple of six.
    """
    if cards < 6 or cards % 6:
        raise RulesError(
            f"cards={cards}; a pack has 6, 12, 18, ... cards, equally many of each face"
        )
    return deck([*FACES] * (cards // 6)).deal(2)


def card_craps(cards: int = 24) -> PointGame:
    """Craps with the total of two cards, dealt without replacement from a pack with equally many
    cards of each face from 1 to 6; the pack is whole again before each deal. Doubles are rarer than
    with dice, and with one card of each face there are none, and so no 2 and no 12.
    """
    two = two_cards(cards)
    return PointGame([7, 11], _craps(two), 7, dice=two)


def card_dont_pass(cards: int = 24) -> PointGame:
    """The opposite of the pass bet at craps with cards; a come-out of 12 returns the bet."""
    two = two_cards(cards)
    totals = _craps(two)
    pays = {tuple(total for total in totals if total != 12): 1} | ({12: 0} if 12 in totals else {})
    line = PayTable(natural=-1, craps=pays, point=-1, out=1)
    return PointGame([7, 11], totals, 7, dice=two, bets={"don't pass": line})


def play_craps() -> PointGame:
    """Craps with a pack of 36 cards, one for each way that two dice can fall; a card is drawn for
    each roll and goes back. The same game as with dice.
    """
    pack = deck([one + other for one in FACES for other in FACES]).deal(1)
    return PointGame([7, 11], [2, 3, 12], 7, dice=pack)


def _craps(two: Deal) -> list[int]:
    return [total for total in (2, 3, 12) if total in two.totals.law]


entry = partial(Entry, family="Card craps", source=WIZARD)

# fmt: off
PACKS = {6: ("6 cards (one of each)", None, None), 24: ("24-card deck", "149/20769", None),
         48: ("48 cards", "5261/483865", None), 264: ("264 cards", None, None),
         312: ("312-card shuffler", "16998701/1243954905", "34000133/2487909810")}
"""By number of cards: the pack in words, and each bet's edge, where known."""

ENTRIES = [
    *(entry(f"card-craps-{side}-{n}", f"Card craps, {title}, {pack}",
            build, {"cards": n}, bet=bet, edge=edge)
      for n, (pack, own, other) in PACKS.items()
      for side, title, build, bet, edge in (
          ("pass", "pass", card_craps, "pass", own),
          ("dont-pass", "don't pass bar 12", card_dont_pass, "don't pass", other))),
    entry("card-craps-pass-36", "Craps with 36 cards, pass", play_craps, edge="7/495"),
]
# fmt: on
