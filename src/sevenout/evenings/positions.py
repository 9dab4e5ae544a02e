"""The positions that a strategy's bets can reach, explored once.

While the money covers every requested bet, it does not affect play. A *layout* (bets on the felt
and the strategy's memory) is then one row for all amounts. If a bet can't be afforded, a roll has
another step, shared by a range of *short* money. Money is part of the row if the strategy looks at
it.

Bets on the felt when the time is up are counted as staked, taken down, or played out (`FinalBets`).
A bet played out stands until it is settled once. Its distribution does not depend on the money, so
it is computed once per position: here in fractions, by absorption; by `money_lattice` in floats.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model.graph import not_collecting
from sevenout.numerals import int_if_whole
from sevenout.rules.casino.betting import (
    BetRequest,
    Bettor,
    RequestedBets,
    Seat,
    margins,
    seat_with,
    unpaid,
)
from sevenout.rules.casino.ends import RUIN, Ends, Stood, bets_to_play_out, play_out_roll
from sevenout.rules.casino.felt import NOTHING, Felt, FeltRoll, Money, Stands, Throw, sorted_bets
from sevenout.rules.casino.menu import PlayedOut
from sevenout.solving import solve

MAX_ROWS = 300_000
"""About 3 GB of rows and steps, more than the budget of memory allows on most machines."""
MANY_CHANGES = 20
"""A row reached with more money this often counts as reachable with any amount."""


def explored(
    bettor: Bettor, bankroll: Money, ends: Ends, *, mirrored: bool | None = None
) -> "Positions":
    """All layouts that an evening can reach.

    `mirrored` merges layouts that differ only in names, by default as the strategy says. That keeps
    the distributions, but not the effect of given dice.

    Raises:
        TooManyStatesError: more than `MAX_ROWS` rows.
        RulesError: a bet that the house does not allow, or a memory that is not hashable.
    """
    mirror = bettor.strategy.mirrored if mirrored is None else mirrored
    positions = Positions(bettor, bankroll, ends, mirrored=mirror)
    positions.begin()
    positions.explore_all()
    return positions


class Step(NamedTuple):
    """The effect of a roll in a row.

    Attributes:
        weight: of the roll, out of the `roll_count` of the felt.
        to: the row that follows, or the code of an end (negative, see `rules.casino.ends`).
        gain: the money won.
        settled, bets: the stakes of the bets that the roll settles, and their number.
        refused: how many of the bets requested afterwards can't be made.
        need: in a row without money of its own, the least money for which this step holds.
        out: whether the shooter is out.
        stands: the bets after the roll, before any is taken down or made.
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
    """A step, and the amounts of money for which a row makes it.

    Attributes:
        low: the least of these amounts.
        high: the first amount above; None if unbounded.
        step: for these amounts.
    """

    low: Money
    high: Money | None
    step: Step


class PositionRow(NamedTuple):
    """A layout, its number, and the money if the strategy looks at it.

    Attributes:
        seat: the layout, with the counts of shooters and of settled bets.
        money: None unless the strategy looks at it.
        layout: the number of the layout.
    """

    seat: Seat
    money: Money | None
    layout: int


class NextBets:
    """The bets requested after a roll.

    Attributes:
        seat: with the bets that are left.
        requested: the bets to make, in the order in which they are paid for.
        felt_money: the money on the felt then, with commissions, before new bets.
        need: the money after the roll that covers all requested bets.
        layout_numbers: the number of the layout then, by refused bets; see `Positions.enter`.
    """

    __slots__ = ("felt_money", "layout_numbers", "need", "requested", "seat")

    def __init__(self, seat: Seat, requested: RequestedBets, felt: Felt) -> None:
        self.seat, self.requested = seat, requested
        self.felt_money = felt.cost(seat.bets)
        self.need = self.felt_money + sum(
            [request.more + request.fee for request in requested.bets]
        )
        self.layout_numbers: dict[tuple[str, ...], int] = {}


