"""`best`, optimal play: known figures, and every policy of small games tried.

Best play without NumPy says what it says with it.

What may not be asked for; values of policies, and the most costly mistakes; goals in words.

Play that meets a limit: dice never rolled, no roll at all, goals that can't happen, races.

Two players and nothing to choose: a race has odds, a best page and a dossier like any game.
"""

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue.hidden_games import LiarsDice, liars_dice
from sevenout.certify import check
from sevenout.cli import main
from sevenout.errors import EndlessGameError, RulesError, SevenoutError, TooMuchWorkError
from sevenout.lab.address import optimum
from sevenout.lab.static.build import as_in_the_page
from sevenout.rules import Outcome, choose_again, counted, pass_turn
from sevenout.rules.objective import parse_objective
from sevenout.rules.position import Position
from sevenout.solving import goal_of
from sevenout.solving.optimal_play import OptionCosts, best, reachable
from tests.solving.pigs import Pig, Piglet, PigTurn, SeatedPig, Solitaire


@pytest.mark.parametrize("method", ["exact", "certified"])
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (PigTurn(), Fraction(492303203, 60466176)),
        (Pig(6), Fraction(24, 31)),
        (Pig(10), Fraction(7776, 10961)),
        (Piglet(3), Fraction(6, 11)),
    ],
    ids=["turn", "pig 6", "pig 10", "piglet 3"],
)
def test_known(game, value, method):
    found = best(game, method=method)
    assert abs(found.value - value) <= found.bound
    assert found.bound < Fraction(1, 10**20)
    assert (found.bound == 0) == (method == "exact")


def test_hold_at_twenty_is_a_tie_at_twenty_alone():
    turn = best(PigTurn())
    assert turn.ties == (20,)
    assert [s for s, did in turn.policy.items() if did == "hold"] == list(range(21, 41))
    held = so.solve(so.explore(PigTurn()).under(lambda s: "roll" if s < 20 else "hold"))
    assert held.bet().mean == turn.value == turn.solution.bet().mean
    assert turn.mistakes(lambda s: "roll" if s < 20 else "hold") == []
    worst, *_ = turn.mistakes(lambda s: "roll" if s < 30 else "hold")
    assert (worst.state, worst.did, worst.best) == (29, "roll", "hold")
    assert worst.cost == 29 - Fraction(5 * 29 + 20, 6)


def test_two_seats_say_what_one_view_says():
    folded, seated = best(Pig(8)), best(SeatedPig(8), "first")
    assert 2 * folded.value - 1 == seated.value
    assert folded.solution.bet().p_win == folded.value
    assert seated.solution.bet("first").mean == seated.value
    for (mine, yours, turn), did in folded.policy.items():
        state = ("first", mine, yours, turn)
        if state in seated.policy and state not in seated.ties:
            assert seated.policy[state] == did
    assert best(SeatedPig(8), "second").value == -seated.value


def test_against_a_policy():
    def hold(state):
        return "hold"

    optimum = best(Pig(10))
    held = best(Pig(10), against=hold)
    assert held.value > optimum.value
    assert best(Pig(10), against=optimum.policy).value == optimum.value
    model = so.explore(Pig(10))
    assert so.solve(model.under(held.policy, hold)).bet().p_win == held.value
    rolled = best(Pig(10), against=lambda state: "roll")
    assert rolled.policy.keys() == {s for s in model.node_by_key if s[1] == 0}  # never "hold"
    with pytest.raises(RulesError, match="is not a decision state"):
        rolled.options((2, 3, 3))


def test_a_player_with_a_policy_has_no_decisions():
    def hold(state):
        return "hold"

    for game, goal in [(Pig(8), None), (SeatedPig(8), "first"), (SeatedPig(8), "second")]:
        held = best(game, goal, against=hold)
        played = held.solution.bet(goal)
        assert held.value == (played.p_win if goal is None else played.mean)
        assert held.evaluate(held.policy) == (held.value, 0, 0)
        own = dict.fromkeys(held.policy, "roll")
        assert {m.state for m in held.mistakes(own)} <= own.keys()
        asked = so.explore(game).node_by_key if goal is None else {s for s in own if s[0] == goal}
        assert own.keys() <= set(asked)
    table = dict.fromkeys(so.explore(Pig(8)).node_by_key, "hold")
    assert best(Pig(8), against=table).value == best(Pig(8), against=hold).value


