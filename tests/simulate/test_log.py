"""Logs of rolls, played through the rules."""

from pathlib import Path
from typing import Any

import pytest

from sevenout.errors import FileError
from sevenout.rules import Game
from sevenout.simulate import LogError, follow, parse_log, read_log, recount, rolls, simulate
from tests.simulate.games import CRAPS, GAMES


def log_of(game: Game, games: int) -> list[tuple[Any, ...]]:
    """The rolls of a replay, game after game."""
    played = sorted(rolls(game, seed=6, games=games), key=lambda one: one.number)
    return [(rolled.roll,) for one in played for rolled in one.rolls]


@pytest.mark.parametrize("name", ["craps", "a turn", "three d20", "hazard, main 6"])
def test_the_log_of_a_replay_gives_its_tally(name: str) -> None:
    game = GAMES[name]
    log = log_of(game, 400)
    again = list(follow(game, log))
    assert recount(game, again) == simulate(game, 400, seed=6)
    assert [len(follow_one.rolls) for follow_one in again] != []
    # What is left unfinished is not a game.
    assert len(list(follow(game, log[:-1]))) == 399


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rolls.csv"
    path.write_text("red,white\n3,4\n1,3  # four\n\n2,2\n11\n", encoding="utf-8-sig")
    labels = [game.outcome.label for game in follow(CRAPS, read_log(path))]
    assert labels == ["natural", "point", "natural"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't read"):
        read_log(tmp_path / "no.csv")


@pytest.mark.parametrize("line", ["13", "7,7", "1", "seven", "1,2,3", "0,7", "9" * 5_000])
def test_what_cannot_be_rolled_is_refused_by_number(line: str) -> None:
    with pytest.raises(LogError, match=r"roll 2 is .*, which can't be rolled at come-out"):
        list(follow(CRAPS, parse_log(["7", line])))
