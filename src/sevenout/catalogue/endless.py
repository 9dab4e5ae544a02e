"""Games without an end, for long-run averages."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import Die, Law, Rollable
from sevenout.rules import Game, counted

# fmt: off
SQUARES = (
    "Go", "Mediterranean Avenue", "Community Chest 1", "Baltic Avenue",
    "Income Tax", "Reading Railroad", "Oriental Avenue", "Chance 1",
    "Vermont Avenue", "Connecticut Avenue", "Just Visiting", "St. Charles Place",
    "Electric Company", "States Avenue", "Virginia Avenue", "Pennsylvania Railroad",
    "St. James Place", "Community Chest 2", "Tennessee Avenue", "New York Avenue",
    "Free Parking", "Kentucky Avenue", "Chance 2", "Indiana Avenue",
    "Illinois Avenue", "B. & O. Railroad", "Atlantic Avenue", "Ventnor Avenue",
    "Water Works", "Marvin Gardens", "Go to Jail", "Pacific Avenue",
    "North Carolina Avenue", "Community Chest 3", "Pennsylvania Avenue", "Short Line",
    "Chance 3", "Park Place", "Luxury Tax", "Boardwalk",
)
# fmt: on
JAIL, VISITING, TO_JAIL = "In Jail", 10, 30
CHESTS, CHANCES = (2, 17, 33), (7, 22, 36)
RAILROADS, UTILITIES = (5, 15, 25, 35), (12, 28)
CHANCE_DESTINATIONS = (0, 11, 24, 39, 5)
"""The destinations of five Chance cards: Go, St. Charles Place, Illinois, Boardwalk, Reading."""
CARDS, DOUBLES, TRIES = 16, 3, 3
"""The cards of a pile; the doubles in a turn that go to jail; the tries to leave it."""


@dataclass(frozen=True)
class Monopoly(Game):
    """The squares of Monopoly.

    A state is the square and the number of doubles before; or jail, and the rolls for doubles
    before. A roll is the square to which dice and cards lead, and whether it was a double.

    >>> Monopoly(6, "stay", False).step((0, 1), (24, True))
    Counted(state=(24, 2), counts=(('Illinois Avenue', 1),))

    Args:
        sides: of each die.
        jail: "stay" rolls for doubles up to three times, "leave" pays at once.
        again: whether doubles that lead out of jail roll again; with "stay" only.

    Raises:
        RulesError: other numbers or words than these.
    """

    sides: int
    jail: str
    again: bool
    start = (0, 0)
    coordinates = ("", "doubles or tries")

    def __post_init__(self) -> None:
        if type(self.sides) is not int or not 2 <= self.sides <= 100:
            raise RulesError(f"sides={shown(self.sides)}; give 2 to 100")
        if self.jail not in ("stay", "leave"):
            raise RulesError(f"jail={shown(self.jail)}; give stay or leave")
        if type(self.again) is not bool:
            raise RulesError(f"again={shown(self.again)}; give True or False")
        if self.again and self.jail == "leave":
            raise RulesError("again=True does not go with jail='leave'; leave it out")

    @property
    def counters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The turns, and the squares on which a roll may end."""
        return ("turns", JAIL, *(name for k, name in enumerate(SQUARES) if k != TO_JAIL))

    @cached_property
    def _laws(self) -> list[Law]:
        """By square, the distribution of a roll's end and whether it is a double."""
        weights: list[Counter[tuple[int | str, bool]]] = [Counter() for _ in SQUARES]
        for square, by_end in enumerate(weights):
            for a, b in product(range(1, self.sides + 1), repeat=2):
                for end, weight in _card_destinations((square + a + b) % len(SQUARES)).items():
                    by_end[end, a == b] += weight
        return [*map(Law, weights)]

    def rolls(self, state: Any) -> Rollable:
        """Two dice, with the cards drawn."""
        square, _ = state
        return self._laws[VISITING if square == JAIL else square]

    def step(self, state: Any, rolled: Any) -> Any:
        """One roll."""
        (square, earlier), (end, is_double) = state, rolled
        if square == JAIL and self.jail == "stay":
            # After the third try the player pays and moves.
            if not is_double and earlier + 1 < TRIES:
                return counted((JAIL, earlier + 1), **{"turns": 1, JAIL: 1})
            # By the rules the doubles that lead out of jail don't roll again.
            is_double = is_double and self.again
        # In jail the state counts tries, not doubles.
        doubles = is_double + (0 if square == JAIL else earlier)
        # Three doubles in a turn go to jail, wherever they lead.
        if is_double and doubles == DOUBLES:
            end = JAIL
        counts = {JAIL if end == JAIL else SQUARES[end]: 1}
        if end == JAIL or not is_double:
            return counted((end, 0), **counts, turns=1)
        return counted((end, doubles), **counts)


