"""An evening as a game, which every engine can solve, simulate, replay and certify."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.evenings.positions import Positions, Step
from sevenout.numerals import int_if_whole
from sevenout.rules.casino.ends import ENDS, STOPS, TIME, bets_to_play_out, play_out_roll
from sevenout.rules.casino.felt import Bets, Felt, Money
from sevenout.rules.game import Game
from sevenout.rules.outcome import Counted, Counts, Outcome, Pay, counted, settle


class EveningGame(Game):
    """An evening as a game.

    How it works. The steps are those of the positions; this class names their ends and counts. A
    state is (row, money), or (row, money, rolls made) if the rolls are limited. While bets are
    played out after the last roll, it is (point, bets, money). The bet "evening" stakes the
    bankroll. Counters: the stakes `settled`, the number of `bets` settled, and of bets `refused`.

    >>> from sevenout.evenings.positions import explored
    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> from sevenout.catalogue.strategies import strategies
    >>> from sevenout.rules.casino.betting import Bettor
    >>> from sevenout.rules.casino.ends import Ends
    >>> game = EveningGame(explored(Bettor(House(), strategies["pass"]), 2, Ends(ceiling=4)))
    >>> game.start, game.step(game.start, game.dice.roll((3, 4))).state
    ((0, 2), (0, 3))

    Args:
        positions: whose steps are the game's; not `mirrored` if the rolls are those of real dice.

    Attributes:
        positions: of the bets.
        limit: the most rolls; None if unlimited.
    """

    bets = ("evening",)

    def __init__(self, positions: Positions) -> None:
        self.positions, self.limit = positions, positions.ends.rolls
        self.dice = positions.bettor.felt.dice
        # remembered, since a large chain asks millions of times
        self._step_of_roll: dict[tuple[int, Any], int] = {}
        self._counts: dict[tuple[Money, int, int], tuple[Counts, Counts]] = {}
        self._ends: dict[tuple[int, Money], Outcome] = {}

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first row, and the money."""
        row, money = self.positions.first_position
        return (row, money) if self.limit is None else (row, money, 0)

    def step(self, state: Any, roll: Any) -> Any:
        """One roll: the bets that it settles and those made afterwards."""
        if isinstance(state[1], tuple):  # the bets: they are played out
            return self._play_out(state, roll)
        row, money = state[:2]
        rolls = None if self.limit is None else state[2] + 1
        is_last = rolls is not None and rolls == self.limit
        step, counts, last_counts = self._step(row, money, roll)
        to, money = self.positions.follow(step, money, last=is_last)
        # a player who leaves at a stop requests no more bets, so none is refused
        counts = last_counts if is_last or to in STOPS else counts
        if to >= 0:
            return Counted((to, money) if rolls is None else (to, money, rolls), counts)
        if to == TIME:
            stands = bets_to_play_out(self._felt, step.stands, self.positions.ends.standing)
            if stands[1]:
                return Counted((*stands, money), counts)
        return Counted(self._end(to, money), counts)

    def _step(self, row: int, money: Money, roll: Any) -> tuple[Step, Counts, Counts]:
        """The step of a roll, and its counts before and at the last roll."""
        index = self._step_of_roll.get((row, roll))
        if index is None:
            throws = self._felt.throws(self.positions.rows[row].seat.bets)
            index = self._step_of_roll[row, roll] = self._felt.throw_index(throws, roll)
        step = self.positions.steps_at(row, money)[index]
        key = step.settled, step.bets, step.refused
        counts = self._counts.get(key)
        if counts is None:
            settled = {"settled": step.settled, "bets": step.bets}
            with_refused = counted(None, **settled, refused=step.refused).counts
            counts = self._counts[key] = with_refused, counted(None, **settled).counts
        return step, *counts

    @property
    def _felt(self) -> Felt:
        return self.positions.bettor.felt

    def _play_out(self, state: tuple[int | None, Bets, Money], roll: Any) -> Any:
        """A roll after time is up, with the bets that still stand."""
        point, bets, money = state
        stands, rolled = play_out_roll(self._felt, (point, bets), self._felt.throw_of(bets, roll))
        money = int_if_whole(Fraction(money + rolled.net))
        then = (*stands, money) if stands[1] else self._end(TIME, money)
        settled = sum(paid.stake for paid in rolled.paid)
        return counted(then, settled=settled, bets=len(rolled.paid), refused=0)

    def _end(self, end: int, money: Money) -> Outcome:
        """The outcome of an end with this money; one object, since many moves lead to it."""
        outcome = self._ends.get((end, money))
        if outcome is None:
            label, bankroll = ENDS[end], Fraction(self.positions.bankroll)
            pay = Pay(label, money - bankroll, bankroll, bankroll)
            outcome = self._ends[end, money] = settle(label, {"evening": pay})
        return outcome
