"""Faults of real dice: faces that come too often, and their effect on each design."""

import re
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import htpy as h

from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import COUNT, DECIMAL, PERCENT
from sevenout.documents.numbers import decimal
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import Address
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Bar, Bars, Field, face_text, form, segments, sorted_outcomes
from sevenout.lab.widgets.view import Saved, View
from sevenout.questions import question
from sevenout.rolling import (
    Fault,
    Rollable,
    chi_square_distance,
    comparison,
    designs,
    faulty_law,
    total_variation,
)

FAULT_FIELD = re.compile(r"f(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})", re.ASCII)
"""The name of a face's field: the numbers of its die and of the face."""
PERCENT_TEXT = re.compile(r"-?\d{1,2}", re.ASCII)
Faults = dict[tuple[int, int], int]
"""How much too heavy faces are, in percent, by the numbers of the die and of its face."""
MAX_FAULT = 50
"""Percent by which a face may be too heavy or too light."""
SHARES, DEFAULT_SHARE = (5, 10, 25, 50), 25
"""Percent by which the worst face is heavier where all designs are compared."""


def tab_content(view: View) -> list[Any]:
    """The cards of one design with faults, and of all designs with the same fault."""
    address = view.address
    design_by_name = designs()
    name = address.one_of("design", design_by_name)
    rollable = design_by_name[name]
    faults = _faults_in(address, rollable)
    fair = rollable.law
    law = faulty_law(rollable, [Fault(d, f, Fraction(p, 100)) for (d, f), p in faults.items()])
    shares = dict.fromkeys((DEFAULT_SHARE, *SHARES))  # the first one is the default
    share = int(address.one_of("share", map(str, shares)))
    base = address.to(keep=("tab", "design", "share"))
    if faults:
        view.python, view.command = copies.of_faults(name, faults)
    else:
        view.python, view.command = copies.of_question(
            question("dice_faults"), (), {"share": Fraction(share, 100)}
        )
    bars = [
        Bar(face_text(total), law.get(total, Fraction(0)), earlier=fair[total])
        for total in sorted_outcomes(fair)
    ]
    return [
        h.div(".columns")[
            view.add_card(
                "weights",
                "The weight of each face",
                segments("Design", [(n, base.to(design=n), n == name) for n in design_by_name]),
                form(
                    base,
                    _weight_fields(rollable, faults),
                    submit="Follow these faults",
                    css_class="",
                ),
                _weights(rollable, faults),
                h.p[h.a(href=str(base))["Make them fair"]] if faults else None,
                note="percent too heavy or too light",
            ),
            h.div(".stack")[
                view.add_card(
                    "totals", "Every total", Bars(bars), note="the tick is without faults"
                ),
                view.add_card("off", "How far it is off", _distances(fair, law)),
            ],
        ],
        view.add_card(
            "designs",
            "The same fault in every design",
            segments("Heavier by", [(f"{s} %", base.to(share=s), s == share) for s in SHARES]),
            _design_comparison(share),
            note=f"the worst face {share} % heavier",
        ),
    ]


def _weight_fields(rollable: Rollable, faults: Faults) -> list[Any]:
    """A field for the fault of each face, die by die."""
    return [
        h.div(".row.weights")[
            h.span(".hint")[f"die {d + 1}"],
            [
                Field(
                    face_text(face),
                    f"f{d}.{f}",
                    faults.get((d, f), 0),
                    "tiny",
                    type="number",
                    min=f"-{MAX_FAULT}",
                    max=str(MAX_FAULT),
                )
                for f, face in enumerate(source.faces)
            ],
        ]
        for d, source in enumerate(rollable.sources)
    ]


def _faults_in(address: Address, rollable: Rollable) -> Faults:
    """The faults in the fields of an address; refused on a face that the dice don't have."""
    faults = {}
    for key in address.query:
        match = FAULT_FIELD.fullmatch(key)
        if match is None:
            continue
        text = address.get(key)
        if not PERCENT_TEXT.fullmatch(text) or abs(int(text)) > MAX_FAULT:
            raise NotationError(
                f"{key}={shown(text)}; write a whole number from -{MAX_FAULT} to {MAX_FAULT}"
            )
        d, f = map(int, match.groups())
        if d >= len(rollable.sources) or f >= len(rollable.sources[d].faces):
            raise NotationError(f"{key}={shown(text)}; these dice have no such face")
        # The form sends all faces, also those without a fault.
        if percent := int(text):
            faults[d, f] = percent
    return faults


def _weights(rollable: Rollable, faults: Faults) -> Saved:
    """The weights of all faces, 1 without a fault, for the file."""
    rows = [
        (d + 1, face_text(face), Fraction(100 + faults.get((d, f), 0), 100))
        for d, source in enumerate(rollable.sources)
        for f, face in enumerate(source.faces)
    ]
    return Saved(Table(["die", "face", Column("weight", DECIMAL)], rows))


def _distances(fair: Any, law: Any) -> Facts:
    """How far the totals are from the fair ones, and how soon a test notices."""
    rolls: Any = "never"
    if law != fair:
        try:
            from sevenout.verify import rolls_to_notice

            rolls = rolls_to_notice(fair, law) or "never"
        except (ImportError, SevenoutError):
            # The two other figures need no package, so they are shown in any case.
            rolls = "not worked out here"
    return Facts(
        Fact("greatest error of any event", total_variation(fair, law), PERCENT),
        Fact("chi-square distance, per roll", chi_square_distance(fair, law), DECIMAL),
        Fact("rolls until a test notices, 9 in 10", rolls, COUNT),
    )


@lru_cache(maxsize=8)
def _design_comparison(share: int) -> Table:
    """All designs with their worst face this many percent too heavy."""
    rolls_to_notice: Any = None
    # Without SciPy only the last column is missing.
    if find_spec("scipy") is not None:
        from sevenout.verify import rolls_to_notice
    no_rolls = "never" if rolls_to_notice else "–"
    rows = [
        (
            design.name,
            design.worst.variation,
            design.worst.chi_square,
            f"× {decimal(design.worst.ratio.times, 4)}",
            design.fragility,
            design.rolls if design.rolls is not None else no_rolls,
        )
        for design in comparison(designs(), Fraction(share, 100), rolls_to_notice)
    ]
    columns = [
        "design",
        Column("error of an event", PERCENT),
        Column("chi-square", DECIMAL),
        Column("worst proportion"),
        Column("fragility", DECIMAL.with_digits(4)),
        Column("rolls to notice", COUNT),
    ]
    return Table(columns, rows)
