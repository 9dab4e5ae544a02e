"""A one-page summary of a family of variants."""

from collections.abc import Iterable, Mapping

from sevenout.report.page import Block, Section, Sheet, Table, Text
from sevenout.report.subject import figure
from sevenout.rules.game import Number, exact


def census_page(
    title: str,
    counts: Mapping[tuple[Number, Number], int],
    *,
    facts: Iterable[tuple[str, str]] = (),
    notable: Iterable[tuple[str, Number]] = (),
    text: str = "",
    date: str = "",
    xlabel: str = "win probability",
) -> Sheet:
    """The page of a census: how many variants there are in each interval, and those of note.

    >>> counts = {("0", "1/2"): 3, ("1/2", "1"): 1}
    >>> page = census_page("Two dice", counts, notable=[("craps", "244/495")])
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note']

    Args:
        title: the family.
        counts: how many variants, by interval (from, to) of the figure.
        facts: (name, value) pairs of the title block: dice, constraints, size, ...
        notable: (name, value of the figure) pairs.
        text: what is to be said of it.
        date: of the page.
        xlabel: the figure.

    Raises:
        ReportError: nothing was counted.
    """
    from sevenout.report import plots
    from sevenout.report.playing import picture
    from sevenout.report.words import paragraphs

    notes = [(name, exact(value)) for name, value in notable]
    blocks: list[Block] = [Text(each) for each in paragraphs(text)]
    drawn = plots.census_histogram(counts, marks=dict(notes[:3]), xlabel=xlabel)
    total = sum(counts.values())
    blocks.append(picture(drawn, f"{total:,} variants by {xlabel}"))
    sections = [Section("Distribution", tuple(blocks))]
    if notes:
        head = ("variant", xlabel, "exact")
        rows = [(name, figure(value), value) for name, value in notes]
        sections.append(
            Section("Variants of note", (Table(head, ("text", "number", "exact"), rows),))
        )
    return Sheet(title, "Census", tuple(facts), tuple(sections), date)
