"""The lines of a table: what is understood, what comes of it, and what is said of the rest."""

import re

import pytest
from tests.cli.typed_evening import typed

from sevenout.catalogue.craps_family.table_lines import bets_to_repeat, play, read_line
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.cli.playing.table_help import HELP, TOPICS
from sevenout.cli.playing.table_play import TableSeat
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.papers import table_talk

READ = [
    ("pass 10", ["pass"], 10),
    ("Pass Line $10", ["pass"], 10),
    ("dont pass 10", ["don't pass"], 10),
    ("no pass 10", ["don't pass"], 10),
    ("don't come", ["don't come"], None),
    ("hard 8 100", ["hard 8"], 100),
    ("hard-8 5", ["hard 8"], 5),
    ("hardway 8 5", ["hard 8"], 5),
    ("place 5 9 100", ["place 5", "place 9"], 100),
    ("place 6 8 12", ["place 6", "place 8"], 12),
    ("place 6 8 min", ["place 6", "place 8"], "min"),
    ("place 6 $8", ["place 6"], 8),
    ("place 8 6", ["place 8"], 6),
    ("place 9 10", ["place 9"], 10),
    ("odds 9 100", ["come 9 odds"], 100),
    ("odds 20", ["pass odds"], 20),
    ("odds max", ["pass odds"], "max"),
    ("come 6 odds 20", ["come 6 odds"], 20),
    ("buy 4 100", ["buy 4"], 100),
    ("place 6 100", ["place 6"], 100),
    ("lay 4 100", ["lay 4"], 100),
    ("6 12", ["place 6"], 12),
    ("6 8 12", ["place 6", "place 8"], 12),
    ("8 max", ["place 8"], "max"),
    ("hardways 4", [f"hard {n}" for n in (4, 6, 8, 10)], 4),
    ("hop 5 3 2", ["hop 3-5"], 2),
    ("hop 5-3 2", ["hop 3-5"], 2),
    ("any seven 5", ["any 7"], 5),
    ("yo 1", ["yo"], 1),
    ("C&E 2", ["C&E"], 2),
    ("horn 4", ["horn"], 4),
    ("horn high 11 5", ["horn high 11"], 5),
    ("repeater 6 5", ["repeater 6"], 5),
    ("place to lose 4 5", ["place to lose 4"], 5),
    ("big 6 10", ["big 6"], 10),
    ("small 5", ["small"], 5),
    ("all 5", ["all"], 5),
    ("pass all", ["pass"], "max"),
    ("inside min", [f"place {n}" for n in (5, 6, 8, 9)], "min"),
    ("bet pass 10", ["pass"], 10),
    ("pass 10.5", ["pass"], 21 / 2),
]


@pytest.mark.parametrize(("line", "bets", "amount"), READ)
def test_a_bet_and_its_amount(line, bets, amount):
    (command,) = read_line(TableSession(), line)
    assert (command.verb, list(command.bets), command.amount) == ("bet", bets, amount)


def test_every_bet_is_named_by_the_name_that_the_table_lists():
    text = "sevenout table;bankroll: 300;pass = 10;roll 4 2;come = 10;roll 5 4"
    session = TableSession.from_text(text)
    for offer in session.legal():
        (command,) = read_line(session, f"{offer.bet} $5")
        assert (command.bets, command.amount) == ((offer.bet,), 5)


FELTS = {
    "come-out": "",
    "point": ";pass = 10;roll 4 2",
    "won": ";pass = 10;roll 4 2;come = 10;roll 5 4;place 6 = 12;place 8 = 12;hard 8 = 5;roll 5 3",
    "come 6": ";pass = 10;roll 4 4;come = 10;roll 4 2;hard 8 = 5",
    "lost": ";pass = 10;roll 4 2;field = 5;place 8 = 12;roll 3 4",
}
"""What stands: on "won", the 8 was just paid 14 and the hard 8 lost."""


def seated(felt):
    text = f"sevenout table;house: minimum=5,props=1;bankroll: 900;currency: ${FELTS[felt]}"
    return TableSeat(TableSession.from_text(text), quiet=True)


def done(felt, line):
    """What a line does at a felt."""
    at = seated(felt)
    before = list(at.session.acts)
    at.answer(line)
    assert at.session.acts[: len(before)] == before
    return at.session.acts[len(before) :]


