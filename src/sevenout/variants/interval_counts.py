"""The variants with a win probability in an interval: counted, or one at a time.

Three ways to count, since none serves every family. Seconds of CPU for the variants that are as
fair as the fairest, and for those between craps and 1/2:

|      | choices of residues | polynomials   | lists of sums     |
| ---- | ------------------- | ------------- | ----------------- |
| 2d6  | 0.00                | 0.03 and 0.01 | 0.00 and 0.02     |
| 3d10 | 0.01                | 0.05 and 0.42 | 0.06 and 2.53     |
| 2d20 | 0.02                | 0.82 and 3.34 | 1.43 and too many |

*Choices* of moved tokens that give one win probability are those of `fairest` and `between`. Each
is completed with naturals (`Bundle.count_assignments`), also without NumPy, as in the browser; an
interval has too many of them. *Polynomials* (`PolynomialHalves`) count the sums below a threshold,
and so in any interval. *Lists* (`SumHalves`) also serve bounded set sizes and weights too large for
polynomials.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import islice, product
from operator import sub
from typing import Literal

from sevenout.errors import RulesError, printable, shown
from sevenout.extras import is_installed
from sevenout.numerals import Number, exact
from sevenout.variants.bundles import Bundle, CellGroup, bundles_of, kind_of, nearest_integer
from sevenout.variants.family import ROLES, Family, TooManyVariantsError, family_of
from sevenout.variants.half_sums import (
    FEW_SUMS,
    HEAVY,
    LIGHT,
    PolynomialHalves,
    SumHalves,
    expected_sums,
)
from sevenout.variants.residues import Moves, halve
from sevenout.variants.variant import DiceLike, Variant
from sevenout.wrong_arguments import public

Ends = Literal["both", "neither", "low", "high"]
"""The ends that belong to an interval."""

MANY_CHOICES = 500
"""From this many choices on, or pairs of half-sums, the polynomials are faster."""

FEW_TOKENS = 11
"""With a denominator above `LIGHT`, bundles of this many tokens or fewer are enumerated."""

MAX_ENUMERATED = 50_000_000
"""The most assignments that are gone through one by one, which takes minutes."""


def count(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> int:
    """The exact number of variants from `low` to `high`.

    >>> count(Family("2d6"), "244/495", "1/2", ends="neither")
    21529

    Args:
        family: the family, or dice for all their variants.
        low: an exact win probability.
        high: another, not smaller.
        ends: the ends included: "both", "neither", "low" or "high".

    Raises:
        RulesError: a float, a number outside 0 to 1, ends out of order, or an unknown word.
        TooManyVariantsError: the family is too large.
    """
    return counts(family, [(low, high, ends)])[0]


@public
def counts(
    family: Family | DiceLike, intervals: Sequence[tuple[Fraction | str, Fraction | str, Ends]]
) -> list[int]:
    """The exact number of variants in each of several intervals: (low, high, ends), as in `count`.

    It takes less time than to count them one by one.

    >>> counts(Family("2d6"), [("1/2", "1/2", "both"), (0, 1, "both")])
    [1521, 1254044]
    """
    family = family_of(family)
    exact_intervals = [(*_interval(low, high, ends), ends) for low, high, ends in intervals]
    totals = [0] * len(exact_intervals)
    for bundle in bundles_of(family):
        # all intervals of a bundle together: its half-sums are made once
        targets: list[SumInterval] = []
        for k, (low, high, ends) in enumerate(exact_intervals):
            for cells in bundle.cell_groups:
                first, last = interval_units(bundle, cells, low, high, ends)
                if first <= last:
                    targets.append(SumInterval(k, cells, first, last))
        for target, ways in _counts_in_bundle(bundle, targets):
            totals[target.interval] += ways * len(target.cells.members)
    return totals


@dataclass(frozen=True)
class SumInterval:
    """Sums in an interval, in units of 1/modulus above a cell group's base.

    Attributes:
        interval: the index of the interval among those requested.
        cells: the cell group whose sums are counted.
        low, high: its ends, both included.
    """

    interval: int
    cells: CellGroup
    low: int
    high: int


def _counts_in_bundle(
    bundle: Bundle, targets: list[SumInterval]
) -> Iterator[tuple[SumInterval, int]]:
    """The number of a member's assignments for each interval of a cell group."""
    family = bundle.family
    is_listed = expected_sums(bundle) <= FEW_SUMS and is_installed("numpy")
    if targets and (family.has_size_bounds or family.denominator > HEAVY or is_listed):
        sums = SumHalves(bundle)
        yield from (
            (target, sums.count(target.cells, target.low, target.high)) for target in targets
        )
        return
    # cell groups often ask for the same sum modulo one, whose choices are the same
    few_choices = cache(partial(_few_choices, bundle))
    remaining: list[SumInterval] = []
    for target in targets:
        is_point = target.low == target.high
        choices = few_choices(target.low % bundle.modulus) if is_point else None
        if choices is None:
            remaining.append(target)
            continue
        completions = _completions(bundle, target.cells, target.low, target.high, choices)
        yield target, sum(ways for *_, ways in completions)
    if remaining:
        thresholds = [(t.cells, units) for t in remaining for units in (t.high, t.low - 1)]
        at_most = PolynomialHalves(bundle).at_most(thresholds)
        yield from zip(remaining, map(sub, at_most[::2], at_most[1::2]), strict=True)


