"""Betting strategies at craps: line bets, place bets, progressions, and a strategy scaled up."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from sevenout.catalogue.dice_and_odds import POINTS
from sevenout.documents.numbers import amount as digits
from sevenout.documents.words import word_list
from sevenout.errors import RulesError, shown
from sevenout.numerals import exact, int_if_whole
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import FeltRoll, Money

# --- the line -------------------------------------------------------------------------------------

LIKELIEST_FIRST = (6, 8, 5, 9, 4, 10)
"""The points, the most likely first: the order in which odds are taken if money is short, so that
equally likely numbers are treated alike.
"""
Amounts = Mapping[str, Any]
"""The requested bets: amounts of money by name, 0 to take one down."""


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

    def wants(self, table: TableView) -> Amounts:
        """The line at the come-out, then the odds."""
        if table.point is None:
            hedge = {"any craps": self.hedge} if self.hedge else {}
            return {self.side: self.amount, **hedge}
        return odds_behind(table, self.side, table.point, self.odds)

    def sentences(self) -> Iterable[str]:
        hedge = f", and {digits(self.hedge)} on any craps" if self.hedge else ""
        yield f"On the come-out, bet {digits(self.amount)} on {_line_name(self.side)}{hedge}."
        if self.odds:
            yield f"On a point, {odds_in_words(self.odds, self.side != 'pass')}"
        else:
            yield "Leave it there until it wins or loses."


@dataclass(frozen=True)
class Molly(Strategy):
    """The line, and come bets up to a number of points, all with odds.

    Args:
        amount: on the line and on each come bet.
        odds: as in `PassLine`.
        points: the numbers to be covered.
        against: whether to bet the don't side, as the Dolly does.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    points: int = 3
    against: bool = False
    mirrored = True

    def wants(self, table: TableView) -> Amounts:
        """The line first, then missing odds, then another come bet."""
        line, come = ("don't pass", "don't come") if self.against else ("pass", "come")
        odds_behind_comes = odds_behind_come_bets(table, come, self.odds)
        if table.point is None:
            return {line: self.amount, **odds_behind_comes}
        bets = {**odds_behind(table, line, table.point, self.odds), **odds_behind_comes}
        if covered_numbers(table, [line], [come]) < self.points:
            bets[come] = self.amount
        return bets

    def sentences(self) -> Iterable[str]:
        line, come = ("the don't pass", "don't come") if self.against else ("the pass line", "come")
        amount = digits(self.amount)
        yield f"On the come-out, bet {amount} on {line}."
        yield (
            f"On a point, bet {amount} on {come} before each roll, until {self.points} numbers are "
            "covered. The point of the line bet counts as one."
        )
        if self.odds:
            yield f"Behind every bet that is on a number, {odds_in_words(self.odds, self.against)}"


