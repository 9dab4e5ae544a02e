"""A seat at the table from the options of `sevenout play table`, or from a saved session."""

import sys
from collections.abc import Iterator, Mapping
from random import randrange

from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.craps_family.table_session import (
    USUAL_HOURS,
    USUAL_HOUSE,
    Rates,
    TableSession,
)
from sevenout.cli.playing.table_play import PROMPT, AtTable, resumed
from sevenout.errors import NotationError, printable, shown
from sevenout.numerals import exact, parse_count, parse_seed
from sevenout.rules.casino.felt import whole

OPTIONS = ("bankroll", "house", "currency", "pace", "tips", "comps", "hours", "resume")
"""The options of a table."""


def sit_down(options: Mapping[str, str], seed: int | None, json: bool) -> None:
    """A session at the table, until the player leaves; without a seed the dice are random.

    Raises:
        SevenoutError: no such option or table.
    """
    for name in options:
        if name not in OPTIONS:
            known = ", ".join(f"--{known}" for known in OPTIONS)
            raise NotationError(
                f"the table has no option {shown(f'--{name}')}; its options are {known}"
            )
    hours = exact(options.get("hours", USUAL_HOURS))
    if "resume" in options:
        session = resumed(options["resume"])
    else:
        session = TableSession(
            house_of(options.get("house", USUAL_HOUSE)),
            options.get("bankroll", "300"),
            seed=randrange(10**6) if seed is None else parse_seed(str(seed)),
            currency=options.get("currency", "$"),
            rates=Rates(
                parse_count(options.get("pace", "100")),
                whole(exact(options.get("tips", "0"))),
                whole(exact(options.get("comps", "0"))),
            ),
        )
    seat = AtTable(session, int(hours * session.rates.pace), quiet=json)
    seat.welcome()
    for line in _lines(json):
        if not seat.answer(line):
            break
    seat.leave(json)


def _lines(quiet: bool) -> Iterator[str]:
    from sevenout.cli.playing.typed_lines import lines

    here = sys.stdin.isatty()
    for line in lines(quiet, lambda: PROMPT.removesuffix("> ")):
        if not here and not quiet:
            print(printable(f"> {line}"))  # shows piped input
        yield line
