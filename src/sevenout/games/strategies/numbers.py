"""Strategies on numbers: placed, pressed, and the iron cross."""

from dataclasses import dataclass
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.games.strategies.lines import Wanted
from sevenout.rules.betting import Money, Strategy, Table


@dataclass(frozen=True)
class IronCross(Strategy):
    """The field, and the 5, the 6 and the 8 placed: every total but the 7 pays.

    Args:
        field, five, six: the amounts; six on the 8 too.
        come_out: whether to bet on the come-out too, where place bets work.
    """

    field: Money = 5
    five: Money = 5
    six: Money = 6
    come_out: bool = False

    def wants(self, table: Table) -> Wanted:
        """All four, whenever they are not there."""
        if table.point is None and not self.come_out:
            return {}
        placed = {"place 6": self.six, "place 8": self.six, "place 5": self.five}
        return {**placed, "field": self.field}


@dataclass(frozen=True)
class Place(Strategy):
    """Two numbers placed once there is a point.

    Args:
        amount: on each at first.
        numbers: to be placed.
        press: after a win the bet on the number that won goes up: "flat" for never, "press" by one
            `amount` on every other win, "power" by all that is won, in whole `amount`s, each time.
        most: never more than this on a number.
    """

    amount: Money = 6
    numbers: tuple[int, ...] = (6, 8)
    press: str = "flat"
    most: Money = 30
    memory: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.press not in ("flat", "press", "power"):
            raise RulesError(f"press={shown(self.press)}; write 'flat', 'press' or 'power'")

    def remembers(self, table: Table) -> Any:
        """The numbers that won an odd number of times, where every other win is pressed."""
        assert table.last is not None
        if table.last.out or self.press != "press":
            return ()
        won = {n for n in self.numbers if (table.last.profit(f"place {n}") or 0) > 0}
        return tuple(sorted(won ^ set(table.memory)))

    def wants(self, table: Table) -> Wanted:
        """Each number, pressed where it has won."""
        if table.point is None:
            return {}
        wanted = {}
        for number in self.numbers:
            bet = f"place {number}"
            now = table.bets.get(bet, self.amount)
            won = (table.last.profit(bet) or 0) if table.last else 0
            more: Money = 0
            if won > 0 and self.press == "power":
                more = won // self.amount * self.amount
            elif won > 0 and self.press == "press" and number not in table.memory:
                more = self.amount
            wanted[bet] = max(now, min(now + more, self.most))
        return wanted
