"""Test real dice: tap each roll. The address holds the taps in order, a base-36 digit each.

For a log that is too long, the address holds the counts and the browser keeps the file.
"""

from collections import Counter
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Column, Table, Text
from sevenout.documents.kinds import COUNT
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import Address, error_sentence
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Field, die, file_form, form, link_button, not_here, problem
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.rolling import Dice
from sevenout.variants.rulebook import dice_of

# One character for each roll keeps 5,000 rolls within the limit of an address.
TAP_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_TAPS = 5_000


class TestedDie(NamedTuple):
    """The die that is tested, and its rolls in the address.

    Attributes:
        text: its notation, as the address has it.
        dice: the die.
        faces: its faces, in the order of their buttons; a tap is the number of its face.
        taps: the rolls that were tapped or pasted, a digit each.
        counts: the count of each face in a log that is too long for taps; empty without one.
    """

    text: str
    dice: Dice
    faces: list[Any]
    taps: str
    counts: list[int]

    @classmethod
    def from_address(cls, address: Address) -> "TestedDie":
        """The die of an address; refused if it has too many faces to tap."""
        text = address.get("dice") or "d6"
        dice = dice_of(text)
        if len(dice.dice) > 1 or len(dice.dice[0].faces) > len(TAP_DIGITS):
            raise NotationError(f"{shown(text)}: tap one die of up to {len(TAP_DIGITS)} faces")
        faces = list(dice.dice[0].law)
        return cls(text, dice, faces, _taps(address, faces), _counts(address, faces))

    @property
    def order(self) -> tuple[Any, ...] | None:
        """The rolls in order; None of a log, as only its shares can be tested."""
        if self.counts:
            return None
        return tuple(self.faces[TAP_DIGITS.index(digit)] for digit in self.taps)

    @property
    def counter(self) -> Counter[Any]:
        """The count of each face that was rolled."""
        counter = Counter(self.faces[TAP_DIGITS.index(digit)] for digit in self.taps)
        if self.counts:
            counter.update(dict(zip(self.faces, self.counts, strict=True)))
        return counter

    def table(self) -> Table:
        """The rolls in order, or the count of each face, for the file."""
        if self.order is not None:
            return Table(["face"], [(str(face),) for face in self.order])
        rows = [(str(face), n) for face, n in self.counter.items()]
        return Table(["face", Column("count", COUNT)], rows)


def tab_content(view: View) -> list[Any] | Reply:
    """The faces to tap, and the verdict on the rolls so far; pasted rolls redirect to their taps.

    It also sets the copies of the page, and what a screen reader says of it.
    """
    address = view.address
    tested = TestedDie.from_address(address)
    taps, counts, message = tested.taps, tested.counts, ""
    try:
        if pasted := _pasted_taps(address, tested):
            return Reply.redirect(address.to(more=None, taps=taps + pasted))
    except NotationError as error:
        message = error_sentence(error)
    # Only a log that is kept as counts has a name.
    base = address.to(keep=("tab", "dice", "taps", *(("counts", "log") if counts else ())))
    n = tested.counter.total()
    fields = {"tab": "test", "dice": tested.text, "taps": taps}
    fields["counts"] = ".".join(map(str, counts))
    if n:
        view.python, view.command = copies.of_die_test(tested.text, tested.counter, tested.order)
    return [
        h.div(".columns")[
            view.add_card(
                "taps",
                "What you rolled",
                form(
                    address.to(keep=("tab",)),
                    Field("Die", "dice", tested.text, "medium"),
                    submit="Test this one",
                ),
                h.p(".hint")["Tap a face each time you roll it."],
                _buttons(base, tested),
                h.div(".row")[
                    h.span(role="status")[quantity(n, "roll")],
                    link_button("Take back", base.to(taps=taps[:-1] or None)) if taps else None,
                    link_button("Start over", base.to(taps=None, counts=None, log=None))
                    if n
                    else None,
                ],
                _stored_log(address, sum(counts)) if counts else None,
                file_form(
                    "Or paste rolls, or choose or drop a file",
                    Address("/dice", fields),
                    Field(
                        "Rolls, with spaces, commas or lines between", "more", "", "wide", area=True
                    ),
                    file="A file of rolls",
                    accept=".csv,.txt",
                    data_faces=" ".join(map(str, tested.faces)),
                    data_most=str(MAX_TAPS),
                ),
                problem(message) if message else None,
                Saved(tested.table()),
            ),
            h.div(".stack")[_verdict_card(view, tested)],
        ]
    ]


