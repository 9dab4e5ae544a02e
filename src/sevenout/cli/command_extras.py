"""What some commands do with their answer besides printing it: pictures and files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from sevenout.cli.options import Count, Csv, GameOutput, Outputs, Plot, Seed, written


def best(
    found: Any, *, plot: Plot | None = None, picture: Literal["policy", "margins"] = "policy"
) -> None:
    """A picture of optimal play.

    Parameters
    ----------
    plot
        Save a picture to this file: .png, .svg or .pdf.
    picture
        The picture: the policy by state, or the cost of the wrong choice (margins).
    """
    if plot is None:
        return
    from sevenout.errors import RulesError
    from sevenout.papers.pictures import decisions
    from sevenout.papers.pictures.style import save
    from sevenout.rules import ByTurns

    (optimum,) = found.results
    if isinstance(getattr(optimum, "game", None), ByTurns):
        raise RulesError("--plot does not work for a game of turns; leave it out")
    draw = {"policy": decisions.policy_map, "margins": decisions.margin_map}[picture]
    save(draw(optimum), plot)


def dice(
    found: Any,
    *,
    csv: Csv = False,
    plot: Plot | None = None,
    rolled: Count = 0,
    seed: Seed | None = None,
) -> bool:
    """A picture of the distributions, and CSV.

    Parameters
    ----------
    plot
        Draw the distribution and its normal curve, or both distributions, to a .png, .svg or .pdf.
    rolled
        In the picture, mark the result of this many rolls.
    seed
        The seed of those rolls.
    """
    from sevenout.errors import NotationError
    from sevenout.rolling.spreads import UnboundedSpread, Versus

    laws = [found.first, found.second] if isinstance(found, Versus) else [found]
    if plot is None and rolled:
        raise NotationError(f"--rolled {rolled} marks rolls in a picture; add --plot NAME.png")
    if csv and any(isinstance(each, UnboundedSpread) for each in laws):
        raise NotationError(
            "--csv can't list all totals of exploding dice; give --json, which has their "
            "generating function"
        )
    if plot is not None:
        from sevenout.papers.pictures import plots

        single = not isinstance(found, Versus)
        plots.save(plots.totals(*laws, normal=single, rolled=rolled, seed=seed), plot)
    if csv:
        from sevenout.cli.out import print_text

        print_text(found.csv())
    return csv


def compare(found: Any, *, output: Outputs = ()) -> bool:
    """The comparison as documents."""
    from sevenout.cli.out import documents
    from sevenout.files import write

    if output:
        (document,) = found.results
        for path, content in documents(document(), output):
            write(path, content)
    return bool(output)


def evening(
    found: Any,
    *,
    plot: Plot | None = None,
    distribution: Annotated[Path, written("a distribution", ".csv")] | None = None,
) -> None:
    """A picture of the evenings, and their distributions as CSV.

    Parameters
    ----------
    plot
        Draw the distributions of the result to this file: .svg, .pdf or .png.
    distribution
        Write the probability of each result to this .csv file.
    """
    results = found.results
    if (plot or distribution) and not results:
        from sevenout.errors import NotationError

        raise NotationError(
            "--distribution and --plot need every distribution; leave --words out, and any "
            "strategy whose distribution is too large"
        )
    if distribution is not None:
        from sevenout.documents import Page
        from sevenout.evenings.evening_result import SideBySide
        from sevenout.files import write

        write(distribution, Page("", SideBySide(tuple(results)).law()).csv())
    if plot is not None:
        from sevenout.papers.pictures import plots

        plots.save(plots.evenings(results), plot)


def session_beside(
    said: dict[str, Any],
    rules: dict[str, str],
    json: bool,
    run: dict[str, Any],
    *,
    played: Path | None = None,
) -> int | None:
    """A session saved at the table, compared with strategies.

    Parameters
    ----------
    played
        A session saved at `sevenout play table`. Show its expected cost, and how many of a thousand
        evenings of each strategy have its result.
    """
    if played is None:
        return None
    from sevenout.cli.evening_played import at_the_table

    at_the_table(played, said.pop("strategy", ()), json, said)
    return 0


def simulate_otherwise(
    said: dict[str, Any],
    rules: dict[str, str],
    json: bool,
    run: dict[str, Any],
    *,
    rounds: str | None = None,
    log: str | None = None,
) -> int | None:
    """A log instead of games, and hazard main by main.

    Parameters
    ----------
    rounds
        The number of rounds of hazard with each main from 5 to 9: `simulate hazard --rounds 1e6`.
        Main 5 uses the seed, main 6 the next one, and so on.
    log
        Replay the rolls of this file instead, one roll per line, such as 3,4 or 7.
    """
    if (rounds, log) == (None, None):
        return None
    from sevenout.cli.simulating import each_main, of_log, rounds_of

    if rounds is not None:
        said["games"] = rounds_of(said, rounds)
        if log is None and said.get("game") == "hazard" and not rules:
            return each_main(said["games"], said, json, run)
    return None if log is None else of_log(log, said, rules, json)


def variants_written(
    said: dict[str, Any],
    rules: dict[str, str],
    json: bool,
    run: dict[str, Any],
    *,
    csv: Annotated[Path, written("a table", ".csv")] | None = None,
    parquet: Annotated[Path, written("such a table", ".parquet")] | None = None,
) -> int | None:
    """Variants, or groups of them, in files.

    Parameters
    ----------
    csv
        Write the variants that meet the condition, or the groups, to this .csv file.
    parquet
        Write the variants that meet the condition to this .parquet file.
    """
    paths = [path for path in (csv, parquet) if path is not None]
    if not paths:
        return None
    from sevenout.cli.out import print_json, print_text
    from sevenout.errors import RulesError
    from sevenout.files import write
    from sevenout.questions import question
    from sevenout.questions.entries.variants_question import family_of
    from sevenout.variants import write_table

    asked = question("variants")
    values = asked.values(said)
    if values["count"] or values["classes"] or values["fairest"]:
        raise RulesError(
            "--csv and --parquet write the table of variants; leave --count, --classes and "
            "--fairest out"
        )
    if values["by"]:
        if parquet is not None:
            raise RulesError("--by can't be written as --parquet; give --csv")
        groups: Any = asked(**values)
        write(paths[0], groups.csv())
        return None
    family = family_of(values)
    made = {
        str(path): write_table(family, path, values["where"], values["order_by"]) for path in paths
    }
    if json:
        print_json({"written": made})
    else:
        print_text("\n".join(f"{n:,} variants written to {path}" for path, n in made.items()))
    return 0


@contextmanager
def simulate_running(
    *,
    threads: Count | None = None,
    on: str | None = None,
    save: str | None = None,
    resume: bool = False,
) -> Iterator[dict[str, Any]]:
    """How and where games are simulated.

    Parameters
    ----------
    threads
        The number of threads. The default is one for each processor.
    on
        The scheduler of a Dask cluster, such as tcp://host:8786.
    save
        Write checkpoints to this file.
    resume
        Continue from the checkpoint, if there is one.
    """
    from sevenout.cli.simulating import running

    with running(threads, on, save, resume) as how:
        yield how


@contextmanager
def watched() -> Iterator[dict[str, Any]]:
    """A progress bar on a terminal's standard error."""
    from sevenout.cli.out import counting

    with counting() as progress:
        yield {"progress": progress}