def test_a_player_who_never_decides_may_follow_any_policy():
    class Once(so.Game):
        dice, start = so.d6, "mine"

        def choices(self, state):
            return {"roll": "roll", "pass": pass_turn("yours")} if state == "mine" else {}

        def step(self, state, face):
            return so.win() if face > 2 else so.lose()

    assert best(Once(), against=lambda state: "nothing").value == Fraction(2, 3)


@pytest.mark.parametrize("method", ["exact", "certified"])
@pytest.mark.parametrize("goal", ["home", "P(home)", ["home"], lambda o: o.label == "home"])
def test_an_outcome_belongs_to_the_player_who_settles_it(goal, method):
    found = best(Pig(10), goal, method=method)
    assert abs(found.value - Fraction(7776, 10961)) <= found.bound
    assert best(Pig(10), goal).evaluate(found.policy).value == Fraction(7776, 10961)
    held = best(Pig(10), goal, against=lambda state: "hold", method=method)
    assert abs(held.value - best(Pig(10), against=lambda state: "hold").value) <= held.bound


class Wait(so.Game):
    """Go on, or stop; one face of the die ends it."""

    start = 0

    def __init__(self, weights, coins):
        self.dice, self.coins = so.Die([1, 2], weights), coins

    def choices(self, state):
        return {} if state else {"go": 1, "stop": so.settle("stop", {"bet": Fraction(1, 2)})}

    def step(self, state, face):
        return so.settle("out", {"bet": 1}) if face == 1 else counted(0, coins=self.coins)


def test_weights_of_hundreds_of_digits():
    huge = best(Wait([10**400, 10**400 + 1], 3), "coins")
    assert huge.value == 3 + Fraction(3, 10**400)
    assert best(Wait([10**400, 10**400 + 1], 3), "bet").value == 1
    with pytest.raises(RulesError, match="a mean beyond 10"):
        best(Wait([1, 10**12], 10**300), "coins")


class Rules(so.Game):
    """Rules put together in a test."""

    dice, start = so.d6, 0

    def __init__(self, ask, then, **given):
        self.ask, self.then = ask, then
        vars(self).update(given)

    def choices(self, state):
        return self.ask(state)

    def step(self, state, face):
        return self.then(state, face)


