"""The sequence form of a game with hidden information (Koller, Megiddo and von Stengel 1996).

What a player sees when they choose is an *information set*. A *sequence* is an information set and
one of its options, or the empty sequence at the start. With perfect recall, a pair of sequences,
one for each player, represents all histories in which both make these moves. Its value is the sum
of theirs, weighted by the rolls. So a game is a sparse matrix, although it has exponentially many
pure policies. Histories that lead to the same state by the same sequences are merged.

A *realization plan* gives each sequence the probability of its player's own moves. The best reply
to a plan is found set by set, from the last, by additions and comparisons. For any two plans,

    min over replies to the first plan <= value <= max over replies to the second plan.

A node is the root of a *subgame* if no information set contains both nodes from it on and others
(Selten 1975). Nothing before it matters to the players. So a game of many turns is solved turn by
turn, from the end.
"""

from collections import deque
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from sevenout.errors import EndlessGameError, RulesError, shown
from sevenout.model import Model, state_name

Pair = tuple[int, int]
"""A sequence of the first player and one of the second."""

EMPTY = 0
"""The sequence of a player who has not chosen yet."""


class InformationSet(NamedTuple):
    """The states that look the same to the player who chooses.

    Attributes:
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
        sets: each after that of its parent.
        home: for each sequence, the index of its information set; -1 for the empty one.
    """

    player: str
    sets: list[InformationSet] = field(default_factory=list)
    home: list[int] = field(default_factory=lambda: [-1])
    index: dict[Hashable, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of sequences."""
        return len(self.home)

    def add(self, seen: Hashable, menu: tuple[str, ...], parent: int) -> InformationSet:
        """Add an information set."""
        added = InformationSet(seen, menu, parent, len(self.home))
        self.index[seen] = len(self.sets)
        self.home.extend([len(self.sets)] * len(menu))
        self.sets.append(added)
        return added

    def past(self, sequence: int) -> list[tuple[Hashable, str]]:
        """What they saw and did, from their first choice."""
        found = []
        while sequence:
            own = self.sets[self.home[sequence]]
            found.append((own.seen, own.menu[sequence - own.first]))
            sequence = own.parent
        return found[::-1]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A two-player zero-sum game as a sparse matrix.

    Attributes:
        sides: the first player maximizes, the second minimizes.
        payoffs: by pair of sequences, the first player's value times `scale`.
        chances: by pair of sequences, the probability of the rolls that then end the game, times
            `unit`.
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

    def valued(self, values: Mapping[int, Fraction]) -> "SequenceForm":
        """The same with each later subgame replaced by its value."""
        if not self.calls:
            return self
        pays = {pair: Fraction(x, self.scale) for pair, x in self.payoffs.items()}
        for root, pairs in self.calls.items():
            for pair, chance in pairs.items():
                pays[pair] = pays.get(pair, Fraction(0)) + chance * values[root]
        payoffs, scale = _integers(pays)
        return replace(self, payoffs=payoffs, scale=scale)


def sequence_form(model: Model, values: Sequence[Fraction]) -> SequenceForm:
    """The sequence form of a game without subgames, or of the part before them.

    `values` are the values of the outcomes to the first player.

    Raises:
        EndlessGameError: the game may go on forever.
        RulesError: a player forgets what they saw or did, or has different options where they see
            the same.
    """
    return sequence_forms(model, values)[0]


def sequence_forms(model: Model, values: Sequence[Fraction]) -> dict[int, SequenceForm]:
    """The sequence form of each subgame by root, later ones after earlier ones.

    Arguments and errors are those of `sequence_form`.
    """
    found = subgames(model)
    return {root: _Unfolding(model, values, nodes, found).form() for root, nodes in found.items()}


def whole_form(model: Model, values: Sequence[Fraction], players: tuple[str, ...]) -> SequenceForm:
    """The sequence form of a whole game, subgames included, for `players` in these seats.

    Other arguments and errors are those of `sequence_form`.
    """
    return _Unfolding(model, values, in_order(model), {0}, players).form()


class _Unfolding:
    """Every path through a subgame, by the sequences of both players."""

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
        self.at: dict[int, dict[Pair, Fraction]] = {order[0]: {(EMPTY, EMPTY): Fraction(1)}}
        self.calls: dict[int, dict[Pair, Fraction]] = {}
        self.pays: dict[Pair, Fraction] = {}
        self.ends: dict[Pair, Fraction] = {}
        self.first_in: dict[tuple[int, int], int] = {}  # a node of each set
        self.nodes = 0

    def form(self) -> SequenceForm:
        for node in self.order:
            reached = self.at.pop(node, {})
            self.nodes += len(reached)
            if node in self.model.choosers:
                self._choose(node, reached)
            else:
                self._chance(node, reached)
        payoffs, chances = _integers(self.pays), _integers(self.ends)
        return SequenceForm(self.sides, *payoffs, *chances, self.nodes, self.calls)

    def _chance(self, node: int, reached: Mapping[Pair, Fraction]) -> None:
        model = self.model
        first = model.first[node]
        weights: tuple[int, ...]
        if model.menus[node]:  # the only option
            weights, total = (1,), 1
        else:
            law = model.rollables[model.rolled[node]].law
            weights, total = law.weights, law.denominator
        for k, weight in enumerate(weights):
            share = Fraction(weight, total)
            for pair, chance in reached.items():
                self._lead(model.targets[first + k], pair, chance * share)

    def _choose(self, node: int, reached: Mapping[Pair, Fraction]) -> None:
        model = self.model
        seat = self.seats[model.choosers[node]]
        first = model.first[node]
        for pair, chance in reached.items():
            own = self._set(node, seat, pair[seat])
            for k, sequence in enumerate(own.sequences):
                then = (pair[0], sequence) if seat else (sequence, pair[1])
                self._lead(model.targets[first + k], then, chance)

    def _lead(self, target: int, pair: Pair, chance: Fraction) -> None:
        n = len(self.model.states)
        if target < n and target not in self.roots:
            _gather(self.at.setdefault(target, {}), pair, chance)
            return
        _gather(self.ends, pair, chance)
        if target < n:
            _gather(self.calls.setdefault(target, {}), pair, chance)
        else:
            _gather(self.pays, pair, chance * self.values[target - n])

    def _set(self, node: int, seat: int, parent: int) -> InformationSet:
        """The information set of a node, reached by a sequence of its player."""
        model, side = self.model, self.sides[seat]
        seen, menu = model.seen.get(node, model.states[node]), model.menus[node]
        k = side.index.get(seen)
        if k is None:
            self.first_in[seat, len(side.sets)] = node
            return side.add(seen, menu, parent)
        own = side.sets[k]
        if own.menu != menu:
            raise RulesError(
                f"{shown(side.player)} sees {shown(seen)} in two states and may do different "
                f"things there: {', '.join(own.menu)} in {self._state(self.first_in[seat, k])}, "
                f"{', '.join(menu)} in {self._state(node)}; let `sees` tell them apart"
            )
        if own.parent != parent:
            one, two = (_told(side.past(past)) for past in (own.parent, parent))
            raise RulesError(
                f"{shown(side.player)} forgets: they see {shown(seen)} after {one}, and after "
                f"{two}; let `sees` keep what they saw and did"
            )
        return own

    def _state(self, node: int) -> str:
        return shown(self.model.states[node])


def _gather(into: dict[Pair, Fraction], pair: Pair, more: Fraction) -> None:
    into[pair] = into[pair] + more if pair in into else more


def _integers(table: Mapping[Pair, Fraction]) -> tuple[dict[Pair, int], int]:
    """A table without zeros, times its common denominator."""
    scale = lcm(*(x.denominator for x in set(table.values())))
    whole = {pair: x.numerator * (scale // x.denominator) for pair, x in table.items() if x}
    return whole, scale


def _told(past: list[tuple[Hashable, str]]) -> str:
    if not past:
        return "no choice"
    return ", ".join(f"{option} where they saw {state_name(seen)}" for seen, option in past)


def subgames(model: Model) -> dict[int, list[int]]:
    """The nodes of each subgame by root, without those of nested subgames.

    A root stands before later roots, and a node after those that lead to it.

    >>> import sevenout as so
    >>> kuhn = so.explore(so.games("kuhn"))
    >>> {root: len(nodes) for root, nodes in subgames(kuhn).items()}
    {0: 25}
    """
    order = in_order(model)
    label = [_information(model, s) for s in range(len(model.states))]
    alike: dict[Hashable, int] = {}
    for s in order:
        alike[label[s]] = alike.get(label[s], 0) + 1
    roots = {s for s in order if alike[label[s]] == 1} | {0}
    place = {s: k for k, s in enumerate(order)}
    while True:
        home, wrong = _homes(model, order, label, roots, place)
        if not wrong:
            break
        roots -= wrong
    found: dict[int, list[int]] = {}
    for s in order:
        found.setdefault(home[s], []).append(s)
    return found


def _information(model: Model, s: int) -> Hashable:
    """The information set of a node; if nobody chooses there, the node itself."""
    return model.question(s) if s in model.seen else s


def _homes(
    model: Model, order: list[int], label: list[Hashable], roots: set[int], place: dict[int, int]
) -> tuple[dict[int, int], set[int]]:
    """The nearest root before each node, and roots that would split an information set."""
    n = len(model.states)
    home: dict[int, int] = {}
    shared: dict[Hashable, int] = {}
    wrong: set[int] = set()
    for s in order:
        own = s if s in roots else home[s]
        home[s] = own
        other = shared.setdefault(label[s], own)
        if other != own:
            wrong.add(max(own, other, key=place.__getitem__))
        for target in model.targets[model.first[s] : model.first[s + 1]]:
            if target < n and target not in roots:
                other = home.setdefault(target, own)
                if other != own:
                    wrong.add(max(own, other, key=place.__getitem__))
    return home, wrong


def in_order(model: Model) -> list[int]:
    """The nodes in topological order.

    Raises:
        EndlessGameError: a state repeats.
    """
    n = len(model.states)
    into = [0] * n
    for target in model.targets:
        if target < n:
            into[target] += 1
    ready = deque(s for s in range(n) if not into[s])
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in model.targets[model.first[node] : model.first[node + 1]]:
            if target < n:
                into[target] -= 1
                if not into[target]:
                    ready.append(target)
    if len(order) < n:
        some = next(s for s in range(n) if into[s])
        raise EndlessGameError(
            f"state {shown(model.states[some])} may come back again and again; a game in which "
            "something is hidden must end after a given number of moves"
        )
    return order


@dataclass(frozen=True, eq=False)
class BestReply:
    """The best reply to a plan.

    Attributes:
        gains: for each sequence of the replier, the first player's value from there on, times the
            probability of all others' moves.
        reached: for each information set, the probability of all others' moves.
    """

    gains: Sequence[Fraction]
    values: Sequence[Fraction]
    reached: Sequence[Fraction]

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player."""
        return self.gains[EMPTY]


def best_reply(form: SequenceForm, plan: Sequence[Fraction], seat: int) -> BestReply:
    """The best reply of the player in `seat` to the other's plan.

    >>> import sevenout as so
    >>> from sevenout.catalogue import games
    >>> from sevenout.solving.hidden import sequence_form
    >>> pennies = so.explore(games("matching-pennies"))
    >>> form = sequence_form(pennies, [outcome.profit("first") for outcome in pennies.outcomes])
    >>> best_reply(form, [Fraction(1), Fraction(3, 4), Fraction(1, 4)], 1).value
    Fraction(-1, 2)

    Args:
        form: the game.
        plan: for each sequence, the probability of the other player's own moves.
        seat: 0 for the first player, who maximizes; else 1.

    Raises:
        RulesError: it is not a plan.
    """
    must_be_a_plan(form.sides[1 - seat], plan)
    unit = lcm(*(x.denominator for x in plan))
    weights = [x.numerator * (unit // x.denominator) for x in plan]
    side, scale = form.sides[seat], unit * form.scale
    gains = met(form.payoffs, weights, seat, side.size)
    chances = met(form.chances, weights, seat, side.size)
    values, reached = [0] * len(side.sets), [0] * len(side.sets)
    choose = min if seat else max
    for k in range(len(side.sets) - 1, -1, -1):
        own = side.sets[k]
        values[k] = choose(gains[own.first : own.first + len(own.menu)])
        reached[k] = chances[own.first]
        gains[own.parent] += values[k]
        chances[own.parent] += reached[k]
    return BestReply(
        [Fraction(x, scale) for x in gains],
        [Fraction(x, scale) for x in values],
        [Fraction(x, unit * form.unit) for x in reached],
    )


def met(
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
    for own in side.sets:
        shares = plan[own.first : own.first + len(own.menu)]
        if min(shares) < 0:
            raise RulesError(
                f"a plan has the probability {shown(str(min(shares)))} at {shown(own.seen)}"
            )
        if sum(shares) != plan[own.parent]:
            raise RulesError(
                f"the options at {shown(own.seen)} add up to {shown(str(sum(shares)))}; the plan "
                f"gets there with {shown(str(plan[own.parent]))}"
            )


def mixture(side: Side, plan: Sequence[Fraction], k: int) -> tuple[Fraction, ...] | None:
    """A plan's probability of each option in an information set; None if it never gets there."""
    own = side.sets[k]
    total = plan[own.parent]
    if not total:
        return None
    return tuple(plan[sequence] / total for sequence in own.sequences)


def plan_of(side: Side, mixtures: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The realization plan of probabilities by information set."""
    plan = [Fraction(1)] * side.size
    for own, mixed in zip(side.sets, mixtures, strict=True):
        for sequence, share in zip(own.sequences, mixed, strict=True):
            plan[sequence] = plan[own.parent] * share
    return plan
