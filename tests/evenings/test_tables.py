"""Tables with other rules than the usual ones, and three ways to count what stands: as by hand."""

from collections import Counter

import pytest
from tests.evenings.by_hand_evening import Evening, finished, law
from tests.evenings.by_lattice import by_lattice

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.craps_strategies import Molly
from sevenout.evenings import Plan, evening
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.evening_sampler import EveningDice
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.solving import solve


class Odd(Strategy):
    """Numbers of all kinds, and a bet on the don't come; the 4 is sold once it has won."""

    memory = 0

    def remembers(self, table):
        return table.memory or int((table.last.profit("buy 4") or 0) > 0)

    def wants(self, table):
        placed = {"lay 10": 40, "buy 4": 0 if table.memory else 20}
        if table.point is None:
            return placed | {"field": 15}
        return placed if any("don't" in bet for bet in table.bets) else placed | {"don't come": 15}


MOLLY = Molly(amount=15, points=2)
TABLES = [
    (MOLLY, 400, {"field": (2, 2)}),
    (MOLLY, 70, {"working": True}),
    (strategies("three-point-dolly", amount=15, odds=2), 150, {"bar": 2}),
    (strategies("iron-cross", field=15, five=15, six=18, come_out=True), 110, {"field": (2, 2)}),
    (Odd(), 300, {"field": (3, 2)}),
    (Odd(), 130, {"vig": "up front", "working": True}),
]


def by_hand(options):
    return {k: v for k, v in options.items() if k != "vig"} | (
        {"up_front": True} if "vig" in options else {}
    )


@pytest.mark.parametrize(("strategy", "bankroll", "options"), TABLES)
def test_a_table_with_other_rules_is_as_by_hand(strategy, bankroll, options):
    plan = Plan.of(strategy, bankroll, rolls=3, house=House(minimum=15, **options))
    found, handle, bets, refused = law(strategy, bankroll, 3, **by_hand(options))
    ends = Counter()
    for (end, _), p in found.items():
        ends[end] += p
    result = plan.solve()
    assert dict(result.ends) == ends
    assert (result.handle, result.mean_bets, result.refused) == (handle, bets, refused)
    money = Counter()
    for (_, amount), p in found.items():
        money[amount] += p
    assert dict(result.money.items()) == money


@pytest.mark.parametrize("standing", ["down", "out"])
@pytest.mark.parametrize(("strategy", "bankroll", "options"), TABLES)
def test_what_stands_is_taken_down_or_played_out_as_by_hand(strategy, bankroll, options, standing):
    house = House(minimum=15, **options)
    plan = Plan.of(strategy, bankroll, rolls=2, stop_loss=60, standing=standing, house=house)
    wanted = finished(strategy, bankroll, 2, standing, loss=60, **by_hand(options))
    result = plan.solve()
    assert dict(result.money.items()) == pytest.approx(wanted, abs=1e-12)
    game = solve(plan.game)
    seen = Counter()
    for outcome, p in game.outcomes.items():
        seen[bankroll + outcome.profit("evening")] += p
    assert seen == dict(result.money.items())
    assert game.mean("settled") == result.handle
    assert game.mean("bets") == result.mean_bets


@pytest.mark.parametrize("standing", ["down", "out"])
@pytest.mark.parametrize(("strategy", "bankroll", "options"), TABLES)
def test_evenings_at_such_a_table_are_replayed_and_have_their_law(
    strategy, bankroll, options, standing
):
    """The dice of the simulator, played by hand, roll for roll; and six standard deviations, which
    is a false alarm in 500 million seeds.
    """
    options = {"rolls": 25, "standing": standing, "house": House(minimum=15, **options)}
    bankroll, options["stop_loss"] = 3 * bankroll, 2 * bankroll
    plan = Plan.of(strategy, bankroll, **options)
    counts, rolls = Counter(), 0
    for number in range(12):
        sitting = EveningDice(plan, number, seed=8).play()
        counts[sitting.end, sitting.money] += 1
        rolls += sitting.rolls
    tally = simulate_evenings(strategy, bankroll, 12, seed=8, **options)
    assert (counts, rolls) == (tally.counts, tally.rolls)
    tally = simulate_evenings(strategy, bankroll, 20_000, seed=8, **options)
    result = evening(strategy, bankroll, **options)
    off = float((tally.mean - result.mean) ** 2 * tally.evenings / result.profit.variance)
    assert off < 36
    for end, p in result.ends.items():
        assert abs(tally.p(end) - p) < 6 * (p * (1 - p) / tally.evenings) ** 0.5 + 1e-4


def test_the_hand_plays_the_dice_of_the_simulator():
    """The same faces by hand: the money after every roll is that of the rules."""
    for strategy, bankroll, options in TABLES:
        house = House(minimum=15, **options)
        plan = Plan.of(strategy, bankroll, rolls=40, house=house)
        for number in range(10):
            sitting = EveningDice(plan, number, seed=3).play()
            hand = Evening(strategy, bankroll, **by_hand(options))
            for n, moment in enumerate(sitting.moments[1:], 1):
                assert hand.end is None
                hand.roll(sum(moment.faces), last=n == 40)
                assert (hand.money, hand.end) == (moment.money, moment.end)


def test_a_stop_loss_between_two_amounts_stops_at_neither():
    """They have 17, 12, 7 or 2 and leave with 6 or less; with 7 they play, but not the field."""

    class Both(Strategy):
        def wants(self, table):
            return {"field": 5} if table.point else {"pass": 5}

    strategy = Both()
    plan = Plan.of(strategy, 17, rolls=4, stop_loss=11)
    found = Counter()
    for (_, money), p in law(strategy, 17, 4, loss=11)[0].items():
        found[money] += p
    assert dict(plan.solve().money.items()) == found
    plan.positions.complete()
    near = by_lattice(plan)
    assert dict(near.money.items()) == pytest.approx(found, abs=1e-12)
    counts = Counter()
    for number in range(100):
        sitting = EveningDice(plan, number, seed=8).play()
        counts[sitting.end, sitting.money] += 1
    assert simulate_evenings(strategy, 17, 100, seed=8, rolls=4, stop_loss=11).counts == counts