def two_laws(total):
    """Two things to roll once, of large weights."""
    return Rules(
        lambda state: {"a": "a", "b": "b"} if state == 0 else {},
        lambda state, face: so.settle("end", {"bet": (Fraction((3, -1, 2)[face - 1], 7), 1)}),
        dice=so.Die([1, 2, 3], [1, total // 3, total - 1 - total // 3]),
    )


@pytest.mark.parametrize("bits", [20, 22, 23, 24, 30, 36, 40, 50, 60, 61, 64, 80])
def test_large_weights_are_certified_or_refused(bits):
    exact = best(two_laws(2**bits), method="exact")
    if bits > 38:
        with pytest.raises(RulesError, match="too large for a certified bound"):
            best(two_laws(2**bits), method="certified")
        return
    certified = best(two_laws(2**bits), method="certified")
    assert abs(certified.value - exact.value) <= certified.bound < Fraction(1, 10**10)


@pytest.mark.parametrize("power", [0, 6, 12, 18, 30, 310])
def test_large_amounts_are_certified_or_refused(power):
    a = 10**power
    game = Rules(
        lambda state: {"a": "a", "b": "b"} if state == 0 else {},
        lambda state, face: (
            so.settle("end", {"bet": Fraction(a, face * (7 if state == "a" else 6))})
            if face > 2
            else (state, 0)[face - 1]
        ),
    )
    if power > 18:
        with pytest.raises(RulesError, match=r"too large|beyond 10\^300"):
            best(game, method="certified")
        return
    exact, certified = best(game, method="exact"), best(game, method="certified")
    assert abs(certified.value - exact.value) <= certified.bound <= Fraction(a, 10**20)


@pytest.mark.parametrize("odds", [10, 10**3, 10**4, 10**5, 10**9])
@pytest.mark.parametrize("in_a_row", [1, 7])
def test_what_hardly_ends_is_certified(odds, in_a_row):
    """By policy iteration, where sweeps would not stand still: a chance of 1/odds a roll."""
    game = Rules(
        lambda state: {} if isinstance(state, tuple) else {"a": ("a", state), "b": ("b", state)},
        lambda state, face: (
            so.settle(state[0], {"bet": 3 - (state[0] == "a")})
            if face == 1
            else (state[1] + 1) % in_a_row
        ),
        dice=so.Die([1, 2], [1, odds]),
    )
    rolls = best(game, least="rolls", method="certified")
    assert abs(rolls.value - (odds + 1)) <= rolls.bound <= Fraction((odds + 1) ** 3, 10**24)
    bet = best(game, "bet", method="certified")
    assert abs(bet.value - 3) <= bet.bound <= Fraction((odds + 1) ** 2, 10**24)
    assert bet.policy[0] == "b"


@pytest.mark.parametrize("goal", [{"least": "rolls"}, {"most": "bet"}])
@pytest.mark.parametrize("odds", [10**12, 10**13, 10**14, 10**18])
def test_what_ends_too_seldom_is_refused(odds, goal):
    game = Rules(
        lambda state: {"a": "a", "b": "b"} if state == 0 else {},
        lambda state, face: so.settle(state, {"bet": 3 - (state == "a")}) if face == 1 else 0,
        dice=so.Die([1, 2], [1, odds]),
    )
    assert best(game, least="rolls", method="exact").value == odds + 1
    with pytest.raises(RulesError, match=r"may last |too large for a certified"):
        best(game, **goal, method="certified")


def test_the_best_of_a_game_that_could_last_ten_thousand_rolls():
    """The longest game has ten thousand rolls and more, the best one or two."""
    game = Rules(
        lambda state: (
            {} if isinstance(state, tuple) else {"soon": ("soon", state), "late": ("late", state)}
        ),
        lambda state, face: (
            so.settle("end", {"bet": face - state[1]})
            if face < 3 or (state[0] == "soon" and face < 9_000)
            else 1 - state[1]
        ),
        dice=so.Die(range(1, 20_001)),
    )
    most = {m: best(game, "bet", method=m) for m in ("exact", "certified")}
    assert abs(most["certified"].value - most["exact"].value) <= most["certified"].bound
    assert most["certified"].bound < Fraction(1, 10**9)
    assert most["exact"].policy == most["certified"].policy


def test_a_long_line_takes_no_longer_than_it_is():
    def on(state, face):
        state += face > 2
        return so.win() if state >= 9_000 else state  # here floats would wander for ever

    game = Rules(
        lambda state: {"on": state, "too": (state,)} if isinstance(state, int) else {},
        lambda state, face: on(state if isinstance(state, int) else state[0], face),
    )
    model = so.explore(game)
    certified = best(model, least="rolls", method="certified")
    assert abs(certified.value - 13_500) <= certified.bound < Fraction(1, 10**9)


def test_traps_are_found_whatever_the_order_of_the_states():
    far = 6_000
    game = Rules(
        lambda state: {str(k): k for k in range(1, far)} if state == 0 else {},
        lambda state, face: so.win() if state == 1 else state - 1,
    )
    assert not so.explore(game).traps


def test_what_is_gained_on_the_way_out_is_no_reason_to_wait():
    """Waiting costs 1 a time; to leave pays 10, and may lead back once in six."""
    game = Rules(
        lambda state: (
            {"wait": counted("wait", points=-1), "leave": counted("out", points=10)}
            if state == "in"
            else {}
        ),
        lambda state, face: "in" if state == "wait" or face == 6 else so.settle("out"),
        start="in",
    )
    found = best(game, "points")
    assert (found.value, found.policy) == (12, {"in": "leave"})
    assert best(game, "out").policy == {"in": "leave"}
    with pytest.raises(EndlessGameError, match="at a profit"):
        best(game, least="points")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"start": None}, "from the start on 1 returned None"),
        ({"start": [1]}, "not hashable"),
        ({"start": so.win()}, "which is not a state"),
        ({"start": counted(0, paid=1)}, "which is not a state"),
        ({"start": choose_again(0)}, "which is not a state"),
        ({"then": lambda s, face: choose_again(choose_again(0))}, "which is not a state"),
        ({"ask": lambda s: {1: "on", 2: so.win()}}, "the option 1 in state 0"),
        ({"chooser": lambda s: 3}, "the chooser in state 0 is 3"),
        ({"chooser": lambda s: None if s else "bank"}, "names no player in state 1"),
    ],
)
def test_rules_that_are_wrong_are_told_so(given, said):
    rules = {
        "ask": lambda s: {"a": 1, "b": so.win()} if s in (0, 1) else {},
        "then": lambda s, face: None if s is None else 1 if face > 3 else so.lose(),
    }
    if given.get("start", 0) is None:
        rules["then"] = lambda s, face: None if face < 3 else 1
    with pytest.raises(RulesError) as error:
        so.explore(Rules(**(rules | given)))
    assert said in str(error.value)
    assert len(str(error.value)) < 400


