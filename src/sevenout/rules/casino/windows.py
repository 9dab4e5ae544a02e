"""Declared times of a bet that contradict the rest of its game."""

import re

from sevenout.rules.casino.limits import Limits
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.point import PointGame
from sevenout.rules.families.surrender import Surrender
from sevenout.rules.game import Game

_NOT = re.compile(r"\b(?:not|never|no|cannot|nor)\b|n't\b", re.IGNORECASE)
_MADE = re.compile(r"\b(?:made|make|makes|placed|place|places|bets? (?:on|at|before))\b", re.I)
_ANY = re.compile(
    r"\b(?:any|every|each) (?:roll|time)\b|between rolls|\bafter the come[- ]out\b|"
    r"\b(?:once|when|while|after) (?:a|the) point is (?:on|set|established)\b",
    re.IGNORECASE,
)
_COME_OUT = re.compile(
    r"\bonly\b[^.;]*\bcome[- ]out\b|\bcome[- ]out\b[^.;]*\b(?:only|alone)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:take|takes|taken|taking)\b[^.;]*\bdown\b|\bremov(?:e|es|ed|able)\b", re.IGNORECASE
)
_STAYS = re.compile(r"\bcontract\b|\bstays? until\b", re.IGNORECASE)


def against_figures(limits: Limits, game: Game, games: tuple[Game, ...]) -> tuple[str, str]:
    """The key and the reason if a bet's limits contradict its figures; else empty.

    The expected loss per hour assumes that a bet is made at the come-out of the game beside it, or
    before any roll.

    >>> from sevenout.catalogue import games
    >>> place = games["place-6-8"]
    >>> against_figures(Limits(made="come-out"), place, (place,))[0]
    'made'
    """
    if limits.stays == "contract" and isinstance(game, Surrender):
        return "stays", "which may be surrendered; leave one of them out"
    inner = game.game if isinstance(game, Surrender) else game
    first = next((each for each in games if isinstance(each, PointGame)), None)
    beside = inner.side_of is not None or isinstance(inner, RoundsWon)
    beside |= isinstance(inner, PointGame | Checklist) and first not in (None, inner)
    own = isinstance(inner, PointGame) and not beside
    if isinstance(inner, PointsMade) != (limits.made == "new shooter") and limits.made:
        hand = "which counts the points of a hand from its start in its figures"
        if limits.made != "new shooter":
            return "made", f'{hand}; write made = "new shooter"'
        return "made", "which is for a bet on the points of a hand, [[points]]; leave it out"
    if limits.made == "come-out" and not beside and not own:
        return "made", (
            "which is made before any roll in its figures; say of which game: "
            "side_of = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }"
        )
    if limits.made == "any roll" and beside:
        return "made", "which is made at the come-out alone in its figures; leave it out"
    return "", ""


def against_procedure(limits: Limits, bet: str, procedure: str) -> tuple[str, str] | None:
    """The key, and the sentence of the procedure that contradicts a bet's limits.

    >>> said = "The field may be made before any roll. The fire bet may be made at any time."
    >>> against_procedure(Limits(made="come-out"), "fire bet", said)
    ('made', 'The fire bet may be made at any time.')

    Sentences with a negation are ignored.
    """
    named = re.compile(rf"\b{re.escape(bet)}\b", re.IGNORECASE)
    for sentence in re.split(r"(?<=[.;!?])\s+|\n+", procedure):
        if not named.search(sentence) or _NOT.search(sentence):
            continue
        made = _MADE.search(sentence) is not None
        if limits.made in ("come-out", "new shooter") and made and _ANY.search(sentence):
            return "made", sentence.strip()
        if limits.made == "any roll" and made and _COME_OUT.search(sentence):
            return "made", sentence.strip()
        if limits.stays == "contract" and _DOWN.search(sentence):
            return "stays", sentence.strip()
        if limits.stays == "removable" and _STAYS.search(sentence):
            return "stays", sentence.strip()
    return None
