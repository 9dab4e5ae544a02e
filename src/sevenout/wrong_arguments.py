"""Wrong arguments of public functions: a `SevenoutError` names them.

A public function does not check the types of its arguments one by one. If it fails with an error
of another kind, its arguments are compared with its annotations, and the first that does not fit
is named. So calls that succeed cost nothing, and an error without a wrong argument, which is a
fault of sevenout, keeps its traceback.
"""

import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import Signature, formatannotation, signature
from itertools import islice
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from sevenout.errors import SevenoutError, shown

P = ParamSpec("P")
R = TypeVar("R")
MAX_COMPARED = 3
"""Elements of a list or dict that are compared: most lists are wrong from the first on."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose wrong arguments are named by a `SevenoutError`.

    >>> @public
    ... def half(number: int) -> float:
    ...     return number / 2
    >>> half("7")
    Traceback (most recent call last):
    sevenout.errors.SevenoutError: half: number='7'; give int
    >>> half(10**400)
    Traceback (most recent call last):
    sevenout.errors.SevenoutError: half: a number is too large; give a smaller one
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            result = function(*args, **kwargs)
            if isinstance(result, Iterator):  # it would fail only when it is read
                _refuse_wrong_argument(function, args, kwargs)
            return result
        except SevenoutError:
            raise
        except OverflowError:
            raise SevenoutError(
                f"{function.__name__}: a number is too large; give a smaller one"
            ) from None
        except Exception as error:
            # Python's own limit on the digits that it prints or reads; the message has no number
            if isinstance(error, ValueError) and "Exceeds the limit" in str(error):  # digits of int
                raise SevenoutError(
                    f"{function.__name__}: a number has too many digits; give a shorter one"
                ) from None
            _refuse_wrong_argument(function, args, kwargs)
            raise

    return call


def _refuse_wrong_argument(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    """Raise an error that names the first argument that does not fit its annotation."""
    declared = signature(function)
    try:
        arguments = declared.bind(*args, **kwargs).arguments
    except TypeError as error:  # without an argument, or with one too many
        raise TypeError(f"{function.__name__}() {error}") from None
    hints = _hints(function)
    for name, value in _arguments_one_by_one(declared, arguments):
        if name in hints and not fits(value, hints[name]):
            kind = formatannotation(hints[name]).replace("collections.abc.", "")
            kind = kind.replace("sevenout.", "").replace("typing.", "")
            text = f"{function.__name__}: {name}={shown(value)}; give {kind}"
            raise SevenoutError(text if len(text) < 300 else f"{text[:290]}...") from None


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function, with the classes that are imported for type checkers only."""
    names: dict[str, Any] = {}
    while True:
        try:
            return get_type_hints(function, localns=names)
        except NameError as error:
            missing = str(error.name)
            modules = [
                module for name, module in sys.modules.items() if name.startswith("sevenout")
            ]
            classes = (vars(module).get(missing) for module in modules)
            # what no module has loaded can't be the type of an argument: anything fits
            names[missing] = next((c for c in classes if isinstance(c, type)), Any)


def _arguments_one_by_one(
    declared: Signature, arguments: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The arguments one by one, those after a star too."""
    for name, value in arguments.items():
        kind = declared.parameters[name].kind
        if kind is kind.VAR_POSITIONAL:
            yield from ((name, item) for item in value)
        elif kind is kind.VAR_KEYWORD:
            yield from ((name, item) for item in value.values())
        else:
            yield name, value


def fits(value: Any, hint: Any) -> bool:
    """Whether a value may be of a type; in doubt it is.

    Of a long list the first few items are compared, of a tuple and a mapping all.

    >>> from collections.abc import Sequence
    >>> fits([1, 2], list[int]), fits("12", Sequence[int]), fits((2, "x"), tuple[int, ...])
    (True, False, False)
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if hint is None or hint is types.NoneType:
        return value is None
    if origin is Literal:
        return value in parts
    kind = origin or hint
    if origin is Callable:
        return callable(value)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if not isinstance(kind, type):
        return True
    try:
        if not isinstance(value, kind):
            return False
    except TypeError:  # a protocol that can't be checked
        return True
    if isinstance(value, Mapping) and len(parts) == 2:
        return all(fits(key, parts[0]) and fits(item, parts[1]) for key, item in value.items())
    if kind is tuple and isinstance(value, tuple) and parts:
        kinds = parts[:1] * len(value) if parts[-1] is ... else parts
        return len(kinds) == len(value) and all(map(fits, value, kinds))
    if isinstance(value, str | bytes | list | tuple | set | frozenset) and parts:
        return all(fits(item, parts[0]) for item in islice(value, MAX_COMPARED))
    return True
