"""Games too large to explore: the rules are asked as games come to a roll; the seed is all."""

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.errors import (
    SevenoutError,
    TooManyStatesError,
)
from sevenout.evenings import one_bet
from sevenout.model import explore
from sevenout.rules import FlatGame, Outcome
from sevenout.rules.game import take_step
from sevenout.simulation import (
    Interrupted,
    ReplayError,
    lazy_sampler,
    lazy_tally,
    recount,
    replay_batch,
    replay_log,
    run,
    simulate,
)
from sevenout.simulation.lazy_tally import LazyBook, LazyTally
from sevenout.simulation.random_bits import key_of, philox, words
from sevenout.simulation.tally import TallyError
from tests.simulation.games import CRAPS, GAMES, Long, Mixed, met

SEED = 11


# --- the stream -----------------------------------------------------------------------------------


def drawn(law: Any, i: int, t: int) -> Any:
    """Roll t of game i of batch 0, as `OwnDice` defines it."""
    whole = law.denominator
    word = (x := philox((t // 4, i, 0, 1 << 31), key_of(SEED)))[(1, 0, 3, 2)[t % 4]]
    assert x[1] == next(words(SEED, 0, i | 1 << 63)) or t // 4
    fair, number, again = 2**32 // whole * whole, word, 0
    while number >= fair:
        again += 1
        calls = -(-(whole.bit_length() + 64) // 128)
        each = [(t, i + (j << 22), 0, (1 << 31) + again) for j in range(calls)]
        text = b"".join(w.to_bytes(4, "big") for c in each for w in philox(c, key_of(SEED)))
        number, fair = int.from_bytes(text, "big"), 2 ** (128 * calls) // whole * whole
    number %= whole
    for roll, weight in zip(law, law.weights, strict=True):
        if number < weight:
            return roll
        number -= weight
    raise AssertionError


@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_the_one_that_is_played_alone(name: str) -> None:
    game, games = FlatGame(GAMES[name]), 100
    tally = met(GAMES[name], games)
    seen: Counter[tuple[int, Outcome]] = Counter()
    counted: Counter[str] = Counter()
    for i in range(games):
        state, t = game.start, 0
        while not isinstance(state, Outcome):
            state, counts = take_step(game, state, drawn(game.rolls(state).law, i, t))
            t += 1
            counted.update(dict(counts))
        seen[t, state] += 1
        counted["rolls"] += t
    ends = {(t, tally.outline.outcomes[k]): n for (t, k), n in tally.ends.items()}
    assert ends == seen
    assert {name: n for name, n in tally.counters.items() if n} == counted


def test_what_is_met_has_the_law_of_the_whole_chain() -> None:
    # Each of some thousand cells of (state, roll) and the money at the end: within six standard
    # deviations, which is a false alarm in 100,000 seeds; the seed is fixed.
    game, games = GAMES["an evening"], 100_000
    tally, law = met(game, games), so.solve(game)
    for outcome, p in law.outcomes.items():
        n, share = tally.outcomes.get(outcome, 0), float(p)
        assert abs(n - games * share) <= 6 * (games * share * (1 - share)) ** 0.5 + 6
    assert abs(tally.mean_rolls - law.mean_rolls) < Fraction(1, 10)


# --- runs -----------------------------------------------------------------------------------------


def test_threads_do_not_matter(small_chunks: None) -> None:
    alone = simulate(Long(), 2_600, seed=3)
    assert isinstance(alone, LazyTally)
    for threads in (2, 7):
        with ThreadPoolExecutor(threads) as pool:
            assert simulate(Long(), 2_600, seed=3, executor=pool) == alone
    for backend in ("numpy", "llvm"):
        assert simulate(Long(), 2_600, seed=3, backend=backend) == alone
    assert simulate(Long(), 2_600, seed=4) != alone


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = met(GAMES["an evening"], 1_000)
    monkeypatch.setattr(lazy_tally, "CHUNK", 77)
    assert met(GAMES["an evening"], 1_000) == whole


@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_forgotten_is_asked_again(small_chunks: None, threads: int) -> None:
    game = one_bet(CRAPS, bankroll=40, bets=30).game
    for many in (Long(), game, Mixed()):
        whole = simulate(many, 1_600, seed=3)
        with so.budget(memory=4e5), ThreadPoolExecutor(threads) as pool:
            forgetful = simulate(many, 1_600, seed=3, executor=pool)
            assert forgetful == whole


def test_it_is_explored_only_where_that_is_soon_done() -> None:
    game = one_bet(CRAPS, bankroll=100, bets=200).game
    states = len(explore(game).states)
    assert lazy_sampler.QUICK_STATES < states < lazy_sampler.MAX_STATES_PER_GAME * 20_000
    assert lazy_sampler.affordable_chain(game, 100) is None
    assert lazy_sampler.affordable_chain(game, 20_000) is not None
    assert lazy_sampler.affordable_chain(CRAPS, 1) is not None


def test_every_game_of_the_catalogue_is_explored_however_few_are_played() -> None:
    game = so.games["repeater-plus-citywide"]
    assert 50_000 < len(explore(game).states) < lazy_sampler.QUICK_STATES
    assert lazy_sampler.affordable_chain(game, 1) is not None


def test_games_are_replayed(small_chunks: None) -> None:
    for game in (Long(), one_bet(CRAPS, bankroll=40, bets=30).game, Mixed(9)):
        tally, played = simulate(game, 600, seed=3), list(replay_batch(game, 3, 0, 600))
        assert tally.outline.explored_count < len(tally.outline.states)
        counted = recount(game, played)
        assert counted == tally
        assert (counted.ends, counted.rolls_by_tag) == (tally.ends, tally.rolls_by_tag)
        assert list(replay_batch(game, 3, 0, 20)) == played[:20]
        assert recount(game, replay_batch(game, 4, 0, 600)) != tally


def test_games_of_a_log_are_counted(small_chunks: None) -> None:
    log = [one.roll for game in replay_batch(Long(), 3, 0, 50) for one in game.rolls]
    assert recount(Long(), replay_log(Long(), log)) == simulate(Long(), 50, seed=3)


def test_a_game_of_other_rules_is_not_counted(small_chunks: None) -> None:
    for played in (replay_batch(Long(), 3, 0, 5), replay_batch(Long(12), 3, 0, 5)):
        with pytest.raises(ReplayError, match=r"^game 0 can't (be played|end in)"):
            recount(Long(11), played)


def test_tallies_are_added(small_chunks: None) -> None:
    for game in (Long(), Mixed(9)):
        one, two = simulate(game, 600, seed=3), simulate(game, 500, seed=4)
        both = recount(game, [*replay_batch(game, 3, 0, 600), *replay_batch(game, 4, 0, 500)])
        assert one + two == two + one == both
        assert sum((one + two).lengths.values()) == 1_100
    with pytest.raises(TallyError, match="give figures of the same game"):
        one + simulate(Long(), 600, seed=3)
    with pytest.raises(TallyError, match="give figures of the same game"):
        one + simulate(CRAPS, 600, seed=3)


def test_it_says_that_states_were_met(small_chunks: None) -> None:
    tally = simulate(Long(), 1_000, seed=3)
    assert "too large to explore: states discovered as met" in str(tally.page())
    assert sum(tally.to_dict()["labels"].values()) == 1_000
    for unknown in ("chain", "flow", "absorbed", "joint"):
        with pytest.raises(TallyError, match="counted by their ends and counters, not by state"):
            getattr(tally, unknown)
    assert "discovered" not in str(simulate(CRAPS, 1_000).page())


def test_interrupted_and_resumed(small_chunks: None, tmp_path: Path) -> None:
    whole = simulate(Long(), 3_000, seed=3)

    def stop(now: run.Progress) -> None:
        if now.finished >= 1_000:
            raise KeyboardInterrupt

    file = tmp_path / "run.json"
    with pytest.raises(Interrupted) as caught, ThreadPoolExecutor(1) as pool:
        simulate(Long(), 3_000, seed=3, save=file, progress=stop, executor=pool)
    assert 1_000 <= caught.value.tally.games < 3_000
    assert simulate(Long(), 3_000, seed=3, save=file, resume=True) == whole
    assert simulate(Long(), 3_000, seed=3, save=file, resume=True) == whole  # and nothing is left


def test_counters_and_fractions_are_resumed(small_chunks: None, tmp_path: Path) -> None:
    game = one_bet(CRAPS, bankroll=40, bets=30).game
    whole = simulate(game, 600, seed=3, save=tmp_path / "run.json")
    assert simulate(game, 600, seed=3, save=tmp_path / "run.json", resume=True) == whole


def test_a_checkpoint_of_another_game_is_refused(small_chunks: None, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    simulate(Long(), 1_000, seed=3, save=file)
    with pytest.raises(SevenoutError, match="belongs to another run: its game is 'discovered"):
        simulate(Long(11), 1_000, seed=3, save=file, resume=True)


def test_a_damaged_tally_is_refused() -> None:
    book = LazyBook(Long(), SEED)
    part = book.task(0, 10)()
    assert part is not None
    book.add(part)
    data = book.data()
    for name, worse in (("games", 9), ("ended", []), ("counted", [[[], 3]]), ("outcomes", {})):
        with pytest.raises(TallyError, match=r"^the tally is damaged: "):
            LazyBook(Long(), SEED).restore(data | {name: worse})


def test_processes_play_only_what_is_explored(small_chunks: None) -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(TooManyStatesError):
        simulate(Long(), 1_000, executor=pool)


def test_evenings_of_money(small_chunks: None) -> None:
    game = one_bet(CRAPS, bankroll=40, bets=30).game
    tally = simulate(game, 2_000, seed=1)
    assert isinstance(tally, LazyTally)
    assert tally.counters["bets"] == 30 * 2_000
    # 30 bets have a standard deviation of 5.5: the mean of 2,000 evenings one of 0.12.
    true = -30 * Fraction(7, 495) / 40
    assert abs(tally.bet("evening").mean - true) < 6 * Fraction(12, 100) / 40


def test_the_command_plays_what_is_too_large(
    small_chunks: None, tmp_path: Path, capsys: Any
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
    assert main(["simulate", str(file), "--games", "700", "--bet", "pass"]) == 0
    assert "states discovered as met" in capsys.readouterr().out
    assert main(["simulate", str(file), "--games", "70", "--histogram", "rolls", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["tally"]["labels"].values()) == [70]
    assert main(["simulate", str(file), "--games", "70", "--histogram", "won"]) == 2
    assert "the game has no counter 'won'; it has: rolls" in capsys.readouterr().err
    (log := tmp_path / "rolls.txt").write_text("1\n" * 16, encoding="utf-8")
    assert main(["simulate", str(file), "--log", str(log), "--json"]) == 0
    assert '"games": 2' in capsys.readouterr().out


def test_a_tally_that_is_not_looked_at_is_not_made(
    small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[run.Progress] = []
    made = []
    tally_of = LazyBook._tally_of
    monkeypatch.setattr(
        LazyBook, "_tally_of", lambda self, now: made.append(now.games) or tally_of(self, now)
    )
    with ThreadPoolExecutor(1) as pool:
        whole = simulate(Long(), 1_500, seed=3, progress=seen.append, executor=pool)
    assert made == [1_500]
    assert seen[0].tally == simulate(Long(), seen[0].finished, seed=3)
    assert seen[-1].tally == whole
