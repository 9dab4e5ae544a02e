"""Strategy files: how someone bets, as TOML. A file is data; nothing in it is executed.

    format = 1
    name = "Come twice, press the six"

    [[bet]]                     # paid for in this order
    on = "pass"                 # at each come-out
    amount = 5
    odds = [3, 4, 5]            # times the bet, behind it; or on 4 and 10, 5 and 9, 6 and 8

    [[bet]]
    on = "come"                 # while there is a point,
    amount = 5
    below = 3                   # and fewer numbers than this are covered
    odds = 2

    [[bet]]
    on = "place 6"
    amount = 12
    when = "point"              # "come-out", "point", "always", or "shooter": once a shooter,
                                # before their first roll
    press = 6                   # after a win, of a bet that stays up, this much more; less,
                                # with -6; "all" that was won
    most = 30                   # but never more than this, or less than `least`
    limit = 4                   # after this many settled bets, none till the next shooter

    [[bet]]
    on = "don't pass"
    amount = 1
    ladder = [1, 2, 4, 8]       # times the amount: one step on after a loss, back after a win;
    win = "first"               # "first", "back", "on" or "stay", and the same for `loss`;
    loss = "on"                 # past the last step it is the first again

    [evening]                   # when the player leaves, if not said otherwise
    bankroll = 300
    hours = 4
    stop_loss = 150
    standing = "down"           # what stands then: "staked", taken "down", or played "out"

The schema is `strategy-schema.json` beside this file.

Strategies can also be typed: `pass:amount=5,odds=3-4-5` is one of the library with its options.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from pkgutil import get_data
from typing import Any

from sevenout.catalogue.bet_names import bet_named
from sevenout.catalogue.craps_family.craps_felt import options_of
from sevenout.catalogue.craps_family.side_bets import is_made_on_come_out, is_side_bet
from sevenout.catalogue.craps_family.spots import (
    BONUS,
    COME_BETS,
    DONT_BETS,
    LINE_BETS,
    original_bet,
    spot,
    told_apart,
)
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.craps_strategies import (
    LIKELIEST_FIRST,
    covered_numbers,
    odds_behind,
    odds_in_words,
)
from sevenout.documents.numbers import amount as digits
from sevenout.errors import NotationError, shown
from sevenout.files import MAX_HANDWRITTEN_BYTES, read_text, shown_path
from sevenout.numerals import int_if_whole
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import FeltRoll, Money
from sevenout.rules.gamefiles.filevalues import KeyKind, KeyPath, ValueReader, as_toml, keys_of
from sevenout.rules.gamefiles.gamekeys import TABLE_LISTS
from sevenout.textdata import toml_data

# Not by a path: in a browser the package is in an archive.
SCHEMA: dict[str, Any] = json.loads(
    get_data("sevenout.catalogue.strategies", "strategy-schema.json") or b""
)
DEFINED = SCHEMA["$defs"]
FORMAT, MOVES = DEFINED["format"]["const"], DEFINED["move"]["enum"]
MAX_BETS, MAX_STEPS = DEFINED["bets"]["maxItems"], DEFINED["ladder"]["maxItems"]
MIN_STAKE = Fraction(1, 10**6)


@dataclass(frozen=True)
class BetPlan:
    """A bet of a strategy file.

    Attributes:
        bet: as it is made.
        amount: the stake, in money.
        when: "come-out", "point", "always" or "shooter".
        odds: the multiple behind it, or three of them; 0 for none.
        covered_below: bet only while fewer numbers are covered; None for any number.
        press: money added after a win, or "all" that was won; 0 for none.
        highest: the limit of a pressed bet; None for none.
        lowest: the least that a pressed bet is lowered to.
        settled_limit: settled bets per shooter; None for any number.
        ladder: the steps, as multiples of the amount.
        after_win: the move on the ladder after a win, one of `MOVES`.
        after_loss: the move on the ladder after a loss.
    """

    bet: str
    amount: Money
    when: str
    odds: Any = 0
    covered_below: int | None = None
    press: Money | str = 0
    highest: Money | None = None
    lowest: Money = 0
    settled_limit: int | None = None
    ladder: tuple[Money, ...] = (1,)
    after_win: str = "first"
    after_loss: str = "on"

    def is_due(self, point: int | None) -> bool:
        """Whether the point allows the bet now."""
        if self.when == "shooter":
            return point is None
        return self.when == "always" or (self.when == "point") == (point is not None)

    def next_step(self, step: int, won: bool) -> int:
        """The step of the ladder after a win or loss."""
        steps = {"first": 0, "back": max(0, step - 1), "on": step + 1, "stay": step}
        next_step = steps[self.after_win if won else self.after_loss]
        return next_step if next_step < len(self.ladder) else 0


def stays_up(bet: str) -> bool:
    """Whether a bet is still on the felt after a win, and may be changed or taken down there.

    >>> stays_up("place 6"), stays_up("field")
    (True, False)
    """
    return spot(bet).kind in ("place", "buy", "lay", "big", "hard")


def _likeliest_first(bet: str) -> tuple[int, str]:
    return LIKELIEST_FIRST.index(spot(bet).number or 6), bet


@dataclass(frozen=True)
class FileStrategy(Strategy):
    """The strategy of a file.

    >>> bets = FileStrategy((BetPlan("pass", 5, "come-out", odds=2),))
    >>> bets.wants(TableView(None, {}, bets.memory))
    {'pass': 5}
    >>> bets.wants(TableView(6, {"pass": 5}, bets.memory))
    {'pass odds': 10}

    Args:
        plans: the bets of the file, in the order in which they are paid for.
    """

    plans: tuple[BetPlan, ...]

    @property
    def memory(self) -> Any:  # type: ignore[override]
        """For each bet, the ladder's step and the shooter's settled bets; or whether a shooter has
        rolled, for a bet made once per shooter.
        """
        return ((0, 0),) * len(self.plans)

    @property
    def sees_last(self) -> bool:  # type: ignore[override]
        """Whether a bet is pressed by what it won."""
        return any(plan.press for plan in self.plans)

    @property
    def mirrored(self) -> bool:  # type: ignore[override]
        """Whether no bet is on a specific number, or treats two equally likely ones differently."""
        return not any(spot(plan.bet).number or told_apart(plan.bet) for plan in self.plans)

    def remembers(self, table: TableView) -> Any:
        """The updated steps and counts."""
        last = table.last
        assert last is not None
        # Most rolls settle nothing, and this is the inner loop of evenings.
        if not last.paid and not last.out:
            return tuple(
                [
                    (step, 1 if plan.when == "shooter" else settled)
                    for plan, (step, settled) in zip(self.plans, table.memory, strict=True)
                ]
            )
        return tuple(
            _next_memory(plan, step, settled, last)
            for plan, (step, settled) in zip(self.plans, table.memory, strict=True)
        )

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets due, and odds behind those that stand."""
        bets: dict[str, Any] = {}
        standing: dict[str, list[str]] = {}
        for bet in table.bets:
            if not spot(bet).odds:
                standing.setdefault(original_bet(bet), []).append(bet)
        for plan, (step, settled) in zip(self.plans, table.memory, strict=True):
            names = standing.get(plan.bet, [])
            for name in sorted(names, key=_likeliest_first) if plan.odds else ():
                number = spot(name).number or table.point
                if number is not None:
                    bets |= odds_behind(table, name, number, plan.odds)
            if plan.bet in table.bets and stays_up(plan.bet):
                bets |= self._pressed(plan, step, settled, table)
            elif _is_made(plan, settled, names, table):
                amount = int_if_whole(plan.amount * plan.ladder[step])
                bets[plan.bet] = table.bets.get(plan.bet, amount)
        return bets

    def _pressed(
        self, plan: BetPlan, step: int, settled: int, table: TableView
    ) -> dict[str, Money]:
        """The change of a bet that stays up after a win, at whatever moment the win came."""
        standing = table.bets[plan.bet]
        if plan.settled_limit is not None and settled >= plan.settled_limit:
            return {plan.bet: 0}
        if len(plan.ladder) > 1:
            return {plan.bet: int_if_whole(plan.amount * plan.ladder[step])}
        won = (table.last.profit(plan.bet) or 0) if table.last else 0
        if won <= 0 or not plan.press:
            return {}
        added = won // plan.amount * plan.amount if isinstance(plan.press, str) else plan.press
        pressed = max(plan.lowest, standing + added)
        if plan.highest is not None:
            # A bet that stands above its limit already is left as it is.
            pressed = min(pressed, max(standing, plan.highest))
        return {plan.bet: int_if_whole(pressed)}

    def sentences(self) -> Iterable[str]:
        for plan in self.plans:
            yield from plan_in_words(plan)


