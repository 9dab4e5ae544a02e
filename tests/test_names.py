"""No two modules and no two classes share a name; a package shows its parts."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import sevenout

SOURCE = Path(sevenout.__file__).parent
ALONE = SOURCE / "certify" / "check.py"
"""It stands alone, and names its parts as the packages do that it checks."""
LISTS = {"cli/commands", "lab/pages", "questions/entries"}
"""Packages whose modules are the entries of one list: a command, a page, a question each."""
MODULES = [path for path in SOURCE.rglob("*.py") if path.name not in ("__init__.py", "__main__.py")]


def shared(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: places for name, places in found.items() if len(places) > 1}


def test_no_two_modules_share_a_name() -> None:
    found = defaultdict(list)
    for path in MODULES:
        found[path.stem].append(str(path.relative_to(SOURCE)))
    assert not shared(found)


def test_no_two_classes_share_a_name() -> None:
    found = defaultdict(list)
    for path in MODULES:
        if path != ALONE:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(SOURCE)))
    assert not shared(found)


PACKAGES = sorted({path.parent for path in MODULES})


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_of_over_a_dozen_modules_shows_its_parts(package: Path) -> None:
    name = package.relative_to(SOURCE).as_posix()
    assert name in LISTS or sum(path.parent == package for path in MODULES) <= 13


def test_the_long_tests_are_there() -> None:
    tests = Path(__file__).parent
    for line in (tests / "long.txt").read_text(encoding="utf-8").splitlines():
        path, *names = line.split("::")
        text = (tests.parent / path).read_text(encoding="utf-8")
        if path.startswith("tests/"):
            for name in names:
                assert re.search(rf"(def|class) {re.escape(name.partition('[')[0])}\b", text), line
