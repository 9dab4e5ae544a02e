"""How many rolls until a total comes."""

from fractions import Fraction
from math import ceil, log
from typing import TYPE_CHECKING

from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.questions.arguments import Argument, ArgumentError, whole
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer
from sevenout.questions.subject_kinds import DICE

if TYPE_CHECKING:
    from sevenout.rolling import Dice


def answer(dice: "Dice", *, total: int, rolls: int) -> Findings:
    """The geometric distribution of the first roll of the total."""
    p = dice.totals.law.p(lambda face: face == total)
    if not p:
        raise ArgumentError("total", f"{total}; {dice} can't roll it")
    miss = 1 - p
    median = 1 if not miss else max(1, ceil(log(0.5) / log(float(miss)) - 1e-9))
    while miss**median > Fraction(1, 2):
        median += 1
    while median > 1 and miss ** (median - 1) <= Fraction(1, 2):
        median -= 1
    return Findings(
        Finding("total", "", total),
        Finding("rolls", "", rolls),
        Finding("one_roll", "in one roll", p, FRACTION, PERCENT),
        Finding("by_then", f"within {rolls:,} rolls", 1 - miss**rolls, FRACTION, PERCENT),
        Finding("mean_rolls", "mean rolls", 1 / p, FRACTION, DECIMAL),
        Finding("median_rolls", "median", median, COUNT),
    )


QUESTION = Question(
    name="until",
    help="The number of rolls until a total comes up.",
    of=DICE,
    answer=answer,
    arguments=(
        Argument("total", whole(0, 10**6), "The total to wait for.", "12"),
        Argument(
            "rolls",
            whole(1, 1_000),
            "Also give the probability of the total within this many rolls.",
            "24",
            "24",
        ),
    ),
    heading=lambda total, rolls: f"until {total} is rolled",
    returns={
        "total": integer("the total"),
        "rolls": integer("the number of rolls"),
        "one_roll": exact("the probability of the total in one roll"),
        "by_then": exact("the probability of the total within these rolls"),
        "mean_rolls": exact("the mean number of rolls until it comes"),
        "median_rolls": integer("the median"),
    },
)
