"""The law of a game of turns, its games rolled, and its lists, beside the rules played out."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, SevenoutError
from sevenout.rules import Ask, Counted, Outcome, counted
from sevenout.solving import turn_policies
from tests.solving.turns.test_turns import Boxes, Roll, Rounds

boxes = st.sets(st.sampled_from(["high", "pair", "low"]), min_size=1, max_size=3)
weights = st.sampled_from([(3, 5), (11, 2), (3, 5, 7), (13, 4, 10), (1, 97, 30)])  # no two ways tie


class Loaded(Boxes):
    """Boxes with dice on which no two ways are ever equally good, or hardly ever."""

    def __init__(self, boxes, weights, dice=2, rolls=2):
        super().__init__(boxes, len(weights), dice, rolls)
        die = so.Die(range(1, len(weights) + 1), weights)
        self.turn = type(self.turn)(die, dice, rolls)


def law_by_hand(game, policy, met=None):
    """What the game comes to, by playing every roll of it: probability by score.

    Each question that comes up by a roll, or by an entry, is told to `met`.
    """

    @cache
    def after(then, rolled):
        scored = Fraction(0)
        while isinstance(then, Counted):
            scored += dict(then.counts).get("score", 0)
            then = then.then
        if isinstance(then, Outcome):
            return {scored: Fraction(1)}
        asked = isinstance(then, Ask)
        state = then.state if asked else then
        asked = asked or (rolled and bool(game.choices(state)))
        if asked and met and (rolled or isinstance(state[2], Outcome)):
            met(state)
        return {scored + x: p for x, p in law(state, asked).items()}

    @cache
    def law(state, asked):
        if asked:
            then = game.choices(state)[policy(state)]
            return after(then, rolled=isinstance(state[2], Outcome))
        found = {}
        for roll, p in game.rolls(state).law.items():
            for x, q in after(game.step(state, roll), rolled=True).items():
                found[x] = found.get(x, 0) + p * q
        return found

    return after(game.start, rolled=True)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(boxes, weights, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_the_law_is_that_of_the_game_played_out(names, weights, dice, rolls, most):
    game = Loaded(names | {"high"}, weights, dice, rolls)
    optimum = so.best(game, **({"most": "score"} if most else {"least": "score"}), method="exact")
    law, by_hand = optimum.law, law_by_hand(game, optimum.policy)
    assert law.mean == pytest.approx(float(optimum.value))
    assert {x for x, p in by_hand.items() if p} == set(law.row)
    for x, p in by_hand.items():
        assert abs(law.pmf(x) - p) <= law.bound * p * 2
    mean = sum(x * p for x, p in by_hand.items())
    variance = sum((x - mean) ** 2 * p for x, p in by_hand.items())
    assert law.std**2 == pytest.approx(float(variance), abs=1e-9)


def test_the_law_of_cards_with_unequally_many_turns_left():
    class Either(Rounds):
        def entries(self, card):
            return {"on": self.reading, "stop": lambda seen: counted("any", score=4)}

        def enter(self, card, entry, seen):
            return super().enter(card, entry, seen) if entry == "on" else so.settle("stopped")

    game = Either(Roll(so.Die([1, 2, 9], [3, 5, 2])), 3)
    optimum = so.best(game)
    by_hand = law_by_hand(game, optimum.policy)
    assert {x: pytest.approx(float(p)) for x, p in by_hand.items()} == {
        x: float(optimum.law.pmf(x)) for x in optimum.law.row
    }


def test_quantiles_are_the_least_that_are_not_exceeded():
    law = so.best(Loaded({"high", "pair"}, [3, 5, 7])).law
    for share in ("1/100", "1/3", "1/2", "99/100"):
        at = law.quantile(share)
        assert law.cdf(at) >= Fraction(share) > law.cdf(at) - law.pmf(at)
    assert law.pmf("1/7") == 0
    with pytest.raises(RulesError, match="from 0 to 1"):
        law.quantile(2)


GAME = Loaded({"high", "pair", "low"}, [3, 5, 7, 2], dice=3, rolls=3)


def test_games_rolled_follow_the_law():
    """20,000 games; Dvoretzky, Kiefer and Wolfowitz: a false alarm in 370,000."""
    optimum, n = so.best(GAME), 20_000
    played = optimum.simulate(n, seed=3)
    assert abs(played.z) < 5
    assert played.deviation == pytest.approx(optimum.law.std, rel=0.05)
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


@pytest.mark.parametrize("games", [0, True, 1.0, "many", 10**12])
def test_games_that_are_none_or_too_many_are_refused(games):
    with pytest.raises(SevenoutError, match=r"whole number, 1 or more|the budget is"):
        so.best(GAME).simulate(games)


@pytest.mark.parametrize("seed", [-1, None, True, 2.5, "one"])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(RulesError, match=r"seed=.*; give a whole number, 0 or more"):
        so.best(GAME).simulate(1, seed)


def scores(unit):
    return Rounds(Roll(so.d6), 3, reading=lambda seen: counted("any", score=int(seen.label) * unit))


def test_sums_of_large_scores_do_not_overflow():
    small, large = (so.best(scores(unit)).simulate(10_000) for unit in (1, 10**15))
    assert large.mean == small.mean * 10**15


@pytest.mark.parametrize("ask", [lambda best: best.simulate(10), lambda best: best.law])
def test_scores_beyond_64_bits_are_refused(ask):
    with pytest.raises(RulesError, match="don't fit in 64 bits"):
        ask(so.best(scores(10**18)))


def test_scores_beyond_floats_are_exact():
    with pytest.raises(RulesError, match="too large for floats"):
        so.best(scores(10**400))
    assert so.best(scores(10**400), method="exact").value == 3 * Fraction(7, 2) * 10**400


def test_weights_that_cannot_be_rolled_in_64_bits_are_refused():
    game = Rounds(Roll(so.Die([1, 2, 3], [1, 2**62, 2**63])))
    with pytest.raises(RulesError, match="too large to be rolled"):
        so.best(game).simulate(10)


def test_the_same_games_on_any_number_of_threads(monkeypatch):
    found = set()
    for threads in (1, 3):
        monkeypatch.setattr(turn_policies, "THREADS", threads)
        found.add(str(so.best(GAME).simulate(70_000).to_dict()))
    assert len(found) == 1


def test_a_list_ranks_what_it_leaves_out_last():
    optimum = so.best(GAME, method="exact")
    start = GAME.card, 0
    for name, ranking in optimum.turn_card().items():
        for state in optimum.turn_states:
            if name != "2 rolls left" or isinstance(state, Outcome) or state[1:] == ():
                continue
            if len(state[1]) == 3 and state[2] == 2:
                menu = {plan.name: plan.margin for plan in optimum.plans((*start, state))}
                assert menu[ranking.read(state, tuple(menu))] == 0


@pytest.mark.parametrize("unit", [1, -1])
def test_the_bound_is_that_of_the_dearest_card(unit):
    """Eight sixes in a row pay: the last card is worth more than the first by far."""

    class Row(Rounds):
        def entries(self, card):
            pays = unit * 7**8 if card == (1, True) else 0
            return {"in": lambda seen: counted(seen.label == "6", score=pays * (seen.label == "6"))}

        def enter(self, card, entry, seen):
            turns, all_six = card
            return (turns - 1, all_six and seen) if turns > 1 else so.settle("over")

    game = Row(Roll(so.Die(range(1, 7), [1, 2, 3, 4, 5, 6])), (8, True))
    exact, certified = (so.best(game, method=method) for method in ("exact", "certified"))
    assert exact.value == unit * 2**8
    for turns in range(1, 9):
        card = turns, True
        bound = certified.bound_at((card, 0, None))
        assert abs(exact.to_come(card) - certified.to_come(card)) <= bound
        assert bound < 10 * abs(exact.to_come(card)) / 10**12
    assert certified.bound_at(((1, True), 0, None)) > 1000 * certified.bound
    assert exact.bound_at(((1, True), 0, None)) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda optimum: optimum.to_come(frozenset({"none"})),
        lambda optimum: optimum.plans((GAME.card, 0, ("shown", (9, 9, 9), 1))),
        lambda optimum: optimum.at((GAME.card, 0, [1])),
    ],
)
def test_bad_input_is_one_line(call):
    with pytest.raises(SevenoutError) as error:
        call(so.best(GAME))
    assert len(str(error.value)) < 400


def test_greedy_play_plays_each_turn_as_if_it_were_the_last():
    class One(Loaded):
        def enter(self, card, entry, seen):
            return so.settle("over")

        def final(self, total):
            return {}

    dice, turns = (13, 4, 10), {}
    game = Loaded({"high", "pair"}, dice)

    def greedy(state):
        card, _, inner = state
        alone = turns.setdefault(card, so.best(One(card, dice), method="exact"))
        return alone.policy((card, 0, inner))

    mean = so.solve(so.explore(game).under(greedy)).mean("score")
    best = so.best(game, method="exact")
    assert abs(best.greedy.law.mean - mean) <= best.greedy.bound
    assert mean < best.value
    everything = best.greedy.law.reached(best.greedy.law.support[0])
    assert abs(everything.value - 1) <= everything.bound < Fraction(1, 10**12)
