"""The exact expected profit of each bet on the felt, and the luck of a session.

The value of a bet is its mean profit if left alone until it is settled once. Values add up, so each
bet is solved as a small chain. The money plus the values changes on average only when the player
acts: a new bet costs its expected loss, and so does one left up after it pays. The rest is luck, a
martingale with known variance (D. Williams, Probability with Martingales, 12).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import erf, sqrt
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import whole_unit
from sevenout.catalogue.craps_family.spots import made_as, spot, switch, switched
from sevenout.catalogue.craps_family.table_session import Act, TableSession
from sevenout.rules import Game
from sevenout.rules.casino.felt import Bets, Felt, Money, Paid, Throw
from sevenout.rules.casino.menu import PlayedOut, rolled_on
from sevenout.rules.outcome import counted, lose
from sevenout.solving import Solution, solve

ZERO = Fraction(0)


class Value(NamedTuple):
    """The mean profit and rolls of a bet that is left alone until it is settled once.

    Attributes:
        rolls: 0 if the bet is off.
        often: bets settled per roll in the long run, if it is kept up.
    """

    mean: Fraction
    rolls: Fraction
    amount: Money
    often: Fraction

    @property
    def edge(self) -> Fraction:
        """The expected loss per unit on the bet, per bet made."""
        return -self.mean / self.amount

    def per_hour(self, pace: int) -> Fraction:
        """The expected loss per hour at this pace in rolls per hour, if the bet is kept up."""
        return -self.mean * self.often * pace


def value_of(house: House, point: int | None, bet: str, amount: Money) -> Value:
    """The value of a bet on the felt; `point` is None on the come-out.

    >>> value_of(House(), None, "pass", 5).edge, value_of(House(), 6, "place 8", 12).edge
    (Fraction(7, 495), Fraction(1, 66))
    """
    what = spot(bet)
    if what.works is False:
        return Value(ZERO, ZERO, amount, ZERO)
    sees = what.kind.endswith("pass") or what.kind in ("place", "buy", "hard") or what.odds
    seen = point if sees else None
    unit = whole_unit(house, seen, bet)
    least = amount if unit is None or amount % unit else unit
    mean, rolls = _solved(house, seen, sees, bet, least)
    renewed = what.kind in ("place", "buy", "hard")  # they stand on any point, or off
    often = _often(house, bet, least) if renewed else 1 / rolls
    return Value(mean * Fraction(amount) / least, rolls, amount, often)  # linear in units


@lru_cache(maxsize=50_000)
def _solved(
    house: House, point: int | None, sees: bool, bet: str, amount: Money
) -> tuple[Fraction, Fraction]:
    felt: Felt = house if sees else _Pointless(house)
    found = solve(PlayedOut(felt, point, ((bet, amount),)))
    return found.bet("felt").mean, found.mean_rolls


@lru_cache(maxsize=50_000)
def _often(house: House, bet: str, amount: Money) -> Fraction:
    """Bets settled per roll if the bet is always made again."""
    kept = solve(_KeptUp(house, ((bet, amount),)))
    return kept.mean("settled") / kept.mean_rolls


class _Pointless(Felt):
    """A table that ignores the point."""

    points = (None,)

    def __init__(self, house: House) -> None:
        self.house, self.dice, self.ways = house, house.dice, house.ways

    def throws(self, bets: Bets) -> Sequence[Throw]:
        return self.house.throws(bets)

    def roll(
        self, point: int | None, bets: Bets, throw: Throw
    ) -> tuple[int | None, dict[str, Money], tuple[Paid, ...], bool]:
        _, left, paid, _ = self.house.roll(None, bets, throw)
        return None, left, paid, False

    def check(self, point: int | None, bets: Any, bet: str, amount: Money) -> bool:
        return self.house.check(point, bets, bet, amount)

    def fee(self, bet: str, amount: Money) -> Money:
        return self.house.fee(bet, amount)


def values(session: TableSession) -> dict[str, Value]:
    """The value of each bet on the felt, from here."""
    return {
        bet: value_of(session.house, session.point, bet, on) for bet, on in session.bets.items()
    }


def value_before(session: TableSession, bet: str, amount: Money) -> Value:
    """The value of a bet before it is made."""
    return value_of(session.house, session.point, switched(session.bets, bet), amount)


def value_made(session: TableSession, bet: str, amount: Money) -> Value:
    """The value of a bet when it is made: on the come-out, if it can only be made there.

    >>> session = TableSession.from_text("sevenout table;pass = 5;roll 4 2")
    >>> value_made(session, "pass", 5).edge, value_before(session, "pass", 5).edge
    (Fraction(7, 495), Fraction(1, 11))
    """
    house, point = session.house, session.point
    late = spot(bet).kind.endswith("pass") and not spot(bet).odds and house.too_late(bet, point)
    if late and not (house.put and bet == "pass"):
        return value_of(house, None, bet, amount)
    return value_before(session, bet, amount)


# --- the hand of a shooter ------------------------------------------------------------------------


class ShooterHand(Game):
    """A shooter's hand from `point` to the seven-out; None is the come-out.

    >>> solve(ShooterHand(House(), None)).mean_rolls
    Fraction(1671, 196)
    """

    def __init__(self, house: House, point: int | None) -> None:
        self.house, self.dice, self.start = house, house.dice.totals, ("point", point)

    def step(self, state: tuple[str, int | None], roll: int) -> Any:
        point, _, _, out = self.house.roll(state[1], (), Throw(roll, None, 1))
        return lose("seven out") if out else ("point", point)


class _KeptUp(ShooterHand):
    """A shooter's hand with bets that are always up; counts those settled."""

    counters = ("settled",)

    def __init__(self, house: House, up: Bets) -> None:
        super().__init__(house, None)
        self.up, self.dice = up, rolled_on(house, up)

    def step(self, state: tuple[str, int | None], roll: Any) -> Any:
        throw = self.house.throw_of(self.up, roll)
        point, _, paid, out = self.house.roll(state[1], self.up, throw)
        then = lose("seven out") if out else ("point", point)
        return counted(then, settled=len(paid)) if paid else then


