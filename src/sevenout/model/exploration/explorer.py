"""The breadth-first exploration of a game; see `explore`."""

from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

from sevenout.cost import afford
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model.chain import Chain
from sevenout.model.exploration.deciders import Deciders, is_hashable
from sevenout.model.exploration.determinism import Twice, noted
from sevenout.model.exploration.end_components import traps_of
from sevenout.model.exploration.outcome_order import in_order
from sevenout.model.exploration.rounds import RolledGame, Visit, round_of
from sevenout.model.model import Model, stakes_of
from sevenout.rolling import Rollable
from sevenout.rules import Ask, Game, Outcome
from sevenout.rules.game import no_state, not_a_state, start_of
from sevenout.rules.objective import objective_of
from sevenout.rules.outcome import PASSING, Counts, added, followed

DECISION = -1
"""The index of the rollable at a decision."""
STATE, END, ON_THE_WAY, DOUBTFUL = 1, 2, 3, 4
"""Kinds of successors: a state; an outcome; either with counts; a further decision or an error."""


class Explorer:
    """A model under construction.

    A state in which a player decides is one node; the same state, when the dice are then rolled, is
    another.
    """

    def __init__(self, game: Game, most: int, endless: bool = False) -> None:
        self.game, self.most, self.endless = game, most, endless
        self.decides = type(game).choices is not Game.choices
        self.states: list[Hashable] = []
        self.menus: list[tuple[str, ...]] = []
        self.reached: dict[Hashable, int] = {}  # by a step: a decision, if there is one
        self.rolling: dict[Hashable, int] = {} if self.decides else self.reached
        self.pending: dict[int, Mapping[str, Any]] = {}  # successors of each option, until explored
        self.deciders = Deciders(game)
        self.outcomes = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tags: dict[tuple[Counts, bool], int] = {((), False): 0}
        self.rollables: dict[Rollable, int] = {}
        self.laws: list[tuple[Any, ...]] = []
        self.rolled, self.first = array("i"), array("q", [0])
        self.targets, self.tagged = array("i"), array("i")
        self.settling = array("q")  # the moves that settle the game: ~k is outcome k until the end
        self.untagged = array("i")
        self.counting = False  # whether the last node has a move with counts
        self.sorts: dict[type, int] = {}
        self.known = self.closed = 0  # the numbers at which the budget is checked again
        self.visits: dict[int, tuple[Visit, int]] = {}  # by node: a round, and its state
        self.rounds: dict[tuple[int, Any], RolledGame] = {}
        self.last: Any = self  # the last rollable; not None, which rules may return
        self.which = 0
        self.round: RolledGame | None = None
        self.twice = Twice(game)

    def model(self) -> Model:
        """Explore the game from its start."""
        rolls, visits, pending = self.game.rolls, self.visits, self.pending
        self.reach(start_of(self.game))
        for node, state in enumerate(self.states):  # grows during the loop
            if node in pending:
                self._close(DECISION, self._decide(state, pending.pop(node)))
            elif node in visits:
                self._play_on(*visits[node])
            else:
                what = rolls(state)
                if what is not self.last:  # most games have one rollable, and hashing is slow
                    self._take_up(what)
                if self.round is None:
                    self._close(self.which, self._roll(state))
                else:
                    visits[node] = Visit(self.round, state, node), 0
                    self._play_on(*visits[node])
        return self._finished()

    def reach(self, state: Hashable) -> int:
        """The node of a step's target; a new one, if no player decides."""
        if not self.decides:
            node = len(self.states)
            self.states.append(state)
        elif (node := self.reached.get(state, -1)) < 0:
            menu = self.game.choices(state)
            node = self._decision(state, menu) if menu else self.roll(state)
        if state is not None:  # None: a start that no step leads to
            self.reached[state] = node
        return node

    def roll(self, state: Hashable) -> int:
        """The node of a state where the dice are rolled."""
        node = self.rolling.get(state)
        if node is None:
            node = self.rolling[state] = self._node(state, ())
        return node

    def ask(self, state: Hashable) -> int:
        """The node of a further decision."""
        if not self.game.choices(state):
            raise RulesError(
                f"state {shown(state)} follows a choice, but `choices` has no options there"
            )
        return self.reach(state)

    def _node(self, state: Hashable, menu: tuple[str, ...]) -> int:
        self.states.append(state)
        if self.decides:
            self.menus.append(menu)
        return len(self.states) - 1

    def _decision(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        options = self.deciders.options(state, menu)
        if len(options) > len(self.untagged):
            self._must_have_room(len(options))
        node = self._node(state, options)
        self.pending[node] = menu
        self.deciders.add(node, state)
        return node

    def _take_up(self, what: Any) -> None:
        """Switch to another rollable."""
        self.last, self.round = what, None
        if isinstance(what, Game):
            key: tuple[int, Any]
            try:
                key = hash(what), what
            except TypeError:
                key = id(what), None
            from sevenout.model.exploration.explore import chain_of

            self.round = self.rounds.get(key) or round_of(chain_of(what, self.most), what.start)
            self.rounds[key] = self.round
        else:
            self.which = self.roll_what(what)

    def roll_what(self, what: Any) -> int:
        """The index of a rollable."""
        which = self.rollables.setdefault(must_roll(what), len(self.rollables))
        if which == len(self.laws):
            self.laws.append(tuple(what.law))
            self._must_have_room(len(self.laws[-1]))
        return which

    def _must_have_room(self, width: int) -> None:
        self.untagged.extend([0] * (width - len(self.untagged)))

    def _roll(self, state: Any) -> int:
        """Add the moves of every roll in a state; return their number."""
        step, law = self.game.step, self.laws[self.which]
        rolls = iter(law)
        try:
            follows = [step(state, roll) for roll in rolls]
        except Exception as error:
            noted(error, state, law, rolls)
            raise
        if len(self.rolled) >= self.twice.due:
            self.twice.steps(len(self.rolled), state, law, follows)
        self._follow(state, law, follows, self.reached, self.reach)
        return len(law)

    def _decide(self, state: Any, menu: Mapping[str, Any]) -> int:
        """Add the moves of every option of a decision; return their number."""
        if len(self.rolled) >= self.twice.due:
            self.twice.menu(len(self.rolled), state, menu)
        self._follow(state, list(menu), list(menu.values()), self.rolling, self.roll)
        return len(menu)

    def _follow(
        self,
        state: Any,
        ons: Sequence[Any],
        follows: Sequence[Any],
        known: dict[Any, int],
        arrive: Callable[[Any], int],
    ) -> None:
        """Add the moves of a node; most targets are known already."""
        row: list[Any]
        try:
            row = [None] * len(follows) if self.counting else list(map(known.get, follows))
        except TypeError:  # not hashable
            row = [None] * len(follows)
        tags = None
        if None in row:
            tags = self._find(row, state, ons, follows, known=known, arrive=arrive)
        if row and min(row) < 0:
            at = len(self.targets)
            self.settling.extend([at + k for k, target in enumerate(row) if target < 0])
        self.targets.extend(row)
        self.tagged.extend(tags or self.untagged[: len(row)])
        self.counting = tags is not None

    def _find(
        self,
        row: list[Any],
        state: Any,
        ons: Sequence[Any],
        follows: Sequence[Any],
        *,
        known: dict[Any, int],
        arrive: Callable[[Any], int],
    ) -> list[int] | None:
        """Find the unknown targets of a row; its tags, if something is counted."""
        sorts, sort_of = self.sorts, self._sort
        before: Counts = ()
        tag_before = 0
        tags: list[int] | None = None
        for k, target in enumerate(row):
            if target is not None:
                continue
            then = follows[k]
            sort = sorts.get(type(then)) or sort_of(then)
            if sort == ON_THE_WAY:
                then, counts, passes = followed(then)
                if passes or counts is not before:  # counts often repeat
                    tag = self.tags.setdefault((counts, passes), len(self.tags))
                    before, tag_before = (before, tag_before) if passes else (counts, tag)
                else:
                    tag = tag_before
                tags = tags or [0] * len(row)
                tags[k] = tag
                sort = sorts.get(type(then)) or sort_of(then)
            if sort == DOUBTFUL:
                row[k] = self._doubtful(then, arrive, state, ons[k])
                continue
            try:
                found = known.get(then)
            except TypeError:
                raise RulesError(no_state(then, state, ons[k])) from None
            if found is None and sort == END:
                found = known[then] = ~self.outcomes.setdefault(then, len(self.outcomes))
            row[k] = arrive(then) if found is None else found
        return tags

    def _doubtful(self, then: Any, arrive: Callable[[Any], int], state: Any, on: Any) -> int:
        """The node of a successor that may not be a state."""
        if isinstance(then, Ask) and self.decides:
            arrive, then = self.ask, then.state
        if not_a_state(then) or not is_hashable(then):
            raise RulesError(no_state(then, state, on))
        return arrive(then)

    def _sort(self, follows: Any) -> int:
        """The kind of a successor, by its type."""
        if isinstance(follows, PASSING):
            sort = ON_THE_WAY
        elif isinstance(follows, Outcome):
            sort = END
        else:
            sort = DOUBTFUL if not_a_state(follows) else STATE
        self.sorts[type(follows)] = sort
        return sort

    def _play_on(self, visit: Visit, inner: int) -> None:
        """Add the moves of every roll in a state of the round played in a state."""
        its = visit.round
        for arrow in its.kinds[inner]:
            if visit.targets[arrow] is None:
                self._follow_arrow(visit, arrow)
        which = its.which[inner]
        if which is None:
            which = its.which[inner] = self.roll_what(its.rolled[inner])
        row, m = its.picks[inner](visit.targets), len(self.targets)
        if visit.settles:
            self.settling.extend([m + j for j, target in enumerate(row) if target < 0])
        self.targets.extend(row)
        self.tagged.extend(its.picks[inner](visit.tagged))
        self._close(which, len(row))

    def _follow_arrow(self, visit: Visit, arrow: int) -> None:
        """Find the node of a round's target, in the state in which the round is played."""
        its, targets = visit.round, visit.targets
        target, counts = its.arrows[arrow]
        passes = False
        if target < len(its.names):
            alike = its.alike[arrow]
            node = targets[alike]
            if node is None:
                node = targets[alike] = self._node(visit.state, ())
                self.visits[node] = visit, target
            targets[arrow] = node
        else:
            result = its.results[target - len(its.names)]
            then, more, passes = followed(self.game.step(visit.state, result))
            counts = added(counts, more) if counts and more else counts or more
            if isinstance(then, Outcome):
                targets[arrow] = ~self.outcomes.setdefault(then, len(self.outcomes))
                visit.settles = True
            else:
                node = self.reached.get(then) if is_hashable(then) else None
                if node is None:
                    node = self._doubtful(then, self.reach, visit.state, result)
                targets[arrow] = node
        visit.tagged[arrow] = self.tags.setdefault((counts, passes), len(self.tags))

    def _close(self, which: int, width: int) -> None:
        """Finish a node with `width` moves."""
        self.rolled.append(which)
        self.first.append(len(self.targets))
        closed, states = len(self.rolled), len(self.states)
        if closed > 1 and (states > self.known or closed > self.closed):
            # The first roll, which may be a draw among many states, is untypical.
            self.known, self.closed = min(2 * states, self.most), 2 * closed
            _afford(states, 0 if which == DECISION else width)
            if states > self.most:
                raise TooManyStatesError(
                    f"the game has more than {self.most:,} states; use smaller options, keep "
                    "less in the state, or raise max_states in Python"
                )

    def _finished(self) -> Model:
        """The explored model."""
        game, targets = self.game, self.targets
        self.deciders.check(self.states, self.menus)
        states = tuple(self._names() if self.visits else self.states)
        n, alone = len(states), not any(self.menus)
        kept = in_order(game, self.outcomes, {~targets[i] for i in self.settling})
        place = {~k: n + i for i, (_, k) in enumerate(kept)}
        for i in self.settling:
            targets[i] = place[targets[i]]
        menus = () if alone else self.menus  # the same for all: not stored
        traps = traps_of(states, menus, self.first, targets, self.endless)
        outcomes = tuple([outcome for outcome, _ in kept])
        passing = tuple([passes for _, passes in self.tags])
        return (Chain if alone and not any(passing) else Model)(
            states=states,
            outcomes=outcomes,
            rollables=tuple(self.rollables),
            rolled=self.rolled,
            first=self.first,
            targets=targets,
            tagged=self.tagged,
            tags=tuple([counts for counts, _ in self.tags]),
            stakes=stakes_of(outcomes),
            declared=tuple(game.counters),
            passing=passing,
            menus=menus,
            choosers=self.deciders.choosers,
            traps=traps,
            coordinates=game.coordinates,
            goal=objective_of(game),
            seen=self.deciders.seen,
        )

    def _names(self) -> Iterator[Hashable]:
        """The states of a game of games, each with the state of the inner game."""
        for node, state in enumerate(self.states):
            if node in self.visits:
                visit, inner = self.visits[node]
                yield (state, *visit.round.names[inner])
            else:
                yield state if self.decides and self.menus[node] else (state,)


def must_roll(what: Any) -> Rollable:
    """The argument, if it can be rolled.

    Raises:
        RulesError: it is neither dice nor a distribution.
    """
    if not isinstance(what, Rollable):
        raise RulesError(f"{shown(what)} can't be rolled; write sevenout.dice('2d6')")
    return what


def _afford(states: int, width: int) -> None:
    """Check the budget for this many states with this many rolls each."""
    rolls = f", each with {width:,} rolls," if width else ""  # none where the player decides
    afford(
        f"{states:,} states{rolls}",
        seconds=states * (2e-5 + width * 5e-7),
        memory=states * (400 + width * 12),
        instead="forget what the rules do not need to remember",
    )
