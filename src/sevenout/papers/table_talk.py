"""The table's sentences and the spots of its felt, for the terminal and the lab."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.budgets.estimates import allowed, run_within
from sevenout.catalogue.craps_family.craps_felt import option_text
from sevenout.catalogue.craps_family.craps_offers import paid_in_full, payment_text
from sevenout.catalogue.craps_family.spots import displayed_bet, split_switch, spot, standing_name
from sevenout.catalogue.craps_family.table_session import Act, BetChange, TableSession
from sevenout.documents import Page
from sevenout.documents.numbers import fixed, in_currency, odds, percent, quantity, won
from sevenout.errors import RulesError, TooManyStatesError, TooMuchWorkError
from sevenout.evenings.evening_result import PLAY_OUT
from sevenout.evenings.table_account import account, habits
from sevenout.evenings.table_evenings import rest_of
from sevenout.evenings.table_figures import (
    BetFigures,
    figures_from_here,
    figures_of_felt,
    figures_when_made,
    p_long_hand,
    rarities,
)
from sevenout.numerals import Number, exact, exact_amount, int_if_whole
from sevenout.rolling.throw import Faces
from sevenout.rules.casino.felt import FeltRoll, Money

if TYPE_CHECKING:
    from sevenout.evenings.evening_result import EveningResult
    from sevenout.simulation.played_evenings import EveningTally

MAX_SECONDS = 20.0
"""The most seconds for the distribution of the rest of an evening."""
EVENINGS = 200
"""The evenings that are played where the distribution would take longer."""
USUAL = Fraction(1, 3)
"""An event of at least this probability per trial is not rare."""
RARE = Fraction(1, 100)
"""An event of a lower probability is mentioned unasked."""
COME_OUT = {7: "natural", 11: "natural", 2: "craps", 3: "craps", 12: "craps"}


def money(session: TableSession, amount: Number) -> str:
    """An amount in the session's currency, to the hundredth; a smaller one to its first digit.

    >>> money(TableSession(currency="$"), Fraction(-5, 2)), money(TableSession(), 12)
    ('-$2.50', '12')
    >>> money(TableSession(currency="$"), Fraction(1, 250))
    '$0.004'
    """
    value = exact(amount)
    if value.denominator == 1 and value >= 0:
        return session.money_text(int_if_whole(value))
    places = 2
    # an amount that rounds to nothing would be said to cost nothing
    if abs(value) < Fraction(1, 200):
        places += len(str(abs(value.denominator // value.numerator)))
    text = fixed(abs(value), places).rstrip("0") if places > 2 else fixed(abs(value), 2)
    text = text.removesuffix(".00")
    printed = in_currency(text, session.currency)
    return f"-{printed}" if value < 0 else printed


def table(session: TableSession) -> str:
    """The table's rules."""
    house = session.house
    least = session.money_text(exact_amount(house.minimum))
    most = f" to {session.money_text(exact_amount(house.maximum))}" if house.maximum else ""
    multiples = option_text(house.odds)
    game = "Crapless craps" if house.crapless else "Craps"
    rail = session.money_text(session.rail)
    return f"{game}: bets from {least}{most}, {multiples}x odds, {rail} in your rail."


def limits(session: TableSession) -> list[str]:
    """The table's limits and pays."""
    house = session.house
    props = exact(house.minimum if house.props is None else house.props)
    least_prop = session.money_text(int_if_whole(props))
    early = "work" if house.working else "are off"
    two, twelve = map(odds, map(exact, house.field))
    share = percent(exact(house.commission), 0)
    four, six = map(odds, map(exact, house.hard))
    small, tall, every = map(odds, map(exact, house.bonus))
    return [
        table(session),
        f"Hard ways, hops, props and side bets from {least_prop}.",
        *(
            [f"Crapless odds: {house.outer[0]}x on 2 and 12, {house.outer[1]}x on 3 and 11."]
            if house.crapless
            else [f"Don't pass: {house.bar} is a push; odds of {house.lay}x may be laid."]
        ),
        f"The field pays {two} on 2, {twelve} on 12; hard ways {four} on 4 and 10, {six} on 6 "
        f"and 8; small {small}, tall {tall}, all {every}.",
        f"Buy and lay bets: {share} commission, {house.vig}.",
        f"On the come-out, place, buy and hard way bets, and come odds, {early}.",
        *(["The pass line may be bet and raised on a point."] if house.put else []),
    ]


