"""Games against a bank or between players, of two, three and five dice."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from sevenout.catalogue.dice_and_odds import (
    ETHIER,
    FACE_PAIRS,
    SCARNE,
    THREE_DICE,
    TOTALS,
    TWO_DICE,
    WIZARD,
    BetReading,
    checked_faces,
    count_face,
)
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number, exact
from sevenout.rolling import Roll, d6, parse_dice
from sevenout.rules import Game, Wager, lose, push, win

# --- sic bo: bets on one roll of three dice ---


def small() -> Wager:
    """A total from 4 to 10 that is no triple, for even money. Big, 11 to 17, is its mirror."""
    return _sic_bo_bet("small", 1, _is_small)


def sic_bo_total(total: int = 4, pays: Number = 60) -> Wager:
    """The three dice add up to the total. What it pays depends on where it is played."""
    return Wager.one_roll(THREE_DICE.totals, {total: pays}, bet="sic bo")


def triple(face: int | None = None, pays: Number = 30) -> Wager:
    """Three dice alike: any triple, or that of one face."""
    if face is not None:
        checked_faces(face)
    return _sic_bo_bet("triple", pays, _is_triple, face)


def double(face: int = 1, pays: Number = 10) -> Wager:
    """At least two of the dice show the face; all three win no more."""
    return _sic_bo_bet("double", pays, _is_double, *checked_faces(face))


def combination(faces: tuple[int, int] = (1, 2), pays: Number = 6) -> Wager:
    """Both of two different faces show."""
    return _sic_bo_bet("both", pays, _shows_both, _different_faces(faces))


def exactly(faces: tuple[int, int, int] = (1, 2, 3), pays: Number = 30) -> Wager:
    """The dice show exactly these three faces, in any order: three different ones at 30 to 1, say,
    or two of one and one of another at 50 to 1.
    """
    return _sic_bo_bet("these three", pays, _shows_exactly, checked_faces(*faces))


def three_of_four(faces: tuple[int, int, int, int] = (1, 2, 3, 4), pays: Number = 7) -> Wager:
    """The dice show three different faces out of these four."""
    return _sic_bo_bet("three of four", pays, _shows_three_of, _different_faces(faces))


def _different_faces(faces: tuple[int, ...]) -> tuple[int, ...]:
    """Faces for a bet, which must differ."""
    if len(set(faces)) < len(faces):
        raise RulesError(f"faces={','.join(map(str, faces))}; name different faces")
    return checked_faces(*faces)


def _is_small(roll: Roll) -> bool:
    return roll.total <= 10 and not roll.hard


def _is_triple(roll: Roll, face: int | None) -> bool:
    return roll.hard and face in (None, roll.faces[0])


def _is_double(roll: Roll, face: int) -> bool:
    return count_face(roll, face) >= 2


def _shows_both(roll: Roll, faces: tuple[int, ...]) -> bool:
    return set(faces) <= set(roll.faces)


def _shows_exactly(roll: Roll, faces: tuple[int, ...]) -> bool:
    return sorted(roll.faces) == sorted(faces)


def _shows_three_of(roll: Roll, faces: tuple[int, ...]) -> bool:
    return len(set(roll.faces)) == 3 and set(roll.faces) <= set(faces)


def _event_or_others(roll: Roll, event: str, test: Callable[..., bool], *args: Any) -> str:
    """The event if the roll passes the test, else "others"."""
    return event if test(roll, *args) else "others"


def _sic_bo_bet(event: str, pays: Number, test: Callable[..., bool], *args: Any) -> Wager:
    """A bet that the next roll of three dice passes a test."""
    dice = THREE_DICE.read(BetReading(_event_or_others, (event, test, *args)))
    return Wager.one_roll(dice, {event: pays}, bet="sic bo")


entry = partial(Entry, family="Sic bo", bet="sic bo", source=WIZARD)

# fmt: off
MACAU, CITY, AUSTRALIA = " (Macau)", " (Atlantic City)", " (Australia)"
SIC_BO_PAYS = [
    (4, 50, MACAU, None), (4, 60, CITY, "11/72"), (4, 62, AUSTRALIA, None),
    (5, 18, MACAU, "17/36"), (5, 30, CITY, "5/36"), (5, 31, AUSTRALIA, "1/9"),
    (6, 14, MACAU, "11/36"), (6, 17, CITY, None), (6, 18, AUSTRALIA, None),
    (7, 12, "", "7/72"), (8, 8, "", "1/8"), (9, 6, "", "41/216"), (9, 7, "", None),
    (10, 6, "", "1/8"),
]
"""A total, its payment, where it is paid, and the published edge."""

ENTRIES = [
    entry("sic-bo-small-big", "Sic bo, small/big", small, edge="1/36"),
    *(entry(f"sic-bo-total-{n}-{21 - n}-{pays}-1", f"Sic bo, total {n}/{21 - n} {pays}:1{casino}",
            sic_bo_total, {"total": n, "pays": pays}, edge=edge)
      for n, pays, casino, edge in SIC_BO_PAYS),
    entry("sic-bo-triple-150-1", "Sic bo, specific triple 150:1",
          triple, {"face": 1, "pays": 150}, edge="65/216"),
    entry("sic-bo-triple-180-1", "Sic bo, specific triple 180:1", triple, {"face": 1, "pays": 180}),
    *(entry(f"sic-bo-any-triple-{n}-1", f"Sic bo, any triple {n}:1", triple, {"pays": n}, edge=edge)
      for n, edge in ((24, "11/36"), (30, "5/36"), (31, "1/9"))),
    entry("sic-bo-double-8-1", "Sic bo, specific double 8:1 (at least two)",
          double, {"pays": 8}, edge="1/3"),
    entry("sic-bo-double-10-1", "Sic bo, specific double 10:1 (at least two)",
          double, {"pays": 10}, edge="5/27"),
    entry("sic-bo-double-11-1", "Sic bo, specific double 11:1 (at least two)",
          double, {"pays": 11}),
    entry("sic-bo-two-numbers-5-1", "Sic bo, two-dice combination 5:1", combination, {"pays": 5}),
    entry("sic-bo-two-numbers-6-1", "Sic bo, two-dice combination 6:1",
          combination, {"pays": 6}, edge="1/36"),
    entry("sic-bo-three-numbers", "Sic bo, three different named numbers 30:1",
          exactly, {"faces": (1, 2, 3), "pays": 30}, edge="5/36"),
    entry("sic-bo-pair-and-one", "Sic bo, two of one and one of another (2 2 5) 50:1",
          exactly, {"faces": (2, 2, 5), "pays": 50}, edge="7/24"),
    entry("sic-bo-four-numbers", "Sic bo, four-number combination 7:1 (three distinct of four)",
          three_of_four, edge="1/9"),
]
# fmt: on


# --- chuck-a-luck: three dice in a birdcage ---


def single_number(face: int = 1, triple: Number = 3) -> Wager:
    """A face is named. Even money if one die shows it, 2 to 1 if two do, and 3 to 1 or more, as the
    table has it, if all three do.
    """
    dice = THREE_DICE.read(BetReading(count_face, checked_faces(face)))
    return Wager.one_roll(dice, {3: triple, 2: 2, 1: 1}, bet="chuck-a-luck")


def total_field(low: tuple[int, int] = (3, 7), high: tuple[int, int] = (13, 18)) -> Wager:
    """The total lies in the low range or in the high range, ends included, for even money. Triples
    count like any other roll.
    """
    for first, last in (low, high):
        if first > last:
            raise RulesError(f"{first} to {last} is not a range; put the lower total first")
    wins = (*range(low[0], low[1] + 1), *range(high[0], high[1] + 1))
    return Wager.one_roll(THREE_DICE.totals, {wins: 1}, bet="chuck-a-luck")


def under_or_over(side: Literal["under", "over"] = "under") -> Wager:
    """Under: the total is below 10. Over: it is above 11. Even money on either; triples count like
    any other roll.
    """
    ranges = {"under": range(3, 10), "over": range(12, 19)}
    return Wager.one_roll(THREE_DICE.totals, {tuple(ranges[side]): 1}, bet="chuck-a-luck")


entry = partial(Entry, family="Chuck-a-luck", bet="chuck-a-luck", source=WIZARD)

SINGLE_NUMBER_EDGES = {3: "17/216", 5: "5/72", 7: "13/216", 8: "1/18", 10: "5/108", 12: "1/27"}
"""The published edges, by the payment for three alike."""

# fmt: off
ENTRIES += [
    *(entry(f"chuck-a-luck-1-2-{n}", f"Chuck-a-luck, single number 1:1, 2:1, {n}:1",
            single_number, {"triple": n}, edge=SINGLE_NUMBER_EDGES.get(n)) for n in range(3, 13)),
    entry("chuck-a-luck-field-5-8-13-16", "Chuck-a-luck, field 5-8 or 13-16",
          total_field, {"low": (5, 8), "high": (13, 16)}, edge="1/27"),
    entry("chuck-a-luck-field-3-7-13-18", "Chuck-a-luck, field 3-7 or 13-18",
          total_field, {"low": (3, 7), "high": (13, 18)}, edge="17/108"),
    entry("chuck-a-luck-under-10-over-11", "Chuck-a-luck, under 10 / over 11", under_or_over),
]
# fmt: on


# --- grand hazard: three dice down a chute ---


def grand_hazard_total(total: int = 4, pays: Number = 59) -> Wager:
    """The three dice add up to the total. Old tables pay for one what others pay to one: 60 for 1
    is a profit of 59.
    """
    return Wager.one_roll(THREE_DICE.totals, {total: pays}, bet="grand hazard")


def even_chance() -> Wager:
    """High, low, odd and even, for even money; raffles (three dice alike) lose all four. This is
    high, 11 to 18; the others are as likely.
    """
    return Wager.one_roll(THREE_DICE.read(_high_or_low), {"high": 1}, bet="grand hazard")


def _high_or_low(roll: Roll) -> str:
    return "high" if roll.total >= 11 and not roll.hard else "low or a raffle"


entry = partial(Entry, family="Grand hazard", bet="grand hazard", source=SCARNE)

# fmt: off
GRAND_HAZARD_PAYS = {4: (60, "1/6", "11/72"), 5: (30, None, None), 6: (18, "1/6", "13/108"),
        7: (12, "1/6", "7/72"), 8: (8, None, None), 9: (6, None, None), 10: (6, None, None)}
"""By total: the payment, for one or to one, and the published edge of each."""

ENTRIES += [
    *(entry(f"grand-hazard-{n}-{21 - n}-{pays}-{word}-1",
            f"Grand hazard, total {n}/{21 - n} {pays} {word} 1",
            grand_hazard_total, {"total": n, "pays": profit}, edge=edge)
      for n, (pays, for_one, to_one) in GRAND_HAZARD_PAYS.items()
      for word, profit, edge in (("for", pays - 1, for_one), ("to", pays, to_one))),
    entry("grand-hazard-high-low", "Grand hazard, high/low/odd/even, raffles lose", even_chance),
]
# fmt: on


# --- cee-lo: three dice, and the bank rolls first ---


def hand(roll: Roll) -> int | str | None:
    """A roll as "win", "lose", a point from 2 to 5, or None.

    >>> hand(THREE_DICE.roll([4, 2, 4])), hand(THREE_DICE.roll([6, 4, 5]))
    (2, 'win')
    """
    low, middle, high = sorted(roll.faces)
    # Three alike, whatever the face, win at once.
    if low == high or (low, middle, high) == (4, 5, 6):
        return "win"
    if (low, middle, high) == (1, 2, 3):
        return "lose"
    # No pair: rolled again.
    if middle not in (low, high):
        return None
    # The die beside the pair is the point; a 6 wins and a 1 loses.
    single: int = high if low == middle else low
    return {6: "win", 1: "lose"}.get(single, single)


HANDS = THREE_DICE.read(hand)
"""Three dice, read by `hand`."""


@dataclass(frozen=True)
class CeeLo(Game):
    """The bank rolls; if it sets a point, the player rolls. The bet is the player's.

    >>> CeeLo().step(4, 5).label
    'higher point'

    Attributes:
        dice: three dice, read as hands.
    """

    dice: Any = HANDS
    start = "bank"

    def step(self, point: int | str, roll: int | str | None) -> Any:
        """One roll; it is the bank's until there is a point."""
        match point, roll:
            case _, None:
                return point
            case "bank", "win":
                return lose("bank wins at once")
            case "bank", "lose":
                return win("bank loses at once")
            case "bank", _:
                return roll
            case _, "win":
                return win("player wins at once")
            case _, "lose":
                return lose("player loses at once")
            case int(bank), int(player):
                if player == bank:
                    return push("same point")
                return win("higher point") if player > bank else lose("lower point")


