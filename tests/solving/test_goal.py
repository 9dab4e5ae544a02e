"""Whose interest a choice serves, what a goal compares, and what a game says it is played for.

Three players: `against` names what every other player does, and one plays best.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.errors import RulesError
from sevenout.solving.goal import Goal, goal_of


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
    assert [option.cost for option in best.options("ask")] == [0, Fraction(2, 3), Fraction(4, 3)]
    assert best.evaluate(lambda state: "high").cost == Fraction(2, 3)
    assert best.value_description == "mean per unit staked on player; bank plays for bank"
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


PLAYERS = ("a", "b", "c")


class Highest(so.Game):
    """Each in turn keeps the first roll of a die or rolls once more; the highest wins, or a tie is
    shared. A state is what the players before have, and the roll of the one who chooses, if any.
    """

    dice = so.dice("1d4").totals
    start = ((), 0, False)

    def choices(self, state):
        had, shown, again = state
        return (
            {"keep": self.kept(had, shown), "again": (had, shown, True)}
            if shown and not again
            else {}
        )

    def chooser(self, state):
        return PLAYERS[len(state[0])]

    def step(self, state, roll):
        had, _, again = state
        return self.kept(had, roll) if again else so.choose_again((had, roll, False))

    def kept(self, had, roll):
        had = (*had, roll)
        if len(had) < 3:
            return (had, 0, False)
        best = [p for p, x in zip(PLAYERS, had, strict=True) if x == max(had)]
        won = {p: Fraction(3, len(best)) - 1 if p in best else -1 for p in PLAYERS}
        return so.settle("over", won)


def keep_from(least):
    return lambda state: "keep" if state[1] >= least else "again"


def by_hand(player, others, *had):
    """What a player wins on the mean who plays best, the others keep from a number on."""
    if len(had) == 3:
        return Highest().kept(had[:2], had[2]).profit(player)
    name = PLAYERS[len(had)]
    again = sum(by_hand(player, others, *had, roll) for roll in range(1, 5)) / Fraction(4)
    total = Fraction(0)
    for roll in range(1, 5):
        keep = by_hand(player, others, *had, roll)
        mine = max(keep, again) if name == player else keep if roll >= others else again
        total += mine / 4
    return total


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("others", [2, 3])
def test_one_plays_best_against_two(player, others):
    best = so.best(Highest(), player, against=keep_from(others))
    assert best.value == by_hand(player, others)


def test_one_of_three_choosing_players_needs_a_policy_of_the_others():
    with pytest.raises(RulesError, match="against"):
        so.best(Highest(), "a")


def test_each_of_the_others_may_have_a_policy_of_their_own():
    def value(b, c):
        """What the first wins at best, by enumeration: the others keep from b and from c on."""

        def final(least, roll, again):
            return {roll: 1} if roll >= least else dict.fromkeys(again, Fraction(1, 4))

        def shares(least):
            rolls = {}
            for roll in range(1, 5):
                for kept, p in final(least, roll, range(1, 5)).items():
                    rolls[kept] = rolls.get(kept, 0) + Fraction(p) / 4
            return rolls

        def worth(mine):
            return sum(
                p * q * Highest().kept((mine, second), third).profit("a")
                for second, p in shares(b).items()
                for third, q in shares(c).items()
            )

        again = sum(map(worth, range(1, 5))) / Fraction(4)
        return sum(max(worth(roll), again) for roll in range(1, 5)) / Fraction(4)

    for b, c in ((2, 4), (4, 2), (3, 3)):
        best = so.best(Highest(), "a", against={"b": keep_from(b), "c": keep_from(c)})
        assert best.value == value(b, c)
    with pytest.raises(RulesError, match="one of each other player: b, c"):
        so.best(Highest(), "a", against={"b": keep_from(2)})


def test_a_step_that_tells_whether_is_sent_to_win_and_lose():
    class Seven(so.Game):
        dice, start = so.dice("2d6"), "table"

        def step(self, state, roll):
            return roll.total == 7

    with pytest.raises(so.SevenoutError, match=r"return so.win\(\) or so.lose\(\)"):
        so.solve(Seven())


def test_a_distribution_is_iterated_in_order():
    points = so.best(so.games("pig-turn")).distribution("points")
    values = list(points)
    assert values == sorted(values)
    assert values[:2] == [0, 21]  # 1 loses the turn, and 20 is as good to roll as to hold
    assert sum(p for _, p in points.items()) == 1


def test_policies_of_players_that_there_are_not_are_named() -> None:
    with pytest.raises(RulesError, match="against has policies of b, c; give one of each other"):
        so.best("pig", against={"b": lambda state: "roll", "c": lambda state: "hold"})


def test_a_policy_of_the_catalogue_is_followed_by_its_name() -> None:
    game = so.games("pig", goal=10)
    by_name = so.best(replace(so.games.entry("pig"), own_options={"goal": 10}), against="hold-5")
    hold = so.games.entry("pig").policy("hold-5", goal=10)
    assert by_name.value == so.best(game, against=hold).value
    with pytest.raises(RulesError, match="whose policies have names"):
        so.best(game, against="hold-5")


def test_a_game_of_turns_is_played_to_win() -> None:
    pig = goal_of(so.explore(so.games("pig", goal=10)))
    assert pig.description == "the highest probability to win"
    assert pig.aim == "maximizes the probability to win"
    assert pig.name == "most P(pass > 0)"  # in data it stays as it is written in files
    least = goal_of(so.explore(so.games("pig", goal=10)), least="pass > 0")
    assert least.description == "the lowest probability to win"
    assert "probability to win" not in goal_of(so.explore(so.games("place-up"))).description


@pytest.mark.parametrize(
    ("name", "fields", "description", "aim", "value_description"),
    [
        (
            "most P(pass > 0)",
            {"is_probability": True, "quantity_in_words": "probability to win"},
            "the highest probability to win",
            "maximizes the probability to win",
            "probability",
        ),
        (
            "least P(pig)",
            {"is_probability": True},
            "the lowest P(pig)",
            "minimizes P(pig)",
            "probability",
        ),
        (
            "least points",
            {"counters": {"points": Fraction(1)}},
            "the lowest mean of points",
            "minimizes the mean of points",
            "mean points",
        ),
        (
            "most pass",
            {"is_staked": True, "tie_note": "a tie is 0"},
            "the highest mean of pass",
            "maximizes the mean of pass",
            "mean per unit staked, a tie is 0",
        ),
    ],
)
def test_a_goal_in_words(name, fields, description, aim, value_description):
    direction, _, quantity = name.partition(" ")
    sense = 1 if direction == "most" else -1
    goal = Goal(quantity, sense, lambda outcome: Fraction(0), **fields)
    assert (goal.name, goal.description, goal.aim) == (name, description, aim)
    assert goal.value_description == value_description
