"""A snapshot of Python's memory with the lab imported, so that a page starts at once.

In a browser, Python takes seconds to start, import the lab and make a first page. The build lets
Node.js do so once and saves the memory; a page reads it back
(https://github.com/pyodide/pyodide/issues/4652). Compiled libraries must keep their addresses, so
they are loaded before Python starts, in a fixed order.
"""

import json
import re
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from sevenout.errors import FileError
from sevenout.extras import MissingError

FIRST = tuple(f"python_flint.libs/lib{name}.so" for name in ("gmp", "mpfr", "flint"))
"""The libraries of python-flint, each before those that need it."""
PLACE = "/lib/flint"
"""The folder of python-flint in Pyodide's file system."""
PATIENCE = 600
"""Seconds that Node.js may take; it takes about ten."""


def libraries(wheel: bytes) -> bytes:
    """The compiled libraries of python-flint's wheel, as one file.

    Four bytes hold the length of a list of names and lengths, which follows as JSON; then the
    files. Shared libraries go by name, modules by path.
    """
    with ZipFile(BytesIO(wheel)) as archive:
        modules = sorted({name for name in archive.namelist() if name.endswith(".so")} - {*FIRST})
        contents = [archive.read(name) for name in (*FIRST, *modules)]
    names = [*(Path(name).name for name in FIRST), *(f"{PLACE}/{name}" for name in modules)]
    listed = json.dumps([*zip(names, map(len, contents), strict=True)]).encode()
    # `python.js` reads these bytes in the same order.
    return len(listed).to_bytes(4, "little") + listed + b"".join(contents)


def snapshot(parts: Mapping[str, bytes]) -> bytes:
    """The memory of Python after its first page of the lab.

    Args:
        parts: the files that the page loads, and the two archives, by name.

    Raises:
        MissingError: Node.js is not installed.
        FileError: the snapshot failed.
    """
    node = which("node")
    if node is None:
        raise MissingError(
            "the static edition is built with Node.js, which is not installed; get version 20 or "
            "later from https://nodejs.org"
        )
    with TemporaryDirectory() as home:
        folder = Path(home)
        for name, content in parts.items():
            (folder / name).write_bytes(content)
        # Without it Node.js takes a .js file for CommonJS, which can't import.
        (folder / "package.json").write_text('{"type": "module"}')
        script = folder / "snapshot.js"
        # It stands beside the parts, because it imports `python.js` from its own folder.
        script.write_bytes((files("sevenout.lab.static") / script.name).read_bytes())
        try:
            subprocess.run([node, script], check=True, capture_output=True, timeout=PATIENCE)
            return (folder / "memory").read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            output = getattr(error, "stderr", None) or str(error).encode()
            # Node.js prints source and a stack too; the last line of an error says what went wrong.
            errors = re.findall(r"^\w*Error\b.*", output.decode(errors="replace"), re.MULTILINE)
            why = errors[-1][:300] if errors else str(error)[:300]
            raise FileError(f"Node.js can't write down Python's memory: {why}") from None
