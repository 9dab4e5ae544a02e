"""The value of every state to a number of digits, with the ranking that bounds its error."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, lcm, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.certify import Certificate, Claim, Proved
from sevenout.model import Chain
from sevenout.solving.solvers.refinement import FINE, Equations, move_weights, weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOM = 40
"""Bits of the first digit of a state's gain."""


def certified_values(chain: Chain, claims: Sequence[Claim], game: str, digits: int) -> Certificate:
    """The certificate of a chain, to this many decimals.

    Raises:
        CantRefineError: the game is too slow to end for floats.
    """
    return _CertifiedValues(chain, claims, digits).certificate(game)


class _CertifiedValues:
    """The columns of a certificate: integers over a common scale."""

    def __init__(self, chain: Chain, claims: Sequence[Claim], digits: int) -> None:
        self.chain, self.claims = chain, claims
        self.n = len(chain.states)
        self.moves, self.first = move_weights(chain), np.array(chain.first)[:-1]
        self.equations = Equations(weights(chain)[:, : self.n], chain.denominator)
        parts = [claim.amount(outcome) for claim in claims for outcome in chain.outcomes]
        parts += [Fraction(c.gain(tag)) for c in claims if c.counter for tag in chain.tags]
        self.denominator = lcm(*(part.denominator for part in parts))
        self.step = self.equations.step
        bits = digits * log2(10) + self.equations.length.bit_length() + 2
        self.places = ceil(bits / max(self.step, 1))

    def certificate(self, game: str) -> Certificate:
        proved = [
            Proved(claim, tuple(self._law(claim) if claim.of == "law" else [self._mean(claim)]))
            for claim in self.claims
        ]
        return Certificate(
            game,
            self.chain,
            tuple(proved),
            self.equations.ranking.tolist(),
            scale=self.denominator << self.step * self.places,
            residual=1,
            one=1 << FINE,
        )

    def _mean(self, claim: Claim) -> list[int]:
        """The mean from each state on: gains on the way and at the end."""
        value = [0] * self.n + [self._whole(claim.amount(o)) for o in self.chain.outcomes]
        each = np.array(value, object)[np.array(self.chain.targets)]
        if claim.counter:
            gains = [self._whole(Fraction(claim.gain(tag))) for tag in self.chain.tags]
            each = each + np.array(gains, object)[np.array(self.chain.tagged)]
        return self._column(self.equations, np.add.reduceat(each * self.moves, self.first))

    def _whole(self, part: Fraction) -> int:
        return int(part * self.denominator)

    def _column(self, equations: Equations, right: "NDArray[Any]") -> list[int]:
        """The values, if a state's gain is an integer of any length."""
        return self._integers(equations.expanded(self._digits(right, max(map(abs, right)))))

    def _digits(self, right: "NDArray[Any]", most: int) -> "NDArray[np.int64]":
        """Integers up to `most` as digits, with as many places after the point as are proved."""
        before = ceil(max(most.bit_length() - ROOM, 0) / self.step)
        digits = np.zeros((before + self.places + 1, self.n), np.int64)
        for j in range(before, 0, -1):
            digits[j] = right & ((1 << self.step) - 1)
            right = right >> self.step
        digits[0] = right
        return digits

    def _law(self, claim: Claim) -> list[list[int]]:
        """For each term, the probability of that remaining count in each state."""
        tagged, whole = np.array(self.chain.tagged), self.chain.denominator * self.denominator
        gains = np.array([int(claim.gain(tag)) for tag in self.chain.tags])[tagged]
        by_gain = {gain: weights(self.chain, gains == gain) for gain in {0, *gains.tolist()}}
        waiting = Equations(by_gain[0][:, : self.n], self.chain.denominator)
        columns: list[NDArray[np.int64]] = []
        for k in range(claim.terms):
            ended = np.zeros(self.n, object)
            if k in by_gain:
                ended += by_gain[k][:, self.n :].sum(axis=1).A1.astype(object) * self.denominator
            right = self._digits(ended, whole)
            for gain, matrix in by_gain.items():
                if 0 < gain <= k:
                    right += (matrix[:, : self.n] @ columns[k - gain].T).T
            columns.append(waiting.expanded(right))
        return [self._integers(column) for column in columns]

    def _integers(self, digits: "NDArray[np.int64]") -> list[int]:
        total = digits[0].astype(object)
        for digit in digits[1:]:
            total = (total << self.step) + digit
        found: list[int] = total.tolist()
        return found
