"""Test your dice: tap what you roll; the taps, in their order, are in the address."""

from collections import Counter
from typing import Any

import htpy as h

from sevenout.dice import Dice, parse_dice
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import Address
from sevenout.lab.chosen import kind_of
from sevenout.lab.parts import Field, form, go, problem
from sevenout.lab.view import View

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST_TAPS = 5_000


def body(view: View) -> list[Any]:
    """The nodes of the page."""
    address = view.address
    text = address.get("dice") or "d6"
    dice = parse_dice(text)
    if len(dice.dice) > 1 or len(dice.dice[0].faces) > len(DIGITS):
        raise NotationError(f"{shown(text)}: tap one die of up to {len(DIGITS)} faces")
    faces = list(dice.dice[0].law)
    taps, wrong = _taps(address, faces)
    here = address.to(keep=("tab", "dice", "taps"))
    return [
        h.div(".columns")[
            view.card(
                "taps",
                "What you rolled",
                form(
                    address.to(keep=("tab",)),
                    Field("Die", "dice", text, "medium", data_send=True),
                    submit="Test this one",
                    class_="fields",
                ),
                h.p(".hint")["Tap a face each time you roll it."],
                _buttons(here, faces, taps),
                h.div(".row")[
                    h.span(role="status")[f"{len(taps):,} {'roll' if len(taps) == 1 else 'rolls'}"],
                    go("Take back", here.to(taps=taps[:-1] or None)) if taps else None,
                    go("Start over", here.to(taps=None)) if taps else None,
                ],
                h.form(".ask", action="/dice", method="get", data_file=True)[
                    h.input(type="hidden", name="tab", value="test"),
                    h.input(type="hidden", name="dice", value=text),
                    h.input(type="hidden", name="taps", value=taps),
                    Field(
                        "Or paste rolls, or choose or drop a file", "more", "", "wide", area=True
                    ),
                    h.div(".row")[
                        h.input(type="file", accept=".csv,.txt", aria_label="A file of rolls"),
                        h.button(".button", type="submit")["Add these rolls"],
                    ],
                ],
                problem(wrong) if wrong else None,
            ),
            h.div(".stack")[_verdict(view, text, dice, faces, taps)],
        ]
    ]


def _taps(address: Address, faces: list[Any]) -> tuple[str, str]:
    """The taps, as a digit of base 36 each; and what is wrong with those that were pasted."""
    taps = address.get("taps")
    known = DIGITS[: len(faces)]
    if len(taps) > MOST_TAPS or any(c not in known for c in taps):
        raise NotationError("the taps in the address are not of this die")
    place = {str(face): DIGITS[i] for i, face in enumerate(faces)}
    words = address.get("more").replace(",", " ").replace(";", " ").split()
    strange = [word for word in words if word not in place]
    if strange:
        return taps, kind_of(NotationError(f"{shown(strange[0])} is no face of this die"))
    if len(taps) + len(words) > MOST_TAPS:
        return taps, f"The lab keeps {MOST_TAPS:,} rolls; the command line tests any file."
    return taps + "".join(place[word] for word in words), ""


def _buttons(here: Address, faces: list[Any], taps: str) -> Any:
    full = len(taps) >= MOST_TAPS
    counts = Counter(taps)
    return h.div(".taps", role="group", aria_label="Faces")[
        (
            go(
                str(face),
                here.to(taps=taps + DIGITS[i]) if not full else here,
                "tap",
                title=f"{counts[DIGITS[i]]} so far",
            )
            for i, face in enumerate(faces)
        )
    ]


def _verdict(view: View, text: str, dice: Dice, faces: list[Any], taps: str) -> Any:
    if not taps:
        return view.card(
            "verdict",
            "The verdict",
            h.p(".soft")[
                "Roll, and tap what comes up. The verdict follows every roll: exact tests of the "
                "shares, of runs and of neighbours, with one answer over all of them."
            ],
        )
    try:
        from sevenout.verify import Rolls, Sample, examine

        order = tuple(faces[DIGITS.index(c)] for c in taps)
        sample = Sample(text, dice.dice[0].law, Counter(order), order)
        report = examine(Rolls("taps", dice, (sample,), len(order)))
        made = report.page()
    except ImportError:
        return problem(
            "The tests need NumPy and SciPy, which are not here; the local lab has them."
        )
    except SevenoutError as error:
        return problem(kind_of(error))
    kind = "good" if report.fair else "bad"
    return view.card("verdict", "The verdict", h.p(f".{kind}")[report.verdict], made)
