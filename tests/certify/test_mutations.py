"""Ten thousand wrong certificates: each is rejected, or what it says of its game is true."""

import json
import re
from fractions import Fraction
from hashlib import sha256

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.solving.optimal_play import best
from tests.certify import oracle
from tests.randomness import random_of
from tests.solving.pigs import Piglet

MANY = 1_250
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")


class Turn(so.Game):
    """A turn at Pig with a small die, stopped at 4."""

    dice, start = so.Die([1, 2, 3]), 0

    def choices(self, worth):
        return {"roll": worth, "hold": so.settle("hold", {"turn": worth})}

    def step(self, worth, face):
        return so.settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 4)


class Seats(so.Game):
    """Each in turn calls a coin or passes it on."""

    dice, start = so.Die([1, 2, 2]), ("one", 0)

    def chooser(self, state):
        return state[0]

    def choices(self, state):
        return {"flip": state, "safe": so.settle("draw", {"one": 0, "two": 0})}

    def step(self, state, face):
        who, turn = state
        sign = 1 if who == "one" else -1
        if face == 1 or turn == 2:
            gain = sign * (1 if face == 1 else -1)
            return so.settle("settled", {"one": gain, "two": -gain})
        return ("two" if who == "one" else "one", turn + 1)


class Streak(so.Game):
    """Twos and sixes are counted until a one, or a three twice in a row."""

    dice, start = so.Die([1, 2, 2, 3, 6]), "on"

    def step(self, state, face):
        if face == 1 or (face == 3 and state == "three"):
            return so.counted(so.win(), sixes=int(face == 3))
        then = "three" if face == 3 else "on"
        return so.counted(then, sixes=2 if face == 6 else 1) if face in (2, 6) else then


def craps(**how):
    return so.solve(so.games["craps"], **how)


MAKERS = {
    "craps": lambda: craps().certificate("pass", "pass > 0", "point", "rolls"),
    "craps, certified": lambda: craps(method="certified", digits=9).certificate("pass", "rolls"),
    "laws": lambda: so.solve(Streak()).certificate("sixes", terms={"sixes": 3, "rolls": 4}),
    "a turn": lambda: best(Turn()).certificate(),
    "a turn, certified": lambda: best(Turn(), method="certified").certificate(),
    "seats": lambda: best(Seats(), most="one").certificate(),
    "turns pass, certified": lambda: best(Piglet(2), method="certified").certificate(),
}


def leaves(data, path=()):
    """Every place in some JSON."""
    yield path
    if isinstance(data, dict | list):
        keys = data if isinstance(data, dict) else range(len(data))
        for key in keys:
            yield from leaves(data[key], (*path, key))


def mutated(lines, chance):
    """The lines with one thing changed, and what it was."""
    lines = json.loads(json.dumps(lines))
    line = chance.randrange(len(lines)) if chance.random() < 0.8 else 0
    *way, last = (line, *chance.choice(list(leaves(lines[line]))))
    data = lines
    for key in way:
        data = data[key]
    old = data[last]
    match old:
        case bool():
            data[last] = not old
        case int():
            choices = [old + 1, old - 1, -old, 0, 1, old * 2, old + 2, str(old), True, old + 0.5]
            data[last] = chance.choice(choices)
        case str() if NUMBER.fullmatch(old):
            x = Fraction(old)
            step = Fraction(1, x.denominator)
            data[last] = chance.choice([str(y) for y in (x + step, x - step, -x, 1 - x, x / 2)])
        case str():
            data[last] = chance.choice(["most", "least", "bet", "counter", "rolls", old + "s"])
        case None:
            data[last] = chance.choice([1, 0, "0" * 64])
        case list() if old:
            i, j = chance.randrange(len(old)), chance.randrange(len(old))
            new = [list(old) for _ in range(4)]
            new[0][i], new[0][j] = old[j], old[i]
            del new[1][i]
            new[2].insert(i, old[j])
            new[3][i] = old[j]
            data[last] = chance.choice(new)
        case dict() if old and len(way):
            keys, key = list(old), chance.choice(list(old))
            other = chance.choice(keys)
            new = [dict(old) for _ in range(3)]
            del new[0][key]
            new[1][key] = old[other]
            new[2][f"{key}s"] = new[2].pop(key)
            data[last] = chance.choice(new)
        case dict() | list():
            if len(lines) > 1:
                del lines[line]
    return lines


