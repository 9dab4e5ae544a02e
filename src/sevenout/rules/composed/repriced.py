"""A game with other pays: the same rolls and events, other amounts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.rules import Counted, Game, Outcome, Passed, Pay, bets_of
from sevenout.rules.game import Around
from sevenout.rules.outcome import pay


@dataclass(frozen=True, init=False)
class Repaid(Around):
    """A game without choices, with other pays.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> big = games.entry("big-6-big-8")
    >>> paid = {(big.bet, pay): Fraction(7, 6) for pay in big.pays if pay.profit > 0}
    >>> solve(Repaid(big.game(), paid)).bet().edge
    Fraction(1, 66)

    Args:
        profits: the new profit of each (bet, old pay).
    """

    game: Game
    profits: tuple[tuple[tuple[str, Pay], Fraction], ...]

    def __init__(self, game: Game, profits: Mapping[tuple[str, Pay], Fraction]) -> None:
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "profits", tuple(profits.items()))
        new = {
            (bet, old): pay(old.event, (profit, old.risk), old.stake)
            for (bet, old), profit in profits.items()
        }
        object.__setattr__(self, "_new", new)

    @property
    def bets(self) -> Collection[str] | None:  # type: ignore[override]
        return bets_of(self.game) if self.game.outcomes else self.game.bets

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return tuple(self._paid(bet, old) for old in self.game.pays_of(bet))

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        return tuple(map(self._then, self.game.outcomes))

    def step(self, state: Any, roll: Any) -> Any:
        return self._then(self.game.step(state, roll))

    def _paid(self, bet: str, old: Pay) -> Pay:
        new: Pay = self._new.get((bet, old), old)  # type: ignore[attr-defined]
        return new

    def _then(self, then: Any) -> Any:
        if isinstance(then, Counted | Passed):
            inner = self._then(then.then)
            return Counted(inner, then.counts) if isinstance(then, Counted) else Passed(inner)
        if isinstance(then, Outcome):
            return Outcome(then.label, tuple((b, self._paid(b, p)) for b, p in then.pays))
        return then
