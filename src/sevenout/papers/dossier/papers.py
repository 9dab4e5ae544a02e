"""The papers of a dossier: the files and what makes them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

from sevenout.documents import Page, Text
from sevenout.papers.dossier.confirmed import confirmed, confirmed_data
from sevenout.papers.dossier.dossier_content import DossierContent, Matter
from sevenout.papers.dossier.evening_pages import evenings
from sevenout.papers.dossier.felt_layout import has_layout, layout
from sevenout.papers.dossier.rackcard import rack_card
from sevenout.papers.dossier.rules_paper import rulebook
from sevenout.papers.dossier.watching import limits_csv, monitoring
from sevenout.papers.sections.award_sections import meter_csv
from sevenout.papers.sections.strategy_section import strategy
from sevenout.papers.sheet import certificate_of, sheet
from sevenout.rules import Game
from sevenout.rules.families.keepscore import KeepScore

GAME_FILE = "game.toml"
"""The name of the game file in the folder, and in every printed command."""

DECLARATION = "declaration.toml"
"""The name of the file with the canonical text."""


class Paper(NamedTuple):
    """A file."""

    name: str
    what: str
    made: Callable[[], bytes]


def papers(matter: Matter) -> Iterator[Paper]:
    subject, made = matter.subject, partial(printed, matter)
    worked = "every win, loss and tie worked" if subject.bets else "a game worked"
    yield from made("rules", f"Rules of play: {worked}", rulebook(matter))
    if has_layout(matter):
        felt = "Layout of the table, for print"
        yield Paper("layout.pdf", felt, lambda: layout(matter))
        yield Paper("layout.svg", felt, matter.felt.svg.encode)
    if matter.picture is not None:
        name, picture = matter.picture
        yield Paper(name, "The maker's own picture of it", lambda: picture)
    card = "Rack card, one page for the table"
    yield Paper("rack-card.pdf", card, lambda: rack_card(matter))
    yield Paper("rack-card.svg", card, lambda: rack_card(matter, "svg"))
    yield from made("sheet", "Mathematics of the game, with every figure", _sheet(matter))
    if subject.optimum is not None:
        best = strategy(subject.optimum, matter.policies, whole=True)
        paper = matter.page("Strategy card", *dice_as_shown(matter.game), *best.blocks[:-1])
        simple = "; return under best and simple play" if matter.policies else ""
        yield from made("strategy", f"Strategy card{simple}", paper)
    if subject.bets:
        yield from made("evenings", "How an evening of each bet ends", evenings(matter))
    if matter.monitors:
        what = "Monitoring: limits of the actual return, and the rule to apply daily"
        yield from made("monitoring", what, monitoring(matter))
        yield Paper(
            "monitoring.csv", "The same limits as data", lambda: limits_csv(matter).encode()
        )
    what = "Test vectors: games roll by roll, with what must come of them"
    yield Paper("vectors.csv", what, lambda: matter.vectors.csv().encode())
    if subject.awards:
        what = "Test vectors of the meter: what it shows, and what is won"
        yield Paper("meter.csv", what, meter_csv(subject).encode)
    proof = certificate_of(subject, matter.title, matter.declaration.decode())
    if proof is not None:
        yield Paper(
            "certificate.jsonl",
            "Certificate: the answers with their proof"
            + (", awards left out except where named" if subject.awards else ""),
            lambda: b"".join(proof.lines()),
        )
        checker = files("sevenout.certify").joinpath("check.py")
        what = "The program that checks it; needs nothing but Python"
        yield Paper("check.py", what, checker.read_bytes)
    if matter.games:
        yield from made("simulation", "Simulation certificate", confirmed(matter))
        what = "The simulation, cell by cell"
        yield Paper("simulation.json", what, lambda: confirmed_data(matter))
    yield from stated(matter)


def dice_as_shown(game: Game) -> list[Text]:
    """How a card names the dice of a game in which dice are kept."""
    if not isinstance(game, KeepScore) or game.needed:
        return []
    worst, best = ("most", "least") if game.low else ("least", "most")
    said = f"Dice are shown by what they count, those that count {worst} first. "
    return [Text(f"{said}To keep some is to keep those that count {best}.", tone="note")]


def stated(matter: DossierContent[Any]) -> Iterator[Paper]:
    """The canonical text and the files it is based on."""
    what = "The declaration: all that is stated, in its one canonical text"
    yield Paper(DECLARATION, what, lambda: matter.declaration)
    for name, source in matter.sources:
        yield Paper(name, "The rules, as a program", partial(bytes, source))
    if matter.text:
        yield Paper(GAME_FILE, "The game file", lambda: matter.text)


def printed(matter: DossierContent[Any], name: str, what: str, page: Page) -> Iterator[Paper]:
    yield Paper(f"{name}.pdf", what, partial(page.pdf, matter.fonts, matter.paper))
    yield Paper(f"{name}.html", what, page.html)


def _sheet(matter: Matter) -> Page:
    text = matter.declaration.decode()
    made = sheet(
        replace(matter.subject, declared=matter.declared, declaration=text),
        date=matter.date,
        simulate=matter.tally if matter.games else None,
        seed=matter.seed,
        bankroll=matter.bankroll,
        rounds=matter.rounds,
        pace=matter.pace,
        policies=matter.policies,
        asked=matter.asked,
    )
    return made.stating(matter.hashes)
