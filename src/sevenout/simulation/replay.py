"""Simulated games one by one, through the rules: the check of the fast engines.

A replay reads `random_bits` in plain Python and plays by the game's `step` alone. Equal counts
check the chain, its tables, and the engine.

Engines know only the edge of a roll. Among rolls of the same edge the replay draws one: for roll t
of game i of block b, by rejection from Philox's words (in the order of `random_bits.words`) for the
counters (i, t, b, 2³¹ + 0), (i, t, b, 2³¹ + 1), ...
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.errors import SevenoutError
from sevenout.model import Chain, state_name
from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.game import reach
from sevenout.rules.outcome import Counts
from sevenout.simulation.backends.random_bits import (
    BLOCK,
    COHORT,
    CROWD,
    FEW,
    WORD,
    DDGTree,
    bits,
    ddg_tree,
    key_of,
    lowest,
    philox,
)
from sevenout.simulation.tally import Tally
from sevenout.simulation.unexplored.lazy_sampler import explored
from sevenout.wrong_arguments import public


class ReplayError(SevenoutError):
    """The rules and the chain disagree about a roll."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll and the state before it.

    >>> Rolled(state=4, roll=7)
    Rolled(state=4, roll=7)
    """

    state: Any
    roll: Any


@dataclass(frozen=True, slots=True)
class Played:
    """One game.

    >>> from sevenout.catalogue import games
    >>> one = next(rolls(games["craps"], seed=1, games=1))
    >>> one.number, one.rolls[0], one.outcome.label
    (0, Rolled(state='come-out', roll=9), 'point')

    Attributes:
        number: its number in the block, from 0.
        counts: its (counter, count) pairs, without "rolls".
    """

    number: int
    rolls: tuple[Rolled, ...]
    outcome: Outcome
    counts: Counts


@public
def rolls(game: Game, seed: int, block: int = 0, games: int = BLOCK) -> Iterator[Played]:
    """The games of a block with their rolls, in the order in which they are settled.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> first = min(rolls(craps, seed=1, games=4), key=lambda game: game.number)
    >>> first.outcome.label, [rolled.roll for rolled in first.rolls]
    ('point', [9, 8, 9])

    Args:
        game: the rules.
        seed: of the run.
        block: the number of the block.
        games: in the block (all blocks of a run but the last have `BLOCK`).

    Raises:
        ReplayError: a step disagrees with the chain.
    """
    chain = explored(game, block * BLOCK + games)
    if chain is None:
        from sevenout.simulation.unexplored.lazy_tally import play_alone

        yield from play_alone(game, seed, block, games)
        return
    table = _Table(game if chain.states[0] == game.start else Flat(game), chain, seed, block)
    lines: dict[int, list[int]] = {0: list(range(games))}
    while lines:
        yield from table.roll(lines)
        lines = table.next


@public
def recount(game: Game | Chain, played: Iterable[Played]) -> Tally:
    """The tally of games played one by one, from their rolls alone.

    >>> from sevenout.rules import PointGame
    >>> from sevenout.simulation.run import simulate
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> recount(craps, rolls(craps, seed=3, games=500)) == simulate(craps, games=500, seed=3)
    True
    """
    chain = explored(game, 0)
    if chain is None:
        played = some = list(played)
        chain = explored(game, len(some))
        if chain is None:
            from sevenout.simulation.unexplored.lazy_tally import met_recount

            assert isinstance(game, Game)
            return met_recount(game, some)
    atlas = _Atlas(chain)
    flow = [0] * len(atlas.edges)
    absorbed: dict[tuple[int, int, int], int] = {}
    games = 0
    for one in played:
        games += 1
        for rolled in one.rolls:
            flow[atlas.edge(rolled)] += 1
        key = atlas.state[one.rolls[-1].state], len(one.rolls), atlas.outcome[one.outcome]
        absorbed[key] = absorbed.get(key, 0) + 1
    return Tally(chain, games, tuple(flow), absorbed)


class _Atlas:
    """The states, rolls, edges and outcomes of a chain by value."""

    def __init__(self, chain: Chain) -> None:
        self.state = {state: s for s, state in enumerate(chain.states)}
        self.outcome = {outcome: k for k, outcome in enumerate(chain.outcomes)}
        self.rolls = [tuple(rollable.law) for rollable in chain.rollables]
        self.place = [{roll: i for i, roll in enumerate(law)} for law in self.rolls]
        self.rolled = chain.rolled
        self.edges: list[list[int]] = []  # the rolls of each edge, by place in their distribution
        self.first: list[int] = []  # the first edge of each state
        self._edge: list[list[int]] = []  # the edge of each roll in each state
        for moves in chain.moves:
            labels = {move: label for label, move in enumerate(dict.fromkeys(moves))}
            self.first.append(len(self.edges))
            self.edges += [[] for _ in labels]
            self._edge.append([self.first[-1] + labels[move] for move in moves])
            for i, edge in enumerate(self._edge[-1]):
                self.edges[edge].append(i)

    def edge(self, rolled: Rolled) -> int:
        """The edge of a roll."""
        s = self.state[rolled.state]
        return self._edge[s][self.place[self.rolled[s]][rolled.roll]]


class _Table:
    """The unfinished games of a block, with their histories."""

    def __init__(self, game: Game, chain: Chain, seed: int, block: int) -> None:
        self.game, self.chain, self.seed, self.block = game, chain, seed, block
        self.atlas = _Atlas(chain)
        self.weights = [rollable.law.weights for rollable in chain.rollables]
        self.trees = [ddg_tree(lowest(edge.weight for edge in row)) for row in chain.rows]
        self.place = _places(self.trees)
        self.draw = self.number = 0
        self.next: dict[int, list[int]] = {}
        self.past: dict[int, list[Rolled]] = defaultdict(list)
        self.counts: dict[int, dict[str, int | Fraction]] = defaultdict(dict)

    def roll(self, lines: dict[int, list[int]]) -> Iterator[Played]:
        """Roll once for every game; `lines` are the games in each state."""
        self.number += 1
        self.next = defaultdict(list)
        while busy := self.busy(lines):
            for party in busy:
                for s, outcomes, refused in self.toss(party, lines):
                    lines[s] = refused
                    for label, line in enumerate(outcomes):
                        for i in line:
                            yield from self.cross(i, s, label)
        lone, used = 0, 0
        for s in sorted(lines, key=self.place.__getitem__):
            for i in lines[s]:
                label, spent = self.descend(s, lone)
                lone, used = lone + 1, max(used, spent)
                yield from self.cross(i, s, label)
        self.draw += used

    def busy(self, lines: dict[int, list[int]]) -> list[list[int]]:
        """The states that toss together, by party."""
        parties: dict[int, list[int]] = {}
        for s in sorted(lines, key=self.place.__getitem__):
            if len(lines[s]) >= FEW:
                parties.setdefault(self.place[s][0], []).append(s)
        return [party for party in parties.values() if sum(len(lines[s]) for s in party) >= COHORT]

    def toss(
        self, party: list[int], lines: dict[int, list[int]]
    ) -> list[tuple[int, list[list[int]], list[int]]]:
        """For each state of a party the games at each outcome of its tree, and those refused."""
        tree = self.trees[party[0]]
        slots: dict[int, list[list[int]]] = {s: [[] for _ in range(tree.slots)] for s in party}
        for s in party:
            slots[s][0] = lines[s]
        for node, children in enumerate(tree.children):
            coins = bits(self.seed, self.block, self.draw + node)
            for s in party:
                for i in slots[s][node]:
                    slots[s][children[next(coins)]].append(i)
        self.draw += len(tree.children)
        nodes, refusal = len(tree.children), tree.refusal
        return [(s, slots[s][nodes:refusal], slots[s][refusal]) for s in party]

    def descend(self, s: int, j: int) -> tuple[int, int]:
        """The outcome of lone game j's tree, and its number of draws."""
        tree, slot, spent, word = self.trees[s], 0, 0, 0
        while slot < len(tree.children):
            if spent % 32 == 0:
                word = self.word(j, self.draw + spent // 32)
            slot = tree.children[slot][word >> spent % 32 & 1]
            slot = 0 if slot == tree.refusal else slot
            spent += 1
        return slot - len(tree.children), max(1, -(-spent // 32))

    def word(self, j: int, draw: int) -> int:
        """Word j of a draw."""
        counter = (j // 4, draw & WORD, self.block, draw >> 32)
        x0, x1, x2, x3 = philox(counter, key_of(self.seed))
        return (x1, x0, x3, x2)[j % 4]

    def cross(self, i: int, s: int, label: int) -> Iterator[Played]:
        """Game i takes an edge; its result by the rules."""
        place = self.choose(i, s, self.atlas.edges[self.atlas.first[s] + label])
        state, move = self.chain.states[s], self.chain.moves[s][place]
        roll = self.atlas.rolls[self.chain.rolled[s]][place]
        self.past[i].append(Rolled(state, roll))
        then, counted = reach(self.game, state, roll)
        for name, n in counted:
            self.counts[i][name] = self.counts[i].get(name, 0) + n
        if then != self.there(move.target):
            raise ReplayError(
                f"the step from {state_name(state)} on {roll!r} leads to {state_name(then)}, but "
                f"the chain to {self.chain.name(move.target)}"
            )
        if isinstance(then, Outcome):
            counts = tuple(self.counts.pop(i, {}).items())
            yield Played(i, tuple(self.past.pop(i)), then, counts)
        else:
            self.next[self.atlas.state[then]].append(i)

    def there(self, target: int) -> Any:
        """The state or the outcome of a target."""
        n = len(self.chain.states)
        return self.chain.states[target] if target < n else self.chain.outcomes[target - n]

    def choose(self, i: int, s: int, alike: list[int]) -> int:
        """The roll of game i among the rolls of its edge."""
        if len(alike) == 1:
            return alike[0]
        weights = [self.weights[self.chain.rolled[s]][place] for place in alike]
        drawn = self.below(i, sum(weights))
        for place, weight in zip(alike, weights, strict=True):
            if drawn < weight:
                return place
            drawn -= weight
        raise AssertionError

    def below(self, i: int, n: int) -> int:
        """A uniform number from 0 to n - 1, for this roll of game i, by rejection."""
        size = (n - 1).bit_length()
        value = have = call = 0
        while True:
            counter = (i, self.number & WORD, self.block, 1 << 31 | call)
            x0, x1, x2, x3 = philox(counter, key_of(self.seed))
            call += 1
            for word in (x1, x0, x3, x2):
                value, have = value | word << have, have + 32
                if have < size:
                    continue
                value &= (1 << size) - 1
                if value < n:
                    return value
                value = have = 0


def _places(trees: list[DDGTree]) -> list[tuple[int, int]]:
    """The place of each state in the line: its party, and itself."""
    last: dict[DDGTree, tuple[int, int]] = {}  # the last party of each tree, and its size
    places, parties = [], 0
    for s, tree in enumerate(trees):
        party, size = last.get(tree, (0, CROWD))
        if size == CROWD:
            party, size, parties = parties, 0, parties + 1
        last[tree] = party, size + 1
        places.append((party, s))
    return places
