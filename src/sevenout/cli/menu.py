"""`sevenout best --table`: which bets of a menu to make."""

import re
from collections.abc import Mapping
from typing import Any

from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError, shown
from sevenout.numerals import exact, parse_count
from sevenout.rules.felt import whole

OPTIONS = ("bankroll", "rolls", "want", "idle", "house")
MOST_AMOUNTS = 1000


def best_bets(table: str, goal: str | None, options: Mapping[str, str], json: bool) -> None:
    """The best evening with a menu of bets."""
    from sevenout.decide.evenings import best_evening
    from sevenout.games.strategytext import house_of
    from sevenout.page.tables import datum

    for name in options:
        if name not in OPTIONS:
            raise NotationError(
                f"{shown(f'--{name}')} is no option of a table; there are --goal, "
                f"{', '.join(f'--{known}' for known in OPTIONS)}"
            )
    if options.get("idle", "no") not in ("yes", "no"):
        raise NotationError(f"--idle {shown(options['idle'])}; write yes or no")
    found = best_evening(
        parse_menu(table),
        exact(options.get("bankroll", "10")),
        goal=None if goal is None else exact(goal),
        rolls=parse_count(options["rolls"]) if "rolls" in options else None,
        want=options.get("want"),  # type: ignore[arg-type]
        idle=options.get("idle") == "yes",
        house=house_of(options.get("house", "")),
    )
    if json:
        bets = [
            {
                "money": str(money),
                "point": point,
                "felt": {bet: str(amount) for bet, amount in bets},
                "rolls left": left,
                "bet": list(made),
            }
            for (money, point, bets, left), made in found.chosen_bets
        ]
        value = {"value": datum(found.value), "bound": datum(found.bound)}
        print_json({"goal": found.goal.name, "method": found.method} | value | {"bets": bets})
        return
    console().print(found)


def parse_menu(text: str) -> dict[str, list[Any]]:
    """A menu as it is written: amounts by bet.

    >>> parse_menu("pass=1-2-5, place 6=6, field=1..3")
    {'pass': [1, 2, 5], 'place 6': [6], 'field': [1, 2, 3]}

    Raises:
        NotationError: it is no menu.
    """
    menu: dict[str, list[Any]] = {}
    for part in text.split(","):
        bet, equals, amounts = (piece.strip() for piece in part.rpartition("="))
        if not (bet and equals and amounts):
            raise NotationError(f"{shown(part)} is no bet of a menu; write bet=amounts, pass=1-2-5")
        if bet in menu:
            raise NotationError(f"{shown(bet)} is on the menu twice; give all its amounts at once")
        ends = re.fullmatch(r"([0-9]{1,9})\.\.([0-9]{1,9})", amounts)
        if ends:
            low, high = int(ends[1]), int(ends[2])
            if not low <= high < low + MOST_AMOUNTS:
                raise NotationError(f"{amounts} is no range of up to {MOST_AMOUNTS:,} amounts")
            menu[bet] = list(range(low, high + 1))
        else:
            menu[bet] = [whole(exact(amount)) for amount in amounts.split("-")]
    return menu
