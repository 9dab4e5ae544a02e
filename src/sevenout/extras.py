"""Optional dependencies. A missing one is reported with the command that installs it.

Import an optional package where it is first used, after this check:

    needs("matplotlib", "plots")
    from matplotlib.figure import Figure
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import TypeVar

from sevenout.errors import SevenoutError

EXTRAS = {
    "plots": ("matplotlib",),
    "variants": ("duckdb",),
    "sheet": ("typst", "matplotlib", "scipy"),
    "fast": ("llvmlite", "numba", "scipy"),
    "verify": ("scipy",),
    "lab": ("starlette", "uvicorn", "htpy"),
    "cluster": ("distributed",),
}
"""The packages of each extra."""


Function = TypeVar("Function", bound=Callable[..., object])


class MissingError(SevenoutError, ImportError):
    """A package is not installed; the message says what to install."""


def require(package: str, extra: str | None = None) -> None:
    """Check that a package, of an extra of sevenout if one is named, is installed.

    >>> require("rich")
    >>> import sys
    >>> sys.modules["duckdb"] = None  # as where it is not installed
    >>> require("duckdb", "variants")
    Traceback (most recent call last):
    sevenout.extras.MissingError: this needs duckdb, which is not installed; run \
pip install 'sevenout[variants]'
    >>> del sys.modules["duckdb"]

    Raises:
        MissingError: it is not installed.
    """
    if not is_installed(package):
        raise _missing_error(package, extra)


def is_installed(package: str) -> bool:
    """Whether a package is installed.

    >>> is_installed("rich"), is_installed("no_such_package")
    (True, False)
    """
    return find_spec(package) is not None


@cache
def compiled(function: Function) -> Function:
    """A loop over arrays as machine code by numba, or itself where numba is not installed.

    Call it where the loop has run long enough: to load numba takes some 0.5 seconds, and to compile
    a function that no earlier process has compiled takes seconds.
    """
    if not is_installed("numba"):
        return function
    from numba import njit

    try:
        machine: Function = njit(function, cache=True, nogil=True)
    except RuntimeError:  # no folder to cache it in can be written
        machine = njit(function, nogil=True)
    return machine


def missing_dependency(error: ImportError) -> MissingError | None:
    """The error for a failed import; None if the package is not an optional dependency.

    >>> str(missing_dependency(ModuleNotFoundError("No module named 'typst'", name="typst")))
    "this needs typst, which is not installed; run pip install 'sevenout[sheet]'"
    """
    package = (error.name or "").partition(".")[0]
    if package == "numpy":  # it is in no extra by name: others bring it along
        return _missing_error(package)
    extras = [extra for extra, packages in EXTRAS.items() if package in packages]
    return _missing_error(package, extras[-1]) if extras else None


def _missing_error(package: str, extra: str | None = None) -> MissingError:
    """The error for a package, with the command that installs it."""
    advice = f"run pip install 'sevenout[{extra}]'" if extra else f"run pip install {package}"
    if sys.platform == "emscripten":
        return MissingError(
            f"this needs {package}, which is not available in a browser; run the lab on your "
            "machine: pip install 'sevenout[lab]', then sevenout lab"
        )
    return MissingError(f"this needs {package}, which is not installed; {advice}")
