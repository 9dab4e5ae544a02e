"""The lab: from a click to painted odds, in real Chromium; and the server's memory.

    python benchmarks/lab.py [CLICKS] [REQUESTS]
    python benchmarks/lab.py --static [CLICKS]

A click moves a total to another role. The clock starts before it and stops after two frames in
which the new odds stand on the page. Then the server is asked for pages, and the memory of its
processes after the first wave is compared with that after the last.

Of the static edition: the first paint, until Python is there, the clicks, every game of the
catalogue as the page's Python makes it beside the local page, and a second visit.
"""

import subprocess
import sys
from functools import partial
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter, process_time
from typing import Any

from playwright.sync_api import sync_playwright

from sevenout.catalogue import games
from sevenout.lab.static.browser import answer
from sevenout.lab.static.build import as_in_the_page, build

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
START = "from sevenout.lab.host import serve; serve(port=0, show=False)"
CLICK = """(where) => new Promise((done) => {
  const bar = document.querySelector("#bar");
  const before = bar.textContent;
  const start = performance.now();
  const seen = new MutationObserver(() => {
    if (bar.textContent === before) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  });
  seen.observe(bar, {subtree: true, childList: true, characterData: true, attributes: true});
  document.querySelector(where).click();
})"""
PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime
  ?? performance.now()"""
THERE = """async () => {
  await (await lab.ask("./index.html?game=craps")).text();
  return performance.now();
}"""
ALL = """async (all) => {
  const found = [];
  for (const one of all) {
    const start = performance.now(), text = await (await lab.ask("./" + one)).text();
    found.push([text, performance.now() - start]);
  }
  return found;
}"""
PATHS = (
    "/",
    "/?game=hazard;main=5",
    "/table?game=craps&did=roll*20",
    "/dice",
    "/catalogue?q=field",
    "/nowhere",
)
WAVES = 10


def static(clicks: int) -> None:
    with TemporaryDirectory() as home:
        folder = Path(home, "lab")
        start = process_time()
        pages, size = build(folder)
        print(f"{pages} pages and {size / 1e6:.1f} MB of Python in {process_time() - start:.0f} s")
        asks: list[str] = []

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                asks.append(self.path)
                super().do_GET()

            def log_message(self, *_: object) -> None:
                pass

        handler = partial(Handler, directory=str(folder))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            visited(f"http://127.0.0.1:{server.server_port}/", clicks, asks)
            server.shutdown()


def visited(address: str, clicks: int, asks: list[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for visit in ("first", "second"):
            asks.clear()
            page.goto(address)
            painted = page.evaluate(PAINTED)
            there = page.evaluate(THERE)
            heavy = [path for path in asks if "python-" in path or "lab-" in path]
            print(
                f"{visit} visit: painted after {painted:.0f} ms, Python there after "
                f"{there / 1000:.1f} s, {len(asks)} files asked for, {len(heavy)} of Python"
            )
        tell(moved_about(page, clicks))
        addresses = [f"index.html?game={name}" for name in games.without_choices]
        found = page.evaluate(ALL, addresses)
        browser.close()
    with as_in_the_page():
        local = [answer(url)[4].decode() for url in games]
    same = [html == mine for (html, _), mine in zip(found, local, strict=True)]
    times = [ms for _, ms in found]
    print(
        f"{sum(same)} of {len(same)} games of the catalogue are alike, here and in the page; "
        f"median {median(times):.0f} ms, worst {max(times):.0f} ms"
    )
    assert all(same)


def main(clicks: int, requests: int) -> None:
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    address = lab.stdout.readline().split()[4].rstrip("/")
    try:
        times = clicked(address, clicks)
        tell(times)
        asked(address.removeprefix("http://"), requests, lab.pid)
    finally:
        lab.terminate()
        lab.wait(10)


def clicked(address: str, clicks: int) -> list[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        times = moved_about(page, clicks)
        browser.close()
    return times


def moved_about(page: Any, clicks: int) -> list[float]:
    times = []
    for k in range(clicks):
        total = (4, 5, 6, 8, 9, 10)[k // 3 % 6]
        role = ("natural", "craps", "point")[k % 3]
        where = f'a.cell[data-role="{role}"][data-total="{total}"]'
        times.append(page.evaluate(CLICK, where))
    return times


def tell(times: list[float]) -> None:
    ends = quantiles(times, n=100)
    print(
        f"{len(times):,} clicks: median {median(times):.0f} ms, p95 {ends[94]:.0f} ms, "
        f"p99 {ends[98]:.0f} ms, worst {max(times):.0f} ms"
    )


def asked(host: str, requests: int, pid: int) -> None:
    start, sizes = perf_counter(), []
    for wave in range(WAVES):
        for k in range(requests // WAVES):
            connection = HTTPConnection(host, timeout=30)
            connection.request("GET", PATHS[k % len(PATHS)])
            connection.getresponse().read()
            connection.close()
        sizes.append(resident(pid))
        print(f"{(wave + 1) * (requests // WAVES):>6,} requests: {sizes[-1]:7.1f} MB")
    each = 1000 * (perf_counter() - start) / requests
    print(f"{sizes[-1] / sizes[0]:.3f} times the memory after the first wave; {each:.1f} ms each")


def resident(pid: int) -> float:
    """Megabytes of a process and all below it, shared pages counted once for each."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    family = [pid]
    for one in family:
        family += children.get(one, [])
    total = 0
    for one in family:
        try:
            status = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:  # it has ended since
            continue
        line = next((line for line in status.splitlines() if line.startswith("Pss:")), "Pss: 0")
        total += int(line.split()[1])
    return total / 1000


if __name__ == "__main__" and sys.argv[1:2] == ["--static"]:
    static(int(sys.argv[2]) if sys.argv[2:] else 1_000)
elif __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:3]), *(1_000, 10_000)[len(sys.argv[1:3]) :])
