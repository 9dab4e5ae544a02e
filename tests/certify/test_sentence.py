"""What is printed of a proof: all that the claim depends on, the file's own hash, nothing else."""

import gzip
import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.cli import main
from sevenout.papers import sheet
from sevenout.rules.gamefiles.gamefile import read_game
from tests.certify import oracle
from tests.certify.test_turns import Boxes
from tests.cli import mine
from tests.solving.pigs import Piglet, PigTurn, SeatedPig

CRAPS = so.solve(so.games["craps"])
MAKERS = {
    "chain": lambda: CRAPS.certificate("pass", "pass >= 1", "point", "rolls", terms={"rolls": 2}),
    "choice": lambda: so.best(PigTurn(), most="rolls").certificate(),
    "turns": lambda: so.best(Boxes({"high", "pair"})).certificate(),
}


def lines_of(made):
    return oracle.opened(b"".join(made.lines()))


def said(lines, words=False):
    """The exit code of a certificate, and what is printed of it."""
    content = lines if isinstance(lines, bytes) else oracle.written(lines)
    code, text = check.judged("proof.json", content, words)
    return code, "\n".join(text)


def test_a_stake_is_in_the_sentence():
    lines = lines_of(CRAPS.certificate("pass"))
    lines[0]["stakes"]["pass"] = 10
    lines[0]["claims"][0]["value"] = "-7/4950"
    for line in lines[1:]:
        line["values"] = [str(check.number(x) / check.Fraction(10)) for x in line["values"]]
    code, text = said(lines)
    assert code == 0
    assert "the bet 'pass' (stake 10) per unit staked is -7/4950;" in text


def test_the_start_is_in_the_sentence():
    head, *states = lines_of(CRAPS.certificate("pass"))
    assert "(7 states from 'come-out', SHA" in said([head, *states])[1]
    swap = {0: 1, 1: 0}
    states[0], states[1] = states[1], states[0]
    for line in states:
        line["to"] = [swap.get(t, t) for t in line["to"]]
    head["claims"][0]["value"] = "-1/3"
    code, text = said([head, *states])
    assert code == 0
    assert "(7 states from '4', SHA" in text


def test_what_each_outcome_counts_is_in_the_sentence():
    def squared(outcome):
        return outcome.profit("turn") ** 2

    head, *states = lines_of(so.best(PigTurn(), most=squared).certificate())
    code, text = said([head, *states])
    assert code == 0
    amounts = head["claims"][0]["worth"]
    assert len(amounts) == len(head["outcomes"]) > 2
    each = text.partition("where ")[2].partition(", is ")[0].split(", ")
    assert [word.rpartition(" is ")[2] for word in each] == [str(x) for x in amounts]
    assert len({word.rpartition(" is ")[0] for word in each}) == len(each)


@pytest.mark.parametrize(
    ("game", "want", "wanted"),
    [
        (
            PigTurn(),
            {},
            "that is the most of all policies; the picks in the file, in 7 states, reach it.",
        ),
        (
            PigTurn(),
            {"least": "rolls"},
            "that is the least of all policies; the picks in the file",
        ),
        (Piglet(2), {}, "on their turn, wants the most in 7 states for themselves"),
        (Piglet(2), {"least": "pass"}, "on their turn, wants the least in 7 states for themselves"),
        (SeatedPig(3), {"most": "first"}, "one player wants the most (in "),
    ],
)
def test_who_wants_what(game, want, wanted):
    made = so.best(game, **want, method="certified").certificate()
    code, text = said(lines_of(made))
    assert code == 0
    states = sum("ask" in line for line in lines_of(made)[1:])
    assert wanted.replace("7", str(states)) in text
    assert "him" not in text


def test_a_race_without_choices_does_not_speak_of_picks():
    head, *states = lines_of(so.best(Piglet(2), method="certified").certificate())
    race = [line for line in states if "ask" not in line]
    assert race
    text = check.Proof(head, ())
    assert "picks" not in text.wanted()
    assert "whose turn it is at the start" in text.wanted()


@pytest.mark.parametrize("kind", MAKERS)
def test_nothing_is_in_a_file_that_nobody_checks(kind):
    lines = lines_of(MAKERS[kind]())
    assert said(lines)[0] == 0

    def objects(data):
        if isinstance(data, dict):
            yield data
        for each in data.values() if isinstance(data, dict) else data:
            if isinstance(each, dict | list):
                yield from objects(each)

    tried = 0
    for line in [*lines[:6], lines[-1]]:
        for data in objects(line):
            if data is line.get("stakes"):
                continue
            data["comment"] = ["trust me"]
            code, text = said(lines)
            assert code == 1, (kind, data)
            assert "Proved" not in text
            del data["comment"]
            tried += 1
    assert tried > 8


