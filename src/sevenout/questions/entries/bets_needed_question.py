"""How many bets show that a return is wrong."""

from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.documents import Text
from sevenout.documents.kinds import COUNT, PERCENT
from sevenout.questions.arguments import Argument, share
from sevenout.questions.entries.needed_question import PLANNED
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer, number, string
from sevenout.questions.subject_kinds import BET_OF_GAME

if TYPE_CHECKING:
    from sevenout.solving import BetResult


def answer(
    bet: "BetResult", *, change: Fraction, confidence: Fraction, power: Fraction, sides: str
) -> Findings:
    """The number of bets, by the distribution of their total."""
    from sevenout.verify.counts import percentage
    from sevenout.verify.many_bets import bets_needed

    law = {x: bet.profit[x] for x in bet.profit}
    found = bets_needed(law, -change, confidence, power, sides=2 if sides == "two" else 1)
    said = (
        f"{found.bets:,} bets show that the return is lower by {percentage(change)} of the stake, "
        f"by a {sides}-sided test, confidence {percentage(confidence)}, power {percentage(power)}."
    )
    return Findings(
        Finding("change", "", change),
        Finding("confidence", "", confidence),
        Finding("sides", "", sides),
        Finding("normal", "by the normal approximation", found.normal, COUNT),
        Finding("bets", "bets, by the distribution of their total", found.bets, COUNT),
        Finding("limit", "rejected if the return is below", found.limit, PERCENT),
        Finding("power", "power", found.power, PERCENT),
        Finding("method", "", found.method),
        before=[Text(said)],
    )


QUESTION = Question(
    name="bets_needed",
    help="The number of bets that it takes to detect a return that is too low.",
    of=BET_OF_GAME,
    answer=answer,
    arguments=(
        Argument(
            "change", share(), "How much lower the return is, as a share of the stake: 2%.", "2%"
        ),
        *PLANNED,
    ),
    returns={
        "change": exact("by how much the return is lower"),
        "confidence": exact("the confidence of the test"),
        "sides": string("one or two"),
        "normal": integer("the number of bets by the normal approximation"),
        "bets": integer("a number of bets, to about 1 %, that has the power"),
        "limit": exact("the return below which the test rejects"),
        "power": number("the power with that number of bets"),
        "method": string("how the distribution of the total was computed"),
    },
)
