"""Figures of a session at the table: the cost of each bet, luck, rarity, the rest of the evening.

The value of a bet is its mean profit if left alone until it is settled once. Values add up, so each
bet is solved as a small chain. The money plus the values changes on average only when the player
acts: a new bet costs its expected loss, and so does one left up after it pays. The rest is luck, a
martingale with known variance (D. Williams, *Probability with Martingales*, ch. 12).

A session is compared with the evenings of a strategy (`PlayedEvening`), and continued with the bets
kept up (`rest_of`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import erf, sqrt
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import unit_of, unrounded_unit
from sevenout.catalogue.craps_family.spots import (
    BONUS,
    COME_BETS,
    original_bet,
    split_switch,
    spot,
    standing_name,
)
from sevenout.catalogue.craps_family.table_session import Act, TableSession
from sevenout.documents import Fact, Facts, HasPage, Page
from sevenout.documents.kinds import AMOUNT, COUNT, LABEL
from sevenout.documents.numbers import won
from sevenout.errors import RulesError, shown
from sevenout.evenings.evening_plan import Plan, at_the_minimum
from sevenout.evenings.evening_result import EveningResult
from sevenout.numerals import Number, exact_amount
from sevenout.rules import Game
from sevenout.rules.casino.betting import (
    Bettor,
    Seat,
    Strategy,
    TableView,
)
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import AfterThrow, Bets, Felt, Money, Throw
from sevenout.rules.casino.menu import PlayedOut, rolled_on
from sevenout.rules.outcome import counted, lose
from sevenout.solving import Solution, solve
from sevenout.wrong_arguments import public

ZERO = Fraction(0)


class BetFigures(NamedTuple):
    """The mean profit and rolls of a bet that is left alone until it is settled once.

    Attributes:
        mean: the mean profit.
        rolls: the mean rolls until it is settled; 0 if the bet is off.
        amount: on the bet.
        bets_per_roll: bets settled per roll in the long run, if it is kept up.
    """

    mean: Fraction
    rolls: Fraction
    amount: Money
    bets_per_roll: Fraction

    @property
    def edge(self) -> Fraction:
        """The expected loss per unit on the bet, per bet made."""
        return -self.mean / self.amount

    def per_hour(self, pace: int) -> Fraction:
        """The expected loss per hour at this pace in rolls per hour, if the bet is kept up."""
        return -self.mean * self.bets_per_roll * pace


def bet_figures(house: House, point: int | None, bet: str, amount: Number) -> BetFigures:
    """The figures of a bet on the felt; `point` is None on the come-out.

    >>> bet_figures(House(), None, "pass", 5).edge, bet_figures(House(), 6, "place 8", 12).edge
    (Fraction(7, 495), Fraction(1, 66))

    Raises:
        RulesError: no such bet or point at this table, or an amount of 0 or less.
    """
    house.check_name(bet)
    amount = exact_amount(amount)
    if point not in house.points:
        raise RulesError(f"point={shown(point)}; the points are {house.numbers}, or None")
    if amount <= 0:
        raise RulesError(f"amount={shown(amount)}; give more than 0")
    entry = spot(bet)
    if entry.works is False:
        return BetFigures(ZERO, ZERO, amount, ZERO)
    stands_on = entry.kind in ("place", "buy", "hard")  # on any point, or off
    sees_point = entry.kind.endswith("pass") or stands_on or entry.odds
    own_point = point if sees_point else None  # other bets share their solution at every point
    unit = unrounded_unit(house, own_point, bet)
    # pays are rounded to the table's chips: only whole units are alike, and are solved once
    solved_amount = amount if unit is None or amount % unit else unit
    mean, rolls = _mean_and_rolls(house, own_point, sees_point, bet, solved_amount)
    bets_per_roll = _bets_per_roll(house, bet, solved_amount) if stands_on else 1 / rolls
    return BetFigures(mean * Fraction(amount) / solved_amount, rolls, amount, bets_per_roll)


@lru_cache(maxsize=50_000)
def _mean_and_rolls(
    house: House, point: int | None, sees_point: bool, bet: str, amount: Money
) -> tuple[Fraction, Fraction]:
    """The mean profit and rolls of a bet that is left alone until it is settled once."""
    felt: Felt = house if sees_point else _PointlessFelt(house)
    solution = solve(PlayedOut(felt, point, ((bet, amount),)))
    return solution.bet("felt").mean, solution.mean_rolls


@lru_cache(maxsize=50_000)
def _bets_per_roll(house: House, bet: str, amount: Money) -> Fraction:
    """Bets settled per roll if the bet is always made again."""
    kept = solve(ShooterHand(house, None, ((bet, amount),)))
    return kept.mean("settled") / kept.mean_rolls


class _PointlessFelt(Felt):
    """A table that ignores the point, for bets that do: All is solved in 0.1 s instead of 0.4 s.

    Attributes:
        house: the table whose rules hold.
    """

    points = (None,)

    def __init__(self, house: House) -> None:
        self.house, self.dice, self.roll_count = house, house.dice, house.roll_count

    def throws(self, bets: Bets) -> Sequence[Throw]:
        return self.house.throws(bets)

    def roll(self, point: int | None, bets: Bets, throw: Throw) -> AfterThrow:
        return self.house.roll(None, bets, throw)._replace(point=None, out=False)

    def check(self, point: int | None, bets: Any, bet: str, amount: Money) -> None:
        self.house.check(point, bets, bet, amount)

    def fee(self, bet: str, amount: Money) -> Money:
        return self.house.fee(bet, amount)


def figures_of_felt(session: TableSession) -> dict[str, BetFigures]:
    """The figures of each bet on the felt, from here."""
    house, point = session.house, session.point
    return {bet: bet_figures(house, point, bet, amount) for bet, amount in session.bets.items()}


def figures_from_here(session: TableSession, bet: str, amount: Number) -> BetFigures:
    """The figures of a bet before it is made, at the point that is on now."""
    return bet_figures(session.house, session.point, standing_name(session.bets, bet), amount)


def figures_when_made(session: TableSession, bet: str, amount: Number) -> BetFigures:
    """The figures of a bet when it is made: on the come-out, if it can only be made there.

    >>> session = TableSession.from_text("sevenout table;pass = 5;roll 4 2")
    >>> figures_when_made(session, "pass", 5).edge, figures_from_here(session, "pass", 5).edge
    (Fraction(7, 495), Fraction(1, 11))
    """
    house, point = session.house, session.point
    is_line_bet = spot(bet).kind.endswith("pass") and not spot(bet).odds
    is_put = house.put and bet == "pass"
    if is_line_bet and house.too_late(bet, point) and not is_put:
        return bet_figures(house, None, bet, amount)
    return figures_from_here(session, bet, amount)


# --- the hand of a shooter ------------------------------------------------------------------------


class ShooterHand(Game):
    """A shooter's hand from `point` to the seven-out; None is the come-out.

    >>> solve(ShooterHand(House(), None)).mean_rolls
    Fraction(1671, 196)

    Attributes:
        house: the table.
        kept_bets: bets that are always up; the counter "settled" counts how often one is settled.
    """

    counters = ("settled",)

    def __init__(self, house: House, point: int | None, kept_bets: Bets = ()) -> None:
        self.house, self.kept_bets, self.start = house, kept_bets, ("point", point)
        self.dice = rolled_on(house, kept_bets)

    def step(self, state: tuple[str, int | None], roll: Any) -> Any:
        throw = self.house.throw_of(self.kept_bets, roll)
        point, _, paid, out = self.house.roll(state[1], self.kept_bets, throw)
        successor = lose("seven out") if out else ("point", point)
        return counted(successor, settled=len(paid)) if paid else successor


@lru_cache(maxsize=64)
def solved_hand(house: House, point: int | None) -> Solution:
    """The shooter's hand, solved."""
    return solve(ShooterHand(house, point))


