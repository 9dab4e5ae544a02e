"""The wheels that a game spins, and their pictures.

A wheel has equal segments. A game states how many of them have each label; a declaration may state
their order. Without it, equal labels are spread around the wheel as evenly as they can be.
"""

from html import escape
from math import cos, pi, sin
from typing import NamedTuple

from sevenout.documents import Picture
from sevenout.errors import RulesError, shown
from sevenout.model import Chain
from sevenout.papers.picture_style import CYCLE, INK, PAPER, SVG_FONT
from sevenout.papers.wording import is_wheel
from sevenout.rolling import Die
from sevenout.rules.combined_games import bare_dice

RADIUS, HUB, EDGE = 66.0, 10.0, 2.0
"""Of the wheel, its hub, and the room around it, in points."""


class Wheel(NamedTuple):
    """A wheel that a game spins.

    Attributes:
        die: its labels as faces, with the number of their segments as weights.
        labels: of the segments, in order around the wheel.
        is_declared: whether the maker states this order; else equal labels are spread evenly.
    """

    die: Die
    labels: list[str]
    is_declared: bool

    @property
    def picture(self) -> Picture:
        """The wheel with a caption."""
        undeclared = "" if self.is_declared else "; their order is not declared"
        return Picture(self.svg, f"The wheel of {len(self.labels)} equal segments{undeclared}")

    @property
    def svg(self) -> str:
        """The wheel as SVG, in the sheet's typeface."""
        colours = {str(face): CYCLE[k % len(CYCLE)] for k, face in enumerate(self.die.faces)}
        count, side = len(self.labels), 2 * (RADIUS + EDGE)
        # the label must fit its segment, at four fifths of the radius
        size = min(11.0, 0.75 * 2 * pi * 0.8 * RADIUS / count)
        parts = [f'<circle r="{RADIUS}" fill="{PAPER}"/>']  # for a layout, which is dark
        for k, label in enumerate(self.labels):
            start, end, middle = (2 * pi * (k + part) / count - pi / 2 for part in (0, 1, 0.5))
            parts.append(
                f'<path d="M0,0 L{_on_rim(start)} A{RADIUS},{RADIUS} 0 0 1 '
                f'{_on_rim(end)} z" fill="{colours[label]}" fill-opacity="0.22" '
                f'stroke="{INK}" stroke-width="0.5"/>'
            )
            x, y = 0.82 * RADIUS * cos(middle), 0.82 * RADIUS * sin(middle)
            turn = f"translate({x:.2f},{y:.2f}) rotate({middle * 180 / pi + 90:.2f})"
            parts.append(
                f'<text transform="{turn}" y="{size / 3:.2f}" text-anchor="middle" '
                f'font-size="{size:.2f}" fill="{INK}">{escape(label)}</text>'
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{side:.0f}pt" height="{side:.0f}pt" '
            f'viewBox="{-side / 2:.1f} {-side / 2:.1f} {side:.1f} {side:.1f}" '
            f"{SVG_FONT}>{''.join(parts)}"
            f'<circle r="{HUB}" fill="{PAPER}" stroke="{INK}" stroke-width="0.5"/></svg>'
        )


def _on_rim(angle: float) -> str:
    return f"{RADIUS * cos(angle):.2f},{RADIUS * sin(angle):.2f}"


def wheels_of(chain: Chain, order: str = "") -> list[Wheel]:
    """The wheels that a game spins.

    Args:
        chain: of the game.
        order: the labels around one of them, as declared: between commas or spaces; "" for none.

    Raises:
        RulesError: an order of labels that no wheel of the game has.
    """
    # a label of several words needs commas around it
    declared = [label.strip() for label in (order.split(",") if "," in order else order.split())]
    wheels = []
    for die in dict.fromkeys(map(bare_dice, chain.rollables)):
        if isinstance(die, Die) and is_wheel(die):
            labels = spread_labels(die)
            is_declared = sorted(declared) == sorted(labels)
            wheels.append(Wheel(die, declared if is_declared else labels, is_declared))
    if order and not any(wheel.is_declared for wheel in wheels):
        has = "; ".join(" ".join(wheel.labels) for wheel in wheels) or "no wheel"
        raise RulesError(f"segments = {shown(order)}; the game has {shown(has, 200)[1:-1]}")
    return wheels


def spread_labels(die: Die) -> list[str]:
    """The labels around a wheel, with equal ones spread evenly.

    >>> spread_labels(Die([1, 5, 20], [4, 2, 1]))
    ['1', '5', '1', '20', '1', '5', '1']
    """
    # each segment by its angle; of equal angles the rarer label first
    segments = [
        ((k + 0.5) / count, count, str(face))
        for face, count in zip(die.faces, die.weights, strict=True)
        for k in range(count)
    ]
    return [label for *_, label in sorted(segments, key=lambda segment: segment[:2])]
