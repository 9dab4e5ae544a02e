"""The least fault that each test of a log finds with a power of 90 %.

Each test has the level that Holm's correction leaves it if it is the first to reject. Shares are
planned by the exact binomial distribution, chi-square tests by the noncentral distribution with
Cohen's effect size w, the root of Σ (q - p)²/p over the cells. Means and runs use the normal
distribution.
"""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from sevenout.documents.numbers import percent
from sevenout.verify.planning import least_share, noncentrality, reach, smallest_bias

POWER = 0.9
"""The power at which a fault is detectable."""


class Detectable(NamedTuple):
    """The least fault found with a power of 90 %.

    Attributes:
        of: its unit: "face" (relative share), "share" (of games), "repeats" (of rolls),
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
"""The least fault as a function of the test's level; None if it finds none."""


def of_faces(law: Mapping[Any, Fraction], n: int) -> Plan:
    """The relative bias of a face that a goodness-of-fit test of n rolls finds.

    >>> from sevenout.rolling import d6
    >>> str(of_faces(d6.law, 6_000)(Fraction(1, 20)))
    'a face too often by 11.72 % of its share'
    """

    def least(level: Fraction) -> Detectable | None:
        if len(law) < 2:
            return None
        return Detectable(max(smallest_bias(law, n, 1 - level, POWER).values()), "face")

    return least


def of_cells(df: int | None, n: int) -> Plan:
    """The fault that a chi-square test with `df` degrees of freedom finds in n observations.

    >>> str(of_cells(25, 10_000)(Fraction(1, 100)))
    'an effect size w of 0.0605'
    """

    def least(level: Fraction) -> Detectable | None:
        if not df:
            return None
        return Detectable(sqrt(noncentrality(df, 1 - level, POWER) / n), "w")

    return least


def of_share(p: Fraction, games: int) -> Plan:
    """The excess share that the exact two-sided binomial test finds.

    >>> str(of_share(Fraction(1, 2), 1_000)(Fraction(1, 100)))
    '6.16 % of all games, too many'
    """

    def least(level: Fraction) -> Detectable | None:
        seen = least_share(p, games, level / 2, POWER)
        return None if seen is None else Detectable(seen - float(p), "share")

    return least


def of_mean(variance: Fraction | float, n: int, of: str = "rolls") -> Plan:
    """The fault that the two-sided z-test of a mean of n finds.

    >>> str(of_mean(Fraction(9), 10_000)(Fraction(1, 20)))
    'a mean that is off by 0.0972 rolls'
    """

    def least(level: Fraction) -> Detectable | None:
        off = reach((1.0, 1.0), level / 2, POWER) * sqrt(variance / n)
        return Detectable(off, of) if variance > 0 else None

    return least


def of_runs(law: Mapping[Any, Fraction], n: int) -> Plan:
    """The fault that the runs test finds.

    Its variance per roll is s(1 + s) - 2c, s = Σ p², c = Σ p³.
    """
    squares, cubes = (sum((p**k for p in law.values()), Fraction(0)) for k in (2, 3))
    return of_mean(squares * (1 + squares) - 2 * cubes, n, "repeats")


def missed(
    plans: Mapping[str, Plan], asked: Collection[str], level: Fraction
) -> dict[str, Detectable]:
    """The least fault of each test that was made, if it finds any.

    `level` is that of the whole family.
    """
    found = {q: plans[q](level / len(asked)) for q in asked if q in plans}
    return {question: least for question, least in found.items() if least is not None}
