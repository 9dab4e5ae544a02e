"""Options of several commands, each declared and described once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import Parameter as FunctionParameter
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.errors import NotationError
from sevenout.questions.arguments import (
    PICTURE_FILE,
    Form,
    amount,
    output_file,
    plain_number,
    seed,
    whole_number,
)
from sevenout.questions.subject_kinds import GAME_WORDS
from sevenout.simulation.random_bits import MAX_GAMES


def form_parameter(form: Form) -> Parameter:
    """An option with the values of a question's argument of this form."""

    def convert(kind: Any, tokens: Sequence[Any]) -> Any:
        values = tuple(form.parse(token.value) for token in tokens)
        return values if "tuple" in str(kind) else values[0]

    return Parameter(converter=convert)


def _amount(_type: Any, tokens: Sequence[Any]) -> str:
    amount(0).parse(tokens[0].value)
    # The text itself: a dossier states its options as they were typed.
    return str(plain_number(tokens[0].value))


Seed = Annotated[int, form_parameter(seed())]
"""A seed."""
Count = Annotated[int, form_parameter(whole_number())]
"""A number: 1 or more."""
Games = Annotated[
    int,
    Parameter(
        help="The number of games in the simulation: 1e8, 10_000. Write 0 for no simulation."
    ),
    form_parameter(whole_number(0, MAX_GAMES)),
]
Amount = Annotated[str, Parameter(converter=_amount)]
"""An exact amount as written."""
GameName = Annotated[str, Parameter(help=GAME_WORDS)]
Rules = Annotated[
    str,
    Parameter(
        help="The game's own options (--main 5, --dice 2d8, --limit 3), or the rules of a "
        "variant of craps (--naturals 7,11 --craps 2,3,12 --out 7). Write none for no "
        "total."
    ),
]
Bet = Annotated[str, Parameter(help="Show only this bet.")]
Bets = Annotated[
    tuple[str, ...], Parameter(help="Show only this bet. Repeat the option for several bets.")
]
Against = Annotated[str, Parameter(help="The second player's policy, in a game of two players.")]
Json = Annotated[
    bool, Parameter(help='Print JSON, with exact figures as strings such as "244/495".')
]
Plot = Annotated[Path, form_parameter(PICTURE_FILE)]
"""The file of a picture."""
Output = Annotated[Path, Parameter(name=["--output", "-o"]), form_parameter(output_file("a file"))]
OutputFolder = Annotated[
    Path, Parameter(name=["--output", "-o"]), form_parameter(output_file("a folder", folder=True))
]
Outputs = Annotated[
    tuple[Path, ...],
    Parameter(
        name=["--output", "-o"],
        help="The file to write: .pdf, .html or .json. Repeat the option for several files.",
    ),
    form_parameter(output_file("a page", ".pdf", ".html", ".json")),
]
Sections = Annotated[
    tuple[str, ...],
    Parameter(
        help='Add the answer to a question as a section: "odds --longer 10", "evening --forever '
        '--bankroll 100". Repeat the option for several.'
    ),
]
Maker = Annotated[str, Parameter(help="The maker of the game.")]
Author = Annotated[str, Parameter(help="The author of the mathematics.")]
Title = Annotated[str, Parameter(help="The name of the game to print.")]
Date = Annotated[
    str, Parameter(help="The date to print, such as 2026-11-20. Without it no date is printed.")
]
Version = Annotated[str, Parameter(help="The version of the rules to print.")]
Fonts = Annotated[
    Path,
    Parameter(
        help="A folder of fonts with characters that the built-in fonts lack: /usr/share/fonts."
    ),
]
Paper = Annotated[Literal["a4", "letter"], Parameter(help="The paper size: a4 or letter.")]


def refuse_unread(
    command: Callable[..., Any], values: Mapping[str, Any], mode: str, read: Collection[str]
) -> None:
    """Refuse an option that is given although a mode of its command does not read it.

    An option with its default value counts as not given.

    Args:
        command: the function of the command; its parameters are the options.
        values: its arguments by name, as `locals()` has them.
        mode: what the user asked for, as typed: "--check".
        read: the parameters that the mode reads, "rules" for the game's own options.

    Raises:
        NotationError: an option that is not read.
    """
    for name, parameter in signature(command).parameters.items():
        if name in read or values[name] in (parameter.default, {}):
            continue
        if name == "game":
            raise NotationError(f"{mode} takes no game; leave the game out")
        if parameter.kind is FunctionParameter.VAR_KEYWORD:
            words = next(iter(values[name]))
        else:
            words = f"no-{name}" if values[name] is False else name
        option = f"--{words.replace('_', '-')}"
        raise NotationError(f"{mode} does not read {option}; leave {option} out")
