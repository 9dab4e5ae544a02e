"""Regret matching on the tree of undominated options, with a proved interval.

Every hand keeps its regret for each option at each history, and plays in proportion to the positive
ones (Zinkevich and others 2008). Old regrets are discounted, and later policies weigh more in the
average (Brown and Sandholm 2019). The averages approach an equilibrium; best replies over the whole
tree prove how closely. Each hand and move of a history takes 8 bytes.

`walk` is the one loop: it goes through the tree depth first, for one player's hands against the
other's policy. It is a plain function of arrays, compiled by numba; a frame of its stack stands for
a call. Histories that share a node of the tree share a record in `code`:

- At an end: 2, hands of the first player, of the second, matrix for the first, for the second.
- Elsewhere: seat, hands of the first player, of the second, branches. Then by branch: hands that
  take it, the next record, where its numbers begin, where those of the next record begin, and each
  hand.

A *number* is the regret of a hand for an option at a history, or its share in the average: both
tables have the same places. The numbers of a history begin at its *base*, and those of the
histories after it follow. Records say where numbers begin as offsets from the base.

*Exact policies from the averages.* A policy need be exact only where the other player plays nearly
optimally. There the options used, and the nearly best replies, are few. They form a small sequence
form, whose equations `exact_plan` solves. Elsewhere any policy near the average will do, because
the other player loses by going there. An exact best reply over the whole tree proves the result.

*Why a second method.* The linear program (`equilibria`) takes minutes for 150,000 sequences. Liar's
Dice with two dice against one and wild ones has 1,151,493. Its value, 7/27, is found and proved
here in 36 s of one core.
"""

import math
from collections import Counter
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
from sevenout.solving.equilibria import ProvedInterval, SequenceForm, best_reply, exact_plan
from sevenout.solving.public_tree import HandsForm, Sequences, TreeNode, UndominatedTree, bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARE_DENOMINATOR = 1 << 20
"""The denominator of rounded shares."""


