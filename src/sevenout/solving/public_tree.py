"""Games of hidden hands and open moves: the tree of public histories, with all hands at each node.

The options depend only on the table, so the rules are a small directed graph. Each end has a payoff
matrix: a row for each hand of the first player, a column for each of the second. Liar's Dice with
two dice each has 49 tables, 441 pairs of hands and 16,777,216 histories.

In Liar's Dice, a player whose own dice make a bid impossible calls it and wins. No other option is
better, so none needs a reply; and a player who raises shows that they have some of the dice. A
hand's option is left out if another gets at least as much in its worst case as this one in its best
(iterated elimination; Luce and Raiffa 1957). The remaining tree is a hundred times smaller, with
the same value.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from sevenout.model import Model
from sevenout.solving.equilibria import EMPTY, Pair, SequenceForm, Side, in_order

SEATS = ("first", "second")


class PublicState(NamedTuple):
    """A table: what both players see, without past moves.

    Attributes:
        seat: of the mover: 0 or 1; -1 at an end.
        menu: the options; empty at an end.
        after: the table after each option; at an end, the matrix alone.
    """

    seat: int
    menu: tuple[str, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HandsGame:
    """A game in which two hands are dealt in secret, and all moves are open.

    Attributes:
        hands: that each player may be dealt.
        weights: of each deal, by the first and second hand.
        tables: the first is the opening.
        scale: the common denominator of the payoffs.
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
        """The tables of a game explored with hands dealt at the showdown (`LateDeal`).

        `values` are the outcomes' values to the first player.

        >>> import sevenout as so
        >>> from sevenout.rules.hidden_hands import LateDeal
        >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
        >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
        >>> game.hands[0], len(game.tables), game.positions
        (('J', 'Q', 'K'), 9, 24)
        """
        in_order(model)  # refuses a table that repeats
        scale = lcm(*(value.denominator for value in values))
        units = [value.numerator * (scale // value.denominator) for value in values]
        # The only roll is the deal, at the showdown.
        dealt = model.rollables[max(model.rollable_index)].law
        hands = tuple(dict.fromkeys(x for x, _ in dealt)), tuple(dict.fromkeys(y for _, y in dealt))
        one, two = ({hand: k for k, hand in enumerate(own_hands)} for own_hands in hands)
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


Alive = tuple[int, int]
"""Each player's possible hands, as bits."""
Bounds = tuple[dict[int, int], dict[int, int]]
"""For each seat and possible hand, a bound of the first player's value."""


class Branch(NamedTuple):
    """An option, and the hands that may take it.

    Attributes:
        option: its place in the menu.
        hands: as bits; 0 if it is dominated for all.
        then: what follows; if no hand is left, what followed before, for a reply to anyone who
            takes it.
    """

    option: int
    hands: int
    then: "Node"


class Node(NamedTuple):
    """A table, and the possible hands.

    Attributes:
        table: the table.
        payoffs: the index of the payoffs at an end; else -1.
        alive: the possible hands of each player, as bits.
        branches: the options; a dominated one has no hands.
        low: the least that the first player gets, by seat and hand.
        high: the most.
        sequences: the number of pairs (hand, move) from here on.
        sets: the number of pairs (hand, history) where the hand's player moves.
    """

    table: PublicState
    payoffs: int
    alive: Alive
    branches: tuple[Branch, ...]
    low: Bounds
    high: Bounds
    sequences: int
    sets: int


def bits(hands: int) -> Iterator[int]:
    """The positions of the set bits of a number.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while hands:
        low = hands & -hands
        yield low.bit_length() - 1
        hands ^= low


class Undominated:
    """The tree without dominated options; equal subtrees of a table are shared.

    >>> import sevenout as so
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> late = so.explore(LateDeal(so.games("liars-dice", sides=2)))
    >>> game = HandsGame.of(late, [outcome.profit("first") for outcome in late.outcomes])
    >>> Undominated(game).root.sequences
    36

    How it works. A node is made from the one before it, with fewer hands: options only go, so the
    loop of `_move` ends. Whatever one removal rests on stays true, since hands never come back.

    Attributes:
        game: the hands, tables and payoffs.
    """

    def __init__(self, game: HandsGame) -> None:
        self.game = game
        self._known: dict[tuple[int, Alive, int], Node] = {}
        self._alike: dict[tuple[Any, ...], Node] = {}
        self._dealt = [
            [sum(1 << y for y, w in enumerate(row) if w) for row in game.weights],
            [
                sum(1 << x for x, row in enumerate(game.weights) if row[y])
                for y in range(len(game.hands[1]))
            ],
        ]

    @cached_property
    def root(self) -> Node:
        """The opening, where all hands are possible."""
        one, two = ((1 << len(hands)) - 1 for hands in self.game.hands)
        return self._node(0, (one, two), None)

    def _node(self, t: int, alive: Alive, before: Node | None) -> Node:
        """What remains at a table when fewer hands are possible than `before`.

        An option left out stays out, because its removal relied on the other player's removals.
        """
        # Nothing has changed since the last pass.
        if before is not None and before.alive == alive:
            return before
        key = t, alive, id(before)
        if key not in self._known:
            table = self.game.tables[t]
            node = self._end(table, alive) if table.seat < 0 else self._move(table, alive, before)
            # Equal subtrees become one node, or the tree would have as many as there are histories.
            like = t, alive, tuple((k, hands, id(then)) for k, hands, then in node.branches)
            self._known[key] = self._alike.setdefault(like, node)
        return self._known[key]

    @cached_property
    def _levels(self) -> list[tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]]:
        """For each end, seat and hand: the possible values in order, with the other's hands for
        each.
        """
        levels_by_end = []
        for matrix in self.game.payoffs:
            both = []
            for seat, rows in enumerate((matrix, list(zip(*matrix, strict=True)))):
                levels = []
                for hand, row in enumerate(rows):
                    by: dict[int, int] = {}
                    for other in bits(self._dealt[seat][hand]):
                        by[row[other]] = by.get(row[other], 0) | 1 << other
                    levels.append(sorted(by.items()))
                both.append(levels)
            levels_by_end.append((both[0], both[1]))
        return levels_by_end

    def _end(self, table: PublicState, alive: Alive) -> Node:
        (payoffs,) = table.after
        low: Bounds = ({}, {})
        high: Bounds = ({}, {})
        for seat, levels in enumerate(self._levels[payoffs]):
            for hand in bits(alive[seat]):
                # A hand that meets none of the other's has no value: such a deal doesn't occur.
                values = [value for value, hands in levels[hand] if hands & alive[1 - seat]]
                if values:
                    low[seat][hand], high[seat][hand] = values[0], values[-1]
        return Node(table, payoffs, alive, (), low, high, 0, 0)

    def _move(self, table: PublicState, alive: Alive, before: Node | None) -> Node:
        seat = table.seat
        takes = [alive[seat]] * len(table.menu)
        after: list[Node | None] = [None] * len(takes)
        if before is not None:
            takes = [0] * len(takes)
            for k, hands, then in before.branches:
                takes[k], after[k] = hands & alive[seat], then
        # Fewer hands after an option tighten its bounds, which may beat further options.
        while True:
            for k, hands in enumerate(takes):
                if hands:
                    left = (alive[0], hands) if seat else (hands, alive[1])
                    after[k] = self._node(table.after[k], left, after[k])
            beaten = self._beaten(seat, alive[seat], takes, after)
            if not any(beaten):
                break
            takes = [hands & ~lost for hands, lost in zip(takes, beaten, strict=True)]
        branches = tuple(
            Branch(k, hands, then)
            for k, (hands, then) in enumerate(zip(takes, after, strict=True))
            if then is not None
        )
        taken = [branch for branch in branches if branch.hands]
        low, high = self._bounds(seat, taken)
        below = sum(hands.bit_count() + node.sequences for _, hands, node in taken)
        sets = alive[seat].bit_count() + sum(branch.then.sets for branch in taken)
        return Node(table, -1, alive, branches, low, high, below, sets)

    def _beaten(
        self, seat: int, alive: int, takes: list[int], after: list[Node | None]
    ) -> list[int]:
        """For each option, the hands for which another is at least as good for certain."""
        sign = -1 if seat else 1
        beaten = [0] * len(takes)
        for hand in bits(alive):
            bounds = [
                (k, sorted((sign * node.low[seat][hand], sign * node.high[seat][hand])))
                for k, node in enumerate(after)
                if node is not None and takes[k] >> hand & 1 and hand in node.low[seat]
            ]
            # The last option of a hand stays.
            if len(bounds) < 2:
                continue
            # Of equally sure options an end is kept: it needs no tree after it.
            best, (least, _) = max(
                bounds,
                key=lambda each: (each[1][0], not after[each[0]].branches),  # type: ignore[union-attr]
            )
            for k, (_, most) in bounds:
                if k != best and most <= least:
                    beaten[k] |= 1 << hand
        return beaten

    def _bounds(self, seat: int, branches: list[Branch]) -> tuple[Bounds, Bounds]:
        low: Bounds = ({}, {})
        high: Bounds = ({}, {})
        of_seat = (max, max) if seat == 0 else (min, min)
        for _, _, node in branches:
            for player in (0, 1):
                # The mover picks an option for each hand; the other's hands may meet any option.
                pick = of_seat if player == seat else (min, max)
                for bound, to, choose in ((node.low, low, pick[0]), (node.high, high, pick[1])):
                    for hand, value in bound[player].items():
                        old = to[player].get(hand)
                        to[player][hand] = value if old is None else choose(old, value)
        return low, high


Sequences = tuple[list[int], list[int]]
"""By player and hand, the sequence that leads to a history."""


class HandsForm:
    """A sequence form of hidden hands, filled history by history.

    How it works. A history knows by which sequence each hand of both players reaches it. `choose`
    gives the sequences after every option, and `end` adds the payoffs of all pairs of hands.

    Attributes:
        game: the hands, tables and payoffs.
        sides: the information sets so far.
        pays, ends: the payoffs and chances so far; see `SequenceForm`.
    """

    def __init__(self, game: HandsGame, players: tuple[str, str]) -> None:
        self.game = game
        self.sides = Side(players[0]), Side(players[1])
        self.pays: dict[Pair, int] = {}
        self.ends: dict[Pair, int] = {}

    @property
    def opening(self) -> Sequences:
        """The sequences before any move."""
        return [EMPTY] * len(self.game.hands[0]), [EMPTY] * len(self.game.hands[1])

    def choose(
        self,
        seat: int,
        sequences: Sequences,
        menu: Sequence[str],
        takes: Mapping[int, Sequence[int]],
        seen: Callable[[int], Hashable],
    ) -> list[Sequences]:
        """The sequences after each option.

        Args:
            seat: of the mover.
            sequences: that lead to the choice.
            menu: the options.
            takes: by hand, the options that it may take, as places in the menu.
            seen: what the mover sees with a hand.
        """
        after = [list(sequences[seat]) for _ in menu]
        for hand, options in takes.items():
            if options:
                names = tuple([menu[k] for k in options])
                own = self.sides[seat].add(seen(hand), names, sequences[seat][hand])
                for k, sequence in zip(options, own.sequences, strict=True):
                    after[k][hand] = sequence
        return [(sequences[0], own) if seat else (own, sequences[1]) for own in after]

    def end(self, node: Node, sequences: Sequences, hands: tuple[list[int], list[int]]) -> None:
        """Add the payoffs of all pairs of some hands."""
        payoffs, weights = self.game.payoffs[node.payoffs], self.game.weights
        for x, y in product(*hands):
            if weight := weights[x][y]:
                pair = sequences[0][x], sequences[1][y]
                self.ends[pair] = self.ends.get(pair, 0) + weight
                self.pays[pair] = self.pays.get(pair, 0) + weight * payoffs[x][y]

    def form(self) -> SequenceForm:
        """The form, with all that was added."""
        game = self.game
        scale = game.total * game.scale
        return SequenceForm(self.sides, self.pays, scale, self.ends, game.total, game.positions)


def sequence_form_of(tree: Undominated, players: tuple[str, str]) -> SequenceForm:
    """The sequence form of a game of hidden hands, without dominated options.

    A player sees their hand and all moves: (hand, move, move, ...).

    >>> import sevenout as so
    >>> from sevenout.solving.public_tree import HandsGame
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> form = sequence_form_of(Undominated(game), ("first", "second"))
    >>> [side.size for side in form.sides]
    [11, 11]
    """
    form = HandsForm(tree.game, players)

    def unfold(node: Node, moves: tuple[str, ...], sequences: Sequences) -> None:
        one, two = (list(bits(alive)) for alive in node.alive)
        if node.payoffs >= 0:
            form.end(node, sequences, (one, two))
            return
        seat = node.table.seat
        hands, taken = tree.game.hands[seat], [b for b in node.branches if b.hands]
        menu = [node.table.menu[branch.option] for branch in taken]
        takes = {
            hand: [k for k, branch in enumerate(taken) if branch.hands >> hand & 1]
            for hand in (two if seat else one)
        }
        after = form.choose(seat, sequences, menu, takes, lambda hand: (hands[hand], *moves))
        for branch, name, then in zip(taken, menu, after, strict=True):
            unfold(branch.then, (*moves, name), then)

    unfold(tree.root, (), form.opening)
    return form.form()
