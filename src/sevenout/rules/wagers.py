"""Bets on single rolls and on lists of rolls.

    place_six = Wager(TOTALS, {6: "7/6", 7: -1}, bet="place")       # rolls until a 6 or a 7
    field = Wager.one_roll(TOTALS, {(3, 4, 9, 10, 11): 1, (2, 12): 2}, bet="field")
    small = Checklist(TOTALS, {2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, stop=7, pays=34)
    odd = Checklist(TOTALS, {3: 3, 5: 5, 9: 5, 11: 3}, stop=7, pays=17, first_wins=True)

A `Wager` is settled by the first deciding roll. A `Checklist` collects rolls before a stop: All
Tall Small, repeaters, doubles. Its state is an integer that encodes the ticked boxes in a mixed
radix (a bit mask if each roll is needed once). Both read a roll as one of several events, which
have names: 7, "hard 8", "easy 8", "6-6", "doubles".
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import prod
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.documents.words import word_list
from sevenout.errors import NotationError, RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rolling import Dice, Roll, Rollable
from sevenout.rules.game import Frozen, Game, set_fields
from sevenout.rules.outcome import Amount, Outcome, Pay, profit_and_risk, settle
from sevenout.rules.pay_tables import event_names, rolls_in_key

# --- events of a roll in words --------------------------------------------------------------------

RollEvent = int | str
"""A total, or the faces in words."""

NO_EVENT = "no event"
"""The reading of a roll that is none of the events."""

EQUAL_FACES = {2: "doubles", 3: "triples"}
"""The name of equal faces, by number of dice."""

# Eighteen digits always fit the 64 bits of an integer in TOML.
_TOTAL = re.compile(r"-?\d{1,18}", re.ASCII)
_WAY = re.compile(r"(?P<way>hard|easy) (?P<total>-?\d{1,18})", re.ASCII)
_FACES = re.compile(r"\d{1,18}(?:-\d{1,18})+", re.ASCII)


def parse_event(text: str) -> RollEvent:
    """The event that a text names, in its canonical spelling.

    >>> parse_event("7"), parse_event("hard  8"), parse_event("2-1")
    (7, 'hard 8', '1-2')

    Raises:
        NotationError: the text names no event.
    """
    plain = " ".join(text.split())
    if _TOTAL.fullmatch(plain):
        return int(plain)
    if way := _WAY.fullmatch(plain):
        return f"{way['way']} {int(way['total'])}"
    if _FACES.fullmatch(plain):
        return "-".join(map(str, sorted(map(int, plain.split("-")))))
    if plain in EQUAL_FACES.values():
        return plain
    raise NotationError(
        f'{shown(text)} is not an event; write 7, "hard 8", "easy 8", "6-6", "doubles"'
    )


def event_reading(dice: Dice, events: Iterable[RollEvent]) -> Rollable:
    """Dice read as one of several events, or as totals.

    >>> from sevenout.rolling import parse_dice
    >>> event_reading(parse_dice("2d6"), ["hard 8", "easy 8", 7]).law["hard 8"]
    Fraction(1, 36)

    Raises:
        RulesError: a roll that is two of the events, or doubles of other than two dice.
        TooMuchWorkError: too many dice to look at each roll.
    """
    events = tuple(events)
    # Totals alone need no look at every roll: ten dice have 60 million rolls, 51 totals.
    if all(type(event) is int for event in events):
        return dice.totals
    for event in events:
        count = next((n for n, word in EQUAL_FACES.items() if word == event), len(dice))
        if count != len(dice):
            raise RulesError(f"{event} need {count} dice, but {len(dice)} are rolled")
    rolls = dice.law
    afford(
        f"{len(events):,} events in {len(rolls):,} rolls", seconds=1e-6 * len(events) * len(rolls)
    )
    for roll in rolls:
        fits = [event for event in events if is_event(event, roll)]
        if len(fits) > 1:
            seen = "-".join(map(str, roll.faces))
            raise RulesError(f"{seen} is both {fits[0]} and {fits[1]}; put each roll in one event")
    return dice.read(Events(events))


@dataclass(frozen=True)
class Events:
    """A reading of a roll as one of some events."""

    events: tuple[RollEvent, ...]

    def __call__(self, roll: Roll) -> RollEvent:
        """The event."""
        return next((event for event in self.events if is_event(event, roll)), NO_EVENT)


def is_event(event: RollEvent, roll: Roll) -> bool:
    """Whether a roll is an event.

    >>> from sevenout.rolling import dice
    >>> is_event("doubles", dice("2d6").roll([4, 4])), is_event("1-2", dice("2d6").roll([2, 1]))
    (True, True)
    """
    if not isinstance(event, str):
        return bool(roll.total == event)
    if way := _WAY.fullmatch(event):
        return bool(roll.total == int(way["total"])) and roll.hard == (way["way"] == "hard")
    if event in EQUAL_FACES.values():
        return len(set(roll.faces)) == 1
    # As texts, since a die may show letters.
    return sorted(map(str, roll.faces)) == sorted(event.split("-"))


# --- bets until a deciding roll -------------------------------------------------------------------

ROLLING = "rolling"
REST = "rest"
"""The event of no deciding roll."""


class Part(NamedTuple):
    """One of several bets made together on one roll.

    >>> Part(2, {12: 30}).rest
    -1

    Attributes:
        pays: the profit per unit of it, by roll or group of rolls.
        rest: the profit per unit on any other roll: -1 loses it, 0 leaves it standing.
        stake: in money.
    """

    stake: Number
    pays: Mapping[Any, Number]
    rest: Number = -1


@dataclass(frozen=True, init=False)
class Wager(Game):
    """A bet until a deciding roll; lost at the limit, if any.

    >>> from sevenout.rolling import parse_dice
    >>> place = Wager(parse_dice("2d6").totals, {6: "7/6", 7: -1}, bet="place")
    >>> place.step("rolling", 8), place.step("rolling", 6).profit("place")
    ('rolling', Fraction(7, 6))

    Args:
        dice: what is rolled, read as the bet's rules need it.
        pays: the profit, or (profit, money at risk), by roll or group of rolls; other rolls decide
            nothing.
        limit: the number of rolls allowed; None for no limit.
        late: the profit when the limit is reached; the stake is lost by default.
        names: the names of events in tables, by the key of `pays`, or "rest" for any other roll.
        side_of: the game at whose come-out it is made, as in `PointGame`.

    The one state is "rolling"; with a limit above 1, the number of rolls left.

    Raises:
        RulesError: a roll that is paid twice or that the dice can't show, no roll paid, a limit
            below 1, `late` without a limit, or an amount that `pay` refuses.
    """

    dice: Rollable
    pays: Mapping[tuple[Hashable, ...], tuple[Fraction, Fraction]]
    limit: int | None
    late: tuple[Fraction, Fraction] | None
    bet: str
    stake: Fraction
    names: Mapping[Any, str]
    side_of: Game | None = field(default=None, repr=False)

    def __init__(
        self,
        dice: Rollable,
        pays: Mapping[Any, Amount],
        *,
        limit: int | None = None,
        late: Amount | None = None,
        bet: str = "bet",
        stake: Number = 1,
        names: Mapping[Any, str] | None = None,
        side_of: Game | None = None,
    ) -> None:
        set_fields(self, dice=dice, side_of=side_of, bet=bet, stake=exact(stake), limit=limit)
        if not isinstance(dice, Rollable):
            raise RulesError(f"dice={shown(dice)} can't be rolled; write sevenout.dice('2d6')")
        if not isinstance(pays, Mapping):
            raise RulesError(f"pays={shown(pays)}; give amounts by roll, such as {{7: 4}}")
        if limit is not None and not (type(limit) is int and limit >= 1):
            raise RulesError(f"limit={shown(limit)}; allow 1 or more rolls, or None for no limit")
        # Without a limit no roll is the last.
        if limit is None and late is not None:
            raise RulesError(f"late={shown(late)} can never be paid; give a limit on rolls too")
        given_names = event_names(names, [*pays, *([] if limit is None else [REST])])
        set_fields(self, pays=Frozen(self._checked_pays(pays)))
        rest = -self.stake if late is None else late
        with inside(REST):
            late_pay = None if limit is None else profit_and_risk(rest, self.stake)
        set_fields(self, late=late_pay)
        own_names = {
            REST if key == REST else rolls_in_key(key): name for key, name in given_names.items()
        }
        # Usual names are dropped, so that equal bets are equal however they were written.
        unusual_names = {k: n for k, n in own_names.items() if n != self.default_name(k)}
        set_fields(self, names=Frozen(unusual_names))

    def _checked_pays(
        self, pays: Mapping[Any, Amount]
    ) -> dict[tuple[Hashable, ...], tuple[Fraction, Fraction]]:
        """The profit and the risk of each group of rolls; no roll may be paid twice."""
        groups: dict[tuple[Hashable, ...], tuple[Fraction, Fraction]] = {}
        seen: set[Hashable] = set()
        for key, amount in pays.items():
            rolls = rolls_in_key(key)
            if not rolls:
                raise RulesError("no rolls are paid an amount; name one or more for each amount")
            with inside("pays"):
                groups[rolls] = profit_and_risk(amount, self.stake)
            for roll in rolls:
                if roll in seen:
                    raise RulesError(f"{roll} is paid twice; give its pay once")
                if roll not in self.dice.law:
                    few = ", ".join(map(str, [r for r in self.dice.law if r != NO_EVENT][:24]))
                    listed = f"; the rolls are: {few}" if few else ", so nothing decides the bet"
                    raise RulesError(f"{shown(roll)} can't be rolled{listed}")
                seen.add(roll)
        return groups

    def default_name(self, key: Any) -> str:
        """The default name of some rolls, or of any other roll."""
        return rest_name(self.limit) if key == REST else word_list(key, "or")

    @classmethod
    def one_roll(
        cls,
        dice: Rollable,
        pays: Mapping[Any, Amount],
        rest: Amount | None = None,
        *,
        bet: str = "bet",
        stake: Number = 1,
        names: Mapping[Any, str] | None = None,
    ) -> "Wager":
        """A bet on the next roll; rolls not in `pays` pay `rest`, or lose.

        >>> from sevenout.rolling import parse_dice
        >>> yo = Wager.one_roll(parse_dice("2d6").totals, {11: 15}, bet="yo")
        >>> yo.step(yo.start, 4).profit("yo")
        Fraction(-1, 1)
        """
        return cls(dice, pays, limit=1, late=rest, bet=bet, stake=stake, names=names)

    @classmethod
    def of_parts(cls, dice: Rollable, *parts: Part, bet: str = "bet") -> "Wager":
        """Several bets on the next roll as one bet.

        >>> from sevenout.rolling import parse_dice
        >>> c_and_e = [Part(1, {(2, 3, 12): 7}), Part(1, {11: 15})]
        >>> bet = Wager.of_parts(parse_dice("2d6").totals, *c_and_e, bet="C&E")
        >>> bet.stake, bet.step(bet.start, 11).profit("C&E")
        (Fraction(2, 1), Fraction(14, 1))
        """
        net: dict[Fraction, list[Hashable]] = {}
        for roll in dice.law:
            # Parts win and lose on the same roll, so only their sum is paid.
            profit = sum((_part_profit(part, roll) for part in parts), Fraction(0))
            net.setdefault(profit, []).append(roll)
        pays = {tuple(rolls): profit for profit, rolls in net.items()}
        stake = sum((exact(part.stake) for part in parts), Fraction(0))
        return cls.one_roll(dice, pays, bet=bet, stake=stake)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The state when the bet is made."""
        # With one roll there is nothing to count.
        return ROLLING if self.limit in (None, 1) else self.limit

    @property
    def bets(self) -> tuple[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The deciding events in order, then the limit."""
        at_limit = [self.rest_outcome] if self.rest_outcome else []
        return tuple(dict.fromkeys([*self.outcome_by_roll.values(), *at_limit]))

    @cached_property
    def outcome_by_roll(self) -> dict[Hashable, Outcome]:
        """The outcome of each deciding roll."""
        outcomes = {rolls: self.outcome_of(rolls, amount) for rolls, amount in self.pays.items()}
        return {roll: outcome for rolls, outcome in outcomes.items() for roll in rolls}

    @cached_property
    def rest_outcome(self) -> Outcome | None:
        """The outcome at the limit; None without one."""
        return None if self.late is None else self.outcome_of(REST, self.late)

    def outcome_of(self, key: Any, profit_risk: tuple[Fraction, Fraction]) -> Outcome:
        """The outcome of some rolls, or of any other roll."""
        label = self.names.get(key, self.default_name(key))
        return Outcome(label, ((self.bet, Pay(label, *profit_risk, self.stake)),))

    def check_size(self) -> None:
        """Refuse a limit with too many states."""
        rolls = self.limit or 1
        afford(
            f"a bet of {rolls:,} rolls",
            seconds=6e-5 * rolls,
            memory=400 * rolls,
            instead="set a lower limit",
        )

    def step(self, state: Any, roll: Any) -> Any:
        """One roll, which may decide the bet."""
        outcome = self.outcome_by_roll.get(roll)
        if outcome is not None:
            return outcome
        if self.limit is None:
            return state
        return self.rest_outcome if state in (ROLLING, 1) else state - 1


def _part_profit(part: Part, roll: Hashable) -> Fraction:
    for key, amount in part.pays.items():
        if roll in rolls_in_key(key):
            return exact(part.stake) * exact(amount)
    return exact(part.stake) * exact(part.rest)


def rest_name(limit: int | None) -> str:
    """The name of the event of no deciding roll.

    >>> rest_name(1), rest_name(24)
    ('any other', 'not in 24 rolls')
    """
    return "any other" if limit == 1 else f"not in {limit} rolls"


# --- bets on a list of rolls ----------------------------------------------------------------------

Ticks = tuple[int, ...]
SECONDS_PER_STATE = 6e-5
"""Seconds to explore and solve a state."""


@dataclass(frozen=True, init=False)
class Checklist(Game):
    """A list of rolls, each needed a number of times before the stop.

    >>> from sevenout.rolling import parse_dice
    >>> totals = parse_dice("2d6").totals
    >>> snake_eyes_twice = Checklist(totals, {2: 2}, stop=7, pays=40)
    >>> snake_eyes_twice.step(0, 2), snake_eyes_twice.step(1, 2).profit("checklist")
    (1, Fraction(40, 1))

    Args:
        times: how often each roll, or any of a group of rolls, must come.
        stop: the roll that ends the bet.
        pays: the profit for the whole list; or profits by number of completed entries, where other
            numbers lose.
        first_wins: whether the first completed entry wins.
        names: labels of the outcomes in tables, such as {"complete": "all ten", "stop": "seven"},
            or by number of completed entries.
        alike: merge states in which equally likely entries needed equally often trade places.
            Distributions stay the same with far fewer states; but states no longer follow real
            rolls, so the dice are replaced by their distribution.
        side_of: as in `PointGame`; None if `alike`.
        stake: in money.

    Raises:
        RulesError: no entry, a roll in two entries, the stop in the list, a number of times below
            1, or a prize for an impossible number of entries.
    """

    dice: Rollable
    times: Mapping[tuple[Hashable, ...], int]
    stop: Hashable
    pays: Mapping[int, Number]
    first_wins: bool
    bet: str
    stake: Fraction
    names: Mapping[Any, str]
    alike: bool
    side_of: Game | None = field(default=None, repr=False)
    start = 0

    def __init__(
        self,
        dice: Rollable,
        times: Mapping[Any, int],
        stop: Hashable,
        pays: Number | Mapping[int, Number],
        *,
        first_wins: bool = False,
        bet: str = "checklist",
        stake: Number = 1,
        names: Mapping[Any, str] | None = None,
        alike: bool = False,
        side_of: Game | None = None,
    ) -> None:
        if not isinstance(times, Mapping):
            raise RulesError(
                f"times={shown(times)}; give the number of times that each roll must come up: "
                f"{{2: 1}}"
            )
        set_fields(
            self,
            dice=dice.law if alike else dice,
            times=Frozen({rolls_in_key(key): n for key, n in times.items()}),
            stop=stop,
            first_wins=first_wins,
            bet=bet,
            alike=alike,
            side_of=None if alike else side_of,
        )
        pays = pays if isinstance(pays, Mapping) else {self.full_count: pays}
        set_fields(self, pays=Frozen(pays), stake=exact(stake))
        set_fields(self, names=event_names(names, ["complete", "stop", *self.pays]))
        self._check()

    @property
    def full_count(self) -> int:
        """The number of entries in a complete list."""
        return 1 if self.first_wins else len(self.times)

    @cached_property
    def _columns(self) -> list["_Column"]:
        """The digits of a state: entries that may trade places share one."""
        members_by_column: dict[Any, list[tuple[Hashable, ...]]] = {}
        for rolls, times in self.times.items():
            # Without merging, the rolls themselves keep every entry in a column of its own.
            alike = sum(self.dice.law[roll] for roll in rolls) if self.alike else rolls
            members_by_column.setdefault((alike, times), []).append(rolls)
        columns, unit = [], 1
        for (_, times), members in members_by_column.items():
            columns.append(_column(members, times, unit, self.first_wins))
            unit *= columns[-1].size
        return columns

    @cached_property
    def _moves(self) -> dict[Hashable, tuple[int, int, list[int | None]]]:
        """The unit and the size of each roll's digit, and its moves by the digit's value."""
        by_roll: dict[Hashable, tuple[int, int, list[int | None]]] = {}
        for column in self._columns:
            for rolls, moves in zip(column.members, column.moves, strict=True):
                by_roll |= dict.fromkeys(rolls, (column.unit, column.size, moves))
        return by_roll

    @cached_property
    def _full_state(self) -> int:
        # With `first_wins` no state is full: the first full entry has won.
        return -1 if self.first_wins else sum(c.unit * (c.size - 1) for c in self._columns)

    def step(self, state: int, roll: Any) -> Any:
        """Tick a box, stop the bet, or do nothing."""
        move = self._moves.get(roll)
        if move is None:
            return self._stop_outcome(state) if roll == self.stop else state
        unit, size, moves = move
        ticked = moves[state // unit % size]
        # None in the table of moves: this tick wins.
        if ticked is None:
            return self.winning_outcome
        state += ticked
        return self.winning_outcome if state == self._full_state else state

    def completed_entries(self, state: int) -> int:
        """The number of completed entries in a state."""
        return sum(c.complete[state // c.unit % c.size] for c in self._columns)

    def check_size(self) -> None:
        """Refuse a list with too many states."""
        if not self.alike:
            # The estimate is printed, so it stays a finite number.
            states = prod(
                min(times, 10**9) + (not self.first_wins) for times in self.times.values()
            )
            afford(
                f"a checklist of {states:.3g} states",
                seconds=SECONDS_PER_STATE * states,
                memory=400 * states,
                instead="ask for fewer rolls, or each less often",
            )

    def tick_counts(self, state: int) -> Ticks:
        """How often each entry has come in a state.

        >>> from sevenout.rolling import d6
        >>> game = Checklist(d6, {2: 1, 6: 2}, stop=1, pays=9)
        >>> game.tick_counts(3), game.state_of((1, 1)), game.state_in_words(3)
        ((1, 1), 3, 'ticked: 2, 6 (1 of 2)')
        """
        count_by_rolls: dict[tuple[Hashable, ...], int] = {}
        for column in self._columns:
            digit = column.values[state // column.unit % column.size]
            count_by_rolls |= zip(column.members, digit, strict=True)
        return tuple([count_by_rolls[rolls] for rolls in self.times])

    def state_of(self, counts: Ticks) -> int:
        """The state in which the entries have come this often."""
        count_by_rolls = dict(zip(self.times, counts, strict=True))
        return sum(
            column.unit * column.digits[tuple(sorted(count_by_rolls[r] for r in column.members))]
            for column in self._columns
        )

    def state_in_words(self, state: int) -> str:
        """The ticked entries in words."""
        ticked = [
            f"{self.entry_name(rolls)} ({n} of {times})" if n < times else self.entry_name(rolls)
            for (rolls, times), n in zip(self.times.items(), self.tick_counts(state), strict=True)
            if n
        ]
        return f"ticked: {', '.join(ticked)}" if ticked else "nothing ticked"

    @staticmethod
    def entry_name(rolls: tuple[Hashable, ...]) -> str:
        """An entry in words."""
        return " or ".join(map(str, rolls))

    @cached_property
    def offer_keys(self) -> Sequence[int]:
        """The numbers of ticked boxes at which the bet is still on, and so an offer can be made."""
        # The tick after the last of these wins.
        full = sum(times - self.first_wins for times in self.times.values()) + self.first_wins
        return range(1, full)

    def stake_of(self, bet: str) -> Fraction:
        """The stake of the bet."""
        return self.stake

    def _stop_outcome(self, state: int) -> Outcome:
        # Counting the entries is slow, and most bets pay only for the whole list.
        return self.outcomes_by_entries[self.completed_entries(state) if self.pays_part else 0]

    @cached_property
    def pays_part(self) -> bool:
        """Whether a list that is not complete may win."""
        return not self.first_wins and any(number < len(self.times) for number in self.pays)

    @property
    def winning_outcome(self) -> Outcome:
        """The outcome of the whole list, or of the first entry with `first_wins`."""
        return self.outcomes_by_entries[-1]

    @cached_property
    def outcomes_by_entries(self) -> list[Outcome]:
        """The outcome by number of completed entries; without a prize, the loss."""
        full, names, stake = self.full_count, self.names, self.stake
        lost = settle(names.get("stop", f"{self.stop} first"), {self.bet: -stake}, stake=stake)
        labels = [names.get(n, f"{n} of {full}") for n in range(full)]
        labels.append(names.get(full, names.get("complete", "complete")))
        return [
            settle(label, {self.bet: self.pays[n]}, stake=stake) if n in self.pays else lost
            for n, label in enumerate(labels)
        ]

    @property
    def bets(self) -> tuple[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The prizes in descending order, then the loss."""
        return tuple(dict.fromkeys(reversed(self.outcomes_by_entries)))

    def _check(self) -> None:
        if not self.times:
            raise RulesError("the checklist is empty; name one roll or more")
        if self.stop not in self.dice.law:
            raise RulesError(f"the stop is {self.stop}, which can't be rolled")
        seen: set[Hashable] = set()
        for rolls, times in self.times.items():
            if type(times) is not int or times < 1:
                raise RulesError(
                    f"{shown(rolls[0])} wanted {shown(times)} times; ask for 1 or more"
                )
            for roll in rolls:
                if roll in seen:
                    raise RulesError(f"{shown(roll)} is in two entries; put it in one")
                if roll == self.stop:
                    raise RulesError(f"{shown(roll)} is both a stop and an entry; choose one")
                if roll not in self.dice.law:
                    raise RulesError(f"{shown(roll)} is an entry but can't be rolled")
                seen.add(roll)
        for number in self.pays:
            if not 0 <= number <= (full := self.full_count):
                with inside("pays"):
                    raise RulesError(f"a prize for {number} of {full}; pay for 0 to {full}")


class _Column(NamedTuple):
    """One digit of the state: entries that may trade places.

    Attributes:
        members: the rolls of each entry.
        unit: the digit's place value.
        size: the digit's radix.
        moves: for each member and value, the increase of the state; None wins.
        complete: for each value, the number of completed entries.
        values: how often each entry has come, by value; ascending if they may trade places.
        digits: the inverse of `values`.
    """

    members: list[tuple[Hashable, ...]]
    unit: int
    size: int
    moves: list[list[int | None]]
    complete: list[int]
    values: list[Ticks]
    digits: dict[Ticks, int]


def _column(
    members: list[tuple[Hashable, ...]], times: int, unit: int, first_wins: bool
) -> _Column:
    """The digit of some entries, with its moves."""
    max_ticks = times - 1 if first_wins else times
    values: list[Ticks] = list(combinations_with_replacement(range(max_ticks + 1), len(members)))
    index = {ticks: i for i, ticks in enumerate(values)}

    def move(ticks: Ticks, member: int) -> int | None:
        # One more tick wins if the first full entry does, and else changes nothing.
        if ticks[member] == max_ticks:
            return None if first_wins else 0
        ticked = (*ticks[:member], ticks[member] + 1, *ticks[member + 1 :])
        return (index[tuple(sorted(ticked))] - index[ticks]) * unit

    moves = [[move(ticks, member) for ticks in values] for member in range(len(members))]
    complete = [ticks.count(times) for ticks in values]
    return _Column(members, unit, len(values), moves, complete, values, index)
