"""Tiers of one table, the frontier of all, and how they are drawn."""

from itertools import product
from pathlib import Path

import pytest
from tests.variants.open_games import CRAPS, FAST, THREE

from sevenout.errors import RulesError
from sevenout.rules.gamefiles.open_parameters import parse_opened
from sevenout.variants import tiers, tune


def test_tiers_change_little():
    pays = '{ "4,10" = "1..3 by 1/4", "5,9" = "1..2 by 1/4", "6,8" = "1/2..1 by 1/4" }'
    text = f"{CRAPS}[line.bets.pass]\npoint = {pays}\n"
    opened = parse_opened(text)
    ladder = tiers(opened, ["8%", "5%", "2%"], within="1%")
    assert [tier.criteria.bounds["pass"].edge.text for tier in ladder.tiers] == [
        f"{edge} % ± 1 %" for edge in (8, 5, 2)
    ]
    every_tier = [tune(opened, edge=e, within="1%", top=500).tables for e in ("8%", "5%", "2%")]

    def apart(one, other):
        return sum(one.numbers[n] != other.numbers[n] for n in opened.numbers)

    fewest = min(
        (apart(a, b) + apart(b, c), a.cost + b.cost + c.cost) for a, b, c in product(*every_tier)
    )
    assert (sum(ladder.changes), sum(t.cost for t in ladder.ladder)) == fewest
    assert "8 % ± 1 %" in str(ladder)
    # the rows of the ladder are the tiers, so its order is not that of a tier's tables
    assert "the plainest. The best of a tier are its first 250" in " ".join(str(ladder).split())
    none = tiers(opened, ["8%", "8.0001%"])
    assert none.ladder == ()
    assert "nearest" in str(none)


def test_the_frontier_holds_every_table():
    opened = parse_opened(FAST)
    found = tune(opened, edge="0..10%")
    points = found.frontier("pass", bins=1)
    roots = [table.figures["pass"].volatility for table in found]
    assert points[0][1:] == pytest.approx((min(roots), max(roots)))
    assert sum(1 for _ in found.frontier(bins=7)) <= 7
    with pytest.raises(RulesError, match="no open pay"):
        found.frontier("field")
    with pytest.raises(RulesError, match="'' has no open pay"):
        found.frontier("")
    with pytest.raises(RulesError, match="no frontier"):
        tune(opened, edge="99%..100%").frontier()


def test_a_tier_of_one_bet_leaves_the_others_alone():
    ladder = tiers(parse_opened(THREE), ["pass=30%", "pass=20%"], within="20%")
    assert "; any" not in str(ladder)
    assert [tier.criteria.bounds["doubt"].edge.is_unbounded for tier in ladder.tiers] == [
        True,
        True,
    ]


def test_tables_of_one_volatility_are_one_mark_and_ranks_of_one_place_stand_together():
    from sevenout.papers.plots import frontier

    file = Path(__file__).parents[2] / "docs" / "examples" / "three-bets-open.toml"
    found = tune(file, edge="4%..6%", top=5)
    axes = frontier(found).axes[0]
    marks = [line.get_label() for line in axes.lines]
    assert marks.count("one volatility") == 1
    ranks = [int(k) for text in axes.texts for k in text.get_text().split(", ")]
    assert sorted(ranks) == [1, 2, 3, 4, 5]
    assert len({text.xy for text in axes.texts}) == len(axes.texts)
    ticks = axes.get_xticks()
    shown = axes.xaxis.get_major_formatter().format_ticks(ticks)
    assert [float(text.removesuffix(" %")) for text in shown] == pytest.approx(100 * ticks)


@pytest.mark.parametrize("top", [-1, True, 2.5])
def test_a_number_of_tables_that_is_none_is_refused_for_tiers(top):
    """The last table was left out for -1."""
    with pytest.raises(RulesError, match=f"top={top}; return from 0"):
        tiers(parse_opened(THREE), ["5%"], top=top)


def test_a_tolerance_that_no_edge_takes_is_refused():
    """It was dropped."""
    opened = parse_opened(THREE)
    for edge in (None, "1%..30%", {"pass": (None, "30%")}):
        with pytest.raises(RulesError, match="within='1%' is for an edge that is one number"):
            tune(opened, edge=edge, within="1%")
    with pytest.raises(RulesError, match="within='1%' is for an edge that is one number"):
        tiers(opened, ["1%..30%", "..5%"], within="1%")
    mixed = tiers(opened, ["pass=30%", "0%..25%"], within="20%").tiers
    assert [tier.count for tier in mixed] == [
        tune(opened, edge="pass=30%", within="20%").count,
        tune(opened, edge="0%..25%").count,
    ]


def test_few_tables_are_marks_and_many_a_line():
    from sevenout.papers.plots import frontier

    few, many = (
        frontier(tune(parse_opened(FAST.replace("1..10", values)), edge="0..10%")).axes[0]
        for values in ("1..10", "1..8 by 1/2")
    )
    assert {line.get_linestyle() for line in few.lines} == {"None"}
    assert {line.get_linestyle() for line in many.lines} == {"-"}
