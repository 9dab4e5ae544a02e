"""A roll log, played through games of every kind."""

from fractions import Fraction

import pytest

from sevenout.dice import Dice, d6, parse_dice
from sevenout.rules import Game, PointGame, Session, Streak, Together, counted, lose, win
from sevenout.verify import DataError, play_log, read_rolls


def test_labels_lengths_and_what_is_left(craps):
    log = [(3, 4), (6, 2), (1, 2), (5, 3), (6, 6), (2, 2), (1, 1)]
    played = play_log(craps, log)
    assert played.counts == {"natural": 1, "point": 1, "craps": 1}
    assert played.lengths == {1: 2, 3: 1}
    assert (played.unfinished.state, played.unfinished.rolls) == ("4", 2)
    assert played.rolls == len(log)
    assert play_log(craps, log[:1]).unfinished is None
    assert play_log(craps, []).games == ()


def test_faces_rolls_and_totals_are_the_same_log(craps):
    faces = [(3, 4), (6, 2), (5, 3)]
    pair = parse_dice("2d6")
    expected = play_log(craps, faces)
    assert play_log(craps, map(pair.roll, faces)) == expected
    assert play_log(craps, map(sum, faces)) == expected


def test_a_file_is_a_log(tmp_path, craps):
    path = tmp_path / "log.csv"
    path.write_text("3,4\n6,2\n5,3\n")
    assert play_log(craps, read_rolls(path, "2d6")).counts == {"natural": 1, "point": 1}
    path.write_text("total\n7\n8\n8\n")
    assert play_log(craps, read_rolls(path, "2d6")).counts == {"natural": 1, "point": 1}


def test_the_hard_way_needs_the_faces():
    hard = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, hard=True)
    played = play_log(hard, [(6, 2), (4, 4), (6, 2), (5, 3)])
    assert [game.outcome.label for game in played.games] == ["point, hard way", "point, easy way"]
    with pytest.raises(DataError, match="roll 1: 8 is not a roll of 2d6"):
        play_log(hard, [8])


def test_games_of_games(craps):
    turn = play_log(Streak(craps), [7, 2, 7, 3, 2, 11])
    assert [(g.outcome.label, g.rolls, dict(g.counts)) for g in turn.games] == [
        ("turn over", 5, {"rounds": 5, "won": 2})
    ]
    assert turn.unfinished.rolls == 1
    evening = play_log(Session(craps, bankroll=2, target=3), [2, 7, 7, 2, 2])
    assert [g.outcome.label for g in evening.games] == ["target", "ruin"]
    assert evening.games[1].outcome.profit("session") == Fraction(-2)


def test_two_bets_on_the_same_rolls(craps):
    from sevenout.rules import Renamed

    table = Together(craps, Renamed(craps, {"pass": "other"}))
    assert play_log(table, [(3, 4), (2, 2), (1, 3)]).counts == {
        "natural · natural": 1,
        "point · point": 1,
    }


class OneDie(Game):
    dice = d6
    start = "on"

    def step(self, state, roll):
        return win() if roll == 6 else lose() if roll == 1 else counted(state, misses=1)


@pytest.mark.parametrize(
    "log", [[2, 6, 1], [(2,), (6,), (1,)], list(map(Dice([d6]).roll, [(2,), (6,), (1,)]))]
)
def test_a_game_of_one_die(log):
    played = play_log(OneDie(), log)
    assert [(g.outcome.label, g.rolls, g.counts) for g in played.games] == [
        ("win", 2, (("misses", 1),)),
        ("lose", 1, ()),
    ]


@pytest.mark.parametrize("bad", [(7, 1), (1, 2, 3), 13, "six", None, [1, 2]])
def test_what_the_dice_can_not_show(craps, bad):
    with pytest.raises(DataError, match=r"roll 2: .* is not a roll of 2d6"):
        play_log(craps, [(3, 4), bad])
