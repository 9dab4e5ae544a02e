"""The short proof of a game of hidden hands: its tables, and two policies where they may come."""

import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

import sevenout as so
from sevenout.errors import TooMuchWorkError
from sevenout.solving.hidden import hands_certificate, matched_optimum
from sevenout.solving.hidden.hands_certificate import hands_difference
from tests.solving.hidden.test_certificate import proved
from tests.solving.hidden.test_hidden_hands import auctions


def written(game, **wish):
    made = so.best(game, **wish).certificate(game="it")
    return [json.loads(line) for line in made.lines()]


def better(lines, part=Fraction(1, 50)):
    """The same policies, and more claimed of one of them."""
    for end, change in (("low", part), ("high", -part)):
        yield [lines[0] | {end: str(Fraction(lines[0][end]) + change)}, *lines[1:]]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(auctions())
def test_random_games_are_proved_of_all_positions(game):
    """Also where the other player does what another option is sure to beat."""
    if len(set(game.movers)) < 2:
        return
    lines = written(game)
    held, said = proved(lines)
    assert held, said
    assert f"is {so.best(so.explore(game)).value}, where" in said
    for wrong in better(lines):
        assert not proved(wrong)[0]


@pytest.mark.parametrize("wish", [{"most": "second"}, {"least": "first"}, {"most": "first wins"}])
def test_any_goal_is_proved(wish):
    game = so.games("dudo", sides=3)
    held, said = proved(written(game, **wish))
    assert held, said
    assert f"is {so.best(game, **wish).value}," in said


def test_a_game_too_large_to_explore_is_proved():
    """Two dice against one, five sides: 2,457,600 positions and 1,792 histories."""
    lines = written(so.games("liars-dice", first=2, sides=5))
    held, said = proved(lines)
    assert held, said
    assert "the mean of 'first' is 2128/8375" in said
    assert len(lines) < 2000


def test_policies_near_the_averages_are_proved(monkeypatch):
    monkeypatch.setattr(matched_optimum, "MOST_EXACT", 0)
    game = so.games("kuhn")
    exact, near = (so.best(game, method=method) for method in ("exact", "certified"))
    lines = [json.loads(line) for line in near.certificate().lines()]
    held, said = proved(lines)
    assert held, said
    low, high = near.proved_interval
    assert f"lies between {low} and {high}" in said
    assert low < Fraction(-1, 18) < high < low + Fraction(1, 1000)
    for wrong in better(lines, Fraction(1, 10**9)):
        assert not proved(wrong)[0]
    held, said = proved([json.loads(line) for line in exact.certificate().lines()])
    assert held, said
    assert "is -1/18," in said


def test_a_proof_of_too_many_lines_is_refused(monkeypatch):
    monkeypatch.setattr(hands_certificate, "MOST_HISTORIES", 10)
    with pytest.raises(TooMuchWorkError, match="come to more than 10 histories"):
        list(so.best(so.games("liars-dice", sides=3)).certificate().lines())


def test_wrong_certificates_are_refused():
    """Each of these is a lie about Kuhn poker."""
    lines = written(so.games("kuhn"))
    assert proved(lines)[0]
    first, tables = lines[-4], lines[0]["tables"]
    assert (first["after"], first["hands"]) == ([], [0, 1, 2])

    def told(change):
        now = json.loads(json.dumps(lines))
        change(now)
        held, said = proved(now)
        assert not held, said
        return said

    assert "gets less" in told(lambda x: x[-4]["plays"].__setitem__(2, [0, 1]))
    assert "do not add up" in told(lambda x: x[-4]["plays"].__setitem__(0, ["1/3", "1/3"]))
    assert "do not add up" in told(lambda x: x[-4]["plays"].__setitem__(0, [2, -1]))
    assert "isn't said what a hand does" in told(
        lambda x: x[-4].update(hands=[0, 1], plays=x[-4]["plays"][:2])
    )
    assert "not one row for each hand" in told(lambda x: x[-4].update(hands=[0, 0, 2]))
    assert "or they did" in told(lambda x: x.__setitem__(-1, x[-2]))
    assert "a move after the end" in told(lambda x: x[-1].update(after=[0, 0, 0, 0]))
    assert "as announced" in told(lambda x: x.pop())
    assert "than announced" in told(lambda x: x.append(x[-1]))
    assert "can't be" in told(lambda x: x[1].update(to=[0, 1]))
    assert "no such deal" in told(lambda x: x[0]["weights"].pop())
    assert "nobody checks" in told(lambda x: x[3].update(note="trust me"))
    assert "is not a list" in told(lambda x: x[tables].update(ends=[None]))
    assert "gets less" in told(lambda x: x[0].update(low=0, high=0))


def test_a_walk_without_end_is_refused(monkeypatch):
    """A player moves forty times in a row: a small file, and 2^40 histories."""
    end = {"table": "end", "ends": [[0]]}
    rows = [
        {"table": str(n), "player": 1, "options": ["a", "b"], "to": [n + 1, n + 1]}
        for n in range(1, 41)
    ]
    header = written(so.games("kuhn"))[0]
    lines = [
        header | {"hands": [["x"], ["y"]], "weights": [[1]], "tables": 42, "histories": 1},
        {"table": "start", "player": 0, "options": ["go"], "to": [1]},
        *rows,
        end,
        {"after": [], "hands": [0], "plays": [[1]]},
    ]
    monkeypatch.setattr("sevenout.certify.check.MOST", 1000)
    held, said = proved(lines)
    assert not held
    assert "too many histories" in said


def test_a_file_is_compared_with_the_rules():
    kuhn, dice = so.games("kuhn"), so.games("liars-dice", sides=3)
    made = list(so.best(dice).certificate().lines())
    assert hands_difference(made, dice) == ""
    assert hands_difference(made, so.games("liars-dice", sides=3, ones="wild"))
    assert hands_difference(made, kuhn) == "line 1: this is not what the rules of the game say"
    long = so.best(so.explore(kuhn)).certificate().lines()
    assert hands_difference(long, kuhn) == "line 1: this is not a certificate of hidden hands"


def test_mutations_are_refused_or_true():
    """Numbers changed at random: what the checker still proves of the value, is true."""
    lines, random, held = written(so.games("liars-dice", sides=3)), Random(26), 0
    for _ in range(300):
        now = json.loads(json.dumps(lines))
        row = random.choice(random.choice([row for row in now if "plays" in row])["plays"])
        row[random.randrange(len(row))] = random.choice([0, 1, "1/2", "1/3", -1, "2"])
        good, said = proved(now)
        held += good
        assert not good or "is -1/9" in said
    assert 0 < held < 300
