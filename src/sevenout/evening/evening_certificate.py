"""Evenings that carry their proof: the chain of an evening, as a certificate for the checkers.

The chain is written out, state by state: the bets on the felt, the money, the rolls made. So its
numbers are proved from the file. That the file is the evening of a strategy is found by rebuilding:
`difference_of` compares every line with the evening that a plan makes.
"""

from collections.abc import Iterable
from fractions import Fraction

from sevenout.certify import Certificate
from sevenout.certify.body import difference
from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.evening.eveningplan import Plan
from sevenout.model import Chain, chain_of
from sevenout.page.numbers import decimal
from sevenout.solve import solve

MOST_STATES = 30_000
"""States of an evening that are written out."""
FEW_STATES = 3_000
"""States up to which the values are fractions; of more, they are digits."""
DIGITS = 12


def evening_certificate(plan: Plan, title: str = "") -> Certificate:
    """The certificate of an evening: the mean result, the mean handle, how likely each end is.

    >>> made = evening_certificate(Plan.of("pass", 3, target=6))
    >>> [claim["name"] for claim in made.header["claims"]]
    ['evening', 'ruin', 'target', 'settled', 'rolls']
    >>> made.header["claims"][1]["value"]
    '15813251/30340035'

    Args:
        plan: the evening.
        title: its name in print; the strategy's if not given.

    Raises:
        TooMuchWorkError: it has more states than are written out.
    """
    chain = _chain(plan)
    ends = dict.fromkeys(outcome.label for outcome in chain.outcomes)
    few = len(chain.states) <= FEW_STATES
    solution = solve(chain) if few else solve(chain, "certified", digits=DIGITS)
    return solution.certificate("evening", *ends, "settled", "rolls", game=title or plan.name)


def difference_of(lines: Iterable[bytes], plan: Plan) -> str:
    """Where a certificate that was checked is of another evening; nothing if it is of this one.

    >>> plan = Plan.of("pass", 3, target=6)
    >>> lines = list(evening_certificate(plan).lines())
    >>> difference_of(lines, plan), difference_of(lines, Plan.of("pass", 3, target=7))[:20]
    ('', "line 1: 'states' are")

    Args:
        lines: of the certificate.
        plan: the evening.

    Raises:
        TooMuchWorkError: it has more states than are written out.
    """
    return difference(lines, _chain(plan))


def _chain(plan: Plan) -> Chain:
    try:
        return chain_of(plan.game, MOST_STATES)
    except TooManyStatesError:
        bound = plan.solve().bound
        rests = (
            f"its distribution is within {decimal(Fraction(bound))} by the error bound of its own "
            "arithmetic"
            if bound
            else "its distribution is exact by our own engine"
        )
        raise TooMuchWorkError(
            f"the evening has more than {MOST_STATES:,} states, so {rests}, which no certificate "
            "proves; take a shorter evening or larger bets"
        ) from None