def take_back(session: TableSession, lines: str = "") -> str:
    """Take back the last line, or a number of lines, or "all" of them; what was done, in words.

    >>> session = TableSession.from_text("sevenout table;currency: $;pass = 5;pass = 15;field = 1")
    >>> take_back(session), take_back(session, "all"), take_back(session)
    ('taken back: field: $1', 'taken back: 2 lines', 'there is nothing to take back')
    >>> take_back(TableSession.from_text("sevenout table;place 6 = 6;and place 8 = 6"))
    'taken back: place 8: 6, place 6: 6'
    """
    if not session.acts:
        return "there is nothing to take back"
    if not lines:
        # Put in words first, because the undo removes the acts.
        undone = reversed(list(session.history())[-session.acts_in_last_line :])
        words = ", ".join(_act_in_words(session, act) for act in undone)
        session.undo()
        return f"taken back: {words}"
    count = 0
    while session.acts and (lines == "all" or count < int(lines)):
        session.undo()
        count += 1
    return f"taken back: {quantity(count, 'line')}"


def _act_in_words(session: TableSession, act: Act) -> str:
    """One act that is taken back, in words."""
    if act.rolled:
        return act.line
    verb, _, value = act.line.partition(" ")
    if verb == "tip":
        return f"a tip of {money(session, exact(value))}"
    if verb == "chips":
        return f"{money(session, exact(value))} of chips"
    bet, turns, name_after = act.line.partition(" > ")
    if turns:
        return f"{split_switch(bet)[0]} {'off' if session.is_off(name_after) else 'on'}"
    bet = bet.partition(" = ")[0]
    before, after = (dict(seat.bets).get(bet, 0) for seat in (act.before, act.after))
    return bet_change(session, BetChange(bet, before, after))[0]


def status(session: TableSession) -> str:
    """The point, the rail and the felt."""
    phase = "come-out" if session.point is None else f"point {session.point}"
    bets = session.bets.items()
    felt = ", ".join(f"{displayed_bet(bet)} {money(session, amount)}" for bet, amount in bets)
    return f"{phase} | rail {money(session, session.rail)} | {felt or 'nothing on the felt'}"


def call(session: TableSession, rolled: FeltRoll, point: int | None) -> str:
    """The call of the last roll, after a point or None, and what it paid.

    >>> session = TableSession.from_text("sevenout table;bankroll: 99;pass = 5;roll 4 2;roll 3 3")
    >>> call(session, session.moments[-1].rolled, 6)
    'hard 6: the point is made; pass +5'
    """
    return roll_call(session.moments[-1].faces, rolled, point, session.point)


def roll_call(faces: Faces, rolled: FeltRoll, point: int | None, next_point: int | None) -> str:
    """The call of a roll, from the point before and after it."""
    total = rolled.throw.total
    hard = "hard " if len(set(faces)) == 1 and total in (4, 6, 8, 10) else ""
    if rolled.out:
        event = ": seven out, the dice pass"
    elif point is None:
        event = f": the point is {next_point}" if next_point else f": {COME_OUT[total]}"
    else:
        event = ": the point is made" if next_point is None else ""
    paid = ", ".join(
        f"{displayed_bet(settled.bet)} {won(exact(settled.profit))}" for settled in rolled.paid
    )
    several = f" = {won(exact(rolled.net))}" if len(rolled.paid) > 1 else ""
    return f"{hard}{total}{event}{'; ' if paid else ''}{paid}{several}"


def calls(session: TableSession) -> list[tuple[Faces, str]]:
    """Every roll of a session in order: its faces and its call.

    >>> calls(TableSession.from_text("sevenout table;bankroll: 99;pass = 5;roll 4 2;roll 3 4"))
    [((4, 2), '6: the point is 6'), ((3, 4), '7: seven out, the dice pass; pass -5')]
    """
    rolls = [act for act in session.history() if act.rolled]
    return [
        (moment.faces, roll_call(moment.faces, act.rolled, act.before.point, act.after.point))
        for act, moment in zip(rolls, session.moments[1:], strict=True)
        if act.rolled
    ]


