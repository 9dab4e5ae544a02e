"""Strategies on moving numbers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.catalogue.strategies.line_bets import NEAREST, Wanted
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Money, whole


def placed(units: Money, number: int) -> Money:
    """A place bet of some units; 6/5 as much on 6 and 8."""
    return whole(Fraction(units) * 6 / 5) if number in (6, 8) else units


def won(table: TableView, number: int) -> bool:
    """Whether the place bet on a number won on the last roll."""
    return table.last is not None and (table.last.profit(f"place {number}") or 0) > 0


@dataclass(frozen=True)
class PlaceBesideLine(Strategy):
    """The pass line and two place bets: 6 and 8, or 5 and 9 if one is covered.

    Args:
        amount: on the line, and on each come bet.
        six: on the 6, or on the 8.
        five: on the 5, or on the 9.
        flat: the most line and come bets at once.
    """

    amount: Money = 5
    six: Money = 6
    five: Money = 5
    flat: int = 1

    def wants(self, table: TableView) -> Wanted:
        """A line or come bet, and the first two uncovered of 6, 8, 5 and 9."""
        coming = {n for n in NEAREST if f"come {n}" in table.bets}
        flat = len(coming) + ("pass" in table.bets) + ("come" in table.bets)
        if table.point is None:
            return {"pass": self.amount} if flat < self.flat else {}
        wanted: dict[str, Any] = {"come": self.amount} if flat < self.flat else {}
        covered = coming | ({table.point} if "pass" in table.bets else set())
        stand = {n for n in NEAREST if f"place {n}" in table.bets}
        up = set(stand)
        for number in (6, 8, 5, 9):
            if number in covered:
                up.discard(number)
            elif len(up) < 2:
                up.add(number)
        for number in sorted(stand | up):
            each = self.six if number in (6, 8) else self.five
            wanted[f"place {number}"] = each if number in up else 0
        return wanted


@dataclass(frozen=True)
class PlaceLadder(Strategy):
    """Numbers placed while there is a point. A win moves a number one step up its ladder; it
    restarts after the last step, and all do when the shooter is out.

    Args:
        amount: the first step on 4, 5, 9 and 10; 6/5 of it on 6 and 8.
        ladder: the steps, as multiples of the first.
    """

    amount: Money = 10
    numbers: tuple[int, ...] = (6, 8)
    ladder: tuple[Money, ...] = (1, 2, 4)
    memory: tuple[int, ...] = ()

    def remembers(self, table: TableView) -> Any:
        """The step of each number."""
        assert table.last is not None
        if table.last.out:
            return ()
        steps = table.memory or (0,) * len(self.numbers)
        found = tuple(
            (step + won(table, n)) % len(self.ladder)
            for n, step in zip(self.numbers, steps, strict=True)
        )
        return found if any(found) else ()

    def wants(self, table: TableView) -> Wanted:
        """Each number, at its step."""
        if table.point is None:
            return {}
        steps = table.memory or (0,) * len(self.numbers)
        return {
            f"place {n}": whole(placed(self.amount, n) * Fraction(self.ladder[step]))
            for n, step in zip(self.numbers, steps, strict=True)
        }


@dataclass(frozen=True)
class Squeeze(Strategy):
    """66 inside once there is a point. A win adds the 4 and the 10 with 10 each, a second one makes
    it 88 inside, a third brings all down to 64 across, until the shooter is out.

    Args:
        amount: the unit; at first three inside, two outside.
    """

    amount: Money = 5
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins, up to three."""
        assert table.last is not None
        if table.last.out:
            return 0
        return min(3, table.memory + any(won(table, n) for n in NEAREST))

    def wants(self, table: TableView) -> Wanted:
        """The place bets of the stage."""
        if table.point is None:
            return {}
        inside, outside = ((3, 0), (3, 2), (4, 2), (2, 2))[table.memory]
        units = {n: outside if n in (4, 10) else inside for n in NEAREST}
        return {f"place {n}": placed(self.amount * k, n) for n, k in units.items() if k}


@dataclass(frozen=True)
class RiskTwelve(Strategy):
    """The pass line and the field at the come-out; once there is a point the 6 and the 8 are
    placed, if this shooter's wins, and 12 besides, pay for them. What is placed comes down at the
    come-out.

    Args:
        amount: on the line and in the field; 6/5 of it on the 6 and the 8.
    """

    amount: Money = 5
    memory: Money = 0

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins in money."""
        assert table.last is not None
        return 0 if table.last.out else table.memory + table.last.net

    def wants(self, table: TableView) -> Wanted:
        """The bets that the shooter's money pays for."""
        six = placed(self.amount, 6)
        left = 2 * six + table.memory - sum(table.bets.values())
        if table.point is None:
            down = {bet: 0 for bet in table.bets if bet.startswith("place")}
            line = {"pass": self.amount, "field": self.amount}
            return {**down, **(line if left >= self.amount else {})}
        free = [n for n in (6, 8) if n != table.point]
        if left < 2 * six:
            free = free[:1] if left >= six else []
        return {f"place {n}": six for n in free}
