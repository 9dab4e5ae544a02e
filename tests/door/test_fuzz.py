"""Random files, commands and calls: no traceback, and no budget that is not kept."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.door.fuzz import MEMORY, SECONDS
from tests.randomness import SEED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="forks and /proc"),
]

KINDS = ("files", "commands", "calls")
LEAST = 10
ROOT = Path(__file__).parents[2]
SPARE = 2.0
"""Seconds for the start of a process, on a machine that has other things to do."""


def wrong(kind: str, result: dict[str, Any]) -> str:
    """What is wrong with a result; nothing if it is right."""
    err = result["err"]
    theirs = re.match(r"sevenout: \S+\.py(:| fails:) ", err)  # the error of a user's program
    if "Traceback" in err or ("Error:" in err and not theirs):
        return "a traceback"
    if min(result["wall"], result["cpu"]) > 2 * SECONDS + SPARE:
        return f"{result['wall']:.1f} s"
    if result["bytes"] > 1.3 * MEMORY + 3e8:
        return f"{result['bytes'] / 1e9:.2f} GB"
    if kind == "calls":
        return "" if result["code"] == 0 else f"code {result['code']}"
    if result["code"] not in (0, 1, 2):
        return f"code {result['code']}"
    ours = err.startswith("sevenout: ") or "--check" in result["case"]  # a program by itself
    if result["code"] == 2 and (err.count("\n") != 1 or not ours):
        return "not one line"
    if not err.replace("\n", "").isprintable() or len(err) > 450:
        return "no line to be printed"
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_gets_through(kind: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.door.fuzz", kind, SEED, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "OPENBLAS_NUM_THREADS": "1"},
    )
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr[-2_000:]
    assert len(results) >= LEAST
    faults = [
        f"{kind} {each['number']}: {fault}: {each['case'][:150]!r}: {each['err'][-400:]}"
        for each in results
        if (fault := wrong(kind, each))
    ]
    assert not faults, f"{len(faults)} of {len(results)}:\n" + "\n".join(faults)
    assert not list(tmp_path.rglob(".sevenout-*"))
