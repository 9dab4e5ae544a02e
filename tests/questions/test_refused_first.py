"""What is wrong in an argument is said before any work: no game is explored for it."""

from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.errors import NotationError, SevenoutError
from sevenout.model.exploration import Explorer
from sevenout.questions import all_questions
from sevenout.questions.arguments import arg
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import OPEN_CRAPS
from sevenout.questions.subjects import entry_subject

ONLY_EXPLORED = {"at", "goal", "per", "joint", "given", "histogram", "mean"}
"""Names of states, counters and outcomes: what there is, only the exploration tells."""
WRONG: dict[str, tuple[Any, ...]] = {"joint": ("rounds", "rounds,rounds")}


QUESTIONS = [one for one in all_questions().values() if not one.local_only]


class ExploredError(BaseException):
    """A game was explored."""


@pytest.fixture
def unexplored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever explores a game fails, but for a look at whether it has choices."""
    usual = Explorer.__init__

    def refuse(self: Explorer, *given: Any, **said: Any) -> None:
        if type(self) is Explorer:
            raise ExploredError
        usual(self, *given, **said)

    monkeypatch.setattr(Explorer, "__init__", refuse)


def given(question: Question) -> list[Any]:
    if question.subject_kind.name != "games" and not question.subject_kind.takes_one_game:
        return question.example_inputs
    return [games.entry(n) for n in question.example_inputs]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_wrong_argument_is_refused_before_a_game_is_explored(
    question: Question, unexplored: None
) -> None:
    for each in question.all_arguments:
        if each.local_only:
            continue
        wrong = WRONG.get(each.name, () if each.name in ONLY_EXPLORED else ("nonsense",))
        for value in (*wrong, ""):
            ask = question.main_question or question
            with pytest.raises(SevenoutError):
                ask(*given(question), **{**question.example_arguments, each.name: value})


@pytest.mark.parametrize(
    "line",
    [
        "odds pig --longer 10 --policy nonsense",
        "odds pig --longer 10 --policy best --against nonsense",
        "odds pig --longer x --policy best",
        "best pig-turn --at 20 --policy nonsense",
        "evening craps --bankroll 20",
        "evening craps --bankroll 20 --target 10",
        "evening craps --bankroll=-1 --target 10",
        "odds craps --meter 5",
        "simulate craps --backend gpu",
        "simulate craps --bet field",
        "compare craps hazard --bet field",
        "best pig --plot x.gif",
        "best pig --policy nonsense",
        "sheet craps -o x.doc",
        "sheet craps -o /nowhere/x.pdf",
        "sheet craps -o x.pdf --bet field",
        "sheet craps -o x.pdf --games x",
        "dossier craps -o /nowhere/x",
        "diagram craps --prism /nowhere/x.prism",
        "tune craps --edge x",
        "certify craps -o /nowhere/x.json",
        "certify pig --policy nonsense",
        "play craps --bet field",
        "play pig --policy nonsense",
        "play craps --seed x",
        "test log craps --rolls /nowhere/x.csv",
    ],
)
def test_a_command_refuses_before_a_game_is_explored(
    line: str, unexplored: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_bets_that_rules_list_are_those_of_the_game() -> None:
    for entry in games.without_choices.values():
        chosen = entry_subject(entry)
        if chosen.bets and len(so.explore(chosen.game).bets) < 9:
            assert {*chosen.bets} >= {*so.explore(chosen.game).bets}


@pytest.mark.usefixtures("unexplored")
@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("dice 2d6 --rolled 5", "--rolled 5; give --plot too"),
        ("dice 2d6 --plot x.svg --seed 5", "--seed 5; give --rolled too"),
        ("dice faults 2d6 --face 6", "--face '6'; give --die too"),
        ("dice faults --die 1 --face 6", "--die 1; give DESIGN too"),
        ("best pig --picture costs", "--picture 'costs'; give --plot too"),
        ("best yahtzee --plot x.svg", "--plot x.svg; a game of turns has no picture"),
        ("evening pass --seed 5", "--seed 5; give --simulate too"),
        ("evening pass --words --simulate 9", "--simulate 9; --words solves nothing"),
        ("simulate yahtzee --policy greedy --bet pass", "--bet does not work for a game of turns"),
        ("sheet craps -o x.json --bankroll 0", "--bankroll: 0 is too small"),
        ("dossier craps -o x --bankroll 5%", "--bankroll: 5% is a percentage"),
        ("sheet craps -o x.json --amount=-1", "--amount: -1 is too small"),
        ("tune open.toml --edge 1% --bet pass", "--bet 'pass'; give --plot too"),
        ("tune open.toml --edge 2%,1% --plot x.svg", "--plot x.svg; tiers have no picture"),
    ],
)
def test_an_argument_without_the_one_that_it_needs_is_refused_before_any_work(
    line: str,
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("open.toml").write_text(OPEN_CRAPS)
    assert main(line.split()) == 2
    assert error in capsys.readouterr().err


def test_a_declaration_that_says_too_little_or_too_much_is_refused() -> None:
    with pytest.raises(NotationError, match="says no values"):
        arg("A probability.").of_parameter("p", float)
    with pytest.raises(TypeError, match="positionl"):
        arg("A name.", positionl=True)  # type: ignore[call-arg]
