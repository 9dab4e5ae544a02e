"""The lab within the docs, where SEVENOUT_LAB=yes asks for it; elsewhere nothing leads to it."""

import os
import re
from pathlib import Path
from typing import Any

LEADS = re.compile(r"^.*href=\"(?:\.\./)*lab/index\.html\"(?:.*\n)+?(?=\n|\Z)", re.MULTILINE)
"""A paragraph that leads to it."""
ASKED = os.environ.get("SEVENOUT_LAB") == "yes"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for each page."""
    return markdown if ASKED else LEADS.sub("", markdown)


def on_post_build(*, config: Any) -> None:
    """Called by MkDocs when all else is written."""
    if ASKED:
        from sevenout.lab.static.build import build

        url = f"{config.site_url.rstrip('/')}/lab" if config.site_url else ""
        build(Path(config.site_dir) / "lab", url)
