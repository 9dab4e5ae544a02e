"""Tuning a bet with a progressive award: the edge of the long run, table by table."""

from fractions import Fraction
from itertools import product

import pytest

from sevenout.cli import main
from sevenout.errors import RulesError
from sevenout.rules.gamefiles.gamefile import read_game
from sevenout.rules.gamefiles.open_parameters import parse_opened
from sevenout.solving import solve
from sevenout.solving.awards import progressive
from sevenout.variants import tiers, tune

FILE = """
format = 1
name = "Boxcars"
[open]
a = "10..30"
b = "1..4"
s = [1, 2, 5]
[[wager]]
bet = "boxcars"
limit = 1
stake = "s"
pays = { "12" = "a", "4" = "b" }
[progressive.boxcars]
on = "12"
seed = 8
share = "2%"
"""
LIMIT = "must_hit_by = 12\n"


def every(opened):
    for chosen in product(*opened.numbers.values()):
        values = dict(zip(opened.numbers, chosen, strict=True))
        file = opened.filled(values)
        bet = solve(file.game).bet()
        yield values, bet, progressive(bet, file.progressives["boxcars"]).edge


@pytest.mark.parametrize("wish", ["plain", "edge", "calm", "top"])
@pytest.mark.parametrize("award", [FILE, FILE + LIMIT, (FILE + LIMIT).replace('on = "12"\n', "")])
def test_the_edge_of_the_long_run_is_what_is_sought(award, wish):
    opened = parse_opened(award)
    low, high = Fraction(1, 50), Fraction(3, 20)
    wanted = {
        tuple(values.items()): edge for values, _, edge in every(opened) if low <= edge <= high
    }
    assert wanted
    bare = {tuple(v.items()) for v, bet, _ in every(opened) if low <= bet.edge <= high}
    assert bare != {*wanted}, "or the award would not matter"
    found = tune(opened, edge="2%..15%", top=1_000, wish=wish)
    assert {tuple(t.numbers.items()): t.figures["boxcars"].edge for t in found} == wanted
    if wish == "edge":
        far = [abs(t.figures["boxcars"].edge - (low + high) / 2) for t in found]
        assert far == sorted(far)


def test_bounds_of_the_volatility_hold_beside_an_award():
    opened = parse_opened(FILE)
    found = tune(opened, edge="0%..10%", volatility="2..4", top=1_000)
    expected = [
        values
        for values, bet, edge in every(opened)
        if 0 <= edge <= Fraction(1, 10) and 4 <= bet.variance <= 16
    ]
    assert found.count == len(expected) > 0


def test_where_nothing_is_found_the_nearest_edges_are_of_the_long_run():
    opened = parse_opened(FILE)
    edges = [edge for _, _, edge in every(opened)]
    above = min(edge for edge in edges if edge > Fraction(4, 5) or edge > 0)
    assert above
    low, high = Fraction("0.0101"), Fraction("0.0102")
    assert not any(low <= edge <= high for edge in edges)
    (note,) = tune(opened, edge="1.01%..1.02%").notes
    assert f"({max(e for e in edges if e < low)}) below" in note
    assert f"({min(e for e in edges if e > high)}) above" in note
    frontier = tune(opened, edge="..99%").frontier()
    assert min(edge for edge, *_ in frontier) < 0 or min(edges) >= 0


def test_tiers_and_the_written_file_keep_the_award(tmp_path, capsys):
    source, best = tmp_path / "open.toml", tmp_path / "best.toml"
    source.write_text(FILE)
    assert main(["tune", str(source), "--edge", "2%..5%", "-o", str(best)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "of the long run, with the award" in said
    file = read_game(best)
    edge = progressive(solve(file.game).bet(), file.progressives["boxcars"]).edge
    assert Fraction(1, 50) <= edge <= Fraction(1, 20)
    ladder = tiers(parse_opened(FILE), ["8%", "4%"], within="2%").ladder
    assert len(ladder) == 2
    assert all(
        abs(table.figures["boxcars"].edge - aim) <= Fraction(1, 50)
        for table, aim in zip(ladder, (Fraction(2, 25), Fraction(1, 25)), strict=True)
    )


CHOICE = """
format = 1
name = "Craps"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
point = "1..3"
surrender = "-1/2"
[progressive.pass]
on = "natural"
seed = 1
share = "1%"
"""


def test_an_award_where_the_player_chooses_is_refused():
    with pytest.raises(RulesError, match="depend on the meter"):
        tune(parse_opened(CHOICE), edge="0%..5%")