@pytest.mark.parametrize("kind", MAKERS)
def test_there_is_one_way_to_write_a_certificate(kind):
    content = b"".join(MAKERS[kind]().lines())
    text = content.decode()
    for other in (
        b"\xef\xbb\xbf" + content,
        text.encode("utf-16"),
        text.encode("utf-32-be"),
        content.replace(b'"version":3', b'"version":true'),
        content.replace(b'"version":3', b'"version":3.0'),
        content.replace(b'"version":3', b'"version":2'),
        content.replace(b"\n", b"\n\n", 1),
    ):
        assert other != content
        assert said(other)[0] in (1, 2)


def test_names_can_not_pass_for_what_is_printed():
    game = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    lines = lines_of(so.solve(game).certificate(game="'Craps' (7 states"))
    lines[1]["state"] = "come-out' (roll 0): '2' -> 'natural\n\x1b[2J"
    code, text = said(lines, words=True)
    assert code == 0
    start = "\"come-out' (roll 0): '2' -> 'natural\\n\\x1b[2J\""
    assert f"which it calls \"'Craps' (7 states\" (7 states from {start}, SHA" in text
    assert text.isascii()
    assert text.isprintable() or set(filter(lambda c: not c.isprintable(), text)) == {"\n"}


def test_nothing_is_printed_of_what_is_not_proved():
    lines = lines_of(CRAPS.certificate("pass"))
    lines[-1]["rank"] = 0
    code, text = said(lines, words=True)
    assert code == 1
    assert text == "proof.json, line 8: not proved: nothing leads to a lower rank"


def test_the_hash_is_what_sha256sum_prints(tmp_path, capsys):
    plain, packed = tmp_path / "proof.json", tmp_path / "proof.json.gz"
    for path in (plain, packed):
        assert main(["certify", "craps", "-o", str(path)]) == 0
        assert sha256(path.read_bytes()).hexdigest() in capsys.readouterr().out
        assert main(["certify", "--check", str(path)]) == 0
        assert f"SHA-256 {sha256(path.read_bytes()).hexdigest()}" in capsys.readouterr().out
    assert (
        f", unpacked {sha256(plain.read_bytes()).hexdigest()}, declaration "
        in said(packed.read_bytes())[1]
    )
    made = sheet(so.games.entry("craps"))
    assert f"Certificate, SHA-256 {sha256(plain.read_bytes()).hexdigest()}. " in str(made.to_dict())
    (attached,) = made.attached
    assert attached.content == plain.read_bytes()


@pytest.mark.slow
def test_a_fingerprint_is_called_one(tmp_path):
    made = sheet(so.games.entry("craps"))
    assert dict(made.facts)["fingerprint"] == CRAPS.chain.fingerprint
    hashes = [value for name, value in made.facts if "SHA-256" in name]
    assert CRAPS.chain.fingerprint not in hashes
    text = Path("docs/examples/eights.toml").read_text(encoding="utf-8")
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(text, encoding="utf-8")
    two.write_text(text.replace("most = ", "most = 1"), encoding="utf-8")
    assert so.explore(read_game(one).game) == so.explore(read_game(two).game)
    places = []
    for path in (one, two):
        assert main(["dossier", str(path), "-o", str(path.with_suffix("")), "--games", "0"]) == 0
        places.append((path.with_suffix("") / "rules.html").read_text(encoding="utf-8"))
        assert sha256(path.read_bytes()).hexdigest() in places[-1]


def test_what_is_no_file_is_refused_in_a_line(tmp_path, capsys):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    checks = ["certify", "--check"], ["certify", "craps", "--check"]
    for path in map(str, (fifo, "/dev/zero", tmp_path, tmp_path / "none", "a\0b", "\x1b[2J")):
        for refused in (check.main([path]), *(main([*words, path]) for words in checks)):
            assert refused == 2
        shown = capsys.readouterr()
        assert not shown.out
        assert len(shown.err.splitlines()) == 3
        assert "\x1b" not in shown.err


def test_a_pipe_that_closes(tmp_path):
    path = CRAPS.certificate("pass").write(tmp_path / "proof.json")
    program = [sys.executable, check.__file__, str(path), "--words"]
    for command in (
        program,
        [sys.executable, "-m", "sevenout", "certify", "--check", *program[2:]],
    ):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            run.stdout.close()
            wrong = run.stderr.read()
            assert run.wait(60) == 0
        assert wrong == b""


