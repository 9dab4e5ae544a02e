"""What a coach reads instead of working it out: files of optimal play and of final scores.

The static edition has no NumPy, so its build writes these files, and the page's worker gives them.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from sevenout.errors import TooMuchWorkError
from sevenout.lab.address import choose, optimum
from sevenout.rules import ByTurns
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.turn_table import TurnTable, table_bytes

COMPARED = 20_000
"""Games simulated when the score's distribution doesn't fit in a page's memory."""
TABLES: dict[str, TurnTable] = {}
"""Precomputed optimal play by game, read from files."""


def give(name: str, content: bytes) -> None:
    """Let the coach look up a game in a file."""
    chosen = choose(name)
    assert isinstance(chosen.game, ByTurns)
    goal = goal_of_turns(chosen.game, **(chosen.goal or {}))
    TABLES[name] = TurnTable(chosen.game, goal, content)


def table_of(name: str) -> bytes:
    """The file in which the coach looks up a game."""
    best_play: Any = optimum(name)
    return table_bytes(best_play, *scores_of(best_play, name))


@cache
def final_scores() -> dict[str, dict[int, float]]:
    """The probability of each final score by game, where it takes a minute to compute.

    To nine digits, and without scores less likely than 1 in a million millions.

    >>> round(sum(score * p for score, p in final_scores()["yahtzee"].items()), 4)
    254.5896
    """
    text = (files("sevenout.lab.pages") / "final_scores.json").read_text()
    return {
        name: {int(score): p for score, p in row.items()} for name, row in json.loads(text).items()
    }


def scores_of(best: Any, name: str) -> tuple[dict[Any, Any], str]:
    """The probability of each final score, and the games it is of."""
    if isinstance(best, TurnTable):
        return best.scores, best.of
    if name in final_scores():
        return final_scores()[name], "games played best"
    try:
        return best.law.probabilities, "games played best"
    except TooMuchWorkError:
        # A fixed seed gives every player the same comparison.
        law = best.best.simulate(COMPARED, seed=1)
        return law.probabilities, f"{COMPARED:,} simulated games played best"
