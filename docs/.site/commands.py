"""For the reference: every command and every question, as the program itself describes them."""

from pathlib import Path
from typing import Any

PAGE, QUESTIONS = "reference/cli.md", "reference/questions.md"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Called by MkDocs for each page."""
    if page.file.src_uri == QUESTIONS:
        from sevenout.questions.reference import reference

        return markdown + "\n" + reference()
    if page.file.src_uri != PAGE:
        return markdown
    from sevenout.cli.app import app, whole_help

    with whole_help():
        described = app.generate_docs(output_format="markdown", heading_level=1)
    commands = described[described.index("\n**") :]  # what is above lists them all in one row
    return markdown + commands.replace("```console", "```text")


def on_post_build(*, config: Any) -> None:
    """Called by MkDocs when all else is written: the schema of the answers of questions."""
    from sevenout.questions.schema import schema_text

    there = Path(config.site_dir) / "reference" / "questions.schema.json"
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_text(schema_text(), encoding="utf-8")
