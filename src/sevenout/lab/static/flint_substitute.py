"""The part of python-flint that most pages need, in plain Python, for Python in the page.

python-flint is 6.9 MB to fetch, most of what a page would need. Nearly every page does little with
it: rationals, polynomials of low degree, bounds on a quantile. The archive of the static edition
holds this module as `flint`, so such a page needs no download. What is not here, or takes more
than `WORK_LIMIT`, raises `FlintNeeded`: the worker then fetches python-flint and asks again. Both
are exact, so a page is the same either way.

Polynomials multiply as long integers (Kronecker substitution), which Python multiplies well. Their
greatest common divisor is that of two values (B. W. Char, K. O. Geddes and G. H. Gonnet, "GCDHEU:
heuristic polynomial GCD algorithm based on integer GCD computation", EUROSAM 1984).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import gcd, lcm
from typing import Any

WORK_LIMIT = 1_500_000
"""Operations of a page; about as many as take the time in which python-flint is fetched."""
SCHOOLBOOK = 200
"""Products of coefficients up to which polynomials are multiplied term by term."""
TRIES = 6
"""Values of a polynomial at which a common divisor is sought."""


class FlintNeeded(BaseException):
    """A page needs python-flint. No `Exception`, so that no page mistakes it for an error."""


class Work:
    """The operations of a page so far."""

    done = 0

    @classmethod
    def add(cls, operations: int) -> None:
        """Count operations; `FlintNeeded` above the limit."""
        cls.done += operations
        if cls.done > WORK_LIMIT:
            raise FlintNeeded(f"over {WORK_LIMIT:,} operations")


def __getattr__(name: str) -> Any:
    # To import a type is no use of it: modules do so at their top.
    if not name.startswith(("acb", "arb", "arf", "fmp", "nmod")):
        raise AttributeError(f"module 'flint' has no attribute {name!r}")
    return type(name, (_Absent,), {})


class _Absent:
    """A type of python-flint that is not here."""

    def __new__(cls, *_: Any) -> "_Absent":
        raise FlintNeeded(cls.__name__)


class _Number:
    """What both kinds of numbers and polynomials share."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        # Only names that are not here come this far; Python itself looks for some with underscores.
        if name.startswith("_"):
            raise AttributeError(name)
        raise FlintNeeded(f"{type(self).__name__}.{name}")


