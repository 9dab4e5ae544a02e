"""Questions as they are written on a command line: in the reference, and as sections of papers.

A section of a sheet or a dossier is a question without its game:

    odds --longer 10
    odds --at 4
    evening --forever --bankroll 100
"""

import shlex
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sevenout.documents import Page
from sevenout.errors import NoSuchOptionError, NotationError, RulesError, shown
from sevenout.papers.subject import Subject
from sevenout.questions import commands
from sevenout.questions.arguments import Argument
from sevenout.questions.policies import PlayedGame
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import POLICY_ARGUMENTS
from sevenout.questions.subjects import GameSubject


def reference() -> str:
    """A section for each question, followed by its modes.

    >>> print(reference().partition("## odds --longer")[2].partition("|")[0])
    <BLANKLINE>
    <BLANKLINE>
    The probability that a game takes more than a number of rolls, from any state.
    <BLANKLINE>
    Asked of: a game.
    <BLANKLINE>
    <BLANKLINE>
    """
    return "\n".join(line for question in _questions() for line in _question_lines(question))


def _questions() -> Iterator[Question]:
    """Each question, followed by its modes."""
    for question in commands().values():
        yield question
        yield from question.modes


def heading(question: Question) -> str:
    """The title of its section: the words of its command, with the option of a mode.

    >>> from sevenout.questions import all_questions
    >>> heading(all_questions()["odds_at"]), heading(all_questions()["dice_faults"])
    ('odds --at', 'dice faults')
    """
    option = [question.arguments[0].option] if question.main_question and question.arguments else []
    return " ".join([*question.command_words, *option])


def _question_lines(question: Question) -> Iterator[str]:
    yield from (
        f"##{'#' if question.main_question else ''} {heading(question)}",
        "",
        question.help,
        "",
        f"Asked of: {question.subject_kind.description}.",
        "",
    )
    if question.own_arguments:
        yield "| in Python | command line | in the lab | what it may be | default | meaning |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for argument in question.own_arguments:
            yield _argument_row(argument)
        yield ""
    if question.subject_kind.example_file:
        yield from (f"This is `{question.subject_kind.example_file}`:", "", "```toml")
        yield question.example_subject + "```"
        yield ""
    if not question.local_only:
        yield from ("```text", f"$ sevenout {question.example_command}", "```", "")
    yield "| in JSON | what it is |"
    yield "| --- | --- |"
    for key, text in question.subject_kind.json_head.items():
        yield f"| `{key}` | {text} |"
    for key, schema in question.figure_schemas.items():
        rarely = "; not always there" if key.endswith("?") else ""
        yield f"| `{key.rstrip('?')}` | {schema['description']}{rarely} |"
    yield ""


def _argument_row(argument: Argument) -> str:
    default = "must be given" if argument.required else argument.default or "none"
    label = "not in the lab" if argument.local_only else argument.label
    cells = [f"`{argument.name}`", f"`{argument.option}`", label, argument.form.description]
    return f"| {' | '.join([*cells, default, argument.help])} |"


class Request(NamedTuple):
    """A question about the subject of a sheet.

    Attributes:
        question: the question, or the mode that answers.
        inputs: its inputs, where it has other ones than the sheet.
        arguments: the values of its arguments, by name.
    """

    question: Question
    inputs: list[str]
    arguments: dict[str, Any]


def section(text: str) -> Callable[[Subject], Page]:
    """The section that answers a question about a sheet's subject.

    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.subject import subject_of
    >>> print(section("odds --longer 10")(subject_of(games.entry("craps"))))
    More than 10 rolls
    <BLANKLINE>
    more than 10 rolls             3.4828 %
    mean rolls           557/165   3.375758
    <BLANKLINE>
    Where a fraction is blank, it is too long for the page. The JSON has it in full.

    A question about a bet is asked about each bet on the sheet unless one is named.
    """
    question, inputs, arguments = _parse_request(text)
    with question.naming_options():
        values = question.argument_values(arguments)
    name = question.printed_heading(values)
    name = name or ", ".join([question.help.partition(":")[0].rstrip("."), *inputs])
    title = name[:1].upper() + name[1:]

    def answer_page(subject: Subject) -> Page:
        with question.naming_options():
            if inputs or question.subject_kind.min_inputs == 0:
                return Page(title, *question(*inputs, **arguments).page().blocks)
            if question.subject_kind.name == "game":
                chosen = GameSubject("", subject.game, awards=subject.progressives)
                game = PlayedGame.from_solution(subject.solution, chosen)
                return Page(title, *question(game, **arguments).page().blocks)
            return Page(title, *_bet_pages(question, subject, arguments))

    return answer_page


def _bet_pages(question: Question, subject: Subject, arguments: dict[str, Any]) -> Iterator[Any]:
    """The answer for each bet on the sheet, under its name if there are several."""
    options = dict(arguments)
    bets = list(subject.bets)
    if "bet" in options:
        bets = [subject.solution.bet(options.pop("bet"))]
    for bet in bets:
        # The answer would be of the bet without its award, under a sheet that counts it.
        if bet.name in subject.awards:
            raise RulesError(
                f"{question.name} does not include the progressive award of {bet.name}; "
                "name another bet with --bet, or leave the section out"
            )
    pages = [Page(bet.name, *question(bet, **options).page().blocks) for bet in bets]
    yield from pages if len(pages) > 1 else (block for page in pages for block in page.blocks)


def _parse_request(text: str) -> Request:
    """Parse a question, its subjects and its arguments from a command line."""
    try:
        name, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise NotationError(f"{shown(text)}: {error}") from None
    main = commands().get(name)
    parts = [part for part in (main, *main.modes) if part.fits_papers] if main else []
    if main is None or not parts:
        sections = [heading(question) for question in _questions() if question.fits_papers]
        raise NotationError(
            f"{shown(name)} is not a section; name a question, such as odds --longer 10; the "
            f"questions are: {', '.join(sections)}"
        )
    first_option = next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
    # A question about one game is asked of the sheet's own game.
    inputs = [] if main.subject_kind.takes_one_game else words[:first_option]
    arguments = _parse_options(main, words[len(inputs) :])
    with main.naming_options():
        question = main.select_mode(inputs or [None], arguments)
    if not question.fits_papers:
        raise NotationError(
            f"{shown(text)} is not a section; the sections of {name} are: "
            f"{', '.join(map(heading, parts))}"
        )
    return Request(question, inputs, arguments)


def _parse_options(question: Question, words: list[str]) -> dict[str, str]:
    """The texts of options by the name of their argument."""
    # A paper plays its game one way, and its sections write no files.
    options = {
        argument.option: argument
        for argument in question.all_arguments
        if argument not in POLICY_ARGUMENTS and not argument.local_only
    }
    values: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        argument = options.get(option)
        if argument is None:
            raise NoSuchOptionError(question.name, option, options)
        if argument.name in values:
            raise NotationError(f"{question.name}: {option} is given twice; write it once")
        if not equals:
            value = "yes" if argument.form.is_flag else next(rest, "")
        values[argument.name] = value
    return values
