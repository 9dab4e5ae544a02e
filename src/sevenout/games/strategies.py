"""Well-known ways to bet at craps, each with its source.

`strategies["three-point-molly"]` is one with its usual amounts, in units of the least bet;
`strategies("pass", amount=5)` has others.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.games.table import ETHIER, POINTS, SCARNE, WIZARD
from sevenout.numerals import exact
from sevenout.rules.betting import Money, Strategy, Table, whole

CAPTAIN = "F. Scoblete, The Captain's Craps Revolution (1993)"
PATRICK = "J. Patrick, So You Wanna Be a Gambler: Craps (1991)"
NEAREST = (6, 8, 5, 9, 4, 10)
"""The points, the likeliest first: odds are taken in this order where the money is short, so that
numbers that are as likely are treated alike."""
Wanted = Mapping[str, Any]


@dataclass(frozen=True)
class PayTable(Strategy):
    """The pass line, with odds behind it.

    Args:
        amount: on the line.
        odds: so many times as much in odds; or so many on 4 and 10, on 5 and 9, on 6 and 8.
        side: "pass" or "don't pass".
        hedge: so much on any craps at each come-out.
    """

    amount: Money = 1
    odds: Any = 0
    side: str = "pass"
    hedge: Money = 0
    mirrored = True

    def wants(self, table: Table) -> Wanted:
        """The line at the come-out; the odds then."""
        if table.point is None:
            hedge = {"any craps": self.hedge} if self.hedge else {}
            return {self.side: self.amount, **hedge}
        return behind(table, self.side, table.point, self.odds)


@dataclass(frozen=True)
class Molly(Strategy):
    """The line, and come bets until so many numbers are covered, each with odds.

    Args:
        amount: of each flat bet.
        odds: as `PayTable` has them.
        points: how many numbers to cover.
        against: the don't side, which is the Dolly.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    points: int = 3
    against: bool = False
    mirrored = True

    def wants(self, table: Table) -> Wanted:
        """The line first, then the odds that are missing, then another come bet."""
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


@dataclass(frozen=True)
class FiveCount(Strategy):
    """Nothing until a shooter has thrown five times from a first point number on, the fifth a point
    number too; then the line or a come bet at each chance, until so many numbers are covered.

    Args:
        amount: of each bet.
        odds: as `PayTable` has them.
        points: how many numbers to cover.
    """

    amount: Money = 1
    odds: Any = 0
    points: int = 3
    memory: int = 0
    mirrored = True

    def remembers(self, table: Table) -> Any:
        """The count; it stays at four until a point number comes, and a seven-out begins anew."""
        assert table.last is not None
        count, total = table.memory, table.last.throw.total
        if table.last.out:
            return 0
        number = total in POINTS
        return min(5, count + 1) if number or 0 < count < 4 else count

    def wants(self, table: Table) -> Wanted:
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
class Progression(Strategy):
    """A line bet whose size depends on what the last ones brought.

    Args:
        amount: a unit.
        most: never bet more units than this.
        side: "pass" or "don't pass".
    """

    amount: Money = 1
    most: int = 64
    side: str = "pass"
    mirrored = True

    @abstractmethod
    def units(self, memory: Any) -> int:
        """How many units the next bet is."""

    @abstractmethod
    def moved(self, memory: Any, won: bool) -> Any:
        """What is remembered after a bet that was won or lost."""

    def remembers(self, table: Table) -> Any:
        """Moved on by a bet that was won or lost."""
        assert table.last is not None
        profit = table.last.profit(self.side)
        return self.moved(table.memory, profit > 0) if profit else table.memory

    def wants(self, table: Table) -> Wanted:
        """The line at the come-out."""
        if table.point is not None:
            return {}
        return {self.side: self.amount * min(self.units(table.memory), self.most)}


