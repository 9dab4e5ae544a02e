"""Yahtzee and Yatzy, played alone.

After a yahtzee that scored 50, Yahtzee pays 100 for each further one. There are three rules for
entering a yahtzee when its box is taken:

- "free": once the upper box of its face is taken, a joker scores in full in full house and the
  straights (Verhoeff 1999);
- "forced": it must go to the upper box of its face if open, else to a lower box, as a joker, else
  anywhere (the rules in the box);
- "plain": no bonus, and no jokers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import d6
from sevenout.rules import ByTurns, Hand, KeepRoll, counted, settle

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
FIXED = {"full house": 25, "small straight": 30, "large straight": 40}
LOWER: dict[str, Callable[[Hand], int]] = {
    "three of a kind": lambda hand: hand.total * (hand.kinds[0] >= 3),
    "four of a kind": lambda hand: hand.total * (hand.kinds[0] >= 4),
    "full house": lambda hand: 25 * (hand.kinds == (3, 2)),
    "small straight": lambda hand: 30 * (hand.run >= 4),
    "large straight": lambda hand: 40 * (hand.run >= 5),
    "yahtzee": lambda hand: 50 * (hand.kinds == (5,)),
    "chance": lambda hand: hand.total,
}
READINGS = ("free", "forced", "plain")


@dataclass(frozen=True)
class Yahtzee(ByTurns):
    """Yahtzee alone; a card is (open boxes, whether a yahtzee scored 50).

    >>> game = Yahtzee()
    >>> list(game.entries(game.card))[5:8]
    ['sixes', 'three of a kind', 'four of a kind']

    Args:
        joker: "free", "forced" or "plain", as defined in the module.

    Raises:
        RulesError: another rule.
    """

    joker: str = "free"
    turn = KeepRoll(d6, 5, rolls=3)
    card = (frozenset([*UPPER, *LOWER]), False)
    tally = ("upper", 63)
    tally_entries = tuple(UPPER)

    def __post_init__(self) -> None:
        if self.joker not in READINGS:
            raise RulesError(f"joker={shown(self.joker)}; give {', '.join(READINGS)}")

    @property
    def bonus_counters(self) -> tuple[str, ...]:
        """The bonus for further yahtzees, if any."""
        return () if self.joker == "plain" else ("yahtzee bonus",)

    def entries(self, card: Any) -> Mapping[str, Any]:
        """The open boxes, in card order."""
        left, bonus = card
        boxes = [box for box in (*UPPER, *LOWER) if box in left]
        if self.joker == "plain" or "yahtzee" in left:
            return {box: _boxed(box, bonus) for box in boxes}
        taken = frozenset(face for box, face in UPPER.items() if box not in left)
        return {
            box: _boxed(
                box,
                bonus,
                taken if box in FIXED else frozenset(),
                _barred(box, left) if self.joker == "forced" else frozenset(),
            )
            for box in boxes
        }

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        """The card without the box."""
        left, bonus = card
        left -= {entry}
        scored = bonus or (entry == "yahtzee" and seen == 50 and self.joker != "plain")
        return (left, scored) if left else settle("full card")

    def final(self, total: int) -> Mapping[str, Any]:
        """35 for an upper section of at least 63."""
        return {"score": 35} if total >= 63 else {}


def _barred(box: str, left: frozenset[str]) -> frozenset[int]:
    """The faces of yahtzees that "forced" keeps out of a box."""
    lower = not left.isdisjoint(LOWER)
    return frozenset(
        face
        for name, face in UPPER.items()
        if (box != name if name in left else lower and box in UPPER)
    )


@cache
def _boxed(
    box: str,
    bonus: bool,
    jokers: frozenset[int] = frozenset(),
    barred: frozenset[int] = frozenset(),
) -> Callable[[Hand], Any]:
    """The cached reading of a hand in a box."""

    def read(hand: Hand) -> Any:
        face = hand.faces[0] if hand.kinds == (5,) else None
        if face in barred:
            return None
        more = {"yahtzee bonus": 100} if face and bonus else {}
        if box in UPPER:
            score = UPPER[box] * hand.count(UPPER[box])
            return counted("upper", score=score + sum(more.values()), upper=score, **more)
        score = FIXED[box] if face in jokers else LOWER[box](hand)
        seen = score if box == "yahtzee" else "lower"
        return counted(seen, score=score + sum(more.values()), **more)

    return read


def _pairs(hand: Hand) -> list[int]:
    return sorted((face for face in set(hand.faces) if hand.count(face) >= 2), reverse=True)


def _alike(hand: Hand, n: int) -> int:
    return max((face * n for face in set(hand.faces) if hand.count(face) >= n), default=0)


YATZY: dict[str, Callable[[Hand], int]] = {
    "one pair": lambda hand: _alike(hand, 2),
    "two pairs": lambda hand: 2 * sum(_pairs(hand)) * (len(_pairs(hand)) == 2),
    "three of a kind": lambda hand: _alike(hand, 3),
    "four of a kind": lambda hand: _alike(hand, 4),
    "small straight": lambda hand: 15 * (hand.faces == (1, 2, 3, 4, 5)),
    "large straight": lambda hand: 20 * (hand.faces == (2, 3, 4, 5, 6)),
    "house": lambda hand: hand.total * (hand.kinds == (3, 2)),
    "chance": lambda hand: hand.total,
    "yatzy": lambda hand: 50 * (hand.kinds == (5,)),
}


@dataclass(frozen=True)
class Yatzy(ByTurns):
    """Scandinavian Yatzy alone; a card is the set of open boxes.

    >>> len(Yatzy().card)
    15
    """

    turn = KeepRoll(d6, 5, rolls=3)
    card = frozenset([*UPPER, *YATZY])
    tally = ("upper", 63)
    tally_entries = tuple(UPPER)

    def entries(self, card: Any) -> Mapping[str, Any]:
        """The open boxes, in card order."""
        return {box: _yatzy(box) for box in (*UPPER, *YATZY) if box in card}

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        """The card without the box."""
        left = card - {entry}
        return left or settle("full card")

    def final(self, total: int) -> Mapping[str, Any]:
        """50 for an upper section of at least 63."""
        return {"score": 50} if total >= 63 else {}


@cache
def _yatzy(box: str) -> Callable[[Hand], Any]:
    def read(hand: Hand) -> Any:
        if box in UPPER:
            score = UPPER[box] * hand.count(UPPER[box])
            return counted("upper", score=score, upper=score)
        return counted("lower", score=YATZY[box](hand))

    return read


def yahtzee(joker: str = "free") -> Yahtzee:
    """Yahtzee, alone, for the highest mean score. In each of thirteen turns five dice are rolled,
    and any of them rolled again, twice; the hand is then entered in an open box. An upper section
    of 63 or more brings 35, and each yahtzee after one that scored 50 brings 100.
    """
    return Yahtzee(joker)


def yatzy() -> Yatzy:
    """Scandinavian Yatzy, alone, for the highest mean score: fifteen boxes, entered in any order,
    with pairs, straights of five, and 50 for an upper section of 63 or more.
    """
    return Yatzy()


ENTRIES = [
    Entry(
        "yahtzee",
        "Yahtzee",
        yahtzee,
        family="Yahtzee",
        source="T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999)",
        most="score",
        readings=(
            "joker='free': a yahtzee scores as a full house or a straight, once its box and the "
            "upper box of its face are taken; it need not be entered there.",
            "joker='forced': it must go to the upper box of its face, if that is open, else to a "
            "lower box, else anywhere.",
            "joker='plain': no bonus for further yahtzees, and no jokers.",
        ),
        value="254.58960948196314421...",
    ),
    Entry(
        "yatzy",
        "Yatzy",
        yatzy,
        family="Yahtzee",
        source="the Scandinavian rules, as the score block prints them",
        most="score",
        readings=(
            "Boxes may be taken in any order; a straight is all five of 1-5 or of 2-6.",
            "Two pairs are of two faces; a house is a pair and three of another face.",
        ),
        value="248.4399893778...",
    ),
]