DONE = [
    ("won", "parlay 8", ["place 8 = 26"]),
    ("won", "parlay", ["place 8 = 26"]),
    ("won", "press 8", ["place 8 = 24"]),
    ("won", "press 8 6", ["place 8 = 18"]),
    ("won", "press all", ["place 6 = 24", "place 8 = 24"]),
    ("won", "place 8 18", ["place 8 = 18"]),
    ("won", "8 6", ["place 8 = 6"]),
    ("won", "place 6 min", ["place 6 = 6"]),
    ("won", "down 6", ["place 6 = 0"]),
    ("won", "down", ["place 6 = 0", "place 8 = 0"]),
    ("won", "off", ["place 6 > place 6 off", "place 8 > place 8 off"]),
    ("won", "off 6", ["place 6 > place 6 off"]),
    ("won", "working", ["place 6 > place 6 on", "place 8 > place 8 on"]),
    ("won", "same", ["hard 8 = 5"]),
    ("won", "odds 9 20", ["come 9 odds = 20"]),
    ("won", "press 6 6, down 8, field 5", ["place 6 = 18", "place 8 = 0", "field = 5"]),
    ("lost", "same", ["pass = 10", "field = 5", "place 8 = 12"]),
    ("point", "odds 20", ["pass odds = 20"]),
    ("point", "odds max", ["pass odds = 50"]),
    ("point", "hardways 4", [f"hard {n} = 4" for n in (4, 6, 8, 10)]),
    ("point", "hard 8 100", ["hard 8 = 100"]),
    ("point", "place 5 9 100", ["place 5 = 100", "place 9 = 100"]),
    ("point", "buy 4 100", ["buy 4 = 100"]),
    ("point", "place 6 100", ["place 6 = 100"]),
    ("point", "lay 4 100", ["lay 4 = 100"]),
    ("point", "inside 44", [f"place {n} = {10 + 2 * (n in (6, 8))}" for n in (5, 6, 8, 9)]),
    ("come 6", "odds 6 max", ["come 6 odds = 50"]),
    ("come 6", "pass odds 6", ["pass odds = 6"]),
    ("come-out", "place 6 5", ["place 6 = 5"]),
    ("come-out", "pass 10, place 6 8 12", ["pass = 10", "place 6 = 12", "place 8 = 12"]),
]


class Terminal:
    def isatty(self):
        return True


@pytest.mark.parametrize(("felt", "line", "acts"), DONE)
def test_a_line_does_what_it_says(felt, line, acts, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal())
    assert sorted(done(felt, line)) == sorted(acts)


CROSS = "place 5 10, place 6 8 12, field 5"
REFUSED = [
    ("point", "come odds 20", "once a roll has moved it to its number", "come 10"),
    ("won", "parlay 6", "place 6: it did not win on the last roll", "press 6"),
    ("point", "parlay", "nothing won on the last roll", "place 8 6"),
    ("point", "same", "there is no bet to make again", "field 5"),
    ("point", "odds", "write odds 5 (up to $50) or odds max", "odds 5"),
    ("won", "odds 9", "write odds 9 20 for 20 behind the 9", "odds 9 20"),
    ("won", "press hard 4", "hard 4: there is nothing on it", "press 6"),
    ("point", "27 across", "27 is an amount without a bet", "across 32"),
    ("point", "across 27", "write across 32 or across 64", "across 32"),
    ("won", "two-way hard 8", "tip 5 gives them chips", "hard 8 5"),
    ("won", "move 6 9", "Bets are not moved", "down 6"),
    (
        "point",
        "iron cross",
        "place 5 10, place 6 8 12, field 5",
        "place 5 10, place 6 8 12, field 5",
    ),
    ("won", "up a unit", "'up' is not understood here", "press 6 6"),
    ("won", "press it", "'it' is not understood here", "press 8"),
    ("won", "twelve on the 6", "'twelve' is not understood here", "6 18"),
    ("come-out", "odds 20", "there is nothing on pass", "pass 10"),
    ("come-out", "pass 0", "there is nothing on it; bet more than 0", "pass 10"),
    ("won", "press 6 0", "place 6: pressed by 0; give more than 0", "press 6 6"),
    ("come-out", "pass -10", "'-10' is not an amount; write it in digits", "pass 10"),
    ("come-out", "pass 1e5", "'1e5' is not an amount; write it in digits", "pass 10"),
    ("come-out", "pass 99999999999999", "is too much; bet at most 999,999,999,999", "pass 10"),
    ("come-out", "pas 10", "did you mean pass?", "pass 10"),
    ("come-out", "feild 5", "did you mean field?", "field 5"),
    ("come-out", "11", "or yo 1 for that number", "yo 1"),
    ("come-out", "12", "or boxcars 1 for that number", "boxcars 1"),
    ("come-out", "place 7 6", "no place bet on 7: its numbers are 4, 5, 6, 8, 9, 10", "place 6 6"),
    ("come-out", "place", "no number; write a number and an amount", "place 6 6"),
    ("come-out", "pass 5 7", "is more than one amount; separate bets by commas", "pass 5"),
    ("come-out", "pass 5 field 5", "'field' is not an amount", "pass 5, field 5"),
    ("come-out", "hop 7 1", "a hop bet names two dice; write hop 5-3 2", "hop 5-3 2"),
    ("come-out", "roll 5 times", "write roll, or 4 2 for dice of your own", "roll"),
    ("won", "rest forever", "write rest, rest 2 hours or rest 50 rolls", "press 8"),
    ("won", "longer abc", "write longer 10", "press 8"),
    ("won", "down 6 5", "place 5: there is nothing on it", "down 6"),
    (
        "point",
        "place 6 8",
        "is unclear; write place 6 $8 for an amount, or place 6 8 min",
        "place 6 $8",
    ),
    (
        "point",
        "place 4 5 6 8 9 10",
        "is unclear; write place 4 5 6 8 9 $10",
        "place 4 5 6 8 9 10 min",
    ),
    ("point", "come 10 odds 20", "there is no come bet on the 10", "come 10"),
    ("point", "small 5", "it is bet on the come-out, and the point is 6", "field 5"),
    ("point", "pass the dice", "'the' is not understood here", "field 5"),
]


