"""The side bets of a felt of craps, each a game that is played beside the line.

A house may pay them differently: `House(side={"fire": fire({4: 9, 5: 199})})`.
"""

from collections.abc import Mapping
from functools import lru_cache

from sevenout.catalogue.craps_family.craps_bets import (
    ALL,
    HORN,
    HOT_HAND_PAYS,
    REPEATER_PAYS,
    all_before_seven,
    different_doubles,
    horn,
    low_dice,
    place_to_lose,
    repeater,
    shared_repeater,
)
from sevenout.catalogue.craps_family.hand_bets import fire, hot_shooter
from sevenout.catalogue.dice_and_odds import POINTS
from sevenout.rules import Game, Wager
from sevenout.rules.casino.felt import STATE_MARK, Ongoing
from sevenout.rules.game import bets_of

SIDE_BETS: dict[str, Game] = {
    "fire": fire(),
    "hot shooter": hot_shooter(),
    "different doubles": different_doubles(),
    "flaming four": all_before_seven(HORN),
    "sizzling six": all_before_seven(POINTS),
    "hot hand": all_before_seven(ALL, HOT_HAND_PAYS),
    "any repeater": shared_repeater(),
    **{f"repeater {n}": repeater(n) for n in REPEATER_PAYS},
    **{f"place to lose {n}": place_to_lose(n) for n in POINTS},
    **{f"horn high {n}": horn(n) for n in HORN},
    "low dice": low_dice(),
}
"""The side bets by name."""


SIDE_BETS_ON_POINTS = ("fire", "hot shooter", *(f"place to lose {n}" for n in POINTS))
"""Side bets that need 4 to 10 as the points."""


def is_side_bet(bet: str) -> bool:
    """Whether a bet is a side bet, new or in progress.

    >>> is_side_bet("fire"), is_side_bet("fire @3 8"), is_side_bet("fir")
    (True, True, False)
    """
    return bet.partition(STATE_MARK)[0] in SIDE_BETS


def is_made_on_come_out(bet: str) -> bool:
    """Whether a side bet is a contract bet made on the come-out.

    >>> is_made_on_come_out("fire"), is_made_on_come_out("low dice")
    (True, False)
    """
    # A wager is settled by single rolls; the others are games with a beginning.
    return not isinstance(SIDE_BETS[bet.partition(STATE_MARK)[0]], Wager)


@lru_cache(maxsize=16)
def side_bets_in_progress(others: tuple[tuple[str, Game], ...] = ()) -> Ongoing:
    """The games of a house's side bets, in progress; `others` replace the usual ones."""
    games: Mapping[str, Game] = SIDE_BETS | dict(others)
    return Ongoing({name: (game, bets_of(game)[0]) for name, game in games.items()})
