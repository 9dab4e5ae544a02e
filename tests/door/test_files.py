"""One door for every file that a user names: small, plain, shallow, and named in every message."""

import base64
import json
import os
import struct
import time
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.documents.artwork import read_picture
from sevenout.errors import FileError, NotationError, SevenoutError
from sevenout.evenings import one_bet
from sevenout.rules.gamefiles.gamefile import parse_game, read_game
from sevenout.simulation import LogError, lazy_sampler, read_log, replay_log, simulate
from sevenout.simulation.checkpoints import CheckpointError
from sevenout.textdata import DEPTH, json_data, toml_data
from sevenout.verify import read_rolls
from tests.simulation.games import Long

CRAPS = games["craps"]
DEEP = 100_000
TOO_DEEP = {
    "keys": "x = 1\n" + ".".join(["a"] * DEEP) + " = 1",
    "quoted keys": "x = 1\n" + ".".join(['"a"'] * DEEP) + " = 1",
    "headers": "x = 1\n[" + " . ".join(["a"] * DEEP) + "]",
    "lists": "x = 1\na = " + "[" * DEEP,
    "lists that end": "x = 1\na = " + "[" * DEEP + "]" * DEEP,
    "tables": "x = 1\na = " + "{a = " * DEEP,
    "digits": "x = 1\na = " + "9" * DEEP,
}


@pytest.mark.parametrize("what", TOO_DEEP)
def test_deep_toml_is_refused_at_once_with_its_line(what: str) -> None:
    begun = time.process_time()
    with pytest.raises(NotationError, match=r"^mine\.toml:2: "):
        toml_data(TOO_DEEP[what], "mine.toml")
    assert time.process_time() - begun < 0.5


def test_what_stands_in_texts_is_not_deep() -> None:
    said = "[" * 50 + ".".join("a" * 50) + "9" * 5_000
    for quotes in ('"""', "'''", '"', "'"):
        assert toml_data(f"a = {quotes}{said}{quotes} # {said}")["a"] == said
    assert json_data(json.dumps([said]), "x") == [said]
    lists = "[" * DEPTH + "]" * DEPTH
    assert toml_data(f"a = {lists}") == {"a": json_data(lists, "x")}


@pytest.mark.parametrize("text", ["[" * DEEP, '{"a":' * DEEP, "9" * DEEP, "NaN", "[1", ""])
def test_deep_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(NotationError, match=r"^x\.json(:1)?: "):
        json_data(text, "x.json")


def odd_files(folder: Path, suffix: str) -> dict[str, Path]:
    """Names that are no plain files of a suffix."""
    pipe, loop, binary, zero = (
        folder / f"{name}{suffix}" for name in ("pipe", "loop", "binary", "zero")
    )
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    zero.symlink_to("/dev/zero")
    binary.write_bytes(b"a\n\xff\xfe\0")
    huge = folder / f"huge{suffix}"
    with open(huge, "wb") as file:
        file.truncate(10**11)
    return {
        "pipe": pipe,
        "loop": loop,
        "binary": binary,
        "zero": zero,
        "huge": huge,
        "missing": folder / f"\x1b[31mmissing{suffix}",
        "folder": folder,
    }


READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "game": (".toml", read_game),
    "strategy": (".toml", lambda path: main_refuses(["evening", str(path)])),
    "open numbers": (".toml", lambda path: main_refuses(["tune", str(path), "--edge", "1%"])),
    "program": (".py", lambda path: main_refuses(["odds", str(path)])),
    "log": (".csv", lambda path: list(replay_log(CRAPS, read_log(path)))),
    "log to simulate": (
        ".csv",
        lambda path: main_refuses(["simulate", "craps", "--log", str(path)]),
    ),
    "rolls": (".csv", lambda path: read_rolls(path, "2d6")),
    "results": (".csv", lambda path: main_refuses(["test", "log", "craps", str(path)])),
    "checkpoint": (".json", lambda path: simulate(CRAPS, 10, save=path, resume=True)),
    "picture": (".svg", read_picture),
    "picture in dots": (".png", read_picture),
}


class RefusedError(SevenoutError):
    """What a command said."""


