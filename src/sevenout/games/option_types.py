"""Checks the types of options."""

from collections.abc import Mapping
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin


def fits(value: Any, kind: Any) -> bool:
    """Whether a value fits an option's annotation.

    >>> fits((2, 12), tuple[int, ...]), fits("six", int), fits(None, int | None)
    (True, False, True)
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in args)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = args[:1] * len(value) if args[-1] is ... else args
        return len(kinds) == len(value) and all(map(fits, value, kinds))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            fits(key, args[0]) and fits(each, args[1]) for key, each in value.items()
        )
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, kind)


def words(kind: Any) -> str:
    """A type in words.

    >>> words(int | tuple[int, int, int])
    'a whole number or 3 whole numbers such as 2,3,12'
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if Fraction in args:
            others = [each for each in args if each not in (int, Fraction, str, NoneType)]
            return " or ".join(["an amount such as 3/2", *map(words, others)])
        return " or ".join(words(each) for each in args if each is not NoneType)
    if origin is tuple:
        count = "" if args[-1] is ... else f"{len(args)} "
        return f"{count}whole numbers such as 2,3,12"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "amounts by number"
    return {int: "a whole number", bool: "true or false", str: "a word"}.get(kind, str(kind))
