"""The sheet of a game, and the same as a PDF."""

import htpy as h

from sevenout.lab import copies
from sevenout.lab.address import Address
from sevenout.lab.chosen import CRAPS, choose
from sevenout.lab.parts import go
from sevenout.lab.view import Answer, View, drawn
from sevenout.page import Page

PATH = "/"


def page(address: Address) -> View:
    """The page of a sheet."""
    made, chosen = _sheet(address), choose(address.get("game") or CRAPS)
    view = View(address, f"{chosen.title}, sheet", PATH)
    goal = f", goal={dict(chosen.goal)!r}" if chosen.goal else ""
    asked = f"title={chosen.title!r}, rules={chosen.words or None!r}{goal}"
    view.python = copies.program(
        chosen,
        f"made = sheet(game, {asked})",
        'Path("sheet.pdf").write_bytes(made.pdf())',
        "print(made)",
        imports=["from pathlib import Path", "from sevenout.report import sheet"],
    )
    view.command = copies.command(chosen, "sheet", "--games=0", "-o", "sheet.pdf")
    view.body = [
        h.div(".actions")[
            go("PDF", address.to("/sheet.pdf"), "main", download=True),
            go("Check a proof", address.to("/proof", keep=())),
            go("Back to the game", address.to("/")),
        ],
        h.div(".sheet")[list(drawn([made], level=1))],
    ]
    return view


def pdf(address: Address) -> Answer:
    """The PDF of a sheet."""
    return Answer(_sheet(address).pdf(), "application/pdf", filename="sheet.pdf")


def _sheet(address: Address) -> Page:
    from sevenout.report import sheet

    chosen = choose(address.get("game") or CRAPS)
    words = chosen.words or None
    awards = chosen.file.progressives if chosen.file else None
    return sheet(
        chosen.game, title=chosen.title, rules=words, goal=chosen.goal, progressives=awards
    )
