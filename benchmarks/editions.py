"""Both editions of the lab: what a visitor waits for, fetches and keeps in memory; and the build.

    python benchmarks/editions.py [FOLDER] [CLICKS]

FOLDER is a static edition (`sevenout lab --build`); without one it is built first, which is timed
in processor seconds. Its web server sends at most 10 Mbit/s. A shared link is opened in a fresh
browser (cold): until its headline figures are there, and until they are confirmed on the whole
page. Another is opened by the same browser (cached). A click moves a total to another role and ends
when the new odds are painted. "4x" is Chromium's throttle of the page's own thread; Python in a
worker is not throttled by it, only by the load of the machine, which is printed.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from time import monotonic, perf_counter, process_time, sleep
from typing import Any, BinaryIO

from playwright.sync_api import sync_playwright

from lab import ARGS, CLICK, PAINTED, START, moved_about
from sevenout.lab.static.build import build

LINKS = ("2,3,12/7,11/7;pass:point=6/5", "2,3,12/7,11/7;pass:point=7/6")
SHARED = "#shared&title=Craps&figure=67.3232+%25%7Cprofit"
"""A fragment with a figure that is wrong, so that the page has to strike it out."""
BYTES_PER_SECOND = 10e6 / 8
PIECE = 16 * 1024


class Line:
    """A connection of limited speed that all answers share; and what went over it by file."""

    def __init__(self, rate: float) -> None:
        self.rate, self.free, self.lock = rate, monotonic(), Lock()
        self.sent: dict[str, int] = {}

    def carry(self, name: str, size: int) -> None:
        """Wait until this many bytes have gone through."""
        with self.lock:
            self.free = max(self.free, monotonic()) + size / self.rate
            self.sent[name] = self.sent.get(name, 0) + size
            wait = self.free - monotonic()
        sleep(max(0.0, wait))

    def megabytes(self, part: str = "") -> float:
        """What has been sent of the files whose path has this part."""
        return sum(size for name, size in self.sent.items() if part in name) / 1e6


class Slow(SimpleHTTPRequestHandler):
    """A plain web server behind a slow line."""

    line: Line

    def copyfile(self, source: Any, outputfile: BinaryIO) -> None:  # type: ignore[override]
        """Send a file piece by piece."""
        while piece := source.read(PIECE):
            self.line.carry(self.path, len(piece))
            try:
                outputfile.write(piece)
            except OSError:  # the browser has left
                return

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, rate: float) -> Iterator[tuple[str, Line]]:
    """A static edition behind a line: its address, and the line."""
    line = Line(rate)
    handler = type("Handler", (Slow,), {"line": line})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html", line
        server.shutdown()


def linked(page: Any, url: str) -> float:
    """Seconds from a shared link to its answer."""
    start = perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("h1:has-text('other pays')")
    return perf_counter() - start


def memory_of(browser: Any, page: Any) -> tuple[float, float]:
    """Megabytes of a page: its scripts' heap; and its process, shared pages by their share."""
    page.wait_for_timeout(1_000)
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Runtime.getHeapUsage")
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            text = Path(f"/proc/{process['id']}/smaps_rollup").read_text()
            line = next(line for line in text.splitlines() if line.startswith("Pss:"))
            sizes.append(int(line.split()[1]) / 1000)
    # Chromium keeps a spare renderer; the page's own is the largest.
    return metrics["usedSize"] / 1e6, max(sizes)


def read(playwright: Any, home: str, line: Line) -> None:
    """Print what reading pages that are files takes."""
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    line.sent.clear()
    page.goto(home.replace("index", "hazard"))
    painted = page.evaluate(PAINTED)
    heap, process = memory_of(browser, page)
    print(
        f"read hazard.html: painted {painted / 1000:.2f} s, {1000 * line.megabytes():.0f} kB "
        f"fetched, {heap:.1f} MB of scripts, {process:.0f} MB the process",
        flush=True,
    )
    browser.close()


def shared(playwright: Any, home: str, line: Line, rate: int) -> None:
    """Print what a shared link takes, cold and cached."""
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(180_000)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    line.sent.clear()
    start = perf_counter()
    page.goto(f"{home}?game={LINKS[0]}{SHARED}", wait_until="commit")
    page.wait_for_selector("#awaited .figure")
    headline = perf_counter() - start
    page.wait_for_selector("#shared del")
    whole = perf_counter() - start
    parts = {name: line.megabytes(name) for name in ("python-", "lab-")}
    page.wait_for_timeout(10_000)  # what is kept is kept a second after the answer
    cached = linked(page, f"{home}?game={LINKS[1]}")
    _, process = memory_of(browser, page)
    print(
        f"shared link at 10 Mbit/s, {rate}x: headline {headline:.1f} s, everything {whole:.1f} s, "
        f"cached {cached:.1f} s; fetched {parts['python-']:.1f} MB of Python and "
        f"{parts['lab-']:.1f} MB of this release; {process:.0f} MB the process with Python",
        flush=True,
    )
    browser.close()


def clicked(playwright: Any, name: str, home: str, clicks: int) -> None:
    """Print what clicks take."""
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(180_000)
    page.goto(home)
    start = perf_counter()
    page.evaluate(CLICK, 'a.cell[data-role="craps"][data-total="5"]')
    first = perf_counter() - start
    times = moved_about(page, clicks)
    print(
        f"{name}: first click {first:.1f} s; {clicks} clicks: median {median(times):.0f} ms, "
        f"p99 {quantiles(times, n=100)[98]:.0f} ms",
        flush=True,
    )
    browser.close()


def main(folder: Path, clicks: int) -> None:
    """Measure both."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with served(folder, BYTES_PER_SECOND) as (home, line), sync_playwright() as playwright:
        read(playwright, home, line)
        for rate in (1, 4):
            shared(playwright, home, line, rate)
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    try:
        local = lab.stdout.readline().split()[4]
        with served(folder, 1e9) as (home, _), sync_playwright() as playwright:
            clicked(playwright, "local", local, clicks)
            clicked(playwright, "static", home, clicks)
    finally:
        lab.terminate()
        lab.wait(10)
    print(f"load {os.getloadavg()[0]:.1f} at the end")


def built(folder: Path) -> None:
    """Build an edition, and print what that takes."""
    start = process_time()
    pages, size = build(folder)
    own, others = process_time() - start, getrusage(RUSAGE_CHILDREN)
    print(
        f"{pages} pages and {size / 1e6:.1f} MB of Python in {own:.0f} s of processor, and "
        f"{others.ru_utime + others.ru_stime:.0f} s in Node.js",
        flush=True,
    )


if __name__ == "__main__":
    clicks = int(sys.argv[2]) if sys.argv[2:] else 300
    if sys.argv[1:]:
        main(Path(sys.argv[1]), clicks)
    else:
        with TemporaryDirectory() as home:
            built(Path(home, "lab"))
            main(Path(home, "lab"), clicks)
