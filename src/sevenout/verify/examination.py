"""The reports of `sevenout test dice`: on rolls of dice, and on Weldon's form.

In Weldon's form many dice are thrown together, and the successes counted in each throw.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import as_file, files
from itertools import combinations, pairwise
from math import comb
from os import PathLike
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.documents import Block, Column, Page, Table, Text, Tone, drawings
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, MONO, P_VALUE, ROUNDED, SCORE
from sevenout.documents.numbers import percent, quantity
from sevenout.errors import shown
from sevenout.numerals import Number
from sevenout.rolling import Law, parse_dice
from sevenout.verify.counts import (
    Cells,
    Check,
    DataError,
    cells_of,
    holm_adjusted,
    json_float,
    parse_confidence,
    percentage,
)
from sevenout.verify.planning import smallest_bias
from sevenout.verify.roll_files import Rolls, Sample, read_table
from sevenout.verify.significance_tests import (
    DRAWS,
    MIN_ORDERED_ROLLS,
    ConfidenceInterval,
    Watch,
    bayes_factor,
    binomial_test,
    chi_square,
    clopper_pearson,
    g_test,
    multinomial_test,
    order_tests,
    pairs_test,
)
from sevenout.verify.verdict import JointVerdict, table_of_tests
from sevenout.wrong_arguments import public

MAX_LOOKS = 500
"""The most looks at a sequence; each takes as long as a test of fit."""


@dataclass(frozen=True)
class FaceRow:
    """One face (or total) of a sample.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.roll_files import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {1: 30, 2: 10, 3: 10, 4: 10, 5: 10, 6: 30})
    >>> row = examine(Rolls("mine", d6, (sample,), 100)).samples[0].rows[0]
    >>> row.face, row.count, row.expected, round(row.bias, 2)
    (1, 30, Fraction(50, 3), 0.8)

    Attributes:
        face: the face, or the total.
        question: its question in the family of the verdict.
        count: the times it came up.
        expected: the times expected.
        interval: the Clopper-Pearson interval, jointly for all questions (Bonferroni).
        p_value: of the exact binomial test.
        bias: the relative excess of its frequency.
        smallest_bias: the smallest such bias that the verdict finds with a power of 90 %.
    """

    face: Any
    question: str
    count: int
    expected: Fraction
    interval: ConfidenceInterval
    p_value: float
    bias: float
    smallest_bias: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "face": self.face if isinstance(self.face, int) else str(self.face),
            "count": self.count,
            "expected": float(self.expected),
            "interval": [self.interval.low, self.interval.high],
            "p_value": self.p_value,
            "bias": self.bias,
            "smallest_detectable_bias": self.smallest_bias,
        }


@dataclass(frozen=True)
class SampleReport:
    """The tests of one die, or one total.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.roll_files import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {face: 10 for face in range(1, 7)})
    >>> report = examine(Rolls("mine", d6, (sample,), 60)).samples[0]
    >>> len(report.rows), report.sample.name
    (6, 'd6')

    Attributes:
        sample: the observations.
        rows: the faces, or totals.
        fit: chi-square, G and the exact multinomial test of the same hypothesis.
        order: runs and serial pairs, if the order is known.
        bayes: the Bayes factor of a bias against none (uniform prior for a fair die).
        watch: the anytime-valid test, after its last look.
    """

    sample: Sample
    rows: tuple[FaceRow, ...]
    fit: tuple[Check, Check, Check]
    order: tuple[Check, ...]
    bayes: float
    watch: Watch

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.sample.name,
            "rolls": sum(self.sample.counts.values()),
            "faces": [row.to_dict() for row in self.rows],
            "tests": [check.to_dict() for check in (*self.fit, *self.order)],
            "bayes_factor": json_float(self.bayes),
            "sequential": {
                "e_value": json_float(self.watch.e_value),
                "p_value": self.watch.p_value,
                "rejected_at": self.watch.rejected_at,
            },
        }

    def question_p_values(self) -> Iterator[tuple[str, float]]:
        """The questions of the verdict about this die, with their p-values."""
        name = self.sample.name
        yield f"the shares of {name}", self.fit[-1].p_value
        for row in self.rows:
            yield row.question, row.p_value
        for check in self.order:
            yield f"the {check.name} of {name}", check.p_value
        if self.sample.order is not None:
            yield f"the rolls of {name} as they came", self.watch.p_value

    def tables(self, confidence: Fraction, family: Mapping[str, float]) -> tuple[Table, Table]:
        """Tables of the faces and of the tests; `family` has the Holm-adjusted p-values."""
        return self._face_table(confidence, family), self._test_table(confidence, family)

    def _face_table(self, confidence: Fraction, family: Mapping[str, float]) -> Table:
        """A row for each face: its count, its share with an interval, and its test."""
        n = sum(self.sample.counts.values())
        interval = f"{percentage(confidence)}, all questions (Bonferroni)"
        columns = ["face", Column("count", COUNT), Column("share", DECIMAL.with_digits(4))]
        columns += [Column("should be", DECIMAL.with_digits(4)), Column("too often", LABEL)]
        columns += [Column("p, Holm", P_VALUE), Column(interval, MONO)]

        # the bars of a table share a scale, which the widest interval fills
        shares = [float(row.expected) / n for row in self.rows]
        span = max(
            max(row.interval.high - share, share - row.interval.low)
            for row, share in zip(self.rows, shares, strict=True)
        )
        rows: list[tuple[object, ...]] = []
        tones: dict[int, Tone] = {}
        for k, row in enumerate(self.rows):
            seen, should = row.count / n, float(row.expected) / n
            bar = drawings.interval(row.interval.low, row.interval.high, seen, should, span)
            often = f"{100 * row.bias:+.3g} %"
            p = family[row.question]
            rows.append((str(row.face), row.count, seen, row.expected / n, often, p, bar))
            if p <= 1 - confidence:
                tones[k] = "bad"
        return Table(columns, rows, caption=f"{self.sample.name}: {n:,} rolls", tones=tones)

    def _test_table(self, confidence: Fraction, family: Mapping[str, float]) -> Table:
        """A row for each test of the sample, and one for the smallest bias that would show."""
        name, biases = self.sample.name, [row.smallest_bias for row in self.rows]
        checks = [(check.name, check, "") for check in self.fit[:-1]]
        checks.append((self.fit[-1].name, self.fit[-1], f"the shares of {name}"))
        checks += [(check.name, check, f"the {check.name} of {name}") for check in self.order]
        if self.sample.order is not None:
            anytime = self._anytime_check
            checks.append((anytime.name, anytime, f"the rolls of {name} as they came"))
        # one number if all faces are alike
        ends = dict.fromkeys(f"{100 * bias:.3g} %" for bias in (min(biases), max(biases)))
        bias_row = "smallest bias", " to ".join(ends), "", "of a face, shown 9 times in 10"
        return table_of_tests(checks, family, 1 - confidence, bias_row)

    @property
    def _anytime_check(self) -> Check:
        """The anytime-valid test as a line of the table."""
        watch, roll = self.watch, self.watch.rejected_at
        note = f"e-value; by itself {'never rejected' if roll is None else f'at roll {roll:,}'}"
        return Check("anytime-valid", watch.p_value, watch.e_value, note=note)


@dataclass(frozen=True)
class Examination(JointVerdict):
    """The tests of a file of rolls.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.roll_files import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {face: 10 for face in range(1, 7)})
    >>> examine(Rolls("mine", d6, (sample,), 60)).verdict[:33]
    'No evidence against these dice in'

    Attributes:
        rolls: the file.
        confidence: of the verdict, jointly for all tests.
        samples: the tests of each die, or of the total.
        pairs: the independence test of each pair of dice.
        totals: chi-square of the totals; None for one die or if they are unknown.
        family: the tests of the verdict, with Holm-adjusted p-values.
    """

    rolls: Rolls
    confidence: Fraction
    samples: tuple[SampleReport, ...]
    pairs: tuple[Check, ...]
    totals: Check | None
    family: Mapping[str, float]

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.agrees:
            n = self.rolls.n
            text = f"No evidence against these dice in {quantity(n, 'roll')}."
            # a bias of 1 or more: with so few rolls even twice as often goes unnoticed
            rows = [r for report in self.samples for r in report.rows if 0 < r.smallest_bias < 1]
            if not rows:
                return f"{text} So few rolls often miss a face that comes up twice as often."
            worst = max(rows, key=lambda row: row.smallest_bias)
            bias = worst.smallest_bias
            # of a fair die one number holds for every face
            alike = min(row.smallest_bias for row in rows) > 0.999 * bias
            return (
                f"{text} A {'face' if alike else worst.face} that comes up {100 * bias:.3g} % too "
                "often would have been noticed nine times in ten."
            )
        text = f"These dice are not what they should be: {self.rejections}."
        return " ".join([text, *self._biased_faces()])

    def _biased_faces(self) -> Iterator[str]:
        """A sentence for each face whose frequency is rejected."""
        for report in self.samples:
            n = sum(report.sample.counts.values())
            for row in report.rows:
                if self.family[row.question] <= self.level:
                    seen = percent(Fraction(row.count, n), 2)
                    yield (
                        f"{report.sample.name}: {row.face} comes up {seen} of the time instead of "
                        f"{percent(row.expected / n, 2)}."
                    )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.rolls.source,
            "dice": str(self.rolls.dice),
            "rolls": self.rolls.n,
            "confidence": str(self.confidence),
            "samples": [report.to_dict() for report in self.samples],
            "pairs": [check.to_dict() for check in self.pairs],
            "totals": self.totals.to_dict() if self.totals else None,
            "family_holm": dict(self.family),
            "fair": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The faces, the tests, and the verdict."""
        blocks: list[Block] = []
        for report in self.samples:
            blocks += report.tables(self.confidence, self.family)
        joint_checks = [(c.name, c, f"the independence of {c.name}") for c in self.pairs]
        if self.totals is not None:
            joint_checks.append(("totals, chi-square", self.totals, ""))
        if joint_checks:
            blocks.append(
                table_of_tests(joint_checks, self.family, self.level, caption="Several dice")
            )
        return Page("", *blocks, self.conclusion())


