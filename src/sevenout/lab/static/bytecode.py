"""Bytecode for Python in the page, which would take seconds to compile the lab at each start.

Bytecode belongs to one version of Python, so Pyodide itself compiles it, in Node.js, when the
edition is built. The archives are not compressed inside: as a whole they compress better.
"""

import re
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from sevenout.errors import FileError
from sevenout.extras import MissingError

MAX_SECONDS = 600
"""Seconds that Node.js may take; it takes about ten."""
ARCHIVES = ("python_stdlib.zip", "lab.zip")
"""What is compiled."""
UNUSED = (
    *("__hello__", "__phello__", "_py_abc", "_pydatetime", "_pyio", "_pyrepl", "_strptime"),
    *("antigravity", "argparse", "asyncio.proactor_events", "asyncio.tools", "bdb", "cProfile"),
    *("asyncio.windows_events", "asyncio.windows_utils", "calendar", "cmd", "code", "colorsys"),
    *("compileall", "configparser", "curses", "dbm", "doctest", "email", "ensurepip", "filecmp"),
    *("fileinput", "ftplib", "getopt", "getpass", "gettext", "html.parser", "http", "idlelib"),
    *("imaplib", "importlib.metadata", "mailbox", "mimetypes", "modulefinder", "multiprocessing"),
    *("netrc", "nturl2path", "optparse", "pdb", "pickletools", "plistlib", "poplib", "pprint"),
    *("profile", "pstats", "pty", "py_compile", "pyclbr", "pydoc", "pydoc_data", "quopri"),
    *("rlcompleter", "runpy", "sched", "shelve", "smtplib", "socketserver", "sqlite3"),
    *("stringprep", "symtable", "tabnanny", "tarfile", "this", "timeit", "tkinter", "trace"),
    *("tracemalloc", "tty", "turtle", "turtledemo", "unittest", "uuid", "venv", "wave"),
    *("webbrowser", "wsgiref", "xml.dom", "xml.sax", "xmlrpc", "zipapp", "zoneinfo"),
)
"""Modules and packages of Python's library that nothing in the lab imports."""
ENCODINGS = ("aliases", "ascii", "cp437", "latin_1", "raw_unicode_escape", "unicode_escape")
"""What stays of `encodings`, beside all of UTF: all else in it is a tenth of the library."""
PRINTED_DOCSTRINGS = ("catalogue", "questions", "rules")
"""Packages of sevenout whose docstrings pages print: rules of games, help of questions."""
WITHOUT_LINES = """
from types import CodeType

TABLES = {}

def without_lines(code):
    # A table of line numbers is a fifth of the bytecode, and only tracebacks read it. They need
    # one all the same: here each byte says of eight instructions that they have no line. A table
    # may be too long, so a few serve all code, and stand once in a file.
    size = 1 << (len(code.co_code) // 16).bit_length()
    table = TABLES.setdefault(size, bytes([0xFF]) * size)
    constants = (without_lines(x) if isinstance(x, CodeType) else x for x in code.co_consts)
    return code.replace(co_linetable=table, co_consts=tuple(constants))
"""
PROGRAM = f"""
import marshal
from importlib.util import MAGIC_NUMBER
from zipfile import ZipFile, ZipInfo
{WITHOUT_LINES}
def is_unused(first, rest):
    if first == "encodings" and rest[0] not in {("__init__", *ENCODINGS)}:
        return not rest[0].startswith("utf_")
    return first in {UNUSED} or ".".join([first, *rest[:1]]) in {UNUSED}

for archive in {ARCHIVES}:
    with ZipFile("/" + archive) as sources, ZipFile("/compiled-" + archive, "w") as compiled:
        for name in sources.namelist():
            first, *rest = name.removesuffix(".py").split("/")
            if name.endswith("/") or archive == "python_stdlib.zip" and is_unused(first, rest):
                continue
            content = sources.read(name)
            if name.endswith(".py"):
                is_printed = first == "sevenout" and rest[:1] and rest[0] in {PRINTED_DOCSTRINGS}
                level = 0 if is_printed else 2  # 2 leaves docstrings out
                code = compile(content, name, "exec", dont_inherit=True, optimize=level)
                # Flags, date and size of the source are 0: there is no source to compare with.
                content = MAGIC_NUMBER + bytes(12) + marshal.dumps(without_lines(code))
                name += "c"
            compiled.writestr(ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content)
"""


def compile_archives(files_by_name: Mapping[str, bytes]) -> dict[str, bytes]:
    """Python's library and the lab as archives of bytecode, by name.

    Args:
        files_by_name: the files of Pyodide, and the archives of sources, by name.

    Raises:
        MissingError: Node.js is not installed.
        FileError: an archive can't be compiled.
    """
    node = which("node")
    if node is None:
        raise MissingError(
            "the static edition is built with Node.js, which is not installed; get version 20 or "
            "later from https://nodejs.org"
        )
    with TemporaryDirectory() as home:
        folder = Path(home)
        for name, content in files_by_name.items():
            (folder / name).write_bytes(content)
        # Without it Node.js takes a .js file for CommonJS, which can't import.
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "compile.py").write_text(PROGRAM)
        script = folder / "compile.js"
        # It stands beside the parts, because it imports Pyodide from its own folder.
        script.write_bytes((files("sevenout.lab.static") / script.name).read_bytes())
        try:
            subprocess.run([node, script], check=True, capture_output=True, timeout=MAX_SECONDS)
            return {name: (folder / name).read_bytes() for name in ARCHIVES}
        except (OSError, subprocess.SubprocessError) as error:
            output = getattr(error, "stderr", None) or str(error).encode()
            # Node.js prints source and a stack too; the last line of an error says what went wrong.
            errors = re.findall(r"^\w*Error\b.*", output.decode(errors="replace"), re.MULTILINE)
            why = errors[-1][:300] if errors else str(error)[:300]
            raise FileError(f"Node.js can't compile the lab: {why}") from None
