"""The dice page: the pair that never rolls 7, faults of real dice, and a test of yours."""

from collections.abc import Callable

from nicegui import ui

from sevenout.lab import shell
from sevenout.lab.dice_faults import FaultView
from sevenout.lab.dice_pair import PairView
from sevenout.lab.dice_test import TestView
from sevenout.lab.widgets import Segments, Words, box

PATH = "/dice"
VIEWS: dict[str, tuple[str, str, Callable[[], object]]] = {
    "pair": (
        "Never a 7",
        "Two dice with the totals of an ordinary pair, on which a 7 sits on one face. Take that "
        "face away, and nothing else changes.",
        PairView,
    ),
    "faults": (
        "Faults",
        "No die is perfect. Make a face heavier, and see what becomes of the totals.",
        FaultView,
    ),
    "test": (
        "Test your dice",
        "Roll a die, tap what comes up, and see whether it is what it should be.",
        TestView,
    ),
}


def register() -> None:
    """Register the page."""

    @shell.route(PATH, "Dice")
    def build() -> None:
        DicePage(ui.context.client.request.query_params.get("show", "pair"))


class DicePage:
    """What one reader sees: one of the three at a time."""

    def __init__(self, view: str) -> None:
        view = view if view in VIEWS else "pair"
        with box("div", "heading"):
            with box("div"):
                Words("h1", "Dice")
                self.text = Words("p")
            Segments("View", [(key, name) for key, (name, _, _) in VIEWS.items()], view, self.show)
        self.place = box("div", "stack")
        self.show(view)

    def show(self, view: str) -> None:
        """Show one of the three."""
        _, text, build = VIEWS[view]
        self.text.set_text(text)
        ui.navigate.history.replace(f"{PATH}?show={view}")
        self.place.clear()
        with self.place:
            build()
