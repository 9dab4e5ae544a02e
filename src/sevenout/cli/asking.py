"""The commands of questions, each made from its question's declaration.

A command has the parameters of its question, of the question's modes and of what it saves. It finds
the subject from the typed words, asks the mode that the options choose, and prints the answer as a
page or as JSON.
"""

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Any, Literal

import cyclopts

from sevenout.cli.options import Json, Rules
from sevenout.cli.out import (
    console,
    print_error,
    print_json,
    print_text,
    print_titled,
    progress_bar,
)
from sevenout.documents import Page
from sevenout.errors import NotationError
from sevenout.questions.arguments import POLICY_FORM, Argument, ArgumentError
from sevenout.questions.question import LazyAnswer, Question
from sevenout.questions.subject_kinds import SubjectKind


def command_of(question: Question) -> Callable[..., int]:
    """The command of a question, with the signature of its arguments.

    >>> from sevenout.questions import odds
    >>> list(command_of(odds).__signature__.parameters)[:6]
    ['game', 'bet', 'meter', 'more', 'at', 'longer']
    """
    subject = (
        _subject_parameter(question.subject_kind) if question.subject_kind.input_kind else None
    )
    parameters = [
        *([subject] if subject else []),
        *map(_argument_parameter, _arguments_in_order(question)),
        Parameter("json", Parameter.KEYWORD_ONLY, annotation=Json, default=False),
    ]
    if question.subject_kind.takes_one_game:
        # Any other option is one of the game: --main 5.
        parameters.append(Parameter("rules", Parameter.VAR_KEYWORD, annotation=Rules))
    positional = [p.name for p in parameters if p.kind is Parameter.POSITIONAL_ONLY]
    variadic = next((p.name for p in parameters if p.kind is Parameter.VAR_POSITIONAL), "")
    # `--game 5` is no second way to name the game, so it goes to the game's own options
    option_names = {p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY}

    def command(*positional_values: Any, json: bool = False, **values: Any) -> int:
        rules = {name: values.pop(name) for name in values.keys() - option_names}
        values |= dict(zip(positional, positional_values, strict=False))
        if variadic:
            values[variadic] = positional_values[len(positional) :]
        options = {name: value for name, value in values.items() if value not in (None, ())}
        return run_question(question, options, rules, json)

    # cyclopts reads the options from the signature, and not from the function
    attributes: Any = command
    attributes.__signature__ = Signature(parameters)
    attributes.__annotations__ = {p.name: p.annotation for p in parameters}
    attributes.__name__ = question.name
    attributes.__doc__ = question.help
    return command


def run_question(
    question: Question, options: dict[str, Any], rules: dict[str, str], json: bool = False
) -> int:
    """Answer a question with the values of a command line, print the answer, and save it.

    Args:
        options: values by the name of the argument, and the words of the subject.
        rules: the options that are the game's own.

    Raises:
        NotationError: what is wrong with an argument, named as an option.
        SevenoutError: no such game, or not a question about it.
    """
    with question.naming_options():
        if question.subject_kind.name == "choices":
            from sevenout.questions.policies import split_goal

            goal, rules = split_goal(options.get("goal"), rules)
            options = {**options, "goal": goal}
        title, inputs = _find_subject(question, options, rules)
        mode = question.select_mode(inputs, options)
        names = {argument.name for argument in mode.all_arguments}
        subject, values = mode.subject_and_values(
            inputs, {name: value for name, value in options.items() if name in names}
        )
        if values.get("csv") and json:
            raise NotationError("--csv and --json are both given; give one of them")
        if mode.takes_progress:
            with progress_bar() as progress:
                answer = mode.answer(subject, values, progress=progress)
        else:
            answer = mode.answer(subject, values)
    text = mode.save(answer, values)
    code = answer.exit_code if isinstance(answer, LazyAnswer) else 0
    if json:
        print_json(dict.fromkeys(mode.subject_kind.json_head, title) | answer.to_dict())
    elif text is not None:
        if text:
            print_text(text)
    elif isinstance(answer, LazyAnswer) and answer.terminal_view is not None:
        console().print(answer.terminal_view())
    else:
        _print(mode, title, answer, mode.printed_heading(values))
    return code


def _print(question: Question, title: str, answer: Any, heading: str) -> None:
    """Print an answer under the name of its subject."""
    is_lazy = isinstance(answer, LazyAnswer)
    body, text = (answer.make_page(), answer.preface) if is_lazy else (answer.page(), "")
    if question.subject_kind.name == "games":
        title, body = body.title, Page("", *body.blocks)
    # The page of dice begins with the dice.
    if title and not body.title.startswith(title):
        print_titled(f"{title}: {heading}" if heading else title, body, preface=text)
    else:
        console().print(body)


