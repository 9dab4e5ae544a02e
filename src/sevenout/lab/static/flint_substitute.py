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

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import floor, gcd, lcm
from typing import Any, ClassVar, NamedTuple, Self

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
    """A number or a polynomial that asks for python-flint where a method is not here."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        # Only names that are not here come this far; Python itself looks for some with underscores.
        if name.startswith("_"):
            raise AttributeError(name)
        raise FlintNeeded(f"{type(self).__name__}.{name}")


class fmpz(_Number, int):  # noqa: N801
    """An integer."""

    def factor(self) -> list[tuple[int, int]]:
        """The primes of 1; of larger numbers python-flint knows them."""
        if self != 1:
            raise FlintNeeded("fmpz.factor")
        return []


class fmpq(_Number, Fraction):  # noqa: N801
    """A rational number in lowest terms.

    >>> 1 - fmpq(1, 3) / 2, fmpq(6, 4) ** -2, fmpq(1, 3) < fmpq(1, 2)
    (fmpq(5, 6), fmpq(4, 9), True)
    """

    __slots__ = ()
    p, q = Fraction.numerator, Fraction.denominator


def _rational(operation: Callable[..., Any]) -> Callable[..., Any]:
    """An operation of fractions whose result is an `fmpq`; eliminations count their steps."""

    def counting(*operands: Any) -> Any:
        Work.add(1)
        result = operation(*operands)
        if type(result) is not Fraction:
            return result
        # In lowest terms already, so that `Fraction` itself would only look for divisors again.
        made = object.__new__(fmpq)
        made._numerator, made._denominator = result.numerator, result.denominator  # type: ignore[attr-defined]
        return made

    return counting


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow"),
    *("neg", "pos", "abs"),
):
    setattr(fmpq, f"__{_name}__", _rational(getattr(Fraction, f"__{_name}__")))


# --- integer polynomials: lists of coefficients, the constant first, without zeros at the end


def _without_trailing_zeros(row: list[int]) -> list[int]:
    while row and not row[-1]:
        row.pop()
    return row


def _add(a: Sequence[int], b: Sequence[int]) -> list[int]:
    if len(a) < len(b):
        a, b = b, a
    return _without_trailing_zeros([x + y for x, y in zip(a, b, strict=False)] + list(a[len(b) :]))


def _multiply(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product, by hand if it is short, and else by one product of long integers."""
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
    return _unpacked_row(_packed_value(a, width) * _packed_value(b, width), width, terms)


def _unpacked_row(value: int, width: int, terms: int) -> list[int]:
    """The coefficients of a polynomial from its value at 256^width; undoes `_packed_value`."""
    # Half of the base is added to each digit, so that none is negative when the digits are read.
    half = 1 << (8 * width - 1)
    offset = int.from_bytes(half.to_bytes(width, "little") * terms, "little")
    digits = (value + offset).to_bytes(width * terms + 1, "little")
    return [
        int.from_bytes(digits[i : i + width], "little") - half
        for i in range(0, width * terms, width)
    ]


def _packed_value(row: Sequence[int], width: int) -> int:
    """The value at 256^width."""
    above = b"".join(max(x, 0).to_bytes(width, "little") for x in row)
    below = b"".join(max(-x, 0).to_bytes(width, "little") for x in row)
    return int.from_bytes(above, "little") - int.from_bytes(below, "little")


def _divide(row: Sequence[int], divisor: Sequence[int]) -> tuple[list[int], list[int]] | None:
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
    return quotient, _without_trailing_zeros(rest[: len(divisor) - 1])


