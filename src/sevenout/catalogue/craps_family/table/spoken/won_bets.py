"""The bets of the last roll: those that won, and those that it took down."""

from sevenout.catalogue.craps_family.table.spoken.table_phrases import Said
from sevenout.catalogue.craps_family.table.spots import made_as, spot
from sevenout.catalogue.craps_family.table.table_session import TableSession
from sevenout.errors import NotationError
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole


def it(session: TableSession) -> list[str]:
    """The standing bets that "it" means: those that the last roll paid, else the only one that may
    be raised.

    >>> it(TableSession.from_text("sevenout table;pass = 5;roll 4 2;place 8 = 6"))
    ['place 8']

    Raises:
        NotationError: there is no such bet.
    """
    bets, rolled = session.bets, session.moments[-1].rolled
    paid = [each.bet for each in rolled.paid if each.profit > 0] if rolled else []
    if won := [bet for bet in paid if bet in bets and not spot(bet).odds]:
        return won
    raised = [bet for bet, on in bets.items() if not session.offer(bet).why and not spot(bet).odds]
    if len(raised) == 1:
        return raised
    has = ", ".join(bets) or "nothing"
    raise NotationError(f"which bet? Write its name or number, as in press 8; on the felt: {has}")


def rides(session: TableSession) -> dict[str, Money]:
    """The bets, without odds, that won on the last roll: each with its stake and its win.

    >>> rides(TableSession.from_text("sevenout table;field = 6;roll 2 1"))
    {'field': 12}
    """
    rolled = session.moments[-1].rolled
    return {
        made_as(each.bet): whole(exact(each.stake) + exact(each.profit))
        for each in (rolled.paid if rolled else ())
        if each.profit > 0 and not spot(each.bet).odds
    }


def again(session: TableSession) -> list[Said]:
    """The bets, without odds, that the last roll to do this took down, if they don't stand again.

    >>> again(TableSession.from_text("sevenout table;field = 5;roll 4 2;roll 3 3"))
    [Said(bet='field', amount=5)]
    """
    now = {made_as(bet) for bet in session.bets}
    for act in reversed(list(session.history())):
        paid = act.rolled.paid if act.rolled else ()
        after = dict(act.after.bets)
        down = [each for each in paid if each.bet not in after and not spot(each.bet).odds]
        if down:
            said = [Said(made_as(each.bet), each.stake) for each in down]
            return [each for each in said if each.bet not in now]
    return []
