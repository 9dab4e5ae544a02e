"""The craps family, and bets on a hand of several of its rounds.

Craps and its variants, hazard with each main, Fast Craps, crapless and street craps are each a
`PointGame`. `PointsMade` and `RoundsWon` roll whole rounds of one.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rolling import Dice, Rollable, parse_dice
from sevenout.rules.combined_games import check_losses
from sevenout.rules.game import Frozen, Game, set_fields
from sevenout.rules.outcome import BET, Outcome, profit_and_risk, settle
from sevenout.rules.pay_tables import EVEN, PayTable, event_names

TWO_DICE = parse_dice("2d6")

_NEVER = {
    "natural": "there are no naturals",
    "craps": "there are no craps",
    "push": "nothing pushes; name the totals in pushes",
    "easy": "the easy way makes the point like any other; set hard",
    "late": "the rolls for the point have no limit; set limit",
}
"""Why an event can't happen."""


@dataclass(frozen=True, init=False)
class PointGame(Game):
    """A point game: a come-out, then rolls for the point.

    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> sorted(craps.points)
    [4, 5, 6, 8, 9, 10]

    Args:
        naturals: the totals that win on the come-out.
        craps: the totals that lose on the come-out.
        out: the total that loses once a point is on.
        pushes: the totals that return the bet on the come-out.
        rerolls: the totals that are rolled again on the come-out.
        limit: the number of rolls for the point; None for no limit.
        hard: whether the point must be made the hard way; the easy way loses.
        bets: the payments of each bet; by default "pass" at even money.
        dice: what is rolled; 2d6 by default.
        names: other names of events in tables: {"natural": "nick", "point": "chance"}.
        side_of: the game at whose come-out alone the bets are made; None if they are made as soon
            as they are settled.

    On the come-out, every total that is in none of these sets becomes the point. The states are
    "come-out", then the point; with a limit, (point, number of rolls for it).

    Raises:
        RulesError: a total in two sets, no point left, an out that is a point, or a total that the
            dice can't roll. A limit below 1. A bet without a pay for some event, or with one for
            an impossible event. A name for no event.
    """

    naturals: frozenset[Hashable]
    craps: frozenset[Hashable]
    out: Hashable
    pushes: frozenset[Hashable]
    rerolls: frozenset[Hashable]
    limit: int | None
    hard: bool
    bets: Mapping[str, PayTable]
    dice: Rollable
    names: Mapping[str, str]
    side_of: Game | None = field(default=None, repr=False)
    start = "come-out"

    def __init__(
        self,
        naturals: Iterable[Hashable],
        craps: Iterable[Hashable],
        out: Hashable,
        *,
        pushes: Iterable[Hashable] = (),
        rerolls: Iterable[Hashable] = (),
        limit: int | None = None,
        hard: bool = False,
        bets: Mapping[str, PayTable] | None = None,
        dice: Rollable = TWO_DICE,
        names: Mapping[str, str] | None = None,
        side_of: Game | None = None,
    ) -> None:
        set_fields(
            self,
            naturals=_frozen_totals("naturals", naturals),
            craps=_frozen_totals("craps", craps),
            out=out,
            pushes=_frozen_totals("pushes", pushes),
            rerolls=_frozen_totals("rerolls", rerolls),
            limit=limit,
            hard=hard,
            bets=Frozen(bets if bets is not None else {BET: PayTable()}),
            dice=dice,
            names=event_names(names, EVEN),
            side_of=side_of,
        )
        self._check()

    def __hash__(self) -> int:
        # The rest is rarely all that differs, and hashing it would be slow.
        return hash((self.naturals, self.craps, self.out, self.limit, self.dice, self.bets))

    @cached_property
    def totals(self) -> tuple[Hashable, ...]:
        """The possible totals."""
        return tuple(getattr(self.dice, "totals", self.dice).law)

    @cached_property
    def points(self) -> frozenset[Hashable]:
        """The totals that set a point: all that settle nothing on the come-out."""
        settled = self.naturals | self.craps | self.pushes | self.rerolls
        return frozenset(self.totals) - settled

    @cached_property
    def offer_keys(self) -> tuple[Hashable, ...]:
        """The states in which a point is on, and so an offer can be made."""
        points = sorted(self.points, key=self.rank.__getitem__)
        return tuple(points if self.limit is None else product(points, range(self.limit)))

    def stake_of(self, bet: str) -> Fraction:
        """The stake of a bet."""
        return exact(self.bets[bet].stake)

    @cached_property
    def _reading(self) -> Rollable:
        if self.hard:
            return self.dice.ways  # type: ignore[attr-defined, no-any-return]
        return getattr(self.dice, "totals", self.dice)

    def rolls(self, state: Any) -> Rollable:
        """The totals of the dice, with hardness if that matters."""
        return self._reading

    def step(self, state: Any, roll: Any) -> Any:
        """The come-out, or a roll for the point."""
        # Without hard ways every point counts as made the hard way.
        total, hard = roll if self.hard else (roll, True)
        if state == self.start:
            if total in self.naturals:
                return self.outcome_of("natural", total)
            if total in self.craps:
                return self.outcome_of("craps", total)
            if total in self.pushes:
                return self.outcome_of("push", total)
            if total in self.rerolls:
                return state
            return total if self.limit is None else (total, 0)
        point, rolled = state if self.limit is not None else (state, 0)
        # A point is never the out: `_check` refuses such a game.
        if total == point:
            return self.outcome_of("point" if hard else "easy", point, rolled + 1)
        if total == self.out:
            return self.outcome_of("out", point)
        if self.limit is None:
            return point
        return (point, rolled + 1) if rolled + 1 < self.limit else self.outcome_of("late", point)

    def check_size(self) -> None:
        """Refuse too many states, or fractions too long to print."""
        rolls, points, distinct = len(self.totals), len(self.points), self.distinct_rolls
        limit = self.limit or 1
        states = 1 + points * limit
        bits = self._reading.law.denominator.bit_length()
        solving = states * rolls * (4e-6 + 1e-8 * bits) + 3e-8 * points * limit**2 * bits
        afford(
            f"a game of {states:,} states and {rolls:,} totals",
            seconds=solving
            + 2e-5 * points * distinct * min(distinct, limit)
            + 4e-3 * len(self.bets),
            memory=150.0 * states * rolls,
            instead="take fewer dice, or a lower limit",
        )

    @cached_property
    def distinct_rolls(self) -> int:
        """The number of rolls for the point that outcomes distinguish; later ones pay alike."""
        paid_by_roll = max((pay_table.rolls for pay_table in self.bets.values()), default=0)
        return min(self.limit or 1, 1 + paid_by_roll)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """Every outcome, in the order of the rule book."""
        outcomes: dict[Outcome, None] = {}
        for event, totals in self.totals_by_event.items():
            # Only of a point that is made does the roll matter.
            rolls = range(1, self.distinct_rolls + 1) if event in ("point", "easy") else (0,)
            for roll, total in product(rolls, sorted(totals, key=self.rank.__getitem__)):
                outcomes[self.outcome_of(event, total, roll)] = None
        return tuple(outcomes)

    @cached_property
    def rank(self) -> dict[Hashable, int]:
        """The place of each total among those of the dice."""
        return {total: i for i, total in enumerate(self.totals)}

    @cached_property
    def totals_by_event(self) -> dict[str, frozenset[Hashable]]:
        """The totals or points of each event, in the order of the rule book; some have none."""
        return {
            "push": self.pushes,
            "natural": self.naturals,
            "craps": self.craps,
            "point": self.points,
            "easy": self.points if self.hard else frozenset(),
            "out": self.points,
            "late": self.points if self.limit is not None else frozenset(),
        }

    @cached_property
    def _outcome_cache(self) -> dict[Any, Outcome]:
        return {}

    def outcome_of(self, event: str, total: Hashable, roll: int = 0) -> Outcome:
        """The outcome of an event such as "natural" on a total; `roll` is that of a made point."""
        key = event, total, roll
        if key not in self._outcome_cache:
            label = self.event_labels[event]
            pays = []
            for bet, pay_table in self.bets.items():
                with inside("bets", bet, event):
                    pays.append((bet, pay_table.pay(event, label, total, roll)))
            self._outcome_cache[key] = Outcome(label, tuple(pays))
        return self._outcome_cache[key]

    @cached_property
    def event_labels(self) -> dict[str, str]:
        """The label of the outcome of each event."""
        hard, easy = ("point, hard way", "point, easy way") if self.hard else ("point", "")
        out = "seven out" if self.out == 7 else f"out on {self.out}"
        same = {event: event for event in ("natural", "craps", "push")}
        labels = {**same, "point": hard, "easy": easy, "out": out, "late": "out of rolls"}
        return labels | dict(self.names)

    def _check(self) -> None:
        """Refuse rules that contradict themselves, and bets that they can't pay."""
        if not isinstance(self.dice, Rollable):
            raise RulesError(f"dice={shown(self.dice)} can't be rolled; write sevenout.dice('2d6')")
        self._check_totals()
        if self.limit is not None and not (type(self.limit) is int and self.limit >= 1):
            raise RulesError(
                f"limit={shown(self.limit)}; allow 1 or more rolls for the point, or leave it out"
            )
        if not isinstance(self.hard, bool):
            raise RulesError(f"hard={shown(self.hard)}; write True or False")
        # A distribution of totals doesn't say which dice were alike.
        if self.hard and not isinstance(self.dice, Dice):
            raise RulesError(f"{self._dice_text} has no hard way; roll dice such as 2d6")
        for bet, pay_table in self.bets.items():
            with inside("bets", bet):
                self._check_bet(bet, pay_table)
        by_roll = self.distinct_rolls * (1 + self.hard)
        pays = len(self.bets) * (len(self.totals) + (2 + by_roll) * len(self.points))
        afford(
            f"{pays:,} pays, one for each bet, point and roll,",
            seconds=pays * 2e-6,
            memory=pays * 150,
            instead="list fewer",
        )
        self.outcomes  # noqa: B018  every bet must have a pay for every event

    def _check_totals(self) -> None:
        """Refuse a total in two sets or off the dice, no point, or an out that is a point."""
        if self.out not in self.totals:
            raise RulesError(f"the out is {shown(self.out)}, but {self._dice_text} can't roll it")
        seen: dict[Hashable, str] = {}
        for name in ("naturals", "craps", "pushes", "rerolls"):
            for total in sorted(getattr(self, name), key=str):
                if total in seen:
                    raise RulesError(f"{total} is in both {seen[total]} and {name}; choose one")
                seen[total] = name
                if total not in self.totals:
                    raise RulesError(f"{shown(total)} in {name}: {self._dice_text} can't roll it")
        if not self.points:
            raise RulesError("every total is settled on the come-out; leave one or more for points")
        if self.out in self.points:
            raise RulesError(
                f"the out {self.out} is a point; put it in the naturals, the craps or the pushes"
            )

    def _check_bet(self, bet: str, pay_table: PayTable) -> None:
        """Refuse a payment for an event that can't happen."""
        if not isinstance(pay_table, PayTable):
            raise RulesError(f"the bet {shown(bet)} is {shown(pay_table)}; give a PayTable")
        # Without a limit some roll would come that has no pay.
        if pay_table.rolls and self.limit is None:
            raise RulesError(
                f"{bet} is paid by roll, for {pay_table.rolls} rolls, but rolls have no limit; "
                f"add limit = {pay_table.rolls}"
            )
        if self.limit is not None and pay_table.rolls > self.limit:
            raise RulesError(
                f"{bet} is paid for {pay_table.rolls} rolls, but there are {self.limit}; "
                f"list {self.limit}, or set limit = {pay_table.rolls}"
            )
        for event in pay_table.uneven_events:
            with inside(event):
                self._check_event(f"{bet} has a pay for {event}", event, getattr(pay_table, event))

    def _check_event(self, message: str, event: str, schedule: Any) -> None:
        """Refuse a payment for an event without totals, or on a total that is not among them."""
        totals = self.totals_by_event[event]
        if not totals:
            raise RulesError(f"{message}, but {_NEVER[event]}")
        for total in (t for key in (schedule if isinstance(schedule, Frozen) else ()) for t in key):
            if total not in totals:
                listed = ", ".join(map(str, sorted(totals, key=self.rank.__getitem__)))
                raise RulesError(
                    f"{message} on {shown(total)}, which can't happen; it can happen on {listed}"
                )

    @property
    def _dice_text(self) -> str:
        return str(self.dice) if isinstance(self.dice, Dice) else "what is rolled"


