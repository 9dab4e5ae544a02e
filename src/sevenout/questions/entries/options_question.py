"""What may be done in a state of a game with choices, and what each option costs."""

from typing import TYPE_CHECKING, Any

from sevenout.questions.arguments import Argument, state
from sevenout.questions.bases import CHOICES
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import SOLVED, listed, record, string

if TYPE_CHECKING:
    from sevenout.questions.choices import Choices


def answer(choices: "Choices", *, at: Any) -> LazyAnswer:
    """Each option with its value; of a score card without dice, how to play its next turn."""
    from sevenout.solve.policies import policy_pages as pages
    from sevenout.turns import turnpages

    optimum, found = choices.at(at)
    said = at if choices.turns else ""
    if said and found[2] is None:
        whole: Any = optimum
        return LazyAnswer(
            lambda: turnpages.card_page(whole, found, said),
            lambda: turnpages.card_data(whole, found, said),
            optimum,
        )
    return LazyAnswer(
        lambda: pages.options_page(optimum, found, said),
        lambda: pages.options_data(optimum, found, said),
        optimum,
    )


QUESTION = Question(
    name="options",
    help="What may be done in a state of a game with choices: the value and the cost of each.",
    of=CHOICES,
    answer=answer,
    arguments=(
        Argument(
            "at",
            state(),
            "The state, such as 40,60,12; in a game of turns, the boxes that are taken and the "
            "dice: sixes 18, chance 22; 1 3 3 5 6.",
            "17",
        ),
    ),
    returns={
        "goal": string("what is wanted"),
        "state": string("the state"),
        "bound": SOLVED,
        "options?": listed(
            record(
                "an option",
                {"name": string("what is done"), "value": SOLVED, "cost": SOLVED},
            )
        )
        | {"description": "the options, the best first, with their values and costs"},
        "to come?": SOLVED | {"description": "of a score card: the mean that is still to come"},
        "turn?": {"type": "object", "description": "of a score card: how to play its next turn"},
    },
)
