"""Strategies side by side: what is at risk, what an hour costs, and ruin, of each."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from tests.evenings.by_hand_evening import WAYS, Evening

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.evenings import Plan, evening
from sevenout.evenings.evening_result import SideBySide

MOLLY = strategies("three-point-molly", amount=5)
ALWAYS = (
    *("ends by ruin", "least bet", "most at risk at once", "handle per hour"),
    "expected loss per hour",
)


def at_risk(strategy, bankroll, rolls, **how):
    """The most and the least that lies on the felt, and on a flat bet, before any roll."""
    most, least = 0, 10**9
    for totals in product(WAYS, repeat=rolls - 1):
        played = Evening(strategy, bankroll, **how)
        for total in (*totals, None):
            felt = played.felt
            most = max(most, sum(felt.values()) + sum(played.box.values()))
            flat = [amount for bet, amount in felt.items() if not bet.endswith("odds")]
            least = min(least, *flat, 10**9)
            if total is None or played.end is not None:
                break
            played.roll(total)
    return most, least


@pytest.mark.parametrize(
    ("strategy", "bankroll", "house"),
    [
        (MOLLY, 1000, {}),
        (MOLLY, 40, {}),
        (strategies["iron-cross"], 30, {}),
        (strategies["three-point-dolly"], 30, {}),
        (strategies["pass-any-craps"], 30, {"vig": "up front"}),
    ],
)
def test_what_is_at_risk_is_as_by_hand(strategy, bankroll, house):
    plan = Plan.of(strategy, bankroll, rolls=4, house=House(**house))
    most, least = at_risk(strategy, bankroll, 4)
    exact = plan.solve()
    assert (exact.most_at_risk, exact.least_bet) == (most, least)
    from tests.evenings.by_lattice import by_lattice

    near = by_lattice(plan)
    assert (near.most_at_risk, near.least_bet) == (most, least)


def test_a_commission_is_at_risk_too():
    from tests.evenings.test_commission import Each

    house = House(vig="up front", working=True)
    ended = evening(Each("buy 4", 20), 100, rolls=3, house=house)
    assert (ended.most_at_risk, ended.least_bet) == (21, 20)


def test_an_hour_is_so_many_rolls_and_costs_the_edge_of_what_is_bet_in_it():
    for pace in (50, 100):
        ended = evening("pass", 1000, rolls=200, pace=pace, standing="out")
        hours = ended.mean_rolls / pace
        assert ended.handle_per_hour == ended.handle / hours
        assert ended.loss_per_hour == -ended.mean / hours
        assert float(ended.loss_per_hour / ended.handle_per_hour) == pytest.approx(7 / 495)
        assert ended.to_dict()["loss_per_hour"] == pytest.approx(float(ended.loss_per_hour))


def test_every_comparison_says_all_that_it_takes_to_compare():
    names = ("pass", "three-point-molly", "iron-cross")
    both = SideBySide(tuple(evening(name, 60, rolls=30) for name in names))
    (table,) = (block for block in both.page().blocks if hasattr(block, "rows"))
    rows = {row[0]: row[1:] for row in table.rows}
    for what in ALWAYS:
        assert None not in rows[what]
        assert "" not in rows[what]
    assert list(map(str, rows["least bet"])) == ["1", "1", "5"]


def test_ruin_is_said_where_nobody_is_ruined():
    rich = evening("pass", 300, rolls=4)
    assert rich.ruin == 0
    assert "ends by ruin" in str(rich)
    assert "ruin" in str(SideBySide((rich, replace(rich, name="again"))))


def test_tables_that_differ_are_called_so():
    def said(*results):
        return " ".join(str(SideBySide(results)).split())

    molly, cross = (evening(s, 300, rolls=4) for s in ("three-point-molly", "iron-cross"))
    alike = Plan.of(MOLLY, 300, rolls=4, name="Molly").solve()
    assert "The least bets differ: 1, 5." in said(molly, cross)
    assert "differ" not in said(alike, cross)
    assert alike.least_bet == cross.least_bet == Fraction(5)
