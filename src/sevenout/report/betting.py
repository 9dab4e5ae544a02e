"""The sections on the bets: schedule, return tables, figures, what they do to one another."""

from fractions import Fraction
from math import ceil, floor, sqrt

from sevenout.exact.bets import BetResult, TableRow
from sevenout.exact.metrics import Metrics
from sevenout.exact.show import decimal, percent, signed
from sevenout.report.page import Block, Cell, Kind, Section, Table, Text
from sevenout.report.subject import Subject, figure, merged, one_in, plain
from sevenout.report.words import listed, odds
from sevenout.rules.game import Number

MOST_ROWS = 100
"""A return table with more rows is summed up by what is paid."""
SAMPLES = (100, 1_000, 10_000, 100_000, 1_000_000)


def outcomes(subject: Subject) -> Section:
    """How the game ends, for a game without bets."""
    labels = subject.solution.labels
    rows: list[tuple[Cell, ...]] = [
        (label, p, figure(p), one_in(1 / p) if p else "–") for label, p in labels.items()
    ]
    rows.append(("total", sum(labels.values(), Fraction(0)), "1.000000", ""))
    head = ("outcome", "probability", "", "one in")
    return Section("Outcomes", (Table(head, ("text", "exact", "number", "number"), rows, True),))


def schedule(subject: Subject) -> Section:
    """What each bet is paid, and how often."""
    blocks: list[Block] = []
    for bet in subject.bets:
        table = Table(*_paid(bet), caption=_caption(subject, bet))
        blocks.append(table)
    more = (
        " “At risk” is all the money on the table by then, odds and commission included, in "
        "stakes, and comes back with the profit."
        if any(metrics.maximum_risk != 1 for metrics in subject.metrics)
        else ""
    )
    blocks.append(
        Text(
            "“Pays” is the profit on the stake (3 to 1); “returns” is what comes back, the stake "
            f"included (4 for 1).{more} An award is won once in so many bets on average.",
            note=True,
        )
    )
    return Section("Payout schedule", tuple(blocks))


def _paid(bet: BetResult) -> tuple[tuple[str, ...], tuple[Kind, ...], list[tuple[Cell, ...]]]:
    """The schedule of a bet: with the money at risk, where that is not one stake throughout."""
    risks: dict[tuple[str, Fraction], set[Fraction]] = {}
    for pay in bet.law:
        key = pay.event, pay.profit / bet.stake
        risks.setdefault(key, set()).add(pay.risk / bet.stake)
    varies = set().union(*risks.values()) != {1}
    rows: list[tuple[Cell, ...]] = []
    for row in _rows(bet):
        at_risk = sorted(risks.get((row.event, row.pays), ()))
        won = row.pays > 0
        cells = [
            row.event,
            listed(map(plain, at_risk), "or"),
            odds(row.pays),
            f"{listed((plain(row.pays + risk) for risk in at_risk or [Fraction(1)]), 'or')} for 1"
            if won
            else "",
            one_in(1 / row.probability) if won and row.probability else "",
        ]
        rows.append(tuple(cells if varies else [cells[0], *cells[2:]]))
    head = ("event", *(["at risk"] if varies else []), "pays", "returns", "one in")
    return head, numbers(len(head) - 1), rows


def returns(subject: Subject) -> Section:
    """The return tables."""
    blocks: list[Block] = []
    for bet in subject.bets:
        rows: list[tuple[Cell, ...]] = [
            (
                row.event,
                signed(row.pays),
                row.probability,
                figure(row.probability),
                figure(row.contribution, sign=True),
            )
            for row in _rows(bet)
        ]
        total = sum((row.probability for row in bet.table), Fraction(0))
        rows.append(("total", "", total, decimal(total), figure(bet.mean, sign=True)))
        head = ("event", "pays", "probability", "", "return")
        kinds: tuple[Kind, ...] = ("text", "number", "exact", "number", "number")
        blocks.append(Table(head, kinds, rows, True, _caption(subject, bet)))
    blocks.append(
        Text(
            "Per unit staked when the bet is made. The probabilities add up to one; the last "
            "column is pays times probability, and adds up to minus the house edge per bet made.",
            note=True,
        )
    )
    return Section("Return tables" if len(subject.bets) > 1 else "Return table", tuple(blocks))


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


