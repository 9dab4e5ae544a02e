"""Weights of outcomes, added up: sums of independent outcomes, exactly and in any ring.

A distribution is here a plain dict of outcome to weight. Integer weights of whole numbers are laid
side by side in the bits of one long integer (Kronecker substitution). Python's own multiplication
then adds whole distributions. Long ones go to FLINT's polynomials, where equal dice are a power.
Vectors get one digit per coordinate. Weights of another ring (dual numbers, for a gradient)
are folded die by die.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm, prod
from operator import add
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import int_if_whole
from sevenout.rolling.distribution import sum_by_key

Weights = Mapping[Any, Any]
WeighedDice = Iterable[tuple[Sequence[Any], Sequence[Any]]]
"""The faces and the weights of each die."""

ESTIMATE_CAP = 10**18
"""More of anything than this can't be waited for."""
MAX_UNPACKED_PAIRS = 64
"""Up to this many pairs of outcomes are added one by one: packing them takes longer."""
MAX_PACKED_BYTES = 20_000
"""From this length on FLINT multiplies faster than Python, although loading it takes 10 ms."""
MAX_CELLS_PER_PAIR = 8
"""Outcomes are packed if there are at most this many cells for each pair: others lie far apart."""
MAX_CELLS = 20_000_000
"""Longer rows are added pair by pair, whose cost is estimated by itself."""
PRODUCT_SECONDS, PAIR_SECONDS = 3e-7, 2e-7


class Vector(tuple[int | Fraction, ...]):
    """Several numbers that are added coordinate by coordinate.

    >>> Vector(1, 0) + Vector(0, 2), -Vector(1, 2), 3 * Vector(1, 2)
    (Vector(1, 2), Vector(-1, -2), Vector(3, 6))
    """

    __slots__ = ()

    def __new__(cls, *numbers: int | Fraction) -> "Vector":
        return tuple.__new__(cls, numbers)

    def __getnewargs__(self) -> tuple[int | Fraction, ...]:
        return tuple(self)

    def __add__(self, other: object) -> "Vector":
        if type(other) is Vector and len(other) == len(self):
            return tuple.__new__(Vector, map(add, self, other))
        if type(other) is int and not other:  # where sum() starts
            return self
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: "Vector") -> "Vector":
        return self + -other if type(other) is Vector else NotImplemented

    def __neg__(self) -> "Vector":
        return tuple.__new__(Vector, (-x for x in self))

    def __mul__(self, factor: int | Fraction) -> "Vector":  # type: ignore[override]
        return tuple.__new__(Vector, (x * factor for x in self))

    def __rmul__(self, factor: int | Fraction) -> "Vector":  # type: ignore[override]
        return self * factor

    def __repr__(self) -> str:
        return f"Vector({', '.join(map(repr, self))})"


def fold_dice(
    states: Weights, dice: WeighedDice, step: Callable[[Any, Any], Hashable]
) -> dict[Any, Any]:
    """The weight of each final state when dice are rolled one after another, in any ring.

    >>> fold_dice({0: 1}, [((1, 2), (1, 1)), ((1, 2), (3, 1))], max)
    {1: 3, 2: 5}

    Args:
        states: the weight of each first state.
        dice: the faces and weights of each die.
        step: the state after a face, from the state before.
    """
    for faces, weights in dice:
        die = list(zip(faces, weights, strict=True))
        states = sum_by_key(
            (step(state, face), w * v) for state, w in states.items() for face, v in die
        )
    return dict(states)


def sum_dice(dice: WeighedDice) -> dict[Any, Any]:
    """The weight of each total, from the faces and weights of each die; whole totals in order.

    >>> sum_dice([((1, 2), (1, 1)), ((1, 2), (3, 1))])
    {2: 3, 3: 4, 4: 1}

    Raises:
        TooMuchWorkError: more totals than the budget allows.
    """
    listed = [(tuple(faces), tuple(weights)) for faces, weights in dice]
    whole = all(
        type(face) is int for faces in {id(f): f for f, _ in listed}.values() for face in faces
    )
    if all(type(w) is int for weights in {id(w): w for _, w in listed}.values() for w in weights):
        terms = []
        for (faces, weights), count in Counter(listed).items():
            terms.append((sum_by_key(zip(faces, weights, strict=True)), count))
        # a weight of 0 marks an outcome that a gradient asks for: it is left out of the sum
        sums = convolve([({x: w for x, w in t.items() if w}, n) for t, n in terms])
    else:
        sums = fold_dice({0: 1}, listed, add)
    return dict(sorted(sums.items())) if whole else sums


