"""Unexplored games one by one through the rules, and their tally."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.game import reach
from sevenout.rules.outcome import Counts, added
from sevenout.simulation.replay import Played, ReplayError, Rolled
from sevenout.simulation.tally import Tally
from sevenout.simulation.unexplored import lazy_tally
from sevenout.simulation.unexplored.explored_states import ExploredStates
from sevenout.simulation.unexplored.lazy_play import DiceInStep, play_met
from sevenout.simulation.unexplored.owndice import Weights, rolled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


def play_alone(game: Game, seed: int, block: int, games: int) -> Iterator[Played]:
    """The games of a block with their rolls, each with its own dice (`owndice`)."""
    flat = Flat(game)
    for i in range(games):
        state: Any = flat.start
        rolls, counts = list[Rolled](), Counts()
        while not isinstance(state, Outcome):
            law = flat.rolls(state).law
            place = rolled([*accumulate(law.weights)], seed, block, i, len(rolls))
            roll = tuple(law)[place]
            rolls.append(Rolled(state[0] if len(state) == 1 else state, roll))
            state, more = reach(flat, state, roll)
            counts = added(counts, more)
        yield Played(i, tuple(rolls), state, counts)


class _Shown:
    """Dice that repeat given rolls."""

    def __init__(self, played: Sequence[Played], known: ExploredStates) -> None:
        import numpy as np

        self.played, self.known = played, known
        self.games, self.rolls = np.arange(len(played)), 0
        self._place = list[dict[Any, int]]()

    def roll(self, laws: Sequence[Weights], which: "Ints | None") -> "Ints":
        """The roll of each game, as a place in its distribution."""
        import numpy as np

        for law in self.known.rolls[len(self._place) :]:
            self._place.append({roll: place for place, roll in enumerate(law)})
        number = [0] * len(self.games) if which is None else which.tolist()
        places = []
        for i, law_of in zip(self.games.tolist(), number, strict=True):
            one = self.played[i].rolls[self.rolls : self.rolls + 1]
            if not one or one[0].roll not in self._place[law_of]:
                raise ReplayError(f"game {self.played[i].number} can't be played by these rules")
            places.append(self._place[law_of][one[0].roll])
        self.rolls += 1
        return np.array(places, dtype=np.int64)

    def keep(self, some: Any) -> None:
        """Keep some of the games."""
        self.games = self.games[some]


def met_recount(game: Game, played: Sequence[Played]) -> Tally:
    """The tally of games played one by one.

    Raises:
        ReplayError: their ends disagree with the rules.
    """
    known = ExploredStates(game)
    part = play_met(known, _Shown(played, known))
    assert part is not None
    outcomes, tags = list(known.outcomes), list(known.tags)
    ended = {(rolls, outcomes[k]): n for (rolls, k), n in part.ended.items()}
    if ended != Counter((len(one.rolls), one.outcome) for one in played):
        raise ReplayError("some of the games end in a way that the rules don't allow")
    counted = {tags[k]: n for k, n in enumerate(part.counted.tolist()) if n}

    def again(known: ExploredStates) -> Iterator[DiceInStep]:
        for i in range(0, len(played), lazy_tally.CHUNK):  # the states in a run's order
            yield _Shown(played[i : i + lazy_tally.CHUNK], known)

    return lazy_tally.met_tally(game, ended, counted, [again])
