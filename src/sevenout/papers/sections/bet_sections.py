"""The sections on the bets: schedule, return tables, figures and correlations."""

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import Any

from sevenout.documents import Block, Cell, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import (
    AMOUNT,
    COUNT,
    DECIMAL,
    FRACTION,
    LABEL,
    NOTE,
    ODDS,
    ONE_IN,
    PAYS,
    PERCENT,
    SIGNED,
)
from sevenout.documents.numbers import amount, decimal, money
from sevenout.numerals import Number
from sevenout.papers.sections import award_sections
from sevenout.papers.sections.rules_in_words import listed
from sevenout.papers.subject import FEW_BETS, Subject, merged
from sevenout.solving.bets.bet_result import BetResult, TableRow
from sevenout.solving.bets.metrics import Metrics
from sevenout.verify.monitoring import monitor_of

MOST_PAIRS = 30
"""The most pairs of bets shown; beyond, the strongest correlations."""
MOST_ROWS = 100
"""A return table with more rows is grouped by pay."""
CONVENTIONS = {
    "win probability": "hit frequency: a profit; a push is not a hit",
    "push probability": "the stake is returned",
    "house edge, per bet made": "mean loss per unit staked, pushes counted",
    "house edge, per bet resolved": "the same, pushes left out",
    "house edge, per roll": "edge per bet made / mean rolls",
    "element of risk, per unit at risk": "mean loss per unit of all money, odds and commission too",
    "variance per unit staked": "of the profit",
    "standard deviation": "of the profit, per unit staked",
    "skewness": "third standardised moment",
    "excess kurtosis": "fourth standardised moment less 3",
    "mean rolls to settle": "from the roll after the bet",
    "volatility index at 95 %": "z × standard deviation, two-sided",
    "maximum exposure, in stakes": "the most that the house pays on one bet",
    "bets for ± 1 % at 95 %": "for the actual return, by the normal approximation",
    "N0, in bets": "variance / edge²: mean loss = std. dev.",
}
"""The convention of each figure of a bet."""
OF_A_SCORE = CONVENTIONS | {
    "win probability": "of a score above 0",
    "push probability": "of a score of 0",
    "mean result": "of the score",
    "variance": "of the score",
    "standard deviation": "of the score",
}
"""The same for a game without stakes."""
BETWEEN = "the next is made at the come-out after it is settled"
BOOKED = (
    "With a progressive award, the return includes the awards paid and the change of the meter. "
    "“convolution”: the exact distribution. “Chernoff”: bounds that contain the return with at "
    "least this probability."
)
"""The note on the return of a bet with an award."""
SAMPLES = (100, 1_000, 10_000, 100_000, 1_000_000)


def outcomes(subject: Subject) -> Page:
    labels = subject.solution.labels
    rows = [(label, p, 1 / p if p else None) for label, p in labels.items()]
    columns = ["outcome", Column("probability", FRACTION, DECIMAL), Column("one in", ONE_IN)]
    total = ("total", sum(labels.values(), Fraction(0)), "")
    return Page("Outcomes", Table(columns, rows, total))


def schedule(subject: Subject) -> Page:
    more = (
        " “At risk” is all the money on the table by then, odds and commission included, in "
        "stakes, and comes back with the profit."
        if any(metrics.maximum_risk != 1 for metrics in subject.metrics)
        else ""
    )
    note = Text(
        "“Pays” is the profit on the stake (3 to 1); “returns” is what comes back, the stake "
        f"included (4 for 1).{more} “One in 4.50” means once in 4.50 bets, "
        "on average.",
        tone="note",
    )
    tables = (_paid(bet, _caption(subject, bet)) for bet in subject.bets)
    meters = [Text(text) for bet in subject.names for text in _beside(subject, bet)]
    return Page("Payout schedule", *tables, *meters, note)


def _beside(subject: Subject, bet: str) -> list[str]:
    """What a bet with an award may win besides its schedule."""
    award = subject.awards.get(bet)
    if award is None:
        return []
    on = f"on {listed(award.rule.on, 'or')}" if award.rule.on else "if it is drawn"
    means = f"{money(round(award.law.mean, 2), subject.currency)} on average, once in "
    means += f"{decimal(award.law.mean_bets, 2)} bets"
    return [f"“{bet}” also wins what its meter shows {on}: {means}."]


