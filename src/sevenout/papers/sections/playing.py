"""The sections on play: rolls, a session, the confirming simulation, a biased die."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Column, Page, PageError, Picture, Table, Text
from sevenout.documents.kinds import (
    COUNT,
    DECIMAL,
    FRACTION,
    NOTE,
    PERCENT,
    SCORE,
    SIGNED,
    WON,
)
from sevenout.documents.numbers import many
from sevenout.errors import RulesError
from sevenout.evenings.sessions import session
from sevenout.numerals import Number, exact
from sevenout.papers.pictures import plots
from sevenout.papers.pictures.biased import edge_curves, edge_slopes
from sevenout.papers.pictures.style import as_svg
from sevenout.papers.sections import award_sections
from sevenout.papers.subject import Subject, brief
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.distributions.generating_function import counts_up
from sevenout.solving.distributions.totals import Lattice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sevenout.simulation import Tally

MOST_FACES, FACES_ACROSS = 40, 8
MOST_STATES = 60
"""The most states for the edge as a function of a bias."""
FAN = 6_000_000
"""The most (amount, round) pairs for a fan."""


def picture(drawn: "Figure", caption: str) -> Picture:
    return Picture(lambda: as_svg(drawn), caption)


def rolls(subject: Subject) -> Page:
    solution = subject.solution
    counters = [c for c in subject.chain.counters if not c.startswith("rolls of ")]
    if not subject.is_small:
        means = [
            (c, solution.mean_rolls if c == "rolls" else solution.mean(c))
            for c in counters
            if c == "rolls" or not solution.bound
        ]
        return Page("How long it lasts", Table(["counter", Column("mean", DECIMAL)], means))
    laws = {c: solution.distribution(c) for c in counters if counts_up(subject.chain, c)}
    halves, most = Fraction(1, 2), Fraction(99, 100)
    rows: list[tuple[Any, ...]] = [
        (c, law.mean, float(law.variance) ** 0.5, law.quantile(halves), law.quantile(most))
        for c, law in laws.items()
    ]
    rows += [(c, solution.mean(c), None, None, None) for c in counters if c not in laws]
    columns = ["counter", Column("mean", FRACTION, DECIMAL), Column("std. dev.", DECIMAL)]
    columns += [Column("median", COUNT), Column("99 %", COUNT)]
    table = Table(columns, rows)
    if laws["rolls"].sf(1) == 0:
        return Page("How long it lasts", Text("One roll settles everything."), table)
    caption = "Rolls until all is settled: probability, and the tail on a logarithmic scale"
    return Page("How long it lasts", table, picture(plots.roll_law(laws["rolls"]), caption))


def evening(subject: Subject, bankroll: Number, stake: Number, rounds: int) -> Page:
    rows: list[tuple[object, ...]] = []
    blocks: list[Block] = []
    for bet in subject.bets:
        try:
            result = session(bet, bankroll, stake=stake, rounds=rounds)
        except RulesError as error:
            blocks.append(Text(f"{bet.name}: not computed: {error}", tone="note"))
            continue
        ends = [result.result.quantile_cell(q) for q in ("1/20", "1/4", "1/2", "3/4", "19/20")]
        sure = result.status.removeprefix("certified ")
        rows.append((bet.name, result.ruin, result.ahead, result.mean, *ends, sure))
    columns = ["bet", Column("ruin", PERCENT), Column("ahead", PERCENT)]
    columns += [Column("mean", SCORE.to(3, sign=True))]
    columns += [Column(head, WON) for head in ("5 %", "25 %", "median", "75 %", "95 %")]
    if rows:
        blocks.insert(0, Table([*columns, Column("status", NOTE)], rows))
    blocks.append(
        Text(
            f"A session of {many(exact(rounds), 'bet')} of {many(exact(stake), 'unit')} from a "
            f"bankroll of {many(exact(bankroll), 'unit')}. It ends early when the player can't "
            "cover the most that the next bet can lose. “Ruin” is the probability of that, and "
            "“ahead” is the probability of a profit. The mean and the quantiles are those of the "
            "session's result, in units.",
            tone="note",
        )
    )
    if rows:
        blocks += bankrolls(subject.bets[0], bankroll, rounds, stake)
    return Page("A session", *award_sections.seldom(subject, rounds), *blocks)


def bankrolls(bet: BetResult, bankroll: Number, rounds: int, stake: Number = 1) -> list[Picture]:
    """The bankroll over a session of a bet, as a fan of quantiles; none if that takes long."""
    lattice = Lattice.of(bet.profit)
    if (exact(bankroll) / exact(stake) / lattice.unit + rounds * lattice.span) * rounds >= FAN:
        return []
    fan = plots.bankroll_fan(bet, bankroll, rounds, stake=stake)
    return [picture(fan, f"The bankroll of a session on “{bet.name}”: exact quantiles")]


def simulation(subject: Subject, tally: "Tally", seed: int, runs: Sequence["Tally"]) -> Page:
    """The simulation, question by question, and its verdict; `runs` are shorter ones, for
    convergence.
    """
    from sevenout.verify import confirm

    verdict = confirm(tally, subject.solution)
    facts = (
        f"{tally.games:,} games were played roll by roll, {tally.rolls:,} rolls in all, from seed "
        f"{seed}. The same seed gives the same counts on every engine."
    )
    counts, tests, _ = verdict.page().blocks
    assert isinstance(counts, Table)
    rows = [(brief(str(name)), *seen) for name, *seen in counts.rows]
    left = len(rows) - MOST_FACES
    more = f" Not shown, but tested: {left:,} more counts." if left > 0 else ""
    note = Text(
        "All intervals are at 95 %. For a count: the exact (Clopper-Pearson) interval of its "
        "probability. For a bet: the normal interval around the actual return. z: the distance "
        f"from the exact figure, in standard deviations.{more}",
        tone="note",
    )
    seen = _seen_bets(subject, tally, runs)
    return Page(
        "The simulation that confirms it",
        *award_sections.left_out(subject, "the simulation"),
        Text(facts),
        Text(verdict.verdict),
        Table(counts.columns, rows[:MOST_FACES]),
        tests,
        *seen[:1],
        note,
        *seen[1:],
    )


def _seen_bets(subject: Subject, tally: "Tally", runs: Sequence["Tally"]) -> list[Block]:
    rows: list[tuple[object, ...]] = []
    for bet in subject.bets:
        seen = tally.bet(bet.name)
        mean = seen.mean
        error = (float(bet.variance) / tally.games) ** 0.5
        z = float(mean - bet.mean) / error if error else None
        ends = [1 + float(mean) + d * error for d in (-1.959964, 1.959964)]
        rows.append((bet.name, 1 + mean, bet.rtp, z, *ends))
    if not rows:
        return []
    columns = [
        "bet",
        Column("actual return", PERCENT),
        Column("exact", PERCENT),
        Column("z", SCORE),
    ]
    columns += [Column("95 %: from", PERCENT), Column("to", PERCENT)]
    blocks: list[Block] = [Table(columns, rows)]
    if runs:
        bet = subject.bets[0]
        means = [(t.games, t.bet(bet.name).mean) for t in (*runs, tally)]
        drawn = plots.convergence(bet, means)
        caption = (
            f"The return of “{bet.name}” in runs of growing length, each from a seed of its own, "
            "and the 95 % band about its mean"
        )
        blocks.append(picture(drawn, caption))
    return blocks


def biased_dice(subject: Subject) -> Page | None:
    if not subject.is_small or not subject.bets:
        return None
    slopes = edge_slopes(subject.solution, subject.names)
    if not slopes or len(slopes) > MOST_FACES:
        return None
    table: list[tuple[object, ...]] = [
        ("bet", *subject.names),
        *((f"face {face}", *row) for face, row in slopes),
    ]
    if len(slopes) <= FACES_ACROSS:
        table = list(zip(*table, strict=True))
    first, *heads = map(str, table[0])
    blocks: list[Block] = [
        Table([first, *(Column(head, SIGNED) for head in heads)], table[1:]),
        Text(
            "The change of each bet's house edge (per bet made) with the probability of a face. "
            "Let the face become one percentage point likelier on every die of its kind, and the "
            "other faces less likely in proportion. The edge then grows by a hundredth of the "
            "figure.",
            tone="note",
        ),
    ]
    if len(subject.chain.states) <= MOST_STATES:
        bet = subject.names[0]
        said = f"The edge of “{bet}” as one face of each die is made heavier or lighter"
        with suppress(PageError):  # too many faces for a picture
            curves = edge_curves(subject.solution, bet)
            blocks.append(picture(plots.edge_against_bias(curves), said))
    return Page("A biased die", *award_sections.left_out(subject, "these figures"), *blocks)
