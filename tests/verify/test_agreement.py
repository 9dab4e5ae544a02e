"""Simulated against exact: right engines pass, wrong ones are caught."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from sevenout.catalogue import games
from sevenout.evenings import evening, one_bet
from sevenout.model import explore
from sevenout.rolling import Law, parse_dice
from sevenout.rules import PointGame, Streak
from sevenout.simulation import Tally, simulate
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.solving import solve
from sevenout.solving.optimal_play import best
from sevenout.verify import agreement, confirm
from sevenout.verify.agreement import confirm_evenings, length_cells


@pytest.fixture(scope="module")
def solution():
    return solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))


@pytest.fixture(scope="module")
def tally(solution):
    return simulate(solution.chain, games=200_000, seed=5)


def test_a_right_engine_agrees(tally, solution):
    verdict = confirm(tally, solution)
    assert verdict.agrees
    assert "agrees with the exact solution: 200,000 games, 10 questions" in verdict.verdict
    assert [row.count for row in verdict.outcomes] == list(tally.labels.values())
    (wins,) = verdict.wins
    assert wins.p == Fraction(244, 495)
    assert wins.test.p_value == stats.binomtest(tally.bet().won, 200_000, 244 / 495).pvalue
    assert wins.z == pytest.approx(
        (tally.bet().won - 200_000 * 244 / 495) / (200_000 * 244 * 251 / 495**2) ** 0.5
    )
    assert wins.count / 200_000 in wins.exact
    assert wins.count / 200_000 in wins.wilson


def test_a_family_of_one_question_or_none_is_put_in_words(tally, solution):
    verdict = confirm(tally, solution)
    assert "200,000 games, 1 question. The" in replace(verdict, family={"rolls": 0.5}).verdict
    assert replace(verdict, family={}).verdict == (
        "Nothing was tested against the exact solution: 200,000 games."
    )


def test_mean_rolls_and_lengths_by_scipy(tally, solution):
    verdict = confirm(tally, solution)
    z = (float(tally.mean_rolls) - 557 / 165) / (245672 / 27225 / 200_000) ** 0.5
    assert verdict.mean_rolls.statistic == pytest.approx(z)
    assert verdict.mean_rolls.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    cells = length_cells(tally, solution).pooled()
    theirs = stats.chisquare(cells.observed, [float(e) for e in cells.expected])
    assert verdict.fits[2].statistic == pytest.approx(theirs.statistic)
    assert verdict.fits[2].p_value == pytest.approx(theirs.pvalue)


def test_the_tail_is_one_cell_and_nothing_is_lost(tally, solution):
    cells = length_cells(tally, solution)
    assert sum(cells.probabilities) == 1
    assert cells.n == tally.games
    assert cells.impossible == 0
    assert cells.expected[-1] < 5 <= sum(cells.expected[-2:])


def test_lengths_from_floats_are_the_exact_ones(tally, solution, monkeypatch):
    exact = length_cells(tally, solution)
    monkeypatch.setattr(agreement, "MAX_EXACT_STATES", 0)
    floats = length_cells(tally, solution)
    assert floats.outcomes == exact.outcomes
    assert floats.observed == exact.observed
    assert [float(p) for p in floats.probabilities] == pytest.approx(
        [float(p) for p in exact.probabilities], rel=1e-9
    )
    assert confirm(tally, solution).agrees


def mutated(face, share):
    """2d6 with one total off by a share of itself."""
    law = parse_dice("2d6").totals.law
    return Law.of_probabilities({t: p * (1 + share) if t == face else p for t, p in law.items()})


@pytest.mark.parametrize("total", [2, 4, 7, 11])
def test_a_weight_off_by_a_36th_of_itself_is_caught(total, solution):
    wrong = PointGame(
        naturals=[7, 11], craps=[2, 3, 12], out=7, dice=mutated(total, Fraction(1, 36))
    )
    tally = simulate(wrong, games=20_000_000, seed=3)
    verdict = confirm(tally, solution)
    assert not verdict.agrees
    assert "does not agree" in verdict.verdict


def test_a_clock_that_stops_in_mid_game_is_caught(tally, solution):
    kept = {key: n for key, n in tally.absorbed.items() if key[1] <= 12}
    short = replace(tally, games=sum(kept.values()), absorbed=kept)
    verdict = confirm(short, solution)
    assert not verdict.agrees
    assert verdict.family["the lengths by chi-square"] < 1e-6


def test_an_impossible_outcome_or_length_is_caught(tally, solution):
    moved = dict(tally.absorbed)
    key = next(key for key in moved if key[1] == 1 and key[0] == 0)
    moved[(key[0], 0, key[2])] = 1
    moved[key] -= 1
    odd = Tally(tally.chain, tally.games, tally.flow, moved)
    cells = length_cells(odd, solution)
    assert cells.impossible == 1
    assert not confirm(odd, solution).agrees
    other = PointGame(naturals=[7, 11], craps=[3, 12], pushes=[2], out=7)
    verdict = confirm(simulate(other, games=2000, seed=1), solution)
    assert verdict.family["the count of 'push'"] == 0.0
    assert not verdict.agrees


@pytest.mark.parametrize(
    "game",
    [
        PointGame(naturals=[7], craps=[2, 3, 12], out=7, pushes=[11], limit=3),
        PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, hard=True),
        Streak(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)),
        one_bet(solve(PointGame([7, 11], [2, 3, 12], 7)).as_die(), bankroll=3, target=6).game,
        one_bet(solve(PointGame([7, 11], [2, 3, 12], 7)).as_die(), bankroll=3, bets=8).game,
    ],
    ids=["limit", "hard", "turn", "session", "rounds"],
)
def test_games_of_all_kinds_agree(game):
    chain = explore(game)
    verdict = confirm(simulate(chain, games=100_000, seed=9), solve(chain))
    assert verdict.agrees, verdict.verdict


def test_false_alarms_of_the_family(solution):
    """100 runs of 2,000 games, level 5 % over the family: more than 13 alarms is 1 in 1,500."""
    runs = [simulate(solution.chain, games=2000, seed=seed) for seed in range(100)]
    p_values = [min(confirm(run, solution).family.values()) for run in runs]
    assert np.mean([p <= 0.05 for p in p_values]) <= 0.13
    assert min(p_values) < 1.0


def test_verdicts_print_and_are_data(tally, solution):
    verdict = confirm(tally, solution)
    for words in ("wins of pass", "lengths, chi-square", "Verdict", "200,000 games"):
        assert words in str(verdict)
    data = json.loads(json.dumps(verdict.to_dict()))
    assert data["agrees"] is True
    assert data["wins"][0]["probability"] == "244/495"


def test_evenings_that_do_not_agree_say_where():
    tally = simulate_evenings("pass", 10, evenings=20_000, rolls=30)
    verdict = confirm_evenings(tally, evening("dont-pass", 10, rolls=30))
    assert (
        "does not agree with the certified distribution: 20,000 evenings, 3 quest"
        in verdict.verdict
    )
    assert "results, chi-square (p = " in verdict.verdict
    data = json.loads(json.dumps(verdict.to_dict()))
    assert (data["evenings"], data["agrees"], len(data["tests"])) == (20_000, False, 3)
    assert sum(end["seen"] for end in data["ends"].values()) == 20_000


def test_the_mean_of_every_counter_is_tested() -> None:
    """Of Threes the score is what matters; the wrong one is found."""
    boxes = [best(games("threes", dice=n)) for n in (2, 3)]
    two, three = (found.solution for found in boxes)
    tally = simulate(two.chain, 4_000, seed=1)
    verdict = confirm(tally, two)
    off = tally.counters["points"] / tally.games - float(two.mean("points"))
    assert verdict.means["points"].statistic == pytest.approx(
        off / (float(two.distribution("points").variance) / 4_000) ** 0.5
    )
    assert verdict.agrees
    assert "mean points, z" in str(verdict)
    assert "the mean points" in confirm(tally, three).rejecting_tests
