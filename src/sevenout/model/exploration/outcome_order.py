"""Outcomes in the order of the rule book."""

from collections.abc import Callable, Collection, Mapping

from sevenout.rules import Game, Outcome


def in_order(
    game: Game, outcomes: Mapping[Outcome, int], reached: Collection[int]
) -> list[tuple[Outcome, int]]:
    """The reached outcomes with their numbers, in the order of the rule book."""
    kept = [(outcome, k) for outcome, k in outcomes.items() if k in reached]
    if not game.outcomes:
        kept.sort(key=_rank(game))
    return kept


def _rank(game: Game) -> Callable[[tuple[Outcome, int]], list[int]]:
    """The sort key of an outcome: its place in the rule book, bet by bet."""
    places = {
        bet: {pay: place for place, pay in enumerate(game.pays_of(bet))} for bet in game.bets or ()
    }

    def rank(kept: tuple[Outcome, int]) -> list[int]:
        paid = dict(kept[0].pays)
        return [place.get(paid[bet], -1) if bet in paid else -1 for bet, place in places.items()]

    return rank
