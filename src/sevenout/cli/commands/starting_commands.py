"""`sevenout tour`, `sevenout new` and `sevenout lab`: where a newcomer starts."""

from importlib.resources import files
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Annotated, Literal

from cyclopts import Parameter

from sevenout.budgets.supervision import status
from sevenout.cli.options import Output, refuse_unread
from sevenout.cli.out import console, print_headline, print_text
from sevenout.documents import Page, Table
from sevenout.errors import FileError
from sevenout.extras import require
from sevenout.files import shown_path

STOPS = {
    "odds craps": "What does the house keep at craps?",
    "odds craps --at 6": "And once the point is a 6?",
    "evening craps --bankroll 100 --amount 5 --target 200": "Can 100 become 200, in bets of 5?",
    "dice 4d6kh3 --show 6": "How good are the best three of four dice?",
    "dice 2d6 --until 12": "How long does a 12 take?",
    "odds fast-craps --bet brick": "A game of your own is calculated like this one, Fast Craps.",
    "simulate hazard --rounds 10_000": "Hazard is older. Which main should its caster name?",
    "best pig-turn": "When should a player of Pig stop?",
    "dice no-seven": "Can a pair of dice never roll a 7, and keep the odds of the rest?",
    "variants --fairest --top 3": "Which rules of craps are the fairest?",
    "simulate craps --games 1e9": "Does chance agree? A billion games, roll by roll.",
}
"""The commands of the tour, and the question that each answers: what a stranger can use first."""


def tour() -> None:
    """Show what sevenout does: a dozen commands with their answers. Each can be typed again."""
    from sevenout.cli.app import launch

    out = console()
    start = perf_counter()
    for command, question in STOPS.items():
        out.print()
        print_headline(out, question)
        out.print(f"$ sevenout {command}\n", style="bold")
        launch(command.split())
    out.print()
    print_headline(out, f"The tour took {perf_counter() - start:.1f} s. What to type next")
    out.print()
    rows = [
        ("sevenout games", "the games that it knows"),
        ("sevenout play table", "a seat at a craps table"),
        ("sevenout new craps-like", "a game file to start from"),
        ("sevenout lab", "all of this in a browser"),
        ("sevenout --help", "all commands"),
    ]
    out.print(Page("", Table(["type", "and see"], rows)))


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
    if build is None:
        refuse_unread(lab, locals(), "lab without --build", ["port", "open"])
    else:
        refuse_unread(lab, locals(), "--build", ["build", "url"])
    for module in ("htpy", "starlette", "uvicorn"):
        require(module, "lab")
    if build is not None:
        from sevenout.lab.static.build import build as write_lab

        with status.waiting():  # while two registries answer
            pages, size = write_lab(build, url)
        status.speak()
        print(
            f"The lab is in {shown_path(build)}: {pages} pages, and {size / 1e6:.0f} MB of Python "
            "that a browser fetches once. Any web server can serve it, such as\n"
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
    from sevenout.files import shown_path, write

    # A link to a missing file does not exist, but writing would follow it.
    if output.exists() or output.is_symlink():
        raise FileError(f"{shown_path(output)} already exists; give another name")
    write(output, text.replace("FILE", str(output)))
    first = next(line for line in text.splitlines() if line.startswith("#   sevenout "))
    command = first.split()[2]  # its comments begin with: best if the player chooses
    # A command broken over two lines can't be copied.
    console().print(f"{output}: now try sevenout {command} {output}", soft_wrap=True)
