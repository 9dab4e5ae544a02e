"""A seat at the table in the lab: every button is an address, and all of it is a session."""

import re
from html import unescape
from urllib.parse import quote

import pytest

from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.lab.address import Address
from sevenout.lab.pages.craps_page import session_of, table_field
from sevenout.lab.site import page
from sevenout.papers import table_talk

BEGUN = "sevenout table;house: minimum=5,props=1;bankroll: 300;currency: $;seed: 1"
POINT = f"{BEGUN};pass = 10;roll 4 2"


def words(url):
    answer = page(quote(url, safe="/?=&;:,'"))
    assert answer.status == 200, answer.body.decode()[-500:]
    return unescape(answer.body.decode())


def table_of(html):
    """The session that the buttons of a page go on with."""
    return session_of(
        Address("/table", {"table": re.search(r'name="table" value="([^"]*)"', html)[1]})
    )


def spot_of(html, bet):
    """What is said of a spot, and what is printed on it."""
    button = re.search(rf'<button[^>]*value="{re.escape(bet)}"[^>]*>.*?</button>', html)[0]
    return re.search(r'aria-label="([^"]*)"', button)[1], re.sub("<[^>]*>", " ", button)


def test_a_spot_says_what_it_pays_and_costs_before_it_is_bet():
    html = words("/table")
    assert spot_of(html, "place 6")[0] == "Place 6, pays 7 to 6, edge 1.52 %, costs $1.95 per hour"
    assert spot_of(html, "come")[0].endswith(
        "closed: come bets need a point: it is the come-out now"
    )
    assert "9.09 %" in spot_of(words("/table?chip=5"), "place 6")[1], (
        "5 on the 6 is not paid in full"
    )
    html = words("/table?more=side")
    for offer in TableSession().legal():
        assert spot_of(html, offer.bet)[0].lower().startswith(offer.bet.lower())


@pytest.mark.parametrize(
    ("asks", "bets"),
    [
        ("on=place 8", {"pass": 10, "place 8": 6}),
        ("chip=25&on=place 8", {"pass": 10, "place 8": 25}),
        ("chip=most&on=pass odds", {"pass": 10, "pass odds": 50}),
        ("do=pass odds max", {"pass": 10, "pass odds": 50}),
        ("chip=down&on=pass", {"pass": 10}),
        ("do=undo", {"pass": 10}),
        ("do=undo 2", {}),
        ("do=undo all", {}),
        ("do=place 5 9 100", {"pass": 10, "place 5": 100, "place 9": 100}),
        ("do=hardways 4", {"pass": 10, **{f"hard {n}": 4 for n in (4, 6, 8, 10)}}),
        ("dice=3 3", {}),
    ],
)
def test_what_is_asked_is_done(asks, bets):
    assert table_of(words(f"/table?table={POINT}&{asks}")).bets == bets


@pytest.mark.parametrize(
    ("currency", "amount", "said"),
    [
        ("kr", "kr 100", "100 kr more in the rail"),
        ("kr", "100 kr", "100 kr more in the rail"),
        ("$", "$100", "$100 more in the rail"),
        ("", "€100", "100 more in the rail"),
        ("$", "£100", "'£100' is not an amount"),
    ],
)
def test_chips_are_bought_in_the_currency_of_the_table(currency, amount, said):
    begun = BEGUN.replace("currency: $;", f"currency: {currency};" if currency else "")
    assert said in words(f"/table?table={begun}&do=chips&amount={amount}")


def test_bets_are_pressed_turned_and_taken_down():
    here = f"{POINT};place 8 = 12;pass odds = 20"
    for asks, bets in (
        ("do=press place 8", {"place 8": 24}),
        ("do=off place 8", {"place 8 off": 12}),
        ("do=down place 8", {}),
    ):
        session = table_of(words(f"/table?table={here}&{asks}"))
        assert session.bets == {"pass": 10, "pass odds": 20, **bets}
    html = words(f"/table?table={here};place 8 > place 8 off")
    assert "off" in spot_of(html, "place 8")[0], "a bet that is off keeps its spot"
    said = re.findall(r'form="seat"[^>]*aria-label="([^"]*)"', html)
    assert {"Turn on: place 8 off", "Take down: pass odds", "Press: place 8 off"} <= set(said)
    assert "Take down: pass" not in said, "the pass line stays up"


