"""The second checker, in JavaScript, agrees with the first; the two share no code."""

import copy
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.cli import main
from sevenout.papers.canonical_text import canonical_text, declared_of
from tests.certify import oracle
from tests.certify.kinds import KINDS, game_of_kind, proof_of, solved
from tests.certify.test_declared import NOT_DATA, SAMPLE, changed, said
from tests.certify.test_mutations import MAKERS, mutated
from tests.depth import tried

NODE = shutil.which("node")
SECOND = Path(check.__file__).with_name("check.mjs")
MANY = tried(500)
"""Mutants of each certificate."""
MUTANTS = tried(10_000)
"""Mutants of all kinds of game file together."""
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def second(contents, folder):
    """What the second checker prints of each of some files."""
    paths = []
    for n, content in enumerate(contents):
        paths.append(folder / f"{n}.json")
        paths[-1].write_bytes(content)
    done = subprocess.run(
        [NODE, SECOND, *paths], capture_output=True, text=True, check=False, timeout=300
    )
    assert not done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths)
    kinds = {"Prov": 0, "not p": 1, "not r": 2, "not k": 2}
    codes = [kinds[line[: 4 + (line[0] == "n")]] for line in lines]
    assert done.returncode == max(codes)
    return lines


def agree(contents, folder):
    """Both checkers judge each file alike; how many they accept."""
    accepted = 0
    for content, line in zip(contents, second(contents, folder), strict=True):
        code, text = said(content)
        assert (code == 0) == line.startswith("Proved of "), (text, line, content.decode()[:3000])
        accepted += not code
    return accepted


def test_a_file_that_is_cut_is_not_read(tmp_path):
    cut = content_of("craps")[:-40]
    packed = b"\x1f\x8bxx"
    for content in (cut, cut + b"\xff", packed):
        (line,) = second([content], tmp_path)
        code, text = said(content)
        assert code == 2
        assert ("unpack it first" if content == packed else "cut short or damaged") in line
        assert "cut short or damaged" in text
        assert "Error" not in line + text


def content_of(name):
    if name in KINDS:
        return proof_of(name)
    game = so.catalogue[name]
    return b"".join(so.solve(game).certificate(game=name, rules=game).lines())


@pytest.mark.slow
def test_both_prove_the_catalogue(tmp_path):
    names = [name for name in so.catalogue if name != "repeater-plus-citywide"]
    contents = [content_of(name) for name in names]
    lines = second(contents, tmp_path)
    for name, line, content in zip(names, lines, contents, strict=True):
        assert line.startswith(f'Proved of the game in this file, which it calls "{name}" ('), (
            name,
            line,
        )
        assert ("as declared" in line) == (name not in NOT_DATA)
        for claim in oracle.opened(content)[0]["claims"]:
            assert f'"{claim["name"]}"' in line
            assert f" is {claim['value']}" in line


def test_both_reject_an_altered_rule_with_the_old_numbers(tmp_path):
    content = content_of("craps")
    assert agree([content], tmp_path) == 1
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
    assert agree(altered, tmp_path) == 0


@pytest.mark.slow
def test_both_prove_every_kind_of_game_file_and_no_other_rules(tmp_path):
    contents = [proof_of(name) for name in KINDS]
    for line in second(contents, tmp_path):
        assert line.startswith("Proved of the game in this file, which it calls "), line
        assert "as declared" in line
    for name, content in zip(KINDS, contents, strict=True):
        head, *states = oracle.opened(content)
        chance = Random(name)
        rules = [changed(head["rules"], chance) for _ in range(25)]
        altered = [oracle.written([head | {"rules": each}, *states]) for each in rules]
        assert agree(altered, tmp_path) < 13, name


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
def test_both_reject_one_altered_rule_of_each_kind(name, tmp_path):
    head, *states = oracle.opened(proof_of(name))
    (*way, last), value = ALTERED[name]
    rules = copy.deepcopy(head["rules"])
    place = rules
    for key in way:
        place = place[key]
    place[last] = value
    assert rules != head["rules"]
    assert agree([oracle.written([head | {"rules": rules}, *states])], tmp_path) == 0


def stated(name):
    """The certificate of a kind of game file with the text of its declaration."""
    game = game_of_kind(name)
    made = solved(name).certificate(game=name, rules=game)
    made = made.stating(canonical_text(declared_of(game, name)))
    assert made.text
    return oracle.opened(b"".join(made.lines()))


@pytest.mark.slow  # ten thousand files are checked twice: two minutes of a processor
def test_both_judge_many_mutants_alike(tmp_path):
    """Of each kind of game file, with the text of its declaration: the header or the states."""
    total = accepted = 0
    for name in KINDS:
        chance, lines = Random(f"stated {name}"), stated(name)
        mutants = [oracle.written(mutated(lines, chance)) for _ in range(-(-MUTANTS // len(KINDS)))]
        total += len(mutants)
        accepted += agree(mutants, tmp_path)
    print(
        f"{total:,} mutants, {total - accepted:,} rejected by both, {accepted:,} accepted by both"
    )
    assert total >= MUTANTS
    assert 0 < accepted < total / 2


def test_both_read_alike(tmp_path):
    content = content_of("craps")
    assert agree([content.replace(b'"values":["-1/3",4]', b'"values":["-2/6","4.0"]')], tmp_path)
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
    assert agree([each for each in broken if each != content], tmp_path) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_both_judge_mutants_of_states_alike(name, tmp_path):
    chance = Random(f"second {name}")
    lines = oracle.opened(b"".join(MAKERS[name]().lines()))
    mutants = [oracle.written(mutated(lines, chance)) for _ in range(MANY)]
    assert 0 < agree(mutants, tmp_path) < MANY


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SAMPLE, *KINDS])
def test_both_judge_mutants_of_rules_alike(name, tmp_path):
    chance = Random(f"second {name}")
    head, *states = oracle.opened(content_of(name))
    mutants = []
    for n in range(MANY):
        rules = changed(head["rules"], chance)
        other = [head | {"rules": rules}, *states]
        mutants.append(oracle.written(other if n % 2 else mutated(other[:1] + states, chance)))
    agree(mutants, tmp_path)
    plain = [oracle.written(mutated([head, *states], chance)) for _ in range(MANY)]
    assert 0 < agree(plain, tmp_path) < MANY


def test_the_command_prints_it(tmp_path, capsys):
    assert main(["certify", "--checker", "--javascript"]) == 0
    assert capsys.readouterr().out.strip() == SECOND.read_text(encoding="utf-8").strip()
    assert main(["certify", "--javascript"]) == 2


def test_what_is_no_file_is_refused_with_2(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        done = subprocess.run([NODE, SECOND, path], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert not done.stdout
        assert len(done.stderr.splitlines()) == 1
