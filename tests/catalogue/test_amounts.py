"""What an amount is paid: worked out by hand, on every face alike."""

import json
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import offer, paid_in_full, payment_text
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.cli import main
from sevenout.documents.numbers import odds
from sevenout.evenings.table_account import habits
from sevenout.papers.table_cards import _wager_rows as area_pays
from sevenout.papers.table_cards import paid_events, rows_by_pay
from sevenout.papers.table_talk import coach, edge, felt_spots
from sevenout.rules import Wager


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        # 35 on the 4 wins 70 less 7/4: (70 - 7/4 - 2 x 35) / 3 = -7/12, of 35
        ("buy-4-10-on-win", {"amount": 35}, "1/60"),
        ("buy-4-10-on-win", {"amount": 35, "commission": 1}, "1/105"),
        # 39 put down, 56 won: (2 x 56 - 3 x 39) / 5 = -1, of 39
        ("buy-5-9-up-front", {"amount": 38, "commission": 1}, "1/39"),
        ("buy-5-9-up-front", {"amount": 38}, "1/21"),
        # 60 against the 4 wins 30 less 1: (2 x 29 - 60) / 3, of 60
        ("lay-4-10-on-win", {"amount": 60, "commission": 1}, "1/90"),
        ("lay-4-10-on-win", {"amount": 60}, "1/60"),
    ],
)
def test_the_commission_is_that_of_the_amount(name, options, expected):
    assert so.solve(so.games(name, **options)).bet().edge == Fraction(expected)


def test_the_command_counts_the_amount(capsys):
    assert main(["odds", "buy-4-10-on-win", "--amount", "35", "--json"]) == 0
    assert "1/60" in json.dumps(json.loads(capsys.readouterr().out))


PAID = [
    ("buy 4", 35, "69 to 35"),  # 70 less 1, 5 % of 35 rounded down
    ("lay 4", 60, "29 to 60"),  # 30 less 1
    ("place 6", 5, "1 to 1"),  # 5 x 7/6 rounded down
    ("place 6", 12, "7 to 6"),
    ("buy 5", 20, "29 to 20"),
    ("horn", 4, "3 to 1 or 27 to 4"),
    ("horn", 5, "3 to 1 or 33 to 5"),  # 33.75 rounded down
    ("hard 8", 5, "9 to 1"),
]


@pytest.mark.parametrize(("bet", "amount", "expected"), PAID)
def test_the_pay_of_an_amount(bet, amount, expected):
    assert payment_text(House(), 8, bet, amount) == expected
    text = "sevenout table;bankroll: 999;pass = 5;roll 5 3"
    session = TableSession.from_text(text)
    assert f"{bet} {amount}: pays {expected}, " in edge(session, bet, amount)
    if amount >= session.house.minimum_of(bet):
        on = {spot.bet: spot for spot in felt_spots(session, amount)}
        assert on[bet].pays == expected


@pytest.mark.parametrize(
    ("house", "bet", "least"),
    [
        (House(), "buy 4", 20),
        (House(), "lay 6", 24),
        (House(breakage=5), "buy 4", 100),  # 5 % of 100 is 5
        (House(breakage=5), "lay 4", 200),  # 5 % of the 100 that it wins
        (House(commission="1/10"), "buy 4", 10),
        (House(commission="1/10"), "lay 5", 15),  # 10 % of the 10 that it wins
        (House(commission=1), "buy 5", 2),  # 1 is no share, so only the win of 3 counts
        (House(breakage=0), "buy 4", 1),
    ],
)
def test_the_least_amount_that_is_paid_in_full(house, bet, least):
    assert paid_in_full(house, offer(house, None, {}, bet)) == least


def test_the_layout_prints_the_odds_before_rounding():
    assert payment_text(House(), 6, "place 6") == "7 to 6"
    assert payment_text(House(commission=0), 6, "buy 4") == "2 to 1"


def test_a_doubled_bet_is_printed_by_what_it_wins_on_itself():
    """A bet of 5 doubled to 10 wins 32: the card says 16 to 5, the bet of 10 wins 32."""
    doubled = Wager(
        so.dice("2d6").totals, {7: (Fraction(32, 5), 2), 12: 1}, limit=1, bet="crossfire"
    )
    matter: Any = SimpleNamespace(subject=SimpleNamespace(optimum=None))
    paid = paid_events(matter, so.solve(doubled).bet())
    assert [pay for _, pay in rows_by_pay(paid, 9)] == ["16 to 5", "1 to 1"]
    assert any(profit <= -1 for profit, _ in paid)
    assert [pay for _, pay in area_pays(doubled)] == ["16 to 5", "1 to 1"]


def test_the_coach_counts_money_that_met_a_roll():
    text = "sevenout table;bankroll: 999;pass = 5;roll 5 3;place 6 = 600;place 6 = 12"
    session = TableSession.from_text(text)
    assert {habit.bet: habit.handle for habit in habits(session)} == {"pass": 5, "place 6": 0}
    session.roll((1, 1))
    place = next(habit for habit in habits(session) if habit.bet == "place 6")
    assert (place.cost, place.handle, place.times) == (Fraction(2, 11), 12, 1)
    assert (
        "$0.18 of expected loss on $12 bet, 1.52 %"
        in coach(TableSession.from_text(session.to_text().replace("seed:", "currency: $\nseed:")))[
            0
        ]
    )


def test_a_bet_that_stays_up_or_moves_is_counted_once_per_settlement():
    text = (
        "sevenout table;bankroll: 999;pass = 5;roll 4 4;place 6 = 12;roll 4 2;roll 1 2;"
        "come = 10;roll 5 4;come = 10;roll 4 5;roll 1 1;place 5 = 10;place 5 = 0;roll 3 4"
    )
    handle = {habit.bet: habit.handle for habit in habits(TableSession.from_text(text))}
    assert handle == {"pass": 5, "place 6": 24, "come": 20, "place 5": 0}


@pytest.mark.parametrize("vig", ["on win", "up front"])
@pytest.mark.parametrize("kind", ["buy", "lay"])
@pytest.mark.parametrize("amount", [20, 25, 35, 38, 60, 100])
def test_the_felt_and_the_catalogue_pay_alike(kind, vig, amount):
    house = House(vig=vig, breakage=0, minimum=1)
    game = so.games(f"{kind}-4-10-on-win", amount=amount, on_win=vig == "on win")
    profits = {pay.profit for pay in so.solve(game).bet().law if pay.profit > 0}
    (win,) = profits
    bet = f"{kind} 4"
    assert payment_text(house, 8, bet, amount) == odds(win / amount)
    loss = house.roll(8, ((bet, amount),), house.throws(())[2 if kind == "lay" else 5])[2]
    assert loss[0].profit == -so.solve(game).bet().stake


def test_a_commission_up_front_is_gone_even_if_the_win_is_smaller():
    """A dollar against the 4 wins 50 cents, rounded down to nothing, and a dollar was paid."""
    stands = (("lay 4", 1),)
    seven = House().throws(stands)[5]
    assert House(vig="up front").roll(8, stands, seven)[2][0].profit == -1
    assert House(vig="on win").roll(8, stands, seven)[2][0].profit == 0
