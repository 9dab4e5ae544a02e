"""Linear maps given in runs: no further off than is proved."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.evenings import Plan, money_lattice, run_map
from sevenout.evenings.run_map import RunMap, fan_in

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
    with pytest.raises(IndexError, match="not within 3 places"):
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


def test_what_is_cut_off_is_in_the_bound(monkeypatch):
    usual = Plan.of("three-point-molly", 60, rolls=80).in_floats()
    monkeypatch.setattr(money_lattice, "LARGE", 0)
    monkeypatch.setattr(money_lattice, "NEXT_TO_NOTHING", 1e-17)
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
    vectors = walk.now.nbytes + walk.then.nbytes + walk.visits.nbytes
    assert vectors <= requested[0]["memory"] <= 4 * vectors
