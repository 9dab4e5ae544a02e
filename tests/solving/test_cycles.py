"""When a bet may be made again, and so what it costs an hour."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.papers.game_sheet import sheet
from sevenout.papers.subject import subject_of
from sevenout.rules import Checklist, PointGame, Together
from sevenout.rules.gamefiles.gamefile import GameFile, game_text, parse_game
from sevenout.solving.long_run import long_run
from sevenout.solving.metrics import Metrics, cycle

WAYS = {t: 6 - abs(7 - t) for t in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
ROUND = Fraction(557, 165)
EARLY = """
format = 1
name = "Early"

[[line]]
naturals = [11]
craps = [2, 3, 12]
pushes = [7]
out = 7
limit = 3
side_of = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }

[line.bets.early]
point = 2
"""


def of(name):
    game = games[name]
    return cycle(game, so.solve(game).bet(games.entry(name).bet))


def by_hand(start, bet):
    """Rolls until the first come-out after a bet is settled: float, roll by roll."""
    law, rolls = {(start, None): 1.0}, 0.0
    while sum(law.values()) > 1e-15:
        after = {}
        for (mine, point), p in law.items():
            rolls += p
            for total, ways in WAYS.items():
                then = None if mine is None else bet(mine, total)
                if point is None:
                    on = total if total in POINTS else None
                else:
                    on = None if total in (7, point) else point
                if (then, on) != (None, None):
                    after[then, on] = after.get((then, on), 0.0) + p * ways / 36
        law = after
    return rolls


def before_seven(totals):
    def bet(missing, total):
        left = missing - {total}
        return None if total == 7 or not left else left

    return by_hand(frozenset(totals), bet)


@pytest.mark.parametrize(
    ("name", "totals"),
    [
        ("flaming-four", (2, 3, 11, 12)),
        ("sizzling-six", POINTS),
        ("bonus-small-30-1", (2, 3, 4, 5, 6)),
    ],
)
def test_a_bonus_bet_waits_for_the_next_come_out(name, totals):
    assert float(of(name)) == pytest.approx(before_seven(totals), rel=1e-10)
    assert of(name) > so.solve(games[name]).bet().rolls


def test_a_bet_on_the_first_rolls_is_made_once_a_round():
    for name in ("point-7-mugnolo", "muggsys-corner"):
        assert so.solve(games[name]).bet().rolls == Fraction(5, 3)
        assert of(name) == ROUND
    assert of("fast-craps-brick") == so.solve(games["fast-craps-pass"]).bet().rolls


def test_others_are_made_as_soon_as_they_are_settled():
    for name in ("craps", "place-6-8", "field-2-3", "hardway-6-8", "hazard", "sic-bo-small"):
        if name in games.without_choices:
            assert of(name) == so.solve(games[name]).bet(games.entry(name).bet).rolls


def test_on_one_table_a_line_beside_another_is_made_at_its_come_out():
    early = PointGame([11], [2, 3, 12], 7, pushes=[7], limit=3)
    lone = cycle(early, so.solve(early).bet())
    early = parse_game(EARLY).games[0]
    assert float(cycle(early, so.solve(early).bet()) / lone) == pytest.approx(1.3564, abs=1e-4)
    table = Together(games["craps"], games["fast-craps-brick"], games["place-6-8"])
    solution = so.solve(table)
    found = {name: cycle(table, solution.bet(name)) for name in ("pass", "brick", "place")}
    assert found["pass"] == ROUND
    assert found["place"] == Fraction(36, 11)
    two = Together(games["craps"], early)
    assert cycle(two, so.solve(two).bet("early")) == ROUND


def test_an_hour_costs_the_edge_of_as_many_bets_as_can_be_made():
    game = games["muggsys-corner"]
    bet = so.solve(game).bet()
    metrics = Metrics(bet, cycle(game, bet))
    assert metrics.hourly_loss(rolls=100) == 100 * bet.edge / ROUND
    assert Metrics(bet).hourly_loss(rolls=100) == 100 * bet.edge / bet.rolls
    assert metrics.hourly_loss(bets=30) == 30 * bet.edge


class ComeWithPoint(so.Game):
    """A player who makes a come bet whenever the table has a point: an endless game."""

    dice = so.dice("2d6")
    start = ("made", 6)

    def step(self, state, roll):
        come, point = state
        total = roll.total
        if come == "made":
            come = total if total in POINTS else None
        elif total in (7, come):
            come = None
        if point is None:
            point = total if total in POINTS else None
        elif total in (7, point):
            point = None
        return ("made", point) if come is None and point else (come, point)


def test_a_come_bet_that_waits_for_a_point_is_made_less_often_than_one_that_is_kept_up():
    found = long_run(ComeWithPoint())
    made = sum(p for state, p in found.frequencies.items() if state.startswith("made"))
    assert 1 / made == Fraction(557, 132)
    bet = so.solve(games["come"]).bet()
    assert cycle(games["come"], bet) == bet.rolls == Fraction(557, 165)
    assert made * bet.rolls == Fraction(4, 5)
    table = (Path(__file__).parents[2] / "docs/howto/table.md").read_text("utf-8")
    assert "every 557/132 = 4.22 rolls, not every 557/165 = 3.38" in table
    told = " ".join(str(sheet(subject_of(games.entry("come")))).split())
    assert "rolls per hour; bet again as soon as it is settled" in told


@pytest.mark.parametrize("name", ["muggsys-corner", "fast-craps"])
def test_the_sheet_says_it(name):
    subject = subject_of(games.entry(name))
    told = " ".join(str(sheet(subject)).split())
    last = subject.metrics[-1]
    assert f"{float(last.hourly_loss(rolls=100)):.4f}" in told
    assert "mean rolls from bet to bet" in told
    assert "at the come-out" in told


def test_a_file_says_beside_which_game_its_bets_are_made():
    early = parse_game(EARLY)
    assert early.game.side_of == PointGame([7, 11], [2, 3, 12], 7)
    assert parse_game(game_text(early)) == early
    small = Checklist(games["flaming-four"].dice, {2: 1, 12: 1}, 7, 30, side_of=so.games["craps"])
    file = GameFile("Ends", (small,))
    assert parse_game(game_text(file)).game == small


def test_a_file_whose_side_game_is_wrong_says_where():
    with pytest.raises(so.SevenoutError, match=r"early\.toml:11: unknown key 'ut'"):
        parse_game(EARLY.replace("out = 7 }", "ut = 7 }"), "early.toml")
    wrong = re.sub("side_of = .*", "side_of = 7", EARLY)
    with pytest.raises(so.SevenoutError, match=r"early\.toml:11: side_of = 7; write \{ naturals"):
        parse_game(wrong, "early.toml")
