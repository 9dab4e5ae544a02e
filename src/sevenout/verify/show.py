"""Verdicts as pages: in a terminal, and as plain text."""

from collections.abc import Iterable
from fractions import Fraction
from io import StringIO
from typing import Any

from sevenout.verify.agreement import Share, Verdict
from sevenout.verify.cells import Check
from sevenout.verify.confidence import percentage
from sevenout.verify.examination import Examination, FaceRow, SampleReport
from sevenout.verify.successes import SuccessReport

WIDTH = 25


def as_text(shown: Any) -> str:
    """A page as plain text, 100 columns wide."""
    from rich.console import Console

    out = StringIO()
    Console(file=out, width=100, color_system=None).print(shown)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def p_text(p: float) -> str:
    """A p-value, to read.

    >>> p_text(0.03125), p_text(2.02e-7), p_text(0.0)
    ('0.0312', '2.0e-07', '0')
    """
    if p == 0:
        return "0"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.1e}"


def odds_text(ratio: float) -> str:
    """A Bayes factor in words.

    >>> odds_text(1601.6), odds_text(0.02)
    ('1,602 to 1 for a bias', '50 to 1 against a bias')
    """
    for_it, against = "for a bias", "against a bias"
    size, side = (ratio, for_it) if ratio >= 1 else (1 / ratio if ratio else float("inf"), against)
    if size == float("inf"):
        return f"more than 10^307 to 1 {side}"
    if size >= 1e6:
        return f"{size:.1e} to 1 {side}"
    return f"{size:,.0f} to 1 {side}" if size >= 10 else f"{size:.1f} to 1 {side}"


def interval_bar(low: float, high: float, seen: float, mark: float, span: float) -> str:
    """An interval drawn over mark ± span: ─ the interval, ● what was seen, │ what should be.

    >>> interval_bar(0.4, 0.6, 0.5, 0.5, 0.2)
    '      ──────●──────      '
    >>> interval_bar(0.5, 0.6, 0.55, 0.5, 0.2)
    '            │──●───      '
    """

    def place(x: float) -> int:
        where = (x - mark) / span if span else 0.0
        return round((max(-1.0, min(1.0, where)) + 1) / 2 * (WIDTH - 1))

    cells = [" "] * WIDTH
    cells[place(low) : place(high) + 1] = "─" * (place(high) - place(low) + 1)
    cells[place(mark)] = "│"
    cells[place(seen)] = "●"
    return "".join(cells)


