import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("htpy", reason="the lab is an extra: pip install 'sevenout[lab]'")
pytest.importorskip("uvicorn", reason="the lab is an extra: pip install 'sevenout[lab]'")

FACES = {"Sevenout Text", "Sevenout Data", "!DejaVu Sans Mono"}
"""The lab's two typefaces, and the machine's own for code."""
CHROMIUM = "/usr/bin/chromium"
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
START = """
from sevenout.lab import worker
from sevenout.lab.host import serve

worker.TIME_LIMITS["quick"] = 60.0  # however busy the machine is
serve(port={port}, show=False)
"""


@contextmanager
def running(port: int = 0, program: str = START) -> Iterator[str]:
    """A lab in a process of its own; its address."""
    lab = subprocess.Popen(
        [sys.executable, "-c", program.format(port=port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
    )
    assert lab.stdout is not None
    try:
        said = lab.stdout.readline()
        assert "http://" in said, lab.communicate(timeout=5)
        yield said.split()[4].rstrip("/")
        assert lab.poll() is None, "the lab did not survive"
    finally:
        lab.send_signal(signal.SIGINT)
        try:
            _, wrong = lab.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            lab.kill()
            _, wrong = lab.communicate()
    assert "Traceback" not in wrong, wrong
    assert "Error" not in wrong, wrong


@pytest.fixture(scope="session")
def lab() -> Iterator[str]:
    """The address of a running lab."""
    with running() as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium; closed with the module: its event loop is in other tests' way."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no Chromium at {CHROMIUM}; install Debian's package chromium")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright drives the browser")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


class Tab:
    """A page of the lab in a browser, and everything that went wrong on it."""

    def __init__(self, browser: Any, lab: str, width: int, dark: bool, script: bool) -> None:
        self.lab = lab
        self.context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.lab, "data:", "blob:")):
            self.elsewhere.append(request.url)

    def open(self, path: str) -> Any:
        """Load a page."""
        self.page.goto(self.lab + path)
        self.page.wait_for_selector("h1")
        self.page.wait_for_selector("progress:not([value])", state="detached")  # worked out
        return self.page

    def check(self) -> None:
        """Nothing went wrong, nothing left the machine."""
        assert self.errors == []
        assert self.elsewhere == []


def typefaces(page: Any) -> set[str]:
    """The typefaces that the glyphs of a page come from; "!" marks those of the machine."""
    page.evaluate("document.fonts.ready")
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    body = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "body"})
    fonts = devtools.send("CSS.getPlatformFontsForNode", body)["fonts"]
    devtools.detach()
    return {("" if font["isCustomFont"] else "!") + font["familyName"] for font in fonts}


@pytest.fixture
def tab(chromium: Any, lab: str) -> Iterator[Callable[..., Tab]]:
    """Makes tabs; each is checked and closed at the end."""
    tabs: list[Tab] = []

    def make(width: int = 1280, dark: bool = False, script: bool = True) -> Tab:
        tabs.append(Tab(chromium, lab, width, dark, script))
        return tabs[-1]

    yield make
    for one in tabs:
        one.check()
        one.context.close()


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], None]:
    """Lets axe-core look at a page, and fails on whatever it finds."""
    reason = "axe-core comes with axe-playwright-python"
    core = pytest.importorskip("axe_playwright_python.sync_playwright", reason=reason)

    def look(page: Any) -> None:
        found = core.Axe().run(page).response["violations"]
        said = [(v["id"], [n["html"][:160] for n in v["nodes"]][:3]) for v in found]
        assert said == [], json.dumps(said, indent=1)

    return look
