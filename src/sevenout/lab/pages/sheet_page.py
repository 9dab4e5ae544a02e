"""Papers: the sheet of a game, its PDF, and the check of a certificate."""

import htpy as h

from sevenout.documents import Page
from sevenout.lab.address import CRAPS, Address, choose
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import go, heading
from sevenout.lab.widgets.view import Reply, View, nodes_of
from sevenout.questions.reference import section

PATH = "/"


def page(address: Address) -> View:
    made, chosen = _sheet(address), choose(address.get("game") or CRAPS)
    view = View(address, f"{chosen.title}, sheet", PATH)
    goal = f", goal={dict(chosen.goal)!r}" if chosen.goal else ""
    asks = _asks(address)
    more = f", sections=[{', '.join(f'section({text!r})' for text in asks)}]" if asks else ""
    arguments = f"game, {chosen.title!r}" + (
        f", rules={chosen.rules_text!r}" if chosen.rules_text else ""
    )
    view.python = copies.program(
        chosen,
        f"made = sheet(declaration({arguments}){goal}{more})",
        'Path("sheet.pdf").write_bytes(made.pdf())',
        "print(made)",
        imports=[
            "from pathlib import Path",
            *(["from sevenout.questions.reference import section"] if asks else []),
            "from sevenout.papers import declaration, sheet",
        ],
    )
    options = [word for text in asks for word in ("--ask", text)]
    view.command = copies.command(chosen, "sheet", "--games=0", *options, "-o", "sheet.pdf")
    view.body = [
        h.div(".actions")[
            go("PDF", address.to("/sheet.pdf"), "main", download=True),
            go("Check a proof", address.to("/proof", keep=())),
            go("Back to the game", address.to("/")),
        ],
        h.div(".sheet")[list(nodes_of([made], level=1))],
    ]
    return view


def pdf(address: Address) -> Reply:
    return Reply(_sheet(address).pdf(), "application/pdf", filename="sheet.pdf")


def _sheet(address: Address) -> Page:
    from sevenout.papers import declaration, sheet

    chosen = choose(address.get("game") or CRAPS)
    stated = declaration(
        chosen.game,
        chosen.title,
        rules=chosen.rules_text,
        progressives=chosen.file.progressives if chosen.file else {},
        currency=chosen.file.currency if chosen.file else "",
    )
    return sheet(
        stated,
        goal=chosen.goal,
        sections=tuple(map(section, _asks(address))),
    )


def _asks(address: Address) -> list[str]:
    """The questions that are sections, as in the address: odds --longer 9;odds --at 4."""
    return [text for part in address.get("ask").split(";") if (text := part.strip())]


def proof(address: Address) -> View:
    """Check a certificate with `check.py`, in its own process or in the visitor's browser.

    The chosen file never leaves the machine.
    """
    view = View(address, "Check a proof", PATH)
    view.command = "sevenout certify --check proof.json"
    view.body = [
        heading(
            "Check a proof",
            "Choose a certificate that sevenout certify wrote. A program that shares no code with "
            "the rest of sevenout checks it here. The file stays on this machine.",
        ),
        h.form(".stack", data_file=True, data_proof=True)[
            h.label(".row")["Certificate", h.input(type="file", accept=".json,.jsonl,.gz")],
            h.output(".note", role="status"),
        ],
    ]
    return view
