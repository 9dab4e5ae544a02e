"""An evening at a real terminal, bets of all kinds: what is seen, and crapssim's money."""

import os
import re
import subprocess
import sys
from codecs import getincrementaldecoder

import pytest
from tests.cli.typed_evening import (
    CRAPLESS,
    EVENING,
    TABLE,
    lines_of,
    money_at_crapssim,
    money_here,
)

from sevenout.catalogue.craps_family.table_session import TableSession

pty = pytest.importorskip("pty")


ACTS = 86
"""Bets made, changed and taken down, and rolls, in what is typed."""


def at_a_terminal(house, evening, path):
    """An evening, typed at a real terminal; its session, and what was seen.

    The file is named without its folder, so that no line depends on where the tests run.
    """
    words = ["play", "table", "--house", house, "--bankroll", "3000"]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "sevenout", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=path.parent,
    )
    os.close(theirs)
    seen, decoder = "", getincrementaldecoder("utf-8")()  # a read may end within a character
    for line in [*lines_of(evening), f"save {path.name}", "quit"]:
        while not seen.endswith("quit> "):
            seen += decoder.decode(os.read(ours, 65536))
        seen += line
        os.write(ours, f"{line}\n".encode())
    try:
        while more := os.read(ours, 65536):
            seen += decoder.decode(more)
    except OSError:  # the terminal is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0, seen
    return TableSession.from_text(path.read_text()), seen


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An evening of craps, typed."""
    return at_a_terminal(TABLE, EVENING, tmp_path_factory.mktemp("table") / "tonight.txt")


def test_an_evening_typed_at_a_terminal_is_what_was_said(played):
    session, seen = played
    made = {act.split(" = ")[0] for act in session.acts if "=" in act}
    made = {re.sub(r"(come|hop) \d\S*", r"\1", bet) for bet in made}
    assert len(made) > 30, made
    assert len(session.acts) == ACTS
    assert {"pass odds", "come odds", "don't come odds", "hop", "lay 4", "fire", "C&E"} <= made
    assert "no bet" not in seen
    assert "not a bet" not in seen
    assert "not understood" not in seen
    assert "sevenout:" not in seen
    assert max(len(line) for line in seen.splitlines() if "quit> " not in line) < 80


def test_the_money_is_that_of_crapssim_after_every_roll(played):
    session, _ = played
    assert money_at_crapssim(session) == money_here(session)


def test_the_money_is_that_of_crapssim_at_crapless_craps(tmp_path):
    house = f"{TABLE},crapless=yes"
    session, _ = at_a_terminal(house, CRAPLESS, tmp_path / "crapless.txt")
    assert {"place 2", "come 12 odds"} <= {act.split(" = ")[0] for act in session.acts}
    assert money_at_crapssim(session) == money_here(session)
