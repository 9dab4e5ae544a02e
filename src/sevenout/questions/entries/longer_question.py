"""The probability of more than a number of rolls."""

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.budgets.estimates import afford
from sevenout.documents import Certified
from sevenout.documents.kinds import DECIMAL, FRACTION, PERCENT
from sevenout.errors import TooMuchWorkError
from sevenout.questions.arguments import Argument, state, whole
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import figure, integer, string
from sevenout.questions.subject_kinds import GAME

if TYPE_CHECKING:
    from sevenout.model import Chain
    from sevenout.questions.named_policies import PlayedGame
    from sevenout.solving import Solution

SHORT = 4_000
"""The most bits of a fraction given in full; a longer one is certified to 30 digits."""
AT_ONCE = 2.0
"""Seconds allowed roll by roll before trying the generating function."""
MANY = 5_000
"""The most states for which the generating function is tried."""
UNIT_BITS = 200
"""Bits kept of a probability."""
ADDED = 3e-7
"""Seconds per addition of short numbers in Python."""


def answer(solved: "PlayedGame", *, rolls: int, at: Any = None) -> Findings:
    """The tail of the distribution of the rolls to come."""
    from sevenout.questions.states import chain_at
    from sevenout.solving import solve

    chain, where = chain_at(solved.solution.chain, at)
    here = solve(chain)
    mean = Certified(here.mean_rolls, here.rolls_bound) if here.rolls_bound else here.mean_rolls
    return Findings(
        Finding("at", "", where or None),
        Finding("rolls", "", rolls),
        Finding("probability", f"more than {rolls:,} rolls", tail(here, rolls), FRACTION, PERCENT),
        Finding("mean_rolls", "mean rolls", mean, FRACTION, DECIMAL),
    )


def tail(solution: "Solution", rolls: int) -> Certified | Fraction:
    """The probability that a game goes on after this many rolls.

    It is computed roll by roll for few rolls or many states, else from the generating function.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> tail(solve(games["craps"]), 1)
    Fraction(2, 3)

    Raises:
        TooMuchWorkError: too many rolls of too large a game.
    """
    chain = solution.chain
    long = rolls * chain.denominator.bit_length() > SHORT
    seconds = rolls * sum(map(len, chain.weights)) * ADDED
    if len(chain.states) <= MANY and (long or seconds > AT_ONCE):
        with suppress(TooMuchWorkError):
            law = solution.distribution("rolls")
            return Certified.between(*law.sf_bounds(rolls)) if long else Fraction(law.sf(rolls))
    states = f"{rolls:,} rolls of {len(chain.states):,} states"
    afford(states, seconds=seconds, instead="ask for fewer rolls")
    if long:
        return Certified.between(*rolled_bounds(chain, rolls))
    return _roll_by_roll(chain, rolls)


def _roll_by_roll(chain: "Chain", rolls: int) -> Fraction:
    playing, n = {0: 1}, len(chain.states)
    for _ in range(rolls):
        then: dict[int, int] = {}
        for before, weight in playing.items():
            for target, more in chain.weights[before].items():
                if target < n:
                    then[target] = then.get(target, 0) + weight * more
        playing = then
    return Fraction(sum(playing.values()), chain.denominator**rolls)


def rolled_bounds(chain: "Chain", rolls: int) -> tuple[Fraction, Fraction]:
    """Bounds on the probability that the game goes on, roll by roll with rounding down.

    What goes on is the lower bound; 1 less what has ended is the upper.

    >>> from sevenout.catalogue import games
    >>> from sevenout.model import chain_of, explore
    >>> low, high = rolled_bounds(chain_of(explore(games["craps"])), 1)
    >>> low <= Fraction(2, 3) <= high, high - low < Fraction(1, 10**55)
    (True, True)
    """
    one = 1 << UNIT_BITS
    playing, ended, n = {0: one}, 0, len(chain.states)
    for _ in range(rolls):
        then: dict[int, int] = {}
        for before, share in playing.items():
            for target, weight in chain.weights[before].items():
                part = share * weight // chain.denominator
                if target < n:
                    then[target] = then.get(target, 0) + part
                else:
                    ended += part
        playing = then
    return Fraction(sum(playing.values()), one), Fraction(one - ended, one)


QUESTION = Question(
    name="longer",
    help="The probability that a game takes more than a number of rolls, from any state.",
    of=GAME,
    answer=answer,
    arguments=(
        Argument(
            "rolls",
            whole(0, 10**9),
            "The number of rolls to exceed.",
            "10",
            label="More than (rolls)",
        ),
        Argument(
            "at",
            state(),
            "The state to start from. The default is the start of the game.",
            "4",
            None,
        ),
    ),
    heading=lambda rolls, at: f"more than {rolls:,} rolls" + (f", from {at}" if at else ""),
    returns={
        "at": string("the state from which the rolls are counted", optional=True),
        "rolls": integer("the number of rolls"),
        "probability": figure("that the game takes more rolls"),
        "mean_rolls": figure("the mean number of rolls that are still to come"),
    },
    section=True,
)
