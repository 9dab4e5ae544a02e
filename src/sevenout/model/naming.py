"""States in words."""

from collections.abc import Sequence
from typing import Any

from sevenout.rules import Outcome


def state_name(state: Any) -> str:
    """A state in words; an unnamed start is "start".

    >>> state_name(None), state_name((4, 2)), state_name(frozenset("ba"))
    ('start', '4, 2', '{a, b}')
    """
    match state:
        case None:
            return "start"
        case tuple():
            nested = any(isinstance(part, tuple | Outcome) for part in state)
            return (" · " if nested else ", ").join(state_name(part) for part in state)
        case frozenset():
            return f"{{{', '.join(sorted(map(state_name, state)))}}}"
        case Outcome():
            return state.label
        case _:
            return str(state)


def in_words(state: Any, names: Sequence[str]) -> str:
    """A state with the names of its parts, if the rules give the right number of names.

    >>> in_words((3, 4), ("mine", "yours")), in_words((3, 4), ())
    ('mine 3, yours 4', '3, 4')
    >>> in_words(("shut", (1, 2), 3), ("", "open", "roll"))
    'shut, open 1-2, roll 3'
    """
    parts = state if isinstance(state, tuple) else (state,)
    if len(parts) > len(names):
        return state_name(state)
    said = (f"{name} {_part(x)}".strip() for name, x in zip(names, parts, strict=False))
    return ", ".join(filter(None, said))


def _part(x: Any) -> str:
    if not isinstance(x, tuple):
        return state_name(x)
    nested = any(isinstance(part, tuple) for part in x)
    return (", " if nested else "-").join(map(_part, x)) or "none"
