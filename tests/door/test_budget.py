"""A budget is kept: what takes more is ended in one line, with code 2, and leaves nothing half."""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sevenout as so
from sevenout import files
from sevenout.budgets import enforcement
from sevenout.errors import FileError, TooMuchWorkError
from sevenout.files import draft, new_folder, write
from tests.door.measured import measured

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and signals")

GAMES = '''
import os, signal, time
from sevenout.rolling import parse_dice
from sevenout.files import draft
from sevenout.rules import Game, win

class Own(Game):
    """A game."""

    dice = parse_dice("2d6")
    start = None

    def step(self, state, roll):
        self.work()
        return win("won")

class Loops(Own):
    def work(self):
        while True:
            pass

class Swallows(Own):
    def work(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

class InC(Own):
    def work(self):
        10 ** (10 ** 9)

class Sleeps(Own):
    def work(self):
        time.sleep(1_000)

class Eats(Own):
    def work(self):
        eaten = []
        while True:
            eaten.append(bytes(10 ** 5) + b"x")

class EatsAtOnce(Own):
    def work(self):
        bytearray(10 ** 13)

class Crashes(Own):
    def work(self):
        os.kill(os.getpid(), signal.SIGSEGV)

class Writes(Own):
    def work(self):
        with draft(os.environ["DRAFT"]) as place:
            place.write_text("half")
            10 ** (10 ** 9)
'''


def start(*words: str, **how: Any) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "sevenout", *words], stdout=pipe, stderr=pipe, text=True, **how
    )


def run(*words: str, **how: Any) -> "subprocess.CompletedProcess[str]":
    with start(*words, **how) as child:
        try:
            out, err = child.communicate(timeout=60)
        finally:
            child.kill()
    return subprocess.CompletedProcess(words, child.returncode, out, err)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.py"
    path.write_text(GAMES)
    return path


SPENT = "sevenout: it took more than the budget of {}; ask for less, or raise it: --budget {}\n"


