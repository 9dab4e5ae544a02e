"""What players, teachers and strangers type: each is answered, or told what to type."""

import shlex

import pytest

from sevenout.cli import main
from sevenout.questions.entries.game_questions import FIRST_GAMES
from sevenout.questions.subjects import find_game

ANSWERED = {
    # strangers
    "": "Type one of these",
    "--help": "Usage: sevenout COMMAND",
    "help": "Usage: sevenout COMMAND",
    "craps": "244/495",
    "2d6": "standard deviation",
    "4d6kh3": "12.244599",
    "hazard": "house edge",
    "yo": "15",
    "games": "sevenout games --all",
    "games hard": "hardway-6-8",
    "games yathzee": "yahtzee",
    "games --all": "chuck-a-luck-1-2-3",
    # players
    "odds field": "1/36",
    "odds 'place 6'": "1/66",
    "odds Place-6": "1/66",
    "odds place-6": "1/66",
    "odds 'hard 8'": "1/11",
    "odds 'hard 4'": "1/9",
    "odds 'buy 4'": "number 4",
    "odds 'any seven'": "1/6",
    "odds 'Any 7'": "1/6",
    "odds yo": "1/9",
    "odds 'ace-deuce'": "1/9",
    "odds boxcars": "5/36",
    'odds "don\'t pass"': "3/220",
    "odds craps --at 6": "5/11",
    "odds craps --longer 10": "3.4828 %",
    "odds craps --given won": "12.8074 %",
    "odds craps --given lost": "lost",
    "odds craps --more": "skewness",
    "odds shooter": "mean rolls 8.525510",
    "odds shooter --longer 153": "1.789e-10, 1 in 5.6 billion",
    "odds 2,3,12/7,11/7": "244/495",
    "evening field --bankroll 20 --rolls 10": "mean result",
    "evening 'place 6' --bankroll 60 --rolls 10": "mean result",
    "evening 'hard 8' --bankroll 20 --rolls 10": "mean result",
    "evening 'iron cross' --bankroll 60 --rolls 5": "mean result",
    "evening Pass --bankroll 20 --rolls 10": "ends by time",
    "evening pass --amount 5 --bankroll 100 --rolls 5": "at once",
    "evening craps --bankroll 100 --amount 5 --target 200": "36.2231 %",
    "evening craps --bankroll 20 --forever": "100.0000 %",
    "evening": "three-point-molly",
    "evening --list": "iron-cross",
    "compare craps crapless": "Crapless",
    # players, as they say it
    "odds place 6": "5/11",
    "odds dont pass": "bar 12|returns the bet",
    "odds pass line": "244/495",
    "odds hi lo": "Hi-lo",
    "odds hilo": "2 or 12",
    "odds big 6": "even money",
    "odds snake eyes": "Aces",
    "odds hop 55": "faces 5,5",
    "odds Passline": "244/495",
    "odds craps --at 'point 6'": "5/11",
    "place 6": "5/11",
    "4d6 drop lowest": "12.244599",
    "iron cross": "Every total but the 7",
    "pig turn": "8.141794",
    "evening place 6 --bankroll 60 --rolls 5": "place 6",
    "evening pass iron cross --bankroll 60 --rolls 5": "Iron cross",
    "evening ironcross --bankroll 60 --rolls 5": "Iron cross",
    "evening pass --amount '$5' --bankroll '$1,000' --rolls 5": "ends by time",
    "evening pass --bankroll 20 --hours .1": "ends by time",
    "evening pass --bankroll 20 --rolls 20 --stop-win 3": "ends by stop win",
    "evening craps --bankroll 20 --bets 5": "ends by bets",
    "evening pass --rolls 100 --bankroll-for 95%": "smallest bankroll 11",
    "evening --best pass=1..5 --bankroll 10 --target 20": "5, 10, 15 5 on pass",
    "compare place 6 place 8": "number 8",
    "help odds": "Usage: sevenout odds",
    "odds help": "Usage: sevenout odds",
    "version": "0.",
    # teachers
    "dice 2d6 --until 7": "6.000000",
    "dice 2d6 --until 7,11": "4.500000",
    "dice 2d6 --until 11 --streak 18": "2.542e-23",
    "dice d6 --until 6 --streak 2": "42.000000",
    "dice 2d6 --vs d12": "2d6 is more",
    "dice 2d6 --roll 3 --seed 1": "2 + 5 = 7",
    "dice relabel 2d6": "d6{1,3,4,5,6,8}",
    "best pig-turn": "8.141794",
    "best pig-turn --at 20": "roll or hold",
    "best pig-turn --closest 2": "turn 19",
    "test count 5200 10000 --p 1/2": "does not agree",
    "test needed 1/2 3/5": "enough|or more tell",
    "test needed craps --change 2%": "are enough to detect",
    "test needed craps --mean rolls --change 1/10": "9,766 games are enough to detect",
    "simulate craps --games 1000": "probability of winning",
    # as they are typed by someone who has not read a page
    "odds c&e": "C&E",
    "odds lay 4": "number 4",
    "odds dont come": "house edge",
    "odds crapless craps": "Crapless craps",
    "2d6+3": "10.000000",
    "evening 3 point molly --rolls 5": "Three-point Molly",
    "evening field --forever": "100.0000 %",
    "compare pass vs field": "Pass line",
    "compare place 6 and place 8": "number 8",
    "test count 10 60 --p 1/6": "agrees with 1/6",
    "variants --count 1/2": "1,521 of 1,254,044",
}
TOLD = {
    "longer craps": "sevenout odds GAME --longer 10",
    "session craps": "sevenout evening GAME --bankroll 100 --target 200",
    "roll 2d6": "sevenout dice DICE --roll 3",
    "conform craps x.csv": "sevenout test log GAME FILE",
    "dice ranked": "dice relabel --ranked",
    "oddz craps": "did you mean odds?",
    "odds crabs": "did you mean craps",
    "evening moly": "did you mean molly",
    "evening pass --stake 5": "write --amount",
    "evening pass --odds 2": "pass:odds=2",
    "evening pass --bankrol 9": "write --bankroll",
    "evening craps --rounds 9": "write --bets",
    "odds craps --hours 4": "sevenout evening has it",
    "dice 2d6 --times 5": "write --roll",
    "odds craps --longer 5 --joint a,b": "does not go with",
    "dice": "write dice",
    "test count 3 5": "sevenout test count needs --p, such as --p 1/2",
    "odds craps --longer": "--longer needs a value, such as --longer 10",
    "odds the fire bet": "did you mean fire",
    "odds hard eight": "did you mean hard 8",
    "odds place six": "did you mean place 6",
    "odds 3x4x5x odds": "did you mean pass-3-4-5x-odds",
    "odds crown and anchor": "did you mean chuck-a-luck",
    "odds craps --given win": "give won, lost or push",
    "odds craps field": "did you mean field",
    "evening pass $5": "write --amount $5",
    "evening pass --win 50": "write --stop-win",
    "evening pass --bankroll 5 --rolls 9 --bankroll-for 90%": "does not go with --bankroll-for",
    "evening craps": "give --bets, --target or --stop-win, or --forever",
    "evening craps --bankroll-for 95%": "Craps is a game",
    "simulate craps 1000": "write --games 1000",
    "simulate craps --runs 5": "write --games",
    "dice 2d6 roll 3": "write --roll",
    "games --list": "write --all",
    "compare craps": "give them first, such as craps hazard",
    "test 5200 10000 --p 1/2": "sevenout test count HITS GAMES --p 1/2",
    "farkle": "did you mean farkle-turn",
    "best craps": "use `sevenout odds`",
    "odds 2d6": "write sevenout dice 2d6",
    "simulate 1000": "name a game first",
    "dice 2d6 7": "write --until 7 or --roll 7",
    "dice 2d6 --total 7": "write --until",
    "evening pass --hours": "such as --hours 10",
    "evening pass with odds": "write it after a colon: pass:odds=2",
    "evening --bankroll 100": "give them first, such as pass iron-cross",
    "play table --bankroll": "sevenout play table --bankroll 300",
    "test needed": "test needed needs a game, or two probabilities",
    "new": "sevenout new craps-like",
    "tune": "sevenout tune needs FILE, such as open-craps.toml",
    "certify craps --check": "certify --check craps.json",
    "-v": "sevenout --help lists the commands",
}


