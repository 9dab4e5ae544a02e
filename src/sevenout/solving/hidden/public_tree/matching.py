"""Regret matching on the tree of undominated options, with a proved interval.

Every hand keeps its regret for each option at each history, and plays in proportion to the positive
ones (Zinkevich and others 2008). Old regrets are discounted, and later policies weigh more in the
average (Brown and Sandholm 2019). The averages approach an equilibrium; best replies over the whole
tree prove how closely.

Each hand and move of a history takes 8 bytes.
"""

import ctypes
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from time import process_time
from typing import TYPE_CHECKING, Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.extras import needs
from sevenout.solving.hidden.public_tree.hand_kernel import END, MATCH, REPLY, match, reply
from sevenout.solving.hidden.public_tree.narrowed import exact_policies
from sevenout.solving.hidden.public_tree.undominated import Node, Undominated, bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.solving.hidden.public_tree.exact_averages import ExactPolicy

NARROW = 1e-4
"""Matching stops at this half-width of the interval, times the largest payoff."""
ROUNDS = 20_000
CHECKED = 20
"""Rounds between computations of the interval."""
SETTLED = (1e-4, 1e-5)
"""Half-widths of the interval at which exact policies are tried."""
SHARE = 0.75
"""The part of the budget used if the interval stays wider."""
ENOUGH = 8e-6
"""Seconds per hand and move for an interval of about 1e-3."""
ROUNDING = 2.0**-53


class Layout:
    """The tree as an array for the compiled walk; see `hand_kernel`."""

    def __init__(self, tree: Undominated) -> None:
        self.game = tree.game
        self.code: list[int] = []
        self.matrices: list[float] = []
        self.place: dict[int, int] = {}
        self.size: dict[int, int] = {}
        self.depth: dict[int, int] = {}
        self.widest = 0
        self.top = self._lay(tree.root)

    def _lay(self, node: Node) -> int:
        key = id(node)
        if key not in self.place:
            record = self._end(node) if node.payoffs >= 0 else self._move(node)
            self.place[key] = len(self.code)
            self.code += record
        return self.place[key]

    def _end(self, node: Node) -> list[int]:
        game, payoffs = self.game, self.game.payoffs[node.payoffs]
        one, two = (list(bits(alive)) for alive in node.alive)
        unit = game.scale * game.total
        value = [[game.weights[x][y] * payoffs[x][y] / unit for y in two] for x in one]
        start = len(self.matrices)
        self.matrices += [row[k] for k in range(len(two)) for row in value]
        self.matrices += [-x for row in value for x in row]
        self.size[id(node)] = self.depth[id(node)] = 0
        return [END, len(one), len(two), start, start + len(one) * len(two)]

    def _move(self, node: Node) -> list[int]:
        taken = [branch for branch in node.branches if branch.hands]
        hands = {hand: k for k, hand in enumerate(bits(node.alive[node.table.seat]))}
        after = [self._lay(branch.then) for branch in taken]
        record = [node.table.seat, *(alive.bit_count() for alive in node.alive), len(taken)]
        numbers, base = 0, sum(branch.hands.bit_count() for branch in taken)
        for branch, then in zip(taken, after, strict=True):
            takes = [hands[hand] for hand in bits(branch.hands)]
            record += [len(takes), then, numbers, base, *takes]
            numbers += len(takes)
            base += self.size[id(branch.then)]
        self.size[id(node)] = base
        self.depth[id(node)] = 1 + max(self.depth[id(branch.then)] for branch in taken)
        self.widest = max(self.widest, len(taken))
        return record


