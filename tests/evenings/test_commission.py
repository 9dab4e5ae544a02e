"""A commission that is paid up front: for each bet that is decided, once, and for no other."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from tests.evenings.by_hand_evening import finished, law

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.evenings import Plan, evening
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.evening_sampler import EveningDice
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.solving import solve


@dataclass(frozen=True)
class Each(Strategy):
    """The same bet before each roll."""

    bet: str
    amount: int

    def wants(self, table):
        return {self.bet: self.amount}


UP_FRONT = [House(vig="up front", working=working) for working in (False, True)]
BETS = [(Each("buy 4", 20), Fraction(1, 20)), (Each("lay 4", 40), Fraction(1, 40))]


@pytest.mark.parametrize("house", UP_FRONT)
@pytest.mark.parametrize("standing", ["staked", "down", "out"])
@pytest.mark.parametrize(("strategy", "share"), BETS)
def test_it_costs_the_same_share_of_the_stakes_at_every_horizon(strategy, share, standing, house):
    for rolls in (2, 3, 5):
        ended = evening(strategy, 2000, rolls=rolls, standing=standing, house=house)
        assert ended.status == "exact"
        assert ended.edge == share
    long = evening(strategy, 2000, rolls=100, standing=standing, house=house)
    assert float(long.edge) == pytest.approx(float(share), abs=1e-10)


def test_it_is_the_bet_of_the_catalogue_which_counts_it_as_staked():
    ended = evening(Each("buy 4", 20), 2000, rolls=3, standing="out", house=UP_FRONT[1])
    catalogue = so.solve(so.games["buy-4-10-up-front"]).bet().edge
    assert ended.edge * Fraction(20, 21) == catalogue == Fraction(1, 21)


def test_a_commission_stays_in_the_bankroll_until_the_bet_is_decided():
    """A bet that is taken down brings it back; one that lost has lost it; a win pays the next."""

    class Twice(Strategy):
        memory = 0

        def remembers(self, table):
            return table.memory + 1

        def wants(self, table):
            return {"buy 4": 20 if table.memory < 2 else 0}

    plan = Plan.of(Twice(), 21, rolls=3, house=UP_FRONT[1])
    sitting = plan.sitting()
    assert (sitting.money, sitting.rail, sitting.moments[0].fees) == (21, 0, 1)
    sitting.roll((1, 3))
    assert (sitting.money, sitting.rail, sitting.moments[1].fees) == (60, 39, 0)
    sitting.roll((5, 6))
    assert (sitting.bets, sitting.money, sitting.rail) == ({}, 60, 60)
    lost = plan.sitting()
    lost.roll((3, 4))
    assert (lost.money, lost.end) == (0, "ruin")


@pytest.mark.parametrize(("strategy", "_"), BETS)
@pytest.mark.parametrize("standing", ["staked", "down", "out"])
def test_law_game_simulation_and_replay_agree(strategy, _, standing):
    house = UP_FRONT[0]
    plan = Plan.of(strategy, 85, rolls=3, stop_win=60, standing=standing, house=house)
    result = plan.solve()
    played = {}
    for outcome, p in solve(plan.game).outcomes.items():
        money = 85 + outcome.profit("evening")
        played[money] = played.get(money, 0) + p
    assert played == dict(result.money.items())
    if standing == "staked":
        found, handle, *_ = law(strategy, 85, 3, target=145, up_front=True)
        by_hand = {}
        for (_end, money), p in found.items():
            by_hand[money] = by_hand.get(money, 0) + p
        assert (by_hand, handle) == (played, result.handle)
    else:
        by_hand = finished(strategy, 85, 3, standing, target=145, up_front=True)
        assert {m: float(p) for m, p in played.items()} == pytest.approx(by_hand, abs=1e-12)
    tally = simulate_evenings(
        plan.bettor.strategy, 85, 2000, seed=7, rolls=3, stop_win=60, standing=standing, house=house
    )
    seen = {}
    for n in range(2000):
        sitting = EveningDice(plan, n, 7).play()
        seen[sitting.end, sitting.money] = seen.get((sitting.end, sitting.money), 0) + 1
    assert seen == tally.counts


def test_the_best_evening_loses_it_once_too():
    menu = {"buy 4": [20]}
    found = so.best_evening(menu, 60, rolls=2, house=UP_FRONT[1])
    same = evening(found.strategy, 60, rolls=2, standing="out", house=UP_FRONT[1])
    assert same.mean == found.value == -same.handle / 20


def test_the_page_says_that_the_commission_is_no_stake():
    charged = evening(Each("buy 4", 20), 100, rolls=3, house=UP_FRONT[1])
    words = str(charged.page())
    assert "without the commission" in words
    free = replace(Plan.of(Each("buy 4", 20), 100, rolls=3)).solve()
    assert "without the commission" not in str(free.page())


def test_the_page_says_that_bets_that_stand_count_as_staked():
    def said(bet, **ends):
        return str(evening(Each(bet, 6), 100, rolls=3, **ends).page())

    assert "count at their stakes" in said("place 6")
    assert "count at their stakes" not in said("place 6", standing="out")
    assert "count at their stakes" not in said("field")