@dataclass(frozen=True)
class FiveCount(Strategy):
    """Nothing until a shooter has thrown five times from a first point number on, the fifth a point
    number too. Then the line or a come bet at each chance, until this many numbers are covered.

    Args:
        amount: on the line and on each come bet.
        odds: as in `PassLine`.
        points: the numbers to be covered.

    Attributes:
        memory: the count at the start.
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
        # The count begins and ends on a point number; between, every roll counts.
        return min(5, count + 1) if total in POINTS or 0 < count < 4 else count

    def wants(self, table: TableView) -> Amounts:
        """Only odds before the count is five; then the line, or a come bet."""
        bets = odds_behind_come_bets(table, "come", self.odds)
        if table.point is not None:
            bets |= odds_behind(table, "pass", table.point, self.odds)
        if table.memory < 5:
            return bets
        if table.point is None:
            bets["pass"] = self.amount
        elif covered_numbers(table, ["pass"], ["come"]) < self.points:
            bets["come"] = self.amount
        return bets

    def sentences(self) -> Iterable[str]:
        yield (
            "Count the rolls of each shooter, from the first 4, 5, 6, 8, 9 or 10 on. The fifth of "
            "the count must be one of these numbers too; wait for it at four."
        )
        yield (
            f"Bet nothing before five. Then bet {digits(self.amount)} on the pass line or on come "
            f"at each chance, until {self.points} numbers are covered."
        )
        if self.odds:
            yield f"Behind every bet that is on a number, {odds_in_words(self.odds, False)}"
        yield "A seven-out starts the count again."


@dataclass(frozen=True)
class DoDont(Strategy):
    """Pass and don't pass at once, which cost only the barred total, to have odds behind the pass
    line, or to lay them behind the don't.

    Args:
        odds: as in `PassLine`.
        lay: whether the odds are laid.
        amount: on each line.
    """

    amount: Money = 1
    odds: Any = (3, 4, 5)
    lay: bool = False
    mirrored = True

    def wants(self, table: TableView) -> Amounts:
        """Both lines, then the odds."""
        if table.point is None:
            return {"pass": self.amount, "don't pass": self.amount}
        return odds_behind(table, "don't pass" if self.lay else "pass", table.point, self.odds)

    def sentences(self) -> Iterable[str]:
        amount = digits(self.amount)
        yield f"On the come-out, bet {amount} on the pass line and {amount} on the don't pass."
        line = "Behind the don't pass" if self.lay else "Behind the pass line"
        yield f"{line}, once there is a point, {odds_in_words(self.odds, self.lay)}"


def odds_behind(table: TableView, flat: str, number: int, odds: Any) -> dict[str, Money]:
    """The odds behind a standing bet, at their multiple."""
    if not odds or flat not in table.bets:
        return {}
    # 4 and 10, 5 and 9, 6 and 8 share a multiple. At crapless 2 and 3 count from the end, and the
    # house gives back what is too much.
    multiple = odds[min(number, 14 - number) - 4] if isinstance(odds, tuple) else odds
    # The inner loop of evenings: most multiples are integers already.
    if type(multiple) is not int:
        multiple = exact(multiple)
    return {f"{flat} odds": int_if_whole(multiple * table.bets[flat])} if multiple else {}


def odds_behind_come_bets(table: TableView, come: str, odds: Any) -> dict[str, Money]:
    """The odds behind all standing "come" or "don't come" bets, at their multiple."""
    bets: dict[str, Money] = {}
    for number in LIKELIEST_FIRST:
        bets |= odds_behind(table, f"{come} {number}", number, odds)
    return bets


def covered_numbers(table: TableView, lines: Collection[str], comes: Collection[str]) -> int:
    """The numbers that these come bets are on, and the point if one of the line bets is on it."""
    on_numbers = sum(f"{come} {number}" in table.bets for come in comes for number in POINTS)
    return on_numbers + (table.point is not None and any(line in table.bets for line in lines))


# --- numbers: place bets, the iron cross, the field -----------------------------------------------

PRESSES = ("flat", "press", "power", "double", "regress")


def place_amount(units: Money, number: int) -> Money:
    """A place bet of some units; 6/5 as much on 6 and 8."""
    return int_if_whole(Fraction(units) * 6 / 5) if number in (6, 8) else units


def has_won(table: TableView, number: int) -> bool:
    """Whether the place bet on a number won on the last roll."""
    return table.last is not None and (table.last.profit(f"place {number}") or 0) > 0


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

    def wants(self, table: TableView) -> Amounts:
        """All four bets, whenever missing."""
        if table.point is None and not self.come_out:
            return {}
        return {
            "place 6": self.six,
            "place 8": self.six,
            "place 5": self.five,
            "field": self.field,
        }

    def sentences(self) -> Iterable[str]:
        when = "Before each roll" if self.come_out else "While there is a point"
        yield (
            f"{when}, have {digits(self.six)} each on place 6 and place 8, {digits(self.five)} on "
            f"place 5 and {digits(self.field)} on the field."
        )
        yield "Make a bet again as soon as it is gone."


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
        most: the largest that a bet is pressed to.
        hits: take all down after this number of wins, until the shooter is out; 0 for never.
        numbers: the numbers placed.

    Attributes:
        memory: the shooter's wins, and the numbers with an odd number of wins.
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
            raise RulesError(f"press={shown(self.press)}; give {', '.join(map(repr, PRESSES))}")
        for number in self.numbers:
            if number not in POINTS:
                raise RulesError(f"numbers={shown(self.numbers)}; place some of 4, 5, 6, 8, 9, 10")

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins, and the numbers with an odd number of wins, as far as they matter."""
        assert table.last is not None
        if table.last.out:
            return (0, ())
        count, odd = table.memory
        winners = {number for number in self.numbers if has_won(table, number)}
        # More wins than matter would only add positions.
        max_count = max(self.hits, self.press == "regress")
        changed = winners if self.press in ("press", "double") else set()
        return min(max_count, count + len(winners)), tuple(sorted(changed ^ set(odd)))

    def wants(self, table: TableView) -> Amounts:
        """Each number, pressed after wins; nothing after `hits` wins."""
        count, _ = table.memory
        if self.hits and count >= self.hits:
            return {bet: 0 for n in self.numbers if (bet := f"place {n}") in table.bets}
        # A win that also makes the point presses the bet too: it stays up, off on the come-out.
        bets: dict[str, Any] = {}
        for number in self.numbers:
            bet = f"place {number}"
            if table.point is not None or bet in table.bets:
                bets[bet] = self._amount_on(number, table)
        return bets

    def _amount_on(self, number: int, table: TableView) -> Money:
        """The amount on a number, after a win or without one."""
        bet = f"place {number}"
        first = self.amount if number in (6, 8) else self.outside
        count, odd = table.memory
        if self.press == "regress":
            return int_if_whole(Fraction(first, 2)) if count else first
        if self.press == "double":
            return min(2 * first, max(first, self.most)) if number in odd else first
        standing = table.bets.get(bet, first)
        profit = (table.last.profit(bet) or 0) if table.last else 0
        added: Money = 0
        if profit > 0 and self.press == "power":
            added = profit // first * first
        elif profit > 0 and self.press == "press" and number not in odd:
            added = first
        # A bet beyond the limit stays as it is.
        return max(standing, min(standing + added, self.most))

    def sentences(self) -> Iterable[str]:
        placed = [
            f"{digits(self.amount if number in (6, 8) else self.outside)} on the {number}"
            for number in self.numbers
        ]
        yield f"Once there is a point, place {word_list(placed)}."
        limit = digits(self.most)
        yield {
            "flat": "A win is paid, and the bet stays up as it is.",
            "press": "Every other win of a number raises its bet by as much as at first, up to "
            f"{limit}. The first win is one of them.",
            "power": "Put what a number wins on top of its bet, in whole multiples of the first "
            f"amount, up to {limit}.",
            "double": f"A win doubles the bet that won, up to {limit}. Its next win brings it "
            "back.",
            "regress": "After the first win of a shooter, take half of every bet down, until the "
            "shooter is out.",
        }[self.press]
        if self.hits:
            wins = "one win" if self.hits == 1 else f"{self.hits} wins"
            yield f"After {wins}, take everything down until the next shooter."
        yield "On the come-out the bets stay, and are off."


