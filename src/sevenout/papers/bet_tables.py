"""The tables of a paper that are about bets: figures, return tables, awards, hold, the dice.

Every figure of money is that of the whole bet, its progressive award included, unless a row says
"award left out".
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, sqrt
from typing import Any

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import (
    AMOUNT,
    COUNT,
    DECIMAL,
    FRACTION,
    LABEL,
    ODDS,
    ONE_IN,
    PERCENT,
    ROUNDED,
    SIGNED,
)
from sevenout.documents.numbers import (
    Certified,
    amount,
    decimal,
    in_currency,
    minus,
    money,
    odds,
    percent,
)
from sevenout.documents.words import count_in_words, word_list
from sevenout.numerals import Number, exact
from sevenout.papers.plots import edge_slopes
from sevenout.papers.subject import Subject, scheduled_exposure
from sevenout.solving.awards import AwardDistribution, ProgressiveResult, award_in_words
from sevenout.solving.bet_result import BetResult, TableRow
from sevenout.solving.metrics import Metrics
from sevenout.verify.counts import percentage
from sevenout.verify.monitoring import monitor_of

MAX_PAIRS = 12
"""The most pairs of bets shown: those with the strongest correlations."""
MAX_ROWS = 100
"""A return table with more rows is grouped by pay."""
MAX_FACES, FACES_ACROSS = 40, 8
"""The most faces of a table of the dice, and the most that run across the page."""
RARE = Fraction(1, 10**8)
"""Awards rarer than this are named, as GLI-11, 4.8.2, asks."""
RETURN_STEPS = 10**4
"""The parts of 1 to which the limits of a return are printed."""
SAMPLES = (1_000, 10_000, 100_000)
"""The numbers of bets whose actual return is shown."""
FIRST_BETS = 3
"""The bets of a meter that are worked at the start of a cycle, and as many before the limit."""
SPREAD = [Column(head, DECIMAL.with_digits(3)) for head in ("std. dev.", "VI, 90 %", "VI, 95 %")]
"""The columns of `Subject`'s bets for their spread; see `spread_of`."""
EDGE = "The house edge is the mean loss per unit staked, per bet made."
EDGES = {
    "resolved": "“Resolved” leaves pushes out.",
    "per roll": "“Per roll” divides the edge by the mean number of rolls.",
    "at risk": "“At risk” divides it by all the money that the bet puts at risk, odds and "
    "commission included.",
}
"""The other conventions of the house edge. One that equals the edge for every bet is left out."""
SAME_EDGE = {"resolved": "per bet resolved", "per roll": "per roll", "at risk": "per unit at risk"}
"""The same conventions in a sentence."""
INTERVAL_METHODS = {
    "exact": "the distribution of the total, exact",
    "certified": "the distribution of the total, with a proved error far below the last digit",
    "convolution": "the distribution of the total by a Fourier transform, within 1e-9",
    "normal": "the normal approximation",
    "Chernoff": "Chernoff's bounds, which hold with at least this probability",
}
"""How the limits of an actual return are computed, in words, by the method's name."""
CONVENTIONS = (
    "A hit is a profit; a push is not a hit. The standard deviation is that of the profit of one "
    "bet, per unit staked. The volatility index (VI) is that times the two-sided normal quantile: "
    "after n bets the actual return is within VI/√n of its mean, by the normal approximation. "
    "“Most paid” is the most that the house pays on one bet, besides the stake."
)


