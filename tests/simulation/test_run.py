"""A run: the same tally for any executor, order and interruption; every game is finished."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from sevenout.errors import FileError, SevenoutError
from sevenout.evenings import one_bet
from sevenout.model import explore
from sevenout.simulation import (
    CheckpointError,
    Interrupted,
    Progress,
    Tally,
    checkpoints,
    play_batch,
    replay_batch,
    run,
    simulate,
)
from sevenout.simulation.chain_tables import tables_of
from sevenout.simulation.random_bits import BATCH_SIZE
from sevenout.simulation.run import engine
from tests.simulation.games import CRAPS, hazard

CHAIN = explore(CRAPS)
ROOT = Path(__file__).parents[2]
GAMES = 9 * BATCH_SIZE + 12_345


@pytest.fixture(scope="module")
def tally() -> Tally:
    """One thread, uninterrupted."""
    with ThreadPoolExecutor(1) as pool:
        return simulate(CHAIN, GAMES, seed=5, executor=pool, backend="llvm")


class Backwards(Executor):
    """Plays the last of what it was given first."""

    def __init__(self) -> None:
        self.given: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given.append((future, fn, args))
        if len(self.given) == 3:
            for waiting, work, what in reversed(self.given):
                waiting.set_result(work(*what))
            self.given.clear()
        return future


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("window", [None, 1, 20])
def test_threads_do_not_matter(tally: Tally, threads: int, window: int | None) -> None:
    with ThreadPoolExecutor(threads) as pool:
        assert simulate(CHAIN, GAMES, 5, executor=pool, window=window) == tally


def test_processes_do_not_matter(tally: Tally) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert simulate(CRAPS, GAMES, 5, executor=pool) == tally


def test_order_does_not_matter(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "TASK_SECONDS", 0.0)  # a batch a task
    games = 9 * BATCH_SIZE
    expected = simulate(CHAIN, games, 5)
    assert simulate(CHAIN, games, 5, executor=Backwards(), window=3) == expected


def test_batches_add_up_to_the_run(tally: Tally) -> None:
    batches = [play_batch(CHAIN, 5, i) for i in range(9)]
    total = play_batch(CHAIN, 5, 9, 12_345)
    for batch in batches:
        total = total + batch
    assert total == tally


def test_every_game_is_finished(tally: Tally) -> None:
    assert tally.games == GAMES == sum(tally.labels.values()) == sum(tally.lengths.values())


def test_progress_goes_up_to_all_games() -> None:
    seen: list[Progress] = []
    games = 3 * BATCH_SIZE + 1
    tally = simulate(CHAIN, games, progress=seen.append)
    assert [p.finished for p in seen] == sorted(p.finished for p in seen)
    assert seen[-1].finished == seen[-1].games == seen[-1].finished_now == games
    assert seen[-1].rolls == tally.rolls


@pytest.mark.parametrize("executor", [False, True])
def test_interrupted_run_has_whole_batches(executor: bool) -> None:
    def press(progress: Progress) -> None:
        raise KeyboardInterrupt

    pool = ThreadPoolExecutor(2) if executor else None
    with pytest.raises(Interrupted) as caught:
        simulate(CHAIN, 40 * BATCH_SIZE, 5, progress=press, executor=pool)
    if pool is not None:
        pool.shutdown()
    so_far = caught.value.tally
    assert 0 < so_far.games < 40 * BATCH_SIZE
    assert so_far.games % BATCH_SIZE == 0
    assert so_far == simulate(CHAIN, so_far.games, 5)


def test_a_long_batch_is_given_up_at_once() -> None:
    # One batch of games that take tens of thousands of rolls each.
    chain = explore(one_bet(CRAPS, bankroll=400, target=800).game)
    for backend in ("numpy", "llvm"):
        asked = iter([False] * 3 + [True] * 9)
        assert engine(backend)(tables_of(chain), 1, 0, BATCH_SIZE, lambda a=asked: next(a)) is None


@pytest.mark.parametrize(
    ("games", "seed", "options", "message"),
    [
        (0, 1, {}, "games=0; give a whole number from 1"),
        (1.5, 1, {}, "games=1.5"),
        (True, 1, {}, "games=True"),
        (2**60, 1, {}, "games="),
        (10, -1, {}, "seed=-1; give a whole number from 0"),
        (10, 1, {"backend": "x"}, "no backend 'x'"),
        (10, 1, {"window": 0}, "window=0; give a whole number from 1"),
        (10, 1, {"window": 2.5}, "window=2.5; give a whole number from 1"),
        (10, 1, {"window": "2"}, "window='2'; give a whole number from 1"),
        (10, 1, {"save": ""}, "is a folder; name a file"),
        (10, 1, {"resume": True}, "nothing to resume from"),
    ],
)
def test_bad_input_is_refused(games: Any, seed: int, options: Any, message: str) -> None:
    with pytest.raises(SevenoutError, match=message):
        simulate(CHAIN, games, seed, **options)


def test_a_batch_has_a_number_and_some_games() -> None:
    assert play_batch("craps", 1, 0, 10) == play_batch(CRAPS, 1, 0, 10)
    for batch, games in ((-1, 5), (2**70, 5), (0, 0), (0, BATCH_SIZE + 1)):
        for played in (play_batch, lambda *batch: list(replay_batch(*batch))):
            with pytest.raises(SevenoutError, match=f"{games} games of batch|games={games}"):
                played(CRAPS, 1, batch, games)


def test_a_resumption_without_a_file_is_refused_before_the_game_is_explored() -> None:
    with pytest.raises(SevenoutError, match="nothing to resume from"):
        simulate("no such game", 10, resume=True)


def test_a_large_game_with_choices_is_refused_for_its_choices() -> None:
    with pytest.raises(SevenoutError, match=r"the game has choices; call sevenout\.best"):
        simulate("yahtzee", 10)


# --- checkpoints --------------------------------------------------------------------------------


def interrupted(path: Path, games: int = GAMES) -> None:
    """A run that is stopped after its first task, and leaves a checkpoint."""

    def press(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        simulate(CHAIN, games, 5, save=path, progress=press)


def test_a_run_is_resumed_where_it_was(tally: Tally, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    interrupted(path)
    seen: list[Progress] = []
    assert simulate(CHAIN, GAMES, 5, save=path, resume=True, progress=seen.append) == tally
    assert seen[-1].finished_now < seen[-1].finished == GAMES
    # A finished run is read, not played.
    assert simulate(CHAIN, GAMES, 5, save=path, resume=True, progress=seen.append) == tally
    assert [child.name for child in tmp_path.iterdir()] == ["run.json"]


def test_resume_begins_when_there_is_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    assert simulate(CHAIN, 100, save=path, resume=True) == simulate(CHAIN, 100)
    assert path.exists()


def test_a_checkpoint_in_the_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    interrupted(path)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"run\.json exists; resume it"):
        simulate(CHAIN, GAMES, 5, save=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "is damaged, or is not a checkpoint"),
        (lambda text: "[1, 2]", "is damaged, or is not a checkpoint"),
        (lambda text: "{}", "is damaged, or is not a checkpoint"),
        (lambda text: "[" * 100_000, "is damaged, or is not a checkpoint"),
        (lambda text: text.replace('"games": ', '"games": 1', 1), "its checksum does not match"),
        (lambda text: text.replace('"flow": [', '"flow": [1', 1), "its checksum does not match"),
    ],
)
def test_a_damaged_checkpoint_is_refused_untouched(
    change: Any, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    interrupted(path)
    damaged = change(path.read_text())
    path.write_text(damaged)
    with pytest.raises(CheckpointError, match=message):
        simulate(CHAIN, GAMES, 5, save=path, resume=True)
    assert path.read_text() == damaged


@pytest.mark.parametrize(
    ("game", "games", "seed", "message"),
    [
        (hazard(6), GAMES, 5, "belongs to another run: its game is"),
        (CHAIN, GAMES + 1, 5, f"its games is {GAMES}, not {GAMES + 1}"),
        (CHAIN, GAMES, 6, "its seed is 5, not 6"),
    ],
)
def test_a_foreign_checkpoint_is_refused_untouched(
    game: Any, games: int, seed: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    interrupted(path)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=message):
        simulate(game, games, seed, save=path, resume=True)
    assert path.read_bytes() == before


def test_a_checkpoint_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"
    monkeypatch.setattr(checkpoints, "VERSION", 99)
    interrupted(path)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match="version 99; this is"):
        simulate(CHAIN, GAMES, 5, save=path, resume=True)


def test_a_checkpoint_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't write"):
        simulate(CHAIN, 100, save=tmp_path / "no folder" / "run.json")


def test_ctrl_c_while_a_checkpoint_is_written_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"
    interrupted(path)
    before = path.read_bytes()

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", press)
    with pytest.raises(KeyboardInterrupt):
        simulate(CHAIN, GAMES, 5, save=path, resume=True)
    assert [child.name for child in tmp_path.iterdir()] == ["run.json"]
    assert path.read_bytes() == before


CHILD = """
import sys
from sevenout.simulation import run
from tests.simulation.games import CRAPS
run.SAVE_SECONDS = 0.0
run.simulate(CRAPS, int(sys.argv[2]), 5, save=sys.argv[1], resume=True, backend="numpy")
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_run_killed_ten_times_is_what_it_would_have_been(tmp_path: Path) -> None:
    path, games = tmp_path / "run.json", 100 * BATCH_SIZE + 77
    rng, kills, done = random.Random(3), 0, [0]

    def finished() -> int:
        return int(json.loads(path.read_text())["tally"]["games"]) if path.exists() else 0

    while kills < 10:
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(path), str(games)], cwd=ROOT)
        while finished() == done[-1] and child.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.random() / 20)
        assert child.poll() is None, "the run was over before it was killed"
        child.send_signal(signal.SIGKILL)
        child.wait()
        kills += 1
        done.append(finished())  # whatever the moment, the file can be read
    assert done == sorted(set(done))
    assert simulate(CHAIN, games, 5, save=path, resume=True) == simulate(CHAIN, games, 5)
