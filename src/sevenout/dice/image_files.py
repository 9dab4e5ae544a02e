"""Figures as files: the same bytes every time, and an error leaves the old file alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from sevenout.extras import needs
from sevenout.files import write

STAMPS: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".png": {},
}
"""The kinds of pictures, and what would make two of them differ."""


@contextmanager
def drawn(path: Path, width: float, height: float) -> Iterator[Any]:
    """A matplotlib figure of this many inches, to draw on; then it is in the file.

    Raises:
        MissingError: matplotlib is not installed.
        FileError: the file can't be written.
    """
    needs("matplotlib", "plots")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "sevenout", "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        yield figure
        content = BytesIO()
        kind = path.suffix
        figure.savefig(content, format=kind[1:], metadata=STAMPS[kind], dpi=150)
    write(path, content.getvalue())
