"""Craps side bets: bonus bets, repeaters, bets on the hand.

A house may pay them differently: `House(side={"fire": fire({4: 9, 5: 199})})`.
"""

from collections.abc import Mapping
from functools import lru_cache

from sevenout.catalogue.craps_family.bets.bonus import all_before_seven, different_doubles
from sevenout.catalogue.craps_family.bets.place import place_to_lose
from sevenout.catalogue.craps_family.bets.propositions import horn, low_dice
from sevenout.catalogue.craps_family.bets.repeaters import CITY, any_of, repeater
from sevenout.catalogue.craps_family.table.craps_table import POINTS
from sevenout.catalogue.craps_family.table.hand import fire, hot_shooter
from sevenout.rules import Game, Wager
from sevenout.rules.casino.felt import IN, Ongoing
from sevenout.rules.game import bets_of

REPEATED = {2: 40, 3: 50, 4: 65, 5: 80, 6: 90, 8: 90, 9: 80, 10: 65, 11: 50, 12: 40}
"""The payments of repeaters, to 1."""
SIDE: dict[str, Game] = {
    "fire": fire(),
    "hot shooter": hot_shooter(),
    "different doubles": different_doubles(),
    "flaming four": all_before_seven((2, 3, 11, 12), 70),
    "sizzling six": all_before_seven(POINTS, 12),
    "hot hand": all_before_seven(CITY, {10: 80, 9: 20}),
    "any repeater": any_of(),
    **{f"repeater {n}": repeater(n, pays=pays) for n, pays in REPEATED.items()},
    **{f"place to lose {n}": place_to_lose(n) for n in POINTS},
    **{f"horn high {n}": horn(n) for n in (2, 3, 11, 12)},
    "low dice": low_dice(),
}
"""The side bets by name."""


POINTS_MADE = ("fire", "hot shooter", *(f"place to lose {n}" for n in POINTS))
"""Side bets that need 4 to 10 as the points."""


def is_side(bet: str) -> bool:
    """Whether a bet is a side bet, new or in progress.

    >>> is_side("fire"), is_side("fire @3 8"), is_side("fir")
    (True, True, False)
    """
    return bet.partition(IN)[0] in SIDE


def made_early(bet: str) -> bool:
    """Whether a side bet is a contract bet made on the come-out.

    >>> made_early("fire"), made_early("low dice")
    (True, False)
    """
    return not isinstance(SIDE[bet.partition(IN)[0]], Wager)


@lru_cache(maxsize=16)
def ongoing(others: tuple[tuple[str, Game], ...] = ()) -> Ongoing:
    """The side bets of a house; `others` replace the usual ones."""
    games: Mapping[str, Game] = SIDE | dict(others)
    return Ongoing({name: (game, bets_of(game)[0]) for name, game in games.items()})