def main_refuses(words: list[str]) -> None:
    import contextlib
    import io

    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert main(words) == 2
    assert said.getvalue().count("\n") == 1
    raise RefusedError(said.getvalue().strip())


@pytest.mark.parametrize("kind", ["pipe", "loop", "binary", "zero", "huge", "missing", "folder"])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_plain_text(reader: str, kind: str, tmp_path: Path) -> None:
    suffix, read = READERS[reader]
    path = odd_files(tmp_path, suffix)[kind]
    if kind == "folder" and reader in ("strategy", "checkpoint", "program"):
        pytest.skip("a folder means a strategy's name, or no program")
    if (kind, reader) in (("missing", "checkpoint"), ("binary", "results")):
        pytest.skip("it is made; it is a line that disagrees")
    begun = time.process_time()
    with pytest.raises(SevenoutError) as raised:
        read(path)
    text = str(raised.value)
    assert time.process_time() - begun < 5
    assert text.isprintable()
    assert len(text) < 400
    assert not any(word in text for word in ("Error:", "codec", "Errno", "Traceback"))
    assert (path.name if kind != "missing" else "missing") in text


# --- logs and rolls ------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["8", "3,9", "x", "\x1b[31m", "3,4,5", "1,", "9" * 5_000])
def test_a_log_error_has_file_and_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "rolls.csv"
    path.write_text(f"red,white\n3,4\n\n# a remark\n{line}\n")
    game = games["craps"]
    if line == "8":
        path.write_text("red,white\n3,4\n\n# a remark\n13\n")
    with pytest.raises(LogError, match=r"rolls\.csv, line 5: roll 2 is ") as raised:
        list(replay_log(game, read_log(path)))
    assert str(raised.value).isprintable()


