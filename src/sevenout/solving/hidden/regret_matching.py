"""Regret matching on the tree of undominated options, with a proved interval.

Every hand keeps its regret for each option at each history, and plays in proportion to the positive
ones (Zinkevich and others 2008). Old regrets are discounted, and later policies weigh more in the
average (Brown and Sandholm 2019). The averages approach an equilibrium; best replies over the whole
tree prove how closely. Each hand and move of a history takes 8 bytes.

`walk` is the one loop: it goes through the tree depth first, for one player's hands against the
other's policy. It is a plain function of arrays, compiled by numba; a frame of its stack stands for
a call. Histories that share a table share a record in `code`:

- At an end: 2, hands of the first player, of the second, matrix for the first, for the second.
- Elsewhere: seat, hands of the first player, of the second, branches. Then by branch: hands that
  take it, the next record, its numbers, those of the next record, each hand.

Numbers are offsets from those of the record itself.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.budgets.estimates import afford, allowed
from sevenout.extras import compiled, needs
from sevenout.solving.hidden.exact_policies import exact_policies
from sevenout.solving.hidden.public_tree import Node, Undominated, bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sevenout.solving.hidden.exact_policies import ExactPolicy

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
END, HEAD = 2, 4
"""The first number of a record at an end; the numbers of a record before its branches, and of a
branch before its hands.
"""
LEAST = float("-inf")
FRAME = 10
"""The numbers of a frame: record, base, places of own and other shares and of values. Then first
free place, branch, branches left, place of the branch's values, first place after all of them.
"""


class HandsTree(NamedTuple):
    """The arrays that `walk` goes through.

    Attributes:
        code: the records.
        matrices: the payoffs at ends, by columns.
        regrets: by history, option and hand.
        totals: the same, of the unnormalized average.
    """

    code: "NDArray[np.int32]"
    matrices: "NDArray[np.float64]"
    regrets: "NDArray[np.float32]"
    totals: "NDArray[np.float32]"


class Layout:
    """The tree as records and matrices for `walk`.

    Attributes:
        code, matrices: as in `HandsTree`.
        place: of the record of each node, by its identity.
        size: the numbers from each node on.
        depth: the most moves from each node on.
        widest: the most branches of a node.
        top: the record of the root.
    """

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
    >>> from sevenout.solving.hidden.public_tree import HandsGame
    >>> from sevenout.rules.hidden_hands import LateDeal
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
        MissingError: numba or NumPy is not installed.
        TooMuchWorkError: the numbers exceed the memory budget.
    """

    def __init__(self, tree: Undominated) -> None:
        needs("numpy")
        needs("numba", "fast")  # in plain Python a round takes minutes
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
        self.size, self.depth = self.layout.size, self.layout.depth
        self._tree = HandsTree(
            np.array(self.layout.code, np.int32),
            np.array(self.layout.matrices),
            np.zeros(count, np.float32),
            np.zeros(count, np.float32),
        )
        self.totals = self._tree.totals
        most, depth = max(map(len, self.game.hands)), self.layout.depth[id(tree.root)] + 2
        # the values of all branches, and shares, their sum and two tables of factors
        self._work = np.zeros((most * (self.layout.widest + 6) + 1) * (depth + 1))
        self._stack = np.zeros((depth, FRAME), np.int64)
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
        for turn in range(self.rounds + 1, ROUNDS + 1):
            kept = (turn - 1) ** 1.5 / ((turn - 1) ** 1.5 + 1)
            for seat in (0, 1):
                self._walk(self.layout.top, 0, seat, weights=(float(turn) ** 2, kept, 0.5))
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

    def _walk(
        self,
        record: int,
        base: int,
        seat: int,
        other: Sequence[float] | None = None,
        weights: tuple[float, float, float] | None = None,
    ) -> "NDArray[np.float64]":
        """The value of each hand of a seat from a record on; match its regrets if there are
        `weights`.

        Args:
            record: where to start.
            base: of its numbers.
            seat: the player whose hands are valued.
            other: the shares with which the other's hands get there; 1 by default.
            weights: of this round in the average, and of old regrets above and below 0; without
                them, the reply to the averages is the best.
        """
        code, work = self._tree.code, self._work
        mine, yours = int(code[record + 1 + seat]), int(code[record + 2 - seat])
        work[:mine] = 1.0
        work[mine : mine + yours] = 1.0 if other is None else other
        values = mine + yours
        self._stack[0] = (record, base, 0, mine, values, values + mine, 0, 0, 0, 0)
        is_matching = weights is not None
        places = self._stack, work
        compiled(walk)(self._tree, places, seat, weights or (0.0, 0.0, 0.0), is_matching)
        return work[values : values + mine]

    def _prove(self) -> None:
        """Compute the best replies, and a bound on their rounding.

        A share is a quotient whose divisor sums at most one term per option, and a factor of a
        product along each history. These are multiplied by payoffs and added; the absolute values
        add up to at most the largest payoff. Twice the first-order sum of the roundings bounds all
        orders.
        """
        most = []
        for seat in (0, 1):
            most.append(float(self._walk(self.layout.top, 0, seat).sum()))
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
            base += self.size[id(branch.then)]
        return found

    def replies(
        self, node: Node, base: int, reached: Sequence[float | Fraction]
    ) -> dict[int, dict[int, Fraction]]:
        """By option, the value of best replies from there on, for each hand that may take it.

        Values are those to the mover, times the probability of the deal and of the other's moves.
        """
        seat = node.table.seat
        if self.exact is not None:
            policy, exact = self.exact[1 - seat], [Fraction(x) for x in reached]
            return {
                branch.option: policy.reply(branch.then, then, exact)
                for branch, then, _ in policy.numbers(node, base)
            }
        other = [float(reached[hand]) for hand in bits(node.alive[1 - seat])]
        bases, values = self.after(node, base), {}
        for branch in node.branches:
            if branch.hands:
                record = self.layout.place[id(branch.then)]
                gains = self._walk(record, bases[branch.option], seat, other)
                hands = zip(bits(branch.hands), map(Fraction, gains.tolist()), strict=True)
                values[branch.option] = dict(hands)
        return values


