"""A finite Markov decision process with integer weights (Puterman 1994), and its policies.

*Arrays.* `Process` is what a model stores. At a roll, chance selects the move; at a decision, a
player does. A roll keeps its source and the target of each face, so one structure serves exact
weights, perturbed weights and the replay of a log. Arrays take 8 bytes per move.

*Turns.* If turns pass between two players, a node is seen by the player to move. A move that
`passes` turns the interest over, which halves the number of nodes.

*Policies.* A `Walk` follows a process from its start and writes down what can still be reached. Its
kinds differ in what they make of a decision with a policy: `KeepingWalk` leaves it with one option,
`SkippingWalk` passes over it, and `DrawingWalk` turns it into a roll.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model.naming import state_name
from sevenout.numerals import exact
from sevenout.rolling import Law, Rollable
from sevenout.rules import Objective, Outcome
from sevenout.rules.outcome import Counts, added

Policy = Callable[[Any], str] | Mapping[Any, str]
"""A player's option by state, as a function or a table."""

ChoiceMixture = Mapping[str, Fraction]
"""The probability of each option."""

MixedPolicy = Callable[[Any], str | ChoiceMixture] | Mapping[Any, str | ChoiceMixture]
"""A player's option or mixture, by (player, what they see)."""

SEATS = ("first", "second")
"""The players of a game in which turns pass."""

NO_ROLL: Counts = (("rolls", Fraction(-1)),)
"""The counts of a move that is no roll of dice; every other move counts one roll."""

MAX_LISTED = 8
"""The most states that an error message lists."""