def p_long_hand(house: House, point: int | None, rolls: int) -> Fraction:
    """The probability of a hand of at least this many rolls from `point`, the seven-out included.

    >>> p_long_hand(House(), None, 1), float(p_long_hand(House(), None, 154)) < 2e-10
    (Fraction(1, 1), True)
    """
    return Fraction(solved_hand(house, point).distribution("rolls").sf(rolls - 1))


def p_long_hand_in_evening(house: House, rolls: int, evening: int) -> float:
    """The probability that an evening of `evening` rolls has a hand of `rolls` or more, by
    renewal.
    """
    length = solved_hand(house, None).distribution("rolls")
    p_length = [float(length.pmf(n)) for n in range(rolls)]
    p_without = [1.0] * min(rolls, evening + 1)
    for r in range(rolls, evening + 1):
        p_without.append(sum(p_length[n] * p_without[r - n] for n in range(1, rolls)))
    return 1 - p_without[evening]


class RareEvent(NamedTuple):
    """How rare an event was.

    Attributes:
        event: in words.
        p: its probability each time.
        p_evening: the probability that an evening has it.
    """

    event: str
    p: Fraction
    p_evening: float


def rarities(session: TableSession, evening: int) -> list[RareEvent]:
    """What the last roll did, and how rare that is in an evening of `evening` rolls."""
    acts = [act for act in session.history() if act.rolled]
    if not acts:
        return []
    events = _rare_result(session, acts[-1], evening)
    hand_length = len([hand for hand in session.hands if hand][-1])
    if hand_length > 1:  # every hand has a roll
        p_evening = p_long_hand_in_evening(session.house, hand_length, max(evening, hand_length))
        p = p_long_hand(session.house, None, hand_length)
        events.append(RareEvent(f"a hand of {hand_length} rolls or more", p, p_evening))
    return events


