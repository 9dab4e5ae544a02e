"""Entries of games with choices."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.games.entry import CatalogueItem, Shelf
from sevenout.model.process import Policy
from sevenout.rules import Game, Surrender
from sevenout.rules.families.surrender import LEAVE, RIDE
from sevenout.rules.objective import least, most, played_for

NUMBERED = re.compile(r"(?P<stem>.+-)(?P<number>\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class Decision(CatalogueItem):
    """A game with choices.

    >>> from sevenout.games import decisions
    >>> pig = decisions["pig-turn"]
    >>> pig.goal, pig.known, tuple(pig.policies)
    ({'most': 'points'}, Fraction(492303203, 60466176), ('hold-20',))

    Attributes:
        most: a bet, a counter or an outcome to maximise, as `sevenout.best` takes it.
        least: the same to minimise, in place of `most`.
        readings: disputed rules, and the version used here.
        policies: well-known simple policies by name; each is a function of a game. If a name ends
            in a number, it takes any number as a second argument.
        value: the value of optimal play, published or computed twice; with "..." at the end, its
            first digits.
    """

    _: KW_ONLY
    most: str | tuple[str, ...] | None = None
    least: str | tuple[str, ...] | None = None
    players: int = 1
    readings: tuple[str, ...] = field(default=(), repr=False)
    policies: Mapping[str, Callable[..., Policy]] = field(default_factory=dict, repr=False)
    value: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if (self.most is None) == (self.least is None):
            raise RulesError(f"{self.id}: give one goal, most= or least=")

    @property
    def goal(self) -> dict[str, Any]:
        """The goal, as keyword arguments of `sevenout.best`."""
        return {"most": self.most} if self.least is None else {"least": self.least}

    @property
    def known(self) -> Fraction | None:
        """The exact optimal value with the entry's own options, if known."""
        return Fraction(self.value) if self.value and not self.value.endswith("...") else None

    def game(self, /, **options: Any) -> Game:
        """The game, with options and its goal.

        >>> from sevenout.games import decisions
        >>> print(decisions["threes"].game().goal)
        least points
        """
        made = super().game(**options)
        return played_for(made, most(self.most or "") if self.least is None else least(self.least))

    def policy(self, name: str, /, **options: Any) -> Policy:
        """A simple policy by name: "hold-20", or "hold-25".

        >>> from sevenout.games import decisions
        >>> decisions["pig"].policy("hold-25")((30, 40, 24))
        'roll'

        Raises:
            RulesError: no such policy; the message names the others.
        """
        game = self.game(**options)
        if isinstance(name, str):
            match = NUMBERED.fullmatch(name)
            for known, make in self.policies.items():
                numbered = NUMBERED.fullmatch(known)
                if match and numbered and match["stem"] == numbered["stem"]:
                    return make(game, int(match["number"]))
                if known == name:
                    return make(game)
        there = ", ".join(self.policies) or "none"
        raise RulesError(f"{self.id} has no policy {shown(name)}; its policies: {there}")


def of_surrender(name: str, title: str, game: Surrender) -> Decision:
    """The entry of a bet that may be surrendered, with the most of it as goal.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> given_up = of_surrender("mine", "Mine", Surrender(craps, {4: "-1/2"}))
    >>> given_up.goal, tuple(given_up.policies)
    ({'most': 'pass'}, ('never', 'always'))
    """
    return Decision(
        name,
        title,
        lambda: game,
        family=title,
        most=game.bet,
        policies={"never": lambda _: lambda state: RIDE, "always": lambda _: lambda state: LEAVE},
    )


class Decisions(Shelf[Decision], Mapping[str, Decision]):
    """The games with choices by name; a call gives a game with options.

    >>> from sevenout.games import decisions
    >>> decisions("pig", goal=10).target
    10
    """

    def __getitem__(self, name: str) -> Decision:
        return self.entry(name)
