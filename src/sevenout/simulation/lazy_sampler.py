"""Play of games too large to explore: the rules give each move when a game first makes it.

The games of a chunk are rolled in step, each with dice of its own, so the counts depend only on the
game and the seed. A *move* is the effect of one roll in one state; an array keeps it.

`affordable_chain` chooses: a game is explored before play if that costs little beside the games.
"""

import time
from array import array
from collections.abc import Hashable, Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, TooManyStatesError, TooMuchWorkError
from sevenout.model import MAX_STATES, Chain, chain_of
from sevenout.model.exploration import QUICK_STATES, has_choices
from sevenout.model.graph import not_collecting, traps_of
from sevenout.model.inspection import must_be_rollable
from sevenout.rolling import Rollable
from sevenout.rolling.distribution import sum_of_tables
from sevenout.rules import Counted, FlatGame, Game, Outcome
from sevenout.rules.game import (
    no_state_message,
    not_a_state,
    overrides_choices,
    start_of,
    take_step,
)
from sevenout.rules.outcome import Counts
from sevenout.simulation.chain_tables import Stop
from sevenout.simulation.own_dice import DrawTable, OwnDice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64s = NDArray[np.int64]


# --- the states met -------------------------------------------------------------------------------


UNMADE = 0
"""A move that no game has made."""
TAG_MASK = (1 << 32) - 1
"""The bits of a move for the number of its counts; those above give its target."""
STATE_BYTES = 900
"""About the memory of a state."""
MAX_SEARCHED_STATES = 2_000
"""The most states searched to find whether a game can end."""


class StateTable(NamedTuple):
    """The numbered states met, and the moves made.

    The arrays may have spare room. Values read from a table stay valid when it is replaced.

    Attributes:
        states: by number.
        rollable_index: the distribution rolled in each state.
        first: where the moves of each state begin in `moves`, one per roll of the distribution.
        moves: (1 + state) · 2³² or (-1 - outcome) · 2³², plus the number of the counts.
        nested: whether the states are those of a `FlatGame`.
    """

    states: list[Hashable]
    rollable_index: "Int64s"
    first: "Int64s"
    moves: "Int64s"
    nested: bool


class _NestedError(Exception):
    """A game is rolled, to be played on its innermost dice."""


