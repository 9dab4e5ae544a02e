"""Every certificate of the catalogue, checked where the house can't be imported."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.certify.certificate import model_sha256

CHECKER = Path(check.__file__)
SCHEMA = json.loads((CHECKER.parent / "schema.json").read_text())
LARGE = 10_000
"""States from which a certificate of one claim is enough."""

ALONE = """
import runpy, sys
try:
    import sevenout
except ImportError:
    main = runpy.run_path(sys.argv[1])["main"]
    sys.exit(max(main([path]) for path in sys.argv[2:]))
sys.exit("the house is here")
"""


def run_alone(*paths):
    """The checker in a Python that has nothing but its standard library."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE, str(CHECKER), *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A certificate of every game of the catalogue, each game once."""
    folder = tmp_path_factory.mktemp("certificates")
    known, paths = set(), {}
    for name in so.games.without_choices:
        chain = so.explore(so.games[name])
        if chain.fingerprint in known:
            continue
        known.add(chain.fingerprint)
        solution = so.solve(chain)
        claims = chain.bets[:1] if len(chain.states) > LARGE else ()
        made = solution.certificate(*claims, title=name)
        paths[name] = made.write(folder / f"{name}.json"), solution
    return paths


def test_all_are_proved_without_us(written):
    done = run_alone(*(path for path, _ in written.values()))
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    said = done.stdout.splitlines()
    assert len(said) == len(written) > 100
    for line, (name, (path, solution)) in zip(said, written.items(), strict=True):
        seal = sha256(path.read_bytes()).hexdigest()
        states = len(solution.chain.states)
        moves = model_sha256(solution.chain)
        assert line.startswith(f"Proved of the game whose moves have the SHA-256 {moves} ({states}")
        assert f"; the file's is {seal}): " in line, name
        for bet in solution.bets.values():
            assert f"{bet.name!a} (stake {bet.stake}) per unit staked is {bet.mean};" in line
        if len(solution.chain.states) <= LARGE:
            assert f"the mean of the counter 'rolls' is {solution.mean_rolls};" in line


def test_all_fit_the_schema(written):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for path, _ in written.values():
        lines = path.read_bytes().splitlines()
        for line in [*lines[:20], lines[-1]]:
            assert validator.is_valid(json.loads(line)), (path.name, line[:200])


def test_the_first_line_that_fails(written, tmp_path):
    path, _ = written["craps"]
    lines = path.read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.json"
    broken.write_bytes(
        b"".join([*lines[:3], lines[3].replace(b'"rank":1', b'"rank":0'), *lines[4:]])
    )
    done = run_alone(broken)
    assert done.returncode == 1
    assert "line 4: not proved: the rank doesn't fall after any result" in done.stdout
    assert "Proved" not in done.stdout
    assert run_alone(tmp_path / "nowhere").returncode == 2


def test_the_program_by_itself(written):
    path, _ = written["hazard-turn"]
    command = [sys.executable, "-I", "-S", CHECKER]
    done = subprocess.run([*command, path], capture_output=True, text=True, check=True)
    (sentence,) = done.stdout.splitlines()
    assert "(14 states from " in sentence
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
