"""What the table says while one plays, on both faces, against figures worked out apart."""

import re
from fractions import Fraction
from html import unescape
from io import StringIO
from random import Random
from urllib.parse import quote

import pytest

from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.cli import main
from sevenout.evenings.table_evenings import rest_of
from sevenout.lab.site import page
from sevenout.papers.table_talk import chance_of_more_rolls, felt_spots

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
SESSION = """sevenout table
house: minimum=5,props=1
bankroll: 300
currency: $
pace: 5
pass = 10
roll 4 2
pass odds = 50
place 8 = 12
hard 8 = 5
roll 6 2
field = 5
roll 1 1
"""


def rolls_more(point, rolls):
    """The probability that a shooter rolls more often than this, by plain recursion."""
    now = {point: Fraction(1)}
    for _ in range(rolls):
        then = {}
        for at, p in now.items():
            for total, ways in WAYS.items():
                if at is not None and total == 7:
                    continue
                to = total if at is None and total in POINTS else None if total == at else at
                then[to] = then.get(to, 0) + p * ways / 36
        now = then
    return sum(now.values())


def seen_by_terminal(asks, monkeypatch, capsys, path):
    path.write_text(SESSION)
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(asks) + "\n"))
    assert main(["play", "table", "--resume", str(path)]) == 0
    return " ".join(capsys.readouterr().out.split())


def seen_in_lab(show=""):
    address = f"/table?table={SESSION.strip().replace(chr(10), ';')}{show}"
    answer = page(quote(address, safe="/?=&;:,")).body.decode()
    return " ".join(re.sub("<[^>]*>", " ", unescape(answer)).replace("−", "-").split())


# The hard 8 was made once, the field once, and 12 on the 8 twice: it won, and stayed up.
HABITS = [
    (f"costliest habit was hard 8: ${5 / 11:.2f} of expected loss on $5 bet, 9.09 %"),
    f"place 8 ${2 * 12 / 66:.2f}, pass ${10 * 7 / 495:.2f}, field ${5 / 36:.2f}",
]
TOLD = [
    f"his shooter rolls more than 10 times from here: {100 * float(rolls_more(6, 10)):.2f} %",
    # A 6, a 2 and a 12 win 10 or more: 7 of 36; an evening of 4 hours has 20 rolls.
    f"{700 / 36:.2f} %; in {1000 * (1 - (29 / 36) ** 20):.0f} of 1,000 evenings of 20 rolls",
    *HABITS,
]


def test_the_terminal_says_the_figures_that_are_worked_out_apart(monkeypatch, capsys, tmp_path):
    asks = ["longer 10", "rare", "coach"]
    seen = seen_by_terminal(asks, monkeypatch, capsys, tmp_path / "s.txt")
    for told in TOLD:
        assert told in seen, told


def test_the_lab_says_the_figures_that_are_worked_out_apart():
    seen = seen_in_lab()
    for told in TOLD:
        assert told in seen, told


def test_a_spot_that_favours_the_player_brings_money_and_a_fair_one_costs_nothing():
    spots = {s.bet: s for s in felt_spots(TableSession(house_of("field=3-4"), currency="$"), 5)}
    words = spots["field"].in_words(TableSession(currency="$"))
    assert words == "Field, pays 1 to 1, 3 to 1 or 4 to 1, edge -2.78 %, brings $13.89 per hour"
    fair = TableSession(house_of("commission=0%"))
    words = {s.bet: s.in_words(fair) for s in felt_spots(fair, 5)}["buy 4"]
    assert words.endswith("edge 0 %, costs nothing")


def test_more_than_one_roll_is_more_than_once():
    assert chance_of_more_rolls(TableSession(), 1).startswith("this shooter rolls more than once")


def test_the_rest_of_the_evening_is_that_of_plain_dice():
    """The pass line with full odds and 12 on the 8, for 20 rolls from a point of 6."""
    text = "sevenout table;bankroll: 5000;pass = 10;roll 4 2;pass odds = 50;place 8 = 12"
    found = rest_of(TableSession.from_text(text), 20).solve().profit
    random, evenings, results = Random(4), 8000, []
    for _ in range(evenings):
        point, won = 6, 0
        for _ in range(20):
            total = random.randint(1, 6) + random.randint(1, 6)
            if point is None:
                won += 10 * ((total in (7, 11)) - (total in (2, 3, 12)))
                point = total if total in POINTS else None
                continue
            odds, pays = {4: (30, 2), 5: (40, 1.5), 6: (50, 1.2)}[min(point, 14 - point)]
            won += 14 * (total == 8)
            if total == point:
                won += 10 + odds * pays
            elif total == 7:
                won -= 10 + odds + 12
            point = None if total in (7, point) else point
        results.append(won)
    mean = sum(results) / evenings
    deviation = (sum((x - mean) ** 2 for x in results) / evenings) ** 0.5
    assert float(found.mean) == pytest.approx(mean, abs=4 * deviation / evenings**0.5)
    assert float(found.variance) ** 0.5 == pytest.approx(deviation, rel=0.04)
    ahead = sum(x > 0 for x in results) / evenings
    assert float(1 - found.cdf(0)) == pytest.approx(ahead, abs=0.025)
