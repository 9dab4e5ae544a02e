"""What games, felts, menus and strategies can't be: each says so in one line."""

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_bets import (
    all_before_seven,
    next_total,
    repeater,
    surrender,
)
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import payment_text
from sevenout.catalogue.craps_family.hand_bets import HandLength, odds_up, place_up
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.errors import SevenoutError
from sevenout.evenings import Plan, evening
from sevenout.rules import Surrender, Wager, choose_again
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.felt import Common, Throw
from sevenout.rules.casino.menu import Menu
from sevenout.rules.gamefiles.gamefile import GameFile, game_text
from sevenout.rules.position import Position

CRAPS = so.games["craps"]
BRICK = so.games["fast-craps-brick"]
SIX = Throw(6, (3, 3), 1)


class Looks(Strategy):
    """Bets a tenth of its money, and has not said that it looks at it."""

    def wants(self, table):
        return {"pass": table.money / 10}


class Asks(so.Game):
    """Hands a question on: to a state in which nobody is asked, or in a circle."""

    dice, start = so.d6, 0

    def __init__(self, on, dice=so.d6):
        self.on, self.dice = on, dice

    def choices(self, state):
        return {"on": choose_again(self.on), "go": "roll"} if state != "roll" else {}

    def step(self, state, face):
        return so.win()


def gone_to_roll(game):
    board = Position(game)
    board.choose("go")
    return board.rollable


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Surrender("craps", {4: "-1/2"}), "can't be surrendered; give a PointGame or a"),
        (lambda: surrender(2), "2 times a 2 has no usual offers; give pays= and offers="),
        (lambda: surrender(6, times=8), "8 times a 6 has no usual offers; give pays= and offers="),
        (lambda: repeater(6, times=8), "8 times a 6 has no usual pay; give pays="),
        (lambda: next_total(2), "totals=2 has no usual pay; give pays="),
        (lambda: all_before_seven((2, 3)), "totals=(2, 3) has no usual pay; give pays="),
        (lambda: HandLength(()), "prizes=(); give them by rolls, ascending from 2"),
        (lambda: HandLength(((8, 2), (2, -1))), "; give them by rolls, ascending from 2"),
        (lambda: HandLength(((3, 0), (5, 2))), "; give them by rolls, ascending from 2"),
        (lambda: place_up(wins=2.5), "wins=2.5; take it down after 1 or more"),
        (lambda: odds_up(1.5), "multiple=1.5; take 0 or more times the flat bet"),
        (lambda: payment_text(House(), 6, "place 8", 0), "amount=0; bet more than 0"),
        (lambda: payment_text(House(), 6, "place 8", -5), "amount=-5; bet more than 0"),
        (lambda: place_up(wins=0), "wins=0; take it down after 1 or more"),
        (lambda: House(vig="never"), "vig='never'; give 'on win' or 'up front'"),
        (lambda: Menu(House(), {"pass": [0]}, 2, target=4), "0 on pass; bet more than 0"),
        (
            lambda: game_text(GameFile("x", (Wager(so.Law({1: 1, 2: 2}), {1: 3}),))),
            "only games on dice with a notation can be written to a file",
        ),
        (lambda: evening(Looks(), 100, rolls=3), "set sees_money = True"),
        (lambda: evening("pass", 100, hours=0), "hours=0; give more than 0"),
        (lambda: evening("pass", 100, rolls=3, house="x"), "house='x'; give a House()"),
        (lambda: TableSession(house=""), "house=''; give a House()"),
        (lambda: TableSession(currency=5), "currency=5; give a short one"),
        (lambda: TableSession().truncate(-1), "acts=-1; keep 0 or more"),
        (lambda: Plan.of("pass", 100, rolls=3).ever(), "least= and most= are both missing"),
        (
            lambda: Common({"brick": BRICK}).roll(None, (("brick @9", 1),), SIX),
            "the bet 'brick @9' can't begin here; make it when its game begins",
        ),
        (
            lambda: Common({"lay": Wager(so.dice("2d6").totals, {6: (-2, 2), 7: 1})}).roll(
                None, (("lay", 1),), SIX
            ),
            "lay may lose more than its stake; bet it in parts",
        ),
        (lambda: so.explore(Asks("roll")), "state 'roll' follows a choice, but `choices`"),
        (lambda: so.explore(Asks(0)).under(lambda s: "on"), "choices repeat forever in state 0"),
        (lambda: gone_to_roll(Asks(0, CRAPS)), "a game with choices rolls dice, not another game"),
    ],
)
def test_it_is_said_in_one_line(wrong, said):
    with pytest.raises(SevenoutError) as error:
        wrong()
    assert said in str(error.value)
    assert "\n" not in str(error.value)
