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

*Exact policies from the averages.* A policy need be exact only where the other player plays nearly
optimally. There the options used, and the nearly best replies, are few. They form a small sequence
form, whose equations `exact_plan` solves. Elsewhere any policy near the average will do, because
the other player loses by going there. An exact best reply over the whole tree proves the result.

*Why a second method.* The linear program (`equilibria`) takes minutes for 150,000 sequences. Liar's
Dice with two dice against one and wild ones has 1,151,493. Its value, 7/27, is found and proved
here in 36 s of one core.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sevenout.budgets.estimates import afford, allowed
from sevenout.extras import compiled, require
from sevenout.rolling.distribution import sum_by_key
from sevenout.solving.equilibria import SequenceForm, best_reply, exact_plan
from sevenout.solving.public_tree import Branch, HandsForm, Node, Sequences, Undominated, bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAIN = 1 << 20
"""The denominator of rounded shares."""


class ExactPolicy:
    """A player's policy in fractions, and the best reply to it.

    Attributes:
        matching: the averages.
        seat: of the player.
        least: smaller shares of the average are left out.
        plan: the exact probability of the player's own moves, by place; elsewhere the average is
            rounded.
    """

    def __init__(
        self,
        matching: "Matching",
        seat: int,
        least: float = 0.0,
        plan: Mapping[int, Fraction] | None = None,
    ) -> None:
        self.matching, self.seat, self.least, self.plan = matching, seat, least, plan or {}

    def parts(self, node: Node, base: int, hands: Iterable[int]) -> dict[int, dict[int, int]]:
        """By option and hand, the rounded average in parts of `GRAIN`."""
        numbers = {b.option: places for b, _, places in self.matching.numbers(node, base)}
        parts: dict[int, dict[int, int]] = {option: {} for option in numbers}
        for hand in hands:
            shares = {
                option: float(self.matching.totals[places[hand]])
                for option, places in numbers.items()
                if hand in places
            }
            least = self.least * sum(shares.values())
            shares = {option: x for option, x in shares.items() if x >= least} if least else shares
            whole = sum(shares.values())
            # A hand that the averages never reach takes its first option whole.
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
        numbers = self.matching.numbers(node, base)
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
        opening = [Fraction(1)] * len(self.matching.game.hands[self.seat])
        replies = self.reply(self.matching.tree.root, 0, opening)
        return sum(replies.values(), Fraction(0))

    def reply(self, node: Node, base: int, reached: list[Fraction]) -> dict[int, Fraction]:
        """The value of best replies from a history on, for each hand of the other player.

        Values are those to that player, times the probability of the deal and the policy's moves.
        """
        depth = self.matching.depth[id(node)]
        # Each move divides by at most GRAIN, so all weights on the way are whole in this unit.
        unit = lcm(*(x.denominator for x in (*self.plan.values(), *reached))) * GRAIN**depth
        weights = {hand: int(x * unit) for hand, x in enumerate(reached) if x}
        whole = unit * self.matching.game.total * self.matching.game.scale
        return {
            hand: Fraction(x, whole) for hand, x in self.replied(node, base, weights, unit).items()
        }

    def replied(
        self,
        node: Node,
        base: int,
        weights: dict[int, int],
        unit: int,
        lost: dict[int, list[dict[int, float]]] | None = None,
    ) -> dict[int, int]:
        """The same, with values and weights in units.

        `lost` takes, by base of the other player's choices, what each option loses, by hand.
        """
        if node.payoffs >= 0:
            return self._shown(node, weights)
        if node.table.seat == self.seat:
            total = dict.fromkeys(bits(node.alive[1 - self.seat]), 0)
            for branch, then, moved in self.moved(node, base, weights, unit):
                # Where the policy never gets, every reply is worth nothing: most of the tree.
                if moved:
                    for hand, x in self.replied(branch.then, then, moved, unit, lost).items():
                        total[hand] += x
            return total
        options = []
        gains: dict[int, int] = {}
        for branch, after, places in self.matching.numbers(node, base):
            values = self.replied(branch.then, after, weights, unit, lost)
            options.append({hand: values[hand] for hand in places})
            for hand, x in options[-1].items():
                if hand not in gains or x > gains[hand]:
                    gains[hand] = x
        if lost is not None:
            whole = unit * self.matching.game.total * self.matching.game.scale
            lost[base] = [
                {hand: (gains[hand] - x) / whole for hand, x in values.items()}
                for values in options
            ]
        return gains

    def _shown(self, node: Node, weights: dict[int, int]) -> dict[int, int]:
        """The payoffs of the other player's hands at an end."""
        game = self.matching.game
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

    def moved(
        self, node: Node, base: int, weights: dict[int, int], unit: int
    ) -> Iterator[tuple[Branch, int, dict[int, int]]]:
        """The options of the player: each with the base of what follows, and the weights of hands
        that take it.
        """
        parts = self.parts(node, base, weights)
        numbers = self.matching.numbers(node, base)
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
            yield branch, then, moved


