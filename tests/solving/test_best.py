"""Optimal play: known figures, and every policy of small games tried."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.errors import EndlessGameError, RulesError
from sevenout.rules import choose_again, counted, pass_turn
from sevenout.solving.optimal_play import best

from .pigs import Pig, Piglet, PigTurn, SeatedPig, Solitaire


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
    assert rolled.policy.keys() == {s for s in model.asked if s[1] == 0}  # he never holds
    with pytest.raises(RulesError, match="is not a decision state"):
        rolled.at((2, 3, 3))


def test_who_follows_a_policy_is_asked_nothing():
    def hold(state):
        return "hold"

    for game, goal in [(Pig(8), None), (SeatedPig(8), "first"), (SeatedPig(8), "second")]:
        held = best(game, goal, against=hold)
        played = held.solution.bet(goal)
        assert held.value == (played.p_win if goal is None else played.mean)
        assert held.follow(held.policy) == (held.value, 0, 0)
        own = dict.fromkeys(held.policy, "roll")
        assert {m.state for m in held.mistakes(own)} <= own.keys()
        asked = so.explore(game).asked if goal is None else {s for s in own if s[0] == goal}
        assert own.keys() <= set(asked)
    table = dict.fromkeys(so.explore(Pig(8)).asked, "hold")
    assert best(Pig(8), against=table).value == best(Pig(8), against=hold).value


def test_he_who_is_never_asked_may_follow_anything():
    class Once(so.Game):
        dice, start = so.d6, "mine"

        def choices(self, state):
            return {"roll": "roll", "pass": pass_turn("yours")} if state == "mine" else {}

        def step(self, state, face):
            return so.win() if face > 2 else so.lose()

    assert best(Once(), against=lambda state: "nothing").value == Fraction(2, 3)


@pytest.mark.parametrize("method", ["exact", "certified"])
@pytest.mark.parametrize("goal", ["home", "P(home)", ["home"], lambda o: o.label == "home"])
def test_an_outcome_is_his_who_settles_it(goal, method):
    found = best(Pig(10), goal, method=method)
    assert abs(found.value - Fraction(7776, 10961)) <= found.bound
    assert best(Pig(10), goal).follow(found.policy).value == Fraction(7776, 10961)
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


def test_he_who_can_dawdle_where_it_ends_soon():
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
    for state, (option, *_) in certified.margins.items():
        assert abs(option.value - exact.at(state)[0].value) <= Fraction(1, 10**18)


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


def test_a_wait_before_a_walk_is_worth_what_the_walk_is():
    found = best(Doorstep())
    assert found.value == 2
    assert {option.margin for option in found.at("door")} == {0}


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
