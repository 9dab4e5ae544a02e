"""The words of a table: what players say there, what comes of it, and what is said instead."""

import re

import pytest
from tests.cli.typed_evening import typed

from sevenout.catalogue.craps_family.table.spoken.table_phrases import command, phrase
from sevenout.catalogue.craps_family.table.spoken.table_words import bets_said, line_said
from sevenout.catalogue.craps_family.table.table_session import TableSession
from sevenout.cli.playing.table_help import TOPICS
from sevenout.cli.playing.table_play import AtTable
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.papers import table_talk

SAID = [
    ("dark side 10", [("don't pass", 10)]),
    ("all small and tall 5", [("small", 5), ("tall", 5), ("all", 5)]),
    ("all the hardways 1", [(f"hard {n}", 1) for n in (4, 6, 8, 10)]),
    ("place 6 and 8", [("place 6", None), ("place 8", None)]),
    ("twelve on the 6", [("place 6", 12)]),
    ("5 3 hop 2", [("hop 3-5", 2)]),
    ("20 odds", [("pass odds", 20)]),
    ("ten on the line", [("pass", 10)]),
    ("bet 10 on the pass line", [("pass", 10)]),
    ("place 6 12", [("place 6", 12)]),
    ("$12 on the six", [("place 6", 12)]),
    ("place the 6 and 8 for 12 each", [("place 6", 12), ("place 8", 12)]),
    ("no pass 10", [("don't pass", 10)]),
    ("dont pass 10", [("don't pass", 10)]),
    ("don't come", [("don't come", None)]),
    ("pass line 5", [("pass", 5)]),
    ("hard 8 5", [("hard 8", 5)]),
    ("hardways 5", [(f"hard {n}", 5) for n in (4, 6, 8, 10)]),
    ("hard eight", [("hard 8", None)]),
    ("hop 5 3 2", [("hop 3-5", 2)]),
    ("hop 53 2", [("hop 3-5", 2)]),
    ("5 on the hop 2-2", [("hop 2-2", 5)]),
    ("any seven 5", [("any 7", 5)]),
    ("big red 5", [("any 7", 5)]),
    ("c and e 2", [("C&E", 2)]),
    ("snake eyes 1", [("aces", 1)]),
    ("eleven 1", [("yo", 1)]),
    ("inside 22", [("place 5", 5), ("place 6", 6), ("place 8", 6), ("place 9", 5)]),
    ("ats 5", [("small", 5), ("tall", 5), ("all", 5)]),
    ("repeater 6 5", [("repeater 6", 5)]),
    ("big 6 10", [("big 6", 10)]),
    ("come 6 odds 20", [("come 6 odds", 20)]),
    ("odds max", [("pass odds", "most")]),
    ("buy the 4 for 20", [("buy 4", 20)]),
    ("yo for a dollar", [("yo", 1)]),
    ("dollar yo", [("yo", 1)]),
    ("5 dollars on the field", [("field", 5)]),
    ("aces for 2 bucks", [("aces", 2)]),
    ("6s and 8s", [("place 6", None), ("place 8", None)]),
    ("twelve dollar six and eight", [("place 6", 12), ("place 8", 12)]),
    ("six and eight, 12 each", [("place 6", 12), ("place 8", 12)]),
    ("30 six and eight", [("place 6", 30), ("place 8", 30)]),
    ("ten dollar come bet", [("come", 10)]),
    ("five dollar hard eight", [("hard 8", 5)]),
    ("hard six and hard eight, 5 each", [("hard 6", 5), ("hard 8", 5)]),
    ("two dollar c and e", [("C&E", 2)]),
    ("C & E", [("C&E", None)]),
    ("nickel on the hard 8", [("hard 8", 5)]),
    ("hop the 6s 1", [("hop 1-5", 1), ("hop 2-4", 1), ("hop 3-3", 1)]),
    ("hopping sixes", [("hop 1-5", None), ("hop 2-4", None), ("hop 3-3", None)]),
    ("horn 4", [("horn", 4)]),
    ("horn high yo 5", [("horn high 11", 5)]),
    ("three way craps 3", [("three-way", 3)]),
    ("crap check 1", [("any craps", 1)]),
    ("no 4 for 40", [("lay 4", 40)]),
    ("buy the 4 for 25", [("buy 4", 25)]),
    ("buy the ten, 25", [("buy 10", 25)]),
    ("dont 10", [("don't pass", 10)]),
    ("make em all 5", [("all", 5)]),
    ("bonus 5", [("small", 5), ("tall", 5), ("all", 5)]),
    ("max on the 6", [("place 6", "most")]),
    ("all the odds", [("pass odds", "most")]),
    ("small and tall 5", [("small", 5), ("tall", 5)]),
    ("pass 10 and a dollar on the fire", [("pass", 10), ("fire", 1)]),
    ("pass 10 with 20 odds", [("pass", 10), ("pass odds", 20)]),
    ("12 on the 6 and 8, and 5 on the field", [("place 6", 12), ("place 8", 12), ("field", 5)]),
    ("place 5 10, place 6 8 12", [("place 5", 10), ("place 6", 12), ("place 8", 12)]),
    (
        "place 5 and 9 for 10, and 6 and 8 for 12",
        [("place 5", 10), ("place 9", 10), ("place 6", 12), ("place 8", 12)],
    ),
    ("6 to 12 and 8 to 18", [("place 6", 12), ("place 8", 18)]),
    ("place 24 on 6 and 8", [("place 6", 24), ("place 8", 24)]),
    ("odds 20 on the pass line", [("pass odds", 20)]),
    ("buy the four for twenty five", [("buy 4", 25)]),
    ("ninety-six on the 8", [("place 8", 96)]),
    ("8 max", [("place 8", "most")]),
    ("five on the hard 6 and hard 8", [("hard 6", 5), ("hard 8", 5)]),
    ("$12 six and $12 eight", [("place 6", 12), ("place 8", 12)]),
    ("6/8 12", [("place 6", 12), ("place 8", 12)]),
    ("come 15", [("come", 15)]),
    ("dont come 25", [("don't come", 25)]),
    ("red on the pass", [("pass", 5)]),
    ("green on the pass line", [("pass", 25)]),
    ("pass two hundred", [("pass", 200)]),
    ("pass ten thousand", [("pass", 10_000)]),
    ("all in on pass", [("pass", "most")]),
    ("darkside 10", [("don't pass", 10)]),
    ("bonus craps 5", [("small", 5), ("tall", 5), ("all", 5)]),
    ("hop hard 6", [("hop 3-3", None)]),
    ("hop 8 the hard way for 2", [("hop 4-4", 2)]),
    ("easy 8 hop", [("hop 2-6", None), ("hop 3-5", None)]),
    ("hop all the 7s", [("hop 1-6", None), ("hop 2-5", None), ("hop 3-4", None)]),
    ("on the hop 3 3", [("hop 3-3", None)]),
    ("place all the numbers 32", [(f"place {n}", 5 + (n in (6, 8))) for n in (4, 5, 6, 8, 9, 10)]),
]


