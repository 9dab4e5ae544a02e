"""The sequence form of a game with hidden information (Koller, Megiddo and von Stengel 1996).

What a player sees when they choose is an *information set*. A *sequence* is an information set and
one of its options, or the empty sequence at the start. With perfect recall, a pair of sequences,
one for each player, represents all histories in which both make these moves. Its value is the sum
of theirs, weighted by the rolls. So a game is a sparse matrix, although it has exponentially many
pure policies.

Histories that lead to the same state by the same sequences are merged.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.model import Model, state_name
from sevenout.solving.hidden.sequences.subgames import in_order, subgames

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
