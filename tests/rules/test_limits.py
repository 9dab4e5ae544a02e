"""When a bet may be made and taken down: declared once, and held against what else is declared."""

import pytest

import sevenout as so
from sevenout.errors import NotationError
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.solving.metrics import Metrics, cycle

LINE = "[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n"
FIELD = "[[wager]]\nbet = 'early'\nlimit = 1\npays = { 2 = 30 }\n"
BESIDE = "side_of = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }\n"
POINTS = "[[points]]\nbet = 'early'\npays = { 4 = 24 }\n" + BESIDE.replace("side_of", "round")
ROUND = BESIDE.replace("side_of", "round")
HALF = "[line.bets.pass]\nsurrender = '-1/2'\n"


def read(body, procedure=""):
    head = f"format = 1\nname = 'Mine'\nprocedure = '''{procedure}'''\n" if procedure else ""
    return parse_game(head + body if head else f"format = 1\nname = 'Mine'\n{body}", "my.toml")


@pytest.mark.parametrize(
    ("body", "window"),
    [
        (FIELD + "made = 'any roll'", "made before any roll"),
        (
            FIELD + BESIDE + "made = 'come-out'\nstays = 'contract'",
            "made at the come-out only; stays until it is settled",
        ),
        (FIELD + "stays = 'removable'", "may be taken down before any roll"),
        (FIELD, ""),
        (POINTS + "made = 'new shooter'", "made before a shooter's first come-out only"),
    ],
)
def test_a_window_is_read_written_and_said(body, window):
    file = read(body)
    assert file.window_of("early") == window
    assert parse_game(game_text(file)) == file


def test_a_bet_at_the_come_out_alone_waits_for_it():
    """A one-roll bet beside craps is made once a round; its loss per hour counts on that."""
    loss = {}
    for beside in ("", BESIDE):
        game = read(FIELD + beside).game
        bet = so.solve(game).bet()
        loss[beside] = Metrics(bet, cycle(game, bet)).hourly_loss(rolls=100)
    mean = so.solve(so.games["craps"]).mean_rolls
    assert loss[""] == loss[BESIDE] * mean


@pytest.mark.parametrize(
    ("body", "procedure", "line", "says"),
    [
        (FIELD + "made = 'come-out'", "", 7, "which is made before any roll in its figures"),
        (FIELD + BESIDE + "made = 'any roll'", "", 8, "made at the come-out alone in its figures"),
        (LINE + FIELD.replace("early", "e") + "made = 'come-out'", "", 11, "say of which game"),
        (POINTS + "made = 'come-out'", "", 7, 'write made = "new shooter"'),
        (FIELD + "made = 'new shooter'", "", 7, "which is for a bet on the points of a hand"),
        (FIELD + "made = 'always'", "", 7, 'write one of "come-out", "new shooter", "any roll"'),
        (FIELD + "stay = 'contract'", "", 7, "unknown key 'stay'; did you mean stays?"),
        (LINE + HALF + "stays = 'contract'", "", 9, "which may be surrendered"),
        (
            FIELD + BESIDE + "made = 'come-out'",
            "The shooter rolls. The early bet may be made before any roll.",
            9,
            "the procedure says 'The early bet may be made before any roll.'",
        ),
        (
            FIELD + "made = 'any roll'",
            "Early may be placed only at the come-out.",
            8,
            "the procedure says",
        ),
        (
            FIELD + "stays = 'contract'",
            "The early bet may be taken down.",
            8,
            'stays = "contract" of early',
        ),
        (
            FIELD + "stays = 'removable'",
            "1. The early bet is a contract bet.",
            8,
            "the procedure says",
        ),
    ],
)
def test_a_window_that_contradicts_is_refused(body, procedure, line, says):
    with pytest.raises(NotationError) as error:
        read(body, procedure)
    assert str(error.value).startswith(f"my.toml:{line}: "), str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize(
    "procedure",
    [
        "The early bet may not be made before any roll but the come-out.",
        "The pass line may be made before any roll.",
        "The early bet is made at the come-out only, and can't be taken down.",
    ],
)
def test_a_procedure_that_agrees_is_read(procedure):
    body = FIELD + BESIDE + "made = 'come-out'\nstays = 'contract'"
    assert read(body, procedure).procedure == procedure


@pytest.mark.parametrize(
    ("bet", "paid"),
    [
        ("[[wager]]\nbet = 'b'\nlimit = 1\npays = { 12 = 30 }", 30),
        (
            f"[[points]]\nbet = 'b'\npays = {{ 4 = 24, 6 = 999 }}\n{ROUND}",
            999,
        ),
        (
            f"[turn]\nlosses = 2\nbet = 'b'\npays = {{ 5 = 4 }}\n{ROUND}",
            4,
        ),
    ],
)
@pytest.mark.parametrize("key", ["minimum", "maximum"])
def test_a_top_award_below_the_largest_pay_on_the_limit(bet, paid, key):
    """Of a bet without a maximum the minimum is the least that is staked."""
    read(f"{bet}\n{key} = 10\ntop_award = '{10 * paid}'")
    with pytest.raises(NotationError, match=f"{paid} to 1 on {key} = 10 is {10 * paid}; lower"):
        read(f"{bet}\n{key} = 10\ntop_award = '{10 * paid - 1}'")
