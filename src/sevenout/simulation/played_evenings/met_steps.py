"""Evenings played one by one; a step is worked out when an evening first meets it.

Most evenings meet the same few positions, so the thousandth costs microseconds a roll, however many
positions there are. Needs no NumPy.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.positions import MAX_ROWS, Positions, RollEffect, Step
from sevenout.evenings.settlement import Standing
from sevenout.rolling.throw import Faces, see
from sevenout.rules.casino.ends import ENDS, TIME
from sevenout.rules.casino.felt import Money, Stands, Throw
from sevenout.rules.casino.standing import played_on


class MetSteps:
    """The steps that evenings of a plan have met.

    >>> from sevenout.simulation.played_evenings.eveningdice import dice_of
    >>> MetSteps(Plan.of("pass", 20, rolls=30)).evening(dice_of(0, seed=1))
    ('time', 21)
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.felt = plan, plan.bettor.felt
        self.standing = Standing(self.felt, plan.ends.standing)
        self.out: dict[tuple[Stands, Faces], tuple[Stands, Money]] = {}
        plan.sitting()  # refuses what can't be played roll by roll
        self._forget()

    def _forget(self) -> None:
        plan = self.plan
        ends = replace(plan.ends, rolls=None)  # steps don't depend on the rolls left
        mirrored = plan.bettor.strategy.mirrored
        self.explorer = Positions(plan.bettor, plan.bankroll, ends, mirrored=mirrored, max_rows=inf)
        self.explorer.begin()
        self.start = self.explorer.start
        self.outcomes: dict[tuple[int, Money | None, Throw], RollEffect] = {}
        self.rich: dict[tuple[int, Faces], Step] = {}
        self.poor: dict[tuple[int, Faces, Money], Step] = {}

    def evening(self, dice: Iterator[Faces]) -> tuple[str, Money]:
        """How an evening with these dice ends, and with how much money."""
        if len(self.explorer.rows) > MAX_ROWS:
            self._forget()
        rich, poor, ends = self.rich, self.poor, self.plan.ends
        stops, last = (ends.floor, ends.ceiling) != (None, None), ends.rolls
        at, money, rolls = self.start, self.plan.bankroll, 0
        while True:
            faces = next(dice)
            rolls += 1
            step = rich.get((at, faces)) or self._rich(at, faces)
            if money < step.need:
                step = poor.get((at, faces, money)) or self._poor(at, faces, money)
            money += step.gain
            at = step.to
            if stops or rolls == last:
                at = ends.known(at, money, last=rolls == last)
            if at < 0:
                break
        if at == TIME:
            stands = self.standing.left(step.stands)
            while stands[1]:
                stands, gain = self._played_out(stands, next(dice))
                money += gain
        return ENDS[at], money

    def _rich(self, at: int, faces: Faces) -> Step:
        """The step of a roll with money enough."""
        row = self.explorer.rows[at]
        found = self.explorer.step(row, self._outcome(at, faces), 0, row.money)
        self.rich[at, faces] = found
        return found

    def _poor(self, at: int, faces: Faces, money: Money) -> Step:
        """The same with less."""
        found = self.explorer.step(self.explorer.rows[at], self._outcome(at, faces), 0, money)
        self.poor[at, faces, money] = found
        return found

    def _outcome(self, at: int, faces: Faces) -> RollEffect:
        row = self.explorer.rows[at]
        throw = self.felt.throw_of(row.seat.bets, see(self.felt.dice, faces))
        key = row.layout, row.money, throw
        found = self.outcomes.get(key)
        if found is None:
            found = self.outcomes[key] = self.explorer.effect(row, throw)
        return found

    def _played_out(self, stands: Stands, faces: Faces) -> tuple[Stands, Money]:
        """What a roll leaves of the bets that stood at the end, and what it pays."""
        found = self.out.get((stands, faces))
        if found is None:
            throw = self.felt.throw_of(stands[1], see(self.felt.dice, faces))
            (point, bets), rolled = played_on(self.felt, stands, throw)
            left = self.felt.mirrored(point, bets)[:2] if bets else (None, ())
            found = self.out[stands, faces] = left, rolled.net
        return found
