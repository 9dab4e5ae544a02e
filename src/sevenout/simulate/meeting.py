"""Chains too large to explore, played all the same: a state is opened when a game comes to it.

Each block of games numbers the states that it meets as exploring would: the start is 0, and the
states to which the rolls of a state lead are numbered, in their order, when it is *opened*, just
before the first roll in it; states to be opened for the same roll are opened in the order of their
numbers. So the stream of a block, and its tally, depend on the game, the seed and the block alone.
What the rules say of a state is kept for all blocks (`known.Known`), whoever meets it first.
"""

from array import array
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.chain.ending import must_end
from sevenout.cost import afford
from sevenout.errors import SevenoutError
from sevenout.simulate.engines import Stop, engine, has_compiler
from sevenout.simulate.known import Known, Numbered
from sevenout.simulate.plan import SETTLED, UNMET, Plan, jumps
from sevenout.simulate.stream import CROWD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class MetPart(NamedTuple):
    """The counts of a block, by the names of `Known`.

    Attributes:
        games: how many games were played.
        opened: the states in which a game was, in the order in which they were opened.
        flow: how many rolls took each edge, state after state.
        ended: games, by (state before the last roll, rolls, outcome).
    """

    games: int
    opened: list[int]
    flow: "Counts"
    ended: dict[tuple[int, int, int], int]


class Met(Numbered):
    """The states that a block has met, as a plan with room to grow.

    `plan` is another one when there was no room; its entries are filled in as states are opened.
    """

    def __init__(self, known: Known) -> None:
        import numpy as np

        super().__init__(known)
        self.edges = self.exits = self.parties = 0
        self.last: dict[int, int] = {}  # the party of each tree that is not full
        self.exit_of: list[tuple[int, int]] = []
        self.waiting = np.array([0])  # the states that are not open, in order

        def ints(*size: int) -> Any:
            return np.zeros(size, dtype=np.int32)

        self.plan = Plan(
            states=64,
            tree_of_state=ints(64),
            edge_start=ints(65),
            target=ints(512),
            exit_edge=ints(64),
            nodes=ints(0),
            labels=ints(0),
            child_start=ints(0),
            children=ints(0),
            depths=ints(0),
            jump=ints(0, 256),
            party=np.concatenate([ints(64) + UNMET, ints(64) + SETTLED]),
            members=ints(8, CROWD) - 1,
            sizes=ints(8),
        )
        self.meet([0])

    def meet(self, states: list[int]) -> bool:
        """Open some states; whether there is another plan."""
        import numpy as np

        known, before, named = self.known, self.plan, len(self.names)
        known.open([self.names[s] for s in states])
        rows = [self.open(s) for s in states]
        waiting = self.waiting[~np.isin(self.waiting, states, assume_unique=True)]
        self.waiting = np.append(waiting, np.arange(named, len(self.names)))
        self._make_room(len(rows), sum(map(len, rows)))
        plan = self.plan
        for s, row in zip(states, rows, strict=True):
            tree = known.tree[self.names[s]]
            plan.tree_of_state[s] = tree
            plan.edge_start[s] = self.edges
            for target in row:
                to = target
                if target < 0:
                    to = plan.states + self.exits
                    plan.exit_edge[self.exits] = self.edges
                    self.exit_of.append((s, ~target))
                    self.exits += 1
                plan.target[self.edges] = to
                self.edges += 1
            party = self.last.get(tree)
            if party is None or plan.sizes[party] == CROWD:
                party = self.last[tree] = self.parties
                self.parties += 1
            plan.members[party, plan.sizes[party]] = s
            plan.sizes[party] += 1
            plan.party[s] = party
        return plan is not before

    def _make_room(self, states: int, edges: int) -> None:
        """For so many more that are open, and their edges."""
        import numpy as np

        old, grown = self.plan, list(self.known.grown)

        def longer(a: Any, needed: int, fill: int = 0) -> Any:
            if needed <= len(a):
                return a
            more = max(needed, 2 * len(a)) - len(a)
            return np.concatenate([a, np.full((more, *a.shape[1:]), fill, dtype=a.dtype)])

        tree_of_state = longer(old.tree_of_state, len(self.names))
        exit_edge = longer(old.exit_edge, self.exits + edges)
        target = longer(old.target, self.edges + edges)
        members = longer(old.members, self.parties + states, -1)
        arrays = (tree_of_state, exit_edge, target, members)
        were = (old.tree_of_state, old.exit_edge, old.target, old.members)
        if all(a is b for a, b in zip(arrays, were, strict=True)) and len(grown) == len(old.nodes):
            return
        n = len(tree_of_state)
        if n != old.states:
            target = np.where(target >= old.states, target + (n - old.states), target)
        new = grown[len(old.nodes) :]
        pairs = [slot for tree in new for pair in tree.children for slot in pair]
        starts = len(old.children) + np.cumsum([0, *(2 * len(tree.children) for tree in new)])[:-1]

        def joined(a: Any, more: Any) -> Any:
            return np.concatenate([a, np.array(more, dtype=np.int32).reshape(-1, *a.shape[1:])])

        self.plan = Plan(
            states=n,
            tree_of_state=tree_of_state,
            edge_start=longer(old.edge_start, n + 1),
            target=target.astype(np.int32),
            exit_edge=exit_edge,
            nodes=joined(old.nodes, [len(tree.children) for tree in new]),
            labels=joined(old.labels, [tree.outcomes for tree in new]),
            child_start=joined(old.child_start, starts),
            children=joined(old.children, pairs),
            depths=joined(old.depths, [depth for tree in new for depth in tree.depths]),
            jump=joined(old.jump, [jumps(tree) for tree in new]),
            party=np.concatenate(
                [
                    longer(old.party[: old.states], n, UNMET),
                    np.full(len(exit_edge), SETTLED, np.int32),
                ]
            ),
            members=members,
            sizes=longer(old.sizes, len(members)),
        )

    def part(self, games: int, flow: "Counts", keys: "Counts", counts: "Counts") -> "MetPart":
        """What was counted, by the names of `Known`."""
        names, ended = self.names, dict[tuple[int, int, int], int]()
        for key, n in zip(keys.tolist(), counts.tolist(), strict=True):
            roll, leaving = divmod(key, self.plan.exits)
            s, outcome = self.exit_of[leaving]
            cell = names[s], roll, outcome
            ended[cell] = ended.get(cell, 0) + n
        opened = [names[s] for s in self.opened]
        return MetPart(games, opened, flow[: self.edges].copy(), ended)

    def unmet(self, games: "Counts") -> list[int]:
        """The states that have games and are not open, in order."""
        unmet: list[int] = self.waiting[games[self.waiting] > 0].tolist()
        return unmet

    def must_end(self) -> None:
        """Refuse a game that can't end from a state that was met, whatever is not open yet.

        Raises:
            EndlessGameError: the message names the states.
        """
        plan, names = self.plan, self.names
        place = {s: i for i, s in enumerate(self.opened)}
        first, targets = array("q", [0]), array("i")
        for s in self.opened:
            row = plan.target[plan.edge_start[s] :][: len(self.known.edges[names[s]])]
            targets.extend(place.get(target, len(place)) for target in row.tolist())
            first.append(len(targets))
        must_end([self.known.states[names[s]] for s in self.opened], first, targets)


