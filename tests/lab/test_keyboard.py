"""Each job is done with the keyboard alone: the focus is seen, and never lost."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.lab.test_browser import until

MOST_TABS = 150
FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at);
  const label = at.matches(".hold input") ? getComputedStyle(at.closest(".hold")) : style;
  const seen = (one) => one.outlineStyle !== "none" && parseFloat(one.outlineWidth) >= 1;
  return [at === document.body, seen(style) || seen(label), at.outerHTML.slice(0, 120)];
}"""
AT = "(wanted) => document.activeElement.matches(wanted)"


def assert_focused(page: Any) -> None:
    """Something has the focus, and shows it."""
    lost, seen, what = page.evaluate(FOCUSED)
    assert not lost, "the focus is lost"
    assert seen, f"the focus is not seen on {what}"


def tab_to(page: Any, wanted: str, key: str = "Tab") -> None:
    """Go from field to field, until a wanted one has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        if page.evaluate(AT, wanted):
            assert_focused(page)
            return
    raise AssertionError(f"{wanted} is not reached")


def odds(page: Any) -> None:
    tab_to(page, 'a.cell[data-role="craps"][data-total="5"], a.cell')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    until(page, "location.search.includes('game=')")
    assert_focused(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    page.wait_for_selector("#bar:has-text('points')")
    assert_focused(page)


def play(page: Any) -> None:
    tab_to(page, ".felt .button.main")
    for n in (1, 2):
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#bar:has-text('{n} roll')")
        assert_focused(page)
    tab_to(page, ".chip[aria-label^='25 ']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chip[aria-label^='25 '][aria-current]")
    assert_focused(page)


def best(page: Any) -> None:
    tab_to(page, ".seats input")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("30")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('30')")
    assert_focused(page)
    tab_to(page, "a[href^='/table']", "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".felt")


def evening(page: Any) -> None:
    tab_to(page, "input[name=bankroll]")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('bankroll=50')")
    page.wait_for_selector("a[data-next]", state="detached")
    assert_focused(page)
    tab_to(page, "input[name=hours]")


def design(page: Any) -> None:
    tab_to(page, "input[name=target]")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2/5")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('target=')")
    page.wait_for_selector("a[data-next]", state="detached")
    assert_focused(page)
    tab_to(page, "#table tbody a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#odds")


def dice(page: Any) -> None:
    tab_to(page, ".face")
    page.keyboard.press("Enter")
    page.wait_for_selector(".face.gone")
    assert_focused(page)
    tab_to(page, ".face:not(.gone)")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.face.gone').length > 1")
    assert_focused(page)


def sit(page: Any) -> None:
    tab_to(page, "#spot-pass")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('pass')")
    assert_focused(page)
    tab_to(page, "#roll, .felt .button.main", "Shift+Tab")
    page.keyboard.press("Enter")
    until(page, "location.search.includes('roll')")
    assert_focused(page)


@pytest.mark.parametrize(
    ("path", "job"),
    [
        ("/", odds),
        ("/table?game=craps", play),
        ("/best", best),
        ("/evening?a=pass&bankroll=60&hours=1", evening),
        ("/variants", design),
        ("/dice", dice),
        ("/table", sit),
    ],
)
def test_a_job_is_done_with_the_keyboard_alone(
    tab: Any, path: str, job: Callable[[Any], None]
) -> None:
    page = tab().open(path)
    page.wait_for_selector("a[data-next]", state="detached")
    page.set_default_timeout(20_000)
    before = page.url
    job(page)
    assert page.url != before, "a job leads to another address"


@pytest.mark.parametrize(
    ("path", "control", "then"),
    [
        (
            "/?game=craps&pin=crapless",
            "main a:text-is('Unpin')",
            "!location.search.includes('pin')",
        ),
        (
            "/table?game=yahtzee&seed=4&held=0",
            "a:text-is('New game')",
            "location.search.endsWith('5')",
        ),
        ("/table?do=roll", "#side", "location.search.includes('more=side')"),
        (
            "/ask?question=odds&game=craps&longer=10",
            "a:text-is('Other questions')",
            "!/question/.test(location)",
        ),
    ],
)
def test_the_focus_stays_where_a_control_vanishes(
    tab: Any, path: str, control: str, then: str
) -> None:
    page = tab().open(path)
    page.locator(control).focus()
    page.keyboard.press("Enter")
    until(page, then)
    until(page, "!document.documentElement.matches('[data-busy]')")
    assert_focused(page)


def test_the_focus_stays_among_the_favourites(tab: Any) -> None:
    page = tab().open("/catalogue")
    for star in page.locator(".starters [data-star]").all()[:2]:
        star.focus()
        page.keyboard.press("Enter")
        assert_focused(page)
    for _ in range(2):
        page.locator("#favourites [data-star]").first.focus()
        page.keyboard.press("Enter")
        until(page, "document.activeElement !== document.body")
    assert page.locator("#favourites").is_hidden()


def test_a_phone_shows_the_variants_without_sideways_scrolling(tab: Any) -> None:
    page = tab(390).open("/variants")
    page.wait_for_selector("#table")
    aside = """[...document.querySelectorAll("#table *")].filter((one) =>
      one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto").length"""
    assert page.evaluate(aside) == 0
