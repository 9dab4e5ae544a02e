"""What a person's bets are worth: exactly, against known edges, the law of a roll, and evenings."""

import re
from fractions import Fraction
from random import Random
from statistics import NormalDist

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.catalogue.strategies import strategies
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings import Plan
from sevenout.evenings.table_account import Account, Habit, _variance, account, habits
from sevenout.evenings.table_evenings import PlayedEvening, kept_up, plan_beside, rest_of
from sevenout.evenings.table_figures import (
    BetFigures,
    RareEvent,
    _mean_and_rolls,
    bet_figures,
    figures_when_made,
    p_long_hand,
    p_long_hand_in_evening,
    rarities,
    solved_hand,
)
from sevenout.rules.casino.betting import Bettor, Strategy
from sevenout.rules.casino.ends import Ends
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
    assert bet_figures(House(), None, bet, amount).edge == Fraction(edge)


def test_the_crapless_pass_line_has_its_published_edge():
    assert bet_figures(House(), None, "pass", "5") == bet_figures(House(), None, "pass", 5)
    assert bet_figures(House(crapless=True), None, "pass", 1).edge == Fraction(373, 6930)


def at_random(seed, rolls=60):
    """A session with bets at random of all that may be made."""
    random = Random(seed)
    session = TableSession(House(), 100_000, seed=seed)
    for _ in range(rolls):
        for offer in random.sample([o for o in session.legal() if not o.why], 3):
            if not offer.bet.startswith(("hot", "repeater", "different", "any rep", "flaming")):
                session.add(offer.bet, offer.unit)
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
        now = sum(bet_figures(house, point, bet, on).mean for bet, on in act.before.bets)
        then = Fraction(0)
        for throw in house.throws(act.before.bets):
            to, left, paid, _ = house.roll(point, act.before.bets, throw)
            x = Fraction(sum(each.profit for each in paid))
            settled = {each.bet for each in paid}
            x += sum(
                bet_figures(house, to, b, on).mean for b, on in left.items() if b not in settled
            )
            then += throw.weight * x
        assert then / 36 == now
        assert _variance(house, point, act.before.bets) >= 0


def test_luck_and_cost_are_the_whole_result():
    session = at_random(5)
    found = account(session)
    assert sum(habit.cost for habit in found.habits) == found.cost
    assert found.luck == session.result + found.standing + found.cost
    assert abs(found.luck) < 5 * found.std


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
        variances.append(found.std**2)
    mean = sum(lucks) / len(lucks)
    assert abs(mean) < 4 * (sum(variances) / len(lucks) ** 2) ** 0.5
    assert sum(x * x for x in lucks) == pytest.approx(sum(variances), rel=0.5)


def test_a_hand_is_as_long_as_is_known():
    assert solved_hand(House(), None).mean_rolls == Fraction(1671, 196)
    assert f"{float(p_long_hand(House(), None, 154)):.10g}" == "1.788824262e-10"
    assert p_long_hand(House(), 6, 2) == Fraction(30, 36)


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
    p = p_long_hand_in_evening(House(), 20, 40)
    assert seen / evenings == pytest.approx(p, abs=4 * (p * (1 - p) / evenings) ** 0.5)


def test_what_just_happened_is_counted_over_all_throws():
    text = "sevenout table;bankroll: 99;yo = 1;roll 6 5"
    yo = rarities(TableSession.from_text(text), 400)[0]
    assert (yo.p, round(yo.p_evening, 6)) == (Fraction(1, 18), 1.0)


def test_the_rest_of_an_evening_begins_where_the_player_sits():
    text = "sevenout table;bankroll: 100;pass = 5;roll 4 2;pass odds = 25;place 8 = 6"
    session = TableSession.from_text(text)
    found = rest_of(session, 1).solve()
    assert found.name == "the rest of the evening, with these bets kept up"
    assert found.mean == Fraction(5 * (5 + 30) - 6 * (5 + 25 + 6) + 5 * 7, 36)
    whole = rest_of(TableSession.from_text("sevenout table;bankroll: 50;pass = 1"), 60).solve()
    assert whole.profit.mean == so.evening("pass", 50, rolls=60).profit.mean
    with pytest.raises(RulesError, match="nothing was bet"):
        rest_of(TableSession(), 10)


def session_of(*lines):
    return TableSession.from_text("\n".join(("sevenout table", "bankroll: 100", *lines)))


@pytest.mark.parametrize("rolls", [1, 2, 4])
def test_a_line_bet_and_its_odds_are_kept_up_as_the_strategy_makes_them(rolls):
    session = session_of("pass = 5", "roll 4 2", "pass odds = 25", "roll 3 3", "pass = 5")
    rest, evening = (
        rest_of(session, rolls).solve(),
        so.evening(strategies("pass-odds", amount=5), session.money, rolls=rolls),
    )
    assert dict(rest.profit.items()) == dict(evening.profit.items())
    assert (rest.handle, rest.mean_bets) == (evening.handle, evening.mean_bets)


