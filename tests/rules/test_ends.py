"""Who leaves when: the order of precedence, from money to ruin."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.errors import RulesError
from sevenout.rules.casino.ends import BETS, ENDS, LOSS, RUIN, SHOOTERS, TIME, WIN, Ends

ALL = Ends(rolls=5, shooters=2, bets=3, floor=10, ceiling=40)


@pytest.mark.parametrize(
    ("money", "rolls", "shooters", "end"),
    [
        *((10, 5, 2, LOSS), (9, 1, 0, LOSS), (40, 5, 2, WIN), (41, 1, 0, WIN)),
        *((20, 5, 2, SHOOTERS), (20, 5, 1, TIME), (20, 4, 1, None), (11, 4, 0, None)),
        *((None, 5, 2, SHOOTERS), (None, 5, 0, TIME), (None, 4, 0, None)),
    ],
)
def test_money_goes_before_shooters_and_these_before_the_time(money, rolls, shooters, end):
    assert ALL.after_roll(money, rolls=rolls, shooters=shooters) == end


@pytest.mark.parametrize(
    ("settled", "broke", "end"),
    [(2, False, None), (2, True, RUIN), (3, True, RUIN), (3, False, BETS), (4, False, BETS)],
)
def test_a_player_who_cannot_pay_for_the_next_bet_is_ruined(settled, broke, end):
    assert ALL.before_bets(settled, broke=broke) == end


def test_nothing_ends_an_evening_without_ends_but_ruin():
    none = Ends()
    assert none.after_roll(0, rolls=10**9, shooters=10**9) is None
    assert (none.before_bets(10**9, broke=False), none.before_bets(0, broke=True)) == (None, RUIN)
    assert (none.columns(1), none.is_certain) == ((None, None), False)


@given(
    st.integers(-20, 60),
    st.builds(
        Ends,
        floor=st.sampled_from([None, 5, Fraction(31, 2)]),
        ceiling=st.sampled_from([None, 21, Fraction(45, 2)]),
    ),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2)]),
    st.booleans(),
    st.sampled_from([7, SHOOTERS, BETS, RUIN, TIME]),
)
def test_a_column_stops_where_its_money_does(column, ends, unit, last, to):
    least = Fraction(1, 3)
    money = least + column * unit
    low, top = ends.columns(unit, least)
    lost, won = low is not None and column <= low, top is not None and column >= top
    assert ends.stop(money) == (LOSS if lost else WIN if won else None)
    stay = (SHOOTERS if to == SHOOTERS else TIME) if last else to
    assert ends.with_known_money(to, money, last=last) == (LOSS if lost else WIN if won else stay)


def test_ends_that_cannot_be_are_refused():
    for wrong, message in [
        ({"rolls": 0}, "rolls=0"),
        ({"shooters": 1.5}, "shooters=1.5"),
        ({"stop_win": 5, "target": 25}, "both"),
        ({"target": 20}, "bankroll of 20 already reaches"),
        ({"rolls": 3, "stop_loss": 0}, "stop_loss=0"),
        ({"rolls": 3, "standing": "up"}, "standing='up'"),
        ({"stop_loss": 5}, "has no end"),
        ({"rolls": 3, "stop_loss": 21}, "stop_loss=21 of a bankroll of 20; give that or less"),
        ({"stop_win": -5}, "stop_win=-5; give an amount above 0"),
        ({"stop_win": "50%"}, "'50%' is not an amount of money; write 20"),
        ({"rolls": 3, "stop_loss": "40 %"}, "'40 %' is not an amount of money"),
        ({"target": "400%"}, "'400%' is not an amount of money"),
    ]:
        with pytest.raises(RulesError, match=message):
            Ends.from_limits(Fraction(20), **wrong)
    with pytest.raises(RulesError, match="bankroll=-5; give 0 or more"):
        Ends.from_limits(-5, target=150)
    for wrong, message in [({"rolls": -3}, "rolls=-3"), ({"standing": "zz"}, "standing='zz'")]:
        with pytest.raises(RulesError, match=message):
            Ends(**wrong)
    by_win, by_target = Ends.from_limits(100, stop_win=50), Ends.from_limits(100, target=150)
    assert by_win != by_target
    assert repr(by_win) != repr(by_target)
    assert Ends.from_limits("20", stop_loss=20, rolls=3).floor == 0
    assert Ends(rolls=3).after_roll(20, rolls=4) == TIME
    assert set(ENDS.values()) == {"ruin", "stop loss", "target", "shooters", "time", "bets"}
