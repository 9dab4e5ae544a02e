"""Every public function answers wrong arguments with one line of ours.

Each is called with values of every kind, the same one for all arguments, and one at a time for
those that stand after a right one. Only a `SevenoutError` may be raised.
"""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, isroutine, signature
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import SevenoutError
from sevenout.simulation import replay_log
from sevenout.verify import binomial_test, conform, wilson

PACKAGES = (
    "sevenout",
    *("sevenout." + name for name in ("rolling", "rules", "model", "solving", "simulation")),
    *("sevenout." + name for name in ("variants", "verify", "evenings", "catalogue", "certify")),
    *("sevenout." + name for name in ("documents", "papers", "questions")),
)
WRONG = {
    "nothing": None,
    "a truth value": True,
    "negative": -1,
    "zero": 0,
    "a number": 7,
    "huge": 10**400,
    "over 4,300 digits": 10**5_000,
    "a float": 1.5,
    "not a number": float("nan"),
    "empty": "",
    "a letter": "x",
    "a game": "craps",
    "dice as text": "2d6",
    "digits": "9" * 5_000,
    "bytes": b"x",
    "no elements": [],
    "an empty dict": {},
    "a dict": {"a": 1},
    "an object": object(),
    "a function": print,
    "a die": so.d6,
    "dice": so.dice("2d6"),
}


def functions(package: str) -> Iterator[tuple[str, Callable[..., Any], int]]:
    """The public functions of a package, with the number of arguments that each needs."""
    home = import_module(package)
    for name in home.__all__:
        function = getattr(home, name)
        if not isroutine(function) and not hasattr(function, "__wrapped__"):
            continue  # a class, a constant, a type
        needed = [p for p in signature(function).parameters.values() if p.default is p.empty]
        by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        if needed and all(parameter.kind in by_place for parameter in needed):
            yield name, function, len(needed)


def fault(function: Callable[..., Any], *arguments: Any) -> str:
    """What is wrong with the answer to these arguments; empty if nothing is."""
    try:
        with so.budget(2, 5e8):
            result = function(*arguments)
            if isinstance(result, Iterator):
                next(result, None)
    except SevenoutError as error:
        text = str(error)
        ok = text.isprintable() and 0 < len(text) < 600
        return "" if ok else f"a message of {len(text)} characters: {text[:100]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


@pytest.fixture(params=[4_300, 0], ids=["4,300 digits", "any digits"])
def most_digits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Python's limit on the digits of an int as text; the commands lift it."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("most_digits")
@pytest.mark.parametrize("package", PACKAGES)
def test_wrong_arguments_are_named(package: str) -> None:
    faults = [
        f"{name}, {kind}: {text}"
        for name, function, needed in functions(package)
        for kind, value in WRONG.items()
        if (text := fault(function, *[value] * needed))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(5, 10**400),
        lambda: wilson(5, 10**5_000),
        lambda: binomial_test(1.5, 10, 0.5),
        lambda: binomial_test(1, 10, "half"),
        lambda: conform(so.games["craps"], [1, 2]),
        lambda: list(replay_log(so.games["craps"], 7)),
        lambda: so.solve(so.games["craps"]).bet().pmf(10**5_000),
        lambda: so.simulate(so.games["craps"], 10**5_000),
    ],
    ids=["trials", "digits", "hits", "share", "log", "no log", "pmf", "games"],
)
def test_one_wrong_argument_is_named(call: Callable[[], Any]) -> None:
    assert fault(call) == ""
