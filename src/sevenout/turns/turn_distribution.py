"""The distribution of what a game of turns is worth, played optimally; and games of it, rolled.

From the first card on, each card with its total holds a distribution of what has been scored so
far. Its turn is played backwards again for the value of every node, then forwards: how likely is
each ending, where the best is done? The distribution moves on with what is entered, until the game
is over.

Everything is a sum of products of numbers that are not negative, so that each chance has a relative
error below (1 + 2**-53)**n - 1 for n roundings in a row (Higham 2002, lemma 3.1). Where two options
are equally good, or nearer than floats tell, the first is taken; that changes the mean by less than
the bound of the value, but the distribution is of the policy that was taken.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from sevenout.cost import afford
from sevenout.dice.distribution import Finite, root
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.page import Certified, Page, Shown
from sevenout.solve.policies.option_values import known
from sevenout.turns.turn_kernel import spread
from sevenout.turns.turn_values import THREADS, TurnSolver

TOGETHER = 1 << 16
"""Turns that are rolled at once."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.turns.turnpolicy import Play


class FinalLaw(Finite):
    """The distribution of what a game comes to, as floats with a bound.

    >>> coin = FinalLaw({Fraction(0): 0.5, Fraction(1): 0.5}, Fraction(0))
    >>> coin.mean, coin.variance, coin.quantile("1/2"), coin.cdf(0), coin.reached(1)
    (Fraction(1, 2), Fraction(1, 4), Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))

    Args:
        chances: of what it can come to.
        error: each chance is within this share of itself of the truth.
    """

    def __init__(self, chances: Mapping[Fraction, float], error: Fraction) -> None:
        ends = (min(chances), max(chances))
        super().__init__({x: Fraction(p) for x, p in chances.items()}, error, ends)

    @property
    def mean_bound(self) -> Fraction:
        """How far the mean may be from the truth."""
        return self.bound * max(map(abs, self.support))

    @property
    def known_mean(self) -> Fraction | Certified:
        """The mean, as what is known of it."""
        return known(self.mean, self.mean_bound)

    def reached(self, least: Number) -> Fraction | Certified:
        """The probability of this much or more, exact or with its error bound."""
        found = sum((p for x, p in self.row.items() if x >= exact(least)), Fraction(0))
        return known(found, found * self.bound)


class PlayedTurns(Finite, Shown):
    """Games of turns that were rolled, beside what they should be worth: the distribution of what
    was seen.

    Attributes:
        goal: what was wanted, in words.
        games: how many were played.
        value: what a game is worth.
        within: the value is within this of the truth.
        how: how they were played, in words.
    """

    def __init__(
        self, goal: str, scored: "NDArray[np.int64]", unit: int, play: "Play", how: str
    ) -> None:
        worths, times = np.unique(scored, return_counts=True)
        self.goal, self.games, self.how = goal, len(scored), how
        self.value, self.within = play.value, play.bound
        pairs = zip(worths.tolist(), times.tolist(), strict=True)
        super().__init__({Fraction(x, unit): Fraction(n, self.games) for x, n in pairs})

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of a game, as it is estimated."""
        n = self.games
        return root(self.variance * n / (n - 1)) if n > 1 else 0.0

    @property
    def z(self) -> float | None:
        """How many of its standard errors the mean is from the value; None for a single game."""
        error = self.deviation / self.games**0.5
        return float(self.mean - self.value) / error if error else None

    def page(self) -> Page:
        """What was seen beside what is true."""
        from sevenout.turns.turnpages import played

        return played(self)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts."""
        from sevenout.turns.turnpages import played_data

        return played_data(self)


