"""A pay's slider, the edge beside it, and the pay that makes the edge a given one."""

from fractions import Fraction
from typing import Any
from urllib.parse import unquote

import pytest

from sevenout.lab.address import Address, bet_of, game_subject
from sevenout.lab.pages.pays import pay_sliders, text_with_pays
from sevenout.lab.site import page
from tests.lab.test_browser import bar, until

CRAPS = "2,3,12/7,11/7"
GAMES = (
    CRAPS,
    f"{CRAPS};pass:point:4,10=9/5",
    "field-2-3",
    "dont-pass",
    "crapless",
    "hardway-6-8",
    "fast-craps",
)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("each", [False, True])
def test_the_edge_falls_by_what_the_slider_says(text: str, each: bool) -> None:
    text = game_subject(text).notation
    bet = bet_of(text, "")
    found = pay_sliders(text, bet.name, each)
    assert found or each
    for slide in found:
        raised = {slide.name: str(slide.profit + Fraction(1, 7))}
        more = bet_of(text_with_pays(raised, game_subject(text), bet.name), bet.name)
        assert more.edge == bet.edge - slide.edge_per_unit / 7
        assert slide.profit <= slide.maximum


def test_an_edge_is_made_by_a_pay() -> None:
    moved = page("/?to-edge=2%25&to-row=p:natural:7,11:1")
    there = unquote(moved.location)
    game = Address.read(there).get("game")
    edge = bet_of(game, "").edge
    assert edge != bet_of(CRAPS, "").edge
    assert abs(edge - Fraction(2, 100)) < Fraction(1, 10**7)
    assert page(there).status == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("to-edge=300%25", "pays nothing; give less"),
        ("to-edge=much", "is not an amount"),
        ("to-edge=1%25&to-row=p:9", "it is one of p:natural"),
    ],
)
def test_what_no_pay_makes_is_said(query: str, said: str) -> None:
    assert said in page(f"/?{query}").body.decode()


def test_the_last_change_is_undone() -> None:
    first = page(f"/?game={CRAPS}&p:natural:7,11:1=3/2").location
    second = page(f"{first}&p:point:4,5,6,8,9,10:1=6/5").location
    assert Address.read(second).get("was") == Address.read(first).get("game")
    html = page(second).body.decode()
    assert ">Undo<" in html
    assert ">Undo<" not in page(first).body.decode()


def test_a_slider_moves_the_edge_in_place(tab: Any) -> None:
    page = tab().open("/")
    page.evaluate("window.same = true")
    slide = page.get_by_label("slider, natural 7,11")
    slide.focus()
    slide.press("ArrowRight")
    beside = page.locator("output[for='slide-natural-7.11-1']")
    assert beside.inner_text() == "0.970 %", "before the page is asked for"
    page.wait_for_selector("#odds :text('Undo all')")
    assert "51/50" in unquote(page.url)
    slide.press("ArrowRight")
    until(page, "decodeURIComponent(location.search).includes('26/25')")
    until(page, "document.querySelector('#bar').innerText.includes('0.5253')")
    assert page.evaluate("document.activeElement.id") == "slide-natural-7.11-1"
    page.get_by_text("Undo", exact=True).click()
    until(page, "decodeURIComponent(location.search).includes('51/50')")
    field = page.get_by_label("Make the edge")
    field.fill("2 %")
    field.press("Enter")
    until(page, "document.querySelector('#bar').innerText.includes('2.0000')")
    assert "2.0000" in bar(page)
    assert page.evaluate("window.same"), "the page was never loaded anew"