LEAST_SHARES = (1e-3, 1e-4, 1e-5)
"""Smaller shares of an average are dropped as remnants of early rounds."""
TIGHT = (1, 10, 100)
"""Replies that lose less than this many widths of the interval count as best."""
NEARNESS = (1e-3, 1e-4, 1e-5, 1e-6)
"""Thresholds for 0 in the averages, in the order tried."""
LARGE = 20_000
"""The most sequences of a form to solve."""


def exact_policies(matching: "Matching") -> tuple[ExactPolicy, ExactPolicy] | None:
    """Policies in fractions near the averages, both with the same value; None if none are found.

    >>> import sevenout as so
    >>> from sevenout.solving.public_tree import HandsGame
    >>> from sevenout.solving.regret_matching import Matching
    >>> from sevenout.solving.public_tree import Undominated
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> one, two = exact_policies(Matching(Undominated(game)))
    >>> one.gives, two.gives
    (Fraction(1, 18), Fraction(-1, 18))
    """
    best: dict[int, ExactPolicy] = {}
    # Either player's policy may be found by one threshold, and the other's by another.
    for least in LEAST_SHARES:
        for seat in (0, 1):
            for policy in _exact(matching, seat, least):
                if seat not in best or policy.gives < best[seat].gives:
                    best[seat] = policy
                if len(best) == 2 and best[0].gives == -best[1].gives:
                    return best[0], best[1]
    return None


def _exact(matching: "Matching", seat: int, least: float) -> Iterator[ExactPolicy]:
    """Policies that are exact where the other player loses little."""
    narrowed = Narrowed(ExactPolicy(matching, seat, least))
    width = 2 * float(matching.bound)
    for near in (times * width for times in TIGHT):
        form = narrowed.form(near)
        # A wider tolerance only makes the form larger.
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
            yield ExactPolicy(matching, seat, least, exact)


