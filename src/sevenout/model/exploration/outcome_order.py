"""Outcomes in the order of the rule book."""

from collections.abc import Callable, Collection, Mapping

from sevenout.rules import Game, Outcome


def in_order(
    game: Game, outcomes: Mapping[Outcome, int], reached: Collection[int]
) -> list[tuple[Outcome, int]]:
    """The outcomes that were reached, in the order of the rule book, and their numbers.

    Args:
        game: the rules.
        outcomes: those that are known, with their numbers.
        reached: the numbers of those that were.
    """
    kept = [(outcome, k) for outcome, k in outcomes.items() if k in reached]
    if not game.outcomes:
        kept.sort(key=_rank(game))
    return kept


def _rank(game: Game) -> Callable[[tuple[Outcome, int]], list[int]]:
    """The place of an outcome in the order of the rule book, as each of its bets has it."""
    places = {
        bet: {pay: place for place, pay in enumerate(game.pays_of(bet))} for bet in game.bets or ()
    }

    def rank(kept: tuple[Outcome, int]) -> list[int]:
        paid = dict(kept[0].pays)
        return [place.get(paid[bet], -1) if bet in paid else -1 for bet, place in places.items()]

    return rank
