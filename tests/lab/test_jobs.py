from time import monotonic, sleep
from typing import Any

import pytest

from sevenout.chain import explore
from sevenout.errors import SevenoutError
from sevenout.games import catalogue
from sevenout.lab.jobs import Job, Jobs, State
from sevenout.lab.play import Play
from sevenout.simulate import simulate

CRAPS = explore(catalogue["craps"])
LONG = 10**10


def until(condition: Any) -> None:
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end, "nothing happened within a minute"
        sleep(0.005)


def test_a_job_counts_what_the_simulator_counts() -> None:
    job = Jobs().start(CRAPS, 3_000_000, 7, "pass")
    until(lambda: job.is_over)
    assert job.state is State.DONE
    assert job.tally == simulate(CRAPS, 3_000_000, 7)
    assert job.points[-1] == (3_000_000, simulate(CRAPS, 3_000_000, 7).bet().won)


def test_a_stopped_job_keeps_whole_games_and_makes_room() -> None:
    jobs = Jobs(running=1, waiting=1)
    first, second = jobs.start(CRAPS, LONG, 1, "pass"), jobs.start(CRAPS, 1_000, 2)
    with pytest.raises(SevenoutError, match="are waiting already"):
        jobs.start(CRAPS, 1_000, 3)
    assert (second.state, jobs.ahead_of(second)) == (State.WAITING, 1)
    until(lambda: first.progress is not None)
    first.stop()
    until(lambda: first.is_over and second.is_over)
    assert (first.state, second.state) == (State.STOPPED, State.DONE)
    assert first.tally is not None
    assert sum(first.tally.outcomes.values()) == first.tally.games < LONG


def test_a_job_that_waits_never_starts_once_stopped() -> None:
    jobs = Jobs(running=1)
    first, second = jobs.start(CRAPS, LONG, 1), jobs.start(CRAPS, LONG, 2)
    second.stop()
    first.stop()
    until(lambda: first.is_over)
    sleep(0.05)
    assert second.state is State.STOPPED
    assert second.tally is None


def test_points_are_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(CRAPS, 10, 1, "pass")
    tally = simulate(CRAPS, 10, 1)

    class Heard:
        done = 10

        def __init__(self) -> None:
            self.tally = tally

    for _ in range(1_000):
        job._hear(Heard())  # type: ignore[arg-type]
    assert len(job.points) <= 120


@pytest.mark.parametrize("name", ["craps", "fast-craps", "hazard", "hazard-turn", "barbudi"])
def test_a_table_follows_the_rules_and_its_seed(name: str) -> None:
    if name not in catalogue:
        name = next(n for n in catalogue if n.startswith(name))
    one, other = Play(catalogue[name], 5), Play(catalogue[name], 5)
    for _ in range(300):
        assert one.roll() == other.roll()
    for stake in one.stakes.values():
        assert stake.expected(stake.games) == stake.bet.mean * stake.games
        if stake.games:
            low, high = stake.band(stake.games)
            assert low <= stake.expected(stake.games) <= high
