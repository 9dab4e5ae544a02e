"""Pages of optimal play, which take long to make: on disk once they are made, and in a release.

A page is a function of its address and of sevenout. A stored page has the hash of all sources in
its path, so a page of other sources is never shown; it is made again.

    python -m sevenout.lab.page_store

makes the pages that take long, for a release; see `.ci/release`.
"""

import gzip
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from time import process_time

from sevenout.catalogue import games
from sevenout.errors import FileError
from sevenout.files import write
from sevenout.lab.address import optimum
from sevenout.lab.site import page
from sevenout.lab.static.vendored import cache_folder
from sevenout.lab.widgets.view import Reply

MIN_SECONDS = 1.0
"""Processor seconds; a page that took longer is stored."""
RELEASE_FOLDER = Path(str(files("sevenout.lab"))) / "answers"
"""The pages that a release brings along."""
PLACEHOLDER = "http://lab.invalid"
"""Stands in a stored page for the address of the lab, whose port may be another next time."""
VERSION_PLACEHOLDER = "?version-of-the-lab"
"""Stands in a stored page for the version of the style sheet and the script."""
ADDRESS_TAGS = re.compile(rb'<meta [^>]*"(?:og:url|og:image[^"]*|twitter:image[^"]*)"[^>]*>')
"""The tags of a page that name its own address or its picture."""
BEST_PAGE = "/best?game="
FORMS = {"": ("html", "text/html; charset=utf-8"), "as=png": ("png", "image/png")}
"""The forms of a page that are stored: the ending of the file, and the media type."""


@cache
def source_hash() -> str:
    """A hash of all that a page is made of.

    >>> len(source_hash())
    16
    """
    home = Path(str(files("sevenout")))
    digest = sha256()
    for file in sorted(home.rglob("*")):
        if file.suffix in (".py", ".css", ".js", ".json", ".toml", ".woff2"):
            digest.update(str(file.relative_to(home)).encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def page_of(url: str, version: str = "", base: str = "") -> Reply:
    """The answer to an address, as `site.page` gives it; of some from a file.

    >>> page_of("/?game=hazard").status
    200
    """
    name, _, form = url.removeprefix(BEST_PAGE).partition("&")
    # Only games of the catalogue by their own rules: what a visitor has typed is never stored.
    if not url.startswith(BEST_PAGE) or name not in games.with_choices or form not in FORMS:
        return page(url, version, base)
    if body := _read_stored(_file_name(name, form)):
        return Reply(_served_at(base, version, body), FORMS[form][1])
    answer = _make(name, form, cache_folder() / "pages")
    return replace(answer, body=_served_at(base, version, answer.body))


def _file_name(name: str, form: str) -> str:
    return f"{name}.{FORMS[form][0]}.gz"


def _make(name: str, form: str, folder: Path) -> Reply:
    """A page, which is stored in a folder if it takes long."""
    start = process_time()
    answer = page(f"{BEST_PAGE}{name}{form and '&'}{form}", VERSION_PLACEHOLDER, PLACEHOLDER)
    # A picture is quick only as long as the answer of its page is at hand.
    is_slow = process_time() - start > MIN_SECONDS or _read_stored(_file_name(name, ""))
    if answer.status == 200 and is_slow:
        _store(folder, _file_name(name, form), answer.body)
    return answer


def _served_at(base: str, version: str, body: bytes) -> bytes:
    """A stored page, served at an address; without one its tags name no picture."""
    body = body.replace(VERSION_PLACEHOLDER.encode(), version.encode())
    if base:
        return body.replace(PLACEHOLDER.encode(), base.encode())
    return ADDRESS_TAGS.sub(b"", body).replace(b'"summary_large_image"', b'"summary"')


def cached_file(name: str, make: Callable[[], bytes]) -> bytes:
    """The content of a stored file; if there is none it is made, and stored in the cache."""
    content = _read_stored(name)
    if not content:
        content = make()
        _store(cache_folder() / "pages", name, content)
    return content


def _read_stored(name: str) -> bytes:
    """The content of a file of the release or of the cache; empty if neither has it whole."""
    for folder in (RELEASE_FOLDER, cache_folder() / "pages"):
        with suppress(OSError, EOFError, zlib.error):
            return gzip.decompress((folder / source_hash() / name).read_bytes())
    return b""


def _store(folder: Path, name: str, body: bytes) -> None:
    """Write a file, and remove those of other sources, which are of no more use."""
    with suppress(OSError, FileError):  # a full disk is no error
        for older in folder.glob("*"):
            if older.name != source_hash():
                rmtree(older, ignore_errors=True)
        (folder / source_hash()).mkdir(parents=True, exist_ok=True)
        write(folder / source_hash() / name, gzip.compress(body, 9, mtime=0))


def make_release_pages(names: tuple[str, ...] = tuple(games.with_choices)) -> None:
    """Make the pages that take long, for a release."""
    for name in names:
        for form in FORMS:
            _make(name, form, RELEASE_FOLDER)
        optimum.cache_clear()  # the largest take some hundred megabytes


if __name__ == "__main__":
    make_release_pages()
