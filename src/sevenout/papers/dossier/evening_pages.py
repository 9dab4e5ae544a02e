"""An evening of each bet: as asked for, and with other lengths and bankrolls."""

from fractions import Fraction

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, COUNT, PERCENT, SCORE, WON
from sevenout.errors import SevenoutError
from sevenout.evenings.sessions import session
from sevenout.numerals import exact
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.sections.playing import bankrolls, evening
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.distributions.totals import Lattice

MOST_FANS = 6
LONG = 2_000_000
"""The most (amount, round) pairs of an evening."""
FACTORS = (Fraction(1, 2), Fraction(1), Fraction(2))


def evenings(matter: Matter) -> Page:
    first = evening(matter.subject, matter.bankroll, 1, matter.rounds)
    sections: list[Block] = [*first.blocks]
    for bet in matter.subject.bets[1:MOST_FANS]:
        sections += bankrolls(bet, matter.bankroll, matter.rounds)
    tables = [_others(matter, bet) for bet in matter.subject.bets[:MOST_FANS]]
    made = [table for table in tables if table is not None]
    if made:
        note = Text(
            "The same with half and twice the bankroll, and half and twice the bets. Rows that "
            "take long to compute are left out.",
            tone="note",
        )
        sections.append(Page("Other evenings", note, *made))
    return matter.page("An evening of each bet", *sections)


def _others(matter: Matter, bet: BetResult) -> Table | None:
    rows = []
    for rich in FACTORS:
        for long in FACTORS:
            bankroll, rounds = exact(matter.bankroll) * rich, int(matter.rounds * long) or 1
            lattice = Lattice.of(bet.profit)
            if (bankroll / lattice.unit + rounds * lattice.span) * rounds > LONG:
                continue
            try:
                found = session(bet, bankroll, rounds=rounds)
            except SevenoutError:
                continue
            ends = [found.result.quantile_cell(q) for q in ("1/20", "1/2", "19/20")]
            rows.append((bankroll, rounds, found.ruin, found.ahead, found.mean, *ends))
    if not rows:
        return None
    columns = [Column("bankroll", AMOUNT), Column("bets", COUNT), Column("ruin", PERCENT)]
    columns += [Column("ahead", PERCENT), Column("mean", SCORE.to(3, sign=True))]
    columns += [Column(head, WON) for head in ("5 %", "median", "95 %")]
    return Table(columns, rows, caption=f"Bet: {bet.name}")
