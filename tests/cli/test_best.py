"""`sevenout best`, and the other commands for games with choices."""

import json
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.questions.states import decision_at

LUCKY = '''
"""A game of mine."""
import sevenout as so


class Lucky(so.Game):
    """Roll once more, or take what is there."""

    dice, start = so.d6, 0
    coordinates = ("have",)

    def __init__(self, most=12):
        self.most = most

    def choices(self, have):
        return {"roll": have, "take": so.settle("take", {"lucky": have})} if have else {}

    def step(self, have, face):
        if face == 6:
            return so.settle("six", {"lucky": 0})
        return so.settle("all", {"lucky": self.most}) if have + face >= self.most else have + face


ready = Lucky(20)
table = {n: "take" for n in range(20)}


def careful(have):
    return "take" if have >= 3 else "roll"


def wrong(have):
    return "swim"


def broken(have):
    return have / 0
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LUCKY)
    return "mine.py"


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_best_says_value_card_and_simple_play(capsys) -> None:
    assert main(["best", "pig-turn"]) == 0
    out = capsys.readouterr().out
    for text in (
        "492303203/60466176",
        "turn: roll below 21, hold from 21.",
        "Turn 20: roll and hold are equally good.",
        "Goal: the highest mean of points. Exact, by policy iteration",
        "hold-20",
    ):
        assert text in out


def test_as_json_it_is_the_optimum(capsys) -> None:
    data = said(["best", "pig", "--goal", "10", "--policy", "hold-3"], capsys)
    best = so.best(games("pig", goal=10))
    assert data["value"] == str(best.value) == "7776/10961"
    assert data["bound"] == "0"
    (line,) = data["policies"]
    held = best.evaluate(games.entry("pig").policy("hold-3", goal=10))
    assert (line["name"], line["value"], line["cost"]) == (
        "hold-3",
        str(held.value),
        str(held.cost),
    )
    assert [m["cost"] for m in line["mistakes"]] == [
        str(m.cost) for m in best.mistakes(games.entry("pig").policy("hold-3", goal=10), 5)
    ]


def test_the_card_as_json_reads_back(capsys) -> None:
    data = said(["best", "pig", "--goal", "45"], capsys)
    best = so.best(games("pig", goal=45))
    ((part),) = data["card"]
    assert (part["axis"], part["others"]) == ("turn", ["mine", "yours"])

    def read(state: tuple[int, int, int]) -> str:
        for box in part["boxes"]:
            (a, b), (c, d) = [map(int, ends) for ends in box["ranges"]]
            if a <= state[0] <= b and c <= state[1] <= d:
                runs = [run for run in box["runs"] if run["from"] <= state[2]] or box["runs"][:1]
                return runs[-1]["do"]
        raise AssertionError(state)

    assert data["come_up"] == len(best.reachable_states)
    for state in best.reachable_states:
        assert read(state) in best.optimal_options(state)


def test_a_state_says_each_option_with_its_cost(capsys) -> None:
    data = said(["best", "pig", "--goal", "20", "--at", "3,4,5"], capsys)
    options = so.best(games("pig", goal=20)).options((3, 4, 5))
    assert data["options"] == [
        {"name": o.name, "value": str(o.value), "cost": str(o.cost)} for o in options
    ]
    assert main(["best", "pig", "--goal", "20", "--at", "3,4,5"]) == 0
    assert "mine 3, yours 4, turn 5: roll" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "text", "state"),
    [
        ("pig-turn", "20", 20),
        ("pig", "(3, 4, 5)", (3, 4, 5)),
        ("pig", " 3,4, 5", (3, 4, 5)),
        ("shut-the-box-6", "shut · 1, 2, 3 · 5", ("shut", (1, 2, 3), (5,))),
        ("shut-the-box-6", "('shut', (1, 2, 3), (5,))", ("shut", (1, 2, 3), (5,))),
    ],
)
def test_states_are_read_as_they_are_printed(game: str, text: str, state: object) -> None:
    options = {"goal": 20} if game == "pig" else {}
    assert decision_at(so.explore(games(game, **options)), text) == state


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        (["pig-turn", "--goal", "P(bust)"], {"most": "bust"}),
        (["pig-turn", "--goal", "fewest rolls"], {"least": "rolls"}),
        (["pig-turn", "--goal", "least P(bust or hold)"], {"least": ["bust", "hold"]}),
        (["pig-turn"], {"most": "points"}),
    ],
)
def test_goals_in_words(words: list[str], wish: dict, capsys) -> None:
    best = so.best(games.entry("pig-turn").game(), **wish)
    data = said(["best", *words], capsys)
    assert (data["goal"], data["value"]) == (best.goal.name, str(best.value))


def test_a_whole_number_is_the_score_to_reach(capsys) -> None:
    data = said(["best", "pig-solitaire", "--goal", "20"], capsys)
    assert data["goal"] == "least turns"
    assert data["value"] == str(so.best(games("pig-solitaire", goal=20), least="turns").value)


def test_against_a_policy(capsys) -> None:
    free = Fraction(said(["best", "pig", "--goal", "12"], capsys)["value"])
    data = said(["best", "pig", "--goal", "12", "--against", "hold-2"], capsys)
    assert Fraction(data["value"]) > free
    one = said(["best", "pig", "--goal", "12", "--against", "hold-9", "--policy", "hold-5"], capsys)
    assert one["game"] == "Pig, goal 12 against hold-9"
    (line,) = one["policies"]
    played = ["odds", "pig", "--goal", "12", "--policy", "hold-5", "--against", "hold-9"]
    assert line["value"] == said(played, capsys)["bets"][0]["p_win"]
    at = ["best", "pig", "--goal", "12", "--against", "hold-9", "--at"]
    assert said([*at, "5,0,2"], capsys)["options"][0]["cost"] == "0"
    assert main([*at, "10,2,2"]) == 2
    assert (
        "--at '10,2,2' is not a reachable decision state against that policy"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        (["bear-off-every", "--checkers", "1"], "x", "0,0,0,0,0,1; 1,2"),
        (["pig", "--goal", "12", "--against", "hold-9"], "10,2,2", "5,0,2"),
        (["yahtzee"], "sixes 17", "sixes 18"),
    ],
)
def test_a_wrong_state_is_refused_before_anything_is_solved(
    words, wrong, right, capsys, monkeypatch
) -> None:
    def refuse(*arguments, **options):
        raise AssertionError

    monkeypatch.setattr("sevenout.solving.optimal_play.optimum_of", refuse)
    monkeypatch.setattr("sevenout.solving.turn_optimum.best_turns", refuse)
    assert main(["best", *words, "--at", wrong]) == 2
    assert f"'{wrong}'" in capsys.readouterr().err
    with pytest.raises(AssertionError):
        main(["best", *words, "--at", right])


def test_a_game_of_mine(mine: str, capsys) -> None:
    for name in (mine, f"{mine}:Lucky"):
        if name == mine:
            assert main(["best", name]) == 2  # a class and an instance of it
            assert "is one of: Lucky, ready" in capsys.readouterr().err
            continue
        data = said(["best", name, "--most", "20"], capsys)
        assert data == said(["best", f"{mine}:ready"], capsys) | {"game": "Lucky, most 20"}
    data = said(["best", f"{mine}:ready", "--policy", f"{mine}:careful"], capsys)
    assert data["policies"][0]["name"] == "mine.py:careful"
    assert Fraction(data["policies"][0]["cost"]) > 0
    odds = said(["odds", f"{mine}:ready", "--policy", f"{mine}:careful"], capsys)
    assert odds["outcomes"].keys() == {"six", "take"}
    (bet,) = said(["odds", f"{mine}:ready", "--policy", "best"], capsys)["bets"]
    assert Fraction(bet["mean"]) == Fraction(said(["best", f"{mine}:ready"], capsys)["value"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["best", "craps"], "Craps has no choices; use `sevenout odds`"),
        (["best", "pig", "--goal", "most of all"], "'of all' can't be a goal; bets: pass"),
        (["best", "pig-turn", "--goal", "P(cow)"], "'P(cow)' can't be a goal"),
        (["best", "pig-turn", "--goal", ""], "--goal: ''; give a text, or leave it out"),
        (["best", "pig-turn", "--at", "99999"], "--at '99999' is not a decision state"),
        (["best", "pig-turn", "--at", "((((("], "is not a decision state"),
        (["best", "pig-turn", "--policy", "hold"], "pig-turn has no policy 'hold'"),
        (["best", "pig-turn", "--against", "hold-20"], "the game has one player"),
        (["best", "pig", "--goal", "9", "--against", "best"], "leave it out"),
        (["best", "pig", "--goal", "0"], "--goal 0; play to 1 or more"),
        (["best", "pig-turn", "--plot", "x.doc"], "a picture can be .svg, .pdf or .png"),
        (["best", "shut-the-box-6", "--plot", "x.svg"], "no picture"),
        (["best", "none.py"], "can't read none.py: No such file"),
        (["best", "mine.py:Unlucky"], "mine.py has no game 'Unlucky'; it has: Lucky, ready"),
        (["best", "mine.py:careful"], "mine.py has no game 'careful'"),
        (["best", "mine.py:Lucky", "--colour", "red"], "has no option 'colour'; its options: most"),
        (["best", "mine.py:ready", "--most", "9"], "has no option 'most'; its options: none"),
        (["best", "mine.py:ready", "--policy", "hold-20"], "no policy 'hold-20'; give best, or"),
        (["best", "mine.py:ready", "--policy", "mine.py:nobody"], "has no policy 'nobody'"),
        (["best", "mine.py:ready", "--policy", "mine.py:Lucky"], "has no policy 'Lucky'"),
        (["best", "mine.py:ready", "--policy", "mine.py:wrong"], "the policy returned 'swim'"),
        (["best", "mine.py:ready", "--policy", "mine.py:broken"], "ZeroDivisionError"),
        (["odds", "pig-turn"], "say how the player plays, --policy best or --policy hold-20"),
        (["odds", "mine.py:ready"], "say how the player plays, --policy best; "),
        (["odds", "craps", "--policy", "best"], "has no choices; leave --policy out"),
        (["odds", "pig-turn", "--policy", "best", "--against", "best"], "has one player"),
        (["simulate", "pig-turn"], "say how the player plays"),
        (["diagram", "pig-turn"], "say how the player plays"),
        (["simulate", "pig-turn", "--log", "rolls.txt"], "Pig, one turn has choices"),
        (["play", "craps", "--coach"], "leave --coach out"),
        (["play", "pig-turn", "--against", "hold"], "no policy 'hold'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: list[str], says: str, mine: str, capsys) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert not out
    assert says in err
    assert err.count("\n") == 1
    assert len(err) < 400


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(:\n", "SyntaxError: invalid syntax, in line 1"),
        ("import no_such_thing\n", "ModuleNotFoundError"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("x = 1\n", "has several games"),
    ],
)
def test_a_file_that_fails(text: str, says: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "fails.py"
    path.write_text(text)
    assert main(["odds", str(path)]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


BAD = {
    "leads nowhere": ("return {'go': None}", "returned None"),
    "no mapping": ("return ['go']", "give a mapping from each option's name"),
    "--ask does not work": ("return {'go': print}", "returned <built-in function print>"),
    "nobody asked": (
        "return {'go': so.choose_again('there')} if state == 'start' else {}",
        "no options",
    ),
}


def with_choices(body: str, path: Path) -> Path:
    path.write_text(
        "import sevenout as so\n"
        "class Bad(so.Game):\n"
        "    dice, start = so.d6, 'start'\n"
        "    def choices(self, state):\n"
        f"        {body}\n"
        "    def step(self, state, face):\n"
        "        return so.settle('end', {'b': 1})\n"
    )
    return path


@pytest.mark.parametrize("kind", BAD)
def test_choices_that_are_wrong(kind: str, tmp_path: Path, capsys) -> None:
    body, says = BAD[kind]
    path = with_choices(body, tmp_path / f"bad_{kind.replace(' ', '_')}.py")
    assert main(["best", str(path)]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


WAITS = (
    "return {'go': so.counted(so.choose_again('start'), n=1), 'stop': so.settle('end', {'b': 1})}"
)


def test_waiting_for_ever_is_refused_where_it_pays(tmp_path: Path, capsys) -> None:
    path = str(with_choices(WAITS, tmp_path / "waits.py"))
    assert main(["best", path, "--goal", "most n"]) == 2
    err = capsys.readouterr().err
    assert "prolonged forever at a profit, in start" in err
    assert err.count("\n") == 1


def test_a_card_ends_a_game_that_may_wait_at_no_cost(tmp_path: Path, capsys) -> None:
    path = str(with_choices(WAITS, tmp_path / "waits.py"))
    assert main(["best", path]) == 0
    out = capsys.readouterr().out
    assert "always stop." in out
    assert "Start: go and stop are equally good." in out


def test_simulated_as_it_is_solved(capsys) -> None:
    words = ["simulate", "pig-turn", "--policy", "hold-20", "--games", "20000"]
    data = said(words, capsys)
    average = next(line for line in data["statistics"] if line["name"] == "average points")
    assert abs(average["z"]) < 5  # false alarms: 1 in a million
    assert average["exact"] == "492303203/60466176"


def typed(lines: str, words: list[str], monkeypatch, capsys) -> dict:
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    return said(["play", *words], capsys)


def test_play_asks_and_coaches(monkeypatch, capsys) -> None:
    seen = typed("3\nroll\n6\nh\n2\n1\n1\n", ["pig-turn", "--coach"], monkeypatch, capsys)
    nine = so.best(games.entry("pig-turn").game()).options(9)
    assert seen["games"] == 2
    assert seen["9 points"] == 1
    assert seen["cost of choices"] == f"{float(nine[1].cost):.6f}"


def test_play_answers_for_the_other_side(monkeypatch, capsys) -> None:
    words = ["pig", "--goal", "20", "--seed", "3"]
    won = typed("6\nhold\n" * 3 + "6\n", [*words, "--against", "hold-2"], monkeypatch, capsys)
    assert (won["games"], won["first: home"], won["net, pass"]) == (1, 1, "+1")
    lost = typed("1\n" * 40, words, monkeypatch, capsys)  # each a turn that gains nothing
    assert lost["second: home"] == lost["games"] > 1
    assert lost["net, pass"] == str(-lost["games"])


def test_play_takes_the_words_of_its_prompts(monkeypatch, capsys) -> None:
    lines = "roll 3\nRoll\nroll 5\n?\n\nROLL 2\nHold\n"
    seen = typed(lines, ["pig-turn"], monkeypatch, capsys)
    assert seen["10 points"] == 1


def test_play_takes_no_answer_that_is_none(monkeypatch, capsys) -> None:
    for answer in ("x", "3", "0"):
        monkeypatch.setattr("sys.stdin", StringIO(f"3\n{answer}\n"))
        assert main(["play", "pig-turn"]) == 2
        assert "is not an option here; give one of: roll, hold" in capsys.readouterr().err


LIST = """
format = 1
name = "A list"
dice = "2d6"
[[checklist]]
bet = "list"
collect = { 2 = 1, 6 = 2, 8 = 2 }
stop = 7
pays = 30
surrender = { 3 = 2, 4 = 5 }
"""


def test_what_is_ticked_is_said_in_words(tmp_path, capsys, monkeypatch) -> None:
    path = tmp_path / "list.toml"
    path.write_text(LIST)
    assert main(["best", str(path)]) == 0
    said = capsys.readouterr().out
    assert "2: 0, 6: 2, 8: 2   surrender" in said
    monkeypatch.setattr("sys.stdin", StringIO("1 1\n2 4\n6 2\nlet\nq\n"))
    assert main(["play", str(path)]) == 0
    said = capsys.readouterr().out
    assert "2 on nothing ticked → ticked: 2" in said
    assert "8 on ticked: 2, 6 (1 of 2) → ticked: 2, 6 (1 of 2), 8 (1 of 2)" in said


def test_what_a_policy_does_in_a_state(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["best", "pig-turn", "--at", "18", "--policy", "hold-20", "--policy", "hold-10"]
    rolls, holds = said(words, capsys)["policies"]
    assert rolls == {"name": "hold-20", "does": "roll", "cost": "0"}
    options = {each["name"]: each for each in said(words, capsys)["options"]}
    assert (holds["does"], holds["cost"]) == ("hold", options["hold"]["cost"])
    assert main([*words[:4], "--policy", "none"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
