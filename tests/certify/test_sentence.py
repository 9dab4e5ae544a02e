"""What is printed of a proof: all that the claim depends on, the file's own hash, nothing else."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.cli import main
from sevenout.papers import sheet
from sevenout.rolling import Law
from sevenout.rules import Wager
from tests.certify import oracle
from tests.cli import mine
from tests.solving.pigs import Piglet, PigTurn, SeatedPig

CRAPS = so.solve(so.games["craps"])
MAKERS = {
    "chain": lambda: CRAPS.certificate("pass", "pass > 0", "point", "rolls", terms={"rolls": 2}),
    "rules": lambda: CRAPS.certificate("pass", rules=so.games["craps"]),
    "choice": lambda: so.best(PigTurn(), most="rolls").certificate(),
    "policies": lambda: so.best(so.games("kuhn")).certificate(),
}


def lines_of(made):
    return oracle.opened(b"".join(made.lines()))


@pytest.fixture
def judged(tmp_path):
    """The exit code of a certificate, and what is printed of it."""

    def judge(lines):
        path = tmp_path / "proof.json"
        path.write_bytes(lines if isinstance(lines, bytes) else oracle.written(lines))
        code, text = check.check(str(path))
        return code, text.replace(str(path), "proof.json")

    return judge


def test_a_stake_is_in_the_sentence(judged):
    lines = lines_of(CRAPS.certificate("pass"))
    lines[0]["stakes"]["pass"] = 10
    lines[0]["claims"][0]["value"] = "-7/4950"
    for line in lines[1:]:
        value = Fraction(line["values"][0]) / 10
        line["values"] = [value.numerator if value.denominator == 1 else str(value)]
    code, text = judged(lines)
    assert code == 0
    assert "the bet 'pass' (stake 10) per unit staked is -7/4950;" in text


@pytest.mark.parametrize("stake", [0, -1, "0", "1/0"])
def test_a_stake_is_above_0(judged, stake):
    lines = lines_of(CRAPS.certificate("pass"))
    lines[0]["stakes"]["pass"] = stake
    assert judged(lines)[0] == 1


@pytest.mark.parametrize(
    ("pays", "code"), [(-1, 0), (-2, 1), ({"profit": -2, "risk": 2}, 0), ("-3/2", 1), (3, 0)]
)
def test_no_more_is_lost_than_is_at_risk(judged, pays, code):
    head, *states = lines_of(CRAPS.certificate("rolls", rules=so.games["craps"]))
    for rule in head["rules"]["roll"]:
        if "end" in rule:
            rule["pays"]["pass"] = pays
    assert judged([head, *states])[0] == code


def test_at_most_seven_cards_are_drawn(judged):
    """Of 52 cards alike, any number is a single deal; of others, eight are too many to list."""
    head, *states = lines_of(CRAPS.certificate("pass", rules=so.games["craps"]))
    del head["rules"]["dice"]
    head["rules"] |= {"cards": [1] * 52, "draw": 8}
    assert "8 is out of range" in judged([head, *states])[1]


def test_the_start_is_in_the_sentence(judged):
    head, *states = lines_of(CRAPS.certificate("pass"))
    assert "(7 states from 'come-out'; the file's" in judged([head, *states])[1]
    swap = {0: 1, 1: 0}
    states[0], states[1] = states[1], states[0]
    for line in states:
        line["to"] = [swap.get(t, t) for t in line["to"]]
    head["claims"][0]["value"] = "-1/3"
    code, text = judged([head, *states])
    assert code == 0
    assert "(7 states from '4'; the file's" in text


def test_a_state_is_a_text(judged):
    lines = lines_of(CRAPS.certificate("pass"))
    lines[3]["state"] = 5
    code, text = judged(lines)
    assert code == 1
    assert "5 is not a text" in text


def test_titles_names_and_notes_are_no_part_of_the_sentence(judged):
    lines = lines_of(so.best(so.games("kuhn")).certificate(title="the true game"))
    lines[0] |= {"of": "all the money", "players": ["good", "bad"], "declaration": "as you like"}
    code, text = judged(lines)
    assert code == 0
    for note in ("the true game", "all the money", "good", "as you like"):
        assert note not in text


def test_what_each_outcome_counts_is_in_the_sentence(judged):
    def squared(outcome):
        return outcome.profit("turn") ** 2

    head, *states = lines_of(so.best(PigTurn(), most=squared).certificate())
    code, text = judged([head, *states])
    assert code == 0
    amounts = head["claims"][0]["worth"]
    assert len(amounts) == len(head["outcomes"]) > 2
    each = text.partition("where ")[2].partition(", is ")[0].split(", ")
    assert [word.rpartition(" is ")[2] for word in each] == [str(x) for x in amounts]
    assert len({word.rpartition(" is ")[0] for word in each}) == len(each)


@pytest.mark.parametrize(
    ("game", "want", "wanted"),
    [
        (PigTurn(), {}, "that is the most of all policies, and the picks in the file reach it;"),
        (PigTurn(), {"least": "rolls"}, "that is the least of all policies, and the picks"),
        (Piglet(2), {}, "each player wants the most for themselves, and the picks are best;"),
        (SeatedPig(3), {"most": "first"}, "one player wants the most, another the least,"),
    ],
)
def test_the_sentence_names_the_goals_of_the_players(game, want, wanted, judged):
    made = so.best(game, **want, method="certified").certificate()
    code, text = judged(lines_of(made))
    assert code == 0
    assert wanted in text


def test_two_policies_guarantee_a_value_whoever_wants_the_most(judged):
    head, *lines = lines_of(so.best(so.games("matching-pennies")).certificate())
    for most, least in ((1, 2), (2, 1)):
        code, text = judged([head, *lines])
        assert code == 0
        assert text.endswith(
            f"the mean worth of the outcomes, where player {most} wants the most and player "
            f"{least} the least, is 0; the policies in the file guarantee that, whatever the other "
            "player does."
        )
        head["wants"] = ["least", "most"]  # the same game, with every payment turned round
        for end in head["outcomes"]:
            end["worth"] *= -1
    head["wants"] = ["most", "most"]
    assert judged([head, *lines])[0] == 1


def test_rules_are_expanded_to_a_limit_of_states_and_no_further(judged, monkeypatch):
    lines = lines_of(MAKERS["rules"]())
    monkeypatch.setattr(check, "MAX_STATES", 36)  # craps has 7 states, and its dice 36 rolls
    assert judged(lines)[0] == 0
    die = {"dice": [[0, 1]], "bets": {}, "start": {"n": 0}, "sees": {"up": "d1"}}
    die["roll"] = [{"if": "n + up > 4", "end": "over"}, {"if": "1", "set": {"n": "n + up"}}]
    lines = [lines[0] | {"rules": die, "states": 5}]
    lines[0]["claims"] = [{"of": "counter", "name": "rolls", "value": 10, "within": 0}]
    lines += [{"state": f"n {n}", "rank": 5 - n, "values": [10 - 2 * n]} for n in range(5)]
    for limit, code in ((5, 0), (4, 1)):
        monkeypatch.setattr(check, "MAX_STATES", limit)
        assert judged(lines)[0] == code


@pytest.mark.parametrize("kind", MAKERS)
def test_nothing_is_in_a_file_that_nobody_checks(kind, judged):
    lines = lines_of(MAKERS[kind]())
    assert judged(lines)[0] == 0

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
            code, text = judged(lines)
            assert code == 1, (kind, data)
            assert "Proved" not in text
            del data["comment"]
            tried += 1
    assert tried > 8


@pytest.mark.parametrize("kind", MAKERS)
def test_there_is_one_way_to_write_a_certificate(kind, judged):
    content = b"".join(MAKERS[kind]().lines())
    text = content.decode()
    for other in (
        b"\xef\xbb\xbf" + content,
        text.encode("utf-16"),
        text.encode("utf-32-be"),
        content.replace(b'"version":4', b'"version":true'),
        content.replace(b'"version":4', b'"version":4.0'),
        content.replace(b'"version":4', b'"version":3'),
        content.replace(b"\n", b"\n\n", 1),
    ):
        assert other != content
        assert judged(other)[0] in (1, 2)


def test_names_can_not_pass_for_what_is_printed(judged):
    lines = lines_of(CRAPS.certificate("pass"))
    lines[1]["state"] = "come-out' (roll 0): '2' -> 'natural\n\x1b[2J"
    code, text = judged(lines)
    assert code == 0
    assert "7 states from \"come-out' (roll 0): '2' -> 'natural\\n\\x1b[2J\"" in text
    assert text.isascii()
    assert text.isprintable()


def test_nothing_is_printed_of_what_is_not_proved(judged):
    lines = lines_of(CRAPS.certificate("pass"))
    lines[-1]["rank"] = 0
    code, text = judged(lines)
    assert code == 1
    assert text == "proof.json, line 8: not proved: the rank doesn't fall after any result"


def test_the_hash_is_what_sha256sum_prints(tmp_path, capsys):
    plain, packed = tmp_path / "proof.json", tmp_path / "proof.json.gz"
    for path in (plain, packed):
        assert main(["certify", "craps", "-o", str(path)]) == 0
        assert sha256(path.read_bytes()).hexdigest() in capsys.readouterr().out
        assert main(["certify", "--check", str(path)]) == 0
        assert f"the file's is {sha256(path.read_bytes()).hexdigest()}" in capsys.readouterr().out
    made = sheet(so.games.entry("craps"))
    digest = sha256(plain.read_bytes()).hexdigest()
    assert f"'Certificate, SHA-256 {digest}. The certificate proves " in str(made.to_dict())
    (attached,) = made.attachments
    assert attached.content == plain.read_bytes()


def test_the_hash_of_the_rules_is_that_of_their_line(judged):
    head, *_ = lines = lines_of(MAKERS["rules"]())
    rules = json.dumps(head["rules"], separators=(",", ":"), ensure_ascii=False).encode()
    assert f"rules have the SHA-256 {sha256(rules).hexdigest()} (7 states" in judged(lines)[1]


@pytest.mark.parametrize("more", [{"set": {"point": "0"}}, {"pass_turn": True}])
def test_an_end_changes_nothing_more(more, judged):
    """A person who reads the rules could believe in a change that never happens."""
    head, *rows = lines_of(MAKERS["rules"]())
    end = next(rule for rule in head["rules"]["roll"] if "end" in rule)
    end |= more
    code, text = judged([head, *rows])
    assert code == 1
    assert "an end changes nothing more" in text


def test_a_name_is_text(judged):
    """Who compares a file with a game looks its claims up by name."""
    head, *rows = lines_of(MAKERS["choice"]())
    head["claims"][0]["name"] = ["rolls"]
    code, text = judged([head, *rows])
    assert code == 1
    assert "['rolls'] is not a text" in text


@pytest.mark.parametrize(
    ("game", "digits"),
    [
        ("craps", 4_400),
        ("craps", 10_400),
        (Wager(so.dice("2d6").totals, {12: 10**4_400}, limit=1), None),
    ],
)
def test_integers_of_any_length_are_written_and_checked(game, digits, tmp_path, capsys):
    """The format has no limit of digits; Python's own limit is 4,300."""
    solution = so.solve(game) if digits is None else so.solve(game, "certified", digits=digits)
    path = solution.certificate().write(tmp_path / "proof.json")
    assert check.main([str(path)]) == 0
    if digits:
        assert main(["certify", "--check", str(path), game]) == 0
        assert "nothing differs" in capsys.readouterr().out


