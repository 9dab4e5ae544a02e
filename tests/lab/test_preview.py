"""What links unfold to, and how a page is shared: tags, pictures, a menu, cards in other pages."""

import re
import struct
from functools import partial
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from sevenout.lab.address import Address
from sevenout.lab.host import FRAMED_POLICY, is_embedded
from sevenout.lab.pages import PAGES
from sevenout.lab.site import page
from sevenout.lab.static import build as building
from sevenout.lab.static.browser import static_url
from sevenout.lab.static.build import with_folder_previews
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.preview import HEIGHT, LAB_PREVIEW, WIDTH
from tests.lab.test_browser import until
from tests.lab.test_door import ask

TAG = re.compile(r'<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">')
BASE = "https://example.org/lab"
SAID = {
    "/": ("Craps", "49.2929 %"),
    "/?game=2,3,12/7,11/7;pass:point=6/5": ("Craps, other pays", "−4.0000 %"),
    "/?game=hazard;main=5": ("Hazard, main 5", "49.2416 %"),
    "/best": ("Pig, one turn, played best", "8.1418"),
    "/evening?a=pass&bankroll=9&length=12": ("Pass line", "ends ahead"),
    "/evening?a=pass&b=iron-cross&bankroll=30&length=12": ("Pass line, Iron cross", "ends ahead"),
    "/simulate?games=1000": ("Craps, simulated", "won"),
    "/catalogue?q=field": ("All games", "exact odds"),
}
"""What the tags of a page say: its title, and of its figures one."""


def tags(url: str, base: str = BASE) -> dict[str, str]:
    found = TAG.findall(page(url, "", base).body.decode())
    assert len(found) == len(dict(found)), "each tag once"
    return {name: unescape(text) for name, text in found}


@pytest.mark.parametrize("url", SAID)
def test_a_link_unfolds_with_its_title_and_figure(url: str) -> None:
    said = tags(url)
    title, figure = SAID[url]
    assert said["og:title"] == said["twitter:title"] == title
    assert figure in said["og:description"]
    assert said["og:url"] == f"{BASE}{Address.read(url)}"
    assert said["og:type"] == "website"
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:image"] == said["twitter:image"]
    assert said["og:image"].startswith(BASE)
    assert title in said["og:image:alt"]
    assert len(said["twitter:image:alt"]) <= 420


def unfolds(said: dict[str, str], url: str, kinds: int = 15) -> None:
    """What https://ogp.me and X's documentation ask of the tags of a page with a picture."""
    assert len(said) == kinds
    assert said["og:type"] == "website"
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:url"] == url
    assert len(said["og:title"]) > 0
    assert 0 < len(said["twitter:title"]) <= 70
    assert 0 < len(said["twitter:description"]) <= 200
    assert 0 < len(said["og:image:alt"]) <= 420
    assert said["twitter:image:alt"] == said["og:image:alt"]
    assert said["og:image"] == said["twitter:image"]
    assert said["og:image"].startswith(f"{BASE}/")
    assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
    assert said["og:image:type"] == "image/png"


LONG = "/evening?bankroll=9&length=9" + "".join(
    f"&{place}=place-6-8:amount=12,most={most},press=power"
    for place, most in zip("abc", (60, 90, 120), strict=True)
)
FILES = ("/open", "/game.toml", "/table.txt", "/sheet", "/sheet.pdf")
"""Addresses of files, of forms, that moved, and of the sheet, which takes seconds."""


@pytest.mark.parametrize("url", [*(path for path in PAGES if path not in FILES), LONG])
def test_each_page_unfolds_by_the_specifications(url: str) -> None:
    said = tags(url)
    moved = Address.read(url).path == "/table"  # its address holds the whole session
    unfolds(said, said["og:url"] if moved else f"{BASE}{Address.read(url)}")
    assert said["og:url"].startswith(f"{BASE}{Address.read(url).path}")


def test_each_file_of_the_static_edition_unfolds_by_the_specifications() -> None:
    """Its picture is one of those that are drawn, or that of the lab."""
    for url in building._addresses():
        picture = str(Address.read(url).to(**{"as": "png"}))
        head = "".join(
            map(str, preview.meta_tags(preview.LAB_PREVIEW, Address.read(url), BASE, picture))
        )
        said = {
            name: unescape(text)
            for name, text in TAG.findall(with_folder_previews(url, head, BASE))
        }
        name = static_url(url)[2:]
        unfolds(said, BASE + ("/" if url == "/" else f"/{name}"))
        drawn = f"{name.removesuffix('.html')}.png" if "?" in url else building.PICTURE
        assert said["og:image"] == f"{BASE}/{drawn}"


