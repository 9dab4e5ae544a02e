"""`sevenout best`, `play` and `simulate` of games of turns, at the terminal."""

import json
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.cli import main
from sevenout.questions.states import parse_turn
from sevenout.rules import Hand
from sevenout.solving.goal import goal_of_turns

BOXES = frozenset({"ones", "sixes", "large straight", "yahtzee", "chance"})


class Short(Yahtzee):
    """Yahtzee with five boxes."""

    card = (BOXES, False)


SCORE = goal_of_turns(games("yahtzee"))

MINE = '''
"""A game of mine."""
import sevenout as so
from sevenout.catalogue.dice_keeping import Yahtzee


class Short(Yahtzee):
    """Yahtzee with two boxes."""

    card = (frozenset({"sixes", "chance"}), False)


def sixes(card, at):
    """Keep sixes; the hand goes to chance first."""
    open_boxes, _ = card
    if not isinstance(at, tuple):
        return "chance" if "chance" in open_boxes else "sixes"
    _, faces, left = at
    return [face for face in faces if face == 6]
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    return "mine.py:Short"


@pytest.mark.parametrize(
    ("text", "taken", "bonus", "tally", "inner"),
    [
        ("1 3 3 5 6", set(), False, 0, ("shown", (1, 3, 3, 5, 6), 2)),
        ("6,5,3,3,1; 1", set(), False, 0, ("shown", (1, 3, 3, 5, 6), 1)),
        ("66666; 0 left", set(), False, 0, Hand.from_faces((6,) * 5)),
        ("sixes 18, chance 22", {"sixes", "chance"}, False, 18, None),
        ("six; chance; upper 18; 2 2 2 2 1; 1 roll left", {"sixes", "chance"}, False, 18,
         ("shown", (1, 2, 2, 2, 2), 1)),
        ("yahtzee 50, ones 5", {"yahtzee", "ones"}, True, 5, None),  # five ones came before
        ("yahtzee 0", {"yahtzee"}, False, 0, None),
    ],
)  # fmt: skip
def test_a_score_card_and_dice_in_words(text, taken, bonus, tally, inner) -> None:
    assert parse_turn(Short(), SCORE, text) == ((BOXES - taken, bonus), tally, inner)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sixes", "say what each box scored"),
        ("yahtzee", "say what each box scored"),
        ("sixes 17", "no box 'sixes 17'"),
        ("fives 10", "no box 'fives 10'"),
        ("sixes 18, sixes 18", "no box 'sixes 18'"),
        ("sixes 18; upper 12", "don't add up"),
        ("1 2 3", "not a roll of 5 dice"),
        ("1 2 3 4 7", "not a roll of 5 dice"),
        ("1 2 3 4 5; 3", "too many"),
        ("18", "not a roll of 5 dice"),
        ("sixes 18, ", "is not a filled box"),
        ("sixes 1/0", "is not an amount"),
        ("sixes " + "9" * 5_000, "is not an amount"),
        ("sixes 18; upper " + "9" * 5_000, "is not an amount"),
        ("sixes ١٨", "is not an amount"),
        ("1 3 3 5 6; 1 3 3 5 5", "is given twice"),
        ("1 3 3 5 6; 1; 2", "is given twice"),
        ("sixes; upper 18; upper 24", "is given twice"),
    ],
)
def test_what_is_no_score_card_is_one_line(text, said) -> None:
    with pytest.raises(so.SevenoutError, match=said) as error:
        parse_turn(Short(), SCORE, text)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_best_says_what_to_do_with_a_score_card_and_dice(mine, capsys) -> None:
    data = said(["best", mine, "--goal", "score", "--at", "chance 20; 6 6 1 2 3; 1"], capsys)
    first, *others = data["options"]
    # Two sixes and three dice to roll once: 18 more points each sixth time, and so on.
    assert first["name"] == "keep 6 6"
    assert Fraction(first["value"]) == pytest.approx(12 + 3)
    assert Fraction(others[-1]["cost"]) > 5
    card = said(["best", mine, "--goal", "score", "--at", "chance 20"], capsys)
    assert card["turn"]["enter"]["first_of"]
    sixes = 5 * 6 * (1 - Fraction(5, 6) ** 3)
    assert Fraction(card["to come"]) == pytest.approx(float(sixes))
    assert main(["best", mine, "--goal", "score", "--distribution"]) == 0
    out = capsys.readouterr().out
    for text in ("1 roll left, keep", "What to give up", "standard deviation", "alike"):
        assert text in out
    assert main(["best", mine, "--goal", "score", "--at", "chance 20; 6 6 1 2 3"]) == 0
    assert "chance 20; 6 6 1 2 3: keep 6 6" in capsys.readouterr().out


def test_the_law_as_json_adds_up(mine, capsys) -> None:
    law = said(["best", mine, "--goal", "score", "--distribution"], capsys)["distribution"]
    assert sum(law["chances"].values()) == pytest.approx(1)
    mean = sum(float(Fraction(x)) * p for x, p in law["chances"].items())
    assert mean == pytest.approx(float(Fraction(law["mean"])))


def test_it_is_simulated_as_it_is_played_best(mine, capsys) -> None:
    seen = said(["simulate", mine, "--policy", "best", "--games", "3000"], capsys)
    assert (seen["games"], seen["seed"]) == (3000, 1)
    assert abs(seen["z"]) < 5
    assert main(["simulate", mine, "--policy", "best", "--games", "100"]) == 0
    assert "no more than" in capsys.readouterr().out
    for words in (["simulate", mine], ["simulate", mine, "--policy", "hold-20"]):
        assert main(words) == 2
        assert "mine.py:careful" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["odds", "sheet", "diagram"])
def test_what_needs_every_state_is_refused(mine, command, capsys) -> None:
    words = [command, mine] + (["--policy", "best"] if command != "sheet" else [])
    assert main(words) == 2
    assert len(capsys.readouterr().err) < 400


def test_a_sheet_names_the_option_that_it_refuses(mine, capsys) -> None:
    assert main(["sheet", mine, "--ask", "odds --longer 3", "--json"]) == 2
    assert "a game of turns does not read --ask" in capsys.readouterr().err


def test_at_the_table_dice_are_kept_together(mine, capsys, monkeypatch) -> None:
    lines = "1 2 3 6 6\nkeep 6 6\n6 1 1\nkeep 6 6 6\n2 2\nsixes\n1 1 1 1 1\nkeep all\nc\nq\n"
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    assert main(["play", mine, "--coach"]) == 0
    out = capsys.readouterr().out
    for text in (
        "1 2 3 6 6 on no dice, 3 rolls left → 1 2 3 6 6, 2 rolls left",
        "keep 6 6: no option is better",
        "sixes: no option is better",
        "keep 1 1 1 1 1 costs",
        "23 score",
    ):
        assert text in out


@pytest.mark.parametrize("line", ["keep 5", "keep 1 1 1", "1 2 3"])
def test_dice_that_are_not_there_are_not_kept(mine, line, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"1 2 3 6 6\n{line}\n"))
    assert main(["play", mine]) == 2
    said = capsys.readouterr().err
    assert ("not an option here" if line == "1 2 3" else "such as keep 2 2") in said


def test_a_game_of_turns_has_no_certificate(mine, capsys) -> None:
    assert main(["certify", mine, "--method", "exact", "-o", "proof.jsonl.gz"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "too many cards or positions to list, so no certificate proves its value" in err
    assert err.count("\n") == 1
    assert not Path("proof.jsonl.gz").exists()


def test_a_policy_out_of_a_file_is_followed(mine, capsys) -> None:
    """By hand: in both turns five dice are kept if they show a six, of three rolls."""
    mean = 5 * 6 * (1 - Fraction(5, 6) ** 3)
    others = 5 * Fraction(5, 6) ** 3 * 3  # what is no six in the end shows 3 on the mean
    words = ["best", mine, "--goal", "score", "--policy", "mine.py:sixes", "--policy", "greedy"]
    data = said(words, capsys)
    own, greedy = data["policies"]
    assert Fraction(own["value"]) == pytest.approx(float(2 * mean + others))
    assert float(Fraction(own["cost"])) > float(Fraction(greedy["cost"])) > 0
    assert own["mistakes"][0]["did"] != own["mistakes"][0]["best"]
    assert greedy["mistakes"] == []
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "The costliest mistakes of mine.py:sixes" in out
    assert "policy value below the best" in out
    seen = said(["simulate", mine, "--policy", "mine.py:sixes", "--games", "3000"], capsys)
    assert Fraction(seen["value"]) == Fraction(own["value"])
    assert abs(seen["z"]) < 5
    laws = said(["compare", f"{mine}@best", f"{mine}@mine.py:sixes"], capsys)["distributions"]
    assert [float(Fraction(law["mean"])) for law in laws.values()] == pytest.approx(
        [float(Fraction(data["value"])), float(Fraction(own["value"]))]
    )


def test_no_policy_of_a_game_of_turns_is_one_line(mine, capsys) -> None:
    for words, text in (
        (["best", mine, "--policy", "hold-20"], "no policy 'hold-20' in a game of turns"),
        (["best", mine, "--policy", "mine.py:none"], "has no policy 'none'"),
        (["best", mine, "--against", "mine.py:sixes"], "has one player"),
        (["compare", f"{mine}@best", f"{mine}@hold-20"], "no policy 'hold-20'"),
    ):
        assert main(words) == 2
        assert text in capsys.readouterr().err