def _caption(subject: Subject, bet: BetResult) -> str:
    if bet.stake != 1:
        return f"Bet: {bet.name}, of {plain(bet.stake)} units; all per unit of that"
    return f"Bet: {bet.name}" if len(subject.bets) > 1 else ""


def figures(subject: Subject, pace: Number, confidence: Number) -> Section:
    """Every figure of every bet, with its convention."""
    blocks: list[Block] = []
    if len(subject.bets) > 1:
        blocks.append(_side_by_side(subject))
    for metrics in subject.metrics:
        caption = _caption(subject, metrics.bet)
        rows = _figures(metrics, Fraction(pace), Fraction(confidence))
        head = ("figure", "", "exact", "convention")
        blocks.append(Table(head, ("text", "number", "exact", "note"), rows, caption=caption))
    return Section("Figures", tuple(blocks))


def _side_by_side(subject: Subject) -> Table:
    rows = [
        (
            bet.name,
            percent(bet.edge),
            percent(bet.edge_resolved) if bet.p_push != 1 else "–",
            percent(bet.edge_per_roll),
            percent(bet.element_of_risk),
            percent(bet.p_win, 2),
            decimal(Fraction(bet.standard_deviation), 4),
        )
        for bet in subject.bets
    ]
    head = ("bet", "edge, made", "resolved", "per roll", "at risk", "hits", "std. dev.")
    return Table(head, numbers(6), rows, caption="Side by side")


def numbers(n: int) -> tuple[Kind, ...]:
    """A column of words, then n of figures."""
    return ("text", *(["number"] * n))  # type: ignore[arg-type]


def _figures(metrics: Metrics, pace: Fraction, confidence: Fraction) -> list[tuple[Cell, ...]]:
    bet = metrics.bet
    rows: list[tuple[Cell, ...]] = [
        (
            "House edge",
            percent(bet.edge),
            bet.edge,
            "per bet made: mean loss per unit, pushes counted",
        ),
    ]
    if bet.p_push not in (0, 1):
        rows.append(
            (
                "House edge",
                percent(bet.edge_resolved),
                bet.edge_resolved,
                "per bet resolved: pushes left out",
            )
        )
    rows += [
        (
            "House edge",
            percent(bet.edge_per_roll),
            bet.edge_per_roll,
            "per roll: edge per bet made / mean rolls",
        ),
        (
            "Element of risk",
            percent(bet.element_of_risk),
            bet.element_of_risk,
            "per unit of all money at risk (odds, commission)",
        ),
        ("Return to player", percent(bet.rtp), bet.rtp, "per bet made: 1 − edge"),
        (
            "Hit frequency",
            percent(metrics.hit_frequency),
            metrics.hit_frequency,
            "probability of a profit; a push is no hit",
        ),
        (
            "Push frequency",
            percent(metrics.push_frequency),
            metrics.push_frequency,
            "probability that the stake is returned",
        ),
        (
            "Maximum exposure",
            figure(metrics.maximum_exposure).rstrip("0").rstrip("."),
            metrics.maximum_exposure,
            "the most that the house pays on one bet, in stakes",
        ),
    ]
    if metrics.maximum_risk != 1:
        rows += [
            ("Money at risk", decimal(bet.mean_risk), bet.mean_risk, "mean, in stakes"),
            (
                "Money at risk",
                decimal(metrics.maximum_risk),
                metrics.maximum_risk,
                "at most, in stakes",
            ),
        ]
    rows += [
        ("Rolls to settle", decimal(bet.rolls), bet.rolls, "mean, from the roll after the bet"),
        ("Variance", decimal(bet.variance), bet.variance, "of the profit per unit staked"),
        ("Standard deviation", f"{bet.standard_deviation:.6f}", "", "per unit staked"),
        (
            "Volatility index",
            f"{metrics.volatility_index(confidence):.6f}",
            "",
            f"z × standard deviation, two-sided {percent(confidence, 0)}",
        ),
        ("Skewness", f"{bet.skewness:+.6f}", "", "third standardised moment"),
        ("Excess kurtosis", f"{bet.kurtosis:+.6f}", "", "fourth standardised moment less 3"),
    ]
    if metrics.n0 is not None:
        rows.append(
            (
                "N0",
                f"{round(metrics.n0):,}",
                metrics.n0,
                "variance / edge²: then mean loss = std. deviation",
            )
        )
    rows += [
        (
            f"Bets for ± {percent(error, 1)}",
            f"{metrics.bets_needed(error, confidence):,}",
            "",
            f"for the actual return at {percent(confidence, 0)}, by the normal law",
        )
        for error in (Fraction(1, 100), Fraction(1, 1000))
        if bet.variance
    ]
    rows.append(
        (
            "Loss an hour",
            decimal(metrics.hourly_loss(rolls=pace), 4),
            metrics.hourly_loss(rolls=pace),
            f"mean, in stakes, at {pace} rolls an hour",
        )
    )
    return rows


