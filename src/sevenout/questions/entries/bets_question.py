"""The best evening with a menu of bets."""

import re
from fractions import Fraction
from typing import Any

from sevenout.errors import shown
from sevenout.numerals import exact
from sevenout.questions.arguments import Argument, ArgumentError, amount, text, whole, words
from sevenout.questions.findings import Finding, Findings
from sevenout.questions.question import Question
from sevenout.questions.schema import exact as exact_figure
from sevenout.questions.schema import integer, string
from sevenout.questions.subject_kinds import NUMBERS

MOST_AMOUNTS = 1000


def answer(
    _: None,
    *,
    table: str,
    bankroll: Fraction,
    target: Fraction | None,
    rolls: int | None,
    want: Any,
    idle: str,
    house: str | None,
) -> Findings:
    """The value with its proof, and the bets to make in each state."""
    from sevenout.catalogue.strategytext import house_of
    from sevenout.evenings.best_evening import best_evening

    found = best_evening(
        parse_menu(table),
        bankroll,
        target=target,
        rolls=rolls,
        want=want,
        idle=idle == "yes",
        house=house_of(house or ""),
    )
    bets = [
        {
            "money": str(money),
            "point": point,
            "felt": {bet: str(stake) for bet, stake in standing},
            "rolls left": left,
            "bet": list(made),
        }
        for (money, point, standing, left), made in found.chosen_bets
    ]
    return Findings(
        Finding("goal", "", found.goal.name),
        Finding("method", "", found.method),
        Finding("value", "", found.value),
        Finding("bound", "", found.bound),
        Finding("bets", "", bets),
        before=[found.page()],
    )


def parse_menu(given: str) -> dict[str, list[Any]]:
    """Parse a menu: amounts by bet.

    >>> parse_menu("pass=1-2-5, place 6=6, field=1..3")
    {'pass': [1, 2, 5], 'place 6': [6], 'field': [1, 2, 3]}
    """
    from sevenout.rules.casino.felt import whole as whole_amount

    menu: dict[str, list[Any]] = {}
    for part in given.split(","):
        bet, equals, amounts = (piece.strip() for piece in part.rpartition("="))
        if not (bet and equals and amounts):
            raise ArgumentError(
                "table",
                f"{shown(part)} is not a bet with amounts; write bet=amounts, such as pass=1-2-5",
            )
        if bet in menu:
            raise ArgumentError(
                "table", f"{shown(bet)} is on the menu twice; give all its amounts at once"
            )
        ends = re.fullmatch(r"([0-9]{1,9})\.\.([0-9]{1,9})", amounts)
        if ends:
            low, high = int(ends[1]), int(ends[2])
            if not low <= high < low + MOST_AMOUNTS:
                raise ArgumentError(
                    "table",
                    f"{amounts} is not a range of 1 to {MOST_AMOUNTS:,} amounts; write one such "
                    "as 1..10",
                )
            menu[bet] = list(range(low, high + 1))
        else:
            menu[bet] = [whole_amount(exact(each)) for each in amounts.split("-")]
    return menu


QUESTION = Question(
    name="bets",
    help=(
        "Optimal betting for an evening at the craps table: which bets of a menu to make before "
        "each roll."
    ),
    of=NUMBERS,
    answer=answer,
    arguments=(
        Argument(
            "table",
            text(),
            'The menu of bets and their amounts: "pass=1-2-5,field=1..10".',
            "pass=1..3",
        ),
        Argument("bankroll", amount(0), "The player's bankroll.", "1", "10"),
        Argument("target", amount(0), "Leave when the money reaches this amount.", "4", None),
        Argument("rolls", whole(1, 10_000), "Leave after this many rolls.", default=None),
        Argument(
            "want",
            words("target", "money", "log"),
            "What to maximize: the probability of reaching the target, the mean result (money), or "
            "the mean logarithm of the money (log). The default is target if one is given, else "
            "money.",
            default=None,
        ),
        Argument(
            "idle",
            words("no", "yes"),
            "Whether the player may roll with no bet on the felt.",
            default="no",
        ),
        Argument(
            "house",
            text(),
            'House rules that differ from the usual: "minimum=5,field=2-2".',
            default=None,
        ),
    ),
    section=True,
    returns={
        "goal": string("what is wanted"),
        "method": string("how it was solved: exact or certified"),
        "value": exact_figure("the value of optimal play"),
        "bound": exact_figure("its error bound; 0 if exact"),
        "bets": {
            "description": "what to bet where; in all other positions the only move is to roll",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "money": exact_figure("the money"),
                    "point": integer("the point", optional=True),
                    "felt": {
                        "type": "object",
                        "additionalProperties": {"type": "string"},
                        "description": "the bets that stand, and their amounts",
                    },
                    "rolls left": integer("the rolls that are left", optional=True),
                    "bet": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "the bets to make",
                    },
                },
                "required": ["money", "point", "felt", "rolls left", "bet"],
                "additionalProperties": False,
            },
        },
    },
)
