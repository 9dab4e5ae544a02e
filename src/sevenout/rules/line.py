"""What a bet on a point game is paid: an amount for each event, by total, by point, by roll."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError
from sevenout.rules.game import Number, Pay, exact

Amount = Number | tuple[Number, Number]
"""A profit, or (profit, money at risk)."""

Schedule = Amount | Mapping[Any, Any]
"""One amount for every total; or amounts by total or group of totals, each of which may be a list
by the roll on which the point is made: `{(4, 10): [5, 4, 3], (5, 9): [4, 3, 2]}`."""


@dataclass(frozen=True)
class Line:
    """What one bet is paid, for each unit staked; the defaults are the pass line's even money.

    >>> dont_pass = Line(natural=-1, craps={(2, 3): 1, 12: 0}, point=-1, out=1)
    >>> dont_pass.pay("craps", "craps", 12)
    Pay(event='craps 12', profit=Fraction(0, 1), risk=Fraction(1, 1))

    Args:
        natural, craps, push: on the come-out.
        point: when the point is made; in the hard way, where the game asks for it.
        easy: when the point is made the easy way, where the game asks for the hard way.
        out: when the out comes before the point.
        late: when the limit on rolls is reached.
        stake: what is staked when the bet is made; amounts are multiplied by it.

    Raises:
        RulesError: a total that is paid twice, an amount that is not exact, money at risk below 0,
            or a stake that is not positive.
    """

    natural: Schedule = 1
    craps: Schedule = -1
    push: Schedule = 0
    point: Schedule = 1
    easy: Schedule = -1
    out: Schedule = -1
    late: Schedule = -1
    stake: Number = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            plain = exact(given) if field.name == "stake" else _schedule(given)
            object.__setattr__(self, field.name, plain)
        if exact(self.stake) <= 0:
            raise RulesError(f"stake={self.stake}; stake more than 0")

    def __hash__(self) -> int:
        return hash(self.stake)  # the order of a schedule's totals says nothing

    @property
    def rolls(self) -> int:
        """How many rolls for the point are paid amounts of their own; 0 if none is."""
        schedules = (self.point, self.easy)
        listed = [each for s in schedules for each in (s.values() if isinstance(s, dict) else [s])]
        return max(len(each) if isinstance(each, list) else 0 for each in listed)

    def pay(self, event: str, label: str, total: Hashable, roll: int = 0) -> Pay:
        """How the bet is settled.

        Args:
            event: the event: "natural", "craps", "push", "point", "easy", "out" or "late".
            label: the event in words.
            total: the total of the come-out, or the point.
            roll: which roll after the come-out it is.

        Raises:
            RulesError: the schedule has no amount for that total or that roll.
        """
        schedule = getattr(self, event)
        if isinstance(schedule, dict):
            group, schedule = _find(schedule, total, event)
            label = f"{label} {' or '.join(map(str, group))}"
        if isinstance(schedule, list):
            if not 0 < roll <= len(schedule):
                raise RulesError(
                    f"{event} pays {len(schedule)} amounts, for rolls 1 to {len(schedule)}; "
                    f"there is none for roll {roll}"
                )
            label, schedule = f"{label}, roll {roll}", schedule[roll - 1]
        profit, risk = schedule
        return Pay(label, profit * self.stake, risk * self.stake)


def group(key: Any) -> tuple[Hashable, ...]:
    """The totals that a key of a schedule stands for."""
    return tuple(key) if isinstance(key, tuple | frozenset) else (key,)


def _amount(given: Any) -> tuple[Fraction, Fraction]:
    if isinstance(given, tuple):
        if len(given) != 2:
            raise RulesError(f"{given!r} is not an amount; write profit or (profit, risk)")
        profit, risk = map(exact, given)
        if risk < 0:
            raise RulesError(f"the money at risk is {risk}; it is 0 or more")
        return profit, risk
    return exact(given), Fraction(1)


def _by_roll(given: Any) -> Any:
    if isinstance(given, Sequence) and not isinstance(given, str | tuple):
        return [_amount(each) for each in given]
    return _amount(given)


def _schedule(given: Any) -> Any:
    if not isinstance(given, Mapping):
        return _by_roll(given)
    schedule = {group(key): _by_roll(value) for key, value in given.items()}
    totals = [total for totals in schedule for total in totals]
    for total in totals:
        if totals.count(total) > 1:
            raise RulesError(f"{total} is paid twice; say once what it pays")
    return schedule


def _find(schedule: dict[tuple[Hashable, ...], Any], total: Hashable, event: str) -> Any:
    for totals, value in schedule.items():
        if total in totals:
            return totals, value
    listed: Iterable[Hashable] = (t for totals in schedule for t in totals)
    raise RulesError(f"{event} pays by {', '.join(map(str, listed))}; there is none for {total}")
