"""Sessions against closed forms, brute force, the session of the rules, and the lattice."""

import re
from fractions import Fraction
from itertools import product, zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evenings.by_lattice import by_lattice

from sevenout.catalogue import games
from sevenout.errors import RulesError, SevenoutError, UndecidedError
from sevenout.evenings import Plan, fan, one_bet, risk_of_ruin, session
from sevenout.evenings import money_polynomials as polynomials_module
from sevenout.evenings.money_polynomials import RepeatedBet
from sevenout.evenings.sessions import _cramer
from sevenout.rolling import Law, d6
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules.casino.betting import FlatBetting
from sevenout.rules.casino.felt import OneBet
from sevenout.solving import solve
from sevenout.solving.totals import Total

FAIR = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
CRAPS = solve(games["craps"]).bet()
laws = st.dictionaries(
    st.sampled_from([Fraction(x) for x in ("-5/2", "-1", "-1/2", "0", "1", "3/2", "4")]),
    st.integers(1, 9),
    min_size=2,
    max_size=4,
).map(lambda weights: {x: Fraction(w, sum(weights.values())) for x, w in weights.items()})


def even_money(p: Fraction) -> dict[Fraction, Fraction]:
    return {Fraction(1): p, Fraction(-1): 1 - p}


@given(st.integers(1, 30), st.integers(1, 30), st.fractions("1/10", "9/10", max_denominator=20))
@settings(max_examples=40, deadline=None)
def test_the_gamblers_ruin_in_closed_form(bankroll, more, p):
    result = session(even_money(p), bankroll, target=bankroll + more)
    n = bankroll + more
    if p == Fraction(1, 2):
        reached, rounds = Fraction(bankroll, n), Fraction(bankroll * more)
    else:
        r = (1 - p) / p
        reached = (1 - r**bankroll) / (1 - r**n)
        rounds = (bankroll - n * reached) / (1 - 2 * p)
    assert (result.reached, result.ruin, result.mean_bets) == (reached, 1 - reached, rounds)
    assert result.bound == 0


def by_hand(law, bankroll, stake, target, rounds):
    ends: dict[tuple[str, Fraction], Fraction] = {}
    for draws in product(law.items(), repeat=rounds):
        money, end, p = Fraction(bankroll), "bets", Fraction(1)
        for x, q in draws:
            p *= q
            if end == "bets":
                money += stake * x
                end = "ruin" if money < stake * max(1, -min(law)) else end
                end = "target" if target is not None and money >= target else end
        ends[end, money] = ends.get((end, money), Fraction(0)) + p
    return ends


@given(laws, st.sampled_from([1, 2]), st.sampled_from([5, 6]), st.sampled_from([None, 7, 8]))
@settings(max_examples=30, deadline=None)
def test_bets_by_brute_force(law, stake, bankroll, target):
    result = session(law, bankroll, amount=stake, target=target, bets=4)
    found = by_hand(law, bankroll, stake, target, 4).items()
    assert dict(result.money.items()) == sum_by_key((money, p) for (_, money), p in found)
    assert result.ends == sum_by_key((end, p) for (end, _), p in found)


@given(laws, st.sampled_from([1, 2]), st.sampled_from([None, 8]))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_the_table_of_one_bet_has_the_law_of_the_walk(law, stake, target):
    table, ends = OneBet(Law.of_probabilities(law)), {"bets": 4, "target": target}
    plan = Plan.of(FlatBetting("pass", table.risk * stake), 6, house=table, **ends)
    result, walk = plan.solve(), session(law, 6, amount=stake, **ends)
    assert result.ends.keys() == walk.ends.keys()
    for end, p in walk.ends.items():
        assert abs(result.ends[end] - p) <= result.bound < 1e-11
    for profit, p in walk.profit.items():
        assert abs(result.profit.pmf(profit) - p) <= result.bound
    assert float(result.handle) == pytest.approx(float(stake * walk.mean_bets))


def test_only_a_bet_that_may_be_refused_is_listed():
    assert session(FAIR, 2, bets=4).refused_bets == ("pass",)
    assert session(FAIR, 5, bets=4).refused_bets == ()


def test_money_that_a_stop_loss_leaves_is_played_with():
    """Of 4 units, a stop at 2 leaves 3 in play: columns are amounts, from the least to the most."""
    table = OneBet(Law.of_probabilities(FAIR))
    plan = Plan.of(FlatBetting("pass", 1), 4, house=table, stop_loss=2, bets=3)
    assert plan.repeated_bet is not None
    assert list(plan.repeated_bet.possible(3)) == [(3, 5), (2, 6), (2, 7)]
    assert plan.solve().money.ends == (2, 7)


