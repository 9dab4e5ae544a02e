"""Questions as sections of sheets and dossiers, written as on the command line.

longer --rolls 10
given --at 4
"""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sevenout.documents import Page
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.papers.subject import Subject
from sevenout.questions import all_questions
from sevenout.questions.named_policies import PlayedGame
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import PLAYED
from sevenout.questions.subjects import GameSubject


def section(text: str) -> Callable[[Subject], Page]:
    """The section that answers a question about a sheet's subject.

    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.subject import subject_of
    >>> print(section("longer --rolls 10")(subject_of(games.entry("craps"))))
    More than 10 rolls
    <BLANKLINE>
    more than 10 rolls         …   3.4828 %
    mean rolls           557/165   3.375758

    A question about a bet is asked about each bet on the sheet unless one is named.
    """
    question, given, said = _read(text)
    with _as_options(question):
        values = question.values(said)
    heading = question.heading(**{each.name: values[each.name] for each in question.arguments})
    heading = heading or ", ".join([question.help.partition(":")[0].rstrip("."), *given])
    title = heading[:1].upper() + heading[1:]

    def made(subject: Subject) -> Page:
        chosen = GameSubject("", subject.game, awards=subject.progressives)
        solved = PlayedGame.of_solution(subject.solution, chosen)
        with _as_options(question):
            if not question.of.of_game:
                return Page(title, *question(*given, **said).page().blocks)
            if question.of.name == "game":
                return Page(title, *question(solved, **said).page().blocks)
            bets = [subject.solution.bet(said["bet"])] if "bet" in said else subject.bets
            own = {key: value for key, value in said.items() if key != "bet"}
            for bet in bets:
                if bet.name in subject.awards:
                    raise RulesError(
                        f"{question.name} does not include the progressive award of {bet.name}; "
                        "name another bet with --bet, or leave the section out"
                    )
            pages = [Page(bet.name, *question(bet, **own).page().blocks) for bet in bets]
            return Page(title, *(pages if len(pages) > 1 else pages[0].blocks if pages else ()))

    return made


@contextmanager
def _as_options(question: Question) -> Iterator[None]:
    """Name arguments as options in errors."""
    try:
        yield
    except SevenoutError as error:
        said = question.named(error, lambda each: f"{each.option} ")
        if said == str(error):
            raise
        raise NotationError(said) from None


def _read(text: str) -> tuple[Question, list[str], dict[str, Any]]:
    """Parse a question, its subjects and its arguments from a command line."""
    try:
        name, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise NotationError(f"{shown(text)}: {error}") from None
    known = {name: each for name, each in all_questions().items() if each.section}
    if name not in known:
        raise NotationError(
            f"{shown(name)} is not a section; name a question, such as longer --rolls 10; the "
            f"questions are: {', '.join(known)}"
        )
    question = known[name]
    options = {each.option: each for each in question.every if each not in PLAYED}
    said: dict[str, Any] = {}
    given: list[str] = []
    while words and not question.of.of_game and not words[0].startswith("--"):
        given.append(words.pop(0))
    while words:
        option, equals, value = words.pop(0).partition("=")
        if option not in options or not (equals or words):
            raise NotationError(
                f"{name} {shown(option)}; it takes {', '.join(options)}, each with a value"
            )
        said[options[option].name] = value if equals else words.pop(0)
    return question, given, said
