"""`sevenout check` and `sevenout needed`: a count, and how many would settle it."""

from typing import Annotated, Literal

from sevenout.cli.options import Json, counts
from sevenout.cli.out import console, print_json
from sevenout.errors import shown

MOST = 10**15


def check(
    hits: Annotated[int, counts(0, MOST)],
    games: Annotated[int, counts(1, MOST)],
    /,
    *,
    p: str,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    confidence: str = "95%",
    json: Json = False,
) -> None:
    """Test a count: did something come up as often as it should have?

    Parameters
    ----------
    hits
        How often it came up.
    games
        Out of how many.
    p
        Its probability: 244/495, 0.4929, 49.29%.
    alternative
        Whether it came up too seldom or too often; either, if not given.
    confidence
        Of the interval, and of the verdict: 95%, 99/100.
    """
    from sevenout.verify import binomial_test, clopper_pearson
    from sevenout.verify.confidence import confidence_of, percentage, probability_of

    chance, sure = probability_of("p", p), confidence_of(confidence)
    test = binomial_test(hits, games, chance, alternative)
    interval = clopper_pearson(hits, games, sure)
    agrees = test.p_value > 1 - sure
    z = float(hits - games * chance) / float(games * chance * (1 - chance)) ** 0.5
    if json:
        print_json(
            {
                "hits": hits,
                "games": games,
                "p": str(chance),
                "share": hits / games,
                "z": z,
                "p_value": test.p_value,
                "alternative": alternative,
                "confidence": str(sure),
                "clopper_pearson": [interval.low, interval.high],
                "agrees": agrees,
            }
        )
        return
    verdict = f"{'agrees' if agrees else 'does not agree'} with {shown(str(chance))[1:-1]}"
    said = (
        f"{hits:,} of {games:,}, that is {100 * hits / games:.4f} %, {verdict}.\n"
        f"expected           {float(games * chance):,.1f}\n"
        f"off by             {z:+.2f} standard deviations\n"
        f"exact binomial     p = {test.p_value:.4g}, {alternative}\n"
        f"Clopper-Pearson    {interval}, {percentage(sure)}"
    )
    console().print(said)


def needed(
    p: str, other: str, /, *, confidence: str = "95%", power: str = "95%", json: Json = False
) -> None:
    """How many games it takes to tell one probability from another, by the exact binomial test.

    Parameters
    ----------
    p
        The probability that is tested: 1/2.
    other
        The one that should be noticed: 244/495.
    confidence
        How likely, at least, a true probability is not rejected.
    power
        How likely the other is noticed: 95%, 0.8.
    """
    from sevenout.verify import games_needed
    from sevenout.verify.confidence import confidence_of, percentage, probability_of

    sure = confidence_of(confidence)
    tested, true = probability_of("p", p), probability_of("other", other)
    share = probability_of("power", power)
    found = games_needed(tested, true, sure, share)
    if json:
        print_json(
            {
                "p": str(tested),
                "other": str(true),
                "confidence": str(sure),
                "power": float(share),
                "normal": found.normal,
                "first": found.first,
                "stays": found.stays,
            }
        )
        return
    said = (
        f"{found.stays:,} games or more tell {tested} from {true}, "
        f"confidence {percentage(sure)}, power {float(share):.10g}.\n"
        f"the first number of games that does    {found.first:,}\n"
        f"by the normal approximation            {found.normal:,}"
    )
    console().print(said)
