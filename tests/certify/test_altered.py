"""A certificate whose rules or text were altered is rejected."""

import copy
from collections.abc import Iterable

import pytest

import sevenout as so
from tests.certify import oracle
from tests.certify.kinds import KINDS, proof_of
from tests.certify.test_sentence import said


def accepted(contents: Iterable[bytes]) -> int:
    """How many of these files the checker accepts."""
    return sum(said(content)[0] == 0 for content in contents)


def certificate_of_craps() -> bytes:
    game = so.games["craps"]
    return b"".join(so.solve(game).certificate(game="craps", rules=game).lines())


def test_an_altered_rule_with_the_old_numbers_is_rejected():
    content = certificate_of_craps()
    assert accepted([content]) == 1
    altered = [
        content.replace(*change)
        for change in (
            (b'"natural":1', b'"natural":2'),
            (b'"craps":[2,3,12]', b'"craps":[2,3]'),
            (b'"stake":1', b'"stake":2'),
            (b"[1,2,3,4,5,6]]", b"[1,2,3,4,5,5]]"),
            (b'"out":7', b'"out":11'),
        )
    ]
    assert content not in altered
    assert accepted(altered) == 0


ALTERED = {
    "surrender": (["surrender", "point 4", 0], 1),
    "surrender by roll": (["surrender", "point 4, 0 rolled", 0], 1),
    "surrender of a list": (["surrender", "1 ticked", 0], 9),
    "points": (["rounds", 0, "pays", "2"], 5),
    "points, each time": (["rounds", 0, "round", "limit"], 4),
    "points and a line": (["line", 0, "naturals"], [7]),
    "a turn": (["rounds", 0, "losses"], 3),
    "a turn with a bet": (["rounds", 0, "pays", "4"], 9),
    "hold": (["hold", "bust"], [2]),
    "hold alone": (["hold", "target"], 16),
    "hold, two": (["hold", "play"], "alone"),
    "keep": (["keep", "values", "3"], 1),
    "keep, needed": (["keep", "values", "2"], 5),
    "keep, rolls": (["keep", "rolls"], 3),
    "keep, in order": (["keep", "in_order"], False),
    "compared": (["compare", "amount"], 4),
    "compared, points of a turn": (["compare", "sign"], "<="),
    "compared, rolls": (["compare", "counter"], "turns"),
    "race": (["race", "jumps", "2"], 4),
    "race alone": (["race", "to"], 11),
}
"""One rule of each kind of game file, and what is put in its place."""


@pytest.mark.parametrize("name", KINDS)
def test_one_altered_rule_of_each_kind_is_rejected(name):
    head, *states = oracle.opened(proof_of(name))
    (*way, last), value = ALTERED[name]
    rules = copy.deepcopy(head["rules"])
    place = rules
    for key in way:
        place = place[key]
    place[last] = value
    assert rules != head["rules"]
    assert accepted([oracle.written([head | {"rules": rules}, *states])]) == 0


def test_a_file_that_is_no_certificate_is_not_accepted():
    content = certificate_of_craps()
    assert accepted([content.replace(b'"values":["-1/3",4]', b'"values":["-2/6","4.0"]')]) == 1
    broken = [
        b"",
        b"\n",
        b"null\n",
        b"\xef\xbb\xbf" + content,
        content.decode().encode("utf-16"),
        content.replace(b"craps", b"\xff"),
        content.replace(b'"version":3', b'"version":true'),
        content.replace(b'"version":3', b'"version":3.0'),
        content.replace(b'"version":3', b'"version":02'),
        content.replace(b'"version":3', b'"version":3,"version":2'),
        content.replace(b'"rank":1', b'"rank":1e0'),
        content.replace(b'"rank":1', b'"rank":NaN'),
        content.replace(b'"rank":1', b'"rank":1,'),
        content.replace(b'"rank":1', b'"rank":1,"__proto__":1'),
        content.replace(b'"-7/495"', b'"-7/0"'),
        content.replace(b'"-7/495"', b'"-7/495\\n"'),
        content.replace(b'"-7/495"', b'"\\u0661/495"'),
        content.replace(b'"7/495"', b'"7/495"'),
        content + b"{}\n",
        content + b"\n",
        content[:-2],
        content.replace(b"Craps", b"\t"),
        b"[" * 1_000,
    ]
    assert accepted(each for each in broken if each != content) == 0