@lru_cache(maxsize=64)
def hand(house: House, point: int | None) -> Solution:
    """The shooter's hand, solved."""
    return solve(ShooterHand(house, point))


def more_rolls(house: House, point: int | None, rolls: int) -> Fraction:
    """The probability of a hand of at least this many rolls from `point`, the seven-out included.

    >>> more_rolls(House(), None, 1), float(more_rolls(House(), None, 154)) < 2e-10
    (Fraction(1, 1), True)
    """
    return Fraction(hand(house, point).distribution("rolls").sf(rolls - 1))


def evenings_with_hand(house: House, rolls: int, evening: int) -> float:
    """The probability that an evening of `evening` rolls has a hand of `rolls` or more, by
    renewal.
    """
    law = hand(house, None).distribution("rolls")
    lengths = [float(law.pmf(n)) for n in range(rolls)]
    without = [1.0] * min(rolls, evening + 1)
    for r in range(rolls, evening + 1):
        without.append(sum(lengths[k] * without[r - k] for k in range(1, rolls)))
    return 1 - without[evening]


class Rare(NamedTuple):
    """How rare an event was.

    Attributes:
        p: its probability each time.
        evenings: the probability that an evening has it.
    """

    what: str
    p: Fraction
    evenings: float


def rarities(session: TableSession, evening: int) -> list[Rare]:
    """What the last roll did, and how rare that is in an evening of `evening` rolls."""
    if not session.rolls:
        return []
    *_, last = session.moments
    rolled = last.rolled
    assert rolled is not None
    found: list[Rare] = []
    house = session.house
    act = [each for each in session.history() if each.rolled][-1]
    point, bets = act.before.point, act.before.bets
    net: Money = rolled.net
    if bets and net:
        up = net > 0
        nets = [
            (t.weight, sum(p.profit for p in house.roll(point, bets, t)[2]))
            for t in house.throws(bets)
        ]
        ways = sum(w for w, net in nets if (net >= rolled.net if up else net <= rolled.net))
        p = Fraction(ways, house.ways)
        way = "wins" if up else "loses"
        found.append(
            Rare(
                f"a roll that {way} {session.said(net if net > 0 else -net)} or more on these bets",
                p,
                1 - float(1 - p) ** evening,
            )
        )
    shot = len([hand for hand in session.hands if hand][-1])
    if shot > 1:
        found.append(
            Rare(
                f"a hand of {shot} rolls or more",
                more_rolls(house, None, shot),
                evenings_with_hand(house, shot, max(evening, shot)),
            )
        )
    return found


