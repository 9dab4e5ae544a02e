"""Build the static edition: pages as files, Python for the page, and its loader."""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tarfile import TarError
from tarfile import open as tar
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import htpy as h

from sevenout.budgets.estimates import budget
from sevenout.catalogue import games
from sevenout.errors import FileError, NotationError, shown
from sevenout.extras import EXTRAS
from sevenout.files import folder
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import optimum
from sevenout.lab.host import ASSETS, asset, version
from sevenout.lab.pages import PAGES
from sevenout.lab.pages.scorecard_page import table_of
from sevenout.lab.site import MEMORY, SECONDS, page
from sevenout.lab.static.places import COACHED, lacks, place, told
from sevenout.lab.static.snapshot import libraries, snapshot
from sevenout.lab.static.vendored import FLINT, INSTALLED, PYODIDE, licences, sources
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.frame import document
from sevenout.lab.widgets.view import View

POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'"
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
PACKED = ("pyodide.asm.wasm", "flint.libraries")
"""Compressed here, since few web servers compress them."""
BASE = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w./~-]*)?")
TAGS = re.compile(r'(?:<meta (?:property="og:|name="twitter:)[^>]*>)+')
PICTURE = "sevenout.png"
"""The picture of the lab as a whole."""
COACH, SIMULATED = "Play with a coach", re.compile(r"<a[^>]*>Simulate</a>")
"""Links of the page of optimal play to what needs its table."""
MARK = "sevenout-lab.json"
"""Marks a folder as an edition of the lab."""
SOLVED = tuple(games.with_choices)
"""The games whose optimal play is a file; Python in the page can't solve the largest."""
RICH = ("/best", "/variants", "/sheet", "/evening")
"""Pages built with all the packages installed here."""
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
    with folder(place, lambda there: (there / MARK).is_file()) as draft:
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
    # The libraries come in one file, which `python.js` has unpacked before Python starts.
    core["pyodide.asm.js"] = core["pyodide.asm.js"].replace(*HANDED, 1)
    lock = json.loads(core["pyodide-lock.json"])
    lock["packages"] = {}  # nothing may be loaded from elsewhere
    core["pyodide-lock.json"] = json.dumps(lock).encode()
    return core


def _write(draft: Path, core: dict[str, bytes], flint: bytes, base: str) -> tuple[int, int]:
    core = {**core, "flint.libraries": libraries(flint), "python.js": _own("python.js")}
    lab = _archive()
    memory = snapshot({**core, "lab.zip": lab, "flint.zip": flint})
    # Packed after the snapshot, which reads these files as they are.
    core |= {f"{name}.packed": packed(core.pop(name)) for name in PACKED}
    core["worker.js"] = _own("worker.js")
    # The name holds a hash of the content, so a browser may keep the files for good.
    python = f"python-{_sum(*core.values())}"
    ours = f"lab-{_sum(lab, memory)}"
    (draft / python).mkdir()
    for name, content in core.items():
        (draft / python / name).write_bytes(content)
    (draft / f"{ours}.zip").write_bytes(lab)
    (draft / f"{ours}.memory.packed").write_bytes(remembered := packed(memory))
    for name in COACHED:
        (draft / f"{ours}-{name}.coach.packed").write_bytes(packed(_table(name)))
    (draft / "cache.js").write_bytes(_own("cache.js"))
    (draft / "static.js").write_bytes(_own("static.js"))
    for path in ASSETS:
        (draft / path[1:]).write_bytes(asset(path))
    (draft / "LICENCES.txt").write_text(_licences(), "utf-8")
    # The page counts what its worker fetches; scripts are imported, and not counted.
    fetched = [content for name, content in core.items() if not name.endswith(".js")]
    size = sum(map(len, fetched)) + len(lab) + len(remembered)
    head = (
        f'<meta http-equiv="content-security-policy" content="{POLICY}">'
        f'<script src="./static.js?{_sum(_own("static.js"))}" data-python="{python}" '
        f'data-ours="{ours}" data-memory="{len(memory)}" data-bytes="{size}"></script>'
    )
    pages = []
    for name, html in _pages(base):
        # The policy in a page holds only for what comes after it, so it stands first.
        whole = html.replace("<head>", f"<head>{head}", 1).replace("<main", f"{NOSCRIPT}<main", 1)
        (draft / name).write_text(whole, "utf-8")
        pages.append(name)
    # A preview names its picture by a full address, which needs the URL of the folder.
    for name, drawn in _pictures() if base else ():
        (draft / name).write_bytes(drawn)
    tabs = [place(url)[2:] for url in PAGES]
    scripts = [f"{python}/{name}" for name in core if name.endswith(".js")]
    shell = [*tabs, "static.js", *(path[1:] for path in ASSETS), *scripts]
    description = {"sevenout": _version(), "pages": len(pages), "shell": shell}
    (draft / MARK).write_text(json.dumps(description, indent=1) + "\n")
    return len(pages), size


def _addresses() -> list[str]:
    """The addresses that are files: all tabs, every game, and its optimal play."""
    shelf = [f"/?game={name}" for name in games.without_choices]
    return [*PAGES, *shelf, *(f"/best?game={name}" for name in SOLVED)]


def _pages(base: str) -> Iterator[tuple[str, str]]:
    for url in _addresses():
        if url.partition("?")[0] in RICH:
            made = page(STILL.get(url, url), version(), base)
            optimum.cache_clear()  # the largest take some hundred megabytes
        else:
            with as_in_the_page():
                made = page(url, version(), base)
        # A redirect or a file has no page of its own, so `SAVED` stands for it.
        html = made.body.decode() if made.kind.startswith("text/html") else ""
        if url.startswith("/best?"):
            html = _uncoached(url, html)
        yield place(url)[2:], told(url, unfolding(url, html or document(SAVED, version()), base))


def _table(name: str) -> bytes:
    with budget(SECONDS, MEMORY):  # the limits of a page
        made = table_of(name)
    optimum.cache_clear()
    return made


def _uncoached(url: str, html: str) -> str:
    """A page of optimal play without the coach, if the game is too large for Python in the page."""
    if not lacks(url) and url.partition("game=")[2] in COACHED:
        return SIMULATED.sub("", html)
    with as_in_the_page():
        # Only a trial shows whether Python in the page can solve the game.
        coached = COACH in page(url).body.decode()
    optimum.cache_clear()
    return html if coached else SIMULATED.sub("", html).replace(COACH, "Play it")


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


def _pictures() -> Iterator[tuple[str, bytes]]:
    yield PICTURE, preview.png(preview.SITE)
    for url in _addresses():
        if "?" in url:
            made = page(f"{url}&as=png")
            optimum.cache_clear()
            if made.kind == "image/png":
                yield f"{place(url)[2:].removesuffix('.html')}.png", made.body


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
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for package in INSTALLED:
            for path, content in sources(package):
                # A page has no command line, and every byte delays its start.
                if path.parts[:2] != ("sevenout", "cli"):
                    archive.writestr(ZipInfo(str(path), SINCE), content, ZIP_DEFLATED, 9)
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
    for package in INSTALLED:
        parts += [f"{title}\n\n{text}" for title, text in licences(package)]
    return f"\n{'-' * 100}\n".join(parts)


def packed(content: bytes) -> bytes:
    """Compressed content; equal content gives equal bytes."""
    return gzip.compress(content, 9, mtime=0)


def _own(name: str) -> bytes:
    return (files("sevenout.lab.static") / name).read_bytes()


def _sum(*contents: bytes) -> str:
    return sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()[:12]


def _version() -> str:
    from sevenout import __version__

    return __version__