def figures(subject: Subject) -> Page:
    """One table of all bets and their figures, with their conventions."""
    if all(bet.is_score for bet in subject.bets):
        return _scores(subject)
    metrics_by_name: dict[str, Metrics] = {}
    for metrics in subject.metrics:
        metrics_by_name[metrics.bet.name] = metrics
        if metrics.award is not None:
            bare = Metrics(metrics.bet, metrics.cycle)
            metrics_by_name[f"{metrics.bet.name}, award left out"] = bare
    lines = [(name, metrics, _edges(metrics)) for name, metrics in metrics_by_name.items()]
    # an edge that equals the edge per bet made, for every bet, would say nothing
    shown_edges = [
        head
        for head in EDGES
        if any(
            edges[head] not in (None, metrics.counted_result.edge) for _, metrics, edges in lines
        )
    ]
    columns = ["bet", *(Column(head, PERCENT.with_digits(3)) for head in ("edge", *shown_edges))]
    columns += [Column("hits", PERCENT.with_digits(2)), *SPREAD, Column("most paid", LABEL)]
    rows = [
        (
            name,
            metrics.counted_result.edge,
            *(edges[head] for head in shown_edges),
            metrics.bet.p_win,
            *spread_of(metrics),
            _most_paid(metrics),
        )
        for name, metrics, edges in lines
    ]
    meanings = [EDGES[head] for head in shown_edges]
    if len(shown_edges) < len(EDGES) and not subject.awards:
        equal_edges = [per for head, per in SAME_EDGE.items() if head not in shown_edges]
        are = "are" if len(equal_edges) > 1 else "is"
        meanings.append(f"The edge {word_list(equal_edges)} {are} equal to it for every bet.")
    note = " ".join([EDGE, *meanings, CONVENTIONS])
    if subject.awards:
        note += " Figures with an award are those of one bettor, in the long run."
    title = "The bets" if len(subject.bets) > 1 else "The bet"
    return Page(title, Table(columns, rows), Text(note, tone="note"))


def _scores(subject: Subject) -> Page:
    """The figures of bets that count points."""
    rows = [(bet.name, bet.mean, bet.std, bet.p_win, bet.p_push) for bet in subject.bets]
    columns = ["score", Column("mean", FRACTION, DECIMAL), Column("std. dev.", DECIMAL)]
    columns += [Column("above 0", PERCENT), Column("0", PERCENT)]
    note = "The mean and the standard deviation are those of the score of one game."
    return Page("The score", Table(columns, rows), Text(note, tone="note"))


def _edges(metrics: Metrics) -> dict[str, Fraction | None]:
    """The edge by its other conventions, which are not defined with an award."""
    bet = metrics.bet
    if metrics.award:
        return dict.fromkeys(EDGES)
    resolved = None if bet.p_push == 1 else bet.edge_resolved
    # of certified probabilities, which add up to nearly 1, a quotient would differ in a far digit
    only_stake_at_risk = all(pay.risk == bet.stake for pay in bet.law)
    at_risk = bet.edge if only_stake_at_risk else bet.element_of_risk
    return dict(zip(EDGES, (resolved, bet.edge_per_roll, at_risk), strict=True))


def spread_of(metrics: Metrics) -> list[float]:
    """The standard deviation and the volatility indices of a bet, for the columns `SPREAD`."""
    return [metrics.counted_result.std, *(metrics.volatility_index(p) for p in ("9/10", "19/20"))]


def _most_paid(metrics: Metrics) -> str:
    """The most that is paid on a bet; a meter without a limit comes on top of the schedule."""
    if metrics.maximum_exposure is not None:
        return odds(metrics.maximum_exposure)
    return f"{odds(scheduled_exposure(metrics.bet))} + the meter"


def outcomes(subject: Subject) -> Page:
    """How a game without bets ends."""
    labels = subject.solution.labels
    rows = [(label, p, 1 / p if p else None) for label, p in labels.items()]
    columns = ["outcome", Column("probability", FRACTION, DECIMAL), Column("one in", ONE_IN)]
    total = ("total", _total(subject, labels.values()), "")
    return Page("Outcomes", Table(columns, rows, total))


def _total(subject: Subject, probabilities: Iterable[Fraction]) -> Fraction:
    """The sum of the probabilities of all outcomes; 1 if their error bounds allow it."""
    total = sum(probabilities, Fraction(0))
    error = subject.solution.bound * len(subject.chain.outcomes)
    return Fraction(1) if abs(total - 1) <= error else total


