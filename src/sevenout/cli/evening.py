"""`sevenout evening`: how an evening at the craps table ends, strategy by strategy."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sevenout.cli.numbers import Count, Seed
from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError, shown
from sevenout.numerals import exact, parse_count

if TYPE_CHECKING:
    from sevenout.exact.evening import Plan
    from sevenout.exact.evenings import EveningResult
    from sevenout.verify.evenings import EveningVerdict

OPTIONS = (
    *("bankroll", "rolls", "hours", "pace", "shooters"),
    *("stop_loss", "stop_win", "target"),
)
"""What may be said of an evening, besides the house."""


def evening(
    *strategy: str,
    bankroll: str | None = None,
    rolls: Count | None = None,
    hours: str | None = None,
    pace: Count | None = None,
    shooters: Count | None = None,
    stop_loss: str | None = None,
    stop_win: str | None = None,
    target: str | None = None,
    house: str = "",
    json: bool = False,
    plot: str | None = None,
    law: str | None = None,
    simulate: str | None = None,
    seed: Seed = 1,
) -> None:
    """How an evening at the craps table ends: exactly, or with a proved bound.

    Parameters
    ----------
    strategy
        One or more: a name such as pass, pass-odds, three-point-molly, iron-cross (none lists them
        all), with options after a colon: pass:amount=5,odds=3-4-5; or a strategy file, mine.toml.
    bankroll
        What is brought, in units of the bets; 100 if neither this nor a file says.
    rolls
        He leaves after so many rolls.
    hours
        Or after so many hours; 4 if nothing else ends the evening.
    pace
        Rolls an hour, 100 if not said.
    shooters
        He leaves when so many shooters have sevened out.
    stop_loss
        He leaves when he is down so much.
    stop_win
        He leaves when he is up so much.
    target
        He leaves with so much.
    house
        What the house does otherwise: "minimum=5,odds=2-2-2,field=2-2,vig=up front,working=yes".
    json
        Print JSON.
    plot
        Draw the evenings into this file: .svg, .pdf or .png.
    law
        Write how likely each result is into this .csv file.
    simulate
        Play so many evenings too, 1e6, and check them against the law; a false alarm is raised in
        1 of 100 runs.
    seed
        Of these evenings; evening n of it is what `sevenout play --number n` replays.
    """
    from sevenout.exact.evenings import SideBySide
    from sevenout.simulate.stream import MAX_GAMES

    if not strategy:
        _list(json)
        return
    given = (bankroll, rolls, hours, pace, shooters, stop_loss, stop_win, target)
    said = {n: value for n, value in zip(OPTIONS, given, strict=True) if value is not None}
    plans = [planned(text, said, house) for text in strategy]
    played = None if simulate is None else parse_count(simulate, most=MAX_GAMES)
    results = [plan.solve() for plan in plans]
    both = SideBySide(tuple(results))
    if law is not None:
        from sevenout.files import write
        from sevenout.page import Page

        write(law, Page("", both.law()).csv())
    if plot is not None:
        from sevenout.report import plots

        plots.save(plots.evenings(results), plot)
    verdicts = [
        _confirmed(plan, result, played, seed)
        for plan, result in zip(plans, results, strict=True)
        if played is not None
    ]
    if json:
        told = [verdict.to_dict() for verdict in verdicts]
        print_json(both.to_dict() | ({"simulations": told} if told else {}))
        return
    out = console()
    out.print(results[0] if len(results) == 1 else both)
    for verdict in verdicts:
        out.print(verdict)


def _confirmed(plan: "Plan", result: "EveningResult", evenings: int, seed: int) -> "EveningVerdict":
    from sevenout.simulate.evenings import play_evenings
    from sevenout.verify.evenings import confirm_evenings

    return confirm_evenings(play_evenings(plan, evenings, seed), result)


def planned(text: str, said: Mapping[str, Any], house: str = "") -> "Plan":
    """The evening that is meant by a strategy and options; four hours if nothing else ends it.

    Args:
        text: the name of a strategy with its options, or its file.
        said: options of an evening; they go before those of a file.
        house: what the house does otherwise.

    Raises:
        SevenoutError: no such strategy or option.
    """
    from sevenout.exact.evening import Plan
    from sevenout.games.felt import House

    options = _options(house)
    known = list(House.__dataclass_fields__)
    if wrong := [name for name in options if name not in known]:
        raise NotationError(f"--house {shown(wrong[0])}; it may say {', '.join(known)}")
    name, chosen, ends = _chosen(text)
    if "rolls" in said or "hours" in said:
        ends = {key: value for key, value in ends.items() if key not in ("rolls", "hours")}
    ends = {"bankroll": "100"} | ends | dict(said)
    if not ends.keys() & {"rolls", "hours", "shooters", "stop_win", "target"}:
        ends["hours"] = "4"
    return Plan.of(chosen, house=House(**options), name=name, **ends)


def _chosen(text: str) -> tuple[str, Any, dict[str, Any]]:
    """The title of a strategy, the strategy, and what its file says of the evening."""
    from sevenout.games.strategies import strategies
    from sevenout.games.strategyfile import read_strategy

    if text.endswith(".toml"):
        file = read_strategy(text)
        return file.name, file.strategy, dict(file.evening)
    name, _, rest = text.partition(":")
    title = strategies.entry(name).title + (f" ({rest})" if rest else "")
    return title, strategies(name, **_options(rest)), {}


def _list(json: bool) -> None:
    from sevenout.games.strategies import strategies
    from sevenout.page import Page, Table

    entries = strategies.entries.items()
    if json:
        print_json(
            {name: {"title": e.title, "text": e.text, "source": e.source} for name, e in entries}
        )
        return
    rows = [[name, entry.title, entry.text] for name, entry in entries]
    console().print(Page("Strategies", Table(["name", "", "what it does"], rows)))


def _options(text: str) -> dict[str, Any]:
    """Options as they are written: amount=5,odds=3-4-5.

    >>> _options("amount=5,odds=3-4-5,lay=yes,press=power")
    {'amount': 5, 'odds': (3, 4, 5), 'lay': True, 'press': 'power'}
    """
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise NotationError(f"{shown(part)} is no option; write name=value, such as amount=5")
        found[name.replace("-", "_")] = _value(value)
    return found


def _value(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    if _AMOUNTS.fullmatch(text):
        amounts = [exact(part) for part in text.split("-")]
        whole = [int(x) if x.denominator == 1 else x for x in amounts]
        return whole[0] if len(whole) == 1 else tuple(whole)
    return text


_AMOUNTS = re.compile(r"\d{1,20}(?:/[1-9]\d{0,20})?(?:-\d{1,20}(?:/[1-9]\d{0,20})?)*", re.ASCII)
