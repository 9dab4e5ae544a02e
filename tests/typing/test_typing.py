"""The package is typed: what mypy says of a small program, the lines marked `# E:` and no other."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["front_door.py"])
def test_a_type_checker_sees_the_front_door(name: str, tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    found, problems, _ = mypy.run(
        ["--strict", "--no-error-summary", "--cache-dir", str(tmp_path), str(HERE / name)]
    )
    assert not problems
    errors = {int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line}
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    assert errors == {n for n, line in enumerate(lines, 1) if "# E: " in line}, found
