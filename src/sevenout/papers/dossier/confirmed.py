"""The simulation's paper: the games played, their results, and the command to repeat them."""

import json
from typing import Any

from sevenout import __version__
from sevenout.documents import Code, Page, Text
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.sections.playing import simulation
from sevenout.verify import confirm


def confirmed(matter: Matter) -> Page:
    found = simulation(matter.subject, matter.tally, matter.seed, [])
    how = [Text("The same games are played again, bit for bit, on every engine and machine, by:")]
    lines = [Code(_again(matter))] if matter.command else []
    note = (
        "Every roll is exactly fair. Bits of Philox (Salmon et al. 2011) choose a leaf of the "
        "optimal tree of Knuth and Yao (1976), without floats or remainders. The number of games "
        "was fixed in advance, and every game was played to its end."
    )
    again_page = Page("To repeat it", *how, *lines, Text(note, tone="note"))
    return matter.page("Simulation certificate", *found.blocks, again_page)


def _again(matter: Matter) -> str:
    """The command that plays the same games; empty if the game has no name."""
    if not matter.command:
        return ""
    best = "" if matter.subject.optimum is None else " --policy best"
    games = f"--games {matter.games} --seed {matter.seed}"
    return f"sevenout simulate {matter.command} {games}{best}"


def confirmed_data(matter: Matter) -> bytes:
    """The tally, cell by cell, and the verdict, as JSON."""
    verdict = confirm(matter.tally, matter.subject.solution)
    data: dict[str, Any] = {
        "format": "sevenout simulation certificate",
        "version": 1,
        "game": matter.title,
        "fingerprint": matter.subject.chain.fingerprint,
        "declaration": matter.digest,
        "software": f"sevenout {__version__}",
        "games": matter.games,
        "seed": matter.seed,
        "command": _again(matter),
        "tally": matter.tally.to_dict(),
        "confirmed": verdict.to_dict(),
    }
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()
