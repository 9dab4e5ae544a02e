"""Blocks that one cut opens, in games drawn at random: the answer solves Bellman's equation."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import log2
from time import sleep

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.rules import choose_again, counted
from sevenout.solving import policy_iteration
from sevenout.solving.goal import Arena, goal_of
from sevenout.solving.optimal_play import LARGE, arena_of, best
from sevenout.solving.policy_iteration import FeedbackComponent, PolicyIteration, bits_of
from tests.solving.pigs import Pig, Solitaire


class Floors(so.Game):
    """Floor by floor down to the ground: each is a walk that begins again at its door, or leaves.

    A state is (floor, place); place 0 is the door. From each place a roll and, where there is one,
    a question lead further on, back to the door, or down.

    Args:
        floors: for each floor its places: for each, what follows each face and each option, as
            (down, place, coins).
        weights: of the faces.
        seats: who chooses on each floor, where two play, opposed.
        lost: by how many places the walk may go back short of the door.
    """

    def __init__(self, floors, weights, seats=(), back=()):
        self.floors, self.seats, self.back = floors, seats, set(back)
        self.dice = so.Die(range(1, len(weights) + 1), weights)
        self.start = (len(floors) - 1, 0)

    def _then(self, state, code):
        floor, place = state
        down, to, coins = code
        if down:
            floor, to = floor - 1, to % len(self.floors[floor - 1]) if floor else 0
        elif to <= place and state not in self.back:
            to = 0
        if floor < 0:
            pays = {"first": coins, "second": (-coins, 9)} if self.seats else {"bet": coins}
            return so.settle(f"{coins} on the ground", pays)
        return (floor, to) if self.seats else counted((floor, to), coins=coins)

    def chooser(self, state):
        return self.seats[state[0]] if self.seats else None

    def choices(self, state):
        floor, place = state
        options = self.floors[floor][place][1] if place else ()
        return {f"option {i}": self._then(state, code) for i, code in enumerate(options)}

    def step(self, state, face):
        floor, place = state
        return self._then(state, self.floors[floor][place][0][face - 1])


@st.composite
def floors(draw, seated=False, back=False):
    weights = draw(st.sampled_from([(1, 1), (1, 1, 1), (2, 1), (1, 10**6), (1, 3, 2), (10**30, 1)]))
    coins = st.sampled_from((0, 0, 1, 2, Fraction(1, 3), -1) if not seated else (0, 1, 2))
    found = []
    for _ in range(draw(st.integers(1, 5))):
        n = draw(st.integers(1, 5))
        code = st.tuples(st.sampled_from([0, 0, 1]), st.integers(0, n - 1), coins)
        away = st.tuples(st.just(1), st.integers(0, 4), coins)
        found.append(
            [
                (
                    [draw(away), *(draw(code) for _ in weights[1:])],
                    draw(st.lists(code, max_size=3)),
                )
                for _ in range(n)
            ]
        )
    seats = [draw(st.sampled_from(["first", "second"])) for _ in found] if seated else ()
    places = [(f, p) for f, walk in enumerate(found) for p in range(len(walk))]
    return Floors(found, weights, seats, draw(st.sets(st.sampled_from(places))) if back else ())


def check_bellman(optimum, sense=lambda s: 1):
    """Bellman's equation holds at every node: where every policy ends, it has one solution."""
    model, values = optimum.model, optimum.values
    for s, (at, end) in enumerate(pairwise(model.first_move)):
        worths = [values.move_value(move) for move in range(at, end)]
        if not model.menus[s]:
            law = model.rollables[model.rollable_index[s]].law.weights
            mean = sum(w * p for w, p in zip(worths, law, strict=True)) / sum(law)
            assert values[s] == mean + values.arena.roll
        else:
            pick = max if values.sense(s) > 0 else min
            assert values[s] == pick(worths)
            assert values.pick(s) == at + worths.index(values[s])


