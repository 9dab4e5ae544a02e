"""Liar's Dice, Dudo and Perudo for two."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from sevenout.catalogue.entries import Entry
from sevenout.catalogue.hidden_games.kuhn import won
from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable, parse_dice
from sevenout.rules import HiddenHands, Outcome
from sevenout.rules.families.hidden_hands import FIRST, SECOND

Hand = tuple[int, ...]
ONES = ("plain", "wild")
WON = {FIRST: won("first wins", 1), SECOND: won("second wins", -1)}
NELLER = "T. W. Neller and M. Lanctot, An Introduction to Counterfactual Regret Minimization (2013)"
BGA = "Board Game Arena, Perudo (rules of the game, as played with Asmodee's edition)"
AHLE = "T. D. Ahle, snyd: Liar's Dice in the sequence form (2017)"


class Bidding(NamedTuple):
    """The player to move, the last bid, and whether it was called."""

    mover: str
    bid: str | None = None
    called: bool = False


@dataclass(frozen=True)
class LiarsDice(HiddenHands):
    """Liar's Dice for two; the state is (first hand, second hand, bids).

    >>> game = LiarsDice(1, 1, 6, "plain")
    >>> game.sees(((3,), (5,), ("1x4",)), "second")
    ((5,), '1x4')
    >>> list(game.choices(((3,), (5,), ("2x5",))))
    ['2x6', 'call']
    """

    first_dice: int
    second_dice: int
    sides: int
    ones: str
    ones_last: bool = False
    halving: bool = False
    opening = Bidding(FIRST)
    coordinates = (FIRST, SECOND, "bids")

    @cached_property
    def bids(self) -> dict[str, tuple[int, int]]:
        """The count and face of every bid, the lowest first."""
        most = self.first_dice + self.second_dice
        faces = list(range(1, self.sides + 1))
        faces = [*faces[1:], 1] if self.ones_last else faces
        bids = [(count, face) for count in range(1, most + 1) for face in faces]
        if self.halving:  # a bid of ones ranks above twice as many of another face
            bids.sort(key=lambda bid: (2 * bid[0], 1) if bid[1] == 1 else (bid[0], 0))
        return {f"{count}x{face}": (count, face) for count, face in bids}

    @cached_property
    def cups(self) -> tuple[Rollable, Rollable]:  # type: ignore[override]
        """The hands; a hand is the sorted dice."""
        one, two = (parse_dice(f"{n}d{self.sides}") for n in (self.first_dice, self.second_dice))
        return one.hands, two.hands

    @cached_property
    def _moves(self) -> dict[Bidding, dict[str, Bidding]]:
        return {}

    @property
    def _openings(self) -> list[str]:
        return [bid for bid, (_, face) in self.bids.items() if not (self.halving and face == 1)]

    def to_move(self, table: Bidding) -> str:
        """The players bid in turn."""
        return table.mover

    def moves(self, table: Bidding) -> Mapping[str, Bidding]:
        """A higher bid, or a call."""
        if table.called:
            return {}
        if table not in self._moves:
            other, bids = SECOND if table.mover == FIRST else FIRST, list(self.bids)
            above = self._openings if table.bid is None else bids[bids.index(table.bid) + 1 :]
            options = {bid: Bidding(other, bid) for bid in above}
            call = {} if table.bid is None else {"call": table._replace(called=True)}
            self._moves[table] = options | call
        return self._moves[table]

    def showdown(self, table: Bidding, first: Hand, second: Hand) -> Outcome:
        """The bidder wins if the last bid is reached."""
        assert table.bid is not None
        count, face = self.bids[table.bid]
        bidder = SECOND if table.mover == FIRST else FIRST
        holds = self.shown(first, face) + self.shown(second, face) >= count
        return WON[bidder if holds else table.mover]

    def shown(self, hand: Hand, face: int) -> int:
        """The number of dice in a hand that count as a face.

        >>> plain, wild = (LiarsDice(2, 2, 6, ones) for ones in ONES)
        >>> plain.shown((1, 4), 4), wild.shown((1, 4), 4)
        (1, 2)
        """
        return sum(die == face or (die == 1 and self.ones == "wild") for die in hand)


def liars_dice(first: int = 1, second: int = 1, sides: int = 6, ones: str = "plain") -> LiarsDice:
    """A round of Liar's Dice for two. Both players roll their dice in a cup, and see only their
    own. The first player bids: this many dice of both cups show this face. Then they take turns to
    bid higher, more dice or as many of a higher face, or to call. After a call all dice are shown:
    the bidder wins if there are as many as the last bid said, or more; else the caller wins. Ones
    may be wild: then they count as any face.
    """
    _must_be_dice(first, second, sides)
    if ones not in ONES:
        raise RulesError(f"ones={shown(ones)}; give plain or wild")
    return LiarsDice(first, second, sides, ones)


def dudo(first: int = 1, second: int = 1, sides: int = 6) -> LiarsDice:
    """The last round of Dudo, for two. It is Liar's Dice with wild ones, in which a bid of ones is
    the highest of its number: 1x2, 1x3 and so on, then 1x1, then 2x2. The call is "dudo", I doubt.
    """
    _must_be_dice(first, second, sides)
    return LiarsDice(first, second, sides, "wild", ones_last=True)


def perudo(first: int = 1, second: int = 1, sides: int = 6) -> LiarsDice:
    """A round of Perudo, for two. It is Liar's Dice with wild ones. A bid of ones equals twice as
    many of another face. A player who changes to ones bids half as many, rounded up. A player who
    changes back bids twice as many and one more. Nobody opens with a bid of ones.
    """
    _must_be_dice(first, second, sides)
    if sides < 2:
        raise RulesError(f"sides={shown(sides)}; at Perudo nobody opens with ones: give 2 or more")
    return LiarsDice(first, second, sides, "wild", halving=True)


def _must_be_dice(first: int, second: int, sides: int) -> None:
    for name, dice in (("first", first), ("second", second)):
        if not 1 <= dice <= 5:
            raise RulesError(f"{name}={shown(dice)}; each player rolls 1 to 5 dice")
    if not 1 <= sides <= 20:
        raise RulesError(f"sides={shown(sides)}; a die has 1 to 20 sides")


READINGS = (
    "A bid is higher if it is of more dice, or of as many of a higher face.",
    "A bid holds if there are as many dice as it says, or more.",
    "Ones can be bid, too; where they are wild, only ones count for a bid of ones.",
)
entry = partial(Entry, family="Liar's Dice", source=AHLE, players=2, most=FIRST, readings=READINGS)

# fmt: off
ENTRIES = [
    entry("liars-dice", "Liar's Dice", liars_dice, value="-1/9"),
    entry("liars-dice-wild", "Liar's Dice, ones wild", liars_dice, {"ones": "wild"},
          value="-7/327"),
    entry("dudo", "Dudo, the last dice", dudo, source=NELLER,
          readings=(READINGS[1], "Ones are wild, and their bids the highest of their number."),
          value="-7/258"),
    entry("perudo", "Perudo, a round for two", perudo, source=BGA,
          readings=(READINGS[1], "Ones halve a bid, rounded up; back, it is twice and one more.")),
]
# fmt: on
