"""What a person's bets are worth: exactly, against known edges, the law of a roll, and evenings."""

from fractions import Fraction
from random import Random

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.errors import RulesError
from sevenout.evenings import Plan
from sevenout.evenings.table_figures import (
    PlayedEvening,
    _solved,
    _variance,
    account,
    beside,
    evenings_with_hand,
    hand,
    more_rolls,
    rarities,
    rest_of,
    value_of,
)
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.played_evenings import simulate_evenings

KNOWN = {
    "pass": "7/495",
    "don't pass": "3/220",
    "place 6": "1/66",
    "place 4": "1/15",
    "field": "1/36",
    "hard 8": "1/11",
    "hard 4": "1/9",
    "yo": "1/9",
    "any 7": "1/6",
    "big 6": "1/11",
    "lay 4": "1/60",
    "buy 4": "1/60",
}


@pytest.mark.parametrize(("bet", "edge"), KNOWN.items())
def test_an_edge_is_the_published_one(bet, edge):
    amount = {"lay 4": 40, "buy 4": 20}.get(bet, 30)
    assert value_of(House(), None, bet, amount).edge == Fraction(edge)


def test_the_crapless_pass_line_has_its_published_edge():
    assert value_of(House(crapless=True), None, "pass", 1).edge == Fraction(373, 6930)


def at_random(seed, rolls=60):
    """A session with bets at random of all that may be made."""
    random = Random(seed)
    session = TableSession(House(), 100_000, seed=seed)
    for _ in range(rolls):
        for offer in random.sample([o for o in session.legal() if not o.why], 3):
            if not offer.bet.startswith(("hot", "repeater", "different", "any rep", "flaming")):
                session.put(offer.bet, offer.unit)
        if session.bets and random.random() < 0.3:
            bet = random.choice(list(session.bets))
            if not session.why_not(bet, 0):
                session.set(bet, 0)
        session.roll()
    return session


def test_money_and_value_change_only_by_cost_and_luck():
    """The luck of a roll is 0 on average: its mean over all throws, with what was put aside."""
    session = at_random(4)
    for act in session.history():
        if not act.rolled or not act.before.bets:
            continue
        house, point = session.house, act.before.point
        now = sum(value_of(house, point, bet, on).mean for bet, on in act.before.bets)
        then = Fraction(0)
        for throw in house.throws(act.before.bets):
            to, left, paid, _ = house.roll(point, act.before.bets, throw)
            x = Fraction(sum(each.profit for each in paid))
            settled = {each.bet for each in paid}
            x += sum(value_of(house, to, b, on).mean for b, on in left.items() if b not in settled)
            then += throw.weight * x
        assert then / 36 == now
        assert _variance(house, point, act.before.bets) >= 0


def test_luck_and_cost_are_the_whole_result():
    session = at_random(5)
    found = account(session)
    assert sum(habit.cost for habit in found.habits) == found.cost
    assert found.luck == session.result + found.standing + found.cost
    assert abs(found.luck) < 5 * found.deviation


def test_the_variance_of_an_evening_is_that_of_its_distribution():
    """Bets that never change: the mean of the variances found roll by roll, over many evenings."""
    lucks, variances = [], []
    for seed in range(150):
        session = TableSession(House(), 1000, seed=seed)
        for _ in range(30):
            if not session.why_not("pass", 5):
                session.set("pass", 5)
            session.roll()
        found = account(session)
        lucks.append(float(found.luck))
        variances.append(found.deviation**2)
    mean = sum(lucks) / len(lucks)
    assert abs(mean) < 4 * (sum(variances) / len(lucks) ** 2) ** 0.5
    assert sum(x * x for x in lucks) == pytest.approx(sum(variances), rel=0.5)


def test_a_hand_is_as_long_as_is_known():
    assert hand(House(), None).mean_rolls == Fraction(1671, 196)
    assert f"{float(more_rolls(House(), None, 154)):.10g}" == "1.788824262e-10"
    assert more_rolls(House(), 6, 2) == Fraction(30, 36)