class RollEffect:
    """The effect of a roll on a layout, for any money and counts.

    Attributes:
        weight: of the roll, out of the `roll_count` of the felt.
        gain, settled, bets_settled: the money won, the stakes settled, and their number.
        out: whether the shooter is out.
        stands: the point and the bets left by the roll, before any is taken down.
        next_bets: the bets requested then.
        full_steps: the steps with money for all of them, by the counts before the roll.
        short_steps: the steps with less money, by those counts and the refused bets.
    """

    __slots__ = (
        "bets_settled",
        "full_steps",
        "gain",
        "next_bets",
        "out",
        "settled",
        "short_steps",
        "stands",
        "weight",
    )

    def __init__(self, rolled: FeltRoll, stands: Stands, next_bets: NextBets) -> None:
        self.weight, self.gain, self.settled = rolled.throw.weight, rolled.net, rolled.settled
        self.bets_settled, self.out = len(rolled.paid), rolled.out
        self.stands, self.next_bets = stands, next_bets
        self.full_steps: dict[tuple[int, int], Step] = {}
        self.short_steps: dict[tuple[tuple[int, int], tuple[str, ...]], Step] = {}


class Positions:
    """The rows of an evening and their steps.

    How it works. `begin` makes the first bets and queues their row; `explore_all` works off the
    queue. A row is explored once for money that covers all requested bets. Each roll settles bets
    (`effects`), the strategy requests others (`NextBets`), and the step leads to the row where
    they stand (`step`). A limit on rolls cuts the exploration off at that depth; a row found again
    with fewer rolls is explored on (`reach`). Steps with less money are found when an engine meets
    them (`steps_at`, `short_move`) or all at once (`complete`).

    Attributes:
        bettor, bankroll, ends: of the evening.
        start: the first row.
        start_rows: all rows in which evenings start: more than one if bankrolls are compared.
        unmade_first_bets: how many of the first bets could not be made.
        mirrored: whether layouts that differ only in names were merged.
        max_rows: more rows are refused.
        rows: the rows, in the order in which they were found.
        depth: by row, the fewest rolls that lead to it.
        steps: by row, the steps with money that covers every requested bet, in the order of the
            rolls.
        needed_money: by row, the least money for which `steps` hold; 0 if money is part of the row.
        short_moves: by row and index of a step, the steps with less money found so far, in order of
            money.
        seats: the layouts, by number.
        layout_numbers: the number of each layout.
        row_numbers: the number of each row, by (layout, counts of shooters and bets, money).
        refused_bets: bets somewhere refused, for want of money or of the bet they depend on.
        clipped_bets: bets of which the house somewhere takes less than is requested.
        unit: the greatest common divisor of all gains found so far; 1 before the first.
    """

    def __init__(
        self,
        bettor: Bettor,
        bankroll: Money,
        ends: Ends,
        *,
        mirrored: bool,
        max_rows: float = MAX_ROWS,
    ) -> None:
        self.bettor, self.bankroll, self.ends = bettor, bankroll, ends
        self.mirrored, self.max_rows = mirrored, max_rows
        self.start = self.unmade_first_bets = 0
        self.start_rows: list[int] = []
        self.rows: list[PositionRow] = []
        self.depth: list[int] = []
        self.steps: list[list[Step]] = []
        self.needed_money: list[Money] = []
        self.short_moves: list[dict[int, list[MoneyMove]]] = []
        self.seats: list[Seat] = []
        self.layout_numbers: dict[Seat, int] = {}
        self.row_numbers: dict[Hashable, int] = {}
        self.refused_bets: set[str] = set()
        self.clipped_bets: set[str] = set()
        self._unit = Fraction(0)
        self._effects: dict[Hashable, list[RollEffect]] = {}  # by layout, money seen, last roll
        self._next_bets: dict[Hashable, NextBets] = {}  # by the bets and memory after a roll
        # explored rows that fewer rolls were then found to reach
        self._reached_sooner: deque[int] = deque()
        # rows whose steps assume that their roll is the last, or are left out after it
        self._cut_off: set[int] = set()
        # rows whose steps changed since `complete` last saw them
        self._changed_rows: list[int] = []

    @property
    def unit(self) -> Fraction:
        """The unit of which all gains are multiples."""
        return self._unit or Fraction(1)

    @property
    def first_position(self) -> tuple[int, Money]:
        """The first row, and the money that an evening starts with."""
        return self.start, self.bankroll

    def felt_money(self, row: int) -> Money:
        """The money on the felt in a row, with commissions."""
        return self.bettor.felt.cost(self.rows[row].seat.bets)

    def steps_at(self, row: int, money: Money) -> list[Step]:
        """The steps of a row with this much money."""
        if self.rows[row].money is not None or money >= self.needed_money[row]:
            return self.steps[row]
        # rows found on the way are explored at once: their gains may refine the unit
        steps = [
            step if money >= step.need else self.short_move(row, index, money).step
            for index, step in enumerate(self.steps[row])
        ]
        self.explore_all()
        return steps

    def follow(self, step: Step, money: Money, *, last: bool = False) -> tuple[int, Money]:
        """The row and the money that a step leads to; after the last roll, the end in place of it.

        An end is its code, which is negative.
        """
        money += step.gain
        return self.ends.with_known_money(step.to, money, last=last), money

    def row_number(
        self, layout: int, counts: tuple[int, int], money: Money | None, depth: int
    ) -> int:
        """The number of a row; a new one is queued.

        Raises:
            TooManyStatesError: more than `max_rows` rows.
        """
        number = self.row_numbers.setdefault((layout, counts, money), len(self.rows))
        if number == len(self.rows):
            if number >= self.max_rows:  # a strategy that counts or looks at its money has too many
                raise TooManyStatesError(
                    f"the strategy has more than {self.max_rows:,} states; let it remember less, "
                    "round the money it looks at, or bet fewer different amounts"
                )
            shooters, settled = counts
            seat = self.seats[layout]._replace(shooters=shooters, settled=settled)
            self.rows.append(PositionRow(seat, money, layout))
            self.depth.append(depth)
        self.reach(number, depth)
        return number

    def reach(self, row: int, depth: int) -> None:
        """Note that a row is reached; with fewer rolls than before, more may follow it."""
        if depth < self.depth[row]:
            self.depth[row] = depth
            if self.ends.rolls is not None and row < len(self.steps):
                self._reached_sooner.append(row)

    def effects(self, row: PositionRow, last: bool) -> list[RollEffect]:
        """The effect of each roll on a layout; kept if the strategy ignores its money."""
        money = row.money if self.bettor.strategy.sees_money else None
        key = (row.layout, money, last)  # at the last roll no bet is requested, so effects differ
        effects = self._effects.get(key)
        if effects is None:
            throws = self.bettor.felt.throws(self.seats[row.layout].bets)
            effects = self._effects[key] = [self.effect(row, throw, last) for throw in throws]
        return effects

    def effect(self, row: PositionRow, throw: Throw, last: bool = False) -> RollEffect:
        """The effect of one roll on a layout."""
        bettor = self.bettor
        money = row.money if bettor.strategy.sees_money else None
        table, rolled = bettor.see_roll(self.seats[row.layout], throw, money)
        standing = sorted_bets(table.bets)
        key = table.point, standing, table.memory, last
        # a strategy that looks at the last roll or at its money may bet something else each time
        is_fresh = bettor.strategy.sees_last or bettor.strategy.sees_money
        try:
            next_bets = None if is_fresh else self._next_bets.get(key)
        except TypeError:
            raise _unhashable(table.memory) from None
        if next_bets is None:
            left, requested = bettor.request_bets(table, standing, last=last)
            next_bets = NextBets(Seat(table.point, left, table.memory), requested, bettor.felt)
            if not is_fresh:
                self._next_bets[key] = next_bets
        effect = RollEffect(rolled, (table.point, standing), next_bets)
        self.refine_unit(effect.gain)
        return effect

    def enter(self, seat: Seat, requested: RequestedBets, refused: tuple[str, ...]) -> int:
        """The number of the layout after the bets are made, except those refused.

        `RUIN` if no bet stands and none can be afforded.
        """
        requests = requested.bets
        self.refused_bets.update(requested.unmet)
        self.clipped_bets.update(requested.clipped)
        self.refused_bets.update(refused)
        if len(refused) < len(requests):  # something is bet
            seat = seat_with(seat, requests, refused)
            if self.mirrored:
                self._check_mirrored(requests)
        if refused and not seat.bets:
            return RUIN
        point, bets, memory = seat[:3]
        if self.mirrored:
            point, bets, _ = self.bettor.felt.mirrored(point, bets)
        seat = Seat(point, bets, memory)
        try:
            layout = self.layout_numbers.setdefault(seat, len(self.seats))
        except TypeError:
            raise _unhashable(memory) from None
        if layout == len(self.seats):
            self.seats.append(seat)
        return layout

    def _check_mirrored(self, requests: Sequence[BetRequest]) -> None:
        """Refuse a bet that treats mirrored numbers differently.

        It would have to know which of them a position was reached with.
        """
        for request in requests:
            if pairs := self.bettor.felt.told_apart(request.bet):
                low, high = pairs[0]
                raise RulesError(
                    f"the strategy is mirrored, but bets on {shown(request.bet)}, for which {low} "
                    f"and {high} are different; set mirrored = False"
                )

    def begin(self) -> None:
        """Make the first bets and queue their row.

        Raises:
            RulesError: the bankroll does not pay for the first bet.
        """
        self.start, self.unmade_first_bets = self.first_row(self.bankroll)
        self.start_rows = [self.start]

    def first_row(self, bankroll: Money) -> tuple[int, int]:
        """The row of the first bets with a bankroll, and how many of them could not be made.

        Raises:
            RulesError: the bankroll does not pay for the first bet.
        """
        seat, requested = self.bettor.start(bankroll)
        refused = unpaid(requested.bets, bankroll)
        layout = self.enter(seat, requested, refused)
        if layout == RUIN:
            raise RulesError(
                f"a bankroll of {bankroll} does not pay for the first bet: {refused[0]}"
            )
        money = int_if_whole(bankroll) if self.bettor.strategy.sees_money else None
        return self.row_number(layout, (0, 0), money, 0), len(refused) + len(requested.unmet)

    def explore(self, row: int) -> None:
        """The steps of a row; for one reached sooner, only what changes."""
        position, depth, rolls = self.rows[row], self.depth[row] + 1, self.ends.rolls
        is_explored = row < len(self.steps)
        if is_explored and row not in self._cut_off:  # its steps hold; only depths below it change
            for to in {move.step.to for move in self.moves(row) if move.step.to >= 0}:
                self.reach(to, depth)
            return
        steps: list[Step] = []
        if rolls is None or depth <= rolls:
            effects = self.effects(position, depth == rolls)
            steps = [self.step(position, effect, depth, position.money) for effect in effects]
        needed_money = max([step.need for step in steps], default=0)
        if is_explored:
            self.steps[row], self.needed_money[row], self.short_moves[row] = steps, needed_money, {}
            self._changed_rows.append(row)
        else:
            self.steps.append(steps)
            self.needed_money.append(needed_money)
            self.short_moves.append({})
        self._cut_off.discard(row)
        if depth == rolls or not steps:  # with rolls left, the strategy may bet something else
            self._cut_off.add(row)

    def step(self, row: PositionRow, effect: RollEffect, depth: int, before: Money | None) -> Step:
        """The step of one roll with the money `before` it; None for enough."""
        next_bets, counts = effect.next_bets, (row.seat.shooters, row.seat.settled)
        # a count that can't end the evening stays 0, so that it doesn't multiply the rows
        shooters = row.seat.shooters + effect.out if self.ends.shooters is not None else 0
        bets = row.seat.settled + effect.bets_settled if self.ends.bets is not None else 0
        money = None if before is None else before + effect.gain

        def step_to(to: int, refused: int = 0, need: Money = 0) -> Step:
            paid = effect.gain, effect.settled, effect.bets_settled
            return Step(effect.weight, to, *paid, refused, need, effect.out, effect.stands)

        sees_money = self.bettor.strategy.sees_money
        end = self.ends.after_roll(money if sees_money else None, rolls=depth, shooters=shooters)
        if end is not None:
            return step_to(end)
        requested = next_bets.requested
        # a strategy that sees its money has steps of its own for each amount
        is_short = money is not None and (sees_money or money < next_bets.need)
        rail = money - next_bets.felt_money if money is not None and is_short else None
        refused = unpaid(requested.bets, rail)
        cached = (
            effect.short_steps.get((counts, refused)) if is_short else effect.full_steps.get(counts)
        )
        if cached is not None and not sees_money:
            if cached.to >= 0:
                self.reach(cached.to, depth)
            return cached
        layout = next_bets.layout_numbers.get(refused)
        if layout is None:
            layout = self.enter(next_bets.seat, requested, refused)
            next_bets.layout_numbers[refused] = layout
        need = 0 if is_short else next_bets.need - effect.gain
        # the last round ends the evening, so the bets requested after it are not refused
        missed = 0 if self.ends.all_bets_settled(bets) else len(refused) + len(requested.unmet)
        to = self.ends.before_bets(bets, broke=layout == RUIN)
        if to is None:
            row_money = int_if_whole(money) if money is not None and sees_money else None
            to = self.row_number(layout, (shooters, bets), row_money, depth)
        step = step_to(to, missed, need)
        if not is_short:
            effect.full_steps[counts] = step
        elif not sees_money:  # `NextBets` is fresh for each amount then
            effect.short_steps[counts, refused] = step
        return step

    def refine_unit(self, amount: Money) -> None:
        """Refine the unit of the money."""
        self._unit = _common_divisor(self._unit, amount)

    def refine_unit_for(self, final_bets: "FinalBets") -> None:
        """Refine the unit of the money for bets played out after the last roll."""
        steps = (move.step for row in range(len(self.rows)) for move in self.moves(row))
        # bets played out may pay halves where no roll before did: the lattice must have them
        for gain in final_bets.gains({final_bets.bets_to_play_out(step.stands) for step in steps}):
            self.refine_unit(gain)

    @not_collecting()
    def explore_all(self) -> None:
        """Explore all queued rows and those found from them."""
        while self._reached_sooner or len(self.steps) < len(self.rows):
            self.explore(
                self._reached_sooner.popleft() if self._reached_sooner else len(self.steps)
            )

    def moves(self, row: int) -> Iterator[MoneyMove]:
        """The steps of a row, with those of short money found so far."""
        for index, step in enumerate(self.steps[row]):
            yield MoneyMove(step.need, None, step)
            yield from self.short_moves[row].get(index, ())

    def short_move(self, row: int, index: int, money: Money) -> MoneyMove:
        """The step of a roll, by its index, with less money than the row needs."""
        moves = self.short_moves[row].setdefault(index, [])
        # ranges of money don't overlap: the last that begins at or below it, or none
        index_below = bisect_right(moves, money, key=lambda move: move.low) - 1
        if index_below >= 0 and money < (moves[index_below].high or 0):
            return moves[index_below]
        position, depth = self.rows[row], self.depth[row] + 1
        effect = self.effects(position, depth == self.ends.rolls)[index]
        step = self.step(position, effect, depth, money)
        rail = money + effect.gain - effect.next_bets.felt_money
        down, up = margins(effect.next_bets.requested.bets, rail)
        high = self.steps[row][index].need if up is None else money + up
        move = MoneyMove(money - down, high, step)
        moves.insert(index_below + 1, move)
        return move

    @not_collecting()
    def complete(self) -> None:
        """The steps of every row with any money, until neither rows nor the unit change."""
        unit, completed = self._unit, 0
        rows: Iterable[int]
        while True:
            self.explore_all()
            if self._unit != unit:  # a finer lattice has amounts that were skipped
                unit, completed = self._unit, 0
            if completed < len(self.rows):
                rows, completed = range(completed, len(self.rows)), len(self.rows)
            elif self._changed_rows:
                rows, self._changed_rows = self._changed_rows, []
            else:
                self._effects.clear()  # half of the memory; what is needed again is made again
                self._next_bets.clear()
                return
            for row in rows:
                self._complete_row(row)

    def _complete_row(self, row: int) -> None:
        """The steps of a row with any money."""
        if self.rows[row].money is not None:
            return
        min_money = self.min_money(row)
        if self.needed_money[row] <= min_money:
            return
        for index, step in enumerate(self.steps[row]):
            money = min_money
            # from one range of money to the next; with an amount at a stop the player has left
            while money < step.need and self.ends.stop(money) is None:
                money = self._on_lattice(self.short_move(row, index, money).high or 0)

    def _on_lattice(self, money: Money) -> Money:
        """The least amount of the lattice at or above this."""
        unit = int_if_whole(self.unit)
        return int_if_whole(self.bankroll - (self.bankroll - money) // unit * unit)

    def min_money(self, row: int) -> Money:
        """The least money with which play goes on in a row."""
        money = self._on_lattice(self.felt_money(row))
        floor = self.ends.floor
        if floor is None or money > floor:
            return money
        above = self._on_lattice(floor)  # the floor may be off the lattice
        return above if above > floor else int_if_whole(above + self.unit)

    def highest_money(self) -> list[Money | None]:
        """The most money with which each row can be reached; None if unbounded.

        A search that raises the most money of a row until nothing changes. It ends early for a row
        that a win leads back to, and for one raised more than `MANY_CHANGES` times.
        """
        highest: list[Money | None] = [-1] * len(self.rows)  # -1 where nobody arrives
        changes = [0] * len(self.rows)
        queue: deque[int] = deque()
        moves: dict[int, list[tuple[Money, Money | None, int, Money]]] = {}
        growing_from: dict[int, Money] = {}  # the least money from which a win leads back with more

        def list_moves(row: int) -> None:
            moves[row] = [(m.low, m.high, m.step.to, m.step.gain) for m in self.moves(row)]
            wins = [
                low for low, high, to, gain in moves[row] if to == row and gain > 0 and not high
            ]
            if wins:
                growing_from[row] = min(wins)

        def raise_to(row: int, money: Money | None) -> None:
            highest_so_far = highest[row]
            if highest_so_far is None or (money is not None and money <= highest_so_far):
                return
            if row not in moves:
                list_moves(row)
            changes[row] += 1
            grows = money is not None and row in growing_from and money >= growing_from[row]
            highest[row] = None if grows or changes[row] > MANY_CHANGES else money
            queue.append(row)

        for row in self.start_rows:
            raise_to(row, None)
        while queue:
            row = queue.popleft()
            highest_so_far = highest[row]
            for low, high, to, gain in moves[row]:
                if to < 0 or (highest_so_far is not None and highest_so_far < low):
                    continue
                # More money than this step holds for takes another step, listed by itself.
                limit = high
                if high is None or (highest_so_far is not None and highest_so_far < high):
                    limit = highest_so_far
                raise_to(to, None if limit is None else limit + gain)
        return highest


def _unhashable(memory: object) -> RulesError:
    return RulesError(f"the memory {shown(memory)} is not hashable; use numbers, strings or tuples")


def _common_divisor(unit: Fraction, amount: Money) -> Fraction:
    """The greatest common divisor of two amounts.

    >>> _common_divisor(Fraction(3, 2), -2)
    Fraction(1, 2)
    """
    if not amount:
        return unit
    if unit and not amount % unit:  # the usual case, and cheaper than the denominators
        return unit
    denominator = lcm(unit.denominator, amount.denominator)
    return Fraction(gcd(int(unit * denominator), int(amount * denominator)), denominator)


# --- bets at the end ------------------------------------------------------------------------------


class FinalBets:
    """What the bets on the felt at the end pay, `counted` like `standing` of `sevenout.evening`.

    How it works. `bets_to_play_out` and `distribution` remember their results: many rows leave the
    same bets.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> out = FinalBets(House(), "out")
    >>> out.distribution(out.bets_to_play_out((8, (("pass", 1),))))
    {Fraction(1, 1): Fraction(5, 11), Fraction(-1, 1): Fraction(6, 11)}
    >>> FinalBets(House(), "down").bets_to_play_out((8, (("pass", 1), ("pass odds", 5))))
    (6, (('pass', 1),))

    Attributes:
        felt: the table.
        counted: "staked", "down" or "out".
    """

    def __init__(self, felt: Felt, counted: Stood) -> None:
        self.felt, self.counted = felt, counted
        self._distributions: dict[Stands, dict[Fraction, Fraction]] = {}
        self._bets_to_play_out: dict[Stands, Stands] = {}

    def bets_to_play_out(self, stands: Stands) -> Stands:
        """The bets that are played out; of numbers that are equally likely, always the same one."""
        if stands not in self._bets_to_play_out:
            left = bets_to_play_out(self.felt, stands, self.counted)
            self._bets_to_play_out[stands] = self.felt.mirrored(*left)[:2]
        return self._bets_to_play_out[stands]

    def distribution(self, stands: Stands) -> dict[Fraction, Fraction]:
        """The exact probability of each profit."""
        if not stands[1]:
            return {Fraction(0): Fraction(1)}
        if stands not in self._distributions:
            outcomes = solve(PlayedOut(self.felt, *stands)).outcomes
            self._distributions[stands] = {o.profit("felt"): p for o, p in outcomes.items() if p}
        return self._distributions[stands]

    def gains(self, stands: Iterable[Stands]) -> set[Money]:
        """What single rolls may pay while these bets are played out."""
        return {gain for *_, gain in PlayedOutPositions(self.felt, stands).edges}


class PlayedOutPositions:
    """All positions reached while the bets of several end positions are played out.

    Attributes:
        felt: the table.
        nodes: the number of each position.
        edges: (from, to, weight out of the `roll_count` of the felt, gain) of each roll.
    """

    def __init__(self, felt: Felt, stands: Iterable[Stands]) -> None:
        self.felt = felt
        self.nodes: dict[Stands, int] = {}
        self.edges: list[tuple[int, int, int, Money]] = []
        for position in stands:
            self.number_of(position)
        for node, (point, bets) in enumerate(self._unfinished_nodes()):
            for throw in felt.throws(bets) if bets else ():
                left, rolled = play_out_roll(felt, (point, bets), throw)
                self.edges.append((node, self.number_of(left), throw.weight, rolled.net))

    def number_of(self, stands: Stands) -> int:
        """The number of a position."""
        point, bets = self.felt.mirrored(*stands)[:2] if stands[1] else (None, ())
        return self.nodes.setdefault((point, bets), len(self.nodes))

    def _unfinished_nodes(self) -> Iterable[Stands]:
        """Each position in order of its number; the caller adds more on the way."""
        finished = 0
        while finished < len(self.nodes):
            for stands in list(self.nodes)[finished:]:
                yield stands
                finished += 1