def _card_destinations(square: int) -> dict[int | str, int]:
    """Where a roll to a square ends once its card is drawn, with weights that add up to 16²."""
    # A second card may be drawn, so that a probability is a multiple of 1/16².
    total = CARDS**2
    if square == TO_JAIL:
        return {JAIL: total}
    if square in CHESTS:
        return {0: CARDS, JAIL: CARDS, square: total - 2 * CARDS}
    if square not in CHANCES:
        return {square: total}
    weights: dict[int | str, int] = {JAIL: CARDS, square: 6 * CARDS}
    ahead = (_next_of(square, RAILROADS), _next_of(square, RAILROADS), _next_of(square, UTILITIES))
    for end in (*CHANCE_DESTINATIONS, *ahead):
        weights[end] = weights.get(end, 0) + CARDS
    # Back three squares, once to Community Chest, where another card is drawn.
    for last, weight in _card_destinations(square - 3).items():
        weights[last] = weights.get(last, 0) + weight // CARDS
    return weights


def _next_of(square: int, squares: tuple[int, ...]) -> int:
    """The next of some squares ahead of one, round the board."""
    return next((ahead for ahead in squares if ahead > square), squares[0])


def monopoly(sides: int = 6, jail: str = "stay", again: bool = False) -> Monopoly:
    """The squares of Monopoly, for one token that goes round for ever. Two dice of `sides` sides
    move it, doubles roll again, and three doubles in one turn go to jail. A card is drawn from 16
    that are shuffled each time: 2 of Community Chest move the token, 10 of Chance. A player who
    stays in jail rolls for doubles up to three times and pays after the third; one who leaves pays
    at once and rolls as usual. With `again`, the doubles that lead out of jail roll again. Counted
    are the squares on which a roll ends, and turns.
    """
    return Monopoly(sides, jail, again)


@dataclass(frozen=True)
class Fleas(Game):
    """Fleas on two dogs; the state is the number on the first.

    >>> Fleas(Die.standard(6)).step(2, 3), Fleas(Die.standard(6)).step(2, 1)
    (3, 1)

    Args:
        dice: one die, with a face for each flea.

    Raises:
        RulesError: anything else.
    """

    dice: Any
    start = 0
    coordinates = ("on the first dog",)

    def __post_init__(self) -> None:
        faces = self.dice.faces if isinstance(self.dice, Die) else ()
        if not faces or {*faces} != {*range(1, len(faces) + 1)}:
            raise RulesError(f"dice={shown(self.dice)}; give a die with a face for each flea")

    def step(self, first_dog: int, flea: int) -> int:
        """One flea jumps; the first dog's have the lowest numbers."""
        return first_dog - 1 if flea <= first_dog else first_dog + 1


def fleas(fleas: int = 6) -> Fleas:
    """`fleas` numbered fleas sit on two dogs, all on the second at first. A die picks a flea, and
    it jumps to the other dog; and so on.
    """
    if type(fleas) is not int or not 1 <= fleas <= 1000:
        raise RulesError(f"fleas={shown(fleas)}; give 1 to 1,000")
    return Fleas(Die.standard(fleas))


entry = partial(Entry, family="Monopoly", bet="")

# fmt: off
ENTRIES = [
    entry("monopoly", "Monopoly, the squares", monopoly,
          source="The rules of Parker Brothers; T. Collins, Probabilities in the Game of Monopoly "
          "(1997)"),
    entry("monopoly-again", "Monopoly, the squares, doubles out of jail roll again", monopoly,
          {"again": True}, source="T. Collins, Probabilities in the Game of Monopoly (1997), who "
          "counts them so"),
    entry("monopoly-leave", "Monopoly, the squares, out of jail at once", monopoly,
          {"jail": "leave"}, source="T. Collins, Probabilities in the Game of Monopoly (1997)"),
    Entry("dogs-and-fleas", "Dogs and fleas", fleas, family="Ehrenfest's urn", bet="",
          source="P. and T. Ehrenfest, Physikalische Zeitschrift 8 (1907)"),
]
# fmt: on
