"""What may not be asked for; what policies are worth, and the dearest mistakes; goals in words."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.errors import RulesError, SevenoutError
from sevenout.rules.objective import parse_objective
from sevenout.solving import goal_of
from sevenout.solving.optimal_play import best

from .pigs import Pig, PigTurn, SeatedPig, Solitaire


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best(PigTurn(), "roll"), "'roll' can't be a goal"),
        (lambda: best(PigTurn(), ["won"]), "no outcome 'won'"),
        (lambda: best(PigTurn(), 5), "5 is not a goal"),
        (lambda: best(PigTurn(), []), "[] is not a goal"),
        (lambda: best(Pig(6), against="hold"), "'hold' is not a policy"),
        (lambda: best(Pig(6), against={}), "gives no option"),
        (lambda: so.explore(PigTurn()).under(5), "5 is not a policy"),
        (lambda: best(PigTurn()).at([1]), "state [1] is not a decision state"),
        (lambda: best(PigTurn()).mistakes(lambda s: "roll", most=-1), "most=-1"),
        (lambda: best(PigTurn()).mistakes(lambda s: "roll", most="5"), "most='5'"),
        (lambda: best(PigTurn(), "turn", least="rolls"), "both given"),
        (lambda: best(PigTurn(), method="guess"), "method='guess'"),
        (lambda: best(PigTurn(), against={}), "the game has one player"),
        (lambda: best(so.games["craps"]), "has no choices; use `sevenout odds`"),
        (lambda: so.solve(PigTurn()), "has choices in state"),
        (lambda: best(PigTurn()).at(-5), "is not a decision state"),
        (lambda: so.explore(PigTurn()).under({0: "roll"}), "gives no option"),
        (lambda: so.explore(PigTurn()).under(lambda s: "jump"), "the policy returned 'jump'"),
    ],
)
def test_bad_input_is_one_line(call, said):
    with pytest.raises(SevenoutError) as error:
        call()
    assert said in str(error.value)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_a_game_that_can_be_prolonged():
    class Wait(so.Game):
        dice, start = so.d6, "in"

        def choices(self, state):
            return {"wait": "in", "go": "out"} if state == "in" else {}

        def step(self, state, face):
            return "in" if state == "in" else so.win() if face > 4 else so.lose()

    assert best(Wait()).value == Fraction(-1, 3)
    assert best(Wait()).policy == {"in": "go"}
    fewest = best(Wait(), least="rolls")
    assert (fewest.value, fewest.policy) == (1, {"in": "go"})


def hold_at(least):
    return lambda state: "hold" if state[-1] >= least else "roll"


def test_what_a_policy_is_worth_to_who_follows_it():
    best = so.best(Solitaire(40), least="turns")
    held = so.solve(so.explore(Solitaire(40)).under(hold_at(20)))
    followed = best.follow(hold_at(20))
    assert followed == (held.mean("turns"), 0, held.mean("turns") - best.value)
    assert followed.cost > 0
    assert best.follow(best.policy) == (best.value, 0, 0)


def test_a_policy_of_two_is_followed_against_the_best():
    best = so.best(Pig(30))
    model = so.explore(Pig(30))
    played = so.solve(model.under(hold_at(10), best.policy)).bet().p_win
    assert best.follow(hold_at(10)).value == played < best.value
    for player in ("first", "second"):
        seated = so.best(SeatedPig(8), player)
        assert seated.follow(seated.policy) == (seated.value, 0, 0)
        mistaken = seated.follow(lambda state: "hold")
        assert mistaken.value == seated.value - mistaken.cost < seated.value


def test_a_certified_policy_is_worth_what_it_is():
    exact = so.best(Pig(35), method="exact")
    certified = so.best(Pig(35), method="certified")
    value, bound, _ = certified.follow(hold_at(15))
    assert abs(value - exact.follow(hold_at(15)).value) <= bound + certified.bound
    assert certified.ties == exact.ties
    assert certified.come_up == exact.come_up
    assert dict(certified.card.parts).keys() == dict(exact.card.parts).keys()


def test_the_dearest_mistakes_are_those_that_can_be_made():
    best = so.best(Pig(30))
    all_of_them = best.mistakes(hold_at(10))
    assert [m.cost for m in all_of_them] == sorted((m.cost for m in all_of_them), reverse=True)
    three = best.mistakes(hold_at(10), 3)
    assert len(three) == 3
    assert set(three) <= set(all_of_them)
    assert all(mistake.state[2] <= 15 for mistake in three)  # he never has more in a turn
    assert best.mistakes(best.policy, 3) == []


def test_goals_in_words():
    model = so.explore(PigTurn())
    for text, name in [
        ("most turn", "most turn"),
        ("turn", "most turn"),
        ("fewest rolls", "least rolls"),
        ("P(pig)", "most P(pig)"),
        ("least P(pig or hold)", "least P(pig or hold)"),
        ("turn >= 20", "most P(turn >= 20)"),
        ("P(turn > 20)", "most P(turn > 20)"),
    ]:
        assert goal_of(model, **parse_objective(text).arguments).name == name
    for text in ("P(win)", "fewest", "most of it", "P(pig or cow)", ""):
        with pytest.raises(RulesError, match=r"can't be a goal|'' is not a goal"):
            goal_of(model, **parse_objective(text).arguments)
