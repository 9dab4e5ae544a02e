"""The memory of a Python that has imported the lab: the page starts where it ends.

Python takes seconds to start in a browser, to import the lab and to look at a first page. So
Node.js does it once, when the edition is built, and what Python's memory then holds is a file. A
page reads it back (https://github.com/pyodide/pyodide/issues/4652). Compiled libraries have to lie
at the same addresses then, so they are loaded before Python starts, in one order.
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
"""What the modules of python-flint need, in the order in which each needs those before it."""
PLACE = "/lib/flint"
"""The folder of python-flint, as Python sees it."""
PATIENCE = 600
"""Seconds that Node.js may take; it takes about ten."""


def libraries(wheel: bytes) -> bytes:
    """The compiled libraries of python-flint's wheel, as one file.

    Four bytes say how long the list of names and lengths is; the list follows as JSON, then the
    files. A library that others need is known by its name, a module by its path.
    """
    with ZipFile(BytesIO(wheel)) as archive:
        modules = sorted({name for name in archive.namelist() if name.endswith(".so")} - {*FIRST})
        contents = [archive.read(name) for name in (*FIRST, *modules)]
    names = [*(Path(name).name for name in FIRST), *(f"{PLACE}/{name}" for name in modules)]
    listed = json.dumps([*zip(names, map(len, contents), strict=True)]).encode()
    return len(listed).to_bytes(4, "little") + listed + b"".join(contents)


def snapshot(parts: Mapping[str, bytes]) -> bytes:
    """The memory of Python after its first look at the lab.

    Args:
        parts: what the page loads, and the two archives, by their names.

    Raises:
        MissingError: Node.js is not installed.
        FileError: it could not be written down.
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
        (folder / "package.json").write_text('{"type": "module"}')
        script = folder / "snapshot.js"
        script.write_bytes((files("sevenout.lab.static") / script.name).read_bytes())
        try:
            subprocess.run([node, script], check=True, capture_output=True, timeout=PATIENCE)
            return (folder / "memory").read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or str(error).encode()
            found = re.findall(r"^\w*Error\b.*", said.decode(errors="replace"), re.MULTILINE)
            why = found[-1][:300] if found else str(error)[:300]
            raise FileError(f"Node.js can't write down Python's memory: {why}") from None
