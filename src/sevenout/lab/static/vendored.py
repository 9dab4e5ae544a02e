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
from http.client import HTTPException
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
MAX_BYTES = 64_000_000
"""Bytes of a file, above which the registry must have sent something else."""
INSTALLED = ("sevenout", "htpy", "markupsafe")
"""The pure Python packages that are copied as installed."""

Registry = Literal["npm", "pypi"]


@dataclass(frozen=True)
class RegistryFile:
    """A file of a registry.

    Attributes:
        registry: "npm" or "pypi".
        project: its project there.
        version: the version of the project.
        file: its name, there and in the cache.
        sha256: its hash, in hexadecimal digits.
    """

    registry: Registry
    project: str
    version: str
    file: str
    sha256: str

    def content(self) -> bytes:
        """The file: from the cache, or from the registry.

        Raises:
            FileError: it can't be fetched or has another hash.
        """
        cached = cache_folder() / self.file
        with suppress(OSError):
            content = cached.read_bytes()
            # A file that was cut off or changed is fetched again.
            if sha256(content).hexdigest() == self.sha256:
                return content
        content = self._fetch()
        with suppress(OSError, FileError):  # a full cache is no error
            cached.parent.mkdir(parents=True, exist_ok=True)
            write(cached, content)
        return content

    def _fetch(self) -> bytes:
        """The file from its registry; refused if its SHA-256 is not the expected one."""
        base = registry_url(self.registry)
        try:
            if self.registry == "npm":
                url = f"{base}/{self.project}/-/{self.file}"
            else:
                index = f"{base}/{self.project}/"
                url = _file_url(index, _download(index).decode(), self.file)
            content = _download(url)
        except (OSError, ValueError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise FileError(
                f"can't fetch {self.file} from {_host(base)}: {str(reason)[:100]}; connect "
                f"to a network once, or put the file into {shown_path(cache_folder())}"
            ) from None
        if sha256(content).hexdigest() != self.sha256:
            raise FileError(
                f"{self.file} from {_host(base)} is not the expected file: its SHA-256 is "
                f"{sha256(content).hexdigest()[:12]}..., not {self.sha256[:12]}..."
            )
        return content


# Both must fit: the wheel's name gives the Python and the interface of this Pyodide.
PYODIDE = RegistryFile(
    "npm",
    "pyodide",
    "314.0.7",
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
FLINT = RegistryFile(
    "pypi",
    "python-flint",
    "0.9.0",
    "python_flint-0.9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3",
)


def cache_folder() -> Path:
    """The folder of the user for what sevenout fetched or computed."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "sevenout"


def registry_url(name: Registry) -> str:
    """The URL of a registry as configured for npm or pip, without a slash at its end."""
    if name == "npm":
        # npm reads its variables in upper and lower case.
        variables = {key.lower(): value for key, value in os.environ.items()}
        configured = variables.get("npm_config_registry") or _npmrc_registry()
        return (configured or "https://registry.npmjs.org").rstrip("/")
    configured = os.environ.get("PIP_INDEX_URL") or _pip_registry()
    return (configured or "https://pypi.org/simple").rstrip("/")


def _npmrc_registry() -> str | None:
    """The registry of the user's file for npm."""
    with suppress(OSError, UnicodeDecodeError):
        text = (Path.home() / ".npmrc").read_text()
        match = re.search(r"^\s*registry\s*=\s*(\S+)", text, re.MULTILINE)
        return match[1] if match else None
    return None


def _pip_registry() -> str | None:
    """The index of pip's files."""
    for file in _pip_files():
        # A password in the address may hold a percent sign, which is special otherwise.
        config = ConfigParser(interpolation=None)
        with suppress(OSError, UnicodeDecodeError, ConfigError):
            config.read(file)
            if index := config.get("global", "index-url", fallback=""):
                return index
    return None


def _pip_files() -> list[Path]:
    """The files that pip may read; each overrides those after it."""
    first = os.environ.get("PIP_CONFIG_FILE")
    # For pip this means no file at all.
    if first == os.devnull:
        return []
    home, name = Path.home(), "pip.ini" if sys.platform == "win32" else "pip.conf"
    if sys.platform == "win32":
        roaming = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
        shared = Path(os.environ.get("PROGRAMDATA") or "C:/ProgramData")
        folders = [roaming / "pip", home / "pip", shared / "pip"]
    else:
        support = Path("Library", "Application Support", "pip")
        mac = [home / support, "/" / support] if sys.platform == "darwin" else []
        config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        folders = [*mac[:1], config / "pip", home / ".pip", *mac[1:], Path("/etc")]
    files = [folder / name for folder in (Path(sys.prefix), *folders)]
    return [Path(first), *files] if first else files


def _download(url: str) -> bytes:
    """The content of a web address, up to `MAX_BYTES`."""
    # urlopen reads local files too, which a list of files could name.
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError("it is not a web address")
    # PyPI sends its list as HTML or JSON, and `_file_url` reads HTML.
    request = Request(url, headers={"user-agent": "sevenout", "accept": "text/html, */*;q=0.5"})
    with urlopen(request, timeout=PATIENCE) as answer:
        # One byte too many shows that the file is too long, without reading all of it.
        content: bytes = answer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is longer than {MAX_BYTES:,} bytes")
    return content


def _file_url(index: str, html: str, file: str) -> str:
    """The URL of a file in a project's list of files, the HTML at `index`."""
    # Without the last part a file whose name goes on would match too.
    match = re.search(rf'href="([^"#]*/)?{re.escape(file)}(?=[#"])', html)
    if match is None:
        raise ValueError("it is not in the list of files")
    return str(urljoin(index, (match[1] or "") + file))


def _host(url: str) -> str:
    """A registry in a message, without its password."""
    with suppress(ValueError):  # brackets that hold no address
        return urlsplit(url).hostname or "nowhere"
    return "nowhere"


def package_files(package: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of an installed package, by path.

    >>> sorted(str(path) for path, _ in package_files("htpy"))[:2]
    ['htpy/__init__.py', 'htpy/_attributes.py']
    """
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        # The page's Python can't load what was compiled for this machine, by numba too.
        is_compiled = "__pycache__" in path.parts or file.suffix in (".so", ".pyd", ".c", ".pyi")
        if file.is_file() and not is_compiled:
            yield PurePosixPath(package, *path.parts), file.read_bytes()


def licences(package: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each licence of an installed package."""
    for file in distribution(package).files or ():
        if re.search(r"licen[cs]e|copying|notice", file.name, re.IGNORECASE):
            with suppress(OSError, UnicodeDecodeError):
                yield f"{package}: {file.name}", Path(str(file.locate())).read_text("utf-8")
