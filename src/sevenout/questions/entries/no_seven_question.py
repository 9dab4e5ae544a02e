"""A pair of dice that can exclude one total."""

from sevenout.questions.arguments import Argument, whole
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import SOME, boolean, by_name, exact, integer, listed, record, string
from sevenout.questions.subject_kinds import NUMBERS


def answer(_: None, *, sides: int, without: int | None) -> LazyAnswer:
    """The faces, the results, and the check."""
    from sevenout.questions.dice_pages.ranked_pages import (
        coloured,
        lines_page,
        no_seven_data,
        no_seven_lines,
    )
    from sevenout.rolling import tatham
    from sevenout.rolling.special.printable_faces import afford_grid, strips

    afford_grid(sides)
    tatham(sides, without=sides + 1 if without is None else without)
    strips(sides)
    title, parts = f"A pair of dice that never rolls {sides + 1}", no_seven_lines(sides)
    return LazyAnswer(
        lambda: lines_page(title, parts),
        lambda: no_seven_data(sides),
        sides,
        coloured=lambda: coloured(title, parts),
    )


CHECKED = {"with": boolean("with the total"), "without": boolean("without it")}
FACE = record(
    "a face", {"value": SOME, "rank": integer("its rank"), "red": integer("its red marks")}
)
FACE["properties"]["value"] = {"type": ["integer", "null"]}
QUESTION = Question(
    name="no_seven",
    help="A pair of dice that never rolls a 7 and keeps the odds of the other totals.",
    of=NUMBERS,
    answer=answer,
    under="dice",
    arguments=(
        Argument(
            "sides", whole(), "The number of sides of the ordinary dice: 6 for 2d6.", "4", "6"
        ),
        Argument(
            "without",
            whole(),
            "The total to take out. It must be one more than the sides.",
            default=None,
        ),
    ),
    returns={
        "sides": integer("the sides of the ordinary dice"),
        "without": integer("the total that can be taken out"),
        "dice": listed(record("a die", {"name": string("its name"), "faces": listed(FACE)}))
        | {"description": "the dice to paint, the odd one also without the total"},
        "grid": listed(listed(integer("a total")) | {"description": ""})
        | {"description": "the totals, a row for each face of the even die"},
        "red": listed(listed(integer("a red number")) | {"description": ""})
        | {"description": "the red numbers likewise"},
        "totals": record(
            "the probability of each total",
            {
                "with": by_name(exact("with the total")),
                "without": by_name(exact("without it")),
            },
        ),
        "same totals": record("whether the totals are those of ordinary dice", CHECKED),
        "same totals and red numbers": record("whether the red numbers are too", CHECKED),
    },
)
