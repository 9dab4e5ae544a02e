"""Chains too large to explore, played all the same: a state is opened when a game comes to it.

Each block of games numbers the states that it meets as exploring would: the start is 0, and the
states to which the rolls of a state lead are numbered, in their order, when it is *opened*, just
before the first roll in it; states to be opened for the same roll are opened in the order of their
numbers. So the stream of a block, and its tally, depend on the game, the seed and the block alone.
What the rules say of a state is kept for all blocks (`Known`), whoever meets it first.
"""

from array import array
from collections.abc import Hashable, Iterable
from contextvars import copy_context
from math import gcd
from threading import Lock
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.chain.ending import must_end
from sevenout.chain.explore import must_roll
from sevenout.cost import afford
from sevenout.dice import Rollable
from sevenout.errors import SevenoutError
from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.game import reach, start_of
from sevenout.rules.outcome import Counts
from sevenout.simulate.engines import Stop, engine, has_compiler
from sevenout.simulate.knuth_yao import DDGTree, ddg_tree
from sevenout.simulate.plan import SETTLED, UNMET, Plan, jumps
from sevenout.simulate.stream import CROWD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counted = NDArray[np.int64]


class Known:
    """What the rules have said so far.

    Attributes:
        states: each state that was named, in whatever order.
        outcomes: each outcome; outcome k is target ~k.
        edges: by state, once it is open: the distinct (target, counters) in the order of the rolls.
        tree: by state, once it is open: the index of its tree.
    """

    def __init__(self, game: Game) -> None:
        self.game, start = game, start_of(game)
        self.states: list[Hashable] = [start]
        self.index: dict[Hashable, int] = {start: 0}
        self.outcomes = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tags: dict[Counts, int] = {(): 0}
        self.rollables: dict[Rollable, int] = {}
        self.laws: list[tuple[tuple[Any, ...], tuple[int, ...]]] = []
        self.trees: dict[tuple[int, ...], int] = {}
        self.grown: list[DDGTree] = []
        self.edges: dict[int, list[int]] = {}
        self.moves: dict[int, tuple[int, array[int], array[int]]] = {}
        self.tree: dict[int, int] = {}
        self._lock = Lock()
        self._asked = 0
        self.budget = copy_context()  # that of the caller: the threads of a run have none
        if isinstance(game.rolls(start), Game):
            self._flatten()

    def open(self, states: Iterable[int]) -> None:
        """Ask the rules what follows some states, where they were not asked before."""
        with self._lock:
            for s in states:
                if s not in self.tree:
                    self._open(s)

    def _flatten(self) -> None:
        """Play the games that are rolled on the dice at the bottom."""
        self.game = flat = Flat(self.game)
        self.states = [flat.enter(state) for state in self.states]
        self.index = {state: s for s, state in enumerate(self.states)}

    def _open(self, s: int) -> None:
        if isinstance(self.game.rolls(self.states[s]), Game):
            self._flatten()
        game, state = self.game, self.states[s]
        what = must_roll(game.rolls(state))
        which = self.rollables.setdefault(what, len(self.rollables))
        if which == len(self.laws):
            self.laws.append((tuple(what.law), tuple(what.law.weights)))
        targets, tagged = array("i"), array("i")
        merged: dict[tuple[int, int], int] = {}
        for roll, weight in zip(*self.laws[which], strict=True):
            then, counts = reach(game, state, roll)
            tag = self.tags.setdefault(counts, len(self.tags))
            if isinstance(then, Outcome):
                target = ~self.outcomes.setdefault(then, len(self.outcomes))
            else:
                target = self.index.setdefault(then, len(self.states))
                if target == len(self.states):
                    self.states.append(then)
            targets.append(target)
            tagged.append(tag)
            merged[target, tag] = merged.get((target, tag), 0) + weight
        divisor = gcd(*merged.values())
        weights = tuple([weight // divisor for weight in merged.values()])
        tree = self.trees.setdefault(weights, len(self.trees))
        if tree == len(self.grown):
            self.grown.append(ddg_tree(weights))
        self.moves[s] = which, targets, tagged
        self.edges[s] = [target for target, _ in merged]
        self.tree[s] = tree
        if 4 * len(self.states) > 5 * self._asked:
            self._asked = len(self.states)
            self.budget.run(_afford, self._asked)


def _afford(states: int) -> None:
    """Ask whether so many states can be kept."""
    afford(
        f"keeping the {states:,} states met so far",
        memory=states * STATE_BYTES,
        instead="play fewer games, forget what the rules do not need to remember",
    )


STATE_BYTES = 800
"""About what a state takes that is known by name; some of them are open."""


class Numbered:
    """The states of some games, numbered as those before them are opened."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.names = [0]  # what is known by which name, by number
        self.number = {0: 0}
        self.opened: list[int] = []

    def open(self, s: int) -> list[int]:
        """Open a state: the targets of its edges; ~k is outcome k."""
        self.opened.append(s)
        number, names = self.number, self.names
        found = []
        for target in self.known.edges[names[s]]:
            if target < 0:
                found.append(target)
                continue
            to = number.setdefault(target, len(names))
            if to == len(names):
                names.append(target)
            found.append(to)
        return found


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
    flow: "Counted"
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

    def part(self, games: int, flow: "Counted", keys: "Counted", counts: "Counted") -> "MetPart":
        """What was counted, by the names of `Known`."""
        names, ended = self.names, dict[tuple[int, int, int], int]()
        for key, n in zip(keys.tolist(), counts.tolist(), strict=True):
            roll, leaving = divmod(key, self.plan.exits)
            s, outcome = self.exit_of[leaving]
            cell = names[s], roll, outcome
            ended[cell] = ended.get(cell, 0) + n
        opened = [names[s] for s in self.opened]
        return MetPart(games, opened, flow[: self.edges].copy(), ended)

    def unmet(self, games: "Counted") -> list[int]:
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
    from sevenout.simulate.compiled import best_width

    _, _, width = backend.partition("-")
    return int(width) if width else best_width()
