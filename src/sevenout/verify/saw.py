"""Where the saw of an exact test's power crosses a line, when the number of games is large.

A test that rejects at c wins keeps c over a stretch of games, and over the stretch its power moves
one way; from stretch to stretch it jumps back. So the crossing is sought among stretches, each of
which shows its best and its worst at its ends.

The ends are whole numbers next to the real ν(c) at which c wins have the tail probability α, the
binomial law being continued between the integers by the incomplete beta function. The power at
ν(c), and one game beside it, are the smooth edges of the saw: they rise with c, and bisection finds
where each crosses. That they rise is taken from the smooth law, not proved; `planning` searches
without it where there are few games, and the tests hold the two together. Between the edges the
stretches are tried one by one. What is closer to the line than a float can tell is decided by balls
(Johansson, "Arb", 2017).
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, sqrt

from sevenout.extras import needs

CLOSE = 1e-10
"""Differences of probabilities below this are not left to floats, whose error is below 1e-11."""


def _around(games: int) -> int:
    """Stretches tried beyond an edge: a float of error 1e-11 finds it to so many."""
    return 8 + games // 10**10


class Saw:
    """The one-sided test of p0 against p1 at level alpha.

    Args:
        p0, p1: the probabilities, as they are, p0 at most 1/2 or so: stretches are short then.
        alpha: the level of the test.
        power: the line.
    """

    def __init__(self, p0: Fraction, p1: Fraction, alpha: float, power: float) -> None:
        needs("scipy", "verify")
        from scipy.special import betainc

        self.alpha, self.power = alpha, power
        self.few = p1 < p0
        self.exact = p0, p1
        self.floats = (float(1 - p0), float(1 - p1)) if self.few else (float(p0), float(p1))
        self.betainc = betainc
        self.ends: dict[int, int] = {}
        self.criticals: dict[int, int] = {}

    def tail(self, wins: int, n: float, which: int) -> float:
        """The chance under p0 or p1 of so few wins in n games, or so many; n need not be whole."""
        a, b = (n - wins, wins + 1) if self.few else (wins, n - wins + 1)
        if min(a, b) <= 0:
            return float(a <= 0)
        return float(self.betainc(a, b, self.floats[which]))

    def critical(self, n: int) -> int:
        """The mildest number of wins in n games that rejects."""
        if n not in self.criticals:
            from scipy.special import ndtri

            milder, p = 1 if self.few else -1, float(self.exact[0])
            wins = floor(n * p + milder * ndtri(self.alpha) * sqrt(n * p * (1 - p)))
            while self.tail(wins, n, 0) > self.alpha:
                wins -= milder
            while self.tail(wins + milder, n, 0) <= self.alpha:
                wins += milder
            self.criticals[n] = wins
        return self.criticals[n]

    def at_least(self, a: int, b: int) -> float:
        """No test of a to b games has less power."""
        hard, easy = (a, b) if self.few else (b, a)
        return self.tail(self.critical(hard), easy, 1)

    def at_most(self, a: int, b: int) -> float:
        """No test of a to b games has more power."""
        return self.at_least(b, a)

    def over(self, wins: int, n: int, which: int, line: float) -> bool:
        """Whether that chance is `line` or more, for certain."""
        chance = self.tail(wins, n, which)
        if abs(chance - line) > CLOSE:
            return chance > line
        from flint import arb, ctx, fmpq

        p = self.exact[which]
        a, b, q = (n - wins, wins + 1, 1 - p) if self.few else (wins, n - wins + 1, p)
        before = ctx.prec
        try:
            for ctx.prec in (128, 256, 512, 1024):
                x = arb(fmpq(q.numerator, q.denominator))
                excess = x.beta_lower(a, b, regularized=True) - arb(line)
                if excess > 0 or excess < 0:
                    return bool(excess > 0)
        finally:
            ctx.prec = before
        return True  # equal to 300 digits

    def middle(self, wins: int) -> float:
        """The real number of games at which so many wins have the tail probability alpha."""
        from scipy.optimize import brentq
        from scipy.special import ndtri

        p = float(self.exact[0])
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
        """The first number of games at which so few wins reject; or the last, for so many."""
        if wins in self.ends:
            return self.ends[wins]
        for beside in (-1, 1):  # stretches next to one another are almost as long as each other
            one, other = self.ends.get(wins + beside), self.ends.get(wins + 2 * beside)
            if one is not None and other is not None:
                n = 2 * one - other
                break
        else:
            real = self.middle(wins)
            n = ceil(real) if self.few else floor(real)
        outer = -1 if self.few else 1

        def rejects(n: int) -> bool:
            return not self.over(wins, n, 0, self.alpha)

        while not rejects(n):
            n -= outer
        while rejects(n + outer):
            n += outer
        self.ends[wins] = n
        return n

    def stretch(self, wins: int) -> tuple[int, int]:
        """The games over which the test rejects at so many wins: first and last."""
        if self.few:
            return self.end(wins), self.end(wins + 1) - 1
        return self.end(wins - 1) + 1, self.end(wins)

    def first(self, near: int) -> int:
        """The first number of games at which the test has the power."""
        wins = self._crossing(near, lambda c: self.tail(c, self.middle(c), 1)) - _around(near)
        while True:
            low, high = self.stretch(wins)
            if low <= high and self.over(wins, low if self.few else high, 1, self.power):
                break
            wins += 1
        return low if self.few else self._least(wins, low, high)

    def stays(self, near: int) -> int:
        """The number of games from which on it always has."""
        beside = 1 if self.few else -1
        lowest = self._crossing(near, lambda c: self.tail(c, self.middle(c + beside), 1))
        wins = lowest + _around(near)
        while True:
            low, high = self.stretch(wins)
            if low <= high and not self.over(wins, high if self.few else low, 1, self.power):
                break
            wins -= 1
        return high + 1 if self.few else self._least(wins, low, high + 1)

    def _crossing(self, near: int, edge: Callable[[int], float]) -> int:
        """The least number of wins at which an edge of the saw reaches the line."""
        low = high = max(2, int(near * self.exact[0]))
        while edge(low) >= self.power and low > 2:
            low = max(2, low * 9 // 10)
        while edge(high) < self.power:
            high = high * 10 // 9 + 1
        return low + bisect_left(range(low, high), True, 1, key=lambda c: edge(c) >= self.power)

    def _least(self, wins: int, low: int, high: int) -> int:
        """The first of the games in a stretch at which so many wins have the power."""
        games = range(low, high)
        return low + bisect_left(games, True, key=lambda n: self.over(wins, n, 1, self.power))
