"""Third-party files of the static edition: fetched once, checked, cached.

Pyodide comes from npm's registry and python-flint's wheel from PyPI, at fixed versions and SHA-256
hashes, from the registries configured for npm and pip. Everything else is pure Python that is
already installed.
"""

import os
import re
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

from sevenout.errors import FileError
from sevenout.files import shown_path, write

PATIENCE = 60.0
"""Seconds without a byte until a request fails."""
MOST = 64_000_000
"""The most bytes of a file."""
INSTALLED = ("sevenout", "htpy", "markupsafe")
"""The pure Python packages that are copied as installed."""


@dataclass(frozen=True)
class Parcel:
    """A file of a registry.

    Attributes:
        registry: "npm" or "pypi".
        project: its project there.
        version: the version of the project.
        file: its name, there and in the cache.
        sha256: its hash, in hexadecimal digits.
    """

    registry: Literal["npm", "pypi"]
    project: str
    version: str
    file: str
    sha256: str

    def content(self) -> bytes:
        """The file: from the cache, or from the registry.

        Raises:
            FileError: it can't be fetched or has another hash.
        """
        kept = cache() / self.file
        with suppress(OSError):
            content = kept.read_bytes()
            # A file that was cut off or changed is fetched again.
            if sha256(content).hexdigest() == self.sha256:
                return content
        content = self._fetched()
        with suppress(OSError, FileError):  # a full cache is no error
            kept.parent.mkdir(parents=True, exist_ok=True)
            write(kept, content)
        return content

    def _fetched(self) -> bytes:
        at = registry(self.registry)
        try:
            if self.registry == "npm":
                url = f"{at}/{self.project}/-/{self.file}"
            else:
                index = f"{at}/{self.project}/"
                url = _link(index, _read(index).decode(), self.file)
            content = _read(url)
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise FileError(
                f"can't fetch {self.file} from {_host(at)}: {str(reason)[:100]}; connect "
                f"to a network once, or put the file into {shown_path(cache())}"
            ) from None
        if sha256(content).hexdigest() != self.sha256:
            raise FileError(
                f"{self.file} from {_host(at)} is not the expected file: its SHA-256 is "
                f"{sha256(content).hexdigest()[:12]}..., not {self.sha256[:12]}..."
            )
        return content


# Both must fit: the wheel's name gives the Python and the interface of this Pyodide.
PYODIDE = Parcel(
    "npm",
    "pyodide",
    "314.0.7",
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
FLINT = Parcel(
    "pypi",
    "python-flint",
    "0.9.0",
    "python_flint-0.9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3",
)


def cache() -> Path:
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "sevenout"


def registry(name: Literal["npm", "pypi"]) -> str:
    """The URL of a registry as configured for npm or pip, without a slash at its end."""
    if name == "npm":
        # npm reads its variables in upper and lower case.
        configured = {key.lower(): value for key, value in os.environ.items()}.get(
            "npm_config_registry"
        )
        registry = configured or _npmrc() or "https://registry.npmjs.org"
    else:
        registry = os.environ.get("PIP_INDEX_URL") or _pip() or "https://pypi.org/simple"
    return registry.rstrip("/")


def _npmrc() -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        text = (Path.home() / ".npmrc").read_text()
        match = re.search(r"^\s*registry\s*=\s*(\S+)", text, re.MULTILINE)
        return match[1] if match else None
    return None


def _pip() -> str | None:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    files = [Path(sys.prefix) / "pip.conf", home / "pip" / "pip.conf"]
    files += [Path.home() / ".pip" / "pip.conf", Path("/etc/pip.conf")]
    if named_by := os.environ.get("PIP_CONFIG_FILE"):
        # For pip this file overrides all others.
        files.insert(0, Path(named_by))
    for file in files:
        # A password in the address may hold a percent sign, which is special otherwise.
        config = ConfigParser(interpolation=None)
        with suppress(OSError, UnicodeDecodeError, ConfigError):
            config.read(file)
            if index := config.get("global", "index-url", fallback=""):
                return index
    return None


def _read(url: str) -> bytes:
    # urlopen reads local files too, which a list of files could name.
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError("it is not a web address")
    # PyPI sends its list as HTML or JSON, and `_link` reads HTML.
    ask = Request(url, headers={"user-agent": "sevenout", "accept": "text/html, */*;q=0.5"})
    with urlopen(ask, timeout=PATIENCE) as answer:
        # One byte too many shows that the file is too long, without reading all of it.
        content: bytes = answer.read(MOST + 1)
    if len(content) > MOST:
        raise ValueError(f"it is longer than {MOST:,} bytes")
    return content


def _link(index: str, listed: str, file: str) -> str:
    """The URL of a file in a project's list of files."""
    # Without the last part a file whose name goes on would match too.
    match = re.search(rf'href="([^"#]*/)?{re.escape(file)}(?=[#"])', listed)
    if match is None:
        raise ValueError("it is not in the list of files")
    return str(urljoin(index, (match[1] or "") + file))


def _host(url: str) -> str:
    """A registry in a message, without its password."""
    return urlsplit(url).hostname or "nowhere"


def sources(package: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of an installed package, by path.

    >>> sorted(str(path) for path, _ in sources("htpy"))[:2]
    ['htpy/__init__.py', 'htpy/_attributes.py']
    """
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    for file in sorted(folder.rglob("*")):
        within = file.relative_to(folder)
        # The page's Python can't load what was compiled for this machine, by numba too.
        machine = "__pycache__" in within.parts or file.suffix in (".so", ".pyd", ".c", ".pyi")
        if file.is_file() and not machine:
            yield PurePosixPath(package, *within.parts), file.read_bytes()


def licences(package: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each licence of an installed package."""
    for file in distribution(package).files or ():
        if re.search(r"licen[cs]e|copying|notice", file.name, re.IGNORECASE):
            with suppress(OSError, UnicodeDecodeError):
                yield f"{package}: {file.name}", Path(str(file.locate())).read_text("utf-8")
