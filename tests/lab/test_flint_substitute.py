"""The stand-in for python-flint in a page gives what python-flint gives."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.lab.static import flint_substitute as own
from sevenout.lab.static.flint_substitute import FlintNeeded, Work

SMALL = st.integers(-20, 20)
WHOLE = st.one_of(SMALL, st.integers(-(10**40), 10**40))
PAIR = st.tuples(WHOLE, WHOLE.filter(bool))
ROW = st.lists(WHOLE, max_size=40)
FRACTIONS = st.lists(st.tuples(SMALL, st.integers(1, 12)), max_size=9)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    Work.done = 0
    yield
    Work.done = 0


def plain(x: Any) -> Any:
    """A value of either module, as plain Python."""
    if isinstance(x, tuple | list):
        return type(x)(map(plain, x))
    if isinstance(x, own.fmpq | flint.fmpq):
        return Fraction(int(x.p), int(x.q))
    if hasattr(type(x), "coeffs"):
        return plain(x.coeffs())
    return int(x) if isinstance(x, flint.fmpz) else x


def part(question: Callable[[], Any]) -> Any:
    """An answer; an error by its type."""
    try:
        return question()
    except (ZeroDivisionError, TypeError) as error:
        return type(error)


def both(question: Callable[[Any], Any]) -> tuple[Any, Any]:
    """The answers of the two modules."""
    ours, theirs = (plain(part(lambda m=m: question(m))) for m in (own, flint))  # type: ignore[misc]
    return ours, theirs


@given(PAIR, PAIR, SMALL, st.integers(-4, 4))
def test_rationals(a: tuple[int, int], b: tuple[int, int], n: int, power: int) -> None:
    questions: list[Callable[[Any, Any], Any]] = [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        lambda x, y: x / y,
        lambda x, _: [x + n, n + x, x - n, n - x, x * n, n * x, -x, abs(x), int(x), bool(x)],
        lambda x, _: x / n,
        lambda x, _: n / x,
        lambda x, _: x**power,
        lambda x, y: [x < y, x <= y, x > y, x >= y, x == y, x == n, x < n, n < x],
        lambda x, _: [str(x), float(x), hash(x)],
    ]
    ours, theirs = both(
        lambda m: [part(lambda q=q: q(m.fmpq(*a), m.fmpq(*b))) for q in questions]  # type: ignore[misc]
    )
    assert ours == theirs


@given(ROW, ROW, WHOLE, st.integers(1, 30), st.integers(0, 45))
def test_whole_polynomials(a: list[int], b: list[int], n: int, divisor: int, shift: int) -> None:
    ours, theirs = both(
        lambda m: [
            *((p := m.fmpz_poly(a)), (q := m.fmpz_poly(b)), p + q, p - q, p * q, p**3, -p),
            *(
                p * n,
                n + p,
                n - p,
                m.fmpz_poly([*map(abs, a)]) // divisor,
                p.left_shift(shift),
                p.right_shift(shift),
            ),
            *(p.truncate(shift), p(n), p[shift], p.degree(), p.length(), bool(p), p == q),
            p.deflation(),
        ]
    )
    assert ours == theirs


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(1, 9))
def test_the_factors_of_the_totals_of_dice(sides: list[int], content: int) -> None:
    def factors(m: Any) -> Any:
        totals = m.fmpz_poly([content])
        for n in sides:
            totals *= m.fmpz_poly([1] * n)
        content_, parts = totals.factor()
        return content_, sorted((part.coeffs(), times) for part, times in parts)

    ours, theirs = both(factors)
    assert ours == theirs


@given(FRACTIONS, FRACTIONS, FRACTIONS, PAIR, st.integers(0, 12))
def test_rational_polynomials(
    a: list[tuple[int, int]],
    b: list[tuple[int, int]],
    common: list[tuple[int, int]],
    point: tuple[int, int],
    terms: int,
) -> None:
    def question(m: Any) -> Any:
        p, q, c = (m.fmpq_poly([m.fmpq(*x) for x in row]) for row in (a, b, common))
        x = m.fmpq(*point)
        results = [p + q, p - q, p * q, -p, p * x, x + p, 2 - p, p.derivative(), p(x), p(2)]
        results += [p.mul_low(q, terms), p[terms], p.degree(), p.denom(), p == q, p == 1]
        results += [(p * c).gcd(q * c), p / x if x else 0]
        return [*results, (p * c) // c, p // c] if c else results

    ours, theirs = both(question)
    assert ours == theirs


@given(st.lists(st.integers(-(10**30), 10**30), min_size=1, max_size=4), st.integers(64, 200))
def test_ends_enclose_the_exact_value(row: list[int], bits: int) -> None:
    with own.ctx.workprec(bits):
        ball = own.arb_poly(row)[0] / own.arb_poly([7])[0]
        ends = [
            Fraction(m) * Fraction(2) ** e
            for m, e in (ball.lower().man_exp(), ball.upper().man_exp())
        ]
    exact = Fraction(row[0], 7)
    assert ends[0] <= exact <= ends[1]
    assert ends[1] - ends[0] <= abs(exact) / 2 ** (bits - 2)


def test_what_is_not_there_asks_for_python_flint() -> None:
    matrix, poly = own.fmpz_mat, own.fmpz_poly([1, 2])
    for question in (
        lambda: matrix(1, 1),
        lambda: own.arb(1),
        lambda: own.fmpz_poly([2, 0, 3]).factor(),
        lambda: own.fmpz(6).factor(),
        lambda: own.fmpq(1, 2).height_bits(),
        lambda: poly // poly,
    ):
        with pytest.raises(FlintNeeded):
            question()
    with pytest.raises(AttributeError, match="no attribute 'cache_clear'"):
        _ = own.cache_clear


def test_too_much_work_asks_for_python_flint() -> None:
    long = own.fmpz_poly([3**k for k in range(2000)])
    with pytest.raises(FlintNeeded, match="over 1,500,000 operations"):
        _ = long**64