def examination_page(report: Examination) -> Any:
    """An examination of dice as a rich renderable."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = []
    for sample in report.samples:
        parts += [_faces(sample, report.confidence), _sample_tests(sample, report.confidence), ""]
    beside = list(report.pairs) + ([report.totals] if report.totals else [])
    if beside:
        names = [c.name if c is not report.totals else "totals, chi-square" for c in beside]
        parts += [
            _tests(zip(names, beside, strict=True), "Several dice", 1 - report.confidence),
            "",
        ]
    questions = len(report.family)
    said = f"{questions} questions, Holm's correction, confidence {percentage(report.confidence)}"
    parts.append(Text(f"Verdict ({said})", style="bold"))
    parts.append(Text(report.verdict, style="green" if report.fair else "red"))
    return Group(*parts)


def _faces(report: SampleReport, sure: Fraction) -> Any:
    n = sum(report.sample.counts.values())
    table = _table(f"{report.sample.name}: {n:,} rolls")
    table.add_column("face")
    for heading in ("count", "share", "should be", "too often", "p (Holm)"):
        table.add_column(heading, justify="right")
    table.add_column(f"{percentage(sure)}, all faces (Bonferroni)", min_width=WIDTH, no_wrap=True)
    rows = report.rows
    span = max(_reach(row, n) for row in rows)
    for row in rows:
        should = float(row.expected) / n
        bar = interval_bar(row.interval.low, row.interval.high, row.count / n, should, span)
        _add(
            table,
            str(row.face),
            f"{row.count:,}",
            f"{row.count / n:.4f}",
            f"{should:.4f}",
            f"{100 * row.bias:+.3g}%",
            p_text(row.p_value),
            bar,
            style="red" if row.p_value <= 1 - sure else None,
        )
    return table


def _reach(row: FaceRow, n: int) -> float:
    should = float(row.expected) / n
    return max(row.interval.high - should, should - row.interval.low)


def _sample_tests(report: SampleReport, sure: Fraction) -> Any:
    table = _tests(((c.name, c) for c in (*report.fit, *report.order)), "", 1 - sure)
    watch = report.watch
    _add(table, "Bayes factor", "", "", "", odds_text(report.bayes))
    if report.sample.order is None:
        looked = f"{'' if watch.rejected else 'not '}rejected at its one look"
    else:
        looked = f"rejected at roll {watch.rejected_at:,}" if watch.rejected else "never rejected"
    _add(
        table,
        "anytime-valid",
        f"e = {watch.e_value:.3g}",
        "",
        p_text(watch.p_value),
        looked,
        style="red" if watch.rejected else None,
    )
    least = min(row.smallest for row in report.rows)
    most = max(row.smallest for row in report.rows)
    ends = dict.fromkeys(f"{100 * bias:.3g}%" for bias in (least, most))
    faces = " to ".join(ends)
    _add(table, "smallest bias", faces, "", "", "of a face, shown 9 times in 10")
    return table


def success_page(report: SuccessReport) -> Any:
    """A report on dice thrown together as a rich renderable."""
    from rich.console import Group
    from rich.text import Text

    data = report.data
    table = _table(f"{data.throws:,} throws of {data.dice} dice")
    for heading in ("successes", "throws", f"p = {data.p}", f"p = {float(report.fitted):.4f}"):
        table.add_column(heading, justify="right")
    table.add_column("seen less expected, in standard deviations")
    fair, fitted = data.cells(), data.cells(report.fitted) if 0 < report.fitted < 1 else None
    for i, k in enumerate(fair.outcomes):
        expected = float(fair.expected[i])
        pull = (fair.observed[i] - expected) / max(expected, 1e-9) ** 0.5
        _add(
            table,
            str(k),
            f"{fair.observed[i]:,}",
            f"{expected:,.1f}",
            f"{float(fitted.expected[i]):,.1f}" if fitted else "",
            f"{pull:+5.1f} " + ("+" if pull > 0 else "-") * min(30, round(abs(pull) * 3)),
        )
    names = [(f"table, {check.name}", check) for check in report.checks]
    names += [
        (f"share, {report.share.name}", report.share),
        (f"chi-square, p = {float(report.fitted):.4f}", report.refit),
    ]
    tests = _tests(names, "", 1 - report.confidence)
    _add(tests, "Bayes factor", "", "", "", odds_text(report.bayes))
    interval = f"{report.interval.low:.4f} to {report.interval.high:.4f}"
    _add(
        tests,
        "fitted share",
        f"{float(report.fitted):.4f}",
        "",
        "",
        f"{interval} ({percentage(report.confidence)}, alone)",
    )
    return Group(
        Text(data.source, style="dim"),
        table,
        tests,
        "",
        Text("Verdict", style="bold"),
        Text(report.verdict, style="green" if report.fair else "red"),
    )


def verdict_page(verdict: Verdict) -> Any:
    """A verdict on a simulation as a rich renderable."""
    from rich.console import Group
    from rich.text import Text

    table = _table(f"{verdict.games:,} games beside the {verdict.status} solution")
    table.add_column("count of")
    for heading in ("seen", "expected", "z", "p", "Clopper-Pearson interval", "exact"):
        table.add_column(heading, justify="right")
    for row in verdict.outcomes:
        _add(table, *_share(row.name, row))
    for row in verdict.wins:
        _add(table, *_share(f"wins of {row.name}", row), style="bold")
    names = ("outcomes, chi-square", "outcomes, G", "lengths, chi-square", "lengths, G")
    tests = _tests(
        [("mean rolls, z", verdict.mean_rolls), *zip(names, verdict.fits, strict=True)],
        "",
        verdict.alpha,
    )
    return Group(
        table,
        tests,
        "",
        Text(f"Verdict (Holm's correction, level {verdict.alpha:g})", style="bold"),
        Text(verdict.verdict, style="green" if verdict.agrees else "red"),
    )


def _share(name: str, row: Share) -> list[str]:
    return [
        name,
        f"{row.count:,}",
        f"{float(row.games * row.p):,.1f}",
        f"{row.z:+.2f}",
        p_text(row.test.p_value),
        f"{row.exact.low:.6f} to {row.exact.high:.6f}",
        f"{float(row.p):.6f}",
    ]


def _tests(checks: Iterable[tuple[str, Check]], title: str, alpha: Fraction | float) -> Any:
    table = _table(title)
    table.add_column("test")
    for heading in ("statistic", "df", "p"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for name, check in checks:
        error = f" ± {check.error:.1e}" if check.error is not None else ""
        _add(
            table,
            name,
            f"{check.statistic:.4g}",
            "" if check.df is None else str(check.df),
            p_text(check.p_value) + error,
            check.note,
            style="red" if check.p_value <= alpha else None,
        )
    return table


def _add(table: Any, *cells: str, style: str | None = None) -> None:
    """A row of plain text: a name out of a file is no markup."""
    from rich.text import Text

    table.add_row(*map(Text, cells), style=style)


def _table(title: str) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    return Table(
        title=Text(title, style="bold") if title else None,
        title_justify="left",
        header_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
