"""`sevenout dossier --check FOLDER`: twenty forgeries, each with new hashes, each named."""

import json
import shutil
import subprocess
from hashlib import sha256

import pytest

from sevenout.cli import main
from sevenout.cli.commands import paper_commands
from sevenout.papers import folder_check
from sevenout.papers.dossier import Dossier
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import declaration, subject_of
from sevenout.papers.table_cards import layout, rack_card
from sevenout.rules.gamefiles.gamefile import parse_game

GAME = """
format = 1
name = "Boxcars"
rules = "The bet wins on a 12."
maker = "House"
version = "1"
currency = "$"
[[wager]]
bet = "boxcars"
limit = 1
pays = { "12" = 20 }
minimum = 1
maximum = 1
[progressive.boxcars]
seed = 8
share = "2%"
on = "12"
must_hit_by = 12
"""
QUICK = ("--games", "0", "--volume", "100", "--bets", "20", "--date", "2026-11-20")


UNLIMITED = GAME.replace("must_hit_by = 12\n", "")
"""Its certificate claims the award too, whose mean is then a sum over outcomes."""


def dossier_of(game, place):
    source = place / "boxcars.toml"
    source.write_text(game)
    assert main(["dossier", str(source), "-o", str(place / "made"), *QUICK]) == 0
    return place / "made"


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    return dossier_of(GAME, tmp_path_factory.mktemp("genuine"))


@pytest.fixture(scope="module")
def made_again(tmp_path_factory):
    """Makes a folder again, but one of the same game and options only once, as it takes a second.

    That it makes the same bytes each time is tested with dossiers.
    """
    remake, made = paper_commands._remake, {}

    def again(folder, options, output):
        stated = options["command"], json.dumps(options["options"])
        key = (folder / "game.toml").read_bytes(), *stated
        if key not in made:
            place = tmp_path_factory.mktemp("again") / "made"
            remake(folder, options, place)
            made[key] = place
        shutil.copytree(made[key], output)

    return again


@pytest.fixture(autouse=True)
def remade_once(monkeypatch, made_again):
    monkeypatch.setattr(paper_commands, "_remake", made_again)


def other(old, new, game=GAME):
    """The papers of another declaration."""
    file = parse_game(game.replace(old, new))
    return Dossier(
        subject_of(declaration(file, maker="House")), "game.toml", game_file=game.encode(), games=0,
        volume=100, number_of_bets=20, date="2026-11-20",
    )  # fmt: skip


def replaced(name, old, new, times=1):
    def forge(folder):
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, times))

    return forge


def written(name, make):
    def forge(folder):
        (folder / name).write_bytes(make())

    return forge


def removed_line(name, start):
    def forge(folder):
        lines = (folder / name).read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(start)]
        assert len(kept) < len(lines)
        (folder / name).write_text("".join(kept))

    return forge


def certificate(old, new, game=GAME):
    proof = other(old, new, game).subject.certificate("Boxcars")
    return b"".join(proof.lines())


