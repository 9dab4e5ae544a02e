"""The style sheet, the typefaces and the script of every page, its modules joined into one file.

Everything works without it: links are links, forms are forms. It follows links without a flash,
copies, reads keys, lets things be dragged. One file is one request; the modules can't be fetched
by a name that changes with their content, for they name each other.
"""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

ASSETS = {
    "/lab.css": "text/css; charset=utf-8",
    "/lab.js": "text/javascript; charset=utf-8",
    **{f"/lab.{face}.woff2": "font/woff2" for face in ("text-400", "data-400", "data-600")},
}
"""What every page loads, with its type."""
FONT = b".woff2"

# Each after those that it imports.
MODULES = (
    *("page", "notes", "focus", "morph", "visit", "theme", "favourites", "copies", "files"),
    *("links", "slider", "grid", "chips", "start"),
)
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function|const|let)", re.MULTILINE)


@cache
def script() -> bytes:
    """All modules as one script, in a scope of its own.

    >>> script().startswith(b"(() => {"), b"import {" in script()
    (True, False)
    """
    folder = files("sevenout.lab.scripts")
    texts = [(folder / f"{name}.js").read_text("utf-8") for name in MODULES]
    joined = "\n".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)
    return f'(() => {{\n"use strict";\n{joined}}})();\n'.encode()


# The files don't change while the server runs.
@cache
def asset(path: str) -> bytes:
    """The style sheet, the script or a typeface."""
    content = _content(path)
    # A name that changes with the content lets a browser keep a typeface for good.
    return content.replace(FONT, FONT + version().encode()) if path == "/lab.css" else content


def _content(path: str) -> bytes:
    folder = files("sevenout.lab")
    if path == "/lab.js":
        return script()
    return (folder / ("fonts" if path.endswith(".woff2") else ".") / path[1:]).read_bytes()


@cache
def version() -> str:
    """A query for the files of every page that changes with their content."""
    return "?" + sha256(b"".join(map(_content, ASSETS))).hexdigest()[:12]
