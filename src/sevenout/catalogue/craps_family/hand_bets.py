"""Bets on the shooter's hand at craps, and bets that may be changed before each roll."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.craps import craps, dont_pass
from sevenout.catalogue.craps_family.craps_bets import PLACE, entry
from sevenout.catalogue.dice_and_odds import TOTALS, checked_point, true_odds
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.numerals import Number, exact
from sevenout.rolling import Rollable
from sevenout.rules import Game, Outcome, PayTable, PointGame, settle
from sevenout.rules.point_games import PointsMade

# --- the shooter's hand, from the first come-out to the seven-out ---------------------------------

ETHIER_HOPPE = (
    "S. Ethier and F. Hoppe, A world record in Atlantic City and the length of the shooter's hand "
    "at craps, Math. Intelligencer 32 (2010)"
)
CRAPS_ROUND = craps()


def point_after(point: int | str, roll: int) -> int | str | None:
    """The point of the hand after a roll, or the next come-out; None after the seven-out.

    >>> point_after("come-out", 7), point_after(4, 4), point_after(4, 7)
    ('come-out', 'come-out', None)
    """
    after = CRAPS_ROUND.step(point, roll)
    if not isinstance(after, Outcome):
        return after  # type: ignore[no-any-return]
    # Only the seven-out passes the dice; craps and naturals are followed by a come-out.
    return None if after.label == "seven out" else CRAPS_ROUND.start


@dataclass(frozen=True)
class HandLength(Game):
    """The number of rolls of craps until the seven-out.

    The state is the number of rolls so far and the point. The best prize is decided as soon as the
    hand is long enough for it.

    >>> HandLength(((2, -1), (8, 0), (16, 2))).step((15, "come-out"), 11).profit("hand")
    Fraction(2, 1)

    Args:
        prizes: the profit by the least number of rolls that earns it, from 2 up.

    Attributes:
        dice: the totals of two dice.
        start: no roll, and the come-out.
    """

    prizes: tuple[tuple[int, Number], ...]
    dice: Any = TOTALS
    start: Hashable = (0, CRAPS_ROUND.start)
    bets = ("hand",)
    side_of = CRAPS_ROUND

    def __post_init__(self) -> None:
        rolls = [min_rolls for min_rolls, _ in self.prizes]
        # The shortest hand is a point and the seven-out.
        if rolls[:1] != [2] or rolls != sorted({*rolls}):
            raise RulesError(f"prizes={shown(self.prizes)}; give them by rolls, ascending from 2")

    def step(self, state: tuple[int, int | str], roll: int) -> Any:
        rolls, point = state[0] + 1, point_after(state[1], roll)
        # No longer hand pays more, and without this the states would not end.
        if point is None or rolls == self.prizes[-1][0]:
            return self._outcome(rolls)
        return rolls, point

    def _outcome(self, rolls: int) -> Outcome:
        """The prize for a hand of this many rolls."""
        rank = max(i for i, (min_rolls, _) in enumerate(self.prizes) if min_rolls <= rolls)
        min_rolls, profit = self.prizes[rank]
        is_best = rank + 1 == len(self.prizes)
        upper = "or more" if is_best else f"to {self.prizes[rank + 1][0] - 1}"
        return settle(f"{min_rolls} {upper} rolls", {"hand": profit})


@dataclass(frozen=True)
class Shooter(Game):
    """The shooter rolls at craps until the seven-out, through as many rounds as it takes. A round
    that ends otherwise is followed by a new come-out.

    >>> Shooter().step(4, 7).label, Shooter().step(4, 4)
    ('seven out', 'come-out')

    Attributes:
        dice: the totals of two dice.
        start: the come-out.
    """

    dice: Any = TOTALS
    start: Hashable = CRAPS_ROUND.start

    def step(self, point: int | str, roll: int) -> Any:
        after = point_after(point, roll)
        return Outcome("seven out", ()) if after is None else after


def shooter() -> Shooter:
    """A shooter rolls at craps until the seven-out, through as many rounds as it takes."""
    return Shooter()


def fire(prizes: Mapping[int, Number] | None = None) -> PointsMade:
    """The shooter plays rounds of craps until the seven-out. Each point that is made counts once,
    however often it is made. The number of different points sets the pay: 24 to 1 for 4 of them,
    249 to 1 for 5 and 999 to 1 for 6 by default. All six decide the bet at once.
    """
    chosen = {4: 24, 5: 249, 6: 999} if prizes is None else prizes
    return PointsMade(CRAPS_ROUND, chosen, bet="fire")


def hot_shooter() -> HandLength:
    """The rolls of the hand are counted, from the first come-out to the seven-out and both
    included. 8 to 15 rolls pay 1 for 1, which returns the bet; 16 to 23 pay 3 for 1, 24 to 31 pay
    5, 32 to 39 pay 7, 40 to 44 pay 12, 45 to 50 pay 30, and 51 or more, decided on the 51st roll,
    100.
    """
    for_one = {2: 0, 8: 1, 16: 3, 24: 5, 32: 7, 40: 12, 45: 30, 51: 100}
    return HandLength(tuple((rolls, pays - 1) for rolls, pays in for_one.items()))


fire_bet = partial(entry, bet="fire")

# fmt: off
HAND_BETS = [
    entry("shooter", "The shooter's hand", shooter, source=ETHIER_HOPPE, bet=""),
    fire_bet("fire-bet-a", "Fire bet A (24/249/999:1)",
             fire, {"prizes": {4: 24, 5: 249, 6: 999}}),
    fire_bet("fire-bet-b", "Fire bet B (10/200/2000 for 1)",
             fire, {"prizes": {4: 9, 5: 199, 6: 1999}}),
    fire_bet("fire-bet-c", "Fire bet C (10/200/2000 to 1)",
             fire, {"prizes": {4: 10, 5: 200, 6: 2000}}),
    fire_bet("fire-bet-d", "Fire bet D (40/200/500 for 1)",
             fire, {"prizes": {4: 39, 5: 199, 6: 499}}),
    entry("hot-shooter-jackpot", "Hot Shooter Jackpot", hot_shooter, bet="hand"),
]
# fmt: on


# --- a 7 directly after the point -----------------------------------------------------------------


def muggsys_corner() -> PointGame:
    """Two ways to win: the come-out is a 7, which pays 2 to 1; or it sets a point and the very next
    roll is a 7, which pays 3 to 1. Anything else loses.
    """
    line = PayTable(natural=2, craps=-1, point=-1, out=3, late=-1)
    return PointGame([7], [2, 3, 11, 12], 7, limit=1, bets={"corner": line}, side_of=craps())


def point_seven() -> PointGame:
    """The come-out sets a point and the very next roll is a 7, which pays 7 to 1. A come-out that
    sets no point loses.
    """
    line = PayTable(craps=-1, point=-1, out=7, late=-1)
    return PointGame([], [2, 3, 7, 11, 12], 7, limit=1, bets={"point-7": line}, side_of=craps())


# fmt: off
CORNER_BETS = [
    entry("point-7-mugnolo", "Point-7 (Mugnolo)", point_seven, bet="point-7"),
    entry("muggsys-corner", "Muggsy's Corner / 7-Point-7 (2:1 and 3:1)",
          muggsys_corner, bet="corner"),
]
# fmt: on


# --- bets that may be changed before each roll ----------------------------------------------------


class OnAPoint(Game):
    """A line bet with a choice before each roll on a point.

    The state after the choice is a tuple.
    """

    start = CRAPS_ROUND.start
    coordinates = ("point",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The options on a point."""
        # A tuple has been decided, and waits for its roll.
        on_a_point = state != self.start and not isinstance(state, tuple)
        return self.options_on(state) if on_a_point else {}

    @abstractmethod
    def options_on(self, point: int) -> Mapping[str, Any]:
        """The options on this point."""


