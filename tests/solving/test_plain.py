"""Best play without NumPy says what it says with it."""

from typing import Any

import pytest

import sevenout as so
from sevenout.lab.addresses.chosen import optimum
from sevenout.lab.static.build import as_in_the_page
from sevenout.solving.optimal_play import OptionCosts, reachable
from tests.solving.pigs import Pig, SeatedPig

GAMES = ("pig-turn;goal=40", "pig;goal=12", "piglet;goal=6", "shut-the-box", "threes", "place-up")


def by_hand(values: Any) -> list[bool]:
    """Which moves are best, by fractions alone."""
    best = [True] * len(values.model.targets)
    for s in values.model.questions:
        for move in range(values.model.first[s], values.model.first[s + 1]):
            cost = (values[s] - values.after(move)) * values.sense(s)
            best[move] = move == values.pick(s) or cost <= 2 * values.bound(s)
    return best


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("method", ["exact", "certified"])
def test_the_best_moves_are_those_of_the_fractions(text: str, method: Any) -> None:
    best = optimum(text)
    best = so.best(best.model, method=method) if best.model.goal else best
    costs = OptionCosts(best.values)
    assert costs.level == by_hand(best.values)
    for s in best.model.questions:
        moves = range(best.model.first[s], best.model.first[s + 1])
        wrong = [costs.about[move] for move in moves if not costs.level[move]]
        assert costs.least_mistake(s) == min(wrong, default=None)
        for move in moves:
            exact = (best.values[s] - best.values.after(move)) * best.values.sense(s)
            assert costs.about[move] == pytest.approx(float(max(exact, 0)), rel=1e-6, abs=1e-9)


def test_of_two_players_each_comes_to_what_they_allow() -> None:
    best: Any = so.best(SeatedPig(14), "first")
    costs = OptionCosts(best.values)
    assert costs.level == by_hand(best.values)
    up = reachable(best.model, costs.level)
    for player in best.model.players:
        seen, todo = {0}, [0]
        for s in todo:
            own = best.model.choosers.get(s) == player
            for move in range(best.model.first[s], best.model.first[s + 1]):
                target = best.model.targets[move]
                if target < len(up) and target not in seen and (costs.level[move] or not own):
                    seen.add(target)
                    todo.append(target)
        for s in range(len(up)):
            if best.model.choosers.get(s) == player:
                assert up[s] == (s in seen)


def test_the_page_is_the_same_without_numpy() -> None:
    whole = str(so.best(Pig(12)).page())
    with as_in_the_page():
        assert str(so.best(Pig(12)).page()) == whole
