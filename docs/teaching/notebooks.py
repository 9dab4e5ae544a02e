"""The exercises and three lessons as notebooks.

    python docs/teaching/notebooks.py

writes `exercises.ipynb` from `exercises.md`, with room for one's own answers and ours at the end,
and a notebook from each lesson in `LESSONS`, whose commands and programs are cells.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

HERE = Path(__file__).parent
PAGE, NOTEBOOK = HERE / "exercises.md", HERE / "exercises.ipynb"
LESSONS = ("conditional-probability", "expected-value", "markov-chains")
FENCE = re.compile(r"```pycon\n(.*?)\n```\n?", re.DOTALL)
COMMAND = re.compile(r"```console\n\$ (.*?)\n.*?```\n?", re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
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
    return _json([*cells, *answers])


def lesson_notebook(page: str) -> str:
    """The notebook of a lesson; links lead nowhere from it, so their texts stay."""
    page = re.sub(r"\s+The lesson is also\s+a notebook\.", "", LINK.sub(r"\1", page))
    page = ANSWER.sub(lambda match: f"*Answer.* {dedent(match[1]).strip()}\n", page)
    cells: list[tuple[str, str]] = []
    for k, part in enumerate(COMMAND.split(page)):
        cells += [("code", f"!{part}")] if k % 2 else _cells(part)
    return _json(cells)


def _json(cells: list[tuple[str, str]]) -> str:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": [_cell(number, kind, text) for number, (kind, text) in enumerate(cells)],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


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
    for lesson in LESSONS:
        text = (HERE.parent / f"tutorials/lessons/{lesson}.md").read_text(encoding="utf-8")
        (HERE / f"{lesson}.ipynb").write_text(lesson_notebook(text), encoding="utf-8")
