"""Screenshots of the lab for the documentation: starts the lab, visits every page, takes pictures.

    python docs/pictures/lab_screenshots.py [FOLDER] [CHROMIUM] [--all]

Takes the wide pages in light and the narrow ones in dark; with --all, both widths in both.

Needs the extra `lab`, Playwright's Python package and Debian's package chromium.
"""

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

from playwright.sync_api import Page, sync_playwright

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
WIDTHS = {"wide": 1280, "narrow": 390}
HEIGHT = 900
LOOKS = [("wide", "light"), ("narrow", "dark"), ("wide", "dark"), ("narrow", "light")]


def game(page: Page) -> None:
    page.wait_for_selector("text=244/495")


def table(page: Page) -> None:
    for n in range(1, 41):
        page.get_by_role("button", name="Roll", exact=True).click()
        page.wait_for_function(f"document.querySelectorAll('.log li').length >= {min(n, 12)}")


def simulate(page: Page) -> None:
    page.get_by_label("Games", exact=True).fill("3e9")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("text=agrees with", timeout=120_000)


def variants(page: Page) -> None:
    page.wait_for_selector("tbody tr:nth-child(25)", timeout=120_000)
    page.get_by_role("button", name="Find the fairest").click()
    page.wait_for_selector("text=variants attain it", timeout=120_000)


def dice(page: Page) -> None:
    page.get_by_label("Take 7 off the second die").click()
    page.wait_for_selector("text=7 never comes")


def faults(page: Page) -> None:
    page.get_by_label("Face 6 of die 1, percent heavier").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=+20 %")
    page.wait_for_selector("th:text-is('relabelled d30')")


def dice_test(page: Page) -> None:
    page.get_by_label("Or paste the rolls").fill("face,count\n1,90\n2,90\n3,90\n4,90\n5,90\n6,150")
    page.locator("h1").click()
    page.wait_for_selector("text=These dice are not what they should be")


def catalogue(page: Page) -> None:
    page.wait_for_selector("[role=status]:has-text('Solving')", state="detached", timeout=120_000)


PAGES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "game": ("/", game),
    "table": ("/table?game=fast-craps&seed=4", table),
    "simulate": ("/simulate?entry=fast-craps", simulate),
    "variants": ("/variants", variants),
    "dice": ("/dice", dice),
    "faults": ("/dice?show=faults", faults),
    "dice-test": ("/dice?show=test", dice_test),
    "catalogue": ("/catalogue", catalogue),
}


def main(folder: Path, chromium: str, everything: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = f"from sevenout.lab import serve; serve(port={port}, show=False)"
    lab = subprocess.Popen([sys.executable, "-c", code])
    try:
        _wait_for(port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
            for size, look in LOOKS if everything else LOOKS[:2]:
                _visit(browser, f"http://127.0.0.1:{port}", folder, size, look)
            browser.close()
    finally:
        lab.terminate()
        lab.wait(10)


def _visit(browser: Any, home: str, folder: Path, size: str, look: str) -> None:
    viewport = {"width": WIDTHS[size], "height": HEIGHT}
    context = browser.new_context(viewport=viewport, color_scheme=look)
    page = context.new_page()
    for name, (path, prepare) in PAGES.items():
        page.goto(home + path)
        page.wait_for_selector("h1")
        page.wait_for_function("window.did_handshake === true")
        prepare(page)
        page.wait_for_timeout(300)
        picture = folder / f"{name}-{size}-{look}.png"
        page.screenshot(path=picture, full_page=True)
        print(picture)
    context.close()


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.1)
        else:
            return
    raise SystemExit("the lab did not start")


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--all"]
    main(
        Path(arguments[0]) if arguments else Path(__file__).with_name("lab"),
        arguments[1] if len(arguments) > 1 else "/usr/bin/chromium",
        "--all" in sys.argv,
    )
