"""Races to a square, decided by the dice alone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Rollable
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.outcome import Outcome, passed, settle, win

NO_JUMPS: Mapping[int, int] = Frozen({})


@dataclass(frozen=True)
class Race(Game):
    """A race over a board, for one or two players, from before square 1.

    >>> from sevenout.rolling import parse_dice
    >>> Race(parse_dice("d6"), 100, Frozen({1: 38})).step((0, 7), 1)
    Passed(then=(7, 38))

    The states are (mine, yours) for two, and the square for one.

    Args:
        to: the last square.
        jumps: for each foot of a ladder or head of a chute, the square to which it leads.
        players: 1 or 2.
        exact: whether a roll that would go beyond the last square is lost.
        again: the totals after which the same player rolls again.

    Raises:
        RulesError: a last square below 1, another number of players, a jump off the board or to the
            start of another, totals that the dice can't roll, or a backward move.
    """

    die: Dice
    to: int
    jumps: Mapping[int, int] = field(default_factory=lambda: NO_JUMPS)
    players: int = 2
    exact: bool = False
    again: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if type(self.to) is not int or self.to < 1:
            raise RulesError(f"to={shown(self.to)}; give a square from 1")
        if type(self.players) is not int or self.players not in (1, 2):
            raise RulesError(f"players={shown(self.players)}; give 1 or 2")
        for start, end in self.jumps.items():
            if not (0 < start < self.to and 0 <= end <= self.to) or end in self.jumps:
                raise RulesError(
                    f"a jump from {shown(start)} to {shown(end)}; both are squares, and no jump "
                    "begins where another ends"
                )
        for total in self.dice.law:
            if not isinstance(total, int) or total < 0:
                raise RulesError(
                    f"a roll of {shown(total)} moves no player; use dice with whole numbers"
                )
        for total in self.again:
            if total not in self.dice.law:
                raise RulesError(f"again={shown(total)}; {self.die} can't roll it")

    @property
    def dice(self) -> Rollable:  # type: ignore[override]
        """The squares that a player moves."""
        return self.die.totals

    @property
    def start(self) -> Any:  # type: ignore[override]
        return 0 if self.players == 1 else (0, 0)

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return ("square",) if self.players == 1 else ("mine", "yours")

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return () if self.players == 1 else ("pass",)

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """One player reaches the last square."""
        return (settle("home") if self.players == 1 else win("home"),)

    def afford(self) -> None:
        """Refuse a board with too many states."""
        states = float(min(self.to, 10**6)) ** self.players
        afford(
            f"a race of {states:.3g} states",
            seconds=4e-6 * states * len(self.dice.law),
            memory=150.0 * states,
            instead="race to a nearer square",
        )

    def step(self, state: Any, roll: int) -> Any:
        mine, *others = state if isinstance(state, tuple) else (state,)
        there = mine + roll
        if there > self.to:
            there = mine if self.exact else self.to
        there = self.jumps.get(there, there)
        if there == self.to:
            return self.outcomes[0]
        if not others:
            return there
        return (there, *others) if roll in self.again else passed((*others, there))
