"""HTML built from data: texts are escaped here, and nowhere else has to think of it."""

from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "hr", "img", "input", "meta", "line", "rect", "circle", "path"})


class Markup(str):
    """A text that is HTML already; every other text is escaped when it is put into one."""

    __slots__ = ()


def render(*children: object) -> Markup:
    """Texts and markup in a row; lists are taken apart, None is nothing.

    >>> render("1 < 2", [tag("b", "so")], None)
    '1 &lt; 2<b>so</b>'
    """
    out: list[Markup] = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            out.append(child)
        elif isinstance(child, Iterable) and not isinstance(child, str):
            out.append(render(*child))
        else:
            out.append(Markup(escape(str(child))))
    return Markup("".join(out))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """One element. Attributes: `class_` is class, `aria_label` is aria-label; None leaves one out.

    >>> tag("a", "<5>", href="?a=1&b=2", class_="go")
    '<a href="?a=1&amp;b=2" class="go">&lt;5&gt;</a>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID and not children:
        return Markup(f"<{name}{said}/>")
    return Markup(f"<{name}{said}>{render(*children)}</{name}>")
