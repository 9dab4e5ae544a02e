"""The dossier of a game of turns, such as Yahtzee, which has no bets, edge or layout."""

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
from sevenout.documents import Block, Code, Fact, Page, Text, code, prose
from sevenout.documents.kinds import COUNT, DECIMAL
from sevenout.papers import turn_sheet as sheets
from sevenout.papers.canonical_text import canonical_text
from sevenout.papers.dossier.dossier_content import DossierContent
from sevenout.papers.dossier.folder import Hashes, bound, contents, listed
from sevenout.papers.dossier.papers import Paper as File
from sevenout.papers.dossier.papers import printed, stated
from sevenout.papers.dossier.turnbook import worked
from sevenout.rules import ByTurns
from sevenout.solving.policies.policy_pages import compared as simple_play
from sevenout.verify.vectors import TurnVectors

if TYPE_CHECKING:
    from sevenout.solving.turns.turn_distribution import PlayedTurns
    from sevenout.solving.turns.turncertificate import TurnCertificate
    from sevenout.solving.turns.turnplay import TurnOptimum

    _Content = DossierContent[TurnOptimum]
else:
    _Content = DossierContent


@dataclass(frozen=True, eq=False)
class TurnMatter(_Content):
    """The dossier's content of a game of turns, played optimally."""

    rules: str = ""
    source: str = ""

    @property
    def game(self) -> ByTurns:
        return self.subject.game

    @cached_property
    def proof(self) -> "TurnCertificate":
        return self.subject.certificate(game=self.title)

    @cached_property
    def seen(self) -> "PlayedTurns":
        return self.subject.simulate(self.games, self.seed)

    @cached_property
    def vectors(self) -> TurnVectors:
        return TurnVectors(self.subject)

    @property
    def certificate(self) -> str:
        """The certificate's file name; the file is compressed if there are many cards."""
        return sheets.PROOF + (".gz" if self.subject.cards > sheets.MOST_ATTACHED else "")

    @property
    def identity(self) -> tuple[str, str]:
        """The name and hash of the certificate, which holds the rules as integers."""
        return sheets.hash_of(self.subject), self.proof.sha256

    @property
    def words(self) -> str:
        return self.rules

    @property
    def bets(self) -> tuple[str, ...]:
        return ()

    @cached_property
    def declaration(self) -> bytes:
        """The canonical text, with the hash of the certificate's lines on the rules."""
        return canonical_text(self.declared, self.sources, self.proof.rules_sha256).encode()

    @property
    def again(self) -> str:
        """The command that plays the same games."""
        games = f"--games {self.games} --seed {self.seed}"
        return f"sevenout simulate {self.command} --policy best {games}" if self.command else ""


def turn_dossier(matter: TurnMatter, output: str | os.PathLike[str]) -> Path:
    """Write the dossier of a game of turns into a folder, as `dossier` does.

    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.solving.optimal_play import best
    >>> from sevenout.catalogue.choice_games.yahtzee import Yahtzee
    >>> class OneBox(Yahtzee):
    ...     card = (frozenset({"yahtzee"}), False)
    >>> with TemporaryDirectory() as place:
    ...     made = turn_dossier(TurnMatter(best(OneBox()), "One box", games=0), Path(place, "new"))
    ...     len(list(made.iterdir())), (made / "certificate.jsonl").exists()
    (16, True)

    Raises:
        FileError: the folder holds something else, or can't be written.
    """
    return bound(output, _papers(matter), partial(_index, matter), matter)


def _papers(matter: TurnMatter) -> Iterator[File]:
    optimum, made = matter.subject, partial(printed, matter)
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
        simulate=matter.seen if matter.games else None,
        seed=matter.seed,
    )
    sheet = sheet.stating([*matter.said_by, *matter.hashes])
    yield from made("sheet", "Mathematics of the game: its mean and its distribution", sheet)
    compared = simple_play(optimum, {"greedy": "greedy"})
    note = Text(sheets.GREEDY, tone="note")
    best = matter.page("Strategy", *compared, note, *sheets.strategy(optimum))
    yield from made("strategy", "Strategy card; return under best and simple play", best)
    what = "Test vectors: games event by event, with their scores"
    yield File("vectors.csv", what, lambda: matter.vectors.csv().encode())
    hands = "What every hand pays in every entry of the first card"
    yield File("scores.csv", hands, lambda: matter.vectors.scores().encode())
    proved = "Certificate: the rules as integers, with the value that comes of them"
    yield File(matter.certificate, proved, partial(_certificate, matter))
    checker = files("sevenout.certify").joinpath("check.py")
    yield File(
        "check.py", "The program that works it out; needs nothing but Python", checker.read_bytes
    )
    yield from stated(matter)
    if matter.games:
        seen = sheets.simulation(optimum, matter.seen, matter.seed)
        how: list[Block] = []
        if matter.again:
            how = [Text("The same games are played again, die for die, by:"), Code(matter.again)]
        confirmed = matter.page("Simulation certificate", *seen.blocks, *how)
        yield from made("simulation", "Simulation certificate", confirmed)
        yield File("simulation.json", "The simulation as data", partial(_simulated, matter))


def _certificate(matter: TurnMatter) -> bytes:
    lines = b"".join(matter.proof.lines())
    if not matter.certificate.endswith(".gz"):
        return lines
    packed = BytesIO()
    with gzip.GzipFile("", "wb", 6, packed, 0) as file:  # without name and time, for the same bytes
        file.write(lines)
    return packed.getvalue()


def _simulated(matter: TurnMatter) -> bytes:
    """The simulation's results as JSON."""
    data: dict[str, Any] = {
        "format": "sevenout simulation of turns",
        "version": 1,
        "game": matter.title,
        matter.identity[0]: matter.identity[1],
        "declaration": matter.digest,
        "software": f"sevenout {__version__}",
        "seed": matter.seed,
        "command": matter.again,
        **matter.seen.to_dict(),
    }
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def _index(matter: TurnMatter, made: list[File], hashes: Hashes) -> Page:
    """The first page: the value, the contents of the folder, and the hash of each file."""
    optimum = matter.subject
    facts = [
        Fact(optimum.goal.said.capitalize(), optimum.known, DECIMAL.to(9), note="mean"),
        Fact("Standard deviation", optimum.law.std, DECIMAL.to(6), note="played best"),
        Fact("Score cards", optimum.cards, COUNT, note=f"{optimum.states:,} with their totals"),
        Fact("Test vectors", len(matter.vectors.all), COUNT, note="games, turn by turn"),
    ]
    check = (
        " checks every file. ",
        code(f"python check.py {matter.certificate}"),
        " computes every turn of every card again. ",
        code(f"sevenout conform {matter.command or 'GAME'} results.csv"),
        " checks a program that plays the game, by its log or by the test vectors: the program "
        "takes their dice and their choices, and states the score (columns vector and score).",
    )
    return contents(matter, facts, prose(matter.rules), listed(made, hashes), check)
