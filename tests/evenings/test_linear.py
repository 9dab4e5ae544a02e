"""Linear maps given in runs: alike by LLVM and by NumPy alone, no further off than is proved."""

import weakref
from contextlib import suppress
from fractions import Fraction
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.evenings import Plan
from sevenout.evenings.lattice import carrier, linear_operator
from sevenout.evenings.lattice.linear_operator import fan_in, linear_map
from sevenout.evenings.lattice.moneylattice import money_lattice

SIZE = 90


@st.composite
def runs(draw):
    length = draw(st.integers(1, SIZE))
    starts = st.integers(0, SIZE - length)
    return draw(starts), draw(starts), length, draw(st.integers(1, 36))


@pytest.mark.parametrize("package", ["llvmlite", "numpy"])
@given(st.lists(runs(), max_size=12), st.integers(0, 2**32))
def test_each_sum_of_k_products_is_within_its_bound(package, parts, seed):
    if package == "llvmlite":
        pytest.importorskip("llvmlite")
    law = np.random.default_rng(seed).random(SIZE)
    source, target, length, weight = np.array(parts, dtype=np.int64).reshape(-1, 4).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_operator, "has", lambda name: name == package)
        found = linear_map(source, target, length, weight / 36, SIZE)(law)
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
        linear_map(*([n] for n in run), [1.0], 3)


def test_an_evening_by_numpy_alone(monkeypatch):
    plan = Plan.of("dont-pass-lay", 60, rolls=80, standing="out", stop_loss=25)
    one = plan.solve()
    monkeypatch.setattr(linear_operator, "has", lambda name: False)
    monkeypatch.setattr(carrier, "has", lambda name: False)
    other = plan.solve()
    assert min(one.bound, other.bound) > 0
    law = dict(other.money.items())
    assert all(abs(p - law[money]) <= one.bound + other.bound for money, p in one.money.items())


def test_a_thread_that_outlives_an_interrupted_roll_keeps_its_arrays(monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(carrier, "LARGE", 0)
    plan = Plan.of("pass", 20, rolls=30)
    carried = carrier.CompiledCarrier(money_lattice(plan.positions, plan.width()))
    kept, begun, gone, done = weakref.ref(carried.now), Event(), Event(), Event()
    alive, first = [], carried.parts[0]

    def carry(*arguments):
        if arguments[-2:] == first:
            begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        gone.wait(10)
        alive.append(kept() is not None)
        done.set()

    monkeypatch.setattr(carrier, "_carry", lambda: (carry, None))
    with suppress(KeyboardInterrupt):
        carried.roll()
    del carried
    gone.set()
    assert done.wait(10)
    assert alive == [True]
