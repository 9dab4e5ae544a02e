"""What is said at the table of words that it does not take."""

import re
from difflib import get_close_matches

from sevenout.catalogue.craps_family.table.spoken.table_phrases import (
    IDLE,
    LONGEST_AMOUNT,
    NAMES,
    Phrase,
)
from sevenout.errors import NotationError, shown

FORMS = {
    "roll": "roll, or 4 2 for dice of your own",
    "rest": "rest, rest 2 hours or rest 50 rolls",
    "longer": "longer 10",
    "history": "history or history 5",
    "undo": "undo, undo 3 or undo all",
    "save": "save tonight.txt",
    "resume": "resume tonight.txt",
    "tip": "tip 5",
    "chips": "chips 100",
    "why": "why come",
    "help": "help odds",
    **{word: word for word in ("mean", "rare", "coach", "felt", "limits", "bets", "same")},
    **dict.fromkeys(("quit", "leave"), "quit"),
}
"""How commands are written that take no other words."""
_VERBS = ("press", "parlay", "regress", "down", "working", "edge")
_SPELT = sorted(
    {word for name in NAMES for word in name.split() if len(word) > 2} | {*FORMS, *_VERBS, "line"}
)


class UnknownWordError(NotationError):
    """A word that no bet has.

    Attributes:
        word: the word.
    """

    def __init__(self, word: str) -> None:
        self.word = word
        known = len(word) < 3 or word in _SPELT
        near = [] if known else get_close_matches(word, _SPELT, 1, 0.75)
        maybe = f"did you mean {near[0]}? " if near else ""
        super().__init__(
            f"{shown(word)} is not a word of the table; {maybe}`bets` lists the bets, `help` shows "
            "how to bet"
        )


def unknown(said: Phrase) -> NotationError:
    """The refusal of a phrase that is no bet: of its first word that is none.

    >>> from sevenout.catalogue.craps_family.table.spoken.table_phrases import phrase
    >>> str(unknown(phrase("pass -10")))
    "'-10' is not an amount; bet more than 0, such as 10"
    """
    words = [word.strip("$€£") for word in said.words]
    for word in words:
        if re.fullmatch(r"-\d+(?:\.\d+)?", word):
            return NotationError(f"{shown(word)} is not an amount; bet more than 0, such as 10")
        if re.fullmatch(r"\d+(?:\.\d+)?e\+?\d+", word):
            return NotationError(f"{shown(word)} is not an amount; write it out, such as 100")
        if re.fullmatch(rf"\d{{{LONGEST_AMOUNT + 1},}}", word):
            return NotationError(
                f"{shown(word)} is too much; bet at most {10**LONGEST_AMOUNT - 1:,}"
            )
    for word in said.words:
        if word not in NAMES and word not in IDLE and not re.fullmatch(r"[\d./-]+", word):
            return UnknownWordError(word)
    text = shown(" ".join(said.words))
    return NotationError(f"{text} is not a bet; `bets` lists the bets, `help` shows how to bet")


def misused(line: str) -> NotationError | None:
    """The refusal of a line that begins with a command, and does not go on as it does.

    >>> str(misused("rest forever")), misused("pass 5 7")
    ("'rest forever' is not a command; write rest, rest 2 hours or rest 50 rolls", None)
    """
    first = line.split(maxsplit=1)[0].lower() if line.split() else ""
    form = FORMS.get(first)
    return NotationError(f"{shown(line)} is not a command; write {form}") if form else None