def _next_memory(plan: BetPlan, step: int, settled: int, last: FeltRoll) -> tuple[int, int]:
    """The step and the count of a bet after a roll."""
    profits = [
        payment.profit
        for payment in last.paid
        if not spot(payment.bet).odds and original_bet(payment.bet) == plan.bet
    ]
    for profit in profits:
        # A push moves nothing.
        step = plan.next_step(step, profit > 0) if profit else step
    if last.out:
        return step, 0
    if plan.when == "shooter":
        return step, 1
    # Beyond the limit more would only add positions.
    return step, min(plan.settled_limit or 0, settled + len(profits))


def _is_made(plan: BetPlan, settled: int, names: Sequence[str], table: TableView) -> bool:
    """Whether a bet is made now; `names` are its bets that stand."""
    if not plan.is_due(table.point) or (plan.when == "shooter" and settled):
        return False
    # A bet that has moved stays as it is; only come bets are made again.
    if names and plan.bet not in (*table.bets, *COME_BETS):
        return False
    # Bets that stand will be settled too; the bet itself is not counted twice.
    pending = settled + len(names) - (plan.bet in table.bets)
    if plan.settled_limit is not None and pending >= plan.settled_limit:
        return False
    limit = plan.covered_below
    return limit is None or covered_numbers(table, LINE_BETS, COME_BETS) < limit


