"""Exact plans from floats, by making the other player indifferent.

The floats show which options of a player are used, and which of the other's are equally good
against them. Exact equality gives a few linear equations with integer coefficients, solved by
Dixon's lifting (FLINT). The result is only a proposal; best replies prove it.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from flint import fmpz_mat, nmod_mat

from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, SequenceForm

PRIME = 2**61 - 1
FINE = 10**6
"""The largest denominator of an undetermined share."""

Linear = dict[int, int]
"""A linear form: coefficients by unknown; unknown 0 is the constant 1."""


def exact_plan(
    form: SequenceForm, seat: int, floats: Sequence[float], near: float
) -> list[Fraction] | None:
    """The plan in fractions with the options and equalities of `floats`, a plan of `seat`.

    Probabilities up to `near` count as 0, and values that differ by no more as equal. None if a
    probability would be negative.
    """
    linear, guesses = _unknowns(form, seat, floats, near)
    equations = _equations(form, seat, floats, linear, near)
    solved = _solved(equations, guesses)
    plan = [Fraction(0)] * len(floats)
    for sequence, terms in linear.items():
        plan[sequence] = sum((solved[k] * c for k, c in terms.items()), Fraction(0))
    return None if min(plan) < 0 else plan


def _unknowns(
    form: SequenceForm, seat: int, floats: Sequence[float], near: float
) -> tuple[dict[int, Linear], list[float]]:
    """Each used sequence as a linear form, and approximate values of the unknowns."""
    linear: dict[int, Linear] = {EMPTY: {0: 1}}
    guesses = [1.0]
    for own in form.sides[seat].sets:
        if own.parent not in linear:
            continue
        used = [s for s in own.sequences if floats[s] > near]
        used = used or [max(own.sequences, key=floats.__getitem__)]
        rest = dict(linear[own.parent])
        for s in used[:-1]:
            k = len(guesses)
            guesses.append(float(floats[s]))
            linear[s] = {k: 1}
            rest[k] = -1
        linear[used[-1]] = rest
    return linear, guesses


def _equations(
    form: SequenceForm,
    seat: int,
    floats: Sequence[float],
    linear: dict[int, Linear],
    near: float,
) -> list[Linear]:
    """The forms that must vanish for nearly best options to be equally good."""
    side, sign = form.sides[1 - seat], 1 if seat else -1
    values: list[Linear] = [{} for _ in range(side.size)]
    about = [0.0] * side.size
    for pair, value in form.payoffs.items():
        terms = linear.get(pair[seat])
        if terms is not None:
            other = pair[1 - seat]
            _add(values[other], terms, value)
            about[other] += floats[pair[seat]] * value
    equations = []
    for k in range(len(side.sets) - 1, -1, -1):
        own = side.sets[k]
        best = max(own.sequences, key=lambda s: sign * about[s])
        for s in own.sequences:
            if s != best and abs(about[s] - about[best]) <= near * form.scale:
                apart = dict(values[best])
                _add(apart, values[s], -1)
                if apart := {unknown: c for unknown, c in apart.items() if c}:
                    equations.append(apart)
        _add(values[own.parent], values[best], 1)
        about[own.parent] += about[best]
    return equations


def _add(to: Linear, terms: Linear, times: int) -> None:
    for k, c in terms.items():
        to[k] = to.get(k, 0) + c * times


def _solved(equations: list[Linear], guesses: list[float]) -> list[Fraction]:
    """The unknowns; those not determined are as guessed."""
    solved = [Fraction(1), *(Fraction(x).limit_denominator(FINE) for x in guesses[1:])]
    rows = list({tuple(sorted(row.items())): row for row in equations}.values())
    unknown = range(1, len(guesses))
    table = [[row.get(k, 0) for k in unknown] for row in rows]
    columns = _pivots(table)
    if not columns:
        return solved
    used = _pivots([list(column) for column in zip(*table, strict=True)])
    free = [0, *(k for k in unknown if k - 1 not in set(columns))]
    common = lcm(*(solved[k].denominator for k in free))
    known = [-sum(rows[r].get(k, 0) * int(solved[k] * common) for k in free) for r in used]
    matrix = fmpz_mat([[table[r][c] for c in columns] for r in used])
    found = matrix.solve(fmpz_mat(len(known), 1, known))
    for r, c in enumerate(columns):
        x = found[r, 0]
        solved[c + 1] = Fraction(int(x.p), int(x.q)) / common
    return solved


def _pivots(table: list[list[int]]) -> list[int]:
    """A maximal independent set of columns, modulo a prime."""
    if not table or not table[0]:
        return []
    reduced, rank = nmod_mat([[x % PRIME for x in row] for row in table], PRIME).rref()
    pivots, c = [], 0
    for r in range(rank):
        while not int(reduced[r, c]):
            c += 1
        pivots.append(c)
    return pivots
