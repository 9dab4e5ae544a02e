"""How high the money comes in an evening."""

from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.page.kinds import AMOUNT, PERCENT
from sevenout.questions.arguments import Argument, amount, share
from sevenout.questions.bases import EVENING
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, figure

if TYPE_CHECKING:
    from sevenout.evening.eveningplan import Plan


def answer(plan: "Plan", *, chance: Fraction, least: Fraction | None) -> Findings:
    """A quantile of the highest amount, and the probability of ever having an amount."""
    ever = None if least is None else plan.ever_within(least=least)
    found = [
        Finding("bankroll", "bankroll", Fraction(plan.bankroll), AMOUNT),
        Finding("chance", "", chance),
        Finding(
            "peak",
            "highest amount",
            plan.peak(chance),
            AMOUNT,
            note=f"not exceeded with probability {chance}",
        ),
        Finding("least", "", least),
        Finding("ever", f"ever {least} or more" if least is not None else "", ever, PERCENT),
    ]
    return Findings(*found)


QUESTION = Question(
    name="peak",
    help="How high the money comes in an evening at the table.",
    of=EVENING,
    answer=answer,
    arguments=(
        Argument(
            "chance",
            share(),
            "The amount is not exceeded with this probability.",
            default="19/20",
            label="Probability",
        ),
        Argument(
            "least",
            amount(),
            "Also the probability of ever having this amount or more.",
            "22",
            None,
        ),
    ),
    heading=lambda **_: "the highest amount",
    returns={
        "bankroll": exact("what the player brings"),
        "chance": exact("the probability with which the peak is not exceeded"),
        "peak": exact("the least amount that the highest does not exceed with this probability"),
        "least": exact("the amount that is asked about", optional=True),
        "ever": figure("the probability of ever having it or more", optional=True),
    },
)