def intervals(subject: Subject) -> Section:
    """Where the actual return lies after so many bets."""
    blocks: list[Block] = []
    for metrics in subject.metrics:
        rows = []
        for n in SAMPLES:
            a, b = metrics.interval(n, "19/20"), metrics.interval(n, "99/100")
            ends = [
                percent(Fraction(whole, 10_000), 2)  # outwards: rounding must not make it narrower
                for interval in (a, b)
                for whole in (floor(interval.low * 10_000), ceil(interval.high * 10_000))
            ]
            rows.append((f"{n:,}", *ends, a.method))
        head = ("after bets", "95 %: from", "to", "99 %: from", "to", "law")
        kinds: tuple[Kind, ...] = ("number",) * 5 + ("note",)
        blocks.append(Table(head, kinds, rows, caption=_caption(subject, metrics.bet)))
    blocks.append(
        Text(
            "Central intervals of the actual return to the player, over bets of one unit, rounded "
            "outwards. “exact”: "
            "from the whole convolution in integers; “certified”: the same, with a proved error "
            "far below the last digit; “normal”: by the normal law.",
            note=True,
        )
    )
    return Section("Actual return to the player", tuple(blocks))


def joint(subject: Subject) -> Section:
    """Covariances and correlations of the bets, as one set of rolls settles them."""
    solution, bets = subject.solution, subject.bets
    pairs: list[tuple[Cell, ...]] = []
    for i, one in enumerate(bets):
        for other in bets[i + 1 :]:
            covariance = solution.covariance(one.name, other.name)
            spread = sqrt(one.variance * other.variance)
            correlation = f"{float(covariance) / spread:+.6f}" if spread else "–"
            pairs.append(
                (one.name, other.name, figure(covariance, sign=True), covariance, correlation)
            )
    head = ("bet", "with", "covariance", "exact", "correlation")
    kinds: tuple[Kind, ...] = ("text", "text", "number", "exact", "number")
    total = sum((bet.variance for bet in bets), Fraction(0)) + 2 * sum(
        (row[3] for row in pairs if isinstance(row[3], Fraction)), Fraction(0)
    )
    edge = sum((bet.edge for bet in bets), Fraction(0))
    note = (
        "Of the profits per unit staked on each, made together and settled by the same rolls. One "
        f"unit on every bet has edge {decimal(edge)} units and "
        f"standard deviation {sqrt(total):.6f}."
    )
    return Section("The bets together", (Table(head, kinds, pairs), Text(note, note=True)))
