"""Strategies side by side at one table, scaled to its minimum and clipped at its maximum."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf

import pytest
from tests.evenings.by_hand_evening import WAYS, Evening

from sevenout import questions
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import Martingale, strategies
from sevenout.catalogue.strategies.craps_strategies import Scaled
from sevenout.documents import Certified
from sevenout.evenings import Plan, evening
from sevenout.evenings.evening_plan import at_the_minimum
from sevenout.evenings.evening_result import EveningComparison
from sevenout.papers.plots import evenings
from sevenout.simulation.played_evenings import play_evenings
from sevenout.verify.agreement import confirm_evenings

MOLLY = strategies("three-point-molly", amount=5)
ALWAYS = (
    *("ends by ruin", "least bet", "most at risk at once", "handle per hour"),
    "expected loss per hour",
)


def at_risk(strategy, bankroll, rolls, **how):
    """The most and the least that lies on the felt, and on a flat bet, before any roll."""
    most, least = 0, 10**9
    for totals in product(WAYS, repeat=rolls - 1):
        played = Evening(strategy, bankroll, **how)
        for total in (*totals, None):
            felt = played.felt
            most = max(most, sum(felt.values()) + sum(played.box.values()))
            flat = [amount for bet, amount in felt.items() if not bet.endswith("odds")]
            least = min(least, *flat, 10**9)
            if total is None or played.end is not None:
                break
            played.roll(total)
    return most, least


@pytest.mark.parametrize(
    ("strategy", "bankroll", "house"),
    [
        (MOLLY, 1000, {}),
        (MOLLY, 40, {}),
        (strategies["iron-cross"], 30, {}),
        (strategies["three-point-dolly"], 30, {}),
        (strategies["pass-any-craps"], 30, {"vig": "up front"}),
    ],
)
def test_what_is_at_risk_is_as_by_hand(strategy, bankroll, house):
    plan = Plan.of(strategy, bankroll, rolls=4, house=House(**house))
    most, least = at_risk(strategy, bankroll, 4)
    exact = plan.solve()
    assert (exact.most_at_risk, exact.least_bet) == (most, least)
    from tests.evenings.by_lattice import by_lattice

    near = by_lattice(plan)
    assert (near.most_at_risk, near.least_bet) == (most, least)


def test_a_commission_is_at_risk_too():
    from tests.evenings.test_commission import Each

    house = House(vig="up front", working=True)
    ended = evening(Each("buy 4", 20), 100, rolls=3, house=house)
    assert (ended.most_at_risk, ended.least_bet) == (21, 20)


def test_an_hour_is_so_many_rolls_and_costs_the_edge_of_what_is_bet_in_it():
    for pace in (50, 100):
        ended = evening("pass", 1000, rolls=200, pace=pace, standing="out")
        hours = ended.mean_rolls / pace
        assert ended.handle_per_hour == ended.handle / hours
        assert ended.loss_per_hour == -ended.mean / hours
        assert float(ended.loss_per_hour / ended.handle_per_hour) == pytest.approx(7 / 495)
        assert ended.to_dict()["loss_per_hour"] == pytest.approx(float(ended.loss_per_hour))


def test_the_data_of_an_evening_are_its_figures():
    result = evening("pass", 3, rolls=4, pace=50)
    assert result.to_dict() == {
        "strategy": "Pass line",
        "rolls": 4,
        "hours": None,
        "bankroll": "3",
        "ends": {"time": "728/729", "ruin": "1/729"},
        "ahead": str(result.ahead),
        "mean": str(result.mean),
        "std": result.profit.std,
        "quantiles": {"1/20": "-2", "1/4": "-1", "1/2": "0", "3/4": "1", "19/20": "2"},
        "status": "exact",
        "bound": 0.0,
        "mean_rolls": "2915/729",
        "rolls_to_ruin": 3.0,
        "mean_bets": str(result.mean_bets),
        "handle": str(result.handle),
        "edge": str(-result.mean / result.handle),
        "most_at_risk": "1",
        "least_bet": "1",
        "pace": 50,
        "handle_per_hour": str(result.handle_per_hour),
        "loss_per_hour": str(result.loss_per_hour),
        "refused": "1/729",
        "clipped": [],
        "positions": 4,
    }
    assert evening("pass", 3, hours="3/50", pace=50).to_dict()["hours"] == "3/50"
    assert replace(result, least_bet=None).to_dict()["least_bet"] is None


def test_the_page_of_an_evening_prints_its_figures():
    lines = str(evening("pass", 3, rolls=4)).splitlines()
    assert [re.split(r"  +", line) for line in lines[2:] if "  " in line] == [
        ["ends by ruin", "0.1372 %"],
        ["ends by time", "99.8628 %"],
        ["ahead", "33.1097 %"],
        ["mean result", "+0.1080"],
        ["standard deviation", "1.11"],
        ["result at 5 %, 50 %, 95 %", "-2, 0, +2"],
        ["least bet", "1"],
        ["most at risk at once", "1"],
        ["handle per hour", "30.67"],
        ["expected loss per hour", "-2.70"],
        ["mean rolls", "4.00"],
        ["mean rolls of the ruined", "3.00"],
        ["mean bets", "1.23"],
        ["money bet", "1.23"],
        ["lost per unit bet", "-8.8027 %"],
        ["bets that could not be made", "0.00"],
        ["positions", "4"],
        ["status", "exact"],
    ]


def test_every_comparison_says_all_that_it_takes_to_compare():
    names = ("pass", "three-point-molly", "iron-cross")
    both = EveningComparison(tuple(evening(name, 60, rolls=30) for name in names))
    (table,) = (block for block in both.page().blocks if hasattr(block, "rows"))
    rows = {row[0]: row[1:] for row in table.rows}
    for what in ALWAYS:
        assert None not in rows[what]
        assert "" not in rows[what]
    assert list(map(str, rows["least bet"])) == ["1", "1", "5"]


def test_the_page_of_evenings_side_by_side_has_a_row_for_every_figure():
    """The ends are first, then what every evening has; notes say what the figures leave out."""
    both = evening("pass", 3, rolls=2), evening("place-6-8", 14, rolls=2, stop_loss=6)
    page = str(EveningComparison(both))
    assert [re.split(r"  +", line) for line in page.splitlines()[3:22]] == [
        ["ends by ruin", "0.0000 %", "0.0000 %"],
        ["ends by time", "100.0000 %", "88.8889 %"],
        ["ends by stop loss", "–", "11.1111 %"],
        ["ahead", "27.4691 %", "18.5185 %"],
        ["mean result", "+0.1142", "-0.0370"],
        ["standard deviation", "0.80", "5.01"],
        ["result at 5 %, 50 %, 95 %", "-1, 0, +1", "-12, 0, +7"],
        ["least bet", "1", "6"],
        ["most at risk at once", "1", "12"],
        ["handle per hour", "31.64", "122.22"],
        ["expected loss per hour", "-5.71", "1.85"],
        ["mean rolls", "2.00", "2.00"],
        ["mean rolls of the ruined", "–", "–"],
        ["mean bets", "0.63", "0.41"],
        ["money bet", "0.63", "2.44"],
        ["lost per unit bet", "-18.0488 %", "1.5152 %"],
        ["bets that could not be made", "0.00", "0.00"],
        ["positions", "4", "7"],
        ["status", "exact", "exact"],
    ]
    notes = page.rpartition("━")[2].split()
    assert " ".join(notes) == (
        "Bets that still stand at the end count at their stakes, so the loss per unit bet is not "
        "the edge. To play them out, give --standing out; in Python and in a file, "
        'standing="out". The least bets differ: 1, 6. To compare them at one table, give its '
        "minimum (house: minimum=5) and scale."
    )
    assert EveningComparison(both).to_dict() == {"evenings": [result.to_dict() for result in both]}


def test_an_evening_prints_as_its_main_figures():
    assert repr(evening("pass", 3, rolls=4)) == (
        "<Pass line, a bankroll of 3: ruin 0.1372 %, ahead 33.1097 %, mean +0.11; exact>"
    )


def test_certified_figures_are_numbers_with_their_bound_beside_them():
    exact, certified = evening("pass", 3, rolls=4), evening("pass", 3, rolls=50)
    figures = {fact.name: fact.value for fact in certified.facts().facts}
    assert figures["ends by ruin"] == Certified(certified.ruin, certified.bound)
    assert figures["ahead"] == Certified(certified.ahead, certified.bound)
    assert figures["mean result"] == float(certified.mean)
    status = certified.status_fact
    assert (status.name, status.value) == (
        "certified within",
        certified.status.split(" within ")[1],
    )
    data = certified.to_dict()
    assert data["bound"] == float(certified.bound) > 0
    assert data["ends"] == {end: float(p) for end, p in certified.ends.items()}
    table = EveningComparison((exact, certified)).distribution_table()
    heads = ["result", "Pass line", "Pass line", "Pass line within"]
    assert [column.head for column in table.columns] == heads
    rows = {row[0]: tuple(row[1:]) for row in table.rows}
    p, other = exact.profit.pmf(-3), certified.profit.pmf(-3)
    assert rows["-3"] == (str(p), repr(float(other)), repr(data["bound"]))
    assert rows["9"][0] is None, "four rolls win 4 at most"
    assert list(rows) == [str(profit) for profit in sorted(map(Fraction, rows))]


def test_the_distributions_of_evenings_stand_side_by_side():
    table = EveningComparison(
        (evening("pass", 3, rolls=1), evening("dont-pass", 3, rolls=1))
    ).distribution_table()
    assert [column.head for column in table.columns] == ["result", "Pass line", "Don't pass"]
    assert [list(map(str, row)) for row in table.rows] == [
        ["-1", "1/9", "2/9"],
        ["0", "2/3", "25/36"],
        ["1", "2/9", "1/12"],
    ]


def test_ruin_is_said_where_nobody_is_ruined():
    rich = evening("pass", 300, rolls=4)
    assert rich.ruin == 0
    assert "ends by ruin" in str(rich)
    assert "ruin" in str(EveningComparison((rich, replace(rich, name="again"))))


def test_tables_that_differ_are_called_so():
    def said(*results):
        return " ".join(str(EveningComparison(results)).split())

    molly, cross = (evening(s, 300, rolls=4) for s in ("three-point-molly", "iron-cross"))
    alike = Plan.of(MOLLY, 300, rolls=4, name="Molly").solve()
    assert "The least bets differ: 1, 5." in said(molly, cross)
    assert "differ" not in said(alike, cross)
    assert alike.least_bet == cross.least_bet == Fraction(5)
    double = replace(cross, least_bet=Fraction(10))
    assert "The least bets differ: 5, 10." in said(cross, double)
    assert "differ" not in said(cross, replace(cross, least_bet=Fraction(19, 2)))


TABLE = House(minimum=10, props=1, maximum=500)


@pytest.mark.parametrize("name", ["pass-odds", "three-point-dolly", "place-6-8", "risk-12"])
def test_scaled_by_two_is_twice_the_money(name):
    one = Plan.of(name, 60, rolls=4).solve()
    two = Plan.of(Scaled(strategies[name], 2), 120, rolls=4).solve()
    assert dict(two.money.items()) == {2 * m: p for m, p in one.money.items()}
    assert (two.handle, two.mean_bets, two.most_at_risk) == (
        2 * one.handle,
        one.mean_bets,
        2 * one.most_at_risk,
    )


@pytest.mark.parametrize(
    ("name", "times"),
    [("pass", 10), ("place-6-8", 2), ("iron-cross", 2), ("pass-any-craps", 2), ("squeeze", 1)],
)
def test_a_strategy_is_scaled_to_the_least_of_every_bet(name, times):
    plan = at_the_minimum(Plan.of(name, 600, rolls=20, house=TABLE))
    assert plan.name.endswith(f"(×{times})") == (times > 1)
    least = plan.solve().least_bet
    assert least is not None
    assert times == 1 or 10 <= least < 10 * times / (times - 1) or name == "pass-any-craps"


def martingale_by_hand(rounds, most):
    """The evening of a martingale of 5, round by round: what is bet is clipped at the most."""
    win = Fraction(244, 495)
    law = {(0, 5): Fraction(1)}
    for _ in range(rounds):
        then = {}
        for (money, wanted), p in law.items():
            bet = min(wanted, most)
            for to, share in (((money + bet, 5), win), ((money - bet, 2 * wanted), 1 - win)):
                then[to] = then.get(to, 0) + p * share
        law = then
    found = {}
    for (money, _), p in law.items():
        found[money] = found.get(money, 0) + p
    return found


def test_a_martingale_is_clipped_at_the_maximum():
    house = House(minimum=5, maximum=25)
    result = evening(Martingale(5), 1000, bets=6, house=house)
    assert result.clipped == ("pass",)
    money = {m: float(p) for m, p in result.profit.items() if p > result.bound}
    by_hand = martingale_by_hand(6, 25)
    assert {m: pytest.approx(float(p), abs=1e-9) for m, p in by_hand.items()} == money
    assert evening(Martingale(5), 1000, bets=6).clipped == ()
    assert "wants more than the table's most on pass." in " ".join(str(result).split())
    assert result.most_at_risk == 25


def test_played_evenings_are_clipped_too():
    plan = Plan.of("martingale", 200, rolls=60, house=House(maximum=10))
    assert confirm_evenings(play_evenings(plan, 20_000, seed=3), plan.solve()).agrees
    sitting = plan.sitting()
    while not any(moment.clipped for moment in sitting.moments):
        sitting.roll((3, 4) if sitting.point else (2, 1))
    assert sitting.bets == {"pass": 10}


def test_what_is_clipped_is_said_beside_another_strategy():
    answer = questions.evening("martingale", "pass", bankroll=60, rolls=40, house="maximum=4")
    assert (
        "Martingale: the strategy wants more than the table's most on pass. The dealer takes the "
        "most and gives the rest back."
    ) in " ".join(str(answer).split())
    assert [each["clipped"] for each in answer.to_dict()["evenings"]] == [["pass"], []]


def test_strategies_are_scaled_side_by_side_in_one_question():
    answer = questions.evening(
        "pass", "iron-cross", bankroll=100, rolls=5, house="minimum=10,props=1", scale="yes"
    )
    found = answer.to_dict()["evenings"]
    assert [each["strategy"] for each in found] == ["Pass line (×10)", "Iron cross (×2)"]
    assert [each["least_bet"] for each in found] == ["10", "10"]


def test_each_of_three_overlapping_fans_has_its_own_panel():
    names = ("pass", "pass-odds", "dont-pass")
    results = [evening(name, 50, rolls=30) for name in names]
    figure = evenings(results)
    passed, *fans = figure.axes
    assert [axes.get_title(loc="left") for axes in fans] == [result.name for result in results]
    assert [len(axes.collections) for axes in fans] == [2, 2, 2]
    assert len({axes.get_ylim() for axes in fans}) == 1, "one scale"
    for axes, result in zip(fans, results, strict=True):
        medians = {tuple(line.get_ydata()) for line in axes.lines}
        assert tuple(float(row[2]) for row in result.fan) in medians
    assert [line.get_label() for line in passed.lines[:3]] == [result.name for result in results]
    assert inf not in figure.get_size_inches()
    assert isinstance(EveningComparison(tuple(results)).to_dict(), dict)
