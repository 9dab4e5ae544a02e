"""No two modules and no two classes share a name."""

import ast
from collections import defaultdict
from pathlib import Path

import sevenout

SOURCE = Path(sevenout.__file__).parent
ALONE = SOURCE / "certify" / "check.py"
"""It stands alone, and names its parts as the packages do that it checks."""
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
