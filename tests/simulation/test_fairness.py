"""What is simulated is what is true: the tallies against the exact laws.

Seeds are fixed. Each test of goodness of fit passes a true simulation with probability 1 − 10⁻⁶
over seeds, so all of them here together raise a false alarm for fewer than one choice of seeds in
10,000.
"""

from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from sevenout.catalogue import games
from sevenout.model import Chain, explore
from sevenout.rolling import Dice, Die, Roll, Rollable
from sevenout.rules import Game, lose, win
from sevenout.simulation import Tally, simulate
from sevenout.solving import solve
from tests.simulation.games import CRAPS, GAMES, expected, mutated

ALPHA = 1e-6
LEAST = 10.0
"""Cells with fewer games expected are pooled."""
LONG = {"a session": 700, "an evening": 250, "a turn": 250}
"""How many rolls are told apart; the rest are one cell."""
MANY = {"a session": 4_000_000, "an evening": 8_000_000, "a turn": 20_000_000}
PLAYED = 100_000_000


def p_value(tally: Tally, chain: Chain, rolls: int) -> float:
    """Chi-square over (state before the last roll, rolls, outcome)."""
    truth = expected(chain, rolls)
    seen = {cell: n for cell, n in tally.absorbed.items() if cell[1] <= rolls}
    assert set(seen) <= set(truth)
    mean = np.array([p * tally.games for p in truth.values()])
    count = np.array([seen.get(cell, 0) for cell in truth], dtype=float)
    large = mean >= LEAST
    mean = np.append(mean[large], max(tally.games - mean[large].sum(), 0.0))
    count = np.append(count[large], tally.games - count[large].sum())
    if mean[-1] < LEAST:  # the rest is too small for a cell of its own
        mean[-2], count[-2] = mean[-2] + mean[-1], count[-2] + count[-1]
        mean, count = mean[:-1], count[:-1]
    statistic = float(((count - mean) ** 2 / mean).sum())
    return float(chi2.sf(statistic, len(mean) - 1))


@pytest.mark.parametrize("name", GAMES)
def test_every_cell_is_as_often_as_it_should_be(name: str) -> None:
    chain = explore(GAMES[name])
    tally = simulate(chain, MANY.get(name, PLAYED), seed=20_26)
    assert p_value(tally, chain, LONG.get(name, 120)) > ALPHA


@pytest.mark.parametrize("name", ["craps", "pass and brick", "a turn", "loaded", "three d20"])
def test_averages_are_those_of_the_solution(name: str) -> None:
    chain = explore(GAMES[name])
    solution = solve(chain)
    tally = simulate(chain, 10_000_000, seed=3)
    law = solution.distribution("rolls")
    z = float(tally.mean_rolls - law.mean) / sqrt(law.variance / tally.games)
    assert abs(z) < 4.9  # 10⁻⁶
    for label, p in solution.labels.items():
        if 0 < p < 1:
            z = float(tally.labels[label] - p * tally.games) / sqrt(p * (1 - p) * tally.games)
            assert abs(z) < 4.9
    for counter in chain.counters:
        mean, variance = solution.mean(counter), solution.distribution(counter).variance
        z = float(tally.counters[counter] - mean * tally.games) / sqrt(variance * tally.games)
        assert abs(z) < 4.9


def test_flow_is_in_proportion_to_the_weights() -> None:
    chain = explore(GAMES["two tables"])
    tally = simulate(chain, 20_000_000, seed=9)
    flow = iter(tally.flow)
    for row in chain.rows:
        seen = np.array([next(flow) for _ in row], dtype=float)
        weights = np.array([edge.weight for edge in row], dtype=float)
        mean = weights / weights.sum() * seen.sum()
        statistic = float(((seen - mean) ** 2 / mean).sum())
        assert chi2.sf(statistic, len(row) - 1) > ALPHA


