"""A real scheduler and two worker processes give the tally of one thread."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sevenout.errors import SevenoutError
from sevenout.model import explore
from sevenout.simulation import simulate
from sevenout.simulation.random_bits import BATCH_SIZE
from tests.simulation.games import CRAPS

pytest.importorskip("distributed")


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler on this machine, with two workers of one thread."""
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    python = [sys.executable, "-m"]
    where = ["--scheduler-file", str(file)]
    serve = [*python, "distributed.cli.dask_scheduler", *where, "--host", "127.0.0.1"]
    serve += ["--port", "0", "--no-dashboard"]
    work = [*python, "distributed.cli.dask_worker", *where, "--nthreads", "1", "--no-nanny"]
    work += ["--no-dashboard"]
    processes = [subprocess.Popen(serve, **quiet)]  # type: ignore[call-overload]
    try:
        end = time.monotonic() + 30
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        processes += [subprocess.Popen(work, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        yield json.loads(file.read_text())["address"]
    finally:
        for process in processes:  # a worker that says goodbye to nobody takes its time
            process.kill()
        for process in processes:
            process.wait()


@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_tally_of_one_thread(scheduler: str) -> None:
    from sevenout.simulation.run import connect

    chain, games = explore(CRAPS), 12 * BATCH_SIZE + 34
    with connect(scheduler) as (executor, _):
        client = executor._client  # type: ignore[attr-defined]
        client.wait_for_workers(2, timeout=30)
        on_cluster = simulate(chain, games, 8, executor=executor, window=4)
        workers = client.scheduler_info(n_workers=-1)["workers"]
    assert len(workers) == 2
    assert on_cluster == simulate(chain, games, 8)


@pytest.mark.filterwarnings("default")
def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from sevenout.simulation import run

    monkeypatch.setattr(run, "CLUSTER_TIMEOUT", "0.5s")
    with (
        pytest.raises(SevenoutError, match="no scheduler answers at 'tcp:"),
        run.connect("tcp://127.0.0.1:9"),
    ):
        pass
