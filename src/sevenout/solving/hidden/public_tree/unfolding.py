"""The sequence form of the tree of undominated options."""

from sevenout.solving.hidden.public_tree.undominated import Node, Undominated, bits
from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, Pair, SequenceForm, Side

Done = tuple[str, ...]
"""The moves so far."""


def sequence_form_of(tree: Undominated, players: tuple[str, str]) -> SequenceForm:
    """The sequence form of a game of hidden hands, without dominated options.

    A player sees their hand and all moves: (hand, move, move, ...).

    >>> import sevenout as so
    >>> from sevenout.solving.hidden.public_tree.hands_game import HandsGame
    >>> from sevenout.rules.families.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> form = sequence_form_of(Undominated(game), ("first", "second"))
    >>> [side.size for side in form.sides]
    [11, 11]
    """
    return _Unfolded(tree, players).form()


class _Unfolded:
    def __init__(self, tree: Undominated, players: tuple[str, str]) -> None:
        self.tree, self.game = tree, tree.game
        self.sides = Side(players[0]), Side(players[1])
        self.pays: dict[Pair, int] = {}
        self.ends: dict[Pair, int] = {}

    def form(self) -> SequenceForm:
        game = self.game
        parents = ([EMPTY] * len(game.hands[0]), [EMPTY] * len(game.hands[1]))
        self._unfold(self.tree.root, (), parents)
        scale = game.total * game.scale
        return SequenceForm(self.sides, self.pays, scale, self.ends, game.total, game.positions)

    def _unfold(self, node: Node, done: Done, at: tuple[list[int], list[int]]) -> None:
        """Add what follows a history, after a sequence of each hand."""
        if node.payoffs >= 0:
            self._end(node, at)
            return
        seat, menu = node.table.seat, node.table.menu
        side, hands = self.sides[seat], self.game.hands[seat]
        taken = [branch for branch in node.branches if branch.hands]
        then = [list(at[seat]) for _ in taken]
        for hand in bits(node.alive[seat]):
            mine = [k for k, branch in enumerate(taken) if branch.hands >> hand & 1]
            options = tuple(menu[taken[k].option] for k in mine)
            own = side.add((hands[hand], *done), options, at[seat][hand])
            for k, sequence in zip(mine, own.sequences, strict=True):
                then[k][hand] = sequence
        for after, branch in zip(then, taken, strict=True):
            both = (at[0], after) if seat else (after, at[1])
            self._unfold(branch.then, (*done, menu[branch.option]), both)

    def _end(self, node: Node, at: tuple[list[int], list[int]]) -> None:
        payoffs, weights = self.game.payoffs[node.payoffs], self.game.weights
        for x in bits(node.alive[0]):
            for y in bits(node.alive[1]):
                if weight := weights[x][y]:
                    pair = at[0][x], at[1][y]
                    self.ends[pair] = self.ends.get(pair, 0) + weight
                    value = weight * payoffs[x][y]
                    self.pays[pair] = self.pays.get(pair, 0) + value
