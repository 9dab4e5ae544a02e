"""Strategies in sentences, as a player would explain them."""

from random import Random

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import original_bet, spot
from sevenout.rolling.throw import throw
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy

RAIL_RULES = (
    "Bets are paid from the rail.",
    "A bet that the rail can't pay is left out, and the next may still be paid.",
)
DOWN_FIRST = "Bets come down before others go up."
ROLLS, FULL_RAIL = 400, 10**7
"""The rolls that are played to find the order of payment, and the bankroll for them."""


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
    return [*strategy.sentences(), *_payment_sentences(strategy)]


def _payment_sentences(strategy: Strategy) -> list[str]:
    """The sentences on the order of payment."""
    order, takes_down = payment_order(strategy)
    sentences = [f"The order of payment is: {', '.join(order)}."] if len(order) > 1 else []
    return [*sentences, *RAIL_RULES, *([DOWN_FIRST] if takes_down else [])]


def payment_order(strategy: Strategy) -> tuple[list[str], bool]:
    """The bets that are made together, in the order in which they are paid, and whether any is
    taken down; from a table where the strategy is played.

    >>> from sevenout.catalogue.strategies import strategies
    >>> payment_order(strategies["iron-cross"])
    (['place 6', 'place 8', 'place 5', 'field'], False)
    """
    # With a full rail and that many rolls nearly every bet of a strategy is made.
    sitting, random = Sitting(Bettor(House(), strategy), FULL_RAIL), Random(1)
    paid_before: dict[str, set[str]] = {}
    takes_down = False
    dice = sitting.bettor.felt.dice
    moments = [*sitting.moments, *(sitting.roll(throw(dice, random)) for _ in range(ROLLS))]
    for moment in moments:
        bets = list(dict.fromkeys(map(_made_bet, moment.bets_made)))
        for i, bet in enumerate(bets):
            paid_before.setdefault(bet, set()).update(bets[:i])
        takes_down = takes_down or bool(moment.bets_down and moment.bets_made)
    together = {bet for bet, earlier in paid_before.items() if earlier}
    together = together.union(*paid_before.values())
    # A topological order: a bet is next if all that was ever paid before it is listed.
    waiting, order = [bet for bet in paid_before if bet in together], list[str]()
    while waiting:
        ready = (bet for bet in waiting if not paid_before[bet] & set(waiting) - {bet})
        order.append(next(ready, waiting[0]))
        waiting.remove(order[-1])
    return order, takes_down


def _made_bet(bet: str) -> str:
    """The name under which a bet, or the bet that odds are behind, was made; with its odds."""
    original = original_bet(bet.removesuffix(" odds"))
    return f"{original} odds" if spot(bet).odds else original
