"""Bets of every kind at random: crapssim's money after every roll, wins and losses of each kind."""

from random import Random

import pytest

from sevenout.catalogue.craps_family.craps_offers import offered_bets, paid_in_full
from sevenout.catalogue.craps_family.spots import BONUS, spot
from sevenout.catalogue.craps_family.table_session import TableSession
from tests.cli.typed_evening import TABLE, money_at_crapssim, money_here

pytest.importorskip("crapssim")

HERE_ONLY = ("hi-lo", "over 7", "under 7", "three-way")
RARE = {"fire", "all", "tall", "small"}
"""Kinds that may win nothing in some hundred rolls."""


def at_random(seed, rolls, house):
    """A session of bets at random, of those that crapssim takes then."""
    random, fresh = Random(seed), ("fire", *BONUS)
    text = f"sevenout table;house: {TABLE}{house};bankroll: 900000;seed: {seed}"
    session = TableSession.from_text(text)
    for _ in range(rolls):
        bets = list(offered_bets(session.house, session.bets))
        behind = [bet for bet in bets if spot(bet).odds]
        for bet in [*random.sample(bets, 20), *behind, *(bet for bet in fresh if bet in bets)]:
            if bet in HERE_ONLY or (spot(bet).kind in ("side", *BONUS) and bet not in fresh):
                continue
            if bet not in session.bets and not (offer := session.offer(bet)).why:
                session.set(bet, paid_in_full(session.house, offer))
        for bet in session.bets:
            if random.random() < 0.05 and spot(bet).kind in ("place", "buy", "lay", "hard"):
                session.take_down(bet)
        rolled = session.roll()
        fresh = ("fire",) * rolled.out + tuple(BONUS) * (rolled.throw.total == 7)
    return session


def test_the_money_is_that_of_crapssim_after_every_roll():
    results = {}
    for seed, house in ((1, ""), (2, ""), (3, ",crapless=yes")):
        session = at_random(seed, 170, house)
        assert money_at_crapssim(session) == money_here(session)
        for moment in session.moments[1:]:
            for each in moment.rolled.paid:
                kind = f"{spot(each.bet).kind}{' odds' * spot(each.bet).odds}"
                kind = "fire" if kind == "side" else kind
                results.setdefault(kind, set()).add((each.profit > 0) - (each.profit < 0))
    assert len(results) == 28, sorted(results)
    assert all({1, -1} <= seen for kind, seen in results.items() if kind not in RARE), results