def cee_lo() -> CeeLo:
    """The bank rolls three dice until they mean something: 4-5-6, three alike, or a pair with a 6
    win at once; 1-2-3, or a pair with a 1, lose; a pair with another die makes that die the point.
    Against a point the player rolls in the same way, and then the higher point wins; the same point
    returns the bet. Even money. The edge is the bank's.
    """
    return CeeLo()


entry = partial(Entry, family="Cee-lo", source=WIZARD)

# fmt: off
ENTRIES += [
    entry("cee-lo-player", "Cee-lo, player", cee_lo),
]
# fmt: on


# --- barbudi (barbooth, barbut): equally many rolls win and lose ---


WINS = ("3-3", "5-5", "5-6", "6-6")
LOSSES = ("1-1", "1-2", "2-2", "4-4")


@dataclass(frozen=True)
class Barbudi(Game):
    """The dice pass between two players until a roll decides for or against the player who rolled.

    >>> Barbudi().step("fader", "6-6").label
    'fader wins'

    Args:
        charge: the house's share of a win.

    Attributes:
        dice: two dice, read as a pair of faces.
        start: who rolls first.
    """

    charge: Number = 0
    dice: Any = FACE_PAIRS
    start: str = "shooter"

    def step(self, roller: str, roll: str) -> Any:
        """One roll, by the shooter or the fader."""
        opponent = "fader" if roller == "shooter" else "shooter"
        # The dice pass to the other player.
        if roll not in WINS and roll not in LOSSES:
            return opponent
        winner = roller if roll in WINS else opponent
        # The house charges the winner.
        pays: Fraction = 1 - exact(self.charge)
        return win("shooter wins", pays) if winner == "shooter" else lose("fader wins")


