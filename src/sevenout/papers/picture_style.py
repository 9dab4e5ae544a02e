"""The style of every picture: one typeface, and a palette for colour-blind readers.

The palette is from M. Okabe and K. Ito, *Color Universal Design* (2008). Without pyplot there is no
global state, and the same figure gives the same bytes.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.documents.numbers import minus
from sevenout.extras import require
from sevenout.files import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, RED = "#0072b2", "#e69f00", "#009e73", "#d55e00"
SKY, PURPLE, INK, GREY = "#56b4e9", "#cc79a7", "#1a1a1a", "#8a8a8a"
CYCLE = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY)
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
PAPER = "#ffffff"
TYPEFACE = "STIXGeneral"
SVG_FONT = f'font-family="Libertinus Serif, {TYPEFACE}, Georgia, serif"'
"""The typeface of a drawing that matplotlib doesn't make."""
WIDTH, HEIGHT = 6.2, 2.2
"""Inches: the width of a text column, and the height."""

METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
"""By format, what is left out of a file: a time and a version would change its bytes."""
RULES: dict[str, Any] = {
    "font.family": [TYPEFACE],
    "mathtext.fontset": "stix",
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 2.2,
    "lines.linewidth": 1.2,
    "text.color": INK,
    "savefig.dpi": 200,
    # Letters stay text, so that `as_svg` can choose the sheet's typeface.
    "svg.fonttype": "none",
    # Without a salt the ids are random, and so are the bytes.
    "svg.hashsalt": "sevenout",
    "pdf.fonttype": 42,
    "pdf.compression": 6,
}


@contextmanager
def paper_style() -> Iterator[None]:
    """The style inside a `with` block."""
    require("matplotlib", "plots")
    from matplotlib import rc_context

    rules: Any = RULES
    with rc_context(rules):
        yield


@contextmanager
def canvas(
    columns: int = 1, width: float = WIDTH, height: float = HEIGHT, *, grid: bool = True
) -> "Iterator[tuple[Figure, Any]]":
    """A styled figure and its axes, one or several side by side, to draw in a `with` block. Its
    size is in inches.
    """
    with empty_figure(width, height) as figure:
        drawn = figure.subplots(1, columns)
        for axes in figure.axes if grid else ():
            faint_grid(axes)
        yield figure, drawn


@contextmanager
def empty_figure(width: float = WIDTH, height: float = HEIGHT) -> "Iterator[Figure]":
    """An empty styled figure to draw in a `with` block; its size is in inches."""
    with paper_style():
        from matplotlib.figure import Figure

        yield Figure(figsize=(width, height), layout="constrained")


def faint_grid(axes: "Axes") -> None:
    axes.set_axisbelow(True)
    axes.grid(True, axis="y", color="#e4e4e4", linewidth=0.5)


def percent_axis(axis: Any, digits: int = 0) -> None:
    """Print shares as percentages with at least this many digits, as many as the ticks need.

    >>> with canvas() as (_, axes):
    ...     percent_axis(axes.xaxis)
    >>> axes.xaxis.get_major_formatter().format_ticks([0.0425, 0.05])
    ['4.25 %', '5.00 %']
    """
    from matplotlib.ticker import FuncFormatter

    class Percent(FuncFormatter):
        def set_locs(self, locs: Any) -> None:
            shares = [100 * float(x) for x in locs]
            self.digits = next(
                (d for d in range(digits, 9) if all(abs(x - round(x, d)) < 1e-9 for x in shares)), 9
            )

    percent = Percent(lambda x, _: minus(f"{100 * x:.{getattr(percent, 'digits', digits)}f} %"))
    axis.set_major_formatter(percent)


def probability_decades(axes: "Axes") -> None:
    """A logarithmic scale of probabilities from 1 down to a whole decade, with labels at decades
    only.
    """
    from math import floor, log10

    from matplotlib.ticker import NullFormatter

    axes.set_yscale("log")
    least = min(axes.get_ylim()[0], float(axes.dataLim.minposy), 0.1)
    axes.set_ylim(10 ** floor(log10(least)), 1.5)
    axes.yaxis.set_minor_formatter(NullFormatter())


def whole_axis(axis: Any) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def log_counts(axis: Any, low: float, high: float) -> None:
    """Label a logarithmic axis of counts 1, 2, 5, 10, ...; a long one with powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1000 * low else (1,)))
    axis.set_minor_formatter(NullFormatter())
    thousands(axis)


def thousands(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))


def escaped(text: object) -> str:
    """A text without mathematics: matplotlib would read what is between dollar signs."""
    from sevenout.documents import clean

    return clean(text).replace("\\", "\\\\").replace("$", r"\$")


def shortened(text: object, max_length: int = 34) -> str:
    """A text without mathematics, cut if it is long."""
    words = str(text)
    return escaped(words if len(words) <= max_length else words[: max_length - 1] + "…")


def render(figure: "Figure", format: str) -> bytes:
    """A figure as bytes in the papers' style; the same figure gives the same bytes.

    Raises:
        PageError: another format.
    """
    if format not in METADATA:
        raise PageError(f"no picture format {format!r}; the formats are: {', '.join(METADATA)}")
    with paper_style(), warnings.catch_warnings():
        # Names in a script that the typeface lacks are drawn as boxes, without a warning.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        return picture_bytes(figure, format)


def picture_bytes(figure: "Figure", format: str) -> bytes:
    """A figure as bytes in matplotlib's present style, without a time or a version."""
    out = BytesIO()
    figure.savefig(out, format=format, metadata=METADATA[format])
    return out.getvalue()


def save(figure: "Figure", path: str | os.PathLike[str]) -> Path:
    """Save a figure as .png, .svg or .pdf, by the path's suffix; whole, or not at all.

    Raises:
        PageError: another suffix.
        FileError: the file can't be written.
    """
    path = Path(path)
    return write(path, render(figure, path.suffix.lower().lstrip(".")))


def as_svg(figure: "Figure") -> str:
    """A figure as SVG for a sheet, in the sheet's typeface if there is one."""
    text = render(figure, "svg").decode()
    family = f"'{TYPEFACE}'"
    return text[text.index("<svg") :].replace(family, f"'Libertinus Serif', {family}, serif")
