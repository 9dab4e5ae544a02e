"""The law of a game of turns, its games rolled, and its lists, beside the rules played out."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, SevenoutError
from sevenout.rules import Ask, Counted, Outcome, counted
from tests.decide.test_turns import Boxes, Roll, Rounds

boxes = st.sets(st.sampled_from(["high", "pair", "low"]), min_size=1, max_size=3)
weights = st.sampled_from([(3, 5), (11, 2), (3, 5, 7), (13, 4, 10), (1, 97, 30)])  # no two ways tie


class Loaded(Boxes):
    """Boxes with dice on which no two ways are ever equally good, or hardly ever."""

    def __init__(self, boxes, weights, dice=2, rolls=2):
        super().__init__(boxes, len(weights), dice, rolls)
        die = so.Die(range(1, len(weights) + 1), weights)
        self.turn = type(self.turn)(die, dice, rolls)


def law_by_hand(game, optimum):
    """What the game comes to, by playing every roll of it: probability by score."""

    @cache
    def after(then):
        scored = Fraction(0)
        asked = False
        while isinstance(then, Counted | Ask):
            if isinstance(then, Counted):
                scored += dict(then.counts).get("score", 0)
                then = then.then
            else:
                asked, then = True, then.state
        if isinstance(then, Outcome):
            return {scored: Fraction(1)}
        return {scored + x: p for x, p in law(then, asked or bool(game.choices(then))).items()}

    @cache
    def law(state, asked):
        if asked:
            return after(game.choices(state)[optimum.policy(state)])
        found = {}
        die = game.rolls(state)
        for roll, p in die.law.items():
            for x, q in after(game.step(state, roll)).items():
                found[x] = found.get(x, 0) + p * q
        return found

    return law(game.start, bool(game.choices(game.start)))


@settings(max_examples=25, derandomize=True, deadline=None)
@given(boxes, weights, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_the_law_is_that_of_the_game_played_out(names, weights, dice, rolls, most):
    game = Loaded(names | {"high"}, weights, dice, rolls)
    optimum = so.best(game, **({"most": "score"} if most else {"least": "score"}), method="exact")
    law, by_hand = optimum.law, law_by_hand(game, optimum)
    assert law.mean == pytest.approx(float(optimum.value))
    assert {x for x, p in by_hand.items() if p} == set(law.worths)
    for x, p in by_hand.items():
        assert abs(law.pmf(x) - p) <= law.error * p * 2
    mean = sum(x * p for x, p in by_hand.items())
    variance = sum((x - mean) ** 2 * p for x, p in by_hand.items())
    assert law.deviation**2 == pytest.approx(float(variance), abs=1e-9)


def test_the_law_of_cards_with_unequally_many_turns_left():
    class Either(Rounds):
        def entries(self, card):
            return {"on": self.reading, "stop": lambda seen: counted("any", score=4)}

        def enter(self, card, entry, seen):
            return super().enter(card, entry, seen) if entry == "on" else so.settle("stopped")

    game = Either(Roll(so.Die([1, 2, 9], [3, 5, 2])), 3)
    optimum = so.best(game)
    by_hand = law_by_hand(game, optimum)
    assert {x: pytest.approx(float(p)) for x, p in by_hand.items()} == {
        x: float(optimum.law.pmf(x)) for x in optimum.law.worths
    }


def test_quantiles_are_the_least_that_are_not_exceeded():
    law = so.best(Loaded({"high", "pair"}, [3, 5, 7])).law
    for share in ("1/100", "1/3", "1/2", "99/100"):
        at = law.quantile(share)
        assert law.cdf(at) >= Fraction(share) > law.cdf(at) - law.pmf(at)
    assert law.pmf("1/7") == 0
    with pytest.raises(RulesError, match="above 0 and below 1"):
        law.quantile(1)


GAME = Loaded({"high", "pair", "low"}, [3, 5, 7, 2], dice=3, rolls=3)


def test_games_rolled_follow_the_law():
    """20,000 games; Dvoretzky, Kiefer and Wolfowitz: a false alarm in 370,000."""
    optimum, n = so.best(GAME), 20_000
    played = optimum.simulate(n, seed=3)
    assert abs(played.z) < 5
    assert played.deviation == pytest.approx(optimum.law.deviation, rel=0.05)
    for share in ("1/20", "1/4", "1/2", "3/4", "19/20"):
        at = played.quantile(share)
        slack = Fraction(26, 10) / Fraction(n) ** Fraction(1, 2)
        assert optimum.law.cdf(at) > Fraction(share) - Fraction(slack)
        assert optimum.law.cdf(at) - optimum.law.pmf(at) < Fraction(share) + Fraction(slack)


def test_the_same_seed_rolls_the_same_games():
    optimum, again = so.best(GAME), so.best(GAME, method="exact")
    assert optimum.simulate(500, seed=1).to_dict() == optimum.simulate(500, seed=1).to_dict()
    assert optimum.simulate(500, seed=1).mean == again.simulate(500, seed=1).mean
    assert optimum.simulate(500, seed=1).mean != optimum.simulate(500, seed=2).mean
    assert "played best" in str(optimum.simulate(1))
    with pytest.raises(RulesError, match="play 1 or more"):
        optimum.simulate(0)


def test_the_lists_are_best_in_every_hand():
    optimum = so.best(GAME, method="exact")
    lists = optimum.turn_card()
    assert list(lists) == ["2 rolls left", "1 roll left", "enter"]
    start = GAME.card, 0
    for faces in {s[1] for s in optimum.turn_states if not isinstance(s, Outcome)}:
        if len(faces) < 3:
            continue
        for left in (2, 1):
            state = ("shown", faces, left)
            plans = {plan.name: plan for plan in optimum.plans((*start, state))}
            ranking = lists[f"{left} {'rolls' if left > 1 else 'roll'} left"]
            did = ranking.exceptions.get(state) or next(o for o in ranking.options if o in plans)
            assert plans[did].margin == 0
            # The worth of a plan is that of its answers, one after another.
            assert max(p.value for p in plans.values()) == optimum.at((*start, state))[0].value


def test_plans_are_what_the_answers_come_to():
    optimum = so.best(GAME, method="exact")
    state = (GAME.card, 0, ("shown", (1, 2, 2), 1))
    plans = {plan.name: plan.value for plan in optimum.plans(state)}
    assert set(plans) == {"keep 1 2 2", "keep 2 2", "keep 1 2", "keep 2", "keep 1", "keep none"}
    one = (GAME.card, 0, ("shown", (2, 2), 1))
    by_hand = {option.name: option.value for option in optimum.at(one)}
    assert by_hand["roll"] == plans["keep 2 2"]


def test_what_is_given_up_first_leaves_the_most():
    optimum = so.best(GAME, method="exact")
    lines = optimum.given_up()
    assert {name for name, _, _ in lines} == {"high", "pair", "low"}
    assert [paid + after for _, paid, after in lines] == sorted(
        (paid + after for _, paid, after in lines), reverse=True
    )
    for name, paid, after in lines:
        if name == "pair":
            assert paid == 0
            assert after == optimum.to_come(GAME.card - {"pair"})


@pytest.mark.parametrize(
    "call",
    [
        lambda optimum: optimum.to_come(frozenset({"none"})),
        lambda optimum: optimum.plans((GAME.card, 0, ("shown", (9, 9, 9), 1))),
        lambda optimum: optimum.simulate("many"),
    ],
)
def test_bad_input_is_one_line(call):
    with pytest.raises(SevenoutError) as error:
        call(so.best(GAME))
    assert len(str(error.value)) < 400
