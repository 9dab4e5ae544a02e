"""The report of `sevenout dice test` on a file of rolls."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb
from typing import Any

from sevenout.cost import afford
from sevenout.documents import Block, Column, Page, Table, Tone
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, MONO, P_VALUE
from sevenout.documents.numbers import many, percent
from sevenout.numerals import Number
from sevenout.verify.confidence import confidence_of, percentage
from sevenout.verify.dicetests.evidence import Watch, bayes_factor
from sevenout.verify.dicetests.fit import DRAWS, chi_square, g_test, multinomial_test
from sevenout.verify.dicetests.independence import FEW, in_order, pairs_test
from sevenout.verify.dicetests.multiple import family_of, holm
from sevenout.verify.dicetests.observed_counts import Check, finite
from sevenout.verify.dicetests.proportion import ConfidenceInterval, binomial_test, clopper_pearson
from sevenout.verify.figures import JointVerdict, checked, interval_bar, odds_text
from sevenout.verify.logs.recorded import Rolls, Sample
from sevenout.verify.planning import smallest_bias

LOOKS = 500
"""The most looks at a sequence."""


@dataclass(frozen=True)
class FaceRow:
    """One face (or total) of a sample.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.logs.recorded import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {1: 30, 2: 10, 3: 10, 4: 10, 5: 10, 6: 30})
    >>> row = examine(Rolls("mine", d6, (sample,), 100)).samples[0].rows[0]
    >>> row.face, row.count, row.expected, round(row.bias, 2)
    (1, 30, Fraction(50, 3), 0.8)

    Attributes:
        interval: the Clopper-Pearson interval, jointly for all faces (Bonferroni).
        p_value: of the exact binomial test, Holm-adjusted over the faces.
        bias: the relative excess of its frequency.
        smallest: the smallest such bias that the verdict finds with a power of 90 %.
    """

    face: Any
    count: int
    expected: Fraction
    interval: ConfidenceInterval
    p_value: float
    bias: float
    smallest: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "face": self.face if isinstance(self.face, int) else str(self.face),
            "count": self.count,
            "expected": float(self.expected),
            "interval": [self.interval.low, self.interval.high],
            "p_value_holm": self.p_value,
            "bias": self.bias,
            "smallest_detectable_bias": self.smallest,
        }


@dataclass(frozen=True)
class SampleReport:
    """The tests of one die, or one total.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.logs.recorded import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {face: 10 for face in range(1, 7)})
    >>> report = examine(Rolls("mine", d6, (sample,), 60)).samples[0]
    >>> len(report.rows), report.sample.name
    (6, 'd6')

    Attributes:
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
            "bayes_factor": finite(self.bayes),
            "sequential": {
                "e_value": finite(self.watch.e_value),
                "p_value": self.watch.p_value,
                "rejected_at": self.watch.rejected_at,
            },
        }

    def blocks(self, sure: Fraction) -> tuple[Table, Table]:
        """Tables of the faces and of the tests."""
        return self._by_face(sure), self._tests(sure)

    def _by_face(self, sure: Fraction) -> Table:
        n = sum(self.sample.counts.values())
        interval = f"{percentage(sure)}, all faces (Bonferroni)"
        columns = ["face", Column("count", COUNT), Column("share", DECIMAL.to(4))]
        columns += [Column("should be", DECIMAL.to(4)), Column("too often", LABEL)]
        columns += [Column("p (Holm)", P_VALUE), Column(interval, MONO)]

        def reach(row: FaceRow) -> float:
            should = float(row.expected) / n
            return max(row.interval.high - should, should - row.interval.low)

        span = max(map(reach, self.rows))
        rows: list[tuple[object, ...]] = []
        tones: dict[int, Tone] = {}
        for k, row in enumerate(self.rows):
            seen, should = row.count / n, float(row.expected) / n
            bar = interval_bar(row.interval.low, row.interval.high, seen, should, span)
            often = f"{100 * row.bias:+.3g} %"
            cells = (str(row.face), row.count, seen, row.expected / n, often, row.p_value, bar)
            rows.append(cells)
            if row.p_value <= 1 - sure:
                tones[k] = "bad"
        return Table(columns, rows, caption=f"{self.sample.name}: {n:,} rolls", tones=tones)

    def _tests(self, sure: Fraction) -> Table:
        watch, faces = self.watch, [row.smallest for row in self.rows]
        if self.sample.order is None:
            looked = f"{'' if watch.rejected else 'not '}rejected at its one look"
        else:
            at = watch.rejected_at
            looked = "never rejected" if at is None else f"rejected at roll {at:,}"
        ends = dict.fromkeys(f"{100 * bias:.3g} %" for bias in (min(faces), max(faces)))
        return checked(
            ((c.name, c) for c in (*self.fit, *self.order)),
            1 - sure,
            ("Bayes factor", "", "", odds_text(self.bayes)),
            ("smallest bias", " to ".join(ends), "", "of a face, shown 9 times in 10"),
            ("anytime-valid", f"e = {watch.e_value:.3g}", watch.p_value, looked),
            found=watch.rejected,
        )