@dataclass(frozen=True)
class Hammerlock(Strategy):
    """Pass and don't pass, with a full lay behind the don't. On the point the 6 and the 8 are
    placed; a win brings them to half of that and places the 5 and the 9, another takes all down
    until the shooter is out. Nothing is placed on the come-out.

    Args:
        amount: on each line, and on the 5 and the 9; on the 6 and the 8 it is 6/5 of that, and at
            first twice as much.
        lay: this many times as much behind the don't pass.

    Attributes:
        memory: the wins of the shooter's place bets, up to two.
    """

    amount: Money = 5
    lay: Money = 6
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The wins of the shooter's place bets, up to two."""
        assert table.last is not None
        if table.last.out:
            return 0
        wins = sum(has_won(table, number) for number in (5, 6, 8, 9))
        return min(2, table.memory + wins)

    def wants(self, table: TableView) -> Amounts:
        """The lines on the come-out; then the place bets and the lay."""
        six = place_amount(self.amount, 6)
        if table.point is None or table.memory == 2:
            placed: dict[int, Money] = dict.fromkeys((5, 6, 8, 9), 0)
        elif table.memory == 1:
            placed = {5: self.amount, 6: six, 8: six, 9: self.amount}
        else:
            placed = {6: 2 * six, 8: 2 * six, 5: 0, 9: 0}
        # A bet that does not stand need not be taken down.
        bets = {
            f"place {n}": amount
            for n, amount in placed.items()
            if amount or f"place {n}" in table.bets
        }
        if table.point is None:
            return {**bets, "pass": self.amount, "don't pass": self.amount}
        return {**bets, **odds_behind(table, "don't pass", table.point, self.lay)}

    def sentences(self) -> Iterable[str]:
        amount, six = digits(self.amount), place_amount(self.amount, 6)
        yield f"On the come-out, bet {amount} on the pass line and {amount} on the don't pass."
        placed = f"Place {digits(2 * six)} each on the 6 and the 8."
        yield f"On a point, {odds_in_words(self.lay, True)} {placed}"
        yield (
            f"After the first win of a placed number, have {digits(six)} each on the 6 and the 8 "
            f"and {amount} each on the 5 and the 9. After the second, take them all down until the "
            "shooter is out."
        )
        yield "Take the place bets down for the come-out."


