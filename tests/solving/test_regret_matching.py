"""Large games of hidden hands: nearly optimal policies, and an interval that is proved."""

import json
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rules.hidden_hands import LateDeal
from sevenout.solving import mixed_optimum, regret_matching
from sevenout.solving.public_tree import HandsGame, UndominatedTree
from sevenout.solving.regret_matching import TARGET_WIDTH, Matching


@pytest.fixture
def matched(monkeypatch):
    """Games of any size are matched."""
    monkeypatch.setattr(mixed_optimum, "MAX_EXACT", 0)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"sides": 3}, "-1/9"),
        ({"sides": 6, "ones": "wild"}, "-7/327"),
        ({"first": 2, "sides": 4}, "345/1696"),
        ({"second": 2, "sides": 4}, "-1/8"),
    ],
)
def test_the_interval_holds_the_exact_value(matched, options, value):
    best = so.best(so.games("liars-dice", **options), method="certified")
    assert best.method == "certified"
    assert 0 < best.bound <= Fraction(TARGET_WIDTH)
    assert abs(best.value - Fraction(value)) <= best.bound


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"sides": 3}, "-1/9"),
        ({"sides": 4, "ones": "wild"}, "0"),
        ({"first": 2, "sides": 3}, "1/9"),
    ],
)
def test_exact_policies_are_found_near_the_averages(matched, options, value):
    best = so.best(so.games("liars-dice", **options), method="exact")
    assert (best.method, best.bound, best.value) == ("exact", 0, Fraction(value))
    assert best.solved.bound == 0  # proved once more, in the explored game
    assert best.solved.value == best.value


def test_an_interval_that_is_narrow_enough_is_kept():
    game = so.explore(LateDeal(so.games("liars-dice", sides=3)))
    tree = UndominatedTree(HandsGame.of(game, [end.profit("first") for end in game.outcomes]))
    matching = Matching(tree)
    rounds = matching.rounds
    assert matching.narrow(1)
    assert matching.rounds == rounds
    assert matching.settle()
    rounds = matching.rounds
    assert matching.narrow(1e-12)
    assert (matching.low, matching.high) == (Fraction(-1, 9), Fraction(-1, 9))
    assert matching.rounds == rounds


def test_where_no_exact_policies_are_found_they_are_refused(matched, monkeypatch):
    monkeypatch.setattr(regret_matching, "MAX_SEQUENCES", 5)
    monkeypatch.setattr(regret_matching, "FINER_WIDTHS", (1e-3,))
    dice = so.games("liars-dice", sides=3)
    with pytest.raises(RulesError, match="no exact policies were found"):
        so.best(dice, method="exact")
    assert so.best(dice).method == "certified"


def test_a_goal_may_be_a_probability_or_that_of_the_second(matched):
    dice = so.games("dudo", sides=3)
    explored = so.explore(dice)
    wishes = (
        {"most": "first wins"},
        {"least": "first wins"},
        {"most": "second"},
        {"least": "second"},
    )
    for wish in wishes:
        near = so.best(dice, **wish, method="certified")
        exact = so.best(explored, **wish)
        assert so.best(dice, **wish, method="exact").value == exact.value
        assert abs(near.value - exact.value) <= near.bound


def test_the_policy_is_near_the_exact_one(matched):
    """What the policies say is a distribution, everywhere, and comes up as often as it should."""
    game = so.games("liars-dice", sides=3)
    best, explored = so.best(game, method="certified"), so.explore(game)
    seen = list(best.policy)
    assert len(seen) == len(best.policy) == len(set(seen))
    up = [best.reach_probability(state) for state in seen]
    assert up == sorted(up, reverse=True)
    opening = [state for state in seen if len(state[1]) == 1]
    assert sum(map(best.reach_probability, opening)) == pytest.approx(1)
    for asked in explored.node_by_key:
        assert sum(best.policy[asked].values()) == 1
    assert "third" not in best.policy
    follow = best.evaluate(best.policy)
    assert abs(follow.value - best.value) <= best.bound


def test_options_are_weighed(matched):
    best = so.best(so.games("liars-dice", sides=4))
    for state in list(best.policy)[:20]:
        options = best.options(state)
        assert options[0].cost == 0
        played = best.policy[state]
        assert sum(played[option.name] * option.cost for option in options) < Fraction(1, 100)


def test_every_face_tells_of_the_interval(matched, capsys):
    assert main(["best", "dudo", "--sides", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["of"] >= len(told["policy"])
    assert main(["best", "dudo", "--sides", "3", "--method", "certified"]) == 0
    assert "Certified between" in capsys.readouterr().out
    assert main(["best", "dudo", "--sides", "3", "--at", "first: 2"]) == 0
    assert "first sees 2" in capsys.readouterr().out


def test_what_takes_longer_than_the_budget_says_how_to_raise_it():
    with pytest.raises(TooMuchWorkError, match=r"write --budget 700 \(in Python") as told:
        so.best(so.games("liars-dice", first=2, second=2, ones="wild"))
    assert "\n" not in str(told.value)


def test_what_does_not_fit_is_refused():
    with pytest.raises(TooMuchWorkError, match="ways to play"):
        so.best(so.games("liars-dice", first=3, second=3))


@pytest.mark.slow
def test_two_dice_against_one_with_wild_ones():
    """T. D. Ahle, snyd (2017) prints 0.2592; in about 40 s of a processor."""
    with so.budget(seconds=300):
        best = so.best(so.games("liars-dice", first=2, ones="wild"))
    assert (best.value, best.bound) == (Fraction(7, 27), 0)


@pytest.mark.slow
def test_two_dice_each_with_six_sides():
    """7 billion positions, in 13 s of a processor."""
    best = so.best(so.games("liars-dice", first=2, second=2))
    assert best.bound <= Fraction(1, 1000)
    assert abs(best.value + Fraction(168, 10_000)) < Fraction(1, 1000)


def test_the_values_of_the_first_choices_add_up_to_that_of_the_game(matched):
    """Of either player, since the first has always claimed something before the second answers."""
    best = so.best(so.games("liars-dice", sides=3), method="certified")
    for seen in (1, 2):
        reached = [state for state in best.policy if len(state[1]) == seen]
        reached = [state for state in reached if best.reach_probability(state)]
        total = sum(
            best.reach_probability(state) * best.options(state)[0].value for state in reached
        )
        assert abs(total - best.value) <= 2 * best.bound
