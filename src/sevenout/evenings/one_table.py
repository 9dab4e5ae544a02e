"""Strategies at one table, each scaled to its minimum bets."""

from dataclasses import replace

from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.strategies.scaled import Scaled, times_for
from sevenout.evenings.eveningplan import Plan
from sevenout.evenings.lattice.positions import explored
from sevenout.rules.casino.betting import Bettor
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Money

AHEAD = 40
"""A strategy's least bets are found over this many rolls."""


def at_the_minimum(plan: Plan) -> Plan:
    """The evening with all bets scaled by the least integer that meets the table's minimums.

    >>> at_the_minimum(Plan.of("place-6-8", 300, rolls=9, house=House(minimum=10))).name
    'Place 6 and 8 (×2)'
    """
    felt = plan.bettor.felt
    if not isinstance(felt, House):
        return plan
    free = Bettor(replace(felt, minimum=0, props=None, maximum=None), plan.bettor.strategy)
    rolls = min(plan.ends.rolls or AHEAD, AHEAD)
    found = explored(free, plan.bankroll * 1000, Ends(rolls=rolls))
    bets: dict[str, Money] = {}
    for row in found.rows:
        for bet, amount in row.seat.bets:
            if felt.is_flat(bet):
                bets[bet] = min(amount, bets.get(bet, amount))
    times = times_for({bet: felt.least(bet) for bet in bets}, bets)
    if times == 1:
        return plan
    scaled = Bettor(felt, Scaled(plan.bettor.strategy, times))
    return replace(plan, bettor=scaled, name=f"{plan.name} (×{times})")
