"""`sevenout games`: the catalogue, and the games with choices."""

from typing import TYPE_CHECKING, Any

from sevenout.cli.options import Json
from sevenout.cli.out import console, print_json
from sevenout.questions.subjects import option_text

if TYPE_CHECKING:
    from sevenout.catalogue.entries import Entry


def games(*words: str, json: Json = False) -> None:
    """List the games of the catalogue, or search them.

    Parameters
    ----------
    words
        List only entries that have every one of these words in their name, title, family or rules.
    """
    from sevenout.catalogue import games as shelf
    from sevenout.errors import RulesError

    results = shelf.search(*words)
    found = [entry for entry in results if not entry.has_choices]
    asking = [entry for entry in results if entry.has_choices]
    endless = shelf.endless.search(*words)
    if not found and not asking and not endless:
        raise RulesError(
            f"no game in the catalogue has {' and '.join(words)!r}; see `sevenout games`"
        )
    if json:
        print_json(
            [_data(entry) | {"bet": entry.bet} for entry in [*found, *endless]]
            + [
                _data(entry) | {"goal": entry.goal, "policies": list(entry.policies)}
                for entry in asking
            ]
        )
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("game", "title", "options"):
        table.add_column(heading, overflow="fold")
    by_family: dict[str, list[Entry]] = {}
    for entry in sorted(found, key=lambda e: e.family):
        by_family.setdefault(entry.family, []).append(entry)
    for each in asking:
        by_family.setdefault("Games with choices, for `sevenout best`", []).append(each)
    for lasting in endless:
        by_family.setdefault("Games without an end, for `sevenout long-run`", []).append(lasting)
    for family, entries in by_family.items():
        table.add_row("", "")
        table.add_row(Text(family, style="bold"))
        for one in entries:
            table.add_row(one.id, Text(one.title), Text(_options(one), style="dim"))
    console().print(table)


def _data(entry: "Entry") -> dict[str, Any]:
    return {
        "id": entry.id,
        "title": entry.title,
        "family": entry.family,
        "options": {name: option_text(value) for name, value in entry.options.items()},
        "rules": " ".join(entry.rules.split()),
        "source": entry.source,
    }


def _options(entry: "Entry") -> str:
    given = ((name.replace("_", "-"), option_text(value)) for name, value in entry.options.items())
    return " ".join(f"--{name} {value}" for name, value in given if value)