def test_evenings_with_a_long_hand_are_counted_by_renewal():
    """Against a tally of dice: every evening of 40 rolls from the same law."""
    random, seen, evenings = Random(9), 0, 4000
    for _ in range(evenings):
        length = longest = 0
        point = None
        for _ in range(40):
            total = random.randint(1, 6) + random.randint(1, 6)
            length += 1
            longest = max(longest, length)
            if point is None:
                point = None if total in (2, 3, 7, 11, 12) else total
            elif total == 7:
                point, length = None, 0
            elif total == point:
                point = None
        seen += longest >= 20
    p = evenings_with_hand(House(), 20, 40)
    assert seen / evenings == pytest.approx(p, abs=4 * (p * (1 - p) / evenings) ** 0.5)


def test_what_just_happened_is_counted_over_all_throws():
    text = "sevenout table;bankroll: 99;yo = 1;roll 6 5"
    yo = rarities(TableSession.from_text(text), 400)[0]
    assert (yo.p, round(yo.evenings, 6)) == (Fraction(1, 18), 1.0)


def test_the_rest_of_an_evening_begins_where_the_player_sits():
    text = "sevenout table;bankroll: 100;pass = 5;roll 4 2;pass odds = 25;place 8 = 6"
    session = TableSession.from_text(text)
    found = rest_of(session, 1).solve()
    assert found.mean == Fraction(5 * (5 + 30) - 6 * (5 + 25 + 6) + 5 * 7, 36)
    whole = rest_of(TableSession.from_text("sevenout table;bankroll: 50;pass = 1"), 60).solve()
    assert whole.result.mean == so.evening("pass", 50, rolls=60).result.mean
    with pytest.raises(RulesError, match="nothing was bet"):
        rest_of(TableSession(), 10)


def test_an_evening_that_was_played_is_one_of_a_thousand():
    lines = ["sevenout table", "bankroll: 20"]
    for _ in range(3):
        lines += ["pass = 1", "roll 3 4"]
    session = TableSession.from_text("\n".join(lines))
    found = PlayedEvening(session, beside("pass", session))
    law = so.evening("pass", 20, rolls=3).result
    assert found.thousand["a result as high or higher"] == 1000 * law.pmf(3)
    assert found.thousand["a result as low or lower"] == 1000
    with pytest.raises(RulesError, match="play it first"):
        beside("pass", TableSession())


class Off(Strategy):
    """Place the 6, and turn it off after the first roll that it won."""

    def wants(self, table):
        if "place 6 off" in table.bets:
            return {}
        if table.last and table.last.profit("place 6"):
            return {"place 6": 0, "place 6 off": 6}
        return {"pass": 1, "place 6": 6} if table.point is None else {"place 6": 6}


def test_a_strategy_may_turn_bets_off_as_a_person_may():
    plan = Plan.of(Off(), 100, rolls=12)
    law = plan.solve()
    tally = simulate_evenings(Off(), 100, 4000, seed=3, rolls=12)
    assert law.money.mean == pytest.approx(float(tally.law.mean), abs=0.8)
    assert float(law.ruin) == 0


@pytest.mark.parametrize(
    "bet",
    [
        "pass",
        "place 6",
        "place 6 on",
        "buy 4",
        "lay 6",
        "hard 8",
        "horn",
        "hop 1-1",
        "small 3",
        "fire",
        "pass odds",
        "don't pass odds",
        "place to lose 4",
    ],
)
@pytest.mark.parametrize("amount", [1, 7, 60])
def test_a_bet_on_which_nothing_is_rounded_is_worth_what_its_unit_is(bet, amount):
    point = None if bet in ("pass", "small 3", "fire") else 8
    mean, _ = _solved(House(), point, True, bet, amount)
    assert value_of(House(), point, bet, amount).mean == mean


@pytest.mark.parametrize("point", [None, 4, 8, 10])
def test_an_hour_of_a_bet_that_is_kept_up_is_the_same_from_every_point(point) -> None:
    """A round has 557/165 rolls, one of them a come-out; on the others 11 of 36 settle the 8."""
    on_a_point = 1 - Fraction(165, 557)
    place = value_of(House(), point, "place 8", 12)
    assert place.often == on_a_point * Fraction(11, 36)
    assert place.per_hour(100) == 100 * place.often * Fraction(12, 66)
    assert value_of(House(), point, "hard 8", 5).often == on_a_point * Fraction(11, 36)
