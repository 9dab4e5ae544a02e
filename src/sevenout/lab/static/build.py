"""The static edition is built: pages that are files, Python for the page, and what loads it."""

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

from sevenout.cost import budget
from sevenout.errors import FileError, NotationError, shown
from sevenout.extras import EXTRAS
from sevenout.files import folder
from sevenout.games import catalogue, decisions
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import optimum
from sevenout.lab.host import ASSETS, asset, version
from sevenout.lab.pages import PAGES
from sevenout.lab.pages.scorecard_coach import table_of
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
"""What a page may load: what the folder holds."""
CORE = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
    "pyodide-lock.json": "pyodide-lock.json",
}
"""What we take of Pyodide, under names whose types every web server knows."""
HANDED = (b"asyncLoad(libFile)", b'Promise.resolve(Module["libraries"].get(libName))')
"""Where Pyodide would ask the network for a library; and what gives it one that is here."""
PACKED = ("pyodide.asm.wasm", "flint.libraries")
"""What is packed, since few web servers do it."""
BASE = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w./~-]*)?")
TAGS = re.compile(r'(?:<meta (?:property="og:|name="twitter:)[^>]*>)+')
PICTURE = "sevenout.png"
"""The picture of the lab as a whole."""
COACH, SIMULATED = "Play with a coach", re.compile(r"<a[^>]*>Simulate</a>")
"""What the page of best play offers where best play is known."""
MARK = "sevenout-lab.json"
"""The file that marks a folder as an edition of the lab."""
SOLVED = tuple(decisions)
"""The games with choices whose best play is a file; Python in the page can't solve the largest."""
RICH = ("/best", "/variants", "/sheet", "/evening")
"""Pages that are made beforehand with all that is installed here."""
STILL = {"/variants": "/variants?still=yes"}
"""Pages that are files with more than Python in the page can answer, and what they are without the
fields that ask for it."""
SAVED = View(
    Address("/", {}),
    "A file",
    "",
    [h.h1["A file"], h.p["Python in this page makes it and saves it."]],
)
"""What stands at the address of what is no page, such as a PDF."""
NOSCRIPT = (
    "<noscript><p class='problem'>Without JavaScript you can read these pages. To change anything, "
    "turn it on: it loads Python, which computes the answers here.</p></noscript>"
)
SINCE = (2020, 1, 1, 0, 0, 0)
"""The date of every file of an archive: the same content is the same archive."""


def build(place: Path, url: str = "") -> tuple[int, int]:
    """Write the static edition into a folder; nothing stands there before all of it does.

    Args:
        place: a new folder, an empty one, or an earlier edition, which is replaced.
        url: where it will be served; its links then unfold with a picture.

    Returns:
        How many pages there are, and how many bytes Python in the page loads.

    Raises:
        FileError: the folder holds something else or can't be written; a part can't be fetched.
        NotationError: the URL is none.
    """
    base = url.rstrip("/")
    if base and not BASE.fullmatch(base):
        raise NotationError(f"{shown(url)} is not a URL; write one such as https://example.org/lab")
    with folder(place, lambda there: (there / MARK).is_file()) as draft:
        return _write(draft, _core(), FLINT.content(), base)


def _core() -> dict[str, bytes]:
    """The files that we take of Pyodide, by their names in the folder."""
    found = {}
    try:
        with tar(fileobj=BytesIO(PYODIDE.content())) as archive:
            for name, ours in CORE.items():
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                found[ours] = member.read()
    except (TarError, KeyError, AssertionError):
        raise FileError(f"{PYODIDE.file} does not hold what is wanted of it") from None
    for name in ("pyodide.js", "pyodide.asm.js"):
        found[name] = found[name].replace(b"pyodide.asm.mjs", b"pyodide.asm.js")
        found[name] = found[name].partition(b"\n//# sourceMappingURL")[0]
    found["pyodide.asm.js"] = found["pyodide.asm.js"].replace(*HANDED, 1)
    lock = json.loads(found["pyodide-lock.json"])
    lock["packages"] = {}  # nothing is there to be loaded from elsewhere
    found["pyodide-lock.json"] = json.dumps(lock).encode()
    return found


