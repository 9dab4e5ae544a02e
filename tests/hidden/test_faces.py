"""Every command answers of every stocked game in which something is hidden."""

import json

import pytest

from sevenout.cli import main
from tests.hidden.test_certificate import QUICK

ASKED = {
    "odds": ["--policy", "best"],
    "best": [],
    "simulate": ["--policy", "best", "--games", "50", "--seed", "1"],
    "longer": ["--policy", "best", "--rolls", "2"],
}


@pytest.mark.parametrize("name", [*QUICK, "perudo"])
@pytest.mark.parametrize("command", ASKED)
def test_a_command_answers(command, name, capsys):
    options = QUICK.get(name, {"sides": 3})
    given = [x for key, value in options.items() for x in (f"--{key}", str(value))]
    assert main([command, name, *given, *ASKED[command], "--json"]) == 0, capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)