@dataclass(frozen=True)
class Odds(OnAPoint):
    """The pass line, with odds chosen before each roll.

    A state is the point, or the point and the odds chosen, in flat bets.

    >>> list(Odds(2).choices(4))
    ['no odds', '1x odds', '2x odds']

    Args:
        multiple: the most odds, in flat bets.
        dice: the totals of two dice.
    """

    multiple: int
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """The multiples of odds."""
        return {f"{n}x odds" if n else "no odds": (point, n) for n in range(self.multiple + 1)}

    def step(self, state: Any, total: int) -> Any:
        point, odds = state if isinstance(state, tuple) else (state, 0)
        after = CRAPS_ROUND.step(point, total)
        # A come-out is settled before any odds.
        if not isinstance(after, Outcome) or point == self.start:
            return after
        is_won = after.profit("pass") > 0
        profit = 1 + odds * true_odds(point) if is_won else -1 - odds
        return settle(after.label, {"pass": (profit, 1 + odds)})


@dataclass(frozen=True)
class DontPass(OnAPoint):
    """The don't pass, which may be taken down once there is a point.

    A state is the point, with "up" before a roll.

    Args:
        line: the don't pass that is never taken down.
        dice: the totals of two dice.
    """

    line: PointGame
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """Leave it up, or take it down."""
        taken_down = settle("taken down", {"don't pass": 0})
        return {"leave it up": (point, "up"), "take it down": taken_down}

    def step(self, state: Any, total: int) -> Any:
        return self.line.step(state[0] if isinstance(state, tuple) else state, total)


