"""Counters of money: they go down as well as up, and by fractions."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.rules import counted


class Purse(so.Game):
    """Pay 7/6 to roll again; a 4 brings 5/3, a 5 or 6 costs 2."""

    dice, start = so.d6, "on"

    def step(self, state, face):
        if face < 4:
            return counted("on", money="-7/6")
        return counted(so.win(), money="5/3") if face == 4 else counted(so.lose(), money=-2)


MEAN = Fraction(-7, 6) + Fraction(1, 3) * Fraction(5, 3) + Fraction(2, 3) * -2


@pytest.mark.parametrize("method", ["elimination", "lifting", "certified"])
def test_the_mean_of_money(method):
    solution = so.solve(Purse(), method)
    assert abs(solution.mean("money") - MEAN) <= solution.rolls_bound * 2


def test_money_is_simulated():
    games = 400_000
    tally = so.simulate(Purse(), games, seed=3)
    # the standard deviation of a game's money is below 4: six of its errors, 2e-9 of false alarms
    assert abs(tally.counters["money"] / games - MEAN) < 6 * 4 / games**0.5


def test_the_distribution_of_money():
    money = so.solve(Purse()).distribution("money")
    assert money.mean == MEAN
    assert abs(sum(x * p for x, p in money.row.items()) - MEAN) <= 1000 * money.bound


@pytest.mark.parametrize("rolls", [3, 60])
def test_the_distribution_of_money_has_a_page(rolls):
    class Walk(so.Game):
        dice, start = so.d6, 0

        def step(self, n, face):
            money = 1 if face > 3 else -1
            return counted(n + 1, money=money) if n < rolls else counted(so.win(), money=money)

    page = str(so.solve(Walk()).distribution("money").page())
    assert "quantile at 1/2" in page
    assert ("likeliest amounts" in page) == (rolls > 40)  # more rows are left out
