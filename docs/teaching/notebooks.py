"""The exercises as a notebook: room for one's own answers, and ours at the end.

    python docs/teaching/notebooks.py

writes `exercises.ipynb` from `exercises.md`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

HERE = Path(__file__).parent
PAGE, NOTEBOOK = HERE / "exercises.md", HERE / "exercises.ipynb"
FENCE = re.compile(r"```pycon\n(.*?)\n```\n?", re.DOTALL)
ANSWER = re.compile(r'\?\?\? success "Answer"\n\n((?:(?:    .*)?\n)+)')


def notebook(page: str) -> str:
    """The notebook of a page, as JSON in the format of Jupyter, version 4.5."""
    intro, *exercises = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    intro = re.sub(r" \[A notebook\].*?end\.", "", intro, flags=re.DOTALL)
    cells, answers = list(_cells(intro)), [("markdown", "# Answers")]
    for exercise in exercises:
        cells += [("markdown", ANSWER.sub("", exercise).strip()), ("code", "")]
        title = exercise.splitlines()[0]
        answers += [("markdown", title), *_cells(dedent(ANSWER.findall(exercise)[0]))]
    made = [_cell(n, kind, text) for n, (kind, text) in enumerate([*cells, *answers])]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    found = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _cells(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs and the programs of a text."""
    for k, part in enumerate(FENCE.split(text)):
        if k % 2:
            lines = [line for line in part.splitlines() if line.startswith((">>>", "..."))]
            yield "code", "\n".join(line[4:] for line in lines)
        elif part.strip():
            yield "markdown", part.strip()


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
