"""Exact policies from the averages of regret matching, and exact best replies over the whole tree.

A policy need be exact only where the other player plays nearly optimally. There the options used,
and the nearly best replies, are few. They form a small sequence form, whose equations `exact_plan`
solves. Elsewhere any policy near the average will do, because the other player loses by going
there. An exact best reply over the whole tree proves the result.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, Protocol

from sevenout.solving.hidden.equilibria import exact_plan
from sevenout.solving.hidden.public_tree import Branch, HandsGame, Node, Undominated, bits
from sevenout.solving.hidden.sequence_form import EMPTY, Pair, SequenceForm, Side, best_reply

if TYPE_CHECKING:
    from numpy.typing import NDArray


GRAIN = 1 << 20
"""The denominator of rounded shares."""


class Averages(Protocol):
    """What regret matching leaves: the tree, its layout, and the averages with their bound.

    Attributes:
        tree: the undominated options.
        game: its hands, tables and payoffs.
        size, depth: of each node by its identity, the numbers and the most moves from there on.
        totals: by history, option and hand, the unnormalized average.
        bound: the error bound of the averages' value.
    """

    tree: Undominated
    game: HandsGame
    size: dict[int, int]
    depth: dict[int, int]
    totals: "NDArray[Any]"

    @property
    def bound(self) -> Fraction:
        """Half the width of the proved interval."""


class ExactPolicy:
    """A player's policy in fractions, and the best reply to it.

    Attributes:
        least: smaller shares of the average are left out.
        plan: the exact probability of the player's own moves, by place; elsewhere the average is
            rounded.
    """

    def __init__(
        self,
        found: "Averages",
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
            then += self.found.size[id(branch.then)]

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
        depth = self.found.depth[id(node)]
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


LEAST = (1e-3, 1e-4, 1e-5)
"""Smaller shares of an average are dropped as remnants of early rounds."""
TIGHT = (1, 10, 100)
"""Replies that lose less than this many widths of the interval count as best."""
NEARNESS = (1e-3, 1e-4, 1e-5, 1e-6)
"""Thresholds for 0 in the averages, in the order tried."""
LARGE = 20_000
"""The most sequences of a form to solve."""


def exact_policies(found: "Averages") -> tuple[ExactPolicy, ExactPolicy] | None:
    """Policies in fractions near the averages, both with the same value; None if none are found.

    >>> import sevenout as so
    >>> from sevenout.solving.hidden.public_tree import HandsGame
    >>> from sevenout.solving.hidden.regret_matching import Matching
    >>> from sevenout.solving.hidden.public_tree import Undominated
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> one, two = exact_policies(Matching(Undominated(game)))
    >>> one.gives, two.gives
    (Fraction(1, 18), Fraction(-1, 18))
    """
    best: dict[int, ExactPolicy] = {}
    for least in LEAST:
        for seat in (0, 1):
            for policy in _exact(found, seat, least):
                if seat not in best or policy.gives < best[seat].gives:
                    best[seat] = policy
                if len(best) == 2 and best[0].gives == -best[1].gives:
                    return best[0], best[1]
    return None


def _exact(found: "Averages", seat: int, least: float) -> Iterator[ExactPolicy]:
    """Policies that are exact where the other player loses little."""
    narrowed = Narrowed(ExactPolicy(found, seat, least))
    width = 2 * float(found.bound)
    for near in (times * width for times in TIGHT):
        form = narrowed.form(near)
        if form is None:
            break
        sign = -1 if seat else 1
        plans: list[tuple[Fraction, int, list[Fraction]]] = []
        for floor in NEARNESS:
            plan = exact_plan(form, seat, narrowed.floats, floor)
            if plan is not None:
                plans.append((sign * best_reply(form, plan, 1 - seat).value, len(plans), plan))
        if plans:
            plan = max(plans)[2]
            exact = {place: plan[s] for s, place in narrowed.places.items()}
            yield ExactPolicy(found, seat, least, exact)


class Narrowed:
    """The part of the tree where a policy must be exact, as a sequence form.

    Attributes:
        floats: for each sequence of the player, roughly the probability of their own moves.
        places: of the number of each of their sequences.
    """

    def __init__(self, policy: ExactPolicy) -> None:
        import numpy as np

        self.policy = policy
        self.seat, self.game, self.root = policy.seat, policy.found.game, policy.found.tree.root
        dealt = np.array(self.game.weights, float) / (self.game.total * self.game.scale)
        values = [dealt * np.array(payoffs, float) for payoffs in self.game.payoffs]
        self.values = values if self.seat else [-matrix.T for matrix in values]
        self.lost: dict[int, list[Any]] = {}
        self._lose(self.root, 0, np.ones(len(self.game.hands[self.seat])))

    def form(self, near: float) -> SequenceForm | None:
        """The sequence form, with replies that lose less than `near`; None if it is large."""
        import numpy as np

        self.near, self.sides = near, (Side("first"), Side("second"))
        self.pays: dict[Pair, int] = {}
        self.ends: dict[Pair, int] = {}
        self.floats, self.places = [1.0], dict[int, int]()
        game = self.game
        hands = [len(each) for each in game.hands]
        reached, lost = np.ones(hands[self.seat]), np.zeros(hands[1 - self.seat])
        self._unfold(self.root, 0, ([EMPTY] * hands[0], [EMPTY] * hands[1]), reached, lost)
        if self.large:
            return None
        scale = game.total * game.scale
        return SequenceForm(self.sides, self.pays, scale, self.ends, game.total, game.positions)

    @property
    def large(self) -> bool:
        """Whether there are too many sequences to solve."""
        return sum(side.size for side in self.sides) > LARGE

    def _moved(self, node: Node, base: int, reached: Any) -> list[tuple[Node, int, Any]]:
        """What follows each option of the policy's player, and the probability of each hand."""
        import numpy as np

        hands = [hand for hand in bits(node.alive[self.seat]) if reached[hand]]
        parts = self.policy.parts(node, base, hands)
        found = []
        for branch, then, _ in self.policy.numbers(node, base):
            moved = np.zeros(len(reached))
            for hand, part in parts[branch.option].items():
                moved[hand] = reached[hand] * part / GRAIN
            found.append((branch.then, then, moved))
        return found

    def _lose(self, node: Node, base: int, reached: Any) -> Any:
        """The values of the other player's hands; stores the loss of each of their options."""
        import numpy as np

        if node.payoffs >= 0:
            return self.values[node.payoffs] @ reached
        hands = len(self.game.hands[1 - self.seat])
        if node.table.seat == self.seat:
            total = np.zeros(hands)
            for after, then, moved in self._moved(node, base, reached):
                if moved.any():
                    total += self._lose(after, then, moved)
            return total
        gains = []
        for branch, then, places in self.policy.numbers(node, base):
            gain, takes = np.full(hands, -np.inf), list(places)
            gain[takes] = self._lose(branch.then, then, reached)[takes]
            gains.append(gain)
        best = np.max(gains, axis=0)
        best[np.isinf(best)] = 0
        self.lost[base] = [best - gain for gain in gains]
        return best

    def _unfold(
        self, node: Node, base: int, at: tuple[list[int], list[int]], reached: Any, lost: Any
    ) -> None:
        """Add what follows a history; `lost` is what each of the other's hands has lost so far."""
        if self.large:
            return
        if node.payoffs >= 0:
            self._end(node, at, reached, lost)
        elif node.table.seat == self.seat:
            self._own(node, base, at, reached, lost)
        else:
            self._other(node, base, at, reached, lost)

    def _own(
        self, node: Node, base: int, at: tuple[list[int], list[int]], reached: Any, lost: Any
    ) -> None:
        side, after = self.sides[self.seat], self._moved(node, base, reached)
        numbers = list(self.policy.numbers(node, base))
        then = [list(at[self.seat]) for _ in after]
        for hand in bits(node.alive[self.seat]):
            mine = [k for k, (_, _, moved) in enumerate(after) if moved[hand]]
            if mine:
                menu = tuple(node.table.menu[numbers[k][0].option] for k in mine)
                own = side.add((hand, base), menu, at[self.seat][hand])
                for k, sequence in zip(mine, own.sequences, strict=True):
                    then[k][hand] = sequence
                    self.places[sequence] = numbers[k][2][hand]
                    self.floats.append(float(after[k][2][hand]))
        for mine_after, (node_after, base_after, moved) in zip(then, after, strict=True):
            if moved.any():
                both = (at[0], mine_after) if self.seat else (mine_after, at[1])
                self._unfold(node_after, base_after, both, moved, lost)

    def _other(
        self, node: Node, base: int, at: tuple[list[int], list[int]], reached: Any, lost: Any
    ) -> None:

        other = 1 - self.seat
        side, losses = self.sides[other], [lost + more for more in self.lost[base]]
        numbers = list(self.policy.numbers(node, base))
        then = [list(at[other]) for _ in numbers]
        for hand in bits(node.alive[other]):
            good = [k for k, each in enumerate(losses) if each[hand] <= self.near]
            if good:
                menu = tuple(node.table.menu[numbers[k][0].option] for k in good)
                own = side.add((hand, base), menu, at[other][hand])
                for k, sequence in zip(good, own.sequences, strict=True):
                    then[k][hand] = sequence
        for theirs, (branch, after, _), each in zip(then, numbers, losses, strict=True):
            if (each <= self.near).any():
                both = (theirs, at[1]) if self.seat else (at[0], theirs)
                self._unfold(branch.then, after, both, reached, each)

    def _end(self, node: Node, at: tuple[list[int], list[int]], reached: Any, lost: Any) -> None:
        payoffs, weights = self.game.payoffs[node.payoffs], self.game.weights
        there = [list(reached > 0), list(lost <= self.near)]
        one, two = there[:: -1 if self.seat else 1]
        for x in bits(node.alive[0]):
            for y in bits(node.alive[1]):
                if one[x] and two[y] and (weight := weights[x][y]):
                    pair = at[0][x], at[1][y]
                    self.ends[pair] = self.ends.get(pair, 0) + weight
                    self.pays[pair] = self.pays.get(pair, 0) + weight * payoffs[x][y]
