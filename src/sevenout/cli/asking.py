"""The commands of questions, each made from its question's declaration."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from inspect import Parameter as Place
from inspect import Signature, getdoc, signature
from types import MappingProxyType
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.cli.command_extras import EXTRAS, INSTEAD, RUNNING
from sevenout.cli.options import Json, Rules
from sevenout.cli.out import console, print_error, print_json, show
from sevenout.documents import Page
from sevenout.errors import NotationError, SevenoutError
from sevenout.questions.arguments import POLICY, Argument, ArgumentError
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import Kind


def command_of(question: Question) -> Callable[..., int]:
    """The command of a question, with the signature of its arguments and extras.

    >>> from sevenout.questions import longer
    >>> list(command_of(longer).__signature__.parameters)
    ['game', 'rolls', 'at', 'policy', 'against', 'json', 'rules']
    """
    extra, instead = EXTRAS.get(question.name), INSTEAD.get(question.name)
    running = RUNNING.get(question.name, nullcontext)
    after, before, during = ({} if f is None else _keywords(f) for f in (extra, instead, running))

    def command(*placed: Any, json: bool = False, **said: Any) -> int:
        besides, others, run = (
            {name: said.pop(name) for name in each if name in said}
            for each in (after, before, during)
        )
        names = [place.name for place in places if place.kind is Place.POSITIONAL_ONLY]
        known = {place.name for place in places}
        rules = {key: said.pop(key) for key in said.keys() - known}
        if json and besides.get("csv"):
            raise NotationError("--csv and --json are both given; give one of them")
        said |= {rest: placed} if rest else dict(zip(names, placed, strict=False))
        given = said | besides if besides else said  # `instead` may change `said`
        code = instead(given, rules, json, run, **others) if instead else None
        if code is not None:
            return code
        with running(**run) as how:
            then = partial(extra, **besides) if extra else None
            return ask(question, said, rules, json, extra=then, how=how or {})

    places = _places(question)
    rest = next((each.name for each in places if each.kind is Place.VAR_POSITIONAL), "")
    last = 2 if question.of.of_game else 1  # the parameters of all commands come last
    places[-last:-last] = [*after.values(), *before.values(), *during.values()]
    made: Any = command
    made.__signature__ = Signature(places)
    made.__annotations__ = {place.name: place.annotation for place in places}
    made.__name__ = question.name
    told = [each for each in map(_described, (extra, instead, running)) if each]
    made.__doc__ = "\n".join([question.help, *(["", PARAMETERS] if told else []), *told])
    return command


PARAMETERS = "Parameters\n----------"


def _keywords(function: Callable[..., Any]) -> dict[str, Place]:
    found = signature(function).parameters
    return {name: each for name, each in found.items() if each.kind is Place.KEYWORD_ONLY}


def _described(function: Callable[..., Any] | None) -> str:
    """The part of a docstring on options."""
    return (getdoc(function) or "").partition(f"{PARAMETERS}\n")[2] if function else ""


def ask(
    question: Question,
    said: dict[str, Any],
    rules: dict[str, str],
    json: bool = False,
    *,
    extra: Callable[..., Any] | None = None,
    how: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """Answer a question with the values of the command line, and print the answer.

    `extra` does more with the answer, such as a picture; if it returns true, the page is not
    printed. `how` is how and where the answer is computed.

    Raises:
        NotationError: what is wrong with an argument, named as an option.
        SevenoutError: no such game, or not a question about it.
    """
    try:
        said = {name: value for name, value in said.items() if value not in (None, ())}
        title, given = _subject(question, said, rules)
        kind = question.of
        heads = {} if kind.several or not title else {KEYS.get(kind.of, kind.of): title}
        if question.unasked is not None and not given:
            question, said, how = question.unasked, {}, {}
        turned = question.turned(said)
        if turned is not question:
            question, known = turned, {each.name for each in turned.every}
            said = {name: value for name, value in said.items() if name in known}
        about, values = question.posed(given, said)
        found = question.answer(about, **values, **how)
        if question.of.name == "bet":
            heads["bet"] = about.name
    except SevenoutError as error:
        text = question.named(error, lambda argument: f"{argument.option} ")
        if text == str(error):
            raise
        raise NotationError(text) from None
    quiet = extra is not None and extra(found)
    if json:
        print_json(heads | found.to_dict())
    code = found.code if isinstance(found, LazyAnswer) else 0
    if json or quiet:
        return code
    if isinstance(found, LazyAnswer) and found.coloured is not None:
        console().print(found.coloured())
        return code
    heading = question.heading(**values)
    body, text = (found.body(), found.text) if isinstance(found, LazyAnswer) else (found.page(), "")
    if question.of.name == "games":
        title, body = body.title, Page("", *body.blocks)
    if title and not body.title.startswith(title):
        show(f"{title}: {heading}" if heading else title, body, text=text)
    else:
        console().print(body)
    return code


KEYS = {"file": "game"}
"""The key of a subject's title in data, where it is not the input's own name."""


def _subject(
    question: Question, options: dict[str, Any], rules: dict[str, str]
) -> tuple[str, tuple[Any, ...]]:
    """What a question is asked of, and its printed title; takes its words out of the options."""
    kind = question.of
    if not kind.of:
        return "", ()
    from sevenout.questions.named_policies import take_goal, titled
    from sevenout.questions.subjects import find_game, find_subjects, title_of

    words = options.pop(kind.parameter, None)
    if kind.name == "choices":
        goal = take_goal(options.pop("goal", None), rules)
        options |= {} if goal is None else {"goal": goal}
    if words is None and kind.of == "dice":
        raise NotationError(
            f"no dice are given; write dice, such as sevenout {question.command} 4d6kh3"
        )
    given = find_subjects(
        kind,
        (words or ()) if kind.several else [words],
        game=lambda text: find_game(text, rules, files=True),
        strategy=_strategy,
    )
    if kind.name in ("bet", "games"):
        for subject in given:
            _warn_of_awards(subject.awards)
    if kind.several:
        return "", given
    if kind.of_game:
        policy = options.get("policy") if kind.plays else None
        return titled(given[0], policy, options.get("against")), given
    return title_of(given[0]), given


def _strategy(words: str) -> Any:
    from sevenout.questions.plans import find_strategy  # loads the craps table

    return find_strategy(words, files=True)


def _warn_of_awards(awards: Iterable[str]) -> None:
    if named := ", ".join(awards):
        print_error(f"the progressive award of {named} is left out here; `sevenout odds` has it")


def _places(question: Question) -> list[Place]:
    """A command's parameters: its subject, its arguments, and those of all commands."""
    kind = question.of
    first = [_first(kind)] if kind.of else []
    last = [Place("json", Place.KEYWORD_ONLY, annotation=Json, default=False)]
    if kind.of_game:
        last.append(Place("rules", Place.VAR_KEYWORD, annotation=Rules))
    own = sorted(
        (*question.arguments, *question.turns, *question.of.own), key=lambda each: not each.placed
    )
    taken = [_place(each) for each in own]
    n = len(question.placed)
    return [
        *first,
        *taken[:n],
        *sorted(taken[n:], key=lambda p: p.default is not Place.empty),
        *last,
    ]


