"""A table at the terminal: words as players say them, a real terminal, and crapssim's money."""

import os
import re
import subprocess
import sys
from codecs import getincrementaldecoder
from io import StringIO

import pytest

from sevenout.cli import main
from sevenout.cli.playing.table_help import HELP, TOPICS
from sevenout.errors import NotationError
from sevenout.games.craps_family.table.spots import spot, switch
from sevenout.games.craps_family.table.table_phrases import command, phrase
from sevenout.games.craps_family.table.table_session import TableSession
from sevenout.games.craps_family.table.table_words import bets_said

pty = pytest.importorskip("pty")

EVENING = """
pass 10 | no pass 10 | small 5 | tall 5 | all 5 | fire 5 | yo 1 | c&e 2 | 4 2
pass odds max | no pass odds 60 | come 10 | dont come 10 | place 5 10 | place 8 12 | field 5 | 5 4
odds 9 20 | dont come 9 odds 30 | buy 4 20 | lay 10 40 | hard 8 5 | hop 5 3 2 | any craps 5 | 5 3
hard 4 5 | big 6 10 | big 8 10 | horn 4 | any 7 5 | 2 2
press 8 | world 5 | aces 1 | ace deuce 1 | boxcars 1 | 6 6
off 5 | come 10 | 3 2
down 8 | hop 3 3 1 | 3 3
pass 10 | on 5 | 5 4
odds max | hard 6 5 | hard 10 5 | place 6 12 | 6 5
on 6 | 1 1
come 15 | 1 2
3 4
pass 25 | ats 10 | fire 1 | 6 5
pass 20 | 4 4
inside 22 | lay 4 40 | 5 4
press 9 5 | buy 10 40 | roll 6 4
5 5 | 3 1
place 4 10 | come 10 | 4 4
pass 5 | 6 3 | come 20 | 6 4 | odds 10 60 | 4 5
pass 5 | roll 6 4 | 6 1
"""
CRAPLESS = """
pass 10 | small 5 | place 2 10 | place 12 10 | buy 3 20 | lay 4 40 | 6 5
odds max | come 10 | field 5 | hop 1 1 2 | 1 1
odds 2 10 | come 10 | big 6 10 | 6 6
odds 12 max | hard 4 5 | yo 5 | 6 5
pass 10 | 1 1
odds max | come 20 | world 5 | 2 1
place 11 12 | buy 9 20 | roll 5 6
off 11 | 6 5
place 4 5 6 8 9 10 | pass 10 | roll 3 4
"""
TABLE = "field=2-2,bonus=30-30-150,vig=up front"


def lines_of(evening):
    return [line.strip() for part in evening.strip().splitlines() for line in part.split("|")]


