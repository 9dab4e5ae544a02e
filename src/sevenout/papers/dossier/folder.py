"""The folder of a dossier, written whole or not at all, with the hash of every file."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from sevenout import __version__
from sevenout.documents import Block, Code, Column, Fact, Facts, Page, Table, Text, code
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, MONO
from sevenout.errors import FileError, printable
from sevenout.files import folder, named
from sevenout.papers.dossier.dossier_content import DossierContent, Matter
from sevenout.papers.dossier.felt_layout import has_layout, smaller
from sevenout.papers.dossier.papers import Paper, papers
from sevenout.papers.sections.award_sections import edges
from sevenout.papers.sections.first_page import signed

INDEX, SUMS = "index.json", "SHA256SUMS"
FORMAT = "sevenout dossier"
OFFICES = "maker", "author", "laboratory"
"""The signatories."""
MOST_BETS = 12
"""The most bets with their edge on the first page."""

Hashes = Mapping[str, tuple[str, int]]
"""The hash and size of each file, by name."""


def dossier(matter: Matter, output: str | os.PathLike[str]) -> Path:
    r"""Write a dossier into a folder, which is new, empty, or an older dossier of the game.

    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.sheet import subject_of
    >>> craps = subject_of(games.entry("craps"))
    >>> with TemporaryDirectory() as place:
    ...     made = dossier(Matter(craps, "Craps", games=0, volume=100), Path(place, "new"))
    ...     len(list(made.iterdir())), (made / "SHA256SUMS").read_text().count("\n")
    (22, 21)

    Raises:
        FileError: the folder holds something else or another game's dossier, or can't be written.
    """
    front = partial(index, matter)
    return bound(output, papers(matter), front, matter)


def bound(
    output: str | os.PathLike[str],
    papers: Iterable[Paper],
    index: Callable[[list[Paper], Hashes], Page],
    matter: DossierContent[Any],
) -> Path:
    """Write papers into a folder, with their hashes and the first page that `index` makes from
    both.
    """
    with folder(output, partial(may_go, matter=matter)) as place:
        hashes: dict[str, tuple[str, int]] = {}
        made: list[Paper] = []
        for paper in papers:
            content = paper.made()
            (place / paper.name).write_bytes(content)
            hashes[paper.name] = sha256(content).hexdigest(), len(content)
            made.append(paper)
        page = index(made, hashes)
        data = {
            "format": FORMAT,
            "version": 1,
            "game": matter.title,
            matter.identity[0]: matter.identity[1],
            "declaration": matter.digest,
            "software": f"sevenout {__version__}",
            "files": {p.name: {"sha256": hashes[p.name][0], "what": p.what} for p in made},
        }
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        last = {
            "index.html": page.html(),
            "index.pdf": page.pdf(matter.fonts, matter.paper),
            INDEX: text.encode(),
        }
        for name, content in last.items():
            (place / name).write_bytes(content)
            hashes[name] = sha256(content).hexdigest(), len(content)
        lines = (f"{digest}  {name}\n" for name, (digest, _) in sorted(hashes.items()))
        (place / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
    return Path(output)


def may_go(place: Path, matter: DossierContent[Any]) -> bool:
    """Whether a folder holds only an older dossier of the game.

    Raises:
        FileError: it is another game's dossier, by title and fingerprint.
    """
    try:
        sums = (place / SUMS).read_text(encoding="utf-8").splitlines()
        data = json.loads((place / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    listed = {line.partition("  ")[2] for line in sums} | {SUMS}
    there = {each.name for each in place.iterdir()}
    if not (isinstance(data, dict) and data.get("format") == FORMAT and there <= listed):
        return False
    name, print_ = matter.identity
    if matter.title != data.get("game") and print_ != data.get(name):
        other = printable(str(data.get("game")), 60)
        raise FileError(
            f"can't write {named(place)}: it holds the dossier of another game, {other}; name "
            "another folder"
        )
    return True


def index(matter: Matter, made: list[Paper], hashes: Hashes) -> Page:
    subject, vectors = matter.subject, matter.vectors
    facts = [fact for bet in subject.names[:MOST_BETS] for fact in edges(subject, bet)]
    if (more := len(subject.bets) - MOST_BETS) > 0:
        facts.append(Fact(f"House edge of {more} more", "", note="in the sheet"))
    if (best := subject.optimum) is not None and not subject.bets:
        name = best.goal.said[:1].upper() + best.goal.said[1:]
        facts.append(Fact(name, best.value, FRACTION, DECIMAL, note="played best"))
    facts.append(Fact("Answers", subject.solution.status, note=subject.solution.how))
    facts.append(
        Fact(
            "Test vectors",
            len(vectors.all),
            COUNT,
            note=f"{vectors.covered:,} of {vectors.moves:,} moves of the game are made",
        )
    )
    missing = _missing(matter)
    check = (
        " checks every file. ",
        code("python check.py certificate.jsonl"),
        " checks the mathematics. ",
        code(f"sevenout conform {matter.command or 'GAME'} results.csv"),
        " checks a program that plays the game, by its answers to the test vectors or by its log.",
    )
    felt = [smaller(matter.felt)] if has_layout(matter) else []
    papers, files = listed(made, hashes)
    lists: list[Block] = [papers, *([Text(missing, tone="note")] if missing else []), files]
    return contents(matter, facts, felt, lists, check)


def contents(
    matter: DossierContent[Any],
    facts: Iterable[Fact],
    shown: Iterable[Block],
    lists: Iterable[Block],
    check: Iterable[Any],
) -> Page:
    """The first page: facts, pictures, signatures, contents, and how to check them."""
    again: list[Block] = []
    if matter.written_by:
        again = [Text("This command wrote it:"), Code(matter.written_by)]
    played = Fact("Simulated games", matter.games, COUNT, note=f"seed {matter.seed}")
    return matter.page(
        "Dossier",
        Facts(*facts, *([played] if matter.games else [])),
        *shown,
        signed(matter.offices or OFFICES, matter.author),
        *lists,
        Page(
            "How to check it",
            Text("In this folder, ", code(f"sha256sum -c {SUMS}"), *check),
            *again,
        ),
    )


def listed(made: list[Paper], hashes: Hashes) -> tuple[Page, Page]:
    by_what: dict[str, list[str]] = {}
    for paper in made:
        by_what.setdefault(paper.what, []).append(paper.name)
    contents = [(what, ", ".join(names)) for what, names in by_what.items()]
    files = [(name, hashes[name][1], hashes[name][0]) for name in (p.name for p in made)]
    heads = ["file", Column("bytes", COUNT), Column("SHA-256", MONO)]
    return (
        Page("What is in it", Table(["paper", "files"], contents)),
        Page("Every file", Table(heads, files)),
    )


def _missing(matter: Matter) -> str:
    """What a regulator asks for that only the maker can supply."""
    file, bets = matter.file, matter.bets
    said = {
        "the dealing procedure": file is not None and file.procedure,
        "the layout": not bets or has_layout(matter) or (file is not None and file.layout),
        "void rolls and cocked dice": file is not None and (file.void_rolls or file.cocked_dice),
        "the limits of the bets": not bets or any(map(matter.limits, bets)),
        "the maker": matter.maker,
    }
    left = [what for what, there in said.items() if not there]
    if not left:
        return ""
    return f"No game file states these, so they are not in this dossier: {', '.join(left)}."
