"""Reads a bet's limits, window and notes from a game file."""

from fractions import Fraction
from functools import partial
from typing import Any

from sevenout.documents.numbers import amount
from sevenout.rules.casino.limits import LIMITS, MADE, STAYS, Limits
from sevenout.rules.casino.windows import against_figures, against_procedure
from sevenout.rules.game import Game
from sevenout.rules.gamefiles.filevalues import At, ValueReader, as_toml


class BetReader(ValueReader):
    """Reads and keeps the declarations beside a bet's pays."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self._limits: dict[str, Limits] = {}

    @property
    def _limits_read(self) -> dict[str, Any]:
        return {
            "minimum": self._bound,
            "maximum": self._bound,
            "top_award": self._award,
            "made": partial(self._one, MADE),
            "stays": partial(self._one, STAYS),
        }

    def _bound(self, given: Any, at: At) -> Fraction:
        amount = Fraction(self._number(given, at))
        if amount <= 0:
            self._against(f"{at[-1]} = {amount}; write more than 0", at)
        return amount

    def _award(self, given: Any, at: At) -> str:
        if not isinstance(given, str) or not given.strip():
            said = f"top_award = {as_toml(given)}"
            self._fail(f'{said}; write a text, such as "25,000 a round"', at)
        return self._name(given, at)

    def _within(self, bet: str, said: dict[str, Any], at: At) -> dict[str, Any]:
        """The notes on a bet; keeps its limits."""
        limits = Limits(**{key: said.pop(key) for key in LIMITS if key in said})
        least, most = limits.minimum, limits.maximum
        if least is not None and most is not None and most < least:
            self._against(f"maximum = {most} is less than minimum = {least}", (*at, "maximum"))
        if limits != Limits():
            self._limits[bet] = limits
        return said

    def _award_held(self, bet: str, pays: Fraction, at: At) -> None:
        """Refuse a top award below the most that the bet pays."""
        limits = self._limits.get(bet, Limits())
        name, staked = "maximum", limits.maximum
        if staked is None:
            name, staked = "minimum", limits.minimum
        if limits.most is None or staked is None:
            return
        paid = pays * staked
        if limits.most < paid:
            self._against(
                f'top_award = "{limits.top_award}", and {amount(pays)} to 1 on {name} = '
                f"{amount(staked)} is {amount(paid)}; lower the {name} or raise the award",
                (*_bet_at(bet, at), "top_award"),
            )

    def _window_held(
        self, bet: str, game: Game, games: tuple[Game, ...], procedure: str, at: At
    ) -> None:
        """Refuse a window that contradicts the bet's figures or the procedure."""
        limits, where = self._limits.get(bet, Limits()), _bet_at(bet, at)
        key, wrong = against_figures(limits, game, games)
        if key:
            self._against(f'{key} = "{getattr(limits, key)}" of {bet}, {wrong}', (*where, key))
        if said := against_procedure(limits, bet, procedure):
            key, sentence = said
            self._against(
                f'{key} = "{getattr(limits, key)}" of {bet}, and the procedure says '
                f"{as_toml(sentence)}; change one of them",
                (*where, key),
            )

    def _one(self, words: tuple[str, ...], given: Any, at: At) -> str:
        """One of the allowed words."""
        if given not in words:
            there = ", ".join(f'"{word}"' for word in words)
            self._fail(f"{at[-1]} = {as_toml(given)}; write one of {there}", at)
        return str(given)


def _bet_at(bet: str, at: At) -> At:
    """The position of a bet's declarations."""
    return (*at, "bets", bet) if at[0] == "line" else at