def test_the_fewest_turns():
    game = Solitaire(30)
    exact, certified = best(game, least="turns"), best(game, least="turns", method="certified")
    assert exact.solution.mean("turns") == exact.value
    assert abs(certified.value - exact.value) <= certified.bound
    for state in certified.policy:
        option = certified.options(state)[0]
        assert abs(option.value - exact.options(state)[0].value) <= Fraction(1, 10**18)


def test_what_is_counted_before_the_first_roll_is_counted_once():
    class Ante(so.Game):
        dice, start = so.d6, "ante?"

        def choices(self, state):
            return {"small": counted("on", paid=1), "large": counted("on", paid=5)}

        def step(self, state, face):
            return so.win() if face == 6 else "again"

        def rolls(self, state):
            return so.d6

    class Once(Ante):
        def choices(self, state):
            return super().choices(state) if state == "ante?" else {}

    solution = best(Once(), least="paid").solution
    assert solution.mean("paid") == 1
    assert solution.mean_rolls == 6
    assert best(Once(), most="paid").value == 5


def test_a_further_question():
    class Twice(so.Game):
        dice, start = so.d6, "first"

        def choices(self, state):
            return {
                "first": {"on": choose_again("second"), "stop": 0},
                "second": {"double": 2, "single": 1},
            }.get(state, {})

        def step(self, stake, face):
            if face > 2:
                return so.settle("won", {"bet": (stake, 2)})
            return so.settle("lost", {"bet": (-stake, 2)})

    found = best(Twice())
    assert found.value == Fraction(2, 3)
    assert found.policy == {"first": "on", "second": "double"}


class Doorstep(so.Game):
    """A walk from 2 to 0 or 5, which has cycles apart; before it a wait at the door with one."""

    dice, start = so.Die(["back", "on"]), "door"

    def choices(self, state):
        return {"wait": "door", "go in": 2} if state == "door" else {}

    def step(self, state, roll):
        if state == "door":
            return 2 if roll == "on" else "door"
        then = state + (1 if roll == "on" else -1)
        return then if 0 < then < 5 else so.settle(f"at {then}", {"walk": then})


def test_a_wait_before_a_walk_has_the_value_of_the_walk():
    found = best(Doorstep())
    assert found.value == 2
    assert {option.cost for option in found.options("door")} == {0}


def test_to_wait_at_no_cost_is_no_reason_to_refuse(tmp_path):
    """The player could wait for ever and ends the game instead; only that policy is certified."""
    game = Rules(
        lambda state: {"wait": 0, "stop": so.settle("stop")},
        lambda state, face: 0,
        start=0,
    )
    found = best(game, "stop")
    assert (found.value, found.policy, found.ties) == (1, {0: "stop"}, (0,))
    with pytest.raises(RulesError, match="go on for ever here, so no certificate proves what is"):
        found.certificate()
    stopped = so.explore(game).under(found.policy)
    for solution in (found.solution, so.solve(stopped, method="certified")):
        proof = solution.certificate("stop", "rolls").write(tmp_path / "proof.json")
        code, text = check.check(str(proof))
        assert code == 0, text
        assert "the probability of 'stop' is 1" in text
        assert "the mean of the counter 'rolls' is 0" in text