@dataclass(frozen=True)
class DiceDoctor(Strategy):
    """The field at each roll: one step up after a win, back to the first after a loss.

    Args:
        ladder: the steps, in units; the last stays.
        amount: the unit.

    Attributes:
        memory: the step of the ladder.
    """

    amount: Money = 1
    ladder: tuple[Money, ...] = (10, 20, 15, 30, 25, 50, 35, 70, 50, 100, 75, 150)
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The step; the first if the bet was not made."""
        assert table.last is not None
        won = (table.last.profit("field") or 0) > 0
        return min(table.memory + 1, len(self.ladder) - 1) if won else 0

    def wants(self, table: TableView) -> Amounts:
        """The field."""
        return {"field": int_if_whole(self.amount * Fraction(self.ladder[table.memory]))}

    def sentences(self) -> Iterable[str]:
        steps = ", ".join(digits(Fraction(self.amount * step)) for step in self.ladder)
        yield f"Bet the field before each roll, in these steps: {steps}."
        yield "After a win, go one step on. After a loss, go back to the first step."
        yield "After the last step, stay on it until a loss."


# --- numbers that move ----------------------------------------------------------------------------


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

    def wants(self, table: TableView) -> Amounts:
        """A line or come bet, and the first two uncovered of 6, 8, 5 and 9."""
        on_numbers = {n for n in LIKELIEST_FIRST if f"come {n}" in table.bets}
        n_flat = len(on_numbers) + ("pass" in table.bets) + ("come" in table.bets)
        if table.point is None:
            return {"pass": self.amount} if n_flat < self.flat else {}
        bets: dict[str, Any] = {"come": self.amount} if n_flat < self.flat else {}
        covered = on_numbers | ({table.point} if "pass" in table.bets else set())
        standing = {n for n in LIKELIEST_FIRST if f"place {n}" in table.bets}
        placed = set(standing)
        for number in (6, 8, 5, 9):
            if number in covered:
                placed.discard(number)
            elif len(placed) < 2:
                placed.add(number)
        for number in sorted(standing | placed):
            amount = self.six if number in (6, 8) else self.five
            bets[f"place {number}"] = amount if number in placed else 0
        return bets

    def sentences(self) -> Iterable[str]:
        amount = digits(self.amount)
        more = f" On a point, bet {amount} on come, until there are {self.flat} such bets."
        line = f"On the come-out, bet {amount} on the pass line."
        yield line + (more if self.flat > 1 else "")
        yield (
            "On a point, have place bets on two numbers that no line or come bet is on: the first "
            f"two of 6, 8, 5 and 9. Bet {digits(self.six)} on 6 or 8, and {digits(self.five)} on 5 "
            "or 9."
        )
        yield "When a line or come bet moves to one of them, take that place bet down and move it."


@dataclass(frozen=True)
class PlaceLadder(Strategy):
    """Numbers placed while there is a point. A win moves a number one step up its ladder; it
    restarts after the last step, and all do when the shooter is out.

    Args:
        amount: the first step on 4, 5, 9 and 10; 6/5 of it on 6 and 8.
        ladder: the steps, as multiples of the first.
        numbers: the numbers placed.

    Attributes:
        memory: the step of each number; empty if all are at the first.
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
        next_steps = tuple(
            (step + has_won(table, n)) % len(self.ladder)
            for n, step in zip(self.numbers, steps, strict=True)
        )
        # All at the first step is the memory of a new shooter.
        return next_steps if any(next_steps) else ()

    def wants(self, table: TableView) -> Amounts:
        """Each number, at its step."""
        if table.point is None:
            return {}
        steps = table.memory or (0,) * len(self.numbers)
        return {
            f"place {n}": int_if_whole(place_amount(self.amount, n) * Fraction(self.ladder[step]))
            for n, step in zip(self.numbers, steps, strict=True)
        }

    def sentences(self) -> Iterable[str]:
        ladders = [
            f"{', '.join(digits(place_amount(self.amount, n) * Fraction(k)) for k in self.ladder)} "
            f"on the {n}"
            for n in self.numbers
        ]
        yield f"While there is a point, place these numbers in steps: {word_list(ladders)}."
        yield "A win takes a number one step up. After the last step it begins again at the first."
        yield "When the shooter is out, all begin again."


