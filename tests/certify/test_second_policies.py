"""The second checker on certificates of two policies: by positions, and by hidden hands."""

from functools import cache
from random import Random

import pytest

import sevenout as so
from sevenout.certify import check
from tests.certify import oracle
from tests.certify.test_mutations import mutated
from tests.certify.test_second_checker import NODE, agree, second
from tests.certify.test_sentence import said
from tests.certify.test_turns import Boxes

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
MANY = 400
"""Mutants of each certificate."""

MAKERS = {
    "positions: rock, paper, scissors": lambda: so.decisions("rock-paper-scissors", rock=3),
    "positions: Kuhn poker": lambda: so.explore(so.decisions("kuhn")),
    "positions: Liar's Dice": lambda: so.explore(so.decisions("liars-dice", sides=2)),
    "positions: simultaneous Pig, of subgames": lambda: so.decisions("pig-simultaneous", goal=3),
    "positions: Mia, where a roll is hidden": lambda: so.decisions("mia", sides=3),
    "hands: Kuhn poker": lambda: so.decisions("kuhn"),
    "hands: Liar's Dice": lambda: so.decisions("liars-dice", sides=3),
    "hands: Dudo, for the second player": lambda: so.decisions("dudo", sides=3),
}


@cache
def made(name):
    wish = {"most": "second"} if "second" in name else {}
    return b"".join(so.best(MAKERS[name](), **wish).certificate(game=name).lines())


@pytest.mark.parametrize("name", MAKERS)
def test_both_prove_it(name, tmp_path):
    code, text = said(made(name))
    (line,) = second([made(name)], tmp_path)
    assert code == 0
    claim = text.partition("): ")[2]
    assert line.partition("): ")[2].replace('"', "'") == claim
    assert f" {name.partition(':')[0].replace('hands', 'histories')})" in line


@pytest.mark.parametrize("name", MAKERS)
def test_both_reject_a_better_value_and_another_policy(name, tmp_path):
    head, *rows = oracle.opened(made(name))
    low, high = (check.number(head[end]) for end in ("low", "high"))
    step = check.Fraction(1, 10**6)
    wrong = [
        [head | {"low": str(low + step), "high": str(high + step)}, *rows],
        [head | {"high": str(high - step)}, *rows],
        [head | {"low": str(low + step)}, *rows],
        [head | {"wants": ["most", "most"]}, *rows],
        [head, *rows[:-1]],
        [head, *rows, rows[-1]],
        [head | {"format": ["sevenout certificate of two policies"]}, *rows],
        [head | {"version": 4}, *rows],
    ]
    assert agree([oracle.written(each) for each in wrong], tmp_path) == 0
    wider = [head | {"low": str(low - step), "high": str(high + step)}, *rows]
    assert agree([oracle.written(wider)], tmp_path) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_both_judge_mutants_alike(name, tmp_path):
    chance, lines = Random(name), oracle.opened(made(name))
    mutants = [oracle.written(mutated(lines, chance)) for _ in range(MANY)]
    accepted = agree(mutants, tmp_path)
    print(f"{name}: {MANY} mutants, {accepted} accepted by both")
    assert 0 < accepted < MANY


def test_what_it_does_not_know_is_never_called_proved(tmp_path):
    cards = b"".join(so.best(Boxes({"high", "pair"})).certificate().lines())
    packed = check.gzip.compress(made("hands: Kuhn poker"))
    for content, why in (
        (cards, "score cards; check.py checks them"),
        (packed, "what gzip packed; unpack it first"),
    ):
        assert said(content)[0] == 0
        assert second([content], tmp_path) == [f"not known here: {why}"]
