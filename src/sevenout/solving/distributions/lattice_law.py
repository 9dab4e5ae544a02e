"""The distribution of a counter that may fall or be fractional, such as money.

It is computed roll by roll on a lattice: for each state a polynomial in the amount, with integer
weights. Probabilities are exact if the chain has no cycle. Otherwise weights are multiples of
2^-BITS, rounded down at each roll, until less than 2^-TAIL is left; the missing sum is the error
bound. Moments are always exact.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpz_poly

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, Page, Shown, Table
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL
from sevenout.documents.numbers import exactly
from sevenout.model import Chain
from sevenout.rolling.distribution import Listed
from sevenout.solving.distributions.moments import Condition, Moments, increment

BITS, TAIL = 160, 110
SHOWN = 40
"""The most rows of its table."""


class LatticeLaw(Shown, Listed):
    """The distribution of a counter on a lattice, with exact moments.

    >>> import sevenout as so
    >>> class Walk(so.Game):
    ...     dice, start = so.d6, 0
    ...     def step(self, n, face):
    ...         went = so.counted(n + 1, money=1 if face > 3 else -1)
    ...         return went if n < 2 else so.counted(so.settle("home"), money=1)
    >>> money = so.solve(Walk()).distribution("money")
    >>> money.pmf(-1), money.mean, money.variance, money.support
    (Fraction(1, 4), Fraction(1, 1), Fraction(2, 1), (Fraction(-1, 1), Fraction(3, 1)))

    Args:
        name: the counter.
        probabilities: of each amount.
        bound: 0 if they are exact; else their error bound.
        moments: of the chain.
    """

    def __init__(
        self, name: str, probabilities: Mapping[Fraction, Fraction], bound: Fraction, moments: Any
    ) -> None:
        self.name, self.bound, self.moments = name, bound, moments
        self._row = dict(sorted(probabilities.items()))

    @property
    def row(self) -> Mapping[Fraction, Fraction]:
        """The probability of each amount."""
        return self._row

    @property
    def mean(self) -> Fraction:
        mean: Fraction = self.moments.mean(self.name)
        return mean

    def central_moment(self, k: int) -> Fraction:
        """E[(N - mean)^k], exact."""
        moment: Fraction = self.moments.central(self.name, k)
        return moment

    def page(self) -> Page:
        """A page: moments, quantiles, and the probability of each amount."""
        facts = [
            Fact("mean", self.mean, FRACTION, DECIMAL),
            Fact("variance", self.variance, FRACTION, DECIMAL),
            *(Fact(f"quantile at {q}", self.quantile_cell(q), LABEL) for q in QUANTILES),
        ]
        if self.bound:
            facts.append(Fact("each probability is within", float(self.bound), DECIMAL))
        rows = list(self._row.items())
        likely = sorted(rows, key=lambda each: -each[1])[:SHOWN]
        said = [(str(x), p if not self.bound else float(p)) for x, p in sorted(likely)]
        columns = [Column(self.name, LABEL), Column("probability", FRACTION, DECIMAL)]
        some = f"The {SHOWN} likeliest amounts of {len(rows):,}" if len(rows) > SHOWN else ""
        return Page(f"Distribution of {self.name}", Facts(*facts), Table(columns, said, some))

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text."""
        return {
            "counter": self.name,
            "mean": exactly(self.mean),
            "variance": exactly(self.variance),
            "quantiles": {q: str(self.quantile_cell(q)) for q in QUANTILES},
            "bound": float(self.bound),
            "probabilities": {str(x): exactly(p) for x, p in self._row.items()},
        }

    def __repr__(self) -> str:
        return f"<LatticeLaw of {self.name}: {len(self._row):,} amounts>"


QUANTILES = ("1/20", "1/4", "1/2", "3/4", "19/20")


def lattice_law(chain: Chain, counter: str, given: Condition | None = None) -> LatticeLaw:
    """The distribution of a counter with any increments.

    Raises:
        RulesError: a condition of probability 0.
        TooMuchWorkError: long games, many states, or large amounts.
    """
    moments = Moments(chain, given)
    rows = _rows(chain, counter, given)
    steps = [a for row in rows.values() for _, a, _ in row]
    down, wide = min(0, *steps), max(0, *steps) - min(0, *steps)
    ends = len(chain.blocks) == len(chain.states) and all(
        s not in row for s, row in enumerate(chain.weights)
    )
    rolls = len(chain.states) if ends else 80 * int(moments.mean("rolls") + 1)
    afford(
        f"the distribution of {counter!r} over about {rolls:,} rolls",
        seconds=1e-8 * rolls**2 * (wide + 1) * sum(map(len, rows.values())),
        instead="ask for its moments",
    )
    whole = chain.denominator
    one = 1 if ends else 1 << BITS
    alive: dict[int, Any] = {chain.lumping[0]: fmpz_poly([one])}
    wanted, other, least, scale = fmpz_poly([]), 0, 0, one
    while alive:
        then: dict[int, Any] = defaultdict(lambda: fmpz_poly([]))
        for s, poly in alive.items():
            for target, a, weight in rows[s]:
                then[target] += poly.left_shift(a - down) * weight
        least += down
        wanted = wanted.left_shift(-down)
        if ends:
            scale, wanted, other = scale * whole, wanted * whole, other * whole
        else:
            then = {target: poly // whole for target, poly in then.items()}
        wanted += then.pop(WANTED, fmpz_poly([]))
        other += int(then.pop(OTHER, fmpz_poly([]))(1))
        alive = {target: poly for target, poly in then.items() if poly}
        if not ends and sum(int(poly(1)) for poly in alive.values()) >> (BITS - TAIL) == 0:
            break
    unit, share = chain.units[counter], moments.probability
    amounts = enumerate(map(int, wanted.coeffs()), least)
    found = {Fraction(k, unit): Fraction(w, scale) / share for k, w in amounts if w}
    bound = (1 - Fraction(int(wanted(1)) + other, scale)) / share
    return LatticeLaw(counter, found, bound, moments)


WANTED, OTHER = -1, -2


def _rows(
    chain: Chain, counter: str, given: Condition | None
) -> dict[int, list[tuple[int, int, int]]]:
    """For each block of equivalent states: (target, increment in units, weight)."""
    n, unit, lumping = len(chain.states), chain.units[counter], chain.lumping
    rows: dict[int, list[tuple[int, int, int]]] = {}
    for s, row in enumerate(chain.rows):
        if lumping[s] in rows:
            continue
        merged: dict[tuple[int, int], int] = defaultdict(int)
        for weight, target, counts in row:
            if target < n:
                to = lumping[target]
            else:
                to = WANTED if given is None or given(chain.outcomes[target - n]) else OTHER
            merged[to, int(increment(counts, counter) * unit)] += weight
        rows[lumping[s]] = [(to, a, weight) for (to, a), weight in merged.items()]
    return rows
