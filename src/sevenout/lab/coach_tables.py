"""What a coach reads instead of working it out: tables of optimal play and of final scores.

The static edition has no NumPy, so its build writes these tables as files, and the page's worker
loads the one that is needed.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from sevenout.errors import TooMuchWorkError
from sevenout.lab.address import game_subject, optimum
from sevenout.rules import ByTurns
from sevenout.solving.best_play import BestPlay
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.turn_table import TurnTable, table_bytes

SIMULATED_GAMES = 20_000
"""Games simulated when the score's distribution doesn't fit in a page's memory."""
TABLES: dict[str, TurnTable] = {}
"""The tables that are loaded, by the name of the game."""


OptimalPlay = BestPlay | TurnTable
"""Optimal play, computed or looked up."""


def load_table(name: str, content: bytes) -> None:
    """Let the coach look up a game in the content of its table."""
    subject = game_subject(name)
    assert isinstance(subject.game, ByTurns)
    goal = goal_of_turns(subject.game, **(subject.goal or {}))
    TABLES[name] = TurnTable(subject.game, goal, content)


def table_content(name: str) -> bytes:
    """The table in which the coach looks up a game, as the content of a file."""
    answer: Any = optimum(name)
    return table_bytes(answer, *scores_of(answer, name))


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


def scores_of(answer: Any, name: str) -> tuple[dict[Any, Any], str]:
    """The probability of each final score, and the games it is of."""
    if isinstance(answer, TurnTable):
        return answer.scores, answer.source
    if name in final_scores():
        return final_scores()[name], "games played best"
    try:
        return answer.law.probabilities, "games played best"
    except TooMuchWorkError:
        # A fixed seed gives every player the same comparison.
        law = answer.best.simulate(SIMULATED_GAMES, seed=1)
        return law.probabilities, f"{SIMULATED_GAMES:,} simulated games played best"
