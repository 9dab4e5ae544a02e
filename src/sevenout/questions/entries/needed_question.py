"""How many games distinguish two probabilities."""

from fractions import Fraction

from sevenout.documents import Text
from sevenout.documents.kinds import COUNT
from sevenout.questions.arguments import Argument, share, words
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer, number, string
from sevenout.questions.subject_kinds import NUMBERS


def answer(
    _: None, *, p: Fraction, other: Fraction, confidence: Fraction, power: Fraction, sides: str
) -> Findings:
    """The number of games, exactly and by the normal approximation."""
    from sevenout.verify import games_needed
    from sevenout.verify.counts import percentage

    found = games_needed(p, other, confidence, power, sides=2 if sides == "two" else 1)
    said = (
        f"{found.stays:,} games or more tell {p} from {other} by a {sides}-sided test, "
        f"confidence {percentage(confidence)}, power {percentage(power)}."
    )
    return Findings(
        Finding("p", "", p),
        Finding("other", "", other),
        Finding("confidence", "", confidence),
        Finding("power", "", float(power)),
        Finding("sides", "", sides),
        Finding("normal", "by the normal approximation", found.normal, COUNT),
        Finding("first", "the first number of games that does", found.first, COUNT),
        Finding("stays", "all from this number on do", found.stays, COUNT),
        before=[Text(said)],
    )


PLANNED = (
    Argument(
        "confidence",
        share(),
        "The minimum probability that a correct game passes the test: 95%, 99/100.",
        default="95%",
    ),
    Argument(
        "power",
        share(),
        "The probability that the test detects the difference: 95%, 0.8.",
        "80%",
        "95%",
    ),
    Argument(
        "sides",
        words("one", "two"),
        "Whether the test rejects only in the direction of the difference (one), or in both (two).",
        default="one",
    ),
)
QUESTION = Question(
    name="needed",
    help="The number of games that tells one probability from another, by the exact test.",
    of=NUMBERS,
    answer=answer,
    arguments=(
        Argument("p", share(), "The probability to test: 1/2.", "1/2", placed=True),
        Argument(
            "other",
            share(),
            "The other probability, which the test should detect: 244/495.",
            "3/5",
            placed=True,
        ),
        *PLANNED,
    ),
    returns={
        "p": exact("the probability that is tested"),
        "other": exact("the one that should be noticed"),
        "confidence": exact("the confidence of the test"),
        "power": number("its power"),
        "sides": string("one or two"),
        "normal": integer("the number of games by the normal approximation"),
        "first": integer("the first number of games that has the power"),
        "stays": integer("the number of games from which on all have it"),
    },
)
