"""Play of chains too large to explore: the rules give each move when it is first made.

The games of a chunk are rolled in step, each with its own dice (`owndice`). So the counts depend
only on the game and the seed.
"""

from collections.abc import Sequence
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sevenout.budgets.estimates import afford
from sevenout.model.graph import not_collecting
from sevenout.simulation.backends.engine_choice import Stop
from sevenout.simulation.unexplored.explored_states import TAG, UNMADE, ExploredStates, Met
from sevenout.simulation.unexplored.owndice import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class MetPart(NamedTuple):
    """The counts of some games, by the numbers of `ExploredStates`.

    Attributes:
        ended: games by (rolls, outcome).
        counted: moves by their counts.
    """

    games: int
    ended: dict[tuple[int, int], int]
    counted: "Ints"


class DiceInStep(Protocol):
    """The rolls of games in step (`OwnDice`).

    Attributes:
        games: the unfinished ones.
        rolls: the number made.
    """

    games: "Ints"
    rolls: int

    def roll(self, laws: Sequence[Weights], which: "Ints | None") -> "Ints":
        """The roll of each game, as a place in its distribution.

        `which` may be None if there is only one distribution.
        """

    def keep(self, some: Any) -> None:
        """Keep some of the games."""


class RollWatch(Protocol):
    """Called with the moves of each roll, and their states."""

    def __call__(self, met: Met, states: "Ints", edges: "Ints", moves: "Ints") -> None: ...


LONG = 1 << 12
"""After this many rolls, twice as many, ... check whether the game ends."""


class _Doubt:
    """Checks whether the games of a chunk end.

    An endless game through ever new states looks like a long one. If no game has ended since the
    last check, and new states kept coming, the budget must allow as much time again.
    """

    def __init__(self, known: ExploredStates) -> None:
        self.known, self.roll = known, LONG
        self._games, self._new, self._started = 0, 0, thread_time()

    def ask(self, met: Met, states: "Ints", new: int) -> None:
        """Check the games in these states, after this many new moves.

        Raises:
            EndlessGameError: they can't end from these states.
            TooMuchWorkError: none has ended for long, and the budget does not allow more.
        """
        self.known.must_end(met.states[s] for s in dict.fromkeys(states.tolist()))
        games = len(states)
        if games == self._games and new > self._new:
            self.known.budget.copy().run(
                afford,
                f"{games:,} games of which none ended in rolls {self.roll // 2:,} to "
                f"{self.roll:,}, and which always reach new states,",
                seconds=2 * (thread_time() - self._started),
                instead="see that the game ends",
            )
        self.roll, self._games, self._new = 2 * self.roll, games, new


@not_collecting()
def play_met(
    known: ExploredStates,
    dice: DiceInStep,
    stop: Stop | None = None,
    *,
    watch: RollWatch | None = None,
) -> MetPart | None:
    """Play games, with each new move from the rules.

    Args:
        known: the moves so far.
        dice: the rolls of the games.
        stop: called before each roll; True returns None.
        watch: called with each roll.

    Raises:
        EndlessGameError: the games can't end from the states reached.
        TooMuchWorkError: the budget does not allow to find whether they end.
    """
    import numpy as np

    games, doubt, met = len(dice.games), _Doubt(known), known.met
    state = np.zeros(games, dtype=np.int64)
    counted = np.zeros(1, dtype=np.int64)
    ended: dict[tuple[int, int], int] = {}
    new = 0
    while len(state):
        if stop is not None and stop():
            return None
        known.keep()
        place = dice.roll(known.laws, met.which[state] if len(known.laws) > 1 else None)
        while True:
            now = known.met
            if now.states is not met.states:
                now, state = known.numbers(met, state)
            met = now
            edge = met.first[state] + place
            move = met.moves[edge]
            unmade = np.flatnonzero(move == UNMADE)
            if not len(unmade):
                break
            new += len(unmade)
            known.make(met, state[unmade], place[unmade])
        if watch is not None:
            watch(met, state, edge, move)
        tags = np.bincount(move & TAG)
        if len(tags) > len(counted):
            counted = np.pad(counted, (0, len(tags) - len(counted)))
        counted[: len(tags)] += tags
        then = move >> 32
        if then.min() < 0:
            on = then > 0
            outcomes, many = np.unique(-1 - then[~on], return_counts=True)
            for k, n in zip(outcomes.tolist(), many.tolist(), strict=True):
                ended[dice.rolls, k] = n
            dice.keep(on)
            then = then[on]
        state = then - 1
        if dice.rolls >= doubt.roll and len(state):
            doubt.ask(met, state, new)
    return MetPart(games, ended, counted)
