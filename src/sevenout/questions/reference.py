"""The reference of the questions in Markdown: arguments and answers."""

from collections.abc import Iterator
from shlex import join

from sevenout.questions import commands
from sevenout.questions.arguments import Argument
from sevenout.questions.question import Question


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
    return "\n".join(
        line
        for question in commands().values()
        for one in (question, *question.modes)
        for line in _section(one)
    )


def heading(question: Question) -> str:
    """The title of its section: the words of its command, with the option of a mode.

    >>> from sevenout.questions import all_questions
    >>> heading(all_questions()["odds_at"]), heading(all_questions()["dice_faults"])
    ('odds --at', 'dice faults')
    """
    option = [question.arguments[0].option] if question.main and question.arguments else []
    return " ".join([*question.verb, *option])


def command(question: Question) -> str:
    """The command of a question's example.

    >>> from sevenout.questions import all_questions
    >>> command(all_questions()["odds_longer"])
    'sevenout odds craps --longer=10 --at=4'
    """
    options = question.options(question.values(question.sample))
    return join(["sevenout", *question.verb, *question.examples, *options])


def _section(question: Question) -> Iterator[str]:
    yield from (
        f"##{'#' if question.main else ''} {heading(question)}",
        "",
        question.help,
        "",
        f"Asked of: {question.of.words}.",
        "",
    )
    own = (*question.of.own, *question.arguments)
    if own:
        yield "| in Python | command line | in the lab | what it may be | default | meaning |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for argument in own:
            yield _row(argument)
        yield ""
    if question.of.file:
        yield from (f"This is `{question.of.file}`:", "", "```toml")
        yield question.example_subject + "```"
        yield ""
    if not question.local:
        yield from ("```text", f"$ {command(question)}", "```", "")
    yield "| in JSON | what it is |"
    yield "| --- | --- |"
    for key, text in question.of.heads.items():
        yield f"| `{key}` | {text} |"
    for key, schema in question.returns.items():
        rarely = "; not always there" if key.endswith("?") else ""
        yield f"| `{key.rstrip('?')}` | {schema['description']}{rarely} |"
    yield ""


def _row(argument: Argument) -> str:
    default = "must be given" if argument.required else argument.default or "none"
    label = "not in the lab" if argument.local else argument.label
    cells = [f"`{argument.name}`", f"`{argument.option}`", label, argument.form.words]
    return f"| {' | '.join([*cells, default, argument.help])} |"