def test_bets_end_an_evening_of_bets_that_only_push():
    plan = Plan.of(FlatBetting("pass", 1), 6, house=OneBet(Law({Fraction(0): 1})), bets=3)
    assert (plan.solve().ends, plan.solve().mean, plan.solve().mean_bets) == ({"bets": 1}, 0, 3)
    with pytest.raises(RulesError, match="never bets"):
        plan.until(bets=None, ceiling=9).solve()
    idle = Plan.of(FlatBetting("pass", 0), 6, house=OneBet(Law.of_probabilities(FAIR)), bets=3)
    with pytest.raises(RulesError, match="never bets"):
        idle.solve()


def test_nobody_bets_money_that_is_not_there():
    """Pass with double odds loses 3 units at most: whoever has less is ruined, and has it still."""
    odds = solve(games["pass-2x-odds"]).bet()
    evening = session(odds, 10, bets=100)
    assert evening.money.support[0] >= 0
    assert evening.money.cdf("299/100") == evening.ruin > 0
    with pytest.raises(RulesError, match="may cost 3, more than the bankroll of 2"):
        session(odds, 2, bets=5)


@given(laws, st.sampled_from([None, 12]))
@settings(max_examples=20, deadline=None)
def test_a_certified_walk_brackets_the_exact_one(law, target):
    exact = session(law, 6, target=target, bets=25)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polynomials_module, "MAX_BITS", -1)
        rounded = session(law, 6, target=target, bets=25)
    assert exact.bound == 0 <= rounded.bound < Fraction(1, 10**40)
    for money, p in exact.money.items():
        assert 0 <= p - rounded.money.pmf(money) <= rounded.bound
    for end, p in exact.ends.items():
        assert 0 <= p - rounded.ends.get(end, 0) <= rounded.bound
    assert abs(exact.mean_bets - rounded.mean_bets) <= 25 * rounded.bound


@pytest.mark.parametrize("arguments", [{"target": 8}, {"bets": 9}, {"target": 7, "bets": 9}])
def test_the_rules_of_a_session_give_the_same(arguments):
    solution = solve(games["fast-craps-pass"])
    rules = solve(one_bet(solution.as_die(), 4, **arguments).game)
    result = session(solution.bet(), 4, **arguments)
    assert result.ends == rules.labels
    assert result.mean_bets == rules.mean_rolls
    assert {x / 4: p for x, p in result.profit.items()} == dict(rules.bet("evening").profit)


def test_the_mean_of_a_session_that_no_one_is_ruined_in():
    result = session(CRAPS, 100, bets=40)
    assert result.mean == -40 * CRAPS.edge
    assert result.ruin == 0
    assert result.mean_bets == 40


def test_a_long_session_is_certified_and_agrees_with_the_wald_identity():
    result = session(CRAPS, 50, target=100, bets=20_000)
    assert 0 < result.bound < Fraction(1, 10**30)
    endless = session(CRAPS, 50, target=100)
    still_playing = endless.reached - result.reached, endless.ruin - result.ruin
    assert min(still_playing) > 0
    assert abs(sum(still_playing) - result.ends["bets"]) <= 2 * result.bound
    assert float(result.mean) == pytest.approx(-float(CRAPS.edge * result.mean_bets), abs=1e-9)


def test_the_fan_is_the_quantiles_of_the_sessions():
    rows = fan(CRAPS, 10, bets=12, target=15, quantiles=["1/10", "1/2", "9/10"])
    assert len(rows) == 13
    for rounds in (1, 5, 12):
        result = session(CRAPS, 10, bets=rounds, target=15)
        expected = tuple(10 + result.quantile(q) for q in ("1/10", "1/2", "9/10"))
        assert rows[rounds] == expected


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 8), st.sampled_from([1, 2, 3]))
@settings(max_examples=20, deadline=None)
def test_the_ends_of_the_fan_are_the_least_and_the_most_that_a_gambler_can_have(
    bankroll, more, bets, win
):
    law = {Fraction(win): Fraction(1, 3), Fraction(-1): Fraction(2, 3)}
    rows = fan(law, bankroll, bets=bets, target=bankroll + more, quantiles=[0, 1])
    money = {bankroll}
    for row in rows:
        assert row == (min(money), max(money))
        playing = {x for x in money if 0 < x < bankroll + more}
        money = money - playing | {x + gain for x in playing for gain in law}