def proved(lines, path, capsys):
    """Whether the checker takes the lines; and what it says."""
    with path.open("r+b" if path.exists() else "wb") as file:  # to make it anew takes much longer
        file.truncate(file.write(oracle.written(lines)))
    code = check.main([str(path)])
    return code == 0, capsys.readouterr().out


def optimum(lines, claim):
    """The value of a claim where all play their best, by trying all there is."""
    head, *states = lines
    both = 2 if head["passes"] else 1
    seats = [(seat, line) for seat in range(both) for line in states]
    menus = [range(len(line["to"])) if "ask" in line else [0] for _, line in seats]
    mine = [line.get("ask", "most") == ("least" if seat else "most") for seat, line in seats]
    if not any("ask" in line for _, line in seats):
        return oracle.value(lines, claim)
    found = {}
    for picks in oracle.product(*menus):
        own = tuple(pick for pick, is_mine in zip(picks, mine, strict=True) if is_mine)
        value = oracle.value(lines, claim, picks)
        assert value is not None, "some policy never ends"
        found[own] = min(value, found.get(own, value))
    return max(found.values())


def test_what_is_accepted_is_true(tmp_path, capsys):
    accepted = total = 0
    for name, make in MAKERS.items():
        chance = random_of(name)
        lines = oracle.opened(b"".join(make().lines()))
        taken, said = proved(lines, tmp_path / "proof.json", capsys)
        assert taken, said
        true(lines)
        for _ in range(MANY):
            total += 1
            other = mutated(lines, chance)
            taken, said = proved(other, tmp_path / "proof.json", capsys)
            if not taken:
                assert ", line " in said
                assert "Proved" not in said
            elif json.dumps(other) != json.dumps(lines):
                accepted += 1
                true(other)
    assert total == MANY * len(MAKERS)
    assert 500 < accepted < 4_000
    assert len(known) > 100


WORDS = ("state", "rank", "values", "options", "pick")
known = {}
"""The claims that were found true, of games that differ in words alone."""


def true(lines):
    """What is claimed is true of the game that is written."""
    head = lines[0]
    told = {key: head[key] for key in ("rollables", "outcomes", "stakes", "passes", "claims")}
    rules = [{key: line[key] for key in line if key not in WORDS} for line in lines[1:]]
    game = json.dumps([told, rules])
    if game not in known:
        known[game] = None
        _true(lines)


def _true(lines):
    head = lines[0]
    for claim in head["claims"]:
        within = Fraction(claim["within"])
        if claim["of"] == "law":
            found, left = oracle.law(lines, claim)
            for said, term in zip(map(Fraction, claim["first"]), found, strict=True):
                assert abs(said - term) <= within + left
        else:
            assert abs(Fraction(claim["value"]) - optimum(lines, claim)) <= within


@pytest.mark.parametrize("name", MAKERS)
def test_the_hash_is_of_the_bytes_that_were_checked(name, tmp_path, capsys):
    content = b"".join(MAKERS[name]().lines())
    chance = random_of(name)
    path = tmp_path / "proof.json"
    for _ in range(100):
        at = chance.randrange(len(content))
        broken = bytearray(content)
        broken[at] ^= 1 << chance.randrange(7)
        path.write_bytes(broken)
        code, said = check.main([str(path)]), capsys.readouterr().out
        assert ("Proved" in said) == (code == 0)
        assert code or f"the file's is {sha256(broken).hexdigest()})" in said
    short = content[: content[:-1].rindex(b"\n") + 1]
    for changed, code in ((b"", 1), (short, 1), (content + b"{}\n", 1), (content[:-2], 2)):
        path.write_bytes(changed)
        assert check.main([str(path)]) == code
    assert "Proved" not in capsys.readouterr().out
