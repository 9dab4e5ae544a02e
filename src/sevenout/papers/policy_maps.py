"""Pictures of optimal play: the best move in each state, and the cost of the cheapest mistake.

States with two numbers are a map; with three, slices of one (Pig's surface, as in Neller and
Presser 2004); with one, a curve for each option.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.extras import require
from sevenout.papers.picture_style import CYCLE, GREY, canvas, escaped, paper_style, whole_axis
from sevenout.solving import Optimum
from sevenout.solving.strategy_card import Regions, Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

Shades = dict[tuple[Any, Any], float]
"""The shade of each (horizontal, vertical) coordinate of a map, on the scale of its colours."""
SLICES = 4
"""The most maps of states with three numbers: each is of one value of the third."""
PALE = "#ececec"
"""The colour of unreachable states in the legend; on the map each colour has its own paler one."""
MIN_COST = 1e-6
"""Smaller costs have the same colour: on a logarithmic scale those near 0 would take all of it."""


def policy_map(optimum: Optimum) -> "Figure":
    """A map of the best option by state; paler if optimal play never reaches the state.

    >>> from sevenout.solving.optimal_play import best
    >>> from sevenout.catalogue import games
    >>> len(policy_map(best(games("pig", goal=12))).axes)
    4

    Raises:
        PageError: the states are not numbers.
    """
    view = _StateCoordinates(optimum)
    if not view.others:
        return _curves(view, show_costs=False)
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    options = list(dict.fromkeys(o for menu in optimum.model.menus for o in menu))
    reachable = optimum.reachable_states
    labels = [*options, "equally good"]
    base_colours = [*(CYCLE[k % len(CYCLE)] for k in range(len(options))), GREY]
    # label k has the colours 2 k, and 2 k + 1 where play never comes
    colours = [colour for base in base_colours for colour in _with_paler(base)]

    def colour_index(state: Hashable) -> float:
        best_options = optimum.optimal_options(state)
        is_tie = len(best_options) > 1
        label = len(options) if is_tie else options.index(next(iter(best_options)))
        return 2 * label + (state not in reachable)

    with paper_style():
        limits = (-0.5, len(colours) - 0.5)
        figure, shades = _panels(view, colour_index, ListedColormap(colours), limits)
        patches = [
            Patch(color=colours[2 * k], label=escaped(labels[k]))
            for k in sorted({int(shade) // 2 for shade in shades})
        ]
        if any(int(shade) % 2 for shade in shades):
            patches.append(Patch(color=PALE, label="paler: never met"))
        figure.legend(handles=patches, loc="outside lower center", ncols=len(patches))
        return figure


def cost_map(optimum: Optimum) -> "Figure":
    """A map of the cost of the cheapest mistake by state; white if no option is a mistake.

    Raises:
        PageError: the states are not numbers.
    """
    view = _StateCoordinates(optimum)
    if not view.others:
        return _curves(view, show_costs=True)
    from math import log10

    from matplotlib.ticker import FuncFormatter

    def log_cost(state: Hashable) -> float | None:
        mistake = optimum.least_mistake(state)
        return None if mistake is None else log10(max(mistake, MIN_COST))

    with paper_style():
        figure, shades = _panels(view, log_cost, "viridis", None)
        if not shades:
            raise PageError("no choice is ever a mistake, so there are no costs to draw")
        bar = figure.colorbar(figure.axes[-1].collections[0], ax=figure.axes, shrink=0.9)
        bar.set_label("cost of the wrong move")
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{10**x:.2g}"))
        return figure


class _StateCoordinates:
    """The decision states of an optimum as points: one coordinate for each of their numbers.

    Attributes:
        optimum: the optimum.
        shape: how a state becomes coordinates, and their names.
        coordinates: the coordinates of each state with a choice.
        axis: the index of the vertical coordinate, along which the best option changes; it is
            horizontal if it is the only one.
        others: the indices of the other coordinates that vary: the first is horizontal, a second
            gives the slices.
    """

    def __init__(self, optimum: Optimum) -> None:
        require("matplotlib", "plots")
        self.optimum = optimum
        if optimum.model.views:
            raise PageError("a mixed policy has no picture; see its page or its data")
        parts = [part for _, part in optimum.card.parts if isinstance(part, Regions)]
        part = max(parts, key=lambda part: part.size, default=None)
        model = optimum.model
        states = [model.states[s] for s in model.decisions if len(model.menus[s]) > 1]
        shape = Shape.of(states, model.coordinates) if states else None
        if shape is None or part is None or not all(shape.numeric):
            raise PageError("no picture: the decision states are not numbers")
        self.shape = shape
        self.coordinates = {state: shape.coordinates(state) for state in states}
        columns = list(zip(*self.coordinates.values(), strict=True))
        varying = [k for k, column in enumerate(columns) if len(set(column)) > 1]
        if not 1 <= len(varying) <= 3:
            raise PageError(f"no picture: a state has {len(varying)} numbers; pictures show 1 to 3")
        self.axis = part.axis if part.axis in varying else varying[-1]
        self.others = [k for k in varying if k != self.axis]

    def name(self, k: int) -> str:
        """The label of a coordinate."""
        return escaped(self.shape.names[k] or "state")


def _with_paler(colour: str) -> tuple[str, tuple[float, float, float]]:
    """A colour, and the paler one of the same option."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1 - 0.3 * (1 - x) for x in to_rgb(colour))
    return colour, (red, green, blue)