class ExactPolicy:
    """A player's behaviour strategy in fractions, and the best reply to it.

    The *replier* is the other player.

    Attributes:
        matching: the averages.
        seat: of the player.
        min_share: smaller shares of the average are left out.
        plan: by index of a number, the exact probability of the player's own moves; elsewhere the
            average is rounded.
    """

    def __init__(
        self,
        matching: "Matching",
        seat: int,
        min_share: float = 0.0,
        plan: Mapping[int, Fraction] | None = None,
    ) -> None:
        self.matching, self.seat, self.min_share = matching, seat, min_share
        self.plan = plan or {}

    def rounded_average(
        self, branches: "Sequence[TakenBranch]", hands: Iterable[int]
    ) -> dict[int, dict[int, int]]:
        """By option and hand, the average in parts of 1/`SHARE_DENOMINATOR`."""
        parts_by_option: dict[int, dict[int, int]] = {branch.option: {} for branch in branches}
        for hand in hands:
            shares = {
                branch.option: float(self.matching.totals[branch.indices[hand]])
                for branch in branches
                if hand in branch.indices
            }
            least = self.min_share * sum(shares.values())
            shares = {option: x for option, x in shares.items() if x >= least}
            total = sum(shares.values())
            # A hand that the averages never reach takes its first option whole.
            parts = {
                option: round(SHARE_DENOMINATOR * x / total) if total else 0
                for option, x in shares.items()
            }
            likeliest = max(shares, key=shares.__getitem__)
            parts[likeliest] += SHARE_DENOMINATOR - sum(parts.values())
            for option, part in parts.items():
                parts_by_option[option][hand] = part
        return parts_by_option

    def shares(self, node: TreeNode, base: int) -> dict[int, dict[int, Fraction]]:
        """By option, the probability of each hand that may take it."""
        branches = self.matching.taken_branches(node, base)
        parts = self.rounded_average(branches, bits(node.alive[self.seat]))
        totals = sum_by_key(
            (hand, self.plan.get(index, Fraction(0)))
            for branch in branches
            for hand, index in branch.indices.items()
        )
        return {
            branch.option: {
                hand: self.plan.get(index, Fraction(0)) / totals[hand]
                if totals[hand]
                else Fraction(parts[branch.option].get(hand, 0), SHARE_DENOMINATOR)
                for hand, index in branch.indices.items()
            }
            for branch in branches
        }

    @cached_property
    def reply_value(self) -> Fraction:
        """What the replier gets by a best reply."""
        opening = [Fraction(1)] * len(self.matching.game.hands[self.seat])
        replies = self.reply_values(self.matching.tree.root, 0, opening)
        return sum(replies.values(), Fraction(0))

    def reply_values(
        self, node: TreeNode, base: int, own_reach: list[Fraction]
    ) -> dict[int, Fraction]:
        """The counterfactual value of best replies from a history on, for each hand of the replier.

        It is the value to the replier, times the probability of the deal and of the policy's
        moves. `own_reach` is the probability of the policy's moves so far, by the player's hand.
        """
        depth = self.matching.layout.depths[id(node)]
        # Each move divides by at most the denominator, so weights on the way are whole in units.
        denominators = (x.denominator for x in (*self.plan.values(), *own_reach))
        unit = lcm(*denominators) * SHARE_DENOMINATOR**depth
        weights = {hand: int(x * unit) for hand, x in enumerate(own_reach) if x}
        whole = unit * self.matching.game.total * self.matching.game.scale
        values = self.scaled_reply_values(node, base, weights, unit)
        return {hand: Fraction(x, whole) for hand, x in values.items()}

    def scaled_reply_values(
        self,
        node: TreeNode,
        base: int,
        weights: dict[int, int],
        unit: int,
        losses: dict[int, list[dict[int, float]]] | None = None,
    ) -> dict[int, int]:
        """The same as integers, from reach probabilities times `unit`.

        If `losses` is given, it is filled: by base of the replier's choices, what each option
        loses, by hand.
        """
        if node.table.is_end:
            return self._end_values(node, weights)
        if node.table.seat == self.seat:
            total = dict.fromkeys(bits(node.alive[1 - self.seat]), 0)
            for branch, taking in self.own_branches(node, base, weights, unit):
                # Where the policy never gets, every reply has the value 0: most of the tree.
                if taking:
                    values = self.scaled_reply_values(
                        branch.node, branch.base, taking, unit, losses
                    )
                    for hand, x in values.items():
                        total[hand] += x
            return total
        options = []
        best: dict[int, int] = {}
        for branch in self.matching.taken_branches(node, base):
            values = self.scaled_reply_values(branch.node, branch.base, weights, unit, losses)
            options.append({hand: values[hand] for hand in branch.indices})
            for hand, x in options[-1].items():
                if hand not in best or x > best[hand]:
                    best[hand] = x
        if losses is not None:
            whole = unit * self.matching.game.total * self.matching.game.scale
            losses[base] = [
                {hand: (best[hand] - x) / whole for hand, x in values.items()} for values in options
            ]
        return best

    def _end_values(self, node: TreeNode, weights: dict[int, int]) -> dict[int, int]:
        """The payoffs of the replier's hands at an end."""
        game, replier = self.matching.game, 1 - self.seat
        payoffs = game.payoffs_by_seat[node.table.payoff_index][replier]
        dealt, sign = game.weights_by_seat[replier], 1 if self.seat else -1
        values = {}
        for hand in bits(node.alive[replier]):
            pairs = ((dealt[hand][own] * payoffs[hand][own], w) for own, w in weights.items())
            values[hand] = sign * sum(x * w for x, w in pairs)
        return values

    def own_branches(
        self, node: TreeNode, base: int, weights: dict[int, int], unit: int
    ) -> "Iterator[tuple[TakenBranch, dict[int, int]]]":
        """The branches of the player, each with the weights of the hands that take it."""
        branches = self.matching.taken_branches(node, base)
        parts = self.rounded_average(branches, weights)
        exact = {
            hand
            for branch in branches
            for hand, index in branch.indices.items()
            if index in self.plan
        }
        for branch in branches:
            taking = {}
            for hand, index in branch.indices.items():
                if hand in exact:
                    weight = int(self.plan.get(index, Fraction(0)) * unit)
                else:
                    part = parts[branch.option].get(hand, 0)
                    weight = weights.get(hand, 0) * part // SHARE_DENOMINATOR
                if weight:
                    taking[hand] = weight
            yield branch, taking


MIN_SHARES = (1e-3, 1e-4, 1e-5)
"""Smaller shares of an average are dropped as remnants of early rounds."""
NEARLY_BEST = (1, 10, 100)
"""Replies that lose less than this many widths of the interval count as best."""
ZERO_THRESHOLDS = (1e-3, 1e-4, 1e-5, 1e-6)
"""Thresholds for 0 in the averages, in the order tried."""
MAX_SEQUENCES = 20_000
"""The most sequences of a form to solve."""


