"""The distribution of the score of a game of turns under a policy, and simulated games.

Each card with its total holds a distribution of the score so far. The turn is solved backwards for
the value of every node, then forwards for the probability of each ending.

All terms are sums of products of non-negative numbers, so the relative error of each probability is
below (1 + 2**-53)**n - 1 for n successive roundings (Higham 2002, lemma 3.1). Of options equal in
floats, the first is taken, which changes the mean by less than its error bound.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from sevenout.budgets.estimates import afford
from sevenout.documents import Certified, Page, Shown
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import Finite, root
from sevenout.solving.policies.option_values import known
from sevenout.solving.turns.turn_kernel import spread
from sevenout.solving.turns.turn_values import THREADS, TurnSolver

TOGETHER = 1 << 16
"""Turns simulated at once."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.solving.turns.turnpolicy import Play


class FinalLaw(Finite):
    """The distribution of the final score, as floats; `error` bounds their relative errors.

    >>> coin = FinalLaw({Fraction(0): 0.5, Fraction(1): 0.5}, Fraction(0))
    >>> coin.mean, coin.variance, coin.quantile("1/2"), coin.cdf(0), coin.reached(1)
    (Fraction(1, 2), Fraction(1, 4), Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))
    """

    def __init__(self, chances: Mapping[Fraction, float], error: Fraction) -> None:
        ends = (min(chances), max(chances))
        super().__init__({x: Fraction(p) for x, p in chances.items()}, error, ends)

    @property
    def mean_bound(self) -> Fraction:
        """The error bound of the mean."""
        low, high = self.support
        return self.bound * Fraction(max(abs(low), abs(high)))

    @property
    def known_mean(self) -> Fraction | Certified:
        """The mean, with its error bound unless exact."""
        return known(self.mean, self.mean_bound)

    def reached(self, least: Number) -> Fraction | Certified:
        """The probability of at least this score, with its error bound unless exact."""
        found = sum((p for x, p in self.row.items() if x >= exact(least)), Fraction(0))
        return known(found, found * self.bound)