def _write(draft: Path, core: dict[str, bytes], flint: bytes, base: str) -> tuple[int, int]:
    core = {**core, "flint.libraries": libraries(flint), "python.js": _own("python.js")}
    lab = _archive()
    memory = snapshot({**core, "lab.zip": lab, "flint.zip": flint})
    core |= {f"{name}.packed": packed(core.pop(name)) for name in PACKED}
    core |= {name: _own(name) for name in ("worker.js", "play.js")}
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
    fetched = [content for name, content in core.items() if not name.endswith(".js")]
    size = sum(map(len, fetched)) + len(lab) + len(remembered)
    head = (
        f'<meta http-equiv="content-security-policy" content="{POLICY}">'
        f'<script src="./static.js?{_sum(_own("static.js"))}" data-python="{python}" '
        f'data-ours="{ours}" data-memory="{len(memory)}" data-bytes="{size}"></script>'
    )
    pages = []
    for name, html in _pages(base):
        whole = html.replace("<head>", f"<head>{head}", 1).replace("<main", f"{NOSCRIPT}<main", 1)
        (draft / name).write_text(whole, "utf-8")
        pages.append(name)
    for name, drawn in _pictures() if base else ():
        (draft / name).write_bytes(drawn)
    tabs = [place(url)[2:] for url in PAGES]
    scripts = [f"{python}/{name}" for name in core if name.endswith(".js")]
    shell = [*tabs, "static.js", *(path[1:] for path in ASSETS), *scripts]
    told = {"sevenout": _version(), "pages": len(pages), "shell": shell}
    (draft / MARK).write_text(json.dumps(told, indent=1) + "\n")
    return len(pages), size


def _addresses() -> list[str]:
    """The addresses that are files: those of all tabs, of every game, and of its best play."""
    games = [f"/?game={name}" for name in catalogue.entries]
    return [*PAGES, *games, *(f"/best?game={name}" for name in SOLVED)]


def _pages(base: str) -> Iterator[tuple[str, str]]:
    """The pages that are files."""
    for url in _addresses():
        if url.partition("?")[0] in RICH:
            made = page(STILL.get(url, url), version(), base)
            optimum.cache_clear()  # the largest have some hundred megabytes
        else:
            with as_in_the_page():
                made = page(url, version(), base)
        html = made.body.decode() if made.kind.startswith("text/html") else ""
        if url.startswith("/best?"):
            html = _uncoached(url, html)
        yield place(url)[2:], told(url, unfolding(url, html or document(SAVED, version()), base))


def _table(name: str) -> bytes:
    """What the coach of a game looks up."""
    with budget(SECONDS, MEMORY):  # as a page has
        made = table_of(name)
    optimum.cache_clear()
    return made


def _uncoached(url: str, html: str) -> str:
    """A page of best play that offers what Python in the page can do: no coach of a large game."""
    if not lacks(url) and url.partition("game=")[2] in COACHED:
        return SIMULATED.sub("", html)
    with as_in_the_page():
        coached = COACH in page(url).body.decode()
    optimum.cache_clear()
    return html if coached else SIMULATED.sub("", html).replace(COACH, "Play it")


def unfolding(url: str, html: str, base: str) -> str:
    """A page whose tags name files of the folder.

    A tab's file is what a server sends for any query of it, so that its tags are those of the lab.
    """
    if "?" not in url:
        general = preview.tags(preview.SITE, Address("/", {}), base, f"/{PICTURE}")
        return TAGS.sub("".join(map(str, general)), html, count=1)
    name = place(url)[2:]
    picture = escape(f"{base}{Address.read(url).to(**{'as': 'png'})}")
    html = html.replace(picture, f"{base}/{name.removesuffix('.html')}.png")
    return html.replace(f'content="{base}{escape(url)}"', f'content="{base}/{name}"')


def _pictures() -> Iterator[tuple[str, bytes]]:
    """The pictures to which links unfold."""
    yield PICTURE, preview.png(preview.SITE)
    for url in _addresses():
        if "?" in url:
            made = page(f"{url}&as=png")
            optimum.cache_clear()
            if made.kind == "image/png":
                yield f"{place(url)[2:].removesuffix('.html')}.png", made.body


@contextmanager
def as_in_the_page() -> Iterator[None]:
    """As where nothing but Python is installed, which is how the page will go on.

    What the lab has worked out with more than that is forgotten at the door.
    """
    ours = [name for name in sys.modules if name.startswith("sevenout.lab.")]
    for each in [each for name in ours for each in vars(sys.modules[name]).values()]:
        if hasattr(each, "cache_clear"):
            each.cache_clear()
    absent = {"numpy", *(name for brings in EXTRAS.values() for name in brings)} - {"htpy"}
    before = {name: sys.modules.get(name) for name in absent}
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
    """The packages that travel as they are installed, in one archive."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for package in INSTALLED:
            for path, content in sources(package):
                if path.parts[:2] != ("sevenout", "cli"):
                    archive.writestr(ZipInfo(str(path), SINCE), content, ZIP_DEFLATED, 9)
    return packed.getvalue()


def _licences() -> str:
    """Whose work is in the folder, and on what terms."""
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
        raise FileError(f"{FLINT.file} is no wheel") from None
    for package in INSTALLED:
        parts += [f"{title}\n\n{text}" for title, text in licences(package)]
    return f"\n{'-' * 100}\n".join(parts)


def packed(content: bytes) -> bytes:
    """Content, packed so that the same is packed alike."""
    return gzip.compress(content, 9, mtime=0)


def _own(name: str) -> bytes:
    return (files("sevenout.lab.static") / name).read_bytes()


def _sum(*contents: bytes) -> str:
    return sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()[:12]


def _version() -> str:
    from sevenout import __version__

    return __version__