def barbudi(charge: Number = 0) -> Barbudi:
    """Shooter and fader roll two dice in turn, the shooter first. 3-3, 5-5, 6-6 and 5-6 win for
    the player who rolls them, 1-1, 2-2, 4-4 and 1-2 lose; with any other roll the dice are passed.
    Even money between players; a house takes a charge from the winnings. The bet is the shooter's.
    """
    if not 0 <= exact(charge) <= 1:
        raise RulesError(f"charge={charge}; the house takes a share from 0 to 1, such as 1/20")
    return Barbudi(exact(charge))


def barbut(side: Literal["front", "back"] = "front") -> Wager:
    """Barbut as at the Holland Casino: the dice are rolled until a roll decides. Front wins with
    3-3, 5-5, 6-6 and 5-6 and loses with 1-1, 2-2, 4-4 and 1-2; back is the opposite. Even money,
    but 6-6 pays front, and 1-1 pays back, only 1 to 2.
    """
    wins, losses, half = (WINS, LOSSES, "6-6") if side == "front" else (LOSSES, WINS, "1-1")
    even_money = tuple(roll for roll in wins if roll != half)
    return Wager(FACE_PAIRS, {even_money: 1, half: "1/2", losses: -1}, bet="barbut")


entry = partial(Entry, family="Barbudi", source=SCARNE)

