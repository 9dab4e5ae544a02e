"""Figures of a session at the table: the cost of each bet, the hand of the shooter, rare events.

The value of a bet is its mean profit if left alone until it is settled once. Values add up, so each
bet is solved as a small chain.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import unrounded_unit
from sevenout.catalogue.craps_family.spots import spot, standing_name
from sevenout.catalogue.craps_family.table_session import Act, TableSession
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact_amount
from sevenout.rules import Game
from sevenout.rules.casino.felt import AfterThrow, Bets, Felt, Money, Throw
from sevenout.rules.casino.menu import PlayedOut, rolled_on
from sevenout.rules.outcome import counted, lose
from sevenout.solving import Solution, solve

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
        RulesError: no such bet or point at this table, odds on the line without a point, or an
            amount of 0 or less.
    """
    house.check_name(bet)
    amount = exact_amount(amount)
    if point not in house.points:
        raise RulesError(f"point={shown(point)}; the points are {house.numbers}, or None")
    if amount <= 0:
        raise RulesError(f"amount={shown(amount)}; give more than 0")
    entry = spot(bet)
    if entry.odds and not entry.number and point is None:
        raise RulesError(f"no {shown(bet)} on the come-out; odds on the line need a point")
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
