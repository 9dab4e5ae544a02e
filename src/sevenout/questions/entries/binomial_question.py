"""Tests whether a count agrees with a probability."""

from fractions import Fraction
from typing import Literal

from sevenout.documents import Text
from sevenout.documents.kinds import ROUNDED
from sevenout.errors import shown
from sevenout.questions.arguments import Argument, ArgumentError, share, whole, words
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import boolean, exact, integer, listed, number, string
from sevenout.questions.subject_kinds import NUMBERS

MOST = 10**15


def answer(
    _: None,
    *,
    hits: int,
    games: int,
    p: Fraction,
    alternative: Literal["two-sided", "less", "greater"],
    confidence: Fraction,
) -> Findings:
    """The exact binomial test, and the Clopper–Pearson interval."""
    from sevenout.verify import binomial_test, clopper_pearson
    from sevenout.verify.counts import percentage

    if hits > games:
        raise ArgumentError("hits", f"{hits}; it can't be more than the {games:,} games")
    test = binomial_test(hits, games, p, alternative)
    interval = clopper_pearson(hits, games, confidence)
    agrees = test.p_value > 1 - confidence
    z = float(hits - games * p) / float(games * p * (1 - p)) ** 0.5
    verdict = f"{'agrees' if agrees else 'does not agree'} with {shown(str(p))[1:-1]}"
    said = f"{hits:,} of {games:,}, that is {100 * hits / games:.4f} %, {verdict}."
    return Findings(
        Finding("hits", "", hits),
        Finding("games", "", games),
        Finding("p", "", p),
        Finding("", "expected", float(games * p), ROUNDED.to(1)),
        Finding("share", "", hits / games),
        Finding("z", "", z),
        Finding("", "off by", f"{z:+.2f} standard deviations"),
        Finding("p_value", "", test.p_value),
        Finding("", "exact binomial", f"p = {test.p_value:.4g}, {alternative}"),
        Finding("alternative", "", alternative),
        Finding("confidence", "", confidence),
        Finding("clopper_pearson", "", [interval.low, interval.high]),
        Finding("", "Clopper-Pearson", f"{interval}, {percentage(confidence)}"),
        Finding("agrees", "", agrees),
        before=[Text(said)],
    )


QUESTION = Question(
    name="check",
    help="Test a count: did an event happen as often as its probability says?",
    of=NUMBERS,
    answer=answer,
    arguments=(
        Argument(
            "hits",
            whole(0, MOST),
            "The number of times that the event happened.",
            "5200",
            placed=True,
        ),
        Argument("games", whole(1, MOST), "The number of games.", "10000", placed=True),
        Argument(
            "p",
            share(),
            "The probability of the event: 244/495, 0.4929, 49.29%.",
            "1/2",
            label="Probability",
        ),
        Argument(
            "alternative",
            words("two-sided", "less", "greater"),
            "What the test looks for: too few (less), too many (greater), or either (two-sided).",
            default="two-sided",
        ),
        Argument(
            "confidence",
            share(),
            "The confidence of the interval and of the verdict: 95%, 99/100.",
            "99%",
            "95%",
        ),
    ),
    returns={
        "hits": integer("how often it came up"),
        "games": integer("out of how many"),
        "p": exact("its probability"),
        "share": number("the share that was seen"),
        "z": number("how far that is off, in standard deviations"),
        "p_value": number("the p-value of the exact binomial test"),
        "alternative": string("what the test looks for"),
        "confidence": exact("of the interval and of the verdict"),
        "clopper_pearson": listed(number("the ends of the Clopper-Pearson interval")),
        "agrees": boolean("the verdict"),
    },
)
