"""Bets settled by the first deciding roll.

place_six = Wager(TOTALS, {6: "7/6", 7: -1}, bet="place")       # rolls until a 6 or a 7
field = Wager.one_roll(TOTALS, {(3, 4, 9, 10, 11): 1, (2, 12): 2}, bet="field")
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rolling import Rollable
from sevenout.rules.families.events import NONE, event_words
from sevenout.rules.families.paytable import group, own_names
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.outcome import Amount, Outcome, Pay, amounts

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
        put = object.__setattr__
        put(self, "dice", dice)
        put(self, "side_of", side_of)
        put(self, "bet", bet)
        put(self, "stake", exact(stake))
        put(self, "limit", limit)
        if not isinstance(dice, Rollable):
            raise RulesError(f"dice={shown(dice)} can't be rolled; write sevenout.dice('2d6')")
        if not isinstance(pays, Mapping):
            raise RulesError(f"pays={shown(pays)}; give amounts by roll, such as {{7: 4}}")
        if limit is not None and not (type(limit) is int and limit >= 1):
            raise RulesError(f"limit={shown(limit)}; allow 1 or more rolls, or None for no limit")
        if limit is None and late is not None:
            raise RulesError(f"late={shown(late)} can never be paid; give a limit on rolls too")
        words = own_names(names, [*pays, *([] if limit is None else [REST])])
        known = list(dice.law)
        groups: dict[tuple[Hashable, ...], tuple[Fraction, Fraction]] = {}
        seen: set[Hashable] = set()
        for key, amount in pays.items():
            rolls = group(key)
            if not rolls:
                raise RulesError("no rolls are paid an amount; name one or more for each amount")
            with inside("pays"):
                groups[rolls] = amounts(amount, self.stake)
            for roll in rolls:
                if roll in seen:
                    raise RulesError(f"{roll} is paid twice; give its pay once")
                if roll not in dice.law:
                    few = ", ".join(map(str, [r for r in known if r != NONE][:24]))
                    there = f"; the rolls are: {few}" if few else ", so nothing decides the bet"
                    raise RulesError(f"{shown(roll)} can't be rolled{there}")
                seen.add(roll)
        put(self, "pays", Frozen(groups))
        rest = -self.stake if late is None else late
        with inside(REST):
            put(self, "late", None if limit is None else amounts(rest, self.stake))
        own = {REST if key == REST else group(key): name for key, name in words.items()}
        put(self, "names", Frozen({k: n for k, n in own.items() if n != self.usual(k)}))

    def usual(self, key: Any) -> str:
        """The default name of some rolls, or of any other roll."""
        return rest_words(self.limit) if key == REST else event_words(key)

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
            profit = sum((_profit(part, roll) for part in parts), Fraction(0))
            net.setdefault(profit, []).append(roll)
        pays = {tuple(rolls): profit for profit, rolls in net.items()}
        stake = sum((exact(part.stake) for part in parts), Fraction(0))
        return cls.one_roll(dice, pays, bet=bet, stake=stake)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The state when the bet is made."""
        return ROLLING if self.limit in (None, 1) else self.limit

    @property
    def bets(self) -> tuple[str]:  # type: ignore[override]
        return (self.bet,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The deciding events in order, then the limit."""
        rest = [self.rest] if self.rest else []
        return tuple(dict.fromkeys([*self._decided.values(), *rest]))

    @cached_property
    def _decided(self) -> dict[Hashable, Outcome]:
        settled = {rolls: self.settled(rolls, paid) for rolls, paid in self.pays.items()}
        return {roll: outcome for rolls, outcome in settled.items() for roll in rolls}

    @cached_property
    def rest(self) -> Outcome | None:
        """The outcome at the limit; None without one."""
        return None if self.late is None else self.settled(REST, self.late)

    def settled(self, key: Any, paid: tuple[Fraction, Fraction]) -> Outcome:
        """The outcome of some rolls, or of any other roll."""
        label = self.names.get(key, self.usual(key))
        return Outcome(label, ((self.bet, Pay(label, *paid, self.stake)),))

    def afford(self) -> None:
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
        settled = self._decided.get(roll)
        if settled is not None:
            return settled
        if self.limit is None:
            return state
        return self.rest if state in (ROLLING, 1) else state - 1


def _profit(part: Part, roll: Hashable) -> Fraction:
    for key, amount in part.pays.items():
        if roll in group(key):
            return exact(part.stake) * exact(amount)
    return exact(part.stake) * exact(part.rest)


def rest_words(limit: int | None) -> str:
    """The name of the event of no deciding roll.

    >>> rest_words(1), rest_words(24)
    ('any other', 'not in 24 rolls')
    """
    return "any other" if limit == 1 else f"not in {limit} rolls"