@dataclass(frozen=True)
class StrategyFile:
    """A strategy with its name and evening.

    Attributes:
        name: its name for people.
        strategy: how it bets.
        evening: options of `sevenout.evening`.
    """

    name: str
    strategy: Strategy
    evening: Mapping[str, Any]


def read_strategy(path: str | Path) -> StrategyFile:
    """The strategy in a file.

    Raises:
        FileError: the file can't be read.
        NotationError: it is not a strategy; the message says where and why.
    """
    return parse_strategy(read_text(path, MAX_HANDWRITTEN_BYTES), shown_path(path))


def parse_strategy(text: str, name: str = "strategy") -> StrategyFile:
    r"""A strategy from the text of a file.

    >>> parse_strategy('name = "Five"\n[[bet]]\non = "pass"\namount = 5').name
    'Five'

    Raises:
        NotationError: it is not a strategy; the message says where and why.
    """
    data = toml_data(text, name)
    if kind := next((key for key in TABLE_LISTS if key in data and "bet" not in data), None):
        raise NotationError(
            f"{name} is a game file: it has [[{kind}]]; an evening takes a strategy file, with "
            "[[bet]], and `sevenout evening` plays a bet of a game"
        )
    fields = StrategyReader(text, name).read(data)
    title = fields.get("name", Path(name).stem)
    return StrategyFile(title, FileStrategy(fields["bet"]), fields.get("evening", {}))


def _default_moment(bet: str) -> str:
    """When a bet is made if a file doesn't say it."""
    kind = spot(bet).kind
    if kind in COME_BETS:
        return "point"
    if kind in (*LINE_BETS, *BONUS) or (is_side_bet(bet) and is_made_on_come_out(bet)):
        return "come-out"
    return "always"