RUNNING: Mapping[str, Callable[..., AbstractContextManager[dict[str, Any]]]] = {
    "evening": watched,
    "simulate": simulate_running,
}
"""By question, how and where its answer is computed."""


def faults(found: Any, *, picture: Plot | None = None) -> None:
    """A heat map of faults.

    Parameters
    ----------
    picture
        Draw a heat map of results against faces: .svg, .pdf or .png.
    """
    if picture is not None:
        from sevenout.rolling.faulty.fault_heatmap import heat_map

        (compared,) = found.results
        heat_map(picture, compared)


def no_seven(
    found: Any,
    *,
    sheet: Annotated[Path, written("the sheet of faces", ".svg", ".pdf")] | None = None,
) -> None:
    """The faces on paper.

    Parameters
    ----------
    sheet
        Write the faces in real size to this file: .svg or .pdf. Print it at 100 %.
    """
    if sheet is not None:
        from sevenout.rolling.special.printable_faces import face_sheet

        (sides,) = found.results
        face_sheet(sheet, sides)


def tune(
    found: Any,
    *,
    output: GameOutput | None = None,
    plot: Plot | None = None,
    bet: str | None = None,
    csv: Csv = False,
) -> bool:
    """The best game as a file, a picture of all, and CSV.

    Parameters
    ----------
    output
        Write the best result to this .toml file. Tiers get one file each.
    plot
        Save a picture of the volatility against the edge: .png, .svg or .pdf.
    bet
        The bet in the picture. The default is the first bet with open pays.
    """
    from sevenout.errors import RulesError
    from sevenout.files import write
    from sevenout.variants.design.tuned import Tiers

    (tuned,) = found.results
    several = isinstance(tuned, Tiers)
    if several and plot is not None:
        raise RulesError("tiers have no picture; leave --plot out")
    best = tuned.ladder if several else tuned.tables[:1]
    if (output is not None and not best) or (plot is not None and not tuned.count):
        said = "; ".join([f"no table for {output or plot}", *(() if several else tuned.notes)])
        raise RulesError(said.rstrip(".") if len(said) < MESSAGE else said[:MESSAGE] + "...")
    if output is not None:
        for k, table in enumerate(best, 1):
            write(output.with_stem(f"{output.stem}-{k}") if several else output, table.text)
    if plot is not None:
        from sevenout.papers.pictures import plots
        from sevenout.papers.pictures.frontier import frontier

        plots.save(frontier(tuned, bet), plot)
    if csv:
        from sevenout.cli.out import print_text

        tables = [block for block in tuned.page().blocks if hasattr(block, "csv")]
        print_text(tables[0].csv() if best else "")
    return csv


MESSAGE = 380
"""The most characters of a message."""
EXTRAS: Mapping[str, Callable[..., Any]] = {
    "best": best,
    "compare": compare,
    "dice": dice,
    "evening": evening,
    "faults": faults,
    "no_seven": no_seven,
    "tune": tune,
}
"""By question, the further options of its command."""
INSTEAD: Mapping[str, Callable[..., int | None]] = {
    "evening": session_beside,
    "simulate": simulate_otherwise,
    "variants": variants_written,
}
"""By question, what may replace its answer: a function that returns an exit code, or None."""