@dataclass(frozen=True, eq=False, repr=False)
class Process:
    """What a model stores of a finite Markov decision process; node 0 is the start.

    Nodes are rows of a sparse table. The moves of node s are `first_move[s]` up to
    `first_move[s + 1]`: one per outcome of the roll, in its distribution's order, or one per
    option, in the order of the menu. A model is never changed; what is derived from it is cached.

    Attributes:
        states: the state of each node, shape (nodes,); one state may be both a decision and a roll.
        outcomes: the outcomes as the player to move sees them; outcome k is target
            `len(states) + k`.
        rollables: the distinct rollables.
        rollable_index: the index of each node's rollable, shape (nodes,); -1 at a decision.
        first_move: the index of each node's first move, then the number of moves; shape
            (nodes + 1,).
        targets: a node, or, from `len(states)` on, an outcome, shape (moves,).
        tag_index: the index of each move's tag, shape (moves,).
        tags: the counters that a move may advance, with increments; the first is empty.
        stakes: the stake of each bet.
        declared_counters: the counters that the rules name, even if never advanced.
        listed_labels: the labels that the rules name, even if no play leads to their outcome.
        passing: for each tag, whether the turn passes; empty for never.
        menus: the names of each node's options, shape (nodes,); empty where no player decides.
        choosers: the player who decides, by node, if there are several.
        traps: the nodes in which the players could together prolong the game for ever.
        coordinates: the names of a state's parts, for people; empty if the rules give none.
        goal: the objective of the game; None if the rules give none.
        views: what the deciding player sees, by node, if not the state itself.
    """

    states: Sequence[Hashable]
    outcomes: tuple[Outcome, ...]
    rollables: tuple[Rollable, ...]
    rollable_index: "array[int]"
    first_move: "array[int]"
    targets: "array[int]"
    tag_index: "array[int]"
    tags: tuple[Counts, ...]
    stakes: Mapping[str, Fraction]
    declared_counters: tuple[str, ...] = ()
    listed_labels: tuple[str, ...] = ()
    passing: tuple[bool, ...] = ()
    menus: Sequence[tuple[str, ...]] = ()
    choosers: Mapping[int, str] = field(default_factory=dict)
    traps: frozenset[int] = frozenset()
    coordinates: Sequence[str] = ()
    goal: Objective | None = None
    views: Mapping[int, Hashable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The defaults depend on other fields, and a frozen dataclass can't assign them.
        if not self.menus:
            object.__setattr__(self, "menus", ((),) * len(self.states))
        if not self.passing:
            object.__setattr__(self, "passing", (False,) * len(self.tags))

    @cached_property
    def decisions(self) -> Sequence[int]:
        """The nodes at which a player decides and whose decision is not fixed."""
        # Where players are named, a decision without one has a policy already; see `fix_policies`.
        choosers = self.choosers
        return [
            node
            for node, menu in enumerate(self.menus)
            if menu and (not choosers or node in choosers)
        ]

    def policy_key(self, node: int) -> Hashable:
        """The key of a node in a policy: the state, or (player, what they see)."""
        return (self.choosers[node], self.views[node]) if node in self.views else self.states[node]

    @cached_property
    def node_by_key(self) -> dict[Hashable, int]:
        """The decision node of each policy key; the last, if several share it."""
        return {self.policy_key(s): s for s in self.decisions}

    @cached_property
    def passes(self) -> bool:
        """Whether turns pass between two players."""
        return any(self.passing)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The deciding players, if the rules name them."""
        return tuple(dict.fromkeys(self.choosers.values()))

    def options(self, state: Any) -> tuple[str, ...]:
        """The player's options in a decision state.

        Args:
            state: the state; of a game with hidden information, (player, what they see).

        Raises:
            RulesError: no player decides in that state.
        """
        return self.menus[self.decision_node(state)]

    def decision_node(self, state: Any) -> int:
        """The node of a decision state; arguments and errors as of `options`."""
        try:
            is_decision = state in self.node_by_key
        except TypeError:  # unhashable, such as a list for a tuple
            is_decision = False
        if not is_decision:
            if not self.node_by_key:
                raise RulesError("the game has no choices")
            # The parts of a state are joined by commas.
            listed = "; ".join(state_name(key) for key in list(self.node_by_key)[:MAX_LISTED])
            more = "; ..." if len(self.node_by_key) > MAX_LISTED else ""
            raise RulesError(
                f"state {shown(state)} is not a decision state; the decision states include: "
                f"{listed}{more}"
            )
        return self.node_by_key[state]

    def chosen_move(self, policy: Policy, node: int) -> int:
        """The move that a policy chooses at a decision.

        Raises:
            RulesError: the policy has no entry, or names an unknown option.
        """
        return self.first_move[node] + self._option_index(self.choice_at(policy, node), node)

    def choice_at(self, policy: MixedPolicy, node: int) -> Any:
        """What a policy gives at a decision, unchecked; a function is called once.

        Raises:
            RulesError: the policy has no entry, or is neither a function nor a table.
        """
        key = self.policy_key(node)
        if isinstance(policy, Mapping):
            if key not in policy:
                raise RulesError(
                    f"the policy gives no option in state {shown(key)}; the options are: "
                    f"{', '.join(self.menus[node])}"
                )
            return policy[key]
        if not callable(policy):
            raise RulesError(
                f"{shown(policy)} is not a policy; give the option by state, as a function or a "
                "table"
            )
        return policy(key)

    def _option_index(self, option: Any, node: int) -> int:
        """The index of an option in the menu of a decision.

        Raises:
            RulesError: it is not on the menu.
        """
        menu = self.menus[node]
        if option not in menu:
            raise RulesError(
                f"the policy returned {shown(option)} in state {shown(self.policy_key(node))}; "
                f"the options are: {', '.join(menu)}"
            )
        return menu.index(option)

    def mixture_at(self, policy: MixedPolicy, node: int) -> ChoiceMixture:
        """The probability of each option at a decision.

        Raises:
            RulesError: the policy has no entry, names an unknown option, or has a probability below
                0, or its probabilities don't add up to 1.
        """
        key, menu = self.policy_key(node), self.menus[node]
        choice = self.choice_at(policy, node)
        if not isinstance(choice, Mapping):
            return {menu[self._option_index(choice, node)]: Fraction(1)}
        mixture = {option: exact(share) for option, share in choice.items()}
        if not set(mixture) <= set(menu):
            fault = "and not all of these are options"
        elif min(mixture.values(), default=0) < 0:
            fault = "and a probability is below 0"
        elif sum(mixture.values()) != 1:
            fault = "which don't add up to 1"
        else:
            return mixture
        listed = ", ".join(f"{option} {share}" for option, share in mixture.items())
        listed = listed or "no probabilities"
        raise RulesError(
            f"the policy returned {listed[:100]} in state {shown(key)}, {fault}; give each of "
            f"{', '.join(menu)} its probability"
        )

    def moves_of(self, node: int) -> range:
        """The indices of a node's moves."""
        return range(self.first_move[node], self.first_move[node + 1])

    def targets_of(self, node: int) -> "array[int]":
        """The target of each move of a node."""
        return self.targets[self.first_move[node] : self.first_move[node + 1]]


class Walk:
    """What can be reached from the start of a process, renumbered in the order of discovery.

    How it works. A *seated node* is a node with the seat on turn, as one integer, 2 node + seat.
    `follow_moves` enters the seated nodes of `order` one by one. It follows their moves, and a move
    to a new seated node appends it. A kind of walk is defined by two methods: `enter` returns the
    moves that are left there, and `destination` where a move really leads. Until the number of
    seated nodes is known, the target of outcome k is ~k.

    Attributes:
        process: what is walked.
        turns_pass: whether the players are the seats.
        passing: for each tag of the process, 1 if the turn passes, else 0.
        order: the seated nodes, shape (seated nodes,).
        menus: the options left at each seated node, shape (seated nodes,).
        rollable_index: the index of each seated node's rollable, shape (seated nodes,); -1 at a
            decision.
        rollable_numbers: the index of each rollable, in the order of discovery.
        number_of_old: the new index of each rollable, by its index in the process.
        destinations: where a move to each seated node or outcome leads: an index in `order`, or ~k
            for outcome k, with the counters advanced on the way; None until known.
        outcomes: the number of each outcome reached, as the first player sees it.
        tags: the number of each set of counters.
        first_move: as in `Model`, of the seated nodes.
        targets: as in `Model`, of the seated nodes.
        tag_index: as in `Model`, of the seated nodes.
    """

    def __init__(self, process: Process, tags: Iterable[Counts] = ((),)) -> None:
        self.process = process
        self.turns_pass = process.passes
        self.passing = list(map(int, process.passing))
        self.order: list[int] = []
        self.menus: list[tuple[str, ...]] = []
        self.rollable_index = array("i")
        # A list, not a dict: most seated nodes of a large game are reached, and it is faster.
        size = 2 * (len(process.states) + len(process.outcomes))
        self.destinations: list[tuple[int, Counts] | None] = [None] * size
        self.rollable_numbers: dict[Rollable, int] = {}
        self.number_of_old = {-1: -1}  # decisions stay decisions
        self.outcomes: dict[Outcome, int] = {}
        self.tags: dict[Counts, int] = {}
        for counts in tags:
            self.tags.setdefault(counts, len(self.tags))
        self.first_move, self.targets, self.tag_index = array("q", [0]), array("i"), array("i")

    def enter(self, seated_node: int) -> Sequence[int]:
        """Note the menu and the roll of a seated node; return the moves that are left there."""
        node = seated_node >> 1
        self.menus.append(self.process.menus[node])
        self.rollable_index.append(self._number_rolled(node))
        return self.process.moves_of(node)

    def destination(self, seated_node: int) -> tuple[int, Counts]:
        """Where a move to a seated node really leads, and the counters advanced on the way."""
        return seated_node, ()

    def player(self, seated_node: int) -> str:
        """The player who decides at a seated node; "" if the rules name nobody."""
        if self.turns_pass:
            return SEATS[seated_node & 1]
        return self.process.choosers.get(seated_node >> 1, "")

    def follow_moves(self) -> None:
        """Follow every move; call it once."""
        process, passing, tags = self.process, self.passing, self.tags
        destinations = self.destinations
        number_of_tag = [-1] * len(process.tags)  # the new number, once a move has the tag
        add_target, add_tag = self.targets.append, self.tag_index.append
        start, counts = self.destination(0)
        if start >> 1 >= len(process.states):
            self._settle_before_a_roll(start, counts)
            return
        self.order.append(start)
        # The counts belong to the first roll only: if it comes back, it is counted anew.
        if not counts:
            destinations[start] = 0, ()
        for seated_node in self.order:  # grows during the loop
            seat = seated_node & 1
            for move in self.enter(seated_node):
                tag = process.tag_index[move]
                next_node = process.targets[move] << 1 | (seat ^ passing[tag])
                target, more = destinations[next_node] or self._discover(next_node)
                add_target(target)
                if counts or more:  # sums of counters are slow, and few moves need one
                    total = added(added(counts, process.tags[tag]), more)
                    add_tag(tags.setdefault(total, len(tags)))
                    continue
                if number_of_tag[tag] < 0:
                    number_of_tag[tag] = tags.setdefault(process.tags[tag], len(tags))
                add_tag(number_of_tag[tag])
            self.first_move.append(len(self.targets))
            counts = ()
        for i, target in enumerate(self.targets):
            if target < 0:
                self.targets[i] = len(self.order) + ~target

    def _settle_before_a_roll(self, end: int, counts: Counts) -> None:
        """One state with one move: a game that decisions have settled already.

        A chain has a move for each roll, so this move takes its roll back (`NO_ROLL`).
        """
        self.order.append(0)
        self.menus.append(())
        number = ~self._number_outcome(end)
        certain = Law({tuple(self.outcomes)[number].label: 1})
        self.rollable_index.append(self._number_rollable(certain))
        self.targets.append(1)  # the first outcome after the only state
        self.tag_index.append(self.tags.setdefault(added(counts, NO_ROLL), len(self.tags)))
        self.first_move.append(1)

    def _number_outcome(self, seated_node: int) -> int:
        """The target, ~k, of a settled seated node."""
        outcome = self.process.outcomes[(seated_node >> 1) - len(self.process.states)]
        if self.turns_pass:
            outcome = outcome_for_first(outcome, seated_node & 1)
        return ~self.outcomes.setdefault(outcome, len(self.outcomes))

    def _number_rollable(self, rollable: Rollable) -> int:
        return self.rollable_numbers.setdefault(rollable, len(self.rollable_numbers))

    def _number_rolled(self, node: int) -> int:
        """The new number of what a node rolls; -1 at a decision."""
        old = self.process.rollable_index[node]
        # By the old number: hashing a pool of dice at each of its nodes is slow.
        if old not in self.number_of_old:
            self.number_of_old[old] = self._number_rollable(self.process.rollables[old])
        return self.number_of_old[old]

    def _discover(self, seated_node: int) -> tuple[int, Counts]:
        """Number what a new seated node leads to."""
        stop, counts = self.destination(seated_node)
        if stop >> 1 >= len(self.process.states):
            number = self._number_outcome(stop)
        else:
            number, _ = self.destinations[stop] or (len(self.order), ())
            if number == len(self.order):  # never met before, as itself or after decisions
                self.destinations[stop] = number, ()
                self.order.append(stop)
        self.destinations[seated_node] = number, counts
        return number, counts

    def states(self) -> list[Hashable]:
        """The state of each seated node, with the seat if turns pass."""
        states = self.process.states
        if not self.turns_pass:
            return [states[seated_node >> 1] for seated_node in self.order]
        return [(SEATS[seated_node & 1], states[seated_node >> 1]) for seated_node in self.order]

    def fields(self) -> dict[str, Any]:
        """The fields of the process that is left, but for states and decisions.

        Dice that a policy never comes to are no part of it.
        """
        return {
            "outcomes": tuple(self.outcomes),
            "rollables": tuple(self.rollable_numbers),
            "rollable_index": self.rollable_index,
            "first_move": self.first_move,
            "targets": self.targets,
            "tag_index": self.tag_index,
            "tags": tuple(self.tags),
            "stakes": self.process.stakes,
            "declared_counters": self.process.declared_counters,
            "listed_labels": self.process.listed_labels,
        }


class KeepingWalk(Walk):
    """A walk that leaves one option at each decision with a policy, and all others as they are.

    Attributes:
        policies: by player, or by seat if turns pass; a player without one is free.
        choosers: the free player who decides, by index of the seated node.
    """

    def __init__(self, process: Process, policies: Mapping[str, Policy]) -> None:
        # All tags in their order, used or not, so that the counters of the process stay.
        super().__init__(process, process.tags)
        self.policies = policies
        self.choosers: dict[int, str] = {}

    def enter(self, seated_node: int) -> Sequence[int]:
        """Note who decides among which options; return the moves that are left."""
        process, node = self.process, seated_node >> 1
        menu = process.menus[node]
        moves: Sequence[int] = process.moves_of(node)
        if menu:
            player = self.player(seated_node)
            if player in self.policies:
                move = process.chosen_move(self.policies[player], node)
                menu, moves = (menu[move - moves[0]],), (move,)
            elif player:
                self.choosers[len(self.menus)] = player
        self.menus.append(menu)
        self.rollable_index.append(self._number_rolled(node))
        return moves

    def states(self) -> list[Hashable]:
        """The states, with the seats whose policies are fixed, or all seats if none is."""
        fixed = self.policies or SEATS
        states = super().states()
        for i, seated_node in enumerate(self.order):
            # One free player sees the states of the game, as written for the player on turn.
            if SEATS[seated_node & 1] not in fixed:
                states[i] = self.process.states[seated_node >> 1]
        return states


class SkippingWalk(Walk):
    """A walk that passes over decisions: the chain of policies.

    Attributes:
        policies: by player; by seat if turns pass and nobody is named; otherwise by "".
        choices: the move that a policy chose, by seated node.
    """

    def __init__(self, process: Process, policies: Mapping[str, Policy]) -> None:
        super().__init__(process)
        self.policies = policies
        self.choices: dict[int, int] = {}

    def player(self, seated_node: int) -> str:
        """The player whom the rules name, or else the seat."""
        # Rules may both name players and pass turns; a policy is then a named player's.
        if self.process.players:
            return self.process.choosers.get(seated_node >> 1, "")
        return super().player(seated_node)

    def destination(self, seated_node: int) -> tuple[int, Counts]:
        """The next roll or outcome after decisions, and the counters advanced on the way."""
        process = self.process
        counts: Counts = ()
        passed_over: set[int] = set()
        while seated_node >> 1 < len(process.states) and process.menus[seated_node >> 1]:
            # Options may lead round in a circle without a roll, and would never end.
            if seated_node in passed_over:
                raise RulesError(
                    "the policy's choices repeat forever in state "
                    f"{shown(process.states[seated_node >> 1])}"
                )
            passed_over.add(seated_node)
            tag = process.tag_index[move := self._choice(seated_node)]
            seated_node = process.targets[move] << 1 | ((seated_node & 1) ^ self.passing[tag])
            if process.tags[tag]:
                counts = added(counts, process.tags[tag])
        return seated_node, counts

    def _choice(self, seated_node: int) -> int:
        """The move that a policy takes at a decision; a policy is called once for each."""
        if seated_node not in self.choices:
            node = seated_node >> 1
            player = self.player(seated_node)
            if player in self.policies:
                self.choices[seated_node] = self.process.chosen_move(self.policies[player], node)
            else:  # an earlier policy has left one option here
                self.choices[seated_node] = self.process.first_move[node]
        return self.choices[seated_node]


class DrawingWalk(Walk):
    """A walk in which a decision becomes a draw among its options; turns must not pass.

    Attributes:
        policy: the first player's.
        against: the other players'; None if the same.
    """

    def __init__(self, process: Process, policy: MixedPolicy, against: MixedPolicy | None) -> None:
        super().__init__(process, process.tags)
        self.policy, self.against = policy, against

    def enter(self, seated_node: int) -> Sequence[int]:
        """Note the roll or draw of a seated node; return the moves that can be drawn."""
        node = seated_node >> 1
        moves: Sequence[int] = self.process.moves_of(node)
        menu = self.process.menus[node]
        if not menu:
            self.rollable_index.append(self._number_rolled(node))
            return moves
        mixture = self._mixture(node)
        # An option of probability 0 would be a face without weight.
        possible = {option: mixture[option] for option in menu if mixture.get(option)}
        self.rollable_index.append(self._number_rollable(Law.of_probabilities(possible)))
        return [m for m, option in zip(moves, menu, strict=True) if option in possible]

    def _mixture(self, node: int) -> ChoiceMixture:
        """The probability of each option at a decision, by the policy of the player who decides."""
        process = self.process
        chooser = process.choosers.get(node)
        # Where players are named, a decision without one has a policy already, and one option left.
        if process.players and chooser is None:
            return {process.menus[node][0]: Fraction(1)}
        if self.against is not None and chooser != (process.players or (None,))[0]:
            return process.mixture_at(self.against, node)
        return process.mixture_at(self.policy, node)

    def states(self) -> list[Hashable]:
        """The states; one with a choice before a roll is listed twice, once with the roll."""
        states: dict[Hashable, None] = {}  # as an ordered set
        for seated_node in self.order:
            state = self.process.states[seated_node >> 1]
            states[("rolled", state) if state in states else state] = None
        return list(states)


def draw_option(choice: str | ChoiceMixture, random: Random) -> str:
    """The option of a policy, or one drawn by its probabilities.

    >>> draw_option({"fold": Fraction(0), "call": Fraction(1)}, Random(1))
    'call'
    """
    if isinstance(choice, str):
        return choice
    # A distribution has no outcomes of probability 0.
    possible = {option: share for option, share in choice.items() if share}
    option: str = Law.of_probabilities(possible).sampler(random)()
    return option


def outcome_for_first(outcome: Outcome, seat: int) -> Outcome:
    """An outcome settled by the player of a seat, as the first player sees it.

    >>> from sevenout.rules import win
    >>> outcome_for_first(win("100 points"), 1).profit("pass")
    Fraction(-1, 1)
    """
    pays = outcome.pays
    if seat:
        pays = tuple((bet, pay._replace(profit=-pay.profit)) for bet, pay in pays)
    return Outcome(f"{SEATS[seat]}: {outcome.label}", pays)