@pytest.mark.parametrize("total", [2, 4, 7, 11])
def test_a_weight_off_by_a_36th_of_itself_is_caught(total: int) -> None:
    fair = explore(CRAPS)
    wrong = explore(mutated(total))
    tally = simulate(wrong, PLAYED, seed=1)
    assert len(fair.states) == len(wrong.states)
    assert [len(row) for row in fair.rows] == [len(row) for row in wrong.rows]
    assert p_value(tally, wrong, 120) > ALPHA
    assert p_value(tally, fair, 120) < 1e-40


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_many_tiny_runs_are_unbiased(backend: str) -> None:
    # A clock that stops in mid-game favours short games; ours does not stop.
    chain, solution = explore(CRAPS), solve(CRAPS)
    runs, games = (4_000, 5) if backend == "llvm" else (600, 5)
    total = simulate(chain, games, seed=0, backend=backend)
    for seed in range(1, runs):
        total = total.plus(simulate(chain, games, seed=seed, backend=backend))
    assert total.games == runs * games
    law = solution.distribution("rolls")
    z = float(total.mean_rolls - law.mean) / sqrt(law.variance / total.games)
    assert abs(z) < 4.9
    p = solution.bet().p_win
    z = float(total.bet().won - p * total.games) / sqrt(p * (1 - p) * total.games)
    assert abs(z) < 4.9


def test_games_of_one_batch_are_independent_of_their_neighbours() -> None:
    """Batches of one seed, and one batch of neighbouring seeds, are not correlated."""
    chain = explore(CRAPS)
    wins = np.array(
        [simulate(chain, 4_000, seed=s, backend="llvm").bet().won for s in range(1_000)]
    )
    p = 244 / 495
    statistic = float(((wins - 4_000 * p) ** 2).sum() / (4_000 * p * (1 - p)))
    assert ALPHA / 2 < chi2.sf(statistic, len(wins)) < 1 - ALPHA / 2
    z = (wins - wins.mean()) / wins.std()
    assert abs(float((z[1:] * z[:-1]).sum()) / sqrt(len(z) - 1)) < 4.9


class Rooms(Game):
    """One of 48 rooms, and in each the same draw of one in three, with the same coins."""

    dice, start = Dice([Die.standard(48)]), 0
    draw = Dice([Die.standard(3)])

    def rolls(self, state: int) -> Rollable:
        return self.draw if state else self.dice

    def step(self, state: int, roll: Roll) -> Any:
        if not state:
            return roll.total
        return win(f"{state}") if roll.total == 3 else lose(f"not {state}")


@pytest.mark.parametrize("games", [10_000, 700])
def test_games_that_toss_their_coins_together_are_independent(games: int) -> None:
    """Bits that two games share would be seen in the variance of all wins, or of two rooms'.

    In each seed the wins of a room, given its games, are binomial; 700 games leave some rooms to
    lone games and others not.
    """
    chain, seeds = explore(Rooms()), 250
    z = np.zeros((seeds, 48))
    for seed in range(seeds):
        labels = simulate(chain, games, seed=seed, backend="llvm").labels
        won = np.array([labels[f"{room}"] for room in range(1, 49)])
        lost = np.array([labels[f"not {room}"] for room in range(1, 49)])
        played = won + lost
        z[seed] = (won - played / 3) / np.sqrt(np.maximum(played, 1) * 2 / 9)
    # Each sum of squares has mean 48·250 and 250; six standard deviations are rarer than 10⁻⁶.
    assert abs((z**2).sum() - 48 * seeds) < 6 * sqrt(2 * 48 * seeds)
    assert abs((z.sum(axis=1) ** 2 / 48).sum() - seeds) < 6 * sqrt(2 * seeds)
    # Of 1,128 pairs of rooms one is so correlated in fewer than one choice of seeds in 10⁶.
    pairs = (z.T @ z)[np.triu_indices(48, 1)] / seeds
    assert np.abs(pairs).max() < 6.5 / sqrt(seeds)
    # One room after another: neighbours in the line share no bit.
    assert abs((z[:, 1:] * z[:, :-1]).sum()) < 6 * sqrt(47 * seeds)


@pytest.mark.slow
def test_every_game_of_the_catalogue_is_as_it_should_be() -> None:
    # Bonferroni: one false alarm for fewer than one choice of seed in a million.
    p_values = {}
    for name in games.without_choices:
        chain = explore(games(name))
        tally = simulate(chain, 100_000_000, seed=1, backend="llvm")
        p_values[name] = p_value(tally, chain, 150)
    assert len(p_values) > 100
    assert min(p_values.values()) > ALPHA / len(p_values), min(p_values, key=p_values.__getitem__)
