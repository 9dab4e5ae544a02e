"""Evenings that are played: compiled or not, and as their distribution has it."""

from collections import Counter
from itertools import islice

import pytest

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import Bold, strategies
from sevenout.errors import SevenoutError
from sevenout.evenings import Plan, evening
from sevenout.simulation.played_evenings import evenings
from sevenout.simulation.played_evenings.evening_sampler import dice_of
from sevenout.simulation.played_evenings.evenings import Dealt, simulate_evenings

GAMES = 40_000
ALARM = 1e-4
"""How likely one of the tests is to fail where nothing is wrong: 1 in 10,000 for each strategy."""


@pytest.mark.parametrize(
    ("name", "bankroll", "options"),
    [
        ("pass", 5, {"target": 10}),
        ("three-point-molly", 20, {"rolls": 45, "standing": "down"}),
        ("three-point-dolly", 30, {"rolls": 30, "stop_loss": 20, "standing": "out"}),
        ("iron-cross", 60, {"shooters": 2, "rounds": 9}),
        ("pass", 2, {"rounds": 3}),
        ("labouchere", 25, {"rolls": 61, "house": House(maximum=500)}),
        (Bold(target=9), 4, {"target": 9}),
    ],
)
def test_compiled_or_not_the_same_evenings_are_played(name, bankroll, options, monkeypatch):
    pytest.importorskip("numba")
    if name == "three-point-molly":
        name = strategies(name, points=2)
    monkeypatch.setattr(evenings, "COMPILE_AFTER", 1e9)
    one = simulate_evenings(name, bankroll, 1500, 7, **options)
    monkeypatch.setattr(evenings, "COMPILE_AFTER", 0.0)
    other = simulate_evenings(name, bankroll, 1500, 7, **options)
    for what in ("counts", "rolls", "peaks", "troughs"):
        assert getattr(one, what) == getattr(other, what)
    assert sum(one.counts.values()) == sum(one.peaks.values()) == 1500


@pytest.mark.parametrize("name", list(strategies))
def test_evenings_are_replayed_roll_by_roll(name):
    """By the rules alone, with real dice; what the tables play puts numbers in order."""
    options = {"rolls": 45, "stop_loss": 40, "stop_win": 50, "shooters": 3}
    options |= {"standing": "out"}
    options["rounds"] = {"pass": 10, "iron-cross": 20}.get(name)
    plan = Plan.of(name, 60, **options)
    counts, rolls = Counter(), 0
    for number in range(90, 130):
        sitting = Dealt(plan, number, seed=8).played()
        counts[sitting.end, sitting.money] += 1
        rolls += sitting.rolls
    tally = simulate_evenings(name, 60, 40, seed=8, first=90, **options)
    assert counts == tally.counts
    assert rolls == tally.rolls


def test_the_dice_of_an_evening_are_fair_and_the_same_whoever_plays():
    seen = Counter(islice(dice_of(3, 4), 36_000))
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 79  # 1 in 30,000 is more
    assert len(seen) == 36
    plan = Plan.of("iron-cross", 100, rolls=30)
    faces = [moment.faces for moment in Dealt(plan, 7, 4).played().moments[1:]]
    assert faces == list(islice(dice_of(7, 4), len(faces)))


@pytest.mark.parametrize("name", list(strategies))
def test_what_is_seen_is_what_the_law_says(name):
    stats = pytest.importorskip("scipy.stats")
    options = {"rolls": 40, "stop_loss": 25}
    bankroll = 60
    result = evening(name, bankroll, **options)
    tally = simulate_evenings(name, bankroll, GAMES, seed=3, **options)
    seen, expected = [], []
    n = e = 0.0
    for money, p in result.money.items():
        n += tally.money.get(money, 0)
        e += float(p) * GAMES
        if e >= 10:
            seen.append(n)
            expected.append(e)
            n = e = 0.0
    seen[-1] += n
    expected[-1] += e
    assert sum(seen) == GAMES
    assert sum(expected) == pytest.approx(GAMES)
    statistic = sum((o - w) ** 2 / w for o, w in zip(seen, expected, strict=True))
    assert stats.chi2.sf(statistic, len(seen) - 1) > ALARM
    for end, p in result.ends.items():
        assert abs(float(tally.p(end)) - float(p)) < 5 * (float(p) / GAMES) ** 0.5 + 1 / GAMES


@pytest.mark.parametrize("name", ["pass-odds", "three-point-dolly", "iron-cross"])
def test_peaks_and_troughs(name):
    plan = Plan.of(name, 60, rolls=45)
    tally = simulate_evenings(name, 60, GAMES, seed=5, rolls=45)
    for money in (70, 85):
        seen = sum(n for peak, n in tally.peaks.items() if peak >= money)
        p = float(plan.ever(least=money))
        assert abs(seen - GAMES * p) < 4.5 * (GAMES * p * (1 - p)) ** 0.5
    for money in (50, 30):
        seen = sum(n for trough, n in tally.troughs.items() if trough <= money)
        p = float(plan.ever(most=money))
        assert abs(seen - GAMES * p) < 4.5 * (GAMES * p * (1 - p)) ** 0.5


@pytest.mark.parametrize("given", [{}, {"least": 9}, {"most": 11}, {"least": 12, "most": 3}])
def test_no_peak(given):
    with pytest.raises(SevenoutError):
        Plan.of("pass", 10, rolls=9).ever(**given)


def test_the_rolls_are_counted():
    plan = Plan.of("pass", 50, rolls=33)
    tally = simulate_evenings("pass", 50, 100, rolls=33)
    assert tally.rolls == 3300
    assert tally.plan.ends.rolls == plan.ends.rolls
    assert "deepest trough" in str(tally)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"evenings": 0}, "games=0"), ({"seed": -1}, "seed=-1")],
)
def test_what_can_not_be_played(options, said):
    with pytest.raises(SevenoutError, match=said):
        simulate_evenings("pass", 10, rolls=3, **options)
