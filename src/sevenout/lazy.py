"""Packages whose modules load when one of their names is first used."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lazy_getattr(package: str, names_by_module: dict[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562).

    >>> getattr_errors = lazy_getattr("sevenout", {"errors": "SevenoutError TooMuchWorkError"})
    >>> getattr_errors("SevenoutError").__name__
    'SevenoutError'

    Args:
        package: the package.
        names_by_module: the public names of each module; the modules are names too.
    """
    module_by_name = {
        name: module for module, names in names_by_module.items() for name in names.split()
    }

    def get(name: str) -> Any:
        if name in module_by_name:
            return getattr(import_module(f"{package}.{module_by_name[name]}"), name)
        if name in names_by_module:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
