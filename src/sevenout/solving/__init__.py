"""Solve games: exact results, or certified within an error bound.

`solve` gives the `Solution` of a game without choices, `sevenout.best` the optimum of any other;
both are an `Answer`. See also `solvers`, `distributions` of counters, returns of `bets`, and
`policies` with strategy cards. Modules load when they are first used.
"""

from sevenout.lazy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.catalogue import Entry
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.solving.answer import Method, Solution
    from sevenout.solving.bets.awards import progressive
    from sevenout.solving.bets.bet_result import BetResult, TableRow
    from sevenout.solving.bets.metrics import Metrics, cycle
    from sevenout.solving.bets.sensitivity import bias, gradient
    from sevenout.solving.distributions.totals import Total
    from sevenout.solving.goal import Goal, goal_of
    from sevenout.solving.optimum import Optimum
    from sevenout.solving.policies.card import Card
    from sevenout.solving.policies.option_values import Followed, Mistake, Option
else:
    __getattr__ = opened(
        __name__,
        {
            "bets.awards": "progressive",
            "bets.metrics": "Metrics cycle",
            "bets.sensitivity": "bias gradient",
            "distributions.totals": "Total",
            "bets.bet_result": "BetResult TableRow",
            "goal": "Goal goal_of",
            "optimum": "Optimum",
            "policies.card": "Card",
            "policies.option_values": "Followed Mistake Option",
            "answer": "Answer Solution",
        },
    )

__all__ = [  # written out: the docs read it without running anything
    "BetResult",
    "Card",
    "Followed",
    "Goal",
    "Metrics",
    "Mistake",
    "Optimum",
    "Option",
    "Solution",
    "TableRow",
    "Total",
    "bias",
    "cycle",
    "goal_of",
    "gradient",
    "progressive",
    "solve",
]


def solve(
    game: "Game | Chain | Entry | str", method: "Method" = "auto", *, digits: int = 50
) -> "Solution":
    """Solve a game without choices.

    >>> from sevenout.rules import PointGame
    >>> craps = solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> craps.bet("pass").p_win, craps.mean_rolls, craps.distribution("rolls").variance
    (Fraction(244, 495), Fraction(557, 165), Fraction(245672, 27225))

    Args:
        game: the rules, or their chain; an entry of the catalogue, or its name.
        method: "elimination" (sparse, exact), "lifting" (exact, for large chains with cycles),
            "certified" (digits with a proved bound), or "auto".
        digits: decimal digits that "certified" proves.

    Raises:
        RulesError: not a game, an unknown method, fewer than 1 digit, contradictory rules, or a
            game that can go on for ever.
    """
    from sevenout.catalogue import entry_of, game_of
    from sevenout.model import Chain, chain_of
    from sevenout.solving.answer import Solution

    subject = entry_of(game)
    solution = Solution(chain_of(game_of(subject)), method, digits)
    if not isinstance(subject, Chain):
        solution.subject = subject
    return solution