PAYS = 'pays = { "12" = 20 }', 'pays = { "12" = 21 }'
FORGERIES = {
    "the figures of the submission": (
        "submission.pdf",
        written("submission.pdf", lambda: other(*PAYS).submission().pdf()),
    ),
    "a pay in the rules": ("rules.pdf", written("rules.pdf", lambda: other(*PAYS).rules().pdf())),
    "a word of the rules": (
        "rules.pdf",
        written("rules.pdf", lambda: other("on a 12", "on an 11").rules().pdf()),
    ),
    "an edge in the mathematics": (
        "mathematics.pdf",
        written("mathematics.pdf", lambda: other(*PAYS).mathematics().pdf()),
    ),
    "a seed in the mathematics": (
        "mathematics.pdf",
        written("mathematics.pdf", lambda: other("seed = 8", "seed = 9").mathematics().pdf()),
    ),
    "a limit of monitoring": (
        "monitoring.pdf",
        written("monitoring.pdf", lambda: monitoring(other('"2%"', '"3%"')).pdf()),
    ),
    "a pay on the rack card": (
        "rack-card.pdf",
        written("rack-card.pdf", lambda: rack_card(other(*PAYS))),
    ),
    "a pay on the layout": ("layout.pdf", written("layout.pdf", lambda: layout(other(*PAYS)))),
    "the certificate of another award": (
        "certificate.jsonl",
        written("certificate.jsonl", lambda: certificate("must_hit_by = 12\n", "")),
    ),
    "the certificate of other pays": (
        "certificate.jsonl",
        written("certificate.jsonl", lambda: certificate(*PAYS)),
    ),
    "a value in the certificate": (
        "certificate.jsonl",
        replaced("certificate.jsonl", '"value":"', '"value":"1'),
    ),
    "a certificate cut short": (
        "certificate.jsonl",
        lambda folder: (folder / "certificate.jsonl").write_bytes(
            (folder / "certificate.jsonl").read_bytes()[:-40]
        ),
    ),
    "a checker that says yes": (
        "check.py",
        written("check.py", lambda: b"print('Proved')\n"),
    ),
    "the pay of a vector": ("vectors.csv", replaced("vectors.csv", "6 6,12,20", "6 6,12,21")),
    "the rolls of a vector": ("vectors.csv", replaced("vectors.csv", ",6 6,12,20", ",6 5,12,20")),
    "a vector left out": ("vectors.csv", removed_line("vectors.csv", "7,")),
    "the purpose of a vector": (
        "vectors.csv",
        replaced("vectors.csv", "random, seed 1", "random, seed 2"),
    ),
    "the seed of the meter": ("meter.csv", replaced("meter.csv", "boxcars,1,8,", "boxcars,1,9,")),
    "an award of the meter": ("meter.csv", replaced("meter.csv", "yes,12,", "yes,13,")),
    "a limit in the declaration": (
        "declaration.toml",
        replaced("declaration.toml", "maximum = 1", "maximum = 5"),
    ),
    "a word of the declaration": (
        "declaration.toml",
        replaced("declaration.toml", "wins on a 12", "wins on an 11"),
    ),
    "a file that does not belong": (
        "letter.txt",
        written("letter.txt", lambda: b"We approve."),
    ),
    "a paper left out": ("rules.pdf", lambda folder: (folder / "rules.pdf").unlink()),
    "the digest in the options": (
        "dossier.json",
        replaced("dossier.json", '"declaration": "', '"declaration": "0'),
    ),
}


