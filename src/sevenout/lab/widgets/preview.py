"""The preview of a link, and the menu that shares a page: its title, figures and picture.

The tags are those of the Open Graph protocol (https://ogp.me) and of X's cards. A picture has 1200
by 630 pixels, as both require.
"""

from html import escape
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy as h

from sevenout.documents.numbers import minus
from sevenout.extras import require
from sevenout.lab.address import Address
from sevenout.lab.widgets.parts import KeyFigure, copy_button

if TYPE_CHECKING:
    from sevenout.lab.widgets.view import View

ABOUT = (
    "The exact odds of any dice game: change the dice, the rules or the pays, and every figure "
    "follows."
)
WIDTH, HEIGHT = 1200, 630
MAX_TITLE, MAX_TEXT, MAX_DESCRIPTION = 70, 200, 420
"""The most characters of a title, a text and a picture's description on X."""
SERIF_FONT = "font-family=\"'Libertinus Serif', Charter, Georgia, serif\""
TYPST_PAGE = b"""#set page(width: 1200pt, height: 630pt, margin: 0pt)
#image(bytes(sys.inputs.svg), width: 100%)"""
LINK_PLACEHOLDER = "{link}"
"""Stands for the page's address in a copied text; the script fills it in."""


class Preview(NamedTuple):
    """What a link's preview shows.

    Attributes:
        title: the title of the page.
        text: its figures in words, or a sentence on the lab.
        figures: the figures, the largest first.
        words: what they mean.
    """

    title: str
    text: str
    figures: tuple[KeyFigure, ...] = ()
    words: str = ""


def preview_of(view: "View") -> Preview:
    """The preview of a page: its title, its main figures and their sentence."""
    title = view.title or "sevenout"
    hero = view.hero
    if hero is None or not hero.figures:
        return Preview(title, ABOUT, words=ABOUT)
    text = f"{hero.figures_text(3)}. {hero.words}".strip()
    return Preview(title, text, tuple(hero.figures), hero.words)


LAB_PREVIEW = Preview("sevenout", ABOUT, words=ABOUT)
"""The preview of the lab."""


def meta_tags(preview: Preview, address: Address, base: str, picture: str) -> list[h.VoidElement]:
    """The tags of a page's head; those with full addresses only if the base is known.

    `base` is the lab's own address, such as "https://example.org/lab"; `picture` lies below it.
    """
    title, text = _shorten(preview.title, MAX_TITLE), _shorten(preview.text, MAX_TEXT)
    description = _shorten(f"{preview.title}. {preview.text}", MAX_DESCRIPTION)
    tags = {
        "og:type": "website",
        "og:site_name": "sevenout",
        "og:title": preview.title,
        "og:description": preview.text,
        "twitter:card": "summary_large_image" if base and picture else "summary",
        "twitter:title": title,
        "twitter:description": text,
    }
    # Both protocols take full addresses only.
    if base:
        tags["og:url"] = f"{base}{address}"
    if base and picture:
        tags |= {
            "og:image": f"{base}{picture}",
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": description,
            "twitter:image": f"{base}{picture}",
            "twitter:image:alt": description,
        }
    return [
        h.meta(name=name, content=content)
        if name.startswith("twitter:")
        else h.meta(property=name, content=content)
        for name, content in tags.items()
    ]


def _shorten(text: str, max_length: int) -> str:
    """A text of at most this many characters, shortened between words.

    >>> _shorten("The exact odds", 12), len(_shorten("9" * 99, 12))
    ('The exact …', 12)
    """
    if len(text) <= max_length:
        return text
    beginning = shorten(text, max_length, placeholder=" …")
    # `shorten` keeps nothing of one long word, so that is divided.
    return beginning if len(beginning) > 2 else f"{text[: max_length - 2]} …"


def svg(preview: Preview) -> str:
    """The picture of a page.

    >>> svg(Preview("Craps", "", (KeyFigure("49.2929 %", "wins", big=True),))).count("49.2929")
    1
    """
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
        f'<rect width="{WIDTH}" height="14" fill="#00639c"/>',
        _text(70, 96, 34, '<tspan fill="#1b1b19">seven</tspan><tspan fill="#a84400">out</tspan>'),
    ]
    y = 190
    for line in wrap(preview.title, 36)[:2]:
        parts.append(_text(70, y, 68, escape(line)))
        y += 78
    x, top = 70.0, y + 20
    for figure in preview.figures[:3]:
        size = 116 if figure.big else 68
        value = minus(figure.value)
        parts.append(_text(x, top, 28, escape(figure.label), "#5c5d5a"))
        parts.append(_text(x, top + 118, size, escape(value)))
        # The width of text is estimated, at half its size per character.
        x += max(len(value) * size * 0.5, len(figure.label) * 14) + 70
    y = top + 190 if preview.figures else top
    for line in wrap(preview.words, 66)[:2]:
        parts.append(_text(70, y, 36, escape(line), "#3a3b38"))
        y += 48
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><title>{escape(preview.title)}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, size: int, inside: str, colour: str = "#1b1b19") -> str:
    position = f'x="{x:.0f}" y="{y:.0f}"'
    return f'<text {position} font-size="{size}" fill="{colour}" {SERIF_FONT}>{inside}</text>'


def png(preview: Preview) -> bytes:
    """The picture as a bitmap, by typst and its fonts."""
    require("typst", "sheet")
    import typst

    picture: Any = typst.compile(
        TYPST_PAGE,
        format="png",
        # At 72 ppi a point is one pixel, so the picture has 1200 by 630.
        ppi=72,
        # With the system's fonts a picture would differ from machine to machine.
        font_paths=typst.Fonts(include_system_fonts=False),
        sys_inputs={"svg": svg(preview)},
    )
    return bytes(picture)


def share_menu(view: "View") -> Any:
    """The menu at the top: the page as a link, text or picture; its cards to embed and save."""
    address, page_preview = view.address, preview_of(view)
    text = f"{page_preview.title}. {page_preview.text} {LINK_PLACEHOLDER}"
    embed_code = (
        f'<iframe src="{LINK_PLACEHOLDER}" title="{escape(page_preview.title)}" width="640" '
        'height="480"></iframe>'
    )
    card = str(address.to(card=view.main_card, **{"as": "html"}))
    return h.details(".share")[
        h.summary["Share"],
        h.div[
            copy_button(str(address), "Copy link"),
            h.button(".copy", type="button", data_copy=text, data_link=str(address))["Copy text"],
            # The script draws the SVG as a bitmap, so the server needs no typst for it.
            h.a(href=str(address.to(**{"as": "svg"})), download="sevenout.png", data_png=True)[
                "Save picture"
            ],
            h.button(".copy", type="button", data_copy=embed_code, data_link=card)[
                "Copy embed code"
            ]
            if view.main_card
            else None,
            view.save_menu(),
        ],
    ]
