"""A game of one's own: the three forms, the file beside them, and errors where they are made."""

import re
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

import pytest

from sevenout.lab.address import Address, game_subject
from sevenout.lab.pages.own_page import PATH, TEMPLATES
from sevenout.lab.site import page
from sevenout.rules.gamefiles.gamefile import parse_game


def words(url: str) -> str:
    return unescape(page(url).body.decode())


def file_of(html: str) -> str:
    match = re.search(r"<textarea[^>]*>(.*?)</textarea>", html, re.DOTALL)
    assert match
    return match[1]


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_template_is_a_game_with_its_odds(kind: str) -> None:
    html = words(f"{PATH}?kind={kind}")
    file = parse_game(file_of(html))
    assert file.name.startswith("My ")
    for name in ("/table?game=", "/game.toml?game="):
        link = re.search(rf'href="({re.escape(name)}[^"]*)"', html)
        assert link, name
        assert page(link[1]).status == 200
    assert ("/best?game=" in html) == (kind == "luck")


def test_a_form_writes_the_file_and_the_odds_follow() -> None:
    html = words(f"{PATH}?kind=one-roll&name=Mine&dice=2d6&bet-1=seven&on-1=7&pays-1=4 to 1")
    assert 'pays = { "7" = 4 }' in file_of(html)
    assert "16.6667 %" in html  # 4 to 1 on a seven
    half = words(
        f"{PATH}?kind=point&name=M&dice=2d6&naturals=7,11&craps=2,3,12&out=7&natural=3:2&point=1"
    )
    assert 'natural = "3/2"' in file_of(half)


@pytest.mark.parametrize(
    ("query", "field", "said"),
    [
        ("kind=one-roll&name=x&dice=2d6&bet-1=a&on-1=99&pays-1=3", "on-1", "99 can't be rolled"),
        ("kind=one-roll&name=x&dice=2d6&bet-1=a&on-1=9&pays-1=much", "pays-1", "'much'"),
        ("kind=one-roll&name=x&dice=2d6&bet-1=a&on-1=9", "pays-1", "The amount ''"),
        ("kind=one-roll&name=x&dice=2d6", "bet-1", "name it"),
        ("kind=one-roll&name=x&dice=2z6&bet-1=a&on-1=9&pays-1=3", "dice", "is not dice"),
        ("kind=point&dice=2d6&naturals=7&craps=2&out=7&natural=1&point=1", "name", "write a text"),
        (
            "kind=point&name=x&dice=2d6&naturals=7&craps=7&out=7&natural=1&point=1",
            "naturals",
            "both",
        ),
        ("kind=point&name=x&dice=2d6&naturals=7&craps=2&out=99&natural=1&point=1", "out", "99"),
        ("kind=luck&name=x&dice=d6&bust=9&target=50&play=alone", "bust", "9 busts"),
        ("kind=luck&name=x&dice=d6&bust=1&target=ten&play=alone", "target", "ten"),
    ],
)
def test_what_is_wrong_stands_at_its_field(query: str, field: str, said: str) -> None:
    html = words(f"{PATH}?{query}")
    (line,) = re.findall(r'<span id="wrong-([^"]*)" class="wrong" role="alert">([^<]*)', html)
    assert line[0] == field
    assert said in line[1]
    assert 'aria-invalid="true"' in html
    for away in ("/table?game=~", "/evening?game=~", "/best?game=~"):
        assert away not in html, "nothing leads on from a game that is unfinished"


def test_an_out_under_a_point_is_mended_and_said() -> None:
    html = words(
        f"{PATH}?kind=point&name=x&dice=2d6&naturals=7,11&craps=2,3,12&out=8&natural=1&point=1"
    )
    assert "a 8 loses on the first roll too" in html
    assert "craps = [2, 3, 12, 8]" in file_of(html)
    assert "45.2932 %" in html


def test_a_file_of_ones_own_keeps_its_errors_with_their_lines() -> None:
    text = (
        'format = 1\nname = "x"\ndice = "3x6"\n[[wager]]\nbet = "a"\nlimit = 1\npays = { 7 = 1 }\n'
    )
    html = words(f"{PATH}?text={quote(text)}")
    assert "Line 3: '3x6' is not dice" in html
    assert file_of(html) == text
    assert "Back to the form" in html
    right = words(f"{PATH}?text={quote(text.replace('3x6', '2d6'))}")
    assert "66.6667 %" in right  # a seven, even money


def test_the_grid_mends_an_out_that_was_a_point() -> None:
    html = words("/")
    link = re.search(r'id="out-8" class="cell out" href="([^"]*)"', html)
    assert link
    assert game_subject(Address.read(link[1]).get("game")).game
    assert "loses at once" not in words(link[1])


def test_unfinished_rules_are_mended_by_a_click_and_their_tabs_lead_to_no_error() -> None:
    html = words("/?game=2,3/5/7")
    for link in re.findall(r'<a class="button[^"]*" href="(/\?game=[^"]*)"', html):
        assert "make no sense yet" not in words(link), link
    tabs = re.search(r'<nav aria-label="Pages">.*?</nav>', html)
    assert tabs
    links = [unquote(link) for link in re.findall(r'href="([^"]*)"', tabs[0])]
    assert not any("2,3/5/7" in link for link in links)
    for path in ("/table", "/evening", "/simulate"):
        assert 'href="/?game=2,3/5/7">Mend the rules' in words(f"{path}?game=2,3/5/7")


def test_a_game_is_made_in_the_browser(tab: Any) -> None:
    page = tab(390).open("/own?kind=point")
    page.get_by_label("The out").fill("8")
    page.get_by_label("The out").press("Enter")
    page.wait_for_selector("text=a 8 loses on the first roll too")
    page.locator("input[name=dice]").fill("2z6")
    page.locator("input[name=dice]").press("Tab")
    page.wait_for_selector("#wrong-dice:has-text('is not dice')")
    assert page.locator("a:text-is('Play it')").count() == 0
    page.locator("input[name=dice]").fill("2d6")
    page.locator("input[name=dice]").press("Tab")
    page.locator("a:text-is('Play it')").click()
    page.wait_for_selector(".felt")
