import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the lab is an extra: pip install 'sevenout[lab]'")

CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
START = "from sevenout.lab import serve; serve({options})"

Visit = Callable[[Any], Awaitable[None]]


@pytest.fixture
def visit() -> Callable[[Visit], None]:
    """Runs a coroutine with the framework's simulated user; an error in the lab's log fails it."""
    from nicegui import Client
    from nicegui.testing.user_simulation import user_simulation

    async def run(look: Visit) -> None:
        async with user_simulation(main_file=Path(__file__).with_name("main.py")) as user:
            await look(user)
            Client.page_routes.clear()  # or the framework forgets the whole package on its way out

    return lambda look: asyncio.run(run(look))


@contextmanager
def running(**options: object) -> Iterator[str]:
    """A lab in a process of its own; its address."""
    port = free_port()
    said = ", ".join(f"{k}={v!r}" for k, v in {"port": port, "show": False, **options}.items())
    lab = subprocess.Popen(
        [sys.executable, "-W", "error::ResourceWarning", "-c", START.format(options=said)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
    )
    try:
        _wait_for(port, lab)
        yield f"http://127.0.0.1:{port}"
        assert lab.poll() is None, "the lab did not survive"
    finally:
        lab.send_signal(signal.SIGINT)
        try:
            said, _ = lab.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            lab.kill()
            said, _ = lab.communicate()
    assert "Traceback" not in said, said


def environment() -> dict[str, str]:
    """The environment, without what makes the framework think that it is being tested."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("NICEGUI", "PYTEST"))}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, lab: subprocess.Popen[str]) -> None:
    end = monotonic() + 30
    while monotonic() < end:
        assert lab.poll() is None, lab.communicate()[0]
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.1)
        else:
            return
    raise AssertionError("the lab did not start within 30 s")


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

    def __init__(self, browser: Any, lab: str, width: int, dark: bool) -> None:
        self.lab = lab
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            accept_downloads=True,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
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
        """Load a page and wait until it speaks to the lab."""
        self.page.goto(self.lab + path)
        self.page.wait_for_selector("h1")
        self.page.wait_for_function("window.did_handshake === true")
        return self.page

    def check(self) -> None:
        """Nothing went wrong, nothing left the machine, and nothing sticks out."""
        assert self.errors == []
        assert self.elsewhere == []
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not self.page.evaluate(wide), "the page is wider than the window"


@pytest.fixture
def tab(chromium: Any, lab: str) -> Iterator[Callable[..., Tab]]:
    """Makes tabs; each is checked and closed at the end."""
    tabs: list[Tab] = []

    def make(width: int = 1280, dark: bool = False) -> Tab:
        tabs.append(Tab(chromium, lab, width, dark))
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
