"""Bets on the felt when the time is up: counted as staked, taken down, or played out.

A bet played out stands until it is settled once. Its distribution does not depend on the money, so
it is found once per position: here in fractions, by absorption; by `money_lattice` in floats.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from sevenout.rules.casino.ends import Stood, kept, played_on
from sevenout.rules.casino.felt import NOTHING, Felt, Money, Stands
from sevenout.rules.casino.menu import PlayedOut
from sevenout.solving import solve


class Standing:
    """What the bets on the felt at the end pay, `counted` as in `sevenout.evening`.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
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


class SettledStandings:
    """All positions reached while several are played out; edges are (from, to, weight, gain)."""

    def __init__(self, felt: Felt, stands: Iterable[Stands]) -> None:
        self.felt = felt
        self.nodes: dict[Stands, int] = {}
        self.edges: list[tuple[int, int, int, Money]] = []
        for one in stands:
            self.node(one)
        for node, (point, bets) in enumerate(self._growing()):
            for throw in felt.throws(bets) if bets else ():
                left, rolled = played_on(felt, (point, bets), throw)
                self.edges.append((node, self.node(left), throw.weight, rolled.net))

    def node(self, stands: Stands) -> int:
        """The number of a position."""
        point, bets = self.felt.mirrored(*stands)[:2] if stands[1] else (None, ())
        return self.nodes.setdefault((point, bets), len(self.nodes))

    def follows(self) -> Iterator[tuple[Stands, list[tuple[Stands, Money]]]]:
        """Each position with bets: what follows each roll, and its gain."""
        nodes = list(self.nodes)
        for node, edges in groupby(self.edges, key=itemgetter(0)):
            yield nodes[node], [(nodes[to], gain) for _, to, _, gain in edges]

    def _growing(self) -> Iterable[Stands]:
        followed = 0
        while followed < len(self.nodes):  # the caller adds nodes
            for stands in list(self.nodes)[followed:]:
                yield stands
                followed += 1