def _primitive_part(row: Sequence[int]) -> list[int]:
    """A polynomial over the common divisor of its coefficients, the last one above 0."""
    common = gcd(*row)
    if row and row[-1] < 0:
        common = -common
    return [x // common for x in row]


def _divides(divisor: Sequence[int], row: Sequence[int]) -> bool:
    divided = _divide(row, divisor)
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
        value = abs(gcd(_packed_value(a, width), _packed_value(b, width)))
        # One digit more, for the carry of the last.
        terms = value.bit_length() // (8 * width) + 2
        guess = _primitive_part(_without_trailing_zeros(_unpacked_row(value, width, terms)))
        if _divides(guess, a) and _divides(guess, b):
            return guess
        width = 2 * width + 1
    raise FlintNeeded("a common divisor")


class _Polynomial(_Number):
    """A polynomial over whole or rational numbers.

    Attributes:
        numerators: of the coefficients, the constant first, without zeros at the end.
        denominator: of all coefficients, in lowest terms; 1 for whole numbers.
    """

    __slots__ = ("denominator", "numerators")
    numerators: list[int]
    denominator: int

    def __init__(self, source: Any = (), denominator: int = 1) -> None:
        if isinstance(source, _Polynomial):
            row, common = source.numerators, source.denominator
        else:
            terms = [source] if isinstance(source, int | fmpq) else list(source)
            common = lcm(*(x.denominator for x in terms))
            row = [int(x.numerator) * (common // x.denominator) for x in terms]
        self._set(row, common * denominator)

    def _set(self, numerators: list[int], denominator: int) -> None:
        """Take over the coefficients, in lowest terms."""
        if numerators and not numerators[-1]:
            _without_trailing_zeros(numerators)
        divisor = gcd(denominator, *numerators) if denominator != 1 else 1
        self.numerators = [x // divisor for x in numerators] if divisor != 1 else numerators
        self.denominator = denominator // divisor

    def _same_kind(self, numerators: list[int], denominator: int) -> Self:
        """A polynomial of the same kind."""
        made = object.__new__(type(self))
        made._set(numerators, denominator)
        return made

    def _converted(self, other: object) -> Self | None:
        """Another operand as a polynomial of this kind; None if it is none."""
        if isinstance(other, type(self)):
            return other
        return type(self)(other) if isinstance(other, self._operands) else None

    _operands: ClassVar[tuple[type, ...]]

    def _term(self, x: int) -> Any:
        return fmpq(x, self.denominator)

    def degree(self) -> int:
        """The degree; -1 of the polynomial 0."""
        return len(self.numerators) - 1

    def length(self) -> int:
        """The number of coefficients."""
        return len(self.numerators)

    __len__ = length

    def __bool__(self) -> bool:
        return bool(self.numerators)

    def coeffs(self) -> list[Any]:
        """The coefficients, the constant first."""
        return [self._term(x) for x in self.numerators]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.coeffs())

    def __getitem__(self, power: int) -> Any:
        return self._term(self.numerators[power] if 0 <= power < len(self.numerators) else 0)

    def __call__(self, point: Any) -> Any:
        total, scale = 0, 1
        # Horner's rule over whole numbers: a gcd for each term would cost more than all else.
        for x in reversed(self.numerators):
            total = total * point.numerator + x * scale
            scale *= point.denominator
        value = fmpq(total * point.denominator, self.denominator * scale)
        return value if isinstance(self, fmpq_poly) else int(value)

    def __add__(self, other: Any) -> Any:
        if (other := self._converted(other)) is None:
            return NotImplemented
        common = lcm(self.denominator, other.denominator)
        rows = [
            operand.numerators
            if operand.denominator == common
            else [x * (common // operand.denominator) for x in operand.numerators]
            for operand in (self, other)
        ]
        return self._same_kind(_add(*rows), common)

    def __neg__(self) -> Self:
        return self._same_kind([-x for x in self.numerators], self.denominator)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if (other := self._converted(other)) is None else self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if (other := self._converted(other)) is None:
            return NotImplemented
        return self._same_kind(
            _multiply(self.numerators, other.numerators), self.denominator * other.denominator
        )

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Self:
        result, square = self._same_kind([1], 1), self
        while exponent:
            if exponent & 1:
                result = result * square
            exponent >>= 1
            # The last square would be for nothing, and is the longest.
            if exponent:
                square = square * square
        return result

    def __eq__(self, other: object) -> bool:
        if (other := self._converted(other)) is None:
            return NotImplemented
        return (self.numerators, self.denominator) == (other.numerators, other.denominator)

    def __hash__(self) -> int:
        return hash((tuple(self.numerators), self.denominator))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.coeffs()})"

    def truncate(self, terms: int) -> Self:
        """The terms below a power of x."""
        return self._same_kind(self.numerators[: max(terms, 0)], self.denominator)


class fmpz_poly(_Polynomial):  # noqa: N801
    """A polynomial with whole coefficients.

    >>> p = fmpz_poly([1, 1])
    >>> (p**3).coeffs(), (p * p - 1).coeffs(), p(10), (3 * p // 2).coeffs()
    ([1, 3, 3, 1], [0, 2, 1], 11, [1, 1])
    >>> (p**2 * fmpz_poly([3, 0, 3])).factor()
    (3, [(fmpz_poly([1, 1]), 2), (fmpz_poly([1, 0, 1]), 1)])
    """

    __slots__ = ()
    _operands = (int,)

    def _term(self, x: int) -> int:
        return x

    def __floordiv__(self, other: Any) -> "fmpz_poly":
        # Weights are divided, and rounded down. All else it rounds in ways that nothing here needs.
        if not isinstance(other, int) or other < 1 or min(self.numerators, default=0) < 0:
            raise FlintNeeded("fmpz_poly // x")
        Work.add(len(self.numerators) // 4)
        return self._same_kind([x // int(other) for x in self.numerators], 1)

    def left_shift(self, powers: int) -> "fmpz_poly":
        """The polynomial times a power of x."""
        return self._same_kind([0] * powers + self.numerators if self.numerators else [], 1)

    def right_shift(self, powers: int) -> "fmpz_poly":
        """The polynomial over a power of x, without the terms below."""
        return self._same_kind(self.numerators[powers:], 1)

    def deflation(self) -> tuple["fmpz_poly", int]:
        """The polynomial in x^n, and the largest n for which it is one."""
        step = gcd(*(power for power, x in enumerate(self.numerators) if x)) or 1
        return self._same_kind(self.numerators[::step], 1), step

    def factor(self) -> tuple[int, list[tuple["fmpz_poly", int]]]:
        """The content, and the factors with their multiplicities, if all are cyclotomic.

        So are those of the totals of plain dice.
        """
        rest = _primitive_part(self.numerators)
        content = self.numerators[-1] // rest[-1] if rest else 0
        factors = []
        cyclotomic: dict[int, list[int]] = {}
        # phi(n) > n / 6 for all n below 10^6, so that no larger n divides.
        for n in range(1, 6 * len(rest)):
            if len(rest) < 2:
                break
            row = [-1] + [0] * (n - 1) + [1]
            for k in range(1, n):
                if n % k == 0:
                    row = _divide(row, cyclotomic[k])[0]  # type: ignore[index]
            cyclotomic[n], times = row, 0
            while len(row) <= len(rest) and _divides(row, rest):
                rest, times = _divide(rest, row)[0], times + 1  # type: ignore[index]
            if times:
                factors.append((self._same_kind(row, 1), times))
        if len(rest) > 1:
            raise FlintNeeded("fmpz_poly.factor")
        return content, factors


class fmpq_poly(_Polynomial):  # noqa: N801
    """A polynomial with rational coefficients.

    >>> p = fmpq_poly([fmpq(1, 2), 1])
    >>> (p * p)[0], p.gcd(p * p) == p, ((p * p - 1) // p)[0], p(fmpq(1, 3))
    (fmpq(1, 4), True, fmpq(1, 2), fmpq(5, 6))
    """

    __slots__ = ()
    _operands = (int, fmpq, fmpz_poly)

    def denom(self) -> int:
        """The least common denominator of the coefficients."""
        return self.denominator

    def __truediv__(self, other: Any) -> "fmpq_poly":
        return self * (1 / fmpq(other)) if isinstance(other, int | fmpq) else NotImplemented

    def __floordiv__(self, other: Any) -> "fmpq_poly":
        if (other := self._converted(other)) is None:
            return NotImplemented
        if not other:
            raise ZeroDivisionError("fmpq_poly division by zero")
        divisor = _primitive_part(other.numerators)
        content = fmpq(other.numerators[-1] // divisor[-1], other.denominator)
        divided, scale = _divide(self.numerators, divisor), 1
        if divided is None:
            # The steps of the division, of which each divides once by the last coefficient.
            scale = divisor[-1] ** max(0, len(self.numerators) - len(divisor) + 1)
            divided = _divide([x * scale for x in self.numerators], divisor)
            assert divided is not None
        return self._same_kind(divided[0], self.denominator * scale) / content

    def gcd(self, other: Any) -> "fmpq_poly":
        """The greatest common divisor, with 1 as its last coefficient."""
        row = _common_divisor(
            _primitive_part(self.numerators), _primitive_part(fmpq_poly(other).numerators)
        )
        return self._same_kind(row, row[-1]) if row else self

    def derivative(self) -> "fmpq_poly":
        """The derivative."""
        return self._same_kind([k * x for k, x in enumerate(self.numerators)][1:], self.denominator)

    def mul_low(self, other: "fmpq_poly", terms: int) -> "fmpq_poly":
        """The first terms of a product."""
        row = _multiply(self.numerators[:terms], other.numerators[:terms])[:terms]
        return self._same_kind(row, self.denominator * other.denominator)


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


class _Ball(fmpq):
    """A rational that tells bounds of itself, as python-flint's `arb` does."""

    __slots__ = ()

    def __neg__(self) -> "_Ball":
        return _Ball(-fmpq(self))

    def __truediv__(self, other: Any) -> "_Ball":  # type: ignore[override]
        return _Ball(fmpq(self) / fmpq(other))

    def is_finite(self) -> bool:
        """Whether both ends are numbers."""
        return True

    def lower(self) -> "_End":
        """The largest number of this precision that is not above it."""
        shift = ctx.prec + self.denominator.bit_length() - self.numerator.bit_length()
        return _End(floor(self * Fraction(2) ** shift), -shift)

    def upper(self) -> "_End":
        """The least number of this precision that is not below it."""
        digits, exponent = (-self).lower()
        return _End(-digits, exponent)


class _End(NamedTuple):
    """An end of a ball: a whole number times a power of 2.

    Attributes:
        digits: the whole number.
        exponent: of 2.
    """

    digits: int
    exponent: int

    def man_exp(self) -> tuple[int, int]:
        """The number, and the exponent of 2."""
        return self


class arb_poly(_Polynomial):  # noqa: N801
    """A polynomial whose coefficients tell bounds; whole numbers here, as they are asked for."""

    __slots__ = ()
    _operands = ()

    def _set(self, numerators: list[int], denominator: int) -> None:
        if denominator != 1:
            raise FlintNeeded("arb_poly of fractions")
        super()._set(numerators, denominator)

    def _term(self, x: int) -> _Ball:
        return _Ball(x)