def exact_policies(matching: "Matching") -> tuple[ExactPolicy, ExactPolicy] | None:
    """Policies in fractions near the averages, both with the same value; None if none are found.

    >>> import sevenout as so
    >>> from sevenout.solving.public_tree import HandsGame
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> one, two = exact_policies(Matching(UndominatedTree(game)))
    >>> one.reply_value, two.reply_value
    (Fraction(1, 18), Fraction(-1, 18))
    """
    best: dict[int, ExactPolicy] = {}
    # Either player's policy may be found by one threshold, and the other's by another.
    for min_share in MIN_SHARES:
        for seat in (0, 1):
            for policy in _candidates(matching, seat, min_share):
                if seat not in best or policy.reply_value < best[seat].reply_value:
                    best[seat] = policy
                if len(best) == 2 and best[0].reply_value == -best[1].reply_value:
                    return best[0], best[1]
    return None


def _candidates(matching: "Matching", seat: int, min_share: float) -> Iterator[ExactPolicy]:
    """Policies that are exact where the other player loses little."""
    restricted = RestrictedForm(ExactPolicy(matching, seat, min_share))
    width = 2 * float(matching.bound)
    for max_loss in (times * width for times in NEARLY_BEST):
        form = restricted.form(max_loss)
        # A wider tolerance only makes the form larger.
        if form is None:
            break
        sign = -1 if seat else 1
        best: tuple[Fraction, list[Fraction]] | None = None
        for threshold in ZERO_THRESHOLDS:
            plan = exact_plan(form, seat, restricted.estimates, threshold)
            if plan is None:
                continue
            value = sign * best_reply(form, plan, 1 - seat).value
            # Of equal plans the later one is kept: its threshold drops fewer options.
            if best is None or value >= best[0]:
                best = value, plan
        if best is not None:
            exact = {index: best[1][s] for s, index in restricted.indices.items()}
            yield ExactPolicy(matching, seat, min_share, exact)


class RestrictedHistory(NamedTuple):
    """A history of a restricted form.

    Attributes:
        node: what follows, in the tree.
        base: where its numbers begin.
        sequences: those that lead here, by player and hand.
        weights: by hand of the policy's player, the probability of their own moves, in units.
        losses: by hand of the replier, what the moves so far have lost.
    """

    node: TreeNode
    base: int
    sequences: Sequences
    weights: dict[int, int]
    losses: dict[int, float]