def test_a_state_in_which_waiting_pays_is_named_once():
    """The roll after the decision is in the same state."""
    game = Rules(
        lambda state: {"wait": counted(0, points=1), "stop": so.settle("stop")},
        lambda state, face: 0,
        start=0,
    )
    with pytest.raises(EndlessGameError, match=r"forever at a profit, in 0; let"):
        best(game, "points")


GAMES = ("pig-turn;goal=40", "pig;goal=12", "piglet;goal=6", "shut-the-box", "threes", "place-up")


def best_moves_by_hand(values: Any) -> list[bool]:
    """Which moves are best, by fractions alone."""
    best = [True] * len(values.model.targets)
    for s in values.model.decisions:
        for move in values.model.moves_of(s):
            cost = (values[s] - values.move_value(move)) * values.sense(s)
            best[move] = move == values.pick(s) or cost <= 2 * values.bound(s)
    return best


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("method", ["exact", "certified"])
def test_the_best_moves_are_those_of_the_fractions(text: str, method: Any) -> None:
    best = optimum(text)
    best = so.best(best.model, method=method) if best.model.goal else best
    costs = OptionCosts(best.values)
    assert costs.is_optimal == best_moves_by_hand(best.values)
    for s in best.model.decisions:
        moves = best.model.moves_of(s)
        wrong = [costs.costs[move] for move in moves if not costs.is_optimal[move]]
        assert costs.least_mistake(s) == min(wrong, default=None)
        for move in moves:
            exact = (best.values[s] - best.values.move_value(move)) * best.values.sense(s)
            assert costs.costs[move] == pytest.approx(float(max(exact, 0)), rel=1e-6, abs=1e-9)


def test_of_two_players_each_comes_to_what_they_allow() -> None:
    best: Any = so.best(SeatedPig(14), "first")
    costs = OptionCosts(best.values)
    assert costs.is_optimal == best_moves_by_hand(best.values)
    up = reachable(best.model, costs.is_optimal)
    for player in best.model.players:
        seen, todo = {0}, [0]
        for s in todo:
            own = best.model.choosers.get(s) == player
            for move in best.model.moves_of(s):
                target = best.model.targets[move]
                if target < len(up) and target not in seen and (costs.is_optimal[move] or not own):
                    seen.add(target)
                    todo.append(target)
        for s in range(len(up)):
            if best.model.choosers.get(s) == player:
                assert up[s] == (s in seen)


def test_the_page_is_the_same_without_numpy() -> None:
    whole = str(so.best(Pig(12)).page())
    with as_in_the_page():
        assert str(so.best(Pig(12)).page()) == whole


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best(PigTurn(), "roll"), "'roll' can't be a goal"),
        (lambda: best(PigTurn(), ["won"]), "no outcome 'won'"),
        (lambda: best(PigTurn(), 5), "5 is not a goal"),
        (lambda: best(PigTurn(), []), "[] is not a goal"),
        (lambda: best(Pig(6), against="hold"), "against='hold'; give a function of the state"),
        (lambda: best(Pig(6), against={}), "gives no option"),
        (lambda: so.explore(PigTurn()).under(5), "5 is not a policy"),
        (lambda: best(PigTurn()).card_of([[1]]), "state [1] is not a decision state"),
        (lambda: best(PigTurn()).options([1]), "state [1] is not a decision state"),
        (lambda: best(PigTurn()).mistakes(lambda s: "roll", limit=-1), "limit=-1"),
        (lambda: best(PigTurn()).mistakes(lambda s: "roll", limit="5"), "limit='5'"),
        (lambda: best(PigTurn(), "turn", least="rolls"), "both given"),
        (lambda: best(PigTurn(), method="guess"), "method='guess'"),
        (lambda: best(PigTurn(), against={}), "the game has one player"),
        (lambda: best(so.games["craps"]), "has no choices; use `sevenout odds`"),
        (lambda: so.solve(PigTurn()), "has choices in state"),
        (lambda: best(PigTurn()).options(-5), "is not a decision state"),
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


