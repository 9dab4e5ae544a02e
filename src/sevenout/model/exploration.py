"""From rules to a model: every roll and every option, once in each reachable state.

*Exploration* is breadth-first from the start: nodes are numbered when a move first leads to them,
and their moves are added in that order. `Explorer` tells how.

*A game of games* is played on the dice at the bottom; the inner game is explored once (see
`rounds`).

*Work* is bounded before it is done: the number of states known so far is checked against the budget
each time it doubles.
"""

from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.model.graph import not_collecting, traps_of
from sevenout.model.inspection import (
    DecisionReader,
    RepetitionCheck,
    add_step_note,
    is_hashable,
    must_be_rollable,
    outcomes_in_order,
    stakes_of,
)
from sevenout.model.model import Chain, Model
from sevenout.model.naming import state_name
from sevenout.model.rounds import RoundPlan, RoundVisit, plan_of
from sevenout.rolling import Rollable
from sevenout.rules import Ask, Game, Outcome
from sevenout.rules.game import (
    must_be_a_game,
    no_state_message,
    not_a_state,
    overrides_choices,
    start_of,
)
from sevenout.rules.objective import objective_of
from sevenout.rules.outcome import WRAPPERS, Counted, Counts, added, unwrap
from sevenout.wrong_arguments import public

MAX_STATES = 1_000_000
"""The most states that are explored, unless the caller says otherwise."""
QUICK_STATES = 60_000
"""Games with fewer states, such as all in the catalogue, are explored in a second or two."""

DECISION = -1
"""The index of the rollable at a decision."""

WRAPPER_TYPES = frozenset(WRAPPERS)
"""The wrappers' exact types: to look a type up is faster than `isinstance`."""

STATE, OUTCOME, WRAPPED, DOUBTFUL = 1, 2, 3, 4
"""Kinds of successors: a state; an outcome; either, wrapped in counts or a pass; anything else."""

MAX_STATES_BEFORE_ROLL = 10_000
"""The most states before the first roll; games that roll come to one long before."""

SECONDS_PER_STATE, SECONDS_PER_MOVE = 2e-5, 5e-7
BYTES_PER_STATE, BYTES_PER_MOVE = 400, 12
"""What exploring costs, for the budget; measured on games of the catalogue."""


def chain_of(game: "Game | Model", max_states: int = MAX_STATES) -> Chain:
    """The chain of a game without decisions; a chain is returned unchanged.

    If turns pass, the states include the seat; see `Model.under`.

    >>> from sevenout.rules import PointGame
    >>> chain = chain_of(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_of(chain) is chain
    True

    Raises:
        RulesError: not a game, or a game with choices.
        EndlessGameError: a game, or a chain, without an end.
    """
    model = game if isinstance(game, Model) else explore(game, max_states)
    if model.decisions:
        example = state_name(model.states[model.decisions[0]])
        raise RulesError(
            f"the game has choices in state {example}; call sevenout.best(game), or "
            "sevenout.explore(game).under(policy)"
        )
    if isinstance(model, Chain) and model.traps:
        raise EndlessGameError("the chain has no end; for its averages call sevenout.long_run")
    # Turns may pass where nobody decides; then seats are added, by the policy of no decision.
    return model.under({})


def explore(game: Game, max_states: int = MAX_STATES, *, endless: bool = False) -> Model:
    """The model of a game; a `Chain` if no player decides and no turn passes.

    A state of a game of games is that of `rules.FlatGame`: the state, with the state of the inner
    game.

    >>> from sevenout.rules import PointGame
    >>> explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules.
        max_states: the most states.
        endless: allow games without an end. The chain then has `traps`, the states that it never
            leaves for an outcome; only `solving.long_run` accepts it.

    Raises:
        TooManyStatesError: more states than `max_states`.
        TooMuchWorkError: more states and rolls than the budget allows.
        EndlessGameError: a state that can't reach an outcome, in a game that must end.
        RulesError: a step gives something that is neither a state nor an outcome, or a different
            result the second time.
    """
    must_be_a_game(game)
    # True is an int in Python, and would be a limit of one state.
    if isinstance(max_states, bool) or not isinstance(max_states, int) or max_states < 1:
        raise RulesError(f"max_states={shown(max_states)}; give a whole number, 1 or more")
    game.check_size()  # families refuse what they know to be too large before a state is met
    try:
        with not_collecting():
            return Explorer(game, max_states, endless).model()
    except RecursionError as error:
        # The cause shows which rule it was, if it is one that calls itself.
        raise RulesError(
            f"{type(game).__name__} contains itself, or a rule calls itself, without end; let "
            "rolls(state) return dice, or another game"
        ) from error