# fmt: off
ENTRIES += [
    entry("barbudi", "Barbudi, shooter vs fader, even money", barbudi),
    entry("barbudi-5-charge", "Barbudi, with 5% charge on winnings",
          barbudi, {"charge": "1/20"}, edge="1/40"),
    entry("barbut", "Barbut, front or back", barbut, family="Barbut", bet="barbut", source=WIZARD),
]
# fmt: on


# --- dice duel: a red die against a blue one ---


def red_higher() -> Wager:
    """The red die beats the blue one, for even money. Two alike return the bet, but 1-1 loses."""
    return Wager.one_roll(
        TWO_DICE.read(_duel), {"red higher": 1, ("tie", "6-6"): 0}, bet="dice duel"
    )


def tie() -> Wager:
    """The two dice are alike. Pays 4 to 1, and 8 to 1 on 6-6."""
    pays = {("tie", "1-1"): 4, "6-6": 8}
    return Wager.one_roll(TWO_DICE.read(_duel), pays, bet="dice duel")


def specific_number(face: int = 1) -> Wager:
    """A face is named. Pays 2 to 1 if one die shows it, 4 to 1 if both do."""
    return Wager.one_roll(
        TWO_DICE.read(BetReading(count_face, checked_faces(face))), {1: 2, 2: 4}, bet="dice duel"
    )


def _duel(roll: Roll) -> str:
    """The result of a roll of a red die against a blue one."""
    red, blue = roll.faces
    if red == blue:
        return {1: "1-1", 6: "6-6"}.get(red, "tie")
    return "red higher" if red > blue else "blue higher"


entry = partial(Entry, family="Dice duel", bet="dice duel", source=WIZARD)

# fmt: off
ENTRIES += [
    entry("dice-duel-red-higher", "Dice duel, red higher", red_higher),
    entry("dice-duel-tie", "Dice duel, tie", tie, edge="1/18"),
    entry("dice-duel-number", "Dice duel, specific number", specific_number),
]
# fmt: on