def test_the_bets_kept_up_are_those_of_this_shooter_and_the_one_before():
    first = ("field = 5", "roll 4 2", "roll 3 4")
    second = ("place 8 = 12", "pass = 5", "roll 4 2", "pass odds = 10", "roll 3 4")
    third = ("pass = 10", "roll 5 4")
    kept = kept_up(session_of(*first, *second, *third))
    assert dict(kept.flat) == {"place 8": 12, "pass": 10}
    assert kept.odds == (("pass", Fraction(2, 5)),)
    assert dict(kept_up(session_of(*first)).flat) == {"field": 5}


def test_as_many_come_bets_are_kept_up_as_stood_at_once():
    session = session_of("pass = 5", "roll 4 2", "come = 5", "roll 2 2", "come = 5", "roll 4 4")
    assert kept_up(session).comes == (("come", 2),)
    assert rest_of(session, 1).solve().most_at_risk == 15, "a third come bet is not made"


def test_a_come_bet_that_moves_to_its_number_is_one_bet():
    session = session_of("pass = 5", "roll 4 2", "come = 5", "roll 2 2", "roll 5 5", "roll 6 6")
    line, come = habits(session)
    assert come == Habit("come", Fraction(7, 99), 5, 1)
    assert line == Habit("pass", Fraction(7, 99), 5, 1)


def test_bets_that_stand_count_at_their_value_from_here():
    """From a point of 6 the line wins with 5 of 11, and a placed 8 with 6 of 11 for 7 to 6."""
    standing = account(session_of("pass = 5", "roll 4 2", "place 8 = 6")).standing
    assert standing == 5 * Fraction(5 - 6, 11) + Fraction(7 * 5 - 6 * 6, 11)


def test_how_rare_the_last_roll_and_hand_were():
    session = session_of("pass = 5", "roll 4 2", "roll 3 3", "field = 5", "roll 6 6")
    win, length = rarities(session, 100)
    assert win.event == "a roll that wins 15 or more on these bets"
    assert (win.p, win.p_evening) == (Fraction(1, 36), pytest.approx(1 - (35 / 36) ** 100))
    assert (length.event, length.p) == ("a hand of 3 rolls or more", p_long_hand(House(), None, 3))
    assert length.p_evening == p_long_hand_in_evening(House(), 3, 100)
    assert rarities(session, 2)[1].p_evening == p_long_hand_in_evening(House(), 3, 3)


def test_a_played_evening_as_a_page_and_as_data():
    session = session_of("pass = 1", "roll 3 4", "pass = 1", "roll 1 1")
    played = PlayedEvening(session, plan_beside("pass", session))
    assert played.to_dict() == {
        "strategy": "Pass line",
        "session": session.to_text(),
        "result": "0",
        "rolls": 2,
        "of_1000_evenings": {name: float(n) for name, n in played.per_thousand.items()},
    }
    printed = dict(re.split(r"  +", line) for line in str(played).splitlines()[2:] if line)
    assert printed["result"] == "0"
    assert (printed["rolls"], printed["money bet"]) == ("2", "2")
    assert printed["mean result of the strategy"] == won(played.result.mean)
    assert printed["money bet by the strategy"] == "1"
    high = played.plan.ever(least=Fraction(101))
    assert printed["ever as high as +1"] == f"{float(1000 * high):.1f} of 1,000 evenings"


def test_an_evening_that_was_played_is_one_of_a_thousand():
    lines = ["sevenout table", "bankroll: 20"]
    for _ in range(3):
        lines += ["pass = 1", "roll 3 4"]
    session = TableSession.from_text("\n".join(lines))
    found = PlayedEvening(session, plan_beside("pass", session))
    law = so.evening("pass", 20, rolls=3).profit
    assert found.per_thousand["a result as high or higher"] == 1000 * law.pmf(3)
    assert found.per_thousand["a result as low or lower"] == 1000
    with pytest.raises(RulesError, match="play it first"):
        plan_beside("pass", TableSession())


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
    mean, _ = _mean_and_rolls(House(), point, True, bet, amount)
    assert bet_figures(House(), point, bet, amount).mean == mean


@pytest.mark.parametrize("bet", ["pass odds", "don't pass odds", "pass odds off"])
def test_odds_on_the_line_without_a_point_have_no_figures(bet):
    with pytest.raises(RulesError, match=f"no .{bet}. on the come-out"):
        bet_figures(House(), None, bet, 10)
    with pytest.raises(RulesError, match="odds on the line need a point"):
        figures_when_made(TableSession(), bet, 10)


