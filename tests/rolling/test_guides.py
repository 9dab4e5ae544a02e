"""The pages on dice: every example in them runs, and every picture is there."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "explanation"
PAGES = ("dice-that-never-roll-7.md", "dice-faults.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_run(page):
    failed, tried = doctest.testfile(
        str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert (failed, tried > 15) == (0, True)


@pytest.mark.parametrize("page", PAGES)
def test_the_pictures_and_pages_are_there(page):
    links = re.findall(r"\]\(([^)#]+)", (DOCS / page).read_text(encoding="utf-8"))
    assert links
    assert not [link for link in links if not (DOCS / link).is_file()]
