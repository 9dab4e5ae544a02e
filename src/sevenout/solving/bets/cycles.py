"""The mean number of rolls from one opportunity to make a bet to the next."""

from fractions import Fraction

from sevenout.documents.numbers import Certified
from sevenout.rules import Game
from sevenout.rules.casino.sidebet import waiting_for
from sevenout.solving import solve
from sevenout.solving.bets.bet_result import BetResult


def cycle(game: Game, bet: BetResult) -> Fraction | Certified:
    """The mean number of rolls from a bet until it can be made again.

    That is until it is settled; for a side bet, until the come-out after that.

    >>> from sevenout.games import catalogue
    >>> brick = catalogue["fast-craps-brick"]
    >>> result = solve(brick).bet()
    >>> float(result.rolls), float(cycle(brick, result))
    (1.9900548696844993, 2.4886831275720165)

    Raises:
        TooManyStatesError: the product of the bet and the game beside it is too large.
    """
    waiting = waiting_for(game, bet.name)
    if waiting is None:
        return bet.rolls
    solution = solve(waiting)
    mean, bound = solution.mean_rolls, solution.rolls_bound
    return Certified(mean, bound) if bound else mean
