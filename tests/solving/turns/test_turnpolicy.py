"""Policies for games of turns, beside the rules played out: value, law and dearest mistakes."""

from functools import partial
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.model import state_name
from sevenout.rules import Ask, Outcome, choose_again, counted
from tests.solving.turns.test_turnlaw import GAME, Loaded, boxes, law_by_hand, weights
from tests.solving.turns.test_turns import Rounds


def any_option(game, salt):
    """A policy that does something or other, the same each time."""

    def policy(state):
        names = sorted(game.choices(state))
        card, total, inner = state
        return names[
            crc32(
                repr(
                    (salt, str(card) if isinstance(card, int) else sorted(card), total, inner)
                ).encode()
            )
            % len(names)
        ]

    return policy


class Ladder(so.Game):
    """A turn of several questions between rolls: climb, climb and roll, or stop."""

    start, dice = (0, 2), so.Die([1, 2, 5], [3, 5, 7])

    def choices(self, state):
        step, left, *rolling = state
        if rolling:
            return {}
        menu = {"stop": so.settle(f"{step}")}
        if left:
            menu["roll"] = (step, left - 1, "rolling")
        if step < 3:
            menu["up"] = choose_again((step + 1, left))
        return menu

    def rolls(self, state):
        return self.dice

    def step(self, state, face):
        step, left, _ = state
        return choose_again((step + face, left)) if left else so.settle(f"{step + face}")


class Climbs(Rounds):
    """Turns on the ladder, entered high or low, for a tally; or the game is given up."""

    def __init__(self, rounds, given_up=False):
        super().__init__(Ladder(), rounds, tally=("sum", 7))
        self.given_up = given_up

    def entries(self, card):
        menu = {
            "high": lambda seen: counted("any", score=int(seen.label), sum=int(seen.label)),
            "low": lambda seen: counted("any", score=4 - int(seen.label)),
        }
        return menu | ({"end": lambda seen: counted("end", score=3)} if self.given_up else {})

    def enter(self, card, entry, seen):
        return so.settle("given up") if entry == "end" else super().enter(card, entry, seen)

    def final(self, total):
        return {"score": 6} if total >= 5 else {}


def played_out(game, policy, best):
    """By the rules, option by option: the law, and the dearest cost of each card and its dice."""
    dear = {}

    def met(state):
        card, _, inner = state
        worth, then = best.at(state)[0].value, choose_again(state)
        while isinstance(then, Ask) and isinstance(then.state[2], Outcome) == (
            isinstance(inner, Outcome)
        ):
            did, state = policy(then.state), then.state
            then = game.choices(state)[did]
        left = next(option.value for option in best.at(state) if option.name == did)
        cost = (worth - left) * best.goal.sense
        dear[card, inner] = max(dear.get((card, inner), 0), cost)

    law = law_by_hand(game, policy, met)
    return {x: p for x, p in law.items() if p}, {key: cost for key, cost in dear.items() if cost}


games = st.one_of(
    st.builds(Loaded, boxes.map(lambda b: b | {"high"}), weights, st.integers(1, 2)),
    st.builds(Climbs, st.integers(1, 2), st.booleans()),
)


@settings(max_examples=16, derandomize=True, deadline=None)
@given(games, st.integers(0, 9), st.booleans())
def test_a_policy_is_what_the_game_played_out_says(game, salt, most):
    reads = any_option(game, salt)
    whole = reads if salt % 2 else lambda state: reads((state[0], 0, state[2]))
    policy = reads if salt % 2 else lambda card, inner: reads((card, 0, inner))
    wish = {"most": "score"} if most else {"least": "score"}
    flat = so.best(so.explore(game), **wish)
    law, dear = played_out(game, whole, flat)
    mean = sum(x * p for x, p in law.items())
    for method in ("certified",) if getattr(game, "given_up", False) else ("exact", "certified"):
        optimum = so.best(game, **wish, method=method)
        followed, play = optimum.follow(policy), optimum.under(policy)
        assert abs(followed.value - mean) <= followed.bound
        assert (followed.bound == 0) == (method == "exact")
        assert set(play.law.row) == set(law)
        for x, p in law.items():
            assert abs(play.law.pmf(x) - p) <= 2 * p * play.law.bound
        found = {(m.state[0], m.state[2]): m.cost for m in optimum.mistakes(policy, None)}
        assert set(found) == set(dear)
        for key, cost in dear.items():
            assert abs(found[key] - cost) <= 10 * optimum.bound
        dearest = sorted(dear.values(), reverse=True)[:3]
        first = [m.cost for m in optimum.mistakes(policy, 3)]
        assert first == pytest.approx(list(map(float, dearest)))


def most_alike(card, at):
    """Keep what is most alike, and enter it in the first box."""
    if isinstance(at, Outcome):
        return min(card)
    _, faces, _ = at
    return [face for face in faces if face == max(faces, key=faces.count)]


