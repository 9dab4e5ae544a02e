"""What all tables share: the dice, the puck, the seats."""

from collections.abc import Iterable
from typing import Any

import htpy as h
from markupsafe import Markup, escape

from sevenout.catalogue import games
from sevenout.catalogue.strategies import strategies
from sevenout.documents.numbers import many
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import named
from sevenout.lab.widgets.parts import Field, form, go

PATH, SEAT = "/table", "/sit"
ROLL = "Roll the dice, with the button or the space bar."
SHOWN = 14
"""Rolls of the log that are shown at once."""
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Each face's pips on a grid of three by three."""


def seats(address: Address, text: str, seed: int) -> Any:
    """The form for the game, the player and the seed."""
    strategy = address.get("strategy")
    known = games.entries
    name = named()[text][1] if text in named() else text if text in known else ""
    options = [("", "Your game" if text and not name else "Choose a game")]
    options += [(entry.id, entry.title) for entry in known.values()]
    players = [("", "none: I roll"), *((key, strategies.entry(key).title) for key in strategies)]
    if strategy and strategy not in strategies:
        players.insert(1, (strategy, strategy.partition(":")[0].replace("~", "your file ")[:20]))
    return h.div(".row.seats")[
        form(
            Address(PATH, {}),
            Field("Game", "game", name, "whole", options=options),
            submit="Sit down",
        ),
        form(
            # only an evening has them: at the table of a game they are fields that nothing reads
            address.to(PATH, keep=("bankroll", "hours") if strategy else ()),
            Field("Or watch a strategy", "strategy", strategy, "medium", options=players),
            submit="Watch",
        ),
        form(
            address.to(rolls=None, chips=None, did=None),
            Field("Seed", "seed", seed, inputmode="numeric"),
            submit="Set",
        ),
        go("Place your own bets at craps", SEAT),
    ]


def felt(top: Any, call: Any, doing: Any, bets: Any = None) -> Any:
    """The felt: what lies there, the call, the buttons and the bets."""
    return h.section(".felt", aria_label="The felt")[
        h.div(".felt-top")[top, h.p(".call", role="status")[call]], h.div(".row")[doing], bets
    ]


def reached(*buttons: Any) -> Any:
    """The buttons of the bar: it is in view where those of the felt have scrolled away."""
    return h.span(".reach")[buttons]


def rolling(base: Address, n: int, most: int) -> list[Any]:
    return [
        go("Roll", base.to(rolls=n + 1), "main", data_space=True),
        go("10 rolls", base.to(rolls=min(n + 10, most))),
        go("100 rolls", base.to(rolls=min(n + 100, most))),
    ]


def log(rows: list[tuple[str, Any]]) -> Any:
    if not rows:
        return h.p(".soft")["What is rolled is listed here; it is all in the address."]
    lines = [
        h.li[h.span(".soft")[str(i)], h.span[rolled], then]
        for i, (rolled, then) in enumerate(rows, 1)
    ]
    # The last stand first, and those before the last few are folded.
    last, earlier = lines[: -SHOWN - 1 : -1], lines[-SHOWN - 1 :: -1]
    return [
        h.ol(".log")[last],
        h.details("#earlier")[
            h.summary(".hint")[f"The {many(len(earlier), 'roll')} before"], h.ol(".log")[earlier]
        ]
        if len(rows) > SHOWN
        else None,
    ]


def die(face: Any, turn: int = 0, law: Iterable[Any] = ()) -> Any:
    """One die that shows a face; in figures if a face has too many pips."""
    if isinstance(face, int) and face in PIPS and all(other in PIPS for other in law):
        marks = "".join(
            f'<circle class="pip" cx="{26 + 24 * x}" cy="{26 + 24 * y}" r="9"/>'
            for x, y in PIPS[face]
        )
    else:
        text = str(getattr(face, "value", face)) if face != "" else ""
        text = "–" if text == "None" else text
        marks = f'<text x="50" y="65" text-anchor="middle">{escape(text[:4])}</text>'
    label = "no roll yet" if face == "" else f"a die that shows {escape(str(face))}"
    return Markup(
        # The class changes with each roll, which starts the style sheet's animation again.
        f'<svg class="die {"ab"[turn % 2] if face != "" else ""}" viewBox="0 0 100 100" role="img" '
        f'aria-label="{label}"><rect class="body" x="2" y="2" width="96" height="96" rx="18"/>'
        f"{marks}</svg>"
    )


def puck(point: Any) -> Any:
    if point == "":
        return None
    if point is None:
        return h.div(".puck", role="img", aria_label="the puck is off")["OFF"]
    return h.div(".puck.on", role="img", aria_label=f"the puck is on {point}")[
        "ON", h.b[str(point)]
    ]
