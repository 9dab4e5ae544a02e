"""Runs malformed inputs, each in a fork of one process that has loaded the house.

    python -m tests.cli.malformed FOLDER < cases.json > results.jsonl

A fork has the seconds of a processor that a long answer may take, and 2 GB; its result is what it
printed and what it took. The clock ends only what waits for ever: a busy machine is no fault.
"""

import json
import os
import resource
import shlex
import signal
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS, WALL, BYTES = 2, 300, 1_000_000_000
ANSWER = 8
DIGITS, LONG, ESC = "9" * 5_000, "x" * 300_000, "\x1b[31m"
SETS = "naturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n"
TOP = "format = 1\nname = 'x'\n"
WIDE = "naturals = [35]\ncraps = [10]\nout = 35\n"

LOADED = (
    "sevenout.cli.app",
    *(f"sevenout.cli.commands.{name}" for name in ("paper_commands", "play_command")),
    "sevenout.questions.dice_pages",
    *("sevenout.papers.plots", "sevenout.verify", "sevenout.variants.variant_table"),
    *(
        "sevenout.simulation.run",
        "sevenout.papers.dice_pictures",
        "sevenout.catalogue",
        "sevenout.evenings.sessions",
    ),
    *("matplotlib.pyplot", "scipy.stats", "scipy.optimize", "duckdb", "numpy"),
)

Case = dict[str, Any]


def cases() -> list[Case]:
    """Every case: its words, its standard input, whether an answer will do."""
    found = {json.dumps(case): case for case in _cases()}
    return list(found.values())


def _cases() -> Iterator[Case]:
    data = tomllib.loads((HERE / "malformed.toml").read_text())
    for kind in ("cases", "bombs"):
        for i, each in enumerate(data[kind]):
            # a third of each list, by turns: every value comes to many a command
            values = [
                v for name in each.get("values", ()) for v in data["values"][name][i % 3 :: 3]
            ]
            for value in [*values, *each.get("more", ())]:
                words = [w.replace("VALUE", value) for w in shlex.split(each["words"])]
                if each["words"].startswith("VALUE"):
                    words = shlex.split(each["words"].replace("VALUE", value))
                yield {"words": words, "stdin": "", "bomb": kind == "bombs"}
            for stdin in each.get("stdin", ()):
                yield {"words": shlex.split(each["words"]), "stdin": stdin, "bomb": False}
    for i, _ in enumerate(game_files()):
        yield {"words": ["odds", f"GAMES/{i}.toml"], "stdin": "", "bomb": False}


def game_files() -> Iterator[str]:
    """The texts of malformed game files."""
    data = tomllib.loads((HERE / "games.toml").read_text())
    yield from data["texts"]
    for dice in data["dice"]:
        yield f"{TOP}dice = {dice}\n[[line]]\n{SETS}"
    for key, values in data["line"].items():
        lines = {line.split(" = ")[0]: line for line in SETS.splitlines()}
        for value in values:
            changed = lines | {key: value if key == "extra" else f"{key} = {value}"}
            yield f"{TOP}[[line]]\n" + "\n".join(changed.values())


def make_files(folder: Path) -> None:
    """The files that are named in the words."""
    for name in ("FOLDER", "FOLDER.toml", "GAMES"):
        (folder / name).mkdir()
    for name in ("LOOP", "LOOP.toml", "LOOP.png"):
        (folder / name).symlink_to(folder / name)
    for name in ("PIPE", "PIPE.toml", "PIPE.png"):
        os.mkfifo(folder / name)
    (folder / "ZERO.toml").symlink_to("/dev/zero")
    with open(folder / "HUGE.toml", "wb") as file:
        file.truncate(10**11)
    lines = f"[[line]]\n{SETS}"
    bets = "".join(f"bets.b{i}.point = {i}\n" for i in range(1_000))
    pays = ", ".join(["1"] * 20_000)
    wide = ", ".join(["'1..1000'"] * 9)
    texts = {
        "FILE": "precious",
        "EMPTY": "",
        "EMPTY.toml": "",
        "ROLLS": "red,white\n3,4\n1,3\n",
        "LOG-13": "13\n",
        "LOG-DIGITS": f"3,4\n{DIGITS}\n",
        "LOG-ESC": f"{ESC}7\n",
        "LOG-FACES": "3,4,5\n",
        "LOG-LONG": f"1{LONG}\n",
        "HARD.toml": f"{TOP}dice = '10d6'\n[[line]]\nhard = true\n{WIDE}",
        "LIMIT.toml": f"{TOP}{lines}limit = 100000\n",
        "MANY.toml": TOP + lines * 1_000,
        "LINES.toml": TOP + (lines + "limit = 50\n") * 20,
        "OPEN.toml": f"{TOP}{lines}bets.pass.point = '1..2 by 1/10'\n",
        "WIDE-OPEN.toml": f"{TOP}{lines}limit = 9\nbets.x.point = [{wide}]\n",
        "MANY-OPEN.toml": f"{TOP}{lines}limit = '1..3000'\nbets.x.stake = '1..3000'\n",
        "PAYS.toml": f"{TOP}{lines}limit = 20000\nbets.x.point = [{pays}]\n{bets}",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    for name in ("BINARY", "BINARY.toml"):
        (folder / name).write_bytes(bytes(range(256)))
    for i, text in enumerate(game_files()):
        (folder / "GAMES" / f"{i}.toml").write_text(filled(text))


def filled(text: str) -> str:
    """A text with what the short names stand for."""
    for name, value in (("DIGITS", DIGITS), ("BRACKETS", "a = " + "[" * 50_000)):
        text = text.replace(name, value)
    return text.replace("LONG", LONG).replace("ESC", ESC)


def words_of(case: Case) -> list[str]:
    """The words of a case, in full; the names of files that begin with LOG- stay."""
    return [w if "LOG-" in w or "GAMES/" in w else filled(w) for w in case["words"]]


def run(case: Case, out: Path) -> dict[str, Any]:
    """One case, in a fork."""
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        _child(case, out)
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return {
        "code": code,
        "out": (out / "out").stat().st_size,
        "err": (out / "err").read_text(errors="replace")[-4_000:],
        "seconds": used.ru_utime + used.ru_stime,
        "wall": time.perf_counter() - begun,
        "bytes": used.ru_maxrss * 1024,
    }


def _child(case: Case, out: Path) -> None:
    signal.alarm(WALL)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2 * BYTES, used + 2 * BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (ANSWER + 1, ANSWER + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    (out / "in").write_text(filled(case["stdin"]) + "\n")
    for name, number, flags in (("in", 0, os.O_RDONLY), ("out", 1, _NEW), ("err", 2, _NEW)):
        handle = os.open(out / name, flags, 0o600)
        os.dup2(handle, number)
    code = 1
    try:
        from sevenout.cli import main

        code = main(words_of(case))
        sys.stdout.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def serve(folder: Path) -> None:
    """Run the cases on standard input."""
    from importlib import import_module

    for name in LOADED:  # a fork need not load them again
        import_module(name)
    todo = json.load(sys.stdin)
    out = folder / "streams"
    out.mkdir(exist_ok=True)  # a module's two sets of cases share the folder
    os.chdir(folder)
    for case in todo:
        print(json.dumps(run(case, out)), file=_RESULTS, flush=True)


if __name__ == "__main__":
    _RESULTS = os.fdopen(os.dup(1), "w")
    serve(Path(sys.argv[1]))
