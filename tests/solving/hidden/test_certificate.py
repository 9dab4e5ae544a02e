"""Two policies as a file that a program checks which knows nothing of ours; wrong ones refused."""

import json
from fractions import Fraction
from random import Random

import jsonschema
import pytest
from hypothesis import given

import sevenout as so
from sevenout.certify import check
from sevenout.model import Chain
from tests.certify.test_catalogue import SCHEMA, run_alone
from tests.solving.hidden.dealt import dealt
from tests.solving.hidden.test_random import QUICKLY

QUICK = {
    "matching-pennies": {},
    "rock-paper-scissors": {"rock": 3},
    "kuhn": {},
    "liars-dice": {"sides": 3},
    "dudo": {"sides": 3},
    "mia": {"sides": 3},
    "pig-simultaneous": {"goal": 6},
    "dice-bids": {"bids": 3},
}


def proved(lines):
    """Whether the checker proves a file; what it says."""
    content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    code, said = check.judged("proof.json", content)
    return code == 0, said[-1]


def written(name, **options):
    """By all positions; hidden hands have a shorter form, see `test_hands_certificate`."""
    made = so.best(so.explore(so.games(name, **options))).certificate(game=name)
    return [json.loads(line) for line in made.lines()]


@pytest.mark.parametrize("name", QUICK)
def test_every_game_is_certified(name, tmp_path):
    game = so.games(name, **QUICK[name])
    best = so.best(game)
    made = best.certificate(game=name)
    lines = list(made.lines())
    for line in {*lines[:5], *lines[-5:]}:
        jsonschema.validate(json.loads(line), SCHEMA)
    ran = run_alone(made.write(tmp_path / "proof.json"))
    assert ran.returncode == 0, ran.stdout
    assert f"is {best.value}, where 'first' wants the most" in ran.stdout


@QUICKLY
@given(dealt())
def test_random_games_are_certified(game):
    if isinstance(so.explore(game), Chain):
        return
    best = so.best(game)
    lines = [json.loads(line) for line in best.certificate().lines()]
    held, said = proved(lines)
    assert held, said
    for end, change in (("low", Fraction(1, 50)), ("high", Fraction(-1, 50))):
        wrong = [lines[0] | {end: str(Fraction(lines[0][end]) + change)}, *lines[1:]]
        assert not proved(wrong)[0]


def test_an_interval_is_certified():
    near = so.best(so.games("liars-dice", sides=3, ones="wild"), method="certified")
    held, said = proved([json.loads(line) for line in near.certificate().lines()])
    assert held
    assert ("lies between" in said) == bool(near.bound)


def test_wrong_certificates_are_refused():
    """Each of these is a lie about Kuhn poker."""
    lines = written("kuhn")
    sets = {(row["player"], row["sees"]): row for row in lines if "sees" in row}
    assert proved(lines)[0]
    bluffs = lines.index(sets[1, "J, check"])
    k_jack, k_king = (lines.index(sets[0, f"{card}, check, bet"]) - 1 for card in "JK")
    jack = next(k for k, row in enumerate(lines) if row.get("set") == k_jack)

    def told(change):
        now = json.loads(json.dumps(lines))
        change(now)
        held, said = proved(now)
        assert not held, said
        return said

    assert "allows more" in told(lambda x: x[bluffs].update(plays=[1, 0]))
    assert "do not add up" in told(lambda x: x[bluffs].update(plays=["1/3", "1/3"]))
    assert "do not add up" in told(lambda x: x[bluffs].update(plays=[2, -1]))
    # The first checked with a jack, and then sees a king.
    assert "forgets" in told(lambda x: x[jack].update(set=k_king))
    assert "forgets" in told(lambda x: x[-1].pop("root", None) or x[-1].update(root=True))
    assert "nobody checks" in told(lambda x: x[3].update(note="trust me"))
    assert "as announced" in told(lambda x: x.pop())
    assert "gets less" in told(lambda x: x[0].update(low=0, high=0))


def test_a_file_is_compared_with_the_rules():
    from sevenout.solving.hidden.mixedcertificate import mixed_difference

    for name, options in list(QUICK.items())[:4]:
        model = so.explore(so.games(name, **options))
        made = so.best(model).certificate()
        assert mixed_difference(made.lines(), model) == ""
        other = so.explore(so.games("liars-dice", sides=2))
        assert mixed_difference(made.lines(), other)


def test_mutations_are_refused_or_true():
    """Numbers changed at random: what the checker still proves of the value, is true."""
    lines = written("liars-dice", sides=2)
    truth, random = Fraction(0), Random(26)
    for _ in range(300):
        now = json.loads(json.dumps(lines))
        row = random.choice([row for row in now if "plays" in row])
        k = random.randrange(len(row["plays"]))
        row["plays"][k] = random.choice([0, 1, "1/2", "1/3", -1, "2"])
        held, said = proved(now)
        if held:
            assert f"is {truth}" in said
