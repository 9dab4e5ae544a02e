"""Play that meets a limit: dice never rolled, no roll at all, goals that can't happen, races."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue.hidden_games import LiarsDice, liars_dice
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rules import Outcome


class TwoDice(so.Game):
    """Pick a d4 or a d6; a 3 or more wins."""

    start = "pick"

    def choices(self, state: Any) -> Mapping[str, Any]:
        return {"d4": "d4", "d6": "d6"} if state == "pick" else {}

    def rolls(self, state: Any) -> Any:
        return so.dice("d4") if state == "d4" else so.dice("d6")

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.win("yes") if roll.total > 2 else so.lose("no")


class TakeOrRoll(so.Game):
    """Take 2 at once, or roll for the face less 3."""

    dice, start, counters = so.d6, "offer", ("taken",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        if state != "offer":
            return {}
        taken = so.counted(so.settle("took", {"bet": 2}), taken=1)
        return {"take": taken, "roll": "table"}

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.settle("rolled", {"bet": (roll - 3, 2)})


class Race(so.Game):
    """Two race to a square; 1 in 6 throws goes back to the start."""

    dice, start = so.d6, (0, 0)

    def __init__(self, squares: int) -> None:
        self.squares = squares

    def step(self, state: Any, roll: Any) -> Any:
        mine, yours = state
        mine = 0 if roll == 6 else mine + roll
        return so.win("home") if mine >= self.squares else so.pass_turn((yours, mine))


class HigherOf(so.Game):
    """Each throws once, and may throw again; the higher wins, and equals tie."""

    dice, start = so.d6, (0, 0, 0)

    def choices(self, state: Any) -> Mapping[str, Any]:
        throws = state[2]
        return {"again": state, "stop": self.passed_on(state)} if throws == 1 else {}

    def passed_on(self, state: Any) -> Any:
        mine, yours, _ = state
        if not yours:
            return so.pass_turn((0, mine, 0))
        difference = (mine > yours) - (mine < yours)
        return so.settle(("tie", "higher", "lower")[difference], {"pass": difference})

    def step(self, state: Any, roll: Any) -> Any:
        _, yours, throws = state
        after = (int(roll), yours, throws + 1)
        return after if throws == 0 else self.passed_on(after)


def test_dice_that_a_policy_never_rolls_are_no_part_of_its_chain() -> None:
    play = so.best(TwoDice())
    assert play.value == Fraction(4 - 2, 6)
    assert [str(die) for die in play.chain.rollables] == [str(so.dice("d6"))]
    assert so.simulate(play.chain, 1_000, seed=1).games == 1_000


def test_a_policy_that_never_rolls_some_dice_of_the_catalogue() -> None:
    entry = so.games.entry("ship-captain-and-crew-either")
    chain = so.explore(entry.game()).under(entry.policy("stop-8"))
    assert so.simulate(chain, 1_000, seed=1).games == 1_000


def test_a_game_that_ends_before_any_roll_has_no_rolls() -> None:
    play = so.best(TakeOrRoll())
    assert play.value == 2
    solution = so.solve(play.chain)
    assert solution.labels == {"took": 1}
    assert (solution.mean_rolls, solution.mean("taken")) == (0, 1)
    assert solution.distribution("rolls").pmf(0) == 1
    assert solution.distribution("taken").pmf(1) == 1
    assert play.follow({"offer": "take"}).value == 2
    assert play.follow({"offer": "roll"}).value == Fraction(1, 2)
    assert [mistake.cost for mistake in play.mistakes({"offer": "roll"})] == [Fraction(3, 2)]
    tally = so.simulate(play.chain, 100, seed=1)
    assert (tally.rolls, tally.longest, tally.counters) == (0, 0, {"rolls": 0, "taken": 100})


@pytest.mark.parametrize(
    ("name", "goal", "probability"),
    [
        ("pig-turn", "rolls < 1", 0),
        ("pig-turn", "rolls >= 1", 1),
        ("pig-turn", "rolls < 0", 0),
        ("pig-turn", "points < 0", 0),
        ("pig-turn", "points >= 0", 1),
        ("threes", "points < 0", 0),
        ("threes", "rolls > 5", 0),
    ],
)
def test_the_impossible_has_probability_0(name: str, goal: str, probability: int) -> None:
    for wish in ({"most": goal}, {"least": goal}):
        assert so.best(so.games(name), **wish).value == probability


def test_a_listed_outcome_that_never_comes_has_probability_0() -> None:
    class Fair(so.Game):
        dice, start = so.d6, "table"
        outcomes = (so.win("high"), so.lose("low"), so.lose("edge"))

        def step(self, state: Any, roll: Any) -> Outcome:
            return self.outcomes[roll <= 3]

    solution = so.solve(Fair())
    assert (solution.p("edge"), solution.p("low")) == (0, Fraction(1, 2))
    with pytest.raises(RulesError, match="no outcome 'egde'"):
        solution.p("egde")


def test_a_counter_of_two_players_is_refused_in_words() -> None:
    with pytest.raises(RulesError, match="a counter can't be the goal of two players"):
        so.best(so.games("kuhn"), "rolls < 5")


def test_a_race_is_solved_as_its_chain() -> None:
    race = Race(40)  # one cycle of 3,200 states: policy iteration took minutes
    play, solution = so.best(race), so.solve(race)
    assert play.value == solution.bet().p_win
    assert not play.come_up
    small = Race(8)
    first = so.best(small)
    assert first.value == so.best(small, method="exact").value
    # From the second square: the first player's own chance there.
    node = first.model.states.index((0, 3))
    assert first.values[node] == so.best(small, method="exact").values[node]


def test_liars_dice_with_too_many_bids_is_refused_before_the_deals_are_compared() -> None:
    class Counting(LiarsDice):
        showdowns = 0

        def showdown(self, table: Any, first: Any, second: Any) -> Outcome:
            Counting.showdowns += 1
            return super().showdown(table, first, second)

    large = liars_dice(5, 5)
    game = Counting(large.first_dice, large.second_dice, large.sides, large.ones)
    with pytest.raises(TooMuchWorkError, match="ways to play"):
        so.best(game)
    assert Counting.showdowns < 1_000  # of 60 last bids and 63,504 pairs of hands


def test_a_goal_says_why_it_is_no_probability() -> None:
    assert (
        so.best(HigherOf()).unit
        == "mean per unit staked, where a tie counts 0, for the first player"
    )
    assert so.best(Race(8)).unit == "probability, for the first player"
