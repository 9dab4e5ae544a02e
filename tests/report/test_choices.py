"""The sheet of a game with choices."""

import pytest

import sevenout as so
from sevenout.games import decisions
from sevenout.page import PageError
from sevenout.report import sheet
from sevenout.report.rounds import examples
from sevenout.rules import ByTurns


def section(page, title):
    return next(part for part in page.sections if part.title == title)


def test_the_sheet_has_the_card_and_both_returns():
    pig = decisions["pig-turn"]
    page = sheet(
        pig.game(), goal=pig.goal, policies={"hold-25": pig.policy("hold-25")}, simulate=2_000
    )
    best = so.best(pig.game())
    text = str(section(page, "Strategy"))
    assert "turn: roll below 21, hold from 21." in text
    assert "492303203/60466176" in text
    held = best.follow(pig.policy("hold-25"))
    assert str(held.value) in text
    assert f"{float(held.cost):.6f}" in text
    table = section(page, "Return table").blocks[0]
    assert table.total[-1] == best.value
    assert section(page, "The simulation that confirms it")
    assert page.pdf().startswith(b"%PDF")


def test_worked_rounds_are_played_best():
    game = decisions["pig-turn"].game()
    best = so.best(game)
    for each in examples(game, seed=2, optimum=best):
        total = 0
        for shown, _ in each.rolls:
            if shown.isdecimal():
                total = 0 if shown == "1" else total + int(shown)
            else:
                assert shown == best.policy[total]
        assert each.settled.profit("turn") == total


def test_of_two_players_a_round_is_seen_by_the_first():
    best = so.best(decisions("pig", goal=8))
    rounds = examples(decisions("pig", goal=8), seed=1, optimum=best)
    assert {each.settled.label: each.settled.profit("pass") for each in rounds} == {
        "first: home": 1,
        "second: home": -1,
    }


class Endless(ByTurns):
    """A game of turns, only to be refused."""


def test_a_game_of_turns_has_no_sheet():
    Endless.__abstractmethods__ = frozenset()
    with pytest.raises(PageError, match="no sheet of Endless"):
        sheet(Endless())
