"""The metrics of a bet: known answers, and formulas found another way.

When a bet may be made again, and so what it costs an hour.
"""

import json
import re
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from pathlib import Path
from runpy import run_path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.errors import RulesError
from sevenout.model import explore
from sevenout.papers.game_sheet import sheet
from sevenout.papers.subject import subject_of
from sevenout.rules import Checklist, JointGame, PointGame, Progressive
from sevenout.rules.gamefiles.gamefile import GameFile, game_text, parse_game
from sevenout.solving import solve
from sevenout.solving import totals as totals_module
from sevenout.solving.awards import progressive
from sevenout.solving.long_run import long_run
from sevenout.solving.metrics import Metrics, cycle, two_sided_z
from sevenout.solving.totals import Lattice, Total

CRAPS = Metrics(solve(games["craps"]).bet())
FAST = Metrics(solve(games["fast-craps"]).bet("pass"))
AWARD = Progressive(seed=5, share="1%", on="natural")
BRICK = Metrics(solve(games["fast-craps"]).bet("brick"))

amounts = st.fractions(min_value=-3, max_value=3, max_denominator=4)
laws = st.dictionaries(amounts, st.integers(1, 9), min_size=1, max_size=4).map(
    lambda weights: {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}
)


def by_hand(law: dict[Fraction, Fraction], n: int) -> dict[Fraction, Fraction]:
    total: dict[Fraction, Fraction] = {}
    for draws in product(law.items(), repeat=n):
        p = Fraction(1)
        for _, q in draws:
            p *= q
        x = sum(x for x, _ in draws)
        total[x] = total.get(x, Fraction(0)) + p
    return total


