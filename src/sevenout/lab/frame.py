"""The frame of every page: its head, the tabs, the bar that is always in view."""

from typing import Any

import htpy as h

from sevenout.lab.pages import PAGES
from sevenout.lab.parts import copied
from sevenout.lab.view import View

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect x='2' y='2' width='28' height='28' rx='7' fill='%230072b2'/%3E%3Cg fill='%23fff'%3E"
    "%3Ccircle cx='10' cy='10' r='2.6'/%3E%3Ccircle cx='22' cy='10' r='2.6'/%3E%3Ccircle cx='10' "
    "cy='22' r='2.6'/%3E%3Ccircle cx='22' cy='22' r='2.6'/%3E%3C/g%3E%3C/svg%3E"
)


def document(view: View, base: str = "") -> str:
    """The whole document; `base` is the version of the style and the script, as a query."""
    title = f"{view.title} · sevenout" if view.title else "sevenout"
    made = h.html(lang="en")[
        h.head[
            h.meta(charset="utf-8"),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.meta(name="color-scheme", content="light dark"),
            h.meta(name="description", content="A workbench for the mathematics of dice games"),
            h.title[title],
            h.link(rel="icon", href=ICON),
            h.link(rel="stylesheet", href=f"/lab.css{base}"),
            h.script(src=f"/lab.js{base}", defer=True),
        ],
        h.body[
            h.a(".skip", href="#content")["Skip to the content"],
            _tabs(view),
            h.main("#content", tabindex="-1", data_path=view.address.path)[view.body],
            h.div(
                "#bar",
                class_="bar" if view.bar else "bar empty",
                role="status",
                aria_live="polite",
                aria_label="The result",
            )[view.bar],
            _foot(view),
        ],
    ]
    return str(made)


def _tabs(view: View) -> Any:
    game = view.address.get("game")

    def where(path: str) -> str:
        both = PAGES[path].of_game and view.nav in PAGES and PAGES[view.nav].of_game
        keep = ("game",) if both and game else ()
        return str(view.address.to(path, keep=keep))

    return h.header(".top")[
        h.a(".brand", href="/")["seven", h.span["out"]],
        h.nav(aria_label="Pages")[
            (
                h.a(href=where(path), aria_current="page" if path == view.nav else None)[entry.tab]
                for path, entry in PAGES.items()
                if entry.tab
            )
        ],
        h.button("#theme", type="button", aria_label="Light or dark", hidden=True)["◐"],
    ]


def _foot(view: View) -> Any:
    """What the page may be copied as; it is all in its address."""
    return h.footer[
        h.div(".copies")[
            h.span["This page is its address; copy it as "],
            copied(str(view.address), "a link"),
            copied(view.python, "Python") if view.python else None,
            copied(view.command, "a command") if view.command else None,
        ],
        h.p["sevenout: every figure exact unless it says otherwise."],
    ]
