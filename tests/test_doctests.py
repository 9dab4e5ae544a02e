"""Every public name that a user meets has a doctest."""

import inspect
from importlib import import_module

ROOMS = ("rolling", "rules", "model", "catalogue", "solving", "evenings")
ROOMS += ("simulation", "variants", "verify")


def shown(thing: object) -> bool:
    """Whether a class or function, or a member of the class, has an example in its docstring."""
    docs = [inspect.getdoc(thing) or ""]
    if inspect.isclass(thing):
        own = (member for base in thing.__mro__[:-1] for member in vars(base).values())
        docs += [getattr(member, "__doc__", "") or "" for member in own]
    return any(">>>" in doc for doc in docs)


def without() -> set[str]:
    """The public classes and functions of the rooms that have none; errors need none."""
    found = set()
    for room in ROOMS:
        home = import_module(f"sevenout.{room}")
        for name in home.__all__:
            thing = getattr(home, name)
            is_error = inspect.isclass(thing) and issubclass(thing, BaseException)
            if (inspect.isclass(thing) or inspect.isroutine(thing)) and not is_error:
                found |= set() if shown(thing) else {f"{room}.{name}"}
    return found


def test_public_names_have_doctests() -> None:
    assert not without()
