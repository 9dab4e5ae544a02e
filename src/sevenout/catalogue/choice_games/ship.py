"""Ship, captain and crew: a 6, a 5 and a 4, then the cargo."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.model.process import Policy
from sevenout.rolling import Rollable, d6, parse_dice
from sevenout.rules import Game, counted, settle
from sevenout.rules.keep_games import KeepScore

DICE = {n: parse_dice(f"{n}d6").hands for n in range(1, 6)}
"""Dice, read as hands, by their number."""
CREW = (6, 5, 4)
ROLLS = 3


@dataclass(frozen=True)
class Ship(Game):
    """Ship, captain and crew, where one die of the cargo may be rolled again alone.

    A state is the number of 6, 5 and 4 set aside, the cargo, and the rolls left. It is not a
    `KeepScore`, since a cargo die can be rolled again later.

    >>> list(Ship().choices((3, (2, 6), 1)))
    ['stop', 'roll both', 'roll the 2', 'roll the 6']
    """

    start = (0, (), ROLLS)
    coordinates = ("aside", "dice", "rolls left")
    counters = ("points",)

    def rolls(self, state: Any) -> Rollable:
        """The dice not set aside."""
        aside, kept, _ = state
        return DICE[5 - aside - len(kept)]

    def choices(self, state: Any) -> Mapping[str, Any]:
        """With a full crew, stop or roll for a better cargo."""
        aside, cargo, left = state
        if aside < len(CREW) or len(cargo) < 2:
            return {}
        options: dict[str, Any] = {"stop": _loaded(cargo), "roll both": (aside, (), left)}
        for face in sorted(set(cargo)):
            other = cargo[1] if face == cargo[0] else cargo[0]
            options[f"roll the {face}"] = (aside, (other,), left)
        return options

    def step(self, state: Any, hand: tuple[int, ...]) -> Any:
        aside, kept, left = state
        loose = list(hand)
        while aside < len(CREW) and CREW[aside] in loose:
            loose.remove(CREW[aside])
            aside += 1
        cargo = tuple(sorted((*kept, *loose)))
        if left == 1:
            return _loaded(cargo) if aside == len(CREW) else settle("no crew")
        return aside, cargo if aside == len(CREW) else (), left - 1


def _loaded(cargo: tuple[int, ...]) -> Any:
    return counted(settle(f"cargo {sum(cargo)}"), points=sum(cargo))


def ship(either: bool = False) -> KeepScore | Ship:
    """Five dice are rolled up to three times. A 6, the ship, is set aside; then a 5, the captain;
    then a 4, the crew: in that order, though one roll may bring several. The other dice are rolled
    again. With all three, the two dice left are the cargo, and their total is the score. A player
    who has rolls left may stop, or roll both of them again, or with `either` one of them. Without a
    crew the score is 0.
    """
    if either:
        return Ship()
    return KeepScore(d6, 5, keep=0, limit=ROLLS, needed=CREW, in_order=True, whole=True)


def stop_at(game: Game, least: int) -> Policy:
    """Stop at this cargo; otherwise roll both dice again.

    >>> stop_at(ship(), 8)(((), 2, (2, 5), 1))
    'roll again'
    """
    place, again = (1, "roll both") if isinstance(game, Ship) else (2, "roll again")

    def policy(state: Any) -> str:
        return "stop" if sum(state[place]) >= least else again

    return policy


entry = partial(
    Entry,
    family="Ship, captain and crew",
    source="J. Scarne, Scarne on Dice (1945); Bicycle Cards, How to play",
    most="points",
    policies={"stop-8": stop_at},
)
READINGS = (
    "A player who can set a die aside does so: it never pays to roll the ship again.",
    "Both dice of the cargo are rolled again or neither; also: either alone (either=).",
    "The cargo of the last roll counts, though it be worse.",
)

# fmt: off
ENTRIES = [
    entry("ship-captain-and-crew", "Ship, captain and crew", ship, readings=READINGS),
    entry("ship-captain-and-crew-either", "Ship, captain and crew, either die of the cargo",
          ship, {"either": True}, readings=READINGS),
]
# fmt: on
