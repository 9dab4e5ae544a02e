"""What a bet on a point game is paid: an amount for each event, by total, by point, by roll."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.outcome import Amount, Pay, amounts

Schedule = Amount | Mapping[Any, Any]
"""One amount for every total; or amounts by total or group of totals, each of which may be a list
by the roll on which the point is made: `{(4, 10): [5, 4, 3], (5, 9): [4, 3, 2]}`."""


EVEN = {"natural": 1, "craps": -1, "push": 0, "point": 1, "easy": -1, "out": -1, "late": -1}
"""What a stake of 1 wins in each event where nothing else is said."""

BY_ROLL = ("point", "easy")
"""The events that may be paid by the roll on which they come."""


class ByRoll(tuple[tuple[Fraction, Fraction], ...]):
    """Amounts by the roll for the point: the first is for the first roll."""

    __slots__ = ()


@dataclass(frozen=True)
class PayTable:
    """What one bet is paid, in money; what is not said is the pass line's even money.

    >>> dont_pass = PayTable(natural=-1, craps={(2, 3): 1, 12: 0}, point=-1, out=1)
    >>> dont_pass.pay("craps", "craps", 12).profit, PayTable(point=2, stake=5).point
    (Fraction(0, 1), (Fraction(2, 1), Fraction(5, 1)))

    Args:
        natural, craps, push: on the come-out.
        point: when the point is made; in the hard way, where the game asks for it.
        easy: when the point is made the easy way, where the game asks for the hard way.
        out: when the out comes before the point.
        late: when the limit on rolls is reached.
        stake: what is staked when the bet is made.

    Raises:
        RulesError: a total that is paid twice, an amount that is not exact, money at risk that is
            less than the stake, a loss of more than is at risk, pays by roll for what is no point,
            or a stake that is not positive.
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
            given = getattr(self, event)
            with inside(event):
                plain = _schedule(even * stake if given is None else given, stake, event)
            object.__setattr__(self, event, plain)

    @property
    def odd(self) -> list[str]:
        """The events in which the bet is not simply paid even money."""
        stake = exact(self.stake)
        return [e for e, even in EVEN.items() if getattr(self, e) != (even * stake, stake)]

    @property
    def rolls(self) -> int:
        """How many rolls for the point are paid amounts of their own; 0 if none is."""
        schedules = (self.point, self.easy)
        each = [v for s in schedules for v in (s.values() if isinstance(s, Frozen) else [s])]
        return max(len(v) if isinstance(v, ByRoll) else 0 for v in each)

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
        if isinstance(schedule, Frozen):
            group, schedule = _find(schedule, total, event)
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


def own_names(names: Any, events: Iterable[Any]) -> Mapping[Any, str]:
    """What an author calls some events, by the name that they have otherwise.

    Raises:
        RulesError: no such event, or a name that is no text.
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


def group(key: Any) -> tuple[Hashable, ...]:
    """The totals that a key of a schedule stands for."""
    return tuple(key) if isinstance(key, tuple | frozenset) else (key,)


def _by_roll(given: Any, stake: Fraction, event: str) -> Any:
    if isinstance(given, list | ByRoll):
        if event not in BY_ROLL:
            raise RulesError(f"{event} is paid by roll; only {' and '.join(BY_ROLL)} may be")
        if not given:
            raise RulesError(f"{event} pays nothing for any roll; list one amount or more")
        return ByRoll(amounts(each, stake) for each in given)
    return amounts(given, stake)


def _schedule(given: Any, stake: Fraction, event: str) -> Any:
    if not isinstance(given, Mapping):
        return _by_roll(given, stake, event)
    if not given:
        raise RulesError(f"{event} pays nothing for any total; give one amount or more")
    schedule = {group(key): _by_roll(value, stake, event) for key, value in given.items()}
    seen: set[Hashable] = set()
    for total in (total for totals in schedule for total in totals):
        if total in seen:
            raise RulesError(f"{total} is paid twice; give its pay once")
        seen.add(total)
    return Frozen(schedule)


def _find(schedule: Mapping[tuple[Hashable, ...], Any], total: Hashable, event: str) -> Any:
    for totals, value in schedule.items():
        if total in totals:
            return totals, value
    listed: Iterable[Hashable] = (t for totals in schedule for t in totals)
    raise RulesError(f"{event} pays by {', '.join(map(str, listed))}; the total {total} is missing")
