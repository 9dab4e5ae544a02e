"""Games in which dice are kept: Threes, Midnight, Yahtzee and Yatzy, Ship, captain and crew.

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
from functools import cache, partial
from typing import Any, Literal, get_args

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Rollable, d6, parse_dice
from sevenout.rules import ByTurns, Game, Hand, KeepRoll, counted, settle
from sevenout.rules.game import Frozen
from sevenout.rules.keep_games import KeepScore, kept_in_words

# --- Yahtzee and Yatzy, alone ---------------------------------------------------------------------

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
FIXED = {"full house": 25, "small straight": 30, "large straight": 40}
LOWER: dict[str, Callable[[Hand], int]] = {
    "three of a kind": lambda hand: hand.total * (hand.group_sizes[0] >= 3),
    "four of a kind": lambda hand: hand.total * (hand.group_sizes[0] >= 4),
    "full house": lambda hand: 25 * (hand.group_sizes == (3, 2)),
    "small straight": lambda hand: 30 * (hand.longest_run >= 4),
    "large straight": lambda hand: 40 * (hand.longest_run >= 5),
    "yahtzee": lambda hand: 50 * (hand.group_sizes == (5,)),
    "chance": lambda hand: hand.total,
}
Jokers = Literal["free", "forced", "plain"]
JOKERS = get_args(Jokers)


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

    joker: Jokers = "free"
    turn = KeepRoll(d6, 5)
    card = (frozenset([*UPPER, *LOWER]), False)
    tally = ("upper", 63)
    tally_entries = tuple(UPPER)

    def __post_init__(self) -> None:
        if self.joker not in JOKERS:
            raise RulesError(f"joker={shown(self.joker)}; give {', '.join(JOKERS)}")

    @property
    def bonus_counters(self) -> tuple[str, ...]:
        """The bonus for further yahtzees, if any."""
        return () if self.joker == "plain" else ("yahtzee bonus",)

    def entries(self, card: Any) -> Mapping[str, Any]:
        """The open boxes, in card order."""
        left, bonus = card
        boxes = [box for box in (*UPPER, *LOWER) if box in left]
        # A joker needs a yahtzee box that is taken.
        if self.joker == "plain" or "yahtzee" in left:
            return {box: _box_reading(box, bonus) for box in boxes}
        taken = frozenset(face for box, face in UPPER.items() if box not in left)
        return {
            box: _box_reading(
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
        # A yahtzee entered for 0 brings no bonus later.
        scored = bonus or (entry == "yahtzee" and seen == 50 and self.joker != "plain")
        return (left, scored) if left else settle("full card")

    def final_counts(self, total: int) -> Mapping[str, Any]:
        """35 for an upper section of at least 63."""
        return {"score": 35} if total >= 63 else {}


def _barred(box: str, left: frozenset[str]) -> frozenset[int]:
    """The faces of yahtzees that "forced" keeps out of a box."""
    # A yahtzee must go to the upper box of its face, if that is open, else to an open lower box.
    must_be_lower = box in UPPER and not left.isdisjoint(LOWER)
    open_faces = {face for upper_box, face in UPPER.items() if upper_box in left}
    barred_if_taken = {*UPPER.values()} - open_faces if must_be_lower else set()
    return frozenset(open_faces - {UPPER.get(box)} | barred_if_taken)


@cache
def _box_reading(
    box: str,
    bonus: bool,
    jokers: frozenset[int] = frozenset(),
    barred: frozenset[int] = frozenset(),
) -> Callable[[Hand], Any]:
    """How a hand is read in a box: what the card remembers, and its score.

    Args:
        box: the box.
        bonus: whether a yahtzee scored 50 before.
        jokers: the faces of yahtzees that score in full here.
        barred: the faces of yahtzees that may not be entered here.
    """

    def read(hand: Hand) -> Any:
        face = hand.faces[0] if hand.group_sizes == (5,) else None
        # None: the entry is not allowed.
        if face in barred:
            return None
        extra = {"yahtzee bonus": 100} if face and bonus else {}
        if box in UPPER:
            score = UPPER[box] * hand.count(UPPER[box])
            return counted("upper", score=score + sum(extra.values()), upper=score, **extra)
        # A joker scores in full where it would not fit.
        score = FIXED[box] if face in jokers else LOWER[box](hand)
        # Only of the yahtzee box does the card remember what was scored.
        remembered = score if box == "yahtzee" else "lower"
        return counted(remembered, score=score + sum(extra.values()), **extra)

    return read


def _pairs(hand: Hand) -> list[int]:
    """The faces that two dice or more show, the highest first."""
    return sorted((face for face in set(hand.faces) if hand.count(face) >= 2), reverse=True)


def _best_of_a_kind(hand: Hand, n: int) -> int:
    """The most points for n dice alike; 0 without."""
    return max((face * n for face in set(hand.faces) if hand.count(face) >= n), default=0)


YATZY: dict[str, Callable[[Hand], int]] = {
    "one pair": lambda hand: _best_of_a_kind(hand, 2),
    "two pairs": lambda hand: 2 * sum(_pairs(hand)) * (len(_pairs(hand)) == 2),
    "three of a kind": lambda hand: _best_of_a_kind(hand, 3),
    "four of a kind": lambda hand: _best_of_a_kind(hand, 4),
    "small straight": lambda hand: 15 * (hand.faces == (1, 2, 3, 4, 5)),
    "large straight": lambda hand: 20 * (hand.faces == (2, 3, 4, 5, 6)),
    "house": lambda hand: hand.total * (hand.group_sizes == (3, 2)),
    "chance": lambda hand: hand.total,
    "yatzy": lambda hand: 50 * (hand.group_sizes == (5,)),
}


@dataclass(frozen=True)
class Yatzy(ByTurns):
    """Scandinavian Yatzy alone; a card is the set of open boxes.

    >>> len(Yatzy().card)
    15
    """

    turn = KeepRoll(d6, 5)
    card = frozenset([*UPPER, *YATZY])
    tally = ("upper", 63)
    tally_entries = tuple(UPPER)

    def entries(self, card: Any) -> Mapping[str, Any]:
        """The open boxes, in card order."""
        return {box: _yatzy_reading(box) for box in (*UPPER, *YATZY) if box in card}

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        """The card without the box."""
        left = card - {entry}
        return left or settle("full card")

    def final_counts(self, total: int) -> Mapping[str, Any]:
        """50 for an upper section of at least 63."""
        return {"score": 50} if total >= 63 else {}


@cache
def _yatzy_reading(box: str) -> Callable[[Hand], Any]:
    """How a hand is read in a box of Yatzy."""

    def read(hand: Hand) -> Any:
        if box in UPPER:
            score = UPPER[box] * hand.count(UPPER[box])
            return counted("upper", score=score, upper=score)
        return counted("lower", score=YATZY[box](hand))

    return read


def yahtzee(joker: Jokers = "free") -> Yahtzee:
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


YAHTZEE = [
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


# --- Threes and Midnight --------------------------------------------------------------------------

Faces = tuple[int, ...]


def threes(dice: int = 5) -> KeepScore:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. The score is the total of the faces, but a 3 counts 0, and is shown as 0. The least is
    best, so the lowest dice are kept.
    """
    return KeepScore(d6, _checked_dice(dice, 1), values=Frozen({3: 0}), fewest_wins=True)


