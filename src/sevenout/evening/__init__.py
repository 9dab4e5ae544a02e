"""Evenings at the table: who plays what, with how much, and what is left of it.

An evening is a strategy at a felt (`rules.betting`), a bankroll and its ends (`rules.ends`). Its
positions, the ways in which the bets can stand, are explored once (`positions`, `reachable`,
`lumping`); the distribution of the money is carried on over positions × money (`moneylattice`,
`rollbyroll`). One bet, made over and over, is a walk on the integers (`moneywalk`, `repeatedbet`,
`sessions`).

The front door is `evening`; everything else loads when it is first used.
"""

from sevenout.lazy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.evening.eveningplan import Plan
    from sevenout.evening.eveningresult import EveningResult, SideBySide
    from sevenout.evening.sessions import SessionResult, fan, one_bet, risk_of_ruin, session
    from sevenout.numerals import Number
    from sevenout.rules.casino.betting import Strategy
    from sevenout.rules.casino.felt import Felt
    from sevenout.rules.casino.standing import Stood
else:
    __getattr__ = opened(
        __name__,
        {
            "eveningplan": "Plan",
            "eveningresult": "EveningResult SideBySide",
            "sessions": "SessionResult fan one_bet risk_of_ruin session",
        },
    )

__all__ = [  # written out: the docs read it, and run nothing
    "EveningResult",
    "Plan",
    "SessionResult",
    "SideBySide",
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

    No one bets money that they don't have. A bet that can't be paid is not made, and what stands
    plays on; a player with nothing on the felt who can't pay for any bet is ruined.
    The player's money is on the rail and on the felt, and the stops look at it after each roll.

    Args:
        strategy: how the player bets: a `Strategy`, or the name of one in `games.strategies`.
        bankroll: the player's bankroll, in the units of the bets.
        rolls: leave after this many.
        hours: or after this many hours at a `pace` of rolls per hour.
        pace: rolls per hour.
        shooters: leave when this many shooters are out.
        rounds: leave when this many bets are settled; a player who can't pay for one more is
            ruined.
        stop_loss: leave when the loss reaches this amount.
        stop_win: leave when the win reaches this amount.
        target: leave when the money reaches this amount.
        standing: what stands when the rolls are made is "staked", counted as what was staked, as
            at every other end; or "down", taken down where the house allows it and else played out;
            or played "out", each bet until it is settled once.
        house: the table; `games.felt.House()` if not said.
        name: of the strategy; its own if not said.

    Raises:
        RulesError: no end in sight, a bankroll that does not pay for the first bet, a target that
            is reached already, or a bet that the house does not allow.
        TooMuchWorkError: more than the budget allows.
    """
    from sevenout.evening.eveningplan import Plan

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
