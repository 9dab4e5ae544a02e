"""The table of crapssim, another writing of the rules, on the same dice: equal after every roll.

    pip install 'sevenout[bench]'

The dice are those of evenings that the simulator plays, so nothing is left to chance: the money
must be the same to the last unit.
"""

import pytest

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import spot
from sevenout.catalogue.strategies import strategies
from sevenout.evenings import Plan
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.evening_sampler import EveningDice

pytest.importorskip("crapssim")
from crapssim.bet import AnyCraps, Come, DontCome, Field, PassLine, Yo
from crapssim.strategy import examples
from crapssim.strategy.examples import (
    BuySampler,
    DiceDoctor,
    DoubleTap,
    HammerLock,
    IronCross,
    Knockout,
    LaySampler,
    Pass2Come,
    PassLinePlace68,
    Place68DontCome2Odds,
    Place68Move59,
    Place68PR,
    Place682Come,
    PlaceInside,
    QuickProps,
    Risk12,
    SqueezePlay,
    ThreePointDolly,
    ThreePointMolly,
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
        sitting = EveningDice(plan, number, seed=15).play()
        table = Table()
        player = table.add_player(bankroll=3000, strategy=other())
        for n, moment in enumerate(sitting.moments[1:], 1):
            TableUpdate().run(table, dice_outcome=moment.faces)
            assert player.total_player_cash == moment.money, (number, n, moment)


def test_every_strategy_that_both_have_is_compared():
    assert {name for name, _ in BETS if isinstance(name, str)} <= set(strategies)


class Told(Strategy):
    """A strategy told as a function of the point and the standing bets."""

    def __init__(self, come_out, point):
        self.told = {True: come_out, False: point}

    def wants(self, table):
        return self.told[table.point is None](table)


def some(bets):
    return lambda table: bets


def more(kind, amount, most=2):
    """Another come or don't come bet, if fewer than this many stand."""
    return lambda table: (
        {kind: amount}
        if sum(spot(bet).kind == kind and not spot(bet).odds for bet in table.bets) < most
        else {}
    )


def behind(kind, amounts):
    """Odds behind each come or don't come bet on a number, off on the come-out; and on the line."""
    line = {"come": "pass", "don't come": "don't pass"}[kind]

    def wants(table):
        found = {}
        for bet in table.bets:
            if spot(bet).kind == kind and spot(bet).number and not spot(bet).odds:
                odds = [f"{bet} odds", f"{bet} odds off"]
                on, other = odds if table.point else odds[::-1]
                found |= {other: 0} if other in table.bets else {}
                found[on] = amounts[spot(bet).number]
        if table.point and line in table.bets:
            found[f"{line} odds"] = amounts[table.point]
        return found

    return wants


def both(*wants):
    return lambda table: {bet: on for each in wants for bet, on in each(table).items()}


def but_the_point(bets):
    """Place bets, without one on the point."""
    return lambda table: {b: on if spot(b).number != table.point else 0 for b, on in bets.items()}


DOWN = dict.fromkeys(("place 5", "place 6", "place 8"), 0)
FLAT = dict.fromkeys(FULL, 5)
TWICE = dict.fromkeys(FULL, 10)
LAID = {4: 20, 5: 15, 6: 12, 8: 12, 9: 15, 10: 20}
LAYS = {"lay 5": 30, "lay 9": 30}
EXAMPLES = {
    "Pass2Come": (Told(some({"pass": 5}), more("come", 5)), Pass2Come(5)),
    "PassLinePlace68": (
        Told(some({**DOWN, "pass": 5}), but_the_point({"place 6": 6, "place 8": 6})),
        PassLinePlace68(5),
    ),
    "PlaceInside": (
        Told(some({}), some({"place 5": 5, "place 6": 6, "place 8": 6, "place 9": 5})),
        PlaceInside(5),
    ),
    "IronCross": (
        Told(
            some({**DOWN, "pass": 5}),
            both(
                some({"pass odds": 10, "field": 5}),
                but_the_point({"place 5": 10, "place 6": 12, "place 8": 12}),
            ),
        ),
        IronCross(5),
    ),
    "Place68DontCome2Odds": (
        Told(
            both(some(DOWN), behind("don't come", TWICE)),
            both(
                some({"place 6": 6, "place 8": 6}),
                more("don't come", 5, 1),
                behind("don't come", TWICE),
            ),
        ),
        Place68DontCome2Odds(),
    ),
    "QuickProps": (Told(*[some({"world": 5, "big 6": 10, "big 8": 10})] * 2), QuickProps()),
    "BuySampler": (Told(*[some({"buy 4": 25, "buy 10": 25})] * 2), BuySampler()),
    "LaySampler": (
        Told(
            some({**dict.fromkeys(LAYS, 0), **{f"{bet} off": on for bet, on in LAYS.items()}}),
            some({**{f"{bet} off": 0 for bet in LAYS}, **LAYS}),
        ),
        LaySampler(),
    ),
    "ThreePointMolly": (
        Told(
            both(some({"pass": 5}), behind("come", FLAT)),
            both(more("come", 5), behind("come", FLAT)),
        ),
        ThreePointMolly(5),
    ),
    "ThreePointDolly": (
        Told(
            both(some({"don't pass": 10}), behind("don't come", LAID)),
            both(more("don't come", 10), behind("don't come", LAID)),
        ),
        ThreePointDolly(10),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_other_example_of_crapssim_has_the_same_money(name):
    strategy, other = EXAMPLES[name]
    unit = 0 if "Point" in name or "Odds" in name else 1  # theirs don't round wins
    house = House(field=(2, 2), vig="up front", breakage=unit)
    plan = Plan.of(strategy, 3000, rolls=ROLLS, house=house)
    for number in range(4):
        sitting = EveningDice(plan, number, seed=15).play()
        table = Table()
        player = table.add_player(bankroll=3000, strategy=other)
        for n, moment in enumerate(sitting.moments[1:], 1):
            TableUpdate().run(table, dice_outcome=moment.faces)
            cash = player.bankroll + sum(bet.cost(table) for bet in player.bets)
            assert cash == pytest.approx(float(moment.money)), (number, n, moment)


def test_every_example_of_crapssim_is_compared_or_told_of():
    """A put bet is on the point here, and theirs on the 6 whatever the point is."""
    here = vars(examples).values()
    named = {x.__name__ for x in here if getattr(x, "__module__", "") == examples.__name__}
    compared = {*EXAMPLES, "PassLinePlace68Move59", "Place68Move59", "Place682Come", "HammerLock"}
    compared |= {"Risk12", "Knockout", "DiceDoctor", "Place68PR", "SqueezePlay", "DoubleTap"}
    assert named - compared == {"PutWithOdds"}
