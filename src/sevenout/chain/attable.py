"""An evening at the table as a game: what every engine plays, solves, replays and checks."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.chain.layouts import ENDS, Layouts, Step
from sevenout.rules.betting import Money
from sevenout.rules.game import Game
from sevenout.rules.outcome import Pay, counted, settle


class AtTable(Game):
    """An evening as a game; a state is (layout, money), and the rolls made where these are limited.

    The bet "evening" pays what the evening brought, out of the bankroll. Counters: `settled`, the
    stakes of the bets that were settled, `bets`, how many these were, and `refused`, how many
    could not be made after a roll.

    >>> from sevenout.chain.layouts import layouts
    >>> from sevenout.games.felt import House
    >>> from sevenout.games.strategies import strategies
    >>> from sevenout.rules.betting import Bettor
    >>> game = AtTable(layouts(Bettor(House(), strategies["pass"]), 2, ceiling=4))
    >>> game.start, game.step(game.start, game.dice.roll((3, 4))).then
    ((0, 2), (0, 3))

    Args:
        layouts: of the evening, none of them `mirrored` where the rolls are those of real dice.
        rolls: he leaves after so many; None for never.
    """

    bets = ("evening",)

    def __init__(self, layouts: Layouts, rolls: int | None = None) -> None:
        self.layouts, self.limit = layouts, rolls
        self.dice = layouts.bettor.felt.dice
        self._steps: dict[tuple[int, Any], Step] = {}

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first layout, and the money once its bets are made."""
        return self._state(*self.layouts.first, 0)

    def _state(self, row: int, money: Money, made: int) -> Hashable:
        return (row, money) if self.limit is None else (row, money, made)

    def step(self, state: Any, roll: Any) -> Any:
        """One roll, the bets that it settles and those that are made then."""
        row, money, *made = state
        step = self._step(row, roll)
        last = bool(made) and made[0] + 1 == self.limit
        to, after = self.layouts.follow(step, money, last=last)
        refused = 0 if last else step.refused
        counts = {"settled": step.settled, "bets": step.bets, "refused": refused}
        if to < 0:
            return counted(self._end(ENDS[to], after), **counts)
        return counted(self._state(to, after, made[0] + 1 if made else 0), **counts)

    def _step(self, row: int, roll: Any) -> Step:
        felt, seat = self.layouts.bettor.felt, self.layouts.rows[row].seat
        key = row, roll
        if key not in self._steps:
            which = felt.which(felt.throws(seat.bets), roll)
            self._steps[key] = self.layouts.steps[row][which]
        return self._steps[key]

    def _end(self, end: str, money: Money) -> Any:
        brought = Fraction(self.layouts.bankroll)
        return settle(end, {"evening": Pay(end, money - brought, brought, brought)})