@pytest.mark.parametrize(("felt", "line", "says", "instead"), REFUSED)
def test_a_refusal_says_what_to_type(felt, line, says, instead, monkeypatch):
    with pytest.raises(SevenoutError, match=re.escape(says)):
        seated(felt).obey(line)
    monkeypatch.setattr("sys.stdin", Terminal())
    assert done(felt, line) == []
    assert done(felt, instead)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tip 0", "0 chips; give more than 0"),
        ("tip 9999", "a tip of $9,999: the rail has $890"),
        ("chips -5", "write chips 100"),
        ("longer 5000", "'5000' is too many; write a whole number from 0 to 1,000"),
        ("rest 101 hours", "10,100 rolls are too many; ask for at most 10,000"),
        ("why", "no bet is named; write one, such as why place 6"),
        ("edge", "no bet is named; write one, such as edge place 6"),
        ("press", "no bet is named; write one, such as press 8"),
        ("x" * 300, "is too long"),
    ],
)
def test_what_cannot_be_is_one_line(line, says):
    with pytest.raises(SevenoutError, match=re.escape(says)):
        seated("point").obey(line)


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("down don't pass 5", "down don't pass"),
        ("down pass odds 5", "down pass odds"),
        ("down odds 6 5", "down come 6 odds"),
        ("down hop 5-3 2", "down hop 3-5"),
        ("off inside 44", "off inside"),
        ("down hard ways 4", "down hard ways"),
        ("why field $5", "why field"),
    ],
)
def test_a_verb_without_an_amount_suggests_the_same_bet(line, instead):
    session = seated("come 6").session
    with pytest.raises(NotationError, match=f"takes no amount; write {instead}$"):
        read_line(session, line)
    assert read_line(session, instead)[0].amount is None


def test_a_wrong_part_of_a_line_makes_no_bet():
    at = seated("point")
    with pytest.raises(NotationError):
        at.obey("field 5, feild 5")
    assert len(at.session.acts) == 2


def test_a_bet_of_0_in_a_group_is_refused_as_it_is_alone():
    session = TableSession.from_text("sevenout table;place 6 = 12")
    changes = list(play(session, read_line(session, "inside 0")))
    assert [getattr(change, "is_refusal", False) for change in changes] == [True, False, True, True]
    assert changes[0].text == "place 5: there is nothing on it; bet more than 0"
    assert session.bets == {}


def test_a_refused_bet_does_not_keep_back_the_others():
    assert said_at("point", "field 5, come 6 odds 20, yo 1").count("$") >= 2


def test_the_help_is_of_lines_that_are_understood():
    session = TableSession.from_text("sevenout table;bankroll: 900" + FELTS["won"])
    for lines, _ in HELP:
        for line in lines.split(", ") if "field" not in lines else [lines]:
            assert read_line(session, line.replace("FILE", "a.txt"))
    for note in TOPICS.values():
        for line in re.findall(r"\b[Ss]ay ([a-z][^.:]*?\d)(?= once| after| for|[.:,])", note):
            assert read_line(session, line), line


def said_at(felt, line):
    """What the table says to a line."""
    at, told = seated(felt), []
    at._print = lambda text="", **_: told.append(str(text))
    at.width = 1000
    at.obey(line)
    return " ".join(told)


