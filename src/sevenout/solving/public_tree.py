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
from functools import cache, cached_property
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from sevenout.model import Model
from sevenout.model.process import SEATS
from sevenout.solving.equilibria import EMPTY, Pair, SequenceForm, Side, topological_order

Matrix = Sequence[Sequence[int]]
"""A row for each hand of a player, a column for each of the other."""


class PublicState(NamedTuple):
    """A table: what both players see, without past moves.

    Attributes:
        seat: of the mover: 0 or 1; -1 at an end.
        menu: the options; empty at an end.
        targets: the index of the table after each option.
        payoff_index: of the payoff matrix at an end; else -1.
    """

    seat: int
    menu: tuple[str, ...]
    targets: tuple[int, ...]
    payoff_index: int = -1

    @property
    def is_end(self) -> bool:
        """Whether no more moves follow."""
        return self.payoff_index >= 0


@dataclass(frozen=True, eq=False)
class HandsGame:
    """A game in which two hands are dealt in secret, and all moves are open.

    Attributes:
        hands: those that each player may be dealt.
        weights: of each deal, by the first and second hand.
        tables: the opening, then all that follow.
        scale: the common denominator of the payoffs.
        payoff_matrices: one of each end, by the first and second hand: the first player's value
            times the scale.
    """

    hands: tuple[Sequence[Hashable], Sequence[Hashable]]
    weights: Matrix
    tables: Sequence[PublicState]
    payoff_matrices: Sequence[Matrix]
    scale: int

    @classmethod
    def of(cls, model: Model, values: Sequence[Fraction]) -> "HandsGame":
        """The tables of a game explored with hands dealt at the showdown (`LateDeal`).

        >>> import sevenout as so
        >>> from sevenout.rules.hidden_hands import LateDeal
        >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
        >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
        >>> game.hands[0], len(game.tables), game.positions
        (('J', 'Q', 'K'), 9, 24)

        Args:
            model: the explored game.
            values: of each outcome, to the first player.
        """
        topological_order(model)  # refuses a table that repeats
        scale = lcm(*(value.denominator for value in values))
        scaled = [value.numerator * (scale // value.denominator) for value in values]
        # The only roll is the deal, at the showdown.
        deal = model.rollables[max(model.rollable_index)].law
        hands = tuple(dict.fromkeys(x for x, _ in deal)), tuple(dict.fromkeys(y for _, y in deal))
        one, two = ({hand: k for k, hand in enumerate(own_hands)} for own_hands in hands)
        cells = [(one[x], two[y]) for x, y in deal]
        weights = cls._matrix(hands, cells, deal.weights)
        payoff_matrices: list[list[list[int]]] = []
        tables, n = [], len(model.states)
        for s, menu in enumerate(model.menus):
            targets = model.targets_of(s)
            if menu:
                tables.append(PublicState(SEATS.index(model.choosers[s]), menu, tuple(targets)))
            else:
                tables.append(PublicState(-1, (), (), payoff_index=len(payoff_matrices)))
                payoff_matrices.append(cls._matrix(hands, cells, [scaled[t - n] for t in targets]))
        return cls(hands, weights, tables, payoff_matrices, scale)

    @staticmethod
    def _matrix(
        hands: Sequence[Sequence[Hashable]],
        cells: Sequence[tuple[int, int]],
        entries: Sequence[int],
    ) -> list[list[int]]:
        """A row for each hand of the first player; 0 for pairs of hands that are never dealt."""
        matrix = [[0] * len(hands[1]) for _ in hands[0]]
        for (x, y), entry in zip(cells, entries, strict=True):
            matrix[x][y] = entry
        return matrix

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(map(sum, self.weights))

    @cached_property
    def weights_by_seat(self) -> tuple[Matrix, Matrix]:
        """The weights of the deals, with the rows of each player's hands."""
        return self.weights, tuple(zip(*self.weights, strict=True))

    @cached_property
    def payoffs_by_seat(self) -> list[tuple[Matrix, Matrix]]:
        """The payoff matrices, each with the rows of each player's hands."""
        return [(rows, tuple(zip(*rows, strict=True))) for rows in self.payoff_matrices]

    @cached_property
    def positions(self) -> int:
        """The number of decision histories, counted for each pair of hands."""

        @cache
        def histories(t: int) -> int:
            table = self.tables[t]
            return 0 if table.is_end else 1 + sum(map(histories, table.targets))

        pairs = sum(bool(weight) for row in self.weights for weight in row)
        return pairs * histories(0)


Alive = tuple[int, int]
"""Each player's possible hands, as bits."""
Bounds = tuple[dict[int, int], dict[int, int]]
"""For each seat and possible hand, a bound of the first player's value."""


class Branch(NamedTuple):
    """An option, and the hands that may take it.

    Attributes:
        option: its index in the menu.
        hands: as bits; 0 if it is dominated for all.
        subtree: what follows. If no hand is left, it is what followed for the last hands: a reply
            to a player who takes the option nevertheless.
    """

    option: int
    hands: int
    subtree: "TreeNode"


class TreeNode(NamedTuple):
    """A table, and the possible hands.

    Attributes:
        table: what both players see.
        alive: the possible hands of each player, as bits.
        branches: the options; a dominated one has no hands.
        low: by seat and hand, the least that the first player gets.
        high: the same for the most.
        sequences: the number of pairs (hand, move) from here on.
        sets: the number of pairs (hand, history) where the hand's player moves.
    """

    table: PublicState
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


class UndominatedTree:
    """The tree without dominated options; equal subtrees of a table are shared.

    >>> import sevenout as so
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> late = so.explore(LateDeal(so.games("liars-dice", sides=2)))
    >>> game = HandsGame.of(late, [outcome.profit("first") for outcome in late.outcomes])
    >>> UndominatedTree(game).root.sequences
    36

    How it works. A node is made with all possible hands, and then made again with fewer, until no
    more options go (`_move`). Whatever one removal rests on stays true, since hands never come
    back.

    Attributes:
        game: the hands, tables and payoffs.
    """

    def __init__(self, game: HandsGame) -> None:
        self.game = game
        self._node_by_request: dict[tuple[int, Alive, int], TreeNode] = {}
        self._node_by_structure: dict[tuple[Any, ...], TreeNode] = {}
        # by seat and hand, the other's hands that may be dealt with it, as bits
        self._opposing = [
            [sum(1 << other for other, weight in enumerate(row) if weight) for row in rows]
            for rows in game.weights_by_seat
        ]

    @cached_property
    def root(self) -> TreeNode:
        """The opening, where all hands are possible."""
        one, two = ((1 << len(hands)) - 1 for hands in self.game.hands)
        return self._node(0, (one, two), None)

    def _node(self, t: int, alive: Alive, previous: TreeNode | None) -> TreeNode:
        """What remains at table `t`; `previous` is the same with more hands, None at first.

        An option left out stays out, because its removal relied on the other player's removals.
        """
        # Nothing has changed since the last pass.
        if previous is not None and previous.alive == alive:
            return previous
        # All nodes stay in these tables, so no identity is ever that of a later node.
        request = t, alive, id(previous)
        if request not in self._node_by_request:
            table = self.game.tables[t]
            node = self._end(table, alive) if table.is_end else self._move(table, alive, previous)
            # Equal subtrees become one node, or the tree would have as many as there are histories.
            branches = tuple((b.option, b.hands, id(b.subtree)) for b in node.branches)
            node = self._node_by_structure.setdefault((t, alive, branches), node)
            self._node_by_request[request] = node
        return self._node_by_request[request]

    @cached_property
    def _end_values(self) -> list[list[list[list[tuple[int, int]]]]]:
        """By payoff matrix, seat and hand, as `_hands_by_value`."""
        values = []
        for matrices in self.game.payoffs_by_seat:
            by_seat = []
            for rows, opposing in zip(matrices, self._opposing, strict=True):
                by_seat.append(
                    [_hands_by_value(row, hands) for row, hands in zip(rows, opposing, strict=True)]
                )
            values.append(by_seat)
        return values

    def _end(self, table: PublicState, alive: Alive) -> TreeNode:
        """An end: a hand's bounds are its least and greatest payoff against a possible hand."""
        low: Bounds = ({}, {})
        high: Bounds = ({}, {})
        for seat, values_by_hand in enumerate(self._end_values[table.payoff_index]):
            for hand in bits(alive[seat]):
                others = alive[1 - seat]
                values = [value for value, hands in values_by_hand[hand] if hands & others]
                # A hand that meets none of the other's has no value: such a deal doesn't occur.
                if values:
                    low[seat][hand], high[seat][hand] = values[0], values[-1]
        return TreeNode(table, alive, (), low, high, 0, 0)

    def _move(self, table: PublicState, alive: Alive, previous: TreeNode | None) -> TreeNode:
        """A choice, without the options that are dominated; `previous` as in `_node`."""
        seat = table.seat
        # by option: the hands that may take it, as bits, and what follows
        takers = [alive[seat]] * len(table.menu)
        children: list[TreeNode | None] = [None] * len(table.menu)
        if previous is not None:
            takers = [0] * len(table.menu)
            for k, hands, subtree in previous.branches:
                takers[k], children[k] = hands & alive[seat], subtree
        # Fewer hands after an option tighten its bounds, which may dominate further options.
        while True:
            for k, hands in enumerate(takers):
                if hands:
                    possible = (alive[0], hands) if seat else (hands, alive[1])
                    children[k] = self._node(table.targets[k], possible, children[k])
            dominated = self._dominated(seat, alive[seat], takers, children)
            if not any(dominated):
                break
            takers = [hands & ~lost for hands, lost in zip(takers, dominated, strict=True)]
        branches = tuple(
            Branch(k, hands, subtree)
            for k, (hands, subtree) in enumerate(zip(takers, children, strict=True))
            if subtree is not None
        )
        taken = [branch for branch in branches if branch.hands]
        low, high = self._bounds(seat, taken)
        sequences = sum(branch.hands.bit_count() + branch.subtree.sequences for branch in taken)
        sets = alive[seat].bit_count() + sum(branch.subtree.sets for branch in taken)
        return TreeNode(table, alive, branches, low, high, sequences, sets)

    def _dominated(
        self, seat: int, alive: int, takers: list[int], children: list[TreeNode | None]
    ) -> list[int]:
        """For each option, the hands for which another is at least as good for certain."""
        sign = -1 if seat else 1
        dominated = [0] * len(takers)
        for hand in bits(alive):
            # of each option: the worst and the best case, and whether it is an end
            options = {}
            for k, node in enumerate(children):
                if node is not None and takers[k] >> hand & 1 and hand in node.low[seat]:
                    cases = sign * node.low[seat][hand], sign * node.high[seat][hand]
                    options[k] = min(cases), max(cases), not node.branches
            # The last option of a hand stays.
            if len(options) < 2:
                continue
            # Of equal worst cases that of an end is kept: it needs no tree after it.
            kept = max(options, key=lambda k: (options[k][0], options[k][2]))
            for k, (_, best_case, _) in options.items():
                if k != kept and best_case <= options[kept][0]:
                    dominated[k] |= 1 << hand
        return dominated

    def _bounds(self, seat: int, branches: list[Branch]) -> tuple[Bounds, Bounds]:
        """The least and the most that the first player gets, from the options that are taken."""
        low: Bounds = ({}, {})
        high: Bounds = ({}, {})
        pick = min if seat else max
        for branch in branches:
            for player in (0, 1):
                # The mover picks an option for each hand; the other's hands may meet any option.
                pick_low, pick_high = (pick, pick) if player == seat else (min, max)
                _merge(low[player], branch.subtree.low[player], pick_low)
                _merge(high[player], branch.subtree.high[player], pick_high)
        return low, high


def _hands_by_value(payoffs: Sequence[int], hands: int) -> list[tuple[int, int]]:
    """The payoffs against some hands in ascending order, each with the hands that give it."""
    by_value: dict[int, int] = {}
    for hand in bits(hands):
        by_value[payoffs[hand]] = by_value.get(payoffs[hand], 0) | 1 << hand
    return sorted(by_value.items())


def _merge(
    bounds: dict[int, int], more: Mapping[int, int], pick: Callable[[int, int], int]
) -> None:
    """Add bounds by hand; where there is one already, `pick` chooses."""
    for hand, value in more.items():
        bounds[hand] = pick(bounds[hand], value) if hand in bounds else value


Sequences = tuple[list[int], list[int]]
"""By player and hand, the sequence that leads to a history."""


class HandsForm:
    """A sequence form of hidden hands, filled history by history.

    How it works. A history knows by which sequence each hand of both players reaches it. `choose`
    gives the sequences after every option, and `end` adds the payoffs of all pairs of hands.

    Attributes:
        game: the hands, tables and payoffs.
        sides: the information sets so far.
        payoffs, chances: by pair of sequences, those of all pairs of hands so far; see
            `SequenceForm`.
    """

    def __init__(self, game: HandsGame, players: tuple[str, str]) -> None:
        self.game = game
        self.sides = Side(players[0]), Side(players[1])
        self.payoffs: dict[Pair, int] = {}
        self.chances: dict[Pair, int] = {}

    @property
    def opening(self) -> Sequences:
        """The sequences before any move."""
        return [EMPTY] * len(self.game.hands[0]), [EMPTY] * len(self.game.hands[1])

    def choose(
        self,
        seat: int,
        sequences: Sequences,
        menu: Sequence[str],
        options_by_hand: Mapping[int, Sequence[int]],
        observation: Callable[[int], Hashable],
    ) -> list[Sequences]:
        """Add the information sets of a choice; return the sequences after each option.

        Args:
            seat: of the mover.
            sequences: those that lead to the choice.
            menu: the options.
            options_by_hand: those that a hand may take, as indices of the menu.
            observation: what the mover sees with a hand.
        """
        after = [list(sequences[seat]) for _ in menu]
        for hand, options in options_by_hand.items():
            if options:
                names = tuple([menu[k] for k in options])
                infoset = self.sides[seat].add(observation(hand), names, sequences[seat][hand])
                for k, sequence in zip(options, infoset.sequences, strict=True):
                    after[k][hand] = sequence
        return [(sequences[0], own) if seat else (own, sequences[1]) for own in after]

    def end(self, node: TreeNode, sequences: Sequences, hands: tuple[list[int], list[int]]) -> None:
        """Add the payoffs of all pairs of some hands."""
        payoffs, weights = self.game.payoff_matrices[node.table.payoff_index], self.game.weights
        for x, y in product(*hands):
            if weight := weights[x][y]:
                pair = sequences[0][x], sequences[1][y]
                self.chances[pair] = self.chances.get(pair, 0) + weight
                self.payoffs[pair] = self.payoffs.get(pair, 0) + weight * payoffs[x][y]

    def form(self) -> SequenceForm:
        """The form, with all that was added."""
        game = self.game
        scale = game.total * game.scale
        return SequenceForm(
            self.sides, self.payoffs, scale, self.chances, game.total, game.positions
        )


def sequence_form_of(tree: UndominatedTree, players: tuple[str, str]) -> SequenceForm:
    """The sequence form of a game of hidden hands, without dominated options.

    A player sees their hand and all moves: (hand, move, move, ...).

    >>> import sevenout as so
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> form = sequence_form_of(UndominatedTree(game), ("first", "second"))
    >>> [side.size for side in form.sides]
    [11, 11]
    """
    form = HandsForm(tree.game, players)

    def unfold(node: TreeNode, moves: tuple[str, ...], sequences: Sequences) -> None:
        one, two = (list(bits(alive)) for alive in node.alive)
        if node.table.is_end:
            form.end(node, sequences, (one, two))
            return
        seat = node.table.seat
        hands, taken = tree.game.hands[seat], [b for b in node.branches if b.hands]
        menu = [node.table.menu[branch.option] for branch in taken]
        options_by_hand = {
            hand: [k for k, branch in enumerate(taken) if branch.hands >> hand & 1]
            for hand in (two if seat else one)
        }
        after = form.choose(
            seat, sequences, menu, options_by_hand, observation=lambda hand: (hands[hand], *moves)
        )
        for branch, name, sequences_after in zip(taken, menu, after, strict=True):
            unfold(branch.subtree, (*moves, name), sequences_after)

    unfold(tree.root, (), form.opening)
    return form.form()