def test_bets_ride_and_are_made_again_by_a_button():
    won = f"{POINT};place 8 = 12;field = 5;roll 4 4"
    html = words(f"/table?table={won}")
    assert 'aria-label="Let it ride: place 8"' in html
    assert table_of(words(f"/table?table={won}&do=parlay place 8")).bets["place 8"] == 26
    assert 'value="same"' in html, "the field lost"
    assert table_of(words(f"/table?table={won}&do=same")).bets["field"] == 5
    out = words(f"/table?table={won};roll 3 4&do=same")
    assert table_of(out).bets == {"pass": 10, "place 8": 12}
    assert 'value="same"' not in out
    assert "did not win" in words(f"/table?table={POINT}&do=parlay pass")


def test_undo_takes_back_a_line_here_too():
    html = words(f"/table?table={POINT}&do=place 6 8 12, field 5")
    session = table_of(html)
    assert session.bets == {"pass": 10, "place 6": 12, "place 8": 12, "field": 5}
    assert table_of(words(f"/table?table={session.to_address()}&do=undo")).bets == {"pass": 10}


def test_the_table_says_the_rule_and_keeps_what_stands():
    html = words(f"/table?table={BEGUN}&on=come")
    assert "Come: come bets need a point: it is the come-out now" in html
    assert table_of(html).to_address() == BEGUN
    assert "takes $500, and the rail has $300" in words(f"/table?table={BEGUN}&chip=500&on=field")
    for asks, status in (
        ("table=x", 400),
        ("table=~x", 400),
        ("chip=7", 400),
        ("do=dance", 200),
        ("do=save x.txt", 200),
        ("do=edge pass", 200),
    ):
        assert page(quote(f"/table?{asks}", safe="/?=&")).status == status


def test_the_seed_rolls_as_at_the_terminal_and_back_takes_a_roll_back():
    session = TableSession.from_text(BEGUN)
    html = words("/table?do=roll")
    session.roll()
    assert table_of(html).to_address() == session.to_address()
    assert table_talk.call(session, session.moments[-1].rolled, None) in html


def test_a_session_is_a_file_and_a_long_one_is_packed():
    session = TableSession.from_text(POINT)
    answer = page(quote(f"/table.txt?table={POINT}", safe="/?=&;"))
    assert (answer.body.decode(), answer.filename) == (session.to_text(), "session.txt")
    opened = page("/table?text=" + quote(session.to_text()))
    assert opened.status == 303
    assert session_of(Address.read(opened.location)).acts == session.acts
    for _ in range(200):
        session.roll()
        session.set("yo", 1 + session.rolls % 2)
    field = table_field(session)
    assert field.startswith("~")
    assert len(field) < 1_000
    assert session_of(Address("/table", {"table": field})).to_text() == session.to_text()


def test_a_session_is_replayed_act_by_act():
    html = words(f"/table?table={POINT};pass odds = 20;roll 3 3&at=2")
    assert "Act 2 of 4" in html
    assert table_of(html).to_address() == POINT
    assert "the point is 6" in html
    assert "at=3" in html


def test_another_table_is_laid_by_its_rules():
    asks = "new-crapless=yes&new-minimum=10&new-maximum=500&new-bankroll=2000&new-currency=€"
    session = table_of(words(f"/table?{asks}&new-odds=2&new-seed=9"))
    assert (session.house.crapless, session.house.minimum, session.house.odds) == (
        True,
        10,
        (2, 2, 2),
    )
    assert (session.bankroll, session.currency, session.seed) == (2000, "€", 9)
    assert "place 12" in words(f"/table?{asks}")


def test_the_rest_of_the_evening_and_a_strategy_beside_it():
    html = words(f"/table?table={POINT}&show=rest")
    assert all(f'id="{card}"' in html for card in ("rest", "fan", "law"))
    assert "count at their stakes" in html
    assert "--standing" not in html, "the table has no such option"
    html = words(f"/table?table={POINT};roll 3 4&show=beside&strategy=pass")
    assert "of 1,000 evenings" in html
    assert "a result as low or lower" in html
    assert "Pass line (×5)" in html, "the table's minimum is 5"
    assert "The coach" in html
