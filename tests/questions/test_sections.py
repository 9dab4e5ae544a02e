"""Questions as sections of the sheet and of the dossier, and from a state of odds."""

import json
from pathlib import Path
from shlex import join
from typing import Any

import pytest

pytest.importorskip("htpy", reason="the lab is an extra: pip install 'sevenout[lab]'")

import sevenout as so
from sevenout import questions
from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.errors import NotationError, RulesError
from sevenout.lab.address import Address
from sevenout.lab.site import page
from sevenout.papers import sheet
from sevenout.papers.subject import subject_of
from sevenout.questions import all_questions
from sevenout.questions.reference import section
from sevenout.questions.subjects import pack_file
from sevenout.rules.gamefiles.gamefile import parse_game

SECTIONS = [each for each in all_questions().values() if each.fits_papers]


def words(question: Any) -> str:
    said = question.argument_words(question.argument_values(question.example_arguments))
    return join([*question.command_words, *given(question), *said])


def asked(question: Any, *inputs: Any) -> Any:
    """The answer of a question, or of the one that it is a mode of."""
    return (question.main_question or question)(*inputs, **question.example_arguments)


def given(question: Any) -> list[str]:
    return [] if question.subject_kind.takes_one_game else question.example_inputs


@pytest.mark.parametrize("question", SECTIONS, ids=lambda each: each.name)
def test_a_section_says_what_the_question_says(question: Any) -> None:
    made = sheet(games.entry("craps"), sections=[section(words(question))])
    found = asked(
        question, *([games["craps"]] if question.subject_kind.takes_one_game else given(question))
    )
    assert found.page().blocks in [each.blocks for each in made.sections]


def test_the_command_writes_the_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = ["sheet", "craps", "--games=0", "--ask", "odds --longer 10", "-o", "sheet.json"]
    assert main(line) == 0
    made = json.loads((tmp_path / "sheet.json").read_text("utf-8"))
    titles = [block["title"] for block in made["blocks"]]
    assert "More than 10 rolls" in titles
    assert titles[-1] == "Sources"


def test_each_bet_of_a_sheet_has_its_answer() -> None:
    subject = subject_of(games.entry("craps-lines"))
    made = section("evening --forever --bankroll 30")(subject)
    assert [each.title for each in made.sections] == list(subject.bet_names)
    assert not section("evening --forever --bankroll 30 --bet pass")(subject).sections


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("test count 5 10", "'test' is not a section"),
        ("", "'' is not a section"),
        ("odds", "the sections of odds are: odds --at, odds --longer, odds --given"),
        ("odds --longer x", "--longer 'x' is not a count"),
        (
            "odds --rules 3",
            "odds has no option '--rules'; its options: --bet, --meter, --more, --at, --longer",
        ),
        ("odds --longer", "--longer ''; give a whole number"),
        ("odds --longer 10 --longer 20", "--longer is given twice"),
        ("odds '", "No closing quotation"),
    ],
)
def test_what_is_no_section_is_said(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        section(text)


def test_a_state_that_is_none_is_named_as_an_option() -> None:
    with pytest.raises(NotationError, match="--at '99'; the game is never in that state"):
        section("odds --at 99")(subject_of(games.entry("craps")))


def test_an_award_is_never_left_out_in_silence() -> None:
    text = (Path(__file__).parents[2] / "docs" / "examples" / "progressive.toml").read_text("utf-8")
    file = parse_game(text)
    (bet,) = file.progressives
    with pytest.raises(RulesError, match=f"does not include the progressive award of {bet}"):
        section("evening --forever --bankroll 9")(subject_of(file))
    body = page(
        str(
            Address(
                "/ask",
                {
                    "question": "evening",
                    "forever": "yes",
                    "strategies": f"~{pack_file(text)}",
                    "bet": bet,
                },
            )
        )
    )
    assert f"The progressive award of {bet} is left out." in body.body.decode()


def test_a_simulation_says_that_it_leaves_an_award_out(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "docs" / "examples" / "progressive.toml"
    text = path.read_text("utf-8")
    (bet,) = parse_game(text).progressives
    assert main(["simulate", str(path), "--games", "50", "--seed", "1"]) == 0
    assert f"the progressive award of {bet} is left out here" in capsys.readouterr().err
    for address in (
        Address("/simulate", {"game": f"~{pack_file(text)}", "games": "50"}),
        Address("/ask", {"question": "simulate", "game": f"~{pack_file(text)}", "games": "50"}),
    ):
        body = page(str(address)).body.decode()
        assert f"The progressive award of {bet} is left out." in body


def test_the_lab_has_the_sections_too() -> None:
    body = page("/sheet?game=craps&ask=odds --longer 10;odds --at 4").body.decode()
    assert "More than 10 rolls" in body
    assert "From 4 on" in body
    assert "--ask &#39;odds --longer 10&#39; --ask &#39;odds --at 4&#39;" in body


def test_odds_at_a_state_are_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "craps", "--at", "4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == {"game": "Craps"} | questions.odds(games["craps"], at=4).to_dict()
    assert data["outcomes"]["seven out"] == str(
        so.solve(games["craps"]).label_probabilities(4)["seven out"]
    )
    assert main(["odds", "craps", "--at", "4", "--bet", "pass"]) == 2
    assert "--bet 'pass'; it does not go with --at: leave it out" in capsys.readouterr().err
    assert main(["odds", "craps", "--at", "99"]) == 2
    assert "--at '99'; the game is never in that state" in capsys.readouterr().err
