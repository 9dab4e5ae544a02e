"""The sheet of a game, and the same as a PDF."""

import htpy as h

from sevenout.lab.address import Address
from sevenout.lab.chosen import CRAPS, choose
from sevenout.lab.parts import go
from sevenout.lab.view import Answer, View, drawn
from sevenout.page import Page

PATH = "/"


def page(address: Address) -> View:
    """The page of a sheet."""
    made, title = _sheet(address), choose(address.get("game") or CRAPS).title
    view = View(address, f"{title}, sheet", PATH)
    view.body = [
        h.div(".actions")[
            go("PDF", address.to("/sheet.pdf"), "main", download=True),
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
    return sheet(chosen.game, title=chosen.title, rules=chosen.words or None)