@public
def has_choices(game: Game) -> bool:
    """Whether a player ever decides; the search stops at the first decision.

    >>> from sevenout.catalogue import games
    >>> has_choices(games("pig")), has_choices(games["craps"])
    (True, False)

    Raises:
        SevenoutError: as `explore`.
    """
    if not overrides_choices(game):
        return False
    try:
        with not_collecting():
            _ExplorerToDecision(game, MAX_STATES).model()
    except _DecisionReached:
        return True
    return False


class Explorer:
    """A model under construction.

    How it works. `model` goes through `states`, which grows: it takes the next node, asks the rules
    what follows each face or option, and adds one row of moves. A successor that has no node yet
    gets the next number (`arrive`), and is dealt with when its turn comes.

    A state in which a player decides is one node; the same state, when the dice are then rolled, is
    another. A step, or an option of another state, arrives at the decision (`arrival_nodes`). Only
    an option that leads to its own state means "roll now". The options of a decision are read on
    arrival and wait in `pending_menus` until their moves are added.

    Moves to outcomes can't be numbered before the number of states is known: until `_finish` the
    target of outcome k is ~k, and `settling_moves` lists where these stand.

    Most successors are known, and most moves count nothing. So a row is first looked up as a whole
    (`_add_row`), and only what is missing is examined one by one (`_resolve`).

    Attributes:
        game: the rules.
        max_states: the most states.
        may_be_endless: whether a game without an end is allowed.
        overrides_choices: whether the rules have `choices`; if not, both kinds of nodes are one.
        states: the state of each node, shape (nodes,).
        menus: the options of each node, shape (nodes,); empty if not `overrides_choices`.
        arrival_nodes: by state, the node that a move leads to: the decision, if there is one; by
            outcome k, ~k.
        deciding_state: the state whose options are being read; the explorer itself if none.
        deciding_node: its node.
        pending_menus: by node, the successors of each option, until its moves are added.
        decision_reader: reads the menus, and keeps who decides and what they see.
        outcome_numbers: the number of each outcome, those of the rule book first.
        tag_numbers: the number of each pair (counters advanced, whether the turn passes).
        rollable_numbers: the number of each rollable.
        faces: the faces of each rollable, shape (rollables,).
        rollable_index: as in `Model`.
        first_move: as in `Model`.
        targets: as in `Model`, but ~k for outcome k.
        tag_index: as in `Model`.
        settling_moves: the indices of the moves that settle the game.
        zero_tags: tag 0 as often as the widest row has moves.
        last_row_counted: whether the last row had a move with counts or a pass.
        kind_of_type: the kind of a successor, by its type.
        states_checked: the number of states above which the budget is checked again.
        nodes_checked: the number of finished nodes above which the budget is checked again.
        visits: by node of a game of games, its round and the inner state.
        plans: the plan of each inner game, by hash and game, or by identity if it has no hash.
        last_rollable: what the last node rolled.
        rollable_number: its number, if it is dice.
        round_plan: its plan, if it is a game.
        repetition: calls the rules a second time.
    """

    def __init__(self, game: Game, max_states: int, may_be_endless: bool = False) -> None:
        self.game, self.max_states, self.may_be_endless = game, max_states, may_be_endless
        self.overrides_choices = overrides_choices(game)
        self.states: list[Hashable] = []
        self.menus: list[tuple[str, ...]] = []
        self.arrival_nodes: dict[Hashable, int] = {}
        self.deciding_state: Any = self  # equal to no state
        self.deciding_node = 0
        self.pending_menus: dict[int, Mapping[str, Any]] = {}
        self.decision_reader = DecisionReader(game)
        self.outcome_numbers = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tag_numbers: dict[tuple[Counts, bool], int] = {((), False): 0}
        self.rollable_numbers: dict[Rollable, int] = {}
        self.faces: list[tuple[Any, ...]] = []
        self.rollable_index, self.first_move = array("i"), array("q", [0])
        self.targets, self.tag_index = array("i"), array("i")
        self.settling_moves = array("q")
        self.zero_tags = array("i")
        self.last_row_counted = False
        self.kind_of_type: dict[type, int] = {}
        self.states_checked = self.nodes_checked = 0
        self.visits: dict[int, tuple[RoundVisit, int]] = {}
        self.plans: dict[tuple[int, Any], RoundPlan] = {}
        self.last_rollable: Any = self  # not None, which rules may return by mistake
        self.rollable_number = 0
        self.round_plan: RoundPlan | None = None
        self.repetition = RepetitionCheck(game)

    def model(self) -> Model:
        """Explore the game from its start; call it once."""
        rolls, visits, pending_menus = self.game.rolls, self.visits, self.pending_menus
        self._arrive(start_of(self.game))
        for node, state in enumerate(self.states):  # grows during the loop
            if node in pending_menus:
                self._add_options(node, state, pending_menus.pop(node))
            elif node in visits:
                self._add_round(*visits[node])
            else:
                rollable = rolls(state)
                # Most games have one rollable, and looking it up for each state is slow.
                if rollable is not self.last_rollable:
                    self._take_up(rollable)
                if self.round_plan is None:
                    self._add_rolls(state)
                else:
                    visits[node] = RoundVisit(self.round_plan, state, node), 0
                    self._add_round(*visits[node])
        return self._finish()

    # Nodes: a successor gets its number.

    def _arrive(self, state: Hashable) -> int:
        """The new node of a state that no move has led to."""
        if not self.overrides_choices:  # written out: most games are explored here, state by state
            node = len(self.states)
            self.states.append(state)
        elif state != self.deciding_state and (menu := self.game.choices(state)):
            node = self._decision_node(state, menu)
        else:
            node = self._new_node(state)
        # None is a start without a name. It stays unknown, so a step that forgets to return is
        # still refused.
        if state is not None:
            self.arrival_nodes[state] = node
        return node

    def _decision_node(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        """A new node of a state in which a player decides."""
        options = self.decision_reader.options(state, menu)
        if len(options) > len(self.zero_tags):  # compared here: a call per decision is slow
            self._widen(len(options))
        node = self._new_node(state, options)
        # Its moves are added when its turn comes.
        self.pending_menus[node] = menu
        self.decision_reader.note_player(node, state)
        return node

    def _new_node(self, state: Hashable, menu: tuple[str, ...] = ()) -> int:
        self.states.append(state)
        if self.overrides_choices:
            self.menus.append(menu)
        return len(self.states) - 1

    # Rollables.

    def _take_up(self, rollable: Any) -> None:
        """Make another rollable the current one: dice, or an inner game."""
        self.last_rollable, self.round_plan = rollable, None
        if isinstance(rollable, Game):
            self.round_plan = self._plan(rollable)
        else:
            self.rollable_number = self._number_rollable(rollable)

    def _plan(self, game: Game) -> RoundPlan:
        """The plan of an inner game, which is explored the first time."""
        key: tuple[int, Any]
        try:
            key = hash(game), game
        except TypeError:  # a game with a list among its fields equals no other
            key = id(game), None
        if key not in self.plans:
            self.plans[key] = plan_of(chain_of(game, self.max_states), game.start)
        return self.plans[key]

    def _number_rollable(self, rollable: Any) -> int:
        """The number of a rollable; a new one brings its faces."""
        number = self.rollable_numbers.setdefault(
            must_be_rollable(rollable), len(self.rollable_numbers)
        )
        if number == len(self.faces):
            self.faces.append(tuple(rollable.law))
            self._widen(len(self.faces[-1]))
        return number

    def _widen(self, width: int) -> None:
        """Make room for rows of this width: a slice of zeros is the fastest row without tags."""
        self.zero_tags.extend([0] * (width - len(self.zero_tags)))

    # Moves: one row for each node, in the order of the nodes.

    def _add_rolls(self, state: Any) -> None:
        """Add the moves of every face in a state."""
        step, faces = self.game.step, self.faces[self.rollable_number]
        remaining = iter(faces)
        try:
            successors = [step(state, face) for face in remaining]
        except Exception as error:
            add_step_note(error, state, faces, remaining)
            raise
        if len(self.rollable_index) >= self.repetition.next_node:
            self.repetition.check_steps(len(self.rollable_index), state, faces, successors)
        self._add_row(state, faces, successors)
        self._close(self.rollable_number)

    def _add_options(self, node: int, state: Any, menu: Mapping[str, Any]) -> None:
        """Add the moves of every option of a decision."""
        if len(self.rollable_index) >= self.repetition.next_node:
            self.repetition.check_menu(len(self.rollable_index), state, menu)
        # While its options are read the state counts as unknown: to arrive there is to roll.
        self.arrival_nodes.pop(state, None)
        self.deciding_state, self.deciding_node = state, node
        self._add_row(state, list(menu), list(menu.values()))
        self.deciding_state = self
        self.arrival_nodes[state] = node
        self._close(DECISION)

    def _add_row(self, state: Any, events: Sequence[Any], successors: Sequence[Any]) -> None:
        """Add the moves of a node.

        Args:
            state: the state of the node.
            events: its faces or options, for messages.
            successors: what follows each.
        """
        node_of = self.arrival_nodes.get
        row: list[Any]
        try:
            if self.last_row_counted:
                # What is counted is wrapped, and would be hashed in vain.
                row = [
                    None if type(result) in WRAPPER_TYPES else node_of(result)
                    for result in successors
                ]
            else:
                row = [*map(node_of, successors)]
        except TypeError:  # `_resolve` refuses what has no hash, and names the face
            row = [None] * len(successors)
        tags: Sequence[int] | None = None
        if None in row:
            row, tags = self._resolve(row, state, events, successors)
        if row and min(row) < 0:
            move = len(self.targets)
            self.settling_moves.extend([move + i for i, target in enumerate(row) if target < 0])
        self.targets.extend(row)
        self.tag_index.extend(tags or self.zero_tags[: len(row)])
        self.last_row_counted = tags is not None

    def _resolve(
        self,
        row: list[Any],
        state: Any,
        events: Sequence[Any],
        successors: Sequence[Any],
    ) -> tuple[list[int], list[int] | None]:
        """Fill in a row's missing targets; return it, and its tags if something is counted."""
        tags = None
        kind_of_type, find_kind, nodes = self.kind_of_type, self._kind, self.arrival_nodes
        last_counts: Counts = ()
        last_tag = 0
        for i, target in enumerate(row):
            if target is not None:
                continue
            successor = successors[i]
            kind = kind_of_type.get(type(successor)) or find_kind(successor)
            if kind == WRAPPED:
                if type(successor) is Counted and type(successor.state) not in WRAPPER_TYPES:
                    counts, passes = successor.counts, False
                    successor = successor.state
                else:
                    successor, counts, passes = unwrap(successor)
                # Rules often count the same on every face, and `counted` returns one object then.
                if passes:
                    tag = self.tag_numbers.setdefault((counts, True), len(self.tag_numbers))
                elif counts is last_counts:
                    tag = last_tag
                else:
                    tag = self.tag_numbers.setdefault((counts, False), len(self.tag_numbers))
                    last_counts, last_tag = counts, tag
                tags = tags or [0] * len(row)
                tags[i] = tag
                kind = kind_of_type.get(type(successor)) or find_kind(successor)
            if kind == DOUBTFUL:
                row[i] = self._doubtful_node(successor, state, events[i])
                continue
            try:
                node = nodes.get(successor)
            except TypeError:
                raise RulesError(no_state_message(successor, state, events[i])) from None
            if node is None and kind == OUTCOME:
                number = self.outcome_numbers.setdefault(successor, len(self.outcome_numbers))
                node = nodes[successor] = ~number
            row[i] = self._arrive(successor) if node is None else node
        return row, tags

    def _doubtful_node(self, successor: Any, state: Any, event: Any) -> int:
        """The node of a successor that may not be a state."""
        if isinstance(successor, Ask) and self.overrides_choices:
            successor = successor.state
            # Waiting leads back to the same choices, whose node is not in the table now.
            if successor == self.deciding_state:
                return self.deciding_node
            is_state = is_hashable(successor) and not not_a_state(successor)
            if is_state and not self.game.choices(successor):
                raise RulesError(
                    f"state {shown(successor)} follows a choice, but `choices` has no options there"
                )
        if not_a_state(successor) or not is_hashable(successor):
            raise RulesError(no_state_message(successor, state, event))
        node = self.arrival_nodes.get(successor)
        return self._arrive(successor) if node is None else node

    def _kind(self, successor: Any) -> int:
        """The kind of a successor, which is that of its type."""
        if isinstance(successor, WRAPPERS):
            kind = WRAPPED
        elif isinstance(successor, Outcome):
            kind = OUTCOME
        elif not_a_state(successor):
            kind = DOUBTFUL
        else:
            kind = STATE
        self.kind_of_type[type(successor)] = kind
        return kind

    def _add_round(self, visit: RoundVisit, inner: int) -> None:
        """Add the moves of every face in an inner state of a round."""
        plan = visit.plan
        for arrow in plan.arrows_out[inner]:
            if visit.targets[arrow] is None:
                self._resolve_arrow(visit, arrow)
        number = plan.rollable_numbers[inner]
        if number is None:
            number = plan.rollable_numbers[inner] = self._number_rollable(plan.rolled[inner])
        row, move = plan.pickers[inner](visit.targets), len(self.targets)
        if visit.settles:  # a visit that settles nothing needs no look at its row
            self.settling_moves.extend([move + i for i, target in enumerate(row) if target < 0])
        self.targets.extend(row)
        self.tag_index.extend(plan.pickers[inner](visit.tag_index))
        self._close(number)

    def _resolve_arrow(self, visit: RoundVisit, arrow: int) -> None:
        """Enter into a visit the target and the tag of an arrow."""
        plan, targets = visit.plan, visit.targets
        target, counts = plan.arrows[arrow]
        passes = False
        if target < len(plan.names):
            # Arrows that differ in their counts alone lead to one node.
            first_arrow = plan.first_with_target[arrow]
            if targets[first_arrow] is None:
                node = targets[first_arrow] = self._new_node(visit.state)
                self.visits[node] = visit, target
            targets[arrow] = targets[first_arrow]
        else:
            result = plan.results[target - len(plan.names)]
            successor, outer_counts, passes = unwrap(self.game.step(visit.state, result))
            counts = _sum_of_counts(counts, outer_counts)
            targets[arrow] = self._outer_target(visit.state, result, successor)
            visit.settles = visit.settles or targets[arrow] < 0
        tag = counts, passes
        visit.tag_index[arrow] = self.tag_numbers.setdefault(tag, len(self.tag_numbers))

    def _outer_target(self, state: Any, result: Outcome, successor: Any) -> int:
        """The node after a round, or ~k for outcome k."""
        if isinstance(successor, Outcome):
            return ~self.outcome_numbers.setdefault(successor, len(self.outcome_numbers))
        return self._doubtful_node(successor, state, result)

    def _close(self, rollable_number: int) -> None:
        """Finish the moves of a node, and keep the exploration within its limits."""
        self.first_move.append(len(self.targets))
        self.rollable_index.append(rollable_number)
        closed, states = len(self.rollable_index), len(self.states)
        # The first roll, which may be a draw among many states, is untypical.
        if closed > 1 and (states > self.states_checked or closed > self.nodes_checked):
            # Doubling keeps the checks few; the limit itself is checked on the state after it.
            self.states_checked = min(2 * states, self.max_states)
            self.nodes_checked = 2 * closed
            width = 0 if rollable_number == DECISION else self.first_move[-1] - self.first_move[-2]
            self._check_limits(states, width)

    def _check_limits(self, states: int, width: int) -> None:
        """Refuse an exploration without rolls, over the budget, or over the limit of states."""
        # Rules whose `choices` are the same in every state never come to a roll.
        if states > MAX_STATES_BEFORE_ROLL and not self.rollable_numbers:
            example = shown(self.states[states // 2], 40)
            raise RulesError(
                f"after {states:,} choices, such as in state {example}, "
                "the dice have not been rolled; let `choices` return {} where they are to be rolled"
            )
        _afford(states, width)
        if states > self.max_states:
            raise TooManyStatesError(
                f"the game has more than {self.max_states:,} states; use smaller options, keep "
                "less in the state, or raise max_states in Python"
            )

    def _finish(self) -> Model:
        """The explored model."""
        game = self.game
        self.decision_reader.check_players(self.states, self.menus)
        states = tuple(self._flat_states() if self.visits else self.states)
        outcomes = self._settle(len(states))
        # Without decisions the menus are all empty, and a model needn't store them.
        menus = self.menus if any(self.menus) else ()
        traps = traps_of(states, menus, self.first_move, self.targets, self.may_be_endless)
        passing = tuple([passes for _, passes in self.tag_numbers])
        kind = Model if menus or any(passing) else Chain
        model = kind(
            states=states,
            outcomes=outcomes,
            rollables=tuple(self.rollable_numbers),
            rollable_index=self.rollable_index,
            first_move=self.first_move,
            targets=self.targets,
            tag_index=self.tag_index,
            tags=tuple([counts for counts, _ in self.tag_numbers]),
            stakes=stakes_of(outcomes),
            declared_counters=tuple(game.counters),
            listed_labels=tuple(dict.fromkeys(outcome.label for outcome in game.outcomes)),
            passing=passing,
            menus=menus,
            choosers=self.decision_reader.choosers,
            traps=traps,
            coordinates=game.coordinates,
            goal=objective_of(game),
            views=self.decision_reader.views,
        )
        game.check_counters(model.counters)
        return model

    def _settle(self, n: int) -> tuple[Outcome, ...]:
        """Number the outcomes from n on in the moves; return those that can be reached."""
        targets = self.targets
        reached = outcomes_in_order(
            self.game, self.outcome_numbers, {~targets[move] for move in self.settling_moves}
        )
        target_of = {~k: n + i for i, (_, k) in enumerate(reached)}
        for move in self.settling_moves:
            targets[move] = target_of[targets[move]]
        return tuple([outcome for outcome, _ in reached])

    def _flat_states(self) -> Iterator[Hashable]:
        """The states of a game of games, each with the state of the inner game."""
        for node, state in enumerate(self.states):
            if node in self.visits:
                visit, inner = self.visits[node]
                yield (state, *visit.plan.names[inner])
            elif self.overrides_choices and self.menus[node]:
                yield state
            else:  # `rules.FlatGame` has tuples wherever something is rolled
                yield (state,)


def _sum_of_counts(counts: Counts, more: Counts) -> Counts:
    # Adding is slow, and mostly one of them is empty.
    if counts and more:
        return added(counts, more)
    return counts or more


class _DecisionReached(Exception):  # noqa: N818
    """Raised at the first decision, to end the search."""


class _ExplorerToDecision(Explorer):
    """An explorer that stops at the first decision."""

    def _decision_node(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        raise _DecisionReached


def _afford(states: int, width: int) -> None:
    """Check the budget for this many states with this many rolls each."""
    rolls = f", each with {width:,} rolls," if width else ""  # none where the player decides
    afford(
        f"{states:,} states{rolls}",
        seconds=states * (SECONDS_PER_STATE + width * SECONDS_PER_MOVE),
        memory=states * (BYTES_PER_STATE + width * BYTES_PER_MOVE),
        instead="forget what the rules do not need to remember",
    )
