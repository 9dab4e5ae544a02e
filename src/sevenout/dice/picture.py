"""Figures as files: the same bytes every time, and an error leaves the old file alone."""

from io import BytesIO
from pathlib import Path
from typing import Any

from sevenout.files import write

STAMPS: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".png": {},
}
"""The kinds of pictures, and what would make two of them differ."""


def save(figure: Any, path: Path) -> None:
    """Draw a matplotlib figure into a file.

    Raises:
        FileError: the file can't be written.
    """
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix[1:], metadata=STAMPS[path.suffix], dpi=150)
    write(path, drawn.getvalue())
