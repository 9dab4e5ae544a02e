"""Rules as text: every point game of the catalogue goes into an address and back."""

import pytest

from sevenout.catalogue import games
from sevenout.errors import NotationError
from sevenout.lab.address import game_subject
from sevenout.rules import PayTable, PointGame
from sevenout.rules.modified_games import Repaid
from sevenout.solving import solve
from sevenout.variants.rulebook import VariantRules, read_rules, rules_of_game

BOOKS = {entry.id: rules_of_game(entry.game()) for entry in games.without_choices.values()}
POINT = [name for name, book in BOOKS.items() if book is not None]


def test_most_point_games_can_be_edited() -> None:
    assert len(POINT) > 40


@pytest.mark.parametrize("name", POINT)
def test_rules_in_text_are_the_same_game(name: str) -> None:
    book = BOOKS[name]
    assert book is not None
    assert read_rules(book.text).text == book.text
    there, here = solve(read_rules(book.text).game()), solve(games[name])
    for bet in here.bets:
        one, other = there.bet(bet), here.bet(bet)
        assert (one.edge, one.p_win, one.mean_risk) == (other.edge, other.p_win, other.mean_risk)
        assert (one.variance, one.rolls) == (other.variance, other.rolls)


def test_roles_and_pays_survive_other_dice_where_they_can() -> None:
    book = read_rules("2,3,12/7,11/7;pass:natural:11=2;pass:natural:7=1").with_dice("3d6")
    assert book.totals_with("craps") == [3, 12]
    line = book.game().bets["pass"]
    assert line.natural == PayTable(natural={7: 1, 11: 2}).natural
    small = book.with_dice("d6")
    assert small.out == 1 or small.role_of(small.out) != "point"
    assert solve(small.game()).bet().p_win > 0


def test_a_total_that_moves_takes_no_wrong_pay_along() -> None:
    book = read_rules("2,3,12/7,11/7;pass:point:4,10=9/5;pass:point:5,6,8,9=1")
    assert "4" not in book.with_role(4, "craps").text.partition(";pass:point:10")[2].split("=")[0]
    game = book.with_role(4, "craps").with_role(10, "natural").game()
    assert game == PointGame([7, 10, 11], [2, 3, 4, 12], 7)


def test_pays_by_roll() -> None:
    name = "fast-craps-pass"
    book = BOOKS[name]
    assert book is not None
    assert book.limit == 3
    assert "|" in book.text
    assert len(book.amounts("pass", "point", 4)) == 3


def test_half_written_rules_have_a_text() -> None:
    book = VariantRules().with_role(7, "out")
    assert read_rules(book.text) == book


def test_repaid_is_the_same_game_with_other_money() -> None:
    entry = games.entry("big-6-big-8")
    paid = {(entry.bet, pay): pay.profit for pay in entry.pays}
    assert solve(Repaid(entry.game(), paid)).bet().edge == solve(entry.game()).bet().edge
    assert game_subject(
        "big-6-big-8;big-6-big-8:1=0".replace("big-6-big-8:", f"{entry.bet}:")
    ).original_pays


def test_hard_is_yes_or_no() -> None:
    assert read_rules("2,3,12/7,11/7;hard=yes").hard
    assert not read_rules("2,3,12/7,11/7;hard=no").hard


@pytest.mark.parametrize(
    "rules",
    ["pass:point=2;pass:stake=5", "pass:stake=2;pass:stake=5", "hard=maybe"],
)
def test_a_rule_that_would_be_ignored_is_refused(rules: str) -> None:
    """The pay before the stake put another amount at risk than the stake."""
    with pytest.raises(
        NotationError, match=r"one stake for each bet, before its pays|is not a rule"
    ):
        read_rules(f"2,3,12/7,11/7;{rules}")