@pytest.mark.parametrize(("line", "bets"), SAID)
def test_a_bet_is_named_as_players_name_it(line, bets):
    assert [tuple(said) for said in line_said(TableSession(), line)] == bets


def test_every_bet_is_named_by_the_name_that_the_table_lists():
    text = "sevenout table;bankroll: 300;pass = 10;roll 4 2;come = 10;roll 5 4"
    session = TableSession.from_text(text)
    for offer in session.legal():
        said = bets_said(session, phrase(f"{offer.bet} 5"))
        assert [tuple(each) for each in said] == [(offer.bet, 5)], offer.bet


GUESSED = {
    "what can I bet?": "bets",
    "how much do I have": "felt",
    "what's my bankroll?": "felt",
    "how am I doing": "felt",
    "roll the dice": "roll",
    "come out roll": "roll",
    "take full odds": "bet",
    "take the 6 down": "down",
    "take down the 6": "down",
    "turn my bets off": "off",
    "place bets off": "off",
    "what is the edge on hard 8": "edge",
    "how rare": "rare",
    "color me up": "leave",
    "tip the dealers 5": "tip",
    "odds?": "help",
    "what is a come bet": "help",
    "explain odds": "help",
    "what's the point": "felt",
    "am I winning": "felt",
    "show me my bets": "felt",
    "my bets": "felt",
    "what did I win": "history",
    "last rolls 3": "history",
    "what does the 6 pay": "edge",
    "table limits": "limits",
    "worth": "mean",
    "let it ride": "parlay",
    "same again": "same",
    "how likely is this shooter to roll ten more": "longer",
    "rest for 2 hours": "rest",
    "change 100": "chips",
    "5 for the dealers": "tip",
    "no action": "off",
    "make my place bets work": "on",
    "let's roll": "roll",
    "crapless": "help",
    "what do I do?": "help",
    "hello": "help",
    "menu": "help",
    "roll the bones": "roll",
    "3-4": "roll",
    "what's on the felt": "felt",
    "point": "felt",
    "balance": "felt",
    "payout hard 8": "edge",
    "what's the payout on the field": "edge",
    "house edge of field": "edge",
    "I'm done": "leave",
    "stop": "leave",
    "marker 500": "chips",
    "undo all": "undo",
    "rest of evening": "rest",
    "rest 30 minutes": "rest",
    "double the 6": "press",
    "increase 6 by 6": "press",
    "lower the 8": "regress",
    "put it back up": "same",
    "off on the come-out": "off",
    "working on the come-out": "early",
}
"""What new players said in their first five minutes."""