@pytest.mark.parametrize("url", [*SAID][::3])
def test_its_picture_is_as_large_as_the_tags_say(url: str) -> None:
    said = tags(url)
    made = page(said["og:image"].removeprefix(BASE))
    assert made.media_type == said["og:image:type"] == "image/png"
    assert made.body.startswith(b"\x89PNG")
    size = struct.unpack(">II", made.body[16:24])
    assert size == (WIDTH, HEIGHT) == (int(said["og:image:width"]), int(said["og:image:height"]))
    assert len(made.body) < 300_000, "the limits are 5 MB and more"
    drawn = page(said["og:image"].removeprefix(BASE).replace("as=png", "as=svg"))
    words = "".join(fromstring(drawn.body).itertext())
    assert SAID[url][0].split(",")[0] in words


def test_where_nobody_knows_the_address_no_picture_is_named() -> None:
    said = tags("/", base="")
    assert "og:image" not in said
    assert "og:url" not in said
    assert said["twitter:card"] == "summary"


def test_a_name_is_text_in_a_tag_and_in_a_picture() -> None:
    game = "2,3,12/7,11/7"
    assert fromstring(page(f"/?game={game}&as=svg").body).tag.endswith("svg")
    wrong = page('/?game="><script>alert(1)</script>', "", BASE).body.decode()
    assert "<script>alert" not in wrong


def test_a_file_of_the_static_edition_names_files() -> None:
    url = "/?game=hazard"
    html = with_folder_previews(url, page(url, "", BASE).body.decode(), BASE)
    said = dict(TAG.findall(html))
    assert said["og:url"] == f"{BASE}/hazard.html"
    assert said["og:image"] == said["twitter:image"] == f"{BASE}/hazard.png"
    html = with_folder_previews("/", page("/", "", BASE).body.decode(), BASE)
    said = dict(TAG.findall(html))
    assert said["og:title"] == LAB_PREVIEW.title, "the file of a tab is sent for any query of it"
    assert said["og:image"] == f"{BASE}/sevenout.png"


def test_only_a_card_by_itself_may_stand_in_a_frame(lab: str) -> None:
    far = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    assert ask(lab, "/", **far).status == 403
    assert ask(lab, "/?card=odds&as=csv", **far).status == 403
    answer = ask(lab, "/?card=odds&as=html", **far)
    assert answer.status == 200
    assert answer.getheader("content-security-policy") == FRAMED_POLICY
    assert "49.2929" in answer.text
    assert "<nav" not in answer.text
    assert ask(lab, "/?card=none&as=html", **far).status == 400
    assert is_embedded("card=odds&as=html")
    assert not is_embedded("as=html")


class Foreign(BaseHTTPRequestHandler):
    """Another site's page, in which a card stands."""

    def __init__(self, frame: str, *args: Any) -> None:
        self.frame = frame
        super().__init__(*args)

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>blog</title>{self.frame}".encode())

    def log_message(self, *_: Any) -> None:
        pass


def test_a_page_is_shared_from_its_menu(tab: Any) -> None:
    one = tab()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = one.open("/?game=hazard;main=5")
    clipboard = "navigator.clipboard.readText()"
    page.get_by_text("Share", exact=True).click()
    page.get_by_text("Copy link").click()
    until(page, f"{clipboard}.then((t) => t === location.href)")
    page.get_by_text("Copy text").click()
    until(page, f"{clipboard}.then((t) => t.endsWith(location.href))")
    assert page.evaluate(clipboard).startswith("Hazard, main 5. house edge, per bet made: 1.5168 %")
    with page.expect_download() as saved:
        page.get_by_text("Save picture").click()
    with open(saved.value.path(), "rb") as file:
        assert file.read(4) == b"\x89PNG"
    menu = page.locator(".share > div")
    page.keyboard.press("Escape")
    assert menu.is_hidden()
    assert page.evaluate("document.activeElement.innerText") == "Share"
    page.keyboard.press("Enter")
    page.get_by_text("Copy embed code").click()
    until(page, f"{clipboard}.then((t) => t.startsWith('<iframe'))")
    frame = page.evaluate(clipboard)
    assert f'src="{page.url.partition("?")[0]}?' in frame
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Foreign, frame)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        blog = one.context.new_page()
        blog.goto(f"http://localhost:{server.server_port}/")
        card = blog.frame_locator("iframe").locator("#odds")
        card.wait_for()
        assert "49.2416" in card.inner_text()
        with one.context.expect_page() as opened:
            blog.frame_locator("iframe").locator(".source a").click()
        opened.value.wait_for_selector("h1:text-is('Hazard, main 5')")
        server.shutdown()


def test_the_menu_stays_on_a_phone(tab: Any) -> None:
    page = tab(390).open("/")
    page.get_by_text("Share", exact=True).click()
    box = page.locator(".share > div").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    page.locator("#bar .item").first.click()
    assert page.locator(".share > div").is_hidden()
