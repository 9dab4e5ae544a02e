"""An evening at the terminal, dice that are rolled, and what a game counts."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.evenings import session
from sevenout.rules import Wager

EIGHTS = so.dice("2d8")


def test_a_session_is_that_of_the_library(capsys) -> None:
    words = "evening craps --bankroll 20 --amount 5/2 --target 30 --bets 40 --json"
    assert main(words.split()) == 0
    data = json.loads(capsys.readouterr().out)
    bet = so.solve(so.games["craps"]).bet()
    expected = session(bet, 20, amount="5/2", target=30, bets=40)
    assert data == {"evenings": [{"strategy": "pass"} | expected.to_dict()]}
    assert main([*words.split()[:-1], "--bet", "pass"]) == 0
    out = capsys.readouterr().out
    assert "Craps: 20 in bets of 2.5, up to 30 or for 40 bets" in out
    assert "ends by ruin" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("evening craps --bankroll 10", "give --bets, --target or --stop-win"),
        ("evening craps --bankroll x --target 20", "--bankroll: 'x' is not an amount"),
        ("evening craps --bankroll 10 --target 20 --amount x", "--amount: 'x' is not an amount"),
        ("evening craps --bankroll 10 --target 5", "already reaches"),
        ("evening craps --bankroll 10 --bets 1.5", "--bets: '1.5'"),
        ("evening craps --target 10", "the bankroll of 100 already reaches the target"),
        ("evening craps --bankroll 5 --target 9 --bet field", "no bet 'field'"),
        ("evening hazard-turn --bankroll 5 --target 6", "no bets"),
        ("dice 2x6 --roll 1", "not dice"),
        ("dice 2d6 --roll 1e12", "too many"),
        ("dice 2d6 --roll 1 --seed -1", "seed"),
        ("odds craps --dice 2x6", "not dice"),
        ("odds craps --limit x", "not a whole number"),
        ("odds chutes-and-ladders --limit 3", "the rules of Race have no limit"),
        ("odds fast-craps --limit 2", "list 2, or set limit = 3"),
        ("odds cee-lo-player --dice 2d6", "2d6 can't replace"),
    ],
)
def test_bad_input_is_one_line(words: str, says: str, capsys) -> None:
    assert main(words.split()) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.count("\n") == 1
    assert says in captured.err


def test_rolls_are_those_of_the_library(capsys) -> None:
    assert main(["dice", "2d6", "--roll", "5", "--seed", "1"]) == 0
    rolls = so.dice("2d6").sample(5, seed=1)
    lines = [f"{a} + {b} = {a + b}" for a, b in (roll.faces for roll in rolls)]
    assert capsys.readouterr().out.splitlines() == lines
    assert main(["dice", "2d6", "--roll", "5", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "dice": "2d6",
        "rolls": [{"faces": list(roll.faces), "total": roll.total} for roll in rolls],
    }
    assert main(["dice", "d20", "--roll", "1"]) == 0
    assert 1 <= int(capsys.readouterr().out) <= 20


@pytest.mark.parametrize(
    ("words", "game"),
    [
        (
            "craps --dice 2d8",
            so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, dice=so.dice("2d8")),
        ),
        ("craps --limit 3", so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, limit=3)),
        ("--naturals none --craps 2,7 --out 7", so.PointGame([], [2, 7], 7)),
        ("--naturals 7 --craps none --out 7 --limit 2", so.PointGame([7], [], 7, limit=2)),
        ("hazard --main 6 --dice 2d8", replace(so.games("hazard", main=6), dice=EIGHTS)),
        ("place-6-8 --dice 2d8", Wager(EIGHTS.totals, {6: "7/6", 7: -1})),
        ("craps+place-6-8 --dice 2d8", replace(so.games["craps"], dice=EIGHTS)),
        ("hot-hand --pays 10=50,9=1/2", so.games("hot-hand", pays={10: 50, 9: "1/2"})),
        ("buy-4-10-up-front --commission 4%", so.games("buy-4-10-up-front", commission="1/25")),
    ],
)
def test_odds_of_a_game_played_otherwise(words: str, game: so.Game, capsys) -> None:
    assert main(["odds", *words.split(), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bets"][0]["p_win"] == str(so.solve(game).bet().p_win)


def test_the_turn_says_how_many_rounds_were_won(capsys) -> None:
    assert main(["odds", "hazard-turn"]) == 0
    out = capsys.readouterr().out
    assert "Distribution of won" in out
    assert "█" in out
    assert main(["odds", "hazard-turn", "--json"]) == 0
    rounds, won = json.loads(capsys.readouterr().out)["counters"]
    assert (rounds["counter"], won["counter"]) == ("rounds", "won")
    lose = 1 - Fraction(244, 495)
    assert Fraction(won["histogram"]["0"]) == lose**2
    assert Fraction(rounds["histogram"]["2"]) == lose**2
    assert sum(map(Fraction, won["histogram"].values())) == 1


def test_turns_that_were_played_say_so_too() -> None:
    # 7 wins a round; 2 and 3 lose one each
    lines = "4 3\n1 1\n1 2\n1 1\n1 1\n"
    command = [sys.executable, "-m", "sevenout", "play", "hazard-turn"]
    played = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert "turn over  3 rounds, 1 won" in played.stdout
    told = subprocess.run(
        [*command, "--json"], input=lines, capture_output=True, text=True, check=True
    )
    data = json.loads(told.stdout)
    assert (data["0 won"], data["1 won"], data["2 rounds"], data["3 rounds"]) == (1, 1, 1, 1)


def test_an_edge_for_the_player_is_remarked_on(capsys) -> None:
    remark = "The edge is the player's"
    name = next(n for n, e in so.games.without_choices.items() if e.edge and Fraction(e.edge) < 0)
    assert main(["odds", name]) == 0
    assert remark in capsys.readouterr().out
    assert main(["odds", "craps"]) == 0
    assert remark not in capsys.readouterr().out


def test_turns_that_were_simulated_say_so_too(capsys) -> None:
    words = ["simulate", "hazard-turn", "--games", "20000", "--backend", "numpy", "--json"]
    assert main(words) == 0
    page = {line["name"]: line for line in json.loads(capsys.readouterr().out)["statistics"]}
    law = so.solve(so.games["hazard-turn"]).counter_laws["won"]
    histogram = {
        int(match[1]): line
        for name, line in page.items()
        if (match := re.fullmatch(r"(\d+)( or more)? won", name))
    }
    assert list(histogram) == list(range(len(histogram)))
    assert sum(Fraction(line["seen"]) for line in histogram.values()) == 1
    *told, rest = histogram.items()
    assert all(Fraction(line["exact"]) == law.pmf(n) for n, line in told)
    assert Fraction(rest[1]["exact"]) == law.sf(rest[0] - 1)
    assert max(abs(line["z"]) for line in histogram.values()) < 4.5  # one seed in 10,000 fails
    assert Fraction(page["average won"]["exact"]) == law.mean


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("hazard-turn --histogram none", ["average rounds", "average won"]),
        ("hazard-turn --histogram rounds", ["2 rounds", "3 rounds", "23 or more rounds"]),
        ("craps --histogram rolls", ["1 rolls", "2 rolls", "10 rolls"]),
    ],
)
def test_any_counter_has_a_histogram(words: str, lines: list[str], capsys) -> None:
    assert main(["simulate", *words.split(), "--games", "1000", "--backend", "numpy"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{line} " in out for line in lines)


@pytest.mark.parametrize(
    ("game", "lines", "net"),
    [
        ("craps", "7\n8\n5\n8\n", {"net, pass": "+2"}),
        ("craps+place-6-8", "5\n6\n5\n5\n7\n", {"net, place": "+1/6", "net, pass": "0"}),
        ("fast-craps", "11\n6 1\n", {"net, pass": "+1", "net, brick": "0"}),
        ("hardway-6-8 --number 8", "6\n7\n4 4\n3 5\n", {"net, hardway": "+7"}),
        ("craps+place-6-8 --bet place", "7\n6\n7\n", {"net, place": "+1/6"}),
    ],
)
def test_totals_are_played_where_no_more_is_looked_at(game, lines, net, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    assert main(["play", *game.split(), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {name: value for name, value in data.items() if name.startswith("net")} == net


def test_a_total_that_may_be_this_or_that_is_refused(monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("8\n"))
    assert main(["play", "hardway-6-8", "--number", "8"]) == 2
    assert "8 is not a roll of 2d6; give 2 faces" in capsys.readouterr().err
