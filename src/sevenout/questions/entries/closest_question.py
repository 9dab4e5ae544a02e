"""The closest decisions of a game."""

from typing import TYPE_CHECKING

from sevenout.documents import Certified, Column, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.questions.arguments import Argument, whole
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import EXACT_OR_CERTIFIED, integer
from sevenout.questions.subject_kinds import CHOICES

if TYPE_CHECKING:
    from sevenout.questions.choices import Choices


def answer(choices: "Choices", *, count: int) -> Findings:
    """The reachable decision states with the least costly mistakes."""
    from sevenout.model.naming import in_words

    optimum = choices.table
    costs = [(optimum.least_mistake(state), state) for state in optimum.come_up]
    close = sorted(
        ((cost, str(state), state) for cost, state in costs if cost is not None),
        key=lambda each: each[:2],
    )
    rows = []
    for _, _, state in close[:count]:
        best, bound = optimum.best_in(state), optimum.bound_at(state)
        wrong = next(option for option in optimum.at(state) if option.name not in best)
        cost = Certified(wrong.margin, 2 * bound) if bound else wrong.margin
        rows.append(
            (
                in_words(state, optimum.model.coordinates),
                " or ".join(sorted(best)),
                wrong.name,
                cost,
            )
        )
    names = ("state", "best", "instead", "cost")
    columns = ["state", "best", "instead", Column("cost", FRACTION, DECIMAL)]
    return Findings(
        Finding("decision_states", "", len(costs)),
        Finding("closest", "", [dict(zip(names, row, strict=True)) for row in rows]),
        before=[
            Table(columns, rows),
            Text(f"{len(costs):,} reachable decision states.", tone="note"),
        ],
    )


QUESTION = Question(
    name="closest",
    help="The closest decisions of a game with choices: the states where a mistake costs least.",
    of=CHOICES,
    answer=answer,
    arguments=(Argument("count", whole(1, 1_000), "The number of decisions to show.", "3", "10"),),
    heading=lambda count: "the closest decisions",
    returns={
        "decision_states": integer("the reachable decision states"),
        "closest": {
            "description": "the decision states, the closest first",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "state": {"type": "string"},
                    "best": {"type": "string"},
                    "instead": {"type": "string"},
                    "cost": EXACT_OR_CERTIFIED,
                },
                "required": ["state", "best", "instead", "cost"],
                "additionalProperties": False,
            },
        },
    },
)
