"""Rules in which something is hidden ► the sequence form (Koller, Megiddo and von Stengel 1996).

What a player sees when they choose is an *information set*; a *sequence* is an information set and
an option of it, or the empty sequence with which every player begins. Where no one forgets, a pair
of sequences, one for each player, stands for all histories in which both play their part, and their
value is one number: the sum of the values, each times the chance of its rolls. So a game is a
sparse matrix with a row for each sequence of the first player and a column for each of the second,
though it has exponentially many pure policies.

Histories that lead to the same state by the same sequences are merged: the order in which two dice
fell is never told apart.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.hidden.sequences.subgames import in_order, subgames
from sevenout.model import Model, state_name

Pair = tuple[int, int]
"""A sequence of the first player and one of the second."""

EMPTY = 0
"""The sequence of a player who has not chosen yet."""


class InformationSet(NamedTuple):
    """All that is one to the player who chooses.

    Attributes:
        seen: what they see.
        menu: their options.
        parent: the sequence that brought them here.
        first: the sequence of the first option; those of the others follow it.
    """

    seen: Hashable
    menu: tuple[str, ...]
    parent: int
    first: int

    @property
    def sequences(self) -> range:
        """A sequence for each option."""
        return range(self.first, self.first + len(self.menu))


@dataclass(frozen=True, eq=False)
class Side:
    """What one player may see and do.

    Attributes:
        player: their name.
        sets: their information sets; a set stands after that of its parent.
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
        """A new information set."""
        added = InformationSet(seen, menu, parent, len(self.home))
        self.index[seen] = len(self.sets)
        self.home.extend([len(self.sets)] * len(menu))
        self.sets.append(added)
        return added

    def past(self, sequence: int) -> list[tuple[Hashable, str]]:
        """What they saw and did, from the first choice on."""
        found = []
        while sequence:
            own = self.sets[self.home[sequence]]
            found.append((own.seen, own.menu[sequence - own.first]))
            sequence = own.parent
        return found[::-1]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game of two opposed players as a sparse matrix.

    Attributes:
        sides: the two players; the first wants the most, the second the least.
        payoffs: by pair of sequences, the value of it to the first player, times the scale.
        scale: the common denominator of the worths.
        chances: by pair of sequences, how likely the rolls are that end the game after them, times
            the unit.
        unit: the common denominator of the chances.
        nodes: how many positions there are.
        calls: by the root of a subgame that follows, how likely the rolls are that lead to it after
            each pair of sequences.
    """

    sides: tuple[Side, Side]
    payoffs: Mapping[Pair, int]
    scale: int
    chances: Mapping[Pair, int]
    unit: int
    nodes: int
    calls: Mapping[int, Mapping[Pair, Fraction]] = field(default_factory=dict)

    def valued(self, values: Mapping[int, Fraction]) -> "SequenceForm":
        """The same where each subgame that follows ends the game at its value."""
        if not self.calls:
            return self
        pays = {pair: Fraction(x, self.scale) for pair, x in self.payoffs.items()}
        for root, pairs in self.calls.items():
            for pair, chance in pairs.items():
                pays[pair] = pays.get(pair, Fraction(0)) + chance * values[root]
        payoffs, scale = _integers(pays)
        return replace(self, payoffs=payoffs, scale=scale)


def sequence_form(model: Model, worths: Sequence[Fraction]) -> SequenceForm:
    """The sequence form of a game without subgames, or of what comes before them.

    Args:
        model: a game in which one or two named players choose.
        worths: the value of each outcome to the first player.

    Raises:
        EndlessGameError: a game that may go on for ever.
        RulesError: a player forgets what they saw or did, or sees the same where they may do
            different things.
    """
    return sequence_forms(model, worths)[0]


def sequence_forms(model: Model, worths: Sequence[Fraction]) -> dict[int, SequenceForm]:
    """The sequence form of each subgame, by its root; one that follows another stands after it.

    Arguments and errors are those of `sequence_form`.
    """
    found = subgames(model)
    return {root: _Unfolding(model, worths, nodes, found).form() for root, nodes in found.items()}


def whole_form(model: Model, worths: Sequence[Fraction], players: tuple[str, ...]) -> SequenceForm:
    """The sequence form of a game as a whole, whether or not parts of it are subgames.

    Arguments and errors are those of `sequence_form`; but that the players have these seats.
    """
    return _Unfolding(model, worths, in_order(model), {0}, players).form()


class _Unfolding:
    """Every way through a subgame, by the sequences of both players."""

    def __init__(
        self,
        model: Model,
        worths: Sequence[Fraction],
        order: list[int],
        roots: Collection[int],
        players: tuple[str, ...] = (),
    ) -> None:
        self.model, self.worths, self.order, self.roots = model, worths, order, roots
        names = (*(players or model.players), "")[:2]
        self.sides = Side(names[0]), Side(names[1])
        self.seats = {who: seat for seat, who in enumerate(names)}
        self.at: dict[int, dict[Pair, Fraction]] = {order[0]: {(EMPTY, EMPTY): Fraction(1)}}
        self.calls: dict[int, dict[Pair, Fraction]] = {}
        self.pays: dict[Pair, Fraction] = {}
        self.ends: dict[Pair, Fraction] = {}
        self.first_in: dict[tuple[int, int], int] = {}  # a node of each information set
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
        if model.menus[node]:  # there is one answer, given once for all
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
            _gather(self.pays, pair, chance * self.worths[target - n])

    def _set(self, node: int, seat: int, parent: int) -> InformationSet:
        """The information set of a node, reached by a sequence of the player's own."""
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
    """A table times its common denominator, without what is 0."""
    scale = lcm(*(x.denominator for x in set(table.values())))
    whole = {pair: x.numerator * (scale // x.denominator) for pair, x in table.items() if x}
    return whole, scale


def _told(past: list[tuple[Hashable, str]]) -> str:
    if not past:
        return "no choice"
    return ", ".join(f"{option} where they saw {state_name(seen)}" for seen, option in past)
