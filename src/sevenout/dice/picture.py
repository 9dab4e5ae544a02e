"""Figures as files: the same bytes every time, and an error leaves the old file alone."""

from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from sevenout.errors import RulesError

STAMPS: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".png": {},
}
"""The kinds of pictures, and what would make two of them differ."""


def save(figure: Any, path: Path) -> None:
    """Draw a matplotlib figure into a temporary file, which then takes the name of the one meant.

    Raises:
        RulesError: the file can't be written.
    """
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix[1:], metadata=STAMPS[path.suffix], dpi=150)
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_bytes(drawn.getvalue())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise RulesError(f"can't write {path}: {error.strerror or error}") from None
