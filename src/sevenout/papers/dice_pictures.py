"""Pictures of special dice: faces to print, in real size, and a heat map of faults.

Both are matplotlib figures. An image file has reproducible bytes: without dates, with a fixed salt
of its ids; after an error the old file is unchanged.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import minus
from sevenout.documents.words import word_list
from sevenout.errors import RulesError, shown
from sevenout.extras import require
from sevenout.files import write
from sevenout.papers.picture_style import picture_bytes
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.die import Die
from sevenout.rolling.ranked import Face, RedNumber, grid, higher_rank, repainted, tatham
from sevenout.rolling.sevenless import FaultEffect

WIDTH, HEIGHT, MARGIN, GAP = 210.0, 297.0, 15.0, 2.5
"""An A4 page, in millimetres."""

RED, INK, CUTTING_LINE = "#c1121f", "#1b1b1b", "#9a9a9a"
FIRST_WINS, SECOND_WINS, LEFT_OFF = "#cfe3f5", "#fbe3b9", "#e2e2e2"
"""Colours of cells: the first die wins, the second wins, left off."""

TOP_OF_STRIPS = 31 + 5.4 * 5 + 3
"""The top of the faces, below the heading, in millimetres."""
MAX_DOTS = 9
"""The most sides of a die whose ranks are drawn as dots; the ranks of a larger die are numbers."""
SOLIDS = (4, 6, 8, 10, 12, 20)
"""The numbers of faces of dice that can be bought."""
CENTRED = {"ha": "center", "va": "center"}
"""The style of a text with its middle at its place."""
CUBE, ROUND = 14.0, 9.0
"""The side of labels for cubes, the diameter for other solids, in millimetres."""


class Strip(NamedTuple):
    """The labels of one die.

    Attributes:
        title: a description of the die.
        faces: its faces.
        signed: whether the red numbers are offsets.
        round: whether the labels are round, for solids without square faces.
    """

    title: str
    faces: tuple[Face, ...]
    signed: bool
    round: bool

    @property
    def size(self) -> float:
        """The side or diameter of a label, in millimetres."""
        return ROUND if self.round else CUBE


def strips(sides: int) -> tuple[Strip, ...]:
    """The three dice to paint for N sides: even, odd, and one of them without N + 1.

    >>> [len(strip.faces) for strip in strips(6)]
    [6, 6, 10]

    Raises:
        RulesError: fewer than 3 sides.
    """
    if sides < 3:
        raise RulesError(f"a sheet of faces for dice with {sides} sides; give 3 or more")
    out = sides + 1
    even, odd = tatham(sides).dice
    without_out = tatham(sides, without=out).dice[sides % 2 == 0]
    kind = "odd" if sides % 2 == 0 else "even"
    is_cube, repeats = sides == 6, next((t for t in (1, 2) if t * (sides - 1) in SOLIDS), 1)
    painted = repainted(without_out, repeats)

    def strip(title: str, die: Die, *, signed: bool, round: bool) -> Strip:
        faces = [face for face in die.faces if isinstance(face, Face)]
        blanks_last = sorted(faces, key=lambda face: face.value is None)
        return Strip(title, tuple(blanks_last), signed, round)

    return (
        strip(f"even d{sides}", even, signed=False, round=not is_cube),
        strip(f"odd d{sides}", odd, signed=True, round=not is_cube),
        strip(
            f"{kind} d{len(painted.faces)} without the {out}"
            + (", each face twice" if repeats > 1 else ""),
            painted,
            signed=kind == "odd",
            round=True,
        ),
    )


def face_sheet(path: str | Path, sides: int = 6) -> Path:
    """Draw the faces of the pair that never rolls N + 1 on an A4 page, in real size.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     face_sheet(Path(folder) / "faces.svg").stat().st_size > 10_000
    True

    Args:
        path: the file to write; .svg or .pdf.
        sides: N.

    Raises:
        RulesError: another kind of file, one that can't be written, or more faces than fit.
    """
    path = _image_path(path, "sheet", ".svg", ".pdf")
    afford(f"a sheet of {shown(sides)} faces", seconds=0.02 * min(sides, ESTIMATE_CAP))
    rows = strips(sides)
    bottom = TOP_OF_STRIPS
    for strip in rows:
        bottom = _end_of_strip(strip, bottom)
    if bottom > HEIGHT - 25:
        raise RulesError(f"the faces of d{sides} don't fit on a page; give fewer sides")
    with saved_figure(path, WIDTH / 25.4, HEIGHT / 25.4) as figure:
        page = figure.add_axes((0, 0, 1, 1))
        page.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        page.axis("off")
        y = _draw_heading(page, sides)
        for strip in rows:
            y = _draw_strip(page, strip, y, sides)
        if sides <= 8 and y + 12 + 9 * (sides + 1) < HEIGHT - 22:
            _draw_grid(page, sides, y + 4)
        _draw_ruler(page)
    return path


def _draw_heading(page: Any, sides: int) -> float:
    """Draw the title and the instructions; returns the y of the first strip."""
    out, kind = sides + 1, "even" if sides % 2 else "odd"
    _write(page, MARGIN, 22, f"A pair of dice that never rolls {out}", 19)
    lines = [
        f"The even die and the odd die roll 2 to {2 * sides} exactly as 2d{sides} do.",
        f"With the third strip in place of the {kind} die they still do, but never roll {out}.",
        "Total: the face with more dots is what you rolled.",
        f"Red number: add the two red marks; above {sides} take {sides} away, below 1 add {sides}.",
        "Print at 100 %. Cut along the grey lines.",
    ]
    for k, line in enumerate(lines):
        _write(page, MARGIN, 31 + 5.4 * k, line, 9)
    return TOP_OF_STRIPS


def _write(page: Any, x: float, y: float, text: str, size: float, /, **style: Any) -> None:
    """A text at a place in millimetres, its size in points; black unless the style says else."""
    page.text(x, y, text, fontsize=size, **({"color": INK} | style))


def _end_of_strip(strip: Strip, y: float) -> float:
    """The top of whatever follows a strip whose top is y."""
    across = int((WIDTH - 2 * MARGIN + GAP) // (strip.size + GAP))
    rows = -(-len(strip.faces) // across)
    return y + 6 + rows * (strip.size + GAP) - GAP + 8


def _draw_strip(page: Any, strip: Strip, y: float, sides: int) -> float:
    """Draw a strip of labels, in rows; returns the y below it."""
    _write(page, MARGIN, y + 3, strip.title, 10.5, weight="bold")
    top, y = y, y + 6
    x = MARGIN
    for face in strip.faces:
        if x + strip.size > WIDTH - MARGIN:
            x, y = MARGIN, y + strip.size + GAP
        _draw_label(page, face, (x, y), strip, sides)
        x += strip.size + GAP
    return _end_of_strip(strip, top)


def _draw_label(
    page: Any, face: Face, corner: tuple[float, float], strip: Strip, sides: int
) -> None:
    """Draw the label of one face at its top left corner, to be cut out."""
    from matplotlib.patches import Circle, FancyBboxPatch

    size = strip.size
    x, y = corner
    middle = x + size / 2
    edge: dict[str, Any] = {"fill": False, "edgecolor": CUTTING_LINE, "linewidth": 0.5}
    if strip.round:
        page.add_patch(Circle((middle, y + size / 2), size / 2, **edge))
    else:
        box = f"round,pad=0,rounding_size={size / 9}"
        page.add_patch(FancyBboxPatch((x, y), size, size, boxstyle=box, **edge))
    if face.value is None:
        return
    _write(page, middle, y + 0.51 * size, str(face.value), 1.15 * size, weight="bold", **CENTRED)
    if sides <= MAX_DOTS:
        _draw_dots(page, face.rank, middle, y + 0.78 * size, size)
    else:
        _write(page, middle, y + 0.8 * size, f"{face.rank} ●", 0.55 * size, **CENTRED)
    if face.red:
        red = minus(f"{face.red:+d}") if strip.signed else str(face.red)
        style = {"color": RED, "weight": "bold", **CENTRED}
        _write(page, middle, y + 0.19 * size, red, 0.62 * size, **style)


def _draw_dots(page: Any, rank: int, x: float, y: float, size: float) -> None:
    """Draw the rank of a face as dots, in one or two centred rows."""
    from matplotlib.patches import Circle

    rows = [rank] if rank <= 5 else [rank - rank // 2, rank // 2]
    step = 0.105 * size
    for k, n in enumerate(rows):
        for i in range(n):
            centre = (x + (i - (n - 1) / 2) * step, y + (k - (len(rows) - 1) / 2) * step)
            page.add_patch(Circle(centre, 0.036 * size, color=INK, linewidth=0))


def _draw_grid(page: Any, sides: int, y: float) -> None:
    """Draw the table of what each pair of faces rolls."""
    from matplotlib.patches import Rectangle

    pair = tatham(sides)
    cell = 9.0
    x = MARGIN + cell
    title = "What each pair of faces rolls, with its red number"
    _write(page, MARGIN, y, title, 10.5, weight="bold")
    y += 5
    for i, j, cell_shown in cells(sides):
        corner = (x + j * cell, y + cell + i * cell)
        page.add_patch(
            Rectangle(corner, cell, cell, facecolor=cell_shown.colour, edgecolor="white")
        )
        left, top = corner
        total_place = left + 0.42 * cell, top + 0.53 * cell
        _write(page, *total_place, str(cell_shown.total), 10, **CENTRED)
        red_place = left + 0.82 * cell, top + 0.28 * cell
        _write(page, *red_place, str(cell_shown.red), 6, color=RED, weight="bold", **CENTRED)
    even, odd = (_face_texts(face.value for face in die.faces) for die in pair.dice)
    legend = [
        (FIRST_WINS, "the even die wins"),
        (SECOND_WINS, "the odd die wins"),
        (LEFT_OFF, f"the {sides + 1}"),
    ]
    for k, (colour, text) in enumerate(legend):
        corner = (x + (sides + 1) * cell, y + (k + 1) * cell + 1)
        page.add_patch(Rectangle(corner, cell, cell - 2, facecolor=colour))
        _write(page, corner[0] + cell + 2, corner[1] + 3.5, text, 9, va="center")
    for k, value in enumerate(even):
        beside = {"ha": "right", "va": "center", "weight": "bold"}
        _write(page, x - 3, y + cell * (k + 1.5), value, 10, **beside)
    for k, value in enumerate(odd):
        _write(page, x + cell * (k + 0.5), y + 0.55 * cell, value, 10, weight="bold", **CENTRED)


def _face_texts(values: Iterable[Any]) -> list[str]:
    """What is painted on faces; a dash for a blank one."""
    return ["–" if value is None else str(value) for value in values]


class GridCell(NamedTuple):
    """The roll of two faces, and its colour.

    Attributes:
        total: the total of the two faces.
        red: their red number.
        colour: of the die whose face wins.
    """

    total: int
    red: int
    colour: str


def cells(sides: int) -> list[tuple[int, int, GridCell]]:
    """The row, column and roll of each cell of the pair's grid.

    >>> cells(6)[0]
    (0, 0, GridCell(total=2, red=1, colour='#cfe3f5'))
    """
    afford_grid(sides)
    pair, red, out = tatham(sides), RedNumber(sides), sides + 1
    even, odd = pair.dice
    grid_cells = []
    for i, row in enumerate(grid(pair)):
        for j, total in enumerate(row):
            faces = even.faces[i], odd.faces[j]
            first = higher_rank(faces) == getattr(even.faces[i], "value", None)
            colour = LEFT_OFF if total == out else FIRST_WINS if first else SECOND_WINS
            grid_cells.append((i, j, GridCell(total, red(faces), colour)))
    return grid_cells


def afford_grid(sides: int) -> None:
    """Check the budget for the grid of the pair.

    Raises:
        TooMuchWorkError: over the budget.
    """
    count = min(sides, ESTIMATE_CAP) ** 2
    afford(f"a grid of {sides:,} by {sides:,}", seconds=count * 1e-4, memory=count * 1_000)


def _draw_ruler(page: Any) -> None:
    """Draw 50 mm at the foot of the page, to check the size of the print."""
    y = HEIGHT - 13
    page.plot([MARGIN, MARGIN + 50], [y, y], color=INK, linewidth=0.8)
    for k in range(0, 51, 10):
        page.plot([MARGIN + k, MARGIN + k], [y - 1.5, y + 1.5], color=INK, linewidth=0.8)
    _write(page, MARGIN + 53, y, "50 mm, if the printer kept the size", 8, va="center")


# --- a heat map of faults -----------------------------------------------------------------------


def heat_map(path: str | Path, effects: Sequence[FaultEffect]) -> Path:
    """Draw the relative change of each result's probability as one face is heavier.

    >>> import tempfile
    >>> from fractions import Fraction
    >>> from sevenout.rolling import comparison, designs
    >>> effects = comparison(designs(), Fraction(1, 10))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     heat_map(Path(folder) / "heat.svg", effects).stat().st_size > 10_000
    True

    Args:
        path: the file to write; .svg, .pdf or .png.
        effects: the designs, from `comparison`.

    Raises:
        RulesError: another kind of file, one that can't be written, or no designs.
    """
    path = _image_path(path, "heat map", ".svg", ".pdf", ".png")
    if not effects:
        raise RulesError("no designs to draw; give one or more")
    results = sorted({result for effect in effects for result in effect.sensitivity.law})
    rows = _in_rows([_panel_width(effect) for effect in effects], PANEL_COLUMNS)
    with saved_figure(path, 11.5, 3.2 * len(rows) + 0.4) as figure:
        panels = figure.add_gridspec(
            len(rows),
            PANEL_COLUMNS,
            left=0.04,
            right=0.9,
            top=0.94,
            bottom=0.06,
            wspace=0,
            hspace=0.3,
        )
        for i, row in enumerate(rows):
            column = 0
            for k in row:
                width = _panel_width(effects[k])
                image = _draw_panel(
                    figure.add_subplot(panels[i, column : column + width - 2]), effects[k], results
                )
                column += width
        bar = figure.colorbar(image, cax=figure.add_axes((0.925, 0.2, 0.012, 0.6)))
        bar.set_label("change of the result, per change of the face", fontsize=8)
        bar.ax.tick_params(labelsize=7)
    return path


PANEL_COLUMNS = 46
"""Columns in a row of panels."""


def _panel_width(effect: FaultEffect) -> int:
    return max(len(effect.sensitivity.faces), 12) + 2


def _in_rows(widths: Sequence[int], max_columns: int) -> list[list[int]]:
    """The indices of panels of these widths, broken into rows of `max_columns`."""
    rows: list[list[int]] = [[]]
    for k, width in enumerate(widths):
        if rows[-1] and sum(widths[j] for j in rows[-1]) + width > max_columns:
            rows.append([])
        rows[-1].append(k)
    return rows


def _draw_panel(axis: Any, effect: FaultEffect, results: Sequence[Any]) -> Any:
    """Draw the heat map of an effect: a row for each result, a column for each face."""
    import numpy as np

    sensitivity = effect.sensitivity
    shown = np.full((len(results), len(sensitivity.faces)), np.nan)
    for (result, p), row in zip(sensitivity.law.items(), sensitivity.matrix, strict=True):
        shown[results.index(result)] = [float(x / p) for x in row]
    image = axis.imshow(shown, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    axis.set_title(effect.name, fontsize=9)
    axis.set_yticks(range(len(results)), [str(result) for result in results], fontsize=7)
    labels = _face_texts(getattr(face, "value", face) for face in sensitivity.face_values)
    axis.set_xticks(range(len(labels)), labels, fontsize=6)
    axis.set_facecolor("#c8c8c8")
    dice = [die for die, _ in sensitivity.faces]
    for k in range(1, len(dice)):
        if dice[k] != dice[k - 1]:
            axis.axvline(k - 0.5, color="black", linewidth=1)
    axis.set_xlabel("the faces of its dice", fontsize=7)
    return image


# --- image files --------------------------------------------------------------------------------


def _image_path(path: str | Path, picture: str, *suffixes: str) -> Path:
    """The path of a picture, which must end in one of these suffixes.

    Raises:
        RulesError: it ends in another.
    """
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        endings = f"{word_list(suffixes, 'or')}; give the {picture} one of these endings"
        raise RulesError(f"{path.name!r} doesn't end in {endings}")
    return path


@contextmanager
def saved_figure(path: Path, width: float, height: float) -> Iterator[Any]:
    """A matplotlib figure of this size in inches, saved on exit.

    Raises:
        MissingError: matplotlib is not installed.
        FileError: the file can't be written.
    """
    require("matplotlib", "plots")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # settings of the user's own matplotlib must not change the bytes
    plain: Any = {"svg.hashsalt": "sevenout", "font.family": "DejaVu Sans", "savefig.dpi": 150}
    with rc_context(plain):
        figure = Figure(figsize=(width, height))
        yield figure
        content = picture_bytes(figure, path.suffix[1:].lower())
    write(path, content)
