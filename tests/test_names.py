"""A name means one thing: no two modules and no two classes of the package share one."""

import ast
from collections import Counter
from pathlib import Path

import sevenout

SOURCES = sorted(Path(sevenout.__file__).parent.rglob("*.py"))
ALONE = ("check.py",)
"""The checker of certificates shares no code with the rest, and repeats its names."""


def test_no_two_modules_share_a_name() -> None:
    names = Counter(path.stem for path in SOURCES if not path.stem.startswith("__"))
    assert [name for name, times in names.items() if times > 1] == []


def test_no_two_classes_share_a_name() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in SOURCES if path.name not in ALONE]
    found = (node for tree in trees for node in ast.walk(tree))
    names = Counter(node.name for node in found if isinstance(node, ast.ClassDef))
    assert [name for name, times in names.items() if times > 1] == []
