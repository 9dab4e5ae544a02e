"""Draws the pictures of the pages on dice: `python docs/pictures/dice.py`.

Everything drawn is computed from the dice, so a wrong picture means wrong dice.
"""

from fractions import Fraction
from math import cos, pi, sin
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle, Wedge

from sevenout.papers.dice_pictures import (
    FIRST_WINS,
    INK,
    LEFT_OFF,
    RED,
    SECOND_WINS,
    cells,
    heat_map,
)
from sevenout.rolling import Face, comparison, designs, tatham
from sevenout.rolling.ranked import ways_to_roll

HERE = Path(__file__).parent
N = 6
PALE_RED = "#f3c6c9"
GREY = "#8a8a8a"
CENTRE = {"ha": "center", "va": "center"}


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many units, at 0.4 inches each, y downwards."""
    figure = Figure(figsize=(0.4 * width, 0.4 * height))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    axes.axis("off")
    return figure, axes


def save(figure: Figure, name: str) -> None:
    figure.savefig(HERE / f"{name}.svg", metadata={"Date": None}, facecolor="white")


def draw_face(axes: Axes, face: Face, x: float, y: float, colour: str, *, signed: bool) -> None:
    box = FancyBboxPatch((x, y), 2, 2, boxstyle="round,pad=0,rounding_size=0.3")
    box.set(facecolor=colour, edgecolor=INK, linewidth=1)
    axes.add_patch(box)
    if face.value is None:
        return
    axes.text(x + 1, y + 1.05, str(face.value), fontsize=19, weight="bold", color=INK, **CENTRE)
    rows = [face.rank] if face.rank <= 5 else [3, 3]
    for k, n in enumerate(rows):
        for i in range(n):
            spot = x + 1 + 0.27 * (i - (n - 1) / 2), y + 1.66 + 0.22 * (k - (len(rows) - 1) / 2)
            axes.add_patch(Circle(spot, 0.085, color=INK))
    if face.red:
        mark = f"{face.red:+d}".replace("-", "−") if signed else str(face.red)
        axes.text(x + 1, y + 0.38, mark, fontsize=10, weight="bold", color=RED, **CENTRE)


def the_pair() -> None:
    """The faces of both dice and, below them, what each two of them roll."""
    figure, axes = canvas(25.5, 16.8)
    even, odd = tatham(N).dice
    axes.text(1, 1, "the even die", fontsize=13, color=INK, va="center")
    axes.text(1, 4.8, "the odd die", fontsize=13, color=INK, va="center")
    for k, face in enumerate(even.faces):
        draw_face(axes, face, 1 + 2.3 * k, 1.6, FIRST_WINS, signed=False)
    for k, face in enumerate([*odd.faces[1:], odd.faces[0]]):
        colour = LEFT_OFF if face.value == N + 1 else SECOND_WINS
        draw_face(axes, face, 1 + 2.3 * k, 5.4, colour, signed=True)
    x, y, size = 3.0, 9.0, 1.2
    for i, j, cell in cells(N):
        left, top = x + 1.9 * size * j / 1.2, y + size * i
        axes.add_patch(
            Rectangle((left, top), 1.9, size, facecolor=cell.colour, edgecolor="white", linewidth=2)
        )
        axes.text(left + 0.75, top + 0.62, str(cell.total), fontsize=14, color=INK, **CENTRE)
        axes.text(
            left + 1.45, top + 0.4, str(cell.red), fontsize=9, color=RED, weight="bold", **CENTRE
        )
    for k, face in enumerate(even.faces):
        axes.text(2.5, y + size * (k + 0.55), str(face.value), fontsize=14, weight="bold",
                  ha="right", va="center", color=INK)  # fmt: skip
    for k, face in enumerate(odd.faces):
        shown = "–" if face.value is None else str(face.value)
        axes.text(
            x + 1.9 * k + 0.9, y - 0.5, shown, fontsize=14, weight="bold", color=INK, **CENTRE
        )
    notes = [
        (1.9, INK, "More dots win:"),
        (2.8, INK, "that face is the total."),
        (4.6, RED, "Add the red marks,"),
        (5.5, RED, "±6 to stay within 1 to 6:"),
        (6.4, RED, "that is the red number."),
    ]
    for height, colour, text in notes:
        axes.text(16, height, text, fontsize=13, color=colour, va="center")
    for k, (colour, text) in enumerate(
        [
            (FIRST_WINS, "the even die wins"),
            (SECOND_WINS, "the odd die wins"),
            (LEFT_OFF, "the 7, a face to leave off"),
        ]
    ):
        axes.add_patch(Rectangle((16, 9.4 + 1.4 * k), 1.2, 0.9, facecolor=colour))
        axes.text(17.6, 9.87 + 1.4 * k, text, fontsize=13, color=INK, va="center")
    save(figure, "no-seven-pair")


def spot(x: float, y: float, radius: float, hour: float) -> tuple[float, float]:
    """A place on a clock of N hours, hour 0 at the top."""
    angle = 2 * pi * hour / N
    return x + radius * sin(angle), y - radius * cos(angle)


def clock(
    axes: Axes,
    centre: tuple[float, float],
    marks: dict[int, str],
    lit: tuple[set[int], float],
    colours: tuple[str, str],
) -> None:
    """A clock with a mark at each hour; some hours in a row are lit, around their middle."""
    x, y = centre
    hours, arc = lit
    fill, band = colours
    half = len(hours) / 2 * 360 / N - 4
    middle = 360 * arc / N - 90  # y grows downwards
    ring = Wedge((x, y), 3.15, middle - half, middle + half, width=1.7, color=band, alpha=0.3)
    axes.add_patch(ring)
    axes.add_patch(Circle((x, y), 2.3, fill=False, edgecolor=GREY, linewidth=0.8))
    for hour, mark in marks.items():
        place = spot(x, y, 2.3, hour)
        disc = Circle(place, 0.62, facecolor=fill if hour in hours else "white", edgecolor=INK)
        axes.add_patch(disc)
        axes.text(*place, mark, fontsize=12, color=INK, weight="bold", **CENTRE)
    # half a turn may be an hour or lie between two
    axes.annotate("", xy=spot(x, y, 1.45, arc), xytext=(x, y),
                  arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.2})  # fmt: skip


def how_red_works() -> None:
    """The faces that a face beats, turned by its red mark, are the red numbers of its total."""
    figure, axes = canvas(29, 21)
    even, odd = tatham(N).dice
    for row, (total, mine, others) in enumerate([(8, even, odd), (5, odd, even)]):
        y = 5.6 + 10.4 * row
        turn = total // 2
        offset = 0 if mine is even else 1  # the even die's hours are 1 to 6, the odd one's 0 to 5
        rank = ways_to_roll(total, N)
        hours = {(k + offset) % N: face for k, face in enumerate(others.faces)}
        beaten = {hour for hour, face in hours.items() if face.rank < rank}
        names = {hour: "–" if f.value is None else str(f.value) for hour, f in hours.items()}
        colour = SECOND_WINS if mine is even else FIRST_WINS
        clock(axes, (5, y), names, (beaten, offset / 2), (colour, GREY))
        reds = {(hour + turn) % N for hour in beaten}
        half = turn + offset / 2
        clock(axes, (15.2, y), {h: str(h or N) for h in range(N)}, (reds, half), (PALE_RED, RED))
        axes.annotate("", xy=(11.5, y), xytext=(8.7, y),
                      arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2})  # fmt: skip
        axes.text(10.1, y - 0.75, f"turn by {turn}", fontsize=12, color=INK, **CENTRE)
        other = "odd" if mine is even else "even"
        axes.text(5, y - 4.3, f"the {total} beats {rank} neighbours\non the {other} die",
                  fontsize=12, color=INK, **CENTRE)  # fmt: skip
        words = f"the red numbers\nthat go with {'an' if total == 8 else 'a'} {total}"
        axes.text(15.2, y - 4.3, words, fontsize=12, color=RED, **CENTRE)
        words = f"ordinary dice:\nthe {rank} ways to roll {total}"
        axes.text(24, y - 4.3, words, fontsize=12, color=INK, **CENTRE)
        start = "the blank" if mine is even else "between 12 and 2"
        axes.text(5, y + 3.9, f"middle: {start}", fontsize=11, color=INK, **CENTRE)
        middle = f"middle: {half:g}, half of {total}"
        axes.text(15.2, y + 3.9, middle, fontsize=11, color=RED, **CENTRE)
        axes.text(24, y + 3.9, middle, fontsize=11, color=RED, **CENTRE)
        pairs = [(red, total - red) for red in range(1, N + 1) if 1 <= total - red <= N]
        assert {red % N for red, _ in pairs} == reds
        for k, (red, white) in enumerate(pairs):
            top = y - 2.9 + 1.25 * k
            for left, value, fill in ((22.6, red, PALE_RED), (24.4, white, "white")):
                box = FancyBboxPatch((left, top), 1, 1, boxstyle="round,pad=0,rounding_size=0.2")
                box.set(facecolor=fill, edgecolor=INK, linewidth=1)
                axes.add_patch(box)
                axes.text(left + 0.5, top + 0.53, str(value), fontsize=12, weight="bold", color=INK,
                          **CENTRE)  # fmt: skip
    save(figure, "no-seven-red")


def all_reds() -> None:
    """Every total owns a run of red numbers: as long as its dots, centred on half of it."""
    figure, axes = canvas(21, 15.5)
    x, y, size = 5.6, 2.2, 1.1
    for red in range(1, N + 1):
        axes.text(
            x + 1.7 * (red - 0.5),
            y - 0.55,
            str(red),
            fontsize=13,
            color=RED,
            weight="bold",
            **CENTRE,
        )
    axes.text(x + 1.7 * 3, 0.75, "red number", fontsize=13, color=RED, **CENTRE)
    axes.text(2.6, 0.75, "total, dots", fontsize=13, color=INK, **CENTRE)
    law = {(cell.total, cell.red) for _, _, cell in cells(N)}
    for k, total in enumerate(range(2, 2 * N + 1)):
        top = y + size * k
        style = {"fontsize": 14, "weight": "bold", "color": INK, "ha": "right", "va": "center"}
        axes.text(2.2, top + size / 2, str(total), **style)
        for dot in range(ways_to_roll(total, N)):
            axes.add_patch(Circle((2.9 + 0.32 * dot, top + size / 2), 0.1, color=INK))
        for red in range(1, N + 1):
            colour = (
                (FIRST_WINS if total % 2 == 0 else SECOND_WINS)
                if (total, red) in law
                else "#f4f4f4"
            )
            axes.add_patch(Rectangle((x + 1.7 * (red - 1), top), 1.7, size, facecolor=colour,
                                     edgecolor="white", linewidth=2))  # fmt: skip
        middle = x + 1.7 * (total / 2 - 0.5)
        axes.plot([middle, middle], [top + 0.12, top + size - 0.12], color=RED, linewidth=2)
    axes.plot([x + 11.2] * 2, [y + 3.2, y + 4.3], color=RED, linewidth=2)
    axes.text(x + 11.6, y + 3.75, "half the total", fontsize=12, color=RED, va="center")
    for k, (colour, text) in enumerate([(FIRST_WINS, "even die"), (SECOND_WINS, "odd die")]):
        axes.add_patch(Rectangle((x + 10.8, y + 5.3 + 1.3 * k), 0.8, 0.8, facecolor=colour))
        axes.text(x + 12, y + 5.75 + 1.3 * k, text, fontsize=12, color=INK, va="center")
    save(figure, "no-seven-runs")


def peeling() -> None:
    """How a grid is peeled: the 7, the 6 and 8, the 5 and 9, ..."""
    levels = [(7,), (6, 8), (5, 9), (4, 10), (3, 11), (2, 12)]
    rows, columns = [6, 8, 4, 10, 2, 12], [7, 5, 9, 3, 11, 0]
    figure, axes = canvas(27, 6.6)
    value = {(c.faces[0].value, c.faces[1].value or 0): c.total for c in tatham(N).law}
    for step in range(5):
        gone = {v for level in levels[:step] for v in level}
        now = set(levels[step])
        left = 0.6 + 5.3 * step
        for i, r in enumerate(rows):
            for j, c in enumerate(columns):
                total = value[r, c]
                colour = "white" if total in gone else PALE_RED if total in now else "#f1f1f1"
                place = left + 0.78 * j, 1.3 + 0.78 * i
                axes.add_patch(Rectangle(place, 0.78, 0.78, facecolor=colour, edgecolor="white"))
                if total not in gone:
                    axes.text(place[0] + 0.39, place[1] + 0.42, str(total), fontsize=9, color=INK,
                              weight="bold" if total in now else "normal", **CENTRE)  # fmt: skip
        kind = "column" if step == 0 else "columns" if step % 2 == 0 else "rows"
        text = f"{' and '.join(map(str, levels[step]))}: {kind} of {N - step}"
        axes.text(left + 2.3, 0.7, text, fontsize=10.5, color=INK, **CENTRE)
    save(figure, "no-seven-peeling")


def fragility() -> None:
    """The designs, by what random faults do to them."""
    compared = comparison(designs(), Fraction(1, 4))
    figure = Figure(figsize=(8.5, 3.1), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    ranked = sorted(compared, key=lambda one: one.fragility, reverse=True)
    values = [float(one.fragility) for one in ranked]
    colours = ["#d9a441" if "ranked" in one.name else "#6c9bc7" for one in ranked]
    axes.barh([one.name for one in ranked], values, color=colours)
    for k, one in enumerate(ranked):
        axes.text(values[k] + 0.01, k, str(one.fragility), va="center", fontsize=10)
    axes.set_xlim(0, 1.1)
    axes.set_xlabel("mean chi-square distance per unit of variance of the faults")
    axes.spines[["top", "right"]].set_visible(False)
    save(figure, "dice-fragility")


def main() -> None:
    """Draw them all."""
    with mpl.rc_context({"svg.hashsalt": "sevenout", "font.family": "DejaVu Sans"}):
        the_pair()
        how_red_works()
        all_reds()
        peeling()
        fragility()
        heat_map(HERE / "dice-faults.svg", comparison(designs(), Fraction(1, 4)))


if __name__ == "__main__":
    main()
