"""Grand hazard: three dice down a chute."""

from functools import partial

from sevenout.dice import Roll
from sevenout.games.entry import Entry
from sevenout.games.table import SCARNE, THREE_DICE
from sevenout.numerals import Number
from sevenout.rules import Wager


def grand_hazard_total(total: int = 4, pays: Number = 59) -> Wager:
    """The three dice add up to the total. Old tables pay for one what others pay to one: 60 for 1
    is a profit of 59.
    """
    return Wager.one_roll(THREE_DICE.totals, {total: pays}, bet="grand hazard")


def even_chance() -> Wager:
    """High, low, odd and even, for even money; raffles (three dice alike) lose all four. This is
    high, 11 to 18; the others are as likely.
    """
    return Wager.one_roll(THREE_DICE.read(_side), {"high": 1}, bet="grand hazard")


def _side(roll: Roll) -> str:
    return "high" if roll.total >= 11 and not roll.hard else "low or a raffle"


entry = partial(Entry, family="Grand hazard", bet="grand hazard", source=SCARNE)

# fmt: off
ENTRIES = [
    entry("grand-hazard-4-17-60-for-1", "Grand hazard, total 4/17 60 for 1",
          grand_hazard_total, {"total": 4, "pays": 59}, edge="1/6"),
    entry("grand-hazard-4-17-60-to-1", "Grand hazard, total 4/17 60 to 1",
          grand_hazard_total, {"total": 4, "pays": 60}, edge="11/72"),
    entry("grand-hazard-5-16-30-for-1", "Grand hazard, total 5/16 30 for 1",
          grand_hazard_total, {"total": 5, "pays": 29}),
    entry("grand-hazard-5-16-30-to-1", "Grand hazard, total 5/16 30 to 1",
          grand_hazard_total, {"total": 5, "pays": 30}),
    entry("grand-hazard-6-15-18-for-1", "Grand hazard, total 6/15 18 for 1",
          grand_hazard_total, {"total": 6, "pays": 17}, edge="1/6"),
    entry("grand-hazard-6-15-18-to-1", "Grand hazard, total 6/15 18 to 1",
          grand_hazard_total, {"total": 6, "pays": 18}, edge="13/108"),
    entry("grand-hazard-7-14-12-for-1", "Grand hazard, total 7/14 12 for 1",
          grand_hazard_total, {"total": 7, "pays": 11}, edge="1/6"),
    entry("grand-hazard-7-14-12-to-1", "Grand hazard, total 7/14 12 to 1",
          grand_hazard_total, {"total": 7, "pays": 12}, edge="7/72"),
    entry("grand-hazard-8-13-8-for-1", "Grand hazard, total 8/13 8 for 1",
          grand_hazard_total, {"total": 8, "pays": 7}),
    entry("grand-hazard-8-13-8-to-1", "Grand hazard, total 8/13 8 to 1",
          grand_hazard_total, {"total": 8, "pays": 8}),
    entry("grand-hazard-9-12-6-for-1", "Grand hazard, total 9/12 6 for 1",
          grand_hazard_total, {"total": 9, "pays": 5}),
    entry("grand-hazard-9-12-6-to-1", "Grand hazard, total 9/12 6 to 1",
          grand_hazard_total, {"total": 9, "pays": 6}),
    entry("grand-hazard-10-11-6-for-1", "Grand hazard, total 10/11 6 for 1",
          grand_hazard_total, {"total": 10, "pays": 5}),
    entry("grand-hazard-10-11-6-to-1", "Grand hazard, total 10/11 6 to 1",
          grand_hazard_total, {"total": 10, "pays": 6}),
    entry("grand-hazard-high-low",
          "Grand hazard, high/low/odd/even, raffles lose",
          even_chance),
]
# fmt: on
