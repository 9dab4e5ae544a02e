"""Strategies on numbers: place bets, the iron cross, and the field."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import POINTS
from sevenout.catalogue.strategies.line_bets import Wanted, behind
from sevenout.errors import RulesError, shown
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Money, whole

PRESSES = ("flat", "press", "power", "double", "regress")


@dataclass(frozen=True)
class IronCross(Strategy):
    """The field, and place bets on 5, 6 and 8: all but the 7 pays.

    Args:
        field, five, six: the amounts; six is for the 8 too.
        come_out: whether to bet on the come-out too, with place bets working.
    """

    field: Money = 5
    five: Money = 5
    six: Money = 6
    come_out: bool = False

    def wants(self, table: TableView) -> Wanted:
        """All four bets, whenever missing."""
        if table.point is None and not self.come_out:
            return {}
        placed = {"place 6": self.six, "place 8": self.six, "place 5": self.five}
        return {**placed, "field": self.field}


@dataclass(frozen=True)
class PlaceNumbers(Strategy):
    """Place bets once there is a point.

    Args:
        amount: on the 6 and the 8, at first.
        outside: on each other number, at first.
        press: the effect of a win. With `flat` it has none. With `press` it adds the first amount
            at every other win of the number, with `power` all that is won, in whole such amounts.
            With `double` it doubles the bet, and the next win undoes that. With `regress` it halves
            all bets until the shooter is out.
        most: the limit of a pressed bet.
        hits: take all down after this number of wins, until the shooter is out; 0 for never.
    """

    amount: Money = 6
    outside: Money = 5
    numbers: tuple[int, ...] = (6, 8)
    press: str = "flat"
    most: Money = 30
    hits: int = 0
    memory: tuple[int, tuple[int, ...]] = (0, ())

    def __post_init__(self) -> None:
        if self.press not in PRESSES:
            known = ", ".join(map(repr, PRESSES))
            raise RulesError(f"press={shown(self.press)}; give {known}")
        for number in self.numbers:
            if number not in POINTS:
                raise RulesError(f"numbers={shown(self.numbers)}; place some of 4, 5, 6, 8, 9, 10")

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins, and the numbers with an odd number of wins, as far as they matter."""
        assert table.last is not None
        if table.last.out:
            return (0, ())
        count, odd = table.memory
        won = {n for n in self.numbers if (table.last.profit(f"place {n}") or 0) > 0}
        matter = max(self.hits, self.press == "regress")
        turned = won if self.press in ("press", "double") else set()
        return min(matter, count + len(won)), tuple(sorted(turned ^ set(odd)))

    def wants(self, table: TableView) -> Wanted:
        """Each number, pressed after wins; nothing after `hits` wins."""
        count, _ = table.memory
        if self.hits and count >= self.hits:
            return {bet: 0 for n in self.numbers if (bet := f"place {n}") in table.bets}
        # A win that also makes the point presses the bet too: it stays up, off on the come-out.
        wanted: dict[str, Any] = {}
        for number in self.numbers:
            bet = f"place {number}"
            if table.point is not None or bet in table.bets:
                won = (table.last.profit(bet) or 0) if table.last else 0
                wanted[bet] = self._amount(number, table.bets.get(bet), won, table.memory)
        return wanted

    def _amount(self, number: int, now: Money | None, won: Money, memory: Any) -> Money:
        base = self.amount if number in (6, 8) else self.outside
        count, odd = memory
        if self.press == "regress":
            return whole(Fraction(base, 2)) if count else base
        if self.press == "double":
            return min(2 * base, max(base, self.most)) if number in odd else base
        stands = base if now is None else now
        more: Money = 0
        if won > 0 and self.press == "power":
            more = won // base * base
        elif won > 0 and self.press == "press" and number not in odd:
            more = base
        return max(stands, min(stands + more, self.most))


@dataclass(frozen=True)
class Hammerlock(Strategy):
    """Pass and don't pass, with a full lay behind the don't. On the point the 6 and the 8 are
    placed; a win brings them to half of that and places the 5 and the 9, another takes all down
    until the shooter is out. Nothing is placed on the come-out.

    Args:
        amount: on each line, and on the 5 and the 9; on the 6 and the 8 it is 6/5 of that, and at
            first twice as much.
        lay: this many times as much behind the don't pass.
    """

    amount: Money = 5
    lay: Money = 6
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The wins of the shooter's place bets, up to two."""
        assert table.last is not None
        if table.last.out:
            return 0
        won = sum((table.last.profit(f"place {n}") or 0) > 0 for n in (5, 6, 8, 9))
        return min(2, table.memory + won)

    def wants(self, table: TableView) -> Wanted:
        """The lines on the come-out; then the place bets and the lay."""
        six = whole(Fraction(6 * self.amount, 5))
        placed = {6: 2 * six, 8: 2 * six, 5: 0, 9: 0}
        if table.memory == 1:
            placed = {5: self.amount, 6: six, 8: six, 9: self.amount}
        if table.point is None or table.memory == 2:
            placed = dict.fromkeys(placed, 0)
        wanted = {
            f"place {n}": amount
            for n, amount in placed.items()
            if amount or f"place {n}" in table.bets
        }
        if table.point is None:
            return {**wanted, "pass": self.amount, "don't pass": self.amount}
        return {**wanted, **behind(table, "don't pass", table.point, self.lay)}


@dataclass(frozen=True)
class DiceDoctor(Strategy):
    """The field at each roll: one step up after a win, back to the first after a loss.

    Args:
        ladder: the steps, in units; the last stays.
    """

    amount: Money = 1
    ladder: tuple[Money, ...] = (10, 20, 15, 30, 25, 50, 35, 70, 50, 100, 75, 150)
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The step; the first if the bet was not made."""
        assert table.last is not None
        won = (table.last.profit("field") or 0) > 0
        return min(table.memory + 1, len(self.ladder) - 1) if won else 0

    def wants(self, table: TableView) -> Wanted:
        """The field."""
        return {"field": whole(self.amount * Fraction(self.ladder[table.memory]))}
