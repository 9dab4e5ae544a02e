"""Papers: the sheet of a game, its PDF, and the check of a certificate."""

import htpy as h

from sevenout.documents import Page
from sevenout.lab.address import DEFAULT_GAME, Address, game_subject
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import heading, link_button
from sevenout.lab.widgets.view import Reply, View, nodes_of
from sevenout.questions.reference import section

PATH = "/"


def page(address: Address) -> View:
    sheet_page, subject = _sheet(address), game_subject(address.get("game") or DEFAULT_GAME)
    view = View(address, f"{subject.title}, sheet", PATH)
    goal = f", goal={dict(subject.goal)!r}" if subject.goal else ""
    section_texts = _section_texts(address)
    more = (
        f", sections=[{', '.join(f'section({text!r})' for text in section_texts)}]"
        if section_texts
        else ""
    )
    arguments = f"game, {subject.title!r}" + (
        f", rules={subject.rules_text!r}" if subject.rules_text else ""
    )
    view.python = copies.program(
        subject,
        f"made = sheet(declaration({arguments}){goal}{more})",
        'Path("sheet.pdf").write_bytes(made.pdf())',
        "print(made)",
        imports=[
            "from pathlib import Path",
            *(["from sevenout.questions.reference import section"] if section_texts else []),
            "from sevenout.papers import declaration, sheet",
        ],
    )
    options = [word for text in section_texts for word in ("--ask", text)]
    view.command = copies.command(subject, "sheet", "--games=0", *options, "-o", "sheet.pdf")
    view.body = [
        h.div(".actions")[
            link_button("PDF", address.to("/sheet.pdf"), "main", download=True),
            link_button("Check a proof", address.to("/proof", keep=())),
            link_button("Back to the game", address.to("/")),
        ],
        h.div(".sheet")[list(nodes_of([sheet_page], level=1))],
    ]
    return view


def pdf(address: Address) -> Reply:
    return Reply(_sheet(address).pdf(), "application/pdf", filename="sheet.pdf")


def _sheet(address: Address) -> Page:
    from sevenout.papers import declaration, sheet

    subject = game_subject(address.get("game") or DEFAULT_GAME)
    stated = declaration(
        subject.game,
        subject.title,
        rules=subject.rules_text,
        progressives=subject.file.progressives if subject.file else {},
        currency=subject.file.currency if subject.file else "",
    )
    return sheet(
        stated,
        goal=subject.goal,
        sections=tuple(map(section, _section_texts(address))),
    )


def _section_texts(address: Address) -> list[str]:
    """The questions of the address that become sections, as in "odds --longer 9;odds --at 4"."""
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
