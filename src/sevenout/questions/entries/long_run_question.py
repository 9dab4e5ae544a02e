"""Long-run frequencies per roll, of a game with or without an end."""

from typing import TYPE_CHECKING

from sevenout.questions.arguments import Argument, text
from sevenout.questions.question import Question
from sevenout.questions.schema import by_name, exact, string
from sevenout.questions.subject_kinds import ENDLESS

if TYPE_CHECKING:
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.solving.distributions.long_run import LongRun


def answer(given: "Chain | Game", *, per: str) -> "LongRun":
    """The averages of the chain; a game that ends is repeated."""
    from sevenout.solving.distributions.long_run import long_run

    return long_run(given, per)


QUESTION = Question(
    name="long_run",
    help="The exact long-run frequency of each state, counter and outcome.",
    of=ENDLESS,
    answer=answer,
    arguments=(
        Argument(
            "per",
            text(),
            (
                "The unit of the frequencies: per roll, per game (if games end), or per counter, "
                "such as turns."
            ),
            "turns",
            "roll",
            label="Per",
        ),
    ),
    heading=lambda per: f"the long run, per {per.removesuffix('s')}",
    returns={
        "per": string("what everything is counted by"),
        "classes": {
            "description": "the recurrent classes of states",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "probability": exact("the probability that the game ends up there"),
                    "states": {"type": "integer", "description": "how many states there are"},
                    "period": {"type": "integer", "description": "the period of the class"},
                },
                "required": ["probability", "states", "period"],
                "additionalProperties": False,
            },
        },
        "counters": by_name(exact("how much each counter advances")),
        "outcomes": by_name(exact("how often each outcome comes up")),
        "profits": by_name(exact("what each bet wins per unit staked")),
        "frequencies": by_name(exact("the share of the rolls that are made in each state")),
    },
)
