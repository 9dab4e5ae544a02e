"""Street craps, and Street Dice in casinos."""

from functools import partial

from sevenout.catalogue.banked.fast_craps import pass_bet
from sevenout.catalogue.craps_family.craps import craps
from sevenout.catalogue.craps_family.table.craps_table import SCARNE, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.rules import PayTable, PointGame


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
ENTRIES = [
    street_bet("street-craps", "Street craps", shooter, source=SCARNE, edge="7/495"),
    street_bet("street-craps-shooter", "Street craps, shooter, even money fade",
               shooter, edge="7/495"),
    street_bet("street-craps-fader", "Street craps, fader (12 not barred)",
               fader, bet="fade", edge="-7/495"),
    street_bet("street-dice", "Street Dice",
               street_dice, family="Street Dice", source=WIZARD, edge="21089/419904"),
]
# fmt: on