def _rare_result(session: TableSession, act: Act, evening: int) -> list[RareEvent]:
    """How rare it is to win or lose as much on the same bets; empty if the roll did neither."""
    house, point, bets = session.house, act.before.point, act.before.bets
    net: Money = act.rolled.net if act.rolled else 0
    if not net:
        return []
    sign, wins = (1, "wins") if net > 0 else (-1, "loses")
    ways = 0
    for throw in house.throws(bets):
        profit = sum(paid.profit for paid in house.roll(point, bets, throw).paid)
        if profit * sign >= net * sign:
            ways += throw.weight
    p = Fraction(ways, house.roll_count)
    event = f"a roll that {wins} {session.money_text(sign * net)} or more on these bets"
    return [RareEvent(event, p, 1 - float(1 - p) ** evening)]


# --- habits, and luck -----------------------------------------------------------------------------


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


# --- a session beside a strategy's evenings -------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PlayedEvening(HasPage):
    """A session, compared with a strategy's evenings of equal length and bankroll.

    >>> session = TableSession.from_text("sevenout table;bankroll: 9;pass = 1;roll 3 4;pass = 1")
    >>> played = PlayedEvening(session, plan_beside("pass", session))
    >>> played.per_thousand["a result as high or higher"]
    Fraction(2000, 9)

    Attributes:
        session: as played.
        plan: of the strategy's evenings.
    """

    session: TableSession
    plan: Plan

    @cached_property
    def result(self) -> EveningResult:
        """The distribution of the strategy's evenings."""
        return self.plan.solve()

    @cached_property
    def per_thousand(self) -> dict[str, Fraction]:
        """In how many of a thousand evenings the same or more happens."""
        session = self.session
        profit, bankroll = self.result.profit, Fraction(session.bought)
        result = Fraction(session.result)
        amounts = [Fraction(moment.money) for moment in session.moments]
        lowest, highest = min(amounts), max(amounts)
        shares = {
            "a result as low or lower": profit.cdf(result),
            "a result as high or higher": 1 - profit.cdf(result) + profit.pmf(result),
        }
        # every evening is ever as low and as high as its bankroll
        if 0 < lowest < bankroll:
            shares[f"ever as low as {won(lowest - bankroll)}"] = self.plan.ever(most=lowest)
        if highest > bankroll:
            shares[f"ever as high as {won(highest - bankroll)}"] = self.plan.ever(least=highest)
        return {event: 1000 * p for event, p in shares.items()}

    def page(self) -> Page:
        """The session's figures and how rare they are."""
        session = self.session
        rolls = [moment.rolled for moment in session.moments if moment.rolled]
        handle = sum(payment.stake for rolled in rolls for payment in rolled.paid)
        return Page(
            f"Played at the table, beside {self.plan.name}",
            Facts(
                Fact("result", won(Fraction(session.result)), LABEL),
                Fact("rolls", session.rolls, COUNT),
                Fact("money bet", handle, AMOUNT),
                Fact("mean result of the strategy", won(self.result.mean), LABEL),
                Fact("money bet by the strategy", round(self.result.handle), AMOUNT),
                *(
                    Fact(event, f"{float(n):,.1f} of 1,000 evenings", LABEL)
                    for event, n in self.per_thousand.items()
                ),
                self.result.status_fact,
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        session = self.session
        return {
            "strategy": self.plan.name,
            "session": session.to_text(),
            "result": str(session.result),
            "rolls": session.rolls,
            "of_1000_evenings": {event: float(n) for event, n in self.per_thousand.items()},
        }


def plan_beside(strategy: Any, session: TableSession, **options: Any) -> Plan:
    """The plan of a strategy with a session's table, number of rolls and bankroll.

    `options` are as in `Plan.of`.

    Raises:
        RulesError: nothing was rolled, or the player bought more chips.
    """
    if not session.rolls:
        raise RulesError("nothing was rolled in this session; play it first")
    if session.bought != session.bankroll:
        raise RulesError(
            "this session bought more chips, and a strategy has a single bankroll; play one "
            "without buying"
        )
    usual = {"bankroll": session.bankroll, "rolls": session.rolls, "house": session.house}
    usual |= {"pace": session.rates.pace}
    return at_the_minimum(Plan.of(strategy, **(usual | options)))


# --- the rest of the evening ----------------------------------------------------------------------


@dataclass(frozen=True)
class KeptUp(Strategy):
    """Bets made again whenever the rules allow, each for the same amount.

    Attributes:
        house: the table.
        flat: amounts by the name under which a bet is made.
        odds: the share of the maximum odds, by kind of flat bet.
        comes: how many come and don't come bets stand at once.
        memory: whether the shooter is new at the first roll.
    """

    house: House
    flat: tuple[tuple[str, Money], ...]
    odds: tuple[tuple[str, Fraction], ...] = ()
    comes: tuple[tuple[str, int], ...] = ()
    memory: Any = True

    def remembers(self, table: TableView) -> Any:
        """Whether the shooter is new; side bets on a hand are made then."""
        return table.last is not None and (table.last.out or table.last.throw.total == 7)

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The missing bets that may be made now."""
        bets: dict[str, Any] = {}
        standing = [original_bet(split_switch(bet)[0]) for bet in table.bets if not spot(bet).odds]
        comes = dict(self.comes)
        for bet, amount in self.flat:
            kind = spot(bet).kind
            if standing.count(bet) >= comes.get(bet, 1):
                continue
            # these bets are only made for a new shooter
            if (kind in BONUS or kind == "side") and not table.memory:
                continue
            if bet not in table.bets and self.house.allows(table.point, table.bets, bet, amount):
                bets[bet] = amount
        bets_up = {**table.bets, **bets}  # odds may go behind a bet that is made now
        for kind, share in self.odds:
            for bet in bets_up:
                entry = spot(bet)
                if entry.odds or entry.kind != kind:
                    continue
                odds = f"{bet} odds"
                number = entry.number or (table.point if kind.endswith("pass") else None)
                if number is None or any(split_switch(name)[0] == odds for name in table.bets):
                    continue
                maximum = self.house.maximum_of(table.point, bets_up, odds) or 0
                unit = unit_of(self.house, table.point, odds)
                if amount := Fraction(maximum * share) // unit * unit:
                    bets[odds] = amount
        return bets


@dataclass(frozen=True)
class Seated(Bettor):
    """A bettor who begins with bets on the felt.

    Attributes:
        seat: the point and the bets.
    """

    seat: Seat

    @property
    def first_seat(self) -> Seat:
        """The seat, with the memory of the strategy."""
        return self.seat._replace(memory=self.strategy.memory)


def kept_up(session: TableSession) -> KeptUp:
    """The player's bets as last made with this shooter or the previous one.

    >>> session = TableSession.from_text(
    ...     "sevenout table;bankroll: 99;pass = 5;roll 4 2;pass odds = 25;place 8 = 6")
    >>> kept_up(session).flat, kept_up(session).odds
    ((('pass', 5), ('place 8', 6)), (('pass', Fraction(1, 1)),))

    Raises:
        RulesError: nothing was bet.
    """
    acts = list(session.history())
    outs = [i for i, act in enumerate(acts) if act.rolled and act.rolled.out]
    first_act = outs[-2] + 1 if len(outs) > 1 else 0
    flat: dict[str, Money] = {}
    odds: dict[str, Fraction] = {}
    comes: dict[str, int] = {}
    for act in acts[first_act:]:
        if act.rolled:
            continue
        before, after = dict(act.before.bets), dict(act.after.bets)
        for bet in before.keys() | after.keys():
            others_after = [split_switch(name)[0] for name in after if name != bet]
            # a bet that is switched on or off has another name, but is the same bet
            if before.get(bet) == after.get(bet) or split_switch(bet)[0] in others_after:
                continue
            entry, amount = spot(bet), after.get(bet, 0)
            if entry.odds:
                bets = after if amount else before
                maximum = session.house.maximum_of(act.after.point, bets, bet) or 1
                odds[entry.kind] = min(Fraction(1), Fraction(amount) / maximum)
            else:
                flat[original_bet(split_switch(bet)[0])] = amount
        for kind in COME_BETS:
            count = sum(spot(bet).kind == kind and not spot(bet).odds for bet in after)
            comes[kind] = max(comes.get(kind, 0), count)
    for bet, amount in session.bets.items():
        if not spot(bet).odds:
            flat.setdefault(original_bet(split_switch(bet)[0]), amount)
    if not any(flat.values()):
        raise RulesError("nothing was bet by this shooter or the one before: make a bet first")
    return KeptUp(
        session.house,
        _positive(flat.items()),
        _positive(odds.items()),
        tuple((kind, n) for kind, n in comes.items() if n > 1),
    )


def _positive(amounts: Iterable[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, amount) for name, amount in amounts if amount)


def rest_of(session: TableSession, rolls: int) -> Plan:
    """The next `rolls` rolls of an evening if the player keeps up their bets.

    The bankroll is the money on the felt and in the rail.

    >>> session = TableSession.from_text("sevenout table;bankroll: 10;pass = 5;roll 4 2")
    >>> rest_of(session, 1).solve().mean
    Fraction(-5, 36)

    Raises:
        RulesError: nothing was bet yet, or no rolls are left.
    """
    if rolls < 1:
        raise RulesError(f"{rolls} rolls are left of the evening; say for how many, such as 100")
    acts = list(session.history())
    seat = acts[-1].after if acts else Seat(None, (), None)
    is_new_shooter = bool(not acts or (acts[-1].rolled and acts[-1].rolled.out))
    strategy = replace(kept_up(session), memory=is_new_shooter)
    return Plan(
        "the rest of the evening, with these bets kept up",
        Seated(session.house, strategy, seat),
        session.money,
        Ends(rolls=rolls),
        pace=session.rates.pace,
    )
