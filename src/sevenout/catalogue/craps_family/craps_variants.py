"""Games of the craps family with other rules: crapless, street dice, Fast Craps and others."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.craps import craps
from sevenout.catalogue.dice_and_odds import SCARNE, TOTALS, WIZARD, true_odds
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rolling import Deal, deck, parse_dice
from sevenout.rules import Game, JointGame, PayTable, PointGame, Wager, lose, win

# --- Fast Craps: two bets, at most four rolls ---


def pass_bet() -> PointGame:
    """The first roll sets the point; an 11 wins even money, a 7 pushes, 2, 3 and 12 lose. The point
    must come again within three rolls and before a 7; it pays more the rarer it is and the sooner
    it comes.
    """
    pays = {(4, 10): [5, 4, 3], (5, 9): [4, 3, 2], (6, 8): [3, 2, 1]}
    return PointGame([11], [2, 3, 12], 7, pushes=[7], limit=3, bets={"pass": PayTable(point=pays)})


def brick_bet() -> PointGame:
    """The first roll sets the point, which must be 4, 6, 8 or 10; 7 and 11 push, the rest lose. The
    point must come the hard way within three rolls, before a 7 and before it comes the easy way; it
    pays 25 to 1.
    """
    line = PayTable(point=25)
    settles: dict[str, Any] = {"pushes": [7, 11], "limit": 3, "hard": True}
    return PointGame([], [2, 3, 5, 9, 12], 7, **settles, bets={"brick": line}, side_of=pass_bet())


def fast_craps() -> JointGame:
    """Two bets on the same rolls. The first roll sets the point, which must come again before a 7
    and within three rolls. On the pass bet an 11 wins even money, a 7 pushes, and 2, 3 and 12 lose;
    a point pays more the rarer it is and the sooner it comes. On the brick 7 and 11 push, and 2, 3,
    5, 9 and 12 lose. Its point must come the hard way, before the easy way, and pays 25 to 1.
    """
    return JointGame(pass_bet(), brick_bet())


entry = partial(Entry, family="Fast Craps", source="Fast Craps, rules and analysis")

ENTRIES = [
    entry("fast-craps", "Fast Craps", fast_craps),
    entry("fast-craps-pass", "Fast Craps, pass", pass_bet),
    entry("fast-craps-brick", "Fast Craps, brick", brick_bet, bet="brick"),
]


# --- crapless craps: 2, 3, 11 and 12 are points ---


CRAPLESS_POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


def crapless(multiple: int = 0) -> PointGame:
    """Craps in which the come-out can't lose: a 7 wins, and every other total is the point, which
    then must come again before a 7. Pays even money. Behind a point `multiple` times as much may be
    taken in odds, at 6 to 1 on 2 and 12, 3 to 1 on 3 and 11, and as at craps on the rest. The stake
    is the flat bet alone: the odds count in the element of risk.
    """
    n = multiple
    if n < 0:
        raise RulesError(f"multiple={n}; take 0 or more times the flat bet")
    line = PayTable(
        point={p: (1 + n * true_odds(p), 1 + n) for p in CRAPLESS_POINTS},
        out=(-1 - n, 1 + n),
    )
    return PointGame(naturals=[7], craps=[], out=7, bets={"pass": line if n else PayTable()})


def crapless_place(number: int = 2, pays: Number = "11/2") -> Wager:
    """The number comes before a 7. Usual pays are 11 to 2 on 2 and 12, 11 to 4 on 3 and 11."""
    if number not in CRAPLESS_POINTS:
        raise RulesError(f"number={number}; every total but 7 is a point")
    return Wager(TOTALS, {number: pays, 7: -1}, bet="place")


crapless_bet = partial(Entry, family="Crapless craps", source=WIZARD)

# fmt: off
ENTRIES += [
    crapless_bet("crapless", "Crapless craps", crapless, edge="373/6930"),
    crapless_bet("crapless-pass", "Crapless craps, pass", crapless, edge="373/6930"),
    crapless_bet("crapless-place-2-12", "Crapless craps, place 2/12 (11/2 to 1)",
                 crapless_place, bet="place"),
    crapless_bet("crapless-place-3-11", "Crapless craps, place 3/11 (11/4 to 1)",
                 crapless_place, {"number": 3, "pays": "11/4"}, bet="place", edge="1/16"),
    crapless_bet("crapless-pass-1x-odds",
                 "Crapless craps, pass + 1x odds (per unit of all money bet)",
                 crapless, {"multiple": 1}, convention="risk", edge="373/12705"),
    crapless_bet("crapless-pass-2x-odds",
                 "Crapless craps, pass + 2x odds (per unit of all money bet)",
                 crapless, {"multiple": 2}, convention="risk", edge="373/18480"),
    crapless_bet("crapless-pass-5x-odds",
                 "Crapless craps, pass + 5x odds (per unit of all money bet)",
                 crapless, {"multiple": 5}, convention="risk"),
]
# fmt: on


# --- street craps, and Street Dice in casinos ---


def shooter() -> PointGame:
    """Craps without a house: the shooter puts up a stake, someone fades it, and the winner of the
    round takes both.
    """
    return craps()


def fader() -> PointGame:
    """The other side of street craps: wins whenever the shooter loses. No total is barred, so that
    the edge is the shooter's loss.
    """
    line = PayTable(natural=-1, craps=1, point=-1, out=1)
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, bets={"fade": line})


def street_dice() -> PointGame:
    """Street Dice, at the Downtown Grand in 2014. On the come-out 11 wins, 7 returns the bet, and
    2, 3 and 12 lose; any other total is the point, to be made within three rolls and before a 7. It
    pays 5, 4 or 3 to 1 on 4 and 10 by the roll on which it comes, 4, 3 or 2 on 5 and 9, and 3, 2 or
    1 on 6 and 8. It is the pass bet of Fast Craps.
    """
    return pass_bet()


street_bet = partial(Entry, family="Street craps", source=SCARNE)

# fmt: off
ENTRIES += [
    street_bet("street-craps", "Street craps", shooter, source=SCARNE, edge="7/495"),
    street_bet("street-craps-shooter", "Street craps, shooter, even money fade",
               shooter, edge="7/495"),
    street_bet("street-craps-fader", "Street craps, fader (12 not barred)",
               fader, bet="fade", edge="-7/495"),
    street_bet("street-dice", "Street Dice",
               street_dice, family="Street Dice", source=WIZARD, edge="21089/419904"),
]
# fmt: on


# --- No-Crap Craps (US patent 7,134,660): the rare totals share two points ---


PATENT = "US patent 7,134,660"


def _point_of(total: int) -> int | str:
    return {2: "2-3", 3: "2-3", 11: "11-12", 12: "11-12"}.get(total, total)


GROUPED = TOTALS.read(_point_of)
"""Two dice, with 2 and 3 read as one total, and 11 and 12."""


def no_crap() -> PointGame:
    """A come-out of 7 wins and any other total is the point. 2 and 3 together are one point, made
    by either, and so are 11 and 12. The point must come again before a 7. Pays even money.
    """
    return PointGame(naturals=[7], craps=[], out=7, dice=GROUPED)


def no_crap_dont() -> PointGame:
    """The opposite of the pass bet at No-Crap Craps; but a seven-out after the point 11-12 pays
    half. A come-out of 7 loses.
    """
    line = PayTable(natural=-1, point=-1, out={"11-12": "1/2", ("2-3", 4, 5, 6, 8, 9, 10): 1})
    return PointGame([7], [], 7, dice=GROUPED, bets={"don't pass": line})


entry = partial(Entry, family="No-Crap Craps", source=PATENT)

# fmt: off
ENTRIES += [
    entry("no-crap-pass", "No-Crap Craps, pass", no_crap),
    entry("no-crap-dont-pass", "No-Crap Craps, don't pass",
          no_crap_dont, bet="don't pass", edge="3/220"),
]
# fmt: on


# --- high point pass: one roll to beat the point ---


@dataclass(frozen=True)
class HighPoint(Game):
    """The come-out wins, is rolled again or sets a point; the next roll must be higher.

    >>> HighPoint().step(9, 9).label
    'not beaten'

    Attributes:
        dice: the totals of two dice.
    """

    dice: Any = TOTALS
    start = "come-out"

    def step(self, point: int | str, roll: int) -> Any:
        """The come-out, or the roll against the point."""
        match point, roll:
            # Too easy to beat: rolled again.
            case "come-out", 2 | 3:
                return "come-out"
            case "come-out", 11 | 12:
                return win("natural")
            case int(low), _:
                return win("beaten") if roll > low else lose("not beaten")
            case _:
                return roll


def high_point() -> HighPoint:
    """On the come-out 11 and 12 win, 2 and 3 are rolled again, and any total from 4 to 10, 7
    included, is the point. Then there is one more roll, which must beat the point: a tie loses.
    Even money.
    """
    return HighPoint()


entry = partial(Entry, family="High point pass", source=WIZARD)

# fmt: off
ENTRIES += [
    entry("high-point-pass", "High point pass, pass", high_point, edge="7/297"),
]
# fmt: on


# --- pharaoh craps: two eight-sided dice ---


def pharaoh(natural: Number = 1, point: Number = 1) -> PointGame:
    """Craps with two eight-sided dice: on the come-out 9 and 15 win and 2, 3 and 16 lose; any other
    total is the point, which must come again before a 9. What a natural pays and what a point pays
    depend on the table.
    """
    line = PayTable(natural=natural, point=point)
    return PointGame([9, 15], [2, 3, 16], 9, bets={"pass": line}, dice=parse_dice("2d8"))


entry = partial(Entry, family="Pharaoh craps", source=WIZARD)

# fmt: off
ENTRIES += [
    entry("pharaoh-pass", "Pharaoh craps, pass, naturals pay 1, points pay 1",
          pharaoh, edge="2721/40040"),
    entry("pharaoh-pass-points-6-5", "Pharaoh craps, pass, naturals pay 1, points pay 6/5",
          pharaoh, {"point": "6/5"}, edge="437/72800"),
    entry("pharaoh-pass-naturals-3-2", "Pharaoh craps, pass, naturals pay 3/2, points pay 1",
          pharaoh, {"natural": "3/2"}),
]
# fmt: on


# --- craps played with cards, where the law forbids dice ---


FACES = range(1, 7)


def two_cards(cards: int = 24) -> Deal:
    """Two cards from a freshly shuffled pack with equally many of each face from 1 to 6.

    >>> two_cards(24).totals.law[12]
    Fraction(1, 46)

    Raises:
        RulesError: the number of cards is not a positive multiple of six.
    """
    # Equally many of each face, so that a card is like a die.
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
    dice = two_cards(cards)
    return PointGame([7, 11], _losing_totals(dice), 7, dice=dice)


def card_dont_pass(cards: int = 24) -> PointGame:
    """The opposite of the pass bet at craps with cards; a come-out of 12 returns the bet."""
    dice = two_cards(cards)
    totals = _losing_totals(dice)
    # With one card of each face there is no 12 to bar.
    pays = {tuple(total for total in totals if total != 12): 1} | ({12: 0} if 12 in totals else {})
    line = PayTable(natural=-1, craps=pays, point=-1, out=1)
    return PointGame([7, 11], totals, 7, dice=dice, bets={"don't pass": line})


def play_craps() -> PointGame:
    """Craps with a pack of 36 cards, one for each way that two dice can fall; a card is drawn for
    each roll and goes back. The same game as with dice.
    """
    pack = deck([first + second for first in FACES for second in FACES]).deal(1)
    return PointGame([7, 11], [2, 3, 12], 7, dice=pack)


def _losing_totals(dice: Deal) -> list[int]:
    return [total for total in (2, 3, 12) if total in dice.totals.law]


entry = partial(Entry, family="Card craps", source=WIZARD)

# fmt: off
PACKS = {6: ("6 cards (one of each)", None, None), 24: ("24-card deck", "149/20769", None),
         48: ("48 cards", "5261/483865", None), 264: ("264 cards", None, None),
         312: ("312-card shuffler", "16998701/1243954905", "34000133/2487909810")}
"""By number of cards: the pack in words, and each bet's edge, where known."""

ENTRIES += [
    *(entry(f"card-craps-{side}-{n}", f"Card craps, {title}, {pack}",
            build, {"cards": n}, bet=bet, edge=edge)
      for n, (pack, pass_edge, dont_edge) in PACKS.items()
      for side, title, build, bet, edge in (
          ("pass", "pass", card_craps, "pass", pass_edge),
          ("dont-pass", "don't pass bar 12", card_dont_pass, "don't pass", dont_edge))),
    entry("card-craps-pass-36", "Craps with 36 cards, pass", play_craps, edge="7/495"),
]
# fmt: on
