"""First passage: whether a game lasts longer than some rolls, and which states it ever visits.

With sub-stochastic Q between the states that play on, P(N > n) is the sum of the first row of Qⁿ.
It is exact for few rolls. For many, its denominator has thousands of digits: then it is certified,
either from the generating function of the rolls or roll by roll, with shares rounded down.

With N = (I - Q)⁻¹, the mean visits to each state from each, a game ever visits state s with
probability N(0, s) / N(s, s) (Kemeny and Snell, Finite Markov Chains, chapter 3).
"""

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from sevenout.budgets.estimates import afford
from sevenout.documents import Certified
from sevenout.errors import TooMuchWorkError
from sevenout.model import Chain
from sevenout.rolling.generating_functions import to_fraction
from sevenout.solving.elimination import Elimination

if TYPE_CHECKING:
    from sevenout.solving.answer import Solution

MAX_EXACT_BITS = 4_000
"""The most bits of a fraction given in full; a longer one is certified to 30 digits."""
MAX_SECONDS_BY_ROLLS = 2.0
"""Seconds allowed roll by roll before trying the generating function."""
MAX_SERIES_STATES = 5_000
"""The most states for which the generating function is tried: it needs a polynomial per state."""
SHARE_BITS = 200
"""Bits kept of a probability."""
SECONDS_PER_ADDITION = 3e-7
"""Of short numbers in Python."""


def survival_probability(solution: "Solution", rolls: int) -> Certified | Fraction:
    """The probability that a game goes on after this many rolls.

    It is computed roll by roll for few rolls or many states, else from the generating function.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> survival_probability(solve(games["craps"]), 1)
    Fraction(2, 3)

    Raises:
        TooMuchWorkError: too many rolls of too large a game.
    """
    chain = solution.chain
    # The denominator of the answer is that of one roll to this power.
    is_rounded = rolls * chain.denominator.bit_length() > MAX_EXACT_BITS
    seconds = rolls * sum(map(len, chain.weights)) * SECONDS_PER_ADDITION
    # The generating function pays for long games only.
    if len(chain.states) <= MAX_SERIES_STATES and (is_rounded or seconds > MAX_SECONDS_BY_ROLLS):
        with suppress(TooMuchWorkError):  # roll by roll it may still be affordable
            law = solution.distribution("rolls")
            if is_rounded:
                return Certified.between(*law.sf_bounds(rolls))
            return Fraction(law.sf(rolls))
    work = f"{rolls:,} rolls of {len(chain.states):,} states"
    afford(work, seconds=seconds, instead="ask for fewer rolls")
    low, high = survival_bounds(chain, rolls, rounded=is_rounded)
    return Certified.between(low, high) if is_rounded else low


def survival_bounds(chain: Chain, rolls: int, *, rounded: bool = True) -> tuple[Fraction, Fraction]:
    """Bounds on the probability that the game goes on, roll by roll; equal if nothing is rounded.

    >>> from sevenout.catalogue import games
    >>> from sevenout.model import chain_of, explore
    >>> low, high = survival_bounds(chain_of(explore(games["craps"])), 1)
    >>> low <= Fraction(2, 3) <= high, high - low < Fraction(1, 10**55)
    (True, True)
    """
    # Rounded down each time: the share in play is a lower bound, 1 less the ended share an upper.
    unit, divisor = (1 << SHARE_BITS, chain.denominator) if rounded else (1, 1)
    share_by_state, ended = {0: unit}, 0
    for _ in range(rolls):
        next_shares: dict[int, int] = {}
        for state, share in share_by_state.items():
            for target, weight in chain.weights[state].items():
                moved = share * weight // divisor
                if target < len(chain.states):
                    next_shares[target] = next_shares.get(target, 0) + moved
                else:
                    ended += moved
        share_by_state = next_shares
    playing = sum(share_by_state.values())
    if not rounded:
        probability = Fraction(playing, chain.denominator**rolls)
        return probability, probability
    return Fraction(playing, unit), Fraction(unit - ended, unit)


def visit_probabilities(chain: Chain) -> list[tuple[Any, Fraction]]:
    """Each state after the first, and the probability that a game is ever in it.

    >>> from sevenout.catalogue import games
    >>> from sevenout.model import chain_of
    >>> dict(visit_probabilities(chain_of(games["craps"])))[4]
    Fraction(1, 12)
    """
    elimination = Elimination(chain.weights, fmpq(1), chain.components)
    visits_from_start = elimination.visits({0: fmpq(1)})
    probabilities = []
    for index, state in enumerate(chain.states[1:], 1):
        # Every visit after the first starts the chain there anew.
        visits_from_state = elimination.visits({index: fmpq(1)})
        p = to_fraction(visits_from_start[index] / visits_from_state[index])
        probabilities.append((state, p))
    return probabilities