@pytest.mark.parametrize(("line", "verb"), GUESSED.items())
def test_a_command_is_said_as_players_say_it(line, verb):
    assert command(line).verb == verb


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
    return AtTable(TableSession.from_text(text), 400, quiet=True)


def done(felt, line):
    """What a line does at a felt."""
    at = seated(felt)
    before = list(at.session.acts)
    at.answer(line)
    assert at.session.acts[: len(before)] == before
    return at.session.acts[len(before) :]


DONE = [
    ("won", "parlay the 8", ["place 8 = 26"]),
    ("won", "let it ride", ["place 8 = 26"]),
    ("won", "press it", ["place 8 = 24"]),
    ("won", "press the 8 one unit", ["place 8 = 18"]),
    ("won", "press the 6 by 6", ["place 6 = 18"]),
    ("won", "add 6 to the 8", ["place 8 = 18"]),
    ("won", "6 more on the 8", ["place 8 = 18"]),
    ("won", "press all", ["place 6 = 24", "place 8 = 24"]),
    ("won", "press the 8 to 18", ["place 8 = 18"]),
    ("won", "make it 18 on the 8", ["place 8 = 18"]),
    ("won", "down to 6", ["place 8 = 6"]),
    ("won", "8 down to 6", ["place 8 = 6"]),
    ("won", "down to 6 on the 8", ["place 8 = 6"]),
    ("won", "take the 8 down to 6", ["place 8 = 6"]),
    ("won", "regress the 6", ["place 6 = 6"]),
    ("won", "regress", ["place 8 = 6"]),
    ("won", "take down the 6", ["place 6 = 0"]),
    ("won", "take it down", ["place 8 = 0"]),
    ("won", "take me down", ["place 6 = 0", "place 8 = 0"]),
    ("won", "turn everything off", ["place 6 > place 6 off", "place 8 > place 8 off"]),
    ("won", "same bet", ["hard 8 = 5"]),
    ("lost", "same bets", ["pass = 10", "field = 5", "place 8 = 12"]),
    ("point", "20 behind", ["pass odds = 20"]),
    ("point", "back it up with 20", ["pass odds = 20"]),
    ("point", "double odds", ["pass odds = 20"]),
    ("point", "lay 20 odds", ["pass odds = 20"]),
    ("point", "press it", []),
    ("point", "26 across", [f"place {n} = {5 + (n == 8)}" for n in (4, 5, 8, 9, 10)]),
    ("come 6", "20 behind the six", ["come 6 odds = 20"]),
    ("come 6", "max odds on the come", ["come 6 odds = 50"]),
    ("come 6", "odds behind the come 6 max", ["come 6 odds = 50"]),
    ("come 6", "pass odds 6", ["pass odds = 6"]),
    ("come-out", "my bets", []),
    ("won", "press it up", ["place 8 = 24"]),
    ("won", "press 6 up", ["place 6 = 24"]),
    ("won", "reduce the 8 by 6", ["place 8 = 6"]),
    ("won", "take 6 off the 8", ["place 8 = 6"]),
    ("won", "regress to 6 each", ["place 8 = 6"]),
    ("won", "hard 8 back up", ["hard 8 = 5"]),
    ("won", "max odds on everything", ["come 9 odds = 40", "pass odds = 50"]),
    ("won", "double odds on all my come bets", ["come 9 odds = 20"]),
    ("won", "working on the come-out", ["place 6 > place 6 on", "place 8 > place 8 on"]),
    ("won", "take me off", ["place 6 > place 6 off", "place 8 > place 8 off"]),
    ("come-out", "pass 10 with double odds", ["pass = 10"]),
    ("come-out", "horn high yo", ["horn high 11 = 5"]),
    ("come-out", "place 6 5", ["place 6 = 5"]),
]


