"""The long run: against published figures, finite games, known distributions and rolls made."""

from collections import Counter
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.endless import Fleas, Monopoly
from sevenout.errors import EndlessGameError, RulesError
from sevenout.model import explore
from sevenout.solving.long_run import long_run

COLLINS = {
    "monopoly-leave": {
        "Illinois Avenue": 3.1858,
        "Go": 3.0961,
        "New York Avenue": 3.0852,
        "B. & O. Railroad": 3.0659,
        "Just Visiting": 2.2695,
    },
    "monopoly-again": {
        "In Jail": 9.4569,
        "Illinois Avenue": 2.9929,
        "Go": 2.9143,
        "B. & O. Railroad": 2.8930,
        "Just Visiting": 2.1392,
    },
}
"""In percent of the rolls: T. Collins, Probabilities in the Game of Monopoly (1997)."""


@pytest.mark.parametrize("name", COLLINS)
def test_monopoly_as_published(name: str) -> None:
    found = long_run(games[name])
    squares = {name: x for name, x in found.rates.items() if name != "turns"}
    assert sum(squares.values()) == 1
    assert found.period == 1
    for square, percent in COLLINS[name].items():
        assert round(100 * float(squares[square]), 4) == percent


def test_four_sided_dice_go_most_often_to_the_squares_of_project_euler_84() -> None:
    """Its jail is the square of those who visit, too: 10, 15 and 24 in this order."""
    rates = long_run(games("monopoly", sides=4, jail="leave")).rates
    rates["Just Visiting"] += rates.pop("In Jail")
    most = sorted(rates.keys() - {"turns"}, key=lambda name: -rates[name])
    assert most[:3] == ["Just Visiting", "Pennsylvania Railroad", "Illinois Avenue"]


def test_rolls_that_were_made_agree() -> None:
    """100,000 rolls; a share is off by five standard errors less than once in a million."""
    game, random, seen, rolls = games["monopoly"], Random(1), Counter[str](), 100_000
    draws = {place: law.sampler(random) for place, law in enumerate(game._laws)}  # type: ignore[attr-defined]
    state: Any = game.start
    for _ in range(rolls):
        then = game.step(state, draws[10 if state[0] == "In Jail" else state[0]]())
        state = then.state
        seen.update(name for name, _ in then.counts)
    rates = long_run(game).rates
    for name in ("In Jail", "Go", "turns", "Illinois Avenue"):
        error = float(rates[name] * (1 - rates[name]) / rolls) ** 0.5
        assert (
            abs(seen[name] / rolls - rates[name]) < 10 * error
        )  # rolls of a chain are not independent


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": 1}, "sides=1; give 2 to 100"),
        ({"jail": "x"}, "jail='x'; give stay or leave"),
        ({"again": "no"}, "again='no'; give True or False"),
        ({"again": True, "jail": "leave"}, "again=True does not go with jail='leave'"),
    ],
)
def test_a_board_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Monopoly(**({"sides": 6, "jail": "stay", "again": False} | options))


def test_fleas_need_a_die_with_a_face_for_each() -> None:
    for wrong in ("x", so.dice("2d6"), so.dice("d2{2,3}")):
        with pytest.raises(RulesError, match="give a die with a face for each flea"):
            Fleas(wrong)


def test_dogs_and_fleas_are_binomial_and_swing() -> None:
    found = long_run(games("dogs-and-fleas", fleas=10))
    assert found.period == 2
    assert found.frequencies == {str(k): Fraction(comb(10, k), 2**10) for k in range(11)}


@pytest.mark.parametrize("name", ["craps", "hazard", "field-2-2", "place-6-8"])
def test_a_game_that_ends_is_its_own_cycle(name: str) -> None:
    """Renewal: per game it is what the solution says, per roll that by the mean rolls."""
    solution = so.solve(games[name])
    per_game, per_roll = (long_run(games[name], per) for per in ("game", "roll"))
    assert per_game.rates["rolls"] == solution.mean_rolls
    for bet in solution.chain.bets:
        result = solution.bet(bet)
        assert per_game.profits[bet] == -result.edge
        assert per_roll.profits[bet] == -result.edge / solution.mean_rolls
    assert sum(per_game.outcomes.values()) == 1
    assert long_run(solution).to_dict() == per_roll.to_dict()


