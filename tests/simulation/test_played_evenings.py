"""Sampled evenings end as those played through the rules, and as their distribution says."""

from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import Bold, strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import SevenoutError, TooMuchWorkError
from sevenout.evenings import Plan, evening
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.ends import ENDS as NAMES
from sevenout.simulation import evening_sampler, played_evenings
from sevenout.simulation.evening_sampler import (
    END,
    FIGURE_COUNT,
    FINAL_MONEY,
    EveningDice,
    EveningSampler,
    dice_of,
)
from sevenout.simulation.played_evenings import play_evenings, simulate_evenings

BONUS = "".join(
    f'[[bet]]\non = "{on}"\namount = 1\nwhen = "shooter"\n' for on in ("small", "tall", "all")
)
TABLE = parse_strategy(f'[[bet]]\non = "pass"\namount = 5\nodds = 2\n{BONUS}').strategy


class HalfOfIt(Strategy):
    """Bets half of the money: every position is of one amount."""

    sees_money = True

    def wants(self, table):
        return {"pass": table.money // 2 + 1} if table.point is None else {}


ENDS = [
    {"rolls": 30},
    {"rolls": 30, "standing": "out"},
    {"rolls": 30, "standing": "down", "stop_loss": 15},
    {"shooters": 3, "rolls": 200},
    {"bets": 9, "target": 45},
]


STRATEGIES = {
    "three-point-molly": "three-point-molly",
    "iron-cross": "iron-cross",
    "dont-pass": "dont-pass",
    "bonus": TABLE,
    "half-of-it": HalfOfIt(),
}


def endings(sampler, many):
    figures = sampler.evenings(0, many)
    ends, money = figures[END::FIGURE_COUNT], figures[FINAL_MONEY::FIGURE_COUNT]
    return [(NAMES[end], sampler.money(column)) for end, column in zip(ends, money, strict=True)]


@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_they_end_as_through_the_rules(strategy, ends):
    plan = Plan.of(strategy, 31, **ends)
    played = [EveningDice(plan, number, seed=5).play() for number in range(25)]
    assert endings(EveningSampler(plan, 5), 25) == [(each.end, each.money) for each in played]


def test_at_a_crapless_table_too():
    house = House(crapless=True, vig="up front")
    plan = Plan.of("three-point-molly", 31, rolls=40, house=house)
    played = [EveningDice(plan, number, seed=6).play() for number in range(25)]
    assert endings(EveningSampler(plan, 6), 25) == [(each.end, each.money) for each in played]


class Thirds(Strategy):
    """Bets thirds, then sevenths: the unit of money becomes finer in the middle of an evening."""

    def wants(self, table):
        if table.point is None:
            return {"field": Fraction(4, 3)} if table.last is None else {"pass": Fraction(9, 7)}
        return {}


def test_finer_units_change_no_amount():
    plan = Plan.of(Thirds(), 9, rolls=20, stop_loss=Fraction(3, 2))
    played = [EveningDice(plan, number, seed=4).play() for number in range(40)]
    sampler = EveningSampler(plan, 4)
    assert endings(sampler, 40) == [(each.end, each.money) for each in played]
    assert sampler.scale == 42
    tally = play_evenings(plan, 40, seed=4)
    lowest = Counter(min(moment.money for moment in each.moments) for each in played)
    assert tally.troughs == lowest


def test_places_that_were_forgotten_are_met_again(monkeypatch):
    plan = Plan.of(HalfOfIt(), 31, rolls=30)
    usual = play_evenings(plan, 60).counts
    monkeypatch.setattr(evening_sampler, "MAX_ROWS", 20)
    assert play_evenings(plan, 60).counts == usual
    sampler = EveningSampler(plan, 1)
    for number in range(60):
        sampler.evenings(number, 1)
    assert len(sampler.nodes) < 120


def test_a_roll_is_worked_out_once():
    """Later evenings meet fewer new ones."""
    sampler = EveningSampler(Plan.of(TABLE, 300, rolls=100), 1)
    met = []
    for number in range(150):
        sampler.evenings(number, 1)
        met.append(len(sampler.effects))
    assert met[-1] - met[99] < met[49] / 1.2


def test_evenings_that_take_over_a_hundred_budgets_are_refused():
    plan = Plan.of(TABLE, 300, rolls=100)
    with so.budget(seconds=1), pytest.raises(TooMuchWorkError, match=r"1,000,000,000 evenings"):
        play_evenings(plan, 10**9)


def test_if_the_budget_ends_it_says_how_many_were_played(monkeypatch):
    plan = Plan.of(TABLE, 300, rolls=100)
    with so.budget(seconds=1):
        seen = play_evenings(plan, 200_000)
    assert sum(seen.counts.values()) == seen.evenings < 200_000
    assert "asked for, more than the budget plays" in str(seen.page())
    assert seen.counts == play_evenings(plan, seen.evenings).counts


GAMES = 40_000
ALARM = 1e-4
"""How likely one of the tests is to fail where nothing is wrong: 1 in 10,000 for each strategy."""


@pytest.mark.parametrize(
    ("name", "bankroll", "options"),
    [
        ("pass", 5, {"target": 10}),
        ("three-point-molly", 20, {"rolls": 45, "standing": "down"}),
        ("three-point-dolly", 30, {"rolls": 30, "stop_loss": 20, "standing": "out"}),
        ("iron-cross", 60, {"shooters": 2, "bets": 9}),
        ("pass", 2, {"bets": 3}),
        ("labouchere", 25, {"rolls": 61, "house": House(maximum=500)}),
        (Bold(target=9), 4, {"target": 9}),
    ],
)
def test_compiled_or_not_the_same_evenings_are_played(name, bankroll, options, monkeypatch):
    pytest.importorskip("numba")
    if name == "three-point-molly":
        name = strategies(name, points=2)
    monkeypatch.setattr(played_evenings, "COMPILE_AFTER", 1e9)
    one = simulate_evenings(name, bankroll, 1500, 7, **options)
    monkeypatch.setattr(played_evenings, "COMPILE_AFTER", 0.0)
    other = simulate_evenings(name, bankroll, 1500, 7, **options)
    for what in ("counts", "rolls", "peaks", "troughs"):
        assert getattr(one, what) == getattr(other, what)
    assert sum(one.counts.values()) == sum(one.peaks.values()) == 1500


@pytest.mark.parametrize("name", list(strategies))
def test_evenings_are_replayed_roll_by_roll(name):
    """By the rules alone, with real dice; what the tables play puts numbers in order."""
    options = {"rolls": 45, "stop_loss": 40, "stop_win": 50, "shooters": 3}
    options |= {"standing": "out"}
    options["bets"] = {"pass": 10, "iron-cross": 20}.get(name)
    plan = Plan.of(name, 60, **options)
    counts, rolls = Counter(), 0
    for number in range(90, 130):
        sitting = EveningDice(plan, number, seed=8).play()
        counts[sitting.end, sitting.money] += 1
        rolls += sitting.rolls
    tally = simulate_evenings(name, 60, 40, seed=8, first_evening=90, **options)
    assert counts == tally.counts
    assert rolls == tally.rolls


def test_the_dice_of_an_evening_are_fair_and_the_same_whoever_plays():
    seen = Counter(islice(dice_of(3, 4), 36_000))
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 79  # 1 in 30,000 is more
    assert len(seen) == 36
    plan = Plan.of("iron-cross", 100, rolls=30)
    faces = [moment.faces for moment in EveningDice(plan, 7, 4).play().moments[1:]]
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
    [
        ({"evenings": 0}, "evenings=0"),
        ({"seed": -1}, "seed=-1"),
        ({"first_evening": -3}, "first_evening=-3"),
        ({"first_evening": 1.5}, "first_evening=1.5"),
    ],
)
def test_what_can_not_be_played(options, said):
    with pytest.raises(SevenoutError, match=said):
        simulate_evenings("pass", 10, rolls=3, **options)


def test_an_unknown_end_and_dice_of_no_evening_are_refused():
    plan = Plan.of("pass", 10, rolls=9)
    with pytest.raises(SevenoutError, match="no end 'ruined'; the ends are ruin, stop loss"):
        play_evenings(plan, 5).p("ruined")
    for number, seed, message in ((-1, 1, "evening=-1"), (0, -1, "seed=-1"), ("x", 1, "evening=")):
        with pytest.raises(SevenoutError, match=message):
            EveningDice(plan, number, seed)