def test_the_value_of_a_policy_to_the_player_who_follows_it():
    best = so.best(Solitaire(40), least="turns")
    held = so.solve(so.explore(Solitaire(40)).under(hold_at(20)))
    followed = best.evaluate(hold_at(20))
    assert followed == (held.mean("turns"), 0, held.mean("turns") - best.value)
    assert followed.cost > 0
    assert best.evaluate(best.policy) == (best.value, 0, 0)


def test_a_policy_of_two_is_followed_against_the_best():
    best = so.best(Pig(30))
    model = so.explore(Pig(30))
    played = so.solve(model.under(hold_at(10), best.policy)).bet().p_win
    assert best.evaluate(hold_at(10)).value == played < best.value
    for player in ("first", "second"):
        seated = so.best(SeatedPig(8), player)
        assert seated.evaluate(seated.policy) == (seated.value, 0, 0)
        mistaken = seated.evaluate(lambda state: "hold")
        assert mistaken.value == seated.value - mistaken.cost < seated.value


def test_a_certified_policy_has_its_exact_value():
    exact = so.best(Pig(35), method="exact")
    certified = so.best(Pig(35), method="certified")
    value, bound, _ = certified.evaluate(hold_at(15))
    assert abs(value - exact.evaluate(hold_at(15)).value) <= bound + certified.bound
    assert certified.ties == exact.ties
    assert certified.reachable_states == exact.reachable_states
    assert dict(certified.card.parts).keys() == dict(exact.card.parts).keys()


def test_the_most_costly_mistakes_are_in_reachable_states():
    best = so.best(Pig(30))
    all_of_them = best.mistakes(hold_at(10))
    assert [m.cost for m in all_of_them] == sorted((m.cost for m in all_of_them), reverse=True)
    three = best.mistakes(hold_at(10), 3)
    assert len(three) == 3
    assert set(three) <= set(all_of_them)
    assert all(mistake.state[2] <= 15 for mistake in three)  # such play never has more in a turn
    assert best.mistakes(best.policy, 3) == []


def test_only_mistakes_that_can_be_made_are_among_a_few():
    def hold(state):
        return "hold"

    best_play = best(Pig(8))
    some, every = best_play.mistakes(hold, 100), best_play.mistakes(hold)
    assert [m for m in every if m in some] == some  # in the same order
    assert {m.state for m in some} < {m.state for m in every}
    assert best_play.mistakes(hold, 2) == some[:2]


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


class TwoDice(so.Game):
    """Pick a d4 or a d6; a 3 or more wins."""

    start = "pick"

    def choices(self, state: Any) -> Mapping[str, Any]:
        return {"d4": "d4", "d6": "d6"} if state == "pick" else {}

    def rolls(self, state: Any) -> Any:
        return so.dice("d4") if state == "d4" else so.dice("d6")

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.win("yes") if roll.total > 2 else so.lose("no")


