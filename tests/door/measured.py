"""A command and what it used, measured from a small process.

The most memory of a child counts what its parent had when it was forked, so a large parent, such as
a worker of pytest, can't measure a small child.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SMALL = """
import json, os, subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "sevenout", *sys.argv[2:]])
_, status, used = os.wait4(child.pid, 0)
with open(sys.argv[1], "w") as file:
    code, cpu = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
    json.dump([code, cpu, used.ru_maxrss * 1024], file)
"""


class Measured(NamedTuple):
    """What a command said and used.

    Attributes:
        code: its exit code.
        cpu: the seconds of the processor.
        memory: the most bytes that it had.
        said: what it wrote on either stream.
    """

    code: int
    cpu: float
    memory: int
    said: str


def measured(folder: Path, *words: str) -> Measured:
    """Run a command in a folder."""
    used, out = folder / "used.json", folder / "said.txt"
    with out.open("wb") as file:
        subprocess.run(
            [sys.executable, "-c", SMALL, str(used), *words],
            stdout=file,
            stderr=file,
            cwd=folder,
            check=True,
        )
    code, cpu, memory = json.loads(used.read_text())
    return Measured(code, cpu, memory, out.read_text())
