"""`sevenout games`: the catalogue."""

from sevenout.cli.out import console, print_json


def games(*words: str, json: bool = False) -> None:
    """List the games and bets of the catalogue.

    Parameters
    ----------
    words
        Show only those with every word in their name, title, family or rules.
    json
        Print JSON.
    """
    from sevenout.errors import RulesError
    from sevenout.games import catalogue

    found = catalogue.search(*words)
    if not found:
        raise RulesError(f"no game with {' and '.join(words)!r}; see `sevenout games`")
    if json:
        print_json(
            [
                {
                    "id": entry.id,
                    "title": entry.title,
                    "family": entry.family,
                    "bet": entry.bet,
                    "options": {name: str(value) for name, value in entry.options.items()},
                    "rules": " ".join(entry.rules.split()),
                    "source": entry.source,
                }
                for entry in found
            ]
        )
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("game", "title", "options"):
        table.add_column(heading, overflow="fold")
    family = None
    for entry in sorted(found, key=lambda e: e.family):
        if entry.family != family:
            family = entry.family
            table.add_row("", "")
            table.add_row(Text(family, style="bold"))
        options = " ".join(f"--{name} {value}" for name, value in entry.options.items())
        table.add_row(entry.id, Text(entry.title), Text(options, style="dim"))
    console().print(table)
