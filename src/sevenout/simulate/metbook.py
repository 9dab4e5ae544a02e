"""The counts of blocks that each met their own states, in one tally.

The states are numbered again, as the blocks opened them, in the order of the blocks: so the tally
does not depend on which block was played first, or how many at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from sevenout.chain import Chain
from sevenout.chain.chain import stakes_of
from sevenout.chain.explore import in_order
from sevenout.dice.distribution import summed
from sevenout.rules import Game
from sevenout.simulate.engines import Stop
from sevenout.simulate.known import Known, Numbered
from sevenout.simulate.meeting import MetPart, play_met, width_of
from sevenout.simulate.stream import BLOCK, blocks
from sevenout.simulate.tally import Tally, TallyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class Sum(Numbered):
    """The counts of some blocks together; the states numbered as these opened them."""

    def __init__(self, known: Known) -> None:
        import numpy as np

        super().__init__(known)
        self.games = 0
        self.first: list[int] = []  # the first edge of each state that is open
        self.flow: Counts
        self.ended: dict[tuple[int, int, int], int] = {}
        self.place: dict[int, int] = {}  # of those that are open, by name
        known.open([0])
        self.flow = np.zeros(self.enter(0, 0), dtype=np.int64)

    def plus(self, part: MetPart) -> "Sum":
        """These counts and those of another block, as another sum: this one stays as it is."""
        import numpy as np

        total = Sum(self.known)
        total.names, total.number = self.names.copy(), self.number.copy()
        total.opened, total.first = self.opened.copy(), self.first.copy()
        total.place = self.place.copy()
        edges = len(self.flow)
        for name in part.opened:
            if name not in total.place:
                edges = total.enter(name, edges)
        total.flow = np.pad(self.flow, (0, edges - len(self.flow)))
        degree = np.array([len(self.known.edges[name]) for name in part.opened])
        starts = np.array([total.first[total.place[name]] for name in part.opened])
        where = np.arange(len(part.flow)) - np.repeat(np.cumsum(degree) - degree, degree)
        total.flow[np.repeat(starts, degree) + where] += part.flow
        total.ended = summed([*self.ended.items(), *part.ended.items()])
        total.games = self.games + part.games
        return total

    def enter(self, name: int, edges: int) -> int:
        """Open a state after so many edges; how many there are then."""
        self.place[name] = len(self.opened)
        self.first.append(edges)
        return edges + len(self.open(self.number[name]))

    def chain(self) -> Chain:
        """As much of the chain as was met: the states that are open, then those known by name."""
        known, game = self.known, self.known.game
        opened = set(self.opened)
        order = self.opened + [s for s in range(len(self.names)) if s not in opened]
        place = {self.names[s]: i for i, s in enumerate(order)}
        n = len(order)
        rows = [known.moves[self.names[s]] for s in self.opened]
        listed = len(game.outcomes)
        reached = dict.fromkeys(~t for _, targets, _ in rows for t in targets if t < 0)
        ends = list(known.outcomes)
        found = {ends[k]: k for k in sorted(reached, key=lambda k: min(k, listed))}
        kept = in_order(game, found, reached)
        place |= {~k: n + i for i, (_, k) in enumerate(kept)}
        tags = list(known.tags)
        laws = dict.fromkeys(which for which, _, _ in rows)
        number = {which: i for i, which in enumerate(laws)}
        rollables = list(known.rollables)
        unmet = [0] * (n - len(rows))
        return Chain.of_moves(
            states=[known.states[self.names[s]] for s in order],
            outcomes=[outcome for outcome, _ in kept],
            rollables=[rollables[which] for which in laws],
            rolled=[number[which] for which, _, _ in rows] + unmet,
            moves=chain(
                (
                    [(place[t], tags[tag]) for t, tag in zip(targets, tagged, strict=True)]
                    for _, targets, tagged in rows
                ),
                ((),) * len(unmet),
            ),
            stakes=stakes_of([outcome for outcome, _ in kept]),
            declared=tuple(game.counters),
        )

    def tally(self) -> Tally:
        """The tally, of the part of the chain that was met."""
        found = self.chain()
        number = {outcome: k for k, outcome in enumerate(found.outcomes)}
        ends = [number.get(outcome, -1) for outcome in self.known.outcomes]
        ended = {(self.place[s], roll, ends[k]): n for (s, roll, k), n in self.ended.items()}
        return Tally(found, self.games, tuple(self.flow.tolist()), ended)


@dataclass(frozen=True, eq=False)
class MetTask:
    """Some blocks of a game that is not explored."""

    known: Known
    seed: int
    first: int
    games: int
    backend: str

    @property
    def blocks(self) -> int:
        return -(-self.games // BLOCK)

    def play(self, stop: Stop | None = None) -> list[MetPart] | None:
        """Play them, one after another."""
        parts = []
        for block, games in blocks(self.first, self.games):
            part = play_met(self.known, self.seed, block, games, stop, backend=self.backend)
            if part is None:
                return None
            parts.append(part)
        return parts


class MetBook:
    """The book of a game that is not explored.

    Args:
        game: the rules.
        backend: the engine.
    """

    game = "discovered as met"

    def __init__(self, game: Game, backend: str) -> None:
        width_of(backend)
        self.sum = Sum(Known(game))
        self._tally: tuple[Sum, Tally] | None = None

    @property
    def games(self) -> int:
        return self.sum.games

    @property
    def tally(self) -> Tally:
        return self.counted()()

    def counted(self) -> Callable[[], Tally]:
        return partial(self._count, self.sum)

    def _count(self, now: Sum) -> Tally:
        if self._tally is None or self._tally[0] is not now:
            self._tally = now, now.tally()
        return self._tally[1]

    def task(self, seed: int, first: int, games: int, backend: str) -> MetTask:
        return MetTask(self.sum.known, seed, first, games, backend)

    def take(self, parts: list[MetPart]) -> int:
        total = self.sum
        for part in parts:
            total = total.plus(part)
        self.sum = total  # one assignment: Ctrl-C may come at any moment
        return sum(int(part.flow.sum()) for part in parts)

    def data(self) -> dict[str, Any]:
        """The tally, and the states that were opened, in order."""
        return self.tally.to_dict() | {"opened": self.sum.opened}

    def restore(self, data: dict[str, Any]) -> None:
        """Open the states again, and have the counts of the tally."""
        import numpy as np

        known = self.sum.known
        total, opened = Sum(known), data.get("opened")
        edges = len(total.flow)
        if not isinstance(opened, list):
            raise TallyError("the tally is damaged: it does not say which states were met")
        for s in opened[1:]:
            if type(s) is not int or not 0 <= s < len(total.names) or total.names[s] in total.place:
                raise TallyError("the tally is of another game: no such state is met")
            known.open([total.names[s]])
            edges = total.enter(total.names[s], edges)
        total.flow = np.zeros(edges, dtype=np.int64)
        tally = Tally.from_dict(data, total.chain())
        ends = [known.outcomes[outcome] for outcome in tally.chain.outcomes]
        names = [total.names[s] for s in total.opened]
        total.ended = {(names[s], roll, ends[k]): n for (s, roll, k), n in tally.absorbed.items()}
        total.games, total.flow = tally.games, np.array(tally.flow, dtype=np.int64)
        self.sum = total
