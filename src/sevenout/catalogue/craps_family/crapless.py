"""Crapless craps: 2, 3, 11 and 12 are points."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import TOTALS, WIZARD, true_odds
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rules import PayTable, PointGame, Wager

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
ENTRIES = [
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
