"""The dossier of a game of turns, such as Yahtzee: it has no bets, so nothing of edge or layout."""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout import __version__
from sevenout.decide.pages import compared as simple_play
from sevenout.page import Block, Code, Fact, Facts, Page, Paper, Text, code, prose
from sevenout.page.kinds import COUNT, DECIMAL
from sevenout.report import turns as sheets
from sevenout.report.dossier.folder import OFFICES, SUMS, Hashes, bound, listed
from sevenout.report.dossier.papers import Paper as File
from sevenout.report.dossier.turnbook import worked
from sevenout.report.front import signed
from sevenout.verify.turnvectors import TurnVectors

if TYPE_CHECKING:
    from sevenout.decide.turncertificate import TurnCertificate
    from sevenout.decide.turnlaw import Played
    from sevenout.decide.turnplay import TurnOptimum


@dataclass(frozen=True, eq=False)
class TurnMatter:
    """What the dossier of a game of turns is about.

    Attributes:
        optimum: the game, played best.
        title: its name in print.
        command: the game as it is named on the command line.
        rules: in the words of who wrote them.
        source: where they come from.
        version: of the rules, as the maker counts them.
        date: in print; the clock is never asked.
        games: how many games the simulation plays.
        seed: of the simulation.
        fonts: a folder of fonts, for characters that those of the PDF lack.
        paper: of what is printed: "a4" or "letter".
    """

    optimum: "TurnOptimum"
    title: str
    command: str = ""
    rules: str = ""
    source: str = ""
    version: str = "1"
    date: str = ""
    games: int = 1_000_000
    seed: int = 1
    fonts: Path | None = None
    paper: Paper = "a4"

    @cached_property
    def proof(self) -> "TurnCertificate":
        """The certificate."""
        return self.optimum.certificate(game=self.title)

    @cached_property
    def seen(self) -> "Played":
        """The simulation."""
        return self.optimum.simulate(self.games, self.seed)

    @cached_property
    def vectors(self) -> TurnVectors:
        """The test vectors."""
        return TurnVectors(self.optimum)

    @property
    def certificate(self) -> str:
        """The name of its file; one of many cards is compressed."""
        return sheets.PROOF + (".gz" if self.optimum.cards > sheets.MOST_ATTACHED else "")

    def page(self, kind: str, *blocks: Block) -> Page:
        """A paper of the dossier."""
        facts = [("version", self.version), ("certificate, SHA-256", self.proof.sha256)]
        facts.append(("computed by", f"sevenout {__version__}"))
        return Page(self.title, *blocks, subtitle=kind, facts=facts, date=self.date)


def turn_dossier(matter: TurnMatter, output: str | os.PathLike[str]) -> Path:
    """Write the dossier of a game of turns into a folder, as `dossier` does.

    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.decide import best
    >>> from sevenout.games.yahtzee import Yahtzee
    >>> class OneBox(Yahtzee):
    ...     card = (frozenset({"yahtzee"}), False)
    >>> with TemporaryDirectory() as place:
    ...     made = turn_dossier(TurnMatter(best(OneBox()), "One box", games=0), Path(place, "new"))
    ...     len(list(made.iterdir())), (made / "certificate.jsonl").exists()
    (15, True)

    Raises:
        FileError: the folder holds something else, or can't be written.
    """
    return bound(output, _papers(matter), partial(_index, matter), matter, matter.proof.sha256)


