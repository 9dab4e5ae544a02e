"""A game of hidden hands and open moves as tables and payoff matrices.

The options depend only on the table, so the rules are a small directed graph. Each end has a payoff
matrix: a row for each hand of the first player, a column for each of the second. Liar's Dice with
two dice each has 49 tables, 441 pairs of hands and 16,777,216 histories.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from sevenout.model import Model
from sevenout.solving.hidden.sequences.subgames import in_order

SEATS = ("first", "second")


class PublicState(NamedTuple):
    """A table: what both players see, without past moves.

    Attributes:
        seat: of the mover: 0 or 1; -1 at an end.
        after: the table after each option; at an end, the matrix alone.
    """

    seat: int
    menu: tuple[str, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HandsGame:
    """A game in which two hands are dealt in secret, and all moves are open.

    Attributes:
        payoffs: of each end, by the first and second hand: the first player's value times the
            scale.
    """

    hands: tuple[Sequence[Hashable], Sequence[Hashable]]
    weights: Sequence[Sequence[int]]
    tables: Sequence[PublicState]
    payoffs: Sequence[Sequence[Sequence[int]]]
    scale: int

    @classmethod
    def of(cls, model: Model, values: Sequence[Fraction]) -> "HandsGame":
        """The tables of a game explored with hands dealt at the showdown; see `rules.LateDeal`.

        `values` are the outcomes' values to the first player.

        >>> import sevenout as so
        >>> from sevenout.rules.families.hidden_hands import LateDeal
        >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
        >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
        >>> game.hands[0], len(game.tables), game.positions
        (('J', 'Q', 'K'), 9, 24)
        """
        in_order(model)
        scale = lcm(*(value.denominator for value in values))
        units = [value.numerator * (scale // value.denominator) for value in values]
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
        """The number of decision histories, counted for each pair of hands."""
        after: dict[int, int] = {}

        def histories(t: int) -> int:
            if t not in after:
                table = self.tables[t]
                after[t] = 0 if table.seat < 0 else 1 + sum(map(histories, table.after))
            return after[t]

        pairs = sum(bool(weight) for row in self.weights for weight in row)
        return pairs * histories(0)
