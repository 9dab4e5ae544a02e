"""Solve games: exact results, or certified within an error bound.

`solve` gives the `Solution` of a game without choices, `sevenout.best` the optimum of any other;
both are an `Answer`. Names load when they are first used.

The modules, from the bottom; each imports only those above it:

elimination, lifting: a chain's visits and values, in fractions or in proved digits.
bet_result, counter_distributions, totals, sensitivity: bets, counters, many bets, biased dice.
answer: all results of a chain; long_run: its frequencies without an end.
first_passage: how long a game lasts, and which states it ever visits.
awards, metrics: what a bet with a progressive award returns; figures for laboratories.
goal: objectives, and the problem that a model and a goal pose.
policy_iteration, value_iteration: optimal play in fractions, or with a proved bound.
node_values: their values and certificates; certificates: those of chains and mixed policies.
best_play: what every optimum answers.
strategy_card, decision_list, card_pages: its card, learnt lists of lines, and how they are printed.
equilibria, public_tree, regret_matching, mixed_optimum: games with hidden information.
turn_kernel, turn_values, turn_policies, turn_optimum, turn_table: games of turns.
optimal_play: `best`, the door of all three.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.catalogue import Entry
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.solving.answer import Method, Solution
    from sevenout.solving.awards import progressive
    from sevenout.solving.best_play import Mistake, Option, PolicyValue
    from sevenout.solving.bet_result import BetResult, TableRow
    from sevenout.solving.goal import Goal, goal_of
    from sevenout.solving.metrics import Metrics, cycle
    from sevenout.solving.optimal_play import Optimum
    from sevenout.solving.sensitivity import bias, gradient
    from sevenout.solving.strategy_card import Card
    from sevenout.solving.totals import Total
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "awards": "progressive",
            "metrics": "Metrics cycle",
            "sensitivity": "bias gradient",
            "totals": "Total",
            "bet_result": "BetResult TableRow",
            "goal": "Goal goal_of",
            "optimal_play": "Optimum",
            "strategy_card": "Card",
            "best_play": "PolicyValue Mistake Option",
            "answer": "Answer Solution",
        },
    )

__all__ = [  # written out: the docs read it without running anything
    "BetResult",
    "Card",
    "Goal",
    "Metrics",
    "Mistake",
    "Optimum",
    "Option",
    "PolicyValue",
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
