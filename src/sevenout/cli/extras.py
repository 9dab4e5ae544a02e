"""What some commands do with the answer of their question besides printing it: pictures, files."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from sevenout.cli.options import Plot


def best(
    found: Any, *, plot: Plot | None = None, picture: Literal["policy", "margins"] = "policy"
) -> None:
    """A picture of best play.

    Parameters
    ----------
    plot
        Save a picture to this file: .png, .svg or .pdf.
    picture
        Which: what to do by state, or what the wrong move costs.
    """
    if plot is None:
        return
    from sevenout.errors import RulesError
    from sevenout.report.pictures import decisions
    from sevenout.report.pictures.style import save
    from sevenout.rules import ByTurns

    (optimum,) = found.results
    if isinstance(getattr(optimum, "game", None), ByTurns):
        raise RulesError("--plot: a game of turns has no such picture; leave it out")
    draw = {"policy": decisions.policy_map, "margins": decisions.margin_map}[picture]
    save(draw(optimum), plot)


EXTRAS: Mapping[str, Callable[..., None]] = {"best": best}
"""By the name of a question, what its command takes and does besides."""