def _paid(bet: BetResult, caption: str) -> Table:
    """The schedule of a bet; with the money at risk unless that is always one stake."""
    risks: dict[tuple[str, Fraction], set[Fraction]] = {}
    for pay in bet.law:
        key = pay.event, pay.profit / bet.stake
        risks.setdefault(key, set()).add(pay.risk / bet.stake)
    varies = set().union(*risks.values()) != {1}
    rows: list[list[Cell]] = []
    for row in sorted(_rows(bet), key=lambda row: row.pays < 0):  # losses last
        at_risk = sorted(risks.get((row.event, row.pays), ()))
        back = (amount(row.pays + risk) for risk in at_risk or [Fraction(1)])
        won = row.pays > 0
        rows.append(
            [
                row.event,
                *([listed(map(amount, at_risk), "or")] if varies else []),
                row.pays,
                f"{listed(back, 'or')} for 1" if won else "",
                1 / row.probability if won and row.probability else "",
            ]
        )
    risk = [Column("at risk", LABEL)] if varies else []
    columns = ["event", *risk, Column("pays", ODDS), Column("returns", LABEL)]
    return Table([*columns, Column("one in", ONE_IN)], rows, caption=caption)


def returns(subject: Subject) -> Page:
    columns = [
        "event",
        Column("pays", PAYS),
        Column("probability", FRACTION, DECIMAL),
        Column("return", SIGNED),
    ]
    tables = []
    for alike, caption in _alike(subject):
        bet = alike[0].bet
        total = ("total", "", sum((row.probability for row in bet.table), Fraction(0)), bet.mean)
        tables.append(Table(columns, _named([m.bet for m in alike]), total, caption))
    score = all(bet.is_score for bet in subject.bets)
    adds_up = "the mean result" if score else "minus the house edge per bet made"
    note = Text(
        "Amounts are per unit staked when the bet is made. The return is pays × probability. The "
        f"probabilities add up to 1, and the returns to {adds_up}.",
        tone="note",
    )
    title = "Return tables" if len(subject.bets) > 1 else "Return table"
    out = award_sections.left_out(subject, "the return of each row")
    return Page(title, *out, *tables, note)


def _rows(bet: BetResult) -> tuple[TableRow, ...]:
    if len(bet.table) <= MOST_ROWS:
        return bet.table
    groups: dict[Fraction, list[TableRow]] = {}
    for row in bet.table:
        groups.setdefault(row.pays, []).append(row)
    return tuple(
        TableRow(
            merged(list(dict.fromkeys(row.event for row in rows)), 2),
            pays,
            sum((row.probability for row in rows), Fraction(0)),
            sum((row.contribution for row in rows), Fraction(0)),
        )
        for pays, rows in sorted(groups.items(), reverse=True)
    )


def _named(bets: list[BetResult]) -> list[TableRow]:
    """The return table of bets with one distribution; an event with several names has all of
    them.
    """
    tables = [
        {row: k for k, row in enumerate(sorted(_rows(bet), key=lambda row: row[1:]))}
        for bet in bets
    ]
    names: dict[int, list[str]] = {}
    for table in tables:
        for row, k in table.items():
            names.setdefault(k, []).append(row.event)
    return [
        row._replace(event=merged(list(dict.fromkeys(names[tables[0][row]])), 3))
        for row in _rows(bets[0])
    ]


def _alike(subject: Subject) -> list[tuple[list[Metrics], str]]:
    """The bets with captions; those with one distribution together if there are many."""
    groups: dict[Any, list[Metrics]] = {}
    for metrics in subject.metrics:
        bet = metrics.bet
        rows = sorted((row.pays, row.probability) for row in bet.table)
        risks = sorted((pay.profit, pay.risk, p) for pay, p in bet.law.items())
        few = len(subject.bets) <= FEW_BETS
        key = (
            bet.name
            if few or bet.name in subject.awards
            else (bet.stake, bet.rolls, tuple(rows), tuple(risks))
        )
        groups.setdefault(key, []).append(metrics)
    return [(each, _caption(subject, *(m.bet for m in each))) for each in groups.values()]


def _caption(subject: Subject, *bets: BetResult) -> str:
    names = f"Bet{'s' if len(bets) > 1 else ''}: {', '.join(bet.name for bet in bets)}"
    if bets[0].stake != 1:
        return f"{names}, of {amount(bets[0].stake)} units; all per unit of that"
    return names if len(subject.bets) > 1 else ""


def figures(subject: Subject, pace: Number) -> Page:
    blocks: list[Block] = [side_by_side(subject)] if 1 < len(subject.bets) <= FEW_BETS else []
    for (metrics, *_), caption in _alike(subject):
        notes = OF_A_SCORE if metrics.bet.is_score else CONVENTIONS
        facts = [
            Fact(fact.name, fact.value, *fact.kinds, note=notes[fact.name])
            for fact in metrics.figures().facts
        ]
        facts += [] if metrics.bet.is_score else _more(metrics, Fraction(pace))
        if (award := subject.awards.get(metrics.bet.name)) is not None:
            awarded = replace(metrics, award=award)
            facts = award_sections.figures(awarded, pace) + facts
        blocks.append(Facts(*facts, caption=caption, heads=("figure", "exact", "", "convention")))
    return Page(
        "Figures",
        *award_sections.left_out(subject, "figures that are not marked “with the award”"),
        *blocks,
    )


