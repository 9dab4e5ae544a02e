"""Questions about games, each defined once, with its arguments and answer.

Each module of `entries` holds the questions of one subject. The command line, the lab, JSON and its
schema, the reference page and shell completion all read this list, so a new question is one new
function.

>>> from sevenout import questions
>>> from sevenout.catalogue import games
>>> questions.odds(games["craps"], longer=10)["probability"]
Fraction(31834146749495, 914039610015744)
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

from sevenout.errors import NotationError, shown
from sevenout.questions import entries
from sevenout.questions.question import Question
from sevenout.wrong_arguments import public

__all__ = ["Question", "all_questions", "commands", "question"]


def commands() -> Mapping[str, Question]:
    """The questions by name, in alphabetical order; their modes are parts of them.

    >>> "odds" in commands(), "odds_longer" in commands()
    (True, False)
    """
    return {
        name: question
        for name, question in all_questions().items()
        if question.main_question is None
    }


def all_questions() -> Mapping[str, Question]:
    """The questions and their modes by name, in alphabetical order.

    >>> [name for name in all_questions() if name.startswith("best")]
    ['best', 'best_at', 'best_closest']
    """
    return {question.name: question for question in sorted(_declared(), key=attrgetter("name"))}


def _declared() -> Iterator[Question]:
    for entry in iter_modules(entries.__path__):
        module = import_module(f"{entries.__name__}.{entry.name}")
        for value in vars(module).values():
            # an imported question belongs to another module
            if isinstance(value, Question) and value.function.__module__ == module.__name__:
                yield value


@public
def question(name: str) -> Question:
    """The question with this name.

    >>> question("odds").subject_kind.name
    'game'

    Raises:
        NotationError: there is none.
    """
    questions = commands()
    if name not in questions:
        raise NotationError(f"no question {shown(name)}; there are: {', '.join(questions)}")
    return questions[name]


def __getattr__(name: str) -> Question:
    if not name.startswith("_") and name in commands():
        return question(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
