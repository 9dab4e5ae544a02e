"""What a game in which something is hidden must say, and what it is told where it does not.

Hidden dice at the terminal: nothing is shown that the player does not see.

Every command answers of every stocked game in which something is hidden.
"""

import io
import json
import re
from dataclasses import dataclass
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.documents import Text
from sevenout.errors import EndlessGameError, RulesError
from sevenout.lab.site import page
from sevenout.rolling import Law
from sevenout.rules import choose_again, settle
from tests.solving.test_certificates import QUICK, claimed


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


def test_a_player_who_forgets_is_refused_with_both_histories():
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


def test_the_choosing_player_must_be_named():
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
    always = kuhn.evaluate(lambda asked: "bet" if "bet" not in asked[1] else "call")
    # A bet with every card: the second folds a jack, and calls with a queen and a king.
    assert always.value == Fraction(1 + 0 - 2, 3)
    assert always.cost == kuhn.value - always.value
    mistakes = kuhn.mistakes(lambda asked: "call" if "bet" in asked[1] else "check")
    assert {(m.state, m.did) for m in mistakes} >= {(("first", ("J", "check", "bet")), "call")}
    assert kuhn.evaluate(kuhn.policy).cost == 0
    assert kuhn.mistakes(kuhn.policy) == []
    with pytest.raises(RulesError, match="don't add up to 1"):
        kuhn.evaluate(lambda asked: {"check": 1, "bet": 1})
    with pytest.raises(RulesError, match="the policy returned 'dance'"):
        kuhn.evaluate(lambda asked: "dance")


def test_a_mistake_that_is_never_made_is_only_in_the_full_list():
    """A player who always bets the king never has to fold or call with it."""
    kuhn = so.best(so.games("kuhn"))
    never_asked = ("first", ("K", "check", "bet"))
    policy = dict(kuhn.policy) | {("first", ("K",)): "bet", never_asked: "fold"}
    assert [mistake.state for mistake in kuhn.mistakes(policy)] == [never_asked]
    assert kuhn.mistakes(policy, 9) == []


def test_certified_plans_leave_a_gap_that_is_larger_where_a_hand_is_rare():
    """A plan in short fractions has no thirds; each hand is dealt a third of the time."""
    kuhn = so.best(so.games("kuhn"), method="certified")
    assert kuhn.bound > 0
    assert kuhn.bound_at(("first", ("J",))) == 3 * kuhn.bound


def test_against_a_policy_the_other_is_exploited():
    """Against a second player who folds to every bet, a bet wins every hand."""

    def folds(asked):
        return "fold" if "bet" in asked[1] else "check"

    best = so.best(so.games("kuhn"), against=folds)
    assert best.value == 1
    assert best.policy["first", ("J",)] == {"check": 0, "bet": 1}


@pytest.fixture
def played(monkeypatch, capsys):
    def play(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
        code = main(["play", *arguments])
        return code, capsys.readouterr().out

    return play


def test_a_coach_says_what_a_choice_costs(played):
    code, out = played(["check", "q"], "kuhn", "--coach", "--seed", "3")
    assert not code
    assert "you see J" in out
    assert "check is as good as any; the optimal policy plays check" in out


def test_the_other_hand_is_shown_only_when_the_round_is_over(played):
    """The second player's die stands in no line before the one that ends the round."""
    _, out = played(["1x3", "q"], "dudo", "--sides", "3", "--seed", "4")
    head = out.partition(" → ")[0].splitlines()
    assert head[1].startswith("you see ")
    assert not any("second" in line for line in head[1:-2])
    assert "┌" not in out


def test_a_mistake_has_its_price(played):
    _, out = played(["2x1", "q"], "dudo", "--sides", "3", "--coach", "--seed", "4")
    assert re.search(r"2x1 (costs|is as good as any)", out)
    assert "cost of choices" in out


def test_both_at_once(played):
    _, out = played(["heads", "tails", "q"], "matching-pennies", "--seed", "1")
    assert out.count("you see nothing") == 3
    assert out.count(" → ") == 2
    assert re.search(r"games +2", out)


@pytest.mark.parametrize("state", [None, "K", ("nobody", ("K",)), ("first", ("Z",))])
def test_what_is_no_decision_has_no_bound(state):
    with pytest.raises(RulesError, match="is not a decision state"):
        so.best(so.games("kuhn")).bound_at(state)


def test_a_state_may_be_a_list():
    kuhn = so.best(so.games("kuhn"))
    assert kuhn.mixture(("first", ["K"])) == kuhn.mixture(("first", ("K",)))


def test_what_is_never_seen_is_counted_and_can_be_asked_of(capsys):
    """Of kuhn's 12 information sets 3 follow a bet of the first player, who never bets."""
    second_plays = so.best(so.games("kuhn")).page().blocks[-1]
    note = Text("In best play 3 more are never seen. --json lists them.", tone="note")
    assert note in second_plays.blocks
    assert main(["best", "kuhn"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("more are never seen") == 1
    assert "In best play 3 more are never seen. --json lists them." in said
    assert main(["best", "kuhn", "--at", "K, check"]) == 0
    assert "second sees K, check: bet" in capsys.readouterr().out
    assert main(["best", "matching-pennies", "--at", "nothing"]) == 2
    assert "fits several states" in capsys.readouterr().err


GAMES = [*QUICK, "perudo"]

ASKED = {
    "odds": ["odds", "--policy", "best"],
    "longer": ["odds", "--policy", "best", "--longer", "2"],
    "best": ["best"],
    "simulate": ["simulate", "--policy", "best", "--games", "50", "--seed", "1"],
}


def given(name):
    options = QUICK.get(name, {"sides": 3})
    return [x for key, value in options.items() for x in (f"--{key}", str(value))]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("question", ASKED)
def test_a_command_answers(question, name, capsys):
    command, *options = ASKED[question]
    asked = [command, name, *given(name), *options, "--json"]
    assert main(asked) == 0, capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", GAMES)
def test_a_certificate_is_written_and_compared_with_the_rules(name, tmp_path, capsys):
    proof = tmp_path / "proof.json"
    assert main(["certify", name, *given(name), "--output", str(proof)]) == 0
    capsys.readouterr()
    assert main(["certify", name, *given(name), "--check", str(proof)]) == 0
    said = capsys.readouterr().out
    with proof.open(encoding="utf-8") as lines:
        assert claimed(json.loads(next(lines))) in said
    assert "nothing differs" in said


@pytest.mark.parametrize("name", GAMES)
def test_a_coach_knows_the_policy(name, monkeypatch, capsys):
    """The first option, ten times: each choice is judged, and nothing fails."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 10))
    assert main(["play", name, *given(name), "--coach", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "you see " in said
    assert "the optimal policy plays" in said


@pytest.mark.parametrize("name", GAMES)
def test_the_lab_shows_what_each_player_does(name):
    options = "".join(f";{key}={value}" for key, value in QUICK.get(name, {"sides": 3}).items())
    shown = page(f"/best?game={name}{options}").body.decode()
    for text in ("How first plays", "How second plays", "Some information is hidden"):
        assert text in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_sheet_shows_what_each_player_does(name, capsys):
    assert main(["best", name, *given(name), "--json"]) == 0
    value = Fraction(json.loads(capsys.readouterr().out)["value"])
    assert main(["sheet", name, *given(name), "--json"]) == 0, capsys.readouterr().err
    sheet = capsys.readouterr().out
    for text in ("How first plays", "How second plays", "Some information is hidden", str(value)):
        assert text in sheet
