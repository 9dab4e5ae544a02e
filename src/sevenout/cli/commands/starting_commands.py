"""`sevenout tour`, `sevenout new` and `sevenout lab`: where a newcomer starts."""

from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.budgets.supervision import status
from sevenout.cli.options import Json, Output
from sevenout.cli.out import console, headline, print_json, print_text
from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import percent
from sevenout.errors import FileError
from sevenout.extras import needs
from sevenout.files import named

BILLION = 10**9


def tour(*, json: Json = False) -> None:
    """Show what sevenout does: questions that anyone can type, then odds, variants, simulation."""
    from sevenout.catalogue import games
    from sevenout.solving import solve
    from sevenout.variants import Family, fairest

    start = perf_counter()
    craps = solve(games["craps"])
    fast = solve(games["fast-craps"])
    mains = {main: solve(games("hazard", main=main)) for main in range(5, 10)}
    turns = {main: solve(games("hazard-turn", main=main)) for main in mains}
    whole, article = Family("2d6"), Family("2d6", labelling="canonical")
    best = {family.labelling: fairest(family) for family in (article, whole)}
    if json:
        from sevenout.questions.dice_pages import no_seven_data

        print_json(
            {
                "craps": craps.to_dict(),
                "fast-craps": fast.to_dict(),
                "hazard": {main: solution.to_dict() for main, solution in mains.items()},
                "dice": no_seven_data(6),
                "fairest": {
                    labelling: fairest_variants.to_dict()
                    for labelling, fairest_variants in best.items()
                },
            }
        )
        return
    out = console()
    _first_questions(out, craps)
    _craps(out, craps)
    _fast_craps(out, fast)
    _hazard(out, mains, turns)
    _dice(out)
    _variants(out, craps, best)
    _simulation(out, best["all"])
    out.print()
    out.print(f"The tour took {perf_counter() - start:.1f} s.", style="dim")


def _first_questions(out: Any, craps: Any) -> None:
    """Commands that a stranger can use, each with its answer in a sentence."""
    from sevenout.catalogue import games
    from sevenout.evenings import session
    from sevenout.questions import question
    from sevenout.solving.optimal_play import best

    bet = craps.bet()
    doubled = session(bet, 100, amount=5, target=200).reached
    dice: Any = question("dice")
    highest, boxcars = float(dice("4d6kh3").mean), dice("2d6", until="12")
    turn: Any = best(games["pig-turn"])
    rows = [
        (
            "sevenout craps",
            f"The pass line wins {percent(bet.p_win, 2)} of the time, and the house keeps "
            f"{percent(bet.edge, 2)} of each bet on average.",
        ),
        (
            "sevenout evening craps --bankroll 100 --amount 5 --target 200",
            f"100 in bets of 5 become 200 with probability {percent(doubled, 2)}.",
        ),
        (
            "sevenout dice 4d6kh3",
            f"The best three of four dice add up to {highest:.2f} on average.",
        ),
        (
            "sevenout dice 2d6 --until 12",
            f"A 12 takes {boxcars['mean_rolls']} rolls on average, but half of the time it comes "
            f"within {boxcars['median_rolls']}.",
        ),
        ("sevenout best pig-turn", f"A turn of Pig is worth {float(turn.value):.2f} at best."),
        ("sevenout play table", "A seat at a craps table."),
    ]
    _title(out, "Questions to type")
    out.print(Page("", Table(["type", "and see"], rows)))


def _craps(out: Any, craps: Any) -> None:
    _title(out, "Craps, exactly")
    rolls = craps.distribution("rolls")
    bet = craps.bet()
    out.print(f"P(win) = {bet.p_win} = {percent(bet.p_win)}; the house edge is {bet.edge} per bet.")
    out.print(
        f"A game lasts {rolls.mean} = {float(rolls.mean):.4f} rolls on average, with variance "
        f"{rolls.variance}; one in a million lasts more than {rolls.quantile('999999/1000000')}."
    )
    points = [f"{point}: {craps.given(point)['point']}" for point in (4, 5, 6, 8, 9, 10)]
    out.print(f"P(win) when the point is {', '.join(points)}.")


def _fast_craps(out: Any, fast: Any) -> None:
    _title(out, "Fast Craps: two bets on the same rolls")
    for bet in fast.bets.values():
        out.print(bet)
        out.print()
    covariance = fast.covariance("pass", "brick")
    out.print(f"covariance of the two: {covariance} = {float(covariance):.4f}")


def _hazard(out: Any, mains: Any, turns: Any) -> None:
    _title(out, "Hazard: which main should the caster name?")
    best = max(mains, key=lambda main: mains[main].bet().p_win)
    rows = [(main, s.bet().p_win, turns[main].mean("won")) for main, s in mains.items()]
    columns = [Column("main", LABEL), Column("wins a round", FRACTION, PERCENT)]
    columns.append(Column("rounds won in a turn", FRACTION, DECIMAL.to(4)))
    out.print(Page("", Table(columns, rows, tones={list(mains).index(best): "good"})))
    out.print(f"The best main is {best}; with main 7, hazard is craps.")


