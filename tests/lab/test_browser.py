"""The lab in a real browser: what a visitor does is in the address, and nothing is lost."""

from time import monotonic
from typing import Any
from urllib.parse import unquote

import pytest

import sevenout as so
from tests.lab.conftest import running

TOML = """format = 1
name = "My <b>game</b>"

[[line]]
naturals = [7]
craps = [2, 12]
out = 7
"""


def until(page: Any, true: str) -> None:
    """Wait until an expression is true; the policy lets nobody wait within the page."""
    end = monotonic() + 60
    while not page.evaluate(true):
        assert monotonic() < end, true
        page.wait_for_timeout(20)


def cell(page: Any, total: int, role: str) -> Any:
    return page.locator(f'a.cell[data-role="{role}"][data-total="{total}"]')


def bar(page: Any) -> str:
    return str(page.locator("#bar").inner_text())


def test_click_reload_back_and_a_second_tab(tab: Any) -> None:
    one = tab()
    page = one.open("/")
    cell(page, 5, "craps").click()
    page.wait_for_selector("h2:has-text('Why 74/165')")
    assert unquote(page.url).endswith("/?game=2,3,5,12/7,11/7&from=2,3,12/7,11/7")
    assert "points" in bar(page)
    page.reload()
    assert "44.8485" in bar(page)
    other = one.context.new_page()
    other.goto(page.url)
    assert "44.8485" in bar(other)
    for total in (4, 6, 8, 9, 10):
        cell(page, total, "natural").click()
        page.wait_for_selector(f'a.cell[data-role=natural][data-total="{total}"][aria-current]')
    for _ in range(6):
        page.go_back()
    until(page, "!location.search")
    page.wait_for_selector("h2:has-text('Why 244/495')")
    page.go_forward()
    page.wait_for_selector("h2:has-text('Why 74/165')")
    page.get_by_text("Undo all").click()
    page.wait_for_selector("h2:has-text('Why 244/495')")


def test_a_proof_is_checked(tab: Any) -> None:
    made = so.solve(so.games["craps"]).certificate("pass", rules=so.games["craps"])
    content = b"".join(made.lines())
    altered = content.replace(b'"pays":{"pass":1}', b'"pays":{"pass":2}', 1)
    page = tab().open("/proof")
    for n, (brought, verdict) in enumerate(
        [
            (content, "the mean profit of the bet 'pass' (stake 1) per unit staked is -7/495"),
            (altered, "line 2: not proved: the value"),
        ]
    ):
        file = {"name": f"{n}.json", "mimeType": "application/json", "buffer": brought}
        page.locator("input[type=file]").set_input_files(file)
        page.wait_for_selector(f'output:has-text("{verdict}")')


def test_ten_rolls_and_ten_times_back(tab: Any) -> None:
    page = tab().open("/table?game=craps&seed=5")
    for n in range(1, 11):
        page.keyboard.press(" ")
        until(page, f"location.search.endsWith('did=roll*{n}')")
    page.wait_for_selector("#bar:has-text('10 rolls')")
    log = page.locator(".log").inner_text()
    page.reload()
    assert page.locator(".log").inner_text() == log
    for _ in range(10):
        page.go_back()
    page.wait_for_selector("text=Roll the dice")
    assert "did" not in page.url


def test_the_server_goes_and_comes_back(chromium: Any) -> None:
    with running() as first:
        page = chromium.new_context().new_page()
        page.goto(f"{first}/?game=2,3,12/7,11/7")
        port = int(first.rpartition(":")[2])
    cell(page, 5, "craps").click()
    page.wait_for_selector("#note:has-text('Nothing is lost')")
    assert "244/495" in page.inner_text("main")
    with running(port):
        page.wait_for_selector("h2:has-text('Why 74/165')")
        assert page.locator("#note").inner_text() == ""
        page.context.close()


def test_a_slow_processor_and_a_line_that_breaks_lose_nothing(tab: Any) -> None:
    one = tab(390)
    page = one.open("/")
    slow = one.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    totals = (4, 5, 6, 8, 9)
    for total in totals:
        cell(page, total, "craps").click()
        page.wait_for_selector(f'a.cell[data-role=craps][data-total="{total}"][aria-current]')
    last, odds = page.url, bar(page)
    one.context.set_offline(True)
    cell(page, 10, "natural").click()
    page.wait_for_selector("#note:has-text('Nothing is lost')")
    assert bar(page) == odds, "what is shown is what the address says"
    one.context.set_offline(False)
    page.wait_for_selector('a.cell[data-role=natural][data-total="10"][aria-current]')
    page.go_back()
    until(page, f"location.href === {last!r}")
    page.wait_for_selector('a.cell[data-role=point][data-total="10"][aria-current]')
    assert bar(page) == odds
    for _ in totals:
        page.go_back()
    until(page, "!location.search")
    page.wait_for_selector("h2:has-text('Why 244/495')")
    one.errors[:] = [said for said in one.errors if "ERR_INTERNET_DISCONNECTED" not in said]


