from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from sevenout.lab.plot import axis

TOML = """format = 1
name = "My <b>game</b>"
dice = "2d6"

[[line]]
naturals = [7]
craps = [2, 12]
out = 7
"""


def tile(page: Any, total: int) -> Any:
    return page.locator(".tile", has=page.locator(f".total:text-is('{total}')"))


def test_click_key_and_address(tab: Any) -> None:
    page = tab().open("/")
    page.wait_for_selector("text=244/495")
    page.get_by_role("button", name="Craps", exact=True).click()
    tile(page, 5).click()
    page.wait_for_selector("text=74/165")
    assert unquote(page.url).endswith("?game=2,3,5,12/7,11/7")
    tile(page, 5).focus()
    page.keyboard.press("n")
    page.wait_for_function("location.search.includes('12/5,7,11/7')")
    page.reload()
    page.wait_for_selector("text=A game of your own")
    assert tile(page, 5).get_attribute("aria-label") == "5: natural; 4 in 36"
    page.keyboard.press("Tab")
    tile(page, 2).focus()
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("3: craps")


def test_wrong_rules_say_so_and_the_last_odds_stay_greyed(tab: Any, axe: Any) -> None:
    page = tab().open("/")
    page.wait_for_selector("text=244/495")
    tile(page, 7).focus()
    page.keyboard.press("p")
    page.wait_for_selector("text=The out 7 is a point")
    assert page.locator(".stale .value").first.inner_text().startswith("49.2929")
    assert tile(page, 7).get_attribute("aria-invalid") == "true"
    axe(page)
    page.keyboard.press("c")
    page.wait_for_selector(".stale", state="detached")
    field = page.get_by_label("Dice")
    field.fill("3d")
    field.press("Enter")
    page.wait_for_selector("text='3d' in '3d' is not dice")
    field.fill("3d6")
    field.press("Enter")
    page.wait_for_selector(".tile >> nth=15")


def test_files_there_and_back(tab: Any, tmp_path: Path) -> None:
    page = tab().open("/")
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector("h1:text-is('My <b>game</b>')")
    with page.expect_download() as saved:
        page.get_by_text("Save as TOML").click()
    assert 'name = "My <b>game</b>"' in Path(saved.value.path()).read_text()
    file.write_text(TOML.replace("out = 7", "out = 13"))
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector("text=the out is 13")
    file.write_text("x" * 1_000_001)
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector("text=the lab takes no larger file")


def test_a_dropped_file_opens(tab: Any) -> None:
    page = tab().open("/")
    drop = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.toml"));
        const target = document.querySelector(".rules");
        target.dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));
    }"""
    page.evaluate(drop, TOML)
    page.wait_for_selector("h1:text-is('My <b>game</b>')")


def test_the_sheet_is_a_pdf(tab: Any) -> None:
    page = tab().open("/")
    with page.expect_download(timeout=60_000) as saved:
        page.get_by_text("Sheet as PDF").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")
    page.wait_for_selector("text=Sheet as PDF")


def test_the_catalogue_is_searched_sorted_and_opened(tab: Any) -> None:
    page = tab().open("/catalogue")
    page.get_by_label("Search").fill("hazard turn")
    page.wait_for_selector("text=1 to 1 of 1")
    page.get_by_label("Search").fill("")
    page.wait_for_selector("text=1 to 40 of")
    page.wait_for_selector("[role=status]:has-text('Solving')", state="detached")
    page.get_by_role("button", name="house edge").click()
    page.wait_for_selector("th[aria-sort=descending]")
    shown = [float(t.rstrip(" %")) for t in page.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)
    page.get_by_label("Search").fill("pass line")
    page.locator("tbody a:text-is('Pass line')").click()
    page.wait_for_selector("text=244976/245025")
    page.get_by_text("Open its odds").click()
    page.wait_for_selector("text=Where the wins come from")


def test_the_theme_is_chosen_and_kept(tab: Any) -> None:
    page = tab().open("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(ground)
    assert light != dark
    page.goto(page.url + "catalogue")
    page.wait_for_selector("h1")
    assert page.evaluate(ground) == dark


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
@pytest.mark.parametrize(
    "path", ["/", "/?entry=fast-craps", "/catalogue", "/catalogue?entry=craps"]
)
def test_axe_finds_nothing(tab: Any, axe: Any, path: str, width: int, dark: bool) -> None:
    page = tab(width, dark).open(path)
    page.wait_for_selector("text=Solving", state="detached")
    axe(page)


def test_axis_labels_do_not_lie() -> None:
    ticks = axis(0.49290, 0.49296).ticks
    assert all(abs(float(label) - value) < 1e-9 for value, label in ticks)
