"""The text in which the maker declares a game is in the certificate, and its hash on the papers."""

import copy
import json
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import jsonschema
import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.papers.canonical_text import canonical_text, declared_of
from sevenout.papers.dossier import Dossier
from sevenout.papers.subject import subject_of
from sevenout.rules.gamefiles.gamefile import parse_game
from tests.certify import oracle
from tests.certify.kinds import KINDS, proof_of
from tests.certify.test_altered import accepted
from tests.certify.test_catalogue import SCHEMA
from tests.certify.test_declared import said

FILE = (
    'format = 1\nname = "Mine"\nmaker = "A"\ndice = "2d6"\n[[wager]]\nbet = "b"\npays = { 7 = 4 }\n'
)


def certified(folder, capsys, text=FILE, how=()):
    """The lines that the command writes of a game file."""
    source, proof = folder / "mine.toml", folder / "proof.json"
    source.write_text(text, encoding="utf-8")
    assert main(["certify", str(source), "-o", str(proof), *how]) == 0
    capsys.readouterr()
    return oracle.opened(proof.read_bytes())


def test_it_is_the_hash_of_the_file_in_the_dossier(tmp_path, capsys):
    head = certified(tmp_path, capsys)[0]
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(head)
    file = parse_game(FILE)
    dossier = Dossier(subject_of(file), file.name, file=file, text=FILE.encode(), games=0)
    made = dict([*dossier.papers(), *dossier.stated_files()])
    assert head["declaration"]["text"].encode() == made["declaration.toml"]()
    assert head["declaration"]["sha256"] == sha256(made["declaration.toml"]()).hexdigest()
    assert (
        head["declaration"]
        == json.loads(made["certificate.jsonl"]().splitlines()[0])["declaration"]
    )
    assert dossier.digest in said(made["certificate.jsonl"]())[1]


def test_the_checker_says_the_hash(tmp_path, capsys):
    lines = certified(tmp_path, capsys)
    digest = lines[0]["declaration"]["sha256"]
    assert f", declaration {digest})" in said(lines)[1]


@pytest.mark.parametrize(("old", "new"), [('"A"', '"B"'), ("7 = 4", "7 = 5"), ("Mine", "Yours")])
def test_another_declaration_has_another_hash(old, new, tmp_path, capsys):
    heads = [certified(tmp_path, capsys, text)[0] for text in (FILE, FILE.replace(old, new))]
    assert len({head["declaration"]["sha256"] for head in heads}) == 2


@pytest.mark.parametrize("name", KINDS)
def test_a_hash_that_does_not_match_is_rejected(name):
    head, *states = oracle.opened(proof_of(name))
    game = parse_game(f'format = 1\nname = "{name}"\n{KINDS[name]}\n').game
    text = canonical_text(declared_of(game, name))
    other = canonical_text(declared_of(so.games["craps"], name))

    def stated(text, digest=None):
        digest = digest or sha256(text.encode()).hexdigest()
        return oracle.written([head | {"declaration": {"sha256": digest, "text": text}}, *states])

    whole = stated(text)
    wrong = [
        stated(text, "0" * 64),
        stated(text.replace(name, "Other"), sha256(text.encode()).hexdigest()),
        stated(other),
        stated(text + "\n"),
        stated(text.rpartition("#")[0]),
    ]
    assert said(whole)[0] == 0
    assert [said(each)[0] for each in wrong] == [1] * len(wrong)


def test_a_text_of_other_rules_is_not_taken():
    craps, hazard = (so.games[name] for name in ("craps", "hazard"))
    proof = so.solve(craps).certificate(rules=craps)
    assert proof.stating(canonical_text(declared_of(hazard, "Craps"))).text == ""
    assert proof.stating(canonical_text(declared_of(craps, "Craps"))).text
    assert replace(proof, rules=None).stating("any").text == ""


ONCE = FILE.replace("[[wager]]", "[[wager]]\nlimit = 1")
AWARD = '[progressive.b]\nseed = 500\nshare = "1%"\non = "7"\n'


def test_an_award_without_a_limit_is_claimed_and_altered_is_rejected(tmp_path, capsys):
    lines = certified(tmp_path, capsys, ONCE + AWARD)
    head, *states = lines
    (award,) = subject_of(parse_game(ONCE + AWARD)).awards.values()
    plain, claim = head["claims"][0], head["claims"][-1]
    assert Fraction(claim["value"]) == -award.edge == Fraction(plain["value"]) + award.added
    assert claim["name"] == "b, with its award in the long run (seed 500, share 1/100, on 7)"
    assert (
        "which it calls 'Mine, progressive awards left out except where named' (as"
        in said(lines)[1]
    )
    assert (
        f"'7' (end 2) is 50401/100, is {award.added + Fraction(plain['value'])}" in said(lines)[1]
    )
    for changed in ("50501/100", "40401/100"):  # another share, another seed
        worth = [changed if x == "50401/100" else x for x in claim["worth"]]
        altered = head | {"claims": [*head["claims"][:-1], claim | {"worth": worth}]}
        assert accepted([oracle.written([altered, *states])]) == 0
    assert accepted([oracle.written(lines)]) == 1


