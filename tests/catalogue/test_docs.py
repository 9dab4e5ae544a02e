"""The pages on the catalogue show what is so."""

import doctest
import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_the_catalogue_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("docs_catalogue", DOCS / "reference/catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    old = script.PAGE.read_text(encoding="utf-8")
    assert script.page(old) == old, "run: python docs/reference/catalogue.py"


@pytest.mark.parametrize("page", ["reference/catalogue.md", "howto/adding-a-game.md"])
def test_the_examples_run(page: str) -> None:
    failed, tried = doctest.testfile(
        str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 3
    assert failed == 0
