"""The look: the palette of the library's plots, one typeface, light and dark.

The typeface is the system's own, so that nothing is fetched; where a system has none, the one that
comes with the framework is served from this machine. `lab.css` holds the rest.
"""

from hashlib import sha256
from importlib.resources import files

from sevenout.report import style

PALETTE = {
    "blue": style.BLUE,
    "red": style.RED,
    "green": style.GREEN,
    "orange": style.ORANGE,
    "sky": style.SKY,
    "purple": style.PURPLE,
}

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    f'<rect x="2" y="2" width="28" height="28" rx="7" fill="{style.BLUE}"/>'
    '<g fill="#fff"><circle cx="10" cy="10" r="2.6"/><circle cx="22" cy="10" r="2.6"/>'
    '<circle cx="10" cy="22" r="2.6"/><circle cx="22" cy="22" r="2.6"/></g>'
    '<path d="M7 25 25 7" stroke="#fff" stroke-width="2.4"/></svg>'
)

_CHOOSE = """
(() => {
  const kept = localStorage.getItem("sevenout-theme");
  if (kept) document.documentElement.dataset.theme = kept;
})();
"""

TOGGLE = """
() => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("sevenout-theme", root.dataset.theme);
}
"""


def css() -> str:
    """The style sheet."""
    colours = "".join(f"--{name}: {value};" for name, value in PALETTE.items())
    return f":root {{ {colours} }}\n" + (files("sevenout.lab") / "lab.css").read_text("utf-8")


def css_path() -> str:
    """Where the style sheet is served; another content is another path."""
    return f"/lab-{sha256(css().encode()).hexdigest()[:12]}.css"


def head() -> str:
    """What every page has in its head."""
    return (
        f'<link rel="stylesheet" href="{css_path()}">'
        '<meta name="description" content="A workbench for the mathematics of dice games">'
        f"<script>{_CHOOSE}</script>"
    )