class CardWays:
    """The ways on from a card: a way is a class of an entry, and what it pays at once.

    Args:
        solver: the game.
        s: the card.
        greedy: what is to come is no matter; only the turn is played optimally.
    """

    def __init__(self, solver: TurnSolver, s: int, greedy: bool = False) -> None:
        entries = solver.cards.entries[s]
        values = np.zeros_like(solver.values) if greedy else solver.values
        self.prepared = solver.prepared(s, values, solver.rewards)
        lanes = self.prepared.rows.shape[1]
        self.rows = solver.rows(s, lanes)
        pays = len(solver.paid)
        where = self.prepared.first[:, None] + self.prepared.classes
        found, names = np.unique(where * pays + self.prepared.paid, return_inverse=True)
        self.of = names.reshape(len(entries), -1)
        self.row, self.pay = found // pays, found % pays
        self.tape = solver.tape_on(s)
        self.work = self.tape.worths(self.prepared)
        self.chances, self.taken = self.tape.ahead(self.prepared, self.work)

    def ways(self, endings: "NDArray[np.int64]", lanes: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The way that is taken from each of some endings, in its lane."""
        found: NDArray[np.int64] = self.of[self.taken[endings, lanes], endings]
        return found

    def shares(self, lanes: int) -> "NDArray[np.float64]":
        """How likely each way is, for each of the first lanes: (ways, lanes)."""
        endings = np.arange(len(self.taken))[:, None]
        at = self.of[self.taken[:, :lanes], endings] * lanes + np.arange(lanes)
        chances = self.chances[: len(self.taken), :lanes]
        sums = np.bincount(at.ravel(), chances.ravel(), len(self.row) * lanes)
        return sums.reshape(-1, lanes).astype(np.float64)


class _Laws:
    """The distributions of what was scored, for every card and total; those that are done with are
    let go.

    Amounts are counted in units from the least that a card can hold.
    """

    def __init__(self, solver: TurnSolver, greedy: bool) -> None:
        self.solver, cards, self.greedy = solver, solver.cards, greedy
        n = len(cards.cards)
        self.steps = solver.steps.tolist()
        self.low, self.high = [0] * len(cards.left), [-1] * len(cards.left)
        self.low[0] = self.high[0] = 0
        self.order = [s for level in reversed(solver.levels) for s in level]
        reach: set[int] = {0}
        for s in self.order:
            for entry in cards.entries[s]:
                read = cards.reads[entry.read]
                pays = solver.paid_by(entry)
                for c, target in enumerate(entry.targets):
                    paid = [self.steps[i] for i in set(pays[read.classes == c].tolist())]
                    t = target if target >= 0 else n + ~target
                    low, high = self.low[s] + min(paid), self.high[s] + max(paid)
                    seen = t in reach
                    self.low[t] = min(self.low[t], low) if seen else low
                    self.high[t] = max(self.high[t], high) if seen else high
                    reach.add(t)
        self.width = [high - low + 1 for low, high in zip(self.low, self.high, strict=True)]
        self.sizes = [
            len(totals) * width for totals, width in zip(solver.totals, self.width, strict=True)
        ]
        at: dict[int, list[int]] = {}
        for s, left in enumerate(cards.left):
            at.setdefault(left, []).append(s)
        self.offset = [0] * len(cards.left)
        self.total: dict[int, int] = {}
        for left, members in at.items():
            ends = [0, *accumulate(self.sizes[s] for s in members)]
            self.total[left] = ends[-1]
            for s, start in zip(members, ends[:-1], strict=True):
                self.offset[s] = start
        held = [self.total[left] for left in sorted(self.total)]
        most = max(a + b for a, b in pairwise([0, *held]))
        afford("the distribution of the score", memory=8.0 * most, instead="ask for the mean alone")
        self._tables = np.array([self.offset, self.width, self.low, cards.left], np.int64)
        self.masses: dict[int, NDArray[np.float64]] = {}
        self.roundings = [0] * len(cards.left)

    def of(self, left: int) -> "NDArray[np.float64]":
        if left not in self.masses:
            self.masses[left] = np.zeros(self.total[left])
        return self.masses[left]

    def law(self) -> FinalLaw:
        cards = self.solver.cards
        self.of(cards.left[0])[self.offset[0]] = 1.0
        with ThreadPoolExecutor(THREADS) as pool:
            for left, level in reversed([*enumerate(self.solver.levels, 1)]):
                if not level:  # a policy that never comes to such a card
                    continue
                parts = pool.map(self._parts, level)
                for s, (shares, lanes, places, steps) in zip(level, parts, strict=True):
                    self._move(s, shares, lanes, places, steps)
                del self.masses[left]
        return self._final()

    def _parts(self, s: int) -> "tuple[NDArray[Any], ...]":
        """What moves on from a card: shares, of which lanes, where to, and what is paid."""
        lanes = len(self.solver.totals[s])
        ways = CardWays(self.solver, s, self.greedy)
        shares = ways.shares(lanes)
        way, lane = np.nonzero(shares)
        steps = self.solver.steps[ways.pay[way]]
        return shares[way, lane], lane, ways.rows[ways.row[way], lane], steps

    def _move(
        self,
        s: int,
        shares: "NDArray[np.float64]",
        lanes: "NDArray[np.int64]",
        places: "NDArray[np.int64]",
        steps: "NDArray[np.int64]",
    ) -> None:
        solver, cards = self.solver, self.solver.cards
        source = self.of(cards.left[s])
        targets = np.searchsorted(solver.offsets, places, side="right") - 1
        inside = places - solver.offsets[targets]
        offset, width, low, left = self._tables[:, targets]
        to = offset + inside * width + self.low[s] + steps - low
        start = self.offset[s] + lanes * self.width[s]
        roundings = self.roundings[s] + solver.tape.merges + solver.tape.endings + 2
        for level in np.unique(left).tolist():
            mine = left == level
            moves = (shares[mine], start[mine], to[mine])
            spread(moves, self.width[s], source, self.of(level))
        for t, count in zip(*np.unique(targets, return_counts=True), strict=True):
            self.roundings[t] = max(self.roundings[t], roundings) + int(count)

    def _final(self) -> FinalLaw:
        solver, found = self.solver, dict[Fraction, float]()
        ends = list(solver.ends())
        for place, worth in ends:
            t = int(np.searchsorted(solver.offsets, place, side="right")) - 1
            start = self.offset[t] + (place - int(solver.offsets[t])) * self.width[t]
            masses = self.of(0)[start : start + self.width[t]]
            for i in np.flatnonzero(masses).tolist():
                amount = worth + Fraction(self.low[t] + i, solver.unit)
                found[amount] = found.get(amount, 0.0) + float(masses[i])
        roundings = max(self.roundings) + len(ends)
        error = Fraction(roundings, 2**53 - roundings)
        return FinalLaw(found, error)


def law_of(solver: TurnSolver, greedy: bool = False) -> FinalLaw:
    """The distribution of what a game of turns comes to, played optimally; or each turn for its own
    sake.
    """
    return _Laws(solver, greedy).law()


def played(solver: TurnSolver, games: int, seed: int, greedy: bool = False) -> "NDArray[Any]":
    """What this many games came to, each rolled to its end, in units; as `law_of` plays them.

    Every die of every turn is rolled (Philox), and the games on a card are played together.

    Raises:
        RulesError: no games, no seed, or amounts or weights that are beyond 64 bits.
        TooMuchWorkError: too many games for the budget.
    """
    for name, given, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(given, bool) or not isinstance(given, int) or given < least:
            raise RulesError(f"{name}={shown(given)}; give a whole number from {least} on")
    cards, tape, steps = solver.cards, solver.tape, solver.steps
    if tape.weights is None:
        raise RulesError("the turn's weights are too large to be rolled in words of 64 bits")
    rolls = games * len(cards.levels) * tape.longest
    afford(f"{rolls:,} rolls", seconds=2e-8 * rolls, memory=64.0 * games, instead="play fewer")
    stream = SeedSequence(seed).generate_state(1, np.uint64)[0]
    place, scored = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def play(s: int, mine: "NDArray[np.int64]") -> None:
        random = np.random.Generator(np.random.Philox(key=[stream, s]))
        ways = CardWays(solver, s, greedy)
        lanes = place[mine] - solver.offsets[s]
        for part in np.array_split(np.arange(len(mine)), len(mine) // TOGETHER + 1):
            rolls = random.integers(tape.sides, size=(len(part), tape.longest))
            endings = ways.tape.rolled(ways.work, lanes[part], rolls)
            way = ways.ways(endings, lanes[part])
            scored[mine[part]] += steps[ways.pay[way]]
            place[mine[part]] = ways.rows[ways.row[way], lanes[part]]

    with ThreadPoolExecutor(THREADS) as pool:
        for level in reversed(cards.levels):
            card = np.searchsorted(solver.offsets, place, side="right") - 1
            order = np.argsort(card, kind="stable")
            found, first = np.unique(card[order], return_index=True)
            groups = dict(zip(found.tolist(), np.split(order, first[1:]), strict=True))
            list(pool.map(play, *zip(*((s, groups[s]) for s in level if s in groups), strict=True)))
    worth = dict(solver.ends())
    ends, which = np.unique(place, return_inverse=True)
    last = np.array([int(worth[p] * solver.unit) for p in ends.tolist()], np.int64)
    return scored + last[which]
