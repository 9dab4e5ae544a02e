"""The rules in words say what is played: the options that were given, the author's own words."""

from dataclasses import dataclass

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.lab import address
from sevenout.papers.dossier import Dossier
from sevenout.papers.subject import subject_of
from sevenout.papers.wording import author_words
from sevenout.questions.subjects import find_game
from sevenout.rules.game import author_rules


@pytest.mark.parametrize(
    ("name", "options", "says", "not_so"),
    [
        ("shut-the-box", {"tiles": 10}, "Tiles 1 to 10 are open", "1 to 9"),
        ("shut-the-box-12", {}, "Tiles 1 to 12 are open", "1 to 9"),
        ("threes", {"dice": 4}, "rolls 4 dice", "ive dice"),
        ("midnight", {"dice": 5}, "rolls 5 dice", "ix dice"),
        ("chutes-and-ladders", {"squares": 50}, "on square 50", "100"),
        ("chutes-and-ladders", {"spinner": 4}, "1 to 4", "to 6"),
        ("de-mere-six-in-4", {"rolls": 7}, "in 7 rolls", "four"),
        ("de-mere-double-six-in-24", {"rolls": 25}, "in 25 rolls", "24"),
        ("zilch-turn", {"least": 500}, "banks 500 points", "300"),
        ("dont-pass", {"bar": 2}, "come-out of 2 returns", "12"),
    ],
)
def test_rules_name_the_options_that_are_played(name, options, says, not_so):
    entry = games.entry(name)
    text = " ".join(entry.rules_with(**options).split())
    typed = find_game(name, {key: str(value) for key, value in options.items()}).rules_text
    asked = ";".join([name, *(f"{key}={value}" for key, value in options.items())])
    for said in (text, " ".join(typed.split()), address.game_subject(asked).rules_text):
        assert says in said
        assert not_so not in said


class Bare(so.Game):
    dice = so.d6

    def step(self, state, face):
        return so.win() if face == 6 else so.lose()


@dataclass(frozen=True)
class Data(Bare):
    number: int = 6


class Told(Bare):
    """Roll a six."""


class Child(Told):
    pass


def test_a_class_without_a_docstring_has_no_rules_in_words():
    assert author_rules(Bare) == author_rules(Data) == author_rules(so.PointGame) == ""
    assert author_rules(Told) == author_rules(Child) == "Roll a six."
    assert author_words(Bare()) == author_words(Data()) == []


def test_no_command_prints_what_the_library_says_of_itself(tmp_path, monkeypatch, capsys):
    from sevenout.cli import main

    monkeypatch.chdir(tmp_path)
    text = (
        "import sevenout as so\nready = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)\n"
    )
    text += (
        "class Bare(so.Game):\n    dice = so.d6\n"
        "    def step(self, s, face): return so.win() if face == 6 else so.lose()\n"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    for name in ("ready", "Bare"):
        game = f"mine.py:{name}"
        assert main(["odds", game]) == 0
        assert main(["sheet", game, "-o", "s.html", "--games", "0"]) == 0
        assert main(["dossier", game, "-o", name, "--games", "0"]) == 0
        page = (tmp_path / "s.html").read_text(encoding="utf-8") + capsys.readouterr().out
        assert (tmp_path / name / "rules.pdf").exists()
        subject = find_game(game, files=True)
        dossier = Dossier(subject_of(subject.game, rules=subject.rules_text))
        page += dossier.rules().html().decode()  # what rules.pdf shows
        assert "What is rolled" not in page
        assert "naturals:" not in page
