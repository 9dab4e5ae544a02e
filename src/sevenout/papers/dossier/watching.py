"""Monitoring: the limits of the actual return, and a rule to apply daily."""

from fractions import Fraction
from math import ceil, floor

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import COUNT, NOTE, PERCENT
from sevenout.documents.numbers import percent
from sevenout.errors import SevenoutError
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.sections.rules_in_words import listed
from sevenout.verify.counts import confidence_of, percentage
from sevenout.verify.many_bets import ReturnLimits
from sevenout.verify.monitoring import MeteredMonitor, Monitor, Year

DECADES = tuple(10**k for k in range(3, 9))
"""The numbers of bets in print."""
VOLUMES = (*(base * 10**k for k in range(3, 8) for base in (1, 3)), 10**8)
"""The numbers of bets in the CSV."""
LEVELS = ("95%", "99%", "99.9%")
LOWER = (Fraction(1, 200), Fraction(1, 100), Fraction(1, 50), Fraction(1, 20))
PLACES = 10**6


def monitoring(matter: Matter) -> Page:
    """The limits of every bet, and the rule."""
    sections = [_rule(matter), *_meters(matter)]
    for bet, monitor in matter.monitors.items():
        blocks: list[Block] = [_fixed(monitor), _daily(monitor), *_alarms(matter, monitor)]
        title = f"Bet: {bet}" if len(matter.monitors) > 1 else "The limits"
        sections.append(Page(title, *blocks))
        monitor.forget()
    sections.append(_method())
    return matter.page("Monitoring of the actual return", *sections)


def _rule(matter: Matter) -> Page:
    sure = confidence_of(matter.confidence)
    many = len(matter.monitors)
    alarm, half = percentage(1 - sure), percentage((1 - sure) / 2 / many)
    each = f" for each of the {many} bets" if many > 1 else ""
    steps = (
        "Every day, add up the bets of the day and what they returned per unit staked. Raise an "
        "alarm in either of two cases. First, the day's return is outside the day's limits for "
        "that number of bets. Over a year of 365 days, the probability of such a false alarm is at "
        f"most {half}{each}. Second, the return of all bets since the start is outside the running "
        "limits for that number of bets. The probability that this ever happens to a correct game "
        f"is at most {half}{each}, however often the return is checked. In total, a correct game "
        f"raises an alarm in at most {alarm} of all years. Between two rows of the table, use the "
        "row with fewer bets, whose limits are wider. The CSV file has more rows. Add a day of "
        "fewer than a thousand bets to the next day."
    )
    warning = (
        "The limits at 95, 99 and 99.9 % are for a single check, at a number of bets that is fixed "
        "in advance. If they are applied to each day of a year, a correct game raises an alarm "
        f"with probability {percent(1 - Fraction(95, 100) ** 365, 1)}, "
        f"{percent(1 - Fraction(99, 100) ** 365, 1)} and "
        f"{percent(1 - Fraction(999, 1000) ** 365, 1)}."
    )
    return Page("The rule to apply daily", Text(steps), Text(warning))


def _meters(matter: Matter) -> list[Page]:
    """How the return of a bet with an award is counted."""
    awards = matter.subject.awards
    if not awards:
        return []
    named = listed(f"“{bet}”" for bet in awards)
    long = [
        f"In the long run “{bet}” returns {percent(award.rtp)} of the stake, of which the "
        f"award is {percent(award.added)}."
        for bet, award in awards.items()
    ]
    text = (
        f"The return of {named} includes the awards paid and the change of the meter. For each "
        "day, add the pays, the awards, and the meter at the end of the day less the meter at its "
        "start. Divide by the stakes of the day. What the meter has gained is owed to the players. "
        "Without it, a correct game would raise an alarm whenever no award or a large one was "
        f"paid. {' '.join(long)}"
    )
    return [Page("Progressive awards", Text(text))]


