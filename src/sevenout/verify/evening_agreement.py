"""Whether simulated evenings agree with the distribution of the evening."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, sqrt
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import COUNT, PERCENT, ROUNDED, SCORE
from sevenout.numerals import Number
from sevenout.verify.agreement import z_score
from sevenout.verify.confidence import confidence_of
from sevenout.verify.dicetests.fit import chi_square
from sevenout.verify.dicetests.multiple import family_of
from sevenout.verify.dicetests.observed_counts import Check, compare
from sevenout.verify.figures import Confirmed, checked

if TYPE_CHECKING:
    from sevenout.evenings.eveningresult import EveningResult
    from sevenout.simulation.played_evenings.evenings import EveningTally


@dataclass(frozen=True)
class EveningVerdict(Confirmed):
    """The agreement of evenings with their distribution; see `confirm_evenings`.

    Attributes:
        status: of the distribution: "exact", or "certified" with its bound.
        confidence: the least probability that a true distribution passes all tests.
        tests: chi-square over the results and over the ends, and the z-test of the mean result.
        family: the Holm-adjusted p-value of each test.
    """

    name: str
    evenings: int
    status: str
    confidence: Fraction
    ends: tuple[tuple[str, int, Fraction], ...]
    tests: tuple[Check, ...]
    family: Mapping[str, float]

    truth = "distribution"

    @property
    def played(self) -> str:  # type: ignore[override]
        """The number of evenings, in words."""
        return f"{self.evenings:,} evenings"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "evenings": self.evenings,
            "confidence": str(self.confidence),
            "ends": {end: {"seen": n, "probability": float(p)} for end, n, p in self.ends},
            "tests": [check.to_dict() for check in self.tests],
            "family_holm": dict(self.family),
            "agrees": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The ends beside their expected numbers, the tests, and the verdict."""
        columns = [Column("seen", COUNT), Column("expected", ROUNDED.to(1))]
        columns += [Column("z", SCORE), Column("probability", PERCENT)]
        n = self.evenings
        rows = [
            (f"ended by {end}", seen, n * p, z_score(seen - n * p, n * p * (1 - p)), float(p))
            for end, seen, p in self.ends
        ]
        caption = f"{self.evenings:,} evenings played roll by roll ({self.status} probabilities)"
        return Page(
            self.name,
            Table(["", *columns], rows, caption=caption),
            checked(zip(self.family, self.tests, strict=True), 1 - self.confidence),
            self.conclusion(),
        )


def confirm_evenings(
    tally: "EveningTally", result: "EveningResult", *, confidence: Number = "99%"
) -> EveningVerdict:
    """Whether simulated evenings agree with their distribution.

    >>> from sevenout.evenings import evening
    >>> from sevenout.simulation.played_evenings.evenings import simulate_evenings
    >>> tally = simulate_evenings("pass", 10, evenings=20_000, rolls=30)
    >>> confirm_evenings(tally, evening("pass", 10, rolls=30)).agrees
    True
    >>> confirm_evenings(tally, evening("dont-pass", 10, rolls=30)).agrees
    False

    Args:
        tally: the simulator's counts.
        result: the distribution.
        confidence: the least probability that a true distribution passes all tests.

    Raises:
        DataError: a float, or a confidence not between 0 and 1.
    """
    sure = confidence_of(confidence)
    n, law = tally.evenings, dict(result.money.items())
    seen: dict[str, int] = {}
    for (end, _), count in tally.counts.items():
        seen[end] = seen.get(end, 0) + count
    results = chi_square(compare(tally.money, law, ordered=True))
    ends = chi_square(compare(seen, result.ends))
    z = z_score(n * (tally.mean - result.mean), n * result.result.variance)
    mean = Check("mean result", erfc(abs(z) / sqrt(2)), z, note="normal limit, exact variance")
    tests = (results, ends, mean)
    names = ("results, chi-square", "ends, chi-square", "mean result, z")
    family = family_of({name: t.p_value for name, t in zip(names, tests, strict=True)})
    rows = tuple((e, seen.get(e, 0), p) for e, p in result.ends.items())
    rows += tuple((e, count, Fraction(0)) for e, count in seen.items() if e not in result.ends)
    return EveningVerdict(result.name, n, result.status, sure, rows, tests, family)