def _few_choices(bundle: Bundle, units: int) -> list[Moves] | None:
    """The choices that may give a sum; None if they are too many to complete one by one."""
    try:
        halves = halve(bundle)
    except TooManyVariantsError:
        return None
    # without NumPy there are no polynomials to turn to, and families are small
    limit = MANY_CHOICES if is_installed("numpy") else None
    # pairs are found much faster than the choices behind them
    pairs = list(islice(halves.pairs(units, units), limit))
    if len(pairs) == limit:
        return None
    choices = list(islice(halves.moves(pairs), limit))
    return None if len(choices) == limit else choices


def _completions(
    bundle: Bundle, cells: CellGroup, low: int, high: int, choices: Iterable[Moves]
) -> Iterator[tuple[Moves, int, int]]:
    """The ways to complete choices of moved tokens to a sum in an interval.

    Each is the choice, the weight of its naturals, and the number of its assignments.
    """
    modulus = bundle.modulus
    for moves in choices:
        total = bundle.moved_sum(moves)
        # naturals add whole units: these weights of them reach the interval
        for naturals in range(max(0, -((total - low) // modulus)), (high - total) // modulus + 1):
            if ways := bundle.count_assignments(cells, moves, naturals):
                yield moves, naturals, ways


def between(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> Iterator[Variant]:
    """The variants from `low` to `high`, one at a time.

    >>> from itertools import islice
    >>> for variant in islice(between(Family("2d20"), "49/100", "4901/10000"), 1):
    ...     print(49 <= 100 * variant.p_win("2d20") <= Fraction(4901, 100))
    True

    Arguments and errors are those of `count`.
    """
    family = family_of(family)
    low, high = _interval(low, high, ends)
    for bundle in bundles_of(family):
        # heavy naturals are rare: nearly every choice of residues would be tried in vain
        is_enumerated = family.denominator > HEAVY or (
            family.denominator > LIGHT and bundle.n_tokens <= FEW_TOKENS
        )
        list_variants = _one_by_one if is_enumerated else _by_residues
        for cells in bundle.cell_groups:
            first, last = interval_units(bundle, cells, low, high, ends)
            if first <= last:
                yield from list_variants(bundle, cells, first, last)


def interval_units(
    bundle: Bundle, cells: CellGroup, low: Fraction, high: Fraction, ends: Ends
) -> tuple[int, int]:
    """An interval in whole units (1/modulus) above a cell group's base.

    A single point is empty if no sum can equal it.
    """
    d, m = bundle.family.denominator, bundle.modulus
    if low == high:
        exact_units = (low * d - cells.base) * m
        # between two sums, or below the least
        if exact_units.denominator > 1 or exact_units < 0:
            return 0, -1
        return int(exact_units), int(exact_units)
    first = nearest_integer((low * d - cells.base) * m, 1, ends not in ("both", "low"))
    last = nearest_integer((high * d - cells.base) * m, -1, ends not in ("both", "high"))
    return max(first, 0), last


def parse_probability(name: str, value: Number) -> Fraction:
    """An exact win probability; `name` is the argument's, for the message.

    >>> parse_probability("low", "49%")
    Fraction(49, 100)

    Raises:
        RulesError: a float, something that is not a number, or one outside 0 to 1.
    """
    try:
        p = exact(value)
    except RulesError:
        kind = "a float" if isinstance(value, float) else "not a number"
        raise RulesError(f"{name}={shown(value)} is {kind}; write 1/2, 0.49 or 49/100") from None
    if not 0 <= p <= 1:
        raise RulesError(f"{name}={printable(str(value), 60)}; give a win probability from 0 to 1")
    return p


def _interval(low: Fraction | str, high: Fraction | str, ends: Ends) -> tuple[Fraction, Fraction]:
    """The ends of an interval as exact win probabilities, checked."""
    low, high = parse_probability("low", low), parse_probability("high", high)
    if ends not in ("both", "neither", "low", "high"):
        raise RulesError(f"ends={shown(ends)}; give 'both', 'neither', 'low' or 'high'")
    if low > high:
        raise RulesError(
            f"no win probability lies between {printable(str(low), 60)} and "
            f"{printable(str(high), 60)}; put the smaller first"
        )
    # almost certainly a slip, whose answer 0 would be taken for a finding
    if low == high and ends != "both":
        raise RulesError(
            f"ends={ends!r} leaves nothing from {printable(str(low), 60)} to itself; "
            "use ends='both'"
        )
    return low, high


def _by_residues(bundle: Bundle, cells: CellGroup, low: int, high: int) -> Iterator[Variant]:
    """The variants with a sum above the base from `low` to `high`, in 1/modulus."""
    choices: Iterable[Moves] = product(*(range(group.n_choices) for group in bundle.groups))
    # an interval of a whole unit leaves no residue out
    if high - low + 1 < bundle.modulus:
        halves = halve(bundle)
        choices = halves.moves(halves.pairs(low, high))
    for moves, naturals, _ in _completions(bundle, cells, low, high, choices):
        yield from bundle.variants(cells, moves, naturals)


def _one_by_one(bundle: Bundle, cells: CellGroup, low: int, high: int) -> Iterator[Variant]:
    """The same variants as `_by_residues`, by enumeration.

    Raises:
        TooManyVariantsError: the bundle is too large to enumerate.
    """
    family = bundle.family
    if 3**bundle.n_tokens > MAX_ENUMERATED:
        raise TooManyVariantsError(
            f"{family}: 3^{bundle.n_tokens} assignments for one out are too many to go "
            "through one by one, and its weights too large to do better; constrain the family"
        )
    out, m = bundle.out, bundle.modulus
    offset = int(m * sum((group.offset(out) for group in bundle.groups), Fraction()))
    for cell, _ in cells.members:
        kinds = [kind_of(family, token) for token in cell.tokens]
        contributions = [
            [(role, int(kind.contribution(role, out) * m)) for role in ROLES if role & kind.roles]
            for kind in kinds
        ]
        for chosen in product(*contributions):
            if low <= sum(contribution for _, contribution in chosen) - offset <= high:
                variant = family.variant(cell, [role for role, _ in chosen])
                if variant is not None:
                    yield variant
