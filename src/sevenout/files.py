"""Files: read only if they are plain and small enough, written whole or not at all.

Devices and pipes are not read. A file is written to a temporary one in the same folder, synced and
renamed, so after an error the old file is unchanged.
"""

import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from platform import node
from shutil import rmtree
from tempfile import gettempdir, mkdtemp, mkstemp
from time import time
from typing import Any, BinaryIO
from zlib import crc32

from sevenout.budgets.supervision import status
from sevenout.errors import FileError, printable

MAX_FILE_BYTES = 64_000_000
"""The most bytes of a file that is read: ten million rolls."""
MAX_LINE_LENGTH = 100_000
"""The most characters of a line, if a file is read line by line."""
MAX_HANDWRITTEN_BYTES = 1_000_000
"""The most bytes of a file written by hand: a game, a strategy, a program."""


def read_text(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> str:
    r"""The text of a plain file in UTF-8 of at most `max_bytes` bytes, with line ends as "\n".

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     read_text(write(Path(folder, "rolls"), "3,4\n"))
    '3,4\n'

    Raises:
        FileError: no such file, not a plain file, too long, or not UTF-8.
    """
    content = read_bytes(path, max_bytes)
    try:
        text = content.decode("utf-8-sig")  # some editors add a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(
            f"can't read {shown_path(path)}, line {line}: it is not text in UTF-8; save it as UTF-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> Iterator[str]:
    r"""The lines of a plain file in UTF-8 of at most `max_bytes` bytes, without their ends.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     list(read_lines(write(Path(folder, "rolls"), "3,4\r\n\n7")))
    ['3,4', '', '7']

    Raises:
        FileError: as `read_text`, or a line is too long; the message has its number.
    """
    with open_plain_file(path) as file:
        _check_size(path, file, max_bytes)
        lines = TextIOWrapper(file, "utf-8-sig")
        line_number, characters = 0, 0
        try:
            while line := lines.readline(MAX_LINE_LENGTH):
                line_number, characters = line_number + 1, characters + len(line)
                if characters > max_bytes:  # it has grown since its size was read
                    raise _too_long(path, max_bytes)
                if len(line) == MAX_LINE_LENGTH:
                    location = f"{shown_path(path)}, line {line_number}"
                    raise FileError(
                        f"can't read {location}: it is longer than {MAX_LINE_LENGTH:,} characters; "
                        "break the line"
                    )
                yield line.removesuffix("\n")
        except UnicodeDecodeError:
            raise FileError(
                f"can't read {shown_path(path)}, line {line_number + 1} or later: it is not text "
                "in UTF-8; save it as UTF-8"
            ) from None


def read_bytes(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of a plain file.

    Raises:
        FileError: no such file, not a plain file, or too long.
    """
    with open_plain_file(path) as file:
        _check_size(path, file, max_bytes)
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:  # it has grown since its size was read
        raise _too_long(path, max_bytes)
    return content


def _check_size(path: str | os.PathLike[str], file: BinaryIO, max_bytes: int) -> None:
    if os.fstat(file.fileno()).st_size > max_bytes:
        raise _too_long(path, max_bytes)


def _too_long(path: str | os.PathLike[str], max_bytes: int) -> FileError:
    return FileError(
        f"can't read {shown_path(path)}: it is longer than {max_bytes:,} bytes; give a shorter "
        "file, or parts"
    )


@contextmanager
def open_plain_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A plain file of any length, opened for reading.

    Raises:
        FileError: no such file, not a plain file, or unreadable.
    """
    try:
        file = BufferedReader(_PlainFile(os.fspath(path), "rb", opener=_open_without_waiting))
    except (OSError, ValueError) as error:
        raise _file_error("read", path, error) from None
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileError(f"can't read {shown_path(path)}: it is not a plain file; name another")
        _recently_read[os.fspath(path)] = None
        # An error names a file only if it was the only one, so two are enough.
        while len(_recently_read) > 2:
            del _recently_read[next(iter(_recently_read))]
        try:
            yield file
        except OSError as error:
            raise _file_error("read", path, error) from None


_recently_read: dict[str, None] = {}
"""The paths of the two files that were read last, in order; the values say nothing."""


def only_file_read() -> str:
    """The path of the only file read since the command began; "" for none, or several."""
    return next(iter(_recently_read)) if len(_recently_read) == 1 else ""


def forget_files_read() -> None:
    """Begin to count the files read: a process may run many commands."""
    _recently_read.clear()


def write(path: str | os.PathLike[str], content: bytes | str) -> Path:
    """Write a file whole; text in UTF-8.

    Raises:
        FileError: the file can't be written; the old one is unchanged.
    """
    with draft(path) as draft_path, open(draft_path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return Path(path)


@contextmanager
def draft(path: str | os.PathLike[str]) -> Iterator[Path]:
    """An empty file to fill within a `with`; at the end it replaces another.

    Errors are raised before any work is done. A symbolic link is followed; a replaced file keeps
    its permissions. After an error nothing has changed.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = write(Path(folder, "file"), "old")
    ...     with draft(file) as place:
    ...         _ = place.write_text("new"), print(read_text(file))
    ...     print(read_text(file), len(os.listdir(folder)))
    old
    new 1

    Raises:
        FileError: the place does not exist, or holds something other than a file.
    """
    target, draft_path, mode = _new_draft(path)
    try:
        with _reporting_draft(draft_path):
            yield draft_path
        # A new temporary file can be read by its owner alone.
        os.chmod(draft_path, mode)
        # Synced before it is renamed: after a power cut the new name could hold an empty file.
        _sync(draft_path)
        os.replace(draft_path, target)
        _sync(target.parent)
    except OSError as error:
        raise _file_error("write", path, error) from None
    finally:  # after Ctrl-C too
        with suppress(OSError):
            draft_path.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str], is_folder: bool = False) -> None:
    """Check that a file (or a folder) can be written before the work for it begins.

    Raises:
        FileError: as `draft`.
    """
    try:
        target = Path(os.path.realpath(path)) if is_folder else _target(path)
        parent = target.parent
        _check_folder(path, parent)
        if not os.access(parent, os.W_OK | os.X_OK):
            raise FileError(
                f"can't write {shown_path(path)}: the folder {shown_path(parent)} is read-only; "
                "name another"
            )
    except (OSError, ValueError) as error:
        raise _file_error("write", path, error) from None


def offer_for_temporary_files(path: str | os.PathLike[str]) -> None:
    """Let libraries keep temporary files beside a file if no usual folder can be written."""
    try:
        gettempdir()
    except FileNotFoundError:
        tempfile.tempdir = os.path.dirname(os.path.realpath(path))


def _target(path: str | os.PathLike[str]) -> Path:
    """The file that a path leads to."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise FileError(f"can't write {shown_path(path)}: it is a folder; name a file in it")
    if os.path.lexists(target) and not target.is_file():
        raise FileError(f"can't write {shown_path(path)}: it is not a plain file; name another")
    _check_folder(path, target.parent)
    return target


def _check_folder(path: str | os.PathLike[str], parent: Path) -> None:
    """Refuse to write a path whose folder does not exist."""
    if not parent.is_dir():
        raise FileError(
            f"can't write {shown_path(path)}: there is no folder {shown_path(parent)}; "
            "make it first"
        )


def _new_draft(path: str | os.PathLike[str]) -> tuple[Path, Path, int]:
    """The target, an empty file beside it, and the permissions to set."""
    try:
        target = _target(path)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        _remove_old_drafts(target.parent)
        # In the same folder, as a file can't be renamed into another file system.
        handle, name = mkstemp(prefix=_draft_prefix(), suffix=PART, dir=target.parent)
        os.close(handle)
        return target, Path(name), mode
    except (OSError, ValueError) as error:
        raise _file_error("write", path, error) from None


@contextmanager
def new_folder(
    path: str | os.PathLike[str], is_replaceable: Callable[[Path], bool] = lambda _: False
) -> Iterator[Path]:
    """An empty folder to fill within a `with`; at the end it replaces another.

    The old one must be empty, or `is_replaceable` must allow it. After an error nothing has
    changed.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     with new_folder(Path(place, "new")) as new:
    ...         _ = write(new / "file", "text")
    ...     print(read_text(Path(place, "new", "file")), len(os.listdir(place)))
    text 1

    Raises:
        FileError: something else is there, or the folder can't be written.
    """
    try:
        target = Path(os.path.realpath(path))
        if os.path.lexists(target) and not target.is_dir():
            raise FileError(f"can't write {shown_path(path)}: it is not a folder; name another")
        if target.is_dir() and any(target.iterdir()) and not is_replaceable(target):
            raise FileError(
                f"can't write {shown_path(path)}: other files are in it; name a new folder"
            )
        _check_folder(path, target.parent)
        _remove_old_drafts(target.parent)
        draft_path = Path(mkdtemp(prefix=_draft_prefix(), suffix=PART, dir=target.parent))
    except (OSError, ValueError) as error:
        raise _file_error("write", path, error) from None
    moved_away = draft_path.with_name(f"{draft_path.stem}-{target.name}{OLD}")
    try:
        with _reporting_draft(draft_path):
            yield draft_path
        os.chmod(draft_path, 0o777 & ~_umask())
        for file in draft_path.iterdir():
            _sync(file)
        if target.is_dir():
            os.rename(target, moved_away)
        os.rename(draft_path, target)
        _sync(target.parent)
    except OSError as error:
        if moved_away.is_dir() and not target.exists():
            os.rename(moved_away, target)
        raise _file_error("write", path, error) from None
    finally:
        rmtree(draft_path, ignore_errors=True)
        rmtree(moved_away, ignore_errors=True)


@contextmanager
def _reporting_draft(draft_path: Path) -> Iterator[None]:
    """Report a draft to the process that watches, which removes it if this one is killed."""
    status.drafts = [*status.drafts, str(draft_path)]
    try:
        yield
    finally:
        status.drafts = [path for path in status.drafts if path != str(draft_path)]


def _draft_prefix() -> str:
    """The name prefix of this process's drafts, with the machine: a folder may be shared."""
    return f".sevenout-{crc32(node().encode()):08x}-{os.getpid()}-"


def _remove_old_drafts(parent: Path) -> None:
    """Remove the drafts of processes that were killed; put back folders being replaced."""
    machine_prefix = _draft_prefix().rpartition("-")[0].rpartition("-")[0]
    with suppress(OSError):
        for path in [Path(entry.path) for entry in os.scandir(parent)]:
            match = _DRAFT(path.name)
            if not match or _is_alive(path, match["machine"] == machine_prefix, int(match["pid"])):
                continue
            target = parent / (match["replaced"] or "")
            # killed between the two renames: the old folder is all that there is
            if match["replaced"] and not target.exists():
                os.rename(path, target)
            elif path.is_dir():
                rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


PART, OLD = ".part", ".old"
_DRAFT = re.compile(
    r"(?P<machine>\.sevenout-[0-9a-f]{8})-(?P<pid>\d{1,9})-[^-]*(?:\.part|-(?P<replaced>.+)\.old)",
    re.DOTALL,
).fullmatch
"""A draft, by the names that `draft` and `new_folder` give; or a folder that is being replaced."""
_DAY = 86_400


def _is_alive(draft_path: Path, is_ours: bool, pid: int) -> bool:
    """Whether the process that writes a draft may be alive; `is_ours` if on this machine."""
    # another machine's processes can't be asked, and no command writes for a day
    if not is_ours or os.name != "posix":
        return time() - draft_path.stat().st_mtime < _DAY
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's process: it is there
    return True


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path for a message: printable and shortened.

    >>> shown_path("rolls.csv"), len(shown_path("rolls" * 1_000))
    ('rolls.csv', 120)
    """
    text = printable(os.fspath(path)[-1_000:])
    return text if len(text) <= 120 else f"...{text[-117:]}"


def _file_error(verb: str, path: str | os.PathLike[str], error: Exception) -> FileError:
    """The error of a file that can't be read or written; an error of sevenout stays as it is."""
    if isinstance(error, FileError):
        return error
    reason = getattr(error, "strerror", None) or "no file has such a name; name another"
    if isinstance(error, FileNotFoundError):
        reason += "; name one that exists" if verb == "read" else "; name another folder"
    return FileError(f"can't {verb} {shown_path(path)}: {reason}")


class _PlainFile(FileIO):
    """A file whose reads never wait: one with nothing to read now raises an OSError.

    Some files of the system, such as /proc/kmsg, look plain but wait for a writer.
    """

    def readinto(self, buffer: Any, /) -> int:
        count = super().readinto(buffer)
        if count is None:  # io's readers take that for an end, or raise a TypeError
            raise BlockingIOError(EAGAIN, "it waits for another program to write it")
        return count


def _open_without_waiting(path: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _umask() -> int:
    # The mask can be read only by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync(path: Path) -> None:
    """Sync a change to disk, where the system can (folders can't be opened on Windows)."""
    if path.is_dir() and os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
