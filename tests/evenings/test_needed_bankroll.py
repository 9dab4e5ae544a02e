"""The smallest bankroll that lasts: as evening by evening, and as by hand."""

from fractions import Fraction
from itertools import product

import pytest

from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import RulesError
from sevenout.evenings import Plan, bankroll_for
from sevenout.rules.casino.betting import Strategy

ODDS = """
[[bet]]
on = "pass"
amount = 2
odds = 2
"""


class Half(Strategy):
    sees_money = True

    def wants(self, table):
        return {"field": table.money // 2}


DICE = [a + b for a, b in product(range(1, 7), repeat=2)]


def lasts(bankroll, rolls, point=None, unit=1):
    """By hand: the ways in which $1 on the pass line, again and again, lasts so many rolls."""
    if rolls == 0:
        return 1
    if point is None and bankroll < unit:
        return 0
    ways = Fraction(0)
    for total in DICE:
        if point is None:
            won = {7: 1, 11: 1, 2: -1, 3: -1, 12: -1}.get(total)
            then = (bankroll + won, None) if won else (bankroll, total)
        elif total in (7, point):
            then = bankroll + (1 if total == point else -1), None
        else:
            then = bankroll, point
        ways += Fraction(lasts(then[0], rolls - 1, then[1]), 36)
    return ways


def test_it_is_as_by_hand():
    needed = bankroll_for("pass", "99.5%", rolls=4)
    for bankroll in (1, 2, 3):
        # ruin is to want a next bet that can't be paid: none is wanted after the last roll
        assert needed.solvent[bankroll] == pytest.approx(float(lasts(bankroll, 4)), abs=1e-14)
    smallest = min(b for b in range(1, 9) if lasts(b, 4) >= Fraction(995, 1000))
    assert needed.bankroll == smallest


@pytest.mark.parametrize("strategy", ["pass", "iron-cross", "three-point-molly", "odds"])
def test_it_is_as_evening_by_evening(strategy):
    strategy = parse_strategy(ODDS).strategy if strategy == "odds" else strategy
    needed = bankroll_for(strategy, "90%", rolls=60)
    assert 0 < needed.bound < 1e-9
    for bankroll, p in list(needed.solvent.items())[:: max(1, len(needed.solvent) // 12)]:
        result = Plan.of(strategy, bankroll, rolls=60).solve()
        assert abs(1 - float(result.ruin) - p) <= float(result.bound + needed.bound) + 1e-15
    smaller = [p for bankroll, p in needed.solvent.items() if bankroll < needed.bankroll]
    assert max(smaller) < 0.9 <= needed.solvent[needed.bankroll]


def test_its_page_and_its_data():
    needed = bankroll_for("place-6-8", "95%", hours=1)
    page = str(needed)
    assert "smallest bankroll" in page
    assert page.count("\n") < 20
    assert needed.to_dict()["bankroll"] == str(needed.bankroll)
    assert needed.smallest("50%") <= needed.bankroll == needed.smallest("95%")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"probability": 1}, "above 0 and below 1"),
        ({"probability": "0"}, "above 0 and below 1"),
        ({"rolls": None}, "no end"),
        ({"strategy": Half()}, "by its money"),
        ({"strategy": "nonsense"}, "nonsense"),
    ],
)
def test_what_has_no_such_bankroll(arguments, message):
    given = {"strategy": "pass", "probability": "95%", "rolls": 9} | arguments
    with pytest.raises(RulesError, match=message):
        bankroll_for(given.pop("strategy"), given.pop("probability"), **given)