def midnight(dice: int = 6, needed: tuple[int, ...] = (1, 4)) -> KeepScore:
    """The player rolls `dice` dice, keeps at least one and rolls the others again, until all are
    kept. With the faces that are needed among them, a 1 and a 4 unless others are `needed`, the
    score is the total of the other dice; without, it is nothing.
    """
    if len(set(needed)) < len(needed) or not all(1 <= face <= 6 for face in needed):
        raise RulesError(f"needed={shown(needed)}; name different faces from 1 to 6")
    return KeepScore(d6, _checked_dice(dice, max(len(needed), 1)), needed=tuple(sorted(needed)))


def _checked_dice(dice: int, minimum: int) -> int:
    """A number of dice, from `minimum` to 8."""
    if not minimum <= dice <= 8:
        raise RulesError(f"dice={shown(dice)}; roll {minimum} to 8")
    return dice


def keep_low(_: Game, highest: int) -> Policy:
    """Keep every die up to this value, or else the lowest."""

    def policy(state: Any) -> str:
        dice, hand = state
        return f"keep {max(sum(value <= highest for value in hand), 1)} of {dice}"

    return policy


def qualify_first(_: Game) -> Policy:
    """Keep needed dice, then every 6, or else the highest die."""

    def policy(state: Any) -> str:
        needed, _, _, hand = state
        kept = tuple(face for face in needed if face in hand)
        sixes = hand.count(6) - kept.count(6) if len(kept) == len(needed) else 0
        return kept_in_words(kept, sixes if kept else max(sixes, 1))

    return policy


