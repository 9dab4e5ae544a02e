"""Chains too large to explore, played without exploring them: the rules are asked as games come to
a roll.

The games of a chunk are rolled in step, each with dice of its own (`owndice`): so what is counted
depends on the game and the seed, and not on how many are played at a time, by whom, or on what the
rules were asked before (`known`).
"""

from collections.abc import Sequence
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sevenout.cost import afford
from sevenout.model.exploration.explore import not_collecting
from sevenout.simulate.backends.engine_choice import Stop
from sevenout.simulate.unexplored.explored_states import TAG, UNMADE, ExploredStates, Met
from sevenout.simulate.unexplored.owndice import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class MetPart(NamedTuple):
    """The counts of some games, by the names of `ExploredStates`.

    Attributes:
        games: how many games were played.
        ended: games, by (rolls, outcome).
        counted: moves, by what they count.
    """

    games: int
    ended: dict[tuple[int, int], int]
    counted: "Ints"


class DiceInStep(Protocol):
    """What some games roll, in step (`OwnDice`).

    Attributes:
        games: those that are on.
        rolls: how many were made.
    """

    games: "Ints"
    rolls: int

    def roll(self, laws: Sequence[Weights], which: "Ints | None") -> "Ints":
        """What each of them rolls, as a place in its distribution; `which` may be None for one
        distribution.
        """

    def keep(self, some: Any) -> None:
        """Go on with some of the games."""


class RollWatch(Protocol):
    """Is told of each roll: the moves that are made, and in which states."""

    def __call__(self, met: Met, states: "Ints", edges: "Ints", moves: "Ints") -> None: ...


LONG = 1 << 12
"""After this many rolls, and twice as many, ... it is asked whether the game ends at all."""


class _Doubt:
    """Whether the games of a chunk end at all.

    A game that goes on for ever from one new state to the next can't be told from a long one. So
    where no game has ended since it was last asked, and there were new states all the time, the
    budget is asked for as long again as it took to come there.

    Attributes:
        roll: when it is asked next.
    """

    def __init__(self, known: ExploredStates) -> None:
        self.known, self.roll = known, LONG
        self._games, self._new, self._started = 0, 0, thread_time()

    def ask(self, met: Met, states: "Ints", new: int) -> None:
        """Ask, while games are in these states, and after so many moves that were new.

        Raises:
            EndlessGameError: they can't end from where they have come to.
            TooMuchWorkError: none has ended for long, and the budget does not allow more of that.
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
    """Play some games, asking the rules as they come to a roll.

    Args:
        known: what the rules have said.
        dice: what the games roll.
        stop: asked before each roll; None comes back if it says so.
        watch: is told of each roll.

    Raises:
        EndlessGameError: they can't end from where they have come to.
        TooMuchWorkError: the budget does not allow to see whether they end.
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
