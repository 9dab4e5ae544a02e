"""The paper on monitoring: what to record, the limits of the actual return, what an alarm means."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import COUNT, PERCENT
from sevenout.documents.numbers import percent
from sevenout.documents.words import word_list
from sevenout.errors import SevenoutError
from sevenout.papers.bet_tables import rounded_outwards
from sevenout.papers.game_sheet import assumptions
from sevenout.papers.wording import quoted
from sevenout.verify.counts import parse_confidence, percentage
from sevenout.verify.monitoring import FalseAlarms, MeteredMonitor, Monitor

if TYPE_CHECKING:
    from sevenout.papers.dossier import Dossier

ROUNDS = tuple(10**k for k in range(3, 7))
"""The numbers of rounds for which limits are printed."""
SHORTFALLS = (Fraction(1, 100), Fraction(1, 50), Fraction(1, 20))
"""The faults whose detection is computed: a true return lower by this."""
MAX_DETECTED = 3
"""The most bets for which detection is computed: a year takes 365 convolutions."""


def monitoring(dossier: "Dossier") -> Page:
    """What to record, the rule to apply daily, its limits, and what an alarm means."""
    pages = [_records(dossier), _rule(dossier), *_awards(dossier), _limits(dossier)]
    if len(dossier.monitors) <= MAX_DETECTED:
        pages += [_detection(dossier, bet, monitor) for bet, monitor in dossier.monitors.items()]
    return dossier.page("Monitoring", *pages, _alarms(dossier), _method(dossier))


def _records(dossier: "Dossier") -> Page:
    """What the casino is to record."""
    text = (
        "Record rounds, stakes and returns. A round of a bet is all that one result settles: the "
        "stakes of all players on that bet, together. For each round record the sum of the stakes, "
        "the sum returned (stakes of winning bets included), and the result. Record void rolls, "
        "changes of dice and disputes as well."
    )
    if dossier.subject.optimum is not None:
        text += " Record each choice of a player."
    count = (
        "Count rounds by money: the number of rounds in the table is the amount wagered on the bet "
        "divided by the largest amount wagered on it in one round. The largest amount is fixed "
        "before the rolls, such as the table maximum times the number of seats. So several players "
        "on the same roll are one round, and a small stake is a part of one."
    )
    return Page("What to record", Text(text), Text(count))


def _rule(dossier: "Dossier") -> Page:
    """When to raise an alarm, and how often it is false."""
    p_alarm, bets = 1 - parse_confidence(dossier.confidence), len(dossier.monitors)
    # each of the two rules has half of the false alarms of a bet
    half = f"{float(p_alarm * 50 / bets):.2g} %"
    per_bet = f" for each of the {bets} bets" if bets > 1 else ""
    steps = (
        "Each day, divide the amount returned by the amount wagered, for each bet. Raise an alarm "
        "in either of two cases. First, the day's return is outside the day's limits for that "
        "number of rounds. Second, the return since the start is outside the running limits for "
        "the number of rounds since the start; these may be checked at any time. Between two rows, "
        "use the row with fewer rounds. Add a day of fewer than a thousand rounds to the next day."
    )
    chance = (
        f"Under the assumptions below, the probability of a false alarm is at most {half} a year "
        f"of 365 days by the day's limits, and at most {half} ever by the running limits{per_bet}: "
        f"together at most {percentage(p_alarm)} of all years."
    )
    assumed = [
        *assumptions(dossier.subject),
        "The stakes of a round are made before its roll, and are not above the largest amount.",
    ]
    return Page(
        "The rule to apply daily",
        Text(steps),
        Text(chance),
        Text("Assumed: " + " ".join(assumed)),
    )


def _awards(dossier: "Dossier") -> list[Page]:
    """How the return of a bet with an award is counted."""
    awards = dossier.subject.awards
    if not awards:
        return []
    shares = [
        f"“{bet}” returns {percent(award.rtp, 3)} of the stake in the long run, of which the "
        f"award is {percent(award.award_return, 3)}."
        for bet, award in awards.items()
    ]
    text = (
        f"The return of {quoted(awards)} includes the awards paid and the change of the meter. "
        "For each day, add the pays, the awards, and the meter at the end of the day less the "
        "meter at its start; divide by the amount wagered. What the meter has gained is owed to "
        "the players. "
        "These limits are for stakes of one size and one bettor at a time. If several bettors feed "
        f"one meter on the same roll, they do not apply. {' '.join(shares)}"
    )
    return [Page("Progressive awards", Text(text))]


def _limits(dossier: "Dossier") -> Page:
    """The limits of each bet, by the number of rounds."""
    rows: list[tuple[object, ...]] = []
    bets_by_limits: dict[Any, list[str]] = {}
    for bet, monitor in dossier.monitors.items():
        # bets with the same distribution share their limits
        key = frozenset(monitor.law.items()), bet if isinstance(monitor, MeteredMonitor) else ""
        bets_by_limits.setdefault(key, []).append(bet)
    for bets in bets_by_limits.values():
        monitor = dossier.monitors[bets[0]]
        for n in ROUNDS:
            limits = monitor.fixed(n, "99%"), monitor.day(n), monitor.running(n)
            ends = [end for pair in limits for end in rounded_outwards(pair.low, pair.high)]
            rows.append((", ".join(bets) if n == ROUNDS[0] else "", n, *ends))
        # its tables are large, and the next bet needs none of them
        monitor.forget()
    heads = ("one check: from", "to", "the day: from", "to", "since the start: from", "to")
    columns = [
        "bet",
        Column("rounds", COUNT),
        *(Column(head, PERCENT.with_digits(2)) for head in heads),
    ]
    note = (
        "Returns in per cent of the amount wagered, rounded outwards; a return at a limit is "
        "inside. “One check” has 99 % of all results, for one check at a number of equal rounds "
        "that is fixed in advance. Applied every day of a year, it gives a correct game an alarm "
        f"with probability {percent(1 - Fraction(99, 100) ** 365, 1)}."
    )
    return Page("The limits", Table(columns, rows), Text(note, tone="note"))


def _detection(dossier: "Dossier", bet: str, monitor: Monitor) -> Page:
    """The rule's alarm rates at one volume, for a correct and a faulty game."""
    title = "What the rule detects"
    if len(dossier.monitors) > 1:
        title += f": {bet}"
    if isinstance(monitor, MeteredMonitor):
        text = (
            "The exact false-alarm rate of an award with a limit depends on the meter, and is not "
            "computed. It is at most the rate stated above."
        )
        return Page(title, Text(text))
    result = _year(dossier, monitor)
    if result is None:
        text = f"The alarm rates at {dossier.volume:,} rounds a day are not computed."
        return Page(title, Text(text))
    volume, year = result
    rows: list[tuple[object, ...]] = []
    for shortfall in SHORTFALLS:
        # no distribution of these profits has so low a mean
        if shortfall >= monitor.slack:
            continue
        p_by_day = monitor.detection(volume, shortfall)
        days = [
            next((day for day, p in enumerate(p_by_day, 1) if p >= share), None)
            for share in (0.5, 0.9)
        ]
        rows.append((shortfall, p_by_day[-1], *days))
    text = (
        f"At {volume:,} equal rounds a day, a correct game has an alarm within a year with "
        f"probability {percent(Fraction(year.either), 3)}. The table has the same for a game whose "
        "true return is lower."
    )
    if volume < dossier.volume:
        text += (
            f" The rates at {dossier.volume:,} rounds a day are not computed; a fault is then "
            "noticed sooner."
        )
    columns = [
        Column("true return lower by", PERCENT.with_digits(1)),
        Column("an alarm within a year", PERCENT.with_digits(1)),
        Column("half of all games by day", COUNT),
        Column("90 % by day", COUNT),
    ]
    return Page(title, Text(text), Table(columns, rows))


