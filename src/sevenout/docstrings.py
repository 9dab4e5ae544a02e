"""The docstring of a class or a function, which may hold the rules of a game.

Python drops docstrings under `-OO` and `PYTHONOPTIMIZE=2`. They are then read from the source, so
that no game loses its rules.
"""

import ast
import inspect
import sys
from collections.abc import Callable
from textwrap import dedent
from typing import Any


def own_docstring(thing: type | Callable[..., Any]) -> str:
    """Its own docstring, not an inherited one, without indentation; empty if there is none.

    >>> def roll():
    ...     '''Roll two dice.'''
    >>> own_docstring(roll)
    'Roll two dice.'
    """
    text = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    # A dataclass without a docstring gets its signature as one.
    if text and not text.startswith(f"{thing.__name__}("):
        return inspect.cleandoc(text)
    if sys.flags.optimize < 2:
        return ""
    try:
        source = dedent(inspect.getsource(thing))
    except (OSError, TypeError):  # typed at a prompt, or written in C
        return ""
    # A class and a function are one statement each, decorators included.
    statement = ast.parse(source).body[0]
    if not isinstance(statement, ast.ClassDef | ast.FunctionDef):  # a lambda
        return ""
    return ast.get_docstring(statement) or ""
