"""Best play without NumPy says what it says with it."""

from typing import Any

import pytest

import sevenout as so
from sevenout.lab.addresses.chosen import optimum
from sevenout.lab.static.build import as_in_the_page
from sevenout.solving.policies import reach, reach_plain
from tests.solving.pigs import Pig, SeatedPig

GAMES = ("pig-turn;goal=40", "pig;goal=12", "piglet;goal=6", "shut-the-box", "threes", "place-up")


@pytest.mark.parametrize("text", GAMES)
def test_what_comes_up_is_the_same(text: str) -> None:
    best = optimum(text)
    slow, fast = reach_plain.costs_of(best.values), reach.costs_of(best.values)
    assert slow.level == fast.level.tolist()
    assert slow.about == pytest.approx(fast.about.tolist(), rel=1e-6, abs=1e-9)
    model = best.model
    worst = [max(slow._moves(s), key=lambda move: slow.about[move]) for s in model.questions]
    assert reach_plain.come_up(model, slow.level) == reach.come_up(model, fast.level).tolist()
    only = slow.only(worst), fast.only(worst)
    assert only[0] == only[1].tolist()
    assert reach_plain.come_up(model, only[0]) == reach.come_up(model, only[1]).tolist()
    for s in model.questions:
        assert slow.best(s) == fast.best(s)
        assert (slow.least_mistake(s) is None) == (fast.least_mistake(s) is None)


def test_of_two_players_each_comes_to_what_he_allows() -> None:
    best: Any = so.best(SeatedPig(14), "first")
    slow, fast = reach_plain.costs_of(best.values), reach.costs_of(best.values)
    assert slow.level == fast.level.tolist()
    assert (
        reach_plain.come_up(best.model, slow.level)
        == reach.come_up(best.model, fast.level).tolist()
    )


def test_the_page_is_the_same_without_numpy() -> None:
    whole = str(so.best(Pig(12)).page())
    with as_in_the_page():
        assert str(so.best(Pig(12)).page()) == whole
