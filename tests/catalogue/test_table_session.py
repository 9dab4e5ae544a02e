"""A person at the table: bets of all kinds by hand, the rules against them, and text."""

from random import Random

import pytest

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.table_lines import BET_VERBS, play, read_line
from sevenout.catalogue.craps_family.table_session import TableSession, read_act
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy


def seated(bankroll=1000, **house):
    return TableSession(House(**house), bankroll)


class Recorded(Strategy):
    """What was on the felt before each roll of a session: a person as a strategy."""

    memory = 0

    def __init__(self, felts):
        self.felts = felts

    def remembers(self, table):
        return table.memory + 1

    def wants(self, table):
        if table.memory >= len(self.felts):
            return {}
        then = self.felts[table.memory]
        return {**dict.fromkeys(table.bets.keys() - then.keys(), 0), **then}


def test_a_person_and_a_strategy_are_the_same_to_the_felt():
    session = seated(minimum=5)
    felts = []
    asked = [
        {"pass": 10, "small": 5},
        {"pass odds": 20, "place 8": 12, "come": 10},
        {"field": 5},
        {"hop 2-3": 5, "buy 4": 25},
        {},
        {"come": 5},
        {},
    ]
    for (faces), bets in zip(
        [(4, 2), (5, 5), (3, 2), (2, 2), (4, 4), (6, 4), (3, 4)], asked, strict=True
    ):
        for bet, amount in bets.items():
            session.set(bet, amount)
        if "place 8" in session.bets and len(felts) == 3:
            session.turn("place 8", on=False)
        felts.append(session.bets)
        session.roll(faces)
    sitting = Sitting(Bettor(session.house, Recorded(felts)), "1000")
    for moment in session.moments[1:]:
        assert sitting.roll(moment.faces).money == moment.money
    again = TableSession.from_text(session.to_address())
    assert again.acts == session.acts
    assert [m.money for m in again.moments] == [m.money for m in session.moments]
    assert again.to_text() == session.to_text()


def test_bets_of_one_line_are_one_line_even_if_the_last_is_refused():
    session = TableSession()

    def bet_on_all() -> None:
        with session.one_line():
            for bet in ("pass", "field", "come"):
                session.set(bet, 5)

    with pytest.raises(RulesError, match="come bets need a point"):
        bet_on_all()
    assert session.undo() == "field = 5; pass = 5"


@pytest.mark.parametrize(
    ("before", "bet", "amount", "why"),
    [
        ([], "come", 5, "come bets need a point"),
        ([], "pass odds", 5, "odds go behind a bet"),
        (["pass = 5"], "pass odds", 5, "odds need a point"),
        (["pass = 5", "roll 4 2"], "pass", 0, "the pass line stays up"),
        (["pass = 5", "roll 4 2"], "pass", 10, "make a come bet"),
        (["roll 4 2", "small = 5"], "small", 5, "come-out"),
        ([], "place 6", 3, "minimum is 5"),
        ([], "place 6", 6000, "it takes 6000, and the rail has 1000"),
        ([], "place 2", 5, "the points of this table are 4"),
        (["pass = 5", "roll 4 2", "come = 5", "roll 3 1"], "come 4", 0, "a come bet stays up"),
    ],
)
def test_a_refusal_says_the_rule(before, bet, amount, why):
    session = seated(minimum=5)
    for line in before[:-1]:
        read_act(session, line)

    def last():
        for line in before[-1:]:
            read_act(session, line)
        session.set(bet, amount)

    with pytest.raises(RulesError, match=why):
        last()


def test_amounts_clip_at_the_maximum_and_odds_at_their_multiple():
    session = seated(minimum=5, maximum=100, props=1)
    placed = session.set("place 6", 130)
    assert placed.now == 100
    assert "30 comes back" in placed.remarks[0]
    assert session.set("place 6", "max").now == 100
    assert session.set("place 8", "max").now == 96  # in full units
    assert session.set("yo", 1).now == 1
    session.set("pass", 10)
    session.roll((4, 1))
    assert session.set("pass odds", 1000).now == 40
    assert session.press("place 6").remarks[0].startswith("the most on place 6 is 100")


def test_a_bet_that_is_off_neither_wins_nor_loses():
    session = seated(minimum=5)
    session.set("pass", 5)
    session.roll((3, 3))
    for bet, amount in {"pass odds": 25, "place 8": 12, "hard 4": 5}.items():
        session.set(bet, amount)
        session.turn(bet, on=False)
    with pytest.raises(RulesError, match="can't be off; take it down"):
        session.turn("pass", on=False)
    assert session.roll((4, 4)).net == 0
    session.turn("place 8", on=True)
    assert session.roll((4, 4)).net == 14
    rolled = session.roll((3, 4))
    assert {each.bet: each.profit for each in rolled.paid} == {
        "pass": -5,
        "pass odds off": 0,
        "place 8": -12,
    }
    session.turn("hard 4", on=True)  # at the come-out
    assert session.bets == {"hard 4 on": 5}
    assert session.roll((3, 4)).net == -5


def test_odds_come_down_before_what_they_lean_on():
    session = seated(minimum=5)
    session.set("don't pass", 10)
    session.roll((3, 3))
    session.set("don't pass odds", 60)
    assert [each.bet for each in session.take_down("don't pass")] == [
        "don't pass odds",
        "don't pass",
    ]
    assert session.rail == 1000


