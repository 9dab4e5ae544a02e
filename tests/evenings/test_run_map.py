"""Linear maps given in runs: no further off than is proved."""

from fractions import Fraction
from math import cosh, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.evenings import Plan, bankroll_for, money_lattice, run_map
from sevenout.evenings.run_map import RunMap, fan_in
from sevenout.rolling import Law
from sevenout.rules.casino.betting import FlatBetting
from sevenout.rules.casino.felt import OneBet

SIZE = 90


@st.composite
def runs(draw):
    length = draw(st.integers(1, SIZE))
    starts = st.integers(0, SIZE - length)
    return draw(starts), draw(starts), length, draw(st.integers(1, 36))


@given(st.lists(runs(), max_size=12), st.integers(0, 2**32))
def test_each_sum_of_k_products_is_within_its_bound(parts, seed):
    law = np.random.default_rng(seed).random(SIZE)
    source, target, length, weight = np.array(parts, dtype=np.int64).reshape(-1, 4).T
    found = np.zeros(SIZE)
    RunMap(source, target, length, weight / 36, SIZE).add(law, found)
    true, terms = [Fraction(0)] * SIZE, [0] * SIZE
    for here, there, n, w in parts:
        for k in range(n):
            true[there + k] += Fraction(w, 36) * Fraction(law[here + k])
            terms[there + k] += 1
    assert fan_in(target, length, 0, SIZE) == max(terms)
    for x, y, k in zip(found.tolist(), true, terms, strict=True):
        assert abs(Fraction(x) - y) <= y * (k + 2) / 2**53


@pytest.mark.parametrize("run", [(-1, 0, 2), (0, -1, 2), (2, 0, 2), (0, 2, 2)])
def test_a_run_beyond_the_vector_is_refused(run):
    with pytest.raises(IndexError, match="not within 3 cells"):
        RunMap(*([n] for n in run), [1.0], 3)


@pytest.mark.parametrize("name", ["dont-pass-lay", "three-point-molly", "labouchere"])
def test_compiled_loops_add_the_same(name, monkeypatch):
    """Numba compiles the loops as they stand: only the order of short and long runs differs."""
    pytest.importorskip("numba")
    options = {"rolls": 60, "standing": "out", "stop_loss": 25}
    monkeypatch.setattr(run_map, "is_installed", lambda name: False)
    plain = Plan.of(name, 60, **options).in_floats()
    monkeypatch.setattr(run_map, "is_installed", lambda name: True)
    monkeypatch.setattr(run_map, "PATIENCE", 0)
    fast = Plan.of(name, 60, **options).in_floats()
    law = dict(plain.money.items())
    assert 0 < float(fast.bound) == pytest.approx(float(plain.bound))
    assert all(abs(p - law.get(money, 0)) < 1e-15 for money, p in fast.money.items())
    for figure in ("handle", "mean_bets", "refused", "mean_rolls"):
        assert float(getattr(fast, figure)) == pytest.approx(
            float(getattr(plain, figure)), rel=1e-13
        )
    assert fast.fan == plain.fan


def by_loops(patch, mapping):
    """The map as numba applies it, by the same loops in Python."""
    patch.setattr(run_map, "compiled", lambda function: function)
    patch.setattr(run_map, "is_installed", lambda package: package == "numba")
    mapping.patience = 0
    return mapping


@given(st.lists(runs(), min_size=1, max_size=8), st.integers(0, 2**32), st.integers(0, SIZE))
@settings(max_examples=15)
def test_the_loops_that_are_compiled_add_and_sum_up_the_same(parts, seed, low):
    """The window of the only row leaves out the cells below `low`, which hold nothing."""
    source, target, length, weight = np.array(parts).T
    vector = np.random.default_rng(seed).integers(0, 64, SIZE) / 64  # so that no sum is rounded
    vector[:low] = 0
    images = []
    with pytest.MonkeyPatch.context() as patch:
        arguments = source, target, length, weight / 64, SIZE
        for mapping in (RunMap(*arguments), by_loops(patch, RunMap(*arguments))):
            image, again = np.zeros(SIZE), np.zeros(SIZE)
            sums = run_map.Sums(np.zeros(SIZE), np.zeros(SIZE), np.array([0]))
            (lows, highs), _ = mapping.add(vector, image, ([low], [SIZE]), sums)
            mapping.add(vector, again)
            assert again.tolist() == image.tolist() == sums.visits.tolist() == sums.columns.tolist()
            mapping.clear(again, (lows, highs))
            assert not again.any(), "the windows hold all of the image"
            images.append(image.tolist())
    assert images[0] == images[1]


