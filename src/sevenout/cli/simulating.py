"""Other forms of `sevenout simulate`: logs, hazard by main, where and how it runs."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sevenout.budgets.supervision import status
from sevenout.cli.out import console, print_json, show
from sevenout.errors import NotationError, shown
from sevenout.numerals import parse_count
from sevenout.questions.entries.simulate_question import INTERRUPTED

if TYPE_CHECKING:
    from sevenout.simulation import Progress, Tally

MAINS = range(5, 10)


def of_log(path: str, said: dict[str, Any], rules: dict[str, str], json: bool) -> int:
    """The games of a log of rolls.

    Raises:
        SevenoutError: a game with choices, or no finished game.
    """
    from sevenout.model import has_choices
    from sevenout.questions.entries.simulate_question import counting, of_tally
    from sevenout.questions.subjects import find_game
    from sevenout.simulation import follow, read_log, recount
    from sevenout.simulation.unexplored.exploration_choice import explored

    chosen = find_game(said.get("game"), rules, files=True)
    if has_choices(chosen.game) or said.get("policy") is not None:
        raise NotationError(
            f"--log {shown(path)}: a log holds only rolls, and this game has choices; leave out "
            "--log, or check the results of such a game with sevenout conform"
        )
    game = counting(chosen.game, explored(chosen.game, 0), said.get("histogram"))
    tally = recount(game, follow(game, read_log(path)))
    if not tally.games:
        raise NotationError(
            f"{path} has no finished game; write the rolls of at least one, one roll per line"
        )
    found = of_tally(tally, None, said.get("bet"))
    if json:
        print_json({"game": chosen.title} | found.to_dict())
    else:
        show(chosen.title, found.page())
    return 0


def each_main(rounds: int, said: dict[str, Any], json: bool, run: dict[str, Any]) -> int:
    """Play rounds of hazard with each main, and print the caster's win rates."""
    from sevenout.catalogue import games
    from sevenout.simulation import Interrupted, simulate

    if run.get("save") or run.get("resume"):
        raise NotationError("--save is for one game: add --main, such as --main 7")
    seed, backend = int(said.get("seed", 1)), said.get("backend", "auto")
    tallies: dict[str, Tally] = {}
    code = 0
    with running(threads=run.get("threads"), on=run.get("on")) as how:
        for i, main in enumerate(MAINS):
            try:
                game = games("hazard", main=main)
                # with one seed, mains 6 and 8 would roll alike
                tallies[str(main)] = simulate(game, rounds, seed + i, backend=backend, **how)
            except Interrupted as stopped:
                tallies[str(main)], code = stopped.tally, INTERRUPTED
                break
    _show_mains({main: tally for main, tally in tallies.items() if tally.games}, seed, json)
    return code


def _show_mains(tallies: "dict[str, Tally]", seed: int, json: bool) -> None:
    from sevenout.documents import Column, Page, Table
    from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, SCORE
    from sevenout.simulation.statistics import statistics
    from sevenout.solving import solve

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
def running(
    threads: int | None = None,
    on: str | None = None,
    save: str | None = None,
    resume: bool = False,
) -> Iterator[dict[str, Any]]:
    """Where `simulate` runs, with its checkpoints and its progress bar."""
    if threads is not None and (threads < 1 or on is not None):
        raise NotationError(f"--threads {threads}: give 1 or more, and not together with --on")
    with _workers(threads, on) as (executor, window), _progress() as progress:
        yield {
            "executor": executor,
            "window": window,
            "progress": progress,
            "save": save,
            "resume": resume,
        }


def rounds_of(said: dict[str, Any], rounds: str) -> int:
    """The number of rounds, given instead of games.

    Raises:
        NotationError: not a number, or both are given.
    """
    from sevenout.simulation.backends.stream import MAX_GAMES

    if said.get("games") is not None:
        raise NotationError(
            f"--games {said['games']} and --rounds {rounds} are both given; give one of them"
        )
    return parse_count(rounds, most=MAX_GAMES)


@contextmanager
def _workers(threads: int | None, on: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """Where to play, and the most tasks in flight."""
    if on is not None:
        from sevenout.simulation.cluster import connect

        with connect(on) as (executor, window):
            yield executor, window
    elif threads is not None:
        with ThreadPoolExecutor(threads) as pool:
            yield pool, 2 * threads
    else:
        yield None, None


@contextmanager
def _progress() -> "Iterator[Callable[[Progress], object] | None]":
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
    status.speak()
    with Bars(*columns, console=screen, transient=True) as bars:
        bar = bars.add_task("", rate="")

        def show(progress: "Progress") -> None:
            rate = f"{progress.rolls / max(progress.seconds, 1e-9) / 1e6:,.0f} million rolls/s"
            bars.update(bar, total=progress.games, completed=progress.done, rate=rate)

        yield show