@dataclass(frozen=True)
class Martingale(Progression):
    """Double after a loss, back to one unit after a win, or when `most` would be passed."""

    memory: int = 1

    def units(self, memory: Any) -> int:
        """Those of the next bet are remembered."""
        return int(memory)

    def moved(self, memory: Any, won: bool) -> Any:
        """Twice as many after a loss."""
        return 1 if won or 2 * memory > self.most else 2 * memory


@dataclass(frozen=True)
class OscarsGrind(Progression):
    """To win one unit: bet the same after a loss, one unit more after a win, but never more than
    would bring the one unit. Where `most` units are down, begin anew.
    """

    memory: tuple[int, int] = (1, 0)

    def units(self, memory: Any) -> int:
        """The size of the bet; beside it stands what the series has brought."""
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
        """Those of the next bet are remembered."""
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
        """The number at the place that is remembered."""
        one, two = 1, 1
        for _ in range(memory):
            one, two = two, one + two
        return one

    def moved(self, memory: Any, won: bool) -> Any:
        """Two back, or one on; back to the first where the next is more than `most`."""
        then = max(0, memory - 2) if won else memory + 1
        return then if self.units(then) <= self.most else 0


@dataclass(frozen=True)
class Labouchere(Progression):
    """Bet the first and the last of a line of numbers; strike them after a win, write what was lost
    at its end after a loss. Begin anew when the line is empty, or would bet more than `most`.
    """

    most: int = 12
    memory: tuple[int, ...] = (1, 2, 3)

    def units(self, memory: Any) -> int:
        """The first and the last; or the only one."""
        return int(memory[0] + memory[-1]) if len(memory) > 1 else int(memory[0])

    def moved(self, memory: Any, won: bool) -> Any:
        """Shorter after a win, longer after a loss."""
        then = memory[1:-1] if won else (*memory, self.units(memory))
        return then if then and self.units(then) <= self.most else type(self).memory


