"""Strategies told in words, as a player would tell them."""

from collections.abc import Iterator
from random import Random
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import original_bet, spot
from sevenout.rolling.throw import throw
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy

SHORT = (
    "Bets are paid from the rail.",
    "A bet that the rail can't pay is left out, and the next may still be paid.",
)
DOWN = "Bets come down before others go up."
ROLLS, RICH = 400, 10**7
"""The order of payment is that of this many rolls, with this bankroll."""


def in_words(strategy: Strategy) -> list[str]:
    """A strategy in sentences, and the order in which its bets are paid.

    >>> from sevenout.catalogue.strategies import strategies
    >>> for sentence in in_words(strategies("pass", amount=5, odds=2)):
    ...     print(sentence)
    On the come-out, bet 5 on the pass line.
    On a point, take odds of 2 times the bet.
    Bets are paid from the rail.
    A bet that the rail can't pay is left out, and the next may still be paid.
    """
    return [*strategy.sentences(), *_paid(strategy)]


def _paid(strategy: Strategy) -> list[str]:
    """The sentences on the order of payment."""
    order, down = payment_order(strategy)
    sentences = [f"The order of payment is: {', '.join(order)}."] if len(order) > 1 else []
    return [*sentences, *SHORT, *([DOWN] if down else [])]


def payment_order(strategy: Strategy) -> tuple[list[str], bool]:
    """The bets that are made together, in the order in which they are paid, and whether any is
    taken down; from a table where the strategy is played.

    >>> from sevenout.catalogue.strategies import strategies
    >>> payment_order(strategies["iron-cross"])
    (['place 6', 'place 8', 'place 5', 'field'], False)
    """
    # With a full rail and 400 rolls nearly every bet of a strategy is made.
    sitting, random = Sitting(Bettor(House(), strategy), RICH), Random(1)
    before: dict[str, set[str]] = {}
    down = False
    for moment in [*sitting.moments, *_moments(sitting, random)]:
        kinds = list(dict.fromkeys(map(_kind, moment.made)))
        for i, kind in enumerate(kinds):
            before.setdefault(kind, set()).update(kinds[:i])
        down = down or bool(moment.down and moment.made)
    together = {kind for kind, first in before.items() if first}.union(*before.values())
    left, order = [kind for kind in before if kind in together], list[str]()
    while left:
        # A bet is next if all that was ever paid before it is listed.
        ready = (kind for kind in left if not before[kind] & set(left) - {kind})
        order.append(next(ready, left[0]))
        left.remove(order[-1])
    return order, down


def _moments(sitting: Sitting, random: Random) -> Iterator[Any]:
    for _ in range(ROLLS):
        yield sitting.roll(throw(sitting.bettor.felt.dice, random))


def _kind(bet: str) -> str:
    original = original_bet(bet.removesuffix(" odds"))
    return f"{original} odds" if spot(bet).odds else original
