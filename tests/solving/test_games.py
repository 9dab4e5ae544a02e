"""The games with choices: known figures, rules written a second time, and played."""

import pickle
from fractions import Fraction
from functools import cache
from math import sqrt

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.errors import RulesError, SevenoutError
from sevenout.simulation.tally import variances

SMALL = {
    "pig": {"goal": 10},
    "pig-solitaire": {"goal": 20},
    "piglet": {"goal": 3},
    "shut-the-box-10": {"tiles": 8},
    "shut-the-box-12": {"tiles": 7},
    "farkle-turn": {"goal": 1_000},
    "zilch-turn": {"goal": 1_000},
    "cant-stop-3": {"columns": 1},
    "liars-dice": {"sides": 3},
    "liars-dice-wild": {"sides": 4},
    "dudo": {"sides": 4},
    "perudo": {"sides": 3},
    "dice-bids": {"bids": 3},
}
"""Options with which the larger ones are quick."""
SIGMAS = 5.7
"""A normal law is farther out once in 10^8; there are fewer than a hundred games."""


@cache
def optimum(name):
    entry = games.entry(name)
    return so.best(entry.game(**SMALL.get(name, {})), **entry.goal)


def quick(name, **options):
    return so.best(games(name, **options), **games.entry(name).goal)


@pytest.mark.parametrize("name", games.with_choices)
def test_an_entry_says_what_it_is(name):
    entry = games.entry(name)
    assert len(entry.rules) > 50
    assert entry.source
    assert entry.family
    assert entry.readings or name == "place-three-wins"
    assert pickle.loads(pickle.dumps(entry.game())) == entry.game()
    assert hash(entry.game()) == hash(entry.game())


@pytest.mark.parametrize(
    "name", [n for n in games.with_choices if n not in SMALL and games.entry(n).known]
)
def test_known(name):
    assert {"value": optimum(name).value} == games.entry(name).known


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("pig", {"goal": 6}, "24/31"),
        ("pig", {"goal": 10}, "7776/10961"),
        ("piglet", {"goal": 3}, "6/11"),
    ],
)
def test_known_of_small_ones(name, options, value):
    assert quick(name, **options).value == Fraction(value)


def test_pig_held_at_twenty():
    pig = games.entry("pig-turn")
    model, sizes = so.explore(pig.game()), (15, 20, 21, 25)
    held = {n: so.solve(model.under(pig.policy(f"hold-{n}"))).mean("points") for n in sizes}
    assert max(held.values()) == held[20] == held[21] == pig.known["value"]
    assert optimum("pig-turn").ties == (20,)


@pytest.mark.parametrize(
    ("name", "policy"),
    [(name, policy) for name in games.with_choices for policy in games.entry(name).policies],
)
def test_a_simple_policy_is_no_better(name, policy):
    entry, best = games.entry(name), optimum(name)
    simple = entry.policy(policy, **SMALL.get(name, {}))
    table = {state: simple(state) for state in best.policy}
    assert all(mistake.cost > 0 for mistake in best.mistakes(table))
    value = of_chain(best, best.model.under(table, best.policy))
    assert (best.value - value) * best.goal.sense >= 0
    assert value == best.value or best.mistakes(table)


def of_chain(best, chain):
    """What the goal is worth in a chain of a policy."""
    solution = so.solve(chain)
    if best.goal.counters:
        (counter,) = best.goal.counters
        return solution.mean(counter)
    outcomes = solution.outcomes.items()
    return sum((p * best.goal.value(outcome) for outcome, p in outcomes), Fraction(0))


@pytest.mark.parametrize(
    "name", [n for n in games.with_choices if games.entry(n).family != "Yahtzee"]
)
def test_played_best_it_is_worth_what_it_should_be(name):
    """A z-test of each game; all together, they raise a false alarm once in a million."""
    best = optimum(name)
    chain = best.chain
    if name != "place-up":  # played best, it is taken down at once
        assert abs(of_chain(best, chain) - best.value) <= best.bound
    games = 20_000
    tally = so.simulate(chain, games, seed=12, backend="numpy")
    if best.goal.counters:
        (counter,) = best.goal.counters
        mean, variance = Fraction(tally.counters[counter], games), variances(chain)[counter]
    else:
        worths = [(best.goal.value(outcome), n) for outcome, n in tally.outcomes.items()]
        mean = Fraction(sum(worth * n for worth, n in worths), games)
        second = sum(p * best.goal.value(o) ** 2 for o, p in best.solution.outcomes.items())
        variance = second - best.value**2
    assert abs(mean - best.value) <= SIGMAS * sqrt(variance / games)


def test_which_main_to_call():
    edges = {main: so.solve(games("hazard", main=main)).bet().edge for main in range(5, 10)}
    assert optimum("hazard-main").value == -min(edges.values()) == Fraction(-7, 495)
    assert optimum("hazard-main-setter").value == max(edges.values()) == Fraction(167, 7128)
    turn = optimum("hazard-mains")
    assert turn.value == so.solve(games["hazard-turn"]).mean("won")
    assert set(turn.policy.values()) == {"main 7"}
    # With every main the caster loses money: the fewer rounds, the better.
    rich = so.best(games("hazard-mains", losses=1), "money")
    p = (1 - edges[7]) / 2
    assert rich.value >= (p / (1 - p)) - 1