class StrategyReader(ValueReader):
    """Reads the tables of a strategy file; an error names the line."""

    @property
    def kinds(self) -> Mapping[str, KeyKind]:  # type: ignore[override]
        return KINDS

    def read(self, data: dict[str, Any]) -> dict[str, Any]:
        """The values of the file, by key."""
        return self.fields(keys_of(SCHEMA), {"bet": [], **data}, ())

    def format(self, value: Any, path: KeyPath) -> int:
        if type(value) is not int or value != FORMAT:
            self._fail(f"format = {as_toml(value)}; write format = {FORMAT}", path)
        return value

    def bets(self, value: Any, path: KeyPath) -> tuple[BetPlan, ...]:
        """The plans of the tables `[[bet]]`, of different bets."""
        if not isinstance(value, list) or not 0 < len(value) <= MAX_BETS:
            self._fail(f"a strategy has from 1 to {MAX_BETS} tables [[bet]]", path)
        plans = tuple(self._plan(bet, ("bet", i)) for i, bet in enumerate(value))
        names = [plan.bet for plan in plans]
        for i, bet in enumerate(names):
            if bet in names[:i]:
                self._contradiction(
                    f"two tables [[bet]] on {shown(bet)}; say all of it in one", ("bet", i)
                )
        return plans

    def _plan(self, value: Any, path: KeyPath) -> BetPlan:
        """The plan of one table `[[bet]]`, its keys checked against one another."""
        fields = self.fields(keys_of(DEFINED["bet"]), value, path)
        if fields.get("press") and not stays_up(fields["bet"]):
            self._contradiction(
                f"press: {fields['bet']} does not stay up after a win; write a ladder, such as "
                "ladder = [1, 2], win = 'on', loss = 'first'",
                (*path, "press"),
            )
        if fields.get("press") and len(fields.get("ladder", ())) > 1:
            self._contradiction("press and ladder both change the bet after a win; write one", path)
        if fields.get("when") == "shooter" and "settled_limit" in fields:
            self._contradiction('limit: a bet with when = "shooter" is made once a shooter', path)
        if "highest" in fields and fields["highest"] < fields["amount"]:
            most, amount = as_toml(value["most"]), as_toml(value["amount"])
            self._contradiction(
                f"most = {most}; give no less than the amount, {amount}", (*path, "most")
            )
        fields.setdefault("when", _default_moment(fields["bet"]))
        return BetPlan(**fields)

    def evening(self, value: Any, path: KeyPath) -> dict[str, Any]:
        return self.fields(keys_of(DEFINED["evening"]), value, path)

    def spot_name(self, value: Any, path: KeyPath) -> str:
        """The name of a bet as a player makes it."""
        if not isinstance(value, str):
            self._fail(f'on = {as_toml(value)}; name a bet, such as on = "pass"', path)
        bet = bet_named(value) or value
        # "come 6" is where a come bet has moved, not how it is made.
        if self.attempt(lambda: spot(bet).odds or original_bet(bet) != bet, path):
            self._contradiction(
                f"on = {as_toml(value)}; name the bet as it is made, with its odds", path
            )
        return bet

    def odds(self, value: Any, path: KeyPath) -> Any:
        if not isinstance(value, list):
            return self.money(value, path)
        if len(value) != 3:
            self._fail(f"odds = {as_toml(value)}; give one multiple, or three", path)
        return tuple(self.money(n, path) for n in value)

    def ladder(self, value: Any, path: KeyPath) -> tuple[Money, ...]:
        if not isinstance(value, list) or not 0 < len(value) <= MAX_STEPS:
            self._fail(f"ladder = {as_toml(value)}; give 1 to {MAX_STEPS} multiples", path)
        return tuple(self.stake(n, path) for n in value)

    def count(self, value: Any, path: KeyPath, maximum: int | None = None) -> int:
        if type(value) is not int or not 1 <= value <= (maximum or value):
            to = f" from 1 to {maximum}" if maximum else ", 1 or more"
            self._fail(f"{path[-1]} = {as_toml(value)}; give a whole number{to}", path)
        return value

    def press(self, value: Any, path: KeyPath) -> Money | str:
        return "all" if value == "all" else self.money(value, path, None)

    def money(self, value: Any, path: KeyPath, minimum: Money | None = 0) -> Money:
        amount = int_if_whole(self.number(value, path))
        if minimum is not None and amount < minimum:
            more = "more than 0" if minimum else "0 or more"
            self._contradiction(f"{path[-1]} = {as_toml(value)}; give {more}", path)
        return amount

    def stake(self, value: Any, path: KeyPath) -> Money:
        return self.money(value, path, MIN_STAKE)


KINDS = {
    "name": KeyKind(StrategyReader.short_text),
    "format": KeyKind(StrategyReader.format),
    "bets": KeyKind(StrategyReader.bets),
    "evening": KeyKind(StrategyReader.evening),
    "spot": KeyKind(StrategyReader.spot_name),
    "stake": KeyKind(StrategyReader.stake),
    "money": KeyKind(StrategyReader.money),
    "odds": KeyKind(StrategyReader.odds),
    "press": KeyKind(StrategyReader.press),
    "ladder": KeyKind(StrategyReader.ladder),
    "count": KeyKind(StrategyReader.count),
    "few": KeyKind(partial(StrategyReader.count, maximum=DEFINED["few"]["maximum"])),
    **{
        kind: KeyKind(partial(StrategyReader.one_of, words=tuple(DEFINED[kind]["enum"])))
        for kind in ("when", "move", "standing")
    },
}
"""How each kind of value of the schema is read."""


