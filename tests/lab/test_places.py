"""Craps as a place: the real table, its money and its rolls; and the way to other bets."""

import re
from html import unescape
from typing import Any

import pytest

from sevenout.catalogue import games
from sevenout.lab.address import Address
from sevenout.lab.pages.felt_drawing import MAX_SHOWN_ROLLS
from sevenout.lab.site import page

TABLE = "sevenout table;house: minimum=5,props=1;bankroll: 300;currency: $;seed: 1"
FOUR = "pass = 10;roll 4 2;pass odds = 20;roll 5 4;roll 1 1;roll 6 5;roll 3 3;roll 2 2"


def html_of(url: str) -> str:
    return unescape(page(url).body.decode())


def seat(lines: str) -> str:
    return str(Address("/table", {"table": f"{TABLE};{lines}"}))


@pytest.mark.parametrize("game", ["craps", "place-6-8", "any-seven", "fire-bet-a"])
def test_a_bet_of_craps_is_played_at_the_table_and_leads_to_all_others(game: str) -> None:
    html = html_of(f"/?game={game}")
    assert re.search(r'href="/table">Play it', html)
    others = sum(entry.family == "Craps" for entry in games.without_choices.values()) - 1
    assert f"Craps: {others} other bets" in html
    link = re.search(r'href="(/catalogue\?family=craps&sort=edge)"', html)
    assert link
    assert page(link[1]).status == 200


def test_a_changed_bet_and_another_family_keep_their_own_table() -> None:
    assert re.search(r'href="/table\?new-crapless=yes">Play it', html_of("/?game=crapless"))
    for game in ("hazard;main=5", "2,3/7,11,12/7"):
        assert re.search(r'href="/table\?game=[^"]*">Play it', html_of(f"/?game={game}")), game


def test_the_edge_leads() -> None:
    for game in ("craps", "place-6-8", "field-2-2"):
        big = re.search(
            r'<div class="figure big"><span class="what">([^<]*)', html_of(f"/?game={game}")
        )
        assert big
        assert big[1] == "house edge, per bet made", game


def test_the_money_of_a_seat_is_drawn_and_saved() -> None:
    html = html_of(seat(FOUR))
    assert 'id="run"' in html
    assert 'aria-label="After 6 rolls there is $334 of $300."' in html
    csv = page(str(Address.read(seat(FOUR)).to(card="run", **{"as": "csv"}))).body.decode()
    assert csv.splitlines() == ["roll,money", *(f"{n},300" for n in range(5)), "5,334", "6,334"]
    assert 'id="run"' not in html_of("/table"), "there is nothing to draw before a roll"


def test_the_bar_says_what_the_bets_have_cost() -> None:
    bar = re.sub(r"<[^>]+>", "", html_of(seat(FOUR)).partition('id="bar"')[2])
    assert "$0.14 cost, on average" in bar
    assert "$34 up" in bar
    first = re.sub(r"<[^>]+>", "", html_of("/table").partition('id="bar"')[2])
    assert "cost" not in first.partition("The address")[0]


def test_all_rolls_are_there_and_the_early_ones_are_folded() -> None:
    n = MAX_SHOWN_ROLLS + 7
    for url in (
        f"/table?game=craps&did=roll*{n}",
        seat(";".join(["roll 1 2"] * n)),
        f"/table?strategy=pass&did=roll*{n}",
    ):
        html = html_of(url)
        log = html.partition('id="log"')[2].partition("</section>")[0]
        assert log.count("<li>") == n, url
        assert "The 7 rolls before" in log
        assert log.index("<details") > log.index(f">{n}</span>")


@pytest.mark.parametrize(
    "url",
    ["/table?game=craps&did=roll*3", "/table?strategy=pass&did=roll*3", seat(FOUR)],
)
def test_roll_and_undo_stand_in_the_bar_of_every_table(url: str) -> None:
    bar = html_of(url).partition('id="bar"')[2].partition("<footer")[0]
    assert re.findall(r'class="button[^"]*"[^>]*>(\w+)<', bar) == ["Roll", "Undo"]


def test_on_a_phone_roll_and_undo_are_within_reach_of_the_bets(tab: Any) -> None:
    page = tab(390).open("/table")
    page.locator("#spot-pass").click()
    page.wait_for_selector("#undo")
    page.mouse.wheel(0, 600)
    roll = page.locator("#bar .button.main")
    page.wait_for_function("() => getComputedStyle(document.getElementById('bar')).opacity === '1'")
    box = roll.bounding_box()
    assert 0 < box["y"] < 844
    assert page.locator("#roll").bounding_box()["y"] < 0, "that of the felt has scrolled away"
    roll.click()
    page.wait_for_selector("#log li")
    page.locator("#bar .button", has_text="Undo").click()
    page.wait_for_selector("#log", state="detached")


def test_the_bar_waits_until_the_figures_have_scrolled_away(tab: Any) -> None:
    page = tab().open("/")
    shown = "getComputedStyle(document.getElementById('bar')).opacity"
    assert page.evaluate(shown) == "0"
    page.mouse.wheel(0, 500)
    page.wait_for_function(f"() => {shown} === '1'")  # a function: the policy forbids eval


def test_the_evening_says_first_what_matters() -> None:
    html = html_of("/evening?a=pass&b=iron-cross&bankroll=60&length=40")
    figures = html.partition('id="figures"')[2].partition("</section>")[0]
    first, _, rest = figures.partition("<details")
    assert re.findall(r'<th[^>]*scope="row"[^>]*>([^<]*)', first) == [
        "ahead",
        "ends by ruin",
        "mean result",
        "standard deviation",
        "result at 5 %, 50 %, 95 %",
        "expected loss per hour",
    ]
    assert "mean rolls of the ruined" in rest
    assert "--standing" not in html
    link = re.search(r'href="(/ask\?[^"]*standing=out[^"]*)"', html)
    assert link
    assert page(link[1]).status == 200
    one = html_of("/evening?game=craps&bets=20")
    assert [what in one for what in ("ends ahead", "on average", "ruined")] == [True] * 3


def test_questions_have_names_and_are_searched_and_their_bets_are_chosen() -> None:
    html = html_of("/ask")
    assert ">Length of a game</a>" in html
    ruin = html_of("/ask?q=ruin")
    assert re.findall(r'href="/ask\?question=[^"]*">([^<]*)</a>', ruin) == ["Risk of ruin"]
    assert "No question has these words" in html_of("/ask?q=zebra")
    form = html_of("/ask?question=odds&game=craps-lines")
    assert "<h1>Odds</h1>" in form
    assert '<option value="don\'t pass">' in form
    assert '<option value="hazard-turn">' in form, "games to choose from"


def test_a_long_table_of_totals_is_folded() -> None:
    totals = html_of("/dice?dice=100d6").partition('id="totals"')[2].partition("</section>")[0]
    assert "120 totals, one by one" in totals
    assert totals.index("<details") < totals.index("<table")
    short = (
        html_of("/dice?dice=2d6&beside=2d4").partition('id="totals"')[2].partition("</section>")[0]
    )
    assert "<details" not in short
