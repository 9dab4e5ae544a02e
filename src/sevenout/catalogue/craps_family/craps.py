"""Craps: the line bets and their odds."""

from functools import partial
from typing import Any

from sevenout.catalogue.dice_and_odds import (
    ETHIER,
    POINTS,
    SCARNE,
    TOTALS,
    WIZARD,
    checked_point,
    true_odds,
)
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.rules import PayTable, PointGame, Wager

Multiple = int | tuple[int, int, int]
"""A multiple of the flat bet, or one each for 4 and 10, 5 and 9, and 6 and 8."""


def craps() -> PointGame:
    """The shooter rolls two dice. On the come-out 7 and 11 win; 2, 3 and 12 lose; any other total
    is the point. Then the point wins and a 7, the seven-out, loses. The pass line pays even money.
    """
    return _at_craps({"pass": PayTable()})


def come() -> PointGame:
    """The pass line for a player who comes late. It is made when the shooter already has a point,
    takes the next roll for its own come-out and has a point of its own.
    """
    return _at_craps({"come": PayTable()})


def craps_lines() -> PointGame:
    """Craps, with four line bets side by side on the same rolls: the pass line and the don't pass,
    and the two with full odds. Odds are 3, 4 or 5 times the flat bet on a pass, by the point, and
    six times laid on a don't pass.
    """
    bets = {
        "pass": PayTable(),
        "don't pass": _against_pass(12),
        "pass with odds": pass_with_odds((3, 4, 5)).bets["pass"],
        "don't pass with lay": dont_pass_with_lay(6).bets["don't pass"],
    }
    return _at_craps(bets)


def dont_pass(bar: int = 12) -> PointGame:
    """The opposite of the pass line at craps, but a come-out of `bar` returns the bet."""
    return _at_craps({"don't pass": _against_pass(bar)})


def dont_come(bar: int = 12) -> PointGame:
    """The don't pass for a player who comes late, with a come-out and a point of its own."""
    return _at_craps({"don't come": _against_pass(bar)})


def _at_craps(bets: dict[str, PayTable]) -> PointGame:
    """A round of craps with these bets."""
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, bets=bets)


def _against_pass(bar: int) -> PayTable:
    """The pays of the don't side, which returns the bet on the barred total."""
    return PayTable(natural=-1, craps=_barred(bar), point=-1, out=1)


def _barred(bar: int) -> dict[Any, int]:
    """The pays of the don't side on a craps."""
    # Only a total that loses on the pass line can be barred.
    if bar not in (2, 3, 12):
        raise RulesError(f"bar={bar}; the don't side bars 2, 3 or 12")
    return {tuple(total for total in (2, 3, 12) if total != bar): 1, bar: 0}


def free_odds(number: int = 4, lay: bool = False) -> Wager:
    """A bet beside a line bet once the point is `number`: that the point comes before a 7, paid at
    true odds, 2 to 1 on 4 and 10, 3 to 2 on 5 and 9, 6 to 5 on 6 and 8. With `lay` it is the don't
    side's: that the 7 comes first, at the inverse odds.
    """
    odds = true_odds(checked_point(number))
    if lay:
        return Wager(TOTALS, {7: 1 / odds, number: -1}, bet="odds")
    return Wager(TOTALS, {number: odds, 7: -1}, bet="odds")


def pass_with_odds(multiple: Multiple = 1) -> PointGame:
    """The pass line; once there is a point, `multiple` times as much is added in odds. Three
    numbers are the multiples for 4 and 10, 5 and 9, and 6 and 8. The line pays even money and the
    odds pay true odds. The stake is the flat bet alone: the odds count in the element of risk.
    """
    line = PayTable(
        point={p: (1 + n * true_odds(p), 1 + n) for p, n in _multiples(multiple).items()},
        out={p: (-1 - n, 1 + n) for p, n in _multiples(multiple).items()},
    )
    return _at_craps({"pass": line})