def test_a_bonus_bet_shows_what_was_hit_and_a_side_bet_its_name():
    text = "sevenout table;currency: $;small = 5;fire = 1;roll 4 2"
    felt = "point 6 | rail $294 | fire $1, small (6 hit) $5"
    assert table_talk.status(TableSession.from_text(text)) == felt
    lost = TableSession.from_text(f"{text};roll 3 4")
    assert table_talk.calls(lost)[-1][1].endswith("fire -1, small (6 hit) -5 = -6")


def test_the_edge_of_the_pass_line_is_that_of_the_come_out():
    assert "pays 1 to 1, edge 1.41 %, costs $2.09" in said_at("point", "edge pass")
    assert "edge 1.36 %" in said_at("point", "edge don't pass")


def test_bets_that_work_on_the_come_out_do_so_after_the_point_is_made():
    at = seated("won")
    at.obey("working")
    session = TableSession.from_text(at.session.to_text())
    session.roll((4, 2))
    assert session.point is None
    assert not session.is_off("place 8 on")
    assert session.roll((4, 4)).net == 14


@pytest.mark.parametrize(
    ("felt", "line", "says"),
    [
        ("won", "undo", "taken back: roll 5 3"),
        ("won", "undo 3", "taken back: 3 lines"),
        ("won", "undo all", "taken back: 8 lines   come-out | rail $900"),
        ("come-out", "undo all", "there is nothing to take back"),
        ("won", "why pass", "the pass line stays up once there is a point"),
        ("won", "why 6", "place 6: it may be bet now; it may be taken down"),
        ("won", "limits", "props and side bets from $1."),
        ("won", "limits", "Buy and lay bets: 5 % commission, on win."),
        ("come-out", "pass 10.5", "the win on $10.50 is rounded down"),
        ("come-out", "edge buy 4 35", "pays 69 to 35"),
        ("come-out", "edge lay 4 60", "pays 29 to 60"),
        # Each bet of a group has its own part of the amount: two units of 5 or of 6.
        ("come-out", "edge inside 44", "place 6 $12: pays 7 to 6"),
    ],
)
def test_what_the_table_says(felt, line, says):
    assert says in said_at(felt, line)


def test_undo_takes_back_a_line():
    session = TableSession.from_text("sevenout table;currency: $;bankroll: 300")
    list(play(session, read_line(session, "pass 10")))
    list(play(session, read_line(session, "place 5 9 100")))
    text = session.to_text()
    assert text.endswith("pass = 10\nplace 5 = 100\nand place 9 = 100\n")
    kept = TableSession.from_text(text)
    assert table_talk.take_back(kept) == "taken back: place 9: $100, place 5: $100"
    assert kept.bets == {"pass": 10}
    for kept in (session, TableSession.from_text(text)):
        assert kept.undo() == "place 9 = 100; place 5 = 100"
        assert kept.bets == {"pass": 10}
        assert kept.undo() == "pass = 10"
        assert kept.undo() is None


def test_what_is_taken_back_is_told_as_it_was_typed():
    text = "sevenout table;currency: $;bankroll: 300;pass = 5;pass = 15;place 6 = 12;place 6 = 0"
    acts = ["place 6: down", "place 6: $12", "pass: $5 → $15", "pass: $5"]
    text += ";tip 2;chips 100;place 6 = 6;place 6 > place 6 on"
    acts = ["place 6 on", "place 6: $6", "$100 of chips", "a tip of $2", *acts]
    session = TableSession.from_text(text)
    for act in acts:
        assert table_talk.take_back(session) == f"taken back: {act}"
    assert table_talk.take_back(session) == "there is nothing to take back"


def test_numbers_stand_in_their_order():
    session = TableSession.from_text("sevenout table;place 10 = 5;place 4 = 5;pass = 5;place 6 = 6")
    assert list(session.bets) == ["pass", "place 4", "place 6", "place 10"]


def test_the_edge_of_odds_needs_a_number():
    with pytest.raises(RulesError, match="odds need a point"):
        table_talk.edge(TableSession.from_text("sevenout table;pass = 5"), "pass odds", 20)


def test_the_same_bets_again():
    session = seated("lost").session
    assert bets_to_repeat(session) == [("field", 5), ("pass", 10), ("place 8", 12)]


def test_odds_on_a_number_are_not_that_much(monkeypatch, capsys):
    begun = ["pass 10", "4 2", "come 10", "5 4", "odds 9"]
    assert "for 20 behind the 9" in typed(begun, monkeypatch, capsys)[2]
    assert "come 9 odds: $20" in typed([*begun[:-1], "odds 9 20"], monkeypatch, capsys)[1]
    said = typed([*begun[:-1], "odds"], monkeypatch, capsys)[2]
    assert "no amount of odds; write odds 5 (up to $50)" in said