class Narrowed:
    """The part of the tree where a policy must be exact, as a sequence form.

    Attributes:
        policy: the player's average.
        seat: of the player.
        game: the hands, tables and payoffs.
        unit: of the weights of their hands.
        hands_form: the sequence form that is filled.
        near: the least loss of an option that is left out.
        lost: by base of the other player's choices, what each option loses, by hand.
        floats: for each sequence of the player, roughly the probability of their own moves.
        places: of the number of each of their sequences.
    """

    def __init__(self, policy: ExactPolicy) -> None:
        self.policy, self.seat, self.game = policy, policy.seat, policy.matching.game
        root = policy.matching.tree.root
        self.unit = GRAIN ** policy.matching.depth[id(root)]
        self.lost: dict[int, list[dict[int, float]]] = {}
        policy.replied(root, 0, self._opening, self.unit, self.lost)

    @property
    def _opening(self) -> dict[int, int]:
        """The weight of each hand of the player before any move."""
        return dict.fromkeys(range(len(self.game.hands[self.seat])), self.unit)

    def form(self, near: float) -> SequenceForm | None:
        """The sequence form, with replies that lose less than `near`; None if it is large."""
        self.near, self.hands_form = near, HandsForm(self.game, ("first", "second"))
        self.floats, self.places = [1.0], dict[int, int]()
        lost = dict.fromkeys(range(len(self.game.hands[1 - self.seat])), 0.0)
        root = self.policy.matching.tree.root
        self._unfold(root, 0, self.hands_form.opening, self._opening, lost)
        return None if self.large else self.hands_form.form()

    @property
    def large(self) -> bool:
        """Whether there are too many sequences to solve."""
        return sum(side.size for side in self.hands_form.sides) > LARGE

    def _unfold(
        self,
        node: Node,
        base: int,
        sequences: Sequences,
        reached: dict[int, int],
        lost: dict[int, float],
    ) -> None:
        """Add what follows a history; `lost` is what each of the other's hands has lost so far."""
        if self.large:
            return
        if node.payoffs < 0:
            choose = self._own if node.table.seat == self.seat else self._other
            choose(node, base, sequences, reached, lost)
            return
        own = [hand for hand in bits(node.alive[self.seat]) if hand in reached]
        other = [hand for hand in bits(node.alive[1 - self.seat]) if lost[hand] <= self.near]
        self.hands_form.end(node, sequences, (other, own) if self.seat else (own, other))

    def _own(
        self,
        node: Node,
        base: int,
        sequences: Sequences,
        reached: dict[int, int],
        lost: dict[int, float],
    ) -> None:
        """Add the options that the policy takes."""
        after = list(self.policy.moved(node, base, reached, self.unit))
        places = [places for _, _, places in self.policy.matching.numbers(node, base)]
        menu = [node.table.menu[branch.option] for branch, _, _ in after]
        takes = {
            hand: [k for k, (_, _, moved) in enumerate(after) if hand in moved]
            for hand in bits(node.alive[self.seat])
        }
        then = self.hands_form.choose(self.seat, sequences, menu, takes, lambda hand: (hand, base))
        for hand, options in takes.items():  # in the order in which sequences were made
            for k in options:
                self.places[then[k][self.seat][hand]] = places[k][hand]
                self.floats.append(after[k][2][hand] / self.unit)
        for sequences_after, (branch, base_after, moved) in zip(then, after, strict=True):
            if moved:
                self._unfold(branch.then, base_after, sequences_after, moved, lost)

    def _other(
        self,
        node: Node,
        base: int,
        sequences: Sequences,
        reached: dict[int, int],
        lost: dict[int, float],
    ) -> None:
        """Add the options that lose the other player little."""
        seat = 1 - self.seat
        losses = [
            {hand: lost[hand] + more for hand, more in by_hand.items()}
            for by_hand in self.lost[base]
        ]
        numbers = self.policy.matching.numbers(node, base)
        menu = [node.table.menu[branch.option] for branch, _, _ in numbers]
        takes = {
            hand: [k for k, loss in enumerate(losses) if loss.get(hand, math.inf) <= self.near]
            for hand in bits(node.alive[seat])
        }
        then = self.hands_form.choose(seat, sequences, menu, takes, lambda hand: (hand, base))
        for sequences_after, (branch, after, _), loss in zip(then, numbers, losses, strict=True):
            if any(x <= self.near for x in loss.values()):
                self._unfold(branch.then, after, sequences_after, reached, loss)


