"""Craps bets on the shooter's hand, from the first come-out to the seven-out."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import TOTALS, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.numerals import Number
from sevenout.rules import Game, Outcome, PointGame, settle
from sevenout.rules.point_games import PointsMade

ETHIER_HOPPE = (
    "S. Ethier and F. Hoppe, A world record in Atlantic City and the length of the shooter's hand "
    "at craps, Math. Intelligencer 32 (2010)"
)
ROUND = PointGame([7, 11], [2, 3, 12], 7)


@dataclass(frozen=True)
class HandLength(Game):
    """The number of rolls of craps until the seven-out.

    The state is the number of rolls so far and the point. The best prize is decided as soon as the
    hand is long enough for it.

    >>> HandLength(((2, -1), (8, 0), (16, 2))).step((15, "come-out"), 11).profit("hand")
    Fraction(2, 1)

    Args:
        prizes: the profit by the least number of rolls that earns it, from 2 up.
    """

    prizes: tuple[tuple[int, Number], ...]
    dice: Any = TOTALS
    start: Hashable = (0, ROUND.start)
    bets = ("hand",)
    side_of = ROUND

    def step(self, state: tuple[int, int | str], roll: int) -> Any:
        rolls, point = state
        rolls += 1
        then = ROUND.step(point, roll)
        out = isinstance(then, Outcome) and then.label == "seven out"
        if out or rolls == self.prizes[-1][0]:
            return self._settle(rolls)
        return rolls, ROUND.start if isinstance(then, Outcome) else then

    def _settle(self, rolls: int) -> Outcome:
        rank = max(i for i, (least, _) in enumerate(self.prizes) if least <= rolls)
        least, profit = self.prizes[rank]
        last = rank + 1 == len(self.prizes)
        to = "or more" if last else f"to {self.prizes[rank + 1][0] - 1}"
        return settle(f"{least} {to} rolls", {"hand": profit})


@dataclass(frozen=True)
class Shooter(Game):
    """The shooter rolls at craps until the seven-out, through as many rounds as it takes. A round
    that ends otherwise is followed by a new come-out.

    >>> Shooter().step(4, 7).label, Shooter().step(4, 4)
    ('seven out', 'come-out')
    """

    dice: Any = TOTALS
    start: Hashable = ROUND.start

    def step(self, point: int | str, roll: int) -> Any:
        after = ROUND.step(point, roll)
        if not isinstance(after, Outcome):
            return after
        # only the seven-out passes the dice; craps and naturals are followed by a come-out
        return Outcome("seven out", ()) if after.label == "seven out" else self.start


def shooter() -> Shooter:
    """A shooter rolls at craps until the seven-out, through as many rounds as it takes."""
    return Shooter()


def fire(prizes: Mapping[int, Number] | None = None) -> PointsMade:
    """The shooter plays rounds of craps until the seven-out. Each point that is made counts once,
    however often it is made. The number of different points sets the pay: 24 to 1 for 4 of them,
    249 to 1 for 5 and 999 to 1 for 6 by default. All six decide the bet at once.
    """
    chosen = {4: 24, 5: 249, 6: 999} if prizes is None else prizes
    return PointsMade(ROUND, chosen, bet="fire")


def hot_shooter() -> HandLength:
    """The rolls of the hand are counted, from the first come-out to the seven-out and both
    included. 8 to 15 rolls pay 1 for 1, which returns the bet; 16 to 23 pay 3 for 1, 24 to 31 pay
    5, 32 to 39 pay 7, 40 to 44 pay 12, 45 to 50 pay 30, and 51 or more, decided on the 51st roll,
    100.
    """
    for_one = {2: 0, 8: 1, 16: 3, 24: 5, 32: 7, 40: 12, 45: 30, 51: 100}
    return HandLength(tuple((rolls, pays - 1) for rolls, pays in for_one.items()))


entry = partial(Entry, family="Craps", bet="fire", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("shooter", "The shooter's hand", shooter, bet="", source=ETHIER_HOPPE),
    entry("fire-bet-a", "Fire bet A (24/249/999:1)", fire, {"prizes": {4: 24, 5: 249, 6: 999}}),
    entry("fire-bet-b", "Fire bet B (10/200/2000 for 1)",
          fire, {"prizes": {4: 9, 5: 199, 6: 1999}}),
    entry("fire-bet-c", "Fire bet C (10/200/2000 to 1)",
          fire, {"prizes": {4: 10, 5: 200, 6: 2000}}),
    entry("fire-bet-d", "Fire bet D (40/200/500 for 1)", fire, {"prizes": {4: 39, 5: 199, 6: 499}}),
    entry("hot-shooter-jackpot", "Hot Shooter Jackpot", hot_shooter, bet="hand"),
]
# fmt: on