@given(laws, st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_a_total_is_the_sum_of_all_draws(law, n):
    total, expected = Total(law, n), by_hand(law, n)
    assert {x: total.pmf(x) for x in expected} == expected
    assert total.cdf(max(expected)) == 1
    assert total.pmf(min(expected) + total.lattice.unit / 2) == 0
    assert total.cdf(min(expected) - 1) == 0
    assert total.bound == 0


@given(laws, st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_a_certified_total_brackets_the_exact_one(law, n):
    exact = Total(law, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(totals_module, "EXACT_BITS", -1)
        rounded = Total(law, n)
        assert (exact.status, rounded.status) == ("exact", "certified")
        assert 0 <= rounded.bound < Fraction(1, 10**30)
        for k in range(len(exact._window[1])):
            x = exact.value(k)
            assert rounded.cdf(x) <= exact.cdf(x) <= rounded.cdf(x) + rounded.bound


def test_a_window_is_as_wide_as_it_must_be():
    """Ten million bets on an award of 999 to 1, against the normal law and Wald's mean."""
    law = {Fraction(-1): Fraction(9989, 10_000), Fraction(999): Fraction(11, 10_000)}
    total = Total(law, 10_000_000)
    assert total.status == "certified"
    assert 0 < total.bound < Fraction(1, 10**25)
    assert len(total._window[1]) < 1_500_000
    spread = float(10_000_000 * (Fraction(11, 10_000) * 1000**2 - Fraction(11, 10) ** 2)) ** 0.5
    for q, z in ((Fraction(1, 40), -1.959964), (Fraction(1, 2), 0), (Fraction(39, 40), 1.959964)):
        assert float(total.quantile(q)) == pytest.approx(1_000_000 + z * spread, abs=0.02 * spread)


@given(laws)
@settings(max_examples=40, deadline=None)
def test_a_lattice_holds_its_law(law):
    lattice = Lattice.of(law)
    points = {lattice.low + k * lattice.unit: w for k, w in lattice.points}
    assert {x: Fraction(w, lattice.denominator) for x, w in points.items()} == law


def test_a_fine_lattice_costs_no_room():
    odd = 1 + Fraction(1, 10**15)
    law = {Fraction(-1): Fraction(1, 4), Fraction(0): Fraction(1, 4), odd: Fraction(1, 2)}
    assert Lattice.of(law).span == 2 * 10**15 + 1
    assert not Total.is_small(law, 10)


def test_known_figures_of_the_pass_line():
    assert CRAPS.bet.edge == Fraction(7, 495)
    assert CRAPS.n0 == Fraction(244976, 245025) / Fraction(7, 495) ** 2 == Fraction(244976, 49)
    assert CRAPS.hit_frequency == Fraction(244, 495)
    assert CRAPS.maximum_exposure == CRAPS.maximum_risk == 1
    assert CRAPS.volatility_index() == pytest.approx(1.959964 * sqrt(1 - (7 / 495) ** 2), abs=1e-6)
    assert [(a.pays, a.one_in) for a in CRAPS.awards] == [
        (1, Fraction(9, 2)),
        (1, Fraction(495, 134)),
    ]


def test_known_figures_of_fast_craps():
    assert FAST.push_frequency == Fraction(1, 6)
    assert FAST.maximum_exposure == 5
    assert BRICK.maximum_exposure == 25
    assert [award.one_in for award in BRICK.awards] == [Fraction(104976, 2887)]


def test_the_pace_of_rolls_and_of_bets_agree():
    rolls_an_hour = 100
    bets_an_hour = rolls_an_hour / CRAPS.bet.rolls
    assert CRAPS.hourly_loss(rolls=rolls_an_hour) == CRAPS.hourly_loss(bets=bets_an_hour)
    assert CRAPS.hourly_loss(bets=495, stake=2) == 14


def test_the_interval_is_that_of_the_binomial_law():
    n, p = 50, CRAPS.bet.p_win
    pmf = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    low = next(k for k in range(n + 1) if sum(pmf[: k + 1]) >= Fraction(1, 40))
    high = next(k for k in range(n + 1) if sum(pmf[: k + 1]) >= Fraction(39, 40))
    interval = CRAPS.interval(n)
    assert (interval.low, interval.high) == (Fraction(2 * low, n), Fraction(2 * high, n))
    assert interval.coverage == sum(pmf[low : high + 1]) >= Fraction(19, 20)


@pytest.mark.parametrize("metrics", [CRAPS, FAST, BRICK])
def test_the_interval_tends_to_the_normal_one(metrics):
    exact, normal = metrics.interval(20_000), metrics.interval(20_000, method="normal")
    assert exact.method == "certified"
    assert float(exact.low) == pytest.approx(float(normal.low), abs=2e-3)
    assert float(exact.high) == pytest.approx(float(normal.high), abs=2e-3)
    assert metrics.interval(20_000, "99/100").low < exact.low


def test_bets_needed_gives_the_interval_asked_for():
    n = CRAPS.bets_needed("1/100")
    half = CRAPS.bet.rtp - CRAPS.interval(n, method="normal").low
    assert float(half) == pytest.approx(0.01, rel=1e-4)
    assert float(half) <= 0.01 + 1e-9
    assert n == pytest.approx((two_sided_z("19/20") * CRAPS.bet.std / 0.01) ** 2, abs=1)


def test_the_house_pays_nothing_on_a_bet_that_never_wins():
    from sevenout.rules import PayTable, PointGame

    never = {"x": PayTable(natural=-1, craps=0, point=-1)}
    bet = solve(PointGame([7, 11], [2, 3, 12], 7, bets=never)).bet()
    assert Metrics(bet).maximum_exposure == 0


def test_a_fair_bet_has_no_n0():
    from sevenout.rules import PayTable, PointGame

    fair = PointGame([7], [2, 12], 7, bets={"fair": PayTable(natural=0, craps=0, point=1, out=-1)})
    bet = solve(fair).bet("fair")
    even = PointGame([7], [2, 12], 7, bets={"even": PayTable(natural=0, craps=0, point=0, out=0)})
    assert Metrics(bet).n0 == bet.variance / bet.edge**2
    assert Metrics(solve(even).bet("even")).n0 is None
    assert Metrics(solve(even).bet("even")).awards == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CRAPS.interval(0), "0 bets"),
        (lambda: CRAPS.interval(10, "1"), "confidence of 1"),
        (lambda: CRAPS.interval(10, method="exact"), "method='exact'; give 'auto', 'convolution'"),
        (lambda: CRAPS.bets_needed(0), "error of 0"),
        (CRAPS.hourly_loss, "one pace"),
        (lambda: CRAPS.hourly_loss(rolls=1, bets=1), "one pace"),
        (lambda: CRAPS.interval(10**12, method="convolution"), "normal"),
        (lambda: Total({Fraction(1): Fraction(1)}, 0), "0 bets"),
        (lambda: Total({Fraction(1): Fraction(1)}, 2).central_moment(5), "moment 5"),
        (lambda: CRAPS.interval(True), "True bets"),
        (lambda: Metrics("pass"), "'pass' has no metrics"),
        (lambda: Metrics(CRAPS.bet, award=AWARD), "Progressive.* is no award of this bet"),
        (lambda: Metrics(FAST.bet, award=progressive(CRAPS.bet, AWARD)), "no award of this bet"),
    ],
)
def test_errors_name_the_wrong_value(call, message):
    with pytest.raises(RulesError, match=message):
        call()