def schema() -> dict[str, Any]:
    """The JSON schema of strategy files.

    >>> sorted(schema()["properties"])
    ['bet', 'evening', 'format', 'name']
    """
    return deepcopy(SCHEMA)


# --- typed strategies -----------------------------------------------------------------------------

DEFAULT_ENDS = {"bankroll": "100", "hours": "4"}
"""The default bankroll and hours of an evening."""


def strategy_of(text: str) -> StrategyFile:
    """A strategy of the library, with options after a colon.

    >>> strategy_of("pass:amount=5,odds=2").name
    'Pass line (amount 5, odds 2)'

    Raises:
        SevenoutError: no such strategy or option.
    """
    name, _, options = text.partition(":")
    in_words = options.replace(",", ", ").replace("=", " ").replace("_", " ")
    title = strategies.entry(name).title + (f" ({in_words})" if options else "")
    return StrategyFile(title, strategies(name, **options_of(options)), {})


def ends_of(file: StrategyFile, options: Mapping[str, Any]) -> dict[str, Any]:
    """The bankroll and ends of an evening, as given or from the file.

    >>> ends_of(strategy_of("pass"), {"rolls": 50})
    {'bankroll': '100', 'rolls': 50}
    """
    ends = dict(file.evening)
    # Both are the time, so one that is given replaces the file's.
    if options.keys() & {"rolls", "hours"}:
        ends = {key: value for key, value in ends.items() if key not in ("rolls", "hours")}
    ends = {"bankroll": DEFAULT_ENDS["bankroll"]} | ends | dict(options)
    if not ends.keys() & {"rolls", "hours", "shooters", "bets", "stop_win", "target"}:
        ends["hours"] = DEFAULT_ENDS["hours"]
    return ends


# --- the bets of a file in words ------------------------------------------------------------------

MOMENTS = {
    "come-out": "On the come-out",
    "point": "While there is a point",
    "always": "Before each roll",
    "shooter": "Once a shooter, before their first roll",
}
MOVES_IN_WORDS = {
    "first": "go back to the first step",
    "back": "go one step back, but not below the first",
    "on": "go one step on",
    "stay": "stay on the step",
}


def plan_in_words(plan: BetPlan) -> Iterator[str]:
    """A bet of a strategy file, sentence by sentence.

    >>> from sevenout.catalogue.strategies.strategy_file import BetPlan
    >>> list(plan_in_words(BetPlan("field", 5, "always", ladder=(1, 2))))[1]
    'The steps are 5, 10. After a win, go back to the first step. After a loss, go one step on.'
    """
    bet = "the pass line" if plan.bet == "pass" else plan.bet
    until = ""
    if plan.covered_below is not None:
        until = (
            f", until {plan.covered_below} numbers are covered, the point of a line bet included"
        )
    moment = MOMENTS[plan.when]
    yield f"{moment}, bet {digits(plan.amount * plan.ladder[0])} on {bet}{until}."
    if len(plan.ladder) > 1:
        yield from _ladder_sentences(plan)
    if plan.odds:
        yield f"Behind it, {odds_in_words(plan.odds, plan.bet in DONT_BETS)}"
    if plan.press:
        yield _press_sentence(plan)
    if plan.settled_limit is not None:
        bets = "bet" if plan.settled_limit == 1 else "bets"
        yield f"After {plan.settled_limit} settled {bets}, wait for the next shooter."


def _ladder_sentences(plan: BetPlan) -> Iterator[str]:
    """The steps of a ladder, and how a win and a loss move along them, in words."""
    steps = ", ".join(digits(plan.amount * step) for step in plan.ladder)
    won, lost = MOVES_IN_WORDS[plan.after_win], MOVES_IN_WORDS[plan.after_loss]
    yield f"The steps are {steps}. After a win, {won}. After a loss, {lost}."
    if "on" in (plan.after_win, plan.after_loss):
        yield "After the last step, begin again at the first."


def _press_sentence(plan: BetPlan) -> str:
    """What a win does to the bet that won."""
    up_to = "" if plan.highest is None else f", up to {digits(plan.highest)}"
    if isinstance(plan.press, str):
        amount = digits(plan.amount)
        return f"After a win, put the win on top in whole multiples of {amount}{up_to}."
    if plan.press > 0:
        return f"After a win, raise it by {digits(plan.press)}{up_to}."
    down_to = f", down to {digits(plan.lowest)}" if plan.lowest else ""
    return f"After a win, lower it by {digits(-plan.press)}{down_to}."