@dataclass(frozen=True)
class Squeeze(Strategy):
    """66 inside once there is a point. A win adds the 4 and the 10 with 10 each, a second one makes
    it 88 inside, a third brings all down to 64 across, until the shooter is out.

    Args:
        amount: the unit; at first three inside, two outside.

    Attributes:
        memory: the shooter's wins, up to three.
    """

    amount: Money = 5
    memory: int = 0

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins, up to three."""
        assert table.last is not None
        if table.last.out:
            return 0
        return min(3, table.memory + any(has_won(table, n) for n in LIKELIEST_FIRST))

    def wants(self, table: TableView) -> Amounts:
        """The place bets of the stage."""
        if table.point is None:
            return {}
        inside, outside = ((3, 0), (3, 2), (4, 2), (2, 2))[table.memory]
        units = {n: outside if n in (4, 10) else inside for n in LIKELIEST_FIRST}
        return {f"place {n}": place_amount(self.amount * k, n) for n, k in units.items() if k}

    def sentences(self) -> Iterable[str]:
        def amounts(units: int) -> tuple[str, str]:
            """The amount on 6 and 8, and that on the other numbers."""
            return digits(place_amount(self.amount * units, 6)), digits(self.amount * units)

        (six3, five3), (six4, five4), (six2, five2) = amounts(3), amounts(4), amounts(2)
        yield f"Once there is a point, place {six3} each on 6 and 8, and {five3} each on 5 and 9."
        yield f"After the first win of a shooter, place {five2} each on 4 and 10 too."
        yield f"After the second, have {six4} each on 6 and 8, and {five4} each on 5 and 9."
        yield (
            f"After the third, come down to {six2} each on 6 and 8, and {five2} on each other "
            "number, until the shooter is out."
        )


@dataclass(frozen=True)
class RiskTwelve(Strategy):
    """The pass line and the field at the come-out; once there is a point the 6 and the 8 are
    placed, if this shooter's wins, and 12 besides, pay for them. What is placed comes down at the
    come-out.

    Args:
        amount: on the line and in the field; 6/5 of it on the 6 and the 8.

    Attributes:
        memory: the shooter's wins in money.
    """

    amount: Money = 5
    memory: Money = 0

    def remembers(self, table: TableView) -> Any:
        """The shooter's wins in money."""
        assert table.last is not None
        return 0 if table.last.out else table.memory + table.last.net

    def wants(self, table: TableView) -> Amounts:
        """The bets that the shooter's money pays for."""
        six = place_amount(self.amount, 6)
        # The shooter may risk what two place bets cost, and what they have won.
        budget = 2 * six + table.memory - sum(table.bets.values())
        if table.point is None:
            taken_down = {bet: 0 for bet in table.bets if bet.startswith("place")}
            come_out = {"pass": self.amount, "field": self.amount}
            return taken_down | (come_out if budget >= self.amount else {})
        numbers = [n for n in (6, 8) if n != table.point]
        if budget < 2 * six:
            numbers = numbers[:1] if budget >= six else []
        return {f"place {n}": six for n in numbers}

    def sentences(self) -> Iterable[str]:
        amount, six = digits(self.amount), place_amount(self.amount, 6)
        yield f"On the come-out, bet {amount} on the pass line and {amount} on the field."
        yield (
            f"On a point, place {digits(six)} each on the 6 and the 8, but not on the point. Pay "
            f"for them with what this shooter has won, and {digits(2 * six)} besides."
        )
        yield "Take the place bets down for the come-out."


