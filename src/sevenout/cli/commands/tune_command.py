"""`sevenout tune`: the open numbers of a game file, searched for what a designer wants."""

from pathlib import Path
from typing import Any, Literal

from sevenout.cli.options import Csv, GameOutput, Json, Plot
from sevenout.cli.out import print_json, show
from sevenout.errors import NotationError, RulesError
from sevenout.watchdog import speak

MOST = 380
"""Letters of a message."""


def tune(
    game: Path,
    /,
    *,
    edge: tuple[str, ...] = (),
    hit: tuple[str, ...] = (),
    volatility: tuple[str, ...] = (),
    within: str = "0",
    wish: Literal["plain", "edge", "calm", "top"] = "plain",
    top: int = 20,
    output: GameOutput | None = None,
    plot: Plot | None = None,
    bet: str | None = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Find values of a game's open numbers that give the figures you want.

    Parameters
    ----------
    game
        A .toml file with open numbers. A pay, limit, total or stake is open if it is written as a
        range, "1..9" or "1..3 by 1/2", or as a name listed under [open].
    edge
        The house edge per bet made: 4%..6%, ..5%, or pass=1%..2% for one bet. Repeat the option for
        several bets. Several edges, 8%,6%,4%, are tiers of one table with the fewest changes.
    hit
        The hit frequency, which is the probability of a profit: 20%..30%.
    volatility
        The standard deviation of the profit per unit staked: ..5.
    within
        How far a result may miss an edge that is a single number: 0.5%.
    wish
        The order of the results: plain (round numbers, monotone tables, few different pays), edge
        (nearest to the middle), calm (lowest variance) or top (highest pay).
    top
        The number of results to show.
    output
        Write the best result to this .toml file. Tiers get one file each.
    plot
        Save a picture of the volatility against the edge: .png, .svg or .pdf.
    bet
        The bet in the picture. The default is the first bet with open pays.
    """
    from sevenout.files import write
    from sevenout.rules.gamefiles.open_parameters import read_opened
    from sevenout.variants import tiers
    from sevenout.variants import tune as search

    if game.suffix != ".toml" and not game.is_file():
        raise NotationError(f"{game} is not a .toml file; `sevenout new craps-like` writes one")
    opened = read_opened(game)
    asked: dict[str, Any] = {"hit": list(hit), "volatility": list(volatility), "within": within}
    asked |= {"wish": wish, "top": top}
    several = [one for one in edge if "," in one.rpartition("=")[2]]
    if several:
        if len(edge) > 1 or plot:
            raise RulesError("tiers take a single --edge, such as 8%,6%,4%, and no --plot")
        bet_, is_, steps = edge[0].rpartition("=")
        found: Any = tiers(opened, [f"{bet_}{is_}{one}" for one in steps.split(",")], **asked)
        best = found.ladder
        names = (
            [output.with_stem(f"{output.stem}-{k}") for k in range(1, len(best) + 1)]
            if output
            else []
        )
    else:
        found = search(opened, edge=list(edge), **asked)
        best = found.tables[:1]
        names = [output] if output else []
    if (output is not None and not best) or (plot is not None and not found.count):
        why = () if several else found.notes
        said = "; ".join([f"no table for {output or plot}", *why])
        raise RulesError(said.rstrip(".") if len(said) < MOST else said[:MOST] + "...")
    for table, name in zip(best, names, strict=False):
        write(name, table.text)
    if plot is not None:
        from sevenout.report.pictures import plots
        from sevenout.report.pictures.frontier import frontier

        plots.save(frontier(found, bet), plot)
    if json:
        print_json(found.to_dict())
    elif csv:
        tables = [block for block in found.page().blocks if hasattr(block, "csv")]
        speak()
        print(tables[0].csv() if best else "", end="")
    else:
        show(str(opened.data.get("name", game)), found)