@pytest.mark.parametrize("name", ["Loops", "Swallows", "InC", "Sleeps"])
def test_time_is_kept(name: str, games: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("odds", f"{games}:{name}", "--budget", "2")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stderr == SPENT.format("2 seconds", "20")
    assert (done.returncode, done.stdout) == (2, "")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert (
        used < 8
    )  # twice the budget, and the start; the clock depends on the machine's other jobs


STUBBORN = """
import sys
from sevenout.evenings.evening_plan import Plan
import sevenout.simulation.played_evenings

def solve(self):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

Plan.solve = solve
sys.argv[0] = "sevenout"
from sevenout.__main__ import run
run()
"""


def test_an_evening_that_is_ended_offers_to_play() -> None:
    """Even if its own guard can't end it, and the process that watches does."""
    words = "evening", "pass", "--bankroll", "20", "--rolls", "20", "--budget", "2"
    done = subprocess.run(
        [sys.executable, "-c", STUBBORN, *words], capture_output=True, text=True, check=False
    )
    spent = "sevenout: it took more than the budget of 2 seconds; "
    offer = r"play evenings instead: --simulate \d+, or raise it: --budget \S+\n"
    assert re.fullmatch(spent + offer, done.stderr)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("name", ["Eats", "EatsAtOnce"])
def test_memory_is_kept(name: str, games: Path) -> None:
    found = measured(games.parent, "odds", f"{games}:{name}", "--budget", "300MB")
    assert found.said == SPENT.format("0.3 GB of memory", "0.6GB")
    assert found.code == 2
    assert found.memory < 6e8


def test_a_crash_is_a_line(games: Path) -> None:
    done = run("odds", f"{games}:Crashes")
    assert done.stderr == "sevenout: the system ended the program (SIGSEGV); ask for less\n"
    assert done.returncode == 2


def test_what_was_half_written_goes(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    done = run("odds", f"{games}:Writes", "--budget", "2", env=os.environ | {"DRAFT": str(target)})
    assert done.returncode == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.py"]


def test_a_run_shows_what_it_has(tmp_path: Path) -> None:
    save = tmp_path / "run.json"
    done = run("simulate", "craps", "--games", "1e12", "--budget", "3", "--save", str(save))
    assert "seven out" in done.stdout
    assert done.stderr == SPENT.format("3 seconds", "30")
    assert done.returncode == 2
    assert '"games": ' in save.read_text()


# --- signals --------------------------------------------------------------------------------------


def test_sigterm_ends_as_ctrl_c_does(tmp_path: Path) -> None:
    for number, wanted in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        save = tmp_path / f"{wanted}.json"
        words = ("simulate", "craps", "--games", "1e12", "--budget", "inf", "--save", str(save))
        with start(*words) as child:
            for _ in range(600):  # until it plays
                time.sleep(0.1)
                if save.exists() and '"rolls": 0' not in save.read_text():
                    break
            child.send_signal(number)
            out, err = child.communicate(timeout=60)
        assert (child.returncode, err) == (wanted, "")
        assert "seven out" in out


def test_a_killed_program_ends_its_child_process(games: Path) -> None:
    child = start("odds", f"{games}:Loops", "--budget", "inf")
    time.sleep(2)
    below = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
    child.kill()
    child.communicate()
    time.sleep(1)
    assert below
    assert (
        not Path(f"/proc/{below[0]}").exists() or "Z" in Path(f"/proc/{below[0]}/stat").read_text()
    )


def test_a_closed_pipe_is_no_failure_of_ours() -> None:
    with start("games") as child:
        assert child.stdout
        assert child.stderr
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == 128 + signal.SIGPIPE


# --- drafts ---------------------------------------------------------------------------------------


def killed(code: str, place: Path) -> None:
    """Run a program that kills itself, in a folder."""
    program = f"import os, signal\nfrom sevenout.files import *\n{code}"
    done = subprocess.run([sys.executable, "-c", program], cwd=place, check=False)
    assert done.returncode == -signal.SIGKILL


KILL = "os.kill(os.getpid(), signal.SIGKILL)"


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    killed(f"with draft('a') as place: place.write_text('half'); {KILL}", tmp_path)
    killed(f"with new_folder('b') as place: (place / 'x').write_text('half'); {KILL}", tmp_path)
    assert len([*tmp_path.glob(".sevenout-*.part")]) == 1  # the second has swept the first
    with draft(tmp_path / "c"):
        assert len([*tmp_path.glob(".sevenout-*.part")]) == 1  # what is being written stays
        write(tmp_path / "d", "whole")
        assert len([*tmp_path.glob(".sevenout-*.part")]) == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["c", "d"]


WRITTEN = """
import os, signal
from threading import Thread
from sevenout.variants.variant_table import write_table

def kill():
    while not any(entry.stat().st_size for entry in os.scandir('.')):
        pass
    os.kill(os.getpid(), signal.SIGKILL)

Thread(target=kill).start()
write_table('2d6', 'table.{suffix}')
"""


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_no_file_of_a_library_stays_after_a_kill(suffix: str, tmp_path: Path) -> None:
    killed(WRITTEN.format(suffix=suffix), tmp_path)
    assert [path.name[:10] for path in tmp_path.iterdir()] == [".sevenout-"]
    with draft(tmp_path / "next"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["next"]


def test_what_another_machine_writes_stays_for_a_day(tmp_path: Path) -> None:
    other = tmp_path / ".sevenout-00000000-1-abc.part"
    other.touch()
    write(tmp_path / "a", "")
    assert other.exists()
    os.utime(other, (0, 0))
    write(tmp_path / "a", "")
    assert not other.exists()


def test_a_folder_that_was_being_replaced_is_put_back(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a-b") as place:
        write(place / "file", "precious")
    code = f"""
rename, calls = os.rename, []
def renamed(*names):
    calls.append(names)
    if len(calls) == 2:
        {KILL}
    rename(*names)
os.rename = renamed
with new_folder('a-b', lambda _: True) as place:
    write(place / 'file', 'new')
"""
    killed(code, tmp_path)
    assert not (tmp_path / "a-b").exists()
    write(tmp_path / "c", "")
    assert (tmp_path / "a-b" / "file").read_text() == "precious"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a-b", "c"]
    assert files.FileError is FileError


# --- within a program -----------------------------------------------------------------------------


def loop(seconds: float = 0.2) -> None:
    """Never end, whatever error comes."""

    def work() -> None:
        while True:
            try:
                for _ in range(10**9):
                    pass
            except Exception:
                pass

    so.run_within(work, seconds)


def test_the_guard_ends_what_takes_too_long() -> None:
    begun = time.monotonic()
    with pytest.raises(TooMuchWorkError, match=r"it took more than the budget of 0\.2 seconds"):
        loop()
    assert time.monotonic() - begun < 5


def eat(piece: int) -> None:
    """Take memory, a piece at a time."""
    so.run_within(lambda: [bytearray(piece) for _ in range(10**6)], memory=2e8)


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells nothing of memory")
def test_a_wait_for_a_processor_takes_nothing_from_a_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a machine with forty jobs a step of 0.1 s may take ten on the clock."""
    now, queued = 0.0, 0.0
    monkeypatch.setattr(enforcement, "monotonic", lambda: now)
    monkeypatch.setattr(enforcement, "queued_of", lambda _: queued)
    monkeypatch.setattr(enforcement, "cpu_of", lambda _: 0.1)
    clock = enforcement.Clock()
    for _ in range(5):
        now, queued = now + 3, queued + 2.9
        clock.tick()
        assert not clock.exceeded(4, float("inf"))
    for _ in range(3):  # and then it sleeps
        now += 3
        clock.tick()
        limit = clock.exceeded(4, float("inf"))
    assert limit == "seconds"


def test_the_guard_keeps_memory() -> None:
    for piece in (10**12, 10**6):
        with pytest.raises(TooMuchWorkError, match=r"budget of 0\.2 GB of memory; ask for less"):
            eat(piece)
    assert bytearray(3 * 10**8)  # and the limit is gone


def test_an_exception_that_comes_after_the_step_is_the_error() -> None:
    """NumPy lets the guard run while it computes, and an operator looks for no exception."""
    numbers, errors = np.arange(4e7), 0
    for _ in range(5):
        try:
            so.run_within(lambda: numbers**0.3, seconds=0.02)
        except TooMuchWorkError:
            errors += 1
    assert errors  # on a busy machine the guard may come after the step


def test_what_ends_in_time_is_left_alone() -> None:
    for _ in range(200):
        # a busy machine may take that long to start a thread; nothing may come later
        with suppress(TooMuchWorkError):
            so.run_within(int, seconds=0.05)
    time.sleep(0.3)

    def edge() -> Fraction:
        return so.solve(so.games["craps"]).bet().edge

    assert so.run_within(lambda: so.run_within(edge, seconds=40), seconds=50) == edge()
    with pytest.raises(ZeroDivisionError):
        so.run_within(lambda: 1 / 0, seconds=50)


def test_a_thread_is_guarded_by_itself() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(loop) for _ in range(2)]:
            with pytest.raises(TooMuchWorkError, match="seconds"):
                each.result(30)


def test_a_debugger_can_trace_what_comes_after_a_guard() -> None:
    code = (
        "import sys; from sevenout.budgets.enforcement import run_guarded\n"
        "run_guarded(int, 5, 1e9)\n"
        "def traced(): return 7\n"
        "sys.settrace(lambda *event: None); print(traced())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, timeout=60
    )
    assert done.stdout == b"7\n"


def test_a_budget_that_ends_while_its_guard_starts_ends_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = threading.Thread.start

    def late(thread: threading.Thread) -> None:
        start(thread)
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            pass

    monkeypatch.setattr(threading.Thread, "start", late)
    with pytest.raises(TooMuchWorkError):
        so.run_within(int, seconds=0.05)
    monkeypatch.undo()
    time.sleep(1.2)  # two more exceptions would come in that time
