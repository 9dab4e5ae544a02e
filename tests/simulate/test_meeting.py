"""Games too large to explore: states are opened as they are met, and the tally is the seed's."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout.chain import explore
from sevenout.cli import main
from sevenout.errors import (
    EndlessGameError,
    SevenoutError,
    TooManyStatesError,
    TooMuchWorkError,
)
from sevenout.exact.sessions import one_bet
from sevenout.rules import Game, settle
from sevenout.simulate import Interrupted, meeting, metbook, play_block, run, simulate, stream
from sevenout.simulate.known import Known
from sevenout.simulate.meeting import play_met
from sevenout.simulate.metbook import Sum
from sevenout.simulate.tally import Tally
from tests.simulate.games import CRAPS, GAMES


@dataclass(frozen=True)
class Long(Game):
    """Ten million states: everything that was rolled is remembered."""

    many: int = 10
    dice = so.dice("1d5")
    start = ()

    def step(self, state: Any, roll: Any) -> Any:
        then = (*state, roll.total)
        if len(then) == self.many:
            total = sum(then)
            profit = total - 3 * self.many
            return settle("high" if profit > 0 else "low", {"sum": (profit, 3 * self.many)})
        return then


def met(game: Game, games: int, backend: str = "llvm", block: int = 5) -> Tally:
    known = Known(game)
    part = play_met(known, 11, block, games, backend=backend)
    assert part is not None
    return Sum(known).plus(part).tally()


@pytest.mark.parametrize("name", GAMES)
def test_every_engine_meets_the_same(name: str) -> None:
    game = GAMES[name]
    tally = met(game, 3_000)
    assert tally == met(game, 3_000, "numpy") == met(game, 3_000, "llvm-128")
    assert tally.games == 3_000
    assert tally._adds_up()


@pytest.mark.parametrize("name", ["craps", "pass and brick", "a turn", "two tables", "three d20"])
def test_where_all_states_are_met_in_order_the_tally_is_that_of_the_explored_chain(
    name: str,
) -> None:
    chain = explore(GAMES[name])
    assert met(GAMES[name], 20_000) == play_block(chain, 11, 5, 20_000)


def test_what_is_met_has_the_law_of_the_whole_chain() -> None:
    # Each of some thousand cells of (state, roll) and the money at the end: within six standard
    # deviations, which is a false alarm in 100,000 seeds; the seed is fixed.
    game, games = GAMES["an evening"], 100_000
    chain, tally = explore(game), met(game, games)
    assert 1_000 < tally.chain.met < len(chain.states)
    law = so.solve(chain)
    for outcome, p in law.outcomes.items():
        n, share = tally.outcomes.get(outcome, 0), float(p)
        assert abs(n - games * share) <= 6 * (games * share * (1 - share)) ** 0.5 + 6
    assert abs(tally.mean_rolls - law.mean_rolls) < Fraction(1, 10)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 500 games, and no exploring beyond 1,000 states."""
    for module in (run, stream, metbook):
        monkeypatch.setattr(module, "BLOCK", 500)
    monkeypatch.setattr(run, "chain_of", lambda game: so.chain.chain_of(game, 1_000))


def test_threads_do_not_matter(small_blocks: None) -> None:
    alone = simulate(Long(), 2_600, seed=3)
    assert alone.chain.met < len(alone.chain.states)
    for threads in (2, 7):
        with ThreadPoolExecutor(threads) as pool:
            assert simulate(Long(), 2_600, seed=3, executor=pool) == alone
    assert simulate(Long(), 2_600, seed=3, backend="numpy") == alone
    assert simulate(Long(), 2_600, seed=4) != alone


def test_it_says_that_states_were_met(small_blocks: None) -> None:
    tally = simulate(Long(), 1_000, seed=3)
    assert f"states, discovered as met {tally.chain.met:,}" in " ".join(str(tally.page()).split())
    assert "discovered" not in str(simulate(CRAPS, 1_000).page())


def test_interrupted_and_resumed(small_blocks: None, tmp_path: Path) -> None:
    whole = simulate(Long(), 3_000, seed=3)

    def stop(now: run.Progress) -> None:
        if now.done >= 1_000:
            raise KeyboardInterrupt

    file = tmp_path / "run.json"
    with pytest.raises(Interrupted) as caught, ThreadPoolExecutor(1) as pool:
        simulate(Long(), 3_000, seed=3, save=file, progress=stop, executor=pool)
    assert 1_000 <= caught.value.tally.games < 3_000
    assert simulate(Long(), 3_000, seed=3, save=file, resume=True) == whole
    assert simulate(Long(), 3_000, seed=3, save=file, resume=True) == whole  # and nothing is left


