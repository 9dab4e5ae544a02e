"""Find the state that a text describes, as printed or in Python syntax."""

import re
from ast import literal_eval
from collections.abc import Collection, Sequence
from typing import Any

from sevenout.errors import shown
from sevenout.model import Chain, state_name
from sevenout.model.naming import in_words
from sevenout.questions.arguments import ArgumentError


def states_meant(text: str, states: Collection[Any], names: Sequence[str] = ()) -> list[Any]:
    """The states that a text may describe; only one if it is written in full.

    >>> states_meant("point 4", [None, 4, 5], ("point",)), states_meant("(4, 2)", [(4, 2), (2, 4)])
    ([4], [(4, 2)])

    `names` are those of the parts of a state, if the rules give any.
    """
    try:
        value = literal_eval(text.strip())
        if value in states:
            return [value]
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    for said in (state_name, lambda state: in_words(state, names)):
        for state in states:
            if said(state) == text.strip():
                return [state]
    wanted = _words(text, names)
    return [state for state in states if _words(state_name(state), names) == wanted]


def _words(text: str, names: Sequence[str]) -> list[str]:
    """The words and numbers of a text, without the names of coordinates."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text)
    return re.findall(r"\w+", text)


def chain_at(chain: Chain, at: Any, argument: str = "at") -> tuple[Chain, str]:
    """The chain from a state on, and the state in words; by default, from the start.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_at(craps, "4")
    (<Chain of 1 states and 2 outcomes>, '4')

    Raises:
        ArgumentError: the state is unreachable, or the text is ambiguous; it names `argument`.
    """
    if at is None:
        return chain, ""
    names, known = chain.coordinates, dict.fromkeys(chain.states)
    try:
        found = [at] if at in known else []
    except TypeError:  # an unhashable value is not a state
        found = []
    if not found and isinstance(at, str):
        # a player says that the point is 6 where the state is 6 alone
        found = states_meant(at, known, names or ("point",))
    if len(found) == 1:
        return chain.started_at(found[0]), in_words(found[0], names)
    some = "; ".join(in_words(state, names) for state in found[:6] or chain.states[:6])
    if found:
        raise ArgumentError(argument, f"{shown(at)} fits several states: {some}")
    more = "" if len(chain.states) <= 6 else "; ..."
    raise ArgumentError(
        argument, f"{shown(at)}; the game is never in that state; its states: {some}{more}"
    )
