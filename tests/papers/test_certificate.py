"""The sheet names its certificate, and that certificate is the one that the command writes."""

import json
from hashlib import sha256

import sevenout as so
from sevenout.cli import main
from sevenout.papers import sheet


def test_the_hash_on_the_sheet(tmp_path, capsys):
    page = json.dumps(sheet(so.games.entry("craps")).to_dict())
    path = tmp_path / "proof.json"
    assert main(["certify", "craps", "-o", str(path)]) == 0
    seal = sha256(path.read_bytes()).hexdigest()
    assert f"Certificate, SHA-256 {seal}. The certificate proves" in page
    assert main(["certify", "--check", str(path)]) == 0
    assert main(["certify", "--check", str(tmp_path / "none")]) == 2
    assert seal in capsys.readouterr().out
    assert main(["certify", "craps", "--check", str(path)]) == 0
    assert main(["certify", "hazard", "--main", "5", "--check", str(path)]) == 1
    assert main(["certify", "craps", "--goal", "pass"]) == 2


def test_the_certificate_says_who_plays(capsys):
    for words, title in [
        (["--against", "hold-2"], "Pig, goal 6 against hold-2"),
        (["--policy", "hold-4", "--against", "hold-2"], "Pig, goal 6, hold-4 against hold-2"),
    ]:
        assert main(["certify", "pig", "--goal", "6", *words]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[0])["game"] == title


def test_the_sheet_of_a_game_with_hidden_cards_has_its_proof(tmp_path, capsys):
    path = tmp_path / "proof.json"
    assert main(["certify", "kuhn", "-o", str(path)]) == 0
    made = sheet(so.games.entry("kuhn"))
    (attached,) = made.attachments
    assert attached.content == path.read_bytes()
    page = json.dumps(made.to_dict())
    assert (
        f"Certificate, SHA-256 {sha256(attached.content).hexdigest()}. The certificate proves"
        in page
    )
    for words in (
        "-1/18",
        "Some information is hidden",
        "How second plays",
        "as in an equilibrium",
    ):
        assert words in page
    assert "dynamic programming" not in page
