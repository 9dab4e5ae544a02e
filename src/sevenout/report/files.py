"""Files written whole: a reader never sees half a file, and an error leaves the old one alone."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from sevenout.report.page import ReportError


def write(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file by way of a temporary one beside it, which then takes its name.

    Raises:
        ReportError: the file can't be written.
    """
    path = Path(path)
    target = path.resolve() if path.is_symlink() else path
    temporary = ""
    try:
        with NamedTemporaryFile(
            dir=target.parent, prefix=f".{target.name[:40]}.", delete=False
        ) as file:
            temporary = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
        temporary = ""
    except OSError as error:
        raise ReportError(f"can't write {path}: {error.strerror or error}") from None
    finally:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