class fmpz(int):  # noqa: N801
    """An integer."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise FlintNeeded(f"fmpz.{name}")


class fmpq(_Number):  # noqa: N801
    """A rational number in lowest terms.

    >>> 1 - fmpq(1, 3) / 2, fmpq(6, 4) ** -2, fmpq(1, 3) < fmpq(1, 2)
    (5/6, 4/9, True)

    Attributes:
        p: the numerator.
        q: the denominator, above 0.
    """

    __slots__ = ("p", "q")
    p: int
    q: int

    def __new__(cls, p: Any = 0, q: Any = 1) -> "fmpq":
        if isinstance(p, int) and isinstance(q, int):
            if q == 1:
                return _rational(int(p), 1)
            return _reduced(int(p), int(q))
        if isinstance(p, fmpq) and q == 1:
            return p
        if isinstance(p, fmpq | int) and isinstance(q, fmpq | int):
            return fmpq(p) / q
        raise TypeError(f"cannot create fmpq from objects of type {type(p)} and {type(q)}")

    @property
    def numerator(self) -> int:
        """The numerator."""
        return self.p

    @property
    def denominator(self) -> int:
        """The denominator."""
        return self.q

    def __add__(self, other: Any) -> "fmpq":
        if isinstance(other, fmpq):
            if self.q == other.q:
                return _reduced(self.p + other.p, self.q)
            return _reduced(self.p * other.q + other.p * self.q, self.q * other.q)
        if isinstance(other, int):
            return _rational(self.p + other * self.q, self.q)
        return NotImplemented

    __radd__ = __add__

    def __neg__(self) -> "fmpq":
        return _rational(-self.p, self.q)

    def __pos__(self) -> "fmpq":
        return self

    def __abs__(self) -> "fmpq":
        return _rational(abs(self.p), self.q)

    def __sub__(self, other: Any) -> "fmpq":
        return self + -other if isinstance(other, fmpq | int) else NotImplemented

    def __rsub__(self, other: Any) -> "fmpq":
        return -self + other if isinstance(other, int) else NotImplemented

    def __mul__(self, other: Any) -> "fmpq":
        # Eliminations multiply once for each of their steps, so this counts them.
        Work.add(1)
        if isinstance(other, fmpq):
            # Reduced crosswise: shorter numbers than the whole product (Knuth, volume 2, 4.5.1).
            first, second = gcd(self.p, other.q), gcd(other.p, self.q)
            return _rational(
                (self.p // first) * (other.p // second), (self.q // second) * (other.q // first)
            )
        if isinstance(other, int):
            common = gcd(other, self.q)
            return _rational(self.p * (int(other) // common), self.q // common)
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "fmpq":
        if isinstance(other, int):
            return _reduced(self.p, self.q * int(other))
        if isinstance(other, fmpq):
            return self * _reduced(other.q, other.p)
        return NotImplemented

    def __rtruediv__(self, other: Any) -> "fmpq":
        return _reduced(self.q, self.p) * other if isinstance(other, int) else NotImplemented

    def __pow__(self, exponent: int) -> "fmpq":
        if not isinstance(exponent, int):
            return NotImplemented
        if exponent < 0:
            return _reduced(self.q**-exponent, self.p**-exponent)
        return _rational(self.p**exponent, self.q**exponent)

    def _less(self, other: Any) -> int | None:
        """Below 0 if less than another number, 0 if equal; None if it is no such number."""
        if isinstance(other, fmpq):
            return self.p * other.q - other.p * self.q
        return self.p - other * self.q if isinstance(other, int) else None

    def __eq__(self, other: object) -> bool:
        difference = self._less(other)
        return NotImplemented if difference is None else difference == 0

    def __lt__(self, other: Any) -> bool:
        difference = self._less(other)
        return NotImplemented if difference is None else difference < 0

    def __le__(self, other: Any) -> bool:
        difference = self._less(other)
        return NotImplemented if difference is None else difference <= 0

    def __gt__(self, other: Any) -> bool:
        difference = self._less(other)
        return NotImplemented if difference is None else difference > 0

    def __ge__(self, other: Any) -> bool:
        difference = self._less(other)
        return NotImplemented if difference is None else difference >= 0

    def __bool__(self) -> bool:
        return self.p != 0

    def __hash__(self) -> int:
        from fractions import Fraction

        return hash(Fraction(self.p, self.q))

    def __int__(self) -> int:
        return -(-self.p // self.q) if self.p < 0 else self.p // self.q

    def __float__(self) -> float:
        return self.p / self.q

    def __repr__(self) -> str:
        return str(self.p) if self.q == 1 else f"{self.p}/{self.q}"


def _rational(p: int, q: int) -> fmpq:
    """A rational that is in lowest terms."""
    made = object.__new__(fmpq)
    made.p, made.q = p, q
    return made


def _reduced(p: int, q: int) -> fmpq:
    if q == 0:
        raise ZeroDivisionError("fmpq division by zero")
    common = gcd(p, q)
    if q < 0:
        common = -common
    return _rational(p // common, q // common)


# --- integer polynomials: lists of coefficients, the constant first, without zeros at the end


def _trimmed(row: list[int]) -> list[int]:
    while row and not row[-1]:
        row.pop()
    return row


def _sum(a: Sequence[int], b: Sequence[int]) -> list[int]:
    if len(a) < len(b):
        a, b = b, a
    return _trimmed([x + y for x, y in zip(a, b, strict=False)] + list(a[len(b) :]))


def _product(a: Sequence[int], b: Sequence[int]) -> list[int]:
    if not a or not b:
        return []
    if min(len(a), len(b)) == 1:
        factor, row = (a[0], b) if len(a) == 1 else (b[0], a)
        Work.add(len(row) // 4)
        return [factor * x for x in row]
    if len(a) * len(b) <= SCHOOLBOOK:
        Work.add(len(a) * len(b) // 4)
        product = [0] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            if x:
                for j, y in enumerate(b, i):
                    product[j] += x * y
        return product
    largest = [max(map(abs, row)).bit_length() for row in (a, b)]
    # A byte more than the largest coefficient of the product has, for its sign.
    width = (sum(largest) + min(len(a), len(b)).bit_length()) // 8 + 2
    terms = len(a) + len(b) - 1
    # Python multiplies long numbers in n^1.58 steps (Karatsuba).
    Work.add(terms + int((terms * width / 8) ** 1.58) // 250)
    # Half of the base is added to each digit, so that none is negative when the digits are read.
    half = 1 << (8 * width - 1)
    offset = int.from_bytes(half.to_bytes(width, "little") * terms, "little")
    digits = (_value(a, width) * _value(b, width) + offset).to_bytes(width * terms + 1, "little")
    return [
        int.from_bytes(digits[i : i + width], "little") - half
        for i in range(0, width * terms, width)
    ]


def _value(row: Sequence[int], width: int) -> int:
    """The value at 256^width."""
    above = b"".join(max(x, 0).to_bytes(width, "little") for x in row)
    below = b"".join(max(-x, 0).to_bytes(width, "little") for x in row)
    return int.from_bytes(above, "little") - int.from_bytes(below, "little")


def _quotient(row: Sequence[int], divisor: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Quotient and remainder; None if a coefficient of the quotient is not whole."""
    rest, quotient = list(row), [0] * max(0, len(row) - len(divisor) + 1)
    Work.add(len(quotient) * len(divisor) // 4)
    for i in reversed(range(len(quotient))):
        digit, left = divmod(rest[i + len(divisor) - 1], divisor[-1])
        if left:
            return None
        quotient[i] = digit
        if digit:
            for j, y in enumerate(divisor, i):
                rest[j] -= digit * y
    return quotient, _trimmed(rest[: len(divisor) - 1])


def _primitive(row: Sequence[int]) -> list[int]:
    """A polynomial over the common divisor of its coefficients, the last one above 0."""
    common = gcd(*row)
    if row and row[-1] < 0:
        common = -common
    return [x // common for x in row]


def _divides(divisor: Sequence[int], row: Sequence[int]) -> bool:
    divided = _quotient(row, divisor)
    return divided is not None and not divided[1]


def _common_divisor(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The greatest common divisor of two primitive polynomials.

    A divisor's value at a point divides the values of both; of a large point the digits of the
    greatest common divisor of the values are its coefficients. A wrong guess doesn't divide.
    """
    if not a or not b:
        return list(a or b)
    if min(len(a), len(b)) == 1:
        return [1]
    width = max(max(map(abs, row)).bit_length() for row in (a, b)) // 8 + 2
    for _ in range(TRIES):
        value = abs(gcd(_value(a, width), _value(b, width)))
        half = 1 << (8 * width - 1)
        # One digit more, for the carry of the last.
        terms = value.bit_length() // (8 * width) + 2
        offset = int.from_bytes(half.to_bytes(width, "little") * terms, "little")
        digits = (value + offset).to_bytes(width * terms + 1, "little")
        guess = _primitive(
            _trimmed(
                [
                    int.from_bytes(digits[i : i + width], "little") - half
                    for i in range(0, width * terms, width)
                ]
            )
        )
        if _divides(guess, a) and _divides(guess, b):
            return guess
        width = 2 * width + 1
    raise FlintNeeded("a common divisor")


class _Polynomial(_Number):
    """What polynomials over all rings share.

    Attributes:
        row: whole coefficients, the constant first, without zeros at the end.
    """

    __slots__ = ("row",)
    row: list[int]

    def degree(self) -> int:
        """The degree; -1 of the polynomial 0."""
        return len(self.row) - 1

    def length(self) -> int:
        """The number of coefficients."""
        return len(self.row)

    def __len__(self) -> int:
        return len(self.row)

    def __bool__(self) -> bool:
        return bool(self.row)


class fmpz_poly(_Polynomial):  # noqa: N801
    """A polynomial with whole coefficients.

    >>> p = fmpz_poly([1, 1])
    >>> (p**3).coeffs(), (p * p - 1).coeffs(), p(10), (3 * p // 2).coeffs()
    ([1, 3, 3, 1], [0, 2, 1], 11, [1, 1])
    """

    __slots__ = ()

    def __init__(self, source: Any = ()) -> None:
        if isinstance(source, fmpz_poly):
            self.row = source.row
        elif isinstance(source, int):
            self.row = [int(source)] if source else []
        else:
            self.row = _trimmed([_whole(x) for x in source])

    def coeffs(self) -> list[int]:
        """The coefficients, the constant first."""
        return list(self.row)

    def __iter__(self) -> Iterator[int]:
        return iter(self.row)

    def __getitem__(self, power: int) -> int:
        return self.row[power] if 0 <= power < len(self.row) else 0

    def __call__(self, point: Any) -> int:
        total = 0
        for x in reversed(self.row):
            total = total * _whole(point) + x
        return total

    def __add__(self, other: Any) -> "fmpz_poly":
        return (
            _polynomial(_sum(self.row, fmpz_poly(other).row))
            if _is_whole(other)
            else NotImplemented
        )

    __radd__ = __add__

    def __neg__(self) -> "fmpz_poly":
        return _polynomial([-x for x in self.row])

    def __sub__(self, other: Any) -> "fmpz_poly":
        return self + -other if _is_whole(other) else NotImplemented

    def __rsub__(self, other: Any) -> "fmpz_poly":
        return -self + other if _is_whole(other) else NotImplemented

    def __mul__(self, other: Any) -> "fmpz_poly":
        if not _is_whole(other):
            return NotImplemented
        return _polynomial(_product(self.row, fmpz_poly(other).row))

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> "fmpz_poly":
        result, square = fmpz_poly([1]), self
        while exponent:
            if exponent & 1:
                result = result * square
            exponent >>= 1
            # The last square would be for nothing, and is the longest.
            if exponent:
                square = square * square
        return result

    def __floordiv__(self, other: Any) -> "fmpz_poly":
        # Weights are divided, and rounded down. All else it rounds in ways that nothing here needs.
        if not isinstance(other, int) or other < 1 or min(self.row, default=0) < 0:
            raise FlintNeeded("fmpz_poly // x")
        Work.add(len(self.row) // 4)
        return _polynomial(_trimmed([x // int(other) for x in self.row]))

    def __eq__(self, other: object) -> bool:
        return self.row == fmpz_poly(other).row if _is_whole(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.row))

    def left_shift(self, powers: int) -> "fmpz_poly":
        """The polynomial times a power of x."""
        return _polynomial([0] * powers + self.row if self.row else [])

    def right_shift(self, powers: int) -> "fmpz_poly":
        """The polynomial over a power of x, without the terms below."""
        return _polynomial(self.row[powers:])

    def truncate(self, terms: int) -> "fmpz_poly":
        """The terms below a power of x."""
        return _polynomial(_trimmed(self.row[: max(terms, 0)]))

    def deflation(self) -> tuple["fmpz_poly", int]:
        """The polynomial in x^n, and the largest n for which it is one."""
        step = gcd(*(power for power, x in enumerate(self.row) if x)) or 1
        return _polynomial(self.row[::step]), step

    def __repr__(self) -> str:
        return f"fmpz_poly({self.row})"


def _whole(x: Any) -> int:
    if not isinstance(x, int):
        raise TypeError(f"unsupported coefficient {x!r} of type {type(x)}")
    return int(x)


def _is_whole(x: object) -> bool:
    return isinstance(x, fmpz_poly | int)


def _polynomial(row: list[int]) -> fmpz_poly:
    made = object.__new__(fmpz_poly)
    made.row = _trimmed(row)
    return made


class fmpq_poly(_Polynomial):  # noqa: N801
    """A polynomial with rational coefficients.

    >>> p = fmpq_poly([fmpq(1, 2), 1])
    >>> (p * p).coeffs(), p.gcd(p * p) == p, ((p * p - 1) // p).coeffs(), p(fmpq(1, 3))
    ([1/4, 1, 1], True, [1/2, 1], 5/6)

    Attributes:
        row: the coefficients times `common`.
        common: the least common denominator of the coefficients, above 0.
    """

    __slots__ = ("common",)
    common: int

    def __init__(self, source: Any = (), denominator: int = 1) -> None:
        if isinstance(source, fmpq_poly):
            self.row, self.common = source.row, source.common * denominator
        elif isinstance(source, fmpz_poly):
            self.row, self.common = source.row, denominator
        else:
            terms = [fmpq(x) for x in ([source] if isinstance(source, int | fmpq) else source)]
            common = lcm(*(x.q for x in terms))
            self.row = _trimmed([x.p * (common // x.q) for x in terms])
            self.common = common * denominator
        self._reduce()

    def _reduce(self) -> None:
        divisor = gcd(self.common, *self.row)
        if divisor != 1:
            self.row, self.common = [x // divisor for x in self.row], self.common // divisor

    def coeffs(self) -> list[fmpq]:
        """The coefficients, the constant first."""
        return [_reduced(x, self.common) for x in self.row]

    def denom(self) -> int:
        """The least common denominator of the coefficients."""
        return self.common

    def __iter__(self) -> Iterator[fmpq]:
        return iter(self.coeffs())

    def __getitem__(self, power: int) -> fmpq:
        return _reduced(self.row[power] if 0 <= power < len(self.row) else 0, self.common)

    def __call__(self, point: Any) -> fmpq:
        point, total, scale = fmpq(point), 0, 1
        # Horner's rule over whole numbers: a gcd for each term would cost more than all else.
        for x in reversed(self.row):
            total = total * point.p + x * scale
            scale *= point.q
        return _reduced(total * point.q, self.common * scale) if self.row else fmpq(0)

    def __add__(self, other: Any) -> "fmpq_poly":
        if not _is_rational(other):
            return NotImplemented
        other = fmpq_poly(other)
        common = lcm(self.common, other.common)
        rows = (
            [x * (common // polynomial.common) for x in polynomial.row]
            for polynomial in (self, other)
        )
        return _over(_sum(*rows), common)

    __radd__ = __add__

    def __neg__(self) -> "fmpq_poly":
        return _over([-x for x in self.row], self.common)

    def __sub__(self, other: Any) -> "fmpq_poly":
        return self + -other if _is_rational(other) else NotImplemented

    def __rsub__(self, other: Any) -> "fmpq_poly":
        return -self + other if _is_rational(other) else NotImplemented

    def __mul__(self, other: Any) -> "fmpq_poly":
        if not _is_rational(other):
            return NotImplemented
        other = fmpq_poly(other)
        return _over(_product(self.row, other.row), self.common * other.common)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "fmpq_poly":
        return self * (1 / fmpq(other)) if isinstance(other, int | fmpq) else NotImplemented

    def __floordiv__(self, other: Any) -> "fmpq_poly":
        if not _is_rational(other):
            return NotImplemented
        other = fmpq_poly(other)
        if not other:
            raise ZeroDivisionError("fmpq_poly division by zero")
        divisor = _primitive(other.row)
        content = _reduced(other.row[-1] // divisor[-1], other.common)
        divided, scale = _quotient(self.row, divisor), 1
        if divided is None:
            # The steps of the division, of which each divides once by the last coefficient.
            scale = divisor[-1] ** max(0, len(self.row) - len(divisor) + 1)
            divided = _quotient([x * scale for x in self.row], divisor)
            assert divided is not None
        return _over(divided[0], self.common * scale) / content

    def gcd(self, other: Any) -> "fmpq_poly":
        """The greatest common divisor, with 1 as its last coefficient."""
        row = _common_divisor(_primitive(self.row), _primitive(fmpq_poly(other).row))
        return _over(row, row[-1]) if row else self

    def derivative(self) -> "fmpq_poly":
        """The derivative."""
        return _over([k * x for k, x in enumerate(self.row)][1:], self.common)

    def mul_low(self, other: Any, terms: int) -> "fmpq_poly":
        """The first terms of a product."""
        other = fmpq_poly(other)
        row = _product(self.row[:terms], other.row[:terms])[:terms]
        return _over(row, self.common * other.common)

    def __eq__(self, other: object) -> bool:
        if not _is_rational(other):
            return NotImplemented
        same = fmpq_poly(other)
        return self.row == same.row and self.common == same.common

    def __hash__(self) -> int:
        return hash((tuple(self.row), self.common))

    def __repr__(self) -> str:
        return f"fmpq_poly({self.row}, {self.common})"


def _is_rational(x: object) -> bool:
    return isinstance(x, fmpq_poly | fmpz_poly | fmpq | int)


def _over(row: list[int], common: int) -> fmpq_poly:
    made = object.__new__(fmpq_poly)
    made.row, made.common = _trimmed(row), common
    made._reduce()
    return made


# --- bounds: exact here, and rounded only where an end is asked for


class ctx:  # noqa: N801
    """The working precision in bits."""

    prec = 53

    @staticmethod
    @contextmanager
    def workprec(bits: int) -> Iterator[None]:
        """Another precision for a while."""
        before, ctx.prec = ctx.prec, bits
        try:
            yield
        finally:
            ctx.prec = before


class _Ball(_Number):
    """A rational that tells bounds of itself, as python-flint's `arb` does."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = fmpq(value)

    def __neg__(self) -> "_Ball":
        return _Ball(-self.value)

    def __truediv__(self, other: "_Ball") -> "_Ball":
        return _Ball(self.value / other.value)

    def is_finite(self) -> bool:
        """Whether both ends are numbers."""
        return True

    def lower(self) -> "_End":
        """The largest number of this precision that is not above it."""
        return self._end(0)

    def upper(self) -> "_End":
        """The least number of this precision that is not below it."""
        return self._end(1)

    def _end(self, more: int) -> "_End":
        p, q = self.value.p, self.value.q
        shift = ctx.prec + q.bit_length() - p.bit_length()
        digits, rest = divmod(p << max(shift, 0), q << max(-shift, 0))
        return _End(digits + (more if rest else 0), -shift)


class _End(_Number):
    """An end of a ball: a whole number times a power of 2."""

    __slots__ = ("digits", "exponent")

    def __init__(self, digits: int, exponent: int) -> None:
        self.digits, self.exponent = digits, exponent

    def man_exp(self) -> tuple[int, int]:
        """The number, and the exponent of 2."""
        return self.digits, self.exponent


class arb_poly(_Polynomial):  # noqa: N801
    """A polynomial whose coefficients tell bounds; whole numbers here, as they are asked for."""

    __slots__ = ()

    def __init__(self, source: Any = ()) -> None:
        values = [x.value if isinstance(x, _Ball) else fmpq(x) for x in source]
        if any(x.q != 1 for x in values):
            raise FlintNeeded("arb_poly of fractions")
        self.row = _trimmed([x.p for x in values])

    def coeffs(self) -> list[_Ball]:
        """The coefficients, the constant first."""
        return [_Ball(x) for x in self.row]

    def __getitem__(self, power: int) -> _Ball:
        return _Ball(self.row[power] if 0 <= power < len(self.row) else 0)

    def __mul__(self, other: "arb_poly") -> "arb_poly":
        made = object.__new__(arb_poly)
        made.row = _product(self.row, other.row)
        return made
