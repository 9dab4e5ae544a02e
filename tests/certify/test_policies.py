"""A policy in a game that is data: the checkers play it, and prove what it comes to."""

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.certify.declaration import played
from sevenout.cli import main
from tests.certify import oracle
from tests.certify.test_altered import accepted
from tests.certify.test_catalogue import SCHEMA
from tests.certify.test_declared import changed, said
from tests.certify.test_mutations import mutated

PLAYED = {
    "pig-turn": ({"goal": 30}, "hold-9", ("points", "bust", "rolls")),
    "pig-solitaire": ({"goal": 12}, "hold-7", ("turns", "rolls")),
    "pig": ({"goal": 6}, "hold-3", ("pass",)),
    "threes": ({"dice": 3}, None, ("points",)),
}


def certified(name):
    """The lines of the certificate, and the answer."""
    options, policy, claims = PLAYED[name]
    game, entry = games(name, **options), games.entry(name)
    best = so.best(game, **entry.goal)
    ask = best.policy.__getitem__ if policy is None else entry.policy(policy, **options)
    solution = so.solve(so.explore(game).under(ask))
    made = solution.certificate(*claims, game=name, rules=game, policy=ask)
    return oracle.opened(b"".join(made.lines())), solution, claims


@pytest.mark.parametrize("name", PLAYED)
def test_a_policy_is_proved_of_the_declared_game(name):
    lines, solution, claims = certified(name)
    assert lines[0]["policy"]
    assert "rules" in lines[0]
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert all(map(validator.is_valid, lines))
    code, text = said(lines, True)
    assert code == 0, text
    assert "as declared, " in text
    many = len(lines[0]["policy"])
    assert f" does what the policy in the file picks, in {many} states; the game ends" in text
    assert text.count("policy, '") == len(set(lines[0]["policy"]))
    for claim in claims:
        value = (
            solution.bet(claim).mean
            if claim in solution.bets
            else solution.p(claim)
            if claim in solution.labels
            else solution.mean(claim)
        )
        assert f"'{claim}'" in text
        assert f" is {value};" in text


@pytest.mark.parametrize("name", PLAYED)
def test_another_policy_and_other_rules_are_rejected(name):
    (head, *states), *_ = certified(name)
    picks, chance = head["policy"], Random(name)
    option = next(x for x in reversed(picks) if x != picks[0])
    wrong = [
        [*picks, picks[0]],
        picks[:-1],
        [],
        ["stay", *picks[1:]],
        [1, *picks[1:]],
        {"0": picks[0]},
        [option, *picks[1:]],
    ]
    files = [[head | {"policy": each}, *states] for each in wrong]
    bare = {key: x for key, x in head.items() if key != "policy"}
    files.append([bare, *states])
    assert accepted([oracle.written(each) for each in files]) == 0
    assert accepted([oracle.written([head, *states])]) == 1
    mutants = [mutated([head, *states], chance) for _ in range(40)]
    mutants += [[head | {"rules": changed(head["rules"], chance)}, *states] for _ in range(20)]
    assert accepted([oracle.written(each) for each in mutants]) < 30


def test_a_policy_is_compared_with_the_file(tmp_path, capsys):
    path = str(tmp_path / "proof.json")
    held = ["pig-turn", "--policy", "hold-20"]
    assert main(["certify", *held, "-o", path]) == 0
    assert "declaration" in json.loads(Path(path).read_bytes().splitlines()[0])
    assert main(["certify", "--check", path, *held]) == 0
    assert "It is Pig, one turn, hold-20: its rules were expl" in capsys.readouterr().out
    assert main(["certify", "--check", path, "pig-turn", "--policy", "hold-21"]) == 1
    assert "'policy' is not what that policy picks" in capsys.readouterr().out
    assert main(["certify", "--check", path, "pig-turn"]) == 1
    assert "the file is of a policy; name it with --policy" in capsys.readouterr().out
    assert main(["certify", "pig-turn", "-o", path]) == 0
    assert main(["certify", "--check", path, *held]) == 1


def test_what_no_checker_expands_has_no_policy():
    piglet = games("piglet", goal=3)
    assert (
        played(piglet, so.explore(piglet), games.entry("piglet").policy("hold-1", goal=3)) is None
    )
    pig = games("pig", goal=6)
    hold = games.entry("pig").policy("hold-3", goal=6)
    solution = so.solve(so.explore(pig).under(hold))
    assert (
        "rules" not in solution.certificate("pass", "rolls", rules=pig, policy=hold).header
    )  # two claims