@dataclass(frozen=True)
class Examination(JointVerdict):
    """The tests of a file of rolls.

    >>> from sevenout.rolling.notation import parse_dice
    >>> from sevenout.verify.logs.recorded import Rolls, Sample
    >>> d6 = parse_dice("d6")
    >>> sample = Sample("d6", d6.totals.law, {face: 10 for face in range(1, 7)})
    >>> examine(Rolls("mine", d6, (sample,), 60)).verdict[:33]
    'No evidence against these dice in'

    Attributes:
        confidence: of the verdict, jointly for all tests.
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
            text = f"No evidence against these dice in {many(n, 'roll')}."
            small = [row for one in self.samples for row in one.rows if 0 < row.smallest < 1]
            if not small:
                return f"{text} So few rolls often miss a face that comes up twice as often."
            row = max(small, key=lambda row: row.smallest)
            alike = min(small, key=lambda row: row.smallest).smallest > 0.999 * row.smallest
            return (
                f"{text} {'A face' if alike else f'A {row.face}'} that comes up "
                f"{100 * row.smallest:.3g} % too often would have been noticed nine times in ten."
            )
        text = f"These dice are not what they should be: {self.found}."
        return " ".join([text, *self._faces()])

    def _faces(self) -> Iterator[str]:
        for report in self.samples:
            n = sum(report.sample.counts.values())
            for row in report.rows:
                if row.p_value <= self.level:
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
        blocks: list[Block] = [
            block for one in self.samples for block in one.blocks(self.confidence)
        ]
        beside = [(check.name, check) for check in self.pairs]
        if self.totals is not None:
            beside.append(("totals, chi-square", self.totals))
        if beside:
            blocks.append(checked(beside, self.level, caption="Several dice"))
        return Page("", *blocks, self.conclusion())


def examine(rolls: Rolls, confidence: Number = "95%", seed: int = 1) -> Examination:
    """Every test that the data allow, and one verdict.

    The verdict uses the exact multinomial test of each die, runs and serial pairs if the order is
    known, and each pair of dice. Chi-square, G and the totals repeat these, and are only shown.

    >>> from sevenout.rolling import d6, Dice
    >>> die = Sample("d6", d6.law, {1: 90, 2: 90, 3: 90, 4: 90, 5: 90, 6: 150})
    >>> report = examine(Rolls("counts", Dice([d6]), (die,), 600))
    >>> report.agrees, [row.face for row in report.samples[0].rows if row.p_value < 0.01]
    (False, [6])

    `confidence` is the least probability that fair dice pass; `seed` is for Monte Carlo p-values.
    """
    sure = confidence_of(confidence)
    ordered = [s for s in rolls.samples if s.order is not None]
    questions = len(rolls.samples) + comb(len(ordered), 2)
    questions += 2 * sum(len(s.order or ()) >= FEW and len(s.law) > 1 for s in ordered)
    samples = tuple(_examine(sample, sure, questions, seed) for sample in rolls.samples)
    pairs = tuple(
        pairs_test(a.order or (), b.order or (), name=f"{a.name} and {b.name}", seed=seed)
        for a, b in combinations(ordered, 2)
    )
    totals = rolls.totals
    asked: dict[str, float] = {}
    for report in samples:
        asked[f"the shares of {report.sample.name}"] = report.fit[-1].p_value
        for check in report.order:
            asked[f"the {check.name} of {report.sample.name}"] = check.p_value
    for check in pairs:
        asked[f"the independence of {check.name}"] = check.p_value
    alone = chi_square(totals.cells) if totals and totals is not rolls.samples[0] else None
    return Examination(rolls, sure, samples, pairs, alone, family_of(asked))


def _examine(sample: Sample, sure: Fraction, questions: int, seed: int) -> SampleReport:
    cells = sample.cells
    k, n = len(cells.outcomes), cells.n
    afford(
        f"a test of {k:,} faces by Monte Carlo", seconds=k * DRAWS * 1.2e-7, instead="test fewer"
    )
    once, between = cache(binomial_test), cache(clopper_pearson)  # many faces have equal counts
    tested = [
        once(seen, n, p).p_value
        for seen, p in zip(cells.observed, cells.probabilities, strict=True)
    ]
    # A bias found by the fit alone must survive Holm's correction over all tests.
    alone = 1 - (1 - sure) / questions
    smallest = smallest_bias(sample.law, n, alone) if k > 1 else {cells.outcomes[0]: 0.0}
    rows = [
        FaceRow(
            face,
            seen,
            n * p,
            between(seen, n, 1 - (1 - sure) / k),
            adjusted,
            float(seen / (n * p)) - 1,
            smallest[face],
        )
        for face, seen, p, adjusted in zip(
            cells.outcomes, cells.observed, cells.probabilities, holm(tested), strict=True
        )
    ]
    fit = (chi_square(cells), g_test(cells), multinomial_test(cells, seed=seed))
    counts = dict(zip(cells.outcomes, cells.observed, strict=True))
    order = in_order(counts, Counter(pairwise(sample.order)), seed) if sample.order else ()
    watch = Watch.over(sample.law, sure)
    for block in _blocks(sample):
        watch = watch.look(block)
    return SampleReport(sample, tuple(rows), fit, order, bayes_factor(cells), watch)


def _blocks(sample: Sample) -> Iterator[Mapping[Any, int]]:
    if sample.order is None:
        yield sample.counts
        return
    step = -(-len(sample.order) // LOOKS)
    for start in range(0, len(sample.order), step):
        yield Counter(sample.order[start : start + step])
