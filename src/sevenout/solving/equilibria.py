"""Equilibria of games with hidden information: two plans, and the best replies that prove them.

*The sequence form* (Koller, Megiddo and von Stengel 1996). What a player sees when they choose is
an *information set*. A *sequence* is an information set and one of its options, or the empty
sequence at the start. With perfect recall, a pair of sequences, one for each player, represents all
histories in which both make these moves. Its value is the sum of theirs, weighted by the rolls. So
a game is a sparse matrix, although it has exponentially many pure policies. Histories that lead to
the same state by the same sequences are merged.

A *realization plan* gives each sequence the probability of its player's own moves. The best reply
to a plan is found set by set, from the last, by additions and comparisons. For any two plans,

    min over replies to the first plan <= value <= max over replies to the second plan.

A node is the root of a *subgame* if no information set contains both nodes from it on and others
(Selten 1975). Nothing before it matters to the players. So a game of many turns is solved turn by
turn, from the end.

*Two engines*, and a proof that trusts neither:

- A small game is solved in fractions by the simplex method. With all payoffs made positive, a
  player who reaches an information set and then does nothing only loses by it. So plans may have
  gaps,

      max q_0  subject to  Σ x_child <= x_parent,  x_0 <= 1,  F^T q <= A^T x,  x, q >= 0,

  and 0 is a feasible start. The shadow prices are the plan of the second player. Bland's rule
  (1977) prevents cycling. Without SciPy, as in a browser, this is the only engine.
- A larger one is solved in floats by SciPy's HiGHS (Huangfu and Hall 2018), as

      max q_0  subject to  E x = e,  F^T q <= A^T x,  x >= 0,

  where E x = e says that x is a plan, and q holds the values of the second player's information
  sets. The floats show which options of a player are used, and which of the other's are equally
  good against them. Exact equality gives a few linear equations with integer coefficients, solved
  by Dixon's lifting (FLINT).

Either way the plans are only a proposal: best replies prove the value, or an interval of it.
"""

from collections import Counter, deque
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal, NamedTuple

from flint import fmpz_mat, nmod_mat

from sevenout.errors import EndlessGameError, RulesError, TooMuchWorkError, shown
from sevenout.extras import require
from sevenout.model import Model, state_name

Pair = tuple[int, int]
"""A sequence of the first player and one of the second."""

EMPTY = 0
"""The sequence of a player who has not chosen yet."""


class InformationSet(NamedTuple):
    """The states that look the same to the player who chooses.

    Attributes:
        seen: what they see.
        menu: their options.
        parent: their sequence that leads here.
        first: the sequence of the first option; the others follow it.
    """

    seen: Hashable
    menu: tuple[str, ...]
    parent: int
    first: int

    @property
    def sequences(self) -> range:
        """The sequence of each option."""
        return range(self.first, self.first + len(self.menu))