def _out(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Limits as printed, rounded outwards."""
    return Fraction(floor(low * PLACES), PLACES), Fraction(ceil(high * PLACES), PLACES)


def _fixed(monitor: Monitor) -> Table:
    rows = []
    for n in DECADES:
        found = [monitor.fixed(n, level) for level in LEVELS]
        ends = [end for each in found for end in _out(each.low, each.high)]
        rows.append((n, *ends, _law(found[0])))
    heads = [head for level in LEVELS for head in (f"{level[:-1]} %: from", "to")]
    columns = [Column("bets", COUNT), *(Column(head, PERCENT) for head in heads)]
    return Table(
        [*columns, Column("method, error", NOTE)],
        rows,
        caption="A single check, at a fixed number of bets",
    )


def _law(found: ReturnLimits) -> str:
    """The distribution behind the limits, and its error."""
    if found.method == "Chernoff":
        return "Chernoff, at most"
    error = "< 1e-9" if found.method == "convolution" else f"< {found.error:.1e}"
    return f"{found.method}, {error}"


def _daily(monitor: Monitor) -> Table:
    rows = []
    for n in DECADES:
        day, running = monitor.day(n), monitor.running(n)
        alarm = 1 / Fraction(day.outside) if day.outside else None
        rows.append((n, *_out(day.low, day.high), *_out(*running[1:]), alarm))
    columns = [Column("bets", COUNT), Column("the day: from", PERCENT), Column("to", PERCENT)]
    columns += [Column("since the start: from", PERCENT), Column("to", PERCENT)]
    columns.append(Column("false alarm: one day in", COUNT))
    return Table(columns, rows, caption="Checked every day")


def _alarms(matter: Matter, monitor: Monitor) -> list[Block]:
    """The rule's alarm rates at one volume, for a correct and a faulty game."""
    if isinstance(monitor, MeteredMonitor):
        said = (
            "The exact false-alarm rate of an award with a limit depends on the meter, and is not "
            "computed. It is at most the rate stated above."
        )
        return [Text(said, tone="note")]
    found = _year(matter, monitor)
    if found is None:
        said = f"The false-alarm rate at {matter.volume:,} bets a day takes too long to compute."
        return [Text(said, tone="note")]
    volume, right = found
    rows: list[tuple[object, ...]] = []
    for lower in LOWER:
        if lower >= monitor.slack:
            continue
        noticed = monitor.noticed(volume, lower)
        days = [next((d for d, p in enumerate(noticed, 1) if p >= q), None) for q in (0.5, 0.9)]
        rows.append((lower, noticed[-1], *days))
    fewer = ""
    if volume < matter.volume:
        fewer = (
            f"The rates at {matter.volume:,} bets a day take too long to compute; these are the "
            f"rates at {volume:,}. "
        )
    facts = (
        f"{fewer}At {volume:,} bets a day, the probability that a correct game raises an alarm "
        f"within a year is {percent(Fraction(right.day), 4)} by the day's rule, "
        f"{percent(Fraction(right.running), 4)} by the running rule, and "
        f"{percent(Fraction(right.either), 4)} by either rule. These figures are computed from the "
        "exact distribution, day by day."
    )
    columns = [
        Column("true return lower by", PERCENT.to(1)),
        Column("alarm within a year", PERCENT.to(1)),
    ]
    columns += [Column("day: 50 %", COUNT), Column("90 %", COUNT)]
    caption = f"Faults that the rule detects, at {volume:,} bets a day"
    return [Text(facts), Table(columns, rows, caption=caption)]


def _year(matter: Matter, monitor: Monitor) -> tuple[int, Year] | None:
    """The false alarms of a year at this many bets per day, or fewer if that takes too long."""
    for part in (1, 10, 100):
        try:
            volume = max(1, matter.volume // part)
            return volume, monitor.year(volume)
        except SevenoutError:
            continue
    return None


def _method() -> Page:
    text = (
        "The actual return is the amount returned per unit staked, for bets of one unit. Limits "
        "are rounded outwards, and a return at a limit is inside. “Convolution” is the exact "
        "distribution of the total, by inversion of its characteristic function on the lattice of "
        "the profits; each probability is within the error shown. “Normal” is the normal "
        "approximation, used where the lattice is too fine; its error is that of Berry and Esseen "
        "with Shevtsova's constant (2011). In that case the day's limits are those of Chernoff's "
        "inequality (1952), whose false-alarm rate is at most the stated one. They also hold for a "
        "bet whose award has a limit, wherever the meter stands. The running limits are those of a "
        "mixture of martingales of the game's own distribution. By Ville's inequality (1939) they "
        "hold at all times at once (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of "
        "Statistics 49, 2021). If stakes differ, the same limits hold for the number of bets of "
        "one size."
    )
    return Page("How the limits are found", Text(text, tone="note"))


def limits_csv(matter: Matter) -> str:
    rows: list[tuple[object, ...]] = []
    for bet, monitor in matter.monitors.items():
        for n in VOLUMES:
            found = {level: monitor.fixed(n, level) for level in LEVELS} | {"day": monitor.day(n)}
            for name, each in found.items():
                ends = float(each.low), float(each.high)
                law = f"{each.outside:.6g}", each.method, f"{each.error:.1e}"
                rows.append((bet, n, name, *ends, *law))
            running = monitor.running(n)
            ends = float(running.low), float(running.high)
            rest = f"at most {monitor.alpha:.6g} ever", "mixture martingale", "0"
            rows.append((bet, n, "running", *ends, *rest))
        monitor.forget()
    return Table(["bet", "bets", "limits", "low", "high", "outside", "method", "error"], rows).csv()