def test_crapless_has_ten_points_and_nobody_against():
    session = seated(crapless=True, odds=(3, 4, 5))
    session.set("pass", 5)
    session.roll((1, 1))
    assert (session.point, session.set("pass odds", "max").now) == (2, 5)
    session.set("place 12", 10)
    session.set("come", 5)
    session.roll((6, 5))
    assert session.bets["come 11"] == 5
    assert session.roll((6, 6)).net == 55
    assert session.roll((1, 1)).net == 5 + 30
    with pytest.raises(RulesError, match="crapless"):
        session.set("don't pass", 5)
    with pytest.raises(RulesError, match="crapless"):
        session.set("fire", 5)


def test_undo_brings_everything_back_and_the_dice_remember():
    session = seated(minimum=5)
    session.set("pass", 10)
    seen = [session.roll() and session.money for _ in range(4)]
    session.tip(2)
    session.buy_in(100)
    while session.undo():
        pass
    assert (session.money, session.bets, session.rolls, session.tips) == (1000, {}, 0, 0)
    session.set("pass", 10)
    assert [session.roll() and session.money for _ in range(4)] == seen


def test_every_legal_bet_can_be_made_and_no_other():
    for lines in ([], ["pass = 5", "roll 4 2"], ["pass = 5", "roll 4 2", "come = 5", "roll 4 5"]):
        session = seated(minimum=5)
        for line in lines:
            read_act(session, line)
        for offer in session.legal():
            more = max(offer.minimum, session.bets.get(offer.bet, 0) + 1, 1)
            assert session.why_not(offer.bet, more) == offer.why, offer
            if not offer.why:
                session.set(offer.bet, more)
                session.undo()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nothing", "line 1"),
        ("sevenout table\nbankroll: 100\ncome = 5", "line 3: come: come bets need a point"),
        ("sevenout table\nbankroll: 100\nroll 4", "line 3: 4 is a total"),
        ("sevenout table\nbankroll: 100\nroll 7 1", "line 3: 7,1 is not a roll"),
        ("sevenout table\nhouse: minimum=5,maximum=10\npass = 20", "line 3: .*the most on pass"),
        ("sevenout table\nbankroll: 100\ndance", "line 3: 'dance' is not an action"),
        ("sevenout table\nhouse: colour=3", "colour"),
        ("sevenout table\npace: 0", "0"),
        ("sevenout table\ntips: -1", "tips=-1"),
        ("sevenout table\ncomps: 7", "comps=7"),
        ("sevenout table\ncurrency: doubloons", "currency='doubloons'"),
        ("sevenout table\nbankroll: 1\nbankroll: 2", "line 3: bankroll is given twice"),
        ("sevenout table;bankroll: x", "line 2: 'x' is not an amount"),
        ("sevenout table;bankroll: 9;# mine;tips: -1", "line 4: tips=-1; give 0 or more"),
    ],
)
def test_a_text_that_is_no_session_is_refused_by_its_line(text, says):
    with pytest.raises((NotationError, RulesError), match=says):
        TableSession.from_text(text)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"currency": "a;b"}, "currency='a;b'"),
        ({"currency": "12"}, "currency='12'"),
        ({"seed": "7"}, "seed='7'"),
        ({"seed": -1}, "seed=-1"),
        ({"bankroll": "4%"}, "'4%' is not an amount of money"),
    ],
)
def test_a_session_that_no_text_could_hold_is_refused(arguments, says):
    with pytest.raises(RulesError, match=says):
        TableSession(**arguments)


def test_a_spoilt_text_is_read_or_refused():
    text = "sevenout table\nhouse: minimum=5\nbankroll: 300\nseed: 7\npass = 10\nroll 4 2\n"
    text += "pass odds = 50\nplace 8 = 12\nplace 8 > place 8 off\nroll 5 3\ntip 2\nroll 3 4\n"
    random = Random(5)
    for _ in range(400):
        spoilt = list(text)
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(spoilt))
            spoilt[at : at + random.randint(0, 2)] = random.choice(
                "0123456789 =>;:\n-/.abops'@é\0,"
            )
        try:
            session = TableSession.from_text("".join(spoilt))
        except SevenoutError:
            continue
        assert TableSession.from_text(session.to_text()).money == session.money
        assert session.rail >= 0


WORDS = "pass no come odds max 6 8 12 5 4 place buy lay field hard hop 5-3 any 7 yo ats on off "
WORDS += "down the and "
WORDS += (
    "for each $5 ? across undo press why $ -5 1/2 é > = fire inside all it bet don't 999999999999 "
)
WORDS += (
    "2x 6s dollar unit to by with plus , behind 26 horn high c e & tall twenty five parlay regress"
)


def test_whatever_is_said_is_done_or_refused():
    random, words = Random(8), WORDS.split()
    session = TableSession(House(minimum=5, maximum=100, vig="up front"), 500)
    for _ in range(600):
        line = " ".join(random.choices(words, k=random.randint(1, 5)))
        try:
            commands = read_line(session, line)
            if commands[0].verb in BET_VERBS:
                list(play(session, commands))
        except SevenoutError:
            continue
        finally:
            if random.random() < 0.2:
                session.roll()
        assert session.rail >= 0
    assert TableSession.from_text(session.to_address()).bets == session.bets


def test_odds_that_stand_have_no_odds_of_their_own():
    text = "sevenout table;bankroll: 300;pass = 10;roll 4 2;come = 10;roll 5 4;come 9 odds = 20"
    offered = [offer.bet for offer in TableSession.from_text(text).legal()]
    assert [bet for bet in offered if bet.startswith("come ")] == ["come 9 odds"]