# --- habits, and luck -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Habit:
    """The expected loss of a kind of bet over a session.

    Attributes:
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
        luck: the result beyond the cost, with standing bets at their value.
        deviation: the standard deviation of luck, given the bets made.
        standing: the mean profit of the bets on the felt.
    """

    habits: tuple[Habit, ...]
    cost: Fraction
    luck: Fraction
    deviation: float
    standing: Fraction

    @property
    def worse(self) -> float:
        """Roughly the probability of worse luck, by the normal distribution."""
        if not self.deviation:
            return 0.5
        return (1 + erf(float(self.luck) / self.deviation / sqrt(2))) / 2


def account(session: TableSession) -> Account:
    """The expected cost of a session by kind of bet, and its luck.

    >>> session = TableSession.from_text("sevenout table;bankroll: 99;field = 10;roll 2 2")
    >>> account(session).cost, account(session).luck
    (Fraction(5, 18), Fraction(185, 18))
    """
    found = habits(session)
    variance = sum(
        (
            _variance(session.house, act.before.point, act.before.bets)
            for act in session.history()
            if act.rolled
        ),
        ZERO,
    )
    standing = sum((value.mean for value in values(session).values()), ZERO)
    cost = sum((habit.cost for habit in found), ZERO)
    luck = session.result + standing + cost
    return Account(found, cost, Fraction(luck), sqrt(variance), standing)


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
    found = (Habit(bet, *sums) for bet, sums in costs.items())
    return tuple(sorted(found, key=lambda habit: habit.cost, reverse=True))


def _newly_rolled(house: House, act: Act, counted: dict[str, Money]) -> Iterator[tuple[str, Money]]:
    """The money on each bet that meets its first roll; `counted` is what met one before.

    A bet that is taken down or lowered before a roll, or is off, was not at risk. A bet that stays
    up after it was paid is at risk again. A switch on or off renames a bet, and so does a roll that
    moves a come bet to its number.
    """
    if not act.rolled:
        now = {switch(bet)[0] for bet, _ in act.after.bets}
        for bet in [bet for bet in counted if bet not in now]:
            del counted[bet]
        return
    for bet, amount in act.before.bets:
        plain = switch(bet)[0]
        if amount > counted.get(plain, 0) and not house.is_off(spot(bet), act.before.point):
            yield bet, amount - counted.get(plain, 0)
            counted[plain] = amount
    settled = {switch(paid.bet)[0] for paid in act.rolled.paid}
    before, after = (
        {switch(bet)[0] for bet, _ in bets} for bets in (act.before.bets, act.after.bets)
    )
    for bet in settled:
        counted.pop(bet, None)
    for bet in before - after - settled:  # a come bet is on its number, a bonus bet has a total
        arrived = (new for new in after if new not in before or new in settled)
        counted[next(new for new in arrived if made_as(new) == made_as(bet))] = counted.pop(bet, 0)


def _kind(bet: str) -> str:
    plain, _ = switch(bet)
    return f"{made_as(plain.removesuffix(' odds'))} odds" if spot(bet).odds else made_as(plain)


def _costs(house: House, act: Act) -> Iterator[tuple[str, Fraction]]:
    """For each bet, the expected cost of an act.

    The cost is the bets' value before, less their value after. A roll costs the value of bets left
    up after they pay.
    """
    was, now = dict(act.before.bets), dict(act.after.bets)
    if act.rolled:
        for paid in act.rolled.paid:
            if paid.bet in now and paid.bet in was and now[paid.bet] == was[paid.bet]:
                on = now[paid.bet]
                yield paid.bet, -value_of(house, act.after.point, paid.bet, on).mean
        return
    for bet in sorted(was.keys() | now.keys()):
        before, after = was.get(bet, 0), now.get(bet, 0)
        if before != after:
            cost = _mean(house, act.before.point, bet, before)
            cost -= _mean(house, act.before.point, bet, after)
            yield bet, cost


def _mean(house: House, point: int | None, bet: str, amount: Money) -> Fraction:
    return value_of(house, point, bet, amount).mean if amount else ZERO


@lru_cache(maxsize=50_000)
def _variance(house: House, point: int | None, bets: Bets) -> Fraction:
    """The variance that a roll adds to the money and the value of the bets."""
    first = second = ZERO
    for throw in house.throws(bets):
        then, left, paid, _ = house.roll(point, bets, throw)
        settled = {each.bet for each in paid}
        x = Fraction(sum(each.profit for each in paid))
        x += sum((_mean(house, then, b, on) for b, on in left.items() if b not in settled), ZERO)
        first += throw.weight * x
        second += throw.weight * x * x
    return second / house.ways - (first / house.ways) ** 2