class TakeOrRoll(so.Game):
    """Take 2 at once, or roll for the face less 3."""

    dice, start, counters = so.d6, "offer", ("taken",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        if state != "offer":
            return {}
        taken = so.counted(so.settle("took", {"bet": 2}), taken=1)
        return {"take": taken, "roll": "table"}

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.settle("rolled", {"bet": (roll - 3, 2)})


class Race(so.Game):
    """Two race to a square; 1 in 6 throws goes back to the start."""

    dice, start = so.d6, (0, 0)

    def __init__(self, squares: int) -> None:
        self.squares = squares

    def step(self, state: Any, roll: Any) -> Any:
        mine, yours = state
        mine = 0 if roll == 6 else mine + roll
        return so.win("home") if mine >= self.squares else so.pass_turn((yours, mine))


class HigherOf(so.Game):
    """Each throws once, and may throw again; the higher wins, and equals tie."""

    dice, start = so.d6, (0, 0, 0)

    def choices(self, state: Any) -> Mapping[str, Any]:
        throws = state[2]
        return {"again": state, "stop": self.passed_on(state)} if throws == 1 else {}

    def passed_on(self, state: Any) -> Any:
        mine, yours, _ = state
        if not yours:
            return so.pass_turn((0, mine, 0))
        difference = (mine > yours) - (mine < yours)
        return so.settle(("tie", "higher", "lower")[difference], {"pass": difference})

    def step(self, state: Any, roll: Any) -> Any:
        _, yours, throws = state
        after = (int(roll), yours, throws + 1)
        return after if throws == 0 else self.passed_on(after)


def test_dice_that_a_policy_never_rolls_are_no_part_of_its_chain() -> None:
    play = so.best(TwoDice())
    assert play.value == Fraction(4 - 2, 6)
    assert [str(die) for die in play.chain.rollables] == [str(so.dice("d6"))]
    assert so.simulate(play.chain, 1_000, seed=1).games == 1_000


def test_a_policy_that_never_rolls_some_dice_of_the_catalogue() -> None:
    entry = so.games.entry("ship-captain-and-crew-either")
    chain = so.explore(entry.game()).under(entry.policy("stop-8"))
    assert so.simulate(chain, 1_000, seed=1).games == 1_000


def test_a_game_that_ends_before_any_roll_has_no_rolls() -> None:
    play = so.best(TakeOrRoll())
    assert play.value == 2
    solution = so.solve(play.chain)
    assert solution.labels == {"took": 1}
    assert (solution.mean_rolls, solution.mean("taken")) == (0, 1)
    assert solution.distribution("rolls").pmf(0) == 1
    assert solution.distribution("taken").pmf(1) == 1
    assert play.evaluate({"offer": "take"}).value == 2
    assert play.evaluate({"offer": "roll"}).value == Fraction(1, 2)
    assert [mistake.cost for mistake in play.mistakes({"offer": "roll"})] == [Fraction(3, 2)]
    tally = so.simulate(play.chain, 100, seed=1)
    assert (tally.rolls, tally.longest, tally.counters) == (0, 0, {"rolls": 0, "taken": 100})


@pytest.mark.parametrize(
    ("name", "goal", "probability"),
    [
        ("pig-turn", "rolls < 1", 0),
        ("pig-turn", "rolls >= 1", 1),
        ("pig-turn", "rolls < 0", 0),
        ("pig-turn", "points < 0", 0),
        ("pig-turn", "points >= 0", 1),
        ("threes", "points < 0", 0),
        ("threes", "rolls > 5", 0),
    ],
)
def test_the_impossible_has_probability_0(name: str, goal: str, probability: int) -> None:
    for wish in ({"most": goal}, {"least": goal}):
        assert so.best(so.games(name), **wish).value == probability


def test_a_listed_outcome_that_never_comes_has_probability_0() -> None:
    class Fair(so.Game):
        dice, start = so.d6, "table"
        outcomes = (so.win("high"), so.lose("low"), so.lose("edge"))

        def step(self, state: Any, roll: Any) -> Outcome:
            return self.outcomes[roll <= 3]

    solution = so.solve(Fair())
    assert (solution.p("edge"), solution.p("low")) == (0, Fraction(1, 2))
    with pytest.raises(RulesError, match="no outcome 'egde'"):
        solution.p("egde")


def test_a_counter_of_two_players_is_refused_in_words() -> None:
    with pytest.raises(RulesError, match="a counter can't be the goal of two players"):
        so.best(so.games("kuhn"), "rolls < 5")


def test_a_race_is_solved_as_its_chain() -> None:
    race = Race(40)  # one cycle of 3,200 states: policy iteration took minutes
    play, solution = so.best(race), so.solve(race)
    assert play.value == solution.bet().p_win
    assert not play.reachable_states
    small = Race(8)
    first = so.best(small)
    assert first.value == so.best(small, method="exact").value
    # From the second square: the first player's own chance there.
    node = first.model.states.index((0, 3))
    assert first.values[node] == so.best(small, method="exact").values[node]


def test_liars_dice_with_too_many_bids_is_refused_before_the_deals_are_compared() -> None:
    class Counting(LiarsDice):
        showdowns = 0

        def showdown(self, table: Any, first: Any, second: Any) -> Outcome:
            Counting.showdowns += 1
            return super().showdown(table, first, second)

    large = liars_dice(5, 5)
    game = Counting(large.first_dice, large.second_dice, large.sides, large.ones)
    with pytest.raises(TooMuchWorkError, match="ways to play"):
        so.best(game)
    assert Counting.showdowns < 1_000  # of 60 last bids and 63,504 pairs of hands


def test_a_goal_says_why_it_is_no_probability() -> None:
    assert (
        so.best(HigherOf()).value_description
        == "mean per unit staked, where a tie counts 0, for the first player"
    )
    assert so.best(Race(8)).value_description == "probability, for the first player"


RULES = '''
import sevenout as so

class Race(so.Game):
    """Two race to square 10; a ladder leads from 3 to 8, a snake from 9 to 2."""

    dice, start = so.d6, (0, 0)
    coordinates = ("mine", "yours")

    def step(self, state, face):
        mine, yours = state
        mine = {3: 8, 9: 2}.get(mine + face, mine + face)
        return so.win("home") if mine >= 10 else so.pass_turn((yours, mine))

class Asked(Race):
    """The same race, whose choices are always none."""

    def choices(self, state):
        return {}
'''
space: dict[str, type[so.Game]] = {}
exec(RULES, space)


def race_by_hand() -> float:
    """P(the first wins), iterated over the squares of both."""
    wins: dict[tuple[int, int], float] = {}
    for _ in range(300):
        for mine in range(10):
            for yours in range(10):
                total = 0.0
                for face in range(1, 7):
                    then = {3: 8, 9: 2}.get(mine + face, mine + face)
                    total += 1.0 if then >= 10 else 1.0 - wins.get((yours, then), 0.5)
                wins[mine, yours] = total / 6
    return wins[0, 0]


@pytest.fixture(params=["Race", "Asked"])
def race(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("race.py").write_text(RULES, encoding="utf-8")
    return str(request.param)


@pytest.mark.parametrize("name", ["Race", "Asked"])
def test_python_and_best_say_the_same(name: str) -> None:
    game = space[name]()
    won = so.solve(game).bet().p_win
    best = so.best(game)
    assert float(won) == pytest.approx(race_by_hand(), abs=1e-12)
    assert best.value == won == so.solve(so.explore(game)).bet().p_win
    assert abs(so.best(game, method="certified").value - won) < Fraction(1, 10**12)
    assert best.page().blocks
    assert "The game has no choices" in best.size_sentence
    assert best.certificate().header["claims"]
    seen = so.simulate(game, 20_000, seed=3).bet()
    assert seen.p_win == pytest.approx(float(won), abs=0.02)


def test_a_position_knows_whose_turn_it_is() -> None:
    position = Position(space["Race"]())
    position.roll(4)
    assert (position.seat, position.state) == (1, (0, 4))
    while not position.settled:
        position.throw(Random(1))
    assert position.settled.label == "home"


def test_every_command_takes_a_race(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, value = f"race.py:{race}", race_by_hand()
    for words in (
        ["odds", "--json"],
        ["best", "--json"],
        ["simulate", "--games", "1000", "--json"],
    ):
        assert main([words[0], game, *words[1:]]) == 0
    odds, best, _ = (json.loads(part) for part in _parts(capsys.readouterr().out))
    assert float(Fraction(best["value"])) == pytest.approx(value)
    assert float(Fraction(odds["bets"][0]["p_win"])) == pytest.approx(value)
    assert main(["sheet", game, "-o", "race.json", "--games", "0"]) == 0
    assert main(["dossier", game, "-o", "papers", "--games", "0"]) == 0
    text = Path("papers/vectors.csv").read_text(encoding="utf-8")
    vectors = list(csv.DictReader(text.splitlines()))
    assert {row["outcome"] for row in vectors} == {"first: home", "second: home"}
    assert main(["test", "log", game, "papers/vectors.csv"]) == 0


def _parts(text: str) -> list[str]:
    return [part for part in text.replace("\n}\n{", "\n}\0{").split("\0") if part.strip()]


@pytest.mark.parametrize(
    "words", [["--at", "0,0"], ["--against", "best"], ["--policy", "hold-20"], ["--plot", "x.png"]]
)
def test_what_asks_for_a_choice_is_refused(
    race: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", f"race.py:{race}", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_card_runs_along_what_a_choice_and_a_roll_change_most():
    """At Pig that is the turn's points; of both scores a roll changes none."""
    card = best(Pig(10)).card
    assert [part.axis for _, part in card.parts] == [2]
