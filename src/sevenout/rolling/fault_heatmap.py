"""A heat map of faults: results against faces, one panel for each design."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sevenout.errors import RulesError
from sevenout.rolling.image_files import drawn
from sevenout.rolling.sevenless import FaultEffect


def heat_map(path: str | Path, compared: Sequence[FaultEffect]) -> Path:
    """Draw the relative change of each result's probability as one face is heavier.

    >>> import tempfile
    >>> from fractions import Fraction
    >>> from sevenout.rolling import comparison, designs
    >>> found = comparison(designs(), Fraction(1, 10))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     heat_map(Path(folder) / "heat.svg", found).stat().st_size > 10_000
    True

    Args:
        path: the file to write; .svg, .pdf or .png.
        compared: the designs, from `comparison`.

    Raises:
        RulesError: another kind of file, one that can't be written, or no designs.
    """
    path = Path(path)
    if path.suffix not in (".svg", ".pdf", ".png"):
        raise RulesError(
            f"{path.name!r} doesn't end in .svg, .pdf or .png; give the heat map one of these "
            "endings"
        )
    if not compared:
        raise RulesError("no designs to draw; give one or more")
    results = sorted({result for one in compared for result in one.sensitivity.law})
    rows = _in_rows([_width(one) for one in compared], WIDTH)
    with drawn(path, 11.5, 3.2 * len(rows) + 0.4) as figure:
        spots = figure.add_gridspec(
            len(rows), WIDTH, left=0.04, right=0.9, top=0.94, bottom=0.06, wspace=0, hspace=0.3
        )
        for i, row in enumerate(rows):
            place = 0
            for k in row:
                width = _width(compared[k])
                image = _panel(
                    figure.add_subplot(spots[i, place : place + width - 2]), compared[k], results
                )
                place += width
        bar = figure.colorbar(image, cax=figure.add_axes((0.925, 0.2, 0.012, 0.6)))
        bar.set_label("change of the result, per change of the face", fontsize=8)
        bar.ax.tick_params(labelsize=7)
    return path


WIDTH = 46
"""Columns in a row of panels."""


def _width(one: FaultEffect) -> int:
    return max(len(one.sensitivity.faces), 12) + 2


def _in_rows(widths: Sequence[int], most: int) -> list[list[int]]:
    rows: list[list[int]] = [[]]
    for k, width in enumerate(widths):
        if rows[-1] and sum(widths[j] for j in rows[-1]) + width > most:
            rows.append([])
        rows[-1].append(k)
    return rows


def _panel(axis: Any, one: FaultEffect, results: Sequence[Any]) -> Any:
    import numpy as np

    found = one.sensitivity
    shown = np.full((len(results), len(found.faces)), np.nan)
    for (result, p), row in zip(found.law.items(), found.matrix, strict=True):
        shown[results.index(result)] = [float(x / p) for x in row]
    image = axis.imshow(shown, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    axis.set_title(one.name, fontsize=9)
    axis.set_yticks(range(len(results)), [str(result) for result in results], fontsize=7)
    painted = [getattr(face, "value", face) for face in found.painted]
    labels = ["–" if face is None else str(face) for face in painted]
    axis.set_xticks(range(len(labels)), labels, fontsize=6)
    axis.set_facecolor("#c8c8c8")
    dice = [die for die, _ in found.faces]
    for k in range(1, len(dice)):
        if dice[k] != dice[k - 1]:
            axis.axvline(k - 0.5, color="black", linewidth=1)
    axis.set_xlabel("the faces of its dice", fontsize=7)
    return image