# --- dice by Gamesys: no edge, but a commission on a session's win ---


RANGES = {"low": (1, 2), "medium": (3, 4), "high": (5, 6)}


def low_medium_high(side: Literal["low", "medium", "high"] = "low") -> Wager:
    """At least one die is low (1 or 2), medium (3 or 4) or high (5 or 6). Pays 4 to 5."""
    return Wager.one_roll(TWO_DICE.read(BetReading(_in_range, (side,))), {side: "4/5"}, bet="dice")


def _in_range(roll: Roll, side: str) -> str:
    return side if set(RANGES[side]) & set(roll.faces) else "others"


def parity(side: Literal["odd", "even"] = "odd") -> Wager:
    """The total is odd, or even. Pays even money."""
    wins = tuple(range(3 if side == "odd" else 2, 13, 2))
    return Wager.one_roll(TOTALS, {wins: 1}, bet="dice")


def range_of_totals(totals: tuple[int, ...] = (2, 3, 4, 5, 6), pays: Number = "7/5") -> Wager:
    """The total is one of these: usually 2 to 6 pays 7 to 5, and 7 pays 5 to 1."""
    return Wager.one_roll(TOTALS, {totals: pays}, bet="dice")


entry = partial(Entry, family="Gamesys Dice", bet="dice", source=WIZARD)

# fmt: off
ENTRIES += [
    entry("gamesys-dice-range", "Gamesys Dice, low/medium/high", low_medium_high),
    entry("gamesys-dice-odd-even", "Gamesys Dice, odd/even", parity, edge="0"),
    entry("gamesys-dice-total-2-6", "Gamesys Dice, total 2-6", range_of_totals),
    entry("gamesys-dice-seven", "Gamesys Dice, seven",
          range_of_totals, {"totals": (7,), "pays": 5}, edge="0"),
]
# fmt: on


# --- the Chevalier de Méré's two bets, from 1654 ---


def one_six(rolls: int = 4) -> Wager:
    """At least one 6 in `rolls` rolls of a die, for even money."""
    return Wager(d6, {6: 1}, limit=rolls, bet="a six")


def double_six(rolls: int = 24) -> Wager:
    """At least one double six in `rolls` rolls of two dice, for even money."""
    return Wager(TOTALS, {12: 1}, limit=rolls, bet="a double six")


entry = partial(Entry, family="De Méré", source=ETHIER)

# fmt: off
ENTRIES += [
    entry("de-mere-six-in-4", "De Méré, one six in four rolls",
          one_six, bet="a six", edge="-23/648"),
    entry("de-mere-double-six-in-24", "De Méré, a double six in 24 rolls",
          double_six, bet="a double six"),
]
# fmt: on


# --- klondike: poker hands with five dice ---------------------------------------------------------

PokerHand = tuple[tuple[int, ...], tuple[int, ...]]


def poker_hand(roll: Roll) -> PokerHand:
    """The rank of five dice: sizes and faces of the sets, largest first.

    Ranks compare as tuples. Single dice do not count; a 1 counts as 7.

    >>> dice = parse_dice("5d6")
    >>> poker_hand(dice.roll([1, 4, 1, 4, 6])), poker_hand(dice.roll([1, 2, 3, 4, 5]))
    (((2, 2), (7, 4)), ((), ()))
    """
    # An ace is high.
    counts = Counter(7 if face == 1 else face for face in roll.faces)
    sets = sorted(((n, face) for face, n in counts.items() if n > 1), reverse=True)
    return tuple(n for n, _ in sets), tuple(face for _, face in sets)


TWO_ACES: PokerHand = (2,), (7,)


FIVE_DICE = parse_dice("5d6").read(poker_hand)
"""Five dice, read by `poker_hand`."""


BETTER, TIE, WORSE = win("better hand"), lose("same hand"), lose("worse hand")


@dataclass(frozen=True)
class Klondike(Game):
    """The bank rolls a hand, then the player; the bet is the player's.

    >>> Klondike().step(((2,), (6,)), TWO_ACES).label
    'better hand'

    Attributes:
        dice: five dice, read as poker hands.
    """

    dice: Any = FIVE_DICE

    def step(self, bank: PokerHand | None, hand: PokerHand) -> Any:
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
KLONDIKE = [
    entry("klondike-win-lose", "Klondike, win / lose (ties to bank)",
          klondike, edge="261763/5038848"),
    entry("klondike-beat-two-aces", "Klondike, beat two aces",
          beat_two_aces, bet="beat two aces", edge="1/9"),
]
# fmt: on