class LazyChain:
    """The part of a game's chain that was met so far, for any number of threads.

    Threads read `table` without a lock. `add_moves` computes missing moves under the lock and puts
    a larger table in its place. Entries are only ever added, so an old table stays right; after
    states were forgotten (`forget_if_too_large`), `renumber` translates those of an old table.

    Attributes:
        game: the rules; on the innermost dice, if a game is rolled.
        table: the states and the moves; replaced to grow or to forget.
        outcomes: the number of each outcome met.
        tags: the number of each of the counts.
        rollables: the number of each distribution rolled.
        draw_tables: the tables of these distributions.
        faces: the rolls of each of them, in the order of its table.
        budget: the caller's; the threads of a run have none.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.outcomes = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tags: dict[Counts, int] = {(): 0}
        self.rollables: dict[Rollable, int] = {}
        self.draw_tables: list[DrawTable] = []
        self.faces: list[tuple[Any, ...]] = []
        self._lock = Lock()
        self._index: dict[Hashable, int] = {}
        # the last rollable and its number, so that it is not hashed again
        self._last_rollable: tuple[object, int] = self, 0
        self._states_at_check = 0
        self.budget = copy_context()
        if isinstance(game.rolls(start_of(game)), Game):
            self.game = FlatGame(game)
        self.table = self._first_table()

    def _first_table(self) -> StateTable:
        import numpy as np

        self._index, none = {}, np.zeros(0, dtype=np.int64)
        table = StateTable([], none, none, none, isinstance(self.game, FlatGame))
        return self._enlarged(table, [self._number_state(start_of(self.game), table)])

    def renumber(self, old_table: StateTable, states: "Int64s") -> "tuple[StateTable, Int64s]":
        """The current numbers of states of an earlier table."""
        import numpy as np

        with self._lock:
            table, new, numbers = self.table, list[int](), []
            for s in states.tolist():
                state = old_table.states[s]
                if table.nested and not old_table.nested:
                    assert isinstance(self.game, FlatGame)
                    state = self.game.enter(state)
                if state not in self._index:
                    new.append(self._number_state(state, table))
                numbers.append(self._index[state])
            self.table = self._enlarged(table, new)
            return self.table, np.array(numbers, dtype=np.int64)

    def add_moves(self, table: StateTable, states: "Int64s", roll_index: "Int64s") -> None:
        """Compute the moves of these rolls in these states, unless the table was replaced."""
        import numpy as np

        with self._lock:
            if table.states is not self.table.states:  # forgotten, or renamed: ask again
                return
            edges = table.first[states] + roll_index
            new, index = np.unique(edges, return_index=True)
            index = index[self.table.moves[new] == UNMADE]  # another thread may have made some
            count = len(table.states)
            try:
                self._add_moves(states[index], roll_index[index])
            except BaseException as error:
                for state in table.states[count:]:  # numbered states without moves
                    del self._index[state]
                del table.states[count:]
                if not isinstance(error, _NestedError):
                    raise
                self._flatten()

    def _add_moves(self, numbers: "Int64s", roll_index: "Int64s") -> None:
        """As `add_moves`, under the lock; the states are given by number."""
        table, new, moves = self.table, list[int](), list[int]()
        step, index, tags, outcomes = self.game.step, self._index, self.tags, self.outcomes
        states = table.states
        rolled = [self.faces[index] for index in table.rollable_index[numbers].tolist()]
        for s, faces, i in zip(numbers.tolist(), rolled, roll_index.tolist(), strict=True):
            state, roll = states[s], faces[i]
            successor, tag = step(state, roll), 0
            if type(successor) is Counted:
                tag = tags.setdefault(successor.counts, len(tags))
                successor = successor.state
            if isinstance(successor, Outcome):
                moves.append((-1 - outcomes.setdefault(successor, len(outcomes)) << 32) + tag)
                continue
            try:
                to = index.get(successor)
            except TypeError:
                raise RulesError(no_state_message(successor, state, roll)) from None
            # None is a state in some games and a forgotten `return` in others: look closer
            if to is None or successor is None:
                if not_a_state(successor):
                    raise RulesError(no_state_message(successor, state, roll))
                to = len(states)
                new.append(self._number_state(successor, table))
            moves.append((1 + to << 32) + tag)
        self.table = table = self._enlarged(table, new)
        # last, so that no thread reads a move to a state that has no room yet
        table.moves[table.first[numbers] + roll_index] = moves

    def _number_state(self, state: Hashable, table: StateTable) -> int:
        """Give a state the next number; returns the number of its distribution."""
        rollable, (last, number) = self.game.rolls(state), self._last_rollable
        if rollable is not last:  # most games roll one thing, and hashing it is slow
            if isinstance(rollable, Game):
                raise _NestedError
            number = self.rollables.setdefault(must_be_rollable(rollable), len(self.rollables))
            if number == len(self.draw_tables):
                self.draw_tables.append(DrawTable.of(rollable.law.weights))
                self.faces.append(tuple(rollable.law))
            self._last_rollable = rollable, number
        self._index[state] = len(table.states)
        table.states.append(state)
        return number

    def _enlarged(self, table: StateTable, new: list[int]) -> StateTable:
        """A copy with room for the latest states and their moves; `new` has their distributions."""
        import numpy as np

        n = len(table.states)
        old = n - len(new)

        def longer(a: "Int64s", needed: int) -> "Int64s":
            # doubled, so that growing takes linear time in all
            return a if needed <= len(a) else np.append(a, np.zeros(needed, dtype=np.int64))

        index, first = longer(table.rollable_index, n), longer(table.first, n + 1)
        index[old:n] = new
        width = np.array([len(faces) for faces in self.faces])
        first[old + 1 : n + 1] = first[old] + np.cumsum(width[index[old:n]])
        moves = longer(table.moves, int(first[n]))
        return table._replace(rollable_index=index, first=first, moves=moves)

    def _flatten(self) -> None:
        """Play on the innermost dice; `renumber` finds the states of games in progress again."""
        self.game = FlatGame(self.game)
        self.table = self._first_table()

    def forget_if_too_large(self) -> None:
        """Forget all states if the budget does not allow them.

        Call it between rolls, since the moves of a roll must last until they are read.
        """
        states = len(self.table.states)
        if 4 * states <= 5 * self._states_at_check:  # checking the budget each roll would cost more
            return
        with self._lock:
            self._states_at_check = states
            try:
                self.budget.copy().run(
                    afford,
                    f"keeping the {states:,} states met so far",
                    memory=states * STATE_BYTES + 8 * len(self.table.moves),
                )
            except TooMuchWorkError:
                self.table, self._states_at_check = self._first_table(), 0

    def must_end(self, states: Iterable[Hashable]) -> None:
        """Refuse a game that can't end from these states, if that is quickly seen.

        Raises:
            EndlessGameError: the message names the states.
        """
        with self._lock:
            game, number = self.game, {state: i for i, state in enumerate(states)}
            first, targets = array("q", [0]), list[int]()
            queue = list(number)
            for state in queue:  # grows in the loop
                if len(first) > MAX_SEARCHED_STATES:
                    targets.append(-1)  # an unexplored state may end the game
                    first.append(len(targets))
                    continue
                for roll in game.rolls(state).law:  # type: ignore[union-attr]
                    successor, _ = take_step(game, state, roll)
                    if isinstance(successor, Outcome):
                        targets.append(-1)
                        continue
                    if successor not in number:
                        number[successor] = len(number)
                        queue.append(successor)
                    targets.append(number[successor])
                first.append(len(targets))
            n = len(number)
            traps_of(queue, (), first, array("i", [n if to < 0 else to for to in targets]))


# --- play -----------------------------------------------------------------------------------------


class LazyCounts(NamedTuple):
    """The counts of some games, by the numbers of a `LazyChain`.

    Attributes:
        games_by_end: games by (rolls, outcome).
        moves_by_counts: moves by their counts.
    """

    games_by_end: Mapping[tuple[int, int], int]
    moves_by_counts: Mapping[int, int]

    @property
    def games(self) -> int:
        """Their number."""
        return sum(self.games_by_end.values())

    @property
    def rolls(self) -> int:
        """The number of their rolls."""
        return sum(self.moves_by_counts.values())

    def plus(self, other: "LazyCounts") -> "LazyCounts":
        """The sum with the counts of other games."""
        return LazyCounts(
            sum_of_tables(self.games_by_end, other.games_by_end),
            sum_of_tables(self.moves_by_counts, other.moves_by_counts),
        )


FIRST_CHECK = 1 << 12
"""After this many rolls, twice as many, and so on, it is checked whether the game ends."""


class _EndCheck:
    """Checks whether the games of a chunk end.

    An endless game through ever new states looks like a long one. If no game has ended since the
    last check, and new states kept coming, the budget must allow as much time again.

    Attributes:
        lazy_chain: of the game.
        roll: the number of the roll after which to check next.
    """

    def __init__(self, lazy_chain: LazyChain) -> None:
        self.lazy_chain, self.roll = lazy_chain, FIRST_CHECK
        self._games, self._new, self._started = 0, 0, time.thread_time()

    def check(self, table: StateTable, states: "Int64s", new: int) -> None:
        """Check the games in these states, after this many new moves.

        Raises:
            EndlessGameError: they can't end from these states.
            TooMuchWorkError: none has ended for long, and the budget does not allow more.
        """
        self.lazy_chain.must_end(table.states[s] for s in dict.fromkeys(states.tolist()))
        games = len(states)
        if games == self._games and new > self._new:
            self.lazy_chain.budget.copy().run(
                afford,
                f"{games:,} games of which none ended in rolls {self.roll // 2:,} to "
                f"{self.roll:,}, and which always reach new states,",
                seconds=2 * (time.thread_time() - self._started),
                instead="see that the game ends",
            )
        self.roll, self._games, self._new = 2 * self.roll, games, new


@not_collecting()
def play_lazily(
    lazy_chain: LazyChain, dice: OwnDice, stop: Stop | None = None
) -> LazyCounts | None:
    """Play games, with each new move from the rules.

    Args:
        lazy_chain: the moves so far.
        dice: the rolls of the games.
        stop: called before each roll; True returns None.

    Raises:
        EndlessGameError: the games can't end from the states reached.
        TooMuchWorkError: the budget does not allow to find whether they end.
    """
    import numpy as np

    end_check, table = _EndCheck(lazy_chain), lazy_chain.table
    state = np.zeros(len(dice.game_numbers), dtype=np.int64)
    moves_by_counts = np.zeros(1, dtype=np.int64)
    games_by_end: dict[tuple[int, int], int] = {}
    new = 0
    while len(state):
        if stop is not None and stop():
            return None
        lazy_chain.forget_if_too_large()
        draw_tables = lazy_chain.draw_tables
        table_index = table.rollable_index[state] if len(draw_tables) > 1 else None
        roll_index = dice.roll(draw_tables, table_index)
        while True:  # until each game has its move; other threads may replace the table meanwhile
            latest = lazy_chain.table
            if latest.states is not table.states:
                latest, state = lazy_chain.renumber(table, state)
            table = latest
            edge = table.first[state] + roll_index
            move = table.moves[edge]
            unmade = np.flatnonzero(move == UNMADE)
            if not len(unmade):
                break
            new += len(unmade)
            lazy_chain.add_moves(table, state[unmade], roll_index[unmade])
        tags = np.bincount(move & TAG_MASK)
        if len(tags) > len(moves_by_counts):
            moves_by_counts = np.pad(moves_by_counts, (0, len(tags) - len(moves_by_counts)))
        moves_by_counts[: len(tags)] += tags
        target = move >> 32
        if target.min() < 0:
            is_open = target > 0
            outcomes, games_at_end = np.unique(-1 - target[~is_open], return_counts=True)
            for k, n in zip(outcomes.tolist(), games_at_end.tolist(), strict=True):
                games_by_end[dice.roll_count, k] = n
            dice.keep(is_open)
            target = target[is_open]
        state = target - 1
        if dice.roll_count >= end_check.roll and len(state):
            end_check.check(table, state, new)
    return LazyCounts(games_by_end, {tag: n for tag, n in enumerate(moves_by_counts.tolist()) if n})


# --- which games are explored before play ---------------------------------------------------------


MAX_STATES_PER_GAME = 8
"""The most states to explore per game played, if there are more than `QUICK_STATES`.

Exploring a state takes as long as a dozen rolls through the rules.
"""


def affordable_chain(
    game: Game | Chain, games: int, executor: Executor | None = None
) -> Chain | None:
    """The chain of a game to be played this often; None if exploration costs too much.

    Raises:
        TooManyStatesError: too large, for a game that other processes are to play.
        RulesError: a game with choices and no policy.
    """
    if isinstance(game, Game) and has_choices(game):  # at once: exploring them may take minutes
        raise RulesError(
            "the game has choices; call sevenout.best(game), or "
            "sevenout.explore(game).under(policy)"
        )
    may_be_lazy = isinstance(game, Game) and not overrides_choices(game)
    # a chain can be sent to other processes, rules met on the way can't
    if not may_be_lazy or not plays_here(executor):
        return chain_of(game)
    try:
        return chain_of(game, min(MAX_STATES, max(QUICK_STATES, MAX_STATES_PER_GAME * games)))
    except (TooManyStatesError, TooMuchWorkError):
        return None


def plays_here(executor: Executor | None) -> bool:
    """Whether an executor plays in this process."""
    return executor is None or isinstance(executor, ThreadPoolExecutor)
