"""The frame of every page: its head, the tabs, the bar in view."""

from typing import Any

import htpy as h

from sevenout.lab.pages import PAGES
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.parts import copy_button
from sevenout.lab.widgets.view import View

CATALOGUE = "/catalogue"
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect x='2' y='2' width='28' height='28' rx='7' fill='%230072b2'/%3E%3Cg fill='%23fff'%3E"
    "%3Ccircle cx='10' cy='10' r='2.6'/%3E%3Ccircle cx='22' cy='10' r='2.6'/%3E%3Ccircle cx='10' "
    "cy='22' r='2.6'/%3E%3Ccircle cx='22' cy='22' r='2.6'/%3E%3C/g%3E%3C/svg%3E"
)


def document(view: View, version: str = "", base: str = "", picture: str | None = None) -> str:
    """The whole document.

    `version` is the style sheet's and script's, as a query. `base` is the lab's own address, or "".
    `picture` is the preview's address below it; the page's own by default.
    """
    picture = str(view.address.to(**{"as": "png"})) if picture is None else picture
    tags = preview.meta_tags(preview.preview_of(view), view.address, base, picture)
    html = h.html(lang="en")[
        _head(view, version, tags),
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
            )[view.bar or h.span(".hidden")[view.screen_reader_text()]],
            _foot(view),
        ],
    ]
    return str(html)


def _head(view: View, version: str, *more: Any) -> Any:
    """The head of a document; `more` nodes come before its style sheet."""
    title = f"{view.title} · sevenout" if view.title else "sevenout"
    return h.head[
        h.meta(charset="utf-8"),
        h.meta(name="viewport", content="width=device-width, initial-scale=1"),
        # Without it form fields and scroll bars stay light in a dark page.
        h.meta(name="color-scheme", content="light dark"),
        h.meta(name="description", content=preview.preview_of(view).text),
        h.title[title],
        more,
        h.link(rel="icon", href=ICON),
        # Asked for at once; else they would wait for the style sheet.
        (
            h.link(
                rel="preload",
                href=f"/lab.{face}.woff2{version}",
                as_="font",
                type="font/woff2",
                crossorigin=True,
            )
            for face in ("text-400", "data-400")
        ),
        h.link(rel="stylesheet", href=f"/lab.css{version}"),
        # Every page works without the script, so showing it needn't wait for that.
        h.script(src=f"/lab.js{version}", defer=True),
    ]


def card_document(view: View, card: str, version: str = "") -> str:
    """One card as a document, for a frame of another page."""
    html = h.html(lang="en", data_embedded=True)[
        # Only a single card may stand in a frame, so its links need a page of their own.
        _head(view, version, h.base(target="_blank")),
        h.body[
            h.main("#content", tabindex="-1", data_path=view.address.path)[
                view.card_named(card).node(),
                h.p(".source")[
                    h.a(href=str(view.address), target="_blank", rel="noopener")[
                        f"{view.title} · sevenout"
                    ]
                ],
            ]
        ],
    ]
    return str(html)


def _tabs(view: View) -> Any:
    """The tabs at the top, the catalogue and the menu to share the page."""
    game = view.address.get("game")

    def tab_address(path: str) -> str:
        # Without a use for the field, the other page would refuse it.
        both_keep_game = PAGES[path].keeps_game and view.nav in PAGES and PAGES[view.nav].keeps_game
        keep = ("game",) if both_keep_game and game and not view.is_unfinished else ()
        return str(view.address.to(path, keep=keep))

    return h.header(".top")[
        h.a(".brand", href="/")["seven", h.span["out"]],
        h.nav(aria_label="Pages")[
            (
                h.a(href=tab_address(path), aria_current="page" if path == view.nav else None)[
                    entry.tab
                ]
                for path, entry in PAGES.items()
                if entry.tab
            )
        ],
        h.a(
            ".all", href=CATALOGUE, aria_current="page" if view.address.path == CATALOGUE else None
        )["All games"],
        # The page of an error has nothing to share.
        preview.share_menu(view) if view.nav else None,
        # Hidden until the script shows it, because it does nothing without the script.
        h.button("#theme", type="button", aria_label="Light or dark", hidden=True),
    ]


def _foot(view: View) -> Any:
    """The foot, with the page as a link, a program and a command."""
    return h.footer[
        h.div(".copies")[
            h.span["The address holds the whole page; copy it as "],
            copy_button(str(view.address), "a link"),
            copy_button(view.python, "Python") if view.python else None,
            copy_button(view.command, "a command") if view.command else None,
        ],
        h.p["sevenout: every figure exact unless it says otherwise."],
    ]
