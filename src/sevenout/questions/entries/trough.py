"""How low the money comes in an evening."""

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


def answer(plan: "Plan", *, chance: Fraction, most: Fraction | None) -> Findings:
    """A quantile of the lowest amount, and the probability of ever being down to an amount."""
    ever = None if most is None else plan.ever_within(most=most)
    return Findings(
        Finding("bankroll", "bankroll", Fraction(plan.bankroll), AMOUNT),
        Finding("chance", "", chance),
        Finding(
            "trough",
            "lowest amount",
            plan.trough(chance),
            AMOUNT,
            note=f"lower with probability {chance} at most",
        ),
        Finding("most", "", most),
        Finding("ever", f"ever {most} or less" if most is not None else "", ever, PERCENT),
    )


QUESTION = Question(
    name="trough",
    help="How low the money comes in an evening at the table.",
    of=EVENING,
    answer=answer,
    arguments=(
        Argument(
            "chance",
            share(),
            "The money comes lower with this probability at most.",
            default="1/20",
            label="Probability",
        ),
        Argument(
            "most",
            amount(),
            "Also the probability of ever having this amount or less.",
            "18",
            None,
        ),
    ),
    heading=lambda **_: "the lowest amount",
    returns={
        "bankroll": exact("what the player brings"),
        "chance": exact("the probability with which the money comes lower, at most"),
        "trough": exact("the amount than which it comes lower with this probability at most"),
        "most": exact("the amount that is asked about", optional=True),
        "ever": figure("the probability of ever having it or less", optional=True),
    },
)