class RestrictedForm:
    """The part of the tree where a policy must be exact, as a sequence form.

    Attributes:
        policy: the player's average.
        seat: of the player.
        game: the hands, tables and payoffs.
        unit: the weight of probability 1.
        hands_form: the sequence form that is filled by `form`.
        max_loss: replies that lose more are left out.
        losses: by base of the replier's choices, what each option loses, by hand.
        estimates: for each sequence of the player, about the probability of their own moves.
        indices: by sequence of the player, the index of its number.
    """

    def __init__(self, policy: ExactPolicy) -> None:
        self.policy, self.seat, self.game = policy, policy.seat, policy.matching.game
        root = policy.matching.tree.root
        self.unit = SHARE_DENOMINATOR ** policy.matching.layout.depths[id(root)]
        self.losses: dict[int, list[dict[int, float]]] = {}
        policy.scaled_reply_values(root, 0, self._opening, self.unit, self.losses)

    @property
    def _opening(self) -> dict[int, int]:
        """The weight of each hand of the player before any move."""
        return dict.fromkeys(range(len(self.game.hands[self.seat])), self.unit)

    def form(self, max_loss: float) -> SequenceForm | None:
        """The sequence form, with replies that lose up to `max_loss`; None if it is too large."""
        self.max_loss, self.hands_form = max_loss, HandsForm(self.game, ("first", "second"))
        self.estimates, self.indices = [1.0], dict[int, int]()
        losses = dict.fromkeys(range(len(self.game.hands[1 - self.seat])), 0.0)
        root, opening = self.policy.matching.tree.root, self.hands_form.opening
        self._unfold(RestrictedHistory(root, 0, opening, self._opening, losses))
        return None if self._is_too_large else self.hands_form.form()

    @property
    def _is_too_large(self) -> bool:
        """Whether there are too many sequences to solve."""
        return sum(side.size for side in self.hands_form.sides) > MAX_SEQUENCES

    def _unfold(self, history: RestrictedHistory) -> None:
        """Add what follows a history."""
        if self._is_too_large:
            return
        node = history.node
        if not node.table.is_end:
            add = self._add_own_moves if node.table.seat == self.seat else self._add_replies
            add(history)
            return
        own = [hand for hand in bits(node.alive[self.seat]) if hand in history.weights]
        alive = bits(node.alive[1 - self.seat])
        repliers = [hand for hand in alive if history.losses[hand] <= self.max_loss]
        hands = (repliers, own) if self.seat else (own, repliers)
        self.hands_form.end(node, history.sequences, hands)

    def _add_own_moves(self, history: RestrictedHistory) -> None:
        """Add the options that the policy takes."""
        node, base, sequences, weights, _ = history
        branches = list(self.policy.own_branches(node, base, weights, self.unit))
        menu = [node.table.menu[branch.option] for branch, _ in branches]
        options_by_hand = {
            hand: [k for k, (_, taking) in enumerate(branches) if hand in taking]
            for hand in bits(node.alive[self.seat])
        }
        after = self.hands_form.choose(
            self.seat, sequences, menu, options_by_hand, observation=lambda hand: (hand, base)
        )
        for hand, options in options_by_hand.items():  # in the order in which sequences were made
            for k in options:
                branch, taking = branches[k]
                self.indices[after[k][self.seat][hand]] = branch.indices[hand]
                self.estimates.append(taking[hand] / self.unit)
        for sequences_after, (branch, taking) in zip(after, branches, strict=True):
            if taking:
                self._unfold(
                    RestrictedHistory(
                        branch.node, branch.base, sequences_after, taking, history.losses
                    )
                )

    def _add_replies(self, history: RestrictedHistory) -> None:
        """Add the options that lose the replier little."""
        node, base, sequences, weights, losses_so_far = history
        seat = 1 - self.seat
        losses = [
            {hand: losses_so_far[hand] + more for hand, more in by_hand.items()}
            for by_hand in self.losses[base]
        ]
        branches = self.policy.matching.taken_branches(node, base)
        menu = [node.table.menu[branch.option] for branch in branches]
        options_by_hand = {
            hand: [k for k, loss in enumerate(losses) if loss.get(hand, math.inf) <= self.max_loss]
            for hand in bits(node.alive[seat])
        }
        after = self.hands_form.choose(
            seat, sequences, menu, options_by_hand, observation=lambda hand: (hand, base)
        )
        for sequences_after, branch, loss in zip(after, branches, losses, strict=True):
            if any(x <= self.max_loss for x in loss.values()):
                self._unfold(
                    RestrictedHistory(branch.node, branch.base, sequences_after, weights, loss)
                )


