"""The options in a state, and their costs."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import DECIMAL
from sevenout.documents.tables import datum
from sevenout.errors import shown
from sevenout.questions.arguments import POLICY, Argument, ArgumentError, state
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import SOLVED, listed, record, string
from sevenout.questions.subject_kinds import CHOICES

if TYPE_CHECKING:
    from sevenout.questions.choices import Choices


def answer(choices: "Choices", *, at: Any, policy: tuple[Any, ...]) -> LazyAnswer:
    """Each option with its value; for a score card without dice, how to play the next turn."""
    from sevenout.solving.policies import policy_pages as pages
    from sevenout.solving.turns import turnpages

    if policy:
        choices.policies(policy)  # an unknown name is refused before any work
    optimum, found = choices.at(at)
    does = _policies(choices, optimum, found, policy) if policy else []
    said = at if choices.turns else ""
    if said and found[2] is None:
        whole: Any = optimum
        return LazyAnswer(
            lambda: turnpages.card_page(whole, found, said),
            lambda: turnpages.card_data(whole, found, said),
            optimum,
        )
    data = [{"name": name, "does": move, "cost": datum(cost)} for name, move, cost in does]

    def page() -> Page:
        shown_ = pages.options_page(optimum, found, said)
        columns = ["policy", "does", Column("costs", DECIMAL)]
        return Page(shown_.title, *shown_.blocks, *([Table(columns, does)] if does else []))

    return LazyAnswer(
        page,
        lambda: pages.options_data(optimum, found, said) | ({"policies": data} if data else {}),
        optimum,
    )


def _policies(
    choices: "Choices", optimum: Any, state: Any, names: tuple[Any, ...]
) -> list[tuple[str, str, Fraction]]:
    """Each policy's option in a state, and its cost."""
    from sevenout.solving import Optimum

    if not isinstance(optimum, Optimum):
        raise ArgumentError("policy", "is compared over the whole game here; leave the state out")
    costs = {option.name: option.margin for option in optimum.plans(state)}
    found = []
    for name, plays in choices.policies(names).items():
        does = plays(state) if callable(plays) else plays.get(state)
        if does not in costs:
            raise ArgumentError(
                "policy", f"{name}, which does {shown(does)}, which is not an option"
            )
        found.append((name, str(does), costs[does]))
    return found


QUESTION = Question(
    name="options",
    help="The options in a state of a game with choices: the expected value and cost of each.",
    of=CHOICES,
    answer=answer,
    arguments=(
        Argument(
            "at",
            state(),
            "The state, such as 40,60,12. In a game of turns, the boxes filled and the dice: "
            "sixes 18, chance 22; 1 3 3 5 6.",
            "17",
        ),
        Argument(
            "policy",
            POLICY,
            "Also say what this policy does in the state, and what that costs.",
            default=None,
            many=True,
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
        "policies?": listed(
            record(
                "a policy",
                {
                    "name": string("its name"),
                    "does": string("what it does in the state"),
                    "cost": SOLVED,
                },
            )
        )
        | {"description": "the policies that were asked about"},
        "to come?": SOLVED | {"description": "of a score card: the mean that is still to come"},
        "turn?": {"type": "object", "description": "of a score card: how to play its next turn"},
    },
)