def test_keys_and_drag_set_roles(tab: Any) -> None:
    page = tab().open("/")
    cell(page, 5, "natural").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.total") == "6"
    page.keyboard.press("c")
    page.wait_for_selector('a.cell[data-role=craps][data-total="6"][aria-current]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    page.wait_for_selector('a.cell[data-role=natural][data-total="8"][aria-current]')
    assert page.evaluate("document.activeElement.id") == "natural-8"
    page.keyboard.press("p")
    page.wait_for_selector('a.cell[data-role=point][data-total="8"][aria-current]')
    assert page.evaluate("document.activeElement.id") == "point-8"
    boxes = [cell(page, total, "natural").bounding_box() for total in (8, 10)]
    page.mouse.move(boxes[0]["x"] + 5, boxes[0]["y"] + 9)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + 5, boxes[1]["y"] + 9, steps=12)
    page.mouse.up()
    for total in (8, 9, 10):
        page.wait_for_selector(f'a.cell[data-role=natural][data-total="{total}"][aria-current]')


def test_a_field_keeps_the_focus_after_the_first_change(tab: Any) -> None:
    page = tab().open("/")
    page.get_by_label("Roll limit").fill("9")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=out of rolls")
    assert page.evaluate("document.activeElement.name") == "to-limit"


