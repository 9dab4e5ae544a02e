"""The reference of the questions in Markdown: arguments and answers."""

from collections.abc import Iterator
from shlex import join

from sevenout.questions import all_questions
from sevenout.questions.arguments import Argument
from sevenout.questions.question import Question
from sevenout.questions.schema import HEADS


def reference() -> str:
    """A section for each question.

    >>> print(reference().partition("## longer")[2].partition("|")[0])
    <BLANKLINE>
    <BLANKLINE>
    The probability that a game takes more than a number of rolls, from any state.
    <BLANKLINE>
    Asked of: a game.
    <BLANKLINE>
    <BLANKLINE>
    """
    return "\n".join(line for each in all_questions().values() for line in _section(each))


def command(question: Question) -> str:
    """The command of a question's example.

    >>> from sevenout.questions import longer
    >>> command(longer)
    'sevenout longer craps --rolls=10 --at=4'
    """
    options = question.options(question.values(question.sample))
    return join(["sevenout", *question.verb, *question.examples, *options])


def _section(question: Question) -> Iterator[str]:
    yield from (
        f"## {' '.join(question.verb)}",
        "",
        question.help,
        "",
        f"Asked of: {question.of.words}.",
        "",
    )
    if question.every:
        yield "| in Python | command line | in the lab | what it may be | default | meaning |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for each in question.every:
            yield _row(each)
        yield ""
    if question.of.file:
        yield from (f"This is `{question.of.file}`:", "", "```toml", question.asked_of + "```", "")
    yield from ("```text", f"$ {command(question)}", "```", "")
    yield "| in JSON | what it is |"
    yield "| --- | --- |"
    for key, what in HEADS[question.of.name].items():
        yield f"| `{key}` | {what} |"
    for key, schema in question.returns.items():
        rarely = "; not always there" if key.endswith("?") else ""
        yield f"| `{key.rstrip('?')}` | {schema['description']}{rarely} |"
    for other in question.instead:
        option = other.arguments[0].option
        yield ""
        yield f"With `{option}` the answer is that of [{other.name}](#{other.name})."
    yield ""


def _row(each: Argument) -> str:
    usual = "must be given" if each.required else each.default or "none"
    cells = [f"`{each.name}`", f"`{each.option}`", each.label, each.form.words, usual, each.help]
    return f"| {' | '.join(cells)} |"
