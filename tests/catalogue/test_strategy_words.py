"""Strategies in words, held against the bets that they make at a table."""

import re
from fractions import Fraction
from random import Random

import pytest

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import spot
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.craps_strategies import Scaled
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.catalogue.strategies.strategy_words import in_words
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy

COUNTED = ("labouchere", "dalembert", "oscars-grind")
"""These say how a bet is worked out, not each amount."""


def rolled(strategy, rolls=300):
    sitting, chance = Sitting(Bettor(House(), strategy), 10**6), Random(2)
    for _ in range(rolls):
        sitting.roll((chance.randint(1, 6), chance.randint(1, 6)))
    return sitting


@pytest.mark.parametrize("name", strategies)
def test_what_is_told_is_what_is_bet(name):
    strategy = strategies[name]
    assert type(strategy).sentences is not Strategy.sentences
    told = " ".join(in_words(strategy))
    sitting = rolled(strategy)
    named = set(re.findall(r"\d+", told))
    for moment in sitting.moments:
        for bet, more in moment.bets_made.items():
            assert spot(bet).odds or bet.split()[0] in told or bet.startswith("place"), bet
            if name not in COUNTED and not spot(bet).odds and bet not in moment.bets_down:
                first = str(more) in named or str(Fraction(more) / 2) in named
                assert first or "double" in told.lower(), (bet, more)


@pytest.mark.parametrize("name", strategies)
def test_the_order_told_is_that_in_which_bets_are_paid(name):
    order = re.findall(r"order of payment is: ([^.]*)\.", " ".join(in_words(strategies[name])))
    places = {bet: i for i, bet in enumerate(order[0].split(", "))} if order else {}
    together = 0
    for moment in rolled(strategies[name]).moments:
        plain = [re.sub(r"(come) \d+", r"\1", bet) for bet in moment.bets_made]
        if len(set(plain)) > 1:
            together += 1
            assert [places[bet] for bet in plain] == sorted(places[bet] for bet in plain), plain
    assert bool(together) == bool(order)


def test_options_are_told():
    told = in_words(strategies("pass", amount=15, odds=2))
    assert told[:2] == [
        "On the come-out, bet 15 on the pass line.",
        "On a point, take odds of 2 times the bet.",
    ]
    assert in_words(Scaled(strategies["pass"], 5))[2] == "Every amount is multiplied by 5."


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            'on = "pass"\namount = 5\nladder = [1, 2, 4]\nwin = "first"\nloss = "on"',
            "On the come-out, bet 5 on the pass line. The steps are 5, 10, 20. After a win, go "
            "back to the first step. After a loss, go one step on. After the last step, begin "
            "again at the first.",
        ),
        (
            'on = "field"\namount = 2\nladder = [1, 3]\nwin = "back"\nloss = "stay"',
            "Before each roll, bet 2 on field. The steps are 2, 6. After a win, go one step back, "
            "but not below the first. After a loss, stay on the step.",
        ),
        (
            'on = "place 6"\namount = 12\nwhen = "point"\npress = 6\nmost = 30\nlimit = 4',
            "While there is a point, bet 12 on place 6. After a win, raise it by 6, up to 30. "
            "After 4 settled bets, wait for the next shooter.",
        ),
        (
            'on = "place 8"\namount = 30\npress = -6\nleast = 12',
            "Before each roll, bet 30 on place 8. After a win, lower it by 6, down to 12.",
        ),
        (
            'on = "place 8"\namount = 6\npress = "all"',
            "Before each roll, bet 6 on place 8. After a win, put the win on top in whole "
            "multiples of 6.",
        ),
        (
            'on = "don\'t come"\namount = 5\nbelow = 2\nodds = 6',
            "While there is a point, bet 5 on don't come, until 2 numbers are covered, the point "
            "of a line bet included. Behind it, lay odds of 6 times the bet.",
        ),
        (
            'on = "all"\namount = 1\nwhen = "shooter"',
            "Once a shooter, before their first roll, bet 1 on all.",
        ),
    ],
)
def test_a_file_is_told_key_by_key(keys, told):
    strategy = parse_strategy(f"[[bet]]\n{keys}").strategy
    assert " ".join(in_words(strategy)).startswith(told)
