"""Docstrings, messages and help keep to `style.py` as the pages do."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sevenout.questions import all_questions
from tests.style import faults

ROOT = Path(__file__).parents[1] / "src" / "sevenout"
MODULES = sorted(ROOT.rglob("*.py"))
TITLE = re.compile(r"(Args|Attributes|Returns|Raises|Yields|Parameters|-+):?|[a-z_]+")
ITEM = re.compile(r"\*{0,2}[\w.]+(, \*{0,2}\w+)*( \([^)]*\))?: ")


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def docstrings(tree: ast.AST) -> Iterator[str]:
    """The docstrings of a module, those below its names too, without code."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield prose(text)


def prose(docstring: str) -> str:
    """The sentences of a docstring: an argument is one of its own, a doctest or table none."""
    lines, code = [], False
    for line in map(str.strip, docstring.splitlines()):
        code = (code or line.startswith(">>>")) and bool(line)
        if not code and not line.startswith("|"):
            lines.append("" if TITLE.fullmatch(line) else ITEM.sub("\n", line))
    return re.sub(r"`[^`]*`", "code", "\n".join(lines))


def messages(tree: ast.AST) -> Iterator[str]:
    """The texts of errors, with `N` for each value."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name), [*_, text], _) if name.endswith("Error"):
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                said = [part.value if isinstance(part, ast.Constant) else "N" for part in parts]
                if all(isinstance(part, str) for part in said):
                    yield re.sub(r"`[^`]*`", "code", "".join(said))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_keeps_to_the_style(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    texts = [*docstrings(tree), *messages(tree)]
    found = [fault for text in texts for fault in faults(text)]
    found = [fault for fault in found if not any(words in fault for words in EXCEPTIONS)]
    allowed = BLOCKS.get(name_of(module), 0)
    assert len(found) <= allowed, "\n".join([name_of(module), *found])


@pytest.mark.parametrize("question", all_questions().values(), ids=lambda each: each.name)
def test_the_help_of_a_question_keeps_to_the_style(question) -> None:
    texts = [question.help, *(each.help for each in question.arguments)]
    assert not [fault for text in texts for fault in faults(text)]


EXCEPTIONS = {
    "law of the iterated logarithm": "a theorem's name",
    '“law” in: "bet"': "a kind of claim in certificates",
    "craps-like (a point game": "the list of kinds in a command's help",
    "write so.law(": "a function's name",
}
"""The words of a fault that stays as it is, and the reason."""
BLOCKS: dict[str, int] = {
    "certify/check.py": 1,
    "catalogue/strategies/strategy_file.py": 2,
    "rolling/notation.py": 1,
    "rules/game.py": 1,
}
"""Tables, grammars and examples in docstrings that read as one long sentence, by module."""