KEEP = "One die or more is kept of each roll, and is never rolled again."

# fmt: off
THREES_AND_MIDNIGHT = [
    Entry("threes", "Threes", threes, family="Threes", least="points",
             source="Wikipedia, Threes", policies={"keep-to-1": keep_low},
             readings=(KEEP, "The lowest dice are kept: keeping higher ones never pays."),
             value="504205555/80621568"),
    Entry("midnight", "Midnight", midnight, family="Midnight", most="points",
             source="Wikipedia, Midnight (game)", policies={"qualify-first": qualify_first},
             readings=(KEEP, "A 1 and a 4 beyond the first count in the total.",
                       "Of the dice that are not needed the highest are kept; others never pay.")),
]
# fmt: on


# --- Ship, captain and crew: a 6, a 5 and a 4, then the cargo -------------------------------------

DICE = {n: parse_dice(f"{n}d6").hands for n in range(1, 6)}
"""Dice, read as hands, by their number."""
CREW = (6, 5, 4)
"""The faces of ship, captain and crew, in the order in which they are set aside."""
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
        options: dict[str, Any] = {"stop": _score_cargo(cargo), "roll both": (aside, (), left)}
        for face in sorted(set(cargo)):
            other = cargo[1] if face == cargo[0] else cargo[0]
            options[f"roll the {face}"] = (aside, (other,), left)
        return options

    def step(self, state: Any, hand: tuple[int, ...]) -> Any:
        aside, kept, left = state
        loose = list(hand)
        # One roll may bring ship, captain and crew.
        while aside < len(CREW) and CREW[aside] in loose:
            loose.remove(CREW[aside])
            aside += 1
        cargo = tuple(sorted((*kept, *loose)))
        if left == 1:
            return _score_cargo(cargo) if aside == len(CREW) else settle("no crew")
        return aside, cargo if aside == len(CREW) else (), left - 1


def _score_cargo(cargo: tuple[int, ...]) -> Any:
    """The end of the game with this cargo."""
    return counted(settle(f"cargo {sum(cargo)}"), points=sum(cargo))


def ship(either: bool = False) -> Game:
    """Five dice are rolled up to three times. A 6, the ship, is set aside; then a 5, the captain;
    then a 4, the crew: in that order, though one roll may bring several. The other dice are rolled
    again. With all three, the two dice left are the cargo, and their total is the score. A player
    who has rolls left may stop, or roll both of them again, or with `either` one of them. Without a
    crew the score is 0.
    """
    if either:
        return Ship()
    return KeepScore(
        d6, 5, keep_at_least=0, limit=ROLLS, needed=CREW, in_order=True, all_or_none=True
    )


def stop_at(game: Game, cargo: int) -> Policy:
    """Stop at this cargo; otherwise roll both dice again.

    >>> stop_at(ship(), 8)(((), 2, (2, 5), 1))
    'roll again'
    """
    index, roll_again = (1, "roll both") if isinstance(game, Ship) else (2, "roll again")

    def policy(state: Any) -> str:
        return "stop" if sum(state[index]) >= cargo else roll_again

    return policy


entry = partial(
    Entry,
    family="Ship, captain and crew",
    source="J. Scarne, Scarne on Dice (1945); Bicycle Cards, How to play",
    most="points",
    policies={"stop-8": stop_at},
)
CARGO_READINGS = (
    "A player who can set a die aside does so: it never pays to roll the ship again.",
    "Both dice of the cargo are rolled again or neither; also: either alone (either=).",
    "The cargo of the last roll counts, even if it is worse.",
)

# fmt: off
SHIP = [
    entry("ship-captain-and-crew", "Ship, captain and crew", ship, readings=CARGO_READINGS),
    entry("ship-captain-and-crew-either", "Ship, captain and crew, either die of the cargo",
          ship, {"either": True}, readings=CARGO_READINGS),
]
# fmt: on
