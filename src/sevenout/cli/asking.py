"""The commands of questions, each made from its question's declaration."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from inspect import Parameter as Place
from inspect import Signature, getdoc, signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.cli.command_extras import EXTRAS, INSTEAD, RUNNING
from sevenout.cli.options import GameName, Json, Rules
from sevenout.cli.out import console, print_json, show
from sevenout.documents import Page
from sevenout.errors import NotationError, SevenoutError
from sevenout.questions.arguments import POLICY, Argument, ArgumentError
from sevenout.questions.bases import Basis
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question

if TYPE_CHECKING:
    from sevenout.games.strategyfile import StrategyFile

STRATEGY = Annotated[
    str,
    Parameter(
        help="A strategy: a name such as pass, with options after a colon "
        "(pass:amount=5,odds=2), or a strategy file (mine.toml)."
    ),
]
GAMES = Annotated[
    str,
    Parameter(
        help="The games: names from `sevenout games`, .toml files, classes in Python files "
        "(mine.py:Lucky) or variants of craps (2,3,12/7,11/7). Write a policy after @ for "
        "a game with choices: pig@hold-20, pig@best, yahtzee@greedy, "
        "yahtzee@mine.py:careful."
    ),
]
OPENED = Annotated[
    str,
    Parameter(
        help="A .toml file with open numbers. A pay, limit, total or stake is open if it is "
        'written as a range, "1..9" or "1..3 by 1/2", or as a name listed under [open].'
    ),
]
DICE = Annotated[str, Parameter(help="Dice, such as 2d6 or d4+d6.")]


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
        title, heads, given = _asked_of(question, said, rules)
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


def _asked_of(
    question: Question, said: dict[str, Any], rules: dict[str, str]
) -> tuple[str, dict[str, Any], tuple[Any, ...]]:
    """The subject of a question: its title, its name in data, and itself, without its own
    options.
    """
    of = question.of
    if of.of_game:
        return _game(of, said, rules)
    if of.name == "evening":
        file = strategy_named(said.pop("strategy"))
        return file.name, {"strategy": file.name}, (file,)
    if of.name == "evenings":
        return "", {}, tuple(map(strategy_named, said.pop("strategy", ())))
    if of.name == "games":
        from sevenout.cli.several import games_of

        return "", {}, tuple(games_of(said.pop("games", ())))
    if of.name == "file":
        file = of.make(said.pop("file"))
        title = file.data.get("name", file.file)
        return title, {"game": title}, (file,)
    if of.name == "dice":
        text = said.pop("dice", None)
        if text is None:
            raise NotationError(
                f"no dice are given; write dice, such as sevenout {question.command} 4d6kh3"
            )
        return text, {"dice": text}, (text,)
    return "", {}, ()


def strategy_named(text: str) -> "StrategyFile":
    """The strategy of a word: a name with options, or a file.

    Raises:
        SevenoutError: not a strategy.
    """
    from os.path import isfile

    from sevenout.files import named
    from sevenout.games.strategies import strategies
    from sevenout.games.strategyfile import read_strategy
    from sevenout.games.strategytext import strategy_of

    if not text.endswith(".toml") and text not in strategies and isfile(text):
        raise NotationError(
            f"{named(text)} is not a strategy file (.toml); a session saved at the "
            f"table is read by sevenout evening --played {named(text)}"
        )
    return read_strategy(text) if text.endswith(".toml") else strategy_of(text)


def _game(
    of: Basis, said: dict[str, Any], rules: dict[str, str]
) -> tuple[str, dict[str, Any], tuple[Any, ...]]:
    from sevenout.cli.resolve import choose, without_awards
    from sevenout.questions.named_policies import take_goal, titled

    name = said.pop("game", None)
    if of.name == "choices":
        goal = take_goal(said.pop("goal", None), rules)
        said |= {} if goal is None else {"goal": goal}
    chosen = choose(name, **rules)
    title = titled(chosen, said.get("policy") if of.plays else None, said.get("against"))
    if of.name == "bet":
        without_awards(chosen)
    return title, {"game": title}, (chosen,)


def _places(question: Question) -> list[Place]:
    """A command's parameters: its subject, its arguments, and those of all commands."""
    first: list[Place] = []
    last = [Place("json", Place.KEYWORD_ONLY, annotation=Json, default=False)]
    if question.of.of_game:
        first.append(_first("game", GameName | None, None))
        last.append(Place("rules", Place.VAR_KEYWORD, annotation=Rules))
    elif question.of.name == "evening":
        first.append(_first("strategy", STRATEGY))
    elif question.of.name == "evenings":
        first.append(Place("strategy", Place.VAR_POSITIONAL, annotation=STRATEGY))
    elif question.of.name == "games":
        first.append(Place("games", Place.VAR_POSITIONAL, annotation=GAMES))
    elif question.of.name == "file":
        first.append(_first("file", OPENED))
    elif question.of.name == "dice":
        first.append(_first("dice", DICE | None, None))
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


def _first(name: str, kind: Any, default: Any = Place.empty) -> Place:
    return Place(name, Place.POSITIONAL_ONLY, annotation=kind, default=default)


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