LONG = 1 << 12
"""After so many rolls, and twice as many, ... it is asked whether the game ends at all."""


class _Doubt:
    """Whether the games of a block end at all.

    A game that goes on for ever from one new state to the next can't be told from a long one. So
    where no game has ended since it was last asked, and there were new states all the time, the
    budget is asked for as long again as it took to come there.

    Attributes:
        roll: when it is asked next.
    """

    def __init__(self, met: Met) -> None:
        self.met, self.roll = met, LONG
        self._games, self._opened, self._started = 0, 0, thread_time()

    def ask(self, games: int) -> None:
        """Ask, while so many games are on roll.

        Raises:
            EndlessGameError: they can't end from where they have come to.
            TooMuchWorkError: none has ended for long, and the budget does not allow more of that.
        """
        self.met.must_end()
        opened = len(self.met.opened)
        if games == self._games and opened > self._opened:
            self.met.known.budget.run(
                afford,
                f"{games:,} games of which none ended in rolls {self.roll // 2:,} to "
                f"{self.roll:,}, and which always come to new states,",
                seconds=2 * (thread_time() - self._started),
                instead="see that the game ends",
            )
        self.roll, self._games, self._opened = 2 * self.roll, games, opened


def play_met(
    known: Known,
    seed: int,
    block: int,
    games: int,
    stop: Stop | None = None,
    *,
    backend: str = "auto",
) -> MetPart | None:
    """Play the games of a block, opening states as they come to them; None if `stop` said so.

    Raises:
        SevenoutError: the backend plays only what is explored, or is not installed.
    """
    width = width_of(backend)
    met = Met(known)
    if width is None:
        return _in_numpy(met, seed, block, games, stop)
    from sevenout.simulate.compiled import Bench

    bench = Bench(met.plan, seed, games, width)
    bench.begin(games)
    doubt = _Doubt(met)
    current, nxt, alive = (bench.work[name] for name in ("current", "next", "alive"))
    while not bench.done:
        if stop is not None and stop():
            return None
        bench.go_on(block)
        if bench.roll >= doubt.roll:
            doubt.ask(int(current.sum() + nxt[: met.plan.states].sum()))
        if not alive[UNMET + 2]:
            continue
        unmet = met.unmet(nxt)
        if met.meet(unmet):
            bench.fit(met.plan)
            current, nxt, alive = (bench.work[name] for name in ("current", "next", "alive"))
        current[unmet] = nxt[unmet]
        nxt[unmet] = 0
        alive[met.plan.party[unmet] + 2] = 1
        alive[UNMET + 2] = 0
        bench.work["progress"][3] = 0
    return met.part(games, bench.work["flow"], *bench.all_records())


def _in_numpy(met: Met, seed: int, block: int, games: int, stop: Stop | None) -> MetPart | None:
    import numpy as np

    from sevenout.simulate.portable import Table

    table = Table(met.plan, seed, block, games)
    doubt = _Doubt(met)
    while table.current.any():
        if stop is not None and stop():
            return None
        table.roll_all()
        if table.roll >= doubt.roll:
            doubt.ask(int(table.current.sum()))
        if unmet := met.unmet(table.current):
            met.meet(unmet)
            table.fit(met.plan)
    keys, counts = (np.concatenate(column) for column in zip(*table.records, strict=True))
    return met.part(games, table.flow, keys, counts)


def width_of(backend: str) -> int | None:
    """The width of vectors; None for NumPy."""
    engine(backend)  # refuses what there is not
    if backend == "cuda":
        raise SevenoutError(
            "the backend 'cuda' plays games that can be explored; this one is too large: take "
            "'llvm' or 'numpy'"
        )
    if backend == "numpy" or (backend == "auto" and not has_compiler()):
        return None
    from sevenout.simulate import compiled

    return compiled.width_of(backend)
