"""Every engine, every vector width and the replay through the rules bring back the same counts."""

import subprocess
import sys
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.errors import SevenoutError
from sevenout.model import explore
from sevenout.rules import Game, PointGame, win
from sevenout.simulation import (
    ReplayError,
    compiled_engine,
    play_batch,
    portable_engine,
    recount,
    replay,
    replay_batch,
    run,
    simulate,
)
from sevenout.simulation.chain_tables import BatchCounts, join, tables_of
from sevenout.simulation.random_bits import BATCH_SIZE, COHORT
from tests.conftest import point_games
from tests.simulation.games import CRAPS, GAMES

COMPILED = ("llvm-128", "llvm-256", "llvm-512")
STREAM = (493185, 3375718, 46)
"""Wins, rolls and longest game of a million games of craps with seed 1."""
DIGESTS = {
    "craps": "a52707e179276c0a",
    "a turn": "a07b5ca3a11b1671",
    "an evening": "31cae932cf2beee2",
    "odd weights": "035dc8163460e2ed",
    "a thousand edges": "e3e1eac6f3d8c175",
}
"""Of the tally of 3,000 games in batch 2 of seed 1, by game."""
SIZES = (1, 2, COHORT - 1, COHORT, COHORT + 1, 5_000)


@pytest.mark.parametrize("backend", COMPILED)
@pytest.mark.parametrize("name", GAMES)
def test_compiled_equals_portable(name: str, backend: str) -> None:
    chain = explore(GAMES[name])
    for games in SIZES:
        expected = play_batch(chain, 11, 5, games, backend="numpy")
        assert play_batch(chain, 11, 5, games, backend=backend) == expected


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_through_the_rules_equals_the_engine(name: str) -> None:
    game = GAMES[name]
    chain = explore(game)
    games = 300 if len(chain.states) > 50 else 1_000
    played = list(replay_batch(game, seed=2**63 + 5, batch=2**31 + 1, games=games))
    assert sorted(one.number for one in played) == list(range(games))
    tally = play_batch(chain, 2**63 + 5, 2**31 + 1, games, backend="llvm")
    assert recount(chain, played) == tally
    counted = {name: sum(dict(p.counts).get(name, 0) for p in played) for name in chain.counters}
    assert counted | {"rolls": tally.rolls} == tally.counters


def test_a_replay_of_cohorts_in_every_pass_equals_the_engine() -> None:
    # Enough games for refused cohorts to have another turn.
    chain = explore(CRAPS)
    assert recount(chain, replay_batch(CRAPS, 4, 0, 30_000)) == play_batch(chain, 4, 0, 30_000)


@settings(max_examples=25)
@given(
    game=point_games(),
    seed=st.integers(0, 2**64 - 1),
    batch=st.integers(0, 2**32 - 1),
    games=st.integers(1, 3 * COHORT),
)
def test_engines_agree_on_any_point_game(
    game: PointGame, seed: int, batch: int, games: int
) -> None:
    chain = explore(game)
    tally = play_batch(chain, seed, batch, games, backend="numpy")
    assert play_batch(chain, seed, batch, games, backend="llvm") == tally
    assert recount(chain, replay_batch(game, seed, batch, games)) == tally


def test_whole_batches_agree() -> None:
    chain = explore(CRAPS)
    expected = play_batch(chain, 1, 0, BATCH_SIZE, backend="numpy")
    assert all(play_batch(chain, 1, 0, BATCH_SIZE, backend=b) == expected for b in COMPILED)


def test_the_stream_is_what_it_was() -> None:
    """A known answer: a change of the stream is a change of version."""
    tally = simulate(CRAPS, games=1_000_000, seed=1)
    assert (tally.bet().won, tally.rolls, tally.longest) == STREAM


@pytest.mark.parametrize("name", DIGESTS)
def test_the_stream_is_what_it_was_for_any_weights(name: str) -> None:
    # Replay and engines share the trees: only a known answer shows that these have not changed.
    tally = play_batch(GAMES[name], 1, 2, 3_000)
    counts = repr((tally.flow, sorted(tally.absorbed.items()))).encode()
    assert sha256(counts).hexdigest()[:16] == DIGESTS[name]


