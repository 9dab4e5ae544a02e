"""Whose interest a choice serves, what a goal compares, and what a game says it is played for."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.errors import RulesError


class Covers(so.Game):
    """The bank calls high or low before a die is rolled; high pays the player on 3 to 6."""

    dice, start = so.d6, "ask"
    who: str | None = "bank"

    def choices(self, state):
        return {"high": "high", "low": "low", "stop": over(1)} if state == "ask" else {}

    def chooser(self, state):
        return self.who

    def step(self, state, face):
        return over(1 if (face > 2) == (state == "high") else -1)


def over(profit):
    return so.settle(f"player {profit:+}", {"player": profit, "bank": -profit})


def test_a_named_chooser_plays_for_their_own_bet():
    """Low loses 4 of 6 for the player: the bank calls it, whichever bet is asked for."""
    third = Fraction(1, 3)
    assert so.best(Covers(), "bank").value == third
    for wish in ({"most": "player"}, {"least": "player"}):
        best = so.best(Covers(), **wish)
        assert (best.value, best.policy["ask"]) == (-third, "low")
    assert so.best(Covers(), "player", method="certified").policy["ask"] == "low"
    assert so.best(Covers(), "player > 0").value == third
    assert so.best(Covers(), "P(player > 0)").policy["ask"] == "low"


def test_what_the_chooser_of_another_bet_loses_by_a_mistake():
    best = so.best(Covers(), "player")
    assert [option.margin for option in best.at("ask")] == [0, Fraction(2, 3), Fraction(4, 3)]
    assert best.follow(lambda state: "high").cost == Fraction(2, 3)
    assert best.unit == "mean per unit staked on player; bank plays for bank"
    assert so.best(Covers(), "player", against=lambda state: "high").value == Fraction(1, 3)


def test_a_bet_that_nobody_opposes_is_refused():
    class Apart(Covers):
        def step(self, state, face):
            return so.settle(f"{face}", {"player": face, "bank": -1 if face > 2 else 0})

    with pytest.raises(RulesError, match="the game is not zero-sum"):
        so.best(Apart(), "player")


class Dealt(so.Game):
    """A die may be taken as points or left for nothing; it pays what it shows less three."""

    dice, start = so.d6, 0

    def choices(self, face):
        left = so.settle("left", {"points": 0})
        taken = so.settle(
            f"{face}", {"points": so.rules.Pay(f"{face}", Fraction(face - 3), Fraction(3))}
        )
        return {"take": taken, "leave": left} if face else {}

    def step(self, state, face):
        return face


@pytest.mark.parametrize(
    ("goal", "most", "least"),
    [
        ("points >= 2", "1/3", "0"),
        ("points > 2", "1/6", "0"),
        ("points <= -1", "1/3", "0"),
        ("points < 0", "1/3", "0"),
        ("points = 0", "1", "1/6"),
        ("P(points == 0)", "1", "1/6"),
        ("points <= 0", "1", "1/2"),
    ],
)
def test_every_comparison_may_be_wanted(goal, most, least):
    assert so.best(Dealt(), goal).value == Fraction(most)
    assert so.best(Dealt(), least=goal).value == Fraction(least)
    claimed = so.best(Dealt(), goal).certificate().header["claims"][0]["value"]
    assert Fraction(str(claimed)) == Fraction(most)


def test_a_counter_can_be_compared():
    class Counts(Dealt):
        def choices(self, face):
            return {"take": so.counted(so.settle("taken"), points=face)} if face else {}

    assert so.best(Counts(), "points <= 5").value == Fraction(5, 6)
    with pytest.raises(RulesError, match="which a model does not remember; give the game"):
        so.best(so.explore(Counts()), "points <= 5")


def test_a_game_says_what_it_is_played_for():
    class Least(Dealt):
        goal = so.least("points")

    class Words(Dealt):
        goal = "lowest points"

    class ToReach(Dealt):
        goal = 100

    assert so.best(Dealt()).value == so.best(ToReach()).value == 1
    assert so.best(Least()).value == so.best(Words()).value == Fraction(-1, 2)
    assert so.best(Least(), "points").value == 1
    assert so.best(so.explore(Least())).goal.name == "least points"


@pytest.mark.parametrize("goal", [["points"], so.rules.Objective, "", b"points"])
def test_a_goal_that_is_none_is_refused(goal):
    class Wrong(Dealt):
        pass

    Wrong.goal = goal
    with pytest.raises(RulesError, match=r"goal|wanted"):
        so.best(Wrong())


@pytest.mark.parametrize("name", ["pig", "piglet", "pig-solitaire"])
def test_a_goal_that_a_listed_game_lacks_is_refused_before_it_is_explored(name, monkeypatch):
    def explored(*_):
        raise AssertionError("explored")

    monkeypatch.setattr("sevenout.solving.optimal_play._explored", explored)
    game = so.games(name)
    for wish in ("wins", "pass >= much", "P(home or away)"):
        with pytest.raises(so.SevenoutError):
            so.best(game, wish)
    with pytest.raises(AssertionError, match="explored"):
        so.best(game, "home")