@given(st.integers(1, 12), st.fractions("11/20", "9/10", max_denominator=20))
@settings(max_examples=20, deadline=None)
def test_the_risk_of_ruin_of_a_gambler_who_never_stops(bankroll, p):
    low, high = risk_of_ruin(even_money(p), bankroll)
    assert low <= ((1 - p) / p) ** bankroll <= high
    assert high - low <= Fraction(1, 10**9)


@pytest.mark.parametrize("win", [1, 2, 3, 4, 5, 6, 7])
def test_the_risk_of_ruin_for_wins_of_any_size(win):
    """All losses are of 1, so ruin from 3 is to fall by 1 three times."""
    root = 0.9  # the probability to fall by 1 at some time, found by repetition
    p = Fraction(3, 2 * win + 3)
    for _ in range(400):
        root = float(1 - p) + float(p) * root ** (win + 1)
    low, high = risk_of_ruin({Fraction(win): p, Fraction(-1): 1 - p}, 3)
    assert low - 1e-12 <= root**3 <= high + 1e-12
    assert high - low <= Fraction(1, 10**9)


def test_the_risk_of_ruin_with_a_jackpot_of_a_million():
    """The powers t^1000000 are no numbers of forty million bits; five losses in a row are ruin."""
    rare = Fraction(1, 100_000)
    low, high = risk_of_ruin({Fraction(10**6): rare, Fraction(-1): 1 - rare}, 5)
    assert (1 - rare) ** 5 <= high
    assert 0 <= low - (1 - rare) ** 5 < Fraction(1, 10**9)


def test_the_plan_of_a_session_is_called_by_its_bet():
    assert one_bet(games["craps"], 9, target=12).name == "pass"


def test_the_risk_of_ruin_without_an_advantage():
    assert risk_of_ruin(CRAPS, 1000) == (1, 1)
    assert risk_of_ruin(FAIR, 3) == (1, 1)
    assert risk_of_ruin({Fraction(0): Fraction(1, 2), Fraction(1): Fraction(1, 2)}, 3) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bankroll": 0, "bets": 1}, "may cost 1, more than the bankroll of 0"),
        ({"bankroll": 5, "target": 5}, "already reaches the target, 5"),
        ({"bankroll": 5, "bets": 1, "amount": 0}, "an amount of 0 per bet"),
        ({"bankroll": 5}, "a target, a number of bets, or both"),
        ({"bankroll": 5, "bets": 0}, "bets=0"),
        ({"bankroll": 5, "bets": "9"}, "bets='9'"),
        ({"bankroll": 5, "bets": 10**7}, "fewer bets"),
        ({"bankroll": 0.5, "bets": 1}, "float"),
        ({"bankroll": "400%", "bets": 1}, "'400%' is not an amount of money"),
        ({"bankroll": 5, "bets": 1, "amount": "50%"}, "'50%' is not an amount of money"),
    ],
)
def test_errors_name_the_wrong_value(arguments, message):
    with pytest.raises(RulesError, match=message):
        session(FAIR, **arguments)
    with pytest.raises(RulesError, match="quantile"):
        session(FAIR, 1, bets=1).quantile(2)
    for wrong in (games["craps"], d6, 3, None, {}):
        with pytest.raises(RulesError, match="not a distribution of profits"):
            session(wrong, 5, bets=1)
        with pytest.raises(RulesError, match="not a distribution of profits"):
            Total(wrong, 5)


def test_the_error_of_a_certified_bet_is_carried_along():
    certified = solve(games["craps"], "certified", digits=20).bet()
    assert certified.bound > 0
    assert session(CRAPS, 5, bets=9).bound == 0
    for arguments in ({"bets": 9}, {"target": 8}):
        rough, true = session(certified, 5, **arguments), session(CRAPS, 5, **arguments)
        assert abs(rough.ruin - true.ruin) <= rough.bound < Fraction(1, 10**15)
        assert rough.bound >= 9 * certified.bound


def test_as_pages():
    from io import StringIO

    from rich.console import Console

    result, out = session(CRAPS, 5, target=8), StringIO()
    Console(file=out, width=80).print(result)
    assert "ends by ruin" in out.getvalue()
    assert "ends by target</th>" in result._repr_html_()


