"""Dice games with simultaneous moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.catalogue.hidden_games.kuhn import won
from sevenout.errors import RulesError, shown
from sevenout.rolling import Law, Rollable, parse_dice
from sevenout.rules import Game, Outcome, ask
from sevenout.rules.families.hidden_hands import FIRST, SECOND

HOLD, ROLL, BOTH = "hold", "roll", "both"


@dataclass(frozen=True)
class SimultaneousPig(Game):
    """A turn of Pig for two at once.

    The state is (the first player's points, the second's, whether each still rolls, and who has
    chosen: no one, the first player, or both).

    >>> pig = SimultaneousPig(12)
    >>> pig.chooser((7, 9, True, True, "hold")), pig.sees((7, 9, True, True, "hold"), "second")
    ('second', ('7 to 9', 'both roll'))
    """

    limit: int
    start = (0, 0, True, True, BOTH)
    coordinates = ("first", "second", "first rolls", "second rolls", "chosen")

    def chooser(self, state: tuple[int, int, bool, bool, str]) -> str:
        """The first player if undecided; else the second."""
        return FIRST if state[2] and not state[4] else SECOND

    def sees(self, state: tuple[int, int, bool, bool, str], player: str) -> Any:
        """Both players' points, and who still rolls."""
        one, two, first, second, _ = state
        rolls = "both roll" if first and second else "first rolls" if first else "second rolls"
        return f"{one} to {two}", rolls

    def choices(self, state: tuple[int, int, bool, bool, str]) -> Mapping[str, Any]:
        """A player who still rolls goes on or holds."""
        one, two, first, second, chosen = state
        if chosen == BOTH:
            return {}
        if first and second and not chosen:
            return {option: ask((one, two, True, True, option)) for option in (ROLL, HOLD)}
        if not second:
            return {ROLL: (one, two, True, False, BOTH), HOLD: _higher(one, two)}
        on = chosen == ROLL
        return {
            ROLL: (one, two, on, True, BOTH),
            HOLD: (one, two, True, False, BOTH) if on else _higher(one, two),
        }

    def rolls(self, state: tuple[int, int, bool, bool, str]) -> Rollable:
        """A die for each player who rolls; 0 for the other."""
        first, second = state[2:4]
        faces = product(range(1, 7) if first else (0,), range(1, 7) if second else (0,))
        return Law(dict.fromkeys(faces, 1))

    def step(self, state: tuple[int, int, bool, bool, str], faces: tuple[int, int]) -> Any:
        one, first = self._gained(state[0], state[2], faces[0])
        two, second = self._gained(state[1], state[3], faces[1])
        return (one, two, first, second, "") if first or second else _higher(one, two)

    def _gained(self, gain: int, rolls: bool, face: int) -> tuple[int, bool]:
        """A player's points, and whether they may roll again."""
        if not rolls or face == 1:
            return gain if not rolls else 0, False
        return min(gain + face, self.limit), gain + face < self.limit


def _higher(one: int, two: int) -> Outcome:
    if one == two:
        return won("as much", 0)
    return won("the first has more", 1) if one > two else won("the second has more", -1)


@dataclass(frozen=True)
class DiceBids(Game):
    """Bids with dice.

    The state is (the dice left to each player, the first player's lead, the prize, the first
    player's bid).

    >>> list(DiceBids(3, 6).choices(((1, 3), (2, 3), 4, 5, 0)))
    ['bid 1', 'bid 3']
    """

    bids: int
    sides: int
    coordinates = ("first", "second", "ahead", "prize", "bid")

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All dice, before any bid."""
        dice = tuple(range(1, self.bids + 1))
        return dice, dice, 0, 0, 0

    def rolls(self, state: Any) -> Rollable:
        """The prize."""
        return parse_dice(f"d{self.sides}")

    def step(self, state: Any, roll: Any) -> Any:
        return (*state[:3], roll.total, 0)

    def chooser(self, state: Any) -> str:
        """The first player, then the second."""
        return SECOND if state[4] else FIRST

    def sees(self, state: Any, player: str) -> Any:
        """Everything except the other's bid."""
        one, two, ahead, prize, _ = state
        left = ("".join(map(str, dice)) for dice in (one, two))
        return f"prize {prize}", " v ".join(left), f"{ahead:+}"

    def choices(self, state: Any) -> Mapping[str, Any]:
        """A bid with one of the dice left."""
        one, two, ahead, prize, bid = state
        if not prize:
            return {}
        if not bid:
            return {f"bid {own}": ask((one, two, ahead, prize, own)) for own in one}
        options = {}
        for own in two:
            now = ahead + prize * ((bid > own) - (bid < own))
            then = tuple(die for die in one if die != bid), tuple(die for die in two if die != own)
            options[f"bid {own}"] = (*then, now, 0, 0) if then[0] else _higher(now, 0)
        return options


def pig_simultaneous(goal: int = 20) -> SimultaneousPig:
    """One turn of Pig, for both at once. Both players roll a die; any face but 1 is added to what
    they have gained, a 1 loses it and ends their turn. All is open. Then both say at the same time
    whether they roll again or hold; a player who holds, or reaches the goal, rolls no more. When no
    one rolls any more, the player who has gained more wins.
    """
    if not 2 <= goal <= 100:
        raise RulesError(f"goal={shown(goal)}; a turn goes to 2 to 100")
    return SimultaneousPig(goal)


def dice_bids(bids: int = 4, sides: int = 6) -> DiceBids:
    """Goofspiel with dice. Each player has dice that show 1, 2 and so on, one of each. A die is
    rolled for the prize; then both bid one of their dice at the same time. The higher bid takes the
    prize, alike bids leave it, and both dice are gone. When no dice are left, the player who took
    more wins.
    """
    if not 1 <= bids <= 5:
        raise RulesError(f"bids={shown(bids)}; each player has 1 to 5 dice to bid")
    if not 1 <= sides <= 20:
        raise RulesError(f"sides={shown(sides)}; the prize is a die of 1 to 20 sides")
    return DiceBids(bids, sides)


entry = partial(Entry, players=2, most=FIRST, family="Two at once")

# fmt: off
ENTRIES = [
    entry("pig-simultaneous", "Pig, one turn at once", pig_simultaneous,
          source="a turn of Pig as sevenout states it",
          readings=("Who holds or loses their gain waits for the other.",
                    "A turn that reaches the goal ends there, and gains no more than the goal.")),
    entry("dice-bids", "Bids with dice", dice_bids,
          source="S. M. Ross, Goofspiel, the game of pure strategy, J. Appl. Prob. 8 (1971); "
                 "here the prizes are rolled",
          readings=("Bids are shown at the same time, and open afterwards.",
                    "A prize that both bid alike for is nobody's."), value="0"),
]
# fmt: on
