"""The dossier of a game of turns: its papers, its worked turns, and vectors that can be played."""

import csv
from fractions import Fraction
from hashlib import sha256
from io import StringIO

import pytest
from tests.solving.test_turn_optimum import Boxes, Roll, Rounds

import sevenout as so
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.cli import main
from sevenout.documents import Page
from sevenout.papers.dossier import TurnDossier, write_dossier
from sevenout.papers.subject import TurnSubject, declaration
from sevenout.papers.turn_sections import worked_entries
from sevenout.rules import Hand, KeepRoll
from sevenout.verify.vectors import TurnVectors

MINE = '''
from sevenout.catalogue.dice_keeping import Yahtzee


class Two(Yahtzee):
    """Yahtzee with two boxes."""

    card = (frozenset({"yahtzee", "chance"}), False)
'''


class OneBox(Yahtzee):
    card = (frozenset({"yahtzee"}), False)


def test_every_entry_is_worked():
    (_, table) = worked_entries(so.best(OneBox())).blocks
    most, least = table.rows
    # Of a yahtzee in three rolls, as the chain of how many are alike has it; published as 4.6029 %.
    assert most[:3] == ("yahtzee", 50, Fraction(347897, 7558272))
    assert least[:3] == ("yahtzee", 0, 1 - Fraction(347897, 7558272))
    assert "\nyahtzee     50" in str(Page("", table))  # names on the left
    assert most[3] in {" ".join(5 * [face]) for face in "123456"}


def test_how_often_is_that_of_the_turn_played_for_the_entry_alone():
    """By hand: a 1 is rolled again, a 2, worth as much as a roll, is kept."""
    game = Boxes({"high"}, faces=3, dice=2, rolls=2)
    (_, table) = worked_entries(so.best(game)).blocks
    often = Fraction(1, 9) + Fraction(2, 9) * Fraction(1, 3) + Fraction(1, 9) * Fraction(1, 9)
    assert table.rows[0] == ("high", 6, often, "3 3")


def played(optimum, turns):
    """The score of a game, again through the rules, each hand as it is said."""
    game, card, tally, total = optimum.game, optimum.game.card, 0, Fraction(0)
    for turn in turns:
        *steps, last = turn.steps
        left = last.split()
        for step in reversed(steps):  # what was kept lies there afterwards
            dice, _, kept = step.partition(": keep ")
            kept = dice if kept == "all" else "" if kept == "none" else kept
            assert all(kept.split().count(x) <= left.count(x) for x in kept.split())
            assert all(kept.split().count(x) <= dice.split().count(x) for x in kept.split())
            left = dice.split()
        hand = Hand.from_faces(tuple(map(int, last.split())))
        seen = game.entries(card)[turn.entry](hand)
        then, counts = game.entry_result(card, turn.entry, seen)
        assert turn.paid == counts.get("score", 0)
        total += Fraction(counts.get("score", 0))
        assert turn.total == total
        card, tally = then, min(game.tally[1], tally + counts.get(game.tally[0], 0))
    return total + dict(game.final_counts(tally)).get("score", 0)


@pytest.mark.parametrize("game", [Boxes({"high", "pair", "low"}, faces=6), OneBox()])
def test_vectors_are_played_by_the_rules(game):
    optimum = so.best(game)
    vectors = TurnVectors(optimum)
    rows = list(csv.DictReader(StringIO(vectors.csv())))
    assert len(rows) == len(vectors)
    for row, (_, turns) in zip(rows, vectors.turns_by_game, strict=True):
        assert Fraction(row["score"]) == played(optimum, turns)
    kinds = {why for why, *_ in vectors}
    assert kinds == {"played optimally", "played at random", "all dice alike"}
    assert TurnVectors(optimum).csv() == vectors.csv() != TurnVectors(optimum, seed=2).csv()
    hands = list(csv.DictReader(StringIO(vectors.scores())))
    assert len(hands) == len(optimum.first_pays())


def test_a_turn_without_dice_that_are_kept_has_a_dossier(tmp_path):
    game = Rounds(Roll(so.d6))
    made = write_dossier(
        TurnDossier(TurnSubject(declaration(game), so.best(game)), games=0), tmp_path / "d"
    )
    rows = list(csv.DictReader(StringIO((made / "vectors.csv").read_text())))
    assert {row["score"] for row in rows} == {str(n) for n in range(2, 13)}


def test_the_papers_have_everything_that_the_maker_states():
    declared = declaration(
        OneBox(), equipment="Pearl dice.", procedure="Deal first.", disputes="Ask the floor."
    )
    picture = ("felt.png", b"\x89PNG")
    content = TurnDossier(TurnSubject(declared, so.best(OneBox())), games=0, picture=picture)
    files = dict(content.papers())
    assert files.keys() >= {"felt.png", "layout.pdf"}
    rules, submission = (
        str(files[f"{name}.pdf"].func.__self__) for name in ("rules", "submission")
    )
    assert all(words in rules for words in ("Pearl dice.", "Deal first.", "Ask the floor."))
    assert "does not state the maker, whether the game is new" in " ".join(submission.split())
    # written from Python, the folder names no command that makes it again
    assert "dossier --check" not in submission


def test_the_folder_is_the_same_byte_for_byte_and_is_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    words = ["dossier", "mine.py:Two", "-o", "one", "--games", "1000", "--date", "2026-11-22"]
    assert main(words) == 0
    assert "9 files" in capsys.readouterr().out
    one = {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()}
    assert not {"certificate.jsonl", "check.py"} & one.keys()  # no certificate is of a score card
    for line in one.pop("SHA256SUMS").decode().splitlines():
        digest, _, name = line.partition("  ")
        assert sha256(one.pop(name)).hexdigest() == digest
    assert one == {}
    # every file is made again, and compared byte for byte
    assert main(["dossier", "--check", "one"]) == 0
    (tmp_path / "one" / "scores.csv").write_text("hand,chance\n")
    assert main(["dossier", "--check", "one"]) == 1


def test_a_turn_of_one_roll_is_kept_whole():
    game = Boxes({"high"}, faces=2, dice=2, rolls=1)
    assert isinstance(game.turn, KeepRoll)
    (_, table) = worked_entries(so.best(game)).blocks
    assert table.rows[0][2:] == (Fraction(1, 4), "2 2")