def returns(subject: Subject) -> Page:
    """The return table of each bet."""
    # a table for each bet, even where two pay alike: a laboratory ticks off bets
    tables: list[Block] = [_return_table(subject, bet) for bet in subject.bets]
    texts = []
    score = all(bet.is_score for bet in subject.bets)
    adds_up = "the mean result" if score else "minus the house edge per bet made"
    texts.append(
        "“Pays” is the profit per unit staked. “One in” is the mean number of bets per occurrence. "
        "The return is pays × probability. The probabilities add up to 1, the returns to "
        f"{adds_up}."
    )
    # with odds or a doubled bet the pay per unit staked is not what the felt prints
    if any(metrics.maximum_risk != 1 for metrics in subject.metrics):
        texts.append(
            "Where more than the stake is at risk, “at risk” is all the money on the table by "
            "then, in stakes. “Pays” is then per unit at risk, and the return is pays × at risk × "
            "probability."
        )
    texts += [award_pay(subject, bet) for bet in subject.awards]
    rare = [
        f"{bet.name}, {row.event}: one in {decimal(1 / row.probability, 0)}"
        for bet in subject.bets
        for row in bet.table
        # a rare loss needs no notice: GLI-11 asks for awards
        if 0 < row.probability < RARE and row.pays > 0
    ]
    if rare:
        texts.append(f"Rarer than 1 in 100,000,000: {'; '.join(rare)}.")
    title = "Return tables" if len(subject.bets) > 1 else "Return table"
    return Page(title, *tables, *(Text(text, tone="note") for text in texts))


def _return_table(subject: Subject, bet: BetResult) -> Table:
    """A row for each result of a bet: what it pays, its probability, and its part of the return."""
    risks: dict[tuple[str, Fraction], set[Fraction]] = {}
    for pay in bet.law:
        key = pay.event, pay.profit / bet.stake
        risks.setdefault(key, set()).add(pay.risk / bet.stake)
    # a column of ones would say nothing
    varies = set().union(*risks.values()) != {1}
    rows: list[tuple[Any, ...]] = []
    for row in sorted(_grouped_rows(bet), key=lambda row: -row.pays):
        risk_sizes = sorted(risks.get((row.event, row.pays), ()))
        at_risk = word_list(map(amount, risk_sizes), "or")
        # a doubled bet of 10 that wins 32 pays 16 to 5 of what is at risk, not 32 to 5
        pays = row.pays / risk_sizes[0] if len(risk_sizes) == 1 and risk_sizes[0] else row.pays
        one_in = 1 / row.probability if row.probability else None
        figures = pays, row.probability, one_in, row.contribution
        rows.append((row.event, at_risk, *figures) if varies else (row.event, *figures))
    paid = Column("pays", ODDS) if not bet.is_score else Column("score", AMOUNT)
    risk = [Column("at risk", LABEL)] if varies else []
    columns = ["event", *risk, paid, Column("probability", FRACTION, DECIMAL)]
    columns += [Column("one in", ONE_IN), Column("return", SIGNED)]
    p_total = _total(subject, (row.probability for row in bet.table))
    blank = ("",) * (2 if varies else 1)
    total = ("total", *blank, p_total, "", bet.mean)
    return Table(columns, rows, total, _caption(subject, bet))


def _caption(subject: Subject, bet: BetResult) -> str:
    """The name of a bet if there are several, and its stake if that is fixed."""
    words = [bet.name] if len(subject.bets) > 1 else []
    limits = subject.limits(bet.name)
    # a bet of one size: its stake is part of its name
    if limits.minimum is not None and limits.minimum == limits.maximum:
        words.append(f"fixed bet: {money(limits.minimum, subject.currency)}")
    elif bet.stake != 1:
        words.append(f"of {money(bet.stake, subject.currency)}")
    return ", ".join(words)


