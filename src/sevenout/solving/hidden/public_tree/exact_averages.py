"""Policies in fractions from averages in floats, and exact best replies over the whole tree."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from sevenout.solving.hidden.public_tree.undominated import Branch, Node, bits

if TYPE_CHECKING:
    from sevenout.solving.hidden.public_tree.matching import Matching

GRAIN = 1 << 20
"""The denominator of rounded shares."""


class ExactPolicy:
    """A player's policy in fractions, and the best reply to it.

    Attributes:
        least: smaller shares of the average are left out.
        plan: the exact probability of the player's own moves, by place; elsewhere the average is
            rounded.
    """

    def __init__(
        self,
        found: "Matching",
        seat: int,
        least: float = 0.0,
        plan: Mapping[int, Fraction] | None = None,
    ) -> None:
        self.found, self.seat, self.least, self.plan = found, seat, least, plan or {}

    def numbers(self, node: Node, base: int) -> Iterator[tuple[Branch, int, dict[int, int]]]:
        """The options taken: each with the base of what follows, and each hand's place."""
        taken = [branch for branch in node.branches if branch.hands]
        then = base + sum(branch.hands.bit_count() for branch in taken)
        for branch in taken:
            yield branch, then, {hand: base + k for k, hand in enumerate(bits(branch.hands))}
            base += branch.hands.bit_count()
            then += self.found.layout.size[id(branch.then)]

    def parts(self, node: Node, base: int, hands: Iterable[int]) -> dict[int, dict[int, int]]:
        """By option and hand, the rounded average in parts of `GRAIN`."""
        numbers = {b.option: places for b, _, places in self.numbers(node, base)}
        parts: dict[int, dict[int, int]] = {option: {} for option in numbers}
        for hand in hands:
            shares = {
                option: float(self.found.totals[places[hand]])
                for option, places in numbers.items()
                if hand in places
            }
            least = self.least * sum(shares.values())
            shares = {option: x for option, x in shares.items() if x >= least} if least else shares
            whole = sum(shares.values())
            some = {
                option: round(GRAIN * x / whole) if whole else 0 for option, x in shares.items()
            }
            some[max(shares, key=shares.__getitem__)] += GRAIN - sum(some.values())
            for option, part in some.items():
                parts[option][hand] = part
        return parts

    def shares(self, node: Node, base: int) -> dict[int, dict[int, Fraction]]:
        """By option, the probability of each hand that may take it."""
        parts = self.parts(node, base, bits(node.alive[self.seat]))
        totals: dict[int, Fraction] = {}
        numbers = list(self.numbers(node, base))
        for _, _, places in numbers:
            for hand, place in places.items():
                totals[hand] = totals.get(hand, Fraction(0)) + self.plan.get(place, Fraction(0))
        return {
            branch.option: {
                hand: self.plan.get(place, Fraction(0)) / totals[hand]
                if totals[hand]
                else Fraction(parts[branch.option].get(hand, 0), GRAIN)
                for hand, place in places.items()
            }
            for branch, _, places in numbers
        }

    @cached_property
    def gives(self) -> Fraction:
        """The value of the best reply to the replier."""
        opening = [Fraction(1)] * len(self.found.game.hands[self.seat])
        replies = self.reply(self.found.tree.root, 0, opening)
        return sum(replies.values(), Fraction(0))

    def reply(self, node: Node, base: int, reached: list[Fraction]) -> dict[int, Fraction]:
        """The value of best replies from a history on, for each hand of the other player.

        Values are those to that player, times the probability of the deal and the policy's moves.
        """
        depth = self.found.layout.depth[id(node)]
        unit = lcm(*(x.denominator for x in (*self.plan.values(), *reached))) * GRAIN**depth
        weights = {hand: int(x * unit) for hand, x in enumerate(reached) if x}
        whole = unit * self.found.game.total * self.found.game.scale
        return {
            hand: Fraction(x, whole) for hand, x in self._replied(node, base, weights, unit).items()
        }

    def _replied(self, node: Node, base: int, weights: dict[int, int], unit: int) -> dict[int, int]:
        """The same, with values and weights in units."""
        if node.payoffs >= 0:
            return self._shown(node, weights)
        hands = bits(node.alive[1 - self.seat])
        if not weights:
            return dict.fromkeys(hands, 0)
        if node.table.seat == self.seat:
            total = dict.fromkeys(hands, 0)
            for then, after, moved in self._moved(node, base, weights, unit):
                for hand, x in self._replied(then, after, moved, unit).items():
                    total[hand] += x
            return total
        gains: dict[int, int] = {}
        for branch, after, _ in self.numbers(node, base):
            values = self._replied(branch.then, after, weights, unit)
            for hand in bits(branch.hands):
                if hand not in gains or values[hand] > gains[hand]:
                    gains[hand] = values[hand]
        return gains

    def _shown(self, node: Node, weights: dict[int, int]) -> dict[int, int]:
        """The payoffs of the other player's hands at an end."""
        game = self.found.game
        payoffs, dealt = game.payoffs[node.payoffs], game.weights
        if self.seat:
            return {
                x: sum(dealt[x][y] * payoffs[x][y] * w for y, w in weights.items())
                for x in bits(node.alive[0])
            }
        return {
            y: -sum(dealt[x][y] * payoffs[x][y] * w for x, w in weights.items())
            for y in bits(node.alive[1])
        }

    def _moved(
        self, node: Node, base: int, weights: dict[int, int], unit: int
    ) -> Iterator[tuple[Node, int, dict[int, int]]]:
        """What follows each option taken: the node, the base, and the weights of hands."""
        parts = self.parts(node, base, weights)
        numbers = list(self.numbers(node, base))
        exact = {hand for _, _, places in numbers for hand, k in places.items() if k in self.plan}
        for branch, then, places in numbers:
            moved = {}
            for hand, place in places.items():
                if hand in exact:
                    weight = int(self.plan[place] * unit) if place in self.plan else 0
                else:
                    weight = weights.get(hand, 0) * parts[branch.option].get(hand, 0) // GRAIN
                if weight:
                    moved[hand] = weight
            if moved:
                yield branch.then, then, moved