# --- line bets sized by earlier results or by the money -------------------------------------------


@dataclass(frozen=True)
class Progression(Strategy):
    """A line bet sized by the results of earlier ones.

    Args:
        most: the largest bet, in units.
        side: "pass" or "don't pass".
        amount: the unit.
    """

    amount: Money = 1
    most: int = 64
    side: str = "pass"
    mirrored = True

    def units(self, memory: Any) -> int:
        """The size of the next bet, in units; by default it is what is remembered."""
        return int(memory)

    @abstractmethod
    def next_memory(self, memory: Any, won: bool) -> Any:
        """The memory after a win or loss."""

    def remembers(self, table: TableView) -> Any:
        """The memory, updated if the bet was won or lost."""
        assert table.last is not None
        profit = table.last.profit(self.side)
        return self.next_memory(table.memory, profit > 0) if profit else table.memory

    def wants(self, table: TableView) -> Amounts:
        """The line at the come-out."""
        if table.point is not None:
            return {}
        return {self.side: self.amount * min(self.units(table.memory), self.most)}


@dataclass(frozen=True)
class Martingale(Progression):
    """Double after a loss; back to one unit after a win, or when the next bet would exceed `most`.

    Attributes:
        memory: the units of the next bet.
    """

    memory: int = 1

    def next_memory(self, memory: Any, won: bool) -> Any:
        """Twice the units after a loss."""
        # Beyond the limit the series is given up.
        return 1 if won or 2 * memory > self.most else 2 * memory

    def sentences(self) -> Iterable[str]:
        yield _start_sentence(self)
        # The largest power of 2 within the limit.
        last_step = 1 << (int(self.most).bit_length() - 1)
        yield "After a loss, double the bet. After a win, start again."
        yield f"{digits(self.amount * last_step)} is the last step: win or lose, start again."


@dataclass(frozen=True)
class OscarsGrind(Progression):
    """To win one unit: bet the same after a loss, one unit more after a win, but never more than
    would bring the one unit. A series that is down by more than `most` units is given up.

    Args:
        most: the largest loss of a series, in units; no bet is larger either.

    Attributes:
        memory: the units of the next bet, and the result of the series in units.
    """

    memory: tuple[int, int] = (1, 0)

    def units(self, memory: Any) -> int:
        """The remembered size, beside the result of the series."""
        return int(memory[0])

    def next_memory(self, memory: Any, won: bool) -> Any:
        """A win ends the series if it brings it to one unit."""
        units, result = memory
        result += units if won else -units
        # Won, or given up.
        if result >= 1 or result < -self.most:
            return (1, 0)
        # Never more than the series still needs.
        return (min(units + won, 1 - result), result)

    def sentences(self) -> Iterable[str]:
        unit = digits(self.amount)
        yield _start_sentence(self)
        yield (
            f"A series aims to win {unit}. After a loss, bet the same. After a win, bet {unit} "
            "more, but no more than the series still needs."
        )
        yield (
            f"Start a new series once it is won, or once it is down by more than "
            f"{digits(self.amount * self.most)}."
        )