class PlayedTurns(Finite, Shown):
    """The distribution of scores in simulated games, with their expected value.

    Attributes:
        within: the error bound of the expected value.
    """

    def __init__(
        self, goal: str, scored: "NDArray[np.int64]", unit: int, play: "Play", how: str
    ) -> None:
        values, times = np.unique(scored, return_counts=True)
        self.goal, self.games, self.how = goal, len(scored), how
        self.value, self.within = play.value, play.bound
        pairs = zip(values.tolist(), times.tolist(), strict=True)
        super().__init__({Fraction(x, unit): Fraction(n, self.games) for x, n in pairs})

    @cached_property
    def deviation(self) -> float:
        """The sample standard deviation of a game."""
        n = self.games
        return root(self.variance * n / (n - 1)) if n > 1 else 0.0

    @property
    def z(self) -> float | None:
        """The mean's distance from the value in standard errors; None for one game."""
        error = self.deviation / self.games**0.5
        return float(self.mean - self.value) / error if error else None

    def page(self) -> Page:
        """The simulated figures beside the exact ones."""
        from sevenout.solving.turns.turnpages import played

        return played(self)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings."""
        from sevenout.solving.turns.turnpages import played_data

        return played_data(self)


class CardWays:
    """The ways on from card `s`: a class of an entry, and its immediate pay.

    With `greedy`, each turn is optimized for its own pay alone.
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
        self.kernel = solver.kernel_on(s)
        self.work = self.kernel.card_values(self.prepared)
        self.chances, self.taken = self.kernel.ahead(self.prepared, self.work)

    def ways(self, endings: "NDArray[np.int64]", lanes: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The way taken from each ending, in its lane."""
        found: NDArray[np.int64] = self.of[self.taken[endings, lanes], endings]
        return found

    def shares(self, lanes: int) -> "NDArray[np.float64]":
        """The probability of each way in the first lanes: (ways, lanes)."""
        endings = np.arange(len(self.taken))[:, None]
        at = self.of[self.taken[:, :lanes], endings] * lanes + np.arange(lanes)
        chances = self.chances[: len(self.taken), :lanes]
        sums = np.bincount(at.ravel(), chances.ravel(), len(self.row) * lanes)
        return sums.reshape(-1, lanes).astype(np.float64)


class _Laws:
    """The distributions of the score so far by card and total, freed after use.

    Scores are in units from the least that a card can hold.
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
                if not level:  # a policy that never reaches such a card
                    continue
                parts = pool.map(self._parts, level)
                for s, (shares, lanes, places, steps) in zip(level, parts, strict=True):
                    self._move(s, shares, lanes, places, steps)
                del self.masses[left]
        return self._final()

    def _parts(self, s: int) -> "tuple[NDArray[Any], ...]":
        """The moves from a card: shares, lanes, destinations and pay."""
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
        roundings = self.roundings[s] + solver.kernel.merges + solver.kernel.endings + 2
        for level in np.unique(left).tolist():
            mine = left == level
            moves = (shares[mine], start[mine], to[mine])
            spread(moves, self.width[s], source, self.of(level))
        for t, count in zip(*np.unique(targets, return_counts=True), strict=True):
            self.roundings[t] = max(self.roundings[t], roundings) + int(count)

    def _final(self) -> FinalLaw:
        solver, found = self.solver, dict[Fraction, float]()
        ends = list(solver.ends())
        for place, value in ends:
            t = int(np.searchsorted(solver.offsets, place, side="right")) - 1
            start = self.offset[t] + (place - int(solver.offsets[t])) * self.width[t]
            masses = self.of(0)[start : start + self.width[t]]
            for i in np.flatnonzero(masses).tolist():
                amount = value + Fraction(self.low[t] + i, solver.unit)
                found[amount] = found.get(amount, 0.0) + float(masses[i])
        roundings = max(self.roundings) + len(ends)
        error = Fraction(roundings, 2**53 - roundings)
        return FinalLaw(found, error)


def law_of(solver: TurnSolver, greedy: bool = False) -> FinalLaw:
    """The distribution of the final score under optimal play, or greedy play."""
    return _Laws(solver, greedy).law()


def played(solver: TurnSolver, games: int, seed: int, greedy: bool = False) -> "NDArray[Any]":
    """Simulate games as `law_of` plays them, and return their scores in units.

    Every die is rolled (Philox); games on the same card are played together.

    Raises:
        RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
        TooMuchWorkError: too many games for the budget.
    """
    for name, given, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(given, bool) or not isinstance(given, int) or given < least:
            raise RulesError(f"{name}={shown(given)}; give a whole number, {least} or more")
    cards, kernel, steps = solver.cards, solver.kernel, solver.steps
    if kernel.weights is None:
        raise RulesError("the turn's weights are too large to be rolled in words of 64 bits")
    rolls = games * len(cards.levels) * kernel.longest
    afford(f"{rolls:,} rolls", seconds=2e-8 * rolls, memory=64.0 * games, instead="play fewer")
    stream = SeedSequence(seed).generate_state(1, np.uint64)[0]
    place, scored = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def play(s: int, mine: "NDArray[np.int64]") -> None:
        random = np.random.Generator(np.random.Philox(key=[stream, s]))
        ways = CardWays(solver, s, greedy)
        lanes = place[mine] - solver.offsets[s]
        for part in np.array_split(np.arange(len(mine)), len(mine) // TOGETHER + 1):
            rolls = random.integers(kernel.sides, size=(len(part), kernel.longest))
            endings = ways.kernel.rolled(ways.work, lanes[part], rolls)
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
    value = dict(solver.ends())
    ends, which = np.unique(place, return_inverse=True)
    last = np.array([int(value[p] * solver.unit) for p in ends.tolist()], np.int64)
    return scored + last[which]
