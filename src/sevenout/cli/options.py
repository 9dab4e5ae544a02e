"""Options of several commands, each declared and described once."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from sevenout.errors import NotationError
from sevenout.files import check_place, named
from sevenout.numerals import exact, parse_count, parse_seed
from sevenout.questions.arguments import plain_figure
from sevenout.questions.subject_kinds import GAME_WORDS
from sevenout.simulation.random_bits import MAX_GAMES


def _seed(_type: Any, tokens: Sequence[Any]) -> int:
    return parse_seed(tokens[0].value)  # cyclopts would round 1.5


def counts(least: int = 1, most: int | None = None) -> Parameter:
    """A whole number from `least` to `most`, as people write it: 12, 10_000, 1e9."""

    def count(_type: Any, tokens: Sequence[Any]) -> int:
        return parse_count(tokens[0].value, least=least, most=most)

    return Parameter(converter=count)


def options_given(
    command: Callable[..., None], values: Mapping[str, Any], *left_out: str
) -> list[str]:
    """The words of a command's options that are not the defaults.

    >>> def roll(*, sides: int = 6, seed: int = 1) -> None: ...
    >>> options_given(roll, {"sides": 8, "seed": 1})
    ['--sides', '8']
    """
    words: list[str] = []
    for option in signature(command).parameters.values():
        value = values[option.name]
        if option.kind is option.KEYWORD_ONLY and option.name not in left_out:
            words += [f"--{option.name}", str(value)] if value != option.default else []
    return words


def written(content: str, *suffixes: str, folder: bool = False) -> Parameter:
    """A file or folder to write; refused at once if it can't be written or has another suffix."""

    def place(kind: Any, tokens: Sequence[Any]) -> Any:
        paths = tuple(Path(token.value) for token in tokens)
        for path in paths:
            if suffixes and path.suffix.lower() not in suffixes:
                raise NotationError(
                    f"{named(path)}: {content} can be {', '.join(suffixes)}; end the name with one "
                    "of these"
                )
            # Refused at once: a long calculation must not end with "no such folder".
            check_place(path, folder)
        return paths if "tuple" in str(kind) else paths[0]

    return Parameter(converter=place)


def _amount(_type: Any, tokens: Sequence[Any]) -> str:
    text: str = plain_figure(tokens[0].value)
    exact(text)
    return text


Seed = Annotated[int, Parameter(converter=_seed)]
"""A seed."""
Count = Annotated[int, counts()]
"""A number: 1 or more."""
Games = Annotated[int, counts(0, MAX_GAMES)]
"""The number of games; may be 0."""
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
Csv = Annotated[bool, Parameter(help="Print comma-separated values.")]
Plot = Annotated[Path, written("a picture", ".svg", ".pdf", ".png")]
"""The file of a picture."""
Output = Annotated[Path, Parameter(name=["--output", "-o"]), written("a file")]
GameOutput = Annotated[Path, Parameter(name=["--output", "-o"]), written("a game", ".toml")]
OutputFolder = Annotated[Path, Parameter(name=["--output", "-o"]), written("a folder", folder=True)]
Outputs = Annotated[
    tuple[Path, ...],
    Parameter(
        name=["--output", "-o"],
        help="The file to write: .pdf, .html or .json. Repeat the option for several files.",
    ),
    written("a page", ".pdf", ".html", ".json"),
]
Asks = Annotated[
    tuple[str, ...],
    Parameter(
        help='Add the answer to a question as a section: "odds --longer 10", "evening --forever '
        '--bankroll 100". Repeat the option for several.'
    ),
]
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
