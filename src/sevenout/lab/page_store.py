"""Pages of optimal play, which take long to make: on disk once they are made, and in a release.

A page is a function of its address and of sevenout. A stored page has the sum of all sources in its
path, so a page of other sources is never shown; it is made again.

    python -m sevenout.lab.page_store

makes the pages that take long, for a release; see `.ci/release`.
"""

import gzip
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
BEST = "/best?game="


@cache
def sources() -> str:
    """The sum of all that a page is made of.

    >>> len(sources())
    16
    """
    home = Path(str(files("sevenout")))
    whole = sha256()
    for file in sorted(home.rglob("*")):
        if file.suffix in (".py", ".css", ".js", ".json", ".toml"):
            whole.update(str(file.relative_to(home)).encode() + sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]


def page_of(url: str, version: str = "", base: str = "") -> Reply:
    """The answer to an address, as `site.page` gives it; of some from a file.

    >>> page_of("/?game=hazard").status
    200
    """
    name = url.removeprefix(BEST)
    # Only what many visitors ask for alike: a game of the catalogue, by its own rules. What a
    # visitor has typed is never written down.
    if not url.startswith(BEST) or name not in games.with_choices or not base:
        return page(url, version, base)
    for folder in (SHIPPED, cache_folder() / "pages"):
        with suppress(OSError, EOFError, zlib.error):
            body = gzip.decompress((folder / sources() / f"{name}.html.gz").read_bytes())
            if body.endswith(b"</html>"):  # an empty file is valid gzip
                return Reply(_at(base, body))
    start = process_time()
    answer = page(url, version, PLACEHOLDER)
    if answer.status == 200 and process_time() - start > DEAR:
        with suppress(OSError, FileError):  # a full disk is no error
            _keep(cache_folder() / "pages", f"{name}.html.gz", answer.body)
    return replace(answer, body=_at(base, answer.body))


def _at(base: str, body: bytes) -> bytes:
    """A stored page, served at an address."""
    return body.replace(PLACEHOLDER.encode(), base.encode())


def _keep(folder: Path, name: str, body: bytes) -> None:
    # What other sources made is of no more use.
    for former in folder.glob("*"):
        if former.name != sources():
            rmtree(former, ignore_errors=True)
    (folder / sources()).mkdir(parents=True, exist_ok=True)
    write(folder / sources() / name, gzip.compress(body, 9, mtime=0))


def remembered(name: str, make: Callable[[], bytes]) -> bytes:
    """A part of the static edition from this user's folder; else it is made, and kept there."""
    with suppress(OSError, EOFError, zlib.error):
        if content := gzip.decompress((cache_folder() / "pages" / sources() / name).read_bytes()):
            return content
    content = make()
    with suppress(OSError, FileError):
        _keep(cache_folder() / "pages", name, content)
    return content


def ship(names: tuple[str, ...] = tuple(games.with_choices)) -> None:
    """Make the pages that take long, for a release."""
    from sevenout.lab.address import optimum

    for name in names:
        start = process_time()
        answer = page(f"{BEST}{name}", version(), PLACEHOLDER)
        if answer.status == 200 and process_time() - start > DEAR:
            _keep(SHIPPED, f"{name}.html.gz", answer.body)
        optimum.cache_clear()  # the largest take some hundred megabytes


if __name__ == "__main__":
    ship()