def _grouped_rows(bet: BetResult) -> tuple[TableRow, ...]:
    """The rows of a return table; of a long one, a row for each pay."""
    if len(bet.table) <= MAX_ROWS:
        return bet.table
    groups: dict[Fraction, list[TableRow]] = {}
    for row in bet.table:
        groups.setdefault(row.pays, []).append(row)
    return tuple(
        TableRow(
            short_list(list(dict.fromkeys(row.event for row in rows))),
            pays,
            sum((row.probability for row in rows), Fraction(0)),
            sum((row.contribution for row in rows), Fraction(0)),
        )
        for pays, rows in sorted(groups.items(), reverse=True)
    )


def short_list(names: list[str], max_names: int = 2) -> str:
    """Names in a row; only the first few of many.

    >>> short_list(["a", "b", "c", "d"])
    'a, b and 2 more'
    """
    shown = ", ".join(names[:max_names])
    return f"{shown} and {len(names) - max_names} more" if len(names) > max_names else shown


def rounded_outwards(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Limits as printed, to a hundredth of a per cent, rounded so that they are never narrower.

    >>> rounded_outwards(Fraction(1, 3), Fraction(2, 3))
    (Fraction(3333, 10000), Fraction(6667, 10000))
    """
    least, most = floor(low * RETURN_STEPS), ceil(high * RETURN_STEPS)
    return Fraction(least, RETURN_STEPS), Fraction(most, RETURN_STEPS)


def intervals(subject: Subject) -> Page:
    """The actual return of each bet after some numbers of bets, at 95 %."""
    heads = [head for n in SAMPLES for head in (f"{n:,} bets: from", "to")]
    rows = []
    methods: set[str] = set()
    for metrics in subject.metrics:
        interval_of: Any = metrics.interval
        # the interval of a metered bet counts the meter's change, which its schedule lacks
        if metrics.award is not None:
            interval_of = monitor_of(metrics.bet, metrics.award).fixed
        ends: list[Fraction] = []
        for n in SAMPLES:
            interval = interval_of(n, "19/20")
            methods.add(interval.method)
            ends += rounded_outwards(interval.low, interval.high)
        rows.append((metrics.bet.name, *ends))
    how = "; ".join(words for method, words in INTERVAL_METHODS.items() if method in methods)
    note = (
        "Central 95 % intervals of the actual return to the player, for equal and independent "
        f"bets, rounded outwards. Method: {how}."
    )
    if subject.awards:
        note += " With an award, the return counts the awards paid and the change of the meter."
    table = Table(["bet", *(Column(head, PERCENT.with_digits(2)) for head in heads)], rows)
    return Page("Actual return", table, Text(note, tone="note"))


def theoretical_hold(subject: Subject, pace: Number) -> Page:
    """What the house expects to win: per hour, and at the limits of the bet."""
    rows: list[tuple[object, ...]] = []
    losses_at_limits: list[list[str]] = []
    bet_again = set()
    for metrics in subject.metrics:
        hourly = exact(pace) / metrics.rolls_between
        limits, edge = subject.limits(metrics.bet.name), metrics.counted_result.edge
        losses_at_limits.append(
            [
                "" if stake is None else money_with_cents(edge * stake * hourly, subject.currency)
                for stake in (limits.minimum, limits.maximum)
            ]
        )
        # a side bet waits for the come-out after it is settled, so more rolls lie between its bets
        waits = metrics.rolls_between != metrics.bet.rolls
        bet_again.add(
            "at the come-out after it is settled" if waits else "as soon as it is settled"
        )
        rows.append((metrics.bet.name, edge, metrics.rolls_between, hourly, edge * hourly))
    columns = ["bet", Column("edge", PERCENT.with_digits(3))]
    columns.append(Column("mean rolls from bet to bet", DECIMAL.with_digits(3)))
    columns.append(Column("bets per hour", DECIMAL.with_digits(1)))
    columns.append(Column("loss per hour, in stakes", DECIMAL.with_digits(4)))
    if any(map(any, losses_at_limits)):
        unit = "" if subject.currency else ", in units"
        columns += [Column(f"at the least stake{unit}", LABEL), Column("at the largest", LABEL)]
        rows = [(*row, *losses) for row, losses in zip(rows, losses_at_limits, strict=True)]
    # one sentence for all bets; where they differ, the column of rolls shows which bets wait
    note = (
        f"At {amount(exact(pace))} rolls per hour; bet again {' or '.join(sorted(bet_again))}. The "
        "theoretical hold is the edge times the amount wagered; per hour it is the player's loss."
    )
    return Page("Theoretical hold", Table(columns, rows), Text(note, tone="note"))


def money_with_cents(x: Fraction, currency: str) -> str:
    """An amount of money with its cents.

    >>> money_with_cents(Fraction(2923, 2), "$")
    '$1,461.50'
    """
    return in_currency(f"{float(x):,.2f}", currency)


def money_to_pay(x: Fraction, currency: str) -> str:
    """The most that may have to be paid, rounded up to the cent.

    >>> money_to_pay(Fraction(1750, 3), "$"), money_to_pay(Fraction(2500), "$")
    ('$583.34', '$2,500')
    """
    return money(Fraction(ceil(100 * x), 100), currency)


def joint_figures(subject: Subject) -> Page:
    """The bets on the same rolls: correlations, and the exposure of the house in one round."""
    solution, bets = subject.solution, subject.bets
    rows: list[tuple[str, str, float]] = []
    variance = sum((bet.variance for bet in bets), Fraction(0))
    pairs = list(combinations(bets, 2))
    for first, second in pairs:
        covariance = solution.covariance(first.name, second.name)
        variance += 2 * covariance
        # a bet that always pays the same has no correlation
        if deviations := sqrt(first.variance * second.variance):
            rows.append((first.name, second.name, float(covariance) / deviations))
    rows = sorted(rows, key=lambda row: -abs(row[2]))[:MAX_PAIRS]
    mean_loss = sum((bet.edge for bet in bets), Fraction(0))
    text = (
        f"One unit on every bet has a mean loss of {minus(decimal(mean_loss, 4))} units and a "
        f"standard deviation of {decimal(sqrt(variance), 4)} units."
    )
    if len(pairs) > len(rows):
        text += (
            f" Of {len(pairs):,} pairs, the {len(rows)} with the strongest correlation are shown."
        )
    if subject.awards:
        text += " Progressive awards are left out of these figures."
    table = Table(["bet", "with", Column("correlation", SIGNED.with_digits(3, sign=True))], rows)
    return Page("The bets together", Text(text), table, *exposure(subject))


def exposure(subject: Subject) -> list[Text]:
    """The most that the house can lose to one bettor in one game, in money."""
    largest_win = subject.round_exposure
    # without the limit of one bet, the exposure is unknown
    if largest_win is None:
        return []
    text = (
        "With every bet at its largest stake, one bettor can win "
        f"{money_to_pay(largest_win, subject.currency)} from the house in one game. "
    )
    seats = subject.declared.seats
    # without the number of seats only one bettor's exposure is known
    if seats > 1:
        table = money_to_pay(seats * largest_win, subject.currency)
        text += f"A table of {count_in_words(seats)} bettors can win {table}."
    else:
        text += "A table with several bettors risks this once for each."
    if subject.awards:
        text += " The meters come on top."
    return [Text(text)]


# --- progressive awards ---------------------------------------------------------------------------


def award_pay(subject: Subject, bet: str) -> str:
    """What a bet with an award wins besides its schedule, and how often."""
    award = subject.awards[bet]
    wins_on = f"on {word_list(award.rule.on, 'or')}" if award.rule.on else "if it is drawn"
    mean = money(round(award.law.mean, 2), subject.currency)
    text = f"“{bet}” also wins what its meter shows {wins_on}: {mean} on average, once in "
    text += f"{decimal(award.law.mean_bets, 0)} bets."
    if award.law.mean_bets > 1 / RARE:
        text += " This is rarer than 1 in 100,000,000."
    return text


def return_split(award: ProgressiveResult) -> tuple[Fraction, Fraction, Fraction]:
    """The return of a bet with an award, per unit staked: base, reset (the seed) and increment.

    >>> from sevenout.rolling import dice
    >>> from sevenout.rules import Progressive, Wager
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.awards import progressive
    >>> boxcars = solve(Wager(dice("2d6").totals, {12: 20}, limit=1)).bet()
    >>> return_split(progressive(boxcars, Progressive(seed=5, share="1%", on="12")))
    (Fraction(7, 12), Fraction(5, 36), Fraction(1, 100))
    """
    reset = award.portion * award.law.seed / award.law.mean_bets
    return award.bet.rtp, reset, award.award_return - reset


def award_pages(subject: Subject, *, figures: bool = True) -> list[Page]:
    """Each award: its rule, its figures, and its meter worked once; or the rule and the meter."""
    pages = []
    for bet, award in subject.awards.items():
        rule = Text(award_in_words(award, subject.currency))
        worked: list[Block] = [meter(award, subject.currency)]
        if figures:
            parts = [percent(part, 3) for part in return_split(award)]
            text = (
                f"Of the long-run return of {percent(award.rtp, 3)}, the schedule pays {parts[0]}, "
                f"the reset {parts[1]} and the increment {parts[2]} of the stake."
            )
            how = (
                "The meter, worked from one award to the next: what it shows before a bet, what "
                "the bet adds, what is won if this bet wins the award, and where the meter stands "
                "then."
            )
            shown: list[Block] = [award_figures(award, subject.currency), Text(text), Text(how)]
            worked = [*shown, *worked, *award.edges_by_bettors()]
        pages.append(Page(f"Progressive award of {bet}", rule, *worked))
    return pages


def award_figures(award: ProgressiveResult, currency: str) -> Table:
    """The figures of an award, with its quantiles."""
    law = award.law
    edge = Certified(award.edge, award.rtp_bound) if award.rtp_bound else award.edge
    rows = [
        ("a bet adds to the meter", money_with_cents(award.feed, currency)),
        ("bets from one award to the next, on average", decimal(law.mean_bets, 1)),
        ("award, mean", money_with_cents(law.mean, currency)),
        ("award, standard deviation", money_with_cents(Fraction(law.std), currency)),
        ("house edge, award left out", percent(award.bet.edge, 3)),
        ("house edge in the long run", percent(edge, 3)),
        ("standard deviation, award left out", decimal(award.bet.std, 3)),
        ("standard deviation with the award", decimal(award.std, 3)),
    ]
    if award.break_even is not None:
        break_even = money_with_cents(award.break_even, currency)
        break_even = "below its start" if award.below_seed else break_even
        rows.append(("meter at which a bet is even", break_even))
    for share in ("5%", "50%", "95%", "99%"):
        quantile = money_with_cents(law.quantile(share), currency)
        rows.append((f"{share.replace('%', ' %')} of awards are at most", quantile))
    return Table(["", Column("", LABEL)], rows)


def meter(award: ProgressiveResult, currency: str = "") -> Table:
    """A meter bet by bet, from one award to the next."""
    unit = f", {currency}" if currency else ""
    # a share of a small stake may add a part of a cent
    feed = Fraction(award.law.feed)
    amounts = ROUNDED if 100 % feed.denominator == 0 else ROUNDED.with_digits(4)
    columns = [
        Column("bet since the last award", COUNT),
        Column(f"meter before{unit}", amounts),
        Column(f"the bet adds{unit}", amounts),
        "wins the award",
        Column(f"award{unit}", amounts),
        Column(f"meter after{unit}", amounts),
    ]
    return Table(
        columns, [row for n in _worked_bets(award.law) for row in _bet_of_cycle(award.law, n)]
    )


def _bet_of_cycle(law: AwardDistribution, number: int) -> list[tuple[object, ...]]:
    """The n-th bet of a cycle, with and without the award."""
    before = law.seed + (number - 1) * law.feed
    won = number, before, law.feed, "yes", law.award_at(number), law.seed
    # the bet that reaches the limit always wins
    if number == law.max_bets:
        return [won]
    return [(number, before, law.feed, "no", "", law.award_at(number)), won]


def _worked_bets(law: AwardDistribution) -> list[int]:
    """The bets that are worked: the first, one in the middle, and the last before the limit."""
    first, last = range(1, FIRST_BETS + 1), range(0)
    # a meter without a limit has no last bet
    if law.max_bets is not None:
        first = range(1, min(FIRST_BETS, law.max_bets) + 1)
        last = range(max(1, law.max_bets - FIRST_BETS + 1), law.max_bets + 1)
    return sorted({*first, law.bets_quantile("1/2"), *last})


def meter_csv(subject: Subject) -> str:
    """The worked meters as CSV, for meter software; `conform` reads it."""
    tables = {bet: meter(award) for bet, award in subject.awards.items()}
    rows = [(bet, *row) for bet, table in tables.items() for row in table.rows]
    heads = ["bet", "number", "before", "fed", "wins", "award", "after"]
    return Table(heads, [[str(x) for x in row] for row in rows]).csv()


# --- dice -----------------------------------------------------------------------------------------


def dice_sensitivity(subject: Subject) -> Page | None:
    """The effect of one more percentage point on each face; None if there is no room for it."""
    # the derivative solves the chain once more for each face
    if not subject.is_small or not subject.bets:
        return None
    slopes = edge_slopes(subject.solution, subject.bet_names)
    if not slopes or len(slopes) > MAX_FACES:
        return None
    table: list[tuple[object, ...]] = [
        ("bet", *subject.bet_names),
        *((face, *row) for face, row in slopes),
    ]
    # the shorter of faces and bets runs across the page
    if len(slopes) <= FACES_ACROSS or len(subject.bet_names) > FACES_ACROSS:
        table = list(zip(*table, strict=True))
    first, *heads = map(str, table[0])
    # a slope is per unit of probability, and a percentage point is a hundredth
    rows = [
        (row[0], *(x / 100 if isinstance(x, Fraction) else x for x in row[1:])) for row in table[1:]
    ]
    text = (
        "The effect of one more percentage point on a face: the change of each bet's house edge, "
        "per bet made, if that face of every die of its kind comes up one percentage point more "
        "often and the others less often in proportion (to first order)."
    )
    wheel = any("segment" in face for face, _ in slopes)
    if wheel:
        text += " A segment of a wheel stands for all segments with its label."
    if subject.awards:
        text += " Progressive awards are left out."
    if not any(slope for _, row in slopes for slope in row):
        text += (
            " All effects are zero to first order, since every face has the same one and together "
            "they cancel: the edge changes by the square of a small bias."
        )
    shown = Table(
        [first, *(Column(head, PERCENT.with_digits(3, sign=True)) for head in heads)], rows
    )
    title = "Effect of the dice and the wheel" if wheel else "Effect of the dice"
    return Page(title, shown, Text(text, tone="note"))


def printed_award(subject: Subject, bet: str) -> list[tuple[str, str]]:
    """The line of a pay table for the meter."""
    award = subject.awards.get(bet)
    if award is None:
        return []
    on = " · ".join(award.rule.on)
    return [(f"{on} also wins" if on else "a bet that is drawn beforehand wins", "the meter")]


def meter_rule(subject: Subject, bet: str) -> str:
    """The meter in a sentence; empty for a bet without one."""
    award = subject.awards.get(bet)
    if award is None:
        return ""
    law = award.law
    until = ""
    if law.limit is not None:
        until = f", and is won at {money(law.limit, subject.currency)} at the latest"
    share = percentage(exact(award.rule.share))
    start = money(law.seed, subject.currency)
    gains = f"gains {share} of each stake"
    return f"The meter starts at {start}{', ' if until else ' and '}{gains}{until}."


def pay_text(profit: Fraction) -> str:
    """A pay as said at the table."""
    return odds(profit) if profit else "stake back"