@pytest.mark.parametrize(("felt", "line", "acts"), DONE)
def test_a_line_does_what_players_mean(felt, line, acts, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal())
    assert sorted(done(felt, line)) == sorted(acts)


class Terminal:
    def isatty(self):
        return True


REFUSED = [
    ("point", "come 10 with odds", "once a roll has moved it to its number", "come 10"),
    ("point", "come odds 20", "once a roll has moved it to its number", "come 10"),
    ("won", "come 10 with max odds", "once a roll has moved it to its number", "come 10"),
    ("won", "parlay the 6", "place 6: it did not win on the last roll", "press 6"),
    ("point", "parlay it", "press 8 6 adds 6 to what is on the 8", "place 8 6"),
    ("point", "same", "the dice took none down, or all are back up", "field 5"),
    ("come 6", "press it once", "'it' is not a word of the table", "press hard 8"),
    ("come 6", "odds behind the come 6", "write odds 6 5 (up to $50) or odds 6 max", "odds 6 max"),
    ("point", "take the odds", "write odds 5 (up to $50) or odds max", "odds 5"),
    ("won", "press 2x odds", "there is nothing on it", "odds 20"),
    ("won", "press 8 2x", "2x is for odds; write press place 8 6", "press place 8 6"),
    ("point", "27 across", "write 32 or 64, or 26 without the point", "26 across"),
    ("won", "two-way hard 8", "tip 5 gives them chips", "tip 5"),
    ("won", "hard eight for the dealers", "tip 5 gives them chips", "tip 5"),
    ("won", "move the 6 to 9", "Bets are not moved", "down 6"),
    (
        "point",
        "iron cross",
        "place 5 10, place 6 8 12, field 5",
        "place 5 10, place 6 8 12, field 5",
    ),
    ("won", "20 on the 9", "odds 9 20 puts 20 behind it", "odds 9 20"),
    ("come-out", "double odds", "there is nothing on pass", "pass 10"),
    ("come-out", "pass 0", "there is nothing on it; bet more than 0", "pass 10"),
    ("come-out", "pass -10", "'-10' is not an amount; bet more than 0", "pass 10"),
    ("come-out", "pass 1e5", "'1e5' is not an amount; write it out", "pass 10"),
    ("come-out", "pass 99999999999999", "is too much; bet at most 999,999,999,999", "pass 10"),
    ("come-out", "pas 10", "did you mean pass?", "pass 10"),
    ("come-out", "feild 5", "did you mean field?", "field 5"),
    ("come-out", "11", "or yo 1 for that number", "yo 1"),
    ("come-out", "12", "or boxcars 1 for that number", "boxcars 1"),
    ("come-out", "place 7 6", "no place bet on 7: its numbers are 4, 5, 6, 8, 9, 10", "place 6 6"),
    ("come-out", "dollar any", "say any 7 5, or any craps 5", "any 7 5"),
    ("come-out", "roll 5 times", "write roll, or 4 2 for dice of your own", "roll"),
    ("won", "rest forever", "write rest, rest 2 hours or rest 50 rolls", "press it"),
    ("won", "longer abc", "write longer 10", "press it"),
    ("won", "half press the 8", "press 8 6 adds 6", "press 8 6"),
    ("won", "power press", "write 8 to 30", "8 to 30"),
    ("won", "press both", "Name the numbers: press 6 and 8", "press 6 and 8"),
    ("point", "6 8", "is unclear; write place 6 for 8, or place 6 and 8", "place 6 and 8"),
    (
        "point",
        "place 4 5 6 8 9 10",
        "write place 4 5 6 8 9 for 10, or place 4, 5, 6, 8, 9 and 10",
        "place 4, 5, 6, 8, 9 and 10",
    ),
    ("point", "come 10 odds 20", "there is no come bet on the 10", "come 10"),
    ("point", "small 5", "it is bet on the come-out, and the point is 6", "field 5"),
    ("point", "place 6 8 12 and 5 9 10", "no bet 'place 12' here", "place 6 8 12, place 5 9 10"),
    ("point", "buy 4 for 25 and 10 for 25", "name the second bet too", "buy 4 25, buy 10 25"),
    ("point", "hard 8 5 and 12 on the 6", "name the second bet too", "hard 8 5, place 6 12"),
    ("point", "all in", "'all-in' is not a word of the table", "field 5"),
    (
        "point",
        "pass the dice",
        "'dice' is not a word of the table; `bets` lists the bets",
        "field 5",
    ),
]


