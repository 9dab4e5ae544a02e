"""Two players and nothing to choose: a race has odds, a best page and a dossier like any game."""

import csv
import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.rules.position import Position

RULES = '''
import sevenout as so

class Race(so.Game):
    """Two race to square 10; a ladder leads from 3 to 8, a snake from 9 to 2."""

    dice, start = so.d6, (0, 0)
    coordinates = ("mine", "yours")

    def step(self, state, face):
        mine, yours = state
        mine = {3: 8, 9: 2}.get(mine + face, mine + face)
        return so.win("home") if mine >= 10 else so.pass_turn((yours, mine))

class Asked(Race):
    """The same race, whose choices are always none."""

    def choices(self, state):
        return {}
'''
space: dict[str, type[so.Game]] = {}
exec(RULES, space)


def by_hand() -> float:
    """P(the first wins), iterated over the squares of both."""
    wins: dict[tuple[int, int], float] = {}
    for _ in range(300):
        for mine in range(10):
            for yours in range(10):
                total = 0.0
                for face in range(1, 7):
                    then = {3: 8, 9: 2}.get(mine + face, mine + face)
                    total += 1.0 if then >= 10 else 1.0 - wins.get((yours, then), 0.5)
                wins[mine, yours] = total / 6
    return wins[0, 0]


@pytest.fixture(params=["Race", "Asked"])
def race(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("race.py").write_text(RULES, encoding="utf-8")
    return str(request.param)


@pytest.mark.parametrize("name", ["Race", "Asked"])
def test_python_and_best_say_the_same(name: str) -> None:
    game = space[name]()
    won = so.solve(game).bet().p_win
    best = so.best(game)
    assert float(won) == pytest.approx(by_hand(), abs=1e-12)
    assert best.value == won == so.solve(so.explore(game)).bet().p_win
    assert abs(so.best(game, method="certified").value - won) < Fraction(1, 10**12)
    assert best.page().blocks
    assert "The game has no choices" in best.size
    assert best.certificate().header["claims"]
    seen = so.simulate(game, 20_000, seed=3).bet()
    assert seen.p_win == pytest.approx(float(won), abs=0.02)


def test_a_position_knows_whose_turn_it_is() -> None:
    position = Position(space["Race"]())
    position.roll(4)
    assert (position.seat, position.state) == (1, (0, 4))
    while not position.settled:
        position.throw(Random(1))
    assert position.settled.label == "home"


def test_every_command_takes_a_race(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, value = f"race.py:{race}", by_hand()
    for words in (
        ["odds", "--json"],
        ["best", "--json"],
        ["simulate", "--games", "1000", "--json"],
    ):
        assert main([words[0], game, *words[1:]]) == 0
    odds, best, _ = (json.loads(part) for part in _parts(capsys.readouterr().out))
    assert float(Fraction(best["value"])) == pytest.approx(value)
    assert float(Fraction(odds["bets"][0]["p_win"])) == pytest.approx(value)
    assert main(["sheet", game, "-o", "race.json", "--games", "0"]) == 0
    assert main(["dossier", game, "-o", "papers", "--games", "0"]) == 0
    text = Path("papers/vectors.csv").read_text(encoding="utf-8")
    vectors = list(csv.DictReader(text.splitlines()))
    assert {row["outcome"] for row in vectors} == {"first: home", "second: home"}
    assert main(["test", "log", game, "papers/vectors.csv"]) == 0


def _parts(text: str) -> list[str]:
    return [part for part in text.replace("\n}\n{", "\n}\0{").split("\0") if part.strip()]


@pytest.mark.parametrize(
    "words", [["--at", "0,0"], ["--against", "best"], ["--policy", "hold-20"], ["--plot", "x.png"]]
)
def test_what_asks_for_a_choice_is_refused(
    race: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", f"race.py:{race}", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
