"""Screenshots of the lab for the documentation: starts the lab, visits every page, takes pictures.

    python docs/pictures/lab_screenshots.py [FOLDER] [CHROMIUM]

Needs the extra `lab`, Playwright's Python package and Debian's package chromium.
"""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PAGES = {
    "game": "/?game=2,3,12/7,11/7",
    "table": "/table?game=craps-lines&seed=3&did=roll*150",
    "evening": "/evening",
    "simulate": "/simulate?games=2e7",
    "variants": "/variants",
    "dice": "/dice?dice=no-seven",
}
LOOKS = {"wide-light": (1280, "light"), "narrow-dark": (390, "dark")}
START = "from sevenout.lab.host import serve; serve(port=0, show=False)"


def main(folder: Path, chromium: str) -> None:
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    address = lab.stdout.readline().split()[4].rstrip("/")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
            for look, (width, theme) in LOOKS.items():
                page = browser.new_page(
                    viewport={"width": width, "height": 900},
                    color_scheme=theme,
                    reduced_motion="reduce",
                )
                page.set_default_timeout(60_000)
                for name, path in PAGES.items():
                    if width < 500 and name not in ("game", "table"):
                        continue
                    page.goto(address + path)
                    page.wait_for_selector("a[data-next]", state="detached")
                    page.wait_for_timeout(200)
                    page.screenshot(path=folder / f"{name}-{look}.png")
                    print(f"{name}-{look}.png")
            browser.close()
    finally:
        lab.terminate()
        lab.wait(10)


if __name__ == "__main__":
    here = Path(__file__).parent / "lab"
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else here,
        sys.argv[2] if len(sys.argv) > 2 else "/usr/bin/chromium",
    )
