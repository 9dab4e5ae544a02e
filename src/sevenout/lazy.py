"""Packages whose modules load when one of their names is first used."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def opened(room: str, homes: dict[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562).

    >>> opened("sevenout", {"errors": "SevenoutError TooMuchWorkError"})("SevenoutError").__name__
    'SevenoutError'

    Args:
        room: the package.
        homes: the public names of each module; the modules are names too.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name in home:
            return getattr(import_module(f"{room}.{home[name]}"), name)
        if name in homes:
            return import_module(f"{room}.{name}")
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return get
