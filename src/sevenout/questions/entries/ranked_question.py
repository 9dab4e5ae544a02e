"""Pairs of ranked dice with given totals."""

from typing import Any

from sevenout.errors import shown
from sevenout.questions.arguments import Argument, ArgumentError, whole
from sevenout.questions.entries.relabel_question import ON, TARGET, sides_of
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import integer, listed, string
from sevenout.questions.subject_kinds import NUMBERS


def answer(
    _: None, *, target: str, on: str | None, without: int | None, show: int, pair: int | None
) -> LazyAnswer:
    """The pairs, or one of them in full."""
    from sevenout.questions.dice_pages import ranked_pages as pages
    from sevenout.rolling import parse_dice, ranked_pairs

    dice = parse_dice(target)
    sides = sides_of(on) if on is not None else [len(die.faces) for die in dice.dice]
    if len(sides) != 2:
        name, said = ("target", target) if on is None else ("on", on)
        raise ArgumentError(
            name,
            f"{shown(said)} are {len(sides)} dice; a ranked pair is two, on sides such as 4,9",
        )
    pairs = ranked_pairs(dice, *sides)
    if without is not None:
        pairs = tuple(each for each in pairs if without in each.removable)
    if pair is None:
        return LazyAnswer(
            lambda: pages.ranked_page(dice, sides, pairs, show),
            lambda: pages.ranked_data(dice, sides, pairs),
        )
    if pair > len(pairs):
        raise ArgumentError("pair", f"{pair}: there are {len(pairs)} pairs, numbered from 1")
    one = pairs[pair - 1]
    title, parts = f"A ranked pair with the totals of {dice}", pages.pair_lines(dice, one)
    return LazyAnswer(
        lambda: pages.lines_page(title, parts),
        lambda: pages.ranked_data(dice, sides, [one]),
        coloured=lambda: pages.coloured(title, parts),
    )


WHOLE: dict[str, Any] = {"type": ["integer", "null"]}
PAIR = {
    "type": "object",
    "description": "a pair",
    "properties": {
        "dice": {
            "description": "of each die its faces: value and rank",
            "type": "array",
            "items": {"type": "array", "items": {"type": "array", "items": WHOLE}},
        },
        "can lose": listed(integer("a total that can be taken out")),
        "red": {
            "description": "by the die whose number it is, the red marks; null if there are none",
            "type": "object",
        },
        "fragility": string("how much a random fault disturbs the totals"),
    },
}
QUESTION = Question(
    name="ranked",
    help="The pairs of ranked dice with given totals. The die with the higher rank sets the total.",
    of=NUMBERS,
    answer=answer,
    under="dice",
    arguments=(
        TARGET,
        ON,
        Argument(
            "without",
            whole(),
            "List only pairs from which this total can be taken out.",
            default=None,
        ),
        Argument(
            "show", whole(0), "The number of pairs to show. JSON holds them all.", default="12"
        ),
        Argument(
            "pair",
            whole(),
            "Show one pair in full, by its number in the list.",
            default=None,
        ),
    ),
    returns={
        "target": string("the dice whose totals are wanted"),
        "on": listed(integer("the sides of a die")) | {"description": "the sides of the dice"},
        "count": integer("how many pairs there are"),
        "up to exchange": integer("how many if the dice may be exchanged"),
        "up to exchange and reflection": integer("how many if totals may be mirrored too"),
        "pairs": listed(PAIR) | {"description": "the pairs"},
    },
)
