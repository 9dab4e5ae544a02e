"""Parts of pages that the verdicts share: tests, odds, intervals."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction

from sevenout.documents import Column, HasPage, Page, Table, Text, Tone
from sevenout.documents.kinds import COUNT, NOTE, P_VALUE, SIGNIFICANT, Cell
from sevenout.documents.numbers import p_value, quantity
from sevenout.errors import printable
from sevenout.verify.counts import Check, percentage

REPEATS = "repeats another test; not part of the verdict"
TESTS = (
    "test",
    Column("statistic", SIGNIFICANT),
    Column("df", COUNT),
    Column("p", P_VALUE),
    Column("p, Holm", P_VALUE),
    Column("", NOTE),
)


def table_of_tests(
    checks: Iterable[tuple[str, Check, str]],
    family: Mapping[str, float],
    level: float | Fraction,
    *other_rows: tuple[str, Cell, Cell, str],
    caption: str = "",
) -> Table:
    """A table of tests. A row is highlighted if the verdict rejects by it, and by nothing else.

    Args:
        checks: the tests, each with its name and its question in the family; "" for a test that
            repeats another and is not part of the verdict.
        family: the Holm-adjusted p-value of each question.
        level: the level of the family.
        other_rows: name, statistic, p-value, note.
        caption: of the table.
    """
    rows: list[tuple[object, ...]] = []
    tones: dict[int, Tone] = {}
    for name, check, question in checks:
        # None: the test repeats another, and the verdict does not use it
        adjusted = family.get(question)
        if adjusted is not None and adjusted <= level:
            tones[len(rows)] = "bad"
        p: Cell = check.p_value
        if check.error is not None:
            p = f"{p_value(check.p_value)} ± {check.error:.1e}"
        df = "" if check.df is None else check.df
        note = check.note if adjusted is not None else f"{check.note}; {REPEATS}".lstrip("; ")
        rows.append((name, check.statistic, df, p, adjusted, note))
    rows += [(name, statistic, "", p, "", note) for name, statistic, p, note in other_rows]
    return Table(TESTS, rows, caption=caption, tones=tones)


class JointVerdict(HasPage):
    """The joint verdict of several tests.

    Attributes:
        confidence: the least probability that no test rejects a true hypothesis.
        family: the Holm-adjusted p-value of each test.
    """

    confidence: Fraction
    family: Mapping[str, float]

    @property
    @abstractmethod
    def verdict(self) -> str:
        """The verdict in words."""

    @property
    def level(self) -> Fraction:
        """The level of the family."""
        return 1 - self.confidence

    @property
    def rejecting_tests(self) -> dict[str, float]:
        """The tests that reject, with their p-values."""
        return {question: p for question, p in self.family.items() if p <= self.level}

    @property
    def agrees(self) -> bool:
        """Whether no test rejects."""
        return not self.rejecting_tests

    @property
    def rejections(self) -> str:
        """The rejections, in words."""
        return "; ".join(
            f"{question} (p = {p:.2g})" for question, p in self.rejecting_tests.items()
        )

    def conclusion(self) -> Page:
        """The end of the page: the verdict and its method."""
        questions, percents = quantity(len(self.family), "question"), percentage(self.confidence)
        how = f" ({questions}, Holm's correction, confidence {percents})" if self.family else ""
        tone: Tone = "good" if self.agrees else "bad"
        return Page(f"Verdict{how}", Text(self.verdict, tone=tone))


class SimulationVerdict(JointVerdict):
    """The agreement of a simulation with an exact or certified distribution, in words.

    Attributes:
        status: of the distribution: "exact", or "certified" with its bound.
        sample_in_words: what was simulated, in words.
        truth: what the distribution is: a "solution", or a "distribution" of evenings.
    """

    status: str
    sample_in_words: str
    truth: str

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict}>"

    @property
    def status_word(self) -> str:
        """How the distribution is known, in a word."""
        return self.status.partition(" ")[0]

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        truth = f"the {self.status_word} {self.truth}"
        if not self.family:
            return f"Nothing was tested against {truth}: {self.sample_in_words}."
        question, p = min(self.family.items(), key=lambda item: item[1])
        scope = f"{self.sample_in_words}, {quantity(len(self.family), 'question')}"
        if self.agrees:
            return (
                f"The simulation agrees with {truth}: {scope}. The smallest Holm-adjusted p-value "
                f"is {p:.2g}, for {printable(question, 90)}."
            )
        return f"The simulation does not agree with {truth}: {scope}; {self.rejections}."
