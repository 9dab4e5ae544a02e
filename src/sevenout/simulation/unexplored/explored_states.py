"""The states and moves met in games too large to explore.

A *move* is the effect of one roll in one state. The rules give it when a game first makes it; an
array keeps it.
"""

from array import array
from collections.abc import Hashable, Iterable
from contextvars import copy_context
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.model.graph import traps_of
from sevenout.model.inspection import must_roll
from sevenout.rolling import Rollable
from sevenout.rules import Counted, Flat, Game, Outcome
from sevenout.rules.game import no_state, not_a_state, reach, start_of
from sevenout.rules.outcome import Counts
from sevenout.simulation.unexplored.owndice import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

UNMADE = 0
"""A move that no game has made."""
TAG = (1 << 32) - 1
"""The bits of a move for its counts; those above give its target."""
STATE_BYTES = 900
"""About the memory of a state."""
NEAR = 2_000
"""States searched to find whether a game can end."""


class Met(NamedTuple):
    """The numbered states met, and the moves made.

    The arrays may have spare room. Values read from a `Met` stay valid.

    Attributes:
        states: by number.
        which: the distribution rolled in each state.
        first: where the moves of each state begin in `moves`, one per roll of the distribution.
        moves: (1 + state) · 2³² or (-1 - outcome) · 2³², plus the number of the counts.
        nested: whether the states are those of a `Flat` game.
    """

    states: list[Hashable]
    which: "Ints"
    first: "Ints"
    moves: "Ints"
    nested: bool


class _NestedError(Exception):
    """A game is rolled, to be played on its innermost dice."""


