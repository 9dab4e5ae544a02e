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
    assert f"Certificate, SHA-256 {seal}: it proves" in page
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