@public
def examine(rolls: Rolls, confidence: Number = "95%", seed: int = 1) -> Examination:
    """Every test that the data allow, and one verdict.

    The verdict uses, for each die, the exact multinomial test and the exact binomial test of each
    face. If the order is known, it also uses runs, serial pairs, the anytime-valid test, and each
    pair of dice. Chi-square, G and the totals repeat these, and are only shown.

    >>> from sevenout.rolling import d6, Dice
    >>> die = Sample("d6", d6.law, {1: 90, 2: 90, 3: 90, 4: 90, 5: 90, 6: 150})
    >>> report = examine(Rolls("counts", Dice([d6]), (die,), 600))
    >>> report.agrees, report.rejections
    (False, 'the shares of d6 (p = 0.0003); the frequency of 6, d6 (p = 1.6e-06)')

    `confidence` is the least probability that fair dice pass; `seed` is for Monte Carlo p-values.
    """
    exact_confidence = parse_confidence(confidence)
    ordered = [s for s in rolls.samples if s.order is not None]
    questions = sum(1 + len(s.law) for s in rolls.samples) + len(ordered) + comb(len(ordered), 2)
    # runs and serial pairs, which `order_tests` makes of as many rolls
    questions += 2 * sum(
        len(s.order or ()) >= MIN_ORDERED_ROLLS and len(s.law) > 1 for s in ordered
    )
    samples = tuple(_examine(s, exact_confidence, questions, seed) for s in rolls.samples)
    pairs = tuple(
        pairs_test(a.order or (), b.order or (), name=f"{a.name} and {b.name}", seed=seed)
        for a, b in combinations(ordered, 2)
    )
    totals = rolls.totals
    p_values: dict[str, float] = {}
    for report in samples:
        p_values |= dict(report.question_p_values())
    for check in pairs:
        p_values[f"the independence of {check.name}"] = check.p_value
    # where only totals are known they are the sample, and tested already
    totals_check = chi_square(totals.cells) if totals and totals is not rolls.samples[0] else None
    return Examination(
        rolls, exact_confidence, samples, pairs, totals_check, holm_adjusted(p_values)
    )