def history(session: TableSession, last: int) -> list[str]:
    """The last rolls, each with its number, its faces and its call; then the result so far.

    >>> history(TableSession.from_text("sevenout table;pass = 5;roll 4 2;roll 3 4"), 1)
    ['2. [3][4] 7: seven out, the dice pass; pass -5', '2 rolls so far, result -5']
    """
    rolls = [
        f"{n}. {''.join(f'[{face}]' for face in faces)} {call}"
        for n, (faces, call) in enumerate(calls(session), 1)
    ]
    return [*rolls[max(0, len(rolls) - last) :], so_far(session)]


def so_far(session: TableSession) -> str:
    """The number of rolls, and the result."""
    return f"{quantity(session.rolls, 'roll')} so far, result {won(exact(session.result))}"


def bet_change(session: TableSession, change: BetChange, *, priced: bool = False) -> list[str]:
    """The change of a bet, and its cost now."""
    bet, before, after, remarks = change
    if before == after:
        return [*remarks] or [f"{bet}: {money(session, after)} stands"]
    moved = f"{money(session, before)} → " if before and after else ""
    text = f"{bet}: {moved}{money(session, after) if after else 'down'}"
    if priced and after:
        text += f" ({_priced(session, figures_from_here(session, bet, after))})"
    return [text, *remarks]


def _priced(session: TableSession, value: BetFigures) -> str:
    """The edge of a bet, and what it costs per hour, in words."""
    if not value.rolls:
        return "off"
    if not value.mean:
        return "edge 0: it costs nothing"
    return f"edge {percent(value.edge, 2)}, {_hourly_cost(session, value)} if it stays up"


def _hourly_cost(session: TableSession, value: BetFigures) -> str:
    """What a bet costs or brings per hour, in words."""
    hourly = value.per_hour(session.rates.pace)
    if not hourly:
        return "costs nothing"
    return f"{'costs' if hourly > 0 else 'brings'} {money(session, abs(hourly))} per hour"


def edge(session: TableSession, bet: str, amount: Money) -> str:
    """A bet before it is made: its pay, its edge, its cost per bet and per hour, and its length.

    Raises:
        RulesError: odds behind a bet that has no number yet.
    """
    paid = payment_text(session.house, session.point, bet, amount)
    if spot(bet).odds and not paid:
        raise RulesError(f"{bet}: {session.offer(bet).why}")
    value = figures_when_made(session, bet, amount)
    per_bet = f"{money(session, abs(value.mean))} per bet on average"
    return (
        f"{bet} {money(session, amount)}: pays {paid}, {_priced(session, value)}; "
        f"{per_bet if value.mean else 'a fair bet'}, "
        f"decided {_decided(value.rolls)}"
    )


def _decided(rolls: Fraction) -> str:
    return "by the next roll" if rolls == 1 else f"in {fixed(rolls, 2)} rolls on average"


def expected_values(session: TableSession) -> list[str]:
    """The expected value of each bet on the felt, and their sum."""
    value_by_bet = figures_of_felt(session)
    if not value_by_bet:
        return ["nothing is on the felt"]
    total = sum((value.mean for value in value_by_bet.values()), Fraction(0))
    return [
        *(
            f"{displayed_bet(bet)} {money(session, v.amount)}: {won(v.mean)} on average"
            for bet, v in value_by_bet.items()
        ),
        f"all of it, each bet left until it is settled once: {won(total)} on average",
    ]


def chance_of_more_rolls(session: TableSession, rolls: int) -> str:
    """The probability that the shooter rolls more often than this from here."""
    p = p_long_hand(session.house, session.point, rolls + 1)
    times = "once" if rolls == 1 else f"{rolls} times"
    return f"this shooter rolls more than {times} from here: {percent(p, 2)}"


