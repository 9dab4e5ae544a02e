"""What a game says it is played for, and every command that has to obey it."""

import json
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.papers.dossier import DossierContent
from sevenout.questions.subjects import pack_file
from sevenout.rules.gamefiles.gamefile import parse_game

VALUE = Fraction(504205555, 80621568)
"""Threes, played for the least: 6.254. The most, 23.746 in the worst case, is another game."""
THREES = '''
import sevenout as so

class Threes(so.Game):
    """Five dice; keep one or more of each roll; a 3 counts 0, and the least total is best."""

    start, coordinates = (5, ()), ("dice", "shown")
    {goal}

    def rolls(self, state):
        return so.dice(f"{{state[0]}}d6").hands

    def step(self, state, hand):
        return state[0], tuple(sorted(0 if face == 3 else face for face in hand))

    def choices(self, state):
        dice, shown = state
        return {{
            f"keep {{k}}": so.counted(
                (dice - k, ()) if k < dice else so.settle("all kept"), points={sign}sum(shown[:k])
            )
            for k in range(1, len(shown) + 1)
        }}
'''
HALF = """
format = 1
name = "Half back"
{goal}
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
limit = 3
[line.bets.pass]
point = {{ "4,10" = 3, "5,9" = 2, "6,8" = 1 }}
surrender = {{ "4,10" = "-1/2", "5,9" = "-1/2" }}
"""


@pytest.fixture(params=['goal = so.least("points")', 'goal = "lowest points"'])
def threes(request, tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("threes.py").write_text(THREES.format(goal=request.param, sign=""), encoding="utf-8")
    return "threes.py"


def said(capsys, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_every_face_plays_threes_for_the_least(threes: str, capsys, monkeypatch) -> None:
    best = json.loads(said(capsys, "best", threes, "--json"))
    assert (best["goal"], Fraction(best["value"])) == ("least points", VALUE)
    assert "6.253978526   mean points" in said(capsys, "best", threes)

    odds = said(capsys, "odds", threes, "--policy", "best")
    assert f"{VALUE}    6.253979" in odds
    told = json.loads(said(capsys, "odds", threes, "--policy", "best", "--json"))
    assert str(VALUE) in json.dumps(told)

    seen = said(capsys, "simulate", threes, "--policy", "best", "--games", "1000", "--json")
    lines = {line["name"]: line for line in json.loads(seen)["statistics"]}
    assert Fraction(lines["average points"]["exact"]) == VALUE

    said(capsys, "sheet", threes, "-o", "sheet.html", "-o", "sheet.json", "--games", "0")
    sheet = Path("sheet.html").read_text(encoding="utf-8")
    assert "6.2539" in sheet
    assert "lowest mean of points" in sheet
    assert "23.746" not in sheet
    assert str(VALUE) in Path("sheet.json").read_text(encoding="utf-8")

    said(capsys, "certify", threes, "-o", "proof.json")
    assert f'"{VALUE}"' in Path("proof.json").read_text(encoding="utf-8")
    assert str(VALUE) in said(capsys, "compare", f"{threes}@best", f"{threes}@best", "--json")

    printed, pdf = {}, DossierContent.pdf
    monkeypatch.setattr(
        *(DossierContent, "pdf"),
        lambda self, name, page: pdf(self, name, printed.setdefault(name, page)),
    )
    said(capsys, "dossier", threes, "-o", "papers", "--games", "0")
    for paper in ("submission", "mathematics"):
        assert "6.25397" in str(printed[paper])
        assert "23.746" not in str(printed[paper])
    assert f'"{VALUE}"' in Path("papers/certificate.jsonl").read_text(encoding="utf-8")


def test_the_coach_wants_the_least(threes: str, capsys, monkeypatch) -> None:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO("6 6 6 6 6\nkeep 5\n"))
    told = said(capsys, "play", threes, "--coach")
    assert "keep 5 costs" in told
    assert "keep 1 is best" in told


def test_the_lab_plays_threes_for_the_least() -> None:
    from sevenout.lab.site import page

    assert "6.2540" in page("/best?game=threes").body.decode()
    assert page("/?game=threes").location == "/best?game=threes"


def test_points_may_be_lost(tmp_path, monkeypatch, capsys) -> None:
    """A score below nothing needs no stake; the best of it is the least of its opposite."""
    monkeypatch.chdir(tmp_path)
    text = THREES.format(goal='goal = "most points"', sign="-")
    Path("threes.py").write_text(text, encoding="utf-8")
    best = json.loads(said(capsys, "best", "threes.py", "--json"))
    assert Fraction(best["value"]) == -VALUE
    for words in (
        ["best", "threes.py"],
        ["odds", "threes.py", "--policy", "best"],
        ["simulate", "threes.py", "--policy", "best", "--games", "100"],
        ["sheet", "threes.py", "-o", "sheet.html", "--games", "0"],
        ["dossier", "threes.py", "-o", "papers", "--games", "0"],
        ["certify", "threes.py"],
    ):
        told = said(capsys, *words)
        assert "staked" not in told
        assert "units" not in told


@pytest.mark.parametrize(
    ("goal", "want"),
    [
        ("pass", {"most": "pass"}),
        ("fewest rolls", {"least": "rolls"}),
        ("P(pass > 0)", {"most": "pass > 0"}),
        ("least P(pass <= -1)", {"least": "pass <= -1"}),
    ],
)
def test_a_game_file_says_what_it_is_played_for(goal, want, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    text = HALF.format(goal=f'goal = "{goal}"')
    Path("half.toml").write_text(text, encoding="utf-8")
    game = parse_game(text).game
    value = so.best(parse_game(HALF.format(goal="")).game, **want).value
    assert so.best(game).value == value
    assert Fraction(json.loads(said(capsys, "best", "half.toml", "--json"))["value"]) == value
    from sevenout.lab.address import optimum

    assert optimum(f"~{quote(pack_file(text))}").value == value


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (HALF.format(goal='goal = "least points"'), "half.toml:4: 'points' can't be a goal"),
        (HALF.format(goal="goal = 7"), "half.toml:4: goal = 7"),
        (HALF.format(goal='goal = "pass >= much"'), "half.toml:4: "),
        (
            'format = 1\nname = "x"\ngoal = "pass"\n[[line]]\ncraps = [7]\nout = 7\n',
            "half.toml:3: goal = 'pass'; this game has no choices",
        ),
    ],
)
def test_a_goal_that_is_none_is_refused(text, wrong, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("half.toml").write_text(text, encoding="utf-8")
    assert main(["best", "half.toml"]) == 2
    assert wrong in capsys.readouterr().err


def test_tune_refuses_another_goal(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    text = HALF.format(goal='goal = "least rolls"').replace('"4,10" = 3', '"4,10" = "2..3"')
    Path("half.toml").write_text(text, encoding="utf-8")
    assert main(["tune", "half.toml", "--edge", "pass=0%..20%"]) == 2
    assert "goal = 'least rolls', but tables are tuned for" in capsys.readouterr().err