def test_as_data():
    assert session(FAIR, 3, target=4).to_dict() == {
        "amount": "1",
        "target": "4",
        "bets": None,
        "bankroll": "3",
        "ends": {"ruin": "1/4", "target": "3/4"},
        "ahead": "3/4",
        "mean": "0",
        "std": pytest.approx(3**0.5),
        "quantiles": {"1/20": "-3", "1/4": "-3", "1/2": "1", "3/4": "1", "19/20": "1"},
        "mean_bets": "3",
        "status": "exact",
        "bound": 0,
    }


def test_a_session_of_long_fractions_is_data():
    """Ruin takes a hundred losses in a row; Python itself prints no more than 4,300 digits."""
    whole = 10**50 - 1
    ends = session(even_money(Fraction(1, whole)), 100, bets=100).to_dict()["ends"]
    top, bottom = ends["ruin"].split("/")
    assert (len(top), len(bottom)) == (50 * 100, 50 * 100)
    assert bottom.startswith("9" * 40)
    assert bottom.endswith("0" * 40 + "1")  # (10^50 - 1)^100, by the last term of the binomial


SESSIONS = {
    "50 for 100 bets": ("craps", "pass", {"bankroll": 50, "bets": 100}),
    "100 for 1000 bets": ("craps", "pass", {"bankroll": 100, "bets": 1000}),
    "20 to 40": ("craps", "pass", {"bankroll": 20, "target": 40}),
    "100 to 200": ("craps", "pass", {"bankroll": 100, "target": 200}),
    "the field": ("field-3-3", "field", {"bankroll": 12, "bets": 60}),
    "three at risk": ("pass-2x-odds", "pass", {"bankroll": 10, "bets": 60, "target": 30}),
    "three at risk to 25": ("pass-2x-odds", "pass", {"bankroll": 10, "amount": 2, "target": 25}),
}
laws = st.dictionaries(
    st.sampled_from([Fraction(x) for x in ("-5/2", "-1", "-1/2", "0", "1", "3/2", "4")]),
    st.integers(1, 9),
    min_size=2,
    max_size=4,
).map(Law)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_evening_of_one_bet_is_the_session(name):
    game, bet, how = SESSIONS[name]
    made = solve(games[game]).bet(bet)
    evening, its_session = one_bet(games[game], bet=bet, **how).solve(), session(made, **how)
    assert evening.bound == its_session.bound < Fraction(1, 10**40)
    assert (evening.ruin, dict(evening.ends)) == (its_session.ruin, dict(its_session.ends))
    assert dict(evening.money.items()) == dict(its_session.money.items())
    assert evening.mean_rolls == evening.mean_bets == its_session.mean_bets
    assert evening.handle == how.get("amount", 1) * its_session.mean_bets
    wald = -made.edge * evening.handle
    assert evening.mean == wald if not evening.bound else abs(evening.mean - wald) < 1e-35


def by_the_lattice(plan):
    """The same by the engine of all strategies: positions × money, in floats."""
    plan.positions.complete()
    result = by_lattice(plan)
    return result


ends = st.fixed_dictionaries(
    {"rolls": st.sampled_from([None, 7, 12])},
    optional={
        "bets": st.sampled_from([5, 9, 12]),
        "stop_loss": st.sampled_from([Fraction(3, 4), 2, 4]),
        "target": st.sampled_from([7, Fraction(37, 4), 13]),
        "standing": st.sampled_from(["staked", "down", "out"]),
        "shooters": st.just(2),  # nobody sevens out where a roll is a round
    },
).filter(lambda ends: ends["rolls"] or "bets" in ends or "target" in ends)


