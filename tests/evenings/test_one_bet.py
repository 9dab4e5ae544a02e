"""An evening of one bet has one engine; the lattice of all strategies is the other witness."""

from fractions import Fraction
from itertools import zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evenings.by_lattice import by_lattice

from sevenout.catalogue import games
from sevenout.errors import RulesError
from sevenout.evenings import Plan, one_bet, session
from sevenout.rolling import Law
from sevenout.rules.casino.betting import FlatBetting
from sevenout.rules.casino.felt import OneBet
from sevenout.solving import solve

SESSIONS = {
    "50 for 100 rounds": ("craps", "pass", {"bankroll": 50, "rounds": 100}),
    "100 for 1000 rounds": ("craps", "pass", {"bankroll": 100, "rounds": 1000}),
    "20 to 40": ("craps", "pass", {"bankroll": 20, "target": 40}),
    "100 to 200": ("craps", "pass", {"bankroll": 100, "target": 200}),
    "the field": ("field-3-3", "field", {"bankroll": 12, "rounds": 60}),
    "three at risk": ("pass-2x-odds", "pass", {"bankroll": 10, "rounds": 60, "target": 30}),
    "three at risk to 25": ("pass-2x-odds", "pass", {"bankroll": 10, "stake": 2, "target": 25}),
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
    assert evening.mean_rolls == evening.bets == its_session.mean_rounds
    assert evening.handle == how.get("stake", 1) * its_session.mean_rounds
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
        "rounds": st.sampled_from([5, 9, 12]),
        "stop_loss": st.sampled_from([Fraction(3, 4), 2, 4]),
        "target": st.sampled_from([7, Fraction(37, 4), 13]),
        "standing": st.sampled_from(["staked", "down", "out"]),
        "shooters": st.just(2),  # nobody sevens out where a roll is a round
    },
).filter(lambda ends: ends["rolls"] or "rounds" in ends or "target" in ends)


@given(laws, st.sampled_from([1, 2]), ends)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_all_that_an_evening_says_is_what_the_lattice_finds(law, stake, ends):
    if ends["rolls"] is None and "rounds" not in ends and max(law) <= 0 <= min(law):
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
    for said in ("mean_rolls", "handle", "bets", "refused"):
        assert float(getattr(result, said)) == pytest.approx(float(getattr(near, said)), rel=1e-9)
    for said in ("playing", "ruined"):  # one of them may go on though nobody plays
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
    assert bool(result.names) == (result.ruined[-1] > 0 or "ruin" in result.ends)
    assert result.positions == 1


def test_the_time_is_up_for_whoever_could_not_pay_for_one_more():
    fair = OneBet(Law({1: 1, -1: 1}))
    one = {"house": fair, "bankroll": 1, "strategy": FlatBetting("pass", 1)}
    assert Plan.of(**one, rolls=1).solve().ends == {"time": 1}
    assert Plan.of(**one, rounds=1).solve().ends == {
        "ruin": Fraction(1, 2),
        "rounds": Fraction(1, 2),
    }
    assert Plan.of(**one, rolls=1).solve().refused == 0
    assert Plan.of(**one, rolls=2).solve().refused == Fraction(1, 2)
    assert Plan.of(**one, rolls=2, rounds=1).solve().ends.keys() == {"ruin", "rounds"}
    assert Plan.of(**one, rolls=1, rounds=1).solve().ends == {"time": 1}
    lost = Plan.of(**one, rounds=4, stop_loss=1).solve()
    assert (lost.ends["stop loss"], lost.ruin) == (Fraction(11, 16) - Fraction(1, 16), 0)


def test_the_fan_of_an_evening_of_one_bet_has_every_round():
    plan = one_bet(games["craps"], 10, rounds=12)
    assert len(plan.solve().fan) == 13
    for n, row in enumerate(plan.solve().fan[1:], 1):
        money = one_bet(games["craps"], 10, rounds=n).solve().money
        assert row == tuple(money.quantile(q) for q in ("1/20", "1/4", "1/2", "3/4", "19/20"))


def test_a_long_evening_of_one_bet_is_certified_as_its_session_is():
    how = {"bankroll": 50, "target": 100, "rounds": 20_000}
    evening = one_bet(games["craps"], **how).solve()
    its_session = session(solve(games["craps"]).bet(), **how)
    assert 0 < evening.bound == its_session.bound < Fraction(1, 10**30)
    assert evening.ends == its_session.ends


def test_the_bound_of_a_law_that_is_certified_is_in_that_of_its_evening():
    rough = solve(games["craps"], "certified", digits=20).bet()
    true = session(solve(games["craps"]).bet(), 5, rounds=9)
    table = OneBet(Law.of(rough.profit), slip=2 * len(rough.law) * rough.bound)
    found = Plan.of(FlatBetting("pass", 1), 5, house=table, rounds=9).solve()
    assert abs(found.ruin - true.ruin) <= found.bound < Fraction(1, 10**15)


def test_errors_are_those_of_every_evening():
    fair = OneBet(Law({1: 1, -1: 1}))
    with pytest.raises(RulesError, match="a bankroll of 2 does not pay for the first bet: pass"):
        Plan.of(FlatBetting("pass", 3), 2, house=fair, rounds=3).solve()
    with pytest.raises(RulesError, match="never bets"):
        Plan.of(FlatBetting("pass", 1), 2, house=OneBet(Law({0: 1})), target=3).solve()
    with pytest.raises(RulesError, match="no bet 'field'; the only bet is pass"):
        Plan.of(FlatBetting("field", 1), 2, house=fair, target=3).solve()
