"""The generating function of a counter of a chain."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from flint import fmpq_poly

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.model import Chain
from sevenout.model.graph import components
from sevenout.rolling.generating_functions import CounterLaw, Rational
from sevenout.rules import Outcome
from sevenout.solving.distributions.moments import increment
from sevenout.solving.solvers.elimination import Elimination


def counter_law(
    chain: Chain, counter: str, given: Callable[[Outcome], bool] | None = None
) -> CounterLaw:
    """The exact distribution of a counter at the end, given a condition on the outcome.

    Equivalent states are merged first, to keep polynomials short.
    """
    _must_count_up(chain, counter)
    n = len(chain.states)
    size = 1 + max(chain.lumping)
    _afford_steps(chain, counter)
    rows: list[dict[int, Any]] = [{} for _ in range(size)]
    done = set()
    for s, edges in enumerate(chain.rows):
        block = chain.lumping[s]
        if block in done:
            continue
        done.add(block)
        powers: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for weight, target, counts in edges:
            k = int(increment(counts, counter))
            if target >= n:
                wanted = given is None or given(chain.outcomes[target - n])
                powers[size if wanted else size + 1][k] += weight
            else:
                powers[chain.lumping[target]][k] += weight
        rows[block] = {t: _polynomial(p) for t, p in powers.items()}
    _afford(rows, chain, counter)
    visits = _solve(rows, chain.denominator)
    total: Any = 0
    for visit, row in zip(visits, rows, strict=True):
        if visit != 0 and size in row:
            total = total + visit * row[size]
    return CounterLaw(total if isinstance(total, Rational) else Rational([total]), counter)


def counts_up(chain: Chain, counter: str) -> bool:
    """Whether all increments of a counter are whole and at least 0."""
    steps = (increment(counts, counter) for counts in chain.tags)
    return all(n >= 0 and n.denominator == 1 for n in steps)


def _must_count_up(chain: Chain, counter: str) -> None:
    for counts in chain.tags:
        n = increment(counts, counter)
        if n < 0 or n.denominator > 1:
            raise RulesError(
                f"the counter {counter!r} advances by {n}, and a distribution needs whole "
                "numbers; ask for its mean"
            )


def _afford_steps(chain: Chain, counter: str) -> None:
    """Refuse a counter whose increments make its polynomials too long."""
    most = max([1, *(int(increment(counts, counter)) for counts in chain.tags)])
    afford(
        f"the distribution of {counter!r}, which advances by up to {shown(most)} at once,",
        seconds=min(most, 10**18) * 1e-6,
        memory=min(most, 10**18) * 100,
        instead="ask for its mean",
    )


def _afford(rows: list[dict[int, Any]], chain: Chain, counter: str) -> None:
    """Refuse a cycle whose polynomials, of its size in degree, would be too long."""
    inside = [
        (len(block), sum(len(rows[s]) for s in block) / len(block)) for block in components(rows)
    ]
    bits = chain.denominator.bit_length()
    afford(
        f"the exact distribution of {counter!r} on a cycle of {max(n for n, _ in inside):,} states",
        seconds=sum(2e-8 * n**3 * degree**2 * bits for n, degree in inside),
        instead="ask for its mean",
    )


def _solve(rows: list[dict[int, Any]], denominator: int) -> list[Any]:
    """Visits over the denominator, with z on the edges.

    Rows with z don't add up to their weight, which the pivots need: a leak to an extra outcome
    makes up for it.
    """
    size = len(rows)
    leaky = []
    for row in rows:
        spent: Any = denominator
        for weight in row.values():
            spent = spent - weight
        leaky.append(row | {size + 2: spent})
    return Elimination(leaky, Rational([1])).visits({0: Rational([1])})


def _polynomial(powers: dict[int, int]) -> Rational:
    coefficients = [0] * (max(powers) + 1)
    for k, weight in powers.items():
        coefficients[k] = weight
    return Rational(fmpq_poly(coefficients))