@pytest.mark.parametrize(
    ("path", "name", "said"),
    [
        ("/evening?a=pass&bankroll=9&hours=1", "hours", "Hours is '-3'; write a number above 0"),
        ("/simulate?games=100", "games", "'-3' is not a count; write a whole number"),
        ("/table?game=craps&did=roll*3", "seed", "'-3' is not a seed; write a whole number"),
        ("/", "to-dice", "No dice in '-3'; write 2d6"),
        ("/", "p:natural:7,11:1", ""),
        ("/variants", "target", "target"),
        ("/dice", "dice", "'-3'"),
        ("/table?do=roll", "dice", "-3 is a total; write both dice"),
        ("/ask?question=odds&game=craps", "longer", "(rolls): '-3' is not a count"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(tab: Any, path: str, name: str, said: str) -> None:
    one = tab()
    page = one.open(path)
    field = page.locator(f'input[name="{name}"]').first
    if not field.is_visible():
        page.locator("details", has=field).last.locator("summary").first.click()
    field.fill("-3" if said else "1:x")
    field.press("Enter")
    page.wait_for_selector("#wrong")
    assert said.lower() in page.locator("#wrong").inner_text().lower()
    assert field.get_attribute("aria-invalid") == "true"
    assert field.get_attribute("aria-describedby") == "wrong"
    assert field.input_value() == ("-3" if said else "1:x"), "what was written stays"
    assert field.evaluate("field => field === document.activeElement")
    box, line = field.bounding_box(), page.locator("#wrong").bounding_box()
    assert abs(line["y"] - box["y"]) < 140, "beside it"
    one.errors[:] = [error for error in one.errors if "400" not in error]


def test_pays_are_edited_and_pinned(tab: Any) -> None:
    page = tab().open("/")
    page.get_by_text("Compare", exact=True).click()
    page.wait_for_selector("text=Pinned as A")
    field = page.get_by_label("point made 4,5,6,8,9,10 pays")
    field.fill("6/5")
    field.press("Tab")
    page.wait_for_selector("h2:text-is('Side by side')")
    assert page.locator("h1").inner_text() == "Craps, other pays"
    assert "−4.0000" in bar(page)
    field = page.get_by_label("point made 4,5,6,8,9,10 pays")
    field.fill("many")
    field.press("Tab")
    page.wait_for_selector("[role=alert]:has-text('is not an amount')")


def test_a_long_run_is_seen_from_its_first_piece_and_stopped(tab: Any) -> None:
    page = tab().open("/simulate?games=1e10")
    page.wait_for_selector("text=standard deviations")
    page.get_by_text("Stop", exact=True).click()
    until(page, "location.search.includes('stop=1')")
    page.wait_for_selector("text=Go on")
    seen = page.locator("#bar").inner_text()
    page.wait_for_timeout(400)
    assert page.locator("#bar").inner_text() == seen
    assert page.get_by_text("Go on").is_visible()


def test_a_part_of_the_map_is_listed_and_a_class_unfolds(tab: Any) -> None:
    page = tab().open("/variants")
    assert "1,254,044 variants, 31,941 classes" in page.locator("#table header").inner_text()
    page.locator("#map .pick").nth(60).click(force=True)
    page.wait_for_selector("#map .chosen")
    assert "rolls-from" in page.url
    page.get_by_role("link", name="Exactly 1/2", exact=True).click()
    page.wait_for_selector("#table header:has-text('1,521 variants, 20 classes')")
    page.locator("#table a:has-text('and 11 more')").first.click()
    page.wait_for_selector("#table a:text-is('fold')")
    assert page.locator("#table tbody tr").first.locator("a").count() == 13, "12 and the fold"
    page.locator("#table a:text-is('fold')").click()
    page.wait_for_selector("#table a:text-is('fold')", state="detached")


def test_a_file_is_dropped(tab: Any) -> None:
    page = tab().open("/")
    drop = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.toml"));
        document.querySelector("main").dispatchEvent(
            new DragEvent("drop", {dataTransfer: data, cancelable: true, bubbles: true}));
    }"""
    page.evaluate(drop, TOML)
    page.wait_for_selector("h1:text-is('My <b>game</b>')")
    assert page.locator("h1 b").count() == 0, "a name is text, not markup"


def test_a_long_log_stays_in_the_browser_and_its_counts_in_the_address(tab: Any) -> None:
    one = tab()
    page = one.open("/dice?tab=test")
    drop = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "rolls.csv"));
        document.querySelector("main").dispatchEvent(
            new DragEvent("drop", {dataTransfer: data, cancelable: true, bubbles: true}));
    }"""
    rolls = "face\n" + "\n".join(str(1 + n % 6) for n in range(30_000))
    page.evaluate(drop, rolls)
    page.wait_for_selector("text=30,000 rolls of rolls.csv")
    assert "counts=5000.5000.5000.5000.5000.5000" in page.url
    page.wait_for_selector("text=kept in this browser alone")
    page.reload()
    with page.expect_download() as saved:
        page.get_by_text("save it").click()
    with open(saved.value.path()) as file:
        assert file.read() == rolls
    page.get_by_text("forget it").click()
    page.wait_for_selector("text=not in this browser")
    page.evaluate(drop, "1 2 3")
    page.wait_for_selector("text=30,003 rolls")
    page.evaluate(drop, "1 2 nine")
    page.wait_for_selector("#note:has-text('nine')")


def test_copy_and_pictures(tab: Any) -> None:
    one = tab()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = one.open("/")
    page.locator("#odds .sub .copy", has_text="244/495").click()
    page.wait_for_selector("#note:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "244/495"
    page.get_by_role("button", name="a link").click()
    until(page, "navigator.clipboard.readText().then((t) => t.startsWith('http'))")
    page.get_by_text("Share", exact=True).click()
    with page.expect_download() as saved:
        page.locator("a[download='rolls.png']").click()
    with open(saved.value.path(), "rb") as file:
        assert file.read(4) == b"\x89PNG"


def test_without_scripts_links_and_forms_do_it_all(tab: Any) -> None:
    page = tab(script=False).open("/")
    cell(page, 5, "craps").click()
    assert "74/165" in page.inner_text("main")
    page.get_by_label("Dice").fill("3d6")
    page.get_by_label("Dice").press("Enter")
    assert "3d6" in unquote(page.url)
    page.goto(page.url.partition("?")[0] + "table")
    page.locator(".felt").get_by_text("Roll", exact=True).click()
    assert "1 roll" in bar(page)


def test_the_theme_is_chosen_and_kept(tab: Any) -> None:
    page = tab().open("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(ground)
    assert light != dark
    page.get_by_role("link", name="All games", exact=True).click()
    page.wait_for_selector("h1:text-is('All games')")
    page.reload()
    assert page.evaluate(ground) == dark
    page.goto(page.url.partition("/catalogue")[0])
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == "rgb(255, 255, 255)", "paper is light"
    assert page.locator(".amount").first.is_visible(), "and says what the game pays"


def test_on_a_phone_the_answer_is_in_view(tab: Any) -> None:
    page = tab(390).open("/")
    box = page.locator("#bar").bounding_box()
    assert box["y"] + box["height"] <= 844
    assert "49.2929" in bar(page)
    page.mouse.wheel(0, 900)
    until(page, "scrollY > 300")
    box = page.locator("#bar").bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] <= 845
    assert page.locator("#bar").get_attribute("aria-live") == "polite"
    tops = [page.locator(f"#{card}").bounding_box()["y"] for card in ("odds", "rules", "rolls")]
    assert tops == sorted(tops), "the odds come first, and how long it takes last"


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_first_screen_says_what_this_is_and_a_touched_die_moves_a_number(
    tab: Any, width: int
) -> None:
    page = tab(width).open("/")
    assert "exact odds" in page.locator(".intro").inner_text()
    figure = page.locator("#odds .figure.big")
    bar = page.locator("#bar").bounding_box()["y"]
    for part in (page.locator(".intro"), page.locator("#die-0"), figure):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= bar, "above the fold"
    assert "1.4141" in figure.inner_text()
    page.locator("#die-0").click()
    page.wait_for_selector("#die-0[aria-label='Die 1, a d8: make it a d10']")
    assert "1.4141" not in figure.inner_text()
    assert page.evaluate("document.activeElement.id") == "die-0"
    moved = figure.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("#die-0[aria-label='Die 1, a d10: make it a d12']")
    assert figure.inner_text() != moved
    page.go_back()
    page.go_back()
    page.wait_for_selector("h2:has-text('Why 244/495')")


def test_the_tabs_are_what_people_want(tab: Any) -> None:
    page = tab().open("/?game=hazard;main=5")
    tabs = page.locator("nav[aria-label=Pages] a")
    names = ["Odds", "Play", "Best play", "Evening", "Design", "Dice"]
    assert tabs.all_inner_texts() == names
    for name in names[1:]:
        page.get_by_role("navigation", name="Pages").get_by_text(name, exact=True).click()
        page.wait_for_selector(f"nav a[aria-current]:text-is('{name}')")
    page.get_by_role("link", name="All games", exact=True).click()
    page.wait_for_selector("h1:text-is('All games')")


def test_all_games_are_found_on_a_phone_and_kept_as_favourites(tab: Any) -> None:
    page = tab(390).open("/catalogue")
    page.wait_for_selector("h1:text-is('All games')")
    assert page.evaluate("document.documentElement.scrollHeight") < 3_400
    page.get_by_label("Search").fill("snakes")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=1 found")
    assert page.locator("#games .games li").count() == 1
    page.locator("#games [data-star]").click()
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector("#favourites >> text=Chutes and Ladders")
    page.locator("#favourites [data-star]").click()
    assert page.locator("#favourites").is_hidden()
    page.locator(".chip-link[href*='=hazard']").click()
    page.wait_for_selector("#games >> text=Hazard, caster, main 5")
    assert page.locator(".chip-link[aria-current]").inner_text().startswith("Hazard")


def test_more_figures_are_one_click_away(tab: Any) -> None:
    page = tab().open("/")
    skewness = page.get_by_text("skewness", exact=True)
    assert skewness.is_hidden()
    page.get_by_text("More figures").click()
    assert skewness.is_visible()


def test_a_wide_screen_has_three_columns_and_a_phone_has_one(tab: Any) -> None:
    page = tab(1920).open("/")
    cards = ("#odds", "#rules", "#rolls")
    boxes = [page.locator(card).bounding_box() for card in cards]
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes)
    assert len({round(box["y"]) for box in boxes}) == 1
    assert boxes[-1]["x"] + boxes[-1]["width"] - boxes[0]["x"] > 0.85 * 1920
    page.set_viewport_size({"width": 390, "height": 844})
    assert len({page.locator(card).bounding_box()["x"] for card in cards}) == 1


def test_three_fans_can_be_told_apart(tab: Any) -> None:
    page = tab(1280).open("/evening?a=pass&b=place-6-8&c=iron-cross&bankroll=60&length=40")
    plots = page.locator("#fan .plot")
    page.wait_for_selector("#fan .plot >> nth=2")
    assert plots.count() == 3
    for n, kind in enumerate(("", "two", "three")):
        bands = plots.nth(n).locator(".band")
        assert bands.count() == 1
        assert bands.get_attribute("class").split() == ["band", *kind.split()]
    names = page.locator("#fan .legend").all_inner_texts()
    assert names == ["Pass line", "Place 6 and 8", "Iron cross"]


def test_runs_of_their_own_are_no_line(tab: Any) -> None:
    page = tab().open("/simulate?games=1000")
    assert page.locator("#funnel .dot").count() == 10
    assert page.locator("#funnel polyline").count() == 0


def test_a_table_begins_without_an_empty_column(tab: Any) -> None:
    page = tab().open("/table?game=craps")
    assert "1.4141 %" in page.locator("#results").inner_text()
    for game in ("pig-turn", "shut-the-box-6"):  # games without bets
        page = tab().open(f"/table?game={game}")
        assert page.locator("#results").count() == 0
        assert page.locator(".felt").bounding_box()["width"] > 1000


def test_figures_on_dice_and_plots_are_of_their_size(tab: Any) -> None:
    style = "one => {const s = getComputedStyle(one); return [s.fontSize, s.fontWeight]}"
    page = tab().open("/dice?dice=no-seven")
    assert page.locator(".face .die text").first.evaluate(style) == ["44px", "400"]
    page = tab().open("/table?seed=3&did=roll*20")
    assert page.locator(".chart text").first.evaluate(style) == ["12px", "400"]


def test_yahtzee_is_played_by_the_space_bar_and_by_clicks(tab: Any) -> None:
    page = tab().open("/table?game=yahtzee&seed=7")
    page.wait_for_selector(".dice .best")
    for n in range(1, 4):
        page.keyboard.press(" ")
        page.wait_for_selector(f"#log tbody tr >> nth={n - 1}")
    page.wait_for_selector("#results:has-text('Every choice was the best')")
    page.locator(".dice a").first.wait_for()
    page.locator(".dice a").nth(1).click()
    page.wait_for_selector(".dice .kept")
    assert "held=1" in page.url
    white = page.locator(".felt .button.main")
    assert white.count() == 1
    assert "best" in white.inner_text()
    page.get_by_text("Hide the coach").click()
    page.wait_for_selector("text=Ask the coach")
    assert page.locator(".dice .best").count() == 0


SEAT = "/table?table=sevenout table;house: minimum=5,props=1;bankroll: 300;currency: $;seed: 1"
PATHS = (
    "/?game=2,3,12/7,11/7;pass:point=6/5&from=2,3,12/7,11/7&pin=crapless",
    "/?game=hazard;main=5",
    "/table?game=yahtzee&seed=4&held=0.2",
    "/table?strategy=three-point-molly&bankroll=60&length=90&did=roll*40",
    "/evening?a=place-6-8:amount=12&b=pass&bankroll=80&hours=1",
    "/evening?game=fast-craps&bets=60",
    "/simulate?games=10000",
    "/variants",
    "/dice?off=0.2",
    "/dice?tab=faults&f0.1=20",
    "/dice?tab=test&taps=012345",
    "/catalogue?q=hazard",
    "/catalogue",
    "/best",
    "/best?game=pig;goal=60&at-mine=20&at-yours=30&at-turn=15",
    "/own",
    "/own?kind=point&name=x&dice=2d6&naturals=7&craps=7&out=8&natural=1&point=1",
    "/ask?question=odds&game=craps-lines",
    "/sheet",
    "/table?game=pig-turn&did=roll*1|roll",
    "/table?do=roll",
    f"{SEAT};pass = 10;roll 4 2;pass odds = 20;come = 10;roll 5 4;place 8 = 6&do=off place 8",
)


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_and_nothing_sticks_out(tab: Any, axe: Any, path: str) -> None:
    page = tab().open(path)
    for width in (390, 768, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide), width
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            axe(page)


def test_a_heavy_page_is_titled_at_once_and_can_be_cancelled(tab: Any) -> None:
    page = tab().open("/")
    # An answer that doesn't come, as of a machine that is busy.
    page.route("**/best?game=pig", lambda route: None)
    before = page.url
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<a id=far href=\"/best?game=pig\">Pig</a>')"
    )
    page.locator("#far").click()
    page.wait_for_selector("#working progress")
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.wait_for_selector("#working", state="detached")
    assert page.url == before
    assert "busy" not in page.evaluate("({...document.documentElement.dataset})")
    cell(page, 5, "craps").click()
    page.wait_for_selector("h2:has-text('Why 74/165')")
