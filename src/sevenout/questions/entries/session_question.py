"""A session of one bet."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.questions.arguments import Argument, amount, whole
from sevenout.questions.question import Question
from sevenout.questions.schema import OUTCOME, exact, integer, said
from sevenout.questions.subject_kinds import BET_OF_GAME

if TYPE_CHECKING:
    from sevenout.evenings.sessions import SessionResult
    from sevenout.solving.bets.bet_result import BetResult


def answer(
    bet: "BetResult",
    *,
    bankroll: Fraction,
    stake: Fraction,
    target: Fraction | None,
    rounds: int | None,
) -> "SessionResult":
    """How the session ends."""
    from sevenout.evenings.sessions import session

    return session(bet, bankroll, stake=stake, target=target, rounds=rounds)


def refuses(
    _given: Any, *, bankroll: Fraction, target: Fraction | None, rounds: int | None, **_: Any
) -> None:
    """Refuse a session that has no end, or whose target is already reached."""
    from sevenout.evenings.sessions import check_ends

    check_ends(bankroll, target, rounds)


def heading(
    bankroll: Fraction, stake: Fraction, target: Fraction | None, rounds: int | None
) -> str:
    """The session in words."""
    ends = [f"up to {target}"] if target else []
    ends += [f"for {rounds:,} bets"] if rounds else []
    return f"{bankroll} in bets of {stake}, {' or '.join(ends)}"


QUESTION = Question(
    name="session",
    help="A session of one bet: the probability of ruin and of the target, and the result.",
    of=BET_OF_GAME,
    answer=answer,
    refuses=refuses,
    arguments=(
        Argument("bankroll", amount(0), "The player's bankroll: 100, 5/2.", "20"),
        Argument(
            "stake", amount(0), "The stake of each bet, in the units of the bankroll.", "5/2", "1"
        ),
        Argument("target", amount(0), "Stop when the money reaches this amount.", "30", None),
        Argument(
            "rounds",
            whole(),
            "Stop after this many bets. Give a target, a number of rounds, or both.",
            "40",
            None,
        ),
    ),
    heading=heading,
    returns={
        "stake": exact("the stake of each bet"),
        "target": exact("the amount at which the session stops", optional=True),
        "rounds": integer("after how many bets it stops", optional=True),
        **OUTCOME,
        "mean_rounds": said("the mean number of bets"),
    },
)
