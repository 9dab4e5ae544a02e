"""The second checker on two policies, by positions and by hidden hands, and on score cards."""

from functools import cache
from random import Random

import pytest

import sevenout as so
from sevenout.certify import check
from tests.certify import oracle
from tests.certify.test_mutations import mutated
from tests.certify.test_second_checker import NODE, agree, second
from tests.certify.test_sentence import said
from tests.certify.test_turns import Boxes, Odd, Uneven

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
CARDS = {
    "cards: fractions": (Boxes({"high", "low"}), {"method": "exact"}),
    "cards: digits": (Uneven({"pair"}), {"method": "certified"}),
    "cards: the least": (Boxes({"high", "pair"}), {"least": "score", "method": "exact"}),
    "cards: losses": (Odd(-5, 0), {"most": "score", "method": "certified"}),
}
ALL = (*MAKERS, *CARDS)


@cache
def made(name):
    if name in CARDS:
        game, how = CARDS[name]
        return b"".join(so.best(game, **how).certificate(game=name).lines())
    wish = {"most": "second"} if "second" in name else {}
    return b"".join(so.best(MAKERS[name](), **wish).certificate(game=name).lines())


@pytest.mark.parametrize("name", ALL)
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
@pytest.mark.parametrize("name", ALL)
def test_both_judge_mutants_alike(name, tmp_path):
    chance, lines = Random(name), oracle.opened(made(name))
    mutants = [oracle.written(mutated(lines, chance)) for _ in range(MANY)]
    accepted = agree(mutants, tmp_path)
    print(f"{name}: {MANY} mutants, {accepted} accepted by both")
    assert 0 < accepted < MANY


@pytest.mark.parametrize("name", CARDS)
def test_both_reject_more_of_score_cards_than_follows(name, tmp_path):
    head, *rows = oracle.opened(made(name))
    value, within = (check.number(head[key]) for key in ("value", "within"))
    wrong = [
        {"value": str(value + 2 * within + 1)},
        {"value": str(value - 2 * within - 1)},
        {"cards": head["cards"] - 1},
        {"tally": []},
    ]
    files = [[head | each, *rows] for each in wrong] + [[head, *rows[:-1]], [head, *rows, rows[-1]]]
    assert agree([oracle.written(each) for each in files], tmp_path) == 0


def test_what_it_does_not_know_is_never_called_proved(tmp_path):
    packed = check.gzip.compress(made("hands: Kuhn poker"))
    assert said(packed)[0] == 0
    assert second([packed], tmp_path) == ["not known here: gzip data; unpack it first"]