class ExploredStates:
    """The effects of rolls known so far, for any number of threads.

    Attributes:
        game: the rules.
        met: the states and the moves; replaced to grow or to forget.
        outcomes: the number of each outcome met.
        tags: the number of each of the counts.
        laws: the distributions, as drawn.
        rolls: the rolls of each distribution.
    """

    def __init__(self, game: Game, *, forgets: bool = True) -> None:
        self.game, self.forgets = game, forgets
        self.outcomes = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tags: dict[Counts, int] = {(): 0}
        self.rollables: dict[Rollable, int] = {}
        self.laws: list[Weights] = []
        self.rolls: list[tuple[Any, ...]] = []
        self._lock = Lock()
        self._index: dict[Hashable, int] = {}
        self._last: tuple[object, int] = self, 0  # the last distribution, which is not hashed again
        self._asked = 0
        self.budget = copy_context()  # the caller's budget: the threads of a run have none
        if isinstance(game.rolls(start_of(game)), Game):
            self.game = Flat(game)
        self.met = self._nothing()

    def _nothing(self) -> Met:
        import numpy as np

        self._index, none = {}, np.zeros(0, dtype=np.int64)
        met = Met([], none, none, none, isinstance(self.game, Flat))
        return self._grown(met, [self._name(start_of(self.game), met)])

    def numbers(self, before: Met, states: "Ints") -> "tuple[Met, Ints]":
        """The current numbers of states of an earlier `Met`."""
        import numpy as np

        with self._lock:
            met, new, found = self.met, list[int](), []
            for s in states.tolist():
                state = before.states[s]
                if met.nested and not before.nested:
                    state = self._flat.enter(state)
                if state not in self._index:
                    new.append(self._name(state, met))
                found.append(self._index[state])
            self.met = self._grown(met, new)
            return self.met, np.array(found, dtype=np.int64)

    @property
    def _flat(self) -> Flat:
        assert isinstance(self.game, Flat)
        return self.game

    def make(self, met: Met, states: "Ints", places: "Ints") -> None:
        """Compute the moves of these rolls in these states of `met`, unless `met` was replaced."""
        import numpy as np

        with self._lock:
            if met.states is not self.met.states:
                return
            edges = met.first[states] + places
            new, at = np.unique(edges, return_index=True)
            at = at[self.met.moves[new] == UNMADE]
            known = len(met.states)
            try:
                self._make(states[at], places[at])
            except BaseException as error:
                for state in met.states[known:]:  # named states without moves
                    del self._index[state]
                del met.states[known:]
                if not isinstance(error, _NestedError):
                    raise
                self._flatten()

    def _make(self, at: "Ints", places: "Ints") -> None:
        met, new, moves = self.met, list[int](), list[int]()
        step, index, tags, outcomes = self.game.step, self._index, self.tags, self.outcomes
        states = met.states
        rolled = [self.rolls[which] for which in met.which[at].tolist()]
        for s, rolls, place in zip(at.tolist(), rolled, places.tolist(), strict=True):
            state, roll = states[s], rolls[place]
            then, tag = step(state, roll), 0
            if type(then) is Counted:
                tag = tags.setdefault(then.counts, len(tags))
                then = then.then
            if isinstance(then, Outcome):
                moves.append((-1 - outcomes.setdefault(then, len(outcomes)) << 32) + tag)
                continue
            try:
                to = index.get(then)
            except TypeError:
                raise RulesError(no_state(then, state, roll)) from None
            if to is None or then is None:
                if not_a_state(then):
                    raise RulesError(no_state(then, state, roll))
                to = len(states)
                new.append(self._name(then, met))
            moves.append((1 + to << 32) + tag)
        self.met = met = self._grown(met, new)
        met.moves[met.first[at] + places] = moves

    def _name(self, state: Hashable, met: Met) -> int:
        """Give a state the next number; returns its distribution."""
        what, (last, which) = self.game.rolls(state), self._last
        if what is not last:  # most games roll one thing, and hashing it is slow
            if isinstance(what, Game):
                raise _NestedError
            which = self.rollables.setdefault(must_roll(what), len(self.rollables))
            if which == len(self.laws):
                self.laws.append(Weights.of(what.law.weights))
                self.rolls.append(tuple(what.law))
            self._last = what, which
        self._index[state] = len(met.states)
        met.states.append(state)
        return which

    def _grown(self, met: Met, new: list[int]) -> Met:
        """A copy with room for newly named states and their moves."""
        import numpy as np

        n = len(met.states)
        known = n - len(new)

        def longer(a: "Ints", needed: int) -> "Ints":
            return a if needed <= len(a) else np.append(a, np.zeros(needed, dtype=np.int64))

        which, first = longer(met.which, n), longer(met.first, n + 1)
        which[known:n] = new
        width = np.array([len(rolls) for rolls in self.rolls])
        first[known + 1 : n + 1] = first[known] + np.cumsum(width[which[known:n]])
        return met._replace(which=which, first=first, moves=longer(met.moves, int(first[n])))

    def _flatten(self) -> None:
        """Play on the innermost dice; the states are renamed."""
        before = self.met.states
        self.game = flat = Flat(self.game)
        self.met = met = self._nothing()
        named = [flat.enter(state) for state in before]
        self.met = self._grown(met, [self._name(s, met) for s in named if s not in self._index])

    def keep(self) -> None:
        """Forget all states if the budget does not allow them.

        Call it between rolls, since the moves of a roll must last until they are read.

        Raises:
            TooMuchWorkError: the states must not be forgotten.
        """
        states = len(self.met.states)
        if 4 * states <= 5 * self._asked:
            return
        with self._lock:
            self._asked = states
            try:
                self.budget.copy().run(
                    afford,
                    f"keeping the {states:,} states met so far",
                    memory=states * STATE_BYTES + 8 * len(self.met.moves),
                    instead="play fewer games, forget what the rules do not need to remember",
                )
            except TooMuchWorkError:
                if not self.forgets:
                    raise
                self.met, self._asked = self._nothing(), 0

    def must_end(self, states: Iterable[Hashable]) -> None:
        """Refuse a game that can't end from these states, if that is quickly seen.

        Raises:
            EndlessGameError: the message names the states.
        """
        with self._lock:
            game, place = self.game, {state: i for i, state in enumerate(states)}
            first, found = array("q", [0]), list[int]()
            waiting = list(place)
            for state in waiting:  # grows in the loop
                for roll in game.rolls(state).law if len(first) <= NEAR else ():  # type: ignore[union-attr]
                    then, _ = reach(game, state, roll)
                    if not isinstance(then, Outcome) and then not in place:
                        place[then] = len(place)
                        waiting.append(then)
                    found.append(-1 if isinstance(then, Outcome) else place[then])
                if len(first) > NEAR:
                    found.append(-1)  # an unexplored state may end the game
                first.append(len(found))
            n = len(place)
            traps_of(waiting, (), first, array("i", [n if to < 0 else to for to in found]))
