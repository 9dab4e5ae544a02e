"""A certificate whose rules were altered is rejected, or is of the same game."""

import json
import re
from functools import cache
from typing import Any

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.certify.rulebook_models import behaviour
from sevenout.errors import SevenoutError
from sevenout.model import explore
from sevenout.rules.guarded_rules import rulebook_of
from tests.certify import oracle
from tests.certify.kinds import KINDS, proof_of
from tests.randomness import random_of

TRIED = 40
"""Altered files of each kind."""
LARGEST = 3_000
"""Altered rules of more states than this are not explored again."""


@cache
def proofs():
    """The certificates that carry rules, by the kind of game."""
    lines = {name: oracle.opened(proof_of(name)) for name in KINDS}
    return {name: found for name, found in lines.items() if "rules" in found[0]}


def test_most_kinds_of_game_files_carry_their_rules():
    assert set(KINDS) - set(proofs()) == {
        *("points and a line", "keep", "keep, needed", "keep, rolls", "keep, in order"),
        *("compared", "compared, points of a turn", "compared, rolls"),
    }


def accepted(lines, path):
    path.write_bytes(oracle.written(lines))
    return check.check(str(path))[0] == 0


def places(data, way=()):
    """Every number and expression of rules."""
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*way, key))
    elif way[-1] not in ("end", "option"):
        yield way


def altered(rules, chance):
    """The rules with one number changed, or one operator."""
    rules = json.loads(json.dumps(rules))
    *way, last = chance.choice(list(places(rules)))
    data = rules
    for key in way:
        data = data[key]
    old = data[last]
    if type(old) is bool:
        data[last] = not old
    elif type(old) is int:
        data[last] = old + chance.choice([-2, -1, 1, 2])
    else:
        number = list(re.finditer(r"(?<![a-z0-9])[0-9]+", old))
        signs = [
            (a, b)
            for a, b in (("==", ">="), ("+", "-"), (" and ", " or "), ("<", "<="))
            if a in old
        ]
        if number and (not signs or chance.random() < 0.7):
            match = chance.choice(number)
            other = int(match[0]) + chance.choice([-1, 1, 2])
            data[last] = f"{old[: match.start()]}{other}{old[match.end() :]}"
        elif signs:
            data[last] = old.replace(*chance.choice(signs), 1)
    return rules


@pytest.mark.parametrize("name", sorted(proofs()))
def test_altered_rules_with_the_old_numbers_are_rejected_or_the_same_game(name, tmp_path):
    head, *states = proofs()[name]
    path, chance = tmp_path / "proof.json", random_of(name)
    assert accepted([head, *states], path)
    model = behaviour(explore(rulebook_of(head["rules"])))
    rejected = 0
    for _ in range(TRIED):
        rules = altered(head["rules"], chance)
        if not accepted([head | {"rules": rules}, *states], path):
            rejected += 1
            continue
        # A file is of the rules whose hash is printed: what is accepted has the claimed values.
        try:
            other = explore(rulebook_of(rules), LARGEST)
        except SevenoutError as error:
            pytest.fail(f"the checker takes rules that are refused here: {error}")
        if behaviour(other) != model:
            claim = head["claims"][0]
            assert claims_hold(other, head), (rules, claim)
    assert rejected > TRIED // 4


def test_options_of_other_names_or_in_another_order_are_another_game():
    class Coin(so.Game):
        dice, start = so.Die([1, 2]), "on"

        def __init__(self, *options: str) -> None:
            self.options = options

        def choices(self, state: str) -> Any:
            return dict(zip(self.options, (state, so.settle("home", {"coin": 0})), strict=True))

        def step(self, state: str, face: int) -> Any:
            return so.settle("settled", {"coin": 3 - 2 * face})

    flip_first, flip_last = (behaviour(explore(Coin(*names))) for names in ("fh", "hf"))
    assert flip_first == behaviour(explore(Coin(*"fh")))
    assert flip_first != flip_last
    assert flip_first != behaviour(explore(Coin(*"fs")))


def claims_hold(model, head):
    """Whether the first claim is true of a model, solved again."""
    claim = head["claims"][0]
    if model.decisions:
        most = f"{claim['name']} > 0" if claim["of"] == "win" else claim["name"]
        return str(so.best(model, most).value) == str(claim["value"])
    solution = so.solve(model)
    if claim["of"] == "bet":
        value = solution.bet(claim["name"]).mean
    elif claim["of"] == "outcome":
        value = solution.p(claim["name"])
    else:
        value = solution.mean(claim["name"])
    return str(value) == str(claim["value"])


WRONG = {
    "a comment": ("if", "point == 0 # and total in (7, 11)"),
    "another alphabet": ("if", "p\u043eint == 0"),
    "a call": ("if", "abs(point) == 0"),
    "an attribute": ("if", "point.real == 0"),
    "a power": ("if", "2 ** 2 ** 2 ** 2 ** 2 ** 2 == point"),
    "a text": ("if", "'point' == 'point'"),
    "an unknown name": ("if", "pint == 0"),
    "a division by 0": ("if", "point // 0 == 0"),
    "no expression": ("if", "point ="),
    "a list alone": ("if", "(point, 0)"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_an_expression_has_no_other_signs(kind, tmp_path):
    game = so.games["craps"]
    head, *states = oracle.opened(b"".join(so.solve(game).certificate(rules=game).lines()))
    key, text = WRONG[kind]
    head["rules"]["roll"][0][key] = text
    path = tmp_path / "proof.json"
    assert not accepted([head, *states], path)
    with pytest.raises(SevenoutError):
        explore(rulebook_of(head["rules"]))


def test_a_file_that_is_no_certificate_is_not_accepted(tmp_path):
    game, path = so.games["craps"], tmp_path / "proof.json"
    content = b"".join(so.solve(game).certificate(rules=game).lines())
    broken = [
        b"",
        b"\n",
        b"null\n",
        content.replace(b"natural", b"\xff"),
        content.replace(b'"version":4', b'"version":04'),
        content.replace(b'"version":4', b'"version":4,"version":3'),
        content.replace(b'"rank":1', b'"rank":1e0'),
        content.replace(b'"rank":1', b'"rank":NaN'),
        content.replace(b'"rank":1', b'"rank":1,'),
        content.replace(b'"-7/495"', b'"-7/0"'),
        content.replace(b'"-7/495"', b'"-14/990"'),
        content.replace(b'"-7/495"', b'"-7/495\\n"'),
        content.replace(b'"-7/495"', b'"\\u0661/495"'),
        content + b"{}\n",
        content[:-2],
        b"[" * 1_000,
        b"[" * 1_000_000,
    ]
    for each in broken:
        assert each != content
        path.write_bytes(each)
        assert check.check(str(path))[0] in (1, 2)
