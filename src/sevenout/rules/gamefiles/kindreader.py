"""Reads games of turns and of hands from the tables of a game file."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sevenout.rolling import Dice
from sevenout.rolling.die import total
from sevenout.rules.composed.nested import Streak
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.holding import PLAYED, HoldGame
from sevenout.rules.families.keepscore import KeepScore
from sevenout.rules.families.paytable import EVEN
from sevenout.rules.families.point import PointGame
from sevenout.rules.families.racing import Race
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.gamefiles.betreader import BetReader
from sevenout.rules.gamefiles.filevalues import At, as_toml

SOLO = ("hold", "keep", "race", "turn")
"""The kinds of games that are alone in their file."""
TOTALS = ("naturals", "craps", "pushes", "rerolls")
A_ROUND = "{ naturals = [7, 11], craps = [2, 3, 12], out = 7 }"


class KindReader(BetReader):
    """Reads games of turns and of hands."""

    def _hold(self, table: Any, at: At, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "bust": self._totals,
            "target": self._whole,
            "play": partial(self._one, PLAYED),
        }
        needed = {"bust": "[1]", "target": "100"}
        said = self._values(table, readers, at, needed)
        bust = tuple(said.pop("bust"))
        return self.attempt(lambda: HoldGame(dice, bust, **said), at)

    def _keep(self, table: Any, at: At, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "least": self._whole,
            "rolls": self._limit,
            "needed": self._totals,
            "in_order": self._flag,
            "all_or_none": self._flag,
            "values": self._by_whole,
            "best": partial(self._one, ("least", "most")),
        }
        said = self._values(table, readers, at)
        if len(set(dice.dice)) > 1 or dice.total is not total:
            self._against(f"{dice} are kept; roll dice that are alike, such as 5d6", ("dice",))
        options = {
            "keep": said.get("least", 1),
            "limit": said.get("rolls"),
            "needed": tuple(said.get("needed", ())),
            "in_order": said.get("in_order", False),
            "whole": said.get("all_or_none", False),
            "values": Frozen(said.get("values", {})),
            "low": said.get("best") == "least",
        }
        return self.attempt(lambda: KeepScore(dice.dice[0], len(dice), **options), at)

    def _race(self, table: Any, at: At, dice: Dice) -> Game:
        readers = {
            "to": self._whole,
            "players": self._whole,
            "exact": self._flag,
            "jumps": self._by_whole,
            "again": self._totals,
        }
        said = self._values(table, readers, at, {"to": "100"})
        said |= {"jumps": Frozen(said.get("jumps", {})), "again": tuple(said.get("again", ()))}
        return self.attempt(lambda: Race(dice, **said), at)

    def _turn(self, table: Any, at: At, dice: Dice) -> Game:
        readers = {
            "losses": self._whole,
            "round": partial(self._table_game, dice=dice, named=True),
            **self._bet_read,
        }
        said = self._values(table, readers, at, {"losses": "2", "round": A_ROUND})
        if "pays" not in said:
            for key in said:
                if key not in ("losses", "round"):
                    self._fail(f"{key} needs pays; add pays, such as {{ 3 = 2 }}", (*at, key))
            return self.attempt(lambda: Streak(said["round"], said["losses"]), at)
        if "bet" not in said:
            self._fail('a turn with pays and without bet; write bet = "hot hand"', at)
        said = self._within(said["bet"], said, at)
        made = said.pop("round"), said.pop("losses"), said.pop("pays")
        return self.attempt(lambda: RoundsWon(*made, **said), at)

    def _points(self, table: Any, at: At, dice: Dice) -> Game:
        readers = {
            "round": partial(self._table_game, dice=dice),
            "different": self._flag,
            **self._bet_read,
        }
        needed = {"bet": '"fire"', "pays": "{ 4 = 24, 5 = 249 }", "round": A_ROUND}
        said = self._values(table, readers, at, needed)
        said = self._within(said["bet"], said, at)
        made = said.pop("round"), said.pop("pays")
        return self.attempt(lambda: PointsMade(*made, **said), at)

    def _table_game(self, given: Any, at: At, dice: Dice, named: bool = False) -> PointGame:
        """A round of the table, beside a bet or repeated."""
        if not isinstance(given, dict):
            self._fail(f"{at[-1]} = {as_toml(given)}; write {A_ROUND}", at)
        readers = {**dict.fromkeys(TOTALS, self._totals), "out": self._whole, "limit": self._limit}
        if named:
            readers["names"] = partial(self._names, known=EVEN)
        said = self._values(given, readers, at, {"out": "7"})
        return self.attempt(lambda: PointGame(**(dict.fromkeys(TOTALS, ()) | said), dice=dice), at)

    @property
    def _bet_read(self) -> dict[str, Any]:
        return {
            "bet": self._bet_name,
            "stake": self._number,
            "pays": self._by_number,
            **self._limits_read,
        }

    def _by_number(self, given: Any, at: At) -> dict[int, Any]:
        """Amounts by a number of points or rounds."""
        if not isinstance(given, dict) or not given:
            self._fail(f"{at[-1]} = {as_toml(given)}; write amounts by number, {{ 4 = 24 }}", at)
        made = self._keyed(given, self._group, self._number, at)
        return {n: amount for numbers, amount in made.items() for n in numbers}

    def _by_whole(self, given: Any, at: At) -> Mapping[int, int]:
        """Whole numbers by whole numbers."""
        if not isinstance(given, dict) or not given:
            self._fail(f"{at[-1]} = {as_toml(given)}; write {{ 3 = 0 }}", at)
        made = self._keyed(given, self._group, self._whole, at)
        return {n: value for numbers, value in made.items() for n in numbers}
