"""Strategy files: how somebody bets, as TOML. A file is data; nothing in it is executed.

    format = 1
    name = "Come twice, press the six"

    [[bet]]                     # paid for in this order
    on = "pass"                 # at each come-out
    amount = 5
    odds = [3, 4, 5]            # behind it: so many times as much, or on 4 and 10, 5 and 9, 6 and 8

    [[bet]]
    on = "come"                 # while there is a point,
    amount = 5
    below = 3                   # and fewer numbers than this are covered
    odds = 2

    [[bet]]
    on = "place 6"
    amount = 12
    when = "point"              # "come-out", "point" or "always"
    press = 6                   # after a win so much more; less, with -6; "all" that was won
    most = 30                   # but never more than this, or less than `least`
    limit = 4                   # after so many settled bets, none till the next shooter

    [[bet]]
    on = "don't pass"
    amount = 1
    ladder = [1, 2, 4, 8]       # times the amount: one step on after a loss, back after a win;
    win = "first"               # "first", "back", "on" or "stay", and the same for `loss`;
    loss = "on"                 # past the last step it is the first again

    [evening]                   # when he leaves, if not said otherwise
    bankroll = 300
    hours = 4
    stop_loss = 150
    standing = "down"           # what stands then: "staked", taken "down", or played "out"

The schema is `strategy-schema.json` beside this file.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.files import read_text
from sevenout.games.side import is_side, made_early
from sevenout.games.spots import BONUS, made_as, spot
from sevenout.games.strategies.lines import NEAREST, behind
from sevenout.numerals import exact
from sevenout.rules.betting import Strategy, Table
from sevenout.rules.felt import Money, whole
from sevenout.rules.gamereader import KINDS
from sevenout.rules.standing import Stood

WHEN = ("come-out", "point", "always")
MOVES = ("first", "back", "on", "stay")
BET = (
    *("on", "amount", "when", "odds", "below", "press", "most", "least", "limit"),
    *("ladder", "win", "loss"),
)
EVENING = (
    *("bankroll", "rolls", "hours", "pace", "shooters", "rounds"),
    *("stop_loss", "stop_win", "target", "standing"),
)
MOST_BETS, MOST_STEPS = 40, 40
SMALLEST = Fraction(1, 10**6)


@dataclass(frozen=True)
class Item:
    """A bet of a strategy file; what its fields mean is said above."""

    on: str
    amount: Money
    when: str
    odds: Any = 0
    below: int | None = None
    press: Money | str = 0
    most: Money | None = None
    least: Money = 0
    limit: int | None = None
    ladder: tuple[Money, ...] = (1,)
    win: str = "first"
    loss: str = "on"

    def due(self, point: int | None) -> bool:
        """Whether the bet is wanted now, on the come-out or on a point."""
        return self.when == "always" or (self.when == "point") == (point is not None)

    def standing(self, table: Table) -> list[str]:
        """The names under which it stands, those on numbers that come first most often before."""
        names = [bet for bet in table.bets if not spot(bet).odds and made_as(bet) == self.on]
        return sorted(names, key=lambda bet: (NEAREST.index(spot(bet).number or 6), bet))

    def moved(self, step: int, won: bool) -> int:
        """The step of the ladder after a bet that was won or lost."""
        then = {"first": 0, "back": max(0, step - 1), "on": step + 1, "stay": step}
        next_ = then[self.win if won else self.loss]
        return next_ if next_ < len(self.ladder) else 0


@dataclass(frozen=True)
class Written(Strategy):
    """The strategy of a file.

    >>> bets = Written((Item("pass", 5, "come-out", odds=2),))
    >>> bets.wants(Table(None, {}, bets.memory)), bets.wants(Table(6, {"pass": 5}, bets.memory))
    ({'pass': 5}, {'pass odds': 10})

    Args:
        items: the bets.
    """

    items: tuple[Item, ...]

    @property
    def memory(self) -> Any:  # type: ignore[override]
        """For each bet the step of its ladder, and how many were settled for this shooter."""
        return ((0, 0),) * len(self.items)

    @property
    def mirrored(self) -> bool:  # type: ignore[override]
        """Whether no bet is on a number of its own."""
        return not any(spot(item.on).number for item in self.items)

    def remembers(self, table: Table) -> Any:
        """The ladders moved on, the settled bets counted."""
        last, kept = table.last, []
        assert last is not None
        for item, (step, settled) in zip(self.items, table.memory, strict=True):
            paid = [
                each.profit
                for each in last.paid
                if not spot(each.bet).odds and made_as(each.bet) == item.on
            ]
            moved = step
            for profit in paid:
                moved = item.moved(moved, profit > 0) if profit else moved
            count = 0 if last.out or item.limit is None else min(item.limit, settled + len(paid))
            kept.append((moved, count))
        return tuple(kept)

    def wants(self, table: Table) -> Mapping[str, Any]:
        """The bets that are due, and the odds behind those that stand."""
        wanted: dict[str, Any] = {}
        for item, (step, settled) in zip(self.items, table.memory, strict=True):
            names = item.standing(table)
            for name in names:
                number = spot(name).number or table.point
                if item.odds and number is not None:
                    wanted |= behind(table, name, number, item.odds)
            if not item.due(table.point):
                continue
            if names and item.on not in (*table.bets, "come", "don't come"):
                continue  # it has come some way, and stays
            if item.limit is not None and settled + len(names) >= item.limit + (
                item.on in table.bets
            ):
                continue
            if item.below is not None and self._covered(table) >= item.below:
                continue
            wanted[item.on] = self._amount(item, step, table)
        return wanted

    def _amount(self, item: Item, step: int, table: Table) -> Money:
        now = table.bets.get(item.on)
        if now is None:
            return whole(item.amount * item.ladder[step])
        won = (table.last.profit(item.on) or 0) if table.last else 0
        if won <= 0 or not item.press:
            return now
        more = won // item.amount * item.amount if isinstance(item.press, str) else item.press
        pressed = max(item.least, now + more)
        return whole(pressed if item.most is None else min(pressed, max(now, item.most)))

    def _covered(self, table: Table) -> int:
        """How many numbers come bets are on, the point of a line bet counted."""
        moved = sum(
            f"{come} {number}" in table.bets
            for come in ("come", "don't come")
            for number in NEAREST
        )
        lined = "pass" in table.bets or "don't pass" in table.bets
        return moved + (table.point is not None and lined)


@dataclass(frozen=True)
class StrategyFile:
    """A strategy with its name, and when its evening ends.

    Attributes:
        name: of the strategy.
        strategy: how it bets.
        evening: options of `sevenout.evening`.
    """

    name: str
    strategy: Strategy
    evening: Mapping[str, Any]


def read_strategy(path: str | Path) -> StrategyFile:
    """The strategy of a file.

    Raises:
        FileError: it can't be read.
        NotationError: it is no strategy; the message says where and why.
    """
    return parse_strategy(read_text(path), str(path))


def parse_strategy(text: str, name: str = "strategy") -> StrategyFile:
    r"""A strategy from the text of a file.

    >>> parse_strategy('name = "Five"\n[[bet]]\non = "pass"\namount = 5').name
    'Five'

    Args:
        text: TOML.
        name: where it is from, for errors.

    Raises:
        NotationError: it is no strategy; the message says where and why.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotationError(f"{name}: {error}") from None
    try:
        if found := next((kind for kind in KINDS if kind in data and "bet" not in data), None):
            raise NotationError(
                f"[[{found}]] stands in the file of a game; an evening takes the file of a "
                "strategy, with [[bet]], and `sevenout session` plays a bet of a game"
            )
        _known(data, ("format", "name", "bet", "evening"), "the file")
        if data.get("format", 1) != 1:
            raise NotationError(f"format={shown(data['format'])}; it is 1")
        bets = data.get("bet")
        if not isinstance(bets, list) or not 0 < len(bets) <= MOST_BETS:
            raise NotationError(f"a strategy has from 1 to {MOST_BETS} tables [[bet]]")
        items = tuple(_item(bet) for bet in bets)
        on = [item.on for item in items]
        if twice := next((bet for bet in on if on.count(bet) > 1), None):
            raise NotationError(f"two tables [[bet]] on {shown(twice)}; say all of it in one")
        evening = data.get("evening", {})
        _known(evening, EVENING, "[evening]")
        _check(evening)
        title = data.get("name", Path(name).stem)
        if not isinstance(title, str):
            raise NotationError(f"name={shown(title)}; write a text")
        return StrategyFile(title, Written(items), dict(evening))
    except SevenoutError as error:
        raise NotationError(f"{name}: {error}") from None