def _papers(matter: TurnMatter) -> Iterator[File]:
    """The files, in the order in which one reads them."""
    optimum, made = matter.optimum, partial(_page, matter)
    book = [sheets.rules(optimum, matter.rules, matter.seed), worked(optimum)]
    told = matter.page("Rules of play", *book)
    yield from made("rules", "Rules of play: every entry worked, and a game", told)
    sheet = sheets.turn_sheet(
        optimum,
        matter.title,
        text=matter.rules,
        source=matter.source,
        version=matter.version,
        date=matter.date,
        simulate=matter.games or None,
        seed=matter.seed,
    )
    yield from made("sheet", "Mathematics of the game: what it comes to, and its law", sheet)
    compared = simple_play(optimum, {"greedy": "greedy"})
    note = Text(sheets.GREEDY, tone="note")
    best = matter.page("Strategy", *compared, note, *sheets.strategy(optimum))
    yield from made("strategy", "Strategy card; return under best and simple play", best)
    what = "Test vectors: games turn by turn, with what must come of them"
    yield File("vectors.csv", what, lambda: matter.vectors.csv().encode())
    yield File("vectors.json", what, lambda: matter.vectors.json(matter.title).encode())
    hands = "What every hand pays in every entry of the first card"
    yield File("scores.csv", hands, lambda: matter.vectors.scores().encode())
    proved = "Certificate: the rules as integers, with the value that comes of them"
    yield File(matter.certificate, proved, partial(_certificate, matter))
    checker = files("sevenout.certify").joinpath("check.py")
    yield File(
        "check.py", "The program that works it out; needs nothing but Python", checker.read_bytes
    )
    if matter.games:
        seen = sheets.simulation(optimum, matter.seen, matter.seed)
        how: list[Block] = []
        if matter.command:
            how = [Text("The same games are played again, die for die, by:")]
            how.append(Code(_again(matter)))
        confirmed = matter.page("Simulation certificate", *seen.blocks, *how)
        yield from made("simulation", "Simulation certificate", confirmed)
        yield File("simulation.json", "The simulation as data", partial(_simulated, matter))


def _page(matter: TurnMatter, name: str, what: str, page: Page) -> Iterator[File]:
    yield File(f"{name}.pdf", what, partial(page.pdf, matter.fonts, matter.paper))
    yield File(f"{name}.html", what, page.html)


def _certificate(matter: TurnMatter) -> bytes:
    lines = b"".join(matter.proof.lines())
    if not matter.certificate.endswith(".gz"):
        return lines
    packed = BytesIO()
    with gzip.GzipFile("", "wb", 6, packed, 0) as file:  # no name and no time: the same bytes
        file.write(lines)
    return packed.getvalue()


def _again(matter: TurnMatter) -> str:
    games = f"--games {matter.games} --seed {matter.seed}"
    return f"sevenout simulate {matter.command} --policy best {games}"


def _simulated(matter: TurnMatter) -> bytes:
    """What was seen, as JSON."""
    data: dict[str, Any] = {
        "format": "sevenout simulation of turns",
        "version": 1,
        "game": matter.title,
        "rules": matter.proof.sha256,
        "software": f"sevenout {__version__}",
        "seed": matter.seed,
        "command": _again(matter) if matter.command else "",
        **matter.seen.to_dict(),
    }
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def _index(matter: TurnMatter, made: list[File], hashes: Hashes) -> Page:
    """The first page: the value, what is in the folder, and the hash of each file."""
    optimum = matter.optimum
    facts = [
        Fact(
            optimum.goal.said.capitalize(),
            optimum.known,
            DECIMAL.to(9),
            note="mean",
        ),
        Fact("Standard deviation", optimum.law.std, DECIMAL.to(6), note="played best"),
        Fact("Score cards", optimum.cards, COUNT, note=f"{optimum.states:,} with their totals"),
        Fact("Test vectors", len(matter.vectors.all), COUNT, note="games, turn by turn"),
    ]
    if matter.games:
        facts.append(Fact("Simulated games", matter.games, COUNT, note=f"seed {matter.seed}"))
    contents, every = listed(made, hashes)
    check = Text(
        "In this folder ",
        code(f"sha256sum -c {SUMS}"),
        " checks every file, and ",
        code(f"python check.py {matter.certificate}"),
        " works out every turn of every card. ",
        code(f"sevenout conform {matter.command or 'GAME'} results.csv"),
        " checks a program that plays the game: it deals itself the dice of the test vectors, does "
        "what they do, and says what it comes to (columns vector and score); or its log.",
    )
    return matter.page(
        "Dossier",
        Facts(*facts),
        *prose(matter.rules),
        signed(OFFICES, ""),
        contents,
        every,
        Page("How to check it", check),
    )
