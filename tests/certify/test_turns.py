"""Certificates of games of turns: every card worked out, in long integers, by plain Python."""

import json
from fractions import Fraction
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.catalogue.choice_games.yahtzee import Yahtzee
from sevenout.certify import check
from sevenout.rules import ByTurns, KeepRoll
from tests.certify import oracle
from tests.certify.test_catalogue import SCHEMA, run_alone
from tests.certify.test_mutations import mutated, proved
from tests.solving.turns.test_turns import READINGS, Boxes

MANY = 1_500


class Short(Yahtzee):
    """Yahtzee with three boxes."""

    card = (frozenset({"sixes", "yahtzee", "chance"}), False)


class Uneven(Boxes):
    """A game whose player may end it with any hand."""

    def entries(self, card):
        return {box: READINGS[box] for box in sorted(card)} | {"pass": READINGS["low"]}

    def enter(self, card, entry, seen):
        return so.settle("passed") if entry == "pass" else super().enter(card, entry, seen)


boxes = st.sets(st.sampled_from(["high", "pair", "low"]), min_size=1, max_size=3)


@settings(max_examples=20, derandomize=True, deadline=None)
@given(boxes, st.integers(2, 3), st.integers(2, 3), st.integers(1, 2), st.booleans())
def test_what_is_claimed_is_what_the_whole_game_is_worth(names, faces, dice, rolls, most):
    game = Boxes(names, faces, dice, rolls)
    wish = {"most": "score"} if most else {"least": "score"}
    model = so.explore(game)
    if isinstance(model, so.Chain):
        return
    value = so.best(model, **wish).value
    for method in ("exact", "certified"):
        made = so.best(game, **wish, method=method).certificate()
        head, *lines = oracle.opened(b"".join(made.lines()))
        made = check.Turns(head, lines)
        made.check(())
        assert "Proved" in made.sentence("")
        assert abs(Fraction(head["value"]) - value) <= Fraction(head["within"])
        assert (method == "exact") == (head["within"] == 0)


def test_three_boxes_are_checked_where_we_can_not_be_imported(tmp_path):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    optimum = so.best(Short(), method="exact")
    path = optimum.certificate(game="Three boxes").write(tmp_path / "proof.jsonl.gz")
    done = run_alone(path)
    assert done.returncode == 0, done.stdout
    assert f"the highest mean of 'score' is {optimum.value}, as the file pays it" in done.stdout
    for line in optimum.certificate().lines():
        assert validator.is_valid(json.loads(line)), line[:200]


class Odd(ByTurns):
    """Two hands, counted; some amounts are never paid, and one entry is never allowed."""

    turn, card, tally = KeepRoll(so.d6, 2, rolls=2), 2, ("sixes", 5)

    def __init__(self, read, brought):
        self.read, self.brought = read, brought

    def entries(self, card):
        def scored(hand):
            return so.counted(
                "any", score=self.read * (1 + hand.total // 12), sixes=2 * (6 in hand.faces)
            )

        return {"any": scored, "none": lambda hand: None}

    def enter(self, card, entry, seen):
        return so.counted(card - 1 or so.settle("over"), score=self.brought)

    def final(self, total):
        return {"score": Fraction(total % 2, 7)}


@pytest.mark.parametrize("read", [0, Fraction(1, 3), -5, 10**30])
@pytest.mark.parametrize("method", ["exact", "certified"])
def test_what_is_never_paid_is_an_amount_too(read, method, tmp_path, capsys):
    game = Odd(read, Fraction(2, 3))
    made = so.best(game, most="score", method=method).certificate()
    lines = oracle.opened(b"".join(made.lines()))
    taken, said = proved(lines, tmp_path / "proof.json", capsys)
    assert taken, said
    value = so.best(so.explore(game), most="score").value
    assert abs(Fraction(lines[0]["value"]) - value) <= Fraction(lines[0]["within"])


def test_what_is_accepted_is_true(tmp_path, capsys):
    accepted = 0
    for game, method in ((Boxes({"high", "low"}), "exact"), (Uneven({"pair"}), "certified")):
        lines = oracle.opened(b"".join(so.best(game, method=method).certificate().lines()))
        assert abs(Fraction(lines[0]["value"]) - oracle.turns(lines)) <= Fraction(
            lines[0]["within"]
        )
        chance = Random(method)
        for _ in range(MANY // 2):
            other = mutated(lines, chance)
            taken, said = proved(other, tmp_path / "proof.json", capsys)
            if not taken:
                assert ", line " in said
                assert "Proved" not in said
            elif json.dumps(other) != json.dumps(lines):
                accepted += 1
                away = Fraction(other[0]["value"]) - oracle.turns(other)
                assert abs(away) <= Fraction(other[0]["within"])
    assert 50 < accepted < MANY // 2
