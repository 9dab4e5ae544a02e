"""Klondike: poker hands with five dice, against a bank."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import SCARNE
from sevenout.catalogue.entries import Entry
from sevenout.rolling import Roll, parse_dice
from sevenout.rules import Game, Wager, lose, win

Hand = tuple[tuple[int, ...], tuple[int, ...]]


def poker_hand(roll: Roll) -> Hand:
    """The rank of five dice: sizes and faces of the sets, largest first.

    Ranks compare as tuples. Single dice do not count; a 1 counts as 7.

    >>> dice = parse_dice("5d6")
    >>> poker_hand(dice.roll([1, 4, 1, 4, 6])), poker_hand(dice.roll([1, 2, 3, 4, 5]))
    (((2, 2), (7, 4)), ((), ()))
    """
    alike = Counter(7 if face == 1 else face for face in roll.faces)
    used = sorted(((n, face) for face, n in alike.items() if n > 1), reverse=True)
    return tuple(n for n, _ in used), tuple(face for _, face in used)


TWO_ACES: Hand = (2,), (7,)


FIVE_DICE = parse_dice("5d6").read(poker_hand)
"""Five dice, read by `poker_hand`."""


BETTER, TIE, WORSE = win("better hand"), lose("same hand"), lose("worse hand")


@dataclass(frozen=True)
class Klondike(Game):
    """The bank rolls a hand, then the player; the bet is the player's.

    >>> Klondike().step(((2,), (6,)), TWO_ACES).label
    'better hand'
    """

    dice: Any = FIVE_DICE

    def step(self, bank: Hand | None, hand: Hand) -> Any:
        if bank is None:
            return hand
        if hand == bank:
            return TIE
        return BETTER if hand > bank else WORSE


def klondike() -> Klondike:
    """The bank rolls five dice, then the player, and the better poker hand wins even money: five
    alike, four, a full house, three, two pairs, a pair, nothing. There are no straights. Among
    equal kinds the higher dice decide, 1 highest; dice that are not part of the hand do not count.
    Ties go to the bank.
    """
    return Klondike()


def beat_two_aces() -> Wager:
    """The player's five dice beat a pair of aces: two pairs or better. Even money; no straights."""
    better = tuple(hand for hand in FIVE_DICE.law if hand > TWO_ACES)
    return Wager.one_roll(FIVE_DICE, {better: 1}, bet="beat two aces")


entry = partial(Entry, family="Klondike", source=SCARNE)

# fmt: off
ENTRIES = [
    entry("klondike-win-lose", "Klondike, win / lose (ties to bank)",
          klondike, edge="261763/5038848"),
    entry("klondike-beat-two-aces", "Klondike, beat two aces",
          beat_two_aces, bet="beat two aces", edge="1/9"),
]
# fmt: on