def count_products(dice: WeighedDice) -> float:
    """About how many products `sum_dice` needs; a word of a long number counts as one.

    >>> round(count_products([((1, 2), (1, 1))] * 2))
    6
    """
    # an estimate for the budget: it must be quick for 1,000 dice, and may be off by a few times
    products, totals, span, bits = 0.0, 1, 0, 0
    for faces, weights in dice:
        whole = all(type(face) is int for face in faces)
        width = max(faces) - min(faces) if whole else ESTIMATE_CAP
        products += totals * len(faces) * (1 + bits / 2000)
        span, totals = span + width, min(totals * len(set(faces)), span + width + 1)
        bits += sum(w if type(w) is int else 1 for w in weights).bit_length()
    packed = (span + 1) * (bits / 64 + 1)
    # `convolve` packs only what has enough pairs to pay for the packing
    return min(products, packed) if span < ESTIMATE_CAP and products > 5_000 else products


def sum_kind(weights: Weights) -> Any:
    """How outcomes are added: as int, as Fraction, as vectors of a length, or None for others.

    Raises:
        RulesError: an outcome is a label.
    """
    # by exact type: a subclass, such as a flag's enum, may add up in its own way
    kinds = {type(x) for x in weights}
    if kinds <= {int, bool}:
        return int
    if kinds <= {int, bool, Fraction}:
        return Fraction
    if kinds == {Vector}:
        sizes = {len(x) for x in weights}
        whole = all(isinstance(c, int) for x in weights for c in x)
        return sizes.pop() if len(sizes) == 1 and whole else None
    for x in weights:
        if x is None or (isinstance(x, str | tuple) and type(x) is not Vector):
            raise RulesError(
                f"the outcome {shown(x)} is not a number and can't be added; use .map(f), "
                "so.each(a, b).map(f), or so.Vector(1, 0) for faces with several numbers"
            )
    return None


def convolve(terms: Sequence[tuple[Weights, int]]) -> dict[Any, Any]:
    """The integer weights of a sum of independent outcomes; each term with its number of copies.

    >>> convolve([({1: 1, 2: 1}, 2), ({10: 1}, 1)])
    {12: 1, 13: 2, 14: 1}

    Raises:
        RulesError: an outcome is a label.
        TooMuchWorkError: more outcomes than the budget allows.
    """
    # zero copies of a term add nothing, not even the question how its outcomes are added
    terms = [(weights, n) for weights, n in terms if n]
    if not terms:
        return {0: 1}
    if any(not weights for weights, _ in terms):
        return {}  # weights of a gradient's unit row may all be 0
    kinds = {sum_kind(weights) for weights, _ in terms}
    if Fraction in kinds and kinds <= {int, Fraction}:
        scale = lcm(*(Fraction(x).denominator for weights, _ in terms for x in weights))
        whole = [({int(x * scale): w for x, w in weights.items()}, n) for weights, n in terms]
        return {int_if_whole(Fraction(x, scale)): w for x, w in convolve(whole).items()}
    # numbers beside vectors are added pair by pair: Python says which sums there are
    if len(kinds) == 1 and None not in kinds:
        kind = kinds.pop()
        return _convolve_integers(terms) if kind is int else _convolve_vectors(terms, kind)
    return _convolve_in_pairs(terms)


def quotient(x: int | Fraction, y: int | Fraction) -> int | Fraction:
    """One number divided by another, exactly.

    >>> quotient(4, 2), quotient(1, 2)
    (2, Fraction(1, 2))

    Raises:
        ZeroDivisionError: the divisor is 0.
    """
    return int_if_whole(Fraction(x) / y)


