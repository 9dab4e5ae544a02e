"""Evenings at a craps table: how a player's money ends under a strategy.

A `Plan` is a strategy, a bankroll, and when the player leaves. The bets' positions are explored
once (`positions`). The money is then followed roll by roll. If the evening is short, or one bet is
repeated, that is done in whole numbers (`money_polynomials`), else in floats with an error bound
(`money_lattice`). Bets that stand at the end are settled in `settlement`.

As an `EveningGame`, an evening can be solved, simulated and certified like any game.
"""

from sevenout.lazy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.evenings.evening_plan import Plan
    from sevenout.evenings.evening_result import EveningResult, SideBySide
    from sevenout.evenings.optimal_evenings import NeededBankroll, bankroll_for
    from sevenout.evenings.sessions import SessionResult, fan, one_bet, risk_of_ruin, session
    from sevenout.evenings.table_figures import account
    from sevenout.numerals import Number
    from sevenout.rules.casino.betting import Strategy
    from sevenout.rules.casino.ends import Stood
    from sevenout.rules.casino.felt import Felt
else:
    __getattr__ = opened(
        __name__,
        {
            "table_figures": "account",
            "evening_plan": "Plan",
            "evening_result": "EveningResult SideBySide",
            "optimal_evenings": "NeededBankroll bankroll_for",
            "sessions": "SessionResult fan one_bet risk_of_ruin session",
        },
    )

__all__ = [  # a literal: the docs read it without running the module
    "EveningResult",
    "NeededBankroll",
    "Plan",
    "SessionResult",
    "SideBySide",
    "account",
    "bankroll_for",
    "evening",
    "fan",
    "one_bet",
    "risk_of_ruin",
    "session",
]


def evening(
    strategy: "Strategy | str",
    bankroll: "Number",
    *,
    rolls: int | None = None,
    hours: "Number | None" = None,
    pace: int = 100,
    shooters: int | None = None,
    rounds: int | None = None,
    stop_loss: "Number | None" = None,
    stop_win: "Number | None" = None,
    target: "Number | None" = None,
    standing: "Stood" = "staked",
    house: "Felt | None" = None,
    name: str | None = None,
) -> "EveningResult":
    """How an evening at the table ends.

    >>> result = evening("pass", bankroll=3, rolls=4)
    >>> result.mean, result.status, result.result.support
    (Fraction(45337, 419904), 'exact', (Fraction(-3, 1), Fraction(4, 1)))
    >>> float(evening("pass", bankroll=20, target=40).reached)
    0.36223094043967774

    A bet that the player can't afford is not made; bets on the felt play on. A player with nothing
    on the felt who can't afford the next bet is ruined. Stops count the money in the rail and on
    the felt, after each roll.

    Bets on the felt after the last roll may be "staked": they count at their stakes, as at every
    other end. With "out", each is played until it is settled once. With "down", they are taken down
    where the house allows it, and the others are played out.

    Args:
        strategy: a `Strategy`, or the name of one in `games.strategies`.
        bankroll: in the units of the bets.
        rolls: leave after this many rolls.
        hours: leave after this many hours at `pace`.
        pace: rolls per hour.
        shooters: leave after this many seven-outs.
        rounds: leave when this many bets are settled; a player who can't afford the next is ruined.
        stop_loss: leave when the loss reaches this amount.
        stop_win: leave when the win reaches this amount.
        target: leave when the money reaches this amount.
        standing: "staked", "down" or "out".
        house: the table; `games.felt.House()` by default.
        name: of the strategy; its own by default.

    Raises:
        RulesError: no end, too small a bankroll for the first bet, a target already reached, or a
            bet that the house does not allow.
        TooMuchWorkError: more than the budget allows.
    """
    from sevenout.evenings.evening_plan import Plan

    plan = Plan.of(
        strategy,
        bankroll,
        rolls=rolls,
        hours=hours,
        pace=pace,
        shooters=shooters,
        rounds=rounds,
        stop_loss=stop_loss,
        stop_win=stop_win,
        target=target,
        standing=standing,
        house=house,
        name=name,
    )
    return plan.solve()