def at_a_terminal(house, evening, path):
    """An evening, typed at a real terminal; its session, and what was seen.

    The file is named without its folder, so that no line depends on where the tests run.
    """
    words = ["play", "table", "--house", house, "--bankroll", "3000"]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "sevenout", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=path.parent,
    )
    os.close(theirs)
    seen, decoder = "", getincrementaldecoder("utf-8")()  # a read may end within a character
    for line in [*lines_of(evening), f"save {path.name}", "quit"]:
        while not seen.endswith("quit> "):
            seen += decoder.decode(os.read(ours, 65536))
        seen += line
        os.write(ours, f"{line}\n".encode())
    try:
        while more := os.read(ours, 65536):
            seen += decoder.decode(more)
    except OSError:  # the terminal is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0, seen
    return TableSession.from_text(path.read_text()), seen


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An evening of craps, typed."""
    return at_a_terminal(TABLE, EVENING, tmp_path_factory.mktemp("table") / "tonight.txt")


def test_an_evening_typed_at_a_terminal_is_what_was_said(played):
    session, seen = played
    made = {act.split(" = ")[0] for act in session.acts if "=" in act}
    made = {re.sub(r"(come|hop) \d\S*", r"\1", bet) for bet in made}
    assert len(made) > 30, made
    assert {"pass odds", "come odds", "don't come odds", "hop", "lay 4", "fire", "C&E"} <= made
    assert "no bet" not in seen
    assert "no word" not in seen
    assert "sevenout:" not in seen
    assert max(len(line) for line in seen.splitlines() if "quit> " not in line) < 80


def crapssim_bet(bet, amount, point):
    """A bet as crapssim has it; None for one that it has in a state of its own."""
    from crapssim import bet as theirs

    what = spot(bet)
    line = {"pass": theirs.PassLine, "don't pass": theirs.DontPass}
    line |= {"come": theirs.Come, "don't come": theirs.DontCome}
    if what.odds:
        working = True if what.works else None
        return theirs.Odds(line[what.kind], what.number or point, amount, working)
    if what.kind in line:
        return None if what.number else line[what.kind](amount)
    if what.kind in ("place", "buy", "lay"):
        on = True if what.kind == "lay" or what.works else None
        made = {"place": theirs.Place, "buy": theirs.Buy, "lay": theirs.Lay}[what.kind]
        return made(what.number, amount, on)
    if what.kind == "hard":
        return theirs.HardWay(what.number, amount)
    if what.kind == "hop":
        return theirs.Hop(what.seen, amount)
    simple = {
        "field": theirs.Field,
        "any 7": theirs.Any7,
        "any craps": theirs.AnyCraps,
        "yo": theirs.Yo,
        "aces": theirs.Two,
        "ace-deuce": theirs.Three,
        "boxcars": theirs.Boxcars,
        "horn": theirs.Horn,
        "world": theirs.World,
        "C&E": theirs.CAndE,
        "small": theirs.Small,
        "tall": theirs.Tall,
        "all": theirs.All,
        "fire": theirs.Fire,
    }
    if what.kind == "big":
        return {6: theirs.Big6, 8: theirs.Big8}[what.number](amount)
    if what.seen or "@" in bet:
        return None
    return simple[bet](amount)


def stands_as(theirs):
    """What a bet of crapssim is called here; its kind alone for those on a hand."""
    name = type(theirs).__name__
    kept = {"Come": "come", "DontCome": "don't come", "Fire": "fire", "Small": "small"}
    kept |= {"Tall": "tall", "All": "all"}
    if name in kept:
        number = getattr(theirs, "number", None)
        return f"{kept[name]} {number}" if number else kept[name]
    return None


def test_the_money_is_that_of_crapssim_after_every_roll(played):
    session, _ = played
    assert money_at_crapssim(session) == money_here(session)


def test_the_money_is_that_of_crapssim_at_crapless_craps(tmp_path):
    house = f"{TABLE},crapless=yes"
    session, _ = at_a_terminal(house, CRAPLESS, tmp_path / "crapless.txt")
    assert {"place 2", "come 12 odds"} <= {act.split(" = ")[0] for act in session.acts}
    assert money_at_crapssim(session) == money_here(session)


def money_here(session):
    """The money after each roll: rail and felt."""
    return [moment.money for moment in session.moments[1 : session.rolls + 1]]


def money_at_crapssim(session):
    """The money after each roll of the same bets, played by crapssim."""
    pytest.importorskip("crapssim")
    from crapssim.rules import ClassicRules, CraplessRules
    from crapssim.strategy.tools import NullStrategy
    from crapssim.table import Table, TableUpdate

    table = Table(rules=CraplessRules() if session.house.crapless else ClassicRules())
    player = table.add_player(bankroll=3000, strategy=NullStrategy())
    money = []
    for act in session.history():
        if act.rolled is None:
            continue
        here = dict(act.before.bets)
        kept = {
            re.split(r" @| \d+(?:,\d+)*$", b)[0]
            if spot(b).kind not in ("come", "don't come")
            else b
            for b in here
        }
        for bet in list(player.bets):  # what they take down on a win stands here, so begin anew
            name = stands_as(bet)
            if name is None and type(bet).__name__ not in ("PassLine", "DontPass"):
                player.remove_bet(bet)
            elif name is not None:
                assert name in kept, (act.line, name, kept)
        for bet, amount in here.items():
            off = session.house.is_off(spot(bet), act.before.point)
            if off and not spot(bet).odds:
                continue
            made = crapssim_bet(
                switch(bet)[0] if spot(bet).works is None else bet, amount, act.before.point
            )
            if made is not None and made not in player.bets:
                before = len(player.bets)
                player.add_bet(made)
                assert len(player.bets) == before + 1, (act.line, bet, "refused by crapssim")
        faces = session.moments[len(money) + 1].faces
        TableUpdate().run(table, dice_outcome=faces)
        money.append(player.bankroll + sum(bet.cost(table) for bet in player.bets))
    return money


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
    ("place all the numbers 32", [(f"place {n}", 5 + (n in (6, 8))) for n in (4, 5, 6, 8, 9, 10)]),
]


@pytest.mark.parametrize(("line", "bets"), SAID)
def test_a_bet_is_named_as_players_name_it(line, bets):
    assert [tuple(said) for said in bets_said(TableSession(), phrase(line))] == bets


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
    "crapless": "help",
}
"""What new players said in their first five minutes."""


@pytest.mark.parametrize(("line", "verb"), GUESSED.items())
def test_a_command_is_said_as_players_say_it(line, verb):
    assert command(line).verb == verb


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
    assert "no amount of odds; write 5 to $50" in said


def typed(lines, monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines) + "\n"))
    code = main(["play", "table", "--seed", "3", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_word_of_the_help_is_taken(monkeypatch, capsys, tmp_path):
    begun = [
        "pass 10",
        "4 2",
        "come 10",
        "5 4",
        "come 10",
        "6 3",
        "come 10",
        "4 2",
        "pass 10",
        "6 2",
    ]
    begun += ["place 6 8 12"]
    for said, _ in HELP:
        for line in re.sub(r"FILE", str(tmp_path / "x.txt"), said).split(", "):
            code, out, err = typed([*begun, line], monkeypatch, capsys)
            assert (code, err) == (0, ""), (line, err)
            assert "no bet" not in out.split("> ")[-1], line
    prompt = ["roll", "bet", "help", "quit"]
    assert typed(prompt, monkeypatch, capsys)[0] == 0


def test_a_word_that_is_none_is_one_line(monkeypatch, capsys):
    code, _, err = typed(["dance 5"], monkeypatch, capsys)
    assert code == 2
    assert err.startswith("sevenout: 'dance' is no word of the table; `bets` lists the bets")
    code, out, _ = typed(["come 5", "place 6 500"], monkeypatch, capsys)
    assert code == 0
    assert "come: come bets need a point: it is the come-out now" in out
    assert "place 6: it takes $500, and the rail has $300" in out


def test_a_session_is_saved_resumed_and_undone(monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    lines = ["pass 10", "", "", "undo", f"save {path}"]
    _, first, _ = typed(lines, monkeypatch, capsys)
    _, again, _ = typed([f"resume {path}", "roll"], monkeypatch, capsys)
    assert first.count("[") == 4
    assert (
        re.findall(r"^\[.*", again, re.MULTILINE) == re.findall(r"^\[.*", first, re.MULTILINE)[1:]
    )


def test_a_number_presses_the_place_bet_and_not_the_hard_way(monkeypatch, capsys):
    lines = ["hard 6 5", "place 6 12", "press 6", "press hard 6"]
    _, out, _ = typed(lines, monkeypatch, capsys)
    pressed = [line.partition(" (")[0].strip() for line in out.splitlines() if "→" in line]
    assert pressed == ["place 6: $12 → $24", "hard 6: $5 → $10"]


def test_what_is_said_of_the_rest_can_be_typed_at_the_table(monkeypatch, capsys):
    _, out, _ = typed(["pass 5", "4 2", "rest 9"], monkeypatch, capsys)
    assert "count at their stakes" in " ".join(out.split())
    assert "standing" not in out


def test_quotes_are_no_part_of_a_file_name(monkeypatch, capsys, tmp_path):
    path = tmp_path / "my evening.txt"
    typed(["pass 10", f'save "{path}"'], monkeypatch, capsys)
    assert [each.name for each in tmp_path.iterdir()] == ["my evening.txt"]
    _, again, _ = typed([f"resume '{path}'"], monkeypatch, capsys)
    assert "pass $10" in again


@pytest.mark.parametrize("columns", ["40", "80"])
def test_every_line_fits(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    lines = [
        "help",
        "bets",
        "pass 10",
        "4 2",
        "odds max",
        "come 5",
        "5 4",
        "mean",
        "rare",
        "coach",
    ]
    lines += ["help odds", "edge place 6", "longer 10"]
    code, out, _ = typed(lines, monkeypatch, capsys)
    assert code == 0
    assert max(map(len, out.splitlines())) <= int(columns)


def test_a_saved_session_is_compared_with_a_strategy(monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    typed(["pass 5", "3 4", "pass 5", "6 6", f"save {path}"], monkeypatch, capsys)
    assert main(["evening", "pass:amount=5", "--played", str(path)]) == 0
    seen = capsys.readouterr().out
    assert "of 1,000 evenings" in seen
    assert re.search(r"mean result of the strategy +\+0\.57", seen)  # what stands counts as staked
    assert main(["evening", "--played", str(path), "--json"]) == 0
    assert '"result": "0"' in capsys.readouterr().out
    path.write_text("sevenout table\ncome = 5\n")
    assert main(["evening", "--played", str(path)]) == 2
    assert "line 2: come: come bets need a point" in capsys.readouterr().err


def test_a_session_is_compared_at_the_minimum_of_its_table(monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    typed(["pass 5", "3 4", "pass 5", "6 6", f"save {path}"], monkeypatch, capsys)
    assert main(["evening", "pass", "--played", str(path)]) == 0
    seen = capsys.readouterr().out
    assert "beside Pass line (×5)" in seen
    assert re.search(r"mean result of the strategy +\+0\.57", seen)


WRONG = {
    "evening pass --played {} --hours 4": "--hours and --played are both given; leave --hours out",
    "evening pass --played {} --stop-loss 5": "leave --stop-loss out",
    "evening pass --played {} --plot x.svg": "leave --plot out",
    "evening {}": "a session saved at the table is read by sevenout evening --played",
    "evening pass --played {}": "this session bought more chips",
}


@pytest.mark.parametrize(("words", "says"), WRONG.items())
def test_what_does_not_go_with_a_session_is_one_line(words, says, monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    typed(["pass 5", "3 4", "chips 50", f"save {path}"], monkeypatch, capsys)
    capsys.readouterr()
    assert main(words.format(path).split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("word", TOPICS)
def test_help_on_a_word_is_the_note_on_that_word(word, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "1000")
    _, out, _ = typed([f"help {word}"], monkeypatch, capsys)
    assert TOPICS[word] in " ".join(out.split())


def test_words_of_the_first_minutes_have_a_note(monkeypatch, capsys):
    lines = ["pass 10", "3 4", "pass 10", "4 2", "place 8 12", "3 4", "coach"]
    _, out, _ = typed(lines, monkeypatch, capsys)
    for word in ("rail", "natural", "come-out", "point", "seven out", "edge", "luck"):
        assert word in out, word
        _, told, _ = typed([f"help {word}"], monkeypatch, capsys)
        assert "no help on" not in told, word


def test_odds_without_a_bet_are_refused_with_the_rule(monkeypatch, capsys):
    _, out, _ = typed(["odds max", "4 2", "odds max"], monkeypatch, capsys)
    said = " ".join(out.split())
    assert said.count("pass odds: odds go behind a bet: there is nothing on pass") == 2
    assert "$0 stands" not in said
