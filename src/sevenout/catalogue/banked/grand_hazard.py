"""Grand hazard: three dice down a chute."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import SCARNE, THREE_DICE
from sevenout.catalogue.entries import Entry
from sevenout.numerals import Number
from sevenout.rolling import Roll
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
PAID = {4: (60, "1/6", "11/72"), 5: (30, None, None), 6: (18, "1/6", "13/108"),
        7: (12, "1/6", "7/72"), 8: (8, None, None), 9: (6, None, None), 10: (6, None, None)}
"""By total: the payment, for one or to one, and the published edge of each."""

ENTRIES = [
    *(entry(f"grand-hazard-{n}-{21 - n}-{pays}-{so}-1",
            f"Grand hazard, total {n}/{21 - n} {pays} {so} 1",
            grand_hazard_total, {"total": n, "pays": profit}, edge=edge)
      for n, (pays, for_one, to_one) in PAID.items()
      for so, profit, edge in (("for", pays - 1, for_one), ("to", pays, to_one))),
    entry("grand-hazard-high-low", "Grand hazard, high/low/odd/even, raffles lose", even_chance),
]
# fmt: on