@dataclass(frozen=True, eq=False)
class Side:
    """The information sets and sequences of one player.

    Attributes:
        player: their name.
        sets: each after that of its parent.
        set_of: for each sequence, the index of its information set; -1 for the empty one.
        index: the index of a set by what is seen.
    """

    player: str
    sets: list[InformationSet] = field(default_factory=list)
    set_of: list[int] = field(default_factory=lambda: [-1])
    index: dict[Hashable, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of sequences."""
        return len(self.set_of)

    def add(self, seen: Hashable, menu: tuple[str, ...], parent: int) -> InformationSet:
        """Add an information set, with a new sequence for each option."""
        added = InformationSet(seen, menu, parent, len(self.set_of))
        self.index[seen] = len(self.sets)
        self.set_of.extend([len(self.sets)] * len(menu))
        self.sets.append(added)
        return added

    def history(self, sequence: int) -> list[tuple[Hashable, str]]:
        """What they saw and did, from their first choice."""
        moves = []
        while sequence:
            infoset = self.sets[self.set_of[sequence]]
            moves.append((infoset.seen, infoset.menu[sequence - infoset.first]))
            sequence = infoset.parent
        return moves[::-1]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A two-player zero-sum game as a sparse matrix.

    Attributes:
        sides: the first player maximizes, the second minimizes.
        payoffs: by pair of sequences, the first player's value times `scale`.
        chances: by pair of sequences, the probability of the rolls that then end the game, times
            `unit`.
        nodes: the pairs of a node and a pair of sequences that reaches it.
        calls: by the root of a later subgame and pair of sequences, the probability of the rolls
            that lead to it.
    """

    sides: tuple[Side, Side]
    payoffs: Mapping[Pair, int]
    scale: int
    chances: Mapping[Pair, int]
    unit: int
    nodes: int
    calls: Mapping[int, Mapping[Pair, Fraction]] = field(default_factory=dict)

    def with_values(self, values: Mapping[int, Fraction]) -> "SequenceForm":
        """The same with each later subgame replaced by its value."""
        if not self.calls:
            return self
        payoffs = {pair: Fraction(x, self.scale) for pair, x in self.payoffs.items()}
        for root, pairs in self.calls.items():
            for pair, chance in pairs.items():
                _gather(payoffs, pair, chance * values[root])
        scaled, scale = _integers(payoffs)
        return replace(self, payoffs=scaled, scale=scale)


def sequence_forms(model: Model, values: Sequence[Fraction]) -> dict[int, SequenceForm]:
    """The sequence form of each subgame by root, later ones after earlier ones.

    `values` are the values of the outcomes to the first player.

    Raises:
        EndlessGameError: the game may go on forever.
        RulesError: a player forgets what they saw or did, or has different options where they see
            the same.
    """
    nodes_by_root = subgames(model)
    return {
        root: _Unfolding(model, values, nodes, nodes_by_root).form()
        for root, nodes in nodes_by_root.items()
    }


def whole_form(model: Model, values: Sequence[Fraction], players: tuple[str, ...]) -> SequenceForm:
    """The sequence form of a whole game, subgames included, for `players` in these seats.

    Other arguments and errors are those of `sequence_forms`.
    """
    return _Unfolding(model, values, topological_order(model), {0}, players).form()


class _Unfolding:
    """Every path through a subgame, by the sequences of both players.

    How it works. The nodes come in topological order, so all that leads to a node is known when its
    turn comes: then it hands its chances on, and is forgotten.

    Attributes:
        model: the game.
        values: of each outcome, to the first player.
        order: the nodes of the subgame, in topological order.
        roots: of all subgames; paths stop there.
        sides: the information sets so far.
        seats: 0 or 1, by player.
        reached_by: by waiting node and pair of sequences, the probability of the rolls on the way.
        calls, payoffs, chances: see `SequenceForm`, as fractions.
        first_node: the first node of an information set, by seat and index, for messages.
        nodes: the pairs of a node and a pair of sequences so far.
    """

    def __init__(
        self,
        model: Model,
        values: Sequence[Fraction],
        order: list[int],
        roots: Collection[int],
        players: tuple[str, ...] = (),
    ) -> None:
        self.model, self.values, self.order, self.roots = model, values, order, roots
        names = (*(players or model.players), "")[:2]
        self.sides = Side(names[0]), Side(names[1])
        self.seats = {who: seat for seat, who in enumerate(names)}
        self.reached_by: dict[int, dict[Pair, Fraction]] = {order[0]: {(EMPTY, EMPTY): Fraction(1)}}
        self.calls: dict[int, dict[Pair, Fraction]] = {}
        self.payoffs: dict[Pair, Fraction] = {}
        self.chances: dict[Pair, Fraction] = {}
        self.first_node: dict[tuple[int, int], int] = {}
        self.nodes = 0

    def form(self) -> SequenceForm:
        """The sequence form: every node is passed once, after all that lead to it."""
        for node in self.order:
            reached = self.reached_by.pop(node, {})
            self.nodes += len(reached)
            if node in self.model.choosers:
                self._choose(node, reached)
            else:
                self._chance(node, reached)
        payoffs, chances = _integers(self.payoffs), _integers(self.chances)
        return SequenceForm(self.sides, *payoffs, *chances, self.nodes, self.calls)

    def _chance(self, node: int, reached: Mapping[Pair, Fraction]) -> None:
        """Pass on what reaches a roll, by the probabilities of its results."""
        model = self.model
        weights: tuple[int, ...] = (1,)  # an option that no player chooses is taken like a roll
        if not model.menus[node]:
            weights = model.rollables[model.rollable_index[node]].law.weights
        for target, weight in zip(model.targets_of(node), weights, strict=True):
            share = Fraction(weight, sum(weights))
            for pair, chance in reached.items():
                self._lead(target, pair, chance * share)

    def _choose(self, node: int, reached: Mapping[Pair, Fraction]) -> None:
        """Pass on what reaches a choice: to each option by the sequence that it adds."""
        seat = self.seats[self.model.choosers[node]]
        targets = self.model.targets_of(node)
        for pair, chance in reached.items():
            infoset = self._set(node, seat, pair[seat])
            for target, sequence in zip(targets, infoset.sequences, strict=True):
                then = (pair[0], sequence) if seat else (sequence, pair[1])
                self._lead(target, then, chance)

    def _lead(self, target: int, pair: Pair, chance: Fraction) -> None:
        """Add a chance of a pair of sequences to a node, a subgame or an outcome."""
        n = len(self.model.states)
        if target < n and target not in self.roots:
            _gather(self.reached_by.setdefault(target, {}), pair, chance)
            return
        # A subgame is an end here: its value is filled in once it is solved (`with_values`).
        _gather(self.chances, pair, chance)
        if target < n:
            _gather(self.calls.setdefault(target, {}), pair, chance)
        else:
            _gather(self.payoffs, pair, chance * self.values[target - n])

    def _set(self, node: int, seat: int, parent: int) -> InformationSet:
        """The information set of a node, reached by a sequence of its player."""
        model, side = self.model, self.sides[seat]
        seen, menu = model.views.get(node, model.states[node]), model.menus[node]
        k = side.index.get(seen)
        if k is None:
            self.first_node[seat, len(side.sets)] = node
            return side.add(seen, menu, parent)
        infoset = side.sets[k]
        if infoset.menu != menu:
            first_state = self._state(self.first_node[seat, k])
            raise RulesError(
                f"{shown(side.player)} sees {shown(seen)} in two states and may do different "
                f"things there: {', '.join(infoset.menu)} in {first_state}, "
                f"{', '.join(menu)} in {self._state(node)}; let `sees` tell them apart"
            )
        # Perfect recall: one set has one past. Without it, plans by sequence don't exist.
        if infoset.parent != parent:
            one, two = (_history_in_words(side.history(end)) for end in (infoset.parent, parent))
            raise RulesError(
                f"{shown(side.player)} forgets: they see {shown(seen)} after {one}, and after "
                f"{two}; let `sees` keep what they saw and did"
            )
        return infoset

    def _state(self, node: int) -> str:
        return shown(self.model.states[node])


def _gather(into: dict[Pair, Fraction], pair: Pair, more: Fraction) -> None:
    into[pair] = into[pair] + more if pair in into else more


def _integers(table: Mapping[Pair, Fraction]) -> tuple[dict[Pair, int], int]:
    """A table times its common denominator, without zeros; and the denominator."""
    scale = lcm(*(x.denominator for x in set(table.values())))
    scaled = {pair: x.numerator * (scale // x.denominator) for pair, x in table.items() if x}
    return scaled, scale


def _history_in_words(history: list[tuple[Hashable, str]]) -> str:
    if not history:
        return "no choice"
    return ", ".join(f"{option} where they saw {state_name(seen)}" for seen, option in history)


def subgames(model: Model) -> dict[int, list[int]]:
    """The nodes of each subgame by root, without those of nested subgames.

    A root stands before later roots, and a node after those that lead to it.

    >>> import sevenout as so
    >>> kuhn = so.explore(so.games("kuhn"))
    >>> {root: len(nodes) for root, nodes in subgames(kuhn).items()}
    {0: 25}
    """
    order = topological_order(model)
    infosets = [_infoset(model, s) for s in range(len(model.states))]
    counts = Counter(infosets)
    candidates = {s for s in order if counts[infosets[s]] == 1} | {0}
    # A candidate that splits an information set is no root; dropping it may disqualify others.
    while True:
        root_of, splitting = _nearest_roots(model, order, infosets, candidates)
        if not splitting:
            break
        candidates -= splitting
    nodes_by_root: dict[int, list[int]] = {}
    for s in order:
        nodes_by_root.setdefault(root_of[s], []).append(s)
    return nodes_by_root


def _infoset(model: Model, s: int) -> Hashable:
    """The information set of a node; if nobody chooses there, the node itself."""
    return model.policy_key(s) if s in model.views else s


def _nearest_roots(
    model: Model, order: list[int], infosets: list[Hashable], roots: set[int]
) -> tuple[dict[int, int], set[int]]:
    """The nearest root before each node, and the roots that would split an information set."""
    n = len(model.states)
    position = {s: k for k, s in enumerate(order)}
    root_of: dict[int, int] = {}
    root_of_infoset: dict[Hashable, int] = {}
    splitting: set[int] = set()
    for s in order:
        root = s if s in roots else root_of[s]
        root_of[s] = root
        rivals = [root_of_infoset.setdefault(infosets[s], root)]
        for target in model.targets_of(s):
            if target < n and target not in roots:
                rivals.append(root_of.setdefault(target, root))
        for rival in rivals:
            if rival != root:
                # Of two roots the earlier one may still hold the whole set.
                splitting.add(max(root, rival, key=position.__getitem__))
    return root_of, splitting


def topological_order(model: Model) -> list[int]:
    """The nodes in topological order (Kahn 1962).

    Raises:
        EndlessGameError: a state repeats.
    """
    n = len(model.states)
    arrivals = [0] * n
    for target in model.targets:
        if target < n:
            arrivals[target] += 1
    ready = deque(s for s in range(n) if not arrivals[s])
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in model.targets_of(node):
            if target < n:
                arrivals[target] -= 1
                if not arrivals[target]:
                    ready.append(target)
    if len(order) < n:
        repeated = next(s for s in range(n) if arrivals[s])
        raise EndlessGameError(
            f"state {shown(model.states[repeated])} may come back again and again; a game in which "
            "something is hidden must end after a given number of moves"
        )
    return order


@dataclass(frozen=True, eq=False)
class BestReply:
    """The best reply to a plan.

    Attributes:
        gains: for each sequence of the replier, the first player's counterfactual value: the
            value from there on, times the probability of the rolls and the other's moves.
        values: for each information set, the gain of its best option.
        reach: for each information set, the counterfactual reach probability: that of the rolls and
            the other player's moves.
    """

    gains: Sequence[Fraction]
    values: Sequence[Fraction]
    reach: Sequence[Fraction]

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player."""
        return self.gains[EMPTY]


def best_reply(form: SequenceForm, plan: Sequence[Fraction], seat: int) -> BestReply:
    """The best reply of the player in `seat` to the other's plan.

    >>> import sevenout as so
    >>> from sevenout.catalogue import games
    >>> pennies = so.explore(games("matching-pennies"))
    >>> forms = sequence_forms(pennies, [outcome.profit("first") for outcome in pennies.outcomes])
    >>> best_reply(forms[0], [Fraction(1), Fraction(3, 4), Fraction(1, 4)], 1).value
    Fraction(-1, 2)

    Args:
        form: the game.
        plan: for each sequence, the probability of the other player's own moves.
        seat: 0 for the first player, who maximizes; else 1.

    Raises:
        RulesError: it is not a plan.
    """
    must_be_a_plan(form.sides[1 - seat], plan)
    # Integers over one denominator: sums of fractions would take most of the time.
    unit = lcm(*(x.denominator for x in plan))
    weights = [x.numerator * (unit // x.denominator) for x in plan]
    side, scale = form.sides[seat], unit * form.scale
    gains = weighted_sums(form.payoffs, weights, seat, side.size)
    chances = weighted_sums(form.chances, weights, seat, side.size)
    values, reach = [0] * len(side.sets), [0] * len(side.sets)
    choose = min if seat else max
    # A set comes after that of its parent, so backwards all that follows it is known.
    for k in range(len(side.sets) - 1, -1, -1):
        infoset = side.sets[k]
        values[k] = choose(gains[infoset.first : infoset.first + len(infoset.menu)])
        reach[k] = chances[infoset.first]
        gains[infoset.parent] += values[k]
        chances[infoset.parent] += reach[k]
    return BestReply(
        [Fraction(x, scale) for x in gains],
        [Fraction(x, scale) for x in values],
        [Fraction(x, unit * form.unit) for x in reach],
    )


def weighted_sums(
    table: Mapping[tuple[int, int], int], weights: Sequence[int], seat: int, size: int
) -> list[int]:
    """For each sequence of a player, the weighted sum over the other's sequences."""
    sums = [0] * size
    if seat:
        for (i, j), x in table.items():
            if weights[i]:
                sums[j] += weights[i] * x
    else:
        for (i, j), x in table.items():
            if weights[j]:
                sums[i] += weights[j] * x
    return sums


def must_be_a_plan(side: Side, plan: Sequence[Fraction]) -> None:
    """Refuse anything but a realization plan."""
    if len(plan) != side.size:
        raise RulesError(
            f"the plan has {len(plan)} numbers, but {side.player} has {side.size} sequences"
        )
    if plan[EMPTY] != 1:
        raise RulesError(f"a plan begins with probability {shown(str(plan[EMPTY]))}; it must be 1")
    for infoset in side.sets:
        shares = plan[infoset.first : infoset.first + len(infoset.menu)]
        if min(shares) < 0:
            raise RulesError(
                f"a plan has the probability {shown(str(min(shares)))} at {shown(infoset.seen)}"
            )
        if sum(shares) != plan[infoset.parent]:
            raise RulesError(
                f"the options at {shown(infoset.seen)} add up to {shown(str(sum(shares)))}; the "
                f"plan gets there with {shown(str(plan[infoset.parent]))}"
            )


def plan_of(side: Side, mixtures: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The realization plan of probabilities by information set."""
    plan = [Fraction(1)] * side.size
    for infoset, mixture in zip(side.sets, mixtures, strict=True):
        for sequence, share in zip(infoset.sequences, mixture, strict=True):
            plan[sequence] = plan[infoset.parent] * share
    return plan


ZERO_THRESHOLDS = (1e-9, 1e-8, 1e-7, 1e-6)
"""Thresholds for 0 in a plan in floats, in the order tried."""
PLAN_DENOMINATOR = 1 << 50
"""The denominator of rounded plans."""
MAX_SEQUENCES = 150_000
"""HiGHS takes minutes for this many sequences of both players, and hours for more."""

Plan = Sequence[Fraction]


class ProvedInterval:
    """An interval of the value of a game to the first player.

    Attributes:
        low, high: its ends.
    """

    low: Fraction
    high: Fraction

    @property
    def value(self) -> Fraction:
        """The middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def bound(self) -> Fraction:
        """The error bound of the value; 0 if exact."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, eq=False)
class Equilibrium(ProvedInterval):
    """Two plans and the best replies to them.

    Attributes:
        form: the game.
        plans: of the first and the second player.
        replies: the second player's to the first plan, and the first's to the second.
    """

    form: SequenceForm
    plans: tuple[Plan, Plan]
    replies: tuple[BestReply, BestReply]

    @cached_property
    def low(self) -> Fraction:  # type: ignore[override]
        """The least that the first plan gets."""
        return self.replies[0].value

    @cached_property
    def high(self) -> Fraction:  # type: ignore[override]
        """The most that the first player gets against the second plan."""
        return self.replies[1].value


def proved_equilibrium(form: SequenceForm, first: Plan, second: Plan) -> Equilibrium:
    """The interval that two plans prove."""
    replies = best_reply(form, first, 1), best_reply(form, second, 0)
    return Equilibrium(form, (first, second), replies)


def equilibrium(
    form: SequenceForm, method: Literal["auto", "exact", "certified"] = "auto"
) -> Equilibrium:
    """Optimal plans of both players.

    Args:
        form: the game.
        method: "exact", "certified" (plans in short fractions, with a proved interval), or "auto"
            (exact if possible).

    Raises:
        RulesError: exact plans were requested, and none were found.
    """
    # Without SciPy this is the only engine; with it, HiGHS is faster from here on.
    if method != "certified" and sum(side.size for side in form.sides) <= MAX_SIMPLEX_SEQUENCES:
        return proved_equilibrium(form, *solved_in_fractions(form))
    _refuse_large(form)
    floats = solved_in_floats(form)
    nearest = None if method == "certified" else _exact_equilibrium(form, floats)
    # Rounded floats are plans as well, and may prove more than exact plans of a wrong support.
    if nearest is None or nearest.bound:
        one, two = (rounded_plan(side, x) for side, x in zip(form.sides, floats, strict=True))
        rounded = proved_equilibrium(form, one, two)
        nearest = rounded if nearest is None or rounded.bound < nearest.bound else nearest
    if method == "exact" and nearest.bound:
        raise RulesError(
            f"no exact plans were found; the nearest are within {float(nearest.bound):.1e}; use "
            "method='certified' for these, with their error bound"
        )
    return nearest


@dataclass(frozen=True, eq=False)
class SubgamePerfect:
    """An equilibrium of each subgame, found from the last to the first.

    Attributes:
        forms: by root, the game up to the next subgames.
        parts: by root, from the start; a later subgame counts with the middle of its interval.
        bounds: the error bound of each root's value, later subgames included.
    """

    forms: Mapping[int, SequenceForm]
    parts: Mapping[int, Equilibrium]
    bounds: Mapping[int, Fraction]

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player."""
        return self.parts[0].value

    @property
    def bound(self) -> Fraction:
        """The error bound of the value; 0 if exact."""
        return self.bounds[0]

    @cached_property
    def reach(self) -> dict[int, Fraction]:
        """The probability of each root if both players follow their plans."""
        reach = dict.fromkeys(self.parts, Fraction(0))
        reach[0] = Fraction(1)
        for root, part in self.parts.items():
            one, two = part.plans
            for target, pairs in part.form.calls.items():
                chance = sum((x * one[i] * two[j] for (i, j), x in pairs.items()), Fraction(0))
                reach[target] += reach[root] * chance
        return reach


def subgame_perfect(
    model: Model, gains: Sequence[Fraction], method: Literal["auto", "exact", "certified"] = "auto"
) -> SubgamePerfect:
    """Optimal plans of both players in every subgame.

    >>> import sevenout as so
    >>> kuhn = so.explore(so.games("kuhn"))
    >>> subgame_perfect(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes]).value
    Fraction(-1, 18)

    `gains` are the values of the outcomes to the first player.

    Raises:
        EndlessGameError: the game may go on forever.
        RulesError: imperfect recall; or exact plans were requested, and none were found.
    """
    forms = sequence_forms(model, gains)
    parts: dict[int, Equilibrium] = {}
    values: dict[int, Fraction] = {}
    bounds: dict[int, Fraction] = {}
    # Later subgames first, as earlier ones contain them as ends.
    for root in reversed(list(forms)):
        form = forms[root].with_values(values)
        parts[root] = part = equilibrium(form, method)
        values[root] = part.value
        after = max((bounds[target] for target in form.calls), default=Fraction(0))
        bounds[root] = part.bound + after
    return SubgamePerfect(forms, {root: parts[root] for root in forms}, bounds)


def _refuse_large(form: SequenceForm) -> None:
    sequences = sum(side.size for side in form.sides)
    if sequences > MAX_SEQUENCES:
        raise TooMuchWorkError(
            f"the players can see and do {sequences:,} different things, more than "
            f"{MAX_SEQUENCES:,}; take a smaller game, or end it after fewer moves"
        )


def _exact_equilibrium(
    form: SequenceForm, floats: tuple[Sequence[float], Sequence[float]]
) -> Equilibrium | None:
    """The nearest exact plans, without a gap if possible; None if there are none."""
    best: dict[int, tuple[Plan, BestReply]] = {}
    # The gap between 0 and small probabilities differs by game, so several thresholds are tried.
    for threshold in ZERO_THRESHOLDS:
        for seat, sign in ((0, 1), (1, -1)):
            plan = exact_plan(form, seat, floats[seat], threshold)
            if plan is None:
                continue
            reply = best_reply(form, plan, 1 - seat)
            if seat not in best or sign * reply.value > sign * best[seat][1].value:
                best[seat] = plan, reply
        if len(best) == 2 and best[0][1].value == best[1][1].value:
            break
    if len(best) < 2:
        return None
    (first, reply_to_first), (second, reply_to_second) = best[0], best[1]
    return Equilibrium(form, (first, second), (reply_to_first, reply_to_second))


def rounded_plan(side: Side, floats: Sequence[float]) -> list[Fraction]:
    """A plan near some floats, in multiples of 1/`PLAN_DENOMINATOR`.

    >>> side = Side("first")
    >>> _ = side.add("a card", ("check", "bet"), EMPTY)
    >>> rounded_plan(side, [1.0, 0.25, 0.75])
    [Fraction(1, 1), Fraction(1, 4), Fraction(3, 4)]
    """
    # The largest share takes up the rounding.
    parts = [0] * side.size
    parts[EMPTY] = PLAN_DENOMINATOR
    for infoset in side.sets:
        total = parts[infoset.parent]
        if not total:
            continue
        shares = [max(float(floats[s]), 0.0) for s in infoset.sequences]
        weight = sum(shares)
        if weight:
            for s, share in zip(infoset.sequences, shares, strict=True):
                # Rounded down, so that what is left for the largest share is never negative.
                parts[s] = int(total * (share / weight))
        largest = infoset.first + shares.index(max(shares))
        parts[largest] += total - sum(parts[s] for s in infoset.sequences)
    return [Fraction(x, PLAN_DENOMINATOR) for x in parts]


MAX_SIMPLEX_SEQUENCES = 160
"""The most sequences of both players for which fractions are fast."""


def solved_in_fractions(form: SequenceForm) -> tuple[list[Fraction], list[Fraction]]:
    """An optimal plan of each player."""
    one, two = form.sides
    n, rows = one.size, 1 + len(one.sets)
    table = [[Fraction(0)] * (n + 1 + len(two.sets)) for _ in range(rows + two.size)]
    table[0][EMPTY] = Fraction(1)
    for k, infoset in enumerate(one.sets, 1):
        table[k][infoset.parent] = Fraction(-1)
        for sequence in infoset.sequences:
            table[k][sequence] = Fraction(1)
    table[rows][n] = Fraction(1)
    for k, infoset in enumerate(two.sets, 1):
        table[rows + infoset.parent][n + k] = Fraction(-1)
        for sequence in infoset.sequences:
            table[rows + sequence][n + k] = Fraction(1)
    for (i, j), value in _positive_payoffs(form).items():
        table[rows + j][i] -= value
    bounds = [Fraction(int(k == 0)) for k in range(len(table))]
    goal = [Fraction(int(k == n)) for k in range(len(table[0]))]
    primal, prices = simplex_maximum(table, bounds, goal)
    return _filled_plan(one, primal[:n]), _filled_plan(two, prices[rows:])


def _positive_payoffs(form: SequenceForm) -> dict[tuple[int, int], Fraction]:
    """The payoffs, less the least value of an outcome."""
    values = {
        pair: (Fraction(form.payoffs.get(pair, 0), form.scale), Fraction(chance, form.unit))
        for pair, chance in form.chances.items()
    }
    # Positive payoffs make it a loss to stop at a set, so optimal plans may be filled up.
    least = min(value / chance for value, chance in values.values())
    return {pair: value - least * chance for pair, (value, chance) in values.items()}


def _filled_plan(side: Side, plan: Sequence[Fraction]) -> list[Fraction]:
    """A plan with its gaps filled by the first option."""
    filled = list(plan)
    filled[EMPTY] = Fraction(1)
    for infoset in side.sets:
        short = filled[infoset.parent] - sum(filled[s] for s in infoset.sequences)
        filled[infoset.first] += short
    return filled


def simplex_maximum(
    table: list[list[Fraction]], bounds: list[Fraction], goal: list[Fraction]
) -> tuple[list[Fraction], list[Fraction]]:
    """The x >= 0 with table x <= bounds that maximizes goal · x, and the shadow prices.

    The bounds must not be negative, and the maximum must exist.

    >>> from fractions import Fraction as F
    >>> simplex_maximum([[F(1), F(2)], [F(3), F(1)]], [F(4), F(6)], [F(1), F(1)])
    ([Fraction(8, 5), Fraction(6, 5)], [Fraction(2, 5), Fraction(1, 5)])
    """
    n, m = len(goal), len(table)
    rows = [[*row, bound] for row, bound in zip(table, bounds, strict=True)]
    costs = [*(-x for x in goal), Fraction(0)]
    # Variables by number: those of x, then the slacks of the bounds. Rows are of basic ones.
    basic, nonbasic = list(range(n, n + m)), list(range(n))
    while True:
        entering = [(nonbasic[c], c) for c in range(n) if costs[c] < 0]
        if not entering:
            break
        # Bland's rule: the lowest number enters and, below, the lowest of equal ratios leaves.
        c = min(entering)[1]
        ratios = [(rows[r][n] / rows[r][c], basic[r], r) for r in range(m) if rows[r][c] > 0]
        r = min(ratios)[2]
        _pivot(rows, costs, r, c)
        basic[r], nonbasic[c] = nonbasic[c], basic[r]
    primal, prices = [Fraction(0)] * n, [Fraction(0)] * m
    for r, variable in enumerate(basic):
        if variable < n:
            primal[variable] = rows[r][n]
    for c, variable in enumerate(nonbasic):
        if variable >= n:
            prices[variable - n] = costs[c]
    return primal, prices


def _pivot(rows: list[list[Fraction]], costs: list[Fraction], r: int, c: int) -> None:
    """Exchange the variables of a row and a column."""
    pivot = rows[r][c]
    rows[r] = [x / pivot for x in rows[r]]
    rows[r][c] = 1 / pivot
    used = [k for k, x in enumerate(rows[r]) if x and k != c]
    for other in (*(row for k, row in enumerate(rows) if k != r), costs):
        factor = other[c]
        if factor:
            for k in used:
                other[k] -= factor * rows[r][k]
            other[c] = -factor / pivot


TOLERANCE = 1e-9
"""The tolerance of constraints, with payoffs of about 1."""


def solved_in_floats(form: SequenceForm) -> tuple[list[float], list[float]]:
    """Plans of both players, optimal up to rounding.

    Raises:
        MissingError: SciPy is not installed.
    """
    require("scipy", "fast")
    import numpy as np
    import scipy.sparse as sp
    from scipy.optimize import linprog

    one, two = form.sides
    E, F = _constraints(one), _constraints(two)
    pairs = np.array(list(form.payoffs), np.int64).reshape(-1, 2)
    values = np.array([x / form.scale for x in form.payoffs.values()])
    # HiGHS's tolerances are absolute, and mean "small" for payoffs of about 1.
    values /= abs(values).mean() if len(values) else 1
    A = sp.csr_matrix((values, (pairs[:, 1], pairs[:, 0])), (two.size, one.size))
    goal = np.zeros(one.size + F.shape[0])
    goal[one.size] = -1
    tolerances = "primal_feasibility_tolerance", "dual_feasibility_tolerance"
    optimum = linprog(
        goal,
        A_ub=sp.hstack([-A, F.T]).tocsr(),
        b_ub=np.zeros(two.size),
        A_eq=sp.hstack([E, sp.csr_matrix((E.shape[0], F.shape[0]))]).tocsr(),
        b_eq=np.eye(1, E.shape[0])[0],
        bounds=[(0, None)] * one.size + [(None, None)] * F.shape[0],
        method="highs-ds",
        options=dict.fromkeys(tolerances, TOLERANCE),
    )
    if optimum.x is None:
        raise RulesError(f"HiGHS finds no solution: {optimum.message}")
    first, second = optimum.x[: one.size].clip(min=0), (-optimum.ineqlin.marginals).clip(min=0)
    return first.tolist(), second.tolist()


def _constraints(side: Side) -> Any:
    """The constraints of a plan: 1 at the start, and flow conservation at each set."""
    import numpy as np
    import scipy.sparse as sp

    sizes = np.array([len(infoset.menu) for infoset in side.sets], np.int64)
    parents = np.array([infoset.parent for infoset in side.sets], np.int64)
    k = np.arange(1, len(side.sets) + 1)
    rows = np.concatenate([[0], k, np.repeat(k, sizes)])
    columns = np.concatenate([[EMPTY], parents, np.arange(1, side.size)])
    entries = np.concatenate([[1.0], -np.ones(len(k)), np.ones(side.size - 1)])
    return sp.csr_matrix((entries, (rows, columns)), (1 + len(k), side.size))


PRIME = 2**61 - 1
"""The largest prime below 2**61, for ranks modulo a prime in words of 64 bits."""
MAX_DENOMINATOR = 10**6
"""The largest denominator of an undetermined share."""

Linear = dict[int, int]
"""A linear form: coefficients by unknown; unknown 0 is the constant 1."""


def exact_plan(
    form: SequenceForm, seat: int, floats: Sequence[float], threshold: float
) -> list[Fraction] | None:
    """The plan in fractions with the options and equalities of `floats`, a plan of `seat`.

    Probabilities up to `threshold` count as 0, and values that differ by no more as equal. None if
    a probability would be negative.
    """
    linear, guesses = _unknowns(form, seat, floats, threshold)
    equations = _equations(form, seat, floats, linear, threshold)
    solved = _solve_equations(equations, guesses)
    plan = [Fraction(0)] * len(floats)
    for sequence, terms in linear.items():
        plan[sequence] = sum((solved[k] * c for k, c in terms.items()), Fraction(0))
    return None if min(plan) < 0 else plan


def _unknowns(
    form: SequenceForm, seat: int, floats: Sequence[float], threshold: float
) -> tuple[dict[int, Linear], list[float]]:
    """Each used sequence as a linear form, and approximate values of the unknowns."""
    linear: dict[int, Linear] = {EMPTY: {0: 1}}
    guesses = [1.0]
    for infoset in form.sides[seat].sets:
        if infoset.parent not in linear:
            continue
        used = [s for s in infoset.sequences if floats[s] > threshold]
        # A plan that gets here must take some option, however small its share is.
        used = used or [max(infoset.sequences, key=floats.__getitem__)]
        rest = dict(linear[infoset.parent])
        for s in used[:-1]:
            k = len(guesses)
            guesses.append(float(floats[s]))
            linear[s] = {k: 1}
            rest[k] = -1
        linear[used[-1]] = rest
    return linear, guesses


def _equations(
    form: SequenceForm,
    seat: int,
    floats: Sequence[float],
    linear: dict[int, Linear],
    threshold: float,
) -> list[Linear]:
    """The forms that must vanish for nearly best options to be equally good."""
    side, sign = form.sides[1 - seat], 1 if seat else -1
    values: list[Linear] = [{} for _ in range(side.size)]
    estimates = [0.0] * side.size
    for pair, value in form.payoffs.items():
        terms = linear.get(pair[seat])
        if terms is not None:
            other = pair[1 - seat]
            _add(values[other], terms, value)
            estimates[other] += floats[pair[seat]] * value
    equations = []
    for k in range(len(side.sets) - 1, -1, -1):
        infoset = side.sets[k]
        best = max(infoset.sequences, key=lambda s: sign * estimates[s])
        for s in infoset.sequences:
            # Nearly as good in floats is taken for equally good; the best replies will tell.
            if s != best and abs(estimates[s] - estimates[best]) <= threshold * form.scale:
                difference = dict(values[best])
                _add(difference, values[s], -1)
                if difference := {unknown: c for unknown, c in difference.items() if c}:
                    equations.append(difference)
        _add(values[infoset.parent], values[best], 1)
        estimates[infoset.parent] += estimates[best]
    return equations


def _add(to: Linear, terms: Linear, times: int) -> None:
    for k, c in terms.items():
        to[k] = to.get(k, 0) + c * times


def _solve_equations(equations: list[Linear], guesses: list[float]) -> list[Fraction]:
    """The unknowns; those not determined are as guessed."""
    solved = [Fraction(1), *(Fraction(x).limit_denominator(MAX_DENOMINATOR) for x in guesses[1:])]
    rows = list({tuple(sorted(row.items())): row for row in equations}.values())
    unknown = range(1, len(guesses))
    table = [[row.get(k, 0) for k in unknown] for row in rows]
    # What is independent modulo a prime is independent; the converse hardly ever fails.
    columns = _independent_columns(table)
    if not columns:
        return solved
    used = _independent_columns([list(column) for column in zip(*table, strict=True)])
    free = [0, *(k for k in unknown if k - 1 not in set(columns))]
    common = lcm(*(solved[k].denominator for k in free))
    right_side = [-sum(rows[r].get(k, 0) * int(solved[k] * common) for k in free) for r in used]
    matrix = fmpz_mat([[table[r][c] for c in columns] for r in used])
    solution = matrix.solve(fmpz_mat(len(right_side), 1, right_side))
    for r, c in enumerate(columns):
        x = solution[r, 0]
        solved[c + 1] = Fraction(int(x.p), int(x.q)) / common
    return solved


def _independent_columns(table: list[list[int]]) -> list[int]:
    """A maximal independent set of columns, modulo a prime."""
    if not table or not table[0]:
        return []
    reduced, rank = nmod_mat([[x % PRIME for x in row] for row in table], PRIME).rref()
    pivots, c = [], 0
    for r in range(rank):
        while not int(reduced[r, c]):
            c += 1
        pivots.append(c)
    return pivots
