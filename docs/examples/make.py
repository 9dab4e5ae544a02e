"""Makes the example sheets of the docs again: `python docs/examples/make.py`."""

from pathlib import Path

from sevenout.catalogue import games
from sevenout.documents import Page
from sevenout.papers import declaration, sheet
from sevenout.rules import PayTable, PointGame
from sevenout.rules.gamefiles.gamefile import read_game

HERE = Path(__file__).parent
DATE, GAMES, SEED = "2026-11-20", 1_000_000, 1

LINE_BETS = {
    "pass": PayTable(),
    "don't pass": PayTable(natural=-1, craps={(2, 3): 1, 12: 0}, point=-1, out=1),
    "pass, single odds": PayTable(
        point={(4, 10): (3, 2), (5, 9): ("5/2", 2), (6, 8): ("11/5", 2)}, out=(-2, 2)
    ),
    "pass, 3-4-5 times odds": PayTable(
        point={(4, 10): (7, 4), (5, 9): (7, 5), (6, 8): (7, 6)},
        out={(4, 10): (-4, 4), (5, 9): (-5, 5), (6, 8): (-6, 6)},
    ),
}


def craps() -> Page:
    """Craps, with its line bets and odds on the same rolls."""
    entry = games.entry("craps")
    game = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, bets=LINE_BETS)
    stated = declaration(game, "Craps: line bets and odds", rules=entry.rules)
    return sheet(
        stated,
        source=entry.source,
        date=DATE,
        simulate=GAMES,
        seed=SEED,
    )


def fast_craps() -> Page:
    """Fast Craps, both bets."""
    return sheet(games.entry("fast-craps"), date=DATE, simulate=GAMES, seed=SEED)


def hazard() -> Page:
    """Hazard with main 5."""
    entry = games.entry("hazard")
    return sheet(
        declaration(games("hazard", main=5), "Hazard, main 5", rules=entry.rules),
        source=entry.source,
        date=DATE,
        simulate=GAMES,
        seed=SEED,
    )


def eights() -> Page:
    """A game file."""
    return sheet(read_game(HERE / "eights.toml"), date=DATE, simulate=GAMES, seed=SEED)


PAGES = {"craps": craps, "fast-craps": fast_craps, "hazard": hazard, "eights": eights}

DOSSIERS = {
    "six-pack": HERE / "declared" / "six-pack.toml",
    "triple-crown": HERE / "declared" / "triple-crown.toml",
    "crossfire": f"{HERE}/crossfire.py:Crossfire",
    "wheel": f"{HERE}/wheel.py:WheelOfDoubles",
}
"""The dossiers of which the papers in print are kept here, by the end of the folder's name."""


def dossiers() -> None:
    """The dossiers: of each folder the PDFs and the hashes of all that was in it."""
    from shutil import copy
    from tempfile import TemporaryDirectory

    from sevenout.cli import main

    for name, game in DOSSIERS.items():
        with TemporaryDirectory() as place:
            # a program is declared by a file beside it
            statement = HERE / f"{name}-statement.toml"
            declare = ["--declare", str(statement)] if statement.exists() else []
            main(["dossier", str(game), "-o", f"{place}/{name}", "--date", DATE, *declare])
            folder = HERE / f"dossier-{name}"
            folder.mkdir(exist_ok=True)
            for file in Path(place, name).iterdir():
                if file.suffix == ".pdf" or file.name == "SHA256SUMS":
                    copy(file, folder / file.name)


if __name__ == "__main__":
    for name, make in PAGES.items():
        page = make()
        (HERE / f"{name}.pdf").write_bytes(page.pdf())
        (HERE / f"{name}.html").write_bytes(page.html())
    dossiers()