@given(laws, st.sampled_from([1, 2]), ends)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_all_that_an_evening_says_is_what_the_lattice_finds(law, stake, ends):
    if ends["rolls"] is None and "bets" not in ends and max(law) <= 0 <= min(law):
        return
    table = OneBet(law)
    plan = Plan.of(FlatBetting("pass", table.risk * stake), 6, house=table, **ends)
    result, near = plan.solve(), by_the_lattice(plan)
    assert result.status == "exact"
    assert result.ends.keys() == near.ends.keys()
    within = float(near.bound) + 1e-14
    for end, p in result.ends.items():
        assert float(near.ends[end]) == pytest.approx(float(p), abs=within)
    for money, p in result.money.items():
        assert float(near.money.pmf(money)) == pytest.approx(float(p), abs=within)
    for said in ("mean_rolls", "handle", "mean_bets", "refused"):
        assert float(getattr(result, said)) == pytest.approx(float(getattr(near, said)), rel=1e-9)
    for said in ("playing_by_roll", "ruin_by_roll"):  # one of them may go on though nobody plays
        pairs = zip_longest(getattr(result, said), getattr(near, said))
        both = [list(each) for each in zip(*pairs, strict=True)]
        last = [[x for x in each if x is not None][-1] for each in both]
        mine, theirs = (
            [end if x is None else x for x in each] for each, end in zip(both, last, strict=True)
        )
        assert mine == pytest.approx(theirs, abs=1e-12)
    assert result.rolls_to_ruin == pytest.approx(near.rolls_to_ruin)
    for said in ("name", "bankroll", "rolls", "hours", "most_at_risk", "least_bet", "commission"):
        assert getattr(result, said) == getattr(near, said)
    assert bool(result.refused_bets) == (result.ruin_by_roll[-1] > 0 or "ruin" in result.ends)
    assert result.positions == 1


def test_the_time_is_up_for_whoever_could_not_pay_for_one_more():
    fair = OneBet(Law({1: 1, -1: 1}))
    one = {"house": fair, "bankroll": 1, "strategy": FlatBetting("pass", 1)}
    assert Plan.of(**one, rolls=1).solve().ends == {"time": 1}
    assert Plan.of(**one, bets=1).solve().ends == {
        "ruin": Fraction(1, 2),
        "bets": Fraction(1, 2),
    }
    assert Plan.of(**one, rolls=1).solve().refused == 0
    assert Plan.of(**one, rolls=2).solve().refused == Fraction(1, 2)
    assert Plan.of(**one, rolls=2, bets=1).solve().ends.keys() == {"ruin", "bets"}
    assert Plan.of(**one, rolls=1, bets=1).solve().ends == {"time": 1}
    lost = Plan.of(**one, bets=4, stop_loss=1).solve()
    assert (lost.ends["stop loss"], lost.ruin) == (Fraction(11, 16) - Fraction(1, 16), 0)


def test_the_fan_of_an_evening_of_one_bet_has_every_round():
    plan = one_bet(games["craps"], 10, bets=12)
    assert len(plan.solve().fan) == 13
    for n, row in enumerate(plan.solve().fan[1:], 1):
        money = one_bet(games["craps"], 10, bets=n).solve().money
        assert row == tuple(money.quantile(q) for q in ("1/20", "1/4", "1/2", "3/4", "19/20"))


def test_a_long_evening_of_one_bet_is_certified_as_its_session_is():
    how = {"bankroll": 50, "target": 100, "bets": 20_000}
    evening = one_bet(games["craps"], **how).solve()
    its_session = session(solve(games["craps"]).bet(), **how)
    assert 0 < evening.bound == its_session.bound < Fraction(1, 10**30)
    assert evening.ends == its_session.ends


def test_the_bound_of_a_law_that_is_certified_is_in_that_of_its_evening():
    rough = solve(games["craps"], "certified", digits=20).bet()
    true = session(solve(games["craps"]).bet(), 5, bets=9)
    table = OneBet(Law.of_probabilities(rough.profit), slip=2 * len(rough.law) * rough.bound)
    found = Plan.of(FlatBetting("pass", 1), 5, house=table, bets=9).solve()
    assert abs(found.ruin - true.ruin) <= found.bound < Fraction(1, 10**15)


def test_errors_are_those_of_every_evening():
    fair = OneBet(Law({1: 1, -1: 1}))
    with pytest.raises(RulesError, match="a bankroll of 2 does not pay for the first bet: pass"):
        Plan.of(FlatBetting("pass", 3), 2, house=fair, bets=3).solve()
    with pytest.raises(RulesError, match="never bets"):
        Plan.of(FlatBetting("pass", 1), 2, house=OneBet(Law({0: 1})), target=3).solve()
    with pytest.raises(RulesError, match="no bet 'field'; the only bet is pass"):
        Plan.of(FlatBetting("field", 1), 2, house=fair, target=3).solve()


def test_each_bet_has_the_chance_of_playing_on_and_of_ruin() -> None:
    """Two units at even money: ruin is possible after an even number of bets only."""
    fair = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    result = session(fair, 2, amount=1, bets=4)
    assert list(result.playing_by_roll) == [1, 1, 3 / 4, 3 / 4, 0]  # the fourth is the last
    assert list(result.ruin_by_roll) == [0, 0, 1 / 4, 1 / 4, 3 / 8]


