"""All dice with the totals of given dice, such as Sicherman's."""

from typing import Any

from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import MONO
from sevenout.errors import shown
from sevenout.questions.arguments import Argument, ArgumentError, text, whole
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import SOME, integer, listed, string
from sevenout.questions.subject_kinds import NUMBERS


def answer(_: None, *, target: str, on: str | None, least: int) -> LazyAnswer:
    """Every set of dice with its faces."""
    from sevenout.rolling import parse_dice, relabelled

    dice = parse_dice(target)
    sides = None if on is None else sides_of(on)
    found = relabelled(dice, sides, least)
    shape = f" on {'+'.join(f'd{n}' for n in sides)}" if sides else ""
    plural = "set" if len(found) == 1 else "sets"
    columns = [Column(f"die {n + 1}", MONO) for n in range(max(map(len, found), default=1))]
    rows = [list(map(str, each)) for each in found]
    sets = [[list(map(_number, die.faces)) for die in each] for each in found]
    return LazyAnswer(
        lambda: Page(
            f"{len(found)} {plural} of dice{shape} with the totals of {dice}",
            *([Table(columns, rows)] if rows else []),
        ),
        lambda: {"target": str(dice), "count": len(found), "sets": sets},
    )


def sides_of(given: str) -> list[int]:
    """Parse the sides of dice: 4,9 or d4,d9."""
    parts = [part.strip().removeprefix("d") for part in given.replace("+", ",").split(",")]
    if not all(part.isdecimal() and len(part) < 6 and 1 <= int(part) <= 10_000 for part in parts):
        raise ArgumentError("on", f"{shown(given)}; write the sides of the dice, such as 4,9")
    return [int(part) for part in parts]


def _number(face: Any) -> Any:
    return face if isinstance(face, int) else str(face)


TARGET = Argument(
    "target",
    text(),
    "The dice whose totals to match: 2d6, 3d6, d4+d6.",
    "2d4",
    "2d6",
    placed=True,
)
ON = Argument(
    "on",
    text(),
    "The sides of the new dice, such as 4,9. The default is those of the target.",
    default=None,
)
QUESTION = Question(
    name="relabel",
    help="All dice with the same distribution of totals as given dice, such as Sicherman's.",
    of=NUMBERS,
    answer=answer,
    under="dice",
    arguments=(
        TARGET,
        ON,
        Argument("least", whole(-999, 999), "The lowest number on a face.", default="1"),
    ),
    returns={
        "target": string("the dice whose totals are wanted"),
        "count": integer("how many sets there are"),
        "sets": listed(listed(listed(SOME)))
        | {"description": "the sets: of each, the faces of each die"},
    },
)