def side_by_side(subject: Subject) -> Table:
    rows = [
        (
            bet.name,
            *(None if bet.is_score else edge for edge in _edges(bet)),
            bet.p_win,
            bet.std,
        )
        for bet in subject.bets
    ]
    heads = ("edge, made", "resolved", "per roll", "at risk")
    columns = ["bet", *(Column(head, PERCENT) for head in heads), Column("hits", PERCENT.to(2))]
    columns.append(Column("std. dev.", DECIMAL.to(4)))
    return Table(columns, rows, caption="Side by side")


def _edges(bet: BetResult) -> tuple[Fraction | None, ...]:
    resolved = bet.edge_resolved if bet.p_push != 1 else None
    return bet.edge, resolved, bet.edge_per_roll, bet.element_of_risk


def _more(metrics: Metrics, pace: Fraction) -> list[Fact]:
    bet = metrics.bet
    needed = metrics.bets_needed(Fraction(1, 1000))
    back = bet.proved(bet.rtp, bet.most)
    made = "as soon as it is settled"
    between = []
    if metrics.rolls_between != bet.rolls:
        made = "at the come-out alone"
        said = metrics.cycle or bet.rolls
        between = [Fact("mean rolls from bet to bet", said, FRACTION, DECIMAL, note=BETWEEN)]
    hourly = f"mean, in stakes, at {amount(pace)} rolls per hour; bet again {made}"
    loss = bet.proved(metrics.hourly_loss(rolls=pace), 2 * bet.most * pace)
    risk = bet.proved(bet.mean_risk, metrics.maximum_risk)
    risks = [
        Fact("mean money at risk", risk, FRACTION, DECIMAL, note="in stakes"),
        Fact("most money at risk", metrics.maximum_risk, AMOUNT, note="in stakes"),
    ]
    return [
        Fact("return to player", back, FRACTION, PERCENT, note="1 − edge, per bet made"),
        *(risks if metrics.maximum_risk != 1 else []),
        Fact("bets for ± 0.1 % at 95 %", needed, COUNT, note="the same, within 0.1 %"),
        *between,
        Fact("expected loss per hour", loss, FRACTION, DECIMAL.to(4), note=hourly),
    ]


def intervals(subject: Subject) -> Page:
    columns = [Column("after bets", COUNT)]
    columns += [Column(head, PERCENT.to(2)) for head in ("95 %: from", "to", "99 %: from", "to")]
    tables = []
    for (metrics, *_), caption in _alike(subject):
        rows = []
        award = subject.awards.get(metrics.bet.name)
        find: Any = metrics.interval
        if award is not None:
            find = monitor_of(metrics.bet, award).fixed
        for n in SAMPLES:
            a, b = find(n, "19/20"), find(n, "99/100")
            ends = [
                Fraction(whole, 10_000)  # rounded outwards, never narrower
                for interval in (a, b)
                for whole in (floor(interval.low * 10_000), ceil(interval.high * 10_000))
            ]
            rows.append((n, *ends, a.method))
        tables.append(Table([*columns, Column("method", NOTE)], rows, caption=caption))
    note = Text(
        "Central intervals of the actual return to the player, for bets of one unit, rounded "
        "outwards. “exact”: the full convolution in integers. “certified”: the same, with a proved "
        "error far below the last digit. “normal”: the normal approximation."
        + (f" {BOOKED}" if subject.awards else ""),
        tone="note",
    )
    return Page("Actual return to the player", *tables, note)


def joint(subject: Subject) -> Page:
    """Covariances and correlations of the bets on the same rolls."""
    solution, bets = subject.solution, subject.bets
    rows: list[tuple[str, str, Fraction, float | None]] = []
    total = sum((bet.variance for bet in bets), Fraction(0))
    for i, one in enumerate(bets):
        for other in bets[i + 1 :]:
            covariance = solution.covariance(one.name, other.name)
            total += 2 * covariance
            spread = sqrt(one.variance * other.variance)
            correlation = float(covariance) / spread if spread else None
            rows.append((one.name, other.name, covariance, correlation))
    pairs = len(rows)
    if pairs > MOST_PAIRS:
        rows = sorted(rows, key=lambda row: -abs(row[3] or 0))[:MOST_PAIRS]
    columns = ["bet", "with", Column("covariance", FRACTION, SIGNED), Column("correlation", SIGNED)]
    edge = sum((bet.edge for bet in bets), Fraction(0))
    note = (
        "Of the profits per unit staked on each, made together and settled by the same rolls. One "
        f"unit on every bet has edge {decimal(edge)} units and "
        f"standard deviation {decimal(sqrt(total))}."
    )
    if pairs > len(rows):
        note += f" Of {pairs:,} pairs the {len(rows)} with the strongest correlation are shown."
    out = award_sections.left_out(subject, "this table")
    return Page("The bets together", *out, Table(columns, rows), Text(note, tone="note"))