def test_values_of_thousands_of_digits_are_read(judged):
    """Python's limit on the digits of a number is lifted for a check, and stands after it."""

    class Rare(so.Game):
        dice, start = Law({1: 1, 2: 10**9 - 1}), "start"

        def step(self, state, face):
            return so.settle("rare") if face == 1 else state

    before = sys.get_int_max_str_digits()
    code, text = judged(lines_of(so.solve(Rare()).certificate(terms={"rolls": 700})))
    assert code == 0, text[:200]
    assert sys.get_int_max_str_digits() == before


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


def test_what_no_file_can_be_called_is_refused_in_a_line():
    code, text = check.check("\ud800")
    assert code == 1
    assert text.startswith(r"\ud800, line 1: not proved: ")


def test_a_pipe_that_closes(tmp_path):
    path = CRAPS.certificate("pass").write(tmp_path / "proof.json")
    # without a buffer, each print would meet the closed pipe by itself
    buffered = {name: x for name, x in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    for command in (
        [sys.executable, check.__file__, str(path)],
        [sys.executable, "-m", "sevenout", "certify", "--check", str(path)],
    ):
        with subprocess.Popen(command, env=buffered, **pipes) as run:
            run.stdout.close()
            wrong = run.stderr.read()
            assert run.wait(60) == 0
        assert wrong == b""


PROGRAM = Path(mine.__file__)


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
        (
            ["pig-turn", "--policy", "hold-20"],
            ["pig-turn", "--policy", "hold-20"],
            ["pig-turn", "--policy", "hold-21"],
        ),
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


SIX = """
format = 1
name = "Six"
dice = "d6"
[[wager]]
bet = "six"
limit = 1
pays = { 6 = 4 }
[progressive.six]
seed = 40
share = "1/10"
on = ["6"]
"""


def test_another_award_is_another_game(tmp_path, capsys):
    small, large = tmp_path / "small.toml", tmp_path / "large.toml"
    small.write_text(SIX)
    large.write_text(SIX.replace("40", "4000"))
    proof = str(tmp_path / "proof.json")
    assert main(["certify", str(large), "-o", proof]) == 0
    assert main(["certify", "--check", proof, str(large)]) == 0
    assert "nothing differs" in capsys.readouterr().out
    assert main(["certify", "--check", proof, str(small)]) == 1
    assert (
        "the game has other amounts than those of 'six, with its award" in capsys.readouterr().out
    )