def test_a_checkpoint_of_another_game_is_refused(small_blocks: None, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    simulate(Long(), 1_000, seed=3, save=file)
    with pytest.raises(SevenoutError, match=r"a tally of the game .*, not of"):
        simulate(Long(11), 1_000, seed=3, save=file, resume=True)


def test_processes_play_only_what_is_explored(small_blocks: None) -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(TooManyStatesError):
        simulate(Long(), 1_000, executor=pool)


def test_a_gpu_plays_only_what_is_explored(small_blocks: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(run, "engine", lambda backend: None)
    monkeypatch.setattr(meeting, "engine", lambda backend: None)
    with pytest.raises(SevenoutError, match="'cuda' plays games that can be explored"):
        simulate(Long(), 1_000, backend="cuda")


def test_evenings_of_money(small_blocks: None) -> None:
    game = one_bet(CRAPS, bankroll=40, rounds=30).game
    tally = simulate(game, 2_000, seed=1)
    assert tally.chain.met < len(explore(game).states)
    assert tally.counters["bets"] == 30 * 2_000
    # 30 bets have a standard deviation of 5.5: the mean of 2,000 evenings one of 0.12.
    true = -30 * Fraction(7, 495) / 40
    assert abs(tally.bet("evening").mean - true) < 6 * Fraction(12, 100) / 40


def test_the_command_plays_what_is_too_large(
    small_blocks: None, tmp_path: Path, capsys: Any
) -> None:
    file = tmp_path / "long.py"
    file.write_text(
        "import sevenout as so\n"
        "class Long(so.Game):\n"
        "    dice, start = so.d6, ()\n"
        "    def step(self, state, face):\n"
        "        return (*state, face) if len(state) < 7 else so.settle('end', {'pass': 0})\n",
        encoding="utf-8",
    )
    assert main(["simulate", str(file), "--games", "700"]) == 0
    assert "states, discovered as met" in capsys.readouterr().out


class Mixed(Game):
    """A die, a game of craps, a die, ..., all of it remembered."""

    start = ()

    def rolls(self, state: Any) -> Any:
        return CRAPS if len(state) % 2 else so.d6

    def step(self, state: Any, roll: Any) -> Any:
        then = (*state, getattr(roll, "label", roll))
        return then if len(then) < 4 else settle("end", {"pass": 0})


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_dice_come_first_and_a_game_later(backend: str) -> None:
    # Of 60,000 games each of the thousand states has some, in all but one seed in 10⁹.
    known = Known(Mixed())
    part = play_met(known, 3, 0, 60_000, backend=backend)
    assert part is not None
    tally, explored = Sum(known).plus(part).tally(), explore(Mixed())
    assert tally == play_block(explored, 3, 0, 60_000)
    assert set(tally.chain.states) == set(explored.states)


class Trap(Game):
    """Ten million states; one game in six goes round in three of them, and never ends."""

    dice, start = so.d6, 0

    def step(self, state: Any, face: int) -> Any:
        if not 0 <= state < 10**7:
            return -1 - face % 3
        if not state and face == 1:
            return -1
        return state + 1 if state < 10**7 and face < 6 else settle("end", {"pass": 0})


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_a_game_that_goes_on_for_ever_is_refused_when_it_is_met(backend: str) -> None:
    with pytest.raises(EndlessGameError, match=r"no way to settle it from -1, -2, -3$"):
        play_met(Known(Trap()), 1, 0, 100, backend=backend)


class Up(Game):
    """It goes on for ever, from one state to the next."""

    dice, start = so.d6, 0

    def step(self, state: int, face: int) -> int:
        return state + 1


def test_the_memory_for_states_is_asked_for(small_blocks: None) -> None:
    refused = pytest.raises(TooMuchWorkError, match=r"^keeping the [56],\d+ states met")
    with so.budget(memory=4e6), ThreadPoolExecutor(2) as pool, refused:
        simulate(Up(), 1_500, executor=pool)


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_a_game_that_only_ever_comes_to_new_states_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setattr(meeting, "LONG", 64)
    said = r"^100 games of which none ended in rolls 64 to 128, and which always come to new states"
    with so.budget(seconds=1e-6), pytest.raises(TooMuchWorkError, match=said):
        play_met(Known(Up()), 1, 0, 100, backend=backend)
    with so.budget(seconds=1e-6):  # one that ends is not asked about
        assert play_met(Known(Long(5)), 1, 0, 100, backend=backend)


def test_a_tally_that_is_not_looked_at_is_not_made(
    small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[run.Progress] = []
    made = []
    tally_of = Sum.tally
    monkeypatch.setattr(Sum, "tally", lambda self: made.append(self.games) or tally_of(self))
    with ThreadPoolExecutor(1) as pool:
        whole = simulate(Long(), 1_500, seed=3, progress=seen.append, executor=pool)
    assert made == [1_500]
    assert seen[0].tally == simulate(Long(), seen[0].done, seed=3)
    assert seen[-1].tally == whole
