"""The risk of ruin of a gambler who repeats one bet forever."""

from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.documents import Certified
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.questions.arguments import Argument, amount
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, figure
from sevenout.questions.subject_kinds import BET_OF_GAME

if TYPE_CHECKING:
    from sevenout.solving.bets.bet_result import BetResult


def answer(bet: "BetResult", *, bankroll: Fraction, stake: Fraction) -> Findings:
    """The probability of ruin, exact or with proved bounds."""
    from sevenout.evenings.sessions import risk_of_ruin

    low, high = risk_of_ruin(bet, bankroll, stake=stake)
    return Findings(
        Finding("bankroll", "", bankroll),
        Finding("stake", "", stake),
        Finding("ruin", "risk of ruin", Certified.between(low, high), FRACTION, PERCENT),
        Finding(
            "edge",
            "" if bet.is_score else "house edge, per bet made",
            None if bet.is_score else bet.edge,
            FRACTION,
            PERCENT,
            note="at 0 or more, ruin is certain" if low == 1 else "",
        ),
    )


QUESTION = Question(
    name="ruin",
    help="The risk of ruin: the probability that a player who never stops loses the bankroll.",
    of=BET_OF_GAME,
    answer=answer,
    arguments=(
        Argument("bankroll", amount(0), "The player's bankroll: 100, 5/2.", "20"),
        Argument(
            "stake",
            amount(0),
            "The stake of each bet, in the units of the bankroll.",
            default="1",
        ),
    ),
    heading=lambda bankroll, stake: f"risk of ruin of {bankroll} in bets of {stake}",
    returns={
        "bankroll": exact("what the player brings"),
        "stake": exact("the stake of each bet"),
        "ruin": figure("the probability of ever being ruined"),
        "edge": exact("the house edge, per bet made; null for a score", optional=True),
    },
    section=True,
)