def _arguments_in_order(question: Question) -> list[Argument]:
    """A question's arguments: positional ones, then required ones, then its own before others'."""
    arguments_by_name = {argument.name: argument for argument in question.all_arguments}
    own = {argument.name for argument in (*question.arguments, *question.saving_arguments)}
    shared = {argument.name for argument in question.subject_kind.shared_arguments}

    def rank(argument: Argument) -> tuple[bool, bool, bool, bool]:
        foreign = argument.name not in own | shared
        return not argument.positional, not argument.required, argument.name in shared, foreign

    return sorted(arguments_by_name.values(), key=rank)


def _find_subject(
    question: Question, options: dict[str, Any], rules: dict[str, str]
) -> tuple[str, tuple[Any, ...]]:
    """The printed title of a question's subject, and its inputs."""
    kind = question.subject_kind
    if not kind.input_kind:
        return "", ()
    from sevenout.questions.policies import title_with_policies
    from sevenout.questions.subjects import find_game, find_subjects, title_of

    words: Any = options.get(kind.parameter)
    if words is None and kind.input_kind == "dice":
        command = " ".join(question.command_words)
        raise NotationError(f"no dice are given; write dice, such as sevenout {command} 4d6kh3")
    inputs = find_subjects(
        kind,
        (words or ()) if kind.takes_several else [words],
        find_one_game=lambda text: find_game(text, rules, files=True),
        find_one_evening=_find_evening,
    )
    # odds and tests count the award; these have only the figures of the return table
    if kind.name in ("games", "evenings") or question.name == "simulate":
        for subject in inputs:
            _warn_of_awards(getattr(subject, "awards", ()))
    if kind.takes_several:
        return "", inputs
    if kind.takes_one_game:
        policy = options.get("policy") if kind.has_policy else None
        return title_with_policies(inputs[0], policy, options.get("against")), inputs
    return title_of(inputs[0]), inputs


def _find_evening(words: str) -> Any:
    from sevenout.questions.plans import find_evening  # loads the craps table

    return find_evening(words, files=True)


def _warn_of_awards(awards: Iterable[str]) -> None:
    if names := ", ".join(awards):
        print_error(f"the progressive award of {names} is left out here; `sevenout odds` has it")


# --- parameters -----------------------------------------------------------------------------------


def _subject_parameter(kind: SubjectKind) -> Parameter:
    """The parameter of a kind's words."""
    annotation: Any = Annotated[str, cyclopts.Parameter(help=kind.help)]
    if kind.takes_several:
        return Parameter(kind.parameter, Parameter.VAR_POSITIONAL, annotation=annotation)
    return Parameter(
        kind.parameter,
        Parameter.POSITIONAL_ONLY,
        annotation=annotation | None if kind.optional else annotation,
        default=None if kind.optional else Parameter.empty,
    )


def _argument_parameter(argument: Argument) -> Parameter:
    """The parameter of an argument."""
    form, help = argument.form, argument.help
    if form is POLICY_FORM:
        help = f"{help} A function in a Python file also works: mine.py:careful."
    if argument.repeatable and argument.positional:
        annotation: Any = Annotated[str, cyclopts.Parameter(help=help)]
        return Parameter(argument.name, Parameter.VAR_POSITIONAL, annotation=annotation)
    # cyclopts itself converts flags and words from a list
    option = cyclopts.Parameter(
        name=[argument.option, argument.short_option] if argument.short_option else None,
        help=help,
        converter=None if form.allowed_words else _converter(argument),
    )
    kind: Any = int if form.schema.get("type") == "integer" else str
    default = Parameter.empty if argument.required else argument.default
    if form.is_flag:
        kind, default = bool, False
    elif form.allowed_words:
        kind = Literal[form.allowed_words]
    annotation = Annotated[kind, option]
    if argument.repeatable:
        annotation = Annotated[tuple[kind, ...], cyclopts.Parameter(show_default=False), option]
        default = ()
    elif default is None:
        annotation = annotation | None
    parameter_kind = Parameter.POSITIONAL_ONLY if argument.positional else Parameter.KEYWORD_ONLY
    return Parameter(argument.name, parameter_kind, annotation=annotation, default=default)


def _converter(argument: Argument) -> Callable[[Any, Sequence[Any]], Any]:
    """What cyclopts calls with the words of an argument."""

    def convert(_type: Any, tokens: Sequence[Any]) -> Any:
        values = [token.value for token in tokens]
        try:
            return argument.parse(values if argument.repeatable else values[0])
        except ArgumentError as error:
            # cyclopts names the option itself if it has one value
            named = len(tokens) == 1 and not argument.positional
            raise NotationError(f"{'' if named else argument.option + ' '}{error.text}") from None

    return convert
