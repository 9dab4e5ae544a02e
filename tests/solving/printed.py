"""Pages as the tests compare them: words and figures, without columns and rules."""

from typing import Any


def printed(page: Any) -> str:
    """The lines of a page, each with single spaces; without empty lines and rules of tables."""
    lines = [" ".join(line.split()) for line in str(page).splitlines()]
    return "\n".join(line for line in lines if line.strip("━─"))