def _first(kind: Kind) -> Place:
    """The parameter of a kind's words."""
    annotation: Any = Annotated[str, Parameter(help=kind.help)]
    if kind.several:
        return Place(kind.parameter, Place.VAR_POSITIONAL, annotation=annotation)
    default = None if kind.optional else Place.empty
    annotation = annotation | None if kind.optional else annotation
    return Place(kind.parameter, Place.POSITIONAL_ONLY, annotation=annotation, default=default)


def _place(argument: Argument) -> Place:
    form, help_ = argument.form, argument.help
    if form is POLICY:
        help_ = f"{help_} A function in a Python file also works: mine.py:careful."
    where = Place.POSITIONAL_ONLY if argument.placed else Place.KEYWORD_ONLY
    if form.schema.get("type") == "boolean":
        annotation: Any = Annotated[bool, Parameter(help=help_)]
        return Place(argument.name, where, annotation=annotation, default=False)

    def convert(_type: Any, tokens: Sequence[Any]) -> Any:
        try:
            said = [token.value for token in tokens]
            return argument.value(said if argument.many else said[0])
        except ArgumentError as error:
            one = len(tokens) == 1 and not argument.placed  # cyclopts names the option itself
            named = "" if one else f"{argument.option} "
            raise NotationError(f"{named}{error.said}") from None

    kind: Any = int if form.schema.get("type") == "integer" else str
    said = Parameter(help=help_) if form.options else Parameter(help=help_, converter=convert)
    if form.options:
        kind = Literal[form.options]
    if argument.many:
        annotation = Annotated[tuple[kind, ...], Parameter(show_default=False), said]
        return Place(argument.name, where, annotation=annotation, default=())
    default = Place.empty if argument.required else argument.default
    annotation = Annotated[kind, said] if default is not None else Annotated[kind, said] | None
    return Place(argument.name, where, annotation=annotation, default=default)