@pytest.mark.parametrize("point", [None, 4, 8, 10])
def test_an_hour_of_a_bet_that_is_kept_up_is_the_same_from_every_point(point) -> None:
    """A round has 557/165 rolls, one of them a come-out; on the others 11 of 36 settle the 8."""
    on_a_point = 1 - Fraction(165, 557)
    place = bet_figures(House(), point, "place 8", 12)
    assert place.bets_per_roll == on_a_point * Fraction(11, 36)
    assert place.per_hour(100) == 100 * place.bets_per_roll * Fraction(12, 66)
    assert bet_figures(House(), point, "hard 8", 5).bets_per_roll == on_a_point * Fraction(11, 36)


def test_a_dont_pass_bet_taken_down_costs_its_value_on_the_point():
    """A don't pass bet wins on a point of 6 with 6 of 11, so 5 units give up 5/11."""
    session = session_of("don't pass = 5", "roll 4 2", "don't pass = 0")
    assert account(session).cost == 5 * Fraction(3, 220) + Fraction(5, 11)


def test_a_bet_that_is_off_costs_nothing_and_is_never_settled():
    assert bet_figures(House(), None, "place 6 off", 6) == BetFigures(
        mean=Fraction(0), rolls=Fraction(0), amount=6, bets_per_roll=Fraction(0)
    )
    assert bet_figures(House(), None, "place 6 off", 6).per_hour(100) == 0


def test_the_luck_of_one_roll_is_measured_by_its_standard_deviation():
    """Of 36 rolls of the field 14 pay 1, one pays 2, one pays 3, and 20 lose."""
    found = account(session_of("field = 10", "roll 2 2"))
    variance = Fraction(14 + 2**2 + 3**2 + 20, 36) - Fraction(1, 36) ** 2
    assert found == Account(
        habits=(Habit("field", Fraction(10, 36), 10, 1),),
        cost=Fraction(10, 36),
        luck=10 + Fraction(10, 36),
        std=pytest.approx(10 * float(variance) ** 0.5),
        standing=Fraction(0),
    )
    assert found.worse == pytest.approx(NormalDist().cdf(float(found.luck) / found.std))
    assert account(session_of()).worse == 0.5


def test_how_rare_a_loss_was():
    lost, hand_of_two = rarities(session_of("pass = 5", "place 8 = 6", "roll 4 2", "roll 3 4"), 10)
    assert lost == RareEvent(
        "a roll that loses 11 or more on these bets",
        Fraction(1, 6),
        pytest.approx(1 - (5 / 6) ** 10),
    )
    assert hand_of_two == RareEvent("a hand of 2 rolls or more", Fraction(1), 1.0)
    assert rarities(session_of("pass = 5"), 10) == []


def test_the_rest_of_an_evening_has_the_money_the_pace_and_the_seat_of_the_session():
    session = session_of("pass = 5", "roll 4 2", "pass odds = 25", "place 8 = 6")
    plan = rest_of(session, 7)
    assert (plan.bankroll, plan.ends, plan.pace) == (session.money, Ends(rolls=7), 100)
    assert plan.bettor.start(plan.bankroll)[0].bets == (
        ("pass", 5),
        ("pass odds", 25),
        ("place 8", 6),
    )
    with pytest.raises(RulesError, match="0 rolls are left"):
        rest_of(session, 0)
    assert rest_of(session, 1).ends.rolls == 1


def test_the_evenings_beside_a_session_have_its_rolls_table_and_minimum():
    session = TableSession(House(minimum=10), 200)
    session.set("pass", 10)
    session.roll((3, 4))
    plan = plan_beside("pass", session)
    assert (plan.name, plan.bankroll, plan.ends.rolls) == ("Pass line (×10)", 200, 1)
    assert plan.bettor.felt == session.house
    assert plan_beside("pass", session, rolls=9).ends.rolls == 9


@pytest.mark.parametrize(
    ("house", "point", "bet", "amount", "message"),
    [
        (House(crapless=True), None, "don't pass", 5, "no bet .* at crapless craps"),
        (House(), None, "passs", 5, "no bet 'passs'"),
        (House(), 7, "pass", 5, "point=7"),
        (House(), None, "pass", 0, "amount=0"),
    ],
)
def test_a_bet_that_a_table_does_not_have_has_no_value(house, point, bet, amount, message):
    with pytest.raises(RulesError, match=message):
        bet_figures(house, point, bet, amount)


def test_a_bet_to_take_down_has_a_name_that_the_table_knows():
    bettor = Bettor(House(), strategies("pass"))
    assert not bettor.check_request(6, {}, {"pass": 0, "place 8": 0}).bets
    with pytest.raises(RulesError, match="no bet 'passs'"):
        bettor.check_request(None, {}, {"passs": 0})


def test_an_amount_of_a_house_that_is_none_is_named():
    with pytest.raises(RulesError, match="minimum='x'; give an amount"):
        House(minimum="x")