BAD = {
    "…": "a fraction that is too long is blank, with a note",
    "in the mean": "say on average",
    "counts the rest": "say all other totals",
    "of the player to move": "say that the player to move maximizes it",
    "decided in 1.00 rolls": "say by the next roll",
    "within 1 rolls": "say by the next roll",
    "1 rolls": "1 roll",
    "unless said otherwise": "say by default",
    "mean of money": "say mean result",
    "Everyone sees": "say nothing",
    "Equally good": "say that they are equally good",
    "< 0.0001 %": "small probabilities have digits",
    "kept up": "say while it stays up",
    "requires an argument": "say what is missing, with an example",
    "games show": "say are enough to detect",
    "ends by target": "after --stop-win, say stop win",
    "ends by rounds": "bets are bets",
}
"""What is no longer printed, and what is printed instead."""
PRINTED = (
    *("craps", "games", "odds craps --longer 10", "odds monopoly --long-run", "odds field --more"),
    *("odds hazard-turn --joint rounds,won", "odds shooter --longer 153", "odds craps --given won"),
    *("odds fast-craps --at come-out", "dice 2d6 --until 7 --rolls 1", "dice d6! --show 9"),
    *("best pig-turn", "best pig-turn --at 20"),
    *(
        "best threes",
        "best pig-turn --closest 2",
        "evening --best field=1..3 --bankroll 4 --rolls 3",
    ),
    *("evening --best pass=1..3 --bankroll 3 --target 4", "evening pass --extremes --rolls 9"),
    *("evening pass --rolls 30 --stop-win 3", "evening craps --bets 5", "evening pass --words"),
    *("evening craps --bankroll 20 --forever", "evening pass --rolls 9 --bankroll-for 90%"),
    *("evening pass iron-cross molly --bankroll 600 --rolls 4", "compare craps crapless"),
    *(
        "test needed 1/2 3/5",
        "test needed craps --mean rolls --change 1/10",
        "evening pass --rolls",
    ),
    *(
        "test count 5200 10000 --p 1/2",
        "variants --dice 2d4 --fairest",
        "test dice --example weldon",
    ),
)


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("line", ANSWERED)
def test_it_is_answered(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)
    assert main(words) == 0
    out = squeezed(capsys.readouterr().out)
    assert any(text in out for text in ANSWERED[line].split("|"))


@pytest.mark.parametrize("line", PRINTED)
def test_it_is_said_as_a_native_speaker_says_it(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(shlex.split(line)) in (0, 1, 2)
    captured = capsys.readouterr()
    # a list that is cut says so in words
    text = squeezed(captured.out + captured.err).replace("… and ", "")
    assert {bad for bad in BAD if bad in text} == set()
    assert max(map(len, captured.out.splitlines()), default=0) <= 80


@pytest.mark.parametrize("name", FIRST_GAMES)
def test_the_first_games_are_there(name: str) -> None:
    assert find_game(name).title


@pytest.mark.parametrize("line", TOLD)
def test_it_is_told_what_to_type(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert TOLD[line] in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out