TARGET_WIDTH = 1e-4
"""Matching stops at this half-width of the interval, times the largest payoff."""
MAX_ROUNDS = 20_000
"""Matching stops after this many rounds, whatever the interval."""
ROUNDS_PER_PROOF = 20
"""Rounds between computations of the interval."""
EXACT_WIDTHS = (1e-4, 1e-5)
"""Half-widths of the interval at which exact policies are tried."""
FINER_WIDTHS = (1e-4, 1e-5, 1e-6, 1e-7)
"""The same, if exact policies are asked for."""
MATCHING_SHARE = 0.75
"""The part of the budget after which matching stops; the rest is for exact policies and pages."""
SECONDS_PER_NUMBER = 8e-6
"""Seconds per hand and move for an interval of about 1e-3."""
BYTES_PER_NUMBER = 9
"""For each number: a regret and an average of 4 bytes each, and 1 byte of the record."""
ROUNDOFF = 2.0**-53
"""The unit roundoff of floats."""
END = 2
"""The first number of the record of an end, in place of a seat."""
HANDS, BRANCHES, MATRICES = 1, 3, 3
"""The fields of a record after the first: hands by seat; branches, or at an end the matrices."""
NEXT_RECORD, NUMBERS, NEXT_BASE = 1, 2, 3
"""The fields of a branch after the number of hands that take it; see the module."""
HEADER = 4
"""The numbers of a record before its branches, and of a branch before its hands."""
LOWEST = float("-inf")
RECORD, BASE, OWN, OTHER, VALUES, FREE, CURSOR, LEFT, GAINS, AFTER_GAINS = range(10)
"""The columns of a frame.

RECORD, BASE: the node. OWN, OTHER, VALUES, FREE: in the work array, where the node's shares of the
valued seat begin, the other's shares, its values, and its own space. CURSOR: the branch in the
record; 0 before the first visit. LEFT: the branches left. GAINS, AFTER_GAINS: in the work array,
where the values of this branch begin, and the space after those of all branches.
"""
FRAME_SIZE = 10


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
        records: where the record of each node begins, by its identity.
        sizes: the numbers from each node on.
        depths: the most moves from each node on.
        max_branches: of a node.
        root_record: where the record of the root begins.
    """

    def __init__(self, tree: UndominatedTree) -> None:
        self.game = tree.game
        self.code: list[int] = []
        self.matrices: list[float] = []
        self.records: dict[int, int] = {}
        self.sizes: dict[int, int] = {}
        self.depths: dict[int, int] = {}
        self.max_branches = 0
        self.root_record = self._add(tree.root)

    def _add(self, node: TreeNode) -> int:
        """Where the record of a node begins in the code; it is added the first time."""
        key = id(node)
        if key not in self.records:
            record = self._end(node) if node.table.is_end else self._move(node)
            self.records[key] = len(self.code)
            self.code += record
        return self.records[key]

    def _end(self, node: TreeNode) -> list[int]:
        """The record of an end, whose matrices are added: one for each player."""
        game, payoffs = self.game, self.game.payoff_matrices[node.table.payoff_index]
        one, two = (list(bits(alive)) for alive in node.alive)
        unit = game.scale * game.total
        value = [[game.weights[x][y] * payoffs[x][y] / unit for y in two] for x in one]
        start = len(self.matrices)
        self.matrices += [row[k] for k in range(len(two)) for row in value]
        self.matrices += [-x for row in value for x in row]
        self.sizes[id(node)] = self.depths[id(node)] = 0
        return [END, len(one), len(two), start, start + len(one) * len(two)]

    def _move(self, node: TreeNode) -> list[int]:
        """The record of a choice, after those of what follows its options."""
        taken = [branch for branch in node.branches if branch.hands]
        hands = {hand: k for k, hand in enumerate(bits(node.alive[node.table.seat]))}
        after = [self._add(branch.subtree) for branch in taken]
        record = [node.table.seat, *(alive.bit_count() for alive in node.alive), len(taken)]
        numbers, base = 0, sum(branch.hands.bit_count() for branch in taken)
        for branch, then in zip(taken, after, strict=True):
            takes = [hands[hand] for hand in bits(branch.hands)]
            record += [len(takes), then, numbers, base, *takes]
            numbers += len(takes)
            base += self.sizes[id(branch.subtree)]
        self.sizes[id(node)] = base
        self.depths[id(node)] = 1 + max(self.depths[id(branch.subtree)] for branch in taken)
        self.max_branches = max(self.max_branches, len(taken))
        return record


class TakenBranch(NamedTuple):
    """An option of a history that some hands take.

    Attributes:
        option: its place in the menu.
        node: what follows.
        base: where the numbers of what follows begin.
        indices: by hand, the index of its number.
    """

    option: int
    node: TreeNode
    base: int
    indices: dict[int, int]


def _afford_numbers(count: int) -> None:
    """Refuse a game with too many numbers, and say how to afford it."""
    instead = "take fewer dice or sides"
    if BYTES_PER_NUMBER * count <= allowed().memory:
        seconds = math.ceil(SECONDS_PER_NUMBER * count / 100) * 100
        how = f"--budget {seconds} (in Python, so.budget(seconds={seconds}))"
        instead += f", write {how} for an interval of about 1e-3"
    afford(
        f"the policies of {count:,} hands and moves",
        seconds=count * 1e-6,
        memory=BYTES_PER_NUMBER * count,
        instead=instead,
    )


class Matching(ProvedInterval):
    """Average policies of both players, and the interval they prove.

    >>> import sevenout as so
    >>> from sevenout.solving.public_tree import HandsGame
    >>> from sevenout.rules.hidden_hands import LateDeal
    >>> kuhn = so.explore(LateDeal(so.games("kuhn")))
    >>> game = HandsGame.of(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes])
    >>> matching = Matching(UndominatedTree(game))
    >>> matching.low < so.best(so.games("kuhn")).value < matching.high
    True
    >>> matching.bound < 1e-3
    True

    Attributes:
        tree: the undominated options.
        game: their hands, tables and payoffs.
        layout: the tree as records.
        totals: by history, option and hand, the unnormalized average.
        max_payoff: the largest payoff in absolute value.
        rounds: of matching so far.
        low, high: the proved interval of the value.
        exact: policies in fractions with the same value, if found.

    Raises:
        MissingError: numba or NumPy is not installed.
        TooMuchWorkError: the numbers exceed the memory budget.
    """

    def __init__(self, tree: UndominatedTree) -> None:
        require("numba", "fast")  # in plain Python a round takes minutes
        self.tree, self.game = tree, tree.game
        count = tree.root.sequences
        # Refused before any array is made: a game too large would fill the memory first.
        _afford_numbers(count)
        self.layout = Layout(tree)
        self._tree = HandsTree(
            np.array(self.layout.code, np.int32),
            np.array(self.layout.matrices),
            np.zeros(count, np.float32),
            np.zeros(count, np.float32),
        )
        self.totals = self._tree.totals
        max_hands, depth = max(map(len, self.game.hands)), self.layout.depths[id(tree.root)] + 2
        # by depth and hand: the values of all branches, values, shares, factors and summands
        self._work = np.zeros((max_hands * (self.layout.max_branches + 6) + 1) * (depth + 1))
        self._stack = np.zeros((depth, FRAME_SIZE), np.int64)
        self.max_payoff = (
            max(abs(x) for matrix in self.game.payoff_matrices for row in matrix for x in row)
            / self.game.scale
        )
        self.rounds = 0
        self.exact: tuple[ExactPolicy, ExactPolicy] | None = None
        # The rest of the budget is for the exact policies and the pages.
        self._deadline = process_time() + MATCHING_SHARE * allowed().seconds
        self.narrow(TARGET_WIDTH)

    def narrow(self, width: float) -> bool:
        """Match until the bound is `width` times the largest payoff.

        Return False if time or rounds run out before.
        """
        if self.exact is not None or (self.rounds and self.bound <= width * self.max_payoff):
            return True
        for t in range(self.rounds + 1, MAX_ROUNDS + 1):
            # Discounted regret matching with the authors' exponents: 3/2 for positive regrets; 0
            # for negative ones, which keeps half of them; and 2 for the average.
            discount = (t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1)
            discounts = float(t) ** 2, discount, 0.5
            for seat in (0, 1):
                self._walk(self.layout.root_record, 0, seat, discounts=discounts)
            self.rounds = t
            is_late = process_time() > self._deadline
            # A proof takes about as long as a round.
            if t % ROUNDS_PER_PROOF == 0 or is_late:
                self._prove()
                if self.bound <= width * self.max_payoff:
                    return True
                if is_late:
                    return False
        return False

    def settle(self, widths: Iterable[float] = EXACT_WIDTHS) -> bool:
        """Look for exact policies near the averages, and return whether there are some.

        `widths` are the half-widths of the interval at which to look, times the largest payoff.
        """
        for width in widths:
            # Time is up: a narrower interval won't be reached either.
            if not self.narrow(width):
                break
            self.exact = exact_policies(self)
            if self.exact is not None:
                self.low = self.high = self.exact[1].reply_value
                return True
        return False

    def _walk(
        self,
        record: int,
        base: int,
        seat: int,
        other_reach: Sequence[float] | None = None,
        discounts: tuple[float, float, float] | None = None,
    ) -> "NDArray[np.float64]":
        """The value of each hand of a seat from a record on; with `discounts`, match its regrets.

        Args:
            record: where to start.
            base: where its numbers begin.
            seat: the player whose hands are valued.
            other_reach: the probability of the other's moves so far, by hand; 1 by default.
            discounts: the weights of this round in the average, and of old regrets above and below
                0; without them, the reply to the averages is the best.
        """
        code, work = self._tree.code, self._work
        hands = record + HANDS
        own_hands, other_hands = int(code[hands + seat]), int(code[hands + 1 - seat])
        values, free = own_hands + other_hands, 2 * own_hands + other_hands
        work[:own_hands] = 1.0
        work[own_hands:values] = 1.0 if other_reach is None else other_reach
        self._stack[0] = (record, base, 0, own_hands, values, free, 0, 0, 0, 0)
        is_matching = discounts is not None
        memory = self._stack, work
        compiled(walk)(self._tree, memory, seat, discounts or (0.0, 0.0, 0.0), is_matching)
        return work[values:free]

    def _prove(self) -> None:
        """Compute the best replies, and a bound on their rounding.

        A share is a quotient whose divisor sums at most one term per option, and a factor of a
        product along each history. These are multiplied by payoffs and added; the absolute values
        add up to at most the largest payoff. Twice the first-order sum of the roundings bounds all
        orders.
        """
        root = self.layout.root_record
        first, second = (Fraction(float(self._walk(root, 0, seat).sum())) for seat in (0, 1))
        depth, max_branches = self.layout.depths[id(self.tree.root)], self.layout.max_branches
        roundings = depth * (2 * max_branches + 2) + 2 * max(map(len, self.game.hands)) + 4
        error = Fraction(2 * roundings * self.max_payoff * ROUNDOFF)
        self.low, self.high = -second - error, first + error

    def shares(self, node: TreeNode, base: int) -> dict[int, dict[int, Fraction]]:
        """By option, the probability of each hand that may take it, at a node with this base."""
        if self.exact is not None:
            return self.exact[node.table.seat].shares(node, base)
        branches = self.taken_branches(node, base)
        weights = {
            branch.option: {
                hand: Fraction(float(self.totals[index])) for hand, index in branch.indices.items()
            }
            for branch in branches
        }
        totals = sum_by_key(pair for by_hand in weights.values() for pair in by_hand.items())
        menu_sizes = Counter(hand for branch in branches for hand in branch.indices)
        return {
            option: {
                hand: weight / totals[hand] if totals[hand] else Fraction(1, menu_sizes[hand])
                for hand, weight in by_hand.items()
            }
            for option, by_hand in weights.items()
        }

    def taken_branches(self, node: TreeNode, base: int) -> list[TakenBranch]:
        """The options that some hands take, at a node with this base."""
        branches = [branch for branch in node.branches if branch.hands]
        taken = []
        # As in `Layout._move`: first the node's own numbers, then those of each branch.
        next_base = base + sum(branch.hands.bit_count() for branch in branches)
        for option, hands, then in branches:
            indices = {hand: base + k for k, hand in enumerate(bits(hands))}
            taken.append(TakenBranch(option, then, next_base, indices))
            base += len(indices)
            next_base += self.layout.sizes[id(then)]
        return taken

    def replies(
        self, node: TreeNode, base: int, reach: Sequence[float | Fraction]
    ) -> dict[int, dict[int, Fraction]]:
        """By option, the counterfactual value of best replies from there on, for each hand that
        may take it.

        It is the value to the mover, times the probability of the deal and of the other's moves.
        `reach` is the probability of the other's moves so far, by hand.
        """
        seat = node.table.seat
        branches = self.taken_branches(node, base)
        if self.exact is not None:
            policy, exact = self.exact[1 - seat], [Fraction(x) for x in reach]
            return {
                branch.option: policy.reply_values(branch.node, branch.base, exact)
                for branch in branches
            }
        other_reach = [float(reach[hand]) for hand in bits(node.alive[1 - seat])]
        values = {}
        for option, then, base_after, indices in branches:
            gains = self._walk(self.layout.records[id(then)], base_after, seat, other_reach)
            values[option] = dict(zip(indices, map(Fraction, gains.tolist()), strict=True))
        return values


def walk(tree: Any, memory: Any, seat: Any, discounts: Any, is_matching: Any) -> None:
    """The value of each hand of a seat: matching regrets, or with the best reply to the averages.

    `memory` is the stack, and the work array that its frames point to. A frame's own space begins
    with three numbers for each hand of the mover. A factor and a summand turn a regret or average
    into a share (number * factor + summand), and the third is the share that goes down a branch.
    Then come the sum of these, and the values of the branches.
    """
    stack, work = memory
    code, matrices, regrets, totals = tree
    weight, positive_discount, negative_discount = discounts
    table = regrets if is_matching else totals
    depth = 0
    while depth >= 0:
        record, base = stack[depth, RECORD], stack[depth, BASE]
        own, other, out = stack[depth, OWN], stack[depth, OTHER], stack[depth, VALUES]
        factors, cursor = stack[depth, FREE], stack[depth, CURSOR]
        mover, hands = code[record], code[record + HANDS + seat]
        if mover == END:  # the matrix, stored by columns, times the other's shares
            matrix = code[record + MATRICES + seat]
            for i in range(hands):
                work[out + i] = 0.0
            for j in range(code[record + HANDS + 1 - seat]):
                share = work[other + j]
                if share != 0.0:
                    for i in range(hands):
                        work[out + i] += matrices[matrix + j * hands + i] * share
            depth -= 1
            continue
        mover_hands = code[record + HANDS + mover]
        summands, below = factors + mover_hands, factors + 2 * mover_hands
        gains = below + mover_hands + 1
        is_own = mover == seat
        if cursor == 0:  # the node is entered
            # Best replies begin below every value; sums begin with 0.
            start = LOWEST if is_own and not is_matching else 0.0
            for i in range(hands):
                work[out + i] = start
            for i in range(2 * mover_hands):
                work[factors + i] = 0.0
            cursor, gain_count = record + HEADER, 0
            for _ in range(code[record + BRANCHES]):
                numbers = base + code[cursor + NUMBERS]
                for q in range(code[cursor]):
                    hand = code[cursor + HEADER + q]
                    work[factors + hand] += max(table[numbers + q], 0.0)
                    work[summands + hand] += 1.0
                gain_count += code[cursor]
                cursor += code[cursor] + HEADER
            for i in range(mover_hands):
                total = work[factors + i]
                work[summands + i] = 0.0 if total > 0 else 1.0 / work[summands + i]
                work[factors + i] = 1.0 / total if total > 0 else 0.0
            total = 0.0
            if not is_own:
                for i in range(hands):
                    total += work[own + i]
            work[gains - 1] = total
            cursor = record + HEADER
            stack[depth, LEFT] = code[record + BRANCHES]
            stack[depth, GAINS] = gains
            stack[depth, AFTER_GAINS] = gains + (
                gain_count if is_own and is_matching else max(mover_hands, hands)
            )
        else:  # a branch was walked
            count, numbers, gain = code[cursor], base + code[cursor + NUMBERS], stack[depth, GAINS]
            if not is_own:
                for i in range(hands):
                    work[out + i] += work[gain + i]
            elif is_matching:
                for q in range(count):
                    hand = code[cursor + HEADER + q]
                    number = max(regrets[numbers + q], 0.0)
                    share = number * work[factors + hand] + work[summands + hand]
                    work[out + hand] += share * work[gain + q]
                stack[depth, GAINS] += count
            else:
                for q in range(count):
                    hand = code[cursor + HEADER + q]
                    work[out + hand] = max(work[out + hand], work[gain + q])
            cursor += count + HEADER
            stack[depth, LEFT] -= 1
        is_walking = False
        while stack[depth, LEFT] > 0 and not is_walking:
            count, numbers = code[cursor], base + code[cursor + NUMBERS]
            is_walking, own_below, other_below = True, own, other
            if is_matching or not is_own:
                reach, total = own if is_own else other, work[gains - 1]
                for q in range(count):
                    hand = code[cursor + HEADER + q]
                    number = max(table[numbers + q], 0.0)
                    share = number * work[factors + hand] + work[summands + hand]
                    work[below + q] = work[reach + hand] * share
                    total += work[below + q]
                if is_own:
                    own_below = below
                    for q in range(count):
                        totals[numbers + q] += weight * work[below + q]
                else:
                    other_below = below
                    is_walking = total > 0  # else neither player's policy gets there
            if is_walking:
                stack[depth + 1, RECORD] = code[cursor + NEXT_RECORD]
                stack[depth + 1, BASE] = base + code[cursor + NEXT_BASE]
                stack[depth + 1, OWN] = own_below
                stack[depth + 1, OTHER] = other_below
                stack[depth + 1, VALUES] = stack[depth, GAINS]
                stack[depth + 1, FREE] = stack[depth, AFTER_GAINS]
                stack[depth + 1, CURSOR] = 0
            else:
                cursor += count + HEADER
                stack[depth, LEFT] -= 1
        if is_walking:
            stack[depth, CURSOR] = cursor
            depth += 1
            continue
        if is_own and is_matching:
            cursor, gain = record + HEADER, gains
            for _ in range(code[record + BRANCHES]):
                count, numbers = code[cursor], base + code[cursor + NUMBERS]
                for q in range(count):
                    old, hand = regrets[numbers + q], code[cursor + HEADER + q]
                    regret = work[gain + q] - work[out + hand]
                    # Regrets are of the average over options, so they must wait for all branches.
                    regrets[numbers + q] = (
                        old * (positive_discount if old > 0 else negative_discount) + regret
                    )
                gain += count
                cursor += count + HEADER
        depth -= 1
