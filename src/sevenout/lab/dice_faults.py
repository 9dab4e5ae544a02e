"""Faults of real dice: a slider for each face, and what each design makes of the same fault."""

from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from nicegui import ui

from sevenout.dice import (
    Fault,
    Rollable,
    chi_square,
    comparison,
    designs,
    faulty_law,
    total_variation,
)
from sevenout.lab import figures
from sevenout.lab.aside import aside
from sevenout.lab.dice_pair import face_text, shares
from sevenout.lab.markup import Markup
from sevenout.lab.widgets import Html, Select, Words, box, button, card, say
from sevenout.page.numbers import decimal
from sevenout.verify import rolls_to_notice

MOST_FACES = 40
SHARES = (5, 10, 25, 50)


class FaultView:
    """Faults, as a part of a page."""

    def __init__(self) -> None:
        self.design = "2d6"
        self.faults: dict[tuple[int, int], int] = {}
        with box("div", "columns"):
            weights = card("The weight of each face", "percent too heavy or too light")
            with weights, box("div", "stack"):
                with box("div", "fields"):
                    names = [(name, name) for name in designs()]
                    Select("Design", names, "2d6", self.pick, classes="medium")
                    with box("div", "field"):
                        Words("span", "\u00a0", "label spacer")
                        button("Make them fair", self.clear)
                self.sliders = box("div", "sliders")
            with box("div", "stack"):
                with card("Every total", "the tick is without faults"):
                    self.totals = Html()
                with card("How far it is off"):
                    self.far = Html()
        compared = card("All designs", "the worst face heavier by the same share")
        with compared, box("div", "stack"):
            offered = [(str(s), f"{s} % heavier") for s in SHARES]
            self.share = Select("One face", offered, "25", self.compare, classes="narrow")
            self.table = Html("Comparing …")
        self.build()
        ui.timer(0.05, lambda: self.compare("25"), once=True)

    @property
    def rollable(self) -> Rollable:
        """The design."""
        return designs()[self.design]

    def pick(self, design: str) -> None:
        """Another design."""
        if design in designs():
            self.design = design
            self.clear()

    def clear(self) -> None:
        """No faults."""
        self.faults = {}
        self.build()

    def build(self) -> None:
        """Build the sliders of a design."""
        self.labels: dict[tuple[int, int], Words] = {}
        self.sliders.clear()
        with self.sliders:
            for d, source in enumerate(self.rollable.sources):
                with box("fieldset"):
                    Words("legend", f"die {d + 1}")
                    for f, face in enumerate(source.faces[:MOST_FACES]):
                        self._slider(d, f, face_text(face))
        self.show()

    def _slider(self, die: int, face: int, text: str) -> None:
        with box("label", "slider"):
            Words("span", text)
            control = ui.element("input")
            said = f"Face {text} of die {die + 1}, percent heavier"
            say(control, type="range", min=-50, max=50, step=1, defaultValue=0, aria_label=said)
            control.on(
                "input",
                partial(self.slide, die, face),
                throttle=0.05,
                js_handler="(e) => emit(e.target.value)",
            )
            self.labels[die, face] = Words("span", "0 %", "num")

    def slide(self, die: int, face: int, event: Any) -> None:
        """A slider moved."""
        percent = max(-50, min(50, int(float(event.args))))
        self.faults[die, face] = percent
        self.labels[die, face].set_text(f"{percent:+d} %" if percent else "0 %")
        self.show()

    def show(self) -> None:
        """Show the totals with the faults."""
        rollable = self.rollable
        faults = [Fault(d, f, Fraction(p, 100)) for (d, f), p in self.faults.items() if p]
        fair, law = rollable.law, faulty_law(rollable, faults)
        self.totals.show(shares([(str(t), law.p(t), fair[t]) for t in sorted(fair)]))
        distance = chi_square(fair, law)
        needed = rolls_to_notice(fair, law) if faults else None
        rows = [
            (
                "greatest error of any event",
                "",
                f"{decimal(100 * total_variation(fair, law), 4)} %",
            ),
            ("chi-square distance per roll", "", decimal(distance, 6)),
            (
                "rolls until a test notices, 9 in 10",
                "",
                "never" if needed is None else f"{needed:,}",
            ),
        ]
        self.far.show(figures.facts(rows))

    async def compare(self, share: str) -> None:
        """Compare all designs."""
        if int(share) in SHARES:
            self.table.show(await aside(_compared, int(share)))


@lru_cache
def _compared(percent: int) -> Markup:
    found = comparison(designs(), Fraction(percent, 100), rolls_to_notice)
    rows = [
        (
            one.name,
            f"{decimal(100 * one.worst.variation, 3)} %",
            decimal(one.worst.chi_square, 6),
            f"× {decimal(one.worst.ratio.times, 4)}",
            decimal(one.fragility, 4),
            "never" if one.rolls is None else f"{one.rolls:,}",
        )
        for one in found
    ]
    head = [
        ("design", ""),
        ("error of an event", "num"),
        ("chi-square", "num wide"),
        ("worst proportion", "num wide"),
        ("fragility", "num wide"),
        ("rolls to notice", "num"),
    ]
    return figures.table(head, rows, label="The same fault in every design")
