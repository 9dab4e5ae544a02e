"""Small, tall and all, bet once a shooter, beside the pass line with odds."""

import pytest
from tests.evenings.by_hand_evening import exactly, law

from sevenout.catalogue.strategies.strategy_file import FileStrategy, parse_strategy
from sevenout.errors import NotationError
from sevenout.evenings import Plan
from sevenout.simulation.evening_sampler import EveningDice
from sevenout.simulation.played_evenings import play_evenings
from sevenout.verify.agreement import confirm_evenings

LINE = """
[[bet]]
on = "pass"
amount = 5
odds = [3, 4, 5]
"""
BONUS = """
[[bet]]
on = "{name}"
amount = {amount}
when = "shooter"
"""


def bonus_bets(amount=1, names=("small", "tall", "all")):
    bets = [BONUS.format(name=name, amount=amount) for name in names]
    return parse_strategy(LINE + "".join(bets)).strategy


@pytest.mark.parametrize("bankroll", [8, 12, 26, 200])
def test_the_evening_is_that_of_every_sequence_of_rolls(bankroll):
    found, handle, bets, refused = law(bonus_bets(), bankroll, 3)
    result = exactly(Plan.of(bonus_bets(), bankroll, rolls=3))
    money = {}
    for (_, m), p in found.items():
        money[m] = money.get(m, 0) + p
    assert dict(result.money.items()) == money
    assert (result.handle, result.mean_bets, result.refused) == (handle, bets, refused)


def test_they_are_bet_once_a_shooter_before_the_first_roll():
    sitting = Plan.of(bonus_bets(), 200, rolls=50).sitting()
    assert sitting.bets == {"pass": 5, "small": 1, "tall": 1, "all": 1}
    assert sitting.roll((4, 3)).money == 202
    assert sitting.bets == {"pass": 5}  # the seven took them; the shooter goes on
    sitting.roll((2, 2))
    sitting.roll((3, 4))
    assert sitting.bets == {"pass": 5, "small": 1, "tall": 1, "all": 1}


def test_it_agrees_with_evenings_that_are_played():
    plan = Plan.of(bonus_bets(5, ["small"]), 60, rolls=100, stop_loss=50)
    tally = play_evenings(plan, 20_000, seed=3)
    assert confirm_evenings(tally, plan.solve()).agrees
    played = [EveningDice(plan, number, 3).play() for number in range(20)]
    first = play_evenings(plan, 20, seed=3)
    assert sorted(each.money for each in played) == sorted(
        m for (_, m), n in first.counts.items() for _ in range(n)
    )


@pytest.mark.slow  # 8,000 positions, 400 rolls: 20 to 40 s of a processor
def test_four_hours_have_an_answer():
    result = Plan.of(bonus_bets(5), 300, hours=4).solve()
    assert result.bound < 1e-9
    assert float(result.ruin) == pytest.approx(0.69203155488, abs=1e-9)


def test_a_bet_once_a_shooter_has_no_limit():
    with pytest.raises(NotationError, match="once a shooter"):
        parse_strategy('[[bet]]\non = "all"\namount = 1\nwhen = "shooter"\nlimit = 2')


@pytest.mark.parametrize("bankroll", [8, 26])
def test_what_is_wanted_is_worked_out_once_for_all_rolls_that_lead_there(bankroll, monkeypatch):
    """The strategy looks at the last roll or does not: the evening is the same."""
    told = []
    for sees in (False, True):
        monkeypatch.setattr(FileStrategy, "sees_last", sees)
        result = exactly(Plan.of(bonus_bets(), bankroll, rolls=4))
        told.append((dict(result.money.items()), result.ends, result.handle, result.refused))
    assert told[0] == told[1]


def test_a_bet_that_is_pressed_by_what_it_won_sees_the_last_roll():
    assert not bonus_bets().sees_last
    place = '[[bet]]\non = "place 6"\namount = 6\n'
    assert not parse_strategy(place).strategy.sees_last
    assert parse_strategy(f"{place}press = 6").strategy.sees_last
