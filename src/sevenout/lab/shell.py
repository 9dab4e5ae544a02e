"""The frame around every page: the name of the house, the way from page to page, light or dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from nicegui import ui

from sevenout import __version__
from sevenout.errors import SevenoutError
from sevenout.lab import theme
from sevenout.lab.widgets import Notice, Words, box, link, say, sentence

NAVIGATION = (
    ("Game", "/"),
    ("Table", "/table"),
    ("Simulate", "/simulate"),
    ("Variants", "/variants"),
    ("Dice", "/dice"),
    ("Catalogue", "/catalogue"),
)
HOME = "Nothing leaves this machine."
BROKEN = "Something went wrong in the lab; what is shown is from before. Load the page again."


@contextmanager
def page(path: str, title: str) -> Iterator[None]:
    """The frame of a page; its content is made in a `with` statement."""
    client = ui.context.client
    client.title = f"{title} · sevenout lab"
    ui.add_head_html(theme.head())
    with client.layout:
        bar = box("header", "bar")
        foot = box("footer", "foot")
    bar.move(target_index=0)
    with bar:
        link("To the content", "#content", "skip")
        with box("div"):
            _brand()
            with box("nav", "nav", aria_label="Pages"):
                for name, to in NAVIGATION:
                    link(name, to, aria_current="page" if to == path else None)
            toggle = Words("button", "◐", "button quiet round theme", type="button")
            say(toggle, aria_label="Light or dark", title="Light or dark")
            toggle.on("click", js_handler=theme.TOGGLE)
    with foot:
        Words("p", f"sevenout {__version__}. Exact figures are fractions. {HOME}")
    client.content.classes("content")
    with box("div", "anchor", id="content", tabindex="-1"):
        trouble = Notice(wrong=True)
    client.on_exception(lambda error: trouble.show(_sentence(error)))
    yield


def _brand() -> None:
    with link("", "/", "brand", aria_label="sevenout lab: the game page"):
        Words("span", "seven", "seven")
        Words("span", "out")


def _sentence(error: Exception) -> str:
    return sentence(error) if isinstance(error, SevenoutError) else BROKEN


def route(path: str, title: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function a page of the lab; it builds what is inside the frame."""

    def register(build: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(build)
        def framed(**query: Any) -> Any:
            with page(path, title):
                return build(**query)

        return ui.page(path)(framed)

    return register
