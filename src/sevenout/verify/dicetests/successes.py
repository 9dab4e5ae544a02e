"""Weldon's form: many dice thrown together, and the successes counted in each throw."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import as_file, files
from math import comb
from os import PathLike
from typing import Any

from sevenout.documents import Column, Page, Table, Text
from sevenout.documents.kinds import COUNT, MONO, ROUNDED, SCORE
from sevenout.documents.numbers import percent
from sevenout.errors import shown
from sevenout.files import named
from sevenout.numerals import Number
from sevenout.rolling import Law, parse_dice
from sevenout.verify.confidence import confidence_of, percentage
from sevenout.verify.dicetests.evidence import bayes_factor
from sevenout.verify.dicetests.fit import chi_square, g_test, multinomial_test
from sevenout.verify.dicetests.multiple import family_of
from sevenout.verify.dicetests.observed_counts import Cells, Check, DataError, compare, finite
from sevenout.verify.dicetests.proportion import ConfidenceInterval, binomial_test, clopper_pearson
from sevenout.verify.figures import JointVerdict, checked, odds_text
from sevenout.verify.logs.recorded import read_counts, read_table


@dataclass(frozen=True)
class SuccessCounts:
    """The distribution of successes over throws.

    >>> data = SuccessCounts("mine", 2, Fraction(1, 3), {0: 4, 1: 4, 2: 1})
    >>> data.throws, data.rolled, data.hits
    (9, 18, 6)

    Attributes:
        p: the probability of success of one die.
        counts: the number of throws by number of successes.
    """

    source: str
    dice: int
    p: Fraction
    counts: Mapping[int, int]

    @property
    def throws(self) -> int:
        """The number of throws."""
        return sum(self.counts.values())

    @property
    def rolled(self) -> int:
        """The number of dice in all throws."""
        return self.throws * self.dice

    @property
    def hits(self) -> int:
        """The number of successes in all throws."""
        return sum(k * count for k, count in self.counts.items())

    def cells(self, p: Fraction | None = None) -> Cells:
        """The counts beside the binomial distribution with this p, or with that of the dice."""
        return compare(self.counts, binomial(self.dice, self.p if p is None else p), ordered=True)


def binomial(n: int, p: Fraction) -> Law:
    """The distribution of the number of successes among n.

    >>> dict(binomial(2, Fraction(1, 3)))
    {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    """
    hit, miss = p.numerator, p.denominator - p.numerator
    return Law({k: comb(n, k) * hit**k * miss ** (n - k) for k in range(n + 1)})


def read_successes(
    path: str | PathLike[str], dice: str, success: Iterable[Hashable]
) -> SuccessCounts:
    """A CSV file of two columns: successes in a throw, and throws with that many successes.

    Args:
        path: the file; its header may have any names.
        dice: the dice, all alike, such as "12d6".
        success: the faces that count as a success.

    >>> weldon().hits, weldon().rolled
    (106602, 315672)

    Raises:
        DataError: a bad file, with its line and value; dice that differ; an unknown face.
    """
    parsed = parse_dice(dice)
    die, success = parsed.dice[0], frozenset(success)
    if any(other != die for other in parsed.dice):
        raise DataError(f"{dice} are not identical; count successes over identical dice")
    for face in sorted(success - set(die.faces), key=str):
        raise DataError(f"the success {face!r} is not a face of {die}")
    p = die.law.p(lambda face: face in success)
    if not 0 < p < 1:
        raise DataError(f"{len(success)} faces of {die} are a success; name some, but not all")
    n = len(parsed)
    _, lines = read_table(path, {str(k) for k in range(n + 1)})
    if len(lines[0][1]) != 2:
        line, cells = lines[0]
        raise DataError(
            f"{named(path)}, line {line}: {shown(','.join(cells))} has {len(cells)} columns; "
            "write two: the successes in a throw, and the number of such throws"
        )
    outcomes = {str(k): k for k in range(n + 1)}
    counts = read_counts(path, lines, outcomes, f"a number of successes with {n} dice")
    return SuccessCounts(str(path), n, p, counts)


def weldon() -> SuccessCounts:
    """Weldon's 26,306 throws of twelve dice (1894), from Pearson (1900): fives and sixes.

    >>> float(round(Fraction(weldon().hits, weldon().rolled), 4))
    0.3377
    """
    with as_file(files("sevenout.verify") / "data" / "weldon.csv") as path:
        read = read_successes(path, "12d6", [5, 6])
    source = "W. F. R. Weldon 1894, in K. Pearson, Phil. Mag. (5) 50 (1900) 157-175"
    return SuccessCounts(source, read.dice, read.p, read.counts)


@dataclass(frozen=True)
class SuccessReport(JointVerdict):
    """The tests of dice thrown together.

    >>> report = examine_successes(weldon())
    >>> round(report.bias, 4), report.refit.p_value > 0.05
    (0.0131, True)

    Attributes:
        confidence: of the verdict.
        checks: the whole table against fair dice.
        share: the exact test of the share of successes.
        fitted: the observed share.
        interval: the Clopper-Pearson interval of the share.
        refit: the table against dice with the fitted share.
        bayes: the Bayes factor of a bias against none, with prior Beta(2p, 2(1-p)) on the share.
        family: the tests of the verdict (share and table), Holm-adjusted.
    """

    data: SuccessCounts
    confidence: Fraction
    checks: tuple[Check, ...]
    share: Check
    fitted: Fraction
    interval: ConfidenceInterval
    refit: Check
    bayes: float
    family: Mapping[str, float]

    @property
    def bias(self) -> float:
        """The relative excess of the share of successes."""
        return float(self.fitted / self.data.p) - 1

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        found = f"a success comes up with frequency {float(self.fitted):.4f}"
        if self.agrees:
            return f"No evidence against these dice: {found}."
        if "share" not in self.odd:
            return (
                f"These dice are not alike, or not independent: {found}, which is as it should be, "
                "but the throws do not follow the binomial distribution "
                f"(p = {self.family['table']:.2g})."
            )
        gap = f"{percent(abs(self.bias), 2)} too {'often' if self.bias > 0 else 'seldom'}"
        text = (
            f"These dice are biased: {found} and not {float(self.data.p):.4f}, "
            f"{gap} (p = {self.family['share']:.2g})."
        )
        if self.refit.p_value > self.level:
            return f"{text} With that one bias the table fits (p = {self.refit.p_value:.2g})."
        return f"{text} That alone does not explain the table (p = {self.refit.p_value:.2g})."

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.data.source,
            "throws": self.data.throws,
            "dice": self.data.dice,
            "p": str(self.data.p),
            "hits": self.data.hits,
            "counts": {str(k): n for k, n in self.data.counts.items()},
            "confidence": str(self.confidence),
            "tests": [check.to_dict() for check in (*self.checks, self.share)],
            "family_holm": dict(self.family),
            "fitted": float(self.fitted),
            "interval": [self.interval.low, self.interval.high],
            "bias": self.bias,
            "refit": self.refit.to_dict(),
            "bayes_factor": finite(self.bayes),
            "fair": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The throws beside their expected numbers, the tests, and the verdict."""
        data, fitted = self.data, float(self.fitted)
        fair, seen = data.cells(), data.cells(self.fitted) if 0 < self.fitted < 1 else None
        rows: list[tuple[object, ...]] = []
        for i, k in enumerate(fair.outcomes):
            pull = (fair.observed[i] - fair.expected[i]) / max(float(fair.expected[i]), 1e-9) ** 0.5
            bar = ("+" if pull > 0 else "-") * min(30, round(abs(pull) * 3))
            as_seen = seen.expected[i] if seen else ""
            rows.append((k, fair.observed[i], fair.expected[i], as_seen, float(pull), bar))
        columns = [Column("successes", COUNT), Column("throws", COUNT)]
        columns += [Column(f"p = {p}", ROUNDED.to(1)) for p in (data.p, f"{fitted:.4f}")]
        columns += [Column("seen less expected", SCORE.to(1, sign=True))]
        columns += [Column("in standard deviations", MONO)]
        checks = [(f"table, {check.name}", check) for check in self.checks]
        checks += [(f"share, {self.share.name}", self.share)]
        checks += [(f"chi-square, p = {fitted:.4f}", self.refit)]
        interval = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        return Page(
            "",
            Text(data.source, tone="note"),
            Table(columns, rows, caption=f"{data.throws:,} throws of {data.dice} dice"),
            checked(
                checks,
                self.level,
                ("Bayes factor", "", "", odds_text(self.bayes)),
                ("fitted share", fitted, "", f"{interval} ({percentage(self.confidence)}, alone)"),
            ),
            self.conclusion(),
        )


def examine_successes(
    data: SuccessCounts, confidence: Number = "95%", seed: int = 1
) -> SuccessReport:
    """The tests of dice thrown together.

    >>> report = examine_successes(weldon())
    >>> round(report.checks[0].statistic, 2), report.agrees, round(report.bias, 4)
    (35.49, False, 0.0131)
    """
    sure = confidence_of(confidence)
    cells, fitted = data.cells(), Fraction(data.hits, data.rolled)
    refit = cells if not 0 < fitted < 1 else data.cells(fitted)
    hits = compare(
        {True: data.hits, False: data.rolled - data.hits}, {True: data.p, False: 1 - data.p}
    )
    checks = (chi_square(cells), g_test(cells), multinomial_test(cells, seed=seed))
    share = binomial_test(data.hits, data.rolled, data.p)
    return SuccessReport(
        data,
        sure,
        checks,
        share,
        fitted,
        clopper_pearson(data.hits, data.rolled, sure),
        chi_square(refit, fitted=1),
        bayes_factor(hits),
        family_of({"share": share.p_value, "table": checks[-1].p_value}),
    )
