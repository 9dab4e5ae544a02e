"""What a log could have missed: the least fault of each question is found nine times in ten."""

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.rolling import Law, d6
from sevenout.verify import conform, fit_power, games_needed
from sevenout.verify.counts import DataError
from sevenout.verify.many_bets import bets_needed
from sevenout.verify.planning import (
    cells_plan,
    faces_plan,
    mean_needed,
    mean_plan,
    runs_plan,
    share_plan,
)
from sevenout.verify.significance_tests import runs_test_of_counts

LEVEL = Fraction(1, 200)


def test_the_least_bias_of_a_face_and_the_least_effect_have_the_power():
    law = Law({1: 1, 2: 2, 3: 3})
    fault = Fraction(faces_plan(law, 5_000)(LEVEL).fault)
    rest = (1 - law[1] * (1 + fault)) / (1 - law[1])
    loaded = {face: p * (1 + fault if face == 1 else rest) for face, p in law.items()}
    assert fit_power(law, loaded, 5_000, 1 - LEVEL) == pytest.approx(0.9, abs=1e-6)
    w = cells_plan(2, 5_000)(LEVEL).fault
    assert w**2 == pytest.approx(float(sum((loaded[x] - p) ** 2 / p for x, p in law.items())))


@pytest.mark.parametrize(("p", "games"), [(Fraction(1, 2), 900), (Fraction(1, 5_000), 2_000)])
def test_the_least_share_is_exact(p, games):
    fault = share_plan(p, games)(LEVEL).fault
    most = stats.binom.isf(float(LEVEL / 2), games, float(p))
    assert stats.binom.sf(most, games, float(p) + fault) == pytest.approx(0.9)
    assert stats.binom.sf(most, games, float(p)) <= LEVEL / 2


def test_one_game_tells_nothing_of_a_coin():
    assert share_plan(Fraction(1, 2), 1)(LEVEL) is None


def test_the_least_mean_and_the_least_repeats_are_found_by_their_tests():
    reach = stats.norm.isf(float(LEVEL) / 2)
    fault = mean_plan(Fraction(4), 100)(LEVEL).fault
    assert stats.norm.sf(reach, loc=fault / 0.2) == pytest.approx(0.9)
    more = runs_plan(d6.law, 6_000)(LEVEL).fault
    check = runs_test_of_counts(round(5_001 - 6_000 * more), [1_000] * 6)
    assert -check.statistic == pytest.approx(reach + stats.norm.isf(0.1), abs=0.02)


def log_of(path, rolls):
    path.write_text("".join(f"{a},{b}\n" for a, b in rolls.tolist()))
    return path


def test_a_log_says_what_it_could_have_missed(tmp_path, capsys):
    rng = np.random.default_rng(3)
    path = log_of(tmp_path / "rolls.csv", rng.integers(1, 7, (30_000, 2)))
    found = conform(games["craps"], path)
    assert found.agrees
    assert set(found.detectable) == set(found.family)
    level = found.level / len(found.family)
    assert found.detectable["the shares of die 1"] == faces_plan(d6.law, 30_000)(level)
    assert found.detectable["the wins of 'pass'"] == share_plan(Fraction(244, 495), found.games)(
        level
    )
    more = conform(games["craps"], log_of(path, rng.integers(1, 7, (120_000, 2))))
    for question, least in found.detectable.items():
        assert more.detectable[question].fault == pytest.approx(least.fault / 2, rel=0.1)
    assert main(["test", "log", "craps", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "What the log could have missed: less than this" in said
    assert str(more.detectable["the shares of die 1"]) in said
    assert main(["test", "log", "craps", str(path), "--json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)["results"]
    assert data["missed"]["the mean rolls"]["of"] == "rolls"


def test_a_fault_of_that_size_is_found_as_often_as_is_said(tmp_path):
    """Forty logs with a die that is biased so much: 36 are expected to show it."""
    rng, n, noticed = np.random.default_rng(8), 6_000, 0
    fair = conform(games["craps"], log_of(tmp_path / "a.csv", rng.integers(1, 7, (n, 2))))
    bias = 1 + fair.detectable["the shares of die 1"].fault
    p = [bias / 6, *[(1 - bias / 6) / 5] * 5]
    for k in range(40):
        rolls = np.stack([rng.choice(6, n, p=p) + 1, rng.integers(1, 7, n)], axis=1)
        found = conform(games["craps"], log_of(tmp_path / f"{k}.csv", rolls))
        noticed += "the shares of die 1" in found.rejecting_tests
    assert 29 <= noticed <= 40  # by the binomial law, 28 or fewer once in 3,000


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(244, 495), Fraction(1, 36)])
@pytest.mark.parametrize("games", [500, 20_000])
def test_the_least_fault_and_the_games_needed_are_one_plan(p, games):
    """As many games as show a share are needed to tell it; a share a little nearer needs more."""
    fault = share_plan(p, games)(Fraction(1, 20)).fault
    said = {"confidence": "95%", "power": "90%", "sides": 2}
    assert games_needed(p, float(p) + fault * 1.0001, **said).first <= games
    assert games_needed(p, float(p) + fault * 0.97, **said).stays > games


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"change": Fraction(0)}, "change=0; give a change"),
        ({"variance": Fraction(-1)}, "variance=-1; give more than 0"),
        ({"power": "200%"}, "power=200%; give one between 0 and 1"),
        ({"confidence": "5%", "power": "1%"}, "power=1% is at most 0.95, which chance alone"),
    ],
)
def test_a_mean_that_can_not_be_planned_for_is_refused(arguments, message):
    """Two of them were Python errors; a wrong power was called a confidence."""
    plan = {"mean": Fraction(3), "variance": Fraction(9), "change": Fraction(1)} | arguments
    with pytest.raises(DataError, match=message):
        mean_needed(**plan)


@pytest.mark.parametrize("power", ["200%", "1%"])
def test_a_wrong_power_of_many_bets_is_refused_by_its_name(power):
    law = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    with pytest.raises(DataError, match=f"power={power}"):
        bets_needed(law, "-2%", "95%", power)


def test_the_least_mean_and_the_games_needed_are_one_plan():
    fault = mean_plan(Fraction(9), 10_000)(Fraction(1, 20)).fault
    change = Fraction(fault).limit_denominator(10**9)
    games, limit = mean_needed(Fraction(3), Fraction(9), change, "95%", "90%", sides=2)
    assert abs(games - 10_000) <= 1
    assert limit == pytest.approx(3 + 1.959964 * 3 / 100, abs=1e-6)
