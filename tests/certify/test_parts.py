"""The checker's table of contents, and that of the docs, are those of its lines."""

import runpy
from pathlib import Path

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "checker_parts.py"))
TEXT = SCRIPT["CHECKER"].read_text(encoding="utf-8")


def test_the_table_of_contents_is_that_of_the_lines():
    assert SCRIPT["with_contents"](TEXT) == TEXT
    assert [part.number for part in SCRIPT["parts"](TEXT)] == list(range(1, 12))


def test_the_table_of_the_docs_is_printed_by_the_script():
    page = SCRIPT["PAGE"].read_text(encoding="utf-8")
    assert SCRIPT["with_table"](page, TEXT) == page
