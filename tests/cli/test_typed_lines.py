"""What players, teachers and strangers type: each is answered, or told what to type."""

import shlex

import pytest

from sevenout.cli import main

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
    "odds craps --longer": "sevenout odds needs --longer, such as --longer 10",
}


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("line", ANSWERED)
def test_it_is_answered(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)
    assert main(words) == 0
    out = squeezed(capsys.readouterr().out)
    assert any(text in out for text in ANSWERED[line].split("|"))


@pytest.mark.parametrize("line", TOLD)
def test_it_is_told_what_to_type(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert TOLD[line] in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out
