"""What the rules say of the states of a chain too large to explore, as games come to them."""

from array import array
from collections.abc import Hashable, Iterable
from contextvars import copy_context
from threading import Lock
from typing import Any

from sevenout.chain.explore import must_roll
from sevenout.cost import afford
from sevenout.dice import Rollable
from sevenout.dice.distribution import summed
from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.game import reach, start_of
from sevenout.rules.outcome import Counts
from sevenout.simulate.knuth_yao import DDGTree, ddg_tree, lowest


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
        for roll in self.laws[which][0]:
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
        merged = summed(zip(zip(targets, tagged, strict=True), self.laws[which][1], strict=True))
        weights = lowest(merged.values())
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
