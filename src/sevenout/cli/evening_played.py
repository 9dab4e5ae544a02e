"""`sevenout evening --played`: a session at the table, alone and beside strategies."""

from collections.abc import Iterable
from pathlib import Path

from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.playing.table_play import resumed
from sevenout.errors import NotationError
from sevenout.evenings.table_evenings import PlayedEvening, beside
from sevenout.papers import table_talk
from sevenout.questions.plans import find_strategy


def at_the_table(path: Path, strategies: Iterable[str], json: bool, others: Iterable[str]) -> None:
    """Print a session at the table, and evenings of strategies beside it, scaled to its minimum.

    Args:
        others: the names of other options that were given.

    Raises:
        NotationError: there are any.
    """
    for name in others:
        option = f"--{name.replace('_', '-')}"
        raise NotationError(
            f"{option} and --played are both given; leave {option} out, because a session is "
            "compared at its own table, with its own money and rolls"
        )
    session = resumed(str(path))
    found: list[PlayedEvening] = []
    for words in strategies:
        file = find_strategy(words, files=True)
        found.append(PlayedEvening(session, beside(file.strategy, session, name=file.name)))
    if json:
        told = table_talk.statistics(session) | {"coach": table_talk.coach(session)}
        print_json(told | {"beside": [each.to_dict() for each in found]})
        return
    pages = [each.page() for each in found]  # an error comes before anything is printed
    out = console()
    out.print(aligned(table_talk.statistics(session)))
    for line in ["", *table_talk.coach(session)]:
        out.print(line)
    for page in pages:
        out.print(page)
