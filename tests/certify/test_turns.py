"""Certificates of games of turns: every card worked out, in long integers, by plain Python."""

import json
from fractions import Fraction
from random import Random

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.certify import check
from sevenout.games.yahtzee import Yahtzee
from tests.certify import oracle
from tests.certify.test_catalogue import SCHEMA, run_alone
from tests.certify.test_mutations import mutated, proved
from tests.decide.test_turns import READINGS, Boxes

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
        said = check.Turns(head, False)
        for i, line in enumerate(lines):
            said.line(line, i)
        assert "Proved" in said.claimed(len(lines), "")
        assert abs(Fraction(head["value"]) - value) <= Fraction(head["within"])
        assert (method == "exact") == (head["within"] == 0)


def test_three_boxes_are_checked_where_we_can_not_be_imported(tmp_path):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    optimum = so.best(Short(), method="exact")
    path = optimum.certificate(game="Three boxes").write(tmp_path / "proof.jsonl.gz")
    done = run_alone(path)
    assert done.returncode == 0, done.stdout
    assert f"the highest mean of 'score' is {optimum.value};" in done.stdout
    for line in optimum.certificate().lines():
        assert validator.is_valid(json.loads(line)), line[:200]


def test_the_rules_are_printed(tmp_path, capsys):
    path = so.best(Boxes({"high", "pair"})).certificate().write(tmp_path / "proof.jsonl")
    assert check.main(["--words", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    put_back = "2 3, 1 roll left: keep all -> 2 3; put back 2 -> 3, 1 roll left; put back 3 -> 2, "
    assert any(line.startswith(put_back) for line in said)
    assert any(line.startswith("{high, pair} | pair, reading 1: pays 0 -> {high}") for line in said)


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