def test_as_pages():
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    Console(file=out, width=80).print(CRAPS)
    assert "1.4141 %" in out.getvalue()
    assert (
        'N0, in bets</th><td class="exact"></td><td class="number">5,000</td>'
        in CRAPS._repr_html_()
    )


def test_figures_of_thousands_of_digits_are_data_too():
    long = solve(PointGame([7, 11], [2, 3, 12], 7, limit=1000)).bet()
    data = Metrics(long).to_dict()
    assert len(data["n0"]) > 4300
    award = progressive(long, Progressive(10, "1%", "natural", must_hit_by=90)).to_dict()
    assert len(award["award_variance"]) > 4300


def test_as_data():
    data = CRAPS.to_dict()
    assert data["edge"] == "7/495"
    assert data["n0"] == "244976/49"
    assert data["awards"][0] == {"event": "natural", "pays": "1", "one_in": "9/2"}


PAID_TURN = """
import sevenout as so


class PaidTurn(so.Game):
    dice, start = so.d6, 0

    def choices(self, points):
        return {"roll": points, "hold": so.settle("hold", {"turn": points})}

    def step(self, points, face):
        return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)


def held(points):
    return "roll" if points < 20 else "hold"


def early(points):
    return "roll" if points < 9 else "hold"
"""


def test_a_score_has_a_mean_and_no_edge(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paid.py").write_text(PAID_TURN)
    asked = ["paid.py", "--policy", "paid.py:held"]
    assert main(["odds", *asked, "--json"]) == 0
    (bet,) = json.loads(capsys.readouterr().out)["bets"]
    assert bet["mean"] == "492303203/60466176"
    edges = ("edge", "edge_resolved", "edge_per_roll", "element_of_risk", "rtp")
    assert [bet[name] for name in edges] == [None] * 5
    forever = ["--bankroll", "20", "--forever"]
    assert main(["evening", *asked, *forever, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edge"] is None
    for words in (
        ["compare", "paid.py@paid.py:held", "paid.py@paid.py:early"],
        ["compare", "paid.py@paid.py:held", "paid.py@paid.py:early", "--json"],
        ["evening", *asked, *forever],
    ):
        assert main(words) == 0
        said = capsys.readouterr().out
        assert not any(word in said for word in ("edge", "volatility", "exposure", "N0"))
    paid = run_path("paid.py")
    data = Metrics(solve(explore(paid["PaidTurn"]()).under(paid["held"])).bet()).to_dict()
    assert data["n0"] is data["volatility_index_95"] is data["maximum_exposure"] is None


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


def cycle_by_hand(start, bet):
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

    return cycle_by_hand(frozenset(totals), bet)


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
    table = JointGame(games["craps"], games["fast-craps-brick"], games["place-6-8"])
    solution = so.solve(table)
    found = {name: cycle(table, solution.bet(name)) for name in ("pass", "brick", "place")}
    assert found["pass"] == ROUND
    assert found["place"] == Fraction(36, 11)
    two = JointGame(games["craps"], early)
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