def _panels(
    view: _StateCoordinates,
    shade_of: Callable[[Hashable], float | None],
    colours: "Colormap | str",
    limits: tuple[float, float] | None,
) -> "tuple[Figure, set[float]]":
    """A map, or slices side by side; and the shades drawn.

    Args:
        view: the states, with two or three coordinates that vary.
        shade_of: the shade of a state; None leaves it white.
        colours: the colour map.
        limits: the shades of its first and last colour; those drawn by default.
    """
    horizontal, vertical = view.others[0], view.axis
    sliced = view.others[1] if len(view.others) == 2 else None
    slices: Sequence[Any] = [None]
    if sliced is not None:
        values = sorted({point[sliced] for point in view.coordinates.values()})
        slices = [values[i * len(values) // SLICES] for i in range(SLICES)]
        # there may be fewer values than slices
        slices = list(dict.fromkeys(slices))
    shades_by_slice: dict[Any, Shades] = {key: {} for key in slices}
    for state, point in view.coordinates.items():
        key = None if sliced is None else point[sliced]
        if key in shades_by_slice and (shade := shade_of(state)) is not None:
            shades_by_slice[key][point[horizontal], point[vertical]] = shade
    shades = {shade for cells in shades_by_slice.values() for shade in cells.values()}
    if limits is None and shades:
        limits = (min(shades), max(shades))
    with canvas(len(slices), height=2.9, grid=False) as (figure, axes):
        panels: list[Axes] = list(axes) if len(slices) > 1 else [axes]
    for i, (panel, key) in enumerate(zip(panels, slices, strict=True)):
        _draw_map(panel, shades_by_slice[key], colours, limits)
        panel.set_xlabel(view.name(horizontal))
        if i == 0:
            panel.set_ylabel(view.name(vertical))
        else:
            panel.sharey(panels[0])
            panel.tick_params(labelleft=False)
        if sliced is not None:
            panel.set_title(f"{view.name(sliced)} {key}")
    return figure, shades


def _draw_map(
    axes: "Axes",
    cells: Shades,
    colours: "Colormap | str",
    limits: tuple[float, float] | None,
) -> None:
    """Draw one map: a cell for each coordinate, white where it has no shade."""
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
    """The least distance between different values; 1 if there is only one."""
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
            y = float(option.cost if show_costs else option.value)
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
