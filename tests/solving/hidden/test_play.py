"""Hidden dice at the terminal: nothing is shown that the player does not see."""

import io
import re

import pytest

from sevenout.cli import main


@pytest.fixture
def played(monkeypatch, capsys):
    def play(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
        code = main(["play", *arguments])
        return code, capsys.readouterr().out

    return play


def test_a_coach_says_what_a_choice_costs(played):
    code, out = played(["check", "q"], "kuhn", "--coach", "--seed", "3")
    assert not code
    assert "you see J" in out
    assert "check is as good as any; the optimal policy plays check" in out


def test_the_other_hand_is_shown_only_when_the_round_is_over(played):
    """The second player's die stands in no line before the one that ends the round."""
    _, out = played(["1x3", "q"], "dudo", "--sides", "3", "--seed", "4")
    head = out.partition(" → ")[0].splitlines()
    assert head[1].startswith("you see ")
    assert not any("second" in line for line in head[1:-2])
    assert "┌" not in out


def test_a_mistake_has_its_price(played):
    _, out = played(["2x1", "q"], "dudo", "--sides", "3", "--coach", "--seed", "4")
    assert re.search(r"2x1 (costs|is as good as any)", out)
    assert "cost of choices" in out


def test_both_at_once(played):
    _, out = played(["heads", "tails", "q"], "matching-pennies", "--seed", "1")
    assert out.count("you see nothing") == 3
    assert out.count(" → ") == 2
    assert re.search(r"games +2", out)


def test_what_is_never_seen_is_counted_and_can_be_asked_of(capsys):
    """Of kuhn's 12 information sets 3 follow a bet of the first player, who never bets."""
    assert main(["best", "kuhn"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("more are never seen") == 1
    assert "In best play 3 more are never seen. --json lists them." in said
    assert main(["best", "kuhn", "--at", "K, check"]) == 0
    assert "second sees K, check: bet" in capsys.readouterr().out
    assert main(["best", "matching-pennies", "--at", "nothing"]) == 2
    assert "fits several states" in capsys.readouterr().err