def model_of(game):
    model = so.explore(game)
    assume(not isinstance(model, Chain) and not model.traps)
    return model


@settings(max_examples=150, derandomize=True)
@given(floors(), st.sampled_from(["coins", "rolls", "bet"]), st.sampled_from(["most", "least"]))
def test_one_player(game, goal, way):
    model = model_of(game)
    assume(goal != "coins" or "coins" in model.counters)
    check_bellman(best(model, **{way: goal}, method="exact"))


@settings(max_examples=150, derandomize=True)
@given(floors(back=True), st.sampled_from(["coins", "rolls", "bet"]), st.booleans())
def test_floors_with_cycles_apart(game, goal, most):
    model = model_of(game)
    assume(goal != "coins" or "coins" in model.counters)
    check_bellman(best(model, **{"most" if most else "least": goal}, method="exact"))


@settings(max_examples=100, derandomize=True)
@given(floors(seated=True), st.sampled_from(["first", "second"]))
def test_two_opposed_players(game, player):
    model = model_of(game)
    assume(len(model.players) == 2)
    check_bellman(best(model, player, method="exact"))


@pytest.mark.parametrize("goal", [7, 20, 45])
def test_values_are_worked_out_when_they_are_asked_for(goal, monkeypatch):
    """In whatever order; and the policy and the value of the start need none of it."""
    filled = []
    fill = FeedbackComponent.fill
    monkeypatch.setattr(
        FeedbackComponent, "fill", lambda component: (filled.append(component), fill(component))
    )
    optimum = best(Solitaire(goal), least="turns", method="exact")
    value, policy = optimum.value, dict(optimum.policy)
    few = len(filled)
    check_bellman(optimum)
    assert few < len(filled) <= goal + 1
    assert (optimum.value, optimum.policy) == (value, policy)
    again = best(Solitaire(goal), least="turns", method="exact")
    assert [again.values[s] for s in reversed(range(len(again.model.states)))] == [
        optimum.values[s] for s in reversed(range(len(again.model.states)))
    ]


def test_values_are_worked_out_for_threads_and_after_a_break(monkeypatch):
    """Each block once, whoever asks; and again where whoever asked first broke off."""
    fill, filled, broken = FeedbackComponent.fill, [], [True]

    def slowly(component):
        if broken:
            raise KeyboardInterrupt(broken.pop())
        sleep(0.005)
        fill(component)
        filled.append(component)

    optimum = best(Solitaire(12), least="turns", method="exact")
    monkeypatch.setattr(FeedbackComponent, "fill", slowly)
    nodes = range(len(optimum.model.states))
    with pytest.raises(KeyboardInterrupt):
        list(map(optimum.options, optimum.policy))
    with ThreadPoolExecutor(3) as pool:
        orders = [nodes, nodes[::-1], nodes[::2]]
        for _ in pool.map(lambda order: [optimum.values[s] for s in order], orders):
            pass
    assert 0 < len(filled) == len(set(filled))
    check_bellman(optimum)


def test_options_that_differ_by_less_than_is_rounded():
    """A choice between two games that differ in the fortieth digit, and are tied without it."""

    class Close(so.Game):
        dice, start = so.Die([1, 2, 3]), "door"

        def __init__(self, more):
            self.more = more

        def choices(self, state):
            return {"left": "left", "right": "right"} if state == "fork" else {}

        def step(self, state, face):
            if face == 1:
                return "door"
            if state == "door":
                return "fork"
            more = self.more if state == "right" else 0
            return so.settle(f"{state} {face}", {"bet": face - 2 + more})

    for sign in (1, -1, 0):
        more = Fraction(sign, 10**40)
        found = best(Close(more), "bet", method="exact")
        assert found.policy["fork"] == ("right" if sign > 0 else "left")
        assert found.value == Fraction(1, 2) + max(more, 0)
        assert found.ties == (() if sign else ("fork",))