def _examine(sample: Sample, confidence: Fraction, questions: int, seed: int) -> SampleReport:
    """The tests of one sample; `questions` is how many questions share the error of all tests."""
    cells = sample.cells
    face_count, n = len(cells.outcomes), cells.n
    afford(
        f"a test of {face_count:,} faces by Monte Carlo",
        seconds=face_count * DRAWS * 1.2e-7,
        instead="test fewer",
    )
    # many faces have equal counts
    test_once, interval_once = cache(binomial_test), cache(clopper_pearson)
    # a bias that only the fit finds must survive Holm's correction over all tests
    single_confidence = 1 - (1 - confidence) / questions
    smallest = {cells.outcomes[0]: 0.0}
    if face_count > 1:
        smallest = smallest_bias(sample.law, n, single_confidence)
    rows = [
        FaceRow(
            face,
            f"the frequency of {face}, {sample.name}",
            times,
            n * p,
            interval_once(times, n, single_confidence),
            test_once(times, n, p).p_value,
            float(times / (n * p)) - 1,
            smallest[face],
        )
        for face, times, p in zip(cells.outcomes, cells.observed, cells.probabilities, strict=True)
    ]
    fit = (chi_square(cells), g_test(cells), multinomial_test(cells, seed=seed))
    counts = dict(zip(cells.outcomes, cells.observed, strict=True))
    order = order_tests(counts, Counter(pairwise(sample.order)), seed) if sample.order else ()
    watch = Watch.starting(sample.law, confidence)
    for new_counts in _looks(sample):
        watch = watch.look(new_counts)
    return SampleReport(sample, tuple(rows), fit, order, bayes_factor(cells), watch)


