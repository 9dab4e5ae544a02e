"""Files are read only if they are plain and small, and written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from sevenout.errors import FileError
from sevenout.files import draft, read_bytes, read_lines, read_text, write


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert write(path, "é\r\nb\rc\n") == path
    assert path.read_bytes() == "é\r\nb\rc\n".encode()
    assert read_text(path) == "é\nb\nc\n"
    write(path, b"\xef\xbb\xbfmarked")
    assert read_text(path) == "marked"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(not os.access("/proc/kmsg", os.R_OK), reason="the log of the kernel")
def test_a_file_that_waits_for_a_writer_is_refused() -> None:
    for read in (read_text, read_bytes, lambda path: list(read_lines(path))):
        with pytest.raises(FileError, match="can't read /proc/kmsg: it waits for another program"):
            read("/proc/kmsg")


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real, link = tmp_path / "folder" / "real", tmp_path / "link"
    real.parent.mkdir()
    link.symlink_to(real)
    for content in ("new", "newer"):
        write(link, content)
        assert link.is_symlink()
        assert real.read_text() == content
    assert [each.name for each in real.parent.iterdir()] == ["real"]


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    mask = os.umask(0o022)
    try:
        write(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(0o600)
        write(path, "newer")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(mask)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", ["fsync", "replace", "chmod"])
def test_whatever_goes_wrong_the_old_file_stays(
    error: BaseException, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("precious")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, at, fail)
    wanted = FileError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(wanted):
        write(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "precious"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_an_error_of_the_writer_stays_its_own(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), draft(tmp_path / "a"):
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, Path | str]:
    """Names that are no plain files."""
    pipe, loop, broken = (tmp_path / name for name in ("pipe", "loop", "broken"))
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    broken.symlink_to(tmp_path / "nowhere" / "x")
    (tmp_path / "file").touch()
    return {
        "pipe": pipe,
        "loop": loop,
        "broken": broken,
        "under": tmp_path / "file" / "x",
        "folder": tmp_path,
        "root": "/",
        "device": "/dev/zero",
        "long": tmp_path / ("x" * 5_000),
        "null": "a\0b",
        "surrogate": tmp_path / "missing" / "\udcff",
        "nothing": "",
        "escape": "/nowhere/\x1b[31m\nred",
    }


NAMES = [
    "pipe",
    "loop",
    "broken",
    "folder",
    "root",
    "device",
    "long",
    "null",
    "surrogate",
    "nothing",
    "escape",
    "under",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_plain_file(name: str, odd: dict[str, Path | str]) -> None:
    for act in (read_text, lambda path: write(path, "x")):
        with pytest.raises(FileError) as raised:
            act(odd[name])
        message = str(raised.value)
        assert message.startswith("can't ")
        assert message.isprintable()
        assert len(message) < 300


def test_a_file_that_grows_while_it_is_read_is_too_long_and_not_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "rolls"
    path.write_text("3,4\n" * 10)
    lines = read_lines(path, max_bytes=40)
    next(lines)
    path.write_text("3,4\n" * 20)
    with pytest.raises(FileError, match=r"rolls: it is longer than 40 bytes; give a shorter file"):
        list(lines)


def test_too_long_and_not_text(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 101)
    assert len(read_text(path, 101)) == 101
    with pytest.raises(FileError, match="longer than 100 bytes"):
        read_text(path, 100)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="not text in UTF-8"):
        read_text(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch(0o000)
    with pytest.raises(FileError, match="Permission denied"):
        read_text(path)
