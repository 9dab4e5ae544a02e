"""Progressions: line bets sized by earlier results or by the money."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from sevenout.catalogue.strategies.line_bets import Wanted
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Money


@dataclass(frozen=True)
class Progression(Strategy):
    """A line bet sized by the results of earlier ones.

    Args:
        most: the largest bet, in units.
        side: "pass" or "don't pass".
    """

    amount: Money = 1
    most: int = 64
    side: str = "pass"
    mirrored = True

    @abstractmethod
    def units(self, memory: Any) -> int:
        """The size of the next bet, in units."""

    @abstractmethod
    def moved(self, memory: Any, won: bool) -> Any:
        """The memory after a win or loss."""

    def remembers(self, table: TableView) -> Any:
        """The memory, updated if the bet was won or lost."""
        assert table.last is not None
        profit = table.last.profit(self.side)
        return self.moved(table.memory, profit > 0) if profit else table.memory

    def wants(self, table: TableView) -> Wanted:
        """The line at the come-out."""
        if table.point is not None:
            return {}
        return {self.side: self.amount * min(self.units(table.memory), self.most)}


@dataclass(frozen=True)
class Martingale(Progression):
    """Double after a loss, back to one unit after a win, or when `most` would be passed."""

    memory: int = 1

    def units(self, memory: Any) -> int:
        """The remembered size."""
        return int(memory)

    def moved(self, memory: Any, won: bool) -> Any:
        """Twice the units after a loss."""
        return 1 if won or 2 * memory > self.most else 2 * memory


@dataclass(frozen=True)
class OscarsGrind(Progression):
    """To win one unit: bet the same after a loss, one unit more after a win, but never more than
    would bring the one unit. Where `most` units are down, begin again.
    """

    memory: tuple[int, int] = (1, 0)

    def units(self, memory: Any) -> int:
        """The remembered size, beside the result of the series."""
        return int(memory[0])

    def moved(self, memory: Any, won: bool) -> Any:
        """A win ends the series if it brings it to one unit."""
        size, ahead = memory
        ahead += size if won else -size
        if ahead >= 1 or ahead < -self.most:
            return (1, 0)
        return (min(size + won, 1 - ahead), ahead)


@dataclass(frozen=True)
class DAlembert(Progression):
    """One unit more after a loss, one less after a win."""

    most: int = 20
    memory: int = 1

    def units(self, memory: Any) -> int:
        """The remembered size."""
        return int(memory)

    def moved(self, memory: Any, won: bool) -> Any:
        """Up after a loss, down after a win."""
        return max(1, memory - 1) if won else min(memory + 1, self.most)


@dataclass(frozen=True)
class Fibonacci(Progression):
    """1, 1, 2, 3, 5, 8, ...: one on after a loss, two back after a win."""

    most: int = 55
    memory: int = 0

    def units(self, memory: Any) -> int:
        """The number at the remembered place."""
        one, two = 1, 1
        for _ in range(memory):
            one, two = two, one + two
        return one

    def moved(self, memory: Any, won: bool) -> Any:
        """Two back, or one on; back to the first if the next exceeds `most`."""
        then = max(0, memory - 2) if won else memory + 1
        return then if self.units(then) <= self.most else 0


@dataclass(frozen=True)
class Labouchere(Progression):
    """Bet the first and the last of a line of numbers; strike them after a win, write what was lost
    at its end after a loss. Begin again when the line is empty, or would bet more than `most`.
    """

    most: int = 12
    memory: tuple[int, ...] = (1, 2, 3)

    def units(self, memory: Any) -> int:
        """The sum of the first and the last."""
        return int(memory[0] + memory[-1]) if len(memory) > 1 else int(memory[0])

    def moved(self, memory: Any, won: bool) -> Any:
        """Shorter after a win, longer after a loss."""
        then = memory[1:-1] if won else (*memory, self.units(memory))
        return then if then and self.units(then) <= self.most else type(self).memory


@dataclass(frozen=True)
class Bold(Strategy):
    """Bold play: all the money, or as much as the target needs.

    Args:
        target: the money to reach.
        unit: a bet is a whole multiple of this.
    """

    target: Money = 40
    unit: Money = 1
    sees_money = True

    def wants(self, table: TableView) -> Wanted:
        """All of it at the come-out."""
        if table.point is not None:
            return {}
        return {"pass": max(self.unit, min(table.money, self.target - table.money))}
