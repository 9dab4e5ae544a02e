"""Search for tables: every structure is solved, then its pays searched.

Bets that share no open number and no order between their numbers are searched separately, since
their tables combine freely. A bound on an edge or a hit frequency bounds a sum of functions of one
number each. So does a bound on the mean square, which follows from those on volatility and edge;
the volatility itself is checked last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.rules.gamefiles.gamereader import PROGRESSIVE
from sevenout.rules.gamefiles.open_parameters import Opened
from sevenout.variants.design.bounded_search import Block, BoundedSearch, WeightedSum, closed
from sevenout.variants.design.forms import BetForm, forms_of
from sevenout.variants.design.ordered_counts import ways
from sevenout.variants.design.plainness import Roughness
from sevenout.variants.design.played import Margin, played_best
from sevenout.variants.design.ranking import CLOSE, Key, Ranking, Wish
from sevenout.variants.design.wanted import Between, Wanted

SOLVE, CHOICE, LONG_CHOICE = 0.02, 2.5e-7, 1.5e-5
"""Seconds to solve a structure, and per choice, in 64 bits and more."""

Values = dict[str, Fraction]
Item = tuple[Key, Values]
Found = tuple[int, list[Item]]


@dataclass(frozen=True)
class Structure:
    """Solved values of the numbers that are not pays, for one policy.

    Attributes:
        values: the values left to each open number; one for those fixed.
        roughness: the cost of its tables.
        margins: where the policy is optimal.
    """

    opened: Opened
    values: Mapping[str, tuple[Fraction, ...]]
    forms: Mapping[str, BetForm]
    roughness: Roughness
    margins: tuple[Margin, ...] = ()

    @cached_property
    def components(self) -> tuple[tuple[tuple[str, ...], tuple[BetForm, ...]], ...]:
        """Open numbers that are connected, and the bets that they pay."""
        ties = [set(form.chances) for form in self.forms.values()]
        ties += [set(pair[:2]) for pair in self.opened.order]
        if self.margins:
            ties.append(set(self.opened.pays))
        groups: list[set[str]] = []
        for tie in [*ties, *({name} for name in self.values)]:
            joined = [group for group in groups if group & tie]
            groups = [g for g in groups if not g & tie] + [tie.union(*joined)]
        found = []
        for group in groups:
            names = tuple(name for name in self.values if name in group)
            forms = tuple(f for f in self.forms.values() if f.chances and set(f.chances) <= group)
            found.append((names, forms))
        return tuple(part for part in found if part[0])

    @cached_property
    def size(self) -> tuple[int, bool]:
        """The number of its tables, and whether it is exact."""
        return ways(self.values, self.opened.order)

    def fits_fixed(self, wanted: Mapping[str, Wanted]) -> bool:
        """Whether the bets without open pays keep their bounds."""
        for name, form in self.forms.items():
            if not form.chances:
                edge, hit, variance = form.figures({})
                want = wanted[name]
                if not (want.edge.holds(edge) and want.hit.holds(hit)):
                    return False
                if not _squared(want.volatility).holds(variance):
                    return False
        return True

    def walk(
        self, names: Sequence[str], forms: Sequence[BetForm], wanted: Mapping[str, Wanted]
    ) -> BoundedSearch:
        """The search of one component; its sums are the means, then other bounds."""
        sums = [self._mean(form, names, wanted[form.bet].edge) for form in forms]
        for form in forms:
            want = wanted[form.bet]
            if not want.hit.is_open:
                sums.append(self._hit(form, names, want.hit))
            if not want.volatility.is_open:
                sums.append(self._square(form, names, want))
        values = {name: self.values[name] for name in names}
        sums += [m.sum(values) for m in self.margins if m.gain.by.keys() & values.keys()]
        return BoundedSearch(values, self.opened.order, sums, self.roughness)

    def _sum(
        self, form: BetForm, names: Sequence[str], of: Any, ends: Any, *, rises: bool = True
    ) -> WeightedSum:
        value = {
            n: [form.chances.get(n, Fraction()) * of(x / form.stake) for x in self.values[n]]
            for n in names
        }
        least, most = ends
        return WeightedSum(value, least, most, rises)

    def _mean(self, form: BetForm, names: Sequence[str], edge: Between) -> WeightedSum:
        low = None if edge.high is None else -edge.high - form.mean - form.added
        high = None if edge.low is None else -edge.low - form.mean - form.added
        return self._sum(form, names, Fraction, (low, high))

    def _hit(self, form: BetForm, names: Sequence[str], hit: Between) -> WeightedSum:
        ends = [None if end is None else end - form.hit for end in hit[:2]]
        return self._sum(form, names, lambda x: Fraction(x > 0), ends)

    def mean_ends(self, form: BetForm) -> list[Fraction]:
        """The least and greatest mean profit of a bet, ignoring the order."""
        return [
            sum((p * end(self.values[n]) / form.stake for n, p in form.chances.items()), form.mean)
            for end in (min, max)
        ]

    def _square(self, form: BetForm, names: Sequence[str], want: Wanted) -> WeightedSum:
        """A bound on the mean square: the variance plus the squared mean."""
        far = max(map(abs, self.mean_ends(form)))
        if want.edge.low is not None and want.edge.high is not None:
            ends = want.edge.low + form.added, want.edge.high + form.added
            far = min(far, max(map(abs, ends)))
        low, high = _squared(want.volatility)[:2]
        low = None if low is None else low - form.square
        high = None if high is None else high + far * far - form.square
        return self._sum(form, names, lambda x: x * x, (low, high), rises=False)


def _squared(volatility: Between) -> Between:
    low, high = volatility[:2]
    return Between(
        None if low is None else max(low, Fraction()) ** 2,
        None if high is None else high * abs(high),
    )


def structures(opened: Opened) -> tuple[list[Structure], int]:
    """Every valid structure and optimal policy, and the number of invalid structures.

    Raises:
        SevenoutError: none is valid; the message is that of the first.
        TooMuchWorkError: too many to solve.
    """
    choices = [opened.numbers[name] for name in opened.structure]
    count = prod(map(len, choices))
    afford(
        f"{count:,} structures, each solved,",
        seconds=count * SOLVE,
        instead="leave fewer limits, totals or stakes open",
    )
    order = [p for p in opened.order if {p.more, p.less} <= {*opened.structure}]
    closed(opened.order, [*opened.numbers])
    found: list[Structure] = []
    refused, first = 0, None
    for chosen in product(*choices):
        settled = dict(zip(opened.structure, chosen, strict=True))
        if any(
            settled[p.more] < settled[p.less] or (p.strictly and settled[p.more] == settled[p.less])
            for p in order
        ):
            continue
        try:
            made = _solved(opened, settled)
        except TooMuchWorkError:
            raise
        except SevenoutError as error:
            refused, first = refused + 1, first or error
            continue
        values = {n: (settled[n],) if n in settled else opened.numbers[n] for n in opened.numbers}
        for forms, margins in made:
            found.append(Structure(opened, values, forms, Roughness.of(opened, forms), margins))
    if not found:
        raise first or RulesError("no limits, totals or stakes keep the order; leave a pair out")
    return found, refused


def _solved(
    opened: Opened, settled: Mapping[str, Fraction]
) -> list[tuple[Mapping[str, BetForm], tuple[Margin, ...]]]:
    if opened.asks and PROGRESSIVE in opened.data:
        raise RulesError(
            "a progressive award on a bet with surrender makes optimal play depend on the meter; "
            "leave the award or the offers out"
        )
    if not opened.asks:
        return [(forms_of(opened, settled), ())]
    return [({way.form.bet: way.form}, way.margins) for way in played_best(opened, settled)]


@dataclass(frozen=True)
class Seeker:
    """The search criteria for a structure's components.

    Attributes:
        wish: the criterion that ranks tables.
        top: the number of tables kept.
    """

    wanted: Mapping[str, Wanted]
    wish: Wish
    top: int

    def must_be_affordable(self, found: Sequence[Structure], size: int) -> None:
        """Refuse a search over the budget.

        Raises:
            TooMuchWorkError: the estimate is over the budget.
        """
        if size < 200_000:
            return
        seconds = 0.0
        for structure in found:
            for names, forms in structure.components:
                seconds += seconds_of(structure.walk(names, forms, self.wanted))
        afford(
            f"a search of {size:,} tables",
            seconds=seconds,
            instead="narrow the bounds, leave fewer numbers open, or write down their order",
        )

    def best(self, structure: Structure) -> Found:
        """The number of tables within the bounds, and the best."""
        if not structure.fits_fixed(self.wanted):
            return 0, []
        count, best = 1, list[Item]([((Fraction(), Fraction(), 0), {})])
        for names, forms in structure.components:
            n, own = self._component(structure, self.ranking(structure, names, forms))
            count *= n
            if not n:
                return 0, []
            best = self._sorted(
                structure,
                [((a[0] + b[0], a[1] + b[1], a[2] + b[2]), x | y) for a, x in best for b, y in own],
            )
        return count, best

    def ranking(
        self, structure: Structure, names: Sequence[str], forms: Sequence[BetForm]
    ) -> Ranking:
        """The search of a component, with its criterion."""
        walk = structure.walk(names, forms, self.wanted)
        return Ranking(walk, forms, self.wanted, self.wish)

    def _sorted(self, structure: Structure, items: list[Item]) -> list[Item]:
        names = [*structure.values]
        items.sort(key=lambda item: (item[0], [item[1][n] for n in names if n in item[1]]))
        return items[: self.top]

    def _component(self, structure: Structure, ranking: Ranking) -> Found:
        count, best = 0, list[Item]()
        worst: tuple[float, float] | None = None
        for block in self.kept(ranking):
            count += len(block)
            if self.top:
                own = ranking.leaders(block, self.top, worst)
                best += [(key, ranking.walk.value(block, row)) for key, row in own]
                best = self._sorted(structure, best)
            if 0 < self.top == len(best):
                worst = float(best[-1][0][0]), float(best[-1][0][1])
        return count, best

    def kept(self, ranking: Ranking) -> "Iterator[Block]":
        """The tables of a component within every bound, block by block."""
        import numpy as np

        walk = ranking.walk
        bounded = [
            (k, form, _squared(self.wanted[form.bet].volatility))
            for k, form in enumerate(ranking.forms)
            if not self.wanted[form.bet].volatility.is_open
        ]
        for whole in walk.blocks():
            block = whole
            for k, form, bounds in bounded:
                variance = ranking.variances(block, k)
                off = CLOSE * (1 + variance + ranking.means(block, k) ** 2)
                keep = np.ones(len(block), bool)
                unsure = np.zeros(len(block), bool)
                for bound, sign in ((bounds.low, 1.0), (bounds.high, -1.0)):
                    if bound is not None:
                        over = sign * (variance - float(bound))
                        keep &= over >= 0
                        unsure |= abs(over) <= off
                for row in np.flatnonzero(unsure).tolist():
                    keep[row] = bounds.holds(form.figures(walk.value(block, row)).variance)
                block = block.take(np.flatnonzero(keep))
            if len(block):
                yield block


def seconds_of(walk: BoundedSearch) -> float:
    """The estimated seconds of a search."""
    each = LONG_CHOICE if walk.is_long else CHOICE
    return walk.estimate() * each * (1 + len(walk.names) / 4)