def _frozen_totals(name: str, totals: Iterable[Hashable]) -> frozenset[Hashable]:
    try:
        return frozenset(totals)
    except TypeError:
        raise RulesError(f"{name}={shown(totals)}; give some totals, such as [7, 11]") from None


# --- bets on a hand of several rounds -------------------------------------------------------------


def check_prizes(pays: Mapping[int, Number], stake: Fraction) -> None:
    """Refuse a prize that is no amount, or loses more than the stake."""
    with inside("pays"):
        for profit in pays.values():
            profit_and_risk(profit, stake)


@dataclass(frozen=True, init=False)
class PointsMade(Game):
    """A bet on the points that a shooter makes before the out.

    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> fire = PointsMade(craps, {4: 24, 5: 249, 6: 999}, bet="fire")
    >>> fire.step(0b000111, fire.dice.outcomes[-1]).label
    '3 points'

    What is rolled is a round. The state is the set of points made, as a bit mask, or their number.
    A round that ends in a natural, craps or the limit makes no point, nor does the easy way if
    the round's points must be made the hard way.

    Args:
        pays: the profit by number of points; other numbers lose. The highest number paid wins at
            once.
        different: whether each point counts only once.
        round_: the point game; its own bets don't matter.
        bet: the bet's name.
        stake: in money.

    Attributes:
        dice: the round, which is what this game rolls.
        side_of: the round, at whose come-out the bet is made.

    Raises:
        RulesError: no prize, a prize for an impossible number of points, or an amount that `pay`
            refuses.
    """

    pays: Mapping[int, Number]
    dice: PointGame
    different: bool
    bet: str
    stake: Fraction
    side_of: Game | None = field(repr=False)
    start = 0

    def __init__(
        self,
        round_: PointGame,
        pays: Mapping[int, Number],
        *,
        different: bool = True,
        bet: str = "points",
        stake: Number = 1,
    ) -> None:
        # Paid by point, so that each point is an event of its own.
        by_point = PayTable(point=dict.fromkeys(round_.points, 1))
        plain = replace(round_, bets={"pass": by_point}, names={}, side_of=None)
        set_fields(self, dice=plain, side_of=plain, pays=Frozen(pays))
        set_fields(self, different=different, bet=bet, stake=exact(stake))
        max_points = len(plain.points) if different else None
        for points in pays:
            is_count = type(points) is int and points >= 0
            if not is_count or (max_points is not None and points > max_points):
                allowed = "count from 0" if max_points is None else f"there are 0 to {max_points}"
                raise RulesError(f"a prize for {shown(points)} points; {allowed}")
        check_prizes(pays, self.stake)
        if not any(pays):
            raise RulesError("no prize for any point; pay for 1 or more, such as { 4 = 24 }")

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def points_in_order(self) -> list[Any]:
        """The points, in the order of the dice's totals."""
        return [total for total in self.dice.totals if total in self.dice.points]

    @cached_property
    def winning_points(self) -> int:
        """The number of points that wins before the out."""
        return len(self.points_in_order) if self.different else max(self.pays)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The outcomes, the most points first."""
        return tuple(self.outcome_of(n) for n in range(self.winning_points, -1, -1))

    @cached_property
    def _point_of_event(self) -> dict[str, int]:
        """The index of the point made, by the event that settles the round."""
        outcomes = (self.dice.outcome_of("point", point, 1) for point in self.points_in_order)
        return {outcome.pay("pass").event: i for i, outcome in enumerate(outcomes)}

    def step(self, points: int, roll: Outcome) -> Any:
        event = roll.pay("pass").event
        if event in self._point_of_event:
            points = points | 1 << self._point_of_event[event] if self.different else points + 1
        # A natural or craps ends a round, and the hand goes on.
        elif event == self._out_event:
            return self.outcome_of(self.count(points))
        if self.count(points) < self.winning_points:
            return points
        return self.outcome_of(self.winning_points)

    @cached_property
    def _out_event(self) -> str:
        """The event of the out, which is the same on every point."""
        return self.dice.outcome_of("out", self.points_in_order[0]).pay("pass").event

    def count(self, points: int) -> int:
        """The number of points made in a state."""
        return points.bit_count() if self.different else points

    def outcome_of(self, points: int) -> Outcome:
        """The outcome of a hand that made this many points."""
        profit = self.pays.get(points, -self.stake)
        more = " or more" if not self.different and points == self.winning_points else ""
        label = f"{points} point{'s' if points != 1 or more else ''}{more}"
        return settle(label, {self.bet: profit}, stake=self.stake)


@dataclass(frozen=True, init=False)
class RoundsWon(Game):
    """A bet on the rounds that a shooter wins before a losing streak.

    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> turn = RoundsWon(craps, 2, {3: 2, 5: 8}, bet="hot hand")
    >>> turn.step((1, 4), craps.outcomes[-1]).profit("hot hand")
    Fraction(2, 1)

    The states are (rounds lost in a row, rounds won).

    Args:
        round_: the round; its first bet tells who won, and a push counts as neither.
        losses: the number of losses in a row that ends the turn.
        pays: the profit by the least number of rounds won; fewer lose. The largest number wins at
            once.
        bet: the bet's name.
        stake: in money.

    Attributes:
        dice: the round, which is what this game rolls.

    Raises:
        RulesError: `losses` below 1, no prize, or an amount that `pay` refuses.
    """

    dice: PointGame
    losses: int
    pays: Mapping[int, Number]
    bet: str
    stake: Fraction
    start = (0, 0)
    coordinates = ("lost", "won")

    def __init__(
        self,
        round_: PointGame,
        losses: int,
        pays: Mapping[int, Number],
        *,
        bet: str = "turn",
        stake: Number = 1,
    ) -> None:
        set_fields(self, dice=round_, losses=losses, pays=Frozen(dict(sorted(pays.items()))))
        set_fields(self, bet=bet, stake=exact(stake))
        check_losses(losses)
        for won in pays:
            if type(won) is not int or won < 1:
                raise RulesError(f"a prize for {shown(won)} rounds won; pay for 1 or more")
        if not pays:
            raise RulesError("no prize for any round; pay for 1 or more, such as { 3 = 2 }")
        check_prizes(pays, self.stake)

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The outcomes, the most rounds first, then the loss."""
        return tuple(self.outcome_of(won) for won in (*reversed([*self.pays]), 0))

    def step(self, state: tuple[int, int], roll: Outcome) -> Any:
        lost, won = state
        profit = roll.pays[0][1].profit
        if profit > 0:
            return (0, won + 1) if won + 1 < max(self.pays) else self.outcome_of(won + 1)
        if profit == 0:
            return state
        return (lost + 1, won) if lost + 1 < self.losses else self.outcome_of(won)

    def outcome_of(self, won: int) -> Outcome:
        """The outcome of a turn in which this many rounds were won."""
        reached = [rounds for rounds in self.pays if rounds <= won]
        if not reached:
            label = f"fewer than {min(self.pays)} won"
            return settle(label, {self.bet: -self.stake}, stake=self.stake)
        prize = reached[-1]
        label = f"{prize} or more won"
        if unreached := [rounds for rounds in self.pays if rounds > won]:
            last = unreached[0] - 1
            label = f"{prize} won" if last == prize else f"{prize} to {last} won"
        return settle(label, {self.bet: self.pays[prize]}, stake=self.stake)
