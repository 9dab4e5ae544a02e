"""Results of games of turns: answers to their test vectors, and logs played through the rules."""

from random import Random

import pytest
from tests.solving.test_turn_optimum import Roll, Rounds

import sevenout as so
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.errors import SevenoutError
from sevenout.verify import conform
from sevenout.verify.vectors import TurnVectors


class Two(Yahtzee):
    """Yahtzee with two boxes."""

    card = (frozenset({"sixes", "chance"}), False)


VECTORS = TurnVectors(so.best(Two()))


@pytest.fixture
def log(tmp_path):
    def write(*lines):
        path = tmp_path / "log.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def scored(each):
    return each.outcome.profit("score")


def test_the_answers_to_the_vectors(log):
    right = [f"{n},{scored(each)}" for n, each in enumerate(VECTORS, 1)]
    assert conform(Two(), log("vector,score", *right)).agrees
    wrong = [*right[:4], f"5,{scored(VECTORS[4]) + 1}", *right[5:-1]]
    found = conform(Two(), log("vector,score", *wrong))
    assert found.faults["wrong pay"] == found.faults["missing"] == 1
    assert f"score is {scored(VECTORS[4]) + 1}, and should be" in found.listed[0].words
    for (_, played), each in zip(VECTORS.turns_by_game, VECTORS, strict=True):
        assert played[-1].total + played[-1].final_points == scored(each)


def thrown(line):
    """A record with the dice that were thrown alone, not with those that were kept beside them."""
    kept, events = [], []
    for event in line.replace(":", ";").split(";"):
        words = event.split()
        if words[0] == "keep":
            said = events[-1] if words[1] == "all" else words[1:]
            kept = [] if words[1] in ("all", "none") or len(words) == 6 else list(said)
        elif words[0].isdigit():
            for face in kept:
                words.remove(face)
            kept = []
        events.append(words)
    return "; ".join(map(" ".join, events))


def test_a_log_of_games_is_played_through_the_rules(log):
    lines = [f"{n},{each.rolls},{scored(each)}" for n, each in enumerate(VECTORS[:200], 1)]
    found = conform(Two(), log("game,rolls,score", *lines))
    assert found.agrees
    assert (found.games, found.kind) == (200, "games")
    assert list(found.checks)
    short = [
        f"{thrown(each.rolls)},full card,{scored(each)}"
        for each in VECTORS[:20]
        if "keep none" not in each.rolls
    ]
    assert conform(Two(), log("rolls,outcome,score", *short)).faults == dict.fromkeys(
        found.faults, 0
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1,1 3 3 5 6; keep all; chance,18", "the game is not over"),
        ("1,1 3 3 5 6; keep 4; chance,18", "event 2 is keep 4"),
        ("1,1 3 3 5,18", "the faces of the 5 dice"),
        ("1,1 3 3 5 7,18", "the faces of the 5 dice"),
        ("1,1 3 3 5 6; keep 3 3; 1 2 3 4 5,18", "3 was kept but was not rolled"),
        ("1,6 6 6 6 6; keep all; sixes; 6 6 6 6 6; keep all; sixes,60", "event 6 is sixes"),
        ("1,6 6 6 6 6; keep all; sixes; 6 6 6 6 6; keep all; chance,61", "score is 61"),
        ("1,6 6 6 6 6; keep all; sixes; 6 6 6 6 6; keep all; chance; 1,60", "after the end"),
        ("1,6 6 6 6 6; keep all; sixes; 6 6 6 6 6; keep all; chance,sixty", "is not an amount"),
    ],
)
def test_what_a_line_says_otherwise(line, said, log):
    found = conform(Two(), log("game,rolls,score", line))
    assert not found.agrees
    assert said in found.listed[0].words


def test_loaded_dice_are_noticed(log):
    """A die that shows six twice as often, in 700 games of ten dice: no such run in 10^40."""
    random, lines = Random(1), []
    for _ in range(700):
        hands = [random.choices("123456", [1, 1, 1, 1, 1, 2], k=5) for _ in range(2)]
        one, two = (" ".join(hand) for hand in hands)
        score = 6 * hands[0].count("6") + sum(map(int, hands[1]))
        lines.append(f"{one}; keep all; sixes; {two}; keep all; chance,{score}")
    found = conform(Two(), log("rolls,score", *lines))
    assert not found.disagreements
    assert found.rejecting_tests
    assert found.rejected_at_line


def test_turns_without_dice_that_are_kept(log):
    game = Rounds(Roll(so.d6))
    assert conform(game, log("rolls,score", "3; in; 4; in,7")).games == 1
    assert not conform(game, log("rolls,score", "3; in; 7; in,10")).agrees


@pytest.mark.parametrize("lines", [("3,4,1,1,1",), ("game,score", "1,30"), ("game,rolls", "1,3")])
def test_what_is_no_log_of_such_games_is_one_line(lines, log):
    with pytest.raises(SevenoutError) as error:
        conform(Two(), log(*lines))
    assert "\n" not in str(error.value)
