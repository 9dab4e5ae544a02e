"""Mia (Meyer) for two."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.catalogue.hidden_games.kuhn import won
from sevenout.errors import RulesError, shown
from sevenout.rolling import Reading, Rollable, parse_dice
from sevenout.rules import Game, Outcome, ask
from sevenout.rules.families.hidden_hands import FIRST, SECOND


def as_announced(faces: Any) -> str:
    """Two dice as they are read: the higher first.

    >>> from sevenout.rolling import parse_dice
    >>> as_announced(parse_dice("2d6").roll([3, 5]))
    '53'
    """
    low, high = sorted(faces.faces)
    return f"{high}{low}"


@dataclass(frozen=True)
class Mia(Game):
    """Mia for two.

    The state is (the roller, the last announcement that stands, their roll, their announcement); ""
    for what is not there yet.

    >>> mia = Mia(6)
    >>> mia.ranks[:3], mia.ranks[-3:]
    (('31', '32', '41'), ('55', '66', '21'))
    >>> mia.sees(("first", "54", "41", "61"), "second")
    ('54 stands', '61 announced')
    """

    sides: int
    start = (FIRST, "", "", "")
    coordinates = ("roller", "stands", "roll", "announced")

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """The possible rolls, ascending: unlike dice, pairs, and Mia."""
        faces = range(1, self.sides + 1)
        unlike = [f"{high}{low}" for high in faces for low in range(1, high)]
        return *unlike[1:], *(f"{face}{face}" for face in faces), "21"

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """Two dice, hidden from the other player."""
        return Reading(parse_dice(f"2d{self.sides}"), as_announced)

    def step(self, state: tuple[str, str, str, str], roll: str) -> Any:
        return state[0], state[1], roll, ""

    def chooser(self, state: tuple[str, str, str, str]) -> str:
        """The roller announces; the other player then believes or doubts."""
        roller, _, _, announced = state
        return _other(roller) if announced else roller

    def sees(self, state: tuple[str, str, str, str], player: str) -> Any:
        """The announcements; for the roller, the roll too."""
        roller, stands, roll, announced = state
        before = f"{stands or 'nothing'} stands"
        return before, f"rolled {roll}" if player == roller else f"{announced} announced"

    def choices(self, state: tuple[str, str, str, str]) -> Mapping[str, Any]:
        """A higher announcement; a belief, or a doubt."""
        roller, stands, roll, announced = state
        if announced:
            options: dict[str, Any] = {"doubt": self._doubted(roller, roll, announced)}
            if announced != self.ranks[-1]:
                options["believe"] = (_other(roller), announced, "", "")
            return options
        if not roll:
            return {}
        above = self.ranks[self.ranks.index(stands) + 1 :] if stands else self.ranks
        return {rank: ask((roller, stands, roll, rank)) for rank in above}

    def _doubted(self, roller: str, roll: str, announced: str) -> Outcome:
        """A doubt loses if the roll is at least as high as announced."""
        lied = self.ranks.index(roll) < self.ranks.index(announced)
        return won("a lie" if lied else "no lie", 1 if lied != (roller == FIRST) else -1)


def _other(player: str) -> str:
    return SECOND if player == FIRST else FIRST


def mia(sides: int = 6) -> Mia:
    """Mia, or Meyer, for two. A player rolls two dice under the cup, looks, and announces a roll:
    32, 41 and so on to 65, then the pairs from 11, then 21, which is Mia and the highest of all.
    The other doubts or believes. After a doubt the cup is lifted: a roll as high as was announced,
    or higher, wins for the roller, else the doubt wins. A player who believes takes the cup, rolls
    without looking under it before, and must announce a higher roll. No one can believe in Mia.
    """
    if not 3 <= sides <= 9:
        raise RulesError(f"sides={shown(sides)}; dice of 3 to 9 sides can be read as two digits")
    return Mia(sides)


# fmt: off
ENTRIES = [
    Entry("mia", "Mia", mia, family="Mia", players=2, most=FIRST,
             source="the rules of Meyer as they are played in Denmark and Germany, without lives",
             readings=("An announcement must be higher than the last, not as high.",
                       "Who announces Mia is doubted: nothing is higher.",
                       "The round is lost once, by Mia too.")),
]
# fmt: on
