"""The joint distribution of a game's counters."""

from typing import TYPE_CHECKING, Any

from sevenout.errors import shown
from sevenout.questions.arguments import Argument, ArgumentError, text
from sevenout.questions.question import Question
from sevenout.questions.schema import by_name, exact, listed, string
from sevenout.questions.subject_kinds import GAME

if TYPE_CHECKING:
    from sevenout.questions.named_policies import PlayedGame
    from sevenout.solving.distributions.joint_distribution import JointLaw


def answer(solved: "PlayedGame", *, counters: str) -> "JointLaw":
    """The joint distribution of two or more counters."""
    found: JointLaw = solved.solution.distribution(*_names(counters))
    return found


def _names(counters: str) -> list[str]:
    return [name.strip() for name in counters.split(",")]


def refuses(_given: Any, *, counters: str) -> None:
    """Refuse fewer than two counters, or duplicates."""
    names = _names(counters)
    if len(names) < 2 or len({*names}) < len(names):
        such = "such as rounds,won"
        raise ArgumentError(
            "counters", f"{shown(counters)}; name two or more counters, with commas, {such}"
        )


QUESTION = Question(
    name="joint",
    help="The joint distribution of two counters of a game, such as rounds and rounds won.",
    of=GAME,
    example="hazard-turn",
    answer=answer,
    refuses=refuses,
    arguments=(
        Argument(
            "counters", text(), "The two counters, separated by a comma: rounds,won.", "rounds,won"
        ),
    ),
    heading=lambda counters: f"{counters.replace(',', ' and ')} together",
    returns={
        "counters": listed(string("the counters")),
        "means": by_name(exact("the mean of each")),
        "covariances": by_name(exact("the covariance of each pair")),
        "probabilities": by_name(
            exact("the probability of each combination in the table; higher counts are not listed")
        ),
    },
)