NARROW = 1e-4
"""Matching stops at this half-width of the interval, times the largest payoff."""
ROUNDS = 20_000
CHECKED = 20
"""Rounds between computations of the interval."""
SETTLED = (1e-4, 1e-5)
"""Half-widths of the interval at which exact policies are tried."""
FINER = (1e-4, 1e-5, 1e-6, 1e-7)
"""The same, if exact policies are asked for."""
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
        game: the hands, tables and payoffs.
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
    >>> from sevenout.solving.public_tree import HandsGame
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> found = Matching(Undominated(game))
    >>> found.low < so.best(so.games("kuhn")).value < found.high
    True
    >>> found.bound < 1e-3
    True

    Attributes:
        tree: the undominated options.
        game: their hands, tables and payoffs.
        layout: the tree as records.
        size, depth: of each node by its identity, the numbers and the most moves from there on.
        totals: by history, option and hand, the unnormalized average.
        largest: the largest payoff in size.
        rounds: of matching so far.
        low, high: the proved interval of the value to the first player.
        exact: policies in fractions with the same value, if found.

    Raises:
        MissingError: numba or NumPy is not installed.
        TooMuchWorkError: the numbers exceed the memory budget.
    """

    def __init__(self, tree: Undominated) -> None:
        require("numba", "fast")  # in plain Python a round takes minutes
        self.tree, self.game = tree, tree.game
        # Refused before any array is made: a game too large would fill the memory first.
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
        # The rest of the budget is for the exact policies and the pages.
        self._ends = process_time() + SHARE * allowed().seconds
        self.narrow(NARROW)

    def narrow(self, width: float) -> bool:
        """Match until the bound is `width` of the largest payoff; False if time or rounds run
        out.
        """
        for turn in range(self.rounds + 1, ROUNDS + 1):
            # Discounted regret matching with the authors' exponents: 3/2 for gains, 0 for losses,
            # which keeps half of them, and 2 for the average.
            discount = (turn - 1) ** 1.5 / ((turn - 1) ** 1.5 + 1)
            for seat in (0, 1):
                self._walk(self.layout.top, 0, seat, weights=(float(turn) ** 2, discount, 0.5))
            self.rounds = turn
            late = process_time() > self._ends
            # A proof takes about as long as a round.
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
            # Time is up: a narrower interval won't be reached either.
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
        numbers = {
            branch.option: {
                hand: Fraction(float(self.totals[place])) for hand, place in places.items()
            }
            for branch, _, places in self.numbers(node, base)
        }
        totals = sum_by_key(pair for by_hand in numbers.values() for pair in by_hand.items())
        many = {hand: sum(hand in by_hand for by_hand in numbers.values()) for hand in totals}
        return {
            option: {
                hand: number / totals[hand] if totals[hand] else Fraction(1, many[hand])
                for hand, number in by_hand.items()
            }
            for option, by_hand in numbers.items()
        }

    def numbers(self, node: Node, base: int) -> list[tuple[Branch, int, dict[int, int]]]:
        """The options taken: each with the base of what follows, and each hand's place."""
        taken = [branch for branch in node.branches if branch.hands]
        then, numbers = base + sum(branch.hands.bit_count() for branch in taken), []
        for branch in taken:
            places = {hand: base + k for k, hand in enumerate(bits(branch.hands))}
            numbers.append((branch, then, places))
            base += len(places)
            then += self.size[id(branch.then)]
        return numbers

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
                for branch, then, _ in self.numbers(node, base)
            }
        other = [float(reached[hand]) for hand in bits(node.alive[1 - seat])]
        values = {}
        for branch, then, places in self.numbers(node, base):
            gains = self._walk(self.layout.place[id(branch.then)], then, seat, other)
            values[branch.option] = dict(zip(places, map(Fraction, gains.tolist()), strict=True))
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
    weight, discount, owed = weights
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
            # Best replies begin below every value; sums begin with 0.
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
                is_walking = total > 0  # else neither player's policy gets there
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
                    # Regrets are of the average over options, so they must wait for all branches.
                    regrets[numbers + q] = old * (discount if old > 0 else owed) + regret
                gain += count
                place += count + HEAD
        depth -= 1
