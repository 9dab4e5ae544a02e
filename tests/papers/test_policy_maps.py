"""The pictures of optimal play."""

import numpy as np
import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.documents import PageError
from sevenout.papers.picture_style import render
from sevenout.papers.policy_maps import cost_map, policy_map


def colours(axes):
    """The cells of a map: by (x, y), their value."""
    (mesh,) = axes.collections
    grid = np.ma.filled(mesh.get_array(), np.nan)
    corners = mesh.get_coordinates()
    return {
        (round(corners[j, i, 0] + 0.5), round(corners[j, i, 1] + 0.5)): grid[j, i]
        for j in range(grid.shape[0])
        for i in range(grid.shape[1])
        if not np.isnan(grid[j, i])
    }


def test_a_map_of_solitaire_pig_says_what_is_best():
    best = so.best(games("pig-solitaire", goal=40), least="turns")
    cells = colours(policy_map(best).axes[0])
    options = ["roll", "hold"]
    assert cells.keys() == best.policy.keys()
    for state, shade in cells.items():
        good = best.optimal_options(state)
        assert shade // 2 in ([2] if len(good) > 1 else [options.index(*good)])
        assert bool(shade % 2) == (state not in best.reachable_states)


def test_slices_of_pig():
    best = so.best(games("pig", goal=20))
    figure = policy_map(best)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "yours 0",
        "yours 5",
        "yours 10",
        "yours 15",
    ]
    assert figure.axes[0].get_xlabel() == "mine"
    assert figure.axes[0].get_ylabel() == "turn"
    assert set(colours(figure.axes[1])) == {
        (mine, turn) for mine, yours, turn in best.policy if yours == 5
    }


def test_margins_are_drawn_as_they_are():
    best = so.best(games("pig", goal=20))
    for axes, yours in zip(cost_map(best).axes, (0, 5, 10, 15), strict=False):
        for (mine, turn), shade in colours(axes).items():
            cost = float(best.options((mine, yours, turn))[1].cost)
            assert 10**shade == pytest.approx(max(cost, 1e-6), rel=1e-9)


def test_one_number_is_a_curve_for_each_option():
    best = so.best(games("pig-turn"))
    for figure, figures in ((policy_map(best), "value"), (cost_map(best), "cost")):
        (axes,) = figure.axes
        for line in axes.lines:
            for x, y in zip(*line.get_data(), strict=True):
                option = next(o for o in best.options(int(x)) if o.name == line.get_label())
                assert y == float(getattr(option, figures))


def test_states_that_are_no_numbers_have_no_picture():
    best = so.best(games("shut-the-box-6"), "shut")
    with pytest.raises(PageError, match="no picture"):
        policy_map(best)


def test_the_same_bytes_each_time():
    best = so.best(games("pig-solitaire", goal=20), least="turns")
    assert render(policy_map(best), "svg") == render(policy_map(best), "svg")
