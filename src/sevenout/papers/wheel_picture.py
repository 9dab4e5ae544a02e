"""A wheel drawn as one: equal segments with their labels, as SVG.

A declaration states how many segments have each label, and not their order. Equal labels are spread
around the wheel as evenly as they can be.
"""

from html import escape
from math import cos, pi, sin

from sevenout.documents import Block, Picture
from sevenout.model import Chain
from sevenout.papers.pictures.style import CYCLE
from sevenout.papers.wording import MOST_SEGMENTS
from sevenout.rolling import Die
from sevenout.rules.combined_games import bottom

RADIUS, HUB, EDGE = 66.0, 10.0, 2.0
"""Of the wheel, its hub, and the room around it, in points."""


def chain_wheels(chain: Chain) -> list[Die]:
    """The wheels that a game spins."""
    sources = dict.fromkeys(map(bottom, chain.rollables))
    return [die for die in sources if isinstance(die, Die) and is_wheel(die)]


def wheels(chain: Chain) -> list[Block]:
    """A picture of each wheel that a game spins."""
    return [
        Picture(
            wheel_svg(die),
            f"The wheel of {sum(die.weights)} equal segments; their order is not declared",
        )
        for die in chain_wheels(chain)
    ]


def is_wheel(die: Die) -> bool:
    """Whether a die is drawn as a wheel: its faces are not equally likely.

    >>> is_wheel(Die([1, 5, 20], [4, 2, 1])), is_wheel(Die([1, 2, 3]))
    (True, False)
    """
    return len({*die.weights}) > 1 and sum(die.weights) <= MOST_SEGMENTS


def segments(die: Die) -> list[str]:
    """The labels around a wheel, equal ones spread evenly.

    >>> segments(Die([1, 5, 20], [4, 2, 1]))
    ['1', '5', '1', '20', '1', '5', '1']
    """
    spread = [
        ((k + 0.5) / count, count, str(face))
        for face, count in zip(die.faces, die.weights, strict=True)
        for k in range(count)
    ]
    return [label for *_, label in sorted(spread, key=lambda place: place[:2])]


def wheel_svg(die: Die) -> str:
    """A wheel as SVG, in the sheet's typeface."""
    labels = segments(die)
    colours = {str(face): CYCLE[k % len(CYCLE)] for k, face in enumerate(die.faces)}
    count, side = len(labels), 2 * (RADIUS + EDGE)
    size = min(11.0, 0.75 * 2 * pi * 0.8 * RADIUS / count)
    parts = [f'<circle r="{RADIUS}" fill="#ffffff"/>']  # for a layout, which is dark
    for k, label in enumerate(labels):
        start, end, middle = (2 * pi * (k + part) / count - pi / 2 for part in (0, 1, 0.5))
        parts.append(
            f'<path d="M0,0 L{_point(RADIUS, start)} A{RADIUS},{RADIUS} 0 0 1 '
            f'{_point(RADIUS, end)} z" fill="{colours[label]}" fill-opacity="0.22" '
            f'stroke="#1a1a1a" stroke-width="0.5"/>'
        )
        x, y = 0.82 * RADIUS * cos(middle), 0.82 * RADIUS * sin(middle)
        parts.append(
            f'<text transform="translate({x:.2f},{y:.2f}) rotate({middle * 180 / pi + 90:.2f})" '
            f'y="{size / 3:.2f}" text-anchor="middle" font-size="{size:.2f}" fill="#1a1a1a">'
            f"{escape(label)}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side:.0f}pt" height="{side:.0f}pt" '
        f'viewBox="{-side / 2:.1f} {-side / 2:.1f} {side:.1f} {side:.1f}" '
        f'font-family="Libertinus Serif, STIXGeneral, Georgia, serif">{"".join(parts)}'
        f'<circle r="{HUB}" fill="#ffffff" stroke="#1a1a1a" stroke-width="0.5"/></svg>'
    )


def _point(radius: float, angle: float) -> str:
    return f"{radius * cos(angle):.2f},{radius * sin(angle):.2f}"
