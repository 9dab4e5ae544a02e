"""Papers: the sheet of a game, its PDF, and the check of a certificate."""

import htpy as h

from sevenout.documents import Page
from sevenout.lab.address import Address, game_subject
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import heading, link_button
from sevenout.lab.widgets.view import Reply, View, nodes_of
from sevenout.questions.reference import section
from sevenout.questions.subjects import GameSubject

PATH = "/"


def page(address: Address) -> View:
    """The sheet of a game as a page."""
    sheet_page, subject = _sheet(address), game_subject(address.get("game"))
    view = View(address, f"{subject.title}, sheet", PATH)
    section_texts = _section_texts(address)
    view.python = _program(subject, section_texts)
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


def _program(subject: GameSubject, section_texts: list[str]) -> str:
    """A program that makes the sheet."""
    imports = ["from pathlib import Path", "from sevenout.papers import declaration, sheet"]
    rules = f", rules={subject.rules_text!r}" if subject.rules_text else ""
    arguments = [f"declaration(game, {subject.title!r}{rules})"]
    if subject.goal:
        arguments.append(f"goal={dict(subject.goal)!r}")
    if section_texts:
        imports.append("from sevenout.questions.reference import section")
        sections = ", ".join(f"section({text!r})" for text in section_texts)
        arguments.append(f"sections=[{sections}]")
    return copies.program(
        subject,
        f"made = sheet({', '.join(arguments)})",
        'Path("sheet.pdf").write_bytes(made.pdf())',
        "print(made)",
        imports=imports,
    )


def pdf(address: Address) -> Reply:
    """The sheet as a file."""
    return Reply(_sheet(address).pdf(), "application/pdf", filename="sheet.pdf")


def _sheet(address: Address) -> Page:
    """The sheet of the address's game, with the questions that it asks."""
    from sevenout.papers import declaration, sheet

    subject = game_subject(address.get("game"))
    declared_game = declaration(
        subject.game,
        subject.title,
        rules=subject.rules_text,
        progressives=subject.file.progressives if subject.file else {},
        currency=subject.file.currency if subject.file else "",
    )
    sections = tuple(map(section, _section_texts(address)))
    return sheet(declared_game, goal=subject.goal, sections=sections)


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
