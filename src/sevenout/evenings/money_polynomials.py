"""Evenings in whole numbers: the money in each position is a polynomial.

The coefficient of x^k is the weight of the evenings with k units of money, out of `scale`. A roll
shifts each position's polynomial by what the roll pays, multiplies it by the number of ways to roll
it, and adds the products where the bets then stand. Weights are exact as long as they are kept
whole. A long evening divides them after each roll and rounds down, so the weight that is missing at
the end bounds the error of every probability.

This engine needs no NumPy. It serves short evenings, which it answers in fractions, and evenings of
one bet, whose single position makes thousands of bets cheap. `money_lattice` serves all others.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, inf
from typing import Any, NamedTuple, TypeVar, overload

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.evenings.evening_result import QUANTILES, EveningFigures, fan_rolls_of
from sevenout.evenings.positions import FinalBets, Positions, Step, explored
from sevenout.numerals import int_if_whole
from sevenout.rolling.distribution import FiniteDistribution, checked_probability
from sevenout.rules.casino.betting import Bettor, FlatBetting
from sevenout.rules.casino.ends import BETS, ENDS, LOSS, RUIN, TIME, WIN, Ends, at_last
from sevenout.rules.casino.felt import NOTHING, Money, OneBet, Stands

BITS = 160
"""Rounded weights are out of 2^BITS: 10^5 rolls of 10^5 amounts lose less than 1e-30."""
MAX_MOVES = 20_000
"""Evenings of up to this many moves are exact; beyond, floats are faster and as useful."""
MAX_BITS = 5_000_000_000
"""Evenings of one bet are exact if their walk moves at most this many bits (some seconds)."""
MAX_AMOUNTS = 2_000_000_000
"""The most amounts of money, over all bets, of a rounded walk of one bet."""
SECONDS_PER_COEFFICIENT = 1e-7
"""Seconds to move one coefficient in a browser, several times those of a desktop."""
MAX_UNFINISHED = 1e-16
"""An evening without a limit on rolls is over when it goes on with at most this probability."""
ASSUMED_ROLLS = 2_000
"""Rolls assumed for the cost of an evening without a limit."""
QUANTILE_SHARES = [checked_probability(q) for q in QUANTILES]
"""The quantiles of the fan, as fractions."""

Polynomial = Any
"""A `flint.fmpz_poly`; flint has no types."""


def short_evening(positions: Positions) -> EveningFigures | None:
    """An evening with a limit on rolls, in fractions; None if it takes more than `MAX_MOVES`."""
    return _walked_figures(PolynomialWalk(positions), positions.ends.rolls, MAX_MOVES)


def long_evening(positions: Positions, name: str) -> EveningFigures:
    """Any evening, rounded down, for a Python without NumPy."""
    walk = PolynomialWalk(positions, whole=False)
    rolls = positions.ends.rolls
    affordable = 0

    # rows are explored as they are reached, so the cost is estimated again whenever it doubles
    def check_cost() -> None:
        """Estimate the cost of the evening whenever its polynomials have doubled in length."""
        nonlocal affordable
        # a position has about eight different steps
        coefficients = 8 * sum(part.length() for part in walk.playing.values())
        if coefficients > 2 * affordable:
            affordable = coefficients
            afford(
                f"the distribution of an evening of {name}",
                seconds=(rolls or ASSUMED_ROLLS) * coefficients * SECONDS_PER_COEFFICIENT,
                instead="bet in larger units, or bring less money",
            )

    figures = _walked_figures(walk, rolls, inf, check_cost)
    assert figures is not None
    return figures


class Transition(NamedTuple):
    """What one roll does in a position with money in one range.

    Attributes:
        moves: (row or end, columns gained, bets left at the last roll, weight), equal moves joined.
        settled, bets: the sums over all rolls of weight × stakes settled, and × bets settled.
        refused: (columns gained, weight × bets refused) of rolls after which a bet is refused.
    """

    moves: tuple[tuple[int, int, Stands, int], ...]
    settled: Money
    bets: int
    refused: tuple[tuple[int, int], ...]


class PolynomialWalk:
    """An evening roll by roll, as polynomials in the money.

    `roll` moves all weight on by one roll. Each position's polynomial is cut where its money makes
    the rolls differ (`_pieces`). The pieces are shifted, weighted and added up (`roll`). Weight
    that reaches a stop goes to its end (`_arrive`). Positions are explored when weight first
    reaches them, since short evenings reach few of them. A new one may refine the unit of money
    (`_refine`).

    Attributes:
        positions: of the bets.
        roll_count: the number of equally likely rolls.
        polynomial: makes one from its coefficients.
        final_bets: what the bets pay that stand when the time is up.
        playing: the polynomial of each row in which the evening goes on.
        ended: the polynomial of each end but time.
        timed_out: the polynomial of each group of bets that stand when the time is up.
        scale: the sum of all weights, before rounding.
        unit, first_amount: column k is the amount `first_amount + k * unit`.
        offset: the column of the polynomials' constant terms, so that a large bankroll does not
            make long polynomials; `low` bounds the lowest power with weight from below.
        whole: whether weights are exact; if not, they are rounded down to BITS bits.
        last_end: what ends the evening after the last roll, TIME or BETS.
        sums: over all rolls, the weight of rolls, stakes settled, bets settled and bets refused,
            out of `scale` if whole, and else of `scale * roll_count`.
        visited: the rows in which dice were rolled.
        playing_by_roll, ruin_by_roll: as in `EveningFigures`.
        moves: products of a coefficient and a step so far, the measure of work.
        step_groups: the steps of a row for a range of money, each group once, by number.
        group_numbers: the number of each group.
        short_group_numbers: that of (row, column) where not every bet can be paid.
    """

    def __init__(self, positions: Positions, *, whole: bool = True, last_end: int = TIME) -> None:
        from flint import fmpz_poly

        self.positions, self.whole, self.last_end = positions, whole, last_end
        self.polynomial: Callable[[list[Any]], Polynomial] = fmpz_poly
        felt = positions.bettor.felt
        self.roll_count, self.final_bets = felt.roll_count, FinalBets(felt, positions.ends.standing)
        self.scale = 1 if whole else 1 << BITS
        self.unit, self.first_amount = positions.unit, Fraction(positions.bankroll) % positions.unit
        self.offset = int((positions.bankroll - self.first_amount) / self.unit)
        self.low = 0
        self.playing = {positions.start: fmpz_poly([self.scale])}
        self.ended: dict[int, Polynomial] = {}
        self.timed_out: dict[Stands, Polynomial] = {}
        self.sums: list[Money] = [0, 0, 0, 0]
        self.visited: set[int] = set()
        self.playing_by_roll, self.ruin_by_roll = [1.0], [0.0]
        self.moves = 0
        self.step_groups: list[tuple[Step, ...]] = []
        self.group_numbers: dict[tuple[Step, ...], int] = {}
        self.short_group_numbers: dict[tuple[int, int], int] = {}
        self._transitions: dict[tuple[int, bool], Transition] = {}

    def roll(self, *, last: bool = False, max_moves: float = inf) -> bool:
        """Move on by one roll; False, with nothing moved, if that exceeds `max_moves`."""
        pieces = self._pieces()
        while self.positions.unit != self.unit:  # the pieces have columns of the old unit
            self._refine()
            pieces = self._pieces()
        if max_moves < inf:  # counting costs as much as moving
            self.moves += sum(
                len(self.step_groups[number]) * _terms(piece) for _, number, piece in pieces
            )
            if self.moves > max_moves:
                return False
        transitions = [
            self._transition(number, last and self.last_end == TIME) for _, number, _ in pieces
        ]
        moves = [move for transition in transitions for move in transition.moves]
        largest_loss = max((-gain for _, gain, *_ in moves), default=0)
        shift = self._make_room(largest_loss)
        arrivals: dict[tuple[int, Stands], Polynomial] = {}
        rolls, settled, bets, refused = 0, 0, 0, 0
        for (row, _, unshifted), transition in zip(pieces, transitions, strict=True):
            piece = unshifted.left_shift(shift)
            self.visited.add(row)
            weight_in_play = int(piece(1))
            rolls += weight_in_play * self.roll_count
            settled += weight_in_play * transition.settled  # type: ignore[assignment]
            bets += weight_in_play * transition.bets
            # after the last roll no bet is requested
            for gain, weight in () if last else transition.refused:
                stayed, _, _ = self._stopped(_shifted(piece, gain))
                refused += int(stayed(1)) * weight
            for to, gain, stands, weight in transition.moves:
                moved = _shifted(piece, gain) * weight
                before = arrivals.get((to, stands))
                arrivals[to, stands] = moved if before is None else before + moved
        if self.whole:  # what has ended waits for the others: all weights are out of one scale
            self.scale *= self.roll_count
            self.ended = {end: ended * self.roll_count for end, ended in self.ended.items()}
            self.sums = [self.roll_count * total for total in self.sums]
        added = rolls, settled, bets, refused
        self.sums = [total + more for total, more in zip(self.sums, added, strict=True)]
        self._arrive(arrivals)
        if last and self.last_end == BETS:
            for polynomial in self.playing.values():
                _add(self.ended, BETS, polynomial)
            self.playing = {}
        self._record()
        return True

    def _pieces(self) -> list[tuple[int, int, Polynomial]]:
        """(row, number of its steps, polynomial): the weight in play, cut by what a roll does.

        Money that covers every requested bet is one piece. Below that, neighbouring amounts mostly
        have steps of their own, so each that occurs is asked once and remembered.
        """
        positions, pieces = self.positions, []
        for row, polynomial in self.playing.items():
            # the first column that covers every bet; a row of one amount has its own steps
            covered = 0
            if positions.rows[row].money is None:
                covered = -int((self.first_amount - positions.needed_money[row]) // self.unit)
            below = polynomial.truncate(max(0, covered - self.offset))
            groups: dict[int, list[Any]] = {}  # the coefficients, by number of their steps
            for power, weight in enumerate(below.coeffs()):
                if weight:
                    column = power + self.offset
                    number = self.short_group_numbers.get((row, column))
                    if number is None:
                        steps = positions.steps_at(row, int_if_whole(self.amount(column)))
                        number = self.short_group_numbers[row, column] = self._number(tuple(steps))
                    coefficients = groups.setdefault(number, [])
                    coefficients += [0] * (power - len(coefficients)) + [weight]
            pieces += [(row, number, self.polynomial(c)) for number, c in groups.items()]
            if above := polynomial - below:
                pieces.append((row, self._number(tuple(positions.steps[row])), above))
        return pieces

    def _number(self, steps: tuple[Step, ...]) -> int:
        """The number of a group of steps; a new one is listed."""
        number = self.group_numbers.setdefault(steps, len(self.step_groups))
        if number == len(self.step_groups):
            self.step_groups.append(steps)
        return number

    def _transition(self, number: int, time_is_up: bool) -> Transition:
        """What a group of steps does, equal moves joined; worked out once."""
        key = number, time_is_up
        if key in self._transitions:
            return self._transitions[key]
        moves: dict[tuple[int, int, Stands], int] = {}
        refused: dict[int, int] = {}
        steps = self.step_groups[number]
        for step in steps:
            gain = int(step.gain / self.unit)
            to = at_last(step.to) if time_is_up else step.to
            stands = self.final_bets.bets_to_play_out(step.stands) if to == TIME else NOTHING
            moves[to, gain, stands] = moves.get((to, gain, stands), 0) + step.weight
            if step.refused:
                refused[gain] = refused.get(gain, 0) + step.weight * step.refused
        self._transitions[key] = Transition(
            tuple((*move, weight) for move, weight in moves.items()),
            sum(step.weight * step.settled for step in steps),
            sum(step.weight * step.bets for step in steps),
            tuple(refused.items()),
        )
        return self._transitions[key]

    def _arrive(self, arrivals: dict[tuple[int, Stands], Polynomial]) -> None:
        """Put weight where it comes to. A stop takes precedence over any other end."""
        self.playing = {}
        for (to, stands), polynomial in arrivals.items():
            if not self.whole:
                # Rounds down, so weight is only ever lost.
                polynomial //= self.roll_count  # noqa: PLW2901
            stayed, lost, won = self._stopped(polynomial)
            _add(self.ended, LOSS, lost)
            _add(self.ended, WIN, won)
            if to == TIME:
                _add(self.timed_out, stands, stayed)
            else:
                _add(self.playing if to >= 0 else self.ended, to, stayed)

    def _stopped(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial, Polynomial]:
        """The parts that go on, that reach the floor, and that reach the ceiling."""
        floor, top = self.positions.ends.columns(self.unit, self.first_amount)
        lost = won = self.polynomial([])
        # splitting copies, so only where weight has reached the stop
        if top is not None and polynomial.length() > top - self.offset:
            power = max(0, top - self.offset)
            won = polynomial.right_shift(power).left_shift(power)
            polynomial = polynomial.truncate(power)
        if floor is not None and floor >= self.offset:
            lost = polynomial.truncate(floor + 1 - self.offset)
            polynomial = polynomial - lost
        return polynomial, lost, won

    def _refine(self) -> None:
        """Spread the columns, since a newly explored position refined the unit."""
        positions = self.positions
        times = int(self.unit / positions.unit)
        first_amount = Fraction(positions.bankroll) % positions.unit
        shift = int((self.first_amount - first_amount) / positions.unit)
        self.unit, self.first_amount = positions.unit, first_amount
        self.offset, self.low = self.offset * times + shift, self.low * times
        for part in self._parts():
            for key, polynomial in part.items():
                part[key] = polynomial.inflate(times)
        self._transitions.clear()  # their columns are of the old unit
        self.short_group_numbers.clear()

    def _make_room(self, loss: int) -> int:
        """Lower the constant terms so that a loss does not shift weight out; by how much.

        Room doubles, so that it is rarely made. Nobody has less than the money of column 0.
        """
        shift = 0
        if loss > self.low and self.offset:
            shift = min(self.offset, max(loss, *(p.length() for p in self.playing.values())))
            self.offset -= shift
            self.low += shift
            for part in self._parts():
                for key, polynomial in part.items():
                    part[key] = polynomial.left_shift(shift)
        self.low = max(0, self.low - loss)
        return shift

    def _parts(self) -> list[dict[Any, Polynomial]]:
        return [self.playing, self.ended, self.timed_out]

    def _record(self) -> None:
        """Note the shares of evenings that play on, or stayed till the last roll, and of ruin."""
        alive = sum(int(part(1)) for part in (*self.playing.values(), *self.timed_out.values()))
        ruined = int(self.ended[RUIN](1)) if RUIN in self.ended else 0
        self.playing_by_roll.append(alive / self.scale)
        self.ruin_by_roll.append(ruined / self.scale)

    def amount(self, column: int) -> Fraction:
        """The money of a column."""
        return self.first_amount + column * self.unit

    def weights(self) -> list[tuple[int, int]]:
        """(column, weight) over all evenings, ended ones included."""
        parts = [*self.playing.values(), *self.timed_out.values(), *self.ended.values()]
        total = sum(parts, self.polynomial([]))
        coefficients = enumerate(total.coeffs(), self.offset)
        return [(column, int(weight)) for column, weight in coefficients if weight]

    def quantiles(
        self, shares: Sequence[Fraction], possible: tuple[int, int], slip: Fraction = Fraction(0)
    ) -> list[tuple[int, int]]:
        """For each share, the first and last column that its quantile can have within the bound.

        `possible` are the least and the largest column that the evening can come to, and `slip`
        bounds the error of the weights besides rounding.
        """
        weights = self.weights()
        below = list(accumulate(weight for _, weight in weights))
        too_high = ceil(slip * self.scale)  # by how much a sum of weights may be too high
        too_low = too_high + self.scale - below[-1]  # what rounding lost may lie anywhere
        ranges = []
        for q in shares:
            level = ceil(q * self.scale)
            low, high = bisect_left(below, level - too_low), bisect_left(below, level + too_high)
            first = weights[low][0] if level > too_low and q < 1 else possible[q == 1]
            last = weights[high][0] if high < len(weights) and 0 < q < 1 else possible[q > 0]
            ranges.append((first, last))
        return ranges

    def fan(self) -> tuple[Fraction, ...]:
        """The quantiles of the money, the least within the rounding."""
        weights = self.weights()
        possible = weights[0][0], weights[-1][0]
        return tuple(self.amount(first) for first, _ in self.quantiles(QUANTILE_SHARES, possible))

    def figures(
        self, fan: Sequence[tuple[Fraction, ...]], fan_rolls: Sequence[int]
    ) -> EveningFigures:
        """The figures so far, with the bets that stand played out or taken down."""
        money: dict[Fraction, Fraction] = {}
        ends: dict[str, Fraction] = {}
        total = self.scale if self.whole else self.scale * self.roll_count
        rolls, handle, bets, refused = (Fraction(weight) / total for weight in self.sums)
        parts = [(TIME, stands, part) for stands, part in self.timed_out.items()]
        parts += [(end, NOTHING, part) for end, part in self.ended.items()]
        for end, stands, part in parts:
            share = Fraction(int(part(1)), self.scale)
            if not share:
                continue
            ends[ENDS[end]] = ends.get(ENDS[end], Fraction(0)) + share
            handle += sum(stake for _, stake in stands[1]) * share
            bets += len(stands[1]) * share
            profits = self.final_bets.distribution(stands).items()
            for column, weight in enumerate(part.coeffs(), self.offset):
                for profit, p in profits if weight else ():
                    amount = self.amount(column) + profit
                    money[amount] = money.get(amount, Fraction(0)) + int(weight) * p
        return EveningFigures(
            money=FiniteDistribution(
                {amount: weight / self.scale for amount, weight in money.items()},
                1 - Fraction(sum(int(part(1)) for *_, part in parts), self.scale),
            ),
            ends=ends,
            playing_by_roll=self.playing_by_roll,
            ruin_by_roll=self.ruin_by_roll,
            mean_rolls=rolls,
            handle=handle,
            mean_bets=bets,
            refused=refused + self.positions.unmade_first_bets,
            fan=fan,
            fan_rolls=fan_rolls,
            visited={self.positions.rows[row].seat.bets for row in self.visited},
        )


def _shifted(polynomial: Polynomial, gain: int) -> Polynomial:
    return polynomial.left_shift(gain) if gain >= 0 else polynomial.right_shift(-gain)


def _terms(polynomial: Polynomial) -> int:
    """The number of coefficients other than 0."""
    return sum(map(bool, polynomial.coeffs()))


def _add(parts: dict[Any, Polynomial], key: Any, polynomial: Polynomial) -> None:
    """Add a polynomial to that of a key; nothing is added for 0."""
    if polynomial:
        parts[key] = parts[key] + polynomial if key in parts else polynomial


def _walked_figures(
    walk: PolynomialWalk,
    rolls: int | None,
    max_moves: float,
    before_roll: Callable[[], None] = lambda: None,
) -> EveningFigures | None:
    """The figures of all rolls, or until hardly any evening goes on."""
    fan, fan_rolls = [walk.fan()], fan_rolls_of(rolls)
    number = 0
    while number != rolls and (rolls is not None or walk.playing_by_roll[-1] > MAX_UNFINISHED):
        number += 1
        before_roll()
        if not walk.roll(last=number == rolls, max_moves=max_moves):
            return None
        if number in fan_rolls:
            fan.append(walk.fan())
    return walk.figures(fan, fan_rolls)


# --- one bet, made again and again ----------------------------------------------------------------

T = TypeVar("T")


class Deferred(Sequence[T]):
    """A sequence computed on first use; fans of thousands of bets are rarely looked at."""

    def __init__(self, compute: Callable[[], Sequence[T]]) -> None:
        self._compute = compute

    @cached_property
    def _values(self) -> Sequence[T]:
        return self._compute()

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._values[index]


class RepeatedBet:
    """An evening of one bet at one stake, each roll a bet.

    There is a single position, whose walk has no limit on the bets: the limit is where it is cut
    off. So a million bets explore no more than one.

    References: W. Feller, *An Introduction to Probability Theory*, vol. 1, 3rd ed. (1968), ch. XIV.

    Attributes:
        positions: the single position, of an evening without a limit.
        unit, first_amount: column k is the amount `first_amount + k * unit`.
        max_bets: the most bets; None if only money ends the evening.
        ends_by_time: whether the evening ends after the last bet, so that no other bet is
            requested.
        gain_weights: by gain in columns, its weight.
        start, cost: the columns of the bankroll and of the least money that pays for a bet.
        slip: bounds the error of the distribution of one bet.
    """

    def __init__(self, bettor: Bettor, bankroll: Money, ends: Ends) -> None:
        felt, strategy = bettor.felt, bettor.strategy
        assert isinstance(felt, OneBet)
        assert isinstance(strategy, FlatBetting)
        limits = [n for n in (ends.rolls, ends.bets) if n is not None]
        self.max_bets = min(limits, default=None)
        self.ends_by_time = (
            self.max_bets is not None and ends.after_roll(None, rolls=self.max_bets) == TIME
        )
        self.slip = felt.slip
        money_ends = replace(ends, rolls=None, bets=None, shooters=None)
        self.positions = positions = explored(bettor, bankroll, money_ends)
        self.unit, self.first_amount = positions.unit, Fraction(bankroll) % positions.unit
        self.start = int((bankroll - self.first_amount) / self.unit)
        self.cost = -int((self.first_amount - strategy.amount) // self.unit)
        self.gain_weights: dict[int, int] = {}
        for step in positions.steps[positions.start]:
            gain = int(step.gain / self.unit)
            self.gain_weights[gain] = self.gain_weights.get(gain, 0) + step.weight

    @classmethod
    def of(cls, bettor: Bettor, bankroll: Money, ends: Ends) -> "RepeatedBet | None":
        """The evening, if it repeats one bet and has an end; else None."""
        felt, strategy = bettor.felt, bettor.strategy
        # exact types: a subclass may bet or pay otherwise
        if type(felt) is not OneBet or type(strategy) is not FlatBetting:
            return None
        never_passed = replace(ends, shooters=None)  # nobody else ever gets these dice
        if not never_passed.is_certain or strategy.bet != felt.bet or strategy.amount <= 0:
            return None
        return cls(bettor, bankroll, ends)

    def _cost(self, bets: int) -> tuple[int, int]:
        """The bits that exact bets move, and the amounts of money after a bet."""
        _, top = self.positions.ends.columns(self.unit, self.first_amount)
        max_gain = max(*self.gain_weights, 0)
        width = (top or self.start + max_gain * bets) + max_gain + 1
        bits = sum(self.gain_weights.values()).bit_length()  # by which each bet lengthens a weight
        return width * len(self.gain_weights) * bets**2 * bits // 2, width

    def is_exact(self, bets: int) -> bool:
        """Whether this many bets are affordable in whole numbers."""
        return self._cost(bets)[0] <= MAX_BITS

    def is_affordable(self, bets: int) -> bool:
        """Whether this many bets are affordable, exact or rounded."""
        return self.is_exact(bets) or self._cost(bets)[1] * bets <= MAX_AMOUNTS

    def walk(self, bets: int, *, exact: bool) -> Iterator[PolynomialWalk]:
        """The walk after each bet."""
        walk = PolynomialWalk(
            self.positions, whole=exact, last_end=TIME if self.ends_by_time else BETS
        )
        for number in range(1, bets + 1):
            walk.roll(last=number == self.max_bets)
            yield walk

    def possible(self, bets: int) -> Iterator[tuple[int, int]]:
        """The least and the largest column possible after each bet.

        Bit k of an integer stands for column k, so that a shift moves all of them.
        """
        floor, top = self.positions.ends.columns(self.unit, self.first_amount)
        playing, stopped = 1 << self.start, 0
        poorest = max(self.cost, 0 if floor is None else floor + 1)
        for _ in range(bets):
            after = 0
            for gain in self.gain_weights:
                after |= playing << gain if gain >= 0 else playing >> -gain
            playing = after >> poorest << poorest
            if top is not None:
                playing &= (1 << top) - 1
            stopped |= after ^ playing
            columns = playing | stopped
            yield (columns & -columns).bit_length() - 1, columns.bit_length() - 1

    def figures(self) -> EveningFigures:
        """The figures of a limited number of bets.

        Raises:
            RulesError: too many bets and amounts of money.
        """
        bets = self.max_bets or 0
        if not self.is_affordable(bets):
            raise RulesError(
                f"a session of {bets:,} bets with {self._cost(bets)[1]:,} amounts of money "
                "is too large; take fewer bets, a nearer target or a rounder bankroll"
            )
        *_, walk = self.walk(bets, exact=self.is_exact(bets))
        *_, (low, high) = self.possible(bets)
        figures = walk.figures(Deferred(self._fan), range(bets + 1))
        bound = figures.money.bound + bets * self.slip
        support = walk.amount(low), walk.amount(high)
        return replace(
            figures, money=FiniteDistribution(dict(figures.money.items()), bound, support)
        )

    def _fan(self) -> list[tuple[Fraction, ...]]:
        """The quantiles of the money after 0, 1, 2, ... bets, the least within the rounding."""
        rows = [(Fraction(self.positions.bankroll),) * len(QUANTILE_SHARES)]
        for ranges in self.quantiles(QUANTILE_SHARES, self.max_bets or 0):
            rows.append(tuple(self.first_amount + first * self.unit for first, _ in ranges))
        return rows

    def quantiles(self, shares: Sequence[Fraction], bets: int) -> Iterator[list[tuple[int, int]]]:
        """After each bet, the columns that each quantile can have within the error bound."""
        exact = self.is_exact(bets)
        exact_walks = enumerate(self.walk(self._exact_bets(bets), exact=True), 1)
        pairs = zip(self.walk(bets, exact=exact), self.possible(bets), strict=True)
        for number, (walk, possible) in enumerate(pairs, 1):
            slip = number * self.slip
            ranges = walk.quantiles(shares, possible, slip)
            if any(first != last for first, last in ranges):  # whole weights may break a tie
                exact_walk = next((other for k, other in exact_walks if k == number), walk)
                ranges = exact_walk.quantiles(shares, possible, slip)
            yield ranges

    def _exact_bets(self, bets: int) -> int:
        """The most bets, up to a number, that are affordable in whole numbers."""
        return bisect_left(range(bets), True, key=lambda n: not self.is_exact(n + 1))