def rare_events(
    session: TableSession, evening: int, *, below: Fraction = USUAL, quiet: bool = False
) -> list[str]:
    """What just happened and how rare it is: per trial, and in a thousand evenings.

    Only events of a lower probability than `below` are mentioned; `quiet` omits a note if none is
    rare.
    """
    rare = [rarity for rarity in rarities(session, evening) if rarity.p < below]
    if quiet and not rare:
        return []
    if session.rolls and not rare:
        return ["what just happened is nothing rare"]
    return [
        f"{rarity.event}: {percent(rarity.p, 2)}; in {1000 * rarity.p_evening:,.0f} of 1,000 "
        f"evenings of {evening:,} rolls"
        for rarity in rare
    ] or ["nothing was rolled yet"]


def coach(session: TableSession) -> list[str]:
    """The most costly habits of a session, the average cost of all bets, and the luck."""
    # without a bet that costs anything there is nothing to compare luck with
    costly = any(habit.cost > 0 for habit in habits(session))
    return [*costly_habits(session), *([luck(session)] if costly else [])]


def costly_habits(session: TableSession) -> list[str]:
    """The four habits of highest expected loss, the highest first."""
    habits_by_cost = [habit for habit in habits(session) if habit.cost > 0]
    if not habits_by_cost:
        return ["Coach: nothing was bet that costs anything."]
    costliest, rolls = habits_by_cost[0], max(1, session.rolls)
    handle = "before its first roll"  # a bet that is off, or not yet rolled, has no handle
    if costliest.handle:
        share = percent(costliest.cost / costliest.handle, 2)
        handle = f"on {money(session, costliest.handle)} bet, {share}"
    sentences = [
        f"Coach: the costliest habit was {costliest.bet}: {money(session, costliest.cost)} of "
        f"expected loss {handle}; {money(session, costliest.cost / rolls)} a roll."
    ]
    if next_costliest := habits_by_cost[1:4]:
        listed = ", ".join(f"{h.bet} {money(session, h.cost)}" for h in next_costliest)
        sentences.append(f"Then: {listed}.")
    return sentences


def luck(session: TableSession) -> str:
    """The average cost of all bets, the luck, and how rare that is."""
    totals = account(session)
    return (
        f"All bets together cost {money(session, totals.cost)} on average. The rest is luck: "
        f"{won(totals.luck)}. With these bets, luck is worse in about {1000 * totals.worse:.0f} of "
        "1,000 evenings (normal approximation)."
    )


def open_bets(session: TableSession) -> list[str]:
    """The bets allowed now; and why others are not."""
    # by the reason why they are closed; "" for those that are open
    bets_by_reason: dict[str, list[str]] = {"": []}
    for offer in session.legal():
        bets_by_reason.setdefault(offer.why, []).append(offer.bet)
    allowed_bets = bets_by_reason.pop("")
    return [
        f"You may bet {', '.join(grouped_bets(allowed_bets)) or 'nothing'}",
        *(
            f"Not now: {', '.join(grouped_bets(bets))}. {reason[:1].upper()}{reason[1:]}"
            for reason, bets in bets_by_reason.items()
        ),
    ]


def grouped_bets(bets: list[str]) -> Iterator[str]:
    """The bets in order, those that differ only in their number as one.

    >>> list(grouped_bets(["pass", "place 4", "place 5", "field"]))
    ['pass', 'place 4 5', 'field']
    """
    for kind, group in groupby(
        bets, lambda bet: bet.rpartition(" ")[0] if bet[-1].isdigit() else bet
    ):
        numbers = [bet.removeprefix(kind) for bet in group]
        all_hops = kind == "hop" and len(numbers) == 21
        yield "hop 1-1 to 6-6" if all_hops else kind + "".join(numbers)


def statistics(session: TableSession) -> dict[str, Any]:
    """The figures of a session so far, in print, by name."""
    rolled = [moment.rolled for moment in session.moments if moment.rolled]
    hours = Fraction(session.rolls, session.rates.pace)
    moneys = [moment.money for moment in session.moments]
    cost = sum((habit.cost for habit in habits(session)), Fraction(0))
    tips = session.tips + session.rates.tips * hours
    return {
        "result": won(exact(session.result)),
        "rolls": session.rolls,
        "shooters out": sum(roll.out for roll in rolled),
        "bets settled": sum(len(roll.paid) for roll in rolled),
        "highest": session.money_text(max(moneys)),
        "lowest": session.money_text(min(moneys)),
        "expected loss": money(session, cost),
        **({"tips": money(session, tips)} if tips else {}),
        **({"comps": money(session, cost * session.rates.comps)} if session.rates.comps else {}),
    }


