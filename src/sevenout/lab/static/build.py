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
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

import htpy as h

from sevenout import __version__
from sevenout.budgets.estimates import budget
from sevenout.catalogue import games
from sevenout.errors import FileError, NotationError, shown
from sevenout.extras import EXTRAS
from sevenout.files import new_folder
from sevenout.lab.address import Address, optimum
from sevenout.lab.coach_tables import table_content
from sevenout.lab.page_store import cached_file, page_of
from sevenout.lab.pages import PAGES
from sevenout.lab.scripts import ASSETS, asset, version
from sevenout.lab.site import MAX_BYTES, MAX_SECONDS, page
from sevenout.lab.static.browser import COACHED_GAMES, static_page, static_url
from sevenout.lab.static.bytecode import compile_archives
from sevenout.lab.static.vendored import FLINT, INSTALLED, PYODIDE, licences, package_files
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.frame import document
from sevenout.lab.widgets.view import Reply, View

POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'"
)
"""A page may load only from the folder."""
PYODIDE_FILES = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
    "pyodide-lock.json": "pyodide-lock.json",
}
"""The files of Pyodide, renamed to types that every web server knows."""
LIBRARY_REQUEST = (b"asyncLoad(libFile)", b'Promise.resolve(Module["libraries"].get(libName))')
"""Pyodide's request for a library over the network; and its replacement."""
COMPRESSED_ENDINGS = (".wasm", ".zip", ".libraries")
"""Of files that are compressed here, since few web servers compress them."""
LIBRARIES = tuple(f"python_flint.libs/lib{name}.so" for name in ("gmp", "mpfr", "flint"))
"""The shared libraries of python-flint, each before those that need it."""
LEFT_OUT = tuple(
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
FLINT_MODULE = b"""import sys

from sevenout.lab.static import flint_substitute

sys.modules["flint"] = flint_substitute
"""
"""The module `flint` of a page that has not fetched python-flint."""
WEB_ADDRESS = re.compile(r"https?://[\w-]+(?:\.[\w-]+)*(?::(\d{1,5}))?(?:/[\w./~-]*)?", re.ASCII)
"""Its group is the port."""
MAX_PORT = 65_535
PREVIEW_TAGS = re.compile(r'(?:<meta (?:property="og:|name="twitter:)[^>]*>)+')
PICTURE = "sevenout.png"
"""The picture of the lab as a whole."""
COACH_LABEL, SIMULATE_LINK = "Play with a coach", re.compile(rb"<a[^>]*>Simulate</a>")
"""In the page of optimal play, what leads to pages that need its table."""
EDITION_FILE = "sevenout-lab.json"
"""Shows that a folder is an edition of the lab, and describes it."""
SOLVED_GAMES = tuple(games.with_choices)
"""The games whose optimal play is a file; Python in the page can't solve the largest."""
BETTER_WITH_PACKAGES = ("/variants", "/sheet", "/evening")
"""Pages that more packages make better. Without them they show less, but no error."""
STILL_PAGES = {"/variants": "/variants?still=yes"}
"""Pages whose files hold more than Python in the page can compute: as files they have no search."""
FILE_VIEW = View(
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
ARCHIVE_DATE = (2020, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that equal content gives equal archives."""


class Edition(NamedTuple):
    """The size of an edition.

    Attributes:
        pages: the number of its pages.
        python_bytes: the bytes that Python in every page loads; without python-flint, which only
            some pages need, and without scripts.
    """

    pages: int
    python_bytes: int


def build(target: Path, url: str = "") -> Edition:
    """Write the static edition into a folder, only once all of it is built.

    Args:
        target: a new or empty folder, or an earlier edition to replace.
        url: where it will be served, for link previews with a picture.

    Raises:
        FileError: the folder holds something else or can't be written; a part can't be fetched.
        NotationError: the URL is not valid.
    """
    base = url.rstrip("/")
    match = WEB_ADDRESS.fullmatch(base)
    if base and (match is None or int(match[1] or 0) > MAX_PORT):
        raise NotationError(f"{shown(url)} is not a URL; write one such as https://example.org/lab")
    # Only an edition of the lab may be replaced, never a folder with other files.
    with new_folder(target, lambda path: (path / EDITION_FILE).is_file()) as draft:
        return _write(draft, *_fetched_folders(_pyodide_files()), base)


def _pyodide_files() -> dict[str, bytes]:
    """The files of Pyodide, changed so that they load nothing from elsewhere."""
    content = {}
    try:
        with tar(fileobj=BytesIO(PYODIDE.content())) as archive:
            for name, new_name in PYODIDE_FILES.items():
                member = archive.extractfile(f"package/{name}")
                if member is None:  # no file, but a folder
                    raise KeyError(name)
                content[new_name] = member.read()
    except (TarError, KeyError):
        raise FileError(f"{PYODIDE.file} lacks files that the lab needs; fetch it again") from None
    # One file imports the other by its old name, and the source maps are not in the folder.
    for name in ("pyodide.js", "pyodide.asm.js"):
        content[name] = content[name].replace(b"pyodide.asm.mjs", b"pyodide.asm.js")
        content[name] = content[name].partition(b"\n//# sourceMappingURL")[0]
    # python-flint comes in one file, which `python.js` has unpacked before Python starts.
    content["pyodide.asm.js"] = content["pyodide.asm.js"].replace(*LIBRARY_REQUEST, 1)
    lock = json.loads(content["pyodide-lock.json"])
    lock["packages"] = {}  # nothing may be loaded from elsewhere
    content["pyodide-lock.json"] = json.dumps(lock).encode()
    return content


class FetchedFolder(NamedTuple):
    """A folder of the edition from which a worker fetches all files.

    Attributes:
        name: its name, with a hash of the files, so that a browser may keep them for good.
        files: the content of each file by the name under which it is fetched.
    """

    name: str
    files: dict[str, bytes]

    @classmethod
    def from_contents(cls, name: str, contents: dict[str, bytes]) -> "FetchedFolder":
        """A folder of files, which are compressed if their ending says so."""
        fetched = {}
        for file, content in contents.items():
            if file.endswith(COMPRESSED_ENDINGS):
                fetched[f"{file}.packed"] = compressed(content)
            else:
                fetched[file] = content
        return cls(f"{name}-{_hash(*fetched.values())}", fetched)

    @property
    def scripts(self) -> list[str]:
        """The paths of its scripts."""
        return [f"{self.name}/{file}" for file in self.files if file.endswith(".js")]


def _fetched_folders(pyodide: dict[str, bytes]) -> tuple[FetchedFolder, FetchedFolder]:
    """The folder of Python with python-flint, and that of the lab."""
    flint = FLINT.content()
    lab = compile_archives({**pyodide, "lab.zip": _archive()})
    # Of Python and python-flint a new release of sevenout changes nothing, and so not their name.
    python = {**pyodide, "python_stdlib.zip": lab.pop("python_stdlib.zip")}
    python |= {"flint.libraries": libraries(flint), "flint.zip": _modules(flint)}
    lab |= {name: _script(name) for name in ("python.js", "worker.js")}
    return (
        FetchedFolder.from_contents("python", python),
        FetchedFolder.from_contents("lab", lab),
    )


def _write(draft: Path, python: FetchedFolder, lab: FetchedFolder, base: str) -> Edition:
    """Write the edition."""
    for fetched in (python, lab):
        (draft / fetched.name).mkdir()
        for file, content in fetched.files.items():
            (draft / fetched.name / file).write_bytes(content)
    for name in SCRIPTS:
        (draft / name).write_bytes(_script(name))
    for path in ASSETS:
        (draft / path[1:]).write_bytes(asset(path))
    (draft / "LICENCES.txt").write_text(_licences(), "utf-8")
    size, flint_size = _fetched_bytes({**python.files, **lab.files})
    head = (
        f'<meta http-equiv="content-security-policy" content="{POLICY}">'
        f'<script src="./static.js?{_hash(_script("static.js"))}" data-python="{python.name}" '
        f'data-ours="{lab.name}" data-bytes="{size}" data-flint="{flint_size}"></script>'
        f'<script type="module" src="./shared.js?{_hash(_script("shared.js"))}"></script>'
    )
    count = 0
    for name, content in _files(base):
        if name.endswith(".coach"):
            (draft / lab.name / f"{name}.packed").write_bytes(compressed(content))
        elif name.endswith(".html"):
            # The policy in a page holds only for what comes after it, so it stands first.
            html = content.replace(b"<head>", f"<head>{head}".encode(), 1)
            html = html.replace(b"<main", f"{NOSCRIPT}<main".encode(), 1)
            (draft / name).write_bytes(html)
            count += 1
        else:
            (draft / name).write_bytes(content)
    # `cache.js` fetches these at once, so that all pages open without a network.
    tabs, assets = map(_file_name, PAGES), (path[1:] for path in ASSETS)
    shell = [*tabs, *SCRIPTS[1:], *assets, *python.scripts, *lab.scripts]
    description = {"sevenout": __version__, "pages": count, "shell": shell}
    (draft / EDITION_FILE).write_text(json.dumps(description, indent=1) + "\n")
    return Edition(count, size)


def _fetched_bytes(contents: dict[str, bytes]) -> tuple[int, int]:
    """The bytes that a worker fetches and counts: of Python and the lab, and of python-flint."""
    size = flint_size = 0
    for file, content in contents.items():
        if file.startswith("flint."):
            flint_size += len(content)
        elif not file.endswith(".js"):  # scripts are imported, and not counted
            size += len(content)
    return size, flint_size


def _file_name(url: str) -> str:
    """The name of a page's file in the folder."""
    return static_url(url).removeprefix("./")


def _picture_name(url: str) -> str:
    """The name of the file with a page's picture."""
    return f"{_file_name(url).removesuffix('.html')}.png"


def _addresses() -> list[str]:
    """The addresses that are files: all tabs, every game, and its optimal play."""
    odds = (f"/?game={name}" for name in games.without_choices)
    return [*PAGES, *odds, *(f"/best?game={name}" for name in SOLVED_GAMES)]


def _files(base: str) -> Iterator[tuple[str, bytes]]:
    """(name, content) of each page, of its picture, and of the tables of the coach.

    What Python in the page can make, it is to make in the same way: it is made without the packages
    that are absent there. That also tells which games it can solve. Only the rest is made with all
    packages, and each game is solved once.
    """
    better_urls = []
    with as_in_the_page():
        for url in _addresses():
            path = url.partition("?")[0]
            html = b"" if path in BETTER_WITH_PACKAGES else _html(url, base)
            if html and (path != "/best" or COACH_LABEL.encode() in html):
                yield _page_file(url, html, base)
            else:
                better_urls.append(url)
            optimum.cache_clear()  # the largest take some hundred megabytes
    # A preview names its picture by a full address, which needs the URL of the folder.
    if base:
        yield PICTURE, preview.png(preview.LAB_PREVIEW)
    for url in _addresses():
        game = url.partition("game=")[2]
        if url in better_urls:
            html = _html(STILL_PAGES.get(url, url), base, page_of)
            if game:
                # Its coach reads a table, but thousands of games can't be simulated there.
                html = SIMULATE_LINK.sub(b"", html)
                if game not in COACHED_GAMES:
                    html = html.replace(COACH_LABEL.encode(), b"Play it")
            yield _page_file(url, html, base)
        if game in COACHED_GAMES:
            yield f"{game}.coach", cached_file(f"{game}.coach.gz", partial(_coach_table, game))
        if base and game:
            picture = page_of(f"{url}&as=png")
            if picture.media_type == "image/png":  # else the page has no picture
                yield _picture_name(url), picture.body
        optimum.cache_clear()


def _html(url: str, base: str, make_page: Callable[..., Reply] = page) -> bytes:
    """A page; of a redirect the page where it leads, and of a file, which has none, `FILE_VIEW`."""
    reply = make_page(url, version(), base)
    if reply.location:
        return _html(reply.location, base, make_page)
    if reply.media_type.startswith("text/html"):
        return reply.body
    return document(FILE_VIEW, version()).encode()


def _page_file(url: str, html: bytes, base: str) -> tuple[str, bytes]:
    """A page under its name in the folder."""
    page_html = static_page(url, with_folder_previews(url, html.decode(), base))
    return _file_name(url), page_html.encode()


def _coach_table(name: str) -> bytes:
    """The coach's table of a game, with the budget of a page."""
    with budget(MAX_SECONDS, MAX_BYTES):
        return table_content(name)


def with_folder_previews(url: str, html: str, base: str) -> str:
    """A page with previews from the folder's files.

    A server sends a tab's file for any query, so its tags are those of the lab, but its own URL.
    """
    if "?" not in url:
        own_address = Address("/" if url == "/" else f"/{_file_name(url)}", {})
        tags = preview.meta_tags(preview.LAB_PREVIEW, own_address, base, f"/{PICTURE}")
        return PREVIEW_TAGS.sub("".join(map(str, tags)), html, count=1)
    picture = escape(f"{base}{Address.read(url).to(**{'as': 'png'})}")
    html = html.replace(picture, f"{base}/{_picture_name(url)}")
    return html.replace(f'content="{base}{escape(url)}"', f'content="{base}/{_file_name(url)}"')


@contextmanager
def as_in_the_page() -> Iterator[None]:
    """Make pages as if only Python were installed, which is how they continue in the browser.

    Cached results are forgotten before and after, as they depend on the packages.
    """
    _clear_caches()
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
        _clear_caches()


def _clear_caches() -> None:
    """Forget what the functions of the lab have cached."""
    for name in [name for name in sys.modules if name.startswith("sevenout.lab.")]:
        for function in list(vars(sys.modules[name]).values()):
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _archive() -> bytes:
    """The archive of the lab and of the packages that it needs, as sources."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for package in INSTALLED:
            for path, source in package_files(package):
                # Every byte delays the start.
                if not any(path.is_relative_to(left_out) for left_out in LEFT_OUT):
                    archive.writestr(ZipInfo(str(path), ARCHIVE_DATE), source)
        archive.writestr(ZipInfo("flint.py", ARCHIVE_DATE), FLINT_MODULE)
    return content.getvalue()


def _licences() -> str:
    """The licences of all that the folder holds."""
    parts = [
        f"Pyodide {PYODIDE.version}: https://github.com/pyodide/pyodide\n"
        "Mozilla Public License 2.0: https://www.mozilla.org/MPL/2.0/\n"
        "It holds CPython (Python Software Foundation License 2) and Emscripten's libraries (MIT)."
    ]
    with ZipFile(BytesIO(FLINT.content())) as wheel:
        for name in wheel.namelist():
            if "/licenses/" in name and not name.endswith("/"):
                title = f"python-flint {FLINT.version}: {name.partition('/licenses/')[2]}"
                parts.append(f"{title}\n\n{wheel.read(name).decode()}")
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
    content = BytesIO()
    with ZipFile(BytesIO(wheel)) as archive, ZipFile(content, "w") as modules:
        for name in archive.namelist():
            if name.endswith((".py", ".so")) and not name.startswith("flint/test/"):
                source = archive.read(name) if name.endswith(".py") else b""
                modules.writestr(ZipInfo(name, ARCHIVE_DATE), source)
    return content.getvalue()


def compressed(content: bytes) -> bytes:
    """Compressed content; equal content gives equal bytes."""
    # Level 9 takes twice the time and saves half a percent.
    return gzip.compress(content, 7, mtime=0)


def _script(name: str) -> bytes:
    """A script of the static edition."""
    return (files("sevenout.lab.static") / name).read_bytes()


def _hash(*contents: bytes) -> str:
    return sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()[:12]
