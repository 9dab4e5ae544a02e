"""Questions about games, each defined once, with its arguments and answer.

Each module of `entries` holds one question. The command line, the lab, JSON and its schema, the
reference page and shell completion all read this list, so a new question is one new file.

>>> from sevenout import questions
>>> from sevenout.catalogue import games
>>> questions.longer(games["craps"], rolls=10)["probability"]
Fraction(31834146749495, 914039610015744)
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from sevenout.errors import NotationError, shown
from sevenout.questions import entries
from sevenout.questions.question import Question

__all__ = ["Question", "all_questions", "question"]


def all_questions() -> Mapping[str, Question]:
    """Every question by name, in alphabetical order.

    >>> "longer" in all_questions()
    True
    """
    return dict(sorted(_found()))


def _found() -> Iterator[tuple[str, Question]]:
    for module in iter_modules(entries.__path__):
        found: Question = import_module(f"{entries.__name__}.{module.name}").QUESTION
        yield found.name, found


def question(name: str) -> Question:
    """The question with this name.

    >>> question("longer").of.name
    'game'

    Raises:
        NotationError: there is none.
    """
    known = all_questions()
    if name not in known:
        raise NotationError(f"no question {shown(name)}; there are: {', '.join(known)}")
    return known[name]


def __getattr__(name: str) -> Question:
    if name in all_questions():
        return question(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
