"""Games on other dice and with a limit are the games that one would write."""

from fractions import Fraction
from functools import cached_property

import pytest

import sevenout as so
from sevenout.errors import RulesError
from sevenout.rules import Checklist, PointGame, Streak, Surrender, Wager
from sevenout.rules.modified_games import Repaid, limited, on_dice

EIGHTS = so.dice("2d8")
CRAPS = PointGame([7, 11], [2, 3, 12], 7)


def test_the_same_rules_on_other_dice() -> None:
    assert on_dice(so.games["craps"], EIGHTS) == PointGame([7, 11], [2, 3, 12], 7, dice=EIGHTS)
    place = Wager(EIGHTS.totals, {6: "7/6", 7: -1}, bet="place")
    assert so.explore(on_dice(so.games["place-6-8"], EIGHTS)) == so.explore(place)
    turn = on_dice(so.games["hazard-turn"], EIGHTS)
    assert isinstance(turn, Streak)
    assert turn.dice == on_dice(so.games["hazard"], EIGHTS)
    offers = {4: "-1/2", 10: "-1/4"}
    assert on_dice(Surrender(CRAPS, offers), EIGHTS) == Surrender(on_dice(CRAPS, EIGHTS), offers)


@pytest.mark.parametrize("name", so.games.without_choices)
def test_its_own_dice_change_nothing_in_any_game(name: str) -> None:
    game = so.games[name]
    rolled = game
    while isinstance(rolled, so.Game) or hasattr(rolled, "source"):
        at = rolled.rolls(rolled.start) if isinstance(rolled, so.Game) else rolled.source
        rolled = at
    if not isinstance(rolled, so.Dice):
        with pytest.raises(RulesError, match=r"can't replace|with other dice"):
            on_dice(game, so.dice("2d6"))
        return
    try:
        again = on_dice(game, rolled)
    except RulesError as error:
        assert "don't work with other dice" in str(error)  # noqa: PT017
        return
    one, other = so.solve(game), so.solve(again)
    assert one.labels == other.labels
    assert one.mean_rolls == other.mean_rolls


def test_a_limit_on_the_rolls() -> None:
    assert limited(so.games["craps"], 3) == PointGame([7, 11], [2, 3, 12], 7, limit=3)
    field = so.games["field-2-2"]
    assert limited(field, 1) == field
    six = limited(so.games["place-6-8"], 2)
    law = so.solve(six).outcomes
    assert {o.label: o.profit("place") for o in law}["not in 2 rolls"] == -1
    assert so.solve(six).p("not in 2 rolls") == Fraction(36 - 5 - 6, 36) ** 2
    pushes = Wager(so.dice("2d6").totals, {6: 1, 7: -1}, limit=3, late=0)
    assert limited(pushes, 2) == Wager(so.dice("2d6").totals, {6: 1, 7: -1}, limit=2, late=0)


@pytest.mark.parametrize(
    ("name", "dice", "says"),
    [
        ("cee-lo-player", "2d6", "2d6 can't replace 3d6"),
        ("card-craps-pass-24", "2d8", "2d8 can't replace .*; it is not made of dice"),
        ("craps", "3d6", "3d6 can't roll it"),
        ("repeater-plus-citywide", "2d8", "it is not made of dice"),
        ("risk-battle", "2d6", "don't work with other dice"),
    ],
)
def test_dice_that_do_not_fit(name: str, dice: str, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        on_dice(so.games[name], so.dice(dice))


def test_a_limit_that_makes_no_sense() -> None:
    with pytest.raises(RulesError, match="the rules of Race have no limit"):
        limited(so.games["chutes-and-ladders"], 3)
    with pytest.raises(RulesError, match="allow 1 or more rolls"):
        limited(so.games["craps"], 0)
    surrendered = Surrender(Checklist(so.d6, {2: 2}, stop=6, pays=9), {1: 1})
    with pytest.raises(RulesError, match="the rules of Checklist have no limit"):
        limited(surrendered, 3)


def test_one_die_is_replaced_by_one() -> None:
    with pytest.raises(RulesError, match="2d6 can't replace <Die d6>; give one die"):
        on_dice(Wager(so.d6, {6: 5}), so.dice("2d6"))


def test_other_dice_forget_what_was_computed() -> None:
    class Top(so.Game):
        dice = so.dice("2d6")

        @cached_property
        def top(self) -> int:
            return max(self.dice.totals.law)

        def step(self, state, roll):
            return so.win() if roll.total == self.top else so.lose()

    game = Top()
    assert game.top == 12
    assert so.solve(on_dice(game, EIGHTS)).bet().p_win == Fraction(1, 64)


def test_a_pay_that_no_bet_has_is_not_changed() -> None:
    big = so.games["big-6-big-8"]
    (won,) = (paid for paid in big.pays_of("big") if paid.profit > 0)
    assert so.solve(Repaid(big, {("big", won): Fraction(7, 6)})).bet().edge == Fraction(1, 66)
    for wrong in (("typo", won), ("big", won._replace(event="typo")), "typo"):
        with pytest.raises(RulesError, match=r"no pay .*; give a bet and a pay of this game"):
            Repaid(big, {wrong: Fraction(7, 6)})
