"""Evenings at a craps table: how a player's money ends under a strategy.

A `Plan` is a strategy, a bankroll, and when the player leaves. The bets' positions are explored
once (`positions`), and how bets are settled that stand at the end. The money is then followed roll
by roll. If the evening is short, or one bet is repeated, that is done in whole numbers
(`money_polynomials`), else in floats with an error bound (`money_lattice`).

As an `EveningGame`, an evening can be solved, simulated and certified like any game.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.evenings.evening_plan import Plan, evening
    from sevenout.evenings.evening_result import EveningComparison, EveningResult
    from sevenout.evenings.optimal_evenings import NeededBankroll, bankroll_for
    from sevenout.evenings.sessions import SessionResult, fan, one_bet, risk_of_ruin, session
    from sevenout.evenings.table_account import account
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "table_account": "account",
            "evening_plan": "Plan evening",
            "evening_result": "EveningResult EveningComparison",
            "optimal_evenings": "NeededBankroll bankroll_for",
            "sessions": "SessionResult fan one_bet risk_of_ruin session",
        },
    )

__all__ = [  # a literal: the docs read it without running the module
    "EveningComparison",
    "EveningResult",
    "NeededBankroll",
    "Plan",
    "SessionResult",
    "account",
    "bankroll_for",
    "evening",
    "fan",
    "one_bet",
    "risk_of_ruin",
    "session",
]