class Long(Game):
    """Thousands of rolls, and more records than the compiled engine holds at once."""

    dice = GAMES["craps"].dice
    start = 0

    def step(self, state: int, roll: Any) -> Any:
        if roll.total == 2:
            return win(f"after {state % 7}")
        return (state + 1) % 3_000


def test_a_long_game_with_thousands_of_states() -> None:
    chain = explore(Long())
    assert len(chain.states) == 3_000
    tally = play_batch(chain, 7, 1, 40_000, backend="numpy")
    assert play_batch(chain, 7, 1, 40_000, backend="llvm") == tally
    assert tally.longest > 256


class Cheat(Game):
    """A game that plays by other rules after it has been explored."""

    dice = GAMES["craps"].dice
    start = 0
    late = False

    def step(self, state: int, roll: Any) -> Any:
        return win("double" if roll.hard or (self.late and roll.total == 7) else "plain")


def test_a_replay_finds_rules_that_are_not_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Cheat()
    chain = explore(game)
    monkeypatch.setattr(replay, "affordable_chain", lambda *_: chain)
    game.late = True
    with pytest.raises(ReplayError, match="leads to double, but the chain to plain"):
        list(replay_batch(game, 1, 0, 100))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed="),
        ({"games": 0}, "games=0"),
        ({"games": BATCH_SIZE + 1}, "a batch has"),
        ({"batch": -1}, "its number is from 0"),
        ({"backend": "abacus"}, "no backend 'abacus'"),
    ],
)
def test_what_is_no_batch_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SevenoutError, match=message):
        play_batch(**({"game": CRAPS, "seed": 1, "batch": 0, "games": 10} | arguments))


@given(st.lists(st.dictionaries(st.sampled_from([0, 3, 9, 2**40]), st.integers(1, 9)), min_size=1))
def test_parts_join_sparse_or_dense(counts: list[dict[int, int]]) -> None:
    def part(seen: dict[int, int]) -> BatchCounts:
        keys = np.array(sorted(seen), dtype=np.int64)
        values = np.array([seen[int(k)] for k in keys], dtype=np.int64)
        return BatchCounts(sum(seen.values()), np.array([1]), keys, values)

    both = join(map(part, counts))
    total: dict[int, int] = {}
    for seen in counts:
        for key, n in seen.items():
            total[key] = total.get(key, 0) + n
    assert dict(zip(both.keys.tolist(), both.counts.tolist(), strict=True)) == total
    assert both.flow.tolist() == [len(counts)]


def test_threads_that_start_together_compile_once() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from threading import Barrier\n"
        "from sevenout.simulation import compiled_engine\n"
        "together = Barrier(4)\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    work = lambda _: (together.wait(), compiled_engine._function(128))[1]\n"
        "    calls = list(pool.map(work, range(4)))\n"
        "assert len({id(call) for call in calls}) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_draws_beyond_32_bits_agree() -> None:
    plan, games, draw = tables_of(explore(CRAPS)), 5_000, 2**32 - 50
    table = portable_engine.OpenGames(plan, 3, 1, games)
    table.draw = draw
    while table.current.any():
        table.roll_all()
    assert table.draw > 2**32
    for width in compiled_engine.WIDTHS:
        player = compiled_engine.BatchPlayer(plan, 3, games, width)
        player.start_batch(games)
        player.work["progress"][1] = draw
        while not player.is_finished:
            player.play_on(1)
        assert player.work["progress"][1] == table.draw
        assert (player.work["flow"] == table.flow).all()


def test_without_a_compiler_auto_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = play_batch(CRAPS, 1, 0, BATCH_SIZE)
    monkeypatch.setattr(run, "has_compiler", lambda: False)
    assert play_batch(CRAPS, 1, 0, BATCH_SIZE) == expected
    with pytest.raises(SevenoutError, match="'llvm' needs a little-endian machine"):
        play_batch(CRAPS, 1, 0, 10, backend="llvm")
