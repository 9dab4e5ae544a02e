"""Optimal play of a game with choices."""

from typing import TYPE_CHECKING, Any

from sevenout.documents import Page
from sevenout.errors import RulesError
from sevenout.questions.arguments import POLICY, Argument, flag
from sevenout.questions.entries.options_question import QUESTION as OPTIONS
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import SOLVED, integer, listed, record, string
from sevenout.questions.subject_kinds import CHOICES

if TYPE_CHECKING:
    from sevenout.questions.choices import Choices


def answer(choices: "Choices", *, policy: tuple[Any, ...], distribution: bool) -> LazyAnswer:
    """The value, a strategy card, and the cost of simple policies."""
    from sevenout.solving.policies import policy_pages as pages
    from sevenout.solving.turns.turnpages import law_data

    title = choices.chosen.title if choices.chosen is not None else "this game"
    if distribution and not choices.turns:
        raise RulesError(f"distribution= is for games of turns; use `sevenout odds` for {title}")
    policies = choices.policies(policy)
    optimum: Any = choices.optimum
    text = choices.chosen.text if choices.chosen is not None else ""

    def page() -> Page:
        return pages.page(optimum, policies, distribution=distribution)

    def data() -> dict[str, Any]:
        made: dict[str, Any] = optimum.to_dict()
        made |= {"distribution": law_data(optimum.law)} if distribution else {}
        return made | {"policies": [each.to_dict() for each in optimum.compared(policies)]}

    return LazyAnswer(page, data, optimum, text=text)


MISTAKE = record(
    "a mistake",
    {
        "state": string("where it is made"),
        "did": string("what the policy does"),
        "best": string("what is best"),
        "cost": SOLVED,
    },
)
QUESTION = Question(
    name="best",
    help="Optimal play: its value, a strategy card, and the cost of simpler policies.",
    of=CHOICES,
    answer=answer,
    arguments=(
        Argument(
            "policy",
            POLICY,
            "Compare this policy with the best: a name such as hold-20, or greedy in a game of "
            "turns. The default is the game's own simple policies.",
            default=None,
            many=True,
        ),
        Argument(
            "distribution",
            flag(),
            "Show the distribution of the result, in a game of turns.",
            default="no",
        ),
    ),
    instead=(OPTIONS,),
    returns={
        "goal": string("what is wanted"),
        "method": string("how it was solved: exact or certified"),
        "value": SOLVED | {"description": "the value of optimal play"},
        "bound": SOLVED,
        "states?": integer("the decision states; of a game of turns, the states of all turns"),
        "come_up?": integer("how many of them are reachable"),
        "ties?": listed(string("the states in which several options are best")),
        "card?": {"type": "array", "items": {"type": "object"}, "description": "the strategy card"},
        "cards?": integer("of a game of turns: its score cards"),
        "turn?": {"type": "object", "description": "of a game of turns: how to play a turn"},
        "policy?": {
            "type": "array",
            "items": {"type": "object"},
            "description": "where dice are hidden: what to do, and how often",
        },
        "distribution?": {"type": "object", "description": "the distribution of the result"},
        "policies": listed(
            record(
                "a policy",
                {
                    "name": string("its name"),
                    "value": SOLVED,
                    "bound": SOLVED,
                    "cost": SOLVED,
                    "mistakes": listed(MISTAKE),
                },
            )
        )
        | {"description": "simple policies: their values, costs and costliest mistakes"},
    },
)