def test_a_repeater_is_surrendered_for_more_than_it_is_worth():
    never = so.solve(games["repeater-plus-6-8"]).bet()
    best = optimum("repeater-6-surrender")
    assert best.value == -never.edge
    for come, offer in ((3, 8), (4, 18), (5, 40)):
        (ride, taken) = best.at(come)
        assert ride.name == "let it ride"
        assert ride.value == 90 * Fraction(5, 11) ** (6 - come) - 1
        assert taken.margin == ride.value + 1 - offer
    kind = quick("repeater-6-surrender", offers={5: 41})
    assert kind.policy == {5: "surrender"}
    assert kind.value == 41 * Fraction(5, 11) ** 5 - 1


def test_odds_are_free_and_the_dont_pass_is_left_up():
    odds = optimum("craps-odds-up")
    assert odds.value == Fraction(-7, 495)
    assert set(odds.ties) == {4, 5, 6, 8, 9, 10}
    assert all(option.margin == 0 for options in odds.margins.values() for option in options)
    assert so.best(games("craps-odds-up"), "pass >= 2").value > Fraction(0)
    dont = optimum("dont-pass-up")
    assert dont.value == -so.solve(games["dont-pass"]).bet().edge
    assert set(dont.policy.values()) == {"leave it up"}
    for point, ways in ((4, 3), (5, 4), (6, 5)):
        assert dont.at(point)[1].margin == Fraction(6 - ways, 6 + ways)


def test_a_place_bet_wins_three_times_as_often_as_three_bets_do():
    assert optimum("place-three-wins").value == Fraction(5, 11) ** 3
    assert optimum("place-up").value == 0


BAD = [
    ("pig", {"goal": 0}, "play to 1 or more"),
    ("piglet", {"goal": "ten"}, "a whole number"),
    ("shut-the-box", {"tiles": 13}, "1 to 12"),
    ("shut-the-box", {"one_die": "sometimes"}, "'low sum'"),
    ("threes", {"dice": 0}, "roll 1 to 8"),
    ("midnight", {"needed": (1, 1)}, "different faces"),
    ("farkle-turn", {"goal": 0}, "50 or more"),
    ("zilch-turn", {"least": 20_000}, "up to the goal"),
    ("bear-off", {"board": (0, 0)}, "1 to 15 in all"),
    ("bear-off-every", {"checkers": 16}, "1 to 15"),
    ("cant-stop", {"sides": 7}, "2 to 6"),
    ("hazard-mains", {"losses": 0}, "1 or more"),
    ("repeater-6-surrender", {"number": 2}, "give pays= and offers="),
    ("repeater-6-surrender", {"offers": {6: 1}}, "after 1 to 5 times"),
    ("craps-odds-up", {"multiple": -1}, "0 or more"),
    ("dont-pass-up", {"bar": 4}, "bars 2, 3 or 12"),
    ("place-up", {"number": 7}, "4, 5, 6, 8, 9 and 10"),
]


@pytest.mark.parametrize(("name", "options", "said"), BAD)
def test_a_wrong_option_says_what_would_be_right(name, options, said):
    with pytest.raises(RulesError, match=said) as error:
        games(name, **options)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: games.entry("pigg"), "did you mean pig"),
        (lambda: games.entry("pig").policy("hold-x"), "its policies: hold-20"),
        (lambda: games.entry("pig").policy(20), "no policy 20"),
        (lambda: games.entry("ship-captain-and-crew").policy("keep"), "stop-8"),
        (lambda: games("chutes-and-ladders", jumps={5: 500}), "a jump from 5 to 500"),
        (lambda: games("chutes-and-ladders", spinner=0), "1 or more"),
        (lambda: games("risk-battle", attackers=0), "1 to 500"),
    ],
)
def test_bad_input_is_one_line(call, said):
    with pytest.raises(SevenoutError, match=said) as error:
        call()
    assert len(str(error.value)) < 400


def test_certified_digits_are_those_of_the_fraction():
    certified = so.best(games("pig", goal=20), method="certified")
    exact = quick("pig", goal=20)
    assert abs(certified.value - exact.value) <= certified.bound < Fraction(1, 10**20)


class PaidTurn(so.Game):
    """A turn of Pig whose points are paid as a bet."""

    dice, start = so.d6, 0

    def choices(self, points):
        return {"roll": points, "hold": so.settle("hold", {"turn": points})}

    def step(self, points, face):
        return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)


def test_a_score_has_no_stake() -> None:
    turn = so.solve(so.explore(PaidTurn()).under(lambda n: "roll" if n < 20 else "hold")).bet()
    assert turn.is_score
    assert "mean result" in str(turn)
    assert "house edge" not in str(turn)
    assert not so.solve(so.games["craps"]).bet().is_score
