"""What is true of a game, and what to do in it: exact, or certified with a bound.

`solution` answers for a game in which no player decides, `optimum` for one with choices; both are
an `Answer`. The solvers are in `solvers`, distributions of counters in `distributions`, what a bet
returns in `bets`, policies and cards in `policies`. `solve` is the front door of a game without
choices, `sevenout.best` of all others; everything else loads when it is first used.
"""

from sevenout.lazy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.solve.bets.bet_result import BetResult, TableRow
    from sevenout.solve.goal import Goal, goal_of
    from sevenout.solve.optimum import Optimum
    from sevenout.solve.policies.card import Card
    from sevenout.solve.policies.option_values import Followed, Mistake, Option
    from sevenout.solve.solution import Method, Solution
else:
    __getattr__ = opened(
        __name__,
        {
            "bets.bet_result": "BetResult TableRow",
            "goal": "Goal goal_of",
            "optimum": "Optimum",
            "policies.card": "Card",
            "policies.option_values": "Followed Mistake Option",
            "solution": "Solution",
        },
    )

__all__ = [  # written out: the docs read it, and run nothing
    "BetResult",
    "Card",
    "Followed",
    "Goal",
    "Mistake",
    "Optimum",
    "Option",
    "Solution",
    "TableRow",
    "goal_of",
    "solve",
]


def solve(game: "Game | Chain", method: "Method" = "auto", *, digits: int = 50) -> "Solution":
    """Everything that is true of a game.

    >>> from sevenout.rules import PointGame
    >>> craps = solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> craps.bet("pass").p_win, craps.mean_rolls, craps.distribution("rolls").variance
    (Fraction(244, 495), Fraction(557, 165), Fraction(245672, 27225))

    Args:
        game: the rules, or their chain.
        method: "elimination" (sparse, exact), "lifting" (exact, for large chains with cycles),
            "certified" (digits with a proved bound), or "auto".
        digits: how many decimal digits "certified" proves.

    Raises:
        RulesError: not a game, no such method, no digit to certify; or the rules contradict
            themselves, or the game can go on for ever.
    """
    from sevenout.model import chain_of
    from sevenout.solve.solution import Solution

    return Solution(chain_of(game), method, digits)
