"""The rows of an evening, found one after the other, and what each roll does in them.

See `positions`, which says what a row is, and short money.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model.exploration.explore import not_collecting
from sevenout.rules.casino.betting import After, Bettor, Seat, Wish, made, margins, unpaid
from sevenout.rules.casino.ends import RUIN, Ends
from sevenout.rules.casino.felt import NOTHING, Felt, Money, Stands, whole

MAX_ROWS = 300_000
MANY_CHANGES = 50
"""A row that is come to with more money this often is come to with any amount."""


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


class MoneyMove(NamedTuple):
    """A step, and the amounts of money with which a row makes it.

    Attributes:
        low: the least of them.
        high: the first amount above them; None for no bound.
        step: of the row then.
    """

    low: Money
    high: Money | None
    step: Step


class PositionRow(NamedTuple):
    """A layout, by its number too; `money` is None but where the strategy looks at it."""

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
        poor: the steps where it does not, by that and by what can't be paid.
        entered: where the bets lead, by those that can't be paid.
    """

    __slots__ = ("after", "entered", "need", "poor", "rich", "standing")

    def __init__(self, after: After, felt: Felt) -> None:
        self.after = after
        self.standing = felt.cost(after.seat.bets)
        self.need = self.standing + sum([wish.more + wish.fee for wish in after.wished.wishes])
        self.rich: dict[tuple[int, int], Step] = {}
        self.poor: dict[tuple[tuple[int, int], tuple[str, ...]], Step] = {}
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
    short: list[dict[int, list[MoneyMove]]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    clipped: set[str] = field(default_factory=set)
    unit: Fraction = Fraction(0)
    nearer: deque[int] = field(default_factory=deque)
    cut: set[int] = field(default_factory=set)
    renewed: list[int] = field(default_factory=list)

    def row(self, layout: int, counts: tuple[int, int], money: Money | None, depth: int) -> int:
        """The number of a row; a new one waits to be explored."""
        at = self.index.setdefault((layout, counts, money), len(self.rows))
        if at == len(self.rows):
            if at >= MAX_ROWS:
                raise TooManyStatesError(
                    f"the strategy has more than {MAX_ROWS:,} states; let it remember less, "
                    "round the money it looks at, or bet fewer different amounts"
                )
            shooters, rounds = counts
            seat = self.seats[layout]._replace(shooters=shooters, rounds=rounds)
            self.rows.append(PositionRow(seat, money, layout))
            self.depth.append(depth)
        self.come(at, depth)
        return at

    def come(self, at: int, depth: int) -> None:
        """A row is found again; where that is sooner, what follows it is explored again."""
        if depth < self.depth[at]:
            self.depth[at] = depth
            if self.ends.rolls is not None and at < len(self.steps):
                self.nearer.append(at)

    def outcomes(self, row: PositionRow, last: bool) -> "list[_Outcome]":
        """What each roll does to a layout; found once for all amounts of money, if no one looks."""
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
        if len(refused) < len(wishes):
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
                f"the memory {shown(memory)} is not hashable; use numbers, strings or tuples"
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
        money = whole(self.bankroll) if self.bettor.strategy.sees_money else None
        return self.row(layout, (0, 0), money, 0), refused

    def explore(self, at: int) -> None:
        """The steps of a row; of one that is found sooner, only what that changes."""
        row, depth, rolls = self.rows[at], self.depth[at] + 1, self.ends.rolls
        known = at < len(self.steps)
        if known and at not in self.cut:
            for to in {move.step.to for move in self.moves(at) if move.step.to >= 0}:
                self.come(to, depth)
            return
        steps: list[Step] = []
        if rolls is None or depth <= rolls:
            outcomes = self.outcomes(row, depth == rolls)
            steps = [self.step(row, outcome, depth, row.money) for outcome in outcomes]
        safe = max([step.need for step in steps], default=0)
        if known:
            self.steps[at], self.safe[at], self.short[at] = steps, safe, {}
            self.renewed.append(at)
        else:
            self.steps.append(steps)
            self.safe.append(safe)
            self.short.append({})
        self.cut.discard(at)
        if depth == rolls or not steps:
            self.cut.add(at)

    def step(self, row: PositionRow, outcome: "_Outcome", depth: int, before: Money | None) -> Step:
        """One of them, with this much money before the roll; None for enough."""
        after, counted = outcome.after, row.seat[3:]
        gain, paid, out = after.gain, after.rolled.paid, after.rolled.out
        shooters = counted[0] + out if self.ends.shooters is not None else 0
        rounds = counted[1] + len(paid) if self.ends.rounds is not None else 0
        money = None if before is None else before + gain

        def to(where: int, refused: int = 0, need: Money = 0) -> Step:
            stands = (after.seat.point, after.standing)
            settled = after.settled, len(paid)
            return Step(after.weight, where, gain, *settled, refused, need, out, stands)

        sees = self.bettor.strategy.sees_money
        end = self.ends.rolled(money if sees else None, rolls=depth, shooters=shooters)
        if end is not None:
            return to(end)
        known = money is not None and (sees or money < outcome.need)
        rail = None if money is None or not known else money - outcome.standing
        refused = unpaid(after.wished.wishes, rail)
        found = outcome.poor.get((counted, refused)) if known else outcome.rich.get(counted)
        if found is not None and not sees:
            if found.to >= 0:
                self.come(found.to, depth)
            return found
        entered = outcome.entered.get(refused)
        if entered is None:
            entered = outcome.entered[refused] = self.enter(
                after.seat, after.wished.wishes, refused
            )
            self.names.update(after.wished.unmet)
            self.clipped.update(after.wished.clipped)
        layout = entered.layout
        need = 0 if known else outcome.need - gain
        missed = 0 if self.ends.settled(rounds) else len(refused) + len(after.wished.unmet)
        end = self.ends.betting(rounds, broke=layout == RUIN)
        if end is not None:
            step = to(end, missed, need)
        else:
            left = whole(money) if money is not None and sees else None
            step = to(self.row(layout, (shooters, rounds), left, depth), missed, need)
        if not known:
            outcome.rich[counted] = step
        elif not sees:
            outcome.poor[counted, refused] = step
        return step

    def measure(self, amount: Money) -> None:
        """Let the lattice of the money be fine enough."""
        self.unit = _common(self.unit, amount)

    @not_collecting()
    def explore_all(self) -> None:
        """Explore what is not explored yet, and what is found on the way."""
        while self.nearer or len(self.steps) < len(self.rows):
            self.explore(self.nearer.popleft() if self.nearer else len(self.steps))

    def moves(self, at: int) -> Iterator[MoneyMove]:
        """The steps of a row, those of short money as far as they were met."""
        for k, step in enumerate(self.steps[at]):
            yield MoneyMove(step.need, None, step)
            yield from self.short[at].get(k, ())

    def shorter(self, at: int, k: int, money: Money) -> MoneyMove:
        """The step of throw `k` in a row, with less money than the row needs."""
        known = self.short[at].setdefault(k, [])
        i = bisect_right(known, money, key=lambda move: move.low) - 1
        if i >= 0 and money < (high := known[i].high or 0):
            return known[i]
        row, depth = self.rows[at], self.depth[at] + 1
        outcome = self.outcomes(row, depth == self.ends.rolls)[k]
        step = self.step(row, outcome, depth, money)
        rail = money + outcome.after.gain - outcome.standing
        down, up = margins(outcome.after.wished.wishes, rail)
        high = self.steps[at][k].need if up is None else money + up
        known.insert(i + 1, MoneyMove(money - down, high, step))
        return known[i + 1]

    @not_collecting()
    def complete(self) -> None:
        """The steps of every row with any money, until no row is new and the lattice no finer."""
        unit, done = self.unit, 0
        todo: Iterable[int]
        while True:
            self.explore_all()
            if self.unit != unit:
                unit, done = self.unit, 0
            if done < len(self.rows):
                todo, done = range(done, len(self.rows)), len(self.rows)
            elif self.renewed:
                todo, self.renewed = self.renewed, []
            else:
                return
            for at in todo:
                self._complete(at)

    def _complete(self, at: int) -> None:
        """The steps of a row with any money."""
        if self.rows[at].money is None and self.safe[at] > (least := self.least(at)):
            for k, step in enumerate(self.steps[at]):
                money = least
                while money < step.need and self.ends.stop(money) is None:
                    money = self._from(self.shorter(at, k, money).high or 0)

    def _from(self, money: Money) -> Money:
        """The least amount of the lattice that is no less."""
        unit = whole(self.unit or Fraction(1))
        return whole(self.bankroll - (self.bankroll - money) // unit * unit)

    def least(self, at: int) -> Money:
        """The least money with which a row goes on."""
        money = self._from(self.bettor.felt.cost(self.rows[at].seat.bets))
        if self.ends.floor is None or money > self.ends.floor:
            return money
        above = self._from(self.ends.floor)  # the floor need not be one of the amounts
        return above if above > self.ends.floor else whole(above + (self.unit or Fraction(1)))

    def highest(self) -> list[Money | None]:
        """For each row the most money with which it can be come to; None for no bound."""
        found: list[Money | None] = [-1] * len(self.rows)
        changes = [0] * len(self.rows)
        todo: deque[int] = deque()
        moves: dict[int, list[tuple[Money, Money | None, int, Money]]] = {}
        grows: dict[int, Money] = {}  # where a win leads back with more, and from which money on

        def look(at: int) -> None:
            moves[at] = [(m.low, m.high, m.step.to, m.step.gain) for m in self.moves(at)]
            again = [low for low, high, to, won in moves[at] if to == at and won > 0 and not high]
            if again:
                grows[at] = min(again)

        def reach(at: int, money: Money | None) -> None:
            now = found[at]
            if now is None or (money is not None and money <= now):
                return
            if at not in moves:
                look(at)
            changes[at] += 1
            endless = changes[at] > MANY_CHANGES or (
                money is not None and at in grows and money >= grows[at]
            )
            found[at] = None if endless else money
            todo.append(at)

        reach(0, None)
        while todo:
            at = todo.popleft()
            here = found[at]
            for low, high, to, gain in moves[at]:
                if to < 0 or (here is not None and here < low):
                    continue
                top = here if high is None or (here is not None and here < high) else high
                reach(to, None if top is None else top + gain)
        return found


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
