"""Typed strategies and houses: pass:amount=5,odds=3-4-5 at minimum=5,field=2-2."""

import re
from collections.abc import Mapping
from typing import Any

from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategyfile import StrategyFile
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import exact

OTHERWISE = {"bankroll": "100", "hours": "4"}
"""The default bankroll and hours of an evening."""


def strategy_of(text: str) -> StrategyFile:
    """A strategy of the library, with options after a colon.

    >>> strategy_of("pass:amount=5,odds=2").name
    'Pass line (amount 5, odds 2)'

    Raises:
        SevenoutError: no such strategy or option.
    """
    name, _, rest = text.partition(":")
    spoken = rest.replace(",", ", ").replace("=", " ").replace("_", " ")
    title = strategies.entry(name).title + (f" ({spoken})" if rest else "")
    return StrategyFile(title, strategies(name, **options_of(rest)), {})


def house_of(text: str) -> House:
    """A house with options.

    >>> house_of("minimum=5,field=2-2").field
    (2, 2)

    Raises:
        SevenoutError: no such option, or an impossible one.
    """
    options = options_of(text, such="minimum=5")
    known = list(House.__dataclass_fields__)
    if wrong := [name for name in options if name not in known]:
        raise NotationError(f"no house rule {shown(wrong[0])}; the rules are {', '.join(known)}")
    return House(**options)


def house_text(house: House) -> str:
    """The options of a house in text; "" for the default house.

    >>> house_text(House(minimum=5, vig="up front")), house_of("minimum=5,crapless=yes").crapless
    ('minimum=5,vig=up front', True)

    Raises:
        RulesError: a side bet with other payments, which has no text.
    """
    if house.side:
        raise RulesError("a house with other pays for a side bet can't be written on one line")
    usual, said = House(), []
    for name in House.__dataclass_fields__:
        value = getattr(house, name)
        if value != getattr(usual, name):
            said.append(f"{name}={written(value)}")
    return ",".join(said)


def ends_of(file: StrategyFile, said: Mapping[str, Any]) -> dict[str, Any]:
    """The bankroll and ends of an evening, as given or from the file.

    >>> ends_of(strategy_of("pass"), {"rolls": 50})
    {'bankroll': '100', 'rolls': 50}
    """
    ends = dict(file.evening)
    if said.keys() & {"rolls", "hours"}:
        ends = {key: value for key, value in ends.items() if key not in ("rolls", "hours")}
    ends = {"bankroll": OTHERWISE["bankroll"]} | ends | dict(said)
    if not ends.keys() & {"rolls", "hours", "shooters", "rounds", "stop_win", "target"}:
        ends["hours"] = OTHERWISE["hours"]
    return ends


def options_of(text: str, such: str = "amount=5") -> dict[str, Any]:
    """Options from text; `such` is an example for errors.

    >>> options_of("amount=5,odds=3-4-5,lay=yes,press=power")
    {'amount': 5, 'odds': (3, 4, 5), 'lay': True, 'press': 'power'}

    Raises:
        NotationError: a part is not an option.
    """
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise NotationError(f"{shown(part)} is not an option; write name=value, such as {such}")
        found[name.replace("-", "_")] = _value(value)
    return found


def written(value: Any) -> str:
    """The text of an option's value.

    >>> written((3, 4, 5)), written(True), written("power")
    ('3-4-5', 'yes', 'power')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _value(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    if _AMOUNTS.fullmatch(text):
        amounts = [exact(part) for part in text.split("-")]
        whole = [int(x) if x.denominator == 1 else x for x in amounts]
        return whole[0] if len(whole) == 1 else tuple(whole)
    return text


_AMOUNTS = re.compile(r"\d{1,20}(?:/[1-9]\d{0,20})?(?:-\d{1,20}(?:/[1-9]\d{0,20})?)*", re.ASCII)