def _counts(address: Address, faces: list[Any]) -> list[int]:
    """The count of each face in a log; empty without one."""
    text = address.get("counts")
    parts = text.split(".") if text else []
    whole = all(part.isascii() and part.isdecimal() and len(part) < 13 for part in parts)
    if parts and (len(parts) != len(faces) or not whole):
        example = ".".join(str(10 + i % 3) for i in range(len(faces)))
        raise NotationError(f"counts={shown(text)}; write {len(faces)} counts, such as {example}")
    return [int(part) for part in parts] if any(part.strip("0") for part in parts) else []


def _stored_log(address: Address, n: int) -> Any:
    """Where a log that is too long for an address is kept."""
    # The script keeps the file under the same 60 characters.
    name = address.get("log", "a log")[:60]
    return h.div(".kept", data_log=name)[
        h.p(".hint")[
            f"{n:,} rolls of {name} are too many for an address. It holds how often each face "
            "came, so the shares are tested, and not the order. ",
            h.code[f"sevenout test dice {name}"],
            " tests both.",
        ],
        h.p(".hint", data_here="yes", hidden=True)[
            "The file is kept in this browser alone: ",
            h.a(href="#", download=name)["save it"],
            ", ",
            h.button(".copy", type="button")["forget it"],
            ".",
        ],
        h.p(".hint", data_here="no", hidden=True)["The file itself is not in this browser."],
    ]


def _taps(address: Address, faces: list[Any]) -> str:
    """The taps of an address; refused if a digit is of no face."""
    taps = address.get("taps")
    allowed = TAP_DIGITS[: len(faces)]
    if len(taps) > MAX_TAPS or any(c not in allowed for c in taps):
        raise NotationError("the taps in the address are not of this die")
    return taps


def _pasted_taps(address: Address, tested: TestedDie) -> str:
    """The taps of pasted rolls, which come after the others; refused if a word is no face."""
    digits = {str(face): TAP_DIGITS[i] for i, face in enumerate(tested.faces)}
    words = address.get("more").replace(",", " ").replace(";", " ").split()
    for word in words:
        if word not in digits:
            raise NotationError(f"{shown(word)} is not a face of this die")
    if len(tested.taps) + len(words) > MAX_TAPS:
        raise NotationError(f"the lab keeps {MAX_TAPS:,} rolls; the command line tests any file")
    return "".join(digits[word] for word in words)


def _buttons(base: Address, tested: TestedDie) -> Any:
    """A button for each face, which adds a tap; with its taps so far."""
    is_full = len(tested.taps) >= MAX_TAPS
    counts = Counter(tested.taps)
    return h.div(".taps", role="group", aria_label="Faces")[
        (
            link_button(
                [die(face, faces=tested.faces), h.span(".hint")[f"{counts[TAP_DIGITS[i]]:,}"]],
                # At the limit a tap shows the same page, and not an error.
                base if is_full else base.to(taps=tested.taps + TAP_DIGITS[i]),
                "tap",
                aria_label=f"{face}, {counts[TAP_DIGITS[i]]:,} so far",
            )
            for i, face in enumerate(tested.faces)
        )
    ]


def _verdict_card(view: View, tested: TestedDie) -> Any:
    """The card of the tests, and their verdict as the announcement of the page."""
    n, dice = tested.counter.total(), tested.dice
    if not n:
        return view.add_card(
            "verdict",
            "Is it fair?",
            h.p(".soft")[
                "Take a die, roll it, and tap what comes up. The verdict follows every roll: exact "
                "tests of the shares, of runs and of neighbours, with one answer over all of them, "
                "and how small a bias this many rolls would show. The rolls are in the address: "
                "close the page, come back, go on."
            ],
        )
    # Imported here, because only this page needs it.
    from sevenout.verify import Rolls, Sample, examine

    sample = Sample(str(dice), dice.dice[0].law, tested.counter, tested.order)
    try:
        report = examine(Rolls("taps", dice, (sample,), n))
    except ImportError as error:  # the tests import it when they are first used
        return not_here(error, "The tests need SciPy")
    except SevenoutError as error:
        return problem(error_sentence(error))
    *tests, verdict = report.page().blocks
    view.announcement = f"{quantity(n, 'roll')}. {_sentences(verdict)}"
    return view.add_card("verdict", "Is it fair?", verdict, *tests)


def _sentences(verdict: Any) -> str:
    """The sentences of a verdict, a page."""
    texts = [block for block in verdict.blocks if isinstance(block, Text)]
    return " ".join("".join(span.text for span in text.spans) for text in texts)
