"""The values of every state as integers over a scale, and the ranking that bounds their error.

Floats solve for a correction, the residual is taken exactly (iterative refinement, Wilkinson 1963),
until no equation is off by more than a unit. The ranking is found so too: twice the mean number of
rolls, so that its own rounding is nothing beside the one to spare.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, lcm, log2
from typing import Any

import numpy as np

from sevenout.certify import Certificate, Claim, Proved
from sevenout.errors import RulesError
from sevenout.extras import needs
from sevenout.model import Chain

FINE = 10
"""Bits after the point of a ranking."""
ROUNDS = 100
"""Corrections after which the values should have settled."""


def bounded(chain: Chain, claims: Sequence[Claim], game: str, digits: int) -> Certificate:
    """The certificate of a chain, to so many decimals.

    Raises:
        RulesError: the game is too slow to end for floats.
    """
    needs("scipy", "fast")
    return _Bounded(chain, digits).certificate(game, claims)


class _Bounded:
    """Values as integers over a scale, and the ranking that bounds what they are off by."""

    def __init__(self, chain: Chain, digits: int) -> None:
        self.chain, self.digits = chain, digits
        self.n = len(chain.states)
        rows = [
            [(w, t, counts) for (t, counts), w in zip(moves, chain._weights[rolled], strict=True)]
            for moves, rolled in zip(chain.moves, chain.rolled, strict=True)
        ]
        self.first = np.cumsum([0, *map(len, rows)])
        self.weights = np.array([w for row in rows for w, _, _ in row], object)
        self.targets = np.array([t for row in rows for _, t, _ in row], np.int64)
        self.counts = [counts for row in rows for _, _, counts in row]
        self.whole = chain.denominator
        zero = np.array([0] * len(chain.outcomes), object)
        steps = np.array([2 * self.whole << FINE] * self.n, object)
        every = np.ones(len(self.targets), bool)
        self.ranks = self._solved(every, steps, zero)
        spare = self.ranks * self.whole - self._means(every, self.ranks, zero)
        if min(spare) < self.whole << FINE or min(self.ranks) <= 0:
            raise RulesError("no proof was found that the game ends: it is too slow for floats")

    def _means(self, moves: Any, values: Any, ends: Any) -> Any:
        """What follows each state by some of its moves, times the total weight."""
        after = np.concatenate([values, ends])[self.targets] * self.weights
        return np.add.reduceat(np.where(moves, after, 0), self.first[:-1])

    def _solved(self, moves: Any, reward: Any, ends: Any) -> Any:
        """Integers that miss no equation, V · whole = reward + means of V, by more than a unit."""
        from scipy.sparse import csc_array, identity
        from scipy.sparse.linalg import splu

        inside = moves & (self.targets < self.n)
        sources = np.repeat(np.arange(self.n), np.diff(self.first))[inside]
        shares = (self.weights[inside] / self.whole).astype(float)
        matrix = csc_array((shares, (sources, self.targets[inside])), shape=(self.n, self.n))
        factored = splu((identity(self.n, format="csc") - matrix).tocsc())
        values = np.array([0] * self.n, object)
        for _ in range(ROUNDS):
            residual = reward + self._means(moves, values, ends) - values * self.whole
            top = int(max(abs(residual)))
            if top <= self.whole:
                return values
            shift = max(top.bit_length() - 900, 0)
            found = factored.solve(np.array([(int(r) >> shift) / self.whole for r in residual]))
            values = values + np.array([round(x) << shift for x in found.tolist()], object)
        raise RulesError("the values do not settle: the game is too slow to end for floats")

    def certificate(self, game: str, claims: Sequence[Claim]) -> Certificate:
        worths = [[claim.worth(o) for o in self.chain.outcomes] for claim in claims]
        counted = [
            claim.gain(counts) for claim in claims if claim.counter for counts in self.counts
        ]
        parts = [x for row in worths for x in row] + [Fraction(x) for x in set(counted)]
        denominator = lcm(*(x.denominator for x in parts))
        most = int(max(self.ranks))
        bits = ceil(self.digits * log2(10)) + most.bit_length() + 2 - FINE
        scale = denominator << bits
        proved = []
        for claim, row in zip(claims, worths, strict=True):
            ends = np.array([int(x * scale) for x in row], object)
            gains = np.array([0] * len(self.counts), object)
            if claim.counter:
                gains = np.array([claim.gain(counts) for counts in self.counts], object)
            if claim.of == "law":
                columns = self._law(gains, scale, claim.terms)
            else:
                gained = np.array([int(gain * scale) for gain in gains.tolist()], object)
                reward = np.add.reduceat(gained * self.weights, self.first[:-1])
                columns = [self._solved(np.ones(len(gains), bool), reward, ends)]
            proved.append(Proved(claim, tuple(columns)))
        return Certificate(
            game, self.chain, tuple(proved), self.ranks, scale=scale, residual=1, one=1 << FINE
        )

    def _law(self, gains: Any, scale: int, terms: int) -> list[Any]:
        columns: list[Any] = []
        none, some = (
            np.array([0] * self.n, object),
            np.array([0] * len(self.chain.outcomes), object),
        )
        for k in range(terms):
            reward = none
            for size in sorted(set(gains.tolist()) - {0}):
                before = columns[k - size] if size <= k else none
                reward = reward + self._means(
                    gains == size, before, some + (scale if size == k else 0)
                )
            columns.append(self._solved(gains == 0, reward, some + (scale if k == 0 else 0)))
        return columns