@dataclass(frozen=True)
class DAlembert(Progression):
    """One unit more after a loss, one less after a win.

    Args:
        most: the largest bet, in units.

    Attributes:
        memory: the units of the next bet.
    """

    most: int = 20
    memory: int = 1

    def next_memory(self, memory: Any, won: bool) -> Any:
        """Up after a loss, down after a win."""
        return max(1, memory - 1) if won else min(memory + 1, self.most)

    def sentences(self) -> Iterable[str]:
        unit = digits(self.amount)
        yield _start_sentence(self)
        yield f"After a loss, bet {unit} more. After a win, bet {unit} less, but at least {unit}."
        limit = digits(self.amount * self.most)
        yield f"At {limit} the bet goes no higher: stay there until a win."


@dataclass(frozen=True)
class Fibonacci(Progression):
    """1, 1, 2, 3, 5, 8, ...: one on after a loss, two back after a win.

    Args:
        most: the largest bet, in units.

    Attributes:
        memory: the index in the sequence, from 0.
    """

    most: int = 55
    memory: int = 0

    def units(self, memory: Any) -> int:
        """The number at the remembered index."""
        number, following = 1, 1
        for _ in range(memory):
            number, following = following, number + following
        return number

    def next_memory(self, memory: Any, won: bool) -> Any:
        """Two back, or one on; back to the first if the next exceeds `most`."""
        index = max(0, memory - 2) if won else memory + 1
        return index if self.units(index) <= self.most else 0

    def sentences(self) -> Iterable[str]:
        steps = [n for n in (self.units(k) for k in range(self.most + 1)) if n <= self.most]
        yield _start_sentence(self)
        yield f"The steps are {', '.join(digits(self.amount * n) for n in steps)}."
        yield "After a loss, go one step on. After a win, go two steps back."
        yield "After a loss on the last step, begin again at the first."


@dataclass(frozen=True)
class Labouchere(Progression):
    """Bet the first and the last of a line of numbers; strike them after a win, write what was lost
    at its end after a loss. Begin again when the line is empty, or would bet more than `most`.

    Args:
        most: the largest bet, in units.

    Attributes:
        memory: the numbers of the line, in units.
    """

    most: int = 12
    memory: tuple[int, ...] = (1, 2, 3)

    def units(self, memory: Any) -> int:
        """The sum of the first and the last."""
        return int(memory[0] + memory[-1]) if len(memory) > 1 else int(memory[0])

    def next_memory(self, memory: Any, won: bool) -> Any:
        """Shorter after a win, longer after a loss."""
        line = memory[1:-1] if won else (*memory, self.units(memory))
        # The line is empty, or the bet too large: a new line.
        return line if line and self.units(line) <= self.most else type(self).memory

    def sentences(self) -> Iterable[str]:
        numbers = [digits(self.amount * n) for n in self.memory]
        line = f"Write down a line: {', '.join(numbers)}."
        yield f"At each come-out, bet on {_line_name(self.side)}. {line}"
        yield (
            "Bet the sum of the first and the last number, or the only one. After a win, strike "
            "them. After a loss, write the bet at the end."
        )
        yield (
            "Begin with a new line when this one is empty, or when the bet would be more than "
            f"{digits(self.amount * self.most)}."
        )


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

    def wants(self, table: TableView) -> Amounts:
        """All of it at the come-out."""
        if table.point is not None:
            return {}
        # More than the target needs would risk money for nothing.
        return {"pass": max(self.unit, min(table.money, self.target - table.money))}


