"""Certificates of evenings: the chain state by state, to be checked by another program.

`difference_of` compares a checked certificate with a plan.
"""

from collections.abc import Iterable
from fractions import Fraction

from sevenout.certify import Certificate
from sevenout.certify.certificate import difference
from sevenout.documents.numbers import decimal
from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.evenings.evening_plan import Plan
from sevenout.model import Chain, chain_of
from sevenout.solving import solve

MAX_STATES = 30_000
"""States of the largest evening with a certificate."""
MAX_FRACTION_STATES = 3_000
"""Up to this many states, values are fractions; beyond, decimals."""
DIGITS = 12
"""Decimals that a certificate proves."""


def evening_certificate(plan: Plan, title: str = "") -> Certificate:
    """Certify an evening's mean result, mean handle, and the probability of each end.

    >>> certificate = evening_certificate(Plan.of("pass", 3, target=6))
    >>> [claim["name"] for claim in certificate.header["claims"]]
    ['evening', 'ruin', 'target', 'settled', 'rolls']
    >>> certificate.header["claims"][1]["value"]
    '15813251/30340035'

    `title` is its printed name; the strategy's by default.

    Raises:
        TooMuchWorkError: the evening has more than `MAX_STATES` states.
    """
    chain = _chain(plan)
    ends = dict.fromkeys(outcome.label for outcome in chain.outcomes)
    few = len(chain.states) <= MAX_FRACTION_STATES
    solution = solve(chain) if few else solve(chain, "certified", digits=DIGITS)
    return solution.certificate("evening", *ends, "settled", "rolls", title=title or plan.name)


def difference_of(lines: Iterable[bytes], plan: Plan) -> str:
    """Where a checked certificate differs from this evening; empty if nowhere.

    >>> plan = Plan.of("pass", 3, target=6)
    >>> lines = list(evening_certificate(plan).lines())
    >>> difference_of(lines, plan), difference_of(lines, Plan.of("pass", 3, target=7))[:20]
    ('', "line 1: 'states' are")

    Raises:
        TooMuchWorkError: the evening has more than `MAX_STATES` states.
    """
    return difference(lines, _chain(plan))


def _chain(plan: Plan) -> Chain:
    """The chain of an evening, to be certified; refused if it has too many states."""
    try:
        return chain_of(plan.game, MAX_STATES)
    except TooManyStatesError:
        bound = plan.solve().bound
        rests = (
            f"its distribution is within {decimal(Fraction(bound))} by the error bound of its own "
            "arithmetic"
            if bound
            else "its distribution is exact by sevenout's own engine"
        )
        raise TooMuchWorkError(
            f"the evening has more than {MAX_STATES:,} states, so {rests}, which no certificate "
            "proves; take a shorter evening or larger bets"
        ) from None