def dont_pass_with_lay(multiple: Multiple = 6, bar: int = 12) -> PointGame:
    """The don't pass; once there is a point, `multiple` times as much is laid at true odds that the
    7 comes first. The stake is the flat bet alone: what is laid counts in the element of risk.
    """
    line = PayTable(
        natural=-1,
        craps=_barred(bar),
        point={p: (-1 - n, 1 + n) for p, n in _multiples(multiple).items()},
        out={p: (1 + n / true_odds(p), 1 + n) for p, n in _multiples(multiple).items()},
    )
    return _at_craps({"don't pass": line})


def _multiples(multiple: Multiple) -> dict[int, int]:
    """The multiple of the flat bet in odds, by point."""
    four, five, six = (multiple,) * 3 if isinstance(multiple, int) else multiple
    if min(four, five, six) < 0:
        raise RulesError(f"multiple={multiple}; take 0 or more times the flat bet")
    # Multiples go by how likely a point is, so the list is read there and back.
    return dict(zip(POINTS, (four, five, six, six, five, four), strict=True))


def put(number: int = 6) -> Wager:
    """A pass line bet made after the come-out, straight on the point `number`: it skips the
    come-out, where the line has the better of it, and still pays even money.
    """
    return Wager(TOTALS, {checked_point(number): 1, 7: -1}, bet="put")


craps_bet = partial(Entry, family="Craps", source=WIZARD)

# fmt: off
ENTRIES = [
    craps_bet("craps", "Craps", craps, source=SCARNE, edge="7/495"),
    craps_bet("craps-lines", "Craps, the line bets together", craps_lines),
    craps_bet("dont-pass", "Don't pass", dont_pass, bet="don't pass", source=SCARNE, edge="3/220"),
    craps_bet("pass-line", "Pass line", craps, source=ETHIER, edge="7/495"),
    craps_bet("come", "Come", come, bet="come", source=ETHIER, edge="7/495"),
    craps_bet("dont-pass-bar-12", "Don't pass (bar 12)",
              dont_pass, bet="don't pass", source=ETHIER, edge="3/220"),
    craps_bet("dont-pass-bar-12-resolved", "Don't pass (bar 12), per resolved",
              dont_pass, bet="don't pass", convention="resolved", source=ETHIER, edge="27/1925"),
    craps_bet("dont-come-bar-12", "Don't come (bar 12)",
              dont_come, bet="don't come", source=ETHIER),
    craps_bet("dont-pass-bar-2", "Don't pass (bar 2)",
              dont_pass, {"bar": 2}, bet="don't pass", source=SCARNE, edge="3/220"),
    craps_bet("dont-pass-bar-3", "Don't pass (bar 3, ace-deuce)",
              dont_pass, {"bar": 3}, bet="don't pass", source=SCARNE),
    *(craps_bet(f"{side}-odds-{a}-{b}", f"Free odds ({side}) {a}/{b}",
                free_odds, {"number": a} | more, bet="odds", edge=edge)
      for a, b in ((4, 10), (5, 9), (6, 8))
      for side, more, edge in (("take", {}, "0"), ("lay", {"lay": True}, None))),
    *(craps_bet(f"pass-{n}x-odds", f"Pass + {n}x odds",
                pass_with_odds, {"multiple": n}, edge="7/495" if n in (1, 2, 10, 20) else None)
      for n in (1, 2, 3, 5, 10, 20, 100)),
    craps_bet("pass-3-4-5x-odds", "Pass + 3-4-5x odds",
              pass_with_odds, {"multiple": (3, 4, 5)}, edge="7/495"),
    craps_bet("dont-pass-6x-lay", "Don't pass + full 6x lay (3-4-5x)",
              dont_pass_with_lay, {"multiple": 6}, bet="don't pass", edge="3/220"),
    craps_bet("put-4-10", "Put 4/10 (no odds)", put, {"number": 4}, bet="put"),
    craps_bet("put-5-9", "Put 5/9 (no odds)", put, {"number": 5}, bet="put", edge="1/5"),
    craps_bet("put-6-8", "Put 6/8 (no odds)", put, {"number": 6}, bet="put"),
]
# fmt: on