def walk(tree: Any, places: Any, seat: Any, weights: Any, is_matching: Any) -> None:
    """The value of each hand of a seat: matching regrets, or with the best reply to the averages.

    `places` are the stack and the numbers that its frames point to. A node's frame says where its
    own shares, the other's and its values are. From the free place on come numbers by hand: a
    factor and a summand that turn a number into a share, and the shares that go down a branch. Then
    come their sum and the values of the branches.
    """
    stack, work = places
    code, matrices, regrets, totals = tree
    weight, kept, owed = weights
    table = regrets if is_matching else totals
    depth = 0
    while depth >= 0:
        record, base = stack[depth, 0], stack[depth, 1]
        own, other, out = stack[depth, 2], stack[depth, 3], stack[depth, 4]
        free, place = stack[depth, 5], stack[depth, 6]
        mover, mine = code[record], code[record + 1 + seat]
        if mover == END:  # the matrix, stored by columns, times the other's shares
            matrix = code[record + 3 + seat]
            for i in range(mine):
                work[out + i] = 0.0
            for j in range(code[record + 2 - seat]):
                share = work[other + j]
                if share != 0.0:
                    for i in range(mine):
                        work[out + i] += matrices[matrix + j * mine + i] * share
            depth -= 1
            continue
        movers = code[record + 1 + mover]
        plus, down = free + movers, free + 2 * movers
        gains = down + movers + 1
        is_own = mover == seat
        if place == 0:  # the node is entered
            start = LEAST if is_own and not is_matching else 0.0
            for i in range(mine):
                work[out + i] = start
            for i in range(2 * movers):
                work[free + i] = 0.0
            place, filled = record + HEAD, 0
            for _ in range(code[record + 3]):
                numbers = base + code[place + 2]
                for q in range(code[place]):
                    hand = code[place + HEAD + q]
                    work[free + hand] += max(table[numbers + q], 0.0)
                    work[plus + hand] += 1.0
                filled += code[place]
                place += code[place] + HEAD
            for i in range(movers):
                total = work[free + i]
                work[plus + i] = 0.0 if total > 0 else 1.0 / work[plus + i]
                work[free + i] = 1.0 / total if total > 0 else 0.0
            total = 0.0
            if not is_own:
                for i in range(mine):
                    total += work[own + i]
            work[gains - 1] = total
            place = record + HEAD
            stack[depth, 7] = code[record + 3]
            stack[depth, 8] = gains
            stack[depth, 9] = gains + (filled if is_own and is_matching else max(movers, mine))
        else:  # a branch was walked
            count, numbers, gain = code[place], base + code[place + 2], stack[depth, 8]
            if not is_own:
                for i in range(mine):
                    work[out + i] += work[gain + i]
            elif is_matching:
                for q in range(count):
                    hand = code[place + HEAD + q]
                    number = max(regrets[numbers + q], 0.0)
                    share = number * work[free + hand] + work[plus + hand]
                    work[out + hand] += share * work[gain + q]
                stack[depth, 8] += count
            else:
                for q in range(count):
                    hand = code[place + HEAD + q]
                    work[out + hand] = max(work[out + hand], work[gain + q])
            place += count + HEAD
            stack[depth, 7] -= 1
        is_walking = False
        while stack[depth, 7] > 0 and not is_walking:
            count, numbers = code[place], base + code[place + 2]
            is_walking, own_below, other_below = True, own, other
            if not is_own:
                other_below, total = down, work[gains - 1]
                for q in range(count):
                    hand = code[place + HEAD + q]
                    number = max(table[numbers + q], 0.0)
                    share = number * work[free + hand] + work[plus + hand]
                    work[down + q] = work[other + hand] * share
                    total += work[down + q]
                is_walking = total > 0  # neither player's policy gets there
            elif is_matching:
                own_below = down
                for q in range(count):
                    hand = code[place + HEAD + q]
                    number = max(regrets[numbers + q], 0.0)
                    share = number * work[free + hand] + work[plus + hand]
                    work[down + q] = work[own + hand] * share
                    totals[numbers + q] += weight * work[down + q]
            if is_walking:
                stack[depth + 1, 0] = code[place + 1]
                stack[depth + 1, 1] = base + code[place + 3]
                stack[depth + 1, 2] = own_below
                stack[depth + 1, 3] = other_below
                stack[depth + 1, 4] = stack[depth, 8]
                stack[depth + 1, 5] = stack[depth, 9]
                stack[depth + 1, 6] = 0
            else:
                place += count + HEAD
                stack[depth, 7] -= 1
        if is_walking:
            stack[depth, 6] = place
            depth += 1
            continue
        if is_own and is_matching:
            place, gain = record + HEAD, gains
            for _ in range(code[record + 3]):
                count, numbers = code[place], base + code[place + 2]
                for q in range(count):
                    old, hand = regrets[numbers + q], code[place + HEAD + q]
                    regret = work[gain + q] - work[out + hand]
                    regrets[numbers + q] = old * (kept if old > 0 else owed) + regret
                gain += count
                place += count + HEAD
        depth -= 1