@pytest.mark.parametrize(("felt", "line", "says", "instead"), REFUSED)
def test_a_refusal_says_what_to_type(felt, line, says, instead, monkeypatch):
    with pytest.raises(SevenoutError, match=re.escape(says)):
        seated(felt).try_to(line)
    monkeypatch.setattr("sys.stdin", Terminal())
    assert done(felt, line) == []
    assert done(felt, instead)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tip 0", "0 chips; give more than 0"),
        ("tip 9999", "a tip of $9,999: the rail has $890"),
        ("chips -5", "-5 chips; give more than 0"),
        ("longer 5000", "5000 is too many; ask for at most 1,000"),
        ("rest 101 hours", "101 is too many; ask for at most 100"),
        ("why", "no bet is named; write one, such as why come"),
        ("edge", "Say edge place 6"),
    ],
)
def test_what_cannot_be_is_one_line(line, says):
    with pytest.raises(SevenoutError, match=re.escape(says)):
        seated("point").try_to(line)


def test_what_a_note_says_to_say_is_taken():
    told = [
        re.split(r",? or |, (?=[a-z])", said)
        for note in TOPICS.values()
        for said in re.findall(r"\b[Ss]ay ([^.:]*?)(?= once| after| for the|[.:])", note)
    ]
    lines = [line.removeprefix("then ") for several in told for line in several]
    assert len(lines) > 15
    for line in lines:
        if not line.startswith("sevenout "):
            verb, rest = command(line)
            assert verb not in ("bet", "help") or bets_said(TableSession(), phrase(rest)), line


def test_a_bonus_bet_shows_what_was_hit_and_a_side_bet_its_name():
    text = "sevenout table;currency: $;small = 5;fire = 1;roll 4 2"
    felt = "point 6 | rail $294 | fire $1, small (6 hit) $5"
    assert table_talk.status(TableSession.from_text(text)) == felt
    lost = TableSession.from_text(f"{text};roll 3 4")
    assert table_talk.calls(lost)[-1][1].endswith("fire -1, small (6 hit) -5 = -6")