@pytest.mark.parametrize("how", [["--claim", "7"], ["--distribution", "rolls"]])
def test_an_award_is_claimed_with_its_bet_alone(how, tmp_path, capsys):
    assert all(
        claim["of"] != "worth"
        for claim in certified(tmp_path, capsys, ONCE + AWARD, how)[0]["claims"]
    )


LIMITS = {
    "met by a row": 'seed = 500\nshare = "1%"\non = "7"\nmust_hit_by = 501\n',
    "met by the limit": 'seed = 0\nshare = "40%"\non = "7"\nmust_hit_by = "3/2"\n',
    "at once": 'seed = 5\nshare = "100%"\non = "7"\nmust_hit_by = "11/2"\n',
    "drawn": 'seed = 50\nshare = "7%"\nmust_hit_by = 51\n',
}


@pytest.mark.parametrize("limit", LIMITS)
def test_an_award_with_a_limit_is_claimed_and_altered_is_rejected(limit, tmp_path, capsys):
    content = f"{ONCE}[progressive.b]\n{LIMITS[limit]}"
    head, *states = lines = certified(tmp_path, capsys, content)
    (award,) = subject_of(parse_game(content)).awards.values()
    claim = head["claims"][-1]
    assert claim["of"] == "award"
    assert 0 <= -award.edge - Fraction(claim["value"]) < Fraction(claim["within"])
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert all(map(validator.is_valid, lines))
    told = said(lines)[1]
    assert "progressive awards left out except where named" in told
    assert (
        f"must hit by {claim['limit']}, won by {'a bet' if limit == 'drawn' else chr(39)}" in told
    )
    more = str(Fraction(claim["value"]) + Fraction(2, 10**12))
    wins = [[1] * len(claim["wins"]), [2, *claim["wins"][1:]], []]
    wrong = [{"value": more}, {"limit": 700}, {"limit": 0}, {"seed": -1}, {"share": "1/101"}]
    wrong += [{"share": 2}, {"share": 0}, *({"wins": each} for each in wins)]
    files = [head | {"claims": [*head["claims"][:-1], claim | each]} for each in wrong]
    assert accepted([oracle.written([each, *states]) for each in files]) == 0
    assert accepted([oracle.written(lines)]) == 1


def test_an_award_after_too_many_bets_is_not_claimed(tmp_path, capsys):
    long = 'seed = 0\nshare = "1/100000"\non = "7"\nmust_hit_by = 1\n'
    head, *_ = certified(tmp_path, capsys, f"{ONCE}[progressive.b]\n{long}")
    assert [claim["name"] for claim in head["claims"]] == ["b", "rolls"]


PROGRAM = """
import sevenout as so

class Lucky(so.Game):
    dice, start = so.dice("2d6"), "roll"

    def step(self, state, roll):
        return so.win() if roll.total in (7, 11) else so.lose()
"""


def test_of_a_program_the_text_has_the_hash_of_its_source_and_of_its_states(tmp_path, capsys):
    source, path = tmp_path / "mine.py", tmp_path / "proof.json"
    source.write_text(PROGRAM)
    named = f"{source}:Lucky"
    assert main(["certify", named, "-o", str(path)]) == 0
    head, *states = oracle.opened(path.read_bytes())
    assert "rules" not in head
    text = head["declaration"]["text"]
    assert f'"mine.py" = "{sha256(PROGRAM.encode()).hexdigest()}"' in text
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(head)
    other = copy.deepcopy(head)
    other["rollables"][0]["rolls"][0] = "one and one"
    renamed = [head, states[0] | {"state": "the roll"}]
    digest = {"sha256": sha256(text[1:].encode()).hexdigest(), "text": text[1:]}
    tail = {"sha256": sha256(text[:-1].encode()).hexdigest(), "text": text[:-1]}
    files = [
        [other, *states],
        renamed,
        [head | {"declaration": head["declaration"] | {"text": text[1:]}}, *states],
        [head | {"declaration": tail}, *states],
        [head | {"declaration": {}}, *states],
    ]
    assert accepted([oracle.written(each) for each in files]) == 0
    kept = oracle.written([head | {"declaration": digest}, *states])  # its words nobody reads
    assert accepted([oracle.written([head, *states]), kept]) == 2
    capsys.readouterr()
    assert main(["certify", "--check", str(path), "--game", named]) == 0
    assert "another text" not in capsys.readouterr().out
    path.write_bytes(kept)
    assert main(["certify", "--check", str(path), "--game", named]) == 0
    assert "Its declaration is another text" in capsys.readouterr().out


def test_the_states_of_a_policy_are_not_those_of_the_program(tmp_path):
    path = tmp_path / "proof.json"
    assert main(["certify", "piglet", "--goal", "3", "--policy", "hold-1", "-o", str(path)]) == 0
    assert "declaration" not in oracle.opened(path.read_bytes())[0]
