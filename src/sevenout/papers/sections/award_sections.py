"""Progressive awards on paper; every figure comes from `Subject.awards`."""

from fractions import Fraction

from sevenout.documents import Block, Column, Fact, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.documents.numbers import amount, money, percent
from sevenout.numerals import Number
from sevenout.papers.sections.rules_in_words import listed
from sevenout.papers.subject import Subject
from sevenout.rules import Outcome
from sevenout.solving.bets.awards import AwardDistribution, ProgressiveResult, said
from sevenout.solving.bets.metrics import Metrics

METER = "the meter"
FIRST = 3
"""The bets worked at the start of a cycle, and as many before the limit."""


def edges(subject: Subject, bet: str) -> list[Fact]:
    """The house edge of a bet per bet made: with its award in the long run, and without."""
    base, award = subject.solution.bet(bet), subject.awards.get(bet)
    name = f"House edge of {bet}" if len(subject.names) > 1 else "House edge"
    if award is None:
        return [Fact(name, percent(base.edge), note="per bet made")]
    long = "per bet made, in the long run, with its progressive award"
    return [
        Fact(name, percent(award.edge), note=long),
        Fact(f"{name}, award left out", percent(base.edge), note="per bet made"),
    ]


def figures(metrics: Metrics, pace: Number) -> list[Fact]:
    """The figures of a bet that its award changes, of one bettor in the long run."""
    award = metrics.award
    if award is None:
        return []
    note = "in the long run, one bettor on each roll"
    hourly = f"mean, in stakes, at {amount(Fraction(pace))} rolls per hour"
    loss, per_mille = metrics.hourly_loss(rolls=pace), metrics.bets_needed(Fraction(1, 1000))
    return [
        Fact("return, with the award", award.rtp, FRACTION, PERCENT, note="1 − the edge with it"),
        *(
            Fact(fact.name, fact.value, *fact.kinds, note=note)
            for fact in metrics.award_figures().facts
        ),
        Fact("bets for ± 0.1 % at 95 %, with the award", per_mille, COUNT, note=note),
        Fact("expected loss per hour, with the award", loss, FRACTION, DECIMAL, note=hourly),
    ]


def left_out(subject: Subject, what: str) -> list[Block]:
    """A note on figures that leave out awards; empty without awards."""
    if not subject.awards:
        return []
    gained = listed(
        f"{percent(award.added)} of the stake to the return of “{bet}”"
        for bet, award in subject.awards.items()
    )
    text = f"Progressive awards are left out of {what}. In the long run an award adds {gained}."
    return [Text(text)]


def beside(subject: Subject, settled: Outcome) -> str:
    """The awards that an outcome wins, in words; empty for none."""
    won = [
        f"“{bet}”"
        for bet, award in subject.awards.items()
        if any(name == bet and pay.event in award.rule.on for name, pay in settled.pays)
    ]
    return f", and the award of {listed(won)}" if won else ""


def rules(subject: Subject) -> list[Page]:
    """The rules of each award, with the meter worked bet by bet."""
    pages = []
    for bet, award in subject.awards.items():
        note = (
            "The meter is worked from one award to the next: what it shows before a bet, what the "
            "bet feeds it, what is won if this bet wins the award, and where the meter stands then."
        )
        pages.append(
            Page(
                f"Progressive award of {bet}",
                Text(said(award, subject.currency)),
                Text(note),
                meter(award, subject.currency),
            )
        )
    return pages


def meter(award: ProgressiveResult, currency: str = "") -> Table:
    of = f", {currency}" if currency else ""
    columns = [
        Column("bet since the last award", COUNT),
        Column(f"meter before{of}", AMOUNT),
        Column(f"the bet feeds{of}", AMOUNT),
        "wins the award",
        Column(f"award{of}", AMOUNT),
        Column(f"meter after{of}", AMOUNT),
    ]
    return Table(columns, [row for n in _bets(award.law) for row in _settled(award.law, n)])


def _settled(law: AwardDistribution, n: int) -> list[tuple[object, ...]]:
    """The n-th bet of a cycle, with and without the award."""
    before = law.seed + (n - 1) * law.step
    won = n, before, law.step, "yes", law.after(n), law.seed
    return [won] if n == law.bets else [(n, before, law.step, "no", "", law.after(n)), won]


def _bets(law: AwardDistribution) -> list[int]:
    """The bets that are worked: the first, one in the middle, and the last before the limit."""
    last = [] if law.bets is None else range(max(1, law.bets - FIRST + 1), law.bets + 1)
    first = range(1, FIRST + 1 if law.bets is None else min(FIRST, law.bets) + 1)
    return sorted({*first, law.number("1/2"), *last})


def meter_csv(subject: Subject) -> str:
    """The worked meters as CSV: test vectors for meter software."""
    tables = {bet: meter(award) for bet, award in subject.awards.items()}
    rows = [(bet, *row) for bet, table in tables.items() for row in table.rows]
    heads = ["bet", "number", "before", "fed", "wins", "award", "after"]
    return Table(heads, [[str(x) for x in row] for row in rows]).csv()


def printed(subject: Subject, bet: str) -> list[list[str]]:
    """The line of a pay table for the meter."""
    award = subject.awards.get(bet)
    if award is None:
        return []
    on = " · ".join(award.rule.on)
    return [[f"{on} also wins" if on else "a bet that is drawn beforehand wins", METER]]


def explained(subject: Subject, bet: str) -> str:
    """The meter in a sentence; empty for a bet without one."""
    award = subject.awards.get(bet)
    if award is None:
        return ""
    law = award.law
    until = (
        ""
        if law.limit is None
        else f", and is won at {money(law.limit, subject.currency)} at the latest"
    )
    fed = percent(Fraction(award.rule.share), 2)
    start = money(law.seed, subject.currency)
    return f"The meter starts at {start}, gains {fed} of each stake{until}."


def seldom(subject: Subject, rounds: int) -> list[Block]:
    """The probability of an award within some bets, if the distribution of results omits it."""
    lines = []
    for bet, award in subject.awards.items():
        law = award.law
        p = 1 - law.survives(rounds)
        lines.append(
            f"The probability of an award in {rounds:,} bets on “{bet}”, from the meter's "
            f"seed, is {percent(p, 2)}. The mean award is "
            f"{money(round(law.mean, 2), subject.currency)}."
        )
    return [*left_out(subject, "the figures of sessions"), *map(Text, lines)]
