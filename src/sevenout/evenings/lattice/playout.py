"""Bets on the felt when the time is up: counted as staked, taken down, or played out.

A bet played out stands until it is settled once. Its distribution does not depend on the money, so
it is found once per position: in fractions by absorption, in floats by iterating the map of a roll.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from sevenout.evenings.lattice.linear_operator import linear_map
from sevenout.rules.casino.felt import NOTHING, Felt, Money, Stands
from sevenout.rules.casino.menu import PlayedOut
from sevenout.rules.casino.standing import Stood, kept, played_on
from sevenout.solving import solve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SETTLED = 1e-14
LONGEST = 20_000


class Standing:
    """What the bets on the felt at the end pay, `counted` as in `sevenout.evening`.

    >>> from sevenout.catalogue.craps_family.table.craps_felt import House
    >>> out = Standing(House(), "out")
    >>> out.law(out.left((8, (("pass", 1),))))
    {Fraction(1, 1): Fraction(5, 11), Fraction(-1, 1): Fraction(6, 11)}
    >>> Standing(House(), "down").left((8, (("pass", 1), ("pass odds", 5))))
    (6, (('pass', 1),))
    """

    def __init__(self, felt: Felt, counted: Stood) -> None:
        self.felt, self.counted = felt, counted
        self._laws: dict[Stands, dict[Fraction, Fraction]] = {}
        self._left: dict[Stands, Stands] = {}

    def left(self, stands: Stands) -> Stands:
        """The bets that are played out, with equally likely numbers in a fixed order."""
        if stands not in self._left:
            left = kept(self.felt, stands, self.counted)
            self._left[stands] = self.felt.mirrored(*left)[:2] if left[1] else NOTHING
        return self._left[stands]

    def law(self, stands: Stands) -> dict[Fraction, Fraction]:
        """The exact probability of each profit."""
        if not stands[1]:
            return {Fraction(0): Fraction(1)}
        if stands not in self._laws:
            outcomes = solve(PlayedOut(self.felt, *stands)).outcomes
            self._laws[stands] = {o.profit("felt"): p for o, p in outcomes.items() if p}
        return self._laws[stands]

    def gains(self, stands: Iterable[Stands]) -> set[Money]:
        """What single rolls may pay while these bets are played out."""
        return {gain for *_, gain in SettledStandings(self.felt, stands).edges}

    def laws(self, stands: Iterable[Stands], unit: Fraction) -> "Brought":
        """The distributions of several positions, in floats."""
        return Brought(SettledStandings(self.felt, stands), unit)


class SettledStandings:
    """All positions reached while several are played out; edges are (from, to, weight, gain)."""

    def __init__(self, felt: Felt, stands: Iterable[Stands]) -> None:
        self.felt = felt
        self.nodes: dict[Stands, int] = {}
        self.edges: list[tuple[int, int, int, Money]] = []
        for one in stands:
            self.node(one)
        for at, (point, bets) in enumerate(self._growing()):
            for throw in felt.throws(bets) if bets else ():
                left, rolled = played_on(felt, (point, bets), throw)
                self.edges.append((at, self.node(left), throw.weight, rolled.net))

    def node(self, stands: Stands) -> int:
        """The number of a position."""
        point, bets = self.felt.mirrored(*stands)[:2] if stands[1] else (None, ())
        return self.nodes.setdefault((point, bets), len(self.nodes))

    def follows(self) -> Iterator[tuple[Stands, list[tuple[Stands, Money]]]]:
        """Each position with bets: what follows each roll, and its gain."""
        nodes = list(self.nodes)
        for at, edges in groupby(self.edges, key=itemgetter(0)):
            yield nodes[at], [(nodes[to], gain) for _, to, _, gain in edges]

    def _growing(self) -> Iterable[Stands]:
        done = 0
        while done < len(self.nodes):
            for stands in list(self.nodes)[done:]:
                yield stands
                done += 1


class Brought:
    """The distributions of the profits of several positions played out.

    Attributes:
        least: the profit of column 0, in units.
        slip: the error bound of each distribution.
    """

    def __init__(self, followed: SettledStandings, unit: Fraction) -> None:
        import numpy as np

        self.followed, self.unit = followed, unit
        n = len(followed.nodes)
        edges = [(*edge, int(gain / unit)) for *edge, gain in followed.edges]
        columns = np.array(edges, dtype=np.int64).reshape(-1, 4)
        source, target, weight, gain = columns.T
        low, high = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        for bound, best in ((low, np.minimum), (high, np.maximum)):
            while True:
                before = bound.copy()
                best.at(bound, source, gain + bound[target])
                if (before == bound).all():
                    break
        self.least = int(low.min())
        wide = int(high.max()) - self.least + 1
        # shift the distribution of the next position by the gain, where columns exist
        start, stop = np.maximum(0, -gain), np.minimum(wide, wide - gain)
        then, now = target * wide + start, source * wide + start + gain
        move = linear_map(then, now, stop - start, weight / followed.felt.ways, n * wide)
        empty = followed.nodes.get(NOTHING)
        law = np.zeros(n * wide)
        rolls, missing = 0, 1.0
        while missing > SETTLED and rolls < LONGEST:
            law, rolls = move(law), rolls + 1
            if empty is not None:
                law[empty * wide - self.least] = 1
            self.table = law.reshape(n, wide)
            missing = max(0.0, float((1 - self.table.sum(axis=1)).max()))
        fan_in = int(np.bincount(source).max()) if len(source) else 0
        rounded = Fraction(rolls * (fan_in + 2) + wide, 2**53)
        self.slip = 2 * rounded + Fraction(missing)  # the missing mass is rounded too

    def of(self, stands: Stands) -> "Floats":
        """The distribution of a position: the profits from `least` on."""
        found: Floats = self.table[self.followed.node(stands)]
        return found

    @cached_property
    def least_profit(self) -> Fraction:
        """The profit of column 0."""
        return self.least * self.unit