PROGRAM = Path(mine.__file__)
BOXES = Path(__file__).with_name("boxes.py")
"""Programs: a game of dice, and games of turns."""


def test_a_file_is_read_once(tmp_path):
    content = b"".join(CRAPS.certificate("pass").lines())
    for given in (content, gzip.compress(content)):
        code, text = check.judged(str(tmp_path / "gone"), given)
        assert code == 0
        assert sha256(given).hexdigest() in text[-1]


@pytest.mark.parametrize(
    ("make", "game", "other"),
    [
        (["craps"], ["craps"], ["hazard", "--main", "5"]),
        (["craps", "--bet", "pass"], ["craps"], ["crapless"]),
        (["pig", "--goal", "6"], ["pig", "--goal", "6"], ["pig", "--goal", "7"]),
        (
            ["pig", "--goal", "6", "--policy", "hold-4", "--against", "hold-2"],
            ["pig", "--goal", "6", "--policy", "hold-4", "--against", "hold-2"],
            ["pig", "--goal", "6", "--policy", "hold-4", "--against", "hold-3"],
        ),
        (
            ["pig-solitaire", "--goal", "9"],
            ["pig-solitaire", "--goal", "9"],
            ["pig", "--goal", "9"],
        ),
        (["piglet", "--goal", "4"], ["piglet", "--goal", "4"], ["piglet", "--goal", "5"]),
        (["hazard-main-thrown"], ["hazard-main-thrown"], ["hazard", "--main", "5"]),
        (["kuhn"], ["kuhn"], ["matching-pennies"]),
        ([f"{PROGRAM}:Lucky"], [f"{PROGRAM}:Lucky"], [f"{PROGRAM}:Lucky", "--pays", "3"]),
        ([f"{BOXES}:OneBox"], [f"{BOXES}:OneBox"], [f"{BOXES}:TwoBoxes"]),
    ],
    ids=lambda words: " ".join(words).rpartition("/")[2],
)
def test_a_file_is_compared_with_a_game(make, game, other, tmp_path, capsys):
    path = str(tmp_path / "proof.json")
    assert main(["certify", *make, "-o", path]) == 0
    assert main(["certify", "--check", path, *game]) == 0
    assert "rules were explored again, and nothing differs" in capsys.readouterr().out
    assert main(["certify", "--check", path, *other]) == 1
    shown = capsys.readouterr().out
    assert "Proved of" not in shown
    assert ": not a certificate of " in shown
    name, *rest = game
    assert main(["certify", "--check", path, "--game", name, *rest]) == 0


def test_what_is_true_of_another_order_of_the_states_is_not_the_game(tmp_path, capsys):
    head, *states = lines_of(CRAPS.certificate("pass"))
    swap = {0: 1, 1: 0}
    states[0], states[1] = states[1], states[0]
    for line in states:
        line["to"] = [swap.get(t, t) for t in line["to"]]
    head["claims"][0]["value"] = "-1/3"
    path = tmp_path / "proof.json"
    path.write_bytes(oracle.written([head, *states]))
    assert main(["certify", "--check", str(path)]) == 0
    assert main(["certify", "--check", str(path), "craps"]) == 1
    assert "line 2: this is not the state 'come-out' of the game" in capsys.readouterr().out


def test_games_of_turns_are_compared_too(tmp_path):
    from sevenout.solving.turns.turncertificate import turn_difference

    game = Boxes({"high", "pair"})
    lines = list(so.best(game).certificate().lines())
    assert turn_difference(lines, game) == ""
    assert turn_difference(lines, Boxes({"high", "low"})).startswith("line ")
    changed = json.loads(lines[-1])
    changed["entries"][0]["pays"][0] = 1
    assert "line" in turn_difference([*lines[:-1], json.dumps(changed).encode()], game)


def test_words_name_what_the_file_lists_in_place_of_rules():
    kuhn = so.games("kuhn")
    made = {
        "states": CRAPS.certificate("pass"),
        "positions": so.best(so.explore(kuhn)).certificate(),
        "tables and their payoffs": so.best(kuhn).certificate(),
        "turn, and the score cards with their entries,": MAKERS["turns"](),
    }
    for listed, each in made.items():
        first = said(lines_of(each), words=True)[1].partition("\n")[0]
        assert first == f"the rules are not declared: the game is the {listed} that the file lists"
