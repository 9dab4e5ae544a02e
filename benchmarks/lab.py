"""The lab's memory over 2,000 page loads that are abandoned before their page is opened.

    python benchmarks/lab.py [LOADS]

The lab runs in a process of its own. Its memory after the first wave of loads is compared with that
after the last: what a page takes must be given back, so the ratio is 1 but for noise.
"""

import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep

WAVES = 10
PATHS = ("/", "/table", "/simulate", "/variants", "/dice", "/catalogue")


def main(loads: int) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = f"from sevenout.lab import serve; serve(port={port}, show=False)"
    lab = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        sleep(5)  # what is loaded when the lab starts
        sizes = []
        start = perf_counter()
        for wave in range(WAVES):
            for k in range(loads // WAVES):
                load(port, PATHS[k % len(PATHS)])
            sizes.append(resident(lab.pid))
            print(f"{(wave + 1) * (loads // WAVES):>6,} loads: {sizes[-1]:7.1f} MB")
        seconds = perf_counter() - start
        print(
            f"{sizes[-1] / sizes[0]:.3f} times the memory after the first wave; "
            f"{1000 * seconds / loads:.1f} ms a load"
        )
    finally:
        lab.terminate()
        lab.wait(10)


def load(port: int, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}")


def resident(pid: int) -> float:
    """Resident memory in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.1)
        else:
            return
    raise SystemExit("the lab did not start")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
