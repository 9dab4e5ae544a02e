"""The malformed inputs: one line on standard error, exit code 2, in time and in little memory."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.malformed import ANSWER, BYTES, SECONDS, Case, cases, make_files, words_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, pipes and /dev are Linux's")

CASES = cases()
SAMPLE = [case for case in CASES if not case["stdin"]][:: len(CASES) // 15]
ROOT = Path(__file__).parents[2]


def test_there_are_five_hundred() -> None:
    assert len(CASES) > 500


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("malformed")
    make_files(made)
    return made


@pytest.fixture(scope="module", params=[8, pytest.param(1, marks=pytest.mark.slow)])
def results(folder: Path, request: pytest.FixtureRequest) -> list[tuple[Case, dict[str, Any]]]:
    """What came of every eighth case; of each, in the second step."""
    tried = CASES[:: request.param]
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.malformed", folder],
        input=json.dumps(tried),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    answers = map(json.loads, done.stdout.splitlines())
    return list(zip(tried, answers, strict=True))


def wrong(case: Case, result: dict[str, Any]) -> str | None:
    """What is wrong with a result."""
    err = result["err"]
    if result["seconds"] > (ANSWER if case["bomb"] and result["code"] == 0 else SECONDS):
        return f"{result['seconds']:.1f} s"
    if result["bytes"] > BYTES:
        return f"{result['bytes'] / 1e9:.1f} GB"
    if case["bomb"] and result["code"] == 0:
        return None if not err else "talks"
    if "Traceback" in err or result["code"] != 2:
        return f"code {result['code']}"
    if err.count("\n") != 1 or not err.removesuffix("\n").isprintable():
        return "more than a line"
    if not 20 < len(err) < 400 or not err.startswith("sevenout: "):
        return f"{len(err)} characters"
    talks = case["bomb"] or case["words"][0] == "play"  # what a game is called comes first
    return "an answer" if result["out"] and not talks else None


def test_each_is_refused_in_one_line(results: list[tuple[Case, dict[str, Any]]]) -> None:
    faults = [
        f"{' '.join(case['words'])[:100]!r} {case['stdin']!r}: {fault}: {result['err'][-300:]}"
        for case, result in results
        if (fault := wrong(case, result))
    ]
    assert not faults, f"{len(faults)} of {len(results)}:\n" + "\n".join(faults)


def test_what_was_there_still_is(results: list[tuple[Case, dict[str, Any]]], folder: Path) -> None:
    assert results
    assert (folder / "FILE").read_text() == "precious"
    assert (folder / "PIPE").is_fifo()
    assert (folder / "LOOP").is_symlink()
    assert list((folder / "FOLDER").iterdir()) == []
    assert not list(folder.rglob("*.part"))


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: " ".join(case["words"])[:50])
def test_a_real_process(case: Case, folder: Path) -> None:
    """The sample, as a user would run it; /usr/bin/time's figures are those of wait4."""
    words = words_of(case)
    if max(map(len, words), default=0) > 100_000:
        pytest.skip("longer than a word of a command line may be")
    process = subprocess.Popen(
        [sys.executable, "-m", "sevenout", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert process.stdout
    assert process.stderr
    out, err = process.stdout.read(), process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    result = {
        "code": process.returncode,
        "out": len(out),
        "err": err,
        "seconds": used.ru_utime + used.ru_stime,
        "bytes": used.ru_maxrss * 1024,
    }
    assert wrong(case, result) is None, result