def test_a_third_of_the_rolls_are_come_outs() -> None:
    assert long_run(games["craps"]).frequencies["come-out"] == Fraction(165, 557)


@pytest.mark.parametrize(("name", "options"), [("pig-turn", {}), ("zilch-turn", {"goal": 1000})])
def test_the_mean_of_a_turn_is_that_of_best_play(name: str, options: Any) -> None:
    game = games(name, **options)
    best = so.best(game)
    found = long_run(best.chain, "game")
    assert (found.rates | found.profits)[games.entry(name).most] == best.value
    with pytest.raises(RulesError, match="the game has choices"):
        long_run(game)


class Parted(so.Game):
    """A coin decides between two ways to go on for ever."""

    dice, start = so.dice("d2"), "before"

    def step(self, state: Any, face: Any) -> Any:
        if state == "before":
            return "left" if face.total == 1 else ("right", 0)
        if state == "left":
            return so.counted("left", points=2)
        return so.counted(("right", (state[1] + 1) % 3), points=face.total)


def test_several_classes_are_weighed_by_how_likely_they_are() -> None:
    found = long_run(Parted())
    assert [(c.probability, c.period, len(c.frequencies)) for c in found.classes] == [
        (Fraction(1, 2), 1, 1),
        (Fraction(1, 2), 3, 3),
    ]
    assert found.rates == {"points": Fraction(1, 2) * 2 + Fraction(1, 2) * Fraction(3, 2)}
    assert found.frequencies["right, 0"] == Fraction(1, 6)
    with pytest.raises(RulesError, match="2 recurrent classes"):
        found.period  # noqa: B018


def test_what_is_refused() -> None:
    with pytest.raises(EndlessGameError, match="sevenout odds --long-run"):
        so.solve(games["monopoly"])
    with pytest.raises(RulesError, match="give one of: roll, turns"):
        long_run(games["monopoly"], "turn")
    with pytest.raises(EndlessGameError, match="long_run"):
        so.solve(explore(games["monopoly"], endless=True))  # type: ignore[arg-type]


class Limbo(so.Game):
    """A six wins, and a one leads to where nothing ends."""

    dice, start = so.d6, "start"

    def step(self, state, face):
        if state == "start" and face == 6:
            return so.settle("won")
        return "limbo" if face == 1 else so.counted(state, waits=int(state == "start"))


@pytest.mark.parametrize("per", ["game", "waits"])
def test_a_unit_that_may_come_no_more_is_refused(per) -> None:
    with pytest.raises(RulesError, match=f"per='{per}'; play may go on for ever without any"):
        long_run(Limbo(), per)


def test_an_endless_game_with_choices_says_what_works() -> None:
    class Wander(so.Game):
        dice, start = so.d6, 0

        def choices(self, place):
            return {} if isinstance(place, tuple) else {"left": (place, -1), "right": (place, 1)}

        def step(self, place, face):
            return (place[0] + place[1] * face) % 6

    with pytest.raises(so.SevenoutError, match=r"a game with choices needs an end.*long-run"):
        so.best(Wander(), most="rolls")


class Laps(so.Game):
    """Two rolls a lap, each of which earns 2 on a high face."""

    dice, start = so.d6, 0

    def step(self, place, face):
        return so.counted(1 - place, points=2 * (face > 3), laps=place)


def test_rates_may_be_per_unit_of_a_counter() -> None:
    assert long_run(Laps(), "laps").rates == {"rolls": 2, "points": 2, "laps": 1}
    assert long_run(Laps()).rates == {"points": 1, "laps": Fraction(1, 2)}


def test_a_page_of_the_long_run_names_its_unit() -> None:
    lines = [
        " ".join(line.split()) for line in str(long_run(games["craps"], "game").page()).splitlines()
    ]
    assert lines[0] == "states that come up again and again 7"
    for line in (
        "Counters per game",
        "rolls 3.375758 557/165",
        "Outcomes per game",
        "natural 0.222222 2/9",
        "Profit per unit staked per game",
        "pass -0.014141 -7/495",
        "state share of the rolls",
        "come-out 29.6230 % 165/557",
    ):
        assert line in lines