@given(st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(5, 2), Fraction(25)]), laws)
@settings(max_examples=20, deadline=None)
def test_money_in_other_units_ends_alike(unit, law):
    """The results of a session scale with its stakes and its money, and so do their limits."""
    result = session(law, 12, bets=3).profit
    scaled = session(law, 12 * unit, amount=unit, bets=3).profit
    assert dict(scaled.items()) == {unit * profit: p for profit, p in result.items()}
    assert scaled.support == tuple(unit * profit for profit in result.support)


TIED = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 3), Fraction(-2): Fraction(1, 6)}


def test_a_tie_is_broken_in_whole_numbers_or_said_to_be_undecided(monkeypatch):
    """After one bet half of the gamblers have lost, so the median is the least loss."""
    assert fan(TIED, 10, bets=1, quantiles=["1/2"]) == [(10,), (9,)]
    monkeypatch.setattr(RepeatedBet, "is_exact", lambda self, bets: bets == 0)
    with pytest.raises(UndecidedError, match=r"1/2 is undecided .* it lies from 9 to 11"):
        fan(TIED, 10, bets=1, quantiles=["1/2"])
    # one exact bet, which decides the first tie; no other quantile is tied
    monkeypatch.setattr(RepeatedBet, "is_exact", lambda self, bets: bets == 1)
    assert fan(TIED, 10, bets=2, quantiles=["1/2"]) == [(10,), (9,), (10,)]


def test_the_ends_of_a_rounded_fan_are_the_least_and_the_most_possible(monkeypatch):
    monkeypatch.setattr(polynomials_module, "MAX_BITS", -1)
    rows = fan(TIED, 10, bets=3, quantiles=[0, 1])
    assert rows == [(10 - 2 * bets, 10 + bets) for bets in range(4)]


def test_the_results_possible_are_known_although_the_bet_is_certified():
    plan = {"strategy": FlatBetting("pass", 1), "bankroll": 5}
    plan["house"] = OneBet(Law({1: 244, -1: 251}), slip=Fraction(1, 10**20))
    endless, limited = Plan.of(**plan, target=8).solve(), Plan.of(**plan, bets=3).solve()
    assert min(endless.bound, limited.bound) > 0
    assert (endless.profit.support, endless.money.support) == ((-5, 3), (0, 8))
    assert limited.profit.support == (-3, 3)


def test_a_session_prints_its_figures_and_is_short_in_a_list():
    result = session(TIED, 3, bets=4)
    assert repr(result) == (
        "<pass, a bankroll of 3: ruin 50.0000 %, ahead 29.1667 %, mean -0.51; exact>"
    )
    assert [re.split(r"  +", line) for line in str(result).splitlines()] == [
        ["ends by ruin", "50.0000 %"],
        ["ends by bets", "50.0000 %"],
        ["ahead", "29.1667 %"],
        ["mean result", "-0.5116"],
        ["standard deviation", "1.99"],
        ["result at 5 %, 50 %, 95 %", "-3, -2, +4"],
        ["mean bets", "3.07"],
        ["status", "exact"],
    ]


@pytest.mark.parametrize("win", [1, 2, 3, 5])
@pytest.mark.parametrize("odds", [2, 3, 9])
def test_the_rate_of_cramers_bound_is_the_root_below_one(win, odds):
    """The least t, in 40 bits, at which t^X has a mean of at most 1."""
    t, step = _cramer({win: odds, -1: 1}), Fraction(1, 1 << 40)

    def mean(t):
        return (odds * t**win + 1 / t) / (odds + 1)

    assert 0 < t < 1
    assert mean(t) <= 1 < mean(t - 2 * step)
    if win == 1:
        assert abs(t - Fraction(1, odds)) <= step, "the classical ratio of losses to wins"


@pytest.mark.parametrize("within", [0, -1])
def test_bounds_on_the_risk_of_ruin_have_a_gap_above_0(within):
    better = {Fraction(1): Fraction(2, 3), Fraction(-1): Fraction(1, 3)}
    with pytest.raises(RulesError, match=f"within={within}; give more than 0"):
        risk_of_ruin(better, 3, within=within)


def test_quantiles_of_a_fan_are_several():
    with pytest.raises(SevenoutError, match="fan: quantiles=5; give Sequence"):
        fan(FAIR, 10, bets=2, quantiles=5)
