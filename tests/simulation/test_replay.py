"""Logs of rolls, played through the rules."""

from pathlib import Path
from typing import Any

import pytest

from sevenout.catalogue import games
from sevenout.errors import FileError
from sevenout.rolling import parse_dice
from sevenout.rules import Game, JointGame, PointGame, RenamedGame, Streak
from sevenout.simulation import (
    LogError,
    ReplayError,
    parse_log,
    read_log,
    recount,
    replay_batch,
    replay_log,
    simulate,
)
from sevenout.verify import read_rolls
from tests.simulation.games import CRAPS, GAMES


def log_of(game: Game, games: int) -> list[tuple[Any, ...]]:
    """The rolls of a replay, game after game."""
    played = sorted(replay_batch(game, seed=6, games=games), key=lambda one: one.number)
    return [(rolled.roll,) for one in played for rolled in one.rolls]


@pytest.mark.parametrize("name", ["craps", "a turn", "three d20", "hazard, main 6"])
def test_the_log_of_a_replay_gives_its_tally(name: str) -> None:
    game = GAMES[name]
    log = log_of(game, 400)
    again = list(replay_log(game, log))
    assert recount(game, again) == simulate(game, 400, seed=6)
    assert [len(follow_one.rolls) for follow_one in again] != []
    # What is left unfinished is not a game.
    assert len(list(replay_log(game, log[:-1]))) == 399


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rolls.csv"
    path.write_text("red,white\n3,4\n1,3  # four\n\n2,2\n11\n", encoding="utf-8-sig")
    labels = [game.outcome.label for game in replay_log(CRAPS, read_log(path))]
    assert labels == ["natural", "point", "natural"]


def test_faces_rolls_and_totals_are_the_same_log() -> None:
    faces = [(3, 4), (6, 2), (5, 3)]
    expected = ["natural", "point"]
    for log in (faces, map(parse_dice("2d6").roll, faces), map(sum, faces)):
        assert [game.outcome.label for game in replay_log(CRAPS, log)] == expected


def test_rolls_of_real_dice_are_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    for text in ("3,4\n6,2\n5,3\n", "total\n7\n8\n8\n"):
        path.write_text(text)
        played = replay_log(CRAPS, read_rolls(path, "2d6"))
        assert [game.outcome.label for game in played] == ["natural", "point"]


def test_the_hard_way_needs_the_faces() -> None:
    hard = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, hard=True)
    played = replay_log(hard, [(6, 2), (4, 4), (6, 2), (5, 3)])
    assert [game.outcome.label for game in played] == ["point, hard way", "point, easy way"]
    with pytest.raises(LogError, match="roll 1 is 8, which can't be rolled at come-out"):
        list(replay_log(hard, [8]))


def test_games_of_games_and_bets_on_the_same_rolls() -> None:
    (turn,) = replay_log(Streak(CRAPS), [7, 2, 7, 3, 2, 11])
    assert (turn.outcome.label, len(turn.rolls)) == ("turn over", 5)
    assert dict(turn.counts) == {"rounds": 5, "won": 2}
    table = JointGame(CRAPS, RenamedGame(CRAPS, {"pass": "other"}))
    played = replay_log(table, [(3, 4), (2, 2), (1, 3)])
    assert [game.outcome.label for game in played] == ["natural · natural", "point · point"]


@pytest.mark.parametrize("bad", [(7, 1), (1, 2, 3), 13, "six", None, [1, 2]])
def test_what_the_dice_can_not_show(bad: Any) -> None:
    with pytest.raises(LogError, match=r"roll 2 is .*, which can't be rolled at come-out"):
        list(replay_log(CRAPS, [(3, 4), bad]))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't read"):
        read_log(tmp_path / "no.csv")


@pytest.mark.parametrize("line", ["13", "7,7", "1", "seven", "1,2,3", "0,7", "9" * 5_000])
def test_what_cannot_be_rolled_is_refused_by_number(line: str) -> None:
    with pytest.raises(LogError, match=r"roll 2 is .*, which can't be rolled at come-out"):
        list(replay_log(CRAPS, parse_log(["7", line])))


def test_games_of_other_rules_are_not_recounted() -> None:
    played = list(replay_batch(games["crapless"], seed=1, games=100))
    with pytest.raises(ReplayError, match=r"game \d+ can't be played by these rules"):
        recount(games["craps"], played)