@pytest.mark.parametrize("negligible", [0.0, 0.25])
def test_ends_of_a_window_that_hold_next_to_nothing_are_cut_off(negligible):
    """A run of 30 cells is a slice; the ends of the evening, the second row, keep all they get."""
    vector = np.zeros(90)
    vector[:30] = [0.125, 0.25, *[1.0] * 26, 0.125, 0.125]
    mapping = RunMap([0, 0], [30, 60], [30, 30], [1.0, 1.0], 90, [0, 60])
    result = np.zeros(90)
    sums = run_map.Sums(np.zeros(60), np.zeros(60), np.array([0]))
    windows, cut = mapping.add(vector, result, ([0, 60], [30, 60]), sums, negligible)
    first, stop = (32, 58) if negligible else (30, 60)
    assert windows == ([first, 60], [stop, 90])
    assert cut == (0.625 if negligible else 0)
    assert result[:60].sum() == sums.visits.sum() == sums.columns.sum() == 26.625 - cut
    assert result[60:].tolist() == vector[:30].tolist()


def test_what_is_cut_off_is_in_the_bound(monkeypatch):
    usual = Plan.of("three-point-molly", 60, rolls=80).in_floats()
    monkeypatch.setattr(money_lattice, "LARGE_LATTICE", 0)
    monkeypatch.setattr(money_lattice, "NEGLIGIBLE", 1e-17)
    cut = Plan.of("three-point-molly", 60, rolls=80).in_floats()
    missing = sum(p for _, p in usual.money.items()) - sum(p for _, p in cut.money.items())
    assert 0 < missing <= cut.bound
    law = dict(cut.money.items())
    assert all(abs(p - law.get(money, 0)) <= cut.bound for money, p in usual.money.items())


def test_a_map_that_is_expected_to_be_applied_often_adds_the_same():
    run_map_of_one = RunMap([0], [1], [2], [0.5], 3)
    run_map_of_one.expect(10**9)
    result = np.zeros(3)
    run_map_of_one.add(np.array([2.0, 4.0, 8.0]), result)
    assert result.tolist() == [0, 1, 2]


def test_the_memory_of_a_lattice_is_asked_for(monkeypatch):
    """It is at least that of the vectors of its walk."""
    requested = []
    monkeypatch.setattr(money_lattice, "afford", lambda what, **limits: requested.append(limits))
    lattice = money_lattice.MoneyLattice(Plan.of("pass", 30, rolls=9).positions, 60)
    walk = money_lattice.LatticeWalk(lattice, 9)
    vectors = walk.mass.nbytes + walk.buffer.nbytes + walk.visits.nbytes
    assert vectors <= requested[0]["memory"] <= 4 * vectors


def test_a_lattice_that_is_too_narrow_is_widened(monkeypatch):
    plan = Plan.of("pass", 10, rolls=30)
    usual, needed = plan.in_floats(), bankroll_for("pass", "90%", rolls=30)
    monkeypatch.setattr(
        money_lattice, "enough_columns", lambda positions, _: positions.bankroll + 2
    )
    widened, needed_again = plan.in_floats(), bankroll_for("pass", "90%", rolls=30)
    assert abs(widened.ruin - usual.ruin) <= widened.bound + usual.bound < Fraction(1, 10**10)
    assert needed_again.bankroll == needed.bankroll
    for bankroll, p in needed.solvent.items():
        assert abs(needed_again.solvent[bankroll] - p) <= needed.bound + needed_again.bound


def coin_evening(bankroll, **ends):
    return Plan.of(FlatBetting("pass", 1), bankroll, house=OneBet(Law({1: 1, -1: 1})), **ends)


@pytest.mark.parametrize("rolls", [4, 100, 400])
def test_the_columns_of_a_coin_are_those_of_chernoffs_bound(rolls):
    """Of n coins, E[e^(s·won)] is cosh(s)^n: all but e^-24 have won less than its logarithm says.

    Four shares of the standard deviation are tried as s, and nobody wins more than n.
    """
    reach = min(
        (rolls * log(cosh(t / sqrt(rolls))) + 24) * sqrt(rolls) / t for t in (2.5, 4, 5.5, 8)
    )
    positions = coin_evening(6, rolls=rolls).positions
    assert money_lattice.enough_columns(positions, rolls) == 6 + int(min(rolls, reach)) + 2
    stopped = coin_evening(6, rolls=rolls, target=9).positions
    assert money_lattice.enough_columns(stopped, rolls) == 9 + 1


@pytest.mark.parametrize(("rolls", "counted"), [(50, 50), (None, 8 * 30**2)])
def test_the_cost_of_an_evening_is_that_of_its_rolls_and_columns(rolls, counted, monkeypatch):
    """A coin has two steps in each of 30 columns; without a limit, 8 · 30² rolls are assumed."""
    requested = []
    monkeypatch.setattr(
        money_lattice, "afford", lambda what, **cost: requested.append((what, cost))
    )
    positions = coin_evening(6, rolls=rolls, target=None if rolls else 29).positions
    money_lattice.must_afford(positions, "Coins", 30, rolls)
    [(what, cost)] = requested
    assert what == f"the distribution of {counted:,} rolls of Coins"
    assert cost["seconds"] == pytest.approx(counted * 2 * 30 * money_lattice.SECONDS_PER_ENTRY)
    assert cost["memory"] == 30 * money_lattice.BYTES_PER_CELL
