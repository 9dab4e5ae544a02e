"""The pages on the catalogue show what is so."""

import doctest
import importlib.util
from pathlib import Path

import pytest

from sevenout.catalogue import games

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_the_catalogue_has_every_bet() -> None:
    spec = importlib.util.spec_from_file_location("docs_catalogue", DOCS / ".site/catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.MARK in (DOCS / script.PAGE).read_text(encoding="utf-8")
    rows = [line for line in script.table().splitlines() if line.startswith("| `")]
    assert len(rows) == len(games.without_choices)
    assert "| `pass-line` | Pass line | 7/495 | 1.4141 % |  | 244/495 | 3.376 |" in rows


@pytest.mark.parametrize("page", ["reference/catalogue.md", "howto/adding-a-game.md"])
def test_the_examples_run(page: str) -> None:
    failed, tried = doctest.testfile(
        str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 3
    assert failed == 0