def test_errors_of_rolls_are_short_and_printable(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31m.csv"
    for text in ("1\n\x1b[31m", "1\n" + "9" * 5_000, "face,count\n1,x", "1,2,3", "a,b\n", "1\n'"):
        path.write_text(text)
        with pytest.raises(SevenoutError, match=r"\\x1b\[31m\.csv") as raised:
            read_rolls(path, "d6")
        assert str(raised.value).isprintable()
        assert len(str(raised.value)) < 400


def test_a_large_file_of_rolls_is_kept_small(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "rolls.csv"
    path.write_text("3,4\n1,2\n" * 100_000)
    tracemalloc.start()
    assert read_rolls(path, "2d6").n == 200_000
    assert tracemalloc.get_traced_memory()[1] < 15e6
    tracemalloc.stop()


# --- checkpoints ---------------------------------------------------------------------------------


def hashed(content: dict[str, Any]) -> str:
    content = {key: value for key, value in content.items() if key != "checksum"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return json.dumps(content | {"checksum": sha256(text.encode()).hexdigest()})


WRONG = ([], {}, None, "x", -1, 1.5, True, [[]], {"a": 1}, 10**400, "\x1b[31m", [None] * 7)


def places(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in data; of long lists only at their ends."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    keys = [*keys][:3] + [*keys][-3:] if isinstance(data, list) else [*keys]
    return [way] * bool(way) + [at for key in keys for at in places(data[key], (*way, key))]


def refusal(path: Path, game: Any, games: int) -> str:
    """What is said of a checkpoint; nothing if it does."""
    try:
        assert simulate(game, games, seed=3, save=path, resume=True).games == games
    except CheckpointError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("game", "games"),
    [
        (CRAPS, 40),
        pytest.param(one_bet(CRAPS, bankroll=8, bets=6).game, 5, marks=pytest.mark.slow),
        pytest.param(Long(), 3, marks=pytest.mark.slow),
    ],
)
def test_a_checkpoint_that_was_hashed_again_is_refused(
    game: Any, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stands anywhere in it."""
    if not isinstance(game, type(CRAPS)):
        monkeypatch.setattr(lazy_sampler, "QUICK_STATES", 0)
    path = tmp_path / "run.json"
    simulate(game, games, seed=3, save=path)
    good = path.read_text()
    refused = 0
    for at in places(json.loads(good)):
        for wrong in WRONG:
            content = json.loads(good)
            *way, last = at
            place = content
            for key in way:
                place = place[key]
            place[last] = wrong
            path.write_text(hashed(content))
            said = refusal(path, game, games)
            refused += bool(said)
            assert not said or "run.json" in said
            assert said.isprintable()
            assert len(said) < 400
    assert refused > 100


# --- pictures ------------------------------------------------------------------------------------


def png(width: int, height: int, data: bytes = b"") -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b08ea60ea6001011100ffd9")
DATA = "data:image/png;base64," + base64.b64encode(png(60_000, 60_000)).decode()
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink">{}</svg>'
LAUGHS = (
    "".join(f'<g id="g{i}">' + f'<use href="#g{i + 1}"/>' * 10 + "</g>" for i in range(9))
    + '<circle id="g9" r="1"/>'
)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.png", png(60_000, 60_000), "60,000 x 60,000 pixels"),
        ("a.jpg", JPEG, "60,000 x 60,000 pixels"),
        ("a.png", JPEG, "it is not a PNG"),
        ("a.jpeg", png(1, 1), "it is not a JPEG"),
        ("a.png", b"", "it is not a PNG"),
        ("a.png", b"\x89PNG\r\n\x1a\n", "its size can't be found"),
        ("a.jpg", b"\xff\xd8\xff\xff\xff\xff", "its size can't be found"),
        ("a.svg", "no picture", "it is not an SVG"),
        ("a.svg", "<html/>", "it is not an SVG"),
        ("a.svg", "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg/>", "DOCTYPE"),
        ("a.svg", SVG.format('<image href="/etc/passwd"/>'), "it names another file"),
        ("a.svg", SVG.format('<image x:href="other.png"/>'), "it names another file"),
        ("a.svg", SVG.format('<use href="other.svg#a"/>'), "it names another file"),
        ("a.svg", SVG.format('<image href="http://x/y.png"/>'), "it names another file"),
        ("a.svg", SVG.format('<image href="data:image/svg+xml;base64,AA"/>'), "another file"),
        ("a.svg", SVG.format(f'<image href="{DATA}"/>'), "60,000 x 60,000 pixels"),
        ("a.svg", SVG.format("<style>@import 'x.css'</style>"), "its style names another"),
        ("a.svg", SVG.format('<g fill="url(x.svg#a)"/>'), "it names another file"),
        ("a.svg", SVG.format("<script/>"), "it has an element script"),
        ("a.svg", SVG.format('<g onload="x"/>'), "it has a program, onload"),
        ("a.svg", SVG.format(LAUGHS), "over 100,000 shapes"),
        ("a.svg", SVG.format('<g id="a"><use href="#a"/></g>'), "over 100,000 shapes"),
        ("a.svg", "<svg>" * 2_000, "it is not an SVG"),
    ],
)
def test_pictures_that_are_refused(
    name: str, content: bytes | str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    begun = time.process_time()
    with pytest.raises(FileError, match=f"can't draw .*{name}: .*{says}"):
        read_picture(path)
    assert time.process_time() - begun < 1


def test_pictures_that_are_taken(tmp_path: Path) -> None:
    good = SVG.format('<g id="a" fill="url(#b)"/><use x:href="#a"/><style>g { fill: red }</style>')
    for name, content in (("a.png", png(600, 400)), ("a.svg", good.encode())):
        path = tmp_path / name
        path.write_bytes(content)
        assert read_picture(path) == content


# --- programs ------------------------------------------------------------------------------------


def test_a_program_that_fails_says_in_which_line(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "mine.py"
    for text in ("x = 1\n1 / 0\n", "x = 1\nx = = 2\n", "x = 1\n\0"):
        path.write_text(text)
        assert main(["odds", str(path)]) == 2
        said = capsys.readouterr().err
        assert "mine.py fails: " in said
        assert "in line 2" in said or "null" in said


def test_a_game_file_with_a_name_of_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31m.toml"
    path.write_text("format = 2")
    with pytest.raises(NotationError, match=r"\\x1b\[31m\.toml:1: format = 2"):
        read_game(path)
    assert parse_game
