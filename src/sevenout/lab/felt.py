"""The felt: dice, puck and chips, as markup."""

from collections.abc import Hashable, Iterable
from typing import Any

from sevenout.lab.markup import Markup, tag
from sevenout.rules import Settled

PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Where the pips of a face are, in a grid of three by three."""


def die(face: Hashable, sides: int = 6) -> Markup:
    """One die that shows a face."""
    shape = tag("rect", x=2, y=2, width=96, height=96, rx=18, class_="body")
    if sides == 6 and isinstance(face, int) and face in PIPS:
        marks: Any = [
            tag("circle", cx=26 + 24 * x, cy=26 + 24 * y, r=9, class_="pip") for x, y in PIPS[face]
        ]
    else:
        marks = tag("text", face, x=50, y=66, text_anchor="middle", class_="number")
    label = "no roll yet" if face == "" else f"a die that shows {face}"
    return tag(
        "svg", shape, marks, viewBox="0 0 100 100", class_="die", role="img", aria_label=label
    )


def dice(faces: Iterable[Hashable]) -> Markup:
    """Dice side by side."""
    return tag("div", [die(face) for face in faces], class_="dice")


def puck(point: object) -> Markup:
    """The puck: OFF, or ON with the point."""
    if point is None:
        return tag("div", "OFF", class_="puck", role="img", aria_label="the puck is off")
    said = f"the puck is on {point}"
    return tag("div", "ON", tag("small", point), class_="puck on", role="img", aria_label=said)


def point_of(state: Any) -> object:
    """The point of a state, if one is on.

    >>> point_of("come-out"), point_of(8), point_of((6, 2)), point_of(("come-out", (4, 1)))
    (None, 8, 6, 4)
    """
    match state:
        case None | str() | Settled():
            return None
        case (int(), bool()):
            return None
        case (int() as point, int()):
            return point
        case tuple():
            return next((p for part in state if (p := point_of(part)) is not None), None)
        case _:
            return state
