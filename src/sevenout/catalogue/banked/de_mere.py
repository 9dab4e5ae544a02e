"""The Chevalier de Méré's two bets, from 1654."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import ETHIER, TOTALS
from sevenout.catalogue.entries import Entry
from sevenout.rolling import d6
from sevenout.rules import Wager


def one_six(rolls: int = 4) -> Wager:
    """At least one 6 in `rolls` rolls of a die, for even money."""
    return Wager(d6, {6: 1}, limit=rolls, bet="a six")


def double_six(rolls: int = 24) -> Wager:
    """At least one double six in `rolls` rolls of two dice, for even money."""
    return Wager(TOTALS, {12: 1}, limit=rolls, bet="a double six")


entry = partial(Entry, family="De Méré", source=ETHIER)

# fmt: off
ENTRIES = [
    entry("de-mere-six-in-4", "De Méré, one six in four rolls",
          one_six, bet="a six", edge="-23/648"),
    entry("de-mere-double-six-in-24", "De Méré, a double six in 24 rolls",
          double_six, bet="a double six"),
]
# fmt: on