def said_at(felt, line, monkeypatch):
    """What the table says to a line."""
    at, told = seated(felt), []
    at._say = lambda text="", **_: told.append(str(text))
    at.width = 1000
    monkeypatch.setattr("sys.stdin", Terminal())
    at.answer(line)
    return " ".join(told)


def test_the_edge_of_the_pass_line_is_that_of_the_come_out(monkeypatch):
    assert "pays 1 to 1, edge 1.41 %, costs $2.09" in said_at("point", "edge pass", monkeypatch)
    assert "edge 1.36 %" in said_at("point", "edge don't pass", monkeypatch)


def test_bets_that_work_on_the_come_out_do_so_after_the_point_is_made():
    at = seated("won")
    at.try_to("working on the come-out")
    session = TableSession.from_text(at.session.to_text())
    session.roll((4, 2))
    assert session.point is None
    assert not session.is_off("place 8 on")
    assert session.roll((4, 4)).net == 14
    assert said_again(session) == "all that can be on is on already"


def said_again(session):
    at, told = AtTable(session, 400, quiet=True), []
    at._say = lambda text="", **_: told.append(str(text))
    at.try_to("working")
    return " ".join(told)


@pytest.mark.parametrize(
    ("felt", "line", "says"),
    [
        ("won", "undo", "taken back: roll 5 3"),
        ("won", "undo 3", "taken back: 3 actions"),
        ("won", "undo all", "taken back: 8 actions   come-out | rail $900"),
        ("come-out", "undo all", "there is nothing to take back"),
        ("won", "why can't I take down pass", "pass: the pass line stays up once there is a point"),
        ("won", "why can't I take down the 6", "place 6: it may be taken down"),
        ("won", "limits", "props and side bets from $1."),
        ("won", "limits", "Buy and lay bets: 5 % commission, on win."),
        ("come-out", "pass 10.5", "the win on $10.50 is rounded down"),
    ],
)
def test_what_the_table_says(felt, line, says, monkeypatch):
    assert says in said_at(felt, line, monkeypatch)


def test_what_is_taken_back_is_told_as_it_was_said():
    text = "sevenout table;currency: $;bankroll: 300;pass = 5;pass = 15;place 6 = 12;place 6 = 0"
    acts = ["place 6: down", "place 6: $12", "pass: $5 → $15", "pass: $5"]
    text += ";tip 2;chips 100;place 6 = 6;place 6 > place 6 on"
    acts = ["place 6 on", "place 6: $6", "$100 of chips", "a tip of $2", *acts]
    session = TableSession.from_text(text)
    for act in acts:
        assert table_talk.undone(session) == act
        session.undo()
    assert not table_talk.undone(session)


def test_numbers_stand_in_their_order():
    session = TableSession.from_text("sevenout table;place 10 = 5;place 4 = 5;pass = 5;place 6 = 6")
    assert list(session.bets) == ["pass", "place 4", "place 6", "place 10"]


def test_the_edge_of_odds_needs_a_number():
    with pytest.raises(RulesError, match="odds need a point"):
        table_talk.edge(TableSession.from_text("sevenout table;pass = 5"), "pass odds", 20)


@pytest.mark.parametrize(
    "line", ["dance", "pass 5 7", "come again", "two way yo", "place 7x", "odds field 5", "hop 7 1"]
)
def test_no_word_is_passed_over(line):
    with pytest.raises(NotationError):
        bets_said(TableSession(), phrase(line))


def test_odds_on_a_number_are_not_that_much(monkeypatch, capsys):
    begun = ["pass 10", "4 2", "come 10", "5 4", "odds on the 9"]
    assert "for 20 behind the 9" in typed(begun, monkeypatch, capsys)[2]
    assert "come 9 odds: $20" in typed([*begun[:-1], "odds 9 20"], monkeypatch, capsys)[1]
    said = typed([*begun[:-1], "odds"], monkeypatch, capsys)[2]
    assert "no amount of odds; write odds 5 (up to $50)" in said
