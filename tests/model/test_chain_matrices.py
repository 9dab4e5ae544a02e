"""The matrices of a chain, held against the engine that solves it another way."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from tests.conftest import point_games
from tests.model.test_export import Tosses

import sevenout as so
from sevenout.errors import TooMuchWorkError
from sevenout.model import chain_of, matrices
from sevenout.model.chain_matrices import ChainMatrices
from sevenout.rolling import Roll
from sevenout.rules import PointGame


@given(point_games())
def test_the_fundamental_matrix_says_what_solving_says(game: PointGame) -> None:
    parts, solution = matrices(chain_of(game)), so.solve(game)
    assert parts.rolls[0] == solution.mean_rolls
    outcomes = solution.chain.outcomes
    for outcome, name, p in zip(outcomes, parts.ends, parts.absorption[0], strict=True):
        assert name == outcome.label
        assert p == solution.outcomes[outcome]


@given(point_games())
def test_each_row_of_steps_is_a_distribution(game: PointGame) -> None:
    parts = matrices(chain_of(game))
    for row, ends in zip(parts.steps, parts.end_steps, strict=True):
        assert sum(row) + sum(ends) == 1


def test_the_program_for_numpy_computes_the_same(craps: PointGame) -> None:
    parts = matrices(chain_of(craps))
    names: dict[str, Any] = {}
    exec(parts.numpy(), names)
    assert names["rolls"] == pytest.approx([float(x) for x in parts.rolls])
    assert names["B"][0] == pytest.approx([2 / 9, 1 / 9, 134 / 495, 196 / 495])
    assert len(names["states"]) == 7


def test_fractions_and_latex_show_the_known_figures(craps: PointGame) -> None:
    parts = matrices(chain_of(craps))
    rows = [line.split() for line in str(parts).splitlines()]
    assert ["come-out", "557/165"] in rows
    assert ["come-out", "2/9", "1/9", "134/495", "196/495"] in rows
    assert parts.to_dict()["NR"][0] == ["2/9", "1/9", "134/495", "196/495"]
    text = parts.latex()
    assert text.count(r"\begin{pmatrix}") == text.count(r"\end{pmatrix}") == 4
    assert r"\tfrac{134}{495}" in text


def test_data_and_page_have_every_matrix() -> None:
    coin = ChainMatrices(("tails",), ("heads",), ((Fraction(1, 3),),), ((Fraction(2, 3),),))
    assert coin.to_dict() == {
        "states": ["tails"],
        "ends": ["heads"],
        "Q": [["1/3"]],
        "R": [["2/3"]],
        "N": [["3/2"]],
        "NR": [["1"]],
    }
    assert str(coin).count("\nfrom ") == 5
    captions = [block.caption for block in coin.page().blocks]
    assert captions == [
        "Q: probability of each step between states",
        "R: probability of each step to an end",
        "N = (I - Q)^-1: expected visits to each state",
        "N R: probability of each end",
        "N 1: expected rolls to the end",
    ]


def test_the_matrices_in_latex_and_for_numpy() -> None:
    parts = matrices(chain_of(Tosses()))
    assert repr(parts) == "<ChainMatrices of 2 states, 2 ends>"
    assert parts.latex().splitlines() == [
        "% states: first, second",
        "% ends: won, lost",
        r"\setcounter{MaxMatrixCols}{60}",
        *(r"\[", r"Q = \begin{pmatrix}"),
        *(r"0 & \tfrac{2}{3} \\", r"0 & 0 \\", r"\end{pmatrix}", r"\]"),
        *(r"\[", r"R = \begin{pmatrix}"),
        *(r"\tfrac{1}{3} & 0 \\", r"\tfrac{1}{3} & \tfrac{2}{3} \\", r"\end{pmatrix}", r"\]"),
        *(r"\[", r"N = (I - Q)^{-1} = \begin{pmatrix}"),
        *(r"1 & \tfrac{2}{3} \\", r"0 & 1 \\", r"\end{pmatrix}", r"\]"),
        *(r"\[", r"N R = \begin{pmatrix}"),
        r"\tfrac{5}{9} & \tfrac{4}{9} \\",
        *(r"\tfrac{1}{3} & \tfrac{2}{3} \\", r"\end{pmatrix}", r"\]"),
    ]
    assert parts.numpy().splitlines() == [
        "import numpy as np",
        "",
        "states = ['first', 'second']",
        "ends = ['won', 'lost']",
        "Q = np.array([[0, 2/3],",
        "              [0, 0]])",
        "R = np.array([[1/3, 0],",
        "              [1/3, 2/3]])",
        "N = np.linalg.inv(np.eye(len(Q)) - Q)  # expected visits",
        "rolls = N.sum(axis=1)  # expected rolls from each state",
        "B = N @ R  # probability of each end from each state",
    ]


def test_a_chain_too_wide_to_print_is_refused() -> None:
    with pytest.raises(TooMuchWorkError, match="81 states are too many for a matrix"):
        matrices(chain_of(so.games["chutes-and-ladders"]))


def test_a_ruin_of_three_coins() -> None:
    """p = 1/2 from 1 of 4: ruined with 3/4 after 3 flips on average (de Moivre, 1711)."""

    class Ruin(so.Game):
        dice, start = so.dice("d2"), 1

        def step(self, money: int, roll: Roll) -> Any:
            money += 1 if roll.total == 2 else -1
            if money in (0, 4):
                return so.settle("ruined" if money == 0 else "won", {"player": 0})
            return money

    parts = matrices(chain_of(Ruin()))
    assert parts.rolls[0] == 3
    assert parts.absorption[0][parts.ends.index("ruined")] == Fraction(3, 4)
