"""The model of a game, which every engine reads, and its chains.

Rules are explored once into a `Model`, and no engine reads the rules. A model without decisions is
a `Chain`; `model.under(policy)` is one too, so every engine accepts every policy. What both store,
and how policies are followed, is in `sevenout.model.process`.
"""

from array import array
from bisect import bisect
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.model.equivalence import fingerprint, lumping
from sevenout.model.graph import not_collecting, strongly_connected_components, traps_of
from sevenout.model.naming import state_name
from sevenout.model.process import (
    MAX_LISTED,
    SEATS,
    DrawingWalk,
    KeepingWalk,
    MixedPolicy,
    Policy,
    Process,
    SkippingWalk,
    Walk,
)
from sevenout.rolling import Rollable
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts, counts_rolls, rolls_of


class Model(Process):
    """The finite model of a game: a Markov decision process with bets and counters.

    What is stored is described at `Process`: `states`, `outcomes`, `rollables`, `stakes`, the
    arrays of moves, the options and who decides. What is derived from it is cached.

    Attributes:
        bets: the names of the bets.
        counters: the names of the counters, "rolls" first.
        own_counters: those that the rules advance.
        labels: the labels of the outcomes.
        decisions: the nodes at which a player decides.
        node_by_key: the decision node of each key of a policy.
        players: the deciding players, if the rules name them.
        passes: whether turns pass between two players.
    """

    def __repr__(self) -> str:
        nodes = f"{len(self.states):,} states and {len(self.outcomes):,} outcomes"
        return f"<{type(self).__name__} of {nodes}>"

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """The names of the bets."""
        return tuple(dict.fromkeys(bet for outcome in self.outcomes for bet, _ in outcome.pays))

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The names of the counters, "rolls" first."""
        advanced = (name for counts in self.tags for name, _ in counts)
        return tuple(dict.fromkeys(["rolls", *self.declared_counters, *advanced]))

    @property
    def own_counters(self) -> list[str]:
        """The counters that the rules advance: all but the rolls, of the game and of each bet."""
        return [counter for counter in self.counters if not counts_rolls(counter)]

    def check_counter(self, counter: str) -> None:
        """Refuse a counter that the game doesn't have.

        Raises:
            RulesError: no such counter.
        """
        if counter not in self.counters:
            counters = ", ".join(self.counters)
            raise RulesError(f"the game has no counter {shown(counter)}; it has: {counters}")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the outcomes."""
        return tuple(dict.fromkeys(outcome.label for outcome in self.outcomes))

    def stake(self, bet: str) -> Fraction:
        """The stake of a bet; 1 if no outcome of the chain pays it."""
        return Fraction(self.stakes.get(bet, 1))

    def bet_named(self, bet: str | None) -> str:
        """The bet, if the game has it; the only one, if none is named.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        if not self.bets:
            raise RulesError("the game has no bets; ask for its outcomes, rolls or counters")
        # A craps table has a hundred bets, too many for one line.
        listed = shown(", ".join(self.bets), 240)[1:-1]
        if bet is None and len(self.bets) > 1:
            raise RulesError(f"the game has several bets; name one: {listed}")
        if bet is not None and bet not in self.bets:
            raise RulesError(f"no bet {shown(bet)}; the game has: {listed}")
        return self.bets[0] if bet is None else bet

    def rolls_until(self, bet: str) -> str:
        """The counter of rolls until a bet is settled; at a table, the bet's own."""
        own = rolls_of(bet)
        return own if own in self.counters else "rolls"

    def under(self, policy: Policy, against: Policy | None = None) -> "Chain":
        """The chain under a policy; a chain is returned unchanged.

        >>> import sevenout as so
        >>> class Turn(so.Game):
        ...     dice, start = so.d6, 0
        ...     def choices(self, points):
        ...         return {"roll": points, "hold": so.settle("hold", {"turn": points})}
        ...     def step(self, points, face):
        ...         return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
        >>> held = so.explore(Turn()).under(lambda points: "roll" if points < 20 else "hold")
        >>> so.solve(held).bet("turn").mean
        Fraction(492303203, 60466176)

        If turns pass, the states are (seat, state) with the seats "first" and "second"; bets are
        paid as the first player sees them. With hidden information, a policy takes (player, what
        they see) and may return a mixture; its draws count as rolls.

        Args:
            policy: the player's, or the first player's.
            against: the other players'; default the same.

        Raises:
            RulesError: the policy names an unknown option, or `against` is of nobody.
            EndlessGameError: the game would go on for ever.
        """
        if against is not None and len(self.players) < 2 and not self.passes:
            raise RulesError("the game has one player; leave against out")
        # A mixture pays only where something is hidden; elsewhere a policy names one option.
        if self.views:
            return under_mixtures(self, policy, against)
        names = self.players
        if not names:
            names = SEATS if self.passes else ("",)
        others = policy if against is None else against
        policies = dict.fromkeys(names, others) | {names[0]: policy}
        coordinates = () if self.passes else self.coordinates
        return _chain_of_walk(SkippingWalk(self, policies), coordinates)


