"""Payments of a bet by event, total and roll: `PayTable` and its schedules."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rules.game import Frozen
from sevenout.rules.outcome import Amount, Pay, profit_and_risk

Schedule = Amount | Mapping[Any, Any]
"""One amount, or amounts by total or group of totals. An amount may be a list by the roll that
makes the point: `{(4, 10): [5, 4, 3], (5, 9): [4, 3, 2]}`.
"""


EVEN = {"natural": 1, "craps": -1, "push": 0, "point": 1, "easy": -1, "out": -1, "late": -1}
"""The default profit of a stake of 1 in each event."""

BY_ROLL = ("point", "easy")
"""The events that may be paid by roll."""


class ByRoll(tuple[tuple[Fraction, Fraction], ...]):
    """Amounts by the roll for the point, from the first roll on."""

    __slots__ = ()


@dataclass(frozen=True)
class PayTable:
    """The payments of one bet, in money; even money by default.

    >>> dont_pass = PayTable(natural=-1, craps={(2, 3): 1, 12: 0}, point=-1, out=1)
    >>> dont_pass.pay("craps", "craps", 12).profit, PayTable(point=2, stake=5).point
    (Fraction(0, 1), (Fraction(2, 1), Fraction(5, 1)))

    Args:
        natural, craps, push: on the come-out.
        point: when the point is made; the hard way, in a game that needs it.
        easy: when the point is made the easy way, in a game that needs the hard way.
        out: when the out comes before the point.
        late: when the limit on rolls is reached.

    Raises:
        RulesError: a total paid twice, an inexact amount, or a stake that is not positive. A risk
            below the stake, or a loss above the risk. Pays by roll for an event without a point.
    """

    natural: Schedule | None = None
    craps: Schedule | None = None
    push: Schedule | None = None
    point: Schedule | None = None
    easy: Schedule | None = None
    out: Schedule | None = None
    late: Schedule | None = None
    stake: Number = 1

    def __post_init__(self) -> None:
        stake = exact(self.stake)
        object.__setattr__(self, "stake", stake)
        for event, even in EVEN.items():
            schedule = getattr(self, event)
            with inside(event):
                schedule = even * stake if schedule is None else schedule
                # Amounts are checked once, here, and never again while games are played.
                object.__setattr__(self, event, _checked_schedule(schedule, stake, event))

    @property
    def uneven_events(self) -> list[str]:
        """The events that are not simply paid even money."""
        stake = exact(self.stake)
        even_money = {event: (even * stake, stake) for event, even in EVEN.items()}
        return [event for event, even in even_money.items() if getattr(self, event) != even]

    @property
    def rolls(self) -> int:
        """The number of rolls for the point with their own payments."""
        schedules = (self.point, self.easy)
        amounts = [v for s in schedules for v in (s.values() if isinstance(s, Frozen) else [s])]
        return max(len(v) if isinstance(v, ByRoll) else 0 for v in amounts)

    def pay(self, event: str, label: str, total: Hashable, roll: int = 0) -> Pay:
        """The payment in an event.

        Args:
            event: "natural", "craps", "push", "point", "easy", "out" or "late".
            label: the event in words.
            total: the total of the come-out, or the point.
            roll: the number of the roll after the come-out.

        Raises:
            RulesError: the schedule has no amount for that total or roll.
        """
        schedule = getattr(self, event)
        if isinstance(schedule, Frozen):
            group, schedule = _entry_for(schedule, total, event)
            # Totals that are paid alike share a row of the return table.
            label = f"{label} {' or '.join(map(str, group))}"
        if isinstance(schedule, ByRoll):
            if not 0 < roll <= len(schedule):
                raise RulesError(
                    f"{event} pays {len(schedule)} amounts, for rolls 1 to {len(schedule)}; the "
                    f"amount for roll {roll} is missing"
                )
            label, schedule = f"{label}, roll {roll}", schedule[roll - 1]
        profit, risk = schedule
        return Pay(label, profit, risk, exact(self.stake))


def event_names(names: Any, events: Iterable[Any]) -> Mapping[Any, str]:
    """The author's names of events, by their usual names.

    Raises:
        RulesError: no such event, or a name that is not text.
    """
    if names is not None and not isinstance(names, Mapping):
        raise RulesError(
            f"names={shown(names)}; give words by event, such as {{'point': 'chance'}}"
        )
    known = list(events)
    for event, name in (names or {}).items():
        if event not in known:
            raise RulesError(
                f"a name is given for {shown(event)}, which is not an event; the events are: "
                f"{', '.join(map(str, known))}"
            )
        if not isinstance(name, str) or not name.strip():
            raise RulesError(f"{event} is named {shown(name)}; name it in words")
    return Frozen(names or {})


def rolls_in_key(key: Any) -> tuple[Hashable, ...]:
    """The rolls or totals that a key names: one, or a tuple of several."""
    return tuple(key) if isinstance(key, tuple | frozenset) else (key,)


def _checked_amounts(value: Any, stake: Fraction, event: str) -> Any:
    """One checked amount, or those by roll."""
    if isinstance(value, list | ByRoll):
        # Only a point is made on a roll of its own; other events have one roll, or the last.
        if event not in BY_ROLL:
            raise RulesError(f"{event} is paid by roll; only {' and '.join(BY_ROLL)} may be")
        if not value:
            raise RulesError(f"{event} pays nothing for any roll; list one amount or more")
        return ByRoll(profit_and_risk(amount, stake) for amount in value)
    return profit_and_risk(value, stake)


def _checked_schedule(value: Any, stake: Fraction, event: str) -> Any:
    """A schedule with checked amounts, in which no total is paid twice."""
    if not isinstance(value, Mapping):
        return _checked_amounts(value, stake, event)
    if not value:
        raise RulesError(f"{event} pays nothing for any total; give one amount or more")
    schedule = {
        rolls_in_key(key): _checked_amounts(amount, stake, event) for key, amount in value.items()
    }
    seen: set[Hashable] = set()
    for total in (total for totals in schedule for total in totals):
        if total in seen:
            raise RulesError(f"{total} is paid twice; give its pay once")
        seen.add(total)
    return Frozen(schedule)


def _entry_for(schedule: Mapping[tuple[Hashable, ...], Any], total: Hashable, event: str) -> Any:
    """The group of totals that a total belongs to, and what it is paid."""
    for totals, value in schedule.items():
        if total in totals:
            return totals, value
    listed: Iterable[Hashable] = (t for totals in schedule for t in totals)
    raise RulesError(f"{event} pays by {', '.join(map(str, listed))}; the total {total} is missing")