def rest_of_evening_page(result: "EveningResult | EveningTally") -> Page:
    """The page of a `rest_of_evening`, without `PLAY_OUT`: the table has no such option."""
    page = result.page()
    return Page(page.title, *(block for block in page.blocks if block is not PLAY_OUT))


def rest_of_evening(session: TableSession, rolls: int) -> "EveningResult | EveningTally":
    """How the rest of an evening ends if the bets are kept up: its distribution, or, if that is too
    large, simulated evenings with error bars.

    Raises:
        RulesError: no bet was made yet, or no rolls are left.
    """
    from sevenout.simulation.played_evenings import play_evenings

    plan = rest_of(session, rolls)
    budget = allowed()
    try:
        return run_within(plan.solve, min(MAX_SECONDS, budget.seconds / 2), budget.memory / 2)
    except (TooMuchWorkError, TooManyStatesError):
        return play_evenings(plan, EVENINGS, session.seed)


class FeltSpot(NamedTuple):
    """A spot of the felt.

    Attributes:
        bet: the bet's name when it is made.
        standing_as: the name under which it stands; the same if it doesn't.
        on: the amount that is on it now.
        off: whether that amount is off.
        pays: its pay, "7 to 6".
        why: the rule against a larger bet; "" if allowed.
        amount: the amount on it with the chips in hand.
        value: the figures of a bet of that amount; None if not allowed.
    """

    bet: str
    standing_as: str
    on: Money
    off: bool
    pays: str
    why: str
    amount: Money
    value: BetFigures | None

    def edge(self) -> str:
        """The edge in print; "" without one."""
        if self.value is None or not self.value.rolls:
            return ""
        return percent(self.value.edge, 2) if self.value.mean else "0 %"

    def hourly(self, session: TableSession) -> str:
        """The expected loss per hour if the bet is kept up; "" without one."""
        if self.value is None or not self.value.rolls:
            return ""
        return money(session, self.value.per_hour(session.rates.pace))

    def in_words(self, session: TableSession) -> str:
        """The spot in a sentence, for screen readers.

        >>> session = TableSession.from_text("sevenout table;bankroll: 99;currency: $;place 6 = 6")
        >>> {spot.bet: spot.in_words(session) for spot in felt_spots(session, 6)}["place 6"]
        'Place 6, $6 on it, off, pays 7 to 6, edge 1.52 %, costs $3.91 per hour'
        """
        parts = [self.bet[0].upper() + self.bet[1:]]
        parts += [f"{session.money_text(self.on)} on it" if self.on else ""]
        parts += ["off" if self.on and self.off else "", self.pays and f"pays {self.pays}"]
        if self.value is not None and (edge := self.edge()):
            parts += [f"edge {edge}", _hourly_cost(session, self.value)]
        parts += [self.why and f"closed: {self.why}"]
        return ", ".join(filter(None, parts))


def felt_spots(
    session: TableSession, chip: Money | None, *, side_bets: bool = True
) -> Iterator[FeltSpot]:
    """Every spot of a felt, with the cost of one more chip on it.

    A bet that is off keeps its spot. Without a chip, the least that is paid in full is added. Side
    bets that stand are included even without `side_bets`.

    >>> next(felt_spots(TableSession(), 5)).edge()
    '1.41 %'
    """
    house, point, bets = session.house, session.point, session.bets
    for offer in session.legal():
        bet, standing_as = split_switch(offer.bet)[0], standing_name(bets, offer.bet)
        on = bets.get(standing_as, 0)
        if not (side_bets or on) and spot(bet).kind == "side":
            continue
        amount = on + (paid_in_full(house, offer) if chip is None else chip)
        if offer.maximum is not None:
            amount = max(min(amount, offer.maximum), on)
        value = figures_from_here(session, bet, amount) if amount and not offer.why else None
        off = bool(on) and session.is_off(standing_as)
        yield FeltSpot(
            bet,
            standing_as,
            on,
            off,
            payment_text(house, point, bet, amount or None),
            offer.why,
            amount,
            value,
        )