def _looks(sample: Sample) -> Iterator[Mapping[Any, int]]:
    """The counts of a sample, part by part in the order of its rolls, for the anytime test."""
    # counts are one look, at the end
    if sample.order is None:
        yield sample.counts
        return
    step = -(-len(sample.order) // MAX_LOOKS)
    for start in range(0, len(sample.order), step):
        yield Counter(sample.order[start : start + step])


@dataclass(frozen=True)
class SuccessCounts:
    """The distribution of successes over throws.

    >>> data = SuccessCounts("mine", 2, Fraction(1, 3), {0: 4, 1: 4, 2: 1})
    >>> data.throws, data.rolled, data.hits
    (9, 18, 6)

    Attributes:
        source: the file, or the publication.
        dice: their number in a throw.
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
        return cells_of(self.counts, binomial(self.dice, self.p if p is None else p), ordered=True)


def binomial(n: int, p: Fraction) -> Law:
    """The distribution of the number of successes among n.

    >>> dict(binomial(2, Fraction(1, 3)))
    {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    """
    hit, miss = p.numerator, p.denominator - p.numerator
    return Law({k: comb(n, k) * hit**k * miss ** (n - k) for k in range(n + 1)})


@public
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
    outcomes = {str(k): k for k in range(n + 1)}
    table = read_table(path, {*outcomes})
    if table.width != 2:
        cells = table.rows[0]
        raise table.error(
            table.line_numbers[0],
            f"{shown(','.join(cells))} has {len(cells)} columns; write two: the successes in a "
            "throw, and the number of such throws",
        )
    counts = table.counts(outcomes, f"a number of successes with {n} dice")
    return SuccessCounts(str(path), n, p, counts)


def weldon() -> SuccessCounts:
    """Weldon's 26,306 throws of twelve dice (1894), from Pearson (1900): fives and sixes.

    >>> float(round(Fraction(weldon().hits, weldon().rolled), 4))
    0.3377
    """
    with as_file(files("sevenout.verify") / "data" / "weldon.csv") as path:
        successes = read_successes(path, "12d6", [5, 6])
    source = "W. F. R. Weldon 1894, in K. Pearson, Phil. Mag. (5) 50 (1900) 157-175"
    return SuccessCounts(source, successes.dice, successes.p, successes.counts)


@dataclass(frozen=True)
class SuccessReport(JointVerdict):
    """The tests of dice thrown together.

    >>> report = examine_successes(weldon())
    >>> round(report.bias, 4), report.refit.p_value > 0.05
    (0.0131, True)

    Attributes:
        successes: the throws.
        confidence: of the verdict.
        checks: the whole table against fair dice.
        share: the exact test of the share of successes.
        fitted: the observed share.
        interval: the Clopper-Pearson interval of the share.
        refit: the table against dice with the fitted share.
        bayes: the Bayes factor of a bias against none, with prior Beta(2p, 2(1-p)) on the share.
        family: the tests of the verdict (share and table), Holm-adjusted.
    """

    successes: SuccessCounts
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
        return float(self.fitted / self.successes.p) - 1

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        share = f"a success comes up with frequency {float(self.fitted):.4f}"
        if self.agrees:
            return f"No evidence against these dice: {share}."
        # the share is right and the table is not: dice that differ, or that depend on one another
        if "share" not in self.rejecting_tests:
            return (
                f"These dice are not alike, or not independent: {share}, which is as it should be, "
                "but the throws do not follow the binomial distribution "
                f"(p = {self.family['table']:.2g})."
            )
        gap = f"{percent(abs(self.bias), 2)} too {'often' if self.bias > 0 else 'seldom'}"
        text = (
            f"These dice are biased: {share} and not {float(self.successes.p):.4f}, "
            f"{gap} (p = {self.family['share']:.2g})."
        )
        if self.refit.p_value > self.level:
            return f"{text} With that one bias the table fits (p = {self.refit.p_value:.2g})."
        return f"{text} That alone does not explain the table (p = {self.refit.p_value:.2g})."

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.successes.source,
            "throws": self.successes.throws,
            "dice": self.successes.dice,
            "p": str(self.successes.p),
            "hits": self.successes.hits,
            "counts": {str(k): n for k, n in self.successes.counts.items()},
            "confidence": str(self.confidence),
            "tests": [check.to_dict() for check in (*self.checks, self.share)],
            "family_holm": dict(self.family),
            "fitted": float(self.fitted),
            "interval": [self.interval.low, self.interval.high],
            "bias": self.bias,
            "refit": self.refit.to_dict(),
            "bayes_factor": json_float(self.bayes),
            "fair": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The throws beside their expected numbers, the tests, and the verdict."""
        successes, fitted = self.successes, float(self.fitted)
        cells = successes.cells()
        # a share of 0 or 1 leaves no distribution to fit
        refit = successes.cells(self.fitted).expected if 0 < self.fitted < 1 else None
        rows: list[tuple[object, ...]] = []
        for i, (k, seen, expected) in enumerate(
            zip(cells.outcomes, cells.observed, cells.expected, strict=True)
        ):
            # an expected number may be too small for a float
            pull = float(seen - expected) / max(float(expected), 1e-9) ** 0.5
            bar = ("+" if pull > 0 else "-") * min(30, round(abs(pull) * 3))
            rows.append((k, seen, expected, refit[i] if refit else "", pull, bar))
        columns = [Column("successes", COUNT), Column("throws", COUNT)]
        columns += [
            Column(f"p = {p}", ROUNDED.with_digits(1)) for p in (successes.p, f"{fitted:.4f}")
        ]
        columns += [Column("seen less expected", SCORE.with_digits(1, sign=True))]
        columns += [Column("in standard deviations", MONO)]
        # chi-square and G repeat the exact test of the table
        questions = ("", "", "table")
        checks = [
            (f"table, {check.name}", check, question)
            for check, question in zip(self.checks, questions, strict=True)
        ]
        checks.append((f"share, {self.share.name}", self.share, "share"))
        checks.append((f"chi-square, p = {fitted:.4f}", self.refit, ""))
        interval = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        share = "fitted share", fitted, "", f"{interval} ({percentage(self.confidence)}, alone)"
        return Page(
            "",
            Text(successes.source, tone="note"),
            Table(columns, rows, caption=f"{successes.throws:,} throws of {successes.dice} dice"),
            table_of_tests(checks, self.family, self.level, share),
            self.conclusion(),
        )


@public
def examine_successes(
    data: SuccessCounts, confidence: Number = "95%", seed: int = 1
) -> SuccessReport:
    """The tests of dice thrown together.

    >>> report = examine_successes(weldon())
    >>> round(report.checks[0].statistic, 2), report.agrees, round(report.bias, 4)
    (35.49, False, 0.0131)
    """
    exact_confidence = parse_confidence(confidence)
    cells, fitted = data.cells(), Fraction(data.hits, data.rolled)
    # a share of 0 or 1 leaves no distribution to fit
    refit = cells if not 0 < fitted < 1 else data.cells(fitted)
    hit_cells = cells_of(
        {True: data.hits, False: data.rolled - data.hits},
        {True: data.p, False: 1 - data.p},
    )
    checks = (chi_square(cells), g_test(cells), multinomial_test(cells, seed=seed))
    share = binomial_test(data.hits, data.rolled, data.p)
    return SuccessReport(
        data,
        exact_confidence,
        checks,
        share,
        fitted,
        clopper_pearson(data.hits, data.rolled, exact_confidence),
        chi_square(refit, fitted=1),
        bayes_factor(hit_cells),
        holm_adjusted({"share": share.p_value, "table": checks[-1].p_value}),
    )
