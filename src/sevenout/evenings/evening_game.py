"""An evening at the table as a game that every engine can solve, simulate, replay and check."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.evenings.positions import Positions, Step
from sevenout.rules.casino.ends import ENDS, STOPS, TIME, kept, played_on
from sevenout.rules.casino.felt import Bets, Felt, Money, whole
from sevenout.rules.game import Game
from sevenout.rules.outcome import Counted, Counts, Outcome, Pay, counted, settle


class EveningGame(Game):
    """An evening as a game.

    A state is (layout, money), or (layout, money, rolls made) if the rolls are limited. While bets
    are played out after the last roll, it is (point, bets, money). The bet "evening" stakes the
    bankroll. Counters: the stakes `settled`, the number of `bets` settled, and of bets `refused`.

    >>> from sevenout.evenings.positions import explored
    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> from sevenout.catalogue.strategies import strategies
    >>> from sevenout.rules.casino.betting import Bettor
    >>> from sevenout.rules.casino.ends import Ends
    >>> game = EveningGame(explored(Bettor(House(), strategies["pass"]), 2, Ends(ceiling=4)))
    >>> game.start, game.step(game.start, game.dice.roll((3, 4))).then
    ((0, 2), (0, 3))

    Args:
        layouts: the positions; not `mirrored` if the rolls are those of real dice.
    """

    bets = ("evening",)

    def __init__(self, layouts: Positions) -> None:
        self.layouts, self.limit = layouts, layouts.ends.rolls
        self.dice = layouts.bettor.felt.dice
        self._which: dict[tuple[int, Any], int] = {}
        self._counts: dict[tuple[Money, int, int], tuple[Counts, Counts]] = {}
        self._ends: dict[tuple[int, Money], Outcome] = {}

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first layout, and the money."""
        return self.layouts.first if self.limit is None else (*self.layouts.first, 0)

    def step(self, state: Any, roll: Any) -> Any:
        """One roll: the bets that it settles and those made afterwards."""
        if self.limit is None:
            row, money = state
            step, counts, at_last = self._step(row, money, roll)
            then = self.layouts.follow(step, money)
            counts = at_last if then[0] in STOPS else counts
            return Counted(then if then[0] >= 0 else self._end(*then), counts)
        if isinstance(state[1], tuple):
            return self._play_out(state, roll)
        row, money, made = state
        step, counts, at_last = self._step(row, money, roll)
        last = made + 1 == self.limit
        to, after = self.layouts.follow(step, money, last=last)
        counts = at_last if last or to in STOPS else counts
        if to == TIME and (stands := kept(self._felt, step.stands, self.layouts.ends.standing))[1]:
            return Counted((*stands, after), counts)
        return Counted(self._end(to, after) if to < 0 else (to, after, made + 1), counts)

    def _step(self, row: int, money: Money, roll: Any) -> tuple[Step, Counts, Counts]:
        """The step of a roll, and its counts before and at the last roll."""
        which = self._which.get((row, roll))
        if which is None:
            throws = self._felt.throws(self.layouts.rows[row].seat.bets)
            which = self._which[row, roll] = self._felt.which(throws, roll)
        step = self.layouts.steps_at(row, money)[which]
        key = step.settled, step.bets, step.refused
        counts = self._counts.get(key)
        if counts is None:
            settled = {"settled": step.settled, "bets": step.bets}
            all_of_them = counted(None, **settled, refused=step.refused).counts
            counts = self._counts[key] = all_of_them, counted(None, **settled).counts
        return step, *counts

    @property
    def _felt(self) -> Felt:
        return self.layouts.bettor.felt

    def _play_out(self, state: tuple[int | None, Bets, Money], roll: Any) -> Any:
        point, bets, money = state
        stands, rolled = played_on(self._felt, (point, bets), self._felt.throw_of(bets, roll))
        money = whole(Fraction(money + rolled.net))
        then = (*stands, money) if stands[1] else self._end(TIME, money)
        settled = sum(each.stake for each in rolled.paid)
        return counted(then, settled=settled, bets=len(rolled.paid), refused=0)

    def _end(self, end: int, money: Money) -> Outcome:
        outcome = self._ends.get((end, money))
        if outcome is None:
            label, brought = ENDS[end], Fraction(self.layouts.bankroll)
            pay = Pay(label, money - brought, brought, brought)
            outcome = self._ends[end, money] = settle(label, {"evening": pay})
        return outcome
