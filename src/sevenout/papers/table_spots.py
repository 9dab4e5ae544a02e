"""The spots of a felt as the player sees them: what is on each, its pays and its cost."""

from collections.abc import Iterator
from typing import NamedTuple

from sevenout.catalogue.craps_family.craps_offers import paid_in_full, pays
from sevenout.catalogue.craps_family.spots import spot, switch, switched
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.documents.numbers import percent
from sevenout.evenings.table_figures import Value, value_before
from sevenout.papers.table_talk import money
from sevenout.rules.casino.felt import Money


class FeltSpot(NamedTuple):
    """A spot of the felt.

    Attributes:
        bet: the bet's name when it is made.
        stands: the name under which it stands; the same if it doesn't.
        pays: its pay, "7 to 6".
        why: the rule against a larger bet; "" if allowed.
        amount: the amount on it with the chips in hand.
        value: the figures of a bet of that amount; None if not allowed.
    """

    bet: str
    stands: str
    on: Money
    off: bool
    pays: str
    why: str
    amount: Money
    value: Value | None

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

    def said(self, session: TableSession) -> str:
        """The spot in a sentence, for screen readers.

        >>> session = TableSession.from_text("sevenout table;bankroll: 99;currency: $;place 6 = 6")
        >>> {spot.bet: spot.said(session) for spot in felt_spots(session, 6)}["place 6"]
        'Place 6, $6 on it, off, pays 7 to 6, edge 1.52 %, costs $3.91 per hour'
        """
        first, edge = self.bet[0].upper() + self.bet[1:], self.edge()
        parts = [first, f"{session.said(self.on)} on it" if self.on else ""]
        parts += ["off" if self.on and self.off else "", self.pays and f"pays {self.pays}"]
        parts += [edge and f"edge {edge}", edge and f"costs {self.hourly(session)} per hour"]
        parts += [self.why and f"closed: {self.why}"]
        return ", ".join(filter(None, parts))


def felt_spots(
    session: TableSession, chip: Money | str, *, side: bool = True
) -> Iterator[FeltSpot]:
    """Every spot of a felt, with the cost of one more chip on it.

    A bet that is off keeps its spot. The chip "least" is the least that is paid in full. Side bets
    that stand are included even without `side`.

    >>> next(felt_spots(TableSession(), 5)).edge()
    '1.41 %'
    """
    house, point, bets = session.house, session.point, session.bets
    for offer in session.legal():
        bet, stands = switch(offer.bet)[0], switched(bets, offer.bet)
        on = bets.get(stands, 0)
        if not (side or on) and spot(bet).kind == "side":
            continue
        amount = on + (paid_in_full(offer) if isinstance(chip, str) else chip)
        if offer.most is not None:
            amount = max(min(amount, offer.most), on)
        value = value_before(session, bet, amount) if amount and not offer.why else None
        off = bool(on) and session.is_off(stands)
        yield FeltSpot(
            bet, stands, on, off, pays(house, point, bet, amount or None), offer.why, amount, value
        )
