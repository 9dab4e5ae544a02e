"""Two rolls compared: which is higher, and how often."""

from typing import Any

from sevenout.documents import Shown
from sevenout.questions.arguments import Argument, text, whole
from sevenout.questions.question import Question
from sevenout.questions.schema import SOME, exact, integer, listed, number, record, string
from sevenout.questions.subject_kinds import ROLLED


def answer(dice: Any, *, vs: str, show: int) -> Shown:
    """The probability that the first roll is higher, equal or lower."""
    from sevenout.rolling import versus

    return versus(dice, vs, show=show)


ROW = record(
    "a total",
    {
        "total": SOME,
        "probability": exact("its probability"),
        "at_least": exact("the probability of as much or more"),
        "at_most?": exact("the probability of as much or less"),
    },
)
TOTALS = {
    "dice": string("the dice"),
    "mean": exact("the mean of the total"),
    "variance": exact("its variance"),
    "standard_deviation": number("its standard deviation"),
    "least?": integer("for dice that explode: the lowest total"),
    "generating_function?": string("for dice that explode: the generating function of the totals"),
    "totals": {**listed(ROW), "description": "every total; for dice that explode, those shown"},
}
QUESTION = Question(
    name="versus",
    help="Two dice rolls compared: the probability that one exceeds the other.",
    of=ROLLED,
    answer=answer,
    arguments=(
        Argument("vs", text(), "The other dice: 3d4, d20.", "3d4", label="Against"),
        Argument(
            "show", whole(1), "Print at most this many totals, the most likely ones.", default="40"
        ),
    ),
    heading=lambda vs, show: f"against {vs}",
    returns={
        "more": exact("the probability that the first roll is more"),
        "equal": exact("that both are equal"),
        "less": exact("that the first is less"),
        "difference": exact("the mean difference"),
        "first": record("the first dice", TOTALS),
        "second": record("the other dice", TOTALS),
    },
)
