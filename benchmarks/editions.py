"""Both editions of the lab in one run: the first answer, shared links, clicks; fast and slow.

    python benchmarks/editions.py [FOLDER] [CLICKS]

FOLDER is a static edition (`sevenout lab --build`); without one it is built first. A shared link is
opened in a fresh browser (cold), another by the same browser (cached). A click moves a total to
another role and ends when the new odds are painted. "4x" is Chromium's throttle of the page's own
thread; Python in a worker is not throttled by it. The load of the machine is printed, since it
moves every figure.
"""

import os
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright

from lab import ARGS, CLICK, PAINTED, START, moved_about
from sevenout.lab.static.build import build

LINKS = ("2,3,12/7,11/7;pass:point=6/5", "2,3,12/7,11/7;pass:point=7/6")


class Quiet(SimpleHTTPRequestHandler):
    """A plain web server."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def linked(page: Any, url: str) -> float:
    """Seconds from a shared link to its answer."""
    start = perf_counter()
    page.goto(url)
    page.wait_for_selector("h1:has-text('other pays')")
    return perf_counter() - start


def measured(browser: Any, name: str, home: str, clicks: int) -> None:
    """Print what one edition takes."""
    for rate in (1, 4):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
        cold = linked(page, f"{home}?game={LINKS[0]}")
        page.wait_for_timeout(4_000)  # what is kept is kept a second after the answer
        cached = linked(page, f"{home}?game={LINKS[1]}")
        page.goto(home)
        first = page.evaluate(PAINTED)
        start = perf_counter()
        page.evaluate(CLICK, 'a.cell[data-role="craps"][data-total="5"]')
        interactive = perf_counter() - start
        times = moved_about(page, clicks)
        print(
            f"{name}, {rate}x: link cold {cold:.1f} s, cached {cached:.1f} s; first page painted "
            f"{first / 1000:.2f} s, its first click {interactive:.1f} s; {clicks} clicks: median "
            f"{median(times):.0f} ms, p99 {quantiles(times, n=100)[98]:.0f} ms",
            flush=True,
        )
        context.close()


def main(folder: Path, clicks: int) -> None:
    """Measure both."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    local = lab.stdout.readline().split()[4]
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        try:
            measured(browser, "local", local, clicks)
            there = f"http://127.0.0.1:{server.server_port}/index.html"
            measured(browser, "static", there, clicks)
        finally:
            browser.close()
            server.shutdown()
            lab.terminate()
            lab.wait(10)


if __name__ == "__main__":
    clicks = int(sys.argv[2]) if sys.argv[2:] else 300
    if sys.argv[1:]:
        main(Path(sys.argv[1]), clicks)
    else:
        with TemporaryDirectory() as made:
            build(Path(made, "lab"))
            main(Path(made, "lab"), clicks)
