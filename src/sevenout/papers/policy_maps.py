"""Pictures of optimal play: the best move in each state, and the cost of the cheapest mistake.

States with two numbers are a map; with three, slices of one (Pig's surface, as in Neller and
Presser 2004); with one, a curve for each option.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.extras import require
from sevenout.papers.picture_style import CYCLE, GREY, canvas, escaped, paper_style, whole_axis
from sevenout.solving import Optimum
from sevenout.solving.strategy_card import Regions, Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SLICES = 4
"""The maps of states with three numbers."""
PALE = "#ececec"
"""In the legend; on the map each colour has its own paler one."""
MIN_COST = 1e-6
"""Smaller costs have the same colour: on a logarithmic scale those near 0 would take all of it."""


def policy_map(optimum: Optimum) -> "Figure":
    """The best option by state; paler if optimal play never reaches the state.

    >>> from sevenout.solving.optimal_play import best
    >>> from sevenout.catalogue import games
    >>> len(policy_map(best(games("pig", goal=12))).axes)
    4

    Raises:
        PageError: the states are not numbers.
    """
    require("matplotlib", "plots")
    view = _StateCoordinates(optimum)
    if not view.others:
        return _curves(view, show_costs=False)
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    options = list(dict.fromkeys(o for menu in optimum.model.menus for o in menu))
    reachable = optimum.reachable_states
    colours = [colour for o in range(len(options)) for colour in _with_paler(CYCLE[o % len(CYCLE)])]
    tie = len(colours)
    colours += list(_with_paler(GREY))

    def shade(state: Any) -> float:
        best_options = optimum.optimal_options(state)
        shade = tie if len(best_options) > 1 else 2 * options.index(next(iter(best_options)))
        return shade + (state not in reachable)

    with paper_style():
        figure, drawn = _panels(view, shade, ListedColormap(colours), (-0.5, len(colours) - 0.5))
        shown = {int(value) // 2 for value in drawn}
        patches = [
            Patch(color=colours[2 * k], label=escaped([*options, "equally good"][k]))
            for k in sorted(shown)
        ]
        if any(int(value) % 2 for value in drawn):
            patches.append(Patch(color=PALE, label="paler: never met"))
        figure.legend(handles=patches, loc="outside lower center", ncols=len(patches))
        return figure


def margin_map(optimum: Optimum) -> "Figure":
    """The cost of the cheapest mistake, by state; white if no option is a mistake.

    Raises:
        PageError: the states are not numbers.
    """
    require("matplotlib", "plots")
    view = _StateCoordinates(optimum)
    if not view.others:
        return _curves(view, show_costs=True)
    from math import log10

    from matplotlib.ticker import FuncFormatter

    def log_cost(state: Any) -> float | None:
        mistake = optimum.least_mistake(state)
        return None if mistake is None else log10(max(mistake, MIN_COST))

    with paper_style():
        figure, drawn = _panels(view, log_cost, "viridis", None)
        if not drawn:
            raise PageError("no choice is ever a mistake, so there are no costs to draw")
        bar = figure.colorbar(figure.axes[-1].collections[0], ax=figure.axes, shrink=0.9)
        bar.set_label("cost of the wrong move")
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{10**x:.2g}"))
        return figure


class _StateCoordinates:
    """The states of an optimum as coordinates.

    Attributes:
        axis: the vertical coordinate: the one decided about.
        others: the other coordinates: the last is horizontal, one before it gives the slices.
    """

    def __init__(self, optimum: Optimum) -> None:
        self.optimum = optimum
        if optimum.model.views:
            raise PageError("a mixed policy has no picture; see its page or its data")
        parts = [part for _, part in optimum.card.parts if isinstance(part, Regions)]
        part = max(parts, key=lambda part: part.size, default=None)
        model = optimum.model
        states = [model.states[s] for s in model.decisions if len(model.menus[s]) > 1]
        shape = Shape.of(states, optimum.model.coordinates) if states else None
        if shape is None or part is None or not all(shape.numeric):
            raise PageError("no picture: the decision states are not numbers")
        self.shape = shape
        self.coordinates = {state: shape.coordinates(state) for state in states}
        varies = [
            k for k in range(len(shape.paths)) if len({p[k] for p in self.coordinates.values()}) > 1
        ]
        if not 1 <= len(varies) <= 3:
            raise PageError(f"no picture: a state has {len(varies)} numbers; pictures show 1 to 3")
        self.axis = part.axis if part.axis in varies else varies[-1]
        self.others = [k for k in varies if k != self.axis]

    def name(self, k: int) -> str:
        return escaped(self.shape.names[k] or "state")


def _with_paler(colour: str) -> tuple[str, tuple[float, float, float]]:
    """A colour and its paler variant."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1 - 0.3 * (1 - x) for x in to_rgb(colour))
    return colour, (red, green, blue)


