"""Image files: reproducible bytes; after an error the old file is unchanged."""

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
"""Metadata that makes the bytes reproducible, by kind of file."""


@contextmanager
def drawn(path: Path, width: float, height: float) -> Iterator[Any]:
    """A matplotlib figure of this size in inches, saved on exit.

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
