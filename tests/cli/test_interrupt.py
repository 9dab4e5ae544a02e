"""Ctrl-C at any moment: a real second process, a real SIGINT, no traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGINT")
PYTHONS_OWN = ("<frozen site>", "<frozen runpy>")
"""In these frames the interpreter is still starting, and none of ours has run."""


def pressed(words: list[str], after: float) -> subprocess.CompletedProcess[str]:
    """What is left of a command that is interrupted so many seconds after its start."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-m", "sevenout", *words], stdout=pipe, stderr=pipe, text=True
    ) as child:
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        try:
            out, err = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()  # it may say why: Python's start can drop a signal too
    return subprocess.CompletedProcess(words, child.returncode, out, err)


@pytest.mark.parametrize("hundredths", [5, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50])
@pytest.mark.parametrize("words", [["simulate", "craps", "--games", "1e13"], ["odds", "hazard"]])
def test_ctrl_c_leaves_without_a_traceback(words: list[str], hundredths: int) -> None:
    for _ in range(20):
        done = pressed(words, hundredths / 100)
        if done.returncode == -signal.SIGINT or any(frame in done.stderr for frame in PYTHONS_OWN):
            hundredths += 5  # a busy machine: Python had not come as far as the program
            continue
        break
    assert done.stderr == ""
    assert done.returncode == 130 or (words[0] == "odds" and done.returncode == 0)


PRESS = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
WHILE_LOADING = f"""
class Finder:
    def find_spec(self, name, *_):
        if name == "cyclopts":
            {PRESS}

sys.meta_path.insert(0, Finder())
"""
IN_AN_EXEC = f"""
import sevenout.cli

def main():
    try:
        exec({PRESS!r})
    except KeyboardInterrupt:
        return 130

sevenout.cli.main = main
"""
AS_ANOTHER_ERROR = f"""
import sevenout.cli

def main():
    try:
        {PRESS}
    except KeyboardInterrupt:
        raise ImportError("as packages do that break off while they load") from None

sevenout.cli.main = main
"""
IN_A_FINALIZER = f"""
import time, sevenout.cli

class Dropped:
    def __del__(self):
        {PRESS}

def main():
    try:
        Dropped()
        time.sleep(30)
    except KeyboardInterrupt:
        return 130

sevenout.cli.main = main
"""
AT_THE_END = f"""
import atexit, sevenout.cli

@atexit.register
def press():
    {PRESS}

sevenout.cli.main = lambda: 0
"""


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (WHILE_LOADING, 130),
        (IN_AN_EXEC, 130),
        (AS_ANOTHER_ERROR, 130),
        (IN_A_FINALIZER, 130),
        (AT_THE_END, 0),
    ],
)
def test_awkward_moments(moment: str, code: int) -> None:
    program = f"import sys\n{moment}\nfrom sevenout.__main__ import run\nrun()"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
