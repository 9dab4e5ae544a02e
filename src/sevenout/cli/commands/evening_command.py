"""`sevenout evening`: how an evening at the craps table ends, strategy by strategy."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from sevenout import watchdog
from sevenout.cli.options import Amount, Count, Plot, Seed, counts, written
from sevenout.cli.out import aligned, console, counting, print_json
from sevenout.cost import allowed, budget
from sevenout.errors import NotationError, TooManyStatesError, TooMuchWorkError, shown
from sevenout.simulate.backends.stream import MAX_GAMES

if TYPE_CHECKING:
    from sevenout.evening.eveningplan import Plan
    from sevenout.evening.eveningresult import EveningResult
    from sevenout.verify.evening_agreement import EveningVerdict

OPTIONS = (
    *("bankroll", "rolls", "hours", "pace", "shooters", "rounds"),
    *("stop_loss", "stop_win", "target", "standing"),
)
"""What may be said of an evening, besides the house."""


def evening(
    *strategy: str,
    bankroll: Amount | None = None,
    rolls: Count | None = None,
    hours: Amount | None = None,
    pace: Count | None = None,
    shooters: Count | None = None,
    rounds: Count | None = None,
    stop_loss: Amount | None = None,
    stop_win: Amount | None = None,
    target: Amount | None = None,
    standing: Literal["staked", "down", "out"] | None = None,
    house: str = "",
    json: bool = False,
    plot: Plot | None = None,
    law: Annotated[Path, written("a distribution", ".csv")] | None = None,
    simulate: Annotated[int, counts(1, MAX_GAMES)] | None = None,
    seed: Seed = 1,
    played: Path | None = None,
) -> None:
    """How an evening at the craps table ends: exactly, or with a proved bound.

    Parameters
    ----------
    strategy
        One or more: a name such as pass, pass-odds, three-point-molly, iron-cross (none lists them
        all), with options after a colon: pass:amount=5,odds=3-4-5; or a strategy file, mine.toml.
        Compare them at one table, with the same least bet: pass:amount=5 and iron-cross.
    bankroll
        What is brought, in units of the bets; 100 if neither this nor a file says.
    rolls
        Leave after this number of rolls.
    hours
        Leave after this number of hours; 4 if nothing else ends the evening.
    pace
        Rolls per hour; 100 if not given.
    shooters
        Leave when this number of shooters have sevened out.
    rounds
        Leave when this number of bets are settled; a player who can't afford one more is ruined.
    stop_loss
        Leave when the loss reaches this amount.
    stop_win
        Leave when the win reaches this amount.
    target
        Leave when the bankroll reaches this amount.
    standing
        What stands when the rolls are made is counted as staked, if nothing is said; down: taken
        down where the house allows it, else played out; out: played out.
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
        1 of 100 runs. Where the law is too large, they are played alone, with error bars.
    seed
        Of these evenings; evening n of it is what `sevenout play --number n` replays.
    played
        A session that was saved at `sevenout play table`: what it cost on average, and in how many
        of a thousand evenings of each strategy its result comes.
    """
    from sevenout.evening.eveningresult import SideBySide

    if played is not None:
        at_the_table(played, strategy, json)
        return
    if not strategy:
        _list(json)
        return
    given = (bankroll, rolls, hours, pace, shooters, rounds, stop_loss, stop_win, target, standing)
    said = {n: value for n, value in zip(OPTIONS, given, strict=True) if value is not None}
    if twice := [text for i, text in enumerate(strategy) if text in strategy[:i]]:
        raise NotationError(f"{shown(twice[0])} is named twice; name each strategy once")
    plans = [planned(text, said, house) for text in strategy]
    solved = [_solved(plan, simulate) for plan in plans]
    results = [result for result in solved if result is not None]
    if len(results) < len(plans):
        if law is not None or plot is not None:
            raise NotationError(
                "--law and --plot are of distributions, and one of them is too large"
            )
        _played(plans, solved, simulate or 1, seed, json)
        return
    both = SideBySide(tuple(results))
    if law is not None:
        from sevenout.files import write
        from sevenout.page import Page

        write(law, Page("", both.law()).csv())
    if plot is not None:
        from sevenout.report.pictures import plots

        plots.save(plots.evenings(results), plot)
    verdicts: list[EveningVerdict] = []
    if simulate is not None:
        from sevenout.simulate.played_evenings.evenings import play_evenings
        from sevenout.verify.evening_agreement import confirm_evenings

        for plan, result in zip(plans, results, strict=True):
            verdicts.append(confirm_evenings(play_evenings(plan, simulate, seed), result))
    if json:
        told = [verdict.to_dict() for verdict in verdicts]
        print_json(both.to_dict() | ({"simulations": told} if told else {}))
        return
    out = console()
    out.print(results[0] if len(results) == 1 else both)
    for verdict in verdicts:
        out.print(verdict)


def at_the_table(path: Path, strategies: tuple[str, ...], json: bool) -> None:
    """What was done at the table: by itself, and beside evenings of strategies."""
    from sevenout.cli.table_play import resumed
    from sevenout.evening.played_evening import PlayedEvening, beside
    from sevenout.games.strategyfile import read_strategy
    from sevenout.games.strategytext import strategy_of
    from sevenout.report import table_talk

    session = resumed(str(path))
    found: list[PlayedEvening] = []
    for text in strategies:
        file = read_strategy(text) if text.endswith(".toml") else strategy_of(text)
        found.append(PlayedEvening(session, beside(file.strategy, session, name=file.name)))
    if json:
        told = table_talk.statistics(session) | {"coach": table_talk.coach(session)}
        print_json(told | {"beside": [each.to_dict() for each in found]})
        return
    out = console()
    out.print(aligned(table_talk.statistics(session)))
    for line in ["", *table_talk.coach(session)]:
        out.print(line)
    for each in found:
        out.print(each)


def _solved(plan: "Plan", simulate: int | None) -> "EveningResult | None":
    """The distribution of an evening; None if it is too large, and may be played instead.

    Raises:
        TooMuchWorkError: it is too large, and it was not said that it may be.
    """
    limits = allowed()
    share = ALONE if simulate is None else BEFORE
    try:
        with budget(share * limits.seconds, share * _left(limits.memory), enforce=True):
            return plan.solve()
    except (TooMuchWorkError, TooManyStatesError) as error:
        if simulate is not None:
            return None
        said = str(error).partition("; ask for less")[0]
        raise TooMuchWorkError(
            f"{plan.name}: {said}; play evenings instead: --simulate 1000, or raise the budget"
        ) from None


def _left(memory: float) -> float:
    """What is left of the memory of a command that is watched, which counts all that it has."""
    has = 0.0 if watchdog.board is None else watchdog.memory_of() or 0.0
    return max(memory / 10, memory - has)


def _played(
    plans: "list[Plan]", solved: "list[EveningResult | None]", many: int, seed: int, json: bool
) -> None:
    """Play the evenings whose distribution is too large, and show what is known of each."""
    from sevenout.simulate.played_evenings.sittings import play_sittings

    shown: list[Any] = []
    for plan, result in zip(plans, solved, strict=True):
        with counting(many) as progress:
            shown.append(result or play_sittings(plan, many, seed, progress))
    if json:
        print_json([each.to_dict() for each in shown])
        return
    for each in shown:
        console().print(each)


ALONE, BEFORE = 0.75, 0.3
"""The share of the budget that a distribution may take: alone, and before evenings are played."""


def planned(text: str, said: Mapping[str, Any], house: str = "") -> "Plan":
    """The evening that is meant by a strategy and options; four hours if nothing else ends it.

    Args:
        text: the name of a strategy with its options, or its file.
        said: options of an evening; they go before those of a file.
        house: what the house does otherwise.

    Raises:
        SevenoutError: no such strategy or option.
    """
    from sevenout.evening.eveningplan import Plan
    from sevenout.games.strategyfile import read_strategy
    from sevenout.games.strategytext import ends_of, house_of, strategy_of

    at = house_of(house)
    file = read_strategy(text) if text.endswith(".toml") else strategy_of(text)
    return Plan.of(file.strategy, house=at, name=file.name, **ends_of(file, said))


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
