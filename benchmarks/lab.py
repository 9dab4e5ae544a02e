"""The lab: from a click to painted odds, in real Chromium; and the server's memory.

    python benchmarks/lab.py [CLICKS] [REQUESTS]

A click moves a total to another role. The clock starts before it and stops after two frames in
which the new odds stand on the page. Then the server is asked for pages, and the memory of its
processes after the first wave is compared with that after the last.
"""

import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from playwright.sync_api import sync_playwright

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
PATHS = ("/", "/?game=hazard;main=5", "/table?rolls=20", "/dice", "/catalogue?q=field", "/nowhere")
WAVES = 10


def main(clicks: int, requests: int) -> None:
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    address = lab.stdout.readline().split()[4].rstrip("/")
    try:
        times = clicked(address, clicks)
        ends = quantiles(times, n=100)
        print(
            f"{clicks:,} clicks: median {median(times):.0f} ms, p95 {ends[94]:.0f} ms, "
            f"p99 {ends[98]:.0f} ms, worst {max(times):.0f} ms"
        )
        asked(address.removeprefix("http://"), requests, lab.pid)
    finally:
        lab.terminate()
        lab.wait(10)


def clicked(address: str, clicks: int) -> list[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        times = []
        for k in range(clicks):
            total = (4, 5, 6, 8, 9, 10)[k // 3 % 6]
            role = ("natural", "craps", "point")[k % 3]
            where = f'a.cell[data-role="{role}"][data-total="{total}"]'
            times.append(page.evaluate(CLICK, where))
        browser.close()
    return times


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
        status = Path(f"/proc/{one}/smaps_rollup").read_text()
        line = next(line for line in status.splitlines() if line.startswith("Pss:"))
        total += int(line.split()[1])
    return total / 1000


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:3]), *(1_000, 10_000)[len(sys.argv[1:3]) :])
