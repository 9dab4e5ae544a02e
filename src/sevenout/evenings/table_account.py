"""The account of a session at the table: what its bets cost on average, and the luck.

The money plus the values of the bets (`table_figures`) changes on average only when the player
acts: a new bet costs its expected loss, and so does one left up after it pays. The rest is luck, a
martingale with known variance (D. Williams, *Probability with Martingales*, ch. 12).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import erf, sqrt
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import original_bet, split_switch, spot
from sevenout.catalogue.craps_family.table_session import Act, TableSession
from sevenout.evenings.table_figures import ZERO, bet_figures, figures_of_felt
from sevenout.rules.casino.felt import Bets, Money
from sevenout.wrong_arguments import public


@dataclass(frozen=True)
class Habit:
    """The expected loss of a kind of bet over a session.

    Attributes:
        bet: the kind, under the name by which such bets are made.
        cost: the expected loss.
        handle: the amount on such bets that met a roll.
        times: how often such bets met their first roll; one that is raised or left up counts again.
    """

    bet: str
    cost: Fraction
    handle: Money
    times: int


@dataclass(frozen=True)
class Account:
    """A session split into its expected cost and luck.

    Attributes:
        habits: the cost of each kind of bet; `cost` is their sum.
        luck: the result beyond the cost, with standing bets at their value.
        std: the standard deviation of luck, given the bets made.
        standing: the mean profit of the bets on the felt.
    """

    habits: tuple[Habit, ...]
    cost: Fraction
    luck: Fraction
    std: float
    standing: Fraction

    @property
    def worse(self) -> float:
        """Roughly the probability of worse luck, by the normal distribution."""
        if not self.std:
            return 0.5
        return (1 + erf(float(self.luck) / self.std / sqrt(2))) / 2


@public
def account(session: TableSession) -> Account:
    """The expected cost of a session by kind of bet, and its luck.

    >>> session = TableSession.from_text("sevenout table;bankroll: 99;field = 10;roll 2 2")
    >>> account(session).cost, account(session).luck
    (Fraction(5, 18), Fraction(185, 18))
    """
    kinds = habits(session)
    states = [act.before for act in session.history() if act.rolled]
    variance = sum((_variance(session.house, seat.point, seat.bets) for seat in states), ZERO)
    standing = sum((value.mean for value in figures_of_felt(session).values()), ZERO)
    cost = sum((habit.cost for habit in kinds), ZERO)
    luck = session.result + standing + cost
    return Account(kinds, cost, Fraction(luck), sqrt(variance), standing)


def habits(session: TableSession) -> tuple[Habit, ...]:
    """The expected cost of each kind of bet, the most costly first.

    >>> session = TableSession.from_text("sevenout table;bankroll: 99;field = 10;roll 2 2")
    >>> habits(session)
    (Habit(bet='field', cost=Fraction(5, 18), handle=10, times=1),)
    """
    costs: dict[str, list[Any]] = {}
    counted: dict[str, Money] = {}
    for act in session.history():
        for bet, cost in _costs(session.house, act):
            costs.setdefault(_kind(bet), [ZERO, 0, 0])[0] += cost
        for bet, amount in _newly_rolled(session.house, act, counted):
            sums = costs.setdefault(_kind(bet), [ZERO, 0, 0])
            sums[1] += amount
            sums[2] += 1
    kinds = (Habit(bet, *sums) for bet, sums in costs.items())
    return tuple(sorted(kinds, key=lambda habit: habit.cost, reverse=True))


def _newly_rolled(house: House, act: Act, counted: dict[str, Money]) -> Iterator[tuple[str, Money]]:
    """The money on each bet that meets its first roll; `counted` is what met one before.

    A bet that is taken down or lowered before a roll, or is off, was not at risk. A bet that stays
    up after it was paid is at risk again. A switch on or off renames a bet, and so does a roll that
    moves a come bet to its number.
    """
    if not act.rolled:
        standing = {split_switch(bet)[0] for bet, _ in act.after.bets}
        for bet in [bet for bet in counted if bet not in standing]:
            del counted[bet]
        return
    for bet, amount in act.before.bets:
        plain = split_switch(bet)[0]
        if amount > counted.get(plain, 0) and not house.is_off(spot(bet), act.before.point):
            yield bet, amount - counted.get(plain, 0)
            counted[plain] = amount
    settled = {split_switch(paid.bet)[0] for paid in act.rolled.paid}
    before, after = (
        {split_switch(bet)[0] for bet, _ in bets} for bets in (act.before.bets, act.after.bets)
    )
    for bet in settled:
        counted.pop(bet, None)
    for bet in before - after - settled:  # a come bet is on its number, a bonus bet has a total
        arrived = (new for new in after if new not in before or new in settled)
        original = original_bet(bet)
        renamed = next(new for new in arrived if original_bet(new) == original)
        counted[renamed] = counted.pop(bet, 0)


def _kind(bet: str) -> str:
    """The name under which such a bet is made; odds have a kind of their own."""
    plain, _ = split_switch(bet)
    original = original_bet(plain.removesuffix(" odds"))
    return f"{original} odds" if spot(bet).odds else original


def _costs(house: House, act: Act) -> Iterator[tuple[str, Fraction]]:
    """For each bet, the expected cost of an act.

    The cost is the bets' value before, less their value after. A roll costs the value of bets left
    up after they pay.
    """
    amounts_before, amounts_after = dict(act.before.bets), dict(act.after.bets)
    if act.rolled:
        for paid in act.rolled.paid:
            amount = amounts_after.get(paid.bet)
            if amount is not None and amounts_before.get(paid.bet) == amount:
                yield paid.bet, -bet_figures(house, act.after.point, paid.bet, amount).mean
        return
    for bet in sorted(amounts_before.keys() | amounts_after.keys()):
        before, after = amounts_before.get(bet, 0), amounts_after.get(bet, 0)
        if before != after:
            cost = _mean_profit(house, act.before.point, bet, before)
            cost -= _mean_profit(house, act.before.point, bet, after)
            yield bet, cost


def _mean_profit(house: House, point: int | None, bet: str, amount: Money) -> Fraction:
    """The mean profit of a bet; 0 if nothing is on it."""
    return bet_figures(house, point, bet, amount).mean if amount else ZERO


@lru_cache(maxsize=50_000)
def _variance(house: House, point: int | None, bets: Bets) -> Fraction:
    """The variance that a roll adds to the money and the value of the bets."""
    total = total_of_squares = ZERO
    for throw in house.throws(bets):
        next_point, bets_left, paid, _ = house.roll(point, bets, throw)
        settled = {payment.bet for payment in paid}
        change = Fraction(sum(payment.profit for payment in paid))
        for bet, amount in bets_left.items():
            # a bet left up after it pays counts as a cost of the player's, not as luck
            if bet not in settled:
                change += _mean_profit(house, next_point, bet, amount)
        total += throw.weight * change
        total_of_squares += throw.weight * change**2
    return total_of_squares / house.roll_count - (total / house.roll_count) ** 2
