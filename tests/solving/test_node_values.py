"""Small games drawn at random: every policy of them is tried, and solved for by itself."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import EndlessGameError, RulesError
from sevenout.model import Chain
from sevenout.rolling.generating_functions import to_fraction
from sevenout.rules import Passed, counted, pass_turn
from sevenout.solving.optimal_play import best

MOST = 40
"""Policies of a game; those with more are not tried."""


class Random(so.Game):
    """A game of a few states, as hypothesis draws it.

    Args:
        rows: for each state, what follows each face.
        menus: for each state, what follows each option.
        weights: of the faces.
        seats: for each state, who chooses, where there are two; their bets are opposed.
    """

    def __init__(self, rows, menus, weights, seats=()):
        self.rows, self.menus, self.seats = rows, menus, seats
        self.dice, self.start = so.Die(range(1, len(weights) + 1), weights), 0

    def _then(self, code):
        kind, value, count = code
        pays = {"first": value, "second": (1 - value, 4)} if self.seats else {"bet": value}
        then = so.settle(f"end {value}", pays) if kind == "end" else value
        then = pass_turn(then) if kind == "pass" else then
        return counted(then, coins=count) if count else then

    def chooser(self, state):
        return self.seats[state] if self.seats else None

    def choices(self, state):
        return {f"option {i}": self._then(code) for i, code in enumerate(self.menus[state])}

    def step(self, state, face):
        return self._then(self.rows[state][face - 1])


COINS = (0, 0, 2, -1, Fraction(-1, 3))


@st.composite
def drawn(draw, kinds=("end", "go"), coins=COINS, seated=False, most=4):
    n = draw(st.integers(1, most))
    weights = draw(st.sampled_from([(1, 1), (1, 1, 1), (2, 1), (1, 3, 2)]))
    code = st.tuples(st.sampled_from(kinds), st.integers(0, n - 1), st.sampled_from(coins))
    out = st.tuples(st.just("end"), st.integers(0, 3), st.just(0))
    row = st.lists(code, min_size=len(weights) - 1, max_size=len(weights) - 1)
    rows = [[draw(out | code), *draw(row)] for _ in range(n)]
    menus = [draw(st.lists(code, min_size=s == 0, max_size=3)) for s in range(n)]
    seats = [draw(st.sampled_from(["first", "second"])) for _ in range(n)] if seated else ()
    return Random(rows, menus, weights, seats)


def model_of(game):
    try:
        model = so.explore(game)
    except EndlessGameError:
        assume(False)
    assume(not isinstance(model, Chain))
    assume(prod(len(menu) or 1 for menu in model.menus) <= MOST)
    return model


def policies(model):
    asked = [model.states[s] for s in model.decisions]
    for picked in product(*(model.options(state) for state in asked)):
        yield dict(zip(asked, picked, strict=True))


def worths(model, policy, worth, coins, from_start=False):
    """The value of each node under a policy, by linear equations; None if it does not end.

    Args:
        model: the game.
        policy: by state.
        worth: of an outcome.
        coins: what a coin is worth.
        from_start: only nodes that come up need to end; the others' values mean nothing.
    """
    n = len(model.states)
    ways = []
    for s in range(n):
        moves = model.moves_of(s)
        if model.menus[s]:
            ways.append([(moves[model.menus[s].index(policy[model.states[s]])], fmpq(1))])
        else:
            law = model.rollables[model.rollable_index[s]].law.weights
            ways.append([(m, fmpq(w, sum(law))) for m, w in zip(moves, law, strict=True)])
    up = set() if from_start else set(range(n))
    waiting = [0]
    while waiting:
        up.add(s := waiting.pop())
        then = {model.targets[m] for m, _ in ways[s]}
        waiting += [t for t in then if t < n and t not in up]
    left, right = fmpq_mat(n, n), fmpq_mat(n, 1)
    for s in range(n):
        left[s, s] = left[s, s] + 1
        for m, p in ways[s] if s in up else ():
            tag, target = model.tag_index[m], model.targets[m]
            right[s, 0] += p * _flint(dict(model.tags[tag]).get("coins", 0) * coins)
            if target < n:
                left[s, target] = left[s, target] - (-p if model.passing[tag] else p)
            else:
                right[s, 0] += p * _flint(worth(model.outcomes[target - n]))
    if left.rank() < n:
        return None
    found = left.solve(right)
    return [to_fraction(found[s, 0]) for s in range(n)]


def _flint(x):
    return fmpq(Fraction(x).numerator, Fraction(x).denominator)


def at_least(bar):
    return lambda o: Fraction(o.profit("bet") >= bar)


def nothing(outcome):
    return 0


def mean(outcome):
    return outcome.profit("bet")


GOALS = [
    ("bet", mean, 0),
    ("bet >= 2", at_least(2), 0),
    ("P(bet > 2)", at_least(3), 0),
    ("end 1", lambda o: o.label == "end 1", 0),
    ("coins", nothing, 1),
]
FILTERS = [HealthCheck.filter_too_much, HealthCheck.too_slow]  # half of the games never end


@settings(max_examples=250, derandomize=True, suppress_health_check=FILTERS)
@given(drawn(), st.sampled_from(GOALS), st.sampled_from(["most", "least"]))
def test_no_policy_is_better(game, goal, way):
    wish, worth, coins = goal
    model = model_of(game)
    assume(wish in model.labels or wish.rstrip(") >=123").removeprefix("P(") in model.bets or coins)
    assume(not coins or "coins" in model.counters)
    pick = max if way == "most" else min
    trapped = bool(model.traps)
    tried = [worths(model, p, worth, coins, from_start=trapped) for p in policies(model)]
    ending = [values for values in tried if values is not None]
    try:
        exact = best(model, **{way: wish})
    except EndlessGameError:
        assert trapped
        assert coins
        return
    truth = [pick(values[s] for values in ending) for s in range(len(model.states))]
    assert exact.value == truth[0]
    if trapped:  # it ends, and is worth as much
        kept = worths(model, exact.policy, worth, coins, from_start=True)
        assert kept is not None
        assert kept[0] == truth[0]
        return
    assert len(ending) == len(tried)
    certified = best(model, **{way: wish}, method="certified")
    assert abs(certified.value - truth[0]) <= certified.bound
    sense = 1 if way == "most" else -1
    for s in model.decisions:
        after = {}
        for m, name in zip(model.moves_of(s), model.menus[s], strict=True):
            tag, target = model.tag_index[m], model.targets[m] - len(model.states)
            then = worth(model.outcomes[target]) if target >= 0 else truth[model.targets[m]]
            after[name] = then + dict(model.tags[tag]).get("coins", 0) * coins
        state = model.states[s]
        options = {option.name: option for option in exact.options(state)}
        assert {name: option.value for name, option in options.items()} == after
        assert {name: o.cost * sense for name, o in options.items()} == {
            name: truth[s] - value for name, value in after.items()
        }
        level = {name for name, value in after.items() if value == truth[s]}
        assert exact.optimal_options(state) == certified.optimal_options(state) == level
        assert (state in exact.ties) == (len(level) > 1)
        assert exact.policy[state] == next(name for name in model.menus[s] if name in level)
    own = worths(model, exact.policy, worth, coins)
    assert own == truth
    assert exact.evaluate(exact.policy).value == truth[0]


@settings(max_examples=100, derandomize=True, suppress_health_check=FILTERS)
@given(drawn(kinds=("end", "go", "pass"), coins=(0,)))
def test_two_players_neither_of_whom_can_do_better(game):
    """Under one policy for both, the value of each state is the best that its mover can reach."""
    model = model_of(game)
    assume(model.passes and not model.traps)
    optimum = best(model, "bet")
    certified = best(model, "bet", method="certified")
    assert abs(certified.value - optimum.value) <= certified.bound
    truth = worths(model, optimum.policy, mean, 0)
    assert truth[0] == optimum.value
    for s in model.decisions:
        assert all(option.cost >= 0 for option in optimum.options(model.states[s]))
        assert optimum.options(model.states[s])[0].value == truth[s]
    mine = [so.solve(model.under(p, optimum.policy)).bet().mean for p in policies(model)]
    yours = [so.solve(model.under(optimum.policy, p)).bet().mean for p in policies(model)]
    assert max(mine) == optimum.value == min(yours)


@settings(max_examples=40, derandomize=True, suppress_health_check=FILTERS)
@given(drawn(coins=(0,), seated=True))
def test_two_named_players_meet_in_the_middle(game):
    """The most that the first is sure of is the least that the second can hold them to."""
    model = model_of(game)
    assume(not model.traps and len(model.players) == 2)

    def paid(outcome):
        return outcome.profit("first")

    own = {p: [s for s in model.decisions if model.choosers[s] == p] for p in model.players}
    found = {}
    for policy in policies(model):
        key = tuple(tuple(policy[model.states[s]] for s in own[p]) for p in ("first", "second"))
        found[key] = worths(model, policy, paid, 0)[0]
    firsts, seconds = ({key[i] for key in found} for i in (0, 1))
    lower = max(min(found[a, b] for b in seconds) for a in firsts)
    upper = min(max(found[a, b] for a in firsts) for b in seconds)
    for method in ("exact", "certified"):
        first, second = (best(model, p, method=method) for p in ("first", "second"))
        assert abs(first.value - lower) <= first.bound
        assert abs(second.value - (1 - lower)) <= second.bound
    assert lower == upper


class Followed(so.Game):
    """A game in which a policy answers every question at once: the slow way to `under`."""

    def __init__(self, game, policy):
        self.game, self.policy, self.dice = game, policy, game.dice
        self.start, self.counts = self._on(game.start)

    def _on(self, state, **counts):
        """What follows the choices in a state, and what they count.

        An option to the same state rolls there; one to another state is followed by its choices.
        """
        chosen = []
        while choices := self.game.choices(state):
            if state in chosen:
                raise RulesError("the choices repeat forever")
            chosen.append(state)
            then = choices[self.policy[state]]
            while isinstance(then, so.rules.Counted):
                for name, n in then.counts:
                    counts[name] = counts.get(name, 0) + n
                then = then.state
            if isinstance(then, so.rules.Outcome) or then == state:
                return then, counts
            state = then
        return state, counts

    def step(self, state, roll):
        then, counts = self.game.step(state, roll), {}
        while isinstance(then, so.rules.Counted):
            counts, then = dict(then.counts), then.state
        if not isinstance(then, so.rules.Outcome | Passed):
            then, counts = self._on(then, **counts)
        return counted(then, **counts)


@settings(max_examples=100, derandomize=True, suppress_health_check=FILTERS)
@given(drawn(coins=(0, 0, 2)))
def test_the_chain_of_a_policy_is_the_game_with_the_policy_followed(game):
    model = model_of(game)
    for policy in policies(model):
        try:
            slow = Followed(game, policy)
        except RulesError:  # at the start
            with pytest.raises(RulesError, match="repeat forever"):
                model.under(policy)
            continue
        if isinstance(slow.start, so.rules.Outcome) or any(slow.counts.values()):
            continue  # over, or counted, before the first roll: `Followed` can't say that
        try:
            chain = model.under(policy)
        except EndlessGameError:
            with pytest.raises(EndlessGameError):
                so.explore(slow)
            continue
        except RulesError as error:
            assert "repeat forever" in str(error)  # noqa: PT017
            with pytest.raises(RulesError, match="repeat forever"):
                so.explore(slow)
            continue
        assert chain == so.explore(slow)
