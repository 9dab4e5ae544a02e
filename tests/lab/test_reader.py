"""A page is read in the order in which it is seen, says its results, and has two typefaces."""

import re
from itertools import pairwise
from typing import Any

import pytest

from tests.lab.conftest import FACES, typefaces
from tests.lab.test_browser import PATHS, cell, until

SEEN = (
    *("/", "/table?game=craps&seed=3&did=pass=5|roll*20", *PATHS),
    *("/ask?game=craps", "/ask?question=odds&game=craps&longer=10", "/proof"),
)

PARTS = """() => {
  const parts = (of) => [...of.children].flatMap((one) => {
    if (getComputedStyle(one).display === "contents") return parts(one); // it has no place itself
    return one.checkVisibility() ? [one] : [];
  });
  const all = [...document.querySelectorAll("main, main :is(.columns, div.stack, .card)")];
  const named = (one) => one.id || one.className || one.tagName;
  return all.map((of) => parts(of).map((one) => (
    {name: named(one), ...one.getBoundingClientRect().toJSON()})));
}"""
"""The parts of each part of a page and where they stand, in the order in which they are read."""
MOVED = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  const read = getComputedStyle(one.parentElement).readingFlow === "flex-visual"; // as it is seen
  const moved = style.order !== "0" && !read;
  return moved || one.tabIndex > 0 || /reverse/.test(style.flexDirection + style.flexWrap);
}).map((one) => one.outerHTML.slice(0, 80))"""
"""Whatever is seen elsewhere than where it is read."""
HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))"""
"""The levels of the headings in their order."""
NAMELESS = re.compile(
    r"^ *- (?:textbox|combobox|slider|spinbutton|searchbox|checkbox|radio|button|link|region)"
    r"(?: \[[^]]*\])*:?$",
    re.MULTILINE,
)
"""A control or a region without a name, in a snapshot of what a screen reader is given.

A `details` needs none, since its summary is read.
"""
LANDMARKS = ("banner", "main", "contentinfo")
FAMILIES = """() => {
  const texts = new Map();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const words = walk.currentNode.data.trim(), one = walk.currentNode.parentElement;
    if (!words || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(one.tagName)) continue;
    const style = getComputedStyle(one);
    const face = `${style.fontFamily} | ${style.fontVariantNumeric}`;
    if (!texts.has(face)) texts.set(face, words.slice(0, 40));
  }
  return [...texts];
}"""
SANS_NUMBERS = """() => [...document.querySelectorAll(
  "main .figure .value, main .num, main td.number, main td.exact, #bar b, main .chart text")]
  .filter((one) => !getComputedStyle(one).fontFamily.startsWith('"Sevenout Data"'))
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("path", SEEN)
def test_a_page_is_read_in_the_order_in_which_it_is_seen(tab: Any, path: str) -> None:
    """Each part stands below the one before, or beside it on the right, at every width."""
    page = tab().open(path)
    page.wait_for_selector("a[data-next]", state="detached")
    for width in (390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 844})
        for parts in page.evaluate(PARTS):
            for before, then in pairwise(parts):
                below = then["top"] >= before["bottom"] - 1
                beside = then["left"] >= before["right"] - 1
                back = then["right"] <= before["left"] and then["top"] >= before["top"] + 40
                assert below or beside or back, (width, before["name"], then["name"])
        assert page.evaluate(MOVED) == [], width
    levels = page.evaluate(HEADINGS)
    assert levels.count(1) == 1
    assert all(then <= now + 1 for now, then in pairwise(levels)), levels
    snapshot = page.locator("body").aria_snapshot()
    found = re.findall(r"^- (\w+)", snapshot, re.MULTILINE)
    assert [one for one in found if one in LANDMARKS] == [*LANDMARKS]
    assert NAMELESS.findall(snapshot) == []
    faces = dict(page.evaluate(FAMILIES))
    families = {face.split(",")[0].partition(" |")[0] for face in faces}
    assert families <= {'"Sevenout Text"', '"Sevenout Data"', "ui-monospace"}, faces
    for face, words in faces.items():
        assert "tabular-nums" in face or "monospace" in face, (face, words)
    assert page.evaluate(SANS_NUMBERS) == []
    assert typefaces(page) <= FACES, "every glyph is in a typeface of the lab"


def _piglet(page: Any) -> None:
    picker = page.locator("select[name=to-game]")
    picker.focus()
    picker.select_option("piglet")


@pytest.mark.parametrize(
    ("path", "act", "said"),
    [
        ("/", lambda page: cell(page, 5, "craps").click(), "44.8485"),
        ("/dice", lambda page: page.locator(".face").first.click(), "mean: "),
        ("/dice?tab=test&taps=0", lambda page: page.locator(".taps a").first.click(), "2 rolls"),
        ("/catalogue", lambda page: _search(page, "snakes"), "1 game"),
        (
            "/best",
            _piglet,
            "to win",
        ),
    ],
    ids=["odds", "dice", "taps", "search", "best"],
)
def test_a_result_is_announced(tab: Any, path: str, act: Any, said: str) -> None:
    """A region that is there from the beginning says the new result."""
    page = tab().open(path)
    page.evaluate("document.getElementById('bar').kept = true")
    before = page.locator("#bar").text_content()
    act(page)
    page.wait_for_function(
        "([said, before]) => {const now = document.getElementById('bar').textContent;"
        " return now !== before && now.includes(said);}",
        arg=[said, before],
    )
    bar = page.locator("#bar")
    assert bar.get_attribute("role") == "status"
    assert bar.evaluate("bar => bar.kept"), "the same element, else nothing is announced"
    focus = "document.activeElement !== document.body && document.activeElement.isConnected"
    until(page, focus)


def _search(page: Any, words: str) -> None:
    page.get_by_label("Search").fill(words)
    page.keyboard.press("Enter")