def test_a_large_game_that_one_cut_opens_is_solved_in_fractions():
    found = best(Solitaire(180), least="turns")
    assert len(found.model.states) > LARGE
    assert found.method == "exact"
    assert best(Solitaire(30), least="turns", method="certified").method == "certified"


def test_what_can_not_be_certified_is_solved_in_fractions(monkeypatch):
    class Walk(so.Game):
        """From 2 to 0 or to 5, a cycle beside each, with odds that no float holds."""

        dice, start = so.Die([-1, 1], [10**400, 1]), 2

        def choices(self, place):
            return {"roll": place, "stop": so.settle("stop", {"bet": 0})} if place == 3 else {}

        def step(self, place, face):
            return place + face if 0 < place + face < 5 else so.settle("end", {"bet": face})

    with pytest.raises(RulesError):
        best(Walk(), method="certified")
    monkeypatch.setattr("sevenout.solving.optimal_play.LARGE", 1)
    walk = best(Walk())
    assert walk.method == "exact"
    assert walk.policy == {3: "stop"}
    check_bellman(walk)
    monkeypatch.setattr(policy_iteration, "MAX_BITS", 100)
    assert best(Solitaire(20), least="turns").method == "certified"


class Turns(int):
    """A number of one's own, as a state."""


class Settled(so.rules.Outcome):
    """An outcome of one's own."""


def test_what_follows_is_known_by_its_kind():
    """States and outcomes of types of their own, counted in several ways, lead where others do."""

    class Own(so.Game):
        dice, start = so.d6, Turns(0)

        def choices(self, turns):
            out = Settled("out", so.settle("", {"bet": turns}).pays)
            on = counted(turns, coins=turns)
            return {"on": on, "out": counted(out, coins=2)} if turns else {}

        def step(self, turns, face):
            if face == 1 or turns > 3:
                return counted(Settled("end", so.settle("", {"bet": 1}).pays), coins=face % 2)
            return counted(Turns(turns + 1), coins=1, notes=2) if face < 4 else turns + 1

    model = so.explore(Own())
    assert set(zip(model.tags, model.passing, strict=True)) == {
        ((), False),
        *(((("coins", n),), False) for n in (1, 2, 3, 4)),
        ((("coins", 1), ("notes", 2)), False),
    }
    check_bellman(best(model, "coins"))


@pytest.mark.parametrize("wrong", [None, len, int, choose_again("?"), (n for n in ())])
def test_what_is_no_state_is_refused_wherever_it_comes(wrong):
    class Wrong(so.Game):
        dice, start = so.d6, "start"

        def choices(self, state):
            return {"on": state} if state == "start" else {}

        def step(self, state, face):
            return {1: so.win(), 2: "again"}.get(
                face, counted(wrong, coins=1) if face > 4 else wrong
            )

    with pytest.raises(RulesError):
        so.explore(Wrong())


@pytest.mark.parametrize("goal", [8, 15, 25])
def test_fractions_are_no_longer_than_they_are_taken_to_be(goal):
    """Of one score, and of two against a player who holds at five."""
    against = arena_of(Pig(goal), None, None, lambda state: "hold" if state[2] >= 5 else "roll")
    for arena in (arena_of(Solitaire(goal), least="turns"), against):
        solved = PolicyIteration(arena)
        bits = sum(solved.lowest_terms(s)[1].bit_length() for s in range(len(arena.model.states)))
        assert bits < bits_of(arena) < 100 * bits


def test_only_rolls_add_bits():
    """A decision, then one roll of a die: both have sixths, and the outcomes have none."""

    class Once(so.Game):
        dice, start = so.d6, "ask"

        def choices(self, state):
            stop = so.settle("stop", {"points": 3})
            return {"roll": "rolled", "stop": stop} if state == "ask" else {}

        def step(self, state, face):
            return so.settle("end", {"points": face})

    model = so.explore(Once())
    assert bits_of(Arena.of(model, goal_of(model))) == 2 * log2(6)
