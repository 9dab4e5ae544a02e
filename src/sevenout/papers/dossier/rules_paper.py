"""The rules, with a worked example of every row of every pay table; procedure and layout."""

from fractions import Fraction

from sevenout.documents import Block, Column, Page, Table, Text, prose
from sevenout.documents.kinds import COUNT, ODDS
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.dossier.felt_layout import has_layout, smaller
from sevenout.papers.sections import award_sections
from sevenout.papers.sections.example_rounds import retold
from sevenout.papers.sections.rules_section import rules, words

MOST_ROWS = 120
"""The most rows worked per pay table; the test vectors have all."""


def rulebook(matter: Matter) -> Page:
    file = matter.file
    subject = matter.subject
    told = Page("The rules", *words(subject)) if subject.bets else rules(subject, matter.seed)
    sections = [told]  # without bets, a game is shown instead of their rows
    sections += award_sections.rules(matter.subject)
    limits = [(bet, said) for bet in matter.subject.names if (said := matter.limits(bet))]
    if limits:
        sections.append(Page("Limits", Table(["bet", "limits"], limits)))
    windows = [(bet, said) for bet in matter.subject.names if (said := matter.window(bet))]
    if windows:
        sections.append(Page("When bets are made", Table(["bet", "when"], windows)))
    if file is not None and file.procedure:
        sections.append(Page("Dealing procedure", *prose(file.procedure)))
    if file is not None and file.void_rolls:
        sections.append(Page("Void rolls", *prose(file.void_rolls)))
    if file is not None and file.cocked_dice:
        sections.append(Page("Cocked dice", *prose(file.cocked_dice)))
    drawn = [smaller(matter.felt)] if has_layout(matter) else []
    shown = prose(file.layout) if file is not None and matter.picture is None else []
    if drawn or shown:
        sections.append(Page("Layout", *shown, *drawn))
    sections += worked(matter)  # last, since it may take pages
    return matter.page("Rules of play", *sections)


def worked(matter: Matter) -> list[Page]:
    """The shortest game for each row of each pay table."""
    vectors, book = matter.vectors, matter.book
    by_bet: dict[str, list[tuple[str, str, Fraction]]] = {}
    for row, number in vectors.rows.items():
        told = book.told(vectors.all[number].rolls)
        steps = [f"{seen} → {then}" if then else seen for seen, then in retold(book, told.moves)[0]]
        stake = Fraction(book.body.stakes.get(row.bet, 1))
        rows = by_bet.setdefault(row.bet, [])
        also = ", and the award" if vectors.wins_award(row.bet, row.event) else ""
        rows.append(("; ".join(steps), row.event + also, row.profit / stake))
    blocks: list[Block] = []
    for bet in matter.subject.names:
        found = by_bet.get(bet, [])
        caption = f"Bet: {bet}" if len(matter.subject.names) > 1 else ""
        columns = [Column("game", COUNT), "roll by roll", "result", Column("pays", ODDS)]
        games = [(n, *row) for n, row in enumerate(found[:MOST_ROWS], 1)]
        blocks.append(Table(columns, games, caption=caption))
        if len(found) > MOST_ROWS:
            left = f"{len(found) - MOST_ROWS:,} more rows are worked in the test vectors."
            blocks.append(Text(left, tone="note"))
    if not blocks:
        return []
    note = (
        "Each line is a whole game, with its result and what the bet pays. For every row of every "
        "pay table it is the shortest game with that result, found by a search of all games. Of "
        "several as short, it is the first in the order of the faces. “→” shows the state after "
        "the roll."
    )
    return [Page("Every win, loss and tie, worked", Text(note, tone="note"), *blocks)]
