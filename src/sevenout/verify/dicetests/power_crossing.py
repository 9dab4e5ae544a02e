"""Where the power of an exact binomial test crosses a line, for large numbers of games.

The power is a sawtooth: monotone over the stretch of games in which the test rejects at c wins,
with jumps between stretches. The ends of a stretch are the integers next to the real ν(c) at which
c wins have the tail probability α, with the binomial distribution continued by the incomplete beta
function. The power at ν(c), and one game beside it, are smooth edges that rise with c; bisection
finds where each crosses the line. That they rise is not proved; the tests compare the result with
the search of `planning`. Between the edges the stretches are tried one by one. Values too close for
floats are decided by balls (Johansson, "Arb", 2017).
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, sqrt

from sevenout.extras import needs


def _close(games: int) -> float:
    """Probabilities closer than this are not compared in floats.

    The error of the incomplete beta function is below 1e-12, or a relative 1e-7 if it is small. A
    rounded p moves it by its deviation, √games, times 2⁻⁵³.
    """
    return 1e-11 + 1e-15 * sqrt(games)


def _around(games: int) -> int:
    """The stretches tried beyond an edge, which floats of error 1e-11 find to this accuracy."""
    return 8 + games // 10**10


class Saw:
    """The sawtooth power of the one-sided test of p0 against p1 at level alpha.

    >>> saw = Saw(Fraction(1, 10), Fraction(9, 10), Fraction(1, 100), Fraction(4, 5))
    >>> saw.critical(2), saw.rejects(2, 2), saw.has_power(2, 2)
    (2, True, True)

    Args:
        p0, p1: the probabilities; p0 at most about 1/2, for short stretches.
        alpha: the level; a tail probability of exactly alpha rejects.
        power: the line; reaching it exactly is enough.
    """

    def __init__(self, p0: Fraction, p1: Fraction, alpha: Fraction, power: Fraction) -> None:
        needs("scipy", "verify")
        from scipy.special import betainc, betaincc

        self.few = p1 < p0
        self.exact, self.lines = (p0, p1), (alpha, power)
        self.floats, self.alpha, self.power = (float(p0), float(p1)), float(alpha), float(power)
        self.betainc, self.betaincc = betainc, betaincc
        self.ends: dict[int, int] = {}
        self.criticals: dict[int, int] = {}

    def tail(self, wins: int, n: float, which: int) -> float:
        """The tail probability of `wins` in n games under p0 or p1; n may be real."""
        return self._sides(wins, n, which)[0]

    def _sides(self, wins: int, n: float, which: int) -> tuple[float, float]:
        """The tail probability and its complement; a small one has a small relative error."""
        p = self.floats[which]
        a, b = (wins + 1, n - wins) if self.few else (wins, n - wins + 1)
        if min(a, b) <= 0:
            more, less = float(a <= 0), float(b <= 0)
        else:
            less = float(self.betaincc(a, b, p))  # much closer than the complement if p is small
            more = 1 - less if less < 0.9999 else float(self.betainc(a, b, p))
        return (less, more) if self.few else (more, less)

    def rejects(self, wins: int, n: int) -> bool:
        """Whether the test rejects at this many wins in n games."""
        return self._beside(wins, n, 0) <= 0

    def has_power(self, wins: int, n: int) -> bool:
        """Whether rejecting at this many wins in n games has the power under p1."""
        return self._beside(wins, n, 1) >= 0

    def _beside(self, wins: int, n: int, which: int) -> int:
        """Whether the tail probability is above (1), below (-1) or on (0) its line, for certain."""
        (chance, rest), line, p = self._sides(wins, n, which), self.lines[which], self.exact[which]
        a, b = (wins + 1, n - wins) if self.few else (wins, n - wins + 1)
        excess = chance - float(line) if 2 * line < 1 else float(1 - line) - rest
        if min(a, b) <= 0 or abs(excess) > min(_close(n), 1e-6 * float(min(line, 1 - line))):
            return 1 if excess > 0 else -1
        if a == b and p == line == Fraction(1, 2):
            return 0  # equal wins and losses: a fair coin
        return self._by_balls((b, a, 1 - p) if self.few else (a, b, p), line)

    def _by_balls(self, beta: tuple[int, int, Fraction], line: Fraction) -> int:
        """The side of the line on which the incomplete beta function lies.

        Both are fractions with known denominators: if they differ by less than one over the
        product, they are equal.
        """
        from flint import arb, ctx, fmpq

        a, b, p = beta
        apart = (a + b) * p.denominator.bit_length() + line.denominator.bit_length()
        bits = 64
        while True:
            bits *= 2
            with ctx.workprec(bits):
                x = arb(fmpq(p.numerator, p.denominator))
                excess = x.beta_lower(a, b, regularized=True)
                excess -= arb(fmpq(line.numerator, line.denominator))
                if excess > 0 or excess < 0:
                    return 1 if excess > 0 else -1
                if abs(excess) < arb(2) ** -apart:
                    return 0

    def critical(self, n: int) -> int:
        """The mildest number of wins in n games that rejects."""
        if n not in self.criticals:
            from scipy.special import ndtri

            milder, p = 1 if self.few else -1, self.floats[0]
            wins = floor(n * p + milder * ndtri(self.alpha) * sqrt(n * p * (1 - p)))
            while not self.rejects(wins, n):
                wins -= milder
            while self.rejects(wins + milder, n):
                wins += milder
            self.criticals[n] = wins
        return self.criticals[n]

    def always(self, a: int, b: int) -> bool:
        """Whether every test of a to b games has the power, by a lower bound."""
        hard, easy = (a, b) if self.few else (b, a)
        return self.has_power(self.critical(hard), easy)

    def ever(self, a: int, b: int) -> bool:
        """Whether a test of a to b games may have the power, by an upper bound."""
        return self.always(b, a)

    def middle(self, wins: int) -> float:
        """The real number of games at which this many wins have the tail probability alpha."""
        from scipy.optimize import brentq
        from scipy.special import ndtri

        p = self.floats[0]
        away = float(ndtri(self.alpha)) * sqrt(wins * (1 - p))
        guess = (wins - away if self.few else wins + away) / p
        step = 1 + 1e-3 * sqrt(wins) / p

        def excess(n: float) -> float:
            return self.tail(wins, n, 0) - self.alpha

        low = high = guess
        while (excess(low) > 0) != self.few:
            low, step = max(wins + 1e-9, low - step), 2 * step
        while (excess(high) < 0) != self.few:
            high, step = high + step, 2 * step
        return float(brentq(excess, low, high, xtol=1e-9))

    def end(self, wins: int) -> int:
        """The end of the games at which this many wins reject: the first or the last."""
        if wins in self.ends:
            return self.ends[wins]
        for beside in (-1, 1):  # neighbouring stretches have almost equal lengths
            one, other = self.ends.get(wins + beside), self.ends.get(wins + 2 * beside)
            if one is not None and other is not None:
                n = 2 * one - other
                break
        else:
            real = self.middle(wins)
            n = ceil(real) if self.few else floor(real)
        outer = -1 if self.few else 1
        while not self.rejects(wins, n):
            n -= outer
        while self.rejects(wins, n + outer):
            n += outer
        self.ends[wins] = n
        return n

    def stretch(self, wins: int) -> tuple[int, int]:
        """The first and last number of games at which the test rejects at this many wins."""
        if self.few:
            return self.end(wins), self.end(wins + 1) - 1
        return self.end(wins - 1) + 1, self.end(wins)

    def first(self, near: int) -> int:
        """The first number of games at which the test has the power."""
        wins = self._crossing(near, lambda c: self.tail(c, self.middle(c), 1)) - _around(near)
        while True:
            low, high = self.stretch(wins)
            if low <= high and self.has_power(wins, low if self.few else high):
                break
            wins += 1
        return low if self.few else self._least(wins, low, high)

    def stays(self, near: int) -> int:
        """The number of games from which the test always has the power."""
        beside = 1 if self.few else -1
        lowest = self._crossing(near, lambda c: self.tail(c, self.middle(c + beside), 1))
        wins = lowest + _around(near)
        while True:
            low, high = self.stretch(wins)
            if low <= high and not self.has_power(wins, high if self.few else low):
                break
            wins -= 1
        return high + 1 if self.few else self._least(wins, low, high + 1)

    def _crossing(self, near: int, edge: Callable[[int], float]) -> int:
        """The least number of wins at which an edge of the sawtooth reaches the line."""
        low = high = max(2, int(near * self.exact[0]))
        while edge(low) >= self.power and low > 2:
            low = max(2, low * 9 // 10)
        while edge(high) < self.power:
            high = high * 10 // 9 + 1
        return low + bisect_left(range(low, high), True, 1, key=lambda c: edge(c) >= self.power)

    def _least(self, wins: int, low: int, high: int) -> int:
        """The first number of games in a stretch at which this many wins have the power."""
        games = range(low, high)
        return low + bisect_left(games, True, key=lambda n: self.has_power(wins, n))