def _panels(
    view: _StateCoordinates, shade_of: Any, colours: Any, limits: tuple[float, float] | None
) -> "tuple[Figure, set[float]]":
    """A map, or its slices side by side; and the values drawn."""
    horizontal, vertical = view.others[-1 if len(view.others) == 1 else 0], view.axis
    slices: Sequence[Any] = [None]
    if len(view.others) == 2:
        values = sorted({point[view.others[1]] for point in view.coordinates.values()})
        slices = [values[i * len(values) // SLICES] for i in range(SLICES)]
        # there may be fewer values than slices
        slices = list(dict.fromkeys(slices))
    shades_by_slice: dict[Any, dict[tuple[Any, Any], float]] = {key: {} for key in slices}
    for state, point in view.coordinates.items():
        key = point[view.others[1]] if len(view.others) == 2 else None
        if key in shades_by_slice and (shade := shade_of(state)) is not None:
            shades_by_slice[key][point[horizontal], point[vertical]] = shade
    drawn = {shade for cells in shades_by_slice.values() for shade in cells.values()}
    if limits is None and drawn:
        limits = (min(drawn), max(drawn))
    with canvas(len(slices), height=2.9, grid=False) as (figure, axes):
        panels: list[Axes] = list(axes) if len(slices) > 1 else [axes]
    for i, (panel, key) in enumerate(zip(panels, slices, strict=True)):
        _cells(panel, shades_by_slice[key], colours, limits)
        panel.set_xlabel(view.name(horizontal))
        if i == 0:
            panel.set_ylabel(view.name(vertical))
        else:
            panel.sharey(panels[0])
            panel.tick_params(labelleft=False)
        if key is not None:
            panel.set_title(f"{view.name(view.others[1])} {key}")
    return figure, drawn


def _cells(axes: "Axes", cells: dict[tuple[Any, Any], float], colours: Any, limits: Any) -> None:
    import numpy as np

    xs = [float(x) for x, _ in cells] or [0.0]
    ys = [float(y) for _, y in cells] or [0.0]
    left, low = min(xs), min(ys)
    step_x, step_y = _spacing(xs), _spacing(ys)
    columns, rows = round((max(xs) - left) / step_x) + 1, round((max(ys) - low) / step_y) + 1
    grid = np.full((rows, columns), np.nan)
    for (x, y), shade in cells.items():
        grid[round((float(y) - low) / step_y), round((float(x) - left) / step_x)] = shade
    lowest, highest = limits or (None, None)
    axes.pcolormesh(
        left + step_x * (np.arange(columns + 1) - 0.5),
        low + step_y * (np.arange(rows + 1) - 0.5),
        grid,
        cmap=colours,
        vmin=lowest,
        vmax=highest,
        rasterized=True,
    )
    for axis, values in ((axes.xaxis, xs), (axes.yaxis, ys)):
        if all(value.is_integer() for value in values):
            whole_axis(axis)


def _spacing(values: list[float]) -> float:
    ordered = sorted(set(values))
    gaps = [b - a for a, b in pairwise(ordered)]
    return min(gaps, default=1.0)


def _curves(view: _StateCoordinates, show_costs: bool) -> "Figure":
    """The expected value or the cost of each option along one coordinate, for reachable states."""
    optimum = view.optimum
    states = sorted(
        (state for state in view.coordinates if state in optimum.reachable_states),
        key=lambda state: view.coordinates[state][view.axis],
    )
    curves: dict[str, list[tuple[float, float]]] = {}
    for state in states:
        for option in optimum.options(state):
            x = float(view.coordinates[state][view.axis])
            y = float(option.margin if show_costs else option.value)
            curves.setdefault(option.name, []).append((x, y))
    with canvas(height=2.6) as (figure, axes):
        for i, (name, points) in enumerate(curves.items()):
            colour = CYCLE[i % len(CYCLE)]
            axes.plot(*zip(*points, strict=True), marker=".", color=colour, label=escaped(name))
        if all(x.is_integer() for points in curves.values() for x, _ in points):
            whole_axis(axes.xaxis)
        axes.set_xlabel(view.name(view.axis))
        aim = optimum.goal.description.removeprefix("the ")
        axes.set_ylabel("costs" if show_costs else escaped(aim))
        axes.legend()
        return figure
