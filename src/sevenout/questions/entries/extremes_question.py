"""The highest and lowest amounts of money in an evening."""

from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.documents.kinds import AMOUNT, PERCENT
from sevenout.questions.arguments import Argument, amount, share
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, figure
from sevenout.questions.subject_kinds import EVENING

if TYPE_CHECKING:
    from sevenout.evenings.evening_plan import Plan


def answer(
    plan: "Plan", *, chance: Fraction, least: Fraction | None, most: Fraction | None
) -> Findings:
    """Quantiles of the highest and lowest amounts, and the probability of reaching amounts."""
    high = None if least is None else plan.ever_within(least=least)
    low = None if most is None else plan.ever_within(most=most)
    return Findings(
        Finding("bankroll", "bankroll", Fraction(plan.bankroll), AMOUNT),
        Finding("chance", "", chance),
        Finding(
            "peak",
            "highest amount",
            plan.peak(chance),
            AMOUNT,
            note=f"not exceeded with probability {chance}",
        ),
        Finding(
            "trough",
            "lowest amount",
            plan.trough(1 - chance),
            AMOUNT,
            note=f"lower with probability {1 - chance} at most",
        ),
        Finding("least", "", least),
        Finding("reached", f"ever {least} or more" if least is not None else "", high, PERCENT),
        Finding("most", "", most),
        Finding("fallen", f"ever {most} or less" if most is not None else "", low, PERCENT),
    )


QUESTION = Question(
    name="extremes",
    help="The highest and the lowest amount of money in an evening at the craps table.",
    of=EVENING,
    answer=answer,
    arguments=(
        Argument(
            "chance",
            share(),
            "The probability that the money stays below the high bound, and that it stays above "
            "the low one.",
            default="19/20",
            label="Probability",
        ),
        Argument(
            "least",
            amount(),
            "Also give the probability of ever having this amount or more.",
            "22",
            None,
        ),
        Argument(
            "most",
            amount(),
            "Also give the probability of ever having this amount or less.",
            "18",
            None,
        ),
    ),
    heading=lambda **_: "the highest and the lowest amount",
    section=True,
    returns={
        "bankroll": exact("what the player brings"),
        "chance": exact("the probability of each of the two bounds"),
        "peak": exact("the high bound: the money stays at or below it with this probability"),
        "trough": exact("the low bound: the money stays at or above it with this probability"),
        "least": exact("the higher amount", optional=True),
        "reached": figure("the probability of ever having it or more", optional=True),
        "most": exact("the lower amount", optional=True),
        "fallen": figure("the probability of ever having it or less", optional=True),
    },
)
