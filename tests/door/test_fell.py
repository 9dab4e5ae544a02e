"""What once took minutes or gigabytes, or was refused after the work: each as a real command."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from sevenout import files
from tests.door.measured import measured

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="forks")]

ALL = "".join(f'[[bet]]\non = "{on}"\namount = 1\n' for on in ("pass", "small", "tall", "all"))
SIX = """
[[bet]]
on = "pass"
amount = 5
odds = 2
[[bet]]
on = "place 6"
amount = 6
press = 6
when = "point"
[[bet]]
on = "place 8"
amount = 6
press = 6
when = "point"
[[bet]]
on = "field"
amount = 5
ladder = [1, 2, 4, 8, 16]
"""
LINE = 'format = 1\nname = "x"\n[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n'
FILES = {
    "all.toml": lambda: ALL,
    "six.toml": lambda: SIX,
    "name.toml": lambda: f"{LINE}[line.bets.{'x' * 100_000}]\n",
    "deep.toml": lambda: f"{LINE}{'.'.join('a' * 100_000)} = 1\n",
    "rolls.csv": lambda: "3,4\n" * 15_900_000,
}
AT_ONCE = 3.0
"""Seconds of a processor in which an argument is refused, the start of the program among them."""

# the words, seconds of a processor and gigabytes at most, the code, what is said
FELL = [
    ("evening all.toml --bankroll 300 --budget 10,600MB", 14, 0.9, 2, "--simulate "),
    ("evening all.toml --bankroll 300 --simulate 20 --budget 20,900MB", 25, 1.2, 0, "± "),
    ("evening pass --simulate 1e12", AT_ONCE, 0.6, 2, "evenings would take about"),
    ("dice 2d6 --plot x.svg --rolled 1e7", 30, 0.5, 0, ""),
    ("dice 2d6 --plot x.svg --rolled 1e12", AT_ONCE, 0.3, 2, "draw fewer"),
    ("simulate craps --log rolls.csv", AT_ONCE, 0.3, 2, "MB of rolls, would take"),
    ("test dice rolls.csv --dice 2d6 --budget 300", 150, 1.5, 1, ""),
    (
        "evening --best pass=1..1000,field=1..1000 --bankroll 100 --target 200",
        *(AT_ONCE, 0.3, 2, "give each bet at most 5"),
    ),
    ("best pig --plot x.gif", AT_ONCE, 0.3, 2, "a picture can be .svg"),
    ("evening pass --plot x.gif", AT_ONCE, 0.3, 2, "a picture can be .svg"),
    ("sheet craps -o /nowhere/x.pdf", AT_ONCE, 0.3, 2, "there is no folder /nowhere"),
    ("dice d10! --show 100000", AT_ONCE, 0.3, 2, "show fewer"),
    ("simulate yahtzee --policy best --games 1e6", 60, 2, 0, ""),
    ("odds name.toml", AT_ONCE, 0.3, 2, "name.toml:7: a name of 100,000 characters"),
    ("odds deep.toml", AT_ONCE, 0.3, 2, "deep.toml:7: a key of over 32 parts"),
    ("evening six.toml --bankroll 1000 --rolls 6", 15, 0.6, 0, ""),
]


@pytest.mark.parametrize("case", FELL, ids=lambda case: case[0])
def test_what_fell(case: tuple[str, float, float, int, str], tmp_path: Path) -> None:
    words, seconds, most, code, says = case
    for name, text in FILES.items():
        if name in words:
            (tmp_path / name).write_text(text())
    begun = time.monotonic()
    found = measured(tmp_path, *words.split())
    assert found.code == code, found.said[-500:]
    assert says in found.said
    assert "Traceback" not in found.said
    if code == 2:
        assert found.said.startswith("sevenout: ")
        assert found.said.count("\n") == 1
    assert found.cpu < seconds
    assert found.memory < most * 1e9
    assert time.monotonic() - begun < 300


def test_a_home_that_cannot_be_written_is_no_matter(tmp_path: Path) -> None:
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "MPL"))}
    done = subprocess.run(
        [sys.executable, "-m", "sevenout", "dice", "2d6", "--plot", "x.svg"],
        env=plain | {"HOME": "/proc/1", "TMPDIR": "/nowhere"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_where_nothing_else_can_be_written_temporary_files_stand_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "tempdir", None)
    files.offer_for_temporary_files(tmp_path / "x.pdf")
    assert tempfile.tempdir != str(tmp_path)
    monkeypatch.setattr(files, "gettempdir", nowhere)
    files.offer_for_temporary_files(tmp_path / "x.pdf")
    assert tempfile.gettempdir() == str(tmp_path)
