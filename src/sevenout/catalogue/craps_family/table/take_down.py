"""Craps bets that may be changed before each roll."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.bets.place import PLACE
from sevenout.catalogue.craps_family.craps import craps, dont_pass
from sevenout.catalogue.craps_family.table.craps_table import TOTALS, WIZARD, a_point, true_odds
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.numerals import exact
from sevenout.rolling import Rollable
from sevenout.rules import Game, Outcome, PointGame, settle

ROUND = craps()


class OnAPoint(Game):
    """A line bet with a choice before each roll on a point.

    The state after the choice is a tuple.
    """

    start = ROUND.start
    coordinates = ("point",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The options on a point."""
        asked = state != self.start and not isinstance(state, tuple)
        return self.options_on(state) if asked else {}

    @abstractmethod
    def options_on(self, point: int) -> Mapping[str, Any]:
        """The options on this point."""


@dataclass(frozen=True)
class Odds(OnAPoint):
    """The pass line, with odds chosen before each roll.

    A state is the point, or the point and the odds chosen, in flat bets.

    >>> list(Odds(2).choices(4))
    ['no odds', '1x odds', '2x odds']
    """

    multiple: int
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """The multiples of odds."""
        return {f"{n}x odds" if n else "no odds": (point, n) for n in range(self.multiple + 1)}

    def step(self, state: Any, total: int) -> Any:
        point, odds = state if isinstance(state, tuple) else (state, 0)
        then = ROUND.step(point, total)
        if not isinstance(then, Outcome) or point == self.start:
            return then
        won = then.profit("pass") > 0
        profit = 1 + odds * true_odds(point) if won else -1 - odds
        return settle(then.label, {"pass": (profit, 1 + odds)})


@dataclass(frozen=True)
class DontPass(OnAPoint):
    """The don't pass, which may be taken down once there is a point.

    A state is the point, with "up" before a roll.
    """

    line: PointGame
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """Leave it up, or take it down."""
        down = settle("taken down", {"don't pass": 0})
        return {"leave it up": (point, "up"), "take it down": down}

    def step(self, state: Any, total: int) -> Any:
        return self.line.step(state[0] if isinstance(state, tuple) else state, total)


@dataclass(frozen=True)
class PlaceUpOrDown(Game):
    """A place bet through a shooter's hand.

    A state is the number of wins and the round's point, with "on" or "off" before a roll.

    >>> list(PlaceUpOrDown(6, 2).choices((1, 8)))
    ['on', 'off', 'take it down']
    """

    number: int
    wins: int
    dice: Rollable = TOTALS
    start = (0, ROUND.start)
    coordinates = ("won", "point")

    def choices(self, state: Any) -> Mapping[str, Any]:
        """On, off, or down."""
        if len(state) == 3:
            return {}
        down = self._over("taken down", state[0])
        return {"on": (*state, "on"), "off": (*state, "off"), "take it down": down}

    def step(self, state: Any, total: int) -> Any:
        won, point, works = state
        then = ROUND.step(point, total)
        if total == 7 and works == "on":
            return self._over("seven", won, lost=1)
        if isinstance(then, Outcome) and then.label == "seven out":
            return self._over("returned", won)
        if total == self.number and works == "on":
            won += 1
            if won == self.wins:
                return self._over("won", won)
        return won, ROUND.start if isinstance(then, Outcome) else then

    def _over(self, label: str, won: int, lost: int = 0) -> Outcome:
        return settle(label, {"place": won * exact(PLACE[self.number]) - lost})


def odds_up(multiple: int = 2) -> Odds:
    """The pass line. Once there is a point, the player has up to this many times the flat bet in
    odds. They may take the odds down or put them up again before each roll. The odds are
    paid at true odds.
    """
    if multiple < 0:
        raise RulesError(f"multiple={shown(multiple)}; take 0 or more times the flat bet")
    return Odds(multiple)


def dont_pass_up(bar: int = 12) -> DontPass:
    """The don't pass. Once there is a point, the bet may be taken down before each roll, and is
    returned; the house does not mind, since the player has the better of it.
    """
    return DontPass(dont_pass(bar))


def place_up(number: int = 6, wins: int = 3) -> PlaceUpOrDown:
    """A place bet through a shooter's hand, made before its first come-out. Before each roll, on
    the come-out too, it is on, or off, or taken down; a win is paid and the bet stays up. A 7 takes
    a bet that is on. The seven-out ends the hand, and a bet that is off is returned. After this
    many wins the bet is taken down.
    """
    if wins < 1:
        raise RulesError(f"wins={shown(wins)}; take it down after 1 or more")
    return PlaceUpOrDown(a_point(number), wins)


def full_odds(game: Game) -> Policy:
    """Always take full odds."""
    return lambda state: list(game.choices(state))[-1]


def always(option: str, _: Game) -> Policy:
    """The same option before every roll."""
    return lambda state: option


def off_on_the_come_out(_: Game) -> Policy:
    """Off on the come-out, on otherwise."""
    return lambda state: "off" if state[1] == ROUND.start else "on"


entry = partial(Entry, family="Craps", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("craps-odds-up", "Pass line, odds up or down", odds_up, most="pass",
          policies={"full-odds": full_odds},
          readings=("Odds are as many on every point, and may be changed before each roll.",
                    "The stake is the flat bet; the odds are money at risk.")),
    entry("dont-pass-up", "Don't pass, up or down", dont_pass_up, most="don't pass",
          policies={"leave-it-up": partial(always, "leave it up"),
                    "take-it-down": partial(always, "take it down")},
          readings=("It may be taken down before any roll with a point, and is returned whole.",)),
    entry("place-up", "Place bet, off or on", place_up, most="place",
          policies={"on": partial(always, "on"), "off-on-the-come-out": off_on_the_come_out},
          readings=("The bet is made before the come-out, and wins and loses there if it is on.",
                    "The hand ends with the seven-out; wins are paid at once.")),
    entry("place-three-wins", "Place bet, off or on, to win three times",
          place_up, most="place >= 7/2",
          policies={"on": partial(always, "on"), "off-on-the-come-out": off_on_the_come_out}),
]
# fmt: on
