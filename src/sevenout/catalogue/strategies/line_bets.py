"""Strategies on the line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import POINTS
from sevenout.numerals import exact
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Money, whole

NEAREST = (6, 8, 5, 9, 4, 10)
"""The points, the most likely first: the order in which odds are taken if money is short, so that
equally likely numbers are treated alike.
"""
Wanted = Mapping[str, Any]


@dataclass(frozen=True)
class PassLine(Strategy):
    """The pass line with odds.

    Args:
        amount: on the line.
        odds: the multiple in odds; or one each for 4 and 10, 5 and 9, 6 and 8.
        side: "pass" or "don't pass".
        hedge: the amount on any craps at each come-out.
    """

    amount: Money = 1
    odds: Any = 0
    side: str = "pass"
    hedge: Money = 0
    mirrored = True

    def wants(self, table: TableView) -> Wanted:
        """The line at the come-out, then the odds."""
        if table.point is None:
            hedge = {"any craps": self.hedge} if self.hedge else {}
            return {self.side: self.amount, **hedge}
        return behind(table, self.side, table.point, self.odds)


@dataclass(frozen=True)
class Molly(Strategy):
    """The line, and come bets up to a number of points, all with odds.

    Args:
        odds: as in `PassLine`.
        against: whether to bet the don't side, as the Dolly does.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    points: int = 3
    against: bool = False
    mirrored = True

    def wants(self, table: TableView) -> Wanted:
        """The line first, then missing odds, then another come bet."""
        line, come = ("don't pass", "don't come") if self.against else ("pass", "come")
        wanted: dict[str, Any] = {}
        if table.point is None:
            wanted[line] = self.amount
        else:
            wanted |= behind(table, line, table.point, self.odds)
        moved = [number for number in NEAREST if f"{come} {number}" in table.bets]
        for number in moved:
            wanted |= behind(table, f"{come} {number}", number, self.odds)
        covered = len(moved) + (table.point is not None and line in table.bets)
        if table.point is not None and covered < self.points:
            wanted[come] = self.amount
        return wanted


@dataclass(frozen=True)
class FiveCount(Strategy):
    """Nothing until a shooter has thrown five times from a first point number on, the fifth a point
    number too. Then the line or a come bet at each chance, until this many numbers are covered.
    """

    amount: Money = 1
    odds: Any = 0
    points: int = 3
    memory: int = 0
    mirrored = True

    def remembers(self, table: TableView) -> Any:
        """The count; it waits at four for a point number, and a seven-out restarts it."""
        assert table.last is not None
        count, total = table.memory, table.last.throw.total
        if table.last.out:
            return 0
        number = total in POINTS
        return min(5, count + 1) if number or 0 < count < 4 else count

    def wants(self, table: TableView) -> Wanted:
        """Nothing before the count is five."""
        wanted: dict[str, Any] = {}
        for number in NEAREST:
            wanted |= behind(table, f"come {number}", number, self.odds)
        if table.point is not None:
            wanted |= behind(table, "pass", table.point, self.odds)
        if table.memory < 5:
            return wanted
        moved = sum(f"come {number}" in table.bets for number in POINTS)
        if table.point is None:
            wanted["pass"] = self.amount
        elif moved + ("pass" in table.bets) < self.points:
            wanted["come"] = self.amount
        return wanted


@dataclass(frozen=True)
class DoDont(Strategy):
    """Pass and don't pass at once, which cost only the barred total, to have odds behind the pass
    line, or to lay them behind the don't.

    Args:
        odds: as in `PassLine`.
        lay: whether the odds are laid.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    lay: bool = False
    mirrored = True

    def wants(self, table: TableView) -> Wanted:
        """Both lines, then the odds."""
        if table.point is None:
            return {"pass": self.amount, "don't pass": self.amount}
        return behind(table, "don't pass" if self.lay else "pass", table.point, self.odds)


def behind(table: TableView, flat: str, number: int, odds: Any) -> dict[str, Money]:
    """The odds behind a standing bet, at their multiple."""
    if not odds or flat not in table.bets:
        return {}
    times = odds[min(number, 14 - number) - 4] if isinstance(odds, tuple) else odds
    if type(times) is not int:
        times = exact(times)
    return {f"{flat} odds": whole(times * table.bets[flat])} if times else {}
