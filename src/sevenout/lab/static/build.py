"""Build the static edition: pages as files, Python for the page, and its loader."""

import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path, PurePosixPath
from tarfile import TarError
from tarfile import open as tar
from zipfile import BadZipFile, ZipFile, ZipInfo

import htpy as h

from sevenout.budgets.estimates import budget
from sevenout.catalogue import games
from sevenout.errors import FileError, NotationError, shown
from sevenout.extras import EXTRAS
from sevenout.files import folder
from sevenout.lab.address import Address, optimum
from sevenout.lab.coach_tables import table_of
from sevenout.lab.page_store import page_of, remembered
from sevenout.lab.pages import PAGES
from sevenout.lab.scripts import ASSETS, asset, version
from sevenout.lab.site import MEMORY, SECONDS, page
from sevenout.lab.static.bytecode import compiled
from sevenout.lab.static.places import COACHED, place, told
from sevenout.lab.static.vendored import FLINT, INSTALLED, PYODIDE, licences, sources
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.frame import document
from sevenout.lab.widgets.view import Reply, View

POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'"
)
"""A page may load only from the folder."""
CORE = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
    "pyodide-lock.json": "pyodide-lock.json",
}
"""The files of Pyodide, renamed to types that every web server knows."""
HANDED = (b"asyncLoad(libFile)", b'Promise.resolve(Module["libraries"].get(libName))')
"""Pyodide's request for a library over the network; and its replacement."""
PACKED = (".wasm", ".zip", ".libraries")
"""Endings of files that are compressed here, since few web servers compress them."""
LIBRARIES = tuple(f"python_flint.libs/lib{name}.so" for name in ("gmp", "mpfr", "flint"))
"""The shared libraries of python-flint, each before those that need it."""
OUTSIDE = tuple(
    PurePosixPath("sevenout", name)
    for name in (
        "cli",
        *("lab/host.py", "lab/page_store.py", "lab/worker.py", "lab/preload.py"),
        *("lab/answers", "lab/lab.css", "lab/fonts", "lab/scripts"),
        *("lab/static/build.py", "lab/static/bytecode.py", "lab/static/vendored.py"),
        *(
            f"lab/static/{name}.js"
            for name in ("cache", "compile", "python", "shared", "static", "worker")
        ),
    )
)
"""What a page has no use for: the command line, the server, the making of this folder."""
FLINT_FOLDER = "/lib/flint"
"""The folder of python-flint in Pyodide's file system."""
SUBSTITUTE = b"""import sys

from sevenout.lab.static import flint_substitute

sys.modules["flint"] = flint_substitute
"""
"""The module `flint` of a page that has not fetched python-flint."""
BASE = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w./~-]*)?")
TAGS = re.compile(r'(?:<meta (?:property="og:|name="twitter:)[^>]*>)+')
PICTURE = "sevenout.png"
"""The picture of the lab as a whole."""
COACH, SIMULATED = "Play with a coach", re.compile(rb"<a[^>]*>Simulate</a>")
"""Links of the page of optimal play to what needs its table."""
MARK = "sevenout-lab.json"
"""Marks a folder as an edition of the lab."""
SOLVED = tuple(games.with_choices)
"""The games whose optimal play is a file; Python in the page can't solve the largest."""
RICH = ("/variants", "/sheet", "/evening")
"""Pages that more packages make better, though not by an error without them."""
STILL = {"/variants": "/variants?still=yes"}
"""Pages whose files hold more than Python in the page can compute; and their form without
search.
"""
SAVED = View(
    Address("/", {}),
    "A file",
    "",
    [h.h1["A file"], h.p["Python in this page makes it and saves it."]],
)
"""Replaces a page for a file, such as a PDF."""
SCRIPTS = ("cache.js", "static.js", "shared.js")
"""Scripts of the pages; the first one keeps files, and isn't kept itself."""
NOSCRIPT = (
    "<noscript><p class='problem'>Without JavaScript you can read these pages. To change anything, "
    "turn it on: it loads Python, which computes the answers here.</p></noscript>"
)
SINCE = (2020, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that equal content gives equal archives."""


def build(place: Path, url: str = "") -> tuple[int, int]:
    """Write the static edition into a folder, only once all of it is built.

    Args:
        place: a new or empty folder, or an earlier edition to replace.
        url: where it will be served, for link previews with a picture.

    Returns:
        The number of pages, and the bytes that Python in the page loads.

    Raises:
        FileError: the folder holds something else or can't be written; a part can't be fetched.
        NotationError: the URL is not valid.
    """
    base = url.rstrip("/")
    if base and not BASE.fullmatch(base):
        raise NotationError(f"{shown(url)} is not a URL; write one such as https://example.org/lab")
    # Only an edition of the lab may be replaced, never a folder with other files.
    with folder(place, lambda path: (path / MARK).is_file()) as draft:
        return _write(draft, _core(), FLINT.content(), base)


def _core() -> dict[str, bytes]:
    core = {}
    try:
        with tar(fileobj=BytesIO(PYODIDE.content())) as archive:
            for name, ours in CORE.items():
                member = archive.extractfile(f"package/{name}")
                # None stands for a member that is no file; the message below covers it.
                assert member is not None
                core[ours] = member.read()
    except (TarError, KeyError, AssertionError):
        raise FileError(f"{PYODIDE.file} lacks files that the lab needs; fetch it again") from None
    # One file imports the other by its old name, and the source maps are not in the folder.
    for name in ("pyodide.js", "pyodide.asm.js"):
        core[name] = core[name].replace(b"pyodide.asm.mjs", b"pyodide.asm.js")
        core[name] = core[name].partition(b"\n//# sourceMappingURL")[0]
    # python-flint comes in one file, which `python.js` has unpacked before Python starts.
    core["pyodide.asm.js"] = core["pyodide.asm.js"].replace(*HANDED, 1)
    lock = json.loads(core["pyodide-lock.json"])
    lock["packages"] = {}  # nothing may be loaded from elsewhere
    core["pyodide-lock.json"] = json.dumps(lock).encode()
    return core


def _write(draft: Path, core: dict[str, bytes], flint: bytes, base: str) -> tuple[int, int]:
    lab = compiled({**core, "lab.zip": _archive()})
    # Of Python and python-flint a new release of sevenout changes nothing, and so not their name.
    python = {**core, "python_stdlib.zip": lab.pop("python_stdlib.zip")}
    python |= {"flint.libraries": libraries(flint), "flint.zip": _modules(flint)}
    lab |= {name: _own(name) for name in ("python.js", "worker.js")}
    folders = {"python": _packed(python), "lab": _packed(lab)}
    # The name holds a hash of the content, so a browser may keep the files for good.
    names = {name: f"{name}-{_sum(*content.values())}" for name, content in folders.items()}
    for name, contents in folders.items():
        (draft / names[name]).mkdir()
        for file, content in contents.items():
            (draft / names[name] / file).write_bytes(content)
    for name in SCRIPTS:
        (draft / name).write_bytes(_own(name))
    for path in ASSETS:
        (draft / path[1:]).write_bytes(asset(path))
    (draft / "LICENCES.txt").write_text(_licences(), "utf-8")
    # The page counts what its worker fetches; scripts are imported, and not counted.
    fetched = {
        file: len(content)
        for contents in folders.values()
        for file, content in contents.items()
        if not file.endswith(".js")
    }
    flint_size = sum(size for file, size in fetched.items() if file.startswith("flint."))
    size = sum(fetched.values()) - flint_size
    head = (
        f'<meta http-equiv="content-security-policy" content="{POLICY}">'
        f'<script src="./static.js?{_sum(_own("static.js"))}" data-python="{names["python"]}" '
        f'data-ours="{names["lab"]}" data-bytes="{size}" data-flint="{flint_size}"></script>'
        f'<script type="module" src="./shared.js?{_sum(_own("shared.js"))}"></script>'
    )
    count = 0
    for name, content in _files(base):
        if name.endswith(".coach"):
            (draft / names["lab"] / f"{name}.packed").write_bytes(packed(content))
        elif name.endswith(".html"):
            # The policy in a page holds only for what comes after it, so it stands first.
            html = content.replace(b"<head>", f"<head>{head}".encode(), 1)
            html = html.replace(b"<main", f"{NOSCRIPT}<main".encode(), 1)
            (draft / name).write_bytes(html)
            count += 1
        else:
            (draft / name).write_bytes(content)
    tabs = [place(url)[2:] for url in PAGES]
    scripts = [
        f"{names[name]}/{file}"
        for name, contents in folders.items()
        for file in contents
        if file.endswith(".js")
    ]
    shell = [*tabs, *SCRIPTS[1:], *(path[1:] for path in ASSETS), *scripts]
    description = {"sevenout": _version(), "pages": count, "shell": shell}
    (draft / MARK).write_text(json.dumps(description, indent=1) + "\n")
    return count, size


def _addresses() -> list[str]:
    """The addresses that are files: all tabs, every game, and its optimal play."""
    shelf = [f"/?game={name}" for name in games.without_choices]
    return [*PAGES, *shelf, *(f"/best?game={name}" for name in SOLVED)]


def _files(base: str) -> Iterator[tuple[str, bytes]]:
    """(name, content) of each page, of its picture, and of the tables of the coach.

    What Python in the page can make, it is to make in the same way: it is made without the packages
    that are absent there. That also tells which games it can solve. Only the rest is made with all
    packages, and each game is solved once.
    """
    rich = []
    with as_in_the_page():
        for url in _addresses():
            path = url.partition("?")[0]
            html = b"" if path in RICH else _html(url, base)
            if html and (path != "/best" or COACH.encode() in html):
                yield _file(url, html, base)
            else:
                rich.append(url)
            optimum.cache_clear()  # the largest take some hundred megabytes
    # A preview names its picture by a full address, which needs the URL of the folder.
    if base:
        yield PICTURE, preview.png(preview.SITE)
    for url in _addresses():
        game = url.partition("game=")[2]
        if url in rich:
            html = _html(STILL.get(url, url), base, page_of)
            if game:
                # Its coach reads a table, but thousands of games can't be simulated there.
                html = SIMULATED.sub(b"", html)
                html = html if game in COACHED else html.replace(COACH.encode(), b"Play it")
            yield _file(url, html, base)
        if game in COACHED:
            yield f"{game}.coach", remembered(f"{game}.coach.gz", partial(_table, game))
        if base and game:
            drawn = page_of(f"{url}&as=png")
            if drawn.kind == "image/png":  # else the page has no picture
                yield f"{place(url)[2:].removesuffix('.html')}.png", drawn.body
        optimum.cache_clear()


def _html(url: str, base: str, make: Callable[..., Reply] = page) -> bytes:
    """A page; of a redirect the page where it leads, and of a file, which has none, `SAVED`."""
    made = make(url, version(), base)
    if made.location:
        return _html(made.location, base, make)
    if made.kind.startswith("text/html"):
        return made.body
    return document(SAVED, version()).encode()


def _file(url: str, html: bytes, base: str) -> tuple[str, bytes]:
    """A page under its name in the folder."""
    return place(url)[2:], told(url, unfolding(url, html.decode(), base)).encode()


def _table(name: str) -> bytes:
    with budget(SECONDS, MEMORY):  # the limits of a page
        return table_of(name)


def unfolding(url: str, html: str, base: str) -> str:
    """A page with previews from the folder's files.

    A server sends a tab's file for any query, so its tags are those of the lab, but its own URL.
    """
    if "?" not in url:
        own = Address("/" if url == "/" else f"/{place(url)[2:]}", {})
        general = preview.tags(preview.SITE, own, base, f"/{PICTURE}")
        return TAGS.sub("".join(map(str, general)), html, count=1)
    name = place(url)[2:]
    picture = escape(f"{base}{Address.read(url).to(**{'as': 'png'})}")
    html = html.replace(picture, f"{base}/{name.removesuffix('.html')}.png")
    return html.replace(f'content="{base}{escape(url)}"', f'content="{base}/{name}"')


@contextmanager
def as_in_the_page() -> Iterator[None]:
    """Make pages as if only Python were installed, which is how they continue in the browser.

    Results computed with more packages are forgotten first.
    """
    ours = [name for name in sys.modules if name.startswith("sevenout.lab.")]
    for function in [function for name in ours for function in vars(sys.modules[name]).values()]:
        if hasattr(function, "cache_clear"):
            function.cache_clear()
    # The page has htpy, though an extra brings it; NumPy is in no extra by name.
    absent = {"numpy", *(name for brings in EXTRAS.values() for name in brings)} - {"htpy"}
    before = {name: sys.modules.get(name) for name in absent}
    # None in this table makes an import fail as if nothing were installed.
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _archive() -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for package in INSTALLED:
            for path, content in sources(package):
                # Every byte delays the start.
                if not any(path.is_relative_to(outside) for outside in OUTSIDE):
                    archive.writestr(ZipInfo(str(path), SINCE), content)
        archive.writestr(ZipInfo("flint.py", SINCE), SUBSTITUTE)
    return packed.getvalue()


def _licences() -> str:
    parts = [
        f"Pyodide {PYODIDE.version}: https://github.com/pyodide/pyodide\n"
        "Mozilla Public License 2.0: https://www.mozilla.org/MPL/2.0/\n"
        "It holds CPython (Python Software Foundation License 2) and Emscripten's libraries (MIT)."
    ]
    try:
        with ZipFile(BytesIO(FLINT.content())) as wheel:
            for name in wheel.namelist():
                if "/licenses/" in name and not name.endswith("/"):
                    title = f"python-flint {FLINT.version}: {name.partition('/licenses/')[2]}"
                    parts.append(f"{title}\n\n{wheel.read(name).decode()}")
    except BadZipFile:
        raise FileError(f"{FLINT.file} is not a wheel; fetch it again") from None
    for name in ("text", "data"):
        licence = (files("sevenout.lab") / "fonts" / f"LICENCE-{name}.txt").read_text("utf-8")
        parts.append(f"The typeface lab.{name}: a part of another, renamed\n\n{licence}")
    for package in INSTALLED:
        parts += [f"{title}\n\n{text}" for title, text in licences(package)]
    return f"\n{'-' * 100}\n".join(parts)


def libraries(wheel: bytes) -> bytes:
    """The compiled libraries of python-flint's wheel, as one file.

    Four bytes hold the length of a list of names and lengths, which follows as JSON; then the
    files. Shared libraries go by name, modules by path.
    """
    with ZipFile(BytesIO(wheel)) as archive:
        modules = sorted(
            {name for name in archive.namelist() if name.endswith(".so")} - {*LIBRARIES}
        )
        contents = [archive.read(name) for name in (*LIBRARIES, *modules)]
    names = [Path(name).name for name in LIBRARIES] + [f"{FLINT_FOLDER}/{n}" for n in modules]
    listed = json.dumps([*zip(names, map(len, contents), strict=True)]).encode()
    # `python.js` reads these bytes in the same order.
    return len(listed).to_bytes(4, "little") + listed + b"".join(contents)


def _modules(wheel: bytes) -> bytes:
    """The modules of python-flint; of compiled ones only the name, which an import looks for."""
    kept = BytesIO()
    with ZipFile(BytesIO(wheel)) as archive, ZipFile(kept, "w") as modules:
        for name in archive.namelist():
            if name.endswith((".py", ".so")) and not name.startswith("flint/test/"):
                content = archive.read(name) if name.endswith(".py") else b""
                modules.writestr(ZipInfo(name, SINCE), content)
    return kept.getvalue()


def _packed(parts: dict[str, bytes]) -> dict[str, bytes]:
    """Files under the names by which they are fetched."""
    return {
        f"{name}.packed" if name.endswith(PACKED) else name: (
            packed(content) if name.endswith(PACKED) else content
        )
        for name, content in parts.items()
    }


def packed(content: bytes) -> bytes:
    """Compressed content; equal content gives equal bytes."""
    # Level 9 takes twice the time and saves half a percent.
    return gzip.compress(content, 7, mtime=0)


def _own(name: str) -> bytes:
    return (files("sevenout.lab.static") / name).read_bytes()


def _sum(*contents: bytes) -> str:
    return sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()[:12]


def _version() -> str:
    from sevenout import __version__

    return __version__