def test_the_dearest_mistakes_are_found_and_what_comes_up_is_rolled():
    optimum = so.best(GAME, method="exact")
    followed, mistakes = optimum.follow(most_alike), optimum.mistakes(most_alike, 10_000)
    model = so.explore(GAME)

    def flat(state):
        card, _, inner = state
        if isinstance(inner, Outcome):
            return most_alike(card, inner)
        kept = most_alike(card, inner)
        wrong = [face for face in inner[1] if face != kept[0]]
        return f"put back {wrong[0]}" if wrong else "keep all" if len(kept) == 3 else "roll"

    best = so.best(model, "score")
    entered = [m for m in mistakes if isinstance(m.state[2], Outcome)]
    by_dice = {}
    for state, did, _, cost in best.mistakes(flat, 10**6):
        if isinstance(state[2], Outcome):
            key = state[0], state[2], did
            by_dice[key] = max(by_dice.get(key, 0), cost)
    assert {(m.state[0], m.state[2], m.did): m.cost for m in entered} == by_dice
    assert len(mistakes) > len(entered) > 0
    assert mistakes[0].cost == max(m.cost for m in mistakes)
    played = optimum.under(most_alike).simulate(5_000, seed=2)
    assert abs(played.z) < 5
    assert played.value == followed.value < optimum.value


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (7, "7 is not a policy"),
        ({}, "gives no option"),
        (lambda card, at: "jump", "the policy returned 'jump' with"),
        (lambda card, at: None, "the policy returned None with"),
        (lambda card, at: (9, 9), "the options are: "),
        (lambda card, at: [[1], 2], "the options are: "),
        (lambda card, tally, at: "jump", "^<lambda> is not a policy; it must take the card"),
        (lambda card, *, at: "jump", "it must take the card"),
        (lambda: "jump", "it must take the card"),
    ],
)
def test_a_policy_that_cannot_be_followed_is_one_line(policy, said):
    with pytest.raises(RulesError, match=said) as error:
        so.best(GAME).follow(policy)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_as_data_a_mistake_says_its_state_as_it_is_printed():
    """Not as Python writes it: the order of a set would be another in every run."""
    optimum = so.best(GAME)
    compared = optimum.compared({"mine": most_alike})[0]
    said = [each["state"] for each in compared.to_dict()["mistakes"]]
    assert said == [state_name(each.state) for each in compared.mistakes]
    assert said
    assert not any("frozenset" in each or "Hand" in each for each in said)


def test_a_policy_that_is_asked_too_often_is_refused_before_it_is_asked():
    def never(state):
        raise AssertionError

    optimum = so.best(GAME)
    with so.budget(seconds=0.001), pytest.raises(TooMuchWorkError, match="is asked"):
        optimum.follow(never)


def test_cards_that_a_policy_never_comes_to():
    play = so.best(Climbs(3, given_up=True)).under(
        lambda card, at: "end" if isinstance(at, Outcome) else "stop"
    )
    assert play.law.row == {3: 1}
    assert (play.value, play.simulate(10).mean) == (3, 3)


def keep_all(card, at, first="high"):
    if not isinstance(at, Outcome):
        return "keep all"
    return first if first in card else min(card)


class Player:
    def state(self, state):
        return keep_all(state[0], state[2])

    def __call__(self, card, at):
        return keep_all(card, at)


@pytest.mark.parametrize(
    "policy",
    [
        keep_all,
        partial(keep_all, first="high"),
        Player(),
        Player().state,
        lambda *state: keep_all(state[0][0], state[0][2]),
        lambda state, aloud=False: keep_all(state[0], state[2]),
        lambda card, at: at[1][::-1] if isinstance(at, tuple) else keep_all(card, at),
        lambda card, at: iter(at[1]) if isinstance(at, tuple) else keep_all(card, at),
    ],
)
def test_policies_of_every_form(policy):
    optimum = so.best(GAME, method="exact")
    assert optimum.follow(policy) == optimum.follow(keep_all)


def test_the_best_and_the_greedy_are_policies_by_name():
    optimum = so.best(GAME)
    assert optimum.follow("best").value == optimum.value
    assert optimum.follow("greedy").value == optimum.greedy.law.mean < optimum.value
    played = optimum.under("greedy").simulate(5_000, seed=4)
    assert abs(played.z) < 5
    assert played.how == "played greedily"
    assert optimum.mistakes("greedy") == []


def test_answers_beyond_64_bits_are_refused():
    class Deep(so.Game):
        start, die = "first", so.Die([1, 2], [1, 2**40 - 1])

        def choices(self, state):
            return {
                "first": {"down": choose_again("second"), "roll": "again"},
                "second": {"roll": "last", "stop": so.settle("1")},
            }.get(state, {})

        def rolls(self, state):
            return self.die

        def step(self, state, face):
            return choose_again("second") if state == "again" else so.settle(f"{face}")

    optimum = so.best(Rounds(Deep()), method="exact")
    with pytest.raises(RulesError, match="too large for words"):
        optimum.follow(lambda card, at: {"first": "down", "second": "stop"}.get(at, "in"))