def more(name, data):
    """Bytes added to the end of a file."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + data)


FORGERIES |= {
    "the equipment in the rules": (
        "rules.pdf",
        written(
            "rules.pdf",
            lambda: other('maker = "House"', 'maker = "House"\nequipment = "X"').rules().pdf(),
        ),
    ),
    "the exposure of a table": (
        "submission.pdf",
        written(
            "submission.pdf",
            lambda: other('maker = "House"', 'maker = "House"\nseats = 9').submission().pdf(),
        ),
    ),
    "a comment after the end of a paper": ("rules.pdf", more("rules.pdf", b"\n% approved\n")),
    "a line after the end of the certificate": (
        "certificate.jsonl",
        more("certificate.jsonl", b'{"note":"approved"}\n'),
    ),
    "the version of the software": (
        "dossier.json",
        replaced("dossier.json", "sevenout 0", "sevenout 9"),
    ),
}


def resealed(folder):
    """New hashes for all files, as a forger writes them."""
    names = sorted(path.name for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = (f"{sha256((folder / n).read_bytes()).hexdigest()}  {n}\n" for n in names)
    (folder / "SHA256SUMS").write_text("".join(lines))


def checked(folder, capsys):
    capsys.readouterr()
    code = main(["dossier", "--check", str(folder), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_genuine_folder_passes(genuine, capsys):
    code, data = checked(genuine, capsys)
    assert code == 0
    assert not any(data["findings"].values())
    assert "SHA256SUMS" not in data["findings"]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_named(forgery, genuine, tmp_path, capsys):
    name, forge = FORGERIES[forgery]
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    forge(folder)
    resealed(folder)
    code, data = checked(folder, capsys)
    assert code == 1
    assert [file for file, words in data["findings"].items() if words] == [name]


@pytest.mark.parametrize("change", [("seed = 8", "seed = 9"), ('"2%"', '"3%"')])
def test_the_certificate_of_another_seed_or_share_is_named(change, tmp_path, capsys):
    folder = dossier_of(UNLIMITED, tmp_path)
    assert checked(folder, capsys)[0] == 0
    (folder / "certificate.jsonl").write_bytes(certificate(*change, UNLIMITED))
    resealed(folder)
    code, data = checked(folder, capsys)
    assert code == 1
    wrong = [file for file, words in data["findings"].items() if words]
    assert wrong == ["certificate.jsonl"]


def test_another_version_in_the_options_hides_no_forged_paper(genuine, tmp_path, capsys):
    """The papers of a folder of another version were passed over where no text could be read."""
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    replaced("dossier.json", "sevenout 0", "sevenout 9")(folder)
    (folder / "layout.pdf").write_bytes(layout(other(*PAYS)))
    resealed(folder)
    code, data = checked(folder, capsys)
    assert code == 1
    wrong = [file for file, words in data["findings"].items() if words]
    assert wrong == ["dossier.json", "layout.pdf"]
    assert "made by sevenout 9" in data["findings"]["layout.pdf"]


def test_there_are_twenty_forgeries_at_least():
    assert len(FORGERIES) >= 20


def test_a_game_file_of_other_rules_is_another_game(genuine, tmp_path, capsys):
    """Every paper is then of another game: all that were not made again are named."""
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    replaced("game.toml", "seed = 8", "seed = 9")(folder)
    code, data = checked(folder, capsys)
    assert code == 1
    wrong = {file for file, words in data["findings"].items() if words}
    assert {"declaration.toml", "rules.pdf", "mathematics.pdf", "meter.csv"} <= wrong
    assert "another hash" in data["findings"]["game.toml"]


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "not JSON"), ("[]", "not that of a dossier"), ("{}", "not that of a dossier")],
)
def test_what_is_no_dossier_is_one_line(text, says, tmp_path, capsys):
    assert main(["dossier", "--check", str(tmp_path / "none")]) == 2
    (tmp_path / "dossier.json").write_text(text)
    assert main(["dossier", "--check", str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert says in lines[-1]


def test_a_missing_declaration_has_no_hash(genuine, tmp_path, capsys):
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    (folder / "declaration.toml").unlink()
    code, data = checked(folder, capsys)
    assert (code, data["declaration"]) == (1, "")


def test_a_paper_that_takes_too_long_to_read_is_a_finding(genuine, tmp_path, capsys, monkeypatch):
    def run(command, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(folder_check, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    (folder / "rules.pdf").write_bytes(b"%PDF")
    _, data = checked(folder, capsys)
    assert "not what the declaration gives" in data["findings"]["rules.pdf"]


def test_options_that_are_none_are_named(genuine, tmp_path, capsys):
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    replaced("dossier.json", '"volume": 100', '"volum": 100')(folder)
    _, data = checked(folder, capsys)
    assert "'volum'" in data["findings"]["dossier.json"]
    assert main(["dossier", "--check", str(folder), "-o", "x"]) == 2
    assert main(["dossier", "--json"]) == 2


@pytest.mark.parametrize(
    ("option", "value"),
    [("ask", 5), ("ask", [5]), ("rules", "abc"), ("sign", 5), ("fonts", ["a"]), ("pace", 0)],
)
def test_an_option_of_another_type_is_a_finding(option, value, genuine, tmp_path, capsys):
    data = _checked_with_options(
        genuine, tmp_path, capsys, lambda it: it["options"].update({option: value})
    )
    assert data["findings"]["dossier.json"]


def test_a_command_that_is_no_words_is_a_finding(genuine, tmp_path, capsys):
    def change(stated):
        stated["command"] = "craps '"

    data = _checked_with_options(genuine, tmp_path, capsys, change)
    assert "No closing quotation" in data["findings"]["dossier.json"]


def _checked_with_options(genuine, tmp_path, capsys, change):
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    options = json.loads((folder / "dossier.json").read_text())
    change(options)
    (folder / "dossier.json").write_text(json.dumps(options))
    code, data = checked(folder, capsys)
    assert code == 1
    return data
