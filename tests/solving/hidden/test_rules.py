"""What a game in which something is hidden must say, and what it is told where it does not."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.errors import EndlessGameError, RulesError
from sevenout.rolling import Law
from sevenout.rules import choose_again, settle


def end(amount):
    return settle(f"wins {amount}", {"first": amount, "second": -amount})


@dataclass(frozen=True)
class Forgetful(so.HiddenGame):
    """The first player rolls, says whether to go on, and then has forgotten what was rolled."""

    dice = so.d6
    start = "roll"

    def chooser(self, state):
        return "second" if state[0] == "reply" else "first"

    def step(self, state, face):
        return "go?", face

    def choices(self, state):
        match state:
            case "go?", face:
                return {"go": choose_again(("raise?", face)), "stop": end(0)}
            case "raise?", face:
                return {"raise": choose_again(("reply", face)), "check": end(0)}
            case "reply", face:
                return {"fold": end(1), "call": end(1 if face > 3 else -1)}
        return {}

    def sees(self, state, player):
        what, face = state
        return (what, face) if what == "go?" else what


def test_who_forgets_is_refused_with_both_histories():
    with pytest.raises(RulesError, match="'first' forgets") as told:
        so.best(Forgetful())
    assert "go where they saw go?, 1" in str(told.value)
    assert "go where they saw go?, 2" in str(told.value)
    assert "\n" not in str(told.value)


class Remembers(Forgetful):
    def sees(self, state, player):
        return state[0] if player == "second" else state


def test_the_same_game_remembered_is_solved():
    """Half of the rolls are good; the second is told nothing of them."""
    best = so.best(Remembers())
    assert best.bound == 0
    assert best.value == 0.5
    assert best.policy["first", ("raise?", 6)] == {"raise": 1, "check": 0}


class Different(Remembers):
    def choices(self, state):
        menu = super().choices(state)
        return menu | {"argue": end(0)} if state == ("reply", 6) else menu


def test_what_is_seen_must_not_tell_by_the_options_what_is_hidden():
    with pytest.raises(RulesError, match="may do different things there: fold, call in"):
        so.best(Different())


class Nobody(Remembers):
    def chooser(self, state):
        return None


def test_who_chooses_must_be_named():
    with pytest.raises(RulesError, match="`chooser` names no player"):
        so.best(Nobody())


class Unhashable(Remembers):
    def sees(self, state, player):
        return list(state)


def test_what_is_seen_must_be_hashable():
    with pytest.raises(RulesError, match="not hashable; give a tuple"):
        so.best(Unhashable())


class Endless(Remembers):
    def choices(self, state):
        menu = super().choices(state)
        return menu | {"again": "roll"} if state[0] == "go?" else menu


def test_a_game_must_end():
    with pytest.raises(EndlessGameError):
        so.best(Endless())


class Unopposed(Remembers):
    def choices(self, state):
        menu = super().choices(state)
        if state[0] == "reply":
            menu["fold"] = settle("both win", {"first": 1, "second": 1})
        return menu


def test_interests_must_be_opposed():
    with pytest.raises(RulesError, match="not zero-sum"):
        so.best(Unopposed())


class Three(Remembers):
    def chooser(self, state):
        return "third" if state == ("reply", 3) else super().chooser(state)


def test_two_players_at_most():
    with pytest.raises(RulesError, match="the game has 3 players"):
        so.best(Three())


class OpenDice(Remembers):
    sees = so.Game.sees


def test_without_sees_all_is_open():
    """With open dice the second folds when the roll is good, and calls when it is bad."""
    best = so.best(OpenDice())
    assert best.value == 0.5
    assert best.policy["reply", 1] == "call"


@dataclass(frozen=True)
class Alone(so.HiddenGame):
    """One player, a coin in a cup: a guess, unseen."""

    dice = Law({"heads": 2, "tails": 1})
    start = "toss"

    def chooser(self, state):
        return "first"

    def step(self, state, side):
        return (side,)

    def choices(self, state):
        if state == "toss":
            return {}
        return {side: settle("guess", {"first": int(side == state[0])}) for side in self.dice.faces}

    def sees(self, state, player):
        return "a cup"


def test_one_player_may_not_see_everything():
    best = so.best(Alone())
    assert best.value == so.Law({1: 2, 0: 1}).mean
    assert best.policy["first", "a cup"] == {"heads": 1, "tails": 0}


def test_a_model_keeps_what_is_hidden():
    game = so.games("kuhn")
    assert so.best(so.explore(game)).value == so.best(game).value


def test_a_policy_is_asked_by_what_a_player_sees():
    kuhn = so.best(so.games("kuhn"))
    always = kuhn.follow(lambda asked: "bet" if "bet" not in asked[1] else "call")
    # A bet with every card: the second folds a jack, and calls with a queen and a king.
    assert always.value == Fraction(1 + 0 - 2, 3)
    assert always.cost == kuhn.value - always.value
    mistakes = kuhn.mistakes(lambda asked: "call" if "bet" in asked[1] else "check")
    assert {(m.state, m.did) for m in mistakes} >= {(("first", ("J", "check", "bet")), "call")}
    assert kuhn.follow(kuhn.policy).cost == 0
    assert kuhn.mistakes(kuhn.policy) == []
    with pytest.raises(RulesError, match="don't add up to 1"):
        kuhn.follow(lambda asked: {"check": 1, "bet": 1})
    with pytest.raises(RulesError, match="the policy returned 'dance'"):
        kuhn.follow(lambda asked: "dance")


def test_against_a_policy_the_other_is_exploited():
    """Against a second player who folds to every bet, a bet wins every hand."""

    def folds(asked):
        return "fold" if "bet" in asked[1] else "check"

    best = so.best(so.games("kuhn"), against=folds)
    assert best.value == 1
    assert best.policy["first", ("J",)] == {"check": 0, "bet": 1}
