"""For the reference: fences around the doctests of docstrings, so that they show as code."""

import re
from typing import Any

from griffe import Extension

DOCTEST = re.compile(r"^( *)>>> .*\n?(?:\1(?!\s*$).*\n?|^ +\.\.\..*\n?)*", re.MULTILINE)


class Fences(Extension):
    """Puts a fence around each doctest: a `>>>` line and what follows it up to an empty line."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = DOCTEST.sub(_fenced, obj.docstring.value)


def _fenced(match: re.Match[str]) -> str:
    indent, code = match[1], match[0].rstrip("\n")
    return f"{indent}```pycon\n{code}\n{indent}```\n"
