"""A game of hidden hands and open moves, without its histories: tables, and what the hands come to.

Only what is on the table decides what may be done, so that the rules are a small directed graph;
the tree of all histories unfolds from it. At the end the payoffs are a matrix, with a row for each
hand of the first player and a column for each of the second. Liar's Dice with two dice each has 49
tables, 441 pairs of hands, and 16,777,216 histories.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from sevenout.hidden.sequences.subgames import in_order
from sevenout.model import Model

SEATS = ("first", "second")


class PublicState(NamedTuple):
    """A table as the rules know it: what both players see, but for the moves before.

    Attributes:
        seat: of the player to move: 0 or 1; -1 at the end.
        menu: their options.
        after: the table after each option; at the end, the matrix alone.
    """

    seat: int
    menu: tuple[str, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HandsGame:
    """Two hands are dealt in secret, and then all moves are open.

    Attributes:
        hands: of each player.
        weights: by the first hand and the second, how often they are dealt together.
        tables: table 0 is the opening.
        payoffs: what the hands come to at an end, by the first hand and the second: the value to
            the first player, times the scale.
        scale: the common denominator of the worths.
    """

    hands: tuple[Sequence[Hashable], Sequence[Hashable]]
    weights: Sequence[Sequence[int]]
    tables: Sequence[PublicState]
    payoffs: Sequence[Sequence[Sequence[int]]]
    scale: int

    @classmethod
    def of(cls, model: Model, worths: Sequence[Fraction]) -> "HandsGame":
        """The tables of a game whose hands are dealt when they are shown; see `rules.LateDeal`.

        >>> import sevenout as so
        >>> from sevenout.rules.families.hidden_hands import LateDeal
        >>> kuhn = so.explore(LateDeal(so.decisions("kuhn")))
        >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
        >>> game.hands[0], len(game.tables), game.positions
        (('J', 'Q', 'K'), 9, 24)

        Args:
            model: the game, explored.
            worths: the value of each outcome to the first player.

        Raises:
            EndlessGameError: a table that comes back again and again.
        """
        in_order(model)
        scale = lcm(*(worth.denominator for worth in worths))
        units = [worth.numerator * (scale // worth.denominator) for worth in worths]
        dealt = model.rollables[max(model.rolled)].law
        hands = tuple(dict.fromkeys(x for x, _ in dealt)), tuple(dict.fromkeys(y for _, y in dealt))
        one, two = ({hand: k for k, hand in enumerate(each)} for each in hands)
        cells = [(one[x], two[y]) for x, y in dealt]
        weights = cls._matrix(hands, cells, dealt.weights)
        payoffs: list[list[list[int]]] = []
        tables, n = [], len(model.states)
        for s, menu in enumerate(model.menus):
            targets = model.targets[model.first[s] : model.first[s + 1]]
            if menu:
                tables.append(PublicState(SEATS.index(model.choosers[s]), menu, tuple(targets)))
            else:
                tables.append(PublicState(-1, (), (len(payoffs),)))
                payoffs.append(cls._matrix(hands, cells, [units[t - n] for t in targets]))
        return cls(hands, weights, tables, payoffs, scale)

    @staticmethod
    def _matrix(
        hands: Sequence[Sequence[Hashable]],
        cells: Sequence[tuple[int, int]],
        entries: Sequence[int],
    ) -> list[list[int]]:
        matrix = [[0] * len(hands[1]) for _ in hands[0]]
        for (x, y), entry in zip(cells, entries, strict=True):
            matrix[x][y] = entry
        return matrix

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(map(sum, self.weights))

    @cached_property
    def positions(self) -> int:
        """How many pairs of hands and histories there are in which a player moves."""
        after: dict[int, int] = {}

        def histories(t: int) -> int:
            if t not in after:
                table = self.tables[t]
                after[t] = 0 if table.seat < 0 else 1 + sum(map(histories, table.after))
            return after[t]

        pairs = sum(bool(weight) for row in self.weights for weight in row)
        return pairs * histories(0)
