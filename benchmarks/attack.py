"""The lab attacked: its memory on the way, what it answers, and how late.

    python benchmarks/attack.py [REQUESTS]
    python benchmarks/attack.py --heavy [--seconds N]

With `--heavy`, 20 dear questions are asked at once, each until it is answered or N seconds are
over. A page that says that it has to wait is an answer too; how long the slowest answer took is
printed. The memory is looked at four times a second. The most of it is printed, and what is left a
minute later.

Foreign hosts and origins, huge and malformed addresses, markup and nonsense in every field, dear
questions, from four sides at once.
"""

import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from math import inf
from random import Random
from statistics import quantiles
from time import perf_counter, sleep
from urllib.parse import quote

from sevenout.lab.host import is_file

START = "from sevenout.lab.host import serve; serve(port=0, show=False)"
MARKUP = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'"
ATTACKED = ("/", "/table", "/dice", "/open", "/game.toml", "/nowhere", "/catalogue", "/evening")
DEAR = (
    "/simulate?games=1e11&go=1",
    "/evening?a=place-6-8-press&bankroll=99999&hours=999",
    "/best?game=pig",
    "/variants?where=p_num*p_den>1",
    "/dice?dice=6d40",
    "/sheet.pdf",
)
HEAVY = (
    *DEAR,
    *("/best?game=yahtzee", "/table?game=yahtzee", "/best?game=yatzy", "/best?game=farkle"),
    *("/best?game=pig;goal=90", "/table?game=pig;goal=80", "/best?game=pig;goal=70"),
    *("/variants?dice=3d6", "/variants", "/dice?dice=5d60", "/simulate?games=1e9&go=1"),
    *("/evening?a=pass&bankroll=3000&hours=10", "/evening?game=craps&bankroll=2000&hours=20"),
    "/sheet?game=hazard",
)
"""What takes a worker long, or much of its memory."""
LOOKS = 0.25
"""Seconds between two looks at the memory."""
AFTER = 60
"""Seconds after the last answer at which the memory is looked at once more."""
WAVES = 10
FIELDS = (
    *(
        "game",
        "from",
        "pin",
        "bet",
        "seed",
        "rolls",
        "chips",
        "did",
        "games",
        "seen",
        "dice",
        "off",
    ),
    *("tab", "taps", "counts", "log", "more", "a", "b", "strategy", "bankroll", "hours", "house"),
    *("stop_loss", "target", "where", "sort", "page", "q", "card", "as", "to-dice", "to-game"),
    *("to-set", "text", "f0.1"),
)


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("requests", type=int, nargs="?", default=10_000)
    parser.add_argument("--heavy", action="store_true")
    parser.add_argument("--seconds", type=float, default=inf)
    said = parser.parse_args()
    lab = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    address = lab.stdout.readline().split()[4].rstrip("/")
    try:
        host = address.removeprefix("http://")
        if said.heavy:
            heavy(host, lab.pid, said.seconds)
        else:
            attack(host, said.requests, lab.pid)
    finally:
        lab.terminate()
        lab.wait(10)


def attacks(many: int, seed: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Requests that mean no good: the path, and headers."""
    random = Random(seed)
    strange = [
        "%00",
        "%ff%fe",
        "../../etc/passwd",
        "a" * 5_000,
        "-1",
        "9" * 40,
        "1e999",
        "{}",
        "'--",
    ]
    strange += [MARKUP, "2,3/5/7", "7/none/7@99d99", "~eJ" + "x" * 400, "d20{1,2}!", "\u202e"]
    headers = [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Cookie": "x" * 3_000}]
    for _ in range(many):
        kind = random.random()
        if kind < 0.02:
            yield random.choice(DEAR), {}
        elif kind < 0.1:
            yield "/", random.choice(headers)
        elif kind < 0.12:
            yield "/?" + "x" * random.choice((9_000, 40_000, 70_000)), {}
        else:
            fields = random.sample(FIELDS, random.randint(1, 4))
            said = (f"{field}={quote(random.choice(strange), safe='%')}" for field in fields)
            yield f"{random.choice(ATTACKED)}?{'&'.join(said)}", {}


def heavy(host: str, pid: int, seconds: float) -> None:
    """Ask all that is dear at once; print the most memory, and what is left a minute later."""
    from lab import resident

    start, late = perf_counter(), [0.0]

    def asked(url: str) -> int | str:
        while (asked_at := perf_counter()) < start + seconds:
            connection = HTTPConnection(host, timeout=300)
            connection.request("GET", url)
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            if not is_file(url):
                late.append(perf_counter() - asked_at)
            if b"data-next" not in body or b"This takes a moment" not in body:
                return answer.status
            sleep(LOOKS)
        return "told to wait"

    before, most = resident(pid), 0.0
    with ThreadPoolExecutor(len(HEAVY)) as pool:
        answers = [pool.submit(asked, url) for url in HEAVY]
        while not all(answer.done() for answer in answers):
            most = max(most, resident(pid))
            sleep(LOOKS)
    found = Counter(str(answer.result()) for answer in answers)
    print(
        f"{len(HEAVY)} dear questions at once: {dict(sorted(found.items()))}, in "
        f"{perf_counter() - start:.0f} s; the slowest of {len(late) - 1:,} pages took "
        f"{max(late):.1f} s"
    )
    print(f"memory: {before:.0f} MB before, {most:.0f} MB at most, {resident(pid):.0f} MB at last")
    sleep(AFTER)
    print(f"{AFTER} s later: {resident(pid):.0f} MB")


def attack(host: str, many: int, pid: int) -> None:
    """Attack from several sides at once; print the memory, what was answered, how late."""
    from lab import resident  # beside this file, and it takes a browser's driver along

    late: list[tuple[float, str]] = []
    answers: Counter[int] = Counter()

    def send(request: tuple[str, dict[str, str]]) -> None:
        url, headers = request
        start = perf_counter()
        connection = HTTPConnection(host, timeout=60)
        connection.request("GET", url, headers=headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        answers[answer.status] += 1
        late.append((perf_counter() - start, url))

    size = resident(pid)
    print(f"{0:>7,} attacks: {size:6.0f} MB {'█' * round(size / 40)}")
    with ThreadPoolExecutor(4) as pool:
        for seed in range(1, WAVES + 1):
            for _ in pool.map(send, attacks(many // WAVES, seed)):
                pass
            size, done = resident(pid), many * seed // WAVES
            print(f"{done:>7,} attacks: {size:6.0f} MB {'█' * round(size / 40)}", flush=True)
    print(f"{answers.total():,} attacks: {dict(sorted(answers.items()))}")
    for kind in ("page", "file"):
        times = [time for time, url in late if is_file(url) == (kind == "file")]
        p99 = quantiles(times, n=100, method="inclusive")[98]
        print(f"a {kind}: p99 {p99:.2f} s, worst {max(times):.2f} s")


if __name__ == "__main__":
    main()