# --- a strategy at a table with higher minimums ---------------------------------------------------


@dataclass(frozen=True)
class Scaled(Strategy):
    """A strategy with every amount multiplied by one factor, for a table of higher minimums.

    >>> from sevenout.catalogue.strategies import strategies
    >>> double = Scaled(strategies["place-6-8"], 2)
    >>> double.wants(TableView(5, {}, double.memory))
    {'place 6': 12, 'place 8': 12}

    Args:
        strategy: the strategy that is scaled. It sees the table in its own units.
        times: the factor.
    """

    strategy: Strategy
    times: int

    @property
    def memory(self) -> Any:  # type: ignore[override]
        """What the strategy remembers at the start."""
        return self.strategy.memory

    @property
    def sees_money(self) -> bool:  # type: ignore[override]
        """Whether the strategy looks at the money."""
        return self.strategy.sees_money

    @property
    def mirrored(self) -> bool:  # type: ignore[override]
        """Whether the strategy treats equally likely numbers alike."""
        return self.strategy.mirrored

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets of the strategy, multiplied."""
        bets = self.strategy.wants(self._in_own_units(table))
        return {bet: int_if_whole(exact(amount) * self.times) for bet, amount in bets.items()}

    def remembers(self, table: TableView) -> Any:
        """What the strategy remembers."""
        return self.strategy.remembers(self._in_own_units(table))

    def _in_own_units(self, table: TableView) -> TableView:
        """The table in the units of the strategy."""
        last = table.last
        return replace(
            table,
            bets={bet: self._in_own_money(amount) for bet, amount in table.bets.items()},
            last=None if last is None else self._roll_in_own_units(last),
            purse=None if table.purse is None else self._in_own_money(table.purse),
        )

    def _roll_in_own_units(self, last: FeltRoll) -> FeltRoll:
        """A roll with its payments in the units of the strategy."""
        paid = tuple(
            payment._replace(
                stake=self._in_own_money(payment.stake), profit=self._in_own_money(payment.profit)
            )
            for payment in last.paid
        )
        return last._replace(paid=paid)

    def _in_own_money(self, amount: Money) -> Money:
        """An amount at the table, in the strategy's units."""
        return int_if_whole(Fraction(amount) / self.times)

    def sentences(self) -> Iterable[str]:
        yield from self.strategy.sentences()
        yield f"Every amount is multiplied by {self.times}."


def scale_for(minimums: Mapping[str, Money], bets: Mapping[str, Money]) -> int:
    """The smallest whole factor by which every bet reaches its minimum.

    >>> scale_for({"pass": 10, "yo": 1}, {"pass": 3, "yo": 1})
    4
    """
    factors = (ceil(Fraction(minimums[bet]) / Fraction(amount)) for bet, amount in bets.items())
    return max([1, *factors])


# --- words ----------------------------------------------------------------------------------------


def _line_name(side: str) -> str:
    return "the pass line" if side == "pass" else "the don't pass"


def _start_sentence(strategy: Progression) -> str:
    """How a progression begins, in words."""
    line, unit = _line_name(strategy.side), digits(strategy.amount)
    return f"At each come-out, bet on {line}. Start with {unit}."


def odds_in_words(odds: Any, laid: bool) -> str:
    """How much is taken or laid in odds.

    >>> odds_in_words((3, 4, 5), False)
    'take odds of 3 times the bet on 4 and 10, 4 times on 5 and 9, 5 times on 6 and 8.'
    """
    verb = "lay" if laid else "take"
    if not isinstance(odds, tuple):
        return f"{verb} odds of {_times(odds)} the bet."
    outer, middle, inner = map(_times, odds)
    return f"{verb} odds of {outer} the bet on 4 and 10, {middle} on 5 and 9, {inner} on 6 and 8."


def _times(multiple: Any) -> str:
    return "1 time" if multiple == 1 else f"{digits(Fraction(multiple))} times"
