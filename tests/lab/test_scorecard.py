"""The score card of the lab and of the terminal: no bonus is written in a box."""

import json
import re
from io import StringIO
from urllib.parse import quote

import pytest

from sevenout.catalogue.dice_keeping import UPPER
from sevenout.cli import main
from sevenout.lab.by_hand import TurnSession
from sevenout.lab.pages import scorecard_page
from sevenout.rules import Outcome
from tests.lab.test_copies import page


def kept(game: TurnSession, box: str) -> str:
    """What is kept for a box of the upper section; all for another."""
    if box not in UPPER:
        return "keep all"
    alike = [str(face) for face in game.dice if face == UPPER[box]]
    return f"keep {' '.join(alike) or 'none'}"


def played(text: str, seed: int) -> TurnSession:
    """A game whose boxes are filled in the same order whatever is rolled."""
    did: list[str] = []
    while not (game := TurnSession(text, seed, tuple(did))).position.settled:
        boxes = sorted(game.game.entries(game.game.card), key=lambda box: box.startswith("ya"))
        box = next(box for box in boxes if box not in game.card.counts)
        entering = isinstance(game.position.state[2], Outcome)
        did.append(box if entering else kept(game, box))
    return game


def rows(game: TurnSession) -> dict[str, int]:
    return {row.name: int(row.amount or 0) for row in game.card.rows}


@pytest.fixture(scope="module", params=[("yahtzee", 35), ("yatzy", 50)])
def bonus(request: pytest.FixtureRequest) -> tuple[str, int, int, TurnSession]:
    """A game that earns the upper bonus: its name, the bonus, the seed, the game."""
    text, more = request.param
    for seed in range(1, 400):
        game = played(text, seed)
        if rows(game)["upper total"] >= 63:
            return text, more, seed, game
    raise AssertionError("no seed earns the bonus")


def shown(body: str) -> dict[str, str]:
    """The rows of the score card on the page."""
    card = body[body.index('class="pays boxes"') :]
    found = re.findall(r'<th scope="row">([^<]*)</th><td class="number">(.*?)</td>', card)
    return {name: re.sub(r"<[^>]*>", "", cell).strip() for name, cell in found}


@pytest.fixture
def no_coach(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page without the coach, who takes seconds."""

    def none(text: str) -> None:
        raise ImportError

    monkeypatch.setattr(scorecard_page, "optimum", none)


@pytest.mark.usefixtures("no_coach")
def test_the_bonus_has_its_row_and_the_last_box_its_own_points(bonus) -> None:
    text, more, seed, game = bonus
    last = game.choices[-1]
    assert last.points == rows(game)[last.move]
    assert last.points in (0, 50), "the box that is filled last: all five alike, or nothing"
    did = "|".join(choice.move for choice in game.choices)
    card = shown(page(f"/table?game={text}&seed={seed}&did={quote(did)}").body.decode())
    assert card["upper bonus"] == str(more)
    assert card[last.move] == str(last.points)
    assert int(card["in all"]) == game.score
    parts = [int(n) for name, n in card.items() if name not in ("upper total", "in all")]
    assert sum(parts) == game.score


def test_the_terminal_prints_the_same_card(bonus, monkeypatch, capsys) -> None:
    text, more, seed, game = bonus
    lines = "\n".join(game.typed_moves) + "\n"
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    assert main(["play", text, f"--seed={seed}"]) == 0
    out = capsys.readouterr().out
    assert re.search(rf"^upper bonus +{more}$", out, re.MULTILINE)
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    assert main(["play", text, f"--seed={seed}", "--json"]) == 0
    (card,) = json.loads(capsys.readouterr().out)["score cards"]
    assert {name: int(points) for name, points in card.items()} == rows(game)


def test_a_card_that_is_left_open_says_what_the_bonus_takes(monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("6 6 6 1 2\nkeep all\nsixes\nq\n"))
    assert main(["play", "yahtzee"]) == 0
    out = capsys.readouterr().out
    assert "sixes → scores 18, 18 in all" in out
    assert re.search(r"^upper bonus +35 for 63 or more$", out, re.MULTILINE)
    assert re.search(r"^ones +–$", out, re.MULTILINE)
