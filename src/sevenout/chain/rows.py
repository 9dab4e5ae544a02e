"""The rows of an evening, found one after the other, and what each roll does in them.

See `layouts`, which says what a row is, and a pinch.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.rules.betting import NOTHING, After, Bettor, Money, Seat, Stands, pay_for, whole

RUIN, LOSS, WIN, SHOOTERS, TIME, ROUNDS = -1, -2, -3, -4, -5, -6
"""Where a roll may end the evening, in place of a row."""
ENDS = {
    **{RUIN: "ruin", LOSS: "stop loss", WIN: "target"},
    **{SHOOTERS: "shooters", TIME: "time", ROUNDS: "rounds"},
}
MAX_ROWS = 300_000


class Step(NamedTuple):
    """What a roll does in a row.

    Attributes:
        weight: of the roll, out of `ways`.
        to: the row, or an end, that it leads to.
        gain: the money won or lost.
        fee: what is paid for the bets that are made then.
        settled: the stakes of the bets that the roll settled.
        bets: how many these were.
        refused: how many bets could not be made then.
        need: the money without which the step is another, in a row of no certain money.
        out: whether the shooter is out.
        stands: what the roll leaves on the felt, before anything is taken down or bet: what stands
            if it was the last.
    """

    weight: int
    to: int
    gain: Money
    fee: Money
    settled: Money
    bets: int
    refused: int
    need: Money
    out: bool
    stands: Stands = NOTHING


class Row(NamedTuple):
    """A layout; `money` is None where it does not matter."""

    seat: Seat
    money: Money | None


class _Outcome:
    """What a roll does, and the step to which it comes where all that is wanted can be paid.

    Attributes:
        after: what the roll does.
        need: the money, after the roll, that pays for all.
        rich: the step then; None before it is wanted.
    """

    __slots__ = ("after", "need", "rich")

    def __init__(self, after: After) -> None:
        self.after = after
        standing = sum([amount for _, amount in after.seat.bets])
        self.need = standing + sum([wish.more + wish.fee for wish in after.wishes])
        self.rich: Step | None = None


@dataclass
class Explorer:
    """Finds the rows, and the steps between them."""

    bettor: Bettor
    bankroll: Money
    floor: Money | None
    ceiling: Money | None
    shooters: int | None
    rounds: int | None
    rolls: int | None
    mirrored: bool
    rows: list[Row] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    index: dict[Hashable, int] = field(default_factory=dict)
    afters: dict[Hashable, list[_Outcome]] = field(default_factory=dict)
    steps: list[list[Step]] = field(default_factory=list)
    safe: list[Money] = field(default_factory=list)
    pinches: list[dict[Money, int]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    unit: Fraction = Fraction(0)
    nearer: list[int] = field(default_factory=list)
    again: bool = False

    def row(self, seat: Seat, money: Money | None, depth: int) -> int:
        """The number of a row; a new one waits to be explored."""
        try:
            at = self.index.setdefault((seat, money), len(self.rows))
        except TypeError:
            raise RulesError(
                f"the memory {shown(seat.memory)} is not hashable; remember numbers, texts, tuples"
            ) from None
        if at == len(self.rows):
            if at >= MAX_ROWS:
                raise TooManyStatesError(
                    f"more than {MAX_ROWS:,} layouts; remember less, look at the money less "
                    "closely, or bet fewer different amounts"
                )
            self.rows.append(Row(seat, money))
            self.depth.append(depth)
        self.come(at, depth)
        return at

    def come(self, at: int, depth: int) -> None:
        """A row is found once more; where that is sooner, what follows it is explored anew."""
        if depth < self.depth[at]:
            self.depth[at] = depth
            if self.rolls is not None and at < len(self.steps):
                self.nearer.append(at)

    def outcomes(self, row: Row, last: bool) -> "list[_Outcome]":
        """What each roll does in a seat; found once for all amounts of money, if nobody looks."""
        sees = self.bettor.strategy.sees_money
        key = (row.seat, row.money if sees else None, last)
        found = self.afters.get(key)
        if found is None:
            throws = self.bettor.felt.throws(row.seat.bets)
            money = row.money if sees else None
            after = self.bettor.after
            found = [_Outcome(after(row.seat, throw, money, last=last)) for throw in throws]
            self.afters[key] = found
        return found

    def enter(
        self, seat: Seat, wishes: Any, money: Money | None, depth: int
    ) -> tuple[int, Money, tuple[str, ...]]:
        """The row after the bets are made, their fees, and those that can't be paid."""
        then, fees, refused = pay_for(seat, wishes, money)
        point, bets, memory, shooters, rounds = then
        if self.mirrored:
            point, bets, _ = self.bettor.felt.mirrored(point, bets)
        shooters = 0 if self.shooters is None else shooters
        then = Seat(point, bets, memory, shooters, 0 if self.rounds is None else rounds)
        if refused:
            self.names.update(refused)
            if not then.bets:
                return RUIN, 0, refused
        pinned = money is not None and (refused or self.bettor.strategy.sees_money)
        left = whole(Fraction(money - fees)) if pinned and money is not None else None
        return self.row(then, left, depth), fees, refused

    def explore(self, at: int) -> None:
        """The steps of a row."""
        row, depth = self.rows[at], self.depth[at] + 1
        steps: list[Step] = []
        safe: Money = 0
        if self.rolls is None or depth <= self.rolls:
            for outcome in self.outcomes(row, depth == self.rolls):
                step = self.step(row.money, outcome, depth)
                steps.append(step)
                safe = max(safe, step.need)
        if at == len(self.steps):
            self.steps.append(steps)
            self.safe.append(safe)
            self.pinches.append({})
        else:
            self.steps[at], self.safe[at], self.again = steps, safe, True
            for pinch in self.pinches[at].values():
                self.come(pinch, self.depth[at])

    def step(self, money: Money | None, outcome: "_Outcome", depth: int) -> Step:
        """One of them."""
        after = outcome.after
        gain, settled, out = after.gain, after.settled, after.rolled.out
        bets = len(after.rolled.paid)
        end = 0
        if money is not None:
            money = money + gain
            if self.floor is not None and money <= self.floor:
                end = LOSS
            elif self.ceiling is not None and money >= self.ceiling:
                end = WIN
        if not end and self.shooters is not None and after.seat.shooters >= self.shooters:
            end = SHOOTERS
        stands = (after.seat.point, after.standing)
        if not end and depth == self.rolls:
            end = TIME
        if end:
            self.measure(gain, 0)
            return Step(after.weight, end, gain, 0, settled, bets, 0, 0, out, stands)
        unmet = len(after.unmet)
        known = self.bettor.strategy.sees_money or (money is not None and money < outcome.need)
        if self.rounds is not None and after.seat.rounds >= self.rounds:
            paid, _, lacking = pay_for(after.seat, after.wishes, money if known else None)
            end = RUIN if lacking and not paid.bets else ROUNDS
            need = 0 if known else outcome.need - gain
            self.measure(gain, 0)
            return Step(after.weight, end, gain, 0, settled, bets, 0, need, out, stands)
        if known:
            to, fees, lacking = self.enter(after.seat, after.wishes, money, depth)
            self.measure(gain, fees)
            refused = len(lacking) + unmet
            return Step(after.weight, to, gain, fees, settled, bets, refused, 0, out, stands)
        if outcome.rich is None:
            self.names.update(after.unmet)
            to, fees, _ = self.enter(after.seat, after.wishes, None, depth)
            self.measure(gain, fees)
            need = outcome.need - gain
            now = Step(after.weight, to, gain, fees, settled, bets, unmet, need, out, stands)
            outcome.rich = now
        elif outcome.rich.to >= 0:
            self.come(outcome.rich.to, depth)
        return outcome.rich

    def measure(self, gain: Money, fees: Money) -> None:
        """Let the lattice of the money be fine enough."""
        self.unit = _common(_common(self.unit, gain), fees)

    def tight(self, at: int) -> Iterator[Money]:
        """The amounts of money at which a row is a pinch."""
        staked = sum(amount for _, amount in self.rows[at].seat.bets)
        unit = self.unit or Fraction(1)
        k = -((self.bankroll - staked) // unit)
        if self.floor is not None:  # which need not be one of the amounts that there are
            k = max(k, (self.floor - self.bankroll) // unit + 1)
        money = self.bankroll + k * unit
        while money < self.safe[at] and (self.ceiling is None or money < self.ceiling):
            yield whole(Fraction(money))
            money += unit

    def explore_all(self) -> None:
        """Explore what is not explored yet, and what is found on the way."""
        while self.nearer or len(self.steps) < len(self.rows):
            self.explore(self.nearer.pop(0) if self.nearer else len(self.steps))

    def pin(self, at: int, money: Money) -> int:
        """The pinch of a row at an amount of money, explored."""
        found = self.row(self.rows[at].seat, money, self.depth[at])
        self.pinches[at][money] = found
        self.explore_all()
        return found

    def pinch_all(self) -> None:
        """The pinches of every row, until no row is new and the lattice of money no finer."""
        unit, done = self.unit, 0
        while done < len(self.rows):
            if self.rows[done].money is None:
                for money in self.tight(done):
                    if money not in self.pinches[done]:
                        found = self.row(self.rows[done].seat, money, self.depth[done])
                        self.pinches[done][money] = found
            done += 1
            if done == len(self.rows) or len(self.rows) - len(self.steps) > 1000:
                self.explore_all()
            if self.unit != unit or self.again:
                unit, done, self.again = self.unit, 0, False


def _common(one: Fraction, other: Money) -> Fraction:
    """The greatest common measure of two amounts.

    >>> _common(Fraction(3, 2), -2)
    Fraction(1, 2)
    """
    if not other:
        return one
    if one and not other % one:
        return one
    below = lcm(one.denominator, other.denominator)
    return Fraction(gcd(int(one * below), int(other * below)), below)
