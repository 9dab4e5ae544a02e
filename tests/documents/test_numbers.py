"""Numbers as text: rounded from the exact value, and never more than what is known."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.documents import Certified
from sevenout.documents import numbers as n
from sevenout.documents.kinds import ROUNDED
from sevenout.evenings import evening

fractions = st.fractions(min_value=-(10**9), max_value=10**9)
shares = st.fractions(min_value=0, max_value=1)
digits = st.integers(0, 12)


@given(fractions, digits)
@settings(deadline=None, derandomize=True)
def test_rounding_is_from_the_exact_value_halves_away_from_zero(x, d):
    with localcontext(prec=60):
        scaled = Fraction(Decimal((x * 10**d).numerator // (x * 10**d).denominator))
        rest = x * 10**d - scaled
    away = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and x > 0)
    wanted = (scaled + (1 if away else 0)) / 10**d
    assert Fraction(n.fixed(x, d)) == wanted
    assert abs(Fraction(n.fixed(x, d)) - x) <= Fraction(1, 2 * 10**d)


@given(st.integers(-(10**6), 10**6), st.integers(0, 5))
@settings(deadline=None, derandomize=True)
def test_halves_go_away_from_zero_as_in_decimal_arithmetic(k, d):
    x = Fraction(2 * k + 1, 2 * 10**d)
    with localcontext(prec=40):
        half = Decimal(x.numerator) / Decimal(x.denominator)
        wanted = half.quantize(Decimal(1).scaleb(-d), ROUND_HALF_UP)
    assert Fraction(n.fixed(x, d)) == Fraction(wanted)


@given(fractions, digits, st.booleans())
@settings(deadline=None, derandomize=True)
def test_nothing_that_rounds_to_zero_has_a_sign(x, d, sign):
    text = n.fixed(x, d, sign)
    assert not (text[0] in "+-" and not text.strip("+-0."))
    assert (text[0] == "+") is (sign and x > 0 and bool(text.strip("+-0.")))


@given(shares, st.integers(0, 10))
@settings(deadline=None, derandomize=True)
def test_only_zero_a_half_and_one_look_like_them(x, d):
    """Also next to them: 1/2 ± 10^-k is no 50 %."""
    for y in {x, *(mark + side * x / 10**9 for mark in (0, Fraction(1, 2), 1) for side in (1, -1))}:
        text = n.percent(y, d)
        if ", 1 in " in text:  # too small for a percentage
            assert 0 < y < Fraction(1, 10**d)
            continue
        assert text.endswith(" %")
        for mark in (0, 50, 100):
            bare = text.removesuffix(" %").lstrip("-")
            if y * 100 != mark and not bare.startswith(("<", ">", "just")):
                assert Fraction(bare) != mark


@given(shares, shares, st.integers(1, 40))
@settings(deadline=None, derandomize=True)
def test_no_figure_is_mistaken_for_the_mark(mark, step, far):
    p = min(mark + step / 10**far, Fraction(1))
    text = n.percent(p, 6, distinct_from=mark).removesuffix(" %")
    if ", 1 in " in text:  # too small for a percentage
        return
    if text.startswith("just"):
        assert 0 < p - mark < Fraction(1, 10**15)
    elif not text.startswith(("<", ">")):
        assert abs(Fraction(text) - 100 * p) <= Fraction(1, 2 * 10**6)
        assert p == mark or Fraction(text) != 100 * mark


@given(shares, st.integers(1, 10))
@settings(deadline=None, derandomize=True)
def test_what_is_printed_of_a_probability_is_true(x, d):
    text = n.percent(x, d).removesuffix(" %")
    if ", 1 in " in text:  # too small for a percentage
        figure = Fraction(text.partition(",")[0])
        assert 0 < 100 * x < Fraction(1, 2 * 10**d)
        assert abs(figure - x) <= x / 1000
    elif text.startswith("<"):
        assert 0 < 100 * x < Fraction(text[2:])
    elif text.startswith(">"):
        assert Fraction(text[2:]) < 100 * x < 100
    elif not text.startswith("just"):
        assert abs(Fraction(text) - 100 * x) <= Fraction(1, 2 * 10**d)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (Fraction(1, 2), "50.0000 %"),
        (Fraction(1, 2) - Fraction(1, 10**8), "49.999999 %"),
        (Fraction(1, 2) + Fraction(1, 10**40), "just above 50 %"),
        (Fraction(-1, 2) - Fraction(1, 10**40), "just below -50 %"),
        (Fraction(1), "100.0000 %"),
        (1 - Fraction(1, 10**9), "> 99.9999 %"),
        (Fraction(0), "0.0000 %"),
        (Fraction(-1, 10**9), "> -0.0001 %"),
    ],
)
def test_next_to_a_mark(x, text):
    assert n.percent(x) == text


@given(fractions.filter(bool), st.integers(1, 12))
@settings(deadline=None, derandomize=True)
def test_scientific_notation_is_right_to_its_last_digit(x, d):
    text = n.scientific(x, d)
    figures, power = text.split("e")
    assert 1 <= abs(Fraction(figures)) < 10
    assert len(figures.strip("-").replace(".", "")) == d
    step = Fraction(10) ** (int(power) - d + 1)
    assert abs(Fraction(figures) * Fraction(10) ** int(power) - x) <= step / 2


@given(fractions, st.fractions(min_value=0, max_value=1), st.integers(0, 10), shares, st.booleans())
@settings(deadline=None, derandomize=True)
def test_a_certified_value_prints_only_digits_that_are_proved(x, bound, d, where, up):
    """Wherever the truth lies within the bound, the digits printed are its own."""
    text = n.decimal(Certified(x, bound), d)
    if " to " in text or "e" in text or text.startswith("just"):
        return
    truth = x + where * bound * (1 if up else -1)
    places = len(text.partition(".")[2])
    assert abs(Fraction(text) - truth) <= Fraction(1, 2 * 10**places)


def test_a_value_of_which_no_digit_is_proved_is_an_interval():
    assert n.decimal(Certified(Fraction(1, 2), Fraction(3)), 2) == "-3 to 4"
    assert n.percent(Certified(Fraction(1, 3), Fraction(1, 10**5))) == "33.33 %"


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**12))
@settings(deadline=None, derandomize=True)
def test_fractions_are_read_back(a, b):
    x = Fraction(a, b)
    assert Fraction(n.exactly(x)) == Fraction(n.signed(x)) == x
    shown = n.exactly(x, 10)
    assert shown == n.TOO_LONG or (Fraction(shown) == x and len(shown) <= 10)


def test_numbers_of_any_length():
    long = Fraction(10**6000 + 1, 3**20000)
    top, bottom = n.exactly(long).split("/")
    assert (len(top), len(bottom)) == (6001, 9543)
    assert int(top[:20]) == 10**19
    assert n.decimal(long, 3).endswith("e-3543")
    assert n.count(10**5000) == "1.00000e5000"
    assert n.exactly(long, 24) == n.TOO_LONG


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (float("inf"), "∞"),
        (float("-inf"), "-∞"),
        (float("nan"), "–"),
        (0.1, "0.100000"),
        (2, "2.000000"),
    ],
)
def test_floats_are_numbers_too(x, text):
    assert n.decimal(x) == text


@pytest.mark.parametrize(
    ("x", "plain", "signed"),
    [
        (-0.85, "-0.85", "-0.85"),
        (0.85, "0.85", "+0.85"),
        (-1234.5, "-1,234.50", "-1,234.50"),
        (1234567.0, "1,234,567.00", "+1,234,567.00"),
    ],
)
def test_a_rounded_amount_keeps_its_sign_below_one(x, plain, signed):
    assert ROUNDED(x) == plain
    assert ROUNDED.with_digits(2, sign=True)(x) == signed


def test_an_hour_that_gains_is_no_loss():
    """Ten rolls of pass line gain, since bets that stand then count as staked."""
    result = evening("pass", 100, rolls=10)
    assert result.loss_per_hour == -10 * result.mean
    assert "expected loss per hour -0.85" in " ".join(str(result.page()).split())