def _convolve_integers(terms: Sequence[tuple[Weights, int]]) -> dict[Any, Any]:
    """The weights of sums of whole numbers: packed in one long number, or pair by pair."""
    lows = [min(weights) for weights, _ in terms]
    highs = [max(weights) for weights, _ in terms]
    lowest_sum = sum(n * low for low, (_, n) in zip(lows, terms, strict=True))
    spans = [n * (high - low) for high, low, (_, n) in zip(highs, lows, terms, strict=True)]
    cells = sum(spans) + 1
    # 12 copies of two outcomes are already more pairs than any comparison here needs
    pairs = min(prod(len(weights) ** min(n, 12) for weights, n in terms), ESTIMATE_CAP)
    if pairs <= MAX_UNPACKED_PAIRS:
        return _convolve_in_pairs(terms)
    steps_up = (x - low for (weights, _), low in zip(terms, lows, strict=True) for x in weights)
    lattice = gcd(*steps_up)
    if lattice > 1:  # all outcomes on a grid: count in its steps
        steps = [
            ({(x - low) // lattice: w for x, w in weights.items()}, n)
            for (weights, n), low in zip(terms, lows, strict=True)
        ]
        return {lowest_sum + lattice * k: w for k, w in _convolve_integers(steps).items()}
    if cells > MAX_CELLS_PER_PAIR * pairs + 4096 or cells > MAX_CELLS:
        return _convolve_in_pairs(terms, cells)
    bits = sum(n * sum(weights.values()).bit_length() for weights, n in terms)
    width = bits // 8 + 1  # bytes that hold the whole: no sum of weights runs into the next cell
    afford(
        "the totals of these dice",
        seconds=2e-9 * cells * width,
        memory=4.0 * cells * width,
        instead="roll fewer dice, or dice with fewer sides",
    )
    # a power of one polynomial beats a product of many, so equal dice are one term
    if cells * width > MAX_PACKED_BYTES:
        polynomials = (
            _polynomial(weights, low) ** n for (weights, n), low in zip(terms, lows, strict=True)
        )
        return _coefficients(prod(polynomials), lowest_sum)
    packed = 1
    for low, high, (weights, n) in zip(lows, highs, terms, strict=True):
        packed *= _pack(weights, low, high - low + 1, width) ** n
    return _unpack(packed, lowest_sum, cells, width)


def _pack(weights: Weights, low: int, cells: int, width: int) -> int:
    """The weights from `low` up as one number, each in a cell of `width` bytes."""
    row = bytearray(cells * width)
    for x, weight in weights.items():
        start = (x - low) * width
        row[start : start + width] = weight.to_bytes(width, "little")
    return int.from_bytes(row, "little")


def _unpack(packed: int, low: int, cells: int, width: int) -> dict[Any, Any]:
    """The weights in the cells of a number, by outcome from `low` up."""
    row, zero = packed.to_bytes(cells * width, "little"), bytes(width)
    pieces = ((i, row[i * width : (i + 1) * width]) for i in range(cells))
    return {low + i: int.from_bytes(cell, "little") for i, cell in pieces if cell != zero}


def dense_weights(weights: Weights, low: int) -> list[int]:
    """The weight of each whole number from `low` up to the highest outcome.

    >>> dense_weights({3: 1, 5: 2}, 2)
    [0, 1, 0, 2]
    """
    row = [0] * (max(weights) - low + 1)
    for x, weight in weights.items():
        row[x - low] = weight
    return row


def _polynomial(weights: Weights, low: int) -> Any:
    """The weights from `low` up as a polynomial of FLINT."""
    from flint import fmpz_poly

    return fmpz_poly(dense_weights(weights, low))


def _coefficients(polynomial: Any, low: int) -> dict[Any, Any]:
    """The weights in a polynomial of FLINT, by outcome from `low` up."""
    return {low + i: w for i, c in enumerate(polynomial.coeffs()) if (w := int(c))}


def _convolve_vectors(terms: Sequence[tuple[Weights, int]], size: int) -> dict[Any, Any]:
    """Each coordinate is a digit of one whole number, in a base that no sum exceeds."""
    axes = range(size)
    lows = [[min(x[i] for x in weights) for i in axes] for weights, _ in terms]
    spans = [1] * size
    for (weights, n), low in zip(terms, lows, strict=True):
        for i in axes:
            spans[i] += n * (max(x[i] for x in weights) - low[i])
    # the digits would leave most of the long number empty
    if prod(spans) > MAX_CELLS:
        return _convolve_in_pairs(terms)
    strides = [prod(spans[:i]) for i in axes]
    numbers: list[tuple[Weights, int]] = []
    for (weights, n), low in zip(terms, lows, strict=True):
        weight_by_number = {}
        for x, weight in weights.items():
            digits = ((c - a) * stride for c, a, stride in zip(x, low, strides, strict=True))
            weight_by_number[sum(digits)] = weight
        numbers.append((weight_by_number, n))
    least = [sum(n * low[i] for (_, n), low in zip(terms, lows, strict=True)) for i in axes]
    vectors: dict[Any, Any] = {}
    for number, weight in _convolve_integers(numbers).items():
        coordinates, rest = [], number
        for i in axes:
            rest, digit = divmod(rest, spans[i])
            coordinates.append(digit + least[i])
        vectors[tuple.__new__(Vector, coordinates)] = weight
    return vectors


def _convolve_in_pairs(
    terms: Sequence[tuple[Weights, int]], cells: int = ESTIMATE_CAP
) -> dict[Any, Any]:
    """Copy after copy; there are at most `cells` different sums."""
    pairs, outcomes = 0.0, 1
    for weights, n in terms:
        for _ in range(n):
            pairs += outcomes * len(weights)
            outcomes = min(outcomes * len(weights), cells)
    afford(
        "the totals of these dice",
        seconds=pairs * PAIR_SECONDS,
        memory=outcomes * 150.0,
        instead="roll fewer dice, or dice with fewer sides",
    )
    sums: dict[Any, Any] | None = None
    for weights, n in terms:
        for _ in range(n):
            sums = dict(weights) if sums is None else combine(sums, weights, add)
    assert sums is not None  # a term without copies was left out
    return sums


def combine(first: Weights, second: Weights, function: Callable[[Any, Any], Any]) -> dict[Any, Any]:
    """The weights of a function of two independent outcomes, in any ring.

    >>> combine({1: 1, 2: 1}, {1: 1, 2: 1}, max)
    {1: 1, 2: 3}
    """
    # far apart outcomes don't merge, so that every pair may be a new one
    pairs = len(first) * len(second)
    afford(f"{pairs:,} pairs of outcomes", seconds=pairs * PAIR_SECONDS, memory=pairs * 20.0)
    return sum_by_key((function(x, y), w * v) for x, w in first.items() for y, v in second.items())


def compound_sum(count: Weights, die: Weights) -> dict[Any, Any] | None:
    """The sum of a random number of dice, by Horner's rule; None if not all are whole numbers.

    With weights c_n of the number and D(z) of a die, of the whole W, and at most N dice, it is
    sum_n c_n D(z)^n W^(N - n).

    >>> compound_sum({0: 1, 2: 1}, {1: 1, 2: 1})
    {0: 4, 2: 1, 3: 2, 4: 1}
    """
    if not all(type(x) is int for x in (*count, *die)) or min(count) < 0:
        return None
    low, high, max_count = min(die), max(die), max(count)
    if max(high, 0) - min(low, 0) > MAX_CELLS_PER_PAIR * len(die) + 64:
        return None  # faces far apart: most coefficients would be 0
    from flint import fmpz_poly

    base, whole = min(low, 0), sum(die.values())  # faces below 0 are lifted by -base
    cells = max_count * (high - base) + 1
    bits = max_count * whole.bit_length()
    afford(
        f"the total of up to {max_count:,} dice",
        seconds=1e-9 * max_count * cells * (bits / 64 + 1),
        memory=cells * (bits / 8 + 8),
        instead="roll fewer dice",
    )
    die_polynomial, lift = _polynomial(die, base), fmpz_poly([0] * -base + [1])
    # from the largest number of dice down: each step multiplies once by the die
    total, scale, lifted = fmpz_poly([]), 1, fmpz_poly([1])
    for n in range(max_count, -1, -1):
        if n < max_count:
            total = total * die_polynomial
        if weight := count.get(n):
            total += weight * scale * lifted
        scale *= whole
        lifted *= lift
    return _coefficients(total, max_count * base)
