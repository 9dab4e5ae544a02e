"""Evenings as others know them: figures from books, peaks and troughs, who is ruined when."""

from fractions import Fraction

import pytest
from tests.evenings.by_hand_evening import law

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import Bold, strategies
from sevenout.errors import RulesError
from sevenout.evenings import EveningComparison, Plan, bankroll_for, evening, session
from sevenout.rolling import Law
from sevenout.rules.casino.betting import FlatBetting, Strategy
from sevenout.rules.casino.felt import OneBet
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.solving import solve


def test_the_pass_line_from_20_to_40():
    result = so.evening("pass", bankroll=20, target=40)
    p = Fraction(244, 495)
    r = (1 - p) / p
    assert result.reached == (1 - r**20) / (1 - r**40)
    assert float(result.reached) == 0.36223094043967774
    assert result.ruin == 1 - result.reached


@pytest.mark.parametrize(("target", "chance"), [(4, "59536/245025"), (3, "59536/183781")])
def test_bold_play(target, chance):
    assert evening(Bold(target=target), 1, target=target).reached == Fraction(chance)


@pytest.mark.parametrize(("target", "chance"), [(4, "59536/245025"), (3, "59536/183781")])
def test_nothing_beats_bold_play_in_an_unfair_game(target, chance):
    line = OneBet(solve(games["craps"]).bet().profit)
    best = so.best_evening({"pass": range(1, target)}, 1, target=target, house=line)
    assert best.value == Fraction(chance)
    assert evening(Bold(target=target), 1, target=target).reached == best.value


def test_bold_play_is_the_best_from_each_amount():
    line = OneBet(Law({1: 244, -1: 251}))
    best = so.best_evening({"pass": range(1, 12)}, 1, target=12, house=line)
    for money in range(1, 12):
        bold = f"{min(money, 12 - money)} on pass"
        options = best.options((money, None, (), None, 0))
        assert next(o.cost for o in options if o.name == bold) == 0


def test_a_given_number_of_bets_loses_least_at_the_least_amount():
    line = OneBet(Law({1: 244, -1: 251}))
    best = so.best_evening({"pass": (1, 2, 3)}, 3, rolls=3, house=line)
    assert {made for _, made in best.chosen_bets} == {("1 on pass",)}
    assert best.value == -Fraction(7 * 3, 495)


def test_the_iron_cross_loses_an_88th_of_what_is_on_the_table():
    cross = strategies("iron-cross", come_out=True)
    result = evening(cross, 1000, rolls=2, house=House(working=True, field=(2, 3)))
    assert result.mean / 2 == -Fraction(22, 88)


def test_how_long_a_shooter_lasts():
    result = evening("pass", 10**4, shooters=1)
    assert result.playing_by_roll[153] == pytest.approx(1.7888242615223442e-10, rel=1e-12, abs=0)


@pytest.mark.parametrize(("name", "bet"), [("place-6-8", "place")])
def test_what_is_lost_per_unit_bet_is_the_edge(name, bet):
    result = evening("place-6-8", 10**5, rolls=5)
    assert result.edge == solve(games[name]).bet(bet).edge


def test_peaks_of_the_fan():
    result = evening("three-point-molly", 60, rolls=40)
    assert len(result.fan) == 41
    assert result.fan[0] == (60,) * 5
    assert all(list(row) == sorted(row) for row in result.fan)
    assert result.fan[-1][2] == result.money.quantile("1/2")


class Idle(Strategy):
    def wants(self, table):
        return {}


def test_the_peak_and_the_trough_are_those_of_every_sequence_of_rolls():
    plan = Plan.of("pass-odds", 12, rolls=4)
    found, *_ = law(strategies["pass-odds"], 12, 4, target=15)
    assert plan.ever(least=15) == sum(p for (end, _), p in found.items() if end == "target")
    found, *_ = law(strategies["pass-odds"], 12, 4, loss=5)
    assert plan.ever(most=7) == sum(p for (end, _), p in found.items() if end == "stop loss")


def test_quantiles_of_the_trough_and_of_the_peak():
    plan = Plan.of("pass-odds", 12, rolls=4)
    for q in (Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)):
        low, high = plan.trough(q), plan.peak(q)
        assert plan.ever(most=low) > q if low < 12 else plan.ever(most=11) <= q
        assert low == 0 or plan.ever(most=low - 1) <= q
        assert high == 12 or plan.ever(least=high) > 1 - q
        assert plan.ever(least=high + 1) <= 1 - q
    assert plan.until(floor=7, ceiling=14).peak("99%") <= 14


@pytest.mark.parametrize("ends", [{"bets": 1}, {"bets": 4, "target": 5}, {"bets": 40}])
def test_an_evening_of_so_many_bets_is_a_session_of_the_bet(ends):
    result = evening("pass", 3, **ends)
    bet = session(solve(games["craps"]).bet(), 3, **ends)
    for end, p in bet.ends.items():
        assert abs(result.ends[end] - p) <= result.bound
    for profit, p in bet.profit.items():
        assert abs(result.profit.pmf(profit) - p) <= result.bound
    assert float(result.mean_bets) == pytest.approx(float(bet.mean_bets), rel=1e-12)


def test_weights_may_be_longer_than_any_integer_of_the_machine():
    p = Fraction(10**30 + 7, 3 * 10**30)
    law = {Fraction(1): p, Fraction(-1): 1 - p}
    for ends in ({"bets": 60}, {"target": 20}):
        table = evening(FlatBetting("pass", 1), 10, house=OneBet(Law.of_probabilities(law)), **ends)
        for end, chance in session(law, 10, **ends).ends.items():
            assert abs(table.ends[end] - chance) <= table.bound


def test_how_long_the_ruined_last():
    result = evening("pass", 1, rolls=30)
    tally = simulate_evenings("pass", 1, 20_000, rolls=30)
    ruined = sum(n for (end, _), n in tally.counts.items() if end == "ruin")
    rest = 30 * (20_000 - ruined)
    assert (tally.rolls - rest) / ruined == pytest.approx(result.rolls_to_ruin, rel=0.03)
    assert evening("pass", 50, rolls=3).rolls_to_ruin is None


def test_a_player_who_bets_nothing_keeps_their_bankroll():
    result = evening(Idle(), 10, rolls=3)
    assert dict(result.money.items()) == {10: 1}
    assert (result.handle, result.edge) == (0, None)
    with pytest.raises(RulesError, match="Idle never bets"):
        evening(Idle(), 10, target=20)


def test_results_print_short_in_a_session():
    """Python prints a result that is not assigned: it once took 12,116 characters."""
    fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    results = (
        evening("pass", 30, rolls=100),
        session(fair, 3, bets=4),
        bankroll_for("pass", rolls=9),
    )
    for result in (*results, EveningComparison(results[:1])):
        assert len(repr(result)) < 200
    assert "Pass line" in repr(results[0])
    assert "30" in repr(results[0])
    assert "certified within" in repr(results[0])
    assert repr(results[1]).endswith("exact>")
