"""Bets on a list of rolls before a stop: All Tall Small, repeaters, doubles.

    small = Checklist(TOTALS, {2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, stop=7, pays=34)
    odd = Checklist(TOTALS, {3: 3, 5: 5, 9: 5, 11: 3}, stop=7, pays=17, first=True)

A state is an integer that encodes the ticked boxes in a mixed radix (a bit mask if each roll is
needed once).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import prod
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rolling import Rollable
from sevenout.rules.families.paytable import group, own_names
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.outcome import Outcome, settle

Ticks = tuple[int, ...]
A_STATE = 6e-5
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
        first: whether the first completed entry wins.
        names: labels of the outcomes in tables, such as {"complete": "all ten", "stop": "seven"},
            or by number of completed entries.
        alike: merge states in which equally likely entries needed equally often trade places.
            Distributions stay the same with far fewer states; but states no longer follow real
            rolls, so the dice are replaced by their distribution.
        side_of: as in `PointGame`; None if `alike`.

    Raises:
        RulesError: no entry, a roll in two entries, the stop in the list, a number of times below
            1, or a prize for an impossible number of entries.
    """

    dice: Rollable
    times: Mapping[tuple[Hashable, ...], int]
    stop: Hashable
    pays: Mapping[int, Number]
    first: bool
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
        first: bool = False,
        bet: str = "checklist",
        stake: Number = 1,
        names: Mapping[Any, str] | None = None,
        alike: bool = False,
        side_of: Game | None = None,
    ) -> None:
        put = object.__setattr__
        if not isinstance(times, Mapping):
            raise RulesError(
                f"times={shown(times)}; give the number of times that each roll must come up: "
                f"{{2: 1}}"
            )
        put(self, "dice", dice.law if alike else dice)
        put(self, "times", Frozen({group(key): n for key, n in times.items()}))
        put(self, "stop", stop)
        put(self, "first", first)
        put(self, "pays", Frozen(pays if isinstance(pays, Mapping) else {self.whole: pays}))
        put(self, "bet", bet)
        put(self, "stake", exact(stake))
        put(self, "names", own_names(names, ["complete", "stop", *self.pays]))
        put(self, "alike", alike)
        put(self, "side_of", None if alike else side_of)
        self._check()

    @property
    def whole(self) -> int:
        """The number of entries in a complete list."""
        return 1 if self.first else len(self.times)

    @cached_property
    def _columns(self) -> list["_Column"]:
        columns: dict[Any, list[tuple[Hashable, ...]]] = {}
        for rolls, times in self.times.items():
            likely = sum(self.dice.law[roll] for roll in rolls) if self.alike else rolls
            columns.setdefault((likely, times), []).append(rolls)
        made, unit = [], 1
        for (_, times), members in columns.items():
            made.append(_column(members, times, unit, self.first))
            unit *= made[-1].size
        return made

    @cached_property
    def _moves(self) -> dict[Hashable, tuple[int, int, list[int | None]]]:
        return {
            roll: (column.unit, column.size, moves)
            for column in self._columns
            for rolls, moves in zip(column.members, column.moves, strict=True)
            for roll in rolls
        }

    @cached_property
    def _full(self) -> int:
        return -1 if self.first else sum(c.unit * (c.size - 1) for c in self._columns)

    def step(self, state: int, roll: Any) -> Any:
        """Tick a box, stop the bet, or do nothing."""
        move = self._moves.get(roll)
        if move is None:
            return self._stopped(state) if roll == self.stop else state
        unit, size, moves = move
        ticked = moves[state // unit % size]
        if ticked is None:
            return self._won
        state += ticked
        return self._won if state == self._full else state

    def ticked(self, state: int) -> int:
        """The number of completed entries in a state."""
        return sum(c.complete[state // c.unit % c.size] for c in self._columns)

    def afford(self) -> None:
        """Refuse a list with too many states."""
        if not self.alike:
            states = prod(min(times, 10**9) + (not self.first) for times in self.times.values())
            afford(
                f"a checklist of {states:.3g} states",
                seconds=A_STATE * states,
                memory=400 * states,
                instead="ask for fewer rolls, or each less often",
            )

    def counts(self, state: int) -> Ticks:
        """How often each entry has come in a state.

        >>> from sevenout.rolling import d6
        >>> game = Checklist(d6, {2: 1, 6: 2}, stop=1, pays=9)
        >>> game.counts(3), game.state_of((1, 1)), game.said(3)
        ((1, 1), 3, 'ticked: 2, 6 (1 of 2)')
        """
        found: dict[tuple[Hashable, ...], int] = {}
        for column in self._columns:
            digit = column.values[state // column.unit % column.size]
            found |= zip(column.members, digit, strict=True)
        return tuple([found[rolls] for rolls in self.times])

    def state_of(self, counts: Ticks) -> int:
        """The state in which the entries have come this often."""
        came = dict(zip(self.times, counts, strict=True))
        return sum(
            column.unit * column.digits[tuple(sorted(came[rolls] for rolls in column.members))]
            for column in self._columns
        )

    def said(self, state: int) -> str:
        """The ticked entries in words."""
        done = [
            f"{self.named(rolls)} ({n} of {times})" if n < times else self.named(rolls)
            for (rolls, times), n in zip(self.times.items(), self.counts(state), strict=True)
            if n
        ]
        return f"ticked: {', '.join(done)}" if done else "nothing ticked"

    @staticmethod
    def named(rolls: tuple[Hashable, ...]) -> str:
        """An entry in words."""
        return " or ".join(map(str, rolls))

    @cached_property
    def ways_on(self) -> Sequence[int]:
        """Every number of ticked boxes at which the bet is still on."""
        most = sum(times - self.first for times in self.times.values()) + self.first
        return range(1, most)

    def stake_of(self, bet: str) -> Fraction:
        """The stake of the bet."""
        return self.stake

    def _stopped(self, state: int) -> Outcome:
        # Counting the entries is slow, and most bets pay only for the whole list.
        return self._ends[self.ticked(state) if self._partial else 0]

    @cached_property
    def _partial(self) -> bool:
        return not self.first and any(number < len(self.times) for number in self.pays)

    @property
    def _won(self) -> Outcome:
        return self._ends[-1]

    @cached_property
    def _ends(self) -> list[Outcome]:
        whole, own, stake = self.whole, self.names, self.stake
        lost = settle(own.get("stop", f"{self.stop} first"), {self.bet: -stake}, stake=stake)
        names = {n: own.get(n, f"{n} of {whole}") for n in range(whole)}
        names[whole] = own.get(whole, own.get("complete", "complete"))
        return [
            settle(names[n], {self.bet: self.pays[n]}, stake=stake) if n in self.pays else lost
            for n in names
        ]

    @property
    def bets(self) -> tuple[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The prizes in descending order, then the loss."""
        return tuple(dict.fromkeys(reversed(self._ends)))

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
                    raise RulesError(f"{roll} is in two entries; put it in one")
                if roll == self.stop:
                    raise RulesError(f"{roll} is both a stop and an entry; choose one")
                if roll not in self.dice.law:
                    raise RulesError(f"{roll} is an entry but can't be rolled")
                seen.add(roll)
        for number in self.pays:
            if not 0 <= number <= (whole := self.whole):
                with inside("pays"):
                    raise RulesError(f"a prize for {number} of {whole}; pay for 0 to {whole}")


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


def _column(members: list[tuple[Hashable, ...]], times: int, unit: int, first: bool) -> _Column:
    most = times - 1 if first else times
    values: list[Ticks] = list(combinations_with_replacement(range(most + 1), len(members)))
    index = {ticks: i for i, ticks in enumerate(values)}

    def move(ticks: Ticks, member: int) -> int | None:
        if ticks[member] == most:
            return None if first else 0
        after = (*ticks[:member], ticks[member] + 1, *ticks[member + 1 :])
        return (index[tuple(sorted(after))] - index[ticks]) * unit

    moves = [[move(ticks, member) for ticks in values] for member in range(len(members))]
    complete = [ticks.count(times) for ticks in values]
    return _Column(members, unit, len(values), moves, complete, values, index)