def _dice(out: Any) -> None:
    from sevenout.questions import question

    pair: Any = question("dice_no_seven")()
    out.print()
    out.print(pair.coloured())


def _variants(out: Any, craps: Any, best: Any) -> None:
    from sevenout.variants import Family, count, fairest

    _title(out, "Which craps variant is the fairest?")
    p = craps.bet().p_win
    names = {"canonical": "article's list", "all": "whole family"}
    rows = []
    for labelling, fairest_variants in best.items():
        size = fairest_variants.family.size
        between = count(fairest_variants.family, p, Fraction(1, 2), ends="neither")
        shown = f"{between:,} = {percent(Fraction(between, size))}"
        rows.append(
            (names[labelling], size, fairest_variants.p_win, fairest_variants.multiplicity, shown)
        )
    columns = ["2d6", Column("variants", COUNT), Column("fairest below 1/2", FRACTION, PERCENT)]
    columns += [Column("attained by", COUNT), Column("between craps and 1/2", LABEL)]
    out.print(Page("", Table(columns, rows)))
    start = perf_counter()
    large = fairest(Family("2d20"))
    seconds = perf_counter() - start
    out.print(
        f"With two 20-sided dice there are {float(large.family.size):.2e} variants; the fairest "
        f"misses 1/2 by {float(large.distance):.1e}, proved in {seconds:.2f} s."
    )


def _simulation(out: Any, fairest_variants: Any) -> None:
    from sevenout.simulation import simulate
    from sevenout.solving import solve

    (variant,) = fairest_variants.first(1)
    _title(out, f"The fairest, {variant}, played {BILLION:,} times, roll by roll")
    start = perf_counter()
    tally = simulate(variant.game(), games=BILLION, seed=1)
    seconds = perf_counter() - start
    out.print(tally.page(solve(variant.game())))
    out.print(
        f"{tally.rolls:,} rolls in {seconds:.1f} s: {tally.rolls / seconds / 1e9:.1f} billion a "
        "second. z is the distance from the exact value in standard deviations."
    )


def _title(out: Any, text: str) -> None:
    out.print()
    headline(out, text)
    out.print()


def lab(
    *,
    port: int = 8080,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
    build: Path | None = None,
    url: str = "",
) -> None:
    """Open the lab in a browser, on this machine only. Press Ctrl-C to stop it.

    With --build DIR the lab is written to a folder instead, which any web server can serve. It has
    the same pages, and Python runs in the visitor's browser. Pyodide and python-flint are
    downloaded from the npm registry and PyPI the first time, and checked.

    Parameters
    ----------
    port
        The port. Write 0 for any free port.
    open
        Open the lab in the browser, or only serve it.
    build
        The folder to write: a new one, or an earlier edition, which is replaced.
    url
        With --build, the address where the folder will be served. Links to it then show a preview.
    """
    for module in ("htpy", "starlette", "uvicorn"):
        needs(module, "lab")
    if build is not None:
        from sevenout.lab.static.build import build as written

        with status.waiting():  # while two registries answer
            pages, size = written(build, url)
        status.speak()
        print(
            f"The lab is in {named(build)}: {pages} pages, and {size / 1e6:.0f} MB of Python that "
            "a browser fetches once. Any web server can serve it, such as\n"
            f"python3 -m http.server --directory {quote(str(build))}"
        )
        return
    from sevenout.lab.host import serve

    with status.waiting():
        serve(port, show=open)


def new(
    kind: Literal[
        "craps-like",
        "one-roll",
        "collect",
        "choice",
        "hold",
        "keep",
        "race",
        "points",
        "turn",
        "rules",
    ],
    /,
    *,
    output: Output | None = None,
) -> None:
    """Write a game file to start from, with a comment on each line. It works as it is.

    Parameters
    ----------
    kind
        craps-like (a point game with a side bet), one-roll (bets on the next roll), collect (totals
        to collect before a stop), choice (a bet with a surrender), hold (hold or roll, like Pig),
        keep (keep and score, like Threes), race (two players without choices), points (a bet on the
        points made before the seven-out), turn (rounds won before a number of losses), or rules
        (any other game: rules in order, each with a condition).
    output
        The file to write. An existing file is never overwritten. The default is to print it.
    """
    text = (files("sevenout.rules.gamefiles") / "starters" / f"{kind}.toml").read_text(
        encoding="utf-8"
    )
    if output is None:
        print_text(text)
        return
    from sevenout.files import named, write

    # A link to a missing file does not exist, but writing would follow it.
    if output.exists() or output.is_symlink():
        raise FileError(f"{named(output)} already exists; give another name")
    write(output, text.replace("FILE", str(output)))
    first = next(line for line in text.splitlines() if line.startswith("#   sevenout "))
    command = first.split()[2]  # its comments begin with: best if the player chooses
    # A command broken over two lines can't be copied.
    console().print(f"{output}: now try sevenout {command} {output}", soft_wrap=True)
