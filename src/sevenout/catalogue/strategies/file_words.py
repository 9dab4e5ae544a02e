"""The bets of a strategy file, in words."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sevenout.catalogue.craps_family.table.craps_felt import AGAINST
from sevenout.documents.numbers import amount as said
from sevenout.rules.casino.felt import Money

MOMENTS = {
    "come-out": "On the come-out",
    "point": "While there is a point",
    "always": "Before each roll",
    "shooter": "Once a shooter, before their first roll",
}
MOVES = {
    "first": "go back to the first step",
    "back": "go one step back, but not below the first",
    "on": "go one step on",
    "stay": "stay on the step",
}


def item_in_words(item: Any) -> Iterator[str]:
    """A bet of a strategy file, sentence by sentence.

    >>> from sevenout.catalogue.strategyfile import Item
    >>> list(item_in_words(Item("field", 5, "always", ladder=(1, 2))))[1]
    'The steps are 5, 10. After a win, go back to the first step. After a loss, go one step on.'
    """
    bet = "the pass line" if item.on == "pass" else item.on
    until = ""
    if item.below is not None:
        until = f", until {item.below} numbers are covered, the point of a line bet included"
    moment = MOMENTS[item.when]
    yield f"{moment}, bet {said(item.amount * item.ladder[0])} on {bet}{until}."
    if len(item.ladder) > 1:
        yield from _ladder(item)
    if item.odds:
        yield f"Behind it, {odds_in_words(item.odds, item.on in AGAINST)}"
    if item.press:
        yield _pressed(item.press, item.amount, item.most, item.least)
    if item.limit is not None:
        bets = "bet" if item.limit == 1 else "bets"
        yield f"After {item.limit} settled {bets}, wait for the next shooter."


def _ladder(item: Any) -> Iterator[str]:
    steps = ", ".join(said(item.amount * step) for step in item.ladder)
    won, lost = MOVES[item.win], MOVES[item.loss]
    yield f"The steps are {steps}. After a win, {won}. After a loss, {lost}."
    if "on" in (item.win, item.loss):
        yield "After the last step, begin again at the first."


def _pressed(press: Money | str, amount: Money, most: Money | None, least: Money) -> str:
    """What a win does to the bet that won."""
    to = "" if most is None else f", up to {said(most)}"
    if isinstance(press, str):
        return f"After a win, put the win on top in whole multiples of {said(amount)}{to}."
    if press > 0:
        return f"After a win, raise it by {said(press)}{to}."
    down = f", down to {said(least)}" if least else ""
    return f"After a win, lower it by {said(-press)}{down}."


def odds_in_words(odds: Any, laid: bool) -> str:
    """How much is taken or laid in odds.

    >>> odds_in_words((3, 4, 5), False)
    'take odds of 3 times the bet on 4 and 10, 4 times on 5 and 9, 5 times on 6 and 8.'
    """
    verb = "lay" if laid else "take"
    if not isinstance(odds, tuple):
        return f"{verb} odds of {_times(odds)} the bet."
    outer, middle, inner = map(_times, odds)
    return f"{verb} odds of {outer} the bet on 4 and 10, {middle} on 5 and 9, {inner} on 6 and 8."


def _times(many: Any) -> str:
    return "1 time" if many == 1 else f"{said(Fraction(many))} times"
