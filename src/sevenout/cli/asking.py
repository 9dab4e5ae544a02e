"""The commands of questions: each is made from its question, without code of its own."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter as Place
from inspect import Signature
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.cli.options import Against, GameName, Json, Policy, Rules
from sevenout.cli.out import console, print_json, show
from sevenout.errors import NotationError, SevenoutError
from sevenout.questions.arguments import Argument, ArgumentError
from sevenout.questions.bases import Basis
from sevenout.questions.question import Question

STRATEGY = Annotated[
    str,
    Parameter(
        help="A strategy: a name such as pass, with options after a colon, pass:amount=5,odds=2; "
        "or a strategy file, mine.toml."
    ),
]
DICE = Annotated[str, Parameter(help="Dice, such as 2d6 or d4+d6.")]


def command_of(question: Question) -> Callable[..., None]:
    """The command of a question, with the signature that its declaration means.

    >>> from sevenout.questions import longer
    >>> list(command_of(longer).__signature__.parameters)
    ['game', 'rolls', 'at', 'policy', 'against', 'json', 'rules']
    """

    def command(*placed: Any, json: bool = False, **said: Any) -> None:
        names = [place.name for place in places if place.kind is Place.POSITIONAL_ONLY]
        known = {place.name for place in places}
        rules = {key: said.pop(key) for key in said.keys() - known}
        ask(question, {**dict(zip(names, placed, strict=False)), **said}, rules, json)

    places = _places(question)
    made: Any = command
    made.__signature__ = Signature(places)
    made.__annotations__ = {place.name: place.annotation for place in places}
    made.__name__ = question.name
    made.__doc__ = question.help
    return command


def ask(
    question: Question, said: dict[str, Any], rules: Mapping[str, str], json: bool = False
) -> None:
    """Ask a question in the words of the command line, and print the answer.

    Args:
        question: what is asked.
        said: its arguments, and what it is asked of.
        rules: options of the game.
        json: whether the answer is printed as JSON.

    Raises:
        NotationError: what is wrong with an argument, named as an option.
        SevenoutError: there is no such game, or it can't be asked that.
    """
    try:
        title, heads, given = _asked_of(question.of, said, rules)
        values = question.values(said)
        found = question(*given, **said)
    except SevenoutError as error:
        text = question.named(error, lambda argument: f"{argument.option} ")
        if text == str(error):
            raise
        raise NotationError(text) from None
    if json:
        print_json(heads | found.to_dict())
    elif title:
        heading = question.heading(**{each.name: values[each.name] for each in question.arguments})
        show(f"{title}: {heading}" if heading else title, found)
    else:
        console().print(found)


def _asked_of(
    of: Basis, said: dict[str, Any], rules: Mapping[str, str]
) -> tuple[str, dict[str, Any], tuple[Any, ...]]:
    """What a question is asked of: its title, what names it in data, and itself; what was said of
    it alone is taken out.
    """
    if of.of_game:
        return _game(of, said, rules)
    if of.name == "evening":
        from sevenout.games.strategyfile import read_strategy
        from sevenout.games.strategytext import strategy_of

        text = said.pop("strategy")
        file = read_strategy(text) if text.endswith(".toml") else strategy_of(text)
        return file.name, {"strategy": file.name}, (file,)
    if of.name == "dice":
        text = said.pop("dice")
        return text, {"dice": text}, (text,)
    return "", {}, ()


def _game(
    of: Basis, said: dict[str, Any], rules: Mapping[str, str]
) -> tuple[str, dict[str, Any], tuple[Any, ...]]:
    from sevenout.cli.choosing import followed, titled, wish_of
    from sevenout.cli.resolve import choose, without_awards
    from sevenout.solve import solve

    chosen = choose(said.pop("game", None), **rules)
    policy, against = said.pop("policy", None), said.pop("against", None)
    if of.name == "choices":
        from sevenout.optimal_play import best

        return chosen.title, {"game": chosen.title}, (best(chosen.game, **wish_of(chosen, None)),)
    title = titled(chosen, policy, against)
    solution = solve(followed(chosen, policy, against))
    if of.name == "game":
        return title, {"game": title}, (solution,)
    without_awards(chosen)
    bet = solution.bet(said.pop("bet", None) or chosen.bet)
    return title, {"game": title, "bet": bet.name}, (bet,)


def _places(question: Question) -> list[Place]:
    """What a command takes: what it is asked of, its arguments, and what every command takes."""
    first: list[Place] = []
    last = [Place("json", Place.KEYWORD_ONLY, annotation=Json, default=False)]
    if question.of.of_game:
        first.append(_first("game", GameName | None, None))
        if question.of.name != "choices":
            for name, kind in (("policy", Policy), ("against", Against)):
                last.insert(
                    -1, Place(name, Place.KEYWORD_ONLY, annotation=kind | None, default=None)
                )
        last.append(Place("rules", Place.VAR_KEYWORD, annotation=Rules))
    elif question.of.name == "evening":
        first.append(_first("strategy", STRATEGY))
    elif question.of.name == "dice":
        first.append(_first("dice", DICE))
    own = sorted(question.arguments + question.of.own, key=lambda each: not each.placed)
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
    """An argument as a parameter of a command."""
    form, help_ = argument.form, argument.help

    def convert(_type: Any, tokens: Sequence[Any]) -> Any:
        try:
            return argument.value(tokens[0].value)
        except ArgumentError as error:
            named = f"{argument.option} " if argument.placed else ""  # else cyclopts names it
            raise NotationError(f"{named}{error.said}") from None

    kind: Any = int if form.schema.get("type") == "integer" else str
    said = Parameter(help=help_) if form.options else Parameter(help=help_, converter=convert)
    if form.options:
        kind = Literal[form.options]
    default = Place.empty if argument.required else argument.default
    annotation = Annotated[kind, said] if default is not None else Annotated[kind, said] | None
    where = Place.POSITIONAL_ONLY if argument.placed else Place.KEYWORD_ONLY
    return Place(argument.name, where, annotation=annotation, default=default)