def _year(dossier: "Dossier", monitor: Monitor) -> tuple[int, FalseAlarms] | None:
    """The false alarms of a year at this many rounds a day, or fewer if that takes too long."""
    # fewer rounds have fewer totals: the first volume that is possible
    for divisor in (1, 10, 100):
        try:
            volume = max(1, dossier.volume // divisor)
            return volume, monitor.year(volume)
        except SevenoutError:
            continue
    return None


def _alarms(dossier: "Dossier") -> Page:
    """What to do at an alarm."""
    text = (
        "An alarm is a reason to look, not proof of a fault. Check, in this order: the records and "
        "the count of rounds; the pays, against the rules of play; the dice, by measurement and "
        "with sevenout test dice; the equipment and the staff. A return above the limits is as "
        "much an alarm as one below them. Start the running limits anew after a fault is mended."
    )
    blocks: list[Block] = [Text(text)]
    if dossier.simple_returns:
        optimum = dossier.subject.optimum
        against = " against optimal play" if optimum and optimum.opponent_clause else ""
        weaker = word_list(f"{name}: {percent(rtp, 2)}" for name, rtp in dossier.simple_returns)
        blocks.append(
            Text(
                "Players who do not play optimally get less back, so a return below the limits may "
                f"be due to their play. Returns under simple play{against}: {weaker}."
            )
        )
    return Page("What an alarm means", *blocks)


def _method(dossier: "Dossier") -> Page:
    """How the limits are computed, and what they assume."""
    text = (
        "“One check” is the exact distribution of the total of equal rounds, by inversion of its "
        "characteristic function, or the normal approximation where the lattice of profits is too "
        "fine. The day's limits are those of Chernoff's inequality (1952); the running limits are "
        "those of a mixture of martingales, by Ville's inequality (1939; Howard, Ramdas, McAuliffe "
        "and Sekhon, Annals of Statistics 49, 2021). Both use the exact distribution of one round, "
        "and hold for rounds of any stakes up to the largest."
    )
    if dossier.subject.awards:
        text += " Those of a bet with an award hold for stakes of one size."
    if any(isinstance(monitor, MeteredMonitor) for monitor in dossier.monitors.values()):
        text += (
            " “One check” of an award with a limit is by Chernoff's inequality, and has at least "
            "99 % of all results."
        )
    return Page("How the limits are found", Text(text, tone="note"))
