"""A game's figures from a state on, such as a point of 4."""

from typing import TYPE_CHECKING, Any

from sevenout.documents import Certified, Column, Table
from sevenout.documents.kinds import DECIMAL, FRACTION, PERCENT, SIGNED
from sevenout.questions.arguments import Argument, state
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import by_name, figure, string
from sevenout.questions.subject_kinds import GAME

if TYPE_CHECKING:
    from sevenout.questions.named_policies import PlayedGame


def answer(solved: "PlayedGame", *, at: Any) -> Findings:
    """The outcomes from the state on, the rolls to come, and each bet's mean."""
    from sevenout.questions.states import chain_at
    from sevenout.solving import solve

    chain, where = chain_at(solved.solution.chain, at)
    here = solve(chain)

    def sure(x: Any, bound: Any) -> Any:
        return Certified(x, bound) if bound else x

    outcomes = {label: sure(p, here.bound * len(here.outcomes)) for label, p in here.labels.items()}
    means = {}
    for bet in chain.bets:
        stake = chain.stake(bet)
        shares = [(o.profit(bet) / stake, p) for o, p in here.outcomes.items()]
        most = sum(abs(share) for share, _ in shares)
        means[bet] = sure(sum(share * p for share, p in shares), here.bound * most)
    table = Table(["outcome", Column("probability", FRACTION, PERCENT)], outcomes.items())
    return Findings(
        Finding("at", "", where),
        Finding("outcomes", "", outcomes),
        Finding(
            "mean_rolls",
            "mean rolls to come",
            sure(here.mean_rolls, here.rolls_bound),
            FRACTION,
            DECIMAL,
        ),
        *(
            Finding("", f"mean profit of {bet}", mean, FRACTION, SIGNED, note="per unit staked")
            for bet, mean in means.items()
        ),
        Finding("expected_profits", "", means),
        before=[table],
    )


QUESTION = Question(
    name="given",
    help="The odds of a game from a given state: outcomes, rolls and the mean profit of each bet.",
    of=GAME,
    answer=answer,
    arguments=(
        Argument("at", state(), "The state, written as sevenout prints it, such as 4.", "4"),
    ),
    heading=lambda at: f"from {at} on",
    returns={
        "at": string("the state"),
        "outcomes": by_name(figure("the probability of each outcome")),
        "mean_rolls": figure("the mean number of rolls that are still to come"),
        "expected_profits": by_name(figure("the mean profit of each bet, per unit staked")),
    },
    section=True,
)