def schema() -> dict[str, Any]:
    """The JSON schema of strategy files.

    >>> sorted(schema()["properties"])
    ['bet', 'evening', 'format', 'name']
    """
    path = Path(__file__).with_name("strategy-schema.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _known(table: Any, keys: tuple[str, ...], where: str) -> None:
    if not isinstance(table, dict):
        raise NotationError(f"{where} is {shown(table)}; write a table")
    for key in table:
        if key not in keys:
            raise NotationError(f"{where} has no key {shown(key)}; it has {', '.join(keys)}")


def _item(bet: Any) -> Item:
    _known(bet, BET, "[[bet]]")
    on = bet.get("on")
    if not isinstance(on, str):
        raise NotationError(f"on={shown(on)}; name a bet, such as 'pass' or 'place 6'")
    what = spot(on)
    if what.odds or made_as(on) != on:
        raise NotationError(f"on={shown(on)}; name the bet as it is made, with its odds")
    lined = what.kind in ("pass", "don't pass", *BONUS) or (is_side(on) and made_early(on))
    usual = "come-out" if lined else "point" if what.kind in ("come", "don't come") else "always"
    words = {"when": (usual, WHEN), "win": ("first", MOVES), "loss": ("on", MOVES)}
    said = {name: bet.get(name, default) for name, (default, _) in words.items()}
    for name, (_, known) in words.items():
        _one_of(said[name], name, known)
    for name in ("below", "limit"):
        given = bet.get(name)
        if given is not None and (type(given) is not int or not 1 <= given <= 99):
            raise NotationError(f"{name}={shown(given)}; give a whole number from 1 to 99")
    ladder = bet.get("ladder", [1])
    if not isinstance(ladder, list) or not 0 < len(ladder) <= MOST_STEPS:
        raise NotationError(f"ladder={shown(ladder)}; give from 1 to {MOST_STEPS} multiples")
    odds = bet.get("odds", 0)
    if isinstance(odds, list) and len(odds) != 3:
        raise NotationError(f"odds={shown(odds)}; give one multiple, or three")
    press = bet.get("press", 0)
    return Item(
        on=on,
        amount=_money(bet.get("amount"), "amount", least=SMALLEST),
        odds=tuple(_money(n, "odds") for n in odds)
        if isinstance(odds, list)
        else _money(odds, "odds"),
        below=bet.get("below"),
        press=press if press == "all" else _money(press, "press", least=None),
        most=None if "most" not in bet else _money(bet["most"], "most"),
        least=_money(bet.get("least", 0), "least"),
        limit=bet.get("limit"),
        ladder=tuple(_money(n, "ladder", least=SMALLEST) for n in ladder),
        **said,
    )


def _check(evening: Mapping[str, Any]) -> None:
    """Whether what is said of the evening is of the kind that it should be."""
    for name, given in evening.items():
        if name in ("rolls", "pace", "shooters", "rounds"):
            if type(given) is not int or given < 1:
                raise NotationError(f"{name}={shown(given)}; give a whole number from 1 on")
        elif name == "standing":
            _one_of(given, name, get_args(Stood))
        else:
            _money(given, name, least=SMALLEST)


def _one_of(given: Any, name: str, known: tuple[str, ...]) -> None:
    if given not in known:
        words = ", ".join(map(repr, known))
        raise NotationError(f"{name}={shown(given)}; it is one of {words}")


def _money(given: Any, name: str, least: Money | None = 0) -> Money:
    wrong = f"{name}={shown(given)}; give a whole number, or a text such as '3/2'"
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise NotationError(wrong)
    try:
        amount = whole(exact(given))
    except SevenoutError:
        raise NotationError(wrong) from None
    if least is not None and amount < least:
        raise NotationError(
            f"{name}={shown(given)}; give {'more than 0' if least else '0 or more'}"
        )
    return amount
