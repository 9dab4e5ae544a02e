"""Best play: advice in a state that is entered, the map, and how a value is known."""

import re
from html import unescape
from typing import Any

import pytest

from sevenout.documents.numbers import decimal, percent
from sevenout.lab.address import optimum
from sevenout.lab.site import page


def words(url: str) -> str:
    html = unescape(page(url).body.decode())
    main = re.search(r"<main.*</main>", html, re.DOTALL)
    assert main
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main[0])).replace("\u00a0", " ")


def test_a_state_is_entered_and_its_best_option_is_said_as_players_say_it() -> None:
    text = words("/best?game=pig;goal=20&at-mine=4&at-yours=6&at-turn=5")
    first, second = optimum("pig;goal=20").options((4, 6, 5))
    assert f"best {first.name} you 4, rival 6, this turn 5 to win" in text
    assert f"{percent(first.value, 2)}".replace("\u202f", " ").split()[0] in text
    assert f"{decimal(100 * second.cost, 4)}" in text
    assert "no choice is made there" in words(
        "/best?game=pig;goal=20&at-mine=40&at-yours=6&at-turn=5"
    )


def test_the_value_is_a_chance_and_its_proof_is_folded() -> None:
    html = page("/best?game=pig;goal=20").body.decode()
    assert "<summary>Exact: how this is known</summary>" in html
    assert "61.56" in html
    assert "Certified within" not in html.partition("<details")[0]


def test_a_map_shows_where_the_choice_turns() -> None:
    csv = page("/best?game=pig;goal=60&card=map&as=csv").body.decode()
    best = optimum("pig;goal=60")
    head, *rows = csv.strip().splitlines()
    assert head == "you,rival,hold from"
    for row in rows[::40]:
        mine, yours, turn = row.split(",")
        if turn:
            assert best.policy[int(mine), int(yours), int(turn)] == "hold"
            assert best.policy[int(mine), int(yours), int(turn) - 1] == "roll"
    assert 'id="map"' in page("/best?game=pig;goal=60").body.decode()
    assert 'id="map"' not in page("/best").body.decode()


@pytest.mark.slow  # it solves Yahtzee
def test_five_dice_of_yahtzee_are_entered_and_advice_is_given() -> None:
    text = words("/best?game=yahtzee&dice=13356&left=1&filled=chance 22")
    assert "best keep 3 3 to come on average 211.71" in text
    assert "12 more options are worse" in text
    assert "No box '13x56'" in words("/best?game=yahtzee&dice=13x56")


def test_another_game_is_picked_at_the_top(tab: Any) -> None:
    page = tab(390).open("/best")
    picker = page.locator("select[name=to-game]")
    assert picker.bounding_box()["y"] < page.locator("#advice").bounding_box()["y"]
    picker.select_option("piglet")
    page.wait_for_selector("h1:text-is('Piglet')")
    page.locator("input[name=to-o-goal]").fill("5")
    page.locator("input[name=to-o-goal]").press("Enter")
    page.wait_for_selector("h1:text-is('Piglet, goal 5')")
    page.locator("input[name=at-mine]").fill("2")
    page.locator("input[name=at-mine]").press("Enter")
    page.wait_for_selector("text=you 2, rival 0")
