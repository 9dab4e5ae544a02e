"""Small mistakes on the command line, and the sentence that says what to type instead."""

import pytest

from sevenout.cli import main

MISTAKES = {
    "odds craps hazard": "sevenout odds takes one game; write sevenout compare craps hazard to "
    "compare these, or craps+hazard for bets on the same rolls",
    "dice 2d6 3d4": "sevenout dice takes one roll; write 2d6+3d4 for the sum, or 2d6 --vs 3d4 to "
    "compare the two",
    "hazard --main": "--main needs a value",
    "sheet craps -o": "-o needs a value; for example: sevenout sheet craps -o craps.pdf",
    "simulate craps --game 1000": "craps has no option 'game'; its options: none; write --games",
    "test log craps": "RESULTS is missing; give a file",
    "test needed craps": "--change is missing; say how far the game is off, such as 2%",
    "test needed 1/2": "give a game, or two probabilities, such as 1/2 and 3/5",
    "lab --prot 3": "sevenout lab has no option --prot: write --port",
    "play craps --bett pass": "craps has no option 'bett'; its options: none; write --bet",
    "play craps --coech": "sevenout play has no option --coech: write --coach",
    "evening pass --hours 2h": "Invalid value for --hours: '2h' is not an amount; write a number "
    "above 0, such as 20 or 5/2",
    "evening pass --stop-loss 50%": "Invalid value for --stop-loss: 50% is a percentage; write a "
    "number above 0, such as 20",
    "evening --best pass": "--best 'pass' is not a bet with amounts; write both, such as "
    "pass=1-2-5",
    "evening --best pass=1..x": "--best '1..x' is not amounts of pass; write 1-2-5, or 1..10 for "
    "1 to 10",
    "evening hazard --bets 10 --pace 60": "--pace 60; an evening of a bet ends by --target, "
    "--stop-win, --bets: leave it out",
    "evening pass craps --bets 5": "an evening of the bet pass stands alone; ask for one",
    "evening iron-cross hazard --bets 5": "an evening of the bet pass stands alone; ask for one",
}


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_answered_with_what_to_type(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    assert capsys.readouterr().err == f"sevenout: {MISTAKES[command]}\n"
