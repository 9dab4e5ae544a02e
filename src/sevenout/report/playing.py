"""The sections on play: rolls, a session, the simulation that confirms, a biased die."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.exact.sessions import session
from sevenout.exact.show import decimal, percent
from sevenout.report import plots
from sevenout.report.betting import numbers
from sevenout.report.biased import edge_curves, edge_slopes
from sevenout.report.page import Block, Cell, Picture, ReportError, Section, Table, Text
from sevenout.report.style import WIDTH, as_svg
from sevenout.report.subject import Subject, chance, figure
from sevenout.rules.game import Number, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sevenout.simulate import Tally

MOST_FACES, FACES_ACROSS = 40, 8
MOST_STATES = 60
"""The edge as a function of a bias is worked out for games of no more states."""
FAN_VALUES = 60_000
"""A fan over more (amount, round) pairs than this, times 100, is not drawn."""


def picture(drawn: "Figure", caption: str) -> Picture:
    """A figure as a block."""
    return Picture(as_svg(drawn), caption, 72 * min(WIDTH, drawn.get_figwidth()))


def rolls(subject: Subject) -> Section:
    """How long a game lasts."""
    solution = subject.solution
    counters = [c for c in subject.chain.counters if not c.startswith("rolls of ")]
    if not subject.is_small:
        rows: list[tuple[Cell, ...]] = [
            (c, decimal(solution.mean_rolls if c == "rolls" else solution.mean(c)))
            for c in counters
            if c == "rolls" or not solution.bound
        ]
        return Section("How long it lasts", (Table(("counter", "mean"), ("text", "number"), rows),))
    laws = {c: solution.law(c) for c in counters}
    rows = [
        (
            c,
            decimal(law.mean),
            law.mean,
            f"{float(law.variance) ** 0.5:.6f}",
            str(law.quantile(Fraction(1, 2))),
            str(law.quantile(Fraction(99, 100))),
        )
        for c, law in laws.items()
    ]
    head = ("counter", "mean", "exact", "std. dev.", "median", "99 %")
    table = Table(head, ("text", "number", "exact", "number", "number", "number"), rows)
    if laws["rolls"].sf(1) == 0:
        return Section("How long it lasts", (Text("One roll settles everything."), table))
    caption = "Rolls until all is settled: probability, and the tail on a logarithmic scale"
    return Section("How long it lasts", (table, picture(plots.roll_law(laws["rolls"]), caption)))


def evening(subject: Subject, bankroll: Number, rounds: int) -> Section:
    """A session of each bet."""
    rows: list[tuple[Cell, ...]] = []
    blocks: list[Block] = []
    for bet in subject.bets:
        try:
            result = session(bet, bankroll, rounds=rounds)
        except RulesError as error:
            blocks.append(Text(f"{bet.name}: not worked out. {error}", note=True))
            continue
        ends = [_money(result.quantile(q)) for q in ("1/20", "1/4", "1/2", "3/4", "19/20")]
        rows.append(
            (
                bet.name,
                chance(result.ruin),
                chance(result.ahead),
                decimal(result.mean, 3, sign=True),
                *ends,
                "certified" if result.bound or bet.bound else "exact",
            )
        )
    owes = any(row.pays < -1 for bet in subject.bets for row in bet.table)
    owed = " A bet that loses more than its stake may leave less than nothing." if owes else ""
    head = ("bet", "ruin", "ahead", "mean", "5 %", "25 %", "median", "75 %", "95 %", "status")
    if rows:
        blocks.insert(0, Table(head, (*numbers(8), "note"), rows))
    blocks.append(
        Text(
            f"A session of {rounds:,} bets of one unit from a bankroll of {bankroll} units, over "
            "when less than one unit is left. Ruin: the probability of that; ahead: of a profit; "
            f"then the mean and the quantiles of the session's result, in units.{owed}",
            note=True,
        )
    )
    first = subject.bets[0]
    if rows and _fan_is_small(first.profit, exact(bankroll), rounds):
        fan = plots.bankroll_fan(first, bankroll, rounds)
        blocks.append(picture(fan, f"The bankroll of a session on “{first.name}”: exact quantiles"))
    return Section("A session", tuple(blocks))


def _money(x: Fraction) -> str:
    """An amount won or lost, to the hundredth."""
    return decimal(x, 2, sign=x != 0).removesuffix("00").removesuffix(".")


def _fan_is_small(law: Any, bankroll: Fraction, rounds: int) -> bool:
    from sevenout.exact.totals import Lattice

    lattice = Lattice.of(law)
    return (bankroll / lattice.unit + rounds * lattice.span) * rounds < 100 * FAN_VALUES


def simulation(
    subject: Subject, tally: "Tally", seed: int, engine: str, runs: Sequence["Tally"]
) -> Section:
    """The simulation, question by question, and its verdict.

    Args:
        subject: what the sheet is about.
        tally: the run.
        seed: its seed.
        engine: what played it.
        runs: shorter runs, for the picture of convergence.
    """
    from sevenout.verify import confirm

    verdict = confirm(tally, subject.solution)
    facts = (
        f"{tally.games:,} games were played roll by roll, {tally.rolls:,} rolls in all, from seed "
        f"{seed} (engine: {engine}). The same seed gives the same counts on every engine."
    )
    shares: list[tuple[Cell, ...]] = [
        (
            row.name,
            f"{row.count:,}",
            f"{float(row.games * row.p):,.1f}",
            f"{row.z:+.2f}",
            f"{row.exact.low:.6f}",
            f"{row.exact.high:.6f}",
            figure(row.p),
        )
        for row in verdict.outcomes[:MOST_FACES]
    ]
    head = ("outcome", "seen", "expected", "z", "95 %: from", "to", "exact")
    blocks: list[Block] = [
        Text(facts),
        Text(verdict.verdict),
        Table(head, numbers(6), shares),
    ]
    tests: list[tuple[Cell, ...]] = []
    wheres = ("outcomes", "outcomes", "rolls per game", "rolls per game")
    named = [(f"{c.name}, {w}", c) for c, w in zip(verdict.fits, wheres, strict=True)]
    for name, check in [*named, ("mean rolls, z", verdict.mean_rolls)]:
        df = "" if check.df is None else str(check.df)
        tests.append((name, f"{check.statistic:.3f}", df, f"{check.p_value:.4f}", check.note))
    columns = ("test", "statistic", "d.f.", "p-value", "")
    blocks.append(Table(columns, ("text", "number", "number", "number", "note"), tests))
    left = len(verdict.outcomes) - len(shares)
    more = f" Not shown, but tested: {left:,} more outcomes." if left else ""
    note = Text(
        "95 %: for an outcome, the exact interval (Clopper and Pearson) of its probability, from "
        "the count; for a bet, the normal interval of its return about the actual one. z: the "
        f"distance from the exact figure in standard deviations.{more}",
        note=True,
    )
    seen = _seen_bets(subject, tally, runs)
    blocks += [*seen[:1], note, *seen[1:]]
    return Section("The simulation that confirms it", tuple(blocks))


def _seen_bets(subject: Subject, tally: "Tally", runs: Sequence["Tally"]) -> list[Block]:
    rows: list[tuple[Cell, ...]] = []
    for bet in subject.bets:
        seen = tally.bet(bet.name)
        mean = seen.mean / bet.stake
        error = (float(bet.variance) / tally.games) ** 0.5
        z = f"{float(mean - bet.mean) / error:+.2f}" if error else "–"
        ends = [f"{100 * (1 + float(mean) + d * error):.4f} %" for d in (-1.959964, 1.959964)]
        rows.append((bet.name, percent(1 + mean), percent(bet.rtp), z, *ends))
    if not rows:
        return []
    head = ("bet", "actual return", "exact", "z", "95 %: from", "to")
    blocks: list[Block] = [Table(head, numbers(5), rows)]
    if runs:
        bet = subject.bets[0]
        means = [(t.games, t.bet(bet.name).mean / bet.stake) for t in (*runs, tally)]
        drawn = plots.convergence(bet, means)
        caption = (
            f"The return of “{bet.name}” in runs of growing length, each from a seed of its own, "
            "and the 95 % band about its mean"
        )
        blocks.append(picture(drawn, caption))
    return blocks


def biased_dice(subject: Subject) -> Section | None:
    """What a biased die does; None where there is nothing to say."""
    if not subject.is_small or not subject.bets:
        return None
    slopes = edge_slopes(subject.solution, subject.names)
    if not slopes or len(slopes) > MOST_FACES:
        return None
    table = [
        ("bet", *subject.names),
        *((f"face {face}", *[f"{float(s):+.6f}" for s in row]) for face, row in slopes),
    ]
    if len(slopes) <= FACES_ACROSS:
        table = list(zip(*table, strict=True))
    blocks: list[Block] = [
        Table(table[0], numbers(len(table[0]) - 1), table[1:]),
        Text(
            "The slope of each bet's house edge (per bet made) with respect to the probability of "
            "a face: if the face becomes one percentage point likelier on each of the dice that "
            "are alike, the others giving way in proportion, the edge grows by a hundredth of it.",
            note=True,
        ),
    ]
    drawn = _bias_picture(subject)
    if drawn is not None:
        blocks.append(drawn)
    return Section("A biased die", tuple(blocks))


def _bias_picture(subject: Subject) -> Picture | None:
    """The edge of the first bet as a function of the bias of each face, where faces are few."""
    if len(subject.chain.states) > MOST_STATES:
        return None
    bet = subject.names[0]
    try:
        curves = edge_curves(subject.solution, bet)
    except ReportError:
        return None
    drawn = plots.edge_against_bias(curves)
    return picture(drawn, f"The edge of “{bet}” as one face of each die is made heavier or lighter")
