"""Pages of optimal play, which take long to make: on disk once they are made, and in a release.

A page is a function of its address and of sevenout. A stored page has the sum of all sources in its
path, so a page of other sources is never shown; it is made again.

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
from sevenout.lab.scripts import version
from sevenout.lab.site import page
from sevenout.lab.static.vendored import cache as cache_folder
from sevenout.lab.widgets.view import Reply

DEAR = 1.0
"""Processor seconds from which a page is kept in a file."""
SHIPPED = Path(str(files("sevenout.lab"))) / "answers"
"""The pages that a release brings along."""
PLACEHOLDER = "http://lab.invalid"
"""Stands in a stored page for the address of the lab, whose port may be another next time."""
PICTURED = re.compile(rb'<meta [^>]*"(?:og:url|og:image[^"]*|twitter:image[^"]*)"[^>]*>')
"""The tags of a page that name its own address or its picture."""
BEST = "/best?game="
FORMS = {"": ("html", "text/html; charset=utf-8"), "as=png": ("png", "image/png")}
"""The forms of a page that are stored: the ending of the file, and the media type."""


@cache
def sources() -> str:
    """The sum of all that a page is made of.

    >>> len(sources())
    16
    """
    home = Path(str(files("sevenout")))
    whole = sha256()
    for file in sorted(home.rglob("*")):
        if file.suffix in (".py", ".css", ".js", ".json", ".toml", ".woff2"):
            whole.update(str(file.relative_to(home)).encode() + sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]


def page_of(url: str, version: str = "", base: str = "") -> Reply:
    """The answer to an address, as `site.page` gives it; of some from a file.

    >>> page_of("/?game=hazard").status
    200
    """
    name, _, form = url.removeprefix(BEST).partition("&")
    # Only what many visitors ask for alike: a game of the catalogue, by its own rules. What a
    # visitor has typed is never written down.
    if not url.startswith(BEST) or name not in games.with_choices or form not in FORMS:
        return page(url, version, base)
    if body := _stored(_file(name, form)):
        return Reply(_at(base, body), FORMS[form][1])
    answer = _made(name, form, version, cache_folder() / "pages")
    return replace(answer, body=_at(base, answer.body))


def _file(name: str, form: str) -> str:
    return f"{name}.{FORMS[form][0]}.gz"


def _made(name: str, form: str, version: str, folder: Path) -> Reply:
    """A page, which is kept in a folder if it takes long."""
    start = process_time()
    answer = page(f"{BEST}{name}{form and '&'}{form}", version, PLACEHOLDER)
    # A picture is quick only as long as the answer of its page is at hand.
    dear = process_time() - start > DEAR or _stored(_file(name, ""))
    if answer.status == 200 and dear:
        _keep(folder, _file(name, form), answer.body)
    return answer


def _at(base: str, body: bytes) -> bytes:
    """A stored page, served at an address; without one its tags name no picture."""
    if base:
        return body.replace(PLACEHOLDER.encode(), base.encode())
    return PICTURED.sub(b"", body).replace(b'"summary_large_image"', b'"summary"')


def remembered(name: str, make: Callable[[], bytes]) -> bytes:
    """A part of the static edition from this user's folder; else it is made, and kept there."""
    content = _stored(name)
    if not content:
        content = make()
        _keep(cache_folder() / "pages", name, content)
    return content


def _stored(name: str) -> bytes:
    """A file of the release or of this user's folder; empty if neither has it whole."""
    for folder in (SHIPPED, cache_folder() / "pages"):
        with suppress(OSError, EOFError, zlib.error):
            return gzip.decompress((folder / sources() / name).read_bytes())
    return b""


def _keep(folder: Path, name: str, body: bytes) -> None:
    with suppress(OSError, FileError):  # a full disk is no error
        # What other sources made is of no more use.
        for former in folder.glob("*"):
            if former.name != sources():
                rmtree(former, ignore_errors=True)
        (folder / sources()).mkdir(parents=True, exist_ok=True)
        write(folder / sources() / name, gzip.compress(body, 9, mtime=0))


def ship(names: tuple[str, ...] = tuple(games.with_choices)) -> None:
    """Make the pages that take long, for a release."""
    for name in names:
        for form in FORMS:
            _made(name, form, version(), SHIPPED)
        optimum.cache_clear()  # the largest take some hundred megabytes


if __name__ == "__main__":
    ship()
