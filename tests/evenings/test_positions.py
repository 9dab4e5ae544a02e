"""Positions that differ only in mirrored numbers are merged, and nothing that they pay changes."""

from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.positions import FinalBets, _common_divisor
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.felt import NOTHING

COME = """
[[bet]]
on = "pass"
amount = 1
[[bet]]
on = "come"
amount = 2
below = 2
"""


def by_name(plan, rolls):
    """The distribution of money after these rolls, every position under its own name."""
    found, now, ways = plan._explored(mirrored=False), {}, plan.bettor.felt.roll_count
    now[found.first_position] = 1
    for n in range(1, rolls + 1):
        then = {}
        for (row, money), weight in now.items():
            if row < 0:
                then[row, money] = then.get((row, money), 0) + weight * ways
                continue
            for step in found.steps_at(row, money):
                to = found.follow(step, money, last=n == rolls)
                then[to] = then.get(to, 0) + weight * step.weight
        now = then
    law = {}
    for (_, money), weight in now.items():
        law[money] = law.get(money, 0) + weight
    return law


@pytest.mark.parametrize(
    ("line", "when", "crapless"),
    [
        ("field", "point", False),
        ("field", "always", False),
        ("hop 2-2", "point", False),
        ("small", "come-out", False),
        ("horn", "point", False),
        ("yo", "point", True),
        ("aces", "always", True),
    ],
)
def test_merging_keeps_the_distribution(line, when, crapless):
    """In five rolls a come bet moves, its point is made, and a new point brings the other bet.

    The position between them must still know whether the come bet is on the 5 or on the 9.
    """
    text = f'{COME}[[bet]]\non = "{line}"\namount = 1\nwhen = "{when}"\n'
    strategy = parse_strategy(text).strategy
    plan = Plan.of(strategy, 60, rolls=5, house=House(crapless=crapless))
    law = by_name(plan, 5)
    assert sum(law.values()) == 36**5
    found = plan.solve().money
    assert sum(abs(found.pmf(money) - Fraction(n, 36**5)) for money, n in law.items()) < 1e-13


class Alike(Strategy):
    mirrored = True

    def __init__(self, bet):
        self.bet = bet

    def wants(self, table):
        return {"pass": 1} if table.point is None else {"come": 1, self.bet: 1}


def test_a_mirrored_strategy_cannot_tell_numbers_apart():
    with pytest.raises(RulesError, match="is mirrored, but bets on 'field', for which 5 and 9"):
        Plan.of(Alike("field"), 30, rolls=5).solve()
    with pytest.raises(RulesError, match="'yo', for which 3 and 11 are different"):
        Plan.of(Alike("yo"), 30, rolls=5, house=House(crapless=True)).solve()
    assert Plan.of(Alike("yo"), 30, rolls=5).solve().money.mean < 30


@given(*[st.fractions(0, 40, max_denominator=60)] * 2)
def test_the_common_divisor_leaves_quotients_without_one(unit, amount):
    divisor = _common_divisor(unit, amount)
    if not divisor:
        assert unit == amount == 0
        return
    quotients = unit / divisor, amount / divisor
    assert all(quotient.denominator == 1 for quotient in quotients)
    assert gcd(*map(int, quotients)) == 1


@pytest.mark.parametrize("name", ["place-6-8", "pass-odds", "pass-any-craps"])
def test_only_the_poor_come_to_positions_of_bets_that_they_could_not_pay_for(name):
    """Every way to play on, from each amount up to 60; a range of money ends below its bound."""
    plan = Plan.of(name, 14, rolls=3)
    positions = plan.positions
    positions.complete()
    felt_money = positions.felt_money(positions.start)
    now = {(positions.start, money) for money in range(felt_money, 61)}
    most: dict[int, int] = {}
    for _ in range(3):
        for row, money in now:
            most[row] = max(money, most.get(row, 0))
        moves = ((step, money) for row, money in now for step in positions.steps_at(row, money))
        now = {to for to in (positions.follow(*move) for move in moves) if to[0] >= 0}
    for row, highest in enumerate(positions.highest_money()):
        assert most[row] > 50 if highest is None else highest == most[row] + 1
    assert set(positions.highest_money()) > {None}


def test_the_point_does_not_matter_where_no_bet_is_played_out():
    assert FinalBets(House(), "down").bets_to_play_out((8, (("place 6", 6),))) == NOTHING
