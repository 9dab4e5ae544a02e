"""How likely a game takes more than a number of rolls, from its start or from a state."""

from typing import TYPE_CHECKING, Any

from sevenout.page import Certified
from sevenout.page.kinds import COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.questions.arguments import Argument, state, whole
from sevenout.questions.bases import GAME
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, figure, integer, string

if TYPE_CHECKING:
    from sevenout.exact import Solution

SHORT = 4_000
"""Bits of a fraction that is given in full; a longer one is proved to 30 digits."""


def answer(solution: "Solution", *, rolls: int, at: Any = None) -> Findings:
    """The tail of the distribution of the rolls that are still to come."""
    from sevenout.exact import solve
    from sevenout.questions.states import chain_at

    chain, where = chain_at(solution.chain, at)
    distribution = solve(chain).distribution("rolls")
    length = rolls * chain.denominator.bit_length()
    tail = (
        distribution.sf(rolls)
        if length <= SHORT
        else Certified.between(*distribution.sf_bounds(rolls))
    )
    return Findings(
        Finding("at", "", where or None),
        Finding("rolls", "", rolls),
        Finding("probability", f"more than {rolls:,} rolls", tail, FRACTION, PERCENT),
        Finding("mean_rolls", "mean rolls", distribution.mean, FRACTION, DECIMAL),
        Finding("median_rolls", "median", distribution.quantile("1/2"), COUNT),
    )


QUESTION = Question(
    name="longer",
    help="The probability that a game takes more than a number of rolls, from any state.",
    of=GAME,
    answer=answer,
    arguments=(
        Argument(
            "rolls", whole(0, 10**9), "More than this many rolls.", "10", label="More than (rolls)"
        ),
        Argument("at", state(), "From this state on; from the start if not given.", "4", None),
    ),
    heading=lambda rolls, at: f"more than {rolls:,} rolls" + (f", from {at}" if at else ""),
    returns={
        "at": string("the state from which the rolls are counted", optional=True),
        "rolls": integer("the number of rolls"),
        "probability": figure("that the game takes more rolls"),
        "mean_rolls": exact("the mean number of rolls that are still to come"),
        "median_rolls": integer("the median"),
    },
    section=True,
)