@dataclass(frozen=True)
class DoDont(Strategy):
    """Pass and don't pass at once, which cost only the barred total, to have odds behind the pass
    line, or to lay them behind the don't.

    Args:
        amount: on each side.
        odds: as `PayTable` has them.
        lay: whether the odds are laid.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    lay: bool = False
    mirrored = True

    def wants(self, table: Table) -> Wanted:
        """Both lines; the odds then."""
        if table.point is None:
            return {"pass": self.amount, "don't pass": self.amount}
        return behind(table, "don't pass" if self.lay else "pass", table.point, self.odds)


@dataclass(frozen=True)
class Bold(Strategy):
    """Bold play: on the line all the money, or as much as the goal takes.

    Args:
        goal: to be reached.
        unit: a bet is a whole number of these.
    """

    goal: Money = 40
    unit: Money = 1
    sees_money = True

    def wants(self, table: Table) -> Wanted:
        """All of it at the come-out."""
        if table.point is not None:
            return {}
        return {"pass": max(self.unit, min(table.money, self.goal - table.money))}


def behind(table: Table, flat: str, number: int, odds: Any) -> dict[str, Money]:
    """The odds behind a bet that stands, so many times as much as is on it."""
    if not odds or flat not in table.bets:
        return {}
    times = odds[min(number, 14 - number) - 4] if isinstance(odds, tuple) else odds
    if type(times) is not int:
        times = exact(times)
    return {f"{flat} odds": whole(times * table.bets[flat])} if times else {}


@dataclass(frozen=True)
class Known:
    """A strategy of the library.

    Attributes:
        title: its name in words.
        strategy: with its usual amounts.
        source: where it is from.
        text: what it does.
    """

    title: str
    strategy: Strategy
    source: str
    text: str


def _first(strategy: type[Strategy]) -> str:
    """The first paragraph of what is said of a strategy."""
    return " ".join((strategy.__doc__ or "").split("\n\n", maxsplit=1)[0].split())


class Library:
    """The strategies by name.

    >>> strategies["pass-odds"]
    PayTable(amount=1, odds=(3, 4, 5), side='pass', hedge=0)
    """

    def __init__(self, entries: Mapping[str, Known]) -> None:
        self.entries = dict(entries)

    def entry(self, name: str) -> Known:
        """What is known of a strategy.

        Raises:
            RulesError: there is none of that name.
        """
        if name not in self.entries:
            from difflib import get_close_matches

            near = get_close_matches(str(name), self.entries, 3) or list(self.entries)[:3]
            raise RulesError(f"no strategy {shown(name)}; there are {', '.join(near)}, ...")
        return self.entries[name]

    def __getitem__(self, name: str) -> Strategy:
        return self.entry(name).strategy

    def __call__(self, name: str, **options: Any) -> Strategy:
        """A strategy with other amounts.

        Raises:
            RulesError: there is no such strategy or option.
        """
        usual: Any = self[name]
        known = [field for field in usual.__dataclass_fields__ if field != "memory"]
        for option in options:
            if option not in known:
                raise RulesError(
                    f"no option {shown(option)} of {name}; its options are {', '.join(known)}"
                )
        changed: Strategy = replace(usual, **options)
        return changed

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self.entries


FULL = (3, 4, 5)
strategies = Library(
    {
        "pass": Known("Pass line", PayTable(), ETHIER, "A unit on the pass line at each come-out."),
        "pass-odds": Known(
            "Pass line with odds",
            PayTable(odds=FULL),
            WIZARD,
            "A unit on the pass line, and behind it 3, 4 or 5 times as much in odds.",
        ),
        "pass-any-craps": Known(
            "Pass line hedged by any craps",
            PayTable(5, hedge=1),
            WIZARD,
            "Five units on the pass line, and one on any craps at each come-out.",
        ),
        "dont-pass": Known(
            "Don't pass",
            PayTable(side="don't pass"),
            ETHIER,
            "A unit on the don't pass at each come-out.",
        ),
        "dont-pass-lay": Known(
            "Don't pass with lay",
            PayTable(odds=6, side="don't pass"),
            WIZARD,
            "A unit on the don't pass, and six units laid behind it on the point.",
        ),
        "three-point-molly": Known(
            "Three-point Molly",
            Molly(),
            WIZARD,
            "The pass line and come bets until three numbers are covered, each with full odds.",
        ),
        "three-point-dolly": Known(
            "Three-point Dolly",
            Molly(odds=6, against=True),
            WIZARD,
            "The don't pass and don't come bets until three numbers are covered, each with full "
            "lay.",
        ),
        "iron-cross": Known(
            "Iron cross",
            IronCross(),
            WIZARD,
            "While there is a point: 5 on the field, 5 to place the 5, 6 each to place 6 and 8.",
        ),
        "place-6-8": Known(
            "Place 6 and 8",
            Place(),
            WIZARD,
            "Six units each to place the 6 and the 8 once there is a point; they stay up.",
        ),
        "place-6-8-press": Known(
            "Place 6 and 8, pressed",
            Place(press="press"),
            PATRICK,
            "Six units each on 6 and 8, and six more on every other win, up to 30.",
        ),
        "place-6-8-power": Known(
            "Place 6 and 8, power press",
            Place(press="power"),
            PATRICK,
            "Six units each on 6 and 8; what a win brings goes on top, by sixes, up to 30.",
        ),
        "five-count": Known("5-count", FiveCount(), CAPTAIN, _first(FiveCount)),
        "martingale": Known("Martingale", Martingale(), ETHIER, _first(Martingale)),
        "oscars-grind": Known("Oscar's grind", OscarsGrind(most=20), ETHIER, _first(OscarsGrind)),
        "dalembert": Known("d'Alembert", DAlembert(), ETHIER, _first(DAlembert)),
        "fibonacci": Known("Fibonacci", Fibonacci(), ETHIER, _first(Fibonacci)),
        "labouchere": Known("Labouchère", Labouchere(), ETHIER, _first(Labouchere)),
        "do-dont": Known("Do and don't", DoDont(), SCARNE, _first(DoDont)),
    }
)