class Move(NamedTuple):
    """The target of a roll, and the counters that it advances.

    >>> Move(target=3, counts=(("won", 1),)).target
    3

    Attributes:
        target: the index of a state; or, from `len(chain.states)` on, of an outcome.
        counts: (counter, increment) pairs; the counter of rolls is implied.
    """

    target: int
    counts: Counts


class Edge(NamedTuple):
    """All rolls in a state with the same move.

    >>> Edge(weight=6, target=0, counts=())
    Edge(weight=6, target=0, counts=())

    Attributes:
        weight: their number, out of the chain's `denominator` equally likely cases.
        target: as in `Move`.
        counts: as in `Move`.
    """

    weight: int
    target: int
    counts: Counts


class Chain(Model):
    """A finite absorbing Markov chain: a model without decisions.

    A chain stores what a model stores: the target of each face of each roll. What engines read is
    derived from it, each form once and only when needed: `moves` by face, `rows` with equal moves
    merged, `weights` with equal targets merged.

    A chain too large to explore may be partial; unexplored states have no moves. Chains with equal
    fingerprints are equal: the names and order of states don't matter.

    Attributes:
        moves: the moves of each state, one per face of its roll.
        rows: the edges of each state, over the common `denominator`.
        weights: the weight to each target of each state, over the common `denominator`.
        denominator: what the weights out of each state add up to.
        rollable_weights: the weight of each outcome of each rollable, over that.
        components: the strongly connected components, as lists of states.
        exits: the edges that settle the game, as (state, outcome).
        units: the factor that makes the increments of a counter whole, by counter.
        explored_count: the number of states with moves.
        lumping: the class of each state, shape (states,).
        fingerprint: the content hash.
    """

    @classmethod
    def of_moves(
        cls,
        *,
        states: Iterable[Hashable],
        outcomes: Iterable[Outcome],
        rollables: Iterable[Rollable],
        rollable_index: Iterable[int],
        moves: Iterable[Iterable[tuple[int, Counts]]],
        stakes: Mapping[str, Fraction],
        declared_counters: tuple[str, ...] = (),
        listed_labels: tuple[str, ...] = (),
    ) -> "Chain":
        """The chain whose states have these moves: (target, counters advanced)."""
        first, targets, tag_index = array("q", [0]), array("i"), array("i")
        tags: dict[Counts, int] = {(): 0}  # tag 0 counts nothing, as in every model
        for row in moves:
            for target, counts in row:
                targets.append(target)
                tag_index.append(tags.setdefault(counts, len(tags)))
            first.append(len(targets))
        return cls(
            states=tuple(states),
            outcomes=tuple(outcomes),
            rollables=tuple(rollables),
            rollable_index=array("i", rollable_index),
            first_move=first,
            targets=targets,
            tag_index=tag_index,
            tags=tuple(tags),
            stakes=stakes,
            declared_counters=declared_counters,
            listed_labels=listed_labels,
        )

    @cached_property
    def moves(self) -> tuple[tuple[Move, ...], ...]:
        """The moves of each state, one per outcome of the roll, in its distribution's order."""
        # Most moves repeat, so one object serves all that are equal.
        shared: dict[tuple[int, int], Move] = {}
        moves = [
            shared.get(key) or shared.setdefault(key, Move(key[0], self.tags[key[1]]))
            for key in zip(self.targets, self.tag_index, strict=True)
        ]
        return tuple([tuple(moves[start:end]) for start, end in pairwise(self.first_move)])

    @cached_property
    def denominator(self) -> int:
        """The common denominator: the sum of the weights out of each state."""
        return lcm(*(rollable.law.denominator for rollable in self.rollables))

    @cached_property
    def rollable_weights(self) -> list[list[int]]:
        """The weight of each outcome of each rollable, over the common denominator."""
        return [
            [w * (self.denominator // rollable.law.denominator) for w in rollable.law.weights]
            for rollable in self.rollables
        ]

    @cached_property
    def weights(self) -> list[dict[int, int]]:
        """The weight to each target, for each state."""
        return [
            # Not strict: an unexplored state has no moves, whatever is rolled there.
            sum_by_key(zip(self.targets_of(s), self.rollable_weights[rolled], strict=False))
            for s, rolled in enumerate(self.rollable_index)
        ]

    @cached_property
    def components(self) -> list[list[int]]:
        """The strongly connected components of the states, in topological order."""
        return strongly_connected_components(self.weights)

    @cached_property
    def rows(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges of each state; rolls with the same move are merged."""
        rows = []
        tags = self.tags
        for s, rolled in enumerate(self.rollable_index):
            weights = self.rollable_weights[rolled]
            merged = sum_by_key(zip(self._tagged_targets(s), weights, strict=False))
            rows.append(tuple([Edge(w, target, tags[tag]) for (target, tag), w in merged.items()]))
        return tuple(rows)

    def _tagged_targets(self, s: int) -> Iterator[tuple[int, int]]:
        """The target and the tag of each move of a state."""
        start, end = self.first_move[s : s + 2]
        return zip(self.targets[start:end], self.tag_index[start:end], strict=True)

    @property
    def edge_tags(self) -> Iterator[int]:
        """For each edge, row by row, the index of its counters."""
        for s in range(len(self.states)):
            yield from (tag for _, tag in dict.fromkeys(self._tagged_targets(s)))

    @cached_property
    def explored_count(self) -> int:
        """The number of states with moves; fewer than all if the chain is partial."""
        return sum(start < end for start, end in pairwise(self.first_move))

    @cached_property
    def exits(self) -> list[tuple[int, int]]:
        """The edges that settle the game, in order: the state and the outcome of each."""
        n, targets, tag_index = len(self.states), self.targets, self.tag_index
        moves = [i for i, target in enumerate(targets) if target >= n]
        exits = ((bisect(self.first_move, i) - 1, targets[i], tag_index[i]) for i in moves)
        # Edges differ in their counters too, so one pair may occur twice.
        return [(s, target - n) for s, target, _ in dict.fromkeys(exits)]

    @cached_property
    def units(self) -> dict[str, int]:
        """For each counter, the factor that makes all its increments whole."""
        units = dict.fromkeys(self.counters, 1)
        for counts in self.tags:
            for name, increment in counts:
                units[name] = lcm(units[name], increment.denominator)
        return units

    def started_at(self, state: Hashable) -> "Chain":
        """The chain with another start, without unreachable states.

        >>> from sevenout.model import explore
        >>> from sevenout.rules import PointGame
        >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
        >>> craps.started_at(4)
        <Chain of 1 states and 2 outcomes>

        Raises:
            RulesError: the chain has no such state; the message names some that it has.
        """
        if state not in self.states:
            listed = ", ".join(shown(s, 30) for s in self.states[:MAX_LISTED])
            more = ", ..." if len(self.states) > MAX_LISTED else ""
            raise RulesError(
                f"the game is never in state {shown(state)}; its states: {listed}{more}"
            )
        n = len(self.states)
        reachable = [self.states.index(state)]
        number = {reachable[0]: 0}  # the new number of each target
        for s in reachable:  # grows during the loop
            for target in self.weights[s]:
                if target < n and target not in number:
                    number[target] = len(reachable)
                    reachable.append(target)
        # Outcomes stay in the order of the rule book, whichever is reached first.
        ends = sorted({target for s in reachable for target in self.weights[s] if target >= n})
        number |= {target: i for i, target in enumerate(ends, len(reachable))}
        rolled = dict.fromkeys(self.rollable_index[s] for s in reachable)
        number_rolled = {index: i for i, index in enumerate(rolled)}
        return Chain.of_moves(
            states=[self.states[s] for s in reachable],
            outcomes=[self.outcomes[target - n] for target in ends],
            rollables=[self.rollables[index] for index in rolled],
            rollable_index=[number_rolled[self.rollable_index[s]] for s in reachable],
            moves=[[(number[to], counts) for to, counts in self.moves[s]] for s in reachable],
            stakes=self.stakes,
            declared_counters=self.declared_counters,
            listed_labels=self.listed_labels,
        )

    def under(self, policy: Policy, against: Policy | None = None) -> "Chain":
        """The chain itself: nobody decides."""
        return self

    def name(self, target: int) -> str:
        """A state or an outcome in words."""
        n = len(self.states)
        if target >= n:
            return self.outcomes[target - n].label
        return state_name(self.states[target])

    @cached_property
    def lumping(self) -> list[int]:
        """The class of each state, numbered in order of occurrence."""
        return lumping(self.rows, self.outcomes, self.components)

    @cached_property
    def fingerprint(self) -> str:
        """A content hash of 64 hex digits, independent of the names and order of states."""
        stakes = {bet: self.stake(bet) for bet in self.bets}
        return fingerprint(self.rows, self.outcomes, self.lumping, stakes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chain):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        # Equal chains must have equal hashes, whatever their states are called.
        return hash(self.fingerprint)


def _chain_of_walk(walk: Walk, coordinates: Sequence[str] = ()) -> Chain:
    """The chain of a walk that leaves no decisions.

    Raises:
        EndlessGameError: the game would go on for ever.
    """
    with not_collecting():
        walk.follow_moves()
        states = tuple(walk.states())
        traps_of(states, (), walk.first_move, walk.targets)
    return Chain(states=states, coordinates=coordinates, **walk.fields())


def under_mixtures(model: Model, policy: MixedPolicy, against: MixedPolicy | None = None) -> Chain:
    """The chain under mixed policies; each draw is a step of the chain, like a roll.

    >>> import sevenout as so
    >>> pennies = so.explore(so.games("matching-pennies"))
    >>> even = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    >>> mixed = under_mixtures(pennies, dict.fromkeys(pennies.node_by_key, even))
    >>> so.solve(mixed).bet("first").p_win
    Fraction(1, 2)

    Args:
        model: the game; turns must not pass.
        policy: the first player's; options without an entry have probability 0.
        against: the second player's; default the same.

    Raises:
        RulesError: an invalid policy.
        EndlessGameError: the game would go on for ever.
    """
    return _chain_of_walk(DrawingWalk(model, policy, against))


def add_seats(model: Model) -> Model:
    """The model whose states include the seat, with outcomes as the first player sees them.

    The states are (seat, state); the choosers are "first" and "second".

    >>> from sevenout.model import explore
    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import Game, pass_turn, win
    >>> class FirstSix(Game):
    ...     dice, start = d6, "roll"
    ...     def choices(self, state):
    ...         return {"roll": "roll", "wait": pass_turn("must")} if state == "roll" else {}
    ...     def step(self, state, face):
    ...         return win() if face == 6 else pass_turn("roll")
    >>> add_seats(explore(FirstSix())).states[:2]
    [('first', 'roll'), ('first', 'roll')]
    """
    return fix_policies(model, {}) if model.passes else model


def fix_policies(model: Model, policies: Mapping[str, Policy]) -> Model:
    """The model in which some players follow policies, without unreachable states.

    If turns pass, the players are the seats and the states (seat, state); with one remaining
    player, the states are the game's.

    Args:
        model: the game.
        policies: by player; each then has one option in each state.

    Raises:
        RulesError: no such player, or a policy that has no entry for a state or names an unknown
            option.
    """
    players = SEATS if model.passes else model.players
    for player in policies:
        if player not in players:
            listed = ", ".join(players) or "one"
            raise RulesError(f"no player {shown(player)} makes choices; the players are: {listed}")
    with not_collecting():
        walk = KeepingWalk(model, policies)
        walk.follow_moves()
        states, nodes = walk.states(), [seated_node >> 1 for seated_node in walk.order]
        traps: frozenset[int] = frozenset()
        if model.traps:  # fewer options, fewer ways to go on for ever
            traps = traps_of(states, walk.menus, walk.first_move, walk.targets)
    return Model(
        states=states,
        menus=walk.menus,
        choosers=walk.choosers,
        traps=traps,
        coordinates=model.coordinates,
        goal=model.goal,
        views={s: model.views[nodes[s]] for s in walk.choosers if nodes[s] in model.views},
        **walk.fields(),
    )