class Matching:
    """Average policies of both players, and the interval they prove.

    >>> import sevenout as so
    >>> from sevenout.solving.hidden.public_tree.hands_game import HandsGame
    >>> from sevenout.rules.families.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> found = Matching(Undominated(game))
    >>> found.low < so.best(so.games("kuhn")).value < found.high
    True
    >>> found.bound < 1e-3
    True

    Attributes:
        totals: by history, option and hand, the unnormalized average.
        exact: policies in fractions with the same value, if found.

    Raises:
        MissingError: llvmlite or NumPy is not installed.
        TooMuchWorkError: the numbers exceed the memory budget.
    """

    def __init__(self, tree: Undominated) -> None:
        needs("numpy")
        needs("llvmlite", "fast")
        import numpy as np

        self.tree, self.game = tree, tree.game
        count = tree.root.sequences
        enough, instead = math.ceil(ENOUGH * count / 100) * 100, "take fewer dice or sides"
        if 9 * count <= allowed().memory:
            how = f"--budget {enough} (in Python, so.budget(seconds={enough}))"
            instead += f", write {how} for an interval of about 1e-3"
        afford(
            f"the policies of {count:,} hands and moves",
            seconds=count * 1e-6,
            memory=9 * count,
            instead=instead,
        )
        self.layout = Layout(tree)
        self._code = np.array(self.layout.code, np.int32)
        self._matrices = np.array(self.layout.matrices)
        self._regrets = np.zeros(count, np.float32)
        self.totals = np.zeros(count, np.float32)
        self._all = [np.ones(len(hands)) for hands in self.game.hands]
        widest = max(map(len, self.game.hands)) * (self.layout.widest + 6)
        self._work = np.zeros(widest * (self.layout.depth[id(tree.root)] + 2))
        self.largest = (
            max(abs(x) for matrix in self.game.payoffs for row in matrix for x in row)
            / self.game.scale
        )
        self.rounds = 0
        self.exact: tuple[ExactPolicy, ExactPolicy] | None = None
        self._ends = process_time() + SHARE * allowed().seconds
        self.narrow(NARROW)

    def narrow(self, width: float) -> bool:
        """Match until the bound is `width` of the largest payoff; False if time or rounds run
        out.
        """
        import numpy as np

        out = [np.zeros(len(hands)) for hands in self.game.hands]
        for turn in range(self.rounds + 1, ROUNDS + 1):
            kept = (turn - 1) ** 1.5 / ((turn - 1) ** 1.5 + 1)
            for seat in (0, 1):
                weights = float(turn) ** 2, kept, 0.5
                at = self.layout.top, 0, seat
                self._call(MATCH, at, self._all[1 - seat], out[seat], weights)
            self.rounds = turn
            late = process_time() > self._ends
            if turn % CHECKED == 0 or late:
                self._prove()
                if self.bound <= width * self.largest:
                    return True
                if late:
                    return False
        return False

    def settle(self, widths: Iterable[float] = SETTLED) -> bool:
        """Look for exact policies near the averages at these half-widths; whether they were
        found.
        """
        for width in widths:
            if self.bound > width * self.largest and not self.narrow(width):
                break
            self.exact = exact_policies(self)
            if self.exact is not None:
                self.low = self.high = self.exact[1].gives
                return True
        return False

    def _call(
        self,
        name: str,
        at: tuple[int, int, int],
        other: "NDArray[Any]",
        out: "NDArray[Any]",
        weights: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        """Walk from a record: its place, its base, the player's seat."""
        numbers = self._code, self._matrices, self._regrets, self.totals
        arrays = *numbers, self._all[at[2]], other, out, self._work
        _kept(name)[0](*(array.ctypes.data for array in arrays), *at, *weights)

    def _prove(self) -> None:
        """Compute the best replies, and a bound on their rounding.

        A share is a quotient whose divisor sums at most one term per option, and a factor of a
        product along each history. These are multiplied by payoffs and added; the absolute values
        add up to at most the largest payoff. Twice the first-order sum of the roundings bounds all
        orders.
        """
        import numpy as np

        most = []
        for seat, hands in enumerate(self.game.hands):
            out = np.zeros(len(hands))
            self._call(REPLY, (self.layout.top, 0, seat), self._all[1 - seat], out)
            most.append(float(out.sum()))
        depth, wide = self.layout.depth[id(self.tree.root)], self.layout.widest
        steps = depth * (2 * wide + 2) + 2 * max(map(len, self.game.hands)) + 4
        off = Fraction(2 * steps * self.largest * ROUNDING)
        self.low, self.high = -Fraction(most[1]) - off, Fraction(most[0]) + off

    @property
    def value(self) -> Fraction:
        """The middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def bound(self) -> Fraction:
        """The error bound of the value."""
        return (self.high - self.low) / 2

    def shares(self, node: Node, base: int) -> dict[int, dict[int, Fraction]]:
        """By option, the probability of each hand that may take it, at a node with this base."""
        if self.exact is not None:
            return self.exact[node.table.seat].shares(node, base)
        totals: dict[int, Fraction] = {}
        taken, at = [branch for branch in node.branches if branch.hands], base
        numbers: dict[int, dict[int, Fraction]] = {}
        for branch in taken:
            numbers[branch.option] = {}
            for hand in bits(branch.hands):
                number = Fraction(float(self.totals[at]))
                numbers[branch.option][hand] = number
                totals[hand] = totals.get(hand, Fraction(0)) + number
                at += 1
        many = {hand: sum(hand in each for each in numbers.values()) for hand in totals}
        return {
            option: {
                hand: number / totals[hand] if totals[hand] else Fraction(1, many[hand])
                for hand, number in each.items()
            }
            for option, each in numbers.items()
        }

    def after(self, node: Node, base: int) -> dict[int, int]:
        """By option taken, the base of what follows."""
        taken = [branch for branch in node.branches if branch.hands]
        base += sum(branch.hands.bit_count() for branch in taken)
        found = {}
        for branch in taken:
            found[branch.option] = base
            base += self.layout.size[id(branch.then)]
        return found

    def replies(
        self, node: Node, base: int, reached: Sequence[float | Fraction]
    ) -> dict[int, dict[int, Fraction]]:
        """By option, the value of best replies from there on, for each hand that may take it.

        Values are those to the mover, times the probability of the deal and of the other's moves.
        """
        import numpy as np

        seat = node.table.seat
        if self.exact is not None:
            policy, exact = self.exact[1 - seat], [Fraction(x) for x in reached]
            return {
                branch.option: policy.reply(branch.then, then, exact)
                for branch, then, _ in policy.numbers(node, base)
            }
        other = np.array([reached[hand] for hand in bits(node.alive[1 - seat])])
        bases, found = self.after(node, base), {}
        for branch in node.branches:
            if branch.hands:
                out = np.zeros(branch.hands.bit_count())
                at = self.layout.place[id(branch.then)], bases[branch.option], seat
                self._call(REPLY, at, other, out)
                gains = map(Fraction, out.tolist())
                found[branch.option] = dict(zip(bits(branch.hands), gains, strict=True))
        return found


@lru_cache
def _kept(name: str) -> tuple[Callable[..., None], object]:
    """A compiled walk, and the object that keeps it alive."""
    from sevenout.llvm import compiled

    module = {MATCH: match, REPLY: reply}[name]()
    pointers, numbers = [ctypes.c_void_p] * 8, [ctypes.c_int64] * 3
    return compiled(module, name, *pointers, *numbers, *[ctypes.c_double] * 3)
