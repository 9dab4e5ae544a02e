"""The rows of an evening, found one after the other, and what each roll does in them.

See `layouts`, which says what a row is, and a pinch.
"""

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model.exploration.explore import not_collecting
from sevenout.rules.casino.betting import After, Bettor, Seat, Wish, made, unpaid
from sevenout.rules.casino.ends import RUIN, Ends
from sevenout.rules.casino.felt import NOTHING, Felt, Money, Stands, whole

MAX_ROWS = 300_000


class Step(NamedTuple):
    """What a roll does in a row.

    Attributes:
        weight: of the roll, out of `ways`.
        to: the row, or an end, that it leads to.
        gain: the money won or lost.
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
    settled: Money
    bets: int
    refused: int
    need: Money
    out: bool
    stands: Stands = NOTHING


class PositionRow(NamedTuple):
    """A layout, by its number too; `money` is None where it does not matter."""

    seat: Seat
    money: Money | None
    layout: int


class _Entered(NamedTuple):
    """What a bettor comes to once the bets are made that can be paid.

    Attributes:
        layout: its number; `RUIN` where none stands and none can be paid.
        refused: those that can't be paid.
    """

    layout: int
    refused: tuple[str, ...]


class _Outcome:
    """What a roll does to a layout, whatever the money, and whatever is counted.

    Attributes:
        after: what the roll does.
        standing: the money on the felt then, commissions too, before anything is bet.
        need: the money, after the roll, that pays for all that is wanted.
        rich: the steps where it does, by what was counted before.
        entered: where the bets lead, by those that can't be paid.
    """

    __slots__ = ("after", "entered", "need", "rich", "standing")

    def __init__(self, after: After, felt: Felt) -> None:
        self.after = after
        self.standing = felt.cost(after.seat.bets)
        self.need = self.standing + sum([wish.more + wish.fee for wish in after.wishes])
        self.rich: dict[tuple[int, int], Step] = {}
        self.entered: dict[tuple[str, ...], _Entered] = {}


@dataclass
class PositionExplorer:
    """Finds the rows, and the steps between them."""

    bettor: Bettor
    bankroll: Money
    ends: Ends
    mirrored: bool
    rows: list[PositionRow] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    index: dict[Hashable, int] = field(default_factory=dict)
    layouts: dict[Seat, int] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    afters: dict[Hashable, list[_Outcome]] = field(default_factory=dict)
    steps: list[list[Step]] = field(default_factory=list)
    safe: list[Money] = field(default_factory=list)
    pinches: list[dict[Money, int]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    unit: Fraction = Fraction(0)
    nearer: deque[int] = field(default_factory=deque)
    cut: set[int] = field(default_factory=set)
    again: bool = False

    def row(self, layout: int, counts: tuple[int, int], money: Money | None, depth: int) -> int:
        """The number of a row; a new one waits to be explored."""
        at = self.index.setdefault((layout, counts, money), len(self.rows))
        if at == len(self.rows):
            if at >= MAX_ROWS:
                raise TooManyStatesError(
                    f"more than {MAX_ROWS:,} layouts; remember less, look at the money less "
                    "closely, or bet fewer different amounts"
                )
            shooters, rounds = counts
            seat = self.seats[layout]._replace(shooters=shooters, rounds=rounds)
            self.rows.append(PositionRow(seat, money, layout))
            self.depth.append(depth)
        self.come(at, depth)
        return at

    def come(self, at: int, depth: int) -> None:
        """A row is found once more; where that is sooner, what follows it is explored anew."""
        if depth < self.depth[at]:
            self.depth[at] = depth
            if self.ends.rolls is not None and at < len(self.steps):
                self.nearer.append(at)

    def outcomes(self, row: PositionRow, last: bool) -> "list[_Outcome]":
        """What each roll does to a layout; found once for all amounts of money, if nobody looks."""
        money = row.money if self.bettor.strategy.sees_money else None
        key = (row.layout, money, last)
        found = self.afters.get(key)
        if found is None:
            seat, after = self.seats[row.layout], self.bettor.after
            throws = self.bettor.felt.throws(seat.bets)
            felt = self.bettor.felt
            found = [_Outcome(after(seat, throw, money, last=last), felt) for throw in throws]
            for outcome in found:
                self.measure(outcome.after.gain)
            self.afters[key] = found
        return found

    def enter(self, seat: Seat, wishes: Sequence[Wish], refused: tuple[str, ...]) -> _Entered:
        """The layout after the bets are made, but for those that were refused."""
        self.names.update(refused)
        seat = made(seat, wishes, refused)
        if refused and not seat.bets:
            return _Entered(RUIN, refused)
        point, bets, memory = seat[:3]
        if self.mirrored:
            point, bets, _ = self.bettor.felt.mirrored(point, bets)
        seat = Seat(point, bets, memory)
        try:
            layout = self.layouts.setdefault(seat, len(self.seats))
        except TypeError:
            raise RulesError(
                f"the memory {shown(memory)} is not hashable; remember numbers, texts, tuples"
            ) from None
        if layout == len(self.seats):
            self.seats.append(seat)
        return _Entered(layout, refused)

    def begin(self, seat: Seat, wishes: Sequence[Wish]) -> tuple[int, tuple[str, ...]]:
        """The first row, and the first bets that can't be paid.

        Raises:
            RulesError: none of them can.
        """
        refused = unpaid(wishes, self.bankroll)
        layout = self.enter(seat, wishes, refused).layout
        if layout == RUIN:
            raise RulesError(
                f"a bankroll of {self.bankroll} does not pay for the first bet: {refused[0]}"
            )
        pinned = refused or self.bettor.strategy.sees_money
        money = whole(self.bankroll) if pinned else None
        return self.row(layout, (0, 0), money, 0), refused

    def explore(self, at: int) -> None:
        """The steps of a row; of one that is found sooner, only what that changes."""
        row, depth, rolls = self.rows[at], self.depth[at] + 1, self.ends.rolls
        known = at < len(self.steps)
        if known and at not in self.cut:
            for to in {step.to for step in self.steps[at] if step.to >= 0}:
                self.come(to, depth)
        else:
            steps: list[Step] = []
            if rolls is None or depth <= rolls:
                outcomes = self.outcomes(row, depth == rolls)
                steps = [self.step(row, outcome, depth) for outcome in outcomes]
            safe = max([step.need for step in steps], default=0)
            if known:
                self.steps[at], self.safe[at], self.again = steps, safe, True
            else:
                self.steps.append(steps)
                self.safe.append(safe)
                self.pinches.append({})
            self.cut.discard(at)
            if depth == rolls or not steps:
                self.cut.add(at)
        for pinch in self.pinches[at].values():
            self.come(pinch, self.depth[at])

    def step(self, row: PositionRow, outcome: "_Outcome", depth: int) -> Step:
        """One of them."""
        after, before = outcome.after, row.seat[3:]
        gain, paid, out = after.gain, after.rolled.paid, after.rolled.out
        shooters = before[0] + out if self.ends.shooters is not None else 0
        rounds = before[1] + len(paid) if self.ends.rounds is not None else 0
        money = None if row.money is None else row.money + gain

        def to(where: int, refused: int = 0, need: Money = 0) -> Step:
            stands = (after.seat.point, after.standing)
            settled = after.settled, len(paid)
            return Step(after.weight, where, gain, *settled, refused, need, out, stands)

        end = self.ends.rolled(money, rolls=depth, shooters=shooters)
        if end is not None:
            return to(end)
        sees = self.bettor.strategy.sees_money
        rail = None if money is None else money - outcome.standing
        known = sees or (money is not None and money < outcome.need)
        if not known and before in outcome.rich:
            step = outcome.rich[before]
            if step.to >= 0:
                self.come(step.to, depth)
            return step
        refused = unpaid(after.wishes, rail) if known else ()
        entered = outcome.entered.get(refused)
        if entered is None:
            entered = outcome.entered[refused] = self.enter(after.seat, after.wishes, refused)
            self.names.update(after.unmet)
        layout = entered.layout
        need = 0 if known else outcome.need - gain
        missed = 0 if self.ends.settled(rounds) else len(refused) + len(after.unmet)
        end = self.ends.betting(rounds, broke=layout == RUIN)
        if end is not None:
            step = to(end, missed, need)
        else:
            left = whole(money) if money is not None and (refused or sees) else None
            then = self.row(layout, (shooters, rounds), left, depth)
            step = to(then, missed, need)
        if not known:
            outcome.rich[before] = step
        return step

    def measure(self, amount: Money) -> None:
        """Let the lattice of the money be fine enough."""
        self.unit = _common(self.unit, amount)

    def tight(self, at: int) -> Iterator[Money]:
        """The amounts of money at which a row is a pinch."""
        staked = self.bettor.felt.cost(self.rows[at].seat.bets)
        unit = whole(self.unit or Fraction(1))
        k = -((self.bankroll - staked) // unit)
        low, _ = self.ends.columns(unit, self.bankroll)
        if low is not None:  # the floor need not be one of the amounts that there are
            k = max(k, low + 1)
        money = self.bankroll + k * unit
        while money < self.safe[at] and self.ends.stop(money) is None:
            yield whole(money)
            money += unit

    @not_collecting()
    def explore_all(self) -> None:
        """Explore what is not explored yet, and what is found on the way."""
        while self.nearer or len(self.steps) < len(self.rows):
            self.explore(self.nearer.popleft() if self.nearer else len(self.steps))

    def pin(self, at: int, money: Money) -> int:
        """The pinch of a row at an amount of money, to be explored."""
        row = self.rows[at]
        found = self.row(row.layout, row.seat[3:], money, self.depth[at])
        self.pinches[at][money] = found
        return found

    def pinch_all(self) -> None:
        """The pinches of every row, until no row is new and the lattice of money no finer."""
        unit, done = self.unit, 0
        while done < len(self.rows):
            if self.rows[done].money is None:
                for money in self.tight(done):
                    if money not in self.pinches[done]:
                        self.pin(done, money)
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
