"""The exploration of an evening's rows and their steps.

`positions` defines rows and short money.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.evenings.lattice.rollstep import (
    Entered,
    MoneyMove,
    PositionRow,
    RollEffect,
    Step,
    Wanting,
)
from sevenout.model.graph import not_collecting
from sevenout.rules.casino.betting import (
    Bettor,
    Seat,
    Wish,
    Wished,
    in_order,
    made,
    margins,
    unpaid,
)
from sevenout.rules.casino.ends import RUIN, Ends
from sevenout.rules.casino.felt import Money, Throw, whole

MAX_ROWS = 300_000
MANY_CHANGES = 20
"""A row reached with more money this often counts as reachable with any amount."""


@dataclass
class PositionExplorer:
    """Finds the rows and the steps between them."""

    bettor: Bettor
    bankroll: Money
    ends: Ends
    mirrored: bool
    rows: list[PositionRow] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    index: dict[Hashable, int] = field(default_factory=dict)
    layouts: dict[Seat, int] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    afters: dict[Hashable, list[RollEffect]] = field(default_factory=dict)
    wanted: dict[Hashable, Wanting] = field(default_factory=dict)
    steps: list[list[Step]] = field(default_factory=list)
    safe: list[Money] = field(default_factory=list)
    short: list[dict[int, list[MoneyMove]]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    clipped: set[str] = field(default_factory=set)
    unit: Fraction = Fraction(0)
    nearer: deque[int] = field(default_factory=deque)
    cut: set[int] = field(default_factory=set)
    most: float = MAX_ROWS
    renewed: list[int] = field(default_factory=list)

    def row(self, layout: int, counts: tuple[int, int], money: Money | None, depth: int) -> int:
        """The number of a row; a new one is queued."""
        at = self.index.setdefault((layout, counts, money), len(self.rows))
        if at == len(self.rows):
            if at >= self.most:
                raise TooManyStatesError(
                    f"the strategy has more than {self.most:,} states; let it remember less, "
                    "round the money it looks at, or bet fewer different amounts"
                )
            shooters, rounds = counts
            seat = self.seats[layout]._replace(shooters=shooters, rounds=rounds)
            self.rows.append(PositionRow(seat, money, layout))
            self.depth.append(depth)
        self.come(at, depth)
        return at

    def come(self, at: int, depth: int) -> None:
        """Note a row found again; if sooner, explore what follows again."""
        if depth < self.depth[at]:
            self.depth[at] = depth
            if self.ends.rolls is not None and at < len(self.steps):
                self.nearer.append(at)

    def outcomes(self, row: PositionRow, last: bool) -> list[RollEffect]:
        """The effect of each roll on a layout; found once if the strategy ignores its money."""
        money = row.money if self.bettor.strategy.sees_money else None
        key = (row.layout, money, last)
        found = self.afters.get(key)
        if found is None:
            throws = self.bettor.felt.throws(self.seats[row.layout].bets)
            found = [self.outcome(row, throw, last) for throw in throws]
            self.afters[key] = found
        return found

    def outcome(self, row: PositionRow, throw: Throw, last: bool = False) -> RollEffect:
        """The effect of one roll on a layout."""
        bettor = self.bettor
        money = row.money if bettor.strategy.sees_money else None
        table, rolled = bettor.rolled(self.seats[row.layout], throw, money)
        standing = in_order(table.bets)
        key = table.point, standing, table.memory, last
        anew = bettor.strategy.sees_last or bettor.strategy.sees_money
        try:
            wanting = None if anew else self.wanted.get(key)
        except TypeError:
            raise _unhashable(table.memory) from None
        if wanting is None:
            left, wished = bettor.wanted(table, standing, last=last)
            wanting = Wanting(Seat(table.point, left, table.memory), wished, bettor.felt)
            if not anew:
                self.wanted[key] = wanting
        found = RollEffect(rolled, (table.point, standing), wanting)
        self.measure(found.gain)
        return found

    def enter(self, seat: Seat, wished: Wished, refused: tuple[str, ...]) -> Entered:
        """The layout after the bets are made, except those refused."""
        wishes = wished.wishes
        self.names.update(wished.unmet)
        self.clipped.update(wished.clipped)
        self.names.update(refused)
        if len(refused) < len(wishes):
            seat = made(seat, wishes, refused)
            if self.mirrored:
                self._alike(wishes)
        if refused and not seat.bets:
            return Entered(RUIN, refused)
        point, bets, memory = seat[:3]
        if self.mirrored:
            point, bets, _ = self.bettor.felt.mirrored(point, bets)
        seat = Seat(point, bets, memory)
        try:
            layout = self.layouts.setdefault(seat, len(self.seats))
        except TypeError:
            raise _unhashable(memory) from None
        if layout == len(self.seats):
            self.seats.append(seat)
        return Entered(layout, refused)

    def _alike(self, wishes: Sequence[Wish]) -> None:
        """Refuse a bet that treats mirrored numbers differently.

        It would have to know which of them a position was reached with.
        """
        for wish in wishes:
            if pairs := self.bettor.felt.told_apart(wish.bet):
                low, high = pairs[0]
                raise RulesError(
                    f"the strategy is mirrored, but bets on {shown(wish.bet)}, for which {low} and "
                    f"{high} are different; set mirrored = False"
                )

    def begin(self) -> tuple[int, int]:
        """The first row, and how many of the first bets are refused."""
        seat, wished = self.bettor.start(self.bankroll)
        refused = unpaid(wished.wishes, self.bankroll)
        layout = self.enter(seat, wished, refused).layout
        if layout == RUIN:
            raise RulesError(
                f"a bankroll of {self.bankroll} does not pay for the first bet: {refused[0]}"
            )
        money = whole(self.bankroll) if self.bettor.strategy.sees_money else None
        return self.row(layout, (0, 0), money, 0), len(refused) + len(wished.unmet)

    def explore(self, at: int) -> None:
        """The steps of a row; for one found sooner, only what changes."""
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

    def step(self, row: PositionRow, outcome: RollEffect, depth: int, before: Money | None) -> Step:
        """The step of one roll with the money `before` it; None for enough."""
        wanting, counted = outcome.wanting, row.seat[3:]
        gain, paid, out = outcome.gain, outcome.paid, outcome.out
        shooters = counted[0] + out if self.ends.shooters is not None else 0
        rounds = counted[1] + paid if self.ends.rounds is not None else 0
        money = None if before is None else before + gain

        def to(where: int, refused: int = 0, need: Money = 0) -> Step:
            told = gain, outcome.settled, paid, refused, need, out, outcome.stands
            return Step(outcome.weight, where, *told)

        sees = self.bettor.strategy.sees_money
        end = self.ends.rolled(money if sees else None, rolls=depth, shooters=shooters)
        if end is not None:
            return to(end)
        known = money is not None and (sees or money < wanting.need)
        rail = None if money is None or not known else money - wanting.standing
        wished = wanting.wished
        refused = unpaid(wished.wishes, rail)
        found = outcome.poor.get((counted, refused)) if known else outcome.rich.get(counted)
        if found is not None and not sees:
            if found.to >= 0:
                self.come(found.to, depth)
            return found
        entered = wanting.entered.get(refused)
        if entered is None:
            entered = wanting.entered[refused] = self.enter(wanting.seat, wished, refused)
        layout = entered.layout
        need = 0 if known else wanting.need - gain
        missed = 0 if self.ends.settled(rounds) else len(refused) + len(wished.unmet)
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
        """Refine the unit of the money."""
        self.unit = _common(self.unit, amount)

    @not_collecting()
    def explore_all(self) -> None:
        """Explore all queued rows and those found from them."""
        while self.nearer or len(self.steps) < len(self.rows):
            self.explore(self.nearer.popleft() if self.nearer else len(self.steps))

    def moves(self, at: int) -> Iterator[MoneyMove]:
        """The steps of a row, with those of short money met so far."""
        for k, step in enumerate(self.steps[at]):
            yield MoneyMove(step.need, None, step)
            yield from self.short[at].get(k, ())

    def shorter(self, at: int, k: int, money: Money) -> MoneyMove:
        """The step of throw `k` with less money than the row needs."""
        known = self.short[at].setdefault(k, [])
        i = bisect_right(known, money, key=lambda move: move.low) - 1
        if i >= 0 and money < (high := known[i].high or 0):
            return known[i]
        row, depth = self.rows[at], self.depth[at] + 1
        outcome = self.outcomes(row, depth == self.ends.rolls)[k]
        step = self.step(row, outcome, depth, money)
        rail = money + outcome.gain - outcome.wanting.standing
        down, up = margins(outcome.wanting.wished.wishes, rail)
        high = self.steps[at][k].need if up is None else money + up
        known.insert(i + 1, MoneyMove(money - down, high, step))
        return known[i + 1]

    @not_collecting()
    def complete(self) -> None:
        """The steps of every row with any money, until neither rows nor the unit change."""
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
                self.afters.clear()  # half of the memory; what is asked again is found again
                self.wanted.clear()
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
        """The least amount of the lattice at or above this."""
        unit = whole(self.unit or Fraction(1))
        return whole(self.bankroll - (self.bankroll - money) // unit * unit)

    def least(self, at: int) -> Money:
        """The least money with which play goes on in a row."""
        money = self._from(self.bettor.felt.cost(self.rows[at].seat.bets))
        if self.ends.floor is None or money > self.ends.floor:
            return money
        above = self._from(self.ends.floor)  # the floor may be off the lattice
        return above if above > self.ends.floor else whole(above + (self.unit or Fraction(1)))

    def highest(self) -> list[Money | None]:
        """The most money with which each row can be reached; None if unbounded."""
        found: list[Money | None] = [-1] * len(self.rows)
        changes = [0] * len(self.rows)
        todo: deque[int] = deque()
        moves: dict[int, list[tuple[Money, Money | None, int, Money]]] = {}
        grows: dict[int, Money] = {}  # the least money from which a win leads back with more

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


def _unhashable(memory: object) -> RulesError:
    return RulesError(f"the memory {shown(memory)} is not hashable; use numbers, strings or tuples")


def _common(one: Fraction, other: Money) -> Fraction:
    """The greatest common divisor of two amounts.

    >>> _common(Fraction(3, 2), -2)
    Fraction(1, 2)
    """
    if not other:
        return one
    if one and not other % one:
        return one
    below = lcm(one.denominator, other.denominator)
    return Fraction(gcd(int(one * below), int(other * below)), below)
