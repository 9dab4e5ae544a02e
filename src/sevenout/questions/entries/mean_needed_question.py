"""How many games show that a counter's mean is wrong."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Text
from sevenout.documents.kinds import COUNT, DECIMAL
from sevenout.documents.numbers import amount as said
from sevenout.questions.arguments import Argument, ArgumentError, amount, text
from sevenout.questions.entries.needed_question import PLANNED
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer, number, string
from sevenout.questions.subject_kinds import GAME

if TYPE_CHECKING:
    from sevenout.questions.named_policies import PlayedGame


def answer(
    solved: "PlayedGame",
    *,
    mean: str,
    change: Fraction,
    confidence: Fraction,
    power: Fraction,
    sides: str,
) -> Findings:
    """The number of games, by the normal distribution of their mean."""
    from sevenout.verify.counts import percentage
    from sevenout.verify.planning import mean_needed

    known = solved.solution.distribution(mean)
    games, limit = mean_needed(
        known.mean, known.variance, change, confidence, power, sides=2 if sides == "two" else 1
    )
    way = "higher" if change > 0 else "lower"
    told = (
        f"{games:,} games show that the mean of {mean} is {way} by {said(abs(change))}, by a "
        f"{sides}-sided test, confidence {percentage(confidence)}, power {percentage(power)}."
    )
    beyond = "above" if change > 0 else "below"
    return Findings(
        Finding("mean", "", mean),
        Finding("change", "", change),
        Finding("confidence", "", confidence),
        Finding("power", "", power),
        Finding("sides", "", sides),
        Finding("games", "games, by the normal distribution of their mean", games, COUNT),
        Finding("limit", f"rejected if the mean is {beyond}", limit, DECIMAL),
        before=[Text(told)],
    )


def refuses(_given: Any, *, mean: str, change: Fraction, **_: Any) -> None:
    """Refuse an empty name, or a change of 0."""
    if not mean:
        raise ArgumentError("mean", "nothing; name what the game counts, such as rolls")
    if not change:
        raise ArgumentError("change", "0; give a change above or below 0")


QUESTION = Question(
    name="mean_needed",
    help="The number of games that it takes to detect a wrong mean, of rolls or of points.",
    of=GAME,
    answer=answer,
    refuses=refuses,
    arguments=(
        Argument("mean", text(), "What the game counts: rolls, or a counter.", "rolls", "rolls"),
        Argument(
            "change", amount(), "How far the mean is off: 1/10, or -1/10 if it is too low.", "1/10"
        ),
        *PLANNED,
    ),
    returns={
        "mean": string("what is counted"),
        "change": exact("by how much the mean is off"),
        "confidence": exact("the confidence of the test"),
        "power": exact("its power"),
        "sides": string("one or two"),
        "games": integer("the number of games that has the power"),
        "limit": number("the mean beyond which the test rejects"),
    },
)
