"""The roughness of tables: a cost; the least is the plainest.

A table costs a point for each different pay of a bet. Round open numbers, a single digit followed
by zeros, are free. Others cost one point if they end in 5, two for another whole number or a half,
and four for another fraction. Each pair of pays against players' expectations costs three: a rarer
total should pay no less than a commoner one, and an earlier roll no less than the next. Open values
that are not pays cost for their figures only. The least cost is the plainest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from sevenout.rules.gamefiles.filevalues import Place
from sevenout.rules.gamefiles.open_parameters import Opened
from sevenout.variants.design.forms import BetForm

if TYPE_CHECKING:
    from sevenout.variants.design.bounded_search import BoundedSearch

SAID = (
    "Plainest first: a point for each different pay of a bet; 1 for an open number that ends in 5, "
    "2 for another of several figures or a half, 4 for another fraction; 3 for each pair in which "
    "a rarer total or a sooner roll pays less."
)
CROOKED = 3
OWN = 3
"""The parts of a place that lead to a bet."""


def rough(x: Fraction) -> int:
    """The cost of a number's figures.

    >>> [rough(Fraction(x)) for x in ("3", "40", "25", "12", "3/2", "6/5")]
    [0, 0, 1, 2, 2, 4]
    """
    if x.denominator > 1:
        return 2 if x.denominator == 2 else 4
    digits = str(abs(x.numerator)).rstrip("0")
    return 0 if len(digits) < 2 else 1 if x.numerator % 5 == 0 else 2


@dataclass(frozen=True)
class Roughness:
    """The costs of a game's tables.

    Attributes:
        paid: the open pays of each bet.
        straight: pairs of open pays, of which the first should pay no less.
    """

    paid: Mapping[str, frozenset[str]]
    straight: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, opened: Opened, forms: Mapping[str, BetForm]) -> "Roughness":
        """How to reckon the roughness of a game's tables, by its forms."""
        pairs = set()
        won = [name for name in opened.pays if name not in opened.offers]
        spots = [(n, place) for n in won for place in opened.places[n]]
        for (one, p), (other, q) in permutations(spots, 2):
            form = forms.get(opened.paid_to(p) or "")
            if one != other and form is not None and _ahead(p, q, form.chances, one, other):
                pairs.add((one, other))
        paid = {bet: frozenset(form.chances) - opened.offers for bet, form in forms.items()}
        return cls({bet: names for bet, names in paid.items() if names}, frozenset(pairs))

    def cost(self, values: Mapping[str, Fraction]) -> int:
        """The cost of a table, or of complete bets."""
        bets = (names for names in self.paid.values() if names <= values.keys())
        pays = sum(len({values[n] for n in names}) for names in bets)
        pairs = (pair for pair in self.straight if values.keys() >= {*pair})
        crooked = sum(values[more] < values[less] for more, less in pairs)
        return pays + CROOKED * crooked + sum(map(rough, values.values()))

    def added(self, walk: "BoundedSearch", i: int, rank: Any, before: list[Any]) -> Any:
        """The cost added by one more number, for each choice."""
        import numpy as np

        name = walk.names[i]
        cost = walk.rough[rank]
        for names in self.paid.values():
            if name not in names:
                continue
            new = np.ones(len(rank), bool)
            for j, other in enumerate(walk.names[:i]):
                if other in names:
                    new &= before[j] != rank
            cost = cost + new
        for j, other in enumerate(walk.names[:i]):
            if (name, other) in self.straight:
                cost = cost + CROOKED * (rank < before[j])
            if (other, name) in self.straight:
                cost = cost + CROOKED * (rank > before[j])
        return cost.astype(np.int32)


def _ahead(p: Place, q: Place, chances: Mapping[str, Fraction], one: str, other: str) -> bool:
    """Whether one place of a schedule should pay no less than another."""
    apart = [k for k in range(len(p)) if p[k] != q[k]] if len(p) == len(q) else []
    if len(apart) != 1 or apart[0] < OWN or not {one, other} <= chances.keys():
        return False
    mine, yours = p[apart[0]], q[apart[0]]
    if isinstance(mine, int) and isinstance(yours, int):
        return yours == mine + 1
    return chances[one] < chances[other]
