"""The least fault that a log shows nine times in ten, question by question.

A log that conforms has no fault of that size, most likely; a smaller one it may have missed. Each
test is taken at the level that Holm's correction leaves it when it is the first to reject. Shares
are planned by the exact binomial distribution, chi-square tests by the noncentral distribution
(Cohen's effect size w, the root of Σ (q - p)²/p over all cells), means and runs by the normal
distribution. The functions that plan how many games it takes give all of them.
"""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from sevenout.page.numbers import percent
from sevenout.verify.planning import least_share, noncentrality, reach, smallest_bias

POWER = 0.9
"""How often the least fault is found."""


class Detectable(NamedTuple):
    """The least fault that is found with 90 %.

    Attributes:
        fault: how large it is.
        of: "face" (its share, of itself), "share" (of all games), "repeats" (of all rolls),
            "rolls" (of the mean), or "w" (Cohen's effect size).
    """

    fault: float
    of: str

    def __str__(self) -> str:
        if self.of == "w":
            return f"an effect size w of {self.fault:.3g}"
        if self.of == "rolls":
            return f"a mean that is off by {self.fault:.3g} rolls"
        words = {
            "face": "a face too often by {} of its share",
            "share": "{} of all games, too many",
            "repeats": "{} of all rolls, too many repeat the one before",
        }
        return words[self.of].format(percent(self.fault, 2))


Plan = Callable[[Fraction], Detectable | None]
"""From the level of a test its least fault; None if it finds none."""


def of_faces(law: Mapping[Any, Fraction], n: int) -> Plan:
    """A goodness-of-fit test of n rolls: the bias of a face, each of which is found.

    >>> from sevenout.dice import d6
    >>> str(of_faces(d6.law, 6_000)(Fraction(1, 20)))
    'a face too often by 11.72 % of its share'
    """

    def least(level: Fraction) -> Detectable | None:
        if len(law) < 2:
            return None
        return Detectable(max(smallest_bias(law, n, 1 - level, POWER).values()), "face")

    return least


def of_cells(df: int | None, n: int) -> Plan:
    """A chi-square test with this many degrees of freedom on n observations.

    >>> str(of_cells(25, 10_000)(Fraction(1, 100)))
    'an effect size w of 0.0605'
    """

    def least(level: Fraction) -> Detectable | None:
        if not df:
            return None
        return Detectable(sqrt(noncentrality(df, 1 - level, POWER) / n), "w")

    return least


def of_share(p: Fraction, games: int) -> Plan:
    """The exact two-sided binomial test of this many games: what is too many.

    >>> str(of_share(Fraction(1, 2), 1_000)(Fraction(1, 100)))
    '6.16 % of all games, too many'
    """

    def least(level: Fraction) -> Detectable | None:
        seen = least_share(p, games, level / 2, POWER)
        return None if seen is None else Detectable(seen - float(p), "share")

    return least


def of_mean(variance: Fraction | float, n: int, of: str = "rolls") -> Plan:
    """The two-sided z-test of a mean of n.

    >>> str(of_mean(Fraction(9), 10_000)(Fraction(1, 20)))
    'a mean that is off by 0.0972 rolls'
    """

    def least(level: Fraction) -> Detectable | None:
        off = reach((1.0, 1.0), level / 2, POWER) * sqrt(variance / n)
        return Detectable(off, of) if variance > 0 else None

    return least


def of_runs(law: Mapping[Any, Fraction], n: int) -> Plan:
    """The runs test of n rolls, whose variance a roll is s(1 + s) - 2c, s = Σ p², c = Σ p³."""
    squares, cubes = (sum((p**k for p in law.values()), Fraction(0)) for k in (2, 3))
    return of_mean(squares * (1 + squares) - 2 * cubes, n, "repeats")


def missed(
    plans: Mapping[str, Plan], asked: Collection[str], level: Fraction
) -> dict[str, Detectable]:
    """The least fault of each question that was asked, where it finds any.

    Args:
        plans: of the questions.
        asked: the questions.
        level: what all of them share.
    """
    found = {q: plans[q](level / len(asked)) for q in asked if q in plans}
    return {question: least for question, least in found.items() if least is not None}