@dataclass(frozen=True)
class PlaceUpOrDown(Game):
    """A place bet through a shooter's hand.

    A state is the number of wins and the round's point, with "on" or "off" before a roll.

    >>> list(PlaceUpOrDown(6, 2).choices((1, 8)))
    ['on', 'off', 'take it down']

    Args:
        number: the place bet's number.
        wins: the bet is over after this many.
        dice: the totals of two dice.
    """

    number: int
    wins: int
    dice: Rollable = TOTALS
    start = (0, CRAPS_ROUND.start)
    coordinates = ("won", "point")

    def choices(self, state: Any) -> Mapping[str, Any]:
        """On, off, or down."""
        # The player has chosen, and the roll is to come.
        if len(state) == 3:
            return {}
        taken_down = self._outcome("taken down", state[0])
        return {"on": (*state, "on"), "off": (*state, "off"), "take it down": taken_down}

    def step(self, state: Any, total: int) -> Any:
        won, point, works = state
        after = point_after(point, total)
        # Before the seven-out is looked at: this 7 loses the bet.
        if total == 7 and works == "on":
            return self._outcome("seven", won, lost=1)
        if after is None:
            return self._outcome("returned", won)
        # A win leaves the bet up, so it may win again.
        if total == self.number and works == "on":
            won += 1
            if won == self.wins:
                return self._outcome("won", won)
        return won, after

    def _outcome(self, label: str, won: int, lost: int = 0) -> Outcome:
        """The end of the bet, paid for its wins."""
        return settle(label, {"place": won * exact(PLACE[self.number]) - lost})


def odds_up(multiple: int = 2) -> Odds:
    """The pass line. Once there is a point, the player has up to this many times the flat bet in
    odds. They may take the odds down or put them up again before each roll. The odds are
    paid at true odds.
    """
    if type(multiple) is not int or multiple < 0:
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
    if type(wins) is not int or wins < 1:
        raise RulesError(f"wins={shown(wins)}; take it down after 1 or more")
    return PlaceUpOrDown(checked_point(number), wins)


def full_odds(game: Game) -> Policy:
    """Always take full odds."""
    return lambda state: list(game.choices(state))[-1]


def always_choose(option: str, _: Game) -> Policy:
    """The same option before every roll."""
    return lambda state: option


def off_on_the_come_out(_: Game) -> Policy:
    """Off on the come-out, on otherwise."""
    return lambda state: "off" if state[1] == CRAPS_ROUND.start else "on"


# fmt: off
CHANGEABLE_BETS = [
    entry("craps-odds-up", "Pass line, odds up or down", odds_up, most="pass",
          policies={"full-odds": full_odds},
          readings=("Odds are as many on every point, and may be changed before each roll.",
                    "The stake is the flat bet; the odds are money at risk.")),
    entry("dont-pass-up", "Don't pass, up or down", dont_pass_up, most="don't pass",
          policies={"leave-it-up": partial(always_choose, "leave it up"),
                    "take-it-down": partial(always_choose, "take it down")},
          readings=("It may be taken down before any roll with a point, and is returned whole.",)),
    entry("place-up", "Place bet, off or on", place_up, most="place",
          policies={"on": partial(always_choose, "on"), "off-on-the-come-out": off_on_the_come_out},
          readings=("The bet is made before the come-out, and wins and loses there if it is on.",
                    "The hand ends with the seven-out; wins are paid at once.")),
    entry("place-three-wins", "Place bet, off or on, to win three times",
          place_up, most="place >= 7/2",
          policies={"on": partial(always_choose, "on"),
                    "off-on-the-come-out": off_on_the_come_out}),
]
# fmt: on
