"""For the reference: every command and its options, as the program itself describes them."""

from typing import Any

PAGE = "reference/cli.md"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Called by MkDocs for each page."""
    if page.file.src_uri != PAGE:
        return markdown
    from sevenout.cli.app import app

    described = app.generate_docs(output_format="markdown", heading_level=1)
    commands = described.partition("**Commands**:")[2]
    return markdown + commands.replace("```console", "```text")
