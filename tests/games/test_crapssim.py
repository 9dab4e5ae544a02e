"""The table of crapssim, another writing of the rules, on the same dice: equal after every roll.

    pip install 'sevenout[bench]'

The dice are those of evenings that the simulator plays, so nothing is left to chance: the money
must be the same to the last unit.
"""

import pytest

from sevenout.evening import Plan
from sevenout.games.craps_family.table.craps_felt import House
from sevenout.games.strategies import strategies
from sevenout.rules.casino.betting import Strategy
from sevenout.simulate.played_evenings.evenings import Dealt

pytest.importorskip("crapssim")
from crapssim.bet import AnyCraps, Come, DontCome, Field, PassLine, Yo
from crapssim.strategy.examples import (
    DiceDoctor,
    DoubleTap,
    HammerLock,
    Knockout,
    Place68Move59,
    Place68PR,
    Place682Come,
    Risk12,
    SqueezePlay,
)
from crapssim.strategy.odds import (
    ComeOddsMultiplier,
    DontPassOddsMultiplier,
    PassLineOddsMultiplier,
)
from crapssim.strategy.single_bet import BetCome, BetDontPass, BetPassLine, BetPlace
from crapssim.strategy.tools import (
    AddIfPointOff,
    AddIfPointOn,
    CountStrategy,
)
from crapssim.table import Table, TableUpdate

EVENINGS, ROLLS = 12, 250
FULL = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


class TwoCome(Strategy):
    """The pass line and two come bets, with full odds; another when one of the two is settled."""

    def wants(self, table):
        wanted = {}
        for number, times in FULL.items():
            if f"come {number}" in table.bets:
                wanted[f"come {number} odds"] = times * table.bets[f"come {number}"]
        if table.point is None:
            return {"pass": 1, **wanted}
        wanted["pass odds"] = FULL[table.point] * table.bets["pass"]
        comes = sum(b == "come" or (b[:5] == "come " and "odds" not in b) for b in table.bets)
        if comes < 2:
            wanted["come"] = 1
        return wanted


class Wants(Strategy):
    """The same bets at each point, others at each come-out."""

    def __init__(self, come_out=None, point=None):
        self.bets = {True: come_out or {}, False: point or {}}

    def wants(self, table):
        return self.bets[table.point is None]


class Moved(Place68Move59):
    """The same, with a point of 5 too: their list of numbers says 10 in its place."""

    def get_pass_line_come_points(self, player):
        line = player.table.point.number if PassLine(self.pass_come_amount) in player.bets else None
        comes = {bet.number for bet in player.bets if isinstance(bet, Come)}
        return [number for number in (5, 6, 8, 9) if number == line or number in comes]


class TwoFlat(Place682Come):
    """The same, with the numbers moved as above."""

    def update_bets(self, player):
        if sum(isinstance(bet, PassLine | Come) for bet in player.bets) < 2:
            BetPassLine(self.pass_come_amount).update_bets(player)
            BetCome(self.pass_come_amount).update_bets(player)
        Moved().update_bets(player)


class Tap(DoubleTap):
    """The same, over and over: theirs stays at the first step after the sixth win."""

    _SIX_EIGHT_MULTIPLIERS = _OUTSIDE_MULTIPLIERS = (1, 2, 4) * 60


BETS = [
    ("do-dont", lambda: Knockout(1)),
    ("pass-6-8-move", lambda: BetPassLine(5) + Moved()),
    ("two-come-6-8-move", TwoFlat),
    (strategies("double-tap", numbers=(6, 8, 5, 9, 4, 10)), Tap),
    ("squeeze", SqueezePlay),
    ("risk-12", Risk12),
    ("pass", lambda: BetPassLine(1)),
    ("pass-odds", lambda: BetPassLine(1) + PassLineOddsMultiplier(FULL)),
    ("pass-any-craps", lambda: BetPassLine(5) + AddIfPointOff(AnyCraps(1))),
    ("dont-pass", lambda: BetDontPass(1)),
    ("dont-pass-lay", lambda: BetDontPass(1) + DontPassOddsMultiplier(6)),
    ("place-6-8", lambda: BetPlace({6: 6, 8: 6}, skip_point=False)),
    ("place-6-8-double", lambda: Place68PR(6)),
    ("inside", lambda: BetPlace({5: 5, 6: 6, 8: 6, 9: 5}, skip_point=False)),
    ("hammerlock", lambda: HammerLock(5)),
    ("dice-doctor", lambda: DiceDoctor(10)),
    (
        "iron-cross",
        lambda: BetPlace({5: 5, 6: 6, 8: 6}, skip_point=False) + AddIfPointOn(Field(5)),
    ),
    (
        TwoCome(),
        lambda: (
            BetPassLine(1)
            + PassLineOddsMultiplier(FULL)
            + CountStrategy(Come, 2, Come(1))
            + ComeOddsMultiplier(FULL)
        ),
    ),
    (
        Wants({"don't pass": 1}, {"don't come": 1}),
        lambda: BetDontPass(1) + AddIfPointOn(DontCome(1)),
    ),
    (Wants({"any craps": 2}, {"yo": 1}), lambda: AddIfPointOff(AnyCraps(2)) + AddIfPointOn(Yo(1))),
]


@pytest.mark.parametrize(("strategy", "other"), BETS)
def test_the_money_is_that_of_crapssim_after_every_roll(strategy, other):
    plan = Plan.of(strategy, 3000, rolls=ROLLS, house=House(field=(2, 2)))
    for number in range(EVENINGS):
        sitting = Dealt(plan, number, seed=15).played()
        table = Table()
        player = table.add_player(bankroll=3000, strategy=other())
        for n, moment in enumerate(sitting.moments[1:], 1):
            TableUpdate().run(table, dice_outcome=moment.faces)
            assert player.total_player_cash == moment.money, (number, n, moment)


def test_every_strategy_that_both_have_is_compared():
    assert {name for name, _ in BETS if isinstance(name, str)} <= set(strategies)
