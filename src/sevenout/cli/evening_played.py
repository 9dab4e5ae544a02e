"""`sevenout evening --played`: a session at the table, alone and beside strategies."""

from collections.abc import Iterable
from pathlib import Path

from sevenout.cli.asking import strategy_named
from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.playing.table_play import resumed
from sevenout.evening.played_evening import PlayedEvening, beside
from sevenout.report import table_talk


def at_the_table(path: Path, strategies: Iterable[str], json: bool) -> None:
    """Print a session at the table, and evenings of strategies beside it."""
    session = resumed(str(path))
    found: list[PlayedEvening] = []
    for file in map(strategy_named, strategies):
        found.append(PlayedEvening(session, beside(file.strategy, session, name=file.name)))
    if json:
        told = table_talk.statistics(session) | {"coach": table_talk.coach(session)}
        print_json(told | {"beside": [each.to_dict() for each in found]})
        return
    out = console()
    out.print(aligned(table_talk.statistics(session)))
    for line in ["", *table_talk.coach(session)]:
        out.print(line)
    for each in found:
        out.print(each)
