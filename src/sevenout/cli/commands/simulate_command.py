"""`sevenout simulate`: play a game, roll by roll, and say what was seen."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sevenout.cli.options import Against, Bet, Count, GameName, Json, Policy, Rules, Seed
from sevenout.cli.out import answer, console, headline, print_json
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import parse_count
from sevenout.watchdog import speak

if TYPE_CHECKING:
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.simulate import Progress, Tally

GAMES = "1e6"
"""How many are played if not said."""
MAINS = range(5, 10)
INTERRUPTED = 130
PILOTS = 100


def simulate(
    game: GameName | None = None,
    /,
    *,
    games: str | None = None,
    rounds: str | None = None,
    seed: Seed = 1,
    bet: Bet | None = None,
    histogram: str | None = None,
    policy: Policy | None = None,
    against: Against | None = None,
    backend: str = "auto",
    threads: Count | None = None,
    on: str | None = None,
    save: str | None = None,
    resume: bool = False,
    log: str | None = None,
    json: Json = False,
    **rules: Rules,
) -> int:
    """Play a game many times, roll by roll; every game is finished. Ctrl-C shows the tally so far.

    Parameters
    ----------
    games
        How many games: 1e9, 10_000, 2.5e6; a million if not said.
    rounds
        The same by the word for hazard: `simulate hazard --rounds 1e6` plays so many rounds with
        each main from 5 to 9 (seeds `seed` to `seed` + 4), and prints how often the caster wins.
    seed
        Which stream of random numbers; the same seed gives the same tally.
    histogram
        Keep the histogram of this counter, such as won, in place of the outcomes; in a game without
        bets of what it is played for, if not said. `none` keeps none.
    backend
        auto, numpy, llvm, llvm-128, llvm-256, llvm-512 or cuda; the tally is the same.
    threads
        How many threads; all processors if not given.
    on
        The scheduler of a Dask cluster, such as tcp://host:8786.
    save
        Write checkpoints to this file.
    resume
        Go on from the checkpoint, if it is there.
    log
        Roll nothing: play the rolls of this file, a roll a line, such as 3,4 or 7.
    """
    from sevenout.cli.resolve import choose, must_have, without_awards
    from sevenout.model import Chain, has_choices
    from sevenout.questions.policies import followed, play_of, titled
    from sevenout.rules import ByTurns
    from sevenout.simulate import Interrupted, simulate
    from sevenout.simulate.backends.stream import MAX_GAMES
    from sevenout.simulate.unexplored.exploration_choice import explored

    if games is not None and rounds is not None:
        raise NotationError(f"--games {games} and --rounds {rounds}; give one of them")
    count = parse_count(next(n for n in (games, rounds, GAMES) if n is not None), most=MAX_GAMES)
    if threads is not None and (threads < 1 or on is not None):
        raise NotationError(f"--threads {threads}: give 1 or more, and not together with --on")
    if game == "hazard" and rounds is not None and not rules:
        if save or resume:
            raise NotationError("--save is for one game: add --main, such as --main 7")
        titles = {str(main): {"main": str(main)} for main in MAINS}
    else:
        titles = {"": rules}
    if log is not None:
        chosen = choose(game, **rules)
        if has_choices(chosen.game) or policy is not None:
            raise NotationError(f"--log {shown(log)}: a log has rolls, and no answers of a player")
        told = _told(chosen.game, explored(chosen.game, 0), histogram)
        _show(chosen.title, _logged(told, log), None, bet, json)
        return 0
    if histogram not in (None, "none") and has_choices(choose(game, **rules).game):
        raise NotationError("--histogram is for a game in which nobody is asked anything")
    if isinstance((chosen := choose(game, **rules)).game, ByTurns):
        if against is not None:
            raise RulesError(f"{chosen.title} is played alone; leave --against out")
        title = titled(chosen, policy)
        answer(play_of(chosen, policy).simulate(count, seed), json, title, game=title, seed=seed)
        return 0
    tallies: dict[str, Tally] = {}
    interrupted = False
    with _workers(threads, on) as (executor, window), _progress() as progress:
        for i, (title, options) in enumerate(titles.items()):
            chosen = without_awards(choose(game, **options))
            subject = followed(chosen, policy, against)
            chain = explored(subject, count, executor)
            if chain is not None:  # else it is seen when it is played
                must_have(chain, bet)
            if not isinstance(subject, Chain):
                told = _told(subject, chain, histogram)
                subject = told if chain is None or told is not subject else chain
            try:
                tallies[title] = simulate(
                    subject,
                    count,
                    seed + i,  # mains 6 and 8 would see the same coins
                    backend=backend,
                    executor=executor,
                    window=window,
                    progress=progress,
                    save=save,
                    resume=resume,
                )
            except Interrupted as stopped:
                tallies[title], interrupted = stopped.tally, True
                break
    seen = {title: tally for title, tally in tallies.items() if tally.games}
    if len(titles) > 1:
        _show_mains(seen, seed, json)
    else:
        for tally in seen.values():
            _show(titled(chosen, policy, against), tally, seed, bet, json)
    return INTERRUPTED if interrupted else 0


def _told(game: "Game", chain: "Chain | None", counter: str | None) -> "Game":
    """The game with outcomes that tell what a counter came to, up to where 99 in 100 games end; of
    one that is not explored, where 100 others end.
    """
    from sevenout.rules import CounterOutcomes
    from sevenout.simulate.statistics import has_exact_values
    from sevenout.solve import solve

    if counter == "none" or (counter is None and not game.counters):
        return game
    if counter is None and (chain is None or chain.bets or not has_exact_values(chain)):
        return game
    counter = counter or list(game.counters)[-1]
    if chain is None:
        return CounterOutcomes(game, counter, _most(game, counter) + 1)
    return CounterOutcomes(game, counter, solve(chain).distribution(counter).quantile("99/100") + 1)


def _most(game: "Game", counter: str) -> int:
    """What a counter comes to at most in some games that are not explored."""
    from math import ceil

    from sevenout.simulate.unexplored.lazy_replay import play_alone

    seen = [dict(one.counts) | {"rolls": len(one.rolls)} for one in play_alone(game, 0, 0, PILOTS)]
    known = dict.fromkeys(["rolls", *game.counters, *(name for counts in seen for name in counts)])
    if counter not in known:
        raise RulesError(f"the game does not count {shown(counter)}; it counts: {', '.join(known)}")
    return max(0, *(ceil(counts.get(counter, 0)) for counts in seen))


def _logged(game: "Game", path: str) -> "Tally":
    """The tally of the games in a log."""
    from sevenout.simulate import follow, read_log, recount

    tally = recount(game, follow(game, read_log(path)))
    if not tally.games:
        raise NotationError(f"{path} has no finished game; give the rolls of one, a roll a line")
    return tally


def _show(title: str, tally: "Tally", seed: int | None, bet: str | None, json: bool) -> None:
    from sevenout.simulate.statistics import as_data, has_exact_values

    solution = None
    if has_exact_values(tally.about):
        from sevenout.solve import solve

        with suppress(KeyboardInterrupt):  # what was seen is shown without them
            solution = solve(tally.chain)
    if json:
        page = as_data(tally, solution, bet)
        print_json({"game": title, "seed": seed, "statistics": page, "tally": tally.to_dict()})
        return
    out = console()
    headline(out, title)
    out.print(tally.page(solution, bet))


def _show_mains(tallies: "dict[str, Tally]", seed: int, json: bool) -> None:
    """The win rates of hazard, main by main."""
    from sevenout.page import Column, Page, Table
    from sevenout.page.kinds import COUNT, DECIMAL, FRACTION, LABEL, SCORE
    from sevenout.simulate.statistics import statistics
    from sevenout.solve import solve

    rows = []
    for main, tally in tallies.items():
        page = statistics(tally, solve(tally.chain))
        line = next(line for line in page if line.name == "probability of winning")
        rows.append((main, tally.games, tally.bet().won, line.seen, line.exact, line.z))
    if json:
        names = ("rounds", "wins", "seen", "exact", "z")
        mains = {
            main: dict(zip(names, (games, wins, float(seen), str(exact), z), strict=True))
            for main, games, wins, seen, exact, z in rows
        }
        print_json({"game": "hazard", "seed": seed, "mains": mains})
        return
    columns = [Column("main", LABEL), Column("rounds", COUNT), Column("wins", COUNT)]
    columns += [Column("win rate", DECIMAL), Column("exact", FRACTION, DECIMAL), Column("z", SCORE)]
    title = "Hazard: how often the caster wins"
    console().print(Page("", Table(columns, rows, caption=title)))


@contextmanager
def _workers(threads: int | None, on: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """Where to play, and how many tasks to keep in flight."""
    if on is not None:
        from sevenout.simulate.cluster import connect

        with connect(on) as (executor, window):
            yield executor, window
    elif threads is not None:
        with ThreadPoolExecutor(threads) as pool:
            yield pool, 2 * threads
    else:
        yield None, None


@contextmanager
def _progress() -> "Iterator[Callable[[Progress], object] | None]":
    """A bar on standard error, if somebody is looking."""
    from rich.console import Console

    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns: list[Any] = [
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    ]
    speak()
    with Bars(*columns, console=screen, transient=True) as bars:
        bar = bars.add_task("", rate="")

        def show(progress: "Progress") -> None:
            rate = f"{progress.rolls / max(progress.seconds, 1e-9) / 1e6:,.0f} million rolls/s"
            bars.update(bar, total=progress.games, completed=progress.done, rate=rate)

        yield show
