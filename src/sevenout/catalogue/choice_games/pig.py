"""Pig and Piglet: roll or hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Die, parse_dice
from sevenout.rules import Game, passed, win
from sevenout.rules.objective import objective_of
from sevenout.rules.race_games import HoldGame

ONE = parse_dice("d6")
COIN = Die(["heads", "tails"])
NELLER = "T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, UMAP 25 (2004)"


@dataclass(frozen=True)
class Piglet(Game):
    """Pig for two with a coin; the state is (mine, yours, turn).

    It is not a `HoldGame`, since heads and tails are not numbers.
    """

    target: int
    dice: Any = COIN
    start = (0, 0, 0)
    coordinates = ("mine", "yours", "turn")
    outcomes, counters = (win("home"),), ()

    def choices(self, state: tuple[int, int, int]) -> Mapping[str, Any]:
        """Toss again or hold."""
        mine, yours, turn = state
        return {"flip": state, "hold": passed((yours, mine + turn, 0))} if turn else {}

    def step(self, state: tuple[int, int, int], face: str) -> Any:
        mine, yours, turn = state
        if face == "tails":
            return passed((yours, mine, 0))
        return win("home") if mine + turn + 1 >= self.target else (mine, yours, turn + 1)


def pig_turn(goal: int = 100) -> HoldGame:
    """One turn at Pig. A die is rolled; any face but 1 is added to what the turn has gained, and
    the player rolls again or holds, which scores it. A 1 ends the turn and loses what it has
    gained. A turn that reaches the goal ends there. The goal is the highest mean.
    """
    return HoldGame(ONE, (1,), _to(goal), "turn")


def solitaire_pig(goal: int = 100) -> HoldGame:
    """Pig alone: turns at Pig until the score reaches the goal, as few of them as possible."""
    return HoldGame(ONE, (1,), _to(goal), "alone")


def pig(goal: int = 100) -> HoldGame:
    """Pig for two. In their turn a player rolls a die as often as they like; any face but 1 is
    added to what the turn has gained. Holding adds that to their score and passes the die, a 1
    passes it with nothing gained. The first player to reach the goal wins, the turn that does it
    included.
    """
    return HoldGame(ONE, (1,), _to(goal))


def piglet(goal: int = 10) -> Piglet:
    """Pig with a coin: a head gains 1, a tail loses what the turn has gained."""
    return Piglet(_to(goal))


def _to(goal: int) -> int:
    if goal < 1:
        raise RulesError(f"goal={shown(goal)}; play to 1 or more")
    return goal


def hold(game: Game, least: int) -> Policy:
    """Hold at this number of points.

    >>> hold(pig(), 20)((0, 0, 20))
    'hold'
    """
    on = "flip" if isinstance(game, Piglet) else "roll"

    def policy(state: Any) -> str:
        gained = state[-1] if isinstance(state, tuple) else state
        return "hold" if gained >= least else on

    return policy


HOLD = {"hold-20": hold}


def of_hold(name: str, title: str, game: HoldGame) -> Entry:
    """The entry of a declared game of hold or roll.

    >>> of_hold("mine", "Mine", HoldGame(parse_dice("d6"), (1,), 50, "alone")).goal
    {'least': 'turns'}
    """
    wanted = objective_of(game)
    assert wanted is not None
    players = 2 if game.play == "two" else 1
    goal = wanted.arguments
    return Entry(name, title, lambda: game, family=title, players=players, policies=HOLD, **goal)


READINGS = (
    "A turn begins with a roll: nobody holds with nothing gained.",
    "The goal is reached in mid-turn: nobody needs to hold then.",
)
entry = partial(Entry, family="Pig", source=NELLER, readings=READINGS, policies=HOLD)

# fmt: off
ENTRIES = [
    entry("pig-turn", "Pig, one turn", pig_turn, most="points", value="492303203/60466176"),
    entry("pig-solitaire", "Pig, the fewest turns", solitaire_pig, least="turns",
          readings=(*READINGS, "The last turn counts as a turn.")),
    entry("pig", "Pig", pig, most="pass > 0", players=2, value="0.530592725273746911..."),
    entry("piglet", "Piglet", piglet, most="pass > 0", players=2, policies={"hold-1": hold}),
]
# fmt: on
